"""What is well-sorted, alpha-equivalence, substitution, dom, facts, and malformed input."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.logic.sorts import CONDITIONS, DECLS, SORTED
from verify.recheck import Checker, Library, Refused, read_formula
from verify.recheck.rules import _RULES
from verify.recheck.sorts import Sorter
from verify.recheck.store import load
from verify.recheck.terms import FALSE, R, Z, close, free, lift, neg, put, read_sort, read_term

from .support import (
    FACTS,
    LIBRARY,
    J,
    accepted,
    check,
    given,
    le,
    lt,
    mul,
    node,
)


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
