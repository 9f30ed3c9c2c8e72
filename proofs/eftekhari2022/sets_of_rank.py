"""Section 3 and Appendix H: the tuples whose product has the largest rank; balanced tuples."""

from __future__ import annotations

from proofs.eftekhari2022.product_map import CLAIM as SURJECTIVE
from proofs.eftekhari2022.product_map import LAYERS, NAMES, READING, SETTING, VARIABLES, corner
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

SET = "eftekhari2022.def-m-rank-set"


@part(
    SET,
    "full-rank",
    "all x y r:Z. 0 <= r => r <= x => r <= y => ex W:M(y,x). rank(W) = r",
    says="matrices of every possible rank exist",
    uses=[SURJECTIVE],
)
def matrices_of_each_rank(g: Goal) -> None:
    """J_y J_x^T with the embeddings of the first r coordinates."""
    g.fix()
    low, wide, high = g.assume(), g.assume(), g.assume()
    one = corner(g, "x", "r", "J", low, wide)[0]
    two = corner(g, "y", "r", "K", low, high)[0]
    g.have("0 <= y", lambda g: g.pos([f"@{low}"], [f"@{high}"]))
    g.witness("K @ T(J)")
    left = g.split(g.fact("rank_product", "y", "r", "x", "K", "T(J)"))[0]
    most = g.split(g.by_fact("rank_bounds", "y", "r", "K"))[2]
    unit = g.have("T(K) @ (K @ T(J) @ J) = I(r)", lambda g: g.nc((two, 1, None, "T(J) @ J"), (one, 1, None, None)))
    _, back = g.split(g.by_fact("rank_full", "r", "I(r)", by=[using(low)]))
    det = g.fact("det_identity", "r")
    full = g.apply(back, by=[lambda g: (g.rewrite(det), g.auto())[-1]])
    a = g.rewritten(g.split(g.fact("rank_product", "r", "y", "r", "T(K)", "K @ T(J) @ J"))[1], unit)
    b = g.split(g.fact("rank_product", "y", "x", "r", "K @ T(J)", "J"))[0]
    same = g.have(("=", g.hyp_formula(b)[1][2], g.term("K @ T(J) @ J")), lambda g: g.nc())
    b = g.rewritten(b, same)
    g.antisym(lambda g: g.pos([f"@{left}"], [f"@{most}"]), lambda g: g.pos([f"@{a}"], [f"@{b}"], eqs=[(full, 1)]))


@holds(
    SET,
    f"{SETTING} ex {VARIABLES}. {LAYERS} and rank(B @ Q(N-1)) = r",
    argument="sound",
    reading=f"well-formed and not empty; {READING}",
    uses=[SURJECTIVE],
)
def tuples_of_the_largest_rank_exist(g: Goal) -> None:
    """The product map is onto."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    h = g.lemma(SET, "part:full-rank", "x", "y", "r", by=[using("r_lo"), using("r_x"), using("r_y")])
    rank = g.obtain(h, "W", split=False)[0]
    onto = g.lemma(SURJECTIVE, "part:onto", *"xynNrd", by=[using(name) for name in NAMES])
    onto = g.apply(onto, "W", by=[lambda g: g.pos(eqs=[(rank, -1)])])
    layers, product = g.split(g.obtain(onto, "A", "B", "F", "Q", split=False)[0])
    g.witness("A", "B", "F", "Q")
    g.conj(using(layers), lambda g: (g.rewrite(product), g.close_by(rank))[-1])


SHRINKING = f"""ex A:R~>M(n,x), B:M(y,n), F:Z->M(n,n), Q:(Z,R)->M(n,x).
       (all t:R. {LAYERS.replace("A[i,j]", "A(t)[i,j]").replace("Q(1) = A", "Q(1,t) = A(t)").replace("Q(l) = F(l) @ Q(l-1)", "Q(l,t) = F(l) @ Q(l-1,t)")}) and
       (all t:R. rank(B @ Q(N-1,t)) = r) and (all t:R. A(t) = exp(-t)*A(0)) and (all l:Z, t:R. 1 <= l and l <= N - 1 => Q(l,t) = exp(-t)*Q(l,0)) and
       rank(B @ O(n,x)) != r"""
NOT_CLOSED = f"{SETTING} 1 <= r => {SHRINKING}"
SHRINK_READING = (
    "the first layer is exp(-t) times a fixed matrix and the others are constant, so the tuples converge to the one with first layer 0, whose"
    f" product has rank 0; {READING}"
)


def shrinking(g: Goal) -> None:
    """A tuple of rank r with the first layer multiplied by exp(-t)."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    positive = g.assume()
    h = g.lemma(SET, "statement", *"xynNrd", by=[using(name) for name in NAMES])
    layers, rank = g.split(g.obtain(h, "A0", "B", "F", "Q0", split=False)[0])
    a_out, f_out, b_out, first, law = g.split(layers)
    g.witness("lam t:R. exp(-t)*A0", "B", "F", "lam l:Z, t:R. exp(-t)*Q0(l)")

    def tuples(g: Goal) -> None:
        g.fix("t")

        def rows(g: Goal) -> None:
            g.fix("i", "j")
            g.assume()
            z = g.apply(a_out, "i", "j")
            g.field((z, "exp(-t)"))

        def product(g: Goal) -> None:
            g.fix("l")
            g.assume()
            k = g.apply(law, "l")
            g.nc((k, "exp(-t)", None, None))

        g.conj(rows, using(f_out), using(b_out), lambda g: g.nc((first, "exp(-t)", None, None)), product)

    def ranks(g: Goal) -> None:
        g.fix("t")
        scaled = g.have("B @ (exp(-t)*Q0(N-1)) = exp(-t)*(B @ Q0(N-1))", lambda g: g.nc())
        g.rewrite(scaled)
        whole = "B @ Q0(N-1)"
        one = g.split(g.fact("rank_product", "y", "x", "x", whole, "exp(-t)*I(x)"))[0]
        same = g.have(("=", g.hyp_formula(one)[1][2], g.term(f"exp(-t)*({whole})")), lambda g: g.nc())
        one = g.rewritten(one, same)
        two = g.split(g.fact("rank_product", "y", "x", "x", f"exp(-t)*({whole})", "exp(t)*I(x)"))[0]
        back = g.have(("=", g.hyp_formula(two)[1][2], g.term(whole)), lambda g: g.nc())
        two = g.rewritten(two, back)
        g.antisym(lambda g: g.pos([f"@{one}"], eqs=[(rank, -1)]), lambda g: g.pos([f"@{two}"], eqs=[(rank, 1)]))

    def scale(g: Goal) -> None:
        g.fix("t")
        g.nc()

    def scale_all(g: Goal) -> None:
        g.fix("l", "t")
        g.assume()
        g.nc()

    def limit(g: Goal) -> None:
        flat = g.have("B @ O(n,x) = O(y,0) @ O(0,x)", lambda g: g.nc())
        p = g.split(g.fact("rank_product", "y", 0, "x", "O(y,0)", "O(0,x)"))[0]
        b = g.split(g.by_fact("rank_bounds", "y", 0, "O(y,0)"))[2]
        g.rewrite(flat)
        eq = g.contra()
        g.pos([f"@{p}"], [f"@{b}"], [f"@{positive}"], [], eqs=[(eq, 1)])

    g.conj(tuples, ranks, scale, scale_all, limit)


@holds("eftekhari2022.lemma-12-1", NOT_CLOSED, argument="sound", reading=SHRINK_READING, uses=[SET])
def the_set_is_not_closed(g: Goal) -> None:
    """Shrink the first layer."""
    shrinking(g)


@holds(
    "eftekhari2022.step-h-not-closed",
    NOT_CLOSED,
    argument="sound",
    context="r >= 1 [Appendix H]",
    reading=SHRINK_READING,
    uses=["eftekhari2022.lemma-12-1"],
)
def tuples_can_leave_the_set(g: Goal) -> None:
    """Lemma 12 (1)."""
    g.close_by(g.lemma("eftekhari2022.lemma-12-1", "statement"))


GRAMS = "(all l:Z. 1 <= l and l <= N - 1 => T(W(l+1)) @ W(l+1) = W(l) @ T(W(l)))"


@holds(
    "eftekhari2022.def-10",
    f"""(all n N:Z, V:M(n,n), c:R. 2 <= N => T(V) @ V = I(n) => ex W:Z->M(n,n). (all l:Z. W(l) = c*V) and {GRAMS}) and
       (ex n N:Z, W:Z->M(n,n). 2 <= N and not {GRAMS})""",
    argument="sound",
    reading="well-formed and not void: equal multiples of an orthogonal matrix are balanced, and some tuples are not (here with equal widths)",
)
def balanced_tuples_exist(g: Goal) -> None:
    """V^T V = V V^T = I; and the tuple l of numbers."""

    def some(g: Goal) -> None:
        g.fix("n", "N", "V", "c")
        g.assume()
        unit = g.assume()
        right = g.split(g.by_fact("inv_unique", "n", "T(V)", "V", by=[using(unit)]))[1]
        g.witness("lam l:Z. c*V")

        def grams(g: Goal) -> None:
            g.fix("l")
            g.assume()
            g.nc((unit, "c^2", None, None), (right, "-c^2", None, None))

        g.conj(lambda g: (g.fix("l"), g.refl())[-1], grams)

    def none(g: Goal) -> None:
        g.witness("1", "2", "lam l:Z. [[l]]")

        def wrong(g: Goal) -> None:
            h = g.assume()
            k = g.apply(h, "1")
            left, right = g.hyp_formula(k)[1:]
            e = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: g.ctx(using(k)))
            g.pos(["3"], eqs=[(e, -1)])

        g.conj(None, wrong)

    g.conj(some, none)
