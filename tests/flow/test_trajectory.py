"""Points on the way, for figures: they lie on the flow, and follow the loss down to the last error."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb

from verify.completion import Observations
from verify.flow import ask, page, trajectory
from verify.flow.balls import dyadic_fraction, precision
from verify.flow.starts import parse_start
from verify.flow.trajectory import of_certificate, of_pair

WARM = [[1, "1/10"], [None, 1]]


def question(rows, depth, init, digits, **rest):
    data = Observations.from_rows(rows)
    factors = parse_start(init).factors(ask.shapes(data.rows, data.cols, depth))
    return ask.Question(data, depth, factors, digits, **rest)


@pytest.fixture(scope="module")
def tiny():
    q = question([[1, "1/2"], [None, 1]], 2, "ones:1e-35,2", 30)
    return q, ask.answer(q)


def test_the_loss_is_followed_from_the_start_to_the_last_error(tiny):
    q, found = tiny
    path = ask.path_of(q, found)
    losses = [p.loss for p in path if math.isfinite(p.loss)]
    assert len(path) > 150 and losses[0] > -1 and losses[-1] < -50
    assert max(abs(a - b) for a, b in itertools.pairwise(losses)) < 3
    assert all(b.time > a.time for a, b in itertools.pairwise(path))
    for k in range(2):
        line = [p.singular[k] for p in path if math.isfinite(p.singular[k])]
        assert line[0] < -68 and max(abs(a - b) for a, b in itertools.pairwise(line)) < 5
    assert abs(path[-1].singular[1] - math.log10(float(found_spectrum(q, found).values[1].mid()))) < 1e-3


def found_spectrum(q, found):
    from verify.flow.facts import spectrum_of

    return spectrum_of(q, found)


@pytest.mark.parametrize(
    ("rows", "depth", "init", "digits"),
    [(WARM, 2, "identity:1", 17), (WARM, 3, "ones:1/4,3", 12), ([[1, None], [2, 3]], 2, "identity:1e-3", 12)],
)
def test_points_lie_on_the_flow(rows, depth, init, digits):
    """Inside of polynomial steps and of sums of exponentials alike, by the high-precision engine at the same time."""
    q = question(rows, depth, init, digits)
    found = ask.answer(q)
    kinds = {"kind" in step for step in found.certificate["steps"]}
    assert kinds == ({True, False} if rows == WARM else {False})
    path = of_certificate(found.certificate, q.observations)
    for p in path[2 :: len(path) // 6]:
        with precision(trajectory.CLOCK):
            time = dyadic_fraction((lambda v: (int(v[0]), int(v[1])))(p.time.mid().man_exp())).limit_denominator(10**30)
        at = ask.answer(replace(q, engine="high-precision", time=time, digits=18))
        assert not p.loss > -20 or abs(p.loss - math.log10(float(at.loss.mid()))) < 1e-6
        values = sorted((math.log10(float(v.mid())) for v in found_spectrum(q, at).values), reverse=True)
        assert all(abs(a - b) < 1e-6 for a, b in zip(p.singular, values, strict=True))


@pytest.mark.parametrize(("depth", "init", "w"), [(2, "ones:1e-2,2", 1), (3, "ones:1/4,3", 1), (3, "ones:2,3", 1), (2, "ones:1/2,3", -1), (1, "ones:1/3,2", 2)])  # fmt: skip  # noqa: E501
def test_the_pair_has_the_points_of_the_flow(depth, init, w):
    q = question([[w, None], [None, w]], depth, init, 12)
    x, y, target = ask._as_pair(q)
    path = of_pair(2, depth, target, x + y, x - y, 12)
    assert len(path) > 200 and all(b.time > a.time for a, b in itertools.pairwise(path))
    for p in path[20 : len(path) * 3 // 4 : 60]:
        time = Fraction(float(p.time.mid())).limit_denominator(10**12)
        at = ask.answer(replace(q, engine="high-precision", time=time, digits=18))
        assert abs(p.loss - math.log10(float(at.loss.mid()))) < 1e-5


def test_a_moment_after_a_long_time_stands_beside_it():
    q = question([[1, None], [None, 1]], 4, "ones:1e-20,2", 15)
    path = ask.path_of(q, ask.answer(q))
    assert page._moment(path) is not None and "time after" in page.figure(path, "title")
    with precision(trajectory.CLOCK):
        assert path[-1].time > arb(10) ** 38
    assert path[-1].loss < -25


def test_ticks_are_numbers_that_people_read():
    assert [page._label(n, k) for n, k in ((1, 0), (5, 2), (1, -2), (1, -35), (2, 5))] == ["1", "500", "0.01", "1e-35", "2e5"]
