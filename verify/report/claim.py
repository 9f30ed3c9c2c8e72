"""The section of one claim: printed beside encoded, verdict, reduction, obligations, axioms, uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verify.claim import Claim
from verify.registry import AMENDMENT, NEGATION, STATEMENT, Binding, Decision
from verify.report.markup import cell, code, display, folded, instance, paragraphs, prose, quote
from verify.report.record import Material
from verify.report.words import headline, link, rules, table
from verify.run.drawing import path_of
from verify.run.results import DONE
from verify.verdict import AMENDED

LONGEST_FORMULA = 6000
"""A formula with more characters of LaTeX is shown in plain text only."""
LONGEST_TEXT = 8000
"""Characters of a statement that are shown as text."""

ROLE_TITLES = {
    STATEMENT: "The statement as encoded",
    NEGATION: "The statement as encoded (its negation is what was proved)",
    AMENDMENT: "Amendment: the nearest true statement",
}


def section(material: Material, claim: Claim, used_by: list[str]) -> str:
    """The Markdown of one claim."""
    return "\n\n".join(piece for piece in _pieces(material, claim, used_by) if piece)


def _pieces(material: Material, claim: Claim, used_by: list[str]) -> Iterator[str]:
    verdict = material.verdicts[claim.id]
    registry = material.project.registry
    decision = registry.decisions.get(claim.id)
    yield f'<a id="{claim.name}"></a>'
    yield f"### {claim.name}: {cell(claim.title)}"
    yield f"{prose(claim.label)} ({claim.kind}, section {prose(claim.section)})"
    yield f"**Verdict: {headline(verdict)}.**" + (f" The printed argument: {verdict.argument}." if verdict.argument else "")
    if verdict.reason:
        yield prose(verdict.reason)
    if claim.transcription:
        yield f"The entry was reconstructed from a damaged source: {prose(claim.transcription)}"
    yield "Printed:"
    yield quote(prose(claim.statement))
    yield f"Hypotheses and context: {prose(claim.assumptions)}"
    yield from _decision(material, claim, decision)
    for binding in sorted(registry.roles(claim.id), key=lambda b: b.role.startswith("part:")):
        yield from _role(material, claim, binding)
    if decision is not None and decision.text and (claim.id, STATEMENT) not in registry.bindings:
        formula = material.encoded(claim.id, STATEMENT)
        if formula is not None and (claim.id, NEGATION) not in registry.bindings:
            yield "**The statement as encoded (not decided)**"
            yield from formulas(material, formula)
    yield from _figures(material, claim)
    yield from _tests(material, claim)
    yield from _rests(material, claim, used_by)
    if claim.id in material.certificates:
        file = f"certificates/{claim.paper}/{claim.name}.json"
        yield f"Certificate: [{file}]({file}). Check it again: `verify recheck {claim.id}`"


def _decision(material: Material, claim: Claim, decision: Decision | None) -> Iterator[str]:
    verdict = material.verdicts[claim.id]
    if decision is not None and decision.reading:
        yield f"Reading that was encoded: {prose(decision.reading)}"
    if verdict.readings:
        yield table(["other reading", "outcome"], [[cell(r.reading), str(r.outcome)] for r in verdict.readings])
    if verdict.counterexample and (block := instance(verdict.counterexample)):
        yield "Counterexample:"
        yield block


def _role(material: Material, claim: Claim, binding: Binding) -> Iterator[str]:
    results = material.results
    why = results.why_not(claim.id, binding.role)
    title = ROLE_TITLES.get(binding.role, f"Part {binding.role.removeprefix('part:')}")
    grade = f" ({binding.cap})" if not why and (binding.role == AMENDMENT or binding.covers != "all") else ""
    yield f"**{title}**{grade}" + (f": {prose(binding.says)}" if binding.says else "")
    formula = material.encoded(claim.id, binding.role)
    if formula is None:
        yield code(binding.text)
    else:
        yield from formulas(material, formula)
    if binding.because:
        yield f"Covers {binding.covers} of the printed claim: {prose(binding.because)}"
    if why:
        yield f"Not proved: {prose(why)}"
        return
    if binding.reduction:
        yield "Reduction: " + paragraphs(binding.reduction)
    summary = results.roles[(claim.id, binding.role)].summary()
    yield f"Obligations: {summary.obligations}. Proof by rule: {rules(summary.counts)}."


def formulas(material: Material, formula: Any) -> Iterator[str]:
    """A formula typeset from the encoded object, and folded in plain text."""
    latex = material.language.latex(formula)
    if len(latex) <= LONGEST_FORMULA:
        yield display(latex)
    text = material.language.pretty(formula)
    summary = "In the language of the kernel"
    if len(text) > LONGEST_TEXT:
        summary += f" (the first {LONGEST_TEXT} of {len(text)} characters; the certificate has the whole)"
        text = text[:LONGEST_TEXT] + " ..."
    yield folded(summary, code(text))


def _tests(material: Material, claim: Claim) -> Iterator[str]:
    for test in material.project.registry.tests(claim.id):
        result = material.results.tests.get((claim.id, test.name))
        if result is None:
            continue
        told = ("passed" if result.holds else "failed") if result.status == DONE else f"no result: {result.error}"
        how = f"{test.grade}, profile {result.profile}, seed {test.seed}"
        about = "on another reading, " if test.reading else ""
        yield f"**Replayed: {prose(test.name)}** ({about}{how}): {prose(told)}"
        if test.reduction:
            yield paragraphs(test.reduction)
        if result.statistics:
            yield code("\n".join(_flat(result.statistics)))


def _figures(material: Material, claim: Claim) -> Iterator[str]:
    for figure in material.project.registry.drawings(claim.id):
        result = material.results.figures.get((claim.id, figure.name))
        if result is None:
            continue
        if result.status != DONE:
            yield f"Figure {prose(figure.name)} was not drawn: {prose(result.error or result.status)}"
            continue
        yield f"![{figure.name}]({path_of(figure)})"
        yield prose(f"{figure.caption} {result.caption}".strip())


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, item in sorted(values.items()):
        if isinstance(item, Mapping):
            yield from _flat(item, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key} = {item}"


def _rests(material: Material, claim: Claim, used_by: list[str]) -> Iterator[str]:
    verdict = material.verdicts[claim.id]
    if verdict.trusted_steps:
        steps = []
        for step in verdict.trusted_steps:
            amended = step.startswith(AMENDED)
            steps.append("- " + (AMENDED if amended else "") + prose(step.removeprefix(AMENDED)))
        yield "Trusted steps, argued in prose only:\n\n" + "\n".join(steps)
    if verdict.axioms:
        yield "Axioms: " + ", ".join(f"[{a}](trusted.md#{a})" for a in verdict.axioms)
    if verdict.uses:
        yield "Uses: " + ", ".join(link(u, claim.paper) for u in verdict.uses)
    if used_by:
        yield "Used by: " + ", ".join(link(u, claim.paper) for u in used_by)
    mutants = verdict.mutants
    if mutants.tried:
        yield (
            f"Mutants: {mutants.tried} tried, {mutants.killed} killed, {mutants.excused} excused, "
            f"{mutants.inconclusive} inconclusive (neither a counterexample nor a proof was found)"
        )
