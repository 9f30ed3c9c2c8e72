"""Long formulas said once: what is shown stands for exactly the formula, and nothing is cut."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.support.world import HERE
from verify.report.families import LONG, called, decimal, formulas
from verify.report.formula import outline
from verify.report.schema import EACH, Definition, Schema, shorten
from verify.run.files import allow_depth
from verify.run.language import Language

LANGUAGE = Language()
FAMILY = " and ".join(
    f"(ex x:R. {low} < x and x < {high} and x^{n} - ({k} * x - 1)^2 = {low} * {high} + [[{k},0],[0,1]][1,2])"
    for low, high, n, k in (("1/2", "3", 2, 5), ("2/3", "4", 3, 5), ("1/7", "(1/9)", 4, 6), ("2", "3", 2, 5))
)
PATTERNS = " and ".join(
    f"(all i j:Z. 1 <= i and i <= 2 and 1 <= j and j <= 2 and i != j => {p}[i,j] + {p}[j,i] = {p}[1,2] + {q}[2,1]"
    f" and {q}[i,i] <= {n})"
    for n in (1, 2)
    for p in ("[[1,0],[0,1]]", "[[1,1],[0,1]]")
    for q in ("[[0,0],[1,1]]", "[[2,0],[1,1]]")
)


def parts(e: Any) -> list[Any]:
    """The families in a formula."""
    found = [e] if isinstance(e, list) and e[:1] == [EACH] else []
    return found + [x for part in e for x in parts(part)] if isinstance(e, list) else found


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (FAMILY, [4]),
        (f"not ({FAMILY})", [4]),
        (f"0 < 1 and {FAMILY} and 1 < 2", [4]),
        (FAMILY.replace(" and (ex", " or (ex"), [4]),
        (f"all a:R. 0 < a => ({FAMILY}) or ({PATTERNS})", [4, 8]),
        (" and ".join(f"(all y:R. {n} < y => {FAMILY})" for n in range(4)), [4, 4]),
    ],
)
def test_families_are_tables_that_expand_to_the_formula(text: str, rows: list[int]) -> None:
    formula = LANGUAGE.parse(text)
    schema = shorten(formula)
    found = parts(schema.formula) + [family for d in schema.definitions for family in parts(d.body)]
    assert [len(family[4]) for family in found] == rows
    for family in found:
        columns = list(zip(*family[4], strict=True))
        assert len(set(map(str, columns))) == len(columns), "equal columns are one"
        assert all(len(set(map(str, column))) > 1 for column in columns), "a constant is no value"
    assert schema.expand() == formula
    assert called(schema).expand() == formula
    named = shorten(formula, terms=True)
    assert named.expand() == formula


def test_repeated_formulas_and_terms_have_names() -> None:
    law = (
        "(all i:Z. 1 <= i and i <= n => sum(k, 1, n, A[i,k] * A[i,k] + 1 + {c} * A[k,k] * A[i,i]) <= sqrt({c} + A[i,i]^2)"
        " + exp(A[i,i])"
        " and A[i,i] + A[1,i] + A[2,i] < A[i,1] + A[i,2])"
    )
    two, half, seven = (law.format(c=c) for c in ("2", "1/2", "7"))
    text = f"all n:Z, A:M(n,n). {two} => n < 3 or ({two} and (n = 2 or {half} or {seven}))"
    schema = shorten(LANGUAGE.parse(text))
    (known,) = schema.definitions
    assert len(known.params) == 1
    assert LANGUAGE.pretty(schema.formula).count(f"{known.name}(") == 4
    root = "sqrt(s^2 + exp(-x)^2 + (s - x)^3) - exp(-x * s) + s^5"
    text = f"all s x:R. 0 < {root} and ({root}) * exp({root}) < 2 * ({root}) / (1 + ({root})^2)"
    schema = shorten(LANGUAGE.parse(text), terms=True)
    assert [d.params for d in schema.definitions] == [()]
    assert "u1 * exp(u1) < (2 * u1) / (1 + u1^2)" in LANGUAGE.pretty(schema.formula)


def test_names_are_new() -> None:
    text = f"all F P Q a b c:R. 0 < F => ({PATTERNS}) => {FAMILY}"
    schema = shorten(LANGUAGE.parse(text))
    for family in parts(schema.formula):
        assert not set(family[3]) & {"F", "P", "Q", "a", "b", "c", "x", "i", "j"}


def test_a_schema_that_loses_something_is_no_schema() -> None:
    formula = LANGUAGE.parse(FAMILY)
    schema = shorten(formula)
    family = schema.formula
    assert family[0] == EACH
    assert Schema([*family[:4], family[4][:-1], family[5]]).expand() != formula
    assert Schema(["call", "F1", 3], (Definition("F1", ("a",), ["<", "a", 4]),)).expand() == ["<", 3, 4]


RATIONALS = st.sampled_from([["q", 1, 2], ["q", -3, 7], ["q", 5, 3]])
TERMS = st.recursive(
    st.one_of(st.integers(-3, 12), st.sampled_from(["x", "y"]), RATIONALS),
    lambda below: st.one_of(
        st.tuples(st.sampled_from(["+", "*", "/"]), below, below).map(list),
        st.tuples(st.just("exp"), below).map(list),
        st.tuples(st.just("entry"), st.just(["mat", [[1, "x"], [0, 2]]]), below, below).map(list),
        st.tuples(st.just("entry"), st.just(["mat", [[1, 1], [0, 2]]]), below, below).map(list),
        st.tuples(st.just("sum"), st.just("k"), below, below, below).map(list),
    ),
    max_leaves=8,
)
ATOMS = st.tuples(st.sampled_from(["=", "<", "<="]), TERMS, TERMS).map(list)


@st.composite
def families(draw: Any) -> Any:
    """Conjunctions and disjunctions with members of one kind among others, nested."""
    atoms = draw(st.lists(ATOMS, min_size=1, max_size=3))
    member: Any = ["and", *atoms] if len(atoms) > 1 else atoms[0]
    shape = draw(st.sampled_from(["plain", "ex", "not"]))
    member = {"plain": member, "ex": ["ex", [["z", "R"]], member], "not": ["not", member]}[shape]

    def other(e: Any) -> Any:
        if isinstance(e, int):
            return draw(st.integers(0, 5))
        if isinstance(e, list) and e[0] == "mat":
            return ["mat", [[other(x) for x in row] for row in e[1]]]
        keep = 2 if isinstance(e, list) and e[0] in ("sum", "ex", "q") else 1
        return [*e[:keep], *map(other, e[keep:])] if isinstance(e, list) and e[0] != "q" else e

    run = [other(member) for _ in range(draw(st.integers(1, 6)))]
    more = draw(st.lists(ATOMS, max_size=2))
    chain = [draw(st.sampled_from(["and", "or"])), *more, *run, *draw(st.lists(ATOMS, max_size=1))]
    return ["=>", chain, ["or", *(["not", chain] for _ in range(draw(st.integers(1, 4))))]]


@settings(max_examples=200, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(families(), st.booleans())
def test_every_schema_expands_to_its_formula(formula: Any, terms: bool) -> None:
    schema = shorten(formula, terms=terms)
    assert schema.expand() == formula
    assert called(schema).expand() == formula


LONG_ONES = ("bai2024/b3-size-5", "shin2025/eq-9", "shin2025/fig-2-setup", "shin2025/fig-11", "varre2023/step-c-12-limit-cases")


@pytest.mark.parametrize("claim", LONG_ONES)
def test_what_is_shown_is_whole(claim: str) -> None:
    """Long recorded formulas: their schemas are exact, nothing is cut, and what is shown is shorter than the formula in full."""
    allow_depth()
    parts = json.loads((HERE / f"reports/certificates/{claim}.json").read_bytes())["parts"]
    found = [part["statement"] for part in parts.values() if len(LANGUAGE.pretty(part["statement"])) > LONG][:2]
    assert found
    for formula in found:
        for terms in (False, True):
            schema = shorten(formula, terms)
            assert schema.expand() == formula
            assert called(schema).expand() == formula
        shown = "\n\n".join(formulas(formula, LANGUAGE, "here"))
        assert "..." not in shown
        assert len(shown) < min(80_000, len(outline(formula, LANGUAGE)) + len(LANGUAGE.pretty(formula)))
        for number in re.findall(r"\(#here-table-(\d+)\)", shown):
            assert f'<a id="here-table-{number}"></a>Table {number}:' in shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1, 8), "$0.125$"),
        ((-1, 8), "$-0.125$"),
        ((1, 3), ""),
        ((12345678901, 10**9), "$12.345678901$"),
        ((1, 10**36), r"$1\cdot 10^{-36}$"),
        ((-15, 10**20), r"$-1.5\cdot 10^{-19}$"),
        ((10**12 + 1, 10**9), "$1000.000000001$"),
        ((2 * 10**30, 1), f"${2 * 10**30}$"),
    ],
)
def test_decimals_are_exact(value: tuple[int, int], text: str) -> None:
    assert decimal(*value) == text
