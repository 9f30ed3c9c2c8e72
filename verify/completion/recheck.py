"""Independent check of the evidence that this package hands out: exact fractions only, no search, no other
module.

`recheck_coupling` takes what `Coupling.to_data` gives, `recheck_nuclear` and `recheck_rank` what the bounds
in `rank` give. Each returns what the evidence proves, recomputed from the problem in it, or raises
`EvidenceError`. Nothing in the evidence is believed; only its hints (which coefficients, which set, which
matrices) are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from typing import Any

Number = Fraction
Table = list[list[Fraction]]
Place = tuple[int, int]
Poly = list[Fraction]  # coefficients of t^0, t^1, ...

MAX_ORDER = 40
MAX_POINTS = 20_000
MAX_TEXT = 200_000


class EvidenceError(ValueError):
    """Evidence that proves nothing: malformed, or false."""


def _need(condition: bool, problem: str) -> None:
    if not condition:
        raise EvidenceError(problem)


def _number(value: Any) -> Fraction:
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        sign = value[:1] == "-"
        top, slash, bottom = value[sign:].partition("/")
        digits = [top, bottom] if slash else [top]
        if all(d and d.isascii() and d.isdigit() for d in digits):
            p, q = _integer(top), _integer(bottom) if slash else 1
            _need(q > 0, "a denominator is 0")
            return Fraction(-p if sign else p, q)
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    raise EvidenceError("a number must be written p or p/q")


def _integer(digits: str) -> int:
    """Value of a digit string of any length (Python's own conversion stops at 4300 digits)."""
    if len(digits) <= 4000:
        return int(digits)
    half = len(digits) // 2
    return _integer(digits[:-half]) * 10**half + _integer(digits[-half:])


def _index(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise EvidenceError("an index must be a whole number from 0")


def _list(value: Any) -> Sequence[Any]:
    if isinstance(value, (list, tuple)):
        return value
    raise EvidenceError("a list is missing")


def _field(data: Any, key: str) -> Any:
    if isinstance(data, Mapping) and key in data:
        return data[key]
    raise EvidenceError(f"the field {key!r} is missing")


def _place(value: Any) -> Place:
    pair = _list(value)
    _need(len(pair) == 2, "a place must be a pair")
    return _index(pair[0]), _index(pair[1])


def _table(value: Any, rows: int | None = None, cols: int | None = None) -> Table:
    table = [[_number(v) for v in _list(row)] for row in _list(value)]
    _need(bool(table) and all(len(row) == len(table[0]) for row in table), "a matrix is not rectangular")
    _need(rows is None or len(table) == rows, "a matrix has a wrong number of rows")
    _need(cols is None or len(table[0]) == cols, "a matrix has a wrong number of columns")
    return table


class _Problem:
    """Shape, observed values, factors and radii of a coupling problem."""

    def __init__(self, data: Any) -> None:
        self.rows, self.cols = _place(_field(data, "shape"))
        self.values = _observed(data, self.rows, self.cols)
        self.cells = sorted(self.values)
        self.factors = [_table(w) for w in _list(_field(data, "factors"))]
        _need(bool(self.factors), "no factors")
        widths = [len(self.factors[0][0]), *(len(w) for w in self.factors)]
        _need(widths[0] == self.cols and widths[-1] == self.rows, "the factors do not fit the shape")
        for w, inner in zip(self.factors, widths, strict=False):
            _need(len(w[0]) == inner, "the factors do not fit each other")
        given = data.get("radii")
        self.radii: list[Table] | None = None
        if given is not None:
            _need(len(_list(given)) == len(self.factors), "one matrix of radii for each factor is needed")
            self.radii = [_table(r, len(w), len(w[0])) for r, w in zip(given, self.factors, strict=True)]
            _need(all(v >= 0 for r in self.radii for row in r for v in row), "a radius is negative")


def _observed(data: Any, rows: int, cols: int) -> dict[Place, Fraction]:
    values: dict[Place, Fraction] = {}
    for entry in _list(_field(data, "entries")):
        _need(len(_list(entry)) == 3, "an entry must be [row, column, value]")
        cell = _place(entry[:2])
        _need(cell[0] < rows and cell[1] < cols, "an entry is outside the matrix")
        _need(cell not in values, "an entry is given twice")
        values[cell] = _number(entry[2])
    _need(bool(values), "no observed entry")
    return values


def recheck_coupling(data: Mapping[str, Any]) -> str:
    """Check a coupling verdict.

    Args:
        data: what `Coupling.to_data` returned, possibly after a round trip through JSON.

    Returns:
        `coupled` or `decoupled` when the evidence proves it, `undecided` when it claims nothing.

    Raises:
        EvidenceError: the evidence does not prove the verdict that stands in it.
    """
    problem = _Problem(_field(data, "problem"))
    evidence = _field(data, "evidence")
    kind = _field(evidence, "kind")
    if kind == "none":
        proved = "undecided"
    elif kind == "single":
        _need(len(problem.cells) == 1, "there is more than one observation")
        proved = "coupled"
    elif kind == "taylor":
        _check_edges(problem, _list(_field(evidence, "edges")))
        proved = "coupled"
    elif kind in ("support", "affine"):
        where = _parts(problem, _field(evidence, "parts"))
        across = [(a, b) for a, b in combinations(problem.cells, 2) if where[a] != where[b]]
        if kind == "support":
            _check_support(problem, _list(_field(evidence, "places")), across)
        else:
            _check_affine(problem, _list(_field(evidence, "directions")), across)
        proved = "decoupled"
    else:
        raise EvidenceError("unknown kind of evidence")
    _need(_field(data, "verdict") == proved, f"the evidence shows {proved}, not what the verdict says")
    return proved


def _parts(problem: _Problem, given: Any) -> dict[Place, int]:
    where: dict[Place, int] = {}
    parts = _list(given)
    _need(len(parts) >= 2 and all(len(_list(p)) for p in parts), "two non-empty parts at least are needed")
    for number, part in enumerate(parts):
        for cell in map(_place, part):
            _need(cell in problem.values and cell not in where, "the parts do not partition the observations")
            where[cell] = number
    _need(len(where) == len(problem.cells), "the parts do not partition the observations")
    return where


# ------------------------------------------------------------------------------------------- Taylor series


def _times(a: Poly, b: Poly, order: int) -> Poly:
    out = [Fraction(0)] * (order + 1)
    for i, x in enumerate(a[: order + 1]):
        if x:
            for j, y in enumerate(b[: order + 1 - i]):
                out[i + j] += x * y
    return out


def _matmul(a: list[list[Poly]], b: list[list[Poly]], order: int) -> list[list[Poly]]:
    out = []
    for row in a:
        line = []
        for j in range(len(b[0])):
            total = [Fraction(0)] * (order + 1)
            for x, other in zip(row, b, strict=True):
                total = [u + v for u, v in zip(total, _times(x, other[j], order), strict=True)]
            line.append(total)
        out.append(line)
    return out


def _unit(size: int, order: int) -> list[list[Poly]]:
    return [[[Fraction(int(i == j))] + [Fraction(0)] * order for j in range(size)] for i in range(size)]


def _around(
    problem: _Problem, factors: list[list[list[Poly]]], order: int
) -> tuple[list[list[list[Poly]]], list[list[list[Poly]]], list[list[Poly]]]:
    """Products above each layer, products below each layer, and the whole product."""
    below = [_unit(problem.cols, order)]
    for w in factors:
        below.append(_matmul(w, below[-1], order))
    above = [_unit(problem.rows, order)]
    for w in reversed(factors[1:]):
        above.insert(0, _matmul(above[0], w, order))
    return above, below[:-1], below[-1]


def _picard(
    problem: _Problem, start: list[Table], order: int, positive: bool
) -> tuple[list[list[list[Poly]]], list[list[list[Poly]]]]:
    """Products above and below each layer along the flow, up to t^order, by Picard's iteration.

    With `positive` all signs in the equation are taken positive, which gives majorants.
    """
    sign = Fraction(1 if positive else -1)
    factors = [[[[v] + [Fraction(0)] * order for v in row] for row in w] for w in start]
    for _ in range(order):
        above, below, product = _around(problem, factors, order)
        residual = {cell: list(product[cell[0]][cell[1]]) for cell in problem.cells}
        for cell, value in problem.values.items():
            residual[cell][0] += abs(value) if positive else -value
        for level, w in enumerate(factors):
            for a, row in enumerate(w):
                for b in range(len(row)):
                    speed = [Fraction(0)] * (order + 1)
                    for (p, q), rest in residual.items():
                        term = _times(_times(above[level][p][a], below[level][b][q], order), rest, order)
                        speed = [u + v for u, v in zip(speed, term, strict=True)]
                    row[b] = [start[level][a][b]] + [sign * speed[k] / (k + 1) for k in range(order)]
    above, below, _ = _around(problem, factors, order)
    return above, below


def _inner(
    flow: tuple[list[list[list[Poly]]], list[list[list[Poly]]]], one: Place, two: Place, order: int
) -> Fraction:
    """Coefficient of t^order of the inner product of two gradients.

    Layer by layer, the sum over a and b of X_pa Y_bq X_xa Y_by is the sum over a times the sum over b.
    """
    total = Fraction(0)
    for above, below in zip(*flow, strict=True):
        rows = _dot(above[one[0]], above[two[0]], order)
        if any(rows):
            cols = _dot([row[one[1]] for row in below], [row[two[1]] for row in below], order)
            total += sum((rows[k] * cols[order - k] for k in range(order + 1)), Fraction(0))
    return total


def _dot(a: Sequence[Poly], b: Sequence[Poly], order: int) -> Poly:
    total = [Fraction(0)] * (order + 1)
    for x, y in zip(a, b, strict=True):
        total = [u + v for u, v in zip(total, _times(x, y, order), strict=True)]
    return total


def _check_edges(problem: _Problem, edges: Sequence[Any]) -> None:
    claims = []
    for edge in edges:
        ends = _list(_field(edge, "cells"))
        _need(len(ends) == 2, "an edge joins two cells")
        one, two = _place(ends[0]), _place(ends[1])
        _need(one in problem.values and two in problem.values, "an edge joins cells that are not observed")
        order = _index(_field(edge, "order"))
        _need(order <= MAX_ORDER, f"orders beyond {MAX_ORDER} are not checked")
        claims.append((one, two, order, _number(_field(edge, "value")), _number(_field(edge, "radius"))))
    top = max((c[2] for c in claims), default=0)
    centre = _picard(problem, problem.factors, top, False)
    inner = outer = None
    if problem.radii is not None:
        size = [[[abs(v) for v in row] for row in w] for w in problem.factors]
        wide = [
            [[v + e for v, e in zip(row, more, strict=True)] for row, more in zip(w, r, strict=True)]
            for w, r in zip(size, problem.radii, strict=True)
        ]
        inner, outer = _picard(problem, size, top, True), _picard(problem, wide, top, True)
    linked = {cell: {cell} for cell in problem.cells}
    for one, two, order, value, radius in claims:
        actual = _inner(centre, one, two, order)
        spread = Fraction(0)
        if inner is not None and outer is not None:
            spread = _inner(outer, one, two, order) - _inner(inner, one, two, order)
        _need(actual == value and spread == radius, "a Taylor coefficient is not what the evidence says")
        _need(abs(actual) > spread, "a Taylor coefficient may be zero")
        both = linked[one] | linked[two]
        for cell in both:
            linked[cell] = both
    _need(linked[problem.cells[0]] == set(problem.cells), "the edges do not connect all observations")


# ------------------------------------------------------------------------------------------- invariant sets


def _check_support(problem: _Problem, given: Sequence[Any], across: Sequence[tuple[Place, Place]]) -> None:
    """Entries outside the places are zero at the start, cannot move, and then the parts share no parameter.

    With free entries in the places, products of factors are sums of distinct monomials with coefficient one,
    so what is not identically zero is exactly what a path reaches; see `verify.completion.coupling`.
    """
    depth = len(problem.factors)
    _need(len(given) == depth, "the places of every layer are needed")
    places = [{_place(p) for p in _list(layer)} for layer in given]
    for level, w in enumerate(problem.factors):
        for a, row in enumerate(w):
            for b, v in enumerate(row):
                spread = problem.radii[level][a][b] if problem.radii is not None else Fraction(0)
                _need((a, b) in places[level] or (v == 0 and spread == 0), "a start is outside the set")

    def reachable(source: int, first: int, last: int) -> set[int]:
        """Where paths from index `source` before layer `first` lead to, after the layers first..last-1."""
        now = {source}
        for level in range(first, last):
            now = {a for a, b in places[level] if b in now}
        return now

    inner = [len(w[0]) for w in problem.factors]
    below = [[reachable(q, 0, level) for q in range(problem.cols)] for level in range(depth)]
    ahead = [
        [reachable(a, level + 1, depth) for a in range(len(w))] for level, w in enumerate(problem.factors)
    ]
    above = [[{a for a, met in enumerate(side) if p in met} for p in range(problem.rows)] for side in ahead]
    for p, q in problem.cells:
        if problem.values[p, q] == 0 and p not in reachable(q, 0, depth):
            continue  # the residual vanishes identically
        for level in range(depth):
            _need(
                all((a, b) in places[level] for a in above[level][p] for b in below[level][q]),
                "the flow can leave the set",
            )
    _need(all(b < n for layer, n in zip(places, inner, strict=True) for _, b in layer), "a place is outside")
    for (p, q), (x, y) in across:
        for level in range(depth):
            _need(
                above[level][p].isdisjoint(above[level][x]) or below[level][q].isdisjoint(below[level][y]),
                "two parts share a parameter",
            )


def _check_affine(
    problem: _Problem, directions: Sequence[Any], across: Sequence[tuple[Place, Place]]
) -> None:
    """The velocity lies in the span of the directions all over the affine set, and inner products vanish on
    it.

    Both are polynomials of total degree at most D = 2 L - 1 in the coordinates of the set; such a polynomial
    vanishes identically if it vanishes at the points of {0, 1, ...}^r with coordinate sum at most D.
    """
    _need(problem.radii is None, "an affine set holds no ball")
    size = sum(len(w) * len(w[0]) for w in problem.factors)
    rows = [[_number(v) for v in _list(row)] for row in directions]
    _need(all(len(row) == size for row in rows), "a direction must name all parameters")
    pivots = []
    for row in rows:
        pivot = next((k for k, v in enumerate(row) if v), None)
        _need(pivot is not None and row[pivot] == 1, "the directions are not a reduced basis")
        assert pivot is not None
        _need(
            all(other is row or other[pivot] == 0 for other in rows), "the directions are not a reduced basis"
        )
        pivots.append(pivot)
    degree = 2 * len(problem.factors) - 1
    _need(comb(len(rows) + degree, degree) <= MAX_POINTS, "an affine set of too many dimensions")
    origin = [v for w in problem.factors for row in w for v in row]
    for point in _lattice(len(rows), degree):
        flat = [
            v + sum((step * row[k] for step, row in zip(point, rows, strict=True)), Fraction(0))
            for k, v in enumerate(origin)
        ]
        values = iter(flat)
        factors = [[[[next(values)] for _ in row] for row in w] for w in problem.factors]
        above, below, product = _around(problem, factors, 0)
        rest = {(p, q): product[p][q][0] - value for (p, q), value in problem.values.items()}
        speed = [
            -sum(
                (above[level][p][a][0] * r * below[level][b][q][0] for (p, q), r in rest.items() if r),
                Fraction(0),
            )
            for level, w in enumerate(factors)
            for a, row in enumerate(w)
            for b in range(len(row))
        ]
        for k, v in enumerate(speed):
            inside = sum((speed[c] * row[k] for c, row in zip(pivots, rows, strict=True)), Fraction(0))
            _need(v == inside, "the flow can leave the set")
        for one, two in across:
            _need(_inner((above, below), one, two, 0) == 0, "gradients of two parts are not orthogonal")


def _lattice(dimension: int, total: int) -> Iterator[tuple[int, ...]]:
    if dimension == 0:
        yield ()
        return
    for first in range(total + 1):
        for rest in _lattice(dimension - 1, total - first):
            yield (first, *rest)


# ------------------------------------------------------------------------------------------- matrix bounds


def is_semidefinite(matrix: Sequence[Sequence[Fraction]]) -> bool:
    """Whether a symmetric matrix of rationals is positive semidefinite, by elimination without fractions: the numbers on
    the way are minors of the matrix times a common denominator.
    """
    size = len(matrix)
    if any(len(row) != size for row in matrix):
        return False
    if any(matrix[i][j] != matrix[j][i] for i in range(size) for j in range(i)):
        return False
    scale = lcm(*(v.denominator for row in matrix for v in row))
    rows = [[v.numerator * (scale // v.denominator) for v in row] for row in matrix]
    before = 1
    for k in range(size):
        top = rows[k]
        pivot = top[k]
        if pivot < 0 or (pivot == 0 and any(top[k + 1 :])):
            return False
        if pivot:
            for i in range(k + 1, size):
                row, factor = rows[i], top[i]
                for j in range(i, size):
                    row[j] = (row[j] * pivot - factor * top[j]) // before
            before = pivot
    return True


def _shape(data: Any) -> tuple[int, int, dict[Place, Fraction]]:
    rows, cols = _place(_field(data, "shape"))
    return rows, cols, _observed(data, rows, cols)


def recheck_nuclear(evidence: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Bounds of the smallest nuclear norm of a completion that the evidence proves.

    Args:
        evidence: `NuclearBounds.evidence`.

    Returns:
        A lower and an upper bound.

    Raises:
        EvidenceError: malformed, or one of the inequalities does not hold.
    """
    _need(_field(evidence, "kind") == "nuclear", "unknown kind of evidence")
    rows, cols, values = _shape(evidence)
    x = _table(_field(evidence, "completion"), rows, cols)
    _need(all(x[i][j] == v for (i, j), v in values.items()), "the completion changes an observed entry")
    y = [[Fraction(0)] * cols for _ in range(rows)]
    for entry in _list(_field(evidence, "dual")):
        _need(len(_list(entry)) == 3, "an entry must be [row, column, value]")
        i, j = _place(entry[:2])
        _need((i, j) in values, "the dual matrix is not zero where nothing is observed")
        y[i][j] = _number(entry[2])
    p = _table(_field(evidence, "left"), rows, rows)
    q = _table(_field(evidence, "right"), cols, cols)
    _need(is_semidefinite(_block(p, x, q)), "the upper bound does not hold")
    _need(is_semidefinite(_block(_identity(rows), y, _identity(cols))), "the dual matrix is too large")
    lower = sum((v * y[i][j] for (i, j), v in values.items()), Fraction(0))
    trace = sum((p[i][i] for i in range(rows)), Fraction(0)) + sum(
        (q[j][j] for j in range(cols)), Fraction(0)
    )
    return lower, trace / 2


def _identity(size: int) -> Table:
    return [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]


def _block(p: Table, x: Table, q: Table) -> Table:
    return [a + b for a, b in zip(p, x, strict=True)] + [[row[j] for row in x] + q[j] for j in range(len(q))]


def recheck_rank(evidence: Mapping[str, Any]) -> tuple[int, int]:
    """Bounds of the smallest rank of a completion that the evidence proves.

    Args:
        evidence: `RankBounds.evidence`.

    Returns:
        A lower and an upper bound.

    Raises:
        EvidenceError: malformed, or what it says is not so.
    """
    _need(_field(evidence, "kind") == "rank", "unknown kind of evidence")
    rows, cols, values = _shape(evidence)
    return _rank_below(_field(evidence, "lower"), values), _rank_above(
        _field(evidence, "upper"), rows, cols, values
    )


def _rank_below(given: Any, values: Mapping[Place, Fraction]) -> int:
    kind = _field(given, "kind")
    if kind == "none":
        return 0
    if kind == "minor":
        rows, cols = ([_index(v) for v in _list(_field(given, side))] for side in ("rows", "cols"))
        _need(len(rows) == len(cols) and bool(rows), "a minor must be square")
        _need(all((i, j) in values for i in rows for j in cols), "a minor uses an entry that is not observed")
        _need(_determinant([[values[i, j] for j in cols] for i in rows]) != 0, "a minor is zero")
        return len(rows)
    cells = [_place(cell) for cell in _list(_field(given, "cells"))]
    _need(all(cell in values for cell in cells), "an entry is not observed")
    if kind == "zero":  # a matrix of rank one with w_iy and w_xj not zero has w_ij not zero
        _need(len(cells) == 3, "three cells are needed")
        (i, j), (x, y), (z, w) = cells
        _need(i == x and j == w, "the cells do not share the row and the column of the first")
        _need(values[i, j] == 0 and values[x, y] != 0 and values[z, w] != 0, "the values are not as needed")
        return 2
    if kind == "cycle":  # in a matrix of rank one the products of alternating entries of a closed walk agree
        count = len(cells)
        _need(count >= 4 and count % 2 == 0, "a closed walk has an even number of cells, four at least")
        products = [Fraction(1), Fraction(1)]
        for k, cell in enumerate(cells):
            side = k % 2  # cells 0 and 1 share a row, 1 and 2 a column, and so on around
            _need(cell[side] == cells[(k + 1) % count][side], "the cells are not a closed walk")
            products[side] *= values[cell]
        _need(products[0] != products[1], "the products around the walk agree")
        return 2
    raise EvidenceError("unknown kind of lower bound")


def _rank_above(given: Any, rows: int, cols: int, values: Mapping[Place, Fraction]) -> int:
    rank = _index(_field(given, "rank"))
    if rank == 0:
        _need(not any(values.values()), "an observed entry is not zero")
        return 0
    left = _table(_field(given, "left"), rows, rank)
    right = _table(_field(given, "right"), rank, cols)
    for (i, j), value in values.items():
        entry = sum((left[i][k] * right[k][j] for k in range(rank)), Fraction(0))
        _need(entry == value, "the completion changes an observed entry")
    return rank


def _determinant(matrix: Table) -> Fraction:
    rows = [list(row) for row in matrix]
    product = Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            product = -product
        product *= rows[k][k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [v - factor * w for v, w in zip(rows[i], rows[k], strict=True)]
    return product
