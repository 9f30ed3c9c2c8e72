"""The gradient flow of one large model by a stabilised explicit method, for the long slow end; float64, no guarantee.

The Jacobian of a gradient flow is symmetric, so its stiff part lies on the negative axis. There an explicit method with s stages
built on Chebyshev polynomials is stable for steps up to about 0.65 s^2 over the spectral radius, where a classical one is held
at about 0.5 s: the long tail of a matrix with thousands of unknowns costs the root of what it would. No linear systems are solved
(:mod:`verify.flow.stiff` does, for small models).

The method is RKC of order two with the error estimate and the choice of s of B. P. Sommeijer, L. F. Shampine and J. G. Verwer,
RKC: an explicit solver for parabolic PDEs, J. Comput. Appl. Math. 88, 1998. Spectral radii come from power iterations on
differences of the field.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from verify.flow.batch import DIVERGED, RUNNING, STALLED, State, Stop, _stopped
from verify.flow.models import FLOAT, LeastSquares

STAGES = 500
"""The most stages of a step: rounding errors grow like their square."""
EVERY = 15
"""Steps between two looks at the spectral radius."""
ENOUGH = 40
"""Directions in which the curvature of the loss is looked for."""
NUDGE = 1e-6
"""Length of a difference, relative to the state."""


def stabilised_flow(
    model: LeastSquares,
    state: State,
    stop: Stop,
    rtol: float = 1e-8,
    observer: Callable[[State], None] | None = None,
    every: int = 20,
) -> State:
    """The gradient flow of the one run of a state that is marked as running, in place; returns the state.

    Args:
        stop: at least one limit; `time` is met exactly; `steps` counts accepted steps of this call.
        rtol: local error per step, relative to the largest entry. The error at the end is about its power 2/3.
        observer: called with the state every `every` steps.

    Raises ValueError for a tolerance that is not positive, no limit, or several runs.
    """
    if not rtol > 0:
        raise ValueError(f"bad tolerance: {rtol}")
    if stop == Stop(steps=None):
        raise ValueError("no limit is given")
    if state.runs != 1:
        raise ValueError(f"{state.runs} runs; the stabilised method takes one")
    field = _Field(model, state)
    y, base, since = field.pack(), int(state.steps[0]), EVERY
    slope = field(y)
    radius = Radius(field)
    while state.status[0] == RUNNING:
        size = max(float(np.abs(y).max()), np.finfo(float).tiny)
        norm = float(np.linalg.norm(slope))
        loss = np.asarray(model.loss(state.blocks, FLOAT))
        state.status[0] = _stopped(stop, loss, np.array([norm]), state.time, state.steps - base)[0]
        if state.status[0] != RUNNING:
            break
        if since >= EVERY:
            radius.look(y, slope)
            since = 0
        h = float(state.step[0]) or 0.01 * size / max(norm, 1e-300)
        wanted = h = min(h, ((STAGES - 1) ** 2 - 1) / (1.54 * radius.value) if radius.value > 0 else math.inf)
        if stop.time is not None:
            h = min(h, stop.time - float(state.time[0]))
        new, last, error = _step(field, y, slope, h, radius.value)
        ratio = error / (rtol * size)
        if ratio <= 1:
            y, slope, since = new, last, since + 1
            field.unpack(y)
            ended = stop.time is not None and h < wanted
            state.time[0] = stop.time if ended else state.time[0] + h
            state.steps[0] += 1
            if observer is not None and (state.steps[0] - base) % every == 0:
                observer(state)
        else:  # the spectral radius may have grown
            radius.look(y, slope)
            if not math.isfinite(ratio):
                ratio = 1e9
        state.step[0] = h * min(4.0, max(0.1, 0.8 * max(ratio, 1e-12) ** (-1 / 3)))
        if state.step[0] < 1e-14 * state.time[0]:
            state.status[0] = STALLED if np.isfinite(y).all() else DIVERGED
    return state


class _Field:
    """The field on one flat vector of the blocks that move."""

    def __init__(self, model: LeastSquares, state: State):
        self.model, self.state = model, state
        self.ends = np.cumsum([0] + [r * c for r, c in model.shapes[: model.moving]])

    def pack(self) -> Any:
        return np.concatenate([b[0].ravel() for b in self.state.blocks[: self.model.moving]])

    def split(self, y: Any) -> list[Any]:
        shapes = self.model.shapes
        return [y[a:b].reshape(1, *shapes[k]) for k, (a, b) in enumerate(zip(self.ends[:-1], self.ends[1:], strict=True))]

    def unpack(self, y: Any) -> None:
        for block, part in zip(self.state.blocks, self.split(y), strict=False):
            block[:] = part

    def __call__(self, y: Any) -> Any:
        blocks = [*self.split(y), *self.state.blocks[self.model.moving :]]
        return np.concatenate([b.ravel() for b in self.model.field(blocks, FLOAT)[: self.model.moving]])

    def along(self, y: Any, slope: Any, direction: Any) -> Any:
        """The Jacobian times a direction, by a difference."""
        length = NUDGE * (float(np.linalg.norm(y)) or 1.0) / float(np.linalg.norm(direction))
        return (self(y + length * direction) - slope) / length


class Radius:
    """An upper estimate of the spectral radius of the Jacobian, followed along the flow by a few power iterations."""

    def __init__(self, field: _Field):
        self.field, self.value = field, 0.0
        self.direction = np.random.default_rng(0).standard_normal(int(field.ends[-1]))

    def look(self, y: Any, slope: Any) -> None:
        """Estimate it at a point."""
        for _ in range(3 if self.value else 30):
            image = self.field.along(y, slope, self.direction / np.linalg.norm(self.direction))
            found = float(np.linalg.norm(image))
            if not 0 < found < math.inf:
                return
            self.direction = image
            self.value = 1.2 * found


def spectral_radius(model: LeastSquares, state: State) -> float:
    """An estimate from above of the spectral radius of the Jacobian at a state of one run."""
    field = _Field(model, state)
    y = field.pack()
    radius = Radius(field)
    radius.look(y, field(y))
    return radius.value


def rising(model: LeastSquares, state: State) -> float:
    """The largest eigenvalue of the Jacobian of the field that shows in a Krylov space of ENOUGH directions, or 0 where none is
    above its error: a positive one at a point of rest is the rate at which a saddle is left.
    """
    field = _Field(model, state)
    y = field.pack()
    slope = field(y)
    vector = np.random.default_rng(1).standard_normal(y.size)
    basis: list[Any] = []
    images: list[Any] = []
    while len(basis) < min(ENOUGH, y.size):
        length = float(np.linalg.norm(vector))
        if not 1e-8 < length < math.inf and basis:
            break
        basis.append(vector / length)
        vector = field.along(y, slope, basis[-1])
        images.append(vector)
        for _ in range(2):
            table = np.array(basis)
            vector = vector - table.T @ (table @ vector)
    small = np.array(basis) @ np.array(images).T
    values = np.linalg.eigvalsh((small + small.T) / 2)
    top, widest = float(values[-1]), float(np.abs(values).max())
    return top if top > 1e-5 * widest else 0.0


def _step(field: _Field, y: Any, slope: Any, h: float, radius: float) -> tuple[Any, Any, float]:
    """The new vector, the field there, and the largest entry of the error estimate."""
    stages = max(2, 1 + math.isqrt(math.ceil(1.54 * h * radius + 1)))
    first, rows = _coefficients(stages)
    with np.errstate(over="ignore", invalid="ignore"):
        before, now = y, y + (first * h) * slope
        for a, b, c, d in rows:
            new = (b * before) + a * now
            new += (1 - a - b) * y
            new += (c * h) * field(now)
            new += (d * h) * slope
            before, now = now, new
        last = field(now)
        error = float(np.abs(0.8 * (y - now) + (0.4 * h) * (slope + last)).max())
    return now, last, error


@lru_cache(maxsize=1024)
def _coefficients(stages: int) -> tuple[float, Sequence[tuple[float, float, float, float]]]:
    """The coefficient of the first stage, and (mu, nu, mu~, gamma~) of the others."""
    w = 1 + 2 / 13 / stages**2
    t, first, second = [1.0, w], [0.0, 1.0], [0.0, 0.0]  # Chebyshev polynomials at w and their derivatives
    for j in range(2, stages + 1):
        t.append(2 * w * t[j - 1] - t[j - 2])
        first.append(2 * t[j - 1] + 2 * w * first[j - 1] - first[j - 2])
        second.append(4 * first[j - 1] + 2 * w * second[j - 1] - second[j - 2])
    w1 = first[stages] / second[stages]
    b = [0.0, 1 / w, *(second[j] / first[j] ** 2 for j in range(2, stages + 1))]
    b[0] = b[2]
    rows = []
    for j in range(2, stages + 1):
        mu, nu, rate = 2 * b[j] * w / b[j - 1], -b[j] / b[j - 2], 2 * b[j] * w1 / b[j - 1]
        rows.append((mu, nu, rate, -(1 - b[j - 1] * t[j - 1]) * rate))
    return b[1] * w1, tuple(rows)
