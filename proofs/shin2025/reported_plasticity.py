"""What the trainings of Figure 3 and small runs say of sentences that the paper quotes from other works: tests, not decisions."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from proofs.shin2025.figure_three import DEPTHS, Runs, label
from proofs.shin2025.simulation import Array, ManyTargets, converged, gaussian, products, rounded, scale
from verify.registry import experiment

PAPER = "shin2025"
TRAININGS = f"{PAPER}.fig-3-setup"
Found = dict[str, dict[str, dict[str, Any]]]


def ratio(read: Runs, depth: int, power: float) -> float:
    """The mean error after the warm start over that after the cold start."""
    return float(read.get(depth, power, "warm", "error").mean() / read.get(depth, power, "cold", "error").mean())


@experiment(f"{PAPER}.cited-kleinman-depth", grade="simulated", needs=[TRAININGS])
def relative_loss_grows_with_depth(profile: str, found: Found) -> dict[str, Any]:
    """At every common alpha^L the ratio of the mean errors, warm over cold, grows with each layer."""
    read = Runs(found)
    table = {p: [ratio(read, d, p) for d in DEPTHS] for p in read.common}
    return {
        "holds": all(a < b for row in table.values() for a, b in pairwise(row)),
        "statistics": {
            "mean error, warm over cold": {
                label(p): {f"L = {d}": rounded(x) for d, x in zip(DEPTHS, row, strict=True)} for p, row in table.items()
            },
        },
    }


@experiment(f"{PAPER}.cited-kleinman-gap", grade="simulated", needs=[TRAININGS])
def warm_starts_of_depth_two_have_the_larger_error(profile: str, found: Found) -> dict[str, Any]:
    """At depth 2 and every common alpha^L the error after the warm start exceeds that after the cold start, in every seed. Listed for every
    depth: in how many seeds it does, and the mean difference with its standard error."""
    read = Runs(found)
    gaps = {(d, p): read.loss(d, p, "error") for d in DEPTHS for p in read.common}
    return {
        "holds": all(bool((gaps[2, p] > 0).all()) for p in read.common),
        "statistics": {
            "seeds with the larger error after the warm start": read.table(
                lambda d, p: f"{int((gaps[d, p] > 0).sum())} of {gaps[d, p].size}"
            ),
            "warm - cold, mean (standard error)": read.table(
                lambda d, p: f"{gaps[d, p].mean():.3g} ({gaps[d, p].std(ddof=1) / np.sqrt(gaps[d, p].size):.2g})"
            ),
        },
    }


DEPTH, RUNS, POWERS, SEED = 3, {"quick": 30, "full": 100}, (-1, -2, -3, -4), 3


def second_singular_values(profile: str) -> dict[int, Array]:
    """Of the limits on the diagonal with both values 1, from the same Gaussian factors at every scale; only runs that converge."""
    runs, generator = RUNS[profile], np.random.default_rng(SEED)
    factors = gaussian(generator, runs, 2, DEPTH)
    model = ManyTargets(np.eye(2, dtype=bool), DEPTH)
    found = {}
    for power in POWERS:
        state = model.begin(list(scale(power, DEPTH) * factors), np.ones((runs, 2, 2)))
        good = converged(model, state, 1e-10, 200_000)
        found[power] = np.linalg.svd(products(model, state)[good], compute_uv=False)[:, 1]
    return found


@experiment(f"{PAPER}.cited-menon-open", grade="simulated", seed=SEED)
def second_singular_value_falls_with_the_scale(profile: str) -> dict[str, Any]:
    """Depth 3, the diagonal of a 2 x 2 matrix with both values 1, Gaussian factors, the gradient flow to a loss of 10^-10: median and 90
    percent quantile of the second singular value fall with every smaller scale, and the median is below 0.01 at alpha^3 = 10^-4; at
    least 95 in 100 runs converge."""
    found = second_singular_values(profile)
    marks = {p: np.quantile(x, (0.5, 0.9)) for p, x in found.items()}
    falls = all(bool((marks[b] < marks[a]).all()) for a, b in pairwise(POWERS))
    counts = [x.size for x in found.values()]
    return {
        "holds": falls and float(marks[POWERS[-1]][0]) < 0.01 and 100 * min(counts) >= 95 * RUNS[profile],
        "statistics": {
            "second singular value, median and 90 percent": {f"alpha^3 = 10^{p}": rounded(list(x), 3) for p, x in marks.items()},
            "runs that converged": {f"alpha^3 = 10^{p}": f"{n} of {RUNS[profile]}" for p, n in zip(POWERS, counts, strict=True)},
        },
    }
