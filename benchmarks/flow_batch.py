"""Float64 batches against one loop per run, and full gradient steps against bare matrix products.

    python benchmarks/flow_batch.py

The loop per run is PyTorch with autograd where it is installed, else the same loop in NumPy with the
gradient written out (which is faster than PyTorch on such small matrices, so the ratio is then a lower
bound).
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from verify.flow.batch import State, Stop, gradient_descent
from verify.flow.models import FLOAT, LinearNetwork, deep_factorization

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]


def loop(target: Any, mask: Any, blocks: list[Any], step: float, count: int) -> str:
    """`count` gradient steps of one run, the way that scripts do it."""
    if torch is not None:
        w = [torch.tensor(b, requires_grad=True) for b in blocks]
        t, m = torch.tensor(target), torch.tensor(mask)
        for _ in range(count):
            p = w[0]
            for x in w[1:]:
                p = x @ p
            loss = 0.5 * ((m * (p - t)) ** 2).sum()
            for x in w:
                x.grad = None
            loss.backward()
            with torch.no_grad():
                for x in w:
                    x -= step * x.grad
        return "PyTorch"
    w = [b.copy() for b in blocks]
    for _ in range(count):
        prefix = [w[0]]
        for x in w[1:]:
            prefix.append(x @ prefix[-1])
        delta = mask * (prefix[-1] - target)
        grads = []
        for level in range(len(w) - 1, 0, -1):
            grads.append(delta @ prefix[level - 1].T)
            delta = w[level].T @ delta
        grads.append(delta)
        for x, g in zip(w, reversed(grads), strict=True):
            x -= step * g
    return "NumPy"


def small() -> None:
    rng = np.random.default_rng(0)
    for depth in (2, 3, 4):
        model = deep_factorization([[1, "0.1"], [None, 1]], depth)
        runs, count = 10_000, 100
        blocks = [rng.normal(size=(runs, 2, 2)) * 0.3 for _ in range(depth)]
        state = State.begin(model, blocks)
        begin = time.process_time()
        gradient_descent(model, state, 0.01, Stop(steps=count), every=50)
        mine = (time.process_time() - begin) / (runs * count)
        target, mask = FLOAT.array(model.target), FLOAT.array(model.mask)
        begin = time.process_time()
        for run in range(20):
            name = loop(target, mask, [b[run] for b in blocks], 0.01, count)
        other = (time.process_time() - begin) / (20 * count)
        print(
            f"2 x 2 depth {depth}, {runs * count} steps: {mine * 1e6:.3f} us per step; "
            f"{name} loop {other * 1e6:.1f} us; "
            f"ratio {other / mine:.0f}",
            flush=True,
        )


def large() -> None:
    rng = np.random.default_rng(0)
    n = 100
    truth = rng.normal(size=(n, 5)) @ rng.normal(size=(5, n))
    seen = np.zeros(n * n, dtype=bool)
    seen[rng.permutation(n * n)[:2000]] = True
    cells = np.where(seen.reshape(n, n), truth.astype(object), None)
    for depth in (2, 3, 4):
        model = LinearNetwork([n] * (depth + 1), cells)
        blocks = [rng.normal(size=(1, n, n)) * 0.01 for _ in range(depth)]
        state = State.begin(model, blocks)
        count = 100
        mine, bare = [], []
        a, b, out = rng.normal(size=(n, n)), rng.normal(size=(n, n)), np.empty((n, n))
        for _ in range(9):
            begin = time.process_time()
            gradient_descent(model, state, 1e-3, Stop(steps=count), every=count)
            state.resume()
            mine.append((time.process_time() - begin) / count)
            begin = time.process_time()
            for _ in range(count * 3 * (depth - 1)):
                np.matmul(a, b, out=out)
            bare.append((time.process_time() - begin) / count)
        x, y = statistics.median(mine), statistics.median(bare)
        print(
            f"100 x 100 depth {depth}: {1 / x:.0f} steps per second; bare products {1 / y:.0f}; "
            f"ratio {x / y:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    small()
    large()
