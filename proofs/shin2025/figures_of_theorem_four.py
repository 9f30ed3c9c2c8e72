"""Figures 2, 5, 6 and 7: the values of Figure 2 and its finding at finite m, from certified roots, and the conclusion that the paper
draws from the other plots, in their settings, for every m, depth and small scale."""

from __future__ import annotations

from itertools import product

from proofs.shin2025.commutant import moves
from proofs.shin2025.depth_and_gap import CLAIM as GAP
from proofs.shin2025.depth_and_gap import NARROWS, Row, by_depth, show_widening, widening
from proofs.shin2025.depth_and_gap import SMALL as SCALES_OF_GAP
from proofs.shin2025.limiting_rank import ARGS, SMALL, prods
from proofs.shin2025.rank_claims import ALL, SLOW, ZERO_LOSS, from_coupled
from proofs.shin2025.root_enclosures import RATIOS, SCALES, enclosure
from proofs.shin2025.theorem_four import DEPTH_TWO
from verify.kernel import Goal
from verify.registry import holds, part

SETTINGS = {5: ("1", "3"), 6: ("10", "10"), 7: ("0.1", "10")}
"""w* and d."""


def in_setting(target: str, dimension: str) -> str:
    """The three cases of Theorem 4 at one w* and d."""
    return ALL.replace("2 <= d =>", f"d = {dimension} =>").replace("0 < ws =>", f"ws = {target} =>")


def decoupled(g: Goal, deep: bool) -> None:
    """Depth 2, or infinite m."""
    args = [x for x in ARGS if not (deep and x == "m")]
    g.fix()
    for name in ("d_is", "L_is", "ws_is", "al_lo", *([] if deep else ["m_lo"]), "prods", "move", "start"):
        g.assume(name)
    g.have("2 <= d")
    g.have("0 < ws")
    front = [None] * (4 if deep else 5)
    g.close_by(g.lemma(SMALL, "part:infinite-m" if deep else "part:depth-two", *args, by=[*front, prods, moves, None]))


for _figure, (_target, _dimension) in SETTINGS.items():

    @holds(
        f"shin2025.fig-{_figure}",
        in_setting(_target, _dimension),
        argument="sound",
        context=ZERO_LOSS,
        reading=(
            f"at w* = {_target}, d = {_dimension}: coupled dynamics (L >= 3, finite m) tend {SLOW}; decoupled ones (L = 2, or infinite m) end at full "
            "rank with singular values bounded below, for every alpha. The plotted values are certified with eq-9 for L = 3, 4, 5, m = 1.001, 2, "
            "10, 10^10 and alpha^L = 1, .., 10^-35; that one more layer and a smaller scale strengthen the bias over the grid of the plot is replayed"
        ),
        uses=[SMALL],
    )
    def coupling_can_bias_and_decoupling_cannot(g: Goal) -> None:
        """The three cases of Theorem 4."""
        g.conj(from_coupled, lambda g: decoupled(g, False), lambda g: decoupled(g, True))


TABLE = " and ".join(enclosure(L, 10, "1", m, k) for L, m, k in product((3, 4, 5), RATIOS, SCALES))
ROOTS_OF = [f"part:roots-L{L}-d10-w1" for L in (3, 4, 5)]


@holds(
    "shin2025.fig-2-setup",
    f"({DEPTH_TWO}) and {TABLE}",
    covers="boxes",
    because="L = 2, 3, 4, 5, m = 1.001, 2, 10, 10^10, alpha^L = 1, 10^-5, .., 10^-35; the text prints of these L = 2 and m = 10^10 alone",
    reading=(
        "the plotted values: at L = 2 the closed form of Theorem 4, which does not contain alpha; at L = 3, 4, 5 the roots of (9) and (8), "
        "that is sigma_r and sigma_1, to 30 digits each"
    ),
    uses=["shin2025.theorem-4-l2", "shin2025.eq-9"],
)
def plotted_values_are_enclosed(g: Goal) -> None:
    """Theorem 4 at depth 2, and the roots certified with (9)."""

    def roots_of(g: Goal, role: str) -> list[str]:
        return g.split_all(g.lemma("shin2025.eq-9", role))

    rows = [h for role in ROOTS_OF for h in roots_of(g, role)]
    g.conj(lambda g: g.close_by(g.lemma("shin2025.theorem-4-l2")), *[lambda g, h=h: g.close_by(h) for h in rows])


FINITE_M = "shin2025.fig-2-low-rank-finite-m"
DEPTHS, RATIOS_OF_GAP = (3, 4, 5), ("2", "10")


def by_scale(L: int, m: str) -> tuple[Row, Row, Row]:
    """Three scales at one depth and m."""
    return (L, m, 0), (L, m, 5), (L, m, 10)


def smaller_scale(L: int) -> str:
    """The gap widens as alpha falls, at one depth."""
    return " and ".join(widening(by_scale(L, m)) for m in RATIOS_OF_GAP)


for _depth in DEPTHS:

    @part(
        FINITE_M,
        f"smaller-scale-{_depth}",
        smaller_scale(_depth),
        says=f"At depth {_depth} and m = 2, 10 the gap widens as alpha^L falls from 1 to 10^-5 to 10^-10.",
        uses=["shin2025.eq-9"],
        covers="boxes",
        because="one depth, two m, three scales",
    )
    def a_smaller_scale_widens_the_gap(g: Goal, L: int = _depth) -> None:
        """The certified roots."""
        g.conj(*[lambda g, m=m: show_widening(g, by_scale(L, m)) for m in RATIOS_OF_GAP])


@holds(
    FINITE_M,
    f"({DEPTH_TWO}) and {' and '.join(widening(by_depth(m, k)) for m, k in SCALES_OF_GAP)} and "
    f"{' and '.join(map(smaller_scale, DEPTHS))}",
    covers="boxes",
    because="L = 3, 4, 5, m = 2, 10, alpha^L = 1, 10^-5, 10^-10; the text prints none of them",
    reading=(
        "from the same alpha^L the gap widens from L = 3 to 4 to 5; at each of these depths it widens as alpha^L falls from 1 to 10^-5 to 10^-10; "
        "at L = 2 the closed form does not contain alpha"
    ),
    readings=[("at every scale", "refuted", "large-scale")],
    uses=["shin2025.theorem-4-l2", "shin2025.eq-9", GAP],
)
def depth_and_small_scale_widen_the_gap(g: Goal) -> None:
    """The certified roots."""
    rows = g.split_all(g.lemma(GAP, "part:stated-scales"))
    for L in DEPTHS:
        rows += g.split_all(g.lemma(FINITE_M, f"part:smaller-scale-{L}"))
    g.conj(lambda g: g.close_by(g.lemma("shin2025.theorem-4-l2")), *[lambda g, h=h: g.close_by(h) for h in rows])


@part(
    FINITE_M,
    "large-scale",
    NARROWS,
    says="From alpha = 2 the gap is smaller at depth 4 than at depth 3.",
    uses=[GAP],
)
def a_large_scale_is_no_such_scale(g: Goal) -> None:
    """The claim on the gap."""
    g.close_by(g.lemma(GAP, "part:narrows"))
