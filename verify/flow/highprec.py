"""High-precision integration by Taylor series: not rigorous, with an error estimate. mpmath numbers in and
out.

The series are those of the validated integrator, computed on midpoints; the order and the step follow from
the wanted digits. Local errors are estimated by the last terms of the series, and the whole run can be
repeated with more digits to estimate the global error.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import mpmath
import numpy as np
from flint import arb

from verify.flow import deadline
from verify.flow.balls import exact, from_dyadic, log2_of, log2_top, precision
from verify.flow.majorant import MAX_ORDER, log2_norm
from verify.flow.models import Model
from verify.flow.tape import trace
from verify.flow.taylor import expand, falling_bits

LOG2_10 = math.log2(10)


@dataclass(frozen=True)
class Trajectory:
    """Result of :func:`integrate`.

    Attributes:
        times: mpmath numbers.
        states: for each time a tuple of object arrays of mpmath numbers, one per block.
        error: an estimate (not a bound) of the largest absolute error at the last time.
        steps: the number of steps.
        stopped: "time", "small field" or "steps" (also where the time for it was over).
    """

    times: list[Any]
    states: list[tuple[Any, ...]]
    error: Any
    steps: int
    stopped: str


def integrate(
    model: Model,
    start: Sequence[Any],
    times: Sequence[Any],
    digits: int = 30,
    max_steps: int = 100_000,
    small_field: Any = 0,
    check: bool = True,
) -> Trajectory:
    """Integrate the flow of a model to increasing times.

    Args:
        start: one array-like per block (exact numbers, floats, mpmath numbers), of the model's shapes.
        times: increasing, non-negative; states are returned at each.
        digits: wanted digits relative to the largest entry of the state. No claim is made that they are
            reached: see `error`.
        small_field: stop early when the largest entry of the field is below this.
        check: repeat with 6 digits more for the error estimate (twice the time); otherwise the sum of the
            local estimates is given.

    Raises ValueError for bad shapes, numbers that are not finite, or times that do not increase,
    ArithmeticError if the solution seems to leave every bound (a pole).
    """
    if digits < 1:
        raise ValueError(f"digits below 1: {digits}")
    goals = [exact(t) for t in times]
    if not goals or goals[0] < 0 or any(b <= a for a, b in itertools.pairwise(goals)):
        raise ValueError("times must be non-negative and increase")
    blocks = model.start(start)
    bits = math.ceil(digits * LOG2_10) + 24
    run = _run(model, blocks, goals, bits, max_steps, small_field)
    error = run[2]
    if check:
        finer = _run(model, blocks, goals, bits + 20, max_steps, small_field)
        with precision(bits + 40):
            error = max(
                (
                    abs(a - b)
                    for f, g in zip(run[1][-1], finer[1][-1], strict=True)
                    for a, b in zip(f, g, strict=True)
                ),
                key=lambda v: log2_of(v),
            )
        run = finer
    with mpmath.workprec(bits):
        states = [_to_mpmath(model, s) for s in run[1]]
        reached = [_mpf(t) for t in run[0]]
        estimate = _mpf(error)
    return Trajectory(reached, states, estimate, run[3], run[4])


def first_step(model: Model, start: Sequence[Any], digits: int) -> float:
    """Seconds that a step will take, about: those of an eighth of its orders, whose products are a sixty-fourth."""
    bits = math.ceil(digits * LOG2_10) + 24
    order = max(8, min(MAX_ORDER, round(0.416 * bits)))
    if order < 200:
        return 0.0
    with precision(bits):
        state = [[(arb(exact(v).numerator) / exact(v).denominator).mid() for v in b.flat] for b in model.start(start)]
    begun = process_time()
    expand(trace(model), state, order // 8, [bits] * (order // 8 + 1))
    return 40 * (process_time() - begun)


def _run(model: Model, blocks: Any, goals: Any, bits: int, max_steps: int, small: Any) -> tuple[Any, ...]:
    tape = trace(model)
    with precision(bits):
        state = [[arb(exact(v).numerator) / exact(v).denominator for v in b.flat] for b in blocks]
        state = [[v.mid() for v in f] for f in state]
        targets = [arb(t.numerator) / t.denominator for t in goals]
        targets = [t.mid() for t in targets]
        limit = log2_of(arb(exact(small).numerator) / exact(small).denominator) if small else -math.inf
        time = arb(0)
        total = arb(0)
    times: list[Any] = []
    states: list[Any] = []
    order = max(8, min(MAX_ORDER, round(0.416 * bits)))
    precs = falling_bits(bits, order, 24)
    steps = 0
    stopped = "time"
    for target in targets:
        while True:
            with precision(2 * bits):
                rest = (target - time).mid()
            if not rest > 0:
                break
            if steps >= max_steps or (steps and deadline.passed()):
                stopped = "steps"
                break
            steps += 1
            series = expand(tape, state, order, precs)
            sizes = {k: max(log2_norm(series, n, k) for n in tape.inputs) for k in (1, order - 1, order)}
            if sizes[1] < limit:
                stopped = "small field"
                break
            top = log2_top(v for f in state for v in f)
            if top == -math.inf:  # all of it is 0: a start where only the first derivative has a size
                top = sizes[1]
            tau = max(top, -1e9) - bits + 4
            guess = min(
                ((tau - sizes[k]) / k for k in (order - 1, order) if sizes[k] > -math.inf), default=math.inf
            )
            if guess < -1e6 or math.isnan(guess):
                raise ArithmeticError("the step length vanishes: the solution seems to have a pole")
            h = rest if guess == math.inf or log2_of(rest) <= guess - 0.1 else _power(guess - 0.1)
            end = series.endpoint(h, bits)
            state = [[v.mid() for v in f] for f in end]
            with precision(2 * bits):
                time = (time + h).mid() if h is not rest else target
            with precision(bits):
                total = (total + _power(tau)).mid()
        times.append(time)
        states.append(state)
        if stopped != "time":
            break
    return times, states, total, steps, stopped


def _power(log2_value: float) -> arb:
    e = math.floor(log2_value)
    return from_dyadic((round(2.0 ** (log2_value - e) * 4096), e - 12))


def _mpf(value: arb) -> Any:
    man, exp = value.mid().man_exp()
    return mpmath.ldexp(mpmath.mpf(int(man)), int(exp))


def _to_mpmath(model: Model, state: Any) -> tuple[Any, ...]:
    out = []
    for flat, shape in zip(state, model.shapes, strict=True):
        a = np.empty(len(flat), dtype=object)
        a[:] = [_mpf(v) for v in flat]
        out.append(a.reshape(shape))
    return tuple(out)
