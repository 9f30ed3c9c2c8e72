"""Choosing values that make hypotheses true: equations are solved for unknowns one at a time, what is left is drawn.

Nothing here decides anything: whether the hypotheses are true is asked of the finished world again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq, fmpq_mpoly

from verify.kernel.terms import UNARY, Formula, free
from verify.run.models.values import GENERATORS, Ray, Unknown, is_integer, plain, plus, times
from verify.run.models.world import MOMENT, Failure, World

ROUNDS = 80
CANDIDATES = 8


class Dead(Exception):
    """A hypothesis is false."""


@dataclass
class Solver:
    """Fills a world so that hypotheses may hold."""

    world: World
    hypotheses: Sequence[Formula]
    choices: dict[Any, int] = field(default_factory=dict)
    equations: list[fmpq_mpoly] = field(default_factory=list)
    defining: bool = False
    """Whether equations are only used to define values."""
    defined: bool = False
    """Whether any did."""
    stuck: set[str] = field(default_factory=set)
    """Unknown numbers in equations that are no polynomials while these are unknown."""

    def run(self) -> None:
        """Solve and draw until no unknown is left; raises Dead."""
        w = self.world
        w.unknown = True
        self.draw_integers()
        for name in sorted({n for h in self.hypotheses for n in _not_polynomial(h)}):
            if w.sorts.get(name) == "R" and name not in w.values:
                w.values[name] = w.fresh()
                self.stuck = {name}
                self._draw()
        for _ in range(ROUNDS):
            self.equations, self.stuck = [], set()
            self._define_all()
            for h in self.hypotheses:
                self.demand(h, ())
            if self.stuck:
                self._draw()
            elif not self._eliminate() and not self._draw():
                break
        w.unknown = False

    def _define_all(self) -> None:
        self.defining = self.defined = True
        while self.defined:
            self.defined = False
            for h in self.hypotheses:
                self.demand(h, ())
        self.defining = False

    def draw_integers(self) -> None:
        """Draw the integer variables in their order, each so that no bound of it is missed."""
        w = self.world
        names = [n for n, s in w.sorts.items() if s == "Z" and n not in w.values]
        for k, name in enumerate(names):
            with w.unbound([(n, "Z") for n in names[k + 1 :]]):
                self._draw_integer(name)

    def _draw_integer(self, name: str) -> None:
        w = self.world
        for _ in range(CANDIDATES):
            w.values[name] = w.draw_integer()
            if not any(h[0] in ("<", "<=", "!=") and w.holds(h) is False for h in self.hypotheses):
                return
        raise Dead

    # -------------------------------------------------------------- what the hypotheses ask for

    def demand(self, f: Formula, path: tuple[Any, ...]) -> None:
        """Note the equations that a formula asks for, at all values of its integer variables in the window."""
        w = self.world
        head = f[0]
        if head == "and":
            for a in f[1:]:
                self.demand(a, path)
        elif head == "=>":
            if w.holds(f[1]) is True:
                self.demand(f[2], path)
        elif head == "all":
            body = f[2]
            for name, sort in f[1]:
                if sort == "R" and w.is_time(name, body):
                    body = w.unguarded(name, body)
            for step in self._instances(f[1], body):
                self.demand(body, (*path, *step))
        elif head == "or":
            if not self.defining and not any(w.holds(a) is True for a in f[1:]):
                key = (f, path)
                if key not in self.choices:
                    self.choices[key] = w.rng.randrange(1, len(f))
                self.demand(f[self.choices[key]], path)
        elif head == "=":
            self._equation(f[1], f[2])
        elif head == "tends" and w.flow is None:
            with w.bound(f[1], "R", MOMENT):
                self._equation(f[2], f[3])
        elif not self.defining and w.holds(f) is False:
            raise Dead

    def _instances(self, decls: Any, body: Formula) -> Iterator[tuple[Any, ...]]:
        w = self.world
        if not decls:
            yield ()
            return
        (name, sort), rest = decls[0], decls[1:]
        options: list[Any] = []
        if sort == "Z":
            options = [k for k in w.window() if not isinstance(k, Ray)]
        elif sort == "R" and w.is_time(name, body):
            options = [MOMENT if w.flow is None else fmpq(0)]
        for value in options:
            with w.bound(name, sort, value):
                with w.unbound(rest):
                    vacuous = body[0] == "=>" and w.holds(w.unguarded(name, body)[1]) is False
                if not vacuous:
                    for more in self._instances(rest, body):
                        yield (str(value), *more)

    def _equation(self, left: Any, right: Any) -> None:
        w = self.world
        if self._define(left, right) or self._define(right, left) or self.defining:
            return
        try:
            difference = plus(w.value(left), _negative(w.value(right)))
        except Failure:
            self.stuck |= {n for n in free(left) | free(right) if isinstance(w.values.get(n), fmpq_mpoly)}
            return
        for x in [x for r in difference for x in r] if isinstance(difference, list) else [difference]:
            if isinstance(x, fmpq_mpoly):
                self.equations.append(x)
            elif isinstance(x, fmpq) and x != 0:
                raise Dead

    def _define(self, left: Any, right: Any) -> bool:
        """Give a function the value that an equation says, if the other side mentions no value that is not there yet."""
        w = self.world
        if not (isinstance(left, tuple) and left[0] == "call"):
            return False
        sort = w.sorts[left[1]]
        timed = sort[1][-1] == "R"
        w.complete = sort[2] != "Z"
        try:
            key = w.key(left[1], left[2:])
            if key in w.table:
                return False
            if timed and w.flow is not None and w.value(left[-1]) != 0:
                return False
            value = w.value(right)
        except Failure:
            return False
        finally:
            w.complete = False
        if sort[2] == "Z" and not is_integer(value):
            return False
        w.table[key] = value
        self.defined = True
        return True

    # -------------------------------------------------------------- solving

    def _eliminate(self) -> bool:
        """Solve equations for unknowns, one after another, then put the solutions in everywhere."""
        solved: dict[int, Any] = {}
        while (found := self._solution()) is not None:
            u, value = found
            put_in = _substitution({u: value})
            solved = {k: put_in(v) for k, v in solved.items()} | {u: value}
            left: list[fmpq_mpoly] = []
            for p in map(put_in, self.equations):
                if isinstance(p, fmpq_mpoly):
                    left.append(p)
                elif p != 0:
                    raise Dead
            self.equations = left
        if solved:
            self._put(solved)
        return bool(solved)

    def _solution(self) -> tuple[int, Any] | None:
        """An unknown and its value, from one equation or a factor of it."""
        for p in sorted(self.equations, key=len):
            found = [(p, u) for u in _solvable(p)]
            if not found and len(p) < 40:
                found = [(q, u) for q, _ in p.factor()[1] for u in _solvable(q)]
            if found:
                q, u = self.world.rng.choice(found)
                exponent = tuple(int(k == u) for k in range(len(GENERATORS)))
                lead = fmpq(q.to_dict()[exponent])
                return u, (GENERATORS[u] * lead - q) * (1 / lead)
        return None

    def _put(self, solved: dict[int, Any]) -> None:
        put_in = _substitution(solved)
        w = self.world
        w.values = {k: v if isinstance(v, fmpq) else put_in(v) for k, v in w.values.items()}
        w.table = {k: v if isinstance(v, fmpq) else put_in(v) for k, v in w.table.items()}

    def _draw(self) -> bool:
        """Draw one unknown: one that stands in an equation with the highest degree, if there is any."""
        w = self.world
        left: list[Any] = [w.values[n] for n in sorted(self.stuck)] or self.equations
        left = left or [x for v in (*w.values.values(), *w.table.values()) for x in _entries(v)]
        degrees: dict[int, int] = {}
        for p in left:
            if isinstance(p, fmpq_mpoly):
                for u, d in enumerate(p.degrees()):
                    if d:
                        degrees[u] = max(degrees.get(u, 0), d)
        if not degrees:
            return False
        top = max(degrees.values())
        u = w.rng.choice(sorted(k for k, d in degrees.items() if d == top or not self.equations))
        before = dict(w.values), dict(w.table)
        for _ in range(CANDIDATES):
            self._put({u: w.draw_real()})
            if not any(h[0] in ("<", "<=", "!=") and w.holds(h) is False for h in self.hypotheses):
                return True
            w.values, w.table = dict(before[0]), dict(before[1])
        raise Dead


def _substitution(solved: dict[int, Any]) -> Callable[[Any], Any]:
    """Puts values in the place of unknowns."""
    images = list(GENERATORS)
    for u, value in solved.items():
        images[u] = GENERATORS[0] * 0 + value

    def new(x: Any) -> Any:
        if isinstance(x, fmpq_mpoly):
            return plain(x.compose(*images))
        return [[new(y) for y in r] for r in x] if isinstance(x, list) else x

    return new


def _not_polynomial(f: Any) -> Iterator[str]:
    """The variables that a formula divides by, has in an exponent, or puts in a function."""
    if isinstance(f, tuple) and f:
        if f[0] in ("/", "^"):
            yield from free(f[2])
        elif f[0] in UNARY or f[0] in ("inv", "op", "min", "max"):
            yield from (n for a in f[1:] if isinstance(a, tuple) or f[0] != "op" for n in free(a))
        for a in f[1:] if isinstance(f[0], str) else f:
            yield from _not_polynomial(a)


def _negative(v: Any) -> Any:
    return [[times(fmpq(-1), x) for x in r] for r in v] if isinstance(v, list) else times(fmpq(-1), v)


def _entries(v: Any) -> list[Any]:
    return [x for r in v for x in r] if isinstance(v, list) else [v]


def _solvable(p: fmpq_mpoly) -> list[int]:
    """The unknowns that occur in one term alone, and there by themselves."""
    terms = [tuple(int(k) for k in m) for m in p.monoms()]
    seen: dict[int, int] = {}
    for m in terms:
        for u, d in enumerate(m):
            if d:
                seen[u] = seen.get(u, 0) + 1
    return [m.index(1) for m in terms if sum(m) == 1 and seen[m.index(1)] == 1]


__all__ = ["Dead", "Solver", "Unknown"]
