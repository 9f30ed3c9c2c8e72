"""Long steps in fixed point for :mod:`verify.flow.validated`: the accelerated way to make one validated step.

A step is planned on a sketch of the Taylor coefficients in doubles (change of time, order, length, digits), carried
out exactly in fixed point and bounded as :mod:`verify.flow.fixedpoint` says. The plan is a heuristic; the bounds are
rigorous, and a step that they do not cover is not made. The result is a step of the same kind as the plain one:
the checker does not see the difference.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.flow.balls import Dyadic
from verify.flow.compiled import Move
from verify.flow.fixedpoint import BITS, PROBE, Program, program
from verify.flow.models import CPTensor, LeastSquares
from verify.flow.tape import Tape

ORDERS = (0.35, 0.5, 0.72, 1.02)  # orders that are tried, as parts of the bits that are needed
LARGEST = 700.0  # bits of a step
WORK = 1e-7  # of a pair of digits, relative to what a step costs at least
WORDS = 40  # of 64 bits for an entry of a point
MARGIN = 4.0  # room for a checker that computes the same bounds by other means


class Point:
    """An exact point in units of 2^(-22 unit): as integers, or in the places of a program.

    Attributes:
        raw: for each place WORDS 64-bit words of the integer; None if it was not made by a program.
        residual, norm: the places of its residual (an array of ctypes), and its norm, where they are known (a heuristic).
        largest, length: of its entries, and the norm of its places, in doubles.
    """

    def __init__(self, unit: int, mid: list[list[int]] | None = None, raw: Any = None, program: Program | None = None):
        self.unit, self.raw, self.program, self._mid = unit, raw, program, mid
        self.residual: Any = None
        self.norm = self.largest = self.length = 0.0

    def values(self) -> list[int]:
        """Integers, one for each place of the program that made it."""
        data, width = bytes(self.raw), 8 * WORDS
        return [int.from_bytes(data[at : at + width], "little", signed=True) for at in range(0, len(data), width)]

    @property
    def mid(self) -> list[list[int]]:
        """Integers, one list per block."""
        if self._mid is None:
            assert self.program is not None
            values = self.values()
            self._mid = [[values[c] for c in part] for part in self.program.layout]
        return self._mid

    def flat(self) -> list[int]:
        return [v for part in self.mid for v in part]


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
    begin: float  # the error at the start of the tube of radius rho, and its bound at the end
    bound: float
    end: Point
    error: float

    def length(self) -> float:
        """In t, roughly."""
        h = math.ldexp(*self.h)
        if self.beta is None:
            return h
        beta = math.ldexp(*self.beta)
        return -math.expm1(-beta * h) / beta


class Strider:
    """Makes steps for one model. `available` says whether it can."""

    def __init__(
        self, model: Any, tapes: dict[bool, Tape], residual: dict[bool, int], data: float, factor: float, start: Sequence[Any]
    ):
        self.model, self.tapes, self.residual, self.constants = model, tapes, residual, (data, factor)
        self.shares = True  # whether the places of residuals are those of the programs
        self._prepare(start)
        self.orders = (ctypes.c_int64 * len(ORDERS))()
        self.move = m = Move()
        m.price, m.margin, m.words, m.probe = WORK, MARGIN, WORDS, PROBE
        m.orders, m.order = len(ORDERS), ctypes.addressof(self.orders)
        self.slack = 0.0  # bits by which the sketch overestimates local errors
        m.entries = sum(r * c for r, c in model.shapes)

    def _prepare(self, start: Sequence[Any] | None) -> None:
        """Programs for states with the equalities among the entries of `start`."""
        model, residual = self.model, self.residual
        programs = {timed: program(tape, residual[timed], start) for timed, tape in self.tapes.items()}
        self.available = isinstance(model, LeastSquares) and all(p is not None for p in programs.values())
        self.programs: dict[bool, Program] = {t: p for t, p in programs.items() if p is not None}
        tensor = isinstance(model, CPTensor)
        for timed, p in self.programs.items():  # kept with the program
            p.frame(model.shapes, residual[timed], tensor, *self.constants, float(model.rank) if tensor else 1.0)

    def program(self, state: Sequence[Any]) -> Program | None:
        """Of the field, without a change of time, for an exact state; None if the accelerator is off."""
        free = self.programs.get(False)
        if free is not None and not free.fits(state):  # after a step of another kind, whose roundings differ
            self._prepare(None)
            self.shares = False
        return self.programs.get(False)

    # -- the step

    def _written(self, point: Point, free: Program) -> None:
        """Give an exact point its words."""
        values = free.reduced(point.flat())
        if max((v.bit_length() for v in values), default=0) > 64 * WORDS - 2:
            return
        data = b"".join(v.to_bytes(8 * WORDS, "little", signed=True) for v in values)
        point.raw = (ctypes.c_uint64 * (WORDS * len(values))).from_buffer_copy(data)
        doubles = [math.ldexp(float(v), -BITS * point.unit) for v in values]
        point.largest, point.length = max(map(abs, doubles)), math.hypot(*doubles)

    def step(self, point: Point, error: float, tau: float, limit: float | None) -> Step | None:
        """One validated step from an exact point, or None: then it is to be made the plain way.

        Args:
            error: bound of the distance of the true solution from the point.
            tau: log2 of the local error that is aimed at.
            limit: the step stays below this length in t.
        """
        if point.raw is None:
            free = self.program(point.flat())
            if free is None:
                return None
            self._written(point, free)
            if point.raw is None:
                return None
        need = _log2(point.length) - tau + 4
        if not need < LARGEST:
            return None
        free, timed = self.programs[False], self.programs[True]
        wanted = max(24.0, need)
        for i, part in enumerate(ORDERS):
            self.orders[i] = max(10, round(part * wanted))
        for p in (free, timed):
            p.reserve(self.orders[-1])
        end, residual = type(point.raw)(), (ctypes.c_double * free.ops[free.residual].size)()
        m = self.move
        m.error, m.tau, m.limit = error, tau, math.inf if limit is None else limit
        m.unit = point.unit
        m.point, m.end, m.residual = (ctypes.addressof(array) for array in (point.raw, end, residual))
        m.known = None if point.residual is None or not self.shares else ctypes.addressof(point.residual)
        m.slack, m.most = self.slack, 2.0 * need
        made = -1
        while made < 0:
            m.memory, m.size = free.memory.ctypes.data, free.memory.size
            made = free.lib.stride(ctypes.addressof(free.book), ctypes.addressof(timed.book), ctypes.addressof(m))
            if made < 0:
                free.memory = np.zeros(m.needed + m.needed // 4)
        self.slack = m.slack
        if not made:
            return None
        after = Point(m.end_unit, raw=end, program=free)
        after.residual, after.norm, after.largest, after.length = residual, m.norm, m.largest, m.length
        beta = (m.beta, m.beta_exponent) if m.timed else None
        # Working precision with which a checker that works in balls will find the same bounds.
        bits = math.ceil(max(24.0, _log2(m.radius) - _log2(m.bound))) if m.radius < math.inf else 8000
        return Step((m.h, m.h_exponent), beta, m.chosen, bits, m.rho, m.begin, m.bound, after, m.after)


def _log2(value: float) -> float:
    return math.log2(value) if value > 0 else -math.inf


def to_point(values: Sequence[Sequence[Dyadic]]) -> Point:
    """Exact numbers as integers in a common unit."""
    least = min((e for flat in values for m, e in flat if m), default=0)
    unit = max(1, math.ceil(-least / BITS))
    return Point(unit, [[m << BITS * unit + e for m, e in flat] for flat in values])
