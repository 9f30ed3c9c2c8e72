"""The checker's bounds at their edges: the smallest error that is accepted, and that each error term makes it larger.

A step of a genuine certificate is taken alone. `least` finds the smallest error that the checker accepts. Then one term is made
larger by a known amount (the error before the step, the distance to where the polynomials begin, the defect, the rounding at
the end, the tube), and the smallest error must grow by that amount or more: a checker that leaves the term out is noticed.
"""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from flint import arb

from tests.flow.test_recheck import by_taylor_steps
from verify.flow import geometry, recheck, recheck_balls
from verify.flow.balls import dyadic_fraction, encode, frobenius_bound, spectral_bound
from verify.flow.certificate import complete
from verify.flow.models import deep_factorization
from verify.flow.validated import Problem, certified_limit, enclose

NEAR = Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 2), [[[1, 0], [0, 1]]] * 2)
GROWING = Problem.make(deep_factorization([[1]], 2), [[["1e-6"]]] * 2)
DEEP = Problem.make(deep_factorization([[1]], 3), [[["1e-3"]]] * 3)


def made(result):
    return json.loads(json.dumps(complete(result.certificate)))


CASES = {
    "a polynomial": lambda: alone(made(by_taylor_steps(NEAR, 10)), 1),
    "of a growing state": lambda: alone(made(by_taylor_steps(GROWING, 8)), 1),
    "with a change of time": lambda: first_with_beta(made(enclose(DEEP, F(10**3), 8))),
    "exponentials": lambda: alone(made(certified_limit(NEAR, 10)), -1),
}


@pytest.fixture(scope="module")
def steps():
    return {name: make() for name, make in CASES.items()}


def value(data: Any) -> F:
    return dyadic_fraction((int(data[0], 16), data[1]))


def number(x: F, bits: int = 60) -> list[Any]:
    """A dyadic number near x, as a certificate has it."""
    shift = bits - (x.numerator.bit_length() - x.denominator.bit_length()) if x else 0
    return encode((round(x * F(2) ** shift), -shift))


def alone(certificate: dict[str, Any], place: int) -> dict[str, Any]:
    """One step, from its exact midpoint."""
    points = [certificate["begin"], *certificate["steps"]]
    place = place % len(certificate["steps"])
    before, step = points[place], certificate["steps"][place]
    model = certificate["model"]
    widths = model["widths"]
    start = []
    for flat, (rows, cols) in zip(before["mid"], zip(widths[1:], widths, strict=False), strict=True):
        values = [str(value(v)) for v in flat]
        start.append([values[i * cols : (i + 1) * cols] for i in range(rows)])
    head = {"format": certificate["format"], "version": certificate["version"], "model": model, "start": start}
    begin = {"mid": before["mid"], "error": before["error"]}
    claim = {"blocks": step["mid"], "error": step["error"]}
    return {**head, "kind": "undetermined", "begin": begin, "steps": [step], "claim": claim}


def first_with_beta(certificate):
    place = next(k for k, step in enumerate(certificate["steps"]) if step.get("beta") is not None)
    return alone(certificate, place)


def accepted(certificate: dict[str, Any]) -> bool:
    try:
        recheck.check(certificate)
    except recheck.Refused:
        return False
    return True


def with_error(certificate: dict[str, Any], error: F) -> dict[str, Any]:
    out = copy.deepcopy(certificate)
    out["steps"][-1]["error"] = out["claim"]["error"] = number(error)
    return out


def edge(holds: Any, low: F, high: F, rounds: int = 34) -> F:
    """The least number that holds, within a part of 1e-4."""
    assert holds(high) and not holds(low)
    for _ in range(rounds):
        middle = (low + high) / 2 if high < 4 * low else F(2) ** round((log2(low) + log2(high)) / 2)
        low, high = (low, middle) if holds(middle) else (middle, high)
        if high - low < high / 10**4:
            break
    return high


def log2(x: F) -> float:
    return x.numerator.bit_length() - x.denominator.bit_length()


def least(certificate: dict[str, Any]) -> F:
    """The least error after the step that is accepted."""
    claimed = F(2) ** log2(value(certificate["claim"]["error"]))
    return edge(lambda e: accepted(with_error(certificate, e)), claimed / 2**20, claimed * 2**40)


def changed(certificate: dict[str, Any], change: Any) -> dict[str, Any]:
    out = copy.deepcopy(certificate)
    change(out)
    return out


def wide(certificate: dict[str, Any], factor: int) -> dict[str, Any]:
    """With a tube that leaves room."""
    rho = max(value(certificate["steps"][0]["rho"]), value(certificate["claim"]["error"])) * factor
    return changed(certificate, lambda c: c["steps"][0].update(rho=number(rho)))


@pytest.mark.parametrize("name", CASES)
def test_the_error_before_a_step_is_carried_on(steps, name):
    base = wide(steps[name], 2**10)
    small = least(base)
    for times in (8,):
        more = changed(base, lambda c: c["begin"].update(error=number(times * small)))  # noqa: B023
        assert least(more) >= times * small * F(99, 100) and least(more) > small


@pytest.mark.parametrize("name", CASES)
def test_the_way_to_where_the_step_begins_is_added(steps, name):
    base = wide(steps[name], 2**12)
    shift = 16 * least(base)

    def moved(c, by):
        c["begin"]["error"] = number(2 * shift)
        c["begin"]["mid"][0][0] = encode_exactly(value(c["begin"]["mid"][0][0]) + by)

    here, there = (least(changed(base, lambda c: moved(c, by))) for by in (F(0), shift))  # noqa: B023
    assert there - here >= shift * F(98, 100)


@pytest.mark.parametrize("name", CASES)
def test_the_rounding_of_the_end_is_added(steps, name):
    base = wide(steps[name], 2**10)
    here = least(base)

    def moved(c):
        c["steps"][0]["mid"][0][0] = encode_exactly(value(c["steps"][0]["mid"][0][0]) + 16 * here)
        c["claim"]["blocks"] = c["steps"][0]["mid"]

    assert least(changed(base, moved)) >= here * F(149, 10)


def encode_exactly(x: F) -> list[Any]:
    power = x.denominator.bit_length() - 1
    assert x.denominator == 1 << power
    return encode((x.numerator, -power))


def bent(step: dict[str, Any], row: int, by: int) -> None:
    """A polynomial with other values between the same ends: c_1 T_1 - c_1 T_3."""
    import base64

    data = step["polynomial"]
    unit, table = recheck.decoded(data, rows_of(step))
    for line in table:
        line.extend([0] * (4 - len(line)))
    table[row][1] += by
    table[row][3] -= by
    sizes = [max(1, max(abs(line[k]).bit_length() + 9 for line in table) // 8) for k in range(len(table[0]))]
    raw = b"".join(line[k].to_bytes(size, "little", signed=True) for k, size in enumerate(sizes) for line in table)
    step["polynomial"] = {"unit": unit, "sizes": sizes, "data": base64.b64encode(raw).decode()}


def rows_of(step: dict[str, Any]) -> int:
    return sum(map(len, step["mid"])) + (step["beta"] is not None)


@pytest.mark.parametrize("name", ["a polynomial", "of a growing state", "with a change of time"])
def test_the_defect_is_added(steps, name):
    base = wide(steps[name], 2**12)
    here = least(base)
    unit = base["steps"][0]["polynomial"]["unit"]
    by = math.ceil(here * 2**unit)
    there = least(changed(base, lambda c: bent(c["steps"][0], 0, by)))
    assert there - here >= 8 * here  # the derivative of T_1 - T_3 goes up to 16


def test_the_slip_of_the_change_of_time_is_added(steps):
    """With another rate the same speed is off by more, while the defect stays as it is."""
    base = wide(steps["with a change of time"], 2**12)
    here = least(base)
    step = base["steps"][0]
    ends = [[float(value(flat[0])) for flat in mid] for mid in (base["begin"]["mid"], step["mid"])]
    field = max(abs(1 - x * y * z) * math.hypot(x * y, y * z, z * x) for x, y, z in ends)
    moved = float(value(step["beta"])) * float(value(step["h"])) ** 2 * field  # for a rate twice as large
    part = F(64 * float(here) / abs(moved))
    assert part < F(1, 1000)
    rate = number(value(step["beta"]) * (1 + part), 300)
    assert least(changed(base, lambda c: c["steps"][0].update(beta=rate))) > 4 * here


def test_exponentials_have_a_defect(steps):
    """Another coefficient of a mode that has vanished at the end, from a start that is moved with it: the defect is larger."""
    base = wide(steps["exponentials"], 2**12)
    here = least(base)
    step = base["steps"][0]
    mode = next(k for k, term in enumerate(step["terms"]) if sum(term) == 1)
    rate = value(step["rates"][step["terms"][mode].index(1)])
    by = math.ceil(64 * here * 2 ** step["bits"])
    assert rate < 0 and math.exp(float(rate * value(step["h"]))) < 1e-2

    def other(c):
        part = c["steps"][0]["coefficients"][mode]
        part[0][0] = format(int(part[0][0], 16) + by, "x")
        moved = value(c["begin"]["mid"][0][0]) + F(by, 2 ** step["bits"])
        c["begin"]["mid"][0][0], c["start"][0][0][0] = encode_exactly(moved), str(moved)

    assert least(changed(base, other)) > 4 * here


def test_errors_grow_as_fast_as_the_flow_makes_them(steps):
    """Near zero a difference of starts grows like exp(t): no smaller error may be accepted."""
    base = wide(steps["of a growing state"], 2**16)
    length = float(value(base["steps"][0]["h"]))
    assert 0.5 < length < 8
    begin = 2**10 * least(base)
    found = least(changed(base, lambda c: c["begin"].update(error=number(begin))))
    assert float(found / begin) >= math.exp(length) * 0.99 and float(found / begin) < math.exp(length) * 1.5


@pytest.mark.parametrize("name", CASES)
def test_the_tube_must_hold_the_error(steps, name):
    """Below the error at the end no tube is accepted; a much wider one makes the error larger."""
    base = steps[name]
    error = least(base)
    loose = with_error(base, error * 4)
    low = edge(
        lambda r: accepted(changed(loose, lambda c: c["steps"][0].update(rho=number(r)))),
        error / 10**6,
        value(base["steps"][0]["rho"]),
    )
    if name == "with a change of time":  # there the error is that of rounding at the end
        return
    assert low >= error / 2
    far = changed(base, lambda c: c["steps"][0].update(rho=number(F(1, 10))))
    assert least(far) > error * F(101, 100)


@pytest.mark.parametrize("name", CASES)
def test_edges_that_are_exact(steps, name):
    base = steps[name]
    # The claim: the error that was proved, and not less.
    assert accepted(base)
    claimed = value(base["claim"]["error"])
    assert not accepted(changed(base, lambda c: c["claim"].update(error=number(claimed * F(2**40 - 1, 2**40)))))
    assert accepted(changed(base, lambda c: c["claim"].update(error=number(claimed * 2))))
    # The start: within the first ball, its edge included.
    first = value(base["begin"]["mid"][0][0])
    error = value(base["begin"]["error"]) or F(1, 2**200)

    def started(by):
        def change(c):
            c["begin"]["error"] = encode_exactly(error) if error.denominator & (error.denominator - 1) == 0 else number(error)
            c["start"][0][0][0] = str(first + by)

        return changed(with_error(wide(base, 16), 64 * claimed), change)

    assert accepted(started(error)) and accepted(started(-error))
    assert not accepted(started(error * F(2**40 + 1, 2**40)))


def test_a_final_step_covers_the_time_and_no_less():
    found = made(enclose(NEAR, F(1, 4), 8))
    assert found["steps"][-1]["final"] and accepted(found)
    rest = value(found["steps"][-1]["h"])
    shorter = changed(found, lambda c: c["steps"][-1].update(h=number(rest * F(2**30 - 1, 2**30))))
    later = changed(found, lambda c: c.update(time=str(F(1, 4) * F(10**9 + 1, 10**9))))
    assert not accepted(shorter) and not accepted(later)


# -- the limit
# ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def captured():
    """A limit that is captured at its start, with a residual that matters, and the true limit."""
    start = [[["1.03", "0.07"], ["0.04", "0.99"]], [["1.02", "0.02"], ["-0.03", "1.01"]]]
    problem = Problem.make(NEAR.model, start)
    found = by_taylor_steps(problem, 1)
    certificate = made(found)
    truth = certified_limit(problem, 30)
    assert found.certified and truth.certified
    limit = [float(v.mid()) for b in truth.blocks for v in b.flat]
    return certificate, limit


def at_capture(certificate):
    """The capture alone, from the exact point before it."""
    last = [certificate["begin"], *certificate["steps"]][-1]
    widths = certificate["model"]["widths"]
    start = []
    for flat, (rows, cols) in zip(last["mid"], zip(widths[1:], widths, strict=False), strict=True):
        values = [str(value(v)) for v in flat]
        start.append([values[i * cols : (i + 1) * cols] for i in range(rows)])
    return {**certificate, "start": start, "begin": {"mid": last["mid"], "error": ["0", 0]}, "steps": []}


def capture_least(certificate):
    def holds(e):
        out = copy.deepcopy(certificate)
        out["capture"]["error"] = out["claim"]["error"] = number(e)
        return accepted(out)

    return edge(holds, F(1, 2**200), F(1))


def test_the_error_of_a_limit(captured):
    certificate, limit = captured
    base = at_capture(certificate)
    here = capture_least(base)
    mid = [float(value(v)) for flat in base["capture"]["mid"] for v in flat]
    if not certificate["steps"]:  # the true limit is of this very start
        assert float(here) >= math.dist(mid, limit)
    # What is before it is carried on, what is rounded is added.
    more = changed(base, lambda c: c["begin"].update(error=number(8 * here)))
    assert capture_least(more) >= here * F(89, 10)

    def moved(c):
        c["capture"]["mid"][0][0] = encode_exactly(value(c["capture"]["mid"][0][0]) + 8 * value(number(here)))
        c["claim"]["blocks"] = c["capture"]["mid"]

    assert capture_least(changed(base, moved)) >= here * F(89, 10)


def test_the_newton_step_has_an_error_of_second_order():
    """At a residual r the limit is off the Newton point by about r^2: no smaller error is accepted."""
    for size in ("0.02", "0.005"):
        start = [[["1", "0.05"], ["0.05", str(F(1) + F(size))]], [["1", "0.05"], ["0", "1"]]]
        problem = Problem.make(NEAR.model, start)
        truth = certified_limit(problem, 25)
        limit = np.array([float(v.mid()) for b in truth.blocks for v in b.flat])
        blocks = [np.array([[float(v) for v in r] for r in b]) for b in problem.start]
        residual, jac = geometry.jacobian_in_doubles(problem.model, blocks)
        point = np.array([float(v) for b in problem.start for v in b.flat])
        newton = point - np.linalg.pinv(jac) @ residual
        distance = float(np.linalg.norm(newton - limit))
        found = made(certified_limit(problem, 6))
        mids = [F(v) for v in newton]
        newton_point = [[encode_exactly(v) for v in mids[:4]], [encode_exactly(v) for v in mids[4:]]]
        begin = {"mid": [[number(v, 300) for v in b.flat] for b in problem.start], "error": number(F(1, 2**200))}
        smallest = float(np.linalg.svd(jac, compute_uv=False)[-1])

        def proof(radius, error):
            capture = {"bits": 128, "radius": number(radius), "mid": newton_point, "error": number(error)}  # noqa: B023
            claim = {"blocks": newton_point, "error": number(error)}  # noqa: B023
            whole = {k: found[k] for k in ("format", "version", "model", "start")}  # noqa: B023
            return {**whole, "kind": "limit", "begin": begin, "steps": [], "capture": capture, "claim": claim}  # noqa: B023

        good = F(2 * float(np.linalg.norm(residual)) / smallest)
        error = edge(lambda e: accepted(proof(good, e)), F(1, 2**100), F(1))  # noqa: B023
        assert distance <= float(error) <= 100 * distance
        # The radius: the whole way must fit in, and the Jacobian keep its rank there.
        shortest = edge(lambda r: accepted(proof(r, F(1))), F(1, 2**40), good)
        assert float(shortest) >= 0.99 * float(np.linalg.norm(point - limit))
        longest = 1 / edge(lambda r: accepted(proof(1 / r, F(1))), 1 / F(64), 1 / good)
        assert float(longest) <= 1.01 * smallest  # K = 1 at depth 2


# -- the parts of the bound, against what they bound
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_curvature_and_slope_bound_what_they_should(depth):
    """Second and first derivatives of the product at random points in the ball, in random directions."""
    rng = np.random.default_rng(depth)
    model = deep_factorization([[1, None], [None, 1]], depth)
    checker = recheck._MODELS["linear-network"](made_header(model))
    for _ in range(30):
        blocks = [rng.standard_normal((2, 2)) for _ in range(depth)]
        norms = [arb(float(np.linalg.norm(b, 2)) * (1 + 1e-12)) for b in blocks]
        along = [rng.standard_normal((2, 2)) for _ in range(depth)]
        if rng.random() < 0.5:  # the worst cases are of rank one
            along = [np.outer(rng.standard_normal(2), rng.standard_normal(2)) for _ in range(depth)]
        size = math.sqrt(sum(float((a * a).sum()) for a in along))
        first, second = derivatives(blocks, [a / size for a in along])
        for slope, curvature in (
            (checker.slope(norms), checker.curvature(norms)),
            (geometry.slope(model, norms), geometry.curvature(norms)),
        ):
            assert first <= float(slope.mid()) * (1 + 1e-9) and second <= float(curvature.mid()) * (1 + 1e-6) + 1e-6
    # They are attained where every factor is 1 x 1 and all are equal.
    single = recheck._MODELS["linear-network"](made_header(deep_factorization([[1]], depth)))
    ones = [np.ones((1, 1))] * depth
    first, second = derivatives(ones, [np.ones((1, 1)) / math.sqrt(depth)] * depth)
    one = [arb(1)] * depth
    for slope, curvature in ((single.slope(one), single.curvature(one)), (geometry.slope(model, one), geometry.curvature(one))):
        assert first == pytest.approx(float(slope.mid())) and second == pytest.approx(float(curvature.mid()))


def made_header(model):
    from verify.flow.validated import _header

    start = [[[1] * c for _ in range(r)] for r, c in model.shapes]
    return json.loads(json.dumps(_header(Problem.make(model, start))["model"]))


def derivatives(blocks, along):
    """Norms of the first and the second derivative of the product along a direction."""

    def product(t):
        out = np.eye(len(blocks[0]))
        for b, a in zip(blocks, along, strict=True):
            out = (b + t * a) @ out
        return out

    h = 1e-4
    up, here, down = product(h), product(0.0), product(-h)
    return float(np.linalg.norm(up - down)) / (2 * h), float(np.linalg.norm(up - 2 * here + down)) / h**2


def test_the_engine_and_the_checker_bound_the_same():
    rng = np.random.default_rng(3)
    model = deep_factorization([[1, None, 2], [None, 1, 3]], 3)
    checker = recheck._MODELS["linear-network"](made_header(model))
    flats = [[arb(float(v)) for v in rng.standard_normal(r * c)] for r, c in model.shapes]
    for flat, shape in zip(flats, model.shapes, strict=True):
        exact = float(np.linalg.norm(np.array([float(v.mid()) for v in flat]).reshape(shape), 2))
        for bound in (geometry.block_norm(model, flat, shape), checker.block_norm(flat, shape)):
            assert exact <= float(bound.mid()) <= 1.05 * exact


@pytest.mark.parametrize("nearly", [1.0, 1e-3, 1e-6])
def test_the_smallest_singular_value_is_bounded_from_below(nearly):
    """Of the Jacobian of the residual, and not far below where it is not small."""
    rng = np.random.default_rng(7)
    for depth in (2, 3):
        model = deep_factorization([[1, None, 2], [None, 1, 3]], depth)
        blocks = [rng.standard_normal(shape) for shape in model.shapes]
        for block in blocks:
            block[:, 0] = block[:, -1] + nearly * block[:, 0]
        flats = [[arb(float(v)) for v in b.flat] for b in blocks]
        found = geometry.smallest_singular_value(model, flats)
        true = float(np.linalg.svd(geometry.jacobian_in_doubles(model, blocks)[1], compute_uv=False)[-1])
        assert found <= true * (1 + 1e-9)
        assert found >= 0.2 * true or nearly < 1e-5


def test_norms_bound_every_point_of_a_ball():
    rng = np.random.default_rng(8)
    for rows, cols in ((1, 3), (2, 2), (4, 3)):
        middle, radius = rng.standard_normal((rows, cols)), 0.1
        balls = [arb(float(v), radius) for v in middle.flat]
        worst = middle + radius * np.sign(middle)
        far = np.outer(*(np.sign(v) for v in (np.linalg.svd(middle)[0][:, 0], np.linalg.svd(middle)[2][0])))
        for point in (worst, middle + radius * far, middle - radius * far):
            assert float(np.linalg.norm(point)) <= float(frobenius_bound(balls).mid())
            assert float(np.linalg.norm(point, 2)) <= float(spectral_bound(balls, rows, cols).mid())
            assert float(np.linalg.norm(point, 2)) <= float(recheck_balls._spectral(split(balls, cols)).mid()) * (1 + 1e-12)
            assert float(np.linalg.norm(point)) <= float(recheck_balls._norm(balls).mid())


def split(values, cols):
    return [values[k : k + cols] for k in range(0, len(values), cols)]
