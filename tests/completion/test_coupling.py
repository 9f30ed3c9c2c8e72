"""Coupling of gradient flow: known cases, every verdict rechecked, and attacks on the evidence."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from verify.completion import ObservationError, Observations, Pattern
from verify.completion.coupling import Coupling, coupling, gradient_gram, gram_series
from verify.completion.graph import is_connected
from verify.completion.patterns import patterns
from verify.completion.recheck import EvidenceError, recheck_coupling

quick = settings(derandomize=True, deadline=None, max_examples=40)
Table = list[list[Fraction]]


def scaled(alpha: str | int, d: int, m: str | int | None = None) -> Table:
    """alpha on the diagonal, alpha / m off it."""
    a = Fraction(alpha)
    return [[a if i == j else (a / Fraction(m) if m else Fraction(0)) for j in range(d)] for i in range(d)]


def diagonal(d: int, value: str | int = 1) -> Observations:
    return Observations(d, d, tuple((i, i, Fraction(value)) for i in range(d)))


def transpose(a: Table) -> Table:
    return [list(row) for row in zip(*a, strict=True)]


def times(a: Table, b: Table) -> Table:
    return [[sum((x * y for x, y in zip(r, c, strict=True)), Fraction(0)) for c in transpose(b)] for r in a]


def decide(observations: Observations, factors: list[Any], radii: list[Any] | None = None) -> Coupling:
    """The verdict, after its evidence went through JSON and the independent check."""
    result = coupling(observations, factors, radii)
    data = json.loads(json.dumps(result.to_data()))
    assert recheck_coupling(data) == result.verdict
    return result


ROTATION = [[Fraction(3, 5), Fraction(4, 5)], [Fraction(-4, 5), Fraction(3, 5)]]


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("alpha", ["1", "1e-35", "1e-300", "1e300"])
def test_diagonal_observations(d: int, depth: int, alpha: str) -> None:
    identity = decide(diagonal(d), [scaled(alpha, d)] * depth)
    assert (identity.verdict, identity.evidence["kind"]) == ("decoupled", "support")
    mixed = decide(diagonal(d), [scaled(alpha, d, 10**10)] * depth)
    assert mixed.verdict == ("coupled" if depth >= 3 else "decoupled")
    if depth >= 3:
        assert {edge["order"] for edge in mixed.evidence["edges"]} == {0}
        assert all(Fraction(edge["value"]) > 0 for edge in mixed.evidence["edges"])


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_inner_products_that_vanish_only_at_the_start(depth: int) -> None:
    table = Observations.from_rows([[1, "0.1"], [None, 1]])
    result = decide(table, [scaled(2, 2)] * depth)
    assert result.verdict == "coupled"
    assert max(edge["order"] for edge in result.evidence["edges"]) == 1


def test_degenerate_starts() -> None:
    table = Observations.from_rows([[1, "0.1"], [None, 1]])
    for depth in (2, 3, 4):
        assert decide(table, [scaled(0, 2)] * depth).evidence["kind"] == "support"
    single = decide(Observations.from_rows([[None, 5], [None, None]]), [scaled(0, 2)] * 3)
    assert (single.verdict, single.evidence["kind"]) == ("coupled", "single")
    assert decide(Observations.from_rows([[7]]), [[[0]]]).verdict == "coupled"
    assert decide(Observations.from_rows([[7, 8]]), [[[0, 0]]]).verdict == "decoupled"
    # connected at depth 2 and yet decoupled: the second row of the left factor meets a zero target
    column = Observations.from_rows([[1, None], [0, None]])
    assert decide(column, [scaled(1, 2)] * 2).verdict == "decoupled"
    # a start at rest: all gradients are constant
    solved = Observations.from_rows([[1, 1], [None, 1]])
    assert decide(solved, [[[1, 1], [0, 1]], scaled(1, 2)]).evidence["kind"] == "affine"
    touching = Observations.from_rows([[2, 2], [None, None]])
    rest = decide(touching, [[[1, 1], [1, 1]], [[1, 1], [0, 0]]])
    assert (rest.verdict, rest.evidence["edges"][0]["order"]) == ("coupled", 0)


def test_symmetry_in_another_basis() -> None:
    back = transpose(ROTATION)
    cases = [
        (Observations.from_rows([[1, None], [0, None]]), [ROTATION, back]),
        (diagonal(2), [ROTATION, times(scaled(1, 2), scaled(2, 2)), back]),
        (Observations.from_rows([[1, None], [None, 3]]), [ROTATION, back, ROTATION, back]),
        (diagonal(2), [[[1, 1], [1, -1]], [[1, 0], [0, 1]], [[1, 1], [-1, 1]]]),
    ]
    for table, factors in cases:
        result = decide(table, factors)
        assert (result.verdict, result.evidence["kind"]) == ("decoupled", "affine")


def test_narrow_and_rectangular() -> None:
    assert decide(diagonal(2), [[[1, 0]], [[1]], [[1], [0]]]).verdict == "decoupled"
    assert decide(diagonal(2), [[[1, 1]], [[1]], [[1], [1]]]).verdict == "coupled"
    wide = Observations.from_rows([[1, 2, None]])
    assert decide(wide, [[[1, 0, 0]], [[1]]]).verdict == "coupled"
    empty_row = Observations.from_rows([[None, None], [1, 3], [None, None]])
    assert decide(empty_row, [scaled(1, 2), [[1, 1], [1, 2], [0, 1]]]).verdict == "coupled"


def test_balls() -> None:
    table = diagonal(2, 2)
    coupled = decide(table, [scaled(1, 2, 2)] * 3, [scaled("1e-2", 2, 1)] * 3)
    assert coupled.verdict == "coupled"
    assert Fraction(coupled.evidence["edges"][0]["radius"]) > 0
    assert decide(table, [scaled(1, 2)] * 3, [scaled("1e-2", 2, 1)] * 3).verdict == "undecided"
    assert decide(table, [scaled(1, 2)] * 3, [scaled("1e-2", 2)] * 3).verdict == "decoupled"
    assert decide(table, [scaled(1, 2, 2)] * 3, [scaled(0, 2)] * 3).problem["radii"] is None


@quick
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 3), st.integers(1, 3))
def test_depth_two_disconnected_is_decoupled(seed: int, width: int, m: int, n: int) -> None:
    rng = random.Random(seed)
    cells = [(i, j) for i in range(m) for j in range(n) if rng.random() < 0.5]
    assume(len(cells) > 1)
    table = Observations.from_entries(m, n, [(i, j, rng.randint(-3, 3)) for i, j in cells])
    factors = [
        [[rng.randint(-2, 2) for _ in range(n)] for _ in range(width)],
        [[rng.randint(-2, 2) for _ in range(width)] for _ in range(m)],
    ]
    verdict = decide(table, factors).verdict
    if not is_connected(table.pattern):
        assert verdict == "decoupled"


@quick
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3), st.integers(1, 4))
def test_sparse_random_starts_are_rechecked(seed: int, m: int, n: int, depth: int) -> None:
    rng = random.Random(seed)
    cells = [(i, j) for i in range(m) for j in range(n) if rng.random() < 0.6]
    assume(cells)
    table = Observations.from_entries(m, n, [(i, j, rng.choice([0, 1, -2, "1e-300"])) for i, j in cells])
    widths = [n, *(rng.randint(1, 3) for _ in range(depth - 1)), m]
    factors = [
        [[rng.choice([0, 0, 1, -1, "1/3", "1e-35"]) for _ in range(widths[k])] for _ in range(widths[k + 1])]
        for k in range(depth)
    ]
    result = decide(table, factors)
    series = gram_series(table, factors, 3)
    order = {cell: k for k, cell in enumerate(table.cells)}
    if result.verdict == "decoupled":  # the coefficients agree with the partition
        parts = [[order[tuple(c)] for c in part] for part in result.evidence["parts"]]
        assert all(
            coefficient[a][b] == 0 == coefficient[b][a]
            for coefficient in series
            for p in parts
            for q in parts
            if p is not q
            for a in p
            for b in q
        )


@quick
@given(st.integers(0, 10**6))
def test_gram_matrix_is_that_of_finite_differences(seed: int) -> None:
    """The entries are linear in each parameter, so a difference quotient is the exact derivative."""
    rng = random.Random(seed)
    widths = [2, rng.randint(1, 3), rng.randint(1, 3), 3]
    factors = [
        [[Fraction(rng.randint(-3, 3), rng.randint(1, 4)) for _ in range(widths[k])] for _ in range(widths[k + 1])]
        for k in range(3)
    ]
    pattern = Pattern(3, 2, tuple((i, j) for i in range(3) for j in range(2)))

    def product(f: list[Table]) -> Table:
        return times(f[2], times(f[1], f[0]))

    gradients: dict[tuple[int, int], list[Fraction]] = {cell: [] for cell in pattern.cells}
    for level in range(3):
        for a in range(widths[level + 1]):
            for b in range(widths[level]):
                moved = copy.deepcopy(factors)
                moved[level][a][b] += 1
                before, after = product(factors), product(moved)
                for i, j in pattern.cells:
                    gradients[i, j].append(after[i][j] - before[i][j])
    expected = [
        [sum((x * y for x, y in zip(gradients[p], gradients[q], strict=True)), Fraction(0)) for q in pattern.cells]
        for p in pattern.cells
    ]
    assert gradient_gram(pattern, factors) == expected


def test_ball_radius_covers_starts_inside() -> None:
    rng = random.Random(5)
    table = Observations.from_rows([[1, None], [2, 3]])
    mid = [[[Fraction(rng.randint(-4, 4), 3) for _ in range(2)] for _ in range(2)] for _ in range(3)]
    rad = [[[Fraction(rng.randint(0, 2), 50) for _ in range(2)] for _ in range(2)] for _ in range(3)]
    result = coupling(table, mid, rad)
    assert result.verdict == "coupled"
    place = {cell: k for k, cell in enumerate(table.cells)}
    for _ in range(20):
        inside = [
            [[v + r * rng.randint(-3, 3) / 3 for v, r in zip(x, y, strict=True)] for x, y in zip(w, e, strict=True)]
            for w, e in zip(mid, rad, strict=True)
        ]
        series = gram_series(table, inside, max(edge["order"] for edge in result.evidence["edges"]))
        for edge in result.evidence["edges"]:
            a, b = (place[tuple(cell)] for cell in edge["cells"])
            actual = series[edge["order"]][a][b]
            assert abs(actual - Fraction(edge["value"])) <= Fraction(edge["radius"])
            assert actual != 0


def leaves(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(data, dict):
        return [p for key in data for p in leaves(data[key], (*path, key))]
    if isinstance(data, list):
        return [p for k, item in enumerate(data) for p in leaves(item, (*path, k))] + [path]
    return [path]


def changed(data: Any, path: tuple[Any, ...], new: Any) -> Any:
    data = copy.deepcopy(data)
    at = data
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return data


def test_false_evidence_is_refused_or_still_proves_its_verdict() -> None:
    """Random edits; an accepted one must have the verdict that the solver finds for the edited problem."""
    rng = random.Random(0)
    back = transpose(ROTATION)
    bases = [
        coupling(diagonal(2), [scaled(1, 2, 2)] * 3),
        coupling(diagonal(2), [scaled(1, 2)] * 3),
        coupling(diagonal(2), [ROTATION, scaled(2, 2), back]),
        coupling(Observations.from_rows([[1, "0.1"], [None, 1]]), [scaled(2, 2)] * 2),
        coupling(diagonal(2), [scaled(1, 2, 2)] * 3, [scaled("1e-2", 2, 1)] * 3),
        coupling(Observations.from_rows([[5]]), [[[1]]]),
    ]
    edits = ["0", "1", "-1", "1/2", 0, 1, 2, -1, None, [], "coupled", "decoupled", True, 0.5, "1/0", "x", {}]
    refused = 0
    for base in bases:
        data = json.loads(json.dumps(base.to_data()))
        places = [p for p in leaves(data) if p]
        for _ in range(150):
            edited = changed(data, rng.choice(places), rng.choice(edits))
            try:
                verdict = recheck_coupling(edited)
            except EvidenceError:
                refused += 1
                continue
            problem = edited["problem"]
            again = coupling(Observations.from_data({**problem, "base": 0}), problem["factors"], problem.get("radii"))
            assert again.verdict == verdict
    assert refused > 500


def test_forged_verdicts_are_refused() -> None:
    coupled = coupling(diagonal(2), [scaled(1, 2, 2)] * 3).to_data()
    everywhere = [[[a, b] for a in range(2) for b in range(2)]] * 3
    parts = [[[0, 0]], [[1, 1]]]
    size = 12
    basis = [[str(int(i == j)) for j in range(size)] for i in range(size)]
    for evidence in (
        {"kind": "support", "places": everywhere, "parts": parts},
        {"kind": "support", "places": [[[0, 0], [1, 1]]] * 3, "parts": parts},
        {"kind": "affine", "directions": basis[:2], "parts": parts},
        {"kind": "affine", "directions": [], "parts": parts},
        {"kind": "affine", "directions": basis, "parts": parts},
        {"kind": "single"},
        {"kind": "none"},
        {"kind": "taylor", "edges": []},
        {"kind": "other"},
        {},
    ):
        with pytest.raises(EvidenceError):
            recheck_coupling({**coupled, "verdict": "decoupled", "evidence": evidence})


def test_bad_input() -> None:
    table = diagonal(2)
    for factors, radii, message in (
        ([], None, "depth must be at least 1"),
        ([[[1, 0, 0]], [[1], [1]]], None, "rows of length 2"),
        ([[[1, 0]]], None, "the last factor has 1 rows"),
        ([[[1, 0], [1]]], None, "rows of length 2"),
        ([[[1, 0], [0, float("nan")]]], None, "not finite"),
        ([scaled(1, 2)], [[[1]]], "shapes of the factors"),
        ([scaled(1, 2)], [scaled(-1, 2)], "negative"),
    ):
        with pytest.raises(ObservationError, match=message):
            coupling(table, factors, radii)
    with pytest.raises(ObservationError, match="order"):
        coupling(table, [scaled(1, 2)], max_order=-1)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_every_3x3_pattern_is_decided_from_simple_starts(depth: int) -> None:
    """From alpha I, all ones and zero there is always an answer."""
    ones, zero = [[Fraction(1)] * 3] * 3, scaled(0, 3)
    for member in patterns(3, 3, transposition=True):
        pattern = member.representative
        if len(pattern.cells) < 2:
            continue
        table = Observations(3, 3, tuple((i, j, Fraction(1)) for i, j in pattern.cells))
        for start in (
            [scaled("1e-35", 3)] * depth,
            [ones] * depth,
            [zero] * depth,
            [zero] + [ones] * (depth - 1),
        ):
            result = coupling(table, start)
            assert result.verdict != "undecided"
            if depth == 2 and not is_connected(pattern):
                assert result.verdict == "decoupled"
        assert coupling(table, [zero] * depth).verdict == "decoupled"
        if depth > 2:
            assert coupling(table, [ones] * depth).verdict == "coupled"


def test_values_of_thousands_of_digits() -> None:
    table = Observations.from_rows([[1, "1e-5000"], [None, "3e4000"]])
    assert Observations.from_data(table.to_data()) == table
    assert decide(table, [scaled("1e-3000", 2)] * 3).verdict == "coupled"
    assert decide(table, [scaled("1e3000", 2, 2)] * 3).verdict == "coupled"


def test_zero_entries_are_named_only_where_they_matter():
    table = Observations.from_rows([[1, None], [None, 2]])
    full = [[Fraction(1), Fraction(2)], [Fraction(3), Fraction(5)]]
    for factors in ([full, full], [scaled(1, 2), scaled(1, 2)]):
        found = coupling(table, factors)
        assert found.verdict == "decoupled" and found.reason.startswith("from any start 2 parts")
    deep = coupling(table, [scaled(1, 2)] * 3)
    assert deep.verdict == "decoupled" and deep.reason.startswith("entries that are zero stay zero, and then 2 parts")
