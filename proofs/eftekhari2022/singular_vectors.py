"""Appendix I.2: the singular value and the singular vectors of the rank-one induced flow, (127) to (141)."""

from __future__ import annotations

from proofs.eftekhari2022.rank_one_flow import (
    FLOW_TERMS,
    INDUCED,
    INDUCED_VARIABLES,
    POWER,
    ROOTS_READING,
    TARGET_VARIABLES,
    THIN,
)
from proofs.eftekhari2022.theorem_twenty import TARGET
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

UNITS = "(all t:R. 0 <= t => T(u(t)) @ u(t) = I(1) and T(v(t)) @ v(t) = I(1)) =>"
PATHS = "u:R~>V(y), v:R~>V(x), s:R~>R"
WHOLE = "(all t:R. 0 <= t => 0 < s(t) and E(t) = s(t)*(u(t) @ T(v(t))) and T(u(t)) @ u(t) = I(1) and T(v(t)) @ v(t) = I(1)) =>"
SMOOTH = f"all {INDUCED_VARIABLES}, {TARGET_VARIABLES}, {PATHS}. {INDUCED} {TARGET} {WHOLE}"
"""The induced flow with the thin singular value decomposition (32), smooth in time."""

BASES_AT = """all U:M(y,y-1), V:M(x,x-1). T(U) @ U = I(y-1) => U @ T(U) = I(y) - u(t) @ T(u(t)) =>
           T(V) @ V = I(x-1) => V @ T(V) = I(x) - v(t) @ T(v(t)) =>"""
"""U and V are orthonormal bases of the complements of u(t) and v(t)."""

K = "s(t)^(1 - 2/N)"
CONTEXT = "N >= 2, whitened data and the spectral gap [Assumption 14]; the smooth thin singular value decomposition [(32)]"
RATE = "eftekhari2022.eq-139"


@holds(
    "eftekhari2022.eq-127",
    """all x y m:Z, X:M(x,m), Y:M(y,m), Z_ W_:M(y,x). X @ T(X) = m*I(x) => 1 <= m => Z_ = (1/m)*(Y @ T(X)) =>
       W_ @ X @ T(X) - Y @ T(X) = m*(W_ - Z_) and all D_:M(y,x). D(e, tr(T(Y - (W_ + e*D_) @ X) @ (Y - (W_ + e*D_) @ X))/2, 0) =
       tr(T(m*(W_ - Z_)) @ D_)""",
    argument="sound",
    reading="the gradient is characterised by the directional derivatives of L_1; W_ and Z_ are W and Z",
)
def gradient_for_whitened_data(g: Goal) -> None:
    """X X^T = m I and Y X^T = m Z."""
    white, _, target = g.intro()[:3]
    g.have("0 < m")
    eq = g.have("W_ @ X @ T(X) - Y @ T(X) = m*(W_ - Z_)", lambda g: g.nc((white, 1, "W_", None), (target, "m", None, None)))

    def derivative(g: Goal) -> None:
        g.fix()
        h = g.differentiate("e", "tr(T(Y - (W_ + e*D_) @ X) @ (Y - (W_ + e*D_) @ X))/2", 0)
        turned = g.have("tr(T(W_ @ X @ T(X) - Y @ T(X)) @ D_) = tr(T(m*(W_ - Z_)) @ D_)", lambda g: (g.rewrite(eq), g.refl()))
        g.field((h, 1), (turned, 1))

    g.conj(using(eq), derivative)


@part(
    "eftekhari2022.eq-131",
    "tangent",
    "all n:Z, u:R~>V(n). (all t:R. 0 <= t => T(u(t)) @ u(t) = I(1)) => all t:R. 0 <= t => T(u(t)) @ u'(t) = O(1,1)",
    says="the velocity of a unit vector is orthogonal to it",
)
def velocity_of_a_unit_vector(g: Goal) -> None:
    """Differentiate u^T u = 1."""
    unit, now = g.intro()
    h = g.fact("derivative_agrees_matrix", 1, 1, 0, "lam r:R. T(u(r)) @ u(r)", "lam r:R. I(1)")
    h = g.apply(h, by=[None, using(unit)], n=2)
    k = g.apply(h, "t", by=[using(now)])
    both = g.have("T(u'(t)) @ u(t) + T(u(t)) @ u'(t) = O(1,1)", lambda g: g.nc((k, 1, None, None)))
    one = scalar_matrix(g, "(T(u(t)) @ u'(t))")
    trace = g.have("tr(T(u'(t)) @ u(t) + T(u(t)) @ u'(t)) = 0", lambda g: (g.rewrite(both), g.field()))
    zero = g.have("tr(T(u(t)) @ u'(t)) = 0", lambda g: g.field((trace, "1/2")))
    g.rewrite(one)
    g.rewrite(zero)
    g.nc()


@holds(
    "eftekhari2022.eq-131",
    f"all x y:Z, u:R~>V(y), v:R~>V(x). {UNITS} all t:R. 0 <= t => T(u(t)) @ u'(t) = O(1,1) and T(v(t)) @ v'(t) = O(1,1)",
    argument="sound",
    context="the smooth unit vectors [(32)]",
    uses=["eftekhari2022.eq-131"],
)
def velocities_are_tangent(g: Goal) -> None:
    """Both vectors have constant length."""
    units, now = g.intro()

    def side(which: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("r")
            h = g.assume()
            g.close_by(g.split(g.apply(units, "r", by=[using(h)]))[which])

        return script

    first = g.lemma("eftekhari2022.eq-131", "part:tangent", "y", "u", by=[side(0)])
    second = g.lemma("eftekhari2022.eq-131", "part:tangent", "x", "v", by=[side(1)])
    g.conj(using(g.apply(first, "t", by=[using(now)])), using(g.apply(second, "t", by=[using(now)])))


PRODUCT = f"all x y:Z, E:R~>M(y,x), {PATHS}. {WHOLE} all t:R. 0 <= t =>"


@holds(
    "eftekhari2022.eq-132",
    f"{PRODUCT} E'(t) = s(t)*(u'(t) @ T(v(t))) + s'(t)*(u(t) @ T(v(t))) + s(t)*(u(t) @ T(v'(t)))",
    argument="sound",
    context="the smooth thin singular value decomposition [(32)]",
)
def product_rule(g: Goal) -> None:
    """Differentiate s u v^T."""
    whole, now = g.intro(split=False)
    k = product_derivative(g, whole, now)
    g.nc((k, 1, None, None))


def product_derivative(g: Goal, whole: str, now: str) -> str:
    """Adds E' as the derivative of s u v^T."""
    h = g.fact("derivative_agrees_matrix", "y", "x", 0, "lam r:R. E(r)", "lam r:R. s(r)*(u(r) @ T(v(r)))")

    def same(g: Goal) -> None:
        g.fix("r")
        k = g.assume()
        g.close_by(g.split(g.apply(whole, "r", by=[using(k)]))[1])

    k = g.apply(g.apply(h, by=[None, same], n=2), "t", by=[using(now)])
    return g.have(
        "E'(t) = s(t)*(u'(t) @ T(v(t))) + s'(t)*(u(t) @ T(v(t))) + s(t)*(u(t) @ T(v'(t)))", lambda g: g.nc((k, 1, None, None))
    )


def tangents(g: Goal, whole: str, now: str) -> tuple[str, str]:
    """Adds u^T u' = 0 and v^T v' = 0 at t."""

    def side(which: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("r")
            h = g.assume()
            g.close_by(g.split(g.apply(whole, "r", by=[using(h)]))[which])

        return script

    first = g.lemma("eftekhari2022.eq-131", "part:tangent", "y", "u", by=[side(2)])
    second = g.lemma("eftekhari2022.eq-131", "part:tangent", "x", "v", by=[side(3)])
    return g.apply(first, "t", by=[using(now)]), g.apply(second, "t", by=[using(now)])


@holds(
    "eftekhari2022.eq-135",
    f"""{PRODUCT} {BASES_AT} T(U) @ E'(t) = s(t)*(T(U) @ u'(t) @ T(v(t))) and T(U) @ u'(t) = (1/s(t))*(T(U) @ E'(t) @ v(t)) and
       u'(t) = (1/s(t))*(U @ T(U) @ E'(t) @ v(t))""",
    argument="sound",
    context="the smooth thin singular value decomposition [(32)]",
    uses=["eftekhari2022.eq-131"],
)
def velocity_of_the_left_vector(g: Goal) -> None:
    """U^T u = 0, and u' has no component along u."""
    whole, now, uo, uc, *_ = g.intro(split=False)
    rate = product_derivative(g, whole, now)
    left, right = tangents(g, whole, now)
    _, _, uu, vv = g.split(g.apply(whole, "t", by=[using(now)]))
    cross = g.have("T(U) @ u(t) = O(y-1,1)", lambda g: orthogonal(g, uo, uc, uu, "U", "u(t)"))
    g.conj(
        lambda g: g.nc((rate, 1, "T(U)", None), rw=[cross]),
        lambda g: g.nc((rate, "-1/s(t)", "T(U)", "v(t)"), rw=[cross, vv, right]),
        lambda g: g.nc(
            (rate, "-1/s(t)", "U @ T(U)", "v(t)"), (uc, "-1", None, "u'(t)"), (left, 1, "u(t)", None), rw=[cross, vv, right]
        ),
    )


def orthogonal(g: Goal, own: str, complement: str, unit: str, basis: str, vector: str) -> None:
    """U^T u = U^T (U U^T + u u^T) u = U^T u + U^T u."""
    b = f"T({basis})"
    g.nc((complement, 1, b, vector), (own, -1, None, f"{b} @ {vector}"), (unit, -1, f"{b} @ {vector}", None))


@holds(
    "eftekhari2022.eq-138",
    f"""{PRODUCT} {BASES_AT} E'(t) @ V = s(t)*(u(t) @ T(v'(t)) @ V) and T(V) @ v'(t) = (1/s(t))*(T(V) @ T(E'(t)) @ u(t)) and
       v'(t) = (1/s(t))*(V @ T(V) @ T(E'(t)) @ u(t))""",
    argument="sound",
    context="the smooth thin singular value decomposition [(32)]",
    uses=["eftekhari2022.eq-131"],
)
def velocity_of_the_right_vector(g: Goal) -> None:
    """V^T v = 0, and v' has no component along v."""
    whole, now, _, _, vo, vc = g.intro(split=False)
    rate = product_derivative(g, whole, now)
    left, right = tangents(g, whole, now)
    _, _, uu, vv = g.split(g.apply(whole, "t", by=[using(now)]))
    cross = g.have("T(V) @ v(t) = O(x-1,1)", lambda g: orthogonal(g, vo, vc, vv, "V", "v(t)"))
    turned = g.have(
        "T(E'(t)) = s(t)*(v(t) @ T(u'(t))) + s'(t)*(v(t) @ T(u(t))) + s(t)*(v'(t) @ T(u(t)))", lambda g: (g.rewrite(rate), g.nc())
    )
    g.conj(
        lambda g: g.nc((rate, 1, None, "V"), rw=[cross]),
        lambda g: g.nc((turned, "-1/s(t)", "T(V)", "u(t)"), rw=[cross, uu, left]),
        lambda g: g.nc(
            (turned, "-1/s(t)", "V @ T(V)", "u(t)"), (vc, "-1", None, "v'(t)"), (right, 1, "v(t)", None), rw=[cross, uu, left]
        ),
    )


BASES_NOW = BASES_AT.replace("u(t)", "u").replace("v(t)", "v")
ZV = "tr(T(u) @ Z @ v)"
OPERATOR = "sum(j, 1, N, S(t)^(N-j) @ {0} @ H(t)^(j-1))"


@holds(
    "eftekhari2022.eq-139",
    f"""all {INDUCED_VARIABLES}, {TARGET_VARIABLES}. {INDUCED} {TARGET} all t s:R, u:V(y), v:V(x). {THIN} {BASES_NOW}
       E'(t) = -{OPERATOR.format("(E(t) @ X @ T(X) - Y @ T(X))")} and
       -{OPERATOR.format("(E(t) @ X @ T(X) - Y @ T(X))")} = -(m*{OPERATOR.format("(E(t) - Z)")}) and
       -(m*{OPERATOR.format("(E(t) - Z)")}) = -(m*N*s^(1 - 2/N)*(s - {ZV}))*E(t) + (m*s^{POWER})*((u @ T(u)) @ Z @ (V @ T(V)))
         + (m*s^{POWER})*((U @ T(U)) @ Z @ (v @ T(v)))""",
    argument="sound",
    reading=ROOTS_READING,
    context=(
        "N >= 2, whitened data and the spectral gap [Assumption 14]; rank(W_t) = 1 as the decomposition s u v^T at the "
        "time t [Lemma 18]"
    ),
    uses=["eftekhari2022.eq-139"],
)
def velocity_of_the_flow(g: Goal) -> None:
    """The operator at s u v^T; u u^T Z v v^T = (u^T Z v) u v^T."""
    names = g.intro(split=False)
    flow = names[:13]
    now, positive, whole, left, right = names[13:18]
    _, uc, _, vc = names[18:22]
    rate = g.apply(flow[2], "t", by=[using(now)])
    velocity = g.lemma("eftekhari2022.eq-139", "part:velocity", *FLOW_TERMS, by=[using(h) for h in flow])
    velocity = g.apply(velocity, "t", "s", "u", "v", by=[using(h) for h in (now, positive, whole, left, right)])
    white, _, target = flow[3:6]
    g.have("0 < m")
    gradient = g.have(
        "E(t) @ X @ T(X) - Y @ T(X) = m*(E(t) - Z)", lambda g: g.nc((white, 1, "E(t)", None), (target, "m", None, None))
    )
    linear = g.fact(
        "matrix_sum_linear", "y", "x", 1, "N", "m", 0, "lam j:Z. S(t)^(N-j) @ (E(t) - Z) @ H(t)^(j-1)", "lam j:Z. O(y,x)"
    )

    def scaled(g: Goal) -> None:
        g.rewrite(gradient)
        inner = "S(t)^(N-j) @ (E(t) - Z) @ H(t)^(j-1)"
        ext = g.by_fact(
            "matrix_sum_ext", "y", "x", 1, "N", "lam j:Z. S(t)^(N-j) @ (m*(E(t) - Z)) @ H(t)^(j-1)", f"lam j:Z. m*({inner}) + 0*O(y,x)",
            by=[lambda g: (g.intro(), g.nc())],
        )  # fmt: skip
        g.nc((ext, -1, None, None), (linear, -1, None, None))

    second = g.have(f"-{OPERATOR.format('(E(t) @ X @ T(X) - Y @ T(X))')} = -(m*{OPERATOR.format('(E(t) - Z)')})", scaled)
    one = scalar_matrix(g, "(T(u) @ Z @ v)")

    def closed(g: Goal) -> None:
        g.rewrite(second, back=True)
        g.rewrite(rate, back=True)
        g.nc(
            (velocity, 1, None, None), (vc, f"-(m*s^{POWER})", "u @ T(u) @ Z", None), (uc, f"-(m*s^{POWER})", None, "Z @ v @ T(v)"),
            (one, f"m*s^{POWER}*N", "u", "T(v)"), rw=[whole, left, right],
        )  # fmt: skip

    g.conj(using(rate), using(second), closed)


@holds(
    "eftekhari2022.eq-140",
    f"""{SMOOTH} all t:R. 0 <= t => {BASES_AT} u'(t) = (m*{K})*(U @ T(U) @ Z @ v(t)) and v'(t) = (m*{K})*(V @ T(V) @ T(Z) @ u(t))""",
    argument="sound",
    reading=ROOTS_READING,
    context=CONTEXT,
    uses=["eftekhari2022.eq-135", "eftekhari2022.eq-138", RATE],
)
def velocities_of_the_singular_vectors(g: Goal) -> None:
    """Put the velocity of W into (135) and (138)."""
    names = g.intro(split=False)
    flow, whole, now = names[:13], names[13], names[14]
    bases = names[15:19]
    positive, product, uu, vv = g.split(g.apply(whole, "t", by=[using(now)]))
    velocity = g.lemma("eftekhari2022.eq-139", "part:velocity", *FLOW_TERMS, by=[using(h) for h in flow])
    velocity = g.apply(velocity, "t", "s(t)", "u(t)", "v(t)", by=[using(h) for h in (now, positive, product, uu, vv)])
    crossed = g.have("T(U) @ u(t) = O(y-1,1)", lambda g: orthogonal(g, bases[0], bases[1], uu, "U", "u(t)"))
    cross = g.have("T(V) @ v(t) = O(x-1,1)", lambda g: orthogonal(g, bases[2], bases[3], vv, "V", "v(t)"))
    paths = ("x", "y", "E", "u", "v", "s")

    def rate(claim: str) -> str:
        h = g.lemma(claim, "statement", *paths, by=[using(whole)])
        return g.split(g.apply(g.apply(h, "t", by=[using(now)]), "U", "V", by=[using(k) for k in bases]))[2]

    left, right = rate("eftekhari2022.eq-135"), rate("eftekhari2022.eq-138")
    turned = g.have("T(E'(t)) = T(" + VELOCITY_AT + ")", lambda g: (g.rewrite(velocity), g.refl()))
    g.conj(
        lambda g: g.nc((left, 1, None, None), (velocity, "1/s(t)", "U @ T(U)", "v(t)"), rw=[product, uu, vv, crossed]),
        lambda g: g.nc((right, 1, None, None), (turned, "1/s(t)", "V @ T(V)", "u(t)"), rw=[product, uu, vv, cross]),
    )


VELOCITY_AT = (
    f"-((m*s(t)^{POWER})*(u(t) @ T(u(t)) @ (E(t) - Z) + (E(t) - Z) @ v(t) @ T(v(t)) "
    "+ (N-2)*(u(t) @ T(u(t)) @ (E(t) - Z) @ v(t) @ T(v(t)))))"
)


@holds(
    "eftekhari2022.eq-128-ode",
    f"""{SMOOTH} all t:R. 0 <= t => s'(t) = -(m*N*s(t)^{POWER}*tr(T(u(t)) @ (E(t) - Z) @ v(t))) and
       -(m*N*s(t)^{POWER}*tr(T(u(t)) @ (E(t) - Z) @ v(t))) = -(m*N*s(t)^{POWER}*(s(t) - tr(T(u(t)) @ Z @ v(t))))""",
    argument="sound",
    reading=ROOTS_READING,
    context=CONTEXT,
    uses=["eftekhari2022.eq-131", RATE],
)
def velocity_of_the_singular_value(g: Goal) -> None:
    """s' = u^T W' v, as u^T u' = 0 and v^T v' = 0."""
    names = g.intro(split=False)
    flow, whole, now = names[:13], names[13], names[14]
    positive, product, uu, vv = g.split(g.apply(whole, "t", by=[using(now)]))
    velocity = g.lemma("eftekhari2022.eq-139", "part:velocity", *FLOW_TERMS, by=[using(h) for h in flow])
    velocity = g.apply(velocity, "t", "s(t)", "u(t)", "v(t)", by=[using(h) for h in (now, positive, product, uu, vv)])
    rate = product_derivative(g, whole, now)
    left, right = tangents(g, whole, now)
    one = g.have("T(u(t)) @ E'(t) @ v(t) = s'(t)*I(1)", lambda g: g.nc((rate, 1, "T(u(t))", "v(t)"), rw=[uu, vv, left, right]))
    form = "T(u(t)) @ (E(t) - Z) @ v(t)"
    two = g.have(
        f"T(u(t)) @ E'(t) @ v(t) = -(m*N*s(t)^{POWER})*({form})", lambda g: g.nc((velocity, 1, "T(u(t))", "v(t)"), rw=[uu, vv])
    )
    first = g.have("tr(T(u(t)) @ E'(t) @ v(t)) = s'(t)", lambda g: (g.rewrite(one), g.field()))
    second = g.have(f"tr(T(u(t)) @ E'(t) @ v(t)) = -(m*N*s(t)^{POWER})*tr({form})", lambda g: (g.rewrite(two), g.field()))
    third = g.have("T(u(t)) @ E(t) @ v(t) = s(t)*I(1)", lambda g: g.nc(rw=[product, uu, vv]))
    value = g.have("tr(T(u(t)) @ E(t) @ v(t)) = s(t)", lambda g: (g.rewrite(third), g.field()))
    g.conj(
        lambda g: g.field((first, -1), (second, 1)),
        lambda g: g.field((value, f"-(m*N*s(t)^{POWER})")),
    )
