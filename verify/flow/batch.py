"""Float64 batches: gradient descent and gradient flow from many initialisations at once.

State arrays have shape (runs, rows, columns), one per block of the model; all runs share the model. Every
function advances a :class:`State`, which can be saved and resumed. Runs stop one by one, by loss, gradient
or time; stopped runs keep their values.

Domain: finite float64 entries whose products neither overflow nor vanish: |entry| between 1e-60 and 1e60
(or zero) for depth up to 4, in general 1e240 to the power 1/(L + 1); outside, use the high-precision or
validated integrators. Runs that leave the finite numbers are marked "diverged".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.flow.models import FLOAT, LeastSquares

Array = NDArray[np.float64]

RUNNING, LOSS, GRADIENT, TIME, STEPS, DIVERGED, STALLED = range(7)
REASONS = ("running", "loss", "gradient", "time", "steps", "diverged", "stalled")


@dataclass
class State:
    """A batch in progress.

    Attributes:
        blocks: arrays (runs, rows, columns).
        time: time of each run (gradient descent: sum of step sizes), shape (runs,).
        step: current step size of each run, shape (runs,).
        steps: accepted steps of each run, shape (runs,).
        status: index into REASONS, shape (runs,).
    """

    blocks: list[Array]
    time: Array
    step: Array
    steps: NDArray[np.int64]
    status: NDArray[np.int8]

    @classmethod
    def begin(cls, model: LeastSquares, blocks: Sequence[Any]) -> State:
        """A fresh state; each block is (runs, rows, columns), or (rows, columns) for one run.

        Raises ValueError for wrong shapes or entries outside the domain of float64 (see the module).
        """
        arrays = [np.array(b, dtype=np.float64) for b in blocks]
        arrays = [a[None] if a.ndim == 2 else a for a in arrays]
        model.check(arrays)
        if any(a.ndim != 3 for a in arrays) or len({a.shape[0] for a in arrays}) != 1:
            raise ValueError("blocks must be (runs, rows, columns) with one number of runs")
        largest = 10.0 ** (240 / (len(model.shapes) + 1))
        for a in arrays:
            if not np.isfinite(a).all():
                raise ValueError("the start is not finite")
            size = np.abs(a[a != 0])
            if size.size and (size.max() > largest or size.min() < 1 / largest):
                raise ValueError(
                    f"entries between {size.min():.3g} and {size.max():.3g} are outside the float64 domain "
                    f"{1 / largest:.1e} to {largest:.1e}; use the high-precision or validated integrator"
                )
        runs = arrays[0].shape[0]
        return cls(
            arrays,
            np.zeros(runs),
            np.zeros(runs),
            np.zeros(runs, dtype=np.int64),
            np.zeros(runs, dtype=np.int8),
        )

    @property
    def runs(self) -> int:
        return int(self.time.shape[0])

    def reasons(self) -> list[str]:
        """Why each run stopped, in words."""
        return [REASONS[int(s)] for s in self.status]

    def save(self, path: str | Path) -> None:
        """Write an .npz file that :meth:`load` resumes from, bit for bit."""
        arrays: dict[str, Any] = {f"block_{i}": b for i, b in enumerate(self.blocks)}
        np.savez(Path(path), time=self.time, step=self.step, steps=self.steps, status=self.status, **arrays)

    @classmethod
    def load(cls, path: str | Path) -> State:
        """Read a saved state. Raises ValueError if the file is no saved state."""
        with np.load(Path(path)) as data:
            names = sorted((n for n in data.files if n.startswith("block_")), key=lambda n: int(n[6:]))
            missing = {"time", "step", "steps", "status"} - set(data.files)
            if missing or not names:
                raise ValueError(f"no saved state: {path}")
            return cls([data[n] for n in names], data["time"], data["step"], data["steps"], data["status"])

    def resume(self) -> State:
        """The same state with every run that stopped by a limit (not by divergence) set running again."""
        self.status[self.status != DIVERGED] = RUNNING
        return self


@dataclass(frozen=True)
class Stop:
    """When a run stops: loss or gradient norm at or below a value, time or steps at or above one (None:
    never).

    The flow cannot reach a loss far below rtol^2 times the squared target; the limit on steps ends such a
    run.
    """

    loss: float | None = None
    gradient: float | None = None
    time: float | None = None
    steps: int | None = 1_000_000


def _norms(gradients: Sequence[Array]) -> Array:
    total = np.zeros(gradients[0].shape[0])
    for g in gradients:
        total += np.einsum("bij,bij->b", g, g)
    return np.sqrt(total)


def losses(model: LeastSquares, state: State) -> Array:
    """The loss of each run, shape (runs,)."""
    return np.asarray(model.loss(state.blocks, FLOAT), dtype=np.float64)


def gradient_descent(
    model: LeastSquares, state: State, step: float, stop: Stop, adaptive: bool = False, every: int = 1
) -> State:
    """Gradient descent, in place; returns the state.

    Args:
        step: fixed step size, or the first one with `adaptive`: a step that does not lower the loss enough
            (Armijo, 1/2) is halved and repeated, an accepted one lets the step grow by 1.1.
        stop: `steps` counts accepted steps of this call. At least one limit is required.
        every: check loss and gradient only in every so many steps (fixed step).

    Raises ValueError for a step that is not positive, or no limit.
    """
    if not step > 0:
        raise ValueError(f"the step size is not positive: {step}")
    if stop == Stop(steps=None):
        raise ValueError("no limit is given")
    if adaptive:
        return _adaptive_descent(model, state, step, stop)
    active = np.flatnonzero(state.status == RUNNING)
    work = [b[active] for b in state.blocks] if active.size < state.runs else [b.copy() for b in state.blocks]
    time, count = state.time[active], 0
    while active.size:
        gradients = model.gradient(work, FLOAT)
        if count % every == 0 or (stop.steps is not None and count >= stop.steps):
            code = np.zeros(active.size, dtype=np.int8)
            norm = _norms(gradients)
            code[~np.isfinite(norm)] = DIVERGED
            if stop.steps is not None and count >= stop.steps:
                code[code == 0] = STEPS
            if stop.time is not None:
                code[(code == 0) & (time >= stop.time)] = TIME
            if stop.gradient is not None:
                code[norm <= stop.gradient] = GRADIENT
            if stop.loss is not None:
                code[np.asarray(model.loss(work, FLOAT)) <= stop.loss] = LOSS
            done = code != 0
            if done.any():
                where = active[done]
                for full, part in zip(state.blocks, work, strict=True):
                    full[where] = part[done]
                state.time[where], state.status[where] = time[done], code[done]
                state.steps[where] += count
                keep = ~done
                active, time = active[keep], time[keep]
                work = [w[keep] for w in work]
                gradients = tuple(g[keep] for g in gradients)
                if not active.size:
                    break
        for w, g in zip(work, gradients, strict=True):
            g *= step  # in place: a pass over memory less
            w -= g
        time += step
        count += 1
    state.step[:] = step
    return state


def _adaptive_descent(model: LeastSquares, state: State, step: float, stop: Stop) -> State:
    state.step[state.step == 0] = step
    base = state.steps.copy()
    value = losses(model, state)
    while True:
        active = np.flatnonzero(state.status == RUNNING)
        if not active.size:
            return state
        blocks = [b[active] for b in state.blocks]
        gradients = model.gradient(blocks, FLOAT)
        norm = _norms(gradients)
        done = _stopped(stop, value[active], norm, state.time[active], state.steps[active] - base[active])
        state.status[active] = done
        going = np.flatnonzero(done == RUNNING)
        active, norm = active[going], norm[going]
        blocks, gradients = [b[going] for b in blocks], tuple(g[going] for g in gradients)
        h = state.step[active]
        trial = [b - h[:, None, None] * g for b, g in zip(blocks, gradients, strict=True)]
        new = np.asarray(model.loss(trial, FLOAT))
        good = new <= value[active] - 0.5 * h * norm**2
        where = active[good]
        for full, part in zip(state.blocks, trial, strict=True):
            full[where] = part[good]
        state.time[where] += h[good]
        state.steps[where] += 1
        value[where] = new[good]
        state.step[where] *= 1.1
        bad = active[~good]
        state.step[bad] *= 0.5
        tiny = bad[state.step[bad] * norm[~good] <= 1e-17 * _sizes(state, bad)]
        state.status[tiny] = STALLED


def _sizes(state: State, where: NDArray[np.int64]) -> Array:
    return np.max([np.abs(b[where]).max(axis=(1, 2), initial=1e-300) for b in state.blocks], axis=0)


def _stopped(stop: Stop, loss: Array, norm: Array, time: Array, steps: NDArray[np.int64]) -> NDArray[np.int8]:
    code = np.zeros(loss.shape, dtype=np.int8)
    if stop.steps is not None:
        code[steps >= stop.steps] = STEPS
    if stop.time is not None:
        code[time >= stop.time * (1 - 1e-15)] = TIME
    if stop.gradient is not None:
        code[norm <= stop.gradient] = GRADIENT
    if stop.loss is not None:
        code[loss <= stop.loss] = LOSS
    code[~(np.isfinite(loss) & np.isfinite(norm))] = DIVERGED
    return code


# Dormand-Prince 5(4): nodes are not needed for an autonomous flow.
_A = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_B5 = _A[5]
_E = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def gradient_flow(
    model: LeastSquares,
    state: State,
    stop: Stop,
    rtol: float = 1e-9,
    atol: float = 0.0,
    observer: Callable[[State], None] | None = None,
    every: int = 100,
) -> State:
    """The gradient flow by an adaptive Dormand-Prince 5(4) pair with its own step size for each run; in
    place.

    Args:
        stop: at least one limit; `time` is met exactly; `steps` counts accepted steps of this call.
        rtol, atol: local error per step, relative to the largest entry of each run's state (so that starts
            of scale 1e-35 are integrated with the same relative accuracy; a loose absolute tolerance would
            return them unchanged).
        observer: called with the state every `every` sweeps, for records of a trajectory.

    Raises ValueError for tolerances that are not positive, or no limit.
    """
    if not rtol > 0 or atol < 0:
        raise ValueError(f"bad tolerances: {rtol}, {atol}")
    if stop == Stop(steps=None):
        raise ValueError("no limit is given")
    base = state.steps.copy()
    sweeps = 0
    slopes: list[Array] = [np.zeros_like(b) for b in state.blocks]
    fresh = np.zeros(state.runs, dtype=bool)
    while True:
        active = np.flatnonzero(state.status == RUNNING)
        if not active.size:
            return state
        need = active[~fresh[active]]
        if need.size:
            for full, part in zip(slopes, model.field([b[need] for b in state.blocks], FLOAT), strict=True):
                full[need] = part
            fresh[need] = True
        blocks = [b[active] for b in state.blocks]
        first = [s[active] for s in slopes]
        norm = _norms(first)
        loss = np.asarray(model.loss(blocks, FLOAT)) if stop.loss is not None else np.zeros(active.size)
        code = _stopped(stop, loss, norm, state.time[active], state.steps[active] - base[active])
        state.status[active] = code
        if (code != RUNNING).any():
            keep = code == RUNNING
            active, norm = active[keep], norm[keep]
            blocks, first = [b[keep] for b in blocks], [s[keep] for s in first]
            if not active.size:
                continue
        size = np.max([np.abs(b).max(axis=(1, 2), initial=0) for b in blocks[: model.moving]], axis=0)
        h = state.step[active]
        start = h == 0
        if start.any():
            with np.errstate(divide="ignore", invalid="ignore"):
                guess = 0.01 * np.maximum(size, 1e-300) / np.maximum(norm, 1e-300)
            h[start] = np.minimum(guess[start], 1e300)
        wanted = h
        if stop.time is not None:
            h = np.minimum(h, stop.time - state.time[active])
        with np.errstate(over="ignore", invalid="ignore"):
            new, last, error = _dormand_prince(model, blocks, first, h)
            scale = atol + rtol * np.maximum(size, np.finfo(float).tiny)
            ratio = error / scale
        ratio[~np.isfinite(ratio)] = 1e9
        good = ratio <= 1
        where = active[good]
        for full, part in zip(state.blocks, new, strict=True):
            full[where] = part[good]
        for full, part in zip(slopes, last, strict=True):
            full[where] = part[good]
        reached = state.time[where] + h[good]
        if stop.time is not None:
            reached[h[good] < wanted[good]] = stop.time
        state.time[where] = reached
        state.steps[where] += 1
        factor = np.clip(0.9 * np.maximum(ratio, 1e-12) ** -0.2, 0.2, 5.0)
        cut = good & (h < wanted)
        state.step[active] = np.where(cut, np.maximum(wanted, h * factor), h * factor)
        tiny = ~good & (state.time[active] + state.step[active] * 1e-3 == state.time[active])
        stuck = active[tiny & (state.step[active] < 1e-12 * np.maximum(state.time[active], 1e-300))]
        state.status[stuck] = STALLED
        sweeps += 1
        if observer is not None and sweeps % every == 0:
            observer(state)


def _dormand_prince(
    model: LeastSquares, blocks: Sequence[Array], first: Sequence[Array], h: Array
) -> tuple[list[Array], list[Array], Array]:
    """One step of each run: new blocks, the field there, and the largest entry of the error estimate."""
    width = h[:, None, None]
    stages: list[Sequence[Array]] = [first]
    new: list[Array] = list(blocks)
    for row in _A:
        new = []
        for i, b in enumerate(blocks):
            total = row[0] * stages[0][i]
            for c, s in zip(row[1:], stages[1:], strict=True):
                if c:
                    total += c * s[i]
            new.append(b + width * total)
        stages.append(model.field(new, FLOAT))
    error = np.zeros(h.size)
    for i in range(len(blocks)):
        total = _E[0] * stages[0][i]
        for c, s in zip(_E[1:], stages[1:], strict=True):
            if c:
                total += c * s[i]
        total *= width
        error = np.maximum(error, np.abs(total).max(axis=(1, 2), initial=0))
    return new, list(stages[-1]), error
