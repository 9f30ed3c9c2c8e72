"""Lemma C.8: the loss of the mirror flow for k = 1 is at most the Bregman divergence over sqrt(2 gamma) t."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.flows import BETA, PROJECTED_ONE, RES, SETTING_ONE, TWO_LAYERS_ONE
from proofs.varre2023.mirror_flow import GRADIENTS, VELOCITY, S, loss, mirror, mirror_flow, scalar_matrix
from proofs.varre2023.scalar_potential import potential, scale, square
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

CONVEX = "varre2023.step-c-8-convex-potential"
ONE_VARS = (*SETTING_ONE[:2], *SETTING_ONE[3:])
WITH_ANY = PROJECTED_ONE.replace(". 0 < c", ", b:V(p). 0 < c", 1)
WITH_TARGET = PROJECTED_ONE.replace(". 0 < c", ", b:V(p). Y = X @ b => 0 < c", 1)


def divergence(x: str, y: str) -> str:
    """The Bregman divergence D_psi(x, y)."""
    return f"({potential(x)} - {potential(y)} - tr(T({mirror(y)}) @ ({x} - {y})))"


DIV = divergence("b", BETA)
DIV_0 = divergence("b", "(Z1(0) @ Z2(0))")
LOSS = loss(BETA)


def positive_scale(g: Goal, x: str) -> None:
    """sqrt(|x|^2 + gamma^2) + gamma > 0."""
    g.have(f"0 < {square(x)} + c^2")
    g.have(f"0 < {scale(x)}")


def root_of_scale(g: Goal, x: str, a: str) -> tuple[str, str]:
    """a = s^{1/2} with a^2 = s and |x|^2 = a^4 - 2 gamma a^2."""
    positive_scale(g, x)
    s = scale(x)
    named = g.obtain(g.have(f"ex {a}:R. {a} = {s}^(1/2)", lambda g: (g.witness(f"{s}^(1/2)"), g.refl())), a)[0]
    g.have(f"0 < {a}", lambda g: (g.rewrite(named), g.auto()))
    sq = g.have(f"{s} = {a}^2", lambda g: (g.rewrite(named), g.field()))
    root = g.have(f"sqrt({square(x)} + c^2)^2 = {square(x)} + c^2", lambda g: g.field())
    norm = g.have(f"{square(x)} = {a}^4 - 2*c*{a}^2", lambda g: g.field((root, -1), (sq, f"sqrt({square(x)} + c^2) + {a}^2 - c")))
    return sq, norm


@part(
    CONVEX,
    "bregman",
    f"all p:Z, c:R, x y:V(p). 0 < c => 0 <= {divergence('y', 'x')}",
    says="the Bregman divergence of the potential is nonnegative",
)
def divergence_is_nonnegative(g: Goal) -> None:
    """With a = s_x^{1/2}, b = s_y^{1/2} it is b |x/a - y/b|^2/2 + (b - a)^2 (b + 2 a)/6."""
    g.intro()
    sx, nx = root_of_scale(g, "x", "a")
    sy, ny = root_of_scale(g, "y", "b")
    psi_x = g.have(f"{potential('x')} = (2/3)*a^3 - 2*c*a", lambda g: (g.rewrite(sx), g.field()))
    psi_y = g.have(f"{potential('y')} = (2/3)*b^3 - 2*c*b", lambda g: (g.rewrite(sy), g.field()))
    pair = g.have(f"tr(T({mirror('x')}) @ (y - x)) = (1/a)*(tr(T(x) @ y) - {square('x')})", lambda g: (g.rewrite(sx), g.field()))
    g.rewrite(psi_x)
    g.rewrite(psi_y)
    g.rewrite(pair)
    g.pos(
        ["b/2", square("((1/a)*x - (1/b)*y)")],
        ["1/6", "(b - a)^2", "b + 2*a"],
        eqs=[(nx, "1/a - b/(2*a^2)"), (ny, "-1/(2*b)")],
    )


@holds(
    CONVEX,
    f"""all p:Z, c w:R, x y:V(p). 0 < c => 0 <= w => w <= 1 =>
       {potential("w*x + (1 - w)*y")} <= w*{potential("x")} + (1 - w)*{potential("y")}""",
    argument="sound",
)
def potential_is_convex(g: Goal) -> None:
    """The weighted sum of two Bregman divergences from the mean."""
    names = g.intro()
    m = "(w*x + (1 - w)*y)"
    positive_scale(g, m)
    one = g.lemma(CONVEX, "part:bregman", "p", "c", m, "x", by=[using(names[0])])
    two = g.lemma(CONVEX, "part:bregman", "p", "c", m, "y", by=[using(names[0])])
    g.pos(["w", f"@{one}"], [f"@{names[2]}", f"@{two}"])


def mirror_ode(g: Goal, names: list[str], time: str = "t") -> str:
    """The mirror variable has the velocity s^{1/2} R."""
    h = g.lemma("varre2023.step-c-7-beta-ode", "statement", *ONE_VARS, by=[using(n) for n in names[:5]])
    return g.apply(h, time) if time else h


@holds(
    "varre2023.step-c-8-bregman-derivative",
    f"""{WITH_ANY} all t:R. 0 <= t =>
       D(s, {DIV.replace("(t)", "(s)")}, t) = tr(T(D(s, {mirror("Z1(s) @ Z2(s)")}, t)) @ ({BETA} - b)) and
       tr(T(D(s, {mirror("Z1(s) @ Z2(s)")}, t)) @ ({BETA} - b)) = -({S}^(1/2)*tr(T(-{RES}) @ ({BETA} - b)))""",
    argument="sound",
    reading="the gradient of the loss is -R, that of the potential s^{-1/2} beta (step-c-7-gradient); b stands for beta_*",
    uses=["varre2023.step-c-7-beta-ode"],
)
def derivative_of_the_divergence(g: Goal) -> None:
    """The terms with the velocity of beta cancel; the mirror variable has the velocity s^{1/2} R."""
    names = g.intro()
    positive_scale(g, BETA)
    ode = mirror_ode(g, names)

    def rule(g: Goal) -> None:
        g.field()

    g.conj(rule, lambda g: (g.rewrite(ode), g.field()))


@holds(
    "varre2023.step-c-8-scale-bound",
    f"all p:Z, c:R, x:V(p). 0 < c => -({scale('x')}^(1/2)) <= -sqrt(2*c)",
    argument="sound",
)
def scale_is_at_least_two_gamma(g: Goal) -> None:
    """sqrt(gamma^2 + |x|^2) >= gamma, and roots increase."""
    g.intro()
    lower = scale_bound(g, "x")
    g.pos([f"@{lower}"])


def scale_bound(g: Goal, x: str) -> str:
    """sqrt(2 gamma) <= s^{1/2}."""
    positive_scale(g, x)
    root = g.by_fact("sqrt_mono", "c^2", f"{square(x)} + c^2", by=[None, lambda g: g.pos([square(x)])])
    own = g.by_fact("sqrt_of_square", "c")
    more = g.have(f"2*c <= {scale(x)}", lambda g: g.pos([f"@{root}"], eqs=[(own, 1)]))
    big = g.by_fact("sqrt_mono", "2*c", scale(x), by=[None, using(more)])
    return g.have(f"sqrt(2*c) <= {scale(x)}^(1/2)", lambda g: g.pos([f"@{big}"]))


SLOPE = "tr(T(T(X) @ (X @ x - Y)) @ (x - b))"
CONVEXITY = f"all n p:Z, X:M(n,p), Y:V(n), x b:V(p). X @ b = Y => {{0}} and {loss('x')} - {loss('b')} = {loss('x')}"


@refuted(
    "varre2023.step-c-8-convexity-inequality",
    CONVEXITY.format(f"{SLOPE} <= {loss('x')} - {loss('b')}"),
    reason="for X = 1, Y = 0, beta = 1, beta_* = 0 the left side is 1 and the right side 1/2: the left side is 2 L(beta), and convexity gives the reverse inequality",
)
def printed_convexity_inequality(g: Goal) -> None:
    """One dimension: 1 > 1/2."""
    g.witness(1, 1, "[[1]]", "[[0]]", "[[1]]", "[[0]]")

    def wrong(g: Goal) -> None:
        g.left_or_right(0)
        g.pos(["1/2"])

    g.conj(lambda g: g.ext(lambda g: g.field()), wrong)


@amendment(
    "varre2023.step-c-8-convexity-inequality",
    CONVEXITY.format(f"{loss('x')} - {loss('b')} <= {SLOPE}"),
    says="<grad L(beta), beta - beta_*> >= L(beta) - L(beta_*) = L(beta)",
)
def convexity_inequality(g: Goal) -> None:
    """The left side is 2 L(beta)."""
    fits = g.intro()[0]
    back = g.have("Y = X @ b", lambda g: g.nc((fits, -1, None, None)))
    for_b = g.have(f"{loss('b')} = 0", lambda g: (g.rewrite(back), g.field()))
    slope = g.have(f"{SLOPE} = 2*{loss('x')}", lambda g: (g.rewrite(back), g.field()))
    g.conj(lambda g: g.pos(["1/2", square("(X @ x - Y)")], eqs=[(slope, 1), (for_b, 1)]), lambda g: g.field((for_b, -1)))


@holds(
    "varre2023.step-c-8-decay",
    f"{WITH_TARGET} all t:R. 0 <= t => D(s, {DIV.replace('(t)', '(s)')}, t) <= -sqrt(2*c)*{LOSS}",
    argument="repaired",
    reason="<grad L, beta - beta_*> = 2 L(beta) >= L(beta); the printed convexity inequality has the opposite sign",
    reading="b stands for beta_*",
    uses=["varre2023.step-c-8-bregman-derivative"],
)
def divergence_decays(g: Goal) -> None:
    """The derivative is -2 s^{1/2} L, and s >= 2 gamma."""
    names = g.intro()
    target, setting = names[0], names[1:6]
    h = g.lemma("varre2023.step-c-8-bregman-derivative", "statement", *ONE_VARS, "b", by=[using(n) for n in setting])
    one, two = g.split(g.apply(h, "t"))
    slope = g.have(f"tr(T(-{RES}) @ ({BETA} - b)) = 2*{LOSS}", lambda g: (g.rewrite(target), g.field()))
    lower = scale_bound(g, BETA)
    fit = square(f"(X @ {BETA} - Y)")
    g.have(f"0 <= {fit}")
    g.rewrite(one)
    g.pos(["1/2", fit, f"@{lower}"], ["1/2", fit, f"{S}^(1/2)"], eqs=[(two, -1), (slope, f"{S}^(1/2)")])


WITH_INTEGRAL = WITH_TARGET.replace(", b:V(p).", ", b:V(p), F:R~>R. F(0) = 0 => (all t:R. 0 <= t => F'(t) = " + LOSS + ") =>", 1)


@holds(
    "varre2023.step-c-8-integral",
    f"""{WITH_INTEGRAL} all t:R. 0 <= t => F(t) <= (1/sqrt(2*c))*({DIV_0} - {DIV}) and
       (1/sqrt(2*c))*({DIV_0} - {DIV}) <= {DIV_0}/sqrt(2*c)""",
    argument="sound",
    reading="F is the integral of the loss from 0 to t",
    uses=["varre2023.step-c-8-decay", CONVEX],
)
def integral_of_the_loss(g: Goal) -> None:
    """sqrt(2 gamma) F + D does not increase; D is nonnegative."""
    names = g.intro()
    begin, rate, target, setting = names[0], names[1], names[2], names[3:8]
    h = g.lemma("varre2023.step-c-8-decay", "statement", *ONE_VARS, "b", by=[using(target), *[using(n) for n in setting]])
    g.have("0 < sqrt(2*c)")

    def smooth(g: Goal) -> None:
        g.fix("u")
        g.assume()
        positive_scale(g, "(Z1(u) @ Z2(u))")
        g.auto()

    def falls(g: Goal) -> None:
        g.fix("u")
        g.assume()
        positive_scale(g, "(Z1(u) @ Z2(u))")
        down, up = g.apply(h, "u"), g.apply(rate, "u")
        div = DIV.replace("(t)", "(s)")
        rule = g.have(f"D(s, sqrt(2*c)*F(s) + {div}, u) = sqrt(2*c)*F'(u) + D(s, {div}, u)", lambda g: g.field())
        g.rewrite(rule)
        g.pos([f"@{down}"], eqs=[(up, "-sqrt(2*c)")])

    less = g.by_fact("nonincreasing", 0, f"lam t:R. sqrt(2*c)*F(t) + {DIV}", by=[smooth, falls])
    now = g.apply(less, 0, "t")
    sign = g.lemma(CONVEX, "part:bregman", "p", "c", BETA, "b", by=[using(setting[0])])
    g.conj(
        lambda g: g.pos([f"@{now}"], mul=["sqrt(2*c)"], eqs=[(begin, "-sqrt(2*c)")]),
        lambda g: g.pos([f"@{sign}"], mul=["sqrt(2*c)"]),
    )


POINT_VELOCITY = "D(s, Z1(s) @ Z2(s), t)"
MIRROR_VELOCITY = f"D(s, {mirror('Z1(s) @ Z2(s)')}, t)"


@holds(
    "varre2023.step-c-8-loss-monotone",
    f"""{PROJECTED_ONE} all t:R. 0 <= t => D(s, {LOSS.replace("(t)", "(s)")}, t) = tr(T(-{RES}) @ {POINT_VELOCITY}) and
       tr(T(-{RES}) @ {POINT_VELOCITY}) = -({S}^(-1/2)*tr(T({MIRROR_VELOCITY}) @ {POINT_VELOCITY})) and
       {MIRROR_VELOCITY} = D(e, {mirror(f"({BETA} + e*{POINT_VELOCITY})")}, 0) and 0 <= tr(T({MIRROR_VELOCITY}) @ {POINT_VELOCITY}) and
       D(s, {LOSS.replace("(t)", "(s)")}, t) <= 0""",
    argument="sound",
    reading="the Hessian of the potential times a vector is the derivative of its gradient s^{-1/2} beta along the vector",
    uses=["varre2023.step-c-7-beta-ode", CONVEX],
)
def loss_decreases(g: Goal) -> None:
    """The mirror variable moves with s^{1/2} R, and beta with s R + beta <beta, R>/s."""
    names = g.intro()
    positive_scale(g, BETA)
    ode = mirror_ode(g, names)
    h = g.lemma("varre2023.step-c-7-beta-ode", "part:velocity", *ONE_VARS, by=[using(n) for n in names[:5]])
    motion = g.split(g.apply(h, "t"))[2]
    plain = g.have(f"{POINT_VELOCITY} = {VELOCITY}", lambda g: g.nc((motion, 1, None, None)))
    chain = g.have(f"D(s, {LOSS.replace('(t)', '(s)')}, t) = tr(T(-{RES}) @ {POINT_VELOCITY})", lambda g: g.field())
    linked = g.have(
        f"tr(T(-{RES}) @ {POINT_VELOCITY}) = -({S}^(-1/2)*tr(T({MIRROR_VELOCITY}) @ {POINT_VELOCITY}))",
        lambda g: (g.rewrite(ode), g.field()),
    )

    def hessian(g: Goal) -> None:
        g.have(f"0 < {square(f'({BETA} + 0*{POINT_VELOCITY})')} + c^2")
        g.nc()

    def sign(g: Goal) -> None:
        g.rewrite(ode)
        g.rewrite(plain)
        q = f"tr(T({BETA}) @ {RES})"
        one = g.have(f"tr(T({RES}) @ {BETA} @ T({BETA}) @ {RES}) = {q}^2", lambda g: squared(g))
        g.pos([f"{S}^(3/2)", square(RES)], [f"{S}^(-1/2)", f"{q}^2"], eqs=[(one, f"{S}^(-1/2)")])

    nonneg = g.have(f"0 <= tr(T({MIRROR_VELOCITY}) @ {POINT_VELOCITY})", sign)
    g.conj(
        using(chain),
        using(linked),
        hessian,
        using(nonneg),
        lambda g: (g.rewrite(chain), g.rewrite(linked), g.pos([f"{S}^(-1/2)", f"@{nonneg}"])),
    )


def squared(g: Goal) -> None:
    """A 1 x 1 matrix is its trace."""
    one = scalar_matrix(g, f"(T({BETA}) @ {RES})")
    turned = g.have(
        f"T({RES}) @ {BETA} @ T({BETA}) @ {RES} = tr(T({BETA}) @ {RES})*(T({RES}) @ {BETA})",
        lambda g: g.nc((one, 1, f"T({RES}) @ {BETA}", None)),
    )
    g.rewrite(turned)
    g.field()


@holds(
    "varre2023.step-c-8-average-bound",
    f"{WITH_INTEGRAL} all t:R. 0 <= t => t*{LOSS} <= F(t) and F(t) <= {DIV_0}/sqrt(2*c)",
    argument="sound",
    reading="F is the integral of the loss from 0 to t",
    uses=["varre2023.step-c-8-loss-monotone", "varre2023.step-c-8-integral"],
)
def loss_times_time_below_the_integral(g: Goal) -> None:
    """F - t L does not decrease, as L' <= 0."""
    names = g.intro()
    begin, rate, target, setting = names[0], names[1], names[2], names[3:8]
    h = g.lemma("varre2023.step-c-8-integral", "statement", *ONE_VARS, "b", "F", by=[using(n) for n in names[:8]])
    one, two = g.split(g.apply(h, "t"))
    down = g.lemma("varre2023.step-c-8-loss-monotone", "statement", *ONE_VARS, by=[using(n) for n in setting])
    path = LOSS.replace("(t)", "(s)")

    def grows(g: Goal) -> None:
        g.fix("u")
        late = g.assume()
        falls, up = g.split_all(g.apply(down, "u"))[-1], g.apply(rate, "u")
        rule = g.have(f"D(s, F(s) - s*{path}, u) = F'(u) - {LOSS.replace('(t)', '(u)')} - u*D(s, {path}, u)", lambda g: g.field())
        g.rewrite(rule)
        g.pos([f"@{late}", f"@{falls}"], eqs=[(up, 1)])

    more = g.by_fact("nondecreasing", 0, f"lam t:R. F(t) - t*{LOSS}", by=[None, grows])
    now = g.apply(more, 0, "t")
    g.conj(lambda g: g.pos([f"@{now}"], eqs=[(begin, 1)]), lambda g: g.pos([f"@{one}"], [f"@{two}"]))
    _ = target


RATE = f"{WITH_TARGET} all t:R. 0 < t => {LOSS} <= {DIV_0}/(sqrt(2*c)*t)"


@holds(
    "varre2023.lemma-c-8",
    RATE,
    argument="repaired",
    reason="<grad L, beta - beta_*> = 2 L(beta) >= L(beta); the printed convexity inequality has the opposite sign",
    reading="b stands for beta_*, any interpolator",
    uses=["varre2023.step-c-8-average-bound"],
)
def rate_of_the_mirror_flow(g: Goal) -> None:
    """t L(beta(t)) is at most the integral of the loss."""
    names = g.intro()
    late = names[6]
    begin, rate = g.obtain(g.by_fact("antiderivative", f"lam t:R. {LOSS}"), "F")
    given = [using(n) for n in (begin, rate, *names[:6])]
    h = g.lemma("varre2023.step-c-8-average-bound", "statement", *ONE_VARS, "b", "F", by=given)
    one, two = g.split(g.apply(h, "t"))
    g.have("0 < sqrt(2*c)")
    g.pos([f"@{one}", "sqrt(2*c)"], [f"@{two}", "sqrt(2*c)"], mul=["sqrt(2*c)", "t"])
    _ = late


@holds(
    "varre2023.assertion-rate-conditioning-free",
    f"{WITH_TARGET} all t:R. 0 < t => {LOSS} <= {divergence('b', 'O(p,1)')}/(sqrt(2*c)*t)",
    argument="sound",
    reading="the bound depends on beta_*, gamma and t alone, and holds for every X with X beta_* = Y",
    uses=["varre2023.lemma-c-8"],
)
def rate_without_the_conditioning(g: Goal) -> None:
    """beta(0) = 0."""
    names = g.intro()
    zero = names[4]
    h = g.lemma("varre2023.lemma-c-8", "statement", *ONE_VARS, "b", by=[using(n) for n in names[:6]])
    now = g.apply(h, "t")
    start = g.have("Z1(0) @ Z2(0) = O(p,1)", lambda g: g.nc(rw=[zero]))
    g.exact(g.rewritten(now, start))


@holds(
    "varre2023.assertion-loss-rate",
    f"{WITH_TARGET} all t:R. 0 < t => {LOSS} <= {square('b')}/(4*c*t)",
    argument="sound",
    reading="the constant is |beta_*|^2/4, for all gamma > 0 and t > 0",
    uses=["varre2023.assertion-rate-conditioning-free"],
)
def rate_in_gamma_and_time(g: Goal) -> None:
    """With g = sqrt(2 gamma), b = s^{1/2}: psi(beta_*) - psi(0) = 2 (b^3 - g^3)/3 - g^2 (b - g) <= b^2 (b^2 - g^2)/(2 g) = |beta_*|^2/(2 g)."""
    names = g.intro()
    h = g.lemma("varre2023.assertion-rate-conditioning-free", "statement", *ONE_VARS, "b", by=[using(n) for n in names[:6]])
    now = g.apply(h, "t")
    q = g.obtain(g.have("ex q:R. q = sqrt(2*c)", lambda g: (g.witness("sqrt(2*c)"), g.refl())), "q")[0]
    g.have("0 < q", lambda g: (g.rewrite(q), g.auto()))
    two = g.have("c = q^2/2", lambda g: (g.rewrite(q), g.field()))
    big = scale_bound(g, "b")
    sy, ny = root_of_scale(g, "b", "a")
    above = g.have("q <= a", lambda g: bounded(g, big, sy, q))
    zero_root = g.by_fact("sqrt_of_square", "c")
    none = g.have(f"{potential('O(p,1)')} = (2/3)*q^3 - 2*c*q", lambda g: at_zero(g, zero_root, q))
    psi = g.have(f"{potential('b')} = (2/3)*a^3 - 2*c*a", lambda g: (g.rewrite(sy), g.field()))
    pair = g.have(
        f"tr(T({mirror('O(p,1)')}) @ (b - O(p,1))) = 0",
        lambda g: (g.replace(f"{mirror('O(p,1)')}", "O(p,1)", lambda g: g.nc()), g.field()),
    )
    value = g.have(
        f"{divergence('b', 'O(p,1)')} <= {square('b')}/(2*q)",
        lambda g: g.pos(
            ["1/6", f"@{above}", f"@{above}", "a^2"],
            ["1/3", f"@{above}", f"@{above}", "a + q", f"@{above}"],
            ["1/3", f"@{above}", f"@{above}", "a", "q"],
            mul=["q"],
            eqs=[(psi, "-q"), (none, "q"), (pair, "q"), (ny, "1/2"), (two, "2*a*q - 2*q^2 - a^2")],
        ),
    )
    timed = g.have(f"{LOSS} <= {divergence('b', 'O(p,1)')}/(q*t)", lambda g: (g.rewrite(q), g.close_by(now)))
    final = g.have(f"{LOSS} <= {square('b')}/(2*q*q*t)", lambda g: g.pos([f"@{timed}"], [f"@{value}", "1/(q*t)"]))
    same = g.have(f"{square('b')}/(4*c*t) = {square('b')}/(2*q*q*t)", lambda g: (g.rewrite(q), g.field()))
    g.rewrite(same)
    g.close_by(final)


def bounded(g: Goal, big: str, sy: str, q: str) -> None:
    """sqrt(2 gamma) <= s^{1/2} in the short names."""
    g.rewrite(q)
    named = next(h for h, f in g.seq.hyps.items() if f[0] == "=" and f[1] == "a")
    g.rewrite(named)
    g.close_by(big)
    _ = sy


def at_zero(g: Goal, root: str, q: str) -> None:
    """The potential at 0."""
    flat = g.have(
        f"{scale('O(p,1)')} = 2*c",
        lambda g: (
            g.replace("tr(T(O(p,1)) @ O(p,1))", "0", lambda g: g.field()),
            g.replace("0 + c^2", "c^2", lambda g: g.field()),
            g.field((root, 1)),
        ),
    )
    g.rewrite(flat)
    g.rewrite(q)
    g.field()


SIZE = f"(c + sqrt({square('(W1(t) @ W2(t))')} + c^2))^(1/2)"
UNTIMED, _CONCLUSION = mirror_flow(TWO_LAYERS_ONE, "(W1(t) @ W2(t))").rsplit("all t:R.", 1)


@holds(
    "varre2023.assertion-time-warp",
    f"""{UNTIMED.replace(", G:R~>V(p)", ", tau:R~>R, G:R~>V(p)", 1)}
       (all t:R. 0 <= t => tau'(t) = {SIZE}) =>
       (all t:R. 0 <= t => 0 < tau'(t) and G'(t) = -(tau'(t)*H(t))) and
       T(W1(0)) @ W1(0) - W2(0) @ T(W2(0)) = (2*c)*(T(P) @ P)""",
    argument="sound",
    reading=f"{GRADIENTS}; in the time tau the flow is the mirror flow dG = -H dtau; any width l, and the start is unbalanced by 2 gamma P^T P",
    uses=["varre2023.thm-3-2-b"],
)
def mirror_flow_in_another_time(g: Goal) -> None:
    """Theorem 3.2 (b)."""
    names = g.intro()
    setting, clock = names[:7], names[7]
    h = g.lemma(
        "varre2023.thm-3-2-b",
        "statement",
        *("n", "p", "l", "c", "X", "Y", "P", "W1", "W2", "G", "H"),
        by=[using(n) for n in setting],
    )

    def timed(g: Goal) -> None:
        g.fix("t")
        g.assume()
        rate, flow = g.apply(clock, "t"), g.apply(h, "t")
        beta = "(W1(t) @ W2(t))"
        g.have(f"0 < {square(beta)} + c^2")
        g.have(f"0 < c + sqrt({square(beta)} + c^2)")
        g.rewrite(rate)
        g.conj(lambda g: g.auto(), using(flow))

    g.conj(timed, lambda g: g.nc(rw=[setting[2], setting[3]]))


@holds(
    "varre2023.eq-c-15",
    f"""all p:Z, c:R. 0 < c => (all x v:V(p). D(e, {potential("x + e*v")}, 0) = {scale("x")}^(-1/2)*tr(T(v) @ x)) and
       {potential("O(p,1)")} = -(2/3)*c*(2*c)^(1/2)""",
    argument="sound",
    reading="the definition, with its gradient, for which it is made, and its value at 0",
    uses=["varre2023.step-c-7-gradient"],
)
def mirror_potential(g: Goal) -> None:
    """The gradient of the potential; sqrt(gamma^2) = gamma."""
    g.fix("p", "c")
    positive = g.assume()

    def gradient(g: Goal) -> None:
        g.fix("x", "v")
        g.close_by(g.lemma("varre2023.step-c-7-gradient", "statement", "p", "c", "x", "v", by=[using(positive)]))

    def value(g: Goal) -> None:
        root = g.by_fact("sqrt_of_square", "c")
        flat = g.have(f"{scale('O(p,1)')} = 2*c", lambda g: at_origin(g, root))
        g.rewrite(flat)
        g.field()

    g.conj(gradient, value)


def at_origin(g: Goal, root: str) -> None:
    """sqrt(0 + gamma^2) + gamma = 2 gamma."""
    g.replace("tr(T(O(p,1)) @ O(p,1))", "0", lambda g: g.field())
    g.replace("0 + c^2", "c^2", lambda g: g.field())
    g.field((root, 1))


NEURON_RES = "(T(X) @ (Y - a(t)*(X @ w(t))))"
NEURON = square("(a(t)*w(t))")


@holds(
    "varre2023.cited-azulay-time-warp",
    f"""all n p:Z, X:M(n,p), Y:V(n), w:R~>V(p), a:R~>R. (all t:R. 0 <= t => w'(t) = a(t)*{NEURON_RES} and a'(t) = tr(T(w(t)) @ {NEURON_RES})) =>
       {square("w(0)")} = a(0)^2 => all t:R. 0 <= t => a(t) != 0 =>
       D(s, {NEURON.replace("(t)", "(s)")}^(-1/4)*(a(s)*w(s)), t) = {NEURON}^(1/4)*{NEURON_RES}""",
    argument="sound",
    reading="l = k = 1: beta = a w; the mirror variable |beta|^{-1/2} beta, the gradient of (2/3) |beta|^{3/2}, moves with |beta|^{1/2} times minus the gradient of the loss",
)
def balanced_neuron_is_a_timed_mirror_flow(g: Goal) -> None:
    """|w|^2 = a^2 for all times, so |beta|^2 = a^4 and <beta, beta'> = 2 a^3 <w, r>."""
    flow, start = g.intro()[:2]

    def constant(g: Goal) -> None:
        g.fix("u")
        g.assume()
        one, two = g.split(g.apply(flow, "u"))
        rule = g.differentiate("s", f"{square('w(s)')} - a(s)^2", "u")
        g.rewrite(rule)
        g.rewrite(one)
        g.rewrite(two)
        g.field()

    kept = g.apply(g.by_fact("constant", 0, f"lam t:R. {square('w(t)')} - a(t)^2", by=[None, constant]), "t")
    norm = g.have(f"{square('w(t)')} = a(t)^2", lambda g: g.field((kept, 1), (start, 1)))
    power = g.have(f"{NEURON} = a(t)^4", lambda g: g.field((norm, "a(t)^2")))
    g.have("0 < a(t)^4")
    g.have(f"0 < {NEURON}", lambda g: (g.rewrite(power), g.auto()))
    one, two = g.split(g.apply(flow, "t"))
    q = f"tr(T(w(t)) @ {NEURON_RES})"
    beta = g.have(f"D(s, a(s)*w(s), t) = a(t)^2*{NEURON_RES} + {q}*w(t)", lambda g: g.nc((one, "a(t)", None, None), rw=[two]))
    along = g.have(
        f"D(s, {NEURON.replace('(t)', '(s)')}, t) = 4*a(t)^3*{q}",
        lambda g: (
            g.rewrite(g.differentiate("s", NEURON.replace("(t)", "(s)"), "t")),
            g.rewrite(one),
            g.rewrite(two),
            g.field((norm, f"2*a(t)*{q}")),
        ),
    )
    factor = g.have(
        f"D(s, {NEURON.replace('(t)', '(s)')}^(-1/4), t) = -(1/4)*{NEURON}^(-5/4)*(4*a(t)^3*{q})",
        lambda g: g.field((along, f"-(1/4)*{NEURON}^(-5/4)")),
    )
    rule = g.have(
        f"D(s, {NEURON.replace('(t)', '(s)')}^(-1/4)*(a(s)*w(s)), t) = D(s, {NEURON.replace('(t)', '(s)')}^(-1/4), t)*(a(t)*w(t)) + {NEURON}^(-1/4)*D(s, a(s)*w(s), t)",
        lambda g: g.nc(),
    )
    named = g.obtain(g.have(f"ex h:R. h = {NEURON}^(1/4)", lambda g: (g.witness(f"{NEURON}^(1/4)"), g.refl())), "h")[0]
    g.have("0 < h", lambda g: (g.rewrite(named), g.auto()))
    general = g.have("all x:R. 0 < x => x = (x^(1/4))^4")
    fourth = g.have(f"{NEURON} = h^4", lambda g: (g.rewrite(named), g.close_by(g.apply(general, NEURON))))
    roots = g.have("(a(t)^2 - h^2)*(a(t)^2 + h^2) = 0", lambda g: g.field((power, -1), (fourth, 1)))
    g.have("0 < a(t)^2 + h^2")
    squares = g.have("(a(t) - h)*(a(t) + h) = 0", lambda g: g.field((roots, "1/(a(t)^2 + h^2)")))
    either = g.by_fact("product_zero", "a(t) - h", "a(t) + h", by=[using(squares)])

    def finish(sign: str) -> Script:
        def script(g: Goal) -> None:
            same = g.have(f"a(t) = {sign}h", lambda g: g.field((list(g.seq.hyps)[-1], 1)))
            g.rewrite(rule)
            g.rewrite(factor)
            g.rewrite(beta)
            g.rewrite(fourth)
            g.nc(rw=[same])

        return script

    g.cases(either, finish(""), finish("-"))
