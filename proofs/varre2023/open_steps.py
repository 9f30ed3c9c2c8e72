"""What is open in Proposition C.5, and what was found."""

from __future__ import annotations

from verify.registry import undecided

undecided(
    "varre2023.prop-c-5-p2",
    outcome="open",
    tried="the feasible lines (Z_1 (I + e K), (I - e K) Z_2) with K^2 = 0 show that Z_1^T grad Psi_1 - grad Psi_2 Z_2^T is a multiple of the identity; the scaling (1 + e) shows that "
    "the multiple is 0",
    missing="the encoding of a potential that is differentiable but not smooth along lines, and the chain rule along the curve of scalings",
)
