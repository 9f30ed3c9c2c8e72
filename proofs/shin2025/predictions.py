"""What the theorems of this paper predict for a user's observations and start (see verify.flow.predictors).

Each checks its printed hypotheses exactly and says which one fails. Where a theorem does not need a formula beyond
exact arithmetic, the prediction is a number with 12 digits; `verify flow` computes the certified value beside it.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from verify.completion.graph import components, is_connected, is_fully_disconnected
from verify.completion.observations import Observations
from verify.flow.numbers import number, short_text
from verify.flow.predictors import Factors, Prediction, Reached

PAPER = "Shin and Yun 2025"


def predict(observations: Observations, depth: int, factors: Factors, reached: Reached) -> list[Prediction]:
    """Theorem 4, the remark on depth 2 and connectivity, Theorem 6, and Proposition 17 where the pattern is its."""
    found = [
        theorem_4(observations, depth, factors),
        depth_two(observations, depth),
        theorem_6(observations, depth, factors),
    ]
    if depth == 2 and is_fully_disconnected(observations.pattern):
        found.append(proposition_17(observations, factors))
    return found


def theorem_4(observations: Observations, depth: int, factors: Factors) -> Prediction:
    """Diagonal observations of one positive value, every factor from initialisation (7)."""
    name = f"{PAPER}, Theorem 4"
    claim = "shin2025.theorem-4-l2" if depth == 2 else "shin2025.theorem-4-ordering"
    d = observations.rows
    values = {v for _, _, v in observations.entries}
    diagonal = observations.cols == d and observations.cells == tuple((i, i) for i in range(d))
    if d < 2 or not diagonal:
        return Prediction(name, claim, False, "needs exactly the diagonal of a square matrix observed")
    if len(values) != 1 or min(values) <= 0:
        return Prediction(name, claim, False, "needs one positive value on the whole diagonal")
    if depth < 2:
        return Prediction(name, claim, False, "needs depth 2 or more")
    pair = _seven(factors, d)
    if pair is None:
        return Prediction(name, claim, False, "needs alpha on and alpha/m off the diagonal (m > 1) in every factor")
    alpha, off = pair
    (w,) = values
    why = "diagonal observations of one positive value, initialisation (7)"
    if off == 0:
        if depth >= 3:
            claim = "shin2025.theorem-4-minf"
        return Prediction(name, claim, True, why + " with m infinite", f"all {d} singular values of the limit are {short_text(w)}")
    if depth == 2:
        m = alpha / off
        bottom = m * m + d - 1
        first, other = (m + d - 1) ** 2 * w / bottom, (m - 1) ** 2 * w / bottom
        told = f"singular values {short_text(first, 12)} (once) and {short_text(other, 12)} ({d - 1} times), whatever alpha is"
        return Prediction(name, claim, True, why, told)
    told = (
        f"the largest singular value exceeds the other {d - 1}, which are equal; the gap grows as alpha falls "
        "(equations (8) and (9), which the limit above solves)"
    )
    return Prediction(name, claim, True, why, told)


def depth_two(observations: Observations, depth: int) -> Prediction:
    """At depth 2, coupled exactly if connected (Section 3.2), with the result of Bai et al. for small starts."""
    name, claim = f"{PAPER}, Section 3.2 (connectivity)", "shin2025.assertion-depth2-iff-connected"
    if depth != 2:
        return Prediction(name, claim, False, "needs depth 2; beyond it connectivity alone does not decide")
    if is_connected(observations.pattern):
        told = "coupled; from an infinitesimal start the limit has low rank (Bai et al., with their assumptions)"
        return Prediction(name, claim, True, "depth 2, the observation graph is connected", told)
    parts = len(components(observations.pattern))
    told = "decoupled; the limit may have a higher rank than the smallest possible"
    return Prediction(name, claim, True, f"depth 2, the observation graph has {parts} components", told)


def proposition_17(observations: Observations, factors: Factors) -> Prediction:
    """Depth 2, one observation in each row and column: the closed form, as amended."""
    name, claim = f"{PAPER}, Proposition 17", "shin2025.prop-17-rbar"
    columns = list(zip(*factors[0], strict=True))
    for i, j, w in observations.entries:
        row, column = factors[1][i], columns[j]
        if all(a == -b for a, b in zip(row, column, strict=True)):
            why = f"the row of W_2 is minus the column of W_1 for the entry ({i + 1}, {j + 1}) (amendment)"
            return Prediction(name, claim, False, why)
        if row == column and w <= 0:
            why = f"the row of W_2 equals the column of W_1 for the entry ({i + 1}, {j + 1}), which is not positive (no zero loss)"
            return Prediction(name, claim, False, why)
    told = "zero loss; the factors at infinity are those of the closed form, row by row and column by column (the limit above)"
    return Prediction(name, claim, True, "depth 2, one observation in each row and column", told)


def theorem_6(observations: Observations, depth: int, factors: Factors) -> Prediction:
    """The warm start of a 2 x 2 matrix from sqrt(w*) I with w12 newly observed."""
    name, claim = f"{PAPER}, Theorem 6", "shin2025.theorem-6-stable-rank"
    known = observations.values
    if (observations.rows, observations.cols, depth) != (2, 2, 2) or set(known) != {(0, 0), (0, 1), (1, 1)}:
        return Prediction(name, claim, False, "needs a 2 x 2 matrix with all but the lower left entry observed, at depth 2")
    w, corner = known[0, 0], known[0, 1]
    if w != known[1, 1] or w <= 0 or corner <= 0:
        return Prediction(name, claim, False, "needs equal positive diagonal entries and a positive w12")
    if any(len(f) != 2 or len(f[0]) != 2 for f in factors):
        return Prediction(name, claim, False, "needs 2 x 2 factors")
    alpha = factors[0][0][0]
    scaled = all(f[i][j] == (alpha if i == j else 0) for f in factors for i in range(2) for j in range(2))
    if not scaled or alpha <= 0 or alpha * alpha != w:
        return Prediction(name, claim, False, "needs the warm start W_1 = W_2 = sqrt(w*) I")
    bound = _ball(lambda: 1 + (arb(-8) * _arb(corner / w)).exp())
    told = f"loss at most w12^2/2 exp(-2 w* t); w21 < 0 for t > 0; stable rank of the limit at least about {bound}"
    return Prediction(name, claim, True, "the warm start from sqrt(w*) I", told)


def _seven(factors: Factors, d: int) -> tuple[Fraction, Fraction] | None:
    """(alpha, alpha/m) if every factor is that of (7) with 1 < m <= infinity."""
    alpha, off = factors[0][0][0], factors[0][0][1] if d > 1 else Fraction(0)
    for factor in factors:
        if any(v != (alpha if i == j else off) for i, row in enumerate(factor) for j, v in enumerate(row)):
            return None
        if len(factor) != d or len(factor[0]) != d:
            return None
    return (alpha, off) if 0 <= off < alpha else None


def _arb(value: Fraction) -> arb:
    return arb(value.numerator) / value.denominator


def _ball(compute) -> str:  # type: ignore[no-untyped-def]
    with ctx.workprec(80):
        return number(compute(), 12)
