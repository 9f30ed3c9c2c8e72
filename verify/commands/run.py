"""`verify run`: decide claims and compare with what is recorded."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from verify.commands import _options as options
from verify.errors import one_line, plain
from verify.verdict import Outcome

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
    It ends with 1 as well when a pin in reports/statements.json is not of the bound statement, and when a decided claim exceeds
    its time limit. Of a claim that does so the recorded verdict stands if a certificate of the bound statement is stored.
    """
    from verify.run import bound, engine, recorded

    project = options.project()
    selected = project.select(words)
    record = recorded.verdicts(project)
    run = engine.run(project, selected, options.settings(profile, jobs, limit, fresh, scripts))
    verdicts, late, stands = bound.standing(project, run)
    decided = {c: record[c].certified() for c in selected if c in record}
    moved = bound.unpinned(project, bound.of_run(run), selected, decided)
    lost = [c for c in late if _decides(run, c, record.get(c))]
    changes = {c: v.differs_from(record[c]) for c, v in verdicts.items() if c in record and v.differs_from(record[c])}
    failed = [(c, *problem) for c in selected if c not in late for problem in run.problems(c) if not run.late(c, problem[0])]
    if as_json:
        told = {"timed_out": late, "stands": sorted(stands), "unpinned": [list(problem) for problem in moved]}
        options.print_json({**_json(run, verdicts, changes, failed, profile), **told})
    else:
        _print(project, run, verdicts, changes, bool(words) and len(selected) <= FEW)
        for claim in late:
            stand = "the recorded verdict stands" if claim in stands else "no certificate of what is bound is stored"
            click.echo(f"timed out: {claim} ({stand})")
        for claim, role, why in moved:
            click.echo(f"not as pinned: {claim} ({plain(role)}): {why}")
    return 1 if changes or failed or run.strayed or moved or lost else 0


def _decides(run: Run, claim: str, recorded: Verdict | None) -> bool:
    """Whether a claim is recorded as decided, or its proof module decides it."""
    decision = run.results.registry.decisions.get(claim)
    stated = decision is not None and decision.outcome in (Outcome.HOLDS, Outcome.REFUTED)
    return stated or (recorded is not None and recorded.grade is not None)


def _json(
    run: Run,
    verdicts: dict[str, Verdict],
    changes: dict[str, list[str]],
    failed: list[tuple[str, str, str]],
    profile: str,
) -> dict[str, Any]:
    return {
        "profile": profile,
        "claims": {c: v.to_json() for c, v in verdicts.items()},
        "changed": changes,
        "failed": [list(problem) for problem in failed],
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
    for claim, role, why in run.strayed:
        click.echo(f"not as stored: {claim} ({role}): {why}")
    for (claim, role), why in sorted(run.refused.items()):
        click.echo(f"stored certificate refused, so its script was run: {claim} ({role}): {why}")
    for claim, lines in changes.items():
        click.echo(f"differs from the recorded verdict: {claim}: {'; '.join(lines)}")
    found = [(run.stored, "proofs as stored"), (run.recorded, "results as recorded"), (run.cached, "from the cache")]
    counts_told = [f"{len(run.computed)} computed", *(f"{n} {what}" for n, what in found if n or what == "from the cache")]
    click.echo(", ".join([*counts_told, f"{len(run.accepted)} certificates accepted"]))
