"""Long steps in exponentials near a limit: the slow decay in one step, where Taylor steps are held up by the fast modes.

Mathematics
===========

Near a manifold of zeros of the loss a gradient flow is, on the strong stable fibre of its limit, a power series in exponentials
(Lyapunov, *The general problem of the stability of motion*, 1892, chapter 2; L. Arnold and Yu. Ilyashenko, *Ordinary differential
equations*, chapter 5, on linearisation): theta(t) = sum over multi-indices k of c_k exp(-(k . lambda) t), where lambda are
eigenvalues of J J^T at the limit c_0. Of this series a polynomial p in few of the exponentials is taken (the slow ones; the fast
ones have died out, or enter with low powers). It need not be the series of anything: p is any such sum, with exact coefficients
and rates, and

- its defect factor F(p) - p' is again a sum of exponentials, sum_k d_k E^k with E_i = exp(-lambda_i t), since the field F is a
  polynomial. It is computed exactly, in integers;
- as long as the error e = theta - p stays below rho it obeys |e|' <= mu |e| + |defect|, with mu(t) <= factor K |R X^T| on the
  tube (:mod:`verify.flow.geometry`), and |R| <= sum_k |r_k| E^k + Lambda rho with the coefficients r_k of the residual along p. So
  with w_k = k . lambda and I_k = min(T, 1/w_k) >= integral of E^k over [0, T],

      |e(T)| <= (E + |m - p(0)| + sum_k |d_k| I_k) exp(factor K |X| (sum_k |r_k| I_k + Lambda rho T)) =: B,

  and if B < rho the error never reaches rho (first exit).

This is a step of length T like any other, except that T may be as long as one likes: the exponentials are small at its end, and
p(T) is c_0 up to them. There the Polyak-Lojasiewicz argument closes at once, with a residual of the size of the error.

Finding p
=========

(Nothing here is rigorous.) Unknown are the coefficients, the rates, and with them the limit c_0. A simplified Newton iteration:
the defect is computed in integers, the linear equations (J^T J - k . lambda) delta c_k = d_k + (k . delta lambda) c_k are solved in
doubles in the eigenvectors at the first guess of c_0, and what p(0) misses of the state is given to c_0 (directions along the
manifold) and to the modes. Each round gains a factor of the order of the residual over the smallest singular value squared. A
resonance k . lambda = lambda_j spoils the iteration; then ordinary steps go on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpz_poly

from verify.flow.balls import INFLATE, Dyadic
from verify.flow.fixedpoint import BITS, Program
from verify.flow.models import FLOAT, Arithmetic, CPTensor, LeastSquares

RANGE = 700
"""Tolerances are above 2^-RANGE: doubles hold their squares and products."""
FLOOR = 1e-290
MOST_ROUNDS = 40
MOST_ORDERS = 48


class Terms:
    """A polynomial with integer coefficients in one variable, with ring operations; cut off after `room` orders, if given."""

    __slots__ = ("poly", "room")

    def __init__(self, poly: fmpz_poly, room: int | None):
        self.poly, self.room = poly, room

    def __add__(self, other: Terms) -> Terms:
        return Terms(self.poly + other.poly, self.room)

    def __sub__(self, other: Terms) -> Terms:
        return Terms(self.poly - other.poly, self.room)

    def __mul__(self, other: Any) -> Terms:
        if isinstance(other, Terms):
            if self.room is None:
                return Terms(self.poly * other.poly, None)
            return Terms(self.poly.mul_low(other.poly, self.room), self.room)
        return Terms(self.poly * other, self.room)

    def __rmul__(self, other: int) -> Terms:
        return Terms(self.poly * other, self.room)


class _Scaled(Arithmetic):
    """Constants of a model as integers: the data over their common denominator, the target in the unit of the product."""

    def __init__(self, model: LeastSquares, unit: int, room: int | None):
        super().__init__("scaled integers", int)
        self.model = model
        data = getattr(model, "data", None)
        self.denominator = 1 if data is None else math.lcm(*(v.denominator for v in data.flat))
        self.scale = self.denominator << unit * len(model.shapes)
        self.room = room

    def array(self, values: Any) -> Any:
        if values is self.model.target:
            return _objects([Terms(fmpz_poly([round(v * self.scale)]), self.room) for v in values.flat], values.shape)
        if values is getattr(self.model, "data", None):
            return _objects([int(v * self.denominator) for v in values.flat], values.shape)
        return _objects([int(v) for v in values.flat], values.shape)


def _objects(values: Sequence[Any], shape: tuple[int, ...]) -> Any:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape(shape)


@dataclass
class Slow:
    """A sum p(t) = sum_k c_k exp(-k rate t): integers c_k in units of 2^-unit, one list c_0, c_1, .. per entry of the state."""

    unit: int
    rate: int
    coefficients: list[list[int]]

    @property
    def order(self) -> int:
        return len(self.coefficients[0]) - 1

    def refined(self, unit: int, order: int) -> Slow:
        """With more places and orders."""
        shift, more = max(0, unit - self.unit), max(0, order - self.order)
        return Slow(self.unit + shift, self.rate << shift, [[v << shift for v in row] + [0] * more for row in self.coefficients])


@dataclass
class Miss:
    """No sum was found: what is left of the fast modes is larger than the tolerance. `wait` is a time after which it is not."""

    wait: float


def defect(model: LeastSquares, slow: Slow, room: int | None) -> tuple[Any, Any]:
    """Coefficients of the defect factor F(p) - p' and of the residual along a sum, in doubles: one row per entry, each within
    2^-(unit + 63) and a relative 2^-52 of the true one (of those below `room`, if given, which are then all that is computed).

    The target is rounded to the unit of the product, 2^-(unit L) over the denominator of the data.
    """
    unit, depth = slow.unit, len(model.shapes)
    scaled = _Scaled(model, unit, room)
    polys = [fmpz_poly(c) for c in slow.coefficients]
    blocks, at = [], 0
    for rows, cols in model.shapes:
        blocks.append(_objects([Terms(p, room) for p in polys[at : at + rows * cols]], (rows, cols)))
        at += rows * cols
    residual, saved = model.forward(blocks, scaled)
    force = model.backward(blocks, saved, residual, scaled)
    up, down = model.factor.numerator, model.factor.denominator * scaled.denominator**2
    # J^T R is in units of 2^-(unit (2 L - 1)) over the squared denominator, k rate c_k in units of 2^-(2 unit).
    grow = slow.rate * down << (2 * depth - 3) * unit
    cut = down << (2 * depth - 2) * unit - 64
    rows = []
    for p, f in zip(polys, (v.poly for b in force for v in b.flat), strict=True):
        rows.append((p.derivative().left_shift(1) * grow - f * up) // cut)
    small = [v.poly // (scaled.scale >> unit + 64) for v in residual.flat]
    return _doubles(rows, unit + 64), _doubles(small, unit + 64)


def _doubles(polys: Sequence[fmpz_poly], bits: int) -> Any:
    """Coefficients times 2^-bits, in doubles, one row for each polynomial, rounded towards zero."""
    out = np.zeros((len(polys), max(1, *(len(p) for p in polys))))
    for row, p in zip(out, polys, strict=True):
        for k, v in enumerate(p.coeffs()):
            row[k] = v
    return np.ldexp(out, -bits)


def _to_double(value: int, unit: int) -> float:
    return math.ldexp(float(value), -unit) if unit < 900 else float(Fraction(value, 1 << unit))


def find(model: LeastSquares, mid: Sequence[int], unit: int, tau: float, program: Program | None = None) -> Slow | Miss | None:
    """A sum of powers of the slowest exponential that the solution through an exact point follows within about 2^tau; None if the
    iteration does not converge.

    Args:
        mid: entries of the state in units of 2^-unit.
        tau: log2 of the error that is aimed at.
        program: of the model's field, if the accelerator is on.
    """
    if tau < -RANGE or len(model.shapes) < 2:
        return None
    start = np.array([_to_double(v, unit) for v in mid])
    base = start
    for _ in range(3):
        frame = _frame(model, base)
        if frame is None:
            return None
        residual, jac, values, modes = frame
        base = base - modes @ ((modes.T @ (jac.T @ residual)) / values)
    amplitudes = modes.T @ (start - base)
    main = int(np.argmax(np.abs(amplitudes) * np.sqrt(values)))
    search = _Search(model, mid, unit, values, modes, main, program)
    return search.run(base, modes[:, main] * amplitudes[main], tau)


def _frame(model: LeastSquares, point: Any) -> Any:
    """Residual, Jacobian, the eigenvalues of J J^T in rising order and J^T times the eigenvectors, normalised; in doubles."""
    blocks, at = [], 0
    for rows, cols in model.shapes:
        blocks.append(point[at : at + rows * cols].reshape(rows, cols))
        at += rows * cols
    matrix, saved = model.forward(blocks, FLOAT)
    count = len(model.observed)
    if count > point.size:
        return None
    units = np.zeros((count, *matrix.shape))
    for e, (i, j) in enumerate(model.observed):
        units[e, i, j] = 1.0
    jac = np.concatenate([b.reshape(count, -1) for b in model.backward(blocks, saved, units, FLOAT)], axis=1)
    if not np.isfinite(jac).all():
        return None
    _, sigma, vt = np.linalg.svd(jac, full_matrices=False)
    if not sigma[-1] > 1e-7 * sigma[0]:
        return None
    residual = np.array([matrix[i, j] for i, j in model.observed])
    return residual, jac, sigma[::-1] ** 2, vt[::-1].T


class _Search:
    """The iteration. With a program of :mod:`verify.flow.fixedpoint` the defect is computed by that."""

    def __init__(
        self, model: LeastSquares, mid: Sequence[int], unit: int, values: Any, modes: Any, main: int, program: Program | None
    ):
        self.model, self.mid, self.mid_unit, self.main, self.program = model, mid, unit, main, program
        self.values, self.modes = values * float(model.factor), np.ascontiguousarray(modes)
        self.others = [j for j in range(len(values)) if j != main]

    def run(self, base: Any, slope: Any, tau: float) -> Slow | Miss | None:
        unit = BITS * math.ceil((16 - tau) / BITS)
        first = min(unit, 3 * BITS) if self.program is None else unit
        rows = [[_integer(x, first), _integer(y, first), 0, 0, 0, 0] for x, y in zip(base, slope, strict=True)]
        self.put(Slow(first, _integer(float(self.values[self.main]), first), rows))
        last, held = math.inf, 0
        for number in range(MOST_ROUNDS):
            made = self.correct()
            if made is None:
                return None
            size, miss = (math.log2(v + 1e-300) for v in made[:2])
            if number > 1 and size > last - 1.5:
                held += 1
                if held > 2:
                    return None
            last = min(last, size)
            if miss > tau and miss > size + 8:
                gap = float(self.values[self.others].min())
                return Miss((miss - tau + 2) * math.log(2) / gap) if gap >= self.values[self.main] else None
            if number < 2:
                continue
            order = _needed(made[2:], tau)
            if order > MOST_ORDERS:
                return None
            if size < tau and self.order >= order:
                return self.get()
            wanted = first if size > -40 else unit
            if wanted > self.unit or order > self.order:
                self.put(self.get().refined(wanted, max(order, self.order)))
        return None

    def put(self, slow: Slow) -> None:
        self.slow, self.unit, self.order = slow, slow.unit, slow.order
        if self.program is not None:
            move = self.unit - self.mid_unit
            point = [v << move if move >= 0 else v >> -move for v in self.mid]
            self.digits = np.array(_digits(slow.rate, self.unit))
            if not self.program.place(slow.coefficients, point, self.unit // BITS):
                self.program = None

    def get(self) -> Slow:
        if self.program is None:
            return self.slow
        rate = 0
        for v in self.digits.tolist():
            rate = (rate << BITS) + int(v)
        return Slow(self.unit, rate, self.program.placed(self.order))

    def correct(self) -> list[float] | None:
        """One correction: its size, what p(0) misses of the state in the other modes, the sizes of coefficients 1, 2, 3."""
        if self.program is not None:
            return self.program.correct(self.order, self.digits, self.modes, self.values, self.main)
        slow, modes, main = self.slow, self.modes, self.main
        d = np.zeros((len(slow.coefficients), slow.order + 1))
        given = defect(self.model, slow, slow.order + 1)[0][:, : slow.order + 1]
        d[:, : given.shape[1]] = given
        known = np.array([[_to_double(v, slow.unit) for v in row] for row in slow.coefficients])
        rate = _to_double(slow.rate, slow.unit)
        # the rate, from the followed mode in order 1
        own = float(modes[:, main] @ known[:, 1])
        if own == 0:
            return None
        turn = -float(modes[:, main] @ d[:, 1]) / own
        falls = np.arange(float(slow.order + 1)) * rate
        d += known * (falls / rate * turn)
        within = modes.T @ d
        divisors = self.values[:, None] - falls
        divisors[main, 1] = math.inf
        falls[0] = math.inf
        step = modes @ (within / divisors + within / falls) - d / falls
        left = np.array(gap_at_start(slow, self.mid, self.mid_unit)) - step.sum(axis=1)
        inside = modes.T @ left
        step[:, 0] += left - modes @ inside
        step[:, 1] += modes[:, main] * inside[main]
        if not np.isfinite(step).all():
            return None
        slow.rate += _integer(turn, slow.unit)
        for row, delta in zip(slow.coefficients, step.tolist(), strict=True):
            for e, v in enumerate(delta):
                row[e] += _integer(v, slow.unit)
        size, miss = np.abs(step).sum(axis=1).max(), np.abs(inside[self.others]).max(initial=0)
        return [float(size), float(miss), *np.abs(known[:, 1:4]).max(axis=0).tolist()]


def _needed(sizes: Sequence[float], tau: float) -> int:
    """The order from which on coefficients are expected to be below 2^tau, from the sizes of those of orders 1, 2, 3."""
    first, second, third = (math.log2(v + 1e-300) for v in sizes)
    fall = min(first - second, second - third)
    return max(4, 2 + math.ceil((second - tau + 6) / fall)) if fall > 0.5 else MOST_ORDERS + 1


def _digits(value: int, unit: int) -> list[float]:
    """Balanced digits of radix 2^20 of a number in units of 2^-unit, from position 0 on."""
    out, half = [], 1 << BITS - 1
    for _ in range(unit // BITS):
        low = (value + half & (1 << BITS) - 1) - half
        out.append(float(low))
        value = value - low >> BITS
    return [float(value), *reversed(out)]


def split(values: Sequence[Any], shapes: Sequence[tuple[int, int]]) -> list[list[Any]]:
    """A flat sequence as one list per block."""
    out, at = [], 0
    for rows, cols in shapes:
        out.append(list(values[at : at + rows * cols]))
        at += rows * cols
    return out


def gap_at_start(slow: Slow, mid: Sequence[int], unit: int) -> list[float]:
    """m - p(0), rounded."""
    rows = zip(mid, slow.coefficients, strict=True)
    return [_to_double((m << slow.unit) - (sum(row) << unit), slow.unit + unit) for m, row in rows]


def _integer(value: float, unit: int) -> int:
    m, e = math.frexp(value)
    n, e = int(m * 2.0**53), e - 53 + unit
    return n << e if e >= 0 else n >> -e


@dataclass
class Bound:
    """What is proved of a step of length `length` along a sum: every solution that starts within the error of the point stays within
    `rho` of the sum and ends within `error` of c_0.
    """

    length: Dyadic
    rho: float
    error: float


def bound(
    model: LeastSquares, slow: Slow, mid: Sequence[int], unit: int, error: float, norms: Sequence[float], data: float, goal: float
) -> Bound | None:
    """Bounds for a step along a sum, or None where they do not close.

    Args:
        mid, unit: the exact point before the step. error: bound of the distance of the solution from it.
        norms: upper bounds of the norms of the blocks of c_0, in which the curvature is measured. data: of |X|_2.
        goal: log2 of what may be left of the exponentials at the end.
    """
    rate = _to_double(slow.rate, slow.unit) * (1 - 1e-12)
    if not rate > 0:
        return None
    d, r = defect(model, slow, None)
    rounding = math.ldexp(1.0, -slow.unit - 62)
    gaps, sizes = (np.sqrt((v * v).sum(axis=0)) * INFLATE + rounding * math.sqrt(len(v)) for v in (d, r))
    c = _doubles([fmpz_poly(row) for row in slow.coefficients], slow.unit)
    moved = float(np.sqrt((c[:, 1:] ** 2).sum(axis=0)).sum()) * INFLATE + FLOOR
    length = _short(math.log(moved / 2.0**goal + 2) / rate)
    t = math.ldexp(*length)
    left = moved * math.exp(-rate * t) * INFLATE + FLOOR
    start = math.hypot(*gap_at_start(slow, mid, unit)) * INFLATE + FLOOR
    integrals = 1 / (rate * np.arange(1.0, max(len(gaps), len(sizes)) + 1)) * INFLATE
    factor = float(model.factor) * INFLATE
    local = gaps[0] * t + float(gaps[1:] @ integrals[: len(gaps) - 1])
    # the residual is that of a target which was rounded
    off = math.ldexp(math.sqrt(r.shape[0]), -slow.unit * 2)
    path = float(sizes[1:] @ integrals[: len(sizes) - 1]) + (sizes[0] + off) * t
    base = error + start
    rho = 2 * (base + local)
    for _ in range(6):
        ends = [(n + moved + rho) * INFLATE for n in norms]
        curvature, slope = _curvature(ends) * data, _slope(model, ends) * data
        growth = factor * curvature * (path + slope * rho * t) * INFLATE * INFLATE
        total = (base + (local + factor * slope * off * t)) * INFLATE * INFLATE
        if not growth < 50:
            return None
        proved = total * math.exp(growth) * INFLATE
        if proved * 1.1 < rho:
            return Bound(length, rho, (proved * 1.02 + left * 1.02) * INFLATE)
        rho = 1.5 * proved
    return None


def _curvature(norms: Sequence[float]) -> float:
    """K of :mod:`verify.flow.geometry`, in doubles."""
    def rest(*out: int) -> float:
        return math.prod(n for m, n in enumerate(norms) if m not in out)

    every = range(len(norms))
    return max(sum(rest(j, k) for k in every if k != j) for j in every) * INFLATE


def _slope(model: LeastSquares, norms: Sequence[float]) -> float:
    """Lambda of :mod:`verify.flow.geometry`, in doubles."""
    every = range(len(norms))
    total = sum(math.prod(n for m, n in enumerate(norms) if m != j) ** 2 for j in every)
    return math.sqrt(total * (model.rank if isinstance(model, CPTensor) else 1)) * INFLATE


def _short(value: float) -> Dyadic:
    """A dyadic number of 12 bits just above a positive double."""
    m, e = math.frexp(value)
    return int(m * 4096) + 1, e - 12
