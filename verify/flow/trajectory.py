"""The way there, for figures: loss and singular values at many times, inside of the steps too.

Nothing here is certified. Points come from the polynomials (or sums of exponentials) of a certificate, in as many digits as it
has, so that a loss is followed down to the square of the last error; where the deep scalar pair has a closed form, from that.
A number that is smaller than the error at its time is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from flint import acb_mat, arb, arb_mat, ctx, fmpz_mat

from verify.completion.observations import Observations
from verify.flow import recheck
from verify.flow.balls import ball, decode, from_dyadic, log2_of, precision

POINTS = 240  # of a figure, about
MOST, FEWEST = 20, 4  # points of a step
SIDE = 8  # longest shorter side of a matrix whose singular values are computed beyond double precision
CLOCK = 2048  # bits for times, which can be very long before something happens
LOG10_2 = math.log10(2)

Flat = Sequence[arb]


@dataclass(frozen=True)
class Sample:
    """One time, log10 of the loss (nan where it is not known) and of the singular values, largest first."""

    time: arb
    loss: float
    singular: list[float]


def of_certificate(certificate: dict[str, Any], observations: Observations) -> list[Sample]:
    """Points on the steps of a completed certificate of a linear network without data."""
    steps = certificate.get("steps", [])
    if not steps:
        return []
    widths = certificate["model"]["widths"]
    sizes = [(widths[k + 1], widths[k]) for k in range(len(widths) - 1)]
    count = max(FEWEST, min(MOST, POINTS // len(steps)))
    before = decode(certificate["begin"]["error"])
    out = []
    time = arb(0)
    for step in steps:
        exponential = "kind" in step
        with precision(CLOCK):
            h = from_dyadic(decode(step["h"]))
            beta = None if step["beta"] is None else from_dyadic(decode(step["beta"]))
        parts = _parts(time, h, beta, 3 * MOST if exponential else count)
        along = _along_exponentials if exponential else _along_polynomials
        bits = (step["bits"] if exponential else step["polynomial"]["unit"]) + 64
        with precision(bits):
            states = along(step, parts, sum(r * c for r, c in sizes))
        ends = [from_dyadic(v) for v in (before, decode(step["error"]))]
        lows = [log2_of(e) for e in ends]
        for u, state in zip(parts, states, strict=True):
            with precision(CLOCK):
                s = h * u
                now = time + (s if beta is None else -(-beta * s).expm1() / beta)
            error = lows[1] if lows[0] == -math.inf else lows[0] + (lows[1] - lows[0]) * float(u.mid())
            with precision(bits):
                out.append(sample(now, observations, _blocks(state, sizes), error))
        with precision(CLOCK):
            time = now
        before = decode(step["error"])
    return out


def _parts(time: arb, h: arb, beta: arb | None, count: int) -> list[arb]:
    """Parts u in (0, 1] of a step, rising: equal ones, and where time grows by a large factor also equal ones of log time."""
    found = {k / count for k in range(1, count + 1)}
    with precision(64):
        whole = h if beta is None else -(-beta * h).expm1() / beta
        first = 2.0**-7 if time.is_zero() else float((time / whole).mid())  # in units of the time of the step
    if first < 1:
        ratio = (1 + first) / first
        for k in range(1, count):
            part = first * ratio ** (k / count) - (0.0 if time.is_zero() else first)
            if beta is not None:
                x = float((beta * h).mid())
                inner = part * -math.expm1(-x) if abs(x) < 500 else math.nan
                part = -math.log1p(-inner) / x if inner < 1 else math.nan
            if 1e-6 < part < 1:
                found.add(part)
    return [arb(u) for u in sorted(found)]


def _along_polynomials(step: dict[str, Any], parts: Sequence[arb], cells: int) -> list[list[arb]]:
    unit, rows = recheck.decoded(step["polynomial"], cells + (step["beta"] is not None))
    waves = [_waves(float(u), len(rows[0]), ctx.prec) for u in parts]
    columns = arb_mat(fmpz_mat([list(column) for column in zip(*rows[:cells], strict=True)]))
    values = arb_mat(waves) * columns * from_dyadic((1, -unit))
    return list(values.tolist())


@lru_cache(maxsize=4096)
def _waves(u: float, count: int, bits: int) -> list[arb]:
    """T_0, .., at 2u - 1; the bits are those of the context."""
    v = 2 * arb(u) - 1
    out = [arb(1), v]
    while len(out) < count:
        out.append((2 * v * out[-1] - out[-2]).mid())
    return out[:count]


def _along_exponentials(step: dict[str, Any], parts: Sequence[arb], cells: int) -> list[list[arb]]:
    h, rates = from_dyadic(decode(step["h"])), [from_dyadic(decode(v)) for v in step["rates"]]
    table = []
    for u in parts:
        modes = [(a * h * u if a < 0 else a * h * (u - 1)).exp() for a in rates]
        table.append([math.prod((e**n for e, n in zip(modes, k, strict=True)), start=arb(1)) for k in step["terms"]])
    values = fmpz_mat([[int(v, 16) for flat in blocks for v in flat] for blocks in step["coefficients"]])
    return list((arb_mat(table) * arb_mat(values) * from_dyadic((1, -step["bits"]))).tolist())


def _blocks(flat: Flat, sizes: Sequence[tuple[int, int]]) -> list[arb_mat]:
    out, at = [], 0
    for r, c in sizes:
        out.append(arb_mat(r, c, list(flat[at : at + r * c])))
        at += r * c
    return out


def exact_blocks(factors: Sequence[Sequence[Sequence[Any]]]) -> list[arb_mat]:
    """Factors of rational numbers as matrices of balls, at the working precision."""
    return [arb_mat([[ball(v) for v in row] for row in f]) for f in factors]


def sample(time: arb, observations: Observations, blocks: Sequence[arb_mat], error: float = -math.inf) -> Sample:
    """The point for factors that are known up to a Euclidean distance of 2^error; at the working precision."""
    product = blocks[0]
    for b in blocks[1:]:
        product = b * product
    total = arb(0)
    for i, j, v in observations.entries:
        gap = (product[i, j] - ball(v)).mid()
        total += gap * gap
    norms = [log2_of(sum((v * v for v in b.entries()), arb(0))) / 2 for b in blocks]
    whole = sum(norms)
    reach = error + max((whole - n for n in norms if n > -math.inf), default=0.0) + math.log2(len(blocks)) / 2
    loss = log2_of(total)
    singular = [v if v > reach * LOG10_2 else -math.inf for v in _singular_values(product)]
    return Sample(time, (loss - 1) * LOG10_2 if loss / 2 > reach else math.nan, singular)


def _singular_values(product: arb_mat) -> list[float]:
    """log10 of the singular values, largest first; -inf for what is lost to rounding."""
    rows, cols = product.nrows(), product.ncols()
    if min(rows, cols) > SIDE:
        top = max(log2_of(v) for v in product.entries())
        if top == -math.inf:
            return []
        unit = from_dyadic((1, -math.floor(top)))
        return of_doubles_values([[float((v * unit).mid()) for v in row] for row in product.tolist()], math.floor(top) * LOG10_2)
    gram = product * product.transpose() if rows <= cols else product.transpose() * product
    middle = arb_mat([[v.mid() for v in row] for row in gram.tolist()])
    found = sorted((log2_of(v.real) if v.real > 0 else -math.inf for v in acb_mat(middle).eig(algorithm="approx")), reverse=True)
    return [v / 2 * LOG10_2 if v > found[0] + 16 - ctx.prec else -math.inf for v in found]


def of_doubles_values(rows: Any, shift: float = 0.0) -> list[float]:
    """log10 of the singular values of a matrix of doubles times 10^shift."""
    values = np.linalg.svd(np.asarray(rows), compute_uv=False)
    return [math.log10(v) + shift if v > values[0] * 1e-15 else -math.inf for v in values.tolist()]


def of_doubles(time: arb, observations: Observations, blocks: Sequence[Any]) -> Sample:
    """The point for factors in double precision."""
    product = blocks[0]
    for b in blocks[1:]:
        product = b @ product
    loss = math.fsum((float(product[i, j]) - float(v)) ** 2 for i, j, v in observations.entries) / 2
    finite = bool(np.isfinite(product).all())
    return Sample(time, math.log10(loss) if 0 < loss < math.inf else math.nan, of_doubles_values(product) if finite else [])


def log10(value: arb) -> float:
    """log10 of a positive number of any size."""
    return log2_of(value) * LOG10_2


# -- the deep scalar pair
# ----------------------------------------------------------------------------------------------------


NODES = ((-0.8611363115940526, 0.3478548451374538), (-0.3399810435848563, 0.6521451548625461))
"""Gauss's rule with four points on [-1, 1]: two points with their weights, and their mirror images."""


def of_pair(d: int, depth: int, target: Any, first: Any, second: Any, digits: int) -> list[Sample]:
    """Points on the curve of the deep scalar pair: lambda_1, lambda_2 from `first`, `second` > 0 (see :mod:`verify.flow.pair`).

    With the larger component x as parameter, dt = -dx / (x^(L-1) r), which is integrated between neighbouring points.
    """
    from verify.flow.pair import _Pair

    pair = _Pair(d, depth, target, first, second)
    with precision(64):
        long = max(0.0, -log2_of(ball(max(first, second)))) * max(0, depth - 2)  # log2 of the time before something happens
    bits = 2 * math.ceil(digits * math.log2(10)) + 128 + math.ceil(long)
    with precision(bits):
        w, (big, small) = ball(target), (ball(v) for v in pair.weights)
        invariant = pair.invariant()

        def residual(x: arb) -> arb:
            return ((big * x**depth + small * pair.smaller(x, invariant) ** depth) - w).mid()

        def pace(x: arb) -> arb:
            return -1 / (x ** (depth - 1) * residual(x)).mid()

        out, time, before = [], arb(0), None
        for x in _grid(ball(max(first, second)).mid(), residual, digits, w):
            if before is not None and not (x == before or residual(x).is_zero()):
                middle, half = (x + before) / 2, (x - before) / 2
                parts = sum((arb(weight) * (pace(middle + half * v) + pace(middle - half * v)) for v, weight in NODES), arb(0))
                time = (time + parts * half).mid()
                r, y = residual(x), pair.smaller(x, invariant)
                logs = [log10(x) * depth, log10(y) * depth]
                values = [logs[1], *[logs[0]] * (d - 1)] if pair.swapped else [logs[0], *[logs[1]] * (d - 1)]
                loss = (2 * log2_of(r) + math.log2(d) - 1) * LOG10_2 if not r.is_zero() else math.nan
                out.append(Sample(time, loss, sorted(values, reverse=True)))
            before = x
    return out


def _grid(start: arb, residual: Any, digits: int, target: arb) -> Iterator[arb]:
    """Points from the start towards the limit: by equal factors to half or twice of it, and then ever nearer to it, likewise."""
    yield start
    small = arb(10) ** -(digits + 1)
    if not target > 0:  # the limit is 0
        yield from ((start * small ** (k / arb(POINTS))).mid() for k in range(1, POINTS + 1))
        return
    rising = bool(residual(start) < 0)
    low, high = (start, start * 2) if rising else (start / 2, start)
    while residual(high) < 0:
        low, high = high, high * 2
    while residual(low) > 0:
        low, high = low / 2, low
    for _ in range(ctx.prec):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if residual(middle) < 0 else (low, middle)
    end = low if rising else high
    near = end / 2 if rising else end * 2
    if not (start < near if rising else start > near):
        near = start
    ratio = near / start
    parts = [*(2.0**-m for m in range(8, 0, -1)), *range(1, POINTS)]
    yield from ((start * ratio ** (k / arb(POINTS))).mid() for k in parts)
    for k in range(POINTS):
        yield (end - (end - near) * small ** (k / arb(POINTS))).mid()
