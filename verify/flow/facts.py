"""Around an answer: what the observations alone say, and what the spectrum of the end of the flow is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from flint import arb

from verify.completion import graph, spectrum
from verify.completion.coupling import coupling
from verify.completion.enclosure import Enclosure
from verify.completion.nuclear import minimum_nuclear_norm
from verify.completion.observations import ObservationError, Observations
from verify.completion.rank import minimum_rank_bounds
from verify.completion.recheck import recheck_coupling, recheck_nuclear, recheck_rank
from verify.flow import deadline
from verify.flow.ask import Answer, Question
from verify.flow.balls import dyadic, dyadic_fraction, precision
from verify.flow.numbers import number
from verify.flow.predictors import Reached

MAX_CELLS = 150
"""Largest number of observed entries for which coupling and the smallest rank are decided."""

MAX_UNKNOWNS = 200
"""Largest number of unknowns for which coupling is decided."""

OVER = "the time was over"

EXACT_SIDE = 12
"""Longest shorter side of an estimate whose singular values are computed exactly (longer ones: in double precision)."""


@dataclass(frozen=True)
class Observed:
    """What the observations say, whatever the flow does.

    Attributes:
        kind: of the graph. components: (rows, columns, cells) of each, counted from 1. coupling, coupling_why: the verdict
            of Definition 2 and its reason. norm, norm_why: the smallest nuclear norm, or why it is not known.
        rank: bounds of the smallest rank, or None; rank_why: why not.
    """

    kind: str
    tree: bool
    components: list[dict[str, list[int]]]
    coupling: str
    coupling_why: str
    norm: Enclosure | None
    norm_why: str
    rank: tuple[int, int] | None
    rank_why: str
    beforehand: tuple[str, ...] = ()
    """What is known of the limit before the first step."""


def observed(question: Question, say: Callable[[str], None] = lambda text: None) -> Observed:
    """Connectivity, coupling, smallest nuclear norm and rank; all evidence goes through the independent checkers. What takes too
    long where the time is bounded is not known.
    """
    data = question.observations
    parts = graph.components(data.pattern)
    told = [{"rows": [i + 1 for i in p.rows], "columns": [j + 1 for j in p.cols]} for p in parts]
    say("smallest rank")
    rank, rank_why = deadline.in_time(0.5, lambda: _smallest_rank(data), lambda: (None, OVER))
    say("smallest nuclear norm")
    norm, norm_why = deadline.in_time(0.5, lambda: _smallest_norm(data), lambda: (None, OVER))
    say("coupling")
    verdict, why = deadline.in_time(0.8, lambda: _coupled(question), lambda: ("undecided", OVER))
    tree = len(parts) == 1 and parts[0].is_tree
    known = beforehand(question, rank)
    return Observed(graph.kind(data.pattern), tree, told, verdict, why, norm, norm_why, rank, rank_why, known)


def beforehand(question: Question, rank: tuple[int, int] | None) -> tuple[str, ...]:
    """What the widths and the number of observations exclude, whatever the flow does."""
    widths = [len(question.factors[0][0]), *(len(f) for f in question.factors)]
    narrow, cells = min(widths), len(question.observations.cells)
    out = []
    if rank is not None and narrow < rank[0]:
        least = f"every completion has rank {rank[0]} or more"
        out.append(f"the loss cannot tend to zero: the narrowest layer has width {narrow}, and {least}")
    unknowns = sum(a * b for a, b in pairwise(widths))
    products = narrow * (widths[0] + widths[-1] - narrow)
    if cells > min(unknowns, products):
        free = f"{unknowns} unknowns" if unknowns <= products else f"products of rank {narrow} have {products} degrees of freedom"
        out.append(f"the Jacobian of the residual has nowhere full row rank: {cells} observations, and {free}")
    return tuple(out)


def _coupled(question: Question) -> tuple[str, str]:
    """The verdict of Definition 2, and its reason."""
    if question.spread:
        return "undecided", "not tried: the start is a ball"
    unknowns = sum(len(f) * len(f[0]) for f in question.factors)
    if len(question.observations.cells) > MAX_CELLS or unknowns > MAX_UNKNOWNS:
        return "undecided", "not tried: too many unknowns or observed entries"
    found = coupling(question.observations, question.factors)
    verdict = found.verdict if found.verdict == "undecided" else recheck_coupling(found.to_data())
    return verdict, found.reason


def _smallest_norm(data: Observations) -> tuple[Enclosure | None, str]:
    """The smallest nuclear norm, or why it is not known."""
    try:
        return Enclosure(*recheck_nuclear(minimum_nuclear_norm(data).evidence)), ""
    except (ObservationError, ImportError) as error:
        return None, str(error)


def _smallest_rank(data: Observations) -> tuple[tuple[int, int] | None, str]:
    """Bounds of the smallest rank, or why there are none."""
    if len(data.cells) > MAX_CELLS:
        return None, f"more than {MAX_CELLS} observed entries"
    return recheck_rank(minimum_rank_bounds(data).evidence), ""


@dataclass(frozen=True)
class Spectrum:
    """Singular values and what is made of them, as balls (of an estimate: of the numbers as they are).

    `effective` and `stable` are None where the matrix is or may be zero.
    """

    values: list[arb]
    effective: arb | None
    stable: arb | None
    nuclear: arb


def spectrum_of(question: Question, answer: Answer) -> Spectrum | None:
    """The spectrum of the product of an answer; None where there is none."""
    product = answer.product
    if product is None:
        return None
    bits = math.ceil(question.digits * 3.33) + 64
    if answer.singular is not None:
        with precision(bits):
            return _from_values(answer.singular)
    side = min(product.shape)
    if side > (spectrum.MAX_SIDE if answer.enclosed else EXACT_SIDE):
        return _double(product)
    with precision(bits):
        middle = [[dyadic_fraction(dyadic((v + 0).mid())) for v in row] for row in product]
        radii = [[dyadic_fraction(dyadic((v + 0).rad())) for v in row] for row in product]
    spread = radii if any(r for row in radii for r in row) and answer.enclosed else None
    if spread is not None:
        middle, spread = _rounded(middle, spread)
    values = spectrum.singular_values(middle, spread, bits)
    effective = stable = None
    if values[0].lower > 0:
        effective = spectrum.effective_rank(middle, spread, bits)
        stable = spectrum.stable_rank(middle, spread, bits)
    total = Enclosure(sum((v.lower for v in values), Fraction(0)), sum((v.upper for v in values), Fraction(0)))
    with precision(bits):
        balls = [None if e is None else e.ball() for e in (effective, stable)]
        return Spectrum([v.ball() for v in values], balls[0], balls[1], total.ball())


def reached(answer: Answer, around: Observed, spectrum: Spectrum | None) -> Reached:
    """What is certain of the limit, for predictors."""
    rank, smallest = around.rank, "" if around.norm is None else number(around.norm.ball(), 9)
    if not (answer.certified and answer.time == "infinity" and answer.loss is not None):
        return Reached(rank=rank, smallest=smallest)
    fits = True if answer.exact_loss else False if answer.loss > 0 else None
    if spectrum is None:
        return Reached(fits, rank=rank, smallest=smallest)
    values = tuple(number(v, 6) for v in spectrum.values)
    return Reached(fits, values, number(spectrum.nuclear, 9), rank, smallest)


def _rounded(middle: list[list[Fraction]], radii: list[list[Fraction]]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """The same matrix in short numbers, far below its largest radius: long ones can make nearly equal singular values, whose
    roots take for ever to be told apart.
    """
    widest = max(v for row in radii for v in row)
    unit = Fraction(2) ** (widest.numerator.bit_length() - widest.denominator.bit_length() - 20)
    return [[round(v / unit) * unit for v in row] for row in middle], [[v + unit for v in row] for row in radii]


def _from_values(values: list[arb]) -> Spectrum:
    """From certified singular values, largest first."""
    total = sum(values, arb(0))
    if not values[0] > 0:
        return Spectrum(values, None, None, total)
    entropy = arb(0)
    for v in values:
        if v > 0:
            entropy -= v / total * (v / total).log()
        elif not v.is_zero():
            return Spectrum(values, None, None, total)
    return Spectrum(values, entropy.exp(), sum((v * v for v in values), arb(0)) / values[0] ** 2, total)


def _double(product: Any) -> Spectrum:
    values = np.linalg.svd(np.array([[float(v.mid()) for v in row] for row in product]), compute_uv=False)
    with precision(64):
        if not values[0] > 0:
            return Spectrum([arb(float(v)) for v in values], None, None, arb(0))
        p = values[values > 0] / values.sum()
        effective, stable = math.exp(-(p * np.log(p)).sum()), float((values**2).sum() / values[0] ** 2)
        return Spectrum([arb(float(v)) for v in values], arb(effective), arb(stable), arb(float(values.sum())))
