"""What the paper reports of the literature and what is not decided here: each with what was tried and what is missing."""

from __future__ import annotations

from verify.registry import undecided

PAPER = "shin2025"
NEAR = f"{PAPER}.assertion-theorem-1-near-rank-1"
EMPIRICAL = "a report on experiments of the cited work, with networks and data that are not printed here; no statement to prove"

undecided(
    f"{PAPER}.cited-two-layer-low-rank",
    reading="for some reasonable class of patterns and starts the limit at depth 2 has low rank in most cases",
    tried="For the first column of a 2 x 2 matrix the limit is nearly of rank one from every small start that converges to zero loss"
    " (assertion-theorem-1-near-rank-1); for connected patterns in general an exceptional start fails (cited-bai-connected).",
    missing="the reasonable assumptions: the three cited works have different ones, and the sentence names none; a class of patterns and a"
    " law of the starts would be needed",
    uses=[NEAR],
)

undecided(
    f"{PAPER}.cited-menon-open",
    tried="The mathematical question is decided for the family (7) (remark-menon-resolved).",
    missing="the claim itself says that a cited survey lists a question as open, which is a fact about the literature and not about"
    " matrices",
    uses=[f"{PAPER}.remark-menon-resolved"],
)

for _cited, _note in (
    ("kleinman-depth", "the relative reconstruction loss of warm and cold starts"),
    ("kleinman-gap", "the reconstruction gap of warm starts"),
    ("shin2024", "a model of warm starts that memorise noise"),
):
    undecided(
        f"{PAPER}.cited-{_cited}",
        tried=f"read as printed: {_note}; nothing in the paper argues for it or uses it",
        missing=EMPIRICAL,
    )
