"""The dependency graphs of the papers for Mermaid, one drawing per section, coloured by outcome."""

from __future__ import annotations

import re

from verify.claim import Paper
from verify.report.links import paper_page
from verify.report.record import Material
from verify.report.words import GENERATED
from verify.verdict import Outcome

MAX_EDGES = 500
COLOURS = {
    Outcome.HOLDS: "#cfe8cf",
    Outcome.REFUTED: "#f2c4c0",
    Outcome.UNSUPPORTED: "#f7dfb5",
    Outcome.ILL_FORMED: "#f7dfb5",
    Outcome.VOID: "#d9d2ec",
    Outcome.OPEN: "#e4e4e4",
}


PATH = "graphs.md"


def page(material: Material) -> str:
    """The Markdown of the page."""
    pieces = ["# What uses what", f"An arrow leads from a claim to one whose proof uses it. {GENERATED}"]
    for slug, paper in material.project.papers.items():
        drawings = mermaid(material, paper)
        if drawings:
            pieces += [f"## [{slug}]({paper_page(slug)})", *drawings]
    return "\n\n".join(pieces) + "\n"


def mermaid(material: Material, paper: Paper) -> list[str]:
    """The drawings of a paper; a section whose claims use nothing has none."""
    edges: dict[str, list[tuple[str, str]]] = {}
    for claim in paper.claims:
        for used in material.verdicts[claim.id].uses:
            edges.setdefault(claim.section, []).append((used, claim.id))
    out = []
    for section, pairs in edges.items():
        out += [_drawing(material, pairs[at : at + MAX_EDGES]) for at in range(0, len(pairs), MAX_EDGES)]
        out[-1] = f"Section {_plain(section)}:\n\n{out[-1]}"
    return out


def _drawing(material: Material, pairs: list[tuple[str, str]]) -> str:
    names = sorted({name for pair in pairs for name in pair})
    ids = {name: f"n{number}" for number, name in enumerate(names)}
    lines = ["```mermaid", "graph LR"]
    lines += [f'  {ids[name]}["{name}"]' for name in names]
    lines += [f"  {ids[a]} --> {ids[b]}" for a, b in pairs]
    for outcome, colour in COLOURS.items():
        mine = [ids[n] for n in names if material.verdicts[n].outcome is outcome]
        if mine:
            word = outcome.replace("-", "")
            lines += [
                f"  classDef {word} fill:{colour},stroke:#555,color:#111",
                f"  class {','.join(mine)} {word}",
            ]
    return "\n".join([*lines, "```"])


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9 .,()-]", "", text)
