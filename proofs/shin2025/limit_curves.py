"""Rigorous enclosures of the limiting singular values of Theorem 4, for any scale, ratio, depth and dimension.

Put u = log(sigma_1^L / sigma_r^L) > 0, A = alpha^L and k = (L-2)/L. With sigma_1^L + (d-1) sigma_r^L = w* d,

    sigma_1^L = w* d / (1 + (d-1) e^-u),    sigma_r^L = e^-u sigma_1^L,

and (8), (9) are one equation, which in logarithms has no differences of nearly equal or huge numbers:

    h(u) = k log(1 + (d-1) e^-u) + log(e^(k u) - 1) = k log(w* d / A) + log((m/(m-1))^(L-2) (1 - q^(L-2))),
    q = (m-1)/(m+d-1).

h increases from -oo to +oo, since h'(u)/k = 1/(1 - e^(-k u)) - (d-1) e^-u/(1 + (d-1) e^-u), where the first term exceeds 1
and the second does not reach it. So a strict sign change encloses the root, which exists and is unique. The right side
decreases in A: u, and with it sigma_1^L and the gap, increases as the scale shrinks. At L = 2, u = -2 log q for every scale.

Everything that decides is an exact rational or a ball; a float never occurs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

Ball = Any
"""An `arb`: a midpoint with a radius, which contains the exact value."""

BITS = 192
WIDTH = 100
"""The half-width of u is first tried at u 2^-100."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A diagonal completion task of size d with target w*, from the initialisation (7) with ratio m and depth L."""

    target: Fraction
    dimension: int
    ratio: Fraction
    depth: int

    def __post_init__(self) -> None:
        if self.target <= 0 or self.dimension < 2 or self.ratio <= 1 or self.depth < 2:
            raise ValueError("Theorem 4 needs w* > 0, d >= 2, m > 1, L >= 2")


@dataclass(frozen=True, slots=True)
class Limit:
    """Enclosures of u and of what follows from it. All of the latter are monotone in u."""

    setting: Setting
    log_ratio: Ball
    largest: Ball
    other: Ball
    gap: Ball

    @property
    def width(self) -> Ball:
        """An upper bound of the widths of the enclosures of both singular values."""
        return (2 * (self.largest.rad() + self.other.rad())).upper()


@contextmanager
def precision(bits: int = BITS) -> Iterator[None]:
    """The working precision of balls, put back afterwards."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def ball(x: Fraction | int) -> Ball:
    """The ball of a rational."""
    x = Fraction(x)
    return arb(fmpq(x.numerator, x.denominator))


def limit(setting: Setting, power: Fraction | int) -> Limit:
    """The limiting singular values of the product from alpha^L = 10^power."""
    with precision():
        return _values(setting, log_ratio(setting, ball(power) * arb(10).log()))


def limit_from(setting: Setting, alpha: Fraction) -> Limit:
    """The limiting singular values of the product from an exact scale."""
    with precision():
        return _values(setting, log_ratio(setting, setting.depth * ball(alpha).log()))


def log_ratio(setting: Setting, log_scale: Ball) -> Ball:
    """A ball that contains u, from a strict sign change of h minus its value."""
    n, d, m = setting.depth - 2, setting.dimension, setting.ratio
    q = (m - 1) / (m + d - 1)
    if n == 0:
        return -2 * ball(q).log()
    k = ball(Fraction(n, setting.depth))
    ratio = ball((m / (m - 1)) ** n * (1 - q**n)).log()
    wanted = k * (ball(setting.target).log() - log_scale) + ratio
    low = wanted.exp().log1p() / k
    value = wanted + k * ball(d).log()
    high = value.exp().log1p() / k
    return _between(lambda u: k * ((d - 1) * (-u).exp()).log1p() + (k * u).expm1().log() - value, _slope(k, d), low, high)


def _slope(k: Ball, d: int) -> Any:
    def slope(u: Ball) -> Ball:
        e = (d - 1) * (-u).exp()
        return k * (-1 / (-k * u).expm1() - e / (1 + e))

    return slope


def _between(function: Any, slope: Any, low: Ball, high: Ball) -> Ball:
    """A root of an increasing function: Newton steps from midpoints propose, two strict signs decide."""
    left, right = low.mid(), high.mid()
    u = ((left + right) / 2).mid()
    for _ in range(200):
        value = function(u).mid()
        if value < 0:
            left = u
        else:
            right = u
        step = (value / slope(u)).mid()
        if abs(step) < (abs(u) * arb(2) ** -(WIDTH + 10)).mid():
            break
        guess = (u - step).mid()
        u = guess if left < guess and guess < right else ((left + right) / 2).mid()
    for bits in range(WIDTH, 20, -8):
        one = (u * arb(2) ** -bits).mid()
        a, b = (u - one).mid(), (u + one).mid()
        if function(a) < 0 and function(b) > 0 and a > 0:
            return a.union(b)
    raise ArithmeticError("no sign change was certified; raise the precision")


def _values(setting: Setting, u: Ball) -> Limit:
    """Each quantity at both ends of u: they are monotone in u."""
    total, d = ball(setting.target * setting.dimension), setting.dimension

    def at(u: Ball) -> tuple[Ball, Ball, Ball]:
        e = (-u).exp()
        return total / (1 + (d - 1) * e), total * e / (1 + (d - 1) * e), -total * (-u).expm1() / (1 + (d - 1) * e)

    ends = zip(at(u.lower()), at(u.upper()), strict=True)
    return Limit(setting, u, *(a.union(b) for a, b in ends))


def printed_residuals(x: Limit, power: int) -> list[Ball]:
    """The relative differences of the sides of (8) and (9) as printed, from alpha^L = 10^power; of the closed form at L = 2."""
    s = x.setting
    d, m, n = s.dimension, s.ratio, 2 - s.depth
    with precision(2 * BITS):
        if n == 0:
            unit = ball(s.target / (m**2 + d - 1))
            return [x.largest / (ball((m + d - 1) ** 2) * unit) - 1, x.other / (ball((m - 1) ** 2) * unit) - 1]
        k, depth, total = ball(Fraction(n, s.depth)), ball(s.depth), ball(s.target * d)
        alpha = (ball(power) * arb(10).log() / depth).exp()
        constant = (alpha / ball(m)) ** n * ball((m + d - 1) ** n - (m - 1) ** n)
        first, other = (x.largest.log() / depth).exp(), (x.other.log() / depth).exp()
        eight = first**n - ((total - first**s.depth) / (d - 1)) ** k
        nine = (total - (d - 1) * other**s.depth) ** k - other**n
        return [eight / constant - 1, nine / constant - 1]
