"""The tasks of Figures 10 to 12, and the values of m at which they are run: plain data.

The text prints alpha = 10^-35 and m = infinity, but not the finite m: m = 1.1, 2, 10, 100, 10^6 are taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

SCALE = Fraction(1, 10**35)

Ratio = Fraction | None
"""m; None for m = infinity."""

RATIOS: tuple[Ratio, ...] = (Fraction(11, 10), Fraction(2), Fraction(10), Fraction(100), Fraction(10**6), None)

LARGE = Fraction(10)
"""From this m on the pre-trained model is called one of high rank: its effective rank is above 1.8."""


@dataclass(frozen=True, slots=True)
class Task:
    """The three observed entries."""

    w11: Fraction
    w12: Fraction
    w22: Fraction

    @property
    def truth(self) -> Fraction:
        """The entry (2, 1) of the completion of rank 1."""
        return self.w11 * self.w22 / self.w12


TASKS = {
    "figure-10": Task(Fraction(1), Fraction(1, 2), Fraction(1)),
    "figure-11": Task(Fraction(1), Fraction(10), Fraction(1)),
    "figure-12": Task(Fraction(1), Fraction(1, 2), Fraction(2)),
}


def ratio_name(m: Ratio) -> str:
    """m as it is read."""
    if m is None:
        return "infinity"
    return str(m.numerator) if m.denominator == 1 else str(float(m))


def is_large(m: Ratio) -> bool:
    """Whether m counts as large."""
    return m is None or m >= LARGE
