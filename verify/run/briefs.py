"""What a verdict needs of a proof, kept beside it: so a run that finds everything in the cache parses and reads no proof.

A brief counts only under its seal, and for the very row of the cache that it was made from. It says what the process that
computes verdicts found when it had parsed the statement and walked the proof: their digests, the evidence, and for a refuted
claim the counterexample. What of the library of facts a proof rests on is found again when the library changed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from verify.run.evidence import Evidence, whole_library
from verify.run.files import digest, sha256
from verify.run.results import RoleResult


@functools.cache
def _makers() -> str:
    """The digest of the sources that a brief is made with."""
    here = Path(__file__).parent
    names = ("briefs.py", "evidence.py", "instances.py", "language.py", "results.py", "engine.py")
    return digest([sha256((here / name).read_bytes()) for name in names])


def key(task: str) -> str:
    """The key of the brief of a result with this key."""
    return digest(["brief", task, _makers()])


def make(result: RoleResult, row: bytes, under: str) -> dict[str, Any]:
    """The brief of a result that is stored in a row; `under` is the digest of the proof and of all that it rests on."""
    found = result.summary()
    return {
        "row": sha256(row),
        "status": result.status,
        "error": result.error,
        "formula": result.digest(),
        "proof": result.proof_digest(),
        "rests_on": result.library(),
        "library": whole_library(),
        "counts": found.counts,
        "facts": found.facts,
        "lemmas": found.lemmas,
        "trusted": found.trusted,
        "oracles": found.oracles,
        "under": under,
        "values": None if result.known_values is None else list(result.known_values.items()),
    }


def recall(brief: Any, row: bytes, read: Callable[[], Any]) -> RoleResult | None:
    """The result that a brief is of, its formula and proof to be read when they are needed; None if it is not of this row."""
    if not isinstance(brief, Mapping) or brief.get("row") != sha256(row):
        return None
    found = RoleResult(brief["status"], error=brief["error"], read=read)
    found.recall_digests(brief["formula"], brief["proof"])
    lemmas = tuple((claim, role) for claim, role in brief["lemmas"])
    found.evidence = Evidence(brief["counts"], tuple(brief["facts"]), lemmas, tuple(brief["trusted"]), tuple(brief["oracles"]))
    found.known_values = None if brief["values"] is None else dict(brief["values"])
    if brief["library"] == whole_library():
        found.rests_on = brief["rests_on"]
    return found
