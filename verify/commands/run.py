"""`verify run`: decide claims and compare with what is recorded."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from verify.commands import _options as options
from verify.errors import one_line, plain

if TYPE_CHECKING:
    from verify.project import Project
    from verify.run.engine import Run
    from verify.verdict import Verdict

FEW = 40


@click.command(name="run")
@options.words
@options.run_options
@options.scripts
@options.as_json
def command(
    words: tuple[str, ...], profile: str, jobs: int | None, limit: float | None, scripts: bool, fresh: bool, as_json: bool
) -> int:
    """Decide claims: all, those of a paper, or those named.

    A stored certificate of the bound statement counts without its script when the checker accepts it, a recorded result of an
    experiment under its inputs; what changed since it was recorded is proved or run again. With --scripts every script and
    experiment is run, and a stored certificate that no longer comes out of its script, or a proof without one, ends with 1.

    Ends with 1 when a verdict differs from the recorded one in reports/verdicts.json, or when something that is bound
    fails: a formula does not parse, a proof or an experiment raises an error, the checker refuses a certificate.
    A claim that exceeds its time limit is named; its recorded verdict stands, and it alone does not make the run end with 1.
    """
    from verify.run import engine, recorded

    project = options.project()
    selected = project.select(words)
    record = recorded.verdicts(project)
    run = engine.run(project, selected, options.settings(profile, jobs, limit, fresh, scripts))
    verdicts, late = recorded.standing(project, run)
    changes = {c: v.differs_from(record[c]) for c, v in verdicts.items() if c in record and v.differs_from(record[c])}
    failed = [(c, *problem) for c in selected if c not in late for problem in run.problems(c) if not run.late(c, problem[0])]
    if as_json:
        options.print_json(_json(run, verdicts, changes, failed, late, profile))
    else:
        _print(project, run, verdicts, changes, late, bool(words) and len(selected) <= FEW)
    return 1 if changes or failed or run.strayed else 0


def _json(
    run: Run,
    verdicts: dict[str, Verdict],
    changes: dict[str, list[str]],
    failed: list[tuple[str, str, str]],
    late: list[str],
    profile: str,
) -> dict[str, Any]:
    return {
        "profile": profile,
        "claims": {c: v.to_json() for c, v in verdicts.items()},
        "changed": changes,
        "failed": [list(problem) for problem in failed],
        "timed_out": late,
        "strayed": [list(problem) for problem in run.strayed],
        "refused": [[*place, why] for place, why in sorted(run.refused.items())],
        "computed": sorted(run.computed),
        "from_cache": run.cached,
        "stored": run.stored,
        "recorded": run.recorded,
        "seconds": dict(sorted(run.seconds.items(), key=lambda item: -item[1])),
    }


def _print(
    project: Project,
    run: Run,
    verdicts: dict[str, Verdict],
    changes: dict[str, list[str]],
    late: list[str],
    each: bool,
) -> None:
    if each:
        for claim, verdict in verdicts.items():
            click.echo(f"{claim}: {verdict.words()}" + (f". {one_line(verdict.reason)}" if verdict.reason else ""))
    else:
        for slug in project.papers:
            mine = [v for c, v in verdicts.items() if c.startswith(slug + ".")]
            if mine:
                counts = Counter(v.words() if v.grade else str(v.outcome) for v in mine)
                told = ", ".join(f"{n} {w.replace(', ', ' ')}" for w, n in sorted(counts.items()))
                click.echo(f"{slug}: {len(mine)} claims: {told}")
    for claim, verdict in verdicts.items():
        for role, why in run.problems(claim):
            if not each or why not in verdict.reason:
                click.echo(f"no proof: {claim} ({plain(role)}): {one_line(why)}")
    for claim in late:
        click.echo(f"timed out: {claim} (the recorded verdict stands)")
    for claim, role, why in run.strayed:
        click.echo(f"not as stored: {claim} ({role}): {why}")
    for (claim, role), why in sorted(run.refused.items()):
        click.echo(f"stored certificate refused, so its script was run: {claim} ({role}): {why}")
    for claim, lines in changes.items():
        click.echo(f"differs from the recorded verdict: {claim}: {'; '.join(lines)}")
    found = [(run.stored, "proofs as stored"), (run.recorded, "results as recorded"), (run.cached, "from the cache")]
    counts_told = [f"{len(run.computed)} computed", *(f"{n} {what}" for n, what in found if n or what == "from the cache")]
    click.echo(", ".join([*counts_told, f"{len(run.accepted)} certificates accepted"]))
