"""A claim that rests on the word of an SMT solver says so everywhere, and nothing can hide or make up an answer."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.fuzz_certificates import fuzz
from tests.support.world import World
from verify.recheck import solver

pytestmark = pytest.mark.skipif(solver.executable() is None, reason=solver.MISSING)

PROOFS = '''
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

MOTZKIN = "all x y:R. 0 <= x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2"


@holds("tiny.a", MOTZKIN)
def motzkin_form_is_nonnegative(g: Goal) -> None:
    """The solver says so."""
    g.intro()
    g.oracle()


@holds("tiny.b", "all x:R. 0 <= x^4 + x^2 + 1 - 3*x^2*1^2", uses=["tiny.a"])
def motzkin_form_at_one(g: Goal) -> None:
    """By the claim before."""
    g.intro()
    h = g.lemma("tiny.a", "statement", "x", "1")
    g.nlin("x^2", use=[h])


@refuted("tiny.c", "all x y:R. 0 < x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2", reason="x = y = 1")
def motzkin_form_is_positive(g: Goal) -> None:
    """It is 0 at (1, 1)."""
    g.witness("1", "1")
    g.auto()


@amendment("tiny.c", "all x y:R. x*y = 2 => 0 < x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2", says="for products 2")
def it_is_positive_there(g: Goal) -> None:
    """The solver says so."""
    g.intro()
    g.oracle()


@holds("tiny.d", "all x:R. 0 <= x^2")
def squares(g: Goal) -> None:
    """Plainly."""
    g.intro()
    g.auto()


@part("tiny.d", "beside", "all x:R. 0 <= x^4 - 2*x^2 + 1", says="not used by the statement")
def beside(g: Goal) -> None:
    """The solver says so."""
    g.intro()
    g.oracle()
'''

ANSWER = r"z3 [0-9.]+: unsat of [0-9a-f]{64}, [0-9] variables?"

FORGERY = '''
from verify.kernel import Goal
from verify.kernel.oracle import Problem
from verify.registry import holds


@holds("tiny.a", "all x y:R. 0 < x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2")
def forged(g: Goal) -> None:
    """Nobody was asked."""
    g.intro()
    problem = Problem(g.seq.ctx).text([], g.concl)
    g.step("oracle", hyps=(), problem=problem, solver="z3 5.4.1", answer="unsat")
'''


def test_an_oracle_is_named_wherever_a_claim_rests_on_it(world: World) -> None:
    (world.root / "proofs/tiny/section.py").write_text(PROOFS)
    ran = world.verify("run", "tiny.a", "tiny.b", "tiny.c", "tiny.d")
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[:4] == [
        "tiny.a: holds, proved, but 1 inequality by an oracle",
        "tiny.b: holds, proved, but 1 inequality by an oracle",
        "tiny.c: refuted, proved. x = y = 1.",
        "tiny.d: holds, proved",
    ]
    assert world.verify("report").returncode == 0
    assert world.verify("report", "--check").returncode == 0
    verdicts = json.loads((world.root / "reports/verdicts.json").read_text())["claims"]
    told = {name: verdicts[f"tiny.{name}"]["oracles"] for name in "abcd"}
    assert told["a"] == told["b"] and re.fullmatch(ANSWER, told["a"][0]) and "2 variables" in told["a"][0]
    assert re.fullmatch("in the amendment: " + ANSWER, told["c"][0])
    assert re.fullmatch("in a part: " + ANSWER, told["d"][0])
    assert all(len(answers) == 1 for answers in told.values())

    pages = {
        name: (world.root / f"reports/{name}.md").read_text()
        for name in ("tiny", "trusted", "README", "errata/tiny", "tiny/a", "tiny/c")
    }
    assert "**Holds (proved, but 1 inequality by an oracle)**" in pages["tiny"]
    assert "true after a change (proved, but 1 inequality by an oracle)" in pages["tiny"]
    assert "**Nearest true statement** (proved, but 1 inequality by an oracle; [statement and proof]" in pages["tiny"]
    assert "**Nearest true statement** (proved, but 1 inequality by an oracle): " in pages["errata/tiny"]
    assert "for products 2 (proved, but 1 inequality by an oracle)" in pages["tiny/c"]
    assert "| holds, proved, by an oracle |" in pages["README"]
    assert pages["trusted"].count(told["a"][0]) == 2
    assert f"**Not checked, but answered by an oracle (1):**\n\n- {told['a'][0]}" in pages["tiny/a"]
    assert "(declare-fun v1 () Real)" in pages["tiny/a"]
    assert f"Answers of an oracle, which leave nothing to check:\n\n- {told['c'][0]}" in pages["tiny/c"]
    shown = world.verify("show", "tiny.b").stdout
    assert "verdict: holds, proved, but 1 inequality by an oracle" in shown
    assert f"not checked, but answered by an oracle: {told['a'][0]}" in shown
    assert f"  answer of an oracle: {told['a'][0]}" in world.verify("axioms", "tiny.b").stdout

    listed = {entry["id"]: entry["oracles"] for entry in json.loads(world.verify("list", "--json").stdout)}
    assert [listed[f"tiny.{name}"] for name in "abcd"] == [1, 1, 0, 0]
    assert "nearest true statement (proved, but 1 inequality by an oracle): for products 2" in world.verify("errata").stdout

    rechecked = world.verify("recheck").stdout.splitlines()
    assert rechecked[0].endswith(f"rests on the answer of {told['a'][0]}")
    assert "6 accepted (4 resting on answers of an oracle), 0 refused" in rechecked
    assert rechecked[-1].startswith("evidence: 2 parts checked; ") and rechecked[-1].endswith("; 3 answers of oracles")
    again = world.verify("recheck", "--oracles")
    assert (again.returncode, again.stdout.splitlines()[-1]) == (0, rechecked[-1] + " (asked again)")
    evidence = json.loads(world.verify("recheck", "tiny.b", "--oracles", "--json").stdout)["evidence"]
    assert (evidence["checked"], evidence["resting"], evidence["oracle"]) == (0, 1, 1)


def test_a_verdict_that_hides_an_answer_is_refused(world: World) -> None:
    (world.root / "proofs/tiny/section.py").write_text(PROOFS)
    world.verify("report")
    path = world.root / "reports/verdicts.json"
    stored = path.read_text()
    for name, place, other in [
        ("tiny.b", "", None),
        ("tiny.b", "", "in the amendment: "),
        ("tiny.b", "", "in a part: "),
        ("tiny.c", "in the amendment: ", "in a part: "),
        ("tiny.c", "in the amendment: ", ""),
        ("tiny.d", "in a part: ", None),
    ]:
        data = json.loads(stored)
        where = f" ({place.removesuffix(': ')})" if place else ""
        told = data["claims"][name]["oracles"][0].removeprefix(place)
        data["claims"][name]["oracles"] = [] if other is None else [other + told]
        path.write_text(json.dumps(data))
        done = world.verify("recheck", name)
        assert done.returncode == 1
        assert f"refused   {name} verdict: does not say that it rests on the answer of {told}{where}\n" in done.stdout


def test_an_answer_that_a_proof_module_makes_up_does_not_count(world: World) -> None:
    (world.root / "proofs/tiny/section.py").write_text(FORGERY)
    done = world.verify("run", "tiny.a")
    assert (
        "tiny.a: open. No proof: the checker refused the certificate: oracle: asked again, the solver answers sat" in done.stdout
    )
    assert done.returncode == 1


def test_edited_certificates_are_refused(world: World) -> None:
    from verify.run.files import digest

    (world.root / "proofs/tiny/section.py").write_text(PROOFS)
    world.verify("report")
    path = world.root / "reports/certificates/tiny/a.json"
    stored = path.read_text()

    def recheck(*options: str, **edits: Any) -> tuple[int, str]:
        data = json.loads(stored)
        data["parts"]["statement"]["proof"]["c"][0].update(edits)
        data.pop("sha256")
        path.write_text(json.dumps({**data, "sha256": digest(data)}))
        done = world.verify("recheck", "tiny.a", *options)
        return done.returncode, done.stdout + done.stderr

    problem = json.loads(stored)["parts"]["statement"]["proof"]["c"][0]["problem"]
    assert recheck()[0] == 0
    assert "the problem is not that of the goal" in recheck(problem=problem.replace("<=", "<"))[1]
    assert "not an unsat of z3" in recheck(answer="sat")[1]
    other = recheck("--oracles", solver="z3 1.0")
    assert other[0] == 1 and "does not say that it rests on the answer of z3 1.0" in other[1]


def test_random_edits_of_certificates_that_rest_on_an_oracle_are_refused_or_prove_the_same(world: World) -> None:
    (world.root / "proofs/tiny/section.py").write_text(PROOFS)
    world.verify("report")
    counts, failures = fuzz(world.root / "reports", 400, seed=1, largest=10**6)
    assert not failures
    assert counts["refused"] > 300


def test_without_a_solver_recheck_believes_the_stored_answer_and_says_so_and_the_run_does_not(world: World) -> None:
    (world.root / "proofs/tiny/section.py").write_text(PROOFS)
    world.verify("report")
    nothing = world.root / "nothing"
    nothing.mkdir()
    (nothing / "sitecustomize.py").write_text(
        "import sysconfig\nplain = sysconfig.get_path\n"
        f"sysconfig.get_path = lambda name, *a, **k: {str(nothing)!r} if name == 'scripts' else plain(name, *a, **k)\n"
    )
    world.path, world.more = [nothing], {"PATH": str(nothing)}
    assert world.verify("recheck", "tiny.a").returncode == 0
    done = world.verify("recheck", "tiny.a", "--oracles")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "verify: --oracles: no SMT solver is installed: the extra smt (z3-solver) brings z3\n"
    assert (
        "tiny.a: open. No proof: ProofError: oracle: no SMT solver is installed"
        in world.verify("run", "tiny.a", "--fresh").stdout
    )
    world.path, world.more = [], {}
    assert "tiny.a: holds, proved, but 1 inequality by an oracle" in world.verify("run", "tiny.a").stdout
