"""What is open in the proofs of Lemma C.6, Proposition C.5 and Theorem C.12, and what was found."""

from __future__ import annotations

from verify.registry import undecided

undecided(
    "varre2023.prop-c-5-p1",
    outcome="open",
    tried="the directions (0, Z_1^{-1} N) with X N = 0 are feasible lines, so Z_1^{-T} grad Psi_2 is orthogonal to the kernel of X; no constraint qualification is needed",
    missing="the encoding of a potential that is differentiable but not smooth along lines",
)
undecided(
    "varre2023.prop-c-5-p2",
    outcome="open",
    tried="the feasible lines (Z_1 (I + e K), (I - e K) Z_2) with K^2 = 0 show that Z_1^T grad Psi_1 - grad Psi_2 Z_2^T is a multiple of the identity; the scaling (1 + e) shows that "
    "the multiple is 0",
    missing="the encoding of a potential that is differentiable but not smooth along lines, and the chain rule along the curve of scalings",
)
undecided(
    "varre2023.thm-c-12-limit",
    outcome="open",
    tried="at t = 1/(2 s) the closed form tends to s/(1 + 2 s), as the last display of the printed proof says, and not to s: the word 'otherwise' is wrong there; "
    "below and above the threshold the limits 0 and s follow from (step-c-12-beta-h)",
    missing="the limit of c exp(-2 c) in the exponent at the threshold, as an exact counterexample, and the two other limits",
)
undecided(
    "varre2023.assertion-jump-process",
    outcome="open",
    tried="as for thm-c-12-limit: at the threshold t = 1/(2 s) the indicator gives 0 and the closed form tends to s/(1 + 2 s)",
    missing="the exact counterexample at the threshold",
)
undecided(
    "varre2023.thm-c-11-general",
    outcome="open",
    tried="from Z_2 = V_1 D V^T the invariant gives Z_1^T Z_1 = V_1 (2 gamma + D D^T) V_1^T, so Z_1 = U (2 gamma + D D^T)^{1/2} V_1^T for an orthogonal U, and alpha and beta "
    "have the bases U, V with diagonals that increase with D",
    missing="the products of rectangular diagonal matrices for any sizes, entry by entry",
)
