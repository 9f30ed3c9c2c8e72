"""The page of a paper: what is not right, what is open, constants, figures, then every claim section by section."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim import Claim, Paper
from verify.report.entry import AGREEMENT, caption_against_text, entry
from verify.report.hypotheses import void
from verify.report.links import Here, anchor, paper_page
from verify.report.markup import cell, prose
from verify.report.record import Material
from verify.report.sections import by_section, heading, section_anchor
from verify.report.severity import WRONG, severity
from verify.report.words import GENERATED, counts, first_sentence, headline, table, why
from verify.verdict import Open, Outcome, Verdict


def page(material: Material, paper: Paper) -> str:
    """The Markdown of the page."""
    return "\n\n".join(_pieces(Here(material, paper_page(paper.slug)), paper)) + "\n"


def _pieces(here: Here, paper: Paper) -> Iterator[str]:
    material = here.material
    sections = by_section(paper.claims)
    yield f"# {cell(paper.title)}"
    yield f"{prose(', '.join(paper.authors))} ({paper.year}). {len(paper.claims)} claims. {GENERATED}"
    yield counts(material.verdicts[c.id] for c in paper.claims)
    catalogue = here.to("../" + material.project.relative(paper.path))
    errata = f"errata/{paper.slug}.md" if any(material.verdicts[c.id].outcome in WRONG for c in paper.claims) else "errata.md"
    yield (
        f"The statements and the notation are those of the [catalogue]({catalogue}). "
        "Each entry below gives what is printed, the verdict and why; its id leads to a page with the statement as encoded, the "
        "proof, its parts and the evidence. What outcomes and grades mean: [index](README.md). "
        f"All that is not right as printed: [errata]({here.to(errata)})."
    )
    yield from _wrong(here, sections)
    yield from void(here, paper, "## Void: the hypotheses contradict each other ({})")
    yield from _open(here, sections)
    yield from _constants(here, paper)
    yield from _figures(here, paper)
    yield from _contents(here, sections)
    for name, claims in sections.items():
        yield f'<a id="{section_anchor(name)}"></a>'
        yield f"## {heading(prose(name))}"
        yield from (entry(here, c) for c in claims)


def _wrong(here: Here, sections: dict[str, list[Claim]]) -> Iterator[str]:
    verdicts = here.material.verdicts
    found = [(name, c) for name, claims in sections.items() for c in claims if verdicts[c.id].outcome in WRONG]
    if not found:
        return
    yield f"## Not right as printed ({len(found)})"
    rows = []
    for name, claim in found:
        told = here.speaking_of(claim.id).cell(first_sentence(why(verdicts[claim.id])))
        rows.append([cell(name), f"[{cell(claim.label)}](#{claim.name})", severity(claim, verdicts[claim.id]), told])
    yield table(["section", "claim", "severity", "what is wrong"], rows)


def _open(here: Here, sections: dict[str, list[Claim]]) -> Iterator[str]:
    material = here.material
    decisions = material.project.registry.decisions
    every = [c for claims in sections.values() for c in claims if material.verdicts[c.id].outcome is Outcome.OPEN]
    found = [c for c in every if material.verdicts[c.id].open is Open.TRIED]
    if every:
        yield f"## Open ({len(every)})"
    if found:
        yield f"Tried, and not decided ({len(found)}):"
        rows = []
        for claim in found:
            decision = decisions.get(claim.id)
            missing = material.verdicts[claim.id].reason if decision is None or not decision.missing else decision.missing
            rows.append([f"[{cell(claim.label)}](#{claim.name})", here.speaking_of(claim.id).cell(missing)])
        yield table(["claim", "what is missing"], rows)
    for reason, title in ((Open.CITED, "Cited from other work, and not proved here"), (Open.UNTRIED, "Not examined yet")):
        rest = [c for c in every if material.verdicts[c.id].open is reason]
        if rest:
            links = ", ".join(f"[{cell(c.label)}: {cell(c.title)}](#{c.name})" for c in rest)
            yield f"{title} ({len(rest)}): {links}."


def _constants(here: Here, paper: Paper) -> Iterator[str]:
    constants = here.material.project.constants[paper.slug]
    if constants:
        yield "## Constants"
        yield "For each printed constant what the printed argument yields, and a better one where one is proved."
        claims, rows = here.material.project.claims, []
        for c in constants:
            where = f"[{cell(claims[c.claim].label)}](#{anchor(c.claim)})"
            shown = here.detail(c.shown_by, f"part:{c.part}" if c.part else "") if c.shown_by else ""
            rows.append([where, cell(c.printed), cell(c.yields), "yes" if c.follows else "**no**", cell(c.better), shown])
        yield table(["claim", "printed", "the argument yields", "follows?", "better", "shown by"], rows)


def _figures(here: Here, paper: Paper) -> Iterator[str]:
    registry = here.material.project.registry
    found = [(c, f) for c in paper.claims for f in registry.drawings(c.id)]
    if found:
        yield "## Figures"
        rows = []
        for claim, figure in found:
            where = f"[{figure.name}](#{claim.name})"
            shows = here.cell(figure.caption.partition(":")[0])
            rows.append([where, headline(here.material.verdicts[claim.id]), shows])
        yield table(["figure", "verdict", "shows"], rows)
    told = [(c, r) for c in paper.claims for r in here.material.verdicts[c.id].readings if caption_against_text(r)]
    if told:
        links = (f"[{cell(c.label)}](#{c.name}): {AGREEMENT[r.outcome]}" for c, r in told)
        yield "Captions compared with the text: " + "; ".join(links) + "."


def _contents(here: Here, told: dict[str, list[Claim]]) -> Iterator[str]:
    yield "## Contents"
    yield "Claims that do not hold as printed are marked: ✗ not right, ∅ void, ? open. What uses what: [graphs](graphs.md)."
    rows = []
    for name, claims in told.items():
        links = " · ".join(f"[{c.name}](#{c.name}){_mark(here.material.verdicts[c.id])}" for c in claims)
        rows.append([f"[{heading(cell(name))}](#{section_anchor(name)})", links])
    yield table(["section", "claims"], rows)


def _mark(verdict: Verdict) -> str:
    marks = {**dict.fromkeys(WRONG, " ✗"), Outcome.VOID: " ∅", Outcome.OPEN: " ?"}
    return marks.get(verdict.outcome, "")
