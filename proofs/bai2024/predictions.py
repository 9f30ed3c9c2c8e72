"""What the theorems of this paper predict for a user's observations and start (see verify.flow.predictors).

They speak of the limit of small scales, and assume that it exists and fits the observations; a start has one scale, so these
hypotheses stay open, and are told one by one with what is known of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_mat

from verify.completion.graph import kind
from verify.completion.observations import Observations
from verify.flow.predictors import Factors, Prediction, Reached

PAPER = "Bai, Zhao and Zhang 2024"


def predict(observations: Observations, depth: int, factors: Factors, reached: Reached) -> list[Prediction]:
    """Theorem 3 on connected patterns, Theorem 4 on complete bipartite components."""
    sort = kind(observations.pattern)
    complete = sort == "complete-bipartite-components"
    name, claim = (f"{PAPER}, Theorem 4", "bai2024.thm-4") if complete else (f"{PAPER}, Theorem 3", "bai2024.thm-3")
    d = observations.rows
    if depth != 2 or observations.cols != d or any(len(f) != d or len(f[0]) != d for f in factors):
        return [Prediction(name, claim, False, "needs depth 2 and square factors")]
    if sort == "disconnected":
        return [Prediction(name, claim, False, "needs a connected pattern, or complete bipartite components")]
    if any(rank(f) < d for f in factors):
        return [Prediction(name, claim, False, "needs a start of full rank")]
    goal = "the smallest nuclear norm" if complete else "the smallest rank"
    told = f"as the scale tends to 0 the limit tends to a completion of {goal}"
    if stays_semidefinite(observations, factors) and not can_be_semidefinite(observations):
        why = "(d) fails at every scale: the product stays positive semidefinite, which the observations exclude"
        return [Prediction(name, claim, False, why)]
    if reached.fits is False:
        return [Prediction(name, claim, False, "(d) fails at this scale: the limit does not fit all observations")]
    optimal = "(a) every invariant manifold on the way is left at an optimum in it"
    first = ("(a) complete bipartite components", "yes") if complete else (optimal, "not known")
    fits = "not known" + ("; the limit from this start does" if reached.fits else "")
    hypotheses = (
        first,
        ("(b) a start of full rank", "yes"),
        ("(c) the limits from ever smaller scales converge", "not known; this start has one scale"),
        ("(d) what they converge to fits all observations", fits),
    )
    return [Prediction(name, claim, None, "see its hypotheses", told, hypotheses, beside(reached, complete))]


def beside(reached: Reached, complete: bool) -> str:
    """How far the limit from this start is from what the theorem says of small scales."""
    if complete:
        return (
            f"nuclear norm {reached.nuclear}; the smallest is {reached.smallest}" if reached.nuclear and reached.smallest else ""
        )
    if not reached.singular or reached.rank is None or reached.rank[1] >= len(reached.singular):
        return ""
    low, high = reached.rank
    ranks = f"rank {low}" if low == high else f"a rank between {low} and {high}"
    return f"the smallest is {ranks}; singular value {high + 1} of the limit is {reached.singular[high]}"


def stays_semidefinite(observations: Observations, factors: Factors) -> bool:
    """Whether the observations are symmetric and W_2 = W_1^T: then that holds for all times, and W_2 W_1 is semidefinite."""
    known = observations.values
    symmetric = all(known.get((j, i)) == v for (i, j), v in known.items())
    return symmetric and [list(row) for row in zip(*factors[0], strict=True)] == [list(row) for row in factors[1]]


def can_be_semidefinite(observations: Observations) -> bool:
    """False where an observed diagonal entry or a principal minor of two rows is negative."""
    known = observations.values
    if any(i == j and v < 0 for (i, j), v in known.items()):
        return False
    pairs = [(i, j) for i, j in known if i < j and (i, i) in known and (j, j) in known]
    return all(known[i, j] ** 2 <= known[i, i] * known[j, j] for i, j in pairs) and all(
        known[i, j] == 0 or known.get((i, i)) != 0 for i, j in known if i != j
    )


def rank(factor: Sequence[Sequence[Fraction]]) -> int:
    """The rank, exactly."""
    return int(fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in factor]).rank())
