"""Models: one definition, read symbolically, in floats, in mpmath, in balls and as Taylor series."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.flow.balls import from_dyadic, precision
from verify.flow.models import (
    BALLS,
    EXACT,
    FLOAT,
    MPMATH,
    SYMBOLIC,
    CPTensor,
    LinearNetwork,
    MirrorCoordinates,
    PairwiseSymmetric,
    ScalarPair,
    deep_factorization,
    two_layer_regression,
)
from verify.flow.tape import trace
from verify.flow.taylor import PlainSeries, expand

LEAST_SQUARES = [
    deep_factorization([[1, "0.1"], [None, 1]], 2),
    LinearNetwork((2, 3, 1, 2), [[1, None], [Fraction(1, 3), 2]], factor=Fraction(2, 3)),
    LinearNetwork((3, 2), [[1, 2, None], [None, None, 5]]),
    two_layer_regression([[1, 2], [0, 1], [1, 1]], [[1, 2], [3, 4]], 2, factor=5),
    CPTensor([[[1, None], [2, 3]], [[1, 2], [None, 1]]], 2, factor=Fraction(1, 3)),
    CPTensor([1, None, 3], 2),
]
REDUCED = [
    ScalarPair(3, 4, 1, factor=Fraction(1, 2)),
    ScalarPair(2, 1, 1),
    PairwiseSymmetric([[1, 2], [None, 1]]),
    MirrorCoordinates([[1, 2], [3, 4]], [[1], [2]], factor=3),
]


def symbols(model):
    return [
        np.array(sympy.symbols(f"x{b}_0:{r * c}"), dtype=object).reshape(r, c)
        for b, (r, c) in enumerate(model.shapes)
    ]


def numbers(model, seed=0):
    rng = np.random.default_rng(seed)
    return [
        np.array(
            [[Fraction(int(v), 8) for v in row] for row in rng.integers(-9, 9, s)], dtype=object
        ).reshape(s)
        for s in model.shapes
    ]


@pytest.mark.parametrize("model", LEAST_SQUARES, ids=lambda m: f"{m.name}-{m.shapes}")
def test_the_field_is_minus_the_gradient_of_the_loss(model):
    x = symbols(model)
    loss = model.loss(x, SYMBOLIC)
    exact = numbers(model)
    for f, g in zip(model.field(exact, EXACT), model.gradient(exact, EXACT), strict=True):
        assert all(a == -b for a, b in zip(f.flat, g.flat, strict=True))
    for block, out in zip(x, model.field(x, SYMBOLIC), strict=True):
        for v, f in zip(block.flat, out.flat, strict=True):
            assert sympy.Poly(sympy.expand(sympy.diff(loss, v) + f), *[s for b in x for s in b.flat]).is_zero


@pytest.mark.parametrize("model", LEAST_SQUARES + REDUCED, ids=lambda m: f"{m.name}-{m.shapes}")
def test_every_reading_agrees(model):
    exact = numbers(model)
    truth = [v for b in model.field(exact, EXACT) for v in b.flat]
    x = symbols(model)
    assignment = {
        s: sympy.Rational(v.numerator, v.denominator)
        for b, e in zip(x, exact, strict=True)
        for s, v in zip(b.flat, e.flat, strict=True)
    }
    symbolic = [f.subs(assignment) for b in model.field(x, SYMBOLIC) for f in b.flat]
    assert [Fraction(int(f.p), int(f.q)) for f in symbolic] == truth
    batch = [np.stack([b.astype(float)] * 3) for b in exact]
    floats = np.concatenate([b[1].reshape(-1) for b in model.field(batch, FLOAT)])
    assert floats == pytest.approx([float(v) for v in truth], rel=1e-12, abs=1e-12)
    with mpmath.workdps(40):
        mp = [v for b in model.field([MPMATH.array(e) for e in exact], MPMATH) for v in b.flat]
        assert (
            max(abs(a - mpmath.mpf(t.numerator) / t.denominator) for a, t in zip(mp, truth, strict=True))
            < 1e-35
        )
    with precision(100):
        balls = [v for b in model.field([BALLS.array(e) for e in exact], BALLS) for v in b.flat]
        assert all(
            a.contains(arb(t.numerator) / t.denominator) or a.overlaps(arb(t.numerator) / t.denominator)
            for a, t in zip(balls, truth, strict=True)
        )
        start = [[from_dyadic((v.numerator * 8 // v.denominator, -3)) for v in e.flat] for e in exact]
        series = PlainSeries(trace(model), start, 2, [100] * 3)
        first = [v for n in trace(model).inputs for v in series.coefficients(n, 1)]
        assert all(a.overlaps(arb(t.numerator) / t.denominator) for a, t in zip(first, truth, strict=True))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 8), st.booleans())
def test_the_accelerator_agrees_with_the_plain_recurrence(seed, which, timed):
    model = (LEAST_SQUARES + REDUCED)[which]
    tape = trace(model, speed=timed)
    start = [[from_dyadic((int(v * 8), -3)) for v in e.flat] for e in numbers(model, seed)]
    beta = arb(-0.375) if timed else None
    for order in (5, 40):
        fast = expand(tape, start, order, [150] * (order + 1), beta)
        got = [[fast.coefficients(n, k) for k in range(order + 1)] for n in tape.inputs]
        norms = [fast.norms(n, order) for n in tape.inputs]
        slow = PlainSeries(tape, start, order, [150] * (order + 1), beta)
        for n, columns, bounds in zip(tape.inputs, got, norms, strict=True):
            for k in range(order + 1):
                exact = slow.coefficients(n, k)
                assert all(a.overlaps(b) for a, b in zip(columns[k], exact, strict=True))
                with precision(60):
                    size = sum((v * v for v in exact), arb(0)).sqrt()
                    assert not bounds[k] < arb(size.lower()) * (1 - arb(2) ** -40)


def test_pairwise_symmetry_is_the_full_flow():
    reduced = PairwiseSymmetric([[1, 2], [None, 1]])
    x = symbols(reduced)
    b, a = reduced.blocks(x[0])
    full = reduced.full_model.field((b, a), SYMBOLIC)
    (da,) = reduced.field(x, SYMBOLIC)
    db, _ = reduced.blocks(da)
    assert all(sympy.expand(p - q) == 0 for p, q in zip(full[1].flat, da.flat, strict=True))
    assert all(sympy.expand(p - q) == 0 for p, q in zip(full[0].flat, db.flat, strict=True))
    with pytest.raises(ValueError, match="diagonal"):
        PairwiseSymmetric([[1, 2], [3, 5]])


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_the_scalar_pair_is_the_full_flow(depth):
    d, x, y = 3, Fraction(3, 7), Fraction(1, 5)
    full = deep_factorization([[2 if i == j else None for j in range(d)] for i in range(d)], depth)
    w = np.array([[x if i == j else y for j in range(d)] for i in range(d)], dtype=object)
    dw = full.field([w] * depth, EXACT)[0]
    pair = ScalarPair(d, depth, 2)
    one = [np.array([[v]], dtype=object) for v in (x + (d - 1) * y, x - y)]
    d1, d2 = (b[0, 0] for b in pair.field(one, EXACT))
    # The diagonal of the residual is d times the pair's: the flows agree up to nothing at all.
    assert dw[0, 0] + (d - 1) * dw[0, 1] == d1
    assert dw[0, 0] - dw[0, 1] == d2


def test_mirror_coordinates_are_the_diagonal_network():
    u, v = sympy.symbols("u0:2"), sympy.symbols("v0:2")
    model = MirrorCoordinates([[1, 2], [3, 4]], [[1], [2]])
    s = np.array([[a * b] for a, b in zip(u, v, strict=True)], dtype=object)
    q = np.array([[(a * a + b * b) / 2] for a, b in zip(u, v, strict=True)], dtype=object)
    residual = [s[0, 0] + 2 * s[1, 0] - 1, 3 * s[0, 0] + 4 * s[1, 0] - 2]
    g = [residual[0] + 3 * residual[1], 2 * residual[0] + 4 * residual[1]]
    ds, dq = model.field([s, q], SYMBOLIC)
    for i in range(2):
        du, dv = -g[i] * v[i], -g[i] * u[i]
        assert sympy.expand(ds[i, 0] - (du * v[i] + u[i] * dv)) == 0
        assert sympy.expand(dq[i, 0] - (u[i] * du + v[i] * dv)) == 0


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: LinearNetwork((2,), [[1, 2]]), "depth below 1"),
        (lambda: LinearNetwork((2, 0, 2), [[1, 2], [3, 4]]), "width below 1"),
        (lambda: deep_factorization([[None]], 2), "no entry"),
        (lambda: deep_factorization([[1, 2], [3, 4]], 2, factor=0), "not positive"),
        (lambda: deep_factorization([[1, 2], [3, 4]], 0), "depth below 1"),
        (lambda: deep_factorization([[float("inf")]], 1), "not a finite"),
        (lambda: deep_factorization([["a"]], 1), "not a rational"),
        (lambda: LinearNetwork((2, 2), [[1, 2, 3], [3, 4, 5]]), "shape"),
        (lambda: LinearNetwork((2, 2), [[1], [3]], data=[[1]]), "rows are needed"),
        (lambda: CPTensor([None], 1), "no entry"),
        (lambda: CPTensor([1], 0), "rank at least 1"),
        (lambda: ScalarPair(0, 2, 1), "at least 1"),
        (lambda: deep_factorization([[1]], 2).start([[[1]]]), "2 are needed"),
        (lambda: deep_factorization([[1]], 2).start([[[1]], [[1, 2]]]), "shape"),
    ],
)
def test_bad_input_is_refused_with_a_clear_message(make, text):
    with pytest.raises(ValueError, match=text):
        make()
