"""How tightly the operators bind, for every printer: the surface syntax (`verify.kernel.syntax`) and LaTeX.

A place asks for a level; what binds less tightly stands there in brackets. Each printer adds what its signs need: a fraction
bar encloses what a slash does not.
"""

from __future__ import annotations

from typing import Any

QUANTIFIER, IFF, IMPLIES, OR, AND, NOT, RELATION = range(7)
SUM = 7
SIGNED = 8
"""A product that may begin with a minus sign."""
PRODUCT, FACTOR = 9, 10
ATOM = 11
"""What may carry an exponent or an index."""

FORMULAS = {
    "all": QUANTIFIER,
    "ex": QUANTIFIER,
    "lam": QUANTIFIER,
    "iff": IFF,
    "=>": IMPLIES,
    "or": OR,
    "and": AND,
    "not": NOT,
    **dict.fromkeys(("=", "!=", "<", "<=", "tends", "tendsoo"), RELATION),
}
TERMS = {"+": SUM, **dict.fromkeys(("*", "sm", "mm"), PRODUCT), "^": FACTOR, "mpow": FACTOR}


def number(e: Any) -> bool:
    """Whether a term is an integer or rational literal."""
    return isinstance(e, int) or (isinstance(e, tuple) and e[0] == "q")


def value_sign(e: Any) -> int:
    """The sign of a literal."""
    top = e if isinstance(e, int) else e[1]
    return (top > 0) - (top < 0)


def opposite(e: Any) -> Any:
    """The literal with the other sign."""
    return -e if isinstance(e, int) else ("q", -e[1], e[2])


def taken_off(e: Any) -> Any:
    """The term of which a member of a sum is the negative, as `a - b` is read; None if it is not written as one.

    A minus sign before a literal makes a negative literal; before a product it is one more factor -1 of it.
    """
    if number(e):
        return opposite(e) if value_sign(e) < 0 else None
    if not isinstance(e, tuple) or e[0] not in ("*", "sm") or e[1] != -1:
        return None
    if e[0] == "sm":
        return e[2]
    if len(e) > 3:
        return ("*", *e[2:])
    return None if number(e[2]) or (isinstance(e[2], tuple) and e[2][0] == "*") else e[2]


def closed_by_quantifier(e: Any) -> bool:
    """Whether an implication ends in a quantifier, which would take in what follows."""
    while e[0] == "=>":
        e = e[2]
    return e[0] in ("all", "ex")
