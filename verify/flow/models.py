"""Models and their gradient flows, each written once over abstract arithmetic.

A model works on *blocks*: NumPy arrays (any dtype; float64 arrays may carry leading batch axes) or nodes of a
:class:`verify.flow.tape.Tape`. It uses nothing but `@`, `.mT`, `+`, `-`, `*` and :func:`gather`, so the
same text is read

- symbolically (object arrays of SymPy expressions),
- in float64 batches (float arrays of shape (..., rows, columns)),
- in high precision (object arrays of mpmath numbers),
- rigorously (object arrays of Arb balls), and
- as a straight-line program, from which :mod:`verify.flow.taylor` builds Taylor series.

Constants (targets, data, masks, weights) are kept as exact rationals; an :class:`Arithmetic` converts them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from flint import ctx

from verify.flow.balls import ball, exact

Block = Any
Blocks = Sequence[Block]


class Arithmetic:
    """How exact constants enter: a name and a conversion of Fractions to the numbers of the arithmetic.

    `precise` says that converted constants depend on python-flint's working precision.
    """

    def __init__(
        self,
        name: str,
        convert: Callable[[Any], Any],
        dtype: Any = object,
        cache: bool = True,
        precise: bool = False,
    ):
        self.name = name
        self.dtype = dtype
        self._convert = convert
        self._precise = precise
        self._cache: dict[tuple[int, int], tuple[Any, Any]] | None = {} if cache else None

    def __repr__(self) -> str:
        return f"Arithmetic({self.name!r})"

    def array(self, values: Any) -> Any:
        """Convert an array of exact numbers (shape kept). The result may be shared: do not write to it."""
        key = id(values), ctx.prec if self._precise else 0
        if self._cache is not None:
            hit = self._cache.get(key)
            if hit is not None and hit[0] is values:
                return hit[1]
        source = np.asarray(values, dtype=object)
        out = np.empty(source.shape, dtype=self.dtype)
        for index, v in np.ndenumerate(source):
            out[index] = self._convert(v)
        if self._cache is not None:
            if len(self._cache) > 256:
                self._cache.clear()
            self._cache[key] = (values, out)
        return out


def _to_sympy(value: Any) -> Any:
    import sympy

    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return value


def _to_mpf(value: Fraction) -> Any:
    import mpmath

    return mpmath.mpf(value.numerator) / value.denominator


FLOAT = Arithmetic("float64", float, dtype=np.float64)
SYMBOLIC = Arithmetic("symbolic", _to_sympy)
MPMATH = Arithmetic("mpmath", _to_mpf, cache=False)  # depends on the working precision
BALLS = Arithmetic("balls", ball, precise=True)
EXACT = Arithmetic("exact", lambda v: v)
PRIME = 2**61 - 1
MODULAR = Arithmetic("modulo a prime", lambda v: v.numerator * pow(v.denominator, -1, PRIME) % PRIME)


def gather(x: Block, index: Any) -> Block:
    """The matrix whose entry (i, j) is entry number index[i, j] of `x` (numbered row by row).

    `index` is an integer array; leading batch axes of `x` are kept. Transposing, reshaping and repeating
    are cases.
    """
    method = getattr(x, "gather", None)
    if method is not None:
        return method(index)
    flat = x.reshape((*x.shape[:-2], x.shape[-2] * x.shape[-1]))
    return flat[..., index]


def exact_array(values: Any, shape: tuple[int, ...] | None = None, what: str = "array") -> Any:
    """An object array of exact rationals. SymPy expressions that are no numbers are kept as they are.

    Raises ValueError for a wrong shape, ragged rows or a number that is not finite.
    """
    try:
        source = np.asarray(values, dtype=object)
    except ValueError:
        raise ValueError(f"{what}: ragged rows") from None
    if shape is not None and source.shape != shape:
        raise ValueError(f"{what}: shape {source.shape} where {shape} is needed")
    out = np.empty(source.shape, dtype=object)
    for index, v in np.ndenumerate(source):
        out[index] = v if getattr(v, "free_symbols", None) else exact(v)
    return out


class Model(ABC):
    """An autonomous flow d(theta)/dt = field(theta) with polynomial right-hand side.

    `shapes` lists the (rows, columns) of each block of theta; `degree` is the degree of homogeneity of the
    leading small-scale behaviour of the field (for the change of time).
    """

    name: str
    shapes: tuple[tuple[int, int], ...]
    degree: int

    @abstractmethod
    def field(self, blocks: Blocks, arithmetic: Arithmetic, speed: Block | None = None) -> tuple[Block, ...]:
        """The right-hand side, one array per block; multiplied by the 1 x 1 block `speed` where one is
        given.
        """

    @property
    def moving(self) -> int:
        """How many of the blocks move, from the first on; the others are data that a run carries along."""
        return len(self.shapes)

    @property
    def size(self) -> int:
        """The number of scalar unknowns."""
        return sum(r * c for r, c in self.shapes)

    def check(self, blocks: Blocks) -> None:
        """Raise ValueError unless `blocks` has the right number of blocks, each of the right shape."""
        if len(blocks) != len(self.shapes):
            raise ValueError(f"{self.name}: {len(blocks)} blocks where {len(self.shapes)} are needed")
        for number, (b, shape) in enumerate(zip(blocks, self.shapes, strict=True)):
            if tuple(b.shape[-2:]) != shape:
                raise ValueError(f"{self.name}: block {number} has shape {tuple(b.shape)}, needs {shape}")

    def start(self, blocks: Sequence[Any]) -> tuple[Any, ...]:
        """Exact start: convert one array-like per block to exact rationals, with a check of shapes."""
        if len(blocks) != len(self.shapes):
            raise ValueError(f"{self.name}: {len(blocks)} blocks where {len(self.shapes)} are needed")
        return tuple(
            exact_array(b, shape, f"{self.name}: block {i}")
            for i, (b, shape) in enumerate(zip(blocks, self.shapes, strict=True))
        )


class LeastSquares(Model):
    """A model with loss factor/2 |residual|^2 and flow d(theta)/dt = -factor J^T residual (J the Jacobian).

    `observed` lists the positions (row, column) of the residual that are observed, in a fixed order.
    """

    factor: Fraction
    observed: tuple[tuple[int, int], ...]
    target: Any

    @cached_property
    def weight(self) -> Any:
        """-factor as a 1 x 1 array."""
        return np.array([[-self.factor]], dtype=object)

    @abstractmethod
    def forward(self, blocks: Blocks, arithmetic: Arithmetic) -> tuple[Block, list[Block]]:
        """The residual matrix (zero where unobserved) and intermediate results that :meth:`backward`
        reuses.
        """

    @abstractmethod
    def backward(
        self, blocks: Blocks, saved: list[Block], residual: Block, arithmetic: Arithmetic
    ) -> tuple[Block, ...]:
        """J^T applied to a residual matrix, one array per block."""

    @abstractmethod
    def product(self, blocks: Blocks, arithmetic: Arithmetic) -> Block:
        """The end-to-end matrix (for tensors: unfolded along the first axis)."""

    def field(self, blocks: Blocks, arithmetic: Arithmetic, speed: Block | None = None) -> tuple[Block, ...]:
        residual, saved = self.forward(blocks, arithmetic)
        if speed is not None:
            residual = speed * residual
        out = self.backward(blocks, saved, residual, arithmetic)
        if self.factor == 1:
            return tuple(-b for b in out)
        weight = arithmetic.array(self.weight)
        return tuple(weight * b for b in out)

    def gradient(self, blocks: Blocks, arithmetic: Arithmetic) -> tuple[Block, ...]:
        """The gradient of the loss, factor J^T residual: minus :meth:`field`, without the detour over the
        sign.
        """
        residual, saved = self.forward(blocks, arithmetic)
        out = self.backward(blocks, saved, residual, arithmetic)
        if self.factor == 1:
            return out
        weight = -arithmetic.array(self.weight)
        return tuple(weight * b for b in out)

    def loss(self, blocks: Blocks, arithmetic: Arithmetic) -> Any:
        """factor/2 times the sum of squared residuals; keeps batch axes."""
        residual, _ = self.forward(blocks, arithmetic)
        total = (residual * residual).sum(axis=-1).sum(axis=-1)
        return arithmetic.array(self.weight)[0, 0] * total / -2


class LinearNetwork(LeastSquares):
    """Deep linear network: loss factor/2 |mask o (W_L ... W_1 X - Y)|_F^2.

    Args:
        widths: (d_0, ..., d_L), each at least 1; W_l has shape d_l x d_(l-1).
        target: Y, of shape d_L x n; entries `None` are unobserved. n = d_0 without data.
        data: X, of shape d_0 x n, or None for the identity (deep matrix factorisation).
        factor: normalisation of the loss, positive (2/n for a mean of n squares without the factor 1/2).

    The flow is dW_l/dt = -factor (W_L ... W_(l+1))^T R X^T (W_(l-1) ... W_1)^T with R the masked residual.
    Raises ValueError for bad widths, shapes or numbers, or if nothing is observed.
    """

    def __init__(self, widths: Sequence[int], target: Any, data: Any = None, factor: Any = 1):
        self.widths = tuple(int(w) for w in widths)
        if len(self.widths) < 2:
            raise ValueError("depth below 1: at least two widths are needed")
        if min(self.widths) < 1:
            raise ValueError(f"a width below 1: {self.widths}")
        self.depth = len(self.widths) - 1
        self.name = "linear network"
        self.shapes = tuple((self.widths[i + 1], self.widths[i]) for i in range(self.depth))
        self.degree = max(1, self.depth - 1)
        self.factor = exact(factor)
        if self.factor <= 0:
            raise ValueError(f"the factor of the loss is not positive: {self.factor}")
        self.data = None if data is None else exact_array(data, None, "data")
        if self.data is not None and (self.data.ndim != 2 or self.data.shape[0] != self.widths[0]):
            raise ValueError(f"data: {self.widths[0]} rows are needed, shape is {self.data.shape}")
        columns = self.widths[0] if self.data is None else self.data.shape[1]
        try:
            cells = np.asarray(target, dtype=object)
        except ValueError:
            raise ValueError("target: ragged rows") from None
        if cells.shape != (self.widths[-1], columns):
            raise ValueError(f"target: shape {cells.shape} where {(self.widths[-1], columns)} is needed")
        present = np.array([[c is not None for c in row] for row in cells], dtype=bool)
        if not present.any():
            raise ValueError("target: no entry is observed")
        self.observed = tuple((int(i), int(j)) for i, j in np.argwhere(present))
        self.mask = _zero_one(present)
        self.target = exact_array(np.where(present, cells, 0), None, "target")
        self.full = bool(present.all())

    def forward(self, blocks: Blocks, arithmetic: Arithmetic) -> tuple[Block, list[Block]]:
        prefix = [blocks[0]]
        for w in blocks[1:]:
            prefix.append(w @ prefix[-1])
        out = prefix.pop()
        if self.data is not None:
            out = out @ arithmetic.array(self.data)
        # Large arrays are not copied more often than is needed.
        target = arithmetic.array(self.target)
        own = type(out) is np.ndarray and out.dtype == target.dtype and out is not blocks[0]
        residual = np.subtract(out, target, out=out) if own else out - target
        if not self.full:
            mask = arithmetic.array(self.mask)
            residual = np.multiply(residual, mask, out=residual) if own else mask * residual
        return residual, prefix

    def backward(
        self, blocks: Blocks, saved: list[Block], residual: Block, arithmetic: Arithmetic
    ) -> tuple[Block, ...]:
        delta = residual
        if self.data is not None:
            delta = delta @ arithmetic.array(self.data).T
        out: list[Block] = []
        for level in range(self.depth - 1, 0, -1):
            out.append(delta @ saved[level - 1].mT)
            delta = blocks[level].mT @ delta
        out.append(delta)
        return tuple(reversed(out))

    def product(self, blocks: Blocks, arithmetic: Arithmetic) -> Block:
        out = blocks[0]
        for w in blocks[1:]:
            out = w @ out
        return out


def deep_factorization(
    target: Any, depth: int, hidden: Sequence[int] | None = None, factor: Any = 1
) -> LinearNetwork:
    """Deep matrix factorisation W_L ... W_1 of a partly observed matrix (None where unobserved).

    `hidden` are the L - 1 inner widths; by default min(rows, columns).
    """
    cells = np.asarray(target, dtype=object)
    if cells.ndim != 2:
        raise ValueError("target: a matrix is needed")
    if depth < 1:
        raise ValueError(f"depth below 1: {depth}")
    rows, columns = cells.shape
    inner = tuple(hidden) if hidden is not None else (min(rows, columns),) * (depth - 1)
    if len(inner) != depth - 1:
        raise ValueError(f"depth {depth} needs {depth - 1} inner widths, not {len(inner)}")
    return LinearNetwork((columns, *inner, rows), cells, factor=factor)


def two_layer_regression(data: Any, labels: Any, hidden: int, factor: Any = 1) -> LinearNetwork:
    """Two-layer linear regression W_2 W_1 X to Y with X of shape d x n, Y of shape k x n, and `hidden`
    neurons.
    """
    x, y = np.asarray(data, dtype=object), np.asarray(labels, dtype=object)
    if x.ndim != 2 or y.ndim != 2:
        raise ValueError("data and labels must be matrices")
    return LinearNetwork((x.shape[0], hidden, y.shape[0]), y, data=x, factor=factor)


class CPTensor(LeastSquares):
    """CP tensor factorisation: loss factor/2 |mask o (sum_r a_1r x ... x a_qr - T)|_F^2 for a tensor of any
    order q >= 1.

    Args:
        target: array of shape (n_1, ..., n_q); entries `None` are unobserved.
        rank: the number of terms; block l is the n_l x rank matrix with columns a_lr.

    The residual is kept unfolded along the first axis, with shape n_1 x (n_2 ... n_q), later axes fastest.
    """

    def __init__(self, target: Any, rank: int, factor: Any = 1):
        try:
            cells = np.asarray(target, dtype=object)
        except ValueError:
            raise ValueError("target: ragged") from None
        if cells.ndim < 1 or min(cells.shape) < 1 or rank < 1:
            raise ValueError(
                f"a tensor of order at least 1 and rank at least 1 is needed: {cells.shape}, {rank}"
            )
        self.name = "CP tensor factorisation"
        self.dims = cells.shape
        self.rank = int(rank)
        self.shapes = tuple((n, self.rank) for n in self.dims)
        self.degree = max(1, len(self.dims) - 1)
        self.factor = exact(factor)
        if self.factor <= 0:
            raise ValueError(f"the factor of the loss is not positive: {self.factor}")
        flat = cells.reshape(self.dims[0], prod(self.dims[1:]))
        present = np.array([[c is not None for c in row] for row in flat], dtype=bool)
        if not present.any():
            raise ValueError("target: no entry is observed")
        self.observed = tuple((int(i), int(j)) for i, j in np.argwhere(present))
        self.mask = _zero_one(present)
        self.target = exact_array(np.where(present, flat, 0), None, "target")
        self._ones = np.array([[Fraction(1)] * self.rank], dtype=object)
        numbers = np.arange(prod(self.dims)).reshape(self.dims)
        self._unfold = [
            np.moveaxis(numbers, axis, 0).reshape(self.dims[axis], -1) for axis in range(len(self.dims))
        ]

    def _khatri_rao(self, blocks: Blocks, arithmetic: Arithmetic) -> Block:
        """Column-wise Kronecker product of the blocks, the last one fastest; a row of ones for no blocks."""
        if not blocks:
            return arithmetic.array(self._ones)
        out = blocks[0]
        rows = out.shape[-2]
        columns = np.arange(self.rank)
        for b in blocks[1:]:
            n = b.shape[-2]
            left = np.repeat(np.arange(rows), n)[:, None] * self.rank + columns
            right = np.tile(np.arange(n), rows)[:, None] * self.rank + columns
            out = gather(out, left) * gather(b, right)
            rows *= n
        return out

    def forward(self, blocks: Blocks, arithmetic: Arithmetic) -> tuple[Block, list[Block]]:
        out = self.product(blocks, arithmetic)
        return arithmetic.array(self.mask) * (out - arithmetic.array(self.target)), []

    def backward(
        self, blocks: Blocks, saved: list[Block], residual: Block, arithmetic: Arithmetic
    ) -> tuple[Block, ...]:
        out = []
        for axis in range(len(blocks)):
            others = [b for i, b in enumerate(blocks) if i != axis]
            out.append(gather(residual, self._unfold[axis]) @ self._khatri_rao(others, arithmetic))
        return tuple(out)

    def product(self, blocks: Blocks, arithmetic: Arithmetic) -> Block:
        return blocks[0] @ self._khatri_rao(blocks[1:], arithmetic).mT


class ScalarPair(Model):
    """Deep scalar pair: lambda_i' = -factor lambda_i^(L-1) r, r = (lambda_1^L + (d-1) lambda_2^L)/d - w.

    The flow of deep factorisation from W_l(0) = x I + y (J - I) when exactly the diagonal is observed with
    one value w: lambda_1 is the eigenvalue for the vector of ones, lambda_2 the other (d - 1 times). Two 1
    x 1 blocks.
    """

    def __init__(self, d: int, depth: int, target: Any, factor: Any = 1):
        if d < 1 or depth < 1:
            raise ValueError(f"d and the depth must be at least 1: {d}, {depth}")
        self.name = "scalar pair"
        self.d, self.depth = int(d), int(depth)
        self.target = np.array([[_maybe_exact(target)]], dtype=object)
        self.factor = exact(factor)
        self.shapes = ((1, 1), (1, 1))
        self.degree = max(1, depth - 1)
        self._weights = [
            np.array([[w]], dtype=object) for w in (Fraction(1, d), Fraction(d - 1, d), -self.factor)
        ]

    def field(self, blocks: Blocks, arithmetic: Arithmetic, speed: Block | None = None) -> tuple[Block, ...]:
        first, second, minus = (arithmetic.array(w) for w in self._weights)
        low = [_power(b, self.depth - 1) for b in blocks]
        high = [b if p is None else b * p for b, p in zip(blocks, low, strict=True)]
        r = minus * (first * high[0] + second * high[1] - arithmetic.array(self.target))
        if speed is not None:
            r = speed * r
        return tuple(r if p is None else p * r for p in low)


class PairwiseSymmetric(Model):
    """2 x 2, depth 2, with pairwise symmetry: A = [[a11, a12], [a21, a22]], B = [[a22, a12], [a21, a11]].

    The flow dA/dt = -factor R B^T with R = mask o (A B - W). It is the flow of two-layer factorisation W_2
    = A, W_1 = B on the invariant subspace where B is A transposed about the antidiagonal; that subspace is
    invariant when W and the mask are symmetric about the antidiagonal (equal diagonal entries), which is
    checked.
    """

    def __init__(self, target: Any, factor: Any = 1):
        self.full_model = LinearNetwork((2, 2, 2), target, factor=factor)
        for values in (self.full_model.target, self.full_model.mask):
            if values[0, 0] != values[1, 1]:
                raise ValueError("the two diagonal entries must be observed alike and equal")
        self.name = "2 x 2 with pairwise symmetry"
        self.shapes = ((2, 2),)
        self.degree = 1
        self.partner = np.array([[3, 1], [2, 0]])

    def blocks(self, a: Block) -> tuple[Block, Block]:
        """(W_1, W_2) = (B, A) of the full model."""
        return gather(a, self.partner), a

    def field(self, blocks: Blocks, arithmetic: Arithmetic, speed: Block | None = None) -> tuple[Block, ...]:
        return (self.full_model.field(self.blocks(blocks[0]), arithmetic, speed)[1],)


class MirrorCoordinates(Model):
    """Diagonal two-layer regression in the coordinates of its mirror flow.

    With s = u o v (entrywise), q = (u^2 + v^2)/2 and gradient g = factor M^T (M s - y): s' = -2 q o g,
    q' = -2 s o g. The quantity q^2 - s^2 is conserved; with q = sqrt(s^2 + c^2) this is the mirror flow of
    the hyperbolic entropy with parameter c, d/dt arcsinh(s/c)/2 = -g. Blocks: s and q, each n x 1.
    """

    def __init__(self, matrix: Any, labels: Any, factor: Any = 1):
        self.matrix = exact_array(matrix, None, "matrix")
        if self.matrix.ndim != 2:
            raise ValueError("matrix: a matrix is needed")
        self.labels = exact_array(labels, (self.matrix.shape[0], 1), "labels")
        self.name = "mirror coordinates"
        n = self.matrix.shape[1]
        self.shapes = ((n, 1), (n, 1))
        self.degree = 1
        self._weight = np.array([[-2 * exact(factor)]], dtype=object)

    def field(self, blocks: Blocks, arithmetic: Arithmetic, speed: Block | None = None) -> tuple[Block, ...]:
        s, q = blocks
        m = arithmetic.array(self.matrix)
        g = arithmetic.array(self._weight) * (m.T @ (m @ s - arithmetic.array(self.labels)))
        if speed is not None:
            g = speed * g
        return q * g, s * g


def _zero_one(present: Any) -> Any:
    """A Boolean array as an object array of Fractions."""
    out = np.empty(present.shape, dtype=object)
    for index, on in np.ndenumerate(present):
        out[index] = Fraction(int(on))
    return out


def _maybe_exact(value: Any) -> Any:
    return value if getattr(value, "free_symbols", None) else exact(value)


def _power(x: Block, exponent: int) -> Block | None:
    """x to a non-negative integer power by repeated products; None stands for the power zero."""
    if exponent == 0:
        return None
    out = x
    for _ in range(exponent - 1):
        out = out * x
    return out
