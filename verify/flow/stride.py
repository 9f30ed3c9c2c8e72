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
from verify.flow.fixedpoint import BITS, RANGE, Program, program
from verify.flow.models import CPTensor, LeastSquares
from verify.flow.tape import Tape

PROBE = 14  # order of the expansion from which a change of time is chosen
ORDERS = (0.35, 0.55, 0.8, 1.15, 1.6, 2.2)  # orders that are tried, as parts of the bits that are needed
WORK = 3e-7  # of a pair of digits, relative to what a step costs at least
MARGIN = 4.0  # room for a checker that computes the same bounds by other means


@dataclass
class Point:
    """An exact point: integers in units of 2^(-20 unit), one list per block; and the entries of its residual in doubles
    where they are known (a heuristic).
    """

    mid: list[list[int]]
    unit: int
    residual: list[float] | None = None


@dataclass
class Step:
    """A validated step. Every solution within the previous error of the previous point lies, after it, within
    `error` of `end`, and on the way within rho of the polynomial.
    """

    h: Dyadic
    beta: Dyadic | None
    order: int
    bits: int
    rho: float
    end: Point
    error: float


@dataclass
class _Plan:
    program: Program
    beta: Dyadic | None
    order: int
    h: Dyadic
    places: list[tuple[int, int]]


class Strider:
    """Makes steps for one model. `available` says whether it can."""

    def __init__(
        self, model: Any, tapes: dict[bool, Tape], residual: dict[bool, int], data: float, factor: float
    ):
        programs = {timed: program(tape) for timed, tape in tapes.items()}
        self.available = isinstance(model, LeastSquares) and all(p is not None for p in programs.values())
        self.programs: dict[bool, Program] = {t: p for t, p in programs.items() if p is not None}
        self.residual = residual
        self.cells = sum(r * c for r, c in model.shapes)
        tensor = isinstance(model, CPTensor)
        self.frames = {
            timed: p.frame(model.shapes, residual[timed], tensor, data, factor, float(model.rank) if tensor else 1.0)
            for timed, p in self.programs.items()
        }

    # -- the plan

    def plan(self, point: Point, tau: float, limit: float | None) -> _Plan | None:
        """The best of several orders by time gained for the work; None where doubles do not reach."""
        free = self.programs[False]
        state = [[math.ldexp(float(v), -BITS * point.unit) for v in flat] for flat in point.mid]
        start = math.sqrt(sum(v * v for flat in state for v in flat))
        self._sketch(free, state, point, 1, 1.0, 0.0)
        slope = math.sqrt(sum(float((free.shadow[b][:, 1] ** 2).sum()) for b in free.inputs))
        if not (0 < start < math.inf and 0 < slope < math.inf) or math.log2(start) - tau > RANGE / 2:
            return None
        probe = start / slope
        self._sketch(free, state, point, PROBE, probe, 0.0)
        beta = _rate(free, probe)
        made = self.programs[beta is not None]
        rate = 0.0 if beta is None else math.ldexp(*beta)
        self._sketch(made, state, point, PROBE, probe, -rate * probe)
        size = max(float(np.abs(made.shadow[b][:, PROBE]).max()) for b in made.inputs)
        # The length at which coefficient PROBE is as large as coefficient 0, then that of a step of low order.
        length = probe * (start / size) ** (1 / PROBE) if 0 < size < math.inf else probe
        need = max(24.0, math.log2(start) - tau + 4)
        orders = [max(10, round(part * need)) for part in ORDERS]
        self._sketch(made, state, point, orders[0], length, -rate * length)
        made.measure(orders[0])
        length *= made.length(orders[0], length, rate * length, tau, 1.0, 16.0) or 1.0
        self._sketch(made, state, point, orders[-1], length, -rate * length)
        made.measure(orders[-1])
        most = math.inf if limit is None else _inverse(rate, limit)
        best, score, x = None, 0.0, 1.0
        for order in orders:
            x = made.length(order, length, rate * length, tau, x, 64.0)
            if not x > 0:
                break
            time = length * x
            if beta is None and time >= most:
                return None  # the rest is one plain step
            h = _short(min(time, 0.9 * most))
            length_h = math.ldexp(*h)
            work, places = made.places(order, length_h / length, length_h, tau - 6, point.unit)
            gain = time if beta is None else -math.expm1(-rate * time) / rate
            worth = gain / (1.0 + 5e-4 * order * self.cells / 8 + WORK * work)
            if worth > score and math.isfinite(worth):
                best, score = _Plan(made, beta, order, h, places), worth
        return best

    def _sketch(
        self, made: Program, state: list[list[float]], point: Point, order: int, h: float, rate: float
    ) -> None:
        number = self.residual[made.tape.speed is not None]
        made.sketch(state, order, h, rate, (made.views[number].base, point.residual))

    # -- the step

    def step(self, point: Point, error: float, tau: float, limit: float | None) -> Step | None:
        """One validated step from an exact point, or None: then it is to be made the plain way.

        Args:
            error: bound of the distance of the true solution from the point.
            tau: log2 of the local error that is aimed at.
            limit: the step stays below this length in t.
        """
        plan = self.plan(point, tau, limit)
        if plan is None:
            return None
        made, order = plan.program, plan.order
        for _ in range(4):
            h = math.ldexp(*plan.h)
            rate = 0.0 if plan.beta is None else math.ldexp(*plan.beta) * h
            if not made.expand(point.mid, point.unit, order, plan.places, plan.h, plan.beta):
                return None
            low, high = made.bounds(order, h, rate)
            local = (low + high) * INFLATE
            if not local <= 2.0 ** (tau + 0.5):
                if not low < 2.0 ** (tau - 1):
                    return None
                shrink = 2.0 ** -((_log2(high) - tau + 0.5) / (order + 1)) if high < math.inf else 0.5
            else:
                frame = self.frames[plan.beta is not None]
                tube = made.tube(frame, order, (error + MARGIN * local) * INFLATE, h, rate)
                if tube is not None:
                    return self._finish(plan, tube)
                shrink = 0.5
            # The norms are those of the polynomial by now.
            plan.h = _short(h * min(shrink, 0.99))
            smaller = math.ldexp(*plan.h)
            _, plan.places = made.places(order, smaller / h, smaller, tau - 6, point.unit)
        return None

    def _finish(self, plan: _Plan, tube: tuple[float, float, float]) -> Step:
        made, places = plan.program, plan.places
        rho, bound, lost = tube
        ends = [made.endpoint(base, plan.order) for base in made.inputs]
        # What lies below a 2^10th of the error is dropped.
        unit = math.ceil((11 + math.log2(self.cells) / 2 - math.log2(bound)) / BITS)
        unit = max(1, min(unit, max(places[b][1] for b in made.inputs)))
        mid, rounded = [], False
        for base, flat in zip(made.inputs, ends, strict=True):
            cut = BITS * (places[base][1] - unit)
            rounded = rounded or cut > 0
            mid.append([(v + (1 << cut - 1)) >> cut for v in flat] if cut > 0 else [v << -cut for v in flat])
        rounding = math.sqrt(self.cells) * math.ldexp(0.51, -BITS * unit) if rounded else 0.0
        widest = max(_log2(float(made.norms[b].max())) for b in made.inputs) + min(lost, 20000.0)
        base = made.views[self.residual[plan.beta is not None]].base
        residual = [math.ldexp(float(v), -BITS * places[base][1]) for v in made.endpoint(base, plan.order - 1)]
        return Step(
            h=plan.h,
            beta=plan.beta,
            order=plan.order,
            bits=math.ceil(max(24.0, widest - _log2(bound)) + 24),
            rho=rho,
            end=Point(mid, unit, residual),
            error=(bound * 1.001 + 2 * rounding) * INFLATE,
        )


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


def to_point(values: Sequence[Sequence[Dyadic]]) -> Point:
    """Exact numbers as integers in a common unit."""
    least = min((e for flat in values for m, e in flat if m), default=0)
    unit = max(1, math.ceil(-least / BITS))
    return Point([[m << BITS * unit + e for m, e in flat] for flat in values], unit)
