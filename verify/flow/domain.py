"""Which numbers `verify flow` takes with the validated engine: what is outside is refused in one line, before any work.

The engine itself is sound for all numbers. Outside of the domain of integration an answer takes hours: digits grow with the
sensitivity of the limit to a small start, and a large start is a stiff problem. Closed forms take all numbers that a certificate
can hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from verify.completion.observations import Observations
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


LONGEST = 12_000
"""The most bits of an exact number, which is written into a certificate."""


def refuse_long(observations: Observations, factors: Sequence[Sequence[Sequence[Fraction]]], time: Fraction | None) -> None:
    """Raise InputError for numbers that certificates cannot hold."""
    for place, value in placed(observations, factors, time):
        if value.numerator.bit_length() + value.denominator.bit_length() > LONGEST:
            bound = LONGEST // 4
            about = f"is {_about(value)}" if abs(log2_fraction(value)) > LONGEST / 2 else "is too long"
            raise InputError(f"{place} {about}; the validated engine takes numbers from 1e-{bound} to 1e{bound}")


def placed(observations: Observations, factors: Any, time: Fraction | None) -> Iterator[tuple[str, Fraction]]:
    """All numbers of a question with their places in words."""
    yield from ((f"the value in row {i + 1}, column {j + 1}", v) for i, j, v in observations.entries)
    for level, factor in enumerate(factors, 1):
        for i, row in enumerate(factor, 1):
            yield from ((f"entry ({i}, {j}) of the start W_{level}", v) for j, v in enumerate(row, 1))
    if time is not None:
        yield "the time", time


def refuse_for_doubles(observations: Observations, factors: Sequence[Sequence[Sequence[Fraction]]]) -> None:
    """Raise InputError for numbers that no double holds."""
    for place, value in placed(observations, factors, None):
        if log2_fraction(value) > 1000:
            raise InputError(f"{place} is {_about(value)}; the float64 engine takes values to 1e150")


def refuse(problem: Problem, stop: Fraction | None) -> None:
    """Raise InputError for numbers that are too large or too small, or too far from each other."""
    model, told = problem.model, "the validated engine takes "
    if not isinstance(model, LeastSquares):
        return
    depth = len(model.shapes)
    size = max((abs(v) for b in problem.start for v in b.flat), default=Fraction(0))
    place = max(model.observed, key=lambda cell: abs(model.target[cell]))
    data = abs(model.target[place])
    far = WIDEST * LOG2_10
    if data and abs(log2_fraction(data)) > far:
        where = f"the largest observed value, in row {place[0] + 1}, column {place[1] + 1}"
        raise InputError(f"{where}, is {_about(model.target[place])}; {told}values from 1e-{WIDEST} to 1e{WIDEST}")
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
    """A number of any size but zero, roughly."""
    log = log2_fraction(abs(value)) / LOG2_10
    power = math.floor(log + 1e-9)
    return f"{'-' if value < 0 else ''}{10 ** (log - power):.2g}e{power}"
