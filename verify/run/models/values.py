"""The values of terms in a model: exact rationals, balls, polynomials in unknowns, truncated power series, rays of integers.

A matrix is a list of rows. Whatever cannot be told raises `Unknown`.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from math import isqrt
from typing import Any

from flint import arb, fmpq, fmpq_mat, fmpq_mpoly, fmpq_mpoly_ctx

UNKNOWNS = 40
RING = fmpq_mpoly_ctx.get(("u", UNKNOWNS), "lex")
GENERATORS = RING.gens()
LARGEST = 3000
"""The most terms of a polynomial, and the most digits of an exact number."""


class Unknown(Exception):
    """The value cannot be told."""


@dataclass(frozen=True, slots=True)
class Ray:
    """Any integer up to `last` (`first` is None), or from `first` on (`last` is None)."""

    first: int | None
    last: int | None

    def misses(self, k: Any) -> bool:
        """Whether a number certainly is no member."""
        if not isinstance(k, fmpq):
            return False
        return (self.first is not None and k < self.first) or (self.last is not None and k > self.last)

    def moved(self, by: Any) -> Ray:
        if not is_integer(by):
            raise Unknown
        k = int(by.p)
        return Ray(None if self.first is None else self.first + k, None if self.last is None else self.last + k)


@dataclass(frozen=True, slots=True)
class Series:
    """A power series in a small time t > 0, known up to some order."""

    c: tuple[Any, ...]

    def combined(self, other: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        n = len(self.c)
        mine, theirs = self.c, other.c if isinstance(other, Series) else (other, *[fmpq(0)] * (n - 1))
        n = min(n, len(theirs))
        return mine[:n], theirs[:n]

    def shifted(self, order: int) -> Series:
        """The derivative of some order."""
        c = self.c
        for _ in range(order):
            c = tuple(times(x, fmpq(k)) for k, x in enumerate(c))[1:]
        if not c:
            raise Unknown
        return Series(c)


class Moment:
    """A time of which nothing is known."""


def is_integer(x: Any) -> bool:
    return isinstance(x, fmpq) and x.q == 1


def plain(x: Any) -> Any:
    """A polynomial or series that is constant, as a number."""
    if isinstance(x, fmpq_mpoly):
        if len(x) > LARGEST:
            raise Unknown
        if x.is_constant():
            return fmpq(x.leading_coefficient()) if x else fmpq(0)
    elif isinstance(x, fmpq) and x.p.bit_length() + x.q.bit_length() > 4 * LARGEST:
        raise Unknown
    return x


def plus(a: Any, b: Any) -> Any:
    if isinstance(a, list) or isinstance(b, list):
        if not (isinstance(a, list) and isinstance(b, list)) or len(a) != len(b) or len(a[0]) != len(b[0]):
            raise Unknown
        return [[plus(x, y) for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]
    if isinstance(a, Series) or isinstance(b, Series):
        x, y = a.combined(b) if isinstance(a, Series) else b.combined(a)
        return Series(tuple(plus(p, q) for p, q in zip(x, y, strict=True)))
    if isinstance(a, Ray) or isinstance(b, Ray):
        return a.moved(b) if isinstance(a, Ray) else b.moved(a)
    try:
        return plain(a + b)
    except TypeError:
        raise Unknown from None


def times(a: Any, b: Any) -> Any:
    if isinstance(a, Series) or isinstance(b, Series):
        x, y = a.combined(b) if isinstance(a, Series) else b.combined(a)
        out: list[Any] = []
        for k in range(len(x)):
            total: Any = fmpq(0)
            for i in range(k + 1):
                total = plus(total, times(x[i], y[k - i]))
            out.append(total)
        return Series(tuple(out))
    for x, y in ((a, b), (b, a)):
        if isinstance(x, fmpq):
            if x == 0 and not isinstance(y, (list, Moment)):
                return fmpq(0)
            if x == 1:
                return y
    if isinstance(a, (Ray, list, Moment)) or isinstance(b, (Ray, list, Moment)):
        raise Unknown
    try:
        return plain(a * b)
    except TypeError:
        raise Unknown from None


def inverse(a: Any) -> Any:
    if isinstance(a, Series):
        first = inverse(a.c[0])
        out = [first]
        for k in range(1, len(a.c)):
            total: Any = fmpq(0)
            for i in range(1, k + 1):
                total = plus(total, times(a.c[i], out[k - i]))
            out.append(times(fmpq(-1), times(first, total)))
        return Series(tuple(out))
    if isinstance(a, fmpq) and a != 0:
        return 1 / a
    if isinstance(a, arb) and a != 0:
        return 1 / a
    raise Unknown


def power(a: Any, n: Any) -> Any:
    """a to the power n; an exponent that is no integer needs a base that is certainly positive."""
    if is_integer(n) and abs(n) <= 400:
        k = int(n.p)
        base = inverse(a) if k < 0 else a
        out: Any = fmpq(1)
        for bit in bin(abs(k))[2:]:
            out = times(out, out)
            if bit == "1":
                out = times(out, base)
        return out
    if isinstance(n, fmpq) and n.q == 2 and isinstance(a, fmpq) and a > 0:
        return power(unary("sqrt", a), fmpq(n.p))
    if isinstance(a, Series) or not isinstance(n, (fmpq, arb)):
        return unary("exp", times(n, unary("log", a)))
    if not ball(a) > 0:
        raise Unknown
    return (ball(a).log() * ball(n)).exp()


def ball(x: Any) -> arb:
    if isinstance(x, (fmpq, arb)):
        return arb(x)
    raise Unknown


def unary(head: str, a: Any) -> Any:
    """An elementary function; exact where that is easy."""
    if isinstance(a, Series):
        return _unary_series(head, a)
    if isinstance(a, fmpq):
        if head == "abs":
            return abs(a)
        if a == 0 and head in ("sin", "sinh", "tanh", "asinh", "sqrt"):
            return fmpq(0)
        if a == 0 and head in ("exp", "cos", "cosh"):
            return fmpq(1)
        if a == 1 and head == "log":
            return fmpq(0)
        if head == "sqrt" and a > 0:
            p, q = int(a.p), int(a.q)
            if isqrt(p) ** 2 == p and isqrt(q) ** 2 == q:
                return fmpq(isqrt(p), isqrt(q))
    v = ball(a)
    v = abs(v) if head == "abs" else getattr(v, head)()
    if not v.is_finite():
        raise Unknown
    return v


def _unary_series(head: str, a: Series) -> Any:
    """By the differential equation of the function."""
    if all(isinstance(x, fmpq) and x == 0 for x in a.c[1:]):
        return Series((unary(head, a.c[0]), *a.c[1:]))
    n = len(a.c)
    slope = [times(fmpq(k), x) for k, x in enumerate(a.c)][1:]

    def integrated(first: Any, derivative: list[Any]) -> Series:
        return Series((first, *(times(fmpq(1, k + 1), x) for k, x in enumerate(derivative[: n - 1]))))

    if head == "log":
        return integrated(unary("log", a.c[0]), list(times(Series(tuple(slope)), inverse(Series(a.c[: n - 1]))).c))
    if head == "exp":
        out = [unary("exp", a.c[0])]
        for k in range(n - 1):
            total: Any = fmpq(0)
            for i in range(k + 1):
                total = plus(total, times(slope[i], out[k - i]))
            out.append(times(fmpq(1, k + 1), total))
        return Series(tuple(out))
    if head == "sqrt":
        first = unary("sqrt", a.c[0])
        half = inverse(times(fmpq(2), first))
        out = [first]
        for k in range(1, n):
            total = a.c[k]
            for i in range(1, k):
                total = plus(total, times(fmpq(-1), times(out[i], out[k - i])))
            out.append(times(half, total))
        return Series(tuple(out))
    if head in ("sinh", "cosh"):
        grown, shrunk = unary("exp", a), unary("exp", times(fmpq(-1), a))
        return times(fmpq(1, 2), plus(grown, shrunk if head == "cosh" else times(fmpq(-1), shrunk)))
    raise Unknown


# ---------------------------------------------------------------------------------------------- matrices


def product(a: Any, b: Any) -> Any:
    if len(a[0]) != len(b):
        raise Unknown
    out = []
    for r in a:
        row: list[Any] = []
        for j in range(len(b[0])):
            total: Any = fmpq(0)
            for x, s in zip(r, b, strict=True):
                total = plus(total, times(x, s[j]))
            row.append(total)
        out.append(row)
    return out


def determinant(m: Any) -> Any:
    if len(m) == 1:
        return m[0][0]
    total: Any = fmpq(0)
    for j, x in enumerate(m[0]):
        minor = determinant([r[:j] + r[j + 1 :] for r in m[1:]])
        total = plus(total, times(fmpq(-1 if j % 2 else 1), times(x, minor)))
    return total


def inverted(m: Any) -> Any:
    scale = inverse(determinant(m))
    n = len(m)
    if n == 1:
        return [[scale]]

    def cofactor(i: int, j: int) -> Any:
        return times(fmpq((-1) ** (i + j)), determinant([r[:j] + r[j + 1 :] for k, r in enumerate(m) if k != i]))

    return [[times(cofactor(j, i), scale) for j in range(n)] for i in range(n)]


def exact(m: Any) -> fmpq_mat:
    if not all(isinstance(x, fmpq) for r in m for x in r):
        raise Unknown
    return fmpq_mat(len(m), len(m[0]), [x for r in m for x in r])


def constant(m: Any) -> Any:
    """A matrix of series that are certainly constant, as a matrix of numbers."""
    return [[x.c[0] if isinstance(x, Series) and all(y == 0 for y in x.c[1:]) else x for x in r] for r in m]


def eigenvalues(m: Any) -> list[Any]:
    """Those of a symmetric matrix, largest first: exact where they are rational, else balls."""
    a = exact(m)
    if a != a.transpose():
        raise Unknown
    found: list[Any] = []
    for factor, count in a.charpoly().factor()[1]:
        if factor.degree() == 1:
            found += [-factor[0] / factor[1]] * count
        else:
            roots: Any = factor.complex_roots()
            for z, _ in roots:
                found += [z.real] * count
    found.sort(key=lambda x: -float(ball(x).mid()))
    for x, y in itertools.pairwise(found):
        if x is not y and not (isinstance(x, fmpq) and isinstance(y, fmpq)) and not ball(x) > ball(y):
            raise Unknown
    return found


def singular_values(m: Any) -> list[Any]:
    """Largest first; of a matrix of balls within the distance from an exact one."""
    m = constant(m)
    middle = [[x if isinstance(x, fmpq) else _middle(x) for x in r] for r in m]
    a = exact(middle)
    gram = a * a.transpose() if a.nrows() <= a.ncols() else a.transpose() * a
    rows = [[gram[i, j] for j in range(gram.ncols())] for i in range(gram.nrows())]
    values = [unary("sqrt", x if isinstance(x, fmpq) else arb(x).max(arb(0))) for x in eigenvalues(rows)]
    off = sum((abs(ball(x) - ball(y)) for r, s in zip(m, middle, strict=True) for x, y in zip(r, s, strict=True)), arb(0))
    if all(isinstance(x, fmpq) for r in m for x in r):
        return values
    return [ball(v) + arb(0, off.upper()) for v in values]


def _middle(x: Any) -> fmpq:
    man, exp = ball(x).mid().man_exp()
    return fmpq(man) * fmpq(2) ** int(exp)


def equal(a: Any, b: Any) -> bool | None:
    """Certainly, certainly not, or unknown."""
    if isinstance(a, list) or isinstance(b, list):
        if not (isinstance(a, list) and isinstance(b, list)) or len(a) != len(b) or len(a[0]) != len(b[0]):
            raise Unknown
        return every([equal(x, y) for r, s in zip(a, b, strict=True) for x, y in zip(r, s, strict=True)])
    if isinstance(a, Series) or isinstance(b, Series):
        x, y = a.combined(b) if isinstance(a, Series) else b.combined(a)
        return False if any(equal(p, q) is False for p, q in zip(x, y, strict=True)) else None
    if isinstance(a, Ray) or isinstance(b, Ray):
        ray, other = (a, b) if isinstance(a, Ray) else (b, a)
        return False if ray.misses(other) else None
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return bool(a == b)
    if isinstance(a, fmpq_mpoly) or isinstance(b, fmpq_mpoly):
        return True if plus(a, times(fmpq(-1), b)) == 0 else None
    return None if ball(a).overlaps(ball(b)) else False


def less(a: Any, b: Any, strict: bool) -> bool | None:
    """Whether a < b (a <= b), certainly, certainly not, or unknown; for series at all small times."""
    if isinstance(a, Series) or isinstance(b, Series):
        d = plus(b, times(fmpq(-1), a))
        for x in d.c:
            sign = None if not isinstance(x, (fmpq, arb)) else 1 if x > 0 else -1 if x < 0 else 0 if x == 0 else None
            if sign != 0:
                return None if sign is None else sign > 0
        return None
    if isinstance(a, Ray) or isinstance(b, Ray):
        return _less_ray(a, b, strict)
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return bool(a < b if strict else a <= b)
    x, y = ball(a), ball(b)
    yes, no = (x < y, x >= y) if strict else (x <= y, x > y)
    return True if yes else False if no else None


def _less_ray(a: Any, b: Any, strict: bool) -> bool | None:
    if isinstance(a, Ray) and isinstance(b, Ray):
        return None
    if isinstance(a, Ray):
        if a.last is not None and (a.last < b if strict else a.last <= b):
            return True
        return False if a.first is not None and (a.first >= b if strict else a.first > b) else None
    if b.first is not None and (a < b.first if strict else a <= b.first):
        return True
    return False if b.last is not None and (a >= b.last if strict else a > b.last) else None


def negated(v: bool | None) -> bool | None:
    return None if v is None else not v


def every(vs: list[bool | None]) -> bool | None:
    return False if False in vs else None if None in vs else True
