"""Figure 1: distance of the induced flow from Z_1 for several depths, one output, started ten times too large at 30 degrees from Z."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.registry import experiment, simulated

SETUP = "eftekhari2022.fig-1-setup"
Array = NDArray[np.float64]
SAMPLES, INPUTS = 50, 5
DEPTHS = (2, 3, 5, 10)
SCALES = (0.003, 0.03, 0.1, 0.3, 1.0)
"""Norms of Z; the paper does not print its own. 0.3 is about what standard normal data give."""
TYPICAL = 0.3
STEPS = {"quick": 10_000, "full": 100_000}
END = 0.1
"""Explicit Euler with 10^5 steps of 10^-6 up to the time 0.1."""
RECORDS = 50
ANGLE = np.pi / 6
CHOSEN = (
    "depths 2, 3, 5, 10, whitened Gaussian X, Gaussian Y scaled to the five norms of Z given, angle exactly 30 degrees in a random direction;"
    " the quick profile has steps of 10^-5"
)


def draw(generator: np.random.Generator, norm: float) -> tuple[Array, Array, Array, Array]:
    """Whitened data X (5 x 50), Y (1 x 50), the target Z = Y X^T/m and the start W_0."""
    raw = generator.standard_normal((INPUTS, SAMPLES))
    q, _ = np.linalg.qr(raw.T)
    x = np.sqrt(SAMPLES) * q.T
    y = generator.standard_normal((1, SAMPLES))
    y *= norm / float(np.linalg.norm(y @ x.T / SAMPLES))
    z = y @ x.T / SAMPLES
    side = generator.standard_normal((1, INPUTS))
    side -= (side @ z.T) / float(np.sum(z * z)) * z
    side *= norm / float(np.linalg.norm(side))
    return x, y, z, 10 * (np.cos(ANGLE) * z + np.sin(ANGLE) * side)


def velocity(w: Array, z: Array, depth: Array) -> Array:
    """The induced flow (17) for one output: -m s^(2-2/N) (g + (N-1) v v^T g) with g = W - Z, s = |W|, v = W/s, for many rows at once."""
    s = np.sqrt(np.sum(w * w, axis=1, keepdims=True))
    v = w / s
    g = w - z
    along = np.sum(g * v, axis=1, keepdims=True)
    result: Array = -SAMPLES * s ** (2 - 2 / depth) * (g + (depth - 1) * along * v)
    return result


def runs(profile: str) -> tuple[Array, Array, dict[str, float]]:
    """Distances from Z at RECORDS + 1 equally spaced times (runs x times) by Euler, the largest relative deviation of a run by the
    classical Runge-Kutta method with ten times longer steps, and checks of the data. Runs are ordered by scale, then depth."""
    generator = np.random.default_rng(1)
    starts, targets, checks = [], [], {"whitening": 0.0, "cosine": 0.0}
    for norm in SCALES:
        x, y, z, w = draw(generator, norm)
        checks["whitening"] = max(checks["whitening"], float(np.abs(x @ x.T / SAMPLES - np.eye(INPUTS)).max()))
        cosine = (w @ z.T).item() / float(np.linalg.norm(w) * np.linalg.norm(z))
        checks["cosine"] = max(checks["cosine"], abs(cosine - float(np.cos(ANGLE))))
        starts += [w[0]] * len(DEPTHS)
        targets += [z[0]] * len(DEPTHS)
    z, depth = np.array(targets), np.array([[float(n)] for _ in SCALES for n in DEPTHS])
    steps = STEPS[profile]

    def follow(total: int, classical: bool) -> Array:
        w, h, rows = np.array(starts), END / total, []
        for k in range(total + 1):
            if k % (total // RECORDS) == 0:
                rows.append(np.linalg.norm(w - z, axis=1))
            a = velocity(w, z, depth)
            if classical:
                b = velocity(w + h / 2 * a, z, depth)
                c = velocity(w + h / 2 * b, z, depth)
                d = velocity(w + h * c, z, depth)
                a = (a + 2 * b + 2 * c + d) / 6
            w = w + h * a
        return np.array(rows).T

    euler, exact = follow(steps, False), follow(steps // 10 if profile == "full" else steps, True)
    scale = np.array([[norm] for norm in SCALES for _ in DEPTHS])
    return euler, np.abs(euler - exact) / scale, checks


def label(norm: float, depth: int) -> str:
    """How a run is named in statistics."""
    return f"|Z| = {norm:g}, N = {depth}"


@experiment(SETUP, grade="simulated", limit=120)
def set_up_is_reproducible(profile: str) -> dict[str, Any]:
    """Euler agrees with an accurate method to 2 percent of |Z|, the data are whitened, and the angle is 30 degrees."""
    euler, error, checks = runs(profile)
    statistics = {
        "largest error of Euler relative to |Z|": f"{error.max():.1e}",
        "largest entry of X X^T/m - I": f"{checks['whitening']:.0e}",
        "largest error of the cosine": f"{checks['cosine']:.0e}",
        "chosen": CHOSEN,
    }
    holds = bool(error.max() < 0.02 and checks["whitening"] < 1e-12 and checks["cosine"] < 1e-12)
    data = [[f"{d:.6e}" for d in row] for row in euler]
    return {"holds": holds, "statistics": statistics, "data": data}


def distances(found: Any) -> Array:
    """The recorded distances (runs x times)."""
    return np.array([[float(d) for d in row] for row in found[SETUP]["set_up_is_reproducible"]["data"]])


def rates(curve: Array) -> Array:
    """The logarithmic rates between recorded times, while the distance is above 10^-5 of its start."""
    keep = curve > 1e-5 * curve[0]
    usable = curve[: int(np.argmin(keep)) if not keep.all() else len(curve)]
    result: Array = -np.diff(np.log(usable)) / (END / RECORDS)
    return result


@experiment("eftekhari2022.fig-1-slowdown", grade="simulated", needs=[SETUP])
def rate_falls_along_the_run(profile: str, found: Any) -> dict[str, Any]:
    """In every run the logarithmic rate is largest at first and does not increase (by more than 0.1 percent) from record to record."""
    curves, statistics, holds = distances(found), {}, True
    for k, curve in enumerate(curves):
        r = rates(curve)
        falls = bool((np.diff(r) <= 1e-3 * r[0]).all() and r[-1] < r[0])
        holds = holds and falls
        statistics[label(SCALES[k // len(DEPTHS)], DEPTHS[k % len(DEPTHS)])] = f"first {r[0]:.3g}, last {r[-1]:.3g}"
    return {"holds": holds, "statistics": statistics}


def first_rates(curves: Array) -> Array:
    """The rates at the start (scales x depths), from the first record."""
    return np.array([rates(c)[0] for c in curves]).reshape(len(SCALES), len(DEPTHS))


@experiment("eftekhari2022.fig-1-faraway-depth", grade="simulated", needs=[SETUP])
def deeper_is_faster_far_away(profile: str, found: Any) -> dict[str, Any]:
    """The distance at the first record decreases with the depth for the typical norm of Z, by at least 1 percent from depth to depth."""
    curves = distances(found).reshape(len(SCALES), len(DEPTHS), -1)
    first = curves[:, :, 1] / curves[:, :, 0]
    faster = [bool((first[i, 1:] < 0.99 * first[i, :-1]).all()) for i in range(len(SCALES))]
    statistics = {f"|Z| = {norm:g}": "faster" if fast else "not faster" for norm, fast in zip(SCALES, faster, strict=True)}
    return {"holds": faster[SCALES.index(TYPICAL)], "statistics": statistics}


@experiment(
    "eftekhari2022.fig-1-nearby-depth",
    grade="simulated",
    needs=[SETUP],
    decides="the sentence speaks of what Figure 1 shows, and leaves the precise rates open",
)
def deeper_is_slower_nearby(profile: str, found: Any) -> dict[str, Any]:
    """The last rate decreases with the depth for the typical norm of Z, by at least 1 percent from depth to depth."""
    curves, statistics, slower = distances(found), {}, []
    for i, norm in enumerate(SCALES):
        last = [float(rates(curves[i * len(DEPTHS) + j])[-1]) for j in range(len(DEPTHS))]
        slower.append(all(b < 0.99 * a for a, b in pairwise(last)))
        statistics[f"|Z| = {norm:g}"] = ", ".join(f"{r:.3g}" for r in last)
    return {"holds": slower[SCALES.index(TYPICAL)], "statistics": statistics}


simulated(SETUP, because="Simulated: the paper prints neither the distribution of Y nor the depths; " + CHOSEN)
simulated("eftekhari2022.fig-1-slowdown", because="Simulated: one draw of the data for each of five norms of Z.")
simulated(
    "eftekhari2022.fig-1-faraway-depth",
    because="Simulated: true for |Z| = 0.3 and larger norms; for 10 |Z| well below 1 deeper networks are slower, and the paper does not print |Z|.",
)
simulated(
    "eftekhari2022.fig-1-nearby-depth",
    because="Simulated: true for |Z| = 0.3; the rate at Z_1 is m s_Z^(2-2/N) by linearisation, which falls with N only for s_Z < 1.",
)
