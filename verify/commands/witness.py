"""`verify witness`: search for values that meet the hypotheses of claims that hold."""

from __future__ import annotations

import click

from verify.commands import _options as options


@click.command(name="witness")
@options.words
@click.option("--fresh", is_flag=True, help="Search again where a search found nothing.")
@click.option("--limit", type=click.FloatRange(min=0.1), help="Processor seconds for the search of one claim; default 45.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes; default: one per core.")
@options.as_json
def command(words: tuple[str, ...], jobs: int | None, limit: float | None, fresh: bool, as_json: bool) -> None:
    """Find witnesses: proofs that the hypotheses of claims that hold can be met; they are stored in the certificates.

    What is there is kept, and a search that found nothing is not made again, so that an interrupted call goes on; --fresh
    searches anew.
    """
    from verify.run.witnesses import search

    project = options.project()
    report = search(project, project.select(words), options.settings(jobs=jobs, limit=limit, fresh=fresh))
    if as_json:
        options.print_json(report.to_json())
        return
    for line in report.lines():
        click.echo(line)
