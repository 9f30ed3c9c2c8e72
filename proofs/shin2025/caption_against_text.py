"""Figures 1 to 9: where the entries about a caption and those about the text agree, checked against what the runs gave.

Figures 10 to 12 are compared by proof in `warm_start_findings`. Each comparison names the entries of the catalogue that it compares.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from proofs.shin2025.captions import reading
from proofs.shin2025.figure_three import DEPTHS as TRAINED
from proofs.shin2025.figure_three import SMALL, Runs, label
from proofs.shin2025.limit_curves import Ball, Limit, Setting, ball, limit, precision
from proofs.shin2025.limit_figures import DEPTHS, TASKS, log10, number
from proofs.shin2025.pattern_figure import GROUPS, depths_and_scales, mean_and_error, ranks, words
from proofs.shin2025.simulation import rounded
from verify.registry import experiment

PAPER = "shin2025"
BIASED = 1.01
"""A mean effective rank below this shows the low-rank bias."""
HIGH = 1.1
"""A mean effective rank above this is well above 1."""

Found = dict[str, dict[str, dict[str, Any]]]


def told(checks: dict[str, bool]) -> dict[str, str]:
    """Checks as they are read."""
    return {name: "yes" if good else "no" for name, good in checks.items()}


# Figure 1 -------------------------------------------------------------------------------------------------------------


@experiment(
    f"{PAPER}.fig-1a",
    grade="simulated",
    name="caption-against-text",
    needs=[f"{PAPER}.fig-1b", f"{PAPER}.fig-1c"],
    reading=reading(1),
)
def panels_of_figure_one_show_what_the_text_says(profile: str, found: Found) -> dict[str, Any]:
    """At alpha^L = 10^-6 the mean effective rank is well above 1 in one case only, the disconnected pattern at depth 2: there neither
    connectivity nor depth gives the bias; either of them does."""
    (diagonal,), (column,) = (found[f"{PAPER}.fig-1{x}"].values() for x in "bc")
    mean = {
        (name, depth): result["data"][f"alpha^L = 10^-6, L = {depth}"][0]
        for name, result in (("M_D", diagonal), ("M_C", column))
        for depth in (2, 3, 4)
    }
    checks = {
        "M_D, L = 2: well above 1": mean["M_D", 2] > HIGH,
        "M_D, L = 3, 4: near 1": all(mean["M_D", depth] < BIASED for depth in (3, 4)),
        "M_C, every depth: near 1": all(mean["M_C", depth] < BIASED for depth in (2, 3, 4)),
    }
    shown = {f"{name}, L = {depth}": rounded(x, 6) for (name, depth), x in mean.items()}
    return {"holds": all(checks.values()), "statistics": {**told(checks), "mean effective rank at alpha^L = 10^-6": shown}}


# Figure 3 -------------------------------------------------------------------------------------------------------------

TRAININGS = f"{PAPER}.fig-3-setup"


@experiment(
    f"{PAPER}.fig-3-pretrain",
    grade="simulated",
    name="caption-against-text",
    needs=[TRAININGS],
    reading=reading(3),
)
def pretrained_rank_falls_with_depth_at_a_common_scale(profile: str, found: Found) -> dict[str, Any]:
    """The mean effective rank after pre-training falls from L to L + 1 at every common alpha^L. Listed as well: the relative loss of
    the warm start by depth, that is the mean error after it over that after a cold start."""
    read = Runs(found)
    mean = {(d, p): float(read.get(d, p, "pre", "rank").mean()) for d in TRAINED for p in read.common}
    falls = {f"{label(p)}: L = {b} below L = {a}": mean[b, p] < mean[a, p] for p in read.common for a, b in pairwise(TRAINED)}
    relative = {
        label(p): {
            f"L = {d}": rounded(float(read.get(d, p, "warm", "error").mean() / read.get(d, p, "cold", "error").mean()))
            for d in TRAINED
        }
        for p in SMALL
    }
    return {"holds": all(falls.values()), "statistics": {**told(falls), "mean error, warm over cold": relative}}


# Figure 4 -------------------------------------------------------------------------------------------------------------

PATTERNS = f"{PAPER}.fig-4-setup"


@experiment(
    f"{PAPER}.fig-4-discrepancy",
    grade="simulated",
    name="caption-against-text",
    needs=[PATTERNS],
    reading=reading(4),
)
def panels_of_figure_four_show_what_the_text_says(profile: str, found: Found) -> dict[str, Any]:
    """There are 17 connected and 6 disconnected patterns; at the smallest alpha^L depth 2 is above depth 3 in both groups, and in the
    disconnected group by more than twice as much."""
    (setup,) = found[PATTERNS].values()
    data = setup["data"]
    depths, scales = depths_and_scales(data)
    least = min(scales, key=float)
    sizes = [len({str(d["cells"]) for d in data if d["group"] == group}) for group in GROUPS]
    gaps = [mean_and_error(ranks(data, g, depths[0], least) - ranks(data, g, depths[1], least)) for g in GROUPS]
    checks = {
        "17 connected, 6 disconnected": sizes == [17, 6],
        "depth 2 above depth 3 in both groups": all(gap > 0 for gap, _ in gaps),
        "more than twice as much on disconnected patterns": gaps[1][0] > 2 * gaps[0][0],
    }
    shown = {group: words(*gap) for group, gap in zip(GROUPS, gaps, strict=True)}
    return {"holds": all(checks.values()), "statistics": {**told(checks), f"difference at alpha^L = {least}": shown}}


# Figures 5, 6, 7 ------------------------------------------------------------------------------------------------------

GRID = tuple(-j for j in range(0, 31, 5))
PLOTTED = (Fraction(2), Fraction(10), Fraction(100))


def grows(values: list[Ball]) -> bool:
    """Whether each ball lies above the one before, for certain."""
    return all(bool(b > a) for a, b in pairwise(values))


def curves(task: str) -> dict[tuple[Fraction, int], list[Limit]]:
    """The limits from alpha^L = w* 10^-j, by m and depth."""
    target, dimension = TASKS[task]
    return {
        (m, depth): [limit(Setting(target, dimension, m, depth), log10(target) + j) for j in GRID]
        for m in PLOTTED
        for depth in DEPTHS
    }


def compare(task: str, profile: str) -> dict[str, Any]:
    """Figures 5, 6 and 7 against Figure 2 and the hypothesis of E.1, for m = 2, 10, 100 and L = 2, 3, 4, 5.

    1. At L = 2 the values do not depend on alpha; at L >= 3 the log-ratio of the singular values grows with every smaller scale.
    2. Where d = 10 all values are those of Figure 2 times w*.
    """
    own, two = curves(task), curves("figure-2")
    target, dimension = TASKS[task]
    with precision():
        checks = {
            "L = 2 does not react to alpha": all(
                x.largest.overlaps(xs[0].largest) for (_, d), xs in own.items() if d == 2 for x in xs
            ),
            "L = 3, 4, 5: the ratio grows as alpha falls": all(
                grows([x.log_ratio for x in xs]) for (_, d), xs in own.items() if d > 2
            ),
        }
        if dimension == TASKS["figure-2"][1]:
            checks["all values are those of Figure 2 times w*"] = all(
                x.largest.overlaps(y.largest * ball(target)) and x.other.overlaps(y.other * ball(target))
                for key, xs in own.items()
                for x, y in zip(xs, two[key], strict=True)
            )
        ratios = {f"m = {number(m)}": (own[m, 2][0].largest / own[m, 2][0].other).mid().str(6, radius=False) for m in PLOTTED}
    return {"holds": all(checks.values()), "statistics": {**told(checks), "sigma_1^2 / sigma_r^2 at L = 2": ratios}}


def bind_comparison(figure: int) -> None:
    """Bind the comparison of one of the figures."""

    def the_conclusion_is_that_of_figure_two(profile: str) -> dict[str, Any]:
        return compare(f"figure-{figure}", profile)

    the_conclusion_is_that_of_figure_two.__doc__ = compare.__doc__
    experiment(
        f"{PAPER}.fig-{figure}",
        grade="numeric",
        name="caption-against-text",
        reading=reading(figure),
    )(the_conclusion_is_that_of_figure_two)


for _figure in (5, 6, 7):
    bind_comparison(_figure)


# Figure 8 -------------------------------------------------------------------------------------------------------------

OMITTED = 1e-10
DESCENT = tuple((depth, power) for depth in (3, 4, 5) for power in (-1, -2, -3, -4))


def time_of_large_m(depth: int, power: int) -> float:
    """The time of the flow to within 10^-8 of w* = 1 from alpha I, which m = 10^10 approximates: x' = x^(L-1) (1 - x^L)."""
    log = np.linspace(power * np.log(10) / depth, np.log1p(-1e-8), 200_001)
    x = np.exp(log)
    rate = x ** (depth - 2) * (1 - x**depth)
    return float(np.sum(np.diff(log) * (1 / rate[1:] + 1 / rate[:-1]) / 2))


@experiment(
    f"{PAPER}.fig-8",
    grade="numeric",
    name="caption-against-text",
    reading=reading(8),
)
def only_a_small_alpha_is_costly(profile: str) -> dict[str, Any]:
    """Times of the flow at w* = 1, d = 3; the steps of descent are these over the learning rate. Depth 3 and alpha = 10^-10: the largest
    eigenvalue of a factor obeys x' <= x^2, so that it needs at least 1/x(0) - 2 to reach 1/2, with x(0) = alpha (1 + 2/m).

    The predicate: this is above 10^9 for m = 2, 10, 100, and at m = 10^10 the time is below 10^3 at every depth and scale of the runs.
    """
    slow = {f"m = {m}": 1 / (OMITTED * (1 + 2 / m)) - 2 for m in (2, 10, 100)}
    fast = {f"L = {depth}, alpha^L = 10^{power}": time_of_large_m(depth, power) for depth, power in DESCENT}
    return {
        "holds": min(slow.values()) > 1e9 and max(fast.values()) < 1e3,
        "statistics": {
            "least time from alpha = 10^-10, L = 3": {name: f"{t:.3g}" for name, t in slow.items()},
            "largest time at m = 10^10": f"{max(fast.values()):.3g}",
        },
    }


# Figure 9 -------------------------------------------------------------------------------------------------------------

TRIALS = f"{PAPER}.fig-9-setup"


@experiment(
    f"{PAPER}.fig-9b",
    grade="simulated",
    name="caption-against-text",
    needs=[TRIALS],
    reading=reading(9),
)
def parts_of_figure_nine_show_what_the_text_says(profile: str, found: Found) -> dict[str, Any]:
    """In part (a) the effective rank grows with m at every depth and scale, and no layer raises it at any m; in part (b) the median over
    the seeds falls with each layer at alpha^L = 10^-1, 10^-2, 10^-4, and at depth 2 moves with alpha by less than 0.05."""
    seeds = found[TRIALS]["gaussian_trials_converge"]["data"]
    ratios = {key: np.array(row, dtype=np.float64) for key, row in found[TRIALS]["limits_for_every_ratio"]["data"].items()}

    def key(depth: int, power: int) -> str:
        return f"alpha^L = 10^{power}, L = {depth}"

    median = {name: float(np.median(values)) for name, values in seeds.items()}
    steps = [(key(a, p), key(b, p)) for p in (-1, -2, -4) for a, b in pairwise((2, 3, 4))]
    moves = [median[key(2, p)] for p in (-1, -2, -4)]
    checks = {
        "(a): grows with m": all(bool((np.diff(row) >= 0).all() and row[-1] - row[0] > 1.9) for row in ratios.values()),
        "(a): falls with depth": all(bool((ratios[deep] <= ratios[shallow]).all()) for shallow, deep in steps),
        "(b): falls with depth": all(median[deep] < median[shallow] for shallow, deep in steps),
        "(b), L = 2: does not react to alpha": max(moves) - min(moves) < 0.05,
    }
    return {"holds": all(checks.values()), "statistics": told(checks)}
