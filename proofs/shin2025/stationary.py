"""Stationary flows with zero loss, as counterexamples: the factors do not move."""

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


def elementwise(g: Goal) -> None:
    """An equation of matrices of literal shape."""
    g.ext(lambda g: g.field())


def stationary_flow(g: Goal) -> None:
    g.auto()
