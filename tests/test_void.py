"""Void claims and witnesses: what is derived from a statement, what is found to be void, and what a run makes of it."""

from __future__ import annotations

import json

import pytest

from tests.support.world import World
from verify.kernel import Goal, LogicError, check, freeze, freeze_node, parse, pretty, prove, thaw
from verify.report.words import sentence
from verify.run.derived import meets, satisfiable, says_nothing, voided
from verify.run.ties import untied
from verify.run.voidness import find
from verify.run.witness import find as find_witness
from verify.verdict import Argument, Grade, Outcome, Verdict

DERIVED = [
    ("all x:R. 0 < x => 0 < 2*x", "all x:R. 0 < x => false", "ex x:R. 0 < x"),
    ("all x:R. 0 < x => (x = x and all y:R. x < y => 0 < y)", "false", "ex x y:R. 0 < x and x < y"),
    (
        "(all x:R. 0 < x => x != 0) and (all x:R. x < 0 => x != 0)",
        "(all x:R. 0 < x => false) and (all x:R. x < 0 => false)",
        "(ex x:R. 0 < x) and (ex x:R. x < 0)",
    ),
    ("all x:R. 0 < x => all x:R. x < 1 => x < 2", "all x:R. 0 < x => all x:R. x < 1 => false", "ex x x_1:R. 0 < x and x_1 < 1"),
    ("all x:R. x <= x^2 + 1", "false", None),
]


@pytest.mark.parametrize(("statement", "void", "witness"), DERIVED)
def test_what_is_derived_from_a_statement(statement: str, void: str, witness: str | None) -> None:
    f = parse(statement)
    if void != "false":
        assert voided(f) == parse(void)
    found = satisfiable(f)
    assert (None if found is None else pretty(found)) == (None if witness is None else pretty(parse(witness)))


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("true and true", True),
        ("(true)", True),
        ("all x:R. x = x", True),
        ("all x:R. x < 1 => x < 1", True),
        ("all x:R. 0 < x => x < 1 or not (x < 1)", True),
        ("all x:R. 0 < x => 1 <= 1 and 0 < 1", True),
        ("all x:R. 0 < x => (x < 2 <=> x < 2)", True),
        ("all x:R. x < 1 => x < 2", False),
        ("all x:R. x < 1 => all x:R. x < 1", False),
        ("2 + 2 = 4", False),
        ("rank([[1]]) = 1", False),
    ],
)
def test_a_formula_that_is_true_by_its_form_says_nothing(text: str, nothing: bool) -> None:
    assert says_nothing(parse(text)) is nothing


VOID = [
    ("all x y z:R. x < y => y < z => z < x => x = 5", lambda g: (g.intro(), g.contra(), g.nlin())),
    ("all x y:R. x < y => y < x => ex z:R. x < z and z < y", lambda g: (g.intro(), g.witness("x"), g.conj(Goal.nlin, Goal.nlin))),
    ("all x:R. 0 < x => all y:R. x < 0 => y = 1", lambda g: (g.intro(), g.contra(), g.nlin())),
    ("all x y:R. x < y and y < x => x = 1 and y = 1", lambda g: (g.intro(), g.conj(*[lambda g: (g.contra(), g.nlin())] * 2))),
    ("all x:R. x = 1 => x != 1 => x = 2", lambda g: (g.intro("a", "b"), g.clash("a", "b"))),
]

NOT_VOID = [
    ("all x y:R. x < y => x <= y", lambda g: (g.intro(), g.nlin())),
    ("all x:R. 0 < x => not (x < 0)", lambda g: (g.intro(), g.assume(), g.nlin())),
    ("all x y:R. x < y => x <= y", lambda g: (g.intro(), g.contra(), g.nlin())),
    ("all x:R. 0 < x => x < 0 => false", lambda g: (g.intro(), g.nlin())),  # it says itself that they contradict each other
    ("all x:R. 0 < x => ex y:R. y < x", lambda g: (g.intro(), g.witness("0"), g.nlin())),
    ("all x:R. 0 <= x => x = 0 or 0 < x", lambda g: (g.intro("h"), g.em("x = 0", None, _positive))),
]


def _positive(g: Goal) -> None:
    """Two of the three hypotheses make x = 0; the third is the negated conclusion."""
    g.left_or_right(1)
    g.contra()
    g.have("x = 0", lambda g: g.antisym(None, None))
    g.clash(list(g.seq.hyps)[1], list(g.seq.hyps)[-1])


def _no_lemmas(claim: str, role: str) -> object:
    raise LogicError(f"{claim} {role}")


@pytest.mark.parametrize(("statement", "script"), VOID)
def test_a_proof_that_does_without_its_conclusion_is_found_out(statement: str, script: object) -> None:
    theorem = prove(statement, script)  # type: ignore[arg-type]
    found = find(thaw(theorem.statement), theorem.proof, _no_lemmas)
    assert found is not None
    check(voided(theorem.statement), freeze_node(found), _no_lemmas)  # type: ignore[arg-type]


@pytest.mark.parametrize(("statement", "script"), NOT_VOID)
def test_no_other_proof_is_called_void(statement: str, script: object) -> None:
    theorem = prove(statement, script)  # type: ignore[arg-type]
    assert find(thaw(theorem.statement), theorem.proof, _no_lemmas) is None


WITNESSED = [
    "all x y:R. 0 < x => x < y => y < 1 => true",
    "all d:Z, P:M(d,d). 1 <= d => (all i j:Z. P[i,j] = 0 or P[i,j] = 1) => rank(P) = 1 => true",
    "all A B:R~>M(2,2). (all t:R. 0 <= t => A'(t) = -(A(t) @ B(t))) => T(A(0)) @ A(0) = B(0) @ T(B(0)) => true",
    "all Z:M(2,2), u v:V(2). 0 < sv(Z,1) => sv(Z,2) < sv(Z,1) => T(u) @ u = I(1) => T(v) @ v = I(1) => Z @ v = sv(Z,1)*u => true",
    "all f:R->R, l:R. tends(t, f(t), l) => (all e:R. 0 < e => ex d:R. 0 < d and all s:R. abs(f(s) - l) < e) => true",
    "all L:Z, W:(Z, R)~>M(2,2). 2 <= L => (all l:Z, t:R. 1 <= l and l <= L => W(l,t) = W(1,t)) => W(1,0) != O(2,2) => true",
]


@pytest.mark.parametrize("statement", WITNESSED)
def test_hypotheses_that_can_be_met_have_a_witness(statement: str) -> None:
    formula = satisfiable(parse(statement))
    assert formula is not None
    found = find_witness(formula)
    assert found.proof is not None, found.reason
    check(formula, freeze_node(found.proof), _no_lemmas)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "statement",
    [
        "all x:R. x < 0 => 0 < x => true",
        "all f:Z->Z. (all k:Z. f(k) = k + 1) => f(2) = 2 => true",
        "all A:M(2,2). rank(A) = 3 => true",
    ],
)
def test_hypotheses_that_contradict_each_other_have_none(statement: str) -> None:
    formula = satisfiable(parse(statement))
    assert formula is not None
    assert find_witness(formula, seconds=2).proof is None


@pytest.mark.parametrize(
    ("text", "printed", "expected"),
    [
        ("all x:R. 0 < x => x^2 = 1", "If $x>0$ then it is one.", False),
        ("all al:R. 0 < al => al != 0", r"Let $\alpha$ be positive.", False),
        ("all A:M(2,2). sv(A,1) = 0 => true", "Nothing at all.", True),
        ("all q:R. q = 1 => q = 17", "There are $17$ of them.", False),
        ("all q:R. q = 1 => q < 19", "There are $17$ of them.", True),
        ("all Q:M(2,2). rank(Q) = 1 => rank(Q) <= 1", "The rank is at most one.", False),
    ],
)
def test_a_conclusion_without_any_tie_to_the_text_is_named(text: str, printed: str, expected: bool) -> None:
    assert untied(thaw(parse(text)), printed) is expected


PROJECT = '''
from verify.kernel import Goal
from verify.registry import amendment, holds, part


@holds("tiny.a", "all x y z:R. x < y => y < z => z < x => x = 5", readings=[("another", "holds", "other")])
def a(g: Goal) -> None:
    """The hypotheses exclude each other."""
    g.intro()
    g.contra()
    g.nlin()


@part("tiny.a", "other", "all x y:R. x < y => y < x => x = 1")
def other(g: Goal) -> None:
    """They do here, too."""
    g.intro()
    g.contra()
    g.nlin()


@holds("tiny.b", "all x:R. 0 < x => 0 < 2*x")
def b(g: Goal) -> None:
    """Easy."""
    g.auto()


@holds("tiny.c", "true and true")
def c(g: Goal) -> None:
    """No content."""
    g.auto()


@holds("tiny.d", "all x:R. 0 <= x^2")
def d(g: Goal) -> None:
    """No hypotheses."""
    g.auto()
'''


def _verdicts(world: World) -> dict[str, dict[str, object]]:
    return json.loads((world.root / "reports/verdicts.json").read_text())["claims"]  # type: ignore[no-any-return]


def test_a_run_shows_and_counts_void_claims_and_witnesses(world: World) -> None:
    world.proofs(PROJECT)
    done = world.verify("run", "--json")
    verdicts = json.loads(done.stdout)["claims"]
    assert (verdicts["tiny.a"]["outcome"], verdicts["tiny.a"]["grade"]) == ("void", "proved")
    assert [r["outcome"] for r in verdicts["tiny.a"]["readings"]] == ["void"]
    assert (verdicts["tiny.b"]["outcome"], verdicts["tiny.b"]["witness"]) == ("holds", "missing")
    assert verdicts["tiny.c"]["outcome"] == "open"
    assert "true by its form alone" in verdicts["tiny.c"]["reason"]
    assert (verdicts["tiny.d"]["outcome"], verdicts["tiny.d"]["witness"]) == ("holds", None)


def test_reports_keep_what_has_no_script(world: World) -> None:
    world.proofs(PROJECT)
    assert world.verify("report").returncode == 0
    assert world.verify("report", "--check").returncode == 0
    assert _verdicts(world)["tiny.b"]["witness"] == "missing"
    found = world.verify("witness", "tiny.b")
    assert "1 with a witness (1 found now), 0 without" in found.stdout
    assert world.verify("report").returncode == 0
    assert world.verify("report", "--check").returncode == 0
    assert _verdicts(world)["tiny.b"]["witness"] == "found"
    assert _verdicts(world)["tiny.a"]["outcome"] == "void"
    parts = json.loads((world.root / "reports/certificates/tiny/b.json").read_text())["parts"]
    assert parts["part:satisfiable"]["statement"] == thaw(freeze(["ex", [["x", "R"]], ["<", 0, "x"]]))
    assert world.verify("recheck").returncode == 0
    errata = (world.root / "reports/errata.md").read_text()
    assert "tiny.a" in errata
    assert "1 of 1 claims that hold by proof under hypotheses" in (world.root / "reports/README.md").read_text()


@pytest.mark.parametrize(
    ("given", "meeting"),
    [
        ("ex x y:R. 0 < x and x < y", True),
        ("0 < 1 and 1 < 3", True),
        ("ex z:R. 0 < 1 and 1 < z", True),
        ("0 < 1 and 2 < 3", False),
        ("0 < 1", False),
        ("ex x y:R. 0 < x and x < y and y < 0", False),
        ("ex x y:R. 0 < x", False),
    ],
)
def test_a_witness_by_hand_is_an_instance_of_the_derived_formula(given: str, meeting: bool) -> None:
    assert meets(parse(given), parse("all x y:R. 0 < x => x < y => 0 < y")) is meeting


BY_HAND = '''

@part("tiny.b", "satisfiable", "0 < 3")
def three(g: Goal) -> None:
    """Three is positive."""
    g.auto()


@part("tiny.d", "satisfiable", "ex x:R. 0 < x")
def nothing(g: Goal) -> None:
    """There are no hypotheses."""
    g.witness("1")
    g.auto()
'''


def test_a_witness_by_hand_counts_when_it_is_of_the_hypotheses(world: World) -> None:
    world.proofs(PROJECT + BY_HAND)
    verdicts = json.loads(world.verify("run", "tiny.b", "tiny.d", "--json").stdout)["claims"]
    assert verdicts["tiny.b"]["witness"] == "found"
    world.proofs((PROJECT + BY_HAND).replace('"0 < 3"', '"3 < 4"'))
    verdicts = json.loads(world.verify("run", "tiny.b", "--json").stdout)["claims"]
    assert verdicts["tiny.b"]["witness"] == "missing"
    shown = world.verify("show", "tiny.d").stdout
    assert "the statement has no hypotheses" in shown


def test_a_witness_of_another_formula_does_not_count(world: World) -> None:
    world.proofs(PROJECT)
    assert world.verify("report").returncode == 0
    assert world.verify("witness", "tiny.b").returncode == 0
    world.proofs(PROJECT.replace("0 < x => 0 < 2*x", "1 < x => 0 < 2*x"))
    done = world.verify("run", "tiny.b", "--json")
    assert json.loads(done.stdout)["claims"]["tiny.b"]["witness"] == "missing"


def test_the_line_of_a_void_claim_says_why_and_speaks_of_no_argument() -> None:
    verdict = Verdict(Outcome.VOID, Grade.PROVED, argument=Argument.SOUND)
    assert sentence(verdict, "proof-step") == "Its hypotheses contradict each other: void (proved)"
