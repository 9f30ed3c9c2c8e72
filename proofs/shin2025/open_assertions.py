"""What the paper reports of the literature and what is not decided here: each with what was tried and what is missing."""

from __future__ import annotations

from proofs.shin2025.limiting_rank import COUPLED, SHALLOW
from proofs.shin2025.nearly_rank_one import BOUND, SETTING, VARIABLES
from proofs.shin2025.rank_claims import ZERO_LOSS, special
from verify.kernel import Goal
from verify.registry import amendment, part, undecided

PAPER = "shin2025"
NEAR = f"{PAPER}.assertion-theorem-1-near-rank-1"
DIAGONAL = f"{PAPER}.assertion-intro-l2-rank2"
FAMILY = f"{PAPER}.remark-menon-resolved"
TWO_LAYERS = f"{PAPER}.cited-two-layer-low-rank"
MENON = f"{PAPER}.cited-menon-open"


@amendment(
    TWO_LAYERS,
    f"all {VARIABLES}. {SETTING} => {BOUND}",
    says="One pattern and all starts: on the first column of a 2 x 2 matrix sigma_1 sigma_2 of the limit is at most |(w11*, w21*)| "
    "|A(0)|_F |b_2(0)|, of the order alpha^2 from any start of scale alpha that converges to zero loss.",
    uses=[NEAR],
)
def column_ends_near_rank_one(g: Goal) -> None:
    """The bound of the determinant."""
    g.close_by(g.lemma(NEAR, "part:determinant"))


@part(
    TWO_LAYERS,
    "diagonal",
    special(SHALLOW),
    says="On the diagonal of a 2 x 2 matrix the limit from the family (7) has rank 2 at depth 2, for every alpha and m.",
    uses=[DIAGONAL],
)
def diagonal_ends_at_rank_two(g: Goal) -> None:
    """The case of the introduction."""
    g.close_by(g.lemma(DIAGONAL))


undecided(
    TWO_LAYERS,
    outcome="ill-formed",
    reason="The sentence fixes neither the reasonable assumptions (the three cited works have different ones) nor, for 'usually', a law of "
    "targets, patterns and starts, nor what rank counts as low: it is true or false with that choice, as the two other readings show. "
    "The amendment fixes a choice",
    readings=[
        (
            "the pattern is the first column of a 2 x 2 matrix, the start is any small one, zero loss in the limit",
            "holds",
            "amendment",
        ),
        (
            f"no assumption on the pattern: it is the diagonal, the start is from the family (7) ({ZERO_LOSS})",
            "refuted",
            "diagonal",
            "the limit is shown to have full rank d, with all singular values near w* for large m",
        ),
        ("most starts on any connected pattern; an exceptional one fails (cited-bai-connected)", "open", None),
    ],
    tried="On the connected 3 x 3 patterns, rank-one targets and Gaussian starts of Figure 4, 82 in 100 runs from alpha^2 = 10^-6 end below "
    "effective rank 1.1, on the disconnected ones 13 in 100",
    uses=[NEAR, DIAGONAL],
)


@part(
    MENON,
    "family",
    special(COUPLED, "1"),
    says="The question for w11* = w22* = 1 and the family (7) with finite m: the limit tends to rank one with alpha.",
    uses=[FAMILY],
)
def family_is_answered(g: Goal) -> None:
    """The remark that the paper makes of it."""
    g.close_by(g.lemma(FAMILY))


undecided(
    MENON,
    reading="two statements: that a cited survey lists the question, and that no proof was known",
    readings=[
        (
            f"the question is unanswered for the starts of the family (7) with finite m and small alpha ({ZERO_LOSS})",
            "refuted",
            "family",
            "it answers the question: the first singular value stays above w*, the others tend to 0 with alpha",
        ),
        ("the question for Gaussian starts has a positive answer: the second singular value tends to 0 with alpha", "open", None),
    ],
    tried="For the family (7) the answer is proved (part family). For Gaussian starts at depth 3 it is simulated (test below). A proof was "
    "sought along Theorem 4: its step is that the factors keep two eigenvalues, which needs a start that commutes with the permutations of "
    "the diagonal; a Gaussian start does not, and the balances W_{l+1}^T W_{l+1} - W_l W_l^T, which are of the order alpha^2, bound the "
    "second singular value only while the residual is away from 0",
    missing="the survey itself: what it lists as open is a fact about the literature. For the mathematics, a bound of the second singular "
    "value at the time when both residuals vanish, from a generic start",
    uses=[FAMILY],
)

undecided(
    f"{PAPER}.cited-kleinman-depth",
    reading="relative loss: the reconstruction error after the warm start over that after a cold start on the larger set, as a function of L",
    tried="The measure was computed on the trainings of Figure 3 (depths 2, 3, 4; alpha^L = 10^-3, 10^-4, 10^-6, 10^-8; the test below). "
    "It falls from depth 2 to depth 3 at every scale (4.0 to 0.77 at 10^-8, 1.36 to 1.22 at 10^-3), the opposite of the quoted trend",
    missing="the experiments that are quoted: the cited work uses other networks, data, optimisers and stopping rules, none of which is "
    "printed here, and the sentence says what was seen there. A run of ours with other settings neither confirms nor refutes it",
)

undecided(
    f"{PAPER}.cited-kleinman-gap",
    reading="typically: on average over seeds the error after the warm start exceeds that after a cold start on the whole set",
    tried="On the trainings of Figure 3 (the test below) this is so at depth 2 in every seed and at every scale, by a factor of 1.3 to 5, "
    "and at depths 3 and 4 from alpha^L = 10^-3 and 10^-4; from 10^-6 and 10^-8 the deep models have the smaller error after the warm start",
    missing="what 'typically' ranges over: the models and sets of the cited work are not printed. As a statement on all models it is false "
    "of the deep runs at small scales, as one on depth 2 it is true of all runs; to decide it as a report would need the cited figures",
)

undecided(
    f"{PAPER}.cited-shin2024",
    reading="a report on another framework, from which nothing in the paper is derived",
    tried="Looked for a meaning inside the model of this paper: the observed entries have no noise here, and the gradient flow ends at zero "
    "loss on the observed entries from warm and from cold starts alike, so that 'memorised noise' would have to be the unobserved entries of "
    "the pre-trained matrix. That these persist is proved, for another reason: Theorem 6 at depth 2 (w21 < 0 for ever). So neither the noise nor "
    "the cause that the sentence names can be expressed in what is printed",
    missing="the definition of the cited framework: its features, its data-dependent noise and its training rule; with it the sentence would be a "
    "theorem or a claim on runs of that work",
    uses=[f"{PAPER}.theorem-6-w21"],
)
