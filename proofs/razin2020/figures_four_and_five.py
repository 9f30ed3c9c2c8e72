"""Figure 4: other dimensions; why Figure 5, with repositioned observations, is open; the set-up of F.2.1."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from proofs.razin2020.completion_runs import Table, draw_factors, first_entries, product, products_at_levels, rounded, starts
from verify.flow.batch import LOSS, STEPS, State, Stop, gradient_descent
from verify.flow.models import deep_factorization
from verify.registry import experiment, simulated, undecided

FOUR = "razin2020.fig-4"
SHAPES = ((2, 2), (3, 3), (4, 4), (2, 3), (3, 5))
DEPTH, STD, RATE = 3, 1e-3, 3e-2
END = 10**-2.5


def larger_problem(rows: int, columns: int) -> Table:
    """The observations (25), with zeros in excess rows and columns."""
    table: list[list[float | None]] = [[float(i == j and i >= 2) for j in range(columns)] for i in range(rows)]
    table[0][0], table[0][1], table[1][0] = None, 1.0, 1.0
    return table


@experiment(FOUR, grade="simulated", seed=4, limit=300)
def entry_grows_for_other_dimensions(profile: str) -> dict[str, Any]:
    """Depth 3, dimensions 2 x 2, 3 x 3, 4 x 4, 2 x 3, 3 x 5, unbalanced starts of standard deviation 10^-3 (five for each) whose leading square block has a positive
    determinant, gradient descent with the rate 0.03. |w11| is compared between the first fall of the loss below half of its value at zero and
    that below 10^(-5/2). Predicates: every run gets there, the median of |w11| grows at least threefold, and no run has a smaller |w11| at the end."""
    del profile
    found: dict[str, Any] = {}
    good = True
    for rows, columns in SHAPES:
        begin, _ = starts(5, DEPTH, STD, 4, shape=(rows, columns))
        half = 0.25 * min(rows, columns)
        curve = first_entries(products_at_levels(larger_problem(rows, columns), begin, (half, END), RATE)[0])
        first, last = np.median(curve, axis=1)
        good = good and bool(np.isfinite(curve).all()) and bool(last >= 3 * first) and bool((curve[1] > curve[0]).all())
        found[f"{rows} x {columns}"] = {"median at half of the loss": rounded(first), "at the end": rounded(last)}
    return {"holds": good, "statistics": found}


simulated(FOUR, because="Simulated: five starts for each problem, the rate 0.03, down to the loss 10^(-5/2) in place of 10^-4.")
undecided(
    "razin2020.fig-5",
    tried="depth 3, all four locations, adjacent values (1, 1) and (2, 1/2) with the sign that Theorem 2 needs, opposite values 0, 1/100, 1/20, 1/10, 1/2, the predicates that the median of the"
    " unobserved entry grows threefold with 0 opposite, decreases from opposite value to opposite value, keeps 3/4 with 1/100 and is below half with 1/2. From five starts of standard deviation 10^-3, at the"
    " loss 10^(-5/2), the medians did not decrease at two of the eight problems. The settings and the predicates were then changed twice after runs that failed, with a seed that was used again: in the last version"
    " (three starts of 10^-5, the loss 10^-2, opposite values only of the sign that a singular product can meet) they held, and for the other sign the entry grows with the opposite value. A version that"
    " was fitted to its own runs is no evidence, and is left out",
    missing="starts that were not looked at for predicates and signs of the opposite value that are fixed beforehand, the printed standard deviation, and runs down to the printed loss 10^-4",
)


@experiment("razin2020.f21-setup", grade="simulated", seed=6)
def both_exits_are_reached(profile: str) -> dict[str, Any]:
    """Hidden dimensions min{rows, columns}; from a start of standard deviation 10^-2 gradient descent of depth 2 on the observations (6) ends by the loss 10^-4, and one of
    depth 3 from 10^-2 with a limit of 1000 iterations ends by the limit (which is 5 million in the paper); a start with a loss below 10^-4 ends at once."""
    del profile
    widths = all(
        tuple(b.shape[1:] for b in starts(1, 3, 1e-2, 6, shape=shape)[0]) == ((m, shape[1]), (m, m), (shape[0], m))
        for shape in SHAPES
        for m in (min(shape),)
    )
    ends, counts = [], []
    for depth, limit in ((2, 5_000_000), (3, 1000)):
        model = deep_factorization(larger_problem(2, 2), depth)
        state = State.begin(model, starts(1, depth, 1e-2, 6, balanced=depth == 3)[0])
        gradient_descent(model, state, 3e-2, Stop(loss=1e-4, steps=limit))
        ends.append(int(state.status[0]))
        counts.append(int(state.steps[0]))
        state.resume()
        if depth == 2:
            gradient_descent(model, state, 3e-2, Stop(loss=1e-4, steps=limit))
            counts.append(int(state.steps[0]))
    good = widths and ends == [LOSS, STEPS] and counts[0] == counts[1]
    return {"holds": bool(good), "statistics": {"iterations": counts, "hidden widths": widths}}


simulated("razin2020.f21-setup", because="Simulated: the stopping rule on two runs.")


@experiment(
    "razin2020.f21-balanced-procedure",
    grade="simulated",
    seed=7,
    decides="the sentence describes how starts are drawn, and is used here as described",
)
def balanced_starts_have_the_drawn_product(profile: str) -> dict[str, Any]:
    """For depths 2, 3, 5 and sides 2, 3, 4: the product of the balanced factors is the Gaussian matrix that was drawn, and (5) holds, both to 10^-12 relative to its norm
    (for (5): to the norm of the factors squared)."""
    del profile
    worst_product = worst_balance = 0.0
    for depth, side in itertools.product((2, 3, 5), (2, 3, 4)):
        factors = draw_factors(np.random.default_rng(depth), depth, 1e-2, (side, side), True)
        drawn = 1e-2 * np.random.default_rng(depth).standard_normal((side, side))
        worst_product = max(worst_product, float(np.linalg.norm(product(factors) - drawn) / np.linalg.norm(drawn)))
        for a, b in itertools.pairwise(factors):
            worst_balance = max(worst_balance, float(np.linalg.norm(b.T @ b - a @ a.T) / np.linalg.norm(a) ** 2))
    good = worst_product < 1e-12 and worst_balance < 1e-12
    return {"holds": good, "statistics": {"product": good, "balancedness": good}}


simulated("razin2020.f21-balanced-procedure", because="Simulated: nine draws; eq-5 proves the construction.")
