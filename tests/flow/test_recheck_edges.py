"""The checker of flows at the edge of each of its inequalities: just inside is accepted, just outside refused.

Small problems in which all but one of the terms of a bound vanish, so that the bound is known by hand.
"""

from __future__ import annotations

import base64
import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb

from verify.flow import recheck, recheck_files
from verify.flow.balls import precision
from verify.flow.recheck_numbers import numbers

HEAD = {"format": "verify-flow", "version": 2}


def network(widths, target, factor=1, data=None):
    cells = [[None if v is None else str(F(v)) for v in row] for row in target]
    given = None if data is None else [[str(F(v)) for v in row] for row in data]
    return {"name": "linear-network", "widths": widths, "target": cells, "data": given, "factor": str(F(factor))}


def dyadic(value):
    """A dyadic number near a value, within 2^-60 of it, relatively."""
    value = F(value)
    if value == 0:
        return ["0", 0]
    shift = 80 - value.numerator.bit_length() + value.denominator.bit_length()
    man = round(value * F(2) ** shift)
    return [format(man, "x"), -shift]


def flats(point):
    return [[dyadic(v) for v in flat] for flat in point]


def rows_of(point, model):
    """A start in rows."""
    widths = model["widths"]
    return [
        [[str(F(v)) for v in flat[k : k + c]] for k in range(0, len(flat), c)] for flat, c in zip(point, widths, strict=False)
    ]


def polynomial(rows, unit=100):
    """Chebyshev coefficients, as numbers, encoded."""
    ints = [[round(F(c) * 2**unit) for c in row] for row in rows]
    sizes = [max(v.bit_length() for v in column) // 8 + 1 for column in zip(*ints, strict=True)]
    data = b"".join(
        v.to_bytes(s, "little", signed=True) for column, s in zip(zip(*ints, strict=True), sizes, strict=True) for v in column
    )
    return {"unit": unit, "sizes": sizes, "data": base64.b64encode(data).decode()}


def constant(point, *more):
    """A polynomial that stays at a point."""
    return [[v] for flat in point for v in flat] + [list(row) for row in more]


def step(mid, error, rows, h=1, rho=F(1, 8), beta=None, final=False, unit=100):
    return {
        "h": dyadic(h),
        "beta": None if beta is None else dyadic(beta),
        "final": final,
        "rho": dyadic(rho),
        "mid": flats(mid),
        "error": dyadic(error),
        "polynomial": polynomial(rows, unit),
    }


def path(model, start, steps, begin=None, radius=0, kind="undetermined", claim=None, **more):
    """A certificate; the claim is what its last part says, unless it is given."""
    last = more.get("capture") or (steps[-1] if steps else {"mid": flats(begin or start), "error": dyadic(radius)})
    return {
        **HEAD,
        "kind": kind,
        "model": model,
        "start": rows_of(start, model),
        "begin": {"mid": flats(begin or start), "error": dyadic(radius)},
        "steps": steps,
        **more,
        "claim": claim or {"blocks": last["mid"], "error": last["error"]},
    }


def accepts(certificate):
    try:
        recheck.check(certificate)
    except recheck.Refused:
        return False
    return True


def at_the_edge(certificate_of, edge, slack=1e-6):
    """Whether an error just above the edge is accepted, and one just below refused."""
    edge = F(edge)
    above, below = (accepts(certificate_of(edge * (1 + sign * F(slack)))) for sign in (1, -1))
    assert above, "a bound that holds is refused"
    assert not below, "a bound that does not hold is accepted"


LINE = network([1, 1], [[1]])
SADDLE = network([1, 1, 1], [[1]])
E0 = F(1, 2**40)


# -- steps along polynomials: one term at a time


def test_the_error_before_a_step():
    at_the_edge(lambda e: path(LINE, [[1]], [step([[1]], e, [[1]])], radius=F(1, 1024)), F(1, 1024))


def test_the_distance_from_the_midpoint_to_the_polynomial():
    off = F(1, 1024)
    at_the_edge(lambda e: path(LINE, [[1]], [step([[1 + off]], e, [[1 + off]], h=F(1, 2**40))]), off)


def test_the_rounding_of_the_midpoint():
    at_the_edge(lambda e: path(LINE, [[1]], [step([[1 + F(1, 1024)]], e, [[1]])]), F(1, 1024))


@pytest.mark.parametrize("factor", [1, 3])
def test_the_defect_of_a_polynomial(factor):
    """From 3 the solution falls by 2 (1 - exp(-h)); a constant polynomial has the defect 2 h."""
    h, model = F(1, 1024), network([1, 1], [[1]], factor)
    moved = 2 * factor * h - 2 * (factor * h) ** 2
    assert not accepts(path(model, [[3]], [step([[3]], moved * F(99, 100), [[3]], h=h)]))
    lebesgue = 1 + 2 / math.pi * math.log(8)  # eight points
    at_the_edge(lambda e: path(model, [[3]], [step([[3]], e, [[3]], h=h)]), 2 * factor * h * F(lebesgue), 1e-5)


@pytest.mark.parametrize(("factor", "data"), [(1, None), (2, None), (1, 2)])
def test_the_growth_on_a_step(factor, data):
    """At (0, 0) the residual is the target, and the largest eigenvalue is factor |target| |X|."""
    model = network([1, 1, 1], [[1]], factor, None if data is None else [[data]])
    steep = factor * (data or 1)
    zero = [[0], [0]]
    at_the_edge(
        lambda e: path(model, zero, [step(zero, e, constant(zero), rho=F(1, 2**20))], radius=E0), E0 * F(math.exp(steep)), 1e-5
    )


def test_the_residual_within_the_radius():
    """At (1, 1) the residual is 0, within rho it is at most Lambda rho."""
    one, rho = [[1], [1]], F(1, 4)
    reach = math.sqrt(2) * float(1 + rho) * float(rho)
    for slack, inside in ((1.001, True), (0.999, False)):
        assert (
            accepts(path(SADDLE, one, [step(one, E0 * F(math.exp(reach * slack)), constant(one), rho=rho)], radius=E0)) is inside
        )


def test_a_step_must_stay_within_its_radius():
    for rho, inside in ((E0 * F(101, 100), True), (E0 * F(99, 100), False)):
        certificate = path(LINE, [[1]], [step([[1]], 2 * E0, [[1]], rho=rho)], radius=E0)
        assert accepts(certificate) is inside


def test_a_wrong_speed_is_paid_for():
    """With the speed exp(-u) the way to time 1 - 1/e is half of that with the speed 1."""
    fall = [F(v) for v in np.polynomial.chebyshev.chebinterpolate(lambda v: 1 + 2 * np.exp(-(v + 1) / 2), 15)]
    speed = [F(v) for v in np.polynomial.chebyshev.chebinterpolate(lambda v: np.exp(-(v + 1) / 2), 15)]
    slowly = [F(v) for v in np.polynomial.chebyshev.chebinterpolate(lambda v: 1 + 2 * np.exp(np.exp(-(v + 1) / 2) - 1), 15)]
    end, slow_end = F(1 + 2 * math.exp(-1)), F(1 + 2 * math.exp(math.exp(-1) - 1))
    right = step([[slow_end]], F(1, 1000), [slowly, speed], beta=1, unit=50)
    assert accepts(path(LINE, [[3]], [right]))
    assert abs(recheck.check(path(LINE, [[3]], [right])).time - arb(1) + arb(-1).exp()) < arb("1e-15")
    ones = [F(1)] + [F(0)] * 15
    wrong = step([[end]], F(1, 4), [fall, ones], beta=1, unit=50, rho=1)
    assert not accepts(path(LINE, [[3]], [wrong]))
    assert not accepts(path(LINE, [[3]], [step([[end]], F(1, 1000), [fall, speed], beta=1, unit=50)]))


def test_a_speed_that_begins_wrong_is_paid_for():
    """w = 3/2 exp(-u) has the right derivative everywhere, and the wrong value at 0."""
    fast = [F(v) for v in np.polynomial.chebyshev.chebinterpolate(lambda v: 1 + 2 * np.exp(1.5 * np.exp(-(v + 1) / 2) - 1.5), 15)]
    speed = [F(v) for v in np.polynomial.chebyshev.chebinterpolate(lambda v: 1.5 * np.exp(-(v + 1) / 2), 15)]
    end, slow_end = F(1 + 2 * math.exp(1.5 * math.exp(-1) - 1.5)), F(1 + 2 * math.exp(math.exp(-1) - 1))
    assert slow_end - end > F(1, 4)
    assert not accepts(path(LINE, [[3]], [step([[end]], F(1, 8), [fast, speed], beta=1, unit=50, rho=1)]))


@pytest.mark.parametrize("beta", [F(1), F(-1)])
def test_the_growth_with_a_speed(beta):
    """Of the speed exp(-beta u) the larger end counts on each of 256 pieces."""
    zero, sign = [[0], [0]], float(beta)
    speed = [F(v) for v in np.polynomial.chebyshev.chebinterpolate(lambda v: np.exp(-sign * (v + 1) / 2), 17)]
    ends = [max(math.exp(-sign * k / 256), math.exp(-sign * (k + 1) / 256)) for k in range(256)]

    def certificate(error):
        rows = [[F(0)] * 18, [F(0)] * 18, speed]
        return path(SADDLE, zero, [step(zero, error, rows, rho=F(1, 2**20), beta=beta, unit=50)], radius=E0)

    at_the_edge(certificate, E0 * F(math.exp(sum(ends) / 256)), 1e-4)


def test_the_last_step_ends_at_the_time():
    h = F(1, 1024)
    fall = [[3 - h, -h]]  # 3 - 2 h u

    def to(time, mid, length=h, **more):
        return path(LINE, [[3]], [step([[mid]], 8 * h * h, fall, h=length, final=True)], kind="time", time=str(F(time)), **more)

    assert accepts(to(h, 3 - 2 * h)) and accepts(to(h / 2, 3 - h))
    assert not accepts(to(h / 2, 3 - 2 * h)) and not accepts(to(h, 3 - h))
    assert not accepts(to(h + F(1, 10**12), 3 - 2 * h)) and not accepts(to(0, 3))
    early = to(h, 3 - 2 * h)
    early["steps"][0]["final"] = False
    assert not accepts(early)
    after = to(h / 2, 3 - h)
    after["steps"].append(step([[3 - h]], F(1, 2), [[3 - h]], h=h / 1000))
    after["claim"] = {"blocks": after["steps"][-1]["mid"], "error": after["steps"][-1]["error"]}
    assert not accepts(after)


def test_the_time_of_an_enclosure_is_the_sum_of_the_lengths():
    steps = [step([[1]], k * E0, [[1]], h=F(k, 8)) for k in (1, 2, 4)]
    assert recheck.check(path(LINE, [[1]], steps)).time == arb(7) / 8


# -- ends


def test_the_start_lies_in_the_first_ball():
    plane = network([2, 1], [[1, 1]])
    for error, inside in ((5, True), (F(5) - F(1, 2**40), False)):
        assert accepts(path(plane, [[4, 5]], [], begin=[[1, 1]], radius=error)) is inside


@pytest.mark.parametrize(("error", "inside"), [(E0, True), (2 * E0, True), (E0 * (1 - F(1, 2**40)), False), (-E0, False)])
def test_the_claim_says_no_more(error, inside):
    certificate = path(LINE, [[1]], [], radius=E0)
    certificate["claim"]["error"] = dyadic(error)
    assert accepts(certificate) is inside
    certificate["claim"]["blocks"] = flats([[1 + E0]])
    assert not accepts(certificate)


def test_the_product_of_a_ball_of_factors():
    """Around (1, 1), within 1/4: the product goes up to (1 + 1/(4 sqrt 2))^2."""
    found = numbers(recheck.check(path(SADDLE, [[1], [1]], [], radius=F(1, 4))), 100)
    with precision(100):
        for sign in (1, -1):
            assert found.product[0][0].contains((1 + sign * arb(1) / 4 / arb(2).sqrt()) ** 2)
        assert found.product[0][0].rad() < arb("0.45") and not found.loss_zero


# -- capture


def captured(model, point, capture, radius=0):
    blocks = {"mid": flats(capture.pop("mid")), **{k: dyadic(v) for k, v in capture.items()}, "bits": 100}
    return path(model, point, [], radius=radius, kind="limit", capture=blocks)


def test_a_capture_on_a_line():
    """Depth 1: the Jacobian is 1, the limit is the target, and errors stay as they are."""
    at_the_edge(lambda e: captured(LINE, [[1]], {"mid": [[1]], "error": e, "radius": F(1, 2)}, E0), E0)
    off = F(1, 1024)
    at_the_edge(lambda e: captured(LINE, [[1]], {"mid": [[1 + off]], "error": e, "radius": F(1, 2)}), off)
    for radius, inside in ((F(3, 4) + F(1, 2**20), True), (F(3, 4) - F(1, 2**20), False)):  # e + (r + e)/1 < radius
        made = captured(LINE, [[F(5, 4)]], {"mid": [[1]], "error": 1, "radius": radius}, F(1, 4))
        assert accepts(made) is inside


def test_a_capture_at_depth_two():
    """From (1 + d, 1) with target 1: K = |X| = 1, the residual is d, sigma_0^2 = 1 + (1 + d)^2."""
    d, radius = 2.0**-6, 2.0**-4
    sigma = math.hypot(1, 1 + d) - radius
    newton = d**2 / sigma**3 / math.sqrt(2)
    shift = d / (1 + (1 + d) ** 2)
    mid = [[F(1 + d) - F(shift)], [F(1) - F(shift * (1 + d))]]
    at_the_edge(lambda e: captured(SADDLE, [[F(1 + d)], [1]], {"mid": mid, "error": e, "radius": F(radius)}), newton, 1e-3)

    e = 2.0**-6
    heads = 1 + d + radius, 1 + radius
    residual = d + math.hypot(*heads) * e
    bound = newton + e * math.exp(residual / sigma**2)

    def wide(error):
        return captured(SADDLE, [[F(1 + d)], [1]], {"mid": mid, "error": error, "radius": F(radius)}, F(e))

    at_the_edge(wide, bound, 1e-3)
    for radius_of, inside in ((1.01, True), (0.99, False)):
        least = e
        for _ in range(50):  # e + (r + Lambda e)/(sigma_0 - K radius) = radius
            least = e + (d + math.hypot(1 + d + least, 1 + least) * e) / (math.hypot(1, 1 + d) - least)
        made = captured(SADDLE, [[F(1 + d)], [1]], {"mid": mid, "error": 1, "radius": F(least * radius_of)}, F(e))
        assert accepts(made) is inside


def test_a_capture_needs_a_jacobian_of_full_rank():
    assert not accepts(captured(SADDLE, [[0], [0]], {"mid": [[0], [0]], "error": 1, "radius": 10}))
    near = {"mid": [[1], [1]], "error": 1, "radius": F(3, 2)}  # sigma_0 = sqrt 2
    assert not accepts(captured(SADDLE, [[1], [1]], near))


# -- steps along exponentials


def exponential(mid, error, rates, terms, coefficients, h=1, rho=F(1, 8), bits=100):
    units = [[[format(round(F(v) * 2**bits), "x") for v in flat] for flat in blocks] for blocks in coefficients]
    return {
        "kind": "exponential",
        "h": dyadic(h),
        "beta": None,
        "final": False,
        "bits": bits,
        "rates": [dyadic(a) for a in rates],
        "terms": terms,
        "coefficients": units,
        "rho": dyadic(rho),
        "mid": flats(mid),
        "error": dyadic(error),
    }


DECAY = [[[1]], [[2]]]  # 1 + 2 exp(-t)
ENDS = 1 + 2 * F(math.exp(-1))


def test_the_terms_of_a_step_along_exponentials():
    def line(error, mid=ENDS, made=DECAY, radius=0, begin=3, h=1):
        return path(LINE, [[begin]], [exponential([[mid]], error, [-1], [[0], [1]], made, h=h)], begin=[[begin]], radius=radius)

    at_the_edge(lambda e: line(e, radius=F(1, 1024)), F(1, 1024))
    at_the_edge(lambda e: line(e, ENDS + F(1, 1024)), F(1, 1024))  # the rounding at the end
    at_the_edge(lambda e: line(e, begin=3 + F(1, 1024)), F(1, 1024))  # from the midpoint to the sum
    off = F(1, 1024)
    at_the_edge(lambda e: line(e, ENDS + off, [[[1 + off]], [[2]]], begin=3 + off), off)  # a defect off, for a time 1
    half = 1 + 2 * F(math.exp(-0.5))
    at_the_edge(lambda e: line(e, half + off, [[[1 + off]], [[2]]], begin=3 + off, h=F(1, 2)), off / 2)
    wrong = [exponential([[ENDS]], F(1, 16), [-1], [[0], [1]], [[[1]], [[F(5, 2)]]])]
    assert not accepts(path(LINE, [[3]], wrong))
    assert not accepts(path(LINE, [[3]], [exponential([[1 + 2 * F(math.exp(-2))]], F(1, 16), [-2], [[0], [1]], DECAY)]))


def test_the_radius_of_a_step_along_exponentials():
    for rho, inside in ((E0 * F(101, 100), True), (E0 * F(99, 100), False)):
        made = exponential([[ENDS]], F(1, 16), [-1], [[0], [1]], DECAY, rho=rho)
        assert accepts(path(LINE, [[3]], [made], radius=E0)) is inside


def test_the_growth_on_a_step_along_exponentials():
    zero = [[0], [0]]
    small = F(1, 2**20)
    for target, factor in ((1, 1), (2, 1), (1, 3)):
        model = network([1, 1, 1], [[target]], factor)
        grown = E0 * F(math.exp(target * factor))
        at_the_edge(
            lambda e, model=model: path(model, zero, [exponential(zero, e, [-1], [[0]], [zero], rho=small)], radius=E0),
            grown,
            1e-5,
        )
    # At rest in (1, 1): only the residual within rho is left; with x = y = 1 + a exp(-t) the residual is 2 a E + a^2 E^2.
    rho = F(1, 4)
    reach = math.sqrt(2) * float(1 + rho) * float(rho)
    for slack, inside in ((1.001, True), (0.999, False)):
        still = exponential([[1], [1]], E0 * F(math.exp(reach * slack)), [-1], [[0]], [[[1], [1]]], rho=rho)
        assert accepts(path(SADDLE, [[1], [1]], [still], radius=E0)) is inside


def test_the_moving_residual_on_a_step_along_exponentials():
    """From x = y = 1 + a at rate 2 towards (1, 1): the residual 2 a E + a^2 E^2, E = exp(-2 t), adds up to about a."""
    a, T = F(1, 16), 4
    ends = [[1 + a * F(math.exp(-2 * T))]] * 2
    made = exponential(ends, 1, [-2], [[0], [1]], [[[1], [1]], [[a], [a]]], h=T, rho=1)
    model = recheck._MODELS["linear-network"](network([1, 1, 1], [[1]]))
    radius = F(1, 256)
    fields = {}
    for k in range(4):  # F - p' by powers of E, for either factor: (x y - 1) y = 2 a E + 3 a^2 E^2 + a^3 E^3
        exact = [0, 2 * a, 3 * a * a, a**3][k]
        fields[k] = math.sqrt(2) * float(abs(exact - (2 * a if k == 1 else 0)))
    rho = 0.25
    weight, length = 1.0, float(T)
    bound_of_blocks = float(1 + math.sqrt(1) * a) + rho
    reach = math.sqrt(2) * bound_of_blocks * rho
    lasting = {1: min(length, 1 / 2), 2: min(length, 1 / 4), 3: min(length, 1 / 6)}
    growth = weight * (2 * float(a) * lasting[1] + float(a) ** 2 * lasting[2] + reach * length)
    local = sum(fields[k] * lasting[k] for k in (1, 2, 3))
    assert model.depth == 2
    e = 1e-6
    bound = (e + local) * math.exp(growth)
    assert bound < rho

    def certificate(error):
        part = {**made, "rho": dyadic(F(rho)), "error": dyadic(error)}
        return path(SADDLE, [[1 + a], [1 + a]], [part], radius=F(e))

    assert radius < bound
    at_the_edge(certificate, bound, 1e-3)


def test_a_rising_exponential():
    """Away from the saddle: x = y = c exp(t - 1) to first order."""
    c = F(1, 2**20)
    low = c * F(math.exp(-1))

    def certificate(error, begin=low):
        made = exponential([[c], [c]], error, [1], [[0], [1]], [[[0], [0]], [[c], [c]]], rho=F(1, 2**10))
        return path(SADDLE, [[begin], [begin]], [made], begin=[[begin], [begin]], radius=0)

    assert accepts(certificate(F(1, 2**50))) and not accepts(certificate(F(1, 2**50), begin=c))
    assert not accepts(certificate(F(1, 2**61)))


# -- the scalar pair and chains


def pair(d, depth, target, start, low, high):
    bracket = None if low is None else [dyadic(low), dyadic(high)]
    head = {**HEAD, "kind": "scalar-pair", "d": d, "depth": depth, "target": str(F(target))}
    return {**head, "start": [str(F(v)) for v in start], "bracket": bracket}


PAIRS = [
    # d, depth, target, start, the larger component at infinity
    (2, 3, 8, (1, 1), 2),
    (3, 2, F(1, 2), (2, 1), 1),
    (3, 2, F(3, 4), (1, 2), 1),
    (3, 3, F(5, 12), (F(1, 2), F(1, 3)), 1),
    (3, 3, F(17, 24), (F(1, 3), F(1, 2)), 1),
]


@pytest.mark.parametrize(("d", "depth", "target", "start", "root"), PAIRS)
def test_brackets_of_pairs(d, depth, target, start, root):
    near = F(1, 2**50)
    made = pair(d, depth, target, start, root - near, root + near)
    proved = recheck.check(made)
    assert abs(max(proved.blocks)[0] - root) <= near * 2
    for low, high in ((root + near, root + 2 * near), (root - 2 * near, root - near), (root, root + near), (root - near, root)):
        assert not accepts(pair(d, depth, target, start, low, high))
    assert not accepts(pair(d, depth, target, start, root + near, root - near))
    assert not accepts(pair(d, depth, target, start, -root, root + near)) and not accepts(pair(d, depth, -target, start, 1, 2))
    assert (proved.blocks[0] > proved.blocks[1]) == (start[0] > start[1])
    found = numbers(proved, 200)
    with precision(200):
        total = sum((found.product[i][i] for i in range(d)), arb(0)) / d
        assert found.loss_zero and total.overlaps(arb(F(target).numerator) / F(target).denominator)
        powers = sorted((float(b[0]) ** depth for b in proved.blocks), reverse=True)
        assert abs(float(found.singular[0].mid()) - powers[0]) < 1e-9 * powers[0]
        assert (
            abs(float(found.product[0][1].mid()) - float(F(proved.blocks[0][0]) ** depth - F(proved.blocks[1][0]) ** depth) / d)
            < 1e-9
        )


def test_pairs_without_a_bracket():
    assert recheck.check(pair(3, 2, -1, (1, 2), None, None)).blocks == [[0], [0]]
    assert recheck.check(pair(3, 1, 2, (F(5, 2), 1), None, None)).blocks == [
        [3],
        [F(3, 2)],
    ]  # 1/3 3 + 2/3 3/2 = 2, difference 3/2
    assert not accepts(pair(3, 2, 1, (1, 2), None, None)) and not accepts(pair(3, 2, 1, (1, 0), 1, 2))
    assert not accepts(pair(3, 1, 1, (1, 2), 1, 2))


def chain(xs, w, low=None, high=None):
    model = network([1] * (len(xs) + 1), [[w]])
    bracket = None if low is None else [dyadic(low), dyadic(high)]
    start = [[[str(F(x))]] for x in xs]
    return {**HEAD, "kind": "chain", "model": model, "start": start, "bits": 200, "bracket": bracket}


CHAINS = [
    # start, target, the limits: x_l^2 - x_k^2 stays, and the product is the target or as near as the signs allow
    ((1, 1, 1), 8, (2, 2, 2)),
    ((1, -1), -4, (2, -2)),
    ((1, -1), 4, (0, 0)),
    ((0, 0), 5, (0, 0)),
    ((0, 2), F(3, 2) * F(5, 2), (F(3, 2), F(5, 2))),
    ((0, -2), F(15, 4), (F(-3, 2), F(-5, 2))),
    ((2, F(-8, 5)), F(-15, 4) * F(16, 25), None),
    ((5, 3, 3), 0, (4, 0, 0)),
    ((5, 3, -3), -F(25, 4) * F(9, 4) ** 2, None),
    ((-5, 3), -20, None),
    ((5, 3), 0, (4, 0)),
]


@pytest.mark.parametrize(("xs", "w", "limits"), CHAINS)
def test_chains(xs, w, limits):
    """Against a float64 integration over a long time."""
    from scipy.integrate import solve_ivp

    from verify.flow.balls import precision as carried
    from verify.flow.reductions import bracket

    found = bracket([F(x) for x in xs], F(w), 200)
    certificate = {**chain(xs, w), "bracket": found}
    proved = recheck.check(certificate)
    values = [float(v[0]) for v in proved.blocks]

    def field(_, x):
        rest = np.prod(x) - float(w)
        return [-rest * np.prod(np.delete(x, k)) for k in range(len(x))]

    end = solve_ivp(field, (0, 4000), [float(x) for x in xs], rtol=1e-10, atol=1e-12, method="LSODA").y[:, -1]
    slow = limits is not None and 0 in limits and len(limits) > 1
    assert np.allclose(values, end, atol=0.03 if slow else 1e-5)
    if limits is not None:
        assert np.allclose(values, [float(v) for v in limits], atol=1e-12)
    if found is None:
        assert not accepts(chain(xs, w, F(1, 2), 4))
        return
    with carried(200):
        low, high = (F(int(m, 16)) * F(2) ** e for m, e in found)
    wide = F(1, 2**40)
    assert accepts(chain(xs, w, low - wide, high + wide)) or low < wide
    tiny = F(1, 2**60)
    assert not accepts(chain(xs, w, high + tiny, high + wide)) and not accepts(chain(xs, w, low - wide, low - tiny))
    assert not accepts(chain(xs, w))


# -- reductions


def reduced(kind, model, start, bits=100, **more):
    rows = [[[str(F(v)) for v in row] for row in block] for block in start]
    return {**HEAD, "kind": kind, "model": model, "start": rows, "bits": bits, **more}


@pytest.mark.parametrize(("x", "inside"), [(0.1716, True), (0.1715, False)])
def test_the_loss_from_which_a_target_is_truncated(x, inside):
    """Of diag(3, 1) one part is kept below |P - Y|^2 = 1 + 9 - 1; at the start it is (3 - x)^2 + 1, and 3 - sqrt 8 = 0.17157.."""
    model = network([2, 1, 2], [[3, 0], [0, 1]])
    start = [[[1, 0]], [[F(x)], [0]]]
    way = path(model, [[1, 0], [F(x), 0]], [])
    made = reduced("truncated", model, start, way=way)
    assert accepts(made) is inside
    if inside:
        assert [[round(float(v.mid()), 9) for v in row] for row in recheck.check(made).product] == [[3, 0], [0, 0]]
    assert not accepts(reduced("truncated", model, start, way=None))
    other = path(network([2, 1, 2], [[3, 0], [0, 2]]), [[1, 0], [F(x), 0]], [])
    assert not accepts(reduced("truncated", model, start, way=other))
    moved = path(model, [[1, 0], [F(2), 0]], [])
    assert not accepts(reduced("truncated", model, start, way=moved))


def test_equal_singular_values_are_not_truncated():
    model = network([2, 1, 2], [[1, 0], [0, 1]])
    start = [[[1, 0]], [[1], [0]]]
    assert not accepts(reduced("truncated", model, start, way=path(model, [[1, 0], [1, 0]], [])))


def test_the_sign_of_the_determinant_bounds_the_rank():
    """From the identity (balanced, determinant 1) a target of negative determinant loses its last part; unbalanced it may not."""
    from verify.flow.recheck_reductions import largest_rank

    eye, twice = [[F(1), F(0)], [F(0), F(1)]], [[F(2), F(0)], [F(0), F(2)]]
    negative, positive = [[F(3), F(0)], [F(0), F(-1)]], [[F(3), F(0)], [F(0), F(1)]]
    assert largest_rank(negative, [eye, eye]) == 1 and largest_rank(positive, [eye, eye]) == 2
    assert largest_rank(negative, [eye, twice]) == 2
    assert largest_rank(negative, [[eye[0]], [[F(1)], [F(0)]]]) == 1


def decoupled(start, target, nodes, proofs, split="blocks"):
    model = network([len(start[0][0]), *(len(b) for b in start)], target)
    parts = [{"nodes": n, "certificate": c} for n, c in zip(nodes, proofs, strict=True)]
    return reduced("decoupled", model, start, split=split, parts=parts)


def test_parts_must_not_be_linked():
    root = [["1", 0], ["4", 0]]
    proofs = [chain((1, 1), 4, 1, 4), chain((1, 1), 9, 1, 4)]
    nodes = [[[0], [0], [0]], [[1], [1], [1]]]
    eye = [[1, 0], [0, 1]]
    good = decoupled([eye, eye], [[4, 0], [None, 9]], nodes, proofs)
    assert root and accepts(good)
    tiny = F(1, 10**30)
    assert not accepts(decoupled([[[1, tiny], [0, 1]], eye], [[4, 0], [None, 9]], nodes, proofs))
    assert not accepts(decoupled([eye, eye], [[4, tiny], [None, 9]], nodes, proofs))
    assert not accepts(decoupled([eye, eye], [[4, 0], [None, 9]], nodes, [proofs[0], None]))
    assert not accepts(decoupled([eye, eye], [[4, 0], [None, 9]], nodes, proofs[::-1]))
    assert not accepts(decoupled([eye, eye], [[4, 0], [None, 9]], nodes[:1], proofs[:1]))
    swapped = [[[0], [1], [0]], [[1], [0], [1]]]
    assert not accepts(decoupled([eye, eye], [[4, 0], [None, 9]], swapped, proofs))
    assert not accepts(decoupled([eye, [[2, 0], [0, 1]]], [[4, 0], [None, 9]], nodes, proofs))
    product = numbers(recheck.check(good), 100).product
    assert [float(v.mid()) for row in product for v in row] == [4, 0, 0, 9]


SINGLE = [
    # row, column, target: at depth 2 with one observed entry, the limits against a float64 integration
    ((1, 0), (1, 1), 3),
    ((1, 2), (1, -1), -3),
    ((1, 1), (1, 1), 2),  # p only
    ((1, 1), (1, 1), -2),
    ((1, -1), (-1, 1), -2),  # q only
    ((1, -1), (-1, 1), 2),
    ((0, 0), (0, 0), 1),
]


@pytest.mark.parametrize(("a", "b", "w"), SINGLE)
def test_a_row_times_a_column(a, b, w):
    from scipy.integrate import solve_ivp

    model = network([1, 2, 1], [[w]])
    proved = recheck.check(reduced("single-entry", model, [[[v] for v in b], [list(a)]]))

    def field(_, x):
        rest = x[:2] @ x[2:] - w
        return np.concatenate([-rest * x[2:], -rest * x[:2]])

    end = solve_ivp(field, (0, 4000), [float(v) for v in (*b, *a)], rtol=1e-10, atol=1e-12, method="LSODA").y[:, -1]
    found = [float(v) for flat in proved.blocks for v in flat]
    assert np.allclose(found, end, atol=1e-4)
    assert proved.loss_zero == bool(abs(end[:2] @ end[2:] - w) < 1e-3)


def test_at_rest_only_where_the_field_is_zero():
    model = network([1, 1, 1], [[1]])
    still = {**HEAD, "kind": "stationary", "model": model}
    for x, y, at_rest in (
        (0, 0, True),
        (1, 1, True),
        (F(1, 2), 2, True),
        (0, 1, False),
        (1, 0, False),
        (1, 1 + F(1, 10**40), False),
    ):
        certificate = {**still, "start": [[[str(F(x))]], [[str(F(y))]]]}
        assert accepts(certificate) is at_rest
        if at_rest:
            assert recheck.check(certificate).loss_zero is (F(x) * F(y) == 1)


# -- chains of certificates


def test_the_second_of_a_chain_begins_around_the_end_of_the_first():
    first = captured(LINE, [[1]], {"mid": [[1]], "error": F(1, 8), "radius": F(1, 2)}, F(1, 16))
    proved = recheck.check(first)
    assert proved.error == F(1, 8)
    other = network([1, 1], [[2]])
    for radius, off, joined in (
        (F(1, 8), 0, True),
        (F(1, 4), F(1, 8), True),
        (F(1, 4), F(1, 8) + E0, False),
        (F(1, 8) - E0, 0, False),
    ):
        later = path(other, [[1 + off]], [], radius=radius)
        assert accepts(later)
        assert (recheck_files.joined(first, proved, later) == "") is joined
    still = {**HEAD, "kind": "stationary", "model": LINE, "start": [[["1"]]]}
    assert recheck_files.joined(still, recheck.check(still), {**still, "model": LINE}) == ""
    assert recheck_files.joined(still, recheck.check(still), {**still, "model": {**LINE, "factor": "2"}}) != ""
    assert recheck_files.joined(path(LINE, [[1]], []), recheck.check(path(LINE, [[1]], [])), still) != ""
    assert recheck_files.joined(first, proved, still) != ""


# -- the logarithmic norm


MODELS = {
    "depth 2": network([2, 2, 2], [[1, None], [F(1, 2), -1]]),
    "depth 3": network([2, 1, 2, 1], [[2, -1]], F(1, 2)),
    "data": network([2, 2, 1], [[1, 2, -1]], 1, [[1, 2, 0], [3, F(1, 2), 1]]),
    "tensor": {"name": "cp-tensor", "dims": [2, 1, 2], "rank": 2, "target": [["1", None], ["-2", "3"]], "factor": "1"},
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("beta", [None, F(3, 2), F(-3, 2)])
def test_the_growth_covers_the_logarithmic_norm_near_the_polynomials(name, beta):
    """Its integral with the speed is at least that of the largest eigenvalue of the derivative of the field at random points
    within rho, and the field is at most as large as it says.
    """
    model = recheck._MODELS[MODELS[name]["name"]](MODELS[name])
    rng = np.random.default_rng(len(name))
    cells, unit, length, rho = model.entries, 40, 0.5, 0.3
    coefficients = rng.normal(size=(cells, 4)) * [1, 0.5, 0.3, 0.2]
    table = [[round(c * 2**unit) for c in row] for row in coefficients]

    def field(x):
        with precision(64):
            blocks = recheck._split([arb(float(v)) for v in x], model.shapes)
            return np.array([float(v.mid()) for v in model.field(blocks, arb(1))])

    def top(x):
        jac = np.array([(field(x + d) - field(x - d)) / 2e-5 for d in 1e-5 * np.eye(cells)])
        return float(np.linalg.eigvalsh((jac + jac.T) / 2)[-1])

    with precision(64):
        begins = [arb(recheck.first(row)) * arb((1, -unit)) for row in table]
        constant_ = model.residual(recheck._split(begins, model.shapes))
        pieces = recheck._Pieces(table, unit, 64, model.shapes)
        bounds = recheck._growth(
            model,
            pieces,
            recheck._split(begins, model.shapes),
            constant_,
            arb(rho),
            arb(0),
            arb(length),
            None if beta is None else beta,
        )
    growth, swing = (float(v.mid()) for v in bounds)
    total = 0.0
    points = [(k + 0.5) / 12 for k in range(12)]
    for u in points:
        centre = np.polynomial.chebyshev.chebval(2 * u - 1, coefficients.T)
        moved = [centre, *(centre + rho * d / np.linalg.norm(d) for d in rng.normal(size=(3, cells)))]
        speed = 1.0 if beta is None else math.exp(-float(beta) * length * u)
        total += max(0.0, *(top(x) for x in moved)) * speed * length / len(points)
        assert np.linalg.norm(field(centre)) <= swing * float(model.factor) * 1.0001
    assert total <= growth


def test_bounds_of_derivatives_by_hand():
    """Curvature: the most over j of the sum over k of the products of the others; slope: the root of the sum of squares of the
    products of all but one, for a tensor times the root of its rank.
    """
    deep = recheck._MODELS["linear-network"](network([1, 1, 1, 1], [[1]]))
    thick = {"name": "cp-tensor", "dims": [1, 1, 1], "rank": 3, "target": [["1"]], "factor": "1"}
    for norms in itertools.permutations([2, 3, 5]):
        balls = [arb(v) for v in norms]
        assert abs(deep.curvature(balls) - 8) < 1e-9 and abs(deep.slope(balls) - 19) < 1e-9
        assert abs(recheck._MODELS["cp-tensor"](thick).slope(balls) - 19 * arb(3).sqrt()) < 1e-9
    assert recheck._MODELS["linear-network"](network([1, 1], [[1]])).curvature([arb(7)]) == 0


def test_norms_are_upper_bounds():
    rng = np.random.default_rng(5)
    for rows, cols in itertools.product((1, 2, 4), (1, 3)):
        table = rng.normal(size=(rows, cols))
        exact = [[arb(float(v)) for v in row] for row in table]
        with precision(64):
            assert float(recheck._spectral(exact).mid()) >= np.linalg.norm(table, 2) * (1 - 1e-12)
            assert float(recheck._spectral(exact).mid()) <= np.linalg.norm(table, 2) * 1.05
            assert float(recheck._norm([v for r in exact for v in r]).mid()) >= np.linalg.norm(table) * (1 - 1e-12)
