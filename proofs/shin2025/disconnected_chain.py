"""Appendix G.1 from (43) on: the limit by the integrals of the residuals, the observation equation, the quadratic, its root."""

from __future__ import annotations

from typing import Any

from proofs.shin2025.disconnected_flow import (
    INTEGRAL_VARIABLES,
    SETTING,
    ZERO_LOSS,
    entry_a,
    entry_b,
    inside,
    integrals,
)
from proofs.shin2025.disconnected_solution import (
    CONTEXT,
    DEF,
    P_ROW,
    Q_ROW,
    flow_again,
    is_all,
    last,
    named,
    partner,
)
from verify.kernel import Goal
from verify.registry import amendment, holds, part

READING = (
    "r-bar is the limit of the integral of w - w*. From (38) on only r-bar occurs, and the closed form that Proposition 17 gives "
    "for it carries this sign, which is that for which (34) is the flow; G.1 prints w* - w, and that reading is judged "
    "separately. That the limit exists and is finite is assumed, as the text does by writing r-bar: it follows from zero loss "
    "unless w* = 0 and |P| = Q/2 > 0 (a row of A(0) equal to its column of B(0), or opposite)."
)
SIGN = ("with r-bar the integral of w* - w, as G.1 defines the residual", "refuted", "printed-residual")


def statement(conclusion: str, sign: str = "w - w*", indices: str = "p") -> str:
    """A statement on the limit of the flow with the integrals of its residuals."""
    return f"""all {INTEGRAL_VARIABLES}. {SETTING} => {ZERO_LOSS} => {integrals(sign)} =>
        all {" ".join(indices)}:Z. {inside(*indices)} => {conclusion}"""


LIMITS_43 = (
    f"tends(t, A(t)[p,q], {entry_a('p', 'q', 'j(p)', 'rb(p)')}) and tends(t, B(t)[p,q], {entry_b('p', 'q', 'i(q)', 'rb(i(q))')})"
)


def is_integral(f: Any) -> bool:
    return is_all(f, "k") and f[2][2][0] == "and" and f[2][2][-1][0] == "tends"


def with_integral(g: Goal, role: str, row: str) -> str:
    """A statement on the solution along the accumulated residual, for r = R(row, .)."""
    start, rate, _ = g.split(g.apply(named(g, is_integral), row))

    def rate_premise(k: Goal) -> None:
        k.intro()
        k.field((k.apply(rate, last(k)), "1"))

    return g.lemma(
        DEF, role, "n", "i", "j", "W", "A", "B", "G", f"lam t:R. R({row},t)", row,
        by=[None, None, None, flow_again, None, lambda k: k.close_by(start), rate_premise],
    )  # fmt: skip


def limit_of_integral(g: Goal, row: str) -> str:
    return g.split(g.apply(named(g, is_integral), row))[2]


def limit_of(g: Goal, rotated: str, q: str, which: int, row: str, closed: str) -> None:
    """The limit of an entry that is a function of R(row, t); closed: that function of z."""
    h = limit_of_integral(g, row)
    c = g.by_fact("tends_compose", f"rb({row})", f"lam t:R. R({row},t)", f"lam z:R. {closed}", by=[lambda k: k.close_by(h)])

    def same(k: Goal) -> None:
        k.intro()
        e = k.split(k.apply(rotated, last(k), q))[which]
        k.rewrite(e)
        k.refl()

    f = g.hyp_formula(c)
    e = g.by_fact(
        "tends_ext", 0, f[3], ("lam", ((f[1], "R"),), f[2]), ("lam", ((g.concl[1], "R"),), g.concl[2]),
        by=[same, lambda k: k.close_by(c)],
    )  # fmt: skip
    g.close_by(e)


@part(
    "shin2025.eq-43",
    "pair",
    statement(
        f"tends(t, A(t)[p,q], {entry_a('p', 'q', 'j(p)', 'rb(p)')}) and tends(t, B(t)[q,j(p)], "
        f"{partner('q', 'j(p)', 'p', 'rb(p)')})",
        indices="pq",
    ),
    says="the limits of an entry of A and of its partner in B",
    uses=[DEF],
)
def limits_of_the_pair(g: Goal) -> None:
    """Both are continuous functions of the accumulated residual of row p."""
    g.intro()
    rotated = with_integral(g, "part:solution", "p")
    g.conj(
        lambda k: limit_of(k, rotated, "q", 0, "p", entry_a("p", "q", "j(p)", "z")),
        lambda k: limit_of(k, rotated, "q", 1, "p", partner("q", "j(p)", "p", "z")),
    )


def integrals_again(g: Goal) -> None:
    """The integrals as the premise of an earlier statement."""
    g.intro()
    start, rate, limit = g.split(g.apply(named(g, is_integral), last(g)))

    def rates(k: Goal) -> None:
        k.intro()
        k.field((k.apply(rate, last(k)), "1"))

    g.conj(lambda k: k.close_by(start), rates, lambda k: k.close_by(limit))


def zero_loss_again(g: Goal) -> None:
    g.intro()
    g.close_by(g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "tends"), last(g)))


FLOW_NAMES = ("A", "B", "G", "R", "rb")


def earlier(g: Goal, claim: str, role: str, *indices: str, flow: tuple[str, ...] = FLOW_NAMES) -> str:
    """A statement of this module with the hypotheses at hand."""
    names = ("n", "i", "j", "W", *flow)
    h = g.lemma(claim, role, *names, by=[None, None, None, flow_again, zero_loss_again, integrals_again])
    return g.apply(h, *indices, n=1)


@holds(
    "shin2025.eq-43",
    statement(LIMITS_43, indices="pq"),
    uses=[DEF],
    argument="repaired",
    reading=READING,
    readings=[SIGN],
    context=CONTEXT,
)
def entries_at_infinity(g: Goal) -> None:
    """The entry b_pq is the partner of an entry in row i(q), where j(i(q)) = q."""
    g.intro()
    inverse = g.split_all(g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "and" and not is_integral(f)), "q"))[5]

    def of_b(k: Goal) -> None:
        h = k.split(earlier(k, "shin2025.eq-43", "part:pair", "i(q)", "p"))[1]
        k.close_by(k.rewritten(h, inverse))

    g.conj(lambda k: k.close_by(k.split(earlier(k, "shin2025.eq-43", "part:pair", "p", "q"))[0]), of_b)


# ---------------------------------------------------------------------- the observation equation

W_ROW, C, S = "W[p,j(p)]", "cosh(rb(p))", "sinh(rb(p))"
DOUBLE = f"{P_ROW}*cosh(2*rb(p)) - {Q_ROW}/2*sinh(2*rb(p))"


@part("shin2025.eq-44", "observed", statement(f"{W_ROW} = {DOUBLE}"), says="the last member of (44)", uses=[DEF])
def observed_value(g: Goal) -> None:
    """The observed entry at time t is this function of the accumulated residual; it tends to the observed value."""
    g.intro()
    product = with_integral(g, "part:product", "p")
    h = limit_of_integral(g, "p")
    closed = f"{P_ROW}*cosh(2*z) - {Q_ROW}/2*sinh(2*z)"
    c = g.by_fact("tends_compose", "rb(p)", "lam t:R. R(p,t)", f"lam z:R. {closed}", by=[lambda k: k.close_by(h)])
    f = g.hyp_formula(c)
    wt = "lam t:R. (A(t) @ B(t))[p,j(p)]"

    def same(k: Goal) -> None:
        k.intro()
        k.rewrite(k.apply(product, last(k)))
        k.refl()

    e = g.by_fact("tends_ext", 0, f[3], ("lam", ((f[1], "R"),), f[2]), wt, by=[same, lambda k: k.close_by(c)])
    loss = g.apply(named(g, lambda x: is_all(x, "k") and x[2][2][0] == "tends"), "p")
    u = g.by_fact("tends_unique", W_ROW, f[3], wt, by=[lambda k: k.close_by(loss), lambda k: k.close_by(e)])
    g.close_by(u)


def observed(g: Goal) -> str:
    return earlier(g, "shin2025.eq-44", "part:observed", "p")


PRODUCT = f"sum(k, 1, n, (A(0)[p,k]*{C} - B(0)[k,j(p)]*{S})*(B(0)[k,j(p)]*{C} - A(0)[p,k]*{S}))"


@holds(
    "shin2025.proof-step-w-expansion",
    statement(f"{W_ROW} = {PRODUCT}"),
    uses=["shin2025.eq-44"],
    argument="sound",
    reading=READING + " The observation (i_n, j_n) is (p, j(p)).",
    readings=[SIGN],
    context=CONTEXT,
)
def observed_value_as_a_product(g: Goal) -> None:
    """The product of row p of A and column j(p) of B at infinity."""
    g.intro()
    g.field((observed(g), "1"))


EXPANDED = f"""sum(k, 1, n, A(0)[p,k]*B(0)[k,j(p)]*{C}^2 - A(0)[p,k]^2*{C}*{S} - B(0)[k,j(p)]^2*{C}*{S} +
A(0)[p,k]*B(0)[k,j(p)]*{S}^2)"""


@holds(
    "shin2025.eq-44",
    statement(
        f"{W_ROW} = {EXPANDED} and {EXPANDED} = {P_ROW}*({C}^2 + {S}^2) - {Q_ROW}*{C}*{S} and {P_ROW}*({C}^2 "
        f"+ {S}^2) - {Q_ROW}*{C}*{S} = {DOUBLE}"
    ),
    argument="sound",
    uses=[DEF],
    reading=READING + " The observation (i_n, j_n) is (p, j(p)).",
    readings=[SIGN],
    context=CONTEXT,
)
def observation_equation(g: Goal) -> None:
    """Sums are linear; cosh^2 + sinh^2 and 2 cosh sinh are the functions of the double."""
    g.intro()
    h = observed(g)
    g.conj(lambda k: k.field((h, "1")), lambda k: k.field(), lambda k: k.field())


U = "exp(2*rb(p))"
FIRST = f"2*{W_ROW} = {P_ROW}*({U} + exp(-2*rb(p))) - {Q_ROW}/2*({U} - exp(-2*rb(p)))"


def exponential_form(r: str) -> str:
    """The chain with the index as displayed in the exponents of the last members."""
    plus, minus = f"({P_ROW} + {Q_ROW}/2)", f"({P_ROW} - {Q_ROW}/2)"
    return (
        f"{FIRST} and {P_ROW}*({U} + exp(-2*rb(p))) - {Q_ROW}/2*({U} - exp(-2*rb(p))) = exp(2*{r})*{minus} + exp(-2*{r})*{plus} "
        f"and 2*{W_ROW}*{U} = exp(4*{r})*{minus} + {P_ROW} + {Q_ROW}/2"
    )


@amendment(
    "shin2025.proof-step-exp-form",
    statement(exponential_form("rb(p)")),
    says="with the index (i_n, j_n) in every exponent, in place of 11; r-bar is the integral of w - w*, as in Proposition 17",
    uses=["shin2025.eq-44"],
)
def exponential_form_with_the_right_index(g: Goal) -> None:
    """cosh and sinh by exponentials; then times exp(2 r)."""
    g.intro()
    h = observed(g)
    g.conj(lambda k: k.field((h, "2")), lambda k: k.field(), lambda k: k.field((h, f"2*{U}")))


@holds(
    "shin2025.proof-step-quadratic",
    statement(f"({P_ROW} - {Q_ROW}/2)*{U}^2 - 2*{W_ROW}*{U} + {P_ROW} + {Q_ROW}/2 = 0"),
    uses=["shin2025.eq-44"],
    argument="sound",
    reading=READING,
    readings=[SIGN],
    context=CONTEXT,
)
def quadratic_equation(g: Goal) -> None:
    """The observation equation times 2 u."""
    g.intro()
    g.field((observed(g), f"-2*{U}"))
