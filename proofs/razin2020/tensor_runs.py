"""Tensor completion of F.2.2: ground truth, training with the adaptive rate, and the numerical rank by alternating least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from proofs.razin2020.completion_runs import Array
from verify.flow.models import FLOAT, CPTensor

SIDE = 8
TERMS = 64
"""8^2 terms express every 8 x 8 x 8 tensor."""
BASE_RATE, MEMORY, GUARD = 1e-2, 0.99, 1e-6
TOLERANCE = 1e-6
"""Mean squared error at which training stops, and at which a reconstruction counts as exact."""


def ground_truth(rank: int, seed: int, side: int = SIDE) -> Array:
    """A sum of `rank` outer products of standard normal vectors, of unit Frobenius norm."""
    vectors = np.random.default_rng([2020, seed, rank]).standard_normal((rank, 3, side))
    value = sum(np.einsum("i,j,k", *v) for v in vectors)
    return np.asarray(value / np.linalg.norm(value))


@dataclass
class Trained:
    """A batch of finished runs: products (runs, side, side, side), mean squared error over the observations, iterations, and the
    Frobenius norm of what is not observed (the error of the zero-filled baseline)."""

    products: Array
    error: Array
    iterations: int
    baseline: float


def observations(truth: Array, count: int, seed: int) -> tuple[CPTensor, float]:
    """The model of `count` random observations with TERMS terms, and the error of filling with zeros."""
    chosen = np.random.default_rng([2021, seed, count]).permutation(truth.size)[:count]
    flat = truth.ravel()
    cells = np.full(truth.size, None, dtype=object)
    cells[chosen] = [float(x) for x in flat[chosen]]
    hidden = np.ones(truth.size, dtype=bool)
    hidden[chosen] = False
    terms = truth.size // max(truth.shape)
    return CPTensor(cells.reshape(truth.shape), terms), float(np.linalg.norm(flat[hidden]))


def train(
    truth: Array, count: int, std: float, seeds: int, seed: int, limit: int = 20_000, fixed: float | None = None
) -> Trained:
    """Gradient descent on the mean squared error over the observations, with the adaptive rate of F.2.2 or a fixed one, until it is
    below 10^-6 in every run (looked at every 50 iterations)."""
    model, baseline = observations(truth, count, seed)
    blocks = [
        std * np.random.default_rng([2022, seed, k]).standard_normal((seeds, *shape)) for k, shape in enumerate(model.shapes)
    ]
    gamma = np.zeros(seeds)
    error = np.full(seeds, np.inf)
    t = 0
    while t < limit and bool((error >= TOLERANCE).any()):
        t += 1
        slopes = [2 / count * g for g in model.gradient(blocks, FLOAT)]
        gamma = MEMORY * gamma + (1 - MEMORY) * sum((g**2).sum(axis=(1, 2)) for g in slopes)
        rate = BASE_RATE / (np.sqrt(gamma / (1 - MEMORY**t)) + GUARD) if fixed is None else np.full(seeds, fixed)
        blocks = [b - rate[:, None, None] * g for b, g in zip(blocks, slopes, strict=True)]
        if t % 50 == 0:
            error = 2 / count * np.asarray(model.loss(blocks, FLOAT))
    products = np.asarray(model.product(blocks, FLOAT)).reshape(seeds, *truth.shape)
    return Trained(products, error, t, baseline)


def khatri_rao(a: Array, b: Array) -> Array:
    """The column-wise Kronecker product."""
    return np.asarray((a[:, None, :] * b[None, :, :]).reshape(-1, a.shape[1]))


def fits(tensor: Array, rank: int, restarts: int = 3, sweeps: int = 400) -> bool:
    """Whether alternating least squares with `rank` terms reaches a mean squared error below 10^-6."""
    unfolded = [np.moveaxis(tensor, axis, 0).reshape(tensor.shape[axis], -1) for axis in range(3)]
    for restart in range(restarts):
        generator = np.random.default_rng([2023, rank, restart])
        factors = [generator.standard_normal((n, rank)) for n in tensor.shape]
        for sweep in range(sweeps):
            for axis in range(3):
                b, c = (factors[i] for i in range(3) if i != axis)
                gram = (b.T @ b) * (c.T @ c) + 1e-12 * np.eye(rank)
                factors[axis] = np.linalg.solve(gram, (unfolded[axis] @ khatri_rao(b, c)).T).T
            if sweep % 20 == 19:
                gap = factors[0] @ khatri_rao(factors[1], factors[2]).T - unfolded[0]
                if float((gap**2).mean()) < TOLERANCE:
                    return True
    return False


def numerical_rank(tensor: Array, most: int) -> int:
    """The least number of terms up to `most` that fits; `most` + 1 if none does."""
    return next((rank for rank in range(1, most + 1) if fits(tensor, rank)), most + 1)


def unfolding_rank(tensor: Array) -> int:
    """The largest rank of an unfolding, a lower bound of the tensor rank."""
    return max(int(np.linalg.matrix_rank(np.moveaxis(tensor, axis, 0).reshape(tensor.shape[axis], -1))) for axis in range(3))
