"""Section 4 and Appendix L: the loss L_{1,1} at s u v^T, split into the error of the singular value and the misalignment."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import LEADING
from proofs.eftekhari2022.rank_one_numbers import (
    BASES,
    GAP,
    LOSS,
    POINT,
    T1,
    T2,
    TOP,
    A,
    B,
    C,
    W,
    form_bounds,
    numbers,
)
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import holds, part

CONTEXT = "the spectral gap [Assumption 14]; rank(W_t) = 1 as the decomposition s u v^T at a fixed time [Lemma 18]"
NUMBERS = ["eftekhari2022.eq-169-identity"]
PU, PUC, PV, PVC = "(u @ T(u))", "(U @ T(U))", "(v @ T(v))", "(V @ T(V))"


def block(p: str, d: str, q: str) -> str:
    """|P D Q|^2."""
    return f"tr(T({p} @ {d} @ {q}) @ ({p} @ {d} @ {q}))"


@holds(
    "eftekhari2022.def-l11",
    "all x y:Z, Z1 W D_:M(y,x). D(e, tr(T(Z1 - (W + e*D_)) @ (Z1 - (W + e*D_)))/2, 0) = tr(T(W - Z1) @ D_)",
    argument="sound",
    reading="the gradient is characterised by the directional derivatives of the loss",
)
def gradient_of_the_loss(g: Goal) -> None:
    """Differentiate the square."""
    g.fix()
    h = g.differentiate("e", "tr(T(Z1 - (W + e*D_)) @ (Z1 - (W + e*D_)))/2", 0)
    g.field((h, 1))


@part(
    "eftekhari2022.eq-166",
    "projected-norm",
    """all x y:Z, P:M(y,y), Q:M(x,x), D_:M(y,x). T(P) = P => P @ P = P => T(Q) = Q => Q @ Q = Q =>
       tr(T(P @ D_ @ Q) @ (P @ D_ @ Q)) = tr(T(D_) @ P @ D_ @ Q)""",
    says="|P D Q|^2 for orthogonal projections P and Q",
)
def norm_between_projections(g: Goal) -> None:
    """P^T P = P, and the trace is cyclic."""
    p, pp, q, qq = g.intro()
    product = g.have(
        "T(P @ D_ @ Q) @ (P @ D_ @ Q) = Q @ T(D_) @ P @ D_ @ Q",
        lambda g: g.nc(
            (p, 1, "T(Q) @ T(D_)", "P @ D_ @ Q"), (pp, 1, "T(Q) @ T(D_)", "D_ @ Q"), (q, 1, None, "T(D_) @ P @ D_ @ Q")
        ),
    )
    g.rewrite(product)
    g.replace("tr(Q @ T(D_) @ P @ D_ @ Q)", "tr(T(D_) @ P @ D_ @ (Q @ Q))", lambda g: g.field())
    g.rewrite(qq)
    g.field()


@part(
    "eftekhari2022.eq-166",
    "four-blocks",
    f"""all x y:Z, u:V(y), v:V(x), D_:M(y,x). T(u) @ u = I(1) => T(v) @ v = I(1) => {BASES}
       tr(T(D_) @ D_) = {block(PU, "D_", PV)} + {block(PU, "D_", PVC)} + {block(PUC, "D_", PV)} + {block(PUC, "D_", PVC)} and
       {block(PU, "D_", PV)} = tr(T(u) @ D_ @ v)^2""",
    says="a squared norm is the sum over the four blocks of the orthonormal bases [u U], [v V]",
    uses=["eftekhari2022.eq-166"],
)
def squared_norm_in_four_blocks(g: Goal) -> None:
    """|P D Q|^2 = <P D, D Q>, and the projections add up to the identity."""
    uu, vv, cu, uc, cv, vc = g.intro()
    values = []
    rules = [uu, vv, cu, cv]
    for p, q in ((PU, PV), (PU, PVC), (PUC, PV), (PUC, PVC)):
        values.append(
            g.lemma(
                "eftekhari2022.eq-166", "part:projected-norm", "x", "y", p, q, "D_",
                by=[lambda g: g.nc(), lambda g: g.nc(rw=rules), lambda g: g.nc(), lambda g: g.nc(rw=rules)],
            )
        )  # fmt: skip

    inner = [f"tr(T(D_) @ {p} @ D_ @ {q})" for p, q in ((PU, PV), (PU, PVC), (PUC, PV), (PUC, PVC))]

    def together(g: Goal) -> None:
        g.rewrite(uc)
        g.rewrite(vc)
        g.field()

    total = g.have(f"{' + '.join(inner)} = tr(T(D_) @ D_)", together)

    def whole(g: Goal) -> None:
        g.field((total, -1), *[(h, -1) for h in values])

    def first(g: Goal) -> None:
        number = "tr(T(u) @ D_ @ v)"
        one, other = scalar_matrix(g, "(T(u) @ D_ @ v)"), scalar_matrix(g, "(T(v) @ T(D_) @ u)")
        product = g.have(
            f"T(u) @ D_ @ v @ T(T(u) @ D_ @ v) = {number}^2*I(1)",
            lambda g: g.nc((one, 1, None, "T(v) @ T(D_) @ u"), (other, number, None, None)),
        )
        value = g.have("tr(T(u) @ D_ @ v @ T(T(u) @ D_ @ v)) = tr(T(u) @ D_ @ v)^2", lambda g: (g.rewrite(product), g.field()))
        g.field((values[0], 1), (value, 1))

    g.conj(whole, first)


SHIFT = f"({W} - Z1)"


@holds(
    "eftekhari2022.eq-166",
    f"""{POINT} {BASES} {LOSS} = ({block(PU, SHIFT, PV)} + {block(PU, SHIFT, PVC)} + {block(PUC, SHIFT, PV)} + {block(PUC, SHIFT, PVC)})/2""",
    argument="sound",
    context=CONTEXT,
    uses=["eftekhari2022.eq-166"],
)
def loss_in_four_blocks(g: Goal) -> None:
    """Pythagoras in the bases [u U] and [v V]."""
    names = g.intro(split=False)
    h = blocks_of(g, names, SHIFT)
    g.field((h[0], "1/2"))


def blocks_of(g: Goal, names: list[str], d: str) -> list[str]:
    """Adds the four blocks of d; `names` are the hypotheses of POINT and BASES."""
    h = g.lemma(
        "eftekhari2022.eq-166", "part:four-blocks", "x", "y", "u", "v", d, by=[using(k) for k in names[8:10]]
    )  # fmt: skip
    return g.split(g.apply(h, "U", "V", by=[using(k) for k in names[10:14]]))


@holds(
    "eftekhari2022.eq-167",
    f"""{POINT} {BASES} {LOSS} = {T1} + {block(PU, "Z1", PVC)}/2 + {block(PUC, "Z1", PV)}/2 + {block(PUC, "Z1", PVC)}/2 and
       {T1} + {block(PU, "Z1", PVC)}/2 + {block(PUC, "Z1", PV)}/2 + {block(PUC, "Z1", PVC)}/2 =
         {T1} + tr(T(Z1) @ Z1)/2 - {block(PU, "Z1", PV)}/2""",
    argument="sound",
    context=CONTEXT,
    uses=["eftekhari2022.eq-166", *NUMBERS],
)
def loss_by_the_blocks_of_the_target(g: Goal) -> None:
    """Z_1 in four blocks, of which the first is (u^T Z_1 v)^2."""
    names = g.intro(split=False)
    total, first = blocks_of(g, names, "Z1")
    *_, top, value = numbers(g, names)
    g.conj(
        lambda g: g.field((value, 1), (total, "1/2"), (first, "1/2"), (top, "-1/2")),
        lambda g: g.field((total, "-1/2")),
    )


@holds(
    "eftekhari2022.eq-168",
    f"{POINT} tr(T(Z1) @ Z1) - {block(PU, 'Z1', PV)} = {TOP}^2 - {TOP}^2*(tr(T(u) @ uZ))^2*(tr(T(vZ) @ v))^2",
    argument="sound",
    context=CONTEXT,
    uses=["eftekhari2022.eq-166", *NUMBERS],
)
def norm_deficit_of_the_target(g: Goal) -> None:
    """|P_u Z_1 P_v| = |u^T Z_1 v| = s_Z |a b|."""
    names = g.intro(split=False)
    form, *_, top, _ = numbers(g, names)
    left, right = names[8:10]
    product = g.lemma(
        "eftekhari2022.eq-166", "part:projected-norm", "x", "y", PU, PV, "Z1",
        by=[lambda g: g.nc(), lambda g: g.nc(rw=[left]), lambda g: g.nc(), lambda g: g.nc(rw=[right])],
    )  # fmt: skip
    one, other = scalar_matrix(g, "(T(u) @ Z1 @ v)"), scalar_matrix(g, "(T(v) @ T(Z1) @ u)")
    square = g.have(
        f"T(u) @ Z1 @ v @ T(T(u) @ Z1 @ v) = {C}^2*I(1)",
        lambda g: g.nc((one, 1, None, "T(v) @ T(Z1) @ u"), (other, C, None, None)),
    )
    value = g.have(f"tr(T(u) @ Z1 @ v @ T(T(u) @ Z1 @ v)) = {C}^2", lambda g: (g.rewrite(square), g.field()))
    g.field((top, 1), (product, -1), (value, -1), (form, f"-({C} + {TOP}*({A}*{B}))"))


@holds(
    "eftekhari2022.eq-169-identity",
    f"""{POINT} {LOSS} = {T1} + {TOP}^2/2*(1 - (tr(T(u) @ uZ))^2*(tr(T(vZ) @ v))^2) and
       {T1} + {TOP}^2/2*(1 - (tr(T(u) @ uZ))^2*(tr(T(vZ) @ v))^2) = {T1} + ({TOP}^2 - {C}^2)/2 and
       {T1} + ({TOP}^2 - {C}^2)/2 = {T1} + ({TOP} + {C})*{T2}/2""",
    argument="sound",
    context=CONTEXT,
    uses=NUMBERS,
)
def loss_by_the_singular_value_and_the_alignment(g: Goal) -> None:
    """u^T Z_1 v = s_Z a b."""
    names = g.intro(split=False)
    form, *_, value = numbers(g, names)
    factor = f"({C} + {TOP}*({A}*{B}))/2"
    g.conj(
        lambda g: g.field((value, 1), (form, f"-({factor})")),
        lambda g: g.field((form, factor)),
        lambda g: g.field(),
    )


@holds(
    "eftekhari2022.eq-169",
    f"{POINT} {T1} + ({TOP} + {C})*{T2}/2 <= {T1} + {TOP}*{T2}",
    argument="sound",
    context=CONTEXT,
)
def final_bound_of_the_loss(g: Goal) -> None:
    """The difference is (s_Z - c)^2/2."""
    g.intro(split=False)
    g.pos(["1/2", f"{T2}^2"])


@holds(
    "eftekhari2022.eq-33",
    f"{POINT} {LOSS} <= {T1} + {TOP}*{T2}",
    argument="sound",
    context=CONTEXT,
    uses=NUMBERS,
)
def loss_is_bounded_by_the_two_errors(g: Goal) -> None:
    """The slack is (s_Z - c)^2/2."""
    names = g.intro(split=False)
    value = numbers(g, names)[-1]
    g.pos(["1/2", f"{T2}^2"], eqs=[(value, -1)])


@holds(
    "eftekhari2022.assertion-t-nonneg",
    f"{POINT} 0 <= {T1} and 0 <= {T2}",
    argument="sound",
    reading="at any one time t, where u, v, s are the values of the decomposition (32) of W_t; that the two terms measure the error of the "
    "singular value and the misalignment is their description",
    context=CONTEXT,
    uses=NUMBERS,
)
def errors_are_nonnegative(g: Goal) -> None:
    """Half a square, and u^T Z_1 v <= s_Z."""
    names = g.intro(split=False)
    form, a, b, *_ = numbers(g, names)
    upper, _ = form_bounds(g, form, a, b)
    g.conj(None, lambda g: g.pos([f"@{upper}"]))


@holds(
    "eftekhari2022.eq-201",
    f"{POINT} {TOP}*{T2} <= {T1} => {LOSS} <= (s - {C})^2",
    argument="sound",
    context=CONTEXT,
    uses=NUMBERS,
)
def loss_in_the_fast_regime(g: Goal) -> None:
    """L <= T1 + s_Z T2 <= 2 T1."""
    names = g.intro(split=False)
    value = numbers(g, names[:10])[-1]
    g.pos(["1/2", f"{T2}^2"], [f"@{names[10]}"], eqs=[(value, -1)])


@holds(
    "eftekhari2022.eq-204",
    f"{POINT} {T1} <= {TOP}*{T2} => {LOSS} <= 2*{TOP}*{T2}",
    argument="sound",
    context=CONTEXT,
    uses=NUMBERS,
)
def loss_in_the_slow_regime(g: Goal) -> None:
    """L <= T1 + s_Z T2 <= 2 s_Z T2."""
    names = g.intro(split=False)
    value = numbers(g, names[:10])[-1]
    g.pos(["1/2", f"{T2}^2"], [f"@{names[10]}"], eqs=[(value, -1)])


@holds("eftekhari2022.step-o2-square", "all a b:R. a^2/2 - b^2 <= (a - b)^2", argument="sound")
def square_of_a_difference(g: Goal) -> None:
    """The difference is (a - 2 b)^2/2."""
    g.fix()
    g.pos(["1/2", "(a - 2*b)^2"])


@holds(
    "eftekhari2022.eq-212",
    f"{POINT} 0 <= {C} => {T1} <= {TOP}*{T2} => {TOP}*{T2} <= {TOP}^2 and abs(s - {C}) <= sqrt(2)*{TOP}",
    argument="sound",
    context=f"{CONTEXT}; 0 <= u^T Z_1 v is (210) [(210)]",
)
def radial_error_in_the_slow_regime(g: Goal) -> None:
    """(s - c)^2 <= 2 s_Z^2."""
    names = g.intro(split=False)
    sign, slow = names[10:12]
    less = g.have(f"{TOP}*{T2} <= {TOP}^2", lambda g: g.pos([TOP, f"@{sign}"]))
    square = g.have(f"(s - {C})^2 <= 2*{TOP}^2", lambda g: g.pos(["2", f"@{slow}"], ["2", f"@{less}"]))
    two = g.by_fact("sqrt_sq", "2")
    g.by_fact("sqrt_nonneg", "2")
    k = g.by_fact("sqrt_mono", f"(s - {C})^2", f"2*{TOP}^2", by=[None, using(square)])
    left = g.fact("sqrt_of_square", f"(s - {C})")
    g.have(f"0 <= sqrt(2)*{TOP}")
    right = g.by_fact("sqrt_unique", f"2*{TOP}^2", f"sqrt(2)*{TOP}", by=[None, lambda g: g.field((two, f"{TOP}^2"))])
    g.conj(using(less), lambda g: g.pos([f"@{k}"], eqs=[(left, 1), (right, -1)]))


@holds(
    "eftekhari2022.eq-214",
    f"""{POINT} 0 <= {C} => {T1} <= {TOP}*{T2} => {TOP}*{T2} <= {TOP}^2 and {T1} <= {TOP}*{T2} and
       s^2/4 - {C}^2/2 <= {T1} and s^2/4 - {TOP}^2/2 <= s^2/4 - {C}^2/2""",
    argument="sound",
    context=f"{CONTEXT}; 0 <= u^T Z_1 v is (210) [(210)]",
    uses=NUMBERS,
)
def singular_value_in_the_slow_regime(g: Goal) -> None:
    """(s - c)^2 >= s^2/2 - c^2 and |c| <= s_Z."""
    names = g.intro(split=False)
    sign, slow = names[10:12]
    form, a, b, *_ = numbers(g, names[:10])
    upper, lower = form_bounds(g, form, a, b)
    g.conj(
        lambda g: g.pos([TOP, f"@{sign}"]),
        using(slow),
        lambda g: g.pos(["1/4", f"(s - 2*{C})^2"]),
        lambda g: g.pos(["1/2", f"@{upper}", f"@{lower}"]),
    )


FAR = f"sqrt(6)*{TOP} < s"


@holds(
    "eftekhari2022.step-o2-conclusion",
    f"{POINT} 0 <= {C} => {FAR} => {TOP}*{T2} <= {T1}",
    argument="sound",
    context=f"{CONTEXT}; 0 <= u^T Z_1 v is (210) [(210)]",
    uses=NUMBERS,
)
def large_singular_values_are_in_the_fast_regime(g: Goal) -> None:
    """Otherwise s^2 <= 6 s_Z^2 by (214)."""
    names = g.intro(split=False)
    far_away(g, names)


@part(
    "eftekhari2022.step-o-tau-conservative",
    "pointwise",
    f"{POINT} 0 <= {C} => {FAR} => 0 < {T1} - {TOP}*{T2} and {TOP}*{T2} <= {T1}",
    says="at one time: T > 0 where s exceeds sqrt(6) s_Z",
    uses=NUMBERS,
)
def large_singular_values_have_positive_difference(g: Goal) -> None:
    """The same estimate, strictly."""
    names = g.intro(split=False)
    g.conj(lambda g: far_away(g, names), lambda g: far_away(g, names))


FORM_AT = C.replace("u", "u(t)").replace("v", "v(t)")
DIFFERENCE_AT = f"(s(t) - {FORM_AT})^2/2 - {TOP}*({TOP} - {FORM_AT})"
FAR_AT = f"sqrt(6)*{TOP} < s(t)"


@holds(
    "eftekhari2022.step-o-tau-conservative",
    f"""all x y:Z, Z Z1:M(y,x), uZ:V(y), vZ:V(x), u:R->V(y), v:R->V(x), s:R->R. {GAP} {LEADING}
       (all t:R. 0 <= t => 0 < s(t) and T(u(t)) @ u(t) = I(1) and T(v(t)) @ v(t) = I(1) and 0 <= {FORM_AT}) =>
       (all t:R. 0 <= t => {FAR_AT} => 0 < {DIFFERENCE_AT} and {TOP}*({TOP} - {FORM_AT}) <= (s(t) - {FORM_AT})^2/2) and
       all r:R. (all t:R. 0 <= t => t < r => {FAR_AT}) => all t:R. 0 <= t => t < r => 0 < {DIFFERENCE_AT}""",
    argument="sound",
    reading="u, v, s are the decomposition (32) of the induced flow, of which only what is written is used; T_t = T_1 - s_Z T_2; r is any time "
    "before which (207) does not hold, such as its first time tau: until then T_t has no change of sign",
    context="the spectral gap [Assumption 14]; 0 <= u^T Z_1 v is (210), a part of (198) [(210), (198)]",
    uses=["eftekhari2022.step-o-tau-conservative"],
)
def conservative_transition_time(g: Goal) -> None:
    """The estimate at each time."""
    names = g.intro(split=False)

    def at(g: Goal, now: str, far: str) -> list[str]:
        s, uu, vv, sign = g.split_all(g.apply(names[7], "t", by=[using(now)]))
        return g.split_all(
            g.lemma(
                "eftekhari2022.step-o-tau-conservative", "part:pointwise", *("x", "y", "Z", "Z1", "uZ", "u(t)", "vZ", "v(t)", "s(t)"),
                by=[using(h) for h in (*names[:7], s, uu, vv, sign, far)],
            )
        )  # fmt: skip

    def each(g: Goal) -> None:
        g.fix("t")
        now, far = g.assume(), g.assume()
        g.conj(*[using(h) for h in at(g, now, far)])

    def before(g: Goal) -> None:
        g.fix("r")
        early = g.assume()
        g.fix("t")
        now, less = g.assume(), g.assume()
        far = g.apply(early, "t", by=[using(now), using(less)])
        g.close_by(at(g, now, far)[0])

    g.conj(each, before)


def far_away(g: Goal, names: list[str]) -> None:
    """s > sqrt(6) s_Z gives (s - c)^2/2 >= s^2/4 - s_Z^2/2 > s_Z^2 >= s_Z (s_Z - c)."""
    sign, far = names[10:12]
    form, a, b, *_ = numbers(g, names[:10])
    upper, lower = form_bounds(g, form, a, b)
    six = g.by_fact("sqrt_sq", "6")
    g.by_fact("sqrt_nonneg", "6")
    g.have(f"0 <= sqrt(6)*{TOP}")
    large = g.have(f"6*{TOP}^2 < s^2", lambda g: g.pos([f"@{far}", f"s + sqrt(6)*{TOP}"], eqs=[(six, f"-({TOP}^2)")]))
    g.pos(["1/4", f"@{large}"], ["1/4", f"(s - 2*{C})^2"], ["1/2", f"@{upper}", f"@{lower}"], [TOP, f"@{sign}"])
