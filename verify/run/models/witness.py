"""Values for the variables of a list of hypotheses, as terms of the logic: candidates for a proof that they can be met.

Worlds (see `world`) in which the hypotheses seem to hold are turned into terms: numbers and matrices exactly, functions that are
constant in time as such, functions of an integer as polynomials through their values. Whether a candidate meets the hypotheses
is decided by a proof, so nothing here is believed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import flint
from flint import fmpq

from verify.kernel.terms import Formula, LogicError, Sort, Term, free, fresh, subst, subst_sort
from verify.run.derived import conjuncts
from verify.run.models.obtained import Obtained, equations, parameters
from verify.run.models.search import BITS
from verify.run.models.solve import Dead, Solver
from verify.run.models.values import is_integer
from verify.run.models.world import Failure, TooLong, World

STEPS = 60_000
TRIES = 400
SECONDS = 4.0

FEW = ("1", "0", "1", "2")
FLAT = ("0", "0", "0", "1", "2", "1/2")
WIDE = ("1", "0", "2", "1/2", "-1", "4", "33", "1/100", "1000")
SOME = ("1", "2", "1/2", "4", "1/4", "3", "9", "-1", "-2", "5/3", "3/2", "7", "-1/3", "0")
Manners = tuple[tuple[tuple[int, ...], tuple[str, ...], bool], ...]
MANNERS: Manners = (
    ((1,), FEW, True),
    ((1, 1, 2), FEW, True),
    ((2, 2, 1, 3), FEW, True),
    ((1, 1, 2), FLAT, True),
    ((1, 2, 2, 3), WIDE, True),
    ((1,), SOME, True),
    ((1, 2, 3), FEW, False),
    ((2, 2, 1, 2, 3, 1, 2, 0), SOME, True),
    ((2, 3, 2, 4), SOME, True),
    ((2, 2, 1, 2, 3, 1, 2, 0), SOME, False),
)
"""Integers and numbers that are drawn from, and whether functions are constant, of the tries in turn: the simplest first."""

MANNERS_AT_START: Manners = (((1,), FEW, True), ((1, 1, 2), FEW, True), ((2, 2, 1), FLAT, True), ((2, 1, 3), SOME, True))
"""The same where functions are looked at at time 0 only."""

Decls = tuple[tuple[str, Sort], ...]
Values = dict[str, Term]


class _Chooser(Solver):
    """A solver that also chooses matrices whose singular values or inverses are asked for, simple ones, and that takes what is
    asked of all matrices or numbers at a few of them.
    """

    def run(self) -> None:
        w = self.world
        w.unknown = True
        self.draw_integers()
        for name in sorted({n for h in self.hypotheses for n in _inside_operators(h)}):
            sort = w.sorts.get(name)
            if isinstance(sort, tuple) and sort[0] == "M" and name not in w.values:
                w.values[name] = self._simple(w.size(sort[1]), w.size(sort[2]))
        self._guess(w.rng.choice((0.0, 0.0, 0.5, 1.0)))
        super().run()

    def _guess(self, share: float) -> None:
        """Choose some matrices before anything is solved: ones on the diagonal, as equations of degree two often ask for."""
        w = self.world
        for name, sort in list(w.sorts.items()):
            kind = sort[2] if isinstance(sort, tuple) and sort[0] == "F" else sort
            if not (isinstance(kind, tuple) and kind[0] == "M") or w.rng.random() >= share:
                continue
            value = [[fmpq(int(i == j)) for j in range(w.size(kind[2]))] for i in range(w.size(kind[1]))]
            if kind is sort:
                w.values.setdefault(name, value)
            elif w.uniform:
                w.table.setdefault((name, ()), value)

    def _simple(self, rows: int, cols: int) -> Any:
        """A matrix with a diagonal, or with entries as they are drawn."""
        w = self.world
        if w.rng.random() < 0.2:
            return [[w.draw_real() for _ in range(cols)] for _ in range(rows)]
        first = w.rng.choice((1, 1, 2, 3))
        return [[fmpq(max(first - i, 0) if i == j else 0) for j in range(cols)] for i in range(rows)]

    def _instances(self, decls: Any, body: Formula) -> Iterator[tuple[Any, ...]]:
        w = self.world
        if decls and decls[0][1] != "Z" and not (isinstance(decls[0][1], tuple) and decls[0][1][0] == "F"):
            name, sort = decls[0]
            if not (sort == "R" and w.is_time(name, body)):
                for k, value in enumerate(self._few(sort)):
                    with w.bound(name, sort, value), w.unbound(decls[1:]):
                        for more in self._instances(decls[1:], body):
                            yield (f"{name}{k}", *more)
                return
        yield from super()._instances(decls, body)

    def _few(self, sort: Sort) -> Iterator[Any]:
        """A few values of a sort: numbers, or the unit matrices."""
        if isinstance(sort, str):
            yield from (fmpq(1), fmpq(2))
            return
        rows, cols = self.world.size(sort[1]), self.world.size(sort[2])
        for i in range(rows):
            for j in range(cols):
                yield [[fmpq(int((i, j) == (r, c))) for c in range(cols)] for r in range(rows)]


def _inside_operators(f: Any) -> Iterator[str]:
    """The variables of which singular values, norms, ranks or an inverse are asked for."""
    if isinstance(f, tuple) and f:
        if f[0] in ("op", "inv"):
            yield from (n for a in f[1:] if isinstance(a, tuple) or f[0] == "inv" or a is f[2] for n in free(a))
        for a in f[1:] if isinstance(f[0], str) else f:
            yield from _inside_operators(a)


@dataclass(frozen=True)
class Candidate:
    """Terms for the variables of some hypotheses, and for those that an `ex` among these asks for."""

    values: Values
    inner: tuple[tuple[Term, ...], ...]
    sure: bool
    """Whether every hypothesis is known to be true in the world that the terms were taken from."""
    flow: Obtained | None = None
    """How functions are obtained whose names stand as values."""


def candidates(decls: Decls, hypotheses: tuple[Formula, ...], seed: int = 1, seconds: float = SECONDS) -> Iterator[Candidate]:
    """Terms that may meet the hypotheses, first those that are known to."""
    names = [n for n, _ in decls]
    more, facts, groups = hoisted(decls, hypotheses)
    for sure, values in _found(more, facts, seed, seconds):
        inner = tuple(tuple(values[n] for n in group) for group in groups)
        yield Candidate({n: values[n] for n in names}, inner, sure)
    if groups:
        for sure, values in _found(decls, hypotheses, seed, seconds):
            yield Candidate(values, (), sure)
    yield from _flowing(decls, hypotheses, seed, seconds)


def _flowing(decls: Decls, hypotheses: tuple[Formula, ...], seed: int, seconds: float) -> Iterator[Candidate]:
    """Candidates in which two functions are the flow of two layers, by values at time 0."""
    began = time.process_time()
    for laws in equations(decls, hypotheses):
        kept, facts, defined = unfolded(decls, laws.rest, frozenset(laws.names))
        right = tuple(_put_in(e, defined) for e in laws.right)
        laws = replace(laws, right=(right[0], right[1]))
        for k in range(TRIES):
            if time.process_time() - began > seconds:
                return
            moments = [n for n, s in kept if s == "R" and k % 2 == 0 and _is_moment(n, decls, hypotheses)]
            found = _world(kept, facts, k, f"{seed}:{k}", MANNERS_AT_START, moments)
            if found is None or (given := parameters(found[0], laws)) is None:
                continue
            sizes = (len(given[0]), len(given[1]), len(given[1][0]))
            flow = Obtained(laws.names, (*sizes, *map(term, given)))
            values = _terms(found[0], decls, defined, {n: f"{n}_flow" for n in laws.names})
            if values is not None:
                yield Candidate(values, (), False, flow)


def _is_moment(name: str, decls: Decls, hypotheses: tuple[Formula, ...]) -> bool:
    """Whether a variable is used as a time only."""
    world = World(random.Random(0), dict(decls))
    return all(world.is_time(name, h) for h in hypotheses)


def _put_in(e: Term, defined: list[tuple[str, Term]]) -> Term:
    for name, value in defined:
        e = subst(e, {name: value})
    return e


def hoisted(decls: Decls, hypotheses: tuple[Formula, ...]) -> tuple[Decls, tuple[Formula, ...], list[list[str]]]:
    """What an `ex` among the hypotheses asks for, as further variables and hypotheses; also the names of each group."""
    groups: list[list[str]] = []
    out: list[Formula] = []
    queue = list(hypotheses)
    while queue:
        h = queue.pop(0)
        if h[0] != "ex":
            out.append(h)
            continue
        taken = {n for n, _ in decls}
        renaming: dict[str, Any] = {}
        for name, sort in h[1]:
            new = fresh(name, taken)
            taken.add(new)
            decls = (*decls, (new, subst_sort(sort, renaming)))
            renaming[name] = new
        groups.append([renaming[n] for n, _ in h[1]])
        queue = [*conjuncts(subst(h[2], renaming)), *queue]
    return decls, tuple(out), groups


def _found(decls: Decls, hypotheses: tuple[Formula, ...], seed: int, seconds: float) -> Iterator[tuple[bool, Values]]:
    kept, facts, defined = unfolded(decls, hypotheses)
    began = time.process_time()
    doubtful: list[Values] = []
    for k in range(TRIES):
        if time.process_time() - began > seconds:
            break
        found = _world(kept, facts, k, f"{seed}:{k}")
        if found is None:
            continue
        world, sure = found
        values = _terms(world, decls, defined)
        if values is None:
            continue
        if sure:
            yield True, values
        elif len(doubtful) < 3:
            doubtful.append(values)
    for values in doubtful:
        yield False, values


def _world(
    decls: Decls, hypotheses: tuple[Formula, ...], k: int, seed: str, manners: Manners | None = None, moments: Sequence[str] = ()
) -> tuple[World, bool] | None:
    """A world that was solved for the hypotheses, and whether they all are certainly true; None when one is false.

    moments: variables that are 0.
    """
    manners = manners or MANNERS
    integers, reals, uniform = manners[k % len(manners)]
    with flint.ctx.workprec(BITS):
        world = World(random.Random(seed), dict(decls), steps=STEPS, uniform=uniform, integers=integers, reals=reals)
        world.normed = k % 2 == 1
        try:
            world.values |= dict.fromkeys(moments, fmpq(0))
            _Chooser(world, hypotheses).run()
            truths = [world.holds(h) for h in hypotheses]
        except (Dead, TooLong, *Failure):
            return None
        if False in truths:
            return None
        return world, None not in truths


def unfolded(
    decls: Decls, hypotheses: tuple[Formula, ...], fixed: frozenset[str] = frozenset()
) -> tuple[Decls, tuple[Formula, ...], list[tuple[str, Term]]]:
    """Replace a variable x by e where `x = e` is a hypothesis, and a function by what it is said to be at all arguments.

    Also what was put in, in the order in which it was; `fixed` names what is not replaced.
    """
    defined: list[tuple[str, Term]] = []
    at = 0
    while at < len(hypotheses):
        for x, e in _definitions({n: s for n, s in decls if n not in fixed}, hypotheses[at]):
            try:
                others = tuple(subst(g, {x: e}) for g in (*hypotheses[:at], *hypotheses[at + 1 :]))
            except LogicError:  # a derivative of an order that is no number
                continue
            hypotheses = others
            decls = tuple((n, s) for n, s in decls if n != x)
            defined.append((x, e))
            at = -1
            break
        at += 1
    return decls, hypotheses, defined


def _definitions(sorts: dict[str, Sort], h: Formula) -> Iterator[tuple[str, Term]]:
    """The variables that a hypothesis defines, each with its value."""
    if h[0] == "=":
        for x, e in ((h[1], h[2]), (h[2], h[1])):
            sort = sorts.get(x) if isinstance(x, str) else None
            if sort is not None and sort != "Z" and sort[0] != "F" and x not in free(e):
                yield x, e
        return
    body, arguments = h, []
    while body[0] in ("all", "=>"):
        arguments += list(body[1]) if body[0] == "all" else []
        body = body[2]
    if not arguments or body[0] != "=":
        return
    bound = dict(arguments)
    for left, e in ((body[1], body[2]), (body[2], body[1])):
        if isinstance(left, tuple) and left[0] == "call" and left[1] in sorts and left[1] not in free(e):
            names = left[2:]
            if len(set(names)) == len(names) and all(n in bound for n in names) and not (free(e) & bound.keys()) - set(names):
                yield left[1], ("lam", tuple((n, bound[n]) for n in names), e)


def _terms(world: World, decls: Decls, defined: list[tuple[str, Term]], given: dict[str, str] | None = None) -> Values | None:
    """The values of a world as closed terms; None when one has no such term. `given`: names that stand for functions."""
    found: Values = dict(given or {})
    try:
        for name, sort in decls:
            if name in found or any(name == x for x, _ in defined):
                continue
            functional = isinstance(sort, tuple) and sort[0] == "F"
            found[name] = _function(world, name, sort) if functional else term(world.value(name))
        for name, e in reversed(defined):
            put_in = subst(e, found)
            found[name] = put_in if isinstance(e, tuple) and e[0] == "lam" else _evaluated(world, put_in)
    except (TooLong, *Failure):
        return None
    return found


def _evaluated(world: World, e: Term) -> Term:
    """The exact value of a closed term, or the term."""
    try:
        return term(world.value(e))
    except Failure:
        return e


def term(v: Any) -> Term:
    """An exact value as a term; multiples of identity matrices, of matrices of ones and zero matrices as such."""
    if isinstance(v, fmpq):
        return int(v.p) if v.q == 1 else ("q", int(v.p), int(v.q))
    if not isinstance(v, list):
        raise TypeError("no exact value")
    rows, cols = len(v), len(v[0])
    first = v[0][0]
    if not all(isinstance(x, fmpq) for r in v for x in r):
        raise TypeError("no exact value")
    if all(x == 0 for r in v for x in r):
        return ("O", rows, cols)
    if rows == cols and all(x == (first if i == j else 0) for i, r in enumerate(v) for j, x in enumerate(r)):
        one: Term = ("I", rows)
    elif all(x == first for r in v for x in r):
        one = ("J", rows, cols)
    else:
        return ("mat", tuple(tuple(term(x) for x in r) for r in v))
    return one if first == 1 else ("sm", term(first), one)


def _function(world: World, name: str, sort: Sort) -> Term:
    arguments = tuple((f"{'x' if s == 'R' else 'k' if s == 'Z' else 'X'}{i}", s) for i, s in enumerate(sort[1]))
    if world.normed and len(arguments) == 1 and isinstance(sort[1][0], tuple) and sort[2] == "R":
        return ("lam", ((arguments[0][0], shape := _closed(world, sort[1][0])),), _entry_norm(arguments[0][0], shape))
    table = {key[1]: v for key, v in world.table.items() if key[0] == name}
    if not table:
        body = default(world, sort[2])
    elif len({str(v) for v in table.values()}) == 1:
        body = term(next(iter(table.values())))
    else:
        integers = [n for n, s in arguments if s == "Z"]
        if len(integers) != 1 or not all(len(k) == 1 and is_integer(k[0]) for k in table):
            raise TypeError("a function of several integers")
        body = _interpolated(integers[0], {int(k[0].p): v for k, v in table.items()}, sort[2])
    return ("lam", tuple((n, _closed(world, s)) for n, s in arguments), body)


def _entry_norm(x: str, shape: Sort) -> Term:
    """The sum of the absolute values of the entries of a matrix."""
    entries = [("abs", ("entry", x, i, j)) for i in range(1, shape[1] + 1) for j in range(1, shape[2] + 1)]
    return entries[0] if len(entries) == 1 else ("+", *entries)


def _closed(world: World, sort: Sort) -> Sort:
    """A sort of an argument with its sizes put in."""
    return sort if isinstance(sort, str) else ("M", world.size(sort[1]), world.size(sort[2]))


def default(world: World, sort: Sort) -> Term:
    """A value of a sort of which nothing is asked."""
    if isinstance(sort, str):
        return 1
    return ("O", world.size(sort[1]), world.size(sort[2]))


def _interpolated(k: str, table: dict[int, Any], sort: Sort) -> Term:
    """The polynomial in an integer through some values; for integer values only if it is one with integer coefficients."""
    if isinstance(sort, tuple):
        one = next(iter(table.values()))
        rows = []
        for i in range(len(one)):
            rows.append(tuple(_interpolated(k, {at: v[i][j] for at, v in table.items()}, "R") for j in range(len(one[0]))))
        return ("mat", tuple(rows))
    points = sorted(table)
    if not all(isinstance(table[p], fmpq) for p in points):
        raise TypeError("no exact value")
    coefficients = [fmpq(0)] * len(points)
    for p in points:
        row, scale = [fmpq(1)], fmpq(1)
        for q in points:
            if q != p:
                row = [a - q * b for a, b in zip([fmpq(0), *row], [*row, fmpq(0)], strict=True)]
                scale *= p - q
        for i, c in enumerate(row):
            coefficients[i] += table[p] * c / scale
    if sort == "Z" and not all(c.q == 1 for c in coefficients):
        raise TypeError("no polynomial with integer values")
    terms: list[Term] = []
    for i, c in enumerate(coefficients):
        if c != 0:
            power: Term = 1 if i == 0 else k if i == 1 else ("^", k, i)
            terms.append(term(c) if i == 0 else power if c == 1 else ("*", term(c), power))
    return 0 if not terms else terms[0] if len(terms) == 1 else ("+", *terms)
