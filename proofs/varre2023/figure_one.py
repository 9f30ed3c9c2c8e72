"""Figure 1: the singular values of the hidden layer, for gradient flow from two scales and for label noise gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.registry import experiment, simulated

Array = NDArray[np.float64]
SAMPLES, INPUTS, OUTPUTS, WIDTH = 5, 10, 3, 200
SEEDS = {"quick": 2, "full": 4}
LOSS = 1e-18
BECAUSE = "Simulated: a figure about one run with random data; its target, data scale and seed are not printed. What the layer converges to is proved (cor-3-1-leading, cor-3-1-trailing)"


def orthonormal_rows(rng: np.random.Generator, rows: int, width: int) -> Array:
    """A matrix with orthonormal rows, shape (rows, width)."""
    return np.linalg.qr(rng.standard_normal((width, rows)))[0].T


def velocity(x: Array, y: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Minus the gradient of |X W1 W2 - Y|^2 / 2 in both layers."""
    residual = x.T @ (y - x @ first @ second)
    return residual @ second.T, first.T @ residual


def flow(x: Array, y: Array, first: Array, second: Array) -> tuple[Array, Array, bool]:
    """Gradient flow by the classical Runge-Kutta method, until the loss is below LOSS; whether it got there in 200000 steps."""
    largest = float(np.linalg.norm(x, 2)) ** 2
    for _ in range(200_000):
        if float(np.sum((y - x @ first @ second) ** 2)) < LOSS:
            return first, second, True
        h = 0.25 / (largest * float(np.linalg.norm(first, 2) ** 2 + np.linalg.norm(second, 2) ** 2 + 1))
        a = velocity(x, y, first, second)
        b = velocity(x, y, first + h / 2 * a[0], second + h / 2 * a[1])
        c = velocity(x, y, first + h / 2 * b[0], second + h / 2 * b[1])
        d = velocity(x, y, first + h * c[0], second + h * c[1])
        first = first + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        second = second + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
    return first, second, False


def vector_regression(gamma: float, seed: int) -> tuple[Array, Array, Array, bool]:
    """Singular values of the limit of W1, those that Corollary 3.1 gives, the left singular vectors of W1, and whether the flow converged."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((SAMPLES, INPUTS))
    y = x @ rng.standard_normal((INPUTS, OUTPUTS))
    start = np.sqrt(2 * gamma) * orthonormal_rows(rng, INPUTS, WIDTH)
    first, _, done = flow(x, y, start, np.zeros((WIDTH, OUTPUTS)))
    least = np.zeros(INPUTS)
    least[:OUTPUTS] = np.linalg.svd(np.linalg.pinv(x) @ y, compute_uv=False)
    frame, values, _ = np.linalg.svd(first, full_matrices=False)
    return values, np.sqrt(gamma + np.sqrt(gamma**2 + least**2)), frame, done


def summary(gamma: float, profile: str) -> dict[str, Any]:
    """What the runs of one scale show: convergence, distance to Corollary 3.1, the ratio of the 4th to the 3rd singular value."""
    runs = [vector_regression(gamma, seed) for seed in range(1, SEEDS[profile] + 1)]
    return {
        "converged": all(done for *_, done in runs),
        "distance": max(float(np.abs(v - w).max()) for v, w, *_ in runs),
        "ratios": [float(v[OUTPUTS] / v[OUTPUTS - 1]) for v, *_ in runs],
        "trailing": [float(x) for v, *_ in runs for x in v[OUTPUTS:]],
        "energy": [float((v[:OUTPUTS] ** 2).sum() / (v**2).sum()) for v, *_ in runs],
    }


def rounded(values: list[float]) -> list[float]:
    """To four significant digits."""
    return [float(f"{v:.4g}") for v in values]


@experiment("varre2023.fig-1a-small", grade="simulated", limit=600)
def small_start_gives_rank_three(profile: str) -> dict[str, Any]:
    """Predicates, for gamma = 10^-4 and every seed: the flow converges; all ten singular values of W1 are within 10^-5 of those of Corollary 3.1; the fourth is
    less than a twentieth of the third, and the three leading left singular directions hold more than 99.5 percent of the energy of the columns."""
    found = summary(1e-4, profile)
    return {
        "holds": found["converged"] and found["distance"] < 1e-5 and max(found["ratios"]) < 0.05 and min(found["energy"]) > 0.995,
        "statistics": {
            "runs": SEEDS[profile],
            "largest distance from Corollary 3.1": float(f"{found['distance']:.1e}"),
            "fourth over third singular value": rounded(found["ratios"]),
            "energy in three directions": rounded(found["energy"]),
        },
    }


@experiment("varre2023.fig-1a-large", grade="simulated", limit=600)
def large_start_keeps_full_rank(profile: str) -> dict[str, Any]:
    """Predicates, for gamma = 1 and every seed: the flow converges; all ten singular values of W1 are within 10^-5 of those of Corollary 3.1; the seven trailing ones are
    sqrt(2) up to 10^-5, and the fourth is more than a third of the first three's smallest."""
    found = summary(1.0, profile)
    off = max(abs(t - np.sqrt(2)) for t in found["trailing"])
    return {
        "holds": found["converged"] and found["distance"] < 1e-5 and off < 1e-5 and min(found["ratios"]) > 1 / 3,
        "statistics": {
            "runs": SEEDS[profile],
            "largest distance from Corollary 3.1": float(f"{found['distance']:.1e}"),
            "largest distance of a trailing singular value from sqrt(2)": float(f"{off:.1e}"),
            "fourth over third singular value": rounded(found["ratios"]),
        },
    }


NOISE = {"quick": (2, 4000), "full": (5, 20000)}


def noisy_descent(seed: int, rate: float, noise: float, steps: int) -> tuple[Array, Array]:
    """Singular values of W1 at the start and after the steps of label noise gradient descent (plain for noise 0), X orthogonal."""
    rng = np.random.default_rng(seed)
    size = 5
    x = np.linalg.qr(rng.standard_normal((size, size)))[0]
    y = x @ rng.standard_normal((size, 1))
    first = np.sqrt(2.0) * orthonormal_rows(rng, size, WIDTH)
    second = np.zeros((WIDTH, 1))
    start = np.linalg.svd(first, compute_uv=False)
    for _ in range(steps):
        labels = y + noise * rng.standard_normal((size, 1)) if noise else y
        a, b = velocity(x, labels, first, second)
        first, second = first + rate * a, second + rate * b
    return start, np.linalg.svd(first, compute_uv=False)


@experiment("varre2023.fig-1b", grade="simulated", limit=600)
def label_noise_lowers_the_other_values(profile: str) -> dict[str, Any]:
    """Predicates, for gamma = 1, eta = 1/20, label noise of standard deviation 1 and 0, every seed (20000 steps; 4000 in the quick profile):
    without noise the largest singular value grows by more than 10^-3 and the four others move by less than 10^-9; with noise every one of the four others is lower at the end, and their
    sum is less than nine tenths of that at the start. Step size, noise, scale and horizon are not printed."""
    seeds, steps = NOISE[profile]
    plain = [noisy_descent(s, 0.05, 0.0, steps) for s in range(1, seeds + 1)]
    noisy = [noisy_descent(s, 0.05, 1.0, steps) for s in range(1, seeds + 1)]
    growth = min(float(b[0] - a[0]) for a, b in plain)
    moved = max(float(np.abs(b[1:] - a[1:]).max()) for a, b in plain)
    left = [float(b[1:].sum() / a[1:].sum()) for a, b in noisy]
    lower = all(bool((b[1:] < a[1:]).all()) for a, b in noisy)
    return {
        "holds": growth > 1e-3 and moved < 1e-9 and lower and max(left) < 0.9,
        "statistics": {
            "seeds": seeds,
            "steps": steps,
            "plain descent: least growth of the largest singular value": float(f"{growth:.3g}"),
            "plain descent: largest move of the others": float(f"{moved:.1e}"),
            "label noise: what is left of the sum of the four others": rounded(left),
        },
    }


for _claim in ("fig-1a-small", "fig-1a-large"):
    simulated(f"varre2023.{_claim}", because=BECAUSE)
simulated(
    "varre2023.fig-1b",
    because="Simulated: a finding on runs with random labels; step size, noise level and horizon are not printed",
)
