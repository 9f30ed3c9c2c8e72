"""Properties of the kernel on random terms, formulas and proofs, and that the checker sees the same."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from typing import Any

from hypothesis import assume
from hypothesis import given as example
from hypothesis import strategies as st

from tests.recheck.support import J, add, eq, le, lt, mul, ne, node
from verify.kernel.laurent import Poly, Quotient
from verify.kernel.normal import Normalizer
from verify.kernel.sign import Known
from verify.kernel.terms import check_formula, diff, dom, freeze, negate, same, subst, thaw
from verify.recheck.terms import close, neg, put, read_formula, read_term

from .both import checker_accepts, kernel_accepts
from .models import Model

CTX = {"x": "R", "y": "R", "m": "Z"}
RATIONALS = st.fractions(-3, 3, max_denominator=3)
LITERALS: st.SearchStrategy[J] = st.sampled_from([0, 1, 2, -1, -3, ["q", 1, 2], ["q", -2, 3]])


# --- scalars ---


def rational_terms(divide: bool) -> st.SearchStrategy[J]:
    """Terms whose value is rational; divisors are variables, of which x and y are not 0, or sums of squares and 1."""

    def bigger(inner: st.SearchStrategy[J]) -> st.SearchStrategy[J]:
        kinds = [
            st.lists(inner, min_size=2, max_size=3).map(lambda p: ["+", *p]),
            st.lists(inner, min_size=2, max_size=3).map(lambda p: ["*", *p]),
            st.tuples(inner, st.integers(0, 3)).map(lambda p: ["^", *p]),
            st.tuples(st.integers(-1, 1), st.integers(-1, 3), inner).map(lambda p: ["sum", "i", p[0], p[1], ["*", "i", p[2]]]),
        ]
        if divide:
            kinds += [
                st.tuples(inner, st.sampled_from(["x", "y"])).map(lambda p: ["/", *p]),
                st.tuples(inner, inner).map(lambda p: ["/", p[0], ["+", 1, ["^", p[1], 2]]]),
                st.tuples(st.sampled_from(["x", "y"]), st.integers(-3, -1)).map(lambda p: ["^", *p]),
            ]
        return st.one_of(kinds)

    return st.recursive(st.one_of(st.sampled_from(["x", "y", "m"]), LITERALS), bigger, max_leaves=8)


def value_of_poly(p: Poly, n: Normalizer, values: dict[str, Fraction]) -> Fraction:
    """The value of a polynomial in atoms that are variables."""
    total = Fraction(0)
    for monomial, c in p.items():
        for i, e in monomial:
            kind, name = n.atoms[i].key
            assert kind == "var"
            c *= values[name] ** int(e)
        total += c
    return total


def value_of_form(q: Quotient, n: Normalizer, values: dict[str, Fraction]) -> Fraction:
    total = value_of_poly(q.num, n, values)
    for key, k in q.den.items():
        total /= value_of_poly(dict(key), n, values) ** k
    return total


@example(rational_terms(divide=True), RATIONALS, RATIONALS, st.integers(-3, 3))
def test_normal_forms_keep_the_value(t: J, x: Fraction, y: Fraction, m: int) -> None:
    assume(x and y)
    values = {"x": x, "y": y, "m": Fraction(m)}
    known = Known([freeze(ne("x", 0)), freeze(ne("y", 0))], CTX)
    n = Normalizer.make(known, CTX)
    assert value_of_form(n.scalar(freeze(t)), n, values) == Model(random.Random(0), dict(values)).number(t)


@example(rational_terms(divide=False), rational_terms(divide=False))
def test_equal_polynomials_have_one_form(t: J, u: J) -> None:
    n = Normalizer.make(Known([], CTX), CTX)
    square = ["^", ["+", t, u], 2]
    expanded = ["+", ["^", t, 2], ["*", 2, u, t], ["^", u, 2]]
    assert n.key(n.scalar(freeze(square))) == n.key(n.scalar(freeze(expanded)))


class Jet:
    """A value and a derivative, exactly."""

    def __init__(self, value: Any, slope: Any = Fraction(0)) -> None:
        self.value, self.slope = Fraction(value), Fraction(slope)

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other: Jet) -> Jet:
        return Jet(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def inverse(self) -> Jet:
        return Jet(1 / self.value, -self.slope / self.value**2)


def jet(t: J, values: dict[str, Jet]) -> Jet:
    if isinstance(t, int):
        return Jet(t)
    if isinstance(t, str):
        return values[t]
    h, args = t[0], t[1:]
    if h == "q":
        return Jet(Fraction(*args))
    if h == "sum":
        total = Jet(0)
        low, high = (int(jet(a, values).value) for a in args[1:3])
        for k in range(low, high + 1):
            total = total + jet(args[3], {**values, args[0]: Jet(k)})
        return total
    if h == "^":
        base = jet(args[0], values)
        total = Jet(1)
        for _ in range(abs(args[1])):
            total = total * (base if args[1] > 0 else base.inverse())
        return total
    first, *rest = (jet(a, values) for a in args)
    for other in rest:
        first = first + other if h == "+" else first * (other if h == "*" else other.inverse())
    return first


@example(rational_terms(divide=True), RATIONALS, RATIONALS, st.integers(-3, 3))
def test_derivatives_are_exact(t: J, x: Fraction, y: Fraction, m: int) -> None:
    assume(x and y)
    derived = thaw(diff(freeze(t), "x", CTX))
    model = Model(random.Random(0), {"x": x, "y": y, "m": Fraction(m)})
    assert model.number(derived) == jet(t, {"x": Jet(x, 1), "y": Jet(y), "m": Jet(m)}).slope


@example(rational_terms(divide=True))
def test_conditions_of_smoothness_are_seen_alike(t: J) -> None:
    from tests.recheck.support import LIBRARY
    from verify.recheck.terms import R, Z

    condition = read_formula(json.loads(json.dumps(thaw(dom(freeze(t), "x", CTX)))))
    assert LIBRARY.calculus.dom(read_term(t), "x", {"x": R, "y": R, "m": Z}) == condition


# --- formulas ---

DOMAIN = (-1, 0, 2)
ATOMS: st.SearchStrategy[J] = st.one_of(
    st.tuples(
        st.sampled_from(["=", "!=", "<", "<="]),
        st.sampled_from(["x", "y", "z", 0, 1]),
        st.sampled_from(
            ["x", "y", "z", add("x", "y"), mul("z", "x"), ["sum", "y", 0, 2, mul("x", "y")], ["sum", "z", "x", "y", "z"]]
        ),
    ).map(list),
    st.sampled_from([["true"], ["false"]]),
)


def connected(inner: st.SearchStrategy[J]) -> st.SearchStrategy[J]:
    return st.one_of(
        inner.map(lambda a: ["not", a]),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=3)).map(lambda p: [p[0], *p[1]]),
        st.tuples(st.sampled_from(["=>", "iff"]), inner, inner).map(list),
        st.tuples(st.sampled_from(["all", "ex"]), st.sampled_from("xyz"), inner).map(lambda p: [p[0], [[p[1], "Z"]], p[2]]),
        st.tuples(st.sampled_from(["all", "ex"]), inner).map(lambda p: [p[0], [["x", "Z"], ["z", "Z"]], p[1]]),
    )


FORMULAS = st.recursive(ATOMS, connected, max_leaves=6)
POINTS = st.tuples(*[st.sampled_from(DOMAIN)] * 3).map(lambda v: dict(zip("xyz", v, strict=True)))


def holds(a: J, values: dict[str, int]) -> bool:
    """The truth of a formula where quantifiers range over a few integers."""
    h, args = a[0], a[1:]
    if h in ("all", "ex"):
        names = [name for name, _ in args[0]]
        each = (
            holds(args[1], {**values, **dict(zip(names, v, strict=True))}) for v in itertools.product(DOMAIN, repeat=len(names))
        )
        return all(each) if h == "all" else any(each)
    if h in ("not", "and", "or", "=>", "iff"):
        told = [holds(b, values) for b in args]
        if h in ("not", "=>"):
            return not told[0] or (h == "=>" and told[1])
        return all(told) if h == "and" else any(told) if h == "or" else told[0] == told[1]
    return Model(random.Random(0), {k: Fraction(v) for k, v in values.items()}).holds(a)


@example(FORMULAS, POINTS)
def test_the_negation_is_true_where_the_formula_is_false(a: J, point: dict[str, int]) -> None:
    negated = json.loads(json.dumps(thaw(negate(freeze(a)))))
    assert holds(negated, point) != holds(a, point)
    assert holds(json.loads(json.dumps(thaw(negate(freeze(negated))))), point) == holds(a, point)
    assert neg(read_formula(a)) == read_formula(negated)


REPLACING: st.SearchStrategy[J] = st.sampled_from(["y", "z", 2, add("y", "z"), ["sum", "x", 0, 1, "x"], mul("x", "z"), "x"])


@example(FORMULAS, REPLACING, REPLACING, POINTS)
def test_substitution_captures_nothing(a: J, t: J, u: J, point: dict[str, int]) -> None:
    done = json.loads(json.dumps(thaw(subst(freeze(a), {"x": freeze(t), "y": freeze(u)}))))
    model = Model(random.Random(0), {k: Fraction(v) for k, v in point.items()})
    before = {**point, "x": int(model.number(t)), "y": int(model.number(u))}
    assert holds(done, point) == holds(a, before)
    assert put(close(read_formula(a), ["x", "y"]), [read_term(t), read_term(u)]) == read_formula(done)


def renamed(a: J, fresh: Any, names: dict[str, str]) -> J:
    """The formula with new names for all bound variables."""
    if isinstance(a, str):
        return names.get(a, a)
    if not isinstance(a, list) or not a:
        return a
    if a[0] in ("all", "ex"):
        inner = {**names, **{name: f"v{next(fresh)}" for name, _ in a[1]}}
        return [a[0], [[inner[name], sort] for name, sort in a[1]], renamed(a[2], fresh, inner)]
    if a[0] == "sum":
        inner = {**names, a[1]: f"v{next(fresh)}"}
        return ["sum", inner[a[1]], *(renamed(x, fresh, names) for x in a[2:4]), renamed(a[4], fresh, inner)]
    return [a[0], *(renamed(x, fresh, names) for x in a[1:])]


@example(FORMULAS, FORMULAS)
def test_names_of_bound_variables_do_not_matter(a: J, b: J) -> None:
    other = renamed(a, itertools.count(), {})
    assert same(freeze(a), freeze(other))
    assert same(freeze(a), freeze(b)) == (read_formula(a) == read_formula(b))


# --- proofs ---


def identity(a: J, h: str, fresh: Any) -> J:
    """A proof of a formula from the hypothesis h that says the same, which takes both apart as far as they go."""
    kind, args = a[0], a[1:]

    def name() -> str:
        return f"h{next(fresh)}"

    if kind == "and":
        names = [name() for _ in args]
        parts = [identity(b, k, fresh) for b, k in zip(args, names, strict=True)]
        return node("split", node("and", *parts), h=h, names=names)
    if kind == "or":
        k = name()
        parts = [node("or", identity(b, k, fresh), i=i) for i, b in enumerate(args)]
        return node("cases", *parts, h=h, name=k)
    if kind == "=>":
        k, rest = name(), name()
        premise, conclusion = identity(args[0], k, fresh), identity(args[1], rest, fresh)
        return node("assume", node("apply", premise, conclusion, h=h, terms=[], name=rest, n=1), name=k)
    if kind == "iff":
        there, back = name(), name()
        directions = [["=>", args[0], args[1]], ["=>", args[1], args[0]]]
        parts = [identity(b, k, fresh) for b, k in zip(directions, (there, back), strict=True)]
        return node("split", node("iff", *parts), h=h, names=[there, back])
    if kind in ("all", "ex"):
        variables = [f"u{next(fresh)}" for _ in args[0]]
        body = renamed(args[1], fresh, dict(zip((n for n, _ in args[0]), variables, strict=True)))
        k = name()
        if kind == "ex":
            return node("obtain", node("witness", identity(body, k, fresh), terms=variables), h=h, names=variables, name=k)
        return node("fix", node("apply", identity(body, k, fresh), h=h, terms=variables, name=k, n=0), names=variables)
    if kind == "not":
        k, pushed = name(), name()
        return node("assume", node("push", node("clash", h=k, k=pushed), h=h, name=pushed), name=k)
    return node("hyp", h=h)


@example(FORMULAS, FORMULAS, st.integers(0, 10**9))
def test_both_accept_small_proofs_and_agree_on_broken_ones(a: J, b: J, seed: int) -> None:
    """What the kernel mints the checker accepts; for another formula, or with an edit, both say the same."""
    decls = [["x", "Z"], ["y", "Z"], ["z", "Z"]]
    check_formula(freeze(["all", decls, a]), {})
    inner = identity(a, "h", itertools.count())
    proof = node("fix", node("assume", inner, name="h"), names=["x", "y", "z"])
    assert kernel_accepts((["all", decls, ["=>", a, a]], proof)) and checker_accepts((["all", decls, ["=>", a, a]], proof))
    for statement in (["=>", a, b], ["=>", b, a]):
        case = (["all", decls, statement], proof)
        assert kernel_accepts(case) == checker_accepts(case)
    rng = random.Random(seed)
    broken = edited(proof, rng)
    case = (["all", decls, ["=>", a, a]], broken)
    assert kernel_accepts(case) == checker_accepts(case)


def edited(proof: J, rng: random.Random) -> J:
    """A proof with one argument changed, a child dropped, or a child doubled."""
    nodes = [proof := json.loads(json.dumps(proof))]
    for n in nodes:
        nodes += n.get("c", [])
    n = rng.choice(nodes)
    keys = [k for k in n if k not in ("r", "c")]
    kind = rng.randrange(3)
    if kind == 0 and keys:
        k = rng.choice(keys)
        donor = rng.choice([v for other in nodes for key, v in other.items() if key == k])
        n[k] = donor
    elif kind == 1 and n.get("c"):
        n["c"].pop(rng.randrange(len(n["c"])))
    elif n.get("c"):
        n["c"].insert(0, rng.choice(n["c"]))
    return proof


def test_the_properties_speak_of_something() -> None:
    assert holds(["all", [["x", "Z"]], le(["*", "x", "x"], 4)], {}) and not holds(["ex", [["x", "Z"]], eq("x", 1)], {})
    assert holds(["=>", lt("x", "x"), ["false"]], {"x": 0})
