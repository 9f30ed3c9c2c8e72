r"""Prose with LaTeX as plain text for a terminal: `$\sigma_{\min}^2\le\frac12$` becomes σ_min² ≤ 1/2."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from verify.report.typography import DOWN, GREEK, UP, typographic

_MATH = re.compile(r"(\$\$?[^$]+\$\$?)", re.DOTALL)
_TOKEN = re.compile(r"\\operatorname\*|\\[A-Za-z]+|\\.|[{}^_&]|\s+|.", re.DOTALL)
_SIMPLE = re.compile(r"[\w.'′*∗⊤]+|[^\s+−=<>≤≥,·/-]+\)")
_MARKS = r"(?:_\w+)?[₀-₉]*[⁰¹²³⁴-⁹⁺⁻ᵀᴸᴺᵈᵏⁿᵖᵗᵐ*'′]*"
_ATOM = re.compile(
    rf"\d+(?:\.\d+)?|[^\W\d_][\u0300-\u036f]*{_MARKS}(?:\([^()]*\))?|‖[^‖]*‖{_MARKS}|√(?:\w|\([^()]*\))|[d∂][^\W\d_]"
)
"""A denominator that needs no brackets."""
_FRACTIONS = ("frac", "tfrac", "dfrac")
_BLANKS = (r"\,", r"\;", r"\ ", r"\!", "~")
_CLOSING, _OPENING = set(")]⟩‖'′ᵀ"), set("([{√‖⟨^_Σ∇∂")
_SPACED = set("≤≥≠=<>∈∉⊂⊆⊊⊃→↦≈≡∼≻×⊗∪∩≜≫⪰")

_TABLE = """
le ≤ leq ≤ ge ≥ geq ≥ ne ≠ lt < gt > in ∈ notin ∉ to → infty ∞ cdot · times × nabla ∇ partial ∂ sum Σ prod Π int ∫
pm ± dots ... cdots ... ldots ... vdots ... ddots ... top ᵀ perp ⊥ ell ℓ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋
otimes ⊗ odot ⊙ circ ∘ parallel ∥ forall ∀ exists ∃ subset ⊂ subseteq ⊆ subsetneq ⊊ supset ⊃ setminus ∖ cup ∪
cap ∩ mapsto ↦ approx ≈ equiv ≡ sim ∼ succeq ⪰ gg ≫ mid | triangleq ≜ star * ast * dagger † lVert ‖ rVert ‖ Vert ‖
lvert | rvert | varepsilon ε varphi φ Pi Π prime ′
"""
SYMBOLS = dict(zip(_TABLE.split()[::2], _TABLE.split()[1::2], strict=True))
_OTHER = {
    "&": ", ",
    "~": " ",
    r"\\": "; ",
    r"\|": "‖",
    r"\{": "{",
    r"\}": "}",
    r"\_": "_",
    **dict.fromkeys((r"\,", r"\;", r"\ "), " "),
    r"\!": "",
}
_STYLES = {"mathbf", "mathcal", "mathrm", "mathsf", "operatorname", "text", "rm", "bf", "boldsymbol", "mathop"}
_SIZES = {"left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "limits", "bigg", "quad"}
_ACCENTS = {"dot": "̇", "ddot": "̈", "bar": "̄", "overline": "̄", "tilde": "̃", "widetilde": "̃", "hat": "̂", "widehat": "̂"}
_DOUBLE = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "E": "𝔼", "P": "ℙ"}


def plain(text: str) -> str:
    """The text on one line, its formulas in Unicode."""
    pieces = _MATH.split(" ".join(text.split()))
    text = "".join(_formula(p.strip("$")) if p.startswith("$") else typographic(p) for p in pieces)
    return unicodedata.normalize("NFC", text)


def _formula(latex: str) -> str:
    tokens = [t for t in _TOKEN.findall(latex) if not t.isspace()]
    text, _ = _read(tokens, 0)
    return re.sub(r"(?<=[(\[⟨‖|]) ", "", re.sub(r" {2,}", " ", text)).strip()


def _read(tokens: Sequence[str], at: int, end: str = "") -> tuple[str, int]:
    """The text from a place to the closing token, and the place after it."""
    out = ""
    while at < len(tokens):
        token = tokens[at]
        if token == end:
            return out, at + 1
        if token in ("^", "_"):
            inner, at = _argument(tokens, at + 1)
            out += _raised(inner) if token == "^" else _lowered(inner)
            continue
        piece, at = _piece(tokens, at)
        tight = out[-1:].isalnum() or out[-1:] in _CLOSING
        fraction = token[1:] in _FRACTIONS and (tight or _goes_on(tokens, at))
        root = token == r"\sqrt" and tokens[at : at + 1] == ["^"]
        if fraction or root:
            piece = f"({piece})"
        out += f" {piece} " if piece in _SPACED else piece
    return out, at


def _goes_on(tokens: Sequence[str], at: int) -> bool:
    """Whether a factor, an exponent or an index stands directly after a fraction."""
    while at < len(tokens) and (tokens[at] in _BLANKS or tokens[at][1:] in _SIZES):
        at += 1
    if at == len(tokens) or tokens[at] in ("}", "&"):
        return False
    text = _piece(tokens, at)[0].strip() if tokens[at] not in ("^", "_") else tokens[at]
    return text[:1].isalnum() or text[:1] in _OPENING


def _piece(tokens: Sequence[str], at: int) -> tuple[str, int]:
    token = tokens[at]
    name = token[1:].rstrip("*") if token[0] == "\\" and token[1:2].isalpha() else ""
    if token == "{":
        return _read(tokens, at + 1, "}")
    if name in _FRACTIONS:
        above, at = _argument(tokens, at + 1)
        below, at = _argument(tokens, at)
        above = above if _ATOM.fullmatch(above) else _together(above)
        return f"{above}/{below if _ATOM.fullmatch(below) else f'({below})'}", at
    if name == "binom":
        above, at = _argument(tokens, at + 1)
        below, at = _argument(tokens, at)
        return f"C({above}, {below})", at
    if name == "sqrt":
        inner, at = _argument(tokens, at + 1)
        return f"√{inner}" if len(inner) == 1 else f"√({inner})", at
    if name == "mathbb":
        inner, at = _argument(tokens, at + 1)
        return _DOUBLE.get(inner, inner), at
    if name in _ACCENTS:
        inner, at = _argument(tokens, at + 1)
        return (inner[0] + _ACCENTS[name] + inner[1:] if inner else ""), at
    if name in ("begin", "end"):
        _, at = _argument(tokens, at + 1)
        return ("[" if name == "begin" else "]"), at
    if name in _STYLES or name in _SIZES:
        return "", at + 1 + (name in ("left", "right") and tokens[at + 1 : at + 2] == ["."])
    if name:
        known = SYMBOLS.get(name) or GREEK.get(name)
        if known:
            return known, at + 1
        after = tokens[at + 1 : at + 2]
        return f" {name}" + (" " if after and (after[0].isalnum() or after[0][0] == "\\") else ""), at + 1
    return _OTHER.get(token, token), at + 1


def _argument(tokens: Sequence[str], at: int) -> tuple[str, int]:
    """A group, or a single token; `\\rm x` within a group is its text."""
    if at >= len(tokens):
        return "", at
    if tokens[at] == "{":
        return _read(tokens, at + 1, "}")
    text, after = _piece(tokens, at)
    return _argument(tokens, after) if not text and after < len(tokens) else (text, after)


def _together(text: str) -> str:
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _raised(text: str) -> str:
    text = text.strip()
    if text in ("ᵀ", "*", "′", "†", "⊥"):
        return text
    if text.startswith("*"):
        return "*" + _raised(text[1:])
    compact = text.replace(" ", "")
    return "".join(UP[c] for c in compact) if compact and all(c in UP for c in compact) else f"^{_together(text)}"


def _lowered(text: str) -> str:
    text = text.strip()
    return "".join(DOWN[c] for c in text) if text.isdigit() and text.isascii() else f"_{_together(text)}"
