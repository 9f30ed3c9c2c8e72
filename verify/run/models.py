"""Counterexamples: a finite piece of a model in which a closed formula is certainly false.

Variables get exact rational values; functions get their values and derivatives at the arguments that are met. A formula
is evaluated in three values: true and false are certain (exact rationals, else balls), None is unknown. For a function of
time with an equation `all t. 0 <= t => f'(t) = F` among the hypotheses, the value at 0 is free and the derivative at 0 is
what the equation says (a polynomial flow has a solution through every point); the conclusion is then judged at t = 0. Such
a counterexample is marked as a jet.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt
from typing import Any

import flint
from flint import arb, fmpq

from verify.kernel.terms import UNARY, Formula, LogicError, Sort, Term, evaluate_D, free, subst, subst_sort

Number = Fraction | arb
Matrix = list[list[Number]]
BITS = 120
REALS = [Fraction(x) for x in ("1", "2", "1/2", "3", "-1", "7/3", "-3/2", "5", "1/3", "11/7", "0", "1/100", "40")]
INTEGERS = [1, 2, 3, 4, 5, 0, -1, 7]


class Unknown(Exception):
    """The value cannot be told."""


def exact(x: Number) -> bool:
    return isinstance(x, Fraction)


def ball(x: Number) -> arb:
    return arb(fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x


@dataclass
class Model:
    """Values of variables and of functions at points; missing ones are drawn when they are met."""

    rng: random.Random
    values: dict[str, Any] = field(default_factory=dict)
    sorts: dict[str, Sort] = field(default_factory=dict)
    table: dict[tuple[str, int, tuple[Any, ...]], Any] = field(default_factory=dict)
    defined: set[tuple[str, int, tuple[Any, ...]]] = field(default_factory=set)
    jet: bool = False
    granted: list[Formula] = field(default_factory=list)

    # -------------------------------------------------------------- drawing

    def draw(self, sort: Sort) -> Any:
        if sort == "Z":
            return Fraction(self.rng.choice(INTEGERS))
        if sort == "R":
            return self.rng.choice(REALS)
        if sort[0] == "M":
            r, c = self.integer(sort[1]), self.integer(sort[2])
            if not (1 <= r <= 6 and 1 <= c <= 6):
                raise Unknown
            return [[Fraction(self.rng.randint(-3, 3), self.rng.choice((1, 1, 2))) for _ in range(c)] for _ in range(r)]
        raise Unknown

    def integer(self, e: Term) -> int:
        v = self.number(e)
        if not isinstance(v, Fraction) or v.denominator != 1:
            raise Unknown
        return int(v)

    # -------------------------------------------------------------- terms

    def number(self, e: Term) -> Number:
        v = self.value(e)
        if isinstance(v, list):
            raise Unknown
        return v

    def matrix(self, e: Term) -> Matrix:
        v = self.value(e)
        if not isinstance(v, list):
            raise Unknown
        return v

    def value(self, e: Term) -> Any:
        if isinstance(e, int):
            return Fraction(e)
        if isinstance(e, str):
            if e not in self.values:
                if e not in self.sorts or self.sorts[e][0] == "F":
                    raise Unknown
                self.values[e] = self.draw(self.sorts[e])
            return self.values[e]
        head = e[0]
        rule = getattr(self, f"_{NAMES.get(head, head)}", None)
        if rule is None:
            raise Unknown
        return rule(e)

    def _q(self, e: Any) -> Number:
        return Fraction(e[1], e[2])

    def _plus(self, e: Any) -> Any:
        out = self.value(e[1])
        for a in e[2:]:
            out = _add(out, self.value(a))
        return out

    def _times(self, e: Any) -> Number:
        out = self.number(e[1])
        for a in e[2:]:
            out = _mul(out, self.number(a))
        return out

    def _divide(self, e: Any) -> Number:
        a, b = self.number(e[1]), self.number(e[2])
        if isinstance(b, Fraction):
            if not b:
                raise Unknown
            return _mul(a, 1 / b)
        if not b != 0:
            raise Unknown
        return ball(a) / b

    def _power(self, e: Any) -> Number:
        a, n = self.number(e[1]), self.number(e[2])
        if isinstance(n, Fraction) and n.denominator == 1 and abs(n) <= 400:
            k = int(n)
            if isinstance(a, Fraction):
                if not a and k < 0:
                    raise Unknown
                return a**k
            return a**k
        if not ball(a) > 0:
            raise Unknown
        return (ball(a).log() * ball(n)).exp()

    def _unary(self, e: Any) -> Number:
        a = self.number(e[1])
        head = e[0]
        if head == "abs":
            return abs(a) if isinstance(a, Fraction) else arb(abs(a))
        if isinstance(a, Fraction):
            if not a and head in ("sin", "sinh", "tanh", "asinh", "sqrt"):
                return Fraction(0)
            if not a and head in ("exp", "cos", "cosh"):
                return Fraction(1)
            if a == 1 and head == "log":
                return Fraction(0)
            if head == "sqrt" and a > 0:
                p, q = a.numerator, a.denominator
                if isqrt(p) ** 2 == p and isqrt(q) ** 2 == q:
                    return Fraction(isqrt(p), isqrt(q))
        v: Any = getattr(ball(a), head)()
        if not v.is_finite():
            raise Unknown
        return arb(v)

    def _pi(self, e: Any) -> Number:
        return arb.pi()

    def _extreme(self, e: Any) -> Number:
        a, b = self.number(e[1]), self.number(e[2])
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return min(a, b) if e[0] == "min" else max(a, b)
        return ball(a).min(ball(b)) if e[0] == "min" else ball(a).max(ball(b))

    def _range(self, e: Any) -> Any:
        lo, hi = self.integer(e[2]), self.integer(e[3])
        if hi - lo > 60:
            raise Unknown
        out: Any = Fraction(0 if e[0] == "sum" else 1)
        for k in range(lo, hi + 1):
            v = self.value(subst(e[4], {e[1]: k}))
            out = v if isinstance(v, list) and out == 0 else _add(out, v) if e[0] == "sum" else _mul(out, v)
        return out

    def key(self, e: Term) -> Any:
        v = self.value(e)
        flat = [x for r in v for x in r] if isinstance(v, list) else [v]
        if not all(isinstance(x, Fraction) for x in flat):
            raise Unknown
        return tuple(flat) if isinstance(v, list) else v

    def _call(self, e: Any) -> Any:
        return self.lookup(e[1], 0, e[2:])

    def _d(self, e: Any) -> Any:
        return self.lookup(e[2], self.integer(e[1]), e[3:])

    def lookup(self, f: str, order: int, args: tuple[Term, ...]) -> Any:
        sort = self.sorts.get(f)
        if not (isinstance(sort, tuple) and sort[0] == "F"):
            raise Unknown
        at = (f, order, tuple(self.key(a) for a in args))
        if self.jet and sort[3] == "smooth" and at[2][-1] != 0:
            raise Unknown  # an equation of motion ties the values at other times to those at time 0
        if at not in self.table:
            if order and at not in self.defined:
                raise Unknown
            self.table[at] = self.draw(sort[2])
        return self.table[at]

    def _D(self, e: Any) -> Any:
        return self.value(evaluate_D(e, self.sorts))

    def _tr(self, e: Any) -> Number:
        m = self.matrix(e[1])
        out: Number = Fraction(0)
        for i in range(len(m)):
            out = _add(out, m[i][i])
        return out

    def _det(self, e: Any) -> Number:
        return _laplace(self.matrix(e[1]))

    def _entry(self, e: Any) -> Number:
        m, i, j = self.matrix(e[1]), self.integer(e[2]), self.integer(e[3])
        return m[i - 1][j - 1] if 1 <= i <= len(m) and 1 <= j <= len(m[0]) else Fraction(0)

    def _sm(self, e: Any) -> Matrix:
        c = self.number(e[1])
        return [[_mul(c, x) for x in r] for r in self.matrix(e[2])]

    def _mm(self, e: Any) -> Matrix:
        out = self.matrix(e[1])
        for a in e[2:]:
            out = _product(out, self.matrix(a))
        return out

    def _T(self, e: Any) -> Matrix:
        return [list(c) for c in zip(*self.matrix(e[1]), strict=True)]

    def _size(self, e: Term) -> int:
        n = self.integer(e)
        if not 1 <= n <= 8:
            raise Unknown
        return n

    def _I(self, e: Any) -> Matrix:
        n = self._size(e[1])
        return [[Fraction(i == j) for j in range(n)] for i in range(n)]

    def _constant_matrix(self, e: Any) -> Matrix:
        m, n = self._size(e[1]), self._size(e[2])
        return [[Fraction(e[0] == "J")] * n for _ in range(m)]

    def _inv(self, e: Any) -> Matrix:
        m = self.matrix(e[1])
        det = _laplace(m)
        if not (det if isinstance(det, Fraction) else det != 0):
            raise Unknown
        n = len(m)
        if n == 1:
            return [[1 / det]]
        scale = 1 / det

        def cofactor(i: int, j: int) -> Number:
            minor = _laplace([r[:j] + r[j + 1 :] for k, r in enumerate(m) if k != i])
            return _mul(minor, Fraction((-1) ** (i + j)))

        return [[_mul(cofactor(j, i), scale) for j in range(n)] for i in range(n)]

    def _mpow(self, e: Any) -> Matrix:
        m, n = self.matrix(e[1]), self.integer(e[2])
        if not 0 <= n <= 20:
            raise Unknown
        out: Matrix = [[Fraction(i == j) for j in range(len(m))] for i in range(len(m))]
        for _ in range(n):
            out = _product(out, m)
        return out

    def _mat(self, e: Any) -> Matrix:
        return [[self.number(a) for a in r] for r in e[1]]

    def _had(self, e: Any) -> Matrix:
        a, b = self.matrix(e[1]), self.matrix(e[2])
        return [[_mul(x, y) for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]

    # -------------------------------------------------------------- formulas

    def holds(self, f: Formula) -> bool | None:
        """Certainly true, certainly false, or unknown."""
        try:
            return self._holds(f)
        except (Unknown, LogicError, ZeroDivisionError):
            return None

    def _holds(self, f: Formula) -> bool | None:
        head = f[0]
        if head in ("true", "false"):
            return bool(head == "true")
        if head in ("=", "!="):
            equal = _equal(self.value(f[1]), self.value(f[2]))
            return equal if head == "=" or equal is None else not equal
        if head in ("<", "<="):
            a, b = self.number(f[1]), self.number(f[2])
            if isinstance(a, Fraction) and isinstance(b, Fraction):
                return a < b if head == "<" else a <= b
            x, y = ball(a), ball(b)
            yes, no = (x < y, x >= y) if head == "<" else (x <= y, x > y)
            return True if yes else False if no else None
        if head == "not":
            v = self.holds(f[1])
            return None if v is None else not v
        if head == "and":
            return _all([self.holds(a) for a in f[1:]])
        if head == "or":
            v = _all([_not(self.holds(a)) for a in f[1:]])
            return _not(v)
        if head == "=>":
            return _not(_all([self.holds(f[1]), _not(self.holds(f[2]))]))
        if head == "iff":
            a2, b2 = self.holds(f[1]), self.holds(f[2])
            return None if a2 is None or b2 is None else a2 == b2
        if head in ("all", "ex"):
            answers = [self.holds(g) for g in self._instances(f)]
            if head == "all":
                return False if False in answers else None
            return True if True in answers else None
        return None

    def _instances(self, f: Formula) -> Iterator[Formula]:
        """A few instances of a quantifier over scalars: enough for a true `ex` or a false `all`."""
        decls, body = f[1], f[2]
        if any(s not in ("R", "Z") for _, s in decls):
            return
        pool: list[dict[str, Any]] = [{}]
        for name, sort in decls:
            options: list[Any] = [0, 1, 2, 3] if sort == "Z" else [0, 1, ("q", 1, 2), 2]
            pool = [{**p, name: o} for p in pool for o in options][:64]
        for p in pool:
            yield subst(body, p)


NAMES = {
    **dict.fromkeys(UNARY, "unary"),
    "+": "plus", "*": "times", "/": "divide", "^": "power", "min": "extreme", "max": "extreme",
    "sum": "range", "prod": "range", "J": "constant_matrix", "O": "constant_matrix",
}


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, list) and isinstance(b, list):
        return [[_add(x, y) for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]
    if isinstance(a, list) or isinstance(b, list):
        raise Unknown
    return a + b if isinstance(a, Fraction) and isinstance(b, Fraction) else ball(a) + ball(b)


def _mul(a: Number, b: Number) -> Number:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    if (isinstance(a, Fraction) and not a) or (isinstance(b, Fraction) and not b):
        return Fraction(0)
    return ball(a) * ball(b)


def _product(a: Matrix, b: Matrix) -> Matrix:
    if len(a[0]) != len(b):
        raise Unknown
    out: Matrix = []
    for r in a:
        row: list[Number] = []
        for j in range(len(b[0])):
            s: Number = Fraction(0)
            for k, x in enumerate(r):
                s = _add(s, _mul(x, b[k][j]))
            row.append(s)
        out.append(row)
    return out


def _laplace(m: Matrix) -> Number:
    if len(m) == 1:
        return m[0][0]
    out: Number = Fraction(0)
    for j, x in enumerate(m[0]):
        minor = _laplace([r[:j] + r[j + 1 :] for r in m[1:]])
        out = _add(out, _mul(_mul(x, minor), Fraction(-1 if j % 2 else 1)))
    return out


def _equal(a: Any, b: Any) -> bool | None:
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b) or len(a[0]) != len(b[0]):
            raise Unknown
        return _all([_equal(x, y) for r, s in zip(a, b, strict=True) for x, y in zip(r, s, strict=True)])
    if isinstance(a, list) or isinstance(b, list):
        raise Unknown  # an empty sum of matrices has no shape here
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a == b
    return False if not ball(a).overlaps(ball(b)) else None


def _not(v: bool | None) -> bool | None:
    return None if v is None else not v


def _all(vs: list[bool | None]) -> bool | None:
    return False if False in vs else None if None in vs else True


# ---------------------------------------------------------------------------------------------- the search


def counterexample(statement: Formula, tries: int = 60, seed: int = 1) -> dict[str, Any] | None:
    """A model (as plain data) in which every hypothesis is certainly true and the conclusion certainly false, or None."""
    with flint.ctx.workprec(BITS):
        for k in range(tries):
            model = Model(random.Random(f"{seed}:{k}"))
            try:
                if _refutes(model, statement):
                    return _show(model)
            except (Unknown, LogicError, ZeroDivisionError, ValueError, OverflowError):
                continue
    return None


def _refutes(model: Model, f: Formula) -> bool:
    """Walk through the prefix of quantifiers and hypotheses; true if the conclusion is certainly false."""
    while True:
        if f[0] == "all":
            renaming: dict[str, Any] = {}
            for name, sort in f[1]:
                new = name if name not in model.sorts else f"{name}_{len(model.sorts)}"
                if new != name:
                    renaming[name] = new
                model.sorts[new] = subst_sort(sort, renaming)
            f = subst(f[2], renaming) if renaming else f[2]
            for name, sort in list(model.sorts.items()):
                if sort == "R" and name not in model.values and _is_time(name, f):
                    model.values[name] = Fraction(0)
            continue
        if f[0] == "=>":
            if not _grant(model, f[1]):
                return False
            model.granted.append(f[1])
            f = f[2]
            continue
        if f[0] == "and":
            for part in f[1:]:
                trial = _copy(model)
                if _refutes(trial, part):
                    model.__dict__.update(trial.__dict__)
                    return True
            return False
        if f[0] == "ex":
            return False  # a few instances never show that there is no witness
        return model.holds(f) is False and all(_still(model, h) for h in model.granted)


def _still(model: Model, h: Formula) -> bool:
    """Whether a granted hypothesis survived later draws."""
    if h[0] == "and":
        return all(_still(model, a) for a in h[1:])
    if h[0] == "all":
        at_zero = subst(h[2], {h[1][0][0]: 0})
        while at_zero[0] == "=>":
            at_zero = at_zero[2]
        return _still(model, at_zero)
    answer = model.holds(h)
    return answer is True or (answer is None and h[0] == "=")


def _copy(model: Model) -> Model:
    return replace(
        model,
        rng=random.Random(model.rng.random()),
        values=dict(model.values),
        sorts=dict(model.sorts),
        table=dict(model.table),
        defined=set(model.defined),
        granted=list(model.granted),
    )


def _is_time(name: str, f: Formula) -> bool:
    """Whether a variable is used as the time of a smooth function: it occurs as the last argument of a call."""
    if not isinstance(f, tuple):
        return False
    if f and f[0] == "call" and f[-1] == name and len(f) > 2:
        return True
    if f and f[0] in ("d", "D") and f[-1] == name:
        return True
    return any(_is_time(name, a) for a in f if isinstance(a, tuple))


def _grant(model: Model, h: Formula) -> bool:
    """Make a hypothesis true in the model: by defining what is still open, else by checking it."""
    if h[0] == "and":
        return all(_grant(model, a) for a in h[1:])
    if h[0] == "all" and len(h[1]) <= 2:
        return _grant_always(model, h)
    if h[0] == "=":
        for left, right in ((h[1], h[2]), (h[2], h[1])):
            if isinstance(left, str) and left in model.sorts and left not in model.values and left not in free(right):
                model.values[left] = model.value(right)
                return True
            if isinstance(left, tuple) and left[0] in ("call", "d"):
                order = 0 if left[0] == "call" else left[1]
                f, args = (left[1], left[2:]) if left[0] == "call" else (left[2], left[3:])
                if isinstance(order, int):
                    at = (f, order, tuple(model.key(a) for a in args))
                    if at not in model.table:
                        v = model.value(right)
                        if at in model.table:
                            return False
                        model.table[at] = v
                        model.defined.add(at)
                        return True
    if h[0] in ("<", "<="):
        for _ in range(12):
            v = model.holds(h)
            if v is not False:
                return v is True
            names = [n for n in free(h) if model.sorts.get(n) in ("R", "Z") and n in model.values]
            if not names:
                return False
            # a bound was missed: draw the last of its variables anew, if nothing else rests on it yet
            n = max(names, key=lambda x: list(model.sorts).index(x))
            model.values[n] = model.draw(model.sorts[n])
        return False
    return model.holds(h) is True


def _grant_always(model: Model, h: Formula) -> bool:
    """`all t. 0 <= t => f'(t) = F` (or a conjunction): read at t = 0, which defines the derivatives there."""
    decls, body = h[1], h[2]
    if any(s not in ("R", "Z") for _, s in decls):
        return False
    times = [n for n, s in decls if s == "R"]
    if len(times) != 1 or len(decls) != 1:
        return False
    if any(args[-1] != 0 for f, _, args in model.table if model.sorts[f][3] == "smooth"):
        return False  # something was already assumed of these functions at another time
    at_zero = subst(body, {times[0]: 0})
    while at_zero[0] == "=>":
        if model.holds(at_zero[1]) is not True:
            return False
        at_zero = at_zero[2]
    parts = at_zero[1:] if at_zero[0] == "and" else (at_zero,)
    model.jet = True
    for part in parts:
        if part[0] != "=" or not isinstance(part[1], tuple) or part[1][0] not in ("d", "call"):
            return False
        if part[1][0] == "call":
            return False
        if not _grant(model, part):
            return False
    return True


def _show(model: Model) -> dict[str, Any]:
    def text(v: Any) -> Any:
        if isinstance(v, list):
            return [[text(x) for x in r] for r in v]
        return str(v) if isinstance(v, Fraction) else v.str(20)

    out: dict[str, Any] = {n: text(v) for n, v in sorted(model.values.items())}
    for (f, order, args), v in sorted(model.table.items(), key=repr):
        shown = ", ".join(str(a) if isinstance(a, Fraction) else str(tuple(map(str, a))) for a in args)
        out[f"{f}{chr(39) * order}({shown})"] = text(v)
    if model.jet:
        out["kind"] = "jet at time 0 of a solution"
    return out
