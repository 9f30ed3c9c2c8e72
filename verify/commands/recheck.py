"""`verify recheck`: the independent checker on the stored certificates, in a clean process."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import click

from verify.commands import _options as options
from verify.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verify.project import Project


MISSING = "no certificate is stored"


@click.command(name="recheck")
@options.words
@options.as_json
def command(words: tuple[str, ...], as_json: bool) -> int:
    """Check stored certificates again with the independent checker; no proof module is imported.

    Ends with 1 when one is refused, or is missing although a decided verdict is recorded. A word that ends with .json is a
    certificate of `verify flow`.
    """
    from verify.run import certificates, checking

    files = [word for word in words if word.endswith(".json")]
    if files:
        if len(files) < len(words):
            raise InputError("claims and certificate files cannot be mixed")
        return _flows(files, as_json)
    project = options.project()
    ids = project.select(words) if words else []
    stored = [c for c in ids if certificates.path_of(project.reports, c).is_file()]
    lost = _lost(project, ids if words else list(project.claims))
    named = [c for c in ids if c in words and c not in stored and not any(c == claim for claim, _ in lost)]
    lost += [(c, "certificate") for c in named]
    if words and not stored and not lost:
        lost = [(word, "certificate") for word in words]
    code = 0
    answers: list[dict[str, Any]] = []
    if stored or not words:
        command = checking.command(project.reports, stored, as_json=as_json)
        done = subprocess.run(command, env=checking.clean_environment(), check=False, stdout=subprocess.PIPE if as_json else None)
        code, answers = done.returncode, json.loads(done.stdout) if as_json and done.stdout else []
    if as_json:
        if code != 2:
            answers += [{"claim": c, "role": r, "accepted": False, "reason": MISSING} for c, r in lost]
            options.print_json(answers)
    else:
        for claim, role in lost:
            click.echo(f"missing   {claim} {role}: {MISSING}")
    return max(code, 1 if lost else 0)


def _flows(files: Sequence[str], as_json: bool) -> int:
    """Certificates of `verify flow`, by the checker of flows."""
    from verify.flow.recheck import Refused, check_file

    answers: list[dict[str, Any]] = []
    for name in files:
        try:
            answers.append({"file": name, "accepted": True, "proves": check_file(name)})
        except Refused as error:
            answers.append({"file": name, "accepted": False, "reason": str(error)})
        except OSError as error:
            raise InputError(f"{name}: cannot be read ({error.strerror or error})") from None
        except (ValueError, RecursionError):
            raise InputError(f"{name}: no certificate of `verify flow`") from None
    if as_json:
        options.print_json(answers)
    else:
        for one in answers:
            for words in one.get("proves", ()):
                click.echo(f"accepted  {one['file']}: {words}")
            if not one["accepted"]:
                click.echo(f"refused   {one['file']}: {one['reason']}")
    return 0 if all(one["accepted"] for one in answers) else 1


def _lost(project: Project, claims: Sequence[str]) -> list[tuple[str, str]]:
    """The roles of claims that a recorded verdict rests on, or that are pinned as proved, without a stored certificate."""
    from verify.run import certificates, recorded

    verdicts = recorded.verdicts(project)
    pinned = recorded.proved(project)
    found = []
    for claim in claims:
        wanted = set(pinned.get(claim, ()))
        if claim in verdicts:
            wanted |= verdicts[claim].certified()
        path = certificates.path_of(project.reports, claim)
        parts = certificates.roles(path) if wanted else set()
        found += [(claim, role) for role in sorted(wanted - parts)]
    return found
