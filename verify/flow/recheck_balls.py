"""Ball arithmetic of the checker of flows: exact numbers to balls, bounds of norms.

Imports python-flint and the standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx, fmpq, fmpz

from verify.flow.recheck_read import need as _need

Flat = list[arb]


def _arb(value: Fraction) -> arb:
    """Exact for dyadic numbers."""
    d = value.denominator
    if d & (d - 1) == 0:
        return arb((fmpz(value.numerator), fmpz(1 - d.bit_length())))
    return arb(fmpq(value.numerator, d))


def _up(value: arb) -> arb:
    """A short upper bound of |value|."""
    saved, ctx.prec = ctx.prec, 40
    bound = arb(value.abs_upper())
    ctx.prec = saved
    _need(bound.is_finite(), "a bound is infinite")
    return bound


def _norm(values: Sequence[arb]) -> arb:
    """A short upper bound of the Euclidean norm."""
    saved, ctx.prec = ctx.prec, 40
    row = arb_mat(1, len(values), values)
    total = (row * row.transpose())[0, 0]
    ctx.prec = saved
    return _up(_up(total).sqrt())


def _spectral(rows: list[Flat]) -> arb:
    """Upper bound of the largest singular value: the Frobenius norm of the 16th power of the Gram matrix."""
    saved, ctx.prec = ctx.prec, 64
    m = arb_mat(rows)
    g = m * m.transpose() if m.nrows() <= m.ncols() else m.transpose() * m
    shift = arb(1)
    for _ in range(4):
        top = _norm(g.entries())
        if top.is_zero():
            break
        scale = arb((1, -_exponent(top)))
        g, shift = g * scale, shift * scale
        g, shift = g * g, shift * shift
    else:
        out = _norm(g.entries()) / shift
        for _ in range(5):
            out = _up(out).sqrt()
        ctx.prec = saved
        return _up(out)
    ctx.prec = saved
    return arb(0)


def _exponent(value: arb) -> int:
    man, exp = value.mid().man_exp()
    return int(man).bit_length() + int(exp)



def _largest(values: Sequence[arb]) -> arb:
    best = values[0]
    for v in values[1:]:
        best = best.max(v)
    return _up(best)


def _log2(x: Fraction) -> float:
    """log2 of x > 0, within one."""
    return float(x.numerator.bit_length() - x.denominator.bit_length())


def _split(flat: Sequence[Any], shapes: Sequence[tuple[int, int]]) -> list[list[Any]]:
    """Blocks of a list of all entries."""
    out, at = [], 0
    for r, c in shapes:
        out.append(list(flat[at : at + r * c]))
        at += r * c
    return out


def _far(x: Flat, y: Flat) -> arb:
    """An upper bound of the distance."""
    return _norm([a - b for a, b in zip(x, y, strict=True)])


def _float(x: arb) -> float:
    """A double near an exact ball between 2^-1000 and 2^1000."""
    return max(1e-300, min(1e300, float(x.mid())))



def _exact(value: arb) -> tuple[int, int]:
    """Numerator and denominator of an exact ball."""
    man, exp = (int(v) for v in value.man_exp())
    return (man << exp, 1) if exp >= 0 else (man, 1 << -exp)
