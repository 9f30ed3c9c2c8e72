"""`verify mutate`: perturb encoded statements and decide them anew."""

from __future__ import annotations

import click

from verify.commands import _options as options


@click.command(name="mutate")
@options.words
@options.run_options
@options.as_json
def command(words: tuple[str, ...], profile: str, jobs: int | None, limit: float | None, fresh: bool, as_json: bool) -> int:
    """Perturb the statements of proved claims; ends with 1 when a perturbed one is still decided true.

    What was recorded by the same engine is not made again, so that an interrupted call goes on; --fresh begins anew.
    """
    import importlib
    import importlib.util

    from verify.errors import InputError

    if importlib.util.find_spec("verify.run.mutate") is None:
        raise InputError("this version has no mutation engine")
    project = options.project()
    module = importlib.import_module("verify.run.mutate")
    report = module.mutate(project, project.select(words), options.settings(profile, jobs, limit, fresh))
    if as_json:
        options.print_json(report.to_json())
    else:
        for line in report.lines():
            click.echo(line)
    return 1 if report.survivors else 0
