"""Validated flow: closed forms, independent high precision, degenerate inputs, and attacks on the
enclosures.
"""

from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.errors import InputError
from verify.flow import deadline, recheck, validated
from verify.flow.balls import frobenius_bound, precision, spectral_bound
from verify.flow.certificate import _encoded, complete
from verify.flow.domain import refuse
from verify.flow.foresight import LOOKS
from verify.flow.highprec import integrate
from verify.flow.models import (
    FLOAT,
    PRIME,
    CPTensor,
    LinearNetwork,
    MirrorCoordinates,
    PairwiseSymmetric,
    ScalarPair,
    deep_factorization,
    two_layer_regression,
)
from verify.flow.pair import pair_limit
from verify.flow.validated import Problem, _stationary, certified_limit, enclose

F1 = deep_factorization([[1, "0.1"], [None, 1]], 2)
EYE = [[[1, 0], [0, 1]]] * 2


def overlap(a, b):
    with precision(800):
        return all(
            x.overlaps(y)
            for p, q in zip(a.blocks, b.blocks, strict=True)
            for x, y in zip(p.flat, q.flat, strict=True)
        )


def test_disconnected_depth_two_in_closed_form():
    # One observed entry: u = column of W_2, v = row of W_1 with uv -> w; p = u.v obeys p' = (w - p)(|u|^2 +
    # |v|^2) and |u|^2 - |v|^2 is conserved, so at the limit |u + v|^2 and |u - v|^2 keep the product of
    # their growth factors.
    model = deep_factorization([[3, None], [None, None]], 2)
    start = [[[1, "0.5"], ["0.25", 2]], [["0.75", -1], [1, "0.5"]]]
    result = certified_limit(Problem.make(model, start), 30)
    assert result.certified
    # v = first column of W_1, u = first row of W_2: u + v grows by e^s, u - v by e^-s.
    u, v = np.array([0.75, -1.0]), np.array([1.0, 0.25])
    with mpmath.workdps(45):
        plus = mpmath.mpf(float(((u + v) ** 2).sum()))
        minus = mpmath.mpf(float(((u - v) ** 2).sum()))
        # (plus e^{2s} - minus e^{-2s})/4 = 3
        e = (12 + mpmath.sqrt(144 + 4 * plus * minus)) / (2 * plus)
        root, inverse = mpmath.sqrt(e), 1 / mpmath.sqrt(e)
        new_u = [
            (root * (a + b) + inverse * (a - b)) / 2 for a, b in zip(u.tolist(), v.tolist(), strict=True)
        ]
        for j in range(2):
            text = mpmath.nstr(new_u[j], 40)
            with precision(150):
                assert abs(result.blocks[1][0, j] - arb(text)) < arb("1e-29")
        # Entries of the blocks that no observation touches stay where they are.
        assert result.blocks[0][0, 1].contains(arb("0.5")) and result.blocks[1][1, 1].contains(arb("0.5"))


def test_riccati_for_whitened_data():
    # A scalar balanced network a = b with target w: p' = 2 p (w - p), a logistic curve.
    model = two_layer_regression([[1]], [[2]], 1)
    start = F(1, 2)
    for time in (F(1, 3), F(5, 2)):
        result = enclose(Problem.make(model, [[[start]], [[start]]]), time, 30)
        with precision(150):
            e = (arb(4) * time.numerator / time.denominator).exp()
            p = 2 * e * arb(1) / 4 / (2 - arb(1) / 4 + arb(1) / 4 * e)
            assert result.certified and result.product[0, 0].overlaps(p)
            assert abs(result.product[0, 0] - p) < arb("1e-29")


@pytest.mark.parametrize(("d", "depth"), [(2, 2), (3, 3), (2, 4)])
def test_limits_agree_with_the_invariant_of_the_scalar_pair(d, depth):
    alpha = F(1, 50)
    target = [[1 if i == j else None for j in range(d)] for i in range(d)]
    model = deep_factorization(target, depth)
    w = [[alpha if i == j else alpha / 2 for j in range(d)] for i in range(d)]
    result = certified_limit(Problem.make(model, [w] * depth), 20)
    exact = pair_limit(d, depth, 1, alpha + (d - 1) * alpha / 2, alpha / 2, 40)
    assert result.certified and result.achieved >= 20
    with precision(200):
        assert result.product[0, 1].overlaps(exact.off_diagonal)
        assert abs(result.product[0, 1] - exact.off_diagonal) < arb("1e-20")


def test_tiny_scales_cost_a_logarithm():
    # Depth 3 from 1e-35: time runs to about 1e35; the number of steps does not.
    target = [[1, None], [None, 1]]
    model = deep_factorization(target, 3)
    few = None
    for alpha in (F(1, 10**5), F(1, 10**35)):
        w = [[alpha, alpha / 2], [alpha / 2, alpha]]
        result = certified_limit(Problem.make(model, [w] * 3), 10)
        exact = pair_limit(2, 3, 1, alpha * F(3, 2), alpha / 2, 30)
        assert result.certified
        with precision(200):
            assert result.product[0, 1].overlaps(exact.off_diagonal)
        few = few or result.info["steps"]
    assert result.info["steps"] < 6 * few


@pytest.mark.parametrize(
    "model",
    [
        F1,
        LinearNetwork((2, 3, 2), [[1, None], [F(1, 3), 2]], factor=F(2, 3)),
        LinearNetwork((3, 2, 3, 2), [[1, None, 1], [None, 2, None]]),
        LinearNetwork((2, 2), [[1, 2], [3, 4]]),
        two_layer_regression([[1, 2], [0, 1], [1, 1]], [[1, 2], [3, 4]], 2),
        CPTensor([[[1, None], [2, 3]], [[1, 2], [None, 1]]], 2),
        ScalarPair(3, 4, 1),
        PairwiseSymmetric([[1, 2], [None, 1]]),
        MirrorCoordinates([[1, 2]], [[1]]),
    ],
    ids=lambda m: f"{m.name}-{m.shapes}",
)
def test_finite_times_against_mpmath(model):
    rng = np.random.default_rng(5)
    start = [
        np.array([[F(int(v), 16) for v in row] for row in rng.integers(1, 16, s)], dtype=object)
        for s in model.shapes
    ]
    time = F(1, 4)
    result = enclose(Problem.make(model, start), time, 15)
    assert result.certified and result.achieved >= 15
    with mpmath.workdps(25):
        flat = [mpmath.mpf(v.numerator) / v.denominator for b in start for v in b.flat]

        def field(_, y):
            blocks, at = [], 0
            for r, c in model.shapes:
                blocks.append(np.array(y[at : at + r * c], dtype=object).reshape(r, c))
                at += r * c
            return [v for b in model.field(blocks, _mp()) for v in b.flat]

        end = mpmath.odefun(field, 0, flat)(mpmath.mpf(1) / 4)
        texts = [mpmath.nstr(v, 24) for v in end]
    with precision(100):
        for ball, text in zip((v for b in result.blocks for v in b.flat), texts, strict=True):
            assert (ball + arb(0, "1e-20")).contains(arb(text).mid())


def _mp():
    from verify.flow.models import MPMATH

    return MPMATH


def test_against_scipy():
    from scipy.integrate import solve_ivp

    result = certified_limit(Problem.make(F1, EYE), 15)

    def field(_, y):
        blocks = [y[:4].reshape(2, 2), y[4:].reshape(2, 2)]
        return np.concatenate([b.reshape(-1) for b in F1.field(blocks, FLOAT)])

    y = solve_ivp(field, (0, 40), np.array([1, 0, 0, 1] * 2, dtype=float), rtol=1e-12, atol=1e-14).y[:, -1]
    got = [float(v.mid()) for b in result.blocks for v in b.flat]
    assert got == pytest.approx(y.tolist(), abs=1e-10)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_loose_enclosures_contain_tight_ones(seed):
    rng = np.random.default_rng(seed)
    depth = int(rng.integers(1, 4))
    widths = [int(w) for w in rng.integers(1, 4, depth + 1)]
    target = [
        [None if rng.random() < 0.4 else F(int(rng.integers(-9, 10)), 4) for _ in range(widths[0])]
        for _ in range(widths[-1])
    ]
    if all(v is None for row in target for v in row):
        target[0][0] = F(0)
    model = LinearNetwork(widths, target, factor=F(int(rng.integers(1, 5)), 3))
    scale = F(10) ** int(rng.integers(-30, 1))
    start = [[[F(int(v), 8) * scale for v in row] for row in rng.integers(-8, 9, s)] for s in model.shapes]
    problem = Problem.make(model, start)
    time = F(int(rng.integers(1, 20)), 10)
    loose, tight = (enclose(problem, time, digits, max_steps=80) for digits in (3, 25))
    assert overlap(loose, tight)
    finer = integrate(model, start, [time], 30, check=False)
    values = [v for b in finer.states[-1] for v in b.flat]
    # The high-precision run promises about 30 digits of the largest entry.
    slack = max(abs(v) for v in values) * mpmath.mpf(10) ** -26
    with precision(200):
        for x, y in zip((v for b in loose.blocks for v in b.flat), values, strict=True):
            assert not loose.certified or (x + arb(0, 1) * arb(slack)).overlaps(arb(y))


def test_the_limit_at_several_accuracies_is_one_limit():
    results = [certified_limit(Problem.make(F1, EYE), d) for d in (3, 15, 40)]
    assert all(r.certified and r.achieved >= r.digits for r in results)
    assert overlap(results[0], results[1]) and overlap(results[1], results[2])


@pytest.mark.parametrize("scale", [F(1, 10**300), F(10**35)])
def test_extreme_scales(scale):
    model = LinearNetwork((1, 1, 1), [[1]])
    result = enclose(Problem.make(model, [[[scale]], [[scale]]]), F(1, 10**80), 10)
    assert result.certified


@pytest.mark.parametrize("corner", ["1e-3", "1e-6", "1e-30"])
def test_an_exact_start_that_nearly_fits(corner):
    # Nothing was dropped yet when the limit is in sight: the error is exactly 0.
    problem = Problem.make(deep_factorization([[1, corner], [None, 1]], 2), EYE)
    coarse, fine = certified_limit(problem, 5), certified_limit(problem, 40)
    assert coarse.certified and fine.certified and fine.achieved >= 40
    assert overlap(coarse, fine)
    assert {recheck.check(complete(r.certificate)).kind for r in (coarse, fine)} == {"limit"}
    assert fine.product[0, 1].overlaps(arb(corner)) and not fine.product[1, 0] > 0


def test_stationary_starts_and_time_zero():
    zero = [[[0, 0], [0, 0]]] * 2
    limit = certified_limit(Problem.make(F1, zero), 10)
    assert limit.certified and all(v == 0 for v in limit.product.flat)
    prime = [[[f"1/{PRIME}", 0], [0, f"1/{PRIME}"]]] * 2  # nothing is seen of these modulo the prime
    assert _stationary(Problem.make(F1, prime), 10, None) is None
    still = [[[str(PRIME), 0], [0, 0]], [[0, 0], [0, 0]]]
    assert _stationary(Problem.make(deep_factorization([[0]], 1), [[[str(PRIME)]]]), 10, None) is None
    assert _stationary(Problem.make(deep_factorization([[0, 0], [0, 0]], 2), still), 10, None).certified
    at_zero = enclose(Problem.make(F1, EYE), 0, 10)
    assert at_zero.certified and at_zero.blocks[0][0, 0] == 1


@pytest.mark.parametrize(
    ("model", "start"),
    [
        (deep_factorization([[-1, None], [None, -1]], 2), [[["0.1", 0], [0, "0.1"]]] * 2),  # a saddle
        (deep_factorization([[0, None], [None, 1]], 2), [[["0.1", 0], [0, "0.1"]]] * 2),  # algebraic decay
        (LinearNetwork((2, 1, 2), [[1, 0], [0, 2]]), [[[1, 1]], [[1], [1]]]),  # rank too small
        (LinearNetwork((1, 1), [[1, 2]], data=[[1, 1]]), [[["0.5"]]]),  # inconsistent data
    ],
)
def test_what_cannot_be_certified_is_undetermined(model, start):
    result = certified_limit(Problem.make(model, start), 8, max_steps=150)
    assert result.status == "undetermined" and result.reason and result.blocks


def test_bad_requests():
    problem = Problem.make(F1, EYE)
    with pytest.raises(ValueError, match="digits"):
        certified_limit(problem, 0)
    with pytest.raises(ValueError, match="negative time"):
        enclose(problem, -1, 5)
    with pytest.raises(ValueError, match="finite"):
        Problem.make(F1, [[[1, 0], [0, float("nan")]], [[1, 0], [0, 1]]])
    with pytest.raises(TypeError, match="bounds at infinity"):
        certified_limit(Problem.make(ScalarPair(2, 2, 1), [[[1]], [[1]]]), 5)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 6), st.integers(1, 6), st.integers(-400, 400))
def test_norm_bounds_are_bounds(seed, rows, cols, exponent):
    """The bounds in doubles, against singular values in mpmath of matrices with rounding-prone entries."""
    rng = np.random.default_rng(seed)
    m = rng.normal(size=(rows, cols)) * 10.0 ** rng.integers(-8, 3, (rows, cols))
    if rng.random() < 0.5:
        m = np.outer(m[:, 0], m[0])
    balls = [arb(float(v)) * arb(2) ** exponent for v in m.flat]
    with mpmath.workdps(40):
        values = mpmath.svd_r(mpmath.matrix(m.tolist()), compute_uv=False)
        top = max(values)
        total = mpmath.sqrt(sum(v * v for v in values))
        with precision(150):
            sizes = [arb(mpmath.nstr(v, 38)) * arb(2) ** exponent for v in (top, total)]
            assert not spectral_bound(balls, rows, cols) < sizes[0] * (1 - arb("1e-35"))
            assert not frobenius_bound(balls) < sizes[1] * (1 - arb("1e-35"))
            assert spectral_bound(balls, rows, cols) < sizes[0] * arb("1.08") + arb(2) ** (exponent - 1000)


def test_precision_is_restored_after_everything():
    from flint import ctx

    before = ctx.prec
    certified_limit(Problem.make(F1, EYE), 12)
    with pytest.raises(ValueError):
        enclose(Problem.make(F1, EYE), "x", 3)
    assert ctx.prec == before


def test_the_plain_recurrence_gives_the_same_answers(monkeypatch):
    monkeypatch.setattr("verify.flow.direct.available", lambda: False)
    slow = certified_limit(Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 2), EYE), 12)
    monkeypatch.undo()
    assert slow.certified and overlap(slow, certified_limit(Problem.make(F1, EYE), 12))


def test_module_documents_its_domain():
    assert "undetermined" in (validated.__doc__ or "")


def test_a_saddle_is_told_early_and_where():
    model = deep_factorization([[1, 3], [2, 4]], 2)  # the determinant of a flow from the identity stays positive
    result = certified_limit(Problem.make(model, [[["1e-3", 0], [0, "1e-3"]]] * 2), 15)
    assert not result.certified and result.info["steps"] < 100  # the shortest run is given: it is enough to see it
    assert "comes to rest, as far as" in result.reason
    assert "0.0669656" in result.reason and "1.27357 2.87898" in result.reason


def test_a_flow_that_passes_a_saddle_is_followed():
    model = deep_factorization([[1, 3, None], [2, 4, 1], [None, 1, -1]], 2)
    start = [[["1e-20" if i == j else 0 for j in range(3)] for i in range(3)]] * 2
    assert certified_limit(Problem.make(model, start), 12).certified


@pytest.mark.parametrize(
    ("cells", "scale", "time", "told"),
    [
        ([[1, 2], [3, None]], "1e300", None, "largest entry of the start is 1e300"),
        ([[1, 2], [3, None]], "1e-1000", None, "scales down to"),
        ([["1e-300", 0], [0, None]], "1e-3", None, "largest observed value, in row 1, column 1, is 1e-300"),
        ([[1, 2], [3, None]], "1e-3", "1e-4000", "times from 1e-60"),
        ([[1, 2], [3, None]], "1e-3", "1e4000", "times from 1e-60"),
    ],
)
def test_numbers_outside_of_the_domain_are_refused_in_one_line(cells, scale, time, told):
    problem = Problem.make(deep_factorization(cells, 2), [[[scale, 0], [0, scale]]] * 2)
    with pytest.raises(InputError, match=told):
        refuse(problem, None if time is None else F(time))


def test_a_time_that_is_much_too_far_is_told_after_few_steps():
    problem = Problem.make(deep_factorization([[1, 2], [3, None]], 2), [[["0.1", 0], [0, "0.1"]]] * 2)
    result = enclose(problem, "1e30", 12)
    assert not result.certified and "--to infinity" in result.reason and result.info["steps"] <= 100


def test_a_run_that_nobody_allowed_so_much_time_stops_with_a_forecast():
    problem = Problem.make(F1, EYE)
    with deadline.asked_first(1e-9):
        result = certified_limit(problem, 12)
    assert not result.certified and "--time-limit" in result.reason and result.info["steps"] == 1


def test_tiny_scales_beyond_the_doubles():
    problem = Problem.make(deep_factorization([[1, 2], [3, None]], 2), [[["1e-400", 0], [0, "1e-400"]]] * 2)
    result = certified_limit(problem, 12)
    assert result.certified and recheck.check(complete(result.certificate)).kind == "limit"


@pytest.mark.parametrize("digits", [3, 20])
def test_steps_that_begin_beyond_the_doubles_are_accepted(digits):
    scale = F(1, 10**151)
    start = [[[6 * scale, -2 * scale], [0, 5 * scale]], [[scale, -scale], [-2 * scale, 6 * scale]]]
    result = certified_limit(Problem.make(deep_factorization([[1, "0.4"], [None, "0.4"]], 2), start), digits)
    assert result.certified and recheck.check(complete(result.certificate)).kind == "limit"


@pytest.mark.parametrize("stop", [None, "7/3"])
def test_many_digits_take_few_steps_whose_polynomials_serve_for_the_certificate(stop):
    problem = Problem.make(F1, EYE)
    result = certified_limit(problem, 230) if stop is None else enclose(problem, stop, 230)
    assert result.certified and result.achieved >= 230 and result.info["steps"] <= 20
    assert all("polynomial" in step for step in result.certificate["steps"])
    full = complete(result.certificate)
    assert not any("order" in step for step in full["steps"])
    assert recheck.check(full).kind == full["kind"]
    few = certified_limit(problem, 40) if stop is None else enclose(problem, stop, 40)
    assert overlap(result, few)


def test_a_polynomial_of_a_long_step_that_is_changed_is_refused():
    full = complete(certified_limit(Problem.make(F1, EYE), 230).certificate)
    step = full["steps"][5]
    unit, rows = recheck.decoded(step["polynomial"], 8 + (step["beta"] is not None))
    rows[3] = [v + (k == 2) * (1 << 60) for k, v in enumerate(rows[3])]
    full["steps"][5] = {**step, "polynomial": _encoded(unit, rows)}
    with pytest.raises(recheck.Refused, match="step 5"):
        recheck.check(full)


def test_an_end_at_which_the_jacobian_loses_rank_is_told_early():
    model = deep_factorization([[1, 2, None], [2, 4, 1], [None, 1, None]], 2)
    start = [[["1e-6" if i == j else 0 for j in range(3)] for i in range(3)]] * 2
    result = certified_limit(Problem.make(model, start), 15)
    assert not result.certified and "no full row rank" in result.reason and result.info["steps"] == LOOKS[0]


def test_very_many_digits_are_forecast_before_the_first_step():
    with deadline.asked_first(0.1):
        result = certified_limit(Problem.make(F1, EYE), 400)
    assert not result.certified and "--time-limit" in result.reason and result.info["steps"] == 0


def test_a_plateau_of_a_deep_product_is_told_by_a_look_ahead():
    model = deep_factorization([["2.1", None, 2], [2, None, "-2.9"]], 3)
    start = [[["1e-6" if i == j else 0 for j in range(n)] for i in range(2)] for n in (3, 2, 2)]
    result = certified_limit(Problem.make(model, start), 8)
    assert not result.certified and result.info["steps"] == LOOKS[0]
    assert "the flow stays at a loss of 3.92438, near the product [-0.39" in result.reason and "longer than" in result.reason
