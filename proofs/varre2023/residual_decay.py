"""Lemma C.6 and Theorem 3.1 (i), (ii): the residual decays exponentially, so the layers converge, and the predictor has the least norm."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import ALPHA, BETA, PROJECTED, RES, SETTING, TWO_LAYERS
from proofs.varre2023.matrix_limits import same_limit, times_constant
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.projection_steps import VARS
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

LIMITS = "varre2023.step-c-6-residual-zero"
LEMMA = "varre2023.lemma-c-6-i"
LEFT = "(Y - X @ Z1(t) @ Z2(t))"
LOSS = f"tr(T({LEFT}) @ {LEFT})"
FIRST, SECOND = f"(T(Z1(t)) @ {RES})", f"({RES} @ T(Z2(t)))"
WITH_TARGET = PROJECTED.replace(". 0 < c =>", ", b:M(p,k). Y = X @ b => 0 < c =>", 1)
TARGET_VARS = (*SETTING, "b")


def with_target(g: Goal, claim: str, role: str, names: list[str]) -> str:
    """A statement about the projected flow with an interpolator, from the names of its six hypotheses."""
    return g.lemma(claim, role, *TARGET_VARS, by=[using(n) for n in names])


@holds(
    "varre2023.step-c-6-r-evolution",
    f"""{PROJECTED} all t:R. 0 <= t => D(s, {RES.replace("(t)", "(s)")}, t) =
       -((T(X) @ X) @ (Z1(t) @ T(Z1(t)) @ {RES} + {RES} @ T(Z2(t)) @ Z2(t)))""",
    argument="sound",
)
def evolution_of_the_residual(g: Goal) -> None:
    """The product rule."""
    names = g.intro()
    a, b = g.split(g.apply(names[4], "t"))
    g.nc(rw=[a, b])


@holds(
    "varre2023.step-c-6-trace-derivative",
    f"""{PROJECTED} all t:R. 0 <= t => D(s, {size(RES.replace("(t)", "(s)"))}, t) =
       -2*tr(T({RES}) @ (T(X) @ X) @ Z1(t) @ T(Z1(t)) @ {RES}) - 2*tr(T({RES}) @ (T(X) @ X) @ {RES} @ T(Z2(t)) @ Z2(t))""",
    argument="sound",
)
def derivative_of_the_squared_residual(g: Goal) -> None:
    """2 tr(R^T R') with the evolution of R."""
    names = g.intro()
    a, b = g.split(g.apply(names[4], "t"))
    rule = g.differentiate("s", size(RES.replace("(t)", "(s)")), "t")
    g.rewrite(rule)
    g.rewrite(a)
    g.rewrite(b)
    g.field()


@part(
    LEMMA,
    "loss-rate",
    f"{PROJECTED} all t:R. 0 <= t => D(s, {LOSS.replace('(t)', '(s)')}, t) = -2*{size(FIRST)} - 2*{size(SECOND)}",
    says="the derivative of |Y - X beta|^2",
)
def rate_of_the_loss(g: Goal) -> None:
    """The product rule."""
    names = g.intro()
    a, b = g.split(g.apply(names[4], "t"))
    rule = g.differentiate("s", LOSS.replace("(t)", "(s)"), "t")
    g.rewrite(rule)
    g.rewrite(a)
    g.rewrite(b)
    g.field()


@part(
    LEMMA,
    "stretch",
    """all p k q:Z, c:R, A:M(p,p), B:M(p,k), R:M(p,q). 0 < c => T(A) @ A - B @ T(B) = (2*c)*I(p) => det(A) != 0 =>
       2*c*tr(T(R) @ R) <= tr(T(T(A) @ R) @ (T(A) @ R))""",
    says="|Z1^T R|^2 >= 2 gamma |R|^2 by the invariant",
)
def first_layer_stretches(g: Goal) -> None:
    """R = Z1 S; the difference is 2 gamma |Z2^T S|^2 + |Z2 Z2^T S|^2."""
    _, invariant, regular = g.intro()
    right = g.by_fact("inv_right", "p", "A", by=[using(regular)])
    s = "(inv(A) @ R)"
    back = g.have(f"R = A @ {s}", lambda g: g.nc((right, -1, None, "R")))
    gram = g.have("T(A) @ A = (2*c)*I(p) + B @ T(B)", lambda g: g.nc((invariant, 1, None, None)))
    one = g.have(f"tr(T(R) @ R) = tr(T({s}) @ (T(A) @ A) @ {s})", lambda g: traced(g, back))
    two = g.have(
        f"tr(T(T(A) @ R) @ (T(A) @ R)) = tr(T({s}) @ (T(A) @ A) @ (T(A) @ A) @ {s})",
        lambda g: (
            g.have(f"T(A) @ R = (T(A) @ A) @ {s}", lambda g: g.nc((back, 1, "T(A)", None)), name="gr"),
            g.rewrite("gr"),
            g.field(),
        ),
    )
    one_, two_ = g.rewritten(one, gram), g.rewritten(two, gram)
    u, w = f"(T(B) @ {s})", f"(B @ T(B) @ {s})"
    g.pos(["2*c", size(u)], [size(w)], eqs=[(two_, 1), (one_, "-2*c")])


def traced(g: Goal, back: str) -> None:
    """|R|^2 with R = A S."""
    s = "(inv(A) @ R)"
    eq = g.have(f"T(R) @ R = T(A @ {s}) @ (A @ {s})", lambda g: twice(g, back, s))
    g.rewrite(eq)
    g.field()


def twice(g: Goal, back: str, s: str) -> None:
    """Both factors."""
    turned = g.have(f"T(R) = T(A @ {s})", lambda g: g.ctx(using(back)))
    g.nc((turned, 1, None, "R"), (back, 1, f"T(A @ {s})", None))


@part(
    LEMMA,
    "exponential",
    f"{WITH_TARGET} ex m:R. 0 < m and all t:R. 0 <= t => {LOSS} <= {LOSS.replace('(t)', '(0)')}*exp(-m*t)",
    says="the loss decays exponentially",
    uses=["varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha", "varre2023.step-c-3-projection"],
)
def loss_decays_exponentially(g: Goal) -> None:
    """d/dt |r|^2 <= -2 |Z1^T R|^2 <= -4 gamma |R|^2 <= -4 gamma m |r|^2, as r lies in the range of X."""
    names = g.intro()
    target, setting = names[0], names[1:6]
    positive = setting[0]
    gap_ = g.lemma("varre2023.step-c-3-projection", "part:gap", "n", "p", "X")
    gap = g.obtain(gap_, "m")[1]
    invariant = setting_lemma(g, "varre2023.lemma-3-2", "statement", setting, time=False)
    regular = setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", setting, time=False)
    rate = setting_lemma(g, LEMMA, "part:loss-rate", setting, time=False)
    g.witness("4*c*m")

    def falls(g: Goal) -> None:
        g.fix("t")
        g.assume()
        inv, (reg, _), change = g.apply(invariant, "t"), g.split(g.apply(regular, "t")), g.apply(rate, "t")
        stretch = g.lemma(
            LEMMA, "part:stretch", "p", "k", "k", "c", "Z1(t)", "Z2(t)", RES, by=[using(positive), using(inv), using(reg)]
        )
        near = g.apply(gap, "k", f"b - {BETA}")
        left = g.have(f"{LEFT} = X @ (b - {BETA})", lambda g: g.nc((target, 1, None, None)))
        res = g.have(f"{RES} = T(X) @ X @ (b - {BETA})", lambda g: g.nc((target, 1, "T(X)", None)))
        close = g.have(f"m*{LOSS} <= {size(RES)}", lambda g: both(g, left, res, near))
        slope = g.have("D(s, -(4*c*m)*s, t) = -(4*c*m)", lambda g: g.field())
        g.rewrite(change)
        g.rewrite(slope)
        g.pos([2, f"@{stretch}"], ["4*c", f"@{close}"], [2, size(SECOND)])

    grow = g.by_fact("gronwall", 0, f"lam t:R. {LOSS}", "lam t:R. -(4*c*m)*t", by=[None, falls])

    def later(g: Goal) -> None:
        g.fix("t")
        g.assume()
        h = g.apply(grow, "t")
        same = g.have("exp(-(4*c*m)*t - -(4*c*m)*0) = exp(-(4*c*m)*t)", lambda g: g.field())
        g.pos([f"@{h}"], eqs=[(same, LOSS.replace("(t)", "(0)"))])

    g.conj(lambda g: g.pos(["4", "c", "m"]), later)


def both(g: Goal, left: str, res: str, near: str) -> None:
    """The residuals in terms of b - beta."""
    g.rewrite(res)
    e = g.have(
        ("=", g.concl[1][2], ("tr", ("mm", ("T", g.hyp_formula(left)[2]), g.hyp_formula(left)[2]))),
        lambda g: (g.rewrite(left), g.refl()),
    )
    g.rewrite(e)
    g.close_by(near)


@holds(
    LEMMA,
    f"{WITH_TARGET} tends(t, {LEFT}, O(n,k))",
    argument="repaired",
    reason="the printed chain rests on (C.13), which is false in general; here |Y - X beta|^2 decays, whose derivative is -2 |Z1^T R|^2 - 2 |R Z2^T|^2",
    reading="the projected flow (3.4), to which the statement refers; an interpolator exists; d > n is not needed",
    uses=[LIMITS],
)
def residual_converges_to_zero(g: Goal) -> None:
    """The squared norm decays exponentially."""
    names = g.intro()
    rate, decay = g.obtain(with_target(g, LEMMA, "part:exponential", names), "m")
    g.close_by(
        g.lemma(
            LIMITS,
            "part:small-matrix",
            "n",
            "k",
            LOSS.replace("(t)", "(0)"),
            "m",
            f"lam t:R. {LEFT}",
            by=[using(rate), using(decay)],
        )
    )


BOUNDS = f"{size(RES)} <= q*exp(-m*t) and {size('Z1(t)')} <= q and {size('Z2(t)')} <= q"


@holds(
    "varre2023.step-c-6-exponential-decay",
    f"{WITH_TARGET} ex m q:R. 0 < m and all t:R. 0 <= t => {size(RES)} <= q*exp(-m*t)",
    argument="repaired",
    reason="the printed argument applies Gronwall to (C.13), which is false in general; R = X^T (Y - X beta), and |Y - X beta|^2 decays exponentially",
    reading="an interpolator exists",
    uses=[LEMMA],
)
def squared_residual_decays(g: Goal) -> None:
    """|R|^2 <= |X|^2 |Y - X beta|^2."""
    names = g.intro()
    rate, decay = g.obtain(with_target(g, LEMMA, "part:exponential", names), "m")
    begin = LOSS.replace("(t)", "(0)")
    g.witness("m", f"{size('T(X)')}*{begin}")

    def later(g: Goal) -> None:
        g.fix("t")
        g.assume()
        h = g.apply(decay, "t")
        sub = g.fact("frobenius_submultiplicative", "p", "n", "k", "T(X)", LEFT)
        g.pos([f"@{sub}"], [size("T(X)"), f"@{h}"])

    g.conj(using(rate), later)


@holds(
    "varre2023.step-c-6-residual-zero",
    """all n p k:Z, X:M(n,p), Y:M(n,k), b:M(p,k), B:R->M(p,k). Y = X @ b => tends(t, T(X) @ (Y - X @ B(t)), O(p,k)) =>
       tends(t, X @ B(t) - Y, O(n,k))""",
    argument="sound",
    reading="an interpolator b exists; d > n is not needed",
    uses=["varre2023.step-c-3-projection"],
)
def residual_of_the_predictor_vanishes(g: Goal) -> None:
    """X = X H X^T X for a generalised inverse H of X^T X, so X beta - Y = -X H R."""
    target, limit = g.intro()
    inverse = g.lemma("varre2023.step-c-3-projection", "part:symmetric-inverse", "n", "p", "X")
    _, left, _, _, _, whole = g.obtain(inverse, "H", "K")
    moved = times_constant(g, "-(X @ H)", limit, ("n", "p", "k"), "T(X) @ (Y - X @ B(t))", "O(p,k)")
    zero = g.have("-(X @ H) @ O(p,k) = O(n,k)", lambda g: g.nc())
    moved = g.rewritten(moved, zero)
    g.close_by(
        same_limit(
            g,
            moved,
            ("n", "k"),
            "X @ B(t) - Y",
            "O(n,k)",
            lambda g: at_time(g, target, left, whole),
        )
    )


def at_time(g: Goal, target: str, left: str, whole: str) -> None:
    """-X H X^T (Y - X beta) = X beta - Y."""
    g.nc(
        (target, -1, "X @ H @ T(X)", None),
        (left, -1, "X", "b - B(t)"),
        (whole, -1, None, "b - B(t)"),
        (target, 1, None, None),
    )


@part(
    LEMMA,
    "beta-in-the-span",
    f"{PROJECTED.replace('. 0 < c =>', ', G:M(p,n). X @ G @ X = X => T(G @ X) = G @ X => 0 < c =>', 1)} all t:R. 0 <= t => G @ X @ {BETA} = {BETA}",
    says="the projection onto the span of the rows of X fixes beta",
    uses=["varre2023.step-c-3-perp-ode", "varre2023.eq-c-12"],
)
def beta_stays_in_the_span(g: Goal) -> None:
    """beta = Z1 Z1^T alpha = 2 gamma alpha + alpha alpha^T beta, and the projection fixes alpha."""
    names = g.intro()
    inner, sym, setting = names[0], names[1], names[2:7]
    step = g.lemma("varre2023.step-c-3-perp-ode", "statement", *SETTING, "G", by=[using(n) for n in (inner, sym, *setting)])
    _, _, always = g.split_all(step)[-3:]
    rest = g.apply(always, "t")
    regular, gram = g.split(setting_lemma(g, "varre2023.eq-c-12", "statement", setting))
    _, turned = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", setting))
    m = f"(I(p) - {ALPHA} @ T({ALPHA}))"
    right = g.by_fact("inv_right", "p", m, by=[using(regular)])
    left = g.by_fact("inv_right", "p", "T(Z1(t))", by=[using(turned)])
    fixed = g.have(f"{BETA} = Z1(t) @ T(Z1(t)) @ {ALPHA}", lambda g: g.nc((left, -1, "Z1(t)", "Z2(t)")))
    eq = g.have(
        f"{BETA} = (2*c)*{ALPHA} + {ALPHA} @ T({ALPHA}) @ {BETA}",
        lambda g: g.nc((fixed, 1, m, None), (gram, 1, m, ALPHA), (right, "2*c", None, ALPHA)),
    )
    g.nc((eq, 1, "G @ X - I(p)", None), (rest, "-2*c", None, None), (rest, -1, None, f"T({ALPHA}) @ {BETA}"))


MINIMAL = """X @ B = Y and all C:M(p,k). X @ C = Y => tr(T(B) @ B) <= tr(T(C) @ C) and (tr(T(C) @ C) <= tr(T(B) @ B) => C = B)"""


@part(
    LEMMA,
    "least-norm",
    f"all n p k:Z, X:M(n,p), Y:M(n,k), B:M(p,k), A:M(n,k). B = T(X) @ A => {MINIMAL.replace('and all', '=> all', 1)}",
    says="an interpolator in the span of the rows of X is the only one of least norm",
)
def interpolator_in_the_span_is_least(g: Goal) -> None:
    """|C|^2 = |B|^2 + |C - B|^2, as <B, C - B> = <A, X (C - B)> = 0."""
    names = g.intro()
    spanned, fits, other = names
    cross = g.have("T(B) @ (C - B) = O(k,k)", lambda g: orthogonal(g, spanned, fits, other))
    traced_ = g.have("tr(T(B) @ (C - B)) = 0", lambda g: (g.rewrite(cross), g.field()))
    gap = "tr(T(C - B) @ (C - B))"
    g.have(f"0 <= {gap}")

    def only(g: Goal) -> None:
        less = g.assume()
        zero = g.have(f"{gap} = 0", lambda g: g.antisym(lambda g: g.pos([f"@{less}"], eqs=[(traced_, 2)]), lambda g: g.auto()))
        none = g.by_fact("frobenius_zero", "p", "k", "C - B", by=[using(zero)])
        g.nc((none, 1, None, None))

    g.conj(lambda g: g.pos([gap], eqs=[(traced_, 2)]), only)


def orthogonal(g: Goal, spanned: str, fits: str, other: str) -> None:
    """B^T (C - B) = A^T X (C - B) = 0."""
    turned = g.have("T(B) = T(A) @ X", lambda g: (g.rewrite(spanned), g.nc()))
    g.nc((turned, 1, None, "C - B"), (other, 1, "T(A)", None), (fits, -1, "T(A)", None))


@holds(
    "varre2023.lemma-c-6-ii",
    f"{WITH_TARGET} ex B:M(p,k). tends(t, {BETA}, B) and {MINIMAL}",
    argument="repaired",
    reason="the printed argument uses Lemma C.6 (i) and the span of alpha; both hold, by other proofs of the former and with the factor 2 gamma in beta",
    reading="the norm is the Frobenius norm; beta_* is the only minimiser; an interpolator exists",
    uses=[LEMMA, LIMITS, "varre2023.step-c-3-projection"],
)
def predictor_converges_to_the_least_norm(g: Goal) -> None:
    """beta = G X beta = G (Y - residual) tends to G Y = G X b, which is X^T times a matrix."""
    names = g.intro()
    target = names[0]
    inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
    limit = with_target(g, LEMMA, "statement", names)
    span = g.lemma(LEMMA, "part:beta-in-the-span", *SETTING, "G", by=[using(n) for n in (inner, sym, *names[1:6])])
    moved = times_constant(g, "-G", limit, ("p", "n", "k"), LEFT, "O(n,k)")
    start = g.fact("tends_matrix_const", "p", "k", "G @ Y")
    added = g.by_fact(
        "tends_matrix_add",
        "p",
        "k",
        "G @ Y",
        "-G @ O(n,k)",
        "lam t:R. G @ Y",
        f"lam t:R. -G @ {LEFT}",
        by=[using(start), using(moved)],
    )
    value = g.have("G @ Y + -G @ O(n,k) = G @ Y", lambda g: g.nc())
    added = g.rewritten(added, value)
    done = same_limit(g, added, ("p", "k"), BETA, "G @ Y", lambda g: g.nc((g.apply(span, "t"), 1, None, None)))
    g.witness("G @ Y")
    fits = g.have("X @ (G @ Y) = Y", lambda g: g.nc((target, 1, "X @ G", None), (target, -1, None, None), (inner, 1, None, "b")))
    spanned = g.have("G @ Y = T(X) @ (T(G) @ b)", lambda g: g.nc((target, 1, "G", None), (sym, -1, None, "b")))

    def least(g: Goal) -> None:
        g.fix("C")
        other = g.assume()
        h = g.lemma(LEMMA, "part:least-norm", *("n", "p", "k", "X", "Y", "G @ Y", "T(G) @ b"), by=[using(spanned), using(fits)])
        g.close_by(g.apply(h, "C", by=[using(other)]))

    g.conj(using(done), using(fits), least)


@holds(
    "varre2023.step-b-kkt-min-norm",
    f"all n p k:Z, X:M(n,p), Y:M(n,k), B:M(p,k). (ex A:M(n,k). B = T(X) @ A) => {MINIMAL.replace('and all', '=> all', 1)}",
    argument="sound",
    reading="the minimiser is unique, so it is beta_*",
    uses=[LEMMA],
)
def span_is_the_condition_of_the_least_norm(g: Goal) -> None:
    """Pythagoras."""
    g.fix()
    spanned, fits = g.assume(), g.assume()
    a = g.obtain(spanned, "A")[0]
    g.close_by(g.lemma(LEMMA, "part:least-norm", *("n", "p", "k", "X", "Y", "B", "A"), by=[using(a), using(fits)]))


@part(
    LEMMA,
    "bounds",
    f"{WITH_TARGET} ex m q:R. 0 < m and 0 <= q and all t:R. 0 <= t => {BOUNDS}",
    says="R decays exponentially and the two layers are bounded",
    uses=["varre2023.step-c-10-quadratic-identities", "varre2023.step-c-3-projection"],
)
def layers_stay_bounded(g: Goal) -> None:
    """2 gamma |Z2|^2 <= |beta|^2, where beta = G (Y - residual), and |Z1|^2 = 2 gamma d + |Z2|^2."""
    names = g.intro()
    setting = names[1:6]
    inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
    rate, decay = g.obtain(with_target(g, LEMMA, "part:exponential", names), "m")
    span = g.lemma(LEMMA, "part:beta-in-the-span", *SETTING, "G", by=[using(n) for n in (inner, sym, *setting)])
    quadratic = setting_lemma(g, "varre2023.step-c-10-quadratic-identities", "statement", setting, time=False)
    invariant = setting_lemma(g, "varre2023.lemma-3-2", "statement", setting, time=False)
    begin, y, gg, wide = LOSS.replace("(t)", "(0)"), size("Y"), size("G"), size("I(p)")
    second = f"({gg}*(2*{y} + 2*{begin})/(2*c))"
    for x in (begin, y, gg, wide):
        g.have(f"0 <= {x}")
    g.have(f"0 <= {second}", lambda g: g.pos([gg, y, 2], [gg, begin, 2], mul=["2*c"]))
    xx = size("T(X)")
    g.witness("m", f"({xx}*{begin} + {second} + 2*c*{wide})")

    def later(g: Goal) -> None:
        g.fix("t")
        late = g.assume()
        h, s = g.apply(decay, "t"), g.apply(span, "t")
        r = g.fact("frobenius_submultiplicative", "p", "n", "k", "T(X)", LEFT)
        squares, _ = g.split(g.apply(quadratic, "t"))
        inv = g.apply(invariant, "t")
        one = g.by_fact("exp_mono", "-m*t", 0, by=[lambda g: g.pos([f"@{rate}", f"@{late}"])])
        zero = g.fact("exp_zero")
        below = g.have(f"{LOSS} <= {begin}", lambda g: g.pos([f"@{h}"], [begin, f"@{one}"], eqs=[(zero, begin)]))
        z2 = size("Z2(t)")
        fit = f"(Y - {LEFT})"
        beta = g.have(f"{BETA} = G @ {fit}", lambda g: g.nc((s, -1, None, None)))
        sub = g.fact("frobenius_submultiplicative", "p", "n", "k", "G", fit)
        norm = g.have(f"{size(BETA)} <= {gg}*{size(fit)}", lambda g: moved(g, beta, sub))
        fits = g.have(f"{size(fit)} <= 2*{y} + 2*{begin}", lambda g: g.pos([size(f"Y + {LEFT}")], [2, f"@{below}"]))
        product = g.have(f"{size(BETA)} = {size('T(Z2(t)) @ Z2(t)')} + 2*c*{z2}", lambda g: quadratic_trace(g, squares))
        low = g.have(
            f"{z2} <= {second}",
            lambda g: g.pos([size("T(Z2(t)) @ Z2(t)")], [f"@{norm}"], [gg, f"@{fits}"], mul=["2*c"], eqs=[(product, 1)]),
        )
        whole = g.have(f"{size('Z1(t)')} = 2*c*{wide} + {z2}", lambda g: invariant_trace(g, inv))
        e = "exp(-m*t)"
        g.conj(
            lambda g: g.pos([f"@{r}"], [xx, f"@{h}"], [second, e], ["2*c", wide, e]),
            lambda g: g.pos([f"@{low}"], [xx, begin], eqs=[(whole, -1)]),
            lambda g: g.pos([f"@{low}"], [xx, begin], ["2*c", wide]),
        )

    g.conj(using(rate), lambda g: g.pos([xx, begin], [second], ["2*c", wide]), later)


def moved(g: Goal, eq: str, h: str) -> None:
    """An inequality for the norm, along an equation."""
    g.rewrite(g.have(f"{size(BETA)} = {size('G @ (Y - ' + LEFT + ')')}", lambda g: (g.rewrite(eq), g.refl())))
    g.close_by(h)


def quadratic_trace(g: Goal, squares: str) -> None:
    """The trace of the quadratic identity for Z2^T Z2."""
    f = g.hyp_formula(squares)
    t = g.have(("=", ("tr", f[1]), ("tr", f[2])), lambda g: (g.rewrite(squares), g.refl()))
    g.field((t, 1))


def invariant_trace(g: Goal, inv: str) -> None:
    """The trace of the invariant."""
    f = g.hyp_formula(inv)
    t = g.have(("=", ("tr", f[1]), ("tr", f[2])), lambda g: (g.rewrite(inv), g.refl()))
    g.field((t, 1))


@part(
    LEMMA,
    "projected-limit",
    f"""{WITH_TARGET} ex A:M(p,p), B:M(p,k). tends(t, Z1(t), A) and tends(t, Z2(t), B) and X @ A @ B = Y and T(A) @ A - B @ T(B) = (2*c)*I(p) and
       (ex L:M(n,k). A @ B = T(X) @ L)""",
    says="the projected flow converges; the limit interpolates, keeps the invariant, and its product is in the span of the rows of X",
    uses=[LIMITS, "varre2023.lemma-3-2", "varre2023.step-c-3-projection", "bai2024.assertion-m2-nuclear-not-rank"],
)
def projected_flow_converges(g: Goal) -> None:
    """Both velocities are products of R and a bounded layer."""
    names = g.intro()
    setting = names[1:6]
    rate, _, bounds = g.obtain(with_target(g, LEMMA, "part:bounds", names), "m", "q")

    def converges(rows: str, cols: str, z: str, which: int) -> str:
        def small(g: Goal) -> None:
            g.fix("t")
            g.assume()
            res, one, two = g.split_all(g.apply(bounds, "t"))
            eq = g.split(g.apply(setting[4], "t"))[which]
            g.rewrite(eq)
            if which == 0:
                sub = g.fact("frobenius_submultiplicative", "p", "k", "p", RES, "T(Z2(t))")
                g.pos([f"@{sub}"], [size("Z2(t)"), f"@{res}"], ["q", "exp(-m*t)", f"@{two}"])
            else:
                sub = g.fact("frobenius_submultiplicative", "p", "p", "k", "T(Z1(t))", RES)
                g.pos([f"@{sub}"], [size("Z1(t)"), f"@{res}"], ["q", "exp(-m*t)", f"@{one}"])

        return g.lemma(LIMITS, "part:fast-matrix", rows, cols, "q*q", "m", z, by=[using(rate), small])

    a = g.obtain(converges("p", "p", "Z1", 0), "A")[0]
    b = g.obtain(converges("p", "k", "Z2", 1), "B")[0]
    g.witness("A", "B")
    beta = g.by_fact("tends_matrix_mul", *("p", "p", "k", "A", "B", "lam t:R. Z1(t)", "lam t:R. Z2(t)"), by=[using(a), using(b)])
    fit = times_constant(g, "X", beta, ("n", "p", "k"), BETA, "A @ B")
    residual_ = with_target(g, LEMMA, "statement", names)
    added = g.by_fact(
        "tends_matrix_add",
        "n",
        "k",
        "X @ (A @ B)",
        "O(n,k)",
        f"lam t:R. X @ {BETA}",
        f"lam t:R. {LEFT}",
        by=[using(fit), using(residual_)],
    )
    constant = "bai2024.assertion-m2-nuclear-not-rank"
    same = g.lemma(
        constant,
        "part:constant-limit",
        "n",
        "k",
        0,
        f"lam t:R. X @ {BETA} + {LEFT}",
        "X @ (A @ B) + O(n,k)",
        "Y",
        by=[lambda g: (g.fix("t"), g.assume(), g.nc()), using(added)],
    )
    inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
    span = g.lemma(LEMMA, "part:beta-in-the-span", *SETTING, "G", by=[using(n) for n in (inner, sym, *setting)])
    rest = times_constant(g, "(I(p) - G @ X)", beta, ("p", "p", "k"), BETA, "A @ B")
    none = g.lemma(
        constant,
        "part:constant-limit",
        *("p", "k", 0, f"lam t:R. (I(p) - G @ X) @ {BETA}", "(I(p) - G @ X) @ (A @ B)", "O(p,k)"),
        by=[lambda g: (g.fix("t"), g.assume(), g.nc((g.apply(span, "t"), -1, None, None))), using(rest)],
    )

    def spanned(g: Goal) -> None:
        g.witness("T(G) @ (A @ B)")
        g.nc((none, 1, None, None), (sym, -1, None, "A @ B"))

    invariant = setting_lemma(g, "varre2023.lemma-3-2", "statement", setting, time=False)
    at = g.by_fact("tends_matrix_transpose", "p", "p", "A", "lam t:R. Z1(t)", by=[using(a)])
    bt = g.by_fact("tends_matrix_transpose", "p", "k", "B", "lam t:R. Z2(t)", by=[using(b)])
    first = g.by_fact(
        "tends_matrix_mul", *("p", "p", "p", "T(A)", "A", "lam t:R. T(Z1(t))", "lam t:R. Z1(t)"), by=[using(at), using(a)]
    )
    second = g.by_fact(
        "tends_matrix_mul", *("p", "k", "p", "B", "T(B)", "lam t:R. Z2(t)", "lam t:R. T(Z2(t))"), by=[using(b), using(bt)]
    )
    minus = times_constant(g, "-I(p)", second, ("p", "p", "p"), "Z2(t) @ T(Z2(t))", "B @ T(B)")
    both_ = g.by_fact(
        "tends_matrix_add",
        *("p", "p", "T(A) @ A", "-I(p) @ (B @ T(B))", "lam t:R. T(Z1(t)) @ Z1(t)", "lam t:R. -I(p) @ (Z2(t) @ T(Z2(t)))"),
        by=[using(first), using(minus)],
    )
    kept = g.lemma(
        constant,
        "part:constant-limit",
        *("p", "p", 0, "lam t:R. T(Z1(t)) @ Z1(t) + -I(p) @ (Z2(t) @ T(Z2(t)))", "T(A) @ A + -I(p) @ (B @ T(B))", "(2*c)*I(p)"),
        by=[lambda g: (g.fix("t"), g.assume(), g.nc((g.apply(invariant, "t"), 1, None, None))), using(both_)],
    )
    g.conj(using(a), using(b), lambda g: g.nc((same, 1, None, None)), lambda g: g.nc((kept, 1, None, None)), spanned)


TWO_WITH_TARGET = TWO_LAYERS.replace(". 0 < c =>", ", b:M(p,k). Y = X @ b => 0 < c =>", 1)
NO_RESTRICTION = "an interpolator b is available; n <= d is not needed, and d <= l follows from P P^T = I"


@part(
    "varre2023.thm-3-1-i",
    "limit",
    f"""{TWO_WITH_TARGET} ex A:M(p,p), B:M(p,k). tends(t, W1(t), A @ P) and tends(t, W2(t), T(P) @ B) and X @ A @ B = Y and
       T(A) @ A - B @ T(B) = (2*c)*I(p) and (ex L:M(n,k). A @ B = T(X) @ L)""",
    says="the layers converge to Z1 P and P^T Z2 for the limit of the projected flow",
    uses=["varre2023.lemma-3-1", LEMMA, LIMITS],
)
def layers_converge(g: Goal) -> None:
    """Lemma 3.1 leads to the projected flow."""
    names = g.intro()
    target, setting = names[0], names[1:6]
    lemma = g.lemma("varre2023.lemma-3-1", "statement", *VARS, by=[using(n) for n in setting])
    z1, z2 = "W1(t) @ T(P)", "P @ W2(t)"

    def flow(g: Goal) -> None:
        g.fix("u")
        g.assume()
        a, b, _, _ = g.split(g.apply(lemma, "u"))
        g.conj(lambda g: g.exact(a), lambda g: g.exact(b))

    done = g.lemma(
        LEMMA,
        "part:projected-limit",
        *("n", "p", "k", "l", "c", "X", "Y", "P", f"lam t:R. {z1}", f"lam t:R. {z2}", "b"),
        by=[using(target), None, None, lambda g: g.nc(rw=[setting[2]]), lambda g: g.nc(rw=[setting[3]]), flow],
    )
    a, b, fits, invariant, spanned = g.obtain(done, "A", "B")
    g.witness("A", "B")
    constant = g.fact("tends_matrix_const", "p", "l", "P")
    first = g.by_fact(
        "tends_matrix_mul", *("p", "p", "l", "A", "P", f"lam t:R. {z1}", "lam t:R. P"), by=[using(a), using(constant)]
    )
    second = times_constant(g, "T(P)", b, ("l", "p", "k"), z2, "B")

    def equal(which: int) -> Script:
        def script(g: Goal) -> None:
            h = g.split(g.apply(lemma, "t"))[2 + which]
            g.nc((h, -1, None, None))

        return script

    one = same_limit(g, first, ("p", "l"), "W1(t)", "A @ P", equal(0))
    two = same_limit(g, second, ("l", "k"), "W2(t)", "T(P) @ B", equal(1))
    g.conj(using(one), using(two), using(fits), using(invariant), using(spanned))


@holds(
    "varre2023.thm-3-1-i",
    f"{TWO_WITH_TARGET} ex A:M(p,l), B:M(l,k). tends(t, W1(t), A) and tends(t, W2(t), B) and X @ A @ B = Y",
    argument="repaired",
    reason="the printed proof rests on the descent inequality (C.13), which is false in general; here |Y - X beta|^2 decays, so the path has finite length",
    reading=NO_RESTRICTION,
)
def parameters_converge_to_an_interpolator(g: Goal) -> None:
    """The limits are Z1 P and P^T Z2."""
    names = g.intro()
    done = g.lemma("varre2023.thm-3-1-i", "part:limit", *VARS, "b", by=[using(n) for n in names])
    a, b, fits, _, _ = g.obtain(done, "A", "B")
    g.witness("A @ P", "T(P) @ B")
    ortho = names[2]
    g.conj(using(a), using(b), lambda g: g.nc((ortho, 1, "X @ A", "B"), (fits, 1, None, None)))


@holds(
    "varre2023.thm-3-1-ii",
    f"{TWO_WITH_TARGET} ex B:M(p,k). tends(t, W1(t) @ W2(t), B) and {MINIMAL}",
    argument="repaired",
    reason="the span of the data contains beta at all times; the residual tends to 0, by another proof than the printed one",
    reading=NO_RESTRICTION,
    uses=["varre2023.thm-3-1-i", LEMMA],
)
def predictor_of_the_network_has_the_least_norm(g: Goal) -> None:
    """The limit is an interpolator in the span of the rows of X."""
    names = g.intro()
    ortho = names[2]
    done = g.lemma("varre2023.thm-3-1-i", "part:limit", *VARS, "b", by=[using(n) for n in names])
    a, b, fits, _, spanned = g.obtain(done, "A", "B")
    span = g.obtain(spanned, "L")[0]
    limit = g.by_fact(
        "tends_matrix_mul", *("p", "l", "k", "A @ P", "T(P) @ B", "lam t:R. W1(t)", "lam t:R. W2(t)"), by=[using(a), using(b)]
    )
    value = g.have(("=", g.hyp_formula(limit)[-1], g.term("A @ B")), lambda g: g.nc((ortho, 1, "A", "B")))
    limit = g.rewritten(limit, value)
    fit = g.have("X @ (A @ B) = Y", lambda g: g.nc((fits, 1, None, None)))
    g.witness("A @ B")
    least = g.lemma(LEMMA, "part:least-norm", *("n", "p", "k", "X", "Y", "A @ B", "L"), by=[using(span), using(fit)])
    g.conj(using(limit), using(fit), using(least))
