"""Stored certificates count without their scripts: when they are of the bound statement, accepted, and not out of date."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.world import World
from tests.test_report import save, stale
from tests.test_run import PROOFS as WITH_A_FORMULA
from tests.test_run import outcomes
from verify.run.files import digest

PROOFS = WITH_A_FORMULA.replace(', statement="w"', "")

EVERY = ["tiny.a statement", "tiny.b part:k", "tiny.b statement", "tiny.c amendment", "tiny.c negation"]
LEMMAS = """
    @holds("tiny.a", "x")
    def a(g):
        g.close()

    @holds("tiny.b", "y", uses=["tiny.a"], says_nothing=0)
    def b(g):
        g.lemma("tiny.a")
        g.close()
""".replace(", says_nothing=0", "")


def recorded(world: World, text: str = PROOFS) -> None:
    """Write proofs and their reports; leave no cache."""
    world.proofs(text)
    save(world)
    forget(world)


def forget(world: World) -> None:
    """Remove the cache."""
    shutil.rmtree(world.root / ".verify-cache", ignore_errors=True)


def certificate(world: World, name: str) -> Path:
    """The file of a certificate."""
    return world.root / f"reports/certificates/tiny/{name}.json"


def edit(world: World, name: str, old: str, new: str) -> None:
    """Edit a certificate, and give it the digest that fits."""
    path = certificate(world, name)
    body = json.loads(path.read_text().replace(old, new))
    body.pop("sha256")
    path.write_text(json.dumps({**body, "sha256": digest(body)}))


def test_where_nothing_changed_no_script_is_run(world: World) -> None:
    world.proofs(PROOFS)
    before = world.run()["verdicts"]
    recorded(world)
    cold = world.run()
    assert (cold["computed"], cold["stored"], cold["recorded"]) == ([], 5, 1)
    assert cold["verdicts"] == before
    assert cold["checked"] == ["tiny.a", "tiny.b", "tiny.c"]
    warm = world.run()
    assert (warm["computed"], warm["checked"], warm["stored"]) == ([], [], 5)
    assert warm["verdicts"] == before
    assert not warm["kernel"]
    assert stale(world) == []
    assert save(world) == []


def test_with_scripts_and_with_fresh_every_script_is_run(world: World) -> None:
    recorded(world)
    for options in ({"scripts": True}, {"fresh": True}):
        found = world.run(**options)
        assert found["computed"] == [*EVERY, "tiny.e e"]
        assert (found["stored"], found["recorded"], found["strayed"]) == (0, 0, [])
    assert world.run(scripts=True)["computed"] == []  # from the cache, under the same sources


def test_what_a_script_gave_does_not_count_as_stored_nor_the_other_way_round(world: World) -> None:
    recorded(world)
    world.run()  # its briefs are in the cache now
    assert world.run(scripts=True)["computed"] == [*EVERY, "tiny.e e"]
    assert world.run()["stored"] == 5


@pytest.mark.parametrize(
    ("old", "new", "computed"),
    [
        ('"x", argument="sound")', '"xx", argument="sound")', ["tiny.a statement", *EVERY[1:3]]),
        ('"Reduction of a."\n    g.close()', '"Reduction of a."\n    g.close("nc")', ["tiny.a statement"]),
        ('"Reduction of a."', '"Told in other words."', []),
        ('argument="sound"', 'argument="repaired", because="of this", context="there [tiny.b]"', []),
        ('says="for n >= 2"', 'says="for " + str(2)', ["tiny.c amendment"]),
        ('reason="n = 1 breaks it"', 'reason="n = " "1" f" does {1}"', []),
        ('tried="much"', 'tried="little"', []),
        ('g.trusted("by hand")', 'g.trusted("by the other hand")', ["tiny.b part:k"]),
    ],
)
def test_only_a_role_whose_own_sources_changed_is_proved_again(world: World, old: str, new: str, computed: list[str]) -> None:
    recorded(world)
    assert old in PROOFS
    world.proofs(PROOFS.replace(old, new))
    assert world.run()["computed"] == computed


def test_a_change_of_the_kernel_costs_a_check_and_no_proof(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(world)
    world.run()
    touched = "from verify.run.keys import Keys\nKeys.engine = 'another kernel'\n"
    (world.root / "sitecustomize.py").write_text(touched)
    world.path.append(world.root)
    found = world.run()
    assert (found["computed"], found["stored"]) == ([], 5)
    assert stale(world) == []


def test_a_certificate_of_another_statement_does_not_count(world: World) -> None:
    recorded(world)
    edit(world, "a", '"x"', '"w"')
    found = world.run()
    assert found["computed"] == ["tiny.a statement"]
    assert outcomes(found)["tiny.a"] == "holds proved"
    assert found["refused"] == []


def test_a_certificate_that_the_checker_refuses_is_proved_again_and_named(world: World) -> None:
    recorded(world)
    edit(world, "c", '"field"', '"forged"')
    found = world.run()
    assert found["computed"] == ["tiny.c amendment", "tiny.c negation"]
    assert found["refused"] == [["tiny.c", "amendment", "forged"], ["tiny.c", "negation", "forged"]]
    assert outcomes(found)["tiny.c"] == "refuted proved"


@pytest.mark.parametrize(
    "content", [b"", b"[1]", b'{"claim": "tiny.a", "parts": {"statement": 1}}', b"[" * 300_000 + b"]" * 300_000]
)
def test_a_file_that_is_no_certificate_counts_as_none(world: World, content: bytes) -> None:
    recorded(world)
    certificate(world, "a").write_bytes(content)
    found = world.run()
    assert found["computed"] == ["tiny.a statement"]
    assert outcomes(found)["tiny.a"] == "holds proved"


def test_a_lost_certificate_is_made_again_and_missed_by_a_run_of_the_scripts(world: World) -> None:
    recorded(world)
    certificate(world, "a").unlink()
    assert world.run()["computed"] == ["tiny.a statement"]
    why = "proved, but no certificate is stored; `verify report` writes it"
    assert world.run(scripts=True)["strayed"] == [["tiny.a", "statement", why]]


@pytest.mark.parametrize(
    ("name", "old", "new", "strayed"),
    [
        ("a", '"x"', '"w"', ["statement", "the stored certificate is of another statement than the script proves"]),
        ("c", '"amendment"', '"part:more"', ["part:more", "a certificate is stored, but nothing is bound to part:more"]),
    ],
)
def test_a_certificate_not_out_of_its_script(world: World, name: str, old: str, new: str, strayed: list[str]) -> None:
    recorded(world)
    edit(world, name, old, new)
    assert [f"tiny.{name}", *strayed] in world.run(scripts=True)["strayed"]


def test_a_script_that_fails_now_is_missed_by_a_run_of_the_scripts_only(world: World) -> None:
    """As when a tactic of the engine changed, which is no source of the proof."""
    (world.root / "tactic.txt").write_text("close")
    text = f"""
        @holds("tiny.a", "x")
        def a(g):
            getattr(g, open({str(world.root / "tactic.txt")!r}).read())()
    """
    recorded(world, text)
    (world.root / "tactic.txt").write_text("gone")
    assert outcomes(world.run())["tiny.a"] == "holds proved"
    found = world.run(scripts=True)
    assert found["strayed"][0][:2] == ["tiny.a", "statement"]
    assert "a certificate is stored, but AttributeError" in found["strayed"][0][2]


def test_lemmas_are_accepted_before_what_rests_on_them_is_proved_again(world: World) -> None:
    recorded(world, LEMMAS)
    edit(world, "a", '"field"', '"forged"')
    found = world.run()
    assert found["computed"] == ["tiny.a statement"]
    assert outcomes(found)["tiny.b"] == "holds proved"


EXPERIMENTS = """
@experiment("tiny.e")
def e(profile): return {"holds": True, "statistics": {}, "data": [profile, 4]}

@experiment("tiny.c", needs=["tiny.e"], decides="it speaks of e")
def c(profile, found):
    return {"holds": found["tiny.e"]["e"]["data"] == [profile, 4], "statistics": {}}
"""


def test_a_recorded_result_of_the_full_profile_serves_a_quick_run(world: World) -> None:
    world.proofs(EXPERIMENTS)
    save(world, profile="full")
    forget(world)
    found = world.run()
    assert (found["computed"], found["recorded"]) == ([], 2)
    assert outcomes(found)["tiny.c"] == "holds simulated"
    world.proofs(EXPERIMENTS.replace('"statistics": {}}\n', '"statistics": {"n": 1}}\n'))
    found = world.run()  # what is not recorded gets results of its own profile
    assert found["computed"] == ["tiny.c c", "tiny.e e"]
    assert outcomes(found)["tiny.c"] == "holds simulated"
    assert world.run("tiny.e")["recorded"] == 1
    assert world.run(profile="full")["computed"] == ["tiny.c c"]


def test_the_command_ends_with_1_when_a_certificate_strays(world: World) -> None:
    assert world.verify("new-paper", "smith2024").returncode == 0
    assert world.verify("report").returncode == 0
    forget(world)
    done = world.verify("run", "smith2024")
    assert (done.returncode, "0 computed, 1 proofs as stored" in done.stdout) == (0, True)
    assert world.verify("run", "smith2024", "--scripts").returncode == 0
    (world.root / "reports/certificates/smith2024/lemma-1.json").unlink()
    assert world.verify("run", "smith2024").returncode == 0
    done = world.verify("run", "smith2024", "--scripts")
    assert done.returncode == 1
    assert "not as stored: smith2024.lemma-1 (statement): proved, but no certificate is stored" in done.stdout
    data = json.loads(world.verify("run", "smith2024", "--scripts", "--json").stdout)
    assert data["strayed"][0][:2] == ["smith2024.lemma-1", "statement"]
