"""Figure 9: the 3 x 3 diagonal task from the initialisation (7), for every ratio m, and from Gaussian factors, for 1000 seeds."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from proofs.shin2025.captions import readings
from proofs.shin2025.limit_curves import Ball, Setting, ball, limit, precision
from proofs.shin2025.simulation import (
    Array,
    converged,
    effective_ranks,
    gaussian,
    products,
    rounded,
    scale,
    summary,
)
from verify.flow.batch import State
from verify.flow.models import deep_factorization
from verify.registry import experiment, figure

SIZE = 3
DEPTHS = (2, 3, 4)
POWERS = (-1, -2, -4)
SEED = 9
TRIALS = {"quick": 200, "full": 1000}
LOSS = 1e-10
RATIOS = tuple(1 + Fraction(10) ** j * n for j in range(-3, 13) for n in (1, 2, 5))
"""m - 1 = 10^-3, 2 10^-3, 5 10^-3, ..., 5 10^12."""

SETUP = "shin2025.fig-9-setup"
COLOURS = {2: "#595959", 3: "#0072B2", 4: "#D55E00"}


def effective_rank(log_ratio: Ball) -> Ball:
    """The effective rank of a matrix with singular values in the ratio e^u : 1 : 1; it decreases in u."""

    def at(u: Ball) -> Ball:
        rest = (SIZE - 1) * (-u).exp()
        return (rest.log1p() + u * rest / (1 + rest)).exp()

    with precision():
        return at(log_ratio.lower()).union(at(log_ratio.upper()))


def rank_of_the_limit(ratio: Fraction, depth: int, power: int) -> Ball:
    """The effective rank of the limit from (7)."""
    return effective_rank(limit(Setting(Fraction(1), SIZE, ratio, depth), power).log_ratio)


def rank_of_the_start(ratio: Fraction, depth: int) -> Ball:
    """The effective rank of the initial product from (7): its singular values are in the ratio ((m + 2)/(m - 1))^L : 1 : 1."""
    with precision():
        log_ratio = depth * ball((ratio + SIZE - 1) / (ratio - 1)).log()
    return effective_rank(log_ratio)


def trials(count: int) -> dict[tuple[int, int], tuple[Array, int]]:
    """The effective ranks after convergence, sorted, and how many trials did not converge, by depth and power of ten."""
    found = {}
    for depth in DEPTHS:
        factors = gaussian(np.random.default_rng(SEED), count, SIZE, depth)
        model = deep_factorization(np.where(np.eye(SIZE, dtype=bool), 1, None), depth)
        for power in POWERS:
            state = State.begin(model, list(scale(power, depth) * factors))
            good = converged(model, state, LOSS, 20_000)
            found[depth, power] = np.sort(effective_ranks(products(model, state)[good])), int((~good).sum())
    return found


def label(depth: int, power: int) -> str:
    """How a depth and a scale are named in statistics."""
    return f"alpha^L = 10^{power}, L = {depth}"


@experiment(SETUP, grade="simulated", seed=SEED)
def gaussian_trials_converge(profile: str) -> dict[str, Any]:
    """Part (b): all 1000 trials (200 in the quick profile) from Gaussian factors reach the loss 10^-10, for L = 2, 3, 4 and
    alpha^L = 10^-1, 10^-2, 10^-4; a trial that does not is left out and counted, at most 1 in 100. The effective ranks are sorted.

    The paper prints neither depths nor scales, widths or a stopping rule: these are chosen here. The factors are 3 x 3, the gradient flow
    is followed, and the same standard normal factors times alpha serve every scale.
    """
    found = trials(TRIALS[profile])
    return {
        "holds": all(100 * lost <= TRIALS[profile] for _, lost in found.values()),
        "statistics": {
            "trials": TRIALS[profile],
            "not converged": sum(lost for _, lost in found.values()),
            "effective rank": {label(*key): summary(ranks) for key, (ranks, _) in found.items()},
        },
        "data": {label(*key): rounded(ranks, 6) for key, (ranks, _) in found.items()},
    }


@experiment(SETUP, grade="simulated")
def limits_for_every_ratio(profile: str) -> dict[str, Any]:
    """Part (a): the effective rank of the limit from (7) for 48 ratios m from 1.001 to 5 10^12, enclosed to 10^-12 at least. No run is
    needed: the limits are the certified roots of Theorem 4, at the depths and scales of part (b).
    """
    curves = {(d, p): [rank_of_the_limit(m, d, p) for m in RATIOS] for d in DEPTHS for p in POWERS}
    tight = ball(Fraction(1, 10**12))
    return {
        "holds": all(x.rad() < tight for xs in curves.values() for x in xs),
        "statistics": {
            "effective rank at m = 1.001, 2, 11, 101": {
                label(*key): ", ".join(x.mid().str(6, radius=False) for x in (xs[0], xs[9], xs[12], xs[15]))
                for key, xs in curves.items()
            }
        },
        "data": {label(*key): [x.mid().str(6, radius=False) for x in xs] for key, xs in curves.items()},
    }


def increases(values: Iterable[Ball]) -> bool:
    """Whether each ball lies above the one before, for certain."""
    return all(bool(b > a) for a, b in pairwise(values))


@experiment("shin2025.fig-9a", grade="simulated", needs=[SETUP])
def the_ratio_controls_the_rank(profile: str, found: dict[str, Any]) -> dict[str, Any]:
    """Predicates, the first two on certified enclosures, for L = 2, 3, 4 and alpha^L = 10^-1, 10^-2, 10^-4.

    1. The effective ranks of the initial product and of the limit both increase with m, at every step of the grid of 48 ratios.

    2. The limit covers all ranks: its effective rank is below 1.01 at m = 1.001 and above 2.99 at the largest m.

    3. Gaussian factors have no such parameter: the start has alpha alone, which cancels from the effective rank of the initial
       product. At depth 2 alpha moves the median of the limit by less than 0.05, while the seed moves the limit by more than
       0.5 (from the 10 percent to the 90 percent quantile).
    """
    starts = {d: [rank_of_the_start(m, d) for m in RATIOS] for d in DEPTHS}
    limits = {(d, p): [rank_of_the_limit(m, d, p) for m in RATIOS] for d in DEPTHS for p in POWERS}
    low = max(float(xs[0].upper()) for xs in limits.values())
    high = min(float(xs[-1].lower()) for xs in limits.values())
    ranks = ranks_of(found)
    medians = [float(np.median(ranks[2, p])) for p in POWERS]
    widths = [float(np.quantile(ranks[2, p], 0.9) - np.quantile(ranks[2, p], 0.1)) for p in POWERS]
    increasing = [increases(xs) for xs in (*starts.values(), *limits.values())]
    drift, spread = max(medians) - min(medians), min(widths)
    return {
        "holds": all(increasing) and low < 1.01 and high > 2.99 and drift < 0.05 and spread > 0.5,
        "statistics": {
            "curves that increase with m": f"{sum(increasing)} of {len(increasing)}",
            "largest effective rank at m = 1.001": rounded(low, 6),
            "smallest effective rank at the largest m": rounded(high, 6),
            "Gaussian, L = 2: the median moves with alpha by": rounded(drift),
            "Gaussian, L = 2: least distance of the quantiles 10 and 90 percent": rounded(spread),
        },
    }


def ranks_of(found: dict[str, Any]) -> dict[tuple[int, int], Array]:
    """The sorted effective ranks of the Gaussian trials from the results of the setup."""
    data = found[SETUP]["gaussian_trials_converge"]["data"]
    return {(d, p): np.array(data[label(d, p)]) for d in DEPTHS for p in POWERS}


@experiment("shin2025.fig-9b", grade="simulated", needs=[SETUP])
def depth_lowers_the_rank(profile: str, found: dict[str, Any]) -> dict[str, Any]:
    """Predicates, at equal alpha^L = 10^-1, 10^-2, 10^-4.

    1. Gaussian factors: the quantiles 10, 50 and 90 percent of the effective rank all decrease from L = 2 to 3 and from 3 to 4, and
       the median comes nearer to 1 by a quarter of its distance at least.

    2. (7): at every m of the grid the effective rank of the limit decreases from L = 2 to 3 and from 3 to 4, for certain.

    3. At depth 2 the effect is subtle: from alpha^2 = 10^-1 to 10^-4 the Gaussian median moves by less than 0.05, the limit from (7)
       not at all; the Gaussian ranks stay spread (10 to 90 percent) over more than 0.5. At L = 3, 4 the same change of scale takes
       away more than nine tenths of the median's distance from 1.
    """
    ranks = ranks_of(found)
    marks = (0.1, 0.5, 0.9)
    table = {key: np.quantile(values, marks) for key, values in ranks.items()}
    steps = [(table[a, p], table[b, p]) for p in POWERS for a, b in pairwise(DEPTHS)]
    falls = all(bool((b < a).all()) for a, b in steps)
    nearer = max(float((b[1] - 1) / (a[1] - 1)) for a, b in steps)
    curves = {(d, p): [rank_of_the_limit(m, d, p) for m in RATIOS] for d in DEPTHS for p in POWERS}
    certain = [bool(y < x) for p in POWERS for a, b in pairwise(DEPTHS) for x, y in zip(curves[a, p], curves[b, p], strict=True)]
    still = all(x.overlaps(y) for p in POWERS for x, y in zip(curves[2, p], curves[2, POWERS[0]], strict=True))
    drift = max(abs(float(table[2, p][1] - table[2, POWERS[0]][1])) for p in POWERS)
    spread = min(float(table[2, p][2] - table[2, p][0]) for p in POWERS)
    left = {d: float((table[d, POWERS[-1]][1] - 1) / (table[d, POWERS[0]][1] - 1)) for d in DEPTHS[1:]}
    return {
        "holds": falls
        and nearer < 0.75
        and all(certain)
        and still
        and drift < 0.05
        and spread > 0.5
        and all(x < 0.1 for x in left.values()),
        "statistics": {
            "quantiles 10, 50, 90 percent": {
                label(*key): ", ".join(f"{x:.4f}" for x in values) for key, values in table.items()
            },
            "largest part of (median - 1) that is left by one more layer": rounded(nearer),
            "(7): comparisons in depth that come out": f"{sum(certain)} of {len(certain)}",
            "L = 2: the median moves with alpha by": rounded(drift),
            "L = 2: least distance of the quantiles 10 and 90 percent": rounded(spread),
            "part of (median - 1) left from alpha^L = 10^-1 to 10^-4": {f"L = {d}": rounded(x) for d, x in left.items()},
        },
    }


@experiment(
    "shin2025.remark-deterministic-like-gaussian",
    grade="simulated",
    needs=[SETUP],
    decides="The sentence speaks of what the experiments of Appendix E show; the two parts of Figure 9 are run again and compared",
)
def both_families_show_the_same_trends(profile: str, found: dict[str, Any]) -> dict[str, Any]:
    """Similar trends are read as: the median effective rank has the same signs of change in both families, where for (7) it is the
    median over the m with 1.1 <= m <= 101 of the grid and for Gaussian factors that over the seeds.

    1. At every alpha^L = 10^-1, 10^-2, 10^-4 the median falls by at least a quarter of its distance from 1 from L = 2 to 3 and from
       3 to 4, in both families.

    2. At L = 3, 4 it falls with alpha by at least a quarter of its distance from 1 at every step of scale; at L = 2 it moves by
       less than 0.05.

    3. Both families reach different ranks at one scale and depth: over the m, and over the seeds (10 to 90 percent), the effective
       rank at depth 2 spreads by more than 0.5.
    """
    ratios = [m for m in RATIOS if Fraction(11, 10) <= m <= 101]
    seven = {(d, p): np.array([float(rank_of_the_limit(m, d, p).mid()) for m in ratios]) for d in DEPTHS for p in POWERS}
    families = {"(7)": seven, "Gaussian": ranks_of(found)}
    statistics, holds = {}, True
    for name, family in families.items():
        median = {key: float(np.median(values)) for key, values in family.items()}
        depth = max((median[b, p] - 1) / (median[a, p] - 1) for p in POWERS for a, b in pairwise(DEPTHS))
        small = max((median[d, b] - 1) / (median[d, a] - 1) for d in DEPTHS[1:] for a, b in pairwise(POWERS))
        drift = max(abs(median[2, p] - median[2, POWERS[0]]) for p in POWERS)
        spread = min(float(np.quantile(family[2, p], 0.9) - np.quantile(family[2, p], 0.1)) for p in POWERS)
        holds = holds and depth < 0.75 and small < 0.75 and drift < 0.05 and spread > 0.5
        statistics[name] = {
            "median": {label(*key): rounded(x) for key, x in median.items()},
            "largest part of (median - 1) left by one more layer": rounded(depth),
            "largest part of (median - 1) left by a smaller scale, L = 3, 4": rounded(small),
            "L = 2: the median moves with alpha by": rounded(drift),
            "L = 2: least distance of the quantiles 10 and 90 percent": rounded(spread),
        }
    return {"holds": bool(holds), "statistics": statistics}


@figure(
    SETUP,
    "figure-9",
    readings=readings(9),
    needs=[SETUP],
    caption=(
        "Figure 9 redrawn: effective rank of the limit for $3\\times3$ diagonal observations with $w_{ii}^*=1$, at three scales. "
        "Above (a): initialisation (7), against $m-1$, from certified limits. Below (b): Gaussian factors, trials sorted."
    ),
)
def both_initialisations(canvas: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Two rows of three panels, coloured by depth."""
    curves = found[SETUP]["limits_for_every_ratio"]["data"]
    ranks = found[SETUP]["gaussian_trials_converge"]["data"]
    canvas.set_size_inches(9, 6)
    panels = canvas.subplots(2, len(POWERS), sharey=True, sharex="row")
    for column, power in enumerate(POWERS):
        above, below = panels[:, column]
        for depth in DEPTHS:
            style = {"color": COLOURS[depth], "linewidth": 1.8, "label": f"L = {depth}"}
            above.plot([float(m - 1) for m in RATIOS], [float(x) for x in curves[label(depth, power)]], **style)
            values = ranks[label(depth, power)]
            shown = [*range(0, len(values), 4), len(values) - 1]
            below.plot([i + 1 for i in shown], [values[i] for i in shown], **style)
        above.set_xscale("log")
        above.set_xlim(1e-3, 1e6)
        above.set_title(rf"$\alpha^L = 10^{{{power}}}$")
        above.set_xlabel("$m - 1$")
        below.set_xlabel("trial, sorted by effective rank")
        for axes in (above, below):
            axes.set_ylim(0.95, 3.05)
            axes.grid(True, color="#e6e6e6", linewidth=0.6)
            axes.set_axisbelow(True)
    panels[0, 0].set_ylabel("(a) initialisation (7)\neffective rank")
    panels[1, 0].set_ylabel("(b) Gaussian\neffective rank")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    count = found[SETUP]["gaussian_trials_converge"]["statistics"]["trials"]
    return {"data": [curves, ranks], "caption": f"{count} trials."}
