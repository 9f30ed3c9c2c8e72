"""A kernel that proves whatever its script closes: for tests of the machinery around the real one."""

from __future__ import annotations

from typing import Any


class ProofError(Exception):
    """The stub's refusal."""


class Theorem:
    """What the stub proves."""

    def __init__(self, statement: Any, proof: Any) -> None:
        self.statement, self.proof = statement, proof


class Goal:
    """Collects nodes."""

    def __init__(self, lemmas: Any) -> None:
        self.children: list[Any] = []
        self._lemmas = lemmas
        self.closed = False

    def close(self, rule: str = "field") -> None:
        """Close the goal."""
        self.children.append({"r": rule})
        self.closed = True

    def lemma(self, claim: str, role: str = "statement") -> Any:
        """Use a lemma."""
        self.children.append({"r": "lemma", "claim": claim, "role": role, "name": "h"})
        return self._lemmas(claim, role)

    def trusted(self, why: str) -> None:
        """Use a trusted step."""
        self.children.append({"r": "trusted", "why": why, "f": ["true"]})
        self.closed = True


def parse(text: str) -> Any:
    """Any text without a question mark is a formula."""
    if "?" in text:
        raise ProofError("unexpected ?")
    return ["=", text.strip(), "0"]


def pretty(formula: Any) -> str:
    """The text again."""
    return str(formula[1]) if isinstance(formula, list) else str(formula)


def lines(formula: Any) -> str:
    """The text again."""
    return pretty(formula)


class Alphabet:
    """No letters of its own."""

    def __init__(self, *formulas: Any) -> None:
        self.formulas = formulas


def latex(formula: Any, alphabet: Any = None) -> str:
    """The text as LaTeX."""
    return r"\text{" + pretty(formula) + "}"


def negate(formula: Any) -> Any:
    """The negation."""
    return ["!=", formula[1], formula[2]]


def prove(statement: Any, script: Any, lemmas: Any = None) -> Theorem:
    """Run the script."""
    goal = Goal(lemmas)
    script(goal)
    if not goal.closed:
        raise ProofError("the goal is still open")
    return Theorem(statement, {"r": "have", "name": "h", "f": statement, "c": goal.children})
