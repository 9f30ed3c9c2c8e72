"""`verify recheck`: the independent checker on the stored certificates, in a clean process."""

from __future__ import annotations

import subprocess

import click

from verify.commands import _options as options


@click.command(name="recheck")
@options.words
@options.as_json
def command(words: tuple[str, ...], as_json: bool) -> int:
    """Check stored certificates again with the independent checker; no proof module is imported."""
    from verify.run import certificates, checking

    project = options.project()
    ids = project.select(words) if words else []
    stored = [c for c in ids if certificates.path_of(project.reports, c).is_file()]
    if words and not stored:
        click.echo("no certificate is stored for " + ", ".join(words))
        return 0
    done = subprocess.run(
        checking.command(project.reports, stored, as_json=as_json), env=checking.clean_environment(), check=False
    )
    return done.returncode
