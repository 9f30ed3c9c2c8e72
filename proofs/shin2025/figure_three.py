"""Figure 3: a 100 x 100 matrix of rank 5 from 2000, then 3000 entries, with a warm and with a cold start.

What the paper leaves open, and what was chosen, is said in `CHOSEN`, which the report shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs.shin2025.captions import readings
from proofs.shin2025.simulation import Array, effective_ranks, products, rounded
from verify.flow.batch import LOSS, State, Stop, gradient_flow
from verify.flow.models import LinearNetwork, deep_factorization
from verify.registry import experiment, figure

SETUP = "shin2025.fig-3-setup"
SEED = 3
CHOSEN = """
The paper prints neither the depths and scales nor the distribution of the target, the widths, the step size, the seeds or the stopping
rule. Chosen here: the target U V^T with standard normal 100 x 5 matrices; square factors with independent normal entries of standard
deviation alpha; three seeds, each with a target, entries and a start of its own; the gradient flow (3), with a local error of 10^-4 of
the largest entry at every step, until the mean square of the training residuals is 10^-6 of the mean square of the target. The scales are alpha^L = 10^-3, 10^-4, 10^-6, 10^-8, and at L = 3 also 10^-4.5, so that both a common
alpha^L and a common alpha (10^-1.5, 10^-2) occur at every depth. The reconstruction error is the root mean square over all entries.
The quick profile has two seeds of a 30 x 30 matrix of rank 2 with 250, then 375 entries, and fewer scales.
"""
DEPTHS = (2, 3, 4)
LARGE, SMALL = (-3.0, -4.0), (-6.0, -8.0)
"""Powers of ten of alpha^L at every depth; the large ones are left out in the quick profile."""
SAME = {"quick": (-2.0,), "full": (-1.5, -2.0)}
"""Powers of ten of alpha that occur at every depth."""
CONTROL = -8.0
TOLERANCE = 1e-6
ERROR = 1e-4
STEPS = 30_000
PHASES = ("pre", "warm", "cold")
COLOURS = {2: "#595959", 3: "#0072B2", 4: "#D55E00"}


@dataclass(frozen=True)
class Size:
    """The size of the task: n x n, its rank, the entries before and after, the number of seeds."""

    n: int
    rank: int
    before: int
    after: int
    seeds: int

    def __str__(self) -> str:
        return f"{self.n} x {self.n}, rank {self.rank}, {self.before} then {self.after} entries, {self.seeds} seeds"


SIZES = {"quick": Size(30, 2, 250, 375, 2), "full": Size(100, 5, 2000, 3000, 3)}


@dataclass(frozen=True)
class Task:
    """A target with nested sets of observed entries (as Boolean matrices)."""

    target: Array
    before: Any
    after: Any

    @classmethod
    def draw(cls, size: Size, seed: int) -> Task:
        """The task of a seed."""
        generator = np.random.default_rng([SEED, seed])
        u, v = generator.standard_normal((2, size.n, size.rank))
        order = generator.permutation(size.n**2).reshape(size.n, size.n)
        return cls(u @ v.T, order < size.before, order < size.after)

    def model(self, mask: Any, depth: int) -> LinearNetwork:
        """The factorisation that sees the entries of a mask."""
        return deep_factorization(np.where(mask, self.target, None), depth)

    def stop(self, mask: Any) -> Stop:
        """When a training on the entries of a mask has converged."""
        return Stop(loss=0.5 * TOLERANCE * float(mask.sum() * (self.target**2).mean()), steps=STEPS)


def label(power: float) -> str:
    """How a scale is named in statistics."""
    return f"alpha^L = 10^{power:g}"


def powers(profile: str, depth: int) -> list[float]:
    """The scales at a depth, from large to small."""
    return sorted({*SMALL, *(depth * a for a in SAME[profile]), *(LARGE if profile == "full" else ())}, reverse=True)


def factors(size: Size, depth: int, power: float, seed: int) -> list[Array]:
    """The random start of a seed; only its scale depends on the power."""
    generator = np.random.default_rng([SEED, seed, depth])
    return list(10.0 ** (power / depth) * generator.standard_normal((depth, size.n, size.n)))


def trained(task: Task, mask: Any, depth: int, start: list[Array]) -> tuple[list[Array], dict[str, Any]]:
    """The factors after training on the entries of a mask, and what is measured of them."""
    model = task.model(mask, depth)
    state = gradient_flow(model, State.begin(model, start), task.stop(mask), rtol=ERROR)
    return [b[0] for b in state.blocks], measured(task, model, state)


def measured(task: Task, model: LinearNetwork, state: State) -> dict[str, Any]:
    """Effective rank, reconstruction error, steps, and whether the training converged."""
    product = products(model, state)[0]
    return {
        "rank": float(effective_ranks(product)),
        "error": float(np.sqrt(((product - task.target) ** 2).mean())),
        "steps": int(state.steps[0]),
        "converged": bool(state.status[0] == LOSS),
    }


def runs(profile: str, depth: int) -> dict[str, Any]:
    """All trainings at one depth, with the checks of the setup."""
    size = SIZES[profile]
    table: dict[str, dict[str, Any]] = {}
    sound = True
    for seed in range(size.seeds):
        task = Task.draw(size, seed)
        sound = sound and bool(
            task.before.sum() == size.before
            and task.after.sum() == size.after
            and not (task.before & ~task.after).any()
            and np.linalg.matrix_rank(task.target) == size.rank
            and all(task.before.any(axis=axis).all() for axis in (0, 1))
        )
        for power in powers(profile, depth):
            start = factors(size, depth, power, seed)
            end, pre = trained(task, task.before, depth, start)
            warm, cold = trained(task, task.after, depth, end)[1], trained(task, task.after, depth, start)[1]
            for phase, found in zip(PHASES, (pre, warm, cold), strict=True):
                entry = table.setdefault(label(power), {}).setdefault(phase, {"rank": [], "error": [], "steps": [], "converged": []})
                for key, value in found.items():
                    entry[key].append(value)
    truth = [float(effective_ranks(Task.draw(size, seed).target)) for seed in range(size.seeds)]
    all_converged = all(all(e["converged"]) for phases in table.values() for e in phases.values())
    difference = 0.0
    if profile == "full":
        difference = control(size, depth) - table[label(CONTROL)]["pre"]["rank"][0]
    told = {
        f"{scale}, {phase}": f"effective rank {spread(e['rank'])}, error {spread(e['error'])}, at most {max(e['steps'])} steps"
        for scale, phases in table.items()
        for phase, e in phases.items()
    }
    return {
        "holds": sound and all_converged and abs(difference) < 0.01,
        "statistics": {
            "size": str(size),
            "sizes, nesting, rank, no empty row or column": sound,
            "trainings that converged": f"{sum(sum(e['converged']) for p in table.values() for e in p.values())}"
            f" of {size.seeds * 3 * len(table)}",
            f"control at {label(CONTROL)}, pre: change of the effective rank by a smaller local error": rounded(difference, 2)
            if profile == "full"
            else "in the full profile only",
            "effective rank of the targets": spread(truth),
            "mean over seeds (standard error)": told,
        },
        "data": {
            "truth": rounded(truth, 6),
            "runs": {s: {p: {k: rounded(e[k], 6) for k in ("rank", "error")} for p, e in ps.items()} for s, ps in table.items()},
        },
    }


def control(size: Size, depth: int) -> float:
    """The effective rank of the pre-trained model of seed 0 when the local error is a hundred times smaller."""
    task = Task.draw(size, 0)
    model = task.model(task.before, depth)
    state = State.begin(model, factors(size, depth, CONTROL, 0))
    gradient_flow(model, state, task.stop(task.before), rtol=ERROR / 100)
    return float(measured(task, model, state)["rank"])


def spread(values: list[float]) -> str:
    """Mean and its standard error, as text."""
    x = np.array(values)
    return f"{x.mean():.5g} ({x.std(ddof=1) / np.sqrt(x.size):.2g})"


def register(depth: int) -> None:
    """Bind the trainings of one depth."""

    def trainings(profile: str) -> dict[str, Any]:
        return runs(profile, depth)

    trainings.__doc__ = (
        f"L = {depth}: each seed is pre-trained on 2000 entries, then trained on these and 1000 more from the result (warm) and from the"
        " random start (cold). It holds when the sets are nested and of these sizes, the target has the rank, no row or column is empty,"
        " every training converges, and, in the full profile, one training with a hundred times smaller local error ends within 0.01 of"
        f" the same effective rank.\n{CHOSEN if depth == 2 else ''}"
    )
    experiment(SETUP, grade="simulated", seed=SEED, name=f"trainings-at-depth-{depth}", limit=5400)(trainings)


for _depth in DEPTHS:
    register(_depth)


# Findings -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Runs:
    """The recorded trainings."""

    found: dict[str, Any]

    @property
    def common(self) -> list[float]:
        """The scales that every depth has, from large to small."""
        known = [set(self.found[SETUP][f"trainings-at-depth-{d}"]["data"]["runs"]) for d in DEPTHS]
        return [p for p in (*LARGE, *SMALL) if all(label(p) in scales for scales in known)]

    def table(self, value: Callable[[int, float], Any]) -> dict[str, Any]:
        """A statistic by common scale and depth."""
        return {label(p): {f"L = {d}": value(d, p) for d in DEPTHS} for p in self.common}

    def get(self, depth: int, power: float, phase: str, what: str) -> Array:
        """A measured quantity, by seed."""
        return np.array(self.found[SETUP][f"trainings-at-depth-{depth}"]["data"]["runs"][label(power)][phase][what])

    def loss(self, depth: int, power: float, what: str) -> Array:
        """Warm minus cold, by seed."""
        return self.get(depth, power, "warm", what) - self.get(depth, power, "cold", what)

    def excess(self, depth: int, power: float) -> Array:
        """The effective rank after pre-training above that of the target, by seed."""
        truth = np.array(self.found[SETUP]["trainings-at-depth-2"]["data"]["truth"])
        return self.get(depth, power, "pre", "rank") - truth


@experiment("shin2025.fig-3-pretrain", grade="simulated", needs=[SETUP])
def deeper_models_come_nearer_to_the_rank_of_the_target(profile: str, found: dict[str, Any]) -> dict[str, Any]:
    """At a common standard deviation alpha = 10^-1.5 and 10^-2 the effective rank after pre-training exceeds that of the target by an
    excess that each further layer at least halves (in absolute value, where it is positive before), in every seed.

    The text does not say what is held fixed when the depth grows. This is the reading in which the sentence is true. At a common small
    alpha^L (10^-6, 10^-8) depth 3 halves the excess of depth 2 too, but depth 4 does not come lower than depth 3: both are within a few
    percent of the target's effective rank. At a common large alpha^L (10^-3, 10^-4) depth 4 ends higher than depth 3 and than depth 2.
    The means at every scale are listed.
    """
    read = Runs(found)
    left = {
        f"alpha = 10^{a:g}, L = {d} to {d + 1}": float((np.abs(read.excess(d + 1, a * (d + 1))) / read.excess(d, a * d)).max())
        for a in SAME[profile]
        for d in DEPTHS[:-1]
    }
    deeper = {
        label(p): ", ".join(
            f"L = {d + 1} {'below' if x < 0 else 'above'} L = {d} by {abs(x):.3g}"
            for d in DEPTHS[:-1]
            for x in [float((read.get(d + 1, p, "pre", "rank") - read.get(d, p, "pre", "rank")).mean())]
        )
        for p in read.common
    }
    return {
        "holds": all(x < 0.5 for x in left.values()) and all((read.excess(d, a * d) > 0).all() for a in SAME[profile] for d in DEPTHS[:-1]),
        "statistics": {
            "largest part of the excess that one more layer leaves": {k: rounded(x) for k, x in left.items()},
            "another reading, common alpha^L: mean effective rank": deeper,
            "mean effective rank after pre-training": read.table(lambda d, p: spread(list(read.get(d, p, "pre", "rank")))),
        },
    }


@experiment("shin2025.fig-3-deep-warm", grade="simulated", needs=[SETUP])
def warm_deep_models_have_the_rank_of_cold_ones(profile: str, found: dict[str, Any]) -> dict[str, Any]:
    """At small scales, alpha^L = 10^-6 and 10^-8, and L = 3, 4 the mean effective rank after the warm start differs from that after the
    cold start by less than 2 percent, and by less than half as much as at L = 2, where it is higher.

    "Deeper models" is read as L >= 3 at a small scale. From a large one deep models do gain rank by the warm start, as listed.
    """
    read = Runs(found)

    def relative(depth: int, power: float) -> float:
        return float(read.loss(depth, power, "rank").mean() / read.get(depth, power, "cold", "rank").mean())

    deep = {p: max(abs(relative(d, p)) for d in DEPTHS[1:]) for p in SMALL}
    return {
        "holds": all(deep[p] < min(0.02, relative(2, p) / 2) for p in SMALL),
        "statistics": {
            "L = 3, 4: largest relative difference": {label(p): rounded(x) for p, x in deep.items()},
            "(warm - cold) / cold, mean effective ranks": read.table(lambda d, p: rounded(relative(d, p))),
        },
    }


@experiment("shin2025.fig-3-absolute-quality", grade="simulated", needs=[SETUP])
def warm_deep_models_reconstruct_better_than_shallow_ones(profile: str, found: dict[str, Any]) -> dict[str, Any]:
    """At alpha^L = 10^-6 and in every seed the reconstruction error of the warm-started models of depth 3 and 4 is less than half of that of
    the warm-started model of depth 2.

    "Can" asks for one scale; the means at the others are listed. The comparison with depth 2 from a cold start is listed as well. That the warm start may degrade a model relative to a cold one
    ("although") is a possibility that the sentence grants; the ratios warm / cold are listed.
    """
    read = Runs(found)
    p = SMALL[0]
    worst = max(float((read.get(d, p, "warm", "error") / read.get(2, p, "warm", "error")).max()) for d in DEPTHS[1:])
    cold = max(float((read.get(d, p, "warm", "error") / read.get(2, p, "cold", "error")).max()) for d in DEPTHS[1:])

    def degraded(depth: int, power: float) -> Any:
        return rounded(float(read.get(depth, power, "warm", "error").mean() / read.get(depth, power, "cold", "error").mean()))

    return {
        "holds": worst < 0.5,
        "statistics": {
            f"{label(p)}: largest error of warm L = 3, 4 over that of warm L = 2": rounded(worst),
            f"{label(p)}: largest error of warm L = 3, 4 over that of cold L = 2": rounded(cold),
            "mean error, warm over cold": read.table(degraded),
            "mean error, warm": read.table(lambda d, p: spread(list(read.get(d, p, "warm", "error")))),
        },
    }


@experiment("shin2025.fig-3-depth2-loss", grade="simulated", needs=[SETUP])
def the_warm_start_costs_most_at_depth_two(profile: str, found: dict[str, Any]) -> dict[str, Any]:
    """At alpha^L = 10^-6 and 10^-8 warm minus cold, of the mean effective rank and of the mean reconstruction error, is positive at L = 2 and
    larger than twice that at L = 3, 4; the ratio warm / cold is the largest at L = 2, too.

    Both the absolute and the relative measure are meant, since the text names none. "Deep models escape" is read at small scales: from large
    ones deep models lose by the warm start, too, as the table of differences shows.
    """
    read = Runs(found)
    holds, closest = True, {}
    for what in ("rank", "error"):
        for p in SMALL:
            warm, cold = ({d: float(read.get(d, p, phase, what).mean()) for d in DEPTHS} for phase in ("warm", "cold"))
            shallow = warm[2] - cold[2]
            for d in DEPTHS[1:]:
                mine = warm[d] - cold[d]
                holds = holds and 0 < shallow > 2 * mine and warm[2] / cold[2] > warm[d] / cold[d]
                closest[f"{what}, {label(p)}, L = {d}"] = rounded(mine / shallow)
    return {
        "holds": holds,
        "statistics": {
            "(warm - cold) over that at L = 2": closest,
            "warm - cold, effective rank": read.table(lambda d, p: spread(list(read.loss(d, p, "rank")))),
            "warm - cold, error": read.table(lambda d, p: spread(list(read.loss(d, p, "error")))),
        },
    }


# Drawing --------------------------------------------------------------------------------------------------------------


def curves(read: Runs, what: str, phase: str) -> Iterator[tuple[int, list[float], list[float], list[float]]]:
    """Depth, scales, means and standard errors of the curves of one panel."""
    for depth in DEPTHS:
        values = [read.get(depth, p, phase, what) for p in read.common]
        means = [float(v.mean()) for v in values]
        errors = [float(v.std(ddof=1) / np.sqrt(v.size)) for v in values]
        yield depth, [10.0**p for p in read.common], means, errors


@figure(
    SETUP,
    "figure-3",
    readings=readings(3),
    needs=[SETUP],
    caption=(
        "Figure 3 redrawn: effective rank (above) and reconstruction error (below) at convergence against the scale $\\alpha^L$ of Gaussian "
        "factors: trained on the sparse set, on the larger set from the former result, and on the larger set from random factors. "
        "Means and standard errors; dotted the effective rank of the targets."
    ),
)
def warm_and_cold(canvas: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Two rows of three panels, coloured by depth."""
    read = Runs(found)
    canvas.set_size_inches(9, 6)
    panels = canvas.subplots(2, 3, sharex=True, sharey="row")
    data = []
    truth = found[SETUP]["trainings-at-depth-2"]["data"]["truth"]
    titles = ("$\\Omega_{\\mathrm{pre}}$, random start", "$\\Omega_{\\mathrm{post}}$, warm start", "$\\Omega_{\\mathrm{post}}$, random start")
    for column, (phase, title) in enumerate(zip(PHASES, titles, strict=True)):
        panels[0, column].set_title(title)
        for axes, what in zip(panels[:, column], ("rank", "error"), strict=True):
            for depth, xs, means, errors in curves(read, what, phase):
                data.append([phase, what, depth, rounded(means), rounded(errors)])
                style = {"color": COLOURS[depth], "linewidth": 1.8, "capsize": 3, "label": f"L = {depth}"}
                axes.errorbar(xs, means, yerr=errors, marker="o", markersize=4, **style)
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.grid(True, color="#e6e6e6", linewidth=0.6)
            axes.set_axisbelow(True)
        panels[0, column].axhline(float(np.mean(truth)), color="black", linewidth=0.8, linestyle=":", zorder=0)
        panels[1, column].set_xlabel(r"initial scale $\alpha^L$")
    panels[0, 0].yaxis.set_major_formatter("{x:g}")
    low, high = panels[0, 0].get_ylim()
    panels[0, 0].set_yticks([2, 5, 10, 20, 40])
    panels[0, 0].minorticks_off()
    panels[0, 0].set_ylim(low, high)
    panels[0, 0].set_ylabel("effective rank")
    panels[1, 0].set_ylabel("reconstruction error")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    size = found[SETUP]["trainings-at-depth-2"]["statistics"]["size"]
    return {"data": data, "caption": f"{size}."}
