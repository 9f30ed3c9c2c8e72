"""What is remembered of bindings and of proofs: nothing counts that is stale, forged, of another version or of another form."""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.support.world import World
from verify import bindings
from verify.project import Project
from verify.registry import Binding, Decision, Experiment, Figure, Place, ReadingSpec, Registry, Remark
from verify.run import briefs, evidence, remembered, results
from verify.run.keys import Keys
from verify.run.results import FAILED, PROVED, RoleResult
from verify.run.store import Store
from verify.verdict import Argument, Grade, Outcome

PROOFS = """
    @holds("tiny.a", "x", argument="sound", context="r < 1 [section 2]", readings=[("one", "holds", "k")])
    def a(g):
        g.close()

    @part("tiny.a", "k", "y", says="words")
    def k(g):
        g.lemma("tiny.a")
        g.close()

    @refuted("tiny.b", "z", uses=["tiny.a"], reason="n = 1")
    def b(g):
        g.close()

    @experiment("tiny.e", grade="simulated", seed=3)
    def e(profile):
        return {"holds": True}
"""
KEY = "0" * 64


@pytest.fixture
def bound(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """The project with proofs; this process has a key of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(world.root / "state"))
    world.proofs(PROOFS)
    return world


def remember(world: World, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> tuple[Registry, int]:
    """What a new process takes as bound, and how often it imported the proofs, which give `registry`."""
    asked: list[Path] = []
    monkeypatch.setattr(bindings, "collect", lambda root: asked.append(root) or registry)
    project = Project(world.root)
    with Store(project.cache) as store:
        return remembered.registry(project, Keys(project, "tests.support.stub_kernel"), store), len(asked)


def rows(world: World) -> list[tuple[str, bytes]]:
    """What the cache holds."""
    connection = sqlite3.connect(world.root / ".verify-cache/results.sqlite")
    try:
        return list(connection.execute("SELECT key, value FROM results"))
    finally:
        connection.close()


def overwrite(world: World, made: dict[str, bytes]) -> None:
    """Put rows into the cache as anybody could."""
    connection = sqlite3.connect(world.root / ".verify-cache/results.sqlite", isolation_level=None)
    for key, row in made.items():
        connection.execute("UPDATE results SET value = ? WHERE key = ?", (row, key))
    connection.close()


def replaced(registry: Registry) -> Registry:
    """The same bindings with another text for one of them."""
    data = bindings.to_json(registry)
    data["bindings"][0]["text"] = "forged"
    return bindings.from_json(data)


def test_a_registry_is_the_same_after_a_round_trip_as_json(bound: World) -> None:
    made, place = Registry(), Place("m", "m.py", 3)
    made.add_binding(Binding("p.a", "part:k", "x", place, "n", "words", ("p.b",), "says", "boxes", "because"))
    readings = (ReadingSpec("one", Outcome.REFUTED, "k", "so"), ReadingSpec("two", Outcome.OPEN, None))
    lists = {"context": ("r < 1 [section 2]",), "added": ("r < 2",), "uses": ("p.b",), "readings": readings}
    made.add_decision(Decision("p.a", Outcome.HOLDS, place, "x", Argument.REPAIRED, "words", reason="so", **lists))
    made.add_decision(Decision("p.c", Outcome.OPEN, place, tried="much", missing="a lot"))
    made.add_experiment(Experiment("p.e", "t", Grade.SIMULATED, 3, place, "n", "words", ("p.f",), 2.5, "why", "one"))
    made.add_figure(Figure("p.e", "f", "caption", place, "n", ("p.e",), "against"))
    made.add_remark(Remark("p.e", "so", place))
    for registry in (made, bindings.collect(bound.root)):
        again = bindings.from_json(json.loads(json.dumps(bindings.to_json(registry))))
        for part in ("bindings", "decisions", "experiments", "figures", "remarks"):
            assert getattr(again, part) or registry is not made, part
            assert getattr(again, part) == getattr(registry, part), part


def test_what_is_bound_is_remembered_until_a_source_changes(bound: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = bindings.collect(bound.root)
    first, asked = remember(bound, real, monkeypatch)
    assert (bindings.to_json(first), asked) == (bindings.to_json(real), 1)
    other = replaced(real)  # what an import would give now: it is not asked for
    again, asked = remember(bound, other, monkeypatch)
    assert (bindings.to_json(again), asked) == (bindings.to_json(real), 0)
    folder = bound.root / "proofs/tiny"
    for path, old, new in (
        (folder / "section.py", '"n = 1"', '"n = 2"'),
        (folder / "catalogue.toml", "Title of tiny.c", "Another title"),
        (folder / "__init__.py", "A paper", "Some paper"),
    ):
        path.write_text(path.read_text().replace(old, new))
        assert remember(bound, other, monkeypatch)[1] == 1, path
    (folder / "more.py").write_text('"""A further module."""\n')
    (folder / "numbers.csv").write_text("1\n")
    assert remember(bound, other, monkeypatch)[1] == 1
    (folder / "numbers.csv").write_text("2\n")
    assert remember(bound, other, monkeypatch)[1] == 1
    assert remember(bound, real, monkeypatch)[1] == 0


def test_a_forged_or_foreign_row_of_what_is_bound_is_not_believed(bound: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = bindings.collect(bound.root)
    remember(bound, replaced(real), monkeypatch)
    forged = dict(rows(bound))
    (bound.root / "state/verify/seal.key").unlink()  # the cache of another user
    found, asked = remember(bound, real, monkeypatch)
    assert (found.bindings[("tiny.a", "statement")].text, asked) == ("x", 1)
    overwrite(bound, forged)
    found, asked = remember(bound, real, monkeypatch)
    assert (found.bindings[("tiny.a", "statement")].text, asked) == ("x", 1)
    kept = dict(rows(bound))
    assert len(kept) >= 2
    for key in kept:  # one row in the place of all others
        overwrite(bound, dict.fromkeys(kept, kept[key]))
        found, _ = remember(bound, real, monkeypatch)
        assert found.bindings[("tiny.a", "statement")].text == "x"


@pytest.mark.parametrize("name", ["python", "sympy"])
def test_what_is_bound_is_asked_again_under_other_versions(bound: World, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    from verify.run import keys

    real = bindings.collect(bound.root)
    remember(bound, real, monkeypatch)
    versions = tuple((n, "another" if n == name else v) for n, v in keys.environment())
    monkeypatch.setattr(keys, "environment", lambda: versions)
    assert remember(bound, replaced(real), monkeypatch)[1] == 1


def test_what_roles_are_made_from_is_remembered_with_their_sources(bound: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = bindings.collect(bound.root)
    monkeypatch.setattr(bindings, "collect", lambda root: real)
    script = bound.root / "proofs/tiny/section.py"

    def own() -> dict[tuple[str, str], str]:
        project = Project(bound.root)
        keys = Keys(project, "tests.support.stub_kernel")
        with Store(project.cache) as store:
            registry = remembered.registry(project, keys, store)
        expected = Keys(project, "tests.support.stub_kernel")
        found = {place: keys.own(b) for place, b in registry.bindings.items()}
        assert found == {place: expected.own(b) for place, b in registry.bindings.items()}
        return found

    before = own()
    assert own() == before
    script.write_text(script.read_text().replace('g.lemma("tiny.a")\n', 'g.lemma("tiny.a", "statement")\n'))
    changed = {place for place, digest in own().items() if digest != before[place]}
    assert changed == {("tiny.a", "part:k")}


def result(**more: Any) -> RoleResult:
    """A proof with a lemma."""
    lemma = {"r": "lemma", "claim": "p.c", "role": "statement", "name": "l"}
    proof = {"r": "have", "name": "h", "f": ["=", "x", "0"], "c": [lemma]}
    return RoleResult(PROVED, ["=", "x", "0"], proof, **more)


def unread() -> Any:
    raise AssertionError("the proof was read")


def test_a_brief_gives_the_result_without_reading_the_proof() -> None:
    made = json.loads(json.dumps(briefs.make(result(), "source", "under")))
    found = briefs.recall(made, "source", unread)
    assert found is not None
    assert (found.digest(), found.proof_digest()) == (result().digest(), result().proof_digest())
    assert found.library() == result().library()
    assert (found.status, found.error, found.summary(), found.assumes()) == (PROVED, "", result().summary(), result().assumes())
    assert found.summary().lemmas == (("p.c", "statement"),)


@pytest.mark.parametrize("brief", [None, 1, "x", [], {}, {"source": "other"}, {"source": None}])
def test_a_brief_of_another_row_or_form_is_none(brief: Any) -> None:
    assert briefs.recall(brief, "source", unread) is None
    made = briefs.make(result(), "source", "under")
    assert briefs.recall(made, "another source", unread) is None


def test_a_brief_has_another_key_for_another_result_and_for_other_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    before = briefs.key(KEY)
    assert briefs.key(KEY) == before != briefs.key("1" * 64)
    monkeypatch.setattr(briefs, "sha256", lambda data: "of another version")
    briefs._makers.cache_clear()
    try:
        assert briefs.key(KEY) != before
    finally:
        briefs._makers.cache_clear()


def test_what_a_brief_rests_on_is_found_again_when_the_library_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = briefs.make(result(), "source", "under")
    monkeypatch.setattr(results, "whole_library", lambda: "another library")
    found = briefs.recall(made, "source", lambda: {"formula": ["=", "x", "0"], "proof": result().proof})
    assert found is not None
    assert found.rests_on == ""
    assert found.library() == result().library()


def forge(world: World, change: Any) -> None:
    """Change what is sealed as a brief of the cache, and leave the seal as it was."""
    made = {}
    for key, row in rows(world):
        value = Store.open(row)
        if isinstance(value, dict) and "under" in value:
            made[key] = row[:33] + zlib.compress(json.dumps(change(value)).encode())
    assert made
    overwrite(world, made)


def test_a_forged_brief_counts_as_none(world: World) -> None:
    world.proofs(PROOFS.replace("g.lemma", 'g.trusted("by hand")\n        g.lemma'))
    before = world.run()
    assert before["verdicts"]["tiny.a"]["trusted_steps"] == ["in a part: tiny.a (part:k): by hand"]
    forge(world, lambda brief: {**brief, "trusted": [], "status": PROVED})
    again = world.run()
    assert (again["verdicts"], again["computed"]) == (before["verdicts"], [])


LIBRARY = """
import json, os
from pathlib import Path
from verify.run import evidence
facts = json.loads(Path(os.environ["FACTS"]).read_text())
evidence.library = lambda: tuple(facts)
"""
"""Read by every Python of a test before anything else: another library of facts."""
ON_FACTS = """
    @holds("tiny.a", "named")
    def a(g):
        g.close()

    @holds("tiny.b", "bare")
    def b(g):
        g.close()

    @holds("tiny.c", "hard")
    def c(g):
        g.close()
        raise ValueError("no such fact")
"""


def facts(world: World, **found: int) -> None:
    """Let the library have these facts."""
    (world.root / "facts.json").write_text(json.dumps([{"name": name, "f": ["=", "0", n]} for name, n in found.items()]))


@pytest.fixture
def on_facts(world: World) -> World:
    """A project whose proofs rest on facts: one names a fact, one names none, and one fails."""
    (world.root / "sitecustomize.py").write_text(LIBRARY)
    world.path.append(world.root)
    world.more["FACTS"] = str(world.root / "facts.json")
    facts(world, named=1, spare=1)
    world.proofs(ON_FACTS)
    assert world.run()["computed"] == ["tiny.a statement", "tiny.b statement", "tiny.c statement"]
    return world


@pytest.mark.parametrize("stored", [True, False])
def test_a_failed_role_is_tried_again_with_other_facts_and_a_proof_only_with_other_facts_that_it_names(
    on_facts: World, stored: bool
) -> None:
    assert on_facts.run()["computed"] == []
    facts(on_facts, named=1, spare=2)
    assert on_facts.run(recheck=stored)["computed"] == ["tiny.c statement"]
    facts(on_facts, named=1, spare=2, further=1)
    assert on_facts.run(recheck=stored)["computed"] == ["tiny.c statement"]
    facts(on_facts, named=2, spare=2, further=1)
    assert on_facts.run(recheck=stored)["computed"] == ["tiny.a statement", "tiny.c statement"]
    assert on_facts.run(recheck=stored)["computed"] == []
    facts(on_facts, spare=2, further=1)
    assert on_facts.run(recheck=stored)["computed"] == ["tiny.a statement", "tiny.c statement"]


def test_what_a_result_rests_on() -> None:
    name = next(iter(evidence.library()))["name"]
    failed, named, bare = RoleResult(FAILED, ["=", "x", "0"]), RoleResult(PROVED, ["=", name, "0"]), result()
    assert failed.library() == evidence.whole_library()
    assert len({failed.library(), named.library(), bare.library()}) == 3
    assert bare.library() == evidence.used_library([])
