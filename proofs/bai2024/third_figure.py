"""Figure 3: a connected 4 x 4 matrix with one unknown entry."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from proofs.bai2024.fourth_figure import agreement
from proofs.bai2024.small_start_runs import Array, Table, follow, learn, plateaus, rounded, starts
from verify.flow.batch import State, Stop, gradient_flow
from verify.flow.models import FLOAT, deep_factorization
from verify.kernel import Goal
from verify.registry import experiment, holds, simulated

FULL = ((3.0, 2.0, 3.0, 3.0), (1.0, 4.0, 5.0, 2.0), (5.0, 5.0, 4.0, 2.0), (2.0, 1.0, 1.0, 5.0))
"""The entry in the corner is the one that is not known in Figure 3(a)."""
SURROGATE = (
    "the entries stand only in the image: another matrix with the same property is taken, [3,2,3,3; 1,4,5,2; 5,5,4,2; 2,1,1,x]"
)
for _claim in ("fig-3b", "fig-3c", "fig-3d", "fig-3e-h", "fig-5b"):
    simulated(
        f"bai2024.{_claim}",
        because="Trajectories from random starts, for a matrix whose entries are only in the image of the paper",
    )


def covered(i: int, j: int) -> list[list[float | None]]:
    """The matrix without this entry (with 6/5 in the corner where it is not the one that is left out)."""
    table: list[list[float | None]] = [list(row) for row in FULL]
    table[3][3] = 1.2
    table[i][j] = None
    return table


MATRIX = "[[3,2,3,3],[1,4,5,2],[5,5,4,2],[2,1,1,x]]"
CORNER = "[[3,2,3],[1,4,5],[5,5,4]]"
ROWS = "[[1,0,0,0],[0,1,0,0],[0,0,1,0]]"


@holds(
    "bai2024.fig-3a",
    f"all x:R, M:M(4,4). M = {MATRIX} => 3 <= rank(M) and (rank(M) = 3 <=> x = 6/5)",
    argument="sound",
    covers="instances",
    because=f"{SURROGATE}; for this one the statement is proved",
)
def corner_determines_the_rank(g: Goal) -> None:
    """det(M) is a multiple of x - 6/5, and the first three rows and columns have rank 3."""
    g.fix("x", "M")
    m = g.assume()
    det = g.have(f"det({CORNER}) != 0", lambda g: (g.replace(f"det({CORNER})", "-30", lambda g: g.field()), g.auto())[-1])
    full = g.fact("rank_full", 3, CORNER)
    whole = g.split(g.apply(full))[1]
    three = g.apply(whole, by=[lambda g: g.close_by(det)])
    cut = g.have(f"{ROWS} @ M @ T({ROWS}) = {CORNER}", lambda g: (g.rewrite(m), g.ext(lambda g: g.field()))[-1])
    a = g.split(g.fact("rank_product", 3, 4, 3, f"{ROWS} @ M", f"T({ROWS})"))[0]
    b = g.split(g.fact("rank_product", 3, 4, 4, ROWS, "M"))[1]
    same = g.have(f"rank({ROWS} @ M @ T({ROWS})) = rank({CORNER})", lambda g: (g.rewrite(cut), g.refl())[-1])
    low = g.have("3 <= rank(M)", lambda g: g.pos([f"@{a}"], [f"@{b}"], eqs=[(same, 1), (three, 1)]))
    high = g.split(g.by_fact("rank_bounds", 4, 4, "M"))[1]
    forward, backward = g.split(g.apply(g.fact("rank_full", 4, "M")))
    value = g.have("det(M) = -30*(x - 6/5)", lambda g: (g.rewrite(m), g.field())[-1])

    def only(g: Goal) -> None:
        r = g.assume()
        g.contra("ne")

        def regular(g: Goal) -> None:
            z = g.contra()
            g.clash(g.have("x = 6/5", lambda g: g.field((value, "1/30"), (z, "-1/30"))), "ne")

        d = g.have("det(M) != 0", regular)
        four = g.apply(backward, by=[lambda g: g.close_by(d)])
        g.pos([], eqs=[(four, 1), (r, -1)])

    def if_(g: Goal) -> None:
        x = g.assume()
        zero = g.have("det(M) = 0", lambda g: g.field((value, 1), (x, "-30")))

        def below(g: Goal) -> None:
            g.contra("more")
            up = g.apply(g.fact("int_lt", 3, "rank(M)"))
            four = g.have("rank(M) = 4", lambda g: g.antisym(lambda g: g.close_by(high), lambda g: g.pos([f"@{up}"])))
            d = g.apply(forward, by=[lambda g: g.close_by(four)])
            g.clash(zero, d)

        g.antisym(below, lambda g: g.close_by(low))

    g.conj(lambda g: g.close_by(low), lambda g: g.iff(only, if_))


POWERS = {"quick": (0, -4, -8), "full": (0, -2, -4, -6, -8, -10, -12, -14, -16)}


@experiment("bai2024.fig-3b", grade="simulated", seed=1)
def smaller_starts_lose_the_fourth_singular_value(profile: str) -> dict[str, Any]:
    """The matrix of the claim on Figure 3(a), in which x = 6/5 gives rank 3 (the printed entries are only in the image); ten starts for each variance
    10^0, 10^-2, .., 10^-16 (three variances in the quick profile), the flow until the loss is at most 10^-10. Predicates: at the variance 1 the
    fourth singular value is above 1/100 in nine of ten runs; from one variance below 10^-3 to the next the medians of the first three move by at
    most 1/20 of themselves; the median of the fourth falls from variance to variance, to below 10^-6 at 10^-8 and, in the full profile, below 10^-12
    at 10^-16; the median of the unknown entry is then within 1/1000 of 6/5."""
    table = covered(3, 3)
    found: dict[str, Any] = {}
    medians = []
    good = True
    for power in POWERS[profile]:
        runs = learn(table, starts(4, 10.0 ** (power / 2), 10, 1))
        values = runs.values
        good = good and runs.converged
        if power == 0:
            good = good and float((values[:, 3] > 1e-2).mean()) >= 0.9
        medians.append(np.median(values, axis=0))
        entry = float(np.median(runs.products[:, 3, 3]))
        found[f"variance 10^{power}"] = {
            "median singular values": rounded(medians[-1]),
            "median of the unknown entry": rounded(entry, 6),
        }
        good = good and (power > -8 or medians[-1][3] < 1e-6)
    for power, (a, b) in zip(POWERS[profile], pairwise(medians), strict=False):
        good = good and b[3] < a[3] and (power > -3 or bool((np.abs(b[:3] / a[:3] - 1) < 0.05).all()))
    good = good and abs(entry - 1.2) < 1e-3 and (profile == "quick" or medians[-1][3] < 1e-12)
    return {"holds": bool(good), "statistics": found}


@experiment("bai2024.fig-3c", grade="simulated", seed=2)
def loss_falls_in_steps(profile: str) -> dict[str, Any]:
    """Each of the 16 entries covered in turn (four in the quick profile; in the corner stands 6/5 otherwise), one start of standard deviation 10^-6
    for each. A plateau is a record with a locally least gradient norm (at least e times less than before and after). Predicates: the loss
    never grows, there are at least three plateaus, near rank 0, 1 and 2, and each has at most 1/2 of the loss of the one before."""
    places = [(i, j) for i in range(4) for j in range(4)] if profile == "full" else [(0, 0), (1, 2), (2, 1), (3, 3)]
    found: dict[str, Any] = {}
    good = True
    for k, (i, j) in enumerate(places):
        track = follow(covered(i, j), starts(4, 1e-6, 1, 100 + k), every=1)
        at = plateaus(track)
        levels = [track.loss[p] for p in at]
        monotone = all(b <= a * (1 + 1e-9) for a, b in pairwise(track.loss))
        good = good and monotone and len(at) >= 3 and all(b < a / 2 for a, b in pairwise(levels))
        found[f"({i}, {j})"] = {"loss at the plateaus": rounded(levels), "never grows": monotone}
    return {"holds": bool(good), "statistics": found}


@experiment("bai2024.fig-3e-h", grade="simulated", seed=1)
def ranks_of_the_factors_agree(profile: str) -> dict[str, Any]:
    """One run of the matrix of the claim on Figure 3(a) from each standard deviation 10^-6, 10^-8 (the first one in the quick profile), with a record every
    second step. A singular value above 1/10 is significant. Predicates: the ranks of the augmented matrix are 0, 1, 2, 3 one after another;
    those of A, B and the augmented matrix agree at every saddle, at the end, and at nine of ten records; the product has rank 3 at the
    end, with a fourth singular value below 1/1000."""
    found: dict[str, Any] = {}
    good = True
    for std in (1e-6,) if profile == "quick" else (1e-6, 1e-8):
        track = follow(covered(3, 3), starts(4, std, 1, 1))
        entry = agreement(track)
        values = track.spectra("W")[-1]
        good = good and entry["ranks"] == [0, 1, 2, 3] and entry["agree"] >= 0.9 and entry["at the end"] == [3, 3, 3]
        good = good and all(len(set(x)) == 1 for x in entry["at the saddles"]) and values[3] < 1e-3 < 0.1 < values[2]
        found[f"{std:g}"] = {**entry, "agree": rounded(entry["agree"]), "learned singular values": rounded(values)}
    return {"holds": bool(good), "statistics": found}


def best_of_rank(table: Table, k: int) -> Array:
    """The matrix of rank k with the least loss that 60 random starts of the model of inner width k end at."""
    d = len(table)
    model = deep_factorization([list(row) for row in table], 2, (k,))
    random = np.random.default_rng([2024, 5])
    a, b = random.standard_normal((60, d, k)), random.standard_normal((60, k, d))
    state = State.begin(model, [b, a])
    gradient_flow(model, state, Stop(gradient=1e-6, steps=20_000), rtol=1e-8)
    losses = np.asarray(model.loss(state.blocks, FLOAT))
    return np.asarray(np.asarray(model.product(state.blocks, FLOAT))[losses.argmin()])


@experiment("bai2024.fig-3d", grade="simulated", seed=1)
def saddles_are_the_optima_of_their_rank(profile: str) -> dict[str, Any]:
    """The matrix of the claim on Figure 3(a), one run from each standard deviation 10^-4, 10^-6, 10^-8. The plateaus are the records with a locally least
    gradient norm; the product there is compared with the best of 60 fits of rank 1 and of rank 2. Predicates: there are three plateaus; at each the gradient
    norm is at most 1/100 of the largest one of the run for 10^-8; the distance (Frobenius norm) from the optimum of rank 0, 1, 2 falls from scale to scale
    and is below 1/100 at 10^-8; the run ends at the loss 10^-10."""
    del profile
    table = covered(3, 3)
    optima = [np.zeros((4, 4)), best_of_rank(table, 1), best_of_rank(table, 2)]
    found: dict[str, Any] = {}
    good = True
    distances = np.full(3, np.inf)
    for std in (1e-4, 1e-6, 1e-8):
        track = follow(table, starts(4, std, 1, 1))
        at = plateaus(track)
        good = good and len(at) == 3 and 2 * track.loss[-1] / 15 <= 1e-10
        if len(at) != 3:
            break
        now = np.array([np.linalg.norm(track.a[p] @ track.b[p] - w) for p, w in zip(at, optima, strict=True)])
        good = good and bool((now < distances).all())
        distances, slopes = now, np.array([track.slope[p] for p in at]) / max(track.slope)
        found[f"{std:g}"] = {"distances": rounded(distances), "gradient norms over the largest": rounded(slopes)}
    good = good and bool((distances < 1e-2).all()) and bool((slopes < 1e-2).all())
    return {"holds": bool(good), "statistics": found}


@experiment("bai2024.fig-5b", grade="simulated", seed=1)
def displacements_line_up(profile: str) -> dict[str, Any]:
    """The same matrix, one run from the standard deviation 10^-8; the displacement of the four rows of A and the four columns of B from the saddle at 0,
    and from that of rank one (the record with the least gradient norm). The ratio of the first two singular values of these eight vectors says how
    nearly they are parallel. Predicates: the ratio is above 1/5 at the first record after each saddle, and below 1/100 at some record at which the
    length of the largest is still below 1/10."""
    del profile
    track = follow(covered(3, 3), starts(4, 1e-8, 1, 1))
    found: dict[str, Any] = {}
    good = True
    for name, p in (("from 0", 0), ("from rank one", plateaus(track)[1])):
        a, b = (0, 0) if p == 0 else (track.a[p], track.b[p])
        vectors = [np.hstack([(x - a).T, y - b]) for x, y in zip(track.a[p + 1 :], track.b[p + 1 :], strict=True)]
        values = np.array([np.linalg.svd(x, compute_uv=False) for x in vectors])
        ratio = values[:, 1] / values[:, 0]
        near = int(np.argmax(values[:, 0] > 0.1)) - 1
        good = good and ratio[0] > 0.2 and near > 0 and ratio[: near + 1].min() < 1e-2
        found[name] = {"ratio at first": rounded(ratio[0]), "least ratio while near": rounded(ratio[: near + 1].min())}
    return {"holds": bool(good), "statistics": found}
