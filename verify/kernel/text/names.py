r"""Names as letters: different names look different.

`x1` is $x_{1}$, `x_1` is $x_{(1)}$, `W_flow` is $W_{\mathrm{flow}}$, `e_` is $\tilde{e}$, `alpha` is $\alpha$; a name of several
letters is set in italics as one word, and so is every name for which these forms would be ambiguous (`pi`, which is not the
constant; `I1`, which is not the identity of size 1). Operators are upright.

Some names are short for letters (`al` for $\alpha$). Where a formula has both `al` and `alpha`, the short one is a word.
"""

from __future__ import annotations

import re
from typing import Any

GREEK = frozenset(
    {
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"),
        *("xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "ell"),
        *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
    }
)
SHORT = {
    "al": (r"\alpha", "alpha"),
    "be": (r"\beta", "beta"),
    "eps": (r"\varepsilon", "epsilon"),
    "th": (r"\theta", "theta"),
    "Om": (r"\Omega", "Omega"),
    "ws": (r"{w^{\ast}}", ""),
    "Ws": (r"{W^{\ast}}", ""),
    "Winf": (r"{W^{\infty}}", ""),
    "rb": (r"{\bar{r}}", ""),
}
"""Short names, and the long name that would look the same."""
INDEXED = {"uZ": ("u_{Z}", "u_Z"), "vZ": ("v_{Z}", "v_Z")}
"""The same for letters that have an index already, so that nothing can be added to them."""
UNDERSCORE = r"\rule{.4em}{.05em}"
CONSTANTS = frozenset({"I", "J"})
"""The identity and the matrix of ones have an index, their size."""
VALUES = {"sv": r"\sigma", "eig": r"\lambda"}
"""Operators that are written as a letter with an index: a function of this name is a word."""

_NAME = re.compile(r"([A-Za-z][A-Za-z0-9]*?)([0-9]*)((?:_[A-Za-z0-9]+)*)")


def word(name: str) -> str:
    """A name as one word in italics, whatever it is."""
    return rf"\mathit{{{name.replace('_', UNDERSCORE)}}}"


class Alphabet:
    """The letters for the names of one formula."""

    def __init__(self, *formulas: Any) -> None:
        self._names = frozenset[str]().union(*(variables(e) for e in formulas))
        self._functions = frozenset[str]().union(*(functions(e) for e in formulas))
        self._stems = {stem(name) for name in self._names}
        self._known: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._letter(name)
        return found

    def indexed(self, name: str) -> bool:
        """Whether a name is set with an index, so that it needs brackets before another one."""
        return "_" in self[name]

    def _letter(self, name: str) -> str:
        if name in INDEXED:
            text, rival = INDEXED[name]
            return word(name) if rival in self._names else text
        if name == "pi":
            return word(name)
        if len(name) > 1 and name[-1] == "_" and (name[:-1] in GREEK or (len(name) == 2 and name[0] != "_")):
            return rf"\tilde{{{self._stem(name[:-1])}}}"
        match = _NAME.fullmatch(name)
        if match is None:
            return word(name)
        letters, digits, parts = match[1], match[2], match[3].split("_")[1:]
        if (digits or parts) and letters in CONSTANTS:
            return word(name)
        if digits and not parts and rf"\{letters}" in VALUES.values() and name in self._functions:
            return word(name)
        index = [digits] * bool(digits) + [f"({p})" if p.isdigit() else rf"\mathrm{{{p}}}" for p in parts]
        return self._stem(letters) + (f"_{{{';'.join(index)}}}" if index else "")

    def _stem(self, letters: str) -> str:
        if letters in SHORT:
            text, rival = SHORT[letters]
            return word(letters) if rival in self._stems else text
        return f"\\{letters}" if letters in GREEK else letters if len(letters) == 1 else word(letters)


def stem(name: str) -> str:
    """The letters with which a name begins."""
    match = _NAME.fullmatch(name.rstrip("_"))
    return match[1] if match else name


def variables(e: Any) -> frozenset[str]:
    """The names of the variables of a term, formula or sort, free and bound."""
    out: set[str] = set()
    _variables(e, out)
    return frozenset(out)


def _variables(e: Any, out: set[str]) -> None:
    if isinstance(e, str):
        out.add(e)
        return
    if isinstance(e, int) or not e or e[0] == "q":
        return
    head = e[0]
    if head in ("all", "ex", "lam"):
        for v, s in e[1]:
            out.add(v)
            _of_sort(s, out)
        _variables(e[2], out)
    elif head == "mat":
        for row in e[1]:
            for x in row:
                _variables(x, out)
    else:
        for x in e[2 if head == "op" else 1 :]:
            _variables(x, out)


def _of_sort(s: Any, out: set[str]) -> None:
    if isinstance(s, str):
        return
    if s[0] == "M":
        _variables(s[1], out)
        _variables(s[2], out)
        return
    for x in (*s[1], s[2]):
        _of_sort(x, out)


def functions(e: Any) -> frozenset[str]:
    """The names that are declared or used as functions."""
    out: set[str] = set()
    _functions(e, out)
    return frozenset(out)


def _functions(e: Any, out: set[str]) -> None:
    if isinstance(e, (str, int)) or not e:
        return
    if e[0] == "mat":
        for row in e[1]:
            for x in row:
                _functions(x, out)
        return
    if e[0] in ("call", "d"):
        out.add(e[1] if e[0] == "call" else e[2])
    elif e[0] in ("all", "ex", "lam"):
        out.update(v for v, s in e[1] if not isinstance(s, str) and s[0] == "F")
        _functions(e[2], out)
        return
    for x in e[1:]:
        _functions(x, out)
