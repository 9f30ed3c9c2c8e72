"""The index of the reports, with the counts of every paper."""

from __future__ import annotations

from collections import Counter

from verify.report.hypotheses import counted
from verify.report.links import believed
from verify.report.record import Material
from verify.report.severity import WRONG
from verify.report.words import GENERATED, GRADE_MEANS, OPEN, OUTCOME_MEANS, rank, table, tally


def _open(material: Material) -> str:
    """How many claims are open, by the reason."""
    found = Counter(v.open for v in material.verdicts.values() if v.open is not None)
    told = "; ".join(f"{found[reason]} {words}" for reason, words in OPEN.items() if found[reason])
    return f"{sum(found.values())} claims are open: {told}." if found else "No claim is open."


def page(material: Material) -> str:
    """The Markdown of the page."""
    papers = material.project.papers.values()
    tallies = {p.slug: tally(material.verdicts[c.id] for c in p.claims) for p in papers}
    columns = sorted({key for found in tallies.values() for key in found}, key=rank)
    rows = []
    for entry in papers:
        counts = [str(tallies[entry.slug][key] or "") for key in columns]
        rows.append([f"[{entry.slug}]({entry.slug}.md)", str(len(entry.claims)), *counts])
    total = [str(sum(found[key] for found in tallies.values())) for key in columns]
    rows.append(["all", str(sum(len(p.claims) for p in papers)), *total])
    head = ["paper", "claims", *(outcome + (f", {grade}" if grade else "") for outcome, grade in columns)]
    wrong = sum(v.outcome in WRONG for v in material.verdicts.values())
    pieces = [
        "# Reports",
        f"{GENERATED} Profile: {material.profile}. Certificates: {len(material.certificates)}.",
        table(head, rows),
        counted(material),
        _open(material),
        f"- [errata.md](errata.md): the {wrong} printed statements that are not right as they stand, with a page for each paper\n"
        "- a page for each paper (above): every claim with its verdict; from there a page for each claim with its proof\n"
        "- [trusted.md](trusted.md): the axioms, trusted steps and answers of oracles that the verdicts rest on; "
        f"{believed(material)} says what must be believed\n"
        "- [graphs.md](graphs.md): which claims use which\n"
        "- [verdicts.json](verdicts.json): the verdicts for machines\n"
        "- [statements.json](statements.json): the digests of the encoded statements"
        + ("\n- [certificates](certificates): the proofs, checked by `verify recheck`" if material.certificates else ""),
        "Outcomes:\n\n" + "\n".join(f"- *{o}*: {t}" for o, t in OUTCOME_MEANS.items()),
        "Grades, strongest first:\n\n" + "\n".join(f"- *{g}*: {t}" for g, t in GRADE_MEANS.items()),
    ]
    return "\n\n".join(pieces) + "\n"
