"""Helpers for ball arithmetic: precision, exact conversion, norms of matrices of balls.

A ball is `flint.arb`. python-flint keeps its precision in one process-wide context, so every function here that
needs one takes it from the caller, who sets it with :func:`precision`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx, fmpq, fmpz

Dyadic = tuple[int, int]
"""A dyadic rational (mantissa, exponent), of value mantissa * 2**exponent."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Set the working precision of python-flint to `bits` and restore it afterwards. Not for threads."""
    saved = ctx.prec
    ctx.prec = max(2, int(bits))
    try:
        yield
    finally:
        ctx.prec = saved


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
    """A short exact upper bound of |value| (30 bits), nan-free: raises ArithmeticError if there is none."""
    with precision(30):
        bound = value.abs_upper()
    if not bound.is_finite():
        raise ArithmeticError("a bound is infinite or undefined")
    return bound


def log2_of(value: arb) -> float:
    """log2 |midpoint|, for heuristics only; -inf for zero."""
    with precision(53):
        man, exp = (value.mid() * 1).mid().man_exp()
    if man == 0:
        return -math.inf
    man = abs(int(man))
    shift = max(0, man.bit_length() - 60)
    return math.log2(man >> shift) + shift + int(exp)


def norm2(values: Iterable[arb]) -> arb:
    """An enclosure of the Euclidean norm of a sequence of balls at the working precision."""
    total = arb(0)
    for v in values:
        total += v * v
    return total.sqrt() if total.is_exact() and total.is_zero() else arb(total.abs_upper()).sqrt()


def spectral_bound(entries: Sequence[Sequence[arb]], squarings: int = 4) -> arb:
    """A short upper bound of the largest singular value of a matrix of balls.

    With A = M^T M (or M M^T, whichever is smaller), s_max^2 <= |A^(2^k)|_F^(1/2^k); for k = 4 the bound is at most
    r^(1/64) times the true value for rank r.
    """
    with precision(53):
        mat = arb_mat([[v * 1 for v in row] for row in entries])
        gram = mat * mat.transpose() if mat.nrows() <= mat.ncols() else mat.transpose() * mat
        root = 1
        scale = arb(1)
        for _ in range(squarings):
            # Scale to avoid exponents that grow without need; the scale is exact.
            top = max((log2_of(v) for v in gram.entries()), default=-math.inf)
            if top == -math.inf:
                break
            shift = from_dyadic((1, -int(top)))
            gram = gram * shift
            scale = scale * shift
            gram = gram * gram
            scale = scale * scale
            root *= 2
        total = arb(0)
        for v in gram.entries():
            total += v * v
        bound = arb(total.abs_upper()).sqrt() / scale
        for _ in range(root.bit_length() - 1):
            bound = bound.sqrt()
        bound = arb(bound.abs_upper()).sqrt()
    return magnitude(bound)


def encode(value: Dyadic) -> list[Any]:
    """A dyadic rational as JSON: [hexadecimal mantissa, exponent]."""
    return [format(value[0], "x"), value[1]]


def decode(value: Sequence[Any]) -> Dyadic:
    """Inverse of :func:`encode`. Raises ValueError on anything else."""
    man, exp = value
    if not isinstance(man, str) or not isinstance(exp, int) or isinstance(exp, bool):
        raise ValueError("a dyadic rational is [hexadecimal mantissa, exponent]")
    return int(man, 16), exp
