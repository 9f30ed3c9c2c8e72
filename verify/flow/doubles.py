"""An answer in double precision, for tables of any size: no guarantee, and plain words about what was reached.

A run begins with classical steps. Where these are held back by the fastest part of the flow while the slowest goes on (the long
tail of nearly every table of some size) it goes over to the stabilised method. It ends at a small loss, at rest (the gradient is
as good as zero; then the curvature tells a saddle), at the time that was asked for, or when its steps or seconds are over. What
is then known is told: the largest residual, and how much the product has moved since half of the time.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from verify.completion.graph import components
from verify.errors import InputError
from verify.flow import deadline, rest
from verify.flow.ask import Answer, Question
from verify.flow.balls import precision
from verify.flow.batch import DIVERGED, GRADIENT, LOSS, RUNNING, STALLED, STEPS, TIME, State, Stop, gradient_flow
from verify.flow.domain import refuse_for_doubles
from verify.flow.models import FLOAT
from verify.flow.numbers import short_text
from verify.flow.stabilised import rising, spectral_radius, stabilised_flow
from verify.flow.trajectory import CLOCK, Sample, of_doubles

SECONDS = 60.0
"""What a run may take if no limit is given."""
BURST = 100
"""Steps between two looks at whether the steps are held back."""
WATCHED = 20
"""Steps between two points of a figure."""
HELD = 2.0
"""Spectral radius times step of a classical step that is held back (they are stable to 3.3)."""
RESIDUAL = 1e-8
"""The residual of a cell at which a run ends, relative to the largest observed value in its component of the graph."""
QUIET = 1e-8
"""The speed of an entry that is at rest, relative to its size and the natural rate of its component."""
REST = 1e-12
"""The gradient at which a run is at rest, relative to what it is where the residual is of the size of the data."""
SHRUNK = 1e-3
"""The state, relative to its largest so far, at which that gradient shrinks no more: a state that goes to 0 comes to rest."""
SLOW = 3e-7
"""The change of the product over half of the time, relative to the largest observed value, at which a slow end is at rest."""
LEAST = 1e-60
"""The smallest part of the usual gradient of rest at which entries of small size are still waited for."""
CREEPING = -1
"""The code of a slow end."""
LEAVING = 80.0
"""Times of growth e after which a saddle would have been left, from the smallest deviation that doubles can have."""
DIGITS = {False: 8, True: 6}
"""Digits that are believed, without and with stabilised steps."""

Say = Callable[[str], None]


class _TimeOver(Exception):
    """The seconds that the question gives are over."""


class _Run:
    """One run, how far it is, and how it ended."""

    def __init__(self, question: Question, say: Say):
        refuse_for_doubles(question.observations, question.factors)
        try:
            self.model = question.model
            blocks = [np.array([[float(v) for v in row] for row in f])[None] for f in question.factors]
            self.state = State.begin(self.model, blocks)
            self.top = max(float(abs(v)) for _, _, v in question.observations.entries) or 1.0
            self.data = np.array([float(v) for _, _, v in question.observations.entries])
        except (ValueError, OverflowError) as error:
            raise InputError(f"the float64 engine cannot take this: {error}") from None
        self.question, self.say = question, say
        self.stabilised, self.saddle, self.late = False, False, False
        self.path: list[Sample] = []
        self.marks: list[tuple[float, Any]] = []  # products at times that grow by a fixed factor
        self.seen = -1
        self.clock = 0.0  # the time at which the time of the state was set to 0
        self.largest = self.size()
        self.first = self.loss()
        self.cells = tuple(np.array(question.observations.cells).T)
        self.scales = self.sizes()
        self.calm = 1.0  # by how much smaller a gradient must be than usual for rest

    @property
    def time(self) -> float:
        """Since the clock was set back."""
        return float(self.state.time[0])

    @property
    def at(self) -> float:
        """The time."""
        return self.clock + self.time

    @property
    def steps(self) -> int:
        return int(self.state.steps[0])

    def product(self) -> Any:
        """W_L ... W_1 now."""
        return self.model.product(self.state.blocks, FLOAT)[0]

    def sizes(self) -> Any:
        """For each observed cell the largest observed value in its component."""
        out = np.full(len(self.data), self.top)
        place = {cell: k for k, cell in enumerate(self.question.observations.cells)}
        for part in components(self.question.observations.pattern):
            inside = [place[cell] for cell in part.cells]
            out[inside] = float(np.abs(self.data[inside]).max()) or self.top
        return out

    def gaps(self) -> Any:
        """The residuals of the observed cells."""
        return self.product()[self.cells] - self.data

    def fitted(self) -> bool:
        """Whether every observed cell is met."""
        return bool((np.abs(self.gaps()) <= 1.5 * RESIDUAL * self.scales).all())

    def quiet(self) -> bool:
        """Whether every observed cell is met or stays where it is. One that grows is measured by itself, however small it is."""
        now, speed = self.product()[self.cells], self.speed()[self.cells]
        growing = speed * now > 0
        rates = self.scales ** (2 - 2 / self.question.depth)
        still = np.abs(speed) <= QUIET * rates * np.where(growing, np.abs(now), self.scales)
        return bool((still | (np.abs(now - self.data) <= 1.5 * RESIDUAL * self.scales)).all())

    def speed(self) -> Any:
        """The derivative of the product by time."""
        blocks = [b[0] for b in self.state.blocks]
        moves = [b[0] for b in self.model.field(self.state.blocks, FLOAT)]
        out = 0.0
        for level, move in enumerate(moves):
            part = move if level == 0 else blocks[0]
            for k, block in enumerate(blocks[1:], 1):
                part = (move if k == level else block) @ part
            out = out + part
        return out

    def doubt(self, code: int) -> Any:
        """How far each entry of the product may be from the truth, as far as is believed."""
        part = np.abs(self.state.blocks[0][0])
        for block in self.state.blocks[1:]:
            part = np.abs(block[0]) @ part
        out = 2 * 10.0 ** -DIGITS[self.stabilised] * part
        if code in (LOSS, CREEPING):
            out[self.cells] = np.maximum(out[self.cells], np.abs(self.gaps()))
        return np.maximum(out, self.drift()) if code == CREEPING else out

    def drift(self) -> Any:
        """How much each entry of the product has changed since half of the time."""
        before = [p for t, p in self.marks if t <= self.time / 2]
        return np.abs(self.product() - before[-1]) if before else np.full(self.product().shape, np.inf)

    def loss(self) -> float:
        """The loss now."""
        return float(self.model.loss(self.state.blocks, FLOAT)[0])

    def watch(self, state: State) -> None:
        """Record where the run is, and end it when its time is over."""
        if self.time > 0 and self.steps // WATCHED > self.seen:
            self.seen = self.steps // WATCHED
            self.record()
            self.say(f"float64, {self.steps} steps, t = {self.at:.3g}, loss {self.loss():.3g}")
        if deadline.passed():
            raise _TimeOver

    def record(self) -> None:
        """A point of a figure."""
        blocks = [b[0] for b in self.state.blocks]
        with precision(CLOCK):
            at = arb(self.clock) + arb(self.time)
        self.path.append(of_doubles(at, self.question.observations, blocks))
        if not self.marks or self.time > 1.1 * self.marks[-1][0]:
            self.marks.append((self.time, self.product()))

    def moved(self) -> float:
        """How much an entry of the product has changed since half of the time, at most."""
        return float(self.drift().max())

    def size(self) -> float:
        """The largest entry of the factors now."""
        return max(float(np.abs(b).max()) for b in self.state.blocks)

    def resting(self) -> float:
        """The norm of a gradient that counts as zero."""
        self.largest = max(self.largest, self.size())
        return self.calm * REST * self.top * max(self.size(), SHRUNK * self.largest) ** (self.question.depth - 1)

    def creeping(self) -> bool:
        """Whether the run is at a slow end, where nothing changes much any more and no saddle is left."""
        slow = self.stabilised and self.loss() < 0.999 * self.first and self.moved() <= SLOW * self.top
        slow = slow and bool((self.drift()[self.cells] <= SLOW * self.scales).all())
        return slow and not rising(self.model, self.state)

    def go(self) -> int:
        """Run; the reason why it ended (see :mod:`verify.flow.batch`)."""
        asked = self.question.time
        time = None if asked is None else float(asked)
        loss = (RESIDUAL * float(self.scales.min())) ** 2 if asked is None else None
        most, held = self.question.steps("float64"), 0
        leave: float | None = None
        while True:
            rest = self.resting() if asked is None and leave is None else None
            until = leave if time is None else time
            stop = Stop(loss=loss, gradient=rest, time=until, steps=min(BURST, most - self.steps))
            if self.stabilised:
                stabilised_flow(self.model, self.state, stop, observer=self.watch, every=1)
            else:
                gradient_flow(self.model, self.state, stop, observer=self.watch, every=1)
            code = int(self.state.status[0])
            if code == STEPS and self.steps < most:
                if asked is None and self.fitted():
                    return LOSS
                if asked is None and self.creeping():
                    return CREEPING
                held = held + 1 if self.held_back() else 0
                self.stabilised = self.stabilised or held >= 2
            elif code == GRADIENT and not self.quiet() and self.calm > LEAST:
                self.calm /= 1000
            elif code == GRADIENT and leave is None and (rate := rising(self.model, self.state)):
                leave = self.time + LEAVING / rate  # a saddle: would it be left in the end?
            elif code == TIME and leave is not None:
                norm = float(np.sqrt(sum((b * b).sum() for b in self.model.gradient(self.state.blocks, FLOAT))))
                if norm <= self.resting():
                    self.saddle = True
                    return GRADIENT
                leave = None
            elif code == STALLED and asked is None and self.time > 0 and math.isfinite(self.size()):
                self.clock += self.time  # steps are too short beside the time: it has no influence
                self.state.time[0] = 0.0
                self.marks.clear()
            else:
                return code
            self.state.status[0] = RUNNING

    def minimal(self) -> bool:
        """Whether the point of rest is a minimum, by certified signs at this point."""
        if self.model.size > rest.LARGEST:
            return False
        return rest.nature(self.model, [[Fraction(float(v)) for v in b[0].flat] for b in self.state.blocks]) == rest.MINIMUM

    def held_back(self) -> bool:
        """Whether the steps are as long as a classical method can make them."""
        return self.stabilised or spectral_radius(self.model, self.state) * float(self.state.step[0]) > HELD


def in_doubles(question: Question, say: Say) -> Answer:
    """The answer of the float64 engine. Raises InputError for numbers that it cannot take."""
    with np.errstate(all="ignore"):
        return _in_doubles(question, say)


def _in_doubles(question: Question, say: Say) -> Answer:
    run = _Run(question, say)
    code = TIME if question.time == 0 else RUNNING
    seconds = SECONDS if question.seconds is None and question.max_steps is None else float("inf")
    with deadline.within(seconds), contextlib.suppress(_TimeOver):
        code = run.go() if code == RUNNING else code
    run.record()
    with precision(64):
        product = np.array([[arb(float(v)) for v in row] for row in run.product()], dtype=object)
        loss = arb(run.loss())
    kind = "stabilised and classical" if run.stabilised else "adaptive Dormand-Prince"
    method = f"float64, {run.steps} {kind} steps to t = {run.at:.3g}"
    digits = DIGITS[run.stabilised]
    doubt = run.doubt(code)
    told = f"no guarantee; about {'six' if run.stabilised else 'eight'} digits"
    if code == LOSS and not run.fitted():
        code = STALLED
    if code == GRADIENT:
        told = f"no guarantee; at rest, the loss stays at {run.loss():.3g}"
        if run.saddle:
            told += "; a saddle: a start beside this one goes elsewhere"
        elif run.minimal():
            told += "; a minimum for these widths, as the Hessian there tells"
    if code == CREEPING:
        told = f"no guarantee; about six digits: in the last half of the time entries have moved by up to {run.moved():.1g}"
    if code in (LOSS, TIME, GRADIENT, CREEPING):
        time = "infinity" if question.time is None else short_text(question.time, 12)
        return Answer("estimate", told, method, time, product, digits - 1, loss, path=run.path, doubt=doubt)
    finite = all(np.isfinite(b).all() for b in run.state.blocks)
    return Answer(
        "undetermined",
        _given_up(run, code, seconds),
        method,
        f"{run.at:.3g}",
        product if finite else None,
        digits - 1,
        loss if finite else None,
        path=run.path,
        doubt=doubt if finite else None,
    )


def _given_up(run: _Run, code: int, seconds: float) -> str:
    """Why a run ended before it was at rest, and what is known there."""
    at = f"at t = {run.at:.3g}"
    if code in (DIVERGED, STALLED):
        return f"the float64 run {'left the numbers that doubles hold' if code == DIVERGED else 'cannot go on'} {at}"
    over = code not in (STEPS,)
    why = f"not at rest after {run.steps} float64 steps"
    if over and seconds < float("inf"):
        why += f" and {seconds:.0f} s"
    gap = max(abs(float(run.product()[i, j]) - float(v)) for i, j, v in run.question.observations.entries)
    why += f", {at}: residuals up to {gap:.2g} (observed values up to {run.top:.3g})"
    moved = run.moved()
    if moved < float("inf"):
        why += f", entries have moved by up to {moved:.2g} since half of that time"
    return f"{why}; more can be allowed with {'--time-limit' if over else '--max-steps'}"
