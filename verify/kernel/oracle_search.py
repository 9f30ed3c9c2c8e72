"""Asking an SMT solver for the leaf `oracle` (extra `smt`); nothing here is trusted.

What it answers `sat` gives values that are a candidate for a counterexample, looked at exactly before it is called one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from verify.kernel import finite
from verify.kernel.oracle import Problem
from verify.kernel.rules import Sequent
from verify.kernel.syntax import rational
from verify.kernel.terms import Formula, LogicError, Term, negate, subst
from verify.kernel.text.surface import pretty

_TOKEN = re.compile(r"[()]|[^\s()]+")


def leaf(seq: Sequent, use: Sequence[str] | None, ints: Sequence[str]) -> dict[str, Any]:
    """The arguments of the leaf; raises LogicError, in one line, unless the answer is `unsat`.

    use: the names of the hypotheses, by default all that are combinations of comparisons of numbers.
    """
    from verify.recheck.solver import NoSolver, ask

    names = _comparisons(seq) if use is None else tuple(use)
    problem = Problem(seq.ctx, ints)
    text = problem.text([seq.hyp(h) for h in names], seq.concl)
    try:
        answer = ask(text)
        if answer.word == "sat":
            found = ask(text, f"(get-value ({' '.join(problem.unknowns.values())}))\n" if problem.terms else "").more
            raise LogicError(f"oracle: not shown: {answer.solver} answers sat{_candidate(seq, names, problem, found)}")
    except NoSolver as error:
        raise LogicError(f"oracle: {error}") from None
    if answer.word != "unsat":
        raise LogicError(f"oracle: not shown: {answer.solver} does not know, or not within its limits")
    arguments: dict[str, Any] = {"hyps": names, "problem": text, "solver": answer.solver, "answer": answer.word}
    return {**arguments, "ints": tuple(ints)} if ints else arguments


def _comparisons(seq: Sequent) -> tuple[str, ...]:
    found = []
    for name, f in seq.hyps.items():
        try:
            Problem(seq.ctx).formula(f)
        except LogicError:
            continue
        found.append(name)
    return tuple(found)


def _candidate(seq: Sequent, names: Sequence[str], problem: Problem, found: str) -> str:
    """The values in words; empty where one of them is not rational."""
    values = [_rational(x) for x in _pairs(found)]
    if not values or len(values) != len(problem.terms) or None in values:
        return ""
    model = {t: rational(v) for t, v in zip(problem.terms, values, strict=True) if v is not None}
    shown = ", ".join(f"{pretty(t)} = {pretty(v)}" for t, v in model.items())
    told = "a counterexample" if _refutes(seq, names, model) else "a candidate for a counterexample"
    return f", with {told}: {shown}"


def _refutes(seq: Sequent, names: Sequence[str], model: dict[Term, Term]) -> bool:
    """Whether the values satisfy the hypotheses and not the conclusion, by exact arithmetic; integers must be integers."""
    if any(not isinstance(x, str) or (seq.ctx[x] == "Z" and not isinstance(v, int)) for x, v in model.items()):
        return False
    whole: Formula = ("and", *(seq.hyp(h) for h in names), negate(seq.concl))
    try:
        finite.compute(subst(whole, model))
    except LogicError:
        return False
    return True


def _pairs(text: str) -> list[Any]:
    """The values in the answer `((v1 x1) (v2 x2) ..)`, as nested lists of words."""
    stack: list[list[Any]] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    answer = stack[0][0] if stack[0] else []
    return [pair[1] for pair in answer if isinstance(pair, list) and len(pair) == 2]


def _rational(x: Any) -> Fraction | None:
    """A numeral, or one with a sign or a quotient of such; None for anything else (a root of a polynomial)."""
    if isinstance(x, str):
        return Fraction(x) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", x) else None
    if len(x) == 2 and x[0] == "-":
        inner = _rational(x[1])
        return None if inner is None else -inner
    if len(x) == 3 and x[0] == "/":
        a, b = _rational(x[1]), _rational(x[2])
        return None if a is None or not b else a / b
    return None
