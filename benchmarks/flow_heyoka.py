"""Certified limits against heyoka's Taylor integrator with multiprecision reals (not rigorous), in one run.

    python benchmarks/flow_heyoka.py f1 --digits 30 50 100

Needs heyoka (`pip install heyoka`; no dependency of the project). Processor times; heyoka's time is given with and
without the compilation of its integrator (compact mode), which it needs once per problem and precision.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from typing import Any

import heyoka as hy
import numpy as np
from flow_limits import f1, f2, f4, ours

from verify.flow.models import Arithmetic
from verify.flow.validated import Problem


def integrator(problem: Problem, digits: int) -> tuple[Any, int]:
    """heyoka's integrator for the model's own field, and its precision in bits."""
    prec = math.ceil(digits * math.log2(10)) + 8

    def real(v: Any) -> Any:
        return hy.real(str(v.numerator), prec) / hy.real(str(v.denominator), prec)

    def constant(v: Any) -> Any:
        return float(v) if v in (0, 1, -1) else real(v)

    size = problem.model.size
    names = hy.make_vars(*[f"x{i}" for i in range(size)])
    blocks, at = [], 0
    for r, c in problem.model.shapes:
        block = np.empty(r * c, dtype=object)
        block[:] = names[at : at + r * c]
        blocks.append(block.reshape(r, c))
        at += r * c
    field = problem.model.field(blocks, Arithmetic("heyoka", constant, cache=False))
    right = [v for b in field for v in b.flat]
    start = [real(v) for b in problem.start for v in b.flat]
    system = list(zip(names, right, strict=True))
    return hy.taylor_adaptive(system, start, fp_type=hy.real, prec=prec, compact_mode=True), prec


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", choices=["f1", "f2", "f4"])
    parser.add_argument("--digits", nargs="+", type=int, default=[30, 50, 100])
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    print(f"heyoka {hy.__version__}")
    for case in arguments.cases:
        problem, end = {"f1": f1, "f2": f2, "f4": f4}[case]()
        ours(problem, 15, 1)
        for digits in arguments.digits:
            begin = time.process_time()
            machine, prec = integrator(problem, digits)
            compiled = time.process_time() - begin
            state, mine, other = machine.state.copy(), [], []
            for _ in range(arguments.repeats):
                mine.extend(ours(problem, digits, 1)[0])
                machine.time = hy.real(0, prec)
                machine.state[:] = state
                begin = time.process_time()
                machine.propagate_until(hy.real(end, prec))
                other.append(time.process_time() - begin)
            x, y = statistics.median(mine), statistics.median(other)
            print(
                f"{case} {digits} digits: certified limit {x * 1e3:.1f} ms; heyoka to t = {end}: {y * 1e3:.1f} ms, "
                f"compilation {compiled * 1e3:.0f} ms; ratio {y / x:.2f}, with compilation {(y + compiled) / x:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
