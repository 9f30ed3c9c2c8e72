"""Steps in exponentials: used where they should be, in agreement with closed forms and Taylor steps, refused when edited."""

import copy
import json
import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.flow import exponential, recheck, validated
from verify.flow.balls import precision
from verify.flow.certificate import complete
from verify.flow.models import CPTensor, LinearNetwork, deep_factorization, two_layer_regression
from verify.flow.validated import Problem, certified_limit

SLOW = Problem.make(deep_factorization([[1, "0.5"], [None, 1]], 2), [[["1e-5", "0.5e-5"], ["0.5e-5", "1e-5"]]] * 2)
NEAR = Problem.make(deep_factorization([[1, "0.5"], [None, 1]], 2), [[["0.9", "0.5"], ["0.3", "0.2"]]] * 2)
TWO_RATES = Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 2), [[[1, 0], [0, 1]]] * 2)
DATA = Problem.make(
    LinearNetwork((2, 2, 1), [["0.7", None, None]], data=[[1, 2, "0.1"], [0, "1/3", 1]], factor=F(2, 3)),
    [[[1, "0.2"], [0, 1]], [["0.3", "0.5"]]],
)
TENSOR = Problem.make(
    CPTensor([[[None, None], [2, None]]], 2, factor=2), [[[1, "0.5"]], [["1/3", 1], [1, 1]], [[1, "0.1"], ["0.7", 1]]]
)


def without_exponentials(monkeypatch, problem, digits):
    with monkeypatch.context() as patch:
        patch.setattr(validated._Run, "_decay", lambda self: False)
        return certified_limit(problem, digits)


def overlap(first, second):
    pairs = zip(first.blocks, second.blocks, strict=True)
    return all(x.overlaps(y) for a, b in pairs for x, y in zip(a.flat, b.flat, strict=True))


def exponentials(result):
    return [s for s in result.certificate["steps"] if "kind" in s]


def is_accepted(result):
    proved = recheck.check(json.loads(json.dumps(complete(result.certificate))))
    return proved.kind == result.certificate["kind"]


@pytest.mark.parametrize("problem", [SLOW, TWO_RATES, DATA, TENSOR], ids=["one rate", "two rates", "data", "tensor"])
def test_the_end_agrees_with_the_one_by_taylor_steps(monkeypatch, problem):
    result = certified_limit(problem, 28)
    assert result.certified and len(exponentials(result)) == 1
    plain = without_exponentials(monkeypatch, problem, 28)
    assert plain.certified and not exponentials(plain)
    assert len(result.certificate["steps"]) <= len(plain.certificate["steps"])
    assert overlap(result, plain)
    assert is_accepted(result)


def test_two_rates_are_two():
    (step,) = exponentials(certified_limit(TWO_RATES, 25))
    assert len(step["rates"]) == 2


@pytest.mark.parametrize("a,b,w", [("0.9", "0.1", 1), ("0.02", "0.01", "1/3"), ("1.5", "0.25", 2)])
def test_entries_that_do_not_meet_in_closed_form(a, b, w):
    # depth 2 with 1 x 1 factors, and twice beside one another: w_2^2 - w_1^2 stays and w_1 w_2 tends to w
    a, b, w = F(a), F(b), F(w)
    with precision(400):
        c = arb((a * a - b * b).numerator) / (a * a - b * b).denominator
        target = arb(w.numerator) / w.denominator
        first = ((c + (c * c + 4 * target * target).sqrt()) / 2).sqrt()
    for size in (1, 2):
        goal = [[w if i == j else None for j in range(size)] for i in range(size)]
        start = [[[v if i == j else 0 for j in range(size)] for i in range(size)] for v in (a, b)]
        result = certified_limit(Problem.make(deep_factorization(goal, 2), start), 25)
        assert result.certified and is_accepted(result)
        assert exponentials(result) or size == 2  # the rates are equal there
        for i in range(size):
            assert result.blocks[0][i, i].overlaps(first)
            assert result.blocks[0][i, i].rad() < 1e-24


def test_without_the_compiler(monkeypatch):
    fast = certified_limit(SLOW, 18)
    with monkeypatch.context() as patch:
        patch.setattr("verify.flow.fixedpoint._state", {"checked": True, "library": None, "reason": "off in a test"})
        for tape in list(getattr(SLOW.model, "__dict__", {}).values()):
            getattr(tape, "__dict__", {}).pop("_program", None)
        slow = certified_limit(SLOW, 18)
    assert slow.certified and exponentials(slow)
    assert overlap(fast, slow)
    assert is_accepted(slow)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 3))
def test_draws_of_shapes_agree_with_taylor_steps(seed, depth, size):
    rng = np.random.default_rng(seed)
    widths = [int(rng.integers(1, 3)), *(int(rng.integers(2, 4)) for _ in range(depth - 1)), size]
    target = [[F(int(rng.integers(-8, 9)), 8) if rng.random() < 0.6 else None for _ in range(widths[0])] for _ in range(size)]
    target[0][0] = F(3, 4)
    shapes = zip(widths[1:], widths[:-1], strict=True)
    start = [[[F(int(rng.integers(-12, 13)), 16) for _ in range(cols)] for _ in range(rows)] for rows, cols in shapes]
    problem = Problem.make(LinearNetwork(widths, target), start)
    result = certified_limit(problem, 10, max_steps=60)
    if not exponentials(result):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validated._Run, "_decay", lambda self: False)
        plain = certified_limit(problem, 10, max_steps=400)
    if result.certified:
        assert is_accepted(result)
        if plain.certified:
            assert overlap(result, plain)


def test_bounds_by_the_program_cover_the_exact_ones():
    kept = []
    real = exponential.bound

    def spy(model, p, *rest):
        kept.append((model, p))
        return real(model, p, *rest)

    for problem in (SLOW, TWO_RATES, DATA, TENSOR):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exponential, "bound", spy)
            certified_limit(problem, 25)
        model, p = kept[-1]
        if p.search is None or p.search.program is None:
            pytest.skip("no compiler")
        rates = [-float(F(a, 1 << p.unit)) for a in p.rates]
        powers, exact = exponential._bounds(model, p)
        terms, fast = p.search.bounds()
        at = {tuple(k): n for n, k in enumerate(powers.tolist())}
        integrals = [1 / max(1e-9, sum(n * r for n, r in zip(k, rates, strict=True))) for k in powers.tolist()]
        for name in ("defect", "residual"):
            full, part = getattr(exact, name), getattr(fast, name)
            low = fast.low if name == "defect" else fast.residual_low
            high = fast.high if name == "defect" else fast.residual_high
            inside = [at[tuple(k)] for k in terms.tolist()]
            outside = [n for n in range(len(full)) if n not in set(inside)]
            assert all(full[n] <= part[t] + low + high for t, n in enumerate(inside))
            assert sum(full[n] for n in outside) <= high + 1e-60
            assert sum(full[n] * integrals[n] for n in outside) <= high / min(rates) + 1e-60
        assert fast.high < 1e-18 and fast.low < 1e-18


def halved(data):
    return [data[0], data[1] - 1]


def edits(certificate):
    (place,) = [n for n, s in enumerate(certificate["steps"]) if "kind" in s]

    def edit(change):
        made = copy.deepcopy(certificate)
        change(made["steps"][place], made)
        return made

    def shift_coefficient(step, _, term=1):
        step["coefficients"][term][0][0] = format(int(step["coefficients"][term][0][0], 16) + (1 << step["bits"] - 40), "x")

    def smaller(step, made):
        step["error"] = made["capture"]["error"] = made["claim"]["error"] = [step["error"][0], step["error"][1] - 10]

    yield "another coefficient", edit(shift_coefficient)
    yield "another constant", edit(lambda s, c: shift_coefficient(s, c, 0))
    yield "another rate", edit(lambda s, _: s.update(rates=[[format(int(a, 16) * 65537, "x"), e - 16] for a, e in s["rates"]]))
    yield "a rising rate", edit(lambda s, _: s.update(rates=[[a.replace("-", ""), e] for a, e in s["rates"]]))
    yield "no rate", edit(lambda s, _: s.update(rates=[["0", 0]]))
    yield "shorter", edit(lambda s, _: s.update(h=[s["h"][0], s["h"][1] - 3]))
    yield "longer than the tube", edit(lambda s, _: s.update(h=[s["h"][0], s["h"][1] + 200]))
    yield "negative length", edit(lambda s, _: s.update(h=["-" + s["h"][0], s["h"][1]]))
    yield "smaller error", edit(smaller)
    yield "thin tube", edit(lambda s, _: s.update(rho=[s["rho"][0], s["rho"][1] - 20]))
    yield "wide tube", edit(lambda s, _: s.update(rho=[s["rho"][0], s["rho"][1] + 200]))
    yield "negative tube", edit(lambda s, _: s.update(rho=["-1", 0]))
    yield "fewer terms", edit(lambda s, _: (s["terms"].pop(2), s["coefficients"].pop(2)))
    yield "a term twice", edit(lambda s, _: s["terms"].__setitem__(-1, s["terms"][-2]))
    yield "first term", edit(lambda s, _: s["terms"].reverse())
    yield "negative power", edit(lambda s, _: s["terms"].__setitem__(1, [-1] * len(s["rates"])))
    yield "no whole power", edit(lambda s, _: s["terms"].__setitem__(1, [1.0] * len(s["rates"])))
    yield "huge power", edit(lambda s, _: s["terms"].__setitem__(1, [10**6] * len(s["rates"])))
    yield "bits", edit(lambda s, _: s.update(bits=s["bits"] - 1))
    yield "a lost coefficient", edit(lambda s, _: s["coefficients"][1][0].pop())
    yield "another kind", edit(lambda s, _: s.update(kind="taylor"))
    yield "final", edit(lambda s, _: s.update(final=True))
    yield "another end", edit(lambda s, _: s["mid"][0].__setitem__(0, halved(s["mid"][0][0])))
    yield "the step before left out", edit(lambda s, c: c["steps"].pop(place - 1))


@pytest.mark.parametrize("problem", [NEAR, TWO_RATES], ids=["one rate", "two rates"])
def test_edited_steps_are_refused(problem):
    certificate = json.loads(json.dumps(complete(certified_limit(problem, 17).certificate)))
    recheck.check(certificate)
    for name, made in edits(certificate):
        with pytest.raises(recheck.Refused):
            recheck.check(made)
            pytest.fail(name)


def test_the_smallest_singular_value_is_bounded_from_below():
    rng = np.random.default_rng(3)
    from verify.flow import geometry

    models = [deep_factorization([[1, None, 2], [None, 1, 0]], 3), CPTensor([[[1, None], [2, 3]]], 2)]
    models.append(two_layer_regression([[1, 2], [0, 1]], [[1, 2]], 2))
    for model in models:
        for scale in (1, 1e-3, 1e4):
            flats = [[arb(float(v)) for v in rng.normal(size=r * c) * scale] for r, c in model.shapes]
            found = geometry.smallest_singular_value(model, flats)
            with precision(200):
                _, jac = geometry.residual_and_jacobian(model, flats)
                true = math.sqrt(min(v.real.mid() for v in (jac * jac.transpose()).eig(algorithm="approx")))
            assert 0 <= found <= true
            assert found == 0 or found > true / 3


def rising(bits=160, degree=11, error=-70):
    """A certificate of growth from 2^-40, w' = w (1 - w^2) for both factors: w = v/sqrt(1 + v^2) with v = c exp(t - T)."""
    length = 20
    with precision(400):
        first = arb(2) ** -40
        c = first / (1 - first * first).sqrt() * arb(length).exp()
        end = c / (1 + c * c).sqrt()
        series = [(c ** (2 * n + 1) * arb(math.comb(2 * n, n)) / (-4) ** n) for n in range((degree + 1) // 2)]
        numbers = [int((v * arb(2) ** bits).mid().floor().unique_fmpz()) for v in series]
        mid = int((end * arb(2) ** bits).mid().floor().unique_fmpz())
    point = [[[format(mid, "x"), -bits]]] * 2
    step = {
        "kind": "exponential",
        "h": [format(length, "x"), 0],
        "beta": None,
        "bits": bits,
        "rates": [["1", 0]],
        "terms": [[0], *([2 * n + 1] for n in range(len(numbers)))],
        "coefficients": [[["0"], ["0"]], *([[format(v, "x")], [format(v, "x")]] for v in numbers)],
        "rho": ["1", error + 1],
        "mid": point,
        "error": ["1", error],
        "final": False,
    }
    certificate = {
        "format": "verify-flow",
        "version": 2,
        "model": {"name": "linear-network", "widths": [1, 1, 1], "target": [["1"]], "data": None, "factor": "1"},
        "start": [[["1/1099511627776"]]] * 2,
        "kind": "undetermined",
        "begin": {"mid": [[["1", -40]]] * 2, "error": ["0", 0]},
        "steps": [step],
        "claim": {"blocks": point, "error": ["1", error]},
    }
    return json.loads(json.dumps(certificate)), end


def test_growth_along_rising_exponentials_is_accepted():
    certificate, end = rising()
    proved = recheck.check(certificate)
    with precision(400):
        assert all(abs(recheck._arb(v) - end) < recheck._arb(proved.error) for flat in proved.blocks for v in flat)
    for bad in (rising(degree=3), rising(bits=40), rising(error=-160)):
        with pytest.raises(recheck.Refused):
            recheck.check(bad[0])
    for change in ({"rates": [["9", -3]]}, {"rates": [["-1", 0]]}, {"h": ["15", 0]}, {"h": ["13", 0]}):
        other = copy.deepcopy(certificate)
        other["steps"][0].update(change)
        with pytest.raises(recheck.Refused):
            recheck.check(other)
