"""Soundness by random trial: whatever the kernel or the checker accepts is true in randomly chosen models.

A model chooses values for the variables that satisfy the hypotheses, and arbitrary values where the page leaves a function
unspecified (inverse of 0, log and roots of negative numbers). Every fuzzer says how much is accepted and refused, and must find
a fault that is planted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import given as example
from hypothesis import strategies as st

from tests.recheck.support import FIELD, LIBRARY, NC, J, add, eq, given, le, lt, mul, ne, node, sq, sub
from verify.kernel import sign as kernel_sign
from verify.kernel.normal import Normalizer
from verify.recheck import read_formula, solver
from verify.recheck import sign as checker_sign
from verify.recheck import words as checker_words
from verify.recheck.oracle import Writer
from verify.recheck.terms import R, Z

from .both import PROGRAMS, Case
from .models import Model, trace

SMOOTH: J = ["F", ["R"], "R", "smooth"]
ANY: J = ["F", ["R"], "R", "any"]
SQUARE: J = ["M", "n", "n"]
DECLS: J = [
    ["x", "R"], ["y", "R"], ["m", "Z"], ["n", "Z"], ["f", SMOOTH], ["g", ANY], ["A", SQUARE], ["B", SQUARE],
]  # fmt: skip
HYPOTHESES: list[J] = [
    lt(0, "x"), le(0, "x"), ne("x", 0), lt(0, "y"), le(0, "y"), ne("y", 0), le("x", "y"), lt("x", "y"),
    ne(add("x", "y"), 0), lt(1, "x"), le(0, mul("x", "y")), lt(0, mul("x", "y")), lt("x", 0), le(0, "n"), le(1, "n"),
    eq("x", mul(2, "y")), ne(sub("x", "y"), 0), lt(0, add("x", "y")), eq("n", mul(2, "y")), eq("n", mul(["q", 1, 2], "m")),
    le("x", 0), le("y", 0), le("n", 0), le(add("x", "y"), 0), le(mul("x", "y"), 0), lt(0, ["det", "A"]), ne("m", "n"), le("m", "n"),
]  # fmt: skip


def models(rng: random.Random, hyps: list[J], count: int) -> list[Model]:
    """Models of hypotheses; fewer than asked where they are hard to meet."""
    found = []
    for _ in range(count * 40):
        values: dict[str, Any] = {v: Fraction(rng.choice([0, 0, 1, -1, 2, -3, 5]), rng.choice([1, 1, 2, 3])) for v in "xy"}
        values |= {v: Fraction(rng.choice([-3, -2, -1, 0, 1, 2, 3])) for v in "mn"}
        if eq("x", mul(2, "y")) in hyps:
            values["x"] = 2 * values["y"]
        if eq("n", mul(2, "y")) in hyps:
            values["y"] = values["n"] / 2
        if eq("n", mul(["q", 1, 2], "m")) in hyps:
            values["m"] = 2 * values["n"]
        values["f"] = [Fraction(rng.randrange(-3, 4)) for _ in range(4)]
        size = max(0, int(values["n"]))
        for name in "AB":
            values[name] = (size, size, [[Fraction(rng.randrange(-2, 3)) for _ in range(size)] for _ in range(size)])
        model = Model(rng, values)
        if all(model.holds(h) for h in hyps):
            found.append(model)
        if len(found) == count:
            break
    return found


# --- terms ---


def replaced(t: J, old: str, new: str) -> J:
    """A term with another name; binders do not use these names."""
    return new if t == old else [replaced(x, old, new) for x in t] if isinstance(t, list) else t


def leaf_terms() -> st.SearchStrategy[J]:
    return st.sampled_from(["x", "x", "y", "n", "m", 0, 1, 2, -1, -2, 3, ["q", 1, 2], ["q", -2, 3], ["pi"]])


MATRICES_OF_SIZE_N = st.recursive(
    st.sampled_from(["A", "A", "B", ["I", "n"], ["J", "n", "n"], ["O", "n", "n"], ["inv", "A"], ["mpow", "A", 2]]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["mm", "+", "had"]), inner, inner).map(list),
        inner.map(lambda a: ["T", a]),
        st.tuples(st.sampled_from([2, -1, "x"]), inner).map(lambda p: ["sm", *p]),
        st.tuples(inner, st.sampled_from([0, 1, 3, "m", -1])).map(lambda p: ["mpow", *p]),
    ),
    max_leaves=3,
)
LITERAL = st.tuples(*[st.sampled_from(["x", "y", 0, 1, -2])] * 4).map(lambda v: ["mat", [list(v[:2]), list(v[2:])]])
INDEX = st.sampled_from([1, 1, 2, 0, "m", "n", 3])


def of_matrices() -> st.SearchStrategy[J]:
    """Numbers that matrices give."""
    anything = st.one_of(MATRICES_OF_SIZE_N, LITERAL)
    return st.one_of(
        st.tuples(anything, INDEX, INDEX).map(lambda p: ["entry", *p]),
        st.tuples(st.sampled_from(["tr", "det"]), anything).map(list),
        anything.map(lambda a: ["op", "rank", a]),
        st.tuples(MATRICES_OF_SIZE_N, st.sampled_from([1, "m"]), st.sampled_from([2, "n"])).map(
            lambda p: ["sum", "i", p[1], p[2], ["entry", p[0], "i", 1]]
        ),
    )


UNARY = ["abs", "sqrt", "log", "exp", "sin", "cos", "sinh", "cosh", "tanh", "asinh"]


def bigger(inner: st.SearchStrategy[J]) -> st.SearchStrategy[J]:
    powers = st.tuples(inner, st.sampled_from([0, 1, 2, 3, -1, -2, "n", ["+", "n", 1], ["*", 2, "n"], "m", ["q", 1, 2], "y"]))
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: ["+", *p]),
        st.tuples(inner, inner).map(lambda p: ["*", *p]),
        st.tuples(inner, inner).map(lambda p: ["/", *p]),
        powers.map(lambda p: ["^", *p]),
        st.tuples(st.sampled_from(UNARY[:3]), inner).map(list),
        st.tuples(st.sampled_from(UNARY[3:]), inner).map(list),
        st.tuples(st.sampled_from(UNARY[3:]), inner).map(list),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(list),
        st.tuples(st.sampled_from(["sum", "prod"]), st.sampled_from([0, 1, "n"]), st.sampled_from([2, "n", "m"]), inner).map(
            lambda p: [p[0], "i", p[1], p[2], ["*", "i", p[3]]]
        ),
        st.tuples(st.sampled_from("fg"), inner).map(lambda p: ["call", *p]),
        st.tuples(st.sampled_from([0, 1, 2, "n"]), inner).map(lambda p: ["d", p[0], "f", p[1]]),
        st.tuples(inner, st.sampled_from(["x", "y", 0, 1])).map(lambda p: ["D", "t", replaced(p[0], "x", "t"), p[1]]),
        of_matrices(),
    )


TERMS = st.recursive(leaf_terms(), bigger, max_leaves=6)
CHOICES = st.lists(st.sampled_from(HYPOTHESES), max_size=3)


def heads(t: J) -> set[str]:
    """All operators in a term."""
    if not isinstance(t, list):
        return set()
    if t and isinstance(t[0], str) and t[0] not in DECLARED:
        return {t[0]}.union(*(heads(x) for x in t[1:]))
    return set().union(*(heads(x) for x in t))


BOUND = {"i", "j", "k", "t"}
DECLARED = {name for name, _ in DECLS} | BOUND


def of(t: J, operators: str) -> bool:
    """Whether a term has one of the operators."""
    return isinstance(t, list) and t[0] in operators


def is_op(t: J, name: str) -> bool:
    return isinstance(t, list) and t[0] == name


# plausible steps, some of them wrong in general
STEPS: list[Callable[[J], J]] = [
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
    lambda t: ["*", t[4][2], ["sum", "i", t[2], t[3], "i"]] if t[0] == "sum" and of(t[4], "*") and len(t[4]) == 3 else t,
    lambda t: ["*", t[4][2], ["prod", "i", t[2], t[3], "i"]] if t[0] == "prod" and of(t[4], "*") and len(t[4]) == 3 else t,
    lambda t: [t[0], "j", t[2], t[3], replaced(t[4], "i", "j")] if t[0] in ("sum", "prod") else t,
    lambda t: [t[0], t[1], t[2], ["+", t[3], -1], t[4]] if t[0] in ("sum", "prod") else t,
    lambda t: ["*", ["exp", t[1][1]], ["exp", t[1][2]]] if t[0] == "exp" and of(t[1], "+") else t,
    lambda t: t[1][1] if t[0] == "exp" and is_op(t[1], "log") else t,
    lambda t: t[1][1] if t[0] == "log" and is_op(t[1], "exp") else t,
    lambda t: ["^", ["exp", t[1][2]], t[1][1]] if t[0] == "exp" and of(t[1], "*") else t,
    lambda t: ["/", ["sinh", t[1]], ["cosh", t[1]]] if t[0] == "tanh" else t,
    lambda t: ["sqrt", ["+", 1, ["^", ["sinh", t[1]], 2]]] if t[0] == "cosh" else t,
    lambda t: ["^", ["+", ["^", ["cosh", t[1]], 2], -1], ["q", 1, 2]] if t[0] == "sinh" else t,
    lambda t: ["log", ["+", t[1], ["sqrt", ["+", ["^", t[1], 2], 1]]]] if t[0] == "asinh" else t,
    lambda t: ["call", t[2], t[3]] if t[0] == "d" and t[1] == 0 else t,
    lambda t: ["d", 1, "f", t[2]] if t[0] == "call" and t[1] == "f" else t,
    lambda t: ["+", *(["D", t[1], a, t[3]] for a in t[2][1:])] if t[0] == "D" and of(t[2], "+") else t,
    lambda t: (
        ["+", ["*", ["D", t[1], t[2][1], t[3]], at(t, t[2][2])], ["*", at(t, t[2][1]), ["D", t[1], t[2][2], t[3]]]]
        if t[0] == "D" and of(t[2], "*")
        else t
    ),
    lambda t: ["*", ["D", t[1], t[2][1], t[3]], ["D", t[1], t[2][2], t[3]]] if t[0] == "D" and of(t[2], "*") else t,
    lambda t: ["*", ["d", 1, "f", at(t, t[2][2])], ["D", t[1], t[2][2], t[3]]] if t[0] == "D" and is_op(t[2], "call") else t,
    lambda t: ["/", ["D", t[1], t[2][1], t[3]], at(t, t[2][1])] if t[0] == "D" and is_op(t[2], "log") else t,
    lambda t: ["*", at(t, t[2]), ["D", t[1], t[2][1], t[3]]] if t[0] == "D" and is_op(t[2], "exp") else t,
    lambda t: ["D", t[1], t[2][1], t[3]] if t[0] == "D" and is_op(t[2], "abs") else t,
    lambda t: (
        ["*", t[2][2], ["^", at(t, t[2][1]), ["+", t[2][2], -1]], ["D", t[1], t[2][1], t[3]]]
        if t[0] == "D" and of(t[2], "^")
        else t
    ),
    lambda t: ["entry", t[1], t[3], t[2]] if t[0] == "entry" else t,
    lambda t: ["entry", t[1][1], t[3], t[2]] if t[0] == "entry" and is_op(t[1], "T") else t,
    lambda t: ["*", t[1][1], ["entry", t[1][2], *t[2:]]] if t[0] == "entry" and is_op(t[1], "sm") else t,
    lambda t: ["*", *(["entry", a, *t[2:]] for a in t[1][1:])] if t[0] == "entry" and is_op(t[1], "had") else t,
    lambda t: ["+", *(["entry", a, *t[2:]] for a in t[1][1:])] if t[0] == "entry" and of(t[1], "+") else t,
    lambda t: (
        ["sum", "k", 1, "n", ["*", ["entry", t[1][1], t[2], "k"], ["entry", t[1][2], "k", t[3]]]]
        if t[0] == "entry" and is_op(t[1], "mm")
        else t
    ),
    lambda t: 1 if t[0] == "entry" and is_op(t[1], "J") else t,
    lambda t: 1 if t[0] == "entry" and is_op(t[1], "I") and t[2] == t[3] else t,
    lambda t: 0 if t[0] == "entry" and is_op(t[1], "I") and t[2] != t[3] else t,
    lambda t: [t[0], ["T", t[1]]] if t[0] in ("tr", "det") and not is_op(t[1], "mat") else t,
    lambda t: ["tr", ["mm", t[1][2], t[1][1]]] if t[0] == "tr" and is_op(t[1], "mm") else t,
    lambda t: "n" if t[0] == "tr" and is_op(t[1], "I") else t,
    lambda t: 1 if t[0] == "det" and is_op(t[1], "I") else t,
    lambda t: ["*", *(["det", a] for a in t[1][1:])] if t[0] == "det" and is_op(t[1], "mm") else t,
    lambda t: ["*", t[1][1], ["det", t[1][2]]] if t[0] == "det" and is_op(t[1], "sm") else t,
    lambda t: ["op", "rank", ["T", t[2]]] if t[0] == "op" else t,
    lambda t: t[1][1] if t[0] in ("T", "inv") and is_op(t[1], t[0]) else t,
    lambda t: ["mm", t[2], t[1]] if t[0] in ("mm", "had") else t,
    lambda t: ["T", ["inv", t[1][1]]] if t[0] == "inv" and is_op(t[1], "T") else t,
    lambda t: ["mpow", t[1], ["+", t[2], 1]] if t[0] == "mpow" else t,
    lambda t: ["mm", t[1], ["mpow", t[1], ["+", t[2], -1]]] if t[0] == "mpow" else t,
    lambda t: mul(2, "y") if t == "x" else t,
]  # fmt: skip


def at(t: J, e: J) -> J:
    """A term of the body of a derivative at its point."""
    return replaced(e, t[1], t[3])


def step_everywhere(t: J, rng: random.Random, rate: float) -> J:
    """Random plausible steps at random places."""
    if isinstance(t, list) and t[0] == "mat":
        return t
    if isinstance(t, list) and t[0] != "q":
        keep = {"sum": 2, "prod": 2, "D": 2, "call": 2, "op": 2, "d": 3}.get(t[0], 1)
        t = [*t[:keep], *(step_everywhere(x, rng, rate) for x in t[keep:])]
        if rng.random() < rate:
            usable = [s for s in (f(t) for f in STEPS[:-1]) if s != t]
            t = rng.choice(usable) if usable else t
    elif isinstance(t, str) and rng.random() < rate / 10:
        t = STEPS[-1](t)
    return t


def closed(t: J, inside: frozenset[str] = frozenset()) -> J:
    """A term whose step left the name of a binder free, closed with x."""
    if isinstance(t, str):
        return "x" if t in BOUND and t not in inside else t
    if not isinstance(t, list):
        return t
    if t and t[0] in ("sum", "prod"):
        return [*t[:2], closed(t[2], inside), closed(t[3], inside), closed(t[4], inside | {t[1]})]
    if t and t[0] == "D":
        return [*t[:2], closed(t[2], inside | {t[1]}), closed(t[3], inside)]
    return [closed(x, inside) for x in t]


def true_in_models(rng: random.Random, hyps: list[J], concl: J, count: int = 25) -> None:
    for model in models(rng, hyps, count):
        try:
            assert model.holds(concl), (hyps, concl, model.values)
        except (OverflowError, ArithmeticError, ValueError):
            continue


def believed(case: Case, hyps: list[J], concl: J, rng: random.Random, seen: Counter[str]) -> None:
    """Ask both programs; what one of them accepts must be true in models."""
    told = {name: ask(case) for name, ask in PROGRAMS.items()}
    for name, accepted in told.items():
        seen[f"{name} {'accepts' if accepted else 'refuses'}"] += 1
    if any(told.values()):
        seen.update(heads(concl))
        true_in_models(rng, hyps, concl)


def shares(seen: Counter[str], accepted: float, refused: float) -> None:
    """At least these shares are accepted and refused by each program."""
    for name in PROGRAMS:
        yes, no = seen[f"{name} accepts"], seen[f"{name} refuses"]
        assert yes >= accepted * (yes + no), (name, yes, no)
        assert no >= refused * (yes + no), (name, yes, no)


# --- the fuzzers ---


def field_trial(t: J, hyps: list[J], seed: int, seen: Counter[str]) -> None:
    rng = random.Random(seed)
    other = closed(step_everywhere(t, rng, 0.4))
    rw = [f"h{k}" for k, h in enumerate(hyps) if h[0] == "=" and rng.random() < 0.7]
    leaf = node("field", rw=rw) if rw else FIELD
    for concl in (eq(t, other), ne(t, add(other, 1)), eq(["^", t, 2], ["^", other, 2])):
        believed(given(DECLS, hyps, concl, leaf), hyps, concl, rng, seen)


def pos_trial(t: J, u: J, hyps: list[J], seed: int, seen: Counter[str]) -> None:
    rng = random.Random(seed)
    factors: list[J] = [t, u, sq(t), ["abs", u], "x", "y", mul(t, t), ["/", 1, t], ["^", t, "n"], ["max", t, u], ["sqrt", sq(u)]]
    factors += [["hyp", f"h{k}"] for k in range(len(hyps))]
    for _ in range(4):
        terms = [[rng.choice(factors) for _ in range(rng.randrange(3))] for _ in range(rng.randrange(1, 3))]
        values = [mul(1, 1, *(gap(hyps, f) for f in item)) for item in terms]
        low = rng.choice([0, t])
        sides = (low, add(low, 0, *values)) if rng.random() < 0.7 else (mul(-1, add(0, 0, *values)), 0)  # also against 0
        concl = rng.choice([lt, le])(*sides) if rng.random() < 0.8 else ["false"]
        believed(given(DECLS, hyps, concl, node("pos", terms=terms)), hyps, concl, rng, seen)


def gap(hyps: list[J], factor: J) -> J:
    """The term that a factor of pos stands for."""
    if isinstance(factor, list) and factor[0] == "hyp":
        h = hyps[int(factor[1][1:])]
        return sub(h[2], h[1])
    return factor


OPERATORS = {
    "+", "*", "/", "^", "q", "pi", "min", "max", "sum", "prod", "call", "d", "D", "tr", "det", "entry", "op", "sm", "mm", "T", "inv",
    "I", "J", "O", "mpow", "mat", "had", *UNARY,
}  # fmt: skip
"""Every operator of the page."""


def test_field_accepts_nothing_false() -> None:
    seen: Counter[str] = Counter()
    made: set[str] = set()

    @settings(suppress_health_check=list(HealthCheck), max_examples=3 * settings.default.max_examples)
    @example(TERMS, CHOICES, st.integers(0, 10**9))
    def trial(t: J, hyps: list[J], seed: int) -> None:
        made.update(heads(t))
        field_trial(t, hyps, seed, seen)

    trial()
    shares(seen, accepted=0.3, refused=0.2)
    assert made >= OPERATORS, OPERATORS - made
    assert len(OPERATORS & set(seen)) >= len(OPERATORS) - 3, OPERATORS - set(seen)  # with most of them something is accepted


def test_pos_accepts_nothing_false() -> None:
    seen: Counter[str] = Counter()

    @settings(suppress_health_check=list(HealthCheck))
    @example(TERMS, TERMS, CHOICES, st.integers(0, 10**9))
    def trial(t: J, u: J, hyps: list[J], seed: int) -> None:
        pos_trial(t, u, hyps, seed, seen)

    trial()
    shares(seen, accepted=0.1, refused=0.3)


@pytest.mark.skipif(solver.executable() is None, reason=solver.MISSING)
@settings(max_examples=60)
@example(TERMS, TERMS, CHOICES, st.integers(0, 10**9))
def test_what_a_solver_answers_to_a_problem_is_true_of_its_goal(t: J, u: J, hyps: list[J], seed: int) -> None:
    """The problem loses nothing: where it has no solution, no model refutes the goal (inverses of 0 are arbitrary there)."""
    rng = random.Random(seed)
    known, decls = [read_formula(h) for h in hyps], {"x": R, "y": R, "m": Z, "n": Z}
    if heads(["+", t, u, *hyps]) - {
        "+",
        "*",
        "/",
        "^",
        "q",
        "=",
        "!=",
        "<",
        "<=",
        "abs",
        "sqrt",
        "min",
        "max",
        "exp",
        "sum",
        "sin",
    }:
        return
    for steps in (1, 2, 4):
        other = t
        for _ in range(steps):
            other = closed(step_everywhere(other, rng, 0.7))
        for concl in (eq(t, other), le(mul(2, t, u), add(sq(other), sq(u))), lt(t, add(sq(other), 1))):
            writer = Writer(LIBRARY.sorter, decls, {"m", "n"} if rng.random() < 0.5 else set())
            if solver.ask("".join(writer.problem(known, read_formula(concl)))).word == "unsat":
                true_in_models(rng, hyps, concl)


# --- matrices of any shape ---

SIZES = [-1, 0, 1, 1, 2, 2, 3]
LETTERS: list[J] = [
    "A",
    "B",
    ["T", "A"],
    ["T", "B"],
    ["I", "n"],
    ["J", "n", "n"],
    ["sm", 2, "A"],
    ["sm", "x", "B"],
    ["O", "n", "n"],
]
LETTERS += [["mm", "C", "E"], ["mm", ["T", "E"], ["T", "C"]], ["mm", ["J", "n", "m"], "E"], ["mpow", "A", 2], ["mpow", "A", "k"]]
LETTERS += [["inv", "A"], ["inv", ["T", "A"]], ["had", "A", "B"], ["mpow", ["I", "n"], "k"], ["inv", ["mm", "A", "B"]]]
MATRICES: J = [
    ["m", "Z"], ["n", "Z"], ["k", "Z"], ["x", "R"], ["A", SQUARE], ["B", SQUARE], ["C", ["M", "n", "m"]], ["E", ["M", "m", "n"]],
]  # fmt: skip
ON_MATRICES = [
    le(0, "n"), le(1, "n"), le(0, "m"), le(0, "k"), lt(0, "m"), ne(["det", "A"], 0), le("n", 0), ne("x", 0), lt(0, ["det", "B"]),
]  # fmt: skip


def shuffled(t: J, rng: random.Random) -> J:
    """Random, often wrong, rearrangements of a matrix term."""
    if not isinstance(t, list) or t[0] in ("I", "J", "O"):
        return t
    if t[0] == "mm" and rng.random() < 0.4 and not {"C", "E"} & set(map(str, t)):
        rest = t[1:]
        rng.shuffle(rest)
        t = ["mm", *rest]
    if t[0] == "T" and is_op(t[1], "mm") and rng.random() < 0.8:
        return ["mm", *(["T", y] for y in reversed(t[1][1:]))]
    if t[0] == "mm" and t[1] == ["J", "n", "n"] == t[2] and rng.random() < 0.8:
        return ["sm", "n", ["mm", ["I", "n"], *t[2:]]]
    if t[0] == "mm" and ["inv", "A"] in t and rng.random() < 0.5:
        return ["mm", *(["I", "n"] if y == ["inv", "A"] else y for y in t[1:] if y != "A"), ["I", "n"]]
    if t[0] in ("mm", "+"):
        return [t[0], *(shuffled(y, rng) for y in t[1:])]
    return t


def matrix_trial(sums: list[list[J]], hyps: list[J], seed: int, seen: Counter[str]) -> None:
    rng = random.Random(seed)
    t: J = ["+", *(["mm", *item] for item in sums)]
    cyclic = ["+", *(["mm", *s[1:], s[0]] for s in sums)]
    flipped, wrong = (["T", ["+", *(["mm", *(["T", y] for y in order(s))] for s in sums)]] for order in (reversed, list))
    for other in (shuffled(t, rng), shuffled(t, rng), flipped, wrong):
        cases = {
            "nc": given(MATRICES, hyps, eq(t, other), NC),
            "traces": given(MATRICES, hyps, eq(["tr", t], ["tr", other]), FIELD),
            "turned": given(MATRICES, hyps, eq(["tr", cyclic], ["tr", other]), FIELD),
        }
        accepted = set()
        for kind, case in cases.items():
            for name, ask in PROGRAMS.items():
                answer = ask(case)
                seen[f"{name} {'accepts' if answer else 'refuses'}"] += 1
                accepted |= {kind} if answer else set()
        for _ in range(6):
            model = matrix_model(rng)
            try:
                if not all(model.holds(h) for h in hyps):
                    continue
                left, right, third = model.matrix(t), model.matrix(other), model.matrix(cyclic)
            except ArithmeticError:
                continue
            assert "nc" not in accepted or left == right, (t, other, hyps, model.values)
            assert "traces" not in accepted or trace(left) == trace(right), (t, other, hyps)
            assert "turned" not in accepted or trace(third) == trace(right), (t, other, hyps)


def matrix_model(rng: random.Random) -> Model:
    m, n = rng.choice(SIZES), rng.choice(SIZES)
    values: dict[str, Any] = {
        "m": Fraction(m),
        "n": Fraction(n),
        "k": Fraction(rng.randrange(-1, 4)),
        "x": Fraction(rng.randrange(-3, 4)),
    }
    for name, r, c in (("A", n, n), ("B", n, n), ("C", n, m), ("E", m, n)):
        r, c = max(r, 0), max(c, 0)
        values[name] = (r, c, [[Fraction(rng.randrange(-3, 4)) for _ in range(c)] for _ in range(r)])
    return Model(rng, values)


SUMS = st.lists(st.lists(st.sampled_from(LETTERS), min_size=2, max_size=4), min_size=2, max_size=3)
MATRIX_CHOICES = st.lists(st.sampled_from(ON_MATRICES), max_size=3)


def test_nc_and_traces_accept_nothing_false() -> None:
    seen: Counter[str] = Counter()

    @settings(suppress_health_check=list(HealthCheck))
    @example(SUMS, MATRIX_CHOICES, st.integers(0, 10**9))
    def trial(sums: list[list[J]], hyps: list[J], seed: int) -> None:
        matrix_trial(sums, hyps, seed, seen)

    trial()
    shares(seen, accepted=0.2, refused=0.2)


# --- what the fuzzers must find ---

HUNT = settings(
    phases=(Phase.generate,),
    max_examples=600,
    database=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


def always(*args: Any) -> bool:
    return True


def keeps_the_order(self: Any, a: dict[Any, Any]) -> dict[Any, Any]:
    return {tuple((i, 1 - t, e) for i, t, e in w): q for w, q in a.items()}


def keeps_the_marks(word: Any) -> Any:
    return tuple((a, not t) for a, t in word)


def hunt_field() -> None:
    HUNT(example(TERMS, CHOICES, st.integers(0, 10**9))(lambda t, hyps, seed: field_trial(t, hyps, seed, Counter())))()


def hunt_pos() -> None:
    strategies = (TERMS, TERMS, CHOICES, st.integers(0, 10**9))
    HUNT(example(*strategies)(lambda t, u, hyps, seed: pos_trial(t, u, hyps, seed, Counter())))()


def hunt_matrices() -> None:
    strategies = (SUMS, MATRIX_CHOICES, st.integers(0, 10**9))
    HUNT(example(*strategies)(lambda sums, hyps, seed: matrix_trial(sums, hyps, seed, Counter())))()


PLANTED: dict[str, tuple[Callable[[], None], Any, str, Any]] = {
    "field, kernel: whatever is nonzero": (hunt_field, kernel_sign.Known, "nonzero", always),
    "field, checker: whatever is nonzero": (hunt_field, checker_sign.Sign, "nonzero", always),
    "field, kernel: every condition is known": (hunt_field, kernel_sign.Known, "holds", always),
    "pos, kernel: whatever is nonnegative": (hunt_pos, kernel_sign.Known, "nonneg", always),
    "pos, checker: whatever is positive": (hunt_pos, checker_sign.Sign, "pos", always),
    "nc, kernel: a transpose that keeps the order": (hunt_matrices, Normalizer, "words_transpose", keeps_the_order),
    "nc, checker: a transpose that keeps the order": (hunt_matrices, checker_words.Words, "flip", staticmethod(keeps_the_marks)),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hunt, where, what, fault = PLANTED[name]
    monkeypatch.setattr(where, what, fault)
    with pytest.raises(AssertionError):
        hunt()


def test_the_models_refute_what_is_false() -> None:
    rng = random.Random(1)
    assert len(models(rng, [lt(0, "x"), ne("y", 0)], 10)) == 10
    for false in (
        eq(["/", "x", "x"], 1),
        eq(["/", 1, mul("x", "y")], mul(["/", 1, "x"], ["/", 1, "y"])),
        eq(["sqrt", sq("x")], "x"),
        eq(["D", "t", mul("t", "t"), "x"], "x"),
        eq(["entry", "A", 1, 2], ["entry", "A", 2, 1]),
        eq(["det", ["+", "A", "B"]], add(["det", "A"], ["det", "B"])),
        eq(["op", "rank", "A"], "n"),
        eq(["d", 1, "f", "x"], ["call", "f", "x"]),
        le("x", 0),
    ):
        assert not all(m.holds(false) for m in models(rng, [], 60)), false
    assert all(m.holds(eq(["D", "t", mul("t", "t"), "x"], mul(2, "x"))) for m in models(rng, [], 40))
    assert not all(m.holds(eq(["tr", ["I", "n"]], "n")) for m in (matrix_model(rng) for _ in range(40)))
