"""Smallest rank of a completion, between two bounds that exact arithmetic proves.

Lower bounds: a non-zero minor of a completely observed submatrix; a closed walk of observed cells whose
alternating products differ, or an observed zero where rank one forbids one (then the rank is at least 2).
Upper bounds: a factorisation U V that agrees with every observation, found by elimination one row or column
of the factors at a time, free numbers drawn at random with a fixed seed, and checked exactly. Components of
the observation graph can be completed separately, and the smallest rank is the largest of theirs.

Whether the rank can be one is decided always; larger ranks only as far as the two bounds meet.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from flint import fmpq, fmpq_mat

from verify.completion.graph import Component, components
from verify.completion.observations import Cell, Observations, parse_ratio, ratio_text

MAX_SUBSETS = 4096
"""Largest number of sets of rows that are tried for a completely observed submatrix."""

MAX_BITS = 4000
"""Longest denominator of a number in the factors; elimination gives up on longer ones."""

_FREE = (-3, -2, -1, 1, 2, 3)

Values = Mapping[Cell, Fraction]
Factors = tuple[list[list[Fraction]], list[list[Fraction]]]


@dataclass(frozen=True)
class RankBounds:
    """Bounds of the smallest rank of a completion, with what proves them.

    Attributes:
        lower, upper: the bounds.
        evidence: plain data for `verify.completion.recheck.recheck_rank`: `shape`, `entries`; `lower` with
            `kind` `none`, `minor` (rows, cols), `cycle` (cells, neighbours share a row and a column in turn)
            or `zero` (three cells); `upper` with `rank`, `left` (m x rank) and `right` (rank x n).
    """

    lower: int
    upper: int
    evidence: Mapping[str, Any]

    def completion(self) -> list[list[Fraction]]:
        """A completion of rank at most `upper`; shape (m, n)."""
        rows, cols = self.evidence["shape"]
        above = self.evidence["upper"]
        left = [[parse_ratio(v) for v in row] for row in above["left"]]
        right = [[parse_ratio(v) for v in row] for row in above["right"]]
        return [
            [sum((left[i][k] * right[k][j] for k in range(self.upper)), Fraction(0)) for j in range(cols)]
            for i in range(rows)
        ]


def minimum_rank_bounds(observations: Observations, tries: int = 8, seed: int = 0) -> RankBounds:
    """Bound the smallest rank of all completions of the observations.

    Args:
        observations: m x n.
        tries: how often each rank is tried with new random numbers.
        seed: of these random numbers.

    Returns:
        Bounds with evidence; both are true whatever the search finds.
    """
    known = observations.values
    m, n = observations.rows, observations.cols
    lower = 0
    reason: dict[str, Any] = {"kind": "none"}
    pieces: list[tuple[Component, Factors]] = []
    for part in components(observations.pattern):
        values = {cell: known[cell] for cell in part.cells}
        bound, why = _below(part, values)
        if bound > lower:
            lower, reason = bound, why
        pieces.append((part, _above(part, values, bound, tries, seed)))
    across = _zero_across(observations)
    if lower == 1 and across is not None:
        lower, reason = 2, {"kind": "zero", "cells": [list(cell) for cell in across]}
    upper = max(len(right) for _, (_, right) in pieces)
    left = [[Fraction(0)] * upper for _ in range(m)]
    right = [[Fraction(0)] * n for _ in range(upper)]
    for part, (u, v) in pieces:
        for a, i in enumerate(part.rows):
            left[i][: len(u[a])] = u[a]
        for k, row in enumerate(v):
            for b, j in enumerate(part.cols):
                right[k][j] = row[b]
    data = observations.to_data()
    evidence = {
        "kind": "rank",
        "shape": data["shape"],
        "entries": data["entries"],
        "lower": reason,
        "upper": {
            "rank": upper,
            "left": [[ratio_text(v) for v in row] for row in left],
            "right": [[ratio_text(v) for v in row] for row in right],
        },
    }
    return RankBounds(lower, upper, evidence)


# ------------------------------------------------------------------------------------------- lower bounds


def _below(part: Component, values: Values) -> tuple[int, dict[str, Any]]:
    best, rows, cols = _best_minor(part, values)
    if best <= 1:
        walk = _bad_walk(part, values)
        if walk is not None:
            return 2, {"kind": "cycle", "cells": [list(cell) for cell in walk]}
    if best == 0:
        return 0, {"kind": "none"}
    return best, {"kind": "minor", "rows": rows, "cols": cols}


def _best_minor(part: Component, values: Values) -> tuple[int, list[int], list[int]]:
    """A completely observed submatrix of the largest rank among those tried, cut down to a non-zero minor."""
    flip = len(part.rows) > len(part.cols)
    lines: dict[int, set[int]] = {}
    for i, j in part.cells:
        lines.setdefault(j if flip else i, set()).add(i if flip else j)

    def table(own: Sequence[int], other: Sequence[int]) -> list[list[Fraction]]:
        return [[values[(j, i) if flip else (i, j)] for j in other] for i in own]

    best: tuple[int, list[int], list[int]] = (0, [], [])
    for own in _subsets(lines):
        shared = sorted(set.intersection(*(lines[i] for i in own)))
        if min(len(own), len(shared)) <= best[0]:
            continue
        block = table(own, shared)
        if _flint(block).rank() > best[0]:
            across = _pivots(block)[0]
            picked = _pivots([list(c) for c in zip(*block, strict=True)])[0]
            best = (len(picked), [own[a] for a in picked], [shared[b] for b in across])
    return (best[0], best[2], best[1]) if flip else best


def _subsets(lines: Mapping[int, set[int]]) -> list[tuple[int, ...]]:
    """Sets of lines to be tried: all if they are few, else grown greedily from each line and each pair."""
    names = sorted(lines)
    if 2 ** len(names) <= MAX_SUBSETS:
        return [s for size in range(len(names), 0, -1) for s in combinations(names, size)]
    starts = [(i,) for i in names] + list(combinations(names, 2))
    tried: list[tuple[int, ...]] = []
    for start in starts[: MAX_SUBSETS // 16]:
        chosen, shared = list(start), set.intersection(*(lines[i] for i in start))
        while shared:
            tried.append(tuple(chosen))
            rest = [i for i in names if i not in chosen]
            if not rest or len(chosen) >= len(shared):
                break
            best = max(rest, key=lambda i: len(shared & lines[i]))
            chosen.append(best)
            shared = shared & lines[best]
    return sorted({tuple(sorted(s)) for s in tried}, key=lambda s: (-len(s), s))


def _flint(block: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    flat = [fmpq(v.numerator, v.denominator) for row in block for v in row]
    return fmpq_mat(len(block), len(block[0]), flat)


def _pivots(block: Sequence[Sequence[Fraction]]) -> tuple[list[int], list[list[Fraction]]]:
    """Indices of columns that form a basis of the column space, and the non-zero rows of the reduced
    echelon form.
    """
    reduced, rank = _flint(block).rref()
    rows = [[Fraction(int(v.p), int(v.q)) for v in row] for row in reduced.tolist()[:rank]]
    return [next(k for k, v in enumerate(row) if v) for row in rows], rows


def _bad_walk(part: Component, values: Values) -> list[Cell] | None:
    """A closed walk whose alternating products differ, through cells that are not zero but perhaps one."""
    edges: dict[tuple[str, int], list[tuple[str, int]]] = {}
    parent: dict[tuple[str, int], tuple[str, int] | None] = {}
    depth: dict[tuple[str, int], int] = {}
    for (i, j), value in values.items():
        if value:
            edges.setdefault(("row", i), []).append(("col", j))
            edges.setdefault(("col", j), []).append(("row", i))
    for root in sorted(edges):
        if root in parent:
            continue
        parent[root], depth[root], queue = None, 0, [root]
        for vertex in queue:
            for other in edges[vertex]:
                if other not in parent:
                    parent[other], depth[other] = vertex, depth[vertex] + 1
                    queue.append(other)
    for i, j in part.cells:
        one, two = ("row", i), ("col", j)
        if one not in parent or two not in parent:
            continue
        path_one, path_two = [one], [two]
        while path_one[-1] != path_two[-1]:
            longer = path_one if depth[path_one[-1]] >= depth[path_two[-1]] else path_two
            up = parent[longer[-1]]
            if up is None:
                break
            longer.append(up)
        if path_one[-1] != path_two[-1]:
            continue
        vertices = path_one + path_two[-2::-1]  # from the row over the tree to the column
        cells = [(i, j)]
        for a, b in pairwise(vertices):
            cells.append((a[1], b[1]) if a[0] == "row" else (b[1], a[1]))
        if len(cells) < 4:
            continue
        products = [Fraction(1), Fraction(1)]
        for k, cell in enumerate(cells):
            products[k % 2] *= values[cell]
        if products[0] != products[1]:
            return cells
    return None


def _zero_across(observations: Observations) -> tuple[Cell, Cell, Cell] | None:
    """An observed zero in a row and a column that each hold an observed entry that is not zero."""
    in_row: dict[int, Cell] = {}
    in_col: dict[int, Cell] = {}
    for i, j, value in observations.entries:
        if value:
            in_row.setdefault(i, (i, j))
            in_col.setdefault(j, (i, j))
    for i, j, value in observations.entries:
        if not value and i in in_row and j in in_col:
            return (i, j), in_row[i], in_col[j]
    return None


# ------------------------------------------------------------------------------------------- upper bounds


def _above(part: Component, values: Values, bound: int, tries: int, seed: int) -> Factors:
    """Factors of the smallest rank found that agree with the values."""
    rank_one = _rank_one(part, values)
    if rank_one is not None:
        return rank_one
    side = min(len(part.rows), len(part.cols))
    filled = _zero_fill(part, values)
    limit = min(side, len(filled[1]))
    for rank in range(max(bound, 2), limit):
        for attempt in range(tries):
            found = _grow(part, values, rank, attempt, seed)
            if found is not None:
                return found
    return filled


def _rank_one(part: Component, values: Values) -> Factors | None:
    """Factors of rank at most one, if there are any."""
    u: dict[int, Fraction] = {}
    v: dict[int, Fraction] = {}
    rows: dict[int, list[tuple[int, Fraction]]] = {}
    cols: dict[int, list[tuple[int, Fraction]]] = {}
    for (i, j), value in values.items():
        if value:
            rows.setdefault(i, []).append((j, value))
            cols.setdefault(j, []).append((i, value))
    for start in sorted(rows):
        if start in u:
            continue
        u[start] = Fraction(1)
        queue = [start]
        while queue:
            i = queue.pop()
            for j, value in rows[i]:
                if j not in v:
                    v[j] = value / u[i]
                    for k, other in cols[j]:
                        if k not in u:
                            u[k] = other / v[j]
                            queue.append(k)
    zero = Fraction(0)
    if any(u.get(i, zero) * v.get(j, zero) != value for (i, j), value in values.items()):
        return None
    if not u:
        return [[] for _ in part.rows], []
    return [[u.get(i, zero)] for i in part.rows], [[v.get(j, zero) for j in part.cols]]


def _zero_fill(part: Component, values: Values) -> Factors:
    """Factors of the component with zeros in its open cells, of exact rank."""
    table = [[values.get((i, j), Fraction(0)) for j in part.cols] for i in part.rows]
    pivots, echelon = _pivots(table)
    return [[row[k] for k in pivots] for row in table], echelon


def _grow(part: Component, values: Values, rank: int, attempt: int, seed: int) -> Factors | None:
    """Try to find factors of a given rank, one row of U or column of V at a time."""
    rng = random.Random(f"{seed}/{rank}/{attempt}")
    near: dict[tuple[int, int], dict[tuple[int, int], Fraction]] = {}
    for (i, j), value in values.items():
        near.setdefault((0, i), {})[1, j] = value
        near.setdefault((1, j), {})[0, i] = value
    orders = (_few_first, _many_first, sorted, _columns_first)
    order = orders[attempt % 4](near)
    placed: dict[tuple[int, int], list[Fraction]] = {}
    for vertex in order:
        fixed = [(placed[other], value) for other, value in near[vertex].items() if other in placed]
        solution = _solve([list(vector) for vector, _ in fixed], [value for _, value in fixed], rng, rank)
        if solution is None or max(v.denominator.bit_length() for v in solution) > MAX_BITS:
            return None
        placed[vertex] = solution
    left = [placed[0, i] for i in part.rows]
    right = [[placed[1, j][k] for j in part.cols] for k in range(rank)]
    return left, right


def _few_first(near: Mapping[tuple[int, int], Mapping[tuple[int, int], Fraction]]) -> list[tuple[int, int]]:
    """An order in which every vertex has few earlier neighbours: the reverse of taking away the smallest
    degree.
    """
    degree = {vertex: len(others) for vertex, others in near.items()}
    order = []
    while degree:
        vertex = min(degree, key=lambda v: (degree[v], v))
        del degree[vertex]
        order.append(vertex)
        for other in near[vertex]:
            if other in degree:
                degree[other] -= 1
    return order[::-1]


def _columns_first(
    near: Mapping[tuple[int, int], Mapping[tuple[int, int], Fraction]],
) -> list[tuple[int, int]]:
    """All columns of V before all rows of U: short numbers, at a rank of the largest number of cells in a
    row.
    """
    return sorted(near, reverse=True)


def _many_first(near: Mapping[tuple[int, int], Mapping[tuple[int, int], Fraction]]) -> list[tuple[int, int]]:
    """An order in which the next vertex has the most earlier neighbours."""
    order: list[tuple[int, int]] = []
    count = dict.fromkeys(near, 0)
    while count:
        vertex = max(count, key=lambda v: (count[v], len(near[v]), (-v[0], -v[1])))
        del count[vertex]
        order.append(vertex)
        for other in near[vertex]:
            if other in count:
                count[other] += 1
    return order


def _solve(
    rows: list[list[Fraction]], values: list[Fraction], rng: random.Random, width: int
) -> list[Fraction] | None:
    """A solution x of rows x = values with free unknowns drawn at random; None if there is none."""
    if not rows:
        return [Fraction(rng.choice(_FREE)) for _ in range(width)]
    pivots, table = _pivots([[*row, value] for row, value in zip(rows, values, strict=True)])
    if pivots and pivots[-1] == width:
        return None
    free = set(range(width)) - set(pivots)
    solution = [Fraction(rng.choice(_FREE)) if k in free else Fraction(0) for k in range(width)]
    for row, col in zip(table, pivots, strict=True):
        solution[col] = row[width] - sum((row[k] * solution[k] for k in free), Fraction(0))
    return solution
