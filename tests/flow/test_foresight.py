"""Runs that cannot reach their end are given up early; others are left alone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from verify.completion.observations import Observations
from verify.flow import ask, foresight
from verify.flow.models import deep_factorization
from verify.flow.starts import parse_start


def question(rows, depth: int, init: str, **words) -> ask.Question:
    data = Observations.from_rows(rows)
    factors = parse_start(init).factors(ask.shapes(data.rows, data.cols, depth))
    return ask.Question(data, depth, factors, **words)


@pytest.mark.parametrize(
    ("rows", "depth", "init"),
    [
        ([[1, None], [None, 0]], 3, "ones:1e-3,2"),  # an observed 0: it is reached with a power of time
        ([[None, 1], [1, 0]], 2, "identity:1e-3"),  # no limit
    ],
)
def test_an_end_that_is_too_slow_is_told_early(rows, depth, init):
    found = ask.answer(question(rows, depth, init))
    assert found.status == "undetermined" and "too slow an end for the validated engine" in found.reason
    assert found.enclosed and len(found.certificate["steps"]) <= foresight.LOOKS[0]


def test_what_can_be_reached_is_not_objected_to():
    model = deep_factorization([[Fraction(1), Fraction(1, 2)], [None, Fraction(1)]], 2)
    blocks = [np.eye(2) / 10, np.eye(2) / 10]
    assert foresight.objection(model, blocks, 1.0, 100) == ""
    assert "5 such steps" in foresight.objection(model, blocks, 1.0, 1)
    assert foresight.objection(model, [np.eye(2) * 1e-200, np.eye(2)], 1.0, 1) == ""  # beyond doubles


def test_a_slow_decay_is_left_to_exponentials():
    model = deep_factorization([[Fraction(1), None], [None, Fraction(1)]], 2)
    near = np.diag([1.0, 1 + 1e-7])
    assert foresight.objection(model, [near, near], 1e-3, 10) == ""


def test_a_look_costs_a_fixed_number_of_evaluations(monkeypatch):
    model = deep_factorization([[Fraction(1), None], [None, Fraction(0)]], 3)
    blocks = [np.full((2, 2), 0.6)] * 3
    counts = []

    def counting(self, *given):
        counts[-1] += 1
        return field(self, *given)

    field = type(model).field
    monkeypatch.setattr(type(model), "field", counting)
    for most in (50, 50, 200):
        counts.append(0)
        monkeypatch.setattr(foresight, "EVALUATIONS", most)
        foresight.objection(model, blocks, 1.0, 10**6)
    assert counts == [50, 50, 200]


def test_a_loss_that_stays_where_the_flow_rests_is_a_saddle_and_others_are_a_slow_end():
    model = deep_factorization([[Fraction(1), None], [None, Fraction(2)]], 2)
    near = [np.diag([1e-9, 2**0.5])] * 2  # the first component is yet to grow
    assert "the flow stays at a loss of 0.5, near the product" in foresight.objection(model, near, 1e-3, 10)
    on_the_way = [np.diag([1e-9, 1])] * 2  # the second one first
    assert "; 0 2] (a saddle, as the Hessian there tells), for longer" in foresight.objection(model, on_the_way, 0.1, 20)
    slow = [np.diag([0.5, 2**0.5])] * 2
    assert "too slow an end" in foresight.objection(model, slow, 1e-3, 10)
