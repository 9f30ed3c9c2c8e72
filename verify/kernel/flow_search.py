"""Search for the arguments of the leaf `flow`: steps, error bounds and the capture at infinity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from flint import arb

from verify.kernel.flows import (
    COARSE,
    Capture,
    Expansion,
    Flow,
    Program,
    State,
    Step,
    capture,
    correction,
    exact,
    jacobian,
    norm,
    taylor,
)
from verify.kernel.terms import LogicError, Term

FINE = 20  # bits after the point of the bounds of logarithmic norms
GUARD = 24  # bits for the rounding of coefficients
LONGEST = 1 << 20
SLACK = Fraction(33, 32)  # by which bounds are claimed larger than they were found


@dataclass(frozen=True)
class Found:
    """Arguments of the leaf and the state that they show."""

    arguments: dict[str, Any]
    state: State
    bits: int


def number(x: Fraction) -> Term:
    """A rational literal."""
    return x.numerator if x.denominator == 1 else ("q", x.numerator, x.denominator)


def above(x: arb | Fraction, digits: int = 24) -> Fraction:
    """A short dyadic number that is not below x > 0."""
    if isinstance(x, arb):
        x = _mid(arb(x.abs_upper()))
    if x == 0:
        return Fraction(0)
    shift = digits - (x.numerator.bit_length() - x.denominator.bit_length())
    scale = Fraction(2) ** shift
    return Fraction(math.ceil(x * scale)) / scale


def _mid(x: arb) -> Fraction:
    man, exp = x.mid().man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def eigenvalue(matrix: list[list[arb]]) -> tuple[float, float]:
    """The largest eigenvalue of the midpoints, and the size of the radii (both approximate)."""
    m = np.array([[float(v.mid()) for v in row] for row in matrix])
    return float(np.linalg.eigvalsh(m)[-1]), float(norm([v.rad() for row in matrix for v in row]))


class Search:
    """A run from the start of a flow to a time or to infinity."""

    def __init__(self, flow: Flow, bits: int, order: int, residuals: Program | None, factor: Fraction, tolerance: Fraction):
        self.flow, self.field, self.bits, self.order = flow, flow.field, bits, order
        self.residuals, self.factor, self.tolerance = residuals, factor, tolerance
        self.unit = Fraction(1, 1 << bits)
        mid = tuple(round((a + b) / 2 / self.unit) for a, b in flow.box)
        away = [max(abs(a - m * self.unit), abs(b - m * self.unit)) for (a, b), m in zip(flow.box, mid, strict=True)]
        with flint.ctx.workprec(COARSE):
            error = above(norm([arb(exact(x)) for x in away])) + self.unit
        self.begin = self.state = State(mid, max(error, self.unit * (1 << (GUARD - 4))), Fraction(0))
        self.steps: list[Step] = []
        self.captured: Capture | None = None

    def expand(self, most: Fraction | None) -> Expansion:
        """Polynomials on a step after which the defect is a fraction of the error so far."""
        h = self.steps[-1].h * 5 / 4 if self.steps else Fraction(1)
        wanted = _log2(self.state.error / self.unit) - math.log2(64 * self.order)
        for _ in range(30):
            if most is not None:
                h = min(h, most)
            rows = taylor(self.field, self.state.mid, self.bits, h, self.order)
            last = max(abs(row[k]) for row in rows for k in (self.order - 1, self.order))
            ratio = 2.0 ** ((wanted - last.bit_length()) / self.order)
            if ratio < 1 / 4:
                h /= 4
            elif ratio <= 1.3 or h == most or h > LONGEST:
                break
            else:
                h = _down(h * Fraction(min(ratio * 1.1, 8)))
        if ratio < 1:
            part = _down(Fraction(ratio))
            h *= part
            rows = [[c * part.numerator**k // part.denominator**k for k, c in enumerate(row)] for row in rows]
        return Expansion(self.field, self.bits, h, rows)

    def step(self, most: Fraction | None) -> None:
        """Find a step and its bounds and take it; the leaf checks it again."""
        expansion = self.expand(most)
        rho = above(4 * self.state.error)
        pieces = 8
        for _ in range(60):
            mu, slack = self._growth(expansion, pieces, rho)
            bound = expansion.bound(self.state.error, mu)
            if slack > 0.1 and pieces < 256 and bound < 1:
                pieces *= 2
                continue
            with flint.ctx.workprec(COARSE):
                if bound < arb(exact(rho)):
                    break
                rho = above(2 * bound)
        else:
            raise LogicError("flow: no radius was found in which the solution stays")
        found = Step(expansion.h, self.order, rho, mu, tuple(expansion.end()), above(above(bound) * SLACK))
        assert self.state.time is not None
        self.state = State(found.mid, found.error, self.state.time + found.h)
        self.steps.append(found)

    def _growth(self, expansion: Expansion, pieces: int, rho: Fraction) -> tuple[tuple[Fraction, ...], float]:
        """Bounds of the logarithmic norm on the pieces, and how much of their mean comes from the width of boxes."""
        mu, slack = [], 0.0
        for piece in range(pieces):
            top, spread = eigenvalue(expansion.growth(piece, pieces, rho))
            mu.append(Fraction(max(1, math.ceil((top + 1.1 * spread + 2.0**-FINE) * 2**FINE)), 2**FINE))
            slack += spread / pieces
        return tuple(mu), slack

    def try_capture(self) -> bool:
        """Whether the limit is now known well enough."""
        assert self.residuals is not None
        with flint.ctx.workprec(self.bits + COARSE):
            rest, rows = jacobian(self.residuals, [arb((m, -self.bits)) for m in self.state.mid])
        j = np.array([[float(v.mid()) for v in row] for row in rows])
        low = float(np.linalg.svd(j, compute_uv=False)[-1]) if len(j) <= len(j[0]) else 0.0
        with flint.ctx.workprec(COARSE):
            size = above(norm(rest))
        if low < 1e-6 or size / Fraction(low) > Fraction(1, 1000):
            return False  # far from a point of zero loss
        with flint.ctx.workprec(self.bits + COARSE):
            shift = correction(rows, rest)
            mid = tuple(m - round(_mid(v) / self.unit) for m, v in zip(self.state.mid, shift, strict=True))
        sigma = Fraction(math.floor(low * 0.95 * 2**FINE), 2**FINE)
        radius = above(above(2 * size / sigma) + 4 * self.state.error + 4 * self.unit)
        with flint.ctx.workprec(COARSE):
            wide = arb(0, arb(exact(radius)).abs_upper())
            _, rows = jacobian(self.residuals, [arb((m, -self.bits)) + wide for m in self.state.mid])
            spread = above(2 * norm([v.rad() for row in rows for v in row])) / sigma
        error = above((self.state.error * (1 + spread) * 2 + 3 * spread * size / sigma + len(mid) * self.unit) * SLACK)
        if error > self.tolerance:
            return False
        last = Capture(self.factor, radius, sigma, mid, error)
        try:
            self.state = capture(self.field, self.residuals, self.bits, self.state, last)
        except LogicError:
            return False
        self.captured = last
        return True

    def arguments(self, residuals: Sequence[Term]) -> dict[str, Any]:
        """The arguments of the leaf but for the names of hypotheses."""
        out: dict[str, Any] = {"bits": self.bits, "mid": self.begin.mid, "error": number(self.begin.error)}
        out["steps"] = tuple(
            (number(s.h), s.order, number(s.rho), tuple(map(number, s.mu)), s.mid, number(s.error)) for s in self.steps
        )
        if self.captured is not None:
            c = self.captured
            out["capture"] = (tuple(residuals), *map(number, (c.factor, c.radius, c.sigma)), c.mid, number(c.error))
        return out


def _log2(x: Fraction) -> float:
    """log2 of x > 0, within one."""
    return float(x.numerator.bit_length() - x.denominator.bit_length())


def _down(x: Fraction) -> Fraction:
    """A short dyadic number at most x > 0."""
    shift = 8 - (x.numerator.bit_length() - x.denominator.bit_length())
    scale = Fraction(2) ** shift
    return Fraction(math.floor(x * scale)) / scale


def find(
    flow: Flow,
    digits: int,
    time: Fraction | None = None,
    residuals: Sequence[Term] = (),
    factor: Fraction = Fraction(1),
    growth: float = 8,
    order: int = 0,
    steps: int = 2000,
) -> Found:
    """Arguments of the leaf with which every variable is known to 10^-digits at a time, or at infinity (time None).

    Args:
        residuals: for infinity, terms r_k with field = -factor sum_k r_k grad r_k.
        growth: digits by which an error may grow on the way; more is tried where it is not enough.
        order: degree of the Taylor polynomials; 0: about twice the digits.
        steps: at most so many steps.

    Raises LogicError if nothing is found.
    """
    number_of = {x: i for i, x in enumerate(flow.names)}
    rest = None if time is not None else Program.of(residuals, lambda e: number_of.get(e) if isinstance(e, str) else None)
    tolerance = Fraction(1, 10**digits)
    for _ in range(5):
        bits = math.ceil((digits + growth) * math.log2(10)) + GUARD
        search = Search(flow, bits, order or round(2 * (digits + min(growth, 12))), rest, factor, tolerance)
        while len(search.steps) < steps and search.state.error < tolerance:
            if search.state.time == time or (rest is not None and search.try_capture()):
                return Found(search.arguments(residuals), search.state, bits)
            assert search.state.time is not None
            search.step(None if time is None else time - search.state.time)
        growth = growth * 1.5 + 4
    raise LogicError("flow: nothing was found")
