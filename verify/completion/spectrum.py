"""Singular values and what is made of them, as enclosures.

A matrix is given by exact numbers, or by exact numbers and a radius for each entry. The squares of the
singular values of the exact matrix are the roots of the characteristic polynomial of A A^T over the
rationals, which FLINT isolates and refines to any relative precision with their exact multiplicities, so
that zero and repeated singular values are recognised. By Weyl's inequality a perturbation moves a singular
value by at most its Frobenius norm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb, fmpq, fmpq_mat

from verify.completion.enclosure import Enclosure, precision, rational_ball
from verify.completion.observations import ObservationError, exact, ratio_text, shown

MAX_SIDE = 120
"""Largest shorter side of a matrix whose singular values are enclosed."""

Matrix = Sequence[Sequence[Any]]


@dataclass(frozen=True)
class NumericalRank:
    """Number of singular values above a tolerance.

    Attributes:
        rank: the number, proved.
        above: the smallest singular value above the tolerance; None if there is none.
        below: the largest one not above it; None if there is none.
        gap: enclosure of above / below; None if either is missing or `below` may be zero.
    """

    rank: int
    above: Enclosure | None
    below: Enclosure | None
    gap: Enclosure | None


def singular_values(matrix: Matrix, radii: Matrix | None = None, bits: int = 128) -> list[Enclosure]:
    """Enclosures of the singular values, largest first.

    Args:
        matrix: m x n exact numbers.
        radii: non-negative numbers of the same shape; every matrix within them entry by entry is covered.
        bits: the relative precision in bits.

    Returns:
        min(m, n) enclosures, each with lower end at least 0. For an exact matrix zero is exactly [0, 0].

    Raises:
        ObservationError: ragged, empty, not finite, a negative radius, or the shorter side above `MAX_SIDE`.

    Source: Weyl 1912 for the perturbation.
    """
    table, spread = _checked(matrix, radii)
    with precision(bits + 32):
        values = [Enclosure.of_ball(v) for v in _singular_balls(table)]
        if spread:
            moved = Enclosure.of_ball(rational_ball(spread).sqrt()).upper
            values = [Enclosure(max(v.lower - moved, Fraction(0)), v.upper + moved) for v in values]
    return values


def effective_rank(matrix: Matrix, radii: Matrix | None = None, bits: int = 128) -> Enclosure:
    """exp of the entropy of the singular values divided by their sum.

    Args:
        matrix, radii, bits: as in `singular_values`.

    Raises:
        ObservationError: as in `singular_values`, and when the matrix is or may be zero.

    Source: Roy and Vetterli, The effective rank, EUSIPCO 2007.
    """
    values = singular_values(matrix, radii, bits)
    _not_zero(values)
    with precision(bits + 32):
        total = sum((v.ball() for v in values), arb(0))
        entropy = sum((_entropy_term(v, total) for v in values if v.upper), arb(0))
    return _between_one_and_count(entropy.exp(), values)


def stable_rank(matrix: Matrix, radii: Matrix | None = None, bits: int = 128) -> Enclosure:
    """Squared Frobenius norm divided by the squared spectral norm.

    Args:
        matrix, radii, bits: as in `singular_values`.

    Raises:
        ObservationError: as in `singular_values`, and when the matrix is or may be zero.
    """
    values = singular_values(matrix, radii, bits)
    _not_zero(values)
    table, spread = _checked(matrix, radii)
    with precision(bits + 32):
        norm = rational_ball(sum((v * v for row in table for v in row), Fraction(0)))
        largest = values[0].ball()
        if spread:
            moved = rational_ball(spread).sqrt()
            size = norm.sqrt() + moved.union(-moved)
            norm = size * size  # size ** 2 is not finite for a ball around 0
        result = norm / (largest * largest)
    return _between_one_and_count(result, values)


def _between_one_and_count(ball: arb, values: list[Enclosure]) -> Enclosure:
    """A number in a ball (which may be infinite) that lies between 1 and the number of singular values that are not zero."""
    top = Fraction(len([v for v in values if v.upper]))
    if not ball.is_finite():
        return Enclosure(Fraction(1), top)
    result = Enclosure.of_ball(ball)
    return Enclosure(max(result.lower, Fraction(1)), min(result.upper, top))


def nuclear_norm(matrix: Matrix, radii: Matrix | None = None, bits: int = 128) -> Enclosure:
    """Sum of the singular values.

    Args:
        matrix, radii, bits: as in `singular_values`.

    Raises:
        ObservationError: as in `singular_values`.
    """
    values = singular_values(matrix, radii, bits)
    return Enclosure(sum((v.lower for v in values), Fraction(0)), sum((v.upper for v in values), Fraction(0)))


def numerical_rank(
    matrix: Matrix, tolerance: Any, radii: Matrix | None = None, bits: int = 128
) -> NumericalRank:
    """How many singular values are larger than a tolerance, proved.

    Args:
        matrix, radii, bits: as in `singular_values`.
        tolerance: an exact number, at least 0.

    Raises:
        ObservationError: as in `singular_values`; a negative tolerance; or an enclosure that contains the
            tolerance without being equal to it, so that the number is not decided.
    """
    threshold = exact(tolerance)
    if threshold < 0:
        raise ObservationError(f"tolerance {shown(ratio_text(threshold))}; it must be at least 0")
    values = singular_values(matrix, radii, bits)
    for value in values:
        if value.lower <= threshold < value.upper:
            raise ObservationError(
                "the tolerance lies inside the enclosure of a singular value; choose another one or more bits"
            )
    rank = sum(v.lower > threshold for v in values)
    above = values[rank - 1] if rank else None
    below = values[rank] if rank < len(values) else None
    gap = None
    if above is not None and below is not None and below.lower > 0:
        with precision(bits):
            gap = Enclosure.of_ball(above.ball() / below.ball())
    return NumericalRank(rank, above, below, gap)


def _checked(matrix: Matrix, radii: Matrix | None) -> tuple[list[list[Fraction]], Fraction]:
    """The exact matrix, and the squared Frobenius norm of the radii."""
    table = [[exact(v) for v in row] for row in matrix]
    if not table or not table[0] or any(len(row) != len(table[0]) for row in table):
        raise ObservationError("a matrix must have at least one row and column and rows of one length")
    if min(len(table), len(table[0])) > MAX_SIDE:
        raise ObservationError(
            f"the shorter side is longer than {MAX_SIDE}; singular values are not enclosed"
        )
    if radii is None:
        return table, Fraction(0)
    spread = [[exact(v) for v in row] for row in radii]
    if [len(row) for row in spread] != [len(row) for row in table]:
        raise ObservationError("the radii must have the shape of the matrix")
    if any(v < 0 for row in spread for v in row):
        raise ObservationError("a radius is negative; radii must be at least 0")
    return table, sum((v * v for row in spread for v in row), Fraction(0))


def _singular_balls(table: list[list[Fraction]]) -> list[arb]:
    rows, cols = len(table), len(table[0])
    a = fmpq_mat(rows, cols, [fmpq(v.numerator, v.denominator) for row in table for v in row])
    gram = a * a.transpose() if rows <= cols else a.transpose() * a
    found: list[tuple[arb, int]] = []
    roots: Any = gram.charpoly().numer().complex_roots()
    for root, multiplicity in roots:
        square = acb(root).real  # A A^T is symmetric: all roots are real
        found.append((arb(0) if square == 0 else square.max(arb(0)).sqrt(), multiplicity))
    values = [value for value, multiplicity in found for _ in range(multiplicity)]
    if len(values) != min(rows, cols):
        raise ArithmeticError("the number of roots is not the degree")
    return sorted(values, key=lambda v: Enclosure.of_ball(v).middle, reverse=True)


def _not_zero(values: list[Enclosure]) -> None:
    if values[0].lower <= 0:
        raise ObservationError("the matrix is zero or may be; its effective and stable rank are not defined")


def _entropy_term(value: Enclosure, total: arb) -> arb:
    """Ball that contains -p log p for p = value / total, with 0 log 0 = 0."""
    p = value.ball() / total
    if p > 0:
        return -p * p.log()
    upper = p.upper()  # -p log p increases from 0 to 1/e at p = 1/e, its maximum
    peak = (-arb(1)).exp()
    top = -upper * upper.log() if upper < peak else peak
    return arb(0).union(top)
