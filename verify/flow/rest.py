"""What kind of point a flow rests at: a saddle or a minimum, by certified signs of eigenvalues of the Hessian of the loss.

The Hessian of 1/2 sum r^2 is J^T J + sum_e r_e D^2 P_e. It is enclosed for all factors within an error of a point, in balls.

- Its smallest eigenvalue is negative where v^T H v < 0 for some v. (Beside a point of rest an eigenvalue that is 0 there may have
  either sign: one that is as small as the gradient tells nothing.)
- It has n - k positive eigenvalues where M = Q^T H Q is positive definite for some n x (n - k) matrix Q: if |M - I| < 1.
  The loss does not change along W_(l+1) A^-1, A W_l, so that H vanishes on the tangent space of that orbit at every point where
  the gradient is 0. If this space has dimension k or more at all points (its spanning matrix T has rank k or more where A T B is
  close to the identity for some A, B), then every point of rest there is a minimum, and strict but for that symmetry.

v, Q, A and B come from double precision; the signs do not rest on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_mat

from verify.flow import geometry
from verify.flow.balls import ball, precision
from verify.flow.models import FLOAT, LinearNetwork

SADDLE, MINIMUM, UNKNOWN = "saddle", "minimum", "not known"
BITS = 192
"""Of the Hessian; a saddle that is left from a scale below the root of that is not told."""
LARGEST = 100
"""The most unknowns."""
SMALL = 1e-7
"""Singular values of T and eigenvalues of H, relative to the largest one, that are taken for zero."""
STEPS = 4.0
"""Newton steps within which a point of rest is."""
FAR = 10.0
"""How many times larger a negative eigenvalue is than those that come from not being quite at rest: the gradient over the size
of the point, times the ratio of the largest and the smallest of the eigenvalues that decide where the point of rest is."""
RESTING = 2.0**-12
"""The field relative to state and residual, below which a flow is nearly at rest."""

WORDS = {
    SADDLE: "a saddle: the Hessian of the loss has a negative eigenvalue in all of the enclosure (certified)",
    MINIMUM: "a minimum for these widths: at every point of rest in the enclosure the Hessian of the loss is positive but for "
    "the symmetry of the factors (certified)",
    UNKNOWN: "whether a saddle or a minimum is near is not known: a sign of the Hessian is not decided",
}


def word(model: LinearNetwork, blocks: Sequence[Sequence[Fraction]], error: Fraction) -> str:
    """In words what kind of point a flow rests at that is within an error of a point; empty where it is not nearly at rest, the
    loss is nearly zero, or the model is too large.
    """
    if model.data is not None or model.size > LARGEST or not _resting(model, blocks):
        return ""
    return WORDS[nature(model, blocks, error)]


def nature(model: LinearNetwork, blocks: Sequence[Sequence[Fraction]], error: Fraction = Fraction(0)) -> str:
    """SADDLE if the Hessian has a negative eigenvalue for all factors within an error (Euclidean, all together) of a point;
    MINIMUM if every point of rest among them is a minimum; else UNKNOWN.

    Args:
        blocks: one flat list per factor of a network without data.
    """
    with precision(BITS):
        matrix, flats = _around(model, blocks, ball(error))
        table = _doubles(matrix)
        if not np.isfinite(table).all():
            return UNKNOWN
        values, vectors = np.linalg.eigh((table + table.T) / 2)
        pull = _pull(model, blocks)
        if _minimal(model, blocks, error, flats, values, vectors, pull):
            return MINIMUM
        lowest = _exactly(vectors[:, :1])
        curved = (lowest.transpose() * matrix * lowest)[0, 0]
        stiff = values[values > 10 * abs(values[0])]
        from_there = FAR * pull * values[-1] / stiff[0] if stiff.size else FAR * pull
        return SADDLE if bool(curved < 0) and -values[0] > from_there else UNKNOWN


def _around(model: LinearNetwork, blocks: Sequence[Sequence[Fraction]], error: arb) -> tuple[arb_mat, list[list[arb]]]:
    """The Hessian for all factors within an error of a point, and balls around the entries of these."""
    near = arb(0, error.abs_upper())
    flats = [[ball(v) + near for v in flat] for flat in blocks]
    return hessian(model, flats), flats


def _minimal(
    model: LinearNetwork,
    blocks: Sequence[Sequence[Fraction]],
    error: Fraction,
    flats: Sequence[Sequence[arb]],
    values: Any,
    vectors: Any,
    pull: float,
) -> bool:
    """Whether every point of rest is a minimum within an error and a few Newton steps of a point, where the Hessian has
    eigenvalues and eigenvectors.
    """
    for count in dict.fromkeys((_orbit(model, flats), int((values < SMALL * abs(values[-1])).sum()))):
        if count >= len(values) or not values[count] > SMALL * abs(values[-1]):
            continue
        size = math.sqrt(sum(float(v) ** 2 for flat in blocks for v in flat))
        matrix, wide = _around(model, blocks, ball(error) + arb(STEPS * pull * size / float(values[count])))
        scaled = _exactly(vectors[:, count:] / np.sqrt(values[count:]))
        if _orbit(model, wide) >= count and _near_identity(scaled.transpose() * matrix * scaled):
            return True
    return False


def _pull(model: LinearNetwork, blocks: Sequence[Sequence[Fraction]]) -> float:
    """The norm of the gradient relative to that of the point, or of factors of the data if it is smaller: beside a point of rest,
    directions along which the loss does not change at all have eigenvalues of either sign and of this size.
    """
    state = [np.array([float(v) for v in flat]).reshape(shape) for flat, shape in zip(blocks, model.shapes, strict=True)]
    speed, size = (math.sqrt(sum(float((b * b).sum()) for b in part)) for part in (model.field(state, FLOAT), state))
    natural = float(max(abs(v) for v in model.target.flat)) ** (1 / len(state))
    return speed / float(model.factor) / max(size, natural) if max(size, natural) else 0.0


def hessian(model: LinearNetwork, flats: Sequence[Sequence[arb]]) -> arb_mat:
    """The Hessian of 1/2 sum r^2 at factors of balls, at the working precision."""
    residual, jacobian = geometry.residual_and_jacobian(model, [list(f) for f in flats])
    factors = [arb_mat(r, c, list(flat)) for flat, (r, c) in zip(flats, model.shapes, strict=True)]
    rows, cols = model.shapes[-1][0], model.shapes[0][1]
    gap = [[arb(0)] * cols for _ in range(rows)]
    for (i, j), v in zip(model.observed, residual, strict=True):
        gap[i][j] = v
    out = (jacobian.transpose() * jacobian).tolist()
    starts = np.cumsum([0] + [r * c for r, c in model.shapes])
    for low in range(len(factors)):
        below = _product(factors[:low], cols)
        for high in range(low + 1, len(factors)):
            above = _product(factors[high + 1 :], model.shapes[high][0])
            between = _product(factors[low + 1 : high], model.shapes[low][0])
            outer = above.transpose() * arb_mat(gap) * below.transpose()  # (row of the high factor, column of the low one)
            (p, q), (s, t) = model.shapes[low], model.shapes[high]
            for a in range(s):
                for b in range(t):
                    here = int(starts[high]) + a * t + b
                    for c in range(p):
                        for d in range(q):
                            there = int(starts[low]) + c * q + d
                            value = outer[a, d] * between[b, c]
                            out[here][there] += value
                            out[there][here] += value
    return arb_mat(out)


def _product(factors: Sequence[arb_mat], size: int) -> arb_mat:
    """The product of consecutive factors, the lowest first; the identity of a size for none."""
    out = arb_mat([[arb(int(i == j)) for j in range(size)] for i in range(size)])
    for factor in factors:
        out = factor * out
    return out


def _orbit(model: LinearNetwork, flats: Sequence[Sequence[arb]]) -> int:
    """A lower bound of the dimension of the tangent space of the orbit at all points of the balls."""
    rows: list[list[arb]] = []
    starts = np.cumsum([0] + [r * c for r, c in model.shapes])
    size = int(starts[-1])
    for level in range(len(flats) - 1):
        (width, low), (high, _) = model.shapes[level], model.shapes[level + 1]
        for a in range(width):
            for b in range(width):  # A = I + s E_ab: W_l gets row b in its row a, W_(l+1) loses column a in its column b
                row = [arb(0)] * size
                for j in range(low):
                    row[int(starts[level]) + a * low + j] = flats[level][b * low + j]
                for i in range(high):
                    row[int(starts[level + 1]) + i * width + b] = -flats[level + 1][i * width + a]
                rows.append(row)
    if not rows:
        return 0
    spanning = arb_mat(rows)
    u, s, v = np.linalg.svd(_doubles(spanning), full_matrices=False)
    count = int((s > SMALL * max(float(s[0]), 1e-300)).sum())
    while count:
        left, right = _exactly((u[:, :count] / s[:count]).T), _exactly(v[:count].T)
        if _near_identity(left * spanning * right):
            return count
        count -= 1
    return 0


def _near_identity(matrix: arb_mat) -> bool:
    """Whether a matrix is within a distance below 1 of the identity: then it is regular, and positive definite if symmetric."""
    total = arb(0)
    for i, row in enumerate(matrix.tolist()):
        for j, v in enumerate(row):
            gap = v - int(i == j)
            total += gap * gap
    return bool(total < 1)


def _doubles(matrix: arb_mat) -> Any:
    return np.array([[float(v.mid()) for v in row] for row in matrix.tolist()])


def _exactly(table: Any) -> arb_mat:
    """Doubles as exact balls."""
    return arb_mat([[arb(float(v)) for v in row] for row in table])


def _resting(model: LinearNetwork, blocks: Sequence[Sequence[Fraction]]) -> bool:
    """Whether the field is small beside state and residual, and the residual is not (in doubles; heuristic)."""
    try:
        state = [np.array([float(v) for v in flat]).reshape(shape) for flat, shape in zip(blocks, model.shapes, strict=True)]
    except OverflowError:
        return False
    with np.errstate(all="ignore"):
        speed, gap, size = (
            max(float(np.abs(b).max()) for b in part)
            for part in (model.field(state, FLOAT), [model.forward(state, FLOAT)[0]], state)
        )
        data = max(abs(float(v)) for v in model.target.flat if v is not None)
    return 1e-10 * data < gap and speed < RESTING * gap * size ** (len(state) - 1)
