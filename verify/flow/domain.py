"""Which numbers `verify flow` takes with the validated engine: what is outside is refused in one line, before any work.

The engine itself is sound for all numbers. Outside of this domain an answer takes hours: digits grow with the sensitivity
of the limit to a small start, and a large start is a stiff problem.
"""

from __future__ import annotations

import math
from fractions import Fraction

from verify.errors import InputError
from verify.flow.balls import log2_fraction
from verify.flow.models import LeastSquares
from verify.flow.validated import LOG2_10, Problem

WIDEST = 60
"""The largest observed value, and a time, are between 10^-WIDEST and 10^WIDEST (times may be longer)."""
HIGHEST = 30
"""The start is at most 10^HIGHEST times the root of the data."""
DEEPEST = 2000
"""The most bits of growth that a small start may have before it."""


def refuse(problem: Problem, stop: Fraction | None) -> None:
    """Raise InputError for numbers that are too large or too small, or too far from each other."""
    model, told = problem.model, "the validated engine takes "
    if not isinstance(model, LeastSquares):
        return
    depth = len(model.shapes)
    size = max((abs(v) for b in problem.start for v in b.flat), default=Fraction(0))
    data = max((abs(v) for v in model.target.flat if isinstance(v, Fraction)), default=Fraction(0))
    far = WIDEST * LOG2_10
    if data and abs(log2_fraction(data)) > far:
        raise InputError(f"the largest observed value is {_about(data)}; {told}values from 1e-{WIDEST} to 1e{WIDEST}")
    if size == 0 or data == 0:
        return
    goal = log2_fraction(data) / depth
    ratio = log2_fraction(size) - goal
    if ratio > HIGHEST * LOG2_10:
        top = _about(Fraction(2) ** math.floor(goal + HIGHEST * LOG2_10))
        raise InputError(f"the largest entry of the start is {_about(size)}; for these data {told}entries up to {top}")
    if -ratio * max(1, depth - 1) > DEEPEST:
        low = _about(Fraction(2) ** math.ceil(goal - DEEPEST / max(1, depth - 1)))
        told = f"for these data and depth {depth} {told}scales down to {low}"
        raise InputError(f"the largest entry of the start is {_about(size)}; {told}")
    if stop is not None and stop and not -far - 1 < log2_fraction(stop) < DEEPEST + 1:
        raise InputError(f"the time is {_about(stop)}; {told}times from 1e-{WIDEST} to 1e{math.floor(DEEPEST / LOG2_10)}")


def _about(value: Fraction) -> str:
    """A positive number of any size, roughly."""
    log = log2_fraction(value) / LOG2_10
    power = math.floor(log + 1e-9)
    return f"{10 ** (log - power):.2g}e{power}"
