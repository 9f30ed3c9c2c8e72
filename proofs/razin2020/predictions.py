"""What Theorems 1 and 2 of this paper predict for a user's observations and start (see verify.flow.predictors)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from verify.completion.observations import Observations
from verify.flow.numbers import short_text
from verify.flow.predictors import Factors, Prediction, Reached

PAPER = "Razin and Cohen 2020"
CELLS = [(i, j) for i in range(2) for j in range(2)]
Rows = Sequence[Sequence[Fraction]]


def predict(observations: Observations, depth: int, factors: Factors, reached: Reached) -> list[Prediction]:
    """A 2 x 2 matrix with one unobserved entry, from balanced factors."""
    name, claim = f"{PAPER}, Theorem 2", "razin2020.theorem-2-reposition-eq-15"
    known = observations.values
    missing = [cell for cell in CELLS if cell not in known]
    if (observations.rows, observations.cols) != (2, 2) or len(missing) != 1:
        return [Prediction(name, claim, False, "needs a 2 x 2 matrix with one unobserved entry")]
    i, j = missing[0]
    z, other, opposite = known[i, 1 - j], known[1 - i, j], known[1 - i, 1 - j]
    if (i, j) == (0, 0) and (z, other, opposite) == (1, 1, 0):
        name, claim = f"{PAPER}, Theorem 1", "razin2020.theorem-1-eq-8"
    if z == 0 or other == 0:
        return [Prediction(name, claim, False, "needs both entries beside the unobserved one different from 0")]
    if depth < 2 or any(len(f) < 2 for f in factors):
        return [Prediction(name, claim, False, "needs depth 2 or more and inner widths of 2 or more")]
    if not balanced(factors):
        return [Prediction(name, claim, False, "needs a balanced start, W_(l+1)^T W_(l+1) = W_l W_l^T")]
    sign = z * other if i == j else -z * other
    if determinant(factors) * sign <= 0:
        side = "positive" if sign > 0 else "negative"
        return [Prediction(name, claim, False, f"needs a start whose product has a {side} determinant")]
    why = "one unobserved entry, balanced start, determinant of the right sign"
    return [Prediction(name, claim, True, why, told(abs(z * other), abs(opposite)))]


def told(product: Fraction, opposite: Fraction) -> str:
    """The bounds, for a small loss."""
    if opposite == 0:
        return (
            "as the loss tends to 0 every norm of the product tends to infinity and its effective rank to 1: the flow has no limit "
            "of zero loss"
        )
    return (
        f"every norm of the product is at least a {short_text(product)}/({short_text(opposite)} + sqrt(2 loss)) - b with constants a, b of the norm, and the "
        f"product ends within {short_text(4 * opposite)} of a matrix of rank 1 when the loss tends to 0"
    )


def balanced(factors: Factors) -> bool:
    """Whether W_(l+1)^T W_(l+1) = W_l W_l^T for all l, exactly."""
    return all(times(transposed(high), high) == times(low, transposed(low)) for low, high in pairwise(factors))


def determinant(factors: Factors) -> Fraction:
    """Of the 2 x 2 product."""
    product = [list(row) for row in factors[0]]
    for factor in factors[1:]:
        product = times(factor, product)
    return product[0][0] * product[1][1] - product[0][1] * product[1][0]


def times(p: Rows, q: Rows) -> list[list[Fraction]]:
    """A matrix product."""
    return [[sum((x * row[j] for x, row in zip(r, q, strict=True)), Fraction(0)) for j in range(len(q[0]))] for r in p]


def transposed(p: Rows) -> list[list[Fraction]]:
    """The transposed matrix."""
    return [list(column) for column in zip(*p, strict=True)]
