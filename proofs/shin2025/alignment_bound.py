"""Theorem 1 and Appendix F.1, second half: the limit of the flow in closed form, and the bound on the part across u*."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.alignment_flow import CONTEXT, earlier, flow_at, unit_vector
from proofs.shin2025.connected_flow import (
    ALPHA0,
    BETA0,
    FROBENIUS,
    ROOT,
    ROW_NORMS,
    S_BOUND,
    alpha,
    beta,
    claim,
    claim_with_matrix,
    norm2,
    perp,
)
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

UNIT_CLAIM = "shin2025.def-parallel-perp"


def _aligned(i: str) -> str:
    return f"tr(T(A{i}) @ B1) = {alpha(f'A{i}')}*{alpha('B1')} and {alpha(f'A{i}')}*{alpha('B1')} = w{i}"


def _aligned_product(g: Goal, i: str) -> None:
    g.intro()
    g.split(earlier(g, UNIT_CLAIM, "part:unit"))
    square = g.by_fact("sqrt_sq", norm2("B1"))
    ref = next(h for h, f in g.seq.hyps.items() if f[0] == "=" and f[1] == "u")
    loss = next(h for h, f in g.seq.hyps.items() if f[0] == "=" and f[2] == f"w{i}")

    def first(k: Goal) -> None:
        k.rewrite(ref)
        k.field((square, f"tr(T(A{i}) @ B1)/sqrt({norm2('B1')})^2"))

    h = g.have(f"tr(T(A{i}) @ B1) = {alpha(f'A{i}')}*{alpha('B1')}", first)
    g.conj(lambda k: k.close_by(h), lambda k: k.field((h, "-1"), (loss, "1")))


@holds("shin2025.eq-16", claim(_aligned("1")), uses=[UNIT_CLAIM], argument="sound", context=CONTEXT)
def first_product(g: Goal) -> None:
    """b_1(inf) = |b_1(inf)| u*, so that only the part of a_1(inf) along u* contributes."""
    _aligned_product(g, "1")


@holds("shin2025.eq-17", claim(_aligned("2")), uses=[UNIT_CLAIM], argument="sound", context=CONTEXT)
def second_product(g: Goal) -> None:
    """b_1(inf) = |b_1(inf)| u*, so that only the part of a_2(inf) along u* contributes."""
    _aligned_product(g, "2")


@holds(
    "shin2025.eq-18", claim(f"{alpha('A1')}^2 + {alpha('A2')}^2 = {alpha('B1')}^2 + {ALPHA0}"), argument="sound", context=CONTEXT
)
def aligned_components_at_infinity(g: Goal) -> None:
    """The conserved quantity alpha_a1^2 + alpha_a2^2 - alpha_b1^2 keeps its initial value in the limit."""
    g.intro()
    h = g.split(conserved(g))[0]
    g.field((h, "1"))


def conserved(g: Goal) -> str:
    """The two conservation laws at infinity."""

    def flow_premise(k: Goal) -> None:
        k.intro()
        k.conj(*[lambda q, h=h: q.nc((h, "1", None, None)) for h in flow_at(k, k.concl[1][1][3])])

    return g.lemma(
        "shin2025.eq-18",
        "part:conserved-at-infinity",
        "n",
        "w1",
        "w2",
        "a1",
        "a2",
        "b1",
        "A1",
        "A2",
        "B1",
        "u",
        by=[flow_premise],
    )


@holds(
    "shin2025.proof-step-beta-integrated",
    claim(f"{beta('B1')} = 0 and {beta('A1')} + {beta('A2')} = {BETA0} and 0 <= {BETA0}"),
    uses=[UNIT_CLAIM, "shin2025.eq-18"],
    argument="sound",
    context=CONTEXT,
)
def perpendicular_parts_at_infinity(g: Goal) -> None:
    """b_1(inf) is along u*; |x|^2 - alpha^2 is the squared part across u*, and both conservation laws hold at infinity."""
    g.intro()
    along, norms = g.split(conserved(g))
    unit = g.split(earlier(g, UNIT_CLAIM, "part:unit"))[1]
    square = g.by_fact("sqrt_sq", norm2("B1"))
    ref = next(h for h, f in g.seq.hyps.items() if f[0] == "=" and f[1] == "u")

    def component(k: Goal) -> None:
        k.rewrite(ref)
        k.field((square, f"-{norm2('B1')}/sqrt({norm2('B1')})^2"))

    size = g.have(f"{alpha('B1')}^2 = {norm2('B1')}", component)
    nothing = g.have(f"{beta('B1')} = 0", lambda k: k.field((size, "-1"), rw=[unit]))
    total = g.have(
        f"{beta('A1')} + {beta('A2')} = {BETA0}",
        lambda k: k.field((norms, "1"), (along, "-1"), (size, "-1"), rw=[unit]),
    )
    g.conj(
        lambda k: k.close_by(nothing),
        lambda k: k.close_by(total),
        lambda k: (k.rewrite(total, back=True), k.auto()),
    )


# ---------------------------------------------------------------------- (19) and (20)

RADICAND_AS_PRINTED = f"sqrt({ALPHA0}^2 + 4*w1^2 + 4*w2^2 - {ALPHA0})"


def at_rest(g: Goal, w1: str, w2: str, a1: str, a2: str, then: Callable[[Goal], None]) -> None:
    """Close the negation by a flow at rest in R^2 with b1 = (1, 0), from which the limits and u are read off."""
    e = "[[1],[0]]"
    g.witness("2", w1, w2, f"lam t:R. {a1}", f"lam t:R. {a2}", f"lam t:R. {e}", a1, a2, e, e)
    rest = lambda k: (k.intro(), k.conj(*[lambda q: q.ext(lambda c: c.field())] * 3))  # noqa: E731
    limit = lambda k: k.close_by(k.fact("tends_matrix_const", "2", "1", k.concl[3]))  # noqa: E731
    number = lambda k: k.field()  # noqa: E731
    reference = lambda k: k.ext(lambda c: c.field())  # noqa: E731
    chain(g, [None, None, None, rest, limit, limit, limit, number, number, reference, then])


def chain(g: Goal, scripts: list[Callable[[Goal], None] | None]) -> None:
    """Prove a conjunction that is nested to the right."""
    if len(scripts) == 1:
        g.run(scripts[0])
        return
    g.conj(scripts[0], lambda k: chain(k, scripts[1:]))


@refuted(
    "shin2025.eq-19",
    claim(f"{alpha('A1')}^2 = 2*w1^2/{RADICAND_AS_PRINTED} and {alpha('A2')}^2 = 2*w2^2/{RADICAND_AS_PRINTED}"),
    argument="repaired",
    context=CONTEXT,
    reason="the radical must end before - alpha_0; at rest at a_1 = a_2 = b_1 = (1, 0), w* = (1, 1), alpha_0 = "
    "1, alpha_a1^2 = 1 but 2/sqrt(8) is printed",
)
def radical_too_long_in_19(g: Goal) -> None:
    """The flow at rest at a_1 = a_2 = b_1 = (1, 0): the square of the printed right side is 1/2, of the left side 1."""
    e = "[[1],[0]]"

    at_rest(g, "1", "1", e, e, lambda k: (k.left_or_right(0), differ(k, "1", "2/sqrt(8)")))


def differ(g: Goal, left: str, right: str) -> None:
    """The two sides of != are these numbers, which differ by ball arithmetic."""
    g.contra("same")
    h = g.have(f"{left} = {right}", lambda k: k.field(("same", "1")))
    unequal = g.have(f"{left} != {right}", lambda k: k.ball())
    g.clash(h, unequal)


@amendment(
    "shin2025.eq-20",
    claim(f"{alpha('B1')}^2 = ({ROOT} - {ALPHA0})/2"),
    says="the radical ends before - alpha_0",
    uses=["shin2025.eq-16", "shin2025.eq-17", "shin2025.eq-18"],
)
def aligned_component_of_b1(g: Goal) -> None:
    """X = alpha_b1^2 satisfies X^2 + alpha_0 X = w1^2 + w2^2, so 2 X + alpha_0 = X + alpha_a1^2 + alpha_a2^2 >= 0 is the root."""
    g.intro()
    first = g.split(earlier(g, "shin2025.eq-16"))[1]
    second = g.split(earlier(g, "shin2025.eq-17"))[1]
    law = earlier(g, "shin2025.eq-18")
    x1, x2, y = alpha("A1"), alpha("A2"), alpha("B1")
    two = f"(2*{y}^2 + {ALPHA0})"
    nonneg = g.have(f"0 <= {two}", lambda k: k.pos([f"{x1}^2"], [f"{x2}^2"], [f"{y}^2"], eqs=[(law, "-1")]))
    square = g.have(
        f"{two}^2 = {ALPHA0}^2 + 4*w1^2 + 4*w2^2",
        lambda k: k.field((first, f"4*({x1}*{y} + w1)"), (second, f"4*({x2}*{y} + w2)"), (law, f"-4*{y}^2")),
    )
    root = g.by_fact(
        "sqrt_unique", f"{ALPHA0}^2 + 4*w1^2 + 4*w2^2", two, by=[lambda k: k.close_by(nonneg), lambda k: k.close_by(square)]
    )
    g.rewrite(root)
    g.field()


@refuted(
    "shin2025.eq-20",
    claim(f"{alpha('B1')}^2 = {RADICAND_AS_PRINTED}/2"),
    argument="repaired",
    context=CONTEXT,
    reason="the radical must end before - alpha_0; at rest at a_1 = a_2 = b_1 = (1, 0), w* = (1, 1): alpha_0 = "
    "1, alpha_b1^2 = 1, printed sqrt(8)/2",
)
def radical_too_long_in_20(g: Goal) -> None:
    """The flow at rest at a_1 = a_2 = b_1 = (1, 0), where alpha_0 = 1: the left side is 1, the printed right side sqrt(2)."""
    e = "[[1],[0]]"
    at_rest(g, "1", "1", e, e, lambda k: differ(k, "1", "sqrt(8)/2"))


@amendment(
    "shin2025.eq-19",
    claim(f"{alpha('A1')}^2 = 2*w1^2/({ROOT} - {ALPHA0}) and {alpha('A2')}^2 = 2*w2^2/({ROOT} - {ALPHA0})"),
    says="the radical ends before - alpha_0",
    uses=["shin2025.eq-16", "shin2025.eq-17", "shin2025.eq-20"],
)
def aligned_components_of_a(g: Goal) -> None:
    """The denominator is 2 alpha_b1^2, and alpha_ai alpha_b1 = w_i1*."""
    g.intro()
    y = alpha("B1")
    products = [g.split(earlier(g, f"shin2025.eq-{k}"))[1] for k in (16, 17)]
    size = earlier(g, "shin2025.eq-20", "amendment")
    s = g.have(f"{ROOT} - {ALPHA0} = 2*{y}^2", lambda k: k.field((size, "-2")))
    g.rewrite(s)
    nonzero_component(g, products[0])
    g.conj(*[lambda k, i=i: k.field((products[i - 1], f"({alpha(f'A{i}')}*{y} + w{i})/{y}^2")) for i in (1, 2)])


def nonzero_component(g: Goal, product: str) -> None:
    """alpha_b1 != 0, because its product with alpha_a1 is w1 != 0."""

    def script(k: Goal) -> None:
        k.contra("zero")
        z = k.have("w1 = 0", lambda q: q.field((product, "-1"), ("zero", alpha("A1"))))
        k.clash(z, next(h for h, f in k.seq.hyps.items() if f == ("!=", "w1", 0)))

    g.have(f"{alpha('B1')} != 0", script)


# ---------------------------------------------------------------------- the ratio and its bounds


def ratio(i: str) -> str:
    """|a_i perp(inf)|^2 / |a_i(inf)|^2."""
    return f"{norm2(perp(f'A{i}'))}/{norm2(f'A{i}')}"


def _ratio_bound(i: str) -> str:
    a = f"A{i}"
    return f"{ratio(i)} = {beta(a)}/({alpha(a)}^2 + {beta(a)}) and {ratio(i)} <= {BETA0}*({ROOT} - {ALPHA0})/(2*w{i}^2)"


SCALAR_BOUND = "all x y w p q:R. x*y = w => w != 0 => 0 <= p => 0 <= q => p/(x^2 + p) <= (p + q)*(2*y^2)/(2*w^2)"


def scalar_bound(g: Goal) -> None:
    """p/(x^2 + p) <= (p + q)/x^2 where x y = w."""
    g.intro("xy", "w_nonzero", "p_nonneg", "q_nonneg")

    def nonzero(k: Goal) -> None:
        k.contra("zero")
        v = k.have("w = 0", lambda q: q.field(("xy", "-1"), ("zero", "y")))
        k.clash(v, "w_nonzero")

    g.have("x != 0", nonzero)
    g.pos(["q", "x^2", "y^2"], ["p", "p", "y^2"], ["q", "p", "y^2"], mul=["x^2 + p", "w^2"], eqs=[("xy", "p*(x*y + w)")])


def _ratio(g: Goal, i: str, j: str) -> None:
    bound = g.have(SCALAR_BOUND, scalar_bound)
    g.intro()
    unit = unit_vector(g)
    a, b = f"A{i}", f"A{j}"
    product = g.split(earlier(g, "shin2025.eq-16" if i == "1" else "shin2025.eq-17"))[1]
    size = earlier(g, "shin2025.eq-20", "amendment")
    total = g.split_all(earlier(g, "shin2025.proof-step-beta-integrated"))[1]
    s = g.have(f"{ROOT} - {ALPHA0} = 2*{alpha('B1')}^2", lambda k: k.field((size, "-2")))
    norm = g.have(f"{norm2(a)} = {alpha(a)}^2 + {beta(a)}", lambda k: k.field(rw=[unit]))
    h = g.apply(bound, alpha(a), alpha("B1"), f"w{i}", beta(a), beta(b), by=[lambda k: k.close_by(product), None, None, None])
    sums = g.have(f"{beta(a)} + {beta(b)} = {BETA0}", lambda k: k.field((total, "1")))
    first = g.have(f"{ratio(i)} = {beta(a)}/({alpha(a)}^2 + {beta(a)})", lambda k: (k.rewrite(norm), k.refl()))

    def second(k: Goal) -> None:
        k.rewrite(first)
        k.rewrite(s)
        k.rewrite(sums, back=True)
        k.close_by(h)

    g.conj(lambda k: k.close_by(first), second)


RATIO_USES = [
    UNIT_CLAIM, "shin2025.eq-16", "shin2025.eq-17", "shin2025.eq-20", "shin2025.proof-step-beta-integrated",
]  # fmt: skip


@holds("shin2025.proof-step-ratio-bound-1", claim(_ratio_bound("1")), uses=RATIO_USES, argument="repaired", context=CONTEXT)
def ratio_of_a1(g: Goal) -> None:
    """|a|^2 = alpha^2 + beta; beta_a1 <= beta_0; alpha_a1^2 = 2 w^2 / S by the corrected (19)."""
    _ratio(g, "1", "2")


@holds("shin2025.proof-step-ratio-bound-2", claim(_ratio_bound("2")), uses=RATIO_USES, argument="repaired", context=CONTEXT)
def ratio_of_a2(g: Goal) -> None:
    """|a|^2 = alpha^2 + beta; beta_a2 <= beta_0; alpha_a2^2 = 2 w^2 / S by the corrected (19)."""
    _ratio(g, "2", "1")


@refuted(
    "shin2025.proof-step-intermediate-bound",
    claim(f"{ratio('1')} <= {BETA0}*({ROOT} - {ALPHA0})/(2*w1)"),
    argument="repaired",
    context=CONTEXT,
    reason="the square of w_11* is missing; at rest at a_1 = (1/2, 1/4), a_2 = b_1 = (1, 0): the left side is "
    "1/5, the printed right side 1/8 "
    "(and for w_11* < 0 the printed right side is negative)",
)
def square_missing_in_the_denominator(g: Goal) -> None:
    """The flow at rest at a_1 = (1/2, 1/4), a_2 = b_1 = (1, 0): beta_0 = 1/16 and S = 2, so 1/5 <= 1/8 is printed."""

    def greater(k: Goal) -> None:
        k.pos(["3/40"])

    at_rest(g, "1/2", "1", "[[1/2],[1/4]]", "[[1],[0]]", greater)


@amendment(
    "shin2025.proof-step-intermediate-bound",
    claim(f"{ratio('1')} <= {BETA0}*({ROOT} - {ALPHA0})/(2*w1^2)"),
    says="w_11* is squared in the denominator",
    uses=["shin2025.proof-step-ratio-bound-1"],
)
def intermediate_bound(g: Goal) -> None:
    """This is the ratio bound."""
    g.intro()
    g.close_by(g.split(earlier(g, "shin2025.proof-step-ratio-bound-1"))[1])


# ---------------------------------------------------------------------- bounds by the initial norms


def row_norms(g: Goal) -> str:
    """|A(0)|_F^2 = |a1(0)|^2 + |a2(0)|^2 by entries."""
    rows = [next(h for h, f in g.seq.hyps.items() if f[0] == "=" and f[1] == ("call", a, 0)) for a in ("a1", "a2")]

    def by_entries(k: Goal) -> None:
        for h in rows:
            k.rewrite(h)
        for h in (
            k.fact("frobenius_entries", "2", "n", "A0"),
            k.fact("tr_entries", "1", "T(T(A0) @ [[1],[0]]) @ (T(A0) @ [[1],[0]])"),
            k.fact("tr_entries", "1", "T(T(A0) @ [[0],[1]]) @ (T(A0) @ [[0],[1]])"),
        ):
            k.rewrite(h)
        k.field()

    return g.have(f"{ROW_NORMS} = {FROBENIUS}", by_entries)


def _beta0_below_norms(g: Goal) -> str:
    """beta_0 = |a1(0)|^2 + |a2(0)|^2 minus three squares."""
    unit = unit_vector(g)
    return g.have(
        f"{BETA0} <= {ROW_NORMS}",
        lambda k: k.pos([f"{alpha('a1(0)')}^2"], [f"{alpha('a2(0)')}^2"], [beta("b1(0)")], rw=[unit]),
    )


@holds(
    "shin2025.proof-step-beta0-upper",
    claim_with_matrix(f"{BETA0} <= {ROW_NORMS} and {ROW_NORMS} = {FROBENIUS}"),
    uses=[UNIT_CLAIM],
    argument="sound",
    context=CONTEXT + "; A(0) is A0, with rows a_1(0) and a_2(0) [notation]",
)
def beta0_is_below_the_norm(g: Goal) -> None:
    """|a|^2 - beta = alpha^2 >= 0 for both rows, and beta_b1(0) >= 0; the Frobenius norm by entries."""
    g.intro()
    h = _beta0_below_norms(g)
    k = row_norms(g)
    g.conj(lambda q: q.close_by(h), lambda q: q.close_by(k))


@holds(
    "shin2025.proof-step-alpha0-range",
    claim_with_matrix(f"-{norm2('b1(0)')} <= {ALPHA0} and {ALPHA0} <= {ROW_NORMS} and {ROW_NORMS} = {FROBENIUS}"),
    uses=[UNIT_CLAIM],
    argument="sound",
    context=CONTEXT + "; A(0) is A0, with rows a_1(0) and a_2(0) [notation]",
)
def range_of_alpha0(g: Goal) -> None:
    """alpha^2 <= |x|^2 for the unit vector u*, since the difference is the squared part across u*."""
    g.intro()
    unit = unit_vector(g)
    k = row_norms(g)
    g.conj(
        lambda q: q.pos([f"{alpha('a1(0)')}^2"], [f"{alpha('a2(0)')}^2"], [beta("b1(0)")], rw=[unit]),
        lambda q: q.pos([beta("a1(0)")], [beta("a2(0)")], [f"{alpha('b1(0)')}^2"], rw=[unit]),
        lambda q: q.close_by(k),
    )


@holds(
    "shin2025.proof-step-f-monotone",
    """all C:R. 0 < C => (all x:R. 0 <= sqrt(x^2 + C) - x) and
       (all x y:R. x < y => sqrt(y^2 + C) - y < sqrt(x^2 + C) - x)""",
    argument="sound",
)
def f_decreases(g: Goal) -> None:
    """sqrt(x^2 + C) > x; and (f(x) - f(y)) (p + q) = (y - x) ((p - x) + (q - y)) where p, q are the two roots."""
    g.intro("positive")

    def root(k: Goal, x: str) -> tuple[str, str]:
        """p^2 = x^2 + C, and x < p."""
        square = k.by_fact("sqrt_sq", f"{x}^2 + C")
        k.have(f"0 < sqrt({x}^2 + C)")

        def above(q: Goal) -> None:
            q.contra("below")
            q.have(f"0 < {x}", lambda c: c.nlin(products=1))
            q.pos(["C"], ["@below", f"{x} + sqrt({x}^2 + C)"], eqs=[(square, "-1")])

        return square, k.have(f"{x} < sqrt({x}^2 + C)", above)

    def nonneg(k: Goal) -> None:
        k.intro()
        h = root(k, "x")[1]
        k.pos([f"@{h}"])

    def decreasing(k: Goal) -> None:
        k.intro("less")
        p, above_x = root(k, "x")
        q, above_y = root(k, "y")
        k.pos(
            ["@less", f"@{above_x}"], ["@less", f"@{above_y}"], mul=["sqrt(x^2 + C) + sqrt(y^2 + C)"], eqs=[(p, "1"), (q, "-1")]
        )

    g.conj(nonneg, decreasing)


def s_at(x: str) -> str:
    return f"sqrt(({x})^2 + 4*w1^2 + 4*w2^2) - ({x})"


B_NORM = norm2("b1(0)")


@holds(
    "shin2025.proof-step-s-upper",
    claim(f"{s_at(ALPHA0)} <= {s_at('-' + B_NORM)} and {s_at('-' + B_NORM)} = sqrt({B_NORM}^2 + 4*(w1^2 + w2^2)) + {B_NORM}"),
    uses=[UNIT_CLAIM, "shin2025.proof-step-f-monotone"],
    argument="sound",
    context=CONTEXT,
)
def s_is_largest_at_the_lower_end(g: Goal) -> None:
    """-|b_1(0)|^2 <= alpha_0, and f decreases."""
    g.intro()
    unit = unit_vector(g)
    low = f"(-{B_NORM})"
    h = g.have(
        f"{low} <= {ALPHA0}", lambda q: q.pos([f"{alpha('a1(0)')}^2"], [f"{alpha('a2(0)')}^2"], [beta("b1(0)")], rw=[unit])
    )
    m = g.split(g.lemma("shin2025.proof-step-f-monotone", "statement", "4*w1^2 + 4*w2^2"))[1]
    either = g.by_fact("lt_or_eq", low, ALPHA0, by=[lambda q: q.close_by(h)])

    def strict(k: Goal, less: str) -> None:
        s = k.apply(m, low, ALPHA0, by=[lambda q: q.close_by(less)])
        k.pos([f"@{s}"])

    def equal(k: Goal, same: str) -> None:
        k.rewrite(same, back=True)
        k.auto()

    def first(k: Goal) -> None:
        k.cases(either, lambda q: strict(q, "case"), lambda q: equal(q, "case"), name="case")

    g.conj(first, lambda k: k.field())


def _final(i: str) -> str:
    return f"{ratio(i)} <= {FROBENIUS}*(sqrt({B_NORM}^2 + 4*(w1^2 + w2^2)) + {B_NORM})/(2*w{i}^2)"


def _final_bound(g: Goal, i: str) -> None:
    lemma = g.have(
        "all r p q s m f w:R. r <= p*s/(2*w^2) => p <= q => q = f => s <= m => 0 <= p => 0 <= m => w != 0 => r <= f*m/(2*w^2)",
        lambda k: (
            k.intro("a", "b", "c", "e", "p_nonneg", "m_nonneg", "w_nonzero"),
            k.pos(["@a"], ["@b", "m", "1/(2*w^2)"], ["@e", "p", "1/(2*w^2)"], eqs=[("c", "-m/(2*w^2)")]),
        ),
    )
    g.intro()
    bound = g.split(earlier(g, f"shin2025.proof-step-ratio-bound-{i}"))[1]
    upper = g.split(earlier(g, "shin2025.proof-step-beta0-upper", "statement", "A0"))
    s = g.split(earlier(g, "shin2025.proof-step-s-upper"))
    beta0 = g.split_all(earlier(g, "shin2025.proof-step-beta-integrated"))[-1]
    top = f"(sqrt({B_NORM}^2 + 4*(w1^2 + w2^2)) + {B_NORM})"
    small = g.rewritten(s[0], s[1])
    h = g.apply(
        lemma, ratio(i), BETA0, ROW_NORMS, f"{ROOT} - {ALPHA0}", top, FROBENIUS, f"w{i}",
        by=[*[lambda k, x=x: k.close_by(x) for x in (bound, *upper, small, beta0)], None, None],
    )  # fmt: skip
    g.close_by(h)


FINAL_USES = [
    "shin2025.proof-step-beta0-upper", "shin2025.proof-step-s-upper", "shin2025.proof-step-beta-integrated",
]  # fmt: skip


@holds(
    "shin2025.proof-step-final-bound-1",
    claim_with_matrix(_final("1")),
    uses=["shin2025.proof-step-ratio-bound-1", *FINAL_USES],
    argument="sound",
    context=CONTEXT + "; A(0) is A0, with rows a_1(0) and a_2(0) [notation]",
)
def final_bound_of_a1(g: Goal) -> None:
    """The product of the two upper bounds 0 <= beta_0 <= |A(0)|^2 and S <= S(-|b_1(0)|^2) in the ratio bound."""
    _final_bound(g, "1")


@holds(
    "shin2025.proof-step-final-bound-2",
    claim_with_matrix(_final("2")),
    uses=["shin2025.proof-step-ratio-bound-2", *FINAL_USES],
    argument="sound",
    context=CONTEXT + "; A(0) is A0, with rows a_1(0) and a_2(0) [notation]",
)
def final_bound_of_a2(g: Goal) -> None:
    """The product of the two upper bounds 0 <= beta_0 <= |A(0)|^2 and S <= S(-|b_1(0)|^2) in the ratio bound."""
    _final_bound(g, "2")


def _theorem(i: str) -> str:
    return f"{ratio(i)} <= {FROBENIUS}*{S_BOUND}/(2*w{i}^2)"


@holds(
    "shin2025.theorem-1",
    claim_with_matrix(f"{_theorem('1')} and {_theorem('2')}"),
    uses=["shin2025.proof-step-final-bound-1", "shin2025.proof-step-final-bound-2"],
    argument="repaired",
    context=CONTEXT + "; A(0) is A0, with rows a_1(0) and a_2(0) [notation]",
    reason="the argument passes through (19) and (20), whose radical is printed too long; with the radical corrected it stands",
)
def alignment_bound(g: Goal) -> None:
    """The final bounds for both rows."""
    g.intro()

    def one(k: Goal, i: str) -> None:
        h = earlier(k, f"shin2025.proof-step-final-bound-{i}", "statement", "A0")
        root = f"sqrt({B_NORM}^2 + 4*w1^2 + 4*w2^2)"
        same = k.have(f"{root} = sqrt({B_NORM}^2 + 4*(w1^2 + w2^2))", lambda q: q.field())
        k.rewrite(same)
        k.close_by(h)

    g.conj(lambda k: one(k, "1"), lambda k: one(k, "2"))


def _relative(i: str) -> str:
    return f"{beta(f'A{i}')} <= {BETA0} and {ratio(i)} <= {BETA0}*{S_BOUND}/(2*w{i}^2)"


@holds(
    "shin2025.assertion-f1-beta0-small",
    claim_with_matrix(f"({_relative('1')}) and ({_relative('2')}) and {BETA0} <= {ROW_NORMS} and {ROW_NORMS} = {FROBENIUS}"),
    uses=["shin2025.proof-step-ratio-bound-1", "shin2025.proof-step-ratio-bound-2", *FINAL_USES],
    argument="sound",
    reading="the parts of a_1(inf), a_2(inf) across u* are at most beta_0, absolutely and, up to a factor that "
    "depends only on b_1(0) and the "
    "observations, relative to their norms; beta_0 is at most the sum of the squared norms of a_1(0) and a_2(0)",
    context=CONTEXT + "; A(0) is A0, with rows a_1(0) and a_2(0) [notation]",
)
def small_beta0_aligns(g: Goal) -> None:
    """beta_a1 + beta_a2 = beta_0 at infinity with both nonnegative; the ratio bounds with S(alpha_0) <= S(-|b_1(0)|^2)."""
    lemma = g.have(
        "all r p s m w:R. r <= p*s/(2*w^2) => s <= m => 0 <= p => w != 0 => r <= p*m/(2*w^2)",
        lambda k: (k.intro("a", "e", "p_nonneg", "w_nonzero"), k.pos(["@a"], ["@e", "p", "1/(2*w^2)"])),
    )
    part_of_sum = g.have(
        "all x y z:R. x + y = z => 0 <= x => 0 <= y => x <= z and y <= z",
        lambda k: (
            k.intro("both", "x_", "y_"),
            k.conj(lambda q: q.pos(["y"], eqs=[("both", "-1")]), lambda q: q.pos(["x"], eqs=[("both", "-1")])),
        ),
    )
    g.intro()
    upper = g.split(earlier(g, "shin2025.proof-step-beta0-upper", "statement", "A0"))
    s = g.split(earlier(g, "shin2025.proof-step-s-upper"))
    _, total, beta0 = g.split_all(earlier(g, "shin2025.proof-step-beta-integrated"))
    root = f"sqrt({B_NORM}^2 + 4*w1^2 + 4*w2^2)"
    same = g.have(f"sqrt({B_NORM}^2 + 4*(w1^2 + w2^2)) = {root}", lambda q: q.field())
    small = g.rewritten(g.rewritten(s[0], s[1]), same)
    sums = g.split(g.apply(part_of_sum, beta("A1"), beta("A2"), BETA0, by=[lambda k: k.close_by(total), Goal.auto, Goal.auto]))

    def one(k: Goal, i: str) -> None:
        bound = k.split(earlier(k, f"shin2025.proof-step-ratio-bound-{i}"))[1]
        h = k.apply(
            lemma, ratio(i), BETA0, f"{ROOT} - {ALPHA0}", S_BOUND, f"w{i}",
            by=[*[lambda q, x=x: q.close_by(x) for x in (bound, small, beta0)], None],
        )  # fmt: skip
        k.conj(lambda q: q.close_by(sums[int(i) - 1]), lambda q: q.close_by(h))

    g.conj(lambda k: one(k, "1"), lambda k: one(k, "2"), lambda k: k.close_by(upper[0]), lambda k: k.close_by(upper[1]))
