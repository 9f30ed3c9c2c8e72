"""Small proof scripts that several modules share."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script


def only(g: Goal, *names: str) -> None:
    """Drop all hypotheses but these."""
    g.clear(*[h for h in g.seq.hyps if h not in names])


def using(h: str) -> Script:
    """Close the goal by the hypothesis h."""
    return lambda g: g.close_by(h)


def nested(g: Goal, first: Script | None, *rest: Script | None) -> None:
    """Close `a and (b and (c and ...))` by one script for each; None is auto."""
    if not rest:
        g.run(first)
        return
    g.conj(first, lambda g: nested(g, *rest))
