"""The sections of a paper in the order of the paper, with their claims."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from verify.claim import Claim

_SPLIT = re.compile(r" \(|[;,]| / | and ")
_NUMBERED = re.compile(r"\d+(?:\.\d+)*|[A-Z](?:\.\d+)*")


def section_of(claim: Claim) -> str:
    """The section that a claim is listed under: the first one that its entry names."""
    return _SPLIT.split(claim.section.strip())[0].strip()


def by_section(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """Claims by section: what goes before the numbered sections, those, the appendices, the rest."""
    found: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        found[section_of(claim)].append(claim)
    order = {name: place for place, name in enumerate(found)}
    return {name: found[name] for name in sorted(found, key=lambda s: (*_place(s), order[s]))}


def heading(section: str) -> str:
    """The title of a section."""
    if not _NUMBERED.fullmatch(section):
        return section
    return f"{'Appendix' if section[0].isalpha() else 'Section'} {section}"


def section_anchor(section: str) -> str:
    """The anchor of a section on the page of its paper, and on that of its errata."""
    return "section-" + "".join(ch if ch.isalnum() else "-" for ch in section.lower())


def _place(section: str) -> tuple[int, tuple[int, ...]]:
    if section.lower().startswith("abstract"):
        return 0, ()
    if not _NUMBERED.fullmatch(section):
        return 3, ()
    first, *rest = section.split(".")
    numbers = tuple(int(n) for n in rest)
    return (1, (int(first), *numbers)) if first.isdigit() else (2, (ord(first), *numbers))
