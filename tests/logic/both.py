"""Ask the kernel and the checker whether a proof proves a statement, both given as the JSON of certificates."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.recheck.support import LIBRARY, Case, J
from verify.kernel import LogicError, check, freeze, freeze_node
from verify.recheck import Checker, Refused, read_formula


def no_lemma(claim: str, role: str) -> Any:
    raise LogicError(f"there is no lemma {claim} {role}")


def kernel_accepts(case: Case) -> bool:
    """Whether the kernel accepts; anything but its own refusal is an error."""
    statement, proof = case
    try:
        check(freeze(statement), freeze_node(proof), no_lemma)
    except LogicError as e:
        assert str(e)
        return False
    return True


def checker_accepts(case: Case) -> bool:
    """Whether the checker accepts; anything but a clean refusal is an error."""
    statement, proof = json.loads(json.dumps(case))
    try:
        Checker(LIBRARY).check(read_formula(statement), proof)
    except Refused as e:
        assert str(e) and "\n" not in str(e)
        return False
    return True


PROGRAMS: dict[str, Callable[[Case], bool]] = {"kernel": kernel_accepts, "checker": checker_accepts}
__all__ = ["PROGRAMS", "Case", "J", "checker_accepts", "kernel_accepts"]
