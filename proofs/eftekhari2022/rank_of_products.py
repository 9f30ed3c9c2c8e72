"""Sections 2 to 4, Appendix B: ranks of products, and what is kept along the balanced gradient flow of the layers."""

from __future__ import annotations

from proofs.eftekhari2022.invariant_sets import ALIGNED, LARGE, member
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, INDUCED, INDUCED_VARIABLES, ROOTS_READING
from proofs.eftekhari2022.theorem_twenty import BALANCED, FLOW, GAMMA, NETWORK, ONE_NEURON, PADDING, TARGET
from proofs.eftekhari2022.theorem_twenty_rates import induced
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

SPLIT = "all x y r:Z, W:M(y,x), P:M(y,r), Q:M(r,x). 0 <= x => 0 <= y => 0 <= r => W = P @ Q => rank(W) = r =>"
CUT = "P and Q are the products of the layers above and below a layer of width r"


def bounds(g: Goal) -> tuple[str, str, str, str]:
    """Adds rank(PQ) <= rank P <= r and rank(PQ) <= rank Q <= r."""
    both = g.fact("rank_product", "y", "r", "x", "P", "Q")
    left, right = g.split(both)
    _, _, columns = g.split(g.by_fact("rank_bounds", "y", "r", "P"))
    _, rows, _ = g.split(g.by_fact("rank_bounds", "r", "x", "Q"))
    return left, right, columns, rows


@holds("eftekhari2022.eq-55", f"{SPLIT} r <= min(rank(P), rank(Q))", argument="sound", reading=CUT)
def ranks_of_the_factors_from_below(g: Goal) -> None:
    """The rank of a product is at most that of each factor."""
    *_, product, rank = g.intro()
    left, right, _, _ = bounds(g)
    left, right = (g.rewritten(h, g.have("P @ Q = W", lambda g: g.nc((product, -1, None, None)))) for h in (left, right))
    low = [g.have(f"r <= rank({x})", lambda g, h=h: g.pos([f"@{h}"], eqs=[(rank, 1)])) for x, h in (("P", left), ("Q", right))]
    smaller = g.fact("min_cases", "rank(P)", "rank(Q)")

    def case(h: str) -> Script:
        def script(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            g.pos([f"@{h}"], eqs=[(eq, 1)])

        return script

    g.cases(smaller, case(low[0]), case(low[1]))


@holds(
    "eftekhari2022.eq-56",
    "all x y r:Z, P:M(y,r), Q:M(r,x). 0 <= x => 0 <= y => 0 <= r => max(rank(P), rank(Q)) <= r",
    argument="sound",
    reading=CUT,
)
def ranks_of_the_factors_from_above(g: Goal) -> None:
    """P has r columns and Q has r rows."""
    g.intro()
    _, _, columns, rows = bounds(g)
    larger = g.fact("max_cases", "rank(P)", "rank(Q)")

    def case(h: str) -> Script:
        def script(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            g.pos([f"@{h}"], eqs=[(eq, -1)])

        return script

    g.cases(larger, case(rows), case(columns))


@holds(
    "eftekhari2022.eq-54",
    f"{SPLIT} P @ Q = W and rank(W) = rank(P) and rank(P) = rank(Q) and rank(Q) = r",
    argument="sound",
    reading=CUT,
)
def ranks_of_the_factors(g: Goal) -> None:
    """Between the two bounds."""
    *_, product, rank = g.intro()
    left, right, columns, rows = bounds(g)
    back = g.have("P @ Q = W", lambda g: g.nc((product, -1, None, None)))
    left, right = g.rewritten(left, back), g.rewritten(right, back)
    p = g.have("rank(P) = r", lambda g: g.antisym(using(columns), lambda g: g.pos([f"@{left}"], eqs=[(rank, 1)])))
    q = g.have("rank(Q) = r", lambda g: g.antisym(using(rows), lambda g: g.pos([f"@{right}"], eqs=[(rank, 1)])))
    g.conj(using(back), lambda g: g.field((rank, 1), (p, -1)), lambda g: g.field((p, 1), (q, -1)), using(q))


@holds(
    "eftekhari2022.eq-58-59",
    """all x y k n r:Z, A:M(n,x), B:M(y,k), M:M(k,n), P D1:M(y,r), Q D2:M(r,x), P2:M(r,y), Q2:M(x,r).
       P @ Q = B @ M @ A => P2 @ P = I(r) => Q @ Q2 = I(r) =>
       (B + D1 @ P2 @ B) @ M @ (A + A @ Q2 @ D2) = (I(y) + D1 @ P2) @ P @ Q @ (I(x) + Q2 @ D2) and
       (I(y) + D1 @ P2) @ P @ Q @ (I(x) + Q2 @ D2) = (P + D1) @ (Q + D2)""",
    argument="sound",
    reading="N >= 2 (for N = 1 the formulas name one layer twice); A = W_1 has n rows and B = W_N has k columns, M is the product of the layers "
    "2..N-1, whose perturbations are 0 (the identity for N = 2); the cut j_0 enters through P Q = W_N...W_1 alone, so it may lie anywhere, "
    "the ends included, where P or Q is the identity; P2 and Q2 stand for the pseudo-inverses of P and Q, of which P2 P = I and Q Q2 = I "
    "are used; D1, D2 stand for Delta_P, Delta_Q",
)
def perturbed_layers(g: Goal) -> None:
    """Multiply out."""
    whole, pp, qq = g.intro()
    g.conj(
        lambda g: g.nc((whole, -1, "I(y) + D1 @ P2", "I(x) + Q2 @ D2")),
        lambda g: g.nc((pp, 1, "D1", "Q"), (pp, 1, "D1", "Q @ Q2 @ D2"), (qq, 1, "P", "D2"), (qq, 1, "D1", "D2")),
    )


@holds(
    "eftekhari2022.assertion-product-rank",
    "all x y d:Z, P:M(y,d), Q:M(d,x). 0 <= x => 0 <= y => 0 <= d => rank(P @ Q) <= d and rank(P @ Q) <= x and rank(P @ Q) <= y",
    argument="sound",
    reading="the product is cut at any layer, of width d: P and Q are the products above and below it; so its rank is at most each width",
)
def rank_is_at_most_each_width(g: Goal) -> None:
    """The rank of a product is at most the inner dimension."""
    g.intro()
    left, _ = g.split(g.fact("rank_product", "y", "d", "x", "P", "Q"))
    _, _, columns = g.split(g.by_fact("rank_bounds", "y", "d", "P"))
    _, rows, cols = g.split(g.by_fact("rank_bounds", "y", "x", "P @ Q"))
    g.conj(lambda g: g.pos([f"@{left}"], [f"@{columns}"]), using(cols), using(rows))


@holds(
    "eftekhari2022.assertion-40-impossible",
    """all x y r k:Z, Z W:M(y,x). 1 <= x => 1 <= y => k = min(x,y) => r < rank(Z) => rank(W) <= r =>
       not tr(T(Z - W) @ (Z - W)) < sv(Z,k)^2""",
    argument="sound",
    reading="s_min(Z) is the smallest of the min(d_x, d_y) singular values, and W the product of the initial layers, of rank at most r; "
    "both sides of (40) are squared",
)
def low_rank_is_far(g: Goal) -> None:
    """|Z - W| >= |Z - W|_2 >= s_k(Z) for k > rank(W), by Eckart and Young."""
    _, _, least, more, low = g.intro()
    near = g.assume()
    _, rows, cols = g.split(g.by_fact("rank_bounds", "y", "x", "Z"))
    cases = g.fact("min_cases", "x", "y")

    def inside(g: Goal) -> None:
        g.cases(cases, lambda g: each(g, cols), lambda g: each(g, rows))

    def each(g: Goal, h: str) -> None:
        _, eq = g.split(next(reversed(g.seq.hyps)))
        g.pos([f"@{h}"], [f"@{more}"], [f"@{low}"], eqs=[(eq, 1), (least, 1)])

    small = g.have("rank(W) < k", inside)
    positive, _, _ = g.split(g.by_fact("rank_bounds", "y", "x", "W"))
    one = g.by_fact("int_lt", "rank(W)", "k", by=[using(small)])
    g.have("1 <= k", lambda g: g.pos([f"@{one}"], [f"@{positive}"]))
    bound = g.by_fact("eckart_young_spectral", "y", "x", "k", "Z", "W", by=[None, using(small)])
    own = g.fact("spec_is_sv", "y", "x", "Z - W")
    total = g.by_fact("sv_frobenius", "y", "x", "Z - W")
    first = g.by_fact("sum_first", 1, "x", "lam i:Z. sv(Z - W,i)^2")
    rest = g.by_fact("sum_nonneg", 2, "x", "lam i:Z. sv(Z - W,i)^2", by=[lambda g: g.intro() and g.auto()])
    order = g.fact("sv_range", "y", "x", "Z")
    nonneg, _ = g.split(g.apply(order, "k", "k"))
    top = "spec(Z - W)"
    big = g.have(
        f"sv(Z,k)^2 <= {top}^2",
        lambda g: g.pos([f"@{bound}", f"{top} + sv(Z,k)"], side={f"0 <= {top}": lambda g: g.pos([f"@{bound}"], [f"@{nonneg}"])}),
    )
    g.pos([f"@{near}"], [f"@{big}"], [f"@{rest}"], eqs=[(own, f"-({top} + sv(Z - W,1))"), (total, 1), (first, 1)])


@holds(
    "eftekhari2022.eq-108",
    f"all {INDUCED_VARIABLES}. 1 <= x => 1 <= y => det(X @ T(X)) != 0 => {INDUCED} all t:R. 0 <= t => rank(E(t)) = rank(E(0))",
    argument="repaired",
    reason="see Lemma 11",
    reading=ROOTS_READING,
    uses=["eftekhari2022.lemma-11"],
)
def rank_invariance(g: Goal) -> None:
    """Lemma 11."""
    names = g.intro(split=False)
    h = g.lemma("eftekhari2022.lemma-11", "statement", *FLOW_TERMS[:9], by=[using(k) for k in names[:6]])
    g.close_by(g.apply(h, "t", by=[using(names[-1])]))


@holds(
    "eftekhari2022.step-rank-stays",
    f"""all {NETWORK}, r:Z. 1 <= x => 1 <= y => det(X @ T(X)) != 0 => {FLOW} {BALANCED} rank(E(0)) = r =>
       all t:R. 0 <= t => rank(E(t)) = r""",
    argument="repaired",
    reason="by Lemma 11, whose printed proof is repaired",
    reading=f"{PADDING.split('; r = 1')[0]}; that the product of the layers has rank r is membership in the set (20)",
    uses=["eftekhari2022.eq-17", "eftekhari2022.lemma-11"],
)
def balanced_flow_keeps_the_rank(g: Goal) -> None:
    """The product follows the induced flow."""
    names = g.intro(split=False)
    layers, start, now = names[3:9], names[9], names[10]
    h = g.lemma(
        "eftekhari2022.eq-17", "part:induced", "x", "y", "m", "n", "N", "X", "Y", *"ABWPQE", by=[using(k) for k in layers]
    )
    roots, flow = g.obtain(h, "S", "H")
    k = g.lemma(
        "eftekhari2022.lemma-11", "statement", *FLOW_TERMS[:9], by=[using(x) for x in (*names[:3], names[3], roots, flow)]
    )
    same = g.apply(k, "t", by=[using(now)])
    g.rewrite(same)
    g.close_by(start)


TARGETED = f"all {NETWORK}, Z Z1:M(y,x), uZ:V(y), vZ:V(x). {FLOW} {BALANCED} {ONE_NEURON} {TARGET}"


@holds(
    "eftekhari2022.eq-121",
    f"""{TARGETED} all w:R. {GAMMA} <= w => w < 1 => {member("0", LARGE, ALIGNED)} => all t:R. 0 <= t => {member("t", LARGE, ALIGNED)}""",
    argument="sound",
    reading=f"w stands for alpha; {PADDING}",
    context="N >= 2, whitened data and the spectral gap [Assumption 14]",
    uses=["eftekhari2022.eq-17", "eftekhari2022.lemma-22"],
)
def balanced_flow_stays_in_the_stable_set(g: Goal) -> None:
    """Lemma 22 for the product of the layers."""
    names = g.intro(split=False)
    flow = induced(g, names)
    h = g.lemma("eftekhari2022.lemma-22", "statement", *FLOW_TERMS, by=[using(k) for k in flow])
    h = g.apply(h, "w", by=[using(k) for k in names[17:20]])
    g.close_by(g.apply(h, "t", by=[using(names[20])]))
