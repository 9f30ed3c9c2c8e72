"""Looking ahead: whether a flow needs many more steps than a validated run is given. Heuristics only.

Steps of a Taylor series are held to some multiple of the fastest time of the flow, also where all that still happens is slow: a
tail along nearly flat directions, or a small singular value that grows for a long time. A quick run in double precision tells
when the loss will have fallen, so that a run that cannot get there ends early and says so. Its work is counted in evaluations of
the field, so that the answer does not depend on the speed of a machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.flow import deadline, rest
from verify.flow.batch import LOSS, RUNNING, TIME, State, Stop
from verify.flow.models import FLOAT, LeastSquares, LinearNetwork
from verify.flow.stabilised import stabilised_flow

LOOKS = (40, 100)
"""Numbers of steps after which a run looks ahead."""
BEFORE = 10
"""Steps before that, whose mean length is taken for that of all further ones."""
FALL = 1e-4
"""The part of the loss at which a run may be near its end."""
MUCH = 4
"""How many times too many steps are too many."""
CHANGE = 1e-4
"""The change of the factors on the way, relative to them, below which a sum of exponentials may take the rest in one step."""
HIGH = 1e-8
"""The loss, relative to that of zero, that is too high for such a step if it hardly falls."""
EVALUATIONS = 40_000
"""Of the field, which a look may cost."""
HELD, LEFT, RESTING = 0.99, 1e-10, 2.0**-12
"""On a plateau the loss, above LEFT of that of zero, stays above HELD of what it was for half of all further steps, and the field
is below RESTING relative to state and residual."""


class _Enough(Exception):
    """The look has cost enough."""


class _Counted:
    """A model whose field is evaluated a limited number of times."""

    def __init__(self, model: LeastSquares):
        self.model, self.count = model, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def field(self, *given: Any) -> Any:
        """As that of the model; raises _Enough when the look has cost enough, or the time of the whole run is over."""
        self.count += 1
        if self.count > EVALUATIONS or deadline.passed():
            raise _Enough
        return self.model.field(*given)


def objection(model: LeastSquares, blocks: Sequence[Any], each: float, left: int) -> str:
    """Why `left` more steps of a mean length `each` will not do, from float64 blocks; empty where they may. Where the
    loss is high and hardly falls for half of that time, the plateau is named; what it is follows from the Hessian there.
    """
    try:
        state = State.begin(model, blocks)
    except ValueError:
        return ""
    counted: Any = _Counted(model)
    with np.errstate(all="ignore"):
        now = float(model.loss(state.blocks, FLOAT)[0])
        goal, half, later, product, kind = FALL * now, 0.0, 0.0, None, ""
        far = each * left * MUCH
        if not 0 < far < 1e300 or not goal > 0:
            return ""
        try:
            stabilised_flow(counted, state, Stop(loss=goal, time=far / 2), rtol=1e-5)
            if state.status[0] != TIME:
                return ""
            half = float(model.loss(state.blocks, FLOAT)[0])
            state.status[0] = RUNNING
            stabilised_flow(counted, state, Stop(loss=goal, time=far), rtol=1e-5)
            if state.status[0] != TIME:
                return ""
            later = float(model.loss(state.blocks, FLOAT)[0])
            product = _at_rest(model, [b[0] for b in state.blocks])
            kind = "" if product is None else _kind(model, [b[0] for b in state.blocks])
            state.status[0] = RUNNING
            stabilised_flow(counted, state, Stop(loss=goal), rtol=1e-5)
        except _Enough:
            if not state.time[0] >= far:
                return ""
    if _nearly_linear(model, blocks, state, now):
        return ""
    when = f"{state.time[0]:.1g}"
    if state.status[0] != LOSS:
        when = f"more than {when} (where it is {float(model.loss(state.blocks, FLOAT)[0]):.6g})"
    if product is not None and later > HELD * half and later > LEFT * _of_zero(model):
        return (
            f"the flow stays {place(later, product)}{kind}, for longer than the validated engine can follow: "
            f"its steps are about {each:.2g} long here, and in double precision the loss falls to {FALL:g} of that after a time "
            f"of {when}; --engine float64 gives an estimate"
        )
    return (
        f"too slow an end for the validated engine: its steps are about {each:.2g} long here, and in double precision the loss "
        f"falls to {FALL:g} of what it is after a time of {when}, {state.time[0] / each:.1g} such steps; "
        "--engine float64 gives an estimate, --max-steps allows more"
    )


def place(loss: float, product: Any) -> str:
    """In words, at a loss and near a product."""
    out = f"at a loss of {loss:.6g}"
    if product is not None and product.size <= 16:
        rows = (" ".join(f"{v:.6g}" for v in row) for row in product)
        out += f", near the product [{'; '.join(rows)}]"
    return out


def _at_rest(model: LeastSquares, blocks: Sequence[Any]) -> Any:
    """The product, if the field nearly vanishes; None elsewhere."""
    parts = model.field(blocks, FLOAT), [model.forward(blocks, FLOAT)[0]], blocks
    speed, size, top = (max(float(np.abs(b).max()) for b in part) for part in parts)
    return model.product(blocks, FLOAT) if speed < RESTING * size * top else None


def _kind(model: LeastSquares, blocks: Sequence[Any]) -> str:
    """What the Hessian at a point where the flow rests says of it."""
    if not isinstance(model, LinearNetwork) or model.data is not None or model.size > rest.LARGEST:
        return ""
    kind = rest.nature(model, [[Fraction(float(v)) for v in b.flat] for b in blocks])
    return "" if kind == rest.UNKNOWN else f" (a {kind}, as the Hessian there tells)"


def _nearly_linear(model: LeastSquares, before: Sequence[Any], state: State, loss: float) -> bool:
    """Whether the flow does little more than to decay between blocks with a loss and a later state."""
    size = max(float(np.abs(b).max()) for b in before)
    change = max(float(np.abs(a - b[0]).max()) for a, b in zip(before, state.blocks, strict=True))
    return change < CHANGE * size and (state.status[0] == LOSS or loss < HIGH * _of_zero(model))


def _of_zero(model: LeastSquares) -> float:
    """The loss, without its factor, of a product that is zero."""
    return float(sum(float(v) ** 2 for v in model.target.flat)) / 2
