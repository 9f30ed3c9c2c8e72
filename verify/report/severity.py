"""How much it matters that a printed statement is not right: where it stands, and whether the argument survives."""

from __future__ import annotations

from verify.claim import Claim
from verify.verdict import Argument, Outcome, Verdict

WRONG = (Outcome.REFUTED, Outcome.UNSUPPORTED, Outcome.ILL_FORMED)
MEANS = {
    "result": "a theorem, proposition, lemma or corollary",
    "definition": "a definition, assumption or example",
    "text": "an assertion of the text, a caption or an experiment",
    "step": "a step of a proof or a displayed equation",
}
_KINDS = {
    **dict.fromkeys(("theorem", "proposition", "lemma", "corollary"), "result"),
    **dict.fromkeys(("definition", "assumption", "example"), "definition"),
    **dict.fromkeys(("proof-step", "equation"), "step"),
}
MISPRINT = "misprint"
SLIP = "the printed argument goes through once it is corrected"
FAILS = "the printed argument does not show it"


def level(claim: Claim) -> str:
    """What kind of sentence it is."""
    return _KINDS.get(claim.kind, "text")


def severity(claim: Claim, verdict: Verdict) -> str:
    """The level, and what becomes of the printed argument."""
    return level(claim) + (f", {MISPRINT}" if slip(verdict) else "")


def slip(verdict: Verdict) -> bool:
    """Whether the printed argument goes through once the statement is corrected."""
    return verdict.argument is Argument.REPAIRED and verdict.outcome in WRONG


def fate(verdict: Verdict) -> str:
    """What becomes of the printed argument, in words; empty where nothing is recorded."""
    if slip(verdict):
        return f"{MISPRINT} ({SLIP})"
    return FAILS if verdict.argument is Argument.FAILS else ""
