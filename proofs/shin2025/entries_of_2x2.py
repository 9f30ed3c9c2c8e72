"""Case distinctions over the entries of a 2 x 2 matrix."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.graphs import by_values
from proofs.shin2025.decoupled_factors import last
from verify.kernel import Goal


def by_entry(g: Goal, case: Callable[[Goal, str, int, str, int], None]) -> None:
    """The four values of i and j, known to be 1 or 2: `case` gets the equation and the value of i, then those of j."""

    def row(g: Goal, i: int) -> None:
        hi = last(g)
        by_values(g, "j", 1, 2, lambda g, j: case(g, hi, i, last(g), j))

    by_values(g, "i", 1, 2, row)


def at_each_entry(g: Goal, close: Callable[[Goal, int, int], None]) -> None:
    """The four values of i and j, written out in the conclusion."""

    def case(g: Goal, hi: str, i: int, hj: str, j: int) -> None:
        g.rewrite(hi)
        g.rewrite(hj)
        close(g, i, j)

    by_entry(g, case)


def at_different_rows(g: Goal, differ: str) -> None:
    """Close an equation about two rows i and x, known to be 1 or 2, that are different (`differ`): it is one of numbers."""

    def row(g: Goal, v: int) -> None:
        p = last(g)

        def other(g: Goal, w: int) -> None:
            q = last(g)
            if v == w:
                k = g.have("i = x", lambda g: g.field((p, 1), (q, -1)))
                g.clash(k, differ)
            else:
                g.rewrite(p)
                g.rewrite(q)
                g.field()

        by_values(g, "x", 1, 2, other)

    by_values(g, "i", 1, 2, row)
