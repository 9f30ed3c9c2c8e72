"""The independent checker accepts what the integrator produces and refuses every edit that claims more."""

import base64
import copy
import json
import random
import subprocess
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.flow import recheck, recheck_files, validated
from verify.flow.balls import precision
from verify.flow.certificate import complete
from verify.flow.models import CPTensor, LinearNetwork, deep_factorization, two_layer_regression
from verify.flow.validated import Problem, certified_limit, enclose

NEAR = Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 2), [[[1, 0], [0, 1]]] * 2)


def by_taylor_steps(problem, digits):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validated._Run, "_decay", lambda self: False)
        return certified_limit(problem, digits)


CASES = {
    "limit": lambda: by_taylor_steps(NEAR, 10),
    "exponential": lambda: certified_limit(NEAR, 10),
    "depth 3": lambda: certified_limit(
        Problem.make(
            LinearNetwork((2, 2, 1, 2), [[1, None], [None, 1]], factor=F(2, 3)),
            [[["0.1", "1/3"], ["0.2", "0.5"]], [["0.7", "0.1"]], [["1/3"], ["0.9"]]],
        ),
        6,
        max_steps=60,
    ),
    "time": lambda: enclose(
        Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 3), [[["1/3", "0.1"], ["0.2", "0.4"]]] * 3),
        F(5, 3),
        10,
    ),
    "tiny": lambda: enclose(Problem.make(deep_factorization([[1]], 3), [[["1e-12"]]] * 3), F(10**12), 4),
    "data": lambda: enclose(
        Problem.make(
            two_layer_regression([[1, 2], [0, 1]], [[1, 2]], 2), [[[1, 0], [0, 1]], [["0.1", "0.2"]]]
        ),
        1,
        8,
    ),
    "tensor": lambda: certified_limit(
        Problem.make(
            CPTensor([[[1, None], [2, 3]]], 2), [[[1, "0.5"]], [["1/3", 1], [1, 1]], [[1, "0.1"], ["0.7", 1]]]
        ),
        3,
    ),
}


@pytest.fixture(scope="module")
def certificates():
    out = {}
    for name, make in CASES.items():
        result = make()
        out[name] = (result, json.loads(json.dumps(complete(result.certificate))))
    return out


@pytest.mark.parametrize("name", CASES)
def test_genuine_certificates_hold(certificates, name):
    result, certificate = certificates[name]
    proved = recheck.check(certificate)
    assert proved.kind == certificate["kind"]
    flat = [v for b in result.blocks for v in b.flat]
    values = [v for b in proved.blocks for v in b]
    assert len(flat) == len(values)


def scale_number(data, factor):
    value = recheck._dyadic(data) * factor
    n, e = value.numerator, 1 - value.denominator.bit_length()
    return [format(n, "x"), e]


def edits(certificate):
    """Every kind of edit that would make the certificate claim something that it does not prove."""

    def edit(change):
        other = copy.deepcopy(certificate)
        change(other)
        return other

    steps = certificate["steps"]
    middle = len(steps) // 2
    half, big = F(1, 2), F(4)

    def both(cert, place, factor):
        cert[place]["error"] = scale_number(cert[place]["error"], factor)

    yield (
        "last error",
        edit(lambda c: c["steps"][-1].update(error=scale_number(c["steps"][-1]["error"], F(1, 64)))),
    )
    yield (
        "a middle error",
        edit(lambda c: c["steps"][middle].update(error=scale_number(c["steps"][middle]["error"], F(1, 64)))),
    )
    yield (
        "tube",
        edit(lambda c: c["steps"][middle].update(rho=scale_number(c["steps"][middle]["rho"], F(1, 1000)))),
    )
    yield (
        "longer step",
        edit(lambda c: c["steps"][middle].update(h=scale_number(c["steps"][middle]["h"], big))),
    )
    yield (
        "shorter step",
        edit(lambda c: c["steps"][middle].update(h=scale_number(c["steps"][middle]["h"], half))),
    )
    yield "step left out", edit(lambda c: c["steps"].pop(middle))
    yield "no polynomial", edit(lambda c: c["steps"][middle].pop("polynomial"))
    yield "lower degree", edit(lambda c: drop(c["steps"][middle]["polynomial"]))
    yield "polynomial of another step", edit(lambda c: c["steps"][0].update(polynomial=c["steps"][-1]["polynomial"]))
    yield "other unit", edit(lambda c: c["steps"][middle]["polynomial"].update(unit=c["steps"][middle]["polynomial"]["unit"] + 1))
    yield "negative unit", edit(lambda c: c["steps"][middle]["polynomial"].update(unit=-1))
    yield "no coefficients", edit(lambda c: c["steps"][middle].update(polynomial={"unit": 64, "sizes": [], "data": ""}))
    yield "too many bytes", edit(lambda c: c["steps"][0]["polynomial"]["sizes"].append(1))
    yield "no bytes", edit(lambda c: c["steps"][0]["polynomial"].update(data="*" * 16))
    yield (
        "moved midpoint",
        edit(
            lambda c: c["steps"][middle]["mid"][0].__setitem__(
                0, scale_number(c["steps"][middle]["mid"][0][0], F(9, 8))
            )
        ),
    )
    yield "other target", edit(lambda c: c["model"]["target"][0].__setitem__(0, "9/8"))
    yield "other factor", edit(lambda c: c["model"].update(factor="17/16"))
    yield "other start", edit(lambda c: c["start"][0][0].__setitem__(0, "9/8"))
    yield "claim", edit(lambda c: c["claim"].update(error=scale_number(c["claim"]["error"], half)))
    yield "claimed point", edit(lambda c: c["claim"]["blocks"][0].__setitem__(0, ["7", -3]))
    yield "negative error", edit(lambda c: c["steps"][-1].update(error=["-1", 0]))
    yield "no steps", edit(lambda c: c.update(steps=[]))
    yield "kind", edit(lambda c: c.update(kind="stationary"))
    yield "no kind", edit(lambda c: c.pop("kind"))
    yield "version", edit(lambda c: c.update(version=1))
    if certificate["kind"] == "limit":
        yield "no capture", edit(lambda c: c.pop("capture"))
        yield (
            "capture radius",
            edit(lambda c: c["capture"].update(radius=scale_number(c["capture"]["radius"], F(1, 10**4)))),
        )
        yield (
            "huge capture radius",
            edit(lambda c: c["capture"].update(radius=scale_number(c["capture"]["radius"], F(10**30)))),
        )
        yield "capture error", edit(lambda c: both(c, "capture", F(1, 10**6)))
        yield "early capture", edit(lambda c: c["steps"].__delitem__(slice(len(c["steps"]) // 2, None)))
    if certificate["kind"] == "time":
        yield "later time", edit(lambda c: c.update(time=str(F(c["time"]) * 2)))
        yield "earlier time", edit(lambda c: c.update(time=str(F(c["time"]) * F(99, 100))))
        yield "not final", edit(lambda c: c["steps"][-1].update(final=False))
        yield "as limit", edit(lambda c: c.update(kind="limit"))


@pytest.mark.parametrize("name", ["limit", "time", "tensor"])
def test_edited_certificates_are_refused(certificates, name):
    accepted = []
    for number, (what, certificate) in enumerate(edits(certificates[name][1])):
        if name == "tensor" and number % 3:  # slower, and the same code decides
            continue
        try:
            recheck.check(certificate)
        except recheck.Refused:
            continue
        accepted.append(what)
    assert not accepted


@pytest.mark.parametrize("name", ["limit", "time", "data", "tensor"])
def test_a_wrong_coefficient_is_refused_or_harmless(certificates, name):
    """Random bits of the polynomials are turned: what is still accepted proves the same point within the same error."""
    certificate = certificates[name][1]
    rng = random.Random(name)
    for _ in range(12):
        other = copy.deepcopy(certificate)
        polynomial = rng.choice(other["steps"])["polynomial"]
        raw = bytearray(base64.b64decode(polynomial["data"]))
        place = rng.randrange(len(raw))
        raw[place] ^= 1 << rng.randrange(8)
        polynomial["data"] = base64.b64encode(raw).decode()
        try:
            proved = recheck.check(other)
        except recheck.Refused:
            continue
        assert (proved.blocks, proved.error) == (recheck.check(certificate).blocks, recheck.check(certificate).error)


def drop(polynomial):
    """Without the highest third of its orders."""
    sizes = polynomial["sizes"]
    raw = base64.b64decode(polynomial["data"])
    rows = len(raw) // sum(sizes)
    polynomial["sizes"] = sizes[: len(sizes) * 2 // 3]
    polynomial["data"] = base64.b64encode(raw[: rows * sum(polynomial["sizes"])]).decode()


def rational(rng, size=20):
    return F(rng.randint(-size, size), size)


@pytest.mark.parametrize("name", ["limit", "depth 3", "time", "data", "tensor"])
def test_the_defect_of_a_step_is_within_its_bound(certificates, name):
    """|h w F(p) - p'| at random points of [0, 1], for the polynomials of each step as they are and cut down to few orders."""
    certificate = certificates[name][1]
    model = recheck._MODELS[certificate["model"]["name"]](certificate["model"])
    cells = sum(r * c for r, c in model.shapes)
    rng = random.Random(name)
    for step in certificate["steps"][:3]:
        unit, rows = recheck.decoded(step["polynomial"], cells + (step["beta"] is not None))
        for keep in (len(rows[0]), 9, 2):
            short = [row[:keep] for row in rows]
            with precision(unit + 200):
                length = recheck._arb(recheck._dyadic(step["h"]))
                bound = recheck._defect(model, short[:cells], short[cells:], unit, length)
                for u in (F(0), F(1), *(F(rng.random()) for _ in range(20))):
                    v = recheck._arb(2 * u - 1)
                    waves = [v.chebyshev_t(k) for k in range(keep)]
                    slopes = [2 * k * v.chebyshev_u(k - 1) if k else arb(0) for k in range(keep)]
                    scale = arb((1, -unit))
                    p, d = (
                        [sum((c * w for c, w in zip(row, t, strict=True)), arb(0)) * scale for row in short]
                        for t in (waves, slopes)
                    )
                    f = model.field(recheck._split(p[:cells], model.shapes), length * (p[cells] if short[cells:] else 1))
                    gap = sum(((a - b) ** 2 for a, b in zip(f, d[:cells], strict=True)), arb(0)).sqrt()
                    assert gap <= bound


@pytest.mark.parametrize("pieces", [8, 64])
def test_polynomials_stay_where_the_pieces_say(pieces):
    rng = random.Random(pieces)
    for bits, unit, top in ((40, 30, 9), (200, 190, 30), (300, 20, 5)):
        rows = [[rng.getrandbits(max(1, bits - 5 * k)) * rng.choice((1, -1)) for k in range(top + 1)] for _ in range(4)]
        with precision(64):
            found = recheck._Pieces(rows, unit, pieces, [(2, 1), (1, 2)])
        with precision(unit + 300):
            for piece in range(pieces):
                for u in (F(piece, pieces), F(piece + 1, pieces), (piece + F(rng.random())) / pieces):
                    v = recheck._arb(2 * u - 1)
                    exact = [sum((c * v.chebyshev_t(k) for k, c in enumerate(row)), arb(0)) * arb((1, -unit)) for row in rows]
                    for flat, middle, way in zip((exact[:2], exact[2:]), found.values[piece], found.ways[piece], strict=True):
                        away = sum(((a - b) ** 2 for a, b in zip(flat, middle, strict=True)), arb(0)).sqrt()
                        assert away.abs_lower() <= way.upper()


@given(st.data())
@settings(max_examples=12, deadline=None)
def test_what_is_certified_is_accepted(data):
    """Whatever the engine certifies for networks of random widths, observations and starts, the checker accepts as it is."""
    widths = data.draw(st.lists(st.integers(1, 3), min_size=2, max_size=5))
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    digits = data.draw(st.sampled_from([4, 12, 34]))
    check_random(widths, rng, digits)


@pytest.mark.parametrize("seed", range(5010, 5022))
def test_narrow_networks_are_accepted_at_many_digits(seed):
    check_random([1, 1, 3, 1, 2], random.Random(seed), 34)


def check_random(widths, rng, digits):
    target = [[rational(rng) if rng.random() < 0.7 else None for _ in range(widths[0])] for _ in range(widths[-1])]
    target[0][0] = rational(rng) + 2
    start = [[[rational(rng) for _ in range(c)] for _ in range(r)] for r, c in zip(widths[1:], widths, strict=False)]
    problem = Problem.make(LinearNetwork(tuple(widths), target), start)
    result = certified_limit(problem, digits, max_steps=40)
    if not result.certified:
        result = enclose(problem, F(1, 3), digits)
    if result.certified:
        assert recheck.check(json.loads(json.dumps(complete(result.certificate)))).kind == result.certificate["kind"]


HEAD = {"format": "verify-flow"}


@pytest.mark.parametrize("junk", [None, 3, "x", [], {}, HEAD, {**HEAD, "version": 2}])
def test_junk_is_refused(junk):
    with pytest.raises(recheck.Refused):
        recheck.check(junk)


def test_another_version_is_named(certificates):
    old = {**certificates["exponential"][1], "version": 1}
    with pytest.raises(recheck.Refused, match="of version 1; this checker reads version 2: make it again with `verify flow`"):
        recheck.check(old)


def test_a_refusal_knows_its_step(certificates):
    certificate = copy.deepcopy(certificates["exponential"][1])
    certificate["steps"][1]["error"] = ["1", -5000]
    with pytest.raises(recheck.Refused, match="step 1: the error is larger") as found:
        recheck.check(certificate)
    assert found.value.step == 1
    del certificate["steps"][0]["rho"]
    with pytest.raises(recheck.Refused, match="step 0: malformed") as found:
        recheck.check(certificate)
    assert found.value.step == 0


def test_a_stationary_certificate_needs_a_zero_field():
    problem = Problem.make(deep_factorization([[1, 1], [1, 1]], 2), [[[0, 0], [0, 0]]] * 2)
    certificate = certified_limit(problem, 5).certificate
    assert recheck.check(certificate).kind == "stationary"
    other = copy.deepcopy(certificate)
    other["start"][0][0][0] = other["start"][1][0][0] = "1/2"
    with pytest.raises(recheck.Refused):
        recheck.check(other)


def test_the_checker_stands_alone(certificates, tmp_path):
    """It runs in a process that has no other module of this project than those of the checker."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    certificate = certificates["exponential"][1]
    assert certificate["steps"][-1]["kind"] == "exponential"
    good.write_text(json.dumps(certificate))
    certificate = copy.deepcopy(certificate)
    certificate["steps"][-1]["error"] = ["1", -200]
    bad.write_text(json.dumps(certificate))
    root = Path(recheck.__file__).parents[2]
    code = (
        "import runpy, sys\n"
        f"sys.path.insert(0, {str(root)!r})\n"
        "try:\n    runpy.run_module('verify.flow', run_name='__main__', alter_sys=True)\n"
        "finally:\n"
        "    mine = {'verify', 'verify.flow', 'verify.flow.__main__'}\n"
        "    others = [m for m in sys.modules if m.startswith(('verify', 'numpy', 'sympy', 'mpmath')) and m not in mine]\n"
        "    assert all(m.startswith('verify.flow.recheck') for m in others), others\n"
    )
    run = subprocess.run([sys.executable, "-I", "-c", code, str(good)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "accepted" in run.stdout
    run = subprocess.run([sys.executable, "-I", "-c", code, str(bad)], capture_output=True, text=True, check=False)
    assert run.returncode == 1 and "refused" in run.stdout
    assert recheck_files.main([]) == 2 and recheck_files.main([str(tmp_path / "missing.json")]) == 2


@pytest.mark.parametrize("plain", [False, True])
def test_polynomials_of_both_ways_are_accepted(monkeypatch, plain):
    """With and without compiled code; and from a scale so small that squares of bounds vanish in doubles."""
    target, start = [[1, "1/2"], [None, 1]], [[["1e-170", 0], [0, "1e-170"]]] * 2
    result = certified_limit(Problem.make(deep_factorization(target, 2), start), 5)
    if plain:
        monkeypatch.setattr("verify.flow.certificate.program", lambda *_: None)
    assert result.certified and recheck.check(complete(result.certificate)).kind == "limit"
