"""The axioms on nuclear norms, polar decompositions and pinching, tried on random matrices in floating point."""

from __future__ import annotations

import numpy as np
import pytest

RNG = np.random.default_rng(20)
CASES = [(RNG.integers(1, 6, 3), int(RNG.integers(1 << 30))) for _ in range(100)]
SLACK = 1e-9


def nuclear(x: np.ndarray) -> float:
    return float(np.linalg.norm(x, "nuc"))


def semidefinite(rng: np.random.Generator, n: int) -> np.ndarray:
    root = rng.normal(size=(n, int(rng.integers(1, n + 1))))
    return root @ root.T


@pytest.mark.parametrize(("shape", "seed"), CASES)
def test_a_product_has_at_most_the_mean_of_the_squared_norms(shape: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=shape[:2]) * 10 ** rng.uniform(-2, 2), rng.normal(size=shape[1:])
    assert nuclear(x @ y) <= (np.sum(x**2) + np.sum(y**2)) / 2 + SLACK


@pytest.mark.parametrize(("shape", "seed"), CASES)
def test_the_pairing_with_a_contraction_is_at_most_the_nuclear_norm(shape: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, *shape[:2]))
    z /= max(1.0, float(np.linalg.norm(z, 2)))
    assert np.sum(z * x) <= nuclear(x) + SLACK


@pytest.mark.parametrize(("shape", "seed"), CASES)
def test_powers_and_stormer(shape: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = semidefinite(rng, int(shape[0])), semidefinite(rng, int(shape[0]))
    assert np.sum((x - y) ** 2) <= nuclear(x @ x - y @ y) + SLACK


@pytest.mark.parametrize(("shape", "seed"), CASES)
def test_the_polar_decomposition_has_the_stated_properties(shape: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(shape[0], 1)) @ rng.normal(size=(1, shape[1])) + (seed % 2) * rng.normal(size=shape[:2])
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    rank = s > 1e-12 * s[0]
    z, root = u[:, rank] @ vt[rank], vt.T @ np.diag(s) @ vt
    assert np.allclose(x, z @ root) and np.allclose(z.T @ x, root) and np.linalg.norm(z, 2) <= 1 + SLACK


@pytest.mark.parametrize(("shape", "seed"), CASES)
def test_pinching_does_not_increase_the_nuclear_norm(shape: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = shape[:2] + 1
    x = rng.normal(size=(m, n))
    rows, columns = (np.linalg.qr(rng.normal(size=(k, k)))[0] for k in (m, n))
    a, b = int(rng.integers(0, m + 1)), int(rng.integers(0, n + 1))
    blocks = [(rows[:, :a], columns[:, :b]), (rows[:, a:], columns[:, b:])]
    assert sum(nuclear(r @ r.T @ x @ c @ c.T) for r, c in blocks) <= nuclear(x) + SLACK
