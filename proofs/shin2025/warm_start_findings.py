"""Findings of Figures 10 to 12 as statements about the certified limits of `warm_start_limits`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proofs.shin2025.captions import reading
from proofs.shin2025.ranks_of_2x2 import TERMS, decimal, texts
from proofs.shin2025.warm_start_flow import PAPER
from proofs.shin2025.warm_start_limits import (
    CLAIMS,
    NEAR,
    ONE,
    SETUP,
    cold_start,
    literal,
    of_pretrained,
    role,
    seen,
    warm_start,
)
from proofs.shin2025.warm_start_tasks import RATIOS, TASKS, Ratio, is_large
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

E, R, W21 = TERMS["effective"], TERMS["rank"], TERMS["w21"]
PRETRAINED = of_pretrained(E)
LEVEL = f"1 + {decimal(NEAR)}"
BECAUSE = "alpha = 10^-35 and m = 1.1, 2, 10, 100, 10^6, infinity; of these m the text prints the last one alone"
DETERMINISTIC = "No random seed is involved: every run starts from (7), and its limit at infinite time is enclosed by the kernel."


def by_ratio(name: str, warm: Callable[[Ratio], str], cold: Callable[[Ratio], str] | None = None) -> str:
    """A statement about the warm start for every m, and one about the cold start."""
    task = TASKS[name]
    found = [f"({warm_start(task, m, text)})" for m in RATIOS if (text := warm(m))]
    if cold is not None:
        found += [f"({cold_start(task, m, cold(m))})" for m in RATIOS]
    return " and ".join(found)


def from_the_limits(
    g: Goal,
    name: str,
    warm: Callable[[Ratio], str],
    cold: Callable[[Ratio], str] | None = None,
    first: Sequence[Script] = (),
) -> None:
    """Each statement follows from the bounds in the part about its run."""
    scripts = [*first, *[lambda g, m=m: from_run(g, name, "warm", m) for m in RATIOS if warm(m)]]
    if cold is not None:
        scripts += [lambda g, m=m: from_run(g, name, "cold", m) for m in RATIOS]
    g.conj(*scripts)


def from_run(g: Goal, name: str, stage: str, m: Ratio) -> None:
    """Take the limits of a run; what is claimed of them are inequalities that its bounds give."""
    hs = g.intro()
    runs, letters = (("C", "D", "A", "B"), ("X", "Y")) if stage == "warm" else (("A", "B"), ("X",))
    first: Script = lambda g: g.conj(*[lambda g, h=h: g.close_by(h) for h in hs[:2]])  # noqa: E731
    by: list[Script | None] = [first, *[lambda g, h=h: g.close_by(h) for h in hs[2:]]]
    known = g.obtain(g.lemma(CLAIMS[name], f"part:{role(stage, m)}", *runs, by=by), *letters)
    bounds = [h for h in known if g.hyp_formula(h)[0] == "<="]
    g.witness(*letters)
    limits = known[: len(letters)]
    claimed = len(g.concl) - 1 - len(limits)
    g.conj(*[lambda g, h=h: g.close_by(h) for h in limits], *[lambda g: g.nlin(products=1, use=bounds)] * claimed)


# Figure 10 ------------------------------------------------------------------------------------------------------------


def fitted(name: str, stage: str) -> str:
    """That the limit has the observed entries, within 10^-11."""
    return " and ".join(texts(seen(TASKS[name], stage != "pre-trained")))


def completed(name: str) -> str:
    """The printed value of the entry to predict."""
    task = TASKS[name]
    return f"{literal(task.w11)}*{literal(task.w22)}/({literal(task.w12)}) = {literal(task.truth)}"


def protocol_warm(m: Ratio) -> str:
    return f"{fitted('figure-10', 'warm')} and {of_pretrained(fitted('figure-10', 'pre-trained'))}"


def protocol_cold(m: Ratio) -> str:
    return fitted("figure-10", "cold")


E2_VALUES = f"{R} < 1.377 and 1.376 < {R}"


@part(
    SETUP,
    "caption-against-text",
    f"(1 + exp(-8*(1/2)/1) < 1.02) and ({warm_start(TASKS['figure-10'], None, E2_VALUES)})",
    says="With the w12* = 1/2 of Figure 10 the bound of Theorem 6 is below 1.02 and the stable rank at m = infinity is 1.376...",
    covers="boxes",
    because=ONE,
)
def bound_and_stable_rank_of_figure_10(g: Goal) -> None:
    """The bounds of the limit, and an enclosure of e^-4."""
    g.conj(lambda g: g.ball(), lambda g: from_run(g, "figure-10", "warm", None))


@holds(
    SETUP,
    f"({completed('figure-10')}) and {by_ratio('figure-10', protocol_warm, protocol_cold)}",
    covers="boxes",
    because=BECAUSE,
    reading=(
        "The protocol can be carried out: from (7) with alpha = 10^-35 pre-training converges and fits the diagonal, both starts of the "
        "second stage converge and fit the three entries (all within 10^-11), and w21* = 2 completes them to rank 1. "
        f"{DETERMINISTIC}"
    ),
    readings=[
        (
            reading(10),
            "refuted",
            "caption-against-text",
            "for the w12* of Figure 10 the bound is shown to be below 1.02 and the stable rank between 1.376 and 1.377, not 1.45 and 1.8",
        )
    ],
)
def the_protocol_converges(g: Goal) -> None:
    """The bounds of the limits."""
    from_the_limits(g, "figure-10", protocol_warm, protocol_cold, first=[lambda g: g.compute()])


BETWEEN = ((None, "1.3"), ("1.3", "1.7"), ("1.7", "1.9"), ("1.9", "1.94"), ("1.94", "1.9428885"), ("1.9428885", None))
"""Numbers that separate the effective ranks after the warm starts of Figure 10, in the order of m."""


def separated(m: Ratio) -> str:
    """Where the effective rank after a warm start lies."""
    low, high = BETWEEN[RATIOS.index(m)]
    return " and ".join(([f"{low} < {E}"] if low else []) + ([f"{E} < {high}"] if high else []))


def persists(m: Ratio) -> str:
    return f"{separated(m)} and 1.08 < {E} and 3/4*({PRETRAINED} - 1) < {E} - 1"


def low_rank(m: Ratio) -> str:
    return f"{E} <= {LEVEL}"


@holds(
    f"{PAPER}.fig-10-obs-1",
    by_ratio("figure-10", persists, low_rank),
    uses=[SETUP],
    covers="boxes",
    because=BECAUSE,
    reading=(
        "The effective rank after a warm start grows with m, as that of the pre-trained model does: the numbers 1.3, 1.7, 1.9, "
        "1.94 and 1.9428885 lie between those of neighbouring m. At every m it is above 1.08 and keeps at least 3/4 of what "
        f"the pre-trained model has above 1, while the cold start, which sees the same entries, ends within 10^-9 of 1. {DETERMINISTIC}"
    ),
)
def high_rank_persists_in_the_limits(g: Goal) -> None:
    """The bounds of the limits."""
    from_the_limits(g, "figure-10", persists, low_rank)


def highest(m: Ratio) -> str:
    return f"{W21} < -0.005 and 1.9428885 < {E}" if m is None else f"{E} < 1.9428885"


@holds(
    f"{PAPER}.fig-10-obs-2",
    by_ratio("figure-10", highest),
    uses=[SETUP],
    covers="boxes",
    because=BECAUSE,
    reading=(
        "At m = infinity w21 is below -0.005 where 2 is right, and the effective rank is above 1.9428885, below which it is at every "
        f"finite m tried. {DETERMINISTIC}"
    ),
)
def infinite_m_has_the_highest_effective_rank(g: Goal) -> None:
    """The bounds of the limits."""
    from_the_limits(g, "figure-10", highest)


# Figure 11 ------------------------------------------------------------------------------------------------------------


def wrong_at_low_rank(m: Ratio) -> str:
    far = {None: f"{W21} < 0 and 3*0.1 < 0.1 - {W21} and "}.get(m, f"0.1 < 0.1 - {W21} and " if is_large(m) else "")
    return f"{far}{R} < 1.01 and {E} < 1.25"


def right(m: Ratio) -> str:
    return f"0.1 - {decimal(NEAR)} <= {W21} and {W21} <= 0.1 + {decimal(NEAR)} and {low_rank(m)}"


@part(
    CLAIMS["figure-11"],
    "caption-against-text",
    warm_start(TASKS["figure-11"], RATIOS[0], f"0.098 < {W21} and {W21} < 0.1"),
    says="At m = 1.1 w21 ends within 2 percent of w21*.",
    covers="boxes",
    because=ONE,
)
def no_large_gap_at_small_m(g: Goal) -> None:
    """The bounds of the limit."""
    from_run(g, "figure-11", "warm", RATIOS[0])


@holds(
    CLAIMS["figure-11"],
    f"({completed('figure-11')}) and {by_ratio('figure-11', wrong_at_low_rank, right)}",
    covers="boxes",
    because=BECAUSE,
    reading=(
        "After every warm start the stable rank is below 1.01 and the effective rank below 1.25. The gap is large where the pre-trained "
        "model has high rank: for m >= 10 w21 ends more than w21* below w21*, at m = infinity more than 3 w21* below it and negative. "
        f"Cold starts end within 10^-9 of w21*. {DETERMINISTIC}"
    ),
    readings=[
        (
            reading(11),
            "refuted",
            "caption-against-text",
            "for m = 1.1 the entry is shown to end between 0.098 and 0.1, which is no large gap to 0.1",
        )
    ],
)
def a_wrong_entry_at_low_rank(g: Goal) -> None:
    """The bounds of the limits."""
    from_the_limits(g, "figure-11", wrong_at_low_rank, right, first=[lambda g: g.compute()])


# Figure 12 ------------------------------------------------------------------------------------------------------------


def both_ranks(m: Ratio) -> str:
    return f"1.001 < {R} and 1.15 < {E}" + (f" and 1.1 < {R} and 1.5 < {E}" if is_large(m) else "")


def lower(m: Ratio) -> str:
    return f"{R} <= {LEVEL} and {low_rank(m)}"


@part(
    CLAIMS["figure-12"],
    "caption-against-text",
    " and ".join(
        f"({warm_start(TASKS['figure-12'], m, f'{R} < {bound}')})" for m, bound in zip(RATIOS[:2], ("1.002", "1.04"), strict=True)
    ),
    says="At m = 1.1 and m = 2 the stable rank ends below 1.002 and 1.04.",
    covers="boxes",
    because=ONE,
)
def low_stable_rank_at_small_m(g: Goal) -> None:
    """The bounds of the limits."""
    g.conj(*[lambda g, m=m: from_run(g, "figure-12", "warm", m) for m in RATIOS[:2]])


@holds(
    CLAIMS["figure-12"],
    f"({completed('figure-12')}) and {by_ratio('figure-12', both_ranks, lower)}",
    covers="boxes",
    because=BECAUSE,
    reading=(
        "Warm starts from a pre-trained model of high rank, m >= 10, end at a stable rank above 1.1 and an effective rank above 1.5; "
        "for every m tried both are above those of the cold start, which are within 10^-9 of 1. "
        f"{DETERMINISTIC}"
    ),
    readings=[
        (
            reading(12),
            "refuted",
            "caption-against-text",
            "for m = 1.1 and m = 2 the stable rank is shown to end below 1.002 and 1.04, which is not substantially above one",
        )
    ],
)
def both_ranks_stay_above_one(g: Goal) -> None:
    """The bounds of the limits."""
    from_the_limits(g, "figure-12", both_ranks, lower, first=[lambda g: g.compute()])
