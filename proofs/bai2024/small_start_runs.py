"""What the simulated figures share: gradient flows from small random starts, their products, and a record along one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.flow.batch import LOSS, State, Stop, gradient_flow
from verify.flow.models import FLOAT, LinearNetwork, deep_factorization

Array = NDArray[np.float64]
Table = Sequence[Sequence[float | None]]
PRINTED_LOSS = 1e-10
"""The stopping rule of B.1, for the mean of the squared residuals."""
ERROR = 1e-8
STEPS = 200_000


def observed(table: Table) -> int:
    """The number of entries that are given."""
    return sum(x is not None for row in table for x in row)


def mask_of(table: Table) -> NDArray[np.bool_]:
    """Which entries are given."""
    return np.array([[x is not None for x in row] for row in table])


def starts(size: int, std: float, runs: int, seed: int, depth: int = 2) -> list[Array]:
    """Independent normal entries of this standard deviation, shape (runs, size, size) for each factor, the first factor first.

    The seed fixes the start up to the scale.
    """
    return list(std * np.random.default_rng([2024, seed]).standard_normal((depth, runs, size, size)))


@dataclass
class Learned:
    """A batch of finished runs: products (runs, d, d), the state, and whether all reached the printed loss."""

    products: Array
    state: State
    converged: bool

    @property
    def values(self) -> Array:
        """Singular values of the products, shape (runs, d)."""
        return np.linalg.svd(self.products, compute_uv=False)


def learn(table: Table, begin: Sequence[Array], loss: float = PRINTED_LOSS, steps: int = STEPS) -> Learned:
    """The gradient flow of the observed entries until the mean squared residual is at most `loss`."""
    model = deep_factorization([list(row) for row in table], len(begin))
    state = State.begin(model, begin)
    gradient_flow(model, state, Stop(loss=0.5 * observed(table) * loss, steps=steps), rtol=ERROR)
    return Learned(np.asarray(model.product(state.blocks, FLOAT)), state, bool((state.status == LOSS).all()))


@dataclass
class Track:
    """A record along one run of depth 2: loss, gradient norm, singular values of A, B, [A^T B] and A B, and both factors."""

    time: list[float] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    slope: list[float] = field(default_factory=list)
    a: list[Array] = field(default_factory=list)
    b: list[Array] = field(default_factory=list)

    def note(self, model: LinearNetwork, state: State) -> None:
        """Add the present state of the first run."""
        blocks = [x[:1] for x in state.blocks]
        self.time.append(float(state.time[0]))
        self.loss.append(float(np.asarray(model.loss(blocks, FLOAT))[0]))
        self.slope.append(float(np.sqrt(sum(float((g**2).sum()) for g in model.gradient(blocks, FLOAT)))))
        self.b.append(blocks[0][0].copy())
        self.a.append(blocks[1][0].copy())

    def spectra(self, which: str) -> Array:
        """Singular values of A, B, the augmented matrix or the product at each record, shape (records, d)."""
        pairs = zip(self.a, self.b, strict=True)
        pick = {"A": lambda a, b: a, "B": lambda a, b: b, "aug": lambda a, b: np.hstack([a.T, b]), "W": lambda a, b: a @ b}[which]
        return np.array([np.linalg.svd(pick(a, b), compute_uv=False) for a, b in pairs])


def follow(table: Table, begin: Sequence[Array], loss: float = PRINTED_LOSS, every: int = 2) -> Track:
    """One run of depth 2 with a record every few steps, in the order B, A of the blocks."""
    model = deep_factorization([list(row) for row in table], 2)
    state = State.begin(model, [x[:1] for x in begin])
    track = Track()
    track.note(model, state)
    stop = Stop(loss=0.5 * observed(table) * loss, steps=STEPS)
    gradient_flow(model, state, stop, rtol=ERROR, observer=lambda s: track.note(model, s), every=every)
    track.note(model, state)
    return track


def plateaus(track: Track) -> list[int]:
    """The records with a locally least gradient norm, between the escape from the start and the end: the saddles that are passed."""
    slope = np.log(track.slope)
    found, low, high = [], 0, None
    for k in range(1, len(slope)):
        if high is None:
            if slope[k] < slope[low]:
                low = k
            elif slope[k] > slope[low] + 1:
                found.append(low)
                high = k
        elif slope[k] > slope[high]:
            high = k
        elif slope[k] < slope[high] - 1:
            low, high = k, None
    return found


def rounded(value: Any, digits: int = 3) -> Any:
    """Numbers for a report: this many significant digits."""
    if isinstance(value, dict):
        return {k: rounded(v, digits) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [rounded(v, digits) for v in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    return float(f"{float(value):.{digits}g}")
