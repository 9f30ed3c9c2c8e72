"""Many tables at once: deep factorisations of one shape, each run with observations of its own.

The observations travel with the state. Blocks W_1, ..., W_L are followed by the mask (0 or 1) and the target of the run, which
do not move, so that every engine that takes a batch of runs, saves it and resumes it takes them along.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.completion.observations import Pattern
from verify.flow.models import Arithmetic, Block, Blocks, LeastSquares


class DeepFamily(LeastSquares):
    """Loss 1/2 |mask o (W_L ... W_1 - target)|_F^2 with mask and target as the last two blocks.

    Args:
        widths: (d_0, ..., d_L), each at least 1; W_l has shape d_l x d_(l-1).

    Raises ValueError for fewer than two widths or one below 1.
    """

    def __init__(self, widths: Sequence[int]):
        self.widths = tuple(int(w) for w in widths)
        if len(self.widths) < 2 or min(self.widths) < 1:
            raise ValueError(f"at least two widths are needed, each at least 1: {self.widths}")
        self.depth = len(self.widths) - 1
        self.name = "family of deep factorisations"
        table = (self.widths[-1], self.widths[0])
        self.shapes = (*((self.widths[i + 1], self.widths[i]) for i in range(self.depth)), table, table)
        self.degree = max(1, self.depth - 1)
        self.factor = Fraction(1)
        self.observed = tuple((i, j) for i in range(table[0]) for j in range(table[1]))

    @property
    def moving(self) -> int:
        """Only the factors move."""
        return self.depth

    def forward(self, blocks: Blocks, arithmetic: Arithmetic) -> tuple[Block, list[Block]]:
        prefix = [blocks[0]]
        for w in blocks[1 : self.depth]:
            prefix.append(w @ prefix[-1])
        return blocks[self.depth] * (prefix[-1] - blocks[self.depth + 1]), prefix

    def backward(self, blocks: Blocks, saved: list[Block], residual: Block, arithmetic: Arithmetic) -> tuple[Block, ...]:
        out: list[Block] = []
        delta = residual
        for level in range(self.depth - 1, 0, -1):
            out.append(delta @ saved[level - 1].mT)
            delta = blocks[level].mT @ delta
        out.append(delta)
        still = 0 * residual
        return (*reversed(out), still, still)

    def product(self, blocks: Blocks, arithmetic: Arithmetic) -> Block:
        out = blocks[0]
        for w in blocks[1 : self.depth]:
            out = w @ out
        return out


def tables(patterns: Sequence[Pattern], targets: Any) -> tuple[Any, Any]:
    """(masks, targets) of runs with these patterns; targets: shape (runs, rows, columns), set to 0 where not observed."""
    masks = np.array([p.matrix() for p in patterns], dtype=np.float64)
    return masks, masks * np.asarray(targets, dtype=np.float64)
