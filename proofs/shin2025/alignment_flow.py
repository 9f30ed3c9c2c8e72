"""Appendix F.1, first half: the reference vector, the flow of the parts along and across it, and the two conservation laws."""

from __future__ import annotations

from typing import Any

from proofs.shin2025.connected_flow import (
    ALPHA0,
    FLOW,
    LIMITS,
    NAMES,
    R1,
    R2,
    UNIT,
    alpha,
    beta,
    claim,
    inner,
    norm2,
    perp,
)
from verify.kernel import Goal
from verify.registry import holds, part

CONTEXT = "gradient flow (4), convergence to a zero-loss point, u* = b_1(inf)/|b_1(inf)|, inner width n [Section 2, F.1]"


# ---------------------------------------------------------------------- (4) from the loss


def _loss(**moved: str) -> str:
    """The loss (2), with one row or column moved."""
    v = {x: moved.get(x, f"{x}(t)") for x in ("a1", "a2", "b1")}
    return f"1/2*({inner(v['a1'], v['b1'])} - w1)^2 + 1/2*({inner(v['a2'], v['b1'])} - w2)^2"


def _gradient(x: str) -> str:
    return f"tr(T({x}'(t)) @ x) = -D(s, {_loss(**{x: f'({x}(t) + s*x)'})}, 0)"


GRADIENT_FLOW = f"(all t:R, x:V(n). 0 <= t => {' and '.join(_gradient(x) for x in ('a1', 'a2', 'b1', 'b2'))})"


@holds(
    "shin2025.eq-4",
    f"""all n:Z, w1 w2:R, a1 a2 b1 b2:R~>V(n). 1 <= n => {GRADIENT_FLOW} => all t:R. 0 <= t =>
        a1'(t) = {R1}*b1(t) and a2'(t) = {R2}*b1(t) and b1'(t) = {R1}*a1(t) + {R2}*a2(t) and b2'(t) = O(n,1)""",
    argument="sound",
    reading="a_1, a_2 are the rows of A and b_1, b_2 the columns of B; w_ij = a_i^T b_j; the flow is minus the "
    "gradient of the loss (2), "
    "stated by directional derivatives. The last equation says that the unobserved column of B rests.",
    context="the loss (2) with Omega = {(1,1), (2,1)} and the gradient flow (3) [Section 2]",
)
def rows_and_columns_follow_the_gradient(g: Goal) -> None:
    """The gradient is tested with the direction that is the difference of the two sides: its norm is 0."""
    g.intro()
    flow = next(h for h, f in g.seq.hyps.items() if f[0] == "all")

    def equal(k: Goal, number: int) -> None:
        x = ("+", k.concl[1], ("sm", -1, k.concl[2]))
        h = k.split(k.apply(flow, "t", x))[number]
        zero = k.have(("=", ("tr", ("mm", ("T", x), x)), 0), lambda q: q.field((h, "1")))
        o = k.by_fact("frobenius_zero", "n", "1", x, by=[lambda q: q.close_by(zero)])
        k.nc((o, "1", None, None))

    g.conj(*[lambda k, m=m: equal(k, m) for m in range(4)])


# ---------------------------------------------------------------------- the reference vector


def flow_at(g: Goal, t: str = "t") -> list[str]:
    """The three equations of the flow (4) at a time."""
    flow = next(h for h, f in g.seq.hyps.items() if f[0] == "all" and len(f[1]) == 1 and f[2][0] == "=>")
    return g.split(g.apply(flow, t))


def by_flow(g: Goal, *rw: str) -> None:
    """Close an equation with derivatives: differentiate, put the flow in, expand."""
    flow_at(g)
    for d in [e for e in subterms(g.concl) if e[0] == "D"]:
        g.rewrite(g.differentiate(d[1], d[2], d[3]))
    for h in list(g.seq.hyps)[-20:]:
        f = g.seq.hyps[h]
        if f[0] == "=" and f[1][0] == "d" and f[1] in subterms(g.concl):
            g.rewrite(h)
    g.field(rw=rw)


def subterms(e: Any) -> list[Any]:
    """All compound subterms, outermost first, without repetition."""
    out: list[Any] = []
    if isinstance(e, tuple) and e:
        if isinstance(e[0], str):
            out.append(e)
        for x in e:
            out += [s for s in subterms(x) if s not in out]
    return out


def symmetric_unit(g: Goal) -> str:
    """u has norm 1, because B1 is not 0: its inner product with A1 is w1 != 0."""
    n2 = norm2("B1")

    def positive(k: Goal) -> None:
        k.contra("zero")
        z = k.have(f"{n2} = 0", lambda q: q.antisym(lambda c: c.close_by("zero")))
        o = k.by_fact("frobenius_zero", "n", "1", "B1", by=[lambda q: q.close_by(z)])
        w = next(h for h, f in k.seq.hyps.items() if f[0] == "=" and f[2] == "w1")
        v = k.have("w1 = 0", lambda q: zero_product(q, w, o))
        k.clash(v, next(h for h, f in k.seq.hyps.items() if f == ("!=", "w1", 0)))

    def zero_product(q: Goal, w: str, o: str) -> None:
        z = q.have("tr(T(A1) @ B1) = 0", lambda c: (c.rewrite(o), c.field()))
        q.field((z, "1"), (w, "-1"))

    g.have(f"0 < {n2}", positive)
    ref = next(h for h, f in g.seq.hyps.items() if f[0] == "=" and f[1] == "u")

    def one(k: Goal) -> None:
        square = k.by_fact("sqrt_sq", n2)
        k.rewrite(ref)
        k.field((square, f"-1/sqrt({n2})^2"))

    return g.have(UNIT, one)


@part(
    "shin2025.def-parallel-perp",
    "unit",
    claim(f"0 < {norm2('B1')} and {UNIT}"),
    says="b_1 at infinity is not 0 and u* is a unit vector",
)
def reference_is_a_unit_vector(g: Goal) -> None:
    """If b_1 vanished at infinity, so would w_11*; then u* has norm 1."""
    g.intro()
    h = symmetric_unit(g)
    g.conj(None, lambda k: k.close_by(h))


def unit_vector(g: Goal) -> str:
    """|u| = 1, from the part above; returns the name of the equation."""
    return g.split(earlier(g, "shin2025.def-parallel-perp", "part:unit"))[1]


def earlier(g: Goal, claim: str, role: str = "statement", *more: str) -> str:
    """A statement of the same setting, with the hypotheses at hand."""

    def flow_premise(k: Goal) -> None:
        k.intro()
        k.conj(*[lambda q, h=h: q.nc((h, "1", None, None)) for h in flow_at(k, k.concl[1][1][3])])

    return g.lemma(claim, role, *NAMES, *more, by=[None, None, None, flow_premise])


@holds(
    "shin2025.eq-13",
    claim(
        f"all t:R. 0 <= t => D(s, {alpha('a1(s)')}, t) = tr(T(u) @ a1'(t)) and D(s, {alpha('a1(s)')}, t) = {R1}*{alpha('b1(t)')}"
    ),
    argument="sound",
    context=CONTEXT,
)
def component_of_a1(g: Goal) -> None:
    """u* is constant, so that the derivative passes to a_1; then (4)."""
    g.intro()
    g.conj(None, by_flow)


@holds(
    "shin2025.eq-14",
    claim(f"all t:R. 0 <= t => D(s, {alpha('a2(s)')}, t) = {R2}*{alpha('b1(t)')}"),
    argument="sound",
    context=CONTEXT,
)
def component_of_a2(g: Goal) -> None:
    """u* is constant, so that the derivative passes to a_2; then (4)."""
    g.intro()
    by_flow(g)


@holds(
    "shin2025.eq-15",
    claim(f"all t:R. 0 <= t => D(s, {alpha('b1(s)')}, t) = {R1}*{alpha('a1(t)')} + {R2}*{alpha('a2(t)')}"),
    argument="sound",
    context=CONTEXT,
)
def component_of_b1(g: Goal) -> None:
    """u* is constant, so that the derivative passes to b_1; then (4)."""
    g.intro()
    by_flow(g)


@holds(
    "shin2025.proof-step-beta-a1",
    claim(
        f"""all t:R. 0 <= t => D(s, {beta("a1(s)")}, t) = 2*tr(T({perp("a1(t)")}) @ ({R1}*b1(t) - {R1}*{alpha("b1(t)")}*u)) and
        D(s, {beta("a1(s)")}, t) = 2*{R1}*{inner(perp("a1(t)"), perp("b1(t)"))}"""
    ),
    uses=["shin2025.def-parallel-perp"],
    argument="sound",
    context=CONTEXT,
)
def perpendicular_part_of_a1(g: Goal) -> None:
    """The square of the norm is differentiated; the terms along u* drop out because |u*| = 1."""
    g.intro()
    h = unit_vector(g)
    g.conj(*[lambda k: by_flow(k, h)] * 2)


@holds(
    "shin2025.proof-step-beta-a2",
    claim(f"all t:R. 0 <= t => D(s, {beta('a2(s)')}, t) = 2*{R2}*{inner(perp('a2(t)'), perp('b1(t)'))}"),
    uses=["shin2025.def-parallel-perp"],
    argument="sound",
    context=CONTEXT,
)
def perpendicular_part_of_a2(g: Goal) -> None:
    """The square of the norm is differentiated; the terms along u* drop out because |u*| = 1."""
    g.intro()
    by_flow(g, unit_vector(g))


@holds(
    "shin2025.proof-step-beta-b1",
    claim(f"all t:R. 0 <= t => D(s, {beta('b1(s)')}, t) = D(s, {beta('a1(s)')}, t) + D(s, {beta('a2(s)')}, t)"),
    uses=["shin2025.def-parallel-perp"],
    argument="sound",
    context=CONTEXT,
)
def perpendicular_parts_balance(g: Goal) -> None:
    """Both sides are 2 r_1 a_1perp b_1perp + 2 r_2 a_2perp b_1perp."""
    g.intro()
    by_flow(g, unit_vector(g))


@holds(
    "shin2025.proof-step-alpha-conservation",
    claim(f"all t:R. 0 <= t => D(s, {alpha('b1(s)')}^2, t) = D(s, {alpha('a1(s)')}^2 + {alpha('a2(s)')}^2, t)"),
    argument="sound",
    context=CONTEXT,
)
def parallel_parts_balance(g: Goal) -> None:
    """Both sides are 2 alpha_b (r_1 alpha_a1 + r_2 alpha_a2)."""
    g.intro()
    by_flow(g)


def tends_inner(g: Goal, x: str, x_oo: str, y: str, y_oo: str) -> str:
    """From x(t) -> X and y(t) -> Y: the inner products converge. x, y are terms in t."""
    h = g.by_fact("tends_matrix_transpose", "n", "1", x_oo, f"lam t:R. {x}")
    h = g.by_fact(
        "tends_matrix_mul", "1", "n", "1", f"T({x_oo})", y_oo, f"lam t:R. T({x})", f"lam t:R. {y}", by=[lambda k: k.close_by(h)]
    )
    return g.by_fact("tends_trace", "1", f"T({x_oo}) @ {y_oo}", f"lam t:R. T({x}) @ {y}", by=[lambda k: k.close_by(h)])


@holds(
    "shin2025.proof-step-convergence-inner",
    f"""all n:Z, w1 w2:R, a1 a2 b1:R~>V(n), A1 A2 B1:V(n). 1 <= n => w1 != 0 => w2 != 0 => {FLOW} => {LIMITS} =>
        tends(t, 1/2*({inner("a1(t)", "b1(t)")} - w1)^2 + 1/2*({inner("a2(t)", "b1(t)")} - w2)^2, 0) =>
        tr(T(A1) @ B1) = w1 and tr(T(A2) @ B1) = w2""",
    argument="sound",
    reading="if a_1, a_2, b_1 converge and the loss tends to 0, the limits have the observed inner products",
    context="gradient flow (4), convergence to a zero-loss point, inner width n [Section 2, F.1]",
)
def limits_have_no_loss(g: Goal) -> None:
    """The loss tends to the loss of the limits, which is 0; a sum of squares that vanishes."""
    g.intro()
    x, y = ("tr(T(a1(t)) @ b1(t))", "tr(T(a2(t)) @ b1(t))")
    p = tends_inner(g, "a1(t)", "A1", "b1(t)", "B1")
    q = tends_inner(g, "a2(t)", "A2", "b1(t)", "B1")
    loss = "1/2*(tr(T(A1) @ B1) - w1)^2"
    first = g.by_fact("tends_compose", "tr(T(A1) @ B1)", f"lam t:R. {x}", "lam z:R. 1/2*(z - w1)^2", by=[lambda k: k.close_by(p)])
    second = g.by_fact(
        "tends_compose", "tr(T(A2) @ B1)", f"lam t:R. {y}", "lam z:R. 1/2*(z - w2)^2", by=[lambda k: k.close_by(q)]
    )
    total = g.by_fact(
        "tends_add",
        loss,
        "1/2*(tr(T(A2) @ B1) - w2)^2",
        f"lam t:R. 1/2*({x} - w1)^2",
        f"lam t:R. 1/2*({y} - w2)^2",
        by=[lambda k: k.close_by(first), lambda k: k.close_by(second)],
    )
    same = g.by_fact(
        "tends_unique",
        f"{loss} + 1/2*(tr(T(A2) @ B1) - w2)^2",
        "0",
        f"lam t:R. 1/2*({x} - w1)^2 + 1/2*({y} - w2)^2",
        by=[lambda k: k.close_by(total), None],
    )

    def vanishes(k: Goal, one: str, other: str) -> None:
        z = k.by_fact(
            "square_zero", f"({one})", by=[lambda c: c.antisym(lambda e: e.pos([f"({other})^2"], eqs=[(same, "-2")]), None)]
        )
        k.field((z, "1"))

    d1, d2 = "tr(T(A1) @ B1) - w1", "tr(T(A2) @ B1) - w2"
    g.conj(lambda k: vanishes(k, d1, d2), lambda k: vanishes(k, d2, d1))


# ---------------------------------------------------------------------- the conservation laws at infinity


def sum_of_three(g: Goal, form: str, terms: list[tuple[str, str, str]]) -> str:
    """x(t) -> X, y(t) -> Y, z(t) -> Z gives the limit of x + y - z after `form` is applied to each; terms: (x, X, hypothesis)."""
    hs = [
        g.by_fact("tends_compose", big, f"lam t:R. {x}", f"lam z:R. {form}", by=[lambda k, h=h: k.close_by(h)])
        for (x, big, h), form in zip(terms, (form, form, f"-({form})"), strict=True)
    ]
    at = [(form.replace("z", f"({x})"), form.replace("z", f"({big})")) for x, big, _ in terms]
    at[2] = (f"-({at[2][0]})", f"-({at[2][1]})")
    two = g.by_fact(
        "tends_add",
        at[0][1],
        at[1][1],
        f"lam t:R. {at[0][0]}",
        f"lam t:R. {at[1][0]}",
        by=[lambda k: k.close_by(hs[0]), lambda k: k.close_by(hs[1])],
    )
    return g.by_fact(
        "tends_add",
        f"{at[0][1]} + {at[1][1]}",
        at[2][1],
        f"lam t:R. {at[0][0]} + {at[1][0]}",
        f"lam t:R. {at[2][0]}",
        by=[lambda k: k.close_by(two), lambda k: k.close_by(hs[2])],
    )


def limit_is_initial(g: Goal, tends: str) -> str:
    """A quantity that the flow conserves has its initial value as limit."""
    _, v, body, limit = g.hyp_formula(tends)
    e = ("lam", ((v, "R"),), body)
    constant = g.by_fact("constant", 0, e, by=[None, lambda k: (k.intro(), by_flow(k))])
    initial = g.hyp_formula(constant)[2][2][2]
    here = g.by_fact("tends_const", initial)
    there = g.by_fact(
        "tends_ext",
        0,
        initial,
        ("lam", ((v, "R"),), initial),
        e,
        by=[lambda k: (k.intro(), k.field((k.apply(constant, _time(k)), "-1"))), lambda k: k.close_by(here)],
    )
    return g.by_fact("tends_unique", limit, initial, e, by=[lambda k: k.close_by(tends), lambda k: k.close_by(there)])


def _time(k: Goal) -> str:
    """The variable declared last."""
    return list(k.seq.ctx)[-1]


LIMIT_ALPHA = f"{alpha('A1')}^2 + {alpha('A2')}^2 - {alpha('B1')}^2"
LIMIT_NORM = f"{norm2('A1')} + {norm2('A2')} - {norm2('B1')}"
START_NORM = f"{norm2('a1(0)')} + {norm2('a2(0)')} - {norm2('b1(0)')}"


@part(
    "shin2025.eq-18",
    "conserved-at-infinity",
    f"""all n:Z, w1 w2:R, a1 a2 b1:R~>V(n), A1 A2 B1 u:V(n). {FLOW} => {LIMITS} =>
        {LIMIT_ALPHA} = {ALPHA0} and {LIMIT_NORM} = {START_NORM}""",
    says="for any vector u the two conserved quantities keep their initial values at infinity",
)
def conserved_quantities_at_infinity(g: Goal) -> None:
    """Along the flow both are constant, so that their limit is their initial value."""
    g.intro()
    limits = {"a1": "A1", "a2": "A2", "b1": "B1"}

    def components(k: Goal) -> None:
        const = k.by_fact("tends_matrix_const", "1", "n", "T(u)")

        def one(x: str, big: str) -> tuple[str, str, str]:
            h = next(h for h, f in k.seq.hyps.items() if f[0] == "tends" and f[3] == big)
            t1 = k.by_fact(
                "tends_matrix_mul",
                "1",
                "n",
                "1",
                "T(u)",
                big,
                "lam t:R. T(u)",
                f"lam t:R. {x}(t)",
                by=[lambda q: q.close_by(const), lambda q: q.close_by(h)],
            )
            t2 = k.by_fact("tends_trace", "1", f"T(u) @ {big}", f"lam t:R. T(u) @ {x}(t)", by=[lambda q: q.close_by(t1)])
            return inner("u", f"{x}(t)"), inner("u", big), t2

        h = limit_is_initial(k, sum_of_three(k, "z^2", [one(x, big) for x, big in limits.items()]))
        k.field((h, "1"))

    def norms(k: Goal) -> None:
        terms = [(norm2(f"{x}(t)"), norm2(big), tends_inner(k, f"{x}(t)", big, f"{x}(t)", big)) for x, big in limits.items()]
        h = limit_is_initial(k, sum_of_three(k, "z", terms))
        k.field((h, "1"))

    g.conj(components, norms)
