"""The compiled accelerator: its bounds are attacked in exact arithmetic, and everything works without it."""

import ctypes
import itertools
import json
import math
import shutil
import subprocess
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq, fmpq_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.flow import fixedpoint, recheck
from verify.flow.balls import from_dyadic, precision
from verify.flow.certificate import complete
from verify.flow.fixedpoint import BITS, Plan, Program
from verify.flow.majorant import StepMajorant
from verify.flow.models import (
    FLOAT,
    Arithmetic,
    CPTensor,
    LinearNetwork,
    MirrorCoordinates,
    ScalarPair,
    deep_factorization,
    two_layer_regression,
)
from verify.flow.tape import trace
from verify.flow.taylor import expand
from verify.flow.validated import Problem, _Run, certified_limit, enclose

needs_compiler = pytest.mark.skipif(not fixedpoint.available(), reason=f"no accelerator: {fixedpoint.reason()}")
F1 = [[1, "0.1"], [None, 1]]
EYE = [[[1, 0], [0, 1]]] * 2

MODELS = [
    deep_factorization(F1, 2),
    deep_factorization([[1, None, None], [None, 1, None], [None, None, 1]], 3),
    LinearNetwork((2, 3, 2), [[1, None], [F(1, 3), 2]], factor=F(2, 3)),
    LinearNetwork((3, 2, 1, 2), [[1, None, 1], [None, 2, None]]),
    two_layer_regression([[1, 2], [0, 1], [1, 1]], [[1, 2], [3, 4]], 2),
    CPTensor([[[1, None], [2, F(1, 3)]], [[1, 2], [None, 1]]], 2),
    ScalarPair(3, 4, 1),
    MirrorCoordinates([[1, 2]], [[1]]),
]


def polynomials():
    """Arithmetic whose constants are constant polynomials."""
    return Arithmetic("polynomials", lambda v: fmpq_poly([fmpq(v.numerator, v.denominator)]), cache=False)


def program(model, timed, start=None):
    same = None if start is None else [v for flat in start for v in flat]
    return Program(fixedpoint._state["library"], trace(model, speed=timed), -1, same)


def coefficients(made, base, order):
    """The coefficients that were computed, exactly: differences of partial sums."""
    op = made.ops[base]
    unit = F(2) ** (-BITS * (op.top + op.digits - 1))
    sums = [made.endpoint(base, k) for k in range(order + 1)]
    rows = [sums[0], *([b - a for a, b in zip(x, y, strict=True)] for x, y in itertools.pairwise(sums))]
    return [[v * unit / 2 ** (made.rise * k) for v in row] for k, row in enumerate(rows)]


@needs_compiler
@settings(max_examples=90, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(MODELS), st.integers(2, 12))
def test_the_defect_of_the_polynomial_is_below_its_bound(seed, model, order):
    """h u F(p) - p' is computed exactly, coefficient by coefficient, for coarse digits and tiny or large entries."""
    rng = np.random.default_rng(seed)
    timed = bool(rng.integers(2))
    last = int(rng.integers(1, 6))
    scale = int(rng.integers(0, BITS * last))  # entries of size about 2^-scale
    size = max(2, 1 << (BITS * last - scale))
    start = [[int(v * size) for v in rng.uniform(-1, 1, r * c)] for r, c in model.shapes]
    if rng.integers(2):  # few different numbers
        few = [v for flat in start for v in flat][: int(rng.integers(1, 4))]
        start = [[few[int(rng.integers(len(few)))] for _ in flat] for flat in start]
    if rng.integers(2):
        start = [[start[0][min(i, len(start[0]) - 1)] for i in range(len(flat))] for flat in start]
    made = program(model, timed, start if rng.integers(4) else None)
    h = (int(rng.integers(1, 4096)), -12 - int(rng.integers(0, 9)))
    beta = (int(rng.integers(1, 4096)) * (-1) ** int(rng.integers(2)), -12) if timed else None
    places = np.empty((2, made.count), dtype=np.int64)
    places[0], places[1] = -3, last + rng.integers(0, 2, made.count)
    places[1, made.inputs] = last + int(rng.integers(0, 2))
    rise = int(rng.integers(0, 7)) * int(rng.integers(2))
    if made.expand(start, last, Plan(made, beta, order, h, places, rise)):
        the_defect_is_bounded(model, made, start, last, order, h, beta)


@needs_compiler
@pytest.mark.parametrize("kind", ["widest", "alike", "many terms"])
def test_long_sums_are_exact(kind):
    """Many orders with all their digits, more than the sums of one pass can hold."""
    shape = (1, 9) if kind == "many terms" else (3, 3)
    cells = [[F(-((-1) ** (i + j)), 3) for j in range(shape[1])] for i in range(shape[0])]
    model = LinearNetwork((shape[1], shape[1], shape[0]), cells)
    last, order, h = 14, 300 if kind == "widest" else 240, (1200, -12)
    few = itertools.cycle([1 << BITS * last - 2, -3 << BITS * last - 4, 5 << BITS * last - 5])
    start = [[next(few) + (i if kind != "alike" else 0) for i in range(r * c)] for r, c in model.shapes]
    made = program(model, False, start)
    places = np.full((2, made.count), -1, dtype=np.int64)
    places[1] = last
    assert made.expand(start, last, Plan(made, None, order, h, places))
    the_defect_is_bounded(model, made, start, last, order, h, None)


@needs_compiler
def test_products_that_come_twice_are_computed_once_and_exactly():
    """A state that is symmetric about the second diagonal: an entry of the product is b d + d b."""
    model = deep_factorization([[F(1, 3), F(-2, 3)], [None, F(1, 3)]], 2)
    last, order, h = 14, 300, (1200, -12)
    a, b, c, d = 1 << BITS * last - 2, -3 << BITS * last - 4, 5 << BITS * last - 5, -7 << BITS * last - 5
    start = [[a, b, c, d], [d, b, c, a]]
    made = program(model, False, start)
    assert len(made.heads) == 4 and [2.0] in [sorted(set(f["times"]) - {1.0}) for f in made.fields]
    places = np.full((2, made.count), -1, dtype=np.int64)
    places[1] = last
    assert made.expand(start, last, Plan(made, None, order, h, places))
    the_defect_is_bounded(model, made, start, last, order, h, None)


def the_defect_is_bounded(model, made, start, last, order, h, beta):
    length = math.ldexp(*h)
    rate = 0.0 if beta is None else math.ldexp(*beta) * length
    low, high = made.bounds(order, length, rate)
    blocks = []
    for number, base, shape, flat in zip(made.tape.inputs, made.inputs, model.shapes, start, strict=True):
        rows = [[row[e] for e in made.views[number].entries] for row in coefficients(made, base, order)]
        assert rows[0] == [v * F(2) ** (-BITS * last) for v in flat]
        block = np.empty(len(flat), dtype=object)
        block[:] = [fmpq_poly([fmpq(c.numerator, c.denominator) for c in column]) for column in zip(*rows, strict=True)]
        blocks.append(block.reshape(shape))
    speed = None
    if beta is not None:
        x, term, series = -F(rate), F(1), []
        for k in range(60):
            series.append(fmpq(term.numerator, term.denominator))
            term = term * x / (k + 1)
        speed = np.empty((1, 1), dtype=object)
        speed[0, 0] = fmpq_poly(series)
    field = model.field(blocks, polynomials(), speed)
    exact_h = F(length)
    defects = [
        p * fmpq(exact_h.numerator, exact_h.denominator) - q.derivative()
        for f, b in zip(field, blocks, strict=True)
        for p, q in zip(f.flat, b.flat, strict=True)
    ]
    total = mpmath.mpf(0)
    with mpmath.workdps(40):
        for k in range(max(d.degree() for d in defects) + 1):
            square = sum((mpmath.mpf(int(d[k].p)) / int(d[k].q)) ** 2 for d in defects)
            total += mpmath.sqrt(square) / (k + 1)
            assert beta is not None or k >= order or total <= mpmath.mpf(low)
        assert total <= (mpmath.mpf(low) + mpmath.mpf(high)) * (1 + mpmath.mpf(10) ** -25)


@needs_compiler
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 6), st.integers(1, 6), st.integers(-60, 60))
def test_the_spectral_bound_is_a_bound(seed, rows, cols, exponent):
    rng = np.random.default_rng(seed)
    m = rng.normal(size=(rows, cols)) * 10.0 ** rng.integers(-8, 3, (rows, cols))
    if rng.random() < 0.5:
        m = np.outer(m[:, 0], m[0])
    m = np.ldexp(m, exponent)
    error = float(10.0 ** rng.integers(-20, -3)) * float(np.abs(m).max()) if rng.random() < 0.5 else 0.0
    work = np.zeros(3 * 36)
    bound = fixedpoint._state["library"].spectral(m.ctypes.data, rows, cols, error, work.ctypes.data)
    # The worst matrix within the error that has the same singular vectors.
    u, _, v = np.linalg.svd(m)
    worst = m + error * np.sign(np.outer(u[:, 0], v[0]))
    with mpmath.workdps(40):
        top = max(mpmath.svd_r(mpmath.matrix(worst.tolist()), compute_uv=False))
        assert bound >= top * (1 - mpmath.mpf(10) ** -15)
        assert bound <= top * mpmath.mpf("1.08") + 40 * error + 1e-280


def sampled_growth(model, layers, beta, length, steps=200):
    """The integral of the largest eigenvalue of the symmetric part of the Jacobian along the flow, in the time s with
    dt = exp(-beta s) ds."""
    shapes = [w.shape for w in layers]
    ends = np.cumsum([w.size for w in layers])

    def field(v):
        blocks = tuple(part.reshape(s) for part, s in zip(np.split(v, ends[:-1]), shapes, strict=True))
        return np.concatenate([w.ravel() for w in model.field(blocks, FLOAT)])

    def rate(v):
        moves = np.eye(v.size) * 1e-6
        jacobian = np.array([(field(v + e) - field(v - e)) / 2e-6 for e in moves])
        return np.linalg.eigvalsh((jacobian + jacobian.T) / 2)[-1]

    v, total, h = np.concatenate([w.ravel() for w in layers]), 0.0, length / steps
    for k in range(steps):
        speed = math.exp(-beta * (k + 0.5) * h)
        half = v + field(v) * speed * h / 2
        total += rate(half) * speed * h
        v = v + field(half) * speed * h
    return total


@needs_compiler
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_the_growth_of_the_error_is_bounded(seed):
    """The bound of the logarithmic norm for a step: at least what it is along the midpoints, sampled in doubles; and that of
    the plain path, but for layers of width one, where either path knows shortcuts of its own."""
    rng = np.random.default_rng(seed)
    depth = int(rng.integers(2, 5))
    widths = [int(w) for w in rng.integers(1, 4, depth + 1)]
    cells = [[F(int(rng.integers(-9, 10)), 4) for _ in range(widths[0])] for _ in range(widths[-1])]
    model = LinearNetwork(widths, cells, factor=F(int(rng.integers(1, 5)), 3))
    start = [[[F(int(v), 8) for v in row] for row in rng.integers(-8, 9, s)] for s in model.shapes]
    run = _Run(Problem.make(model, start), 12, 45, 10, None, 10)
    before = [list(flat) for flat in run.mid]
    if not run._stride(None):
        return
    step = run.steps[-1]
    rho, begin, bound = step.rho, step.begin, step.bound
    rate = None if step.beta is None else from_dyadic(step.beta)
    tape, h = run.tapes[rate is not None], step.h
    series = expand(tape, before, step.order, [step.bits + 40] * (step.order + 1), rate)
    major = StepMajorant(model, tape, series, h, 3, rate)
    run.mid = before
    with precision(30):
        plain = float(run._growth(series, tape, major, arb(rho), from_dyadic(h), rate))
    grown = math.log(bound / begin)
    if min(widths) > 1:
        assert grown == pytest.approx(plain, rel=0.02, abs=1e-6)
    beta, length = 0.0 if rate is None else float(rate.mid()), float(from_dyadic(h).mid())
    layers = [np.array([[float(v) for v in row] for row in block]) for block in start]
    assert sampled_growth(model, layers, beta, length) <= grown + 1e-3


def both(make):
    """The answers with the accelerator and without it."""
    fast = make()
    saved = fixedpoint._state["library"]
    fixedpoint._state["library"] = None
    try:
        return fast, make()
    finally:
        fixedpoint._state["library"] = saved


PROBLEMS = {
    "two layers": lambda: certified_limit(Problem.make(deep_factorization(F1, 2), EYE), 20),
    "three layers": lambda: certified_limit(
        Problem.make(
            deep_factorization([[1, None], [None, 2]], 3, factor=F(3, 2)),
            [[["1/3", "0.1"], ["0.2", "0.5"]], [["0.7", "0.1"], [0, "0.6"]], [["1/3", 0], ["0.1", "0.9"]]],
        ),
        12,
    ),
    "data, a time": lambda: enclose(
        Problem.make(two_layer_regression([[1, 2], [0, 1]], [[1, 2]], 2), [[[1, 0], [0, 1]], [["0.1", "0.2"]]]), 3, 15
    ),
    "tensor": lambda: certified_limit(
        Problem.make(
            CPTensor([[[1, None], [2, 3]]], 2), [[[1, "0.5"]], [["1/3", 1], [1, 1]], [[1, "0.1"], ["0.7", 1]]]
        ),
        8,
    ),
    "tiny": lambda: certified_limit(
        Problem.make(deep_factorization([[1, None], [None, 1]], 2), [[["1e-35", "5e-36"], ["5e-36", "1e-35"]]] * 2), 15
    ),
    "huge": lambda: enclose(Problem.make(deep_factorization([[1]], 2), [[[10**6]]] * 2), F(1, 10**10), 15),
    "many digits": lambda: certified_limit(Problem.make(deep_factorization(F1, 2), EYE), 120),
}


@needs_compiler
@pytest.mark.parametrize("name", PROBLEMS)
def test_both_paths_enclose_the_same_and_their_certificates_hold(name):
    fast, plain = both(PROBLEMS[name])
    assert fast.certified and plain.certified
    with precision(800):
        for a, b in zip(fast.blocks, plain.blocks, strict=True):
            assert all(x.overlaps(y) for x, y in zip(a.flat, b.flat, strict=True))
    assert fast.certificate["steps"] != plain.certificate["steps"]
    proved = recheck.check(json.loads(json.dumps(complete(fast.certificate))))
    assert proved.kind == fast.certificate["kind"]


@needs_compiler
def test_a_kernel_that_miscounts_is_not_used(monkeypatch):
    class Wrong(fixedpoint.Library):
        def __init__(self, path):
            super().__init__(path)
            right = self.expand

            def expand(address, *rest):
                found = right(address, *rest)
                first = ctypes.c_double.from_address(fixedpoint.Op.from_address(address).fwd + 8)
                first.value += 1  # one digit of the first coefficient
                return found

            self.expand = expand

    monkeypatch.setattr(fixedpoint, "Library", Wrong)
    monkeypatch.setattr(fixedpoint, "_state", {"checked": False, "library": None, "reason": ""})
    with pytest.warns(RuntimeWarning, match="not used"):
        assert not fixedpoint.available()
    assert "plain" in fixedpoint.reason()
    assert certified_limit(Problem.make(deep_factorization(F1, 2), EYE), 8).certified


@pytest.mark.parametrize("what", ["variable", "no compiler"])
def test_the_accelerator_can_be_missing(monkeypatch, tmp_path, what):
    monkeypatch.setattr(fixedpoint, "_state", {"checked": False, "library": None, "reason": ""})
    if what == "variable":
        monkeypatch.setenv("VERIFY_FLOW_PLAIN", "1")
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr(shutil, "which", lambda name: None)
    assert not fixedpoint.available() and fixedpoint.reason()
    assert certified_limit(Problem.make(deep_factorization(F1, 2), EYE), 8).certified


@needs_compiler
def test_certificates_do_not_depend_on_the_processor(monkeypatch, tmp_path):
    """The same steps from code for any processor (no fused operations, short vectors)."""
    source = str(fixedpoint.__file__).removesuffix(".py") + ".c"
    target = tmp_path / "portable.so"
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("the library came from the cache")
    flags = ["-O1", "-std=gnu11", "-fPIC", "-shared", "-ffp-contract=off"]
    subprocess.run([compiler, *flags, "-o", str(target), source, "-lm"], check=True, timeout=60)
    first = certified_limit(Problem.make(deep_factorization(F1, 2), EYE), 25)
    monkeypatch.setattr(fixedpoint, "_state", {**fixedpoint._state, "library": fixedpoint.Library(str(target))})
    second = certified_limit(Problem.make(deep_factorization(F1, 2), EYE), 25)  # a new model has new tapes
    assert first.certificate["steps"] == second.certificate["steps"]


@needs_compiler
def test_numbers_that_do_not_fit_are_refused():
    made = program(MODELS[0], False)
    places = np.full((2, made.count), 0, dtype=np.int64)
    places[1] = 4
    huge = [[1 << 200] * 4] * 2
    assert not made.expand(huge, 4, Plan(made, None, 5, (1, -3), places))
    places[0] = -47  # far too many digits
    places[1] = 49
    assert not made.expand([[1] * 4] * 2, 0, Plan(made, None, 5, (1, -3), places))
    places[0], places[1] = 1, 4  # 1/2 does not fit below 2^-22 2^21
    assert not made.expand([[3 << 4 * BITS - 1] * 4] * 2, 4, Plan(made, None, 5, (1, -3), places))
