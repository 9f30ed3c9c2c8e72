"""The page of one claim: printed beside encoded, verdict, reduction, obligations, parts, evidence, uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from verify.claim import Claim
from verify.registry import AMENDMENT, NEGATION, STATEMENT, Binding
from verify.report.entry import figures, further, judgement, printed
from verify.report.families import formulas
from verify.report.hypotheses import derived
from verify.report.links import Here, claim_page, paper_page, role_anchor, role_words, test_anchor
from verify.report.markup import cell, code, folded, prose
from verify.report.necessity import necessity
from verify.report.notation import NOTE
from verify.report.record import Material
from verify.report.statistics import tables
from verify.report.words import GENERATED, amended, rules, sentence, table
from verify.run.evidence import answer, nodes
from verify.run.results import DONE
from verify.verdict import COVERED, placed

TITLES = {
    STATEMENT: "The statement as encoded",
    NEGATION: "The statement as encoded; its negation is proved",
    AMENDMENT: "Amendment: the nearest true statement",
}

WITH_MORE = "The statement as encoded, with hypotheses that the paper does not print"


def page(material: Material, claim: Claim) -> str:
    """The Markdown of the page of a claim."""
    here = Here(material, claim_page(claim.id), claim.id)
    return "\n\n".join(piece for piece in _pieces(here, claim) if piece) + "\n"


def _pieces(here: Here, claim: Claim) -> Iterator[str]:
    material = here.material
    registry = material.project.registry
    decision = registry.decisions.get(claim.id)
    bindings = registry.roles(claim.id)
    main, parts = [b for b in bindings if b.role in TITLES], [b for b in bindings if b.role not in TITLES]
    yield f"# {cell(claim.label)}: {cell(claim.title)}"
    paper = material.project.papers[claim.paper]
    yield (
        f"`{claim.id}` ({claim.kind}, section {prose(claim.section)}) of "
        f"[{cell(paper.title)}]({here.to(paper_page(claim.paper), claim.name)}). {GENERATED}"
    )
    yield f"**{sentence(material.verdicts[claim.id], claim.kind)}.**{further(here, material.verdicts[claim.id])}"
    yield from printed(claim)
    yield from judgement(here, claim)
    if decision is not None and decision.reading:
        yield f"**Reading that was encoded.** {here.prose(decision.reading)}"
    yield from necessity(here, claim.id)
    yield from figures(here, claim)
    if parts:
        yield "**Parts**"
        yield table(["part", "says", "used in"], [_part(here, b) for b in parts])
    for binding in main:
        yield from _role(here, binding)
    if decision is not None and decision.text and not main:
        formula = material.encoded(claim.id, STATEMENT)
        if formula is not None:
            yield "## The statement as encoded (not decided)"
            yield from formulas(formula, material.language, "statement")
    for binding in parts:
        yield from _role(here, binding)
    yield from derived(here, claim)
    yield from _tests(here, claim)
    yield from _rests(here, claim)


def _part(here: Here, binding: Binding) -> list[str]:
    name = binding.role.removeprefix("part:")
    users = here.material.role_users[(binding.claim, binding.role)]
    return [f"[{name}](#{role_anchor(binding.role)})", here.cell(binding.says), _roles(here, users)]


def _roles(here: Here, roles: Iterable[tuple[str, str]]) -> str:
    """Links to roles; those of this claim by their name alone."""
    return ", ".join(here.detail(c, r, role_words(r) if c == here.claim else "") for c, r in roles)


def _role(here: Here, binding: Binding) -> Iterator[str]:
    material, results = here.material, here.material.results
    why = results.why_not(binding.claim, binding.role)
    yield f'<a id="{role_anchor(binding.role)}"></a>'
    amends = binding.role == results.amending(binding.claim)
    title = WITH_MORE if amends and binding.role == STATEMENT else TITLES.get(binding.role)
    yield f"## {title or 'Part ' + binding.role.removeprefix('part:')}"
    grade = f" ({binding.cap})" if not why and binding.covers != "all" else ""
    if not why and amends:
        grade = f" ({amended(material.verdicts[binding.claim])})"
    if binding.says:
        yield f"{here.prose(binding.says)}{grade}"
    elif grade:
        yield grade.strip()
    formula = material.encoded(binding.claim, binding.role)
    if formula is None:
        yield code(binding.text)
    else:
        yield from formulas(formula, material.language, role_anchor(binding.role))
    if binding.because:
        yield f"Proved only in part of the printed claim, for {COVERED[binding.covers]}: {here.prose(binding.because)}"
    if why:
        yield f"**Not proved:** {here.prose(why)}"
        return
    if binding.reduction:
        yield "**Reduction.** " + here.paragraphs(binding.reduction)
    summary = results.roles[(binding.claim, binding.role)].summary()
    if summary.lemmas:
        yield "Rests on: " + _roles(here, summary.lemmas)
    if summary.axioms:
        yield "Axioms: " + ", ".join(here.axiom(a) for a in summary.axioms)
    yield from _oracles(here, binding)
    yield f"Obligations: {summary.obligations}. Proof by rule: {rules(summary.counts)}."


def _oracles(here: Here, binding: Binding) -> Iterator[str]:
    """The answers of oracles that a role rests on; the problems of its own proof can be put to any solver."""
    results = here.material.results
    answers = results.oracles(binding.claim, binding.role)
    if answers:
        yield f"**Not checked, but answered by an oracle ({len(answers)}):**\n\n" + "\n".join(f"- {a}" for a in answers)
    for node in nodes(results.roles[(binding.claim, binding.role)].proof) if answers else ():
        if node["r"] == "oracle":
            yield folded(f"In SMT-LIB: {answer(node)}", code(node["problem"].strip()))


def _axioms(here: Here, axioms: Iterable[str]) -> str:
    """Links to the axioms of a claim; after them those of its amendment and of its parts."""
    groups: dict[str, list[str]] = defaultdict(list)
    for place, axiom in map(placed, axioms):
        groups[place].append(here.axiom(axiom))
    return "; ".join(place + ", ".join(links) for place, links in groups.items())


def _tests(here: Here, claim: Claim) -> Iterator[str]:
    for test in here.material.project.registry.tests(claim.id):
        result = here.material.results.tests.get((claim.id, test.name))
        yield f'<a id="{test_anchor(test.name)}"></a>'
        yield f"## Replayed: {prose(test.name.replace('_', ' '))}"
        if result is None:
            yield "No result is recorded."
            continue
        told = ("passed" if result.holds else "failed") if result.status == DONE else f"no result: {result.error}"
        about = "on another reading, " if test.reading else ""
        yield f"**{prose(told)}** ({about}{test.grade}, profile {result.profile}, seed {test.seed})"
        if test.reduction:
            yield here.paragraphs(test.reduction)
        yield from tables(result.statistics)


def _rests(here: Here, claim: Claim) -> Iterator[str]:
    material = here.material
    verdict = material.verdicts[claim.id]
    yield "## What it rests on, and how to check it"
    if verdict.trusted_steps:
        steps = [f"- {place}{prose(step)}" for place, step in map(placed, verdict.trusted_steps)]
        yield "Trusted steps, argued in prose only:\n\n" + "\n".join(steps)
    if verdict.oracles:
        yield "Answers of an oracle, which leave nothing to check:\n\n" + "\n".join(f"- {a}" for a in verdict.oracles)
    if verdict.axioms:
        yield "Axioms: " + _axioms(here, verdict.axioms)
    if verdict.uses:
        yield "Uses: " + ", ".join(here.link(u) for u in verdict.uses)
    if material.users[claim.id]:
        yield "Proofs here that use this: " + ", ".join(here.link(u) for u in material.users[claim.id])
    if material.builds_on[claim.id]:
        yield "In the paper these build on it: " + ", ".join(here.link(u) for u in material.builds_on[claim.id])
    mutants = verdict.mutants
    if mutants.tried:
        yield (
            f"As a test of the encoding the statement was changed in {mutants.tried} ways: {mutants.killed} changes make it "
            f"false, {mutants.excused} leave it true, both proved; of {mutants.inconclusive} neither is known."
        )
    if any(b.role in TITLES or b.role.startswith("part:") for b in material.project.registry.roles(claim.id)):
        yield f"Notation: {NOTE}"
    if claim.id in material.certificates:
        file = f"certificates/{claim.paper}/{claim.name}.json"
        yield f"Certificate: [{file}]({here.to(file)}). Check it again: `verify recheck {claim.id}`"
    elif claim.id in material.spoken:
        yield f"Run it again: `verify run {claim.id}`"
