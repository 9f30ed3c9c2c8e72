"""Certified limits of gradient flow against mpmath.odefun (which is not rigorous), side by side in one run.

    python benchmarks/flow_limits.py f1 --digits 15 30 50 100
    python benchmarks/flow_limits.py f2 f4 --digits 30
    python benchmarks/flow_limits.py f5 --digits 15

Times are processor times of this process (`time.process_time`), which a busy machine disturbs less than a
clock. The way of odefun is cut into pieces (it goes on from where it was), and between any two of them ours runs a few times,
since processors change between fast and slow modes within seconds; ours is the median of these runs, the other's the sum of its
pieces. The ratio is the figure that counts. `--no-odefun` leaves the comparison out.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from verify.flow.models import MPMATH, LinearNetwork, deep_factorization
from verify.flow.validated import Problem, certified_limit


def f1() -> tuple[Problem, int]:
    """2 x 2, depth 2, from I: w* = 1, w12* = 0.1."""
    return Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 2), [[[1, 0], [0, 1]]] * 2), 20


def f2(exponent: int = -35) -> tuple[Problem, int]:
    """2 x 2, depth 2, from 10^exponent (1, 1/2; 1/2, 1): w* = 1, w12* = 0.5. odefun runs to the time of
    the growth plus 20.
    """
    a = Fraction(10) ** exponent
    start = [[a, a / 2], [a / 2, a]]
    end = int(-exponent * 2.303 / 1.25) + 20
    return Problem.make(deep_factorization([[1, "0.5"], [None, 1]], 2), [start] * 2), end


def f4() -> tuple[Problem, int]:
    """3 x 3, depth 3, diagonal observed, from 10^-3 (I + (J - I)/2)."""
    a = Fraction(1, 1000)
    start = [[a if i == j else a / 2 for j in range(3)] for i in range(3)]
    target = [[1 if i == j else None for j in range(3)] for i in range(3)]
    return Problem.make(deep_factorization(target, 3), [start] * 3), 1520


def f5() -> tuple[Problem, int]:
    """5 x 5, depth 3, 8 entries of a rank-1 matrix, Gaussian start of scale 10^-2."""
    rng = np.random.default_rng(20)
    u, v = rng.integers(1, 9, 5), rng.integers(1, 9, 5)
    places = rng.permutation(25)[:8]
    target: list[list[Any]] = [[None] * 5 for _ in range(5)]
    for p in places:
        i, j = divmod(int(p), 5)
        target[i][j] = Fraction(int(u[i] * v[j]), 16)
    start = [np.vectorize(Fraction)(rng.normal(size=(5, 5)) * 0.01) for _ in range(3)]
    return Problem.make(deep_factorization(target, 3), start), 0


PIECES = 20


def odefun(problem: Problem, digits: int, end: int) -> Iterator[float]:
    """Processor times of mpmath's Taylor integrator on the same field, written out with plain lists, for each of PIECES parts of
    the way.
    """
    model = problem.model
    assert isinstance(model, LinearNetwork)
    with mpmath.workdps(digits):
        flat = [mpmath.mpf(v.numerator) / v.denominator for b in problem.start for v in b.flat]
        shapes = model.shapes
        target = MPMATH.array(model.target).tolist()
        seen = [[bool(m) for m in row] for row in model.mask]

        def times(a: Any, b: Any) -> Any:
            return [[sum(x * b[m][j] for m, x in enumerate(row)) for j in range(len(b[0]))] for row in a]

        def transposed(a: Any) -> Any:
            return [list(c) for c in zip(*a, strict=True)]

        def field(_: Any, y: Any) -> Any:
            blocks, at = [], 0
            for r, c in shapes:
                blocks.append([y[at + i * c : at + (i + 1) * c] for i in range(r)])
                at += r * c
            prefix = [blocks[0]]
            for w in blocks[1:]:
                prefix.append(times(w, prefix[-1]))
            delta = [
                [t - p if s else mpmath.mpf(0) for p, t, s in zip(*rows, strict=True)]
                for rows in zip(prefix[-1], target, seen, strict=True)
            ]
            out: list[Any] = []
            for level in range(len(blocks) - 1, 0, -1):
                out.append(times(delta, transposed(prefix[level - 1])))
                delta = times(transposed(blocks[level]), delta)
            out.append(delta)
            return [v for b in reversed(out) for row in b for v in row]

        solution = mpmath.odefun(field, 0, flat)
    for piece in range(1, PIECES + 1):
        with mpmath.workdps(digits):
            begin = time.process_time()
            solution(mpmath.mpf(end) * piece / PIECES)
            spent = time.process_time() - begin
        yield spent


def ours(problem: Problem, digits: int, repeats: int) -> tuple[list[float], Any]:
    spent, result = [], None
    for _ in range(repeats):
        begin = time.process_time()
        result = certified_limit(problem, digits)
        spent.append(time.process_time() - begin)
    return spent, result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="+", choices=["f1", "f2", "f4", "f5"])
    parser.add_argument("--digits", nargs="+", type=int, default=[15, 30])
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--no-odefun", action="store_true")
    parser.add_argument("--odefun-end", type=int, help="stop odefun at this time (the ratio is then a lower bound)")
    arguments = parser.parse_args()
    print(f"mpmath backend: {mpmath.libmp.BACKEND}")
    for case in arguments.cases:
        problem, end = {"f1": f1, "f2": f2, "f4": f4, "f5": f5}[case]()
        end = arguments.odefun_end or end
        certified_limit(problem, min(arguments.digits)) if case != "f5" else None
        for digits in arguments.digits:
            spent, result = ours(problem, digits, max(1, arguments.repeats // 10))
            other = None
            if end and not arguments.no_odefun:
                other = 0.0
                for piece in odefun(problem, digits, end):
                    other += piece
                    spent += ours(problem, digits, max(1, arguments.repeats // PIECES))[0]
            else:
                spent = ours(problem, digits, arguments.repeats)[0]
            median = statistics.median(spent)
            line = f"{case} {digits:4d} digits: {result.status} ({result.achieved}), "
            line += f"{result.info['steps']} steps, "
            line += f"{median * 1e3:.1f} ms (best {min(spent) * 1e3:.1f})"
            if other is not None:
                line += f"; odefun to t = {end}: {other:.2f} s; "
                line += f"ratio {other / median:.0f} (best {other / min(spent):.0f})"
            if case == "f2":
                near, _ = f2(-5)
                reference = statistics.median(ours(near, digits, arguments.repeats)[0])
                line += f"; from 1e-5: {reference * 1e3:.1f} ms, "
                line += f"factor {median / reference:.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
