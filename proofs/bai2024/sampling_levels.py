"""Section B.2: the three sampling levels for 4 x 4 matrices of rank 1, 2, 3, and the classes of patterns at each of them."""

from __future__ import annotations

from math import comb
from typing import Any

from verify.completion.graph import kind
from verify.completion.patterns import patterns
from verify.registry import experiment, simulated

SIDE = 4
simulated("bai2024.b2-sample-sizes", because="A setup: its sizes are computed, and all patterns of these sizes are counted")


@experiment("bai2024.b2-sample-sizes", grade="simulated")
def classes_of_patterns_at_each_level(profile: str) -> dict[str, Any]:
    """All patterns of 2 r d - r^2 - 1, 2 r d - r^2 and 2 r d - r^2 + 1 entries, d = 4, r = 1, 2, 3, counted by class (every pattern, from the classes under
    permutations). Predicates: the sizes are 6, 7, 8; 11, 12, 13; 14, 15, 16; the counts add up to the binomial coefficients; from 11 entries on
    every pattern is connected. Ten different sets of positions exist at every size but 16, which is the whole matrix."""
    del profile
    classes = patterns(SIDE, SIDE)
    found: dict[str, Any] = {}
    good = True
    sizes: list[int] = []
    for rank in (1, 2, 3):
        for shift in (-1, 0, 1):
            size = 2 * rank * SIDE - rank**2 + shift
            sizes.append(size)
            counts: dict[str, int] = {}
            for c in classes:
                if len(c.representative.cells) == size:
                    name = kind(c.representative)
                    counts[name] = counts.get(name, 0) + c.size
            total = sum(counts.values())
            good = good and total == comb(SIDE * SIDE, size) and (size < 11 or list(counts) == ["connected"])
            good = good and (size == SIDE * SIDE or total >= 10)
            found[f"rank {rank}, {size} entries"] = counts
    good = good and sizes == [6, 7, 8, 11, 12, 13, 14, 15, 16]
    return {"holds": good, "statistics": found}
