"""Independent checker of the certificates of validated gradient flow. Imports python-flint and the standard
library only.

A certificate is JSON:

- `format` "verify-flow", `version` 2 (version 1 had no polynomials, see `certificate.complete`).
- `model`: {"name": "linear-network", "widths", "target" (rows; null is unobserved), "data" (rows or null),
  "factor"} or {"name": "cp-tensor", "dims", "rank", "target" (unfolded along the first axis), "factor"};
  numbers are exact fractions as text.
- `start`: the exact start, blocks of rows of fractions.
- `kind`: "limit", "time" (with `time`, a fraction), "undetermined" (an enclosure at the time where the run
  stopped), "stationary".
- `begin`: {"mid": blocks of dyadic numbers (flat), "error"}: the exact start lies within `error` of `mid`.
- `steps`: each {"h", "beta" (or null), "polynomial", "rho", "mid", "error", "final"}: every solution
  that starts within the previous error of the previous mid lies, after the step, within `error` of `mid`;
  on the way it stays within `rho` of the polynomial. A final step ends at the exact time, and h is
  an upper bound of its length. `polynomial`: {"unit", "sizes", "data"}, for every entry the integers c_0, .., c_n of
  2^-unit sum c_k T_k(2u - 1), 0 <= u <= 1 (T_k: Chebyshev's polynomials); with a `beta` one more, near exp(-beta h u).
  `data` are the bytes in base 64: for k = 0, .., n the c_k of all entries, with `sizes[k]` bytes each, signed, low byte first.
- A step with `kind` "exponential" goes along a sum of exponentials of the time t in [0, h]. In the place of `polynomial` it
  has `rates`: dyadic numbers a_1, .., a_q, not 0; `terms`: different lists of exponents k_1, .., k_q >= 0, the first all 0;
  `coefficients`: for each term the blocks (flat) of integers in hexadecimal, in units of 2^-bits; `bits`. With E_i(t) =
  exp(a_i t) for a falling and exp(a_i (t - h)) for a rising one, at most 1, the sum is p(t) = sum_k c_k E_1^k_1 .. E_q^k_q.
- `capture`: {"bits", "radius", "mid", "error"}: every such solution converges to a point within `error` of
  `mid`.
- `claim`: {"blocks", "error"}: what the certificate asserts in the end.

Problems that decouple or have a closed form have certificates of their own (:mod:`verify.flow.recheck_reductions`).

Dyadic numbers are [hexadecimal mantissa, exponent]. Nothing is searched for, and no differential equation is solved: the
defect of the given polynomials is a polynomial and bounded by its values at enough points, so that it does not matter
how they were found. The mathematics is that of the module `validated` beside this one; the code is separate.

Of kind "scalar-pair" is {"d", "depth", "target", "start": [lambda_1, lambda_2], "bracket": two dyadic numbers or
null}: the limit of the deep scalar pair (module `pair`), whose larger component lies between the two.
{"format": "verify-flow-chain", "certificates": [..]} holds several certificates; each is checked, and that it is about
every start within the error of the point that the one before it proves.
"""

from __future__ import annotations

import base64
import json
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, arb_mat, arb_poly, ctx, fmpq, fmpz, fmpz_mat

Flat = list[arb]
PIECES = (8, 64, 256)  # parts of a step on which the logarithmic norm is bounded: few, and more where these do not do
ROUGH = 60  # bits of what need not be known well
LIMITS = {"order": 2000, "bits": 100_000, "steps": 100_000, "entries": 10_000, "terms": 2000, "rates": 8, "products": 100_000}


VERSION = 2
"""Of certificates that this checker reads."""

ELSEWHERE = ("decoupled", "chain", "single-entry", "commuting", "truncated")
"""The kinds of certificates of :mod:`verify.flow.recheck_reductions`."""


class Refused(Exception):
    """The certificate does not prove what it claims; the message says where.

    Attributes:
        step: the number of the step that is refused, from 0, if it is one: those before it hold.
    """

    def __init__(self, message: str, step: int | None = None):
        super().__init__(message if step is None else f"step {step}: {message}")
        self.step = step


MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)
"""What the reading of something malformed raises."""


class Verified:
    """What a certificate was found to prove.

    Attributes:
        kind: "limit", "time", "undetermined" or "stationary"; "rest" for a limit whose loss is not zero; "product" where only the
            limit of the product of the factors is proved: then there are no blocks, and the error is that of the product.
        blocks: exact midpoints, one flat list per block (Fractions).
        error: every coordinate vector claimed lies within this Euclidean distance (a Fraction).
        time: the time as text or a ball; "infinity" for a limit.
        balls: enclosures of all numbers of the blocks, where they are known better than by the error; else None.
    """

    def __init__(self, kind: str, blocks: list[list[Fraction]], error: Fraction, time: Any, balls: list[Flat] | None = None):
        self.kind, self.blocks, self.error, self.time, self.balls = kind, blocks, error, time, balls


def check(certificate: Any) -> Verified:
    """Check a certificate. Raises :class:`Refused` unless every part of it holds."""
    saved = ctx.prec
    try:
        if certificate["kind"] in ELSEWHERE:
            from verify.flow.recheck_reductions import check_reduction

            return check_reduction(certificate, check)
        return _check_pair(certificate) if certificate["kind"] == "scalar-pair" else _check(certificate)
    except MALFORMED as error:
        raise Refused(_malformed(error)) from None
    finally:
        ctx.prec = saved


def _malformed(error: Exception) -> str:
    return f"malformed or not provable: {type(error).__name__}: {error}"


def need_version(certificate: dict[str, Any]) -> None:
    """Raise :class:`Refused` for a certificate of another format or version than this checker reads."""
    _need(certificate["format"] == "verify-flow", "not of the format verify-flow")
    found = certificate["version"]
    _need(
        found == VERSION and type(found) is int,
        f"a certificate of version {str(found)[:20]}; this checker reads version {VERSION}: make it again with `verify flow`",
    )


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
    saved, ctx.prec = ctx.prec, 40
    row = arb_mat(1, len(values), values)
    total = (row * row.transpose())[0, 0]
    ctx.prec = saved
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


# -- polynomials
# ---------------------------------------------------------------------------------------------------------

Table = list[list[int]]
"""For several polynomials the integers c_0, .., c_n of 2^-unit sum c_k T_k(2u - 1), 0 <= u <= 1."""


def decoded(data: dict[str, Any], rows: int) -> tuple[int, Table]:
    """(unit, coefficients) of a step."""
    unit, sizes = data["unit"], data["sizes"]
    _need(type(unit) is int and 0 <= unit <= LIMITS["bits"], "unit out of range")
    _need(isinstance(sizes, list) and 1 <= len(sizes) <= LIMITS["order"], "the degree is out of range")
    _need(all(type(v) is int and 1 <= v <= LIMITS["bits"] for v in sizes), "sizes out of range")
    raw = base64.b64decode(data["data"], validate=True)
    _need(len(raw) == rows * sum(sizes), "a polynomial is incomplete")
    columns, at = [], 0
    for size in sizes:
        end = at + size * rows
        columns.append([int.from_bytes(raw[i : i + size], "little", signed=True) for i in range(at, end, size)])
        at = end
    return unit, [list(row) for row in zip(*columns, strict=True)]


def derivative(c: Sequence[int]) -> list[int]:
    """Chebyshev coefficients of the derivative with respect to u."""
    out = [0] * (len(c) + 1)
    for k in range(len(c) - 1, 0, -1):
        out[k - 1] = out[k + 1] + 4 * k * c[k]
    out[0] //= 2
    return out[: max(1, len(c) - 1)]


def first(c: Sequence[int]) -> int:
    """The value at u = 0."""
    return sum(c[::2]) - sum(c[1::2])


def _size(c: Sequence[int]) -> int:
    """An upper bound of the absolute value."""
    return sum(map(abs, c))


def _root(values: Sequence[int]) -> int:
    """An upper bound of the Euclidean norm."""
    return math.isqrt(sum(v * v for v in values)) + 1


Tables = tuple[fmpz_mat, fmpz_mat]
"""T_0, T_2, .. and T_1, T_3, .. at points of [0, 1), in units of 2^-bits and each off by less than 2."""


def _values(rows: Table, unit: int, tables: Tables, bits: int) -> list[Flat]:
    """Balls for polynomials at points v and, in the second half, at -v (where odd ones change their signs)."""
    numbers = {row: k for k, row in enumerate(dict.fromkeys(map(tuple, rows)))}  # equal ones are evaluated once
    columns = [list(c) for c in zip(*numbers, strict=True)]
    even, odd = tables[0] * fmpz_mat(columns[::2]), tables[1] * fmpz_mat(columns[1::2])
    scale = arb((1, -unit - bits))
    radii = arb_mat(even.nrows(), 1, [1] * even.nrows()) * arb_mat([[arb(0, 2 * _size(row)) for row in numbers]])
    places = [numbers[tuple(row)] for row in rows]
    found = [values for part in (even + odd, even - odd) for values in ((arb_mat(part) + radii) * scale).tolist()]
    return [[values[k] for k in places] for values in found]


@lru_cache(maxsize=128)
def _chebyshev(points: int, degree: int, bits: int) -> Tables:
    """At the zeros of T_points that are not negative."""
    saved, ctx.prec = ctx.prec, bits + 32
    unit, turn = arb((1, bits)), 4 * points
    waves = [_floor(arb.cos_pi_fmpq(fmpq(j, 2 * points)) * unit) for j in range(turn)]
    ctx.prec = saved
    return _halves([[waves[(2 * i + 1) * k % turn] for k in range(degree + 1)] for i in range((points + 1) // 2)])


@lru_cache(maxsize=64)
def _middles(degree: int, pieces: int) -> Tables:
    """In units of 2^-ROUGH, at the middles of those of equal pieces of [0, 1] that lie in the second half, where 2u - 1 > 0."""
    saved, ctx.prec = ctx.prec, ROUGH + 64
    unit = arb((1, ROUGH))
    points = [arb(fmpq(2 * i + 1, pieces)) for i in range(pieces // 2)]
    table = [[_floor(v.chebyshev_t(k) * unit) for k in range(degree + 1)] for v in points]
    ctx.prec = saved
    return _halves(table)


def _halves(table: Table) -> Tables:
    return fmpz_mat([row[::2] for row in table]), fmpz_mat([row[1::2] for row in table])


def _floor(v: arb) -> int:
    n, d = _exact(v.mid())
    return n // d


def _padded(rows: Table) -> Table:
    """With zeros, so that there are fewer tables to make."""
    return [row + [0] * (-len(row) % 8) for row in rows]


class _Pieces:
    """Polynomials on equal pieces of [0, 1], roughly: balls for their values in the middles, and how far from these they go.

    On a piece of middle c and half width w: |p(u) - p(c)| <= w |p'(c)| + w^2/2 sup |p''|.
    """

    def __init__(self, rows: Table, unit: int, pieces: int, shapes: Sequence[tuple[int, int]]):
        shift = max(0, max(abs(v) for row in rows for v in row).bit_length() - 2 * ROUGH)
        lost = 0
        if shift:  # each coefficient loses less than 1
            lost, unit = len(rows[0]), unit - shift
            rows = [[v >> shift for v in row] for row in rows]
        rows = _padded(rows)
        slopes = [[*derivative(row), 0] for row in rows]
        found = _values([*rows, *slopes], unit, _middles(len(rows[0]) - 1, pieces), ROUGH)
        found = found[: pieces // 2 - 1 : -1] + found[: pieces // 2]
        scale, cells = arb((1, -unit)), len(rows)
        near = arb(0, lost * scale)
        self.values = [_split([v + near for v in x[:cells]], shapes) for x in found]
        bends = _split([_size(derivative(c)) + 4 * lost**5 for c in slopes], shapes)
        slower = [2 * lost**3 * (math.isqrt(r * c) + 1) * scale / (2 * pieces) for r, c in shapes]
        rest = [_root(flat) * scale / (8 * pieces**2) + v for flat, v in zip(bends, slower, strict=True)]
        self.ways = [
            [_norm(flat) / (2 * pieces) + v for flat, v in zip(_split(x[cells:], shapes), rest, strict=True)] for x in found
        ]
        """For each piece the values of the blocks, and bounds of the ways of the blocks from there."""


# -- models
# ---------------------------------------------------------------------------------------------------------


class _Model(ABC):
    """Shapes, observed entries, and the field as a program."""

    shapes: list[tuple[int, int]]
    factor: Fraction
    target: list[Fraction]
    mask: list[bool]
    data_norm: arb
    depth: int
    slope_factor = 1

    @abstractmethod
    def field(self, blocks: list[Flat], pace: arb) -> Flat:
        """The field times a number, all entries, at a point of balls."""

    @abstractmethod
    def residual(self, blocks: list[Flat]) -> Flat:
        """The residual at a point of balls; 0 where nothing is observed."""

    def over(self, blocks: list[list[Any]]) -> tuple[list[Any], list[Any]]:
        """The field, all entries, and the residual (0 where nothing is observed) in any ring that has balls for scalars, such as
        their polynomials."""
        observed, rows = self.jacobian(blocks)
        weights = [r * _arb(-self.factor) for r in observed]
        zero = 0 * blocks[0][0]
        field = [sum((w * row[e] for w, row in zip(weights, rows, strict=True)), zero) for e in range(len(rows[0]))]
        rest = iter(observed)
        return field, [next(rest) if on else zero for on in self.mask]

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

    def field_size(self, n: list[arb]) -> arb:
        """Upper bound of the norm of the field, also at complex points, from the Frobenius norms of the blocks."""
        product = arb(self.slope_factor).sqrt()
        for v in n:
            product *= v
        residual = product * self.data_norm + _norm([_arb(t) for t in self.target])
        return _up(residual * self.slope(n) * self.data_norm * _arb(self.factor))

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


def _matrix(rows: list[list[Fraction]]) -> arb_mat:
    return arb_mat([[_arb(v) for v in row] for row in rows])


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
        self.balls: tuple[int, Flat] = (0, [])  # the target at a working precision

    def _forward(self, blocks: list[Flat]) -> tuple[list[arb_mat], list[arb_mat], Flat]:
        """The factors, the products of the first ones, and the residual."""
        factors = [arb_mat(r, c, flat) for flat, (r, c) in zip(blocks, self.shapes, strict=True)]
        prefix = [factors[0]]
        for w in factors[1:]:
            prefix.append(w * prefix[-1])
        out = prefix[-1] if self.x is None else prefix[-1] * _matrix(self.x)
        if self.balls[0] != ctx.prec:
            self.balls = ctx.prec, [_arb(t) for t in self.target]
        residual = [v - t if on else arb(0) for v, t, on in zip(out.entries(), self.balls[1], self.mask, strict=True)]
        return factors, prefix, residual

    def residual(self, blocks: list[Flat]) -> Flat:
        return self._forward(blocks)[2]

    def field(self, blocks: list[Flat], pace: arb) -> Flat:
        factors, prefix, residual = self._forward(blocks)
        factor = pace * _arb(-self.factor)
        delta = arb_mat(self.shapes[-1][0], self.columns, [v * factor for v in residual])
        if self.x is not None:
            delta = delta * _matrix(self.x).transpose()
        outputs = []
        for level in range(self.depth - 1, 0, -1):
            outputs.append(delta * prefix[level - 1].transpose())
            delta = factors[level].transpose() * delta
        outputs.append(delta)
        return [v for m in reversed(outputs) for v in m.entries()]

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

    def residual(self, blocks: list[Flat]) -> Flat:
        return self.jacobian(blocks)[0]

    def field(self, blocks: list[Flat], pace: arb) -> Flat:
        return [v * pace for v in self.over(blocks)[0]]

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
    need_version(cert)
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
    top_bits = max((int(s["polynomial"]["unit"] if "polynomial" in s else s["bits"]) for s in steps), default=64)
    _need(0 <= top_bits <= LIMITS["bits"], "unit out of range")
    clock = 8 * top_bits + 64
    ctx.prec = clock
    time = arb(0)
    arrived = stop == 0
    for number, step in enumerate(steps):
        try:
            _need(not arrived, "after the end")
            ctx.prec = clock
            time, arrived, mid, error = _one_step(model, mid, error, step, time, stop)
        except Refused as refused:
            raise Refused(str(refused), number) from None
        except MALFORMED as problem:
            raise Refused(_malformed(problem), number) from None
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


def _one_step(
    model: _Model, mid: list[list[Fraction]], error: Fraction, step: dict[str, Any], time: arb, stop: Fraction | None
) -> tuple[arb, bool, list[list[Fraction]], Fraction]:
    """One step, of any kind, that begins at a time: the time after it, whether it is the last one, the midpoint and the error."""
    if "kind" in step:
        _need(step["kind"] == "exponential", "unknown kind")
        return (time + _arb(_dyadic(step["h"])), False, *_check_exponential(model, mid, error, step))
    exact_h = _dyadic(step["h"])
    exact_beta = None if step["beta"] is None else _dyadic(step["beta"])
    h = _arb(exact_h)
    beta = None if exact_beta is None else _arb(exact_beta)
    at, part, last = h, None, step["final"]
    if last is True:
        _need(stop is not None and beta is None, "must not be final")
        assert stop is not None
        at = _arb(stop) - time
        _need(bool(at > 0), "the time is over")
        _need(bool(at <= h), "the length is not enough for the time")
        part = at / h
    else:
        _need(last is False, "malformed")
    time = time + (at if beta is None else -(-beta * h).expm1() / beta)  # beta is not 0: division would not be finite
    return (time, last, *_check_step(model, mid, error, step, exact_h, exact_beta, part))


def _check_step(
    model: _Model,
    mid: list[list[Fraction]],
    error: Fraction,
    step: dict[str, Any],
    h: Fraction,
    beta: Fraction | None,
    at: arb | None,
) -> tuple[list[list[Fraction]], Fraction]:
    """One step; `at` is the part of it that is taken (in units of h), None for all of it."""
    _need(h > 0, "h is not positive")
    ctx.prec = 64
    rho = _arb(_dyadic(step["rho"]))
    new_error = _dyadic(step["error"])
    new_mid = _blocks(step["mid"], model)
    _need(bool(rho > 0) and new_error >= 0, "a bound is negative")
    cells = sum(r * c for r, c in model.shapes)
    unit, rows = decoded(step["polynomial"], cells + (beta is not None))
    top = max(abs(v) for row in rows for v in row).bit_length() - unit
    ctx.prec = unit + 48 + max(0, math.ceil(_log2(h * model.factor))) + 2 * model.depth * max(0, top)

    # From the exact midpoint to where the polynomials begin, from their end to the new midpoint, and their defect.
    length, one = _arb(h), Fraction(1, 1 << unit)
    entries = rows[:cells]
    begins = [first(row) * one for row in entries]
    begin = _norm([_arb(v - x) for v, x in zip([v for flat in mid for v in flat], begins, strict=True)])
    if at is None:
        ends = [_arb(sum(row) * one) for row in entries]
    else:
        waves = [(2 * at - 1).chebyshev_t(k) for k in range(len(rows[0]))]
        ends = [sum((c * w for c, w in zip(row, waves, strict=True)), arb(0)) * _arb(one) for row in entries]
    rounding = _far(ends, [_arb(v) for flat in new_mid for v in flat])
    local = _defect(model, entries, rows[cells:], unit, length)
    slack = None if beta is None else _slip(rows[-1], unit, beta * h)

    constant = model.residual(_split([_arb(v) for v in begins], model.shapes))
    ctx.prec = 64
    starts = _split([_arb(v) for v in begins], model.shapes)
    for pieces in PIECES:
        growth, swing = _growth(model, _Pieces(entries, unit, pieces, model.shapes), starts, constant, rho, begin, length, beta)
        miss = local if slack is None else _up(local + slack * length * _arb(model.factor) * swing)
        bound = _up((_up(_arb(error)) + begin + miss) * growth.exp())
        stays, small = bool(bound < rho), bool(bound + rounding <= _arb(new_error))
        if stays and small:
            break
    _need(stays, "the solution is not shown to stay within rho")
    _need(small, "the error is larger than claimed")
    return new_mid, new_error


def _growth(
    model: _Model, p: _Pieces, starts: list[Flat], constant: Flat, rho: arb, begin: arb, length: arb, beta: Fraction | None
) -> tuple[arb, arb]:
    """Upper bounds of the integral of the logarithmic norm on a step, within rho of the polynomials, and of the field over its
    factor. `constant` is the residual where the polynomials start, `begin` how far that is from where the step starts.
    """
    heads = [model.block_norm(flat, shape) for flat, shape in zip(starts, model.shapes, strict=True)]
    norms = []
    for values, ways in zip(p.values, p.ways, strict=True):
        norms.append([_up(a + _far(v, x) + w + rho) for a, x, v, w in zip(heads, starts, values, ways, strict=True)])
    ends = [_largest(column) for column in zip(*norms, strict=True)]
    steepness = model.slope(ends) * model.data_norm
    reach = steepness * rho
    pieces, growth, whole = len(norms), arb(0), arb(0)
    monotone = _up(_norm(constant) + 2 * reach + steepness * begin)
    dual = model.dual_norm(constant)
    for number, (values, ways) in enumerate(zip(p.values, p.ways, strict=True)):
        r = model.residual(values)
        way = steepness * _norm(ways)
        whole = whole.max(_norm(r) + way)
        if model.depth == 1:
            continue
        g = _up(dual + _far(r, constant) + way + reach)
        if monotone < g:
            g = monotone
        part = model.curvature(norms[number]) * g
        if beta is not None:
            part *= (-_arb(beta) * length * (number if beta > 0 else number + 1) / pieces).exp()
        growth += part
    return _up(growth * _arb(model.factor) * model.data_norm * length / pieces), _up(whole * steepness)


def _largest(values: Sequence[arb]) -> arb:
    best = values[0]
    for v in values[1:]:
        best = best.max(v)
    return _up(best)


def _log2(x: Fraction) -> float:
    """log2 of x > 0, within one."""
    return float(x.numerator.bit_length() - x.denominator.bit_length())


def _split(flat: Sequence[Any], shapes: Sequence[tuple[int, int]]) -> list[list[Any]]:
    """Blocks of a list of all entries."""
    out, at = [], 0
    for r, c in shapes:
        out.append(list(flat[at : at + r * c]))
        at += r * c
    return out


def _far(x: Flat, y: Flat) -> arb:
    """An upper bound of the distance."""
    return _norm([a - b for a, b in zip(x, y, strict=True)])


def _defect(model: _Model, rows: Table, speed: Table, unit: int, length: arb) -> arb:
    """An upper bound of |q| on [0, 1], q = h w F(p) - p', where w is the speed (1 without one).

    q is evaluated at the m zeros of T_m. The polynomial of degree m - 1 through these values is at most 1 + 2/pi log m times as
    large between them (Lebesgue's constant). On the ellipse 2u - 1 = (z + 1/z)/2, |z| = r, T_k is at most r^k, so that |q| <= M
    there by the sizes of the coefficients of p. The Chebyshev coefficients of q are at most 2 M r^-k, and q differs from that
    polynomial by at most twice the sum of those from k = m on, 4 M r^-m/(1 - 1/r).
    """
    cells = len(rows)
    wide = _padded([*rows, *speed])
    degree = len(wide[0]) - 1
    slopes = [[*derivative(row), 0] for row in wide[:cells]]
    whole = degree * (2 * model.depth - 1 + len(speed)) + 1  # with so many points nothing is left
    turn = Fraction(_turn(model, wide, unit, whole), 16)
    saved, ctx.prec = ctx.prec, ROUGH
    r, scale = arb(2) ** _arb(turn), arb((1, -unit))
    powers = arb_mat([[r**k] for k in range(degree + 1)])
    sizes = [_up(v * scale) for v in (arb_mat([[abs(c) for c in row] for row in [*wide, *slopes]]) * powers).entries()]
    ctx.prec = saved
    blocks = [_norm(flat) for flat in _split(sizes[:cells], model.shapes)]
    largest = model.field_size(blocks) * length
    if speed:
        largest *= sizes[cells]
    largest += _norm(sizes[-cells:])
    points = min(whole, 8 * math.ceil((math.log2(_float(largest)) + unit + 8) / float(turn) / 8)) if turn else whole
    bits = -(-(unit + 24) // 32) * 32
    at_nodes = _values([*slopes, *wide], unit, _chebyshev(points, degree, bits), bits)
    flat: Flat = []
    for x in at_nodes:
        flat.extend(model.field(_split(x[cells : 2 * cells], model.shapes), length * x[2 * cells] if speed else length))
    gaps = arb_mat(len(at_nodes), cells, flat) - arb_mat([x[:cells] for x in at_nodes])
    worst = _largest([_norm(row) for row in gaps.tolist()])
    rest = 4 * largest / r**points / (1 - 1 / r) if points < whole else arb(0)
    return _up(worst * (1 + 2 * arb(points).log() / arb.pi()) + rest)


def _turn(model: _Model, rows: Table, unit: int, whole: int) -> int:
    """16 log2 r for a good ellipse: where the number of points for `unit` bits is least (by the leading bits only)."""
    heights = [(k, max(abs(row[k]) for row in rows).bit_length() - unit) for k in range(len(rows[0]))]
    best, turn = float(whole), 0
    for t in (1, 2, 3, *range(4, 97, 4)):
        top = max(h + t * k / 16 for k, h in heights)
        points = 16 * (unit + 12 + 2 * model.depth * max(top, 2)) / t
        if points < best:
            best, turn = points, t
    return turn


def _float(x: arb) -> float:
    """A double near an exact ball between 2^-1000 and 2^1000."""
    return max(1e-300, min(1e300, float(x.mid())))


def _slip(row: list[int], unit: int, x: Fraction) -> arb:
    """Upper bound of |w - exp(-x u)| on [0, 1], w = 2^-unit sum c_k T_k: the difference has at 0 the value w(0) - 1, and its
    derivative is -x times itself plus w' + x w.
    """
    y, one = _arb(x), Fraction(1, 1 << unit)
    slope = [*derivative(row), 0]
    missed = sum((abs(_arb(b * one) + y * _arb(c * one)) for b, c in zip(slope, row, strict=True)), arb(0))
    missed += abs(_arb(first(row) * one - 1))
    return _up(missed * (-y).exp().max(arb(1)))


def _check_exponential(
    model: _Model, mid: list[list[Fraction]], error: Fraction, step: dict[str, Any]
) -> tuple[list[list[Fraction]], Fraction]:
    """A step along a sum p of exponentials, whatever it is, of length T.

    Its defect F(p) - p' = sum_k d_k E^k is computed in full, and so is its residual sum_k r_k E^k. As long as the error of a
    solution, e = theta - p, stays below rho,

        |e|' <= mu |e| + |defect|,   mu <= m + M (sum over k other than 0 of |r_k| E^k + Lambda rho),   M = factor K |X|,

    with m = M |r_0|, in the dual norm, and K, Lambda from bounds of the blocks over the whole step. Let w_k be the exponent of
    E^k, and I_k(m) >= integral over [0, T] of exp(m (T - t)) E^k: at most exp(m T) E^k(0) or E^k(T), whichever is larger, times
    T or 1/|w_k - m|, whichever is smaller. By Gronwall's lemma

        |e(T)| <= (exp(m T) (E + |mid - p(0)|) + sum_k |d_k| I_k(m)) exp(M (sum_k |r_k| I_k(0) + Lambda rho T)),

    and if that is below rho, e never reaches rho.
    """
    bits = step["bits"]
    _need(type(bits) is int and 16 <= bits <= LIMITS["bits"], "bits out of range")
    rates = [_dyadic(v) for v in step["rates"]]
    _need(1 <= len(rates) <= LIMITS["rates"] and all(v != 0 for v in rates), "bad rates")
    terms = [tuple(k) for k in step["terms"]]
    _need(all(len(k) == len(rates) and all(type(n) is int and n >= 0 for n in k) for k in terms), "bad terms")
    _need(0 < len(terms) <= LIMITS["terms"] and not any(terms[0]) and len(set(terms)) == len(terms), "bad terms")
    length, rho, new_error = (_dyadic(step[name]) for name in ("h", "rho", "error"))
    _need(length > 0 and rho > 0 and new_error >= 0, "a bound is negative")
    _need(step["final"] is False and step["beta"] is None, "malformed")
    new_mid = _blocks(step["mid"], model)
    sizes = [r * c for r, c in model.shapes]
    values = [[[int(v, 16) for v in flat] for flat in blocks] for blocks in step["coefficients"]]
    fit = len(values) == len(terms) and all([len(f) for f in blocks] == sizes for blocks in values)
    _need(fit, "coefficients of wrong sizes")

    # All exponentials in one variable: E_i is x^strides[i], far enough apart for every product.
    strides, width = [], 1
    for i in range(len(rates)):
        strides.append(width)
        width *= (2 * model.depth - 1) * max(k[i] for k in terms) + 1
        _need(width <= LIMITS["products"], "too many products")
    places = [sum(n * s for n, s in zip(k, strides, strict=True)) for k in terms]
    spans = [*strides[1:], width]

    def powers(place: int) -> list[int]:
        return [place % span // stride for stride, span in zip(strides, spans, strict=True)]

    # The sum, its residual and its defect.
    ctx.prec = 2 * bits + 64
    states: list[list[arb_poly]] = []
    for block, size in enumerate(sizes):
        states.append([])
        for entry in range(size):
            row = [arb(0)] * (max(places) + 1)
            for place, blocks in zip(places, values, strict=True):
                row[place] = arb((fmpz(blocks[block][entry]), fmpz(-bits)))
            states[-1].append(arb_poly(row))
    field, residual = model.over(states)
    whole = [x.coeffs() for flat in states for x in flat]
    forces, misses = [f.coeffs() for f in field], [f.coeffs() for f in residual]
    exponents = []
    for place in range(max(map(len, [*forces, *misses, *whole]))):
        exponents.append(_arb(sum((n * a for n, a in zip(powers(place), rates, strict=True)), Fraction(0))))
    defects = []
    for place, w in enumerate(exponents):
        pairs = zip(_column(forces, place), _column(whole, place), strict=True)
        defects.append(_norm([f - w * x for f, x in pairs]))

    # Its ends.
    t = _arb(length)
    starts, ends = [], []
    for place in range(len(exponents)):
        parts = list(zip(powers(place), map(_arb, rates), strict=True))
        starts.append(sum((-n * a * t for n, a in parts if bool(a > 0)), arb(0)).exp())
        ends.append(sum((n * a * t for n, a in parts if bool(a < 0)), arb(0)).exp())
    begin = _far(_along(whole, starts), [_arb(v) for flat in mid for v in flat])
    rounding = _far(_along(whole, ends), [_arb(v) for flat in new_mid for v in flat])

    # The logarithmic norm, with bounds of the blocks over the whole step.
    ctx.prec = 64
    radius = _arb(rho)
    sides = [_norm(_column(misses, place)) for place in range(len(exponents))]
    norms = []
    for flat, shape in zip(states, model.shapes, strict=True):
        rows = [x.coeffs() for x in flat]
        moved = sum((_norm(_column(rows, place)) for place in places if place), arb(0))
        norms.append(_up(model.block_norm(_column(rows, 0), shape) + moved + radius))
    weight = _up(model.curvature(norms) * _arb(model.factor) * model.data_norm)
    reach = _up(model.slope(norms) * model.data_norm * radius)
    steady = _up(weight * model.dual_norm(_column(misses, 0)))

    def integral(place: int, rate: arb) -> arb:
        first, last = _up(starts[place]) * (rate * t).exp(), _up(ends[place])
        gap = abs(exponents[place] - rate)
        return _up(_largest([_up(first), last]) * (1 / gap if bool(gap * t > 1) else t))

    growth = weight * (sum((v * integral(k, arb(0)) for k, v in enumerate(sides) if k), arb(0)) + reach * t)
    local = sum((v * integral(k, steady) for k, v in enumerate(defects)), arb(0))
    bound = _up((_up((_arb(error) + begin) * (steady * t).exp()) + local) * growth.exp())
    _need(bool(bound < radius), "the solution is not shown to stay within rho")
    _need(bool(bound + rounding <= _arb(new_error)), "the error is larger than claimed")
    return new_mid, new_error


def _column(rows: Sequence[Flat], place: int) -> Flat:
    return [row[place] if place < len(row) else arb(0) for row in rows]


def _along(rows: Sequence[Flat], values: Sequence[arb]) -> Flat:
    """Sums of coefficients times values."""
    return [sum((c * values[k] for k, c in enumerate(row) if not c.is_zero()), arb(0)) for row in rows]


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
    need_version(cert)
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
    return Verified("scalar-pair", middle, Fraction(*_exact(_norm([v.rad() for v in balls]))), "infinity", [[v] for v in balls])


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
