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


def verdicts(project: Project) -> dict[str, Verdict]:
    """The recorded verdicts by claim; none when nothing is recorded."""
    path = project.reports / VERDICTS
    if not path.is_file():
        return {}
    return parse_verdicts(read_json(path, where=project.relative(path)), project.relative(path))


def parse_verdicts(data: Any, where: str) -> dict[str, Verdict]:
    """Verdicts from the content of a `verdicts.json`."""
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA or not isinstance(data.get("claims"), Mapping):
        raise InputError(f"{where}: must be an object with schema {SCHEMA} and claims; `verify report` writes it")
    found: dict[str, Verdict] = {}
    for claim, entry in data["claims"].items():
        try:
            found[claim] = Verdict.from_json(entry)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{where}: {claim}: not a verdict: {error}; `verify report` writes it anew") from None
    return found


def proved(project: Project) -> dict[str, list[str]]:
    """The roles by claim whose formulas are pinned and of which the record does not say that they have no proof."""
    pins, record = project.reports / STATEMENTS, project.reports / RECORD
    if not pins.is_file() or not record.is_file():
        return {}
    found = read_json(pins, where=project.relative(pins))
    try:
        claims = read_json(record, where=project.relative(record))["claims"]
        open_ = {claim: set(entry["roles"]) for claim, entry in claims.items()}
        return {claim: [r for r in roles if claim in open_ and r not in open_[claim]] for claim, roles in found.items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{project.relative(record)}: not a record: {error}; `verify report` writes it anew") from None


def experiments(project: Project) -> dict[str, dict[str, Any]]:
    """The recorded results of experiments by the digest of their inputs; none when nothing is recorded."""
    return {inputs: test for inputs, _, _, test in _done(project, "tests", "experiment")}


def figures(project: Project) -> dict[str, dict[str, Any]]:
    """The recorded pictures by the digest of their inputs; one whose file is not as recorded counts as absent."""
    found: dict[str, dict[str, Any]] = {}
    for inputs, claim, name, entry in _done(project, "figures", "figure"):
        figure = project.registry.figures.get((claim, name))
        svg = "" if figure is None else drawing.read(project, figure, entry["svg"])
        if svg:
            found[inputs] = {**entry, "svg": svg}
    return found


def _done(project: Project, part: str, prefix: str) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    path = project.reports / RECORD
    if not path.is_file():
        return
    data = read_json(path, where=project.relative(path))
    try:
        for claim, entry in data["claims"].items():
            for name, item in entry.get(part, {}).items():
                if item["status"] == "done":
                    yield entry["inputs"][f"{prefix}:{name}"], claim, name, item
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{project.relative(path)}: not a record: {error}; `verify report` writes it anew") from None
