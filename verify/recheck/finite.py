"""``compute``: closed formulas over bounded integers, decided by exact evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from .terms import Node, Refused, Z, conjuncts, free, head, is_int, parts, show

MAX_ITERATIONS = 10_000_000
MAX_STEPS = 300_000_000
MAX_BITS = 2_000_000
MAX_ENTRIES = 100_000

Number = Any  # int | Fraction


@dataclass(frozen=True)
class Matrix:
    """An exact matrix."""

    rows: int
    columns: int
    entries: tuple[tuple[Number, ...], ...]


def tidy(x: Number) -> Number:
    """A whole fraction as an int; refuses what is too large."""
    if isinstance(x, Fraction):
        if x.denominator == 1:
            x = x.numerator
        elif x.numerator.bit_length() + x.denominator.bit_length() > MAX_BITS:
            raise Refused("a number is too large")
    if isinstance(x, int) and x.bit_length() > MAX_BITS:
        raise Refused("a number is too large")
    return x


def mentions(t: Node, below: int) -> bool:
    """Whether a loose index less than a bound occurs."""
    stack = [(t, 0)]
    while stack:
        x, depth = stack.pop()
        if isinstance(x, tuple):
            if x[0] == "#":
                if depth <= x[1] < depth + below:
                    return True
            else:
                stack.extend((y, depth + b) for y, b in parts(x))
    return False


class Evaluator:
    """Evaluates formulas and terms; the environment lists the values of bound variables, innermost last."""

    def __init__(self) -> None:
        self.iterations = 0
        self.steps = 0

    def iterate(self, n: int = 1) -> None:
        """Counts repetitions."""
        self.iterations += n
        if self.iterations > MAX_ITERATIONS:
            raise Refused("too many evaluations")

    def step(self) -> None:
        """Counts nodes."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Refused("too many evaluations")

    # --- formulas ---

    def holds(self, a: Node, env: list[Any]) -> bool:
        """The truth value of a formula."""
        self.step()
        h = a[0]
        if h in ("true", "false"):
            return bool(h == "true")
        if h in ("=", "!="):
            return (self.value(a[1], env) == self.value(a[2], env)) == (h == "=")
        if h in ("<", "<="):
            x, y = self.number(a[1], env), self.number(a[2], env)
            return bool(x < y) if h == "<" else bool(x <= y)
        if h == "not":
            return not self.holds(a[1], env)
        if h == "and":
            return all(self.holds(b, env) for b in a[1:])
        if h == "or":
            return any(self.holds(b, env) for b in a[1:])
        if h == "=>":
            return not self.holds(a[1], env) or self.holds(a[2], env)
        if h == "iff":
            return self.holds(a[1], env) == self.holds(a[2], env)
        if h in ("all", "ex"):
            return self._quantified(a, env)
        raise Refused(f"{h} cannot be computed")

    def _quantified(self, a: Node, env: list[Any]) -> bool:
        """A bounded quantifier: outside of the bounds the body is true (all) or false (ex)."""
        universal = a[0] == "all"
        sorts, body = a[1:-1], a[-1]
        if any(s != Z for s in sorts):
            raise Refused("only integers can be enumerated")
        if body[0] != ("=>" if universal else "and"):
            raise Refused("a quantifier without bounds")
        guard = list(conjuncts(body[1] if universal else body))
        k = len(sorts)
        bounds = [self._bounds(guard, k, j) for j in range(k)]
        return self._enumerate(universal, bounds, body, env, k)

    @staticmethod
    def _bounds(guard: list[Node], k: int, j: int) -> tuple[Node, Node]:
        variable = ("#", k - 1 - j)
        low = high = None
        for g in guard:
            if g[0] != "<=":
                continue
            if g[2] == variable and low is None and not mentions(g[1], k - j):
                low = g[1]
            if g[1] == variable and high is None and not mentions(g[2], k - j):
                high = g[2]
        if low is None or high is None:
            raise Refused("a quantifier without bounds")
        return low, high

    def _enumerate(self, universal: bool, bounds: list[tuple[Node, Node]], body: Node, env: list[Any], k: int) -> bool:
        done = k - len(bounds)
        if not bounds:
            return self.holds(body, env)
        padded = env + [None] * (k - done)
        low, high = self.number(bounds[0][0], padded), self.number(bounds[0][1], padded)
        values = range(ceil(low), floor(high) + 1)
        self.iterate(max(0, values.stop - values.start))
        for x in values:
            if self._enumerate(universal, bounds[1:], body, [*env, x], k) != universal:
                return not universal
        return universal

    # --- terms ---

    def number(self, t: Node, env: list[Any]) -> Number:
        """The value of a term that is a number."""
        x = self.value(t, env)
        if isinstance(x, Matrix) or x is None:
            raise Refused(f"{show(t)} is not a number")
        return x

    def integer(self, t: Node, env: list[Any]) -> int:
        """The value of a term that is an integer."""
        x = self.number(t, env)
        if not isinstance(x, int):
            raise Refused(f"{show(t)} is not an integer")
        return x

    def matrix(self, t: Node, env: list[Any]) -> Matrix:
        """The value of a term that is a matrix."""
        x = self.value(t, env)
        if not isinstance(x, Matrix):
            raise Refused(f"{show(t)} is not a matrix")
        return x

    def value(self, t: Node, env: list[Any]) -> Any:
        """The value of a term."""
        self.step()
        if is_int(t):
            return t
        if isinstance(t, str):
            raise Refused(f"{t} has no value")
        h = t[0]
        if h == "#":
            return env[-1 - t[1]]
        if h == "q":
            return tidy(Fraction(t[1], t[2]))
        if h in ("+", "*"):
            return self._sum_or_product(t, env)
        if h == "/":
            a, b = self.number(t[1], env), self.number(t[2], env)
            if b == 0:
                raise Refused("division by zero")
            return tidy(Fraction(a) / b)
        if h == "^":
            return self._power(self.number(t[1], env), self.integer(t[2], env))
        if h in ("min", "max"):
            a, b = self.number(t[1], env), self.number(t[2], env)
            return min(a, b) if h == "min" else max(a, b)
        if h == "abs":
            return abs(self.number(t[1], env))
        if h in ("sum", "prod"):
            return self._big(t, env)
        if h in ("tr", "det", "entry", "op rank", "op ncomp"):
            return self._of_matrix(t, env)
        return self._matrix(t, env)

    def _sum_or_product(self, t: Node, env: list[Any]) -> Any:
        total = self.value(t[1], env)
        for a in t[2:]:
            x = self.value(a, env)
            total = add(total, x) if isinstance(total, Matrix) else tidy(total + x if t[0] == "+" else total * x)
        return total

    @staticmethod
    def _power(a: Number, n: int) -> Number:
        if n < 0:
            if a == 0:
                raise Refused("division by zero")
            a, n = 1 / Fraction(a), -n
        f = Fraction(a)
        if a not in (0, 1, -1) and (f.numerator.bit_length() + f.denominator.bit_length()) * n > MAX_BITS:
            raise Refused("a power is too large")
        if a in (0, 1, -1):
            return tidy(a if n % 2 else a * a) if n else 1
        return tidy(a**n)

    def _big(self, t: Node, env: list[Any]) -> Any:
        low, high = self.integer(t[1], env), self.integer(t[2], env)
        self.iterate(max(0, high - low + 1))
        total: Any = None
        for k in range(low, high + 1):
            x = self.value(t[3], [*env, k])
            if total is None:
                total = x
            elif isinstance(total, Matrix):
                total = add(total, x)
            else:
                total = tidy(total + x if t[0] == "sum" else total * x)
        if total is None:
            total = 0 if t[0] == "sum" else 1
            if t[0] == "sum" and self._is_matrix(t[3]):
                raise Refused("an empty sum of matrices")
        return total

    def _is_matrix(self, t: Node) -> bool:
        h = head(t)
        if h in ("+", "sum"):
            return self._is_matrix(t[1] if h == "+" else t[3])
        return h in ("mm", "sm", "T", "inv", "I", "J", "O", "mpow", "mat", "had")

    def _of_matrix(self, t: Node, env: list[Any]) -> Number:
        a = self.matrix(t[1], env)
        h = t[0]
        if h == "entry":
            i, j = self.integer(t[2], env), self.integer(t[3], env)
            return a.entries[i - 1][j - 1] if 1 <= i <= a.rows and 1 <= j <= a.columns else 0
        self.iterate(a.rows * a.columns)
        if h == "op rank":
            return eliminate(a)[0]
        if h == "op ncomp":
            return components(a)
        if a.rows != a.columns:
            raise Refused("a matrix that is not square")
        if h == "tr":
            return tidy(sum(a.entries[i][i] for i in range(a.rows)))
        rank, pivots = eliminate(a)
        return tidy(pivots) if rank == a.rows else 0

    def _matrix(self, t: Node, env: list[Any]) -> Matrix:
        h = t[0]
        if h == "mat":
            values = [self.number(a, env) for a in t[3:]]
            r, c = t[1], t[2]
            return Matrix(r, c, tuple(tuple(values[i * c : (i + 1) * c]) for i in range(r)))
        if h == "mm":
            out = self.matrix(t[1], env)
            for a in t[2:]:
                out = self._product(out, self.matrix(a, env))
            return out
        if h == "sm":
            factor, a = self.number(t[1], env), self.matrix(t[2], env)
            return Matrix(a.rows, a.columns, tuple(tuple(tidy(factor * x) for x in row) for row in a.entries))
        if h == "T":
            a = self.matrix(t[1], env)
            columns = tuple(zip(*a.entries, strict=True)) if a.rows else ((),) * a.columns
            return Matrix(a.columns, a.rows, columns)
        if h in ("I", "J", "O"):
            return self._constant(h, self.integer(t[1], env), self.integer(t[-1], env))
        if h == "had":
            return self._entrywise(self.matrix(t[1], env), self.matrix(t[2], env))
        if h == "mpow":
            a, n = self.matrix(t[1], env), self.integer(t[2], env)
            if not 0 <= n <= 10_000:
                raise Refused("a power of a matrix is out of range")
            out = self._constant("I", a.rows, a.rows)
            for _ in range(n):
                out = self._product(out, a)
            return out
        raise Refused(f"{show(t)} cannot be computed")

    def _constant(self, h: str, r: int, c: int) -> Matrix:
        if r < 1 or c < 1:
            raise Refused("an empty matrix")
        self.iterate(r * c)
        if r * c > MAX_ENTRIES:
            raise Refused("a matrix is too large")
        diagonal, other = {"I": (1, 0), "J": (1, 1), "O": (0, 0)}[h]
        return Matrix(r, c, tuple(tuple(diagonal if i == j else other for j in range(c)) for i in range(r)))

    def _product(self, a: Matrix, b: Matrix) -> Matrix:
        if a.columns != b.rows:
            raise Refused("the dimensions of a product do not match")
        self.iterate(a.rows * b.columns * max(1, a.columns))
        if a.rows * b.columns > MAX_ENTRIES:
            raise Refused("a matrix is too large")
        columns = tuple(zip(*b.entries, strict=True))
        rows = tuple(tuple(tidy(sum(x * y for x, y in zip(row, column, strict=True))) for column in columns) for row in a.entries)
        return Matrix(a.rows, b.columns, rows)

    @staticmethod
    def _entrywise(a: Matrix, b: Matrix) -> Matrix:
        if (a.rows, a.columns) != (b.rows, b.columns):
            raise Refused("the dimensions of matrices do not match")
        rows = zip(a.entries, b.entries, strict=True)
        return Matrix(a.rows, a.columns, tuple(tuple(tidy(x * y) for x, y in zip(r, s, strict=True)) for r, s in rows))


def add(a: Matrix, b: Any) -> Matrix:
    """The sum of matrices."""
    if not isinstance(b, Matrix) or (a.rows, a.columns) != (b.rows, b.columns):
        raise Refused("the dimensions of matrices do not match")
    rows = zip(a.entries, b.entries, strict=True)
    return Matrix(a.rows, a.columns, tuple(tuple(tidy(x + y) for x, y in zip(r, s, strict=True)) for r, s in rows))


def eliminate(a: Matrix) -> tuple[int, Number]:
    """The rank, and the signed product of the pivots, by Gauss elimination."""
    rows = [[Fraction(x) for x in row] for row in a.entries]
    rank, product = 0, Fraction(1)
    for j in range(a.columns):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][j]), None)
        if pivot is None:
            continue
        if pivot != rank:
            rows[rank], rows[pivot] = rows[pivot], rows[rank]
            product = -product
        product *= rows[rank][j]
        tidy(product)
        for i in range(rank + 1, len(rows)):
            if rows[i][j]:
                factor = rows[i][j] / rows[rank][j]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank, product


def components(a: Matrix) -> int:
    """The components of the bipartite graph of the nonzero entries, without isolated vertices."""
    parent: dict[tuple[str, int], tuple[str, int]] = {}

    def find(x: tuple[str, int]) -> tuple[str, int]:
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for i, row in enumerate(a.entries):
        for j, x in enumerate(row):
            if x:
                parent[find(("row", i))] = find(("column", j))
    return sum(find(x) == x for x in parent)


def check(concl: Node) -> None:
    """Accepts a closed formula that evaluates to true."""
    if free(concl):
        raise Refused("compute wants a closed formula")
    if not Evaluator().holds(concl, []):
        raise Refused(f"{show(concl)} is false")
