"""What Theorem 4 says of the rank of the limit: coupled dynamics from small starts, decoupled dynamics from any start."""

from __future__ import annotations

from proofs.shin2025.commutant import moves
from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.diagonal_flow import FLOW, INITIAL, PRODUCTS
from proofs.shin2025.equal_layers import LAYER
from proofs.shin2025.gradients import DIAGONAL_DECOUPLED
from proofs.shin2025.implicit_equations import implicit, power_of_power
from proofs.shin2025.infinite_m import START
from proofs.shin2025.limit_factors import LIMIT_VARIABLES, LIMITS
from proofs.shin2025.theorem_four import at_limit, by_index, limits_premise, open_limit, values_of
from verify.kernel import Goal
from verify.registry import part

RANK = "shin2025.assertion-decoupled-approach-wstar"
SMALL = "shin2025.assertion-abstract-rank1-iff"
USES = ["shin2025.eq-30", "shin2025.proof-step-lambda-positive", "shin2025.proof-step-implicit-from-29-30"]


@part(
    SMALL,
    "full-rank",
    "all d:Z, X:M(d,d). 1 <= d => 0 < sv(X,d) => rank(X) = d",
    says="A matrix whose least singular value is positive has full rank.",
)
def positive_singular_values_give_full_rank(g: Goal) -> None:
    """A matrix of lower rank approximates itself, so that by Eckart and Young its last singular value vanishes."""
    g.fix()
    g.assume("size")
    low = g.assume("low")
    _, top, _ = g.split(g.by_fact("rank_bounds", "d", "d", "X"))

    def less(g: Goal) -> None:
        h = last(g)
        k = g.by_fact("int_lt", "rank(X)", "d", by=[lambda q: q.close_by(h)])
        below = g.have("rank(X) <= d - 1", lambda q: q.pos([f"@{k}"]))
        _, every = g.split(g.by_fact("eckart_young", "d", "d", "d - 1", "X"))
        e = g.apply(every, "X", by=[lambda q: q.close_by(below)])
        one = g.by_fact("sum_last", "d", "d", "lam i:Z. sv(X,i)^2")
        none = g.by_fact("sum_empty", "d", "d - 1", "lam i:Z. sv(X,i)^2")
        zero = g.have("tr(T(X - X) @ (X - X)) = 0", lambda q: q.field())
        total = g.have("sum(i, d - 1 + 1, d, sv(X,i)^2) = sv(X,d)^2", lambda q: q.field((one, "1"), (none, "1")))
        square = g.have("sv(X,d)^2 <= 0", lambda q: q.pos([f"@{e}"], eqs=[(total, "1"), (zero, "-1")]))
        g.contra()
        g.pos([f"@{square}"], [f"@{low}", f"@{low}"])

    g.cases(g.by_fact("lt_or_eq", "rank(X)", "d", by=[lambda q: q.close_by(top)]), less, None)


SPREAD = "((m - 1)^(2-L) - (m + d - 1)^(2-L))"
BOUND = f"(al/m)^(2-L)*{SPREAD} <= {{}}^(2-L)"
"""x <= (alpha/m) ((m-1)^(2-L) - (m+d-1)^(2-L))^(1/(2-L)), without the root."""


@part(
    SMALL,
    "small-singular-values",
    at_limit(f"all l i:Z. {LAYER} => 2 <= i and i <= d => 0 < sv(V(l),i) and {BOUND.format('sv(V(l),i)')}", "3 <= L"),
    says="For L >= 3 and finite m the singular values but the first are at most a constant times alpha.",
    uses=USES,
)
def other_singular_values_are_of_the_order_of_alpha(g: Goal) -> None:
    """In (9) the first power is positive."""
    open_limit(g)
    g.assume("deep")
    _, y, hs = implicit(g)
    g.have("0 < d - 1")
    g.have("0 < A^L")
    base = g.have("0 < ws*d - (d-1)*B^L", lambda q: q.pos(["A^L"], eqs=[(hs[3], "d")]))
    del base
    g.intro()
    _, rest = values_of(g, "V(l)", "A", "B", g.apply(hs[4], "l"))
    g.rewrite(g.apply(rest, "i"))
    bound = lambda q: q.pos(["(ws*d - (d-1)*B^L)^((2-L)/L)"], eqs=[(y, "-1")])  # noqa: E731
    g.conj(lambda q: q.close_by(hs[1]), bound)


MOTION = f"{PRODUCTS} => {FLOW} => {INITIAL}"
FUNCTIONS = f"W P Q:(Z,R)~>M(d,d), {LIMIT_VARIABLES}"
COUPLED = f"""(all d L:Z, m eps:R. 2 <= d => 3 <= L => 1 < m => 0 < eps => ex a0:R. 0 < a0 and
    (all ws al:R, {FUNCTIONS}. 0 < ws => 0 < al => al < a0 => {MOTION} => not {DIAGONAL_DECOUPLED} and
        ({LIMITS} => ws <= sv(Winf,1) and (all i:Z. 2 <= i and i <= d => sv(Winf,i) < eps))))"""
"""Depth at least 3, finite m: coupled, and all singular values of the limit but the first vanish with alpha."""
SHALLOW = f"""(all d L:Z, ws al m:R, {FUNCTIONS}. 2 <= d => L = 2 => 0 < ws => 0 < al => 1 < m => {MOTION} =>
    {DIAGONAL_DECOUPLED} and
    ({LIMITS} => rank(Winf) = d and (all i:Z. 1 <= i and i <= d => (m - 1)^2/(m^2 + d - 1)*ws <= sv(Winf,i) and
        ws - ws*(d - 1)*(d + 2)/m <= sv(Winf,i) and sv(Winf,i) <= ws + ws*(d - 1)*(d + 2)/m)))"""
"""Depth 2: decoupled, and the singular values of the limit are bounded away from 0 and near w* for large m, for every alpha."""
IDENTICAL = f"""(all d L:Z, ws al:R, {FUNCTIONS}. 2 <= d => 3 <= L => 0 < ws => 0 < al => {PRODUCTS} => {FLOW} => {START} =>
    {DIAGONAL_DECOUPLED} and ({LIMITS} => rank(Winf) = d and (all i:Z. 1 <= i and i <= d => sv(Winf,i) = ws)))"""
"""Depth at least 3, m infinite: decoupled, and all singular values of the limit are w*, for every alpha."""
KEEP = [*[None] * 5, lambda g: g.close_by("prods"), moves, None, limits_premise]


@part(
    SMALL,
    "alpha-for-epsilon",
    f"""all d L:Z, m eps:R. 2 <= d => 3 <= L => 1 < m => 0 < eps => ex a0:R. 0 < a0 and
        (all al x:R. 0 < al => al < a0 => 0 < x => {BOUND.format("x")} => x < eps)""",
    says="From the bound of the singular values to any epsilon.",
)
def small_starts_reach_any_epsilon(g: Goal) -> None:
    """a0 = m eps K with K^(L-2) = (m-1)^(2-L) - (m+d-1)^(2-L)."""
    g.fix()
    for name in ("d_lo", "L_lo", "m_lo", "eps_lo"):
        g.assume(name)
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    g.have("2 - L < 0")
    g.have("0 < L - 2")
    less = g.by_fact("pow_base_anti_strict", "m - 1", "m + d - 1", "2 - L")
    spread = g.have(f"0 < {SPREAD}", lambda q: q.pos([f"@{less}"]))
    s = g.obtain(g.have(f"ex S:R. S = {SPREAD}", lambda q: (q.witness(SPREAD), q.refl())[-1]), "S")[0]
    s_lo = g.have("0 < S", lambda q: (q.rewrite(s), q.close_by(spread))[-1])
    g.witness("m*eps*S^(1/(L-2))")
    positive = g.have("0 < m", lambda q: q.nlin(products=1))
    del positive

    def bound(g: Goal) -> None:
        g.fix("al", "x")
        a_lo, a_hi, x_lo, h = (g.assume() for _ in range(4))
        h = g.have("(al/m)^(2-L)*S <= x^(2-L)", lambda q: (q.rewrite(s), q.close_by(h))[-1])
        far = g.contra()
        k = g.have("0 < S^(1/(L-2))", lambda q: q.pos(["S^(1/(L-2))"]))
        g.have("al/m < eps*S^(1/(L-2))", lambda q: q.pos([f"@{a_hi}"], mul=["m"]))
        g.have("0 < al/m", lambda q: q.pos(["al/m"]))
        g.have("0 < eps*S^(1/(L-2))", lambda q: q.pos(["eps", f"@{k}"]))
        up = g.by_fact("pow_base_anti_strict", "al/m", "eps*S^(1/(L-2))", "2 - L")
        split = g.by_fact("pow_mul", "eps", "S^(1/(L-2))", "2 - L")
        one = power_of_power(g, "S", "1/(L-2)", "2 - L", "-1")
        down = g.by_fact("pow_base_anti", "eps", "x", "2 - L", by=[None, lambda q: q.close_by(far), None])
        g.pos(
            [f"@{up}", f"@{s_lo}"],
            [f"@{down}"],
            [f"@{h}"],
            eqs=[(split, "S"), (one, "S*eps^(2-L)")],
        )
        del a_lo, x_lo

    g.conj(None, bound)


ARGS = ["d", "L", "ws", "al", "m", "W", "P", "Q", "V", "Winf"]


@part(
    SMALL,
    "coupled",
    COUPLED,
    says="the coupled case",
    uses=[*USES, "shin2025.prop-3-deep-coupled", "shin2025.theorem-4-ordering"],
)
def coupled_limits_from_small_starts(g: Goal) -> None:
    """sigma_i <= eps/(1 + eps) < 1 for the factor, and its power L is smaller; the mean of the powers is w*."""
    g.fix()
    for name in ("d_lo", "L_lo", "m_lo", "eps_lo"):
        g.assume(name)
    e = "eps/(1 + eps)"
    g.have("0 < 1 + eps")
    g.have(f"0 < {e}")
    k = g.lemma(SMALL, "part:alpha-for-epsilon", "d", "L", "m", e)
    a_lo, reach = g.obtain(k, "a0")
    g.witness("a0")

    def cases(g: Goal) -> None:
        g.fix()
        for name in ("ws_lo", "al_lo", "al_hi", "prods", "move", "start"):
            g.assume(name)
        g.have("2 <= L")

        def coupled(g: Goal) -> None:
            g.close_by(
                g.lemma("shin2025.prop-3-deep-coupled", "statement", *ARGS[:8], by=[*[None] * 5, prods, moves, None, None])
            )

        def values(g: Goal) -> None:
            g.assume("lim")
            g.split("lim", "lim_1", "lim_2", "lim_3")
            sv = g.lemma(SMALL, "part:small-singular-values", *ARGS, by=[*KEEP, None])
            g.have("0 <= al/m", lambda q: (q.have("0 < m", lambda c: c.nlin(products=1)), q.auto())[-1])
            g.have("al/m < al", lambda q: q.pos(["al", "@m_lo"], mul=["m"]))
            ordered = ["d", "L", "ws", "al", "al/m", "W", "P", "Q", "V", "Winf"]
            keep = [*[None] * 6, prods, moves, None, limits_premise]
            _, power, order = g.split(g.lemma("shin2025.theorem-4-ordering", "statement", *ordered, by=keep))
            mean = g.lemma("shin2025.eq-30", "statement", *ARGS, by=KEEP)
            one = g.split(g.apply(power, "1", "1"))[0]

            def first(g: Goal) -> None:
                m2 = g.apply(mean, "1", "2")
                o = g.apply(order, "1", "1", "2")
                g.rewrite(one)
                g.have("0 < d - 1")
                g.pos([f"@{o}", "d - 1"], mul=["d"], eqs=[(m2, "-d")])

            def others(g: Goal) -> None:
                g.fix("i")
                g.split(g.assume())
                lo, h = g.split(g.apply(sv, "1", "i"))
                less = g.apply(reach, "al", "sv(V(1),i)", by=[None, None, lambda q: q.close_by(lo), lambda q: q.close_by(h)])
                top = g.have(f"{e} < 1", lambda q: q.pos(["1"], mul=["1 + eps"]))
                small = g.have(f"{e} < eps", lambda q: q.pos(["eps", "eps"], mul=["1 + eps"]))
                below = g.have("sv(V(1),i) <= 1", lambda q: q.pos([f"@{less}"], [f"@{top}"]))
                k = g.by_fact(
                    "pow_exp_anti", "sv(V(1),i)", "1", "L", by=[lambda q: q.close_by(lo), lambda q: q.close_by(below), None]
                )
                p = g.split(g.apply(power, "1", "i"))[0]
                g.rewrite(p)
                g.pos([f"@{k}"], [f"@{less}"], [f"@{small}"])

            g.conj(first, others)

        g.conj(coupled, values)

    g.conj(lambda q: q.close_by(a_lo), cases)


def prods(g: Goal) -> None:
    g.close_by("prods")


@part(
    SMALL,
    "depth-two",
    SHALLOW,
    says="the decoupled case of depth 2",
    uses=[*USES, "shin2025.prop-3-depth2", "shin2025.theorem-4-l2"],
)
def limits_at_depth_two(g: Goal) -> None:
    """(m + d - 1)^2 and (m - 1)^2 over m^2 + d - 1."""
    g.fix()
    for name in ("d_lo", "L_is", "ws_lo", "al_lo", "m_lo", "prods", "move", "start"):
        g.assume(name)
    g.have("2 <= L")

    def decoupled(g: Goal) -> None:
        g.close_by(g.lemma("shin2025.prop-3-depth2", "statement", *ARGS[:8], by=[*[None] * 5, prods, moves, None, None]))

    def values(g: Goal) -> None:
        g.assume("lim")
        g.split("lim", "lim_1", "lim_2", "lim_3")
        _one, _rest, _power = g.split(g.apply(g.lemma("shin2025.theorem-4-l2", "statement", *ARGS, by=[*KEEP, None]), "1"))
        n = "(m^2 + d - 1)"
        g.have("0 < d - 1", name="d_1")
        g.have("0 < m - 1", name="m_1")
        g.have("0 < m", lambda q: q.nlin(products=1))
        g.have(f"0 < {n}", lambda q: q.pos(["m^2"], ["d - 1"]))
        r = g.have(f"0 < ws/{n}", lambda q: q.auto())
        sq = g.by_fact("sqrt_sq", f"ws/{n}", by=[lambda q: q.pos([f"@{r}"])])
        top = g.have(
            f"sv(Winf,1) = (m + d - 1)^2*ws/{n}",
            lambda q: q.field(
                (q.apply(_power, "1"), "1"), (_one, f"sv(V(1),1) + (m + d - 1)*sqrt(ws/{n})"), (sq, "(m + d - 1)^2")
            ),
        )

        def other(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            p, v = g.apply(_power, "i"), g.apply(_rest, "i")
            g.field((p, "1"), (v, f"sv(V(1),i) + (m - 1)*sqrt(ws/{n})"), (sq, "(m - 1)^2"))

        low = g.have(f"all i:Z. 2 <= i and i <= d => sv(Winf,i) = (m - 1)^2*ws/{n}", other)

        def bounds(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())

            def first(g: Goal) -> None:
                g.replace("i", "1")
                g.rewrite(top)
                g.conj(
                    lambda q: q.pos(["ws", "d", "2", "@m_1"], ["ws", "d", "d"], mul=[n]),
                    lambda q: q.pos(["ws", "@d_1", "2", "m"], ["ws", "@d_1", "@d_lo"], ["ws/m", "@d_1", "d + 2", n], mul=[n]),
                    lambda q: q.pos(
                        ["ws/m", "@d_1", "d", "m", "@m_1"], ["ws/m", "@d_1", "2", "m"], ["ws/m", "@d_1", "@d_1", "d + 2"], mul=[n]
                    ),
                )

            def more(g: Goal) -> None:
                g.rewrite(g.apply(low, "i"))
                below = [["ws/m", "@d_1", "@d_1", "d + 2"], ["ws/m", "@d_lo", "m", "@m_1"]]
                g.conj(
                    lambda q: q.pos(),
                    lambda q: q.pos(*below, ["ws/m", "@d_lo", "d + 2", "m^2"], ["ws/m", "2", "m^2"], mul=[n]),
                    lambda q: q.pos(["ws", "2", "m"], ["ws", "@d_lo"], ["ws/m", "@d_1", "d + 2", n], mul=[n]),
                )

            by_index(g, first, more)

        def full(g: Goal) -> None:
            def least(g: Goal) -> None:
                g.rewrite(g.apply(low, "d"))
                g.auto()

            h = g.have("0 < sv(Winf,d)", least)
            g.close_by(g.lemma(SMALL, "part:full-rank", "d", "Winf", by=[None, lambda q: q.close_by(h)]))

        g.conj(full, bounds)

    g.conj(decoupled, values)


@part(
    SMALL,
    "infinite-m",
    IDENTICAL,
    says="the decoupled case of infinite m",
    uses=["shin2025.prop-3-minf-decoupled", "shin2025.theorem-4-minf"],
)
def limits_for_infinite_m(g: Goal) -> None:
    """All singular values are w*."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "al_lo", "prods", "move", "start"):
        g.assume(name)
    args = [x for x in ARGS if x != "m"]

    def decoupled(g: Goal) -> None:
        g.close_by(g.lemma("shin2025.prop-3-minf-decoupled", "statement", *args[:7], by=[*[None] * 4, prods, moves, None]))

    def values(g: Goal) -> None:
        g.assume("lim")
        g.split("lim", "lim_1", "lim_2", "lim_3")
        sv = g.lemma("shin2025.theorem-4-minf", "statement", *args, by=[*[None] * 4, prods, moves, None, limits_premise])

        def equal(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            g.close_by(g.split(g.apply(sv, "1", "i"))[0])

        h = g.have("all i:Z. 1 <= i and i <= d => sv(Winf,i) = ws", equal)
        low = g.have("0 < sv(Winf,d)", lambda q: (q.rewrite(q.apply(h, "d")), q.close_by("ws_lo"))[-1])
        g.conj(
            lambda q: q.close_by(q.lemma(SMALL, "part:full-rank", "d", "Winf", by=[None, lambda c: c.close_by(low)])),
            lambda q: q.close_by(h),
        )

    g.conj(decoupled, values)
