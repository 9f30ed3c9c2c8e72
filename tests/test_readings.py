"""A reading shown as refuted is shown by a formula that refutes it; what only a part rests on is named as such."""

from __future__ import annotations

import json

import pytest

from tests.support.world import World

PROOFS = '''
from verify.kernel import Goal
from verify.registry import amendment, part, refuted


@part("tiny.a", "k", "FORMULA")
def k(g: Goal) -> None:
    """By the rules."""
    if g.concl[0] == "ex":
        g.witness("-1")
    g.auto()


@refuted("tiny.a", "all x:R. x^2 = x", reason="x = 2", readings=[READING])
def a(g: Goal) -> None:
    """Two."""
    g.witness("2")
    g.auto()
'''


@pytest.mark.parametrize(
    ("formula", "reading", "outcome"),
    [
        ("all x:R. 0 <= x^2", '("it can be negative", "refuted", "k")', "open"),
        ("all x y:R. 0 <= x^2 + y^2", '("it can be negative", "refuted", "part:k")', "open"),
        ("ex x:R. x < 0", '("it can be negative", "refuted", "k")', "refuted"),
        ("all x:R. 0 <= x^2", '("it can be negative", "refuted", "k", "no square is")', "refuted"),
        ("all x:R. 0 <= x^2", '("no square is negative", "holds", "k")', "holds"),
        ("all x:R. 0 <= x^2", '("it is never its own square", "refuted", "negation")', "refuted"),
    ],
)
def test_a_part_that_denies_nothing_refutes_no_reading_without_a_word(
    world: World, formula: str, reading: str, outcome: str
) -> None:
    (world.root / "proofs/tiny/section.py").write_text(PROOFS.replace("FORMULA", formula).replace("READING", reading))
    ran = world.verify("run", "tiny.a", "--json")
    found = json.loads(ran.stdout)
    assert [r["outcome"] for r in found["claims"]["tiny.a"]["readings"]] == [outcome]
    why = "does not refute the reading 'it can be negative': it denies nothing; let it begin with not, ex or !="
    assert [problem[2].startswith(why) for problem in found["failed"]] == ([True] if outcome == "open" else [])
    assert ran.returncode == (1 if outcome == "open" else 0)


def test_the_page_says_how_a_part_refutes_a_reading_and_the_checker_looks_for_the_part(world: World) -> None:
    reading = '("it can be negative", "refuted", "k", "no square of a real number is below 0")'
    text = PROOFS.replace("FORMULA", "all x:R. 0 <= x^2").replace("READING", reading)
    (world.root / "proofs/tiny/section.py").write_text(text)
    assert world.verify("report").returncode == 0
    for page in ("tiny/a", "tiny"):
        assert "no square of a real number is below 0" in (world.root / f"reports/{page}.md").read_text()
    assert "(no square of a real number is below 0)" in world.verify("show", "tiny.a").stdout
    path = world.root / "reports/verdicts.json"
    data = json.loads(path.read_text())
    told = data["claims"]["tiny.a"]["readings"]
    assert [(r["outcome"], r["role"]) for r in told] == [("refuted", "part:k")]
    assert world.verify("recheck").returncode == 0
    told[0]["role"] = "part:l"
    path.write_text(json.dumps(data))
    done = world.verify("recheck")
    assert done.returncode == 1
    assert "tiny.a verdict: says of a reading that it is refuted, but no certificate shows it\n" in done.stdout


STEPS = """
@part("tiny.a", "used", "u")
def used(g): g.trusted("by the lemma")

@part("tiny.a", "beside", "v")
def beside(g): g.trusted("by the picture")

@part("tiny.b", "alone", "w")
def alone(g): g.trusted("in a part: in the amendment: by hand")

@refuted("tiny.a", "x", reason="no")
def a(g):
    g.lemma("tiny.a", "part:used")
    g.close()

@amendment("tiny.a", "y")
def y(g): g.trusted("by the text")

undecided("tiny.b", tried="much")
"""


def test_trusted_steps_of_all_that_is_proved_are_named_with_their_place(world: World) -> None:
    world.proofs(STEPS)
    found = world.run("tiny.a", "tiny.b")["verdicts"]
    assert found["tiny.a"]["trusted_steps"] == [
        "tiny.a (part:used): by the lemma",
        "in the amendment: by the text",
        "in a part: tiny.a (part:beside): by the picture",
    ]
    assert found["tiny.b"]["trusted_steps"] == ["in a part: tiny.b (part:alone): by hand"]


AXIOMS = '''
from verify.kernel import Goal
from verify.registry import amendment, holds, part, undecided


def by(g: Goal, fact: str) -> None:
    """A fact of the library."""
    names = g.intro()
    g.close_by(g.fact(fact, "m", "n", "X", "Y"))


FROBENIUS = "all m n:Z, X Y:M(m,n). tr(T(X) @ Y)^2 <= tr(T(X) @ X)*tr(T(Y) @ Y)"
DETERMINANT = "all m n:Z, X:M(m,n), Y:M(n,m). det(I(m) + X @ Y) = det(I(n) + Y @ X)"


@part("tiny.a", "k", FROBENIUS)
def k(g: Goal) -> None:
    """Not used."""
    by(g, "frobenius_cauchy")


@holds("tiny.a", DETERMINANT)
def a(g: Goal) -> None:
    """Sylvester."""
    by(g, "det_one_plus")


@part("tiny.b", "k", DETERMINANT)
def l(g: Goal) -> None:
    """The same as its lemma."""
    g.close_by(g.lemma("tiny.b", "amendment"))


@amendment("tiny.b", DETERMINANT, says="another", uses=["tiny.a"])
def b(g: Goal) -> None:
    """By the other claim."""
    g.close_by(g.lemma("tiny.a"))


undecided("tiny.b", tried="much", outcome="unsupported")
'''


def test_axioms_of_the_amendment_and_of_parts_are_named_with_their_place(world: World) -> None:
    (world.root / "proofs/tiny/section.py").write_text(AXIOMS)
    assert world.verify("report").returncode == 0
    path = world.root / "reports/verdicts.json"
    data = json.loads(path.read_text())
    assert data["claims"]["tiny.a"]["axioms"] == ["det_one_plus", "in a part: frobenius_cauchy"]
    assert data["claims"]["tiny.b"]["axioms"] == ["in the amendment: det_one_plus"]
    page = (world.root / "reports/tiny/a.md").read_text()
    assert "Axioms: [det_one_plus](../trusted.md#det_one_plus); in a part: [frobenius_cauchy]" in page
    trusted = (world.root / "reports/trusted.md").read_text()
    users = [line for line in trusted.splitlines() if line.startswith("Used by, ") and "`tiny." in line]
    assert sorted((line.count("[`tiny.a`]"), line.count("[`tiny.b`]")) for line in users) == [(1, 0), (1, 1)]
    told = world.verify("axioms", "tiny.a").stdout
    assert "\n  axiom det_one_plus: " in told and "\n  in a part: axiom frobenius_cauchy: " in told
    assert world.verify("recheck").returncode == 0

    for claim, axioms in (("tiny.a", ["det_one_plus"]), ("tiny.a", ["frobenius_cauchy", "det_one_plus"]), ("tiny.b", [])):
        edited = json.loads(json.dumps(data))
        edited["claims"][claim]["axioms"] = axioms
        path.write_text(json.dumps(edited))
        done = world.verify("recheck")
        assert done.returncode == 1
        assert f"\nrefused   {claim} verdict: does not say that it rests on the axiom " in done.stdout
    for claim, key, value in (("tiny.a", "outcome", "refuted"), ("tiny.b", "amendment", None), ("tiny.b", "outcome", "holds")):
        edited = json.loads(json.dumps(data))
        edited["claims"][claim][key] = value
        path.write_text(json.dumps(edited))
        done = world.verify("recheck")
        assert done.returncode == 1
        assert f"refused   {claim} verdict: " in done.stdout or f"missing   {claim} " in done.stdout
