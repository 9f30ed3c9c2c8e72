"""What the checks at extreme and degenerate values share: certified states of the flow, and comparisons of enclosures that can fail.

Each such check runs through a small table of values, encloses what the flow does there (the validated integrator, exact
starts) and compares it with the printed formula, evaluated in balls or exactly. An equation counts when both enclosures meet
and are narrow, an inequality when it is certain, or when the two sides meet and are narrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from proofs.shin2025.limit_curves import ball, precision
from verify.flow.models import deep_factorization
from verify.flow.validated import Problem, Result, certified_limit, enclose

DIGITS = 15
NARROW = 10
"""Enclosures must be narrower than 10^-10 of the larger side."""
Row = Sequence[Any]
Cases = Iterator[tuple[str, bool]]


def rationals(rows: Sequence[Row]) -> list[list[Fraction]]:
    """A matrix of exact numbers, from integers and text."""
    return [[Fraction(x) for x in row] for row in rows]


def observed(rows: int, columns: int, entries: Sequence[tuple[int, int, Any]]) -> list[list[Fraction | None]]:
    """The matrix of observed values, None elsewhere; entries are (row, column, value), counted from 0."""
    values: list[list[Fraction | None]] = [[None] * columns for _ in range(rows)]
    for i, j, w in entries:
        values[i][j] = Fraction(w)
    return values


def state(target: Sequence[Row], layers: Sequence[Sequence[Row]], time: Fraction | None = None, digits: int = DIGITS) -> Result:
    """The gradient flow of the loss (2) at a time, or its limit: W_1 first in `layers`; certified or undetermined."""
    hidden = tuple(len(layer) for layer in layers[:-1])
    problem = Problem.make(deep_factorization(target, len(layers), hidden), layers)
    return certified_limit(problem, digits) if time is None else enclose(problem, time, digits)


def loss(target: Sequence[Row], product: Any) -> Any:
    """The loss (2) of a product, in balls."""
    rest = [product[i][j] - ball(w) for i, row in enumerate(target) for j, w in enumerate(row) if w is not None]
    return sum((r * r for r in rest), arb(0)) / 2


def scale(*sides: Any) -> Any:
    """An upper bound of what is compared."""
    return max((abs(x).upper() for x in sides), key=lambda x: x)


def same(found: Any, wanted: Any) -> bool:
    """Whether two enclosures meet and are narrow."""
    difference = found - wanted
    return bool(difference.contains(0)) and bool(difference.rad() <= scale(found, wanted) * arb(10) ** -NARROW)


def vanishes(found: Any, size: Any = 1) -> bool:
    """Whether an enclosure contains 0 and is narrow beside a size."""
    return bool(found.contains(0)) and bool(found.rad() < size * arb(10) ** -NARROW)


def at_most(less: Any, more: Any) -> bool:
    """Whether less <= more is certain, or both enclosures meet and are narrow."""
    return bool(less <= more) or same(less, more)


def compare(cases: Cases) -> dict[str, Any]:
    """The result of an experiment: which cases agree, and which differ."""
    with precision():
        agree = dict(cases)
    return {
        "holds": bool(agree) and all(agree.values()),
        "statistics": {
            "agree": [name for name, ok in agree.items() if ok],
            "differ": [name for name, ok in agree.items() if not ok],
        },
    }
