"""Arguments of the leaf `flow`: steps from a certificate of `verify flow` or, where the flow is no model of that engine, from a
search; then error bounds and the capture at infinity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any

import flint
import numpy as np
from flint import arb

from verify.flow.balls import decode, dyadic_fraction, log2_fraction
from verify.flow.certificate import chebyshev
from verify.flow.recheck import Refused, decoded
from verify.kernel.flows import (
    COARSE,
    Capture,
    Expansion,
    Flow,
    Point,
    Program,
    State,
    Step,
    capture,
    correction,
    exact,
    jacobian,
    norm,
)
from verify.kernel.terms import LogicError, Term

FINE = 20  # bits after the point of the bounds of logarithmic norms
GUARD = 32  # bits for the rounding of coefficients
LONGEST = 1 << 20
FAR = 4000  # log2 of a bound that shows that a polynomial is not near a solution
Rows = tuple[tuple[int, ...], ...]
SLACK = Fraction(129, 128)  # by which bounds are claimed larger than they were found


@dataclass(frozen=True)
class Found:
    """Arguments of the leaf and the state that they show."""

    arguments: dict[str, Any]
    state: State


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


class Run:
    """A run from the start of a flow: steps with given polynomials are bounded and taken; the leaf checks them again."""

    def __init__(self, flow: Flow, bits: int, residuals: Program | None, factor: Fraction):
        self.flow, self.field, self.bits = flow, flow.field, bits
        self.residuals, self.factor = residuals, factor
        self.unit = Fraction(1, 1 << bits)
        self.first = tuple(round((a + b) / 2 / self.unit) for a, b in flow.box)
        mid = tuple(m * self.unit for m in self.first)
        away = [max(abs(a - m), abs(b - m)) for (a, b), m in zip(flow.box, mid, strict=True)]
        with flint.ctx.workprec(COARSE):
            error = above(norm([arb(exact(x)) for x in away])) if any(away) else Fraction(0)
        self.begin = self.state = State(mid, error, Fraction(0))
        self.steps: list[Step] = []
        self.captured: Capture | None = None
        self.missing = ""
        """Why `end` did not find the limit."""

    def take(self, expansion: Expansion, rows: Rows, rho: Fraction = Fraction(0), error: Fraction = Fraction(0)) -> None:
        """Bound a step and take it, within rho and to the error that are given or, where needed, to larger ones."""
        with flint.ctx.workprec(COARSE):
            least = above(expansion.bound(self.state, [Fraction(0)]))
        if not rho > least:
            rho = above(4 * least)
        pieces = 4
        for _ in range(60):
            mu, slack = self._growth(expansion, pieces, rho)
            bound = expansion.bound(self.state, mu)
            if slack > 0.1 and pieces < 256 and bound < 1:
                pieces *= 2
                continue
            with flint.ctx.workprec(COARSE):
                if bound < arb(exact(rho)):
                    break
                if not bound < arb(2) ** FAR:  # a polynomial of another flow
                    raise LogicError("flow: the bound of a step is out of range")
                rho = above(2 * bound)
        else:
            raise LogicError("flow: no radius was found in which the solution stays")
        with flint.ctx.workprec(COARSE):
            if not bound <= arb(exact(error)):
                error = above(above(bound) * SLACK)
        found = Step(expansion.h, expansion.rate, expansion.unit, rows, rho, mu, error)
        time = self.state.time
        self.state = State(expansion.end, error, None if found.rate or time is None else time + found.h)
        self.steps.append(found)

    def _growth(self, expansion: Expansion, pieces: int, rho: Fraction) -> tuple[tuple[Fraction, ...], float]:
        """Bounds of the logarithmic norm on the pieces, and how much of their mean comes from the width of boxes."""
        mu, slack = [], 0.0
        for piece, matrix in enumerate(expansion.growth(pieces, rho)):
            pace = float(expansion.pace(piece, pieces))
            top, spread = (pace * x for x in eigenvalue(matrix))
            if not math.isfinite(top + spread):
                raise LogicError("flow: the solution is not shown to stay near the polynomials of a step")
            mu.append(Fraction(max(1, math.ceil((top + 1.1 * spread + 2.0**-FINE) * 2**FINE)), 2**FINE))
            slack += max(0.0, min(spread, top + spread)) / pieces
        return tuple(mu), slack

    def aim(self) -> tuple[Fraction, Point] | None:
        """Where the limit is about: the smallest singular value of the Jacobian of the residuals, from below, and a point;
        None far from a point of zero loss."""
        assert self.residuals is not None
        with flint.ctx.workprec(self.bits + COARSE):
            rest, rows = jacobian(self.residuals, [arb(exact(m)) for m in self.state.mid])
        j = np.array([[float(v.mid()) for v in row] for row in rows])
        low = float(np.linalg.svd(j, compute_uv=False)[-1]) if len(j) <= len(j[0]) else 0.0
        with flint.ctx.workprec(COARSE):
            size = above(norm(rest))
        if low < 1e-6 or size / Fraction(low) > Fraction(1, 1000):
            return None
        with flint.ctx.workprec(self.bits + COARSE):
            shift = correction(rows, rest)
            mid = tuple(round((m - _mid(v)) / self.unit) * self.unit for m, v in zip(self.state.mid, shift, strict=True))
        return Fraction(math.floor(low * 0.95 * 2**FINE), 2**FINE), mid

    def end(self, tolerance: Fraction, mid: Point | None = None) -> bool:
        """Whether the limit is known to the tolerance: near `mid` or, without one, near a point that is found."""
        found = self.aim()
        if found is None:
            self.missing = "it is far from a point of zero loss"
            return False
        sigma, near = found
        mid = near if mid is None else mid
        assert self.residuals is not None
        with flint.ctx.workprec(self.bits + COARSE):
            around = arb(0, arb(exact(self.state.error)).abs_upper())
            rest = self.residuals.over([arb(exact(m)) + around for m in self.state.mid], arb)
        with flint.ctx.workprec(COARSE):
            path = above(above(norm(rest)) / sigma)
            radius = above((self.state.error + path) * SLACK) + 4 * self.unit
            wide = arb(0, arb(exact(radius)).abs_upper())
            _, rows = jacobian(self.residuals, [arb(exact(m)) + wide for m in self.state.mid])
            spread = above(2 * norm([v.rad() for row in rows for v in row])) / sigma
            moved = above(norm([arb(exact(a - b)) for a, b in zip(near, mid, strict=True)]))
        error = self.state.error * (1 + spread) + 2 * spread * path + len(mid) * self.unit + moved
        error = above(error * SLACK)
        if error > tolerance:
            self.missing = f"its error would be {float(error):.1e}"
            return False
        last = Capture(self.factor, radius, sigma, mid, error)
        try:
            self.state = capture(self.field, self.residuals, self.bits, self.state, last)
        except LogicError as reason:
            self.missing = str(reason)
            return False
        self.captured = last
        return True

    def arguments(self, residuals: Sequence[Term]) -> dict[str, Any]:
        """The arguments of the leaf but for the names of hypotheses."""
        out: dict[str, Any] = {"bits": self.bits, "mid": self.first, "error": number(self.begin.error)}
        out["steps"] = tuple(
            (number(s.h), number(s.rate), s.unit, s.rows, number(s.rho), tuple(map(number, s.mu)), number(s.error))
            for s in self.steps
        )
        if self.captured is not None:
            c = self.captured
            mid = tuple(int(m / self.unit) for m in c.mid)
            out["capture"] = (tuple(residuals), *map(number, (c.factor, c.radius, c.sigma)), mid, number(c.error))
        return out


class Search(Run):
    """A run that finds the lengths and polynomials of its steps."""

    def __init__(self, flow: Flow, bits: int, order: int, residuals: Program | None, factor: Fraction):
        super().__init__(flow, bits, residuals, factor)
        self.order = order
        self.begin = self.state = State(self.state.mid, max(self.state.error, self.unit * (1 << (GUARD - 4))), Fraction(0))

    def taylor(self, h: Fraction) -> list[list[int]]:
        """Coefficients in u = (t - T)/h of polynomials close to the solution through the midpoint, as integers times 2^-bits."""
        values: list[list[int]] = [[] for _ in self.field.ops]
        series = [[round(m / self.unit)] for m in self.state.mid]
        rates = [values[o] for o in self.field.outputs]
        for k in range(self.order):
            for out, (kind, a, b) in zip(values, self.field.ops, strict=True):
                if kind == "const":
                    out.append((a.numerator << self.bits) // a.denominator if k == 0 else 0)
                elif kind == "var":
                    out.append(series[a][k])
                elif kind == "scale":
                    out.append(values[a][k] * b.numerator // b.denominator)
                elif kind == "add":
                    out.append(values[a][k] + values[b][k])
                else:
                    out.append(sum(map(mul, values[a], values[b][k::-1])) >> self.bits)
            for x, rate in zip(series, rates, strict=True):
                x.append(rate[k] * h.numerator // (h.denominator * (k + 1)))
        return series

    def expand(self, most: Fraction | None) -> tuple[Expansion, Rows]:
        """Polynomials on a step after which the defect is a fraction of the error so far."""
        h = self.steps[-1].h * 5 / 4 if self.steps else Fraction(1)
        wanted = log2_fraction(self.state.error / self.unit) - math.log2(64 * self.order)
        for _ in range(30):
            if most is not None:
                h = min(h, most)
            rows = self.taylor(h)
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
        found = chebyshev(rows, self.bits, self.state.error / self.unit / 256)
        frozen = tuple(map(tuple, found))
        return Expansion(self.field, h, Fraction(0), self.bits, frozen), frozen

    def step(self, most: Fraction | None) -> None:
        """Find a step and take it."""
        self.take(*self.expand(most))


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
        search = Search(flow, bits, order or round(2 * (digits + min(growth, 12))), rest, factor)
        while len(search.steps) < steps and search.state.error < tolerance:
            if search.state.time == time or (rest is not None and search.end(tolerance)):
                return Found(search.arguments(residuals), search.state)
            assert search.state.time is not None
            search.step(None if time is None else time - search.state.time)
        growth = growth * 1.5 + 4
    raise LogicError("flow: nothing was found")


# ---------------------------------------------------------------------------------------------- certificates


def of_certificate(
    flow: Flow,
    certificate: dict[str, Any],
    places: Sequence[str],
    digits: int,
    residuals: Sequence[Term] = (),
    factor: Fraction = Fraction(1),
) -> Found:
    """Arguments of the leaf from a certificate of `verify flow` (its format: :mod:`verify.flow.recheck`).

    The lengths, rates and polynomials of the steps and the point at infinity are those of the certificate, and so are its radii
    where the leaf's bounds are below them. The logarithmic norms and what the capture at infinity needs beside its point are
    computed here. The leaf shows again what it claims, so the certificate need not be right. A step of a `kind` of its own
    (:func:`verify.flow.validated.certified_limit` without `exponentials` makes none) has no polynomial and is refused.

    Args:
        places: the variable of each entry of the certificate's blocks, row by row, block after block.
        digits: every variable is known to 10^-digits in the end.
        residuals, factor: as for :func:`find`; needed for a limit.

    Raises LogicError if the certificate does not fit the flow or is not good enough.
    """
    if sorted(places) != sorted(flow.names):
        raise LogicError("flow: the entries of the certificate are not the functions of the flow")
    where = [places.index(x) for x in flow.names]
    tolerance = Fraction(1, 10**digits)
    number_of = {x: i for i, x in enumerate(flow.names)}
    try:
        kind = certificate["kind"]
        if kind not in ("limit", "time"):
            raise LogicError(f"flow: a certificate of kind {kind!r} has no steps to a time or to a limit")
        rest = Program.of(residuals, lambda e: number_of.get(e) if isinstance(e, str) else None) if kind == "limit" else None
        bits = max([math.ceil(-log2_fraction(tolerance)) + GUARD, *(step["polynomial"]["unit"] for step in certificate["steps"])])
        run = Run(flow, bits, rest, factor)
        for step in certificate["steps"]:
            rate = dyadic_fraction(decode(step["beta"])) if step["beta"] else Fraction(0)
            unit, found = decoded(step["polynomial"], len(places) + bool(rate))
            rows = tuple(tuple(found[i]) for i in (*where, *range(len(places), len(found))))
            expansion = Expansion(run.field, dyadic_fraction(decode(step["h"])), rate, unit, rows)
            run.take(expansion, rows, *(dyadic_fraction(decode(step[name])) for name in ("rho", "error")))
        if kind == "limit":
            flat = [dyadic_fraction(decode(v)) for block in certificate["capture"]["mid"] for v in block]
            if not run.end(tolerance, tuple(round(flat[i] / run.unit) * run.unit for i in where)):
                raise LogicError(f"flow: no limit after the last step of the certificate: {run.missing}")
    except (KeyError, TypeError, ValueError, IndexError, Refused) as error:
        raise LogicError(f"flow: no certificate with polynomials and steps to a time or a limit: {error}") from None
    if run.state.error > tolerance:
        raise LogicError("flow: the certificate does not have the digits")
    return Found(run.arguments(residuals), run.state)
