"""Certificates of validated flows in the form in which they are checked: with the polynomial of every step.

A run keeps only where its steps lead (`mid`), how long they are and how far off they may be. :func:`complete` adds a
polynomial close to the solution on each step, in Chebyshev's basis: there a third or a fourth of the degree of the
Taylor polynomial will do, since the step is short beside the distance to the nearest singularity. What the polynomials are
does not matter for soundness; :mod:`verify.flow.recheck` bounds the defect of what it is given.

With v = 2u - 1 for u on [0, 1], v^k = 2^(1-k) sum over j = k, k-2, .. >= 0 of binomial(k, (k-j)/2) T_j(v), half of it for j = 0.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb, fmpz_mat, fmpz_poly

from verify.flow.balls import Dyadic, decode, dyadic_fraction, encode, from_dyadic, log2_fraction, precision
from verify.flow.fixedpoint import BITS, program
from verify.flow.models import FLOAT, CPTensor, LeastSquares, LinearNetwork
from verify.flow.stride import to_point
from verify.flow.tape import Tape, residual_number, trace
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
        if "kind" not in step and ("polynomial" not in step or "order" in step):
            rest = {k: v for k, v in step.items() if k not in ("order", "bits")}
            known = step["polynomial"] if "polynomial" in step else _encoded(*_polynomial(model, before, step, error))
            step = {**rest, "rho": _tube(step), "polynomial": known}
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


def room_for(model: LeastSquares, before: Sequence[Any], step: dict[str, Any], earlier: Any) -> int:
    """Bits by which the polynomial of a step has to be closer to the solution than the error after it.

    Args:
        before, earlier: the point before the step, and the bound of the error there.
    """
    grown = min(_lost(model, before, step), _grown(earlier, step["error"]))
    return FINER + grown + grown.bit_length()  # what a polynomial misses the field misses, times the exponent of the growth


def polynomial_of(series: Series, tape: Tape, step: dict[str, Any], room: int) -> dict[str, Any]:
    """As :func:`complete` makes it, from the expansion of the step itself, which is close enough."""
    error = dyadic_fraction(decode(step["error"]))
    unit = room + 18 - math.floor(log2_fraction(error))
    rows = _scaled(series, tape, decode(step["h"]), series.order, unit + 16)
    rows, places = _shared(rows, int(error * (1 << unit + 16)) >> room + 2 * series.order.bit_length())
    return _encoded(unit, _short(rows, places, step, series.order, unit, room))


def _polynomial(model: LeastSquares, before: Sequence[Any], step: dict[str, Any], earlier: Any) -> tuple[int, Rows]:
    """For each entry, and for the speed exp(-beta s) where there is one, Chebyshev coefficients in units of 2^-unit."""
    beta = None if step["beta"] is None else from_dyadic(decode(step["beta"]))
    error = dyadic_fraction(decode(step["error"]))
    room = room_for(model, before, step, earlier)
    order, bits = -(-(step["order"] + room + 14) // 8) * 8, step["bits"] + room + 24
    unit = max(24, room + 18 - math.floor(log2_fraction(error))) if error else bits
    fine = unit + 16
    tape = trace(model, speed=beta is not None)
    start = [[decode(v) for v in flat] for flat in before]
    found = _in_fixed_point(model, tape, start, step, order, fine, log2_fraction(error) - room) if error else None
    if found is not None:
        rows, places = found
    else:
        mid = [[from_dyadic(v) for v in flat] for flat in start]
        series = expand(tape, mid, order, falling_bits(bits, order, 32), beta)
        rows = _scaled(series, tape, decode(step["h"]), order, fine)
        rows, places = _shared(rows, int(error * (1 << fine)) >> room + 2 * order.bit_length())
    return unit, _short(rows, places, step, order, unit, room)


def _shared(rows: Rows, near: int) -> tuple[Rows, list[int]]:
    """Rows without those that differ by less than `near` from one before, and for each row the number of the one that serves."""
    kept: Rows = []
    places = []
    for row in rows:
        found = (n for n, other in enumerate(kept) if all(abs(a - b) <= near for a, b in zip(row, other, strict=True)))
        places.append(next(found, len(kept)))
        if places[-1] == len(kept):
            kept.append(row)
    return kept, places


def _short(rows: Rows, places: list[int], step: dict[str, Any], order: int, unit: int, room: int) -> Rows:
    """From Taylor coefficients of u = s/h in units of 2^-(unit + 16): Chebyshev coefficients in units of 2^-unit, for each entry
    and for the speed.
    """
    fine, error = unit + 16, dyadic_fraction(decode(step["error"]))
    if step["beta"] is not None:
        beta = from_dyadic(decode(step["beta"]))
        with precision(64 + fine):
            x = beta * from_dyadic(decode(step["h"]))
        places, rows = [*places, len(rows)], [*rows, _speed(x, order, fine)]
    rows = chebyshev(rows, fine, error * (1 << fine) / (1 << room))
    short = [[(v + (1 << 15)) >> 16 for v in row] for row in rows]
    return [short[c] for c in places]


def _grown(before: Any, after: Any) -> int:
    """Bits by which the error grew on a step, and some: the run has bounded the growth better than `_lost` can."""
    first, last = dyadic_fraction(decode(before)), dyadic_fraction(decode(after))
    return max(0, math.ceil(log2_fraction(last / first))) + 5 if first and last else 1 << 30


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


def _in_fixed_point(
    model: LeastSquares, tape: Tape, start: Sequence[Sequence[Dyadic]], step: dict[str, Any], order: int, unit: int, goal: float
) -> tuple[Rows, list[int]] | None:
    """Taylor coefficients in u = s/h, in units of 2^-unit, by the accelerator, and for each entry of the state the number of its
    row (entries that stay equal share one); None where it cannot.
    """
    point = to_point(start)
    made = program(tape, residual_number(model, tape), [v for flat in point.mid for v in flat])
    if made is None:
        return None
    beta = None if step["beta"] is None else decode(step["beta"])
    try:
        found = made.coefficients(point.mid, point.unit, order, decode(step["h"]), beta, goal)
    except (ArithmeticError, OverflowError):
        return None
    if found is None:
        return None
    rows, last = found
    shift = unit - BITS * last
    return [[v << shift if shift >= 0 else v >> -shift for v in row] for row in rows], made.places_of.tolist()


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
    """From powers of u, in units of 2^-bits, to Chebyshev's basis, without the highest orders, which add to the derivatives about
    what is allowed.
    """
    middle = _centred(rows)
    count = _needed(middle, 1, int(allowed / 2))
    count, bits = -(-count // 8) * 8, -(-bits // 64) * 64
    out = [[0] * count for _ in rows]
    for parity in (0, 1):
        part = [(row + [0] * 8)[parity:count:2] for row in middle]
        found = (fmpz_mat(part) * _powers(parity, count, bits)).tolist()
        for row, values in zip(out, found, strict=True):
            row[parity::2] = [int(v) >> bits for v in values]
    count = _needed(out, 2, int(allowed / 2))
    return [row[:count] for row in out]


def _needed(rows: Rows, power: int, allowed: int) -> int:
    """How many orders, at least one, are needed if the rest may add so much to the derivatives, 2 k^power |c_k| for each c_k."""
    count, rest = len(rows[0]), 0
    while count > 1:
        rest += 2 * (count - 1) ** power * sum(abs(row[count - 1]) for row in rows)
        if rest > allowed:
            break
        count -= 1
    return count


def _centred(rows: Rows) -> Rows:
    """From powers of u to powers of v = 2u - 1, in the same units."""
    order, step = len(rows[0]) - 1, fmpz_poly([1, 1])
    out = []
    for row in rows:
        moved = fmpz_poly([c << order - k for k, c in enumerate(row)])(step).coeffs()
        out.append([int(v) >> order for v in moved] + [0] * (order + 1 - len(moved)))
    return out


@lru_cache(maxsize=64)
def _powers(parity: int, count: int, bits: int) -> fmpz_mat:
    """Row i: v^k, k = 2i + parity below count, by T_j of the same parity below count, in units of 2^-bits."""
    rows = []
    for k in range(parity, count, 2):
        row, term = [], math.comb(k, (k - parity) // 2)
        for j in range(parity, k + 1, 2):
            shift = bits + 1 - k - (j == 0)
            row.append(term << shift if shift >= 0 else term >> -shift)
            term = term * ((k - j) // 2) // ((k + j) // 2 + 1)
        rows.append(row + [0] * ((count - parity + 1) // 2 - len(row)))
    return fmpz_mat(rows)


def _encoded(unit: int, rows: Rows) -> dict[str, Any]:
    """As JSON: for each order the bytes of a number, and all numbers, order by order, in base 64."""
    sizes: list[int] = []
    data: list[bytes] = []
    for column in zip(*rows, strict=True):
        size = max(v.bit_length() for v in column) // 8 + 1
        sizes.append(size)
        data.extend(v.to_bytes(size, "little", signed=True) for v in column)
    return {"unit": unit, "sizes": sizes, "data": base64.b64encode(b"".join(data)).decode()}
