"""Helpers for ball arithmetic: precision, exact conversion, norms of matrices of balls.

A ball is `flint.arb`. python-flint keeps its precision in one process-wide context, so every function here
that needs one takes it from the caller, who sets it with :func:`precision`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpz

Dyadic = tuple[int, int]
"""A dyadic rational (mantissa, exponent), of value mantissa * 2**exponent."""


class precision:
    """Context manager: set the working precision of python-flint to `bits` and restore it afterwards. Not
    for threads.
    """

    __slots__ = ("bits", "saved")

    def __init__(self, bits: int):
        self.bits = max(2, int(bits))

    def __enter__(self) -> None:
        self.saved = ctx.prec
        ctx.prec = self.bits

    def __exit__(self, *_: object) -> None:
        ctx.prec = self.saved


def exact(value: Any) -> Fraction:
    """The exact rational value of an int, Fraction, float (the double itself), decimal string, fmpq, fmpz,
    mpmath number, exact ball or SymPy rational.

    Raises ValueError for infinities, nan and text that is no number, TypeError for anything else.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool):
        raise TypeError("a truth value is no number")
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"not a finite number: {value}")
        return Fraction(value)
    if isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"not a rational number: {value!r}") from None
    if isinstance(value, fmpz):
        return Fraction(int(value))
    if isinstance(value, fmpq):
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, arb):
        if not (value.is_exact() and value.is_finite()):
            raise ValueError("a ball with a positive radius is no exact number")
        return dyadic_fraction(dyadic(value))
    mpf = getattr(value, "_mpf_", None)
    if mpf is not None:
        sign, man, exp, _ = mpf
        if man == 0 and exp != 0:
            raise ValueError(f"not a finite number: {value}")
        man = int(man)
        return dyadic_fraction((-man if sign else man, int(exp)))
    p, q = getattr(value, "p", None), getattr(value, "q", None)
    if p is not None and q is not None and int(q) > 0:
        return Fraction(int(p), int(q))
    item = getattr(value, "item", None)
    if callable(item):
        inner = item()
        if type(inner) is not type(value):
            return exact(inner)
    raise TypeError(f"no exact number: {type(value).__name__}")


def dyadic(value: arb) -> Dyadic:
    """Mantissa and exponent of an exact ball. Raises ValueError if the ball is not exact and finite."""
    man, exp = value.man_exp()
    return int(man), int(exp)


def dyadic_fraction(value: Dyadic) -> Fraction:
    man, exp = value
    return Fraction(man << exp) if exp >= 0 else Fraction(man, 1 << -exp)


def from_dyadic(value: Dyadic) -> arb:
    """The exact ball of a dyadic rational, at any working precision."""
    return arb((fmpz(value[0]), fmpz(value[1])))


def ball(value: Fraction) -> arb:
    """A ball around a rational at the working precision."""
    return arb(fmpq(value.numerator, value.denominator))


def magnitude(value: arb) -> arb:
    """A short exact upper bound of |value| (30 bits). Raises ArithmeticError if there is none."""
    saved, ctx.prec = ctx.prec, 30
    bound = value.abs_upper()
    ctx.prec = saved
    if not bound.is_finite():
        raise ArithmeticError("a bound is infinite or undefined")
    return bound


def log2_of(value: arb) -> float:
    """log2 |midpoint|, for heuristics only; -inf for zero."""
    man, exp = value.mid().man_exp()
    return _log2_int(abs(int(man))) + int(exp)


def log2_fraction(value: Fraction) -> float:
    """log2 |value| of a rational of any size, for heuristics only; -inf for zero."""
    return _log2_int(abs(value.numerator)) - _log2_int(value.denominator)


def _log2_int(n: int) -> float:
    if n == 0:
        return -math.inf
    shift = max(0, n.bit_length() - 60)
    return math.log2(n >> shift) + shift


def log2_top(values: Iterable[arb]) -> float:
    """log2 of the largest midpoint, within one; for heuristics only; -inf if all are zero."""
    best = None
    for v in values:
        man, exp = v.mid().man_exp()
        n = int(man)
        if n:
            size = n.bit_length() + int(exp)
            if best is None or size > best:
                best = size
    return -math.inf if best is None else float(best)


INFLATE = 1 + 1e-11
"""Covers the rounding of sums and products of fewer than 4000 non-negative doubles, each with relative
error (n + 5) 2^-53.
"""


def split(value: arb) -> tuple[float, int]:
    """A non-negative exact number as (m, e), value <= m 2^e with m in [1/2, 1] (or m = 0)."""
    man, exp = value.man_exp()
    n, e = int(man), int(exp)
    if n <= 0:
        return 0.0, 0
    size = n.bit_length()
    if size > 50:
        n = (n >> (size - 50)) + 1
        e += size - 50
        size = n.bit_length()
    return math.ldexp(n, -size), e + size


def join(m: float, e: int) -> arb:
    """The exact ball m 2^e. Raises ArithmeticError if m is infinite or nan."""
    if not math.isfinite(m):
        raise ArithmeticError("a majorant overflows")
    numerator, denominator = m.as_integer_ratio()
    return arb((numerator, e - (denominator.bit_length() - 1)))


def to_doubles(values: Sequence[arb]) -> tuple[list[float], int, float]:
    """Doubles x_i, an exponent e and r with |v - x 2^e| <= r 2^e for every point v of each ball, and |x| <=
    1.

    Raises ArithmeticError if a ball is not finite.
    """
    parts = []
    top = None
    for v in values:
        man, exp = v.mid().man_exp()
        n, e = int(man), int(exp)
        parts.append((n, e))
        if n and (top is None or n.bit_length() + e > top):
            top = n.bit_length() + e
    radius = 0.0
    pairs = []
    for v in values:
        if not v.is_exact():
            m, e = split(magnitude(v.rad()))
            pairs.append((m, e))
            if top is None or e > top:
                top = e
    if top is None:
        return [0.0] * len(parts), 0, 0.0
    for m, e in pairs:
        radius = max(radius, math.ldexp(m, max(e - top, -1000)))
    out = []
    for n, e in parts:
        cut = max(0, n.bit_length() - 53)
        # Truncation of the mantissa, and underflow, are below 2^-52 of the largest entry.
        out.append(math.ldexp(n >> cut, e + cut - top) if n else 0.0)
    return out, top, radius + 2.0**-52


def frobenius_bound(values: Sequence[arb]) -> arb:
    """A short upper bound of the Euclidean norm of a sequence of balls."""
    x, e, r = to_doubles(values)
    return (
        join((math.sqrt(math.fsum(v * v for v in x)) + r * math.sqrt(len(x))) * INFLATE, e) if x else arb(0)
    )


def spectral_bound(entries: Sequence[arb], rows: int, cols: int, squarings: int = 4) -> arb:
    """A short upper bound of the largest singular value of a matrix of balls, given row by row.

    With A = M M^T / s (or M^T M, whichever is smaller), s_max^2 <= s |A^(2^k)|_F^(1/2^k); for k = 4 at most
    r^(1/64) times the true value for rank r. In doubles: if the computed A differs from the true one by at
    most d (Frobenius norm) and |A|_F <= 1, the computed square differs by at most 2 d + d^2 + 2 n 2^-53,
    which is added in the end.
    """
    x, e, r = to_doubles(entries)
    n = min(rows, cols)
    length = max(rows, cols)
    rounding = (length + 8) * 2.0**-52
    a: Any
    if n <= SHORT:
        short = [x[i * cols : (i + 1) * cols] for i in range(rows)] if rows <= cols else [x[j::cols] for j in range(cols)]
        a = [[sum(map(mul, u, v)) for v in short] for u in short]
    else:
        m = np.array(x).reshape(rows, cols)
        a = m @ m.T if rows <= cols else m.T @ m
    scale = _frobenius(a) * INFLATE
    if scale == 0.0:
        return join(r * math.sqrt(rows * cols) * INFLATE, e)
    # The computed m m^T differs from the true one by at most |m|_F^2 rounding, and |m|_F^2 <= sqrt(n) |m m^T|_F.
    a = _divided(a, scale)
    error = (math.sqrt(n) * 1.001 + 1) * rounding
    log_bound = math.log(scale)
    weight = 1.0
    for _ in range(squarings):
        a = [[sum(map(mul, u, v)) for v in a] for u in a] if n <= SHORT else a @ a
        error = 2 * error + error * error + 2 * rounding
        size = _frobenius(a) * INFLATE
        if not size > 0:
            return frobenius_bound(entries)
        a = _divided(a, size)
        error = error / size + 2.0**-52
        weight /= 2
        log_bound += weight * math.log(size)
    # |true power|_F <= size (1 + error) at the last stage
    log_bound += weight * math.log1p(error)
    bound = math.exp(log_bound / 2) * (1 + 1e-12)
    return join((bound + r * math.sqrt(rows * cols)) * INFLATE, e)


SHORT = 3  # symmetric matrices up to this size are lists of rows: for these arrays take longer


def _frobenius(a: Any) -> float:
    return math.sqrt(sum(v * v for row in a for v in row)) if isinstance(a, list) else float(np.sqrt((a * a).sum()))


def _divided(a: Any, by: float) -> Any:
    return [[v / by for v in row] for row in a] if isinstance(a, list) else a / by


def encode(value: Dyadic) -> list[Any]:
    """A dyadic rational as JSON: [hexadecimal mantissa, exponent]."""
    return [format(value[0], "x"), value[1]]


def decode(value: Sequence[Any]) -> Dyadic:
    """Inverse of :func:`encode`. Raises ValueError on anything else."""
    man, exp = value
    if not isinstance(man, str) or not isinstance(exp, int) or isinstance(exp, bool):
        raise ValueError("a dyadic rational is [hexadecimal mantissa, exponent]")
    return int(man, 16), exp
