"""Rows for the edges of each rule: one past the end, the other member, a name in use, strict for weak, what is captured."""

from __future__ import annotations

from collections.abc import Callable

from tests.recheck.support import (
    ANY,
    FIELD,
    REAL,
    SMOOTH,
    SQUARE,
    TRUTH,
    Case,
    J,
    add,
    eq,
    given,
    le,
    lt,
    mul,
    ne,
    node,
)

from .conditions import stays_positive
from .rules import P, Q, hyp

INTS_MN = [["m", "Z"], ["n", "Z"]]
U, V = lt("u", "v"), lt("v", "u")
TWO = [["k", "Z"], ["m", "Z"]]

SMOOTH_COPY = ["ex", [["g", SMOOTH]], ["all", [["t", "R"]], eq(["call", "g", "t"], ["call", "f", "t", 0])]]


def guard(low: object, body: object, relation: str = "<=") -> object:
    """all n:Z. low <= n => body"""
    return ["all", [["n", "Z"]], ["=>", [relation, low, "n"], body]]


def under(binder: Callable[[J], J], inner: J) -> J:
    """all x. a formula with a binder around a sum whose body is the variable outside, or the index"""
    return ["all", [["x", "R"]], binder(["sum", "i", 1, 2, inner])]


AROUND: dict[str, Callable[[J], J]] = {
    "a derivative": lambda e: eq(["D", "t", mul("t", e), 0], 5),
    "a sum": lambda e: eq(["sum", "t", 1, 3, e], 5),
    "a product": lambda e: eq(["prod", "t", 1, 3, e], 5),
    "a limit": lambda e: ["tends", "t", mul("t", e), 5],
    "a limit to infinity": lambda e: ["tendsoo", "t", mul("t", e)],
    "a quantifier": lambda e: ["ex", [["t", "R"]], eq("t", e)],
    "a point": lambda e: eq(["D", "t", "t", e], 5),
    "a bound": lambda e: eq(["sum", "t", 1, ["call", "f", e], "t"], 5),
}
SLOPE = ["D", "t", ["^", "t", 2], "z"]
FLOOR = [["f", ["F", ["R"], "Z", "any"]]]


GOOD: dict[str, Case] = {
    **{
        f"hyp, other names inside {name}": given(
            FLOOR, [under(b, "x")], ["all", [["z", "R"]], b(["sum", "j", 1, 2, "z"])], hyp("h0")
        )
        for name, b in AROUND.items()
    },
    "hyp, other names of dimensions": given(
        [],
        [["all", [["n", "Z"], ["A", ["M", "n", add("n", 1)]]], eq("A", ["O", "n", add("n", 1)])]],
        ["all", [["m", "Z"], ["B", ["M", "m", add("m", 1)]]], eq("B", ["O", "m", add("m", 1)])],
        hyp("h0"),
    ),
    "apply a function whose value has the same shape": given(
        [["n", "Z"], ["g", ["F", ["Z"], ["M", add("n", 1), 2], "any"]]],
        [["all", [["f", ["F", ["Z"], ["M", add(1, "n"), 2], "any"]]], eq(["call", "f", 0], ["call", "f", 1])]],
        eq(["call", "g", 0], ["call", "g", 1]),
        node("apply", hyp("a"), h="h0", terms=["g"], name="a"),
    ),
    "witness, a derivative of order 0": (
        ["ex", [["f", SMOOTH]], ["all", [["t", "R"]], eq(["d", 0, "f", "t"], mul("t", "t"))]],
        node("witness", node("fix", FIELD, names=["t"]), terms=[["lam", [["s", "R"]], mul("s", "s")]]),
    ),
    "witness, a third derivative": (
        ["ex", [["f", SMOOTH]], ["all", [["t", "R"]], eq(["d", 3, "f", "t"], 6)]],
        node("witness", node("fix", FIELD, names=["t"]), terms=[["lam", [["s", "R"]], ["^", "s", 3]]]),
    ),
    "fact, the condition of a root": stays_positive(lambda s: ["sqrt", s], lt(0, "x")),
    "fact, the condition of a quotient": stays_positive(lambda s: ["/", "y", s], ne("x", 0)),
    "fact, the condition of an absolute value": stays_positive(lambda s: ["abs", s], ["false"]),
    "fact, no condition": stays_positive(lambda s: ["exp", ["*", "y", s]], ["true"]),
    "fact, the condition of a parameter": stays_positive(lambda s: ["*", s, ["sqrt", "y"]], ["true"]),
    "witness, an index put under a binder": (
        ["ex", [["f", ["F", ["Z"], "R", "any"]]], ["all", [["i", "Z"]], eq(["call", "f", "i"], mul(6, "i"))]],
        node("witness", node("fix", FIELD, names=["i"]), terms=[["lam", [["s", "Z"]], ["sum", "j", 1, 3, mul("s", "j")]]]),
    ),
    "fix renames": (
        ["all", REAL, ["=>", eq("x", "y"), eq("x", "y")]],
        node("fix", node("assume", hyp("h"), name="h"), names=["y", "x"]),
    ),
    "or, the first": given(REAL, [P], ["or", P, Q], node("or", hyp("h0"), i=0)),
    "em, the negation": given(
        REAL, [], ["or", le("x", 0), P], node("em", node("or", hyp("a"), i=1), node("or", hyp("a"), i=0), name="a", f=P)
    ),
    "contra of a weak inequality": given(REAL, [le("x", 0)], le("x", 0), node("contra", node("clash", h="h0", k="a"), name="a")),
    "clash the other way": given(REAL, [le("x", 0), P], ["false"], node("clash", h="h0", k="h1")),
    "clash of a limit": given(
        [], [["tendsoo", "t", "t"], ["not", ["tendsoo", "s", "s"]]], ["false"], node("clash", h="h0", k="h1")
    ),
    "cases, two": given(REAL, [["or", P, lt(0, "x")]], P, node("cases", hyp("a"), hyp("a"), h="h0", name="a")),
    "apply, no premise": given(REAL, [["=>", P, Q]], ["=>", P, Q], node("apply", hyp("a"), h="h0", terms=[], name="a", n=0)),
    "apply, more premises than there are": given(
        REAL, [["=>", P, Q], P], Q, node("apply", hyp("h1"), hyp("a"), h="h0", terms=[], name="a", n=7)
    ),
    "apply an integer for a real": given(
        [["n", "Z"]], [["all", [["x", "R"]], lt("x", 5)]], lt("n", 5), node("apply", hyp("a"), h="h0", terms=["n"], name="a")
    ),
    "apply a smooth function for any": given(
        [["f", SMOOTH]],
        [["all", [["g", ANY]], lt(["call", "g", 0], 5)]],
        lt(["call", "f", 0], 5),
        node("apply", hyp("a"), h="h0", terms=["f"], name="a"),
    ),
    "apply, dimensions up to arithmetic": given(
        [["n", "Z"], ["A", ["M", add("n", 1), 2]]],
        [["all", [["B", ["M", add(1, "n"), 2]]], eq("B", ["O", add(1, "n"), 2])]],
        eq("A", ["O", add(1, "n"), 2]),
        node("apply", hyp("a"), h="h0", terms=["A"], name="a"),
    ),
    "induct, a bound with a variable": (
        ["all", [["m", "Z"]], guard("m", le("m", "n"))],
        node("fix", node("induct", hyp("ih_lo"), x="x", name="ih"), names=["m"]),
    ),
    "leibniz backwards": given(
        REAL, [eq("y", "x"), P], Q, node("leibniz", hyp("h0"), hyp("h1"), v="v", sort="R", f=lt(0, "v"), a="y", b="x")
    ),
    "ext, one entry": given(
        [["A", ["M", 1, 1]]], [eq(["entry", "A", 1, 1], 0)], eq("A", ["O", 1, 1]), node("ext", node("field", eqs=[["h0", 1]]))
    ),
    "extn, the identity": given(
        [["n", "Z"]],
        [],
        eq(["T", ["I", "n"]], ["I", "n"]),
        node("extn", node("ctx", node("trusted", f=eq(["T", ["I", "n"]], ["I", "n"]), why="here")), i="i", j="j"),
    ),
    "ctx in a quotient": given(REAL, [eq("x", "y")], eq(["/", 1, "x"], ["/", 1, "y"]), node("ctx", hyp("h0"))),
    "ctx in a product of matrices": given(SQUARE, [eq("A", "B")], eq(["mm", "A", "A"], ["mm", "A", "B"]), node("ctx", hyp("h0"))),
    "push an implication": given(REAL, [["not", ["=>", P, Q]]], ["and", P, le("y", 0)], node("push", hyp("a"), h="h0", name="a")),
    "push an equivalence": given(
        REAL,
        [["not", ["iff", P, Q]]],
        ["or", ["and", P, le("y", 0)], ["and", le("x", 0), Q]],
        node("push", hyp("a"), h="h0", name="a"),
    ),
    "push a quantifier": given(
        [], [["not", ["all", [["x", "R"]], P]]], ["ex", [["z", "R"]], le("z", 0)], node("push", hyp("a"), h="h0", name="a")
    ),
}

BAD: dict[str, Case] = {
    **{f"hyp, captured inside {name}": given(FLOOR, [under(b, "x")], under(b, "i"), hyp("h0")) for name, b in AROUND.items()},
    "hyp, other dimensions": given(
        [],
        [["all", [["n", "Z"], ["A", ["M", "n", add("n", 1)]]], eq("A", ["O", "n", add("n", 1)])]],
        ["all", [["n", "Z"], ["A", ["M", add("n", 1), "n"]]], eq("A", ["O", add("n", 1), "n"])],
        hyp("h0"),
    ),
    "apply a function whose value has another shape": given(
        [["n", "Z"], ["g", ["F", ["Z"], ["M", "n", 2], "any"]]],
        [["all", [["f", ["F", ["Z"], ["M", add(1, "n"), 2], "any"]]], eq(["call", "f", 0], ["call", "f", 1])]],
        eq(["call", "g", 0], ["call", "g", 1]),
        node("apply", hyp("a"), h="h0", terms=["g"], name="a"),
    ),
    "witness, a second derivative is no first": (
        ["ex", [["f", SMOOTH]], ["all", [["t", "R"]], eq(["d", 2, "f", "t"], mul(2, "t"))]],
        node("witness", node("fix", FIELD, names=["t"]), terms=[["lam", [["s", "R"]], mul("s", "s")]]),
    ),
    "fact, the condition of a root is strict": stays_positive(lambda s: ["sqrt", s], le(0, "x")),
    "fact, the condition of a quotient left out": stays_positive(lambda s: ["/", "y", s], ["true"]),
    "fact, an absolute value is not smooth": stays_positive(lambda s: ["abs", s], ["true"]),
    "fact, the condition speaks of the point": stays_positive(lambda s: ["sqrt", s], lt(0, "y")),
    "fix, a name too few": (["all", REAL, eq("x", "x")], node("fix", node("refl"), names=["x"])),
    "fix on an existence": (["ex", [["x", "R"]], eq("x", "x")], node("fix", node("refl"), names=["x"])),
    "fix swaps the variables": given(
        [],
        [],
        ["all", REAL, ["=>", lt("x", "y"), lt("y", "x")]],
        node("fix", node("assume", hyp("h"), name="h"), names=["y", "x"]),
    ),
    "assume on a disjunction": given(REAL, [], ["or", P, Q], node("assume", hyp("a"), name="a")),
    "assume concludes the premise": given(REAL, [], ["=>", P, Q], node("assume", hyp("a"), name="a")),
    "assume not concludes the formula": given(REAL, [], ["not", P], node("assume", hyp("a"), name="a")),
    "and of a disjunction": given(REAL, [P], ["or", P, Q], node("and", hyp("h0"), hyp("h0"))),
    "and, one child more": given(REAL, [P, Q], ["and", P, Q], node("and", hyp("h0"), hyp("h1"), hyp("h1"))),
    "or, one past the end": given(REAL, [P], ["or", Q, P], node("or", hyp("h0"), i=2)),
    "or, the other": given(REAL, [P], ["or", P, Q], node("or", hyp("h0"), i=1)),
    "or of a conjunction": given(REAL, [P], ["and", P, Q], node("or", hyp("h0"), i=0)),
    "iff, one direction": given(REAL, [["=>", P, Q]], ["iff", P, Q], node("iff", hyp("h0"))),
    "iff, the same direction twice": given(REAL, [["=>", P, Q]], ["iff", P, Q], node("iff", hyp("h0"), hyp("h0"))),
    "iff of an implication": given(REAL, [["=>", P, Q]], ["=>", Q, P], node("iff", hyp("h0"), hyp("h0"))),
    "witness of a universal": (["all", [["x", "R"]], eq("x", 1)], node("witness", node("refl"), terms=[1])),
    "witness of dimensions that differ": (
        ["ex", [["n", "Z"], ["A", ["M", "n", "n"]]], eq(["tr", "A"], 2)],
        node("witness", FIELD, terms=[3, ["I", 2]]),
    ),
    "witness of a smooth 1/s": (
        ["ex", [["f", SMOOTH]], ["all", [["t", "R"]], eq(["call", "f", "t"], ["/", 1, "t"])]],
        node("witness", node("fix", node("refl"), names=["t"]), terms=[["lam", [["s", "R"]], ["/", 1, "s"]]]),
    ),
    "witness that is not smooth in its last argument": (
        ["ex", [["f", ["F", ["R", "R"], "R", "smooth"]]], eq(["call", "f", 0, 0], 0)],
        node("witness", FIELD, terms=[["lam", [["r", "R"], ["s", "R"]], ["abs", "s"]]]),
    ),
    "witness, its dimensions hide those of the sort": (  # a matrix of n x n is wanted, with the n outside, not the first argument
        ["all", [["n", "Z"]], ["ex", [["f", ["F", ["Z", ["M", "n", "n"]], "R", "any"]]], eq(["call", "f", 1, ["I", "n"]], 2)]],
        node(
            "fix",
            node(
                "witness", FIELD, terms=[["lam", [["n", "Z"], ["A", ["M", "n", "n"]]], ["entry", ["+", "A", ["I", "n"]], 1, 1]]]
            ),
            names=["n"],
        ),
    ),
    "apply, dimensions hide those of the sort": given(
        [["n", "Z"]],
        [
            [
                "all",
                [["f", ["F", ["Z", ["M", "n", "n"]], "R", "any"]]],
                eq(["call", "f", 1, ["I", "n"]], ["call", "f", 1, ["I", "n"]]),
            ]
        ],
        ["true"],
        node("apply", TRUTH, h="h0", terms=[["lam", [["n", "Z"], ["A", ["M", "n", "n"]]], ["tr", "A"]]], name="a"),
    ),
    "have, only the second half": given(REAL, [], P, node("have", hyp("a"), name="a", f=P)),
    "have takes a variable's name": given(REAL, [P], P, node("have", hyp("h0"), hyp("x"), name="x", f=P)),
    "have takes a hypothesis' name": given(
        REAL, [P, ["false"]], Q, node("have", hyp("h0"), node("absurd", h="h1"), name="h1", f=P)
    ),
    "em, one case": given(REAL, [], P, node("em", hyp("a"), name="a", f=P)),
    "em, the negation is not the formula": given(
        REAL, [], P, node("em", hyp("a"), node("pos", terms=[[["hyp", "a"]]]), name="a", f=P)
    ),
    "em takes a name in use": given(REAL, [P], P, node("em", hyp("h0"), hyp("h0"), name="h0", f=Q)),
    "contra assumes the formula": given(REAL, [le("x", 0)], P, node("contra", node("clash", h="h0", k="a"), name="a")),
    "contra of a weak inequality that is strict": given(
        REAL, [le(0, "x")], P, node("contra", node("clash", h="h0", k="a"), name="a")
    ),
    "contra takes a name in use": given(REAL, [P], P, node("contra", node("clash", h="h0", k="h0"), name="h0")),
    "absurd of another": given(REAL, [P], Q, node("absurd", h="h0")),
    "absurd of true": given(REAL, [["true"]], Q, node("absurd", h="h0")),
    "absurd unknown": given(REAL, [], Q, node("absurd", h="h0")),
    "clash of a formula and its double": given(REAL, [P, ["not", ["not", P]]], ["false"], node("clash", h="h0", k="h1")),
    "clash of strict inequalities": given(REAL, [P, lt("x", 0)], ["false"], node("clash", h="h0", k="h1")),
    "clash of other variables": given(REAL, [P, le("y", 0)], ["false"], node("clash", h="h0", k="h1")),
    "truth of an equation": given(REAL, [], eq("x", "x"), TRUTH),
    "truth of a disjunction": given([], [], ["or", ["true"], ["false"]], TRUTH),
    "split, a name too few": given(REAL, [["and", P, Q]], P, node("split", hyp("a"), h="h0", names=["a"])),
    "split, members swapped": given(REAL, [["and", P, Q]], P, node("split", hyp("b"), h="h0", names=["a", "b"])),
    "split an implication": given(REAL, [["=>", P, Q]], Q, node("split", hyp("b"), h="h0", names=["a", "b"])),
    "split iff gives both sides": given(REAL, [["iff", P, Q]], P, node("split", hyp("a"), h="h0", names=["a", "b"])),
    "cases give each the other": given(REAL, [["or", P, Q]], P, node("cases", hyp("a"), hyp("a"), h="h0", name="a")),
    "cases take a name in use": given(REAL, [["or", P, Q], P], P, node("cases", hyp("h1"), hyp("h1"), h="h0", name="h1")),
    "obtain, a name too few": given(
        [], [["ex", REAL, lt("x", "y")]], ["true"], node("obtain", TRUTH, h="h0", names=["u"], name="a")
    ),
    "obtain its own witness": given(
        REAL, [["ex", [["u", "R"]], lt("u", "x")]], lt("y", "x"), node("obtain", hyp("a"), h="h0", names=["u"], name="a")
    ),
    "push, the formula itself": given(REAL, [["not", ["and", P, Q]]], ["and", P, Q], node("push", hyp("a"), h="h0", name="a")),
    "push, strict for weak": given(REAL, [["not", le("x", 0)]], le(0, "x"), node("push", hyp("a"), h="h0", name="a")),
    "push, and stays and": given(
        REAL, [["not", ["and", P, Q]]], ["and", le("x", 0), le("y", 0)], node("push", hyp("a"), h="h0", name="a")
    ),
    "push, or stays or": given(
        REAL, [["not", ["or", P, Q]]], ["or", le("x", 0), le("y", 0)], node("push", hyp("a"), h="h0", name="a")
    ),
    "push, the implication turned": given(
        REAL, [["not", ["=>", P, Q]]], ["and", Q, le("x", 0)], node("push", hyp("a"), h="h0", name="a")
    ),
    "push, the quantifier stays": given(
        [], [["not", ["all", [["x", "R"]], P]]], ["all", [["x", "R"]], le("x", 0)], node("push", hyp("a"), h="h0", name="a")
    ),
    "apply, a term too few": given(
        REAL, [["all", [["u", "R"], ["v", "R"]], U]], lt("x", "x"), node("apply", hyp("a"), h="h0", terms=["x"], name="a")
    ),
    "apply, terms swapped": given(
        REAL, [["all", [["u", "R"], ["v", "R"]], U]], lt("x", "y"), node("apply", hyp("a"), h="h0", terms=["y", "x"], name="a")
    ),
    "apply, terms for an implication": given(
        REAL, [["=>", P, Q], P], Q, node("apply", hyp("h1"), hyp("a"), h="h0", terms=["x"], name="a")
    ),
    "apply, the premise is not proved": given(REAL, [["=>", P, Q]], Q, node("apply", hyp("a"), h="h0", terms=[], name="a")),
    "apply, the premise by itself": given(
        REAL, [["=>", P, Q]], Q, node("apply", hyp("h0"), hyp("a"), h="h0", terms=[], name="a")
    ),
    "apply, the premise from the result": given(
        REAL, [["=>", P, P]], P, node("apply", hyp("a"), hyp("a"), h="h0", terms=[], name="a")
    ),
    "apply, one premise of two": given(
        REAL,
        [["=>", P, ["=>", Q, lt("x", "y")]], P],
        lt("x", "y"),
        node("apply", hyp("h1"), hyp("a"), h="h0", terms=[], name="a", n=1),
    ),
    "apply any function for a smooth one": given(
        [["g", ANY]],
        [["all", [["f", SMOOTH]], lt(["call", "f", 0], 5)]],
        lt(["call", "g", 0], 5),
        node("apply", hyp("a"), h="h0", terms=["g"], name="a"),
    ),
    "apply a function of other arguments": given(
        [["g", ["F", ["Z"], "R", "any"]]],
        [["all", [["f", ANY]], lt(["call", "f", ["q", 1, 2]], 5)]],
        ["true"],
        node("apply", TRUTH, h="h0", terms=["g"], name="a"),
    ),
    "apply, another shape": given(
        [["n", "Z"], ["A", ["M", "n", 2]]],
        [["all", [["B", ["M", add("n", 1), 2]]], eq("B", ["O", add("n", 1), 2])]],
        eq("A", ["O", "n", 2]),
        node("apply", hyp("a"), h="h0", terms=["A"], name="a"),
    ),
    "apply, true for a number of premises": given(
        REAL,
        [["=>", P, ["=>", Q, lt("x", "y")]], P],
        ["=>", Q, lt("x", "y")],
        node("apply", hyp("h1"), hyp("a"), h="h0", terms=[], name="a", n=True),
    ),
    "induct, a strict bound": (guard(0, lt(0, "n"), "<"), node("induct", hyp("ih_lo"), x="x", name="ih")),
    "induct, the bound turned": (
        ["all", [["n", "Z"]], ["=>", le("n", 0), le(0, "n")]],
        node("induct", hyp("ih_lo"), x="x", name="ih"),
    ),
    "induct, the base by the step": (
        guard(0, lt("n", 0)),
        node(
            "induct",
            node("apply", node("and", hyp("ih_lo"), hyp("ih_lo")), hyp("a"), h="ih", terms=[add("x", -1)], name="a"),
            x="x",
            name="ih",
        ),
    ),
    "induct, below the bound": (
        guard(0, lt("n", 0)),
        node(
            "induct",
            node(
                "apply",
                node("and", hyp("ih_lo"), node("pos", terms=[[]])),
                node("pos", terms=[[["hyp", "a"]]]),
                h="ih",
                terms=[add("x", -1)],
                name="a",
            ),
            x="x",
            name="ih",
        ),
    ),
    "induct, the bound is strict": (guard(0, lt(0, "n")), node("induct", hyp("ih_lo"), x="x", name="ih")),
    "induct over two": (["all", TWO, ["=>", le(0, "k"), le("m", "k")]], node("induct", hyp("ih_lo"), x="x", name="ih")),
    "induct, the bound is captured": (
        ["all", [["x", "Z"]], guard("x", le("x", 0))],
        node("fix", node("induct", hyp("ih_lo"), x="x", name="ih"), names=["x"]),
    ),
    "leibniz, the wrong way": given(
        REAL, [eq("x", "y"), P], Q, node("leibniz", hyp("h0"), hyp("h1"), v="v", sort="R", f=lt(0, "v"), a="y", b="x")
    ),
    "leibniz, the equation is not proved": given(
        REAL, [P], Q, node("leibniz", node("refl"), hyp("h0"), v="v", sort="R", f=lt(0, "v"), a="y", b="x")
    ),
    "leibniz, an inequality": given(
        REAL, [le("x", "y"), Q], P, node("leibniz", hyp("h0"), hyp("h1"), v="v", sort="R", f=lt(0, "v"), a="x", b="y")
    ),
    "refl of a disequation": given(REAL, [], ne("x", "x"), node("refl")),
    "refl, other bounds": given(INTS_MN, [], eq(["sum", "i", 1, "n", "i"], ["sum", "i", 1, "m", "i"]), node("refl")),
    "refl, a free and a bound variable": given(REAL, [], eq(["D", "x", "x", 0], ["D", "t", "x", 0]), node("refl")),
    "hyp, turned": given(REAL, [eq("x", "y")], eq("y", "x"), hyp("h0")),
    "hyp, weak for strict": given(REAL, [le(0, "x")], P, hyp("h0")),
    "hyp, another binder": given([], [["all", [["x", "R"]], le("x", 1)]], ["ex", [["x", "R"]], le("x", 1)], hyp("h0")),
    "hyp, a bound variable for a free one": given(
        [["x", "R"]], [["ex", [["y", "R"]], lt("x", "y")]], ["ex", [["x", "R"]], lt("x", "x")], hyp("h0")
    ),
    "clear, unknown": given(REAL, [P], P, node("clear", hyp("h0"), hs=["h1"])),
    "clear, no list": given(REAL, [P], P, node("clear", hyp("h0"), hs="h0")),
    "ext on numbers": given(REAL, [], eq("x", "y"), node("ext")),
    "ext of empty shapes that are not": given([["A", ["M", 1, 1]], ["B", ["M", 1, 1]]], [], eq("A", "B"), node("ext")),
    "ext on a disequation": given([["A", ["M", 0, 1]]], [], ne("A", "A"), node("ext")),
    "ext, the last column": given(
        [["A", ["M", 1, 2]]], [eq(["entry", "A", 1, 1], 0)], eq("A", ["O", 1, 2]), node("ext", node("field", eqs=[["h0", 1]]))
    ),
    "extn, the diagonal only": given(
        SQUARE, [eq(["entry", "A", 1, 1], ["entry", "B", 1, 1])], eq("A", "B"), node("extn", node("hyp", h="h0"), i="i", j="j")
    ),
    "extn, one index for both": given(
        [["n", "Z"], ["A", ["M", "n", "n"]]], [], eq("A", ["T", "A"]), node("extn", FIELD, i="i", j="i")
    ),
    "extn, the entries transposed": given(
        [["n", "Z"], ["A", ["M", "n", "n"]]], [], eq("A", ["T", "A"]), node("extn", FIELD, i="i", j="j")
    ),
    "extn, the bounds of the other": given(
        [["m", "Z"], ["n", "Z"]],
        [],
        eq(["J", "m", "n"], ["O", "m", "n"]),
        node("extn", node("pos", terms=[[["hyp", "i_lo"]]]), i="i", j="j"),
    ),
    "extn takes a name in use": given([["i", "Z"], ["A", ["M", 2, 2]]], [], eq("A", "A"), node("extn", FIELD, i="i", j="j")),
    "extn below the first row": given(
        [["n", "Z"]],
        [],
        eq(["J", "n", "n"], ["sm", 2, ["J", "n", "n"]]),
        node("extn", node("clash", h="i_lo", k="i_hi"), i="i", j="j"),
    ),
    "ctx, an argument left out": given(REAL, [eq("x", "y")], eq(["min", "x", 1], ["min", "y", 2]), node("ctx", hyp("h0"))),
    "ctx on an inequality": given(REAL, [le("x", "y")], le(["exp", "x"], ["exp", "y"]), node("ctx", hyp("h0"))),
    "ctx, other lengths": given(REAL, [eq("x", "y")], eq(add("x", 1), add("y", 1, 1)), node("ctx", hyp("h0"))),
    "ctx, arguments crossed": given(REAL, [eq("x", "y")], eq(["/", "x", "y"], ["/", "y", "y"]), node("ctx")),
    "ctx through a sum": given(
        INTS_MN, [eq("m", "n")], eq(["sum", "i", 1, "m", "i"], ["sum", "i", 1, "n", "i"]), node("ctx", hyp("h0"))
    ),
    "ctx in a literal matrix": given(REAL, [eq("x", "y")], eq(["mat", [["x"]]], ["mat", [["y"]]]), node("ctx", hyp("h0"))),
    "trusted, turned": given(REAL, [], eq("x", "y"), node("trusted", f=eq("y", "x"), why="seen")),
    "fact, its parameters swapped": given(
        REAL, [], ["or", le("x", "y"), lt("y", "x")], node("fact", hyp("a"), fact="total", params=["y", "x"], name="a")
    ),
    "fact takes a name in use": given(REAL, [P], P, node("fact", hyp("h0"), fact="total", params=["x", "y"], name="h0")),
    "fact captured": given(  # the bound variable of the fact is not the variable of the goal
        [["y", "R"], ["n", "Z"]], [], lt("n", "n"), node("fact", hyp("a"), fact="archimedean", params=["n"], name="a")
    ),
    "or, counted from the end": given(REAL, [P], ["or", Q, P], node("or", hyp("h0"), i=-2)),
    "induct on an existence": (
        ["ex", [["n", "Z"]], ["=>", le(0, "n"), le(0, "n")]],
        node("induct", hyp("ih_lo"), x="x", name="ih"),
    ),
    "ext, one dimension is no literal": given([["n", "Z"], ["A", ["M", "n", 2]]], [], eq("A", "A"), node("ext")),
    "ext, the other is no literal": given([["n", "Z"], ["A", ["M", 2, "n"]]], [], eq("A", "A"), node("ext")),
    "induct, a strict bound with a proof": (guard(0, le(0, "n"), "<"), node("induct", hyp("ih_lo"), x="x", name="ih")),
    "induct, the variable in its bound": (  # with n for x the bound would be one of the new variable
        guard(add("n", -1), ["false"]),
        node(
            "induct",
            node(
                "apply",
                node("and", node("refl"), node("pos", terms=[[1]])),
                node("absurd", h="a"),
                h="ih",
                terms=[add("n", -1)],
                name="a",
            ),
            x="n",
            name="ih",
        ),
    ),
    "witness, an index put under a binder": (
        ["ex", [["f", ["F", ["Z"], "R", "any"]]], ["all", [["i", "Z"]], eq(["call", "f", "i"], 14)]],
        node("witness", node("fix", FIELD, names=["i"]), terms=[["lam", [["s", "Z"]], ["sum", "j", 1, 3, mul("s", "j")]]]),
    ),
    "witness, smooth in the last argument only": (
        ["all", [["f", ["F", ["R", "R"], "R", "smooth"]]], SMOOTH_COPY],
        node(
            "fix",
            node("witness", node("fix", node("refl"), names=["t"]), terms=[["lam", [["s", "R"]], ["call", "f", "s", 0]]]),
            names=["f"],
        ),
    ),
    "a point that is not declared is captured": (  # every number is 0, or none is
        ["or", ["all", [["y", "R"]], eq("y", 0)], ["all", [["y", "R"]], ne("y", 0)]],
        node(
            "em",
            node("or", node("fix", node("field", eqs=[["e", ["q", 1, 2]]]), names=["z"]), i=0),
            node(
                "or",
                node(
                    "fix",
                    node(
                        "contra",
                        node("have", node("field", eqs=[["c", 2]]), node("clash", h="e", k="d"), name="d", f=eq(SLOPE, 0)),
                        name="c",
                    ),
                    names=["z"],
                ),
                i=1,
            ),
            name="e",
            f=eq(SLOPE, 0),
        ),
    ),
    "a point that is a matrix": given([["A", ["M", 2, 2]]], [], eq(["D", "t", "t", "A"], 1), FIELD),
    "lemma under a name in use": given(REAL, [P], P, node("lemma", hyp("h0"), claim="a.b", role="statement", name="h0")),
    "lemma that is not there": (["true"], node("lemma", TRUTH, claim="a.b", role="part:1", name="a")),
}
