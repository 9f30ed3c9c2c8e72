"""Appendix I.2, (152) to (157): what of the strict inequalities is true, and the conclusion of Lemma 23."""

from __future__ import annotations

from proofs.eftekhari2022.alignment_rate import FORM_PATH, RESIDUAL, STEPS_CONTEXT
from proofs.eftekhari2022.deflation import unit_trace
from proofs.eftekhari2022.loss_along_the_flow import scalars
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, POWER, ROOTS_READING
from proofs.eftekhari2022.rank_one_numbers import GAMMA, SECOND, TOP, A, B, product_bounds
from proofs.eftekhari2022.residual_bounds import KAPPA, READING, SETTING, alignment_cap, bounded, start
from proofs.eftekhari2022.singular_vectors import CONTEXT, SMOOTH
from proofs.eftekhari2022.theorem_twenty import closed, nested
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import ProofError, Script
from verify.kernel.terms import sort_of
from verify.registry import amendment, holds, refuted

FAR = f"{GAMMA} < {A}*{B} =>"
CAP = f"2*(m*{TOP}*{SECOND}*{KAPPA})*(1 - {A}*{B})"
MAIN = f"m*{TOP}^2*{KAPPA}"


ONE = "[[1]]"


def one_dimension(g: Goal) -> tuple[str, str]:
    """Adds that the matrix [[1]] has the singular values 1 and, beyond the dimension, 0."""
    first = g.lemma(
        "eftekhari2022.eq-32", "part:thin-singular-value", 1, 1, 1, ONE, ONE, ONE, by=[None, closed, closed, closed]
    )  # fmt: skip
    beyond, _ = g.split(g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", 1, 1, ONE))
    _, _, small = g.split(g.by_fact("rank_bounds", 1, 1, ONE))
    second = g.apply(beyond, 2, by=[None, lambda g: g.pos(["1"], [f"@{small}"])])
    return first, second


def numeric(values: tuple[str, str]) -> Script:
    """Close a relation of numbers, or a closed equation of 1 x 1 matrices, with the singular values put in."""

    def script(g: Goal) -> None:
        for h in values:
            try:
                g.rewrite(h)
            except ProofError:
                continue
        if g.concl[0] == "=" and not isinstance(sort_of(g.concl[1], g.seq.ctx), str):
            closed(g)
        else:
            g.auto()

    return script


def at_the_target(g: Goal, values: tuple[str, str], last: Script) -> None:
    """The point W = Z = Z_1 = 1 of one dimension, with depth two and one sample, as a witness of a negated SETTING."""
    g.witness("1", "2")

    def inner(g: Goal) -> None:
        g.witness("1", "1", ONE, ONE, ONE, ONE, ONE, ONE, "1")
        nested(g, *[numeric(values) for _ in range(10)], bases)

    def bases(g: Goal) -> None:
        g.witness("O(1,0)", "O(1,0)")
        nested(g, *[lambda g: g.ext(lambda g: g.field()) for _ in range(4)], last)

    nested(g, None, None, inner)


@refuted(
    "eftekhari2022.eq-152",
    f"""{SETTING} {FAR} abs({RESIDUAL}) <= {CAP} and {CAP} < 2*{MAIN}*{A}*{B}*(1 - {A}*{B})""",
    reason="the second relation is no strict one where a b = 1, that is where W is a positive multiple of Z_1: both sides are 0",
    reading=READING,
    context=STEPS_CONTEXT,
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-11"],
)
def residual_bound_is_not_strict(g: Goal) -> None:
    """One dimension, Z = 1, W = 1."""
    values = one_dimension(g)

    def last(g: Goal) -> None:
        cosine = g.have(f"tr(T({ONE}) @ {ONE}) = 1", lambda g: g.field())

        def far(g: Goal) -> None:
            for h in (*values, cosine):
                g.rewrite(h)
            g.auto()

        def end(g: Goal) -> None:
            g.left_or_right(1)
            for h in (cosine, *values):
                g.rewrite(h)
            g.have("0 <= 0")
            g.pos()

        g.conj(far, end)

    at_the_target(g, values, last)


TARGETED = f"2*{MAIN}*{A}*{B}*(1 - {A}*{B})"


def dominated(g: Goal) -> tuple[str, str, str, str, str]:
    """In the setting with a b > gamma_Z: adds |R_t| <= CAP, CAP <= 2 m s_Z^2 s^(1-2/N) a b (1 - a b), 0 < a b - gamma_Z,
    a b <= 1; returns these and the bound of the product."""
    names, a, b, _, low, high, first, second = start(g)
    far = names[16]
    cap = alignment_cap(g, low, high, first, second)
    residual = g.have(f"abs({RESIDUAL}) <= {CAP}", lambda g: bounded(g, names, cap))
    less, _ = product_bounds(g, a, b)
    gap = g.have(f"{SECOND} < {TOP}*({A}*{B})", lambda g: g.pos([TOP, f"@{far}"]))
    scale = f"m*{TOP}*{KAPPA}"
    main = g.have(f"{CAP} <= {TARGETED}", lambda g: g.pos(["2", scale, f"@{gap}", f"@{less}"]))
    return residual, main, gap, less, scale


@amendment(
    "eftekhari2022.eq-152",
    f"""{SETTING} {FAR} abs({RESIDUAL}) <= {CAP} and {CAP} <= {TARGETED} and ({A}*{B} < 1 => {CAP} < {TARGETED})""",
    says="with <= in the second relation, which is strict where a b < 1",
    uses=["eftekhari2022.eq-141", "eftekhari2022.eq-169-identity"],
)
def residual_bound_where_aligned(g: Goal) -> None:
    """s_2 < s_Z a b."""
    residual, main, gap, _, scale = dominated(g)

    def strict(g: Goal) -> None:
        k = g.assume()
        g.pos(["2", scale, f"@{gap}", f"@{k}"])

    g.conj(using(residual), using(main), strict)


CHAIN = [
    f"2*{MAIN}*({A}*{B} - {A}^2*{B}^2)",
    f"2*{MAIN}*(({A}^2 + {B}^2)/2 - {A}^2*{B}^2)",
    f"{MAIN}*({A}^2 + {B}^2 - 2*{A}^2*{B}^2)",
    f"{MAIN}*((1 - {A}^2)*{B}^2 + {A}^2*(1 - {B}^2))",
]


@refuted(
    "eftekhari2022.eq-154",
    f"{SETTING} {FAR} abs({RESIDUAL}) < {CHAIN[0]} and {CHAIN[0]} <= {CHAIN[1]} and {CHAIN[1]} = {CHAIN[2]} and {CHAIN[2]} = {CHAIN[3]}",
    reason="the first relation is no strict one where a b = 1, that is where W is a positive multiple of Z_1: both sides are 0",
    reading=READING,
    context=STEPS_CONTEXT,
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-11"],
)
def main_term_need_not_exceed_the_residual(g: Goal) -> None:
    """One dimension, Z = 1, W = 1."""
    values = one_dimension(g)

    def last(g: Goal) -> None:
        cosine = g.have(f"tr(T({ONE}) @ {ONE}) = 1", lambda g: g.field())

        def far(g: Goal) -> None:
            for h in (*values, cosine):
                g.rewrite(h)
            g.auto()

        def end(g: Goal) -> None:
            g.left_or_right(0)
            for h in (cosine, values[0]):
                g.rewrite(h)
            g.pos([g.concl[2]])

        g.conj(far, end)

    at_the_target(g, values, last)


@amendment(
    "eftekhari2022.eq-154",
    f"""{SETTING} {FAR} abs({RESIDUAL}) <= {CHAIN[0]} and ({A}*{B} < 1 => abs({RESIDUAL}) < {CHAIN[0]}) and
       {CHAIN[0]} <= {CHAIN[1]} and {CHAIN[1]} = {CHAIN[2]} and {CHAIN[2]} = {CHAIN[3]}""",
    says="with <= in the first relation, which is strict where a b < 1",
    uses=["eftekhari2022.eq-141", "eftekhari2022.eq-169-identity"],
)
def residual_is_dominated_by_the_main_term(g: Goal) -> None:
    """(152), and 2 a b <= a^2 + b^2."""
    residual, main, gap, _, scale = dominated(g)

    def strict(g: Goal) -> None:
        k = g.assume()
        g.pos([f"@{residual}"], ["2", scale, f"@{gap}", f"@{k}"])

    g.conj(
        lambda g: g.pos([f"@{residual}"], [f"@{main}"]),
        strict,
        lambda g: g.pos([MAIN, f"({A} - {B})^2"]),
        lambda g: g.field(),
        lambda g: g.field(),
    )


SMOOTH_FORM = "tr(T(u(t)) @ Z1 @ v(t))"


@refuted(
    "eftekhari2022.eq-155",
    f"{SMOOTH} all t:R. 0 <= t => {TOP}*{GAMMA} < {SMOOTH_FORM} => 0 < D(r, {FORM_PATH}, t)",
    reason="the derivative is 0 where W is a positive multiple of Z_1, for instance at rest in W = Z_1",
    reading=ROOTS_READING,
    context=CONTEXT,
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-11"],
)
def alignment_is_constant_at_the_target(g: Goal) -> None:
    """One dimension, Z = 1, at rest in W = 1."""
    values = one_dimension(g)
    still = f"lam t:R. {ONE}"
    g.witness("1", "1", "1", "2", ONE, ONE, still, still, still, ONE, ONE, ONE, ONE, still, still, "lam t:R. 1")

    def roots(g: Goal) -> None:
        g.intro()

        def nonneg(g: Goal) -> None:
            g.fix("w")
            q = g.have("0 <= tr(T(w) @ w)")
            same = g.have(f"T(w) @ {ONE} @ w = T(w) @ w", lambda g: g.ext(lambda g: g.field()))
            g.rewrite(same)
            g.close_by(q)

        semi = lambda g: g.conj(closed, nonneg)  # noqa: E731
        power = lambda g: g.replace(f"{ONE}^2", f"{ONE} @ {ONE}", lambda g: g.nc()) or closed(g)  # noqa: E731
        g.conj(semi, power, semi, power)

    def rest(g: Goal) -> None:
        g.intro()
        term = f"lam j:Z. {ONE}^(2-j) @ ({ONE} @ {ONE} @ T({ONE}) - {ONE} @ T({ONE})) @ {ONE}^(j-1)"
        inner = g.have(f"{ONE} @ {ONE} @ T({ONE}) - {ONE} @ T({ONE}) = O(1,1)", closed)

        def none(g: Goal) -> None:
            g.intro()
            g.rewrite(inner)
            g.nc()

        ext = g.by_fact("matrix_sum_ext", 1, 1, 1, 2, term, "lam j:Z. O(1,1)", by=[none])
        g.rewrite(ext)
        const = g.by_fact("matrix_sum_const", 1, 1, 1, 2, "O(1,1)")
        zero = g.have("sum(j, 1, 2, O(1,1)) = O(1,1)", lambda g: g.nc((const, 1, None, None)))
        g.rewrite(zero)
        g.ext(lambda g: g.field())

    def whole(g: Goal) -> None:
        g.intro()
        g.conj(None, closed, closed, closed)

    def at_rest(g: Goal) -> None:
        g.witness("0")

        def far(g: Goal) -> None:
            for h in values:
                g.rewrite(h)
            number = g.have(f"tr(T({ONE}) @ {ONE} @ {ONE}) = 1", lambda g: g.field())
            g.rewrite(number)
            g.auto()

        def flat(g: Goal) -> None:
            slope = g.differentiate("r", f"tr(T({ONE}) @ {ONE} @ {ONE})", "0")
            g.rewrite(slope)
            g.pos()

        nested(g, None, far, flat)

    nested(g, *[numeric(values), roots, rest, *[numeric(values)] * 10, whole, at_rest])


@amendment(
    "eftekhari2022.eq-155",
    f"""{SMOOTH} all t:R. 0 <= t => {TOP}*{GAMMA} < {SMOOTH_FORM} =>
       0 <= D(r, {FORM_PATH}, t) and ({SMOOTH_FORM} < {TOP} => 0 < D(r, {FORM_PATH}, t))""",
    says="the alignment does not decrease, and increases strictly unless W is a positive multiple of Z_1",
    uses=["eftekhari2022.eq-139", "eftekhari2022.eq-128-ode", "eftekhari2022.eq-155"],
)
def alignment_increases_away_from_the_target(g: Goal) -> None:
    """Its derivative is m s^(1-2/N) (s_Z^2 (a^2 + b^2) - 2 c^2 - 2 c q)."""
    names = g.intro(split=False)
    flow, whole, now, far = names[:13], *names[13:16]
    positive, product, uu, vv = g.split(g.apply(whole, "t", by=[using(now)]))
    a, b, _, high, form, _, _, _, radial, turning = scalars(
        g, flow, [now, positive, product, uu, vv], ("t", "s(t)", "u(t)", "v(t)")
    )
    c = f"({TOP}*(a*b))"
    bracket = f"({TOP}^2*(a^2 + b^2) - 2*{c}^2 - 2*q*{c})"
    size = agreeing(g, whole, now, "s(r)^2", "tr(T(E(r)) @ E(r))")
    pairing = agreeing(g, whole, now, "tr(T(u(r)) @ Z1 @ v(r))*s(r)", "tr(T(Z1) @ E(r))")
    speed = g.have("s(t)*s'(t) = tr(T(E(t)) @ E'(t))", lambda g: g.field((size, "1/2")))
    value = g.have(
        f"s(t)*D(r, {FORM_PATH}, t) = m*s(t)^{POWER}*{bracket}",
        lambda g: g.field(
            (pairing, 1), (turning, 1), (speed, f"-{c}/s(t)"), (radial, f"-{c}/s(t)"), (form, "-s'(t)"),
        ),
    )  # fmt: skip
    g.have("0 < m")
    gap = g.have("sv(Z,2) < sv(Z,1)")
    above = g.have(f"sv(Z,2) < {SMOOTH_FORM}", lambda g: g.pos([f"@{far}"]))
    order = g.fact("sv_range", "y", "x", "Z")
    second, _ = g.split(g.apply(order, 2, 2))
    ab = g.have("0 < a*b", lambda g: g.pos([f"@{above}"], [f"@{second}"], mul=[TOP], eqs=[(form, -1)]))
    less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
    scale = f"m*s(t)^{POWER}"
    pieces = [[scale, f"{TOP}^2", "(a-b)^2"], [scale, "2", TOP, f"@{ab}", f"@{high}"]]

    def strict(g: Goal) -> None:
        k = g.assume()
        apart = g.have("a*b < 1", lambda g: g.pos([f"@{k}"], mul=[TOP], eqs=[(form, 1)]))
        g.pos(*pieces, [scale, "2", TOP, f"@{ab}", f"@{apart}", f"@{gap}"], mul=["s(t)"], eqs=[(value, 1)])

    g.conj(
        lambda g: g.pos(*pieces, [scale, "2", TOP, f"@{ab}", f"@{less}", f"@{gap}"], mul=["s(t)"], eqs=[(value, 1)]),
        strict,
    )


def agreeing(g: Goal, whole: str, now: str, left: str, right: str) -> str:
    """Adds the equality at t of the derivatives of two functions of r that agree by W = s u v^T."""
    h = g.fact("derivative_agrees", 0, f"lam r:R. {left}", f"lam r:R. {right}")

    def same(g: Goal) -> None:
        g.fix("r")
        k = g.assume()
        _, product, uu, vv = g.split(g.apply(whole, "r", by=[using(k)]))
        g.rewrite(product)
        if "Z1" in right:
            g.field()
            return
        eq = g.have("T(s(r)*(u(r) @ T(v(r)))) @ (s(r)*(u(r) @ T(v(r)))) = s(r)^2*(v(r) @ T(v(r)))", lambda g: g.nc(rw=[uu]))
        one = unit_trace(g, vv, "v(r)")
        g.rewrite(eq)
        g.field((one, "-s(r)^2"))

    return g.apply(g.apply(h, by=[None, same], n=2), "t", by=[using(now)])


@holds(
    "eftekhari2022.eq-157",
    f"""{SMOOTH} all w:R. {GAMMA} <= w => w < 1 => w*{TOP} < tr(T(u(0)) @ Z1 @ v(0)) =>
       all t:R. 0 <= t => w*{TOP} < {SMOOTH_FORM}""",
    argument="repaired",
    reason="the derivative need not be positive, see (155); not to be negative is enough",
    reading=f"w stands for alpha; {ROOTS_READING}",
    context=CONTEXT,
    uses=["eftekhari2022.lemma-23", "eftekhari2022.eq-32"],
)
def conclusion_of_lemma_23(g: Goal) -> None:
    """Lemma 23 for the smooth decomposition."""
    names = g.intro(split=False)
    smooth_alignment(g, names[:13], names[13], names[14], names[15], names[16], names[17])


def smooth_alignment(g: Goal, flow: list[str], whole: str, gap: str, one: str, begin: str, now: str) -> None:
    """Closes alpha s_Z < u(t)^T Z_1 v(t) from the same at 0."""
    zero = g.have("0 <= 0")
    first = g.split(g.apply(whole, "0", by=[using(zero)]))
    rank = g.lemma(
        "eftekhari2022.eq-32", "part:thin-has-rank-one", "x", "y", "s(0)", "u(0)", "v(0)", "E(0)", by=[using(h) for h in first]
    )

    def every(g: Goal) -> None:
        parts = g.intro(split=False)
        same = g.lemma(
            "eftekhari2022.eq-32", "part:thin-unique", "x", "y", "E(0)", "Z1", "s_1", "s(0)", "u_1", "u(0)", "v_1", "v(0)",
            by=[using(h) for h in (*parts, *first)],
        )  # fmt: skip
        _, form = g.split(same)
        g.rewrite(form)
        g.close_by(begin)

    start_ = g.have(
        "all s_1:R, u_1:V(y), v_1:V(x). 0 < s_1 => E(0) = s_1*(u_1 @ T(v_1)) => T(u_1) @ u_1 = I(1) => T(v_1) @ v_1 = I(1) => "
        f"w*{TOP} < tr(T(u_1) @ Z1 @ v_1)",
        every,
    )
    stays = g.lemma("eftekhari2022.lemma-23", "statement", *FLOW_TERMS, by=[using(h) for h in flow])
    stays = g.apply(stays, "w", by=[using(h) for h in (gap, one, rank, start_)])
    _, forms = g.split(g.apply(stays, "t", by=[using(now)]))
    parts = g.split(g.apply(whole, "t", by=[using(now)]))
    g.close_by(g.apply(forms, "s(t)", "u(t)", "v(t)", by=[using(h) for h in parts]))


@holds(
    "eftekhari2022.step-i1-start",
    f"""{SMOOTH} all w:R. {GAMMA} <= w => w < 1 => (w - {GAMMA})*{TOP} < s(0) and w*{TOP} < tr(T(u(0)) @ Z1 @ v(0)) =>
       w*{TOP} < tr(T(u(0)) @ Z1 @ v(0)) and all t:R. 0 <= t => w*{TOP} < {SMOOTH_FORM}""",
    argument="sound",
    reading="w stands for alpha; the start is in N_alpha(Z_1), hence also where it is in its subset N_{alpha,beta}(Z_1), whose further condition is "
    "s_0 < beta s_Z; the first relation is the hypothesis of Lemma 23, where the transpose of v_0 is a misprint; that Lemma 23 applies is "
    f"shown by its conclusion; {ROOTS_READING}",
    context=CONTEXT,
    uses=["eftekhari2022.lemma-23", "eftekhari2022.eq-32"],
)
def membership_gives_alignment(g: Goal) -> None:
    """By definition of the set, and Lemma 23."""
    names = g.intro(split=False)
    flow, whole, gap, one, inside = names[:13], *names[13:17]
    _, begin = g.split(inside)

    def always(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        smooth_alignment(g, flow, whole, gap, one, begin, now)

    g.conj(using(begin), always)
