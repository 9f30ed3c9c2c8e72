"""Statements as encoded, typeset from the encoded object itself."""

from __future__ import annotations

from typing import Any

from verify.kernel.terms import Sort

GREEK = frozenset(
    {
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"),
        *("xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"),
        *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
    }
)
RELATION = {"=": "=", "!=": r"\ne", "<": "<", "<=": r"\le"}
LEVEL = {"all": 0, "ex": 0, "iff": 1, "=>": 2, "or": 3, "and": 4, "not": 5, "=": 6, "!=": 6, "<": 6, "<=": 6,
         "+": 7, "*": 8, "sm": 8, "mm": 8, "had": 8, "^": 9, "mpow": 9}  # fmt: skip


def name(v: str) -> str:
    """A variable name: greek letters, digits and tails as subscripts."""
    stem, _, sub = v.partition("_")
    digits = stem.rstrip("0123456789")
    if digits and digits != stem:
        stem, sub = digits, ",".join(x for x in (stem[len(digits) :], sub) if x)
    primes = "'" * 0
    out = f"\\{stem}" if stem in GREEK else stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    return out + primes + (f"_{{{sub.replace('_', ',')}}}" if sub else "")


def sort(s: Sort) -> str:
    if s == "R":
        return r"\mathbb{R}"
    if s == "Z":
        return r"\mathbb{Z}"
    if s[0] == "M":
        return rf"\mathbb{{R}}^{{{latex(s[1])}}}" if s[2] == 1 else rf"\mathbb{{R}}^{{{latex(s[1], 8)}\times {latex(s[2], 8)}}}"
    args = r"\times ".join(sort(a) for a in s[1])
    arrow = r"\xrightarrow{\infty}" if s[3] == "smooth" else r"\to"
    return f"({args} {arrow} {sort(s[2])})"


def decls(ds: Any) -> str:
    groups: list[tuple[list[str], Sort]] = []
    for v, s in ds:
        if groups and groups[-1][1] == s:
            groups[-1][0].append(name(v))
        else:
            groups.append(([name(v)], s))
    return r",\ ".join(rf"{','.join(vs)}\in {sort(s)}" for vs, s in groups)


def latex(e: Any, level: int = 0) -> str:
    """LaTeX (math mode) of a term or formula."""
    if isinstance(e, str):
        return name(e)
    if isinstance(e, int):
        return str(e) if e >= 0 or level <= 7 else f"({e})"
    text = _latex(e, e[0])
    return rf"\left({text}\right)" if LEVEL.get(e[0], 10) < level else text


def _list(items: Any) -> str:
    return ",".join(latex(a) for a in items)


def _latex(e: Any, head: str) -> str:
    if head == "q":
        return rf"{'-' if e[1] < 0 else ''}\tfrac{{{abs(e[1])}}}{{{e[2]}}}"
    if head in ("true", "false"):
        return rf"\mathrm{{{head}}}"
    if head == "pi":
        return r"\pi"
    if head in ("all", "ex"):
        quantifier = r"\forall" if head == "all" else r"\exists"
        return rf"{quantifier} {decls(e[1])}:\ {latex(e[2])}"
    if head == "lam":
        return rf"\lambda {decls(e[1])}.\ {latex(e[2])}"
    if head == "iff":
        return rf"{latex(e[1], 2)} \Leftrightarrow {latex(e[2], 2)}"
    if head == "=>":
        return rf"{latex(e[1], 3)} \Rightarrow {latex(e[2], 0 if e[2][0] in ('all', 'ex') else 2)}"
    if head in ("or", "and"):
        return (r" \lor " if head == "or" else r" \land ").join(latex(a, LEVEL[head] + 1) for a in e[1:])
    if head == "not":
        return rf"\lnot {latex(e[1], 10)}"
    if head in RELATION:
        return f"{latex(e[1], 7)} {RELATION[head]} {latex(e[2], 7)}"
    if head == "tends":
        return rf"\lim_{{{name(e[1])}\to\infty}} {latex(e[2], 8)} = {latex(e[3], 7)}"
    if head == "tendsoo":
        return rf"\lim_{{{name(e[1])}\to\infty}} {latex(e[2], 8)} = \infty"
    if head == "+":
        out = latex(e[1], 7)
        for a in e[2:]:
            t = str(a) if isinstance(a, int) else latex(a, 8)
            out += f" - {t[1:]}" if t.startswith("-") else f" + {t}"
        return out
    if head == "*":
        if e[1] == -1:
            return "-" + (latex(e[2], 9) if len(e) == 3 else _latex(("*", *e[2:]), "*"))
        return r"\,".join(latex(a, 8) if k == 0 else latex(a, 9) for k, a in enumerate(e[1:]))
    if head == "/":
        return rf"\frac{{{latex(e[1])}}}{{{latex(e[2])}}}"
    if head == "sm":
        return f"-{latex(e[2], 9)}" if e[1] == -1 else rf"{latex(e[1], 8)}\,{latex(e[2], 9)}"
    if head == "mm":
        return r"\,".join(latex(a, 9) for a in e[1:])
    if head in ("^", "mpow"):
        return f"{latex(e[1], 10)}^{{{latex(e[2])}}}"
    if head == "sqrt":
        return rf"\sqrt{{{latex(e[1])}}}"
    if head == "abs":
        return rf"\lvert {latex(e[1])} \rvert"
    if head == "T":
        return f"{latex(e[1], 10)}^{{\\top}}"
    if head == "inv":
        return f"{latex(e[1], 10)}^{{-1}}"
    if head in ("sum", "prod"):
        return rf"\{head}_{{{name(e[1])}={latex(e[2])}}}^{{{latex(e[3])}}} {latex(e[4], 8)}"
    if head == "D":
        return rf"\left.\tfrac{{d}}{{d{name(e[1])}}} {latex(e[2], 8)}\right|_{{{name(e[1])}={latex(e[3])}}}".replace(
            "|", r"\rvert"
        )
    if head == "call":
        return f"{name(e[1])}({_list(e[2:])})"
    if head == "d":
        mark = {1: "'", 2: "''"}.get(e[1], f"^{{({latex(e[1])})}}") if isinstance(e[1], int) else f"^{{({latex(e[1])})}}"
        return f"{name(e[2])}{mark}({_list(e[3:])})"
    if head == "entry":
        return f"{latex(e[1], 10)}_{{{latex(e[2])},{latex(e[3])}}}"
    if head == "mat":
        rows = r" \\ ".join(" & ".join(latex(a) for a in r) for r in e[1])
        return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"
    if head == "I":
        return f"I_{{{latex(e[1])}}}"
    if head in ("J", "O"):
        symbol = "J" if head == "J" else "0"
        return f"{symbol}_{{{latex(e[1])}}}" if e[1] == e[2] else rf"{symbol}_{{{latex(e[1], 8)}\times {latex(e[2], 8)}}}"
    if head == "had":
        return rf"{latex(e[1], 9)}\odot {latex(e[2], 9)}"
    if head == "op":
        return rf"\mathrm{{{e[1]}}}({_list(e[2:])})"
    if head in ("exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "min", "max", "det"):
        return rf"\{head}\left({_list(e[1:])}\right)"
    return rf"\operatorname{{{head}}}\left({_list(e[1:])}\right)"
