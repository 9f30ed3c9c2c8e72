"""Propositions 3, 5 and 17 and Theorem 1 at degenerate values: d = 1, inner width above d, zero rows and columns, negative and zero
observations, one observation only, values of very different size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from proofs.shin2025.extreme_values import Cases, Row, compare, observed, rationals, same, state
from proofs.shin2025.limit_curves import ball
from verify.completion.coupling import coupling
from verify.completion.observations import Observations
from verify.completion.recheck import recheck_coupling
from verify.registry import experiment

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
    ("rows that begin at the target", [(0, 0, "2")], [["1", "1"]], [["1", "1"]]),
    ("huge and tiny targets", [(0, 0, "10000"), (1, 1, "-1/100")], [["1", "1/1000"], ["0", "1"]], [["1", "0"], ["1", "1"]]),
    ("a tiny start", [(0, 0, "1")], [["1/1000000", "0"]], [["1/1000000", "1/10000000"]]),
]  # fmt: skip
"""For Proposition 5 as amended, where the pairs are on the diagonal, and for any placing with at most one entry a row and column."""

PERMUTED = [
    ("3-cycle, negative and zero observations", [(0, 1, "2"), (1, 2, "-1"), (2, 0, "0")],
     [["1", "0", "2"], ["1/2", "1", "0"], ["1", "1", "1"]], [["1", "1", "0"], ["0", "1", "1/3"], ["2", "0", "-1"]]),
    ("a row equal to its column", [(0, 1, "3"), (1, 0, "2")], [["1", "2"], ["1", "0"]], [["1/2", "1"], ["1", "2"]]),
    ("zero row and zero column apart", [(0, 1, "-2"), (1, 0, "2")], [["0", "0"], ["1", "-1"]], [["0", "0"], ["1", "3"]]),
    ("swap, targets far apart", [(0, 1, "10000"), (1, 0, "-1/10000")], [["1", "1/10"], ["0", "1"]], [["1", "0"], ["2", "1"]]),
]  # fmt: skip
"""More of Proposition 17: exactly one observation in each row and each column of a square matrix."""

FIRST_COLUMN = [  # name, w11, w21, rows of A(0), first column of B(0)
    ("d_1 = 1", "2", "-1", [["1"], ["1/2"]], ["1"]),
    ("d_1 = 3, negative observations", "-2", "-1/10", [["1", "0", "1"], ["0", "1", "0"]], ["1", "2", "1/2"]),
    ("A(0) = 0", "2", "1", [["0", "0"], ["0", "0"]], ["1", "1/3"]),
    ("b_1(0) = 0", "2", "1", [["1", "0"], ["1/2", "1"]], ["0", "0"]),
    ("zero row of A(0)", "2", "1", [["0", "0"], ["1/2", "1"]], ["1", "0"]),
    ("targets far apart", "1000", "1/1000", [["1", "0"], ["1/2", "1"]], ["1", "-1"]),
    ("large start", "1", "1", [["10", "0"], ["0", "-10"]], ["10", "10"]),
    ("tiny A(0)", "1", "2", [["1/1000000", "0"], ["0", "1/1000000"]], ["1", "1"]),
]
"""Theorem 1: the entries (1,1) and (2,1) of a 2 x 2 matrix."""


def factors(rows: Sequence[Row], columns: Sequence[Row]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """W_1 = B and W_2 = A from the rows of A and the columns of B."""
    a, b = rationals(rows), rationals(columns)
    return [[column[k] for column in b] for k in range(len(b[0]))], a


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


def printed_pair(a: Row, b: Row, target: Fraction) -> tuple[list[Any], list[Any]]:
    """The closed form as printed in Proposition 17, with r-bar of the entry."""
    p = ball(sum(x * y for x, y in zip(a, b, strict=True)))
    half = ball(sum(x * x + y * y for x, y in zip(a, b, strict=True)) / 2)
    w = ball(target)
    rest = ball(target**2) - p * p + half * half
    r = ((p + half) / (w + rest.sqrt())).log() / 2
    c, s = r.cosh(), r.sinh()
    x, y = [ball(v) for v in a], [ball(v) for v in b]
    return [u * c - v * s for u, v in zip(x, y, strict=True)], [v * c - u * s for u, v in zip(x, y, strict=True)]


def pairs(table: Sequence[Any], closed: Any) -> Cases:
    """Both factors in the limit: the pair of each observed entry by a closed form, the other rows and columns as at the start."""
    for name, entries, rows, columns in table:
        b0, a0 = factors(rows, columns)
        found = state(observed(len(rows), len(columns), entries), [b0, a0])
        if not found.certified:
            yield f"{name}: {found.reason}", False
            continue
        a, b = [[ball(x) for x in row] for row in a0], [[ball(Fraction(x)) for x in row] for row in columns]
        for i, j, w in entries:
            a[i], b[j] = closed(a0[i], rationals(columns)[j], Fraction(w))
        width = range(len(b0))
        fits = all(near(found.blocks[1][i][k], x[k]) for i, x in enumerate(a) for k in width)
        yield name, fits and all(near(found.blocks[0][k][j], x[k]) for j, x in enumerate(b) for k in width)


def near(found: Any, wanted: Any) -> bool:
    """Whether enclosures of an entry meet and are narrow, beside the size of the entry or 1."""
    return same(found + 1, wanted + 1) if abs(wanted) < 1 else same(found, wanted)


def alignment() -> Cases:
    """Both sides of Theorem 1 for i = 1, 2, by the certified limit."""
    for name, first, second, rows, column in FIRST_COLUMN:
        a0, b0 = rationals(rows), [[Fraction(x), Fraction(0)] for x in column]
        w = [Fraction(first), Fraction(second)]
        found = state(observed(2, 2, [(0, 0, w[0]), (1, 0, w[1])]), [b0, a0], digits=25)
        if not found.certified:
            yield f"{name}: {found.reason}", False
            continue
        b = [row[0] for row in found.blocks[0]]
        size = sum((x * x for x in b), arb(0))
        start = ball(sum(x * x for x in (row[0] for row in b0)))
        norm = ball(sum(x * x for row in a0 for x in row))
        for i in (0, 1):
            a = found.blocks[1][i]
            inner, length = sum((x * y for x, y in zip(a, b, strict=True)), arb(0)), sum((x * x for x in a), arb(0))
            left = 1 - inner * inner / (size * length)
            right = norm * ((start * start + ball(4 * (w[0] ** 2 + w[1] ** 2))).sqrt() + start) / ball(2 * w[i] ** 2)
            yield f"{name}, i = {i + 1}", bool(left <= right) or (right == 0 and same(left + 1, right + 1))


SCALES = ("1/100000000000000000000000000000000000", "1", "1000")
RATIOS = ("1000000001/1000000000", "2", "10000000000", None)


def family(d: int, ratio: str | None, alpha: str) -> list[list[Fraction]]:
    """A factor of (7): alpha on and alpha/m off the diagonal, or alpha I."""
    a = Fraction(alpha)
    return [[a if i == j else a / Fraction(ratio) if ratio else Fraction(0) for j in range(d)] for i in range(d)]


def decisions(depths: Sequence[int], ratios: Sequence[str | None], verdict: str) -> Cases:
    """The decision for the diagonal of one positive value, with its evidence checked independently."""
    for d in (2, 3, 4):
        table = Observations(d, d, tuple((i, i, Fraction(1)) for i in range(d)))
        for depth in depths:
            for ratio in ratios:
                for alpha in SCALES:
                    found = coupling(table, [family(d, ratio, alpha)] * depth)
                    name = f"d = {d}, L = {depth}, m = {ratio or 'infinity'}, alpha = {alpha}"
                    yield name, found.verdict == verdict == recheck_coupling(found.to_data())


SHALLOW = [  # name, observations, rows of A, columns of B, verdict
    ("one observation only", [["5", None], [None, None]], [["1", "1"], ["0", "0"]], [["1", "2"], ["1", "0"]], "coupled"),
    ("d = 1", [["-2"]], [["0"]], [["0"]], "coupled"),
    ("disconnected, zero rows, negative observation", [["1", None], [None, "-1"]], [["0", "0"], ["1", "2"]], [["1", "1"], ["0", "0"]],
     "decoupled"),
    ("disconnected, d_1 = 4", [["1", None], [None, "-1"]], [["1", "2", "3", "4"], ["1", "0", "0", "1"]],
     [["1", "1", "1", "1"], ["2", "0", "1", "0"]], "decoupled"),
    ("connected, d_1 = 4, negative observations", [["-1", "-2"], [None, "-3"]], [["1", "2", "3", "4"], ["1", "0", "0", "1"]],
     [["1", "1", "1", "1"], ["2", "0", "1", "0"]], "coupled"),
    ("connected, zero start", [["1", "2"], [None, "1"]], [["0", "0"], ["0", "0"]], [["0", "0"], ["0", "0"]], "decoupled"),
    ("connected, only a zero column of B", [["1", "2"], [None, "1"]], [["1", "0"], ["0", "1"]], [["0", "0"], ["1", "1"]], "coupled"),
]  # fmt: skip
"""At depth 2 a disconnected pattern is decoupled from every start; a connected one is coupled but for degenerate starts."""


def shallow_decisions() -> Cases:
    for name, table, rows, columns, verdict in SHALLOW:
        values = [(i, j, Fraction(w)) for i, row in enumerate(table) for j, w in enumerate(row) if w is not None]
        found = coupling(Observations(len(table), len(table), tuple(values)), factors(rows, columns))
        yield name, found.verdict == verdict == recheck_coupling(found.to_data())


def chain(*parts: Iterator[tuple[str, bool]]) -> Cases:
    for part in parts:
        yield from part


@experiment("shin2025.prop-5-a", grade="numeric")
def degenerate_pairs(profile: str) -> dict[str, Any]:
    """Certified limits of the flow against the closed form with the missing square: d = 1, d_1 > d, zero rows, negative and zero
    observations, one observation only, tiny starts, huge and tiny targets."""
    del profile
    return compare(pairs(ROWS, pair_limit))


@experiment("shin2025.prop-17-rbar", grade="numeric", name="extreme_values")
def printed_closed_form_at_degenerate_values(profile: str) -> dict[str, Any]:
    """Certified limits against the closed form of Proposition 17 as printed: cycles, zero rows and columns, a row equal to its
    column, negative and zero observations, targets far apart."""
    del profile
    return compare(pairs([*PERMUTED, *ROWS], printed_pair))


@experiment("shin2025.theorem-1", grade="numeric", name="extreme_values")
def alignment_at_degenerate_values(profile: str) -> dict[str, Any]:
    """Both sides of the bound: A(0) = 0, b_1(0) = 0, a zero row, d_1 = 1 and 3, negative observations, targets far apart."""
    del profile
    return compare(alignment())


@experiment("shin2025.prop-3-depth2", grade="numeric", name="extreme_values")
def depth_two_is_decoupled_at_extreme_values(profile: str) -> dict[str, Any]:
    """The exact decision at L = 2: m near 1, huge and infinite, alpha from 1e-35 to 1000; and degenerate starts of other patterns."""
    del profile
    return compare(chain(decisions((2,), RATIOS, "decoupled"), shallow_decisions()))


@experiment("shin2025.prop-3-deep-coupled", grade="numeric", name="extreme_values")
def depth_three_is_coupled_at_extreme_values(profile: str) -> dict[str, Any]:
    """The exact decision at L = 3 to 5: m near 1 and huge, alpha from 1e-35 to 1000."""
    del profile
    return compare(decisions((3, 4, 5), RATIOS[:3], "coupled"))


@experiment("shin2025.prop-3-minf-decoupled", grade="numeric", name="extreme_values")
def scaled_identities_are_decoupled_at_extreme_values(profile: str) -> dict[str, Any]:
    """The exact decision at L = 3 to 5 from alpha I, alpha from 1e-35 to 1000."""
    del profile
    return compare(decisions((3, 4, 5), RATIOS[3:], "decoupled"))
