"""Figure 4: all 3 x 3 observation patterns from small Gaussian factors, and its finding as a predicate with statistics.

The text prints 23 patterns, 10 trials for each, ground truths u v^T with standard normal u and v, and Gaussian factors; it does
not print depths, scales, learning rate or stopping rule. Taken are the gradient flow, widths 3, depths 2, 3, 4 and seven scales
alpha^L = 1, 10^-1, .., 10^-6; a run ends at a loss of 10^-10. The quick profile has 2 trials, depths 2 and 3, three scales.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from proofs.shin2025.captions import readings
from proofs.shin2025.pattern_counts import EXCLUSIONS, PRINTED, printed_by, table
from verify.flow.sweep import CONVERGED, Chunk, Sweep, effective_rank, ended, run
from verify.registry import experiment, figure

Found = dict[str, dict[str, dict[str, Any]]]
SETUP = "shin2025.fig-4-setup"

KEPT = EXCLUSIONS["fewer than two observations, the full one"]
"""The numbers of observations of the 23 patterns."""

GROUPS = ("connected", "disconnected")
SMALL = 1e-4
"""From here on alpha^L counts as small."""

CERTAIN = 3.0
"""A difference is significant if it is this many of its standard errors."""

LARGER = 2.0
"""The discrepancy of one group is markedly larger if it is this many times that of the other."""


def sweep(profile: str) -> Sweep:
    """The sweep of a profile."""
    if profile == "full":
        return Sweep()
    return Sweep(depths=(2, 3), scales=("1e-2", "1e-4", "1e-6"), seeds=2)


# Ranks by group -------------------------------------------------------------------------------------------------------


def ranks_of(chunk: Chunk) -> dict[str, list[float | None]]:
    """The effective ranks at the end by scale, one for each trial; None where a run did not converge."""
    found: dict[str, list[float | None]] = {}
    for one in chunk.runs:
        rank = round(effective_rank(one["singular values"]), 6) if one["ended"] == CONVERGED else None
        found.setdefault(one["scale"], []).append(rank)
    return found


def recorded(chunks: list[Chunk]) -> list[dict[str, Any]]:
    """What is recorded of the runs, patterns and depths in order."""
    return [
        {
            "cells": [list(cell) for cell in chunk.cells],
            "group": GROUPS[0] if chunk.connected else GROUPS[1],
            "depth": chunk.depth,
            "effective ranks": ranks_of(chunk),
        }
        for chunk in sorted(chunks, key=lambda c: (c.depth, c.pattern))
    ]


def ranks(data: list[dict[str, Any]], group: str, depth: int, scale: str) -> Any:
    """The effective ranks of a group at one depth and scale; trials in one order for all depths, nan if not converged."""
    parts = [d["effective ranks"][scale] for d in data if d["group"] == group and d["depth"] == depth]
    return np.array([np.nan if r is None else r for part in parts for r in part], dtype=np.float64)


def mean_and_error(values: Any) -> tuple[float, float]:
    """The mean of the values that are there, and its standard error."""
    values = values[~np.isnan(values)]
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size))


def depths_and_scales(data: list[dict[str, Any]]) -> tuple[list[int], list[str]]:
    """The depths, and the scales as they were swept."""
    return sorted({d["depth"] for d in data}), list(data[0]["effective ranks"])


def words(mean: float, error: float) -> str:
    """A mean as it is read."""
    return f"{mean:.3f} +- {error:.3f}"


@experiment(SETUP, grade="simulated", limit=1800)
def all_patterns_from_small_gaussian_factors(profile: str) -> dict[str, Any]:
    """Gradient flow on the 23 patterns, 10 trials each, at every depth and scale; mean effective rank by group.

    The predicate: the patterns with at least two observed and one unobserved entry are, up to the order of rows and of columns
    and transposition, 23, of which 17 are connected and 6 not, and no other notion of symmetry in the table gives these
    numbers; every run converges to a loss of 10^-10.
    """
    setting = sweep(profile)
    chunks = [c for c in run(setting, jobs=1) if KEPT(len(c.cells))]
    data = recorded(chunks)
    counted = table()
    matching = printed_by(counted)
    groups = [sum(d["group"] == g and d["depth"] == setting.depths[0] for d in data) for g in GROUPS]
    reasons = ended(chunks)
    total = sum(reasons.values())
    depths, scales = depths_and_scales(data)
    return {
        "holds": (sum(groups), *groups) == PRINTED and len(matching) == 1 and reasons == {CONVERGED: total},
        "statistics": {
            "patterns (connected, disconnected)": f"{sum(groups)} ({groups[0]}, {groups[1]})",
            "runs": total,
            "runs ended by": {reason: str(count) for reason, count in reasons.items()},
            "classes (connected, disconnected) by what counts as the same and what is left out": {
                notion: {exclusion: f"{a} ({b}, {c})" for exclusion, (a, b, c) in row.items()} for notion, row in counted.items()
            },
            "the printed 23 (17, 6) for": "; ".join(f"{notion}, without: {exclusion}" for notion, exclusion in matching),
            "mean effective rank": {
                group: {
                    f"L = {depth}": {f"alpha^L = {s}": words(*mean_and_error(ranks(data, group, depth, s))) for s in scales}
                    for depth in depths
                }
                for group in GROUPS
            },
        },
        "data": data,
    }


@experiment("shin2025.fig-4-discrepancy", grade="simulated", needs=[SETUP])
def depth_two_differs_most_on_disconnected_patterns(profile: str, found: Found) -> dict[str, Any]:
    """With D the mean over trials of the effective rank at depth 2 minus that at depth L, for L = 3, 4 and alpha^L <= 10^-4:

    1. D exceeds 3 of its standard errors in both groups (full profile): depth 2 differs from deeper factorisations.
    2. D of the disconnected group is at least twice that of the connected one, and their difference at least 3 of its standard
       errors.

    A trial has the same ground truth at every depth, so that differences are taken trial by trial.
    """
    (setup,) = found[SETUP].values()
    data = setup["data"]
    depths, scales = depths_and_scales(data)
    statistics: dict[str, Any] = {}
    good = []
    for depth in depths[1:]:
        for scale in scales:
            gaps = [mean_and_error(ranks(data, g, depths[0], scale) - ranks(data, g, depth, scale)) for g in GROUPS]
            (near, near_error), (far, far_error) = gaps
            apart = (far - near) / float(np.hypot(near_error, far_error))
            statistics[f"L = {depth}, alpha^L = {scale}"] = {
                "connected": words(near, near_error),
                "disconnected": words(far, far_error),
                "difference in standard errors": f"{apart:.1f}",
            }
            if float(scale) <= SMALL:
                significant = all(gap > CERTAIN * error for gap, error in gaps)
                good.append((significant or profile != "full") and far >= LARGER * near and apart >= CERTAIN)
    return {"holds": all(good), "statistics": {"effective rank at depth 2 minus that at depth L": statistics}}


# What the same runs say of two other sentences ------------------------------------------------------------------------

LOW = 1.1
"""An effective rank below this counts as near one."""


@experiment("shin2025.cited-two-layer-low-rank", grade="simulated", needs=[SETUP])
def two_layers_usually_end_near_rank_one_on_connected_patterns(profile: str, found: Found) -> dict[str, Any]:
    """Of the depth-2 trials on connected 3 x 3 patterns with rank-one ground truths, from alpha^L <= 10^-4, more than half end at
    an effective rank below 1.1. (A test of the quoted sentence on one kind of data; on disconnected patterns it is otherwise.)"""
    (setup,) = found[SETUP].values()
    data = setup["data"]
    _, scales = depths_and_scales(data)
    shares = {
        group: {s: float(np.mean(ranks(data, group, 2, s) < LOW)) for s in scales if float(s) <= SMALL} for group in GROUPS
    }
    return {
        "holds": all(share > 0.5 for share in shares[GROUPS[0]].values()),
        "statistics": {
            f"part of the {group} trials below {LOW}": {f"alpha^L = {s}": f"{share:.3f}" for s, share in row.items()}
            for group, row in shares.items()
        },
    }


@experiment("shin2025.hypothesis-coupling", grade="simulated", needs=[SETUP])
def deep_runs_end_near_rank_one_on_every_kind_of_pattern(profile: str, found: Found) -> dict[str, Any]:
    """For L >= 3 and the smallest scale the mean effective rank is below 1.1 in both groups of patterns; and at no scale does one
    more layer from L = 3 on raise the mean by more than two standard errors. (What Gaussian starts do on 3 x 3 patterns, beside
    what exceptional starts and large scales do.)"""
    (setup,) = found[SETUP].values()
    data = setup["data"]
    depths, scales = depths_and_scales(data)
    least = min(scales, key=float)
    ends, steps = {}, {}
    for group in GROUPS:
        for depth in depths[1:]:
            ends[f"{group}, L = {depth}"] = mean_and_error(ranks(data, group, depth, least))
        for low, high in pairwise(depths[1:]):
            for s in scales:
                steps[f"{group}, L = {low} to {high}, alpha^L = {s}"] = mean_and_error(
                    ranks(data, group, high, s) - ranks(data, group, low, s)
                )
    return {
        "holds": all(mean < LOW for mean, _ in ends.values()) and all(mean <= 2 * error for mean, error in steps.values()),
        "statistics": {
            f"mean effective rank, alpha^L = {least}": {name: words(*pair) for name, pair in ends.items()},
            "change of the effective rank by one more layer": {name: words(*pair) for name, pair in steps.items()},
        },
    }


# Drawing --------------------------------------------------------------------------------------------------------------

COLOURS = {2: "#595959", 3: "#0072B2", 4: "#D55E00"}


@figure(
    SETUP,
    "figure-4",
    readings=readings(4),
    caption="Figure 4 redrawn: mean effective rank at the end over 17 connected (left) and 6 disconnected (right) $3 \\times 3$ "
    "patterns, 10 trials each, against $\\alpha^L$; bands of two standard errors.",
    needs=[SETUP],
)
def effective_rank_by_group(canvas: Any, found: Found) -> dict[str, Any]:
    """One panel for each group."""
    (setup,) = found[SETUP].values()
    data = setup["data"]
    depths, scales = depths_and_scales(data)
    canvas.set_size_inches(9, 3.8)
    panels = canvas.subplots(1, 2, sharey=True)
    xs = [float(s) for s in scales]
    drawn = []
    for axes, group in zip(panels, GROUPS, strict=True):
        for depth in depths:
            points = [mean_and_error(ranks(data, group, depth, s)) for s in scales]
            drawn.append([group, depth, *(words(*p) for p in points)])
            ys, errors = np.array(points).T
            axes.plot(xs, ys, marker="o", color=COLOURS[depth], label=f"L = {depth}", linewidth=1.6)
            axes.fill_between(xs, ys - 2 * errors, ys + 2 * errors, color=COLOURS[depth], alpha=0.15, linewidth=0)
        axes.set_xscale("log")
        axes.set_xlabel(r"initial scale $\alpha^L$")
        axes.set_title(f"{group} patterns")
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
    panels[0].set_ylabel("mean effective rank")
    panels[0].legend()
    return {"data": drawn}
