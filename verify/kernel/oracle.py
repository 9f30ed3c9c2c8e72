"""The leaf `oracle`: a solver says that the negation of the sequent, a problem in SMT-LIB, has no solution (LOGIC.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from verify.kernel.terms import Context, Formula, LogicError, Term, canon, sort_of

LONGEST = 200_000
"""Characters of a problem."""
MOST_BITS = 10_000
TOP_EXPONENT = 64
SOLVER = re.compile(r"z3 [0-9]+(\.[0-9]+)*")


class Problem:
    """The text of a problem as it grows, and its unknowns: the terms that are no polynomials in others."""

    def __init__(self, ctx: Context, ints: Iterable[str] = ()) -> None:
        self.ctx, self.ints = ctx, frozenset(ints)
        if strange := [x for x in self.ints if ctx.get(x) != "Z"]:
            raise LogicError(f"oracle: {min(strange)} is no declared integer")
        self.unknowns: dict[Term, str] = {}
        self.terms: list[Term] = []

    def text(self, hyps: Iterable[Formula], concl: Formula) -> str:
        """The whole problem: what is assumed, and not the conclusion."""
        lines = [f"(assert {self.formula(h)})" for h in hyps] + [f"(assert (not {self.formula(concl)}))"]
        sorts = ["Int" if t in self.ints else "Real" for t in self.terms]
        declared = [f"(declare-fun v{k} () {sort})" for k, sort in enumerate(sorts, 1)]
        logic = "QF_NIRA" if "Int" in sorts else "QF_NRA"
        return _short("\n".join([f"(set-logic {logic})", *declared, *lines, "(check-sat)", ""]))

    def formula(self, f: Formula) -> str:
        """A combination of comparisons of numbers; anything else is refused."""
        head, args = f[0], f[1:]
        if head in ("true", "false"):
            return str(head)
        if head in ("=", "!=", "<", "<=") and {sort_of(a, self.ctx) for a in args} <= {"R", "Z"}:
            plain = _apply("=" if head == "!=" else head, args, self.number)
            return f"(not {plain})" if head == "!=" else plain
        if head in ("and", "or") and len(args) == 1:
            return self.formula(args[0])
        if head in ("and", "or", "not", "=>", "iff"):
            return _apply("=" if head == "iff" else head, args, self.formula)
        raise LogicError("oracle: a formula is no combination of comparisons of numbers")

    def number(self, t: Term) -> str:
        """A polynomial in unknowns with rational coefficients."""
        if isinstance(t, int):
            return _literal(t)
        if isinstance(t, str):
            return self.unknown(t)
        head = t[0]
        if head == "q":
            return f"(- (/ {_literal(-t[1])} {_literal(t[2])}))" if t[1] < 0 else f"(/ {_literal(t[1])} {_literal(t[2])})"
        if head in ("+", "*"):
            return _apply(head, t[1:], self.number)
        if head == "^" and isinstance(t[2], int) and 0 <= t[2] <= TOP_EXPONENT:
            if t[2] == 0:
                return "1.0"
            base = self.number(t[1])
            return base if t[2] == 1 else _short(f"(* {' '.join([base] * t[2])})")
        if head == "/" and _is_nonzero_literal(t[2]):
            return _apply("/", t[1:], self.number)
        if head == "/" and t[1] != 1:  # the total inverse of the divisor is a number of which nothing is known
            return _apply("*", (t[1], ("/", 1, t[2])), self.number)
        return self.unknown(t)

    def unknown(self, t: Term) -> str:
        """A term as an unknown of its own."""
        key = canon(t)
        if key not in self.unknowns:
            self.terms.append(t)
            self.unknowns[key] = f"v{len(self.terms)}"
        return f"(to_real {self.unknowns[key]})" if t in self.ints else self.unknowns[key]


def oracle(ctx: Context, hyps: dict[str, Formula], concl: Formula, node: dict[str, Any]) -> None:
    """Accept a sequent whose negation a solver found to be unsatisfiable.

    Trusted: the solver, which leaves nothing that can be checked; that the values of the terms in a counterexample to the
    sequent would solve the problem (LOGIC.md, section `oracle`).
    """
    names, ints = node["hyps"], node.get("ints", ())
    if not isinstance(names, tuple) or not isinstance(ints, tuple) or not all(isinstance(x, str) for x in (*names, *ints)):
        raise LogicError("oracle: hyps and ints are lists of names")
    if missing := [h for h in names if h not in hyps]:
        raise LogicError(f"oracle: no hypothesis {missing[0]}")
    if not isinstance(node["solver"], str) or not SOLVER.fullmatch(node["solver"]) or node["answer"] != "unsat":
        raise LogicError("oracle: the answer is no `unsat` of a solver with its version")
    if node["problem"] != Problem(ctx, ints).text([hyps[h] for h in names], concl):
        raise LogicError("oracle: the problem is not that of the goal")


def _apply(operator: str, args: Iterable[Any], translate: Callable[[Any], str]) -> str:
    return _short(f"({operator} {' '.join([translate(a) for a in args])})")


def _literal(n: int) -> str:
    if n.bit_length() > MOST_BITS:
        raise LogicError("oracle: a literal is too long")
    return f"{n}.0" if n >= 0 else f"(- {-n}.0)"


def _is_nonzero_literal(t: Term) -> bool:
    return t != 0 if isinstance(t, int) else isinstance(t, tuple) and t[0] == "q" and t[1] != 0


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise LogicError("oracle: the problem is too long")
    return text
