"""The whole way with the real kernel and the independent checker: scaffold, run, report, recheck, forgery."""

from __future__ import annotations

import json

from tests.support.world import World

REFUTED = '''
from verify.kernel import Goal
from verify.registry import amendment, refuted


@refuted("tiny.a", "all n:Z, x:R. 0 <= n => x^2 = x", reason="x = 2")
def a(g: Goal) -> None:
    """Two is not its own square."""
    g.witness("0", "2")
    g.auto()


@amendment("tiny.a", "all n:Z, x:R. 0 <= n => x = 1 => x^2 = x", says="only for x = 1")
def a_for_one(g: Goal) -> None:
    """One is its own square."""
    g.intro()
    g.field(rw=["h2"])
'''

BY_A_LEMMA = '''
from verify.kernel import Goal
from verify.registry import part, refuted


@part("tiny.a", "other", "ex x:R. x^2 != x")
def other(g: Goal) -> None:
    """There is a number that is not its own square."""
    g.witness("VALUE")
    g.auto()


@refuted("tiny.a", "all x:R. x^2 = x", reason="another number")
def a(g: Goal) -> None:
    """By the lemma."""
    g.exact(g.lemma("tiny.a", "part:other"))
'''

FORGERY = '''
import verify.kernel as kernel
from verify.registry import holds

class Forged:
    proof = {"r": "truth"}

engine = kernel
engine.prove = lambda statement, script, lemmas=None: Forged()


@holds("tiny.a", "all x:R. x = x + 1")
def a(g):
    """Not true."""
'''


def test_the_scaffold_is_proved_reported_and_rechecked(world: World) -> None:
    assert world.verify("new-paper", "smith2024").returncode == 0
    ran = world.verify("run", "smith2024")
    assert ran.stdout.splitlines()[0] == "smith2024.lemma-1: holds, proved"
    assert world.verify("report").returncode == 0
    assert world.verify("report", "--check").returncode == 0
    rechecked = world.verify("recheck")
    assert rechecked.returncode == 0
    assert "1 accepted, 0 refused" in rechecked.stdout
    assert "smith2024.lemma-1: holds, proved\n  the logic alone" in world.verify("axioms", "smith2024").stdout
    shown = world.verify("show", "smith2024.lemma-1")
    assert "accepted by the checker; rules: " in shown.stdout
    page = (world.root / "reports/smith2024/lemma-1.md").read_text()
    assert r"- for all $n\in \mathbb{Z}$" in page
    warm = world.verify("run", "smith2024", "--json")
    assert json.loads(warm.stdout)["computed"] == []

    path = world.root / "reports/certificates/smith2024/lemma-1.json"
    path.write_text(path.read_text().replace('"r":"nc"', '"r":"truth"'))
    assert world.verify("recheck").returncode == 1


def test_a_counterexample_is_shown(world: World) -> None:
    (world.root / "proofs/tiny/section.py").write_text(REFUTED)
    verdict = json.loads(world.verify("run", "tiny.a", "--json").stdout)["claims"]["tiny.a"]
    assert (verdict["outcome"], verdict["grade"]) == ("refuted", "proved")
    assert verdict["counterexample"] == {"n": "0", "x": "2"}
    assert verdict["amendment"] == {
        "statement": "only for x = 1",
        "outcome": "holds",
        "grade": "proved",
        "role": "amendment",
    }
    shown = world.verify("show", "tiny.a").stdout
    assert "statement as printed:\n  all n:Z, x:R. 0 <= n => x^2 = x\n\nnegation:\n  ex n:Z, x:R. " in shown


def test_the_instance_of_a_lemma_is_shown_anew_when_the_lemma_is_proved_in_another_way(world: World) -> None:
    path = world.root / "proofs/tiny/section.py"
    for x in ("2", "3", "2"):
        path.write_text(BY_A_LEMMA.replace("VALUE", x))
        verdict = json.loads(world.verify("run", "tiny.a", "--json").stdout)["claims"]["tiny.a"]
        assert (verdict["outcome"], verdict["counterexample"]) == ("refuted", {"x": x})


def test_a_forged_certificate_does_not_count(world: World) -> None:
    (world.root / "proofs/tiny/section.py").write_text(FORGERY)
    done = world.verify("run", "tiny.a")
    assert "tiny.a: open. No proof: the checker refused the certificate" in done.stdout


def test_a_paper_of_another_package_is_found_by_its_entry_point(world: World) -> None:
    other = World(world.root / "site")
    other.paper(["x"], slug="elsewhere")
    (world.root / "site/proofs/elsewhere").rename(world.root / "site/elsewhere")
    info = world.root / "site/elsewhere-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[verify.papers]\nelsewhere = elsewhere\n")
    (world.root / "site/elsewhere/proofs.py").write_text(
        'from verify.registry import undecided\nundecided("elsewhere.x", tried="much")\n'
    )
    world.path = [world.root / "site"]
    assert "elsewhere.x: open. Tried: much." in world.verify("run", "elsewhere").stdout
    (info / "entry_points.txt").write_text("[verify.papers]\nelsewhere = nowhere.at_all\n")
    assert "which is no package" in world.verify("list").stderr


def test_a_time_out_leaves_the_recorded_verdict_to_run_and_show(world: World) -> None:
    assert world.verify("new-paper", "smith2024").returncode == 0
    assert world.verify("report").returncode == 0
    module = next((world.root / "proofs/smith2024").glob("[a-z]*.py"))
    text = module.read_text()
    start = text.index("(g: Goal)")
    at = text.index('"""\n', text.index('"""', start) + 3) + 4
    module.write_text(text[:at] + "    import time\n    time.sleep(100)\n" + text[at:])
    ran = world.verify("run", "smith2024", "--limit", "2")
    assert ran.returncode == 1
    assert ran.stdout.startswith("smith2024.lemma-1: holds, proved\n")
    assert "timed out: smith2024.lemma-1 (the recorded verdict stands)" in ran.stdout
    shown = world.verify("show", "smith2024.lemma-1", "--limit", "2")
    assert shown.returncode == 0
    assert "verdict: holds, proved\ntimed out (the recorded verdict stands)\n" in shown.stdout
    data = json.loads(world.verify("show", "smith2024.lemma-1", "--limit", "2", "--json").stdout)
    assert (data["verdict"]["outcome"], data["timed_out"]) == ("holds", True)
    assert world.verify("axioms", "smith2024", "--limit", "2").stdout.startswith("smith2024.lemma-1: holds, proved\n")
