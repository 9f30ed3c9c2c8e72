"""``flow``: every solution of a polynomial differential equation, followed step by step, at a time or to its limit.

What is polynomial is computed exactly here: the defect of a step, the identity of the gradient, definiteness of midpoints.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from flint import arb, fmpq, fmpq_mat, fmpq_mpoly_ctx, fmpq_poly, fmpz

from .balls import ball, precision, rational
from .terms import Node, R, Refused, head, is_int, read_term, show

ROUGH = 64  # bits for bounds that need no cancellation
SMOOTH: Node = ("Fs", R, R)
BOUND: Node = ("#", 0)
LIMITS = {"variables": 64, "steps": 20_000, "order": 1000, "pieces": 4096, "bits": 20_000, "power": 64}

Point = tuple[Fraction, ...]
Matrix = list[list[Any]]


class Arguments(Protocol):
    """The arguments of a proof node."""

    def raw(self, key: str) -> Any:
        """Any value."""

    def get(self, key: str, default: Any) -> Any:
        """Any value, or the default if it is absent."""

    def texts(self, key: str) -> list[str]:
        """A list of strings."""


class State(NamedTuple):
    """Every solution is within ``error`` of ``mid`` at ``time`` (None: at a time that is not told); or its ``limit`` is."""

    time: Fraction | None
    mid: Point
    error: Fraction
    limit: bool = False


# --- polynomials ---


class Polynomials:
    """Several polynomials, as a list of sums and products in which each refers to earlier entries.

    An entry is a variable's number, a Fraction, or ("+" or "*", entry, entry).
    """

    def __init__(self, is_variable: Callable[[Node], int | None]) -> None:
        self.is_variable = is_variable
        self.entries: list[int | Fraction | tuple[str, int, int]] = []
        self.places: dict[Any, int] = {}
        self.tops: list[int] = []

    def add(self, t: Node) -> None:
        """One more polynomial."""
        self.tops.append(self._place(t))

    def _put(self, entry: Any) -> int:
        key = (type(entry).__name__, entry)
        if key not in self.places:
            self.places[key] = len(self.entries)
            self.entries.append(entry)
        return self.places[key]

    def _place(self, t: Node) -> int:
        variable = self.is_variable(t)
        if variable is not None:
            return self._put(variable)
        number = rational(t)
        if number is not None:
            return self._put(number)
        h = head(t)
        if h in ("+", "*"):
            return self._chain(h, [self._place(a) for a in t[1:]])
        if h == "/":
            divisor = rational(t[2])
            if not divisor:
                raise Refused(f"no division by a nonzero literal: {show(t)}")
            return self._put(("*", self._put(1 / divisor), self._place(t[1])))
        if h == "^" and is_int(t[2]) and 0 <= t[2] <= LIMITS["power"]:
            base = self._place(t[1])
            return self._chain("*", [base] * t[2]) if t[2] else self._put(Fraction(1))
        raise Refused(f"no polynomial: {show(t)}")

    def _chain(self, h: str, places: list[int]) -> int:
        total = places[0]
        for p in places[1:]:
            total = self._put((h, total, p))
        return total

    def at(self, point: Sequence[Any], constant: Callable[[Fraction], Any]) -> list[Any]:
        """The values at a point of a commutative ring."""
        found: list[Any] = []
        for e in self.entries:
            if isinstance(e, tuple):
                a, b = found[e[1]], found[e[2]]
                found.append(a + b if e[0] == "+" else a * b)
            elif isinstance(e, Fraction):
                found.append(constant(e))
            else:
                found.append(point[e])
        return [found[t] for t in self.tops]

    def slopes(self, point: Sequence[Any]) -> Matrix:
        """The Jacobian at a point of balls, backwards from each polynomial."""
        values: list[Any] = []
        for e in self.entries:
            if isinstance(e, tuple):
                a, b = values[e[1]], values[e[2]]
                values.append(a + b if e[0] == "+" else a * b)
            else:
                values.append(ball(e) if isinstance(e, Fraction) else point[e])
        rows = []
        for top in self.tops:
            weight: dict[int, Any] = {top: arb(1)}
            row = [arb(0)] * len(point)
            for place in range(top, -1, -1):
                w = weight.pop(place, None)
                if w is None:
                    continue
                e = self.entries[place]
                if isinstance(e, tuple):
                    for i, other in ((e[1], e[2]), (e[2], e[1])):
                        part = w if e[0] == "+" else w * values[other]
                        weight[i] = weight[i] + part if i in weight else part
                elif not isinstance(e, Fraction):
                    row[e] = row[e] + w
            rows.append(row)
        return rows


# --- bounds ---


def _top(x: Any) -> Any:
    """An upper bound of |x|, an exact ball."""
    value = arb(x.abs_upper())
    if not value.is_finite():
        raise Refused("a bound is infinite")
    return value


def _length(values: Iterable[Any]) -> Any:
    """An upper bound of the Euclidean norm."""
    return _top(sum((_top(v) ** 2 for v in values), arb(0)).sqrt())


def _dyadic(x: Any) -> Fraction:
    """The value of an exact ball."""
    man, exp = x.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def _around(center: Any, radius: Any) -> Any:
    """A ball with another ball's size around it."""
    return center + arb(0, _top(radius))


def _positive(a: list[list[Fraction]]) -> bool:
    """Whether a symmetric rational matrix is positive definite: its leading minors, by elimination without fractions."""
    scale = math.lcm(*(x.denominator for row in a for x in row))
    m = [[int(x * scale) for x in row] for row in a]
    before = 1
    for k in range(len(m)):
        pivot = m[k][k]
        if pivot <= 0:
            return False
        for i in range(k + 1, len(m)):
            for j in range(k + 1, len(m)):
                m[i][j] = (m[i][j] * pivot - m[i][k] * m[k][j]) // before
        before = pivot
    return True


def _below(s: Matrix, mu: Fraction) -> bool:
    """Whether all symmetric matrices in the balls have their eigenvalues below mu."""
    n = len(s)
    radius = _dyadic(_length(s[i][j].rad() for i in range(n) for j in range(n)))
    middle = [[_dyadic(s[i][j].mid()) for j in range(n)] for i in range(n)]
    if any(middle[i][j] != middle[j][i] for i in range(n) for j in range(i)):
        raise Refused("a matrix is not symmetric")
    return _positive([[(mu - radius if i == j else Fraction(0)) - middle[i][j] for j in range(n)] for i in range(n)])


def _symmetric(n: int, entry: Callable[[int, int], Any]) -> Matrix:
    """A matrix of balls whose upper part repeats the lower one."""
    low = [[entry(i, j) for j in range(i + 1)] for i in range(n)]
    return [[low[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


# --- Chebyshev series ---


class Wave:
    """An exact trigonometric polynomial b_0 + 2 sum_(k >= 1) b_k cos(k s), as e^(n i s) times it, a polynomial in e^(i s).

    With cos(s) = 2u - 1 it is a polynomial in u, and its absolute value is at most the sum of those of all coefficients.
    """

    def __init__(self, n: int, p: fmpq_poly) -> None:
        self.n, self.p = n, p

    @classmethod
    def number(cls, q: Fraction) -> Wave:
        """A constant."""
        return cls(0, fmpq_poly([fmpq(q.numerator, q.denominator)]))

    @classmethod
    def series(cls, c: Sequence[int], bits: int) -> Wave:
        """sum c_k T_k(2u - 1), in units of 2^-bits."""
        right = list(c[1:])
        return cls(len(right), fmpq_poly([*reversed(right), 2 * c[0], *right], fmpz(1) << (bits + 1)))

    def __add__(self, other: Wave) -> Wave:
        n = max(self.n, other.n)
        return Wave(n, _shifted(self.p, n - self.n) + _shifted(other.p, n - other.n))

    def __sub__(self, other: Wave) -> Wave:
        return self + other * Wave.number(Fraction(-1))

    def __mul__(self, other: Wave) -> Wave:
        return Wave(self.n + other.n, self.p * other.p)

    def top(self) -> Any:
        """A bound of the absolute value."""
        return arb(fmpq(sum((abs(c) for c in self.p.numer().coeffs()), fmpz(0)), self.p.denom()))


def _shifted(p: fmpq_poly, k: int) -> fmpq_poly:
    return fmpq_poly([0] * k + [1]) * p if k else p


def slope(c: Sequence[int]) -> list[int]:
    """The coefficients of the derivative of sum c_k T_k(2u - 1) with respect to u: T_k' = 2k (2 T_(k-1) + 2 T_(k-3) + ..), where
    T_0 counts half."""
    found = [4 * sum(k * c[k] for k in range(j + 1, len(c), 2)) for j in range(len(c))]
    found[0] //= 2
    return found


def at_start(c: Sequence[int]) -> int:
    """sum c_k T_k(-1)."""
    return sum(-x if k % 2 else x for k, x in enumerate(c))


# --- steps ---


class Walk:
    """A state of the flow, moved by steps and at last to infinity."""

    def __init__(self, field: Polynomials, bits: int, state: State) -> None:
        self.field, self.bits, self.state = field, bits, state
        self.unit = Fraction(1, 1 << bits)

    def point(self, x: object) -> Point:
        """A list of integers, in units of 2^-bits."""
        if not isinstance(x, list) or len(x) != len(self.field.tops) or not all(is_int(v) for v in x):
            raise Refused("a midpoint is a list of integers, one for each variable")
        return tuple(v * self.unit for v in x)

    def step(self, item: object) -> None:
        """One step."""
        if not isinstance(item, list) or len(item) != 7:
            raise Refused("a step is [h, rate, unit, polynomials, rho, mu, error]")
        h, rate, bits, rows, rho, error = number(item[0]), number(item[1]), item[2], item[3], number(item[4]), number(item[6])
        if not is_int(bits) or not 0 <= bits <= LIMITS["bits"]:
            raise Refused("the unit is out of range")
        if not isinstance(rows, list) or not all(isinstance(c, list) and all(is_int(x) for x in c) for c in rows):
            raise Refused("the polynomials are lists of integers")
        n = len(self.field.tops)
        if len(rows) != (n + 1 if rate else n) or {len(c) for c in rows} != {len(rows[0])}:
            raise Refused("the polynomials do not fit the equations, or each other")
        if not 1 <= len(rows[0]) <= LIMITS["order"]:
            raise Refused("a degree is out of range")
        if not isinstance(item[5], list) or not 1 <= len(item[5]) <= LIMITS["pieces"]:
            raise Refused("mu is a list")
        mu = [number(x) for x in item[5]]
        if h <= 0 or rho <= 0 or error < 0 or min(mu) < 0:
            raise Refused("a length or bound of a step is not positive")
        unit = Fraction(1, 1 << bits)
        with precision(ROUGH):
            away = _length(ball(x - at_start(c) * unit) for x, c in zip(self.state.mid, rows, strict=False))
            delta = self._defect(rows[:n], h, bits, rate * h, rows[n:])
            self._norms(rows[:n], h, bits, rate * h, rho, mu)
            bound = _top((ball(self.state.error) + away + delta) * ball(sum(mu, Fraction(0)) / len(mu)).exp())
            if not bound < ball(rho):
                raise Refused("the solutions are not shown to stay within rho")
            if not bound <= ball(error):
                raise Refused("the error is larger than claimed")
        time = self.state.time
        self.state = State(None if time is None or rate else time + h, tuple(sum(c) * unit for c in rows[:n]), error)

    def _defect(self, rows: list[list[int]], h: Fraction, bits: int, turn: Fraction, pace: list[list[int]]) -> Any:
        """delta, from the exact polynomials."""
        y = [Wave.series(c, bits) for c in rows]
        size = Wave.number(h)
        moves = [size * f for f in self.field.at(y, Wave.number)]
        slopes = [Wave.series(slope(c), bits) for c in rows]
        if not pace:
            return _length((f - d).top() for f, d in zip(moves, slopes, strict=True))
        w = Wave.series(pace[0], bits)
        missed = (Wave.series(slope(pace[0]), bits) + w * Wave.number(turn)).top()
        missed += abs(ball(Fraction(at_start(pace[0]), 1 << bits) - 1))
        away = missed * ball(-turn).exp().max(arb(1))
        return _length((f * w - d).top() for f, d in zip(moves, slopes, strict=True)) + away * _length(f.top() for f in moves)

    def _norms(self, rows: list[list[int]], h: Fraction, bits: int, turn: Fraction, rho: Fraction, mu: list[Fraction]) -> None:
        """The claimed bounds of the eigenvalues on the pieces."""
        size, scale, pieces, order = ball(h), arb((1, -bits)), len(mu), len(rows[0])
        slopes = [slope(c) for c in rows]
        bends = [ball(Fraction(sum(map(abs, slope(c))), 8 * pieces**2)) * scale for c in slopes]
        for piece, m in enumerate(mu):
            with precision(2 * ROUGH):
                angle = ball(Fraction(2 * piece + 1, pieces) - 1).acos()
                cosines = [(k * angle).cos() for k in range(order)]
            box = []
            for c, d, bend in zip(rows, slopes, bends, strict=True):
                center, speed = (sum((x * t for x, t in zip(a, cosines, strict=True)), arb(0)) * scale for a in (c, d))
                box.append(_around(center, _top(speed) / (2 * pieces) + bend + ball(rho)))
            j = self.field.slopes(box)
            s = _symmetric(len(j), lambda i, k, j=j: (j[i][k] + j[k][i]) * size / 2)  # type: ignore[misc]
            pace = max(_dyadic(_top(ball(-turn * u).exp())) for u in (Fraction(piece, pieces), Fraction(piece + 1, pieces)))
            if not _below(s, m / pace):
                raise Refused("an eigenvalue is larger than claimed")

    def capture(
        self, residuals: Polynomials, factor: Fraction, radius: Fraction, sigma: Fraction, mid: Point, error: Fraction
    ) -> None:
        """The limit."""
        if min(factor, radius, sigma) <= 0 or error < 0:
            raise Refused("a bound of the capture is not positive")
        self._gradient(residuals, factor)
        old = self.state
        with precision(self.bits + ROUGH):
            center = [ball(x) for x in old.mid]
            rest = residuals.at([_around(x, ball(old.error)) for x in center], ball)
            newton = self._newton(residuals, old.mid)
            missed = [ball(a - b + c) for a, b, c in zip(mid, old.mid, newton, strict=True)]
        with precision(ROUGH):
            j = residuals.slopes([_around(x, ball(radius)) for x in center])
            rows = len(j)
            minus = _symmetric(rows, lambda a, b: -sum((x * y for x, y in zip(j[a], j[b], strict=True)), arb(0)))
            if not _below(minus, -(sigma**2)):
                raise Refused("the Jacobian is not shown to have full rank in the ball")
            e, s = ball(old.error), ball(sigma)
            f = 2 * _length(x.rad() for row in j for x in row)
            rho = _length(rest)
            if not e + rho / s < ball(radius):
                raise Refused("the solutions are not shown to stay in the ball")
            if not e * (1 + f / s) + 2 * f * rho / s**2 + _length(missed) <= ball(error):
                raise Refused("the error of the limit is larger than claimed")
        self.state = State(None, mid, error, limit=True)

    def _gradient(self, residuals: Polynomials, factor: Fraction) -> None:
        """Refuses unless F = -factor sum r_k grad r_k."""
        ring = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(self.field.tops))], "degrevlex")

        def constant(q: Fraction) -> Any:
            return ring.constant(fmpq(q.numerator, q.denominator))

        x = list(ring.gens())
        loss = ring.constant(0)
        for r in residuals.at(x, constant):
            loss += r * r
        for i, f in enumerate(self.field.at(x, constant)):
            if f * 2 != constant(-factor) * loss.derivative(i):
                raise Refused("the field is not the gradient of the residuals")

    @staticmethod
    def _newton(residuals: Polynomials, mid: Point) -> list[Fraction]:
        """J^T (J J^T)^(-1) r at the midpoint, exactly."""
        n = len(mid)
        ring = fmpq_mpoly_ctx.get([f"x{i}" for i in range(n)], "degrevlex")
        r = residuals.at(list(ring.gens()), lambda q: ring.constant(fmpq(q.numerator, q.denominator)))
        at = [fmpq(x.numerator, x.denominator) for x in mid]
        j = fmpq_mat(len(r), n, [p.derivative(i)(*at) for p in r for i in range(n)])
        try:
            y = (j * j.transpose()).solve(fmpq_mat(len(r), 1, [p(*at) for p in r]))
        except ZeroDivisionError:
            raise Refused("the Jacobian has no full rank") from None
        return [Fraction(int(v.p), int(v.q)) for v in (j.transpose() * y).entries()]


# --- the leaf ---


def number(x: object) -> Fraction:
    """A rational literal."""
    value = rational(read_term(x))
    if value is None:
        raise Refused("not a rational literal")
    return value


def field(names: Sequence[str], equations: Sequence[Node]) -> Polynomials:
    """The right sides of hypotheses ``all t (0 <= t => x'(t) = F)``."""
    calls = {("call", x, BOUND): i for i, x in enumerate(names)}
    found = Polynomials(lambda t: calls.get(t) if isinstance(t, tuple) else None)
    for x, h in zip(names, equations, strict=True):
        if h[0] != "all" or len(h) != 3 or h[1] != R or h[2][0] != "=>" or h[2][1] != ("<=", 0, BOUND):
            raise Refused(f"{show(h)} is not a differential equation on t >= 0")
        equation = h[2][2]
        if equation[0] != "=" or equation[1] != ("d", 1, x, BOUND):
            raise Refused(f"{show(h)} is not an equation for the derivative of {x}")
        found.add(equation[2])
    return found


def start(x: str, low: Node, high: Node) -> tuple[Fraction, Fraction]:
    """The bounds of a variable at time 0."""
    here = ("call", x, 0)
    if low[0] not in ("<", "<=") or high[0] not in ("<", "<=") or low[2] != here or high[1] != here:
        raise Refused(f"the hypotheses do not bound {x} at time 0")
    a, b = rational(low[1]), rational(high[2])
    if a is None or b is None:
        raise Refused(f"the bounds of {x} are not rational literals")
    return a, b


def first(walk: Walk, box: Sequence[tuple[Fraction, Fraction]]) -> None:
    """Refuses unless the start lies in the first ball."""
    state = walk.state
    away = sum((max(abs(a - m), abs(b - m)) ** 2 for (a, b), m in zip(box, state.mid, strict=True)), Fraction(0))
    if state.error < 0 or away > state.error**2:
        raise Refused("the start is not within the first ball")


def residuals(names: Sequence[str], items: object) -> Polynomials:
    """The polynomials of a capture."""
    if not isinstance(items, list) or not items:
        raise Refused("the residuals are a list")
    index: Mapping[str, int] = {x: i for i, x in enumerate(names)}
    found = Polynomials(lambda t: index.get(t) if isinstance(t, str) else None)
    for item in items:
        found.add(read_term(item))
    return found


def conclude(names: Sequence[str], state: State, concl: Node) -> None:
    """Refuses unless the state proves the conclusion."""
    index = {x: i for i, x in enumerate(names)}
    for a in concl[1:] if concl[0] == "and" else (concl,):
        claims = _limit(a) if state.limit else _time(a)
        for x, time, low, high in claims:
            if x not in index or time != state.time:
                raise Refused(f"{show(a)} speaks of another function or time")
            m = state.mid[index[x]]
            if (low is not None and low > m - state.error) or (high is not None and high < m + state.error):
                raise Refused(f"{show(a)} is narrower than what is shown")


Claim = tuple[str, Fraction | None, Fraction | None, Fraction | None]  # function, time, lower and upper bound


def _time(a: Node) -> list[Claim]:
    """a <= x(T) or x(T) <= b."""
    if a[0] == "<=":
        for call, side, upper in ((a[1], a[2], True), (a[2], a[1], False)):
            if head(call) == "call" and len(call) == 3:
                bound, time = rational(side), rational(call[2])
                if bound is not None and time is not None:
                    return [(call[1], time, None, bound) if upper else (call[1], time, bound, None)]
    raise Refused(f"{show(a)} is not a bound at a time")


def _limit(a: Node) -> list[Claim]:
    """ex l (tends x l, a <= l, l <= b)."""
    if a[0] == "ex" and len(a) == 3 and a[1] == R and a[2][0] == "and" and len(a[2]) == 4:
        tends, low, high = a[2][1:]
        of_call = tends[0] == "tends" and tends[2] == BOUND and head(tends[1]) == "call" and tends[1][2:] == (BOUND,)
        if of_call and low[0] == "<=" and high[0] == "<=" and low[2] == BOUND and high[1] == BOUND:
            bounds = rational(low[1]), rational(high[2])
            if None not in bounds:
                return [(tends[1][1], None, *bounds)]
    raise Refused(f"{show(a)} is not a limit within bounds")


def check(decls: Mapping[str, Node], hyps: Mapping[str, Node], concl: Node, args: Arguments) -> None:
    """Accepts a conclusion about every solution of the differential equation in the hypotheses."""
    names = args.texts("vars")
    if not 1 <= len(names) <= LIMITS["variables"] or len(set(names)) != len(names) or any(decls.get(x) != SMOOTH for x in names):
        raise Refused("vars lists different smooth functions of one argument")

    def hypothesis(name: object) -> Node:
        if not isinstance(name, str) or name not in hyps:
            raise Refused(f"no hypothesis {name!r}"[:60])
        return hyps[name]

    bits, pairs = args.raw("bits"), args.raw("start")
    if not is_int(bits) or not 20 <= bits <= LIMITS["bits"]:
        raise Refused("bits is out of range")
    if not isinstance(pairs, list) or not all(isinstance(x, list) and len(x) == 2 for x in pairs):
        raise Refused("start is a list of pairs of hypotheses")
    equations = args.texts("ode")
    if len(equations) != len(names) or len(pairs) != len(names):
        raise Refused("ode and start have an item for each variable")
    walk = Walk(field(names, [hypothesis(h) for h in equations]), bits, State(Fraction(0), (), Fraction(0)))
    walk.state = State(Fraction(0), walk.point(args.raw("mid")), number(args.raw("error")))
    first(walk, [start(x, hypothesis(low), hypothesis(high)) for x, (low, high) in zip(names, pairs, strict=True)])
    steps = args.raw("steps")
    if not isinstance(steps, list) or len(steps) > LIMITS["steps"]:
        raise Refused("steps is a list")
    for item in steps:
        walk.step(item)
    last = args.get("capture", None)
    if last is not None:
        if not isinstance(last, list) or len(last) != 6:
            raise Refused("capture is [residuals, factor, radius, sigma, mid, error]")
        factor, radius, sigma = (number(x) for x in last[1:4])
        walk.capture(residuals(names, last[0]), factor, radius, sigma, walk.point(last[4]), number(last[5]))
    conclude(names, walk.state, concl)
