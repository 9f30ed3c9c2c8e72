"""What is open: the mirror flow of the singular values."""

from __future__ import annotations

from verify.registry import undecided

undecided(
    "varre2023.thm-3-2-a",
    outcome="open",
    tried="sigma' = 2 sqrt(gamma^2 + sigma^2) rho from Lemma C.10 where the singular value decomposition is smooth, and the gradient asinh(sigma/gamma)/2 of the potential",
    missing="the derivative of the smooth singular values from beta' = Z1 Z1^T R + R Z2^T Z2 in the singular bases",
)
