"""Proposition 16: from an undershoot the residual stays nonpositive, the eigenvalues grow, the loss decays exponentially."""

from __future__ import annotations

from proofs.shin2025.commutant import moves
from proofs.shin2025.diagonal_flow import CONTEXT, in_setting
from proofs.shin2025.equal_layers import LAYER, from_initial
from proofs.shin2025.factor_spectrum import (
    ODE,
    RES,
    RES_I,
    SETTING_NAMES,
    USES,
    Spectrum,
    at_layer_with_integral,
    entries,
    equal_residuals,
    lam1,
    lam2,
    residual,
    spectrum,
)
from proofs.shin2025.loss_rate import AT_SCALE, K_0, K_T, RATE, RES_0, SCALE, initial_powers_of, loss, rate, scalar_flow
from verify.kernel import Goal
from verify.registry import holds, part

ALL_USES = [*USES, "shin2025.eq-31", "shin2025.prop-16-condition"]


def undershoot(g: Goal, s: Spectrum) -> str:
    """The conclusions of the scalar undershoot under the scale condition, a hypothesis named scale."""
    h = g.lemma(
        "shin2025.prop-16-condition", "statement", "d", "L", "ws", "al", "m", "W", "P", "Q", by=[*[None] * 6, moves, None]
    )
    h = g.split(g.apply(h, "1"))[1]
    h = g.apply(h)
    _, product, r, _, _ = s.at(g, "0")
    z = residual(g, product, r, "0")
    g.have("r(0) <= 0", lambda g: g.pos([f"@{h}"], eqs=[(z, 1)]))
    by = [None, None, *scalar_flow(g, s)]
    return g.lemma("shin2025.eq-31", "part:scalar-undershoot", "d", "L", "ws", "a", "b", "r", by=by)


def from_undershoot(g: Goal) -> tuple[Spectrum, str]:
    """Name the hypotheses, the scale condition among them; what is known of the eigenvalues, and the conclusions of the undershoot."""
    from_initial(g)
    g.assume("scale")
    g.intro()
    s = spectrum(g)
    return s, undershoot(g, s)


def named(g: Goal, s: Spectrum) -> list[str]:
    """Write the eigenvalues and residuals at t and 0 by a, b, r; the equations for r, a, b at t."""
    out: list[str] = []
    for t in ("0", "t"):
        factor, product, r, _, _ = s.at(g, t)
        hs = [residual(g, product, r, t)]
        if "l" in g.seq.ctx:
            hs += entries(g, factor, t)
        for h in hs:
            left = g.hyp_formula(h)[1]
            if occurs(left, g.concl):
                g.rewrite(h)
        out = hs
    return out


def occurs(part: object, whole: object) -> bool:
    """Does a term stand in a formula, literally?"""
    return part == whole or (isinstance(whole, tuple) and any(occurs(part, w) for w in whole))


def signed(r: str, r0: str) -> str:
    """(32) and what it says of signs, for a residual r."""
    return f"""{r} = {r0}*exp(-G(t)) and ({r0} < 0 => {r} < 0) and ({r0} = 0 => {r} = 0) and (0 < {r0} => 0 < {r}) and
        ({SCALE} => {r} <= 0)"""


K_INTEGRAL = f"G(0) = 0 => (all t:R. 0 <= t => G'(t) = {K_T})"


@part(
    "shin2025.eq-32",
    "first-entry",
    in_setting(f"all l:Z, G:R~>R. {LAYER} => {K_INTEGRAL} => all t:R. 0 <= t => {signed(RES, RES_0)}"),
    says="for the observed entry (1, 1)",
    uses=ALL_USES,
)
def residual_keeps_its_sign(g: Goal) -> None:
    """A linear equation; the scale condition says that r(0) is not positive."""
    from_initial(g)
    s = at_layer_with_integral(g, "G")

    def integral(g: Goal) -> None:
        t = g.fix("t")[0]
        g.assume()
        v = g.apply("G_rate", t)
        x, y = entries(g, s.at(g, "t")[0])
        v = g.have(
            f"G'(t) = {rate('a(t)', 'b(t)')}", lambda g: (g.rewrite(x, back=True), g.rewrite(y, back=True), g.field((v, 1)))[-1]
        )
        g.field((v, 1))

    by = [None, None, *scalar_flow(g, s), None, integral]
    sol = g.lemma("shin2025.eq-31", "part:scalar-solution", "d", "L", "ws", "a", "b", "r", "G", by=by)
    g.intro()
    h = g.apply(sol, "t")

    def scaled(g: Goal) -> None:
        g.assume("scale")
        u = undershoot(g, s)
        named(g, s)
        g.close_by(g.split(g.apply(u, "t"))[0])

    def plain(g: Goal) -> None:
        named(g, s)
        g.rewrite(h)
        if g.concl[0] == "=":
            g.refl()
        else:
            k = g.assume()
            if g.concl[0] == "=":
                g.field((k, "exp(-G(t))"))
            else:
                g.pos([f"@{k}", "exp(-G(t))"])

    g.conj(plain, plain, plain, plain, scaled)


@holds(
    "shin2025.eq-32",
    in_setting(f"""all l i:Z, G:R~>R. {LAYER} => 1 <= i and i <= d => {K_INTEGRAL} => all t:R. 0 <= t =>
        {signed(RES_I, RES_I.replace("t)", "0)"))}"""),
    argument="sound",
    context=CONTEXT + "; G is the integral of K from 0 [notation]; the last part under the scale condition [Proposition 16]",
    reading="r is the residual of any observed entry (i, i); by Lemma 13 they are equal",
    uses=ALL_USES,
)
def every_residual_keeps_its_sign(g: Goal) -> None:
    """All observed entries of the product are equal."""
    from_initial(g)
    g.intro()
    h = g.apply(g.apply(g.lemma("shin2025.eq-32", "part:first-entry", *SETTING_NAMES), "l", "G"), "t")
    g.rewrite(equal_residuals(g, "t"))
    g.rewrite(equal_residuals(g, "0"))
    g.close_by(h)


@holds(
    "shin2025.proof-step-lambda-monotone",
    in_setting(
        f"""all l:Z, t:R. {LAYER} => 0 <= t => D(s, {lam1("s")}, t) = -{lam1()}^(L-1)*{RES} and 0 <= D(s, {lam1("s")}, t) and
        D(s, {lam2("s")}, t) = -{lam2()}^(L-1)*{RES} and 0 <= D(s, {lam2("s")}, t) and
        {lam1("0")} <= {lam1()} and 0 < {lam1("0")} and {lam2("0")} <= {lam2()} and 0 < {lam2("0")}""",
        SCALE,
    ),
    argument="sound",
    context=AT_SCALE,
    uses=ALL_USES,
)
def eigenvalues_do_not_decrease(g: Goal) -> None:
    """Their velocity is a positive power times -r."""
    s, u = from_undershoot(g)
    v = g.lemma(ODE, "statement", "d", "L", "ws", "al", "m", "W", "P", "Q", by=[*[None] * 6, moves, None])
    v1, v2 = g.split(g.apply(v, "l", "t"))
    r, ua, ub, _, _ = g.split(g.apply(u, "t"))
    res, first, second = named(g, s)

    def by_name(g: Goal, v: str, x: str) -> str:
        left = g.hyp_formula(v)[1]
        eq = first if x == "a" else second
        return g.have(
            ("=", left, g.term(f"-{x}(t)^(L-1)*r(t)")),
            lambda g: (g.rewrite(res, back=True), g.rewrite(eq, back=True), g.field((v, 1)))[-1],
        )

    v1 = by_name(g, v1, "a")
    v2 = by_name(g, v2, "b")

    def up(g: Goal, h: str, x: str) -> None:
        g.rewrite(h)
        g.pos([f"{x}(t)^(L-1)", f"@{r}"])

    g.conj(
        lambda g: g.close_by(v1),
        lambda g: up(g, v1, "a"),
        lambda g: g.close_by(v2),
        lambda g: up(g, v2, "b"),
        lambda g: g.close_by(ua),
        None,
        lambda g: g.close_by(ub),
        None,
    )


@holds(
    "shin2025.eq-33",
    in_setting(f"all l:Z, t:R. {LAYER} => 0 <= t => {K_0} <= {K_T} and {K_0} = {RATE}", SCALE),
    argument="sound",
    context=AT_SCALE,
    uses=ALL_USES,
)
def lower_bound_on_the_rate(g: Goal) -> None:
    """The eigenvalues do not decrease; their start is al (m + d - 1)/m and al (m - 1)/m."""
    s, u = from_undershoot(g)

    def start(g: Goal) -> None:
        named(g, s)
        x, y = initial_powers_of(g, s, "2*L - 2")
        g.rewrite(x)
        g.rewrite(y)
        g.have("0 < m - 1")
        g.have("0 < m + d - 1")
        g.field()

    g.conj(lambda g: (named(g, s), g.close_by(g.split(g.apply(u, "t"))[3]))[-1], start)


@holds(
    "shin2025.proof-step-r-bound",
    in_setting(f"all l:Z, t:R. {LAYER} => 0 <= t => abs({RES}) <= abs({RES_0})*exp(-{K_0}*t)", SCALE),
    argument="sound",
    context=AT_SCALE,
    uses=ALL_USES,
)
def residual_bound(g: Goal) -> None:
    """The integral of K is at least K(0) t."""
    s, u = from_undershoot(g)
    h = g.split(g.apply(u, "t"))[4]
    named(g, s)
    g.close_by(h)


def loss_by_residual(g: Goal, s: Spectrum, t: str) -> str:
    """The loss is (d/2) r^2 at a time."""
    _, product, r, _, _ = s.at(g, t)

    def term(g: Goal) -> None:
        g.fix("i")
        g.intro()
        g.rewrite(residual(g, product, r, t, "i"))
        g.refl()

    h = g.by_fact("sum_ext", "1", "d", f"lam i:Z. (P(L,{t})[i,i] - ws)^2", f"lam i:Z. r({t})^2", by=[term])
    c = g.by_fact("sum_const", "1", "d", f"r({t})^2")
    return g.have(f"{loss(t)} = d/2*r({t})^2", lambda g: g.field((h, "1/2"), (c, "1/2")))


def loss_bound(g: Goal, s: Spectrum) -> str:
    """loss(t) <= loss(0) exp(-2 K(0) t) with K(0) by a and b."""
    u = undershoot(g, s)
    h = g.split(g.apply(u, "t"))[4]
    k = rate("a(0)", "b(0)")
    x = loss_by_residual(g, s, "t")
    y = loss_by_residual(g, s, "0")
    q = g.by_fact("ipow_mono", "abs(r(t))", f"abs(r(0))*exp(-{k}*t)", "2")
    a = g.fact("abs_square", "r(t)")
    b = g.fact("abs_square", "r(0)")
    del h

    def final(g: Goal) -> None:
        g.rewrite(x)
        g.rewrite(y)
        g.pos(["d/2", f"@{q}"], eqs=[(a, "d/2"), (b, f"-d/2*exp(-2*{k}*t)")])

    return g.have(f"{loss('t')} <= {loss('0')}*exp(-2*{k}*t)", final)


@holds(
    "shin2025.eq-loss-r",
    in_setting(f"""all l:Z, t:R. {LAYER} => 0 <= t => {loss("t")} = d/2*{RES}^2 and
        ({SCALE} => {loss("t")} <= {loss("0")}*exp(-2*{K_0}*t))"""),
    argument="sound",
    context=CONTEXT + "; the second part under the scale condition of Proposition 16 [Proposition 16]",
    uses=ALL_USES,
)
def loss_by_the_residual(g: Goal) -> None:
    """All diagonal entries of the product agree."""
    from_initial(g)
    g.intro()
    s = spectrum(g)

    def first(g: Goal) -> None:
        h = loss_by_residual(g, s, "t")
        named(g, s)
        g.close_by(h)

    def second(g: Goal) -> None:
        g.assume("scale")
        h = loss_bound(g, s)
        named(g, s)
        g.close_by(h)

    g.conj(first, second)


@holds(
    "shin2025.prop-16",
    in_setting(f"all t:R. 0 <= t => {loss('t')} <= {loss('0')}*exp(-2*{RATE}*t)", SCALE),
    argument="sound",
    context=AT_SCALE,
    uses=ALL_USES,
)
def loss_decays_exponentially(g: Goal) -> None:
    """The loss is (d/2) r^2 and the rate 2 K(0)."""
    from_initial(g)
    g.assume("scale")
    g.intro()
    s = spectrum(g)
    h = loss_bound(g, s)
    x, y = initial_powers_of(g, s, "2*L - 2")
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    k = g.have(f"{rate('a(0)', 'b(0)')} = {RATE}", lambda g: (g.rewrite(x), g.rewrite(y), g.field())[-1])
    e = g.have(f"exp(-2*{RATE}*t) = exp(-2*{rate('a(0)', 'b(0)')}*t)", lambda g: g.ctx(lambda g: g.field((k, "2*t"))))
    g.rewrite(e)
    g.close_by(h)
