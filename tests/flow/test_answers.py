"""What is printed as certain is certain: spectrum, norms, loss and digits of every kind of answer, against an SVD in balls."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import random_flows
from tests.support.random_flows import Small, answered, look_over
from verify.commands.flow import _Asker
from verify.completion import Observations
from verify.flow import recheck
from verify.flow.balls import precision
from verify.flow.recheck_numbers import in_order, numbers
from verify.flow.starts import parse_start

KINDS = {
    "the pair": ([[2, None], [None, 2]], 3, "ones:1e-2,3", None, "scalar-pair"),
    "the pair of three": ([[2, None, None], [None, 2, None], [None, None, 2]], 2, "ones:1/10,3/2", None, "scalar-pair"),
    "the pair that stays a multiple of the identity": ([[2, None], [None, 2]], 4, "identity:1e-2", None, "scalar-pair"),
    "the pair at depth 1, negative": ([[-1, None], [None, -1]], 1, "identity:1e-3", None, "scalar-pair"),
    "the pair at depth 1": ([[-1, None], [None, -1]], 1, "ones:1/7,3", None, "scalar-pair"),
    "the pair that tends to zero": ([[-1, None], [None, -1]], 2, "ones:1/7,3", None, "scalar-pair"),
    "a chain": ([[-2]], 3, "gaussian:0.6,1", None, "chain"),
    "a row times a column": ([["1/3"]], 2, "gaussian:0.6,1", 3, "single-entry"),
    "a symmetric target": ([[2, 1], [1, -1]], 2, "identity:1e-3", None, "commuting"),
    "a truncated target": ([[3, 3], [1, -1]], 2, "identity:1e-3", None, "truncated"),
    "parts of a block": ([[-1, None], [None, 2]], 2, "identity:1e-3", None, "decoupled"),
    "parts of entries": ([[1, None], [None, "1/3"]], 2, "gaussian:0.6,1", None, "decoupled"),
    "a validated limit": ([[1, "0.1"], [None, 1]], 2, "identity:1", None, "limit"),
    "a limit of lower rank than the sides": ([[1, 2], [2, 4]], 2, "gaussian:0.6,1", None, "limit"),
    "a start at rest": ([[1, 1], [1, 1]], 2, "ones:1,1", 1, "stationary"),
    "an undetermined end": ([[1, 2, None], [2, 3, 1], [None, 1, 2]], 2, "gaussian:1/10,3", 1, "undetermined"),
}


def page(rows, depth, init, hidden=None, **rest):
    data = Observations.from_rows(rows)
    start = parse_start(init)
    asker = _Asker(data, "t.csv", depth, hidden, rest.get("digits", 12), rest.get("time"), "validated", 60, None)
    return asker.page(asker.question(start), init, "t.csv", lambda text: None)


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_answer_says_what_an_svd_says(name):
    rows, depth, init, hidden, kind = KINDS[name]
    found = page(rows, depth, init, hidden)
    assert found.answer.certificate["kind"] == kind
    look_over(found)


def test_a_finite_time_says_what_an_svd_says():
    found = page([[1, "0.1"], [None, 1]], 3, "identity:1", time=Fraction(3, 2))
    assert found.answer.certificate["kind"] == "time" and found.answer.certified
    look_over(found)


@pytest.mark.parametrize("digits", [5, 60, 100, 300])
def test_the_pair_at_depth_one_has_its_digits_and_no_negative_norm(digits):
    found = page([[-1, None], [None, -1]], 1, "ones:1/7,3", digits=digits)
    off = found.answer.product[0][1]
    with precision(4 * digits):
        assert abs(off - arb(1) / 21) < arb(10) ** -digits and found.answer.digits == digits
    assert all(v > 0 for v in found.spectrum.values) and found.spectrum.nuclear > 0
    assert len(found._cells()[0][1].lstrip("0.")) >= digits or "/" in found._cells()[0][1]


def test_numbers_come_from_the_checker_and_not_from_the_engine(monkeypatch):
    """An engine that says another product does not change the answer."""
    from verify.flow import validated

    honest = page([[1, "0.1"], [None, 1]], 2, "identity:1")
    values = validated._Run._values

    def wrong(self):
        blocks, product, rest = values(self)
        return blocks, product + arb("1e-3"), rest

    monkeypatch.setattr(validated._Run, "_values", wrong)
    found = page([[1, "0.1"], [None, 1]], 2, "identity:1")
    with precision(100):
        assert all(a.overlaps(b) for a, b in zip(found.answer.product.flat, honest.answer.product.flat, strict=True))
    look_over(found)


def test_numbers_cover_every_point_of_the_ball_that_was_proved():
    """The product of factors at the edge of the error lies within the enclosures, and these are not much wider."""
    found = page([[1, "0.1"], [None, 1]], 2, "identity:1").answer
    proved = recheck.check(found.certificate)
    proved.error, proved.fitted, proved.loss_zero = Fraction(1, 1000), set(), False
    wide = numbers(proved, 100)
    with precision(100):
        for place in range(4):
            for sign in (1, -1):
                for level in (0, 1):
                    moved = [list(f) for f in proved.blocks]
                    moved[level][place] += sign * proved.error
                    (a, b, c, d), (e, f, g, h) = moved
                    product = [[e * a + f * c, e * b + f * d], [g * a + h * c, g * b + h * d]]
                    for row, line in zip(product, wide.product, strict=True):
                        assert all(y.contains(arb(x.numerator) / x.denominator) for x, y in zip(row, line, strict=True))
        assert all(v.rad() < arb("4e-3") for line in wide.product for v in line)
        assert not wide.fitted and not wide.loss_zero


def test_the_order_of_enclosures_that_overlap():
    with precision(64):
        low, high = arb(1, "0.5"), arb("1.2", "0.1")
        first, second = in_order([low, high])
        assert first.contains(arb("1.5")) and first.contains(arb("1.1")) and not first.contains(1)
        assert second.contains(arb("0.5")) and second.contains(arb("1.3")) and not second.contains(arb("1.4"))
        assert in_order([arb(2), arb(1)]) == [arb(2), arb(1)]


# -- random problems
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", range(6))
def test_random_problems_have_no_traceback_and_true_numbers(chunk):
    """The long run is `benchmarks/flow_fuzz.py`."""
    count = 0
    for seed in range(chunk, 60, 6):
        found = answered(random_flows.draw(seed), max_steps=12, seconds=0.5)
        count += found is not None and found.answer.certified
    assert count >= 2  # it is no test of refusals alone


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False).map(random_flows.drawn))
def test_problems_that_are_made_smaller_when_they_fail(small):
    answered(small, max_steps=8, seconds=0.3)


def test_a_wrong_number_is_noticed():
    """The looks of the random problems can fail."""
    small = Small(((Fraction(1), Fraction(1, 10)), (None, Fraction(1))), 2, None, "identity:1", (), 8, None, "validated")
    found = page([list(r) for r in small.cells], 2, small.start, digits=8)
    for change in ("singular", "nuclear", "product", "loss"):
        bad = found
        with precision(200):
            moved = arb("1e-6")
            if change == "singular":
                values = [found.spectrum.values[0] + moved, *found.spectrum.values[1:]]
                bad = _replaced(found, spectrum=_replaced(found.spectrum, values=values))
            elif change == "nuclear":
                bad = _replaced(found, spectrum=_replaced(found.spectrum, nuclear=found.spectrum.nuclear + moved))
            elif change == "product":
                product = found.answer.product.copy()
                product[0, 0] += moved
                bad = _replaced(found, answer=_replaced(found.answer, product=product))
            else:
                bad = _replaced(found, answer=_replaced(found.answer, loss=moved, exact_loss=False))
        with pytest.raises(AssertionError):
            look_over(bad)


def _replaced(value, **words):
    from dataclasses import replace

    return replace(value, **words)


# -- faults that were found so
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "depth", "hidden", "init", "loss"),
    [
        ([[1, 2], [2, 4]], 2, None, "gaussian:0.6,1", 0),  # of lower rank than its sides: the engine knows the factors as well
        ([[0]], 3, 2, "gaussian:0.6,1", 0),
        ([[3, 3], [1, -1]], 2, None, "identity:1e-3", 1),  # an entry of the truncated target equals the target
    ],
)
def test_a_full_table_of_lower_rank_is_certified(rows, depth, hidden, init, loss):
    found = page(rows, depth, init, hidden)
    assert found.answer.certified and found.answer.loss.overlaps(arb(loss))
    look_over(found)
