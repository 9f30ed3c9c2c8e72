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
  polynomial. It is computed in integers, exactly or with a bound of what is left out;
- as long as the error e = theta - p stays below rho it obeys |e|' <= mu |e| + |defect|, with mu(t) <= factor K |R X^T| on the
  tube (:mod:`verify.flow.geometry`), and |R| <= sum_k |r_k| E^k + Lambda rho with the coefficients r_k of the residual along p.
  With w_k = k . lambda and I_k = min(T, 1/w_k) >= integral of E^k over [0, T],

      |e(T)| <= (E + |m - p(0)| + sum_k |d_k| I_k) exp(factor K |X| (sum_k |r_k| I_k + Lambda rho T)) =: B,

  and if B < rho the error never reaches rho (first exit).

This is a step of length T like any other, except that T may be as long as one likes: the exponentials are small at its end, and
p(T) is c_0 up to them. There the Polyak-Lojasiewicz argument closes at once, with a residual of the size of the error.

Finding p
=========

(Nothing here is rigorous.) Unknown are the coefficients, the rates, and with them the limit c_0. A simplified Newton
iteration: the defect is computed in fixed point, the linear equations (J^T J - k . lambda) delta c_k = d_k + (k . delta
lambda) c_k are solved in doubles in the eigenvectors at the first guess of c_0, and what p(0) misses of the state is given to
c_0 (directions along the manifold) and to the modes. Each round gains a factor of the order of the residual over the smallest
singular value squared. A resonance k . lambda = lambda_j spoils the iteration; then ordinary steps go on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import fmpz_poly

from verify.flow import geometry
from verify.flow.balls import INFLATE, Dyadic
from verify.flow.compiled import Series
from verify.flow.fixedpoint import BITS, FLOOR, Along, Program, column_norms
from verify.flow.models import Arithmetic, CPTensor, LeastSquares

RANGE = 700
"""Tolerances are above 2^-RANGE: doubles hold their squares and products."""
SMALL = 1e-8
CLOSE = 2.0**-8
"""A residual at which one more Newton step leads close enough to the limit for the search to begin."""
ROOM = 4
"""What other modes may leave at the beginning is that many times larger, in bits, than the error aimed at."""
MOST_ROUNDS = 40
MOST_ORDERS, MOST_TERMS, MOST_TOGETHER = 24, 24, 6


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
        flat, shape = list(values.flat), values.shape
        if values is self.model.target:
            return _objects([Terms(fmpz_poly([round(v * self.scale)]), self.room) for v in flat], shape)
        weight = self.denominator if values is getattr(self.model, "data", None) else 1
        return _objects([int(v * weight) for v in flat], shape)


def _objects(values: Sequence[Any], shape: tuple[int, ...]) -> Any:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape(shape)


@dataclass
class Sum:
    """p(t) = sum over terms k of c_k exp((k . rates) t): integers, in units of 2^-unit; a list over the terms per entry of the
    state. The first term is 0.
    """

    unit: int
    rates: list[int]
    terms: list[tuple[int, ...]]
    coefficients: list[list[int]]
    search: Any = field(default=None, repr=False, compare=False)  # which found it, if its program has it still

    def degrees(self) -> list[int]:
        return [max(k[v] for k in self.terms) for v in range(len(self.rates))]

    def with_terms(self, unit: int, terms: list[tuple[int, ...]]) -> Sum:
        """The same with other terms (0 for those that are new) and more places."""
        shift = max(0, unit - self.unit)
        at = {k: t for t, k in enumerate(self.terms)}
        rows = [[row[at[k]] << shift if k in at else 0 for k in terms] for row in self.coefficients]
        return Sum(self.unit + shift, [a << shift for a in self.rates], terms, rows)

    def at_start(self) -> list[int]:
        return [sum(row) for row in self.coefficients]


@dataclass
class Miss:
    """No sum was found: what is left of the other modes, most of it in `mode`, is larger than the tolerance. `wait` is a time
    after which it may not be.
    """

    mode: int
    wait: float


@dataclass
class Later:
    """A sum is expected with a residual of about 2^size, after a time `wait`."""

    size: float
    wait: float = 0.0


def _packing(degrees: Sequence[int], degree: int) -> list[int]:
    """Strides that make one variable of several: products of `degree` factors stay apart. The lowest degree comes first."""
    strides, width = [0] * len(degrees), 1
    for v in sorted(range(len(degrees)), key=lambda v: degrees[v]):
        strides[v] = width
        width *= degree * degrees[v] + 1
    return strides


def _places(terms: Sequence[tuple[int, ...]], strides: Sequence[int]) -> list[int]:
    return [sum(n * s for n, s in zip(k, strides, strict=True)) for k in terms]


def defect(model: LeastSquares, p: Sum, room: int | None) -> tuple[Any, Any, Any]:
    """Coefficients of the defect factor F(p) - p' and of the residual along a sum, in doubles: one row per entry, each within
    2^-(unit + 63) and a relative 2^-52 of the true one; and the exponents of each column. With `room`, for one rate, only those
    of the first orders.

    The target is rounded to the unit of the product, 2^-(unit L) over the denominator of the data.
    """
    unit, depth = p.unit, len(model.shapes)
    scaled = _Scaled(model, unit, room)
    degrees = p.degrees()
    strides = _packing(degrees, 2 * depth - 1)
    places = _places(p.terms, strides)
    slopes = [sum(n * a for n, a in zip(k, p.rates, strict=True)) for k in p.terms]
    polys, own = [], []
    for row in p.coefficients:
        polys.append(_poly(places, row))
        own.append(_poly(places, [w * v for w, v in zip(slopes, row, strict=True)]))
    parts = zip(split(polys, model.shapes), model.shapes, strict=True)
    blocks = [_objects([Terms(x, room) for x in part], shape) for part, shape in parts]
    residual, saved = model.forward(blocks, scaled)
    force = model.backward(blocks, saved, residual, scaled)
    up, down = model.factor.numerator, model.factor.denominator * scaled.denominator**2
    # J^T R is in units of 2^-(unit (2 L - 1)) over the squared denominator, the slopes times c in units of 2^-(2 unit).
    grow = down << (2 * depth - 3) * unit
    cut = down << (2 * depth - 2) * unit - 64
    rows = [(-f * up - x * grow) // cut for x, f in zip(own, (v.poly for b in force for v in b.flat), strict=True)]
    small = [v.poly * (1 << 64) // (scaled.scale >> unit) for v in residual.flat]
    d, r = _doubles(rows, unit + 64), _doubles(small, unit + 64)
    columns = np.arange(max(d.shape[1], r.shape[1]))
    spans = [(2 * depth - 1) * n + 1 for n in degrees]
    return d, r, np.stack([columns // s % n if room is None else columns for s, n in zip(strides, spans, strict=True)], axis=1)


def _poly(places: Sequence[int], values: Sequence[int]) -> fmpz_poly:
    row = [0] * (places[-1] + 1)
    for k, v in zip(places, values, strict=True):
        row[k] = v
    return fmpz_poly(row)


def _doubles(polys: Sequence[fmpz_poly], bits: int) -> Any:
    """Coefficients times 2^-bits, in doubles, one row for each polynomial."""
    out = np.zeros((len(polys), max(1, *(len(p) for p in polys))))
    for row, p in zip(out, polys, strict=True):
        for k, v in enumerate(p.coeffs()):
            if v:
                row[k] = v
    return np.ldexp(out, -bits)


def _to_double(value: int, unit: int) -> float:
    return math.ldexp(float(value), -unit) if unit < 900 else float(Fraction(value, 1 << unit))


Found = Sum | Miss | Later | None


def find(
    model: LeastSquares,
    mid: Sequence[int],
    unit: int,
    tau: float,
    program: Program | None = None,
    first: bool = False,
    known: Any = None,
) -> Found:
    """A sum in the slowest exponentials that the solution through an exact point follows within about 2^tau; None if the
    iteration does not converge.

    Args:
        mid: entries of the state in units of 2^-unit.
        tau: log2 of the error that is aimed at.
        program: of the model's field, if the accelerator is on. Without it only one exponential is taken.
        first: whether to say at once, from the amplitudes in doubles, if it is too early. (When the fast modes are about to
            decay this tells when they will be gone; later their amplitudes are driven by the slow ones, and do not.)
        known: the residual in the places of the program, in doubles, if it is known.
    """
    if tau < -RANGE or len(model.shapes) < 2:
        return None
    start = np.array([_to_double(v, unit) for v in mid])
    base, places = start, _places_of(model, program)
    for number in range(3):
        frame = _frame(model, base, places)
        if frame is None:
            return None
        residual, jac, values, modes = frame
        base = base - places.spread(modes @ ((modes.T @ (jac.T @ residual)) / values))
        if first:
            amplitudes = np.abs(modes.T @ places.gather(start - base))
            early = _too_early(amplitudes, values * float(model.factor), int(np.argmax(amplitudes * np.sqrt(values))), tau)
            if early is not None:
                return Later(early.size + math.log2(float(np.abs(residual).max())), early.wait)
            first = False
        if np.abs(residual).max() < (CLOSE if number else SMALL):
            break
    residual = _residual(model, mid, unit) if known is None else known[places.observed] * places.sign
    shift, amplitudes = start - base, modes.T @ places.gather(start - base)
    if np.abs(residual).max() < SMALL:  # doubles of the point do not tell how far the limit is, but the residual does
        jac = geometry.jacobian_in_doubles(model, _blocks(model, start))[1]
        amplitudes = (modes.T @ places.gather(jac.T @ residual)) / values
        shift = places.spread(modes @ amplitudes)
    sizes = np.abs(amplitudes) * np.sqrt(values)
    main = int(np.argmax(sizes))
    if not 0 < sizes[main] < 0.5:
        return None
    found = _Search(model, mid, unit, values, modes, [main], program, places).run(shift, amplitudes, tau)
    if not isinstance(found, Miss) or program is None:
        return found
    # A mode that moves on its own, and is not driven by the square of the first one, gets an exponential too.
    if abs(amplitudes[found.mode]) < abs(amplitudes[main]) ** 1.5:
        return found
    size = math.log2(abs(amplitudes[main]))
    if tau < MOST_TOGETHER * size:
        if not 0.5 < values[found.mode] / values[main] < 2:  # one of them will die out first
            return None
        return Later(tau / MOST_TOGETHER - size + math.log2(float(np.abs(residual).max())))
    if tau > 3.5 * size:  # a Taylor step and a Newton step cost less
        return Later(-math.inf)
    both = _Search(model, mid, unit, values, modes, [main, found.mode], program, places).run(shift, amplitudes, tau)
    return None if isinstance(both, Miss) else both


def _blocks(model: LeastSquares, point: Any) -> list[Any]:
    return [np.reshape(v, s) for v, s in zip(split(point, model.shapes), model.shapes, strict=True)]


def _residual(model: LeastSquares, mid: Sequence[int], unit: int) -> Any:
    """The observed residuals at an exact point, in doubles that are good however small they are."""
    scaled = _Scaled(model, unit, 1)
    parts = zip(split([Terms(fmpz_poly([v]), 1) for v in mid], model.shapes), model.shapes, strict=True)
    matrix, _ = model.forward([_objects(part, shape) for part, shape in parts], scaled)
    scale = Fraction(1, scaled.scale)
    return np.array([float(int(matrix[i, j].poly[0]) * scale) for i, j in model.observed])


def _too_early(amplitudes: Any, rates: Any, main: int, tau: float) -> Later | None:
    """What is missing for a sum in the exponential of mode `main`, with the size relative to what it is now; None if nothing."""
    if not amplitudes[main] > 0:
        return None
    below = min(0.0, tau / MOST_ORDERS - 0.5 - math.log2(amplitudes[main]))
    fast = rates > 2 * rates[main]
    waits = (np.log2(amplitudes[fast] + 1e-300) - tau - ROOM + 1) * math.log(2) / rates[fast]
    wait = max(0.0, float(waits.max(initial=0.0)))
    return Later(below, wait) if below < 0 or wait > 0 else None


class _Places:
    """States that are equal where entries share a place of a program, in coordinates with the same Euclidean norm: one for
    each place, times the root of the number of its entries. Without a program each entry has its own.
    """

    def __init__(self, model: LeastSquares, program: Program | None):
        rows = np.arange(len(model.observed))
        self.where = np.arange(model.size) if program is None else program.places_of
        if program is not None:
            cols = program.tape.ops[program.tape.kept[0]].shape[1]
            cells = program.views[program.tape.kept[0]].entries
            self.sign = program.views[program.tape.kept[0]].sign
            self.observed = cells[[i * cols + j for i, j in model.observed]]
            _, rows, counts = np.unique(self.observed, return_index=True, return_counts=True)
            self.row_weight = np.sqrt(counts)
        else:
            self.row_weight = np.ones(len(rows))
        self.rows = rows
        self.weight = np.sqrt(np.bincount(self.where))
        self.sums = np.zeros((model.size, len(self.weight)))
        self.sums[np.arange(model.size), self.where] = 1 / self.weight[self.where]

    def gather(self, state: Any) -> Any:
        return state @ self.sums

    def spread(self, values: Any) -> Any:
        return (values.T / self.weight).T[self.where]


def _places_of(model: LeastSquares, program: Program | None) -> _Places:
    """Kept with the program."""
    if program is None:
        return _Places(model, None)
    known: _Places | None = program.__dict__.get("_places_of")
    if known is None:
        known = program.__dict__["_places_of"] = _Places(model, program)
    return known


def _frame(model: LeastSquares, point: Any, places: _Places) -> Any:
    """Residual, Jacobian, the eigenvalues of J J^T in rising order and J^T times the eigenvectors, normalised; in doubles,
    restricted to states that are equal where places are.
    """
    residual, jac = geometry.jacobian_in_doubles(model, _blocks(model, point))
    residual = residual[places.rows] * places.row_weight
    jac = places.gather(jac[places.rows]) * places.row_weight[:, None]
    if jac.shape[0] > jac.shape[1]:
        return None
    if not np.isfinite(jac).all():
        return None
    _, sigma, vt = np.linalg.svd(jac, full_matrices=False)
    if not sigma[-1] > 1e-7 * sigma[0]:
        return None
    return residual, jac, sigma[::-1] ** 2, vt[::-1].T


class _Search:
    """The iteration. With a program of :mod:`verify.flow.fixedpoint` it is done by that."""

    def __init__(
        self,
        model: LeastSquares,
        mid: Sequence[int],
        unit: int,
        values: Any,
        modes: Any,
        mains: list[int],
        program: Program | None,
        places: _Places,
    ):
        self.model, self.mid, self.mid_unit, self.mains, self.program = model, mid, unit, mains, program
        self.values, self.modes = values * float(model.factor), places.spread(modes)
        self.vectors = np.ascontiguousarray(modes / places.weight[:, None])
        self.duals = np.ascontiguousarray(modes * places.weight[:, None])
        self.others = [j for j in range(len(values)) if j not in mains]

    def run(self, shift: Any, amplitudes: Any, tau: float) -> Sum | Miss | None:
        unit = BITS * math.ceil((30 - tau) / BITS)
        # The first guess misses the square of the amplitude, what is left after one round its fourth power.
        amplitude = max(abs(float(amplitudes[j])) for j in self.mains) + 1e-300
        first = min(unit, BITS * max(3, math.ceil((40 - 4 * math.log2(amplitude)) / BITS)))
        count = len(self.mains)
        highest = 5 if count == 1 else 3
        if count == 1 and self.program is not None:  # what is likely to be chosen in the end
            first, highest = unit, max(5, min(MOST_ORDERS, math.ceil((12 - tau) / max(1.0, 0.2 - math.log2(amplitude)))))
        terms = sorted(k for k in product(range(highest + 1), repeat=count) if sum(k) <= highest)
        single = [tuple(int(v == w) for w in range(count)) for v in range(count)]
        rows = []
        move = first - self.mid_unit
        ones = [terms.index(k) for k in single]
        sizes = (self.modes[:, self.mains] * amplitudes[self.mains]).tolist()
        for x, away, own in zip(self.mid, shift.tolist(), sizes, strict=True):
            row = [0] * len(terms)
            row[0] = (x << move if move >= 0 else x >> -move) - _integer(away, first)
            for t, v in zip(ones, own, strict=True):
                row[t] = _integer(v, first)
            rows.append(row)
        rates = [-_integer(float(self.values[j]), first) for j in self.mains]
        self.put(Sum(first, rates, terms, rows))
        last, known, held, settled = math.inf, math.inf, 0, False
        for number in range(MOST_ROUNDS):
            made = self.correct()
            if made is None:
                return None
            size, miss = (math.log2(v + 1e-300) for v in made[:2])
            # What is left is smaller by what the last round gained on the one before, as far as doubles go.
            rest = size - 0.9 * min(40.0, last - size) if self.program is not None and number > 1 else size
            if number > 1 and size > last - 1.5:
                held += 1
                if held > 2:
                    return None
            last = min(last, size)
            steady, known = abs(miss - known) < 0.3, miss
            if miss > tau + ROOM and miss > size + (-4 if steady and number > 4 else 8):
                wait = (miss - tau + 2) * math.log(2) / float(self.values[self.others].min())
                return Miss(int(made[2]), wait)
            if number < 2:
                continue
            terms = self.sum.terms
            if not settled:
                chosen = _choose(terms, made[3:], tau)
                if chosen is None:
                    return None
                settled, terms = size < -24, sorted(set(terms) | set(chosen)) if size < -24 or count == 1 else terms
            fine = self.sum.unit > 14 - tau  # digits beyond those that are wanted: what is left out of products adds up
            if rest < tau and settled and len(terms) == len(self.sum.terms) and fine:
                return self.get()
            wanted = min(unit, BITS * math.ceil((40 - 2 * size) / BITS)) if size < 20 - self.sum.unit else self.sum.unit
            if rest < tau and not fine:
                wanted = unit
            if wanted > self.sum.unit or len(terms) > len(self.sum.terms):
                self.put(self.get().with_terms(wanted, terms))
        return None

    def put(self, p: Sum) -> None:
        if self.program is not None:
            self.strides = _packing(p.degrees(), 1)
            places = _places(p.terms, self.strides)
            if places != sorted(places):
                order = sorted(range(len(places)), key=places.__getitem__)
                p = p.with_terms(p.unit, [p.terms[t] for t in order])
                places = _places(p.terms, self.strides)
            move = p.unit - self.mid_unit
            point = [v << move if move >= 0 else v >> -move for v in self.mid]
            if not self.program.place(p.coefficients, places, point, p.unit // BITS):
                self.program = None
                self.sum = p
                return
            single = [tuple(int(v == w) for w in range(len(p.rates))) for v in range(len(p.rates))]
            self.digits = np.array([_digits(-a, p.unit) for a in p.rates])
            whole = (places, p.terms, [p.terms.index(k) for k in single], self.mains)
            self.arrays = [np.ascontiguousarray(v, dtype=np.int64) for v in whole]
            place, power, one, main = (a.ctypes.data for a in self.arrays)
            cells, modes = self.vectors.shape
            self.series = Series(
                len(p.terms),
                len(p.rates),
                self.digits.shape[1],
                place,
                power,
                one,
                self.digits.ctypes.data,
                cells,
                modes,
                self.vectors.ctypes.data,
                self.duals.ctypes.data,
                self.values.ctypes.data,
                main,
            )
        self.sum = p

    def get(self) -> Sum:
        p = self.sum
        if self.program is None:
            return p
        rates = []
        for row in self.digits.tolist():
            rate = 0
            for v in row:
                rate = (rate << BITS) + int(v)
            rates.append(-rate)
        return Sum(p.unit, rates, p.terms, self.program.placed(self.arrays[0].tolist()), self)

    def bounds(self) -> tuple[Any, Along] | None:
        """Powers of the terms and bounds along the sum, by the program."""
        assert self.program is not None
        found = self.program.along(self.series, self.arrays[0].tolist(), self.sum.terms)
        return None if found is None else (np.array(self.sum.terms), found)

    def correct(self) -> list[float] | None:
        """One correction: its size; what p(0) misses of the state in the modes without a rate, most of it in which; the sizes
        of the terms.
        """
        if self.program is not None:
            return self.program.correct(self.series)
        p, modes, main = self.sum, self.modes, self.mains[0]
        if len(p.rates) > 1:
            return None
        count = len(p.terms)
        d = np.zeros((len(p.coefficients), count))
        given = defect(self.model, p, count)[0][:, :count]
        d[:, : given.shape[1]] = given
        known = np.array([[_to_double(v, p.unit) for v in row] for row in p.coefficients])
        rate = -_to_double(p.rates[0], p.unit)
        # the rate, from the followed mode in order 1
        own = float(modes[:, main] @ known[:, 1])
        if own == 0:
            return None
        turn = -float(modes[:, main] @ d[:, 1]) / own
        falls = np.arange(float(count)) * rate
        d += known * (falls / rate * turn)
        within = modes.T @ d
        divisors = self.values[:, None] - falls
        divisors[main, 1] = math.inf
        falls[0] = math.inf
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # a resonance is seen below
            step = modes @ (within / divisors + within / falls) - d / falls
        left = np.array(gap_at_start(p, self.mid, self.mid_unit)) - step.sum(axis=1)
        inside = modes.T @ left
        step[:, 0] += left - modes @ inside
        step[:, 1] += modes[:, main] * inside[main]
        if not np.isfinite(step).all():
            return None
        p.rates[0] -= _integer(turn, p.unit)
        for row, delta in zip(p.coefficients, step.tolist(), strict=True):
            for e, v in enumerate(delta):
                row[e] += _integer(v, p.unit)
        inside[main] = 0
        worst = int(np.argmax(np.abs(inside)))
        return [float(np.abs(step).sum(axis=1).max()), abs(float(inside[worst])), worst, *np.abs(known).max(axis=0).tolist()]


def _choose(terms: list[tuple[int, ...]], sizes: Sequence[float], tau: float) -> list[tuple[int, ...]] | None:
    """The terms that are expected to be above 2^tau, from the sizes of those of low degree; None if they are too many."""
    known = {k: math.log2(v + 1e-300) for k, v in zip(terms, sizes, strict=True)}
    count = len(terms[0])
    falls, top = [], -math.inf
    for v in range(count):
        first, second, third = (known[tuple(n * (v == w) for w in range(count))] for n in (1, 2, 3))
        fall = min(first - second, second - third)
        if not fall > 0.5:
            return None
        falls.append(fall)
        top = max(top, second + 2 * fall)
    for k, size in known.items():
        if all(k):
            top = max(top, size + sum(n * f for n, f in zip(k, falls, strict=True)))
    room = top - tau + 6
    most = [math.floor(room / f) for f in falls]
    if max(most) > MOST_ORDERS:
        return None
    out = [k for k in product(*(range(n + 1) for n in most)) if sum(n * f for n, f in zip(k, falls, strict=True)) <= room]
    return out if count == 1 or len(out) <= MOST_TERMS else None


def _digits(value: int, unit: int) -> list[float]:
    """Balanced digits of radix 2^22 of a number in units of 2^-unit, from position 0 on."""
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


def gap_at_start(p: Sum, mid: Sequence[int], unit: int) -> list[float]:
    """m - p(0), rounded."""
    rows = zip(mid, p.at_start(), strict=True)
    return [_to_double((m << p.unit) - (v << unit), p.unit + unit) for m, v in rows]


def _integer(value: float, unit: int) -> int:
    m, e = math.frexp(value)
    n, e = int(m * 2.0**53), e - 53 + unit
    return n << e if e >= 0 else n >> -e


@dataclass
class Bound:
    """What is proved of a step of length `length` along a sum: every solution that starts within the error of the point stays
    within `rho` of the sum and ends within `error` of c_0, where the residual is at most `residual`.
    """

    length: Dyadic
    rho: float
    error: float
    residual: float


def bound(
    model: LeastSquares, p: Sum, mid: Sequence[int], unit: int, error: float, norms: Sequence[float], data: float, goal: float
) -> Bound | None:
    """Bounds for a step along a sum of falling exponentials, or None where they do not close.

    Args:
        mid, unit: the exact point before the step. error: bound of the distance of the solution from it.
        norms: upper bounds of the norms of the blocks of c_0, in which the curvature is measured. data: of |X|_2.
        goal: log2 of what may be left of the exponentials at the end.
    """
    rates = np.array([-_to_double(a, p.unit) for a in p.rates]) * (1 - 1e-12)
    if not rates.min() > 0:
        return None
    slowest = float(rates.min())
    found = None if p.search is None else p.search.bounds()
    if found is None:
        found = _bounds(model, p)
    powers, along = found
    moved = float(along.blocks[:, 1:].sum()) * INFLATE + FLOOR
    length = _short(math.log(moved / 2.0**goal + 2) / slowest)
    t = math.ldexp(*length)
    left = moved * math.exp(-slowest * t) * INFLATE + FLOOR
    start = math.hypot(*gap_at_start(p, mid, unit)) * INFLATE + FLOOR
    integrals = np.full(len(powers), t)
    integrals[1:] = INFLATE / (powers[1:] @ rates)
    factor = float(model.factor) * INFLATE
    local = float(along.defect @ integrals) + along.low * t + along.high / slowest
    path = float(along.residual @ integrals) + along.residual_low * t + along.residual_high / slowest
    base = error + start
    rho = 2 * (base + local)
    for _ in range(6):
        ends = [(n + moved + rho) * INFLATE for n in norms]
        bend, steep = curvature(ends) * data, slope(model, ends) * data
        growth = factor * bend * (path + steep * rho * t) * INFLATE * INFLATE
        total = (base + local + factor * steep * along.target * t) * INFLATE * INFLATE
        if not growth < 50:
            return None
        proved = total * math.exp(growth) * INFLATE
        if proved * 1.1 < rho:
            rest = (float(along.residual[0]) + along.residual_low + along.residual_high) * INFLATE
            return Bound(length, rho, (proved * 1.02 + left * 1.02) * INFLATE, rest)
        rho = 1.5 * proved
    return None


def _bounds(model: LeastSquares, p: Sum) -> tuple[Any, Along]:
    """Powers of the terms, and bounds along a sum, in full and in integers; the target is a rounded one."""
    d, r, powers = defect(model, p, None)
    rounding = math.ldexp(1.0, -p.unit - 62)
    sizes = [column_norms(v) + rounding * math.sqrt(len(v)) for v in (d, r)]
    gaps, residual = (np.concatenate([v, np.zeros(len(powers) - len(v))]) for v in sizes)
    c = np.array([[_to_double(v, p.unit) for v in row] for row in p.coefficients])
    blocks = np.stack([column_norms(np.array(part)) for part in split(list(c), model.shapes)])
    off = math.ldexp(math.sqrt(r.shape[0]), -p.unit * 2)
    return powers, Along(gaps, 0.0, 0.0, blocks, residual, off, 0.0, off)


def curvature(norms: Sequence[float]) -> float:
    """K of :mod:`verify.flow.geometry`, in doubles."""
    def rest(*out: int) -> float:
        return math.prod(n for m, n in enumerate(norms) if m not in out)

    every = range(len(norms))
    return max(sum(rest(j, k) for k in every if k != j) for j in every) * INFLATE


def slope(model: LeastSquares, norms: Sequence[float]) -> float:
    """Lambda of :mod:`verify.flow.geometry`, in doubles."""
    every = range(len(norms))
    total = sum(math.prod(n for m, n in enumerate(norms) if m != j) ** 2 for j in every)
    return math.sqrt(total * (model.rank if isinstance(model, CPTensor) else 1)) * INFLATE


def _short(value: float) -> Dyadic:
    """A dyadic number of 12 bits just above a positive double."""
    m, e = math.frexp(value)
    return int(m * 4096) + 1, e - 12
