"""Every printed statement or argument that is not right as it stands, by paper and section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from verify.claim import Claim, Paper
from verify.report.entry import counterexample, further
from verify.report.formula import outline
from verify.report.hypotheses import void
from verify.report.links import Here, claim_page
from verify.report.markup import cell, folded, prose, quote
from verify.report.record import Material
from verify.report.sections import by_section, heading
from verify.report.severity import MEANS, SLIP, WRONG, fate, level, severity, slip
from verify.report.words import GENERATED, SETTING, amended, first_sentence, headline, setting, table, why
from verify.verdict import Argument, Outcome

PATH = "errata.md"
LONGEST = 8000
"""The most characters of an encoded amendment that are shown here; a longer one stands on the page of its claim."""


def page(material: Material) -> str:
    """The Markdown of the page."""
    pieces = list(_pieces(Here(material, PATH)))
    return "\n\n".join(pieces) + "\n"


def _pieces(here: Here) -> Iterator[str]:
    yield "# Errata"
    yield (
        f"Printed statements that are not right as they stand, by paper and section. {GENERATED} Each has what is printed, "
        "what is wrong, a counterexample where there is one, and the nearest true statement with its proof."
    )
    yield "How much it matters:\n\n" + "\n".join(f"- *{name}*: {text}" for name, text in [*MEANS.items(), ("slip", SLIP)])
    found = False
    for paper in here.material.project.papers.values():
        for piece in _paper(here, paper):
            found = True
            yield piece
    if not found:
        yield "None so far."


def _paper(here: Here, paper: Paper) -> Iterator[str]:
    verdicts = here.material.verdicts
    sections = by_section(paper.claims)
    wrong = {name: [c for c in claims if verdicts[c.id].outcome in WRONG] for name, claims in sections.items()}
    bad = (Argument.REPAIRED, Argument.FAILS)
    elsewhere = (*WRONG, Outcome.VOID)
    others = [c for claims in sections.values() for c in claims if verdicts[c.id].outcome not in elsewhere]
    argued = [c for c in others if verdicts[c.id].argument in bad]
    every = [(name, c) for name, claims in wrong.items() for c in claims]
    empty = any(verdicts[c.id].outcome is Outcome.VOID for c in paper.claims)
    if every or argued or empty:
        yield f"## {paper.slug}: {cell(paper.title)}"
    if every:
        levels = Counter(level(c) for _, c in every)
        slips = sum(slip(verdicts[c.id]) for _, c in every)
        kinds = ", ".join(f"{levels[name]} {name}" for name in MEANS if levels[name])
        yield f"{len(every)} statements ({kinds}); {slips} of them are slips."
        rows = []
        for name, c in every:
            told = here.speaking_of(c.id).cell(first_sentence(why(verdicts[c.id])))
            rows.append([cell(name), f"[{cell(c.label)}](#{_anchor(c)})", severity(c, verdicts[c.id]), told])
        yield table(["section", "claim", "severity", "what is wrong"], rows)
    for name, claims in wrong.items():
        if claims:
            yield f"### {paper.slug}, {heading(prose(name))}"
            for claim in claims:
                yield from _erratum(here.speaking_of(claim.id), claim)
    yield from void(here, paper, f"### {paper.slug}: void statements ({{}}): their hypotheses contradict each other")
    if argued:
        yield f"### {paper.slug}: true statements whose printed argument does not prove them"
        rows = [
            [here.link(c.id), cell(c.label), headline(v), str(v.argument), here.speaking_of(c.id).cell(why(v))]
            for c, v in ((c, verdicts[c.id]) for c in argued)
        ]
        yield table(["claim", "label", "verdict", "argument", "reason"], rows)


def _anchor(claim: Claim) -> str:
    return claim.id.replace(".", "-")


def _erratum(here: Here, claim: Claim) -> Iterator[str]:
    verdict = here.material.verdicts[claim.id]
    yield f'<a id="{_anchor(claim)}"></a>'
    yield f"#### {cell(claim.label)}: {cell(claim.title)}"
    told = "; ".join(text for text in (level(claim), fate(verdict)) if text)
    yield f"**{headline(verdict)}**{further(here, verdict)} · severity: {told} · [`{claim.id}`]({here.to(claim_page(claim.id))})"
    yield quote(prose(claim.statement))
    if why(verdict):
        yield f"**What is wrong.** {here.prose(why(verdict))}"
    if verdict.context:
        yield f"{SETTING}: {here.prose(setting(verdict))}."
    yield from counterexample(here, verdict)
    yield from _nearest(here, claim)
    if claim.transcription:
        yield f"The entry was reconstructed from a damaged source: {prose(claim.transcription)}"


def _nearest(here: Here, claim: Claim) -> Iterator[str]:
    material = here.material
    verdict = material.verdicts[claim.id]
    if verdict.amendment is None:
        return
    yield f"**Nearest true statement** ({amended(verdict)}): {here.prose(verdict.amendment.statement)}"
    formula = material.encoded(claim.id, verdict.amendment.role)
    shown = "" if formula is None else outline(formula, material.language)
    if shown and len(shown) <= LONGEST:
        yield folded("As encoded and proved", shown)
    links = [here.detail(claim.id, verdict.amendment.role, "in words and by rule")]
    if claim.id in material.certificates:
        links.append(f"[certificate]({here.to(f'certificates/{claim.paper}/{claim.name}.json')})")
    yield f"Proof: {', '.join(links)}."
