"""Long steps in fixed point for :mod:`verify.flow.validated`: the accelerated way to make one validated step.

A step is planned on a sketch of the Taylor coefficients in doubles (change of time, order, length, digits), carried
out exactly in fixed point and bounded as :mod:`verify.flow.fixedpoint` says. The plan is a heuristic; the bounds are
rigorous, and a step that they do not cover is not made. The result is a step of the same kind as the plain one:
the checker does not see the difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verify.flow.balls import INFLATE, Dyadic
from verify.flow.fixedpoint import BITS, Plan, Program, plan, program
from verify.flow.models import CPTensor, LeastSquares
from verify.flow.tape import Tape

ORDERS = (0.35, 0.55, 0.8, 1.15, 1.6, 2.2)  # orders that are tried, as parts of the bits that are needed
LARGEST = 700.0  # bits of a step
WORK = 1e-7  # of a pair of digits, relative to what a step costs at least
MARGIN = 4.0  # room for a checker that computes the same bounds by other means


@dataclass
class Point:
    """An exact point: integers in units of 2^(-22 unit), one list per block; and its residual in doubles where it is known
    (a heuristic): its places in a program, and their norm.
    """

    mid: list[list[int]]
    unit: int
    residual: list[float] | None = None
    norm: float = 0.0


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


class Strider:
    """Makes steps for one model. `available` says whether it can."""

    def __init__(
        self, model: Any, tapes: dict[bool, Tape], residual: dict[bool, int], data: float, factor: float, start: Sequence[Any]
    ):
        self.model, self.tapes, self.residual, self.constants = model, tapes, residual, (data, factor)
        self.shares = True  # whether the places of residuals are those of the programs
        self._prepare(start)
        self.slack = 0.0  # bits by which the sketch overestimates local errors
        self.cells = sum(r * c for r, c in model.shapes)

    def _prepare(self, start: Sequence[Any] | None) -> None:
        """Programs for states with the equalities among the entries of `start`."""
        model, residual = self.model, self.residual
        programs = {timed: program(tape, residual[timed], start) for timed, tape in self.tapes.items()}
        self.available = isinstance(model, LeastSquares) and all(p is not None for p in programs.values())
        self.programs: dict[bool, Program] = {t: p for t, p in programs.items() if p is not None}
        tensor = isinstance(model, CPTensor)
        self.frames = {
            timed: p.frame(model.shapes, residual[timed], tensor, *self.constants, float(model.rank) if tensor else 1.0)
            for timed, p in self.programs.items()
        }

    def program(self, state: Sequence[Any]) -> Program | None:
        """Of the field, without a change of time, for an exact state; None if the accelerator is off."""
        free = self.programs.get(False)
        if free is not None and not free.fits(state):  # after a step of another kind, whose roundings differ
            self._prepare(None)
            self.shares = False
        return self.programs.get(False)

    # -- the step

    def step(self, point: Point, error: float, tau: float, limit: float | None) -> Step | None:
        """One validated step from an exact point, or None: then it is to be made the plain way.

        Args:
            error: bound of the distance of the true solution from the point.
            tau: log2 of the local error that is aimed at.
            limit: the step stays below this length in t.
        """
        state = [v for flat in point.mid for v in flat]
        free = self.program(state)
        if free is None:
            return None
        start = [math.ldexp(float(v), -BITS * point.unit) for v in free.reduced(state)]
        need = _log2(math.hypot(*start)) - tau + 4
        if not need < LARGEST:
            return None
        orders = [max(10, round(part * max(24.0, need))) for part in ORDERS]
        most = math.inf if limit is None else limit
        known = point.residual if self.shares else None
        made = plan(self.programs, start, known, orders, tau, tau + 2, self.slack, most, point.unit, WORK)
        if made is None:
            return None
        use, frame = made.program, self.frames[made.beta is not None]
        # The rounding that is planned for is a generous estimate of its bound.
        for goal in (tau - 6, tau - 6, tau - 12, tau - 12):
            h = math.ldexp(*made.h)
            rate = 0.0 if made.beta is None else math.ldexp(*made.beta) * h
            if not use.expand(point.mid, point.unit, made):
                return None
            low, high = use.bounds(made.order, h, rate)
            local = (low + high) * INFLATE
            if 0 < high < math.inf:
                # Doubles exaggerate the fast modes of a stiff problem; what they exaggerated is expected next time.
                self.slack = min(max(0.0, self.slack + 0.6 * (tau - _log2(high) - 6)), 2.0 * need)
            shrink = 0.5
            if local <= 2.0 ** (tau + 0.5):
                tube = use.tube(frame, made.order, (error + MARGIN * local) * INFLATE, h, rate)
                if tube is not None:
                    return self._finish(made, tube)
            elif low > 2.0 ** (tau - 1):
                shrink = 1.0
            elif high < math.inf:
                shrink = min(0.99, 2.0 ** -((_log2(high) - tau + 0.5) / (made.order + 1)))
            use.shorter(made, _short(h * shrink), goal, point.unit)
        return None

    def _finish(self, plan: Plan, tube: tuple[float, float]) -> Step:
        made, last = plan.program, plan.places[1].tolist()
        rho, bound = tube
        own = {base: made.endpoint(base, plan.order) for base in made.sources}
        # What lies below a 2^10th of the error is dropped.
        unit = math.ceil((11 + math.log2(self.cells) / 2 - math.log2(bound)) / BITS)
        unit = max(1, min(unit, max(last[b] for b in made.inputs)))
        rounded = False
        for base, flat in own.items():
            cut = BITS * (last[base] - unit)
            rounded = rounded or cut > 0
            own[base] = [(v + (1 << cut - 1)) >> cut for v in flat] if cut > 0 else [v << -cut for v in flat]
        mid = [[own[base][e] for e in made.views[number].entries.tolist()] for number, base in made.bases_of_inputs]
        rounding = math.sqrt(self.cells) * math.ldexp(0.51, -BITS * unit) if rounded else 0.0
        base = made.residual
        residual = [math.ldexp(float(v), -BITS * last[base]) for v in made.endpoint(base, plan.order - 1)]
        norm = math.sqrt(sum(w * v * v for v, w in zip(residual, made.fields[base]["weight"], strict=True)))
        return Step(
            h=plan.h,
            beta=plan.beta,
            order=plan.order,
            bits=_bits(made, plan, bound),
            rho=rho,
            end=Point(mid, unit, residual, norm),
            error=(bound * 1.001 + 2 * rounding) * INFLATE,
        )


def _bits(made: Program, plan: Plan, bound: float) -> int:
    """Working precision with which a checker that works in balls will find the same bounds."""
    radius = made.radii(plan.order, math.ldexp(*plan.h))
    return math.ceil(max(24.0, _log2(radius) - _log2(bound))) if radius < math.inf else 8000


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
