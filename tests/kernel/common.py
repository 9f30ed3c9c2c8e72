"""Proving through the kernel and checking again through the independent checker."""

from __future__ import annotations

import json
from typing import Any

from verify.kernel import Goal, Theorem, disprove, parse, pretty, prove, thaw
from verify.recheck.facts import Library
from verify.recheck.rules import Checker
from verify.recheck.store import FACTS, load
from verify.recheck.terms import read_formula

LIBRARY = Library(load(FACTS))


def no_lemma(claim: str, role: str) -> Any:
    raise KeyError((claim, role))


def recheck(theorem: Theorem) -> None:
    """The checker accepts the theorem as it stands in JSON; raises Refused if not."""
    statement, proof = json.loads(json.dumps([thaw(theorem.statement), theorem.proof]))
    Checker(LIBRARY, no_lemma).check(read_formula(statement), proof)


def proved(text: str, script: Any) -> Theorem:
    """Prove a statement, check it independently, and check that its text round-trips."""
    f = parse(text)
    assert parse(pretty(f)) == f
    theorem = prove(f, script)
    recheck(theorem)
    return theorem


def disproved(text: str, script: Any) -> Theorem:
    theorem = disprove(text, script)
    recheck(theorem)
    return theorem


def leaf(method: str, *args: Any, **kwargs: Any) -> Any:
    """A script: introduce everything, then one call."""

    def script(g: Goal) -> None:
        g.intro()
        getattr(g, method)(*args, **kwargs)

    return script
