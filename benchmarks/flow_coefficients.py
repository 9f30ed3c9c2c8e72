"""Taylor coefficients alone, against the dot products that they need done through FLINT at equal precision: balls with
FLINT (the plain path's accelerator), and the fixed-point polynomials of the compiled accelerator.

    python benchmarks/flow_coefficients.py

The lower limit is what the same number of `arb_dot` products of the same lengths and precisions costs
inside FLINT, estimated from matrix products large enough that the call itself does not count (one row times
one column, repeated rows).
"""

from __future__ import annotations

import math
import statistics
import time

from flint import arb, arb_mat

from verify.flow.balls import dyadic, precision
from verify.flow.fixedpoint import BITS, Plan, Program, plan, program
from verify.flow.stride import Point, to_point
from verify.flow.tape import trace
from verify.flow.taylor import expand, falling_bits

try:
    from flow_limits import f1, f4
except ImportError:
    from benchmarks.flow_limits import f1, f4


def best(function: object, repeats: int = 15) -> float:
    spent = []
    for _ in range(repeats):
        begin = time.process_time()
        function()  # type: ignore[operator]
        spent.append(time.process_time() - begin)
    return statistics.median(spent)


def lower_limit(tape: object, order: int, bits: list[int]) -> float:
    """Seconds for the dot products of all products of a tape, in FLINT alone."""
    total = 0.0
    shapes: dict[tuple[int, int, int], int] = {}
    for op in tape.ops:  # type: ignore[attr-defined]
        if op.kind == "matmul":
            inner = tape.ops[op.args[0]].shape[1]  # type: ignore[attr-defined]
            key = (op.shape[0], inner, op.shape[1])
            shapes[key] = shapes.get(key, 0) + 1
    for (rows, inner, cols), count in shapes.items():
        for k in range(0, order, 8):
            length = inner * (k + 1)
            with precision(bits[k]):
                a = arb_mat(rows, length, [arb(i + 1).sqrt() for i in range(rows * length)])
                b = arb_mat(length, cols, [1 / arb(i + 3).sqrt() for i in range(length * cols)])
                total += 8 * count * best(lambda a=a, b=b: a * b, 9)
    return total


def fixed_plan(made: Program, start: list[list[arb]], order: int, bits: int) -> tuple[Plan, Point]:
    """A step with local error 2^-bits relative to 1, and its start."""
    point = to_point([[dyadic(v) for v in flat] for flat in start])
    values = [math.ldexp(float(v), -BITS * point.unit) for flat in point.mid for v in flat]
    both = {False: made, True: made}  # without a change of time
    step = plan(both, values, None, [order], -float(bits), -float(bits), 0.0, math.inf, point.unit, 0.0)
    assert step is not None
    return step, point


def main() -> None:
    for name, make in (("F1", f1), ("F4", f4)):
        problem, _ = make()
        tape = trace(problem.model)
        start = [[(arb(v.numerator) / v.denominator).mid() for v in b.flat] for b in problem.start]
        order, top = 80, 200
        for label, bits in (
            ("one precision", [top] * (order + 1)),
            ("falling precision", falling_bits(top, order, 24)),
        ):
            mine = best(lambda a=(tape, start, order, bits): expand(*a))  # type: ignore[misc]
            limit = lower_limit(tape, order, bits)
            print(
                f"{name}, order {order}, {label}: {mine * 1e3:.2f} ms; "
                f"dot products alone {limit * 1e3:.2f} ms; "
                f"ratio {mine / limit:.2f}",
                flush=True,
            )
        made = program(tape, -1)
        if made is None:
            continue
        step, point = fixed_plan(made, start, order, top)
        mine = best(lambda a=(made, point, step): a[0].expand(a[1].mid, a[1].unit, a[2]))  # type: ignore[misc]
        print(
            f"{name}, order {order}, fixed point: {mine * 1e3:.2f} ms; ratio to the last limit {mine / limit:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
