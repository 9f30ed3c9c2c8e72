"""The chain of records: what somebody edits below `reports/` is found, whatever else fits, by every command that reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.world import World
from tests.test_report import digests
from verify.run.files import digest

STATEMENT = "all x:R. 0 <= x^2"
OTHER = "all x:R. 0 <= x^4"
PROOFS = f'''
from verify.kernel import Goal
from verify.registry import holds


@holds("tiny.a", "{STATEMENT}")
def a(g: Goal) -> None:
    """By the rules."""
    g.auto()
'''


@pytest.fixture
def recorded(world: World) -> World:
    """A project with one proof, recorded; no cache."""
    module(world).write_text(PROOFS)
    assert world.verify("report").returncode == 0
    assert world.verify("report", "--check").stdout == "the reports are up to date\n"
    return world


def module(world: World) -> Path:
    return world.root / "proofs/tiny/section.py"


def file(world: World, name: str) -> Path:
    return world.root / "reports" / name


def edit_certificate(world: World, **changes: Any) -> None:
    """Change the statement or the proof of the certificate, and give it the digest that fits."""
    path = file(world, "certificates/tiny/a.json")
    data = json.loads(path.read_text())
    data["parts"]["statement"].update(changes)
    del data["sha256"]
    path.write_text(json.dumps({**data, "sha256": digest(data)}, sort_keys=True, separators=(",", ":")) + "\n")


def pin(world: World, formula: Any) -> None:
    path = file(world, "statements.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "tiny.a": {"statement": digest(formula)}}))


def parsed(text: str) -> Any:
    from verify.kernel import parse, thaw

    return thaw(parse(text))


def proof_of(text: str) -> Any:
    from verify.kernel import parse, prove, thaw

    return thaw(prove(parse(text), lambda g: g.auto()).proof)


def test_a_wrong_proof_under_a_fitting_digest_is_believed_by_nobody(recorded: World) -> None:
    edit_certificate(recorded, proof={"r": "truth"})
    before = digests(recorded.root / "reports")
    written = recorded.verify("report", "--from-record")
    assert written.returncode == 1
    assert written.stdout.splitlines()[0].startswith("refused: tiny.a (statement): truth: ")
    assert written.stdout.splitlines()[1:] == ["nothing written; run `verify report`"]
    assert digests(recorded.root / "reports") == before
    for again in range(2):  # a refusal is never remembered as anything else
        checked = recorded.verify("report", "--check")
        assert (checked.returncode, again) == (1, again)
        assert "stale: tiny.a: statement: truth: " in checked.stdout
    assert recorded.verify("recheck").returncode == 1


LIE = """
import sys
from pathlib import Path
from verify.project import Project
from verify.run.bound import Bound, refused

project = Project(Path(sys.argv[1]))
accept = lambda folder, claims, processes: {(claim, "statement"): "" for claim in claims}
print(list(refused(project, Bound(project.registry), accept, fresh=False)))
"""


def test_what_the_checker_accepted_is_remembered_under_the_seal_of_this_user(recorded: World) -> None:
    edit_certificate(recorded, proof={"r": "truth"})
    state = recorded.root / "elsewhere"
    recorded.more = {"XDG_STATE_HOME": str(state)}
    assert recorded.python("-c", LIE, str(recorded.root)).stdout == "[]\n"
    assert "truth: " not in recorded.verify("report", "--check").stdout  # the lie is sealed by this user
    assert "stale: tiny.a: statement: truth: " in recorded.verify("report", "--check", "--fresh").stdout
    assert recorded.verify("report", "--from-record").stdout.startswith("refused: tiny.a (statement): truth: ")
    recorded.more = {}
    assert "stale: tiny.a: statement: truth: " in recorded.verify("report", "--check").stdout


def test_a_pin_of_another_statement_is_found_by_every_command(recorded: World) -> None:
    pin(recorded, parsed(OTHER))
    told = "the pinned statement is not the bound one"
    for command in (["run", "tiny.a"], ["report", "--check"], ["recheck"], ["recheck", "tiny.a", "--json"]):
        done = recorded.verify(*command)
        assert done.returncode == 1, command
        assert told in done.stdout, command
    found = json.loads(recorded.verify("run", "tiny.a", "--json").stdout)
    assert [problem[:2] for problem in found["unpinned"]] == [["tiny.a", "statement"]]


def test_a_certificate_and_a_pin_of_another_statement_do_not_stand_for_the_bound_one(recorded: World) -> None:
    edit_certificate(recorded, statement=parsed(OTHER), proof=proof_of(OTHER))
    pin(recorded, parsed(OTHER))
    python = recorded.python("-m", "verify.recheck", "--root", str(recorded.root))
    assert python.returncode == 0  # for itself the pair is right
    for command in (["run", "tiny.a"], ["report", "--check"], ["recheck"], ["report", "--from-record"]):
        assert recorded.verify(*command).returncode == 1, command
    assert "refused: tiny.a (statement): the statement is not the pinned one" in recorded.verify("report", "--from-record").stdout


def test_a_pin_that_is_gone_or_too_many_is_found(recorded: World) -> None:
    path = file(recorded, "statements.json")
    kept = path.read_text()
    path.write_text("{}\n")
    assert "is not pinned" in recorded.verify("recheck").stdout
    path.write_text(json.dumps({"tiny.a": {}}))
    for command in (["run", "tiny.a"], ["report", "--check"], ["recheck"]):
        done = recorded.verify(*command)
        assert done.returncode == 1 and "not pinned" in done.stdout, command
    path.write_text(json.dumps({**json.loads(kept), "tiny.b": {"statement": digest(["true"])}}))
    for command in (["run", "tiny.b"], ["report", "--check"], ["recheck"]):
        done = recorded.verify(*command)
        assert done.returncode == 1 and "a statement is pinned, but none is bound" in done.stdout, command


def test_a_pin_that_is_no_text_is_an_error_in_one_line(recorded: World) -> None:
    file(recorded, "statements.json").write_text('{"tiny.a": {"statement": 3}}')
    done = recorded.verify("run", "tiny.a")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("verify: reports/statements.json: must be an object of objects, of digests")


SLOW = PROOFS.replace("    g.auto()", "    import time\n    time.sleep(100)\n    g.auto()")


def test_after_a_time_out_the_recorded_verdict_stands_only_for_the_bound_statement(recorded: World) -> None:
    module(recorded).write_text(SLOW)
    ran = recorded.verify("run", "tiny.a", "--limit", "2")
    assert ran.returncode == 1  # decided, and not decided again
    assert "tiny.a: holds, proved\n" in ran.stdout
    assert "timed out: tiny.a (the recorded verdict stands)\n" in ran.stdout

    module(recorded).write_text(SLOW.replace(STATEMENT, "all x:R. 0 < x^2"))
    ran = recorded.verify("run", "tiny.a", "--limit", "2")
    assert ran.returncode == 1
    assert ran.stdout.startswith("tiny.a: open. No proof: the run exceeded its time limit.\n")
    assert "timed out: tiny.a (no certificate of what is bound is stored)\n" in ran.stdout
    shown = recorded.verify("show", "tiny.a", "--limit", "2").stdout
    assert "verdict: open\ntimed out (no certificate of what is bound is stored)\n" in shown


def test_a_time_out_of_what_nobody_decides_is_named_and_no_more(world: World) -> None:
    text = SLOW.replace("holds", "part").replace('"tiny.a", ', '"tiny.a", "k", ')
    module(world).write_text(text + '\n\nfrom verify.registry import undecided\n\nundecided("tiny.a", tried="much")\n')
    ran = world.verify("run", "tiny.a", "--limit", "2")
    assert ran.returncode == 0
    assert "timed out: tiny.a" in ran.stdout


def test_a_role_of_a_record_forges_no_line(recorded: World) -> None:
    path = file(recorded, "record.json")
    data = json.loads(path.read_text())
    data["claims"]["tiny.a"]["inputs"]["gone\nthe reports are up to date"] = "x"
    path.write_text(json.dumps(data))
    lines = recorded.verify("report", "--check").stdout.splitlines()
    assert all(line.startswith("stale: ") for line in lines[:-1])
    assert "stale: tiny.a: 'gone\\nthe reports are up to date' is gone" in lines
    pins = json.loads(file(recorded, "statements.json").read_text())
    pins["tiny.a"]["part:k\naccepted  tiny.a part:l"] = "x"
    file(recorded, "statements.json").write_text(json.dumps(pins))
    for command in (["run", "tiny.a"], ["recheck"]):
        lines = recorded.verify(*command).stdout.splitlines()
        assert not any(line.startswith("accepted  tiny.a part:l") for line in lines)
        assert any("'part:k\\naccepted  tiny.a part:l'" in line for line in lines)
