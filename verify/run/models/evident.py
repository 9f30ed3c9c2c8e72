"""Proofs that given values meet hypotheses: a script for formulas that are true on sight once values are put in.

Every step is one of the kernel's; the order in which they are tried is all that is decided here.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from verify.kernel import Goal, LogicError, Theorem
from verify.kernel import prove as mint
from verify.kernel.finite import Evaluator
from verify.kernel.rules import Node
from verify.kernel.tactics import no_lemmas
from verify.kernel.terms import Formula, Term, free, negate, sort_of, subst
from verify.run.derived import conjuncts
from verify.run.models import norms
from verify.run.models.obtained import FACT
from verify.run.models.witness import Candidate, candidates

Step = Callable[[Goal], None]
BUDGET = 100_000
"""Steps of the exact evaluation of one formula."""
DEPTH = 14
RANGE = 12
"""How many integers a case distinction has at most."""


class Late(LogicError):
    """The search has no time left."""


FAILURES = (LogicError, ArithmeticError, RecursionError, ValueError)
"""How a step that is tried may end."""


def _replace(g: Goal, step: Step) -> None:
    """Close the goal by a step that is tried out on a copy."""
    node: Node = {}
    probe = Goal(g.seq, node, g.lemmas)
    step(probe)
    if not probe.closed:
        raise LogicError("a goal is left open")
    g._node.clear()
    g._node.update(node)
    g.closed = True


class Evident:
    """Closes goals whose conclusion holds by evaluation, by the form of the values, or by a short search."""

    def __init__(self, seconds: float, inner: tuple[tuple[Term, ...], ...] = ()) -> None:
        self.end = time.process_time() + seconds
        self.inner = inner
        """Terms for some `ex` in the conclusion."""

    def __call__(self, g: Goal, depth: int = 0) -> None:
        """Close the goal; raises LogicError when nothing that is tried does."""
        if time.process_time() > self.end:
            raise Late("no time left")
        if depth > DEPTH:
            raise LogicError("too deep")
        head = g.concl[0]
        if head not in ("all", "=>", "and") and g._trivial():
            return
        if not free(g.concl) and self.attempt(g, _compute):
            return
        steps = {
            "and": self._and, "or": self._or, "all": self._all, "=>": self._implication, "iff": self._iff, "ex": self._exists,
            "not": self._not, "=": self._equation, "!=": self._different, "<": self._inequality, "<=": self._inequality,
            "tends": self._limit, "false": self._false,
        }  # fmt: skip
        step = steps.get(head)
        if step is None:
            raise LogicError(f"nothing is tried for {head}")
        if head in ("and", "all", "=>", "iff", "ex"):
            step(g, depth)
        else:
            self.first(g, lambda g: step(g, depth), lambda g: self._index_cases(g, depth))

    def attempt(self, g: Goal, step: Step) -> bool:
        """Close the goal by a step, or leave it as it was."""
        try:
            _replace(g, step)
        except FAILURES:
            return False
        return True

    def first(self, g: Goal, *steps: Step) -> None:
        """The first step that closes the goal."""
        for step in steps:
            if time.process_time() > self.end:
                raise Late("no time left")
            if self.attempt(g, step):
                return
        raise LogicError(f"not evident\n{g}")

    # ------------------------------------------------------------------ logic

    def _deeper(self, depth: int) -> Step:
        return lambda g: self(g, depth + 1)

    def _and(self, g: Goal, depth: int) -> None:
        g.conj(*[self._deeper(depth)] * (len(g.concl) - 1))

    def _or(self, g: Goal, depth: int) -> None:
        def member(i: int) -> Step:
            def step(g: Goal) -> None:
                g.left_or_right(i)
                self(g, depth + 1)

            return step

        self.first(g, *(member(i) for i in range(len(g.concl) - 1)))

    def _iff(self, g: Goal, depth: int) -> None:
        self.first(g, lambda g: g.iff(self._deeper(depth), self._deeper(depth)), norms.definite)

    def _not(self, g: Goal, depth: int) -> None:
        inner = g.concl[1]
        opposite = g.have(negate(inner), self._deeper(depth))
        h = g.assume()
        g.clash(h, opposite)

    def _all(self, g: Goal, depth: int) -> None:
        g.fix()
        self(g, depth + 1)

    def _implication(self, g: Goal, depth: int) -> None:
        h = g.assume()
        new = g.split_all(h) if g.hyp_formula(h)[0] == "and" else [h]
        self.first(g, *self._without_hypothesis(g, depth), lambda g: self._by_new(g, new, depth))

    def _without_hypothesis(self, g: Goal, depth: int) -> list[Step]:
        """The conclusion at once, unless it begins with a connective."""
        return [] if g.concl[0] in ("all", "=>", "ex") else [self._deeper(depth)]

    def _by_new(self, g: Goal, new: list[str], depth: int) -> None:
        """Use what was assumed: false on sight, alternatives, an instance of something, or a bounded integer."""
        for h in new:
            f = g.hyp_formula(h)
            if f[0] == "false":
                g.step("absurd", h=h)
                return
            if f[0] == "or":
                g.cases(h, *[lambda g: self._by_new(g, [next(reversed(g.seq.hyps))], depth + 1)] * (len(f) - 1))
                return
            if f[0] == "ex":
                found = g.obtain(h)
                self._by_new(g, found, depth + 1)
                return
        for h in new:
            f = g.hyp_formula(h)
            if f[0] in ("=", "!=", "<", "<=", "not", "iff") and self.attempt(g, partial(self._refuted, h=h, f=f)):
                return
        _tidy_bounds(g)
        for x in self._bounded(g):
            if self.attempt(g, partial(self._integer_cases, x=x, depth=depth)):
                return
        if g.concl[0] in ("all", "=>", "ex"):
            self(g, depth + 1)
            return
        raise LogicError(f"not evident\n{g}")

    def _refuted(self, g: Goal, h: str, f: Formula) -> None:
        """A hypothesis that is false on sight."""
        opposite = negate(f)
        if free(opposite) and opposite[0] not in ("=", "!=", "<", "<="):
            raise LogicError("not tried")
        k = g.have(opposite, self._plain)
        g.clash(h, k)

    def _plain(self, g: Goal) -> None:
        """Evaluation or a normal form, no search."""
        c = g.concl
        if not free(c) and self.attempt(g, _compute):
            return
        if g._trivial():
            return
        if c[0] == "=":
            scalar = isinstance(sort_of(c[1], g.seq.ctx), str)
            self.first(g, (lambda g: g.field()) if scalar else (lambda g: g.nc()), *([] if scalar else [_by_entries]))
        elif c[0] in ("<", "<="):
            self.first(g, lambda g: g.nlin(products=1))
        else:
            raise LogicError("not plain")

    # ------------------------------------------------------------------ integers in a range

    def _bounded(self, g: Goal) -> list[str]:
        """Integer variables with literal bounds on both sides among the hypotheses."""
        return [x for x, s in g.seq.ctx.items() if s == "Z" and _bounds(g, x) is not None]

    def _integer_cases(self, g: Goal, x: str, depth: int) -> None:
        """Each integer between the bounds of a variable in turn."""
        bounds = _bounds(g, x)
        if bounds is None:
            raise LogicError(f"{x} has no bounds")
        lo, hi, low, high = bounds
        if hi - lo >= RANGE:
            raise LogicError("too many integers")
        if hi < lo:
            g.contra("absurd_")
            g.nlin(products=1, use=[low, high])
            return
        self._cases_from(g, x, lo, hi, low, high, depth)

    def _cases_from(self, g: Goal, x: str, at: int, hi: int, low: str, high: str, depth: int) -> None:
        h = g.by_fact("lt_or_eq", at, x, by=[lambda g: g.close_by(low)]) if at < hi else ""

        def equal(g: Goal, eq: str) -> None:
            self._put_in(g, x, at, eq, depth)

        if at == hi:
            eq = g.have(("=", x, at), lambda g: g.antisym(lambda g: g.close_by(high), lambda g: g.close_by(low)))
            equal(g, eq)
            return

        def above(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            k = g.by_fact("int_lt", at, x, by=[lambda g: g.close_by(strict)])
            up = g.have(("<=", at + 1, x), lambda g: g.nlin(products=1, use=[k]))
            self._cases_from(g, x, at + 1, hi, up, high, depth)

        def here(g: Goal) -> None:
            turned = next(reversed(g.seq.hyps))
            eq = g.have(("=", x, at), lambda g: g.field((turned, -1)))
            equal(g, eq)

        g.cases(h, above, here)

    def _put_in(self, g: Goal, x: str, value: int, eq: str, depth: int) -> None:
        """Put the value of an integer variable in the conclusion and in the hypotheses about it."""
        if x in free(g.concl):
            f = subst(g.concl, {x: value})
            n = g.have(f, lambda g: self._instance(g, x, value, eq, depth))
            pattern, v = _with_hole(g.concl, x, g)
            same, rest = g.step("leibniz", v=v, sort="Z", f=pattern, a=x, b=value)
            same.close_by(eq)
            rest.close_by(n)
            return
        self._instance(g, x, value, eq, depth)

    def _instance(self, g: Goal, x: str, value: int, eq: str, depth: int) -> None:
        new: list[str] = []
        for h, f in list(g.seq.hyps.items()):
            if h != eq and x in free(f):
                pattern, v = _with_hole(f, x, g)
                swapped = subst(pattern, {v: value})

                def script(g: Goal, h: str = h, pattern: Formula = pattern, v: str = v) -> None:
                    same, rest = g.step("leibniz", v=v, sort="Z", f=pattern, a=value, b=x)
                    same.step("field", eqs=((eq, -1),))
                    rest.close_by(h)

                new.append(g.have(swapped, script))
        g.clear(*[h for h, f in g.seq.hyps.items() if x in free(f)])
        self.first(g, *self._without_hypothesis(g, depth), lambda g: self._by_new(g, new, depth + 1))

    # ------------------------------------------------------------------ atoms

    def _equation(self, g: Goal, depth: int) -> None:
        sort = sort_of(g.concl[1], g.seq.ctx)
        if isinstance(sort, str):
            self.first(
                g, lambda g: g.field(), lambda g: g.nlin(), lambda g: self._by_values(g, depth),
                lambda g: self._squares_agree(g), norms.homogeneous, partial(self._at_start, depth=depth),
            )  # fmt: skip
        else:
            values, started = partial(self._by_values, depth=depth), partial(self._at_start, depth=depth)
            steps: list[Step] = [_by_entries, _as_hypothesis, _as_derivative, started, self._matrix_sum, values]
            self.first(g, lambda g: g.nc(), *steps, _by_entries_of_hypotheses)

    def _at_start(self, g: Goal, depth: int) -> None:
        """Put in the values of obtained functions at time 0."""
        for h, f in g.seq.hyps.items():
            if f[0] == "=" and isinstance(f[1], tuple) and f[1][0] == "call" and not free(f[2]) and f[1] in _subterms(g.concl):
                g.rewrite(h)
                self(g, depth + 1)
                return
        raise LogicError("no value at a start")

    def _matrix_sum(self, g: Goal) -> None:
        """Put in the terms of a sum of matrices with literal bounds."""
        for e in set(_subterms(g.concl)):
            if e[0] == "sum" and not free(e) and isinstance(sort_of(e, g.seq.ctx), tuple):
                m, n = sort_of(e, g.seq.ctx)[1:]
                _, i, lo, hi, body = e
                if i not in free(body):
                    h = g.by_fact("matrix_sum_const", m, n, lo, hi, body)
                elif hi < lo:
                    h = g.by_fact("matrix_sum_empty", m, n, lo, hi, ("lam", ((i, "Z"),), body))
                else:
                    h = g.by_fact("matrix_sum_last", m, n, lo, hi, ("lam", ((i, "Z"),), body))
                g.rewrite(h)
                _fold(g)
                self(g, DEPTH - 6)
                return
        raise LogicError("no sum of matrices")

    def _different(self, g: Goal, depth: int) -> None:
        sort = sort_of(g.concl[1], g.seq.ctx)
        if isinstance(sort, str):
            self.first(g, lambda g: g.field(), Goal.condition, lambda g: g.ball(box={}), lambda g: self._by_values(g, depth))
            return
        rows, cols = sort[1], sort[2]
        if not (isinstance(rows, int) and isinstance(cols, int)):
            raise LogicError("no literal shape")

        def at(i: int, j: int) -> Step:
            def step(g: Goal) -> None:
                a, b = g.concl[1:]
                eq = g.contra()
                unequal = ("!=", ("entry", a, i, j), ("entry", b, i, j))
                gap = g.have(unequal, lambda g: self.first(g, _compute, lambda g: g.field()))
                same = g.have(("=", ("entry", a, i, j), ("entry", b, i, j)), lambda g: g.ctx(lambda g: g.close_by(eq)))
                g.clash(same, gap)

            return step

        self.first(g, *(at(i, j) for i in range(1, rows + 1) for j in range(1, cols + 1)))

    def _inequality(self, g: Goal, depth: int) -> None:
        flat = [lambda g: g.ball(box={})] if not free(g.concl) else []
        self.first(
            g, *flat, lambda g: g.nlin(products=1), lambda g: g.nlin(products=2), partial(self._at_start, depth=depth),
            lambda g: _with_squares(g), norms.subadditive, norms.by_absolute_values,
            lambda g: self._by_values(g, depth), lambda g: g.sos(),
        )  # fmt: skip

    def _false(self, g: Goal, depth: int) -> None:
        self.first(g, lambda g: g.nlin(products=1), lambda g: self._by_new(g, list(g.seq.hyps), depth + 1))

    def _index_cases(self, g: Goal, depth: int) -> None:
        """An entry of an explicit matrix at variable indices: outside it is 0, inside each index is tried."""
        found = [e for f in (g.concl, *g.seq.hyps.values()) for e in _subterms(f) if e[0] == "entry" and not free(e[1])]
        for e in dict.fromkeys(found):
            _, rows, cols = sort_of(e[1], g.seq.ctx)
            if not (isinstance(rows, int) and isinstance(cols, int)):
                continue
            for index, size in ((e[2], rows), (e[3], cols)):
                if isinstance(index, str) and g.seq.ctx.get(index) == "Z":
                    outside = g.fact("entry_outside", rows, cols, e[1])
                    self._index_case(g, e, index, size, outside, depth)
                    return
        raise LogicError(f"not evident\n{g}")

    def _index_case(self, g: Goal, e: Term, index: str, size: int, outside: str, depth: int) -> None:
        def away(g: Goal) -> None:
            k = g.apply(outside, e[2], e[3], by=[_alternative])
            g.clear(outside)
            new = [g.rewritten(h, k) for h, f in list(g.seq.hyps.items()) if h != k and e in _subterms(f)]
            if e in _subterms(g.concl):
                g.rewrite(k)
            self.first(g, *self._without_hypothesis(g, depth + 1), lambda g: self._by_new(g, new, depth + 1))

        def inside(g: Goal) -> None:
            low = next(h for h, f in reversed(g.seq.hyps.items()) if f == ("<=", 1, index))
            high = next(h for h, f in reversed(g.seq.hyps.items()) if f == ("<=", index, size))
            g.clear(outside)
            self._cases_from(g, index, 1, size, low, high, depth + 1)

        g.em(("<", index, 1), away, lambda g: g.em(("<", size, index), away, inside))

    # ------------------------------------------------------------------ values of operators

    def _by_values(self, g: Goal, depth: int) -> None:
        """Put the values of singular values, norms and ranks of explicit matrices in, then go on."""
        for e in sorted(set(_subterms(g.concl)), key=repr):
            if e[0] == "op" and not free(e):
                value = self._value_of(g, e)
                if value is not None:
                    g.rewrite(value)
                    self(g, depth + 1)
                    return
            if e[0] in ("sqrt", "abs") and not free(e):
                value = _root_or_absolute(g, e)
                if value is not None:
                    g.rewrite(value)
                    self(g, depth + 1)
                    return
        raise LogicError("no operator with a value")

    def _value_of(self, g: Goal, e: Term) -> str | None:
        from verify.run.models import operators

        return operators.value(g, e)

    def _squares_agree(self, g: Goal) -> None:
        """Two nonnegative numbers with the same square."""
        a, b = g.concl[1:]
        h = g.fact("sqrt_unique", a, b)
        k = g.apply(h, by=[lambda g: self._plain(g)] * 3)
        g.exact(k)

    # ------------------------------------------------------------------ limits and existence

    def _limit(self, g: Goal, depth: int) -> None:
        _, t, body, limit = g.concl
        if t not in free(body):
            sort = sort_of(limit, g.seq.ctx)
            scalar = isinstance(sort, str)
            h = g.fact("tends_const", limit) if scalar else g.fact("tends_matrix_const", sort[1], sort[2], limit)
            if self.attempt(g, lambda g: g.close_by(h)):
                return
            eq = g.have(("=", body, limit), self._deeper(depth))
            g.rewrite(eq)
            g.close_by(h)
            return
        sort = sort_of(limit, g.seq.ctx)
        if not isinstance(sort, str):
            raise LogicError("no limit that is known")
        # a body that is constant after all: its normal form is that of the limit
        h = g.fact("tends_const", limit)
        ext = g.fact("tends_ext", 0, limit, ("lam", ((t, "R"),), limit), ("lam", ((t, "R"),), body))
        k = g.apply(ext, by=[self._deeper(depth), lambda g: g.close_by(h)])
        g.close_by(k)

    def _exists(self, g: Goal, depth: int) -> None:
        decls = g.concl[1]
        steps: list[Step] = []
        if not free(g.concl):
            steps.append(lambda g: self._searched(g, depth))
        for terms in [*(t for t in self.inner if len(t) == len(decls)), *_guesses(g, decls)]:

            def step(g: Goal, terms: tuple[Term, ...] = terms) -> None:
                self.put(g, terms, depth)

            steps.append(step)
        self.first(g, *steps[:24])

    def _searched(self, g: Goal, depth: int) -> None:
        """Values for a closed `ex` that a search finds."""
        for found in itertools.islice(candidates(g.concl[1], tuple(conjuncts(g.concl[2])), seconds=1.0), 2):
            if self.attempt(g, partial(self.put, terms=tuple(found.values[n] for n, _ in g.concl[1]), depth=depth)):
                return
        raise LogicError("nothing found")

    def put(self, g: Goal, terms: tuple[Term, ...], depth: int) -> None:
        """Give the terms of an `ex`, then go on with what is to be shown of them."""
        rest, *sides = g.step("witness", terms=terms)
        for side in sides:
            self(side, depth + 1)
        g.become(rest)
        self(g, depth + 1)


def prove(formula: Formula, chosen: Sequence[Candidate | None], seconds: float) -> Theorem:
    """A theorem that a formula made by `derived.satisfiable` holds, with the terms of a candidate for each `ex`.

    Raises LogicError when it is not evident.
    """

    def script(g: Goal) -> None:
        goals = g.step("and") if len(chosen) > 1 else [g]
        for goal, candidate in zip(goals, chosen, strict=True):
            if candidate is None:
                Evident(seconds)(goal)
            else:
                evident = Evident(seconds, candidate.inner)
                if candidate.flow is not None:
                    goal.obtain(goal.fact(FACT, *candidate.flow.parameters), *(f"{n}_flow" for n in candidate.flow.names))
                evident.put(goal, tuple(candidate.values[n] for n, _ in goal.concl[1]), 0)

    return mint(formula, script, no_lemmas)


def _compute(g: Goal) -> None:
    """The leaf `compute`, unless evaluation takes long or would meet more than integers: a branch that is not reached counts."""
    if any(e[0] in ("all", "ex") and any(s != "Z" for _, s in e[1]) for e in _subterms(g.concl)):
        raise LogicError("a quantifier over something else than integers")
    if not Evaluator(BUDGET).holds(g.concl, {}):
        raise LogicError("false")
    g.compute()


def _by_entries(g: Goal) -> None:
    g.ext(lambda g: _first(g, lambda g: g.field(), lambda g: g.nlin()))


def _alternative(g: Goal) -> None:
    """The member of a disjunction that is a hypothesis."""
    for i, f in enumerate(g.concl[1:]):
        h = next((h for h, k in g.seq.hyps.items() if k == f), None)
        if h is not None:
            g.left_or_right(i)
            g.close_by(h)
            return
    raise LogicError("no member is known")


def _as_hypothesis(g: Goal) -> None:
    """An equation of matrices that is a hypothesis in another form."""
    known = [h for h, f in g.seq.hyps.items() if f[0] == "="]
    _first(g, *(partial(_restated, h=h) for h in known[-6:]))


def _as_derivative(g: Goal) -> None:
    """The derivative of an obtained function, by the equation of motion that it obeys, entry by entry."""
    left = g.concl[1]
    laws = [h for h, f in g.seq.hyps.items() if f[0] == "all" and left in _subterms(subst(f[2], {f[1][0][0]: left[-1]}))]
    if not (isinstance(left, tuple) and left[0] == "d" and laws):
        raise LogicError("no equation of motion")
    both = g.split_all(g.apply(laws[0], left[-1]))
    law = next(h for h in both if g.hyp_formula(h)[1] == left)
    if isinstance(sort_of(left, g.seq.ctx), str):
        g.field((law, 1))
        return

    def entry(g: Goal) -> None:
        i, j = g.concl[1][2:]
        pair = ("=", ("entry", left, i, j), ("entry", g.hyp_formula(law)[2], i, j))
        g.field((g.have(pair, lambda g: g.ctx(lambda g: g.close_by(law))), 1))

    g.ext(entry)


def _by_entries_of_hypotheses(g: Goal) -> None:
    """Entry by entry, from the entries of hypotheses that are equations of matrices."""
    new = 0
    for h, f in list(g.seq.hyps.items()):
        sort = sort_of(f[1], g.seq.ctx) if f[0] == "=" else "R"
        if isinstance(sort, tuple) and isinstance(sort[1], int) and isinstance(sort[2], int):
            for i in range(1, sort[1] + 1):
                for j in range(1, sort[2] + 1):
                    pair = ("=", ("entry", f[1], i, j), ("entry", f[2], i, j))
                    g.have(pair, lambda g, h=h: g.ctx(lambda g: g.close_by(h)))  # type: ignore[misc]
                    new += 1
    if not new:
        raise LogicError("no equation of matrices")
    g.ext(lambda g: g.nlin())


def _fold(g: Goal) -> None:
    """Put numbers in the place of sums and products of integers in the conclusion."""
    for _ in range(RANGE):
        found = next((e for e in _subterms(g.concl) if e[0] in ("+", "*") and _is_sum_of_integers(e)), None)
        if found is None:
            return
        g.replace(found, int(Evaluator(BUDGET).number(found, {})), lambda g: g.field())


def _is_sum_of_integers(e: Term) -> bool:
    return isinstance(e, int) or (isinstance(e, tuple) and e[0] in ("+", "*") and all(map(_is_sum_of_integers, e[1:])))


def _restated(g: Goal, h: str) -> None:
    """An equation of matrices that a hypothesis states in another form."""
    _first(g, lambda g: g.nc((h, 1, None, None)), lambda g: g.exact(h))


def _first(g: Goal, *steps: Step) -> None:
    for step in steps:
        try:
            _replace(g, step)
        except FAILURES:
            continue
        return
    raise LogicError(f"not evident\n{g}")


def _with_squares(g: Goal) -> None:
    """Squares of the variables that occur, and of entries, as hints."""
    atoms = [e for e in dict.fromkeys(_subterms(g.concl)) if e[0] in ("entry", "call") and free(e)]
    names = [n for n in sorted(free(g.concl)) if g.seq.ctx.get(n) in ("R", "Z")]
    entries: list[Term] = []
    for n in sorted(free(g.concl)):
        sort = g.seq.ctx.get(n)
        if isinstance(sort, tuple) and sort[0] == "M" and isinstance(sort[1], int) and isinstance(sort[2], int):
            entries += [("entry", n, i, j) for i in range(1, sort[1] + 1) for j in range(1, sort[2] + 1)]
    lengths = [
        ("tr", ("mm", ("T", n), n)) for n in sorted(free(g.concl)) if isinstance(s := g.seq.ctx.get(n), tuple) and s[0] == "M"
    ]
    hints: list[Term] = [*lengths, *(("^", a, 2) for a in [*names, *entries, *atoms][:8])]
    if not hints:
        raise LogicError("no variable")
    g.nlin(*hints, products=1)


def _bounds(g: Goal, x: str) -> tuple[int, int, str, str] | None:
    low: tuple[int, str] | None = None
    high: tuple[int, str] | None = None
    for h, f in g.seq.hyps.items():
        if f[0] == "<=" and f[2] == x and isinstance(f[1], int) and (low is None or f[1] > low[0]):
            low = f[1], h
        if f[0] == "<=" and f[1] == x and isinstance(f[2], int) and (high is None or f[2] < high[0]):
            high = f[2], h
    return None if low is None or high is None else (low[0], high[0], low[1], high[1])


def _tidy_bounds(g: Goal) -> None:
    """For every bound of an integer variable that is strict or no literal: the bound as `<=` with a literal."""
    for h, f in list(g.seq.hyps.items()):
        if f[0] not in ("<", "<="):
            continue
        a, b = f[1:]
        low = isinstance(b, str) and g.seq.ctx.get(b) == "Z" and not free(a)
        high = isinstance(a, str) and g.seq.ctx.get(a) == "Z" and not free(b)
        if not (low or high) or (f[0] == "<=" and isinstance(a if low else b, int)):
            continue
        try:
            v = Evaluator(BUDGET).number(a if low else b, {})
        except LogicError:
            continue
        n = (v.__floor__() + 1 if f[0] == "<" else v.__ceil__()) if low else (v.__ceil__() - 1 if f[0] == "<" else v.__floor__())
        if v.denominator != 1:
            continue
        wanted = ("<=", n, b) if low else ("<=", a, n)
        if wanted in g.seq.hyps.values():
            continue

        def script(g: Goal, h: str = h, f: Formula = f) -> None:
            if f[0] == "<=":
                g.nlin(products=1, use=[h])
                return
            k = g.by_fact("int_lt", f[1], f[2], by=[lambda g: g.close_by(h)])
            g.nlin(products=1, use=[k])

        try:
            g.have(wanted, script)
        except LogicError:
            continue


def _with_hole(f: Formula, x: str, g: Goal) -> tuple[Formula, str]:
    v = g.name("hole")
    return subst(f, {x: v}), v


def _root_or_absolute(g: Goal, e: Term) -> str | None:
    """The value of the root or absolute value of a rational number."""
    from fractions import Fraction
    from math import isqrt

    from verify.kernel.syntax import rational

    try:
        v = Evaluator(BUDGET).number(e[1], {})
    except LogicError:
        return None
    if e[0] == "abs":
        value = abs(v)
    else:
        p, q = v.numerator, v.denominator
        if v < 0 or isqrt(p) ** 2 != p or isqrt(q) ** 2 != q:
            return None
        value = Fraction(isqrt(p), isqrt(q))
    t = rational(value)

    def script(g: Goal) -> None:
        if e[0] == "abs" or value == 0:
            g.field()
            return
        h = g.have(("=", e[1], ("^", t, 2)), lambda g: _first(g, _compute, lambda g: g.field()))
        pattern = g.have(("=", e, ("sqrt", ("^", t, 2))), lambda g: g.ctx(lambda g: g.close_by(h)))
        root = g.fact("sqrt_of_square", t)
        g.field((pattern, 1), (root, 1))

    try:
        return g.have(("=", e, t), script)
    except LogicError:
        return None


def _subterms(e: Any) -> Iterator[tuple[Any, ...]]:
    if isinstance(e, tuple) and e:
        if isinstance(e[0], str):
            yield e
        for a in e[1:] if isinstance(e[0], str) else e:
            yield from _subterms(a)


def _guesses(g: Goal, decls: Any) -> Iterator[tuple[Term, ...]]:
    """A few terms for the variables of an `ex`."""
    options: list[list[Term]] = []
    names = [n for n, s in g.seq.ctx.items() if s == "R"]
    for _, sort in decls:
        if sort == "Z":
            options.append([1, 0, 2, *[n for n, s in g.seq.ctx.items() if s == "Z"][:3]])
        elif sort == "R":
            options.append([1, 0, 2, *names[:2], ("q", 1, 2), -1])
        elif sort[0] == "M":
            square = [("I", sort[1])] if sort[1] == sort[2] else []
            options.append([("O", sort[1], sort[2]), *square, ("J", sort[1], sort[2])])
        else:
            arguments = tuple((f"a{i}", s) for i, s in enumerate(sort[1]))
            value = sort[2]
            bodies: list[Term] = [0, 1] if isinstance(value, str) else [("O", value[1], value[2])]
            if isinstance(value, tuple) and value[1] == value[2]:
                bodies.append(("I", value[1]))
            options.append([("lam", arguments, b) for b in bodies])
    yield from itertools.islice(itertools.product(*options), 60)
