"""Singular values, ranks and norms: against closed forms and NumPy; bounds rechecked and attacked."""

from __future__ import annotations

import copy
import json
import math
import random
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.completion import ObservationError, Observations, read_observations
from verify.completion.enclosure import Enclosure
from verify.completion.graph import exact_rank
from verify.completion.nuclear import minimum_nuclear_norm
from verify.completion.rank import minimum_rank_bounds
from verify.completion.recheck import EvidenceError, is_semidefinite, recheck_nuclear, recheck_rank
from verify.completion.spectrum import (
    effective_rank,
    nuclear_norm,
    numerical_rank,
    singular_values,
    stable_rank,
)

quick = settings(derandomize=True, deadline=None, max_examples=40)
DATA = Path(__file__).parents[2] / "data"
small = st.integers(-4, 4).map(Fraction)
extreme = st.sampled_from([Fraction(0), Fraction("1e-300"), Fraction("-1e300"), Fraction(1), Fraction(-7, 3)])


@st.composite
def matrices(draw: st.DrawFn, entries: st.SearchStrategy[Any] = small, side: int = 4) -> list[list[Any]]:
    m, n = draw(st.integers(1, side)), draw(st.integers(1, side))
    return draw(st.lists(st.lists(entries, min_size=n, max_size=n), min_size=m, max_size=m))


partial = matrices(st.one_of(st.none(), small)).filter(lambda t: any(v is not None for row in t for v in row))
M1 = Observations.from_rows([[1, 2, None], [3, None, None], [None, None, 5]])
M2 = Observations.from_rows([[1, 2, None], [3, 4, None], [None, None, 5]])
M3 = Observations.from_rows([[1, 2, None], [3, 4, None], [6, None, 5]])


def inside(value: float, enclosure: Enclosure, slack: float = 1e-9) -> bool:
    scale = slack * max(1.0, abs(value))
    return float(enclosure.lower) - scale <= value <= float(enclosure.upper) + scale


# ------------------------------------------------------------------------------------------- singular values


@quick
@given(matrices())
def test_singular_values_agree_with_numpy(table: list[list[Fraction]]) -> None:
    values = singular_values(table)
    expected = np.linalg.svd(np.array(table, dtype=float), compute_uv=False)
    assert len(values) == len(expected)
    assert all(inside(float(s), v) for s, v in zip(expected, values, strict=True))
    assert sum(v.upper > 0 for v in values) == exact_rank(table) == numerical_rank(table, 0).rank
    assert all(v.width <= v.upper * Fraction(1, 2**100) for v in values)
    assert inside(float(expected.sum()), nuclear_norm(table))
    squares = sum((v * v for row in table for v in row), Fraction(0))
    assert sum(v.lower**2 for v in values) <= squares <= sum(v.upper**2 for v in values)
    if squares:
        p = expected[expected > 1e-12] / expected.sum()
        assert inside(math.exp(-(p * np.log(p)).sum()), effective_rank(table))
        assert inside(float(squares) / expected[0] ** 2, stable_rank(table))


@quick
@given(matrices(extreme))
def test_extreme_values(table: list[list[Fraction]]) -> None:
    values = singular_values(table)
    assert sum(v.lower > 0 for v in values) == exact_rank(table)
    assert all(v.width <= v.upper * Fraction(1, 2**100) for v in values)
    if any(v for row in table for v in row):
        for measure in (effective_rank(table), stable_rank(table)):
            assert 1 <= measure.lower <= measure.upper <= exact_rank(table)


@quick
@given(matrices(), st.integers(0, 10**6))
def test_radii_cover_what_lies_within_them(table: list[list[Fraction]], seed: int) -> None:
    rng = random.Random(seed)
    radii = [[Fraction(rng.randint(0, 5), 100) for _ in row] for row in table]
    moved = [[v + r * rng.choice([-1, 0, 1]) for v, r in zip(a, b, strict=True)] for a, b in zip(table, radii, strict=True)]
    wide, exact = singular_values(table, radii), singular_values(moved)
    assert all(w.lower <= e.upper and e.lower <= w.upper for w, e in zip(wide, exact, strict=True))
    if wide[0].lower > 0:
        for measure in (effective_rank, stable_rank, nuclear_norm):
            w, e = measure(table, radii), measure(moved)
            assert w.lower <= e.upper and e.lower <= w.upper


def test_closed_forms() -> None:
    one, two = singular_values([[3, 0], [4, 5]])
    assert one.lower**2 <= 45 <= one.upper**2 and two.lower**2 <= 5 <= two.upper**2
    assert singular_values([[1, 1], [1, 1]]) == [
        Enclosure(Fraction(2), Fraction(2)),
        Enclosure(Fraction(0), Fraction(0)),
    ]
    for n in (1, 2, 5):
        identity = [[int(i == j) for j in range(n)] for i in range(n)]
        assert n in effective_rank(identity) and n in stable_rank(identity)
        assert [v.middle for v in singular_values(identity)] == [1] * n
    assert effective_rank([["1e-300"]]) == Enclosure(Fraction(1), Fraction(1))
    digits = nuclear_norm([[1, 2], [3, 4]], bits=400).decimal(100)  # sqrt(30 + 2 * 2)
    assert digits.startswith("[5.83095189484530047087415287754558307652139833")
    gap = numerical_rank([[1, 0], [0, "1e-8"]], "1e-4")
    assert gap.rank == 1 and gap.gap is not None and 10**8 in gap.gap
    assert numerical_rank([[1, 0], [0, 0]], "1e-4").gap is None
    assert numerical_rank([[2]], 2).rank == 0 and numerical_rank([[2]], 1).rank == 1


def test_spectrum_refuses() -> None:
    for table in ([], [[]], [[1], [1, 2]], [[float("nan")]], [["x"]]):
        with pytest.raises(ObservationError):
            singular_values(table)
    with pytest.raises(ObservationError, match="longer than"):
        singular_values([[0] * 121 for _ in range(121)])
    for measure in (effective_rank, stable_rank):
        with pytest.raises(ObservationError, match="zero or may be"):
            measure([[0, 0]])
        with pytest.raises(ObservationError, match="zero or may be"):
            measure([[1]], [[1]])
    with pytest.raises(ObservationError, match="inside the enclosure"):
        numerical_rank([[1]], 1, [["1e-3"]])
    with pytest.raises(ObservationError, match="at least 0"):
        numerical_rank([[1]], -1)
    with pytest.raises(ObservationError, match="negative"):
        singular_values([[1]], [[-1]])
    with pytest.raises(ObservationError, match="shape"):
        singular_values([[1]], [[1, 2]])
    with pytest.raises(ObservationError, match="wrong order"):
        Enclosure(Fraction(1), Fraction(0))


def test_precision_is_put_back() -> None:
    before = ctx.prec
    singular_values([[1, 2], [3, 4]], bits=500)
    with pytest.raises(ObservationError):
        effective_rank([[0]], bits=500)
    assert ctx.prec == before


# ------------------------------------------------------------------------------------------- nuclear norm


def nuclear(observations: Observations) -> Enclosure:
    bounds = minimum_nuclear_norm(observations)
    assert recheck_nuclear(json.loads(json.dumps(bounds.evidence))) == (
        bounds.value.lower,
        bounds.value.upper,
    )
    assert all(bounds.completion[i][j] == v for i, j, v in observations.entries)
    return bounds.value


def test_nuclear_norm_of_known_cases() -> None:
    assert 10 in nuclear(M1)
    value = nuclear(M2)
    assert (value.lower - 5) ** 2 <= 34 <= (value.upper - 5) ** 2 and value.width < Fraction("1e-13")
    assert 0 < nuclear(M3).width < Fraction("1e-9")
    assert 3 in nuclear(Observations.from_rows([[1, None], [None, -2]]))
    assert nuclear(Observations.from_rows([[0, None]])) == Enclosure(Fraction(0), Fraction(0))
    assert 7 in nuclear(Observations.from_rows([[None, None], [None, -7]]))


@settings(quick, max_examples=25)
@given(partial)
def test_nuclear_norm_is_tight_and_below_every_completion(table: list[list[Fraction | None]]) -> None:
    observations = Observations.from_rows(table)
    value = nuclear(observations)
    assert value.width <= max(value.upper, Fraction(1)) * Fraction("1e-6")
    rng = random.Random(0)
    for _ in range(3):
        filled = [[Fraction(rng.randint(-4, 4)) if v is None else v for v in row] for row in table]
        assert nuclear_norm(filled).upper >= value.lower


@settings(quick, max_examples=25)
@given(matrices(st.one_of(st.none(), extreme), side=3).filter(lambda t: any(v is not None for r in t for v in r)))
def test_nuclear_norm_of_extreme_values(table: list[list[Fraction | None]]) -> None:
    value = nuclear(Observations.from_rows(table))
    assert value.lower >= 0 or value.lower >= -value.upper * Fraction("1e-6")
    assert value.width <= value.upper * Fraction("1e-6")


def test_nuclear_norm_without_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "clarabel", None)
    assert 5 in nuclear(Observations.from_rows([[1, 2], [2, 4]]))
    with pytest.raises(ImportError, match="needs clarabel"):
        minimum_nuclear_norm(M1)


def test_nuclear_norm_refuses_what_is_too_large() -> None:
    row = Observations.from_entries(1, 60, [(0, j, 1) for j in range(60)])
    with pytest.raises(ObservationError, match="at most 60 together"):
        minimum_nuclear_norm(row)


@quick
@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=3, max_size=3))
def test_semidefiniteness(rows: list[list[int]]) -> None:
    square = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in rows] for x in rows]
    assert is_semidefinite([[Fraction(v) for v in row] for row in square])
    mixed = [[Fraction(rows[i][j] + rows[j][i]) for j in range(3)] for i in range(3)]
    minors = [
        np.linalg.det(np.array([[float(mixed[i][j]) for j in s] for i in s]))
        for s in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    ]
    assert is_semidefinite(mixed) == all(v > -1e-6 for v in minors)
    assert not is_semidefinite([[Fraction(1), Fraction(0)], [Fraction(1), Fraction(1)]])


# ------------------------------------------------------------------------------------------- smallest rank


def rank(observations: Observations) -> tuple[int, int]:
    bounds = minimum_rank_bounds(observations)
    assert recheck_rank(json.loads(json.dumps(bounds.evidence))) == (bounds.lower, bounds.upper)
    full = bounds.completion()
    assert all(full[i][j] == v for i, j, v in observations.entries)
    assert exact_rank(full) <= bounds.upper
    assert 0 <= bounds.lower <= bounds.upper <= min(observations.rows, observations.cols)
    return bounds.lower, bounds.upper


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (M1.matrix(), (1, 1)),
        (M2.matrix(), (2, 2)),
        (M3.matrix(), (2, 2)),
        ([[0, None], [None, 0]], (0, 0)),
        ([[1, None], [0, 1]], (2, 2)),
        ([[1, 2, None], [None, 1, 1], [1, None, 1]], (2, 2)),
        ([[1, 2, None], [None, 1, 1], [1, None, 2]], (1, 1)),
        ([[0, 1], [0, 0]], (1, 1)),
        ([[0, 1, None], [None, 0, 5], [2, None, None]], (2, 2)),
        ([["1e-300"]], (1, 1)),
        ([[1, None, 3], [None, None, None], [2, None, 6]], (1, 1)),
    ],
)
def test_smallest_rank_of_known_cases(table: Any, expected: tuple[int, int]) -> None:
    assert rank(Observations.from_rows(table)) == expected


@quick
@given(partial)
def test_rank_bounds(table: list[list[Fraction | None]]) -> None:
    observations = Observations.from_rows(table)
    lower, upper = rank(observations)
    if all(v is not None for row in table for v in row):
        assert lower == upper == exact_rank(observations.filled())
    assert (lower <= 1) == (upper <= 1)  # rank one is always decided


@quick
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_low_rank_data(seed: int, size: int) -> None:
    rng = random.Random(seed)
    u = [[rng.randint(-3, 3) for _ in range(size)] for _ in range(5)]
    v = [[rng.randint(-3, 3) for _ in range(5)] for _ in range(size)]
    cells = [(i, j) for i in range(5) for j in range(5) if rng.random() < 0.7] or [(0, 0)]
    entries = [(i, j, sum(u[i][k] * v[k][j] for k in range(size))) for i, j in cells]
    lower, _ = rank(Observations.from_entries(5, 5, entries))
    assert lower <= size


def test_shipped_data() -> None:
    assert rank(read_observations(DATA / "kepler.csv")) == (1, 1)
    assert rank(read_observations(DATA / "kepler_more.csv")) == (2, 2)
    full = read_observations(DATA / "kepler_all.csv")
    assert numerical_rank(full.filled(), "1e-2").rank == 1
    values = full.values
    for name in ("kepler.csv", "kepler_more.csv"):
        assert all(values[i, j] == v for i, j, v in read_observations(DATA / name).entries)
    found = minimum_rank_bounds(read_observations(DATA / "kepler.csv")).completion()
    assert all(abs(found[i][j] - v) < Fraction(2, 100) for (i, j), v in values.items())


# ------------------------------------------------------------------------------------------- attacks


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(data, dict):
        return [p for key in data for p in places(data[key], (*path, key))]
    if isinstance(data, list):
        return [p for k, item in enumerate(data) for p in places(item, (*path, k))] + [path]
    return [path]


@pytest.mark.parametrize("observations", [M1, M2, M3, Observations.from_rows([[1, 2, None], [None, 1, 1], [1, None, 1]])])
def test_edited_evidence_is_refused_or_true(observations: Observations) -> None:
    rng = random.Random(1)
    edits = [
        "0",
        "1",
        "-1",
        "7/2",
        0,
        1,
        2,
        3,
        -1,
        None,
        [],
        {},
        True,
        0.5,
        "1/0",
        "minor",
        "cycle",
        "none",
        "zero",
    ]
    nuclear_base = minimum_nuclear_norm(observations).evidence
    rank_base = minimum_rank_bounds(observations).evidence
    refused = 0
    for base, check in ((nuclear_base, recheck_nuclear), (rank_base, recheck_rank)):
        data = json.loads(json.dumps(base))
        paths = [p for p in places(data) if p]
        for _ in range(150):
            path, edited = rng.choice(paths), copy.deepcopy(data)
            at = edited
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = rng.choice(edits)
            try:
                lower, upper = check(edited)
            except EvidenceError:
                refused += 1
                continue
            problem = Observations.from_data({**edited, "base": 0})
            if check is recheck_nuclear:
                value = minimum_nuclear_norm(problem).value
                assert lower <= value.upper and value.lower <= upper
            else:
                bounds = minimum_rank_bounds(problem)
                assert lower <= bounds.upper and bounds.lower <= upper
    assert refused > 100


def test_values_of_thousands_of_digits() -> None:
    table = Observations.from_rows([["1e-5000", "1e4000"], [None, 3]])
    assert rank(table) == (1, 1)
    value = nuclear(table)
    assert value.lower <= Fraction("1e4000") * 2 and value.width <= value.upper
    assert [v.lower > 0 for v in singular_values([["1e-5000", 0], [0, "1e4000"]])] == [True, True]
    assert table.to_data()["entries"][0][2] == "1/1" + "0" * 5000


def test_a_matrix_that_is_only_just_not_zero_has_bounds():
    """Singular values down to 1e-30: a ball around the largest one may hold 0."""
    for far in (Fraction(1, 2), 1 - Fraction(1, 10**12), 1 - Fraction(1, 10**30)):
        radii = [[far / 2, far / 2], [far / 2, far / 2]]
        for found in (stable_rank([[1, 0], [0, 0]], radii), effective_rank([[1, 0], [0, 0]], radii)):
            assert found.lower == 1 and 1 < found.upper <= 2
