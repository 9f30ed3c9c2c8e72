"""Witnesses: a proof that the hypotheses of a claim can be met, found and proved by the engine."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from typing import Any

from verify.kernel import LogicError
from verify.kernel.terms import Formula
from verify.run.derived import conjuncts
from verify.run.models.evident import prove
from verify.run.models.witness import Candidate, candidates

TRIED = 4
"""How many values are tried for one list of hypotheses."""


@dataclass(frozen=True)
class Witness:
    """A proof of a formula made by `derived.satisfiable`, or why there is none."""

    proof: Any = None
    reason: str = ""


def find(formula: Formula, seconds: float = 10.0, seed: int = 1) -> Witness:
    """Search for values that meet the hypotheses, and for a proof that they do.

    seconds: time of this process for one proof; the whole takes about three times as much.
    """
    began = time.process_time()
    parts = formula[1:] if formula[0] == "and" and all(p[0] == "ex" for p in formula[1:]) else (formula,)
    chosen: list[Candidate | None] = []
    for part in parts:
        if part[0] != "ex":
            chosen.append(None)
            continue
        reason = "no values were found"
        for candidate in itertools.islice(candidates(part[1], tuple(conjuncts(part[2])), seed, seconds / 3), TRIED):
            if time.process_time() - began > 3 * seconds:
                return Witness(reason=reason)
            try:
                prove(part, [candidate], seconds)
            except (LogicError, ArithmeticError, RecursionError, ValueError) as error:
                reason = f"not shown of the values that were found: {error}"
                continue
            chosen.append(candidate)
            break
        else:
            return Witness(reason=reason)
    try:
        return Witness(prove(formula, chosen, seconds * len(parts)).proof)
    except (LogicError, ArithmeticError, RecursionError, ValueError) as error:
        return Witness(reason=str(error))
