"""A cheap list for a reader: encoded statements in whose conclusion nothing is found that stands in the printed text.

That a symbol of a conclusion has a tie means: its letter occurs in the printed statement or in the words of the reading that says
what stands for what; an operator's word does; or a number does. A claim without any tie is named, not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from verify.registry import NEGATION, STATEMENT

if TYPE_CHECKING:
    from verify.project import Project

GREEK = {
    "al": "alpha", "eps": "varepsilon", "e": "epsilon", "om": "omega", "Om": "Omega", "th": "theta", "la": "lambda",
    "lam": "lambda", "ga": "gamma", "be": "beta", "de": "delta", "mu": "mu", "ws": "w", "tau": "tau", "rho": "rho",
}  # fmt: skip
"""Letters by the names that stand for them."""
WORDS = {
    "sv": ("sigma", "singular", "nuclear", "rank"), "rank": ("rank",), "det": ("det", "invertib", "singular"),
    "tr": ("tr", "|", "frob"),
    "exp": ("exp", "e^"), "log": ("log", "ln"), "sqrt": ("sqrt", "frac12", "|"), "nuc": ("nuclear", "|", "_*"),
    "spec": ("|", "spectral", "sigma"), "eig": ("lambda", "eig"), "d": ("dot", "'", "flow", "derivative", "nabla"),
    "D": ("nabla", "partial", "gradient", "derivative"), "tends": ("lim", "to", "converge", "infty"), "sum": ("sum", "langle"),
    "inv": ("^{-1}", "inverse"), "I": ("I", "identity"), "had": ("odot", "mask", "P_", "Omega"),
    "ncomp": ("connected", "component"),
}  # fmt: skip
"""What may stand in the text where an operator stands in the formula."""


def untied(formula: Any, printed: str) -> bool:
    """Whether no symbol in the innermost conclusions of a formula (JSON) occurs in a printed text."""
    text = " ".join(printed.split())
    letters = _letters(text)
    return not any(_tied(kind, name, text, letters) for f in conclusions(formula) for kind, name in symbols(f))


def _letters(text: str) -> set[str]:
    """The letters of formulas, the names of commands in them, and words of at most two letters outside."""
    found: set[str] = set()
    for k, piece in enumerate(re.split(r"\$\$?", text)):
        words = re.findall(r"[A-Za-z]+", piece)
        found.update(w for w in words if len(w) <= 2 or k % 2)
        found.update("".join(re.findall(r"(?<![\\A-Za-z])[A-Za-z]+", piece)) if k % 2 else ())
    return found


def _tied(kind: str, name: str, text: str, letters: set[str]) -> bool:
    if kind == "number":
        return re.search(rf"(?<!\d){name}(?!\d)", text) is not None
    if kind == "operator":
        return any(word in text or word in text.lower() for word in WORDS.get(name, ()))
    base = name.split("_")[0].rstrip("0123456789") or name
    return base in letters or GREEK.get(base, base) in letters or base[0] in letters


def conclusions(f: Any) -> Iterator[Any]:
    """The innermost conclusions."""
    if f[0] in ("all", "=>"):
        yield from conclusions(f[2])
    elif f[0] == "and":
        for a in f[1:]:
            yield from conclusions(a)
    else:
        yield f


def symbols(f: Any) -> Iterator[tuple[str, str]]:
    """Names, operators and numbers from 2 on in a formula."""
    if isinstance(f, int):
        if abs(f) >= 2:
            yield "number", str(abs(f))
    elif isinstance(f, str):
        yield "name", f
    elif isinstance(f, (list, tuple)) and f:
        if not isinstance(f[0], str):
            for a in f:
                yield from symbols(a)
            return
        head = f[1] if f[0] == "op" else f[0]
        if head in WORDS:
            yield "operator", head
        at = {"op": 2, "all": 2, "ex": 2, "sum": 2, "prod": 2, "D": 2, "tends": 2, "tendsoo": 2}.get(f[0], 1)
        for a in f[at:]:
            yield from symbols(a)


def without_ties(project: Project) -> list[str]:
    """The claims whose encoded statement has no tie to what is printed; a text that is no formula has none to look for."""
    from verify.run.language import Language

    language, found = Language(), []
    for claim, entry in project.claims.items():
        decision = project.registry.decisions.get(claim)
        text = project.registry.text(claim, STATEMENT) or project.registry.text(claim, NEGATION)
        if decision is None or text is None:
            continue
        printed = " ".join((entry.title, entry.statement, entry.assumptions, decision.reading, *decision.context))
        try:
            formula = language.parse(text)
        except Exception:  # `verify run` says what is wrong with it
            continue
        if untied(formula, printed):
            found.append(claim)
    return found
