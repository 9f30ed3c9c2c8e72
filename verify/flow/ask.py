"""What does gradient flow do with my matrix? One question, one answer.

A question is a partly observed matrix, a depth, exact factors to start from, an engine and a time (or infinity). The
answer says where the flow of the loss 1/2 sum over observed cells of (w_ij - w*_ij)^2 goes:

- *certified*: every number is an enclosure, and the certificate that it comes from was accepted by the checker
  (:mod:`verify.flow.recheck`) before the answer was given; every number is the checker's (:mod:`verify.flow.recheck_numbers`).
- *undetermined*: with the reason, and the enclosure at the last time that was reached, where its certificate holds.
- *estimate*: from the engines without guarantees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import monotonic
from typing import Any

import numpy as np
from flint import arb

from verify.completion.observations import Observations
from verify.errors import InputError
from verify.flow import deadline, recheck, rest
from verify.flow.balls import ball, dyadic, dyadic_fraction, precision
from verify.flow.certificate import complete
from verify.flow.domain import refuse, refuse_long
from verify.flow.models import LinearNetwork, deep_factorization
from verify.flow.numbers import number, short_text
from verify.flow.pair import pair_limit
from verify.flow.recheck_numbers import numbers
from verify.flow.recheck_reductions import Reduced
from verify.flow.starts import Factor
from verify.flow.trajectory import Sample, of_certificate, of_pair
from verify.flow.validated import Problem, Result, certain_digits, certified_limit, enclose

ENGINES = ("validated", "high-precision", "float64")
MAX_UNKNOWNS = 100
MINUTE = "a 7 x 7 matrix at depth 2, 98 unknowns, takes it from 10 s to about a minute with its check"
MAX_DIGITS = 1000
PATIENCE = 300.0
"""Seconds that an answer may take, as far as can be told, if no other limit is given."""
PROBED = 3
"""Steps whose check tells how long that of all takes."""
STEPS = {"validated": 300, "high-precision": 5_000, "float64": 100_000}
"""Steps after which each engine gives up, unless it is told otherwise."""
DRAWN = 300  # steps for a figure of a flow that was not integrated

Say = Callable[[str], None]


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        observations: the data. depth: L, at least 1.
        factors: the exact start, W_1 first.
        digits: wanted significant digits.
        time: None for infinity, else a non-negative rational.
        engine: one of ENGINES.
        max_steps: steps after which the answer is undetermined; None: as many as STEPS says for the engine.
        seconds: after which the answer is undetermined, with its check and all; None: no limit.
        spread: the start is known up to this Euclidean distance over all factors (a warm start); 0: exactly.
    """

    observations: Observations
    depth: int
    factors: tuple[Factor, ...]
    digits: int = 15
    time: Fraction | None = None
    engine: str = "validated"
    spread: Fraction = Fraction(0)
    max_steps: int | None = None
    seconds: float | None = None

    @property
    def model(self) -> LinearNetwork:
        """The model whose flow is asked for."""
        inner = [len(f) for f in self.factors[:-1]]
        return deep_factorization(self.observations.matrix(), self.depth, inner)

    def steps(self, engine: str) -> int:
        """The most steps of an engine; another one than that of the question serves for drawings."""
        own = self.max_steps if engine == self.engine else None
        return own or STEPS[engine]


@dataclass(frozen=True)
class Answer:
    """Where the flow goes.

    Attributes:
        status: "certified", "undetermined" or "estimate"; `reason`: why not certified.
        method: how it was found, in words.
        time: the time of what is given, as text ("infinity").
        product: m x n balls of W_L ... W_1 at that time; radius 0 and no guarantee in an estimate; None where there is
            nothing to show.
        digits: certain significant digits of the worst entry (an estimate: believed ones).
        loss: a ball, or None. exact_loss: whether the loss is zero by proof.
        factors: centres of the factors at that time (exact), or None; `radius`: their Euclidean distance to the truth.
        certificate: what the checker accepted (or None).
        checked: the checker's answer in words; empty if nothing was checked.
        singular: the singular values where they are known better than from `product`, largest first.
        path: points on the way, of engines without a certificate (see :func:`path_of`).
        doubt: of an estimate, how far each entry of `product` is believed to be from the truth, at most (m x n numbers), or None.
        fitted: observed cells whose residual tends to zero by proof, where others stay; of a zero loss: see `exact_loss`.
    """

    status: str
    reason: str
    method: str
    time: str
    product: Any
    digits: int
    loss: arb | None
    exact_loss: bool = False
    factors: tuple[Any, ...] | None = None
    radius: Fraction = Fraction(0)
    certificate: dict[str, Any] | None = None
    checked: str = ""
    path: list[Sample] = field(default_factory=list)
    singular: list[arb] | None = None
    doubt: Any = None
    fitted: frozenset[tuple[int, int]] = frozenset()

    @property
    def certified(self) -> bool:
        """Whether every number of the answer is certain."""
        return self.status == "certified"

    @property
    def enclosed(self) -> bool:
        """Whether `product` holds enclosures that were checked (of the limit, or at the last time)."""
        return self.product is not None and self.certificate is not None


def shapes(rows: int, cols: int, depth: int, hidden: int | None = None) -> list[tuple[int, int]]:
    """The shapes of W_1, ..., W_L with inner widths `hidden` (by default the smaller side of the matrix)."""
    width = hidden or min(rows, cols)
    widths = [cols, *[width] * (depth - 1), rows]
    return [(widths[k + 1], widths[k]) for k in range(depth)]


def refuse_large(sizes: Sequence[tuple[int, int]], engine: str) -> None:
    """Raise InputError for a model that is too large for the validated engine."""
    unknowns = sum(r * c for r, c in sizes)
    if engine == "validated" and unknowns > MAX_UNKNOWNS:
        raise InputError(
            f"the factors have {unknowns} unknowns; the validated engine takes at most {MAX_UNKNOWNS} ({MINUTE}); "
            "use --engine high-precision or --engine float64"
        )


def answer(question: Question, say: Say = lambda text: None) -> Answer:
    """Answer a question; `say` is told what is being done.

    Raises InputError where the engine cannot be used for this input.
    """
    try:
        if question.seconds is None:
            with deadline.asked_first(PATIENCE):
                return _answer(question, say)
        with deadline.enforced(question.seconds):
            return _answer(question, say)
    except deadline.Over:
        why = "the time was over before anything was certain; more can be allowed with --time-limit"
        return Answer("undetermined", why, "not finished", "", None, 0, None)
    except OverflowError:
        raise InputError(
            f"the {question.engine} engine cannot take this: a number on the way is beyond 1e308 (values to 1e150 can be)"
        ) from None


def _answer(question: Question, say: Say) -> Answer:
    if question.engine == "validated":
        refuse_long(question.observations, question.factors, question.time)
        pair = _as_pair(question)
        if pair is not None:
            say("the deep scalar pair, exactly")
            return _pair_answer(question, *pair)
        if question.time is None and not question.spread:
            reduced = _reduced(question, say)
            if reduced is not None:
                return reduced
        refuse_large([(len(f), len(f[0])) for f in question.factors], "validated")
        return _validated(question, say)
    if question.engine == "high-precision":
        from verify.flow.precise import in_high_precision

        say("high-precision Taylor series")
        return in_high_precision(question, say)
    from verify.flow.doubles import in_doubles

    say("float64 steps")
    with deadline.within(0.9 * deadline.left()):  # to tell what was reached
        return in_doubles(question, say)


# -- the validated engine
# ----------------------------------------------------------------------------------------------------


def _validated(question: Question, say: Say) -> Answer:
    problem = Problem.make(question.model, question.factors)
    refuse(problem, question.time)
    say("validated steps")
    steps = question.steps("validated")
    with deadline.within(deadline.left() / 2):  # the rest is for the check
        if question.spread:
            from verify.flow.warm import from_ball

            result = from_ball(problem, question.spread, question.digits, question.time, steps)
        elif question.time is None:
            result = certified_limit(problem, question.digits, steps)
        else:
            result = enclose(problem, question.time, question.digits, steps)
        over = deadline.passed()
    certificate = dict(result.certificate)
    if certificate["kind"] == "undetermined" and "capture" in certificate and question.time is None:
        certificate["kind"] = "limit"  # the limit was enclosed, with fewer digits than were wanted
    if certificate["kind"] == "undetermined":
        certificate = _useful_part(certificate)
    say("the checker looks at every step again")
    certificate, verified, refused = _checked(certificate)
    reason = "; ".join(filter(None, (result.reason, refused)))
    if verified is None:
        return Answer("undetermined", reason, _method(result), "", None, 0, None)
    certain = verified.kind in ("limit", "time", "stationary")
    _same_problem(question, certificate)
    known = numbers(verified, _bits(question.digits))
    product = np.array(known.product, dtype=object)
    digits = min(certain_digits(product), question.digits) if certain else 0
    if reason.startswith("not decided after"):
        grows = question.time is None and _outgrows(question.observations, product)
        reason += "; an unobserved entry has become large, perhaps there is no limit" if grows else ""
        reason += f"; more can be allowed with {'--time-limit' if over else '--max-steps'}"
    if not certain and question.time is None:
        reason = "; ".join(filter(None, (reason, rest.word(question.model, verified.blocks, verified.error))))
    if certain and digits < question.digits:
        reason = f"{question.digits} were asked for" + (
            f"; the start is known to {float(question.spread):.1e}" if question.spread else ""
        )
    when = "infinity" if verified.kind in ("limit", "stationary") and question.time is None else _time(verified.time)
    return Answer(
        "certified" if certain else "undetermined",
        reason,
        _method(result),
        when,
        product,
        digits,
        known.loss,
        known.loss_zero,
        tuple(verified.blocks),
        verified.error,
        certificate,
        f"{verified.kind}; {len(certificate.get('steps', []))} steps",
        fitted=known.fitted,
    )


def _bits(digits: int) -> int:
    """The precision at which numbers that are known exactly are given."""
    return math.ceil(digits * math.log2(10)) + 64


def _checked(certificate: dict[str, Any]) -> tuple[dict[str, Any], recheck.Verified | None, str]:
    """As `_believed`, for a certificate without its polynomials; of as many steps as there is time for, where it is bounded."""
    count = len(certificate.get("steps", ()))
    if deadline.left() == math.inf or count <= PROBED:
        return _believed(complete(certificate))
    begun = monotonic()
    open_end = {**certificate, "kind": "undetermined"}
    probe = _believed(complete(_until(open_end, PROBED)))
    fits = max(PROBED, int(0.9 * deadline.left() * PROBED / (monotonic() - begun)))
    if probe[1] is None or fits >= count:
        found = deadline.in_time(0.9, lambda: _believed(complete(certificate)), lambda: None)
    else:
        found = deadline.in_time(0.9, lambda: _believed(complete(_until(open_end, fits))), lambda: None)
    if found is not None and (fits >= count or found[2]):
        return found
    part, verified, _ = found or probe
    after = len(part.get("steps", ()))
    over = f"there was no time for the checker to look at all {count} steps (what is shown is after {after})"
    return part, verified, f"{over}; more can be allowed with --time-limit"


def _believed(certificate: dict[str, Any]) -> tuple[dict[str, Any], recheck.Verified | None, str]:
    """What the checker accepts, and why no more: the certificate, or its steps before the one that is refused."""
    try:
        return certificate, recheck.check(certificate), ""
    except recheck.Refused as error:
        why = f"the checker refused the certificate: {error}"
        before = len(certificate.get("steps", ())) if error.step is None else error.step
    if not before:
        return certificate, None, why
    part = _until({**certificate, "kind": "undetermined"}, before)
    try:
        return part, recheck.check(part), f"{why} (what is shown is before it)"
    except recheck.Refused:
        return certificate, None, why


def _useful_part(certificate: dict[str, Any]) -> dict[str, Any]:
    """The part of an undetermined run before its error bound grew above 1e-3 of the state (or all of it)."""
    count = 0
    for steps, point in enumerate([certificate["begin"], *certificate["steps"]]):
        top = max(abs(dyadic_fraction(_decode(v))) for flat in point["mid"] for v in flat)
        if dyadic_fraction(_decode(point["error"])) * 1000 <= top:
            count = steps
    return _until(certificate, count)


def _until(certificate: dict[str, Any], count: int) -> dict[str, Any]:
    """The first steps of a certificate."""
    last = [certificate["begin"], *certificate["steps"]][count]
    claim = {"blocks": last["mid"], "error": last["error"]}
    out = {**certificate, "steps": certificate["steps"][:count], "claim": claim}
    out.pop("capture", None)
    return out


def _outgrows(observations: Observations, product: Any) -> bool:
    """Whether some entry is much larger than all observed values, for certain: a sign of a flow without a limit."""
    with precision(64):
        top = ball(max(abs(v) for _, _, v in observations.entries))
        return any(bool(abs(v) > 4 * top) for v in product.flat)


def _method(result: Result) -> str:
    steps = result.info.get("steps", 0)
    if not steps:
        return "the start is exactly stationary" if result.certificate.get("kind") == "stationary" else "validated, no step"
    low, high = result.info["orders"]
    return f"{steps} validated steps of order {low} to {high}, {result.info['bits']} bits"


def _time(value: Any) -> str:
    if isinstance(value, arb) and value.is_zero():
        return "0"
    if isinstance(value, arb):
        with precision(64):
            return number(value, 6)
    return str(value) if value == "infinity" else short_text(Fraction(value), 12)


def _same_problem(question: Question, certificate: dict[str, Any]) -> None:
    """The certificate must be about this question: its data and its start."""
    cells = [[None if v is None else Fraction(v) for v in row] for row in certificate["model"]["target"]]
    start = [[[Fraction(v) for v in row] for row in block] for block in certificate["start"]]
    if cells != [list(r) for r in question.observations.matrix()] or start != [[list(r) for r in f] for f in question.factors]:
        raise AssertionError("the certificate is about another problem")
    if question.spread and dyadic_fraction(_decode(certificate["begin"]["error"])) < question.spread:
        raise AssertionError("the certificate does not cover the ball of starts")


def _decode(value: Sequence[Any]) -> tuple[int, int]:
    return int(value[0], 16), int(value[1])


def _loss(observations: Observations, product: Any) -> arb:
    total = arb(0)
    for i, j, v in observations.entries:
        gap = product[i, j] - ball(v)
        total += gap * gap  # a power of a huge ball around 0 is nan
    return total / 2


# -- problems that decouple or have a closed form
# ----------------------------------------------------------------------------------------------------


def _reduced(question: Question, say: Say) -> Answer | None:
    """The limit without integrating the whole flow, or None where there is no such way or a part is undetermined."""
    from verify.flow.reductions import Network, Undetermined, applies, limit

    network = Network(question.observations.matrix(), question.factors)
    if not applies(network):
        return None
    say("the flow decouples or has a closed form")
    try:
        with deadline.enforced(deadline.left() / 2):  # the rest is for the flow as a whole
            outcome = limit(network, question.digits, question.steps("validated"), say)
    except (Undetermined, recheck.Refused, deadline.Over):
        return None
    _same_problem(question, outcome.certificate)
    found, known = outcome.found, outcome.numbers
    digits = min(question.digits, outcome.digits)
    reason = "" if digits == question.digits else f"{question.digits} were asked for"
    steps = len(outcome.certificate.get("steps", ()))
    if not known.loss_zero:
        reason = "; ".join([*([reason] if reason else []), "not all observations are fitted there, the loss stays positive"])
    return Answer(
        "certified",
        reason,
        outcome.method,
        "infinity",
        outcome.product,
        digits,
        known.loss,
        known.loss_zero,
        None if found.kind == "product" else tuple(found.blocks),
        found.error,
        outcome.certificate,
        f"{found.kind}; {'every part' if isinstance(found, Reduced) else f'{steps} steps'}",
        fitted=known.fitted,
    )


# -- the deep scalar pair
# ----------------------------------------------------------------------------------------------------


def _as_pair(question: Question) -> tuple[Fraction, Fraction, Fraction] | None:
    """(x, y, w) if exactly the diagonal is observed, with one value w, every factor is x on and y off the diagonal, both
    eigenvalues are positive and the limit is asked for; else None.
    """
    data, d = question.observations, question.observations.rows
    values = {v for _, _, v in data.entries}
    if d < 2 or data.cols != d or len(values) != 1 or data.cells != tuple((i, i) for i in range(d)):
        return None
    if question.time is not None or question.spread:
        return None
    x, y = question.factors[0][0][0], question.factors[0][0][1 if len(question.factors[0][0]) > 1 else 0]
    for factor in question.factors:
        if len(factor) != d or any(v != (x if i == j else y) for i, row in enumerate(factor) for j, v in enumerate(row)):
            return None
    if len(question.factors[0][0]) != d or x + (d - 1) * y <= 0 or x - y <= 0:
        return None
    return x, y, values.pop()


def _pair_answer(question: Question, x: Fraction, y: Fraction, w: Fraction) -> Answer:
    d, depth = question.observations.rows, question.depth
    digits = question.digits + 3
    for _ in range(4):
        limit = pair_limit(d, depth, w, x + (d - 1) * y, x - y, digits)
        verified = recheck.check(limit.certificate)
        known = numbers(verified, _bits(digits))
        off = known.product[0][1]
        accuracy = question.digits if off.is_exact() else off.rel_accuracy_bits() / math.log2(10)
        if accuracy >= question.digits:
            break
        digits += question.digits - int(accuracy) + 3
    if (verified.kind, limit.certificate["start"]) != ("scalar-pair", [str(x + (d - 1) * y), str(x - y)]):
        raise AssertionError("the certificate is about another problem")
    product = np.array(known.product, dtype=object)
    root = _exact_root(w, depth) if y == 0 and w > 0 else None
    with precision(_bits(digits)):
        balls = [flat[0] for flat in verified.balls] if verified.balls else [ball(flat[0]) for flat in verified.blocks]
        one, two = (balls[0] + (d - 1) * balls[1]) / d, arb(0) if y == 0 else (balls[0] - balls[1]) / d
        middle = (dyadic_fraction(dyadic(one.mid())), dyadic_fraction(dyadic(two.mid())))
        spread = max(dyadic_fraction(dyadic(v.rad())) for v in (one, two))
    if root is not None:
        middle, spread = (root, Fraction(0)), Fraction(0)
    flat = tuple([middle[0] if i == j else middle[1] for i in range(d) for j in range(d)] for _ in range(depth))
    return Answer(
        "certified",
        "",
        "the deep scalar pair: an invariant and a rigorous root, no integration",
        "infinity",
        product,
        min(question.digits, certain_digits(product)),
        known.loss,
        known.loss_zero,
        flat,
        depth * d * d * spread,  # the Euclidean norm is at most the sum of all entries
        limit.certificate,
        "scalar pair; the signs at both ends of the bracket hold",
        singular=known.singular,
        fitted=known.fitted,
    )


def _exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The positive root if it is rational."""
    parts = []
    for n in (value.numerator, value.denominator):
        guess = round(n ** (1 / degree)) if n < 10**300 else 0
        found = next((g for g in (guess - 1, guess, guess + 1) if g > 0 and g**degree == n), None)
        if found is None:
            return None
        parts.append(found)
    return Fraction(parts[0], parts[1])


# -- the way there, for figures
# ----------------------------------------------------------------------------------------------------


def path_of(question: Question, found: Answer) -> list[Sample]:
    """Points on the way: those of the answer, on the steps of its certificate, or of the closed form of the pair; where a flow
    was not integrated as a whole, of a run in high precision, or else of a float64 run, where one can be had.
    """
    if found.path:
        return found.path
    if found.certificate is not None and found.certificate.get("steps"):
        return of_certificate(found.certificate, question.observations)
    pair = _as_pair(question)
    if pair is not None:
        x, y, w = pair
        d = question.observations.rows
        return of_pair(d, question.depth, w, x + (d - 1) * y, x - y, question.digits)
    for engine in ("high-precision", "float64"):
        steps = None if engine == "float64" else DRAWN
        try:
            path = answer(replace(question, engine=engine, max_steps=steps, seconds=None, spread=Fraction(0))).path
        except InputError:
            continue
        if len(path) > 1:
            return path
    return []
