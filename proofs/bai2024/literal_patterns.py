"""Patterns given by their entries: what holds of them by a finite check, and outside by convention."""

from __future__ import annotations

from proofs.bai2024.graphs import RECTANGLES
from verify.kernel import Goal

BOX = "1 <= {0} and {0} <= {1}"


def binary(g: Goal, pattern: str, size: int) -> str:
    """Adds: the entries of the pattern, a literal square matrix, are 0 or 1."""
    box = " and ".join(BOX.format(v, size) for v in "ij")

    def prove(g: Goal) -> None:
        inside = g.have(f"all i j:Z. {box} => {pattern}[i,j] = 0 or {pattern}[i,j] = 1", lambda g: g.compute())
        outside = g.fact("entry_outside", size, size, pattern)
        g.fix("i", "j")

        def far(g: Goal) -> None:
            h = list(g.seq.hyps)[-1]
            z = g.apply(outside, "i", "j", by=[lambda g: g.close_by(h)])
            g.left_or_right(0)
            g.close_by(z)

        def near(g: Goal) -> None:
            g.split(list(g.seq.hyps)[-1])
            g.close_by(g.apply(inside, "i", "j"))

        g.em(f"i < 1 or {size} < i or j < 1 or {size} < j", far, near)

    return g.have(f"all i j:Z. {pattern}[i,j] = 0 or {pattern}[i,j] = 1", prove)


def within(g: Goal, pattern: str, size: int, i: str, j: str, one: str) -> None:
    """Adds the bounds of i and j, as the entry of the pattern there is 1."""
    outside = g.fact("entry_outside", size, size, pattern)
    for bound in (f"1 <= {i}", f"{i} <= {size}", f"1 <= {j}", f"{j} <= {size}"):

        def absurd(g: Goal) -> None:
            g.contra()
            z = g.apply(outside, i, j)
            g.pos([], eqs=[(one, 1), (z, -1)])

        g.have(bound, absurd)


def rectangles(g: Goal, pattern: str, size: int) -> str:
    """Adds: three observed corners of a rectangle bring the fourth."""
    box = " and ".join(BOX.format(v, size) for v in "ijkl")
    corners = f"{pattern}[i,j] = 1 and {pattern}[i,l] = 1 and {pattern}[k,j] = 1"

    def prove(g: Goal) -> None:
        inside = g.have(f"all i j k l:Z. {box} => {corners} => {pattern}[k,l] = 1", lambda g: g.compute())
        g.fix("i", "j", "k", "l")
        h = g.assume()
        _, two, three = g.split(h)
        within(g, pattern, size, "i", "l", two)
        within(g, pattern, size, "k", "j", three)
        g.close_by(g.apply(inside, "i", "j", "k", "l", by=[None, lambda g: g.close_by(h)]))

    return g.have(RECTANGLES.replace("P[", f"{pattern}["), prove)
