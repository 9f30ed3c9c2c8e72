"""Small proof scripts that several modules share."""

from __future__ import annotations

from verify.kernel import Goal


def only(g: Goal, *names: str) -> None:
    """Drop all hypotheses but these."""
    g.clear(*[h for h in g.seq.hyps if h not in names])
