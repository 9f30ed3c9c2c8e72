"""`verify errata`: every printed statement that is not right as it stands."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from verify.commands import _options as options

if TYPE_CHECKING:
    from verify.claim import Claim
    from verify.verdict import Verdict

WIDTH = 118
"""Characters in a line."""


@click.command(name="errata")
@options.words
@options.as_json
def command(words: tuple[str, ...], as_json: bool) -> None:
    """List the recorded verdicts that are refuted, unsupported or ill-formed, with the nearest true statement."""
    from verify.errors import InputError
    from verify.report.sections import by_section, heading
    from verify.report.severity import WRONG
    from verify.run import recorded

    project = options.project()
    selected = project.select(words)
    record = recorded.verdicts(project)
    if not record:
        raise InputError("no verdicts are recorded; `verify report` writes reports/verdicts.json")
    found = {c: record[c] for c in selected if c in record and record[c].outcome in WRONG}
    if as_json:
        options.print_json({c: v.to_json() for c, v in found.items()})
        return
    for slug, paper in project.papers.items():
        for section, claims in by_section(c for c in paper.claims if c.id in found).items():
            click.echo(f"{slug}, {heading(section)}\n")
            for claim in claims:
                click.echo("\n".join(_lines(claim, found[claim.id])) + "\n")
    click.echo(f"{len(found)} of {len(selected)} claims are not right as printed")


def _lines(claim: Claim, verdict: Verdict) -> list[str]:
    """One statement in plain text: printed, what is wrong, a counterexample, the nearest true statement."""
    from verify.report import values
    from verify.report.links import claim_page
    from verify.report.plain import plain
    from verify.report.severity import fate, level
    from verify.report.words import ADDED, SETTING, added, amended, setting, why
    from verify.run.language import Language

    told = "; ".join(text for text in (level(claim), fate(verdict)) if text)
    out = [f"{claim.id} ({plain(claim.label)}): {verdict.words()}", f"  severity: {told}"]
    out += _named("printed", plain(claim.statement))
    out += _named("why", plain(why(verdict))) if why(verdict) else []
    out += _named(ADDED.lower(), plain(added(verdict))) if verdict.added else []
    out += _named(SETTING.lower(), plain(setting(verdict))) if verdict.context else []
    if verdict.counterexample and (shown := values.text(verdict.counterexample, Language())):
        out += ["  counterexample, in the letters of the encoded statement:", *(f"    {line}" for line in shown)]
    if verdict.amendment is not None:
        out += _named(f"nearest true statement ({amended(verdict)})", plain(verdict.amendment.statement))
    return [*out, f"  proof: reports/{claim_page(claim.id)}"]


def _named(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"{name}: {text}", WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)
