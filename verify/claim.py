"""Papers and their claims, as the catalogues state them: pure data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

KINDS = (
    "assertion",
    "assumption",
    "cited",
    "conjecture",
    "corollary",
    "definition",
    "equation",
    "example",
    "experiment",
    "lemma",
    "proof-step",
    "proposition",
    "theorem",
)
"""What an entry of a catalogue may be."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One entry of a catalogue: what the paper prints, and hints for checking it."""

    id: str
    label: str
    section: str
    kind: str
    title: str
    statement: str
    assumptions: str
    depends_on: tuple[str, ...]
    route: str
    check: str
    edge_cases: str
    transcription: str = ""

    @property
    def paper(self) -> str:
        """The slug of the paper, the part of the id before the first dot."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """The id without the paper."""
        return self.id.partition(".")[2]

    def digest(self) -> str:
        """SHA-256 of the entry."""
        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Paper:
    """A catalogue: the paper's data and its claims in the order of the file."""

    slug: str
    title: str
    authors: tuple[str, ...]
    year: int
    notation: str
    claims: tuple[Claim, ...]
    sha256: str
    path: Path = field(compare=False)
    package: str = field(default="", compare=False)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)
