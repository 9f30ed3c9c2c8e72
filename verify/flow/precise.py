"""An answer by high-precision Taylor series: as many digits as are asked for, no guarantee.

A run ends at a small residual, at rest at a positive loss (what kind of point that is follows from the Hessian), at the time that
was asked for, or when its steps or seconds are over; then the state that was reached is shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from time import process_time
from typing import Any

import mpmath
import numpy as np
from flint import arb

from verify.errors import InputError
from verify.flow import deadline, rest
from verify.flow.ask import PATIENCE, Answer, Question
from verify.flow.balls import ball, exact, log2_fraction, log2_top, precision
from verify.flow.highprec import Trajectory, first_step, integrate
from verify.flow.models import BALLS, EXACT, LinearNetwork
from verify.flow.numbers import log10, short_text
from verify.flow.trajectory import Sample, exact_blocks, sample

BURST = 20
"""Steps between two looks at the residual."""
INSIDE = 12
"""Points of a figure between them."""
USUAL = 120
"""Steps that a limit usually takes, for a forecast."""
LEAVING = 80.0
"""Times of growth e, besides those of the digits, after which a saddle would have been left."""

KINDS = {
    rest.MINIMUM: "a minimum for these widths, as the Hessian there tells",
    rest.SADDLE: "a saddle, as the Hessian there tells: a start beside this one goes elsewhere",
    rest.UNKNOWN: "whether that is a saddle or a minimum is not known",
}

Say = Callable[[str], None]


class _Run:
    """One run, and how far it is."""

    def __init__(self, question: Question, say: Say):
        self.question, self.say, self.model = question, say, question.model
        self.blocks: Sequence[Any] = question.factors
        self.now, self.steps, self.error, self.residual = Fraction(0), 0, Fraction(0), Fraction(0)
        self.top = max(abs(v) for _, _, v in question.observations.entries) or Fraction(1)
        self.goal = Fraction(1, 10**question.digits) * self.top
        self.length = _time_scale(self.model, question.factors)
        self.path: list[Sample] = []
        self.leave: Fraction | None = None  # the time at which a saddle would have been left
        self.kind, self.largest = "", -math.inf

    @property
    def exacts(self) -> list[list[list[Fraction]]]:
        """The factors now."""
        return [[[exact(v) for v in r] for r in b] for b in self.blocks]

    def burst(self) -> Trajectory:
        """Some steps; a burst that ends early does not come to its end."""
        stop, digits = self.question.time, self.question.digits
        length = self.length if stop is None else min(self.length, stop - self.now)
        goals = [length * Fraction(k, INSIDE) for k in range(1, INSIDE + 1)]
        try:
            run = integrate(self.model, self.blocks, goals, digits + 5, max_steps=BURST, check=False)
        except ArithmeticError as problem:
            raise InputError(f"the high-precision engine cannot follow this flow: {problem}") from None
        ended = run.stopped == "steps"
        self.steps += run.steps
        self.blocks, self.error = run.states[-1], self.error + exact(run.error)
        with precision(math.ceil(2 * digits * 3.33) + 64):
            for time, state in zip(run.times, run.states, strict=True):
                factors = exact_blocks([[[exact(v) for v in r] for r in b] for b in state])
                self.path.append(sample(ball(self.now + exact(time)), self.question.observations, factors))
        self.now += exact(run.times[-1]) if ended else length
        if not ended:
            self.length *= 2
        self.look()
        return run

    def look(self) -> None:
        """The largest residual now."""
        with mpmath.workdps(self.question.digits + 10):
            p = self.blocks[0]
            for b in self.blocks[1:]:
                p = b @ p
        self.residual = max(abs(exact(p[i, j]) - v) for i, j, v in self.question.observations.entries)

    def resting(self) -> bool:
        """Whether the flow is at rest at a positive loss, and at no saddle that it would leave: the field is as small as the
        digits can tell, relative to what it is where the residual is of the size of the data.
        """
        factors, digits, depth = self.exacts, self.question.digits, self.question.depth
        with precision(math.ceil(3.33 * digits) + 64):
            state = tuple(BALLS.array(b) for b in self.model.start(factors))
            size, speed = (log2_top(v for b in part for v in b.flat) for part in (state, self.model.field(state, BALLS)))
        self.largest = max(self.largest, size)
        wide = max(size, self.largest - 3.33 * digits)  # a state that goes to 0 comes to rest
        natural = log2_fraction(self.top) + (depth - 2) * wide  # log2 of the rate at which the state moves
        if speed > natural + wide - 3.33 * max(3, digits - 2):
            self.leave, self.kind = None, ""
            return False
        self.kind = rest.UNKNOWN
        if self.model.size <= rest.LARGEST and abs(size) < 300:
            self.kind = rest.nature(self.model, [[v for r in f for v in r] for f in factors])
        if self.kind == rest.MINIMUM or size == -math.inf:
            return True
        if self.leave is None:
            growth = math.ceil(LEAVING + 2.31 * digits)
            self.leave = self.now + growth * Fraction(2) ** math.ceil(-natural)
        return self.now >= self.leave

    def progress(self, begun: float) -> None:
        most = self.question.steps("high-precision")
        each = (process_time() - begun) / max(1, self.steps)
        at = f"t = {_power10(log10(self.now))}, residual {float(self.residual):.2g}"
        self.say(f"high-precision Taylor series, {self.steps} steps, {at}; at most {each * max(0, most - self.steps):.0f} s more")


def in_high_precision(question: Question, say: Say) -> Answer:
    """The answer of the high-precision engine. Raises InputError for a flow that it cannot follow."""
    run, stop, why = _Run(question, say), question.time, ""
    rested = False
    if question.seconds is None and question.max_steps is None:
        each = first_step(run.model, question.factors, question.digits + 5)
        if each * USUAL > deadline.patience():
            minutes = f"{math.ceil(each * USUAL / 60)} minutes or more"
            why = f"a step takes about {each:.2g} s: the answer may take {minutes}; allow them with --time-limit SECONDS"
    begun = process_time()
    bounded = question.seconds is None and question.max_steps is None
    with deadline.within(min(PATIENCE, deadline.patience()) if bounded else 0.9 * deadline.left()):
        while not why and (stop is None or run.now < stop):
            if deadline.passed():
                why = _given_up(run, "--time-limit")
                break
            run.burst()
            run.progress(begun)
            if stop is None and (run.residual <= run.goal or run.resting()):
                rested = run.residual > run.goal
                break
            if run.steps > question.steps("high-precision"):
                why = _given_up(run, "--max-steps")
    return _answer(run, why, rested)


def _given_up(run: _Run, option: str) -> str:
    at = _power10(log10(run.now)) if run.now else "0"
    return (
        f"not at rest after {run.steps} steps, at t = {at}; the residual is {float(run.residual):.3g}; "
        f"more can be allowed with {option}"
    )


def _answer(run: _Run, why: str, rested: bool) -> Answer:
    """What is told, with the state that was reached."""
    question, digits = run.question, run.question.digits
    exacts = run.exacts
    product = _exact_product(exacts)
    size = max(abs(v) for f in exacts for row in f for v in row)  # of the state, to which the error is relative
    lost = log10(run.error) - log10(size) if run.error and size else -math.inf
    good = max(1, min(digits, digits if lost == -math.inf else math.floor(-lost)))
    with precision(math.ceil(digits * 3.33) + 32):
        balls = np.array([[ball(v).mid() for v in row] for row in product], dtype=object)
        gaps = [balls[i, j] - ball(v) for i, j, v in question.observations.entries]
        loss = (sum((g * g for g in gaps), arb(0)) / 2).mid()
    at = _power10(log10(run.now)) if run.now else "0"
    method = f"{run.steps} Taylor steps at {digits} digits, not rigorous"
    if why:
        return Answer("undetermined", why, method, at, balls, good, loss, path=run.path)
    told = "no guarantee"
    if rested:
        told += f"; at rest, the loss stays at {float(loss):.6g}"
        told += f"; {KINDS[run.kind]}"
    elif question.time is None:
        told += f"; the residual at t = {at} is below 1e-{digits} of the largest value"
    time = "infinity" if question.time is None else short_text(question.time, 12)
    return Answer("estimate", told, method, time, balls, good, loss, path=run.path)


def _power10(log: float) -> str:
    return f"{10**log:.4g}" if -3 < log < 6 else f"{10 ** (log - math.floor(log)):.2f}e{math.floor(log)}"


def _time_scale(model: LinearNetwork, factors: Sequence[Any]) -> Fraction:
    """Size of the state divided by the size of the field: the time in which something happens first."""
    start = model.start(factors)
    size = max(abs(v) for b in start for v in b.flat)
    speed = max(abs(v) for b in model.field(start, EXACT) for v in b.flat)
    if not size or not speed:
        return Fraction(1)
    return Fraction(2) ** math.floor(log10(size / speed) / math.log10(2) - 3)


def _exact_product(factors: Sequence[Sequence[Sequence[Fraction]]]) -> list[list[Fraction]]:
    out = [list(r) for r in factors[0]]
    for f in factors[1:]:
        columns = list(zip(*out, strict=True))
        out = [[sum((a * b for a, b in zip(row, c, strict=True)), Fraction(0)) for c in columns] for row in f]
    return out
