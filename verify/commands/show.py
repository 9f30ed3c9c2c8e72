"""`verify show`: one claim with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from verify.commands import _options as options
from verify.errors import one_line
from verify.registry import NEGATION

if TYPE_CHECKING:
    from collections.abc import Collection

    from verify.run.engine import Run
    from verify.verdict import Verdict


@click.command(name="show")
@click.argument("claim")
@options.run_options
@options.scripts
@options.as_json
def command(claim: str, profile: str, jobs: int | None, limit: float | None, scripts: bool, fresh: bool, as_json: bool) -> None:
    """Show one claim: what is printed, what was encoded, the verdict and its evidence.

    Where the run gave up on it for time, the recorded verdict is shown, as `verify run` does.
    """
    from verify.run import bound, engine

    project = options.project()
    found = options.one(project, claim)
    run = engine.run(project, [found], options.settings(profile, jobs, limit, fresh, scripts))
    verdicts, late, stands = bound.standing(project, run)
    if as_json:
        options.print_json({**_json(run, found, verdicts[found]), "timed_out": bool(late)})
        return
    for line in lines(run, found, verdicts[found], late, stands):
        click.echo(line)


def _json(run: Run, claim: str, verdict: Verdict) -> dict[str, object]:
    results = run.results
    roles = {}
    for (owner, role), result in sorted(results.roles.items()):
        if owner == claim:
            summary = result.summary()
            roles[role] = {
                **({"negated": results.show(results.negate(result.formula))} if role == NEGATION and result.formula else {}),
                "encoded": None if result.formula is None else results.show(result.formula),
                "proved": not results.why_not(claim, role),
                "reason": results.why_not(claim, role),
                "rules": dict(summary.counts),
                "axioms": list(results.axioms(claim, role)),
                "trusted_steps": list(results.trusted(claim, role)),
                "oracles": list(results.oracles(claim, role)),
                "lemmas": [list(key) for key in summary.lemmas],
            }
    return {"id": claim, "verdict": verdict.to_json(), "roles": roles}


def lines(run: Run, claim: str, verdict: Verdict, late: Collection[str] = (), stands: Collection[str] = ()) -> list[str]:
    """The claim in plain text."""
    from verify.report import values
    from verify.report.words import ADDED, SETTING, added, setting
    from verify.run.language import Language

    results, entry = run.results, run.results.claims[claim]
    out = [f"{entry.id}  ({entry.kind}, {entry.label}, section {entry.section})", entry.title, ""]
    out += ["printed:", _indent(entry.statement), "hypotheses and context:", _indent(entry.assumptions)]
    out += [f"verdict: {verdict.words()}"]
    if claim in late:
        told = "the recorded verdict stands" if claim in stands else "no certificate of what is bound is stored"
        out += [f"timed out ({told})"]
    if verdict.argument:
        out += [f"printed argument: {verdict.argument}"]
    if verdict.reason:
        out += [f"reason: {one_line(verdict.reason)}"]
    out += [f"{ADDED.lower()}: {added(verdict)}"] if verdict.added else []
    out += [f"{SETTING.lower()}: {setting(verdict)}"] if verdict.context else []
    if verdict.witness:
        out += [f"witness of the hypotheses: {verdict.witness}"]
    if verdict.counterexample:
        out += ["counterexample:", *(f"  {line}" for line in values.text(verdict.counterexample, Language()))]
    for reading in verdict.readings:
        out += [f"other reading ({reading.outcome}): {reading.reading}" + (f" ({reading.because})" if reading.because else "")]
    for binding in results.registry.roles(claim):
        result = results.roles[(claim, binding.role)]
        formula = result.formula
        if binding.role == NEGATION:
            out += ["", "statement as printed:", _indent(binding.text if formula is None else results.show(formula))]
            formula = None if formula is None else results.negate(formula)
        out += ["", f"{binding.role}:" + (f" {binding.says}" if binding.says else "")]
        if formula is not None or binding.role != NEGATION:
            out += [_indent(binding.text if formula is None else results.show(formula))]
        why = results.why_not(claim, binding.role)
        if why:
            out += [f"  not proved: {one_line(why)}"]
            continue
        out += [_indent(binding.reduction)] if binding.reduction else []
        rules = ", ".join(f"{n} {rule}" for rule, n in result.summary().counts.items())
        out += [f"  accepted by the checker; rules: {rules}"]
        out += [f"  trusted: {one_line(step)}" for step in results.trusted(claim, binding.role)]
        out += [f"  not checked, but answered by an oracle: {one_line(a)}" for a in results.oracles(claim, binding.role)]
        out += [f"  axiom: {axiom}" for axiom in results.axioms(claim, binding.role)]
    for test in results.registry.tests(claim):
        outcome = results.tests[(claim, test.name)]
        told = outcome.error or f"{'passed' if outcome.holds else 'failed'} {dict(outcome.statistics)}"
        out += ["", f"{test.name} ({test.grade}, seed {test.seed}, {outcome.profile}): {told}"]
    if verdict.uses:
        out += ["", "uses: " + ", ".join(verdict.uses)]
    return out


def _indent(text: str) -> str:
    return "\n".join("  " + line for line in text.strip().splitlines())
