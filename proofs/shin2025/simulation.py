"""What the simulated figures share: starts, many flows with targets of their own at once, ranks, and rounded statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.flow.batch import LOSS, State, Stop, gradient_flow
from verify.flow.models import FLOAT, Arithmetic, Block, Blocks, LeastSquares, LinearNetwork

Array = NDArray[np.float64]

_SHRINK = 2.0**-60
"""Targets are kept this much smaller, so that the step size control looks at the factors alone; exact, as a power of two."""


class ManyTargets(LeastSquares):
    """Deep factorisation W_L ... W_1 of d x d matrices with one mask and a target for each run.

    Blocks: the factors W_1, ..., W_L, and 2^-60 times the masked target, which does not move. Read in float64 only.
    """

    def __init__(self, mask: NDArray[np.bool_], depth: int) -> None:
        size = len(mask)
        cells = np.where(mask, 0, None)
        self.inner = LinearNetwork((size,) * (depth + 1), cells)
        self.name = "deep factorisation, a target for each run"
        self.shapes = (*self.inner.shapes, (size, size))
        self.degree, self.factor, self.observed = self.inner.degree, self.inner.factor, self.inner.observed
        self.target = self.inner.target
        self.mask = mask.astype(float)

    def forward(self, blocks: Blocks, arithmetic: Arithmetic) -> tuple[Block, list[Block]]:
        residual, saved = self.inner.forward(blocks[:-1], arithmetic)
        return residual - blocks[-1] / _SHRINK, saved

    def backward(self, blocks: Blocks, saved: list[Block], residual: Block, arithmetic: Arithmetic) -> tuple[Block, ...]:
        return (*self.inner.backward(blocks[:-1], saved, residual, arithmetic), np.zeros_like(blocks[-1]))

    def product(self, blocks: Blocks, arithmetic: Arithmetic) -> Block:
        return self.inner.product(blocks[:-1], arithmetic)

    def begin(self, factors: Sequence[Array], targets: Array) -> State:
        """A state from factors and targets, each of shape (runs, d, d)."""
        return State.begin(self, [*factors, targets * self.mask * _SHRINK])


def converged(model: LeastSquares, state: State, loss: float, steps: int) -> NDArray[np.bool_]:
    """Follow the gradient flow until the loss is at most `loss`; which runs got there within so many steps."""
    gradient_flow(model, state, Stop(loss=loss, steps=steps), rtol=1e-8)
    return np.asarray(state.status == LOSS)


def products(model: LeastSquares, state: State) -> Array:
    """W_L ... W_1 of each run, shape (runs, d, d)."""
    return np.asarray(model.product(state.blocks, FLOAT))


def effective_ranks(matrices: Array) -> Array:
    """exp of the entropy of the normalised singular values, for each matrix of a stack (..., d, d)."""
    values = np.linalg.svd(matrices, compute_uv=False)
    p = values / values.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.exp(-np.where(p > 0, p * np.log(p), 0.0).sum(axis=-1)))


def gaussian(generator: np.random.Generator, runs: int, size: int, depth: int) -> Array:
    """Standard normal factors, shape (depth, runs, size, size); the same ones serve every scale."""
    return generator.standard_normal((depth, runs, size, size))


def scale(power: int, depth: int) -> float:
    """alpha with alpha^L = 10^power."""
    return float(10.0 ** (power / depth))


def rounded(values: Iterable[float] | float, digits: int = 4) -> Any:
    """A number, or a list of numbers, to so many significant digits."""
    if isinstance(values, Iterable):
        return [rounded(float(v), digits) for v in values]
    return float(f"{float(values):.{digits - 1}e}")


def summary(values: Array) -> str:
    """Median, the quantiles 10 and 90 percent, mean and its standard error, as text."""
    low, middle, high = np.quantile(values, (0.1, 0.5, 0.9))
    error = values.std(ddof=1) / np.sqrt(values.size) if values.size > 1 else 0.0
    return (
        f"median {middle:.4f}, 10 to 90 percent {low:.4f} to {high:.4f}, mean {values.mean():.4f} "
        f"(standard error {error:.4f}, {values.size} runs)"
    )
