"""The limit from a ball of starts: a warm start that is known only up to a certified error.

A certificate says in `begin` that the start lies within an error of a point. If that error also covers a ball, every
later bound holds for each start in the ball, so :mod:`verify.flow.recheck` accepts the certificate as it is, and what
it proves is true of all of them.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from verify.flow import deadline
from verify.flow.balls import ball, dyadic, encode, magnitude, precision
from verify.flow.validated import LOG2_10, Problem, Result, _guess_growth, _Run, _Stopped


class _BallRun(_Run):
    """A run whose first error covers a ball of the given radius around the start."""

    def __init__(self, spread: Fraction, *args: Any):
        self._spread = spread
        super().__init__(*args)

    def _begin(self) -> None:
        super()._begin()
        with precision(30):
            self.error = magnitude(self.error + magnitude(ball(self._spread)))
        self.begin["error"] = encode(dyadic(self.error))


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
        result = _attempt(problem, radius, wanted, stop, max_steps)
        if result.certified:
            return result
        first = first or result
        if deadline.passed():
            break
    assert first is not None
    return first


def _attempt(problem: Problem, radius: Fraction, digits: int, stop: Fraction | None, max_steps: int) -> Result:
    extra, want = _guess_growth(problem), math.ceil(digits * LOG2_10) + 3
    run, reason = None, ""
    for _ in range(3):
        run = _BallRun(radius, problem, digits, want, extra, stop, max_steps)
        try:
            run.go()
        except _Stopped as stopped:
            reason = str(stopped)
            if stopped.more == 0 or deadline.passed():
                break
            extra += stopped.more
            continue
        result = run.result("certified", "", digits)
        if result.achieved >= digits:
            return result
        reason = f"{result.achieved} of {digits} digits"
        want += math.ceil((digits - result.achieved) * LOG2_10) + 4
    assert run is not None
    return run.result("undetermined", reason, digits)
