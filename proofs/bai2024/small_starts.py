"""Gaussian starts of small standard deviation, as exact decimals from a recorded seed, and the flow of a 3 x 3 example from them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

PLACES = 6  # decimals of a normal deviate before it is scaled
Rows = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Start:
    """Both 3 x 3 factors, whose entries are normal deviates times 10^-exponent."""

    seed: int
    exponent: int
    a: Rows
    b: Rows

    @property
    def name(self) -> str:
        return f"from-seed-{self.seed}-scale-{self.exponent}"


def gaussian_start(seed: int, exponent: int) -> Start:
    """The factors drawn row by row, first A and then B, from the generator with this seed; each deviate has PLACES decimals."""
    draw = random.Random(seed)

    def factor() -> Rows:
        return tuple(
            tuple(Fraction(round(draw.gauss(0, 1) * 10**PLACES), 10 ** (PLACES + exponent)) for _ in "123") for _ in "123"
        )

    return Start(seed, exponent, factor(), factor())


def decimal(x: Fraction) -> str:
    """A decimal fraction as text."""
    places = 0
    while (x * 10**places).denominator != 1:
        places += 1
    digits = str(abs(x * 10**places).numerator).rjust(places + 1, "0")
    return ("-" if x < 0 else "") + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def matrix(rows: Rows) -> str:
    """A matrix of decimal fractions as text."""
    return "[" + ",".join("[" + ",".join(map(decimal, row)) + "]" for row in rows) + "]"


def flow(pattern: str, values: str, observed: int) -> str:
    """The gradient flow (3) of the loss (2) on the marked entries, for functions A and B of time."""
    residual = f"had({pattern}, A(t) @ B(t) - {values})"
    factor = f"2/{observed}"
    return f"(all t:R. 0 <= t => A'(t) = -({factor}*({residual} @ T(B(t)))) and B'(t) = -({factor}*(T(A(t)) @ {residual})))"


def learned(start: Start, equation: str, conclusion: str) -> str:
    """A statement about the flow from a start."""
    return f"(all A B:R~>M(3,3). A(0) = {matrix(start.a)} => B(0) = {matrix(start.b)} => {equation} => {conclusion})"
