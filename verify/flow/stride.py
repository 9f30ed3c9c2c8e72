"""Long steps in fixed point for :mod:`verify.flow.validated`: the accelerated way to make one validated step.

A step is planned on a sketch of the Taylor coefficients in doubles (change of time, order, length, digits), carried
out exactly in fixed point and bounded as :mod:`verify.flow.fixedpoint` says. The plan is a heuristic; the bounds are
rigorous, and a step that they do not cover is not made. The result is a step of the same kind as the plain one:
the checker does not see the difference.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.flow.balls import INFLATE, Dyadic
from verify.flow.fixedpoint import BITS, PIECES, RANGE, Program, program
from verify.flow.models import CPTensor, LeastSquares
from verify.flow.tape import Tape

PROBE = 14  # order of the expansion from which a change of time is chosen
ORDERS = (0.35, 0.5, 0.7, 1.0, 1.4, 1.8)  # orders that are tried, as parts of the bits that are needed
MARGIN = 4.0  # room for a checker that computes the same bounds by other means


@dataclass
class Step:
    """A validated step. Every solution within the previous error of the previous point lies, after it, within
    `error` of `mid` (integers in units of 2^(-20 unit)), and on the way within rho of the polynomial.
    """

    h: Dyadic
    beta: Dyadic | None
    order: int
    bits: int
    rho: float
    mid: list[list[int]]
    unit: int
    error: float
    residual: float  # log2 of the norm of the residual at the end; a heuristic


@dataclass
class _Plan:
    program: Program
    beta: Dyadic | None
    order: int
    h: Dyadic
    norms: Any  # of the sketch, times h^k
    gain: float


class Strider:
    """Makes steps for one model. `available` says whether it can."""

    def __init__(
        self, model: Any, tapes: dict[bool, Tape], residual: dict[bool, int], data: float, factor: float
    ):
        self.model, self.data, self.factor = model, data, factor
        programs = {timed: program(tape) for timed, tape in tapes.items()}
        self.available = isinstance(model, LeastSquares) and all(p is not None for p in programs.values())
        self.programs: dict[bool, Program] = {t: p for t, p in programs.items() if p is not None}
        self.residual = residual
        self.depth = len(model.shapes)
        self.cells = sum(r * c for r, c in model.shapes)

    # -- the plan

    def plan(self, state: list[list[float]], tau: float, limit: float | None) -> _Plan | None:
        """The best of several steps by time gained for the work; None where doubles do not reach."""
        free = self.programs[False]
        start = math.sqrt(sum(v * v for flat in state for v in flat))
        free.sketch(state, 1, 1.0, 0.0)
        slope = math.sqrt(sum(float((free.shadow[b][:, 1] ** 2).sum()) for b in free.inputs))
        if not (0 < start < math.inf and 0 < slope < math.inf) or math.log2(start) - tau > RANGE / 2:
            return None
        probe = start / slope
        free.sketch(state, PROBE, probe, 0.0)
        best: _Plan | None = None
        score = -math.inf
        rates = [None, _rate(free, probe)]
        for beta in rates[: 1 if rates[1] is None else 2]:
            made = self.programs[beta is not None]
            value = 0.0 if beta is None else math.ldexp(beta[0], beta[1])
            need = max(24.0, math.log2(start) - tau + 4)
            orders = sorted({max(10, round(part * need)) for part in ORDERS})
            length = self._unit(made, state, start, probe, value)
            middle = orders[len(orders) // 2]
            made.sketch(state, middle, length, -value * length)
            made.measure(middle)
            length *= made.length(middle, length, value * length, tau, 16.0) or 1.0
            made.sketch(state, orders[-1], length, -value * length)
            made.measure(orders[-1])
            for order in orders:
                x = made.length(order, length, value * length, tau, 16.0)
                if not x > 0:
                    continue
                time = length * x
                if limit is not None:
                    most = _inverse(value, limit)
                    if value == 0 and time >= most:
                        return None
                    time = min(time, 0.9 * most)
                gain = time if value == 0 else -math.expm1(-value * time) / value
                worth = gain / self.cost(order, need)
                if worth > score and math.isfinite(worth):
                    score = worth
                    h = _short(time)
                    with np.errstate(all="ignore"):
                        powers = (math.ldexp(*h) / length) ** np.arange(order + 1)
                        norms = made.norms[:, : order + 1] * powers
                    best = _Plan(made, beta, order, h, norms, gain)
        return best

    def _unit(
        self, made: Program, state: list[list[float]], start: float, probe: float, rate: float
    ) -> float:
        """A length in time at which coefficient PROBE is about as large as coefficient 0: near the radius of
        convergence.
        """
        made.sketch(state, PROBE, probe, -rate * probe)
        size = max(float(np.abs(made.shadow[b][:, PROBE]).max()) for b in made.inputs)
        return probe * (start / size) ** (1 / PROBE) if 0 < size < math.inf else probe

    def cost(self, order: int, need: float) -> float:
        """Time of a step of this order, relative to one of order 0."""
        digits = need / BITS + 2
        return 1.0 + (order * digits / 1500) ** 2 * self.cells / 8

    def places(self, plan: _Plan, unit: int, tau: float) -> list[tuple[int, int]] | None:
        """First and last digits of every operation, such that rounding stays below about 2^tau / 50."""
        made, order = plan.program, plan.order
        h = math.ldexp(*plan.h)
        largest, low = plan.norms.max(axis=1).tolist(), plan.norms[:, :order].sum(axis=1).tolist()
        if not all(map(math.isfinite, low)):
            return None
        weight = [0.0] * made.count  # how much an error of an operation counts
        for base in made.inputs:
            weight[made.ops[base].a] += h
        for i in range(made.count - 1, -1, -1):
            field = made.fields[i]
            if field["kind"] == "sum":
                weight[field["a"]] += weight[i]
                weight[field["b"]] += weight[i]
            elif field["kind"] == "dot":
                weight[field["a"]] += weight[i] * low[field["b"]] * field["gain"]
                weight[field["b"]] += weight[i] * low[field["a"]] * field["gain"]
        share = tau - 6 - math.log2(made.count * order)
        out = []
        for i in range(made.count):
            field = made.fields[i]
            top = math.floor((17 - _log2(largest[i])) / BITS) if largest[i] > 0 else 10**6
            if field["kind"] == "input":
                last = max(unit, math.ceil((-share + math.log2(self.cells)) / BITS))
            else:
                factor = _log2(weight[i] * math.sqrt(field["size"]))
                if field["kind"] == "speed":
                    factor += order / 4
                last = math.ceil((factor - share) / BITS) if factor > -RANGE else -(10**6)
            top = min(top, last) if last > -(10**6) else top
            top = max(-45, min(45, top))
            out.append((top, max(top, last)))
        return out

    # -- the step

    def step(
        self, mid: list[list[int]], unit: int, error: float, tau: float, limit: float | None
    ) -> Step | None:
        """One validated step from an exact point, or None: then it is to be made the plain way."""
        state = [[math.ldexp(float(v), -BITS * unit) for v in flat] for flat in mid]
        plan = self.plan(state, tau, limit)
        if plan is None:
            return None
        for _ in range(4):
            places = self.places(plan, unit, tau)
            if places is None:
                return None
            made, order = plan.program, plan.order
            h = math.ldexp(*plan.h)
            rate = 0.0 if plan.beta is None else math.ldexp(*plan.beta) * h
            if not made.expand(mid, unit, order, places, plan.h, plan.beta):
                return None
            low, high = made.bounds(order, h, rate)
            local = (low + high) * INFLATE
            if not local <= 2.0 ** (tau + 0.5):
                if not low < 2.0 ** (tau - 1):
                    return None
                shrink = 2.0 ** -((_log2(high) - tau + 0.5) / (order + 1)) if high < math.inf else 0.5
            else:
                tube = self.tube(plan, error, local, h, rate)
                if tube is not None:
                    return self._finish(plan, places, tube, error)
                shrink = 0.5
            smaller = _short(h * min(shrink, 0.99))
            powers = (math.ldexp(*smaller) / h) ** np.arange(order + 1)
            plan.norms = plan.norms * powers
            plan.h = smaller
        return None

    def _finish(
        self, plan: _Plan, places: list[tuple[int, int]], tube: tuple[float, float], error: float
    ) -> Step:
        made = plan.program
        rho, bound = tube
        ends = made.endpoint(plan.order)
        # What lies below a 2^10th of the error is dropped.
        unit = math.ceil((11 + math.log2(self.cells) / 2 - math.log2(bound)) / BITS)
        unit = max(1, min(unit, max(places[b][1] for b in made.inputs)))
        mid, rounded = [], False
        for base, flat in zip(made.inputs, ends, strict=True):
            cut = BITS * (places[base][1] - unit)
            rounded = rounded or cut > 0
            mid.append([(v + (1 << cut - 1)) >> cut for v in flat] if cut > 0 else [v << -cut for v in flat])
        rounding = math.sqrt(self.cells) * math.ldexp(0.51, -BITS * unit) if rounded else 0.0
        widest = max(_log2(float(plan.norms[b].max())) for b in made.inputs)
        view = made.views[self.residual[plan.beta is not None]]
        used = view.entries[view.entries >= 0]
        residual = made.shadow[view.base][used, : plan.order].sum(axis=1)
        return Step(
            h=plan.h,
            beta=plan.beta,
            order=plan.order,
            bits=math.ceil(max(24.0, widest - _log2(bound)) + 24),
            rho=rho,
            mid=mid,
            unit=unit,
            error=(bound * 1.001 + 2 * rounding) * INFLATE,
            residual=_log2(float(np.sqrt((residual**2).sum()))),
        )

    def tube(
        self, plan: _Plan, error: float, local: float, h: float, rate: float
    ) -> tuple[float, float] | None:
        """(rho, B) with B < rho such that the error stays below B, or None (see :mod:`verify.flow.validated`)."""
        made, model = plan.program, self.model
        number = self.residual[plan.beta is not None]
        view, shape = made.views[number], made.tape.ops[number].shape
        blocks, tails = np.empty(self.depth), np.empty((self.depth + 1, PIECES))
        norms = made.norms
        for level, (base, block) in enumerate(zip(made.inputs, model.shapes, strict=True)):
            first = made.shadow[base][:, 0].reshape(block)
            blocks[level] = self._block_norm(made, first)
            made.lib.profile(norms[base].ctypes.data, plan.order, tails[level].ctypes.data)
        made.lib.profile(norms[view.base].ctypes.data, plan.order - 1, tails[-1].ctypes.data)
        gain = view.gain()
        tails[-1] *= gain * INFLATE
        first = np.where(view.entries >= 0, made.shadow[view.base][view.entries, 0], 0.0).reshape(shape)
        frobenius = math.sqrt(float((first**2).sum())) * INFLATE
        low = float(made.low_rest[view.base]) * gain
        if isinstance(model, CPTensor):
            dual, spread = frobenius, float(model.rank)
        else:
            dual, spread = made.spectral(first, 2e-12 * float(np.abs(first).max())), 1.0
        leave = (low + float(made.high_rest[view.base]) * gain) * INFLATE

        def growth(rho: float) -> float:
            return float(
                made.lib.growth(
                    self.depth,
                    blocks.ctypes.data,
                    tails.ctypes.data,
                    dual + low,
                    frobenius + low,
                    leave,
                    rho,
                    self.data,
                    self.factor,
                    spread,
                    h,
                    rate,
                )
            )

        start = (error + MARGIN * local) * INFLATE
        rho = start * 64
        for _ in range(5):
            amount = growth(rho)
            if not amount < 200:
                return None
            bound = start * math.exp(amount) * (1 + 1e-9)
            if bound * (1 + 1e-6) < rho:
                return rho, bound
            rho = bound * 1.5
        return None

    def _block_norm(self, made: Program, matrix: Any) -> float:
        if isinstance(self.model, CPTensor):
            return math.sqrt(float((matrix**2).sum(axis=0).max())) * INFLATE
        return made.spectral(matrix, 2e-12 * float(np.abs(matrix).max()))


def _rate(made: Program, unit: float) -> Dyadic | None:
    """The rate of the change of time (12 bits), from the coefficients up to PROBE times unit^k, or None.

    Taylor coefficients c_k of a singularity at distance R in the direction of the real axis have ratios r_k with
    k r_k - (k - 1) r_(k-1) = 1/R, positive ahead and negative behind (for an entire exponential it is 0). Ahead
    that is taken if it is stable; for a state that decays, 4/5 of the ratio itself turned out best.
    """
    best, column = 0.0, None
    for base in made.inputs:
        last = np.abs(made.shadow[base][:, PROBE])
        e = int(last.argmax())
        if last[e] > best:
            best, column = float(last[e]), made.shadow[base][e, PROBE - 4 : PROBE + 1].tolist()
    if column is None or not all(column):
        return None
    ratios = [y / x for x, y in itertools.pairwise(column)]
    if min(ratios) * max(ratios) <= 0:
        return None
    if ratios[-1] < 0:
        rate = 0.8 * ratios[-1]
    else:
        rates = [(PROBE - 2 + i) * ratios[1 + i] - (PROBE - 3 + i) * ratios[i] for i in range(3)]
        if min(rates) < 0.2 * ratios[-1] or max(rates) > 2 * min(rates):
            return None
        rate = rates[-1]
    man, exp = _short(abs(rate) / unit)
    return (man if rate > 0 else -man, exp)


def _inverse(rate: float, time: float) -> float:
    """The s with (1 - exp(-rate s))/rate = time (s = time for rate 0); infinite if there is none."""
    if rate == 0:
        return time
    inner = -rate * time
    return math.inf if inner <= -1 else -math.log1p(inner) / rate


def _short(value: float) -> Dyadic:
    """A dyadic number of 12 bits just below a positive double."""
    m, e = math.frexp(value)
    return int(m * 4096), e - 12


def _log2(value: float) -> float:
    return math.log2(value) if value > 0 else -math.inf


def to_integers(values: Sequence[Sequence[Dyadic]]) -> tuple[list[list[int]], int]:
    """Exact numbers as integers in a common unit 2^(-20 unit)."""
    least = min((e for flat in values for m, e in flat if m), default=0)
    unit = max(1, math.ceil(-least / BITS))
    return [[m << BITS * unit + e for m, e in flat] if flat else [] for flat in values], unit
