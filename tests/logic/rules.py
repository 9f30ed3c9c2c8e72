"""Rows for the rules: what must pass and, above all, what must not. A row is a statement and its proof, as JSON."""

from __future__ import annotations

from tests.recheck.support import (
    ANY,
    COMPUTE,
    FIELD,
    NC,
    REAL,
    SMOOTH,
    SQUARE,
    TRUTH,
    Case,
    add,
    eq,
    given,
    le,
    lt,
    mul,
    ne,
    node,
    sq,
)

P, Q = lt(0, "x"), lt(0, "y")
POS = node("pos", terms=[[["hyp", "h0"]]])


def hyp(h: str) -> dict[str, object]:
    return node("hyp", h=h)


IH = ["all", [["k", "Z"]], ["=>", ["and", le(0, "k"), lt("k", "x")], le(0, sq("k"))]]

GOOD: dict[str, Case] = {
    "truth": (["true"], TRUTH),
    "hyp": given(REAL, [P], P, hyp("h0")),
    "and": given(REAL, [P, Q], ["and", Q, P, ["true"]], node("and", hyp("h1"), hyp("h0"), TRUTH)),
    "or": given(REAL, [P], ["or", Q, P], node("or", hyp("h0"), i=1)),
    "iff": given(REAL, [], ["iff", P, P], node("iff", node("assume", hyp("a"), name="a"), node("assume", hyp("a"), name="a"))),
    "assume not": given(REAL, [["false"]], ["not", P], node("assume", node("absurd", h="h0"), name="a")),
    "absurd": given(REAL, [["false"]], lt("x", "x"), node("absurd", h="h0")),
    "clash": given(REAL, [P, le("x", 0)], ["false"], node("clash", h="h0", k="h1")),
    "witness": given(
        REAL, [], ["ex", [["z", "R"]], lt("x", "z")], node("witness", node("pos", terms=[[1]]), terms=[add("x", 1)])
    ),
    "witness, dependent sorts": (
        ["ex", [["n", "Z"], ["A", ["M", "n", "n"]]], eq(["tr", "A"], 2)],
        node("witness", FIELD, terms=[2, ["I", 2]]),
    ),
    "witness of a function": (
        ["ex", [["f", ANY]], ["all", [["t", "R"]], eq(["call", "f", "t"], sq("t"))]],
        node("witness", node("fix", FIELD, names=["t"]), terms=[["lam", [["s", "R"]], sq("s")]]),
    ),
    "witness of a smooth function": (
        ["ex", [["f", SMOOTH]], ["all", [["t", "R"]], eq(["d", 2, "f", "t"], 2)]],
        node("witness", node("fix", FIELD, names=["t"]), terms=[["lam", [["s", "R"]], sq("s")]]),
    ),
    "witness of a smooth function with a condition": (
        ["ex", [["f", SMOOTH]], eq(["call", "f", 0], 1)],
        node(
            "witness",
            FIELD,
            node("fix", node("field", node("pos", terms=[["1"]]), side=[lt(0, 1)]), names=["s"]),
            terms=[["lam", [["s", "R"]], ["/", 1, add(1, sq("s"))]]],
        ),
    ),
    "have": given(REAL, [P], P, node("have", hyp("h0"), hyp("a"), name="a", f=P)),
    "em": given(REAL, [], ["or", P, le("x", 0)], node("em", node("or", hyp("a"), i=0), node("or", hyp("a"), i=1), name="a", f=P)),
    "contra": given(REAL, [P], P, node("contra", node("clash", h="h0", k="a"), name="a")),
    "split": given(REAL, [["and", P, Q]], Q, node("split", hyp("b"), h="h0", names=["a", "b"])),
    "split iff": given(
        REAL,
        [["iff", P, Q], P],
        Q,
        node("split", node("apply", hyp("h1"), hyp("c"), h="a", terms=[], name="c"), h="h0", names=["a", "b"]),
    ),
    "cases": given(REAL, [["or", P, P]], P, node("cases", hyp("a"), hyp("a"), h="h0", name="a")),
    "obtain": given(
        [["x", "R"]],
        [["ex", [["y", "R"]], lt("x", "y")]],
        ["ex", [["u", "R"]], lt("x", "u")],
        node("obtain", node("witness", hyp("a"), terms=["y"]), h="h0", names=["y"], name="a"),
    ),
    "push": given(REAL, [["not", ["and", P, Q]]], ["or", le("x", 0), le("y", 0)], node("push", hyp("a"), h="h0", name="a")),
    "apply": given(
        REAL,
        [["all", [["u", "R"], ["v", "R"]], ["=>", lt("u", "v"), ["=>", lt(0, "u"), lt(0, "v")]]], lt("x", "y")],
        ["=>", P, Q],
        node("apply", hyp("h1"), hyp("a"), h="h0", terms=["x", "y"], name="a", n=1),
    ),
    "apply to a function": given(
        [["x", "R"]],
        [["all", [["f", ANY]], lt(0, ["call", "f", "x"])]],
        ["false"],
        node("apply", node("pos", terms=[[["hyp", "a"]]], eqs=[]), h="h0", terms=[["lam", [["s", "R"]], 0]], name="a"),
    ),
    "induct": (
        ["all", [["n", "Z"]], ["=>", le(0, "n"), le(0, sq("n"))]],
        node("induct", node("pos", terms=[[sq("x")]]), x="x", name="ih"),
    ),
    "induct uses the hypothesis": (
        ["all", [["n", "Z"]], ["=>", le(0, "n"), le(0, sq("n"))]],
        node("induct", node("have", hyp("ih"), node("pos", terms=[[sq("x")]]), name="a", f=IH), x="x", name="ih"),
    ),
    "leibniz": given(
        REAL, [eq("x", "y"), Q], P, node("leibniz", hyp("h0"), hyp("h1"), v="v", sort="R", f=lt(0, "v"), a="x", b="y")
    ),
    "leibniz under a binder": given(
        REAL,
        [eq("x", "y")],
        eq(["D", "t", mul("t", "x"), 1], ["D", "t", mul("t", "y"), 1]),
        node(
            "leibniz",
            hyp("h0"),
            node("refl"),
            v="v",
            sort="R",
            f=eq(["D", "t", mul("t", "v"), 1], ["D", "t", mul("t", "y"), 1]),
            a="x",
            b="y",
        ),
    ),
    "fact": given(
        REAL, [], ["or", le("x", "y"), le("y", "x")], node("fact", hyp("a"), fact="total", params=["x", "y"], name="a")
    ),
    "clear": given(REAL, [P, Q], P, node("clear", hyp("h0"), hs=["h1"])),
    "refl": given(REAL, [], le(mul("x", "y"), mul("x", "y")), node("refl")),
    "refl, alpha": given(REAL, [], eq(["D", "s", sq("s"), "x"], ["D", "t", sq("t"), "x"]), node("refl")),
    "ext": given(REAL, [], eq(["mat", [["x", "y"]]], ["T", ["mat", [["x"], ["y"]]]]), node("ext", FIELD, FIELD)),
    "ext, empty": given([["A", ["M", 0, 5]], ["B", ["M", 0, 5]]], [], eq("A", "B"), node("ext")),
    "extn": given(
        [["n", "Z"], ["A", ["M", "n", "n"]]],
        [],
        eq(["T", ["T", "A"]], "A"),
        node("extn", FIELD, i="i", j="j"),
    ),
    "extn, J": given(
        [["n", "Z"], ["m", "Z"]], [], eq(["T", ["J", "m", "n"]], ["J", "n", "m"]), node("extn", FIELD, i="i", j="j")
    ),
    "ctx": given(REAL, [eq("x", "y")], eq(["sin", "x"], ["sin", "y"]), node("ctx", hyp("h0"))),
    "ctx leaves equal arguments out": given(REAL, [eq("x", "y")], eq(["min", "x", 1], ["min", "y", 1]), node("ctx", hyp("h0"))),
    "trusted": given(REAL, [], P, node("trusted", f=P, why="an experiment")),
    "fix in the scope of dependent sorts": given(SQUARE, [], eq("A", "A"), node("refl")),
}
GOOD["witness of a smooth function with a condition"] = (
    ["ex", [["f", SMOOTH]], eq(["call", "f", 0], 1)],
    node(
        "witness",
        FIELD,
        node("fix", node("contra", node("pos", terms=[[sq("s")], [1]], eqs=[["a", -1]]), name="a"), names=["s"]),
        terms=[["lam", [["s", "R"]], ["/", 1, add(1, sq("s"))]]],
    ),
)

ONE_MORE = ["all", [["x", "R"]], ["ex", [["y", "R"]], lt("x", "y")]]
CAPTURE = ["all", [["x", "R"]], ["ex", [["y", "R"]], ["all", [["z", "R"]], lt("z", "y")]]]

BAD: dict[str, Case] = {
    "nothing": (["false"], TRUTH),
    "unknown rule": (["true"], node("magic")),
    "no rule": (["true"], {}),
    "not a node": (["true"], ["truth"]),
    "an extra child": (["true"], node("truth", TRUTH)),
    "an extra argument": (["true"], node("truth", why="x")),
    "children that are no list": (["true"], {"r": "truth", "c": {}}),
    "and, a child too few": given(REAL, [P, Q], ["and", P, Q], node("and", hyp("h0"))),
    "and, swapped": given(REAL, [P, Q], ["and", P, Q], node("and", hyp("h1"), hyp("h0"))),
    "or, negative index": given(REAL, [P], ["or", Q, P], node("or", hyp("h0"), i=-1)),
    "or, true is not an index": given(REAL, [P], ["or", Q, P], node("or", hyp("h0"), i=True)),
    "hyp of another": given(REAL, [P], Q, hyp("h0")),
    "hyp unknown": given(REAL, [P], P, hyp("h9")),
    "hyp after clear": given(REAL, [P], P, node("clear", hyp("h0"), hs=["h0"])),
    "have leaks its name": given(REAL, [], P, node("have", hyp("a"), hyp("a"), name="a", f=P)),
    "em twice the same": given(REAL, [], P, node("em", hyp("a"), hyp("a"), name="a", f=P)),
    "have with a free variable": given(REAL, [], P, node("have", TRUTH, hyp("a"), name="a", f=lt(0, "z"))),
    "clash of the same": given(REAL, [P], ["false"], node("clash", h="h0", k="h0")),
    "clash of weak inequalities": given(REAL, [le(0, "x"), le("x", 0)], ["false"], node("clash", h="h0", k="h1")),
    "fix reuses a variable": (
        ["all", [["x", "R"]], ["all", [["y", "R"]], eq("x", "y")]],
        node("fix", node("fix", node("refl"), names=["x"]), names=["x"]),
    ),
    "fix twice the same name": (["all", REAL, eq("x", "y")], node("fix", node("refl"), names=["x", "x"])),
    "fix takes a hypothesis' name": given(REAL, [P], ["all", [["z", "R"]], lt(0, "x")], node("fix", hyp("h0"), names=["h0"])),
    "assume takes a variable's name": given(REAL, [], ["=>", P, P], node("assume", hyp("x"), name="x")),
    "assume takes a hypothesis' name": given(
        REAL, [["false"]], ["=>", P, ["false"]], node("assume", node("absurd", h="h0"), name="h0")
    ),
    "a name with a newline": given(REAL, [], ["=>", P, P], node("assume", hyp("a\n"), name="a\n")),
    "a name of a side formula": given(REAL, [], ["=>", P, P], node("assume", hyp("side:0"), name="side:0")),
    "witness captured by an inner binder": (
        ["all", [["z", "R"]], ["ex", [["y", "R"]], ["all", [["z", "R"]], eq("z", "y")]]],
        node("fix", node("witness", node("fix", node("refl"), names=["w"]), terms=["z"]), names=["z"]),
    ),
    "witness uses an inner variable": (
        ["ex", [["y", "R"]], ["all", [["z", "R"]], eq("z", "y")]],
        node("witness", node("fix", node("refl"), names=["z"]), terms=["z"]),
    ),
    "witness not an integer": (["ex", [["n", "Z"]], eq(mul(2, "n"), 1)], node("witness", FIELD, terms=[["q", 1, 2]])),
    "witness of a wrong shape": (
        ["ex", [["A", ["M", 2, 2]]], eq(["entry", "A", 1, 1], 1)],
        node("witness", FIELD, terms=[["J", 2, 3]]),
    ),
    "too few witnesses": (["ex", REAL, eq("x", "y")], node("witness", node("refl"), terms=[1])),
    "witness of a smooth function that is not": (
        ["ex", [["f", SMOOTH]], ["all", [["t", "R"]], eq(["call", "f", "t"], ["abs", "t"])]],
        node("witness", node("fix", node("refl"), names=["t"]), terms=[["lam", [["s", "R"]], ["abs", "s"]]]),
    ),
    "the same with the side goal": (
        ["ex", [["f", SMOOTH]], ["all", [["t", "R"]], eq(["call", "f", "t"], ["abs", "t"])]],
        node(
            "witness",
            node("fix", node("refl"), names=["t"]),
            node("fix", TRUTH, names=["s"]),
            terms=[["lam", [["s", "R"]], ["abs", "s"]]],
        ),
    ),
    "a smooth square root": (
        ["ex", [["f", SMOOTH]], ["all", [["t", "R"]], eq(["call", "f", "t"], ["^", "t", ["q", 1, 2]])]],
        node("witness", node("fix", node("refl"), names=["t"]), terms=[["lam", [["s", "R"]], ["^", "s", ["q", 1, 2]]]]),
    ),
    "a lambda of a wrong sort": (
        ["ex", [["f", ["F", ["Z"], "R", "any"]]], eq(["call", "f", 1], 1)],
        node("witness", FIELD, terms=[["lam", [["s", "R"]], "s"]]),
    ),
    "a lambda with a wrong value": (
        ["ex", [["f", ["F", ["R"], "Z", "any"]]], eq(["call", "f", 1], 1)],
        node("witness", FIELD, terms=[["lam", [["s", "R"]], "s"]]),
    ),
    "lambda captures": (  # f = lam s. x must not be captured by all x
        ["all", [["x", "R"]], ["ex", [["f", ANY]], ["all", [["x", "R"]], eq(["call", "f", 0], "x")]]],
        node(
            "fix",
            node("witness", node("fix", node("refl"), names=["y"]), terms=[["lam", [["s", "R"]], "x"]]),
            names=["x"],
        ),
    ),
    "a derivative of symbolic order of a lambda": (
        ["ex", [["f", SMOOTH]], ["all", [["n", "Z"]], eq(["d", "n", "f", 0], 0)]],
        node("witness", node("fix", FIELD, names=["n"]), terms=[["lam", [["s", "R"]], 0]]),
    ),
    "obtain a variable that exists": given(
        REAL,
        [["ex", [["u", "R"]], lt("u", 0)]],
        lt("x", 0),
        node("obtain", hyp("a"), h="h0", names=["x"], name="a"),
    ),
    "obtain the same twice": given(
        [["x", "R"]],
        [["ex", REAL, lt("x", "y")]],
        ["false"],
        node("obtain", node("pos", terms=[[["hyp", "a"]]]), h="h0", names=["u", "u"], name="a"),
    ),
    "obtain names its hypothesis like the variable": given(
        REAL, [["ex", [["u", "R"]], lt("u", 0)]], ["true"], node("obtain", TRUTH, h="h0", names=["u"], name="u")
    ),
    "obtain from a universal": given(
        REAL, [["all", [["u", "R"]], lt("u", 0)]], ["true"], node("obtain", TRUTH, h="h0", names=["u"], name="a")
    ),
    "apply captured": given(  # all u ex w (w > u), at u := w must not give ex w (w > w)
        [["w", "R"]],
        [["all", [["u", "R"]], ["ex", [["w", "R"]], lt("u", "w")]]],
        ["ex", [["w", "R"]], lt("w", "w")],
        node("apply", hyp("a"), h="h0", terms=["w"], name="a"),
    ),
    "apply without its premise": given(
        REAL,
        [["all", [["u", "R"]], ["=>", lt(0, "u"), lt("u", 0)]]],
        lt("x", 0),
        node("apply", hyp("a"), h="h0", terms=["x"], name="a"),
    ),
    "apply an integer statement to a real": given(
        REAL,
        [["all", [["n", "Z"]], ne(mul(2, "n"), 1)]],
        ne(mul(2, "x"), 1),
        node("apply", hyp("a"), h="h0", terms=["x"], name="a"),
    ),
    "apply with a negative number of premises": given(
        REAL, [["=>", P, Q]], Q, node("apply", hyp("a"), h="h0", terms=[], name="a", n=-1)
    ),
    "apply a function that is not smooth": given(
        [["x", "R"]],
        [["all", [["f", SMOOTH]], lt(0, ["call", "f", "x"])]],
        lt(0, ["abs", "x"]),
        node("apply", hyp("a"), h="h0", terms=[["lam", [["s", "R"]], ["abs", "s"]]], name="a"),
    ),
    "split takes a disjunction": given(REAL, [["or", P, Q]], Q, node("split", hyp("b"), h="h0", names=["a", "b"])),
    "split with equal names": given(REAL, [["and", P, Q]], Q, node("split", hyp("a"), h="h0", names=["a", "a"])),
    "cases of a conjunction": given(REAL, [["and", P, P]], P, node("cases", hyp("a"), hyp("a"), h="h0", name="a")),
    "cases, one missing": given(REAL, [["or", P, Q]], P, node("cases", hyp("a"), h="h0", name="a")),
    "push a positive formula": given(REAL, [P], le("x", 0), node("push", hyp("a"), h="h0", name="a")),
    "induct, n in the bound": (
        ["all", [["n", "Z"]], ["=>", le("n", "n"), ["false"]]],
        node("induct", node("apply", TRUTH, hyp("a"), h="ih", terms=["x"], name="a"), x="x", name="ih"),
    ),
    "induct without a bound": (
        ["all", [["n", "Z"]], lt(0, "n")],
        node("induct", TRUTH, x="x", name="ih"),
    ),
    "induct over the reals": (
        ["all", [["n", "R"]], ["=>", le(0, "n"), ["false"]]],
        node("induct", TRUTH, x="x", name="ih"),
    ),
    "induct, hypothesis at x itself": (
        ["all", [["n", "Z"]], ["=>", le(0, "n"), lt("n", 0)]],
        node(
            "induct",
            node(
                "apply",
                node("and", hyp("ih_lo"), hyp("ih_lo")),
                hyp("a"),
                h="ih",
                terms=["x"],
                name="a",
            ),
            x="x",
            name="ih",
        ),
    ),
    "induct, variable not new": given(
        [["x", "Z"]],
        [le("x", -1)],
        ["all", [["n", "Z"]], ["=>", le(0, "n"), le("n", -1)]],
        node("induct", hyp("h0"), x="x", name="ih"),
    ),
    "induct, names meet": (
        ["all", [["n", "Z"]], ["=>", le(0, "n"), le(0, "n")]],
        node("induct", hyp("ih_lo"), x="ih_lo", name="ih"),
    ),
    "leibniz, another conclusion": given(
        REAL, [eq("x", "y"), Q], P, node("leibniz", hyp("h0"), hyp("h1"), v="v", sort="R", f=lt("v", 0), a="x", b="y")
    ),
    "leibniz captured": given(  # f = ex y (v < y) with v := y
        [["y", "R"], ["z", "R"]],
        [eq("y", "z"), ["ex", [["y", "R"]], lt("y", "y")]],
        ["ex", [["y", "R"]], lt("y", "y")],
        node("leibniz", hyp("h0"), hyp("h1"), v="v", sort="R", f=["ex", [["y", "R"]], lt("v", "y")], a="y", b="z"),
    ),
    "leibniz takes a name in use": given(
        [["n", "Z"], ["A", ["M", "n", "n"]]],
        [eq("n", 3)],
        eq(["tr", "A"], ["tr", "A"]),
        node("leibniz", hyp("h0"), node("refl"), v="n", sort="Z", f=eq(["tr", "A"], ["tr", "A"]), a="n", b=3),
    ),
    "leibniz makes dimensions wrong": given(
        [["n", "Z"], ["A", ["M", "n", "n"]]],
        [eq("n", 3)],
        eq("A", ["mm", "A", ["I", "n"]]),
        node("leibniz", hyp("h0"), NC, v="v", sort="Z", f=eq("A", ["mm", "A", ["I", "v"]]), a="n", b=3),
    ),
    "leibniz for functions": given(
        [["f", ANY], ["g", ANY]],
        [],
        eq(["call", "f", 0], ["call", "g", 0]),
        node("leibniz", node("refl"), node("refl"), v="v", sort=ANY, f=eq(["call", "v", 0], 0), a="f", b="g"),
    ),
    "leibniz, a real for an integer": given(
        [["x", "R"]],
        [eq("x", ["q", 1, 2])],
        eq(["sum", "i", 1, 2, "x"], 1),
        node("leibniz", hyp("h0"), FIELD, v="v", sort="Z", f=eq(["sum", "i", 1, 2, "v"], 1), a="x", b=["q", 1, 2]),
    ),
    "unknown fact": (["true"], node("fact", TRUTH, fact="anything", params=[], name="a")),
    "a signature is no fact": (["true"], node("fact", TRUTH, fact="rank", params=[], name="a")),
    "fact with a wrong number of parameters": given(
        REAL, [], ["true"], node("fact", TRUTH, fact="total", params=["x"], name="a")
    ),
    "fact with a wrong sort": given(REAL, [], ["true"], node("fact", TRUTH, fact="archimedean", params=[["I", 2]], name="a")),
    "fact about integers at a real": given(REAL, [], ["true"], node("fact", TRUTH, fact="int_lt", params=["x", "y"], name="a")),
    "lemma without a store": (["true"], node("lemma", TRUTH, claim="a.b", role="statement", name="a")),
    "refl, different": given(REAL, [], eq("x", "y"), node("refl")),
    "refl, strict": given(REAL, [], lt("x", "x"), node("refl")),
    "refl up to arithmetic": given(REAL, [], eq(add("x", "y"), add("y", "x")), node("refl")),
    "ext, symbolic dimensions": given(SQUARE, [], eq("A", "B"), node("ext")),
    "ext, wrong order of entries": given(REAL, [], eq(["mat", [["x", "y"]]], ["mat", [["y", "x"]]]), node("ext", FIELD, FIELD)),
    "ext, entries left out": given(REAL, [], eq(["J", 2, 2], ["I", 2]), node("ext", FIELD)),
    "extn, names meet": given([["A", ["M", 2, 2]]], [], eq("A", "A"), node("extn", FIELD, i="k", j="k")),
    "extn, names of bounds meet": given([["A", ["M", 2, 2]]], [], eq("A", "A"), node("extn", FIELD, i="k", j="k_lo")),
    "ctx, different heads": given(REAL, [eq("x", "y")], eq(["sin", "x"], ["cos", "y"]), node("ctx", hyp("h0"))),
    "ctx, different functions": given([["f", ANY], ["g", ANY]], [], eq(["call", "f", 0], ["call", "g", 0]), node("ctx")),
    "ctx, different orders": given([["f", SMOOTH]], [eq(1, 2)], eq(["d", 1, "f", 0], ["d", 2, "f", 0]), node("ctx", hyp("h0"))),
    "ctx, different constants": given([["A", ["M", 2, 2]]], [], eq(["op", "rank", "A"], ["op", "ncomp", "A"]), node("ctx")),
    "ctx through a binder": given(
        REAL, [eq("x", "y")], eq(["D", "t", mul("t", "x"), 0], ["D", "t", mul("t", "y"), 0]), node("ctx", hyp("h0"))
    ),
    "ctx, ill-sorted arguments": given(
        [["A", ["M", 2, 2]], ["B", ["M", 3, 3]]],
        [],
        eq(["tr", "A"], ["tr", "B"]),
        node("ctx", node("trusted", f=eq("A", "B"), why="")),
    ),
    "ctx on numerals": ((eq(["q", 1, 2], ["q", 2, 4])), node("ctx", node("refl"), node("refl"))),
    "trusted, another formula": given(REAL, [], P, node("trusted", f=Q, why="")),
    "a free variable in the statement": (lt(0, sq("x")), node("trusted", f=lt(0, sq("x")), why="")),
    "compute with hypotheses": given([], [["false"]], ["false"], COMPUTE),
    "shadowing changes no sort": (
        ["all", [["n", "Z"], ["A", ["M", "n", "n"]]], ["all", [["n", "Z"]], eq("A", ["I", "n"])]],
        node("fix", node("fix", NC, names=["m"]), names=["n", "A"]),
    ),
    "quantifiers in the wrong order": given([], [ONE_MORE], ["ex", [["y", "R"]], ["all", [["x", "R"]], lt("x", "y")]], hyp("h0")),
    "different bound sorts": given(
        [], [["all", [["n", "Z"]], ne(mul(2, "n"), 1)]], ["all", [["n", "R"]], ne(mul(2, "n"), 1)], hyp("h0")
    ),
}
