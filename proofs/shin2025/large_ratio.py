"""Figure 2 at m = 10^10: near the identity initialisation only while alpha is not too small for the depth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from proofs.shin2025.captions import reading
from proofs.shin2025.root_enclosures import RATIOS, SCALES, bounds, parameters, with_numbers
from proofs.shin2025.root_table import ROOTS
from proofs.shin2025.theorem_four import C, eq8, eq9
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, part, refuted

CLAIM = "shin2025.fig-2-large-m"
M = "10000000000"
NUMBERS = {"d": "10", "ws": "(1)", "m": f"({M})"}
ROWS = [*product(RATIOS, SCALES)]
NEAR = "99/100 <= x^{L} and x^{L} <= 101/100 and 99/100 <= s^{L} and s^{L} <= 101/100"
DEPTHS, MODERATE = (3, 4, 5), (0, 5, 10)


def chain(g: Goal, *scripts: Script | None) -> None:
    """Prove a and (b and (c and ...)) piece by piece."""
    first, *rest = scripts
    if rest:
        g.conj(first, lambda g: chain(g, *rest))
    else:
        g.run(first)


def table(depth: int) -> str:
    """The part of eq-9 that has the roots at w* = 1, d = 10."""
    return f"roots-L{depth}-d10-w1"


@refuted(
    CLAIM,
    f"""all L:Z, al s x:R. 3 <= L => 0 < al => 0 < s => 0 < x => {with_numbers(eq9("s", C), NUMBERS)} =>
        {with_numbers(eq8("x", C), NUMBERS)} => {NEAR.format(L="L")}""",
    reading="near w* is within 1 percent, for every depth L >= 3 and every alpha > 0, as the sentence says",
    readings=[
        (
            "in the range of alpha^L that the figure shows, which the text does not print: checked at alpha^L = 1, 10^-5, 10^-10 "
            "for L = 3, 4, 5",
            "holds",
            "moderate-scales",
        ),
        (reading(2), "refuted", "negation"),
    ],
    reason=(
        "L = 3 and alpha^L = 10^-30 give sigma_1^L above 9.9 and sigma_r^L below 0.001: for every finite m the gap tends to w* d "
        "as alpha tends to 0. At m = 10^10 the finding is true from alpha^L = 1 down to 10^-19 at depth 3, 10^-12 at depth 4, "
        "10^-10 at depth 5, 10^-7 at depth 10, and for every alpha at depth 2"
    ),
    uses=["shin2025.eq-9"],
)
def small_scale_overcomes_a_large_ratio(g: Goal) -> None:
    """The certified roots at L = 3, alpha^L = 10^-30: sigma_1 exceeds 2, so that sigma_1^3 is not within 1 percent of 1."""
    n = parameters(3, 10, "1", M, 30)
    hs = roots(g, 3, M, 30)
    far = g.by_fact("ipow_strict", "2", "x", "3")
    g.witness("3", n["al"], "s", "x")

    def too_large(g: Goal) -> None:
        g.left_or_right(1)
        g.pos([f"@{far}"], ["699/100"])

    first: list[Script | None] = [None] * 4
    equations = [lambda g, h=h: g.step("field", eqs=((h, 1),)) for h in hs[4:]]
    chain(g, *first, *equations, too_large)


def gaps(g: Goal, hyps: Sequence[str], rest: str) -> None:
    """The conclusion is the sum of some strict inequalities and a positive number; other hypotheses are put away first."""
    g.clear(*[h for h in g.seq.hyps if h not in hyps])
    g.pos(*[[f"@{h}"] for h in hyps], [rest])


def roots(g: Goal, depth: int, ratio: str, k: int, names: tuple[str, str] = ("s", "x")) -> list[str]:
    """Take the certified roots at a depth, m and alpha^L = 10^-k, and that they are positive."""
    h = g.lemma("shin2025.eq-9", f"part:{table(depth)}")
    rows = g.split_all(h)
    hs = g.obtain(rows[ROWS.index((ratio, k))], *names)
    g.clear(*[row for row in rows if row in g.seq.hyps])
    u, _, y, _ = bounds(ROOTS[depth, 10, "1", ratio][SCALES.index(k)])
    for name, low, hyp in ((names[0], u, hs[0]), (names[1], y, hs[2])):
        g.have(f"0 < {name}", lambda g, low=low, hyp=hyp: gaps(g, [hyp], low))
    return hs


def near(depth: int, k: int) -> str:
    """There are roots at alpha^L = 10^-k, and they are near w*."""
    n = parameters(depth, 10, "1", M, k)
    return (
        f"(ex s x:R. 0 < s and 0 < x and {with_numbers(eq9('s', C), n)} and {with_numbers(eq8('x', C), n)} and "
        f"{NEAR.format(L=depth)})"
    )


MODERATELY = " and ".join(near(depth, k) for depth, k in product(DEPTHS, MODERATE))


@part(
    CLAIM,
    "moderate-scales",
    MODERATELY,
    says="at w* = 1, d = 10, m = 10^10 the singular values are within 1 percent of w*: L = 3, 4, 5, alpha^L = 1, 10^-5, 10^-10",
    uses=["shin2025.eq-9"],
)
def moderate_scales(g: Goal) -> None:
    """The certified roots: the bounds of s and x are raised to the power L by monotonicity."""

    def one(g: Goal, depth: int, k: int) -> None:
        hs = roots(g, depth, M, k)
        u, v, y, z = bounds(ROOTS[depth, 10, "1", M][SCALES.index(k)])
        power = {}
        for name, low, high in (("x", y, z), ("s", u, v)):
            power[name] = (
                g.by_fact("ipow_strict", low, name, str(depth)),
                g.by_fact("ipow_strict", name, high, str(depth)),
            )
        g.witness("s", "x")
        bounded: list[Script] = []
        for name, low, high in (("x", y, z), ("s", u, v)):
            below, above = power[name]
            bounded += [
                lambda g, h=below, low=low: gaps(g, [h], str(Fraction(low) ** depth - Fraction(99, 100))),
                lambda g, h=above, high=high: gaps(g, [h], str(Fraction(101, 100) - Fraction(high) ** depth)),
            ]
        g.conj(None, None, lambda g: g.exact(hs[4]), lambda g: g.exact(hs[5]), *bounded)

    g.conj(*[lambda g, depth=depth, k=k: one(g, depth, k) for depth, k in product(DEPTHS, MODERATE)])


@amendment(
    CLAIM,
    MODERATELY,
    says="For m = 10^10 all singular values are near w* down to moderate scales: within 1 percent at w* = 1, d = 10 for L = 3, 4, 5 and "
    "alpha^L = 1, 10^-5, 10^-10.",
    covers="boxes",
    because="the roots are certified at stated values of L, m and alpha",
)
def near_the_target_at_moderate_scales(g: Goal) -> None:
    """The part, which also serves as a reading."""
    g.close_by(g.lemma(CLAIM, "part:moderate-scales"))
