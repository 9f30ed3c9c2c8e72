"""`verify report`: write the reports, or check that they are up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from verify.commands import _options as options

if TYPE_CHECKING:
    from verify.report.record import Material


@click.command(name="report")
@click.option("--check", is_flag=True, help="Write nothing; end with 1 when the reports are stale.")
@click.option("--from-record", is_flag=True, help="Write the pages anew from the recorded results; run nothing.")
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="full",
    show_default=True,
    help="How far experiments go.",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes; default: one per core.")
@click.option("--limit", type=click.FloatRange(min=0.1), help="Seconds for one formula or experiment.")
@options.scripts
@click.option("--fresh", is_flag=True, help=options.FRESH)
@options.as_json
def command(
    check: bool,
    from_record: bool,
    profile: str,
    jobs: int | None,
    limit: float | None,
    scripts: bool,
    fresh: bool,
    as_json: bool,
) -> int:
    """Write reports/ from a run over all claims; with --check compare the committed ones with the sources.

    The run counts stored certificates and recorded results as `verify run` does, but asks the checker about every certificate.
    A figure that cannot be drawn ends all three forms with 1.
    """
    import os
    from dataclasses import replace

    from verify.errors import InputError, plain
    from verify.report import build, record
    from verify.run import bound, engine, files
    from verify.run.language import Language

    project = options.project()
    processes = jobs or len(os.sched_getaffinity(0))
    if check:
        problems = build.stale(project, processes=processes, fresh=fresh)
        if as_json:
            options.print_json({"stale": problems})
        else:
            for problem in problems:
                click.echo(f"stale: {problem}")
            click.echo("the reports are stale; run `verify report`" if problems else "the reports are up to date")
        return 1 if problems else 0
    if from_record:
        files.allow_depth()
        wrong = list(bound.refused(project, bound.Bound(project.registry), processes=processes))
        if wrong:
            told = [f"{plain(claim)} ({plain(role)}): {why}" for claim, role, why in wrong]
            if as_json:
                options.print_json({"changed": [], "refused": told})
            for line in () if as_json else (*(f"refused: {line}" for line in told), "nothing written; run `verify report`"):
                click.echo(line)
            return 1
        return _write(record.load(project, Language()), as_json)
    settings = replace(options.settings(profile, jobs, limit, fresh, scripts), figures=True, recheck=True)
    run = engine.run(project, project.select([]), settings)
    late = [c for c in run.selected if run.results.timed_out(c)]
    if late:
        raise InputError(f"nothing written, since {', '.join(late)} timed out; give a larger --limit")
    return _write(build.from_run(project, run, profile), as_json)


def _write(material: Material, as_json: bool) -> int:
    from verify.report import build

    changed = build.save(material)
    missing = material.results.not_drawn()
    if as_json:
        options.print_json({"changed": changed, "certificates": len(material.certificates), "not_drawn": missing})
    else:
        click.echo(f"{len(changed)} files of reports/ changed, {len(material.certificates)} certificates")
        for line in missing:
            click.echo(line)
    return 1 if missing else 0
