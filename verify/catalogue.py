"""Catalogues: reading and checking `catalogue.toml`.

Every mistake is an error that names the file and the entry: unknown or missing keys, wrong types, duplicate ids,
`depends_on` that points nowhere or in a circle, a file that is too large.
"""

from __future__ import annotations

import graphlib
import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from verify.claim import KINDS, Claim, Paper
from verify.errors import InputError, suggestion

MAX_BYTES = 4_000_000
"""The largest catalogue that is read."""

SCHEMA = 1
_ID = re.compile(r"[a-z][a-z0-9]*\.[A-Za-z0-9][A-Za-z0-9-]*")
_SLUG = re.compile(r"[a-z][a-z0-9]*")
TABLES = ("claim", "constant")
"""The keys whose values are lists of tables."""
_TOP = {"schema": int, "paper": dict, "claim": list}
_PAPER = {"slug": str, "title": str, "authors": list, "year": int, "notation": str}
_REQUIRED = {
    "id": str,
    "label": str,
    "section": str,
    "kind": str,
    "title": str,
    "statement": str,
    "assumptions": str,
    "depends_on": list,
    "route": str,
    "check": str,
    "edge_cases": str,
}
_OPTIONAL = {"transcription": str}
_TYPE_NAMES = {str: "a string", int: "an integer", bool: "true or false", list: "a list of strings", dict: "a table"}


def read_paper(path: Path, package: str = "", where: str | None = None) -> Paper:
    """Read one catalogue; `where` is how error messages call the file."""
    where = where or path.name
    data, sha256 = read_toml(path, where)
    check_keys(data, _TOP, {}, where, "the file")
    if data["schema"] != SCHEMA:
        raise InputError(f"{where}: schema is {data['schema']!r}; this version reads schema {SCHEMA}")
    head = data["paper"]
    check_keys(head, _PAPER, {}, where, "[paper]")
    if not _SLUG.fullmatch(head["slug"]):
        raise InputError(f"{where}: [paper]: slug {head['slug']!r} must be lower-case letters and digits")
    claims = tuple(_read_claim(entry, head["slug"], where, n) for n, entry in enumerate(data["claim"], 1))
    seen: dict[str, int] = {}
    for number, claim in enumerate(claims, 1):
        if claim.id in seen:
            raise InputError(f"{where}: {claim.id}: duplicate id, entries {seen[claim.id]} and {number}")
        seen[claim.id] = number
    return Paper(
        slug=head["slug"],
        title=head["title"],
        authors=tuple(head["authors"]),
        year=head["year"],
        notation=head["notation"].strip(),
        claims=claims,
        sha256=sha256,
        path=path,
        package=package,
    )


def check_dependencies(papers: Iterable[Paper], where: Mapping[str, str] | None = None) -> None:
    """Check `depends_on` over all papers together: every id exists and stands once, and there is no circle."""
    papers = list(papers)
    names = {p.slug: p.path.name for p in papers} | dict(where or {})
    index = {c.id: c for p in papers for c in p.claims}
    for paper in papers:
        place = names[paper.slug]
        for claim in paper.claims:
            for n, target in enumerate(claim.depends_on):
                if target in claim.depends_on[:n]:
                    raise InputError(f"{place}: {claim.id}: depends_on names {target!r} twice; once is enough")
                if target == claim.id:
                    raise InputError(f"{place}: {claim.id}: depends_on names the entry itself")
                if target not in index:
                    raise InputError(f"{place}: {claim.id}: depends_on names the unknown {target!r}; {suggestion(target, index)}")
    try:
        graphlib.TopologicalSorter({c.id: c.depends_on for c in index.values()}).prepare()
    except graphlib.CycleError as error:
        circle = list(error.args[1])[::-1]
        place = names[index[circle[0]].paper]
        raise InputError(f"{place}: {circle[0]}: depends_on goes in a circle: {' -> '.join(circle)}") from None


def read_toml(path: Path, where: str) -> tuple[dict[str, Any], str]:
    """The content of a file and its SHA-256; `where` is how error messages call it."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{where}: cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise InputError(f"{where}: larger than {MAX_BYTES} bytes, the limit for a catalogue")
    try:
        return tomllib.loads(raw.decode("utf-8")), hashlib.sha256(raw).hexdigest()
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 at byte {error.start}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{where}: not valid TOML: {error}") from None


def _read_claim(entry: Any, slug: str, where: str, number: int) -> Claim:
    if not isinstance(entry, dict):
        raise InputError(f"{where}: entry {number}: must be a [[claim]] table")
    name = entry.get("id")
    label = name if isinstance(name, str) and name else f"entry {number}"
    check_keys(entry, _REQUIRED, _OPTIONAL, where, label)
    if not _ID.fullmatch(entry["id"]):
        raise InputError(f"{where}: {label}: an id is the slug, a dot, then letters, digits and hyphens, like {slug}.lemma-1")
    if not entry["id"].startswith(slug + "."):
        raise InputError(f"{where}: {label}: the id must begin with the slug of the paper, {slug}.")
    if entry["kind"] not in KINDS:
        raise InputError(f"{where}: {label}: unknown kind {entry['kind']!r}; {suggestion(entry['kind'], KINDS)}")
    if not entry["statement"].strip():
        raise InputError(f"{where}: {label}: the statement is empty")
    values: dict[str, Any] = {k: v.strip() if isinstance(v, str) else tuple(v) for k, v in entry.items()}
    return Claim(**values)


def check_keys(table: Any, required: Mapping[str, type], optional: Mapping[str, type], where: str, label: str) -> None:
    """Check that a table has the required keys, no unknown ones, and values of the right type."""
    if not isinstance(table, dict):
        raise InputError(f"{where}: {label}: must be a table")
    known = {**required, **optional}
    for key, value in table.items():
        if key not in known:
            raise InputError(f"{where}: {label}: unknown key {key!r}; {suggestion(key, known)}")
        kind = known[key]
        if type(value) is not kind:
            raise InputError(f"{where}: {label}: {key} must be {_TYPE_NAMES[kind]}")
        if isinstance(value, list) and key not in TABLES and not all(isinstance(item, str) for item in value):
            raise InputError(f"{where}: {label}: {key} must be a list of strings")
    missing = [key for key in required if key not in table]
    if missing:
        raise InputError(f"{where}: {label}: missing {', '.join(missing)}")
