"""Appendix B: the concluding summary; from small starts the low-rank bias intensifies with depth."""

from __future__ import annotations

import re

from proofs.shin2025.depth_and_gap import CLAIM as GAP
from proofs.shin2025.depth_and_gap import WIDENS
from proofs.shin2025.generic_coupling import STATEMENT as GENERIC
from proofs.shin2025.implicit_equations import IMPLICIT
from proofs.shin2025.limiting_rank import BOUND, COUPLED, SHALLOW, SMALL, SPREAD
from proofs.shin2025.rank_claims import ZERO_LOSS
from proofs.shin2025.theorem_four import C, eq8, eq9
from proofs.shin2025.warm_start_scope import RANK_TWO
from verify.kernel import Goal
from verify.registry import amendment, holds, part

ID = "shin2025.assertion-b-conclusion"
TYPICAL = "shin2025.assertion-d1-deep-typical"
WARM = "shin2025.assertion-a1-cannot-low-rank"


def deeper(text: str) -> str:
    """The same at depth L + 1."""
    return re.sub(r"\bL\b", "(L+1)", text)


INTENSIFIES = f"""(all d L:Z, ws m:R. 2 <= d => 3 <= L => 0 < ws => 1 < m => ex a0:R. 0 < a0 and
    all al s t:R. 0 < al => al < a0 => 0 < s => (d-1)*s^L < ws*d => {eq9("s", C)} =>
      0 < t => (d-1)*t^(L+1) < ws*d => {deeper(eq9("t", C))} => t^(L+1) < s^L)"""
"""s and t are the singular values (r >= 2) of a factor of the limit at the depths L and L + 1, from the same alpha and m."""


@part(
    GAP,
    "upper",
    f"""all d L:Z, m:R. 2 <= d => 3 <= L => 1 < m => ex c:R. 0 < c and all ws al x:R. 0 < al => 0 < x => (d-1)*x^L < ws*d =>
        {eq9("x", C)} => x < c*al""",
    says="The singular values but the first are below a constant times alpha.",
    uses=[SMALL],
)
def small_values_are_below_a_multiple_of_alpha(g: Goal) -> None:
    """The bound of Theorem 4 is homogeneous in alpha and x."""
    g.intro()
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    g.have("0 < m")
    low, every = g.obtain(g.lemma(SMALL, "part:alpha-for-epsilon", "d", "L", "m", "1"), "b")
    g.witness("2/b")

    def bound(g: Goal) -> None:
        g.fix("ws", "al", "x")
        al, x, inside, eq = (g.assume() for _ in range(4))
        first = "(ws*d - (d-1)*x^L)^((2-L)/L)"
        g.have("0 < ws*d - (d-1)*x^L", lambda g: g.pos(["@" + inside]))
        plain = g.have(BOUND.format("x"), lambda g: g.pos([first], eqs=[(eq, -1)]))
        k = "(b/(2*al))"
        g.have(f"0 < {k}", lambda g: g.pos(["b", "1/(2*al)"]))
        scaled = g.have(f"(b/2/m)^(2-L) = {k}^(2-L)*(al/m)^(2-L)", lambda g: product_of_powers(g, k, "al/m", "b/2/m"))
        other = g.have(f"({k}*x)^(2-L) = {k}^(2-L)*x^(2-L)", lambda g: g.close_by(g.by_fact("pow_mul", k, "x", "2-L")))
        here = g.have(
            BOUND.format(f"({k}*x)").replace("al/m", "b/2/m"),
            lambda g: g.pos([f"{k}^(2-L)", "@" + plain], eqs=[(scaled, f"-{SPREAD}"), (other, 1)]),
        )
        h = g.apply(
            every,
            "b/2",
            f"{k}*x",
            by=[None, lambda g: g.pos(["@" + low, "1/2"]), lambda g: g.pos([k, "x"]), lambda g: g.close_by(here)],
        )
        g.pos(["2*al/b", "@" + h])

    g.conj(lambda g: g.pos(["2/b"]), bound)


def product_of_powers(g: Goal, k: str, x: str, whole: str) -> None:
    """(k x)^(2-L) = k^(2-L) x^(2-L), where k x is written otherwise."""
    g.have(f"0 < {x}", lambda g: g.pos(["al", "1/m"]))
    p = g.by_fact("pow_mul", k, x, "2-L")
    same = g.have(f"({whole})^(2-L) = (({k})*({x}))^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    g.rewrite(same)
    g.exact(p)


@part(
    GAP,
    "lower",
    f"""all d L:Z, m:R. 2 <= d => 3 <= L => 1 < m => ex c:R. 0 < c and all ws al x:R. 0 < al => al <= 1 => al <= ws => 0 < x =>
        (d-1)*x^L < ws*d => {eq9("x", C)} => c*al <= x""",
    says="For small alpha they are above a constant times alpha.",
    uses=[IMPLICIT],
)
def small_values_are_above_a_multiple_of_alpha(g: Goal) -> None:
    """x^(2-L) is at most alpha^(2-L) (1 + m^(L-2) S), because the first singular value is at least w*^(1/L) >= alpha."""
    size, depth, _ = g.intro()
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    g.have("0 < m")
    g.have("2 - L < 0")
    g.have("0 < d - 1")
    g.have("0 < d")
    spread = g.have(
        f"0 < {SPREAD}", lambda g: (h := g.by_fact("pow_base_anti_strict", "m - 1", "m + d - 1", "2 - L"), g.pos(["@" + h]))[-1]
    )
    total = f"(1 + m^(L-2)*{SPREAD})"
    g.have(f"0 < {total}", lambda g: g.pos(["1"], ["m^(L-2)", "@" + spread]))
    c = f"{total}^(1/(2-L))"
    g.witness(c)

    def bound(g: Goal) -> None:
        g.fix("ws", "al", "x")
        al, one, below, x, inside, eq = (g.assume() for _ in range(6))
        u = "(ws*d - (d-1)*x^L)"
        g.have(f"0 < {u}", lambda g: g.pos(["@" + inside]))
        g.have("0 < ws", lambda g: g.pos(["@" + below], ["al"]))
        power = f"{u}^((2-L)/L)"
        g.have("(2-L)/L < 0", lambda g: g.pos(["@" + depth], [1], mul=["L"]))
        smaller = g.have(
            f"{power} < x^(2-L)",
            lambda g: (n := g.lemma(IMPLICIT, "part:constant-negative", "d", "L", "al", "m"), g.pos(["@" + n], eqs=[(eq, -1)]))[
                -1
            ],
        )

        def first_is_larger(g: Goal) -> None:
            h = g.contra()
            xl = g.have("(x^L)^((2-L)/L) = x^(2-L)", lambda g: power_of(g, "x"))
            k = g.by_fact("pow_base_anti", u, "x^L", "(2-L)/L", by=[None, lambda g: g.close_by(h), None])
            g.pos(["@" + smaller], ["@" + k], eqs=[(xl, 1)])

        larger = g.have(f"x^L < {u}", first_is_larger)
        mean = g.have(f"ws <= {u}", lambda g: g.pos(["(d-1)/d", "@" + larger]))
        tiny = g.have("al^L <= ws", lambda g: small_power(g, one, below))
        g.have("0 < al^L", lambda g: g.pos(["al^L"]))
        chain = g.have(f"al^L <= {u}", lambda g: g.pos(["@" + tiny], ["@" + mean]))
        top = g.by_fact("pow_base_anti", "al^L", u, "(2-L)/L", by=[None, lambda g: g.close_by(chain), None])
        al_ = g.have("(al^L)^((2-L)/L) = al^(2-L)", lambda g: power_of(g, "al"))
        split = g.have("(al/m)^(2-L) = al^(2-L)*m^(L-2)", lambda g: g.field())
        whole = g.have(
            f"x^(2-L) <= al^(2-L)*{total}", lambda g: g.pos(["@" + top], eqs=[(al_, -1), (eq, 1), (split, f"-{SPREAD}")])
        )
        root = g.have(f"({c})^(2-L) = {total}", lambda g: inverse_power(g, total))
        both = g.have(
            f"(({c})*al)^(2-L) = ({c})^(2-L)*al^(2-L)",
            lambda g: (g.have(f"0 < {c}", lambda g: g.pos([c])), g.close_by(g.by_fact("pow_mul", c, "al", "2-L")))[-1],
        )
        h = g.contra()
        k = g.by_fact("pow_base_anti_strict", "x", f"{c}*al", "2-L", by=[None, lambda g: g.close_by(h), None])
        g.pos(["@" + k], ["@" + whole], eqs=[(both, 1), (root, "al^(2-L)")])

    g.conj(lambda g: g.pos([c]), bound)


def power_of(g: Goal, x: str) -> None:
    """(x^L)^((2-L)/L) = x^(2-L)."""
    h = g.by_fact("pow_pow", x, "L", "(2-L)/L")
    e = g.have(f"{x}^(L*((2-L)/L)) = {x}^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    g.rewrite(e, back=True)
    g.exact(h)


def inverse_power(g: Goal, x: str) -> None:
    """(x^(1/(2-L)))^(2-L) = x."""
    g.have("2 - L != 0")
    h = g.by_fact("pow_pow", x, "1/(2-L)", "2-L")
    e = g.have(f"{x}^(1/(2-L)*(2-L)) = {x}^1", lambda g: g.ctx(lambda g: g.field()))
    one = g.have(f"{x}^1 = {x}", lambda g: g.field())
    g.rewrite(h)
    g.rewrite(e)
    g.close_by(one)


def small_power(g: Goal, one: str, below: str) -> None:
    """alpha^L <= alpha <= w* for alpha <= 1."""
    k = g.by_fact("pow_exp_anti", "al", "1", "L", by=[None, lambda g: g.close_by(one), None])
    g.pos(["@" + k], ["@" + below])


@part(
    GAP,
    "intensifies",
    INTENSIFIES,
    says="From small alpha one more layer lowers the small singular values of the product.",
    uses=[GAP, IMPLICIT],
)
def one_more_layer_lowers_the_small_values(g: Goal) -> None:
    """At depth L they are at least (c alpha)^L, at depth L + 1 at most (k alpha)^(L + 1)."""
    g.intro()
    k0, upper = g.obtain(g.lemma(GAP, "part:upper", "d", "L + 1", "m"), "k")
    c0, lower = g.obtain(g.lemma(GAP, "part:lower", "d", "L", "m"), "c")
    limit = "c^L/k^(L+1)"
    g.have(f"0 < {limit}", lambda g: g.pos(["c^L", "1/k^(L+1)"]))
    least = [g.fact("min_cases", "min(1, ws)", limit), g.fact("min_cases", "1", "ws")]
    positive = g.have(f"0 < min(min(1, ws), {limit})")
    g.witness(f"min(min(1, ws), {limit})")

    def bound(x: str) -> str:
        def inner(g: Goal) -> None:
            _, v = g.split(list(g.seq.hyps)[-1])
            g.auto()

        def outer(g: Goal) -> None:
            g.split(list(g.seq.hyps)[-1])
            g.cases(least[1], inner, inner)

        return g.have(f"min(min(1, ws), {limit}) <= {x}", lambda g: g.cases(least[0], outer, outer))

    one, two, three = (bound(x) for x in ("1", "ws", limit))

    def compare(g: Goal) -> None:
        g.fix("al", "s", "t")
        al, small, s0, s1, es, t0, t1, et = (g.assume() for _ in range(8))
        a = g.have("al <= 1", lambda g: g.pos(["@" + small], ["@" + one]))
        b = g.have("al <= ws", lambda g: g.pos(["@" + small], ["@" + two]))
        low = g.apply(
            lower,
            "ws",
            "al",
            "s",
            by=[None, lambda g: g.close_by(a), lambda g: g.close_by(b), None, lambda g: g.close_by(s1), lambda g: g.close_by(es)],
        )
        high = g.apply(upper, "ws", "al", "t", by=[None, None, lambda g: g.close_by(t1), lambda g: g.close_by(et)])
        p = g.by_fact("ipow_mono", "c*al", "s", "L", by=[lambda g: g.pos(["c", "al"]), lambda g: g.close_by(low), None])
        q = g.by_fact("ipow_strict", "t", "k*al", "L+1", by=[None, lambda g: g.close_by(high), None])
        pm, qm = g.by_fact("ipow_mul", "c", "al", "L"), g.by_fact("ipow_mul", "k", "al", "L+1")
        step = g.by_fact("ipow_step", "al", "L")
        g.pos(
            ["@" + q],
            ["@" + p],
            ["k^(L+1)*al^L", "@" + small],
            ["k^(L+1)*al^L", "@" + three],
            eqs=[(pm, -1), (qm, 1), (step, "k^(L+1)")],
        )

    g.conj(lambda g: g.close_by(positive), compare)


@part(
    GAP,
    "mean",
    f"""all d L:Z, ws c s x:R. 2 <= d => 3 <= L => 0 < ws => 0 < s => (d-1)*s^L < ws*d => {eq9("s", "c")} => 0 < x => x^L < ws*d =>
        {eq8("x", "c")} => x^L = ws*d - (d-1)*s^L""",
    says="The roots of (8) and (9) satisfy (30).",
    uses=[IMPLICIT],
)
def roots_have_the_mean(g: Goal) -> None:
    """The value that (30) pairs with s solves (8), which has one root."""
    size, depth, ws, s0, inside, nine, x0, below, eight = g.intro()
    g.have("0 < d - 1")
    u = "(ws*d - (d-1)*s^L)"
    g.have(f"0 < {u}", lambda g: g.pos(["@" + inside]))
    a = g.obtain(g.have(f"ex A:R. A = {u}^(1/L)", lambda g: (g.witness(f"{u}^(1/L)"), g.refl())[-1]), "A")[0]
    g.have("0 < A", lambda g: (g.rewrite(a), g.pos([f"{u}^(1/L)"]))[-1])

    def raised(g: Goal, e: str, whole: str) -> None:
        h = g.by_fact("pow_pow", u, "1/L", e)
        k = g.have(f"{u}^(1/L*({e})) = {u}^({whole})", lambda g: g.ctx(lambda g: g.field()))
        g.rewrite(a)
        g.rewrite(k, back=True)
        g.exact(h)

    power = g.have(f"A^L = {u}^1", lambda g: raised(g, "L", "1"))
    power = g.have(f"A^L = {u}", lambda g: g.field((power, 1)))
    other = g.have(f"A^(2-L) = {u}^((2-L)/L)", lambda g: raised(g, "2-L", "(2-L)/L"))
    difference = g.have("A^(2-L) - s^(2-L) = c", lambda g: g.field((other, 1), (nine, 1)))
    mean = g.have("ws = (A^L + (d-1)*s^L)/d", lambda g: g.field((power, "-1/d")))
    both = g.split(
        g.lemma(
            IMPLICIT,
            "part:combined",
            "d",
            "L",
            "ws",
            "c",
            "A",
            "s",
            by=[None] * 4 + [lambda g: g.close_by(difference), lambda g: g.close_by(mean)],
        )
    )
    smaller = g.have("A^L < ws*d", lambda g: g.pos(["d - 1", "s^L"], eqs=[(power, -1)]))
    k = g.lemma(
        IMPLICIT, "part:unique-8", "d", "L", "ws", "c", "x", "A",
        by=[None] * 4 + [lambda g: g.close_by(below), lambda g: g.close_by(smaller), lambda g: g.close_by(eight), lambda g: g.close_by(both[0])],
    )  # fmt: skip
    g.rewrite(k)
    g.close_by(power)


@amendment(
    GAP,
    f"""all d L:Z, ws m:R. 2 <= d => 3 <= L => 0 < ws => 1 < m => ex a0:R. 0 < a0 and all al s x t y:R. 0 < al => al < a0 =>
        0 < s => (d-1)*s^L < ws*d => {eq9("s", C)} => 0 < x => x^L < ws*d => {eq8("x", C)} =>
        0 < t => (d-1)*t^(L+1) < ws*d => {deeper(eq9("t", C))} => 0 < y => y^(L+1) < ws*d => {deeper(eq8("y", C))} =>
        x^L - s^L < y^(L+1) - t^(L+1)""",
    says="for every d, w*, finite m and L >= 3 one more layer widens the gap from all scales alpha below some alpha_0 > 0",
    uses=[GAP],
)
def the_gap_widens_from_small_starts(g: Goal) -> None:
    """By (30) the gap is w* d - d sigma_r^L, and sigma_r^L falls with one more layer."""
    g.intro()
    low, every = g.obtain(g.lemma(GAP, "part:intensifies", "d", "L", "ws", "m"), "a0")
    g.witness("a0")

    def compare(g: Goal) -> None:
        hs = g.intro()
        lower = g.apply(every, "al", "s", "t", by=[lambda g, h=h: g.close_by(h) for h in (*hs[:5], *hs[8:11])])
        one = g.lemma(
            GAP, "part:mean", "d", "L", "ws", C, "s", "x", by=[None] * 3 + [lambda g, h=h: g.close_by(h) for h in hs[2:8]]
        )
        two = g.lemma(
            GAP,
            "part:mean",
            "d",
            "L + 1",
            "ws",
            deeper(C),
            "t",
            "y",
            by=[None] * 3 + [lambda g, h=h: g.close_by(h) for h in hs[8:14]],
        )
        g.pos(["d", "@" + lower], eqs=[(one, -1), (two, 1)])

    g.conj(lambda g: g.close_by(low), compare)


@holds(
    ID,
    f"({GENERIC}) and {COUPLED} and {SHALLOW} and {INTENSIFIES} and ({RANK_TWO})",
    argument="repaired",
    context=ZERO_LOSS
    + (
        "; the warm start is that of A.2 [A.2]; equation (9) has as its root the singular values (r >= 2) of a factor of "
        "the limit (Theorem 4), and the comparison of the depths L and L + 1 is one of the roots s and t at the two "
        "depths, from the same alpha and m [equation (9), Theorem 4]"
    ),
    reading="For L >= 3 the dynamics are coupled for every observation pattern and all starts but a null set. Diagonal observations, family"
    " (7): for L >= 3 and finite m the dynamics are coupled, although the pattern is disconnected, and all"
    " singular values of the limit but the first vanish with alpha; at depth 2 they do not. For every L >= 3 and all small alpha the small"
    " singular values of the product are smaller at depth L + 1 than at depth L, so that the gap is wider. From the warm start of A.2 the"
    " limit has full rank.",
    readings=[
        ("the bias intensifies with depth from every scale alpha", "refuted", "large-scale"),
        ("small starts have low-rank limits for every observation pattern if L >= 3", "open", None),
    ],
    reason="The printed discussion rests on figures; large scales are an exception (assertion-depth-widens-gap).",
    uses=[TYPICAL, GAP, SMALL, WARM],
)
def coupling_depth_and_warm_starts(g: Goal) -> None:
    """Theorem 4, the comparison of two depths, and the limit after the warm start."""
    g.conj(
        lambda g: g.close_by(g.lemma(TYPICAL)),
        lambda g: g.close_by(g.lemma(SMALL, "part:coupled")),
        lambda g: g.close_by(g.lemma(SMALL, "part:depth-two")),
        lambda g: g.close_by(g.lemma(GAP, "part:intensifies")),
        lambda g: g.close_by(g.lemma(WARM)),
    )


@part(
    ID,
    "large-scale",
    f"not ({WIDENS})",
    says="At alpha = 2, m = 10 the gap shrinks from L = 3 to L = 4.",
    uses=[GAP],
)
def a_large_scale_is_an_exception(g: Goal) -> None:
    """The counterexample to the claim on the gap."""
    h = g.assume()
    g.clash(h, g.lemma(GAP, "negation"))
