"""Evidence that is no proof, counted apart: recorded experiments and pictures, which can be replayed, and answers of oracles.

`reports/record.json` holds for every claim the results of its experiments (`tests`) and the digests of its pictures
(`figures`); `reports/verdicts.json` says of every claim what became of it and what that rests on. An entry is looked at for
its form, a picture for its digest, a verdict is compared with the accepted certificates; nothing is run.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .names import plain
from .store import selected
from .terms import Refused
from .verdicts import compared

RECORD = Path("reports/record.json")
VERDICTS = Path("reports/verdicts.json")
FIGURES = Path("reports/figures")
GRADES = ("sampled", "simulated", "numeric")
MAX_BYTES = 64_000_000


@dataclass
class Evidence:
    """How much evidence of each kind is recorded, and what of it is not as it should be."""

    checked: int = 0
    """Parts that were accepted and rest on no oracle."""
    resting: int = 0
    """Parts that were accepted and rest on answers of an oracle."""
    answers: set[str] = field(default_factory=set)
    """The answers of oracles that accepted parts rest on."""
    experiments: Counter[str] = field(default_factory=Counter)
    figures: int = 0
    problems: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def replayed(self) -> int:
        """The results that can only be replayed."""
        return self.experiments.total() + self.figures

    def data(self) -> dict[str, Any]:
        """The counts, and what is not as it should be, as JSON."""
        replayed = {**{g: self.experiments[g] for g in GRADES}, "figures": self.figures}
        counts = {"checked": self.checked, "resting": self.resting, "replayed": replayed, "oracle": len(self.answers)}
        return {**counts, "problems": [{"claim": c, "name": name, "reason": why} for c, name, why in self.problems]}

    def line(self, asked: bool = False) -> str:
        """One line for a reader."""
        grades = [f"{self.experiments[g]} {g}" for g in GRADES]
        again = " (asked again)" if asked and self.answers else ""
        return (
            f"evidence: {self.checked} parts checked; {self.replayed} results that can only be replayed "
            f"({', '.join(grades)}, {self.figures} figures); {len(self.answers)} answers of oracles{again}"
        )


def recorded(root: Path, ids: list[str], parts: list[dict[str, Any]], unasked: Collection[str] = ()) -> Evidence:
    """The evidence below a root for these claims or papers, or for all; raises Refused for a broken file.

    parts: what the checker says of the parts of their certificates (`Result.data`). unasked: claims whose certificates the
    checker was not asked about; their verdicts are compared with nothing.
    """
    found = Evidence()
    parts = [part for part in parts if selected(part["claim"], ids)]
    for part in parts:
        if part["accepted"] is True:
            answers = part["oracles_with_lemmas"]
            found.resting += bool(answers)
            found.checked += not answers
            found.answers.update(answers)
    tests: dict[str, set[bool]] = defaultdict(set)
    for claim, entry in _claims(root / RECORD, ids):
        for name, test in _entries(entry, "tests", claim):
            if test.get("status") == "done":
                _experiment(found, claim, name, test)
                tests[claim].add(test.get("holds") is True)
        for name, figure in _entries(entry, "figures", claim):
            if figure.get("status") == "done":
                _figure(found, root, claim, name, figure)
    verdicts = {claim: verdict for claim, verdict in _claims(root / VERDICTS, ids) if claim not in unasked}
    whole = (root / VERDICTS).is_file()
    found.problems += [(claim, "verdict", why) for claim, why in compared(verdicts, tests, parts, whole)]
    return found


def _experiment(found: Evidence, claim: str, name: str, test: dict[str, Any]) -> None:
    grade = test.get("grade")
    if grade not in GRADES:
        found.problems.append((claim, name, "an experiment is sampled, simulated or numeric"))
    elif not isinstance(test.get("holds"), bool) or not isinstance(test.get("statistics"), dict):
        found.problems.append((claim, name, "a result says whether it holds, with statistics"))
    else:
        found.experiments[grade] += 1


def _figure(found: Evidence, root: Path, claim: str, name: str, figure: dict[str, Any]) -> None:
    path = root / FIGURES / claim.partition(".")[0] / f"{name}.svg"
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        digest = ""
    if digest != figure.get("svg"):
        found.problems.append((claim, name, "the picture is not the recorded one"))
    else:
        found.figures += 1


def _claims(path: Path, ids: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.is_file():
        return
    try:
        if path.stat().st_size > MAX_BYTES:
            raise Refused(f"{plain(path.name)} is too large")
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        raise Refused(f"{path.name} cannot be read") from None
    claims = content.get("claims") if isinstance(content, dict) else None
    if not isinstance(claims, dict) or not all(isinstance(entry, dict) for entry in claims.values()):
        raise Refused(f"{path.name} has no claims")
    for claim, entry in sorted(claims.items()):
        if selected(claim, ids):
            yield claim, entry


def _entries(entry: dict[str, Any], part: str, claim: str) -> Iterator[tuple[str, dict[str, Any]]]:
    items = entry.get(part, {})
    if not isinstance(items, dict) or not all(isinstance(item, dict) for item in items.values()):
        raise Refused(f"record.json: the {part} of {plain(claim)} are no objects")
    yield from sorted(items.items())
