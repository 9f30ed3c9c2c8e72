"""The leaf `compute`: closed formulas over finite ranges, decided by exact rational evaluation (LOGIC.md)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verify.kernel.terms import Formula, LogicError, Term, free

MAX_STEPS = 10**7
Value = Fraction | list[list[Fraction]]
Env = dict[str, Fraction]


class Evaluator:
    """Evaluates closed terms and formulas exactly, within a budget of steps."""

    def __init__(self, budget: int = MAX_STEPS) -> None:
        self.budget = budget

    def spend(self) -> None:
        self.budget -= 1
        if self.budget < 0:
            raise LogicError("compute: too many evaluations")

    def holds(self, f: Formula, env: Env) -> bool:
        self.spend()
        head = f[0]
        if head == "true":
            return True
        if head == "false":
            return False
        if head in ("=", "!="):
            return (self.value(f[1], env) == self.value(f[2], env)) == (head == "=")
        if head in ("<", "<="):
            a, b = self.number(f[1], env), self.number(f[2], env)
            return a < b if head == "<" else a <= b
        if head == "not":
            return not self.holds(f[1], env)
        if head == "and":
            return all(self.holds(a, env) for a in f[1:])
        if head == "or":
            return any(self.holds(a, env) for a in f[1:])
        if head == "=>":
            return not self.holds(f[1], env) or self.holds(f[2], env)
        if head == "iff":
            return self.holds(f[1], env) == self.holds(f[2], env)
        if head == "all":
            guard, rest = self._guarded(f[2], "=>")
            return all(self.holds(rest, e) for e in self._range(f[1], guard, env) if self.holds(guard, e))
        if head == "ex":
            if f[2][0] != "and":
                raise LogicError("compute: an unbounded quantifier")
            return any(self.holds(f[2], e) for e in self._range(f[1], f[2], env))
        raise LogicError(f"compute: {head} cannot be evaluated")

    def _guarded(self, f: Formula, head: str) -> tuple[Formula, Formula]:
        if f[0] != head:
            raise LogicError("compute: an unbounded quantifier")
        return f[1], f[2]

    def _range(self, decls: Any, guard: Formula, env: Env) -> Iterator[Env]:
        """All values of the variables within the bounds that conjuncts of the guard give."""
        atoms = list(_conjuncts(guard))

        def go(k: int, e: Env) -> Iterator[Env]:
            if k == len(decls):
                yield e
                return
            name, sort = decls[k]
            if sort != "Z":
                raise LogicError("compute: a quantifier over something else than integers")
            later = {n for n, _ in decls[k:]}
            lows = [a[1] for a in atoms if a[0] == "<=" and a[2] == name and not free(a[1]) & later]
            highs = [a[2] for a in atoms if a[0] == "<=" and a[1] == name and not free(a[2]) & later]
            if not lows or not highs:
                raise LogicError(f"compute: no bounds for {name}")
            lo, hi = self.number(lows[0], e), self.number(highs[0], e)
            start, stop = -((-lo).__floor__()), hi.__floor__()
            for v in range(start, stop + 1):
                self.spend()
                yield from go(k + 1, {**e, name: Fraction(v)})

        return go(0, env)

    def number(self, e: Term, env: Env) -> Fraction:
        v = self.value(e, env)
        if not isinstance(v, Fraction):
            raise LogicError("compute: a number is expected")
        return v

    def matrix(self, e: Term, env: Env) -> list[list[Fraction]]:
        v = self.value(e, env)
        if isinstance(v, Fraction):
            raise LogicError("compute: a matrix is expected")
        return v

    def integer(self, e: Term, env: Env) -> int:
        v = self.number(e, env)
        if v.denominator != 1:
            raise LogicError("compute: an integer is expected")
        return int(v)

    def size(self, e: Term, env: Env) -> int:
        n = self.integer(e, env)
        if not 1 <= n <= 200:
            raise LogicError("compute: a dimension out of range")
        return n

    def value(self, e: Term, env: Env) -> Value:
        self.spend()
        if isinstance(e, int):
            return Fraction(e)
        if isinstance(e, str):
            if e not in env:
                raise LogicError(f"compute: {e} has no value")
            return env[e]
        head = e[0]
        if head == "q":
            return Fraction(e[1], e[2])
        if head in ("+", "*"):
            out = self.value(e[1], env)
            for a in e[2:]:
                v = self.value(a, env)
                if isinstance(out, Fraction) and isinstance(v, Fraction):
                    out = out + v if head == "+" else out * v
                elif head == "+" and not isinstance(out, Fraction) and not isinstance(v, Fraction):
                    out = [[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(out, v, strict=True)]
                else:
                    raise LogicError("compute: a sum or product of a number and a matrix")
            return out
        if head == "/":
            b = self.number(e[2], env)
            if not b:
                raise LogicError("compute: division by zero")
            return self.number(e[1], env) / b
        if head == "^":
            a, n = self.number(e[1], env), self.integer(e[2], env)
            if abs(n) > 10_000 or (n < 0 and not a):
                raise LogicError("compute: a power out of range")
            return a**n
        if head == "abs":
            return abs(self.number(e[1], env))
        if head in ("min", "max"):
            return (min if head == "min" else max)(self.number(e[1], env), self.number(e[2], env))
        if head in ("sum", "prod"):
            total = Fraction(0 if head == "sum" else 1)
            for k in range(self.integer(e[2], env), self.integer(e[3], env) + 1):
                v = self.number(e[4], {**env, e[1]: Fraction(k)})
                total = total + v if head == "sum" else total * v
            return total
        if head == "mat":
            return [[self.number(a, env) for a in row] for row in e[1]]
        if head == "sm":
            c = self.number(e[1], env)
            return [[c * x for x in r] for r in self.matrix(e[2], env)]
        if head == "mm":
            m = self.matrix(e[1], env)
            for a in e[2:]:
                m = _product(m, self.matrix(a, env))
            return m
        if head == "T":
            return [list(c) for c in zip(*self.matrix(e[1], env), strict=True)]
        if head == "had":
            return [
                [x * y for x, y in zip(r, s, strict=True)]
                for r, s in zip(self.matrix(e[1], env), self.matrix(e[2], env), strict=True)
            ]
        if head == "I":
            return _identity(self.size(e[1], env))
        if head in ("J", "O"):
            return [[Fraction(head == "J")] * self.size(e[2], env) for _ in range(self.size(e[1], env))]
        if head == "mpow":
            m, n = self.matrix(e[1], env), self.integer(e[2], env)
            if not 0 <= n <= 200:
                raise LogicError("compute: a matrix power out of range")
            out_m = _identity(len(m))
            for _ in range(n):
                out_m = _product(out_m, m)
            return out_m
        if head == "entry":
            m, i, j = self.matrix(e[1], env), self.integer(e[2], env), self.integer(e[3], env)
            return m[i - 1][j - 1] if 1 <= i <= len(m) and 1 <= j <= len(m[0]) else Fraction(0)
        if head == "tr":
            m = self.matrix(e[1], env)
            return sum((m[i][i] for i in range(len(m))), Fraction(0))
        if head == "det":
            return _eliminate(self.matrix(e[1], env))[1]
        if head == "op" and e[1] == "rank":
            return Fraction(_eliminate(self.matrix(e[2], env))[0])
        if head == "op" and e[1] == "ncomp":
            return Fraction(_components(self.matrix(e[2], env)))
        raise LogicError(f"compute: {head} cannot be evaluated")


def _conjuncts(f: Formula) -> Iterator[Formula]:
    if f[0] == "and":
        for a in f[1:]:
            yield from _conjuncts(a)
    else:
        yield f


def _identity(n: int) -> list[list[Fraction]]:
    return [[Fraction(i == j) for j in range(n)] for i in range(n)]


def _product(a: list[list[Fraction]], b: list[list[Fraction]]) -> list[list[Fraction]]:
    columns = list(zip(*b, strict=True))
    return [[sum((x * y for x, y in zip(r, c, strict=True)), Fraction(0)) for c in columns] for r in a]


def _eliminate(matrix: list[list[Fraction]]) -> tuple[int, Fraction]:
    """Rank, and determinant (meaningful for square matrices), by exact elimination."""
    m = [list(r) for r in matrix]
    rank, det = 0, Fraction(1)
    for col in range(len(m[0])):
        pivot = next((r for r in range(rank, len(m)) if m[r][col]), None)
        if pivot is None:
            det = Fraction(0)
            continue
        if pivot != rank:
            m[rank], m[pivot] = m[pivot], m[rank]
            det = -det
        det *= m[rank][col]
        for r in range(rank + 1, len(m)):
            f = m[r][col] / m[rank][col]
            if f:
                m[r] = [x - f * y for x, y in zip(m[r], m[rank], strict=True)]
        rank += 1
        if rank == len(m):
            break
    return rank, det if rank == len(m) == len(m[0]) else Fraction(0)


def _components(m: list[list[Fraction]]) -> int:
    """Connected components of the bipartite graph of the nonzero entries, isolated vertices left out."""
    parent: dict[tuple[str, int], tuple[str, int]] = {}

    def find(v: tuple[str, int]) -> tuple[str, int]:
        parent.setdefault(v, v)
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    for i, row in enumerate(m):
        for j, x in enumerate(row):
            if x:
                parent[find(("r", i))] = find(("c", j))
    return len({find(v) for v in list(parent)})


def compute(concl: Formula) -> None:
    """Accept a closed formula that exact evaluation finds true.

    Trusted: that bounded quantifiers range over what their guards say, and Python's integers and fractions (LOGIC.md,
    section `compute`).
    """
    if not Evaluator().holds(concl, {}):
        raise LogicError("compute: false")
