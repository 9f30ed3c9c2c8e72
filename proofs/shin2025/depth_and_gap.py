"""The gap between the limiting singular values and the depth: it widens at small scale, and can narrow at large scale."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from proofs.shin2025.implicit_equations import IMPLICIT
from proofs.shin2025.large_ratio import chain, gaps, roots
from proofs.shin2025.root_enclosures import BITS, SCALES, bounds, parameters, with_numbers
from proofs.shin2025.root_table import ROOTS
from proofs.shin2025.theorem_four import C, eq8, eq9
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part, refuted

CLAIM = "shin2025.assertion-depth-widens-gap"
NUMBERS = {"d": "10", "ws": "(1)"}


def limits(s: str, x: str, **numbers: str) -> list[str]:
    """Equations (9) and (8) for the roots s and x at w* = 1, d = 10."""
    return [with_numbers(text, NUMBERS | numbers) for text in (eq9(s, C), eq8(x, C))]


SHALLOWER, DEEPER = limits("s", "x"), limits("t", "y", L="(L+1)")


WIDENS = f"""all L:Z, al m s x t y:R. 3 <= L => 0 < al => 1 < m => 0 < s => 0 < x => 0 < t => 0 < y =>
    {SHALLOWER[0]} => {SHALLOWER[1]} => {DEEPER[0]} => {DEEPER[1]} => x^L - s^L < y^(L+1) - t^(L+1)"""


NARROWS = f"""ex L:Z, al m s x t y:R. 3 <= L and 0 < al and 1 < m and 0 < s and 0 < x and 0 < t and 0 < y and
    {SHALLOWER[0]} and {SHALLOWER[1]} and {DEEPER[0]} and {DEEPER[1]} and y^(L+1) - t^(L+1) < x^L - s^L"""
"""One more layer can narrow the gap."""


@part(
    CLAIM, "narrows", NARROWS, says="at alpha = 2, m = 10, w* = 1, d = 10 depth 4 has a smaller gap than depth 3", uses=[IMPLICIT]
)
def one_more_layer_narrows_the_gap(g: Goal) -> None:
    """The enclosed roots."""
    equations, powers = roots_at_a_large_scale(g)
    g.witness("3", "2", "10", "s", "x", "t", "y")
    g.conj(*[None] * 7, *equations, lambda g: g.pos(*[[f"@{h}"] for h in powers], [SLACK]))


@refuted(
    CLAIM,
    WIDENS,
    reading=(
        "one more layer, from the same scale alpha of each factor, widens the gap for every L >= 3, alpha > 0 and finite m > 1; "
        "the depth 2, with which the sentence contrasts, is left out"
    ),
    reason=(
        "at alpha = 2, m = 10 the gap shrinks from more than 1.39 at L = 3 to less than 0.67 at L = 4; the sentence needs a "
        "small scale, which it does not state (at alpha^L <= w* no failure was found among depths from 3 to 10)"
    ),
    readings=[("from the same alpha^L at most w*, which is where Figure 2 is of interest", "open", None)],
    uses=[IMPLICIT],
)
def a_large_scale_narrows_the_gap(g: Goal) -> None:
    """At alpha = 2, m = 10 sign changes of (9) enclose the roots at L = 3 and L = 4 to two or three digits."""
    equations, powers = roots_at_a_large_scale(g)
    g.witness("3", "2", "10", "s", "x", "t", "y")
    first: list[Script | None] = [None] * 7
    chain(g, *first, *equations, lambda g: g.pos(*[[f"@{h}"] for h in powers], [SLACK]))


def roots_at_a_large_scale(g: Goal) -> tuple[list[Script | None], list[str]]:
    """Take the roots s, x at L = 3 and t, y at L = 4: scripts for their equations, and bounds of their powers."""
    three = enclosed(g, 3, ("19/20", "951/1000", "1312/1000", "1317/1000"), ("s", "x"))
    four = enclosed(g, 4, ("983/1000", "984/1000", "1117/1000", "11242/10000"), ("t", "y"))
    powers = [
        g.by_fact("ipow_strict", "1312/1000", "x", "3"),
        g.by_fact("ipow_strict", "s", "951/1000", "3"),
        g.by_fact("ipow_strict", "y", "11242/10000", "4"),
        g.by_fact("ipow_strict", "983/1000", "t", "4"),
    ]
    return [lambda g, h=h: g.step("field", eqs=((h, 1),)) for h in (*three, *four)], powers


SLACK = str(Fraction(1312, 1000) ** 3 - Fraction(951, 1000) ** 3 - Fraction(11242, 10000) ** 4 + Fraction(983, 1000) ** 4)
"""What is left when the bounds are put in."""


def enclosed(g: Goal, depth: int, ends: tuple[str, str, str, str], names: tuple[str, str]) -> list[str]:
    """Take both roots at alpha = 2, m = 10 within their bounds; the names of their equations."""
    u, v, y, z = ends
    numbers = {"L": str(depth), "d": "10", "ws": "1", "m": "10", "al": "2"}
    general = g.lemma(IMPLICIT, "part:enclosed")
    ball = lambda g: g.ball(bits=BITS)  # noqa: E731
    h = g.apply(general, "10", str(depth), "1", with_numbers(C, numbers), u, v, y, z, by=[ball] * 11)
    hs = g.obtain(h, *names)
    for name, low, hyp in ((names[0], u, hs[0]), (names[1], y, hs[2])):
        g.have(f"0 < {name}", lambda g, low=low, hyp=hyp: g.pos([f"@{hyp}"], [low]))
    return hs[4:]


SMALL = tuple(product(("2", "10"), (0, 10)))
"""m and the exponent k of alpha^L = 10^-k in the amendment."""
DEPTHS = (3, 4, 5)
NAMES = (("s", "x"), ("t", "y"), ("r", "z"))
Row = tuple[int, str, int]
"""L, m and the exponent k of alpha^L = 10^-k."""


def widening(rows: tuple[Row, Row, Row]) -> str:
    """There are roots for three rows whose gaps increase."""
    equations = [
        with_numbers(text, parameters(L, 10, "1", m, k))
        for (L, m, k), (s, x) in zip(rows, NAMES, strict=True)
        for text in (eq9(s, C), eq8(x, C))
    ]
    gap = [f"{x}^{L} - {s}^{L}" for (L, _, _), (s, x) in zip(rows, NAMES, strict=True)]
    return (
        f"(ex s x t y r z:R. 0 < s and 0 < x and 0 < t and 0 < y and 0 < r and 0 < z and {' and '.join(equations)} and "
        f"{gap[0]} < {gap[1]} and {gap[1]} < {gap[2]})"
    )


def show_widening(g: Goal, rows: tuple[Row, Row, Row]) -> None:
    """The certified roots: their bounds are raised to the power L by monotonicity and subtracted."""
    equations, below, above, low, high = [], [], [], [], []
    for (L, m, k), (s, x) in zip(rows, NAMES, strict=True):
        equations += roots(g, L, m, k, (s, x))[4:]
        u, v, y, z = bounds(ROOTS[L, 10, "1", m][SCALES.index(k)])
        below.append((g.by_fact("ipow_strict", y, x, str(L)), g.by_fact("ipow_strict", s, v, str(L))))
        above.append((g.by_fact("ipow_strict", x, z, str(L)), g.by_fact("ipow_strict", u, s, str(L))))
        low.append(Fraction(y) ** L - Fraction(v) ** L)
        high.append(Fraction(z) ** L - Fraction(u) ** L)
    g.witness(*[name for pair in NAMES for name in pair])
    steps: list[Script | None] = [
        lambda g, a=a, b=b: gaps(g, [*above[a], *below[b]], str(low[b] - high[a])) for a, b in pairwise(range(3))
    ]
    g.conj(*[None] * 6, *[lambda g, h=h: g.exact(h) for h in equations], *steps)


def by_depth(m: str, k: int) -> tuple[Row, Row, Row]:
    """The depths 3, 4, 5 at one m and scale."""
    three, four, five = ((L, m, k) for L in DEPTHS)
    return three, four, five


@part(
    CLAIM,
    "stated-scales",
    " and ".join(widening(by_depth(m, k)) for m, k in SMALL),
    says="from the same alpha^L, at w* = 1, d = 10, the gap widens from L = 3 to 4 to 5 for m = 2, 10 and alpha^L = 1, 10^-10",
    uses=["shin2025.eq-9"],
)
def the_gap_widens_at_small_scale(g: Goal) -> None:
    """The certified roots: their bounds are raised to the power L by monotonicity and subtracted."""
    g.conj(*[lambda g, m=m, k=k: show_widening(g, by_depth(m, k)) for m, k in SMALL])
