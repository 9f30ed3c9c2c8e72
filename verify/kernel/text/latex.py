r"""Formulas and terms in LaTeX, typeset from the object itself by levels of precedence: what is printed says nothing else.

Written otherwise than in LOGIC.md, one form for one term, so that nothing is lost:

- $\lVert X\rVert_{F}^{2}$ is `tr(T(X) @ X)`, $\lVert X\rVert_{F}$ its root, $\lVert X\rVert_{F}^{2k}$ its k-th power (k >= 2);
- $\langle X,\ Y\rangle$ is `tr(T(X) @ Y)` for other Y;
- $\lVert A\rVert_{2}$, $\lVert A\rVert_{\ast}$, $\sigma_{k}(A)$, $\lambda_{k}(A)$ are the constants `spec`, `nuc`, `sv`, `eig`;
- $A^{-\top}$ is the inverse of the transpose; $X\odot Y$ the product entry by entry; an arrow with $\infty$ a smooth function;
- `a - b` is `a + (-1) b` (see `levels.taken_off`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verify.kernel.terms import Sort
from verify.kernel.text.levels import (
    ATOM,
    FACTOR,
    FORMULAS,
    IMPLIES,
    OR,
    PRODUCT,
    QUANTIFIER,
    SIGNED,
    SUM,
    TERMS,
    number,
    taken_off,
    value_sign,
)
from verify.kernel.text.names import UNDERSCORE, VALUES, Alphabet

RELATIONS = {"=": "=", "!=": r"\ne", "<": "<", "<=": r"\le"}
FUNCTIONS = frozenset({"exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "min", "max", "det"})
"""The functions that LaTeX has a name for."""
NORMS = {"spec": "2", "nuc": r"\ast"}
_LEVELS = FORMULAS | TERMS | dict.fromkeys(("sum", "prod", "had"), PRODUCT) | dict.fromkeys(("/", "D", "T", "inv"), FACTOR)
_OPEN = ("sum", "prod")
"""These reach as far to the right as a product does."""


def latex(e: Any, alphabet: Alphabet | None = None) -> str:
    """A term or formula in LaTeX (math mode); the alphabet is that of the formula to which it belongs."""
    return Printer(alphabet or Alphabet(e)).at(e, QUANTIFIER)


def declared(declarations: Any, alphabet: Alphabet) -> str:
    """The variables of a quantifier with their sorts; those of one sort together."""
    return Printer(alphabet).declared(declarations)


def name(v: str) -> str:
    """A name that stands alone."""
    return Alphabet(v)[v]


def norm(e: Any) -> tuple[Any, Any, int] | None:
    """X, Y and p where a term is tr(T(X) Y)^(p/2) and is typeset as a norm or an inner product, p = 1 with X = Y only."""
    power = 2
    if e[0] == "sqrt" and (pair := _pair(e[1])) and pair[0] == pair[1]:
        return (*pair, 1)
    if e[0] == "^" and isinstance(e[2], int) and e[2] > 1 and (pair := _pair(e[1])) and pair[0] == pair[1]:
        return (*pair, 2 * e[2])
    pair = _pair(e)
    return (*pair, power) if pair else None


def _pair(e: Any) -> tuple[Any, Any] | None:
    if not isinstance(e, tuple) or e[0] != "tr" or not isinstance(e[1], tuple) or e[1][0] != "mm" or len(e[1]) != 3:
        return None
    first, second = e[1][1:]
    return (first[1], second) if isinstance(first, tuple) and first[0] == "T" else None


def factors(e: Any) -> list[Any]:
    """What a term shows side by side, as a product without a sign of its own."""
    if isinstance(e, tuple) and e[0] in ("*", "mm") and not minus(e):
        return list(e[1:])
    if isinstance(e, tuple) and e[0] == "sm" and not minus(e):
        scalars = factors(e[1]) if isinstance(e[1], tuple) and e[1][0] == "*" else [e[1]]
        matrices = factors(e[2]) if isinstance(e[2], tuple) and e[2][0] == "mm" else [e[2]]
        return scalars + matrices
    return [e]


def minus(e: Any) -> bool:
    """Whether a product is typeset with a minus sign before all of it."""
    return not number(e) and taken_off(e) is not None


class Printer:
    """Typesets with the letters of an alphabet."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.letters = alphabet

    # ------------------------------------------------------------------ brackets

    def at(self, e: Any, level: int) -> str:
        """The text of a term or formula where a level is asked for."""
        if isinstance(e, str):
            return self.letters[e]
        text = self._text(e)
        return rf"\left({text}\right)" if self._level(e) < level else text

    def _level(self, e: Any) -> int:
        if isinstance(e, int):
            return ATOM if e >= 0 else SIGNED
        head = e[0]
        if head == "q":
            return FACTOR if e[1] > 0 else SIGNED
        if head in ("*", "sm"):
            first = factors(e)[0]
            return SIGNED if minus(e) or (number(first) and value_sign(first) < 0) else PRODUCT
        if (found := norm(e)) and (found[0] == found[1]):
            return FACTOR
        return _LEVELS.get(head, ATOM)

    def _list(self, items: Iterable[Any]) -> str:
        return ",".join(self.at(x, QUANTIFIER) for x in items)

    def _base(self, e: Any) -> str:
        """A matrix that gets an index: brackets where it has one, or an exponent."""
        text = self.at(e, ATOM)
        bare = not self.letters.indexed(e) if isinstance(e, str) else e[0] in ("call", "d", "mat")
        return text if bare or text.startswith(r"\left(") else rf"\left({text}\right)"

    # ------------------------------------------------------------------ sorts and declarations

    def sort(self, s: Sort) -> str:
        """A sort: numbers, matrices by their size, functions in brackets."""
        if isinstance(s, str):
            return rf"\mathbb{{{s}}}"
        if s[0] == "M":
            rows = self.at(s[1], QUANTIFIER) if s[2] == 1 else rf"{self.at(s[1], PRODUCT)}\times {self.at(s[2], PRODUCT)}"
            return rf"\mathbb{{R}}^{{{rows}}}"
        arrow = r"\xrightarrow{\infty}" if s[3:] == ("smooth",) else r"\to"
        arguments = r"\times ".join(self.sort(x) for x in s[1])
        return f"({arguments} {arrow} {self.sort(s[2])})"

    def declared(self, declarations: Any) -> str:
        """Variables and their sorts."""
        groups: list[tuple[list[str], Sort]] = []
        for v, s in declarations:
            if groups and groups[-1][1] == s:
                groups[-1][0].append(self.letters[v])
            else:
                groups.append(([self.letters[v]], s))
        return r",\ ".join(rf"{','.join(names)}\in {self.sort(s)}" for names, s in groups)

    # ------------------------------------------------------------------ formulas

    def _text(self, e: Any) -> str:
        if isinstance(e, int):
            return str(e)
        head = e[0]
        if head in FORMULAS:
            return self._formula(e, head)
        if head in ("+", "*", "sm", "mm", "had"):
            return self._arithmetic(e, head)
        if (found := norm(e)) is not None:
            return self._norm(*found)
        if head in _OPEN or head in ("D", "entry", "mat", "I", "J", "O", "call", "d", "app", "dom"):
            return self._structure(e, head)
        if head == "op":
            return self._constant(e)
        return self._function(e, head)

    def _formula(self, e: Any, head: str) -> str:
        if head in ("all", "ex"):
            quantifier = r"\forall" if head == "all" else r"\exists"
            return rf"{quantifier} {self.declared(e[1])}:\ {self.at(e[2], QUANTIFIER)}"
        if head == "lam":
            return rf"{self.declared(e[1])} \mapsto {self.at(e[2], SUM)}"
        if head == "iff":
            return rf"{self.at(e[1], OR)} \Leftrightarrow {self.at(e[2], OR)}"
        if head == "=>":
            return rf"{self.at(e[1], OR)} \Rightarrow {self.at(e[2], QUANTIFIER if e[2][0] in ('all', 'ex') else IMPLIES)}"
        if head in ("or", "and"):
            if len(e) == 2:
                return rf"\big{'vee' if head == 'or' else 'wedge'} \left({self.at(e[1], QUANTIFIER)}\right)"
            level = FORMULAS[head] + 1
            return (r" \lor " if head == "or" else r" \land ").join(self.at(a, level) for a in e[1:])
        if head == "not":
            return rf"\lnot {self.at(e[1], ATOM)}"
        if head == "tends":
            return rf"\lim_{{{self.letters[e[1]]}\to\infty}} {self.at(e[2], PRODUCT)} = {self.at(e[3], SUM)}"
        if head == "tendsoo":
            return rf"\lim_{{{self.letters[e[1]]}\to\infty}} {self.at(e[2], PRODUCT)} = \infty"
        return f"{self.at(e[1], SUM)} {RELATIONS[head]} {self.at(e[2], SUM)}"

    # ------------------------------------------------------------------ sums and products

    def _arithmetic(self, e: Any, head: str) -> str:
        if head == "+":
            out = self.at(e[1], SIGNED)
            for a in e[2:]:
                negative = taken_off(a)
                out += f" + {self.at(a, PRODUCT)}" if negative is None else f" - {self.at(negative, PRODUCT)}"
            return out
        if head == "had":
            return rf"{self.at(e[1], FACTOR)}\odot {self.at(e[2], FACTOR)}"
        if not minus(e):
            return self._product(factors(e))
        rest = taken_off(e)
        text = self.at(rest, PRODUCT)
        first = factors(rest)[0]
        return rf"-\left({text}\right)" if number(first) and value_sign(first) >= 0 and first != rest else f"-{text}"

    def _product(self, parts: list[Any]) -> str:
        """Factors side by side; a point between numbers, which would run together."""
        out = ""
        for k, a in enumerate(parts):
            leading = k == 0 and number(a)
            last = k == len(parts) - 1 and isinstance(a, tuple) and a[0] in _OPEN
            text = self.at(a, SIGNED if leading else PRODUCT if last else FACTOR)
            figures = text[:1].isdigit() or (text.startswith((r"\tfrac", r"\frac")) and number(parts[k - 1]))
            out += text if k == 0 else (r"\cdot " if figures else r"\,") + text
        return out

    def _norm(self, x: Any, y: Any, power: int) -> str:
        if x != y:
            return rf"\langle {self.at(x, QUANTIFIER)},\ {self.at(y, QUANTIFIER)} \rangle"
        return rf"\lVert {self.at(x, QUANTIFIER)} \rVert_{{F}}" + (f"^{{{power}}}" if power > 1 else "")

    # ------------------------------------------------------------------ the other terms

    def _structure(self, e: Any, head: str) -> str:
        if head in _OPEN:
            index = rf"_{{{self.letters[e[1]]}={self.at(e[2], SUM)}}}^{{{self.at(e[3], SUM)}}}"
            return rf"\{head}{index} {self.at(e[4], PRODUCT)}"
        if head == "D":
            v = self.letters[e[1]]
            slope = rf"\tfrac{{\mathrm{{d}}}}{{\mathrm{{d}}{v}}} {self.at(e[2], PRODUCT)}"
            return rf"\left.{slope}\right\rvert_{{{v}={self.at(e[3], SUM)}}}"
        if head in ("call", "app"):
            return f"{self.letters[e[1]]}({self._list(e[2:])})"
        if head == "dom":
            return rf"\mathrm{{dom}}\,{self.letters[e[1]]}({self._list(e[2:])})"
        if head == "d":
            mark = {1: "'", 2: "''"}.get(e[1]) if isinstance(e[1], int) else None
            return f"{self.letters[e[2]]}{mark or f'^{{({self.at(e[1], SUM)})}}'}({self._list(e[3:])})"
        if head == "entry":
            return f"{self._base(e[1])}_{{{self._list(e[2:])}}}"
        if head == "mat":
            rows = r" \\ ".join(" & ".join(self.at(a, QUANTIFIER) for a in r) for r in e[1])
            return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"
        symbol = "0" if head == "O" else head
        if head == "I" or e[1] == e[2]:
            return f"{symbol}_{{{self.at(e[1], SUM)}}}"
        return rf"{symbol}_{{{self.at(e[1], PRODUCT)}\times {self.at(e[2], PRODUCT)}}}"

    def _constant(self, e: Any) -> str:
        """A constant of facts.json."""
        _, head, *args = e
        if head in NORMS and len(args) == 1:
            return rf"\lVert {self.at(args[0], QUANTIFIER)} \rVert_{{{NORMS[head]}}}"
        if head in VALUES and len(args) == 2:
            return rf"{VALUES[head]}_{{{self.at(args[1], SUM)}}}({self._list(args[:1])})"
        return rf"\mathrm{{{head.replace('_', UNDERSCORE)}}}({self._list(args)})"

    def _small(self, e: Any) -> str:
        """An exponent, where no fraction is large."""
        return self.at(e, SUM).replace(r"\dfrac", r"\frac")

    def _function(self, e: Any, head: str) -> str:
        if head == "q":
            return rf"{'-' if e[1] < 0 else ''}\tfrac{{{abs(e[1])}}}{{{e[2]}}}"
        if head in ("true", "false"):
            return rf"\mathrm{{{head}}}"
        if head == "pi":
            return r"\pi"
        if head == "/":
            above, below = self.at(e[1], SUM), self.at(e[2], SUM)
            large = "d" if "frac" in above + below else ""  # fractions in a fraction are not made tiny
            return rf"\{large}frac{{{above}}}{{{below}}}"
        if head == "mpow" and e[2] == -1:
            return rf"{self.at(e[1], ATOM)}^{{(-1)}}"
        if head in ("^", "mpow"):
            return f"{self.at(e[1], ATOM)}^{{{self._small(e[2])}}}"
        if head == "T":
            return rf"{self.at(e[1], ATOM)}^{{\top}}"
        if head == "inv":
            turned = isinstance(e[1], tuple) and e[1][0] == "T"
            return rf"{self.at(e[1][1], ATOM)}^{{-\top}}" if turned else f"{self.at(e[1], ATOM)}^{{-1}}"
        if head == "sqrt":
            return rf"\sqrt{{{self.at(e[1], SUM)}}}"
        if head == "abs":
            return rf"\lvert {self.at(e[1], SUM)} \rvert"
        shown = rf"\{head}" if head in FUNCTIONS else rf"\mathrm{{{head}}}"
        return rf"{shown}\left({self._list(e[1:])}\right)"
