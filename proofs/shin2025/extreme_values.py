"""Theorem 4 and Proposition 5 at extreme and degenerate values: certified limits of the flow beside the closed forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from proofs.shin2025.limit_curves import Setting, ball, limit, precision
from verify.flow.models import deep_factorization
from verify.flow.validated import Problem, certified_limit
from verify.registry import experiment

DIGITS = 15
Row = Sequence[Any]

FAMILY = [  # w*, d, m, L, k with alpha = 10^k
    ("1", 2, "1001/1000", 3, 0),
    ("1", 3, "1001/1000", 2, -1),
    ("1", 2, "10000000000", 3, 0),
    ("1", 3, "10000000000", 2, -3),
    ("1", 2, "2", 3, 1),
    ("1", 3, "2", 2, 1),
    ("1/10", 2, "10", 4, 0),
]
"""m near 1 and huge, alpha below and above the L-th root of w*."""

ROWS = [  # name, observed values (row, column, value), rows of A, columns of B
    ("d = 1", [(0, 0, "2")], [["1/2"]], [["1/3"]]),
    ("d = 1, negative observation", [(0, 0, "-1")], [["1/2"]], [["1/3"]]),
    ("d = 1, d_1 = 3", [(0, 0, "2")], [["1/2", "0", "-1"]], [["1/3", "1", "1/5"]]),
    ("d = 2, d_1 = 3, negative observation", [(0, 0, "2"), (1, 1, "-3")], [["1", "0", "2"], ["0", "1/7", "1"]],
     [["1", "1", "1"], ["-1", "2", "0"]]),
    ("zero row of A", [(0, 0, "2"), (1, 1, "1")], [["0", "0"], ["1", "1"]], [["1", "2"], ["1/2", "-1"]]),
    ("zero column of B", [(0, 0, "2"), (1, 1, "-1")], [["1", "3"], ["1", "1"]], [["0", "0"], ["1/2", "-1"]]),
    ("one observation of four", [(0, 1, "5/2")], [["1", "3"], ["1", "1"]], [["1", "0"], ["1/2", "-1"]]),
    ("observed zero", [(0, 0, "0")], [["1", "2"]], [["1/3", "-1/5"]]),
]  # fmt: skip


def family_limits() -> Iterator[tuple[str, bool]]:
    """The unobserved entries of the limit: all of them equal (sigma_1 - sigma_r)/d of the implicit equations."""
    for target, d, ratio, depth, k in FAMILY:
        w, m, alpha = Fraction(target), Fraction(ratio), Fraction(10) ** k
        layer = [[alpha if i == j else alpha / m for j in range(d)] for i in range(d)]
        model = deep_factorization([[w if i == j else None for j in range(d)] for i in range(d)], depth)
        found = certified_limit(Problem.make(model, [layer] * depth), DIGITS)
        name = f"w* = {w}, d = {d}, m = {m}, L = {depth}, alpha = 10^{k}"
        if found.status != "certified" or found.product is None:
            yield f"{name}: {found.reason}", False
            continue
        with precision():
            wanted = limit(Setting(w, d, m, depth), k * depth).gap / d
            yield name, all(same(found.product[i][j], wanted) for i in range(d) for j in range(d) if i != j)


def row_limits() -> Iterator[tuple[str, bool]]:
    """Both factors in the limit: the pair of each observed entry from its closed form, the other rows and columns as at the start."""
    for name, observed, rows, columns in ROWS:
        d = len(rows)
        a0 = [[Fraction(x) for x in row] for row in rows]
        b0 = [[Fraction(x) for x in column] for column in columns]
        values: list[list[Any]] = [[None] * d for _ in range(d)]
        for i, j, w in observed:
            values[i][j] = Fraction(w)
        width = len(a0[0])
        model = deep_factorization(values, 2, (width,))
        transposed = [[b0[j][k] for j in range(d)] for k in range(width)]
        found = certified_limit(Problem.make(model, [transposed, a0]), DIGITS)
        if found.status != "certified":
            yield f"{name}: {found.reason}", False
            continue
        a, b = [[ball(x) for x in row] for row in a0], [[ball(x) for x in row] for row in b0]
        with precision():
            for i, j, w in observed:
                a[i], b[j] = pair_limit(a0[i], b0[j], Fraction(w))
            fits = all(same(found.blocks[1][i][k], a[i][k]) for i in range(d) for k in range(width))
            yield name, fits and all(same(found.blocks[0][k][j], b[j][k]) for j in range(d) for k in range(width))


def pair_limit(a: Row, b: Row, target: Fraction) -> tuple[list[Any], list[Any]]:
    """The closed form for one observed entry a . b, with p = a + b and q = a - b: p grows by x and q by 1/x, where
    |p|^2 x^2 - |q|^2/x^2 = 4 w*."""
    p, q = [ball(x + y) for x, y in zip(a, b, strict=True)], [ball(x - y) for x, y in zip(a, b, strict=True)]
    p2 = ball(sum((x + y) ** 2 for x, y in zip(a, b, strict=True)))
    q2 = ball(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))
    w = ball(target)
    square = (2 * w + (4 * w * w + p2 * q2).sqrt()) / p2
    x = square.sqrt()
    return [(x * u + v / x) / 2 for u, v in zip(p, q, strict=True)], [(x * u - v / x) / 2 for u, v in zip(p, q, strict=True)]


def same(found: Any, wanted: Any) -> bool:
    """Whether two enclosures meet and are narrow."""
    difference = found - wanted
    return bool(difference.contains(0)) and bool(difference.rad() < arb(10) ** -10)


def compare(cases: Iterator[tuple[str, bool]]) -> dict[str, Any]:
    agree = dict(cases)
    return {
        "holds": all(agree.values()),
        "statistics": {
            "agree": [name for name, ok in agree.items() if ok],
            "differ": [name for name, ok in agree.items() if not ok],
        },
    }


@experiment("shin2025.eq-9", grade="numeric")
def extreme_scales_and_ratios(profile: str) -> dict[str, Any]:
    """Certified limits of the flow against the roots of the implicit equations, at m near 1 and huge, alpha below and above the
    L-th root of w*."""
    del profile
    return compare(family_limits())


@experiment("shin2025.prop-5-a", grade="numeric")
def degenerate_pairs(profile: str) -> dict[str, Any]:
    """Certified limits of the flow against the closed form with the missing square: d = 1, d_1 > d, zero rows, negative and zero
    observations, one observation only."""
    del profile
    return compare(row_limits())
