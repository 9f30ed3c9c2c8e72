"""The deep scalar pair by its invariant."""

import copy
import json
from fractions import Fraction as F

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.flow.balls import precision
from verify.flow.highprec import integrate
from verify.flow.models import ScalarPair
from verify.flow.pair import check, pair_limit


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 8),
    st.integers(2, 12),
    st.fractions(F(1, 10), 10),
    st.integers(-300, 40),
    st.fractions(F(1, 20), 20),
)
def test_the_limit_satisfies_both_equations(d, depth, target, exponent, ratio):
    first = F(10) ** exponent
    second = first * ratio
    limit = pair_limit(d, depth, target, first, second, 30)
    with precision(3000):
        w = arb(target.numerator) / target.denominator
        assert ((limit.lambda_1**depth + (d - 1) * limit.lambda_2**depth) / d).overlaps(w)
        a, b = (arb(v.numerator) / v.denominator for v in (first, second))
        if depth == 2:
            assert (limit.lambda_1 * b).overlaps(limit.lambda_2 * a)
        else:
            power = 2 - depth
            assert (limit.lambda_1**power + b**power).overlaps(limit.lambda_2**power + a**power)
        assert min(limit.lambda_1.rel_accuracy_bits(), limit.lambda_2.rel_accuracy_bits()) >= 99
    again = check(json.loads(json.dumps(limit.certificate)))
    with precision(3000):
        assert again[0].overlaps(limit.lambda_1) and again[1].overlaps(limit.lambda_2)


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_against_integration(depth):
    model = ScalarPair(3, depth, 2)
    limit = pair_limit(3, depth, 2, F(3, 2), F(1, 4), 25)
    end = integrate(model, [[[F(3, 2)]], [[F(1, 4)]]], [60], 25).states[-1]
    with precision(200):
        assert abs(limit.lambda_1 - arb(end[0][0, 0])) < arb("1e-20")
        assert abs(limit.lambda_2 - arb(end[1][0, 0])) < arb("1e-20")


def test_targets_that_are_not_positive():
    limit = pair_limit(3, 3, 0, 1, "0.5")
    assert limit.lambda_1 == 0 and limit.lambda_2 == 0
    assert check(limit.certificate) == (0, 0)


def test_edits_are_refused():
    certificate = pair_limit(3, 4, 1, "1e-35", "1e-36", 30).certificate
    low, high = certificate["bracket"]
    for change in (
        {"bracket": [high, high]},
        {"bracket": [high, low]},
        {"bracket": [["1", -3], low]},
        {"bracket": [["-1", -3], high]},
        {"bracket": None},
        {"target": "2"},
        {"depth": 3},
        {"d": 2},
        {"start": ["2", "0"]},
        {"version": 1},
    ):
        other = copy.deepcopy(certificate)
        other.update(change)
        with pytest.raises(ValueError, match=r"."):
            check(other)


@pytest.mark.parametrize(
    "bad", [(1, 2, 1, 1, 1), (2, 0, 1, 1, 1), (2, 2, 1, 0, 1), (2, 2, 1, 1, -1), (2, 2, "x", 1, 1)]
)
def test_outside_the_domain(bad):
    with pytest.raises(ValueError, match=r"."):
        pair_limit(*bad)
