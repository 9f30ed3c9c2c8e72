"""Verdicts and grades as data."""

from __future__ import annotations

from verify.verdict import AMENDED, IN_PART, Amendment, Argument, Grade, Mutants, Outcome, Reading, Verdict, weakest


def test_grades_are_ordered() -> None:
    assert list(Grade) == sorted(Grade, reverse=True)
    assert Grade.PROVED > Grade.INSTANCES >= Grade.CERTIFIED > Grade.CITED
    assert weakest([Grade.PROVED, Grade.SAMPLED, Grade.CERTIFIED]) is Grade.SAMPLED
    assert weakest([]) is Grade.PROVED


def test_the_json_form_is_the_documented_one() -> None:
    assert Verdict().to_json() == {
        "outcome": "open",
        "grade": None,
        "argument": None,
        "amendment": None,
        "reason": "",
        "open": None,
        "context": [],
        "added": [],
        "witness": None,
        "counterexample": None,
        "readings": [],
        "trusted_steps": [],
        "axioms": [],
        "uses": [],
        "oracles": [],
        "obligations": 0,
        "mutants": {"tried": 0, "killed": 0, "excused": 0, "inconclusive": 0},
    }


def test_json_and_back() -> None:
    verdict = Verdict(
        outcome=Outcome.REFUTED,
        grade=Grade.PROVED,
        argument=Argument.FAILS,
        amendment=Amendment("n >= 2", Outcome.HOLDS, Grade.INSTANCES),
        reason="n = 1",
        counterexample={"n": "1"},
        readings=(Reading("other", Outcome.OPEN),),
        trusted_steps=("by hand", AMENDED + "too"),
        axioms=("weyl",),
        uses=("tiny.a",),
        oracles=("z3",),
        obligations=3,
        mutants=Mutants(4, 2, 1, 1),
    )
    assert Verdict.from_json(verdict.to_json()) == verdict
    assert verdict.words() == "refuted, proved with 1 trusted step, but 1 inequality by an oracle"
    assert Verdict().differs_from(verdict)[0] == "outcome: refuted -> open"
    assert verdict.differs_from(verdict) == []


def test_a_step_or_answer_that_moves_to_the_verdict_itself_is_a_difference() -> None:
    beside = Verdict(trusted_steps=(AMENDED + "x",), oracles=(IN_PART + "z", AMENDED + "y"))
    own = Verdict(trusted_steps=("x",), oracles=("z", AMENDED + "y"))
    assert own.differs_from(beside) == [
        "trusted steps: 0, 1 in the amendment -> 1",
        "answers of oracles: 0, 1 in the amendment, 1 in a part -> 1, 1 in the amendment",
    ]
    assert not own.differs_from(own)


def test_verdicts_differ_when_they_rest_on_other_axioms_or_use_other_claims() -> None:
    old = Verdict(outcome=Outcome.HOLDS, grade=Grade.PROVED, axioms=("svd", "in a part: weyl"), uses=("a.one",))
    assert old.differs_from(Verdict.from_json(old.to_json())) == []
    new = Verdict(outcome=Outcome.HOLDS, grade=Grade.PROVED, axioms=("svd", "weyl"), uses=("a.two",))
    assert new.differs_from(old) == ["axioms: in a part: weyl, svd -> svd, weyl", "uses: a.one -> a.two"]
