"""Figure 1: 2 x 2 completion of rank-one targets from the diagonal (M_D) and from the first column (M_C)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from proofs.shin2025.captions import readings
from proofs.shin2025.simulation import Array, ManyTargets, converged, effective_ranks, gaussian, products, rounded, scale, summary
from verify.kernel import Goal
from verify.registry import experiment, figure, holds

DEPTHS = (2, 3, 4)
POWERS = (-1, -2, -4, -6)
SEED = 1
RUNS = {"quick": 30, "full": 100}
STEPS = 40_000
MASKS = {"M_D": np.array([[True, False], [False, True]]), "M_C": np.array([[True, False], [True, False]])}
LOSS = {"quick": 1e-7, "full": 1e-10}
COLOURS = {2: "#595959", 3: "#0072B2", 4: "#D55E00"}

Ranks = dict[tuple[int, int], Array]


@holds(
    "shin2025.fig-1a",
    "ncomp([[1,0],[0,1]]) = 2 and ncomp([[1,0],[1,0]]) = 1",
    argument="sound",
    reading="the number of components of the bipartite graph without isolated vertices (Definition 8): two for the diagonal pattern,"
    " one for the column",
)
def diagonal_has_two_components_and_the_column_one(g: Goal) -> None:
    """Components by exhaustive search."""
    g.compute()


def limiting_ranks(pattern: str, profile: str) -> tuple[Ranks, int]:
    """The effective ranks of the limits by depth and power of ten, and how many runs did not converge."""
    runs, generator = RUNS[profile], np.random.default_rng(SEED)
    u, v = generator.standard_normal((2, runs, 2))
    targets = u[:, :, None] * v[:, None, :]
    found, lost = {}, 0
    for depth in DEPTHS:
        factors = gaussian(generator, runs, 2, depth)
        model = ManyTargets(MASKS[pattern], depth)
        for power in POWERS:
            state = model.begin(list(scale(power, depth) * factors), targets)
            good = converged(model, state, LOSS[profile], STEPS)
            found[depth, power] = effective_ranks(products(model, state)[good])
            lost += int((~good).sum())
    return found, lost


def label(depth: int, power: int) -> str:
    """How a depth and a scale are named in statistics."""
    return f"alpha^L = 10^{power}, L = {depth}"


def result(holds: bool, found: Ranks, lost: int, runs: int, more: dict[str, Any]) -> dict[str, Any]:
    """What an experiment returns: all summaries; means and standard errors as data for the drawing."""
    data = {label(*key): rounded([x.mean(), x.std(ddof=1) / np.sqrt(x.size)]) for key, x in found.items()}
    table = {label(*key): summary(x) for key, x in found.items()}
    told = {"runs for each depth and scale": runs, "not converged": lost, "effective rank": table, **more}
    return {"holds": bool(holds), "statistics": told, "data": data}


@experiment("shin2025.fig-1b", grade="simulated", seed=SEED, limit=1800)
def depth_two_keeps_a_higher_rank_on_the_diagonal(profile: str) -> dict[str, Any]:
    """Predicates on mean effective ranks over 100 targets and starts (30 in the quick profile), observed on the diagonal.

    The paper prints the targets (u v^T with standard normal u, v) and the start (independent normal factors with standard deviation
    alpha), not the widths, depths, scales, seeds, step size or stopping rule. Chosen here: square factors, L = 2, 3, 4, the scales
    alpha^L = 10^-1, 10^-2, 10^-4, 10^-6, the gradient flow, followed until the loss is at most 10^-10 (10^-7 in the quick profile);
    the same targets and the same standard normal factors times alpha serve every scale. A run that stays at a saddle point would not
    reach that loss, and is left out. "Well above 1" is read as 1.1 with three standard errors to spare.

    1. L = 2, every scale: the mean exceeds 1.1 by three standard errors at least.

    2. L = 2 does not react to the scale: from alpha^2 = 10^-4 to 10^-6 the mean moves by less than 0.01.

    3. L = 3, 4: the mean falls at every step of scale, and is below 1.01 at alpha^L = 10^-6.

    4. At every scale the means of L = 3, 4 are below that of L = 2, by 0.05 at least.

    5. At most 1 run in 100 is left out.
    """
    runs = RUNS[profile]
    found, lost = limiting_ranks("M_D", profile)
    mean = {key: float(x.mean()) for key, x in found.items()}
    surplus = min(mean[2, p] - 3 * float(found[2, p].std(ddof=1)) / found[2, p].size ** 0.5 for p in POWERS)
    drift = abs(mean[2, -6] - mean[2, -4])
    falls = all(mean[d, b] < mean[d, a] for d in DEPTHS[1:] for a, b in pairwise(POWERS))
    smallest = max(mean[d, -6] for d in DEPTHS[1:])
    gap = min(mean[2, p] - mean[d, p] for d in DEPTHS[1:] for p in POWERS)
    few = 100 * lost <= runs * len(found)
    more = {
        "L = 2: least mean minus three standard errors": rounded(surplus),
        "L = 2: the mean moves from alpha^L = 10^-4 to 10^-6 by": rounded(drift),
        "L = 3, 4: largest mean at alpha^L = 10^-6": rounded(smallest, 7),
        "least mean of L = 2 minus that of L = 3, 4": rounded(gap),
    }
    return result(surplus > 1.1 and drift < 0.01 and falls and smallest < 1.01 and gap > 0.05 and few, found, lost, runs, more)


@experiment("shin2025.fig-1c", grade="simulated", seed=SEED, limit=1800)
def every_depth_has_the_bias_on_the_column(profile: str) -> dict[str, Any]:
    """Predicates on mean effective ranks over 100 targets and starts (30 in the quick profile), observed on the first column, with the
    choices of Figure 1(b).

    1. The bias is there for every depth: the mean falls at every step of scale, and is below 1.01 at alpha^L = 10^-6.

    2. It tends to get stronger with depth: at alpha^L = 10^-1 and 10^-2 the mean minus 1 falls by a quarter at least from L = 2 to L = 4;
       at every scale the median minus 1 falls by a quarter at least from L = 2 to L = 4, and the mean does not rise by more than two
       standard errors from L = 2 to 3 or from 3 to 4. (At 10^-4 and 10^-6 all means are within 0.01 of 1, and a few runs make them.)

    3. At most 1 run in 100 is left out.
    """
    runs = RUNS[profile]
    found, lost = limiting_ranks("M_C", profile)
    mean = {key: float(x.mean()) for key, x in found.items()}
    error = {key: float(x.std(ddof=1)) / x.size**0.5 for key, x in found.items()}
    falls = all(mean[d, b] < mean[d, a] for d in DEPTHS for a, b in pairwise(POWERS))
    smallest = max(mean[d, -6] for d in DEPTHS)
    left = max((mean[4, p] - 1) / (mean[2, p] - 1) for p in POWERS[:2])
    middle = max(float((np.median(found[4, p]) - 1) / (np.median(found[2, p]) - 1)) for p in POWERS)
    rises = max((mean[b, p] - mean[a, p]) / np.hypot(error[a, p], error[b, p]) for p in POWERS for a, b in pairwise(DEPTHS))
    few = 100 * lost <= runs * len(found)
    more = {
        "largest mean at alpha^L = 10^-6": rounded(smallest, 7),
        "largest part of (mean - 1) left from L = 2 to L = 4, alpha^L = 10^-1, 10^-2": rounded(left),
        "largest part of (median - 1) left from L = 2 to L = 4": rounded(middle),
        "largest rise of the mean with depth, in standard errors (negative: it falls)": rounded(rises),
    }
    return result(falls and smallest < 1.01 and max(left, middle) < 0.75 and rises < 2 and few, found, lost, runs, more)


@figure(
    "shin2025.fig-1b",
    "figure-1",
    readings=readings(1),
    needs=["shin2025.fig-1b", "shin2025.fig-1c"],
    caption=(
        "Figure 1 (b) and (c) redrawn: mean effective rank of the limit against the scale $\\alpha^L$ of Gaussian factors, for random "
        "$2\\times2$ targets of rank one; bars are standard errors."
    ),
)
def both_patterns(canvas: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Two panels, coloured by depth."""
    canvas.set_size_inches(9, 3.8)
    panels = canvas.subplots(1, 2, sharey=True)
    drawn = {}
    titles = {
        "shin2025.fig-1b": "(b) $M_{\\mathrm{D}}$: diagonal observed",
        "shin2025.fig-1c": "(c) $M_{\\mathrm{C}}$: first column observed",
    }
    for axes, (claim, title) in zip(panels, titles.items(), strict=True):
        (test,) = found[claim].values()
        drawn[claim] = test["data"]
        for depth in DEPTHS:
            means, errors = zip(*(test["data"][label(depth, p)] for p in POWERS), strict=True)
            xs = [10.0**p for p in POWERS]
            style = {"color": COLOURS[depth], "linewidth": 1.8, "capsize": 3, "label": f"L = {depth}"}
            axes.errorbar(xs, means, yerr=errors, marker="o", markersize=4, **style)
        axes.set_xscale("log")
        axes.set_title(title)
        axes.set_xlabel(r"initial scale $\alpha^L$")
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
    panels[0].set_ylabel("mean effective rank")
    handles, labels = panels[0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    (test,) = found["shin2025.fig-1b"].values()
    count = test["statistics"]["runs for each depth and scale"]
    return {"data": drawn, "caption": f"{count} runs for each point."}
