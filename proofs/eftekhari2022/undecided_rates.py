"""What is open of Section 4: the rank along the induced flow, the alignment, and the nearby rate."""

from __future__ import annotations

from verify.registry import undecided

undecided(
    "eftekhari2022.theorem-20-rank",
    outcome="open",
    tried="|W|_F <= |W_1|_F^N for balanced layers, so (|W_1|^2)' >= -C |W_1|^2 on bounded intervals and W_1 does not vanish; the width-one layer bounds the rank by one",
    missing="the encoding of this estimate for symbolic depth",
)
undecided(
    "eftekhari2022.theorem-20-slow",
    outcome="open",
    tried="with p = 2 - 2/N, Lemma 18 gives the rate if (alpha - gamma) s_Z < s < beta s_Z and u^T Z_1 v > alpha s_Z: "
    "L = T1 + T2 (s_Z + c)/2 and 2 N T1 + 2 c T2 - gamma terms >= (alpha - 2 gamma N) L; no counterexample is expected, the powers of s_Z are consistent here",
    missing="the invariance of that region (Lemmas 19 and 23)",
)
