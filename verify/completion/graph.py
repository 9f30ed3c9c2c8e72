"""The bipartite observation graph of a pattern.

Rows and columns of the matrix are vertices, an observed cell is an edge, and vertices without an edge are
removed. A pattern is connected if this graph is (Bai, Zhao and Zhang 2024, Definitions 1 to 3; Shin and Yun
2025, Definition 8). A pattern without any observation has no vertices and is neither connected nor
disconnected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from verify.completion.observations import Cell, ObservationError, Pattern

Kind = Literal["empty", "connected", "complete-bipartite-components", "disconnected"]


@dataclass(frozen=True)
class Component:
    """A connected component: its rows, columns and observed cells, each sorted and not empty."""

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    cells: tuple[Cell, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every row of the component is observed in every column of it (a complete bipartite
        graph).
        """
        return len(self.cells) == len(self.rows) * len(self.cols)

    @property
    def is_tree(self) -> bool:
        """Whether the component has no cycle."""
        return len(self.cells) == len(self.rows) + len(self.cols) - 1


def components(pattern: Pattern) -> tuple[Component, ...]:
    """Connected components of the observation graph, in the order of their first rows; isolated vertices
    are dropped.
    """
    in_row: dict[int, list[int]] = {}
    in_col: dict[int, list[int]] = {}
    for i, j in pattern.cells:
        in_row.setdefault(i, []).append(j)
        in_col.setdefault(j, []).append(i)
    found: list[Component] = []
    seen: set[int] = set()
    for start in sorted(in_row):
        if start in seen:
            continue
        rows, cols, queue = {start}, set[int](), [start]
        while queue:
            for j in in_row[queue.pop()]:
                if j not in cols:
                    cols.add(j)
                    fresh = [i for i in in_col[j] if i not in rows]
                    rows.update(fresh)
                    queue.extend(fresh)
        seen |= rows
        cells = tuple((i, j) for i in sorted(rows) for j in sorted(in_row[i]))
        found.append(Component(tuple(sorted(rows)), tuple(sorted(cols)), cells))
    return tuple(found)


def is_connected(pattern: Pattern) -> bool:
    """Whether the observation graph is connected.

    Raises:
        ObservationError: no cell is observed; the graph is empty.
    """
    if not pattern.cells:
        raise ObservationError("no observed entry; connectivity needs at least one")
    return len(components(pattern)) == 1


def kind(pattern: Pattern) -> Kind:
    """What sort of pattern this is; a disconnected one with complete bipartite components only is named so.

    Source: Bai, Zhao and Zhang 2024, Definition 3. A connected complete pattern is `connected`.
    """
    parts = components(pattern)
    if not parts:
        return "empty"
    if len(parts) == 1:
        return "connected"
    return "complete-bipartite-components" if all(p.is_complete for p in parts) else "disconnected"


def is_fully_disconnected(pattern: Pattern) -> bool:
    """Whether every component is a single observation in a square matrix with one in each row and each
    column.
    """
    ends = range(pattern.rows)
    return (
        pattern.rows == pattern.cols
        and [i for i, _ in pattern.cells] == list(ends)
        and sorted(j for _, j in pattern.cells) == list(ends)
    )


def adjacency(pattern: Pattern) -> tuple[tuple[int, ...], ...]:
    """Adjacency matrix [[0, P^T], [P, 0]] of the graph, isolated vertices still in it.

    Shape (cols + rows, cols + rows): vertex k < cols is column k, vertex cols + i is row i.
    """
    size, shift = pattern.cols + pattern.rows, pattern.cols
    table = [[0] * size for _ in range(size)]
    for i, j in pattern.cells:
        table[j][shift + i] = table[shift + i][j] = 1
    return tuple(map(tuple, table))


def isolated(pattern: Pattern) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Rows and columns without an observation."""
    rows, cols = {i for i, _ in pattern.cells}, {j for _, j in pattern.cells}
    return (
        tuple(i for i in range(pattern.rows) if i not in rows),
        tuple(j for j in range(pattern.cols) if j not in cols),
    )


def augmented(
    left: Sequence[Sequence[Fraction]], right: Sequence[Sequence[Fraction]]
) -> tuple[tuple[Fraction, ...], ...]:
    """[A^T, B] for factors A (m x r) and B (r x n): shape (r, m + n), rank the dimension of row(A) + col(B).

    Raises:
        ObservationError: the inner widths differ.
    """
    width = len(right)
    if any(len(row) != width for row in left):
        raise ObservationError(
            f"the left factor has rows of another length than the {width} rows of the right one"
        )
    return tuple(tuple(row[k] for row in left) + tuple(right[k]) for k in range(width))


def exact_rank(matrix: Sequence[Sequence[Fraction]]) -> int:
    """Rank of a matrix of exact numbers, by elimination without rounding."""
    rows = [[Fraction(v) for v in row] for row in matrix]
    rank = 0
    for col in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][col]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        top = rows[rank]
        for row in rows[rank + 1 :]:
            if row[col]:
                factor = row[col] / top[col]
                row[col:] = [v - factor * w for v, w in zip(row[col:], top[col:], strict=True)]
        rank += 1
    return rank
