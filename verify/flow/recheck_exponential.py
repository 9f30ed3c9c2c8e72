"""The checker of steps in exponentials, for :mod:`verify.flow.recheck`. Imports python-flint and the standard library only.

Such a step has the fields of others (`h` is its length T, `bits` the number of binary places of the coefficients, `rho`, `mid`,
`error`; `beta` is null, `final` false) and

- `kind`: "exponential";
- `rates`: dyadic numbers a_1, .., a_q, not 0;
- `terms`: different lists of exponents k_1, .., k_q >= 0, the first of them all 0;
- `coefficients`: for each term the blocks (flat) of integers in hexadecimal, in units of 2^-bits.

With E_i(t) = exp(a_i t) for a falling and exp(a_i (t - T)) for a rising exponential, all at most 1 on [0, T], it speaks of the
sum p(t) = sum_k c_k E^k. Whatever p is, its defect factor F(p) - p' = sum_k d_k E^k is computed in full, and so is its residual
sum_k r_k E^k. As long as the error of a solution, e = theta - p, stays below rho,

    |e|' <= mu |e| + |defect|,   mu <= m + M (sum over k other than 0 of |r_k| E^k + Lambda rho),   M = factor K |X|,

with m = M |r_0|, the norm in m being the dual one, and K, Lambda from bounds of the blocks over the whole step. Let w_k be the
exponent of E^k, and I_k(m) >= integral over [0, T] of exp(m (T - t)) E^k: at most exp(m T) E^k(0) or E^k(T), whichever is larger,
times T or 1/|w_k - m|, whichever is smaller. By Gronwall's lemma

    |e(T)| <= (exp(m T) (E + |mid - p(0)|) + sum_k |d_k| I_k(m)) exp(M (sum_k |r_k| I_k(0) + Lambda rho T)),

and if that is below rho, e never reaches rho.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb, arb_poly, ctx, fmpz

LIMITS = {"terms": 2000, "rates": 16, "degree": 400, "size": 200_000}


def check_exponential(
    model: Any, mid: list[list[Fraction]], error: Fraction, step: dict[str, Any], where: str
) -> tuple[list[list[Fraction]], Fraction]:
    """The point and the error after the step. Raises :class:`verify.flow.recheck.Refused`."""
    from verify.flow.recheck import _arb, _blocks, _dyadic, _need, _norm, _Program, _Series, _up

    bits = step["bits"]
    _need(type(bits) is int and 16 <= bits <= 100_000, where + "bits out of range")
    rates = [_dyadic(v) for v in step["rates"]]
    _need(1 <= len(rates) <= LIMITS["rates"] and all(v != 0 for v in rates), where + "bad rates")
    terms = [tuple(k) for k in step["terms"]]
    _need(all(len(k) == len(rates) and all(type(n) is int and n >= 0 for n in k) for k in terms), where + "bad terms")
    _need(0 < len(terms) <= LIMITS["terms"] and not any(terms[0]) and len(set(terms)) == len(terms), where + "bad terms")
    _need(all(sum(k) <= LIMITS["degree"] for k in terms), where + "a degree is out of range")
    length = _dyadic(step["h"])
    rho, new_error = _dyadic(step["rho"]), _dyadic(step["error"])
    _need(length > 0 and rho > 0 and new_error >= 0 and step["final"] is False, where + "a bound is negative")
    new_mid = _blocks(step["mid"], model)
    sizes = [r * c for r, c in model.shapes]
    values = [[[int(v, 16) for v in flat] for flat in blocks] for blocks in step["coefficients"]]
    fit = len(values) == len(terms) and all([len(f) for f in blocks] == sizes for blocks in values)
    _need(fit, where + "coefficients of wrong sizes")

    # All variables in one: E_i is x^strides[i], far enough apart for every product.
    strides, width = [], 1
    for i in range(len(rates)):
        strides.append(width)
        width *= (2 * model.depth - 1) * max(k[i] for k in terms) + 1
    _need(width <= LIMITS["size"], where + "too many products")
    places = [sum(n * s for n, s in zip(k, strides, strict=True)) for k in terms]
    spans = [*strides[1:], width]

    def exponent(place: int) -> Fraction:
        powers = (place % span // stride for stride, span in zip(strides, spans, strict=True))
        return sum((n * a for n, a in zip(powers, rates, strict=True)), Fraction(0))

    # The sum, its residual and factor F.
    ctx.prec = 2 * bits + 64
    program = _Program(bits)
    inputs = []
    for block, (r, c) in enumerate(model.shapes):
        s = _Series(r, c)
        for entry in range(r * c):
            row = [arb(0)] * (max(places) + 1)
            for at, blocks in zip(places, values, strict=True):
                row[at] = arb((fmpz(blocks[block][entry]), fmpz(-bits)))
            s.full.append(arb_poly(row))
        inputs.append(s)
    outputs, residual = model.field(program, inputs, None)
    program.evaluate()
    forces = [f.coeffs() for s in outputs for f in s.full]
    misses = [f.coeffs() for f in residual.full]
    states = [f.coeffs() for s in inputs for f in s.full]
    exponents = {p: _arb(exponent(p)) for p in range(max(map(len, [*forces, *misses, *states])))}

    def column(rows: Sequence[list[arb]], place: int) -> list[arb]:
        return [row[place] for row in rows if place < len(row)]

    defects = {}
    for p, w in exponents.items():
        gap = [f[p] if p < len(f) else arb(0) for f in forces]
        if p <= max(places):
            gap = [g - w * (x[p] if p < len(x) else arb(0)) for g, x in zip(gap, states, strict=True)]
        defects[p] = _norm(gap)

    # Its ends.
    t = _arb(length)
    starts = {p: _exponential(rates, strides, spans, p, arb(0), t) for p in exponents}
    ends = {p: _exponential(rates, strides, spans, p, t, t) for p in exponents}

    def distance(when: dict[int, arb], target: list[list[Fraction]]) -> arb:
        goal = [_arb(v) for flat in target for v in flat]
        sums = [sum((v * when[p] for p, v in enumerate(x) if not v.is_zero()), arb(0)) for x in states]
        return _norm([x - y for x, y in zip(sums, goal, strict=True)])

    begin, rounding = distance(starts, mid), distance(ends, new_mid)

    # The logarithmic norm, with bounds of the blocks over the whole step.
    ctx.prec = 64
    radius = _arb(rho)
    rest = {p: _norm(column(misses, p)) for p in exponents if p}
    norms = []
    for s, shape in zip(inputs, model.shapes, strict=True):
        rows = [f.coeffs() for f in s.full]
        moved = sum((_norm(column(rows, p)) for p in places if p), arb(0))
        norms.append(_up(model.block_norm([row[0] if row else arb(0) for row in rows], shape) + moved + radius))
    weight = _up(model.curvature(norms) * _arb(model.factor) * model.data_norm)
    reach = _up(model.slope(norms) * model.data_norm * radius)
    steady = _up(weight * model.dual_norm([row[0] if row else arb(0) for row in misses]))

    def integral(place: int, rate: arb) -> arb:
        first, last = _up(starts[place]) * (rate * t).exp(), _up(ends[place])
        most = first if bool(first > last) else last if bool(last > first) else first + last
        gap = abs(exponents[place] - rate)
        return _up(most * (1 / gap if bool(gap * t > 1) else t))

    growth = weight * (sum((v * integral(p, arb(0)) for p, v in rest.items()), arb(0)) + reach * t)
    local = sum((v * integral(p, steady) for p, v in defects.items()), arb(0))
    bound = _up((_up((_arb(error) + begin) * (steady * t).exp()) + local) * growth.exp())
    _need(bool(bound < radius), where + "the solution is not shown to stay within rho")
    _need(bool(bound + rounding <= _arb(new_error)), where + "the error is larger than claimed")
    return new_mid, new_error


def _exponential(rates: Sequence[Fraction], strides: Sequence[int], spans: Sequence[int], place: int, t: arb, length: arb) -> arb:
    """The product of the exponentials of a place at time t."""
    from verify.flow.recheck import _arb

    total = arb(0)
    for rate, stride, span in zip(rates, strides, spans, strict=True):
        power = place % span // stride
        total += power * _arb(rate) * (t if rate < 0 else t - length)
    return total.exp()
