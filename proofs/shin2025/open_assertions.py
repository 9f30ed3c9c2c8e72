"""Prose claims that are not decided, with what is proved towards them and what is missing."""

from __future__ import annotations

from verify.registry import undecided

PAPER = "shin2025"
RANK = f"{PAPER}.assertion-abstract-rank1-iff"
NO_MEASURE = "the language has no measures, and no category, for generic or Gaussian starts"

undecided(
    f"{PAPER}.hypothesis-coupling",
    tried="With diagonal observations and the family (7) the limit tends to rank one with alpha exactly in the coupled cases"
    " (amendment of assertion-abstract-rank1-iff); the bias does not intensify with depth from large starts"
    " (assertion-depth-widens-gap).",
    missing="a precise general statement: a hypothesis about all observation patterns and starts, of which only"
    " special cases are analysed",
    uses=[RANK, f"{PAPER}.assertion-depth-widens-gap", f"{PAPER}.prop-3-minf-decoupled"],
)

undecided(
    f"{PAPER}.assertion-abstract-plasticity-deep",
    tried="Theorem 4 gives the rank of a deep limit for diagonal observations from the family (7) only.",
    missing="a theorem for the post-training of deep factorisations: the paper has experiments only (Figure 3),"
    " and a start at the limit of"
    " a pre-training is not in the family (7)",
)

NOT_HERE = (
    "the paper quotes this without a proof, and does not print the technical assumptions of the cited work;"
    " a proof would have to be that of the cited work"
)

for _cited in (
    "two-layer-low-rank",
    "menon-open",
    "kleinman-depth",
    "gissin-li",
    "kleinman-gap",
    "shin2024",
):
    undecided(f"{PAPER}.cited-{_cited}", tried="read as printed; nothing in the paper argues for it", missing=NOT_HERE)
