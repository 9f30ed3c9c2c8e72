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
  an upper bound of its length. Steps with a `kind`, "exponential", are those of
  :mod:`verify.flow.recheck_exponential`.
- `capture`: {"bits", "radius", "mid", "error"}: every such solution converges to a point within `error` of
  `mid`.
- `claim`: {"blocks", "error"}: what the certificate asserts in the end.

Problems that decouple or have a closed form have certificates of their own (:mod:`verify.flow.recheck_reductions`).

Dyadic numbers are [hexadecimal mantissa, exponent]. Nothing is searched for: each step is recomputed once
and its bounds are compared. The mathematics is that of the module `validated` beside this one; the code is
separate, and so is the way: the Taylor coefficients are made in integers, and the defect of the polynomial that
they make is bounded in full, so that it does not matter how they were found.

Of kind "scalar-pair" is {"d", "depth", "target", "start": [lambda_1, lambda_2], "bracket": two dyadic numbers or
null}: the limit of the deep scalar pair (module `pair`), whose larger component lies between the two.
{"format": "verify-flow-chain", "certificates": [..]} holds several certificates; each is checked, and that it is about
every start within the error of the point that the one before it proves.
"""

from __future__ import annotations

import json
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any

from flint import arb, arb_mat, arb_poly, ctx, fmpq, fmpz

Flat = list[arb]
PIECES = 64
LIMITS = {"order": 2000, "bits": 100_000, "steps": 100_000, "entries": 10_000}


ELSEWHERE = ("decoupled", "chain", "single-entry", "commuting")
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
            from verify.flow.recheck_reductions import check_reduction

            return check_reduction(certificate, check)
        return _check_pair(certificate) if certificate["kind"] == "scalar-pair" else _check(certificate)
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


def members(data: Any) -> list[Any]:
    """The certificates in a file: its own, or those of a chain. Raises :class:`Refused` for something else."""
    if isinstance(data, dict) and data.get("format") == "verify-flow-chain":
        items = data.get("certificates")
        if not isinstance(items, list) or not items:
            raise Refused("a chain holds certificates")
        return items
    if not isinstance(data, dict) or "kind" not in data:
        raise Refused("no certificate of a flow")
    return [data]


def joined(earlier: dict[str, Any], proved: Verified, later: dict[str, Any]) -> bool:
    """Whether a certificate of a chain is about all starts that the one before it leaves possible; `proved` is what that one was
    found to prove. Both certificates hold.
    """
    if later["kind"] == "scalar-pair":
        return False
    start = [[Fraction(v) for row in block for v in row] for block in later["start"]]
    if earlier["kind"] == "scalar-pair":
        d, depth, first, second = earlier["d"], earlier["depth"], proved.blocks[0][0], proved.blocks[1][0]
        if Fraction(earlier["start"][0]) == Fraction(earlier["start"][1]):  # a multiple of the identity stays one
            root = start[0][0]
            multiple = [root if i == j else Fraction(0) for i in range(d) for j in range(d)]
            if start == [multiple] * depth and root > 0 and root**depth == Fraction(earlier["target"]):
                return True
        factor = [(first - second) / d + (second if i == j else 0) for i in range(d) for j in range(d)]
        before, error = [factor] * depth, proved.error * depth * d
    elif proved.kind in ("limit", "rest", "stationary"):
        before, error = proved.blocks, proved.error
        if error == 0 and start == before:
            return True
    else:
        return False
    if later["kind"] not in ("limit", "undetermined"):
        return False
    mid = [[_dyadic(v) for v in flat] for flat in later["begin"]["mid"]]
    pairs = [(a, b) for f, g in zip(before, mid, strict=True) for a, b in zip(f, g, strict=True)]
    room = _dyadic(later["begin"]["error"]) - error
    return room >= 0 and sum(((a - b) ** 2 for a, b in pairs), Fraction(0)) <= room * room


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
    """A matrix of power series in u on [0, 1].

    `c` holds for every entry the integers c_0, c_1, .. of the polynomial sum c_k u^k 2^-bits that is used in the place of
    the solution; `full` the polynomial of an operation applied to those of the inputs, in balls and of full degree.
    """

    def __init__(self, rows: int, cols: int, present: Sequence[bool] | None = None):
        self.rows, self.cols = rows, cols
        self.c: list[list[int]] = [[] for _ in range(rows * cols)]
        self.full: list[arb_poly] = []
        self.present = [True] * (rows * cols) if present is None else list(present)  # the other entries are 0


class _Program:
    """Operations in order. Each can be advanced by one order, in integers (nearly), and then evaluated in full, in balls.

    What the integers are does not matter for soundness: the defect of the polynomials that they make is bounded in full.
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.rules: list[tuple[_Series, Any, Any]] = []

    def _new(self, rows: int, cols: int, advance: Any, full: Any, present: Sequence[bool] | None = None) -> _Series:
        s = _Series(rows, cols, present)
        self.rules.append((s, advance, full))
        return s

    def advance(self, k: int) -> None:
        for s, rule, _ in self.rules:
            for row, value in zip(s.c, rule(k), strict=True):
                row.append(value)

    def evaluate(self) -> None:
        """The full polynomials, after those of the inputs."""
        for s, _, full in self.rules:
            s.full = full()

    def fixed(self, value: Fraction) -> int:
        return (value.numerator << self.bits) // value.denominator

    def polynomial(self, c: list[int]) -> arb_poly:
        return arb_poly([arb((fmpz(v), -self.bits)) for v in c])

    def exponential(self, x: Fraction) -> _Series:
        """exp(-x u), cut off and rounded."""

        def rule(k: int) -> list[int]:
            if k == 0:
                return [1 << self.bits]
            return [-s.c[0][k - 1] * x.numerator // (x.denominator * k)]

        s: _Series = self._new(1, 1, rule, lambda: [self.polynomial(s.c[0])])
        return s

    def matmul(self, a: _Series, b: _Series, wanted: Sequence[bool] | None = None) -> _Series:
        """The product, or those entries of it that are wanted (0 for the others)."""
        inner, cols = a.cols, b.cols
        terms = [
            [m for m in range(inner) if a.present[i * inner + m] and b.present[m * cols + j]]
            if wanted is None or wanted[i * cols + j]
            else []
            for i in range(a.rows)
            for j in range(cols)
        ]
        present = [bool(t) for t in terms]
        dense = inner > 1 and all(len(t) == inner for t in terms)

        def rule(k: int) -> list[int]:
            back = [row[k::-1] for row in b.c]
            if not dense:
                return [
                    sum(sum(map(mul, a.c[e // cols * inner + m], back[m * cols + e % cols])) for m in t) >> self.bits if t else 0
                    for e, t in enumerate(terms)
                ]
            left = [[v for row in a.c[i * inner : (i + 1) * inner] for v in row] for i in range(a.rows)]
            right = [[v for row in back[j::cols] for v in row] for j in range(cols)]
            return [sum(map(mul, x, y)) >> self.bits for x in left for y in right]

        def full() -> list[arb_poly]:
            return [_total([a.full[e // cols * inner + m] * b.full[m * cols + e % cols] for m in t]) for e, t in enumerate(terms)]

        return self._new(a.rows, cols, rule, full, present)

    def entrywise(self, a: _Series, b: _Series) -> _Series:
        """Entrywise product; a may be 1 x 1."""
        wide = a.rows * a.cols > 1
        size = range(b.rows * b.cols)
        return self._new(
            b.rows,
            b.cols,
            lambda k: [sum(map(mul, a.c[e if wide else 0], b.c[e][k::-1])) >> self.bits for e in size],
            lambda: [a.full[e if wide else 0] * b.full[e] for e in size],
            [b.present[e] and a.present[e if wide else 0] for e in size],
        )

    def minus_constant(self, a: _Series, values: list[Fraction]) -> _Series:
        shift = [self.fixed(v) for v in values]
        return self._new(
            a.rows,
            a.cols,
            lambda k: [row[k] - v if k == 0 else row[k] for row, v in zip(a.c, shift, strict=True)],
            lambda: [x - arb_poly([_arb(v)]) for x, v in zip(a.full, values, strict=True)],
        )

    def masked(self, a: _Series, mask: list[bool]) -> _Series:
        return self._new(
            a.rows,
            a.cols,
            lambda k: [row[k] if m else 0 for row, m in zip(a.c, mask, strict=True)],
            lambda: [x if m else arb_poly([]) for x, m in zip(a.full, mask, strict=True)],
            mask,
        )

    def scaled(self, a: _Series, factor: Fraction) -> _Series:
        return self._new(
            a.rows,
            a.cols,
            lambda k: [row[k] * factor.numerator // factor.denominator for row in a.c],
            lambda: [x * _arb(factor) for x in a.full],
            a.present,
        )

    def transpose(self, a: _Series) -> _Series:
        order = [j * a.cols + i for i in range(a.cols) for j in range(a.rows)]
        return self.pick(a, a.cols, a.rows, order)

    def pick(self, a: _Series, rows: int, cols: int, order: list[int]) -> _Series:
        """Entries of a by number."""
        return self._new(
            rows, cols, lambda k: [a.c[e][k] for e in order], lambda: [a.full[e] for e in order], [a.present[e] for e in order]
        )

    def constant_right(self, a: _Series, values: list[list[Fraction]]) -> _Series:
        """a times a constant matrix."""
        cols = len(values[0])
        column = [[self.fixed(row[j]) for row in values] for j in range(cols)]

        def rule(k: int) -> list[int]:
            rows = [[a.c[i * a.cols + m][k] for m in range(a.cols)] for i in range(a.rows)]
            return [sum(map(mul, row, c)) >> self.bits for row in rows for c in column]

        def full() -> list[arb_poly]:
            return [
                _total([a.full[i * a.cols + m] * _arb(values[m][j]) for m in range(a.cols)])
                for i in range(a.rows)
                for j in range(cols)
            ]

        return self._new(a.rows, cols, rule, full)


def _total(items: list[arb_poly]) -> arb_poly:
    out = arb_poly([])
    for x in items:
        out = out + x
    return out


def _sizes(polynomials: Sequence[arb_poly], order: int) -> tuple[list[arb], arb]:
    """Upper bounds of the norms of the coefficients of each order below `order`, and of the sum of those above."""
    rows = [p.coeffs() for p in polynomials if p.length()]
    tail = _norm([_abs_sum(row[order:]) for row in rows])
    return [_norm([row[k] for row in rows if k < len(row)]) for k in range(min(order, max(map(len, rows), default=0)))], tail


def _abs_sum(values: Sequence[arb]) -> arb:
    """An upper bound of the sum of absolute values."""
    return _up(sum((v.abs_upper() for v in values), arb(0)))


# -- models
# ---------------------------------------------------------------------------------------------------------


class _Model(ABC):
    """Shapes, observed entries, and the field as a program."""

    shapes: list[tuple[int, int]]
    factor: Fraction
    data_norm: arb
    depth: int
    slope_factor = 1

    @abstractmethod
    def field(self, p: _Program, blocks: list[_Series], decay: Fraction | None) -> tuple[list[_Series], _Series]:
        """Outputs and the residual series; with `decay` the outputs carry the factor exp(-decay u), the first operation."""

    @abstractmethod
    def block_norm(self, flat: Flat, shape: tuple[int, int]) -> arb:
        """Upper bound of the norm of a factor in which the curvature is measured."""

    @abstractmethod
    def dual_norm(self, flat: Flat) -> arb:
        """Upper bound of the norm of a residual that goes with it."""

    @abstractmethod
    def jacobian(self, blocks: list[Flat]) -> tuple[Flat, list[Flat]]:
        """Residuals of the observed entries and their gradients, in balls or exactly."""

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

    def field(self, p: _Program, blocks: list[_Series], decay: Fraction | None) -> tuple[list[_Series], _Series]:
        prefix = [blocks[0]]
        speed = None if decay is None else p.exponential(decay)
        for w in blocks[1:]:
            last = len(prefix) == self.depth - 1 and self.x is None
            prefix.append(p.matmul(w, prefix[-1], self.mask if last else None))
        out = prefix[-1]
        if self.x is not None:
            out = p.constant_right(out, self.x)
        residual = p.masked(p.minus_constant(out, self.target), self.mask)
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
        mats = [[flat[i * c : (i + 1) * c] for i in range(r)] for flat, (r, c) in zip(blocks, self.shapes, strict=True)]
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
            ones = [1 << p.bits] * self.rank
            return p._new(1, self.rank, lambda k: ones if k == 0 else [0] * self.rank, lambda: [arb_poly([1])] * self.rank)
        out, q = blocks[0], self.rank
        for b in blocks[1:]:
            rows = out.rows * b.rows
            first = [(i // b.rows) * q + r for i in range(rows) for r in range(q)]
            second = [(i % b.rows) * q + r for i in range(rows) for r in range(q)]
            out = p.entrywise(p.pick(out, rows, q, first), p.pick(b, rows, q, second))
        return out

    def field(self, p: _Program, blocks: list[_Series], decay: Fraction | None) -> tuple[list[_Series], _Series]:
        speed = None if decay is None else p.exponential(decay)
        out = p.matmul(blocks[0], p.transpose(self._columns(p, blocks[1:])))
        residual = p.masked(p.minus_constant(out, self.target), self.mask)
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

    from verify.flow.recheck_exponential import check_exponential

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
        if "kind" in step:
            _need(step["kind"] == "exponential", where + "unknown kind")
            time = time + _arb(_dyadic(step["h"]))
            mid, error = check_exponential(model, mid, error, step, where)
            continue
        exact_h = _dyadic(step["h"])
        exact_beta = None if step["beta"] is None else _dyadic(step["beta"])
        h = _arb(exact_h)
        beta = None if exact_beta is None else _arb(exact_beta)
        at, part = h, None
        if step["final"] is True:
            _need(stop is not None and beta is None, where + "must not be final")
            assert stop is not None
            at = _arb(stop) - time
            _need(bool(at > 0), where + "the time is over")
            _need(bool(at <= h), where + "the length is not enough for the time")
            arrived, part = True, at / h
        else:
            _need(step["final"] is False, where + "malformed")
        time = time + (at if beta is None else -(-beta * h).expm1() / beta)  # beta is not 0: division would not be finite
        mid, error = _check_step(model, mid, error, step, exact_h, exact_beta, part, where)
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
    h: Fraction,
    beta: Fraction | None,
    at: arb | None,
    where: str,
) -> tuple[list[list[Fraction]], Fraction]:
    """One step; `at` is the part of it that is taken (in units of h), None for all of it."""
    n, bits = step["order"], step["bits"]
    _need(isinstance(n, int) and 2 <= n <= LIMITS["order"], where + "order out of range")
    _need(isinstance(bits, int) and 16 <= bits <= LIMITS["bits"], where + "bits out of range")
    _need(h > 0, where + "h is not positive")
    ctx.prec = 64
    rho = _arb(_dyadic(step["rho"]))
    new_error = _dyadic(step["error"])
    new_mid = _blocks(step["mid"], model)
    _need(bool(rho > 0) and new_error >= 0, where + "a bound is negative")
    heads = [model.block_norm([_arb(v) for v in flat], shape) for flat, shape in zip(mid, model.shapes, strict=True)]

    # Polynomials near the Taylor polynomials of the solution through the exact midpoint, in u = s/h.
    fine = _resolution(model, heads, new_error, h, beta, bits, n)
    program = _Program(fine)
    inputs = []
    for flat, (r, c) in zip(mid, model.shapes, strict=True):
        s = _Series(r, c)
        s.c = [[program.fixed(v)] for v in flat]
        inputs.append(s)
    outputs, residual = model.field(program, inputs, None if beta is None else beta * h)
    for k in range(n):
        program.advance(k)
        for s, f in zip(inputs, outputs, strict=True):
            for row, rate in zip(s.c, f.c, strict=True):
                row.append(rate[k] * h.numerator // (h.denominator * (k + 1)))

    # The way from the exact midpoint to where the polynomials begin, from their end to the new midpoint, and their defect.
    ctx.prec = fine + 64
    unit = Fraction(1, 1 << fine)
    begin = _norm(
        [_arb(v - row[0] * unit) for flat, s in zip(mid, inputs, strict=True) for v, row in zip(flat, s.c, strict=True)]
    )
    for s in inputs:
        s.full = [program.polynomial(row) for row in s.c]
    polynomials = [p for s in inputs for p in s.full]
    target = [_arb(v) for flat in new_mid for v in flat]
    rounding = _norm([(p(arb(1) if at is None else at)) - y for p, y in zip(polynomials, target, strict=True)])
    program.evaluate()
    length = _arb(h)
    lost = None if beta is None else _cut_off(program, beta * h, n)
    gaps = [f * length - p.derivative() for f, p in zip([f for s in outputs for f in s.full], polynomials, strict=True)]
    ctx.prec = 64
    rows = [g.coeffs() for g in gaps]
    # |defect(u)| <= |low| + u^n |high|, whose integral is |low| + |high|/(n + 1)
    local = _up(_norm([_abs_sum(row[:n]) for row in rows]) + _norm([_abs_sum(row[n:]) for row in rows]) / (n + 1))

    # The logarithmic norm on each part of the step, within rho of the polynomial.
    growths = [_ascending(s, unit) for s in inputs]
    heads = [_up(head + begin) for head in heads]  # the polynomials begin beside the midpoint
    ends = [_up(head + g(arb(1)) + rho) for head, g in zip(heads, growths, strict=True)]
    steepness = model.slope(ends) * model.data_norm
    reach = steepness * rho
    rest, high = _sizes(residual.full, n)
    rising = arb_poly([high, *rest[1:]])
    if lost is not None:
        local = _up(local + lost * length * _arb(model.factor) * steepness * (sum(rest, arb(0)) + high))
    growth = arb(0)
    if model.depth > 1:
        constant = [p[0] for p in residual.full]
        monotone = _up(_norm(constant) + 2 * reach + steepness * begin)
        dual = model.dual_norm(constant)
        for piece in range(PIECES):
            x = _arb(Fraction(piece + 1, PIECES))
            norms = [_up(head + g(x) + rho) for head, g in zip(heads, growths, strict=True)]
            g = _up(dual + rising(x) + reach)
            if monotone < g:
                g = monotone
            part = model.curvature(norms) * g
            if beta is not None:
                part *= (-_arb(beta) * length * (piece if beta > 0 else piece + 1) / PIECES).exp()
            growth += part
        growth = _up(growth * _arb(model.factor) * model.data_norm * length / PIECES)
    bound = _up((_up(_arb(error)) + begin + local) * growth.exp())
    _need(bool(bound < rho), where + "the solution is not shown to stay within rho")
    _need(bool(bound + rounding <= _arb(new_error)), where + "the error is larger than claimed")
    return new_mid, new_error


def _resolution(
    model: _Model, heads: list[arb], error: Fraction, h: Fraction, beta: Fraction | None, bits: int, order: int
) -> int:
    """Bits after the point with which rounding stays far below the claimed error (a matter of success, not of soundness)."""
    size = max([0, *(_exponent(v) for v in heads if not v.is_zero())])
    swing = 0.0 if beta is None else min(1.45 * abs(float(beta * h)), 10_000)  # the coefficients of exp(-beta h u)
    gain = size * 2 * model.depth + _log2(h * model.factor) + 2 * math.log2(order) + swing + 48
    wanted = 0 if error == 0 else -_log2(error)
    return min(max(64, bits, math.ceil(wanted + max(gain, 48))), 4 * LIMITS["bits"])


def _log2(x: Fraction) -> float:
    """log2 of x > 0, within one."""
    return float(x.numerator.bit_length() - x.denominator.bit_length())


def _ascending(s: _Series, unit: Fraction) -> arb_poly:
    """Upper bounds of the norms of the coefficients of orders >= 1 of an input, as a polynomial."""
    norms = [math.isqrt(sum(row[k] ** 2 for row in s.c)) + 1 for k in range(1, len(s.c[0]))]
    return arb_poly([arb(0), *(_arb(v * unit) for v in norms)])


def _cut_off(program: _Program, x: Fraction, order: int) -> arb:
    """Upper bound of the difference of exp(-x u) and its series on [0, 1]."""
    y = _arb(x)
    given = program.rules[0][0].full
    _need(len(given) == 1, "the speed is not the first operation")
    term, total = arb(1), arb(0)
    for k in range(order):
        total += _up(given[0][k] - term)
        term = -term * y / (k + 1)
    return _up(total + _up(term) * _up(y).exp())


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


def _check_pair(cert: dict[str, Any]) -> Verified:
    """The limit of lambda_i' = -lambda_i^(L-1) r, r = (lambda_1^L + (d-1) lambda_2^L)/d - w, from positive starts.

    Both components are increasing functions of one another along the flow: for L > 2 the difference of the powers
    2 - L stays, for L = 2 the ratio, for L = 1 the difference. So r increases in the larger component x, and x lies
    between two points where r has opposite signs. For L >= 2 and w <= 0 the limit is 0.
    """
    _need(cert["format"] == "verify-flow" and cert["version"] == 1, "unknown format or version")
    d, depth, target = cert["d"], cert["depth"], Fraction(cert["target"])
    _need(type(d) is int and type(depth) is int and d >= 2 and 1 <= depth <= 10_000, "d or depth out of range")
    first, second = (Fraction(v) for v in cert["start"])
    _need(first > 0 and second > 0, "the start is not positive")
    if cert["bracket"] is None:
        _need(depth == 1 or target <= 0, "a bracket is missing")
        gap = (first - second) / d if depth == 1 else Fraction(0)
        low = target - gap if depth == 1 else Fraction(0)
        return Verified("scalar-pair", [[low + d * gap], [low]], Fraction(0), "infinity")
    _need(depth >= 2 and target > 0, "a bracket needs depth 2 or more and a positive target")
    swapped = second > first
    big, small = max(first, second), min(first, second)
    one, other = Fraction(1, d), Fraction(d - 1, d)
    weights = (other, one) if swapped else (one, other)
    ends = [_dyadic(v) for v in cert["bracket"]]
    _need(0 < ends[0] < ends[1], "the bracket is no interval of positive numbers")
    ctx.prec = max(v.numerator.bit_length() + v.denominator.bit_length() for v in ends) + 64
    _need(ctx.prec <= LIMITS["bits"], "the bracket is too fine")

    def smaller(x: arb) -> arb:
        if depth == 2:
            return x * _arb(small / big)
        power = depth - 2
        return 1 / (_arb(1 / small**power - 1 / big**power) + 1 / x**power).root(power)

    def residual(x: arb) -> arb:
        return _arb(weights[0]) * x**depth + _arb(weights[1]) * smaller(x) ** depth - _arb(target)

    left, right = (_arb(v) for v in ends)
    _need(bool(residual(left) < 0) and bool(residual(right) > 0), "the residual has no opposite signs at the ends")
    x = left.union(right)
    balls = [x, smaller(x)][:: -1 if swapped else 1]
    middle = [[Fraction(*_exact(v.mid()))] for v in balls]
    return Verified("scalar-pair", middle, Fraction(*_exact(_norm([v.rad() for v in balls]))), "infinity")


def _exact(value: arb) -> tuple[int, int]:
    """Numerator and denominator of an exact ball."""
    man, exp = (int(v) for v in value.man_exp())
    return (man << exp, 1) if exp >= 0 else (man, 1 << -exp)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the certificate files that are named (`--json`: answers as JSON); 0 if all hold, 1 if one is refused, 2 for
    unreadable input.
    """
    files = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in files
    files = [f for f in files if f != "--json"]
    if not files:
        print("usage: recheck [--json] CERTIFICATE.json ...", file=sys.stderr)
        return 2
    code = 0
    answers = []
    for name in files:
        try:
            with open(name, encoding="utf-8") as handle:
                data = json.load(handle)
        except (OSError, ValueError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
        try:
            items = members(data)
        except Refused as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
        before: Any = None
        for number, item in enumerate(items, 1):
            label = name if len(items) == 1 else f"{name} ({number} of {len(items)})"
            answer: dict[str, Any] = {"file": name, "number": number, "accepted": True}
            try:
                proved = check(item)
                if number > 1:
                    _need(before is not None, "the certificate before it does not hold")
                    _need(joined(items[number - 2], before, item), "it does not begin where the one before it ends")
                before = proved
            except Refused as error:
                before = None
                answer |= {"accepted": False, "reason": str(error)}
                text, code = f"refused: {error}", 1
            else:
                bound = _bound(proved.error)
                answer |= {"kind": proved.kind, "error below": bound}
                text = f"holds: {proved.kind}, error {'' if bound == '0' else 'below '}{bound}"
            answers.append(answer)
            if not as_json:
                print(f"{label}: {text}")
    if as_json:
        print(json.dumps(answers, indent=1))
    return code


def _bound(error: Fraction) -> str:
    return f"2^{error.numerator.bit_length() - error.denominator.bit_length() + 1}" if error else "0"


if __name__ == "__main__":
    sys.exit(main())
