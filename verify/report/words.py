"""Small pieces of text that several reports share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from verify.verdict import AMENDED, Grade, Outcome, Verdict

OUTCOME_MEANS = {
    Outcome.HOLDS: "the statement is true over everything that it quantifies over",
    Outcome.REFUTED: "a counterexample satisfies every printed hypothesis",
    Outcome.UNSUPPORTED: "neither proved nor refuted as printed, and the printed argument does not yield it",
    Outcome.ILL_FORMED: "meaningless as printed; the nearest meaningful reading stands beside it",
    Outcome.OPEN: "not decided",
}
GRADE_MEANS = {
    Grade.PROVED: "decided exactly for every value of every parameter in the claim",
    Grade.INSTANCES: "decided exactly for each member of a stated finite family",
    Grade.CERTIFIED: "rigorous enclosures at stated parameter values, or over stated boxes",
    Grade.NUMERIC: "high precision with an error estimate, not rigorous",
    Grade.SAMPLED: "a seeded random search for a counterexample found none",
    Grade.SIMULATED: "an experiment shows what the paper says that it shows",
    Grade.CITED: "the claim itself is a citation, accepted as an axiom",
}


def headline(verdict: Verdict) -> str:
    """The verdict in a few words, with the amendment."""
    text = verdict.words()
    if verdict.amendment is not None:
        amended = verdict.amendment
        steps = sum(1 for s in verdict.trusted_steps if s.startswith(AMENDED))
        tail = f" with {steps} trusted step{'s' if steps > 1 else ''}" if steps else ""
        text += f"; amendment {amended.outcome}" + (f", {amended.grade}{tail}" if amended.grade else "")
    return text


def tally(verdicts: Iterable[Verdict]) -> Counter[tuple[str, str]]:
    """How many verdicts there are of each outcome and grade; one with trusted steps is counted apart."""
    found: Counter[tuple[str, str]] = Counter()
    for verdict in verdicts:
        steps = any(not s.startswith(AMENDED) for s in verdict.trusted_steps)
        grade = "" if verdict.grade is None else str(verdict.grade) + (", with trusted steps" if steps else "")
        found[(str(verdict.outcome), grade)] += 1
    return found


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table of cells that are Markdown already."""
    head = list(head)
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def anchor(claim: str) -> str:
    """The anchor of a claim on the page of its paper."""
    return claim.partition(".")[2]


def link(claim: str, here: str) -> str:
    """A link to a claim from the page of the paper `here`."""
    paper = claim.partition(".")[0]
    page = "" if paper == here else f"{paper}.md"
    return f"[`{claim}`]({page}#{anchor(claim)})"


def rules(counts: Mapping[str, int]) -> str:
    """The number of nodes by rule."""
    return ", ".join(f"{n} {rule}" for rule, n in counts.items())


def value(text: object) -> str:
    """Plain text in code type, in a table."""
    return f"`{str(text).replace('`', '')}`".replace("|", "\\|")
