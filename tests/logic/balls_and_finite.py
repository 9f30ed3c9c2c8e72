"""Ball arithmetic on boxes, and exact evaluation."""

from __future__ import annotations

from tests.recheck.support import COMPUTE, INTS, REAL, Case, J, add, eq, given, le, lt, mul, ne, neg, node, sq, sub

X = [["x", "R"]]
UNIT = [le(0, "x"), le("x", 1)]
BOX = {"x": ["h0", "h1"]}


def balls(concl: J, tree: J = 53, hyps: list[J] = UNIT, box: J = BOX, decls: J = X) -> Case:
    return given(decls, hyps, concl, node("ball", box=box, tree=tree))


def cuts(low: int, high: int, denominator: int, p: int = 53) -> J:
    """Cuts x at low/denominator, .., high/denominator."""
    tree: J = p
    for k in reversed(range(low, high + 1)):
        tree = ["x", ["q", k, denominator], p, tree]
    return tree


def closed(a: J) -> Case:
    return a, COMPUTE


def every(x: str, low: J, high: J, a: J) -> J:
    return ["all", [[x, "Z"]], ["=>", ["and", le(low, x), le(x, high)], a]]


def some(x: str, low: J, high: J, a: J) -> J:
    return ["ex", [[x, "Z"]], ["and", le(low, x), le(x, high), a]]


P3 = ["mat", [[1, 1, 0], [0, 0, 0], [0, 0, 5]]]

GOOD: dict[str, Case] = {
    "closed": ((lt(["q", 314, 100], ["pi"])), node("ball", box={}, tree=64)),
    "exp": balls(le(["exp", "x"], 3)),
    "cut": balls(lt(mul("x", sub(1, "x")), ["q", 3, 10]), cuts(1, 31, 32)),
    "not equal": balls(ne(add(["exp", "x"], "x"), 0), ["x", ["q", 1, 2], 53, 53]),
    "an odd interval": balls(lt(-2, "x"), hyps=[lt(neg(["q", 3, 2]), "x"), lt("x", ["q", 5, 3])]),
    "functions": balls(lt(add(["cosh", "x"], ["tanh", "x"], ["asinh", "x"], ["abs", "x"], ["max", "x", 1], ["sin", "x"]), 10)),
    "sums": balls(le(["sum", "i", 1, 5, ["^", "x", "i"]], 6)),
    "matrices": balls(le(["det", ["mat", [["x", 1], [1, "x"]]]], 1)),
    "a real power": balls(lt(["^", "x", ["q", 1, 2]], 2), hyps=[le(["q", 1, 4], "x"), le("x", 1)]),
    "exact": ((le(["q", 1, 2], ["q", 1, 2])), node("ball", box={}, tree=53)),
    "arithmetic": closed(eq(["/", ["^", 2, 10], 3], ["q", 1024, 3])),
    "bounded": closed(every("n", 0, 50, le("n", sq("n")))),
    "a dependent range": closed(every("m", 1, 9, every("n", 1, "m", le("n", "m")))),
    "one telescope": closed(
        ["all", INTS, ["=>", ["and", le(1, "m"), le("m", 9), le("m", "n"), le("n", mul(2, "m"))], le(1, "n")]]
    ),
    "an empty range": closed(every("n", 1, 0, ["false"])),
    "exists": closed(some("n", 0, 20, eq(sq("n"), 144))),
    "fractions as bounds": closed(every("n", ["q", 1, 2], ["q", 5, 2], ["or", eq("n", 1), eq("n", 2)])),
    "a guard that decides": closed(every("n", -3, 3, ["=>", ne("n", 0), eq(mul("n", ["/", 1, "n"]), 1)])),
    "rank": closed(eq(["op", "rank", P3], 2)),
    "components": closed(eq(["op", "ncomp", P3], 2)),
    "determinant": closed(eq(["det", ["mat", [[0, 1], [1, 0]]]], -1)),
    "matrix algebra": closed(
        eq(
            ["mm", ["J", 2, 3], ["T", ["mat", [[1, 2, 3]]]], ["I", 1]],
            ["sm", 3, ["+", ["J", 2, 1], ["had", ["J", 2, 1], ["O", 2, 1]], ["J", 2, 1]]],
        )
    ),
    "trace and entry": closed(eq(["+", ["tr", ["I", 4]], ["entry", P3, 3, 3]], 9)),
    "entries outside of a matrix are 0": closed(eq(["+", ["entry", P3, 4, 1], ["entry", P3, 1, 0]], 0)),
    "sums and products": closed(eq(["sum", "i", 1, 4, ["prod", "j", 1, "i", "j"]], 33)),
    "other connectives": closed(["iff", ["not", ["false"]], ["or", ["false"], ["and", ["true"], lt(1, 2)]]]),
}

BAD: dict[str, Case] = {
    "false on the box": balls(lt("x", 1)),
    "false at one point": balls(lt(0, sq("x")), cuts(1, 31, 32)),
    "an equation": balls(eq("x", "x")),
    "a ball with 0 in the denominator": balls(le(mul("x", ["/", 1, "x"]), 2)),
    "an unbounded inverse": balls(le(["tanh", ["/", 1, "x"]], 2)),
    "log at 0": balls(le(["log", "x"], 1)),
    "sqrt below 0": balls(le(["sqrt", "x"], 2), hyps=[le(-1, "x"), le("x", 1)]),
    "a real power at 0": balls(le(-5, ["^", "x", ["q", 1, 2]])),
    "a negative power at 0": balls(lt(0, ["^", "x", -2])),
    "a real power of a negative base": balls(le(-5, ["^", "x", ["q", 1, 2]]), hyps=[le(-2, "x"), le("x", -1)]),
    "a variable outside of the box": balls(le("x", "y"), decls=REAL),
    "a bound of another variable": balls(le("x", 1), hyps=[le(0, "y"), le("y", 1)], decls=REAL),
    "bounds the wrong way": balls(le("x", 1), hyps=[le("x", 0), le(1, "x")]),
    "bounds that are no literals": balls(le("x", 9), hyps=[le(0, "x"), le("x", "y")], decls=REAL),
    "an unknown hypothesis": balls(le("x", 1), box={"x": ["h0", "h7"]}),
    "a bound from another formula": balls(le("x", 1), hyps=[le(0, "x"), ne("x", 2)]),
    "a cut outside": balls(lt(mul("x", sub(1, "x")), ["q", 3, 10]), ["x", 2, cuts(1, 31, 32), 53]),
    "a cut at the boundary": balls(le("x", 0), ["x", 0, 53, 53]),
    "a cut of a stranger": balls(le("x", 1), ["y", ["q", 1, 2], 53, 53]),
    "a cut with one half": balls(le("x", 1), ["x", ["q", 1, 2], 53]),
    "a half that is not checked": balls(le("x", ["q", 1, 2]), ["x", ["q", 1, 2], 53, []]),
    "no precision": balls(le("x", 2), True),
    "too little precision": balls(le("x", 2), 10),
    "too much precision": balls(le("x", 2), 10**9),
    "a float": balls(le("x", 2), 53.0),
    "a function": balls(le(["call", "x", 1], 2)),
    "an entry outside": balls(le(["entry", ["mat", [["x"]]], 1, 2], 2)),
    "a huge power": balls(le(["^", "x", 10**30], 2)),
    "a long sum": balls(le(0, ["sum", "i", 1, 10**12, "x"])),
    "false": closed(["false"]),
    "wrong arithmetic": closed(eq(add(["q", 1, 10], ["q", 2, 10]), ["q", 3000001, 10**7])),
    "unbounded": closed(["all", [["n", "Z"]], ["=>", le(0, "n"), le(0, "n")]]),
    "unbounded below": closed(["all", [["n", "Z"]], ["=>", le("n", 5), le("n", 5)]]),
    "no guard": closed(["all", [["n", "Z"]], le(0, sq("n"))]),
    "a bound under or": closed(["all", [["n", "Z"]], ["=>", ["or", ["and", le(0, "n"), le("n", 5)], ["true"]], le(0, "n")]]),
    "the conclusion as a bound": closed(["all", [["n", "Z"]], ["and", le(0, "n"), le("n", 5)]]),
    "existence from an implication": closed(["ex", [["n", "Z"]], ["=>", ["and", le(0, "n"), le("n", 5)], ["false"]]]),
    "over the reals": closed(["all", [["n", "R"]], ["=>", ["and", le(0, "n"), le("n", 1)], ["or", eq("n", 0), eq("n", 1)]]]),
    "a bound by itself": closed(["all", [["n", "Z"]], ["=>", ["and", le(mul(2, "n"), "n"), le("n", 5)], ["false"]]]),
    "a bound by a later variable": closed(
        ["all", INTS, ["=>", ["and", le("n", "m"), le("m", 3), le(0, "n"), le("n", 3)], ["and", le(0, "m"), le(5, "m")]]]
    ),
    "an inner bound by an inner variable": closed(
        every("m", 0, 3, ["all", [["n", "Z"]], ["=>", ["and", le("n", "n"), le("n", 3)], ["false"]]])
    ),
    "the wrong order": closed(some("n", 0, 8, every("m", 0, 9, le("m", "n")))),
    "division by zero": closed(every("n", 0, 3, eq(["/", 0, "n"], 0))),
    "a negative power of 0": closed(eq(["^", 0, -1], 0)),
    "a fractional power": closed(eq(["^", 4, ["q", 1, 2]], 2)),
    "transcendental": closed(lt(["exp", 0], 2)),
    "a free variable": given(X, [le(0, "x")], le(0, "x"), COMPUTE),
    "an inverse": closed(eq(["inv", ["I", 2]], ["I", 2])),
    "an entry outside of a matrix": closed(eq(["entry", P3, 4, 1], ["entry", P3, 1, 1])),
    "an empty matrix": closed(eq(["tr", ["I", -1]], -1)),
    "isolated vertices": closed(eq(["op", "ncomp", P3], 3)),
    "a function of functions": closed(["ex", [["f", ["F", ["Z"], "Z", "any"]]], eq(["call", "f", 0], 0)]),
}
