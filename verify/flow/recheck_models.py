"""The models of the checker of flows: shapes, observed entries, the field, and bounds of its derivatives.

Imports python-flint and the standard library only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx

from verify.flow.recheck_balls import Flat, _arb, _norm, _spectral, _up
from verify.flow.recheck_read import MAX_CELLS, MAX_ENTRIES, rational, room, spend
from verify.flow.recheck_read import need as _need


class _Model(ABC):
    """Shapes, observed entries, and the field as a program."""

    shapes: list[tuple[int, int]]
    factor: Fraction
    target: list[Fraction]
    mask: list[bool]
    data_norm: arb
    depth: int
    columns: int
    name: str
    given: list[list[Fraction]] | None = None
    """The data that the product is applied to, if there are any."""
    work: int
    """Multiplications for the field at one point, about."""
    slope_factor = 1

    @property
    def entries(self) -> int:
        """Of all factors."""
        return sum(r * c for r, c in self.shapes)

    @property
    def rows_work(self) -> int:
        """Multiplications for the gradients of all observed entries, and numbers in them, about."""
        return self.work + sum(self.mask) * self.entries

    @abstractmethod
    def everywhere(self, blocks: list[Flat]) -> Flat:
        """What the model gives for all cells, at a point of balls."""

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

    def spend_exactly(self, blocks: list[list[Fraction]], what: str) -> None:
        """Spend for gradients in exact arithmetic, where the lengths of the numbers add up along a product."""
        longest = max(v.numerator.bit_length() + v.denominator.bit_length() for flat in blocks for v in flat)
        widest = max(max(shape) for shape in self.shapes)
        spend(8 * self.rows_work, self.depth * longest * min(widest, 64), what)

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
    name = "linear-network"

    def __init__(self, data: dict[str, Any]):
        widths = data["widths"]
        _need(len(widths) >= 2 and min(widths) >= 1, "bad widths")
        self.depth = len(widths) - 1
        self.shapes = [(widths[i + 1], widths[i]) for i in range(self.depth)]
        self.factor = rational(data["factor"])
        _need(self.factor > 0, "the factor is not positive")
        self.x = self.given = None
        columns = widths[0]
        self.data_norm = arb(1)
        if data["data"] is not None:
            self.x = self.given = [[rational(v) for v in row] for row in data["data"]]
            columns = len(self.x[0])
            _need(len(self.x) == widths[0] and all(len(r) == columns for r in self.x), "data: bad shape")
            self.data_norm = _spectral([[_arb(v) for v in row] for row in self.x])
        _observations(self, data["target"], widths[-1], columns)
        turns = sum(r * c * widths[0] for r, c in self.shapes) + sum(r * c * widths[-1] for r, c in self.shapes)
        self.work = turns + (widths[0] + widths[-1]) * columns * widths[0] * (self.x is not None) + widths[-1] * columns
        self.balls: tuple[int, Flat] = (0, [])  # the target at a working precision

    def everywhere(self, blocks: list[Flat]) -> Flat:
        return list(self._through(blocks)[2].entries())

    def _through(self, blocks: list[Flat]) -> tuple[list[arb_mat], list[arb_mat], arb_mat]:
        """The factors, the products of the first ones, and what comes out."""
        factors = [arb_mat(r, c, flat) for flat, (r, c) in zip(blocks, self.shapes, strict=True)]
        prefix = [factors[0]]
        for w in factors[1:]:
            prefix.append(w * prefix[-1])
        return factors, prefix, prefix[-1] if self.x is None else prefix[-1] * _matrix(self.x)

    def _forward(self, blocks: list[Flat]) -> tuple[list[arb_mat], list[arb_mat], Flat]:
        """The factors, the products of the first ones, and the residual."""
        factors, prefix, out = self._through(blocks)
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
        d0, n = self.shapes[0][1], self.shapes[-1][0]
        widest = d0 * (d0 + sum(r for r, _ in self.shapes)) + n * (n + sum(c for _, c in self.shapes))
        room(sum(self.mask) * self.entries + widest, ctx.prec, "gradients")
        zero = 0 * blocks[0][0]
        one = zero + 1
        mats = [[flat[i * c : (i + 1) * c] for i in range(r)] for flat, (r, c) in zip(blocks, self.shapes, strict=True)]
        convert: Any = (lambda v: v) if isinstance(zero, Fraction) else _arb
        base = (
            [[one if i == j else zero for j in range(d0)] for i in range(d0)]
            if self.x is None
            else [[convert(v) for v in row] for row in self.x]
        )
        below = [base]  # below[l] = W_l ... W_1 X
        for m in mats:
            below.append(_times(m, below[-1], zero))
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
    name = "cp-tensor"

    def __init__(self, data: dict[str, Any]):
        self.dims = data["dims"]
        self.rank = data["rank"]
        _need(len(self.dims) >= 1 and min(self.dims) >= 1 and self.rank >= 1, "bad dimensions")
        self.depth = len(self.dims)
        self.slope_factor = self.rank
        self.shapes = [(n, self.rank) for n in self.dims]
        self.factor = rational(data["factor"])
        _need(self.factor > 0, "the factor is not positive")
        self.data_norm = arb(1)
        columns = 1
        for n in self.dims[1:]:
            columns *= n
            _need(columns <= MAX_CELLS, "target: too many cells")
        _observations(self, data["target"], self.dims[0], columns)
        self.work = sum(self.mask) * (self.rank * self.depth**2 + self.entries)

    def _index(self, e: int) -> list[int]:
        out = []
        for n in reversed(self.dims):
            e, i = divmod(e, n)
            out.append(i)
        return out[::-1]

    def everywhere(self, blocks: list[Flat]) -> Flat:
        out = []
        for e in range(len(self.mask)):
            total = arb(0)
            for r in range(self.rank):
                term = arb(1)
                for a, i in enumerate(self._index(e)):
                    term *= blocks[a][i * self.rank + r]
                total += term
            out.append(total)
        return out

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
        room(sum(self.mask) * self.entries, ctx.prec, "gradients")
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


def _observations(model: _Model, cells: Any, rows: int, columns: int) -> None:
    """Read the target; checks of size come before anything is made of it."""
    _need(len(cells) == rows and all(len(r) == columns for r in cells), "target: bad shape")
    _need(rows * columns <= MAX_CELLS, "target: too many cells")
    _need(model.entries <= MAX_ENTRIES, "too large: too many entries of the factors")
    model.columns = columns
    model.mask = [v is not None for row in cells for v in row]
    _need(any(model.mask), "nothing is observed")
    model.target = [Fraction(0) if v is None else rational(v) for row in cells for v in row]


_MODELS: dict[str, Any] = {"linear-network": _Network, "cp-tensor": _Tensor}
