"""Bounds for the squared losses of multilinear models: norms of blocks, curvature, Lipschitz constants,
Jacobian.

Write P for the end-to-end product, X for the data (identity if there is none), r for the residual P X - Y
on the observed entries, J for its Jacobian, n_l for a bound of block l (spectral norm of a factor; largest
column norm for CP).

- |DP[e]|_F <= Lambda |e| with Lambda^2 = sum_l (prod_(m != l) n_m)^2, times the rank for CP, where the term
  of block l is a sum over columns of at most |e_lr| prod n_m, and sum_r |e_lr| <= sqrt(rank) |e_l|_F. (In
  D^2 P the columns of two blocks meet, so Cauchy-Schwarz needs no such factor.)
- |D^2 P[e, f]|_F <= K |e| |f| with K = max_j sum_(k != j) prod_(m != j, k) n_m: the pair (j, k) contributes
  at most |e_j|_F |f_k|_F prod n_m, and a symmetric matrix with non-negative entries and zero diagonal has
  norm at most its largest row sum.
- For a gradient flow the symmetric Jacobian of the field is -factor (J^T J + sum of residual times second
  derivatives), so its largest eigenvalue is at most factor K g, where g bounds |R X^T| in the norm dual to
  the one used for e_j ... f_k: spectral for matrix factors (since tr(M e Y f) <= |M|_2 |Y|_2 |e|_F |f|_F),
  Frobenius for CP.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb, arb_mat

from verify.flow.balls import ball, frobenius_bound, magnitude, precision, spectral_bound
from verify.flow.models import BALLS, FLOAT, CPTensor, LeastSquares, LinearNetwork

Flat = list[arb]


def to_blocks(flats: Sequence[Flat], shapes: Sequence[tuple[int, int]]) -> tuple[Any, ...]:
    """Flat lists of balls as object arrays."""
    out = []
    for flat, shape in zip(flats, shapes, strict=True):
        a = np.empty(len(flat), dtype=object)
        a[:] = flat
        out.append(a.reshape(shape))
    return tuple(out)


def supports(model: Any) -> bool:
    """Whether bounds are known for the model."""
    return isinstance(model, LinearNetwork | CPTensor)


def block_norm(model: LeastSquares, flat: Flat, shape: tuple[int, int]) -> arb:
    """Upper bound n_l of a block of balls."""
    if isinstance(model, CPTensor):
        best = arb(0)
        for column in range(shape[1]):
            best = best.max(frobenius_bound(flat[column :: shape[1]]))
        return magnitude(best)
    return spectral_bound(flat, *shape)


def dual_norm(model: LeastSquares, flat: Flat, shape: tuple[int, int]) -> arb:
    """Upper bound g of a residual matrix of balls (without data)."""
    if isinstance(model, CPTensor):
        return frobenius_bound(flat)
    return spectral_bound(flat, *shape)


def data_norm(model: LeastSquares) -> arb:
    """Upper bound of |X|_2; 1 without data."""
    data = getattr(model, "data", None)
    if data is None:
        return arb(1)
    with precision(64):
        return spectral_bound([ball(v) for v in data.flat], *data.shape)


def curvature(norms: Sequence[arb]) -> arb:
    """K from the bounds n_l of the blocks."""
    with precision(30):
        best = arb(0)
        for j in range(len(norms)):
            total = arb(0)
            for k in range(len(norms)):
                if k != j:
                    term = arb(1)
                    for m, n in enumerate(norms):
                        if m not in (j, k):
                            term *= n
                    total += term
            best = best.max(total)
        return magnitude(best)


def slope(model: LeastSquares, norms: Sequence[arb]) -> arb:
    """Lambda from the bounds n_l of the blocks."""
    with precision(30):
        total = arb(0)
        for j in range(len(norms)):
            term = arb(1)
            for m, n in enumerate(norms):
                if m != j:
                    term *= n
            total += term * term
        if isinstance(model, CPTensor):
            total *= model.rank
        return magnitude(total.sqrt())


def residual_and_jacobian(model: LeastSquares, flats: Sequence[Flat]) -> tuple[Flat, arb_mat]:
    """The observed residuals and J (one row per observed entry), at the working precision."""
    blocks = to_blocks(flats, model.shapes)
    matrix, saved = model.forward(blocks, BALLS)
    residual = [matrix[i, j] for i, j in model.observed]
    rows = []
    for i, j in model.observed:
        unit = np.empty(matrix.shape, dtype=object)
        for index in np.ndindex(*matrix.shape):
            unit[index] = arb(0)
        unit[i, j] = arb(1)
        rows.append([v for b in model.backward(blocks, saved, unit, BALLS) for v in b.flat])
    return residual, arb_mat(rows)


def jacobian_in_doubles(model: LeastSquares, blocks: Sequence[Any]) -> tuple[Any, Any]:
    """The observed residuals and J, from arrays of doubles; not bounds."""
    matrix, saved = model.forward(blocks, FLOAT)
    units = np.zeros((len(model.observed), *matrix.shape))
    for e, (i, j) in enumerate(model.observed):
        units[e, i, j] = 1.0
    parts = model.backward(blocks, saved, units, FLOAT)
    jac = np.concatenate([b.reshape(len(units), -1) for b in parts], axis=1)
    return np.array([matrix[i, j] for i, j in model.observed]), jac


def smallest_singular_value(model: LeastSquares, flats: Sequence[Flat]) -> float:
    """A lower bound of the smallest singular value of J at an exact point; 0 if none is found.

    In doubles. A row of J is a sum over blocks of products of all other blocks (and the data); with fewer than 2^10 terms in
    all the sums of one product it is wrong by at most 2^-42 times the products of Frobenius norms. With an approximate inverse
    H of G = J J^T and |I - H G| <= d < 1, the inverse of G has norm at most |H|/(1 - d).
    """
    blocks = [np.array([float(v) for v in flat]).reshape(shape) for flat, shape in zip(flats, model.shapes, strict=True)]
    count, data = len(model.observed), getattr(model, "data", None)
    wide = 1.0 if data is None else float(np.linalg.norm(FLOAT.array(data)))
    sizes = [float(np.linalg.norm(b)) for b in blocks]
    if count > model.size or model.size > 1 << 12 or sum(max(s) for s in model.shapes) + 2 * len(blocks) > 1 << 9:
        return 0.0
    jac = jacobian_in_doubles(model, blocks)[1]
    off = sum(math.prod(n for m, n in enumerate(sizes) if m != j) for j in range(len(sizes))) * wide * count * 2.0**-42
    gram = jac @ jac.T
    norm = float(np.linalg.norm(jac)) + off
    try:
        inverse = np.linalg.inv(gram)
    except np.linalg.LinAlgError:
        return 0.0
    spread = float(np.linalg.norm(inverse)) * (1 + 1e-9)
    gap = float(np.linalg.norm(np.eye(count) - inverse @ gram))
    # The error of G, and that of the product with H, in sums of at most 2^12 terms.
    gap = (gap + spread * (2 * norm * off + 2.0**-38 * norm * norm)) * (1 + 1e-9)
    if not (math.isfinite(gap) and gap < 0.5):
        return 0.0
    return math.sqrt((1 - gap) / spread) * (1 - 1e-9)


def estimate(model: LeastSquares, flats: Sequence[Flat]) -> tuple[float, float]:
    """The smallest singular value of J (0 if J has more rows than columns) and K |X|_2, in doubles: not bounds."""
    blocks = tuple(
        np.array([float(v.mid()) for v in flat]).reshape(shape)
        for flat, shape in zip(flats, model.shapes, strict=True)
    )
    if len(model.observed) > model.size:
        return 0.0, 0.0
    jac = jacobian_in_doubles(model, blocks)[1]
    if not np.isfinite(jac).all():
        return 0.0, 0.0
    if isinstance(model, CPTensor):
        norms = [float(np.sqrt((b**2).sum(axis=0).max())) for b in blocks]
    else:
        norms = [float(np.linalg.norm(b, 2)) for b in blocks]
    others = [
        sum(math.prod(n for m, n in enumerate(norms) if m not in (j, k)) for k in range(len(norms)) if k != j)
        for j in range(len(norms))
    ]
    return float(np.linalg.svd(jac, compute_uv=False)[-1]), max(others) * float(data_norm(model).mid())
