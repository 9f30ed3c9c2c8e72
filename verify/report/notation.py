"""How encoded formulas are typeset: letters as a reader expects them, and norms where the language has traces.

The kernel's language has no stars or bars, and says tr(X^T X) for a squared norm. What is written here stands for exactly
that: no formula is changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from verify.run.language import Language

LETTERS = {
    "al": r"\alpha",
    "be": r"\beta",
    "eps": r"\varepsilon",
    "th": r"\theta",
    "ws": r"{w^{\ast}}",
    "Ws": r"{W^{\ast}}",
    "Winf": r"{W^{\infty}}",
    "Om": r"\Omega",
    "rb": r"{\bar r}",
    "uZ": "{u_Z}",
    "vZ": "{v_Z}",
}
"""How names of several letters are typeset; every other one is set upright."""
NOTE = (
    r"$\lVert X\rVert_F^2$ stands for $\mathrm{tr}(X^{\top}X)$, $\langle X,Y\rangle$ for $\mathrm{tr}(X^{\top}Y)$, "
    r"an arrow $\xrightarrow{\infty}$ for smooth functions, $X\odot Y$ for the product entry by entry."
)
_NAME = re.compile(r"\\mathrm\{(" + "|".join(LETTERS) + r")\}")
_HOLDER = re.compile(r"\\mathrm\{Abbreviation\}_\{(\d+)\}")


def letters(latex: str) -> str:
    """A formula of the kernel's typesetter with these letters."""
    latex = latex.replace("_{flow}", r"_{\mathrm{flow}}")
    return _NAME.sub(lambda m: LETTERS[m[1]] + (" " if LETTERS[m[1]][0] == "\\" else ""), latex)


def typeset(e: Any, language: Language) -> str:
    """A formula or term in LaTeX, with traces of products as norms and inner products."""
    found: list[str] = []
    latex = letters(language.latex(_abbreviated(e, language, found)))
    return _HOLDER.sub(lambda m: found[int(m[1])], latex)


def _abbreviated(e: Any, language: Language, found: list[str]) -> Any:
    if isinstance(e, str) or not isinstance(e, Sequence) or not e:
        return e
    short = _norm(e, language)
    if short:
        found.append(short)
        return f"Abbreviation_{len(found) - 1}"
    items = [_abbreviated(x, language, found) for x in e]
    return items if isinstance(e, list) else tuple(items)


def _norm(e: Sequence[Any], language: Language) -> str:
    """A norm to some power, or an inner product; empty for anything else."""
    power = 2
    if e[0] == "sqrt" and _pair(e[1]):
        power, e = 1, e[1]
    elif e[0] == "^" and len(e) == 3 and isinstance(e[2], int) and e[2] > 0 and _pair(e[1]):
        power, e = 2 * e[2], e[1]
    pair = _pair(e)
    if pair is None:
        return ""
    one, other = pair
    if one == other:
        return rf"{{\lVert {typeset(one, language)} \rVert_F" + (f"^{{{power}}}}}" if power > 1 else "}")
    inner = rf"\langle {typeset(one, language)},\ {typeset(other, language)} \rangle"
    return inner if power == 2 else rf"\sqrt{{{inner}}}" if power == 1 else f"{inner}^{{{power // 2}}}"


def _pair(e: Any) -> tuple[Any, Any] | None:
    """X and Y of tr(X^T Y)."""
    if isinstance(e, str) or not isinstance(e, Sequence) or len(e) != 2 or e[0] != "tr":
        return None
    product = e[1]
    if isinstance(product, str) or not isinstance(product, Sequence) or product[0] != "mm" or len(product) != 3:
        return None
    first = product[1]
    return (first[1], product[2]) if not isinstance(first, str) and isinstance(first, Sequence) and first[0] == "T" else None
