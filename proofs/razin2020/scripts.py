"""Small proof scripts that several modules share."""

from __future__ import annotations

from typing import Any

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


def with_name(g: Goal, h: str, equation: str) -> str:
    """The hypothesis with the variable in the place of what it equals."""
    _, variable, meant = g.hyp_formula(equation)

    def put(f: Any) -> Any:
        if not isinstance(f, tuple):
            return f
        if f[: len(meant)] == meant:  # also as the first factors of a longer product
            return ("*", variable, *f[len(meant) :]) if len(f) > len(meant) else variable
        return tuple(put(a) for a in f)

    return g.have(put(g.hyp_formula(h)), lambda g: (only(g, h, equation), g.rewrite(equation), g.pos([f"@{h}"]))[-1])
