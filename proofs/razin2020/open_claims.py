"""Claims of the appendix that are not decided yet, with what is missing."""

from __future__ import annotations

from verify.registry import undecided

undecided(
    "razin2020.lemma-5-decomposition",
    outcome="open",
    tried="Equation (27) and Lemma 6 are proved without it: the sign of the determinant from Gram matrices of the factors, "
    "(27) for every smooth singular value decomposition",
    missing="the logic has smooth functions only; needed are real analytic ones, that solutions of analytic differential "
    "equations are analytic, and that an analytic matrix function has an analytic singular value decomposition "
    "(A. Bunse-Gerstner et al., Numer. Math. 60 (1991)); for smooth functions the statement is false",
)
