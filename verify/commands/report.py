"""`verify report`: write the reports, or check that they are up to date."""

from __future__ import annotations

import click

from verify.commands import _options as options


@click.command(name="report")
@click.option("--check", is_flag=True, help="Write nothing; end with 1 when the reports are stale.")
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="full",
    show_default=True,
    help="How far experiments go.",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes; default: one per core.")
@click.option("--limit", type=click.FloatRange(min=0.1), help="Seconds for one formula or experiment.")
@click.option("--fresh", is_flag=True, help="Compute anew what the cache has.")
@options.as_json
def command(check: bool, profile: str, jobs: int | None, limit: float | None, fresh: bool, as_json: bool) -> int:
    """Write reports/ from a run over all claims; with --check compare the committed ones with the sources."""
    from dataclasses import replace

    from verify.errors import InputError
    from verify.report import build
    from verify.run import engine

    project = options.project()
    if check:
        problems = build.stale(project)
        if as_json:
            options.print_json({"stale": problems})
        else:
            for problem in problems:
                click.echo(f"stale: {problem}")
            click.echo("the reports are stale; run `verify report`" if problems else "the reports are up to date")
        return 1 if problems else 0
    settings = replace(options.settings(profile, jobs, limit, fresh), figures=True, recheck=True)
    run = engine.run(project, project.select([]), settings)
    late = [c for c in run.selected if run.results.timed_out(c)]
    if late:
        raise InputError(f"nothing written, since {', '.join(late)} timed out; give a larger --limit")
    material = build.from_run(project, run, profile)
    changed = build.save(material)
    if as_json:
        options.print_json({"changed": changed, "certificates": len(material.certificates)})
    else:
        click.echo(f"{len(changed)} files of reports/ changed, {len(material.certificates)} certificates")
    return 0
