"""Figures 2, 5, 6 and 7, drawn from certified enclosures, and their findings as predicates on the enclosures.

The paper's text prints neither the ratios m beside 10^10, nor the depths beside 2, nor the range of alpha^L: they are chosen
here. The predicates compare balls that contain the exact values, so that a comparison that comes out is certain; what is only
replayed is the run over the stated grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs.shin2025.captions import readings
from proofs.shin2025.limit_curves import Ball, Limit, Setting, ball, limit, precision, printed_residuals
from verify.registry import experiment, figure

DEPTHS = (2, 3, 4, 5)
DEEP = tuple(range(3, 11))
RATIOS = (Fraction(2), Fraction(10), Fraction(100), Fraction(10**10))
FINITE = (Fraction(10**6 + 1, 10**6), Fraction(1001, 1000), Fraction(3, 2), *RATIOS)
LARGE = Fraction(10**10)
DECADES = 30
"""The predicates look at alpha^L = w* 10^-j for j = 0, .., 30."""

TASKS = {
    "figure-2": (Fraction(1), 10),
    "figure-5": (Fraction(1), 3),
    "figure-6": (Fraction(10), 10),
    "figure-7": (Fraction(1, 10), 10),
}
"""w* and d of each figure."""

MARGIN = Fraction(1, 1000)
"""A larger log-ratio must be larger by this part of itself."""

NEAR = Fraction(1, 100)
"""A singular value is near w* within this part of it."""

COLOURS = {2: "#595959", 3: "#0072B2", 4: "#D55E00", 5: "#009E73", 10: "#CC79A7"}
"""By depth: a grey and four of the colours of Okabe and Ito, which colour-blind readers can tell apart."""


# Statistics -----------------------------------------------------------------------------------------------------------


def log10(target: Fraction) -> int:
    """The exponent of a target that is a power of ten."""
    j = next(j for j in range(-9, 10) if Fraction(10) ** j == target)
    return j


def number(x: Fraction | int) -> str:
    """A rational as it is read."""
    x = Fraction(x)
    if x.denominator != 1:
        return f"{x.numerator}/{x.denominator}"
    digits = str(x.numerator)
    return f"10^{len(digits) - 1}" if len(digits) > 4 and digits.strip("0") == "1" else digits


def decimals(x: Ball, digits: int = 12) -> str:
    """The midpoint in decimals."""
    return str(x.mid().str(digits, radius=False))


def largest_of(values: Iterable[Ball]) -> Ball:
    """The largest of some balls by upper bounds."""
    values = [x.upper() for x in values]
    best = values[0]
    for x in values[1:]:
        best = x if x > best else best
    return best


def power_above(x: Ball) -> int:
    """The least j with x < 10^j, for a positive x below 10^9."""
    j = 9
    while x < ball(Fraction(10) ** (j - 1)):
        j -= 1
    return j


def exceeds(a: Ball, b: Ball) -> bool:
    """Whether a > b with the margin, for certain."""
    return bool(a > b * ball(1 + MARGIN))


def ratio_of(a: Ball, b: Ball) -> Ball:
    """a/b - 1, from below."""
    return (a / b - 1).lower()


def smallest_of(values: Iterable[Ball]) -> Ball:
    """The smallest of some balls by lower bounds."""
    return -largest_of(-x for x in values)


class Table:
    """The limits of one task by ratio, depth and power of ten of alpha^L, each computed once."""

    def __init__(self, target: Fraction, dimension: int) -> None:
        self.target, self.dimension = target, dimension
        self._known: dict[tuple[Fraction, int, int], Limit] = {}

    def at(self, ratio: Fraction, depth: int, power: int) -> Limit:
        """The limit from alpha^L = 10^power."""
        key = (ratio, depth, power)
        if key not in self._known:
            self._known[key] = limit(Setting(self.target, self.dimension, ratio, depth), power)
        return self._known[key]

    def u(self, ratio: Fraction, depth: int, power: int) -> Ball:
        """log(sigma_1^L / sigma_r^L), in which the gap and sigma_1^L increase."""
        return self.at(ratio, depth, power).log_ratio

    @property
    def powers(self) -> list[int]:
        """alpha^L from w* down."""
        return [log10(self.target) - j for j in range(DECADES + 1)]


def steps_in_scale(table: Table, ratios: Iterable[Fraction], depths: Iterable[int]) -> Iterator[tuple[Ball, Ball]]:
    """The log-ratio after and before alpha^L becomes ten times smaller."""
    depths = tuple(depths)
    for m in ratios:
        for depth in depths:
            for larger, smaller in pairwise(table.powers):
                yield table.u(m, depth, smaller), table.u(m, depth, larger)


def steps_in_depth(table: Table, ratios: Iterable[Fraction], powers: Iterable[int]) -> Iterator[tuple[Ball, Ball]]:
    """The log-ratio of L + 1 and of L, from the same alpha^L."""
    powers = tuple(powers)
    for m in ratios:
        for power in powers:
            for depth, deeper in pairwise(DEEP):
                yield table.u(m, deeper, power), table.u(m, depth, power)


def failures_in_depth(table: Table, powers: Iterable[int], depths: Iterable[int]) -> list[str]:
    """Where one more layer makes the gap smaller for certain, from the same alpha^L."""
    powers, found = tuple(powers), []
    for m in FINITE:
        for power in powers:
            for depth, deeper in pairwise(depths):
                a, b = table.at(m, depth, power), table.at(m, deeper, power)
                if b.log_ratio < a.log_ratio:
                    gaps = f"{decimals(a.gap, 6)} -> {decimals(b.gap, 6)}"
                    found.append(f"m = {number(m)}, alpha^L = 10^{power}, L = {depth} -> {deeper}: gap {gaps}")
    return found


def initial_log_ratio(table: Table, ratio: Fraction, depth: int) -> Ball:
    """log of the ratio of the singular values of the initial product: both come from the eigenvalues of (7)."""
    with precision():
        return -depth * ball((ratio - 1) / (ratio + table.dimension - 1)).log()


# Findings -------------------------------------------------------------------------------------------------------------


@experiment("shin2025.fig-2-setup", grade="simulated")
def roots_over_the_grid(profile: str) -> dict[str, Any]:
    """Both limiting singular values at w* = 1, d = 10, L = 2, 3, 4, 5, m = 2, 10, 100, 10^10, alpha^L = 10^0, .., 10^-30.

    Each is enclosed by ball arithmetic: a strict sign change of the one increasing function to which (8) and (9) reduce.
    The predicate: every root was enclosed to 20 digits relative to w*, and the enclosures satisfy the printed (8) and (9) with
    the printed constant C, and at L = 2 the printed closed form.
    """
    table = Table(*TASKS["figure-2"])
    found = [(m, depth, power, table.at(m, depth, power)) for m in RATIOS for depth in DEPTHS for power in table.powers]
    width = largest_of(x.width for *_, x in found)
    residuals = [r for *_, power, x in found for r in printed_residuals(x, power)]
    shown = {}
    for m, depth, power, x in found:
        if power % 10 == 0:
            key = f"L {depth}, m {number(m)}, alpha^L 10^{power}"
            shown[key] = f"sigma_1^L = {decimals(x.largest)}, sigma_r^L = {decimals(x.other)}"
    satisfied = all(r.contains(0) for r in residuals)
    worst = power_above(largest_of(abs(r) for r in residuals))
    return {
        "holds": satisfied and bool(width < ball(Fraction(1, 10**20))),
        "statistics": {
            "points": len(found),
            "width of every enclosure": f"below 10^{power_above(width)}",
            "relative residuals of (8), (9) and of the closed form at L = 2": f"contain 0, within 10^{worst}",
            "values": shown,
        },
    }


@experiment("shin2025.fig-2-low-rank-finite-m", grade="simulated")
def smaller_scale_and_larger_depth_widen_the_gap(profile: str) -> dict[str, Any]:
    """Predicates on certified enclosures at w* = 1, d = 10, finite m from 1.000001 to 10^10, alpha^L = 1, 10^-1, .., 10^-30.

    1. For L = 3, .., 10 a ten times smaller alpha^L raises u = log(sigma_1^L / sigma_r^L) by at least 0.1 percent of itself.
       The gap increases with u.
    2. From the same alpha^L, and from the same alpha = 1, 10^-1, .., 10^-10, one more layer raises u by at least 0.1 percent,
       for L = 3, .., 10.
    3. At L = 2 the singular values do not depend on alpha: their closed form does not contain it, and u equals that of the
       initial product.

    Larger depth is read as L >= 3 and alpha^L <= w*. Beyond that it does not widen the gap in general: the statistics list
    where it narrows the gap, at alpha^L = 10 w*, and between L = 2 and L = 3 at alpha^L = w*.
    """
    table = Table(*TASKS["figure-2"])
    scale = list(steps_in_scale(table, FINITE, DEEP))
    depth = list(steps_in_depth(table, FINITE, table.powers))
    alpha = [(table.u(m, L + 1, -j * (L + 1)), table.u(m, L, -j * L)) for m in FINITE for L in DEEP[:-1] for j in range(11)]
    shallow = [(table.u(m, 2, 0), initial_log_ratio(table, m, 2)) for m in FINITE]
    above = failures_in_depth(table, [1], DEEP)
    from_two = failures_in_depth(table, table.powers, (2, 3))
    holds = all(exceeds(a, b) for a, b in (*scale, *depth, *alpha)) and all(a.overlaps(b) for a, b in shallow)
    return {
        "holds": holds,
        "statistics": {
            "comparisons": len(scale) + len(depth) + len(alpha),
            "least relative step of u for a ten times smaller scale": decimals(smallest_of(ratio_of(a, b) for a, b in scale), 4),
            "least relative step of u for one more layer, same alpha^L": decimals(
                smallest_of(ratio_of(a, b) for a, b in depth), 4
            ),
            "least relative step of u for one more layer, same alpha": decimals(smallest_of(ratio_of(a, b) for a, b in alpha), 4),
            "depth narrows the gap at alpha^L = 10 w*": {f"{i:02}": text for i, text in enumerate(above)},
            "L = 3 has a smaller gap than L = 2": {f"{i:02}": text for i, text in enumerate(from_two)},
        },
    }


@experiment("shin2025.fig-2-large-m", grade="simulated")
def all_values_near_the_target_for_every_scale(profile: str) -> dict[str, Any]:
    """The finding as the text says it, independent of L and alpha: at w* = 1, d = 10, m = 10^10 all singular values are within
    1 percent of w* for L = 2, .., 10 and alpha^L = 1, 10^-1, .., 10^-30. Certified enclosures decide it, and it fails.

    The text does not print the range of alpha^L in the figure. The finding is true down to a scale that depends on the depth,
    which the statistics give, and false below: for every finite m the gap tends to w* d as alpha tends to 0.
    """
    table = Table(*TASKS["figure-2"])
    near, first = {}, {}
    for depth in (2, *DEEP):
        good = [p for p in table.powers if is_near(table.at(LARGE, depth, p))]
        reach = next((p + 1 for p in table.powers if p not in good), table.powers[-1])
        assert all(is_far(table.at(LARGE, depth, p)) for p in table.powers if p < reach)
        near[f"L {depth:2}"] = f"10^{reach} <= alpha^L <= 1" + ("" if depth > 2 else ", for every alpha in fact")
        x = table.at(LARGE, depth, -DECADES)
        first[f"L {depth:2}"] = f"sigma_1^L = {decimals(x.largest)}, sigma_r^L = {decimals(x.other)}"
    everywhere = all(is_near(table.at(LARGE, depth, p)) for depth in (2, *DEEP) for p in table.powers)
    return {
        "holds": everywhere,
        "statistics": {
            "within 1 percent of w* for": near,
            f"at alpha^L = 10^-{DECADES}": first,
        },
    }


def is_near(x: Limit) -> bool:
    """Whether both singular values are near w* for certain; sigma_r^L is closer to it than sigma_1^L."""
    w = ball(x.setting.target)
    return bool(x.largest < w * ball(1 + NEAR) and x.other > w * ball(1 - NEAR))


def is_far(x: Limit) -> bool:
    """Whether some singular value is not near w* for certain."""
    w = ball(x.setting.target)
    return bool(x.largest > w * ball(1 + NEAR) or x.other < w * ball(1 - NEAR))


def conclusion(task: str) -> dict[str, Any]:
    """The conclusion of Figures 5, 6, 7, as `coupled_runs_reach_low_rank` states it."""
    table = Table(*TASKS[task])
    total = ball(table.target * table.dimension)
    finite = [m for m in FINITE if m < LARGE]
    last = table.powers[-1]
    scale = list(steps_in_scale(table, FINITE, DEEP))
    depth = list(steps_in_depth(table, FINITE, table.powers))
    reached = [table.at(m, L, last) for m in finite for L in DEEP]
    gained = [(table.u(m, L, last), initial_log_ratio(table, m, L)) for m in finite for L in DEEP]
    shallow = [(table.u(m, 2, p), initial_log_ratio(table, m, 2)) for m in FINITE for p in table.powers]
    one_rank = all(x.other < ball(table.target * NEAR) for x in reached)
    holds = (
        one_rank
        and all(exceeds(a, b) for a, b in (*scale, *depth, *gained))
        and all(a.overlaps(b) for a, b in shallow)
        and all(a.rad() < ball(Fraction(1, 10**20)) for a, _ in shallow)
    )
    return {
        "holds": holds,
        "statistics": {
            "comparisons": len(scale) + len(depth) + len(gained) + len(shallow),
            "least relative step of u for a ten times smaller scale": decimals(smallest_of(ratio_of(a, b) for a, b in scale), 4),
            "least relative step of u for one more layer": decimals(smallest_of(ratio_of(a, b) for a, b in depth), 4),
            f"largest sigma_r^L at alpha^L = 10^{last}, 3 <= L, m <= 100": decimals(largest_of(x.other for x in reached), 4),
            f"smallest gap / (w* d) at alpha^L = 10^{last}, 3 <= L, m <= 100": decimals(
                smallest_of(x.gap / total for x in reached), 12
            ),
            "sigma_r^L / sigma_1^L at L = 2, every alpha": {
                f"m {number(m)}": decimals((-table.u(m, 2, 0)).exp(), 6) for m in FINITE
            },
            "depth narrows the gap at alpha^L = 10 w*": {
                f"{i:02}": text for i, text in enumerate(failures_in_depth(table, [table.powers[0] + 1], DEEP))
            },
        },
    }


def register(name: str, task: str) -> None:
    """Bind the conclusion of a figure."""

    def coupled_runs_reach_low_rank(profile: str) -> dict[str, Any]:
        return conclusion(task)

    target, dimension = TASKS[task]
    coupled_runs_reach_low_rank.__doc__ = (
        f"Predicates on certified enclosures at w* = {number(target)}, d = {dimension}, alpha^L = w* 10^-j, j = 0, .., 30, for m "
        f"from 1.000001 to 10^10, with u = log(sigma_1^L / sigma_r^L), in which the gap increases.\n\n"
        "1. Coupling can: for 3 <= L <= 10 and m <= 100, at the smallest scale sigma_r^L is below 1 percent of w*, and u "
        "exceeds that of the initial product: the flow makes the product closer to rank one than it was.\n"
        "2. Decoupling cannot: at L = 2 and every alpha, u equals that of the initial product, so that the flow adds nothing "
        "to the initialisation.\n"
        "3. As in Figure 2 a ten times smaller scale, and one more layer from the same alpha^L, raise u by at least 0.1 percent "
        "of itself for 3 <= L <= 10.\n\n"
        "The text gives no range of alpha^L; above w* larger depth can narrow the gap, as listed."
    )
    experiment(f"shin2025.{name}", grade="simulated")(coupled_runs_reach_low_rank)


for name in ("fig-5", "fig-6", "fig-7"):
    register(name, name.replace("fig", "figure"))


# Drawings -------------------------------------------------------------------------------------------------------------


def curves(
    target: Fraction, dimension: int, ratio: Fraction, depths: Iterable[int], powers: list[Fraction]
) -> dict[int, list[Limit]]:
    """The limits along the drawn curves, by depth."""
    return {depth: [limit(Setting(target, dimension, ratio, depth), p) for p in powers] for depth in depths}


def span(low: int, high: int, per_decade: int) -> list[Fraction]:
    """Powers of ten at equal distances."""
    return [Fraction(i, per_decade) for i in range(low * per_decade, high * per_decade + 1)]


def draw_task(canvas: Any, task: str) -> dict[str, Any]:
    """Four panels, one for each ratio: sigma_1^L solid, sigma_r^L dashed, coloured by depth."""
    target, dimension = TASKS[task]
    top = log10(target)
    canvas.set_size_inches(9, 6.6)
    panels = canvas.subplots(2, 2, sharey=True)
    data, widths = [], []
    for axes, ratio in zip(panels.flat, RATIOS, strict=True):
        powers = span(top - 30, top + 1, 4) if ratio == LARGE else span(top - 6, top + 1, 16)
        found = curves(target, dimension, ratio, DEPTHS, powers)
        xs = [10.0 ** float(p) for p in powers]
        for depth, limits in found.items():
            data.append([number(ratio), depth, *([decimals(x.largest), decimals(x.other)] for x in limits)])
            widths += [x.width for x in limits]
            style = {"color": COLOURS[depth], "linewidth": 1.8, "label": f"L = {depth}"}
            axes.plot(xs, [float(x.largest.mid()) for x in limits], "-", **style)
            axes.plot(xs, [float(x.other.mid()) for x in limits], "--", **{**style, "label": None})
        dress(axes, ratio, target, dimension, xs)
    for axes in panels[:, 0]:
        axes.set_ylabel("limiting singular values of the product")
    for axes in panels[1]:
        axes.set_xlabel(r"initial scale $\alpha^L$")
    key(canvas, panels[0, 0])
    return {"data": data, "caption": width_caption(widths)}


def dress(axes: Any, ratio: Fraction, target: Fraction, dimension: int, xs: list[float]) -> None:
    """Axes, title and the line of w*."""
    w = float(target)
    axes.set_xscale("log")
    axes.set_xlim(xs[0], xs[-1])
    axes.set_ylim(-0.03 * w * dimension, 1.06 * w * dimension)
    axes.set_title(f"$m = {'10^{10}' if ratio == LARGE else number(ratio)}$")
    axes.axhline(w, color="black", linewidth=0.8, linestyle=":", zorder=0)
    axes.annotate("$w^*$", (xs[-1], w), xytext=(4, 0), textcoords="offset points", va="center", annotation_clip=False)
    axes.axvspan(w, xs[-1], color="#ebebeb", linewidth=0, zorder=-1)
    if ratio == RATIOS[2]:  # where no curve is in the way
        spot = ((w * xs[-1]) ** 0.5, 0.75 * w * dimension)
        axes.annotate(r"$\alpha^L > w^*$", spot, rotation=90, ha="center", va="center", color="#595959")
    axes.grid(True, color="#e6e6e6", linewidth=0.6)
    axes.set_axisbelow(True)


def key(canvas: Any, axes: Any) -> None:
    """One key for all panels: colours for depths, line styles for the singular values."""
    from matplotlib.lines import Line2D

    handles, labels = axes.get_legend_handles_labels()
    handles += [Line2D([], [], color="black", linestyle=style, linewidth=1.8) for style in ("-", "--")]
    labels += [r"$(\sigma_1)^L$", r"$(\sigma_r)^L$, $r \geq 2$"]
    canvas.legend(handles, labels, loc="outside upper center", ncols=len(labels), handlelength=2.6)


def width_caption(widths: list[Ball]) -> str:
    """How wide the enclosures behind the curves are."""
    return (
        f"The curves join the midpoints of {len(widths)} pairs of certified enclosures; each enclosure is narrower than "
        f"$10^{{{power_above(largest_of(widths))}}}$."
    )


def drawing(task: str) -> Callable[[Any], dict[str, Any]]:
    """The function that draws a task."""
    return lambda canvas: draw_task(canvas, task)


for claim, task in {"fig-2-setup": "figure-2", "fig-5": "figure-5", "fig-6": "figure-6", "fig-7": "figure-7"}.items():
    figure(
        f"shin2025.{claim}",
        task,
        caption=(
            f"{task.replace('figure-', 'Figure ')} redrawn: the limits of Theorem 4 for "
            f"$w^* = {number(TASKS[task][0])}$, $d = {TASKS[task][1]}$, $L = 2, 3, 4, 5$; solid the largest singular value, "
            f"dashed the others, dotted $w^*$. The horizontal range of the last panel is wider. "
            f"Where $\\alpha^L > w^*$ (grey) larger depth can narrow the gap."
        ),
        readings=readings(int(task.removeprefix("figure-"))),
    )(drawing(task))


@figure(
    "shin2025.fig-2-large-m",
    "figure-2-gap-at-large-m",
    caption=(
        "The gap $(\\sigma_1)^L - (\\sigma_r)^L$ at $m = 10^{10}$, $w^* = 1$, $d = 10$: it stays below 1 percent of $w^*$ "
        "(dotted) only down to a scale that depends on the depth; at depth 2 it does not depend on the scale."
    ),
)
def gap_at_large_m(canvas: Any) -> dict[str, Any]:
    """Double logarithmic, one curve for each depth, labelled directly."""
    target, dimension = TASKS["figure-2"]
    canvas.set_size_inches(7, 4.4)
    axes = canvas.subplots()
    powers = span(-35, 0, 8)
    found = curves(target, dimension, LARGE, COLOURS, powers)
    xs = [10.0 ** float(p) for p in powers]
    for depth, limits in found.items():
        axes.plot(xs, [float(x.gap.mid()) for x in limits], color=COLOURS[depth], linewidth=1.8)
        spot = LABELS[depth]
        y = float(limits[powers.index(spot)].gap.mid())
        left = depth in (3, 4)
        axes.annotate(
            f"L = {depth}",
            (10.0 ** float(spot), y),
            xytext=(-8 if left else 8, -6 if left else 2),
            textcoords="offset points",
            ha="right" if left else "left",
            color=COLOURS[depth],
        )
    axes.axhline(float(NEAR), color="black", linewidth=0.8, linestyle=":", zorder=0)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(xs[0], xs[-1])
    axes.set_xlabel(r"initial scale $\alpha^L$")
    axes.set_ylabel(r"gap $(\sigma_1)^L - (\sigma_r)^L$")
    axes.grid(True, color="#e6e6e6", linewidth=0.6)
    data = [[depth, *(decimals(x.gap) for x in limits)] for depth, limits in found.items()]
    return {"data": data, "caption": width_caption([x.width for limits in found.values() for x in limits])}


LABELS = {2: Fraction(-12), 3: Fraction(-23), 4: Fraction(-61, 4), 5: Fraction(-49, 4), 10: Fraction(-9)}
"""Where the curve of a depth is labelled: a power of ten of alpha^L."""
