"""Certificates of validated flows in the form in which they are checked: with the polynomial of every step.

A run keeps only where its steps lead (`mid`), how long they are and how far off they may be. :func:`complete` adds a
polynomial close to the solution on each step, in Chebyshev's basis: there a third or a fourth of the degree of the
Taylor polynomial will do, since the step is short beside the distance to the nearest singularity. What the polynomials are
does not matter for soundness; :mod:`verify.flow.recheck` bounds the defect of what it is given.

A power of u on [0, 1] is u^k = 2^(1-2k) (binomial(2k, k)/2 + sum_(j=1..k) binomial(2k, k-j) T_j(2u - 1)).
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb, fmpz_mat

from verify.flow.balls import Dyadic, decode, dyadic_fraction, encode, from_dyadic, precision
from verify.flow.models import FLOAT, CPTensor, LeastSquares, LinearNetwork
from verify.flow.tape import Tape, trace
from verify.flow.taylor import Series, expand, falling_bits

Rows = list[list[int]]
FINER = 10  # bits by which a polynomial is closer to the solution than the error of the step


def complete(certificate: dict[str, Any]) -> dict[str, Any]:
    """The certificate with a polynomial in the place of `order` and `bits` of every step but those of a `kind` of their own."""
    model = model_of(certificate) if certificate.get("steps") else None
    if model is None:
        return certificate
    steps, before, error = [], certificate["begin"]["mid"], certificate["begin"]["error"]
    for step in certificate["steps"]:
        if "polynomial" not in step and "kind" not in step:
            rest = {k: v for k, v in step.items() if k not in ("order", "bits")}
            step = {**rest, "rho": _tube(step), "polynomial": _encoded(*_polynomial(model, before, step, error))}
        steps.append(step)
        before, error = step["mid"], step["error"]
    return {**certificate, "steps": steps}


def _tube(step: dict[str, Any]) -> Any:
    """The radius around the polynomial: at least twice the error, which says how close the polynomial is to the solution.

    A step that ends at a rounded midpoint has an error far above its radius.
    """
    twice = (decode(step["error"])[0], decode(step["error"])[1] + 1)
    return encode(twice) if dyadic_fraction(twice) > dyadic_fraction(decode(step["rho"])) else step["rho"]


def model_of(certificate: dict[str, Any]) -> LeastSquares | None:
    """The model that a certificate is about; None for one that the checker does not know."""
    data = certificate["model"]
    if data["name"] == "linear-network":
        return LinearNetwork(data["widths"], data["target"], data["data"], data["factor"])
    if data["name"] == "cp-tensor":
        cells = np.array(data["target"], dtype=object).reshape(data["dims"])
        return CPTensor(cells, data["rank"], data["factor"])
    return None


def _polynomial(model: LeastSquares, before: Sequence[Any], step: dict[str, Any], earlier: Any) -> tuple[int, Rows]:
    """For each entry, and for the speed exp(-beta s) where there is one, Chebyshev coefficients in units of 2^-unit."""
    h = from_dyadic(decode(step["h"]))
    beta = None if step["beta"] is None else from_dyadic(decode(step["beta"]))
    error = dyadic_fraction(decode(step["error"]))
    room = FINER + min(_lost(model, before, step), _grown(earlier, step["error"]))
    order, bits = -(-(step["order"] + room + 14) // 8) * 8, step["bits"] + room + 24
    unit = max(24, room + 18 - math.floor(_log2(error))) if error else bits
    fine = unit + 16
    tape = trace(model, speed=beta is not None)
    mid = [[from_dyadic(decode(v)) for v in flat] for flat in before]
    series = expand(tape, mid, order, falling_bits(bits, order, 32), beta)
    rows = _scaled(series, tape, decode(step["h"]), order, fine)
    if beta is not None:
        rows.append(_speed(beta * h, order, fine))
    rows = chebyshev(rows, fine, error * (1 << fine) / (1 << room))
    return unit, [[(v + (1 << 15)) >> 16 for v in row] for row in rows]


def _grown(before: Any, after: Any) -> int:
    """Bits by which the error grew on a step, and some: the run has bounded the growth better than `_lost` can."""
    first, last = dyadic_fraction(decode(before)), dyadic_fraction(decode(after))
    return max(0, math.ceil(_log2(last / first))) + 5 if first and last else 1 << 30


def _lost(model: LeastSquares, before: Sequence[Any], step: dict[str, Any]) -> int:
    """Bits that a step takes from the accuracy of its polynomials: an estimate in doubles, from its ends.

    An error grows on the step, and one in the speed is multiplied by the length of the way.
    """
    ends = [
        [np.array([float(dyadic_fraction(decode(v))) for v in flat]).reshape(s) for flat, s in zip(p, model.shapes, strict=True)]
        for p in (before, step["mid"])
    ]
    curvature, slope, residual = [], [], []
    for blocks in ends:
        norms = [float(np.linalg.norm(b, 2)) for b in blocks]
        pairs = [math.prod(v for m, v in enumerate(norms) if m not in (j, k)) for k in range(len(norms)) for j in range(k)]
        curvature.append(max(pairs, default=0.0) * (len(norms) - 1))
        slope.append(math.hypot(*(math.prod(v for m, v in enumerate(norms) if m != k) for k in range(len(norms)))))
        residual.append(float(np.linalg.norm(model.forward(blocks, FLOAT)[0], 2)))
    h = float(dyadic_fraction(decode(step["h"])))
    x = 0.0 if step["beta"] is None else float(dyadic_fraction(decode(step["beta"]))) * h
    scale = float(model.factor) * max(residual) * _data(model)
    grown = scale * (h if x == 0 else -h * math.expm1(-x) / x) * max(curvature) * math.log2(math.e)
    way = scale * h * max(slope)
    lost = grown + (0.0 if step["beta"] is None or way <= 1 else math.log2(way))
    return min(2000, math.ceil(lost)) if math.isfinite(lost) else 0


def _data(model: LeastSquares) -> float:
    data = getattr(model, "data", None)
    return 1.0 if data is None else float(np.linalg.norm(np.array(data, dtype=float), 2))


def _log2(x: Fraction) -> float:
    """log2 of x > 0, within one."""
    return float(x.numerator.bit_length() - x.denominator.bit_length())


def _scaled(series: Series, tape: Tape, h: Dyadic, order: int, unit: int) -> Rows:
    """The Taylor coefficients of the inputs in u = s/h, in units of 2^-unit."""
    out: Rows = []
    for number in tape.inputs:
        columns = []
        power, shift = 1, unit  # h^k 2^unit = power 2^shift, but for rounding
        for k in range(order + 1):
            column = []
            for man, exp in series.middles(number, k):
                e = exp + shift
                column.append(man * power << e if e >= 0 else man * power >> -e)
            columns.append(column)
            power, shift = power * h[0], shift + h[1]
            extra = max(0, power.bit_length() - unit - 64)
            power, shift = power >> extra, shift + extra
        out.extend(list(row) for row in zip(*columns, strict=True))
    return out


def _speed(x: arb, order: int, unit: int) -> list[int]:
    """The Taylor coefficients of exp(-x u)."""
    out, term = [], from_dyadic((1, unit))
    with precision(64 + unit):
        for k in range(order + 1):
            out.append(_integer(term))
            term = -term * x / (k + 1)
    return out


def _integer(x: arb) -> int:
    man, exp = x.mid().man_exp()
    n, e = int(man), int(exp)
    return n << e if e >= 0 else n >> -e if e > -(1 << 24) else 0


def chebyshev(rows: Rows, bits: int, allowed: Fraction) -> Rows:
    """From powers of u to Chebyshev's basis, without the highest orders, which add to the derivatives about what is allowed."""
    order, bits = len(rows[0]) - 1, -(-bits // 64) * 64
    wide, given = order // 2, fmpz_mat(rows)
    while True:
        found = (given * _powers(order, wide, bits)).tolist()
        out = [[int(v) >> bits for v in row] for row in found]
        n, rest = wide + 1, 0
        while n > 1:
            rest += 2 * n * n * sum(abs(row[n - 1]) for row in out)  # in the derivative
            if rest > allowed:
                break
            n -= 1
        if n <= wide - 4 or wide == order:
            return [row[:n] for row in out]
        wide = min(order, wide + order // 4)


@lru_cache(maxsize=64)
def _powers(order: int, wide: int, bits: int) -> fmpz_mat:
    """Row k: u^k in Chebyshev's basis up to T_wide, in units of 2^-bits."""
    return fmpz_mat([(_power(k, bits) + [0] * (wide - k))[: wide + 1] for k in range(order + 1)])


@lru_cache(maxsize=4096)
def _power(k: int, bits: int) -> list[int]:
    """u^k in Chebyshev's basis, in units of 2^-bits."""
    out, term = [], math.comb(2 * k, k)
    for j in range(k + 1):
        shift = bits + 1 - 2 * k - (j == 0)
        out.append(term << shift if shift >= 0 else term >> -shift)
        term = term * (k - j) // (k + j + 1)
    return out


def _encoded(unit: int, rows: Rows) -> dict[str, Any]:
    """As JSON: for each order the bytes of a number, and all numbers, order by order, in base 64."""
    sizes: list[int] = []
    data: list[bytes] = []
    for column in zip(*rows, strict=True):
        size = max(v.bit_length() for v in column) // 8 + 1
        sizes.append(size)
        data.extend(v.to_bytes(size, "little", signed=True) for v in column)
    return {"unit": unit, "sizes": sizes, "data": base64.b64encode(b"".join(data)).decode()}
