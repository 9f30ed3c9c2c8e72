"""`verify diff`: verdicts that changed since a commit."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import click

from verify.commands import _options as options
from verify.errors import plain


@click.command(name="diff")
@click.argument("rev")
@options.as_json
def command(rev: str, as_json: bool) -> int:
    """Compare reports/verdicts.json with the one of commit REV; ends with 1 when a verdict differs."""
    from verify.run import recorded
    from verify.verdict import Verdict

    project = options.project()
    old = recorded.parse_verdicts(at_revision(project.root, rev), f"verdicts.json of {rev}")
    new = recorded.verdicts(project)
    changes: dict[str, list[str]] = {}
    for claim in sorted({*old, *new}):
        before, now = old.get(claim), new.get(claim)
        if before is None or now is None:
            changes[claim] = ["new" if before is None else "gone"]
        elif now.differs_from(before):
            changes[claim] = now.differs_from(before)
    order = {c: n for n, c in enumerate(project.claims)}
    changes = dict(sorted(changes.items(), key=lambda kv: order.get(kv[0], len(order))))
    if as_json:
        options.print_json(changes)
    else:
        for claim, lines in changes.items():
            click.echo(f"{plain(claim)}: {'; '.join(lines)} ({new.get(claim, Verdict()).words()})")
        click.echo(f"{len(changes)} verdicts differ from {rev}")
    return 1 if changes else 0


def at_revision(root: Path, rev: str) -> object:
    """The content of reports/verdicts.json at a commit."""
    from verify.errors import InputError
    from verify.run.files import MAX_JSON

    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", rev + "^{commit}")
    if commit is None:
        raise InputError(f"{rev!r} names no commit here; give a hash, a branch, a tag, or HEAD~1")
    text = _git(root, "show", f"{commit.strip()}:./reports/verdicts.json")
    if text is None:
        raise InputError(f"commit {rev} has no reports/verdicts.json")
    if len(text) > MAX_JSON:
        raise InputError(f"verdicts.json of {rev} is larger than {MAX_JSON} bytes")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"verdicts.json of {rev} is not valid JSON: {error}") from None


def _git(root: Path, *args: str) -> str | None:
    from verify.errors import InputError

    try:
        done = subprocess.run(["git", "-C", str(root), *args], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise InputError("git is not installed; `verify diff` reads the old verdicts from it") from None
    return done.stdout if done.returncode == 0 else None
