"""What is well-sorted, alpha-equivalence, substitution, dom, facts, and malformed input."""

from __future__ import annotations

import random
from typing import Any

import pytest

from verify.recheck import Checker, Library, Refused, read_formula
from verify.recheck.rules import _RULES
from verify.recheck.sorts import Sorter
from verify.recheck.store import load
from verify.recheck.terms import FALSE, R, Z, close, free, lift, neg, put, read_sort, read_term

from .support import (
    ANY,
    FACTS,
    LIBRARY,
    SMOOTH,
    TRUTH,
    J,
    accepted,
    add,
    check,
    eq,
    given,
    le,
    lt,
    mul,
    node,
    sq,
)

DECLS = [
    ["m", "Z"],
    ["n", "Z"],
    ["x", "R"],
    ["A", ["M", "m", "n"]],
    ["S", ["M", "n", "n"]],
    ["f", SMOOTH],
    ["g", ANY],
    ["k", ["F", ["R"], "Z", "any"]],
    ["W", ["F", ["Z", "R"], ["M", "n", "n"], "smooth"]],
]
SORTED = [
    eq("m", "x"),
    eq("A", ["T", ["T", "A"]]),
    eq(["mm", "A", "S"], ["O", "m", "n"]),
    eq(["I", add("m", "n")], ["I", add("n", "m")]),
    eq(["I", sq(add("m", 1))], ["I", add(mul("m", "m"), mul(2, "m"), 1)]),
    eq(["sum", "i", "m", "n", "S"], "S"),
    eq(["sum", "i", 1, ["call", "k", "x"], "i"], 0),
    eq(["I", ["call", "k", "x"]], ["I", ["call", "k", "x"]]),
    lt(["d", "n", "f", "m"], ["D", "s", ["call", "g", "s"], 0]),
    eq(["call", "W", 3, "x"], ["d", 1, "W", "m", "x"]),
    eq(["op", "sv", "A", "n"], ["op", "nuc", "S"]),
    eq(["^", "m", "x"], ["^", "m", -1]),
    ["all", [["n", "Z"], ["B", ["M", "n", "n"]]], eq("B", ["I", "n"])],
    ["tends", "t", "A", "A"],
    ["tendsoo", "t", "t"],
]
ILL = [
    eq("A", "S"),
    eq("A", 0),
    eq("x", ["I", 1]),
    eq("A", ["T", "A"]),
    eq(["mm", "A", "A"], "A"),
    eq(["tr", "A"], 0),
    eq(["det", "A"], 0),
    eq(["inv", "A"], "A"),
    eq(["mpow", "A", 2], "A"),
    eq(["mpow", "S", "x"], "S"),
    eq(["+", "A", 1], "A"),
    eq(["+", "A", "S"], "A"),
    eq(["*", "S", "S"], "S"),
    eq(["*", 2, "S"], "S"),
    eq(["sm", "S", "S"], "S"),
    eq(["had", "A", "S"], "A"),
    eq(["J", "m", "n"], ["J", "n", "m"]),
    eq(["I", "x"], ["I", "x"]),
    eq(["I", ["/", "m", 1]], ["I", "m"]),
    eq(["I", ["^", "m", -1]], ["I", ["^", "m", -1]]),
    eq(["I", ["q", 4, 2]], ["I", 2]),
    eq(["I", ["abs", "m"]], ["I", ["abs", "m"]]),
    eq(["mat", [["S"]]], ["mat", [["S"]]]),
    eq(["entry", "A", "x", 1], 0),
    eq(["entry", "x", 1, 1], 0),
    eq(["sum", "i", "x", 3, 1], 0),
    eq(["sum", "i", 1, ["q", 7, 2], 1], 0),
    eq(["prod", "i", 1, 2, "S"], "S"),
    eq(["sum", "i", 1, 2, ["I", "i"]], ["I", 2]),
    eq(["D", "t", ["I", ["call", "k", "t"]], 0], ["I", 2]),
    ["tends", "t", ["I", ["call", "k", "t"]], ["I", 2]],
    ["tends", "t", "A", "S"],
    ["tends", "t", "t", "A"],
    ["tendsoo", "t", "A"],
    eq("f", "f"),
    eq("f", "g"),
    eq(["sin", "f"], 0),
    eq(["call", "x", "x"], 0),
    eq(["call", "f"], 0),
    eq(["call", "f", "x", "x"], 0),
    eq(["call", "f", "S"], 0),
    eq(["call", "W", "x", "x"], "S"),
    eq(["d", 1, "g", "x"], 0),
    eq(["d", "x", "f", "x"], 0),
    eq(["op", "sv", "A"], 0),
    eq(["op", "sv", "A", "x"], 0),
    eq(["op", "eig", "A", 1], 0),
    eq(["op", "sv", "x", 1], 0),
    eq(["op", "unknown", "A"], 0),
    eq("z", 0),
    lt("A", "A"),
    le("A", "S"),
    ["all", [["B", ["M", "x", 2]]], eq("B", "B")],
    ["all", [["B", ["M", "j", "j"]], ["j", "Z"]], eq("B", "B")],
]
MALFORMED: list[J] = [
    None,
    True,
    3,
    "x",
    [],
    {},
    [[]],
    [3],
    ["true", 1],
    ["=", 1],
    ["=", 1, 2, 3],
    ["=", True, 1],
    ["=", 1.0, 1],
    ["=", None, 1],
    ["=", {}, 1],
    ["=", ["q", 1, 1], 1],
    ["=", ["q", 1, 0], 1],
    ["=", ["q", 1, -2], 1],
    ["=", ["q", 1, True], 1],
    ["=", ["q", "x", 2], 1],
    ["=", ["+", 1], 1],
    ["=", ["+"], 0],
    ["=", ["pi", 1], 1],
    ["=", ["sin"], 1],
    ["=", ["#", 0], ["#", 0]],
    ["=", ["lam", [["s", "R"]], "s"], 1],
    ["=", ["app", "x", 1], 1],
    ["=", ["ite", 1, 2, 3], 1],
    ["=", ["mat", []], ["mat", []]],
    ["=", ["mat", [[]]], ["mat", [[]]]],
    ["=", ["mat", [[1], [1, 2]]], ["mat", [[1], [1, 2]]]],
    ["=", ["sum", 1, 1, 2, 3], 1],
    ["=", ["sum", "1i", 1, 2, 3], 1],
    ["=", "%z0", "%z0"],
    ["=", "x\n", "x\n"],
    ["=", "", ""],
    ["dom", "x"],
    ["and"],
    ["or"],
    ["not"],
    ["all", [], ["true"]],
    ["all", [["x", "R"], ["x", "Z"]], ["true"]],
    ["all", [["x"]], ["true"]],
    ["all", [["x", "Q"]], ["true"]],
    ["all", [["f", ["F", [], "R", "any"]]], ["true"]],
    ["all", [["f", ["F", ["R"], "R"]]], ["true"]],
    ["all", [["f", ["F", ["R"], "R", "odd"]]], ["true"]],
    ["all", [["f", ["F", ["Z"], "R", "smooth"]]], ["true"]],
    ["all", [["f", ["F", ["R"], "Z", "smooth"]]], ["true"]],
    ["all", [["f", ["F", [["F", ["R"], "R", "any"]], "R", "any"]]], ["true"]],
    ["all", "x", ["true"]],
    ["xor", ["true"], ["true"]],
]


@pytest.mark.parametrize("a", SORTED, ids=range(len(SORTED)))
def test_well_sorted(a: J) -> None:
    check(given(DECLS, [a], ["true"], TRUTH))


@pytest.mark.parametrize("a", ILL, ids=range(len(ILL)))
def test_ill_sorted(a: J) -> None:
    assert not accepted(given(DECLS, [a], ["true"], TRUTH))
    check(given(DECLS, [["true"]], ["true"], TRUTH))


@pytest.mark.parametrize("a", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_formulas_are_refused(a: J) -> None:
    with pytest.raises(Refused):
        read_formula(a)


@pytest.mark.parametrize("proof", [None, 1, "truth", [], {"r": 1}, {"r": None}, {"r": ["truth"]}, {"r": {}}])
def test_malformed_proofs_are_refused(proof: J) -> None:
    with pytest.raises(Refused):
        Checker(LIBRARY).check(read_formula(["true"]), proof)


def _nodes(rng: random.Random, depth: int) -> Any:
    """Random JSON near a proof node."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([None, True, 0, -1, 1.5, "x", "h0", "", "R", ["q", 1, 2], ["true"], ["I", 2], [], {}])
    if rng.random() < 0.5:
        return [_nodes(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice("rchf"): _nodes(rng, depth - 1) for _ in range(3)}


def test_random_arguments_are_refused_cleanly() -> None:
    rng = random.Random(5)
    keys = (
        "name",
        "names",
        "f",
        "i",
        "terms",
        "h",
        "k",
        "n",
        "x",
        "v",
        "sort",
        "a",
        "b",
        "claim",
        "role",
        "fact",
        "params",
        "hs",
        "why",
        "side",
        "eqs",
        "rw",
        "mul",
        "box",
        "tree",
        "j",
    )
    rules = sorted(_RULES)
    goals = [["=", "x", 1], ["=", ["I", 2], ["I", 2]], ["<", "x", 1], ["false"], ["ex", [["y", "R"]], ["true"]]]
    for _ in range(3000):
        leaf = {"r": rng.choice(rules), **{key: _nodes(rng, 3) for key in keys if rng.random() < 0.4}}
        leaf["c"] = [_nodes(rng, 3) for _ in range(rng.randrange(3))]
        assert not accepted(given([["x", "R"]], [["<", 0, "x"]], rng.choice(goals[:4]), leaf))


def test_alpha_equivalence_is_equality() -> None:
    a = ["all", [["x", "R"]], ["ex", [["y", "R"]], lt("x", "y")]]
    b = ["all", [["y", "R"]], ["ex", [["x", "R"]], lt("y", "x")]]
    c = ["all", [["y", "R"]], ["ex", [["x", "R"]], lt("x", "y")]]
    d = ["all", [["x", "R"]], ["ex", [["x", "R"]], lt("x", "x")]]
    assert read_formula(a) == read_formula(b)
    assert len({read_formula(x) for x in (a, c, d)}) == 3


def test_put_and_close_are_inverse_and_capture_nothing() -> None:
    t = read_term(["sum", "i", 1, "n", ["D", "s", mul("s", "i", "x"), "x"]])
    scope = close(t, ["x", "n"])
    assert free(scope) == set()
    assert put(scope, ["x", "n"]) == t
    swapped = put(scope, ["n", "x"])
    assert swapped == read_term(["sum", "i", 1, "x", ["D", "s", mul("s", "i", "n"), "n"]])
    assert put(scope, ["i", "s"]) == read_term(["sum", "j", 1, "s", ["D", "r", mul("r", "j", "i"), "i"]])
    assert lift(("#", 0), 2) == ("#", 2)


def test_negation_is_an_involution_where_it_should_be() -> None:
    for a in [*SORTED, ["=>", ["true"], lt("x", 1)], ["iff", ["true"], ["false"]]]:
        formula = read_formula(a)
        if formula[0] not in ("=>", "iff"):
            assert neg(neg(formula)) == formula
    assert neg(read_formula(["=>", lt("x", "y"), le("y", "x")])) == read_formula(["and", lt("x", "y"), lt("x", "y")])


CONDITIONS: list[tuple[J, J]] = [
    (mul("v", "x"), ["true"]),
    (["/", "v", 2], ["true"]),
    (["/", "x", "v"], ["!=", "v", 0]),
    (["^", "v", 3], ["true"]),
    (["^", "v", -3], ["!=", "v", 0]),
    (["^", "v", ["q", 1, 2]], ["<", 0, "v"]),
    (["^", "v", "n"], ["!=", "v", 0]),
    (["^", "v", "x"], ["<", 0, "v"]),
    (["^", "x", "v"], ["<", 0, "x"]),
    (add(["log", "v"], ["sqrt", "v"]), ["<", 0, "v"]),
    (["log", ["/", 1, "v"]], ["and", ["!=", "v", 0], ["<", 0, ["/", 1, "v"]]]),
    (["abs", "v"], ["false"]),
    (["abs", "x"], ["true"]),
    (["max", "v", "x"], ["false"]),
    (["call", "g", "v"], ["false"]),
    (["call", "g", "x"], ["true"]),
    (["call", "f", ["call", "f", "v"]], ["true"]),
    (["d", 2, "f", "v"], ["true"]),
    (["d", "n", "f", "v"], ["<=", 0, "n"]),
    (["d", -1, "f", "v"], ["false"]),
    (["tr", ["mpow", ["sm", "v", "S"], "n"]], ["<=", 0, "n"]),
    (["entry", ["sm", "v", "S"], 1, "n"], ["true"]),
    (["entry", ["call", "W", 1, "v"], ["call", "k", "v"], 1], ["and", ["false"]]),
    (["sum", "i", 1, "n", ["/", "i", "v"]], ["all", [["i", "Z"]], ["=>", ["and", le(1, "i"), le("i", "n")], ["!=", "v", 0]]]),
    (["sum", "i", 1, ["call", "k", "v"], "i"], ["false"]),
    (["prod", "i", 1, "n", "v"], ["false"]),
    (["prod", "i", 1, "n", "x"], ["true"]),
    (["det", ["inv", ["sm", "v", "S"]]], ["!=", ["det", ["sm", "v", "S"]], 0]),
    (["op", "rank", ["sm", "v", "S"]], ["false"]),
    (["D", "s", mul("s", "v"), "x"], ["true"]),
    (["D", "s", ["sqrt", mul("s", "v")], "x"], ["false"]),
    (["D", "s", ["sin", "s"], ["/", 1, "v"]], ["!=", "v", 0]),
]


@pytest.mark.parametrize("body, condition", CONDITIONS, ids=range(len(CONDITIONS)))
def test_dom(body: J, condition: J) -> None:
    ctx: dict[str, Any] = {}
    sorter: Sorter = LIBRARY.sorter
    for name, sort in DECLS:
        ctx[name] = read_sort(sort)
    ctx["v"] = R
    sorter.of(read_term(body), ctx)
    found = LIBRARY.calculus.dom(read_term(body), "v", ctx)
    if condition == ["and", ["false"]]:
        assert FALSE in (found, *found[1:])
    else:
        assert found == read_formula(condition)


def _generic(fact: Any) -> tuple[dict[str, Any], list[J]]:
    """Declarations and parameters for which a fact has an instance: its own parameters as variables."""
    ctx: dict[str, Any] = {}
    params: list[J] = []
    values: list[Any] = []
    for i, (is_lambda, scope) in enumerate(fact.params):
        sort = put(scope, values)
        name = f"p{i}"
        values.append(name)
        if is_lambda:
            smooth = sort[2:][-1] == R and sort[1] != Z
            ctx[name] = ("Fs" if smooth else "F", *sort[1:])
            args = [f"a{j}" for j in range(len(sort) - 2)]
            decls = [[a, _json(s)] for a, s in zip(args, sort[2:], strict=True)]
            params.append(["lam", decls, ["call", name, *args]])
            values[-1] = ("lam", *sort[2:], close(("call", name, *args), args))
        else:
            ctx[name] = sort
            params.append(name)
    return ctx, params


def _json(sort: Any) -> J:
    return sort[0] if len(sort) == 1 else list(sort)


@pytest.mark.parametrize("name", sorted(LIBRARY.facts))
def test_every_fact_of_the_project_has_a_well_sorted_generic_instance(name: str) -> None:
    ctx, params = _generic(LIBRARY.facts[name])
    _, formula = LIBRARY.instance(name, params, ctx)
    LIBRARY.sorter.formula(formula, ctx)


LAM = ["lam", [["s", "R"]], ["/", 1, "s"]]


def test_an_instance_puts_dom_in() -> None:
    library = Library(
        [
            {
                "name": "f",
                "kind": "calculus",
                "params": [["a", "R"], ["E", ["L", ["R"], "R"]]],
                "formula": ["all", [["t", "R"]], ["=>", ["dom", "E", "t"], lt("a", ["D", "s", ["app", "E", "s"], "t"])]],
            }
        ]
    )
    _, formula = library.instance("f", ["t", LAM], {"t": R})  # the parameter t is not captured by all t
    assert formula == read_formula(["all", [["u", "R"]], ["=>", ["!=", "u", 0], lt("t", ["D", "r", ["/", 1, "r"], "u"])]])


def test_parameters_may_mention_each_other_and_the_goal() -> None:
    ctx = {"n": Z, "X": ("M", "n", "n"), "Y": ("M", "n", "n")}
    LIBRARY.instance("det_product", ["n", "X", "Y"], ctx)
    for params in (["n", "X"], [2, "X", "Y"], ["n", "X", ["T", ["J", "n", 2]]], ["n", "X", LAM], ["x", "X", "Y"]):
        with pytest.raises(Refused):
            LIBRARY.instance("det_product", params, ctx)


@pytest.mark.parametrize(
    "data",
    [
        {},
        [3],
        [{"name": "a b", "kind": "axiom", "params": [], "formula": ["true"]}],
        [{"name": "a", "kind": "truth", "params": [], "formula": ["true"]}],
        [{"name": "a", "kind": "axiom", "params": [], "formula": lt("x", 0)}],
        [{"name": "a", "kind": "axiom", "params": [["x", "R"], ["x", "R"]], "formula": ["true"]}],
        [{"name": "a", "kind": "axiom", "params": [["A", ["M", "n", "n"]]], "formula": ["true"]}],
        [{"name": "a", "kind": "axiom", "params": {}, "formula": ["true"]}],
        [{"name": "a", "kind": "axiom", "params": [], "formula": ["true"]}] * 2,
        [{"name": "a", "kind": "signature", "args": [["M", "n", "n"]], "value": "R"}],
        [{"name": "a", "kind": "signature", "vars": [["n", "R"]], "args": [], "value": "R"}],
        [{"name": "a", "kind": "signature", "args": "Z", "value": "R"}],
    ],
    ids=range(12),
)
def test_malformed_facts_are_refused(data: J) -> None:
    with pytest.raises(Refused):
        Library(data)


def test_lambda_capture_in_facts() -> None:
    case = given(
        [["t", "R"]],
        [],
        ["true"],
        node(
            "fact",
            node("refl"),
            fact="tends_const",
            params=["t"],
            name="a",
        ),
    )
    assert not accepted(case)
    statement = ["tends", "t", "t", "t"]
    wrong = given([["t", "R"]], [], statement, node("fact", node("hyp", h="a"), fact="tends_const", params=["t"], name="a"))
    right = given(
        [["t", "R"]], [], ["tends", "s", "t", "t"], node("fact", node("hyp", h="a"), fact="tends_const", params=["t"], name="a")
    )
    assert not accepted(wrong)
    check(right)


def test_the_facts_file_is_read_within_the_limits() -> None:
    assert len(load(FACTS)) == len(LIBRARY.facts) + len(LIBRARY.signatures)
