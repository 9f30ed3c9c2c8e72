"""``field``, ``nc``, ``pos`` and the sign analysis: identities that hold, and plausible ones that do not."""

from __future__ import annotations

from tests.recheck.support import (
    ANY,
    FIELD,
    INTS,
    NC,
    REAL,
    SMOOTH,
    SQUARE,
    Case,
    J,
    add,
    eq,
    given,
    le,
    lt,
    mul,
    ne,
    neg,
    node,
    sq,
    sub,
)

FUNCTIONS = [["x", "R"], ["n", "Z"], ["f", SMOOTH], ["g", ANY]]
RECTANGLES = [["m", "Z"], ["n", "Z"], ["A", ["M", "m", "n"]], ["B", ["M", "n", "m"]]]
MN = [["x", "R"], ["y", "R"], ["m", "Z"], ["n", "Z"]]


def same(decls: J, a: J, b: J, *hyps: J) -> Case:
    return given(decls, list(hyps), eq(a, b), FIELD)


def words(decls: J, a: J, b: J, *hyps: J) -> Case:
    return given(decls, list(hyps), eq(a, b), NC)


def inv(a: J) -> J:
    return ["/", 1, a]


def half(p: int = 1) -> J:
    return ["q", p, 2]


def mm(*xs: J) -> J:
    return ["mm", *xs]


def t(x: J) -> J:
    return ["T", x]


POSITIVE = (lt(0, "x"), lt(0, "y"))

GOOD: dict[str, Case] = {
    "binomial": same(REAL, sq(add("x", "y")), add(sq("x"), mul(2, "x", "y"), sq("y"))),
    "fractions": same(REAL, add(inv("x"), inv("y")), ["/", add("x", "y"), mul("x", "y")], ne("x", 0), ne("y", 0)),
    "cancelling": same(REAL, ["/", sub(sq("x"), sq("y")), add("x", "y")], sub("x", "y"), ne(add("x", "y"), 0)),
    "cancelling inside a function": same(
        REAL, ["sin", ["/", sub(sq("x"), sq("y")), add("x", "y")]], ["sin", sub("x", "y")], ne(add("x", "y"), 0)
    ),
    "0 times anything": same(REAL, mul(0, inv("x")), 0),
    "an opaque inverse": same(REAL, ["/", "y", "x"], mul("y", inv("x"))),
    "a^0": same(REAL, ["^", "x", 0], 1),
    "negative exponents": same(REAL, ["^", "x", -2], inv(sq("x")), ne("x", 0)),
    "roots": same(REAL, mul(["sqrt", "x"], ["sqrt", "x"]), "x", lt(0, "x")),
    "roots of numbers": same([], mul(["sqrt", 2], ["sqrt", 6]), mul(2, ["sqrt", 3])),
    "rational denominators": same([], inv(add(1, ["sqrt", 2])), sub(["sqrt", 2], 1)),
    "roots of sums": same(REAL, ["^", add(1, sq("x")), half(3)], mul(add(sq("x"), 1), ["sqrt", add(1, sq("x"))])),
    "sqrt of a square": same(REAL, ["sqrt", sq("x")], "x", lt(0, "x")),
    "log of a product": same(REAL, ["log", mul(6, "x", "y")], add(["log", 2], ["log", 3], ["log", "x"], ["log", "y"]), *POSITIVE),
    "log of exp": same(REAL, ["log", ["exp", add("x", "y")]], add("x", "y")),
    "exp of a sum": same(REAL, ["exp", add("x", "y", 1)], mul(["exp", 1], ["exp", "x"], ["exp", "y"])),
    "exp of a multiple": same(REAL, ["exp", mul(half(3), "x")], mul(["exp", "x"], ["exp", mul(half(), "x")])),
    "exp of log": same(REAL, ["exp", mul("y", ["log", "x"])], ["^", "x", "y"], lt(0, "x")),
    "hyperbolic": same(REAL, sub(sq(["cosh", "x"]), sq(["sinh", "x"])), 1),
    "tanh": same(REAL, ["tanh", "x"], ["/", ["sinh", "x"], ["cosh", "x"]]),
    "abs": same(REAL, ["abs", "x"], "x", le(0, "x")),
    "powers": same(MN, ["^", "x", add("m", mul(2, "n"))], mul(["^", "x", "m"], sq(["^", "x", "n"])), ne("x", 0)),
    "powers of products": same(MN, ["^", mul("x", "y"), "n"], mul(["^", "x", "n"], ["^", "y", "n"]), ne("x", 0), ne("y", 0)),
    "powers of numbers": same(MN, ["^", 6, "n"], mul(["^", 2, "n"], ["^", 3, "n"])),
    "real powers": same(REAL, ["^", mul("x", "y"), half()], mul(["sqrt", "x"], ["sqrt", "y"]), *POSITIVE),
    "real powers of powers": same(MN, ["^", ["^", "x", "y"], "n"], ["^", "x", mul("n", "y")], lt(0, "x")),
    "finite sum": same(REAL, ["sum", "i", 1, 4, mul("i", "x")], mul(10, "x")),
    "empty sum and product": same([], add(["sum", "i", 2, 1, "i"], ["prod", "i", 2, 1, "i"]), 1),
    "linear sum": same(
        FUNCTIONS,
        ["sum", "i", 0, "n", add(mul(2, "x", "i"), ["call", "f", "i"])],
        add(mul(2, "x", ["sum", "j", 0, "n", "j"]), ["sum", "k", 0, "n", ["call", "f", "k"]]),
    ),
    "nested sums": same(
        MN,
        ["sum", "i", 1, "n", ["sum", "j", 1, "m", mul("i", "j", "x")]],
        mul("x", ["sum", "a", 1, "n", mul("a", ["sum", "b", 1, "m", "b"])]),
    ),
    "derivative": same(
        FUNCTIONS,
        ["D", "s", mul("s", ["call", "f", sq("s")]), "x"],
        add(["call", "f", sq("x")], mul(2, sq("x"), ["d", 1, "f", sq("x")])),
    ),
    "derivative of a quotient": same(REAL, ["D", "s", inv("s"), "x"], neg(["^", "x", -2]), ne("x", 0)),
    "derivative of a power": same(MN, ["D", "s", ["^", "s", "n"], "x"], mul("n", ["^", "x", add("n", -1)]), ne("x", 0)),
    "derivative of an exponential": same(REAL, ["D", "s", ["^", "x", "s"], "y"], mul(["^", "x", "y"], ["log", "x"]), lt(0, "x")),
    "second derivative": same(REAL, ["D", "s", ["D", "r", ["sin", "r"], "s"], "x"], neg(["sin", "x"])),
    "derivative of a sum": same(
        MN, ["D", "s", ["sum", "i", 1, "n", mul("i", sq("s"))], "x"], mul(2, "x", ["sum", "i", 1, "n", "i"])
    ),
    "order 0": same(FUNCTIONS, ["d", 0, "f", "x"], ["call", "f", "x"]),
    "D is opaque up to its body": same(REAL, ["D", "s", ["abs", add("s", "y")], "x"], ["D", "r", ["abs", add("y", "r")], "x"]),
    "det by entries": same(REAL, ["det", ["mat", [["x", 1], [2, "y"]]]], sub(mul("x", "y"), 2)),
    "det of nothing": same([["A", ["M", 0, 0]]], ["det", "A"], 1),
    "entries of a product": same(
        SQUARE, ["entry", mm("A", "B"), 1, 2], ["sum", "k", 1, "n", mul(["entry", "A", 1, "k"], ["entry", "B", "k", 2])]
    ),
    "entries of I": same([], add(["entry", ["I", 3], 2, 2], ["entry", ["I", 3], 1, 2]), 1),
    "entries of J": same([["m", "Z"], ["i", "Z"]], ["entry", ["J", "m", 2], "i", 1], 1, le(1, "i"), le("i", "m")),
    "trace": same(RECTANGLES, ["tr", mm("A", "B")], ["tr", mm(t("A"), t("B"))]),
    "trace of the identity": same(SQUARE, ["tr", ["I", "n"]], "n", le(0, "n")),
    "trace of J": same(INTS, ["tr", ["J", "n", "n"]], "n", lt(0, "n")),
    "trace of a literal": same(REAL, ["tr", ["mat", [["x", 1], [2, "y"]]]], add("x", "y")),
    "trace of a small product": same([["A", ["M", 2, 2]]], ["tr", "A"], add(["entry", "A", 1, 1], ["entry", "A", 2, 2])),
    "equations": given(
        REAL,
        [eq(add(sq("x"), sq("y")), 1)],
        eq(["^", "x", 4], sq(sub(1, sq("y")))),
        node("field", eqs=[["h0", add(sq("x"), 1, neg(sq("y")))]]),
    ),
    "rewriting": given(REAL, [eq("x", sq("y"))], eq(["sin", mul("x", 2)], ["sin", mul(2, sq("y"))]), node("field", rw=["h0"])),
    "not equal": given(REAL, [], ne(add("x", 1), "x"), FIELD),
    "side formulas": given(
        REAL,
        [eq("x", add("y", 1)), lt(0, "y")],
        eq(mul("x", inv("x")), 1),
        node("field", node("pos", terms=[[["hyp", "h1"]], [1]], eqs=[["h0", 1]]), side=[lt(0, "x")]),
    ),
    "transposes": words(RECTANGLES, t(mm("A", "B")), mm(t("B"), t("A"))),
    "J J": words([*INTS, ["k", "Z"]], mm(["J", "m", "n"], ["J", "n", "k"]), ["sm", "n", ["J", "m", "k"]], le(1, "n")),
    "J from columns": words(INTS, mm(["J", "m", 1], ["J", 1, "n"]), ["J", "m", "n"]),
    "inverses": words(SQUARE, mm("B", ["inv", "A"], "A"), "B", ne(["det", "A"], 0)),
    "inverse of a transpose": words(SQUARE, ["inv", t("A")], t(["inv", "A"])),
    "inverse of a product": words(SQUARE, mm(["inv", mm("A", "B")], "A", "B"), ["I", "n"], ne(["det", mm("A", "B")], 0)),
    "matrix powers": words([*SQUARE, ["k", "Z"]], mm(["mpow", "A", "k"], "A", "A"), ["mpow", "A", add("k", 2)], le(0, "k")),
    "literal powers": words(SQUARE, ["mpow", add("A", "B"), 2], add(mm("A", "A"), mm("A", "B"), mm("B", "A"), mm("B", "B"))),
    "derivative of a product": words(
        [["n", "Z"], ["x", "R"], ["W", ["F", ["R"], ["M", "n", "n"], "smooth"]]],
        ["D", "s", mm(["call", "W", "s"], t(["call", "W", "s"])), "x"],
        add(mm(["d", 1, "W", "x"], t(["call", "W", "x"])), mm(["call", "W", "x"], t(["d", 1, "W", "x"]))),
    ),
    "sums of matrices": words(
        SQUARE, ["sum", "i", 1, "n", ["sm", mul(2, "i"), "A"]], ["sm", mul(["sum", "i", 1, "n", "i"], 2), "A"]
    ),
    "equations of matrices": given(
        SQUARE, [eq(mm("A", "B"), ["I", "n"])], eq(mm("A", "A", "B"), "A"), node("nc", eqs=[["h0", 1, "A", []]])
    ),
    "rewriting words": given(
        SQUARE, [eq(mm("A", "B"), mm("B", "A"))], eq(mm("A", "B", "B"), mm("B", "B", "A")), node("nc", rw=["h0"])
    ),
    "rewriting transposed words": given(
        SQUARE, [eq(mm("A", "B"), ["I", "n"])], eq(mm(t("B"), t("A")), ["I", "n"]), node("nc", rw=["h0"])
    ),
    "a symmetric matrix": given(
        SQUARE, [eq(t("A"), "A")], eq(t(mm("A", t("B"), t("A"))), mm("A", "B", "A")), node("nc", rw=["h0"])
    ),
    "pos": given(REAL, [], le(mul(2, "x", "y"), add(sq("x"), sq("y"))), node("pos", terms=[[sq(sub("x", "y"))]])),
    "pos with a denominator": given(
        REAL,
        list(POSITIVE),
        le(2, add(["/", "x", "y"], ["/", "y", "x"])),
        node("pos", mul=["x", "y"], terms=[[sq(sub("x", "y"))]]),
    ),
    "pos false": given(REAL, [lt("x", "y"), lt("y", "x")], ["false"], node("pos", terms=[[["hyp", "h0"]], [["hyp", "h1"]]])),
    "pos with a Gram matrix": given(
        RECTANGLES, [], le(0, ["tr", mm(t("A"), "A")]), node("pos", terms=[[["tr", mm(t("A"), "A")]]])
    ),
    "pos, an empty list is 1": given(REAL, [], lt("x", add("x", 1)), node("pos", terms=[[]])),
    "pos, equality": given(REAL, [eq("x", "y")], le("x", "y"), node("pos", eqs=[["h0", -1]])),
}

DEAD = [["i", "Z"], ["j", "Z"]]
BOTH = ne("x", 0)

BAD: dict[str, Case] = {
    "a wrong binomial": same(REAL, sq(add("x", "y")), add(sq("x"), sq("y"))),
    "x/x": same(REAL, ["/", "x", "x"], 1),
    "x/x at a weak bound": same(REAL, ["/", "x", "x"], 1, le(0, "x")),
    "x/x with the wrong variable": same(REAL, ["/", "x", "x"], 1, ne("y", 0)),
    "the inverse of 0": same([], inv(0), 0),
    "0/0": same([], ["/", 0, 0], 1),
    "inverse of a product": same(REAL, inv(mul("x", "y")), mul(inv("x"), inv("y"))),
    "cancelling without the condition": same(REAL, ["/", sub(sq("x"), sq("y")), add("x", "y")], sub("x", "y")),
    "x^-1 x": same(REAL, mul(["^", "x", -1], "x"), 1),
    "sqrt of a square": same(REAL, ["sqrt", sq("x")], "x"),
    "sqrt of a square, x nonzero": same(REAL, ["sqrt", sq("x")], "x", ne("x", 0)),
    "sqrt of a square, x negative": same(REAL, ["sqrt", sq("x")], "x", lt("x", 0)),
    "square of a root": same(REAL, sq(["sqrt", "x"]), "x"),
    "root of a product": same(REAL, ["sqrt", mul("x", "y")], mul(["sqrt", "x"], ["sqrt", "y"])),
    "root of a product that is positive": same(
        REAL, ["sqrt", mul("x", "y")], mul(["sqrt", "x"], ["sqrt", "y"]), lt(0, mul("x", "y"))
    ),
    "log of a product": same(REAL, ["log", mul("x", "y")], add(["log", "x"], ["log", "y"])),
    "log of a product that is positive": same(
        REAL, ["log", mul("x", "y")], add(["log", "x"], ["log", "y"]), lt(0, mul("x", "y"))
    ),
    "log of a square": same(REAL, ["log", sq("x")], mul(2, ["log", "x"]), ne("x", 0)),
    "exp of log": same(REAL, ["exp", ["log", "x"]], "x"),
    "power of a power": same(REAL, ["^", sq("x"), half()], "x"),
    "power of a power, x nonzero": same(REAL, ["^", sq("x"), half()], "x", ne("x", 0)),
    "cube root of a cube": same(REAL, ["^", ["^", "x", 3], ["q", 1, 3]], "x", ne("x", 0)),
    "real power of a product": same(REAL, ["^", mul("x", "y"), half()], mul(["^", "x", half()], ["^", "y", half()]), BOTH),
    "integer powers at 0": same(MN, ["^", "x", add("n", 1)], mul("x", ["^", "x", "n"])),
    "integer powers of a sum": same(MN, ["^", add("x", "y"), "n"], add(["^", "x", "n"], ["^", "y", "n"])),
    "even powers keep the sign": same(MN, ["^", neg("x"), "n"], ["^", "x", "n"], BOTH),
    "a real exponent of a nonzero base": same(
        [["x", "R"], ["a", "R"], ["b", "R"]], ["^", "x", add("a", "b")], mul(["^", "x", "a"], ["^", "x", "b"]), BOTH
    ),
    "exponents that an equation makes real": given(  # n = 2 y with y = 1/2 and x < 0
        MN, [eq("n", mul(2, "y")), BOTH], eq(["^", "x", "n"], sq(["^", "x", "y"])), node("field", rw=["h0"])
    ),
    "the same for an inequality": given(
        MN, [eq("n", mul(2, "y")), BOTH], le(0, ["^", "x", "n"]), node("pos", terms=[[sq(["^", "x", "y"])]], rw=["h0"])
    ),
    "half exponents": given(
        MN, [eq("n", mul(half(), "m")), BOTH], eq(["^", "x", "n"], ["sqrt", ["^", "x", "m"]]), node("field", rw=["h0"])
    ),
    "abs": same(REAL, ["abs", "x"], "x"),
    "abs of a product": same(REAL, ["abs", mul(-1, "x")], neg(["abs", "x"])),
    "exp is not linear": same(REAL, ["exp", mul("x", "y")], mul(["exp", "x"], ["exp", "y"])),
    "a sum forgets its last term": same(MN, ["sum", "i", 1, "n", "i"], ["sum", "i", 1, add("n", -1), "i"]),
    "a sum of a constant": same(MN, ["sum", "i", 1, "n", "x"], mul("n", "x")),
    "the index leaves the sum": same(MN, ["sum", "i", 1, "n", mul("i", "x")], mul("m", ["sum", "i", 1, "n", "x"])),
    "nested indices mixed": same(
        MN, ["sum", "i", 1, "n", ["sum", "j", 1, "m", "i"]], ["sum", "i", 1, "n", ["sum", "j", 1, "m", "j"]]
    ),
    "bounds mixed": same(MN, ["sum", "i", 1, "n", ["sum", "j", 1, "m", "i"]], ["sum", "i", 1, "m", ["sum", "j", 1, "n", "i"]]),
    "a product is not linear": same(MN, ["prod", "i", 1, "n", mul("x", "i")], mul("x", ["prod", "i", 1, "n", "i"])),
    "an empty product": same([], ["prod", "i", 2, 1, "i"], 0),
    "D of abs": same(REAL, ["D", "s", ["abs", "s"], "x"], ["/", ["abs", "x"], "x"], BOTH),
    "D of abs where it is x": same(REAL, ["D", "s", ["abs", "s"], "x"], 1),
    "D of a root at 0": same([], ["D", "s", ["sqrt", "s"], 0], ["/", 1, mul(2, ["sqrt", 0])]),
    "D of a rational power at 0": same([], ["D", "s", ["^", "s", half(3)], 0], 0),
    "D of 1/s without the condition": same(REAL, ["D", "s", inv("s"), "x"], neg(["^", "x", -2])),
    "D of log": same(REAL, ["D", "s", ["log", "s"], "x"], inv("x"), BOTH),
    "D of log of abs": same(REAL, ["D", "s", ["log", ["abs", "s"]], "x"], inv("x"), BOTH),
    "D of a function that is not smooth": same(FUNCTIONS, ["D", "s", ["call", "g", "s"], "x"], 0),
    "D through a function that is not smooth": same(
        FUNCTIONS,
        ["D", "s", ["call", "f", ["call", "g", "s"]], "x"],
        mul(["d", 1, "f", ["call", "g", "x"]], ["D", "s", ["call", "g", "s"], "x"]),
    ),
    "D in another argument": same(
        [["x", "R"], ["f", ["F", ["R", "R"], "R", "smooth"]]], ["D", "s", ["call", "f", "s", "x"], "x"], ["d", 1, "f", "x", "x"]
    ),
    "D of a symbolic order": same(FUNCTIONS, ["D", "s", ["d", "n", "f", "s"], "x"], ["d", add("n", 1), "f", "x"]),
    "D of a max": same(REAL, ["D", "s", ["max", "s", 0], "x"], 1, le(0, "x")),
    "D forgets the inner derivative": same(FUNCTIONS, ["D", "s", ["call", "f", mul(2, "s")], "x"], ["d", 1, "f", mul(2, "x")]),
    "D of a symbolic power at 0": same(MN, ["D", "s", ["^", "s", "n"], "x"], mul("n", ["^", "x", add("n", -1)])),
    "D of a sum whose bound depends on it": same(
        [["x", "R"], ["k", ["F", ["R"], "Z", "any"]]], ["D", "s", ["sum", "i", 1, ["call", "k", "s"], "i"], "x"], 0
    ),
    "the determinant is linear": same(REAL, ["det", ["mat", [[mul(2, "x"), 0], [0, mul(2, "y")]]]], mul(2, "x", "y")),
    "det of nothing": same([["A", ["M", 0, 0]]], ["det", "A"], 0),
    "the order of det": same(REAL, ["det", ["mat", [["x", 1], [2, "y"]]]], sub(2, mul("x", "y"))),
    "entry of I outside": same([["n", "Z"]], ["entry", ["I", "n"], 1, 1], 1),
    "entry of I(2) outside": same([], ["entry", ["I", 2], 3, 3], 1),
    "entry of J outside": same([["m", "Z"], *DEAD], ["entry", ["J", "m", "m"], "i", "j"], 1),
    "entry of J below": same([["m", "Z"], *DEAD], ["entry", ["J", "m", "m"], "i", "j"], 1, le("i", "m"), le("j", "m")),
    "entry of I off the diagonal": same([["m", "Z"], *DEAD], ["entry", ["I", "m"], "i", "j"], 0),
    "entry of a literal outside": same(REAL, ["entry", ["mat", [["x", "y"]]], 1, 3], "x"),
    "entry transposed": same(RECTANGLES, ["entry", "A", 1, 2], ["entry", t("A"), 1, 2]),
    "trace of I, any n": same([["n", "Z"]], ["tr", ["I", "n"]], "n"),
    "trace of I(-1)": same([], ["tr", ["I", -1]], -1),
    "trace of J J": same(INTS, ["tr", mm(["J", "m", "n"], ["J", "n", "m"])], mul("m", "n")),
    "trace of three": same(SQUARE, ["tr", mm("A", "A", "B", "B")], ["tr", mm("A", "B", "A", "B")]),
    "trace of a reversed word": same([*SQUARE, ["C", ["M", "n", "n"]]], ["tr", mm("A", "B", "C")], ["tr", mm("C", "B", "A")]),
    "trace of a wrong transpose": same(SQUARE, ["tr", mm("A", "B")], ["tr", mm("A", t("B"))]),
    "field on matrices": given(SQUARE, [], eq("A", "A"), FIELD),
    "field on inequalities": given(REAL, [], le("x", "x"), FIELD),
    "not equal, a variable": given(REAL, [], ne("x", 0), FIELD),
    "not equal, zero": given(REAL, [], ne("x", "x"), FIELD),
    "an equation of matrices as a scalar one": given(
        [["A", ["M", 1, 1]]], [eq("A", ["O", 1, 1])], eq(["entry", "A", 1, 1], 0), node("field", eqs=[["h0", 1]])
    ),
    "an inequality as an equation": given(REAL, [le("x", "y")], eq("x", "y"), node("field", eqs=[["h0", 1]])),
    "a cofactor with an unknown variable": given(REAL, [eq("x", "y")], eq("x", "y"), node("field", eqs=[["h0", "z"]])),
    "a rule for a sum": given(REAL, [eq(add("x", "y"), 1)], eq(add("x", "y"), 1), node("field", rw=["h0"])),
    "a rule that never ends": given(REAL, [eq("x", add("x", 1))], eq("x", "y"), node("field", rw=["h0"])),
    "a side formula without proof": given(REAL, [], eq(["/", "x", "x"], 1), node("field", side=[ne("x", 0)])),
    "a side formula proved by itself": given(
        REAL, [], eq(["/", "x", "x"], 1), node("field", node("hyp", h="side:0"), side=[ne("x", 0)])
    ),
    "a side formula that is not there": given(REAL, [], eq("x", "y"), node("field", eqs=[["side:0", 1]])),
    "matrices commute": words(SQUARE, mm("A", "B"), mm("B", "A")),
    "transposition keeps the order": words(SQUARE, t(mm("A", "B")), mm(t("A"), t("B"))),
    "A is symmetric": words(SQUARE, "A", t("A")),
    "J J without a sign": words(INTS, mm(["J", "m", "n"], ["J", "n", "m"]), ["sm", "n", ["J", "m", "m"]]),
    "J J with the wrong factor": words(
        INTS, mm(["J", "m", "n"], ["J", "n", "m"]), ["sm", "m", ["J", "m", "m"]], le(1, "m"), le(1, "n")
    ),
    "J is not I": words([], ["J", 2, 2], ["I", 2]),
    "inverse without det": words(SQUARE, mm("A", ["inv", "A"]), ["I", "n"]),
    "inverse with the wrong det": words(SQUARE, mm("A", ["inv", "A"]), ["I", "n"], ne(["det", "B"], 0)),
    "inverse of a product of matrices": words(
        SQUARE, ["inv", mm("A", "B")], mm(["inv", "A"], ["inv", "B"]), ne(["det", "A"], 0), ne(["det", "B"], 0)
    ),
    "inverse cancels a stranger": words(SQUARE, mm("A", "B", ["inv", "A"]), "B", ne(["det", "A"], 0)),
    "double inverse": words(SQUARE, ["inv", ["inv", "A"]], "A"),
    "matrix powers without a sign": words([*SQUARE, ["k", "Z"]], mm(["mpow", "A", "k"], "A"), ["mpow", "A", add("k", 1)]),
    "powers of other matrices": words([*SQUARE, ["k", "Z"]], mm(["mpow", "A", "k"], "B"), ["mpow", "A", add("k", 1)], le(0, "k")),
    "negative matrix powers": words(SQUARE, mm(["mpow", "A", -1], "A"), ["I", "n"]),
    "a rule for the identity": given(SQUARE, [eq(["I", "n"], "A")], eq("A", "B"), node("nc", rw=["h0"])),
    "a rule for a multiple": given(SQUARE, [eq(["sm", 2, "A"], "B")], eq(["sm", 2, "A"], "B"), node("nc", rw=["h0"])),
    "equations on the wrong side": given(
        SQUARE, [eq(mm("A", "B"), ["I", "n"])], eq(mm("A", "B", "A"), mm("A", "A")), node("nc", eqs=[["h0", 1, [], "A"]])
    ),
    "equations of a wrong shape": given(
        RECTANGLES, [eq(mm("A", "B"), ["I", "m"])], eq("A", "A"), node("nc", eqs=[["h0", 1, "A", []]])
    ),
    "D of a matrix that is not smooth": words(
        [["x", "R"], ["W", ["F", ["R"], ["M", 2, 2], "any"]]], ["D", "s", ["call", "W", "s"], "x"], ["O", 2, 2]
    ),
    "D of an inverse": words(
        [["x", "R"], ["W", ["F", ["R"], ["M", 2, 2], "smooth"]]],
        ["D", "s", ["inv", ["call", "W", "s"]], "x"],
        ["sm", -1, mm(["inv", ["call", "W", "x"]], ["d", 1, "W", "x"], ["inv", ["call", "W", "x"]])],
    ),
    "D of a symbolic power of a matrix": words(
        [["k", "Z"], ["x", "R"]], ["D", "s", ["mpow", ["sm", "s", ["I", 2]], "k"], "x"], ["O", 2, 2]
    ),
    "pos, strict without a strict term": given(REAL, [], lt(0, sq("x")), node("pos", terms=[[sq("x")]])),
    "pos, strict from nothing": given(REAL, [], lt("x", "x"), node("pos", terms=[])),
    "pos, false from nothing": given(REAL, [], ["false"], node("pos", terms=[])),
    "pos, false from a weak term": given(
        REAL, [le("x", "y"), le("y", "x")], ["false"], node("pos", terms=[[["hyp", "h0"]], [["hyp", "h1"]]])
    ),
    "pos, an unknown sign": given(REAL, [], le(0, "x"), node("pos", terms=[["x"]])),
    "pos, a nonneg multiplier": given(REAL, [], le("x", "y"), node("pos", mul=[0], terms=[])),
    "pos, a square as multiplier": given(
        REAL, [le(0, mul(sq("x"), "y"))], le(0, "y"), node("pos", mul=[sq("x")], terms=[[["hyp", "h0"]]])
    ),
    "pos, an inequality the wrong way": given(REAL, [le("x", "y")], le("y", "x"), node("pos", terms=[[["hyp", "h0"]]])),
    "pos, an equation as a factor": given(REAL, [eq("x", "y")], lt("x", "y"), node("pos", terms=[[["hyp", "h0"]]])),
    "pos, != as a factor": given(REAL, [ne("x", "y")], lt("x", "y"), node("pos", terms=[[["hyp", "h0"]]])),
    "pos, 1/x for x >= 0": given(REAL, [le(0, "x")], le(0, inv("x")), node("pos", terms=[[inv("x")]])),
    "pos, x^-1 for x >= 0": given(REAL, [le(0, "x")], le(0, ["^", "x", -1]), node("pos", terms=[[["^", "x", -1]]])),
    "pos, x^(1/2) for x >= 0": given(REAL, [le(0, "x")], le(0, ["^", "x", half()]), node("pos", terms=[[["^", "x", half()]]])),
    "pos, sqrt of anything": given(REAL, [], le(0, ["sqrt", "x"]), node("pos", terms=[[["sqrt", "x"]]])),
    "pos, sqrt of a nonneg": given(REAL, [le(0, "x")], lt(0, ["sqrt", "x"]), node("pos", terms=[[["sqrt", "x"]]])),
    "pos, an odd power": given(REAL, [], le(0, ["^", "x", 3]), node("pos", terms=[[["^", "x", 3]]])),
    "pos, a symbolic even power": given(MN, [], le(0, ["^", "x", mul(2, "n")]), node("pos", terms=[[["^", "x", mul(2, "n")]]])),
    "pos, abs": given(REAL, [], lt(0, ["abs", "x"]), node("pos", terms=[[["abs", "x"]]])),
    "pos, the max of one": given(REAL, [lt(0, "x")], lt(0, ["min", "x", "y"]), node("pos", terms=[[["min", "x", "y"]]])),
    "pos, a trace": given(SQUARE, [], le(0, ["tr", mm("A", "A")]), node("pos", terms=[[["tr", mm("A", "A")]]])),
    "pos, a sum with one unknown sign": given(REAL, [lt(0, "x")], lt(0, add("x", "y")), node("pos", terms=[[add("x", "y")]])),
    "pos, an opaque sum": given(
        MN, [], le(0, ["sum", "i", 1, "n", mul("i", "x")]), node("pos", terms=[[["sum", "i", 1, "n", mul("i", "x")]]])
    ),
    "pos, circular bounds": given(REAL, [lt("x", "y"), lt("y", "x")], lt(0, "x"), node("pos", terms=[["x"]])),
    "pos, an upper bound": given(REAL, [lt("x", 5)], lt(0, "x"), node("pos", terms=[["x"]])),
    "pos, knowledge under a quantifier": given(REAL, [["ex", [["x", "R"]], lt(0, "x")]], lt(0, "x"), node("pos", terms=[["x"]])),
    "pos, knowledge from a disjunction": given(REAL, [["or", lt(0, "x"), lt(0, "y")]], lt(0, "x"), node("pos", terms=[["x"]])),
    "pos, eqs with an inequality": given(REAL, [lt("x", "y")], le("y", "x"), node("pos", eqs=[["h0", 1]])),
    "pos on an equation": given(REAL, [eq("x", "y")], eq("x", "y"), node("pos", eqs=[["h0", 1]])),
    "pos, terms that are no lists": given(REAL, [lt(0, "x")], lt(0, "x"), node("pos", terms=["x"])),
}
