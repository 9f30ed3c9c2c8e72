"""The seal on the cache: what anything but the engine wrote or edited decides nothing."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.support.world import World
from verify.run import seal
from verify.run.store import Store

PROOFS = """
from pathlib import Path
with Path(__file__).with_name(".imports").open("a") as log:
    log.write("x")

@holds("tiny.a", "x", argument="sound")
def a(g):
    g.close()

@holds("tiny.b", "y", uses=["tiny.a"])
def b(g):
    g.lemma("tiny.a")
    g.close()

@refuted("tiny.c", "z")
def c(g):
    g.close()

@experiment("tiny.e", grade="simulated")
def e(profile):
    return {"holds": True, "statistics": {"n": 3}}
"""
CERTIFIED = ["tiny.a", "tiny.b", "tiny.c"]

FORGE = """
import json, sys, zlib
from pathlib import Path
from verify.run import seal
from verify.run.store import Store

path, old, new, sealed = sys.argv[1:]
with Store(Path(path)) as store:
    for key, row in store._connection.execute("SELECT key, value FROM results").fetchall():
        text = json.dumps(store.open(row))
        if old in text:
            body = zlib.compress(text.replace(old, new).encode())
            head = {"old": row[:33], "none": b"", "other": b"\\x01" + seal.seal(bytes(32), key, body)}[sealed]
            store._connection.execute("UPDATE results SET value = ? WHERE key = ?", (head + body, key))
"""
"""Replaces a text in every row of a cache; the row keeps its seal, or has none, or that of another key."""


def forge(world: World, old: str, new: str, sealed: str) -> None:
    """Edit the cache of a world."""
    done = world.python("-c", FORGE, str(world.root / ".verify-cache"), old, new, sealed)
    assert done.returncode == 0, done.stderr


def imports(world: World) -> int:
    """How often the proof module was imported."""
    return len((world.root / "proofs/tiny/.imports").read_text())


def test_a_warm_run_imports_no_proof_and_no_kernel(world: World) -> None:
    world.proofs(PROOFS)
    first = world.run()
    assert (first["kernel"], first["checked"]) == (True, CERTIFIED)
    before = imports(world)
    again = world.run()
    assert (again["kernel"], again["computed"], again["checked"]) == (False, [], [])
    assert imports(world) == before
    assert (again["verdicts"], again["certificates"]) == (first["verdicts"], first["certificates"])
    whole = world.run(recheck=True)
    assert (whole["kernel"], whole["computed"], whole["checked"]) == (True, [], CERTIFIED)
    assert imports(world) == before + 1


def test_what_is_bound_is_read_again_when_a_helper_or_the_catalogue_changes(world: World) -> None:
    world.proofs("TEXT = 'x'\n", module="low")
    world.proofs("from proofs.tiny.low import TEXT\n\n@holds('tiny.a', TEXT)\ndef a(g): g.close()\n")
    assert world.run()["verdicts"]["tiny.a"]["outcome"] == "holds"
    world.proofs("TEXT = 'what?'\n", module="low")
    assert world.run()["verdicts"]["tiny.a"]["outcome"] == "open"
    path = world.root / "proofs/tiny/catalogue.toml"
    path.write_text(path.read_text().replace("tiny.a", "tiny.aa"))
    assert "no claim 'tiny.a'" in world.run(code=1)["error"]


@pytest.mark.parametrize("sealed", ["old", "none", "other"])
def test_an_edited_proof_with_its_acceptance_is_checked_again(world: World, sealed: str) -> None:
    """The acceptance is stored beside the brief of the proof; neither that nor a new brief can be made without the key."""
    world.proofs(PROOFS)
    world.run()
    forge(world, "field", "forged", sealed)
    found = world.run()
    assert found["checked"] == CERTIFIED
    assert {found["verdicts"][c]["outcome"] for c in CERTIFIED} == {"open"}
    assert "the checker refused the certificate: forged" in found["verdicts"]["tiny.a"]["reason"]


@pytest.mark.parametrize("sealed", ["old", "none", "other"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"holds": true', '"holds": false'),  # an experiment
        ('"argument": "sound"', '"argument": "fails"'),  # what the proof modules bind
        ('"trusted": []', '"trusted": ["by hand"]'),  # a brief
    ],
)
def test_no_edit_changes_a_verdict(world: World, old: str, new: str, sealed: str) -> None:
    world.proofs(PROOFS)
    first = world.run()
    forge(world, old, new, sealed)
    assert world.run()["verdicts"] == first["verdicts"]


def test_a_cache_from_elsewhere_is_checked_and_then_believed(world: World, tmp_path: Path) -> None:
    world.proofs(PROOFS)
    first = world.run()
    world.more["XDG_STATE_HOME"] = str(tmp_path / "elsewhere")
    found = world.run()
    assert (found["computed"], found["checked"]) == (["tiny.e e"], CERTIFIED)
    assert (found["verdicts"], found["certificates"]) == (first["verdicts"], first["certificates"])
    assert world.run()["checked"] == []


def test_without_a_place_for_the_key_nothing_is_believed(world: World) -> None:
    world.proofs(PROOFS)
    (world.root / "file").write_text("")
    world.more["XDG_STATE_HOME"] = str(world.root / "file")
    first = world.run()
    again = world.run()
    assert (again["computed"], again["checked"]) == (["tiny.e e"], CERTIFIED)
    assert again["verdicts"] == first["verdicts"]


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    key = seal.user_key()
    assert key is not None and seal.user_key() == key
    assert [p.name for p in seal.place().parent.iterdir()] == ["seal.key"]
    assert seal.place().stat().st_mode & 0o777 == 0o600
    seal.place().chmod(0o644)
    assert seal.user_key() is None


def test_a_row_counts_under_its_own_key_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with Store(tmp_path) as store:
        row = store.put("one", {"accepted": True})
        store.put("two", {})
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        connection.execute("UPDATE results SET value = ? WHERE key = 'two'", (row,))
    with Store(tmp_path) as store:
        assert store.get("one") == {"accepted": True}
        assert store.get("two") is None
        assert store.row("two") == row
        assert store.open(row) == {"accepted": True}


def test_a_row_of_any_length_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with Store(tmp_path) as store:
        row = store.put("key", json.loads("[1]"))
        for end in range(len(row)):
            store._connection.execute("UPDATE results SET value = ? WHERE key = 'key'", (row[:end],))
            assert store.get("key") is None
        store._connection.execute("UPDATE results SET value = 7 WHERE key = 'key'")
        assert store.get("key") is None and store.row("key") is None
