"""Random models of terms and formulas (as JSON): values for the variables, and arbitrary values where the page specifies none.

Real numbers are rational, and floats where a transcendental function was met. What has no value that a model could give (the
derivative at a kink, an inverse of a singular matrix, what is too large) raises ArithmeticError.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

from tests.recheck.support import J

Number = Any
Matrix = tuple[int, int, list[list[Number]]]
STEP = 1e-5


class Model:
    """Values of variables, and of functions where the page does not specify them."""

    def __init__(self, rng: random.Random, values: dict[str, Any]) -> None:
        self.rng = rng
        self.values = values
        self.unspecified: dict[tuple[Any, ...], Number] = {}
        self.approximate = False  # whether a derivative was taken by differences

    def free_choice(self, *key: Any) -> Number:
        if key not in self.unspecified:
            self.unspecified[key] = Fraction(self.rng.randrange(-20, 21), self.rng.randrange(1, 4))
        return self.unspecified[key]

    def inverse(self, x: Number) -> Number:
        return 1 / x if x else self.free_choice("inverse")

    # --- numbers ---

    def number(self, t: J) -> Number:
        if isinstance(t, int):
            return Fraction(t)
        if isinstance(t, str):
            return self.values[t]
        h, args = t[0], t[1:]
        if h == "q":
            return Fraction(*args)
        if h == "pi":
            return math.pi
        if h in ("sum", "prod"):
            return self.repeated(h, *args)
        if h == "D":
            return self.derivative(*args)
        if h in ("tr", "det", "entry", "op"):
            return self.of_matrix(h, args)
        if h == "call":
            return self.value_of(args[0], 0, self.number(args[1]))
        if h == "d":
            return self.value_of(args[1], int(self.number(args[0])), self.number(args[2]))
        a = [self.number(x) for x in args]
        if h == "+":
            return sum(a)
        if h == "*":
            return math.prod(a)
        if h == "/":
            return a[0] * self.inverse(a[1])
        if h == "^":
            return self.power(*a)
        if h in ("abs", "min", "max"):
            return {"abs": abs, "min": min, "max": max}[h](*a)
        return self.transcendental(h, float(a[0]))

    def inner(self, name: str, value: Number, t: J) -> Number:
        """The value of a term with one more value."""
        before = self.values.get(name)
        self.values[name] = value
        try:
            return self.number(t)
        finally:
            if before is None:
                del self.values[name]
            else:
                self.values[name] = before

    def repeated(self, h: str, index: str, low: J, high: J, body: J) -> Number:
        total: Number = Fraction(h == "prod")
        for k in range(int(self.number(low)), int(self.number(high)) + 1):
            value = self.inner(index, Fraction(k), body)
            total = total + value if h == "sum" else total * value
        return total

    def derivative(self, v: str, body: J, point: J) -> Number:
        """By differences to both sides, which must agree."""
        p = float(self.number(point))
        left, middle, right = (float(self.inner(v, p + s, body)) for s in (-STEP, 0.0, STEP))
        if abs(right + left - 2 * middle) > 1e-3 * STEP * (1 + abs(right - left) / STEP):
            raise ArithmeticError("no derivative")
        self.approximate = True
        return (right - left) / (2 * STEP)

    def value_of(self, f: str, order: int, x: Number) -> Number:
        """A derivative of a function: a polynomial where it is smooth, anything where it is not."""
        if f not in self.values or order < 0:
            return self.free_choice(f, order, x)
        coefficients = list(self.values[f])
        for _ in range(order):
            coefficients = [k * c for k, c in enumerate(coefficients)][1:]
        return sum((c * x**k for k, c in enumerate(coefficients)), Fraction(0))

    def power(self, a: Number, e: Number) -> Number:
        if e == int(e):
            if abs(e) > 200:
                raise ArithmeticError("too large")
            return a ** int(e) if e >= 0 else self.inverse(a) ** int(-e)
        return float(a) ** float(e) if a > 0 else self.free_choice("power", a, e)

    def transcendental(self, h: str, x: float) -> Number:
        if (h == "log" and x <= 0) or (h == "sqrt" and x < 0):
            return float(self.free_choice(h, round(x, 6)))
        return getattr(math, h)(x)

    # --- matrices ---

    def of_matrix(self, h: str, args: list[J]) -> Number:
        if h == "op":
            return Fraction(rank(self.matrix(args[1])[2]))
        r, c, rows = self.matrix(args[0])
        if h == "tr":
            return sum((rows[i][i] for i in range(r)), Fraction(0))
        if h == "det":
            return det(rows)
        i, j = (int(self.number(x)) for x in args[1:])
        return rows[i - 1][j - 1] if 1 <= i <= r and 1 <= j <= c else Fraction(0)

    def matrix(self, t: J) -> Matrix:
        if isinstance(t, str):
            return self.values[t]
        h, args = t[0], t[1:]
        if h in ("I", "J", "O"):
            r, c = max(0, int(self.number(args[0]))), max(0, int(self.number(args[-1])))
            return r, c, [[Fraction(h == "J" or (h == "I" and i == j)) for j in range(c)] for i in range(r)]
        if h == "mat":
            return len(args[0]), len(args[0][0]), [[self.number(x) for x in row] for row in args[0]]
        if h == "T":
            r, c, rows = self.matrix(args[0])
            return c, r, [[rows[i][j] for i in range(r)] for j in range(c)]
        if h == "sm":
            k, (r, c, rows) = self.number(args[0]), self.matrix(args[1])
            return r, c, [[k * x for x in row] for row in rows]
        if h == "inv":
            r, c, rows = self.matrix(args[0])
            return r, c, inverse(rows)
        if h == "had":
            (r, c, p), (_, _, q) = (self.matrix(x) for x in args)
            return r, c, [[x * y for x, y in zip(a, b, strict=True)] for a, b in zip(p, q, strict=True)]
        if h == "mpow":
            r, c, rows = self.matrix(args[0])
            n = int(self.number(args[1]))
            if n < 0:
                rows = inverse(rows)
            out: Matrix = (r, r, [[Fraction(i == j) for j in range(r)] for i in range(r)])
            for _ in range(abs(n)):
                out = product(out, (r, c, rows))
            return out
        first, *rest = (self.matrix(x) for x in args)
        for other in rest:
            first = plus(first, other) if h == "+" else product(first, other)
        return first

    # --- formulas ---

    def holds(self, a: J) -> bool:
        """The truth of a comparison; floats may differ by rounding, and by more where a derivative was taken."""
        h, args = a[0], a[1:]
        if h in ("true", "false"):
            return bool(h == "true")
        if h in ("not", "and", "or", "=>", "iff"):
            told = [self.holds(x) for x in args]
            return {
                "not": not told[0],
                "and": all(told),
                "or": any(told),
                "=>": not told[0] or told[-1],
                "iff": told[0] == told[-1],
            }[h]
        self.approximate = False
        x, y = (self.number(t) for t in args)
        if any(isinstance(v, float) and not math.isfinite(v) for v in (x, y)):
            raise ArithmeticError("too large")
        room = (1e-3 if self.approximate else 1e-6) * max(1.0, abs(float(x)), abs(float(y)))
        close = isinstance(x - y, float) and abs(x - y) <= room
        return {"=": x == y or close, "!=": x != y, "<": x < y or (self.approximate and close), "<=": x <= y or close}[h]


def plus(a: Matrix, b: Matrix) -> Matrix:
    if a[:2] != b[:2]:
        raise ArithmeticError("ill-sorted")
    return (*a[:2], [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a[2], b[2], strict=True)])


def product(a: Matrix, b: Matrix) -> Matrix:
    if a[1] != b[0]:
        raise ArithmeticError("ill-sorted")
    rows = [[sum((p[k] * b[2][k][j] for k in range(b[0])), Fraction(0)) for j in range(b[1])] for p in a[2]]
    return a[0], b[1], rows


def eliminated(rows: list[list[Number]]) -> tuple[int, Number, list[list[Number]]]:
    """Rank, determinant, and the inverse with its columns, where there is one, by Gauss and Jordan."""
    n = len(rows)
    m = [[*row, *(Fraction(i == j) for j in range(n))] for i, row in enumerate(rows)]
    rank = 0
    value: Number = Fraction(1)
    for c in range(len(rows[0]) if rows else 0):
        pivot = next((r for r in range(rank, n) if m[r][c]), None)
        if pivot is None:
            continue
        if pivot != rank:
            m[rank], m[pivot], value = m[pivot], m[rank], -value
        value *= m[rank][c]
        m[rank] = [x / m[rank][c] for x in m[rank]]
        for r in range(n):
            if r != rank and m[r][c]:
                m[r] = [x - m[r][c] * y for x, y in zip(m[r], m[rank], strict=True)]
        rank += 1
    return rank, value, [row[n:] for row in m]


def rank(rows: list[list[Number]]) -> int:
    return eliminated(rows)[0]


def det(rows: list[list[Number]]) -> Number:
    found, value, _ = eliminated(rows)
    return value if found == len(rows) else Fraction(0)


def inverse(rows: list[list[Number]]) -> list[list[Number]]:
    found, _, inverted = eliminated(rows)
    if found < len(rows):
        raise ArithmeticError("the inverse of a singular matrix is not specified")
    return inverted


def trace(m: Matrix) -> Number:
    return sum((m[2][i][i] for i in range(m[0])), Fraction(0))
