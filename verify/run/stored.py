"""Stored certificates: what `reports/certificates` holds of a claim, and whether it is out of date.

A stored certificate is a proposal. It counts when it speaks of the very formula that the process that computes verdicts has
parsed from the bound text, and when the checker accepts it in this run (or has, under the seal of the cache). That it is not
out of date decides only whether a script is run: a role whose own sources changed since is proved again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.errors import InputError
from verify.run import certificates, recorded
from verify.run.files import MAX_CERTIFICATE, digest, sha256
from verify.run.results import TIMED_OUT, Results

if TYPE_CHECKING:
    from verify.project import Project


class Stored:
    """The stored certificates of a project. A file is read when it is asked for; its content is not kept."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._inputs: Mapping[str, Mapping[str, str]] | None = None
        self._digests: dict[str, str] = {}
        self._parts: tuple[str, Mapping[str, Any]] = ("", {})

    def current(self, claim: str, role: str, own: str) -> bool:
        """Whether a certificate is stored that was recorded for these sources of the role (`Keys.own`)."""
        if self._inputs is None:
            self._inputs = recorded.inputs(self._project)
        return self._inputs.get(claim, {}).get(role) == own and bool(self.digest(claim))

    def digest(self, claim: str) -> str:
        """The SHA-256 of a claim's file as it was first seen in this run; empty where there is none, or one beyond the limit."""
        if claim not in self._digests:
            path = self._path(claim)
            there = path.is_file() and path.stat().st_size <= MAX_CERTIFICATE
            self._digests[claim] = sha256(path.read_bytes()) if there else ""
        return self._digests[claim]

    def raw(self, claim: str) -> bytes:
        """The bytes of a claim's file; an InputError when they are no more those that were first seen."""
        path = self._path(claim)
        try:
            found = path.read_bytes()
        except OSError:
            found = b""
        if sha256(found) != self.digest(claim):
            raise InputError(f"{self._project.relative(path)}: changed during the run; run again")
        return found

    def parts(self, claim: str) -> Mapping[str, Mapping[str, Any]]:
        """The parts of a claim's certificate by role, each with a statement and a proof; none where the file is not one."""
        if self._parts[0] != claim:
            self._parts = (claim, self._read(claim) if self.digest(claim) else {})
        return self._parts[1]

    def content(self, claim: str, role: str) -> dict[str, Any]:
        """The formula and the proof that are stored of a role, both None where there are none."""
        part = self.parts(claim).get(role, {})
        return {"formula": part.get("statement"), "proof": part.get("proof")}

    def _read(self, claim: str) -> Mapping[str, Mapping[str, Any]]:
        try:
            data = json.loads(self.raw(claim))
        except (ValueError, RecursionError):  # the checker will say what is wrong with it
            return {}
        parts = data.get("parts") if isinstance(data, dict) and data.get("claim") == claim else None
        if not isinstance(parts, dict):
            return {}
        return {role: part for role, part in parts.items() if isinstance(part, dict) and {"statement", "proof"} <= set(part)}

    def _path(self, claim: str) -> Path:
        return certificates.path_of(self._project.reports, claim)


def strayed(parts: Mapping[str, Mapping[str, Any]], claim: str, results: Results) -> Iterator[tuple[str, str]]:
    """The roles whose stored certificates did not come out of their scripts, or that have none, with the reason.

    parts: what is stored of the claim; results: of a run of all scripts.
    """
    bound = [b.role for b in results.registry.roles(claim)]
    for role in (*bound, *sorted(parts.keys() - set(bound))):
        result, why = results.roles.get((claim, role)), results.why_not(claim, role)
        if role not in parts:
            if not why:
                yield role, "proved, but no certificate is stored; `verify report` writes it"
        elif result is not None and result.status == TIMED_OUT:
            yield role, "a certificate is stored, but the script exceeded the time limit"
        elif why:
            yield role, f"a certificate is stored, but {why}"
        elif result is not None and result.digest() != digest(parts[role]["statement"]):
            yield role, "the stored certificate is of another statement than the script proves"
