"""Lemma 15 and the singular values of the factors in Appendix F.3.1 up to equation (29)."""

from __future__ import annotations

from proofs.shin2025.diagonal_flow import CONTEXT, in_setting
from proofs.shin2025.equal_layers import LAYER, from_initial
from proofs.shin2025.factor_spectrum import (
    INTEGRAL,
    INTEGRAL_I,
    RES,
    SETTING_NAMES,
    SV_USES,
    at_layer_with_integral,
    deep,
    depth_two,
    entries,
    equal_residuals,
    lam1,
    lam2,
    residual,
    root,
    spectrum,
    start_positive,
    values,
)
from verify.kernel import Goal
from verify.registry import holds, part


@holds(
    "shin2025.lemma-15",
    in_setting(f"""all l i k:Z. {LAYER} => 1 <= i and i <= d => 1 <= k and k <= d => ex sg:R~>R. all t:R. 0 <= t =>
        sg(t) = sv(W(l,t),i) and sg'(t) = -sg(t)^(L-1)*{RES.replace("[1,1]", "[k,k]")}"""),
    argument="sound",
    reading="r is the residual of any observed entry (k, k); by Lemma 13 they are equal",
    context=CONTEXT + "; a singular value as a function on t >= 0 that is smooth [the display differentiates it]",
    uses=SV_USES,
)
def flow_of_the_singular_values(g: Goal) -> None:
    """The singular values are the eigenvalues x + (d-1) y and x - y, in this order."""
    from_initial(g)
    g.intro()
    s = spectrum(g)

    def one(g: Goal, f: str, first_: bool) -> None:
        g.witness(f"lam t:R. {f}(t)")
        g.intro()
        factor, product, r, va, vb = s.at(g, "t")
        res = residual(g, product, r)
        sv1, others = values(g, factor)
        v = va if first_ else vb

        def value(g: Goal) -> None:
            if first_:
                g.replace("i", "1")
                g.field((sv1, -1))
            else:
                g.field((g.apply(others, "i"), -1))

        g.conj(value, lambda g: (g.rewrite(equal_residuals(g, "t", "k")), g.rewrite(res), g.field((v, 1)))[-1])

    g.cases(
        g.by_fact("lt_or_eq", "1", "i"),
        lambda g: (g.by_fact("int_lt", "1", "i"), one(g, "b", False))[-1],
        lambda g: one(g, "a", True),
    )


@holds(
    "shin2025.eq-sigma-initial",
    in_setting(f"""all l:Z. {LAYER} => sv(W(l,0),1) = {lam1("0")} and {lam1("0")} = al*(1 + (d-1)/m) and
        all i:Z. 2 <= i and i <= d => sv(W(l,0),i) = {lam2("0")} and {lam2("0")} = al*(1 - 1/m)"""),
    argument="sound",
    context=CONTEXT,
    uses=SV_USES,
)
def initial_singular_values(g: Goal) -> None:
    """Read off the start."""
    from_initial(g)
    g.intro()
    s = spectrum(g)
    factor = s.at(g, "0")[0]
    x, y = entries(g, factor, "0")
    one, others = values(g, factor, "0")
    g.rewrite(x)
    g.rewrite(y)
    g.rewrite(s.a0)
    g.rewrite(s.b0)

    def rest(g: Goal) -> None:
        g.intro()
        h = g.apply(others, "i")
        g.conj(lambda g: g.field((h, 1), (s.b0, 1)), lambda g: g.field())

    g.conj(lambda g: g.field((one, 1), (s.a0, 1)), lambda g: g.field(), rest)


FIRST, REST = "al*(1 + (d-1)/m)", "al*(1 - 1/m)"


def deep_value(c: str) -> str:
    return f"(al^(2-L)*({c})^(2-L) + (L-2)*F(t))^(1/(2-L))"


EXPLICIT = f"""(L = 2 => sv(W(l,t),1) = {FIRST}*exp(-F(t)) and all i:Z. 2 <= i and i <= d => sv(W(l,t),i) = {REST}*exp(-F(t)))
        and (2 < L => sv(W(l,t),1) = {deep_value("1 + (d-1)/m")} and all i:Z. 2 <= i and i <= d => sv(W(l,t),i) =
        {deep_value("1 - 1/m")})"""


@part(
    "shin2025.eq-sigma-explicit",
    "first-entry",
    in_setting(f"all l:Z, F:R~>R. {LAYER} => {INTEGRAL} => all t:R. 0 <= t => {EXPLICIT}"),
    says="with the residual of the observed entry (1, 1)",
    uses=SV_USES,
)
def explicit_singular_values(g: Goal) -> None:
    """The explicit solutions of the scalar equations from the initial values."""
    from_initial(g)
    s = at_layer_with_integral(g)
    g.intro()
    factor = s.at(g, "t")[0]
    one, others = values(g, factor)

    def two(g: Goal) -> None:
        is2 = g.assume()
        a, b = depth_two(g, s, is2)
        a = g.apply(a, "t")
        b = g.apply(b, "t")
        g.conj(
            lambda g: g.field((one, 1), (a, 1), (s.a0, "exp(-F(t))")),
            lambda g: (g.intro(), h := g.apply(others, "i"), g.field((h, 1), (b, 1), (s.b0, "exp(-F(t))")))[-1],
        )

    def more(g: Goal) -> None:
        g.assume("deep")
        g.by_fact("int_lt", "2", "L")
        a, b = deep(g, s)
        a = g.apply(a, "t")
        b = g.apply(b, "t")
        g.have("0 < m - 1")
        p1 = g.have("0 < 1 + (d-1)/m", lambda g: (g.have("0 <= d - 1"), g.pos([], ["d - 1", "1/m"]))[-1])
        p2 = g.have("0 < 1 - 1/m", lambda g: g.pos(["@m_lo"], mul=["m"]))
        del p1, p2
        a0 = g.have("a(0) = al*(1 + (d-1)/m)", lambda g: g.field((s.a0, 1)))
        b0 = g.have("b(0) = al*(1 - 1/m)", lambda g: g.field((s.b0, 1)))
        ma = g.by_fact("pow_mul", "al", "1 + (d-1)/m", "2 - L")
        mb = g.by_fact("pow_mul", "al", "1 - 1/m", "2 - L")

        def value(g: Goal, start: str, mul: str, sol: str, x: str) -> None:
            g.rewrite(mul, back=True)
            g.rewrite(start, back=True)
            root(g, sol, x)

        def rest(g: Goal) -> None:
            g.intro()
            h = g.apply(others, "i")
            g.rewrite(h)
            value(g, b0, mb, b, "b(t)")

        g.conj(lambda g: (g.rewrite(one), value(g, a0, ma, a, "a(t)"))[-1], rest)

    g.conj(two, more)


@holds(
    "shin2025.eq-sigma-explicit",
    in_setting(f"all l i:Z, F:R~>R. {LAYER} => 1 <= i and i <= d => {INTEGRAL_I} => all t:R. 0 <= t => {EXPLICIT}"),
    argument="sound",
    context=CONTEXT + "; F is the integral of r from 0 [notation]",
    reading="r is the residual of any observed entry (i, i); by Lemma 13 they are equal",
    uses=SV_USES,
)
def explicit_singular_values_for_each_residual(g: Goal) -> None:
    """All observed entries of the product are equal."""
    from_initial(g)
    g.fix()
    g.split_all(g.assume())
    g.split_all(g.assume())
    g.assume("F_0")
    g.assume("F_rate")

    def rate(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        g.field((g.apply("F_rate", t), 1), (equal_residuals(g, t), 1))

    h = g.apply(g.lemma("shin2025.eq-sigma-explicit", "part:first-entry", *SETTING_NAMES), "l", "F", by=[None, None, rate])
    g.close_by(h)


def take_integral(g: Goal) -> None:
    """Take F, the integral of the residual from 0, with the hypotheses F_0 and F_rate."""
    g.obtain(g.by_fact("antiderivative", f"lam t:R. {RES}"), "F", name="F_")
    g.have("F(0) = 0", name="F_0")
    g.have(f"all t:R. 0 <= t => F'(t) = {RES}", lambda g: g.close_by("F__2"), name="F_rate")


@holds(
    "shin2025.eq-28",
    in_setting(
        f"all l i:Z, t:R. {LAYER} => 2 <= i and i <= d => 0 <= t => sv(W(l,t),1)/sv(W(l,t),i) = (m + d - 1)/(m - 1)", "L = 2"
    ),
    argument="sound",
    context=CONTEXT,
    uses=SV_USES,
)
def constant_ratio_at_depth_two(g: Goal) -> None:
    """Both are multiplied by the same exponential."""
    from_initial(g)
    two = g.assume("L_is")
    g.intro()
    s = spectrum(g)
    take_integral(g)
    a, b = depth_two(g, s, two)
    a = g.apply(a, "t")
    b = g.apply(b, "t")
    one, others = values(g, s.at(g, "t")[0])
    g.rewrite(one)
    g.rewrite(g.apply(others, "i"))
    g.have("0 < m - 1")
    g.rewrite(a)
    g.rewrite(b)
    g.rewrite(s.a0)
    g.rewrite(s.b0)
    g.have("0 < al - al/m", start_positive)
    g.field()


DIFFERENCE = "al^(2-L)*((1 + (d-1)/m)^(2-L) - (1 - 1/m)^(2-L))"
CONSTANT = "(al/m)^(2-L)*((m + d - 1)^(2-L) - (m - 1)^(2-L))"


@holds(
    "shin2025.eq-29",
    in_setting(
        f"""all l i:Z, t:R. {LAYER} => 2 <= i and i <= d => 0 <= t => sv(W(l,t),1)^(2-L) - sv(W(l,t),i)^(2-L) = {DIFFERENCE}
        and {DIFFERENCE} = {CONSTANT}""",
        "2 < L",
    ),
    argument="sound",
    context=CONTEXT,
    uses=SV_USES,
)
def constant_difference_at_greater_depth(g: Goal) -> None:
    """Both powers grow at the same rate; (1 + (d-1)/m) al = (m + d - 1) al/m."""
    from_initial(g)
    g.assume("deep")
    g.by_fact("int_lt", "2", "L")
    g.intro()
    s = spectrum(g)
    take_integral(g)
    a, b = deep(g, s)
    a = g.apply(a, "t")
    b = g.apply(b, "t")
    one, others = values(g, s.at(g, "t")[0])
    g.rewrite(one)
    g.rewrite(g.apply(others, "i"))
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    g.have("0 < 1 + (d-1)/m", lambda g: (g.have("0 <= d - 1"), g.pos([], ["d - 1", "1/m"]))[-1])
    g.have("0 < 1 - 1/m", lambda g: g.pos(["@m_lo"], mul=["m"]))
    ma = g.by_fact("pow_mul", "al", "1 + (d-1)/m", "2 - L")
    mb = g.by_fact("pow_mul", "al", "1 - 1/m", "2 - L")
    na = g.by_fact("pow_mul", "al/m", "m + d - 1", "2 - L")
    nb = g.by_fact("pow_mul", "al/m", "m - 1", "2 - L")
    a0 = g.have("a(0)^(2-L) = (al*(1 + (d-1)/m))^(2-L)", lambda g: (g.rewrite(s.a0), g.ctx(lambda g: g.field()))[-1])
    b0 = g.have("b(0)^(2-L) = (al*(1 - 1/m))^(2-L)", lambda g: (g.rewrite(s.b0), g.ctx(lambda g: g.field()))[-1])
    ea = g.have("(al*(1 + (d-1)/m))^(2-L) = (al/m*(m + d - 1))^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    eb = g.have("(al*(1 - 1/m))^(2-L) = (al/m*(m - 1))^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    g.conj(
        lambda g: g.field((a, 1), (b, -1), (a0, 1), (b0, -1), (ma, 1), (mb, -1)),
        lambda g: g.field((ma, -1), (mb, 1), (ea, 1), (eb, -1), (na, 1), (nb, -1)),
    )
