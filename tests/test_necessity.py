"""The tables of dropped hypotheses say of each what became of the conclusion, and of no other part."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.support.world import World
from tests.test_report import save
from verify.registry import Binding, Decision, Place, ReadingSpec, Registry
from verify.report.links import Here
from verify.report.necessity import dropping, necessity
from verify.run.results import FAILED, PROVED, TIMED_OUT, Results, RoleResult
from verify.verdict import Outcome

HEAD = "| hypothesis dropped | does the conclusion survive? | what happens | shown by |"
SURVIVES, BREAKS = ["=", "x", "0"], ["ex", ["x"], ["!=", "x", "0"]]
PLACE = Place("m", "m.py", 1)


def here(parts: dict[str, RoleResult | None], readings: tuple[str, ...] = (), says: str = "words") -> Here:
    """The page of a paper whose claim `p.a` has some parts; those in `readings` decide readings."""
    registry = Registry()
    for role in parts:
        registry.add_binding(Binding("p.a", role, "x", PLACE, "m", says=says))
    specs = tuple(ReadingSpec(name, Outcome.HOLDS, name) for name in readings)
    registry.add_decision(Decision("p.a", Outcome.HOLDS, PLACE, "x", readings=specs))
    roles = {("p.a", role): result for role, result in parts.items() if result is not None}
    results = Results({}, registry, roles)
    material = SimpleNamespace(
        project=SimpleNamespace(registry=registry),
        results=results,
        verdicts={"p.a": None},
        encoded=lambda claim, role: results.roles[(claim, role)].formula if (claim, role) in results.roles else None,
    )
    return Here(cast(Any, material), "p.md", "p.a")


def proved(formula: Any) -> RoleResult:
    return RoleResult(PROVED, formula, {"r": "field"})


def refused(formula: Any) -> RoleResult:
    found = proved(formula)
    found.refused = "wrong"
    return found


@pytest.mark.parametrize(
    ("result", "survives"),
    [
        (proved(SURVIVES), "yes: a proof"),
        (proved(BREAKS), "no: a counterexample"),
        (proved(["not", SURVIVES]), "no: a counterexample"),
        (proved(["!=", "x", "0"]), "no: a counterexample"),
        (proved(["all", ["x"], ["!=", "x", "0"]]), "yes: a proof"),
        (proved(["=>", ["not", SURVIVES], SURVIVES]), "yes: a proof"),
        (refused(SURVIVES), "not decided"),
        (refused(BREAKS), "not decided"),
        (RoleResult(FAILED, BREAKS, error="no"), "not decided"),
        (RoleResult(TIMED_OUT), "not decided"),
        (None, "not decided"),
    ],
)
def test_whether_the_conclusion_survives_is_what_was_proved(result: RoleResult | None, survives: str) -> None:
    (title, table) = necessity(here({"part:without-zero": result}), "p.a")
    assert title == "**Necessity of the hypotheses**"
    assert table.splitlines() == [
        HEAD,
        "| --- | --- | --- | --- |",
        f"| zero | {survives} | words | [without-zero](p/a.md#part-without-zero) |",
    ]


def test_a_proof_that_rests_on_a_refused_one_decides_nothing() -> None:
    lemma = {"r": "lemma", "claim": "p.a", "role": "part:k", "name": "h"}
    resting = RoleResult(PROVED, SURVIVES, {"r": "have", "c": [lemma]})
    for below, survives in ((proved(SURVIVES), "yes: a proof"), (refused(SURVIVES), "not decided")):
        _, table = necessity(here({"part:without-zero": resting, "part:k": below}), "p.a")
        assert f"| zero | {survives} |" in table


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("part:without-full-rank", "full rank"),
        ("part:full-rank-needed", "full rank"),
        ("part:x-needed", "x"),
        ("part:without-x-needed", "x"),
    ],
)
def test_a_part_that_drops_a_hypothesis_is_named_after_it(role: str, name: str) -> None:
    _, table = necessity(here({role: proved(SURVIVES)}), "p.a")
    assert table.splitlines()[2].startswith(f"| {name} | yes: a proof | words | [{role.removeprefix('part:')}](")


@pytest.mark.parametrize("role", ["statement", "amendment", "part:k", "part:needed-x", "part:is-without-x", "part:x-needed-too"])
def test_other_parts_are_in_no_table(role: str) -> None:
    page = here({role: proved(SURVIVES)})
    assert dropping(page, "p.a") == []
    assert list(necessity(page, "p.a")) == []


def test_a_part_that_decides_a_reading_or_belongs_to_another_claim_is_in_no_table() -> None:
    parts: dict[str, RoleResult | None] = {"part:without-one": proved(SURVIVES), "part:two-needed": proved(BREAKS)}
    assert [b.role for b in dropping(here(parts), "p.a")] == list(parts)
    assert [b.role for b in dropping(here(parts, readings=("without-one",)), "p.a")] == ["part:two-needed"]
    assert dropping(here(parts, readings=("without-one", "two-needed")), "p.a") == []
    assert dropping(here(parts), "p.b") == []


def test_what_happens_breaks_no_table() -> None:
    _, table = necessity(here({"part:without-zero": proved(SURVIVES)}, says="if |x| <= 1\n\nor `a` of part:without-zero"), "p.a")
    row = table.splitlines()[2]
    assert len(table.splitlines()) == 3
    assert row.count(" | ") == 3
    assert r"\|x\| ≤ 1" in row
    assert "of [part:without-zero](p/a.md#part-without-zero)" in row


def test_the_pages_of_paper_and_claim_have_the_table(world: World) -> None:
    world.proofs(
        """
        @holds("tiny.a", "x")
        def a(g): g.close()

        @part("tiny.a", "zero-needed", "y", says="else nothing")
        def k(g): g.close()

        @part("tiny.a", "without-one", "z", says="as before")
        def z(g): 1 / 0
        """
    )
    save(world)
    page = (world.root / "reports/tiny.md").read_text()
    assert page.count(HEAD) == 1
    assert "| zero | yes: a proof | else nothing | [zero-needed](tiny/a.md#part-zero-needed) |" in page
    assert "| one | not decided | as before | [without-one](tiny/a.md#part-without-one) |" in page
