"""Majorants of a Taylor expansion on a step: upper bounds in double precision with a proven inflation.

Every array here has non-negative entries. A sum or product of n such doubles has a relative error below (n
+ 5) 2^-53, which is below 1e-12 for the n < 4000 that occur; results are multiplied by INFLATE = 1 + 1e-11
and underflow is covered by FLOOR. Norms of coefficients fall over hundreds of orders of magnitude, so order
k is stored times 2^(tilt k), together with one common exponent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb

from verify.flow.balls import INFLATE, Dyadic, from_dyadic, join, magnitude, precision, split
from verify.flow.models import Model
from verify.flow.tape import Tape
from verify.flow.taylor import Series

FLOOR = 1e-290
MAX_ORDER = 1800
PIECES = 64  # parts of a step on which the logarithmic norm is bounded


@dataclass
class Scaled:
    """Norms times powers of the step: |X_k| h^k <= values[k] 2^(exponent - tilt k)."""

    values: Any
    exponent: int
    tilt: int

    def plain(self, last: int) -> Any:
        """Entries 0..last as doubles relative to 2^exponent, from above."""
        k = np.arange(last + 1)
        return np.ldexp(self.values[: last + 1], -np.minimum(self.tilt * k, 2000)) + FLOOR

    def total(self, first: int, last: int) -> arb:
        """Upper bound of the sum of entries first..last."""
        if first > last:
            return arb(0)
        return join(float(self.plain(last)[first:].sum()) * INFLATE + FLOOR, self.exponent)


class StepMajorant:
    """Bounds on one step [0, h] for a series of order N on a tape.

    Attributes:
        high: per operation, an upper bound of the sum over k >= N of |coefficient| h^k, where the operation
            is applied to the Taylor polynomials (of degree N) of the inputs.
    """

    def __init__(self, model: Model, tape: Tape, series: Series, h: Dyadic, tilt: int, beta: arb | None):
        self.tape, self.series, self.order, self.tilt = tape, series, series.order, max(0, tilt)
        self.h = from_dyadic(h)
        mh, eh = split(self.h)
        if mh < math.sqrt(0.5):
            mh, eh = 2 * mh, eh - 1
        k = np.arange(self.order + 1)
        # mh^k with k - 1 roundings
        self._power = mh ** k.astype(float) * INFLATE
        self._power_exp = eh * k
        self._cache: dict[int, Scaled] = {}
        self.high: list[arb] = []
        with precision(30):
            for number in range(len(tape.ops)):
                self.high.append(magnitude(self._high(number, beta)))

    def scaled(self, number: int) -> Scaled:
        """The norms of an operation (same for its negative and transpose), orders 0..N-1, or 0..N for
        inputs.
        """
        op = self.tape.ops[number]
        while op.kind in ("neg", "transpose"):
            number = op.args[0]
            op = self.tape.ops[number]
        if number not in self._cache:
            last = self.order if op.kind == "input" else self.order - 1
            man, exp = norm_arrays(self.series, number, last)
            top = exp + self._power_exp[: last + 1] + self.tilt * np.arange(last + 1)
            values = man * self._power[: last + 1]
            present = values > 0
            ref = int(top[present].max()) if present.any() else 0
            shift = np.clip(top - ref, -2000, 0)
            scaled = np.where(present, np.maximum(np.ldexp(values, shift), FLOOR), 0.0)
            self._cache[number] = Scaled(scaled, ref, self.tilt)
        return self._cache[number]

    def _high(self, number: int, beta: arb | None) -> arb:
        op, n = self.tape.ops[number], self.order
        args = [self.high[a] for a in op.args]
        match op.kind:
            case "input":
                last = self.scaled(number)
                return join(float(last.values[n]) * INFLATE, last.exponent - last.tilt * n)
            case "const":
                return arb(0)
            case "speed":
                if beta is None:
                    return arb(0)
                x = self.h * abs(beta)
                return x**n / arb(n).fac() * x.exp() if n else x.exp()
            case "matmul" | "hadamard":
                a, b = (self.scaled(i) for i in op.args)
                low = [s.total(0, n - 1) for s in (a, b)]
                cross = self._cross(a, b)
                return cross + args[0] * low[1] + low[0] * args[1] + args[0] * args[1]
            case "cmul":
                size = op.shape[0] * op.shape[1]
                wide = self.tape.ops[op.args[0]].shape
                largest = max(abs(v) for v in op.data.flat)
                bound = arb(largest.numerator) / largest.denominator
                if wide == (1, 1) and size > 1:
                    bound = bound * arb(size).sqrt()
                return bound * args[0]
            case "lmul" | "rmul":
                square = sum(v * v for v in op.data.flat)
                return (arb(square.numerator) / square.denominator).sqrt() * args[0]
            case "gather":
                repeats = int(np.bincount(op.data.reshape(-1)).max())
                return arb(repeats).sqrt() * args[0]
            case "add" | "sub":
                return args[0] + args[1]
            case _:
                return args[0]

    def _cross(self, a: Scaled, b: Scaled) -> arb:
        """Upper bound of the sum of a_i b_j over i, j < N with i + j >= N."""
        n = self.order
        if n < 2:
            return arb(0)
        factor = 0.5**self.tilt
        suffix = np.zeros(n + 1)
        values = b.values.tolist()
        running = 0.0
        for m in range(n - 1, 0, -1):
            running = values[m] + factor * running
            suffix[m] = running
        total = float(np.dot(a.values[1:n], suffix[n - 1 : 0 : -1])) * INFLATE * INFLATE + FLOOR
        return join(total, a.exponent + b.exponent - self.tilt * n)

    def profile(self, number: int, first: int) -> tuple[Any, int]:
        """Bounds of sum_(k >= first) |X_k| s^k at s = h i / PIECES, i = 1..PIECES: (doubles, common
        exponent).
        """
        last = self.order if self.tape.ops[number].kind == "input" else self.order - 1
        scaled = self.scaled(number)
        values = scaled.plain(last)
        return _powers(self.order)[:, first : last + 1] @ values[first:] * INFLATE + FLOOR, scaled.exponent


_power_table: dict[int, Any] = {}


def _powers(order: int) -> Any:
    table = _power_table.get(order)
    if table is None:
        grid = np.arange(1, PIECES + 1) / PIECES
        table = grid[:, None] ** np.arange(order + 1)
        _power_table[order] = table
    return table


def norm_arrays(series: Series, number: int, last: int) -> tuple[Any, Any]:
    """Frobenius norms of coefficients as arrays (m, e): norm_k <= m_k 2^e_k."""
    hit = series.cache.get((number, last))
    if hit is None:
        direct = getattr(series, "norm_arrays", None)
        if direct is not None:
            hit = direct(number, last)
        else:
            pairs = [split(v) for v in series.norms(number, last)]
            hit = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs], dtype=np.int64)
        series.cache[(number, last)] = hit
    return hit


def lipschitz(tape: Tape, norms: list[arb]) -> arb:
    """Upper bound of the operator norm of the Jacobian of a tape's outputs where block l has Frobenius norm
    <= norms[l].

    Forward differentiation in norms: V bounds a value, D its derivative; a product has V_a V_b and
    D_a V_b + V_a D_b. A `speed` counts as 1.
    """
    with precision(30):
        value: list[arb] = []
        slope: list[arb] = []
        for op in tape.ops:
            args = op.args
            if op.kind == "input":
                v, d = norms[int(op.data[0])], arb(1)
            elif op.kind == "speed":
                v, d = arb(1), arb(0)
            elif op.kind == "const":
                square = sum(x * x for x in op.data.flat)
                v, d = (arb(square.numerator) / square.denominator).sqrt() if square else arb(0), arb(0)
            elif op.kind in ("matmul", "hadamard"):
                a, b = args
                v, d = value[a] * value[b], slope[a] * value[b] + value[a] * slope[b]
            elif op.kind in ("add", "sub"):
                a, b = args
                v, d = value[a] + value[b], slope[a] + slope[b]
            else:
                gain = arb(1)
                if op.kind == "cmul":
                    largest = max(abs(x) for x in op.data.flat)
                    gain = arb(largest.numerator) / largest.denominator
                    if tape.ops[args[0]].shape == (1, 1):
                        gain = gain * arb(op.shape[0] * op.shape[1]).sqrt()
                elif op.kind in ("lmul", "rmul"):
                    square = sum(x * x for x in op.data.flat)
                    gain = (arb(square.numerator) / square.denominator).sqrt() if square else arb(0)
                elif op.kind == "gather":
                    gain = arb(int(np.bincount(op.data.reshape(-1)).max())).sqrt()
                v, d = gain * value[args[0]], gain * slope[args[0]]
            value.append(magnitude(v))
            slope.append(magnitude(d))
        total = arb(0)
        for number in tape.outputs:
            total += slope[number] * slope[number]
        return magnitude(arb(total.abs_upper()).sqrt())


def log2_norm(series: Series, number: int, k: int) -> float:
    """log2 of the norm of coefficient k of an input; -inf for zero."""
    man, exp = norm_arrays(series, number, series.order)
    return math.log2(man[k]) + int(exp[k]) if man[k] > 0 else -math.inf
