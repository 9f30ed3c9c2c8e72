"""`verify errata`: every printed statement that is not right as it stands."""

from __future__ import annotations

import click

from verify.commands import _options as options


@click.command(name="errata")
@options.words
@options.as_json
def command(words: tuple[str, ...], as_json: bool) -> None:
    """List the recorded verdicts that are refuted, unsupported or ill-formed, with the nearest true statement."""
    from verify.errors import InputError
    from verify.run import recorded
    from verify.verdict import Outcome

    project = options.project()
    selected = project.select(words)
    record = recorded.verdicts(project)
    if not record:
        raise InputError("no verdicts are recorded; `verify report` writes reports/verdicts.json")
    wrong = (Outcome.REFUTED, Outcome.UNSUPPORTED, Outcome.ILL_FORMED)
    found = {c: record[c] for c in selected if c in record and record[c].outcome in wrong}
    if as_json:
        options.print_json({c: v.to_json() for c, v in found.items()})
        return
    for claim, verdict in found.items():
        entry = project.claims[claim]
        click.echo(f"{claim} ({entry.label}): {verdict.words()}")
        click.echo(f"  printed: {' '.join(entry.statement.split())}")
        if verdict.reason:
            click.echo(f"  why: {verdict.reason}")
        if verdict.counterexample:
            click.echo("  counterexample: " + ", ".join(f"{k} = {v}" for k, v in verdict.counterexample.items()))
        if verdict.amendment is not None:
            told = verdict.amendment.grade or verdict.amendment.outcome
            click.echo(f"  nearest true statement ({told}): {verdict.amendment.statement}")
    click.echo(f"{len(found)} of {len(selected)} claims are not right as printed")
