"""Flows with given starts: which hypotheses make an equation of motion, why it has a solution for all times, its series.

A hypothesis for all times must be a polynomial differential equation `f'(t) = F` of a state, or a definition `g(t) = F`.
The solution exists for all t >= 0 if x . F(x) is bounded above, or at most quadratic: then |x|^2 grows at most linearly, or
exponentially. The bound is read off a Gram matrix that is shown to be positive semidefinite in exact arithmetic.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import factorial
from typing import Any

from flint import fmpq, fmpq_mpoly

from verify.kernel.terms import Formula, Term
from verify.run.models.values import GENERATORS, Moment, Ray, Series, Unknown, is_integer, times
from verify.run.models.world import MOMENT, Key, World, times_zero

ORDER = 4
"""How many derivatives of a flow are computed."""
ENOUGH = fmpq(10**9)


@dataclass
class Rule:
    """`f(args, t)` or its derivative is `right`, with some values of bound variables."""

    right: Term
    time: str
    bound: dict[str, Any]


@dataclass
class Flow:
    """The equations of motion of a world, and the series of their solution."""

    world: World
    states: dict[Key, Rule] = field(default_factory=dict)
    definitions: dict[Key, Rule] = field(default_factory=dict)
    entries: dict[Key, dict[tuple[int, int], Rule]] = field(default_factory=dict)
    series: dict[Key, list[Any]] = field(default_factory=dict)
    known: dict[Any, Any] = field(default_factory=dict)
    symbols: dict[Key, Any] = field(default_factory=dict)
    both_ways: bool = False
    """Whether an equation is asked for at negative times, too."""

    # -------------------------------------------------------------- reading hypotheses

    def read(self, f: Formula, time: str, bound: dict[str, Any]) -> None:
        """Take a hypothesis for all times apart; raises Unknown for what is neither an equation of motion nor a definition."""
        w = self.world
        if f[0] == "and":
            for a in f[1:]:
                self.read(a, time, bound)
        elif f[0] == "all":
            self._read_all(f[1], f[2], time, bound)
        elif f[0] == "=>":
            bare = w.unguarded(time, f) if time else f
            if bare[0] != "=>" or bare[1] != f[1]:
                self.read(bare, time, bound)
                return
            guard = w.holds(f[1])
            if guard is None:
                raise Unknown
            if guard:
                self.read(f[2], time, bound)
        elif f[0] == "=" and time:
            self._rule(f[1], f[2], time, bound)
        elif w.holds(f) is not True:
            raise Unknown

    def _read_all(self, decls: Any, body: Formula, time: str, bound: dict[str, Any]) -> None:
        if not decls:
            self.read(body, time, bound)
            return
        (name, sort), rest = decls[0], decls[1:]
        w = self.world
        if sort == "R" and not time and w.is_time(name, body):
            self.both_ways |= not _begins(name, body)
            with w.unbound([(name, sort)]):
                self._read_all(rest, body, name, bound)
            return
        if sort != "Z":
            raise Unknown
        for k in w.window():
            with w.bound(name, sort, k):
                with w.unbound(rest):
                    vacuous = body[0] == "=>" and w.holds(w.unguarded(time, body)[1]) is False
                if vacuous:
                    continue
                if isinstance(k, Ray):
                    if rest or body[0] != "=>":
                        raise Unknown
                    w_false = w.holds(w.unguarded(time, body)[1]) is False
                    if not w_false:
                        raise Unknown
                    continue
                self._read_all(rest, body, time, {**bound, name: k})

    def _rule(self, left: Term, right: Term, time: str, bound: dict[str, Any]) -> None:
        rule = Rule(right, time, dict(bound))
        if isinstance(left, tuple) and left[0] == "d" and left[1] == 1 and left[-1] == time:
            self._add(self.states, self._key(left[2], left[3:-1]), rule)
        elif isinstance(left, tuple) and left[0] == "call" and left[-1] == time:
            self._add(self.definitions, self._key(left[1], left[2:-1]), rule)
        elif isinstance(left, tuple) and left[0] == "entry" and left[1][0] == "call" and left[1][-1] == time:
            at = self.world.integer(left[2]), self.world.integer(left[3])
            places = self.entries.setdefault(self._key(left[1][1], left[1][2:-1]), {})
            if at in places:
                raise Unknown
            places[at] = rule
        else:
            raise Unknown

    def _key(self, f: str, args: Sequence[Term]) -> Key:
        values = tuple(self.world.value(a) for a in args)
        if not all(is_integer(v) for v in values) or self.world.sorts[f][1][-1] != "R":
            raise Unknown
        return f, values

    def _add(self, table: dict[Key, Rule], key: Key, rule: Rule) -> None:
        if key in self.states or key in self.definitions or key in self.entries:
            raise Unknown
        table[key] = rule

    # -------------------------------------------------------------- values

    def initial(self, w: World, key: Key, order: int, at: Any) -> Any:
        """Before there are series: values at time 0 only."""
        if order or not (isinstance(at, fmpq) and at == 0):
            raise Unknown
        return w.lookup(key, w.sorts[key[0]][2])

    def symbolic(self, w: World, key: Key, order: int, at: Any) -> Any:
        """The states as unknowns, at a time of which nothing is known."""
        if order or not isinstance(at, Moment):
            raise Unknown
        if key in self.states:
            return self.symbols[key]
        return self._defined(w, key, MOMENT, "symbolic")

    def moving(self, w: World, key: Key, order: int, at: Any) -> Any:
        """The series of a function in t, or a derivative at 0."""
        at_zero = isinstance(at, fmpq) and at == 0
        if not at_zero and not (isinstance(at, Series) and at == moment(len(at.c))):
            raise Unknown
        if key in self.states:
            coefficients = self.series[key]
            if at_zero:
                if order >= len(coefficients):
                    raise Unknown
                return _scaled(fmpq(factorial(order)), coefficients[order])
            found = _stacked(coefficients)
        else:
            count = min([len(c) for c in self.series.values()], default=ORDER)
            found = self._defined(w, key, moment(count), count)
        return _map(lambda x: _derived(x, order, at_zero), found)

    def _defined(self, w: World, key: Key, at: Any, precision: Any) -> Any:
        if (key, precision) in self.known:
            found = self.known[key, precision]
            if found is None:
                raise Unknown  # a definition in a circle
            return found
        self.known[key, precision] = None
        if key in self.definitions:
            found = self.evaluate(w, self.definitions[key], at)
        elif key in self.entries:
            shape = w.sorts[key[0]][2]
            rows, cols = w.size(shape[1]), w.size(shape[2])
            places = self.entries[key]
            if set(places) != set(itertools.product(range(1, rows + 1), range(1, cols + 1))):
                raise Unknown
            found = [[self.evaluate(w, places[i, j], at) for j in range(1, cols + 1)] for i in range(1, rows + 1)]
        else:
            found = w.lookup(key, w.sorts[key[0]][2])  # nothing is said of it: it is constant
        self.known[key, precision] = found
        return found

    def evaluate(self, w: World, rule: Rule, at: Any) -> Any:
        """The right side of a rule at a time; a free variable that it draws keeps its value."""
        with ExitStack() as scope:
            for name, value in rule.bound.items():
                scope.enter_context(w.bound(name, "Z", value))
            scope.enter_context(w.bound(rule.time, "R", at))
            return w.value(rule.right)

    # -------------------------------------------------------------- the solution

    def start(self) -> None:
        """Show that the flow exists for all times, and compute its series; raises Unknown."""
        w = self.world
        states = sorted(self.states, key=repr)
        count = 0
        for key in states:
            first = w.lookup(key, w.sorts[key[0]][2])

            def symbol(_: Any) -> Any:
                nonlocal count
                if count >= len(GENERATORS):
                    raise Unknown
                count += 1
                return GENERATORS[count - 1]

            self.symbols[key] = _map(symbol, first)
            self.series[key] = [first]
        w.flow = self.symbolic
        growth: Any = GENERATORS[0] * 0
        for key in states:
            for x, v in zip(_flat(self.symbols[key]), _flat(self.evaluate(w, self.states[key], MOMENT)), strict=True):
                growth = growth + x * v
        for key in (*self.definitions, *self.entries):
            self._defined(w, key, MOMENT, "symbolic")  # polynomials: smooth, and without circles
        if not exists_for_all_times(growth, self.both_ways):
            raise Unknown
        self.known = {}
        w.flow = self.moving
        for k in range(ORDER):
            new = {key: self._coefficient(self.evaluate(w, rule, moment(k + 1)), k, key) for key, rule in self.states.items()}
            for key, value in new.items():
                self.series[key].append(value)
            self.known = {}

    def _coefficient(self, v: Any, k: int, key: Key) -> Any:
        def one(x: Any) -> Any:
            if isinstance(x, Series):
                x = x.c[k] if k < len(x.c) else None
            elif k:
                x = fmpq(0)
            if x is None:
                raise Unknown
            return times(fmpq(1, k + 1), x)

        found = _map(one, v)
        if _shape(found) != _shape(self.series[key][0]):
            raise Unknown
        return found


def _begins(time: str, f: Formula) -> bool:
    """Whether a statement about a time is about times from 0 on only, or one about no derivative."""
    if f[0] != "=>":
        return not _mentions_derivative(f)
    parts = f[1][1:] if f[1][0] == "and" else (f[1],)
    if any(a[0] in ("<", "<=") and isinstance(a[1], int) and a[1] >= 0 and a[2] == time for a in parts):
        return True
    return _begins(time, f[2])


def _mentions_derivative(f: Any) -> bool:
    return isinstance(f, tuple) and (f[:1] in (("d",), ("D",)) or any(_mentions_derivative(a) for a in f))


def exists_for_all_times(growth: fmpq_mpoly, both_ways: bool = False) -> bool:
    """Whether x . F(x) is at most quadratic, or bounded above: minus it, plus a constant, is a sum of squares.

    The second says nothing of negative times.
    """
    terms = {tuple(int(k) for k in m): fmpq(c) for m, c in growth.to_dict().items()}
    if all(sum(m) <= 2 for m in terms):
        return True
    if both_ways:
        return False
    zero = (0,) * len(GENERATORS)
    basis = [zero] + [tuple(k // 2 for k in m) for m in terms if any(m) and all(k % 2 == 0 for k in m)]
    pairs: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for i, a in enumerate(basis):
        for j in range(i, len(basis)):
            pairs.setdefault(tuple(x + y for x, y in zip(a, basis[j], strict=True)), []).append((i, j))
    n = len(basis)
    gram = [[fmpq(0)] * n for _ in range(n)]
    for m, c in terms.items():
        if m not in pairs:
            return False
        square = [p for p in pairs[m] if p[0] == p[1]]
        chosen = square or pairs[m]
        for i, j in chosen:
            share = -c / len(chosen)
            gram[i][j] += share if i == j else share / 2
            if i != j:
                gram[j][i] += share / 2
    gram[0][0] += ENOUGH
    return is_positive_semidefinite(gram)


def is_positive_semidefinite(m: list[list[fmpq]]) -> bool:
    """By elimination with exact pivots."""
    a = [list(r) for r in m]
    n = len(a)
    for k in range(n):
        if a[k][k] < 0 or (a[k][k] == 0 and any(x != 0 for x in a[k][k + 1 :])):
            return False
        if a[k][k] == 0:
            continue
        for i in range(k + 1, n):
            c = a[i][k] / a[k][k]
            if c != 0:
                for j in range(k, n):
                    a[i][j] -= c * a[k][j]
    return True


def equations_of_motion(world: World, hypotheses: Sequence[Formula]) -> tuple[Flow, list[Formula]]:
    """The flow that the hypotheses for all times describe, and the other hypotheses."""
    flow = Flow(world)
    rest: list[Formula] = []
    for h in hypotheses:
        if h[0] == "all" and any(s == "R" for _, s in h[1]):
            flow.read(h, "", {})
        else:
            rest.append(h)
    if not flow.states:
        raise Unknown
    return flow, rest


def moment(length: int) -> Series:
    """The series of the time itself."""
    return Series(tuple(fmpq(int(k == 1)) for k in range(length)))


def _map(f: Any, v: Any) -> Any:
    return [[f(x) for x in r] for r in v] if isinstance(v, list) else f(v)


def _flat(v: Any) -> Iterator[Any]:
    yield from ([x for r in v for x in r] if isinstance(v, list) else [v])


def _shape(v: Any) -> tuple[int, ...]:
    return (len(v), len(v[0])) if isinstance(v, list) else ()


def _scaled(c: fmpq, v: Any) -> Any:
    return _map(lambda x: times(c, x), v)


def _stacked(coefficients: list[Any]) -> Any:
    first = coefficients[0]
    if isinstance(first, list):
        return [
            [Series(tuple(c[i][j] for c in coefficients)) for j in range(len(first[0]))] for i in range(len(first))
        ]
    return Series(tuple(coefficients))


def _derived(x: Any, order: int, at_zero: bool) -> Any:
    if not isinstance(x, Series):
        return times_zero(x) if order else x
    d = x.shifted(order)
    return d.c[0] if at_zero else d
