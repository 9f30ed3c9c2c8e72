"""Mathematics that was typed in plain letters, for a reader: `sigma_1 <= 2 alpha^-3` becomes σ₁ ≤ 2 α⁻³."""

from __future__ import annotations

import re

GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "eps": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "pi": "π",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Sigma": "Σ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}
RELATIONS = {"<=>": "⇔", "<=": "≤", ">=": "≥", "!=": "≠", "=>": "⇒", "->": "→", "+-": "±"}
UP = dict(zip("0123456789+-()TLNdknptm/", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵀᴸᴺᵈᵏⁿᵖᵗᵐᐟ", strict=True))
DOWN = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))

_GREEK = re.compile(r"(?<![\w:.\\])(?<![A-Za-z]-)(" + "|".join(GREEK) + r")(?![A-Za-z]|-[A-Za-z])")
_RELATION = re.compile(r"(?<![<>=!+-])(" + "|".join(re.escape(r) for r in RELATIONS) + r")(?![<>=])")
_POWER = re.compile(r"(?<=[\w)\]*|'])\^(-?[0-9]+(?!\.?\d)|[TLNdknptm](?!\w)|[({][-+0-9TLNdknptm/]+[)}])")
_INDEX = re.compile(r"(?<=[A-Za-z])_([0-9]+)(?![\w*])")
_ROOT = re.compile(r"(?<![\w-])sqrt(?: (?=\w(?!\w))|(?=\())")


def typographic(text: str) -> str:
    """Plain text with the letters, relations, exponents and indices that it spells out."""
    text = _RELATION.sub(lambda m: RELATIONS[m[1]], text)
    text = _INDEX.sub(lambda m: "".join(DOWN[c] for c in m[1]), text)
    text = _POWER.sub(lambda m: _raised(m[1]), text)
    text = _GREEK.sub(lambda m: GREEK[m[1]], text)
    return _ROOT.sub("√", text)


def _raised(exponent: str) -> str:
    """An exponent without the parentheses that only keep it together; `H^(2)` keeps them."""
    together = exponent[0] == "{" or (exponent[0] == "(" and not exponent[1:-1].isalnum())
    return "".join(UP[c] for c in (exponent[1:-1] if together else exponent))
