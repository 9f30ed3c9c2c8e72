"""The seeded search for counterexamples."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import strategies as st

from verify.run.sampling import plain, search

RATIONALS = st.fractions(min_value=-10, max_value=10, max_denominator=20)


def test_a_false_property_gives_a_shrunk_exact_counterexample() -> None:
    found = search(RATIONALS, lambda x: x * x >= x, examples=200, seed=3, distribution="fractions in [-10, 10]")
    assert not found["holds"]
    x = Fraction(found["statistics"]["counterexample"])
    assert 0 < x < 1 and x.denominator == 2  # the simplest one


def test_a_true_property_is_only_tested() -> None:
    found = search(RATIONALS, lambda x: x * x >= 0, examples=50, seed=3, distribution="fractions in [-10, 10]")
    assert found["holds"] and found["statistics"]["examples"] == 50


def test_the_search_can_be_replayed() -> None:
    def run() -> object:
        return search(st.tuples(RATIONALS, RATIONALS), lambda p: p[0] + p[1] < 9, examples=300, seed=11, distribution="pairs")

    assert run() == run()


def test_an_error_of_the_property_is_no_counterexample() -> None:
    with pytest.raises(ZeroDivisionError):
        search(RATIONALS, lambda x: 1 / x > 0 or True, examples=300, seed=1, distribution="fractions")


def test_floats_are_no_examples() -> None:
    with pytest.raises(TypeError):
        plain(0.5)
