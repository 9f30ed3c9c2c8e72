"""How the perturbed statements of `verify mutate` fared: the recorded counts.

`reports/mutants.json`: `{"schema": 1, "claims": {id: {"statement": sha256 of the formula, "tried": n, "killed": n,
"excused": n, "inconclusive": n, "engine": sha256 of the sources that made them, ...}}}`. Counts of a statement that changed
since do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verify.errors import InputError
from verify.run.files import read_json
from verify.verdict import Mutants

if TYPE_CHECKING:
    from verify.project import Project
    from verify.run.results import RoleResult

FILE = "mutants.json"
_FIELDS = ("tried", "killed", "excused", "inconclusive")


def read(project: Project) -> dict[str, dict[str, Any]]:
    """The recorded entries by claim; none when there is no file."""
    path = project.reports / FILE
    if not path.is_file():
        return {}
    data = read_json(path, where=project.relative(path))
    if not isinstance(data, dict) or not isinstance(data.get("claims"), dict):
        raise InputError(f"{project.relative(path)}: must be an object with the key claims")
    return dict(data["claims"])


def survivors(project: Project) -> dict[str, int]:
    """How many recorded mutants survived, by claim, where there are any."""
    found = {claim: int(entry.get("survived", 0)) for claim, entry in read(project).items()}
    return {claim: n for claim, n in sorted(found.items()) if n}


def counts(project: Project, roles: Mapping[tuple[str, str], RoleResult]) -> dict[str, Mutants]:
    """The counts that belong to the statements as they are now."""
    entries = read(project)
    if not entries:
        return {}
    found: dict[str, Mutants] = {}
    for (claim, role), result in roles.items():
        entry = entries.get(claim)
        if entry is None or role not in ("statement", "negation") or entry.get("statement") != result.digest():
            continue
        found[claim] = Mutants(*(int(entry.get(k, 0)) for k in _FIELDS))
    return found
