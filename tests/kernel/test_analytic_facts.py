"""Taylor's theorem, the flat function and analytic singular value decompositions, tried on examples in floating point."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp, mpf, taylor

SAMPLES = 200


@pytest.mark.parametrize(
    ("function", "derivative"), [(math.exp, lambda n, x: math.exp(x)), (math.sin, lambda n, x: math.sin(x + n * math.pi / 2))]
)
def test_lagrange_remainder_lies_between_the_extremes_of_the_derivative(function, derivative) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(3)
    for _ in range(SAMPLES):
        a, x = rng.uniform(-2, 2, 2)
        n = int(rng.integers(0, 6))
        head = sum(derivative(k, a) * (x - a) ** k / math.factorial(k) for k in range(n))
        scaled = (function(x) - head) * math.factorial(n)
        values = [derivative(n, c) * (x - a) ** n for c in np.linspace(min(a, x), max(a, x), 400)]
        slack = 1e-9 + 2e-2 * (max(values) - min(values))
        assert min(values) - slack <= scaled <= max(values) + slack


def test_flat_function_has_vanishing_derivatives_at_the_origin() -> None:
    with mp.workdps(60):
        for t in (mpf("0.01"), mpf("0.005")):
            coefficients = taylor(lambda s: mp.exp(-1 / s), t, 6, method="quad", radius=t / 2)
            for k, c in enumerate(coefficients):
                assert abs(c) * mp.factorial(k) < 2 * mp.exp(-1 / t) * (8 / t**2) ** k


def test_singular_values_of_a_line_of_matrices_with_signs_are_smooth() -> None:
    """For W = A + t B of order 2 the signed values are (|z1| +- |z2|)/2, the vectors are rotations by continuous angles."""
    rng = np.random.default_rng(4)
    times = np.linspace(0, 5, 4001)
    for _ in range(SAMPLES // 10):
        a, b = rng.normal(size=(2, 2, 2))
        w = a + times[:, None, None] * b
        z1 = (w[:, 0, 0] + w[:, 1, 1]) + 1j * (w[:, 1, 0] - w[:, 0, 1])
        z2 = (w[:, 0, 0] - w[:, 1, 1]) + 1j * (w[:, 1, 0] + w[:, 0, 1])
        if min(np.abs(z1).min(), np.abs(z2).min()) < 1e-2:
            continue
        p, q = np.unwrap(np.angle(z1)), np.unwrap(np.angle(z2))
        s = np.zeros_like(w)
        s[:, 0, 0], s[:, 1, 1] = (np.abs(z1) + np.abs(z2)) / 2, (np.abs(z1) - np.abs(z2)) / 2
        left, right = rotation((p + q) / 2), rotation((q - p) / 2)
        assert np.allclose(left @ s @ right.transpose(0, 2, 1), w, atol=1e-10)
        assert max(np.abs(np.diff(p)).max(), np.abs(np.diff(q)).max()) < 0.5


def rotation(angle: np.ndarray) -> np.ndarray:
    """Rotation matrices, shape (n, 2, 2), by angles of shape (n,)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
