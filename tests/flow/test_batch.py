"""Float64 batches and the high-precision integrator."""

from fractions import Fraction as F

import mpmath
import numpy as np
import pytest

from verify.flow.batch import State, Stop, gradient_descent, gradient_flow, losses
from verify.flow.highprec import integrate
from verify.flow.models import FLOAT, CPTensor, ScalarPair, deep_factorization
from verify.flow.validated import Problem, enclose

MODEL = deep_factorization([[1, "0.1"], [None, 1]], 2)


def start(runs, seed=0, model=MODEL, scale=1.0):
    rng = np.random.default_rng(seed)
    return State.begin(model, [scale * rng.normal(size=(runs, *s)) for s in model.shapes])


def test_flow_meets_the_time_and_the_truth():
    state = start(4)
    before = [b.copy() for b in state.blocks]
    gradient_flow(MODEL, state, Stop(time=1.5), rtol=1e-11)
    assert state.reasons() == ["time"] * 4 and (state.time == 1.5).all()
    for run in range(4):
        truth = enclose(Problem.make(MODEL, [b[run] for b in before]), F(3, 2), 14)
        for a, b in zip(truth.blocks, state.blocks, strict=True):
            assert [float(v.mid()) for v in a.flat] == pytest.approx(b[run].reshape(-1).tolist(), abs=1e-8)


def test_runs_do_not_depend_on_their_company():
    together, alone = start(5), start(5)
    gradient_flow(MODEL, together, Stop(time=1.0))
    one = State.begin(MODEL, [b[3] for b in alone.blocks])
    gradient_flow(MODEL, one, Stop(time=1.0))
    assert all(np.allclose(a[3], b[0], rtol=1e-13) for a, b in zip(together.blocks, one.blocks, strict=True))


def test_saved_states_resume_bit_for_bit(tmp_path):
    whole, part = start(6), start(6)
    gradient_descent(MODEL, whole, 0.05, Stop(steps=60))
    gradient_descent(MODEL, part, 0.05, Stop(steps=25))
    part.save(tmp_path / "state.npz")
    again = State.load(tmp_path / "state.npz").resume()
    gradient_descent(MODEL, again, 0.05, Stop(steps=35))
    assert all((a == b).all() for a, b in zip(whole.blocks, again.blocks, strict=True))
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(ValueError, match="no saved state"):
        State.load(tmp_path / "other.npz")


@pytest.mark.parametrize("adaptive", [False, True])
def test_descent_stops_by_loss_gradient_and_steps(adaptive):
    state = start(20)
    gradient_descent(MODEL, state, 0.03, Stop(loss=1e-12, steps=5000), adaptive=adaptive)
    assert set(state.reasons()) <= {"loss", "steps"} and "loss" in state.reasons()
    done = np.array([r == "loss" for r in state.reasons()])
    assert (losses(MODEL, state)[done] <= 1e-12).all()
    state = start(3)
    gradient_descent(MODEL, state, 0.03, Stop(gradient=1e-3, steps=5000), adaptive=adaptive)
    assert "gradient" in state.reasons()


def test_divergence_is_reported():
    state = start(3, scale=50.0)
    with np.errstate(all="ignore"):
        gradient_descent(MODEL, state, 10.0, Stop(steps=200))
    assert state.reasons() == ["diverged"] * 3


def test_tiny_scales_are_integrated():
    model = deep_factorization([[1, None], [None, 1]], 2)
    w = np.array([[1e-35, 5e-36], [5e-36, 1e-35]])
    state = State.begin(model, [w, w])
    gradient_flow(model, state, Stop(time=120.0), rtol=1e-10)
    out = state.blocks[1][0] @ state.blocks[0][0]
    # Depth 2: lambda_1 / lambda_2 = 3 is conserved, (lambda_1^2 + lambda_2^2)/2 = 1.
    assert out[0, 1] == pytest.approx(0.8, rel=1e-6) and out[0, 0] == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("bad", [np.inf, np.nan, 1e200, 1e-200])
def test_the_domain_is_checked(bad):
    w = np.eye(2)
    w[0, 1] = bad
    with pytest.raises(ValueError, match=r"finite|domain"):
        State.begin(MODEL, [w, np.eye(2)])


def test_bad_requests():
    with pytest.raises(ValueError, match="shape"):
        State.begin(MODEL, [np.eye(3), np.eye(2)])
    with pytest.raises(ValueError, match="number of runs"):
        State.begin(MODEL, [np.zeros((2, 2, 2)), np.zeros((3, 2, 2))])
    with pytest.raises(ValueError, match="step size"):
        gradient_descent(MODEL, start(1), 0, Stop(steps=1))
    with pytest.raises(ValueError, match="no limit"):
        gradient_flow(MODEL, start(1), Stop(steps=None))
    with pytest.raises(ValueError, match="tolerances"):
        gradient_flow(MODEL, start(1), Stop(time=1), rtol=0)
    with pytest.raises(ValueError, match="increase"):
        integrate(MODEL, [np.eye(2)] * 2, [2, 1])
    with pytest.raises(ValueError, match="digits"):
        integrate(MODEL, [np.eye(2)] * 2, [1], digits=0)


def test_tensor_batches():
    model = CPTensor([[[1, None], [2, 3]], [[1, 2], [None, 1]]], 2)
    state = start(4, model=model, scale=0.5)
    first = losses(model, state)
    gradient_flow(model, state, Stop(time=2.0))
    assert (losses(model, state) < first).all()
    assert model.field(state.blocks, FLOAT)[0].shape == (4, 2, 2)


def test_high_precision_against_odefun():
    with mpmath.workdps(40):
        model = ScalarPair(3, 3, 1)
        x = [mpmath.mpf(1) / 3, mpmath.mpf(1) / 7]
        run = integrate(model, [[[x[0]]], [[x[1]]]], [mpmath.mpf(1) / 2, 2], 30)

        def field(_, y):
            r = (y[0] ** 3 + 2 * y[1] ** 3) / 3 - 1
            return [-(y[0] ** 2) * r, -(y[1] ** 2) * r]

        mpmath.mp.dps = 32
        solution = mpmath.odefun(field, 0, x)
        for time, state in zip((mpmath.mpf(1) / 2, 2), run.states, strict=True):
            expected = solution(time)
            assert max(abs(s[0, 0] - e) for s, e in zip(state, expected, strict=True)) < mpmath.mpf(10) ** -28
        assert run.error < mpmath.mpf(10) ** -29 and run.stopped == "time"


def test_high_precision_stops_at_a_small_field_and_reports_poles():
    run = integrate(MODEL, [np.eye(2)] * 2, [1000], 15, small_field=F(1, 10**6))
    assert run.stopped == "small field" and run.times[-1] < 1000
