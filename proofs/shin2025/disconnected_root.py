"""Appendix G.1: the root of the quadratic where the quotient is defined, and the dependence of r-bar on the initial
point alone."""

from __future__ import annotations

import re

from proofs.shin2025.disconnected_chain import CONTEXT, DOUBLE, READING, earlier, is_integral, observed, statement, with_integral
from proofs.shin2025.disconnected_flow import (
    FLOW,
    INTEGRAL_VARIABLES,
    SETTING,
    ZERO_LOSS,
    gradient,
    inside,
    integrals,
    pattern,
    rbar,
)
from proofs.shin2025.disconnected_solution import (
    ACCUMULATED,
    DEF,
    P_ROW,
    Q_ROW,
    SOLUTION_NAMES,
    SOLUTION_VARIABLES,
    flow_again,
    half_square,
    is_all,
    last,
    named,
    rate_again,
    strictly,
)
from verify.kernel import Goal
from verify.registry import amendment, holds, part

QUADRATIC_CLAIM = "shin2025.proof-step-quadratic"


@amendment(
    "shin2025.proof-step-rbar-root",
    statement(f"{P_ROW} + {Q_ROW}/2 != 0 => rb(p) = {rbar('p', 'j(p)')}"),
    says="where P + Q/2 != 0, that is, where the row of A(0) is not minus the column of B(0) observed in it; "
    "the denominator is then positive as a consequence",
    uses=[QUADRATIC_CLAIM, "shin2025.eq-44"],
)
def selected_root(g: Goal) -> None:
    """P - Q/2 <= 0 < P + Q/2: the only positive root, which is what the formula gives also for P = Q/2."""
    g.intro()
    quadratic = earlier(g, QUADRATIC_CLAIM, "statement", "p")
    minus, plus = half_square(g, "-", "p", "j(p)"), half_square(g, "+", "p", "j(p)")
    sign = g.have(f"{P_ROW} - {Q_ROW}/2 <= 0", lambda k: k.pos([f"@{minus}"]))
    nonzero = named(g, lambda f: f[0] == "!=")
    positive = g.have(f"0 < {P_ROW} + {Q_ROW}/2", lambda k: strictly(k, plus, nonzero))
    scalar = g.lemma("shin2025.proof-step-rbar-root", "part:scalar")
    h = g.apply(
        scalar, P_ROW, Q_ROW, "W[p,j(p)]", "rb(p)", by=[lambda k, x=x: k.close_by(x) for x in (quadratic, sign, positive)]
    )
    g.close_by(g.split(h)[2])


UNIQUE = """all c m w x y:R. 0 <= c => 0 <= m => 0 < c + m =>
    c*exp(2*x)^2 + 2*w*exp(2*x) - m = 0 => c*exp(2*y)^2 + 2*w*exp(2*y) - m = 0 => x = y"""


@part(QUADRATIC_CLAIM, "unique", UNIQUE, says="the quadratic has at most one positive root, unless all its coefficients vanish")
def quadratic_has_one_positive_root(g: Goal) -> None:
    """The difference of the two equations is (u - v)(c v + m/u)."""
    g.intro("c_nonneg", "m_nonneg", "positive", "first", "second")
    u, v = "exp(2*x)", "exp(2*y)"
    h = g.have(f"({u} - {v})*(c*{v} + m/{u}) = 0", lambda k: k.field(("first", f"{v}/{u}"), ("second", "-1")))
    either = g.by_fact("product_zero", f"{u} - {v}", f"c*{v} + m/{u}", by=[lambda k: k.close_by(h)])

    def equal(k: Goal) -> None:
        same = k.have(f"{u} = {v}", lambda q: q.field(("case", "1")))
        double = k.by_fact("exp_injective", "2*x", "2*y", by=[lambda q: q.close_by(same)])
        k.field((double, "1/2"))

    def never(k: Goal) -> None:
        """c v + m/u = 0 with both terms nonnegative makes c and m vanish."""
        k.contra()
        c0 = k.have("c = 0", lambda q: q.antisym(lambda z: z.pos(["m", f"1/({u}*{v})"], eqs=[("case", f"-1/{v}")]), None))
        m0 = k.have("m = 0", lambda q: q.antisym(lambda z: z.pos(["c", f"{u}*{v}"], eqs=[("case", f"-{u}")]), None))
        k.pos(["@positive"], eqs=[(c0, "-1"), (m0, "-1")])

    g.cases(either, equal, never, name="case")


# ---------------------------------------------------------------------- r-bar depends on the initial point alone


def second(text: str) -> str:
    """The same text for a second flow, called A2, B2, G2, with integrals R2 and limits rb2."""
    text = re.sub(r"\b([ABG]|rb)\b(?=['(])", r"\g<1>2", text)
    return re.sub(r"\bR(?='?\(k)", "R2", text)


@part(
    QUADRATIC_CLAIM,
    "rest",
    statement(f"{Q_ROW} = 0 => rb(p) = 0"),
    says="a row of A that vanishes at the start with its column of B stays 0, and so does the integral of its residual",
    uses=[DEF, "shin2025.eq-44"],
)
def vanishing_row_rests(g: Goal) -> None:
    """P = 0 with Q; the observed entry is 0 at all times, so the observed value is 0 and the residual vanishes."""
    g.intro()
    zero = named(g, lambda f: f[0] == "=")
    minus, plus = half_square(g, "-", "p", "j(p)"), half_square(g, "+", "p", "j(p)")
    p = g.have(
        f"{P_ROW} = 0",
        lambda k: k.antisym(
            lambda q: q.pos([f"@{minus}"], eqs=[(zero, "-1/2")]), lambda q: q.pos([f"@{plus}"], eqs=[(zero, "-1/2")])
        ),
    )
    product = with_integral(g, "part:product", "p")
    value = observed(g)
    w = g.have("W[p,j(p)] = 0", lambda k: k.field((value, "1"), (p, "cosh(2*rb(p))"), (zero, "-sinh(2*rb(p))/2")))
    start, rate, limit = g.split(g.apply(named(g, is_integral), "p"))

    def flat(k: Goal) -> None:
        k.intro()
        t = last(k)
        r, x = k.apply(rate, t), k.apply(product, t)
        k.field((r, "1"), (x, "1"), (w, "-1"), (p, f"cosh(2*R(p,{t}))"), (zero, f"-sinh(2*R(p,{t}))/2"))

    constant = g.by_fact("constant", 0, "lam t:R. R(p,t)", by=[None, flat])
    none = g.fact("tends_const", 0)
    e = g.by_fact(
        "tends_ext", 0, 0, "lam t:R. 0", "lam t:R. R(p,t)",
        by=[lambda k: (k.intro(), k.field((k.apply(constant, last(k)), "-1"), (start, "-1"))), lambda k: k.close_by(none)],
    )  # fmt: skip
    g.close_by(
        g.by_fact("tends_unique", "rb(p)", 0, "lam t:R. R(p,t)", by=[lambda k: k.close_by(limit), lambda k: k.close_by(e)])
    )


BOTH = f"""all {INTEGRAL_VARIABLES}, A2 B2:R~>M(n,n), G2:R->M(n,n), R2:(Z,R)~>R, rb2:Z->R. 1 <= n => {pattern()} =>
    {gradient()} => {FLOW} => {ZERO_LOSS} => {integrals()} =>
    {second(gradient())} => {second(FLOW)} => {second(ZERO_LOSS)} => {second(integrals())} => A2(0) = A(0) => B2(0) = B(0) =>
    all p:Z. {inside("p")} => rb2(p) = rb(p) and W[p,j(p)] = {DOUBLE}"""


@holds(
    "shin2025.assertion-rbar-init-only",
    BOTH,
    uses=[QUADRATIC_CLAIM, "shin2025.eq-44"],
    argument="repaired",
    reading=READING + " Two flows with the same initial point and the same observations have the same r-bar in every row; "
    "each r-bar satisfies its own scalar equation in P, Q and the observed value. Where the closed form "
    "is defined it is that of Proposition 17.",
    context=CONTEXT,
)
def rbar_is_determined_by_the_initial_point(g: Goal) -> None:
    """The quadratic has one positive root unless P = Q = 0, when r-bar is 0."""
    unique = g.have(UNIQUE, lambda k: k.close_by(k.lemma(QUADRATIC_CLAIM, "part:unique")))
    hs = g.intro()
    one, two = hs[2:6], hs[6:10]
    names = ("A2", "B2", "G2", "R2", "rb2")
    start = [named(g, lambda f, a=a: f[0] == "=" and f[1] == ("call", a, 0)) for a in ("A2", "B2")]

    def of_second(k: Goal, role: str) -> str:
        k.clear(*one)
        h = earlier(k, QUADRATIC_CLAIM, role, "p", flow=names)
        for e in start:
            h = k.rewritten(h, e)
        return h

    text = f"({P_ROW} - {Q_ROW}/2)*exp(2*rb2(p))^2 - 2*W[p,j(p)]*exp(2*rb2(p)) + {P_ROW} + {Q_ROW}/2 = 0"
    there = g.have(text, lambda k: k.close_by(of_second(k, "statement")))
    rest = g.have(f"{Q_ROW} = 0 => rb2(p) = 0", lambda k: k.close_by(of_second(k, "part:rest")))
    g.clear(*two)
    here = earlier(g, QUADRATIC_CLAIM, "statement", "p")
    value = observed(g)
    minus, plus = half_square(g, "-", "p", "j(p)"), half_square(g, "+", "p", "j(p)")

    def equal(k: Goal) -> None:
        k.em(f"{Q_ROW} = 0", both_rest, one_root, name="empty")

    def both_rest(k: Goal) -> None:
        x, y = k.apply(rest), k.apply(earlier(k, QUADRATIC_CLAIM, "part:rest", "p"))
        k.field((x, "1"), (y, "-1"))

    def one_root(k: Goal) -> None:
        q = k.have(f"0 <= {Q_ROW}", lambda z: z.pos([f"@{minus}"], [f"@{plus}"]))
        total = k.have(f"0 < {Q_ROW}", lambda z: strictly(z, q, "empty"))
        c, m = f"({Q_ROW}/2 - {P_ROW})", f"({Q_ROW}/2 + {P_ROW})"
        scripts = [None, None, lambda z: z.pos([f"@{total}"]), lambda z: z.field((there, "-1")), lambda z: z.field((here, "-1"))]
        k.close_by(k.apply(unique, c, m, "W[p,j(p)]", "rb2(p)", "rb(p)", by=scripts))

    g.conj(equal, lambda k: k.close_by(value))


# ---------------------------------------------------------------------- where r-bar is infinite


@part(
    "shin2025.proof-step-rbar-root",
    "infinite",
    f"""all {SOLUTION_VARIABLES}. {SETTING} => {ZERO_LOSS} => {inside("p")} => {ACCUMULATED} => W[p,j(p)] = 0 =>
        {P_ROW} - {Q_ROW}/2 = 0 => {Q_ROW} != 0 => tendsoo(t, r(t))""",
    says="where w* = 0 and P = Q/2 > 0 (a row of A(0) equal to its column of B(0)) the integral of the "
    "residual tends to infinity",
    uses=[DEF],
)
def integral_tends_to_infinity(g: Goal) -> None:
    """The observed entry is P exp(-2 r), and it tends to 0."""
    g.intro()
    product = g.lemma(DEF, "part:product", *SOLUTION_NAMES, by=[None, None, None, flow_again, None, None, rate_again])
    target, equal = (named(g, lambda f, v=v: f[0] == "=" and f[1][0] == v and f[2] == 0) for v in ("entry", "+"))
    nonzero = named(g, lambda f: f[0] == "!=")
    plus = half_square(g, "+", "p", "j(p)")
    q = g.have(f"0 <= {Q_ROW}", lambda k: k.pos([f"@{plus}"], eqs=[(equal, "-1")]))
    positive = g.have(
        f"0 < {P_ROW}",
        lambda k: k.pos([f"@{k.have(f'0 < {Q_ROW}', lambda z: strictly(z, q, nonzero))}", "1/2"], eqs=[(equal, "1")]),
    )
    limit = g.rewritten(g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "tends"), "p"), target)
    wt = "lam t:R. (A(t) @ B(t))[p,j(p)]"
    near = g.apply(g.split(g.fact("tends_epsilon", "0", wt))[0], by=[lambda k: k.close_by(limit)])
    infinite = g.split(g.fact("tendsoo_definition", "lam t:R. r(t)"))[1]

    def beyond(k: Goal) -> None:
        (b,) = k.fix("b")
        k.obtain(k.apply(near, f"{P_ROW}*exp(-2*{b})"), "a", name="small")
        k.witness("max(a, 0)")
        k.fix("t")
        k.assume("late")
        after = [
            k.have(f"{x} <= t", lambda z, x=x: z.pos([f"@{z.have(f'{x} <= max(a, 0)', at_most_max)}"], ["@late"]))
            for x in ("a", "0")
        ]
        value = k.apply(product, "t", by=[lambda z: z.close_by(after[1])])
        small = k.apply("small", "t", by=[lambda z: z.close_by(after[0])])
        form = k.have(
            "(A(t) @ B(t))[p,j(p)] - 0 = " + f"{P_ROW}*exp(-2*r(t))", lambda z: z.field((value, "1"), (equal, "sinh(2*r(t))"))
        )
        above = k.contra("below")
        lower = k.by_fact("exp_mono", "-2*b", "-2*r(t)", by=[lambda z: z.pos([f"@{above}", "2"])])
        size = k.fact("abs_cases", k.hyp_formula(small)[1][1])

        def close(z: Goal) -> None:
            _, e = z.split("case")
            z.pos([f"@{small}"], [f"@{lower}", f"@{positive}"], eqs=[(e, "1"), (form, "1")])

        def negative(z: Goal) -> None:
            order, _ = z.split("case")
            z.pos([f"@{order}"], [f"@{positive}", "exp(-2*r(t))"], eqs=[(form, "1")])

        k.cases(size, close, negative, name="case")

    g.close_by(g.apply(infinite, by=[beyond]))


def at_most_max(g: Goal) -> None:
    """a <= max(a, 0) and 0 <= max(a, 0)."""

    def each(k: Goal) -> None:
        _, value = k.split("case")
        k.rewrite(value)
        k.auto()

    g.cases(g.fact("max_cases", "a", "0"), each, each, name="case")
