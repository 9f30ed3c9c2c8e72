"""What the abstract, the introduction and Sections 3.2, C.1 and E.1 say of the rank of the limit under coupled and decoupled
dynamics."""

from __future__ import annotations

import re

from proofs.bai2024.graphs import by_values
from proofs.shin2025.commutant import moves
from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.deep_coupling import at_each_layer, family
from proofs.shin2025.diagonal_flow import CONTEXT
from proofs.shin2025.equal_layers import LAYER
from proofs.shin2025.gradients import DIAGONAL_DECOUPLED
from proofs.shin2025.limit_factors import LIMITS
from proofs.shin2025.limiting_rank import ARGS, COUPLED, FUNCTIONS, IDENTICAL, KEEP, MOTION, RANK, SHALLOW, SMALL, SPREAD, prods
from proofs.shin2025.stationary import close_all, constant_limit
from proofs.shin2025.theorem_four import C, at_limit, eq8, limits_premise
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

ALL = f"{COUPLED} and {SHALLOW} and {IDENTICAL}"
SAYS = (
    "For L >= 3 and finite m (coupled) all singular values of the limit but the first vanish as alpha tends to"
    " 0; for L = 2 and for"
    " infinite m (decoupled) the limit has full rank, with singular values bounded below for every alpha."
)
ZERO_LOSS = CONTEXT + "; limits with zero loss, as in Theorem 4 [Theorem 4]"
SLOW = "to rank one: as alpha tends to 0 all singular values of the limit but the first become smaller than any epsilon"
RIGHT = "([[2,1],[1,2]])"


def three_cases(g: Goal) -> None:
    """The three parts."""
    g.conj(*[lambda g, k=k: g.close_by(g.lemma(SMALL, f"part:{k}")) for k in ("coupled", "depth-two", "infinite-m")])


@refuted(
    SMALL,
    at_limit(f"(rank(Winf) = 1 <=> not {DIAGONAL_DECOUPLED})"),
    argument="fails",
    context=ZERO_LOSS,
    reading="at a fixed scale alpha > 0, as printed",
    reason="d = 2, L = 3, alpha = m = 2, w* = 14: the factors [2,1; 1,2] meet the observations and do not move, the dynamics are"
    " coupled, and the limit [14,13; 13,14] has rank 2. The limit never has rank one: by (8) and (9) all"
    " singular values are positive",
    uses=["shin2025.prop-3-deep-coupled"],
)
def coupled_limits_have_full_rank(g: Goal) -> None:
    """A stationary flow of three equal factors with positive entries."""
    powers = [[[1, 0], [0, 1]], [[2, 1], [1, 2]], [[5, 4], [4, 5]], [[14, 13], [13, 14]]]
    up, down = family(powers), family(powers[::-1])
    g.witness("2", "3", "14", "2", "2", f"lam l:Z, t:R. {RIGHT}", up, down, f"lam l:Z. {RIGHT}", "[[14,13],[13,14]]")

    def unit(g: Goal) -> None:
        g.fix()
        g.ext(lambda g: g.field())

    def products(g: Goal) -> None:
        g.conj(unit, lambda g: at_each_layer(g, 0, 2), unit, lambda g: at_each_layer(g, 0, 2))

    def flow(g: Goal) -> None:
        at_each_layer(g, 1, 3)

    def start(g: Goal) -> None:
        g.intro()
        g.ext(lambda g: g.field())

    def observed(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        by_values(g, "i", 1, 2, lambda g, v: (g.rewrite(last(g)), g.field())[-1])

    def at_end(g: Goal) -> None:
        g.conj(constant_limit(RIGHT), last_product, observed)

    def last_product(g: Goal) -> None:
        whole = "[[14,13],[13,14]]"
        e = g.have(("=", g.concl[2], g.term(whole)), lambda q: q.ext(lambda q: q.field()))
        g.rewrite(e)
        constant_limit(whole)(g)

    def different(g: Goal) -> None:
        g.left_or_right(1)

        def rank(g: Goal) -> None:
            whole = "[[14,13],[13,14]]"
            _, back = g.split(g.by_fact("rank_full", "2", whole))
            two = g.apply(back, by=[lambda q: q.field()])
            g.rewrite(two)
            g.field()

        def coupled(g: Goal) -> None:
            args = ["2", "3", "14", "2", "2", f"lam l:Z, t:R. {RIGHT}", up, down]
            g.close_by(g.lemma("shin2025.prop-3-deep-coupled", "statement", *args, by=[None] * 5 + [products, flow, start, None]))

        g.conj(rank, coupled)

    close_all(g, None, None, None, None, None, products, flow, start, at_end, different)


@amendment(SMALL, ALL, says=SAYS)
def small_coupled_starts_tend_to_rank_one(g: Goal) -> None:
    """Theorem 4: (9) bounds the singular values by a multiple of alpha; at depth 2 and for infinite m they do not depend on
    alpha."""
    three_cases(g)


@holds(
    "shin2025.assertion-e1-hypothesis",
    ALL,
    argument="sound",
    context=ZERO_LOSS,
    reading="low-rank bias: for every epsilon the singular values of the limit but the first are below epsilon"
    " from all starts with"
    " small alpha. Coupled dynamics (L >= 3, finite m) have it, decoupled ones (L = 2, or infinite m) have full"
    " rank for every alpha,"
    " with singular values bounded below",
    uses=[SMALL],
)
def coupling_can_bias_and_decoupling_cannot(g: Goal) -> None:
    """The three cases of Theorem 4."""
    three_cases(g)


@holds(
    RANK,
    f"{SHALLOW} and {IDENTICAL}",
    argument="sound",
    context=ZERO_LOSS,
    reading="at depth 2 the distance of every singular value of the limit from w* is at most w* (d-1)(d+2)/m, whatever alpha; for"
    " L >= 3 and infinite m it is 0",
    uses=[SMALL],
)
def decoupled_limits_approach_multiples_of_the_identity(g: Goal) -> None:
    """Two of the three cases."""
    g.conj(*[lambda g, k=k: g.close_by(g.lemma(SMALL, f"part:{k}")) for k in ("depth-two", "infinite-m")])


def special(text: str, ws: str | None = None) -> str:
    """The case d = 2 (and of a given w*) of a statement."""
    text = text.replace("2 <= d =>", "d = 2 =>")
    return text if ws is None else text.replace("0 < ws =>", f"ws = {ws} =>")


def from_coupled(g: Goal) -> None:
    """A special case of the coupled case."""
    g.fix()
    for name in ("d_is", "L_lo", "m_lo", "eps_lo"):
        g.assume(name)
    g.have("2 <= d")
    k = g.lemma(SMALL, "part:coupled", "d", "L", "m", "eps")
    lo, every = g.obtain(k, "a0")
    g.witness("a0")

    def starts(g: Goal) -> None:
        g.fix()
        for name in ("ws_is", "al_lo", "al_hi", "prods", "move", "start"):
            g.assume(name)
        g.have("0 < ws")
        g.close_by(g.apply(every, *[x for x in ARGS if x not in ("d", "L", "m")], by=[None, None, None, prods, moves, None], n=6))

    g.conj(lambda q: q.close_by(lo), starts)


@holds(
    "shin2025.assertion-intro-deep-rank1",
    special(COUPLED),
    covers="instances",
    because="equal positive diagonal values and the family (7); Gaussian starts and different values are only simulated",
    context=ZERO_LOSS,
    reading="tend " + SLOW,
    uses=[SMALL],
)
def deep_models_tend_to_rank_one_on_the_diagonal_problem(g: Goal) -> None:
    """The coupled case of Theorem 4 for d = 2."""
    from_coupled(g)


@holds(
    "shin2025.remark-menon-resolved",
    special(COUPLED, "1"),
    argument="sound",
    context=ZERO_LOSS,
    reading="low-rank limit: " + SLOW + ". That the flow converges to zero loss is assumed, as in Theorem 4",
    uses=[SMALL],
)
def small_starts_of_the_family_have_nearly_rank_one_limits(g: Goal) -> None:
    """The coupled case of Theorem 4 for d = 2 and w* = 1."""
    from_coupled(g)


@holds(
    "shin2025.assertion-intro-l2-rank2",
    special(SHALLOW),
    covers="instances",
    because="equal positive diagonal values and the family (7) instead of Gaussian starts, which are only simulated",
    context=ZERO_LOSS,
    reading="for every scale alpha the limit has rank 2",
    uses=[SMALL],
)
def shallow_models_end_at_rank_two(g: Goal) -> None:
    """Depth 2 in Theorem 4 for d = 2."""
    g.fix()
    for name in ("d_is", "L_is", "ws_lo", "al_lo", "m_lo", "prods", "move", "start"):
        g.assume(name)
    g.have("2 <= d")
    g.close_by(g.lemma(SMALL, "part:depth-two", *ARGS, by=[*[None] * 5, prods, moves, None]))


ONE, SEVERAL = "sv(V(l),1)", "sv(V(l),i)"


@holds(
    "shin2025.assertion-c1-precise-tracking",
    """all d L:Z, ws al m:R. 2 <= d => 2 <= L => 0 < ws => 0 < al => 1 < m => ex x y:R. """
    + at_limit(f"all l:Z. {LAYER} => {ONE} = x and (all i:Z. 2 <= i and i <= d => {SEVERAL} = y)").replace(
        "all d L:Z, ws al m:R, W", "all W"
    ),
    argument="sound",
    context=ZERO_LOSS,
    reading="d, L, w*, alpha and m determine the singular values of the limiting factors: x and y are the"
    " unique roots of (8) and (9),"
    " or the closed forms at depth 2",
    uses=["shin2025.eq-8", "shin2025.eq-9", "shin2025.theorem-4-l2", "shin2025.proof-step-implicit-from-29-30"],
)
def limits_are_functions_of_the_start(g: Goal) -> None:
    """Uniqueness of the roots."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "al_lo", "m_lo"):
        g.assume(name)

    def enter(g: Goal) -> None:
        g.fix()
        for name in ("d_lo2", "L_lo2", "ws_lo2", "al_lo2", "m_lo2", "prods", "move", "start", "lim"):
            g.assume(name)
        g.split("lim", "lim_1", "lim_2", "lim_3")

    def shallow(g: Goal) -> None:
        two = last(g)
        eq = g.have("L = 2", lambda q: q.antisym(lambda c: c.close_by(two), None))
        del eq
        root = "sqrt(ws/(m^2 + d - 1))"
        g.witness(f"(m + d - 1)*{root}", f"(m - 1)*{root}")
        enter(g)
        k = g.lemma("shin2025.theorem-4-l2", "statement", *ARGS, by=[*KEEP, None])
        g.fix("l")
        g.assume("layer")
        one, rest, _ = g.split(g.apply(k, "l"))
        g.conj(lambda q: q.close_by(one), lambda q: q.close_by(rest))

    def deep(g: Goal) -> None:
        g.have("3 <= L", lambda q: (q.by_fact("int_lt", "2", "L"), q.auto())[-1])
        x = g.obtain(g.lemma("shin2025.eq-8", "part:one-root", "d", "L", "ws", "al", "m"), "x")
        y = g.obtain(g.lemma("shin2025.eq-9", "part:one-root", "d", "L", "ws", "al", "m"), "y")
        g.witness("x", "y")
        enter(g)
        k = g.lemma("shin2025.proof-step-implicit-from-29-30", "statement", *ARGS, by=[*KEEP, None])
        first, second = g.split(k)
        g.fix("l")
        g.assume("layer")

        def one(g: Goal) -> None:
            _, only = g.split(g.apply(first, "l"))
            e = g.apply(only, "x", by=[lambda q: q.close_by(x[0]), lambda q: q.close_by(x[2]), lambda q: q.close_by(x[3])])
            g.field((e, "-1"))

        def others(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            _, only = g.split(g.apply(second, "l", "i"))
            g.have("0 < d - 1")
            b = g.have("(d-1)*y^L < ws*d", lambda q: q.pos([f"@{y[1]}", "d - 1"], ["ws"]))
            e = g.apply(only, "y", by=[lambda q: q.close_by(y[0]), lambda q: q.close_by(b), lambda q: q.close_by(y[2])])
            g.field((e, "-1"))

        g.conj(one, others)

    g.em("L <= 2", shallow, deep)


SECOND = {"al": "be", "W": "X", "P": "Y", "Q": "Z", "V": "U", "Winf": "Xinf"}


def other_flow(text: str) -> str:
    """The same text for a second flow from the scale be."""
    return re.sub(r"\b(al|W|P|Q|V|Winf)\b", lambda m: SECOND[m.group(1)], text)


@holds(
    "shin2025.assertion-coupled-alpha-dependent",
    f"""all d L:Z, ws al be m:R, {FUNCTIONS}, {other_flow(FUNCTIONS)}. 2 <= d => 3 <= L => 0 < ws => 0 < al => 0 < be => 1 < m =>
        {MOTION} => {LIMITS} => {other_flow(MOTION)} => {other_flow(LIMITS)} => al != be =>
        all l i:Z. {LAYER} => 2 <= i and i <= d => sv(V(l),1) != sv(U(l),1) and sv(V(l),i) != sv(U(l),i)""",
    argument="sound",
    context=ZERO_LOSS,
    reading="flows from different scales alpha and beta, all else being equal, never have the same limiting singular values",
    uses=["shin2025.proof-step-implicit-from-29-30"],
)
def different_scales_have_different_limits(g: Goal) -> None:
    """The left sides of (8) and (9) would agree, and the constant C is a strictly monotone function of alpha."""
    g.fix()
    names = ["d_lo", "L_lo", "ws_lo", "al_lo", "be_lo", "m_lo"]
    names += ["prods", "move", "start", "lim", "prods2", "move2", "start2", "lim2"]
    for name in [*names, "ne"]:
        g.assume(name)
    g.have("2 <= L")
    g.split("lim", "lim_1", "lim_2", "lim_3")

    def shown(h: str):
        return lambda q: q.close_by(h)

    def limits2(g: Goal) -> None:
        a, b, c = g.split("lim2")

        def factor(g: Goal) -> None:
            layer = g.fix()[0]
            g.assume()
            g.close_by(g.apply(a, layer))

        g.conj(factor, lambda q: q.close_by(b), lambda q: q.close_by(c))

    implicit = "shin2025.proof-step-implicit-from-29-30"
    one = g.split(g.lemma(implicit, "statement", *ARGS, by=[*[None] * 5, shown("prods"), moves, None, limits_premise, None]))
    args = [SECOND.get(x, x) for x in ARGS]
    by = [*[None] * 5, shown("prods2"), lambda q: moves(q, "move2"), None, limits2, None]
    two = g.split(g.lemma(implicit, "statement", *args, by=by))
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    g.have("2 - L < 0")
    g.have("0 < m", lambda q: q.nlin(products=1))
    less = g.by_fact("pow_base_anti_strict", "m - 1", "m + d - 1", "2 - L")
    s = g.obtain(g.have(f"ex S:R. S = {SPREAD}", lambda q: (q.witness(SPREAD), q.refl())[-1]), "S")[0]
    g.have("0 < S", lambda q: q.pos([f"@{less}"], eqs=[(s, "1")]))

    def scales(g: Goal, x: str, y: str) -> None:
        """From equal left sides: the constants agree."""
        c = g.have("(al/m)^(2-L)*S = (be/m)^(2-L)*S", lambda q: q.field((x, "1"), (y, "-1"), (s, "(al/m)^(2-L) - (be/m)^(2-L)")))
        c = g.have("(al/m)^(2-L) = (be/m)^(2-L)", lambda q: q.field((c, "1/S")))
        g.have("0 < al/m")
        g.have("0 < be/m")
        g.have("2 - L != 0")
        e = g.by_fact("pow_injective", "al/m", "be/m", "2 - L", by=[None, None, None, lambda q: q.close_by(c)])
        g.clash(g.have("al = be", lambda q: q.field((e, "m"))), "ne")

    g.fix("l", "i")
    g.assume("layer")
    g.assume("index")

    def first(g: Goal) -> None:
        same = g.contra()
        x = g.split(g.apply(one[0], "l"))[0]
        y = g.split(g.apply(two[0], "l"))[0]
        x = g.rewritten(x, same)
        scales(g, x, y)

    def others(g: Goal) -> None:
        same = g.contra()
        x = g.split(g.apply(one[1], "l", "i"))[0]
        y = g.split(g.apply(two[1], "l", "i"))[0]
        x = g.rewritten(x, same)
        scales(g, x, y)

    g.conj(first, others)


def root(x: str, depth: str) -> str:
    """x is the root sigma_1 of (8) for d = 10, w* = 1 and this depth."""
    text = f"0 < {x} and {x}^L < ws*d and {eq8(x, C)}"
    for name, value in (("ws", "1"), ("d", "10"), ("L", f"({depth})")):
        text = re.sub(rf"\b{name}\b", value, text)
    return text


def gap(x: str, depth: str) -> str:
    """sigma_1^L - sigma_r^L, where sigma_1^L + 9 sigma_r^L = 10 by (30)."""
    return f"({x}^({depth}) - (10 - {x}^({depth}))/9)"


@part(
    "shin2025.assertion-depth-widens-gap",
    "small-starts",
    f"{COUPLED} and {SHALLOW}",
    says="For L >= 3 and finite m the gap tends to its largest value w* d as alpha tends to 0 (sigma_r^L tends"
    " to 0, and the mean of the"
    " powers is w*); at depth 2 it does not depend on alpha.",
    uses=[SMALL],
)
def the_gap_is_widest_for_small_coupled_starts(g: Goal) -> None:
    """Two of the three cases of Theorem 4."""
    g.conj(*[lambda g, k=k: g.close_by(g.lemma(SMALL, f"part:{k}")) for k in ("coupled", "depth-two")])
