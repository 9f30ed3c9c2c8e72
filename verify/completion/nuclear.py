"""Smallest nuclear norm of a completion, between two bounds that exact arithmetic proves.

Lower bound: for every matrix Y that is zero off the observed cells and has spectral norm at most 1, each
completion X of M satisfies |X|_* >= <X, Y> = sum of M_ij Y_ij over the observed cells. Upper bound: a
completion X with symmetric matrices P, Q such that [[P, X], [X^T, Q]] is positive semidefinite has |X|_* <=
(tr P + tr Q) / 2. A conic solver in double precision finds X and Y; both are rounded to rationals and the
two matrix inequalities are proved by exact elimination. Different components of the observation graph do not
interact (pinching), and a component whose cells are all observed needs no solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.completion.enclosure import Enclosure
from verify.completion.graph import Component, components
from verify.completion.observations import ObservationError, Observations, ratio_text
from verify.completion.spectrum import singular_values

MAX_SIDE = 60
"""Largest number of rows and columns together of one component."""

_BITS = 60


@dataclass(frozen=True)
class NuclearBounds:
    """Bounds of the smallest nuclear norm of a completion, with what proves them.

    Attributes:
        value: the bounds.
        completion: a completion whose nuclear norm is at most `value.upper`; shape (m, n).
        dual: Y; shape (m, n), zero where nothing is observed, spectral norm at most 1.
        evidence: plain data for `verify.completion.recheck.recheck_nuclear`: `shape`, `entries`, `dual`
            [[i, j, value]], `completion`, `left` (P) and `right` (Q).
    """

    value: Enclosure
    completion: tuple[tuple[Fraction, ...], ...]
    dual: tuple[tuple[Fraction, ...], ...]
    evidence: Mapping[str, Any]


def minimum_nuclear_norm(observations: Observations) -> NuclearBounds:
    """Enclose the smallest nuclear norm of all completions of the observations.

    Args:
        observations: m x n; a component of the observation graph has at most `MAX_SIDE` rows and columns.

    Returns:
        Bounds that hold whatever the solver did; their relative distance is about 1e-8 or better.

    Raises:
        ObservationError: a component is too large.
        ImportError: a component is not completely observed, and clarabel is not installed.

    Source: Candes and Recht, Exact matrix completion via convex optimization, 2009, for the dual.
    """
    m, n = observations.rows, observations.cols
    known = observations.values
    largest = max(map(abs, known.values()))
    dual = [[Fraction(0)] * n for _ in range(m)]
    complete = [[Fraction(0)] * n for _ in range(m)]
    left = [[Fraction(0)] * m for _ in range(m)]
    right = [[Fraction(0)] * n for _ in range(n)]
    for part in components(observations.pattern) if largest else ():
        if len(part.rows) + len(part.cols) > MAX_SIDE:
            raise ObservationError(
                f"a component of {len(part.rows)} rows and {len(part.cols)} columns; "
                f"at most {MAX_SIDE} together"
            )
        size = max(abs(known[cell]) for cell in part.cells)
        if not size:
            continue
        scale = _power_of_two(size)
        block = {(i, j): known[i, j] / scale for i, j in part.cells}
        x, y = _polar(part, block) if part.is_complete else _solve(part, block)
        p, q = _gram_roots(x)
        for a, i in enumerate(part.rows):
            for b, j in enumerate(part.cols):
                complete[i][j], dual[i][j] = x[a][b] * scale, y[a][b]
            for b, j in enumerate(part.rows):
                left[i][j] = p[a][b] * scale
        for a, i in enumerate(part.cols):
            for b, j in enumerate(part.cols):
                right[i][j] = q[a][b] * scale
    lower = sum((v * dual[i][j] for (i, j), v in known.items()), Fraction(0))
    upper = (
        sum((left[i][i] for i in range(m)), Fraction(0)) + sum((right[j][j] for j in range(n)), Fraction(0))
    ) / 2
    data = observations.to_data()
    evidence = {
        "kind": "nuclear",
        "shape": data["shape"],
        "entries": data["entries"],
        "dual": [[i, j, ratio_text(dual[i][j])] for i, j in observations.cells],
        "completion": _text(complete),
        "left": _text(left),
        "right": _text(right),
    }
    return NuclearBounds(
        Enclosure(lower, upper), tuple(map(tuple, complete)), tuple(map(tuple, dual)), evidence
    )


def _text(matrix: list[list[Fraction]]) -> list[list[str]]:
    return [[ratio_text(v) for v in row] for row in matrix]


def _power_of_two(value: Fraction) -> Fraction:
    """A power of two within a factor of two of a positive value of any size."""
    return Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length())


def _rounded(value: float) -> Fraction:
    """A nearby multiple of 2^-_BITS."""
    return Fraction(round(Fraction(value) * 2**_BITS), 2**_BITS)


def _contraction(y: list[list[Fraction]]) -> list[list[Fraction]]:
    """y, divided by slightly more than its spectral norm if that may exceed 1."""
    norm = singular_values(y)[0].upper
    if norm <= 1:
        return y
    bound = Fraction(-((-norm * 2**_BITS) // 1) + 1, 2**_BITS)
    return [[v / bound for v in row] for row in y]


def _polar(
    part: Component, block: Mapping[tuple[int, int], Fraction]
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Completion and dual matrix of a component that is completely observed."""
    import numpy as np

    x = [[block[i, j] for j in part.cols] for i in part.rows]
    u, s, v = np.linalg.svd(np.array([[float(t) for t in row] for row in x]), full_matrices=False)
    keep = s > s[0] * 1e-17  # unit singular directions of tiny values only cost accuracy in the upper bound
    polar = (u[:, keep]) @ v[keep]
    return x, _contraction([[_rounded(t) for t in row] for row in polar])


def _solve(
    part: Component, block: Mapping[tuple[int, int], Fraction]
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Completion and dual matrix of a component from the conic problem max <M, Y> with [[I, Y], [Y^T, I]]
    >= 0.
    """
    try:
        import clarabel
    except ImportError:
        raise ImportError("the minimum nuclear norm needs clarabel, which is missing; install the project again") from None
    import numpy as np
    from scipy import sparse

    m, n = len(part.rows), len(part.cols)
    row_at = {i: a for a, i in enumerate(part.rows)}
    col_at = {j: b for b, j in enumerate(part.cols)}
    size = m + n
    triangle = size * (size + 1) // 2

    def place(a: int, b: int) -> int:  # upper triangle, column by column
        return b * (b + 1) // 2 + a

    places = [place(row_at[i], m + col_at[j]) for i, j in part.cells]
    constraint = sparse.csc_matrix(
        (np.full(len(places), -np.sqrt(2.0)), (places, range(len(places)))), shape=(triangle, len(places))
    )
    offset = np.zeros(triangle)
    offset[[place(a, a) for a in range(size)]] = 1.0
    objective = np.array([-float(block[cell]) for cell in part.cells])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = 200
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix((len(places), len(places))),
        objective,
        constraint,
        offset,
        [clarabel.PSDTriangleConeT(size)],
        settings,
    )
    solution = solver.solve()
    y = [[Fraction(0)] * n for _ in range(m)]
    x = [[Fraction(0)] * n for _ in range(m)]
    primal, multipliers = _finite(solution.x), _finite(solution.z)
    for a in range(m):
        for b in range(n):
            x[a][b] = _rounded(-multipliers[place(a, m + b)] * 2**0.5)
    for (i, j), value in zip(part.cells, primal, strict=True):
        y[row_at[i]][col_at[j]] = _rounded(value)
        x[row_at[i]][col_at[j]] = block[i, j]
    return x, _contraction(y)


def _finite(values: Any) -> list[float]:
    """Numbers from the solver, zero instead of what is not finite or absurdly large."""
    return [float(v) if abs(float(v)) < 1e15 else 0.0 for v in values]


def _gram_roots(x: list[list[Fraction]]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Rational P, Q with [[P, X], [X^T, Q]] positive semidefinite and traces close to the nuclear norm of
    X.
    """
    import numpy as np

    from verify.completion.recheck import is_semidefinite

    u, s, v = np.linalg.svd(np.array([[float(t) for t in row] for row in x]), full_matrices=False)
    halves = []
    for side in (u, v.T):
        rough = (side * s) @ side.T
        half = [[_rounded(rough[max(a, b), min(a, b)]) for b in range(len(rough))] for a in range(len(rough))]
        halves.append(half)
    p, q = halves
    shift = Fraction(1, 2**52)  # the size of rounding errors; doubled until the exact check agrees
    while True:
        shifted = [
            [[v + shift if a == b else v for b, v in enumerate(row)] for a, row in enumerate(half)]
            for half in (p, q)
        ]
        if is_semidefinite(_joined(shifted[0], x, shifted[1])):
            return shifted[0], shifted[1]
        shift *= 2


def _joined(
    p: list[list[Fraction]], x: list[list[Fraction]], q: list[list[Fraction]]
) -> list[list[Fraction]]:
    top = [[*a, *b] for a, b in zip(p, x, strict=True)]
    bottom = [[*(row[j] for row in x), *q[j]] for j in range(len(q))]
    return top + bottom
