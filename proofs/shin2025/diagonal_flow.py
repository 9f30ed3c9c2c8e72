"""Formula text of the diagonal observation setting: factors W(l,t), partial products, gradient flow, initialisation (7).

P(l,t) = W_l ... W_1 and Q(l,t) = W_L ... W_{l+1} are the partial products right and left of a layer, so P(L,t) is the product
W_{L:1}(t). The gradient of the objective (2) with respect to W_l is Q(l)^T G P(l-1)^T, where G is the residual on the
observed entries.
"""

from __future__ import annotations

PRODUCTS = (
    "(all t:R. P(0,t) = I(d)) and (all l:Z, t:R. 0 <= l and l < L => P(l+1,t) = W(l+1,t) @ P(l,t))"
    " and (all t:R. Q(L,t) = I(d)) and (all l:Z, t:R. 0 <= l and l < L => Q(l,t) = Q(l+1,t) @ W(l+1,t))"
)
"""The partial products of the factors."""


def flow(residual: str) -> str:
    """Gradient flow of every factor for t >= 0, with the residual matrix on the observed entries."""
    return f"(all l:Z, t:R. 1 <= l and l <= L => 0 <= t => W'(l,t) = -(T(Q(l,t)) @ {residual} @ T(P(l-1,t))))"


FLOW = flow("had(I(d), P(L,t) - ws*I(d))")
"""Gradient flow for the diagonal observations w*_ii = ws."""

INITIAL = "(all l:Z. 1 <= l and l <= L => W(l,0) = (al - al/m)*I(d) + (al/m)*J(d))"
"""The initialisation (7): alpha on the diagonal, alpha/m off it, in every layer."""

VARIABLES = "all d L:Z, ws al m:R, W P Q:(Z,R)~>M(d,d)."
SETTING = f"2 <= d => 2 <= L => 0 < ws => 0 < al => 1 < m => {PRODUCTS} => {FLOW} => {INITIAL}"
"""All that Section F.3 assumes from Lemma 12 on."""


def in_setting(conclusion: str, extra: str = "") -> str:
    """A statement about the flow (3) from the initialisation (7) with identical diagonal observations."""
    return f"{VARIABLES} {SETTING} => {extra + ' => ' if extra else ''}{conclusion}"


CONTEXT = "identical positive diagonal observations, square factors, gradient flow (3), initialisation (7) [(3), (7)]"
