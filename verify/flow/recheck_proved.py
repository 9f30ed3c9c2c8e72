"""What the checker of flows found to be proved, in its own numbers: data, start, time, product and loss.

Imports python-flint and the standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from verify.flow.recheck_balls import Flat
from verify.flow.recheck_models import _Model, _Network

Cell = tuple[int, int]


class Verified:
    """What a certificate was found to prove.

    Attributes:
        kind: "limit", "time", "undetermined" or "stationary"; "rest" for a limit whose loss is not shown to be zero; "product"
            where only the limit of the product of the factors is proved: then there are no blocks, and the error is that of the
            product; "scalar-pair": the limits of the two components.
        blocks: exact midpoints, one flat list per block (Fractions).
        error: every coordinate vector claimed lies within this Euclidean distance (a Fraction).
        time: the time as text or a ball; "infinity" for a limit.
        model: shapes, observed entries and data. start: the exact start, flat lists.
        balls: enclosures of all numbers of the blocks, where they are known better than by the error; else None.
        observed: the data, by cell (row, column). fitted: the observed cells (row, column) whose residual is zero there by proof.
        loss_zero: whether these are all observed cells, so that the loss is zero.
    """

    def __init__(
        self, kind: str, blocks: list[list[Fraction]], error: Fraction, time: Any, model: _Model, start: list[list[Fraction]]
    ):
        self.kind, self.blocks, self.error, self.time = kind, blocks, error, time
        self.model, self.start = model, start
        self.balls: list[Flat] | None = None
        width = model.columns
        self.observed: dict[Cell, Fraction] = {
            (e // width, e % width): model.target[e] for e, on in enumerate(model.mask) if on
        }
        self.loss_zero = kind == "limit"
        self.fitted: set[Cell] = set(self.observed) if self.loss_zero else set()


class Reduced(Verified):
    """What a certificate of :mod:`verify.flow.recheck_reductions` was found to prove.

    Attributes:
        balls: enclosures of the factors at infinity, one flat list for each; exact where nothing moves; None where only their
            product is known.
        product: then enclosures of all entries of the product at infinity, one list for each row; else None.
    """

    def __init__(
        self,
        model: _Network,
        start: list[list[Fraction]],
        balls: list[Flat] | None,
        fitted: set[Cell],
        given: list[Flat] | None = None,
    ):
        known = given if balls is None else balls
        assert known is not None
        error = sum((_fraction(v.rad()) for flat in known for v in flat), Fraction(0))
        blocks = [[_fraction(v.mid()) for v in flat] for flat in balls or ()]
        super().__init__("rest", blocks, error, "infinity", model, start)
        self.loss_zero, self.fitted = fitted == set(self.observed), fitted
        self.kind = "product" if balls is None else "limit" if self.loss_zero else "rest"
        self.balls, self.product = balls, given


class Pair(Verified):
    """The limit of a deep scalar pair: every factor is lambda_2 I + (lambda_1 - lambda_2)/d J, and the diagonal is observed.

    Attributes:
        d: the number of rows. depth: of factors. target: on the diagonal. begin: the components at the start.
        blocks, balls: lambda_1 and lambda_2; balls is None where these are exact.
    """

    def __init__(self, d: int, depth: int, target: Fraction, begin: tuple[Fraction, Fraction], values: Sequence[Fraction | arb]):
        self.d, self.depth, self.target, self.begin = d, depth, target, begin
        self.balls = [[v] for v in values if isinstance(v, arb)] or None
        self.blocks = [[_fraction(v.mid()) if isinstance(v, arb) else v] for v in values]
        self.error = sum((_fraction(flat[0].rad()) for flat in self.balls or ()), Fraction(0))
        self.kind, self.time = "scalar-pair", "infinity"
        self.loss_zero = depth == 1 or target > 0  # the mean of the powers tends to the target

    @property
    def observed(self) -> dict[Cell, Fraction]:  # type: ignore[override]
        """The diagonal."""
        return {(k, k): self.target for k in range(self.d)}

    @property
    def fitted(self) -> set[Cell]:  # type: ignore[override]
        """The diagonal, or nothing."""
        return set(self.observed) if self.loss_zero else set()

    @property
    def alike(self) -> bool:
        """Whether the factors are multiples of the identity, and stay so."""
        return self.begin[0] == self.begin[1]


def _fraction(value: arb) -> Fraction:
    man, exp = value.man_exp()
    m, e = int(man), int(exp)
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)
