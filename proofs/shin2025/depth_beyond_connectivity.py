"""Introduction, C.1, F.3.1: what depth does on the disconnected diagonal pattern, and how the limits in m and alpha interact."""

from __future__ import annotations

from proofs.shin2025.coupling import in_setting
from proofs.shin2025.diagonal_flow import CONTEXT
from proofs.shin2025.gradients import DIAGONAL_DECOUPLED
from proofs.shin2025.limiting_rank import COUPLED, IDENTICAL, SHALLOW, SMALL
from proofs.shin2025.rank_claims import SLOW, ZERO_LOSS, special
from proofs.shin2025.shallow_coupling import DISCONNECTED
from proofs.shin2025.warm_start_scope import DIAGONAL
from verify.kernel import Goal
from verify.registry import holds, part

SETS = "shin2025.def-pre-post-sets"


def diagonal_is_disconnected(g: Goal) -> None:
    """From the definition of the observation sets."""
    g.close_by(g.split(g.lemma(SETS))[0])


@holds(
    "shin2025.assertion-intro-depth-not-connectivity",
    f"ncomp(I(2)) = 2 and {special(SHALLOW)} and {special(COUPLED)}",
    argument="sound",
    context=ZERO_LOSS + "; equal positive diagonal values and the family (7) [(7)]",
    reading="with the same disconnected pattern the limit has rank 2 at depth 2 for every alpha, with both singular values bounded"
    " below, and tends " + SLOW + " for L >= 3; so the pattern alone does not determine the bias",
    uses=["shin2025.assertion-intro-l2-rank2", "shin2025.assertion-intro-deep-rank1"],
)
def one_pattern_two_behaviours(g: Goal) -> None:
    """The two cases of Theorem 4 for d = 2."""
    g.conj(
        lambda g: g.compute(),
        lambda g: g.close_by(g.lemma("shin2025.assertion-intro-l2-rank2")),
        lambda g: g.close_by(g.lemma("shin2025.assertion-intro-deep-rank1")),
    )


DEEP = in_setting(f"not {DIAGONAL_DECOUPLED}", extra="3 <= L")


@holds(
    "shin2025.assertion-c1-not-deeper",
    f"{DIAGONAL} and ({DISCONNECTED}) and ({DEEP}) and {SHALLOW} and {COUPLED}",
    argument="sound",
    context=CONTEXT,
    reading="at depth 2 disconnected observations give decoupled dynamics from every start; diagonal observations are disconnected"
    " for every d >= 2, and yet for L >= 3 the dynamics from the family (7) are coupled and the limits tend to rank one with alpha, while"
    " at depth 2 all singular values of the limits are bounded below, for every alpha."
    " That Figure 1 shows it is the claim of the figure",
    readings=[("no characterisation of the deep dynamics by the pattern alone is possible", "open", None)],
    uses=[SETS, "shin2025.assertion-d2-depth2-disconnected", "shin2025.prop-3-deep-coupled", SMALL],
)
def disconnected_patterns_are_coupled_at_depth(g: Goal) -> None:
    """The statements at depth 2 and at depth L >= 3."""
    g.conj(
        diagonal_is_disconnected,
        lambda g: g.close_by(g.lemma("shin2025.assertion-d2-depth2-disconnected")),
        lambda g: g.close_by(g.lemma("shin2025.prop-3-deep-coupled")),
        lambda g: g.close_by(g.lemma(SMALL, "part:depth-two")),
        lambda g: g.close_by(g.lemma(SMALL, "part:coupled")),
    )


REMARK = "shin2025.assertion-f3-remark-minf"


def constant(b: str, al: str) -> str:
    """|C| of (8) and (9) for L = 3, d = 2 and m = 1/b: the difference of the inverse eigenvalues of a factor at the start."""
    return f"(1/((1 - {b})*{al}) - 1/((1 + {b})*{al}))"


@part(
    REMARK,
    "joint-regime",
    f"""(all b:R. 0 < b => b < 1 => 2/b <= {constant("b", "b^2")}) and
        (all al:R. 0 < al => al < 1 => {constant("al", "al")} = 2/(1 - al^2)) and
        (all al:R. 0 < al => al < 1/2 => {constant("al^2", "al")} <= 4*al)""",
    says="For L = 3, d = 2 the constant of (8) and (9) tends to infinity, to 2 or to 0 as alpha tends to 0 with m = alpha^-1/2, 1/alpha,"
    " 1/alpha^2.",
)
def constant_along_paths(g: Goal) -> None:
    """It is 2 b/(alpha (1 - b^2)) with b = 1/m."""

    def slow(g: Goal) -> None:
        _, b1 = g.intro()
        g.have("0 < 1 - b", lambda g: g.pos(["@" + b1]))
        g.have("0 < 1 + b")
        g.pos(["2*b"], mul=["(1 - b)*(1 + b)"])

    def even(g: Goal) -> None:
        _, b1 = g.intro()
        g.have("0 < 1 - al", lambda g: g.pos(["@" + b1]))
        g.have("0 < 1 + al")
        g.have("0 < 1 - al^2", lambda g: g.pos(["1 - al", "1 + al"]))
        g.field()

    def fast(g: Goal) -> None:
        _, b1 = g.intro()
        g.have("0 < 1 - al^2", lambda g: g.pos(["@" + b1, "1/2 + al"], ["3/4"]))
        g.have("0 < 1 + al^2")
        g.have("0 < 1/2 - al^4", lambda g: quartic(g, b1))
        g.pos(["4*al", "1/2 - al^4"], mul=["(1 - al^2)*(1 + al^2)"])

    g.conj(slow, even, fast)


def quartic(g: Goal, below: str) -> None:
    """al^4 < 1/2 for 0 < al < 1/2."""
    square = g.have("al^2 < 1/4", lambda g: g.pos(["@" + below, "1/2 + al"]))
    g.pos(["@" + square, "1/4 + al^2"], ["7/16"])


@holds(
    REMARK,
    f"{IDENTICAL} and {COUPLED}",
    argument="sound",
    context=ZERO_LOSS,
    reading="m = infinity is the start alpha I itself, not a limit of finite m. From it all singular values of the limit are w*, whatever alpha, while for every finite m all but the first vanish"
    " with alpha: the limits m to infinity and alpha to 0 do not commute, so that the case of infinite m cannot be read off from the"
    " finite one at small alpha",
    readings=[
        (
            "the singular values themselves depend on alpha for infinite m",
            "refuted",
            "independent-of-alpha",
            "each of them is shown to be w*, in which alpha does not occur",
        ),
    ],
    uses=[SMALL],
)
def the_two_limits_do_not_commute(g: Goal) -> None:
    """Two cases of Theorem 4."""
    g.conj(*[lambda g, k=k: g.close_by(g.lemma(SMALL, f"part:{k}")) for k in ("infinite-m", "coupled")])


@part(
    REMARK,
    "independent-of-alpha",
    IDENTICAL,
    says="For infinite m all singular values of the limit are w*, for every alpha.",
    uses=[SMALL],
)
def identical_values_for_every_scale(g: Goal) -> None:
    """The case of infinite m."""
    g.close_by(g.lemma(SMALL, "part:infinite-m"))
