"""Every printed statement or argument that is not right as it stands, by paper and section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from verify.claim import Claim, Paper
from verify.report.entry import counterexample, further
from verify.report.families import formulas
from verify.report.hypotheses import void
from verify.report.links import Here, paper_page
from verify.report.markup import cell, folded, prose, quote
from verify.report.record import Material
from verify.report.sections import by_section, heading, section_anchor
from verify.report.severity import MEANS, MISPRINT, SLIP, WRONG, fate, level, severity, slip
from verify.report.words import GENERATED, SETTING, amended, first_sentence, headline, sentence, setting, table, why
from verify.verdict import Argument, Outcome

PATH = "errata.md"
EACH = "Each has what is printed, what is wrong, a counterexample if there is one, and the nearest true statement with its proof."
EMPTY = "Void statements and broken arguments for true ones are listed as well."
VOID = "### Void statements ({}): their hypotheses contradict each other"


def pages(material: Material) -> dict[str, str]:
    """The index of all errata, and a page for each paper that has some, by path."""
    index, found = Here(material, PATH), dict[str, str]()
    rows = list[str]()
    for paper in material.project.papers.values():
        here = Here(material, f"errata/{paper.slug}.md")
        pieces = list(_paper(here, paper))
        if pieces:
            found[here.path] = "\n\n".join([*_head(here, paper), *pieces]) + "\n"
            rows += _listed(index, here, paper)
    told = [
        "# Errata",
        f"Printed statements that are not right as they stand, by paper and section. {GENERATED} {EACH} {EMPTY}",
        "How much it matters:\n\n" + "\n".join(f"- *{name}*: {text}" for name, text in [*MEANS.items(), (MISPRINT, SLIP)]),
    ]
    return {PATH: "\n\n".join([*told, *(rows or ["None so far."])]) + "\n", **found}


def _head(here: Here, paper: Paper) -> Iterator[str]:
    yield f"# Errata of {cell(paper.title)}"
    yield f"{EACH} {EMPTY} All papers: [errata]({here.to(PATH)}). Every claim: [{paper.slug}]({here.to(paper_page(paper.slug))})."


def _wrong(here: Here, paper: Paper) -> list[tuple[str, Claim]]:
    verdicts = here.material.verdicts
    return [(name, c) for name, cs in by_section(paper.claims).items() for c in cs if verdicts[c.id].outcome in WRONG]


def _listed(index: Here, here: Here, paper: Paper) -> Iterator[str]:
    """The part of a paper in the index: counts, and a row for each erratum, which keeps its old anchor."""
    verdicts = here.material.verdicts
    wrong = _wrong(here, paper)
    yield f"## {paper.slug}: {cell(paper.title)}"
    levels = Counter(level(c) for _, c in wrong)
    slips = sum(slip(verdicts[c.id]) for _, c in wrong)
    kinds = ", ".join(f"{levels[name]} {name}" for name in MEANS if levels[name])
    link = f"[{here.path}]({index.to(here.path)})"
    if not wrong:
        yield f"No statement is refuted; void ones, and arguments that do not prove true ones: {link}."
        yield from void(index, paper, VOID)
        return
    yield f"{len(wrong)} statements ({kinds}); {slips} of them are misprints. In full: {link}."
    rows = []
    for name, c in wrong:
        told = index.speaking_of(c.id).cell(first_sentence(why(verdicts[c.id])))
        where = f'<a id="{_anchor(c)}"></a>[{cell(c.label)}]({index.to(here.path, _anchor(c))})'
        rows.append([cell(name), where, severity(c, verdicts[c.id]), told])
    yield table(["section", "claim", "severity", "what is wrong"], rows)
    yield from void(index, paper, VOID)


def _paper(here: Here, paper: Paper) -> Iterator[str]:
    verdicts = here.material.verdicts
    bad, elsewhere = (Argument.REPAIRED, Argument.FAILS), (*WRONG, Outcome.VOID)
    others = [c for claims in by_section(paper.claims).values() for c in claims if verdicts[c.id].outcome not in elsewhere]
    argued = [c for c in others if verdicts[c.id].argument in bad]
    yield from void(here, paper, VOID.removeprefix("#"))
    if argued:
        yield "## True statements whose printed argument does not prove them"
        rows = [
            [here.link(c.id), cell(c.label), headline(v), str(v.argument), here.speaking_of(c.id).cell(why(v))]
            for c, v in ((c, verdicts[c.id]) for c in argued)
        ]
        yield table(["claim", "label", "verdict", "argument", "reason"], rows)
    by_name: dict[str, list[Claim]] = {}
    for name, claim in _wrong(here, paper):
        by_name.setdefault(name, []).append(claim)
    if by_name:
        yield "## Contents"
        links = [" · ".join(f"[{cell(c.label)}](#{_anchor(c)})" for c in claims) for claims in by_name.values()]
        titles = [f"[{heading(cell(name))}](#{section_anchor(name)})" for name in by_name]
        yield table(["section", "not right as printed"], zip(titles, links, strict=True))
    for name, claims in by_name.items():
        yield f'<a id="{section_anchor(name)}"></a>'
        yield f"## {heading(prose(name))}"
        for claim in claims:
            yield from _erratum(here.speaking_of(claim.id), claim)


def _anchor(claim: Claim) -> str:
    return claim.id.replace(".", "-")


def _erratum(here: Here, claim: Claim) -> Iterator[str]:
    verdict = here.material.verdicts[claim.id]
    yield f'<a id="{_anchor(claim)}"></a>'
    yield f"### {cell(claim.label)}: {cell(claim.title)}"
    told = "; ".join(text for text in (level(claim), fate(verdict)) if text)
    yield f"**{sentence(verdict, claim.kind)}**{further(here, verdict)} · severity: {told} · {here.own(claim.id)}"
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
    if formula is not None:
        yield folded("As encoded and proved", "\n\n".join(formulas(formula, material.language, _anchor(claim))))
    links = [here.detail(claim.id, verdict.amendment.role, "in words and by rule")]
    if claim.id in material.certificates:
        links.append(f"[certificate]({here.to(f'certificates/{claim.paper}/{claim.name}.json')})")
    yield f"Proof: {', '.join(links)}."
