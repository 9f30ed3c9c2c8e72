"""Lemma C.7 and Theorem 3.2 (b): the mirror flow on the predictor for k = 1."""

from __future__ import annotations

from proofs.varre2023.flows import BETA, PROJECTED_ONE, RES, SETTING_ONE, TWO_LAYERS_ONE
from proofs.varre2023.scalar_potential import potential, scale, square
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

USES = ["varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha", "varre2023.step-c-10-quadratic-identities"]
REPAIRED = (
    "two displays in the proof of Lemma C.7, Z1' = Z1 alpha r^T and beta = Z1^T Z1 alpha, transpose Z1 (Z1' = r alpha^T Z1 and "
    "beta = Z1 Z1^T alpha, as in the proof of Lemma C.2); here the velocity of beta comes from the invariant directly"
)
S = scale(BETA)
VELOCITY = f"({S}*{RES} + (1/{S})*({BETA} @ T({BETA}) @ {RES}))"


def one_setting(g: Goal, claim: str, role: str, names: list[str]) -> str:
    """A statement about the projected flow for general k, at k = 1 and the time t."""
    h = g.lemma(claim, role, *SETTING_ONE, by=[lambda g, n=n: g.close_by(n) for n in names[:5]])
    return g.apply(h, "t")


def scalar_matrix(g: Goal, m: str) -> str:
    """A 1 x 1 matrix is its trace times the identity."""
    h = g.fact("tr_entries", 1, m)
    return g.have(f"{m} = tr({m})*I(1)", lambda g: g.ext(lambda g: g.field((h, -1))))


def loss(x: str) -> str:
    """The loss at a predictor."""
    return f"(tr(T(X @ ({x}) - Y) @ (X @ ({x}) - Y))/2)"


def mirror_flow(setting: str, beta: str) -> str:
    """d grad psi(beta) = -(gamma + sqrt(|beta|^2 + gamma^2))^{1/2} grad L(beta) dt; G and H are the two gradients along the flow."""
    return f"""{setting.replace(". 0 < c", ", G:R~>V(p), H:R->V(p). 0 < c", 1)}
       (all t:R, v:V(p). 0 <= t => D(e, {potential(beta + " + e*v")}, 0) = tr(T(v) @ G(t))) =>
       (all t:R, v:V(p). 0 <= t => D(e, {loss(beta + " + e*v")}, 0) = tr(T(v) @ H(t))) =>
       all t:R. 0 <= t => G'(t) = -((c + sqrt({square(beta)} + c^2))^(1/2)*H(t))"""


GRADIENTS = "G(t), differentiable in t, and H(t) are the gradients of the potential and of the loss at beta(t), characterised by directional derivatives"


@part(
    "varre2023.step-c-7-beta-ode",
    "velocity",
    f"""{PROJECTED_ONE} all t:R. 0 <= t => {square("Z2(t)")} = {S} - 2*c and
       Z1(t) @ T(Z1(t)) = (2*c)*I(p) + (1/{S})*({BETA} @ T({BETA})) and Z1'(t) @ Z2(t) + Z1(t) @ Z2'(t) = {VELOCITY}""",
    says="|Z2|^2 and Z1 Z1^T as functions of beta, and the velocity of beta",
    uses=USES,
)
def velocity_of_the_predictor(g: Goal) -> None:
    """|beta|^2 = z^2 + 2 gamma z for z = |Z2|^2, so s = z + 2 gamma; (Z1 Z1^T - 2 gamma) Z1 = beta Z2^T = beta beta^T Z1 / s."""
    names = g.intro()
    isotropic = one_setting(g, "varre2023.lemma-3-2", "statement", names)
    regular, _ = g.split(one_setting(g, "varre2023.lemma-c-2-alpha", "part:invertible", names))
    right = g.by_fact("inv_right", "p", "Z1(t)", by=[lambda g: g.close_by(regular)])
    quadratic, _ = g.split(one_setting(g, "varre2023.step-c-10-quadratic-identities", "statement", names))
    z = square("Z2(t)")
    one = scalar_matrix(g, "(T(Z2(t)) @ Z2(t))")
    g.have(f"0 <= {z}")
    product = g.have(f"T({BETA}) @ {BETA} = (({z})^2 + 2*c*({z}))*I(1)", lambda g: quadratic_scalar(g, quadratic, one, z))
    norm = g.have(f"tr(T({BETA}) @ {BETA}) = ({z})^2 + 2*c*({z})", lambda g: (g.rewrite(product), g.field()))
    root = g.by_fact("sqrt_unique", f"{square(BETA)} + c^2", f"{z} + c", by=[None, lambda g: g.field((norm, -1))])
    short = g.have(f"{S} = {z} + 2*c", lambda g: g.field((root, 1)))
    g.have(f"0 < {S}", lambda g: (g.rewrite(short), g.auto()))
    first = g.have(f"{z} = {S} - 2*c", lambda g: g.field((short, -1)))

    rank_one = g.have(
        f"(Z1(t) @ T(Z1(t)) - (2*c)*I(p) - (1/{S})*({BETA} @ T({BETA}))) @ Z1(t) = O(p,p)",
        lambda g: (g.rewrite(short), cancelled(g, isotropic, one, z)),
    )
    second = g.have(
        f"Z1(t) @ T(Z1(t)) = (2*c)*I(p) + (1/{S})*({BETA} @ T({BETA}))",
        lambda g: g.nc(
            (right, -1, f"Z1(t) @ T(Z1(t)) - (2*c)*I(p) - (1/{S})*({BETA} @ T({BETA}))", None), (rank_one, 1, None, "inv(Z1(t))")
        ),
    )
    a, b = g.split(g.apply(names[4], "t"))

    scaled = g.have(f"({z})*{RES} = ({S} - 2*c)*{RES}", lambda g: (g.rewrite(first), g.refl()))

    def velocity(g: Goal) -> None:
        g.nc((a, 1, None, "Z2(t)"), (b, 1, "Z1(t)", None), (one, 1, RES, None), (scaled, 1, None, None), (second, 1, None, RES))

    g.conj(lambda g: g.close_by(first), lambda g: g.close_by(second), velocity)


def quadratic_scalar(g: Goal, quadratic: str, one: str, z: str) -> None:
    """The quadratic identity for 1 x 1 matrices."""
    g.nc((quadratic, 1, None, None), (one, "2*c", None, None), (one, 1, "T(Z2(t)) @ Z2(t)", None), (one, z, None, None))


def cancelled(g: Goal, isotropic: str, one: str, z: str) -> None:
    """(Z1 Z1^T - 2 gamma) Z1 = beta Z2^T, and beta beta^T Z1 = (2 gamma + z) beta Z2^T."""
    k = f"1/({z} + 2*c)"
    g.nc(
        (isotropic, 1, "Z1(t)", None),
        (isotropic, f"-({k})", f"{BETA} @ T(Z2(t))", None),
        (one, f"-({k})", BETA, "T(Z2(t))"),
    )


def mirror(x: str) -> str:
    """The mirror variable beta / (sqrt(|beta|^2 + gamma^2) + gamma)^{1/2}."""
    return f"(1/{scale(x)}^(1/2))*({x})"


@part(
    "varre2023.step-c-7-beta-ode",
    "curve",
    f"""all p:Z, c:R, b:R~>V(p), r:V(p), t:R. 0 < c => b'(t) = {scale("b(t)")}*r + (1/{scale("b(t)")})*(b(t) @ T(b(t)) @ r) =>
       D(s, {mirror("b(s)")}, t) = {scale("b(t)")}^(1/2)*r""",
    says="the mirror variable of a curve with this velocity",
)
def mirror_variable_of_a_curve(g: Goal) -> None:
    """s' = 2 <beta, r>, so the parts along beta cancel."""
    _, motion = g.intro()
    n, q, size = square("b(t)"), "tr(T(b(t)) @ r)", scale("b(t)")
    root = f"sqrt({n} + c^2)"
    g.have(f"0 < {n} + c^2")
    g.have(f"0 < {root}")
    g.have(f"0 < {size}")
    along = scalar_matrix(g, "(T(b(t)) @ r)")
    velocity = g.have(
        f"b'(t) = {size}*r + ({q}/{size})*b(t)", lambda g: g.nc((motion, 1, None, None), (along, f"1/{size}", "b(t)", None))
    )
    dot = g.have(f"tr(T(b(t)) @ b'(t)) = 2*{q}*{root}", lambda g: (g.rewrite(velocity), g.field()))
    factor = g.have(
        f"D(s, 1/{scale('b(s)')}^(1/2), t) = -{q}*{size}^(-3/2)", lambda g: g.field((dot, f"-(1/2)*{size}^(-3/2)/{root}"))
    )
    rule = g.have(f"D(s, {mirror('b(s)')}, t) = D(s, 1/{scale('b(s)')}^(1/2), t)*b(t) + (1/{size}^(1/2))*b'(t)", lambda g: g.nc())
    g.rewrite(rule)
    g.rewrite(factor)
    g.nc((velocity, f"1/{size}^(1/2)", None, None))


BETA_ODE = f"{PROJECTED_ONE} all t:R. 0 <= t => D(s, {mirror('Z1(s) @ Z2(s)')}, t) = {S}^(1/2)*{RES}"


@holds("varre2023.step-c-7-beta-ode", BETA_ODE, argument="repaired", uses=USES, reason=REPAIRED)
def ode_of_the_mirror_variable(g: Goal) -> None:
    """The velocity of beta from the invariant, and the curve lemma."""
    names = g.intro()
    h = g.lemma(
        "varre2023.step-c-7-beta-ode",
        "part:velocity",
        *SETTING_ONE[:2],
        *SETTING_ONE[3:],
        by=[lambda g, n=n: g.close_by(n) for n in names[:5]],
    )
    _, _, velocity = g.split(g.apply(h, "t"))
    done = g.lemma(
        "varre2023.step-c-7-beta-ode",
        "part:curve",
        "p",
        "c",
        "lam t:R. Z1(t) @ Z2(t)",
        RES,
        "t",
        by=[None, lambda g: g.nc((velocity, 1, None, None))],
    )
    g.exact(done)


@holds(
    "varre2023.step-c-7-mirror",
    mirror_flow(PROJECTED_ONE, BETA),
    argument="sound",
    reading=GRADIENTS,
    uses=["varre2023.step-c-7-beta-ode", "varre2023.step-c-7-gradient"],
)
def mirror_flow_of_the_predictor(g: Goal) -> None:
    """The gradient of the potential is the mirror variable, that of the loss is -r."""
    names = g.intro()
    gradient, slope = names[5], names[6]

    def is_mirror(g: Goal) -> None:
        g.fix("u")
        g.assume()
        here = BETA.replace("(t)", "(u)")
        f = mirror(here)
        at = g.apply(gradient, "u", f"G(u) - {f}")
        own = g.lemma("varre2023.step-c-7-gradient", "statement", "p", "c", here, f"G(u) - {f}")
        g.have(f"0 < {square(here)} + c^2")
        g.have(f"0 < {scale(here)}")
        equal_by_square(g, at, own, f"(G(u) - {f})", -1)

    mirrored = g.have(f"all t:R. 0 <= t => {mirror(BETA)} = G(t)", is_mirror)
    v = f"(H(t) + {RES})"
    at = g.apply(slope, "t", v)
    value = g.have(f"D(e, {loss(f'{BETA} + e*{v}')}, 0) = -tr(T({v}) @ {RES})", lambda g: g.field())
    downhill = g.have(f"H(t) = -{RES}", lambda g: equal_by_square(g, at, value, v, 1))
    ode = g.lemma(
        "varre2023.step-c-7-beta-ode",
        "statement",
        *SETTING_ONE[:2],
        *SETTING_ONE[3:],
        by=[lambda g, n=n: g.close_by(n) for n in names[:5]],
    )
    now = g.apply(ode, "t")

    def smooth(g: Goal) -> None:
        g.fix("u")
        g.assume()
        here = "(Z1(u) @ Z2(u))"
        g.have(f"0 < {square(here)} + c^2")
        g.have(f"0 < {scale(here)}")
        g.auto()

    agree = g.fact("derivative_agrees_matrix", "p", 1, 0, f"lam t:R. {mirror(BETA)}", "lam t:R. G(t)")
    same = g.apply(g.apply(agree, by=[smooth, lambda g: g.close_by(mirrored)]), "t")
    order = g.have(f"(c + sqrt({square(BETA)} + c^2))^(1/2) = {S}^(1/2)", lambda g: g.field())
    g.rewrite(order)
    g.rewrite(downhill)
    g.nc((same, -1, None, None), (now, 1, None, None))


def equal_by_square(g: Goal, at: str, own: str, difference: str, sign: int) -> None:
    """Two vectors are equal, as their difference has square 0: `at` and `own` give the derivative along it in two ways."""
    g.have(f"tr(T({difference}) @ {difference}) = 0", lambda g: g.field((at, -1), (own, 1)))
    none = g.by_fact("frobenius_zero", "p", 1, difference)
    g.nc((none, sign, None, None))


@holds(
    "varre2023.lemma-c-7",
    mirror_flow(PROJECTED_ONE, BETA),
    argument="repaired",
    reason=REPAIRED,
    reading=GRADIENTS,
    uses=["varre2023.step-c-7-mirror"],
)
def mirror_flow_for_one_output(g: Goal) -> None:
    """This is the last display of its proof."""
    g.close_by(g.lemma("varre2023.step-c-7-mirror"))


@holds(
    "varre2023.thm-3-2-b",
    mirror_flow(TWO_LAYERS_ONE, "(W1(t) @ W2(t))"),
    argument="repaired",
    reason=REPAIRED,
    reading=f"{GRADIENTS}; neither an interpolator nor l >= d >= n is needed (l >= d follows from P P^T = I)",
    uses=["varre2023.lemma-3-1", "varre2023.lemma-c-7"],
)
def mirror_flow_of_two_layers(g: Goal) -> None:
    """By Lemma 3.1 beta = Z1 Z2 for the projected flow, to which Lemma C.7 applies."""
    names = g.intro()
    gradient, slope = names[5], names[6]
    z1, z2 = "W1(t) @ T(P)", "P @ W2(t)"
    lemma = g.lemma(
        "varre2023.lemma-3-1",
        "statement",
        "n",
        "p",
        1,
        "l",
        "c",
        "X",
        "Y",
        "P",
        "W1",
        "W2",
        by=[lambda g, n=n: g.close_by(n) for n in names[:5]],
    )

    def product(g: Goal, time: str) -> str:
        """The products agree at a time."""
        _, _, one, _two = g.split(g.apply(lemma, time))
        w1, w2 = z1.replace("(t)", f"({time})"), z2.replace("(t)", f"({time})")
        eq = ("=", ("mm", g.term(w1), g.term(w2)), g.term(f"W1({time}) @ W2({time})"))
        return g.have(eq, lambda g: g.nc((one, -1, None, f"W2({time})")))

    def flow(g: Goal) -> None:
        g.fix("u")
        g.assume()
        a, b, _, _ = g.split(g.apply(lemma, "u"))
        g.conj(lambda g: g.exact(a), lambda g: g.exact(b))

    def along(h: str) -> Script:
        def script(g: Goal) -> None:
            g.fix("u", "v")
            g.assume()
            g.rewrite(product(g, "u"))
            g.exact(g.apply(h, "u", "v"))

        return script

    done = g.lemma(
        "varre2023.lemma-c-7",
        "statement",
        *("n", "p", "l", "c", "X", "Y", "P", f"lam t:R. {z1}", f"lam t:R. {z2}", "G", "H"),
        by=[None, None, lambda g: g.nc(rw=[names[2]]), lambda g: g.nc(rw=[names[3]]), flow, along(gradient), along(slope)],
    )
    now = g.apply(done, "t")
    g.rewrite(product(g, "t"), back=True)
    g.exact(now)
