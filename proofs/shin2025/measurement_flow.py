"""Appendix G.3: the setting of Theorem 26, in the masked form of the measurements (equation (69)), and its Jacobian.

M is the indicator matrix of the observed entries, Z holds their values. The Jacobian J of the predictions at (A, B) maps a
direction (H, K) to M o (H B + A K); its transpose maps a matrix X supported on the observed entries to (X B^T, A^T X).
"""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import part

CORE = "shin2025.lemma-28"


def n2(x: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({x}) @ ({x}))"


def jt(x: str, a: str = "A(0)", b: str = "B(0)") -> str:
    """|J^T x|^2 at (a, b)."""
    return f"({n2(f'({x}) @ T({b})')} + {n2(f'T({a}) @ ({x})')})"


def residual(t: str) -> str:
    return f"had(M, A({t}) @ B({t}) - Z)"


def loss(t: str) -> str:
    return f"({n2(residual(t))}/2)"


def moved(t: str, a: str = "0") -> str:
    """|Theta(t) - Theta(a)|_F^2."""
    return f"({n2(f'A({t}) - A({a})')} + {n2(f'B({t}) - B({a})')})"


MASK = "(all i j:Z. M[i,j] = 0 or M[i,j] = 1)"
DECLARED = "all d:Z, M Z:M(d,d), A B:R~>M(d,d), s S:R. 1 <= d =>"


def flow(start: str = "0") -> str:
    x = residual("t")
    return f"(all t:R. {start} <= t => A'(t) = -({x} @ T(B(t))) and B'(t) = -(T(A(t)) @ {x}))"


def extremes(start: str = "0") -> str:
    """s and S are the smallest and the largest singular value of J at the start."""
    x, a, b = "had(M, X)", f"A({start})", f"B({start})"
    return (
        f"0 < s => (all X:M(d,d). s^2*{n2(x)} <= {jt(x, a, b)}) => (ex X:M(d,d). 0 < {n2(x)} and {jt(x, a, b)} = "
        f"s^2*{n2(x)}) =>"
        f" 0 <= S => (all X:M(d,d). {jt(x, a, b)} <= S^2*{n2(x)}) => (ex X:M(d,d). 0 < {n2(x)} and {jt(x, a, b)} = S^2*{n2(x)})"
    )


SETTING = f"{DECLARED} {MASK} => {flow()} => {extremes()} =>"
READING = (
    "M is the indicator of the distinct observed entries and Z holds the observed values, so the loss (69) is |M o (AB "
    "- Z)|^2/2 "
    "(equation (69) in the catalogue); "
    "s and S are the smallest and largest of the N singular values of J, by the variational characterisation: the bounds of "
    "|J^T x|/|x| over x in R^N, attained (x is written as the matrix M o X)."
)
CONTEXT = "sigma_min > 0 [the claim divides by it]"


@part(
    CORE,
    "mask-adjoint",
    "all d:Z, M X Y:M(d,d). tr(T(had(M, X)) @ Y) = tr(T(X) @ had(M, Y))",
    says="the projection on the observed entries is self-adjoint",
)
def mask_is_self_adjoint(g: Goal) -> None:
    """By entries."""
    g.intro()
    a = g.fact("tr_entries", "d", "T(had(M, X)) @ Y")
    b = g.fact("tr_entries", "d", "T(X) @ had(M, Y)")
    g.field((a, 1), (b, -1))


@part(
    CORE,
    "mask-idempotent",
    f"all d:Z, M X:M(d,d). {MASK} => had(M, had(M, X)) = had(M, X)",
    says="the projection on the observed entries is idempotent",
)
def mask_is_idempotent(g: Goal) -> None:
    """Entries 0 and 1 are their own squares."""
    (m,) = g.intro()
    g.extn()
    g.cases(
        g.apply(m, "i", "j"), *[lambda g, c=c: g.field((list(g.seq.hyps)[-1], c)) for c in ("(M[i,j]-1)*X[i,j]", "M[i,j]*X[i,j]")]
    )


@part(
    CORE,
    "mask-contracts",
    f"all m n:Z, M X:M(m,n). {MASK} => {n2('had(M, X)')} <= {n2('X')}",
    says="the projection on the observed entries does not enlarge the norm",
)
def mask_contracts(g: Goal) -> None:
    """|X|^2 - |M o X|^2 = |X - M o X|^2, by entries."""
    (mask,) = g.intro()

    def once(g: Goal) -> None:
        g.extn()
        last = lambda g, c: g.field((list(g.seq.hyps)[-1], c))  # noqa: E731
        g.cases(g.apply(mask, "i", "j"), lambda g: last(g, "(M[i,j]-1)*X[i,j]"), lambda g: last(g, "M[i,j]*X[i,j]"))

    i = g.have("had(M, had(M, X)) = had(M, X)", once)
    left = g.fact("tr_entries", "n", "T(had(M, X)) @ had(M, X)")
    right = g.fact("tr_entries", "n", "T(X) @ had(M, had(M, X))")
    a = g.have(f"{n2('had(M, X)')} = tr(T(X) @ had(M, had(M, X)))", lambda g: g.field((left, 1), (right, -1)))
    c = g.have(f"{n2('had(M, X)')} = tr(T(X) @ had(M, X))", lambda g: g.exact(g.rewritten(a, i)))
    g.pos([n2("X - had(M, X)")], eqs=[(c, "-2")])


@part(
    CORE,
    "near",
    f"""all d:Z, X A B A0 B0:M(d,d). {jt("X", "A - A0", "B - B0")} <= ({n2("A - A0")} + {n2("B - B0")})*{n2("X")}""",
    says="|(J(Theta) - J(Theta_0))^T x| <= |Theta - Theta_0|_F |x|: the Jacobian is 1-Lipschitz",
)
def transposed_jacobian_is_lipschitz(g: Goal) -> None:
    """The Frobenius norm is submultiplicative."""
    g.intro()
    a = g.fact("frobenius_submultiplicative", "d", "d", "d", "X", "T(B - B0)")
    b = g.fact("frobenius_submultiplicative", "d", "d", "d", "T(A - A0)", "X")
    g.pos([f"@{a}"], [f"@{b}"])


@part(
    CORE,
    "loss-derivative",
    f"""{DECLARED} {MASK} => {flow()} => all t:R. 0 <= t => D(u, {loss("u")}, t) = -{jt(residual("t"), "A(t)", "B(t)")}""",
    says="the loss decreases by |J^T (F - y)|^2",
)
def loss_derivative(g: Goal) -> None:
    """The projection is self-adjoint and leaves the residual as it is."""
    _, _m, f = g.intro()[:3]
    v, w = g.split(g.apply(f, "t"))
    r = residual("t")
    i = g.lemma(CORE, "part:mask-idempotent", "d", "M", "A(t) @ B(t) - Z")
    a = g.lemma(CORE, "part:mask-adjoint", "d", "M", r, "A'(t) @ B(t) + A(t) @ B'(t)")
    a = g.rewritten(a, i)
    a = g.rewritten(g.rewritten(a, v), w)
    e = g.differentiate("u", loss("u"), "t")
    e = g.rewritten(g.rewritten(e, v), w)
    g.field((e, 1), (a, -1))


# ---------------------------------------------------------------- inside a ball around the start

INSIDE = f"{moved('u')} <= q^2*s^2"
RADIUS = "0 < q => q < 1 =>"


@part(
    CORE,
    "spectrum-near",
    f"""{DECLARED} {extremes()} => all q:R, U V:M(d,d). {RADIUS} {n2("U - A(0)")} + {n2("V - B(0)")} <= q^2*s^2 => all X:M(d,d).
        (1-q)^2*s^2*{n2("had(M, X)")} <= {jt("had(M, X)", "U", "V")} and {jt("had(M, X)", "U", "V")} <=
        (1+q)^2*S^2*{n2("had(M, X)")}""",
    says="within q s of the start the singular values of J lie between (1-q) s and (1+q) S",
)
def spectrum_near_the_start(g: Goal) -> None:
    """|a|^2 <= (1+c)|b|^2 + (1+1/c)|a-b|^2 for c = q/(1-q) and for c = q; s <= S."""
    hs = g.intro()
    _, _s0, low, low_at, _, high, _, _q0, _q1, close = hs
    x = "had(M, X)"
    near = g.lemma(CORE, "part:near", "d", x, "U", "V", "A(0)", "B(0)")
    bound = g.apply(low, "X")
    h = g.apply(high, "X")
    _p, e = g.obtain(low_at, "Y")
    k = g.apply(high, "Y")
    sq = g.have("s^2 <= S^2", lambda g: g.pos([f"@{k}"], mul=[n2("had(M, Y)")], eqs=[(e, "1")]))
    b = g.have(f"{jt(x, 'U - A(0)', 'V - B(0)')} <= q^2*s^2*{n2(x)}", lambda g: g.pos([f"@{near}"], [f"@{close}", n2(x)]))
    xa, xb = f"{x} @ T(V)", f"T(U) @ {x}"
    oa, ob = f"{x} @ T(B(0))", f"T(A(0)) @ {x}"
    g.have("0 < 1 - q")
    g.conj(
        lambda g: g.pos(
            [n2(f"q*({oa}) - ({oa} - {xa})")],
            [n2(f"q*({ob}) - ({ob} - {xb})")],
            ["q", "1 - q", f"@{bound}"],
            ["1 - q", f"@{b}"],
            mul=["q"],
        ),
        lambda g: g.pos(
            [n2(f"q*({oa}) - ({xa} - {oa})")],
            [n2(f"q*({ob}) - ({xb} - {ob})")],
            ["q", "1 + q", f"@{h}"],
            ["1 + q", f"@{b}"],
            ["1 + q", "q", "q", f"@{sq}", n2(x)],
            mul=["q"],
        ),
    )


@part(
    CORE,
    "loss-in-ball",
    f"""{SETTING} all q t:R. {RADIUS} 0 <= t => (all u:R. 0 <= u => u < t => {INSIDE}) =>
        {loss("t")} <= {loss("0")}*exp(-2*(1-q)^2*s^2*t)""",
    says="up to the exit from the ball of radius q s the loss decays at the rate 2 (1-q)^2 s^2",
)
def loss_in_the_ball(g: Goal) -> None:
    """The derivative of loss exp(rate t) is at most 0."""
    hs = g.intro()
    _d1, _m, _f = hs[:3]
    _t0, ball = hs[-2:]
    rate = "(2*(1-q)^2*s^2)"
    slope = g.lemma(CORE, "part:loss-derivative", "d", "M", "Z", "A", "B", "s", "S")
    spectrum = g.lemma(CORE, "part:spectrum-near", "d", "M", "Z", "A", "B", "s", "S")
    i = g.lemma(CORE, "part:mask-idempotent")

    def decreasing(g: Goal) -> None:
        (u,) = g.fix("u")
        g.split_all(g.assume())
        e = g.apply(slope, u)
        k = g.apply(spectrum, "q", f"A({u})", f"B({u})", by=[None, None, lambda g: g.close_by(g.apply(ball, u))])
        k = g.split(g.apply(k, residual(u)))[0]
        j = g.apply(i, "d", "M", f"A({u}) @ B({u}) - Z")
        k = g.rewritten(k, j)
        dd = g.differentiate("u_", f"-({loss('u_')}*exp({rate}*u_))", u)
        e2 = g.differentiate("u_", loss("u_"), u)
        g.rewrite(dd)
        x = f"exp({rate}*{u})"
        g.pos([x, f"@{k}"], eqs=[(e, f"-{x}"), (e2, x)])

    h = g.by_fact("mean_value_le", "0", "t", f"lam u:R. -({loss('u')}*exp({rate}*u))", by=[None, decreasing, None])
    g.pos([f"exp(-{rate}*t)", f"@{h}"])


@part(
    CORE,
    "distance-by-integral",
    f"""{SETTING} all q t:R. {RADIUS} 0 <= t => (all u:R. 0 <= u => u < t => {INSIDE}) =>
        {moved("t")} <= 2*((1+q)*S/((1-q)^2*s^2))^2*{loss("0")}*(1 - exp(-(1-q)^2*s^2*t))^2""",
    says="up to the exit from the ball of radius q s: the distance by the integral of the decaying residual",
)
def distance_by_the_integral(g: Goal) -> None:
    """Let U be the displacement at t, u = |U|. Then <U, Theta(v) - Theta(0)> has derivative at most u (1+q) S |F - y| and
    |F - y| decays at the rate (1-q)^2 s^2."""
    hs = g.intro()
    _d1, _m, f = hs[:3]
    hs[3]
    hs[6]
    _q0, _q1, _t0, ball = hs[-4:]
    rate, c = "((1-q)^2*s^2)", "((1+q)*S)"
    decay = g.lemma(CORE, "part:loss-in-ball", "d", "M", "Z", "A", "B", "s", "S")
    spectrum = g.lemma(CORE, "part:spectrum-near", "d", "M", "Z", "A", "B", "s", "S")
    i = g.lemma(CORE, "part:mask-idempotent")
    g.have("0 < 1 - q")
    _u1, ue = g.obtain(
        g.have(
            f"ex u:R. 0 <= u and u^2 = {moved('t')}",
            lambda g: (g.witness(f"sqrt({moved('t')})"), g.conj(None, lambda g: g.close_by(g.by_fact("sqrt_sq", moved("t")))))[
                -1
            ],
        ),
        "u",
    )
    _r1, re = g.obtain(
        g.have(
            f"ex r:R. 0 <= r and r^2 = {n2(residual('0'))}",
            lambda g: (
                g.witness(f"sqrt({n2(residual('0'))})"),
                g.conj(None, lambda g: g.close_by(g.by_fact("sqrt_sq", n2(residual("0"))))),
            )[-1],
        ),
        "r",
    )
    ua, ub = "A(t) - A(0)", "B(t) - B(0)"
    inner = f"(tr(T({ua}) @ (A(v) - A(0))) + tr(T({ub}) @ (B(v) - B(0))))"
    bound = f"(u*{c}*r/{rate}*(1 - exp(-{rate}*v)))"

    def slower(g: Goal) -> None:
        (v,) = g.fix("v")
        _v0, _vt = g.split_all(g.assume())
        fa, fb = g.split(g.apply(f, v))
        k = g.apply(spectrum, "q", "A(v)", "B(v)", by=[None, None, lambda g: g.close_by(g.apply(ball, v))])
        k = g.split(g.apply(k, residual(v)))[1]
        j = g.apply(i, "d", "M", f"A({v}) @ B({v}) - Z")
        k = g.rewritten(k, j)
        e = f"exp(-(1-q)^2*s^2*{v})"
        within = g.apply(decay, "q", v, by=[None, None, None, lambda g: earlier(g, ball)])
        w = f"({c}*r*{e})"
        va, vb = f"A'({v})", f"B'({v})"
        speed = f"({n2(va)} + {n2(vb)})"
        p = g.have(
            f"{speed} <= {w}^2",
            lambda g: (g.rewrite(fa), g.rewrite(fb), g.pos([f"@{k}"], [f"{c}^2", "2", f"@{within}"], eqs=[(re, f"{c}^2*{e}^2")]))[
                -1
            ],
        )
        x = f"(tr(T({ua}) @ A'({v})) + tr(T({ub}) @ B'({v})))"
        dd = g.differentiate("v_", f"{bound} - {inner}".replace("(v)", "(v_)").replace("*v)", "*v_)"), v)

        def cauchy(g: Goal) -> None:
            more = g.contra()
            g.have(f"0 <= u*{w}")
            g.have(f"0 < {x} + u*{w}")
            g.pos(
                [n2(f"u^2*A'({v}) - {x}*({ua})")],
                [n2(f"u^2*B'({v}) - {x}*({ub})")],
                ["u^4", f"@{p}"],
                ["u^2", f"@{more}", f"{x} + u*{w}"],
                eqs=[(ue, f"{x}^2")],
            )

        y = g.have(f"{x} <= u*{w}", cauchy)
        g.rewrite(dd)
        g.pos([f"@{y}"])

    e = f"exp(-{rate}*t)"
    less = g.by_fact("exp_mono", f"-{rate}*t", "0", by=[lambda g: g.pos([rate, "t"])])
    one = g.fact("exp_zero")
    g.have(f"0 <= 1 - {e}", lambda g: g.pos([f"@{less}"], eqs=[(one, -1)]))
    part_ = f"(1 - {e})"

    def moving(g: Goal) -> None:
        h = g.by_fact("mean_value_le", "0", "t", f"lam v:R. {bound} - {inner}", by=[None, slower, None])
        k = g.have(f"u <= {c}*r/{rate}*{part_}", lambda g: g.pos([f"@{h}"], mul=["u"], eqs=[(ue, "-1")]))
        g.pos([f"@{k}", f"{c}*r/{rate}*{part_} + u"], eqs=[(ue, "1"), (re, f"-({c}/{rate})^2*{part_}^2")])

    def resting(g: Goal) -> None:
        zero = list(g.seq.hyps)[-1]
        g.pos([f"({c}/{rate})^2", n2(residual("0")), f"{part_}^2"], eqs=[(ue, "1"), (zero, "u")])

    g.cases(g.by_fact("lt_or_eq", "0", "u"), moving, resting)


@part(
    CORE,
    "distance-in-ball",
    f"""{SETTING} all q t:R. {RADIUS} 0 <= t => (all u:R. 0 <= u => u < t => {INSIDE}) =>
        {moved("t")} <= 2*((1+q)*S/((1-q)^2*s^2))^2*{loss("0")}""",
    says="up to the exit from the ball of radius q s the distance is at most (1+q) S/((1-q)^2 s^2) |F - y|",
)
def distance_in_the_ball(g: Goal) -> None:
    """1 - exp(..) is at most 1."""
    hs = g.intro()
    g.have("0 < 1 - q")
    h = g.lemma(CORE, "part:distance-by-integral", "d", "M", "Z", "A", "B", "s", "S")
    h = g.apply(h, "q", "t")
    rate, e = "((1-q)^2*s^2)", "exp(-(1-q)^2*s^2*t)"
    less = g.by_fact("exp_mono", "-(1-q)^2*s^2*t", "0", by=[lambda g: g.pos([rate, "t"])])
    one = g.fact("exp_zero")
    g.have(f"0 <= 1 - {e}", lambda g: g.pos([f"@{less}"], eqs=[(one, -1)]))
    g.pos(
        [f"@{h}"],
        [f"2*((1+q)*S/{rate})^2", n2(residual("0")), "1/2", e],
        [f"2*((1+q)*S/{rate})^2", n2(residual("0")), "1/2", e, f"1 - {e}"],
    )
    del hs


def earlier(g: Goal, ball: str) -> None:
    """The path stays in the ball up to an earlier time, too."""
    (u,) = g.fix("u")
    g.assume()
    g.assume()
    g.close_by(g.apply(ball, u))


FAR = f"2*((1+q)*S/((1-q)^2*s^2))^2*{loss('0')}"


@part(
    CORE,
    "capture",
    f"""{SETTING} all q:R. {RADIUS} {FAR} < q^2*s^2 => all t:R. 0 <= t =>
        {moved("t")} <= q^2*s^2 and {moved("t")} <= {FAR} and {loss("t")} <= {loss("0")}*exp(-2*(1-q)^2*s^2*t)""",
    says="if the bound of the distance is less than the radius q s, the path never leaves the ball",
)
def never_leaves_the_ball(g: Goal) -> None:
    """At the first exit the distance would be less than the radius."""
    small = g.intro()[-2]
    capture(g, g.lemma(CORE, "part:distance-in-ball", "d", "M", "Z", "A", "B", "s", "S"), small)


def capture(g: Goal, far: str, small: str) -> None:
    """Close the three bounds of a capture in the ball of radius q s: `far` bounds the distance before the exit, `small` says that
    this bound is less than q^2 s^2."""
    decay = g.lemma(CORE, "part:loss-in-ball", "d", "M", "Z", "A", "B", "s", "S")
    gap = f"q^2*s^2 - {moved('u')}"

    def inside(g: Goal) -> None:
        (v,) = g.fix("v")
        g.assume()
        out = g.contra()
        start = g.have(f"0 < q^2*s^2 - {moved('0')}", lambda g: g.pos(["q", "q", "s", "s"]))
        del start
        h = g.by_fact("first_exit", "0", v, f"lam u:R. {gap}", by=[None, None, None, None])
        _, _, at, before = g.obtain(h, "c")

        def ball(g: Goal) -> None:
            (u,) = g.fix("u")
            g.assume()
            g.assume()
            k = g.apply(before, u)
            g.pos([f"@{k}"])

        k = g.apply(far, "q", "c", by=[None, None, None, ball])
        g.pos([f"@{k}"], [f"@{small}"], eqs=[(at, "-1")])
        del out

    ball = g.have(f"all v:R. 0 <= v => {moved('v')} <= q^2*s^2", inside)

    def upto(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        g.assume()
        g.close_by(g.apply(ball, u))

    g.conj(
        lambda g: g.close_by(g.apply(ball, "t")),
        lambda g: g.close_by(g.apply(far, "q", "t", by=[None, None, None, upto])),
        lambda g: g.close_by(g.apply(decay, "q", "t", by=[None, None, None, upto])),
    )
