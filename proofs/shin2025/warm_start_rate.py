"""Appendix G.2.1, second half: Lemmas 23 and 24 and the exponential loss bound of Theorem 6."""

from __future__ import annotations

from proofs.shin2025.warm_start_decay import at_t
from proofs.shin2025.warm_start_flow import (
    PAPER,
    at,
    by_flow,
    claim,
    enter,
    entries,
    functions,
    loss,
    of_flow,
    of_reduced,
    product,
)
from proofs.shin2025.warm_start_lemmas import W11, W12, W21, W22, known, start_value
from proofs.shin2025.warm_start_loss import R11, R12, R22, ROW2, SLOPE, USES, psd
from proofs.shin2025.warm_start_modified_form import ADMISSIBLE, BOUND64, DETA2, SHIFTED, Names, row_is_positive
from proofs.shin2025.warm_start_symmetry import A11, A12, A21, A22, ROW
from verify.kernel import Goal
from verify.registry import holds, part


@holds(
    f"{PAPER}.lemma-23",
    claim(f"""all t:R. 0 <= t => w^2 <= det({product("t")}) and abs({W12} - v) <= sqrt(2*{loss("t")}) and
        sqrt(2*{loss("t")}) <= v and
      0 <= {W12} and w <= {W11} and w <= {W22} and {W21} <= 0 and det({product("t")}) = {W11}*{W22} - {W12}*{W21}"""),
    uses=USES,
    argument="sound",
)
def determinant_of_the_product(g: Goal) -> None:
    """w11 w22 >= w*^2 and w12 w21 <= 0."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        g.have(f"({W12} - v)^2 <= 2*{loss('t')}", lambda g: g.pos([f"({W11} - w)^2"], [f"({W22} - w)^2"]))
        g.have(f"2*{loss('t')} <= v^2", lambda g: g.pos(["2", "@" + b["loss"]], rw=e))
        one = g.by_fact("sqrt_mono", f"({W12} - v)^2", f"2*{loss('t')}")
        two = g.by_fact("sqrt_mono", f"2*{loss('t')}", "v^2")
        root = g.fact("sqrt_of_square", f"{W12} - v")
        g.conj(
            lambda g: g.pos(["@" + b["det2"]], rw=e),
            lambda g: g.pos(["@" + one], eqs=[(root, "1")]),
            lambda g: g.pos(["@" + two]),
            lambda g: g.pos(["@" + b["w12_nonneg"]], rw=e),
            lambda g: g.pos(["@" + b["w11"]], rw=e),
            lambda g: g.pos(["@" + b["w11"]], rw=e),
            lambda g: g.pos(["@" + b["w21"]], rw=e),
            lambda g: g.field(),
        )

    at_t(script)(g)


DETB2 = "det(B(t))^2"
LARGEST = f"({DETB2}/{ROW2})"


@holds(
    f"{PAPER}.lemma-24",
    claim(f"""(all t:R. 0 <= t => w <= min({ROW}, {LARGEST})) and
      ex m:R~>R. (all t:R. 0 <= t => m(t) <= {LARGEST}) and all t:R. 0 <= t => w <= min({ROW}, m(t))"""),
    uses=USES,
    argument="sound",
    reading="mu(t) is chosen subject to (63): for the largest admissible value, and for the one that the proof uses (w*).",
    readings=[("every mu(t) that satisfies (63), however small", "refuted", "every-mu")],
)
def rows_and_mu_stay_above_the_target(g: Goal) -> None:
    """a11^2 + a12^2 >= w*, and det B^2/(a21^2 + a22^2) >= w*^2/w*."""
    _hs, red, ent = enter(g)
    rows, bounds = of_reduced(g, red, "rows"), of_reduced(g, red, "bounds")

    def both(g: Goal, x: str, y: str) -> None:
        """Close w <= min(x, y) from w <= x and w <= y among the hypotheses."""

        def use(g: Goal) -> None:
            _, k = g.split_all(list(g.seq.hyps)[-1])
            g.rewrite(k)
            g.auto()

        g.cases(g.fact("min_cases", x, y), use, use)

    def first(g: Goal) -> str:
        e = entries(g, ent, "t")
        b = g.split_all(g.apply(bounds, "t"))
        small, large = g.split_all(g.apply(rows, "t"))
        row_is_positive(g, e, b[8])
        k = g.have(f"w*{ROW2} <= {DETB2}", lambda g: g.pos(["@" + b[10]], ["w", "@" + small], rw=e))
        g.have(f"w <= {ROW}", lambda g: g.pos(["@" + large], rw=e))
        return g.have(f"w <= {LARGEST}", lambda g: g.pos(["@" + k], mul=[ROW2]))

    def largest(g: Goal) -> None:
        g.intro()
        first(g)
        both(g, ROW, LARGEST)

    def chosen(g: Goal) -> None:
        g.witness("lam t:R. w")

        def admissible_(g: Goal) -> None:
            g.intro()
            g.close_by(first(g))

        def above(g: Goal) -> None:
            g.intro()
            first(g)
            g.have("w <= w")
            both(g, ROW, "w")

        g.conj(admissible_, above)

    g.conj(largest, chosen)


EVERY = claim(f"all m:R~>R. (all t:R. 0 <= t => m(t) <= {LARGEST}) => all t:R. 0 <= t => w <= min({ROW}, m(t))")


@part(
    f"{PAPER}.lemma-24",
    "every-mu",
    f"not ({EVERY})",
    says="mu = 0 satisfies (63) and violates the conclusion.",
    uses=[*USES, f"{PAPER}.eq-g2-flow"],
)
def small_mu_violates_the_bound(g: Goal) -> None:
    """mu = 0 along the flow with w* = w12* = 1."""
    every = g.assume()
    one = [g.have("0 < 1"), g.have("0 < 1")]
    hs = one + g.obtain(g.lemma(f"{PAPER}.eq-g2-flow", "part:exists", "1", "1"), "A", "B")
    _ = hs
    red, ent = functions(g, hs, "1", "1")

    def zero(g: Goal) -> None:
        g.intro()
        b = g.split_all(g.apply(of_reduced(g, red, "bounds", "1", "1"), "t"))
        row_is_positive(g, entries(g, ent, "t"), b[8])
        g.pos([DETB2], mul=[ROW2])

    k = g.apply(every, "1", "1", "A", "B", by=[None] * 4 + [by_flow(hs[4])])
    k = g.apply(k, "lam t:R. 0", by=[zero])
    k = g.apply(k, "0")
    two = g.fact("min_cases", at(ROW, "0"), "0")

    def use(g: Goal) -> None:
        a, b = g.split_all(list(g.seq.hyps)[-1])
        g.pos(["1"], ["@" + k], ["@" + a], eqs=[(b, "-1")]) if g.hyp_formula(b)[2] != 0 else g.pos(
            ["@" + k], ["1"], eqs=[(b, "-1")]
        )

    g.cases(two, use, use)


FRO_W, FRO_A = f"tr(T({product('t')}) @ {product('t')})", "tr(T(A(t)) @ A(t))"
S = {(m, i): f"sv({x},{i})" for m, x in (("W", product("t")), ("A", "A(t)")) for i in (1, 2)}


def norms(g: Goal) -> tuple[str, str]:
    """The squared Frobenius norms of the product and of A by entries."""
    return g.fact("frobenius_entries", "2", "2", product("t")), g.fact("frobenius_entries", "2", "2", "A(t)")


@holds(
    f"{PAPER}.eq-65",
    claim(f"""all t:R. 0 <= t => sqrt(2)*w <= sqrt({FRO_W}) and
      sqrt({S["W", 1]}^2 + {S["W", 2]}^2) = sqrt({S["A", 1]}^4 + {S["A", 2]}^4) and
      sqrt({S["A", 1]}^4 + {S["A", 2]}^4) = sqrt(({S["A", 1]}^2 + {S["A", 2]}^2)^2 - 2*{S["A", 1]}^2*{S["A", 2]}^2) and
      sqrt(({S["A", 1]}^2 + {S["A", 2]}^2)^2 - 2*{S["A", 1]}^2*{S["A", 2]}^2) = sqrt({FRO_A}^2 - 2*det(A(t))^2)"""),
    uses=USES,
    argument="sound",
)
def norm_of_the_product_by_a(g: Goal) -> None:
    """The radicands agree: |AB|_F^2 = |A|_F^4 - 2 det(A)^2 by (50) and (54)."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        nw, na = norms(g)
        _, sw = g.split_all(g.fact("sv_2x2", product("t")))
        pa, sa = g.split_all(g.fact("sv_2x2", "A(t)"))
        square = g.fact("abs_square", "det(A(t))")
        key = g.have(
            f"{FRO_W} = {FRO_A}^2 - 2*det(A(t))^2",
            lambda g: g.field(
                (nw, "1"),
                (na, "-(p(t)^2 + q(t)^2 + r(t)^2 + s(t)^2) - tr(T(A(t)) @ A(t))"),
                (b["balance"], "-(p(t)^2 + r(t)^2 - q(t)^2 - s(t)^2)"),
                rw=e,
            ),
        )
        product_ = g.have(
            f"{S['A', 1]}^2*{S['A', 2]}^2 = det(A(t))^2",
            lambda g: g.field((pa, f"{S['A', 1]}*{S['A', 2]} + abs(det(A(t)))"), (square, "1")),
        )

        def first(g: Goal) -> None:
            k = g.by_fact(
                "sqrt_mono",
                "2*w^2",
                FRO_W,
                by=[
                    None,
                    lambda g: g.pos(
                        ["2", "@" + b["w11"], "@" + b["w11"]],
                        ["4", "w", "@" + b["w11"]],
                        ["4*p(t)^2*q(t)^2"],
                        ["4*r(t)^2*s(t)^2"],
                        eqs=[(nw, "1")],
                        rw=e,
                    ),
                ],
            )
            g.pos(["@" + k])

        total = f"({S['A', 1]}^2 + {S['A', 2]}^2 + {FRO_A})"
        g.conj(
            first,
            lambda g: g.ctx(lambda g: g.field((sw, "1"), (key, "1"), (sa, f"-{total}"), (product_, "2"))),
            lambda g: g.ctx(lambda g: g.field()),
            lambda g: g.ctx(lambda g: g.field((sa, total), (product_, "-2"))),
        )

    at_t(script)(g)


@holds(
    f"{PAPER}.proof-step-a-frobenius",
    claim(f"""all t:R. 0 <= t => 2*w^2 + 2*det(A(t))^2 <= {FRO_A}^2 and 2*w^2 + 2*det(A(t))^2 = 2*w^2 + 2*det({product("t")}) and
      4*w^2 <= 2*w^2 + 2*det({product("t")}) and 2*w <= {FRO_A}"""),
    uses=USES,
    argument="sound",
)
def norm_of_a(g: Goal) -> None:
    """|A|^4 - 2 det A^2 = |AB|_F^2 >= 2 w11^2; det(A)^2 = det(AB) >= w*^2; |A|^2 >= 2 w11 directly."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        _, na = norms(g)
        g.conj(
            lambda g: g.pos(
                ["2", "@" + b["w11"], "@" + b["w11"]],
                ["4", "w", "@" + b["w11"]],
                ["4*p(t)^2*q(t)^2"],
                ["4*r(t)^2*s(t)^2"],
                eqs=[
                    (na, "tr(T(A(t)) @ A(t)) + p(t)^2 + q(t)^2 + r(t)^2 + s(t)^2"),
                    (b["balance"], "p(t)^2 + r(t)^2 - q(t)^2 - s(t)^2"),
                ],
                rw=e,
            ),
            lambda g: g.field(rw=e),
            lambda g: g.pos(["2", "@" + b["det2"]], rw=e),
            lambda g: g.pos(["(p(t) - s(t))^2"], ["(q(t) - r(t))^2"], ["2", "@" + b["w11"]], eqs=[(na, "1")], rw=e),
        )

    at_t(script)(g)


ROW2_SLOPE = f"D(u, {at(ROW2, 'u')}, t)"


@holds(
    f"{PAPER}.proof-step-row2-monotone",
    claim(f"""(all t:R. 0 <= t =>
        {ROW2_SLOPE} = 2*{A21}*D(u, A(u)[2,1], t) + 2*{A22}*D(u, A(u)[2,2], t) and
        2*{A21}*D(u, A(u)[2,1], t) + 2*{A22}*D(u, A(u)[2,2], t) = -2*{A12}*{A21}*{R22} - 2*{A11}*{A22}*{R22} and
        -2*{A12}*{A21}*{R22} - 2*{A11}*{A22}*{R22} = -2*{R22}*({A11}*{A22} + {A12}*{A21}) and
        -2*{R22}*({A11}*{A22} + {A12}*{A21}) = 2*{W11}*(w - {W11}) and 2*{W11}*(w - {W11}) <= 0) and
      A(0)[1,2]^2 + A(0)[2,2]^2 = w and (all t:R. 0 <= t => {ROW2} <= w) and all t:R. 0 <= t => w <= {ROW}"""),
    uses=USES,
    argument="sound",
)
def second_row_shrinks(g: Goal) -> None:
    """The product rule, (51), w11 >= w*; the rest from |A|^2 >= 2 w*."""
    _hs, red, ent = enter(g)
    root = g.by_fact("sqrt_sq", "w")
    rows = of_reduced(g, red, "rows")

    def chain(g: Goal) -> None:
        g.intro()
        e, b = known(g, red, ent, "t")
        g.conj(
            *[lambda g: g.field(rw=e)] * 4,
            lambda g: g.pos(["2", "@" + b["w11"], "@" + b["w11"]], ["2", "w", "@" + b["w11"]], rw=e),
        )

    def row(g: Goal, k: int) -> None:
        g.intro()
        h = g.split_all(g.apply(rows, "t"))[k]
        g.pos(["@" + h], rw=entries(g, ent, "t"))

    g.conj(chain, lambda g: g.field((root, "1"), rw=entries(g, ent, "0") + red[2:6]), lambda g: row(g, 0), lambda g: row(g, 1))


WITH_W = SHIFTED.replace("m*", "w*")


@holds(
    f"{PAPER}.proof-step-mu-lower",
    claim(f"""all t:R. 0 <= t => {LARGEST} = det({product("t")})/{ROW2} and w^2/{ROW2} <= det({product("t")})/{ROW2} and
        w <= w^2/{ROW2} and
      w <= {DETA2}/{ROW2} and {psd(WITH_W)}"""),
    uses=[*USES, f"{PAPER}.eq-63"],
    argument="sound",
)
def the_target_is_admissible(g: Goal) -> None:
    """det(B)^2 = det(AB) >= w*^2 and a21^2 + a22^2 <= w*; then (63)."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        row_is_positive(g, e, b["a22"])
        det = g.have(f"w^2 <= det({product('t')})", lambda g: g.pos(["@" + b["det2"]], rw=e))
        small = g.have(f"{ROW2} <= w", lambda g: g.pos(["@" + b["row2"]], rw=e))
        same = g.have(f"{DETB2} = det({product('t')})", lambda g: g.field(rw=e))
        other = g.have(f"{DETA2} = det({product('t')})", lambda g: g.field(rw=e))
        bound = g.have(f"w <= {DETA2}/{ROW2}", lambda g: g.pos(["@" + det], ["w", "@" + small], mul=[ROW2], eqs=[(other, "1")]))
        general = g.apply(of_flow(g, hs, "eq-63"), "t", "w")
        *_, last = g.split(general)
        form = g.split(g.apply(last))
        g.conj(
            lambda g: g.field((same, f"1/{ROW2}")),
            lambda g: g.pos(["@" + det], mul=[ROW2]),
            lambda g: g.pos(["w", "@" + small], mul=[ROW2]),
            lambda g: g.close_by(bound),
            lambda g: g.close_by(form[0]),
        )

    at_t(script)(g)


ALL_W = f"-({R11}^2 + {R12}^2 + {R22}^2)*w"


@holds(
    f"{PAPER}.proof-step-gronwall",
    claim(f"""all t m:R. 0 <= t => {ADMISSIBLE} => w <= m =>
      {SLOPE} <= {BOUND64} and {BOUND64} <= {ALL_W} and {ALL_W} <= -2*w*{loss("t")}"""),
    uses=[*USES, f"{PAPER}.eq-64"],
    argument="sound",
    reading="m is the value mu(t), chosen as in Lemma 24.",
)
def chain_before_gronwall(g: Goal) -> None:
    """(64), then a11^2 + a12^2 >= w* and mu >= w*; the last step is an equality."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        first = g.apply(g.apply(of_flow(g, hs, "eq-64"), "t", "m"))
        row = g.have(f"w <= {ROW}", lambda g: g.pos(["@" + b["row1"]], rw=e))
        g.conj(
            lambda g: g.close_by(first),
            lambda g: g.pos([f"{R11}^2 + {R22}^2", "@" + row], [f"{R12}^2", "@" + hs[7]]),
            lambda g: g.pos(),
        )

    at_t(script)(g)


def decay(g: Goal, hs: list[str], red: list[str], ent: str) -> str:
    """loss(t) <= v^2/2 exp(-2 w t), as a hypothesis."""
    h = g.apply(of_reduced(g, red, "decay"), "t")
    return g.have(f"{loss('t')} <= v^2/2*exp(-2*w*t)", lambda g: g.pos(["@" + h], rw=entries(g, ent, "t")))


@holds(
    f"{PAPER}.eq-66",
    claim(f"""all t:R. 0 <= t => {loss("t")} <= {loss("0")}*exp(-2*w*t) and {loss("0")}*exp(-2*w*t) = v^2/2*exp(-2*w*t)"""),
    uses=USES,
    argument="sound",
)
def loss_bound(g: Goal) -> None:
    """Gronwall with loss' <= -2 w* loss."""
    hs, red, ent = enter(g)
    k = decay(g, hs, red, ent)
    root = g.by_fact("sqrt_sq", "w")
    z = g.have(f"{loss('0')} = v^2/2", lambda g: start_value(g, hs, root))
    g.conj(lambda g: g.pos(["@" + k], eqs=[(z, "exp(-2*w*t)")]), lambda g: g.field((z, "exp(-2*w*t)")))


@holds(
    f"{PAPER}.theorem-6-loss",
    claim(f"all t:R. 0 <= t => {loss('t')} <= v^2/2*exp(-2*w*t)"),
    uses=USES,
    argument="repaired",
    reading="T_1 = 0.",
    reason="The printed chain holds after the corrections of (55) and of the entry (2,2) of the modified form.",
)
def theorem_loss_bound(g: Goal) -> None:
    """(66)."""
    hs, red, ent = enter(g)
    g.close_by(decay(g, hs, red, ent))
