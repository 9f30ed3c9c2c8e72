"""Proposition 16 and its proof: the residual equation (31), its sign, and the exponential decay of the loss."""

from __future__ import annotations

from proofs.shin2025.diagonal_flow import CONTEXT, in_setting
from proofs.shin2025.equal_layers import LAYER, from_initial, inside
from proofs.shin2025.factor_spectrum import RES, USES, Spectrum, entries, lam1, lam2, residual, spectrum, system_moves
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

SCALE = "al^L <= ws*d*m^L/((m + d - 1)^L + (d-1)*(m - 1)^L)"
AT_SCALE = CONTEXT + "; scale condition [Proposition 16]"


def rate(a: str, b: str) -> str:
    """K of equation (31) for the eigenvalues a and b."""
    return f"((L/d)*{a}^(2*L - 2) + (L*(d-1)/d)*{b}^(2*L - 2))"


K_T, K_0 = rate(lam1(), lam2()), rate(lam1("0"), lam2("0"))
RATE = "L*al^(2*L - 2)*((d-1)*(m - 1)^(2*L - 2) + (m + d - 1)^(2*L - 2))/(d*m^(2*L - 2))"
RES_0 = RES.replace("t)", "0)")


def loss(t: str) -> str:
    """The objective (2) for the diagonal observations."""
    return f"(sum(i, 1, d, (P(L,{t})[i,i] - ws)^2)/2)"


SCALAR = """1 <= d => 2 <= L => (all t:R. 0 <= t => 0 < a(t) and 0 < b(t)) =>
        (all t:R. 0 <= t => r(t) = (a(t)^L + (d-1)*b(t)^L)/d - ws) => (all t:R. 0 <= t => a'(t) = -a(t)^(L-1)*r(t)) =>
        (all t:R. 0 <= t => b'(t) = -b(t)^(L-1)*r(t))"""
SCALAR_NAMES = ("d_lo", "L_lo", "positive", "r_is", "move_a", "move_b")


@part(
    "shin2025.eq-31",
    "scalar",
    f"""all d L:Z, ws:R, a b r:R~>R. {SCALAR} => all t:R. 0 <= t =>
        r'(t) = (L/d)*a(t)^(L-1)*a'(t) + (L*(d-1)/d)*b(t)^(L-1)*b'(t) and r'(t) = -{rate("a(t)", "b(t)")}*r(t)""",
)
def scalar_residual_rate(g: Goal) -> None:
    """Differentiate the residual as a function of the eigenvalues."""
    g.fix()
    for name in SCALAR_NAMES:
        g.assume(name)

    def smooth(g: Goal) -> None:
        g.intro()
        g.split_all(g.apply("positive", "t"))
        g.auto()

    h = g.by_fact("derivative_agrees", "0", "r", "lam t:R. (a(t)^L + (d-1)*b(t)^L)/d - ws", by=[smooth, None])
    g.intro()
    g.split_all(g.apply("positive", "t"))
    h = g.apply(h, "t")
    de = g.differentiate("s", "(a(s)^L + (d-1)*b(s)^L)/d - ws", "t")
    x = g.apply("move_a", "t")
    y = g.apply("move_b", "t")
    first = g.have("r'(t) = (L/d)*a(t)^(L-1)*a'(t) + (L*(d-1)/d)*b(t)^(L-1)*b'(t)", lambda g: g.field((h, 1), (de, 1)))
    g.conj(None, lambda g: (g.rewrite(first), g.rewrite(x), g.rewrite(y), g.field())[-1])


def forward(g: Goal, name: str) -> None:
    """A hypothesis for all times as a premise where functions stand as lambdas."""
    t = g.fix()[0]
    g.assume()
    h = g.apply(name, t)
    if g.concl[0] == "and":
        g.close_by(h)
    else:
        g.step("field", eqs=((h, 1),))


def scalar_premises(g: Goal, role: str) -> str:
    """A scalar part, its premises discharged by the named hypotheses."""
    named = [lambda g, n=n: forward(g, n) for n in SCALAR_NAMES[2:]]
    return g.lemma("shin2025.eq-31", f"part:{role}", "d", "L", "ws", "a", "b", "r", by=[None, None, *named])


K_AB, K_AB_0 = rate("a(t)", "b(t)"), rate("a(0)", "b(0)")


@part(
    "shin2025.eq-31",
    "scalar-solution",
    f"""all d L:Z, ws:R, a b r G:R~>R. {SCALAR} => G(0) = 0 => (all t:R. 0 <= t => G'(t) = {K_AB}) =>
        all t:R. 0 <= t => r(t) = r(0)*exp(-G(t))""",
)
def scalar_residual_solution(g: Goal) -> None:
    """A linear equation."""
    g.fix()
    for name in (*SCALAR_NAMES, "G_0", "G_rate"):
        g.assume(name)
    h = scalar_premises(g, "scalar")

    def linear(g: Goal) -> None:
        g.intro()
        k = g.split(g.apply(h, "t"))[1]
        v = g.apply("G_rate", "t")
        k = g.have("r'(t) = -G'(t)*r(t)", lambda g: (g.rewrite(v), g.field((k, 1)))[-1])
        g.field((k, 1))

    sol = g.by_fact("linear_ode", "0", "r", "lam t:R. -G(t)", by=[None, linear])
    g.intro()
    sol = g.apply(sol, "t")
    g.rewrite(sol)
    g.rewrite("G_0")
    g.field()


@part(
    "shin2025.eq-31",
    "scalar-undershoot",
    f"""all d L:Z, ws:R, a b r:R~>R. {SCALAR} => r(0) <= 0 => all t:R. 0 <= t => r(t) <= 0 and a(0) <= a(t) and b(0) <= b(t) and
        {K_AB_0} <= {K_AB} and abs(r(t)) <= abs(r(0))*exp(-{K_AB_0}*t)""",
)
def scalar_undershoot(g: Goal) -> None:
    """The residual stays nonpositive, so the eigenvalues and K do not decrease; G(t) - K(0) t does not decrease either."""
    g.fix()
    for name in (*SCALAR_NAMES, "below"):
        g.assume(name)

    def smooth(g: Goal) -> None:
        g.intro()
        g.split_all(g.apply("positive", "t"))
        g.auto()

    g0, g1 = g.obtain(g.by_fact("antiderivative", f"lam t:R. {K_AB}", by=[smooth]), "G")
    sol = g.lemma(
        "shin2025.eq-31",
        "part:scalar-solution",
        "d",
        "L",
        "ws",
        "a",
        "b",
        "r",
        "G",
        by=[None, None, *[lambda g, n=n: forward(g, n) for n in (*SCALAR_NAMES[2:],)], None, lambda g: forward(g, g1)],
    )
    sign = g.have(
        "all t:R. 0 <= t => r(t) <= 0",
        lambda g: (g.intro(), h := g.apply(sol, "t"), g.rewrite(h), g.pos(["@below", "exp(-G(t))"]))[-1],
    )

    def grows(g: Goal, f: str, move: str) -> None:
        g.intro()
        g.split_all(g.apply("positive", "t"))
        h = g.apply(move, "t")
        k = g.apply(sign, "t")
        g.replace(f"D(s, {f}(s), t)", f"-{f}(t)^(L-1)*r(t)", lambda g: g.field((h, 1)))
        g.pos([f"{f}(t)^(L-1)", f"@{k}"])

    up_a = g.by_fact("nondecreasing", "0", "lam t:R. a(t)", by=[None, lambda g: grows(g, "a", "move_a")])
    up_b = g.by_fact("nondecreasing", "0", "lam t:R. b(t)", by=[None, lambda g: grows(g, "b", "move_b")])
    p0 = g.split_all(g.apply("positive", "0"))

    def rates(g: Goal) -> None:
        g.intro()
        ha = g.apply(up_a, "0", "t")
        hb = g.apply(up_b, "0", "t")
        x = g.by_fact("ipow_mono", "a(0)", "a(t)", "2*L - 2")
        y = g.by_fact("ipow_mono", "b(0)", "b(t)", "2*L - 2")
        g.have("0 <= d - 1")
        g.have("0 < L")
        del ha, hb
        g.pos(["L/d", f"@{x}"], ["L/d", "d - 1", f"@{y}"])

    low = g.have(f"all t:R. 0 <= t => {K_AB_0} <= {K_AB}", rates)
    del p0

    def gap(g: Goal) -> None:
        g.intro()
        h = g.apply(low, "t")
        v = g.apply(g1, "t")
        de = g.differentiate("s", f"G(s) - {K_AB_0}*s", "t")
        g.rewrite(de)
        g.rewrite(v)
        g.pos([f"@{h}"])

    integral = g.by_fact("nondecreasing", "0", f"lam t:R. G(t) - {K_AB_0}*t", by=[None, gap])
    g.intro()
    i = g.apply(integral, "0", "t")
    e = g.by_fact("exp_mono", "-G(t)", f"-{K_AB_0}*t", by=[lambda g: g.pos([f"@{i}"], eqs=[(g0, 1)])])
    h = g.apply(sol, "t")

    def size(g: Goal) -> None:
        g.rewrite(h)
        p = g.fact("abs_product", "r(0)", "exp(-G(t))")
        g.rewrite(p)
        q = g.have("abs(exp(-G(t))) = exp(-G(t))", lambda g: g.field())
        g.rewrite(q)
        g.pos(["abs(r(0))", f"@{e}"])

    g.conj(
        lambda g: g.close_by(g.apply(sign, "t")),
        lambda g: g.close_by(g.apply(up_a, "0", "t")),
        lambda g: g.close_by(g.apply(up_b, "0", "t")),
        lambda g: g.close_by(g.apply(low, "t")),
        size,
    )


def positive(g: Goal, s: Spectrum) -> str:
    """The eigenvalues are positive for t >= 0."""
    return g.have(
        "all t:R. 0 <= t => 0 < a(t) and 0 < b(t)",
        lambda g: (t := g.fix()[0], g.assume(), g.split_all(g.apply(s.order, t)), g.auto())[-1],
    )


def scalar_flow(g: Goal, s: Spectrum) -> list[Script | None]:
    """Scripts for the hypotheses that the eigenvalues are positive, what r is and how a and b move."""
    p = positive(g, s)
    return [lambda g: g.close_by(p), *[lambda g, k=k: system_moves(g, s.system, k) for k in (2, 3, 4)]]


def residual_rate(g: Goal, s: Spectrum) -> str:
    """Equation (31) for the eigenvalue functions."""

    by = [None, None, *scalar_flow(g, s)]
    return g.lemma("shin2025.eq-31", "part:scalar", "d", "L", "ws", "a", "b", "r", by=by)


def agree(g: Goal, s: Spectrum, body: str, name: str, script: object) -> str:
    """Derivatives for t >= 0 of an expression in the factors that equals one of the functions a, b, r there."""
    return g.by_fact("derivative_agrees", "0", f"lam t:R. {body}", name, by=[None, script])  # type: ignore[list-item]


@holds(
    "shin2025.eq-31",
    in_setting(f"""all l:Z, t:R. {LAYER} => 0 <= t =>
        D(s, {RES.replace("t)", "s)")}, t) = (L/d)*{lam1()}^(L-1)*D(s, {lam1("s")}, t) + (L*(d-1)/d)*{lam2()}^(L-1)*D(s,
        {lam2("s")}, t) and
        D(s, {RES.replace("t)", "s)")}, t) = -{K_T}*{RES}"""),
    argument="sound",
    context=CONTEXT,
    uses=USES,
)
def residual_equation(g: Goal) -> None:
    """The chain rule for r as a function of the two eigenvalues, for t >= 0."""
    from_initial(g)
    g.fix("l", "u")
    g.split_all(g.assume())
    g.assume()
    s = spectrum(g)
    rr = residual_rate(g, s)

    def equal(g: Goal, pick: int) -> None:
        g.fix("t")
        g.assume()
        factor, product, r, _, _ = s.at(g, "t")
        h = residual(g, product, r) if pick == 2 else entries(g, factor)[pick]
        g.exact(h)

    dr = g.apply(agree(g, s, RES, "r", lambda g: equal(g, 2)), "u")
    da = g.apply(agree(g, s, lam1(), "a", lambda g: equal(g, 0)), "u")
    db = g.apply(agree(g, s, lam2(), "b", lambda g: equal(g, 1)), "u")
    factor, product, r, _, _ = s.at(g, "u")
    x, y = entries(g, factor, "u")
    inside(g)
    z = g.have("P(L,u)[1,1] - ws = r(u)", lambda g: (g.rewrite(product), g.rewrite(r), g.field())[-1])
    g.rewrite(dr)
    g.rewrite(da)
    g.rewrite(db)
    g.rewrite(x)
    g.rewrite(y)
    g.rewrite(z)
    one, two = g.split(g.apply(rr, "u"))
    g.conj(lambda g: g.field((one, 1)), lambda g: g.field((two, 1)))


@part(
    "shin2025.prop-16-condition",
    "initial-powers",
    """all d n:Z, al m:R. 0 < al => 1 < m => 2 <= d => 0 <= n => (al - al/m + d*(al/m))^n = al^n*(m + d - 1)^n/m^n and
       (al - al/m)^n = al^n*(m - 1)^n/m^n""",
)
def initial_powers(g: Goal) -> None:
    """The bases are (al/m)(m + d - 1) and (al/m)(m - 1)."""
    g.intro()

    def one(g: Goal, base: str, x: str) -> None:
        g.replace(f"({base})^n", f"((al/m)*({x}))^n", lambda g: g.ctx(lambda g: g.field()))
        h = g.by_fact("ipow_mul", "al/m", x, "n")
        g.rewrite(h)
        g.field()

    g.conj(lambda g: one(g, "al - al/m + d*(al/m)", "m + d - 1"), lambda g: one(g, "al - al/m", "m - 1"))


def initial_powers_of(g: Goal, s: Spectrum, n: str) -> tuple[str, str]:
    """a(0)^n and b(0)^n."""
    x, y = g.split(g.lemma("shin2025.prop-16-condition", "part:initial-powers", "d", n, "al", "m"))
    a = g.have(
        f"a(0)^({n}) = al^({n})*(m + d - 1)^({n})/m^({n})",
        lambda g: (g.rewrite(s.a0), g.exact(x, by=[lambda g: g.ctx(lambda g: g.field())]))[-1],
    )
    b = g.have(f"b(0)^({n}) = al^({n})*(m - 1)^({n})/m^({n})", lambda g: (g.rewrite(s.b0), g.exact(y))[-1])
    return a, b


@holds(
    "shin2025.prop-16-condition",
    in_setting(f"all i:Z. 1 <= i and i <= d => (P(L,0)[i,i] <= ws <=> 0 < al^L and {SCALE})"),
    argument="sound",
    context=CONTEXT,
    uses=USES,
)
def undershoot_by_scale(g: Goal) -> None:
    """The initial diagonal entry is al^L ((m + d - 1)^L + (d - 1)(m - 1)^L)/(d m^L)."""
    from_initial(g)
    g.intro()
    s = spectrum(g)
    _, product, r, _, _ = s.at(g, "0")
    inside(g)
    p = g.have("P(L,0)[i,i] = (a(0)^L + (d-1)*b(0)^L)/d", lambda g: (g.rewrite(product), g.field())[-1])
    a, b = initial_powers_of(g, s, "L")
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    g.have("0 < d - 1")
    w = g.have(
        "P(L,0)[i,i] = al^L*((m + d - 1)^L + (d-1)*(m - 1)^L)/(d*m^L)",
        lambda g: (g.rewrite(p), g.rewrite(a), g.rewrite(b), g.field())[-1],
    )
    g.rewrite(w)
    size = "(m + d - 1)^L + (d-1)*(m - 1)^L"
    n = g.have(f"0 < {size}")

    def forward(g: Goal) -> None:
        h = g.assume()
        g.conj(None, lambda g: g.pos([f"@{h}", "d*m^L"], mul=[size]))

    def backward(g: Goal) -> None:
        h = g.split_all(g.assume())[1]
        g.pos([f"@{h}", size], mul=["d*m^L"])

    del n, r
    g.iff(forward, backward)
