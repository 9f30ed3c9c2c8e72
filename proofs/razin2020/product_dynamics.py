"""Lemma 4: balancedness is preserved, and the product matrix has its own dynamics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofs.razin2020.factorisation import BALANCED, FLOW, INNER, factors
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import part

LEFT = "B(t) @ T(B(t))"
RIGHT = "T(A(t)) @ A(t)"
TERM = f"({LEFT})^(l-1) @ G(t) @ ({RIGHT})^(L-l)"


@part(
    "razin2020.lemma-4",
    "balanced-for-all-times",
    f"""all {factors("r", "c")}. {FLOW} {BALANCED}
       (all t:R. 0 <= t => T(B(t)) @ B(t) = C(L-1,t)) and
       (all l:Z, t:R. {INNER} => 0 <= t => T(W(l,t)) @ W(l,t) = C(l-1,t))""",
    says="balancedness is preserved by the flow",
)
def balancedness_is_preserved(g: Goal) -> None:
    """W_{l+1}^T W_{l+1}' = W_l' W_l^T along the flow, so the difference of the two Gram matrices is constant, and 0 at the
    start."""
    _big, ends, steps, flow, inner, low, grams, top0, inner0 = g.intro()

    def two_factors(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))

        def velocity(g: Goal) -> list[str]:
            _, p, _ = g.split_all(g.apply(ends, "u"))
            q = g.have("Q(1,u) = A(u)", lambda g: g.close_by(g.split(g.apply(ends, "u"))[0]))
            a, b = g.split_all(g.apply(flow, "u"))
            same = g.have("P(1,u) = P(L-1,u)", lambda g: g.ctx(lambda g: g.field((eq, -1))))
            other = g.have("Q(L-1,u) = Q(1,u)", lambda g: g.ctx(lambda g: g.field((eq, 1))))
            return [a, b, same, p, other, q]

        k = constant(g, lambda s: f"B({s})", lambda s: f"A({s})", velocity)
        same0 = g.have("C(L-1,0) = C(1,0)", lambda g: g.ctx(lambda g: g.field((eq, 1))))
        same = g.have("C(L-1,t) = C(1,t)", lambda g: g.ctx(lambda g: g.field((eq, 1))))
        g.nc(
            *[
                (h, c, None, None)
                for h, c in (
                    (g.apply(k, "t"), 1),
                    (top0, 1),
                    (same0, 1),
                    (g.apply(low, 0), 1),
                    (same, -1),
                    (g.apply(low, "t"), -1),
                )
            ]
        )

    def last_factor(g: Goal) -> None:
        g.have("3 <= L", lambda g: next_integer(g, "2", "L"))

        def velocity(g: Goal) -> list[str]:
            p = g.split(g.apply(ends, "u"))[1]
            q = g.split(g.apply(steps, "L - 1", "u"))[0]
            b = g.split(g.apply(flow, "u"))[1]
            return [b, g.apply(inner, "L - 1", "u"), p, q]

        k = constant(g, lambda s: f"B({s})", lambda s: f"W(L-1,{s})", velocity)
        start, now = g.apply(grams, "L - 1", "0"), g.apply(grams, "L - 1", "t")
        g.nc(*[(h, c, None, None) for h, c in ((g.apply(k, "t"), 1), (top0, 1), (start, 1), (now, -1))])

    def second_factor(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        g.rewrite(eq)

        def velocity(g: Goal) -> list[str]:
            q = g.split(g.apply(ends, "u"))[0]
            p = g.split(g.apply(steps, "2", "u"))[1]
            a = g.split(g.apply(flow, "u"))[0]
            return [a, g.apply(inner, "2", "u"), p, q]

        k = constant(g, lambda s: f"W(2,{s})", lambda s: f"A({s})", velocity)
        g.nc(
            *[
                (h, c, None, None)
                for h, c in ((g.apply(k, "t"), 1), (g.apply(inner0, "2"), 1), (g.apply(low, 0), 1), (g.apply(low, "t"), -1))
            ]
        )

    def later_factor(g: Goal) -> None:
        g.have("3 <= l", lambda g: next_integer(g, "2", "l"))

        def velocity(g: Goal) -> list[str]:
            p = g.split(g.apply(steps, "l", "u"))[1]
            q = g.split(g.apply(steps, "l - 1", "u"))[0]
            return [g.apply(inner, "l", "u"), g.apply(inner, "l - 1", "u"), p, q]

        k = constant(g, lambda s: f"W(l,{s})", lambda s: f"W(l-1,{s})", velocity)
        start, now = g.apply(grams, "l - 1", "0"), g.apply(grams, "l - 1", "t")
        g.nc(*[(h, c, None, None) for h, c in ((g.apply(k, "t"), 1), (g.apply(inner0, "l"), 1), (start, 1), (now, -1))])

    def top(g: Goal) -> None:
        g.intro()
        g.em("L = 2", two_factors, last_factor)

    def middle(g: Goal) -> None:
        g.intro()
        g.em("l = 2", second_factor, later_factor)

    g.conj(top, middle)


def constant(g: Goal, upper: Callable[[str], str], lower: Callable[[str], str], velocity: Callable[[Goal], list[str]]) -> str:
    """Adds: upper^T upper - lower lower^T is for all t >= 0 what it is at 0. `velocity` gives the equations to put in, at
    time u."""
    h = g.fact("constant_matrix", "n", "n", 0, f"lam s:R. T({upper('s')}) @ {upper('s')} - {lower('s')} @ T({lower('s')})")

    def still(g: Goal) -> None:
        g.fix("u")
        g.assume()
        g.nc(rw=velocity(g))

    return g.apply(h, by=[None, still], n=2)


def next_integer(g: Goal, low: str, x: str) -> None:
    """low + 1 <= x from low <= x and x != low."""
    different = next(reversed(g.seq.hyps))

    def strict(g: Goal) -> None:
        def equal(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            k = g.have(f"{x} = {low}", lambda g: g.field((eq, -1)))
            g.clash(k, different)

        g.cases(g.by_fact("lt_or_eq", low, x), None, equal)

    k = g.have(f"{low} < {x}", strict)
    k = g.by_fact("int_lt", low, x, by=[using(k)])
    g.pos([f"@{k}"])


def at_time(g: Goal, role: str, hyps: list[str], conserved: tuple[str, str] | None, dims: tuple[str, str], t: str = "t") -> str:
    """A statement on the factors at one time t, by the products, the Gram matrices and (if given) preserved balancedness."""
    ends, steps, low, grams = hyps
    first, last, product = g.split(g.apply(ends, t))
    static = [(using(first)), (using(last)), (using(product)), None]

    def inner(g: Goal) -> None:
        g.intro()
        a = g.apply(grams, "l", t)
        b = g.apply(conserved[1], "l", t)  # type: ignore[index]
        g.conj(using(a), using(b))

    terms = [f"A({t})", f"B({t})", f"lam l:Z. W(l,{t})", f"lam l:Z. P(l,{t})", f"lam l:Z. Q(l,{t})", f"X({t})"]
    if conserved:
        c1, top = g.apply(low, t), g.apply(conserved[0], t)
        static += [using(c1), using(top), inner]
        terms.append(f"lam l:Z. C(l,{t})")

    def steps_at(g: Goal) -> None:
        g.intro()
        g.close_by(g.apply(steps, "l", t))

    static[3] = steps_at
    return g.lemma("razin2020.lemma-4", role, *dims, "n", "L", *terms, by=[None, *static])


@part(
    "razin2020.lemma-4",
    "dynamics-by-powers",
    f"""all {factors("r", "c")}. {FLOW} {BALANCED}
       all t:R. 0 <= t => X'(t) = -sum(l, 1, L, {TERM}) and X(t) @ T(X(t)) = ({LEFT})^L and T(X(t)) @ X(t) = ({RIGHT})^L""",
    says="the dynamics with the powers of W_L W_L^T and W_1^T W_1",
    uses=["razin2020.lemma-4"],
)
def dynamics_of_the_product(g: Goal) -> None:
    """P(l)' Q(l) collects, from l = L - 1 down, the velocities of the later factors; P P^T and Q^T Q are powers by
    balancedness."""
    hyps = g.intro()
    _, ends, steps, flow, inner, low, grams, _, _ = hyps[:9]
    dims = ("r", "c")
    top, middle = g.split(preserved(g, hyps, dims))
    (_split, right, left), outer = powers_at(g, hyps, (top, middle), dims)

    def collected(g: Goal) -> None:
        ih = g.induct("k")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))
        g.assume()
        last = g.by_fact("matrix_sum_last", "r", "c", 1, "k", f"lam l:Z. {TERM}")

        def base(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            k1 = g.have("k = 1", lambda g: g.field((eq, -1)))
            g.rewrite(k1)
            total = g.by_fact("matrix_sum_last", "r", "c", 1, 1, f"lam l:Z. {TERM}")
            empty = g.by_fact("matrix_sum_empty", "r", "c", 1, "1 - 1", f"lam l:Z. {TERM}")
            same = derivative(g, "r", "n", "P(L-1,s)", "B(s)", lambda g: g.close_by(g.split(g.apply(ends, "u"))[1]))
            same = g.apply(same, "t")
            b = g.split(g.apply(flow, "t"))[1]
            q = g.split(g.apply(right, "L - 1"))[0]
            see_exponents(g, total, q)
            g.nc(
                (same, 1, None, "Q(L-1,t)"),
                (b, 1, None, "Q(L-1,t)"),
                (q, -1, "G(t)", None),
                (total, 1, None, None),
                (empty, 1, None, None),
            )

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 1, "k", by=[using(strict)])
            m = "L - k + 1"
            before = g.apply(ih, "k - 1")
            same = derivative(
                g,
                "r",
                "n",
                "P(L-k,s)",
                f"P({m},s) @ W({m},s)",
                lambda g: g.nc((g.split(g.apply(steps, m, "u"))[1], 1, None, None)),
            )
            same = g.apply(same, "t")
            q = g.split(g.apply(steps, m, "t"))[0]
            w = g.apply(inner, m, "t")
            qq = g.split(g.apply(right, "L - k"))[0]
            pp = g.apply(left, m)
            before = g.have(f"d(1,P,{m},t) @ Q({m},t) = -sum(l, 1, k - 1, {TERM})", lambda g: g.nc((before, 1, None, None)))
            see_exponents(g, pp, qq, last)
            g.nc(
                (same, 1, None, "Q(L-k,t)"),
                (q, -1, f"d(1,P,{m},t)", None),
                (before, 1, None, None),
                (w, 1, f"P({m},t)", "Q(L-k,t)"),
                (pp, -1, None, "G(t) @ T(Q(L-k,t)) @ Q(L-k,t)"),
                (qq, -1, f"({LEFT})^(k-1) @ G(t)", None),
                (last, 1, None, None),
            )

        g.cases(g.by_fact("lt_or_eq", 1, "k", by=[using(lo)]), step, base)

    sums = g.have(f"all k:Z. 1 <= k => k <= L - 1 => d(1,P,L-k,t) @ Q(L-k,t) = -sum(l, 1, k, {TERM})", collected)

    def velocity(g: Goal) -> None:
        def product(g: Goal) -> None:
            a = g.split(g.apply(ends, "u"))[0]
            k = g.apply(at_time(g, "part:splits", [ends, steps, low, grams], None, dims, "u"), 1)
            g.nc((k, -1, None, None), (a, 1, "P(1,u)", None))

        same = g.apply(derivative(g, "r", "c", "X(s)", "P(1,s) @ A(s)", product), "t")
        a = g.split(g.apply(flow, "t"))[0]
        q = g.split(g.apply(ends, "t"))[0]
        k = g.apply(sums, "L - 1")
        pp = g.apply(left, 1)
        last = g.by_fact("matrix_sum_last", "r", "c", 1, "L", f"lam l:Z. {TERM}")
        see_exponents(g, pp, last)
        g.nc(
            (same, 1, None, None),
            (a, 1, "P(1,t)", None),
            (k, 1, None, None),
            (q, -1, "d(1,P,1,t)", None),
            (pp, -1, None, "G(t)"),
            (last, 1, None, None),
        )

    g.conj(velocity, lambda g: g.close_by(outer[0]), lambda g: g.close_by(outer[1]))


def preserved(g: Goal, hyps: list[str], dims: tuple[str, str]) -> str:
    """Balancedness for all times, for the flow among the hypotheses."""
    return flow_lemma(g, "part:balanced-for-all-times", hyps, dims)


def flow_lemma(g: Goal, role: str, hyps: list[str], dims: tuple[str, str] | tuple[str]) -> str:
    """A part of Lemma 4 for the flow of exactly these hypotheses."""

    def premise(h: str) -> Callable[[Goal], None]:
        def script(g: Goal) -> None:
            if h not in (hyps[3], hyps[4]):
                g.close_by(h)
                return
            names = g.fix(*(["u"] if h == hyps[3] else ["j", "u"]))
            g.intro()
            k = g.apply(h, *names)
            if h == hyps[4]:
                g.nc((k, 1, None, None))
                return
            a, b = g.split(k)
            g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

        return script

    return g.lemma("razin2020.lemma-4", role, *dims, "n", "L", *"ABWPQGXC", by=[premise(h) for h in hyps[:9]])


def powers_at(
    g: Goal, hyps: list[str], conserved: tuple[str, str], dims: tuple[str, str]
) -> tuple[tuple[str, str, str], tuple[str, str]]:
    """At time t: X = P(l) Q(l); the powers of Q^T Q and P P^T; those of X X^T and X^T X."""
    given = [hyps[1], hyps[2], hyps[5], hyps[6]]
    split = at_time(g, "part:splits", given, None, dims)
    right, whole = g.split(at_time(g, "part:right-powers", given, conserved, dims))
    left, other = g.split(at_time(g, "part:left-powers", given, conserved, dims))
    return (split, right, left), (other, whole)


def see_exponents(g: Goal, *names: str) -> None:
    """Proves 0 <= e for every exponent e of a matrix power in the conclusion and the named hypotheses, so that equal powers
    are seen to be equal."""
    found: list[Any] = []

    def walk(e: Any) -> None:
        if isinstance(e, tuple):
            if e and e[0] == "mpow" and not isinstance(e[2], int) and e[2] not in found:
                found.append(e[2])
            if e and e[0] not in ("sum", "all"):
                for a in e[1:]:
                    walk(a)

    for f in (g.concl, *(g.hyp_formula(h) for h in names)):
        walk(f)
    for e in found:
        g.have(("<=", 0, e))


def derivative(g: Goal, rows: str, cols: str, left: str, right: str, agree: Callable[[Goal], None]) -> str:
    """all t >= 0: the derivatives of two matrix functions of s that agree for t >= 0."""
    h = g.fact("derivative_agrees_matrix", rows, cols, 0, f"lam s:R. {left}", f"lam s:R. {right}")

    def equal(g: Goal) -> None:
        g.fix("u")
        g.assume()
        agree(g)

    return g.apply(h, by=[None, equal], n=2)
