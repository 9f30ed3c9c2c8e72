"""Section 3.2, the abstract and Appendix D at depth three and more: what couples the dynamics, and initialisations that do
not."""

from __future__ import annotations

from proofs.bai2024.graphs import by_values
from proofs.shin2025.coupling import FACTORS, clash_of_inner_products, observations_in_two_parts, positive_start
from proofs.shin2025.decoupled_factors import IDENTITY_SETTING, decoupled_from_identity, last, lemma_9, singletons
from proofs.shin2025.diagonal_flow import FLOW, PRODUCTS
from proofs.shin2025.entries_of_2x2 import at_different_rows, at_each_entry
from proofs.shin2025.gradients import DIAGONAL_DECOUPLED, decoupled, deep_inner, masked
from proofs.shin2025.partitions import inside
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

VARIABLES = "all d L:Z, ws:R, W P Q:(Z,R)~>M(d,d)."
MASK_DECOUPLED = decoupled(masked, deep_inner)
FULL = "(all l i j:Z. 1 <= l and l <= L and 1 <= i and i <= d and 1 <= j and j <= d => W(l,0)[i,j] != 0)"
NOT_DIAGONAL = "(ex l i j:Z. 1 <= l and l <= L and 1 <= i and i <= d and 1 <= j and j <= d and i != j and W(l,0)[i,j] != 0)"
EXAMPLE = "W_1 = [1,3; 1,1], W_2 = [3,1; 1,1], W_3 = [1,1; 1,-1] with observed values 6"
REASON = (
    f"{EXAMPLE}: the product has the diagonal 6, 6, so nothing moves, and the rows of W_3 are orthogonal, so the gradients of"
    f" w_11 and w_22"
    " are orthogonal for all t"
)


@part(
    "shin2025.assertion-gaussian-coupled",
    "positive-factors",
    f"""all d L:Z, Om:M(d,d), W P Q:(Z,R)~>M(d,d). 1 <= d => 3 <= L => {PRODUCTS} => {FACTORS} => not {MASK_DECOUPLED}""",
    says="For L >= 3 factors with positive entries give coupled dynamics whatever the observations.",
    uses=["shin2025.prop-3-deep-coupled"],
)
def positive_factors_are_coupled(g: Goal) -> None:
    """All inner products of gradients are positive at t = 0."""
    g.fix()
    for name in ("size", "depth", "products", "factors", "system"):
        g.assume(name)
    one, two, zero = observations_in_two_parts(g)
    inside(g, "i", "j", one[0])
    inside(g, "x", "y", two[0])
    clash_of_inner_products(g, zero)


def through(values: list[int]) -> str:
    """The polynomial in l that takes these values at l = 0, 1, 2, 3."""
    basis = ["(l-1)*(l-2)*(l-3)/(-6)", "l*(l-2)*(l-3)/2", "l*(l-1)*(l-3)/(-2)", "l*(l-1)*(l-2)/6"]
    return " + ".join(f"{v}*({b})" for v, b in zip(values, basis, strict=True) if v) or "0"


def family(matrices: list[list[list[int]]]) -> str:
    """A function of l and t with these 2 x 2 matrices at l = 0, 1, 2, 3."""
    rows = [[through([m[i][j] for m in matrices]) for j in (0, 1)] for i in (0, 1)]
    return "lam l:Z, t:R. [[" + "],[".join(",".join(r) for r in rows) + "]]"


UNIT, ONE, SECOND, THIRD = [[1, 0], [0, 1]], [[1, 3], [1, 1]], [[3, 1], [1, 1]], [[1, 1], [1, -1]]
RIGHT, WHOLE, LEFT = [[4, 10], [2, 4]], [[6, 14], [2, 6]], [[4, 2], [2, 0]]
FACTOR = family([UNIT, ONE, SECOND, THIRD])
BELOW = family([UNIT, ONE, RIGHT, WHOLE])
ABOVE = family([WHOLE, LEFT, THIRD, UNIT])


def at_each_layer(g: Goal, low: int, high: int) -> None:
    """Close an equation of literal 2 x 2 matrices for every layer from low to high <= 3; for high = 2 the hypothesis is l < 3."""
    g.fix()
    here = next(iter(g.seq.ctx))
    while g.concl[0] == "=>":
        h = g.assume()
        if g.hyp_formula(h)[0] == "and":
            g.split(h)

    def within(g: Goal) -> None:
        g.apply(g.fact("int_lt", here, "3"))
        g.nlin(products=1)

    if high == 2:
        g.have(f"{here} <= 2", within)
    by_values(g, here, low, high, lambda g, v: (g.rewrite(last(g)), g.ext(lambda g: g.field())))


def at_rest_with_orthogonal_rows(g: Goal) -> None:
    """The hypotheses and the partition of the counterexample, d = 2, L = 3, ws = 6."""

    def entries(g: Goal) -> None:
        g.fix("l", "i", "j")
        g.split(g.assume())

        def layer(g: Goal, v: int) -> None:
            x = last(g)

            def entry(g: Goal, i: int, j: int) -> None:
                g.rewrite(x)
                g.field()

            at_each_entry(g, entry)

        by_values(g, "l", 1, 3, layer)

    def orthogonal(g: Goal) -> None:
        for h in [n for n, f in g.seq.hyps.items() if f[0] == "="]:
            g.rewrite(h)
        at_different_rows(g, next(n for n, f in g.seq.hyps.items() if f == ("!=", "i", "x")))

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "ex" and c[1][0][0] == "K":
            singletons(g, orthogonal, "2")
        elif c[0] == "ex":
            g.witness("1", "1", "2")
            g.conj(*[None] * 6, lambda g: g.field())
        elif c[0] == "all" and len(c[1]) == 3:
            entries(g)
        elif c[0] == "all" and len(c[1]) == 2:
            at_each_layer(g, 1, 3) if "D" in str(c) else at_each_layer(g, 0, 2)
        elif c[0] == "all":
            g.fix()
            g.ext(lambda g: g.field())
        else:
            g.auto()

    close(g)


@refuted(
    "shin2025.assertion-abstract-coupling",
    f"{VARIABLES} 2 <= d => 3 <= L => 0 < ws => {PRODUCTS} => {FLOW} => {NOT_DIAGONAL} => not {DIAGONAL_DECOUPLED}",
    argument="fails",
    context="identical positive diagonal observations, square factors [Section 3.2]",
    reading="an initialisation is diagonal if all its factors are",
    reason=REASON + "; here d = 2 and L = 3",
)
def a_start_that_is_not_diagonal_and_decoupled(g: Goal) -> None:
    """d = 2, L = 3: a start that meets the observations, with orthogonal rows of the last factor."""
    g.witness("2", "3", "6", FACTOR, BELOW, ABOVE)
    at_rest_with_orthogonal_rows(g)


@refuted(
    "shin2025.assertion-d1-w2-shared",
    f"{VARIABLES} d = 2 => L = 3 => {PRODUCTS} => {FLOW} => {FULL} => not {DIAGONAL_DECOUPLED}",
    argument="fails",
    reading="these elements: all entries of all factors at the start (the strongest sense)",
    context="equal observed values [Appendix D.1]",
    reason=REASON,
)
def nonzero_entries_do_not_couple(g: Goal) -> None:
    """A start that meets the observations, with orthogonal rows of the last factor."""
    g.witness("2", "3", "6", FACTOR, BELOW, ABOVE)
    at_rest_with_orthogonal_rows(g)


@amendment(
    "shin2025.assertion-abstract-coupling",
    f"{VARIABLES} 2 <= d => 3 <= L => 0 < ws => {PRODUCTS} => {FLOW} => {FACTORS} => not {DIAGONAL_DECOUPLED}",
    says="For L >= 3 the dynamics with diagonal observations are coupled if all factors start with positive entries (as the"
    " family (7) does).",
    uses=["shin2025.prop-3-deep-coupled"],
)
def positive_starts_are_coupled(g: Goal) -> None:
    """All inner products of gradients are positive at t = 0."""
    g.fix()
    for name in ("size", "depth", "target", "products", "flow", "factors", "system"):
        g.assume(name)
    g.have("1 <= d")
    positive_start(g)


@amendment(
    "shin2025.assertion-d1-w2-shared",
    f"{VARIABLES} d = 2 => L = 3 => {PRODUCTS} => {FLOW} => {FACTORS} => not {DIAGONAL_DECOUPLED}",
    says="For d = 2 and L = 3 the dynamics are coupled if all entries of the factors are positive at the start.",
    uses=["shin2025.prop-3-deep-coupled"],
)
def positive_starts_of_three_factors_are_coupled(g: Goal) -> None:
    """All inner products of gradients are positive at t = 0."""
    g.fix()
    for name in ("size", "layers", "products", "flow", "factors", "system"):
        g.assume(name)
    g.have("1 <= d")
    g.have("3 <= L")
    positive_start(g)


@holds(
    "shin2025.assertion-d2-alpha-identity",
    f"""{IDENTITY_SETTING.format("2 <= L")} {DIAGONAL_DECOUPLED} and
        (d = 2 => L = 3 => all t:R. 0 <= t => P(3,t)[1,2] = 0 and P(3,t)[2,1] = 0 and
           P(3,t)[1,1] = W(1,t)[1,1]*W(2,t)[1,1]*W(3,t)[1,1] and P(3,t)[2,2] = W(1,t)[2,2]*W(2,t)[2,2]*W(3,t)[2,2])""",
    argument="sound",
    context="identical positive diagonal observations, square factors, gradient flow (3) [(3)]",
    uses=["shin2025.lemma-9", "shin2025.prop-3-minf-decoupled"],
)
def scaled_identities_are_decoupled(g: Goal) -> None:
    """As in Proposition 3; the entries of a product of three diagonal 2 x 2 matrices."""
    g.fix()
    for name in ("size", "depth", "target", "scale", "products", "flow", "initial"):
        g.assume(name)
    g.have("1 <= d")
    g.have("1 <= L")

    def product(g: Goal) -> None:
        g.assume("two")
        g.assume("three")
        g.fix("t")
        g.assume("time")
        lemma = lemma_9(g)
        for here in (1, 2, 3):
            g.apply(lemma, here, 1, 2, "t", name=f"w{here}12")
            g.apply(lemma, here, 2, 1, "t", name=f"w{here}21")
        p0, step, _, _ = g.split_all("products")
        zero = g.apply(p0, "t")
        one = g.apply(step, "0", "t")
        second = g.apply(step, "1", "t")
        third = g.apply(step, "2", "t")
        three = g.have("P(3,t) = W(3,t) @ P(2,t)", lambda g: g.nc((third, 1, None, None)))
        two = g.have("P(2,t) = W(2,t) @ P(1,t)", lambda g: g.nc((second, 1, None, None)))
        first = g.have("P(1,t) = W(1,t)", lambda g: g.nc((one, 1, None, None), rw=[zero]))

        def entries(g: Goal, i: int, j: int) -> None:
            h = g.apply(g.fact("mm_entry", "d", "d", "d", "W(3,t)", "P(2,t)"), i, j)
            rest = [g.apply(g.fact("mm_entry", "d", "d", "d", "W(2,t)", "W(1,t)"), k, j) for k in (1, 2)]
            whole = g.have(f"P(3,t)[{i},{j}] = (W(3,t) @ P(2,t))[{i},{j}]", lambda g: (g.rewrite(three), g.refl()))
            inner = [
                g.have(f"P(2,t)[{k},{j}] = (W(2,t) @ W(1,t))[{k},{j}]", lambda g: (g.rewrite(two), g.rewrite(first), g.refl()))
                for k in (1, 2)
            ]
            g.rewrite(whole)
            g.rewrite(h)
            g.rewrite("two")
            g.replace(
                f"sum(l, 1, 2, W(3,t)[{i},l]*P(2,t)[l,{j}])",
                f"W(3,t)[{i},1]*P(2,t)[1,{j}] + W(3,t)[{i},2]*P(2,t)[2,{j}]",
                lambda g: g.field(),
            )
            for e, r in zip(inner, rest, strict=True):
                g.rewrite(e)
                g.rewrite(r)
            g.rewrite("two")
            g.field(rw=[f"w{here}{p}" for here in (1, 2, 3) for p in ("12", "21")])

        g.conj(*[lambda g, i=i, j=j: entries(g, i, j) for i, j in ((1, 2), (2, 1), (1, 1), (2, 2))])

    g.conj(decoupled_from_identity, product)
