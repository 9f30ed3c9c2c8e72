"""What the page of a paper says of one claim: printed, verdict, why, and the way to the rest."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim import Claim
from verify.registry import CAPTION_AGAINST_TEXT, NEGATION, STATEMENT
from verify.report import values
from verify.report.links import Here, test_anchor
from verify.report.markup import cell, prose, quote, tick
from verify.report.necessity import necessity
from verify.report.severity import WRONG
from verify.report.words import ADDED, SETTING, added, amended, sentence, setting, table, why
from verify.run.drawing import path_of
from verify.run.results import DONE
from verify.verdict import Outcome, Reading, Verdict

AGREEMENT = {
    **dict.fromkeys(Outcome, "open"),
    Outcome.HOLDS: "they agree",
    Outcome.REFUTED: "they disagree",
}
"""What the outcome of a reading `caption against text` says."""


def entry(here: Here, claim: Claim) -> str:
    """The Markdown of one claim on the page of its paper."""
    here = here.speaking_of(claim.id)
    verdict = here.material.verdicts[claim.id]
    pieces = [
        f'<a id="{claim.name}"></a>',
        f"### {cell(claim.label)}: {cell(claim.title)}",
        f"**{sentence(verdict, claim.kind)}**{further(here, verdict)} · {claim.kind} · {here.own(claim.id)}",
        *printed(claim),
        *judgement(here, claim),
        *necessity(here, claim.id),
        *_replayed(here, claim),
        *figures(here, claim),
    ]
    return "\n\n".join(piece for piece in pieces if piece)


def further(here: Here, verdict: Verdict) -> str:
    """What the line of a verdict says of the hypotheses that the paper does not print."""
    return f" · **{ADDED}**: {here.prose(added(verdict))}" if verdict.added else ""


def printed(claim: Claim) -> Iterator[str]:
    """What the paper prints, with its hypotheses."""
    yield quote(prose(claim.statement))
    if claim.assumptions:
        yield f"Hypotheses and context: {prose(claim.assumptions)}"
    if claim.transcription:
        yield f"The entry was reconstructed from a damaged source: {prose(claim.transcription)}"


def judgement(here: Here, claim: Claim) -> Iterator[str]:
    """Why, the counterexample, the nearest true statement, and the other readings."""
    verdict = here.material.verdicts[claim.id]
    if why(verdict):
        yield f"**{'What is wrong' if verdict.outcome in WRONG else 'Remark'}.** {here.prose(why(verdict))}"
    if verdict.context:
        yield f"{SETTING}: {here.prose(setting(verdict))}."
    yield from counterexample(here, verdict)
    yield from amendment(here, claim, verdict)
    yield from readings(here, claim)


def counterexample(here: Here, verdict: Verdict) -> Iterator[str]:
    """The values of the counterexample, if any is needed to understand it."""
    if verdict.counterexample and (shown := values.markdown(verdict.counterexample, here.material.language)):
        letters = here.detail(here.claim, NEGATION, "encoded statement")
        yield f"**Counterexample**, in the letters of the {letters}:"
        yield shown


def amendment(here: Here, claim: Claim, verdict: Verdict) -> Iterator[str]:
    """The nearest true statement in words, with the way to its proof."""
    if verdict.amendment is not None:
        role = verdict.amendment.role
        spoken = role == STATEMENT or here.material.project.registry.bindings[(claim.id, role)].says
        words = here.prose(verdict.amendment.statement) if spoken else tick(verdict.amendment.statement)
        way = here.detail(claim.id, role, "statement and proof")
        yield f"**Nearest true statement** ({amended(verdict)}; {way}): {words}"


def readings(here: Here, claim: Claim) -> Iterator[str]:
    """Other readings with their outcomes; what was found on caption and text has a line of its own."""
    rows = []
    for reading in here.material.verdicts[claim.id].readings:
        about = caption_against_text(reading)
        shown = _shown_by(here, claim, reading)
        if about:
            how = f" ({shown} shows it: {here.prose(reading.because)})" if reading.because else ""
            yield f"**Caption against text** ({AGREEMENT[reading.outcome]}; {shown}): {here.prose(about)}{how}"
        else:
            how = f": {here.cell(reading.because)}" if reading.because else ""
            rows.append([here.cell(reading.reading), str(reading.outcome), shown + how])
    if rows:
        yield table(["other reading", "outcome", "shown by"], rows)


def caption_against_text(reading: Reading) -> str:
    """What a reading says of caption and text; empty for any other reading."""
    name, found, told = reading.reading.partition(":")
    return told.strip() if found and name.strip().lower() == CAPTION_AGAINST_TEXT else ""


def _shown_by(here: Here, claim: Claim, reading: Reading) -> str:
    """A link to the part or the experiment that decides a reading."""
    registry = here.material.project.registry
    decision = registry.decisions.get(claim.id)
    parts = () if decision is None else (s.part for s in decision.readings if s.text == reading.reading)
    for part in (p for p in parts if p):
        role = part if (claim.id, part) in registry.bindings else "part:" + part.removeprefix("part:")
        if (claim.id, role) in registry.bindings:
            return here.detail(claim.id, role, role.removeprefix("part:"))
    for test in registry.tests(claim.id):
        if test.reading == reading.reading:
            return here.at(claim.id, test_anchor(test.name), "experiment")
    return "not decided"


def _replayed(here: Here, claim: Claim) -> Iterator[str]:
    """What an experiment finds, with the way to its statistics."""
    for test in here.material.project.registry.tests(claim.id):
        result = here.material.results.tests.get((claim.id, test.name))
        if result is not None and result.status == DONE and test.reduction and not test.reading:
            told = "comes out" if result.holds else "does not come out"
            finding = here.prose(test.reduction.split("\n\n")[0])
            yield f"**Experiment** ({test.grade}, {told}; {here.at(claim.id, test_anchor(test.name), 'statistics')}): {finding}"


def figures(here: Here, claim: Claim) -> Iterator[str]:
    """The pictures of a claim with their captions."""
    for figure in here.material.project.registry.drawings(claim.id):
        result = here.material.results.figures.get((claim.id, figure.name))
        if result is None:
            continue
        if result.status != DONE:
            yield f"Figure {prose(figure.name)} was not drawn: {prose(result.error or result.status)}"
            continue
        yield f"![{figure.name}]({here.to(path_of(figure))})"
        yield here.prose(f"{figure.caption} {result.caption}".strip())
        if figure.against_text and not _told(here, claim, figure.against_text):
            yield f"**Caption against text:** {here.prose(figure.against_text)}"


def _told(here: Here, claim: Claim, text: str) -> bool:
    """Whether what was found on caption and text is a reading of the claim already, with its outcome."""
    return any(r.reading == f"{CAPTION_AGAINST_TEXT}: {text}" for r in here.material.verdicts[claim.id].readings)
