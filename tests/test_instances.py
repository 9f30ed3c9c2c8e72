"""The instance in the proof of a negation: values, conditions on what is only known to exist, cases, lemmas."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from verify.kernel import Goal, negate, parse, prove, thaw
from verify.project import find_root
from verify.report import values
from verify.run import certificates
from verify.run.files import allow_depth
from verify.run.instances import ANY, finder
from verify.run.language import Language
from verify.run.results import RoleResult

LANGUAGE = Language()


def refuted(text: str, script: Callable[[Goal], Any]) -> RoleResult:
    """A statement with the proof of its negation, as they are stored."""
    statement = parse(text)
    theorem = prove(negate(statement), script, lemmas=lambda claim, role: negate(parse(TWO)))
    return RoleResult("proved", *json.loads(json.dumps([thaw(statement), theorem.proof])))


def found(result: RoleResult, **lemmas: RoleResult) -> Any:
    return result.values(finder(LANGUAGE, {(name, "negation"): lemma for name, lemma in lemmas.items()}))


TWO = "all x:R. x = 2 => x = 3"


def two(g: Goal) -> None:
    g.witness("2")
    g.conj(lambda g: g.field(), lambda g: g.field())


def test_a_witness_is_a_value() -> None:
    assert found(refuted(TWO, two)) == {"x": "2"}


def test_a_name_that_was_obtained_is_shown_by_what_defines_it() -> None:
    def script(g: Goal) -> None:
        there = g.have("ex y:R. y = 7", lambda g: (g.witness("7"), g.field()))
        (h,) = g.obtain(there, "y")
        g.witness("y")
        g.close_by(h)

    shown = found(refuted("all x:R. x != 7", script))
    assert shown == {"x": "such that x = 7"}
    assert values.text(shown, LANGUAGE) == ["x such that x = 7"]


def test_every_case_has_its_own_values() -> None:
    def script(g: Goal) -> None:
        def case(value: str) -> Callable[[Goal], Any]:
            return lambda g: (g.witness(value), g.field())

        g.em("log(0) = 0", case("1"), case("-1"))

    assert found(refuted("all x:R. x^2 != 1", script)) == {"case": "log(0) = 0", "x": "1", "case'": "log(0) != 0", "x'": "-1"}


def test_the_values_of_a_lemma_that_is_the_whole_negation_are_taken() -> None:
    result = refuted(TWO, lambda g: g.close_by(g.lemma("other", "negation")))
    assert found(result, other=refuted(TWO, two)) == {"x": "2"}


def test_what_holds_for_no_value_is_said_to() -> None:
    result = refuted("ex x:R. x < x", lambda g: (g.intro(), g.pos()))
    assert found(result) == {"x": ANY}


def test_every_recorded_refutation_gives_exact_values_or_conditions() -> None:
    allow_depth()
    root = find_root()
    verdicts = json.loads((root / "reports/verdicts.json").read_text())["claims"]
    refutations = [claim for claim, v in verdicts.items() if (v["outcome"], v["grade"]) == ("refuted", "proved")]
    roles = Stored(root)
    find = finder(LANGUAGE, roles)
    assert refutations
    for claim in refutations:
        shown = roles[(claim, "negation")].values(find)
        assert shown, claim
        names = {name: value for name, value in shown.items() if value.isidentifier()}  # of other values, or of nothing
        assert not [name for name, value in names.items() if value not in shown or value in names], claim


class Stored(dict[tuple[str, str], RoleResult]):
    """The parts of stored certificates, each read when it is asked for."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root

    def __missing__(self, key: tuple[str, str]) -> RoleResult:
        part = certificates.read(certificates.path_of(self.root / "reports", key[0]), key[0])["parts"][key[1]]
        self[key] = RoleResult("proved", part["statement"], part["proof"])
        return self[key]
