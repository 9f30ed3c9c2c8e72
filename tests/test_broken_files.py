"""Files that are damaged, of a wrong type or too large: the file and what is wrong with it are named, in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import OneLine
from tests.support.world import World
from verify import bindings
from verify.errors import InputError
from verify.run import pool


@pytest.fixture
def recorded(world: World) -> World:
    """A project whose one decided claim is recorded."""
    world.verify("new-paper", "smith2024")
    assert world.verify("report").returncode == 0
    return world


RECORD = '{"schema": 1, "claims": {"a": {"roles": [1]}}}'
CERTIFICATE = "reports/certificates/smith2024/lemma-1.json"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "the file is not UTF-8"),
        (b'{"schema": 1,', "the file is not JSON"),
        (b"[1, 2]", "a certificate is an object"),
        (b'{"schema": 1}', "a certificate has schema 1, claim, parts and sha256"),
        (b"[" * 300_000 + b"]" * 300_000, "the file is nested too deeply"),
        (b" " * 20_000_001, "lemma-1.json is too large"),
    ],
    ids=["no text", "no JSON", "a list", "no certificate", "deep", "huge"],
)
def test_a_bad_certificate_is_refused_with_its_reason(recorded: World, content: bytes, reason: str) -> None:
    (recorded.root / CERTIFICATE).write_bytes(content)
    for words in (["smith2024.lemma-1"], []):
        done = recorded.verify("recheck", *words)
        assert done.returncode == 1
        assert f"refused   smith2024.lemma-1 certificate: {reason}\n" in done.stdout
        assert "missing" not in done.stdout and "there is no certificate" not in done.stdout


@pytest.mark.parametrize(
    ("command", "name", "content", "expected"),
    [
        (("recheck",), "statements.json", "[1,2]", "reports/statements.json: must be an object of objects"),
        (("recheck",), "statements.json", '{"a": 3}', "reports/statements.json: must be an object of objects"),
        (("recheck",), "record.json", "[1,2]", "reports/record.json: must be an object with schema 1 and claims"),
        (("recheck",), "record.json", RECORD, "reports/record.json: a: must have inputs, roles and tests"),
        (("report", "--from-record"), "record.json", "[1,2]", "reports/record.json: must be an object with schema 1 and claims"),
        (("report", "--from-record"), "record.json", RECORD, "reports/record.json: a: must have inputs, roles and tests"),
        (("run",), "record.json", "3", "reports/record.json: must be an object with schema 1 and claims"),
        (
            ("recheck",),
            "verdicts.json",
            '{"schema": 1, "claims": {"a": [1]}}',
            "reports/verdicts.json: a: not a verdict; `verify report`",
        ),
    ],
)
def test_the_file_that_is_wrong_is_named(
    recorded: World, one_line: OneLine, command: tuple[str, ...], name: str, content: str, expected: str
) -> None:
    recorded.proofs('@experiment("tiny.e")\ndef e(profile):\n    return {"holds": True, "statistics": {}}\n')
    (recorded.root / "reports" / name).write_text(content)
    assert expected in one_line(*command)


@pytest.mark.parametrize("text", ["import os; os._exit(0)", "import os; os._exit(3)"])
def test_a_module_that_ends_its_process_is_named(world: World, one_line: OneLine, text: str) -> None:
    world.proofs(text)
    assert "proofs/tiny/section.py: its import ended the process with code " in one_line("list", "--bound")


def test_a_module_whose_import_does_not_end_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.proofs("while True: pass")
    monkeypatch.setattr(bindings, "TIME_LIMIT", 5.0)
    with pytest.raises(InputError, match=r"^proofs/tiny/section\.py: its import takes more than 5 s$"):
        bindings.collect(world.root)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os; os._exit(0)", "its import ended a worker with code"),
        ("while True: pass", "its import takes more than 5 s in a worker"),
    ],
)
def test_a_worker_names_the_module(world: World, monkeypatch: pytest.MonkeyPatch, text: str, expected: str) -> None:
    world.proofs(text)
    monkeypatch.setattr(pool, "START_LIMIT", 5.0)
    with pool.Pool(Path(world.root), 1, "tests.support.stub_kernel") as workers:
        workers.submit({"kind": "parse", "claim": "tiny.a", "role": "statement", "text": "x", "limit": 5.0})
        with pytest.raises(InputError, match=rf"^proofs/tiny/section\.py: {expected}"):
            workers.drain(lambda task, answer: None)


def test_the_answer_of_recheck_is_one_list(recorded: World) -> None:
    (recorded.root / CERTIFICATE).write_bytes(b"\xff")
    parts = json.loads(recorded.verify("recheck", "smith2024.lemma-1", "--json").stdout)["parts"]
    assert [(part["claim"], part["reason"]) for part in parts] == [("smith2024.lemma-1", "the file is not UTF-8")]
