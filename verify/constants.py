"""The constants of a paper: what is printed, what the printed argument yields, and what is better.

`constants.toml` beside a catalogue has entries `[[constant]]`:

    claim     the claim in which the constant is printed
    printed   the constant as printed, with what it stands for
    yields    what the printed argument yields
    follows   true or false: whether the printed constant follows from the printed argument
    better    a better constant that is proved, where there is one
    shown_by  where that is shown: a claim, or a claim and one of its parts, as in "paper.lemma-1:sharp"

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
_REQUIRED = {"claim": str, "printed": str, "yields": str, "follows": bool}
_OPTIONAL = {"better": str, "shown_by": str}


@dataclass(frozen=True, slots=True)
class Constant:
    """One printed constant; `shown_by` is the claim that shows what is said of it, `part` one of its parts, or empty."""

    claim: str
    printed: str
    yields: str
    follows: bool
    better: str = ""
    shown_by: str = ""
    part: str = ""


def read_constants(paper: Paper, where: str, claims: Collection[str]) -> tuple[Constant, ...]:
    """The constants of a paper, none without a file; every mistake is an InputError that names the file and the entry."""
    path = paper.path.parent / FILE
    if not path.is_file():
        return ()
    data, _ = read_toml(path, where)
    check_keys(data, _TOP, {}, where, "the file")
    return tuple(_read(entry, paper.slug, where, f"entry {n}", claims) for n, entry in enumerate(data["constant"], 1))


def _read(entry: Any, slug: str, where: str, label: str, claims: Collection[str]) -> Constant:
    check_keys(entry, _REQUIRED, _OPTIONAL, where, label)
    shown_by, _, part = entry.get("shown_by", "").partition(":")
    label = f"{label}: {entry['claim']}"
    for claim in (entry["claim"], shown_by or entry["claim"]):
        if claim not in claims:
            raise InputError(f"{where}: {label}: no claim {claim!r}; {suggestion(claim, claims)}")
    if not entry["claim"].startswith(slug + "."):
        raise InputError(f"{where}: {label}: the claim must be one of {slug}")
    for key in ("printed", "yields"):
        if not entry[key].strip():
            raise InputError(f"{where}: {label}: {key} is empty")
    return Constant(**{**entry, "shown_by": shown_by, "part": part})
