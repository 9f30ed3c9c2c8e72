"""Mathematics typed in plain letters, and LaTeX for a terminal."""

from __future__ import annotations

import pytest

from tests.support.world import HERE
from verify.project import Project
from verify.report.plain import plain
from verify.report.typography import typographic


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sigma_1 <= 2 alpha^-3", "σ₁ ≤ 2 α⁻³"),
        ("sigma_min^6/(1152 d sigma_max^2)", "σ_min⁶/(1152 d σ_max²)"),
        ("A^T A - B B^T, e^(-t) -> 0", "Aᵀ A - B Bᵀ, e⁻ᵗ → 0"),
        ("s_Z^(2-2/N) and H^(2), A^{-1}", "s_Z²⁻²ᐟᴺ and H⁽²⁾, A⁻¹"),
        ("sqrt d and sqrt(x)", "√d and √(x)"),
        ("exp(-sigma_min^2 t)", "exp(-σ_min² t)"),
        ("part:sigma-bound of shin2025.eq-alpha", "part:sigma-bound of shin2025.eq-alpha"),
        ("10^-4.5 and x^y", "10^-4.5 and x^y"),
        ("w_11* and alphabet", "w_11* and alphabet"),
        ("a <=> b, c != d, 1 +- 2", "a ⇔ b, c ≠ d, 1 ± 2"),
    ],
)
def test_typographic(text: str, expected: str) -> None:
    assert typographic(text) == expected
    assert typographic(expected) == expected


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"so $\sigma_{\min}^2\le\frac12$ holds", "so σ_min² ≤ 1/2 holds"),
        (r"$\|A(t)\|_F^2\ge 2w^{*2}$", "‖A(t)‖_F² ≥ 2w*²"),
        (r"$\frac{a+b}{\sqrt{2d}}$", "(a+b)/√(2d)"),
        (r"$\dot a_{11}=\bar r$, $W\in\mathbb R^{d\times d}$", "ȧ₁₁ = r̄, W ∈ ℝ^(d × d)"),
        (r"$\begin{pmatrix}a & b\\ c & d\end{pmatrix}$", "[a, b; c, d]"),
        (r"$\left.x\right\}$ and $\operatorname{rank}(A)$", "x} and rank(A)"),
        (r"$2\log x$", "2 log x"),
        (r"$2\frac13$", "2(1/3)"),
        (r"$\alpha*$ and $\operatorname*{argmin}_x$", "α* and argmin_x"),
        (r"$\frac12 x+\frac{a}{b}^2$", "(1/2)x+(a/b)²"),
        (r"$\frac{x}{2\alpha}=\frac{1}{mn}$", "x/(2α) = 1/(mn)"),
        (r"$\frac{d}{dt}\|W\|$ and $\frac{\|A\|}{R^{L}}$", "(d/dt)‖W‖ and ‖A‖/Rᴸ"),
        (r"$\sqrt{x}^2+\left(\frac12\right)^2$", "(√x)²+(1/2)²"),
    ],
)
def test_plain(latex: str, expected: str) -> None:
    assert plain(latex) == expected


def test_every_statement_of_the_catalogues_becomes_plain() -> None:
    for claim in Project(HERE).claims.values():
        text = plain(claim.statement)
        assert "$" not in text, claim.id
        assert "\\" not in text, claim.id
