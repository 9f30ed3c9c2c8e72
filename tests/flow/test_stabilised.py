"""Long slow ends in double precision: the stabilised method, and answers that say what was reached."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from verify.completion.observations import Observations
from verify.flow import ask
from verify.flow.batch import State, Stop, gradient_flow
from verify.flow.models import FLOAT, deep_factorization
from verify.flow.stabilised import rising, spectral_radius, stabilised_flow
from verify.flow.starts import parse_start


def noisy(side: int, rank: int = 2) -> list[list[str | None]]:
    """Half of the entries of a matrix that is nearly of low rank."""
    rng = np.random.default_rng(5)
    matrix = rng.standard_normal((side, rank)) @ rng.standard_normal((rank, side))
    seen = rng.random((side, side)) < 0.5
    return [[f"{v:.3f}" if s else None for v, s in zip(*rows, strict=True)] for rows in zip(matrix, seen, strict=True)]


def question(cells, depth: int = 2, init: str = "identity:1e-3", hidden: int | None = None, **words) -> ask.Question:
    data = Observations.from_rows(cells)
    factors = parse_start(init).factors(ask.shapes(data.rows, data.cols, depth, hidden))
    return ask.Question(data, depth, factors, engine="float64", **words)


@pytest.mark.parametrize("depth", [2, 3])
def test_it_follows_the_flow(depth):
    model = deep_factorization([[None if v is None else Fraction(v) for v in row] for row in noisy(7)], depth)
    blocks = [np.random.default_rng(depth + k).standard_normal((7, 7)) / 3 for k in range(depth)]
    exact = gradient_flow(model, State.begin(model, blocks), Stop(time=30.0), rtol=1e-11)
    close = {}
    for rtol in (1e-5, 1e-8):
        state = stabilised_flow(model, State.begin(model, blocks), Stop(time=30.0), rtol=rtol)
        assert state.reasons() == ["time"] and state.time[0] == 30.0
        close[rtol] = float(np.abs(model.product(state.blocks, FLOAT) - model.product(exact.blocks, FLOAT)).max())
    assert close[1e-8] < 1e-5 and close[1e-8] < close[1e-5] / 10


def test_long_steps_are_stable():
    model = deep_factorization([[Fraction(100), None], [None, Fraction(1, 100)]], 2)
    state = stabilised_flow(model, State.begin(model, [np.eye(2), np.eye(2)]), Stop(time=1e4), rtol=1e-6)
    assert state.steps[0] * 100 < 1e4 * spectral_radius(model, state) / 3.3  # the steps of a classical method
    assert np.allclose(model.product(state.blocks, FLOAT)[0], np.diag([100, 0.01]), atol=1e-6)


def test_curvature_at_a_saddle():
    model = deep_factorization([[Fraction(-3), None], [None, Fraction(-1)]], 2)
    saddle = State.begin(model, [np.zeros((2, 2)), np.zeros((2, 2))])
    assert abs(rising(model, saddle) - 3) < 1e-4 and 3 <= spectral_radius(model, saddle) < 4
    minimum = State.begin(model, [np.eye(2), -np.diag([3.0, 1.0])])
    assert rising(model, minimum) == 0


def test_what_it_does_not_take():
    model = deep_factorization([[Fraction(1)]], 2)
    two = State.begin(model, [np.ones((2, 1, 1)), np.ones((2, 1, 1))])
    for stop, rtol, what in ((Stop(steps=None), 1e-6, "no limit"), (Stop(), 0.0, "tolerance"), (Stop(), 1e-6, "2 runs")):
        with pytest.raises(ValueError, match=what):
            stabilised_flow(model, two, stop, rtol=rtol)


def test_a_long_tail_ends():
    found = ask.answer(question(noisy(20)))
    assert found.status == "estimate" and "about six digits" in found.reason and "stabilised" in found.method
    assert found.loss < 1e-13 and not found.enclosed


def test_rest_is_told_apart():
    saddle = ask.answer(question([[-1, None], [None, -1]]))
    assert saddle.status == "estimate" and "at rest, the loss stays at 1; a saddle" in saddle.reason
    narrow = ask.answer(question([[1, 2, 3], [2, 1, 5], [1, 1, 7]], init="gaussian:0.1,2", hidden=1))
    assert narrow.status == "estimate" and "at rest, the loss stays at 1.53" in narrow.reason and "saddle" not in narrow.reason
    slow = ask.answer(question([[1, None], [None, 0]]))
    assert slow.status == "estimate" and "have moved by up to" in slow.reason


def test_times_beyond_the_resolution_of_doubles():
    found = ask.answer(question([[1, 2], [3, None]], depth=5, init="identity:1e-35"))
    assert found.status == "estimate" and abs(found.product[1, 1] - 6) < 1e-5
    assert found.path[-1].time > 1e100


def test_what_was_reached_is_told():
    found = ask.answer(question(noisy(8), max_steps=150))
    assert found.status == "undetermined" and found.product is not None and not found.enclosed
    assert "residuals up to" in found.reason and "since half of that time" in found.reason and "--max-steps" in found.reason


# -- entries of very different size
# ----------------------------------------------------------------------------------------------------

UNLIKE = [[Fraction(10**5), None], [None, Fraction(1, 10**4)]]
BESIDE = tuple(((Fraction(v), Fraction(0)), (Fraction(0), Fraction(1, 10**6))) for v in (1000, 100))


def test_a_small_entry_is_not_at_rest_because_a_large_one_is():
    """The product begins with 1e5, which fits, and 1e-12, where 1e-4 is observed."""
    asked = ask.Question(Observations.from_rows(UNLIKE), 2, BESIDE, 8, engine="float64", max_steps=100)
    found = ask.answer(asked)
    small = float(found.product[1, 1])
    assert found.status == "undetermined" or abs(small - 1e-4) < 1e-11
    assert "eight digits" not in found.reason or abs(small - 1e-4) < 1e-11
    assert float(found.doubt[1][1]) < 1e-9 < 1e-4 < float(found.doubt[0][0])  # each by itself
    started = ask.answer(ask.Question(asked.observations, 2, BESIDE, 8, engine="float64", max_steps=1))
    assert started.status == "undetermined" and "residuals up to 0.0001" in started.reason


def test_each_entry_is_shown_with_the_digits_that_it_has():
    from verify.flow.facts import observed, spectrum_of
    from verify.flow.page import Page

    rows = [[Fraction(10**5), Fraction(1)], [Fraction(1), None]]
    asked = question(rows, init="identity:1", digits=12)
    found = ask.answer(asked)
    page = Page("t", "identity:1", asked, found, observed(asked), spectrum_of(asked, found), [])
    cells = page._cells()
    assert found.status == "estimate"
    for i, j, v in asked.observations.entries:
        wide = float(found.doubt[i][j])
        assert abs(float(found.product[i, j]) - float(v)) <= wide
        digits = len(cells[i][j].replace(".", "").lstrip("0"))
        assert "+-" in cells[i][j] or 10.0 ** -(digits - 1) * abs(float(v)) >= wide / 10


def test_rest_is_judged_cell_by_cell():
    """Of two components at a saddle the small one is about to leave it, at a speed that is nothing beside the other's."""
    rows = [[Fraction(-(10**6)), None], [None, Fraction(1, 1000)]]
    found = ask.answer(question(rows, init="identity:1e-4", max_steps=300))
    assert found.status != "estimate" or abs(float(found.product[1, 1]) - 1e-3) < 1e-8
