"""Recorded verdicts beside the certificates: whatever a verdict hides, adds or changes is said."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from verify.recheck.terms import Refused
from verify.recheck.verdicts import compared, step_of


def role(name: str, claim: str = "a.one", **found: Any) -> dict[str, Any]:
    """What the checker says of an accepted part."""
    empty = {"axioms_with_lemmas": [], "trusted_with_lemmas": [], "oracles_with_lemmas": [], "lemmas": []}
    return {"claim": claim, "role": name, "accepted": True, **empty, **found}


PARTS = [
    role("statement", axioms_with_lemmas=["svd"], trusted_with_lemmas=["a.one (statement): seen", "a.two (part:x): drawn"]),
    role("amendment", axioms_with_lemmas=["weyl"], trusted_with_lemmas=["a.one (amendment): read"]),
    role(
        "part:k",
        axioms_with_lemmas=["svd", "gronwall"],
        trusted_with_lemmas=["a.one (part:k): told"],
        lemmas=[["a.six", "statement"]],
    ),
    role("part:l", oracles_with_lemmas=["z3 1: unsat of d, 1 variable"], lemmas=[["a.one", "part:k"]]),
]
VERDICT: dict[str, Any] = {
    "outcome": "holds",
    "grade": "proved",
    "amendment": {"statement": "less", "outcome": "holds", "grade": "proved"},
    "readings": [
        {"reading": "one", "outcome": "refuted", "role": "part:k"},
        {"reading": "two", "outcome": "holds"},
        {"reading": "three", "outcome": "open"},
    ],
    "axioms": ["svd", "in the amendment: weyl", "in a part: gronwall"],
    "trusted_steps": ["seen", "a.two (part:x): drawn", "in the amendment: read", "in a part: a.one (part:k): told"],
    "oracles": ["in a part: z3 1: unsat of d, 1 variable"],
    "uses": ["a.six", "a.ten"],
}
TESTS = {"a.one": {True}}


def told(verdict: Any, parts: list[dict[str, Any]] = PARTS, tests: Any = TESTS) -> list[str]:
    """What is wrong with a verdict."""
    return [why for _, why in compared({"a.one": verdict}, tests, parts, True)]


def test_a_verdict_that_says_what_its_certificates_give_is_right() -> None:
    assert told(VERDICT) == []


NAMED = [(key, text) for key in ("axioms", "trusted_steps", "oracles") for text in VERDICT[key]]


@pytest.mark.parametrize(("key", "text"), NAMED)
def test_nothing_that_a_certificate_rests_on_can_be_left_out_moved_or_made_up(key: str, text: str) -> None:
    rest = [x for x in VERDICT[key] if x != text]
    assert [why.startswith("does not say that it rests on ") for why in told({**VERDICT, key: rest})] == [True]
    bare = text.removeprefix("in the amendment: ").removeprefix("in a part: ")
    for place in {"", "in the amendment: ", "in a part: "} - {text.removesuffix(bare)}:
        both = told({**VERDICT, key: [*rest, place + bare]})
        assert [why.split(" that ")[0] for why in both] == ["does not say", "says"]
    assert [why.split(" that ")[0] for why in told({**VERDICT, key: [*VERDICT[key], "another"]})] == ["says"]


@pytest.mark.parametrize(
    ("change", "parts", "why"),
    [
        ({"outcome": "refuted"}, PARTS, "says refuted, but a certificate proves the statement"),
        ({"outcome": "open", "grade": None}, PARTS, "says open, but a certificate proves the statement"),
        ({"outcome": ["holds"]}, PARTS, "says ['holds'], but a certificate proves the statement"),
        ({"grade": "simulated"}, PARTS, "says holds, simulated, but a certificate proves the statement"),
        ({"grade": None}, PARTS, "says holds, None, but a certificate proves the statement"),
        ({"amendment": None}, PARTS, "does not say that its amendment holds, which a certificate proves"),
        ({"amendment": {"outcome": "open"}}, PARTS, "does not say that its amendment holds, which a certificate proves"),
        ({"uses": ["a.ten"]}, PARTS, "does not say that it uses a.six"),
        (
            {"readings": [{"reading": "one", "outcome": "refuted", "role": "part:m"}]},
            PARTS,
            "says of a reading that it is refuted, but no certificate shows it",
        ),
    ],
)
def test_what_a_verdict_says_must_be_shown(change: dict[str, Any], parts: list[dict[str, Any]], why: str) -> None:
    assert why in told({**VERDICT, **change}, parts)


BARE = {"outcome": "holds", "grade": "proved", "axioms": [], "uses": []}


def test_a_decided_verdict_needs_a_certificate_or_an_experiment() -> None:
    assert told(BARE, []) == ["says holds, proved, but no certificate proves the statement"]
    assert told({**BARE, "outcome": "refuted"}, []) == ["says refuted, proved, but no certificate proves the negation"]
    assert told({**BARE, "grade": "simulated"}, []) == []
    assert told({**BARE, "grade": "simulated"}, [], {}) == ["says holds, simulated, but no recorded experiment shows it"]
    refuted = {**BARE, "outcome": "refuted", "grade": "simulated"}
    assert told(refuted, []) == ["says refuted, simulated, but no recorded experiment shows it"]
    assert told(refuted, [], {"a.one": {True, False}}) == []
    amended = {**BARE, "outcome": "open", "amendment": {"outcome": "holds"}}
    assert told(amended, []) == ["says that its amendment holds, but no certificate proves it"]
    reading = {**BARE, "outcome": "open", "readings": [{"reading": "one", "outcome": "holds"}]}
    assert told(reading, [], {}) == ["says of a reading that it is holds, but no recorded experiment shows it"]


def test_both_statement_and_negation_never_fit() -> None:
    both = [role("statement"), role("negation")]
    for outcome in ("holds", "refuted", "open"):
        assert told({**BARE, "outcome": outcome}, both)


def test_a_certificate_needs_a_verdict_and_a_refused_one_is_said_elsewhere() -> None:
    parts = [role("statement", claim="a.two")]
    assert list(compared({}, {}, parts, True)) == [("a.two", "has a certificate, but no verdict is recorded")]
    assert list(compared({}, {}, parts, False)) == []
    refused = {"claim": "a.one", "role": "part:k", "accepted": False, "reason": "no"}
    assert told(BARE, [role("amendment"), refused]) == []


@pytest.mark.parametrize("key", ["axioms", "trusted_steps", "oracles", "uses"])
@pytest.mark.parametrize("value", [3, "svd", [1], {"svd": 1}, None])
def test_lists_that_are_none_are_refused_in_one_line(key: str, value: Any) -> None:
    with pytest.raises(Refused, match=rf"verdicts.json: the {key} of a.one are no list of texts"):
        told({**copy.deepcopy(VERDICT), key: value})


@pytest.mark.parametrize("readings", [3, None, ["one"], [{"reading": "one"}]])
def test_readings_of_another_form_are_passed_over(readings: Any) -> None:
    assert told({**VERDICT, "readings": readings}) == []


def test_a_step_cannot_place_itself() -> None:
    assert step_of(("a.one", "statement"), "in a part: in the amendment: in a part: seen") == "a.one (statement): seen"


def test_a_statement_with_an_added_hypothesis_is_an_amendment() -> None:
    parts = [role("statement", axioms_with_lemmas=["svd"], trusted_with_lemmas=["a.one (statement): seen"])]
    less: dict[str, Any] = {
        **BARE,
        "outcome": "unsupported",
        "grade": None,
        "added": ["the limit has rank one"],
        "amendment": {"outcome": "holds", "role": "statement"},
        "axioms": ["in the amendment: svd"],
        "trusted_steps": ["in the amendment: seen"],
    }
    assert told(less, parts) == []
    assert told({**less, "added": []}, parts)[0] == "says unsupported, but a certificate proves the statement"
    assert told({**less, "amendment": None}, parts) != []
    assert told({**less, "outcome": "holds", "grade": "proved"}, parts) != []
    both = {**less, "amendment": {"outcome": "holds"}, "trusted_steps": ["in a part: a.one (statement): seen"]}
    assert told({**both, "axioms": ["in a part: svd"]}, [*parts, role("amendment")]) == []
    assert told(both, parts)[0] == "says that its amendment holds, but no certificate proves it"


def test_a_void_claim_and_a_witness_need_their_certificates() -> None:
    void = {**BARE, "outcome": "void", "axioms": ["svd"]}
    parts = [role("statement"), role("part:void", axioms_with_lemmas=["svd"])]
    assert told(void, parts) == []
    assert told({**void, "outcome": "holds"}, parts)[0] == "says holds, but a certificate proves the part:void"
    assert "says void, proved, but no certificate proves the part:void" in told(void, [role("statement")])
    found = {**BARE, "witness": "found"}
    assert told(found, [role("statement")]) == ["says that its hypotheses can be met, but no certificate proves it"]
    assert told(found, [role("statement"), role("part:satisfiable")]) == []
