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
