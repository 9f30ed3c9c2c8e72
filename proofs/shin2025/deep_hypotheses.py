"""The hypothesis of Section 3 and the abstract's word on deep networks: open in general; the readings that are decided."""

from __future__ import annotations

from proofs.shin2025.depth_and_gap import CLAIM as GAP
from proofs.shin2025.depth_and_gap import NARROWS
from proofs.shin2025.depth_intensifies import INTENSIFIES, TYPICAL
from proofs.shin2025.diagonal_flow import PRODUCTS, flow
from proofs.shin2025.generic_coupling import STATEMENT as GENERIC
from proofs.shin2025.infinitesimal_starts import PATTERN, observed
from proofs.shin2025.limiting_rank import COUPLED, IDENTICAL, SMALL
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part, undecided

HYPOTHESIS = "shin2025.hypothesis-coupling"
PLASTICITY = "shin2025.assertion-abstract-plasticity-deep"

undecided(
    HYPOTHESIS,
    reading="Two parts: deep dynamics are coupled whatever is observed, which holds for almost every start; and coupled dynamics have a"
    " low-rank bias that intensifies with depth, which holds for diagonal observations and small starts of the family (7)",
    readings=[
        ("the dynamics are coupled for every pattern and almost every start", "holds", "typical-coupling"),
        (
            "diagonal observations, family (7), small alpha: rank one in the limit, and more so with each layer, by the roots of (9)",
            "holds",
            "diagonal-bias",
        ),
        (
            "every start of a deep network is coupled and biased",
            "refuted",
            "scaled-identity",
            "from alpha I the dynamics are shown to be decoupled, and a limit with zero loss to have full rank",
        ),
        ("at every scale one more layer widens the gap, by the roots of (8) and (9)", "refuted", "large-scale"),
        ("the limits have low rank for every pattern and small generic starts", "open", None),
    ],
    tried="The coupling is proved in full generality, the bias for diagonal observations through Theorem 4: (8) and (9) make all singular"
    " values but the first smaller than a multiple of alpha, and those at depth L + 1 smaller than those at depth L. The argument uses the"
    " two-valued spectrum that the symmetry of the diagonal pattern and of the family (7) preserves.",
    missing="the bias for other patterns: the flow then has no invariant family with few parameters, the limit depends on the order in"
    " which small starts leave the saddles, and neither the paper nor a cited work proves it for L >= 3",
    uses=[SMALL, GAP, TYPICAL],
)


@part(
    HYPOTHESIS,
    "typical-coupling",
    GENERIC,
    says="For L >= 3 the starts with decoupled dynamics form a null set, whatever is observed.",
    uses=[TYPICAL],
)
def coupled_for_almost_every_start(g: Goal) -> None:
    """The claim of Appendix D.1."""
    g.close_by(g.lemma(TYPICAL))


@part(
    HYPOTHESIS,
    "diagonal-bias",
    f"{COUPLED} and {INTENSIFIES}",
    says="Diagonal observations and the family (7): coupled, rank one in the limit of small alpha, smaller small singular values at greater"
    " depth. Those are the roots s and t of (9) at the depths L and L + 1: Theorem 4 says that they are the singular values of the limit.",
    uses=[SMALL, GAP],
)
def bias_on_the_diagonal(g: Goal) -> None:
    """Theorem 4 and the comparison of two depths."""
    g.conj(lambda g: g.close_by(g.lemma(SMALL, "part:coupled")), lambda g: g.close_by(g.lemma(GAP, "part:intensifies")))


@part(
    HYPOTHESIS,
    "scaled-identity",
    IDENTICAL,
    says="From alpha I the deep dynamics on the diagonal pattern are decoupled and end at full rank, for every alpha and depth.",
    uses=[SMALL],
)
def scaled_identities_are_not_biased(g: Goal) -> None:
    """Theorem 4 for infinite m."""
    g.close_by(g.lemma(SMALL, "part:infinite-m"))


@part(
    HYPOTHESIS,
    "large-scale",
    NARROWS,
    says="From alpha = 2 with w* = 1 the gap is smaller at depth 4 than at depth 3.",
    uses=[GAP],
)
def depth_narrows_the_gap_from_a_large_scale(g: Goal) -> None:
    """The claim on the gap."""
    g.close_by(g.lemma(GAP, "part:narrows"))


undecided(
    PLASTICITY,
    reading="from pre-training with small generic starts; warm and cold starts of deep factorisations end at equally low rank",
    readings=[
        (
            "for every pre-training, also the one for which Theorem 6 shows the loss at depth 2, on the diagonal from a multiple of the identity: "
            "at depth 3 the loss is the same",
            "refuted",
            "loss-at-depth-three",
            "read so, the claim denies the loss that is shown here: the warm start ends at w21 < 0 and an effective rank above 1.8, the cold start "
            "within 0.01 of the right value, below 1.02",
        ),
        (
            "a deep model leaves the result of its pre-training for a lower rank when the data ask for it",
            "refuted",
            "diagonal-pretraining",
            "the flow that stays at the result of the pre-training, of rank 3, solves the equations of the second stage, and a completion has rank 2",
        ),
        ("from the family (7) with fixed finite m, for alpha to 0", "open", None),
    ],
    tried="Theorem 4 gives the rank after a deep pre-training on the diagonal from the family (7): nearly one for small alpha, full for"
    " infinite m. In the second case the loss of Theorem 6 occurs at depth 3 as well: with w* = w12* = 1 the warm start ends at w21 ="
    " -0.049 and effective rank 1.83, a cold start from I/10 at 0.992 and 1.015 (part loss-at-depth-three); by continuity the same is true"
    " of a finite, large m at fixed alpha, where the dynamics are coupled. So the sentence needs a small alpha, which it does not"
    " state. For finite m and small alpha the post-training starts near a rank-one matrix with two-valued factors, and an added"
    " entry breaks the symmetry that Theorem 4 uses. Figure 3 (fig-3-deep-warm) shows what the sentence says at small scales, and not at"
    " large ones",
    missing="a theorem for the post-training of deep factorisations from a start near rank one on a larger set of observations; Theorem 7,"
    " the only one here on a post-training near its start, is about depth 2 and a small loss",
    uses=[SMALL],
)

POST = flow(f"had({PATTERN}, P(L,t) - I(3))")


@part(
    PLASTICITY,
    "diagonal-pretraining",
    f"""{IDENTICAL} and (all L:Z. 3 <= L => ex W P Q:(Z,R)~>M(3,3). {PRODUCTS.replace("I(d)", "I(3)")} and {POST} and
        (all l:Z, t:R. W(l,t) = I(3)) and (all t:R. rank(P(L,t)) = 3)) and
        (ex Y:M(3,3). (all i j:Z. {PATTERN}[i,j] = 1 => Y[i,j] = I(3)[i,j]) and rank(Y) = 2)""",
    says="Pre-training from alpha I ends at w* I. With w* = 1, d = 3 and zeros added at (1,2) and (2,3), which connect the pattern, the deep"
    " flow stays there, at rank 3, while a completion has rank 2.",
    uses=[SMALL],
)
def identity_stays_after_added_zeros(g: Goal) -> None:
    """The identity fits the added zeros."""
    y = "[[1,0,1],[0,1,0],[1,0,1]]"

    def rest(g: Goal) -> None:
        g.fix("L")
        g.assume()
        one = "lam l:Z, t:R. I(3)"
        g.witness(one, one, one)
        still: Script = lambda g: (g.intro(), g.nc())[-1]  # noqa: E731

        def moves(g: Goal) -> None:
            g.intro()
            zero = g.have(f"had({PATTERN}, I(3) - I(3)) = O(3,3)", lambda g: g.ext(lambda g: g.field()))
            g.rewrite(zero)
            g.nc()

        g.conj(*[still] * 4, moves, still, lambda g: (g.intro(), g.compute())[-1])

    g.conj(
        lambda g: g.close_by(g.lemma(SMALL, "part:infinite-m")),
        rest,
        lambda g: (g.witness(y), g.conj(lambda g: observed(g, y), lambda g: g.compute()))[-1],
    )
