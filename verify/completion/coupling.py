"""Whether gradient flow couples the observations, decided by proof.

Setting: W = W_L ... W_1 with W_l of shape d_l x d_(l-1), loss 1/2 sum over observed cells of (w_ij -
w*_ij)^2, gradient flow from given factors. The flow is *decoupled* if the observed cells split into two or
more non-empty parts such that the gradients of w_ij and w_xy are orthogonal for all t >= 0 whenever the two
cells lie in different parts; otherwise it is *coupled* (Shin and Yun 2025, Definition 2). A positive factor
in front of the loss only changes the clock and with it nothing here. Join two cells when the inner product
of their gradients is not zero for all t: the flow is coupled exactly if this graph is connected. A single
observation is coupled, no two parts exist.

The inner product is sum_l (S_l S_l^T)_ix (P_l^T P_l)_jy with S_l = W_L ... W_(l+1) and P_l = W_(l-1) ...
W_1. The flow exists for all t >= 0 (the loss falls, so the path has finite length on every finite interval)
and is analytic, so an inner product vanishes for all t exactly if all its Taylor coefficients at t = 0
vanish.

- *coupled* is proved by exact Taylor coefficients that are not zero and connect all observed cells.
- *decoupled* is proved by a set that contains the start, that the flow cannot leave, and on which the inner
  products between two parts vanish identically. Two sorts of sets are found. *Support*: the factors whose
  entries outside certain places are zero; the polynomials that must vanish there have no cancellation, so
  paths in a graph decide exactly. *Affine*: the start plus the span of its first time derivatives, which
  contains what a symmetry fixes in any basis, as well as a start that does not move; polynomials of total
  degree D in r variables vanish identically exactly if they vanish at all points of {0, 1, 2, ...}^r with
  coordinate sum at most D, where they are evaluated exactly.
- Else the answer is *undecided*, with what was tried.

Starts may be balls (a radius for each entry). A coefficient c(theta) is then enclosed by c(mid) +- (C(|mid|
+ rad) - C(|mid|)), where C is the same polynomial with every sign in the recursion made positive.

The evidence is plain data, which `verify.completion.recheck.recheck_coupling` checks without this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, Literal

from flint import fmpq, fmpq_mat

from verify.completion.observations import Cell, ObservationError, Observations, Pattern, exact, ratio_text

Verdict = Literal["coupled", "decoupled", "undecided"]
Matrix = Sequence[Sequence[Any]]

MAX_POINTS = 2500
"""Largest number of lattice points at which an affine invariant set is checked."""


@dataclass(frozen=True)
class Coupling:
    """The answer with its evidence.

    Attributes:
        verdict: coupled, decoupled or undecided.
        reason: one sentence.
        problem: plain data: `shape`, `entries` [[i, j, value]], `factors` (W_1 first), `radii` or None.
            Numbers are written `p` or `p/q`; indices count from 0.
        evidence: plain data, by `kind`:
            `single`; `taylor` with `edges` [{cells, order, value, radius}]; `support` with `places` (for
            each layer the places that may be non-zero) and `parts`; `affine` with `directions` (rows over
            all parameters, layer by layer and row by row) and `parts`; `none` with `order` and `groups`
            (cells known to be connected).
    """

    verdict: Verdict
    reason: str
    problem: Mapping[str, Any]
    evidence: Mapping[str, Any]

    def to_data(self) -> dict[str, Any]:
        """Plain data (JSON) that `recheck_coupling` accepts."""
        return {
            "schema": 1,
            "verdict": self.verdict,
            "problem": dict(self.problem),
            "evidence": dict(self.evidence),
        }


def coupling(
    observations: Observations,
    factors: Sequence[Matrix],
    radii: Sequence[Matrix] | None = None,
    max_order: int = 8,
) -> Coupling:
    """Decide whether gradient flow on the observations from the given factors is coupled.

    Args:
        observations: m x n, exact values.
        factors: W_1, ..., W_L, W_l of shape d_l x d_(l-1) with d_0 = n and d_L = m; exact numbers (see
            `exact`).
        radii: non-negative numbers of the same shapes; every start with |W_l - factors[l]| <= radii[l] entry
            by entry is covered. For a *coupled* verdict each such start is coupled. None: the start is exact.
        max_order: the last Taylor coefficient that is computed before giving up.

    Returns:
        The verdict with evidence. With radii, *undecided* is also the answer when starts in the ball differ.

    Raises:
        ObservationError: shapes that do not fit, numbers that are not finite, negative radii or order.

    Source: Shin and Yun 2025, Definition 2.
    """
    start = [_fractions(f) for f in factors]
    spread = None if radii is None else [_fractions(r) for r in radii]
    _check_shapes(observations.rows, observations.cols, start, spread)
    if max_order < 0:
        raise ObservationError(f"order {max_order}; it must be at least 0")
    if spread is not None and not any(v for r in spread for row in r for v in row):
        spread = None
    problem = _problem(observations, start, spread)
    cells = observations.cells
    if len(cells) == 1:
        return Coupling("coupled", "a single observation cannot be split", problem, {"kind": "single"})

    support = _closed_support(observations, start, spread)
    parts = _parts(cells, _support_pairs(observations, support))
    if len(parts) > 1:
        everywhere = [[(1 << len(w[0])) - 1] * len(w) for w in start]
        always = len(_parts(cells, _support_pairs(observations, everywhere))) == len(parts)
        whence = "from any start" if always else "entries that are zero stay zero, and then"
        return Coupling(
            "decoupled",
            f"{whence} {len(parts)} parts of the observations share no parameter",
            problem,
            {
                "kind": "support",
                "places": [[[a, b] for a, row in enumerate(rows) for b in _bits(row)] for rows in support],
                "parts": _plain(parts),
            },
        )

    groups = _Groups(cells)
    series = _Bounded(observations, start, spread)
    edges: list[dict[str, Any]] = []
    space = _Span(start) if spread is None else None
    for order in range(max_order + 1):
        for a, b in groups.apart():
            value, radius = series.gram(order, a, b)
            if abs(value) > radius and groups.join(a, b):
                edges.append(
                    {
                        "cells": [list(a), list(b)],
                        "order": order,
                        "value": ratio_text(value),
                        "radius": ratio_text(radius),
                    }
                )
        if groups.count == 1:
            last = max(edge["order"] for edge in edges)
            return Coupling(
                "coupled",
                f"Taylor coefficients up to order {last} that are not zero connect all observations",
                problem,
                {"kind": "taylor", "edges": edges},
            )
        if space is not None and not space.add(series.parameters(order + 1)):
            parts = space.parts(observations)
            if len(parts) > 1:
                size = len(space.rows)
                return Coupling(
                    "decoupled",
                    f"the flow stays in an affine set of dimension {size}, on which {len(parts)} parts have "
                    "orthogonal gradients",
                    problem,
                    {
                        "kind": "affine",
                        "directions": [[ratio_text(_fraction(v)) for v in row] for row in space.rows],
                        "parts": _plain(parts),
                    },
                )
    return Coupling(
        "undecided",
        f"Taylor coefficients up to order {max_order} leave {groups.count} groups apart, and no invariant "
        "set was found",
        problem,
        {"kind": "none", "order": max_order, "groups": _plain(groups.sets())},
    )


def gradient_gram(pattern: Pattern, factors: Sequence[Matrix]) -> list[list[Fraction]]:
    """Inner products of the gradients of the observed entries of W_L ... W_1 at the given factors.

    Args:
        pattern: m x n; its cells order the result.
        factors: W_1, ..., W_L as in `coupling`.

    Returns:
        A symmetric matrix, one row and column for each observed cell.

    Raises:
        ObservationError: shapes that do not fit.
    """
    start = [_fractions(f) for f in factors]
    _check_shapes(pattern.rows, pattern.cols, start, None)
    zero = Observations(pattern.rows, pattern.cols, tuple((i, j, Fraction(0)) for i, j in pattern.cells))
    series = _Series(zero, [_flint(f) for f in start])
    return [[_fraction(series.gram(0, a, b)) for b in pattern.cells] for a in pattern.cells]


def gram_series(
    observations: Observations, factors: Sequence[Matrix], order: int
) -> list[list[list[Fraction]]]:
    """Taylor coefficients at t = 0 of the inner products along gradient flow.

    Args:
        observations: m x n.
        factors: the start W_1, ..., W_L as in `coupling`.
        order: the last coefficient wanted.

    Returns:
        For each k from 0 to `order` the matrix of the coefficients of t^k, ordered as `gradient_gram`.

    Raises:
        ObservationError: shapes that do not fit.
    """
    start = [_fractions(f) for f in factors]
    _check_shapes(observations.rows, observations.cols, start, None)
    series = _Series(observations, [_flint(f) for f in start])
    cells = observations.cells
    return [[[_fraction(series.gram(k, a, b)) for b in cells] for a in cells] for k in range(order + 1)]


# ------------------------------------------------------------------------------------------- plain helpers


def _fractions(matrix: Matrix) -> list[list[Fraction]]:
    return [[exact(v) for v in row] for row in matrix]


def _flint(matrix: list[list[Fraction]]) -> fmpq_mat:
    return fmpq_mat(
        len(matrix), len(matrix[0]), [fmpq(v.numerator, v.denominator) for row in matrix for v in row]
    )


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _plain(parts: Sequence[Sequence[Cell]]) -> list[list[list[int]]]:
    return [[list(cell) for cell in part] for part in parts]


def _check_shapes(
    rows: int, cols: int, factors: list[list[list[Fraction]]], radii: list[list[list[Fraction]]] | None
) -> None:
    if not factors:
        raise ObservationError("no factor; depth must be at least 1")
    inner = cols
    for level, factor in enumerate(factors, 1):
        if not factor or any(len(row) != inner for row in factor):
            raise ObservationError(f"factor {level} must have rows of length {inner}")
        inner = len(factor)
    if inner != rows:
        raise ObservationError(f"the last factor has {inner} rows; the observations have {rows}")
    if radii is not None:
        if [[len(row) for row in r] for r in radii] != [[len(row) for row in f] for f in factors]:
            raise ObservationError("the radii must have the shapes of the factors")
        if any(v < 0 for r in radii for row in r for v in row):
            raise ObservationError("a radius is negative; radii must be at least 0")


def _problem(
    observations: Observations,
    factors: list[list[list[Fraction]]],
    radii: list[list[list[Fraction]]] | None,
) -> dict[str, Any]:
    def text(matrices: list[list[list[Fraction]]]) -> list[list[list[str]]]:
        return [[[ratio_text(v) for v in row] for row in matrix] for matrix in matrices]

    data = observations.to_data()
    return {
        "shape": data["shape"],
        "entries": data["entries"],
        "factors": text(factors),
        "radii": None if radii is None else text(radii),
    }


class _Groups:
    """Cells joined into groups (union-find)."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.parent = {cell: cell for cell in cells}
        self.count = len(cells)

    def root(self, cell: Cell) -> Cell:
        while self.parent[cell] != cell:
            self.parent[cell] = self.parent[self.parent[cell]]
            cell = self.parent[cell]
        return cell

    def join(self, a: Cell, b: Cell) -> bool:
        """Join the groups of two cells; whether they were apart."""
        a, b = self.root(a), self.root(b)
        if a == b:
            return False
        self.parent[max(a, b)] = min(a, b)
        self.count -= 1
        return True

    def apart(self) -> Iterator[tuple[Cell, Cell]]:
        """Pairs that are in different groups at the moment they are visited."""
        for a, b in combinations(self.parent, 2):
            if self.count == 1:
                return
            if self.root(a) != self.root(b):
                yield a, b

    def sets(self) -> list[list[Cell]]:
        found: dict[Cell, list[Cell]] = {}
        for cell in self.parent:
            found.setdefault(self.root(cell), []).append(cell)
        return [found[root] for root in sorted(found)]


def _parts(cells: Sequence[Cell], joined: Callable[[Cell, Cell], bool]) -> list[list[Cell]]:
    groups = _Groups(cells)
    for a, b in groups.apart():
        if joined(a, b):
            groups.join(a, b)
    return groups.sets()


# ------------------------------------------------------------------------------------------- Taylor series


class _Series:
    """Exact Taylor coefficients of the flow, one order at a time; with `absolute` all signs are positive."""

    def __init__(self, observations: Observations, start: list[fmpq_mat], absolute: bool = False) -> None:
        self.depth = len(start)
        self.cells = observations.cells
        m, n = observations.rows, observations.cols
        self.sign = fmpq(1 if absolute else -1)
        shift = fmpq_mat(m, n)
        for i, j, v in observations.entries:
            target = fmpq(v.numerator, v.denominator)
            shift[i, j] = abs(target) if absolute else -target
        self.shift = shift
        self.factors: list[list[fmpq_mat]] = [[w] for w in start]
        self.left: list[list[fmpq_mat]] = [[] for _ in start]  # S_l, m x d_l
        self.right: list[list[fmpq_mat]] = [[] for _ in start]  # P_l, d_(l-1) x n
        self.residual: list[fmpq_mat] = []
        self.pulled: list[list[fmpq_mat]] = [[] for _ in start]  # residual times P_l^T
        self.left_gram: list[list[fmpq_mat]] = [[] for _ in start]
        self.right_gram: list[list[fmpq_mat]] = [[] for _ in start]
        self.shape = (m, n)
        self._products(0)

    @staticmethod
    def _identity(size: int) -> fmpq_mat:
        return fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])

    def _products(self, k: int) -> None:
        """Coefficient k of everything that depends on coefficients 0..k of the factors."""
        m, n = self.shape
        product = self._identity(n) if k == 0 else fmpq_mat(n, n)
        for level, w in enumerate(self.factors):
            self.right[level].append(product)
            product = _cauchy(w, self.right[level], k)
        observed = fmpq_mat(m, n)
        for i, j in self.cells:
            observed[i, j] = product[i, j] + (self.shift[i, j] if k == 0 else 0)
        self.residual.append(observed)
        tail = self._identity(m) if k == 0 else fmpq_mat(m, m)
        for level in reversed(range(self.depth)):
            self.left[level].append(tail)
            tail = _cauchy(self.left[level], self.factors[level], k)
        for level in range(self.depth):
            left, right = self.left[level], self.right[level]
            self.pulled[level].append(_cauchy(self.residual, [p.transpose() for p in right], k))
            self.left_gram[level].append(_cauchy(left, [s.transpose() for s in left], k))
            self.right_gram[level].append(_cauchy([p.transpose() for p in right], right, k))

    def reach(self, order: int) -> None:
        """Make coefficients up to `order` available."""
        while (k := len(self.residual) - 1) < order:
            for level in range(self.depth):
                velocity = _cauchy([s.transpose() for s in self.left[level]], self.pulled[level], k)
                self.factors[level].append(velocity * (self.sign / (k + 1)))
            self._products(k + 1)

    def gram(self, order: int, a: Cell, b: Cell) -> fmpq:
        """Coefficient of t^order of the inner product of the gradients of two entries."""
        self.reach(order)
        (i, j), (x, y) = a, b
        total = fmpq(0)
        for lefts, rights in zip(self.left_gram, self.right_gram, strict=True):
            for k in range(order + 1):
                value = lefts[k][i, x]
                if value:
                    total += value * rights[order - k][j, y]
        return total

    def parameters(self, order: int) -> list[fmpq]:
        """Coefficient of t^order of all parameters, layer by layer, row by row."""
        self.reach(order)
        return [v for w in self.factors for v in w[order].entries()]


def _cauchy(a: Sequence[fmpq_mat], b: Sequence[fmpq_mat], k: int) -> fmpq_mat:
    total = a[0] * b[k]
    for i in range(1, k + 1):
        total += a[i] * b[k - i]
    return total


class _Bounded:
    """Taylor coefficients of inner products with a radius that covers a ball of starts."""

    def __init__(
        self,
        observations: Observations,
        mid: list[list[list[Fraction]]],
        rad: list[list[list[Fraction]]] | None,
    ) -> None:
        self.centre = _Series(observations, [_flint(w) for w in mid])
        self.inner: _Series | None = None
        self.outer: _Series | None = None
        if rad is not None:
            size = [[[abs(v) for v in row] for row in w] for w in mid]
            wide = [
                [[v + r for v, r in zip(row, add, strict=True)] for row, add in zip(w, e, strict=True)]
                for w, e in zip(size, rad, strict=True)
            ]
            self.inner = _Series(observations, [_flint(w) for w in size], absolute=True)
            self.outer = _Series(observations, [_flint(w) for w in wide], absolute=True)

    def gram(self, order: int, a: Cell, b: Cell) -> tuple[Fraction, Fraction]:
        value = _fraction(self.centre.gram(order, a, b))
        if self.inner is None or self.outer is None:
            return value, Fraction(0)
        return value, _fraction(self.outer.gram(order, a, b) - self.inner.gram(order, a, b))

    def parameters(self, order: int) -> list[fmpq]:
        return self.centre.parameters(order)


# ------------------------------------------------------------------------------------------- lasting zeros


Support = list[list[int]]  # for each layer and row a, the columns b that may be non-zero, as bits


def _closed_support(
    observations: Observations,
    mid: list[list[list[Fraction]]],
    rad: list[list[list[Fraction]]] | None,
) -> Support:
    """Smallest set of places that contains the non-zero entries of the start and that the flow cannot leave.

    On factors with free entries in these places and zeros elsewhere, the velocity of a place outside vanishes
    identically. The velocity of entry (a, b) of W_l is -sum over observed (p, q) of (w_pq - w*_pq) X_pa Y_bq
    with X, Y the products above and below. All these are sums of distinct monomials with coefficient one, and
    terms of different (p, q) or of different degree cannot cancel; so the velocity vanishes identically
    exactly if for each observed (p, q) there is no path from q to b below or none from a to p above, or else
    w*_pq = 0 and there is no path from q to p at all.
    """
    support: Support = [
        [
            sum(1 << b for b, v in enumerate(row) if v or (rad is not None and rad[level][a][b]))
            for a, row in enumerate(w)
        ]
        for level, w in enumerate(mid)
    ]
    values = observations.values
    while True:
        before = [list(rows) for rows in support]
        for cell, (gradient, reached) in _gradients(observations, support).items():
            if values[cell] or reached:
                for rows, (above, below) in zip(support, gradient, strict=True):
                    for a in _bits(above) if below else ():
                        rows[a] |= below
        if support == before:
            return support


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _gradients(
    observations: Observations, support: Support
) -> dict[Cell, tuple[list[tuple[int, int]], bool]]:
    """For each observed cell and layer the rows and the columns whose places are in its gradient (as bits),
    and whether the entry itself is not identically zero.
    """
    below: list[list[int]] = []  # below[l][q]: indices reached from column q before layer l
    reach = [1 << q for q in range(observations.cols)]
    for rows in support:
        below.append(reach)
        reach = [sum(1 << a for a, row in enumerate(rows) if row & now) for now in reach]
    above: list[list[int]] = []  # above[l][p]: indices from which row p is reached after layer l
    back = [1 << p for p in range(observations.rows)]
    for rows in reversed(support):
        above.insert(0, back)
        pulled = []
        for now in back:
            found = 0
            for a in _bits(now):
                found |= rows[a]
            pulled.append(found)
        back = pulled
    return {
        (p, q): ([(x[p], y[q]) for x, y in zip(above, below, strict=True)], bool(reach[q] >> p & 1))
        for p, q in observations.cells
    }


def _support_pairs(observations: Observations, support: Support) -> Callable[[Cell, Cell], bool]:
    gradients = {cell: places for cell, (places, _) in _gradients(observations, support).items()}

    def joined(a: Cell, b: Cell) -> bool:
        return any(x & z and y & w for (x, y), (z, w) in zip(gradients[a], gradients[b], strict=True))

    return joined


# ------------------------------------------------------------------------------------------- affine sets


class _Span:
    """The start plus the span of time derivatives seen so far; `rows` is its reduced basis."""

    def __init__(self, start: list[list[list[Fraction]]]) -> None:
        self.start = start
        self.shapes = [(len(w), len(w[0])) for w in start]
        self.origin = [fmpq(v.numerator, v.denominator) for w in start for row in w for v in row]
        self.rows: list[list[fmpq]] = []
        self.pivots: list[int] = []
        self.tried = -1

    def add(self, vector: list[fmpq]) -> bool:
        """Add a direction; whether the span has grown."""
        rest = vector
        for pivot, row in zip(self.pivots, self.rows, strict=True):
            factor = rest[pivot]
            if factor:
                rest = [v - factor * w for v, w in zip(rest, row, strict=True)]
        pivot = next((k for k, v in enumerate(rest) if v), -1)
        if pivot < 0:
            return False
        new = [v / rest[pivot] for v in rest]
        self.rows = [[v - row[pivot] * w for v, w in zip(row, new, strict=True)] for row in self.rows]
        self.rows.append(new)
        self.pivots.append(pivot)
        return True

    def parts(self, observations: Observations) -> list[list[Cell]]:
        """Parts that have orthogonal gradients on the whole set; one part if the set is not shown to be
        invariant.
        """
        cells, rank, degree = list(observations.cells), len(self.rows), 2 * len(self.shapes) - 1
        whole = [cells]
        if rank == self.tried or comb(rank + degree, degree) > MAX_POINTS:
            return whole
        self.tried = rank
        groups = _Groups(cells)
        for point in _lattice(rank, degree):
            series = _Series(observations, self._factors(point))
            velocity = series.parameters(1)
            for pivot, row in zip(self.pivots, self.rows, strict=True):
                factor = velocity[pivot]
                if factor:
                    velocity = [v - factor * w for v, w in zip(velocity, row, strict=True)]
            if any(velocity):
                return whole
            for a, b in groups.apart():
                if series.gram(0, a, b):
                    groups.join(a, b)
            if groups.count == 1:
                return whole
        return groups.sets()

    def _factors(self, point: Sequence[int]) -> list[fmpq_mat]:
        flat = list(self.origin)
        for step, row in zip(point, self.rows, strict=True):
            if step:
                flat = [v + step * w for v, w in zip(flat, row, strict=True)]
        factors, at = [], 0
        for rows, cols in self.shapes:
            factors.append(fmpq_mat(rows, cols, flat[at : at + rows * cols]))
            at += rows * cols
        return factors


def _lattice(dimension: int, total: int) -> Iterator[tuple[int, ...]]:
    """All points of {0, 1, ...}^dimension with coordinate sum at most `total`."""
    if dimension == 0:
        yield ()
        return
    for first in range(total + 1):
        for rest in _lattice(dimension - 1, total - first):
            yield (first, *rest)
