"""Taylor coefficients of a flow, as balls: the recurrence of a tape, order by order.

From an exact start theta_0 the solution of d(theta)/ds = u(s) field(theta), with u(s) = exp(-beta s), has
coefficients c_0 = theta_0, c_(k+1) = [s^k](u field) / (k + 1). Every operation of the tape is carried as a
power series; the bilinear ones cost one dot product of length k (times the inner dimension) per entry and
order. The balls contain the true coefficients, whatever working precision each order is given.

:class:`PlainSeries` uses python-flint's public interface only. :mod:`verify.flow.direct` is an accelerator
with the same interface; :func:`expand` takes it where it is available.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from flint import arb, arb_mat, ctx

from verify.flow.balls import Dyadic, ball, dyadic, magnitude, precision
from verify.flow.tape import Tape

Flat = list[arb]


class Series(Protocol):
    """Coefficients of one expansion, valid until the next one of the same :class:`Tape` is computed."""

    order: int
    cache: dict[Any, Any]

    def endpoint(self, h: arb, bits: int) -> list[Flat]:
        """The Taylor polynomial of each block at h, as balls, row by row."""

    def norms(self, number: int, last: int) -> Flat:
        """Upper bounds of the Frobenius norms of coefficients 0..last of an operation."""

    def leading(self, number: int) -> Flat:
        """The coefficient of order 0 of an operation, row by row (entries that nothing depends on may be
        zero).
        """

    def coefficients(self, number: int, k: int) -> Flat:
        """The coefficient of order k of an operation, row by row (as above)."""

    def middles(self, number: int, k: int) -> list[Dyadic]:
        """The midpoints of the coefficient of order k of an input, row by row."""


def falling_bits(bits: int, order: int, last: int) -> list[int]:
    """Working precision per order, from `bits` down to `last`, for coefficients with |c_k| h^k falling
    like 2^(-bits k / order).
    """
    return [max(last, bits - (bits - last) * k // order) for k in range(order + 1)]


class PlainSeries:
    """The recurrence through python-flint's public interface."""

    def __init__(
        self, tape: Tape, start: Sequence[Flat], order: int, bits: Sequence[int], beta: arb | None = None
    ):
        self.tape, self.order = tape, order
        self.cache: dict[Any, Any] = {}
        self._values: list[list[Flat]] = [[] for _ in tape.ops]
        self._left: dict[int, list[Flat]] = {}
        self._right: dict[int, Flat] = {}
        for number, flat in zip(tape.inputs, start, strict=True):
            self._values[number].append(list(flat))
        saved = ctx.prec
        try:
            for k in range(order):
                ctx.prec = bits[k]
                for number in range(len(tape.ops)):
                    if tape.ops[number].kind != "input":
                        self._values[number].append(self._order(number, k, beta))
                for inp, out in zip(tape.inputs, tape.outputs, strict=True):
                    self._values[inp].append([v / (k + 1) for v in self._values[out][k]])
        finally:
            ctx.prec = saved

    def _order(self, number: int, k: int, beta: arb | None) -> Flat:
        op = self.tape.ops[number]
        rows, cols = op.shape
        size = rows * cols
        args = [self._values[a] for a in op.args]
        match op.kind:
            case "speed":
                if k == 0 or beta is None:
                    return [arb(1 if k == 0 else 0)]
                return [-self._values[number][k - 1][0] * beta / k]
            case "const":
                return [ball(v) for v in op.data.flat] if k == 0 else [arb(0)] * size
            case "matmul":
                inner = self.tape.ops[op.args[0]].shape[1]
                left = self._left.setdefault(number, [[] for _ in range(rows)])
                for i in range(rows):
                    left[i].extend(args[0][k][i * inner : (i + 1) * inner])
                right = self._right[number] = args[1][k] + self._right.get(number, [])
                length = inner * (k + 1)
                out = arb_mat(rows, length, [v for row in left for v in row]) * arb_mat(length, cols, right)
                return list(out.entries())
            case "hadamard":
                x, y = args
                if len(x[0]) != len(y[0]):
                    scalar, full = (x, y) if len(x[0]) == 1 else (y, x)
                    return [
                        sum((scalar[j][0] * full[k - j][e] for j in range(k + 1)), arb(0))
                        for e in range(size)
                    ]
                return [sum((x[j][e] * y[k - j][e] for j in range(k + 1)), arb(0)) for e in range(size)]
            case "cmul":
                source = args[0][k]
                data = list(op.data.flat)
                pairs = zip(data * (size // len(data)), source * (size // len(source)), strict=True)
                return [_times(c, v) for c, v in pairs]
            case "lmul":
                inner = op.data.shape[1]
                return [
                    sum((_times(op.data[i, m], args[0][k][m * cols + j]) for m in range(inner)), arb(0))
                    for i in range(rows)
                    for j in range(cols)
                ]
            case "rmul":
                inner = op.data.shape[0]
                return [
                    sum((_times(op.data[m, j], args[0][k][i * inner + m]) for m in range(inner)), arb(0))
                    for i in range(rows)
                    for j in range(cols)
                ]
            case "add":
                return [a + b for a, b in zip(args[0][k], args[1][k], strict=True)]
            case "sub":
                return [a - b for a, b in zip(args[0][k], args[1][k], strict=True)]
            case "neg":
                return [-a for a in args[0][k]]
            case "transpose":
                return [args[0][k][j * rows + i] for i in range(rows) for j in range(cols)]
            case "gather":
                return [args[0][k][e] for e in op.data.flat]
        raise ValueError(f"unknown operation {op.kind}")

    def endpoint(self, h: arb, bits: int) -> list[Flat]:
        out = []
        with precision(bits):
            for number in self.tape.inputs:
                values = self._values[number]
                flat = []
                for e in range(len(values[0])):
                    total = values[self.order][e]
                    for k in range(self.order - 1, -1, -1):
                        total = total * h + values[k][e]
                    flat.append(total)
                out.append(flat)
        return out

    def norms(self, number: int, last: int) -> Flat:
        out = []
        with precision(30):
            for k in range(last + 1):
                total = arb(0)
                for v in self._values[number][k]:
                    m = v.abs_upper()
                    total += m * m
                out.append(magnitude(arb(total.abs_upper()).sqrt()))
        return out

    def leading(self, number: int) -> Flat:
        return list(self._values[number][0])

    def coefficients(self, number: int, k: int) -> Flat:
        return list(self._values[number][k])

    def middles(self, number: int, k: int) -> list[Dyadic]:
        return [dyadic(v.mid()) for v in self._values[number][k]]


def _times(c: Any, v: arb) -> arb:
    if c == 1:
        return v
    return v * ball(c) if c else arb(0)


def expand(
    tape: Tape,
    start: Sequence[Flat],
    order: int,
    bits: Sequence[int],
    beta: arb | None = None,
    plain: bool = False,
) -> Series:
    """Taylor coefficients c_0 .. c_order of the solution through an exact start.

    Args:
        tape: from :func:`verify.flow.tape.trace`; with a `speed` if beta is not None.
        start: exact balls, one flat list per block.
        bits: working precision for each order 0..order.
        beta: exact ball; the speed of time is exp(-beta s) where the tape has one.
        plain: never use the accelerator.

    Raises ValueError if the start is not exact and finite.
    """
    for flat in start:
        for v in flat:
            if not (v.is_exact() and v.is_finite()):
                raise ValueError("Taylor series need an exact and finite start")
    if not plain:
        from verify.flow import direct

        if direct.available():
            return direct.expand(tape, start, order, bits, beta)
    return PlainSeries(tape, start, order, bits, beta)
