"""The leaf `oracle`: what the solver shows, what it must not, the two programs that write its problems, and edits of leaves."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.common import LIBRARY, leaf, no_lemma, proved
from verify.kernel import LogicError, Theorem, freeze, freeze_node, parse, prove, thaw
from verify.kernel import check as kernel_check
from verify.kernel.oracle import Problem
from verify.recheck import Refused, read_formula, solver
from verify.recheck.oracle import Writer
from verify.recheck.rules import Checker
from verify.recheck.terms import read_sort
from verify.run.evidence import answer

needs_solver = pytest.mark.skipif(solver.executable() is None, reason=solver.MISSING)

MOTZKIN = "all x y:R. 0 <= x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2"

SHOWN: list[tuple[str, dict[str, Any]]] = [
    (MOTZKIN, {}),
    ("all a b c:R. 0 < a and 0 < b and 0 < c => 8*a*b*c <= (a + b)*(b + c)*(c + a)", {}),
    ("all x:R. x^2 < 2 => x < 3/2", {}),
    ("all x y:R. x^2 + y^2 = 1 => x = 3/5 => y = 4/5 or y = -4/5", {}),
    ("all x y:R. not (x*y = 1 and x + y = 1)", {}),
    ("all x y:R. x < y <=> x^3 < y^3", {}),
    ("all x:R. sqrt(x)^2 = x => x < 0 => false", {}),
    ("all x:R. x*(1/x) = 1 => 0 < x => 0 < 1/x", {}),
    ("all x y:R. x*(1/x) = 1 => y/x = 2 => y = 2*x", {}),
    ("all f:R~>R, t:R. f'(t)^2 + f(t)^2 <= 0 => f'(t) = 0", {}),
    ("all n:Z. n^2 != 2", {"ints": ["n"]}),
    ("all n:Z. n != 0 => 1 <= n^2", {"ints": ["n"]}),
    ("all n:Z, x:R. 0 <= (n + x)^2", {}),
]

# each is false, or does not follow from what the solver may be told
NOT_SHOWN: list[tuple[str, dict[str, Any]]] = [
    ("all x y:R. 0 < x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2", {}),  # 0 at (1, 1)
    ("all x y:R. 0 <= x^4*y^2 + x^2*y^4 + 1 - 301/100*x^2*y^2", {}),
    ("all x:R. x^2 <= 2 => x < 1", {}),
    ("all x:R. x < 3/2 => x^2 < 2", {}),
    ("all x:R. 0 <= x => 0 < x", {}),
    ("all x:R. x/x = 1", {}),
    ("all x:R. 0 <= x => 0 <= 1/x", {}),  # 1/0 may be negative
    ("all x:R. 1/(x^2 + 1) <= 1", {}),  # true, but nothing is known of a reciprocal
    ("all x:R. (2/x)*x = 2", {}),
    ("1/0 = 0", {}),
    ("all x:R. sqrt(x)^2 = x", {}),
    ("all x:R. 0 <= sqrt(x)", {}),  # the root of -1 may be anything
    ("all x:R. x^(-1)*x = 1", {}),
    ("all x:R. abs(x) = x", {}),
    ("all x y:R. sqrt(x) = sqrt(y)", {}),
    ("all x:R. 0 < x => log(x^2) = 2*log(x)", {}),
    ("all n:Z. n^2 != 2", {}),  # an integer is only a real number unless it is declared
    ("all n:Z. n < 1 => n <= 0", {}),
    ("all x:R. 0 < x => 0 < x + x^3", {"use": []}),
    ("all x:R. (all y:R. y < x) => x < 0", {}),  # a quantified hypothesis is not used
    ("all f:R~>R. f(0) = f(1)", {}),
]

REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("all x:R. ex y:R. x < y", {}),
    ("all A:M(2,2). A = A", {}),
    ("all x:R. (all y:R. y < x) => x < 0", {"use": ["h1"]}),
    ("all x:R. x^2 != 2", {"ints": ["x"]}),
    ("all x:R. ((x^64)^64)^64 = 0", {}),
    ("all x:R. x = 2^20000", {"ints": ["y"]}),
    ("all x:R. x < " + "9" * 4000, {}),
]


@needs_solver
@pytest.mark.parametrize("text, options", SHOWN, ids=range(len(SHOWN)))
def test_what_the_solver_shows_is_accepted_as_its_word(text: str, options: dict[str, Any]) -> None:
    theorem = proved(text, leaf("oracle", **options))
    assert theorem.counts["oracle"] == 1
    assert answers(theorem) == {f"{node(theorem)['solver']}: unsat of {digest(theorem)}"}


@needs_solver
@pytest.mark.parametrize("text, options", NOT_SHOWN, ids=range(len(NOT_SHOWN)))
def test_what_does_not_follow_is_not_shown(text: str, options: dict[str, Any]) -> None:
    with pytest.raises(LogicError, match=r"oracle: not shown: z3 .* answers sat") as error:
        prove(text, leaf("oracle", **options))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text, options", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_problem_of_polynomials_is_refused(text: str, options: dict[str, Any]) -> None:
    with pytest.raises(LogicError, match="oracle: ") as error:
        prove(text, leaf("oracle", **options))
    assert "\n" not in str(error.value).partition("[")[0].strip()


@needs_solver
@pytest.mark.parametrize(
    "text, told",
    [
        ("all x:R. x^2 <= 2 => x < 1", ", with a counterexample: x = "),
        ("all x:R. 0 <= x => 0 <= 1/x", ", with a candidate for a counterexample: "),
        ("all n:Z. n^2 != 1/4", ", with a candidate for a counterexample: n = "),
        ("all x:R. x^2 != 2", "answers sat$"),
        ("1 < 0", "answers sat$"),
    ],
)
def test_values_are_called_a_counterexample_only_when_exact_arithmetic_says_so(text: str, told: str) -> None:
    with pytest.raises(LogicError, match=told):
        prove(text, leaf("oracle"))


@needs_solver
def test_the_solver_gives_up_by_its_own_count_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "OPTIONS", ("-in", "rlimit=1"))
    solver.ask.cache_clear()
    with pytest.raises(LogicError, match=r"not shown: z3 5\.[0-9.]+ does not know"):
        prove(MOTZKIN, leaf("oracle"))
    solver.ask.cache_clear()


@pytest.mark.parametrize(
    "says", ['(error "line 3")\nunsat\n(:version "5.4.1")\n', "unsat\n", "", 'unsat\n(:version "?")\n', "timeout\n"]
)
def test_only_a_plain_answer_counts(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Done:
        stdout = says

    monkeypatch.setattr(solver, "executable", lambda: "z3")
    monkeypatch.setattr(solver.subprocess, "run", lambda *_, **__: Done)
    solver.ask.cache_clear()
    assert solver.ask("(check-sat)\n").word == "unknown"
    solver.ask.cache_clear()


def test_bytes_that_are_no_text_are_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "z3"
    program.write_text("#!/bin/sh\ncat > /dev/null\nprintf '\\377\\376unsat\\n'\n")
    program.chmod(0o755)
    monkeypatch.setattr(solver, "executable", lambda: str(program))
    solver.ask.cache_clear()
    assert solver.ask("(check-sat)\n").word == "unknown"
    solver.ask.cache_clear()


def test_without_a_solver_one_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "executable", lambda: None)
    solver.ask.cache_clear()
    with pytest.raises(LogicError, match="oracle: no SMT solver is installed: the extra smt"):
        prove("all x:R. 0 <= x^2 + 1/7", leaf("oracle"))


def test_a_program_in_the_current_folder_is_not_the_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "z3").write_text("#!/bin/sh\necho unsat\n")
    (tmp_path / "z3").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(solver.sysconfig, "get_path", lambda _: str(tmp_path / "nothing"))
    for path in ("", ".", f"{os.pathsep}."):
        monkeypatch.setenv("PATH", path)
        assert solver.executable() is None


# --- the problem, by both programs ---

PROBLEMS = [text for text, _ in SHOWN + NOT_SHOWN if "all y:R" not in text] + [
    "all x y:R. -3/4*x - -2 < 5/7 and (true or false) => not (x/3 = y/(-5/2))",
    "all x y z:R. x/(y + 1)*z + 1/(y + 1) = y/(y + 1) - x^0 + x^1 + x^64 + x^65",
    "all A:M(2,2), i:Z. A[i,1] + A[i, 1] <= tr(A) + det(A)*A[1, i]",
    "all E:Z->R, n:Z. sum(i, 1, n, E(i)) + n = sum(j, 1, n, E(j)) + n^2 and D(t, t^2, n) = D(s, s^2, n)",
]


@pytest.mark.parametrize("text", PROBLEMS, ids=range(len(PROBLEMS)))
@pytest.mark.parametrize("whole", [False, True])
def test_both_programs_write_the_same_problem(text: str, whole: bool) -> None:
    f = parse(text)
    decls, body = (f[1], f[2]) if f[0] == "all" else ((), f)
    ctx = dict(decls)
    ints = {x for x, sort in decls if sort == "Z" and whole}
    mine = Problem(ctx, ints).text([body], body)
    case = json.loads(json.dumps(thaw(body)))
    sorts = {x: read_sort(s) for x, s in thaw(tuple(decls))}
    writer = Writer(LIBRARY.sorter, sorts, ints)
    formula = read_formula(case)
    assert "".join(writer.problem([formula], formula)) == mine


def test_a_problem_reads_as_the_page_of_logic_says() -> None:
    f = parse("all n:Z, x y:R. x^2 < -3/4*n => y/x + 1/x != n")
    got = Problem(dict(f[1]), ["n"]).text([f[2][1]], f[2][2])
    assert got == (
        "(set-logic QF_NIRA)\n(declare-fun v1 () Real)\n(declare-fun v2 () Int)\n(declare-fun v3 () Real)\n"
        "(declare-fun v4 () Real)\n(assert (< (* v1 v1) (* (- (/ 3.0 4.0)) (to_real v2))))\n"
        "(assert (not (not (= (+ (* v3 v4) v4) (to_real v2)))))\n(check-sat)\n"
    )


# --- forged and edited leaves ---


def forged(text: str, hyps: list[str]) -> tuple[Any, Any]:
    """A statement and a proof whose leaf was made without asking anybody."""
    f = parse(text)
    ctx, body, k = dict(f[1]), f[2], 0
    proof: dict[str, Any] = {}
    place = proof
    place.update({"r": "fix", "names": [x for x, _ in f[1]], "c": [{}]})
    known = {}
    while body[0] == "=>":
        place = place["c"][0]
        place.update({"r": "assume", "name": f"h{k}", "c": [{}]})
        known[f"h{k}"] = body[1]
        body, k = body[2], k + 1
    problem = Problem(ctx).text([known[h] for h in hyps], body)
    place["c"][0].update({"r": "oracle", "hyps": hyps, "problem": problem, "solver": "z3 5.4.1", "answer": "unsat"})
    return json.loads(json.dumps(thaw(f))), proof


def check(statement: Any, proof: Any, ask: Callable[[str], str] | None = None) -> set[str]:
    return Checker(LIBRARY, no_lemma, ask).check(read_formula(statement), proof).oracles


def asked(problem: str) -> str:
    return solver.ask(problem).word


@needs_solver
def test_a_forged_answer_is_refused_when_the_solver_is_asked_again() -> None:
    true = forged("all x:R. x < 0 => x < 1", ["h0"])
    assert len(check(*true)) == len(check(*true, asked)) == 1
    false = forged("all x:R. x < 1 => x < 0", ["h0"])
    assert len(check(*false)) == 1  # only the problem is checked: the answer is counted, not believed
    with pytest.raises(Refused, match="asked again, the solver answers sat"):
        check(*false, asked)


@needs_solver
def test_a_hypothesis_that_is_dropped_is_another_problem() -> None:
    statement, proof = forged("all x:R. x < 0 => x < 1", [])
    with pytest.raises(Refused, match="answers sat"):
        check(statement, proof, asked)
    whole = forged("all x:R. x < 0 => x < 1", ["h0"])[1]
    proof["c"][0]["c"][0]["problem"] = whole["c"][0]["c"][0]["problem"]
    with pytest.raises(Refused, match="the problem is not that of the goal"):
        check(statement, proof)


EDITS: list[dict[str, Any]] = [
    {"answer": "sat"},
    {"answer": "unknown"},
    {"answer": True},
    {"solver": "a friend"},
    {"solver": "z3"},
    {"solver": "z3 5.4.1: unsat"},
    {"solver": 5},
    {"problem": "(assert false)\n(check-sat)\n"},
    {"problem": ["(check-sat)"]},
    {"hyps": ["h1"]},
    {"hyps": "h0"},
    {"hyps": [["h0"]]},
    {"ints": ["x"]},
    {"ints": ["y"]},
    {"ints": [["x"]]},
    {"ints": "x"},
    {"ints": 1},
    {"more": 1},
    {"c": [{"r": "truth"}]},
]


@pytest.mark.parametrize("edits", EDITS, ids=[str(e)[:40] for e in EDITS])
def test_an_edited_leaf_is_refused(edits: dict[str, Any]) -> None:
    statement, proof = forged("all x:R. x < 0 => x < 1", ["h0"])
    proof["c"][0]["c"][0].update(edits)
    with pytest.raises(Refused):
        check(statement, proof)
    if "more" not in edits:  # the kernel looks at what it needs
        with pytest.raises(LogicError):
            kernel_check(freeze(statement), freeze_node(proof), no_lemma)


@pytest.mark.parametrize("missing", ["hyps", "problem", "solver", "answer"])
def test_every_argument_is_needed(missing: str) -> None:
    statement, proof = forged("all x:R. x < 0 => x < 1", ["h0"])
    del proof["c"][0]["c"][0][missing]
    with pytest.raises(Refused, match=f"the argument {missing} is missing"):
        check(statement, proof)


def test_every_change_of_one_character_of_a_problem_is_refused() -> None:
    statement, proof = forged("all x:R. x < 0 => x < 1", ["h0"])
    problem = proof["c"][0]["c"][0]["problem"]
    for k in range(0, len(problem), 3):
        for new in (problem[:k] + problem[k + 1 :], problem[:k] + "1" + problem[k:]):
            edited = copy.deepcopy(proof)
            edited["c"][0]["c"][0]["problem"] = new
            if new != problem:
                with pytest.raises(Refused):
                    check(statement, edited)


# --- helpers ---


def node(theorem: Theorem) -> dict[str, Any]:
    found: Any = theorem.proof
    while found["r"] != "oracle":
        found = found["c"][0]
    return dict(found)


def answers(theorem: Theorem) -> set[str]:
    return check(json.loads(json.dumps(thaw(theorem.statement))), json.loads(json.dumps(theorem.proof)))


def digest(theorem: Theorem) -> str:
    return answer(node(theorem)).partition(" of ")[2]
