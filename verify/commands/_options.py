"""Options and output that commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pathlib import Path

    from verify.project import Project
    from verify.run.engine import Settings

Function = TypeVar("Function", bound=Callable[..., Any])


class EachOnce(click.Command):
    """A command that refuses an option given twice; click would take the last one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of a command line."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for k, parameter in enumerate(order):
            if parameter in order[:k] and isinstance(parameter, click.Option):
                raise click.UsageError(f"{parameter.opts[0]} is given twice; give it once")
        return super().parse_args(ctx, args)


FRESH = "Compute everything anew: no cache, no stored certificate, no recorded result."
SCRIPTS = "Run every script and experiment, also where a stored certificate or a recorded result would count."
words = click.argument("words", nargs=-1, metavar="[PAPER|CLAIM|PATTERN]...")
scripts = click.option("--scripts", is_flag=True, help=SCRIPTS)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def run_options(function: Function) -> Function:
    """The options of commands that may compute something."""
    for option in (
        click.option("--fresh", is_flag=True, help=FRESH),
        click.option("--limit", type=click.FloatRange(min=0.1), help="Seconds for one formula or experiment."),
        click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes; default: one per core."),
        click.option(
            "--profile",
            type=click.Choice(["quick", "full"]),
            default="quick",
            show_default=True,
            help="How far experiments go.",
        ),
    ):
        function = option(function)
    return function


def settings(
    profile: str = "quick", jobs: int | None = None, limit: float | None = None, fresh: bool = False, scripts: bool = False
) -> Settings:
    """The settings of a run from the options."""
    import math

    from verify.errors import InputError
    from verify.run.engine import Settings

    if limit is not None and not math.isfinite(limit):
        raise InputError("--limit must be a number of seconds, like 60")
    return Settings(profile=profile, jobs=jobs, limit=limit, fresh=fresh, scripts=scripts)


def project() -> Project:
    """The project of the current directory."""
    from verify.project import Project, find_root

    return Project(find_root())


def new_root() -> Path:
    """Where a new paper belongs: the nearest folder with a `proofs` package, else the current one."""
    from pathlib import Path

    here = Path.cwd()
    return next((f for f in (here, *here.parents) if (f / "proofs" / "__init__.py").is_file()), here)


def one(project: Project, claim: str) -> str:
    """The id that a word names, which must be exactly one claim."""
    from verify.errors import InputError, suggestion

    if claim in project.claims:
        return claim
    if claim in project.papers:
        raise InputError(f"{claim!r} is a paper, not a claim; `verify list {claim}` names its claims")
    raise InputError(f"no claim {claim!r}; {suggestion(claim, project.claims)}")


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=1, ensure_ascii=False))
