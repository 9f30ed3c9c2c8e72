"""What the theorems of this paper predict for a user's observations and start (see verify.flow.predictors).

They speak of the limit of small scales, and assume that it exists and fits the observations; a start has one scale, so what is
told is what to expect of small ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_mat

from verify.completion.graph import kind
from verify.completion.observations import Observations
from verify.flow.predictors import Factors, Prediction

PAPER = "Bai, Zhao and Zhang 2024"
ASSUMED = "the limit of small scales is assumed to exist and to fit"


def predict(observations: Observations, depth: int, factors: Factors) -> list[Prediction]:
    """Theorem 3 on connected patterns, Theorem 4 on complete bipartite components."""
    sort = kind(observations.pattern)
    if sort == "complete-bipartite-components":
        name, claim, goal = f"{PAPER}, Theorem 4", "bai2024.thm-4", "the smallest nuclear norm"
    else:
        name, claim, goal = f"{PAPER}, Theorem 3", "bai2024.thm-3", "the smallest rank"
    d = observations.rows
    if depth != 2 or observations.cols != d or any(len(f) != d or len(f[0]) != d for f in factors):
        return [Prediction(name, claim, False, "needs depth 2 and square factors")]
    if sort == "disconnected":
        return [Prediction(name, claim, False, "needs a connected pattern, or complete bipartite components")]
    if any(rank(f) < d for f in factors):
        return [Prediction(name, claim, False, "needs a start of full rank")]
    why = f"depth 2, {'connected' if sort == 'connected' else 'complete bipartite components'}, full rank; {ASSUMED}"
    if sort == "connected":
        why += ", and each invariant manifold on the way to be left at its optimum"
    return [Prediction(name, claim, True, why, f"as the scale tends to 0 the limit tends to a completion of {goal}")]


def rank(factor: Sequence[Sequence[Fraction]]) -> int:
    """The rank, exactly."""
    return int(fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in factor]).rank())
