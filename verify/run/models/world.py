"""A piece of a model of the logic, and the truth of formulas in it.

A formula is true, false, or unknown (None); true and false are certain: they follow from exact numbers, enclosures, and
complete enumeration of the integers (those beyond a window are two rays). In a *still* world every function of a last
real argument is constant in it. In a *moving* world such functions are power series in a time t, which stands for 0 or
for all small t > 0 (`Flow` in `flows.py` gives the series); nothing is known at other times.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from flint import arb, fmpq

from verify.kernel.terms import UNARY, Formula, LogicError, Sort, Term, dom, evaluate_D, free, same, subst
from verify.run.models.values import (
    GENERATORS,
    Moment,
    Ray,
    Series,
    Unknown,
    ball,
    determinant,
    eigenvalues,
    equal,
    exact,
    inverse,
    inverted,
    is_integer,
    less,
    negated,
    plus,
    power,
    product,
    singular_values,
    times,
    unary,
)

WIDEST = 4
"""The most rows or columns of a matrix."""
MOMENT = Moment()
TIMES = ("0", "1", "2", "1/2")
"""Times at which a statement for all times is tried in a still world."""

Key = tuple[str, tuple[Any, ...]]
Failure = (Unknown, LogicError, ZeroDivisionError, TypeError, ValueError, OverflowError, RecursionError)


def number(text: str) -> fmpq:
    p, _, q = text.partition("/")
    return fmpq(int(p), int(q or 1))


class TooLong(Exception):
    """The evaluation takes more steps than it may."""


@dataclass
class World:
    """Values of variables and functions; the missing ones become unknowns (polynomial generators) or are drawn."""

    rng: random.Random
    sorts: dict[str, Sort] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    table: dict[Key, Any] = field(default_factory=dict)
    unknown: bool = False
    times: dict[tuple[int, str, bool], tuple[Any, bool]] = field(default_factory=dict)
    """What `is_time` found."""
    bare: dict[tuple[int, str], tuple[Formula, Formula]] = field(default_factory=dict)
    """What `unguarded` found."""
    steps: int = 0
    """How many terms may still be evaluated."""
    used: int = 0
    """How many unknowns were made."""
    flow: Callable[[World, Key, int, Any], Any] | None = None
    """In a moving world: the series (or the value at 0) of the derivative of a function; raises Unknown."""
    complete: bool = False
    """Whether values of functions that are not there yet are unknown for good."""
    uniform: bool = False
    """Whether functions are constant in all their arguments."""
    normed: bool = False
    """Whether functions of a matrix, also in a uniform world, are the sum of the absolute values of its entries."""
    integers: tuple[int, ...] = (2, 2, 1, 2, 3, 1, 2, 0)
    reals: tuple[str, ...] = ("1", "2", "1/2", "4", "1/4", "3", "9", "-1", "-2", "5/3", "3/2", "7", "-1/3", "0")
    """What numbers are drawn from."""
    generic: set[str] = field(default_factory=set)
    """Bound functions of which nothing is known."""
    open_: set[str] = field(default_factory=set)
    """Bound variables without a value yet."""

    # -------------------------------------------------------------- drawing

    def draw_integer(self) -> fmpq:
        return fmpq(self.rng.choice(self.integers))

    def draw_real(self) -> fmpq:
        return number(self.rng.choice(self.reals))

    def make(self, sort: Sort) -> Any:
        """A value of a sort: an unknown, or drawn."""
        if sort == "Z":
            return self.draw_integer()
        if sort == "R":
            return self.fresh()
        if sort[0] == "M":
            return [[self.fresh() for _ in range(self.size(sort[2]))] for _ in range(self.size(sort[1]))]
        raise Unknown

    def fresh(self) -> Any:
        if not self.unknown:
            return self.draw_real()
        return self._generator()

    def _generator(self) -> Any:
        if self.used >= len(GENERATORS):
            raise Unknown
        self.used += 1
        return GENERATORS[self.used - 1]

    # -------------------------------------------------------------- terms

    def integer(self, e: Term) -> int:
        v = self.value(e)
        if not is_integer(v):
            raise Unknown
        return int(v.p)

    def size(self, e: Term) -> int:
        n = self.integer(e)
        if not 1 <= n <= WIDEST:
            raise Unknown
        return n

    def scalar(self, e: Term) -> Any:
        v = self.value(e)
        if isinstance(v, (list, Moment)):
            raise Unknown
        return v

    def matrix(self, e: Term) -> Any:
        v = self.value(e)
        if not isinstance(v, list):
            raise Unknown
        return v

    def value(self, e: Term) -> Any:
        if isinstance(e, int):
            return fmpq(e)
        if isinstance(e, str):
            if e not in self.values:
                if e in self.open_ or e not in self.sorts or self.sorts[e][0] == "F":
                    raise Unknown
                self.values[e] = self.make(self.sorts[e])
            return self.values[e]
        self.steps -= 1
        if self.steps < 0:
            raise TooLong
        rule = RULES.get(e[0])
        if rule is None:
            raise Unknown
        return rule(self, e)

    def _plus(self, e: Any) -> Any:
        out = self.value(e[1])
        for a in e[2:]:
            out = plus(out, self.value(a))
        return out

    def _times(self, e: Any) -> Any:
        out = self.scalar(e[1])
        for a in e[2:]:
            out = times(out, self.scalar(a))
        return out

    def _extreme(self, e: Any) -> Any:
        a, b = self.scalar(e[1]), self.scalar(e[2])
        first = less(a, b, False)
        if first is not None:
            return a if first == (e[0] == "min") else b
        return ball(a).min(ball(b)) if e[0] == "min" else ball(a).max(ball(b))

    def _range(self, e: Any) -> Any:
        lo, hi = self.integer(e[2]), self.integer(e[3])
        if hi - lo > 60:
            raise Unknown
        out: Any = fmpq(0 if e[0] == "sum" else 1)
        for k in range(lo, hi + 1):
            with self.bound(e[1], "Z", fmpq(k)):
                v = self.value(e[4])
            out = v if k == lo else plus(out, v) if e[0] == "sum" else times(out, v)
        return out

    def _call(self, e: Any) -> Any:
        return self.apply(e[1], 0, e[2:])

    def _d(self, e: Any) -> Any:
        return self.apply(e[2], self.integer(e[1]), e[3:])

    def apply(self, f: str, order: int, args: tuple[Term, ...]) -> Any:
        """A function, or its derivative, at arguments."""
        sort = self.sorts.get(f)
        if not (isinstance(sort, tuple) and sort[0] == "F") or order < 0 or f in self.open_:
            raise Unknown
        if isinstance(sort[1][0], tuple) and (self.normed or not self.uniform):
            return self._norm(sort, args)
        timed = sort[1][-1] == "R"
        key = self.key(f, args)
        if timed and self.flow is not None:
            return self.flow(self, key, order, self.value(args[-1]))
        if order:
            self.value(args[-1])
            return times_zero(self.lookup(key, sort[2]))
        return self.lookup(key, sort[2])

    def key(self, f: str, args: Sequence[Term]) -> Key:
        """Under which name the value of a function at arguments is kept; the time is none of them."""
        if self.uniform:
            return f, ()
        return f, tuple(self._argument(a) for a in (args[:-1] if self.sorts[f][1][-1] == "R" else args))

    def _argument(self, e: Term) -> fmpq:
        v = self.value(e)
        if not isinstance(v, fmpq):
            raise Unknown
        return v

    def lookup(self, key: Key, sort: Sort) -> Any:
        """The value of a function at integers; made when it is met."""
        if key not in self.table:
            if self.complete:
                raise Unknown
            self.table[key] = self.generic_value(sort) if key[0] in self.generic else self.make(sort)
        return self.table[key]

    def _norm(self, sort: Sort, args: tuple[Term, ...]) -> Any:
        """A function of one matrix is the largest absolute value of an entry, or the sum of them, which is a norm."""
        if len(args) != 1 or sort[2] != "R":
            raise Unknown
        out: Any = fmpq(0)
        for r in self.matrix(args[0]):
            for x in r:
                y = unary("abs", x)
                if self.normed:
                    out = plus(out, y)
                    continue
                first = less(out, y, False)
                out = ball(out).max(ball(y)) if first is None else y if first else out
        return out

    def _D(self, e: Any) -> Any:
        v, body, p = e[1:]
        if self.holds(subst(dom(body, v, {**self.sorts, v: "R"}), {v: p})) is not True:
            raise Unknown
        return self.value(evaluate_D(e, self.sorts))

    def _tr(self, e: Any) -> Any:
        m = self.matrix(e[1])
        out: Any = fmpq(0)
        for i in range(len(m)):
            out = plus(out, m[i][i])
        return out

    def _entry(self, e: Any) -> Any:
        m, i, j = self.matrix(e[1]), self.scalar(e[2]), self.scalar(e[3])
        for at, size in ((i, len(m)), (j, len(m[0]))):
            if isinstance(at, Ray) and all(at.misses(fmpq(k)) for k in range(1, size + 1)):
                return fmpq(0)
        if not (is_integer(i) and is_integer(j)):
            raise Unknown
        return m[int(i.p) - 1][int(j.p) - 1] if 1 <= i <= len(m) and 1 <= j <= len(m[0]) else fmpq(0)

    def _sm(self, e: Any) -> Any:
        c = self.scalar(e[1])
        return [[times(c, x) for x in r] for r in self.matrix(e[2])]

    def _mm(self, e: Any) -> Any:
        out = self.matrix(e[1])
        for a in e[2:]:
            out = product(out, self.matrix(a))
        return out

    def _T(self, e: Any) -> Any:
        return [list(c) for c in zip(*self.matrix(e[1]), strict=True)]

    def _I(self, e: Any) -> Any:
        n = self.size(e[1])
        return [[fmpq(int(i == j)) for j in range(n)] for i in range(n)]

    def _constant_matrix(self, e: Any) -> Any:
        m, n = self.size(e[1]), self.size(e[2])
        return [[fmpq(int(e[0] == "J"))] * n for _ in range(m)]

    def _mpow(self, e: Any) -> Any:
        m, n = self.matrix(e[1]), self.integer(e[2])
        if abs(n) > 20:
            raise Unknown
        out: Any = [[fmpq(int(i == j)) for j in range(len(m))] for i in range(len(m))]
        base = inverted(m) if n < 0 else m
        for _ in range(abs(n)):
            out = product(out, base)
        return out

    def _mat(self, e: Any) -> Any:
        return [[self.scalar(a) for a in r] for r in e[1]]

    def _had(self, e: Any) -> Any:
        a, b = self.matrix(e[1]), self.matrix(e[2])
        return [[times(x, y) for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]

    def _op(self, e: Any) -> Any:
        name, m = e[1], self.matrix(e[2])
        if name == "rank":
            return fmpq(exact(m).rank())
        if name == "ncomp":
            return _components(exact(m))
        values = eigenvalues(m) if name == "eig" else singular_values(m)
        if name == "spec":
            return values[0]
        if name == "nuc":
            out: Any = fmpq(0)
            for x in values:
                out = plus(out, x)
            return out
        i = self.integer(e[3])
        if 1 <= i <= len(values):
            return values[i - 1]
        if name == "sv":
            return fmpq(0)
        raise Unknown

    # -------------------------------------------------------------- formulas

    def holds(self, f: Formula) -> bool | None:
        """Certainly true, certainly false, or unknown."""
        try:
            return self._holds(f)
        except Failure:
            return None

    def _holds(self, f: Formula) -> bool | None:
        head = f[0]
        if head in ("true", "false"):
            return bool(head == "true")
        if head in ("=", "!="):
            same_value = equal(self.value(f[1]), self.value(f[2]))
            return same_value if head == "=" else negated(same_value)
        if head in ("<", "<="):
            return less(self.scalar(f[1]), self.scalar(f[2]), head == "<")
        if head == "not":
            return negated(self.holds(f[1]))
        if head == "and":
            return self._all_of(f[1:], False)
        if head == "or":
            return negated(self._all_of(f[1:], True))
        if head == "=>":
            left = self.holds(f[1])
            if left is False:
                return True
            right = self.holds(f[2])
            return True if right is True else right if left is True else None
        if head == "iff":
            a, b = self.holds(f[1]), self.holds(f[2])
            return None if a is None or b is None else a == b
        if head in ("all", "ex"):
            found = self.quantified(f[1], f[2], head == "all")
            return found if head == "all" else negated(found)
        if head in ("tends", "tendsoo") and self.flow is None:
            with self.bound(f[1], "R", MOMENT):
                limit = self.value(f[2]) if head == "tends" else self.scalar(f[2])
            return equal(limit, self.value(f[3])) if head == "tends" else False
        return None

    def _all_of(self, parts: Any, inverted_: bool) -> bool | None:
        out: bool | None = True
        for a in parts:
            v = self.holds(a)
            v = negated(v) if inverted_ else v
            if v is False:
                return False
            out = None if v is None else out
        return out

    def quantified(self, decls: Any, body: Formula, universal: bool) -> bool | None:
        """Whether a formula (its negation, for an existential quantifier) is true for all values of some variables."""
        if not decls:
            v = self.holds(body)
            return v if universal else negated(v)
        (name, sort), rest = decls[0], decls[1:]
        if sort == "Z":
            results = self._over_integers(name, rest, body, universal)
        elif sort == "R" and universal and self.is_time(name, body):
            results = self._over_times(name, rest, body)
        elif universal and self.is_norm_law(decls, body):
            return True
        else:
            results = self._over_everything(name, sort, rest, body, universal)
        out: bool | None = True
        for v in results:
            if v is False:
                return False
            out = None if v is None else out
        return out

    def _at(self, name: str, sort: Sort, value: Any, rest: Any, body: Formula, universal: bool) -> bool | None:
        with self.bound(name, sort, value), self.unbound(rest):
            if rest and self._settled(body, universal):
                return True
            return self.quantified(rest, body, universal)

    def _settled(self, body: Formula, universal: bool) -> bool:
        """Whether the body is already decided by its guards, whatever the open variables are."""
        if universal:
            return body[0] == "=>" and self.holds(body[1]) is False
        return body[0] == "and" and any(self.holds(a) is False for a in body[1:])

    def _over_integers(self, name: str, rest: Any, body: Formula, universal: bool) -> Iterator[bool | None]:
        for k in self.window():
            yield self._at(name, "Z", k, rest, body, universal)

    def window(self) -> list[Any]:
        """All integers: some one by one, the others as rays."""
        known = [int(v.p) for n, v in self.values.items() if self.sorts.get(n) == "Z" and is_integer(v)]
        top = min(max([WIDEST - 1, *(k + 1 for k in known if k <= 6)]), 7)
        return [*map(fmpq, range(top + 1)), Ray(None, -1), Ray(top + 1, None)]

    def _over_times(self, name: str, rest: Any, body: Formula) -> Iterator[bool | None]:
        """A statement for all times: true when it is true whatever its guards say of the time, false at an instance."""
        if self.flow is None:
            bare = self.unguarded(name, body)
            if self.is_time(name, bare, guards=False):
                with self.bound(name, "R", MOMENT), self.unbound(rest):
                    truth = self.quantified(rest, bare, True)
                if truth is True:
                    yield True
                    return
            for t in TIMES:
                yield self._at(name, "R", number(t), rest, body, True)
            yield None
            return
        n = 8
        yield self._at(name, "R", Series((fmpq(0), fmpq(1), *[fmpq(0)] * n)), rest, body, True)
        yield self._at(name, "R", fmpq(0), rest, body, True)
        yield None

    def _over_everything(self, name: str, sort: Sort, rest: Any, body: Formula, universal: bool) -> Iterator[bool | None]:
        """True when the body is true of a value of which nothing is known, false at an instance."""
        at_a_time = any(isinstance(v, Series) for v in self.values.values())  # then the value may depend on the time
        if not at_a_time and not (sort[0] == "F" and sort[1][-1] == "R"):  # one of a real argument need not be constant
            with self._shadowed(name, sort), self.unbound(rest):
                self.generic.add(name)
                if isinstance(sort, str) or sort[0] == "M":
                    self.values[name] = self.generic_value(sort)
                truth = self.quantified(rest, body, universal)
            if truth is True:
                yield True
                return
        for k in range(3):
            with self._shadowed(name, sort), self.unbound(rest):
                if isinstance(sort, str) or sort[0] == "M":
                    self.values[name] = number(TIMES[k]) if sort == "R" else self.make(sort)
                found = self.quantified(rest, body, universal)
            yield found  # outside: whoever asks may stop here
        yield None

    def generic_value(self, sort: Sort) -> Any:
        """A value of a sort of which nothing is known."""
        if isinstance(sort, str):
            return self._generator()
        return [[self._generator() for _ in range(self.size(sort[2]))] for _ in range(self.size(sort[1]))]

    @contextmanager
    def _shadowed(self, name: str, sort: Sort) -> Iterator[None]:
        """A bound variable whose values at arguments are forgotten afterwards."""
        hidden = {k: self.table.pop(k) for k in list(self.table) if k[0] == name}
        known, used = name in self.generic, self.used
        self.generic.discard(name)
        try:
            with self.bound(name, sort, None):
                del self.values[name]
                try:
                    yield
                finally:
                    self.values[name] = None
        finally:
            for k in [k for k in self.table if k[0] == name]:
                del self.table[k]
            self.table.update(hidden)
            self.used = used
            self.generic.discard(name)
            if known:
                self.generic.add(name)

    def is_time(self, name: str, f: Any, guards: bool = True) -> bool:
        """Whether a variable occurs only as the last argument of functions (and in comparisons)."""
        key = (id(f), name, guards)
        if key not in self.times:
            self.times[key] = (f, self._is_time(name, f, guards))  # f is kept, so that its id stays its own
        return self.times[key][1]

    def _is_time(self, name: str, f: Any, guards: bool) -> bool:
        if not isinstance(f, tuple) or not f or name not in free(f):
            return True
        if f[0] in ("call", "d"):
            at = 1 if f[0] == "call" else 2
            sort = self.sorts.get(f[at])
            timed = isinstance(sort, tuple) and sort[0] == "F" and sort[1][-1] == "R"
            args = f[at + 1 :]
            return all(self.is_time(name, a) and a != name for a in args[:-1]) and (
                (timed and args[-1] == name) or (args[-1] != name and self.is_time(name, args[-1], guards))
            )
        if f[0] == "D":
            return self.is_time(name, f[2], guards) and (f[3] == name or self.is_time(name, f[3], guards))
        if guards and self.is_guard(name, f):
            return True
        if f[0] == "and" and guards:
            return all(self.is_time(name, a, guards) for a in f[1:])
        parts = [b for r in f[1] for b in r] if f[0] == "mat" else f[1:]
        return all(a != name and self.is_time(name, a, guards) for a in parts)

    @staticmethod
    def is_guard(name: str, f: Formula) -> bool:
        """A bound of a time, alone."""
        return f[0] in ("<", "<=") and name in f[1:] and all(isinstance(a, (str, int)) for a in f[1:])

    def unguarded(self, name: str, f: Formula) -> Formula:
        """A statement about a time without the bounds of the time among its conditions: it implies the statement itself."""
        if f[0] != "=>":
            return f
        key = (id(f), name)
        if key not in self.bare:
            self.bare[key] = (f, self._unguarded(name, f))
        return self.bare[key][1]

    def _unguarded(self, name: str, f: Formula) -> Formula:
        parts = f[1][1:] if f[1][0] == "and" else (f[1],)
        kept = [a for a in parts if not self.is_guard(name, a)]
        rest = self.unguarded(name, f[2])
        return ("=>", kept[0] if len(kept) == 1 else ("and", *kept), rest) if kept else rest

    def is_norm_law(self, decls: Any, body: Formula) -> bool:
        """Whether `all decls. body` is a law that every norm satisfies, the triangle inequality with a factor of at least 1."""
        formula = ("all", tuple(decls), body)
        for n in free(formula):
            sort = self.sorts.get(n)
            if isinstance(sort, tuple) and sort[0] == "F" and len(sort[1]) == 1 and isinstance(sort[1][0], tuple):
                return any(same(formula, law) for law in self._norm_laws(n, sort[1][0]))
        return False

    def _norm_laws(self, n: str, shape: Sort) -> Iterator[Formula]:
        x, y, s = ("X", shape), ("Y", shape), ("s", "R")
        value, other = ("call", n, "X"), ("call", n, "Y")
        yield ("all", (x,), ("<=", 0, value))
        yield ("all", (x,), ("iff", ("=", value, 0), ("=", "X", ("O", shape[1], shape[2]))))
        yield ("all", (x, s), ("=", ("call", n, ("sm", "s", "X")), ("*", ("abs", "s"), value)))
        joint = ("call", n, ("+", "X", "Y"))
        yield ("all", (x, y), ("<=", joint, ("+", value, other)))
        for c, v in self.values.items():
            if isinstance(v, fmpq) and v >= 1:
                yield ("all", (x, y), ("<=", joint, ("*", c, ("+", value, other))))

    # -------------------------------------------------------------- scopes

    @contextmanager
    def bound(self, name: str, sort: Sort, value: Any) -> Iterator[None]:
        """Give a bound variable a value for a while."""
        absent = object()
        old = self.values.get(name, absent), self.sorts.get(name, absent), name in self.open_
        self.values[name], self.sorts[name] = value, sort
        self.open_.discard(name)
        try:
            yield
        finally:
            for place, before in ((self.values, old[0]), (self.sorts, old[1])):
                if before is absent:
                    place.pop(name, None)
                else:
                    place[name] = before
            if old[2]:
                self.open_.add(name)

    @contextmanager
    def unbound(self, decls: Any) -> Iterator[None]:
        """Bound variables that have no value yet."""
        old = {n: (self.values.pop(n, None), self.sorts.get(n), n in self.open_) for n, _ in decls}
        for n, s in decls:
            self.sorts[n] = s
            self.open_.add(n)
        try:
            yield
        finally:
            for n, (v, s, was_open) in old.items():
                if not was_open:
                    self.open_.discard(n)
                if v is not None:
                    self.values[n] = v
                if s is not None:
                    self.sorts[n] = s
                else:
                    self.sorts.pop(n, None)


def times_zero(v: Any) -> Any:
    return [[fmpq(0) for _ in r] for r in v] if isinstance(v, list) else fmpq(0)


def _components(m: Any) -> fmpq:
    rows, cols = m.nrows(), m.ncols()
    home = list(range(rows + cols))

    def root(k: int) -> int:
        while home[k] != k:
            k = home[k]
        return k

    touched = set()
    for i in range(rows):
        for j in range(cols):
            if m[i, j] != 0:
                home[root(i)] = root(rows + j)
                touched |= {i, rows + j}
    return fmpq(len({root(k) for k in touched}))


RULES: dict[str, Callable[[World, Any], Any]] = {
    **dict.fromkeys(UNARY, lambda w, e: unary(e[0], w.scalar(e[1]))),
    "q": lambda w, e: fmpq(e[1], e[2]),
    "+": World._plus,
    "*": World._times,
    "/": lambda w, e: times(w.scalar(e[1]), inverse(w.scalar(e[2]))),
    "^": lambda w, e: power(w.scalar(e[1]), w.scalar(e[2])),
    "pi": lambda w, e: arb.pi(),
    "min": World._extreme,
    "max": World._extreme,
    "sum": World._range,
    "prod": World._range,
    "call": World._call,
    "d": World._d,
    "D": World._D,
    "tr": World._tr,
    "det": lambda w, e: determinant(w.matrix(e[1])),
    "entry": World._entry,
    "sm": World._sm,
    "mm": World._mm,
    "T": World._T,
    "I": World._I,
    "J": World._constant_matrix,
    "O": World._constant_matrix,
    "inv": lambda w, e: inverted(w.matrix(e[1])),
    "mpow": World._mpow,
    "mat": World._mat,
    "had": World._had,
    "op": World._op,
}
