"""Figure 4: a disconnected 3 x 3 matrix learned from small starts, and by greedy low-rank learning."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from proofs.bai2024.small_start_runs import Array, Table, Track, follow, learn, plateaus, rounded, starts
from verify.flow.batch import State, Stop, gradient_flow
from verify.flow.models import deep_factorization
from verify.registry import experiment, simulated

MATRIX: Table = [[1, None, 3], [None, 5, None], [3, None, 9]]
SADDLE = np.array([[1.0, 0, 3], [0, 0, 0], [3, 0, 9]])
ZERO_FILLED = SADDLE + np.diag([0.0, 5, 0])
SCALES = {"quick": (1e-4, 1e-8), "full": (1e-4, 1e-8, 1e-12)}
THRESHOLD = 0.1
"""A singular value of a factor above this is significant."""
SIGNIFICANT = "Trajectories from random starts, whose scale is not printed"
for _claim in ("fig-4b-d", "fig-4f", "fig-4g", "fig-4h"):
    simulated(f"bai2024.{_claim}", because=SIGNIFICANT)


def ranks(track: Track, which: str) -> Any:
    """The number of significant singular values at each record."""
    return (track.spectra(which) > THRESHOLD).sum(axis=1)


def agreement(track: Track) -> dict[str, Any]:
    """The sequence of ranks of [A^T B], whether it grows by ones, and the share of the records at which A, B and [A^T B] agree."""
    a, b, joint = (ranks(track, which) for which in ("A", "B", "aug"))
    order = [int(joint[0]), *[int(y) for x, y in itertools.pairwise(joint) if x != y]]
    return {
        "ranks": order,
        "stepwise": order == list(range(order[-1] + 1)),
        "agree": float(((a == b) & (a == joint)).mean()),
        "at the saddles": [[int(r[k]) for r in (a, b, joint)] for k in plateaus(track)],
        "at the end": [int(r[-1]) for r in (a, b, joint)],
    }


@experiment("bai2024.fig-4b-d", grade="simulated", seed=1)
def rank_grows_to_two(profile: str) -> dict[str, Any]:
    """One run from each standard deviation 10^-4, 10^-8, 10^-12 (the last one not in the quick profile), with a record every second step.
    A singular value above 1/10 is significant. Predicates: the ranks of A, B and the augmented matrix are 0, 1, 2 one after another, agree
    at every saddle and at the end, and at nine of ten records; the third singular value of the learned matrix falls by 1/100 at least from
    scale to scale until it is at the rounding error."""
    found: dict[str, Any] = {}
    good = True
    third = np.inf
    for std in SCALES[profile]:
        track = follow(MATRIX, starts(3, std, 1, 1))
        entry = agreement(track)
        values = track.spectra("W")[-1]
        good = good and entry["ranks"] == [0, 1, 2] and entry["at the end"] == [2, 2, 2] and entry["agree"] >= 0.9
        good = good and entry["at the saddles"] == [[0, 0, 0], [1, 1, 1]] and (values[2] <= 1e-2 * third or values[2] < 1e-13)
        third = float(values[2])
        found[f"{std:g}"] = {**entry, "agree": rounded(entry["agree"]), "learned singular values": rounded(values)}
    return {"holds": bool(good), "statistics": found}


POWERS = {"quick": (-3, -4, -8), "full": (-3, -4, -6, -8, -12)}


@experiment("bai2024.fig-4f", grade="simulated", seed=1)
def solutions_become_symmetric_without_a_limit(profile: str) -> dict[str, Any]:
    """Ten starts, the same up to the scale, for each variance 10^-6, .., 10^-24 (from larger starts the loss falls to 10^-10 only
    algebraically, as the outer block has rank one). Predicates: from scale to scale the largest difference of the entries (0,1) and (1,0), and of (1,2) and (2,1), is proportional to the scale within
    a factor 3; at every scale the entry (0,1) has a standard deviation of more than 1/2 over the starts, and between the two smallest
    scales no entry of a run moves by more than 10^-4 (1/100 in the quick profile), so that it is the start that decides."""
    found: dict[str, Any] = {}
    good = True
    gaps: list[Array] = []
    products: list[Array] = []
    for power in POWERS[profile]:
        runs = learn(MATRIX, starts(3, 10.0**power, 10, 1))
        w = runs.products
        gaps.append(np.array([np.abs(w[:, i, j] - w[:, j, i]).max() for i, j in ((0, 1), (1, 2))]))
        products.append(w)
        spread = float(w[:, 0, 1].std())
        good = good and runs.converged and spread > 0.5
        found[f"variance 10^{2 * power}"] = {
            "largest differences": rounded(gaps[-1]),
            "mean of (0,1)": rounded(w[:, 0, 1].mean()),
            "deviation of (0,1)": rounded(spread),
        }
    for k in range(1, len(gaps)):
        step = 10.0 ** (POWERS[profile][k] - POWERS[profile][k - 1])
        quotient = gaps[k] / gaps[k - 1] / step
        good = good and bool(((quotient > 1 / 3) & (quotient < 3)).all())
    moved = float(np.abs(products[-1] - products[-2]).max())
    found["moved between the smallest scales"] = rounded(moved)
    return {"holds": bool(good and moved < (1e-4 if profile == "full" else 0.01)), "statistics": found}


@experiment("bai2024.fig-4g", grade="simulated", seed=1)
def surrounding_entries_come_first(profile: str) -> dict[str, Any]:
    """The runs of Figure 4(b-d): the product at the last saddle (locally least gradient norm) is compared with [1,0,3; 0,0,0; 3,0,9].
    Predicates: the Frobenius distance falls from scale to scale and is below 1/100 at the smallest scale, the surrounding entries are within 1/100 of their values, and the
    middle entry is below 1/100 there and 5 at the end up to 1/1000."""
    distances: list[float] = []
    found: dict[str, Any] = {}
    good = True
    for std in SCALES[profile]:
        track = follow(MATRIX, starts(3, std, 1, 1))
        k = plateaus(track)[-1]
        w, end = track.a[k] @ track.b[k], track.a[-1] @ track.b[-1]
        distances.append(float(np.linalg.norm(w - SADDLE)))
        good = good and abs(end[1, 1] - 5) < 1e-3 and len(plateaus(track)) == 2
        found[f"{std:g}"] = {
            "distance": rounded(distances[-1]),
            "output at the saddle": rounded(w),
            "loss there": rounded(track.loss[k]),
        }
    inner = np.abs((w - SADDLE)[[0, 0, 2, 2, 1], [0, 2, 0, 2, 1]]).max()
    good = good and all(y < x for x, y in itertools.pairwise(distances)) and distances[-1] < 1e-2 and inner < 1e-2
    return {"holds": bool(good), "statistics": found}


def greedy(table: Table, std: float, signs: tuple[int, ...]) -> list[Array]:
    """The products after each stage of greedy low-rank learning: from a critical point, a rank-one component of size std along the top
    singular pair of the negative gradient in a latent direction that is not used yet, then the flow until its gradient is small."""
    d = len(table)
    values = np.array([[0.0 if x is None else float(x) for x in row] for row in table])
    mask = np.array([[x is not None for x in row] for row in table])
    a, b = np.zeros((d, d)), np.zeros((d, d))
    stages: list[Array] = []
    for k, sign in enumerate(signs):
        u, s, vt = np.linalg.svd(mask * (values - a @ b))
        if s[0] < 1e-4:
            break
        a[:, k], b[k, :] = sign * std * u[:, 0], sign * std * vt[0]
        narrow = settle(mask, values, a[:, : k + 1], b[: k + 1, :])
        a[:, : k + 1], b[: k + 1, :] = narrow
        stages.append(a @ b)
    return stages


def settle(mask: Any, values: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """The flow of the factors of this inner width until the gradient norm is at most 10^-7."""
    table = [[values[i, j] if mask[i, j] else None for j in range(len(mask))] for i in range(len(mask))]
    model = deep_factorization(table, 2, (a.shape[1],))
    state = gradient_flow(model, State.begin(model, [b, a]), Stop(gradient=1e-7, steps=20_000), rtol=1e-9)
    return state.blocks[1][0], state.blocks[0][0]


@experiment("bai2024.fig-4h", grade="simulated", seed=1)
def greedy_learning_fills_with_zeros(profile: str) -> dict[str, Any]:
    """Greedy low-rank learning as in Li et al. (2020): a new latent direction for each stage, along the top singular pair of the negative
    gradient, of the size 10^-2 and 10^-4, with both signs; the flow until the gradient norm is at most 10^-7 in each stage. Predicates: the first stage
    ends at the saddle of Figure 4(g) and the second at [1,0,3; 0,5,0; 3,0,9], both up to 10^-6, with rank 2 and nothing left to learn."""
    del profile
    found: dict[str, Any] = {}
    good = True
    for std in (1e-2, 1e-4):
        for signs in ((1, 1, 1), (-1, 1, 1), (1, -1, 1)):
            stages = greedy(MATRIX, std, signs)
            one, two = float(np.abs(stages[0] - SADDLE).max()), float(np.abs(stages[-1] - ZERO_FILLED).max())
            good = good and len(stages) == 2 and one < 1e-6 and two < 1e-6 and np.linalg.matrix_rank(stages[-1], 1e-6) == 2
            found[f"size {std:g}, signs {signs[:2]}"] = {
                "stages": len(stages),
                "distance of the first": rounded(one),
                "of the last": rounded(two),
            }
    return {"holds": bool(good), "statistics": found}


@experiment(
    "bai2024.assertion-glrl-not-equivalent",
    grade="simulated",
    seed=1,
    needs=["bai2024.fig-4f", "bai2024.fig-4h"],
    decides="the sentence speaks of what the runs of Figures 4(f) and 4(h) show on the matrix of Figure 4(a)",
)
def greedy_learning_and_small_starts_differ(profile: str, found: dict[str, Any]) -> dict[str, Any]:
    """From the runs of Figures 4(f) and 4(h): greedy learning ends at one matrix, with 0 at the entry (0,1), while the entry learned from small starts
    has a standard deviation above 1/2 over the starts at each of the two smallest scales, and these deviations agree within 1/20."""
    del profile
    free = found["bai2024.fig-4f"]["solutions_become_symmetric_without_a_limit"]
    one = found["bai2024.fig-4h"]["greedy_learning_fills_with_zeros"]
    spreads = [v["deviation of (0,1)"] for v in free["statistics"].values() if isinstance(v, dict)][-2:]
    good = free["holds"] and one["holds"] and min(spreads) > 0.5 and abs(spreads[0] - spreads[1]) < 0.05
    return {"holds": bool(good), "statistics": {"deviations over the starts": spreads, "entry (0,1) of greedy learning": 0.0}}
