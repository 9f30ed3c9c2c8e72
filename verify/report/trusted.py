"""The axioms, the trusted steps and the answers of oracles, with the claims that rest on them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from verify.report.hypotheses import without_witness
from verify.report.links import Here, believed
from verify.report.markup import cell, code
from verify.report.record import Material
from verify.report.words import GENERATED, table, value
from verify.run.evidence import library
from verify.verdict import placed

PATH = "trusted.md"


def page(material: Material) -> str:
    """The Markdown of the page."""
    by_axiom: dict[str, list[str]] = defaultdict(list)
    by_step: list[tuple[str, str]] = []
    for claim, verdict in material.verdicts.items():
        for axiom in dict.fromkeys(placed(axiom)[1] for axiom in verdict.axioms):
            by_axiom[axiom].append(claim)
        by_step += [(claim, step) for step in verdict.trusted_steps]
    used: Counter[str] = Counter()
    for claim in material.project.registry.claims():
        roles = [b.role for b in material.project.registry.roles(claim) if not material.results.why_not(claim, b.role)]
        used.update({f for role in roles for f in material.results.roles[(claim, role)].summary().facts})
    here = Here(material, PATH)
    out = [
        "# What the verdicts rest on",
        f"{GENERATED} {believed(material)} explains the rest of what must be believed.",
        "## Axioms",
    ]
    facts = sorted(library(), key=lambda f: str(f["name"]))
    for fact in (f for f in facts if f["kind"] == "axiom"):
        name = str(fact["name"])
        out += [f'<a id="{name}"></a>\n\n### {name}', here.prose(str(fact.get("says", "")))]
        out += [f"Source: {here.prose(str(fact['source']))}"] if fact.get("source") else []
        out.append(code(_statement(material, fact)))
        users = by_axiom.get(name, [])
        out.append("Used by, also through other claims: " + (", ".join(here.link(c) for c in users) if users else "no claim"))
    out.append("## Trusted steps")
    if by_step:
        out.append(table(["claim", "step"], [[here.link(c), cell(s)] for c, s in by_step]))
    else:
        out.append("None.")
    out.append("## Answers of an oracle")
    answers = [(claim, answer) for claim, verdict in material.verdicts.items() for answer in verdict.oracles]
    if answers:
        out.append("What an SMT solver found, which leaves nothing to check; the problems stand on the pages of the claims.")
        out.append(table(["claim", "answer"], [[here.link(c), cell(a)] for c, a in answers]))
    else:
        out.append("None.")
    out += without_witness(here)
    out += [
        "## Facts without a name of their own",
        "Textbook facts and the definitions of operators, with the claims that use them:",
    ]
    rows = [
        [str(f["name"]), str(f["kind"]), value(_statement(material, f)), cell(str(f.get("says", ""))), str(used[str(f["name"])])]
        for f in facts
        if f["kind"] in ("calculus", "definition")
    ]
    out.append(table(["fact", "kind", "statement", "says", "claims"], rows))
    return "\n\n".join(out) + "\n"


def _statement(material: Material, fact: Mapping[str, Any]) -> str:
    """A fact with its parameters, in plain text."""
    declared = ", ".join(f"{name}: {_sort(material, sort)}" for name, sort in fact.get("params", ()))
    text = material.language.pretty(fact["formula"])
    return f"for all {declared}: {text}" if declared else text


def _sort(material: Material, sort: Any) -> str:
    if isinstance(sort, str):
        return sort
    head, *rest = sort
    if head == "M":
        return f"M({', '.join(material.language.pretty(term) for term in rest)})"
    arguments = ", ".join(_sort(material, s) for s in rest[0])
    return f"({arguments}) -> {_sort(material, rest[1])}"
