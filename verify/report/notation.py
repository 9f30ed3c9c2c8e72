"""How encoded formulas are typeset on the pages: by the kernel's typesetter, with a note on what is written otherwise."""

from __future__ import annotations

from typing import Any

from verify.run.language import Language

NOTE = (
    r"$\lVert X\rVert_F^2$ stands for $\mathrm{tr}(X^{\top}X)$, $\langle X,Y\rangle$ for $\mathrm{tr}(X^{\top}Y)$, "
    r"$\lVert X\rVert_2$ for the largest singular value, $\lVert X\rVert_\ast$ for the sum of all, "
    r"$\sigma_k(X)$ for the k-th one, $\lambda_k(X)$ for the k-th eigenvalue, "
    r"an arrow $\xrightarrow{\infty}$ for smooth functions, $X\odot Y$ for the product entry by entry, "
    r"$X^{-\top}$ for the inverse of $X^{\top}$. "
    r"Hypotheses in a list are joined by `and` or by arrows, which says the same. "
    r"A name of several letters is in italics, an operator upright."
)


def typeset(e: Any, language: Language, alphabet: Any = None) -> str:
    """A formula or term in LaTeX, with the letters of the formula to which it belongs (default: its own)."""
    return language.latex(e, alphabet)
