"""What an accepted certificate says of the product of the factors, of the loss and of the singular values. Imports python-flint,
the standard library and the checker beside it.

Nothing is taken from the run that made the certificate: the numbers follow from the problem that the certificate states and from
what :func:`verify.flow.recheck.check` returned for it. With factors theta within e of a point m, and n_l bounds of the spectral
norms of all factors on the way from m to theta, |P(theta) - P(m)|_F <= Lambda e, Lambda^2 = sum_l (prod_(k != l) n_k)^2; an entry
is also enclosed by the product of balls, and the smaller one of the two is taken. A limit of kind "limit" fits every observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb, ctx

from verify.flow.recheck_balls import Flat, _arb, _exact, _up
from verify.flow.recheck_models import _Model, _Network, _times
from verify.flow.recheck_proved import Pair, Reduced, Verified
from verify.flow.recheck_read import room, spend

Cell = tuple[int, int]


@dataclass(frozen=True)
class Numbers:
    """Enclosures of what is proved.

    Attributes:
        product: of W_L .. W_1, one list for each row; exact where an observation is fitted.
        fitted: the observed cells whose residual is, or tends to, zero by proof. loss_zero: whether these are all.
        loss: factor/2 times the sum of squared residuals; exactly 0 if `loss_zero`.
        singular: the singular values, largest first, where they are known better than from the product; else None.
    """

    product: list[Flat]
    fitted: frozenset[Cell]
    loss_zero: bool
    loss: arb
    singular: list[arb] | None = None


def numbers(proved: Verified, bits: int) -> Numbers:
    """The numbers of what was proved, with as many bits where it is known exactly.

    The product is what the model gives: W_L .. W_1, times the data where there are any; a tensor is unfolded.
    """
    with ctx.workprec(bits):
        if isinstance(proved, Pair):
            return _of_pair(proved)
        spend(4 * proved.model.work, bits, "product")
        if isinstance(proved, Reduced):
            product = _of_reduced(proved)
        elif proved.kind == "stationary" and isinstance(proved.model, _Network) and proved.model.given is None:
            shapes = proved.model.shapes
            exact = _product([_rows(flat, shape) for flat, shape in zip(proved.blocks, shapes, strict=True)], Fraction(0))
            product = [[_arb(v) for v in row] for row in exact]
        else:
            product = _of_ball(proved.model, proved)
        return _numbers(product, proved.observed, set(proved.fitted), proved.model.factor)


def _numbers(
    product: list[Flat], observed: dict[Cell, Fraction], fitted: set[Cell], factor: Fraction, singular: list[arb] | None = None
) -> Numbers:
    """All numbers from enclosures of the product."""
    for r, c in fitted:
        product[r][c] = _arb(observed[r, c])
    gaps = [product[r][c] - _arb(v) for (r, c), v in observed.items() if (r, c) not in fitted]
    loss = sum((g * g for g in gaps), arb(0)) * _arb(factor) / 2  # g ** 2 is not finite for a ball around 0
    return Numbers(product, frozenset(fitted), len(fitted) == len(observed), loss, singular)


def _rows(flat: Sequence[Any], shape: tuple[int, int]) -> list[list[Any]]:
    return [list(flat[i * shape[1] : (i + 1) * shape[1]]) for i in range(shape[0])]


def _product(factors: list[list[list[Any]]], zero: Any) -> list[list[Any]]:
    """W_L .. W_1."""
    out = factors[0]
    for factor in factors[1:]:
        out = _times(factor, out, zero)
    return out


def _of_reduced(proved: Reduced) -> list[Flat]:
    """From enclosures of the factors, or of their product."""
    if proved.balls is None:
        assert proved.product is not None
        return [list(row) for row in proved.product]
    return _all(proved.model, proved.balls)


def _all(model: _Model, blocks: list[Flat]) -> list[Flat]:
    """What the model gives, row by row."""
    flat = model.everywhere(blocks)
    return [flat[k : k + model.columns] for k in range(0, len(flat), model.columns)]


def _of_ball(model: _Model, proved: Verified) -> list[Flat]:
    """From all factors within an error of a point."""
    error = _arb(proved.error).abs_upper()
    long = max((v.numerator.bit_length() for flat in proved.blocks for v in flat), default=0)
    with ctx.workprec(max(ctx.prec, min(long + 64, 2 * ctx.prec + 64))):
        mids = [[_arb(v) for v in flat] for flat in proved.blocks]
        centre = _all(model, mids)
        balls = _all(model, [[v + arb(0, error) for v in flat] for flat in mids])
        norms = [_up(model.block_norm(flat, shape) + error) for flat, shape in zip(mids, model.shapes, strict=True)]
        near = arb(0, _up(model.slope(norms) * model.data_norm * error))
        return [[_finer(x + near, y) for x, y in zip(xs, ys, strict=True)] for xs, ys in zip(centre, balls, strict=True)]


def _finer(one: arb, other: arb) -> arb:
    return one if one.rad() < other.rad() else other


def _of_pair(proved: Pair) -> Numbers:
    """P = lambda_2^L I + (lambda_1^L - lambda_2^L)/d J, with the singular values |lambda_1|^L and, d - 1 times, |lambda_2|^L."""
    d, depth, target, zero = proved.d, proved.depth, proved.target, proved.loss_zero
    room(d * d, ctx.prec, "product")
    if proved.balls is None:
        one, two = (flat[0] ** depth for flat in proved.blocks)
        off, diagonal, powers = _arb((one - two) / d), _arb(two + (one - two) / d), (_arb(abs(one)), _arb(abs(two)))
    else:
        up, down = (_power(flat[0], depth) for flat in proved.balls)
        off, diagonal, powers = (up - down) / d, down + (up - down) / d, (up, down)
    if proved.alike:
        off = arb(0)
        powers = (_arb(abs(target)),) * 2 if zero else (arb(0),) * 2
    product = [[diagonal if i == j else off for j in range(d)] for i in range(d)]
    singular = in_order([powers[0], *[powers[1]] * (d - 1)])
    return _numbers(product, proved.observed, proved.fitted, Fraction(1), singular)


def _power(x: arb, n: int) -> arb:
    """x^n, also for a ball around 0, where `**` gives nan."""
    out = arb(1)
    for digit in bin(n)[2:]:
        out = out * out
        if digit == "1":
            out = out * x
    return out


def in_order(values: Sequence[arb]) -> list[arb]:
    """Enclosures of the k-th largest of some numbers for k = 1, 2, ..: their lower and upper ends, each in order."""
    if all(bool(a >= b) for a, b in pairwise(values)):
        return list(values)
    lower = sorted((Fraction(*_exact(v.lower())) for v in values), reverse=True)
    upper = sorted((Fraction(*_exact(v.upper())) for v in values), reverse=True)
    return [_arb(a).union(_arb(b)) for a, b in zip(lower, upper, strict=True)]
