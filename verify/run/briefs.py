"""What a verdict needs of a proof, kept beside it: so a run that finds everything in its place parses and reads no proof.

A brief counts only under its seal, and for the very row of the cache, or certificate's file, that it was made from. It says
what the process that computes verdicts found when it had parsed the statement and walked the proof: their digests, the
evidence, and for a refuted claim the counterexample. What of the library of facts a proof rests on is found again when the
library changed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from verify.run.files import digest, sha256
from verify.run.results import RoleResult


@functools.cache
def _makers() -> str:
    """The digest of the sources that a brief is made with."""
    here = Path(__file__).parent
    names = ("briefs.py", "evidence.py", "instances.py", "language.py", "results.py", "engine.py", "stored.py")
    return digest([sha256((here / name).read_bytes()) for name in names])


def key(task: str) -> str:
    """The key of the brief of a result with this key."""
    return digest(["brief", task, _makers()])


def make(result: RoleResult, source: str, under: str) -> dict[str, Any]:
    """The brief of a result; `source` is the SHA-256 of the row or file that holds it.

    `under` is the digest of the proof and of all that it rests on.
    """
    more = {"source": source, "status": result.status, "error": result.error, "under": under}
    return {**more, **result.outline(), "values": None if result.known_values is None else list(result.known_values.items())}


def recall(brief: Any, source: str, read: Callable[[], Any]) -> RoleResult | None:
    """The result that a brief is of, its formula and proof to be read when they are needed; None if it is of another source."""
    if not isinstance(brief, Mapping) or brief.get("source") != source:
        return None
    found = RoleResult.from_outline(brief, read, brief["status"], brief["error"])
    found.known_values = None if brief["values"] is None else dict(brief["values"])
    return found
