"""The command line: help is quick, every bad input is one line and exit code 2."""

from __future__ import annotations

import inspect
import json
import os
import resource
import sqlite3
from pathlib import Path

import click
import pytest

from tests.conftest import OneLine
from tests.support.world import World
from verify import cli
from verify.errors import InputError
from verify.run import store

COMMANDS = {"axioms", "diff", "errata", "list", "mutate", "new-paper", "recheck", "report", "run", "show"}


def test_help_is_quick_and_names_every_command(world: World) -> None:
    took = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = world.verify("--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert done.returncode == 0
    assert set(cli.Commands().list_commands(None)) >= COMMANDS  # type: ignore[arg-type]
    assert all(name in done.stdout for name in COMMANDS)
    assert min(took) < 0.5


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["rn"], "no command 'rn'; nearest: run"),
        (["run", "tiny.aa"], "no claim 'tiny.aa'; nearest: tiny.a"),
        (["run", "tinny"], "no paper or claim 'tinny'; nearest: tiny"),
        (["run", "q*z"], "no claim matches 'q*z'; patterns look like"),
        (["show", "tiny"], "'tiny' is a paper, not a claim; `verify list tiny` names its claims"),
        (["run", "--profile", "slow"], "'slow' is not one of 'quick', 'full'"),
        (["run", "--jobs", "0"], "Invalid value for '--jobs'"),
        (["run", "--limit", "nan"], "--limit must be a number of seconds"),
        (["run", "--no-such-option"], "No such option"),
        (["show"], "Missing argument 'CLAIM'"),
        (["list", "--kind", "poem"], "'poem' is not one of"),
        (["errata"], "no verdicts are recorded; `verify report` writes"),
        (["report", "--check"], "reports/record.json is missing; `verify report` writes it"),
        (["diff", "no-such-commit"], "names no commit here"),
        (["diff", "--", "--output=x"], "names no commit here"),
        (["new-paper", "Has Spaces"], "must be lower-case letters and digits"),
        (["new-paper", "../up"], "must be lower-case letters and digits"),
        (["new-paper", "tiny"], "proofs/tiny exists already"),
        (["new-paper", "other", "--title", 'a"b'], "a title must not contain quotation marks"),
    ],
)
def test_a_wrong_call_is_one_line_that_says_what_would_be_right(one_line: OneLine, args: list[str], expected: str) -> None:
    assert expected in one_line(*args)


@pytest.mark.parametrize("content", ["{", "[]", '{"schema": 2, "claims": {}}', '{"schema": 1, "claims": {"tiny.a": 3}}'])
def test_a_damaged_record_is_one_line(world: World, one_line: OneLine, content: str) -> None:
    (world.root / "reports").mkdir()
    (world.root / "reports/verdicts.json").write_text(content)
    world.proofs('@experiment("tiny.e")\ndef e(profile): open("ran", "w")\n')
    assert "reports/verdicts.json: " in one_line("list")
    assert "reports/verdicts.json: " in one_line("run")
    assert not (world.root / "ran").exists()


@pytest.mark.parametrize("obstacle", ["file", "link", "folder", "read-only"])
def test_a_cache_that_cannot_be_written_is_one_line(world: World, one_line: OneLine, obstacle: str) -> None:
    cache = world.root / ".verify-cache"
    if obstacle == "file":
        cache.write_text("")
    elif obstacle == "link":
        cache.symlink_to(world.root / "nowhere")
    elif obstacle == "folder":
        (cache / "results.sqlite").mkdir(parents=True)
    else:
        if os.geteuid() == 0:
            pytest.skip("root may write everywhere")
        cache.mkdir(mode=0o555)
    assert ".verify-cache/results.sqlite: the cache cannot be used: " in one_line("run", "tiny")


def test_a_cache_that_is_locked_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.Store(tmp_path) as kept:
        kept.put("key", [1])
    monkeypatch.setattr(store, "WAIT", 0.1)
    other = sqlite3.connect(tmp_path / "results.sqlite")
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(InputError, match="locked"):
        store.Store(tmp_path).put("key", [2])
    other.rollback()
    other.close()
    with store.Store(tmp_path) as kept:
        assert kept.get("key") == [1]


def test_list_and_run_without_proofs(world: World) -> None:
    world.paper([f"x{n}" for n in range(50)], slug="large")
    assert len(world.verify("list", "tiny").stdout.splitlines()) == 5
    assert json.loads(world.verify("list", "tiny.a", "--json").stdout)[0]["outcome"] == "open"
    assert world.verify("run", "tiny").stdout.startswith("tiny.a: open")
    done = world.verify("run")
    assert done.returncode == 0
    assert "tiny: 5 claims: 5 open" in done.stdout
    assert done.stderr == ""
    data = json.loads(world.verify("run", "tiny", "--json").stdout)
    assert data["claims"]["tiny.a"]["outcome"] == "open"
    assert "Title of tiny.a" in world.verify("show", "tiny.a").stdout


def test_a_closed_pipe_is_no_error(world: World) -> None:
    world.paper([f"x{n}" for n in range(2000)], slug="large")
    done = world.command("bash", "-c", f"set -o pipefail; '{world.executable}' -m verify list | head -1")
    assert (done.returncode, done.stderr) == (0, "")


def test_new_paper_is_a_paper(world: World) -> None:
    done = world.verify("new-paper", "smith2024", "--title", "On products")
    assert done.returncode == 0
    assert "verify run smith2024" in done.stdout
    assert world.verify("list", "smith2024").stdout.startswith("smith2024.lemma-1 ")
    listed = world.verify("list", "smith2024", "--bound", "--json")
    assert [c["id"] for c in json.loads(listed.stdout)] == ["smith2024.lemma-1"]


def test_recheck_misses_what_was_removed(world: World) -> None:
    world.verify("new-paper", "smith2024")
    assert world.verify("report").returncode == 0
    done = world.verify("recheck", "tiny.a", "smith2024")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "none      tiny.a: it is open, there is nothing to check"
    assert world.verify("recheck", "tiny").stdout.startswith("none      tiny: no claim of these has a certificate")
    (world.root / "reports/certificates/smith2024/lemma-1.json").unlink()
    for words in ([], ["smith2024"], ["smith2024.lemma-1"]):
        done = world.verify("recheck", *words)
        assert done.returncode == 1
        assert done.stdout.splitlines()[-1] == "missing   smith2024.lemma-1 statement: no certificate is stored"
    answers = json.loads(world.verify("recheck", "smith2024", "--json").stdout)
    assert [(a["claim"], a["accepted"]) for a in answers["parts"]] == [("smith2024.lemma-1", False)]
    assert answers["evidence"]["checked"] == 0


def test_recheck_counts_evidence_of_each_kind_apart(world: World) -> None:
    world.verify("new-paper", "smith2024")
    world.proofs(
        """
        @experiment("tiny.e", grade="simulated")
        def runs(profile):
            return {"holds": True, "statistics": {"runs": 3, "mean": 0.5}}

        @figure("tiny.e", "curve", caption="A line.")
        def curve(canvas):
            canvas.subplots().plot([0, 1])
            return {"data": [0, 1]}
        """
    )
    assert world.verify("report").returncode == 0
    (world.root / "reports/tiny/e.md").unlink()
    assert world.verify("report", "--from-record").stdout == "1 files of reports/ changed, 1 certificates\n"
    assert world.verify("report", "--check").stdout == "the reports are up to date\n"
    replayed = {"sampled": 0, "simulated": 1, "numeric": 0, "figures": 1}
    found = json.loads(world.verify("recheck", "--json").stdout)["evidence"]
    assert found == {"checked": 1, "refused": 0, "replayed": replayed, "oracle": 0, "resting": 0, "problems": []}
    line = (
        "evidence: 1 parts checked; 2 results that can only be replayed "
        "(0 sampled, 1 simulated, 0 numeric, 1 figures); 0 answers of oracles"
    )
    assert world.verify("recheck").stdout.splitlines()[-1] == line
    named = world.verify("recheck", "tiny.e")
    assert named.returncode == 0 and named.stdout.splitlines()[-1].startswith(
        "none      tiny.e: holds, simulated: it rests on a simulation, which `verify run` makes again"
    )
    picture = world.root / "reports/figures/tiny/curve.svg"
    picture.write_text(picture.read_text() + " ")
    done = world.verify("recheck")
    assert done.returncode == 1
    assert "refused   tiny.e curve: the picture is not the recorded one" in done.stdout


FAILING = """
@experiment("tiny.e")
def e(profile):
    {body}
"""


def test_a_run_in_a_pipe_says_its_stages_on_standard_error(world: World) -> None:
    world.verify("new-paper", "smith2024")
    done = world.verify("run", "smith2024", "--json")
    assert json.loads(done.stdout)
    assert done.stderr == (
        "verify: computing 1 results of 1 claims\nverify: asking of 1 proofs whether the hypotheses contradict each other\n"
        "verify: checking 1 certificates\n"
    )
    assert world.verify("run", "smith2024").stderr == ""


def test_run_ends_with_1_when_something_that_is_bound_fails(world: World) -> None:
    world.proofs('@part("tiny.a", "k", "((")\ndef a(g): ...\n')
    done = world.verify("run", "tiny.a")
    assert done.returncode == 1
    assert "no proof: tiny.a (part:k): the statement cannot be parsed" in done.stdout
    for body, code in (("1 / 0", 1), ("import os; os._exit(3)", 1), ("return {'holds': True, 'statistics': {}}", 0)):
        world.proofs(FAILING.format(body=body))
        assert world.verify("run", "tiny").returncode == code
    world.proofs(FAILING.format(body="while True: pass"))
    assert world.verify("run", "tiny", "--limit", "0.5").returncode == 0


def test_every_command_takes_just_its_parameters() -> None:
    context = click.Context(cli.cli)
    for name in cli.cli.list_commands(context):
        command = cli.cli.get_command(context, name)
        given = {p.name: None for p in command.params if p.expose_value}
        inspect.signature(command.callback).bind(**given)  # a TypeError names what is missing or too much
