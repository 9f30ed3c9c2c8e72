"""The deep scalar pair: its limit by an invariant and a rigorous root, without integration.

lambda_i' = -factor lambda_i^(L-1) r, r = (lambda_1^L + (d-1) lambda_2^L)/d - w, lambda_i(0) > 0. With ds =
-factor r dt both satisfy d(lambda)/ds = lambda^(L-1): for L > 2 lambda^(2-L) falls linearly in s, for L = 2
log lambda and for L = 1 lambda grow linearly. So

    lambda_1^(2-L) - lambda_2^(2-L)   (L > 2),      lambda_1 / lambda_2   (L = 2),      lambda_1 - lambda_2
    (L = 1)

are invariant, the pair moves along one curve on which both components increase, and r is increasing along
it. The flow runs towards r = 0, which for w > 0 is
one point of the curve: the limit. For L >= 2 and w <= 0 the limit is (0, 0).

With x the larger component, y the smaller one, a and b = 1 - a their weights in r and D = y(0)^(2-L) -
x(0)^(2-L) >= 0,

    g(x) = a x^L + b (D + x^(2-L))^(-L/(L-2)) - w

is increasing; its root lies between w^(1/L) and (w/a)^(1/L). A root is enclosed by two exact points where g
has opposite signs, decided in ball arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from verify.flow.balls import Dyadic, ball, dyadic, encode, exact, from_dyadic, precision
from verify.flow.recheck import VERSION

LOG2_10 = math.log2(10)


@dataclass(frozen=True)
class PairLimit:
    """The limit of a deep scalar pair.

    Attributes:
        lambda_1, lambda_2: balls around the limits.
        diagonal, off_diagonal: balls around the entries of the limit of W_L ... W_1, which is
            lambda_2^L I + (lambda_1^L - lambda_2^L)/d J; the diagonal is the target if that is positive.
        certificate: the problem and two exact points between which the larger component lies (see
            :func:`check`).
    """

    lambda_1: arb
    lambda_2: arb
    diagonal: arb
    off_diagonal: arb
    certificate: dict[str, Any]


@dataclass(frozen=True)
class _Pair:
    """The problem with exact numbers; `larger` and `smaller` are the start's components, sorted."""

    d: int
    depth: int
    target: Fraction
    first: Fraction
    second: Fraction

    @property
    def swapped(self) -> bool:
        return self.second > self.first

    @property
    def weights(self) -> tuple[Fraction, Fraction]:
        """Weights of the larger and the smaller component."""
        one, other = Fraction(1, self.d), Fraction(self.d - 1, self.d)
        return (other, one) if self.swapped else (one, other)

    def smaller(self, x: arb, invariant: arb) -> arb:
        """The smaller component on the curve, for a positive ball x."""
        if self.depth == 1:
            return x - invariant
        if self.depth == 2:
            return x / invariant
        return (invariant + x ** (2 - self.depth)).root(self.depth - 2) ** -1

    def invariant(self) -> arb:
        """D, or the ratio (L = 2) or difference (L = 1) of the larger and the smaller component."""
        big, small = max(self.first, self.second), min(self.first, self.second)
        if self.depth == 1:
            return ball(big - small)
        if self.depth == 2:
            return ball(big / small)
        power = self.depth - 2
        return ball(1 / small**power - 1 / big**power)

    def sign(self, x: arb, invariant: arb) -> int:
        """The certain sign of g at a positive exact x; 0 if undecided."""
        a, b = self.weights
        y = self.smaller(x, invariant)
        g = ball(a) * x**self.depth + ball(b) * y**self.depth - ball(self.target)
        return 1 if g > 0 else -1 if g < 0 else 0


def pair_limit(d: int, depth: int, target: Any, lambda_1: Any, lambda_2: Any, digits: int = 50) -> PairLimit:
    """Enclose the limit of the deep scalar pair.

    Args:
        d: dimension, at least 2. depth: L, at least 1.
        target: w, exact.
        lambda_1, lambda_2: exact positive starts; for the start x on the diagonal and y off it, x + (d-1) y
            and x - y.
        digits: wanted significant digits of both components, of any scale.

    Raises ValueError for inputs outside this domain, ArithmeticError if the digits cannot be reached.
    """
    if d < 2 or depth < 1:
        raise ValueError(f"d must be at least 2 and the depth at least 1: {d}, {depth}")
    if digits < 1:
        raise ValueError(f"digits below 1: {digits}")
    p = _Pair(d, depth, exact(target), exact(lambda_1), exact(lambda_2))
    if p.first <= 0 or p.second <= 0:
        raise ValueError("the starts must be positive")
    header = {
        "format": "verify-flow",
        "version": VERSION,
        "kind": "scalar-pair",
        "d": d,
        "depth": depth,
        "target": str(p.target),
        "start": [str(p.first), str(p.second)],
    }
    if depth == 1:
        return _linear(p, digits, header)
    if p.target <= 0:
        return PairLimit(arb(0), arb(0), arb(0), arb(0), {**header, "bracket": None})
    bits = math.ceil((digits + 4) * LOG2_10) + 16
    for _ in range(6):
        with precision(bits):
            bracket = _bracket(p, bits)
            if bracket is not None:
                result = _answer(p, bracket, header)
                worst = min(result.lambda_1.rel_accuracy_bits(), result.lambda_2.rel_accuracy_bits())
                if worst >= digits * LOG2_10:
                    return result
        bits += bits // 2 + 32
    raise ArithmeticError("the digits could not be reached")


def _linear(p: _Pair, digits: int, header: dict[str, Any]) -> PairLimit:
    """Depth 1: (lambda_1 + (d-1) lambda_2)/d = w with a fixed difference."""
    gap = p.first - p.second
    second = p.target - gap / p.d
    first = second + gap
    with precision(math.ceil((digits + 2) * LOG2_10) + 8):
        return PairLimit(
            ball(first),
            ball(second),
            ball(p.target),
            ball(gap / p.d),
            {**header, "bracket": None},
        )


def _bracket(p: _Pair, bits: int) -> tuple[Dyadic, Dyadic] | None:
    """Exact points around the root at the working precision, with certain signs; None if undecided."""
    invariant = p.invariant()
    w, (a, _) = ball(p.target), p.weights
    # Newton's method from the right end of the interval on an approximation; g is increasing.
    with precision(bits):
        x = ((w / ball(a)).root(p.depth)).mid()
        low = (w.root(p.depth)).mid()
        for _ in range(200):
            y = p.smaller(x, invariant)
            g = ball(a) * x**p.depth + ball(p.weights[1]) * y**p.depth - w
            # dx/ds = x^(L-1), so dg/dx = L (a x^(L-1) + b y^(2L-2) / x^(L-1)).
            slope = p.depth * (
                ball(a) * x ** (p.depth - 1)
                + ball(p.weights[1]) * y ** (2 * p.depth - 2) / x ** (p.depth - 1)
            )
            new = (x - g / slope).mid()
            if new < low:
                new = ((x + low) / 2).mid()
            done = abs(new - x) <= x * arb(2) ** (8 - bits)
            x = new
            if done:
                break
        for width in (12, 20, 32):
            gap = x * arb(2) ** (width - bits)
            lower, upper = arb((x - gap).lower()), arb((x + gap).upper())
            if p.sign(lower, invariant) < 0 < p.sign(upper, invariant):
                return dyadic(lower), dyadic(upper)
    return None


def _answer(p: _Pair, bracket: tuple[Dyadic, Dyadic], header: dict[str, Any]) -> PairLimit:
    x = from_dyadic(bracket[0]).union(from_dyadic(bracket[1]))
    y = p.smaller(x, p.invariant())
    first, second = (y, x) if p.swapped else (x, y)
    power_1, power_2 = first**p.depth, second**p.depth
    off = (power_1 - power_2) / p.d
    certificate = {**header, "bracket": [encode(bracket[0]), encode(bracket[1])]}
    return PairLimit(first, second, ball(p.target), off, certificate)


def check(certificate: dict[str, Any], bits: int = 0) -> tuple[arb, arb]:
    """Re-check a certificate of :func:`pair_limit`: the signs at the two points. Returns balls around
    lambda_1, lambda_2.

    Raises ValueError if it does not hold.
    """
    if certificate.get("kind") != "scalar-pair" or certificate.get("version") != VERSION:
        raise ValueError("no certificate of a scalar pair")
    first, second = (Fraction(v) for v in certificate["start"])
    p = _Pair(
        int(certificate["d"]), int(certificate["depth"]), Fraction(certificate["target"]), first, second
    )
    if p.d < 2 or p.depth < 1 or first <= 0 or second <= 0:
        raise ValueError("outside the domain")
    if certificate["bracket"] is None:
        if p.depth == 1:
            result = _linear(p, 50, {})
            return result.lambda_1, result.lambda_2
        if p.depth >= 2 and p.target <= 0:
            return arb(0), arb(0)
        raise ValueError("a bracket is missing")
    if p.depth < 2 or p.target <= 0:
        raise ValueError("a bracket needs depth 2 or more and a positive target")
    points = []
    for man, exp in certificate["bracket"]:
        points.append((int(man, 16), int(exp)))
    size = max(abs(m).bit_length() for m, _ in points) + 64
    with precision(max(bits, size)):
        lower, upper = (from_dyadic(q) for q in points)
        invariant = p.invariant()
        if not (lower > 0 and p.sign(lower, invariant) < 0 < p.sign(upper, invariant)):
            raise ValueError("the signs at the ends of the bracket do not hold")
        result = _answer(p, (points[0], points[1]), {})
    return result.lambda_1, result.lambda_2
