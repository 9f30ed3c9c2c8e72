"""Appendix I.2, (141) to (149): how the alignment with Z_1 changes, and the bounds of the residual R_t."""

from __future__ import annotations

import re

from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, ROOTS_READING
from proofs.eftekhari2022.rank_one_numbers import BASES, POINT, SECOND, TOP, A, B, Q
from proofs.eftekhari2022.singular_vectors import BASES_AT, CONTEXT, SMOOTH, K
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

PUC, PVC = "(U @ T(U))", "(V @ T(V))"
REST = "(Z - Z1)"
LEFT_REST, RIGHT_REST = f"tr(T(uZ) @ {PUC} @ {REST} @ v)", f"tr(T(vZ) @ {PVC} @ T({REST}) @ u)"
POINT_CONTEXT = "the spectral gap [Assumption 14]; u, v, s are the values at a fixed time [notation]"
STEPS_CONTEXT = f"N >= 2 and m >= 1 samples [Assumption 14]; {POINT_CONTEXT}"

PROJECTIONS = f"""{size(f"{PUC} @ uZ")} = 1 - {A}^2 and {size(f"{PVC} @ vZ")} = 1 - {B}^2 and
       tr(T(uZ) @ {PUC} @ Z @ v) = {TOP}*{B}*(1 - {A}^2) - {A}*{Q} and tr(T(vZ) @ {PVC} @ T(Z) @ u) = {TOP}*{A}*(1 - {B}^2) - {B}*{Q} and
       {LEFT_REST} = -({A}*{Q}) and {RIGHT_REST} = -({B}*{Q})"""


@part(
    "eftekhari2022.eq-141",
    "projections",
    f"{POINT} {BASES} {PROJECTIONS}",
    says="projections of the leading singular vectors of Z to the complements of u and v",
    uses=["eftekhari2022.eq-169-identity"],
)
def projections_in_numbers(g: Goal) -> None:
    """P_U = I - u u^T; u_Z^T (Z - Z_1) = 0 and (Z - Z_1) v_Z = 0."""
    names = g.intro(split=False)
    left, right, image, back, best = names[2:7]
    uu, vv = names[8:10]
    uo, uc, vo, vc = names[10:14]
    au, bv = scalar_matrix(g, "(T(uZ) @ u)"), scalar_matrix(g, "(T(vZ) @ v)")
    form = scalar_matrix(g, f"(T(u) @ {REST} @ v)")
    both = g.have(
        f"T(u) @ Z @ v = ({TOP}*({A}*{B}) + {Q})*I(1)", lambda g: g.nc((form, 1, None, None), (best, 1, "T(u)", "v"), rw=[au, bv])
    )
    rules = [left, right, image, back, best, uu, vv, au, bv, both]

    def value(word: str, number: str, projected: str, before: str, after: str | None) -> str:
        """Adds the trace of a 1 x 1 product with one projection."""
        h = g.have(f"{word} = ({number})*I(1)", lambda g: g.nc((projected, 1, before, after), rw=rules))
        return g.have(f"tr({word}) = {number}", lambda g: (g.rewrite(h), g.field()))

    first = value(f"T(uZ) @ {PUC} @ uZ", f"1 - {A}^2", uc, "T(uZ)", "uZ")
    second = value(f"T(vZ) @ {PVC} @ vZ", f"1 - {B}^2", vc, "T(vZ)", "vZ")
    third = value(f"T(uZ) @ {PUC} @ Z @ v", f"{TOP}*{B}*(1 - {A}^2) - {A}*{Q}", uc, "T(uZ)", "Z @ v")
    fourth = value(f"T(vZ) @ {PVC} @ T(Z) @ u", f"{TOP}*{A}*(1 - {B}^2) - {B}*{Q}", vc, "T(vZ)", "T(Z) @ u")
    fifth = value(f"T(uZ) @ {PUC} @ {REST} @ v", f"-({A}*{Q})", uc, "T(uZ)", f"{REST} @ v")
    sixth = value(f"T(vZ) @ {PVC} @ T({REST}) @ u", f"-({B}*{Q})", vc, "T(vZ)", f"T({REST}) @ u")

    def square(own: str, basis: str, vector: str, h: str) -> Script:
        def script(g: Goal) -> None:
            m = f"T(({basis} @ T({basis})) @ {vector}) @ (({basis} @ T({basis})) @ {vector})"
            eq = g.have(
                f"{m} = T({vector}) @ ({basis} @ T({basis})) @ {vector}",
                lambda g: g.nc((own, 1, f"T({vector}) @ {basis}", f"T({basis}) @ {vector}")),
            )
            g.rewrite(eq)
            g.field((h, 1))

        return script

    g.conj(square(uo, "U", "uZ", first), square(vo, "V", "vZ", second), using(third), using(fourth), using(fifth), using(sixth))


def at_t(text: str) -> str:
    """A formula text with u, v, s at the time t."""
    return re.sub(r"\b([uvs])\b(?!\()", r"\1(t)", text)


def point(flow: list[str], positive: str, uu: str, vv: str) -> list[str]:
    """The hypotheses of POINT at the time t, from those of the induced flow."""
    return [*flow[6:13], positive, uu, vv]


def projections_at(g: Goal, names: list[str], bases: list[str]) -> list[str]:
    """Adds the conjuncts of PROJECTIONS at the time t."""
    h = g.lemma(
        "eftekhari2022.eq-141", "part:projections", *("x", "y", "Z", "Z1", "uZ", "u(t)", "vZ", "v(t)", "s(t)"),
        by=[using(k) for k in names],
    )  # fmt: skip
    return g.split_all(g.apply(h, "U", "V", by=[using(k) for k in bases]))


def vector_rates(g: Goal, flow: list[str], whole: str, now: str, bases: list[str]) -> list[str]:
    """Adds the velocities (140) of the singular vectors."""
    h = g.lemma("eftekhari2022.eq-140", "statement", *FLOW_TERMS, "u", "v", "s", by=[using(k) for k in (*flow, whole)])
    return g.split(g.apply(g.apply(h, "t", by=[using(now)]), "U", "V", by=[using(k) for k in bases]))


def smooth_start(g: Goal) -> tuple[list[str], str, str, list[str], list[str]]:
    """Introduces SMOOTH and BASES_AT: the flow, the decomposition, the time, the bases, the hypotheses of POINT."""
    names = g.intro(split=False)
    flow, whole, now, bases = names[:13], names[13], names[14], names[15:19]
    positive, _, uu, vv = g.split(g.apply(whole, "t", by=[using(now)]))
    return flow, whole, now, bases, point(flow, positive, uu, vv)


UZ, VZ = f"({TOP}*(uZ @ T(vZ)) + {REST})", f"({TOP}*(vZ @ T(uZ)) + T({REST}))"
USES = ["eftekhari2022.eq-140", "eftekhari2022.eq-141"]


@holds(
    "eftekhari2022.eq-141",
    f"""{SMOOTH} all t:R. 0 <= t => {BASES_AT}
       tr(T(uZ) @ u'(t)) = m*{K}*tr(T(uZ) @ {PUC} @ Z @ v(t)) and
       m*{K}*tr(T(uZ) @ {PUC} @ Z @ v(t)) = m*{K}*tr(T(uZ) @ {PUC} @ {UZ} @ v(t)) and
       m*{K}*tr(T(uZ) @ {PUC} @ {UZ} @ v(t)) = m*{K}*{TOP}*{size(f"{PUC} @ uZ")}*tr(T(vZ) @ v(t)) + m*{K}*{at_t(LEFT_REST)}""",
    argument="sound",
    reading=ROOTS_READING,
    context=CONTEXT,
    uses=USES,
)
def rate_of_the_left_cosine(g: Goal) -> None:
    """Put (140) in; P_U is a projection."""
    flow, whole, now, bases, at = smooth_start(g)
    left, _ = vector_rates(g, flow, whole, now, bases)
    norm, _, full, _, rest, _ = projections_at(g, at, bases)
    best = flow[12]
    same = g.have(f"{UZ} = Z", lambda g: g.nc((best, -1, None, None)))
    first = g.have(
        f"tr(T(uZ) @ u'(t)) = m*{K}*tr(T(uZ) @ {PUC} @ Z @ v(t))",
        lambda g: (g.rewrite(left), g.field()),
    )
    b = at_t(B)
    g.conj(
        using(first),
        lambda g: (g.rewrite(same), g.refl()),
        lambda g: (g.rewrite(same), g.field((full, f"m*{K}"), (norm, f"-m*{K}*{TOP}*{b}"), (rest, f"-m*{K}"))),
    )


RESIDUAL = f"({TOP}*m*s^(1 - 2/N)*({LEFT_REST}*{B} + {RIGHT_REST}*{A}))"
"""R_t."""
FORM_PATH = "tr(T(u(r)) @ Z1 @ v(r))"


def form_rate(g: Goal, best: str) -> tuple[str, str]:
    """Adds d(u^T Z_1 v)/dt = s_Z ((u_Z^T u') b + a (v_Z^T v')), and the same without s_Z for u^T u_Z v_Z^T v."""
    a, b = at_t(A), at_t(B)
    au, bv = scalar_matrix(g, "(T(uZ) @ u(t))"), scalar_matrix(g, "(T(vZ) @ v(t))")
    inner = "tr(T(u(r)) @ (uZ @ T(vZ)) @ v(r))"
    plain = g.differentiate("r", inner, "t")
    cross = [
        trace_by(g, "T(u'(t)) @ uZ @ T(vZ) @ v(t)", f"{b}*(T(u'(t)) @ uZ)", f"{b}*tr(T(u'(t)) @ uZ)", bv),
        trace_by(g, "T(u(t)) @ uZ @ T(vZ) @ v'(t)", f"{a}*(T(vZ) @ v'(t))", f"{a}*tr(T(vZ) @ v'(t))", au),
    ]
    sum_ = f"(tr(T(uZ) @ u'(t))*{b} + {a}*tr(T(vZ) @ v'(t)))"
    one = g.have(f"D(r, {inner}, t) = {sum_}", lambda g: g.field((plain, 1), (cross[0], 1), (cross[1], 1)))
    slope = g.differentiate("r", FORM_PATH, "t")
    turned = g.have(
        f"tr(T(u'(t)) @ Z1 @ v(t) + T(u(t)) @ Z1 @ v'(t)) = {TOP}*{sum_}",
        lambda g: (g.rewrite(best), g.field((cross[0], TOP), (cross[1], TOP))),
    )
    two = g.have(f"D(r, {FORM_PATH}, t) = {TOP}*{sum_}", lambda g: g.field((slope, 1), (turned, 1)))
    return two, one


def trace_by(g: Goal, word: str, reduced: str, number: str, rule: str) -> str:
    """Adds tr(word) = number where the rule reduces the word."""
    h = g.have(f"{word} = {reduced}", lambda g: g.nc(rw=[rule]))
    return g.have(f"tr({word}) = {number}", lambda g: (g.rewrite(h), g.field()))


MAIN = f"(m*{TOP}^2*{K}*((1 - {at_t(A)}^2)*{at_t(B)}^2 + {at_t(A)}^2*(1 - {at_t(B)}^2)))"
NORMS = (
    f"""(m*{TOP}^2*{K}*{size(f"{PUC} @ uZ")}*{at_t(B)}^2 + m*{TOP}^2*{K}*{size(f"{PVC} @ vZ")}*{at_t(A)}^2 + {at_t(RESIDUAL)})"""
)


@holds(
    "eftekhari2022.eq-145",
    f"""{SMOOTH} all t:R. 0 <= t => {BASES_AT}
       D(r, {FORM_PATH}, t) = {TOP}*D(r, tr(T(u(r)) @ (uZ @ T(vZ)) @ v(r)), t) and
       {TOP}*D(r, tr(T(u(r)) @ (uZ @ T(vZ)) @ v(r)), t) = {TOP}*tr(T(uZ) @ u'(t))*{at_t(B)} + {TOP}*{at_t(A)}*tr(T(vZ) @ v'(t)) and
       {TOP}*tr(T(uZ) @ u'(t))*{at_t(B)} + {TOP}*{at_t(A)}*tr(T(vZ) @ v'(t)) = {NORMS}""",
    argument="sound",
    reading=f"R_t is the sum of the two residual terms of (141) and (143), times s_Z; {ROOTS_READING}",
    context=CONTEXT,
    uses=USES,
)
def rate_of_the_alignment(g: Goal) -> None:
    """The product rule, with (141) and (143)."""
    flow, whole, now, bases, at = smooth_start(g)
    rates = vector_rates(g, flow, whole, now, bases)
    pieces = projections_at(g, at, bases)
    two, one = form_rate(g, flow[12])
    g.conj(
        lambda g: g.field((two, 1), (one, f"-{TOP}")),
        lambda g: g.field((one, TOP)),
        lambda g: cosines(g, rates, pieces),
    )


def cosines(g: Goal, rates: list[str], pieces: list[str]) -> None:
    """s_Z (u_Z^T u') b + s_Z a (v_Z^T v') with (140) put in."""
    left, right = rates
    one = g.have(f"tr(T(uZ) @ u'(t)) = m*{K}*tr(T(uZ) @ {PUC} @ Z @ v(t))", lambda g: (g.rewrite(left), g.field()))
    two = g.have(f"tr(T(vZ) @ v'(t)) = m*{K}*tr(T(vZ) @ {PVC} @ T(Z) @ u(t))", lambda g: (g.rewrite(right), g.field()))
    for h in (one, two, *pieces):
        g.rewrite(h)
    g.field()


@holds(
    "eftekhari2022.eq-148",
    f"{SMOOTH} all t:R. 0 <= t => {BASES_AT} D(r, {FORM_PATH}, t) = {MAIN} + {at_t(RESIDUAL)}",
    argument="sound",
    reading=f"R_t is the sum of the two residual terms of (141) and (143), times s_Z; {ROOTS_READING}",
    context=CONTEXT,
    uses=USES,
)
def rate_of_the_alignment_in_cosines(g: Goal) -> None:
    """|P_U u_Z|^2 = 1 - a^2 and |P_V v_Z|^2 = 1 - b^2."""
    flow, whole, now, bases, at = smooth_start(g)
    rates = vector_rates(g, flow, whole, now, bases)
    pieces = projections_at(g, at, bases)
    two, _ = form_rate(g, flow[12])
    g.rewrite(two)
    cosines(g, rates, pieces[2:])


STEPS = "all m N:Z. 1 <= m => 2 <= N =>"
SCALE = f"(m*{TOP}*{SECOND}*s^(1 - 2/N))"
PVZ, PUZ = "((I(x) - vZ @ T(vZ)) @ v)", "((I(y) - uZ @ T(uZ)) @ u)"


@part(
    "eftekhari2022.eq-142",
    "root-bound",
    "all z a b:R. 0 <= a => 0 <= b => z^2 <= a*b => abs(z) <= sqrt(a)*sqrt(b)",
    says="a bound of a square as a bound of the absolute value",
)
def root_of_a_bound(g: Goal) -> None:
    """The root increases and is multiplicative."""
    _, _, square = g.intro()
    first, second = g.by_fact("sqrt_sq", "a"), g.by_fact("sqrt_sq", "b")
    g.by_fact("sqrt_nonneg", "a")
    g.by_fact("sqrt_nonneg", "b")
    top = "sqrt(a)*sqrt(b)"
    wide = g.have(f"0 <= {top}")
    both = g.fact("abs_le", "z", top)
    _, back = g.split(both)

    def bounded(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{k}", f"@{k}"], ["2", f"@{k}", f"@{wide}"], [f"@{square}"], eqs=[(first, "sqrt(b)^2"), (second, "a")])

    low, high = g.have(f"-({top}) <= z", bounded), g.have(f"z <= {top}", bounded)
    g.close_by(g.apply(back, by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"]), using(high))]))


@part(
    "eftekhari2022.eq-142",
    "stretched",
    f"""all x y:Z, c e:R, R:M(y,x), p:V(y), v:V(x). 0 <= c => 0 <= e => {size("R @ v")} <= c^2*e =>
       abs(tr(T(p) @ R @ v)) <= sqrt({size("p")})*sqrt({size("R @ v")}) and
       sqrt({size("p")})*sqrt({size("R @ v")}) <= sqrt({size("p")})*(c*sqrt(e))""",
    says="Cauchy-Schwarz and a bound of the stretching",
    uses=["eftekhari2022.eq-142"],
)
def bilinear_form_by_norms(g: Goal) -> None:
    """|p^T R v| <= |p| |R v| <= |p| c sqrt(e)."""
    _, _, stretch = g.intro()
    cauchy = g.fact("frobenius_cauchy", "y", 1, "p", "R @ v")
    g.have(f"0 <= {size('p')}")
    g.have(f"0 <= {size('R @ v')}")
    first = g.lemma(
        "eftekhari2022.eq-142",
        "part:root-bound",
        "tr(T(p) @ R @ v)",
        size("p"),
        size("R @ v"),
        by=[None, None, lambda g: g.pos([f"@{cauchy}"])],
    )
    g.by_fact("sqrt_nonneg", size("p"))
    g.by_fact("sqrt_nonneg", "e")
    square = g.by_fact("sqrt_sq", "e")
    grown = g.by_fact("sqrt_mono", size("R @ v"), "c^2*e", by=[None, using(stretch)])
    value = g.by_fact("sqrt_unique", "c^2*e", "c*sqrt(e)", by=[None, lambda g: g.field((square, "c^2"))])
    g.conj(using(first), lambda g: g.pos([f"sqrt({size('p')})", f"@{grown}"], eqs=[(value, f"-sqrt({size('p')})")]))


def stretched_rest(g: Goal, names: list[str], left: bool) -> tuple[str, str]:
    """Adds |(Z - Z_1) v|^2 <= s_2^2 |P_{V_Z} v|^2 (or the same for the transposes) and 0 <= s_2."""
    lead = names[2:7]
    uu, vv, image, back, best = lead
    order = g.fact("sv_range", "y", "x", "Z")
    nonneg, _ = g.split(g.apply(order, 2, 2))
    if left:
        deflated = g.lemma("eftekhari2022.eq-171", "part:deflation", "x", "y", "Z", "uZ", "vZ", by=[using(h) for h in lead[:4]])
        rest, w, unit, rows = REST, PVZ, vv, "vZ"
        moved = g.have(f"Z @ {w} = {rest} @ v", lambda g: g.nc((image, -1, None, "T(vZ) @ v"), (best, 1, None, "v")))
    else:
        first, second = g.fact("sv_transpose", "y", "x", 1, "Z"), g.fact("sv_transpose", "y", "x", 2, "Z")
        deflated = g.lemma(
            "eftekhari2022.eq-171", "part:deflation", "y", "x", "T(Z)", "vZ", "uZ",
            by=[using(vv), using(uu), lambda g: (g.rewrite(first), g.close_by(back)),
                lambda g: (g.rewrite(first), g.nc((image, 1, None, None)))],
        )  # fmt: skip
        rest, w, unit, rows = f"T({REST})", PUZ, uu, "uZ"
        turned = g.have("T(Z1) = sv(Z,1)*(vZ @ T(uZ))", lambda g: (g.rewrite(best), g.nc()))
        moved = g.have(f"T(Z) @ {w} = {rest} @ u", lambda g: g.nc((back, -1, None, "T(uZ) @ u"), (turned, 1, None, "u")))
    cross = g.have(f"T({rows}) @ {w} = O(1,1)", lambda g: g.nc(rw=[unit]))
    zero = g.have(f"tr(T({rows}) @ {w}) = 0", lambda g: (g.rewrite(cross), g.field()))
    stretch = g.apply(deflated, w, by=[using(zero)])
    stretch = g.rewritten(stretch, moved)
    if not left:
        stretch = g.rewritten(stretch, second)
    return stretch, nonneg


@holds(
    "eftekhari2022.eq-142",
    f"""{POINT} {BASES} abs({LEFT_REST}) <= sqrt({size(f"{PUC} @ uZ")})*sqrt({size(f"{REST} @ v")}) and
       sqrt({size(f"{PUC} @ uZ")})*sqrt({size(f"{REST} @ v")}) <= sqrt({size(f"{PUC} @ uZ")})*({SECOND}*sqrt({size(PVZ)}))""",
    argument="sound",
    context=POINT_CONTEXT,
    uses=["eftekhari2022.eq-142", "eftekhari2022.eq-171"],
)
def bound_of_the_left_residual_term(g: Goal) -> None:
    """Cauchy-Schwarz, and (Z - Z_1) v = Z P_{V_Z} v."""
    names = g.intro(split=False)
    residual_term(g, names, True)


@holds(
    "eftekhari2022.eq-144",
    f"""{POINT} {BASES} abs({RIGHT_REST}) <= sqrt({size(f"{PVC} @ vZ")})*sqrt({size(f"T({REST}) @ u")}) and
       sqrt({size(f"{PVC} @ vZ")})*sqrt({size(f"T({REST}) @ u")}) <= sqrt({size(f"{PVC} @ vZ")})*({SECOND}*sqrt({size(PUZ)}))""",
    argument="sound",
    context=POINT_CONTEXT,
    uses=["eftekhari2022.eq-142", "eftekhari2022.eq-171"],
)
def bound_of_the_right_residual_term(g: Goal) -> None:
    """The same for the transposes."""
    names = g.intro(split=False)
    residual_term(g, names, False)


def residual_term(g: Goal, names: list[str], left: bool) -> None:
    """Closes (142) or (144)."""
    stretch, nonneg = stretched_rest(g, names, left)
    x, y = ("x", "y") if left else ("y", "x")
    rest, w, vector, p = (REST, PVZ, "v", f"{PUC} @ uZ") if left else (f"T({REST})", PUZ, "u", f"{PVC} @ vZ")
    term = LEFT_REST if left else RIGHT_REST
    h = g.lemma(
        "eftekhari2022.eq-142", "part:stretched", x, y, SECOND, size(w), rest, p, vector, by=[using(nonneg), None, using(stretch)]
    )
    first, second = g.split(h)
    turned = g.have(f"tr(T({p}) @ {rest} @ {vector}) = {term}", lambda g: g.field())
    first = g.rewritten(first, turned)
    g.conj(using(first), using(second))
