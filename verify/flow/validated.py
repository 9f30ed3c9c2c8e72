"""Validated gradient flow: enclosures at a time or at infinity that provably contain the true value.

Mathematics
===========

*Steps.* A step starts from an exact (dyadic) point m with a number E such that |theta - m| <= E (Euclidean
norm over all blocks) for the true state theta. The Taylor polynomial p of order N of the solution through m
has coefficients enclosed in balls. Its defect u F(p) - p' has only powers >= N of s, and the sum D of their
absolute values times h^k is bounded by majorants (:mod:`verify.flow.majorant`), so |defect(s)| <= D
(s/h)^N. If mu(s) bounds the logarithmic norm of u F within distance rho of p(s), then as long as the error
e = theta - p stays below rho it obeys |e|' <= mu |e| + |defect|, hence

    |e(s)| <= B := (E + D h / (N + 1)) exp(integral of max(mu, 0)),

and if B < rho the error never reaches rho (first exit). The new point is the rounded midpoint of p(h); what
is dropped enters E.

A step can be made in two ways: from balls around the Taylor coefficients (`_step`; always where more than LARGEST = 700 bits
are needed, about 200 digits: bounds in doubles end there), or from a polynomial in fixed point whose defect has low orders as
well, from rounding (:mod:`verify.flow.stride`); then B is (E + 4 times the integral of |defect|) exp(...), which leaves room
for a checker that bounds the same by other means.

*Logarithmic norm.* For a squared loss of a multilinear model mu <= u factor K g
(:mod:`verify.flow.geometry`), -J^T J only contracts. K and g are bounded on PIECES parts of the step:
n_l(s) <= n_l(0) + sum_(k>=1) |c_lk| s^k + rho, and likewise g, which is also bounded by |R(m)|_F, since the
loss does not increase along the solution through m, plus Lambda times twice rho for the way from there. For
other models mu is bounded by the norm of the Jacobian (:func:`verify.flow.majorant.lipschitz`), which holds
for any vector field and is good for finite times only.

*Change of time.* The step variable s has dt/ds = u(s) = exp(-beta s), with beta of either sign chosen anew
in each step: t(s) = (1 - exp(-beta s))/beta. It is a prescribed function and not one of the state, so in s
the flow still has Jacobian u(s) (-J^T J - curvature), and everything above holds for any beta. For depth L
and a small state, F is nearly homogeneous of degree q + 1 = L - 1: |theta|' = c |theta|^(q+1), which has a
pole in t at distance R = 1/(q c |theta|^q). With beta = 1/R the solution is |theta| = |theta(0)| exp(c
|theta(0)|^q s), an entire function of s. A step then multiplies the state by a factor that grows with the
number of digits, so that the number of steps from scale alpha is about log(1/alpha) for every depth, while
t runs to about alpha^(2-L). Sensitivity at fixed t is genuine (alpha^(1-L)), and the working precision
follows it. After the growth the nearest singularity lies behind, at t = -R, and limits plain steps to a
fixed fraction of t; with beta = -1/R the variable s is a logarithm of t + R. Any beta is valid; a good one
is found from the ratios of a short expansion. Near a zero of the loss these do not show the singularity, which lies as far behind
as the residual was of the size of the data; the distance follows from its decay.

*Many digits.* Where steps are made in balls, most of the time goes into Taylor coefficients. There the local error is smaller by
CLOSER bits, so that the polynomial of the step also serves for the certificate.

*Infinity.* Let sigma_0 bound the smallest singular value of J(m) from below (a verified inverse of J J^T),
kappa = K |X|_2 be a Lipschitz constant of J on the ball of radius R around m, and sigma = sigma_0 - kappa R
> 0. Put rho_0 = |r(m)| + Lambda |X|_2 E. As long as a flow from the ball of radius E stays within R,
d|r|/dt <= -factor sigma |J^T r| and |J^T r| >= sigma |r| (Polyak-Lojasiewicz), so its length is at most
rho_0/sigma and the integral of factor |r| at most rho_0/sigma^2. If E + rho_0/sigma < R it stays for ever
and converges to a point of zero loss. The flow from m itself converges to m - J^+ r(m) + e, where the part
of e in the row space of J is at most kappa |r|^2/(2 sigma^3) (Taylor remainder of r = 0) and the part
orthogonal to it, which comes from the integral of factor (J(theta) - J(m))^T r with |theta - m| <= (|r(m)|
- |r|)/sigma, at most the same. So |e| <= kappa |r|^2/(sqrt 2 sigma^3). The limit from the true state
differs by at most E exp(kappa rho_0/sigma^2), since mu <= factor kappa |r| along the flow of every point of
the segment.

*The slow end.* From a residual of 2^-8 or so on, a sum of exponentials leads in one step to a point with a residual of the
size of the error (:mod:`verify.flow.exponential`), where the argument above closes at once. Taylor steps go on where no such
sum is found.

For which inputs the limit can be certified
===========================================

A limit of zero loss at which J has full row rank; or a start at which the field is exactly zero. The answer is *undetermined*
for limits that are saddles (diagonal target -1 from alpha I), for target 0 (algebraic decay), for a semidefinite limit with a
singular block that is observed in full (so [[1, 2, ?], [2, 4, 1], [?, 1, ?]] from a multiple of the identity: the product W_1^T
W_1 ends with the null vector v = (2, -1, 0), and v v^T, which is supported on the observed cells, is in the kernel of J^T; the
residual decays like a power of time), where hidden widths are too small to fit, and for inconsistent or redundant data (more
samples than dimensions). It is undetermined, too, where the way is too long: steps are held to some multiple of the fastest
time of the flow. So it is at depth 3 or more after a warm start from a limit of low rank, if the new observations need a higher
one: from a singular value s the next component grows in a time like s^(2/L - 1), and until then the flow stays near a saddle
(`data/kepler.csv --depth 3 --init identity:1e-5 --then data/kepler_more.csv`; at depth 2 the same limit is certified). Finite
times can always be enclosed, with enough digits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from time import process_time
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq

from verify.flow import deadline, exponential, foresight, geometry
from verify.flow.balls import (
    INFLATE,
    Dyadic,
    ball,
    dyadic,
    encode,
    exact,
    frobenius_bound,
    from_dyadic,
    join,
    log2_fraction,
    log2_of,
    log2_top,
    magnitude,
    precision,
    spectral_bound,
    split,
)
from verify.flow.certificate import polynomial_of, room_for
from verify.flow.fixedpoint import BITS, RANGE
from verify.flow.majorant import MAX_ORDER, PIECES, StepMajorant, lipschitz, log2_norm
from verify.flow.models import BALLS, EXACT, FLOAT, MODULAR, PRIME, CPTensor, LeastSquares, LinearNetwork, Model
from verify.flow.recheck import VERSION
from verify.flow.stride import LARGEST, Point, Step, Strider, to_point
from verify.flow.tape import Tape, residual_number, trace
from verify.flow.taylor import expand, falling_bits

Flat = list[arb]
LOG2_10 = math.log2(10)
SLACK = 10  # bits in reserve for small entries of the product
GREW = "the error bound grew to the size of the state: the flow is very sensitive there"
TRIED, USUAL, MANY = 3, 120, 50  # steps after which the time is forecast; how many are usual, and so with many digits
SMALL = 20  # bits by which a residual is smaller than the data where the loss is nearly zero
PROBE = 14  # order of the expansion from which a change of time is chosen
CLOSER = 24  # bits by which a local error is smaller still where the polynomial of a step serves for its certificate
LONGER = 1.2  # how many times longer a step is than the one before, about
EARLY, SINCE = 10.0, 6.0  # nats by which a residual has to be small for its decay to tell the distance of a singularity, and more
FAR = 30  # log2 of a factor that the square of the residual hardly ever gets in the error of the Newton step


@dataclass(frozen=True)
class Problem:
    """A model and an exact start. Build it with :meth:`make`."""

    model: Model
    start: tuple[Any, ...]

    @classmethod
    def make(cls, model: Model, start: Sequence[Any]) -> Problem:
        """Convert the start to exact rationals (floats mean themselves, strings decimals or fractions).

        Raises ValueError for wrong shapes or numbers that are not finite.
        """
        blocks = model.start(start)
        for b in blocks:
            for v in b.flat:
                if not isinstance(v, Fraction):
                    raise ValueError("the start must be numbers")
        return cls(model, blocks)


@dataclass(frozen=True)
class Result:
    """Answer of :func:`certified_limit` and :func:`enclose`.

    Attributes:
        status: "certified" or "undetermined".
        reason: why undetermined; empty otherwise.
        time: "infinity" or the time as a ball (of the enclosure that is given).
        blocks: balls for every factor, arrays of the model's shapes.
        product: balls for the end-to-end product (for CP: unfolded along the first axis), or None.
        digits: the digits that were asked for.
        achieved: certain significant digits of the worst entry of the product (absolute ones relative to
            its largest entry where an enclosure contains zero); of the blocks if there is no product.
        certificate: JSON-able; :func:`verify.flow.certificate.complete` adds the polynomials with which
            :mod:`verify.flow.recheck` accepts it without search (linear networks and CP).
        info: figures of the run: steps, orders, precision, growth of the error.
    """

    status: str
    reason: str
    time: Any
    blocks: tuple[Any, ...]
    product: Any
    digits: int
    achieved: int
    certificate: dict[str, Any]
    info: dict[str, Any] = field(default_factory=dict)

    @property
    def certified(self) -> bool:
        return self.status == "certified"


def certified_limit(problem: Problem, digits: int, max_steps: int = 4000, exponentials: bool = True) -> Result:
    """A ball that contains the limit of the gradient flow at t = infinity, or "undetermined".

    Args:
        problem: a least-squares model (linear network or CP tensor) with an exact start.
        digits: wanted significant digits for every entry of the end-to-end product (where the enclosure of
            an entry contains zero, an absolute bound 10^-digits times the largest entry); the blocks get
            the same absolute accuracy.
        max_steps: steps after which the answer is "undetermined".
        exponentials: whether the end may be a step along a sum of exponentials; else all steps are along polynomials (as the
            kernel's rule `flow` wants them).

    Raises ValueError for digits < 1, TypeError for a model without bounds (see :func:`enclose`).
    """
    if digits < 1:
        raise ValueError(f"digits below 1: {digits}")
    if not geometry.supports(problem.model):
        raise TypeError(f"no bounds at infinity for the model {problem.model.name}")
    return _repeat(problem, digits, None, max_steps, exponentials)


def enclose(problem: Problem, time: Any, digits: int, max_steps: int = 4000) -> Result:
    """A ball that contains the state of the flow at a finite time, for any model.

    Args:
        time: exact, non-negative.
        digits: wanted digits, as for :func:`certified_limit` (of the blocks where the model has no product).

    Raises ValueError for digits < 1 or a negative time.
    """
    if digits < 1:
        raise ValueError(f"digits below 1: {digits}")
    stop = exact(time)
    if stop < 0:
        raise ValueError(f"negative time: {stop}")
    return _repeat(problem, digits, stop, max_steps)


def descend(problem: Problem, level: Fraction, max_steps: int = 4000) -> Result:
    """A ball at some finite time at which the sum of squared residuals is below a positive level, or "undetermined".

    Args:
        problem: a least-squares model with an exact start.

    The certificate has the kind "undetermined": it encloses the state at the time where the run stopped.
    """
    return _repeat(problem, 3, None, max_steps, level=level)


class _Stopped(Exception):
    """The run cannot go on; `more` says by how many bits a finer run might help (0: not at all)."""

    def __init__(self, reason: str, more: int = 0):
        super().__init__(reason)
        self.more = more


def enclose_ball(problem: Problem, radius: Fraction, digits: int, stop: Fraction | None, max_steps: int) -> Result:
    """As :func:`certified_limit` or :func:`enclose` (with a time to stop), for every start within a distance `radius` > 0."""
    return _repeat(problem, digits, stop, max_steps, spread=radius)


def _repeat(
    problem: Problem,
    digits: int,
    stop: Fraction | None,
    max_steps: int,
    exponentials: bool = True,
    level: Fraction | None = None,
    spread: Fraction = Fraction(0),
) -> Result:
    """Run with rising initial accuracy until the digits are reached."""
    fixed = None if spread else _stationary(problem, digits, stop)
    if fixed is not None:
        return fixed
    extra, want = _guess_growth(problem), math.ceil(digits * LOG2_10) + 3
    runs: list[_Run] = []
    for _ in range(3 if spread else 4):
        run = _Run(problem, digits, want, extra, stop, max_steps, spread)
        run.decayed, run.level = not exponentials, level
        runs.append(run)
        try:
            run.go()
        except _Stopped as stopped:
            reason = str(stopped)
            if (stopped.more == 0 and reason != GREW) or deadline.passed():
                return run.result("undetermined", reason, digits)
            rest = _at_rest(problem, runs)
            if not rest and runs[0].floor > 20 - LARGEST > run.floor - stopped.more:
                rest = f"{reason}, and more digits than {math.ceil(-run.floor / LOG2_10)} would take very long"
            last = runs[0] if stop is None else run  # it tells the same, with less to check
            if rest:
                return last.result("undetermined", rest, digits)
            if run.stillest is not None and run.stillest.slope < -20:
                reason += f"; it was closest to rest {run.stillest.where()}"
            if stopped.more == 0:
                break
            extra += stopped.more
            continue
        result = run.result("certified", "", digits)
        if result.achieved >= digits or level is not None:
            return result
        reason, last = f"{result.achieved} of {digits} digits", run
        want += math.ceil((digits - result.achieved) * LOG2_10) + 4
    return last.result("undetermined", reason, digits)


def _at_rest(problem: Problem, runs: Sequence[_Run]) -> str:
    """In words where the flow seems to end, if finer and finer runs come closer and closer to one point of rest; else empty. What
    kind of point that is follows from the Hessian there (:mod:`verify.flow.rest`).

    A flow that starts at a small scale may pass a saddle at a distance of that scale, or of its power L - 1 at a depth L above 2,
    so it has to come much closer than that.
    """
    found = [run.stillest for run in runs if run.stillest is not None]
    if len(problem.start) > 2 and len(found) > 1:  # near a saddle of a deep product the bounds grow, but the flow does not
        before, last = found[-2:]
        if abs(last.slope - before.slope) < 1 and abs(last.residual - before.residual) < 1e-6:
            return f"the flow stays {last.where()}, for longer than the bounds of its error can follow"
    scale = log2_fraction(max(abs(v) for b in problem.start for v in b.flat))
    near = -30 - max(1, len(problem.start) - 1) * max(0.0, -scale)
    if len(found) < len(runs) or len(runs) < 2 or not found[-1].slope < near:
        return ""
    before, last = found[-2:]
    return last.told() if last.slope < before.slope - 6 and abs(last.residual - before.residual) < 1e-2 else ""


@dataclass(frozen=True)
class _Still:
    """Where a run was closest to rest: log2 of the field relative to state and residual, log2 of the residual, the point."""

    slope: float
    residual: float
    product: Any

    def told(self) -> str:
        """In words, for a limit."""
        digits = math.floor(-self.slope / LOG2_10)
        return f"the flow comes to rest, as far as {digits} digits can tell, {self.where()}"

    def where(self) -> str:
        """In words, at a loss and near a product."""
        return foresight.place(4**self.residual / 2, self.product)


def _guess_growth(problem: Problem) -> int:
    """Bits by which a small start grows (a guess; runs are repeated where it was too low)."""
    model = problem.model
    target = getattr(model, "target", None)
    if not isinstance(model, LeastSquares) or target is None:
        return 2
    size = max((abs(v) for b in problem.start for v in b.flat), default=Fraction(0))
    goal = max((abs(v) for v in target.flat), default=Fraction(0))
    if size == 0 or goal == 0:
        return 2
    wanted = log2_fraction(goal) / len(model.shapes)
    ratio = wanted - log2_fraction(size)
    return max(2, math.ceil(model.degree * ratio))


def _stationary(problem: Problem, digits: int, stop: Fraction | None) -> Result | None:
    """The answer for a start at which the field is exactly zero; None for others."""
    model = problem.model
    if _moves(problem) or any(v != 0 for b in model.field(problem.start, EXACT) for v in b.flat):
        return None
    bits = math.ceil((digits + 2) * LOG2_10) + 8
    with precision(bits):
        blocks = tuple(BALLS.array(b) for b in problem.start)
        product = None
        if isinstance(model, LeastSquares):
            product = BALLS.array(model.product(problem.start, EXACT))
    certificate = {**_header(problem), "kind": "stationary"}
    time = "infinity" if stop is None else ball(stop)
    return Result("certified", "", time, blocks, product, digits, digits, certificate, {"steps": 0})


def _moves(problem: Problem) -> bool:
    """Whether the field at the start is not zero modulo a prime, so that it is not zero; cheaper than the field itself."""
    try:
        blocks = tuple(MODULAR.array(b) for b in problem.start)
        return any(v % PRIME for b in problem.model.field(blocks, MODULAR) for v in b.flat)
    except ValueError:  # a denominator is a multiple of the prime
        return False


def _fraction_text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}" if value.denominator != 1 else str(value.numerator)


def _header(problem: Problem) -> dict[str, Any]:
    """The problem as JSON, exactly."""
    model = problem.model
    start = [[[_fraction_text(v) for v in row] for row in b] for b in problem.start]
    out: dict[str, Any] = {"format": "verify-flow", "version": VERSION, "start": start}
    if isinstance(model, LinearNetwork):
        cells = [
            [_fraction_text(v) if m else None for v, m in zip(vs, ms, strict=True)]
            for vs, ms in zip(model.target, model.mask, strict=True)
        ]
        data = None if model.data is None else [[_fraction_text(v) for v in row] for row in model.data]
        out["model"] = {
            "name": "linear-network",
            "widths": list(model.widths),
            "target": cells,
            "data": data,
            "factor": _fraction_text(model.factor),
        }
    elif isinstance(model, CPTensor):
        cells = [
            [_fraction_text(v) if m else None for v, m in zip(vs, ms, strict=True)]
            for vs, ms in zip(model.target, model.mask, strict=True)
        ]
        out["model"] = {
            "name": "cp-tensor",
            "dims": list(model.dims),
            "rank": model.rank,
            "target": cells,
            "factor": _fraction_text(model.factor),
        }
    else:
        out["model"] = {"name": model.name}
    return out


class _Run:
    """One pass from the start to the goal with a fixed initial accuracy 2^-(want + extra) (relative to the
    scale 1 of
    the goal)."""

    def __init__(
        self,
        problem: Problem,
        digits: int,
        want: int,
        extra: int,
        stop: Fraction | None,
        max_steps: int,
        spread: Fraction = Fraction(0),
    ):
        self.problem, self.model = problem, problem.model
        self.want, self.stop, self.max_steps = want, stop, max_steps
        self.least = isinstance(self.model, LeastSquares) and geometry.supports(self.model)
        model = self.model
        self.tapes = {timed: trace(model, speed=timed) for timed in (False, True)}
        self.residual_op = {timed: residual_number(model, tape) for timed, tape in self.tapes.items()}
        # The scale of the goal: digits are relative to it.
        self.scale = self._goal_scale()
        # Small entries of the product may need a better end than can be known now: some bits in reserve.
        self.digits, self.reserve = digits, SLACK if stop is None else 0
        self.floor = self.scale - want - extra - 2 - self.reserve  # log2 of the initial error budget
        self.goal = self.scale - want  # log2 of the error that is wanted at the end
        self.guard = 8
        self.steps: list[dict[str, Any] | Step] = []
        self._time = arb(0)
        self._untimed: list[tuple[Dyadic, Dyadic | None, int]] = []  # steps whose length has not been added: h, beta, bits
        self.clock = 0.0  # the time, roughly
        self.growth = 0.0  # log2 of the factor by which an error at the start may have grown in steps by the accelerator
        self.last_length = 0.0  # of the last step in balls, in t, roughly
        self.look_from = 0.0  # that of the step from which it is looked ahead
        self.capture: dict[str, Any] | None = None
        self.norms: list[arb] | None = None  # of the blocks of the point of the capture: upper bounds, where they are known
        self.begun, self.marks = process_time(), list[float]()
        self.spread = spread  # the start is any point within this distance of the problem's
        self.stillest: _Still | None = None
        self.last_norm = self.last_largest = 0.0  # of the residual, and the largest entry, where the accelerator told them
        self.level: Fraction | None = None  # of the squared residual, below which the run ends
        self.data = geometry.data_norm(model) if self.least else arb(1)  # type: ignore[arg-type]
        self.sigma: float | None = None
        self.predict = math.inf  # log2 of the factor of |r|^2 in the error of the Newton step
        self.last_attempt = math.inf
        self.first_residual: float | None = None
        self.decay_seen = False
        self.decayed, self.decay_below, self.decay_after = False, -2.5, -math.inf
        self.orders: list[int] = []
        self.max_bits = 0
        self._mid: list[Flat] | None = []
        self._point: Point | None = None
        self._top_value: float | None = None
        self._residual_log: float | None = None
        self._error_log: float | None
        self._error_double: float | None
        self.error = arb(0)
        self.strider: Strider | None = None
        self._answer: tuple[tuple[Any, ...], Any, tuple[list[Flat], arb]] | None = None
        self._begin()
        if self.least:
            bound = _upper(arb(fmpq(model.factor.numerator, model.factor.denominator)))  # type: ignore[attr-defined]
            start = [dyadic(v) for flat in self.mid for v in flat]
            self.strider = Strider(model, self.tapes, self.residual_op, _upper(self.data), bound, start)

    def _goal_scale(self) -> float:
        """log2 of the size of the limit's blocks, as far as it can be told."""
        model = self.model
        sizes = [log2_fraction(v) for b in self.problem.start for v in b.flat if v]
        target = getattr(model, "target", None)
        best = max(sizes, default=0.0)
        if isinstance(model, LeastSquares) and target is not None:
            entries = [log2_fraction(v) for v in target.flat if isinstance(v, Fraction) and v]
            if entries and self.stop is None:
                # An error e in the blocks moves the product by about |target|^(1 - 1/L) e.
                return min(
                    max(entries) / len(model.shapes),
                    max(entries) - (len(model.shapes) - 1) * best
                    if best > max(entries) / len(model.shapes)
                    else max(entries) / len(model.shapes),
                )
        return best

    def _begin(self) -> None:
        """Round the start to dyadic numbers."""
        top = max((log2_fraction(v) for b in self.problem.start for v in b.flat if v), default=0.0)
        bits = max(64, math.ceil(top - self.floor) + 40)
        error: list[arb] = []
        with precision(bits):
            for b in self.problem.start:
                flat = []
                for v in b.flat:
                    x = ball(v)
                    m = x.mid()
                    flat.append(m)
                    if not x.is_exact():
                        error.append(x - m)
                self.mid.append(flat)
        self.error = frobenius_bound(error) if error else arb(0)
        if self.spread:
            with precision(30):
                self.error = magnitude(self.error + magnitude(ball(self.spread)))
        self.begin = {"mid": _encode_blocks(self.mid), "error": encode(dyadic(self.error))}

    # -- the state: an exact point, in balls or in fixed point

    @property
    def mid(self) -> list[Flat]:
        """The midpoint, one list of exact balls per block."""
        if self._mid is None:
            assert self._point is not None
            unit = -BITS * self._point.unit
            self._mid = [[from_dyadic((v, unit)) for v in flat] for flat in self._point.mid]
        return self._mid

    @mid.setter
    def mid(self, value: list[Flat]) -> None:
        self._mid, self._point, self._top_value, self._residual_log = value, None, None, None

    @property
    def time(self) -> arb:
        """The time that was covered."""
        for h, rate, bits in self._untimed:
            width = from_dyadic(h)
            beta = None if rate is None else from_dyadic(rate)
            with precision(4 * bits + 64):
                self._time = self._time + (width if beta is None else -(-beta * width).expm1() / beta)
        self._untimed.clear()
        return self._time

    @time.setter
    def time(self, value: arb) -> None:
        self._time, self._untimed = value, []

    @property
    def error(self) -> arb:
        """A bound of the distance of the solution from the midpoint: an exact ball."""
        return self._error

    @error.setter
    def error(self, value: arb) -> None:
        self._error, self._error_log, self._error_double = value, None, None

    def _error_bound(self) -> float:
        """The error, rounded up."""
        return _upper(self._error) if self._error_double is None else self._error_double

    def _error_size(self) -> float:
        """log2 of the error."""
        if self._error_log is None:
            self._error_log = log2_of(self._error)
        return self._error_log

    def _move_to(self, point: Point) -> None:
        self._mid, self._point, self._top_value, self._residual_log = None, point, None, None

    def _exact_point(self) -> Point:
        if self._point is None:
            self._point = to_point([[dyadic(v) for v in flat] for flat in self.mid])
        return self._point

    # -- the loop
    # -----------------------------------------------------------------------------------------------

    def go(self) -> None:
        if self.stop is not None:
            while not self._finish_time():
                pass
            return
        if self.level is not None:
            while not self._below(self.level):
                self._stop_in_time()
                if not self._stride(None):
                    self._step(self._beta())
            return
        while not (self._try_capture() and self._enough()):
            self._stop_in_time()
            if not (self._decay() or self._stride(None)):
                self._step(self._beta())

    def _first_step(self) -> float:
        """Seconds that the first step will take, about: those of an eighth of its orders, whose products are a sixty-fourth."""
        order, bits, _ = self._plan()
        if bits < 1000:
            return 0.0
        begun = process_time()
        expand(self.tapes[False], self.mid, order // 8, [bits] * (order // 8 + 1), None)
        return 40 * (process_time() - begun)

    def _below(self, level: Fraction) -> bool:
        """Whether the squared residual is below a level at every point of the ball around the midpoint."""
        model = self.model
        assert isinstance(model, LeastSquares)
        if 2 * self._residual_size() > log2_fraction(level):
            return False
        self._check_error()
        with precision(64):
            matrix, _ = model.forward(geometry.to_blocks(self.mid, model.shapes), BALLS)
            sizes = zip(self.mid, model.shapes, strict=True)
            norms = [geometry.block_norm(model, flat, shape) + self.error for flat, shape in sizes]
            reach = frobenius_bound(list(matrix.flat)) + geometry.slope(model, norms) * self.data * self.error
            return bool(reach * reach < ball(level))

    def _stop_in_time(self) -> None:
        if len(self.steps) <= TRIED and deadline.patience() < math.inf:
            each = (process_time() - self.begun) / len(self.steps) if self.steps else self._first_step()
            usual = MANY if self._at_once() else USUAL
            if each * usual > deadline.patience() * (1 if len(self.steps) == TRIED else 3):
                raise _Stopped(
                    f"a step takes about {each:.2g} s with {math.ceil(self._top() - self.floor)} bits: with its check the answer "
                    f"may take {math.ceil(each * usual / 60)} minutes or more; allow them with --time-limit SECONDS"
                )
        if len(self.steps) >= self.max_steps:
            raise _Stopped(f"not decided after {self.max_steps} steps")
        self._look_ahead()
        if deadline.passed():
            raise _Stopped(f"not decided after {len(self.steps)} steps, when the time was over")

    def _look_ahead(self) -> None:
        """Give up where the end is much too far (see :mod:`verify.flow.foresight`)."""
        count, model = len(self.steps), self.model
        if self.stop is not None or not isinstance(model, LeastSquares):
            return
        if count + foresight.BEFORE in foresight.LOOKS:
            self.look_from = self.clock
        elif count in foresight.LOOKS and self.clock > self.look_from:
            blocks = [np.array([float(v) for v in f]).reshape(s) for f, s in zip(self.mid, model.shapes, strict=True)]
            if any((b.ravel() == 0).tolist() != [v.is_zero() for v in f] for b, f in zip(blocks, self.mid, strict=True)):
                return  # beyond the doubles
            each = (self.clock - self.look_from) / foresight.BEFORE
            if why := self._loses_rank(each * (self.max_steps - count) * foresight.MUCH):
                raise _Stopped(why)
            if why := foresight.objection(model, blocks, each, self.max_steps - count):
                raise _Stopped(why)

    def _loses_rank(self, far: float) -> str:
        """Why the end cannot be reached in a time `far` where the loss is nearly zero, but the Jacobian of the residual seems to
        lose rank (heuristic); empty for others.

        The limit can be enclosed where the residual is small beside sigma^2/kappa. It will not be if it hardly falls any more.
        """
        model = self.model
        assert isinstance(model, LeastSquares)
        size = self._residual_size()
        if not -900 < size < self._target_size() - SMALL:
            return ""
        sigma, kappa = geometry.estimate(model, self.mid)
        if kappa * 2.0**size < sigma**2 / 8 or 4 ** (self._field_size() - size) / float(model.factor) * far > 0.5:
            return ""
        return (
            f"too slow an end for the validated engine: at a residual of {2.0**size:.2g} the smallest singular value of its "
            f"Jacobian is {sigma:.2g}, about the root of it: they seem to vanish together, like a power of time, and the limit "
            "has no full row rank (as for an observed 0, or an observed block of lower rank); --engine float64 gives an estimate"
        )

    def _decay(self) -> bool:
        """The rest of the way in one step along a sum of exponentials (:mod:`verify.flow.exponential`), if there is one yet."""
        model = self.model
        if not isinstance(model, LeastSquares) or not self.least or self.decayed:
            return False
        size = self._residual_size()
        now = self.clock
        assert self.first_residual is not None
        if size > min(self.first_residual - 1.5, self.decay_below) or now < self.decay_after:
            return False
        tau = max(self.goal - self.reserve, self._error_size() - 1) - 3
        if self.error == 0:
            return False
        point, unit = self._exact_point().flat(), BITS * self._exact_point().unit
        program = None if self.strider is None else self.strider.program(point)
        known = None
        if self.strider is not None and self.strider.shares and self._exact_point().residual is not None:
            known = np.frombuffer(self._exact_point().residual)
        found = exponential.find(model, point, unit, tau, program, first=not self.decay_seen, known=known)
        self.decay_seen = True
        if isinstance(found, exponential.Later):
            self.decay_below, self.decay_after = found.size, now + found.wait
            return False
        if isinstance(found, exponential.Miss):
            self.decay_after = now + found.wait
            return False
        proved = None
        if found is not None:
            ends = exponential.split([row[0] for row in found.coefficients], model.shapes)
            mid = [[from_dyadic((v, -found.unit)) for v in flat] for flat in ends]
            norms = [_upper(geometry.block_norm(model, flat, shape)) for flat, shape in zip(mid, model.shapes, strict=True)]
            proved = exponential.bound(model, found, point, unit, self._error_bound(), norms, _upper(self.data), tau - 2)
        if found is None or proved is None:
            self.decay_below = size - 1
            return False
        excess = math.log2(proved.error) - self.goal
        if excess > 4 - self.reserve and self._error_size() < self.goal - max(4, self.reserve - 1):
            self.decay_below = size - 1  # the reserve would be spent, or more
            return False
        if excess > 0:
            raise _Stopped("not enough digits at the end", math.ceil(excess) + 7 + self.reserve)
        self.decayed = True
        self.mid, self.error = mid, arb(proved.error)
        self._untimed.append((proved.length, None, found.unit))
        order = max(map(sum, found.terms))
        self.orders.append(order)
        self.max_bits = max(self.max_bits, found.unit)
        self.steps.append(
            {
                "kind": "exponential",
                "h": encode(proved.length),
                "beta": None,
                "order": order,
                "bits": found.unit,
                "rates": [encode((a, -found.unit)) for a in found.rates],
                "terms": [list(k) for k in found.terms],
                "coefficients": [
                    [[format(row[k], "x") for row in part] for part in exponential.split(found.coefficients, model.shapes)]
                    for k in range(len(found.terms))
                ],
                "rho": encode(dyadic(arb(proved.rho))),
                "mid": _encode_blocks(self.mid),
                "error": encode(dyadic(self.error)),
                "final": False,
            }
        )
        self._capture_rest(proved.residual, norms, found.unit)
        return True

    def _capture_rest(self, residual: float, norms: list[float], bits: int) -> None:
        """Enclose the limit at a point whose residual is as small as the error, without a Newton step.

        Args:
            residual: upper bound of its norm. norms: of the blocks' norms.
        """
        model = self.model
        assert isinstance(model, LeastSquares)
        lowest = geometry.smallest_singular_value(model, self.mid)
        if not lowest > 0:
            return
        error, data = _upper(self.error), _upper(self.data)
        radius = 0.0
        for _ in range(2):
            around = [(n + radius) * INFLATE for n in norms]
            start = (residual + exponential.slope(model, around) * data * error) * INFLATE
            radius = (2 * (error + start / lowest)) * INFLATE
        around = [(n + radius) * INFLATE for n in norms]
        start = (residual + exponential.slope(model, around) * data * error) * INFLATE
        kappa = exponential.curvature(around) * data * INFLATE
        sigma = (lowest - kappa * radius) * (1 - 1e-9)
        if not sigma > 0 or not (error + start / sigma) * INFLATE < radius:
            return
        square = residual**2 + exponential.FLOOR
        bound = (0.7072 * kappa * square / sigma**3 + error * math.exp(kappa * start / sigma**2)) * INFLATE
        final = (bound * 1.01 + 2 * residual / sigma) * INFLATE
        if not math.log2(final) <= self.goal:
            return
        self.centre, self.final, self.norms = self.mid, arb(final), [arb(n) for n in norms]
        self.capture = {
            "bits": bits,
            "radius": encode(dyadic(arb(radius))),
            "mid": _encode_blocks(self.mid),
            "error": encode(dyadic(self.final)),
        }

    def _watch(self) -> None:
        """Remember the point that is closest to rest since the flow last moved (heuristic, in doubles), as long as the error is
        small beside the state.
        """
        model, top = self.model, self._top()
        if self.stop is not None or not isinstance(model, LeastSquares) or not self.least or self._error_size() > top - 24:
            return
        if self._point is not None and self._point.residual is not None:
            now, before, largest, last = self._point.norm, self.last_norm, self._point.largest, self.last_largest
            self.last_norm, self.last_largest = now, largest
            moved = now < 0.9 * before or not 0.9 * last < largest < 1.1 * last
            if moved or self._is_small(top, now):  # on the way, or not yet off
                self.stillest = None
                return
        blocks = [np.array([float(v) for v in f]).reshape(s) for f, s in zip(self.mid, model.shapes, strict=True)]
        residual = model.forward(blocks, FLOAT)[0]
        field = model.field(blocks, FLOAT)
        size, speed = float(np.abs(residual).max()), max(float(np.abs(b).max()) for b in field)
        if not (1e-100 < size < 1e100 and -300 < top < 300):
            return
        slow = math.log2(speed) if speed > 0 else -math.inf
        if slow < math.log2(size) + top - 30:  # too small for doubles
            slow = self._field_size()
        slope = slow - math.log2(size) - top
        product = model.product(blocks, FLOAT)
        if slope > -8 or not float(np.abs(product).max()) > 1e-3 * size:  # on the way, or not yet off
            self.stillest = None
        elif slope < -10 and (self.stillest is None or slope < self.stillest.slope):
            self.stillest = _Still(slope, math.log2(float(np.linalg.norm(residual))), product)

    def _is_small(self, top: float, norm: float) -> bool:
        """Whether the product of factors with entries up to 2^top is below a thousandth of the residual's entries."""
        model = self.model
        if not isinstance(model, LinearNetwork):
            return False
        cells, depth = model.mask.size, len(model.shapes)
        return depth * top + (depth - 1) * math.log2(max(model.widths)) + 0.5 * math.log2(cells) + 10 < math.log2(norm or 1e-300)

    def _check_error(self) -> None:
        top = self._top()
        self._watch()
        if self._error_size() > top - 2:
            raise _Stopped(GREW, self._more())

    def _more(self) -> int:
        """Bits for another try after the error grew to the size of the state, or 0 after many."""
        grown = self._error_size() - self.floor
        return math.ceil(grown * 0.75) + 32 if grown < 400 + 2 * self.want else 0

    def _field_size(self) -> float:
        """log2 of the largest entry of the field at the midpoint (heuristic)."""
        with precision(max(64, self.max_bits)):
            out = self.model.field(geometry.to_blocks(self.mid, self.model.shapes), BALLS)
        return log2_top(v for b in out for v in b.flat)

    def _beta(self) -> arb | None:
        """The rate of the change of time for the next step (exact, 12 bits), or None.

        Heuristic: Taylor coefficients c_k of a singularity at distance R in the direction of the real axis
        have ratios r_k with k r_k - (k - 1) r_(k-1) = 1/R, positive ahead and negative behind (for an
        entire exponential it is 0). Ahead that is taken if it is stable; for a state that decays, 4/5 of
        the ratio itself turned out best.
        """
        tape, top = self.tapes[False], PROBE
        series = expand(tape, self.mid, top, [64] * (top + 1), None)
        best, where = -math.inf, (0, 0)
        for number in tape.inputs:
            last = series.coefficients(number, top)
            for e, v in enumerate(last):
                size = log2_of(v)
                if size > best:
                    best, where = size, (number, e)
        if best == -math.inf:
            return None
        column = [series.coefficients(where[0], k)[where[1]] for k in range(top - 4, top + 1)]
        with precision(53):
            if any(v.mid() == 0 for v in column):
                return None
            unit = abs((column[-1].mid() / column[-2].mid()).mid())
            ratios = [float((y.mid() / x.mid() / unit).mid()) for x, y in itertools.pairwise(column)]
        if min(ratios) * max(ratios) <= 0:
            return None
        if ratios[-1] < 0:
            rate = 0.8 * ratios[-1]
            behind = self._behind()
            if behind is not None:
                rate = max(rate, float((behind / unit).mid()))
        else:
            rates = [(top - 2 + i) * ratios[1 + i] - (top - 3 + i) * ratios[i] for i in range(3)]
            if min(rates) < 0.2 or max(rates) > 2 * min(rates):
                return None
            rate = rates[-1]
        man, exp = _short(math.log2(abs(rate)) + log2_of(unit))
        return from_dyadic((man if rate > 0 else -man, exp))

    def _behind(self) -> arb | None:
        """Minus one over the distance of the singularity behind a state that decays to a zero of the loss; None for others.

        Heuristic: with a residual r that falls at the rate lambda the solution is a series in r exp(-lambda t), which converges
        as far back as to a residual of the size of the target, a time of log(target/r)/lambda ago. Coefficients show that only
        from order log(target/r) on; before it they look like those of exp(-lambda t) alone.
        """
        model = self.model
        if self.stop is not None or not isinstance(model, LeastSquares) or not self.least:
            return None
        nats = (self._target_size() - self._residual_size()) * math.log(2)
        if not EARLY < nats < math.inf:
            return None
        _, bits, _ = self._plan()
        with precision(bits):
            blocks = geometry.to_blocks(self.mid, model.shapes)
            residual = frobenius_bound(list(model.forward(blocks, BALLS)[0].flat))
            field = frobenius_bound([v for b in model.field(blocks, BALLS) for v in b.flat])
        with precision(53):
            rate = (field / residual) ** 2 / ball(model.factor)
            return -(rate / arb(nats + SINCE)).mid()

    def _swelling(self) -> int:
        """Bits that balls lose on the next plain step, about: errors that the fastest mode damps grow at its rate in balls."""
        if not self.least or self.last_length == 0:
            return 0
        model = self.model
        assert isinstance(model, LeastSquares)
        norms = [geometry.block_norm(model, flat, shape) for flat, shape in zip(self.mid, model.shapes, strict=True)]
        with precision(30):
            rate = _upper((geometry.slope(model, norms) * self.data) ** 2 * ball(model.factor))
        return math.ceil(min(self.want, LONGER * rate * self.last_length / math.log(2)))

    def _at_once(self) -> bool:
        """Whether the polynomials of the certificate are made with the steps: then each step is expanded only once."""
        return self.least and self._top() - self.floor > LARGEST

    def _plan(self) -> tuple[int, int, float]:
        """(order, bits, tau): tau is log2 of the local error that is aimed at."""
        # Local errors may add a sixty-fourth of the error so far, less and less in a long run.
        share = 6 + math.log2(1 + len(self.steps) / 20)
        top = self._top()
        if self._at_once():
            share += CLOSER
        allowed = self.floor + 3  # what the first error would be by now
        allowed += min(self.growth, max(0.0, self.goal - self.reserve - 2 - allowed))
        tau = max(self._error_size(), allowed) - share
        need = max(24.0, top - tau + 4)
        order = min(MAX_ORDER, max(10, round(0.416 * need) + 2))
        return order, math.ceil(need) + self.guard, tau

    def _stride(self, limit: arb | None) -> bool:
        """One accepted step by the accelerator; False if it is off or cannot make one."""
        if self.strider is None or not self.strider.available:
            return False
        self._check_error()
        _, _, tau = self._plan()
        if not -RANGE < tau < RANGE or (self.error > 0 and self._error_size() < -RANGE):
            return False
        if abs(self._top()) > RANGE / 2:  # doubles hold the squares of the state
            return False
        rest = None if limit is None else float(limit.mid()) * (1 - 1e-9)
        made = self.strider.step(self._exact_point(), self._error_bound(), tau, rest)
        if made is None or made.h[0] == 0:
            return False
        self._untimed.append((made.h, made.beta, made.bits))
        self.clock += made.length()
        self._move_to(made.end)
        self.error = arb(made.error)
        self._error_double, self._error_log = made.error, math.log2(made.error)
        self.growth += math.log2(made.bound / made.begin)
        self.orders.append(made.order)
        self.max_bits = max(self.max_bits, made.bits)
        self.steps.append(made)
        return True

    def _step(self, beta: arb | None, limit: arb | None = None) -> None:
        """One accepted step. `limit` bounds its length in t: a plain step may end exactly there, one with
        a change of time stays below.
        """
        self._check_error()
        if self._at_once() and beta is not None and beta < 0:
            self.guard = max(self.guard, self._swelling())
        order, bits, tau = self._plan()
        tape = self.tapes[beta is not None]
        precs = falling_bits(bits, order, self.guard + 16)
        for _ in range(6):
            series = expand(tape, self.mid, order, precs, beta)
            guess = math.inf
            for k in (order, order - 1):
                size = max(log2_norm(series, number, k) for number in tape.inputs)
                if size > -math.inf:
                    guess = min(guess, (tau - size) / k)
            if guess == math.inf:
                guess = 0.0 if limit is None else log2_of(limit)
            if limit is not None and beta is not None and beta < 0:
                with precision(53):
                    guess = min(guess, log2_of((-beta * limit).log1p() / -beta) - 0.1)
            attempt = self._accept(
                series, tape, order, bits, tau, guess, beta, limit if beta is None else None
            )
            if attempt is not None:
                return
            # The radii of the coefficients were too large: more digits.
            _, bits, _ = self._plan()
            precs = falling_bits(bits, order, self.guard + 16)
        raise _Stopped("no step could be validated", 0)

    def _accept(
        self,
        series: Any,
        tape: Tape,
        order: int,
        bits: int,
        tau: float,
        guess: float,
        beta: arb | None,
        limit: Any,
    ) -> bool | None:
        """Validate a step and move on. None asks for more working precision; raises _Stopped if nothing
        works.
        """
        log_h = guess - min(0.05, 4 / order)
        for _ in range(60):
            h = _short(log_h)
            final = False
            if limit is not None and not from_dyadic(h) < limit:
                h, final = dyadic(limit.upper()), True
            tilt = round(max(0.0, (self._top() - tau) / order))
            try:
                major = StepMajorant(self.model, tape, series, h, tilt, beta)
            except ArithmeticError:  # a majorant overflows: far too long a step
                log_h -= 2
                continue
            width = from_dyadic(h)
            with precision(30):
                square = arb(0)
                for number in tape.outputs:
                    square += major.high[number] ** 2
                local = magnitude(square.sqrt() * width / (order + 1))
            excess = log2_of(local) - tau
            if excess > 0:
                log_h = log2_of(width) - (excess + 0.5) / (order + 1) - 0.01
                continue
            tube = self._tube(series, tape, major, local, width, beta)
            if tube is None:
                log_h = log2_of(width) - 1
                continue
            rho, bound = tube
            at = limit if final else width
            end = series.endpoint(at, bits)
            mids = [[v.mid() for v in flat] for flat in end]
            rounding = frobenius_bound(
                [v - m for f, g in zip(end, mids, strict=True) for v, m in zip(f, g, strict=True)]
            )
            excess = log2_of(rounding) - tau
            if excess > 4:
                self.guard += max(8, math.ceil(excess) + 4)
                return None
            if excess > -4:
                self.guard += 6
            elif excess < -14 and self.guard > 8:
                self.guard -= 4
            with precision(30):
                error = magnitude(bound * arb(1.01) + rounding * 2)
            with precision(4 * bits + 64):
                if beta is None:
                    self.time = self.time + at
                else:
                    self.time = self.time - (-beta * width).expm1() / beta
            before, self.clock = self.clock, float(self.time.mid())
            self.last_length = self.clock - before
            made: dict[str, Any] = {
                "h": encode(h),
                "beta": None if beta is None else encode(dyadic(beta)),
                "order": order,
                "bits": bits,
                "rho": encode(dyadic(rho)),
                "mid": _encode_blocks(mids),
                "error": encode(dyadic(error)),
                "final": final,
            }
            if self._at_once():
                room = room_for(self.model, _encode_blocks(self.mid), made, encode(dyadic(self.error)))  # type: ignore[arg-type]
                if room + 6 < log2_of(error) - tau:
                    made["polynomial"] = polynomial_of(series, tape, made, room)
            self.mid, self.error = mids, error
            self.orders.append(order)
            self.max_bits = max(self.max_bits, bits)
            self.steps.append(made)
            return True
        raise _Stopped("no step length could be validated", 0)

    def _top(self) -> float:
        """log2 of the largest entry of the state (heuristic)."""
        if self._top_value is None:
            if self._point is not None and 0 < self._point.largest < math.inf:
                self._top_value = float(math.frexp(self._point.largest)[1])
            else:
                self._top_value = log2_top(v for f in self.mid for v in f)
        return self._top_value

    def _tube(
        self, series: Any, tape: Tape, major: StepMajorant, local: arb, width: arb, beta: arb | None
    ) -> tuple[arb, arb] | None:
        """(rho, B) with B < rho, or None if no such tube was found."""
        try:
            return self._find_tube(series, tape, major, local, width, beta)
        except ArithmeticError:  # a bound overflows: too long a step
            return None

    def _find_tube(
        self, series: Any, tape: Tape, major: StepMajorant, local: arb, width: arb, beta: arb | None
    ) -> tuple[arb, arb] | None:
        with precision(30):
            # Room for a checker that computes the same bound by other means, with a polynomial of its own.
            more = arb(2) ** (CLOSER + 1) if self._at_once() else arb(2)
            start = self.error + (local * more).max(self.error / 128)
            rho = magnitude(start * 64 + from_dyadic((1, -(10**6))))
            growth = self._growth(series, tape, major, rho, width, beta)
            if growth is not None and growth < 4:
                bound = magnitude(start * growth.exp())
                if bound < rho:
                    return rho, bound
            for _ in range(4):
                if growth is None or not growth < 200:
                    return None
                rho = magnitude(start * growth.exp() * arb(1.5) + from_dyadic((1, -(10**6))))
                growth = self._growth(series, tape, major, rho, width, beta)
                if growth is None or not growth < 200:
                    return None
                bound = magnitude(start * growth.exp())
                if bound < rho:
                    return rho, bound
        return None

    def _growth(
        self, series: Any, tape: Tape, major: StepMajorant, rho: arb, width: arb, beta: arb | None
    ) -> arb | None:
        """Upper bound of the integral of the positive part of the logarithmic norm over the step, in a
        tube of radius rho.
        """
        if not self.least:
            norms = []
            for number in tape.inputs:
                norms.append(
                    frobenius_bound(series.leading(number)) + major.scaled(number).total(1, major.order) + rho
                )
            fastest = (-beta * width).exp() if beta is not None and beta < 0 else arb(1)
            return magnitude(lipschitz(tape, norms) * width * fastest)
        model = self.model
        assert isinstance(model, LeastSquares)
        head = self._heads(series, tape, beta is not None)
        timed = beta is not None
        number = self.residual_op[timed]
        # Doubles with a common exponent for blocks; PIECES values each, inflated.
        norms_d = []
        exponents = []
        for lead, inp in zip(head["blocks"], tape.inputs, strict=True):
            tail, e = major.profile(inp, 1)
            m, f = split(magnitude(lead + rho))
            top = max(e, f)
            norms_d.append((_shift(tail, e - top) + math.ldexp(m, max(f - top, -1000))) * INFLATE)
            exponents.append(top)
        count = len(norms_d)
        # Lambda at the end of the step, for the bound of g by monotone loss.
        ends = [join(float(d[-1]) * INFLATE, e) for d, e in zip(norms_d, exponents, strict=True)]
        monotone = head["frobenius"] + geometry.slope(model, ends) * self.data * rho * 2
        tail, e = major.profile(number, 1)
        leave = geometry.slope(model, ends) * self.data * rho + major.high[number]
        m, f = split(magnitude(head["dual"] + leave))
        top = max(e, f)
        g = (_shift(tail, e - top) + math.ldexp(m, max(f - top, -1000))) * INFLATE
        mm, fm = split(magnitude(monotone))
        g = np.minimum(g, math.ldexp(mm, min(fm - top, 900)) + 1e-300)  # not zero where it is far below the majorants
        # K on each piece, relative to 2^(sum of exponents - two of them); the pairs have different exponents.
        best: Any = None
        pair_top = -(1 << 60)
        rows: list[list[tuple[Any, int]]] = []
        for j in range(count):
            row = []
            for k in range(count):
                if k == j:
                    continue
                value, power = np.ones(PIECES), 0
                for i in range(count):
                    if i not in (j, k):
                        value = value * norms_d[i]
                        power += exponents[i]
                row.append((value, power))
                pair_top = max(pair_top, power)
            rows.append(row)
        for row in rows:
            total = np.zeros(PIECES)
            for value, power in row:
                total = total + _shift(value, power - pair_top)
            best = total if best is None else np.maximum(best, total)
        if count == 1:
            return arb(0)
        weights = np.ones(PIECES)
        if beta is not None:
            x = float((beta * width / PIECES).mid())
            if abs(x) * PIECES > 600:
                return None
            # The largest u on each piece, inflated: at its left end if u falls, at its right end if u grows.
            if x >= 0:
                weights = np.exp(-x * (1 - 1e-6) * np.arange(PIECES)) * (1 + 1e-9)
            else:
                weights = np.exp(-x * (1 + 1e-6) * np.arange(1, PIECES + 1)) * (1 + 1e-9)
        summed = join(float((best * g * weights).sum()) * INFLATE * INFLATE, pair_top + top)
        factor = arb(fmpq(model.factor.numerator, model.factor.denominator))
        return magnitude(summed * factor * self.data * width / PIECES)

    def _heads(self, series: Any, tape: Tape, timed: bool) -> dict[str, Any]:
        """Norms at the start of the step, once per expansion."""
        cached = getattr(self, "_head", None)
        if cached is not None and cached[0] is series:
            return cached[1]
        model = self.model
        assert isinstance(model, LeastSquares)
        number = self.residual_op[timed]
        lead = series.leading(number)
        out = {
            "blocks": [
                geometry.block_norm(model, flat, shape)
                for flat, shape in zip(self.mid, model.shapes, strict=True)
            ],
            "dual": geometry.dual_norm(model, lead, tape.ops[number].shape),
            "frobenius": frobenius_bound(lead),
        }
        self._head = (series, out)
        return out

    # -- ends
    # -----------------------------------------------------------------------------------------------------

    def _finish_time(self) -> bool:
        """One step towards the final time; True when there.

        A step with change of time covers less than 1/beta, so it cannot overshoot where beta times the rest
        is above 1.
        """
        assert self.stop is not None
        if self.stop == 0 or self._ended():
            return True
        self._stop_in_time()
        _, bits, _ = self._plan()
        with precision(4 * bits + 64):
            rest = ball(self.stop) - self.time
        if not rest > 0:
            raise _Stopped("the final time could not be met", 0)
        self._forecast(min(1e300, float(rest.mid())))
        if self._stride(rest):
            return False
        beta = self._beta()
        if beta is not None and abs(beta) * rest > 1:
            self._step(beta, rest)
            return False
        self._step(None, rest)
        return self._ended()

    def _ended(self) -> bool:
        """Whether the last step ended at the final time."""
        last = self.steps[-1] if self.steps else None
        return isinstance(last, dict) and bool(last["final"])

    def _forecast(self, rest: float) -> None:
        """Give up where the final time is much too far for steps that have stopped to grow."""
        if len(self.steps) % 20:
            return
        now = float(self.time.mid())
        self.marks.append(now)
        if len(self.marks) < 3:
            return
        before, last = self.marks[-2] - self.marks[-3], now - self.marks[-2]
        if last < 1.5 * before and rest > 5 * last * (self.max_steps - len(self.steps)) / 20:
            raise _Stopped(
                f"the final time is too far: steps do not get longer than {last / 20:.2g}, and {rest / last * 20:.2g} of them "
                "or more would be needed; ask for the limit, with --to infinity",
                0,
            )

    def _try_capture(self) -> bool:
        """Enclose the limit if the Polyak-Lojasiewicz argument closes with the wanted accuracy."""
        if self.capture is not None:
            return True
        model = self.model
        assert isinstance(model, LeastSquares)
        size = self._residual_size()
        if self.first_residual is None:
            self.first_residual = size
        if self.sigma is None and size > self.first_residual - 2 and size > -8:
            return False
        if not self._promising(size):
            return False
        _, bits, _ = self._plan()
        bits = max(bits, math.ceil(self._top() - self.goal) + 32)
        with precision(bits):
            residual, jac = geometry.residual_and_jacobian(model, self.mid)
            gram = jac * jac.transpose()
            try:
                inverse = gram.inv()
                spread = spectral_bound(inverse.entries(), inverse.nrows(), inverse.ncols())
            except (ZeroDivisionError, ArithmeticError, ValueError):
                # Singular, as far as the precision tells, or an inverse without bounds.
                return self._failed(size)
        r = frobenius_bound(residual)
        with precision(30):
            sigma0 = arb((1 / spread).lower()).sqrt().lower()
            sigma0 = arb(sigma0)
            radius = magnitude(
                (r + self.error * arb(4)) / sigma0 * 4 + self.error * 8 + from_dyadic((1, -(10**6)))
            )
            heads = [
                geometry.block_norm(model, flat, shape) for flat, shape in zip(self.mid, model.shapes, strict=True)
            ]
            norms = [head + radius for head in heads]
            rough = geometry.slope(model, norms) * self.data
            rho0 = r + rough * self.error
            radius = magnitude((self.error + rho0 / sigma0) * 2 + from_dyadic((1, -(10**6))))
            norms = [head + radius for head in heads]
            kappa = geometry.curvature(norms) * self.data
            rho0 = r + geometry.slope(model, norms) * self.data * self.error
            sigma = arb((sigma0 - kappa * radius).lower())
            if not sigma > 0 or not self.error + rho0 / sigma < radius:
                return self._failed(size)
            newton = kappa * r * r / sigma**3 * arb("0.7072")
            bound = newton + self.error * (kappa * rho0 / sigma**2).exp()
        self.sigma = log2_of(sigma)
        self.predict = log2_of(kappa) - 3 * self.sigma
        if log2_of(bound) > self.goal:
            if self._error_size() > self.goal - 1:
                raise _Stopped("not enough digits at the end", self._missing())
            return False
        with precision(bits):
            column = arb_mat([[v] for v in residual])
            shift = jac.transpose() * (inverse * column)
            flat_shift = shift.entries()
            centre: list[Flat] = []
            spill = []
            at = 0
            for flat in self.mid:
                new = []
                for v in flat:
                    x = v - flat_shift[at]
                    at += 1
                    new.append(x.mid())
                    spill.append(x - x.mid())
                centre.append(new)
        with precision(30):
            final = magnitude(bound * arb(1.01) + frobenius_bound(spill) * 2)
        if log2_of(final) > self.goal + 1:
            return self._failed(size)
        self.capture = {
            "bits": bits,
            "radius": encode(dyadic(radius)),
            "mid": _encode_blocks(centre),
            "error": encode(dyadic(final)),
        }
        self.centre, self.final, self.norms = centre, final, None
        return True

    def _promising(self, size: float) -> bool:
        """Whether an attempt at infinity is worth its cost, with a residual of log2 size `size` (heuristic).

        Where the flow will end nearby, but the error is already too large for the goal, the run is stopped.
        """
        if size < self.goal - 8:
            return True
        if self.sigma is not None and self.predict + 2 * size > self.goal + 6 and size > 4 * self.last_attempt:
            return False
        if self.sigma is None and (size > -6 or 2 * size > self.goal + FAR):
            return False
        self.last_attempt = size
        sigma, kappa = geometry.estimate(self.model, self.mid)  # type: ignore[arg-type]
        if not (sigma > 0 and kappa > 0):
            return True
        self.sigma = math.log2(sigma)
        self.predict = math.log2(kappa) - 3 * self.sigma
        if size + math.log2(kappa) - 2 * self.sigma > -3:
            return False  # the path that is left may be too long
        if self._missing() > self.reserve + 8:
            raise _Stopped("not enough digits at the end", self._missing())
        return self.predict + 2 * size <= self.goal - 0.2

    def _missing(self) -> int:
        """Bits by which the error exceeds what is wanted at the end; near the limit it hardly grows any more."""
        if self.error == 0:  # an exact start that is captured before the first step
            return -self.want
        return math.ceil(self._error_size() - self.goal) + 7 + self.reserve

    def _enough(self) -> bool:
        """Whether the limit just enclosed has the digits; if not, and the reserve or the error allows it, the goal is moved."""
        product, _ = self._values()[1:]
        missing = self.digits - certain_digits(product)
        bits = math.ceil(missing * LOG2_10) + 1
        if missing > 0 and (bits <= self.reserve or self._error_size() < self.goal - bits - 4):
            self.goal -= bits
            self.reserve = max(0, self.reserve - bits)
            self.capture = None
            return False
        return True

    def _failed(self, size: float) -> bool:
        """A capture did not close; give up where the loss is already negligible."""
        self.sigma = 0.0
        self.predict = math.inf
        if size < self.goal - 8:
            raise _Stopped(
                "the loss tends to zero but the Jacobian of the residual is nearly rank deficient there: "
                "no full row rank (narrow widths, target 0 or redundant data)",
                0,
            )
        return False

    def _residual_size(self) -> float:
        """log2 of the residual's norm at the midpoint (heuristic)."""
        if self._point is not None and self._point.residual is not None:
            size = self._point.norm
            return math.log2(size) if size > 0 else -math.inf
        if self._residual_log is None:
            model = self.model
            assert isinstance(model, LeastSquares)
            _, bits, _ = self._plan()
            with precision(max(64, bits)):
                matrix, _ = model.forward(geometry.to_blocks(self.mid, model.shapes), BALLS)
                total = arb(0)
                for v in matrix.flat:
                    total += v.mid() * v.mid()
            self._residual_log = log2_of(total) / 2
        return self._residual_log

    def _target_size(self) -> float:
        """log2 of the largest observed value, roughly."""
        assert isinstance(self.model, LeastSquares)
        return max((log2_fraction(v) for v in self.model.target.flat if v), default=-math.inf)

    # -- the answer
    # ---------------------------------------------------------------------------------------------

    def _values(self) -> tuple[tuple[Any, ...], Any, tuple[list[Flat], arb]]:
        """Balls for blocks and product, and what they are made of, at the last point or the limit."""
        model = self.model
        mids, error = (self.centre, self.final) if self.capture is not None else (self.mid, self.error)
        if self._answer is not None and self._answer[2][0] is mids:
            return self._answer
        bits = self.max_bits + 40
        if error > 0:  # the midpoint may be zero where only the error is left of the state
            bits = max(64, math.ceil(max(0.0, self._top() - log2_of(error))) + 40)
        with precision(bits):
            blocks = geometry.to_blocks([[arb(v, error) for v in flat] for flat in mids], model.shapes)
            product = None
            if isinstance(model, LeastSquares):
                product = np.array(model.product(blocks, BALLS), dtype=object)
                if self.least:
                    self._sharpen(product, mids, error)
                if self.capture is not None and getattr(model, "data", None) is None:
                    for i, j in model.observed:
                        product[i, j] = ball(model.target[i, j])
        self._answer = blocks, product, (mids, error)
        return self._answer

    def result(self, status: str, reason: str, digits: int) -> Result:
        blocks, product, (mids, error) = self._values()
        at_limit = self.capture is not None
        achieved = certain_digits(
            product if product is not None else np.concatenate([b.reshape(-1) for b in blocks])
        )
        goal = "time" if self.stop is not None else "undetermined" if self.level is not None else "limit"
        kind = goal if status == "certified" else "undetermined"
        steps = [_encode_step(s) if isinstance(s, Step) else s for s in self.steps]
        certificate: dict[str, Any] = {
            **_header(self.problem),
            "kind": kind,
            "begin": self.begin,
            "steps": steps,
        }
        if self.capture is not None:
            certificate["capture"] = self.capture
        if self.stop is not None:
            certificate["time"] = _fraction_text(self.stop)
        certificate["claim"] = {
            "blocks": _encode_blocks(mids),
            "error": encode(dyadic(error)),
        }
        info = {
            "steps": len(self.steps),
            "orders": (min(self.orders), max(self.orders)) if self.orders else (0, 0),
            "bits": self.max_bits,
            "growth_bits": self._error_size() - self.floor if self.error > 0 else 0.0,
        }
        time: Any = "infinity" if at_limit else self.time
        return Result(status, reason, time, blocks, product, digits, achieved, certificate, info)

    def _sharpen(self, product: Any, mids: list[Flat], error: arb) -> None:
        """Intersect the product of balls with the ball around the product of midpoints of radius Lambda
        error.
        """
        model = self.model
        assert isinstance(model, LeastSquares)
        heads = self.norms if self.capture is not None else None
        if heads is None:
            heads = [geometry.block_norm(model, flat, shape) for flat, shape in zip(mids, model.shapes, strict=True)]
        norms = [head + error for head in heads]
        with precision(30):
            radius = magnitude(geometry.slope(model, norms) * error)
        centre = model.product(geometry.to_blocks(mids, model.shapes), BALLS)
        for index in np.ndindex(*product.shape):
            other = centre[index] + arb(0, radius)
            if radius < product[index].rad():
                product[index] = other


def _upper(value: arb) -> float:
    """A double that is an upper bound of |value|."""
    m, e = split(magnitude(value))
    return math.ldexp(m, e)


def _short(log2_value: float) -> Dyadic:
    """A dyadic number of 12 bits near 2^log2_value."""
    e = math.floor(log2_value) - 11
    return int(2.0 ** (log2_value - e)), e


def _shift(values: Any, exponent: int) -> Any:
    return np.ldexp(values, max(exponent, -2000)) + 1e-300


def _encode_blocks(flats: Sequence[Flat]) -> list[list[Any]]:
    return [[encode(dyadic(v)) for v in flat] for flat in flats]


def _encode_step(made: Step) -> dict[str, Any]:
    end, unit = made.end, -BITS * made.end.unit
    assert end.program is not None
    known = [encode(_lowest((v, unit))) for v in end.values()]
    return {
        "h": encode(made.h),
        "beta": None if made.beta is None else encode(made.beta),
        "order": made.order,
        "bits": made.bits,
        "rho": encode(_float_dyadic(made.rho)),
        "mid": [[list(known[c]) for c in part] for part in end.program.layout],
        "error": encode(_float_dyadic(made.error)),
        "final": False,
    }


def _lowest(value: Dyadic) -> Dyadic:
    """The same number with an odd mantissa (or 0)."""
    man, exp = value
    cut = (man & -man).bit_length() - 1
    return (man >> cut, exp + cut) if man else (0, 0)


def _float_dyadic(value: float) -> Dyadic:
    numerator, denominator = value.as_integer_ratio()
    return _lowest((numerator, 1 - denominator.bit_length()))


def certain_digits(values: Any) -> int:
    """Certain significant digits of the worst entry; absolute, relative to the largest one, where zero is
    enclosed.
    """
    flat = list(values.flat)
    with precision(53):
        top = max((log2_of(v) for v in flat), default=0.0)
        worst = math.inf
        for v in flat:
            rad = log2_of(v.rad())
            if rad == -math.inf:
                continue
            size = top if v.contains(0) else log2_of(arb(v.abs_lower()))
            worst = min(worst, size - rad)
    if worst == math.inf:
        return 10**6
    return math.floor(worst / LOG2_10) if worst > 0 else 0
