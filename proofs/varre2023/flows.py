"""Gradient flow of the two-layer network and the projected flow, as formula texts.

X is n x p (the paper's d is written p), Y is n x k, W1 is p x l and W2 is l x k; c is the scale gamma of the initialisation.
"""

from __future__ import annotations


def residual(first: str, second: str) -> str:
    """R = X^T (Y - X W1 W2) at the two layers."""
    return f"(T(X) @ (Y - X @ {first} @ {second}))"


TWO_LAYERS = f"""all n p k l:Z, c:R, X:M(n,p), Y:M(n,k), P:M(p,l), W1:R~>M(p,l), W2:R~>M(l,k). 0 < c => P @ T(P) = I(p) =>
       W1(0) = sqrt(2*c)*P => W2(0) = O(l,k) =>
       (all t:R. 0 <= t => W1'(t) = {residual("W1(t)", "W2(t)")} @ T(W2(t)) and
                           W2'(t) = T(W1(t)) @ {residual("W1(t)", "W2(t)")}) =>"""
"""Gradient flow (2.4) of |X W1 W2 - Y|^2 / 2 from I_gamma."""

RES = residual("Z1(t)", "Z2(t)")

PROJECTED = f"""all n p k l:Z, c:R, X:M(n,p), Y:M(n,k), P:M(p,l), Z1:R~>M(p,p), Z2:R~>M(p,k). 0 < c => P @ T(P) = I(p) =>
       Z1(0) = sqrt(2*c)*(P @ T(P)) => Z2(0) = O(p,k) =>
       (all t:R. 0 <= t => Z1'(t) = {RES} @ T(Z2(t)) and Z2'(t) = T(Z1(t)) @ {RES}) =>"""
"""The projected flow (3.4)."""

SETTING = ("n", "p", "k", "l", "c", "X", "Y", "P", "Z1", "Z2")
"""The variables of the projected flow, to instantiate a lemma with."""

INVARIANT = f"{PROJECTED} all t:R. 0 <= t => T(Z1(t)) @ Z1(t) - Z2(t) @ T(Z2(t)) = (2*c)*I(p)"

ALPHA = "(inv(T(Z1(t))) @ Z2(t))"
ALPHA_PATH = "inv(T(Z1(s))) @ Z2(s)"
BETA = "(Z1(t) @ Z2(t))"

PROJECTED_ONE = (
    PROJECTED.replace("n p k l:Z", "n p l:Z")
    .replace("Y:M(n,k)", "Y:V(n)")
    .replace("Z2:R~>M(p,k)", "Z2:R~>V(p)")
    .replace("O(p,k)", "O(p,1)")
)
"""The projected flow (3.4) for k = 1."""

TWO_LAYERS_ONE = (
    TWO_LAYERS.replace("n p k l:Z", "n p l:Z")
    .replace("Y:M(n,k)", "Y:V(n)")
    .replace("W2:R~>M(l,k)", "W2:R~>V(l)")
    .replace("O(l,k)", "O(l,1)")
)
"""Gradient flow (2.4) from I_gamma for k = 1."""

SETTING_ONE = ("n", "p", "1", "l", "c", "X", "Y", "P", "Z1", "Z2")
"""The variables of the projected flow with k = 1, to instantiate a lemma about general k with."""
