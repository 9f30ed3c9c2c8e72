"""Looking ahead: whether a flow needs many more steps than a validated run is given. Heuristics only.

Steps of a Taylor series are held to some multiple of the fastest time of the flow, also where all that still happens is slow: a
tail along nearly flat directions, or a small singular value that grows for a long time. A quick run in double precision tells
when the loss will have fallen, so that a run that cannot get there ends early and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from verify.flow import deadline
from verify.flow.batch import LOSS, RUNNING, TIME, State, Stop
from verify.flow.models import FLOAT, LeastSquares
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
SECONDS = 3.0
"""What a look may cost."""


class _Enough(Exception):
    """The look has cost enough."""


def objection(model: LeastSquares, blocks: Sequence[Any], each: float, left: int) -> str:
    """Why `left` more steps of a mean length `each` will not do, from float64 blocks; empty where they may."""
    try:
        state = State.begin(model, blocks)
    except ValueError:
        return ""

    def watch(_: State) -> None:
        if deadline.passed():
            raise _Enough

    with np.errstate(all="ignore"), deadline.within(SECONDS):
        goal = FALL * float(model.loss(state.blocks, FLOAT)[0])
        far = each * left * MUCH
        if not 0 < far < 1e300 or not goal > 0:
            return ""
        try:
            stabilised_flow(model, state, Stop(loss=goal, time=far), rtol=1e-5, observer=watch, every=1)
            if state.status[0] != TIME:
                return ""
            state.status[0] = RUNNING
            stabilised_flow(model, state, Stop(loss=goal), rtol=1e-5, observer=watch, every=1)
        except _Enough:
            if not state.time[0] >= far:
                return ""
    if _nearly_linear(model, blocks, state, goal / FALL):
        return ""
    when = f"{state.time[0]:.1g}"
    if state.status[0] != LOSS:
        when = f"more than {when} (where it is {float(model.loss(state.blocks, FLOAT)[0]):.6g})"
    return (
        f"too slow an end for the validated engine: its steps are about {each:.2g} long here, and in double precision the loss "
        f"falls to {FALL:g} of what it is after a time of {when}, {state.time[0] / each:.1g} such steps; "
        "--engine float64 gives an estimate, --max-steps allows more"
    )


def _nearly_linear(model: LeastSquares, before: Sequence[Any], state: State, loss: float) -> bool:
    """Whether the flow does little more than to decay between blocks with a loss and a later state."""
    size = max(float(np.abs(b).max()) for b in before)
    change = max(float(np.abs(a - b[0]).max()) for a, b in zip(before, state.blocks, strict=True))
    zero = float(sum(float(v) ** 2 for v in model.target.flat)) / 2
    return change < CHANGE * size and (state.status[0] == LOSS or loss < HIGH * zero)
