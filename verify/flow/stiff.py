"""The gradient flow by a linearly implicit method, for the long slow end of stiff runs; float64 batches, no guarantee.

An explicit method needs steps of the size of the fastest time scale as long as the slowest one lasts: near a limit where one
observed entry is small, that is a ratio of 10^4 to 10^7 for depth 3 and more. Here each step solves linear systems with the
matrix I/(gamma h) - J, J the Jacobian of the field, so that the step follows the accuracy alone.

The method is a Rosenbrock pair of order 4(3) with four stages, A-stable (P. Kaps, P. Rentrop, Numer. Math. 33, 1979; the
coefficients with gamma = 1/2 are those of L. F. Shampine, ACM Trans. Math. Software 8, 1982). J comes from central differences,
whose error (about 1e-10 of the field) does not show at the tolerances that are meant here.

Domain: as for :mod:`verify.flow.batch`, with at most MAX_UNKNOWNS unknowns that move; entries of a run must not differ by
more than about ten orders of magnitude.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.flow.batch import RUNNING, STALLED, Array, State, Stop, _stopped
from verify.flow.models import FLOAT, LeastSquares

MAX_UNKNOWNS = 200
TOGETHER = 4_000_000
"""The most numbers in one batch of differences."""

GAMMA = 1 / 2
STAGES = ((), (2.0,), (48 / 25, 6 / 25), (48 / 25, 6 / 25))
"""Coefficients of the earlier increments in the argument of the field; the last two stages share one argument."""
COUPLING = ((), (-8.0,), (372 / 25, 12 / 5), (-112 / 125, -54 / 125, -2 / 5))
"""Coefficients of the earlier increments, over h, on the right-hand side."""
WEIGHTS = (19 / 9, 1 / 2, 25 / 108, 125 / 108)
ERROR = (17 / 54, 7 / 36, 0.0, 125 / 108)
DIFFERENCE = 6e-6
"""Step of the central differences, relative to the largest entry of a run: about the cube root of the unit roundoff."""


def stiff_flow(model: LeastSquares, state: State, stop: Stop, rtol: float = 1e-6) -> State:
    """The gradient flow of every run that is marked as running, in place; returns the state.

    Args:
        stop: at least one limit; `time` is met to rounding; `steps` counts accepted steps of this call.
        rtol: local error per step, relative to the largest entry of each run's moving blocks.

    Raises ValueError for a tolerance that is not positive, no limit, or too many unknowns.
    """
    if not rtol > 0:
        raise ValueError(f"bad tolerance: {rtol}")
    if stop == Stop(steps=None):
        raise ValueError("no limit is given")
    field = _Field(model, state)
    if field.size > MAX_UNKNOWNS:
        raise ValueError(f"{field.size} unknowns; the linearly implicit integrator takes at most {MAX_UNKNOWNS}")
    base = state.steps.copy()
    while True:
        active = np.flatnonzero(state.status == RUNNING)
        if active.size:
            y = field.pack(active)
            slope = field(y, active)
            loss = np.asarray(model.loss([b[active] for b in state.blocks], FLOAT))
            norm = np.sqrt((slope * slope).sum(axis=1))
            code = _stopped(stop, loss, norm, state.time[active], state.steps[active] - base[active])
            state.status[active] = code
            going = code == RUNNING
            active, y, slope, norm = active[going], y[going], slope[going], norm[going]
        if not active.size:
            return state
        size = np.maximum(np.abs(y).max(axis=1), np.finfo(float).tiny)
        h = state.step[active]
        fresh = h == 0
        h[fresh] = 0.01 * size[fresh] / np.maximum(norm[fresh], 1e-300)
        if stop.time is not None:
            h = np.minimum(h, stop.time - state.time[active])
        new, error = _step(field, y, slope, h, active)
        ratio = error / (rtol * size)
        ratio[~np.isfinite(ratio)] = 1e9
        good = ratio <= 1
        where = active[good]
        field.unpack(where, new[good])
        state.time[where] += h[good]
        state.steps[where] += 1
        state.step[active] = h * np.clip(0.9 * np.maximum(ratio, 1e-12) ** -0.25, 0.1, 4.0)
        stuck = ~good & (state.step[active] < 1e-14 * np.maximum(state.time[active], 1e-300))
        state.status[active[stuck]] = STALLED


class _Field:
    """The field on flat vectors (runs, unknowns) of the blocks that move."""

    def __init__(self, model: LeastSquares, state: State):
        self.model, self.state = model, state
        self.shapes = model.shapes[: model.moving]
        self.size = sum(r * c for r, c in self.shapes)

    def pack(self, runs: NDArray[np.int64]) -> Array:
        return np.concatenate([b[runs].reshape(runs.size, -1) for b in self.state.blocks[: len(self.shapes)]], axis=1)

    def unpack(self, runs: NDArray[np.int64], y: Array) -> None:
        for block, part in zip(self.state.blocks, self._split(y), strict=False):
            block[runs] = part

    def _split(self, y: Array) -> list[Array]:
        out, at = [], 0
        for rows, cols in self.shapes:
            out.append(y[:, at : at + rows * cols].reshape(-1, rows, cols))
            at += rows * cols
        return out

    def __call__(self, y: Array, runs: NDArray[np.int64]) -> Array:
        still = [b[runs] for b in self.state.blocks[len(self.shapes) :]]
        out = self.model.field([*self._split(y), *still], FLOAT)
        return np.concatenate([b.reshape(len(y), -1) for b in out[: len(self.shapes)]], axis=1)

    def jacobian(self, y: Array, runs: NDArray[np.int64]) -> Array:
        """Central differences, shape (runs, unknowns, unknowns)."""
        n = self.size
        out = np.empty((len(y), n, n))
        some = max(1, TOGETHER // (2 * n * n))
        for low in range(0, len(y), some):
            part, who = y[low : low + some], runs[low : low + some]
            eps = DIFFERENCE * np.maximum(np.abs(part).max(axis=1), 1e-300)
            moved = np.repeat(part[:, None, None, :], 2 * n, axis=1).reshape(len(part), 2, n, n)
            at = np.arange(n)
            moved[:, 0, at, at] += eps[:, None]
            moved[:, 1, at, at] -= eps[:, None]
            values = self(moved.reshape(-1, n), np.repeat(who, 2 * n)).reshape(len(part), 2, n, n)
            gaps = (moved[:, 0, at, at] - moved[:, 1, at, at])[:, :, None]
            out[low : low + some] = ((values[:, 0] - values[:, 1]) / gaps).transpose(0, 2, 1)
        return out


def _step(field: _Field, y: Array, slope: Array, h: Array, runs: NDArray[np.int64]) -> tuple[Array, Array]:
    """New vectors, and the largest entry of the error estimate of each run."""
    matrix = -field.jacobian(y, runs)
    at = np.arange(field.size)
    matrix[:, at, at] += (1 / (GAMMA * h))[:, None]
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:  # one step is an eigenvalue: all are tried again with other steps
        return y, np.full(len(y), np.inf)
    increments: list[Array] = []
    value = slope
    with np.errstate(over="ignore", invalid="ignore"):
        for stage, (argument, coupling) in enumerate(zip(STAGES, COUPLING, strict=True)):
            if stage in (1, 2):
                value = field(y + _sum(argument, increments), runs)
            right = value + (_sum(coupling, increments) / h[:, None] if stage else 0.0)
            increments.append(np.einsum("bij,bj->bi", inverse, right))
        error = np.abs(_sum(ERROR, increments)).max(axis=1)
        return y + _sum(WEIGHTS, increments), error


def _sum(weights: Any, parts: list[Array]) -> Array:
    return sum((w * p for w, p in zip(weights, parts, strict=False) if w), np.zeros_like(parts[0]))
