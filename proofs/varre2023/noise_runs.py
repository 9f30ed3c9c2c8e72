"""Appendix A, Figure 3: runs of the driftless noise equation (4.1) for d = 2 from W = I, a = 0."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.registry import experiment, simulated

Array = NDArray[np.float64]
PATHS = {"quick": 400, "full": 2000}
STEP = 2e-3
TIMES = (2.5, 5.0, 10.0, 15.0)
BECAUSE = "Simulated: a picture of three random runs; seeds and horizon are not printed"


def advance(layer: Array, output: Array, noise: Array) -> tuple[Array, Array]:
    """A step of Euler and Maruyama: W + dB a^T and a + W^T dB; shapes (paths, 2, 2), (paths, 2), (paths, 2)."""
    return layer + noise[:, :, None] * output[:, None, :], output + np.einsum("pij,pi->pj", layer, noise)


def begin(paths: int) -> tuple[Array, Array]:
    """W = I, a = 0."""
    return np.tile(np.eye(2), (paths, 1, 1)), np.zeros((paths, 2))


def commutators(layer: Array, output: Array) -> Array:
    """Frobenius norms of w_i a^T - a w_i^T for the first row, shape (paths,)."""
    return np.asarray(np.sqrt(2) * np.abs(layer[:, 0, 0] * output[:, 1] - layer[:, 0, 1] * output[:, 0]))


def ensemble(paths: int, times: Sequence[float], seed: int) -> list[tuple[Array, Array, Array]]:
    """At each time: singular values (paths, 2), norms of the first commutator (paths,), and these over |w_1| |a|."""
    rng = np.random.default_rng(seed)
    layer, output = begin(paths)
    found = []
    marks = {round(t / STEP) for t in times}
    for k in range(1, round(times[-1] / STEP) + 1):
        layer, output = advance(layer, output, np.sqrt(STEP) * rng.standard_normal((paths, 2)))
        if k in marks:
            c = commutators(layer, output)
            size = np.linalg.norm(layer[:, 0], axis=1) * np.linalg.norm(output, axis=1)
            found.append((np.linalg.svd(layer, compute_uv=False), c, c / size))
    return found


def rounded(values: Sequence[float]) -> list[float]:
    """To three significant digits."""
    return [float(f"{v:.3g}") for v in values]


@experiment("varre2023.fig-3-setup", grade="simulated", limit=300)
def three_runs_with_a_shrinking_step(profile: str) -> dict[str, Any]:
    """Predicate: three runs of 4000 steps with the step size 1/(20 sqrt(k)), k the number of the step, stay finite, and both tracked quantities can be read off:
    the singular values of W and the norms of the commutators of the rows with a. The constant before 1/sqrt(t) and the horizon are not printed."""
    rng = np.random.default_rng(1)
    layer, output = begin(3)
    for k in range(1, 4001):
        layer, output = advance(layer, output, np.sqrt(0.05 / np.sqrt(k)) * rng.standard_normal((3, 2)))
    values, norms = np.linalg.svd(layer, compute_uv=False), commutators(layer, output)
    return {
        "holds": bool(np.isfinite(values).all() and np.isfinite(norms).all()),
        "statistics": {
            "larger singular value": rounded(values[:, 0]),
            "smaller singular value": rounded(values[:, 1]),
            "norm of the commutator": rounded(norms),
        },
    }


@experiment("varre2023.fig-3a", grade="simulated", limit=300)
def smaller_singular_value_decays(profile: str) -> dict[str, Any]:
    """Predicates, for an ensemble (fixed step 1/500): at t = 5, 10 and 15 the smaller singular value is below its start in 99 of 100 paths, and its median falls by a half at least
    from each of these times to the next; at t = 5 the larger one is above its start in more than half of the paths, and its median as well. That the larger one grows
    is a finding about such a typical run: its median is of order 1 at all times, since for d = 2 its logarithm has no drift in the long run, and in nearly half of the paths it is below its start."""
    found = ensemble(PATHS[profile], TIMES, 1)
    small = [float(np.median(s[:, 1])) for s, *_ in found]
    below = [float((s[:, 1] < 1).mean()) for s, *_ in found[1:]]
    large = [float(np.median(s[:, 0])) for s, *_ in found]
    above = [float((s[:, 0] > 1).mean()) for s, *_ in found]
    falls = all(b < a / 2 for a, b in pairwise(small[1:]))
    return {
        "holds": min(below) >= 0.99 and falls and above[1] > 0.5 and large[1] > 1,
        "statistics": {
            "paths": PATHS[profile],
            "times": list(TIMES),
            "median of the smaller singular value": rounded(small),
            "median of the larger singular value": rounded(large),
            "share of paths whose larger singular value is above its start": rounded(above),
        },
    }


@experiment("varre2023.fig-3b", grade="simulated", limit=300)
def commutators_decrease(profile: str) -> dict[str, Any]:
    """Predicates, for an ensemble (fixed step 1/500): from t = 2.5 on the median of |[w_1, a]| and that of |[w_1, a]|/(|w_1| |a|) fall by a third at least to each next time of 5, 10, 15.
    At the start both a and the commutator are 0, so the decrease can only be that after the first rise; the mean falls much more slowly than exp(-t)."""
    found = ensemble(PATHS[profile], TIMES, 2)
    plain = [float(np.median(c)) for _, c, _ in found]
    scaled = [float(np.median(q)) for *_, q in found]
    falls = all(b < a * 2 / 3 for v in (plain, scaled) for a, b in pairwise(v))
    return {
        "holds": falls,
        "statistics": {
            "paths": PATHS[profile],
            "times": list(TIMES),
            "median of the norm": rounded(plain),
            "mean of the norm": rounded([float(c.mean()) for _, c, _ in found]),
            "median of the norm over |w_1| |a|": rounded(scaled),
        },
    }


for _claim in ("fig-3-setup", "fig-3a", "fig-3b"):
    simulated(f"varre2023.{_claim}", because=BECAUSE)
