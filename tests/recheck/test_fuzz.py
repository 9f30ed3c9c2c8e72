"""Soundness by random trial: whatever the checker accepts is true in randomly chosen models.

A model chooses values for the variables that satisfy the hypotheses, and arbitrary values where the page leaves a function
unspecified (inverse of 0, log and roots of negative numbers, inverse of a singular matrix).
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given as example
from hypothesis import settings
from hypothesis import strategies as st

from verify.recheck import read_formula, solver
from verify.recheck.oracle import Writer
from verify.recheck.terms import R, Z

from .support import FIELD, LIBRARY, NC, J, accepted, add, eq, given, le, lt, mul, ne, neg, node, sq, sub

Number = Any
QUICK = settings(max_examples=120, deadline=None, derandomize=True)


class Model:
    """Values of variables, and of functions where the page does not specify them."""

    def __init__(self, rng: random.Random, values: dict[str, Number]) -> None:
        self.rng = rng
        self.values = values
        self.unspecified: dict[tuple[Any, ...], Number] = {}

    def free_choice(self, *key: Any) -> Number:
        if key not in self.unspecified:
            self.unspecified[key] = Fraction(self.rng.randrange(-20, 21), self.rng.randrange(1, 4))
        return self.unspecified[key]

    def inverse(self, x: Number) -> Number:
        return 1 / x if x else self.free_choice("inverse")

    def number(self, t: J) -> Number:
        if isinstance(t, int):
            return Fraction(t)
        if isinstance(t, str):
            return self.values[t]
        h, args = t[0], t[1:]
        if h == "q":
            return Fraction(*args)
        if h == "sum":
            total: Number = Fraction(0)
            before = self.values.get(args[0])
            for k in range(int(self.number(args[1])), int(self.number(args[2])) + 1):
                self.values[args[0]] = Fraction(k)
                total += self.number(args[3])
            if before is None:
                self.values.pop(args[0], None)
            else:
                self.values[args[0]] = before
            return total
        if h == "tr":
            return sum((row[i] for i, row in enumerate(self.matrix(args[0])[2])), Fraction(0))
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

    def power(self, a: Number, e: Number) -> Number:
        if e == int(e):
            return a ** int(e) if e >= 0 else self.inverse(a) ** int(-e)
        return float(a) ** float(e) if a > 0 else self.free_choice("power", a, e)

    def transcendental(self, h: str, x: float) -> Number:
        if (h == "log" and x <= 0) or (h == "sqrt" and x < 0):
            return float(self.free_choice(h, round(x, 6)))
        return getattr(math, h)(x)

    def matrix(self, t: J) -> tuple[int, int, list[list[Number]]]:
        if isinstance(t, str):
            return self.values[t]
        h, args = t[0], t[1:]
        if h in ("I", "J", "O"):
            r, c = max(0, int(self.number(args[0]))), max(0, int(self.number(args[-1])))
            return r, c, [[Fraction(h == "J" or (h == "I" and i == j)) for j in range(c)] for i in range(r)]
        if h == "T":
            r, c, rows = self.matrix(args[0])
            return c, r, [[rows[i][j] for i in range(r)] for j in range(c)]
        if h == "sm":
            k, (r, c, rows) = self.number(args[0]), self.matrix(args[1])
            return r, c, [[k * x for x in row] for row in rows]
        if h == "mpow":
            r, c, _ = self.matrix(args[0])
            n = int(self.number(args[1]))
            if n < 0:
                raise ArithmeticError
            return self.matrix(["mm", ["I", r], ["I", r], *[args[0]] * n])
        first, *rest = (self.matrix(x) for x in args)
        for r, c, rows in rest:
            if h == "+" and first[:2] == (r, c):
                first = (r, c, [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(first[2], rows, strict=True)])
            elif first[1] != r:
                raise ArithmeticError("ill-sorted")
            else:
                product = [[sum((p[k] * rows[k][j] for k in range(r)), Fraction(0)) for j in range(c)] for p in first[2]]
                first = (first[0], c, product)
        return first

    def holds(self, a: J) -> bool:
        h, args = a[0], a[1:]
        if h == "false":
            return False
        x, y = (self.number(t) for t in args)
        close = isinstance(x - y, float) and abs(x - y) <= 1e-6 * max(1.0, abs(float(x)), abs(float(y)))
        return {"=": x == y or close, "!=": x != y, "<": x < y, "<=": x <= y or close}[h]


HYPOTHESES: list[J] = [
    lt(0, "x"), le(0, "x"), ne("x", 0), lt(0, "y"), le(0, "y"), ne("y", 0), le("x", "y"), lt("x", "y"),
    ne(add("x", "y"), 0), lt(1, "x"), le(0, mul("x", "y")), lt(0, mul("x", "y")), lt("x", 0), le(0, "n"), le(1, "n"),
    eq("x", mul(2, "y")), ne(sub("x", "y"), 0), lt(0, add("x", "y")), eq("n", mul(2, "y")), eq("n", mul(["q", 1, 2], "m")),
]  # fmt: skip
DECLS = [["x", "R"], ["y", "R"], ["m", "Z"], ["n", "Z"]]


def models(rng: random.Random, hyps: list[J], count: int) -> list[Model]:
    found = []
    for _ in range(count * 40):
        values = {v: Fraction(rng.choice([0, 0, 1, -1, 2, -3, 5]), rng.choice([1, 1, 2, 3])) for v in "xy"}
        values |= {v: Fraction(rng.choice([-3, -2, -1, 0, 1, 2, 3])) for v in "mn"}
        if eq("x", mul(2, "y")) in hyps:
            values["x"] = 2 * values["y"]
        if eq("n", mul(2, "y")) in hyps:
            values["y"] = values["n"] / 2
        if eq("n", mul(["q", 1, 2], "m")) in hyps:
            values["m"] = 2 * values["n"]
        model = Model(rng, values)
        if all(model.holds(h) for h in hyps):
            found.append(model)
        if len(found) == count:
            break
    return found


def leaf_terms() -> st.SearchStrategy[J]:
    return st.sampled_from(["x", "x", "y", "n", "m", 0, 1, 2, -1, -2, 3, ["q", 1, 2], ["q", -2, 3]])


def bigger(inner: st.SearchStrategy[J]) -> st.SearchStrategy[J]:
    powers = st.tuples(inner, st.sampled_from([0, 1, 2, 3, -1, -2, "n", ["+", "n", 1], ["*", 2, "n"], "m", ["q", 1, 2], "y"]))
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: ["+", *p]),
        st.tuples(inner, inner).map(lambda p: ["*", *p]),
        st.tuples(inner, inner).map(lambda p: ["/", *p]),
        powers.map(lambda p: ["^", *p]),
        st.tuples(st.sampled_from(["abs", "sqrt", "log"]), inner).map(list),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(list),
        st.tuples(st.sampled_from([0, 1, "n"]), st.sampled_from([2, "n", "m"]), inner).map(
            lambda p: ["sum", "i", p[0], p[1], ["*", "i", p[2]]]
        ),
    )


TERMS = st.recursive(leaf_terms(), bigger, max_leaves=6)
CHOICES = st.lists(st.sampled_from(HYPOTHESES), max_size=3)


def of(t: J, heads: str) -> bool:
    """Whether a term has one of the heads."""
    return isinstance(t, list) and t[0] in heads


# plausible steps, some of them wrong in general
STEPS: list[Any] = [
    lambda t: ["+", t[2], t[1]] if t[0] == "+" and len(t) == 3 else t,
    lambda t: ["*", t[2], t[1]] if t[0] == "*" and len(t) == 3 else t,
    lambda t: ["+", ["*", t[1], t[2][1]], ["*", t[1], t[2][2]]] if t[0] == "*" and of(t[2], "+") else t,
    lambda t: ["*", t[1], ["/", 1, t[2]]] if t[0] == "/" else t,
    lambda t: ["*", t[1], ["^", t[2], -1]] if t[0] == "/" else t,
    lambda t: ["/", 1, ["/", t[2], t[1]]] if t[0] == "/" else t,
    lambda t: ["/", t[1][1], t[2]] if t[0] == "/" and of(t[1], "*") else t,
    lambda t: 1 if t[0] == "/" and t[1] == t[2] else t,
    lambda t: ["/", ["*", t[1], "x"], ["*", t[2], "x"]] if t[0] == "/" else t,
    lambda t: ["/", ["/", t[1], "y"], ["/", t[2], "y"]] if t[0] == "/" else t,
    lambda t: ["*", ["^", t[1][1], t[2]], ["^", t[1][2], t[2]]] if t[0] == "^" and of(t[1], "*/") else t,
    lambda t: ["*", ["^", t[1], t[2][1]], ["^", t[1], t[2][2]]] if t[0] == "^" and of(t[2], "+") else t,
    lambda t: ["^", ["^", t[1], t[2][1]], t[2][2]] if t[0] == "^" and of(t[2], "*") else t,
    lambda t: ["*", t[1], ["^", t[1], ["+", t[2], -1]]] if t[0] == "^" else t,
    lambda t: ["/", 1, ["^", t[1], ["*", -1, t[2]]]] if t[0] == "^" else t,
    lambda t: ["^", ["/", 1, t[1]], ["*", -1, t[2]]] if t[0] == "^" else t,
    lambda t: t[1] if t[0] == "abs" else t,
    lambda t: ["^", t[1], ["q", 1, 2]] if t[0] == "sqrt" else t,
    lambda t: ["sqrt", ["^", t[1], 2]] if t[0] == "abs" else t,
    lambda t: t[1][1] if t[0] == "sqrt" and of(t[1], "^") else t,
    lambda t: ["*", ["sqrt", t[1][1]], ["sqrt", t[1][2]]] if t[0] == "sqrt" and of(t[1], "*") else t,
    lambda t: ["+", ["log", t[1][1]], ["log", t[1][2]]] if t[0] == "log" and of(t[1], "*") else t,
    lambda t: ["*", t[1][2], ["log", t[1][1]]] if t[0] == "log" and of(t[1], "^") else t,
    lambda t: t[1] if t[0] in ("min", "max") else t,
    lambda t: [t[0], t[2], t[1]] if t[0] in ("min", "max") else t,
    lambda t: ["*", t[4][2], ["sum", "i", t[2], t[3], "i"]] if t[0] == "sum" and isinstance(t[4], list) and len(t[4]) == 3 else t,
    lambda t: ["sum", "j", t[2], t[3], t[4]] if t[0] == "sum" else t,
    lambda t: mul(2, "y") if t == "x" else t,
]  # fmt: skip


def step_everywhere(t: J, rng: random.Random, rate: float) -> J:
    """Random plausible steps at random places."""
    if isinstance(t, list) and t[0] != "q":
        binder = 2 if t[0] == "sum" else 1
        t = [*t[:binder], *(step_everywhere(x, rng, rate) for x in t[binder:])]
        if rng.random() < rate:
            t = rng.choice(STEPS)(t)
    elif isinstance(t, str) and rng.random() < rate / 10:
        t = STEPS[-1](t)
    return t


def rename_free_index(t: J) -> J:
    """A sum renamed by a step may leave its index free: such terms are closed with x."""
    bound: set[str] = set()

    def walk(x: J, inside: frozenset[str]) -> J:
        if isinstance(x, str):
            return "x" if x in ("i", "j") and x not in inside else x
        if not isinstance(x, list) or x[0] == "q":
            return x
        if x[0] == "sum":
            bound.add(x[1])
            return ["sum", x[1], walk(x[2], inside), walk(x[3], inside), walk(x[4], inside | {x[1]})]
        return [x[0], *(walk(y, inside) for y in x[1:])]

    return walk(t, frozenset())


def true_in_models(rng: random.Random, hyps: list[J], concl: J) -> None:
    for model in models(rng, hyps, 25):
        try:
            assert model.holds(concl), (hyps, concl, model.values)
        except (OverflowError, ArithmeticError):
            continue


@QUICK
@example(TERMS, CHOICES, st.integers(0, 10**9))
def test_field_accepts_nothing_false(t: J, hyps: list[J], seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(6):
        other = rename_free_index(step_everywhere(t, rng, 0.5))
        rw = [f"h{k}" for k, h in enumerate(hyps) if h[0] == "=" and rng.random() < 0.7]
        leaf = node("field", rw=rw) if rw else FIELD
        for concl in (eq(t, other), ne(t, add(other, 1)), eq(["^", t, 2], ["^", other, 2])):
            if accepted(given(DECLS, hyps, concl, leaf)):
                true_in_models(rng, hyps, concl)


@QUICK
@example(TERMS, TERMS, CHOICES, st.integers(0, 10**9))
def test_pos_accepts_nothing_false(t: J, u: J, hyps: list[J], seed: int) -> None:
    rng = random.Random(seed)
    factors: list[J] = [t, u, sq(t), ["abs", u], "x", "y", mul(t, t), ["/", 1, t], ["^", t, "n"]]
    factors += [["hyp", f"h{k}"] for k in range(len(hyps))]
    for _ in range(12):
        terms = [[rng.choice(factors) for _ in range(rng.randrange(3))] for _ in range(rng.randrange(3))]
        values = [mul(1, 1, *(gap(hyps, f) for f in item)) for item in terms]
        low = rng.choice([0, t])
        high = add(low, 0, *values)
        concl = rng.choice([lt, le])(low, high) if rng.random() < 0.8 else ["false"]
        if accepted(given(DECLS, hyps, concl, node("pos", terms=terms))):
            true_in_models(rng, hyps, concl)


def gap(hyps: list[J], factor: J) -> J:
    """The term that a factor of pos stands for."""
    if isinstance(factor, list) and factor[0] == "hyp":
        h = hyps[int(factor[1][1:])]
        return sub(h[2], h[1])
    return factor


@pytest.mark.skipif(solver.executable() is None, reason=solver.MISSING)
@settings(QUICK, max_examples=60)
@example(TERMS, TERMS, CHOICES, st.integers(0, 10**9))
def test_what_a_solver_answers_to_a_problem_is_true_of_its_goal(t: J, u: J, hyps: list[J], seed: int) -> None:
    """The problem loses nothing: where it has no solution, no model refutes the goal (inverses of 0 are arbitrary there)."""
    rng = random.Random(seed)
    known, decls = [read_formula(h) for h in hyps], {"x": R, "y": R, "m": Z, "n": Z}
    for steps in (1, 2, 4):
        other = t
        for _ in range(steps):
            other = rename_free_index(step_everywhere(other, rng, 0.7))
        for concl in (eq(t, other), le(mul(2, t, u), add(sq(other), sq(u))), lt(t, add(sq(other), 1))):
            writer = Writer(LIBRARY.sorter, decls, {"m", "n"} if rng.random() < 0.5 else set())
            if solver.ask("".join(writer.problem(known, read_formula(concl)))).word == "unsat":
                true_in_models(rng, hyps, concl)


# --- matrices ---

SIZES = [-1, 0, 1, 1, 2, 2, 3]
LETTERS: list[J] = ["A", "B", ["T", "A"], ["T", "B"], ["I", "n"], ["J", "n", "n"], ["sm", 2, "A"], ["sm", "x", "B"]]
LETTERS += [["mm", "C", "D"], ["mm", ["T", "D"], ["T", "C"]], ["mm", ["J", "n", "m"], "D"], ["mpow", "A", 2], ["mpow", "A", "k"]]
MATRICES = [
    ["m", "Z"], ["n", "Z"], ["k", "Z"], ["x", "R"], ["A", ["M", "n", "n"]], ["B", ["M", "n", "n"]], ["C", ["M", "n", "m"]],
    ["D", ["M", "m", "n"]],
]  # fmt: skip


def shuffled(t: J, rng: random.Random) -> J:
    """Random, often wrong, rearrangements of a matrix term."""
    if not isinstance(t, list) or t[0] in ("I", "J", "O"):
        return t
    if t[0] == "mm" and rng.random() < 0.4 and not {"C", "D"} & set(map(str, t)):
        rest = t[1:]
        rng.shuffle(rest)
        t = ["mm", *rest]
    if t[0] == "T" and isinstance(t[1], list) and t[1][0] == "mm" and rng.random() < 0.8:
        flipped = [["T", y] for y in reversed(t[1][1:])]
        return ["mm", *flipped]
    if t[0] == "mm" and t[1] == ["J", "n", "n"] == t[2] and rng.random() < 0.8:
        return ["sm", "n", ["mm", ["I", "n"], *t[2:]]]
    if t[0] in ("mm", "+"):
        return [t[0], *(shuffled(y, rng) for y in t[1:])]
    return t


@QUICK
@example(
    st.lists(st.lists(st.sampled_from(LETTERS), min_size=2, max_size=4), min_size=2, max_size=3),
    st.lists(st.sampled_from([le(0, "n"), le(1, "n"), le(0, "m"), le(0, "k"), lt(0, "m")]), max_size=3),
    st.integers(0, 10**9),
)
def test_nc_and_traces_accept_nothing_false(sums: list[list[J]], hyps: list[J], seed: int) -> None:
    rng = random.Random(seed)
    t: J = ["+", *(["mm", *item] for item in sums)]
    variants = [shuffled(t, rng) for _ in range(3)] + [["T", ["+", *(["mm", *(["T", y] for y in reversed(s))] for s in sums)]]]
    for other in variants:
        matrices = accepted(given(MATRICES, hyps, eq(t, other), NC))
        traces = accepted(given(MATRICES, hyps, eq(["tr", t], ["tr", other]), FIELD))
        cyclic = ["+", *(["mm", *s[1:], s[0]] for s in sums)]
        turned = accepted(given(MATRICES, hyps, eq(["tr", cyclic], ["tr", other]), FIELD))
        for _ in range(6):
            model = matrix_model(rng)
            if not all(model.holds(h) for h in hyps):
                continue
            try:
                left, right, third = model.matrix(t), model.matrix(other), model.matrix(cyclic)
            except ArithmeticError:
                continue
            assert not matrices or left == right, (t, other, hyps, model.values)
            assert not traces or trace(left) == trace(right), (t, other, hyps)
            assert not turned or trace(third) == trace(right), (t, other, hyps)


def trace(m: tuple[int, int, list[list[Number]]]) -> Number:
    return sum(m[2][i][i] for i in range(m[0]))


def matrix_model(rng: random.Random) -> Model:
    m, n = rng.choice(SIZES), rng.choice(SIZES)
    values: dict[str, Any] = {
        "m": Fraction(m),
        "n": Fraction(n),
        "k": Fraction(rng.randrange(-1, 4)),
        "x": Fraction(rng.randrange(-3, 4)),
    }
    for name, r, c in (("A", n, n), ("B", n, n), ("C", n, m), ("D", m, n)):
        r, c = max(r, 0), max(c, 0)
        values[name] = (r, c, [[Fraction(rng.randrange(-3, 4)) for _ in range(c)] for _ in range(r)])
    return Model(rng, values)


def test_the_fuzzers_are_not_empty() -> None:
    """The generators reach accepted statements, and the models refute what is false."""
    rng = random.Random(1)
    assert len(models(rng, [lt(0, "x"), ne("y", 0)], 10)) == 10
    assert not all(m.holds(eq(["/", "x", "x"], 1)) for m in models(rng, [], 40))
    assert not all(m.holds(eq(["/", 1, mul("x", "y")], mul(["/", 1, "x"], ["/", 1, "y"]))) for m in models(rng, [], 40))
    assert not all(m.holds(eq(["sqrt", sq("x")], "x")) for m in models(rng, [], 40))
    assert not all(m.holds(eq(["tr", ["I", "n"]], "n")) for m in (matrix_model(rng) for _ in range(40)))
    assert all(m.holds(eq(neg(neg("x")), "x")) for m in models(rng, [], 40))
