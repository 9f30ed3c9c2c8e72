"""Figures 10, 11 and 12: warm against cold starts of 2 x 2 tasks, and their findings as predicates on certified limits.

The text prints alpha = 10^-35 and m = infinity, but not the finite m: m = 1.1, 2, 10, 100, 10^6 are taken. Comparisons are
between enclosures of the validated engine. The quick profile takes m = 2 and infinity and fewer digits. The same findings are
proved by the kernel in `warm_start_findings`; these runs are a second, independent computation, and what the figures show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs.shin2025.captions import readings
from proofs.shin2025.limit_curves import Ball, ball
from proofs.shin2025.warm_start_runs import (
    Limit,
    Row,
    before,
    cold,
    estimated,
    initial,
    pretrained,
    warm,
)
from proofs.shin2025.warm_start_tasks import RATIOS, TASKS, Ratio, Task, is_large, ratio_name
from verify.flow.balls import precision
from verify.registry import experiment, figure

Found = dict[str, dict[str, dict[str, Any]]]

KEPT = Fraction(3, 4)
"""A warm start keeps the rank of the pre-trained model if this part of the effective rank above 1 is left at least."""

STABLE, EFFECTIVE = Fraction(11, 10), Fraction(3, 2)
"""From here on the stable and the effective rank of a 2 x 2 matrix are called substantially above one."""

NEAR = Fraction(1, 10**9)
"""Cold starts end at a rank at most this above 1, and at most this from w21*."""

PRECISION = 192


def settings(profile: str) -> tuple[tuple[Ratio, ...], int]:
    """The m, and the digits of every limit."""
    return (RATIOS, 30) if profile == "full" else ((Fraction(2), None), 15)


def text(x: Ball, digits: int = 12) -> str:
    """The midpoint in decimals."""
    with precision(PRECISION):
        return str((x + 0).mid().str(digits, radius=False))


def above_one(x: Ball) -> str:
    """A rank as 1 and its excess, which is too small for decimals."""
    with precision(PRECISION):
        return f"1 + {(x - 1).upper().str(3, radius=False)} at most"


def by_ratio(rows: Iterable[Row], value: Callable[[Row], str]) -> dict[str, str]:
    """A column of a table."""
    return {f"m {ratio_name(row.m)}": value(row) for row in rows}


def table(rows: Iterable[Row]) -> dict[str, dict[str, str]]:
    """The runs as they are read."""
    return {
        f"m {ratio_name(row.m)}": {
            "effective rank pre-trained": text(row.pretrained.effective),
            "effective rank warm": text(row.warm.effective),
            "effective rank cold": above_one(row.cold.effective),
            "stable rank pre-trained": text(row.pretrained.stable),
            "stable rank warm": text(row.warm.stable),
            "stable rank cold": above_one(row.cold.stable),
            "w21 pre-trained": text(row.pretrained.w21),
            "w21 warm": text(row.warm.w21),
            "w21 cold": text(row.cold.w21),
        }
        for row in rows
    }


# The protocol ---------------------------------------------------------------------------------------------------------


def closed_form(task: Task, m: Ratio) -> Ball:
    """The entry (2, 1) of the pre-trained product: sqrt(w11 w22) 2 m/(m^2 + 1)."""
    share = Fraction(0) if m is None else 2 * m / (m * m + 1)
    with precision(PRECISION):
        return ball(task.w11 * task.w22).sqrt() * ball(share)


def agrees(estimate: Ball, limit: Limit, digits: int) -> bool:
    """Whether a run without a guarantee ends within 10^-(2/3 digits) of the certified value."""
    with precision(PRECISION):
        return bool(abs(estimate - limit.w21) < ball(Fraction(1, 10 ** (2 * digits // 3))))


def protocol(task: Task, profile: str) -> tuple[list[Row], dict[str, bool]]:
    """All runs of a task, and what makes them those of the protocol. A limit that is not certified raises NotCertified."""
    ratios, digits = settings(profile)
    rows = [Row(m, before(task, m, digits), warm(task, m, digits), cold(task, m, digits)) for m in ratios]
    form, estimates = [], []
    for row in rows:
        form.append(bool(row.pretrained.w21.overlaps(closed_form(task, row.m))))
        estimates.append(agrees(estimated(task, pretrained(task, row.m, digits)[0], digits), row.warm, digits))
        estimates.append(agrees(estimated(task, initial(row.m), digits), row.cold, digits))
    return rows, {
        "pre-training from alpha = 10^-35 ends at the closed form": all(form),
        f"high-precision runs end within 10^-{2 * digits // 3} of the certified w21": all(estimates),
    }


def told(checks: dict[str, bool]) -> dict[str, str]:
    """Checks as they are read."""
    return {name: "yes" if good else "no" for name, good in checks.items()}


def recorded(rows: Iterable[Row]) -> list[Any]:
    """The runs as data."""
    return [row.to_data() for row in rows]


def rows_of(found: Found, claim: str) -> list[Row]:
    """The runs that the experiment of a claim recorded."""
    (only,) = found[f"shin2025.{claim}"].values()
    return [Row.from_data(row) for row in only["data"]]


@experiment("shin2025.fig-10-setup", grade="simulated", limit=1800)
def protocol_of_the_warm_start_figures(profile: str) -> dict[str, Any]:
    """Runs of the protocol at w11* = w22* = 1, w12* = 1/2, alpha = 10^-35, m = 1.1, 2, 10, 100, 10^6, infinity.

    The predicate: w21* = w11* w22*/w12* is the value printed with each figure (2, 1/10, 4); pre-training from alpha ends at zero
    loss and at the closed form; the limits of warm and cold starts at t = infinity are certified to 30 digits (15 in the quick
    profile) and have zero loss; independent runs in high precision end at the same w21.

    The statistics also give the stable rank at m = infinity for w12* = 1/10: what E.2 says of it ("approximately 1.8", bound
    1.45) belongs to this value and not to the 1/2 of Figure 10, where the stable rank is 1.376 and the bound 1.018.
    """
    task = TASKS["figure-10"]
    rows, checks = protocol(task, profile)
    checks["w21* is 2, 1/10, 4"] = [t.truth for t in TASKS.values()] == [Fraction(2), Fraction(1, 10), Fraction(4)]
    tenth = warm(Task(task.w11, Fraction(1, 10), task.w22), None, settings(profile)[1])
    return {
        "holds": all(checks.values()),
        "statistics": {
            "certified digits of every limit": settings(profile)[1],
            **told(checks),
            "stable rank at m = infinity, w12* = 1/2": text(rows[-1].warm.stable),
            "stable rank at m = infinity, w12* = 1/10": text(tenth.stable),
            "runs": table(rows),
        },
        "data": recorded(rows),
    }


# Findings -------------------------------------------------------------------------------------------------------------


def smallest(values: Sequence[Ball]) -> Ball:
    """The smallest of some balls by midpoints, for a table."""
    return min(values, key=lambda x: float(x.mid()))


@experiment("shin2025.fig-10-obs-1", grade="simulated", needs=["shin2025.fig-10-setup"])
def high_rank_persists(profile: str, found: Found) -> dict[str, Any]:
    """Predicates on the certified limits of Figure 10: w11* = w22* = 1, w12* = 1/2, alpha = 10^-35.

    1. The effective rank after the warm start increases with m, as that of the pre-trained model does.
    2. For every m it exceeds that of the cold start, although both see the same three entries: cold starts end at most 10^-9
       above 1.
    3. For every m at least 3/4 of the effective rank above 1 of the pre-trained model is left at the end.
    """
    rows = rows_of(found, "fig-10-setup")
    with precision(PRECISION):
        steps = [b.warm.effective - a.warm.effective for a, b in pairwise(rows)]
        earlier = [b.pretrained.effective - a.pretrained.effective for a, b in pairwise(rows)]
        leads = [row.warm.effective - row.cold.effective for row in rows]
        low = all(row.cold.effective - 1 < ball(NEAR) for row in rows)
        kept = [(row.warm.effective - 1) / (row.pretrained.effective - 1) for row in rows]
        share = dict(zip((row.m for row in rows), kept, strict=True))
    return {
        "holds": all(x > 0 for x in (*steps, *earlier, *leads)) and low and all(x > ball(KEPT) for x in kept),
        "statistics": {
            "smallest effective rank after a warm start": text(smallest([row.warm.effective for row in rows])),
            "smallest step in m of the effective rank after a warm start": text(smallest(steps), 6),
            "smallest lead over the cold start": text(smallest(leads), 6),
            "part of the effective rank above 1 that is left": by_ratio(rows, lambda row: text(share[row.m], 6)),
        },
    }


@experiment("shin2025.fig-10-obs-2", grade="simulated", needs=["shin2025.fig-10-setup"])
def infinite_m_predicts_a_negative_entry(profile: str, found: Found) -> dict[str, Any]:
    """In the certified limits of Figure 10 w21 at m = infinity is negative, below -0.005 where 2 is right, and the effective rank
    there is larger than at every finite m of the list, for certain.

    A very large finite m gives a negative value as well (see m = 10^6); at m = 100 and below w21 is positive.
    """
    rows = rows_of(found, "fig-10-setup")
    last = rows[-1]
    assert last.m is None
    with precision(PRECISION):
        leads = [last.warm.effective - row.warm.effective for row in rows[:-1]]
    return {
        "holds": bool(last.warm.w21 < ball(Fraction(-5, 1000))) and all(x > 0 for x in leads),
        "statistics": {
            "w21 at m = infinity": text(last.warm.w21, 20),
            "effective rank at m = infinity": text(last.warm.effective, 20),
            "lead over the next effective rank": text(smallest(leads), 6),
            "w21": by_ratio(rows, lambda row: text(row.warm.w21)),
        },
    }


@experiment("shin2025.fig-11", grade="simulated", limit=1800)
def a_large_new_entry_is_completed_wrongly_at_low_rank(profile: str) -> dict[str, Any]:
    """Predicates on certified limits at w11* = w22* = 1, w12* = 10, so w21* = 1/10, alpha = 10^-35.

    1. At m = infinity w21 ends below 0, at more than 3 w21* from w21*; for m >= 10 the distance is more than w21* as well, while
       cold starts end within 10^-9 of w21*.
    2. The ranks are low nevertheless: after every warm start the stable rank is below 1.01 and the effective rank below 1.25.
    """
    task = TASKS["figure-11"]
    rows, checks = protocol(task, profile)
    with precision(PRECISION):
        truth = ball(task.truth)
        gaps = {row.m: abs(row.warm.w21 - truth) / truth for row in rows}
        checks |= {
            "at m = infinity w21 is negative and more than 3 w21* away": bool(rows[-1].warm.w21 < 0 and gaps[None] > 3),
            "for m >= 10 it is more than w21* away": all(x > 1 for m, x in gaps.items() if is_large(m)),
            "cold starts end at w21*": all(abs(row.cold.w21 - truth) < ball(NEAR) for row in rows),
            "stable ranks below 1.01": all(row.warm.stable < ball(Fraction(101, 100)) for row in rows),
            "effective ranks below 1.25": all(row.warm.effective < ball(Fraction(5, 4)) for row in rows),
        }
    return {
        "holds": all(checks.values()),
        "statistics": {
            "certified digits of every limit": settings(profile)[1],
            **told(checks),
            "|w21 - w21*| / w21* after a warm start": by_ratio(rows, lambda row: text(gaps[row.m], 6)),
            "runs": table(rows),
        },
        "data": recorded(rows),
    }


@experiment("shin2025.fig-12", grade="simulated", limit=1800)
def unequal_diagonals_keep_both_ranks_above_one(profile: str) -> dict[str, Any]:
    """Predicates on certified limits at w11* = 1, w22* = 2, w12* = 1/2, so w21* = 4, alpha = 10^-35.

    1. For m >= 10 a warm start ends at a stable rank above 1.1 and an effective rank above 1.5.
    2. Cold starts reach lower rank: for every m both ranks are at most 10^-9 above 1, and below those of the warm start.

    The text says the first of "warm-started models" without naming m. For m = 1.1 and m = 2, where the pre-trained model has low
    rank already, the stable rank is 1.0017 and 1.037 only (the effective rank 1.18 and 1.56).
    """
    rows, checks = protocol(TASKS["figure-12"], profile)
    low = [row for row in rows if not row.warm.stable > ball(STABLE)]
    with precision(PRECISION):
        checks |= {
            "for m >= 10 the stable rank is above 1.1": not any(is_large(row.m) for row in low),
            "for m >= 10 the effective rank is above 1.5": all(
                row.warm.effective > ball(EFFECTIVE) for row in rows if is_large(row.m)
            ),
            "cold starts end at ranks within 10^-9 of 1": all(
                row.cold.stable - 1 < ball(NEAR) and row.cold.effective - 1 < ball(NEAR) for row in rows
            ),
            "cold starts end at lower ranks": all(
                row.warm.stable > row.cold.stable and row.warm.effective > row.cold.effective for row in rows
            ),
        }
    return {
        "holds": all(checks.values()),
        "statistics": {
            "certified digits of every limit": settings(profile)[1],
            **told(checks),
            "m at which the stable rank is not above 1.1": ", ".join(ratio_name(row.m) for row in low) or "none",
            "runs": table(rows),
        },
        "data": recorded(rows),
    }


@experiment("shin2025.fig-10-reduced-theory", grade="simulated", needs=["shin2025.fig-10-setup", "shin2025.fig-11"])
def runs_respect_the_bounds_of_theorem_6(profile: str, found: Found) -> dict[str, Any]:
    """The certified limits of Figures 10 and 11 at m = infinity (w* = 1, w12* = 1/2 and 10) satisfy what Theorem 6 says: the
    stable rank is at least 1 + exp(-8 w12*/w*), w21 is negative; and the determinant is positive."""
    statistics, good = {}, []
    for name, claim in (("figure-10", "fig-10-setup"), ("figure-11", "fig-11")):
        task, last = TASKS[name], rows_of(found, claim)[-1]
        assert last.m is None
        with precision(PRECISION):
            bound = 1 + (-8 * ball(task.w12 / task.w11)).exp()
            determinant = ball(task.w11 * task.w22) - ball(task.w12) * last.warm.w21
            good.append(bool(last.warm.stable >= bound and last.warm.w21 < 0 and determinant > 0))
        statistics[name] = {
            "stable rank": text(last.warm.stable),
            "its bound": text(bound),
            "w21": text(last.warm.w21),
            "determinant": text(determinant),
        }
    return {"holds": all(good), "statistics": statistics}


# Drawings -------------------------------------------------------------------------------------------------------------

MARKS = {
    "pretrained": ("pre-trained", "s", "#0072B2"),
    "warm": ("warm start", "o", "#D55E00"),
    "cold": ("cold start", "^", "#009E73"),
}
PANELS = {"effective": "effective rank", "stable": "stable rank", "w21": r"$w_{21}(\infty)$"}


def draw(canvas: Any, task: Task, rows: Sequence[Row]) -> dict[str, Any]:
    """Effective rank, stable rank and w21 against m, for the pre-trained model, the warm start and the cold start."""
    canvas.set_size_inches(10, 3.6)
    panels = canvas.subplots(1, 3)
    places = list(range(len(rows)))
    data: list[Any] = [[ratio_name(row.m) for row in rows]]
    for axes, (quantity, label) in zip(panels, PANELS.items(), strict=True):
        for stage, (legend, marker, colour) in MARKS.items():
            values = [getattr(getattr(row, stage), quantity) for row in rows]
            data.append([label, legend, *(text(v) for v in values)])
            axes.plot(places, [float(v.mid()) for v in values], marker=marker, color=colour, label=legend, linewidth=1.6)
        axes.set_xticks(places, [tick(row.m) for row in rows])
        axes.set_xlabel("$m$")
        axes.set_title(label)
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
    panels[2].axhline(float(task.truth), color="#595959", linestyle=":", linewidth=1.2, label="$w_{21}^*$")
    panels[2].axhline(0, color="black", linewidth=0.6)
    handles, labels = panels[2].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    return {"data": data}


def tick(m: Ratio) -> str:
    """m on an axis."""
    return r"$\infty$" if m is None else "$10^6$" if m == 10**6 else ratio_name(m)


def decimal(x: Fraction) -> str:
    """A rational as a caption prints it."""
    return str(x.numerator) if x.denominator == 1 else str(float(x))


def drawing(name: str, claim: str) -> Callable[[Any, Found], dict[str, Any]]:
    """The function that draws a task from the recorded runs."""
    return lambda canvas, found: draw(canvas, TASKS[name], rows_of(found, claim))


def caption(name: str, task: Task) -> str:
    """What is seen."""
    values = zip(("11", "12", "22"), (task.w11, task.w12, task.w22), strict=True)
    entries = ", ".join(f"$w_{{{place}}}^* = {decimal(value)}$" for place, value in values)
    return (
        f"{name.replace('figure-', 'Figure ')} redrawn: depth 2, initialisation (7) with $\\alpha = 10^{{-35}}$, {entries}; the "
        f"entry to predict is $w_{{21}}^* = {decimal(task.truth)}$ (dotted). The pre-trained model saw the diagonal. Every point is "
        "the midpoint of an enclosure of the limit at $t = \\infty$."
    )


for name, claim in {"figure-10": "fig-10-setup", "figure-11": "fig-11", "figure-12": "fig-12"}.items():
    figure(
        f"shin2025.{claim}",
        name,
        caption=caption(name, TASKS[name]),
        needs=[f"shin2025.{claim}"],
        readings=readings(int(name.removeprefix("figure-"))),
    )(drawing(name, claim))
