"""`verify axioms`: what claims rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from verify.commands import _options as options
from verify.errors import one_line
from verify.verdict import placed

if TYPE_CHECKING:
    from verify.run.engine import Run


@click.command(name="axioms")
@options.words
@options.run_options
@options.scripts
@options.as_json
def command(
    words: tuple[str, ...], profile: str, jobs: int | None, limit: float | None, scripts: bool, fresh: bool, as_json: bool
) -> None:
    """List the axioms, trusted steps, answers of oracles and other claims that claims rest on."""
    from verify.run import bound, engine
    from verify.run.evidence import library

    project = options.project()
    run = engine.run(project, project.select(words), options.settings(profile, jobs, limit, fresh, scripts))
    found = {c: rests(run, c) for c in run.selected if run.results.registry.roles(c)}
    if as_json:
        options.print_json(found)
        return
    verdicts, *_ = bound.standing(project, run)
    says = {str(f["name"]): str(f.get("says", "")) for f in library()}
    for claim, entry in found.items():
        click.echo(f"{claim}: {verdicts[claim].words()}")
        for place, axiom in map(placed, entry["axioms"]):
            click.echo(f"  {place}axiom {axiom}: {says.get(axiom, '')}".rstrip(": "))
        for step in entry["trusted_steps"]:
            click.echo(f"  trusted step: {one_line(step)}")
        for answer in entry["oracles"]:
            click.echo(f"  answer of an oracle: {one_line(answer)}")
        for lemma in entry["lemmas"]:
            click.echo(f"  uses {one_line(lemma)}")
        if entry["facts"]:
            click.echo("  definitions and calculus: " + ", ".join(entry["facts"]))
        if not any(entry.values()):
            click.echo("  the logic alone")


def rests(run: Run, claim: str) -> dict[str, Any]:
    """The axioms, trusted steps, answers of oracles and lemmas of a claim."""
    results, verdict = run.results, run.results.verdict(claim)
    below = {key for role in results.accepted(claim) for key in results.rests_on(claim, role)}
    facts = {fact for key in below for fact in results.roles[key].summary().facts}
    return {
        "facts": sorted(facts - {placed(axiom)[1] for axiom in verdict.axioms}),
        "axioms": list(verdict.axioms),
        "trusted_steps": list(verdict.trusted_steps),
        "oracles": list(verdict.oracles),
        "lemmas": sorted(f"{owner} ({role})" for owner, role in below if owner != claim),
    }
