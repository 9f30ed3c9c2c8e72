"""Independent checker of the certificates of validated gradient flow. Imports python-flint and the standard
library only.

A certificate is JSON:

- `format` "verify-flow", `version` 1.
- `model`: {"name": "linear-network", "widths", "target" (rows; null is unobserved), "data" (rows or null),
  "factor"} or {"name": "cp-tensor", "dims", "rank", "target" (unfolded along the first axis), "factor"};
  numbers are exact fractions as text.
- `start`: the exact start, blocks of rows of fractions.
- `kind`: "limit", "time" (with `time`, a fraction), "undetermined" (an enclosure at the time where the run
  stopped), "stationary".
- `begin`: {"mid": blocks of dyadic numbers (flat), "error"}: the exact start lies within `error` of `mid`.
- `steps`: each {"h", "beta" (or null), "order", "bits", "rho", "mid", "error", "final"}: every solution
  that starts within the previous error of the previous mid lies, after the step, within `error` of `mid`;
  on the way it stays within `rho` of the Taylor polynomial. A final step ends at the exact time, and h is
  an upper bound of its length.
- `capture`: {"bits", "radius", "mid", "error"}: every such solution converges to a point within `error` of
  `mid`.
- `claim`: {"blocks", "error"}: what the certificate asserts in the end.

Problems that decouple or have a closed form have certificates of their own (:mod:`verify.flow.recheck_reductions`).

Dyadic numbers are [hexadecimal mantissa, exponent]. Nothing is searched for: each step is recomputed once
and its bounds are compared. The mathematics is that of the module `validated` beside this one; the code is
separate.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx, fmpq, fmpz

Flat = list[arb]
PIECES = 64
LIMITS = {"order": 2000, "bits": 100_000, "steps": 100_000, "entries": 10_000}


ELSEWHERE = ("decoupled", "chain", "single-entry", "commuting", "scalar-pair")
"""The kinds of certificates of :mod:`verify.flow.recheck_reductions`."""


class Refused(Exception):
    """The certificate does not prove what it claims; the message says where."""


class Verified:
    """What a certificate was found to prove.

    Attributes:
        kind: "limit", "time", "undetermined" or "stationary"; "rest" for a limit whose loss is not zero.
        blocks: exact midpoints, one flat list per block (Fractions).
        error: every coordinate vector claimed lies within this Euclidean distance (a Fraction).
        time: the time as text or a ball; "infinity" for a limit.
    """

    def __init__(self, kind: str, blocks: list[list[Fraction]], error: Fraction, time: Any):
        self.kind, self.blocks, self.error, self.time = kind, blocks, error, time


def check(certificate: Any) -> Verified:
    """Check a certificate. Raises :class:`Refused` unless every part of it holds."""
    saved = ctx.prec
    try:
        if certificate["kind"] in ELSEWHERE:
            from verify.flow.recheck_reductions import check_pair, check_reduction

            return check_pair(certificate) if certificate["kind"] == "scalar-pair" else check_reduction(certificate, check)
        return _check(certificate)
    except (
        KeyError,
        TypeError,
        ValueError,
        IndexError,
        AttributeError,
        ArithmeticError,
        OverflowError,
    ) as error:
        raise Refused(f"malformed or not provable: {type(error).__name__}: {error}") from None
    finally:
        ctx.prec = saved


def _need(condition: Any, message: str) -> None:
    if condition is not True:
        raise Refused(message)


# -- numbers
# --------------------------------------------------------------------------------------------------------


def _dyadic(data: Any) -> Fraction:
    man, exp = data
    _need(
        isinstance(man, str) and isinstance(exp, int) and not isinstance(exp, bool),
        "a dyadic number is malformed",
    )
    _need(abs(exp) <= 10**7 and len(man) <= 10**6, "a dyadic number is out of range")
    value = int(man, 16)
    return Fraction(value << exp) if exp >= 0 else Fraction(value, 1 << -exp)


def _arb(value: Fraction) -> arb:
    """Exact for dyadic numbers."""
    d = value.denominator
    if d & (d - 1) == 0:
        return arb((fmpz(value.numerator), fmpz(1 - d.bit_length())))
    return arb(fmpq(value.numerator, d))


def _up(value: arb) -> arb:
    """A short upper bound of |value|."""
    saved, ctx.prec = ctx.prec, 40
    bound = arb(value.abs_upper())
    ctx.prec = saved
    _need(bound.is_finite(), "a bound is infinite")
    return bound


def _norm(values: Sequence[arb]) -> arb:
    """A short upper bound of the Euclidean norm."""
    total = arb(0)
    for v in values:
        m = _up(v)
        total += m * m
    return _up(_up(total).sqrt())


def _spectral(rows: list[Flat]) -> arb:
    """Upper bound of the largest singular value: the Frobenius norm of the 16th power of the Gram matrix."""
    saved, ctx.prec = ctx.prec, 64
    m = arb_mat(rows)
    g = m * m.transpose() if m.nrows() <= m.ncols() else m.transpose() * m
    shift = arb(1)
    for _ in range(4):
        top = _norm(g.entries())
        if top.is_zero():
            break
        scale = arb((1, -_exponent(top)))
        g, shift = g * scale, shift * scale
        g, shift = g * g, shift * shift
    else:
        out = _norm(g.entries()) / shift
        for _ in range(5):
            out = _up(out).sqrt()
        ctx.prec = saved
        return _up(out)
    ctx.prec = saved
    return arb(0)


def _exponent(value: arb) -> int:
    man, exp = value.mid().man_exp()
    return int(man).bit_length() + int(exp)


# -- series
# ---------------------------------------------------------------------------------------------------------


class _Series:
    """A matrix power series: coefficients (flat lists), the norms of |X_k| h^k and the bound of what lies
    at orders >= N.
    """

    def __init__(self, rows: int, cols: int):
        self.rows, self.cols = rows, cols
        self.c: list[Flat] = []
        self.norms: list[arb] = []
        self.high = arb(0)


class _Program:
    """Operations in order; each can be advanced by one order and bounded."""

    def __init__(self) -> None:
        self.rules: list[tuple[_Series, Any, Any]] = []

    def _new(self, rows: int, cols: int, advance: Any, bound: Any) -> _Series:
        s = _Series(rows, cols)
        self.rules.append((s, advance, bound))
        return s

    def advance(self, k: int) -> None:
        for s, rule, _ in self.rules:
            s.c.append(rule(k))

    def exponential(self, beta: arb) -> _Series:
        """exp(-beta s)"""
        terms = [arb(1)]

        def rule(k: int) -> Flat:
            if k:
                terms.append(-terms[-1] * beta / k)
            return [terms[k]]

        def bound(n: int, h: arb) -> arb:
            x = h * abs(beta)
            return x**n / arb(n).fac() * x.exp()

        return self._new(1, 1, rule, bound)

    def matmul(self, a: _Series, b: _Series) -> _Series:
        left: list[Flat] = [[] for _ in range(a.rows)]
        right: list[Flat] = [[]]

        def rule(k: int) -> Flat:
            for i, row in enumerate(left):
                row.extend(a.c[k][i * a.cols : (i + 1) * a.cols])
            right[0] = b.c[k] + right[0]
            size = a.cols * (k + 1)
            joined = arb_mat(a.rows, size, [v for row in left for v in row])
            return list((joined * arb_mat(size, b.cols, right[0])).entries())

        return self._new(a.rows, b.cols, rule, lambda n, h: _product_high(a, b, n))

    def entrywise(self, a: _Series, b: _Series) -> _Series:
        """Entrywise product; a may be 1 x 1."""
        wide = a.rows * a.cols > 1

        def rule(k: int) -> Flat:
            return [
                sum((a.c[j][e if wide else 0] * b.c[k - j][e] for j in range(k + 1)), arb(0))
                for e in range(b.rows * b.cols)
            ]

        return self._new(b.rows, b.cols, rule, lambda n, h: _product_high(a, b, n))

    def minus_constant(self, a: _Series, values: Flat) -> _Series:
        def rule(k: int) -> Flat:
            return [x - y for x, y in zip(a.c[0], values, strict=True)] if k == 0 else a.c[k]

        return self._new(a.rows, a.cols, rule, lambda n, h: a.high)

    def masked(self, a: _Series, mask: list[bool]) -> _Series:
        zero = arb(0)
        return self._new(
            a.rows,
            a.cols,
            lambda k: [x if m else zero for x, m in zip(a.c[k], mask, strict=True)],
            lambda n, h: a.high,
        )

    def scaled(self, a: _Series, factor: Fraction) -> _Series:
        value = _arb(factor)
        return self._new(
            a.rows, a.cols, lambda k: [x * value for x in a.c[k]], lambda n, h: a.high * _up(value)
        )

    def transpose(self, a: _Series) -> _Series:
        order = [j * a.cols + i for i in range(a.cols) for j in range(a.rows)]
        return self.pick(a, a.cols, a.rows, order)

    def pick(self, a: _Series, rows: int, cols: int, order: list[int]) -> _Series:
        """Entries of a by number."""
        repeats = max(order.count(e) for e in set(order))
        return self._new(
            rows, cols, lambda k: [a.c[k][e] for e in order], lambda n, h: a.high * arb(repeats).sqrt()
        )

    def constant_right(self, a: _Series, values: list[list[Fraction]]) -> _Series:
        """a times a constant matrix."""
        mat = arb_mat([[_arb(v) for v in row] for row in values])
        size = _arb(sum((v * v for row in values for v in row), Fraction(0))).sqrt()
        cols = len(values[0])
        return self._new(
            a.rows,
            cols,
            lambda k: list((arb_mat(a.rows, a.cols, a.c[k]) * mat).entries()),
            lambda n, h: a.high * _up(size),
        )


def _product_high(a: _Series, b: _Series, n: int) -> arb:
    """Orders >= n of a product whose factors have low orders 0..n-1 and bounds of the rest."""
    suffix = [arb(0)] * (n + 1)
    for m in range(n - 1, -1, -1):
        suffix[m] = suffix[m + 1] + b.norms[m]
    cross = sum((a.norms[i] * suffix[n - i] for i in range(1, n)), arb(0))
    low_a, low_b = sum(a.norms[:n], arb(0)), suffix[0]
    return _up(cross + a.high * low_b + low_a * b.high + a.high * b.high)


# -- models
# ---------------------------------------------------------------------------------------------------------


class _Model:
    """Shapes, observed entries, and the field as a program."""

    shapes: list[tuple[int, int]]
    factor: Fraction
    data_norm: arb
    depth: int
    slope_factor = 1

    def field(self, p: _Program, blocks: list[_Series], beta: arb | None) -> tuple[list[_Series], _Series]:
        """Outputs and the residual series."""
        raise NotImplementedError

    def block_norm(self, flat: Flat, shape: tuple[int, int]) -> arb:
        raise NotImplementedError

    def dual_norm(self, flat: Flat) -> arb:
        raise NotImplementedError

    def jacobian(self, blocks: list[Flat]) -> tuple[Flat, list[Flat]]:
        raise NotImplementedError

    def exact_field(self, blocks: list[list[Fraction]]) -> list[Fraction]:
        """The field without its factor, in exact arithmetic."""
        r, j = self.jacobian(blocks)  # type: ignore[arg-type]
        pairs: Any = list(zip(r, j, strict=True))
        return [sum((x * row[c] for x, row in pairs), Fraction(0)) for c in range(len(j[0]))]

    def curvature(self, n: list[arb]) -> arb:
        best = arb(0)
        for j in range(len(n)):
            total = arb(0)
            for k in range(len(n)):
                if k != j:
                    term = arb(1)
                    for m, v in enumerate(n):
                        if m not in (j, k):
                            term *= v
                    total += term
            best = best.max(_up(total))
        return best

    def slope(self, n: list[arb]) -> arb:
        total = arb(0)
        for j in range(len(n)):
            term = arb(1)
            for m, v in enumerate(n):
                if m != j:
                    term *= v
            total += term * term
        return _up(_up(total * self.slope_factor).sqrt())


def _times(p: Any, q: Any, zero: Any) -> Any:
    """Product of lists of rows."""
    return [[sum((x * q[m][j] for m, x in enumerate(row)), zero) for j in range(len(q[0]))] for row in p]


class _Network(_Model):
    def __init__(self, data: dict[str, Any]):
        widths = [int(w) for w in data["widths"]]
        _need(len(widths) >= 2 and min(widths) >= 1, "bad widths")
        self.depth = len(widths) - 1
        self.shapes = [(widths[i + 1], widths[i]) for i in range(self.depth)]
        self.factor = Fraction(data["factor"])
        _need(self.factor > 0, "the factor is not positive")
        self.x = None
        columns = widths[0]
        self.data_norm = arb(1)
        if data["data"] is not None:
            self.x = [[Fraction(v) for v in row] for row in data["data"]]
            columns = len(self.x[0])
            _need(len(self.x) == widths[0] and all(len(r) == columns for r in self.x), "data: bad shape")
            self.data_norm = _spectral([[_arb(v) for v in row] for row in self.x])
        cells = data["target"]
        _need(len(cells) == widths[-1] and all(len(r) == columns for r in cells), "target: bad shape")
        self.columns = columns
        self.mask = [v is not None for row in cells for v in row]
        _need(any(self.mask), "nothing is observed")
        self.target = [Fraction(0) if v is None else Fraction(v) for row in cells for v in row]

    def field(self, p: _Program, blocks: list[_Series], beta: arb | None) -> tuple[list[_Series], _Series]:
        prefix = [blocks[0]]
        speed = None if beta is None else p.exponential(beta)
        for w in blocks[1:]:
            prefix.append(p.matmul(w, prefix[-1]))
        out = prefix[-1]
        if self.x is not None:
            out = p.constant_right(out, self.x)
        residual = p.masked(p.minus_constant(out, [_arb(v) for v in self.target]), self.mask)
        delta = p.scaled(residual, -self.factor)
        if speed is not None:
            delta = p.entrywise(speed, delta)
        if self.x is not None:
            delta = p.constant_right(delta, [list(c) for c in zip(*self.x, strict=True)])
        outputs = []
        for level in range(self.depth - 1, 0, -1):
            outputs.append(p.matmul(delta, p.transpose(prefix[level - 1])))
            delta = p.matmul(p.transpose(blocks[level]), delta)
        outputs.append(delta)
        return outputs[::-1], residual

    def block_norm(self, flat: Flat, shape: tuple[int, int]) -> arb:
        return _spectral([flat[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])])

    def dual_norm(self, flat: Flat) -> arb:
        return self.block_norm(flat, (self.shapes[-1][0], self.columns))

    def jacobian(self, blocks: list[Flat]) -> tuple[Flat, list[Flat]]:
        zero = 0 * blocks[0][0]
        one = zero + 1
        mats = [
            [flat[i * c : (i + 1) * c] for i in range(r)]
            for flat, (r, c) in zip(blocks, self.shapes, strict=True)
        ]
        convert: Any = (lambda v: v) if isinstance(zero, Fraction) else _arb
        d0 = self.shapes[0][1]
        base = (
            [[one if i == j else zero for j in range(d0)] for i in range(d0)]
            if self.x is None
            else [[convert(v) for v in row] for row in self.x]
        )
        below = [base]  # below[l] = W_l ... W_1 X
        for m in mats:
            below.append(_times(m, below[-1], zero))
        n = self.shapes[-1][0]
        above: list[Any] = [[[one if i == j else zero for j in range(n)] for i in range(n)]]
        for m in reversed(mats[1:]):
            above.append(_times(above[-1], m, zero))
        above.reverse()  # above[l] = W_L ... W_(l+2): maps the output of factor l to the end
        residual, rows = [], []
        for e, on in enumerate(self.mask):
            if not on:
                continue
            i, j = divmod(e, self.columns)
            residual.append(below[-1][i][j] - convert(self.target[e]))
            row: list[Any] = []
            for level, (r, c) in enumerate(self.shapes):
                row.extend(above[level][i][a] * below[level][b][j] for a in range(r) for b in range(c))
            rows.append(row)
        return residual, rows


class _Tensor(_Model):
    def __init__(self, data: dict[str, Any]):
        self.dims = [int(n) for n in data["dims"]]
        self.rank = int(data["rank"])
        _need(len(self.dims) >= 1 and min(self.dims) >= 1 and self.rank >= 1, "bad dimensions")
        self.depth = len(self.dims)
        self.slope_factor = self.rank
        self.shapes = [(n, self.rank) for n in self.dims]
        self.factor = Fraction(data["factor"])
        _need(self.factor > 0, "the factor is not positive")
        self.data_norm = arb(1)
        columns = 1
        for n in self.dims[1:]:
            columns *= n
        cells = data["target"]
        _need(len(cells) == self.dims[0] and all(len(r) == columns for r in cells), "target: bad shape")
        self.columns = columns
        self.mask = [v is not None for row in cells for v in row]
        _need(any(self.mask), "nothing is observed")
        self.target = [Fraction(0) if v is None else Fraction(v) for row in cells for v in row]

    def _index(self, e: int) -> list[int]:
        out = []
        for n in reversed(self.dims):
            e, i = divmod(e, n)
            out.append(i)
        return out[::-1]

    def _columns(self, p: _Program, blocks: list[_Series]) -> _Series:
        """Columnwise Kronecker product, the last factor fastest."""
        if not blocks:
            one = p._new(1, self.rank, lambda k: [arb(1 if k == 0 else 0)] * self.rank, lambda n, h: arb(0))
            return one
        out, q = blocks[0], self.rank
        for b in blocks[1:]:
            rows = out.rows * b.rows
            first = [(i // b.rows) * q + r for i in range(rows) for r in range(q)]
            second = [(i % b.rows) * q + r for i in range(rows) for r in range(q)]
            out = p.entrywise(p.pick(out, rows, q, first), p.pick(b, rows, q, second))
        return out

    def field(self, p: _Program, blocks: list[_Series], beta: arb | None) -> tuple[list[_Series], _Series]:
        speed = None if beta is None else p.exponential(beta)
        out = p.matmul(blocks[0], p.transpose(self._columns(p, blocks[1:])))
        residual = p.masked(p.minus_constant(out, [_arb(v) for v in self.target]), self.mask)
        delta = p.scaled(residual, -self.factor)
        if speed is not None:
            delta = p.entrywise(speed, delta)
        outputs = []
        total = len(self.target)
        for axis, n in enumerate(self.dims):
            order = sorted(range(total), key=lambda e, a=axis: (self._index(e)[a], e))  # type: ignore[misc]
            unfolded = p.pick(delta, n, total // n, order)
            outputs.append(p.matmul(unfolded, self._columns(p, blocks[:axis] + blocks[axis + 1 :])))
        return outputs, residual

    def block_norm(self, flat: Flat, shape: tuple[int, int]) -> arb:
        best = arb(0)
        for r in range(shape[1]):
            best = best.max(_norm(flat[r :: shape[1]]))
        return best

    def dual_norm(self, flat: Flat) -> arb:
        return _norm(flat)

    def jacobian(self, blocks: list[Flat]) -> tuple[Flat, list[Flat]]:
        zero = 0 * blocks[0][0]
        convert: Any = (lambda v: v) if isinstance(zero, Fraction) else _arb
        residual, rows = [], []
        for e, on in enumerate(self.mask):
            if not on:
                continue
            index = self._index(e)
            value = zero
            parts = [[zero] * (n * self.rank) for n in self.dims]
            for r in range(self.rank):
                factors = [blocks[a][i * self.rank + r] for a, i in enumerate(index)]
                term = zero + 1
                for f in factors:
                    term = term * f
                value = value + term
                for a, i in enumerate(index):
                    rest = zero + 1
                    for b, f in enumerate(factors):
                        if b != a:
                            rest = rest * f
                    parts[a][i * self.rank + r] = rest
            residual.append(value - convert(self.target[e]))
            rows.append([v for part in parts for v in part])
        return residual, rows


_MODELS: dict[str, Any] = {"linear-network": _Network, "cp-tensor": _Tensor}


# -- the checks
# -----------------------------------------------------------------------------------------------------


def _blocks(data: Any, model: _Model) -> list[list[Fraction]]:
    out = [[_dyadic(v) for v in flat] for flat in data]
    sizes = [r * c for r, c in model.shapes]
    _need([len(f) for f in out] == sizes, "blocks of wrong sizes")
    return out


def _check(cert: dict[str, Any]) -> Verified:
    ctx.prec = 64
    _need(cert["format"] == "verify-flow" and cert["version"] == 1, "unknown format or version")
    name = cert["model"]["name"]
    _need(name in _MODELS, f"no checker for the model {name!r}")
    model: _Model = _MODELS[name](cert["model"])
    start = [[Fraction(v) for row in block for v in row] for block in cert["start"]]
    for block, shape in zip(cert["start"], model.shapes, strict=True):
        _need(len(block) == shape[0] and all(len(row) == shape[1] for row in block), "start: bad shape")
    _need(sum(map(len, start)) <= LIMITS["entries"], "too large")
    kind = cert["kind"]
    if kind == "stationary":
        _need(all(v == 0 for v in model.exact_field(start)), "the field is not zero at the start")
        return Verified(kind, start, Fraction(0), "infinity")
    _need(kind in ("limit", "time", "undetermined"), "unknown kind")

    mid = _blocks(cert["begin"]["mid"], model)
    error = _dyadic(cert["begin"]["error"])
    _need(error >= 0, "a negative error")
    distance = sum(
        ((a - b) ** 2 for f, g in zip(start, mid, strict=True) for a, b in zip(f, g, strict=True)),
        Fraction(0),
    )
    _need(distance <= error * error, "the start is not within the first ball")

    steps = cert["steps"]
    _need(len(steps) <= LIMITS["steps"], "too many steps")
    stop = Fraction(cert["time"]) if kind == "time" else None
    top_bits = max((int(s["bits"]) for s in steps), default=64)
    _need(0 < top_bits <= LIMITS["bits"], "bits out of range")
    clock = 8 * top_bits + 64
    ctx.prec = clock
    time = arb(0)
    arrived = stop == 0
    for number, step in enumerate(steps):
        where = f"step {number}: "
        _need(not arrived, where + "after the end")
        ctx.prec = clock
        h = _arb(_dyadic(step["h"]))
        beta = None if step["beta"] is None else _arb(_dyadic(step["beta"]))
        at = h
        if step["final"] is True:
            _need(stop is not None and beta is None, where + "must not be final")
            assert stop is not None
            at = _arb(stop) - time
            _need(bool(at > 0), where + "the time is over")
            _need(bool(at <= h), where + "the length is not enough for the time")
            arrived = True
        else:
            _need(step["final"] is False, where + "malformed")
        time = time + (
            at if beta is None else -(-beta * h).expm1() / beta
        )  # beta is not 0: division would not be finite
        mid, error = _check_step(model, mid, error, step, h, beta, at, where)
    if stop is not None:
        _need(arrived, "the time is not reached")
        answer: Any = str(stop)
    elif kind == "limit":
        _need("capture" in cert, "no capture")
        mid, error = _check_capture(model, mid, error, cert["capture"])
        answer = "infinity"
    else:
        answer = time
    _need(
        _blocks(cert["claim"]["blocks"], model) == mid,
        "the claim is another point than the one that was proved",
    )
    _need(_dyadic(cert["claim"]["error"]) >= error, "the claimed error is below the one that was proved")
    return Verified(kind, mid, _dyadic(cert["claim"]["error"]), answer)


def _check_step(
    model: _Model,
    mid: list[list[Fraction]],
    error: Fraction,
    step: dict[str, Any],
    h: arb,
    beta: arb | None,
    at: arb,
    where: str,
) -> tuple[list[list[Fraction]], Fraction]:
    n, bits = step["order"], step["bits"]
    _need(isinstance(n, int) and 2 <= n <= LIMITS["order"], where + "order out of range")
    _need(isinstance(bits, int) and 16 <= bits <= LIMITS["bits"], where + "bits out of range")
    _need(bool(h > 0), where + "h is not positive")
    rho = _arb(_dyadic(step["rho"]))
    new_error = _dyadic(step["error"])
    new_mid = _blocks(step["mid"], model)
    _need(bool(rho > 0) and new_error >= 0, where + "a bound is negative")

    # Taylor coefficients of the solution through the exact midpoint.
    ctx.prec = bits + 40
    program = _Program()
    inputs = []
    for flat, (r, c) in zip(mid, model.shapes, strict=True):
        s = _Series(r, c)
        s.c.append([_arb(v) for v in flat])
        inputs.append(s)
    outputs, residual = model.field(program, inputs, beta)
    for k in range(n):
        program.advance(k)
        for s, f in zip(inputs, outputs, strict=True):
            s.c.append([v / (k + 1) for v in f.c[k]])
    end = []
    for s in inputs:
        for e in range(s.rows * s.cols):
            total = s.c[n][e]
            for k in range(n - 1, -1, -1):
                total = total * at + s.c[k][e]
            end.append(total)
    target = [_arb(v) for flat in new_mid for v in flat]
    rounding = _norm([x - y for x, y in zip(end, target, strict=True)])

    # Majorants.
    ctx.prec = 64
    powers = [arb(1)]
    for _ in range(n):
        powers.append(_up(powers[-1] * h))
    for s in inputs:
        s.norms = [_up(_norm(s.c[k]) * powers[k]) for k in range(n + 1)]
        s.high = s.norms[n]
    for s, _, bound in program.rules:
        s.norms = [_up(_norm(s.c[k]) * powers[k]) for k in range(n)]
        s.high = _up(bound(n, h))
    local = arb(0)
    for s in outputs:
        local += s.high * s.high
    local = _up(_up(local).sqrt() * h / (n + 1))

    # The logarithmic norm on each part of the step, within rho of the polynomial.
    growth = arb(0)
    if model.depth > 1:
        heads = [model.block_norm(s.c[0], (s.rows, s.cols)) for s in inputs]
        ends = [_up(head + sum(s.norms[1:], arb(0)) + rho) for head, s in zip(heads, inputs, strict=True)]
        reach = model.slope(ends) * model.data_norm * rho
        monotone = _up(_norm(residual.c[0]) + 2 * reach)
        dual = model.dual_norm(residual.c[0])
        for piece in range(PIECES):
            x = _arb(Fraction(piece + 1, PIECES))
            norms = [
                _up(head + _horner(s.norms[1:], x) * x + rho) for head, s in zip(heads, inputs, strict=True)
            ]
            g = _up(dual + _horner(residual.norms[1:], x) * x + residual.high + reach)
            if monotone < g:
                g = monotone
            part = model.curvature(norms) * g
            if beta is not None:
                part *= (-beta * h * (piece if beta > 0 else piece + 1) / PIECES).exp()
            growth += part
        growth = _up(growth * _arb(model.factor) * model.data_norm * h / PIECES)
    bound = _up((_up(_arb(error)) + local) * growth.exp())
    _need(bool(bound < rho), where + "the solution is not shown to stay within rho")
    _need(bool(bound + rounding <= _arb(new_error)), where + "the error is larger than claimed")
    return new_mid, new_error


def _horner(values: list[arb], x: arb) -> arb:
    total = arb(0)
    for v in reversed(values):
        total = total * x + v
    return total


def _check_capture(
    model: _Model, mid: list[list[Fraction]], error: Fraction, capture: dict[str, Any]
) -> tuple[list[list[Fraction]], Fraction]:
    bits = capture["bits"]
    _need(isinstance(bits, int) and 16 <= bits <= LIMITS["bits"], "capture: bits out of range")
    radius = _arb(_dyadic(capture["radius"]))
    new_mid, new_error = _blocks(capture["mid"], model), _dyadic(capture["error"])
    _need(bool(radius > 0) and new_error >= 0, "capture: a bound is negative")
    ctx.prec = bits + 40
    blocks = [[_arb(v) for v in flat] for flat in mid]
    residual, rows = model.jacobian(blocks)
    jac = arb_mat(rows)
    inverse = (jac * jac.transpose()).inv()
    shift = (jac.transpose() * (inverse * arb_mat([[v] for v in residual]))).entries()
    flat = [v for f in blocks for v in f]
    target = [_arb(v) for f in new_mid for v in f]
    spill = _norm([x - s - y for x, s, y in zip(flat, shift, target, strict=True)])
    ctx.prec = 64
    spread = _spectral([[inverse[i, j] for j in range(inverse.ncols())] for i in range(inverse.nrows())])
    sigma0 = (1 / spread).sqrt()
    r = _norm(residual)
    e = _up(_arb(error))
    norms = [model.block_norm(f, shape) + radius for f, shape in zip(blocks, model.shapes, strict=True)]
    kappa = model.curvature(norms) * model.data_norm
    rho0 = r + model.slope(norms) * model.data_norm * e
    sigma = sigma0 - kappa * radius
    _need(bool(sigma > 0), "capture: the Jacobian is not shown to have full row rank")
    _need(bool(e + rho0 / sigma < radius), "capture: the flow is not shown to stay within the radius")
    newton = kappa * r * r / sigma**3 / arb(2).sqrt()
    bound = _up(newton + e * (kappa * rho0 / sigma**2).exp())
    _need(bool(bound + spill <= _arb(new_error)), "capture: the error is larger than claimed")
    return new_mid, new_error


def check_file(name: str) -> list[str]:
    """What the certificates in a file prove, in words: one, or those of a chain of warm starts, where each but the first begins
    within the error of the point that the one before proves.

    Raises OSError or ValueError for a file that cannot be read, :class:`Refused` for one that does not hold.
    """
    with open(name, encoding="utf-8") as handle:
        data = json.load(handle)
    chain = data["certificates"] if isinstance(data, dict) and data.get("format") == "verify-flow-chain" else [data]
    _need(isinstance(chain, list) and len(chain) > 0, "no certificate")
    found: list[str] = []
    before: Verified | None = None
    for certificate in chain:
        proved = check(certificate)
        if before is not None:
            _need(_follows(before, certificate), "a warm start does not cover the limit before it")
        before = proved
        error = proved.error
        size = error.numerator.bit_length() - error.denominator.bit_length() if error else None
        found.append(f"{proved.kind}, {'exactly' if size is None else f'error below 2^{size + 1}'}")
    return found


def _follows(before: Verified, certificate: dict[str, Any]) -> bool:
    """Whether a certificate is about all points within the error of what was proved before it."""
    if before.kind not in ("limit", "rest", "stationary"):
        return False
    start = [[Fraction(v) for row in block for v in row] for block in certificate["start"]]
    if before.error == 0 and start == before.blocks:
        return True
    if certificate["kind"] not in ("limit", "undetermined"):
        return False
    mid = [[_dyadic(v) for v in flat] for flat in certificate["begin"]["mid"]]
    pairs = [(a, b) for f, g in zip(before.blocks, mid, strict=True) for a, b in zip(f, g, strict=True)]
    room = _dyadic(certificate["begin"]["error"]) - before.error
    return room >= 0 and sum(((a - b) ** 2 for a, b in pairs), Fraction(0)) <= room * room


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the certificate files that are named; 0 if all hold, 1 if one is refused, 2 for unreadable
    input.
    """
    files = list(sys.argv[1:] if arguments is None else arguments)
    if not files:
        print("usage: recheck CERTIFICATE.json ...", file=sys.stderr)
        return 2
    code = 0
    for name in files:
        try:
            for words in check_file(name):
                print(f"{name}: holds: {words}")
        except Refused as error:
            print(f"{name}: refused: {error}")
            code = 1
        except (OSError, ValueError, RecursionError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
