"""Certificates of flows from a stranger: attacks on the reading, on time and memory, and on what is printed.

Each file is small, and is refused in one line within seconds; none ends with a traceback.
"""

from __future__ import annotations

import copy
import faulthandler
import json
import time
from fractions import Fraction

import pytest
from flint import arb_mat

from tests.flow.test_recheck_edges import HEAD, LINE, chain, dyadic, exponential, network, pair, path, polynomial, step
from verify import cli
from verify.flow import recheck, recheck_files
from verify.flow.pair import pair_limit

SECONDS = 8.0  # for a file; far below what the attacks took before they were refused
LONG = "1" + "0" * 4990 + "7"
GOOD = json.loads(json.dumps(pair_limit(2, 3, 1, "1/3", "1/4").certificate))
STEPPED = path(LINE, [[3]], [step([[3]], 1, [[3]], h=Fraction(1, 1024))])
CHAIN = chain((1, 1), 4, 1, 4)
ONE = {**HEAD, "kind": "limit", "model": network([1, 1], [[1]])}


def edited(certificate, *place, **values):
    """A copy with other values at a place."""
    out = copy.deepcopy(certificate)
    part = out
    for key in place:
        part = part[key]
    part.update(values)
    return out


def wide(columns, **more):
    """One row with many columns, all observed, at its limit."""
    ones = [["1", 0]] * columns
    flat = {"mid": [ones], "error": ["1", 20]}
    capture = {"bits": 16384, "radius": ["1", 0], "mid": [ones], "error": ["1", 20]}
    claim = {"blocks": [ones], "error": ["1", 20]}
    model = {**network([1, 1], [[1]]), "widths": [columns, 1], "target": [["1"] * columns]}
    start = [[["1"] * columns]]
    made = {
        **HEAD,
        "kind": "limit",
        "model": model,
        "start": start,
        "begin": flat,
        "steps": [],
        "capture": capture,
        "claim": claim,
    }
    return {**made, **more}


def identity(n):
    return [[["1/2" if i == j else "0" for j in range(n)] for i in range(n)]]


def commuting(n, bits):
    cells = [[(i * j * 7 + i + j) % 19 - 9 for j in range(n)] for i in range(n)]
    model = network([n, n, n], cells)
    return {**HEAD, "kind": "commuting", "model": model, "start": identity(n) * 2, "bits": bits, "eigenvalues": [None] * n}


def nested(depth):
    out = CHAIN
    for _ in range(depth):
        part = {"nodes": [[0], [0], [0]], "certificate": out}
        out = {k: v for k, v in CHAIN.items() if k != "bracket"} | {"kind": "decoupled", "split": "blocks", "parts": [part]}
    return out


LINK = "2\naccepted  other.json: limit; error 0"

ATTACKS = {
    # the reading
    "version with a line feed": edited(GOOD, version=LINK),
    "format with a line feed": edited(GOOD, format=LINK),
    "kind with a line feed": edited(GOOD, kind=LINK),
    "key with a line feed": edited(GOOD, **{LINK: 1}),
    "number with a line feed": edited(GOOD, target=LINK),
    "surrogates": json.dumps(edited(GOOD, target="\ud800", kind="\udfff")),
    "surrogate key": json.dumps(edited(GOOD, **{"\ud800": 1})),
    "nesting": "[" * 100_000 + "]" * 100_000,
    "nested objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "nested certificates": nested(6),
    "a key twice": json.dumps(GOOD)[:-1] + ', "target": "1"}',
    "a float": edited(STEPPED, "model", widths=[1.0, 1]),
    "a width of 1.9": edited(STEPPED, "model", widths=[1.9, 1]),
    "true for 1": edited(GOOD, depth=True),
    "true for a version": edited(GOOD, version=True),
    "true for a width": edited(STEPPED, "model", widths=[True, 1]),
    "1 for true": edited(STEPPED, "steps", 0, final=0),
    "NaN": json.dumps(GOOD).replace('"1/3"', "NaN"),
    "underscores": edited(GOOD, target="1_000"),
    "decimals": edited(GOOD, target="1.5"),
    "a plus": edited(GOOD, target="+1"),
    "other digits": edited(GOOD, target="\u0661"),
    "blanks": edited(GOOD, target=" 1"),
    "a prefix": edited(GOOD, bracket=[["0x1", 0], ["2", 0]]),
    "capitals": edited(GOOD, bracket=[["A", 0], ["B", 0]]),
    "denominator 0": edited(GOOD, target="1/0"),
    "a negative denominator": edited(GOOD, target="1/-2"),
    "a false claim beside a closed form": {**CHAIN, "claim": {"blocks": [[["7", 0]], [["7", 0]]], "error": ["0", 0]}},
    "a claim beside a pair": {**GOOD, "claim": {"blocks": [], "error": ["0", 0]}},
    "a capture beside a time": {**STEPPED, "kind": "time", "time": "1", "capture": {}},
    "a remark in a step": edited(STEPPED, "steps", 0, note="certified"),
    "another model": edited(STEPPED, "model", name="tucker"),
    "a tensor that decouples": {
        **CHAIN,
        "model": {"name": "cp-tensor", "dims": [1, 1], "rank": 1, "target": [["4"]], "factor": "1"},
    },
    "rows of two lengths": edited(STEPPED, "model", target=[["1"], ["1", "1"]]),
    "no rows": edited(STEPPED, "model", target=[]),
    "text for a list": edited(STEPPED, start="1"),
    "null for an object": edited(STEPPED, model=None),
    "a chain in a chain": {
        "format": "verify-flow-chain",
        "certificates": [{"format": "verify-flow-chain", "certificates": [GOOD]}],
    },
    "an empty chain": {"format": "verify-flow-chain", "certificates": []},
    "a chain with a claim": {"format": "verify-flow-chain", "certificates": [GOOD], "claim": 1},
    "no bracket": {**CHAIN, "bracket": None},
    "a way that is none": {**CHAIN, "kind": "truncated", "way": None} | {"bracket": None},
    # time and memory
    "1e9999999999": edited(GOOD, target="1e9999999999"),
    "long numbers": edited(GOOD, target="9" * 1_000_000),
    "a long integer": json.dumps(GOOD).replace('"depth": 3', '"depth": ' + "9" * 100_000),
    "an exponent of 10^7": edited(GOOD, bracket=[["1", -(10**7)], ["2", 10**7]]),
    "exponents of 10^7 in a start": wide(50, begin={"mid": [[["1", 10**7]] * 50], "error": ["1", 0]}),
    "100000 bits": {**CHAIN, "bits": 100_000},
    "a unit of 100000": edited(STEPPED, "steps", 0, "polynomial", unit=100_000),
    "a capture of 100000 bits": edited(wide(2), "capture", bits=100_000),
    "16384 bits": commuting(40, 16384),
    "a large pair": edited(GOOD, d=10**9),
    "a deep pair": edited(GOOD, depth=10**9),
    "powers of long numbers": pair(2, 1000, 1, (1, 2), 1, 2) | {"start": [f"{LONG}/3", f"1/{LONG}"]},
    "a long row": wide(6_000),
    "many cells": edited(STEPPED, "model", widths=[10**6, 10**6]),
    "a wide layer": edited(STEPPED, "model", widths=[1, 10**9, 1]),
    "a large tensor": {
        **HEAD,
        "kind": "stationary",
        "model": {"name": "cp-tensor", "dims": [1, 10**5, 10**5], "rank": 1, "target": [["1"]], "factor": "1"},
        "start": [[["0"]]] * 3,
    },
    "a deep network": {
        **HEAD,
        "kind": "stationary",
        "model": network([1] * 501, [[1]]),
        "start": [[[f"{LONG}/3"]]] * 500,
    },
    "many gradients": {
        **HEAD,
        "kind": "stationary",
        "model": network([90, 90], [[1] * 90] * 90),
        "start": [[["1"] * 90] * 90],
    },
    "a high polynomial": edited(STEPPED, "steps", 0, polynomial=polynomial([[1] * 1999], 16000)),
    "a large polynomial": edited(STEPPED, "steps", 0, polynomial=polynomial([[2**9000, 1, 2**8999]], 0)),
    "a long step": edited(STEPPED, "steps", 0, h=["1", 60_000]),
    "a fast flow": edited(STEPPED, "model", factor=LONG),
    "a fast clock": edited(STEPPED, "steps", 0, beta=["-1", 60_000], polynomial=polynomial([[3, 1], [1, 0]], 100)),
    "many exponentials": path(
        LINE,
        [[3]],
        [exponential([[1]], 1, [-1] * 8, [[0] * 8] + [[9 * (i == j) for i in range(8)] for j in range(8)], [[[1]]] * 9)],
    ),
    "steep exponentials": path(LINE, [[3]], [exponential([[1]], 1, [1], [[0], [1]], [[[1]], [[1]]], h=2**60)]),
    "many nodes": {**nested(1), "parts": [{"nodes": [[0], [0], [0]], "certificate": CHAIN}] * 300},
}


def text_of(attack):
    return attack if isinstance(attack, str) else json.dumps(attack)


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_are_refused_in_one_line(name, tmp_path, capfd):
    file = tmp_path / "stranger.json"
    file.write_text(text_of(ATTACKS[name]), encoding="utf-8")
    began = time.monotonic()
    code = recheck_files.main(["--seconds", str(SECONDS), str(file)])
    assert time.monotonic() - began < SECONDS + 4
    out, err = capfd.readouterr()
    lines = (out + err).splitlines()
    assert code in (1, 2) and len(lines) == 1, out
    assert "Traceback" not in out + err and len(lines[0]) < 700
    assert lines[0].startswith("refused " if code == 1 else str(file))


@pytest.mark.parametrize("name", [n for n, a in ATTACKS.items() if isinstance(a, dict) and a.get("format") == "verify-flow"])
def test_the_checker_itself_refuses_them(name):
    began = time.monotonic()
    with pytest.raises(recheck.Refused):
        recheck.check(ATTACKS[name], SECONDS)
    assert time.monotonic() - began < SECONDS + 4


def test_every_key_is_needed_and_no_other_is_read():
    made = path(LINE, [[1]], [step([[1]], Fraction(1, 16), [[1]])], radius=Fraction(1, 32))
    for good in (
        made,
        CHAIN,
        GOOD,
        commuting(2, 64) | {"model": network([2, 2, 2], [[0, 1], [1, 0]]), "eigenvalues": [[["1", -2], ["1", 1]], None]},
    ):
        recheck.check(good)
        spots = [()] + [(k,) for k, v in good.items() if isinstance(v, dict)]
        for place in spots:
            part = good if not place else good[place[0]]
            for key in part:
                other = copy.deepcopy(good)
                del (other if not place else other[place[0]])[key]
                with pytest.raises(recheck.Refused):
                    recheck.check(other)
            with pytest.raises(recheck.Refused, match="unknown key 'extra'"):
                recheck.check(edited(good, *place, extra=1))


def write(folder, name, data):
    file = folder / name
    file.write_text(json.dumps(data), encoding="utf-8")
    return str(file)


def test_chains_of_valid_certificates_of_other_shapes(tmp_path, capfd):
    """Each holds by itself; linked, the second one of each is refused."""
    still = {**HEAD, "kind": "stationary"}
    tensor = {"name": "cp-tensor", "dims": [1, 1], "rank": 1, "target": [["1"]], "factor": "1"}
    others = [
        {**still, "model": network([1, 1, 1], [[1]]), "start": [[["1"]], [["1"]]]},
        {**still, "model": network([1, 1], [[1]]), "start": [[["1"]]]},
        {**still, "model": tensor, "start": [[["1"]], [["1"]]]},
        {**still, "model": network([2, 1], [[1, 1]]), "start": [[["1", "1"]]]},
        {**still, "model": network([1, 1, 1], [[1]], 2), "start": [[["1"]], [["1"]]]},
        {**still, "model": network([1, 1, 1], [[1]], 1, [[1]]), "start": [[["1"]], [["1"]]]},
        path(network([2, 1], [[1, 1]]), [[3, 1]], []),
        path(LINE, [[2]], [], radius=Fraction(1, 2)),
        GOOD,
        chain((2, 1), 4, Fraction(3, 2), 2),
        edited(chain((2, 1), 4, Fraction(3, 2), 2), "model", factor="2"),
    ]
    for one in others:
        recheck.check(one)
    for a in others:
        for b in others:
            if a is b:
                continue
            file = write(tmp_path, "chain.json", {"format": "verify-flow-chain", "certificates": [a, b]})
            assert recheck_files.main([file]) == 1, (a, b)
            out = capfd.readouterr().out
            assert out.count("accepted") == 1 and out.count("refused") == 1 and "Traceback" not in out
            (line,) = (line for line in out.splitlines() if line.startswith("refused"))
            assert "(2 of 2): " in line


def test_names_of_files_cannot_forge_a_line(tmp_path, capfd):
    folder = tmp_path / "a\naccepted  b.json: limit"
    folder.mkdir()
    file = write(folder, "x.json", edited(GOOD, target="2"))
    assert recheck_files.main([file]) == 1
    out = capfd.readouterr().out
    assert len(out.splitlines()) == 1 and out.startswith("refused   '") and "\\naccepted" in out
    file = write(folder, "x.json", [])
    assert recheck_files.main([file]) == 2
    err = capfd.readouterr().err
    assert len(err.splitlines()) == 1 and "\\naccepted" in err


def test_what_takes_too_long_is_ended(tmp_path, monkeypatch):
    file = write(tmp_path, "x.json", GOOD)
    monkeypatch.setattr(recheck_files, "examine", lambda *_: time.sleep(60) or [])
    began = time.monotonic()
    (answer,) = recheck_files.apart(file, 0.3)
    assert not answer["accepted"] and answer["reason"] == "the check took longer than 0.3 s; --time-limit allows more"
    assert time.monotonic() - began < 20


def test_what_takes_too_much_memory_is_ended(tmp_path, monkeypatch):
    file = write(tmp_path, "x.json", GOOD)

    def by_python(*_):
        return [bytes(1 << 33)]

    def by_flint(*_):
        faulthandler.disable()  # in the child: that FLINT gives up there is meant
        return [arb_mat(10**5, 10**5)]

    for hungry in (by_python, by_flint):
        monkeypatch.setattr(recheck_files, "examine", hungry)
        (answer,) = recheck_files.apart(file, 20, 1000)
        assert not answer["accepted"] and answer["reason"] == "the check wanted more than 1000 MB"


def test_a_budget_is_for_the_whole_file(tmp_path, monkeypatch):
    """A certificate that holds is refused where those before it in the file have used up the work."""
    part = {"format": "verify-flow-chain", "certificates": [CHAIN] * 60}
    monkeypatch.setattr("verify.flow.recheck_read.Budget.EACH", 0)
    monkeypatch.setattr("verify.flow.recheck_read.Budget.FIRST", 3 * 10**6)
    answers = recheck_files.examine(write(tmp_path, "x.json", {**part, "certificates": [commuting(3, 64)] * 60}))
    reasons = [a.get("reason", "") for a in answers]
    assert "more work than a certificate of this size may ask for" in reasons[-1] and "more work" not in reasons[0]


def test_unreadable_files_are_one_line(tmp_path, capfd):
    for name in (str(tmp_path), str(tmp_path / "none.json"), "/dev/null", "a\0b.json"):
        assert recheck_files.main([name]) == 2
        assert len(capfd.readouterr().err.splitlines()) == 1
    for data in (b"\xff\xfe", b"", b"{", b"3", b"{}"):
        (tmp_path / "x.json").write_bytes(data)
        assert recheck_files.main([str(tmp_path / "x.json")]) == 2
        assert len(capfd.readouterr().err.splitlines()) == 1
    assert recheck_files.main(["--seconds", "x", "y"]) == 2 and recheck_files.main(["--seconds"]) == 2


# -- what was proved, and the answer beside it


def test_what_was_proved_is_printed(tmp_path, capfd):
    made = path(network([2, 1, 2], [[1, None], ["-1/3", 2]]), [[0, 0], [0, 0]], [])
    assert recheck_files.main([write(tmp_path, "x.json", made)]) == 0
    out = capfd.readouterr().out
    assert "undetermined; error 0" in out and "widths 2-1-2" in out and "-1/3" in out and "  loss      [2.55555555555555" in out
    assert recheck_files.main([write(tmp_path, "x.json", GOOD), "--json"]) == 0
    (told,) = json.loads(capfd.readouterr().out)
    assert told["start"] == ["1/3", "1/4"] and told["loss"] == "0" and told["product"]["diagonal"] == "1"
    assert told["model"] == {"name": "deep scalar pair", "d": 2, "depth": 3} and told["time"] == "infinity"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "w.csv").write_text("1,0.1\n?,1\n")
    assert cli.run(["flow", str(folder / "w.csv"), "--init", "identity:1", "--report", str(folder / "r"), "--digits", "8"]) == 0
    return folder / "r"


LIES = {
    "an entry": lambda a: a["product"][1].__setitem__(0, "[0.5 +/- 1e-9]"),
    "an entry that is too sharp": lambda a: a["product"][1].__setitem__(0, a["product"][1][0].split(" ")[0].strip("[") + "1"),
    "the loss": lambda a: a.update(loss="[1 +/- 0.1]"),
    "the data": lambda a: a["observations"]["entries"][0].__setitem__(2, "2"),
    "the depth": lambda a: a.update(depth=3),
    "the time": lambda a: a.update(time="5"),
    "the shape": lambda a: a["product"].pop(),
    "a number": lambda a: a["product"][0].__setitem__(0, "1e9999999999"),
    "the status": lambda a: a.update(status="proved"),
    "nothing": lambda a: a.pop("product"),
}


@pytest.mark.parametrize("name", [None, *LIES])
def test_the_answer_beside_a_certificate_is_compared(report, tmp_path, name, capfd):
    for file in ("certificate.json", "answer.json"):
        (tmp_path / file).write_text((report / file).read_text())
    answer = json.loads((report / "answer.json").read_text())
    if name is not None:
        LIES[name](answer)
        (tmp_path / "answer.json").write_text(json.dumps(answer))
    code = cli.run(["recheck", f"{tmp_path}/"])
    out = capfd.readouterr().out
    (line,) = (line for line in out.splitlines() if line.startswith("  answer"))
    assert (code, line.endswith("follows from this")) == ((0, True) if name is None else (1, False))


def test_a_broken_answer_is_told(report, tmp_path, capfd):
    (tmp_path / "certificate.json").write_text((report / "certificate.json").read_text())
    (tmp_path / "answer.json").write_text("[[[")
    assert cli.run(["recheck", f"{tmp_path}/"]) == 1
    assert "answer.json: is malformed: " in capfd.readouterr().out


def test_short_numbers_for_the_eye():
    shown = recheck_files._short
    cases = {"1/3": "1/3", "-2061/5000": "-0.4122", "5": "5", "3/8": "0.375", "0": "0", "10/1": "10"}
    assert {k: shown(k) for k in cases} == cases
    assert shown("1" * 200 + "/7").startswith("1.58730158") and "characters" in shown("9" * 400)
    assert dyadic(0) == ["0", 0]
