"""The constants of a paper: what is printed, what the printed argument yields, and what is better.

`constants.toml` beside a catalogue has entries `[[constant]]`:

    claim     the claim in which the constant is printed
    printed   the printed constant
    yields    what the printed argument yields
    follows   "yes" or "no", or a few words: whether the printed constant follows
    better    a better constant, where one is known
    shown_by  where that is shown: a claim, or a claim and one of its roles, as in "paper.lemma-1 part:sharp"; or a list of them

They are reported; no verdict depends on them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from verify.catalogue import check_keys, read_toml
from verify.claim import Paper
from verify.errors import InputError, suggestion

FILE = "constants.toml"
_TOP = {"constant": list}
_REQUIRED = {"claim": str, "printed": str, "yields": str, "follows": str}
_OPTIONAL = {"better": str, "shown_by": list}


@dataclass(frozen=True, slots=True)
class Constant:
    """One printed constant; `shown_by` has pairs of a claim and a role, which is empty for the claim as a whole."""

    claim: str
    printed: str
    yields: str
    follows: str
    better: str = ""
    shown_by: tuple[tuple[str, str], ...] = ()


def read_constants(paper: Paper, where: str, claims: Collection[str]) -> tuple[Constant, ...]:
    """The constants of a paper, none without a file; every mistake is an InputError that names the file and the entry."""
    path = paper.path.parent / FILE
    if not path.is_file():
        return ()
    data, _ = read_toml(path, where)
    check_keys(data, _TOP, {}, where, "the file")
    return tuple(_read(entry, paper.slug, where, f"entry {n}", claims) for n, entry in enumerate(data["constant"], 1))


def _read(entry: Any, slug: str, where: str, label: str, claims: Collection[str]) -> Constant:
    if isinstance(entry, dict):
        entry = {k: [v] if k == "shown_by" and isinstance(v, str) else v for k, v in entry.items()}
    check_keys(entry, _REQUIRED, _OPTIONAL, where, label)
    label = f"{label}: {entry['claim']}"
    for claim in (entry["claim"], *(word.split()[0] for word in entry.get("shown_by", ()) if word.split())):
        if claim not in claims:
            raise InputError(f"{where}: {label}: no claim {claim!r}; {suggestion(claim, claims)}")
    if not entry["claim"].startswith(slug + "."):
        raise InputError(f"{where}: {label}: the claim must be one of {slug}")
    for key in _REQUIRED:
        if not entry[key].strip():
            raise InputError(f"{where}: {label}: {key} is empty")
    shown = tuple((claim, " ".join(role)) for claim, *role in (word.split() for word in entry.get("shown_by", ()) if word.split()))
    texts = {key: entry[key].strip() for key in ("claim", "printed", "yields", "follows", "better") if key in entry}
    return Constant(**texts, shown_by=shown)
