"""Warm and cold starts of the 2 x 2 tasks of Figures 10 to 12, as certified limits at t = infinity.

Depth 2, initialisation (7) with scale alpha = 10^-35. Pre-training observes the diagonal. Row i of A and column i of B start
equal to alpha v_i with v_1 = (1, 1/m), v_2 = (1/m, 1), and only they are in the loss of the entry (i, i): both follow
u' = (w_ii - |u|^2) u, which keeps the direction, so that they end at sqrt(w_ii) v_i/|v_i| whatever alpha is. The warm start
is known in closed form. Where it is irrational the runs start from a ball around a rational point that contains it.

Each limit is an enclosure by the validated engine; it counts only after the checker accepted its certificate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from proofs.shin2025.warm_start_tasks import SCALE, Ratio, Task
from verify.completion.observations import Observations
from verify.flow.ask import Question, answer
from verify.flow.balls import precision
from verify.flow.facts import spectrum_of
from verify.flow.starts import Factor

Ball = Any
"""An `arb`: a midpoint with a radius, which contains the exact value."""

BITS, DIGITS = 256, 50
"""Precision and decimals of what is recorded."""


def data(task: Task, corner: bool) -> Observations:
    """The diagonal, with or without the entry (1, 2)."""
    entries = [(0, 0, task.w11), (1, 1, task.w22)]
    if corner:
        entries.insert(1, (0, 1, task.w12))
    return Observations(2, 2, tuple(entries))


STAGES = ("pre-trained", "warm", "cold")


@dataclass(frozen=True, slots=True)
class Limit:
    """What is told of the end of a run: enclosures of the ranks and of the entry (2, 1)."""

    effective: Ball
    stable: Ball
    w21: Ball

    def to_data(self) -> dict[str, str]:
        """Plain data: text that is read back as an enclosure of the same numbers."""
        with precision(BITS):
            return {name: str((getattr(self, name) + 0).str(DIGITS)) for name in ("effective", "stable", "w21")}

    @classmethod
    def from_data(cls, data: dict[str, str]) -> Limit:
        """The enclosures again, rounded outwards."""
        with precision(BITS):
            return cls(*(arb(data[name]) for name in ("effective", "stable", "w21")))


@dataclass(frozen=True, slots=True)
class Row:
    """The runs for one m: after pre-training, after the warm start, after the cold start."""

    m: Ratio
    pretrained: Limit
    warm: Limit
    cold: Limit

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        limits = (self.pretrained, self.warm, self.cold)
        return {"m": None if self.m is None else str(self.m), **{s: x.to_data() for s, x in zip(STAGES, limits, strict=True)}}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Row:
        """The row again."""
        m = None if data["m"] is None else Fraction(data["m"])
        return cls(m, *(Limit.from_data(data[s]) for s in STAGES))


class NotCertified(ArithmeticError):
    """A limit was not enclosed, or its certificate was refused."""


def initial(m: Ratio, scale: Fraction = SCALE) -> tuple[Factor, Factor]:
    """(7), both factors."""
    off = Fraction(0) if m is None else scale / m
    factor = ((scale, off), (off, scale))
    return factor, factor


def pretrained(task: Task, m: Ratio, digits: int) -> tuple[tuple[Factor, Factor], Fraction]:
    """(W_1, W_2) = (B, A) at the end of pre-training, rounded, and a bound of the Euclidean distance to the exact point."""
    off = Fraction(0) if m is None else 1 / m
    unit = Fraction(1, 10 ** (digits + 40))
    sizes = [root_below(w / (1 + off * off), unit) for w in (task.w11, task.w22)]
    exact = all(size * size * (1 + off * off) == w for size, w in zip(sizes, (task.w11, task.w22), strict=True))
    one, two = (sizes[0], sizes[0] * off), (sizes[1] * off, sizes[1])
    a, b = (one, two), ((one[0], two[0]), (one[1], two[1]))
    return (b, a), Fraction(0) if exact else 8 * unit


def root_below(value: Fraction, unit: Fraction) -> Fraction:
    """The square root of a positive number rounded down to a multiple of `unit` = 1/n; exact if it is such a multiple."""
    return math.isqrt(int(value / unit**2)) * unit


def run(task: Task, factors: tuple[Factor, Factor], spread: Fraction, digits: int, corner: bool = True) -> Limit:
    """The limit of the flow, certified to the wanted digits. Raises NotCertified."""
    question = Question(data(task, corner), 2, factors, digits, None, "validated", spread, 1000)
    found = answer(question)
    spectrum = spectrum_of(question, found)
    if not found.certified or found.digits < digits or not found.exact_loss or spectrum is None:
        raise NotCertified(found.reason or f"{found.digits} of {digits} digits")
    return Limit(spectrum.effective, spectrum.stable, found.product[1, 0])


def before(task: Task, m: Ratio, digits: int) -> Limit:
    """The end of pre-training, by integration from scale alpha: a check of the closed form."""
    return run(task, initial(m), Fraction(0), digits, corner=False)


def warm(task: Task, m: Ratio, digits: int) -> Limit:
    """The end of post-training from the pre-trained point."""
    factors, spread = pretrained(task, m, digits)
    return run(task, factors, spread, digits)


def cold(task: Task, m: Ratio, digits: int) -> Limit:
    """The end of training on all three entries from (7)."""
    return run(task, initial(m), Fraction(0), digits)


def estimated(task: Task, factors: tuple[Factor, Factor], digits: int) -> Ball:
    """The entry (2, 1) by high-precision Taylor series, an independent run without a guarantee. Raises NotCertified."""
    found = answer(Question(data(task, True), 2, factors, digits, None, "high-precision"))
    if found.status != "estimate":
        raise NotCertified(found.reason)
    return found.product[1, 0]
