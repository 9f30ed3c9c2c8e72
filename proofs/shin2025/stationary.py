"""Stationary flows with zero loss, as counterexamples: the factors do not move because the residual vanishes."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script


def close_all(g: Goal, *scripts: Script | None) -> None:
    """Close a conjunction nested to the right, script by script."""
    for s in scripts[:-1]:
        first, rest = g.step("and")
        first.run(s)
        g.become(rest)
    g.run(scripts[-1])


def still(power: str, ws: str) -> Script:
    """The flow of a product with the right diagonal: the masked residual is 0."""

    def script(g: Goal) -> None:
        g.intro()
        h = g.have(f"had(I(2), {power} - ({ws})*I(2)) = O(2,2)", lambda g: g.ext(lambda g: g.field()))
        g.rewrite(h)
        g.nc()

    return script


def constant_limit(matrix: str) -> Script:
    """A constant 2 x 2 matrix function tends to its value."""

    def script(g: Goal) -> None:
        g.intro()
        _, back = g.split(g.fact("tends_matrix", "2", "2", matrix, f"lam t:R. {matrix}"))
        c = g.fact("tends_const", "0")
        del c

        def entries(g: Goal) -> None:
            g.intro()
            k = g.fact("tends_const", f"({matrix})[i,j]")
            g.exact(k)

        k = g.apply(back, by=[entries])
        g.exact(k)

    return script
