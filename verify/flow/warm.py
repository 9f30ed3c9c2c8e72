"""The limit from a ball of starts: a warm start that is known only up to a certified error.

A certificate says in `begin` that the start lies within an error of a point. If that error also covers a ball, every
later bound holds for each start in the ball, so :mod:`verify.flow.recheck` accepts the certificate as it is, and what
it proves is true of all of them.
"""

from __future__ import annotations

from fractions import Fraction

from verify.flow import deadline
from verify.flow.validated import Problem, Result, enclose_ball


def from_ball(problem: Problem, radius: Fraction, digits: int, stop: Fraction | None = None, max_steps: int = 4000) -> Result:
    """Enclose where gradient flow goes from every start within `radius` (Euclidean, over all factors) of the problem's.

    Args:
        problem: its start is the centre of the ball.
        radius: not negative. digits, max_steps: as for :func:`~verify.flow.validated.certified_limit`.
        stop: a time, or None for infinity.

    The digits that can be reached are bounded by the radius: where `digits` cannot be had, fewer are tried; `achieved` says
    how many are certain.
    """
    if radius < 0:
        raise ValueError(f"a negative radius: {radius}")
    first: Result | None = None
    for wanted in sorted({digits, digits * 2 // 3, digits // 3, 1} - {0}, reverse=True):
        result = enclose_ball(problem, radius, wanted, stop, max_steps)
        if result.certified:
            return result
        first = first or result
        if deadline.passed() or "digits" not in result.reason:  # fewer digits would not help
            break
    assert first is not None
    return first
