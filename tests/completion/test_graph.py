"""The observation graph, against union-find and powers of the adjacency matrix; enumeration against
Burnside.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import factorial, gcd

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.completion import ObservationError, Pattern
from verify.completion import graph as g
from verify.completion.patterns import canonical, orbit_size, patterns

quick = settings(derandomize=True, deadline=None, max_examples=80)


@st.composite
def grids(draw: st.DrawFn, side: int = 5) -> Pattern:
    m, n = draw(st.integers(1, side)), draw(st.integers(1, side))
    return Pattern.from_matrix(draw(st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=m, max_size=m)))


def union_find(pattern: Pattern) -> set[frozenset[tuple[int, int]]]:
    parts = [{cell} for cell in pattern.cells]
    for cell in pattern.cells:
        near = [p for p in parts if any(c[0] == cell[0] or c[1] == cell[1] for c in p)]
        parts = [p for p in parts if p not in near] + [set().union(*near)]
    return {frozenset(p) for p in parts}


def by_powers(pattern: Pattern) -> bool:
    table = np.array(g.adjacency(pattern), dtype=object)
    live = [k for k in range(len(table)) if any(table[k])]
    power = table[np.ix_(live, live)] + np.eye(len(live), dtype=int).astype(object)
    reach = power
    for _ in live:
        reach = (reach @ power > 0).astype(int).astype(object)
    return bool((reach > 0).all())


@quick
@given(grids())
def test_components_are_the_classes_of_shared_rows_and_columns(pattern: Pattern) -> None:
    parts = g.components(pattern)
    assert {frozenset(p.cells) for p in parts} == union_find(pattern)
    for p in parts:
        assert p.rows == tuple(sorted({i for i, _ in p.cells}))
        assert p.cols == tuple(sorted({j for _, j in p.cells}))
        assert p.is_complete == (set(p.cells) == {(i, j) for i in p.rows for j in p.cols})
    if pattern.cells:
        assert g.is_connected(pattern) == by_powers(pattern)
    rows, cols = g.isolated(pattern)
    assert len(rows) == pattern.rows - len({i for i, _ in pattern.cells})
    assert len(cols) == pattern.cols - len({j for _, j in pattern.cells})


@quick
@given(grids(), st.randoms(use_true_random=False))
def test_kind_does_not_depend_on_order_or_transposition(pattern: Pattern, random: object) -> None:
    rows, cols = list(range(pattern.rows)), list(range(pattern.cols))
    random.shuffle(rows)  # type: ignore[attr-defined]
    random.shuffle(cols)  # type: ignore[attr-defined]
    moved = pattern.permuted(rows, cols)
    assert g.kind(moved) == g.kind(pattern) == g.kind(pattern.transpose())
    assert canonical(moved) == canonical(pattern)
    table, image = pattern.matrix(), moved.matrix()
    assert all(image[i][j] == table[rows[i]][cols[j]] for i in range(pattern.rows) for j in range(pattern.cols))


def test_examples() -> None:
    column = Pattern.from_matrix([[1, 0], [1, 0]])
    assert g.adjacency(column) == ((0, 0, 1, 1), (0, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0))
    assert g.is_connected(column)
    diagonal = Pattern.from_matrix([[1, 0], [0, 1]])
    assert g.adjacency(diagonal) == ((0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0))
    assert g.kind(diagonal) == "complete-bipartite-components"
    assert g.is_fully_disconnected(diagonal) and not g.is_fully_disconnected(column)
    assert g.kind(Pattern.from_matrix([[1, 1, 0], [1, 0, 0], [0, 0, 1]])) == "disconnected"
    assert g.kind(Pattern.from_matrix([[1, 1, 0], [1, 1, 0], [0, 0, 1]])) == "complete-bipartite-components"
    assert g.kind(Pattern.from_matrix([[1, 1, 0], [1, 1, 0], [1, 0, 1]])) == "connected"
    assert g.kind(Pattern.from_matrix([[1, 1], [1, 1]])) == "connected"
    assert g.kind(Pattern(3, 2, ())) == "empty"
    with pytest.raises(ObservationError, match="no observed entry"):
        g.is_connected(Pattern(3, 2, ()))
    with pytest.raises(ObservationError, match="permutations"):
        diagonal.permuted([0, 0], [0, 1])


def test_augmented_matrix_and_rank() -> None:
    left = [[Fraction(1), Fraction(0)], [Fraction(2), Fraction(0)]]
    right = [[Fraction(0), Fraction(1)], [Fraction(0), Fraction(0)]]
    assert g.augmented(left, right) == ((1, 2, 0, 1), (0, 0, 0, 0))
    assert g.exact_rank(g.augmented(left, right)) == 1
    with pytest.raises(ObservationError):
        g.augmented([[Fraction(1)]], right)


@quick
@given(st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=1, max_size=4))
def test_exact_rank(rows: list[list[int]]) -> None:
    assert g.exact_rank([[Fraction(v) for v in row] for row in rows]) == np.linalg.matrix_rank(np.array(rows))


def burnside(m: int, n: int, transposition: bool) -> int:
    """Number of classes by counting fixed patterns over the group, independent of canonical forms."""

    def cycle_lengths(p: tuple[int, ...]) -> list[int]:
        seen: set[int] = set()
        lengths = []
        for start in range(len(p)):
            length, k = 0, start
            while k not in seen:
                seen.add(k)
                k, length = p[k], length + 1
            if length:
                lengths.append(length)
        return lengths

    total, order = 0, factorial(m) * factorial(n) * (2 if transposition else 1)
    for p in permutations(range(m)):
        for q in permutations(range(n)):
            total += 2 ** sum(gcd(a, b) for a in cycle_lengths(p) for b in cycle_lengths(q))
            if transposition:
                cells = [(i, j) for i in range(m) for j in range(n)]
                place = {cell: k for k, cell in enumerate(cells)}
                total += 2 ** len(cycle_lengths(tuple(place[q[j], p[i]] for i, j in cells)))
    return total // order


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3), (4, 4)])
def test_enumeration(m: int, n: int) -> None:
    classes = patterns(m, n)
    assert len(classes) == burnside(m, n, False)
    assert sum(c.size for c in classes) == 2 ** (m * n)
    assert all(canonical(c.representative) == c.representative for c in classes)
    if m == n:
        both = patterns(m, n, transposition=True)
        assert len(both) == burnside(m, n, True)
        assert sum(c.size for c in both) == 2 ** (m * n)


def test_every_3x3_pattern_is_in_one_class() -> None:
    classes = {c.representative: c.size for c in patterns(3, 3, transposition=True)}
    counts: Counter[Pattern] = Counter()
    for bits in range(512):
        pattern = Pattern(3, 3, tuple((k // 3, k % 3) for k in range(9) if bits >> k & 1))
        counts[canonical(pattern, True)] += 1
        assert (not pattern.cells) or g.is_connected(pattern) == by_powers(pattern)
    assert counts == classes
    kinds = Counter(g.kind(p) for p in classes)
    assert kinds == {"connected": 19, "complete-bipartite-components": 5, "disconnected": 1, "empty": 1}


@quick
@given(grids(4))
def test_orbit_is_counted_right(pattern: Pattern) -> None:
    images = {pattern.permuted(p, q) for p in permutations(range(pattern.rows)) for q in permutations(range(pattern.cols))}
    assert orbit_size(pattern) == len(images)


def test_enumeration_refuses() -> None:
    with pytest.raises(ObservationError, match="square grid"):
        patterns(2, 3, transposition=True)
    with pytest.raises(ObservationError, match="sides from 1 to 6"):
        patterns(7, 7)
