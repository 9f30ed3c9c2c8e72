"""The helpers of the simulated figures: many targets at once, effective ranks, and the findings' arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from proofs.shin2025 import figure_eight, figure_nine, figure_three
from proofs.shin2025.limit_curves import ball
from proofs.shin2025.simulation import ManyTargets, converged, effective_ranks, gaussian, products, rounded, summary
from verify.flow.batch import State, Stop, gradient_flow
from verify.flow.models import FLOAT, deep_factorization

MASK = np.array([[True, False], [True, True]])


@pytest.mark.parametrize("depth", [2, 3])
def test_many_targets_are_as_many_models(depth: int) -> None:
    generator = np.random.default_rng(5)
    targets, factors = generator.standard_normal((4, 2, 2)), gaussian(generator, 4, 2, depth)
    model = ManyTargets(MASK, depth)
    state = model.begin(list(factors), targets)
    value, gradient = model.loss(state.blocks, FLOAT), model.gradient(state.blocks, FLOAT)
    gradient_flow(model, state, Stop(time=1.0))
    for run, target in enumerate(targets):
        one = deep_factorization(np.where(MASK, target, None), depth)
        alone = State.begin(one, [f[run] for f in factors])
        assert one.loss(alone.blocks, FLOAT)[0] == pytest.approx(value[run], rel=1e-12)
        for mine, theirs in zip(gradient[:-1], one.gradient(alone.blocks, FLOAT), strict=True):
            assert mine[run] == pytest.approx(theirs[0], rel=1e-12)
        assert not gradient[-1].any()
        gradient_flow(one, alone, Stop(time=1.0))
        assert products(model, state)[run] == pytest.approx(products(one, alone)[0], rel=1e-6)


def test_a_run_at_a_saddle_does_not_count_as_converged() -> None:
    model = ManyTargets(np.eye(2, dtype=bool), 2)
    targets = np.array([np.eye(2), -np.eye(2)])  # from the identity, (-1, -1) is behind the saddle at 0
    state = model.begin([np.array([np.eye(2)] * 2)] * 2, targets)
    assert list(converged(model, state, 1e-12, 2000)) == [True, False]


def test_effective_ranks() -> None:
    matrices = np.array([np.eye(3), np.ones((3, 3)), np.diag([2.0, 1.0, 1.0])])
    assert effective_ranks(matrices) == pytest.approx([3, 1, 2**1.5])
    two_to_one = figure_nine.effective_rank(ball(2).log())
    assert float(two_to_one.mid()) == pytest.approx(2**1.5, rel=1e-12)


def test_the_initial_rank_of_the_family() -> None:
    m, depth = Fraction(7), 3
    factor = np.full((3, 3), 1 / 7) + (1 - 1 / 7) * np.eye(3)
    expected = effective_ranks(np.linalg.matrix_power(factor, depth))
    assert float(figure_nine.rank_of_the_start(m, depth).mid()) == pytest.approx(float(expected), rel=1e-12)


def test_descent_at_depth_two_keeps_the_ratio_of_the_singular_values() -> None:
    values, good = figure_eight.descend(2, -1, 1e-2)
    assert good
    assert figure_eight.deviation(values, figure_eight.certified(2, -1)) < 1e-6
    assert figure_eight.deviation(values + 0.5, figure_eight.certified(2, -1)) > 0.4


def test_the_entries_of_the_warm_start_are_nested() -> None:
    size = figure_three.SIZES["full"]
    task = figure_three.Task.draw(size, 1)
    assert (task.before.sum(), task.after.sum()) == (2000, 3000)
    assert not (task.before & ~task.after).any()
    assert np.linalg.matrix_rank(task.target) == 5
    again = figure_three.Task.draw(size, 1)
    assert (again.target == task.target).all() and (again.after == task.after).all()
    starts = [figure_three.factors(size, 3, power, 0) for power in (-3.0, -6.0)]
    assert starts[0][2] == pytest.approx(10 * starts[1][2])


def test_the_excess_is_the_rank_above_that_of_the_target() -> None:
    runs = {"alpha^L = 10^-4": {"pre": {"rank": [10.0, 7.5]}}}
    found = {figure_three.SETUP: {"trainings-at-depth-2": {"data": {"truth": [5.0, 5.5], "runs": runs}}}}
    assert list(figure_three.Runs(found).excess(2, -4.0)) == [5, 2]


def test_statistics_are_short() -> None:
    assert rounded([1.23456, 2e-9 / 3], 3) == [1.23, 6.67e-10]
    assert summary(np.array([1.0, 2.0, 3.0])).startswith("median 2.0000, 10 to 90 percent 1.2000 to 2.8000, mean 2.0000")
