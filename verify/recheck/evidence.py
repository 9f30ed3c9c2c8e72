"""Evidence that is no proof, counted apart: recorded experiments and pictures, which can be replayed, and answers of oracles.

`reports/record.json` holds for every claim the results of its experiments (`tests`) and the digests of its pictures
(`figures`); `reports/verdicts.json` names for every claim the answers of oracles that it rests on. An entry is looked at for
its form, a picture for its digest, the answers are compared with those in the accepted certificates; nothing is run.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .store import selected
from .terms import Refused

RECORD = Path("reports/record.json")
VERDICTS = Path("reports/verdicts.json")
FIGURES = Path("reports/figures")
GRADES = ("sampled", "simulated", "numeric")
DECIDED = ("holds", "refuted")
AMENDED = "in the amendment: "
"""How a verdict names an answer on which its amendment rests; an answer on which it rests itself stands alone."""
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
        """The counts as JSON."""
        replayed = {**{g: self.experiments[g] for g in GRADES}, "figures": self.figures}
        return {"checked": self.checked, "resting": self.resting, "replayed": replayed, "oracle": len(self.answers)}

    def line(self, asked: bool = False) -> str:
        """One line for a reader."""
        grades = [f"{self.experiments[g]} {g}" for g in GRADES]
        again = " (asked again)" if asked and self.answers else ""
        return (
            f"evidence: {self.checked} parts checked; {self.replayed} results that can only be replayed "
            f"({', '.join(grades)}, {self.figures} figures); {len(self.answers)} answers of oracles{again}"
        )


def recorded(root: Path, ids: list[str], parts: list[dict[str, Any]]) -> Evidence:
    """The evidence below a root for these claims or papers, or for all; raises Refused for a broken file.

    parts: what the checker says of the parts of their certificates (`Result.data`).
    """
    found = Evidence()
    resting: dict[str, set[tuple[str, str]]] = defaultdict(set)  # answers, each with the role that rests on it
    for part in parts:
        if part["accepted"] is True:
            answers = part["oracles_with_lemmas"]
            found.resting += bool(answers)
            found.checked += not answers
            resting[part["claim"]].update((answer, part["role"]) for answer in answers)
            found.answers.update(answers)
    for claim, entry in _claims(root / RECORD, ids):
        for name, test in _entries(entry, "tests", claim):
            if test.get("status") == "done":
                _experiment(found, claim, name, test)
        for name, figure in _entries(entry, "figures", claim):
            if figure.get("status") == "done":
                _figure(found, root, claim, name, figure)
    for claim, verdict in _claims(root / VERDICTS, ids):
        oracles = verdict.get("oracles", [])
        if not isinstance(oracles, list) or not all(isinstance(x, str) for x in oracles):
            raise Refused(f"verdicts.json: the oracles of {claim} are no list of texts")
        decided = verdict.get("outcome") in DECIDED
        hidden = sorted({answer for answer, role in resting[claim] if not _named(answer, role, decided, oracles)})
        found.problems += [(claim, "verdict", f"does not say that it rests on the answer of {a}") for a in hidden]
    return found


def _named(answer: str, role: str, decided: bool, told: list[str]) -> bool:
    """Whether a verdict names the answer where this role needs it: one of a part only may stand under any heading."""
    if role == "amendment":
        return AMENDED + answer in told
    if decided and role in ("statement", "negation"):
        return answer in told
    return any(text.endswith(answer) for text in told)


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
            raise Refused(f"{path.name} is too large")
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
        raise Refused(f"record.json: the {part} of {claim} are no objects")
    yield from sorted(items.items())
