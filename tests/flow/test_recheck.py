"""The independent checker accepts what the integrator produces and refuses every edit that claims more."""

import copy
import json
import subprocess
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest

from verify.flow import recheck
from verify.flow.models import CPTensor, LinearNetwork, deep_factorization, two_layer_regression
from verify.flow.validated import Problem, certified_limit, enclose

CASES = {
    "limit": lambda: certified_limit(
        Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 2), [[[1, 0], [0, 1]]] * 2), 10
    ),
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
        out[name] = (result, json.loads(json.dumps(result.certificate)))
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
    yield (
        "lower order",
        edit(lambda c: c["steps"][middle].update(order=max(2, c["steps"][middle]["order"] // 3))),
    )
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
    yield "version", edit(lambda c: c.update(version=2))
    yield "text order", edit(lambda c: c["steps"][0].update(order="20"))
    yield "huge order", edit(lambda c: c["steps"][0].update(order=10**9))
    yield "few bits", edit(lambda c: c["steps"][middle].update(bits=16))
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
    # "few bits" is harmless where the checker's extra digits make up for it.
    assert set(accepted) <= {"few bits"}


HEAD = {"format": "verify-flow"}


@pytest.mark.parametrize("junk", [None, 3, "x", [], {}, HEAD, {**HEAD, "version": 1}])
def test_junk_is_refused(junk):
    with pytest.raises(recheck.Refused):
        recheck.check(junk)


def test_a_stationary_certificate_needs_a_zero_field():
    problem = Problem.make(deep_factorization([[1, 1], [1, 1]], 2), [[[0, 0], [0, 0]]] * 2)
    certificate = certified_limit(problem, 5).certificate
    assert recheck.check(certificate).kind == "stationary"
    other = copy.deepcopy(certificate)
    other["start"][0][0][0] = other["start"][1][0][0] = "1/2"
    with pytest.raises(recheck.Refused):
        recheck.check(other)


def test_the_checker_stands_alone(certificates, tmp_path):
    """It runs as a file, in a process that has no other module of this project."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    certificate = certificates["limit"][1]
    good.write_text(json.dumps(certificate))
    certificate = copy.deepcopy(certificate)
    certificate["steps"][-1]["error"] = ["1", -200]
    bad.write_text(json.dumps(certificate))
    script = Path(recheck.__file__)
    code = (
        "import runpy, sys; sys.argv = ['recheck', *sys.argv[1:]]\n"
        f"try:\n    runpy.run_path({str(script)!r}, run_name='__main__')\n"
        "finally:\n"
        "    assert not [m for m in sys.modules if m.startswith(('verify', 'numpy', 'sympy', 'mpmath'))]\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", code, str(good)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "holds" in run.stdout
    run = subprocess.run(
        [sys.executable, "-I", "-c", code, str(bad)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1 and "refused" in run.stdout
    assert recheck.main([]) == 2 and recheck.main([str(tmp_path / "missing.json")]) == 2
