"""Definition A.5 decided by computation on every 2 x 2 and 3 x 3 pattern, from partial derivatives of the vector field."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from verify.completion.graph import components
from verify.completion.observations import Pattern
from verify.flow.models import Arithmetic, deep_factorization
from verify.registry import experiment

Vector = tuple[str, int]


def all_patterns(d: int) -> Iterator[Pattern]:
    """Every non-empty set of observed entries of a d x d matrix."""
    cells = list(product(range(d), repeat=2))
    for size in range(1, len(cells) + 1):
        for chosen in combinations(cells, size):
            yield Pattern(d, d, chosen)


def dependencies(pattern: Pattern) -> dict[Vector, set[Vector]]:
    """Of which rows a_i of A and columns b_j of B the velocity of each of these vectors depends, by partial derivatives.

    The observed values are different positive integers: the derivatives that matter do not contain them.
    """
    d = pattern.rows
    names = [f"{n}{i}_{j}" for n in "ba" for i, j in product(range(d), repeat=2)]
    ring = fmpq_mpoly_ctx.get(names, Ordering.degrevlex)
    variables = np.empty(2 * d * d, dtype=object)
    for k, x in enumerate(ring.gens()):
        variables[k] = x
    b, a = variables.reshape(2, d, d)
    observed = set(pattern.cells)
    values = [[3 + 2 * d * i + j if (i, j) in observed else None for j in range(d)] for i in range(d)]
    polynomials = Arithmetic("polynomials", lambda v: ring.constant(fmpq(v.numerator, v.denominator)))
    velocity_b, velocity_a = deep_factorization(values, 2, (d,)).field((b, a), polynomials)
    owners: list[Vector] = [("b", k % d) for k in range(d * d)] + [("a", k // d) for k in range(d * d)]
    found: dict[Vector, set[Vector]] = {}
    for i in range(d):
        for name, velocities in (("a", velocity_a[i, :]), ("b", velocity_b[:, i])):
            found[name, i] = {v for k, v in enumerate(owners) if any(p.derivative(k) != 0 for p in velocities)}
    return found


def finest_division(depends: dict[Vector, set[Vector]]) -> set[frozenset[Vector]]:
    """The smallest sets of vectors that no velocity leads out of: classes of the symmetric closure of the dependencies."""
    classes = {v: frozenset([v]) for v in depends}
    for v, others in depends.items():
        for w in others:
            joined = classes[v] | classes[w]
            for x in joined:
                classes[x] = joined
    return set(classes.values())


@experiment("bai2024.prop-a4-coupled")
def definition_decided_on_every_small_pattern(profile: str) -> dict[str, Any]:
    """For each pattern the finest division into independent subsystems is compared with the connected components. Rows and columns
    without an observation stand still and are left out; the statistics also count the reading in which each of them is a
    subsystem of its own. Both profiles take all 15 + 511 patterns."""
    del profile
    differ: list[str] = []
    counts: dict[str, dict[str, int]] = {}
    for d in (2, 3):
        tally = dict.fromkeys(("patterns", "connected", "coupled", "coupled if unobserved vectors count"), 0)
        for pattern in all_patterns(d):
            depends = dependencies(pattern)
            parts = finest_division({v: others for v, others in depends.items() if others})
            graph = {frozenset([*(("a", i) for i in c.rows), *(("b", j) for j in c.cols)]) for c in components(pattern)}
            if parts != graph:
                differ.append(str(pattern.cells))
            tally["patterns"] += 1
            tally["connected"] += len(graph) == 1
            tally["coupled"] += len(parts) == 1
            tally["coupled if unobserved vectors count"] += len(finest_division(depends)) == 1
        counts[f"{d} x {d}"] = tally
    return {"holds": not differ, "statistics": {**counts, "patterns where division and components differ": differ}}
