"""Enclosures of real numbers: two exact rationals with the number between them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from verify.completion.observations import ObservationError, ratio_text


@dataclass(frozen=True)
class Enclosure:
    """A closed interval with rational ends, lower <= upper."""

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ObservationError("an enclosure with its ends in the wrong order")

    @property
    def width(self) -> Fraction:
        """upper - lower."""
        return self.upper - self.lower

    @property
    def middle(self) -> Fraction:
        """(lower + upper) / 2."""
        return (self.lower + self.upper) / 2

    def __contains__(self, value: Any) -> bool:
        return self.lower <= Fraction(value) <= self.upper

    def to_data(self) -> list[str]:
        """Plain data: both ends as `p` or `p/q`."""
        return [ratio_text(self.lower), ratio_text(self.upper)]

    def decimal(self, digits: int = 30) -> str:
        """At most `digits` significant digits with an error bound, as Arb writes it."""
        with precision(4 * digits + 64):
            return str(self.ball().str(digits))

    def ball(self) -> arb:
        """A ball at the working precision that contains the interval."""
        lower, upper = rational_ball(self.lower), rational_ball(self.upper)
        return lower.union(upper)

    @classmethod
    def of_ball(cls, ball: arb) -> Enclosure:
        """The exact ends of a ball.

        Raises:
            ObservationError: the ball is not finite.
        """
        if not ball.is_finite():
            raise ObservationError("an enclosure that is not finite; a higher precision is needed")
        middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
        return cls(middle - radius, middle + radius)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """FLINT's working precision within a block; what was set before comes back afterwards."""
    with ctx.workprec(bits):
        yield


def rational_ball(value: Fraction) -> arb:
    """A ball at the working precision that contains a rational."""
    return arb(fmpq(value.numerator, value.denominator))


def _dyadic(exact: arb) -> Fraction:
    mantissa, exponent = (int(fmpz(v)) for v in exact.man_exp())
    return Fraction(mantissa * 2**exponent) if exponent >= 0 else Fraction(mantissa, 2**-exponent)
