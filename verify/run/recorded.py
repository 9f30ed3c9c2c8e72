"""The recorded results in `reports/`: verdicts, and the results that reports are rendered from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from verify.errors import InputError
from verify.run import drawing
from verify.run.files import read_json
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.project import Project

VERDICTS = "verdicts.json"
RECORD = "record.json"
STATEMENTS = "statements.json"
SCHEMA = 1
ANEW = "`verify report` writes it anew"


def verdicts(project: Project) -> dict[str, Verdict]:
    """The recorded verdicts by claim; none when nothing is recorded."""
    path = project.reports / VERDICTS
    if not path.is_file():
        return {}
    return parse_verdicts(read_json(path, where=project.relative(path)), project.relative(path))


def parse_verdicts(data: Any, where: str) -> dict[str, Verdict]:
    """Verdicts from the content of a `verdicts.json`."""
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA or not isinstance(data.get("claims"), Mapping):
        raise InputError(f"{where}: must be an object with schema {SCHEMA} and claims; {ANEW}")
    found: dict[str, Verdict] = {}
    for claim, entry in data["claims"].items():
        try:
            found[claim] = Verdict.from_json(entry)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(f"{where}: {claim}: not a verdict; {ANEW}") from None
    return found


def proved(project: Project) -> dict[str, list[str]]:
    """The roles by claim whose formulas are pinned and of which the record does not say that they have no proof."""
    pins, record = project.reports / STATEMENTS, project.reports / RECORD
    if not pins.is_file() or not record.is_file():
        return {}
    found = pinned(read_json(pins, where=project.relative(pins)), project.relative(pins))
    open_ = {claim: entry["roles"] for claim, entry in read_record(project)["claims"].items()}
    return {claim: [r for r in roles if claim in open_ and r not in open_[claim]] for claim, roles in found.items()}


def pinned(data: Any, where: str) -> dict[str, dict[str, str]]:
    """The content of `statements.json`: the digest of a formula by claim and role."""
    if not _objects(data) or not all(isinstance(pin, str) for roles in data.values() for pin in roles.values()):
        raise InputError(f"{where}: must be an object of objects, of digests by claim and role; {ANEW}")
    return dict(data)


def read_record(project: Project) -> dict[str, Any]:
    """The content of `record.json`: by claim the inputs of what was computed, and the results that no certificate holds."""
    path = project.reports / RECORD
    where = project.relative(path)
    data = read_json(path, where=where)
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not _objects(data.get("claims")):
        raise InputError(f"{where}: must be an object with schema {SCHEMA} and claims; {ANEW}")
    for claim, entry in data["claims"].items():
        parts = [entry.get("roles"), entry.get("tests"), entry.get("figures", {})]
        plain = [entry.get("inputs"), entry.get("searched", {})]
        if not all(isinstance(part, dict) for part in plain) or not all(_objects(part) for part in parts):
            parts_of = "inputs, roles and tests, and may have figures and searched, each an object"
            raise InputError(f"{where}: {claim}: must have {parts_of}; {ANEW}")
        if not all(isinstance(item.get("status"), str) for part in parts for item in part.values()):
            raise InputError(f"{where}: {claim}: a result must have a status; {ANEW}")
    return data


def _objects(value: Any) -> bool:
    """Whether a value is an object whose values are objects."""
    return isinstance(value, dict) and all(isinstance(v, dict) for v in value.values())


def searched(project: Project) -> frozenset[str]:
    """Under which digests it is recorded that a search for a contradiction among hypotheses found nothing."""
    if not (project.reports / RECORD).is_file():
        return frozenset()
    claims = read_record(project)["claims"].values()
    return frozenset(key for entry in claims for key in entry.get("searched", {}).values() if isinstance(key, str))


def inputs(project: Project) -> dict[str, dict[str, str]]:
    """By claim the recorded digests of what its roles, experiments and figures were made from; none when nothing is recorded."""
    if not (project.reports / RECORD).is_file():
        return {}
    return {claim: entry["inputs"] for claim, entry in read_record(project)["claims"].items()}


def experiments(project: Project) -> dict[str, dict[str, Any]]:
    """The recorded results of experiments by the digest of their inputs; none when nothing is recorded."""
    return {inputs: test for inputs, _, _, test in _done(project, "tests", "experiment")}


def figures(project: Project) -> dict[str, dict[str, Any]]:
    """The recorded pictures by the digest of their inputs; one whose file is not as recorded counts as absent."""
    found: dict[str, dict[str, Any]] = {}
    for inputs, claim, name, entry in _done(project, "figures", "figure"):
        figure = project.registry.figures.get((claim, name))
        svg = "" if figure is None else drawing.read(project, figure, entry.get("svg", ""))
        if svg:
            found[inputs] = {**entry, "svg": svg}
    return found


def _done(project: Project, part: str, prefix: str) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    if not (project.reports / RECORD).is_file():
        return
    for claim, entry in read_record(project)["claims"].items():
        for name, item in entry.get(part, {}).items():
            inputs = entry["inputs"].get(f"{prefix}:{name}")
            if item["status"] == "done" and isinstance(inputs, str):
                yield inputs, claim, name, item
