"""What the simulated figures share: starts as in F.2.1, and gradient descent with records at falling levels of the loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.flow.batch import LOSS, State, Stop, gradient_descent, gradient_flow
from verify.flow.models import FLOAT, LinearNetwork, deep_factorization

Array = NDArray[np.float64]
Table = Sequence[Sequence[float | None]]
OBSERVATIONS: Table = [[None, 1.0], [1.0, 0.0]]
"""Equation (6)."""


def product(factors: Sequence[Array]) -> Array:
    """W_L ... W_1 of the factors W_1, ..., W_L, each of shape (..., d_l, d_{l-1})."""
    value = factors[0]
    for factor in factors[1:]:
        value = factor @ value
    return value


def draw_factors(generator: np.random.Generator, depth: int, std: float, shape: tuple[int, int], balanced: bool) -> list[Array]:
    """One start of F.2.1: balanced factors of a Gaussian matrix with the standard deviation `std`, or Gaussian factors whose product
    has entries of this standard deviation. The hidden width is the smaller dimension; excess rows or columns are cleared."""
    rows, columns = shape
    width = min(shape)
    if balanced:
        u, s, vt = np.linalg.svd(std * generator.standard_normal((width, width)))
        root = np.diag(s ** (1 / depth))
        square = [root @ vt, *[root] * (depth - 2), u @ root] if depth > 1 else [u @ root @ vt]
        factors = [np.array(f) for f in square]
    else:
        layer = (std**2 / width ** (depth - 1)) ** (1 / (2 * depth))
        factors = [layer * generator.standard_normal((width, width)) for _ in range(depth)]
    factors[0] = np.hstack([factors[0], np.zeros((width, columns - width))])
    factors[-1] = np.vstack([factors[-1], np.zeros((rows - width, factors[-1].shape[1]))])
    return factors


def starts(
    runs: int,
    depth: int,
    std: float,
    seed: int,
    balanced: bool = False,
    shape: tuple[int, int] = (2, 2),
    sign: int = 1,
) -> tuple[list[Array], int]:
    """Starts whose leading square block has a determinant of this sign, shape (runs, d_l, d_{l-1}) for each factor, and how many
    were drawn until there were so many."""
    generator = np.random.default_rng([2020, seed, depth, int(balanced)])
    found: list[list[Array]] = []
    drawn, width = 0, min(shape)
    while len(found) < runs:
        factors = draw_factors(generator, depth, std, shape, balanced)
        drawn += 1
        if np.linalg.det(product(factors)[:width, :width]) * sign > 0:
            found.append(factors)
    return [np.array([run[layer] for run in found]) for layer in range(depth)], drawn


def products_at_levels(
    table: Table, begin: Sequence[Array], levels: Sequence[float], rate: float | None, steps: int = 100_000
) -> tuple[Array, State, LinearNetwork]:
    """The products when the loss first falls below each level, shape (levels, runs, rows, columns): NaN where it does not within so many
    steps for one level. Gradient descent with this rate, or the gradient flow (None)."""
    hidden = tuple(int(b.shape[1]) for b in begin[:-1])
    model = deep_factorization([list(row) for row in table], len(begin), hidden)
    state = State.begin(model, begin)
    records = []
    for level in levels:
        stop = Stop(loss=level, steps=steps)
        if rate is None:
            gradient_flow(model, state, stop, rtol=1e-8)
        else:
            gradient_descent(model, state, rate, stop)
        value = np.asarray(model.product(state.blocks, FLOAT))
        records.append(np.where((state.status == LOSS)[:, None, None], value, np.nan))
        state.resume()
    return np.array(records), state, model


def first_entries(products: Array) -> Array:
    """The absolute values of the (1,1) entries, shape (levels, runs)."""
    value: Array = np.abs(products[..., 0, 0])
    return value


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
