"""Figure 2(c): what is learned for every class of 3 x 3 patterns."""

from __future__ import annotations

from typing import Any

import numpy as np

from proofs.bai2024.small_start_runs import learn, rounded, starts
from verify.completion.graph import kind
from verify.completion.observations import Observations
from verify.completion.patterns import patterns
from verify.completion.rank import minimum_rank_bounds
from verify.registry import experiment, simulated

SCALES = (1e-4, 1e-8, 1e-12)
simulated("bai2024.fig-2c", because="Learned from random starts, for observed values that are not printed")


def learned_rank(values: Any) -> Any:
    """The rank in each run from the singular values at SCALES, shape (scales, runs, 3), by the rule of B.1: one that is below 10^-6 at the last scale,
    or falls by a quarter at least from scale to scale, is none."""
    first, second, third = values
    falls = (second <= 0.75 * first) & (third <= 0.75 * second)
    return ((third >= 1e-6) & ~falls).sum(axis=1)


@experiment("bai2024.fig-2c", grade="simulated", seed=7)
def connected_classes_reach_the_minimum_rank(profile: str) -> dict[str, Any]:
    """Every class of patterns under exchange of rows and of columns, with values of absolute value between 1 and 2 and random signs, five starts, the same
    up to the scale, of the standard deviations 10^-4, 10^-8, 10^-12. The rank is extrapolated as in B.1. Predicates: in every run of a connected class it is
    the minimum rank of a completion (by exact bounds), and in every run of a disconnected class it is larger."""
    del profile
    random = np.random.default_rng([2024, 7])
    found: dict[str, Any] = {"connected": 0, "disconnected": 0}
    good = True
    for item in patterns(3, 3):
        cells = item.representative.cells
        if not cells:
            continue
        table: list[list[float | None]] = [[None] * 3 for _ in range(3)]
        for i, j in sorted(cells):
            table[i][j] = float(np.round(random.uniform(1, 2) * random.choice([-1, 1]), 3))
        least = minimum_rank_bounds(Observations.from_rows(table))
        runs = [learn(table, starts(3, std, 5, 7)) for std in SCALES]
        ranks = learned_rank([x.values for x in runs])
        connected = kind(item.representative) == "connected"
        found["connected" if connected else "disconnected"] += 1
        fits = least.lower == least.upper and all(x.converged for x in runs)
        fits = fits and bool((ranks == least.upper).all() if connected else (ranks > least.upper).all())
        good = good and fits
        if not fits:
            found[str(sorted(cells))] = {"ranks": ranks.tolist(), "minimum": least.upper, "values": rounded(runs[-1].values)}
    return {"holds": good, "statistics": found}
