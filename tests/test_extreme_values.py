"""The comparisons at extreme values can fail: near misses, wide enclosures and wrong formulas are told apart."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from proofs.shin2025 import extreme_pairs, extreme_small_losses
from proofs.shin2025.extreme_values import at_most, compare, loss, same, state, vanishes


def test_same_means_both_meet_and_are_narrow() -> None:
    assert same(arb(1, 1e-14), arb(1))
    assert not same(arb(1, 1e-14), arb(1 + 1e-12))
    assert not same(arb(1, 0.1), arb(1))
    assert not same(arb(0, 0.1), arb(0))
    assert same(arb(0), arb(0))


def test_inequalities_and_zeros() -> None:
    assert at_most(arb(1), arb(2)) and not at_most(arb(2), arb(1))
    assert at_most(arb(1, 1e-14), arb(1)) and not at_most(arb(1, 0.1), arb(1))
    assert not at_most(arb("nan"), arb(1))
    assert vanishes(arb(0, 1e-20)) and not vanishes(arb(0, 1e-5)) and not vanishes(arb(1))


def test_no_case_is_no_success() -> None:
    assert not compare(iter(()))["holds"]
    assert compare(iter([("a", True), ("b", False)])) == {"holds": False, "statistics": {"agree": ["a"], "differ": ["b"]}}


def test_a_loss_around_zero_is_a_number() -> None:
    assert loss([[Fraction(1)]], [[arb(1, 1e-20)]]) < 1e-30


def test_the_start_is_what_it_says() -> None:
    b, a = extreme_pairs.factors([["1", "2"]], [["3", "4"]])
    found = state([[Fraction(1)]], [b, a], Fraction(0))
    assert found.product[0][0] == 11


def for_another_target(a: Any, b: Any, target: Fraction) -> tuple[list[Any], list[Any]]:
    """The closed form for a slightly wrong target."""
    return extreme_pairs.printed_pair(a, b, target + Fraction(1, 10**6))


@pytest.mark.parametrize("closed", [extreme_pairs.pair_limit, extreme_pairs.printed_pair])
def test_closed_forms_are_told_from_wrong_ones(closed: Any) -> None:
    rows = extreme_pairs.ROWS[:4]
    assert all(ok for _, ok in extreme_pairs.pairs(rows, closed))
    assert not any(ok for _, ok in extreme_pairs.pairs(rows, for_another_target))


def test_losses_above_the_threshold_are_not_counted() -> None:
    cases = extreme_small_losses.below_the_threshold(extreme_small_losses.decays, extreme_small_losses.LARGE)
    assert [ok for _, ok in cases] == [False] * len(extreme_small_losses.LARGE)


def test_the_jacobian_is_exact() -> None:
    a, b = [[Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)]], [[Fraction(5), Fraction(6)], [Fraction(7), Fraction(8)]]
    assert extreme_small_losses.jacobian(a, b, [(0, 1)]) == [[6, 8, 0, 0, 0, 1, 0, 2]]
