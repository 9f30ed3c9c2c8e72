"""`verify recheck FILE`: what `verify flow` wrote is checked again in a clean process; edits and strangers are not accepted."""

from __future__ import annotations

import copy
import json
from fractions import Fraction

import pytest

from verify import cli
from verify.flow import recheck
from verify.flow.pair import check as check_pair
from verify.flow.pair import pair_limit


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run a command in a folder with two tables; returns (exit code, output, errors)."""
    (tmp_path / "d.csv").write_text("1,?\n?,1\n")
    (tmp_path / "w.csv").write_text("1,0.1\n?,1\n")
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        code = cli.run(list(args))
        return (code, *capfd.readouterr())

    return run


def test_reports_chains_and_pairs_are_accepted(call, tmp_path):
    assert call("flow", "w.csv", "--depth", "2", "--init", "identity:1", "--report", "out")[0] == 0
    assert call("flow", "d.csv", "--depth", "3", "--init", "ones:1e-35,2", "--certificate", "pair.json")[0] == 0
    words = ["--init", "gaussian:0.5,1", "--then", "w.csv", "--certificate", "chain.json"]
    assert call("flow", "d.csv", "--depth", "2", *words)[0] == 0
    code, out, _ = call("recheck", "out/", "pair.json", "chain.json")
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines() if not line.startswith(" ")] == [
        "accepted  out/certificate.json",
        "accepted  pair.json",
        "accepted  chain.json (1 of 2)",
        "accepted  chain.json (2 of 2)",
    ]
    certificate = json.loads((tmp_path / "out/certificate.json").read_text())
    certificate["steps"][0]["error"] = ["1", -900]
    (tmp_path / "bad.json").write_text(json.dumps(certificate))
    code, out, _ = call("recheck", "pair.json", "bad.json", "--json")
    assert code == 1
    assert [a["accepted"] for a in json.loads(out)] == [True, False]


@pytest.mark.parametrize(
    "words, message",
    [
        (["missing.json"], "no such file"),
        (["."], "holds no certificate of a flow"),
        (["d.json"], "no certificate of a flow"),
        (["text.json"], "Expecting value"),
        (["good.json", "shin2025"], "either files of flows or claims"),
    ],
)
def test_other_files_are_one_line(call, tmp_path, words, message):
    (tmp_path / "d.json").write_text("{}")
    (tmp_path / "text.json").write_text("no JSON")
    (tmp_path / "good.json").write_text(json.dumps(pair_limit(2, 3, 1, "1/3", "1/4").certificate))
    code, out, err = call("recheck", *words)
    assert code == 2 and out == ""
    assert message in err and len(err.strip().splitlines()) == 1


PAIRS = {
    "deep": (3, 4, 1, "1e-35", "2e-35"),
    "depth 2": (2, 2, "1/2", "1/3", "1/7"),
    "overshoot": (2, 3, 1, 3, 2),
    "linear": (3, 1, 2, "1/3", "1/7"),
    "nothing to reach": (2, 3, -1, 1, 2),
}


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_by_both_checks(name):
    limit = pair_limit(*PAIRS[name], digits=30)
    certificate = json.loads(json.dumps(limit.certificate))
    proved = recheck.check(certificate)
    for ball, (middle,) in zip((limit.lambda_1, limit.lambda_2), proved.blocks, strict=True):
        near = abs(float(middle) - float(ball.mid()))
        assert near <= 1e-12 * abs(float(ball.mid())) + float(proved.error)
    assert check_pair(certificate)[0].overlaps(limit.lambda_1)


def test_edited_pairs_are_refused():
    good = json.loads(json.dumps(pair_limit(*PAIRS["deep"], digits=30).certificate))
    recheck.check(good)
    low = good["bracket"][0]
    edits = {
        "target": "2",
        "d": 2,
        "depth": 5,
        "start": ["1/3", "2"],
        "bracket": [low, low],
    }
    for key, value in edits.items():
        with pytest.raises(recheck.Refused):
            recheck.check({**copy.deepcopy(good), key: value})
    for broken in (
        {"bracket": None},
        {"start": ["-1", "1"]},
        {"depth": True},
        {"d": 1},
        {"version": 1},
        {"bracket": good["bracket"][::-1]},
    ):
        with pytest.raises(recheck.Refused):
            recheck.check({**copy.deepcopy(good), **broken})


def test_a_model_is_abstract():
    with pytest.raises(TypeError):
        recheck._Model()
    assert Fraction(1) == recheck._Network({"widths": [1, 1], "factor": "1", "data": None, "target": [["1"]]}).factor
