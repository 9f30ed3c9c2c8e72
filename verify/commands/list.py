"""`verify list`: the claims with their recorded verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from verify.claim import KINDS
from verify.commands import _options as options
from verify.errors import one_line
from verify.verdict import Grade, Outcome, Witness

if TYPE_CHECKING:
    from verify.claim import Claim
    from verify.verdict import Verdict


@click.command(name="list")
@options.words
@click.option("--outcome", type=click.Choice([str(o) for o in Outcome]), help="Only claims with this outcome.")
@click.option("--grade", type=click.Choice([str(g) for g in Grade]), help="Only claims with this grade.")
@click.option("--kind", type=click.Choice(KINDS), help="Only claims of this kind.")
@click.option("--witness", type=click.Choice([str(w) for w in Witness]), help="Only claims with, or without, a proved witness.")
@click.option("--bound", is_flag=True, help="Only claims that a proof module speaks of.")
@click.option("--check", is_flag=True, help="Only claims in whose encoded conclusion nothing is found that is printed.")
@options.as_json
def command(
    words: tuple[str, ...],
    outcome: str | None,
    grade: str | None,
    kind: str | None,
    witness: str | None,
    bound: bool,
    check: bool,
    as_json: bool,
) -> None:
    """List claims with their recorded verdicts, without running anything."""
    from verify.run import recorded
    from verify.run.ties import without_ties
    from verify.verdict import Verdict

    project = options.project()
    selected = project.select(words)
    record = recorded.verdicts(project)
    spoken = set(project.registry.claims()) if bound else set()
    suspects = set(without_ties(project)) if check else set(selected)
    rows = []
    for claim in selected:
        entry, verdict = project.claims[claim], record.get(claim, Verdict())
        if outcome not in (None, str(verdict.outcome)) or kind not in (None, entry.kind):
            continue
        if claim not in suspects or witness not in (None, str(verdict.witness)):
            continue
        if grade not in (None, str(verdict.grade)) or (bound and claim not in spoken):
            continue
        rows.append((entry, verdict))
    if as_json:
        options.print_json([_data(entry, verdict) for entry, verdict in rows])
        return
    width = max((len(c.id) for c, _ in rows), default=0)
    for entry, verdict in rows:
        click.echo(f"{entry.id:<{width}}  {entry.kind:<12}  {verdict.words():<30}  {one_line(entry.title)}".rstrip())


def _data(claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """A line as JSON, with what keeps the grade from being plain."""
    own = {"trusted_steps": len(verdict.own_steps()), "oracles": len(verdict.own_oracles())}
    told = {"outcome": verdict.outcome, "grade": verdict.grade, "open": verdict.open, "witness": verdict.witness}
    return {"id": claim.id, "kind": claim.kind, "title": claim.title, **told, **own}
