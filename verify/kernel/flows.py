"""The leaf `flow`: where every solution of a polynomial differential equation is, at a time or at infinity (LOGIC.md).

The mathematics stands on the page of logic; here every bound is made in balls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import flint
from flint import arb, arb_mat, arb_poly, fmpq, fmpq_mpoly_ctx, fmpz_mat, fmpz_poly

from verify.kernel.sign import literal
from verify.kernel.terms import Context, Formula, LogicError, Term

MAX_VARIABLES, MAX_STEPS, MAX_ORDER, MAX_PIECES, MAX_BITS, MAX_POWER = 64, 20_000, 1000, 4096, 20_000, 64
COARSE = 64  # bits for what needs no cancellation
SMOOTH = ("F", ("R",), "R", "smooth")


def fraction(t: Any) -> Fraction:
    """The value of a rational literal, possibly times -1."""
    if isinstance(t, tuple) and len(t) == 3 and t[:2] == ("*", -1):
        return -fraction(t[2])
    value = literal(t)
    if value is None or isinstance(t, bool) or value[1] < 1:
        raise LogicError(f"flow: no rational literal: {str(t)[:60]}")
    return Fraction(*value)


def exact(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


# ---------------------------------------------------------------------------------------------- polynomials


@dataclass(eq=False)
class Program:
    """Polynomials in x_0, .., x_(n-1) as operations; equal subterms are computed once.

    An operation is ("const", q, -), ("var", i, -), ("scale", a, q), ("add", a, b) or ("mul", a, b).
    """

    variable: Callable[[Term], int | None]
    ops: list[tuple[str, Any, Any]]
    seen: dict[Any, int]
    outputs: list[int]

    @classmethod
    def of(cls, terms: Iterable[Term], variable: Callable[[Term], int | None]) -> Program:
        """Compile terms; `variable` gives the number of a term that stands for a variable, else None."""
        out = cls(variable, [], {}, [])
        out.outputs = [out.compile(t) for t in terms]
        return out

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and (self.ops, self.outputs) == (other.ops, other.outputs)

    def __hash__(self) -> int:
        """Of a finished program: what it computes."""
        return hash((tuple(self.ops), tuple(self.outputs)))

    def _emit(self, kind: str, a: Any, b: Any = None) -> int:
        key = (kind, a, b)
        if key not in self.seen:
            self.seen[key] = len(self.ops)
            self.ops.append(key)
        return self.seen[key]

    def compile(self, t: Term) -> int:
        i = self.variable(t)
        if i is not None:
            return self._emit("var", i)
        if literal(t) is not None:
            return self._emit("const", fraction(t))
        head = t[0] if isinstance(t, tuple) else ""
        if head == "+":
            return self._fold("add", [self.compile(a) for a in t[1:]])
        if head == "*":
            scale = Fraction(1)
            factors = []
            for a in t[1:]:
                if literal(a) is not None:
                    scale *= fraction(a)
                else:
                    factors.append(self.compile(a))
            if not factors:
                return self._emit("const", scale)
            out = self._fold("mul", factors)
            return out if scale == 1 else self._emit("scale", out, scale)
        if head == "/" and literal(t[2]) is not None and fraction(t[2]) != 0:
            return self._emit("scale", self.compile(t[1]), 1 / fraction(t[2]))
        if head == "^" and isinstance(t[2], int) and 0 <= t[2] <= MAX_POWER:
            return self._fold("mul", [self.compile(t[1])] * t[2]) if t[2] else self._emit("const", Fraction(1))
        raise LogicError(f"flow: no polynomial: {str(t)[:80]}")

    def _fold(self, kind: str, numbers: list[int]) -> int:
        out = numbers[0]
        for b in numbers[1:]:
            out = self._emit(kind, out, b)
        return out

    def over(self, inputs: Sequence[Any], constant: Callable[[fmpq], Any]) -> list[Any]:
        """The values in a commutative ring that contains the rationals."""
        values: list[Any] = []
        for kind, a, b in self.ops:
            if kind == "const":
                v = constant(exact(a))
            elif kind == "var":
                v = inputs[a]
            elif kind == "scale":
                v = values[a] * constant(exact(b))
            elif kind == "add":
                v = values[a] + values[b]
            else:
                v = values[a] * values[b]
            values.append(v)
        return [values[o] for o in self.outputs]


class Jet:
    """A ball with balls for its partial derivatives."""

    __slots__ = ("slope", "value")

    def __init__(self, value: arb, slope: dict[int, arb]):
        self.value, self.slope = value, slope

    @classmethod
    def constant(cls, q: fmpq) -> Jet:
        return cls(arb(q), {})

    def __add__(self, other: Jet) -> Jet:
        slope = dict(self.slope)
        for i, d in other.slope.items():
            slope[i] = slope[i] + d if i in slope else d
        return Jet(self.value + other.value, slope)

    def __mul__(self, other: Jet) -> Jet:
        slope = {i: d * other.value for i, d in self.slope.items()}
        for i, d in other.slope.items():
            e = d * self.value
            slope[i] = slope[i] + e if i in slope else e
        return Jet(self.value * other.value, slope)


def jacobian(program: Program, box: Sequence[arb]) -> tuple[list[arb], list[list[arb]]]:
    """Values and partial derivatives of the polynomials on a box."""
    jets = program.over([Jet(x, {i: arb(1)}) for i, x in enumerate(box)], Jet.constant)
    zero = arb(0)
    return [j.value for j in jets], [[j.slope.get(i, zero) for i in range(len(box))] for j in jets]


class Curve:
    """A polynomial on [0, 1] in balls: a_0 + 2 sum_(k >= 1) a_k T_k(2u - 1), kept as z^n sum_(|k| <= n) a_|k| z^k.

    With 2u - 1 = (z + 1/z)/2 that is the sum itself, so products are products.
    """

    __slots__ = ("half", "p")

    def __init__(self, half: int, p: arb_poly):
        self.half, self.p = half, p

    @classmethod
    def constant(cls, q: fmpq) -> Curve:
        return cls(0, arb_poly([arb(q)]))

    @classmethod
    def of(cls, c: Sequence[int], unit: int) -> Curve:
        """2^-unit sum c_k T_k."""
        return cls(len(c) - 1, arb_poly(fmpz_poly([*c[:0:-1], 2 * c[0], *c[1:]])) * arb((1, -unit - 1)))

    def __add__(self, other: Curve) -> Curve:
        a, b = (self, other) if self.half >= other.half else (other, self)
        return Curve(a.half, a.p + b.p.left_shift(a.half - b.half))

    def __mul__(self, other: Curve) -> Curve:
        return Curve(self.half + other.half, self.p * other.p)

    def size(self) -> arb:
        """An upper bound of the absolute value."""
        return arb(sum((arb(c.abs_upper()) for c in self.p.coeffs()), arb(0)).abs_upper())


def derivative(c: Sequence[int]) -> list[int]:
    """Coefficients of d/du sum c_k T_k(2u - 1), as many as of the sum."""
    out = [0] * (len(c) + 1)
    for k in range(len(c) - 1, 0, -1):
        out[k - 1] = out[k + 1] + 4 * k * c[k]
    out[0] //= 2
    return out[:-1]


def ends(c: Sequence[int]) -> tuple[int, int]:
    """sum c_k T_k at u = 0 and at u = 1."""
    even, odd = sum(c[::2]), sum(c[1::2])
    return even - odd, even + odd


@lru_cache(maxsize=64)
def waves(terms: int, pieces: int) -> arb_mat:
    """T_0, T_1, .. at the middles of equal pieces of [0, 1], one row for each piece."""
    with flint.ctx.workprec(2 * COARSE):
        points = [arb(fmpq(2 * i + 1 - pieces, pieces)) for i in range(pieces)]
        return arb_mat([[v.chebyshev_t(k) for k in range(terms)] for v in points])


# ---------------------------------------------------------------------------------------------- bounds


def norm(values: Iterable[arb]) -> arb:
    """An upper bound of the Euclidean norm of every point of the balls."""
    total = arb(0)
    for v in values:
        m = arb(v.abs_upper())
        total += m * m
    return arb(total.sqrt().abs_upper())


def definite(matrix: list[list[arb]], shift: arb) -> bool:
    """Whether shift I - S is positive definite for every symmetric S in the balls: by the midpoints, whose distance from S
    in the Frobenius norm is at most that of the radii."""
    n = len(matrix)
    spread = norm([matrix[max(i, j)][min(i, j)].rad() for i in range(n) for j in range(n)])
    a = [[-matrix[max(i, j)][min(i, j)].mid() for j in range(n)] for i in range(n)]
    for i in range(n):
        a[i][i] = a[i][i] + shift - spread
    for k in range(n):
        pivot = a[k][k]
        if not pivot > 0:
            return False
        for i in range(k + 1, n):
            factor = a[i][k] / pivot
            for j in range(k + 1, i + 1):
                a[i][j] = a[i][j] - factor * a[j][k]
    return True


def growth_matrix(field: Program, box: Sequence[arb], h: arb) -> list[list[arb]]:
    """h times the symmetric part of the Jacobian, on a box."""
    _, d = jacobian(field, box)
    n = len(d)
    return [[h * (d[i][j] + d[j][i]) / 2 for j in range(n)] for i in range(n)]


def gram(rows: list[list[arb]]) -> list[list[arb]]:
    """Minus J J^T."""
    return [[-sum((x * y for x, y in zip(p, q, strict=True)), arb(0)) for q in rows] for p in rows]


Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class State:
    """Every solution is within `error` of mid at this time (None: at a time that is not told); for a `limit`, its limit is."""

    mid: Point
    error: Fraction
    time: Fraction | None
    limit: bool = False


@dataclass(frozen=True)
class Step:
    """Arguments of one step of the leaf."""

    h: Fraction
    rate: Fraction
    unit: int
    rows: tuple[tuple[int, ...], ...]
    rho: Fraction
    mu: tuple[Fraction, ...]
    error: Fraction


class Expansion:
    """The polynomials of a step: their ends, their defect, boxes around them."""

    def __init__(self, field: Program, h: Fraction, rate: Fraction, unit: int, rows: Sequence[Sequence[int]]):
        self.field, self.h, self.rate, self.unit = field, h, rate, unit
        self.rows = rows[: len(field.outputs)]
        self.slopes = [derivative(c) for c in self.rows]
        one = Fraction(1, 1 << unit)
        self.begin, self.end = (tuple(v * one for v in side) for side in zip(*map(ends, self.rows), strict=True))
        with flint.ctx.workprec(unit + COARSE):
            length = Curve.constant(exact(h))
            moves = [length * f for f in field.over([Curve.of(c, unit) for c in self.rows], Curve.constant)]
            slip = arb(0)
            turned = moves
            if rate:
                w, x = rows[-1], exact(rate * h)
                speed = Curve.of(w, unit)
                # w(u) - exp(-x u) is w(0) - 1 at 0, and its derivative is -x times itself plus w' + x w
                missed = (Curve.of(derivative(w), unit) + Curve.constant(x) * speed).size()
                slip = (missed + abs(arb(exact(ends(w)[0] * one - 1)))) * (-arb(x)).exp().max(arb(1))
                turned = [f * speed for f in moves]
            minus = Curve.constant(fmpq(-1))
            gaps = [(f + minus * Curve.of(c, unit)).size() for f, c in zip(turned, self.slopes, strict=True)]
        with flint.ctx.workprec(COARSE):
            self.defect = arb((norm(gaps) + slip * norm([f.size() for f in moves])).abs_upper())

    def growth(self, pieces: int, rho: Fraction) -> list[list[list[arb]]]:
        """For each of equal pieces, h times the symmetric part of the Jacobian within rho of the polynomials."""
        out = []
        with flint.ctx.workprec(COARSE):
            scale, wide = arb((1, -self.unit)), arb(exact(rho))
            table = waves(len(self.rows[0]), pieces)
            columns = [list(k) for k in zip(*self.rows, *self.slopes, strict=True)]
            middles = ((table * arb_mat(fmpz_mat(columns))) * scale).tolist()
            # |p(u) - p(c)| <= w |p'(c)| + w^2/2 sup |p''| on a piece of middle c and half width w
            bends = [arb(sum(map(abs, derivative(c)))) * scale / (8 * pieces**2) for c in self.slopes]
            for found in middles:
                box = []
                for value, slope, bend in zip(found, found[len(bends) :], bends, strict=False):
                    away = arb(slope.abs_upper()) / (2 * pieces) + bend + wide
                    box.append(value + arb(0, away.abs_upper()))
                out.append(growth_matrix(self.field, box, arb(exact(self.h))))
        return out

    def pace(self, piece: int, pieces: int) -> arb:
        """The largest value of exp(-rate h u) on a piece."""
        with flint.ctx.workprec(COARSE):
            u = Fraction(piece if self.rate > 0 else piece + 1, pieces)
            return arb(arb(exact(-self.rate * self.h * u)).exp().abs_upper())

    def bound(self, start: State, mu: Sequence[Fraction]) -> arb:
        """Upper bound of the error at the end of the step."""
        with flint.ctx.workprec(COARSE):
            total = sum(mu, Fraction(0)) / len(mu)
            missed = norm([arb(exact(a - b)) for a, b in zip(start.mid, self.begin, strict=True)])
            return arb(((arb(exact(start.error)) + missed + self.defect) * arb(exact(total)).exp()).abs_upper())


@lru_cache(maxsize=4096)  # a proof is checked when a script makes it and once more as a whole
def advance(field: Program, state: State, step: Step) -> State:
    """The state after a step; raises LogicError unless its bounds hold."""
    if step.h <= 0 or step.rho <= 0 or step.error < 0 or any(m < 0 for m in step.mu):
        raise LogicError("flow: a bound of a step is negative")
    if not 0 <= step.unit <= MAX_BITS or not 1 <= len(step.mu) <= MAX_PIECES:
        raise LogicError("flow: a step is malformed")
    if len(step.rows) != len(state.mid) + bool(step.rate) or {len(c) for c in step.rows} != {len(step.rows[0])}:
        raise LogicError("flow: the polynomials of a step do not fit the equations, or each other")
    if not 1 <= len(step.rows[0]) <= MAX_ORDER:
        raise LogicError("flow: a degree is out of range")
    expansion = Expansion(field, step.h, step.rate, step.unit, step.rows)
    with flint.ctx.workprec(COARSE):
        for piece, (matrix, mu) in enumerate(zip(expansion.growth(len(step.mu), step.rho), step.mu, strict=True)):
            if not definite(matrix, arb(exact(mu)) / expansion.pace(piece, len(step.mu))):
                raise LogicError("flow: a logarithmic norm is larger than claimed")
        bound = expansion.bound(state, step.mu)
        if not bound < arb(exact(step.rho)):
            raise LogicError("flow: the solution is not shown to stay within rho")
        if not bound <= arb(exact(step.error)):
            raise LogicError("flow: the error is larger than claimed")
    return State(expansion.end, step.error, None if step.rate or state.time is None else state.time + step.h)


def is_gradient(field: Program, residuals: Program, factor: Fraction, n: int) -> bool:
    """Whether field = -factor sum_k r_k grad r_k, exactly."""
    ring = fmpq_mpoly_ctx.get([f"x{i}" for i in range(n)], "lex")
    gens = list(ring.gens())
    constant: Any = ring.constant
    f = field.over(gens, constant)
    r = residuals.over(gens, constant)
    for i in range(n):
        total = constant(exact(1 / factor)) * f[i]
        for x in r:
            total = total + x * x.derivative(i)
        if total != 0:
            return False
    return True


@dataclass(frozen=True)
class Capture:
    """Arguments of the last step, to infinity."""

    factor: Fraction
    radius: Fraction
    sigma: Fraction
    mid: Point
    error: Fraction


def correction(rows: list[list[arb]], rest: list[arb]) -> list[arb]:
    """J^T (J J^T)^(-1) r."""
    j = arb_mat(rows)
    y = (j * j.transpose()).solve(arb_mat([[r] for r in rest]))
    return list((j.transpose() * y).entries())


def capture(field: Program, residuals: Program, bits: int, state: State, last: Capture) -> State:
    """Where the limit is; raises LogicError unless the Jacobian of the residuals is bounded below on the way."""
    if min(last.factor, last.radius, last.sigma) <= 0 or not residuals.outputs or len(last.mid) != len(state.mid):
        raise LogicError("flow: the capture is malformed")
    if not is_gradient(field, residuals, last.factor, len(state.mid)):
        raise LogicError("flow: the field is not the gradient of the residuals")
    error, sigma = arb(exact(state.error)), arb(exact(last.sigma))
    with flint.ctx.workprec(bits + COARSE):
        mid = [arb(exact(m)) for m in state.mid]
        near = arb(0, error.abs_upper())
        rest = residuals.over([m + near for m in mid], arb)
        here, rows = jacobian(residuals, mid)
        moved = [arb(exact(a - b)) + c for a, b, c in zip(last.mid, state.mid, correction(rows, here), strict=True)]
    with flint.ctx.workprec(COARSE):
        wide = arb(0, arb(exact(last.radius)).abs_upper())
        _, rows = jacobian(residuals, [m + wide for m in mid])
        if not definite(gram(rows), -sigma * sigma):
            raise LogicError("flow: the Jacobian is not bounded below")
        path = norm(rest) / sigma
        if not error + path < arb(exact(last.radius)):
            raise LogicError("flow: the solution is not shown to stay within the radius")
        spread = 2 * norm([v.rad() for row in rows for v in row]) / sigma
        if not error * (1 + spread) + 2 * spread * path + norm(moved) <= arb(exact(last.error)):
            raise LogicError("flow: the error of the limit is larger than claimed")
    return State(last.mid, last.error, None, limit=True)


# ---------------------------------------------------------------------------------------------- the leaf


@dataclass(frozen=True)
class Flow:
    """The differential equation that the hypotheses state, and where it starts."""

    names: tuple[str, ...]
    field: Program
    box: tuple[tuple[Fraction, Fraction], ...]


def read(ctx: Context, hyps: dict[str, Formula], names: Any, ode: Any, start: Any) -> Flow:
    """Read the hypotheses; raises LogicError if they are of another form."""
    if not isinstance(names, tuple) or not 1 <= len(names) <= MAX_VARIABLES or len(set(names)) != len(names):
        raise LogicError("flow: vars lists different functions")
    if any(not isinstance(x, str) or ctx.get(x) != SMOOTH for x in names):
        raise LogicError("flow: a variable is no smooth real function of one argument")
    if any(not isinstance(x, tuple) or len(x) != len(names) for x in (ode, start)):
        raise LogicError("flow: ode and start have an item for each variable")
    rates = []
    for x, h in zip(names, ode, strict=True):
        f = hyps.get(h) if isinstance(h, str) else None
        if f is None or f[0] != "all" or len(f[1]) != 1 or f[1][0][1] != "R" or f[2][0] != "=>":
            raise LogicError("flow: an equation is no hypothesis `all t. 0 <= t => x'(t) = ..`")
        t = f[1][0][0]
        guard, equation = f[2][1:]
        if guard != ("<=", 0, t) or equation[0] != "=" or equation[1] != ("d", 1, x, t):
            raise LogicError("flow: an equation is no hypothesis `all t. 0 <= t => x'(t) = ..`")
        rates.append(_renamed(equation[2], t))
    number = {("call", x, TIME): i for i, x in enumerate(names)}
    bounds = tuple(_bounds(hyps, x, b) for x, b in zip(names, start, strict=True))
    return Flow(names, Program.of(rates, lambda e: number.get(e)), bounds)


TIME = "t "  # no name of the logic


def _renamed(e: Term, t: str) -> Term:
    """The term with its time under the name TIME; polynomials have no binders."""
    if e == t:
        return TIME
    return tuple(_renamed(a, t) for a in e) if isinstance(e, tuple) else e


def _bounds(hyps: dict[str, Formula], x: str, names: Any) -> tuple[Fraction, Fraction]:
    if not isinstance(names, tuple) or len(names) != 2:
        raise LogicError("flow: start has two hypotheses for each variable")
    low, high = (hyps.get(h) if isinstance(h, str) else None for h in names)
    if low is None or high is None or low[0] not in ("<", "<=") or high[0] not in ("<", "<="):
        raise LogicError("flow: a bound of the start is no inequality")
    if low[2] != ("call", x, 0) or high[1] != ("call", x, 0):
        raise LogicError("flow: a bound of the start speaks of something else")
    return fraction(low[1]), fraction(high[2])


def flow(ctx: Context, hyps: dict[str, Formula], concl: Formula, node: dict[str, Any]) -> None:
    """Accept a conclusion about the solutions of the differential equation in the hypotheses.

    Trusted: the argument for a step (defect and logarithmic norm), that for the capture of the limit, and Arb's balls (LOGIC.md,
    section `flow`).
    """
    given = read(ctx, hyps, node["vars"], node["ode"], node["start"])
    bits = node["bits"]
    if type(bits) is not int or not 20 <= bits <= MAX_BITS:
        raise LogicError("flow: bits out of range")
    state = State(_point(node["mid"], bits, len(given.names)), fraction(node["error"]), Fraction(0))
    away = [max(abs(a - m), abs(b - m)) for (a, b), m in zip(given.box, state.mid, strict=True)]
    if state.error < 0 or sum(x * x for x in away) > state.error**2:
        raise LogicError("flow: the start is not within the first ball")
    steps = node["steps"]
    if not isinstance(steps, tuple) or len(steps) > MAX_STEPS:
        raise LogicError("flow: steps is a list")
    for step in steps:
        state = advance(given.field, state, _step(step))
    if "capture" in node:
        data = node["capture"]
        if not isinstance(data, tuple) or len(data) != 6 or not isinstance(data[0], tuple):
            raise LogicError("flow: capture is residuals, factor, radius, sigma, mid and error")
        number = {x: i for i, x in enumerate(given.names)}
        residuals = Program.of(data[0], lambda e: number.get(e) if isinstance(e, str) else None)
        factor, radius, sigma = map(fraction, data[1:4])
        last = Capture(factor, radius, sigma, _point(data[4], bits, len(given.names)), fraction(data[5]))
        state = capture(given.field, residuals, bits, state, last)
    for atom in concl[1:] if concl[0] == "and" else (concl,):
        _conclude(given.names, state, atom)


def _point(x: Any, bits: int, n: int) -> Point:
    if not isinstance(x, tuple) or len(x) != n or any(type(v) is not int for v in x):
        raise LogicError("flow: a midpoint is a list of integers")
    return tuple(Fraction(v, 1 << bits) for v in x)


def _step(x: Any) -> Step:
    if not isinstance(x, tuple) or len(x) != 7 or type(x[2]) is not int or any(not isinstance(x[i], tuple) for i in (3, 5)):
        raise LogicError("flow: a step is h, rate, unit, polynomials, rho, mu and error")
    if any(not isinstance(row, tuple) or any(type(c) is not int for c in row) for row in x[3]):
        raise LogicError("flow: the polynomials of a step are lists of integers")
    return Step(fraction(x[0]), fraction(x[1]), x[2], x[3], fraction(x[4]), tuple(map(fraction, x[5])), fraction(x[6]))


def _conclude(names: tuple[str, ...], state: State, atom: Formula) -> None:
    """One member of the conclusion."""
    if state.limit:
        if atom[0] != "ex" or len(atom[1]) != 1 or atom[1][0][1] != "R" or atom[2][0] != "and" or len(atom[2]) != 4:
            raise LogicError("flow: the conclusion is no `ex l. tends(t, x(t), l) and a <= l and l <= b`")
        value, (limit, low, high) = atom[1][0][0], atom[2][1:]
        if limit[0] != "tends" or limit[3] != value or not _is_call(limit[2], names, limit[1]):
            raise LogicError("flow: the conclusion names no limit of a function of the flow")
        i = names.index(limit[2][1])
        if low[0] != "<=" or low[2] != value or high[0] != "<=" or high[1] != value:
            raise LogicError("flow: the conclusion does not bound the limit")
        sides = [(low[1], -1), (high[2], 1)]
    else:
        if atom[0] != "<=":
            raise LogicError("flow: the conclusion is no `a <= x(t)` or `x(t) <= b`")
        at, bound, sign = (atom[1], atom[2], 1) if isinstance(atom[1], tuple) and atom[1][0] == "call" else (atom[2], atom[1], -1)
        if not (isinstance(at, tuple) and len(at) == 3 and at[0] == "call" and at[1] in names and fraction(at[2]) == state.time):
            raise LogicError("flow: the conclusion speaks of another function or time")
        i = names.index(at[1])
        sides = [(bound, sign)]
    for side, sign in sides:
        if sign * (fraction(side) - state.mid[i]) < state.error:
            raise LogicError("flow: the interval is narrower than what is shown")


def _is_call(e: Term, names: tuple[str, ...], t: str) -> bool:
    return isinstance(e, tuple) and len(e) == 3 and e[0] == "call" and e[1] in names and e[2] == t
