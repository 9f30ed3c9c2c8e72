"""Sums of squares: search for a Positivstellensatz certificate with Clarabel, rounded to exact rationals.

The goal a <= b is written b - a = sigma_0 + sum sigma_k g_k with sums of squares sigma_k and products g_k of hypotheses. The
Gram matrices are found in floating point, rounded, corrected on the affine space of exact identities, and factored by an
exact LDL^T; what comes out goes through the leaf `pos`. Method: H. Peyrl, P. A. Parrilo, Theor. Comput. Sci. 409 (2008).
Nothing here is trusted.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from verify.kernel.laurent import Mono, Poly, mono_mul, poly_mul
from verify.kernel.leaves import Situation
from verify.kernel.rules import Sequent
from verify.kernel.syntax import rational
from verify.kernel.terms import LogicError, Term

DENOMINATORS = (1, 2, 3, 4, 6, 12, 60, 10**3, 10**6, 10**9)


def certificate(seq: Sequent, products: int, use: Any, degree: int | None) -> dict[str, Any] | None:
    """Arguments of a `pos` leaf for a polynomial inequality, or None."""
    try:
        import clarabel  # noqa: F401
    except ImportError:
        raise LogicError("sos: clarabel cannot be imported; install the project again") from None
    s = Situation(seq.ctx, seq.hyps, ())
    if seq.concl[0] not in ("<", "<="):
        return None
    n = s.normal
    gap = n.add(s.scalar(seq.concl[2]), s.scalar(seq.concl[1]), Fraction(-1))
    weights: list[tuple[tuple[Any, ...], Poly, bool]] = [((), {(): Fraction(1)}, True)]
    base: list[tuple[Any, Poly, bool]] = []
    for h in list(seq.hyps) if use is None else use:
        f = seq.hyp(h)
        if f[0] in ("<", "<="):
            q, positive = s.factor(("hyp", h))
            if not q.den:
                base.append((("hyp", h), q.num, positive))
    for k in range(1, products + 1):
        for combo in itertools.combinations(base, k):
            poly: Poly = {(): Fraction(1)}
            for _, p, _ in combo:
                poly = poly_mul(poly, p)
            weights.append((tuple(f for f, _, _ in combo), poly, all(p for _, _, p in combo)))
    if gap.den or any(e < 0 or not isinstance(e, int) for m in gap.num for _, e in m):
        return None
    top = max([_degree(m) for m in gap.num] + [0])
    if degree is not None:
        top = max(top, degree)
    atoms = sorted({i for p in (gap.num, *(w for _, w, _ in weights)) for m in p for i, _ in m})
    blocks: list[list[Mono]] = []
    for _, w, _ in weights:
        room = (top - max(_degree(m) for m in w)) // 2
        blocks.append(_monomials(atoms, room) if room >= 0 else [])
    _prune(gap.num, [w for _, w, _ in weights], blocks)
    grams = _solve(gap.num, [w for _, w, _ in weights], blocks)
    if grams is None:
        return None
    names = {i: n.atoms[i].term for i in atoms}
    terms: list[tuple[Any, ...]] = []
    strict = False
    for (factors, _, positive), z, gram in zip(weights, blocks, grams, strict=True):
        for d, row in gram:
            square = _as_term({m: c for m, c in zip(z, row, strict=True) if c}, names)
            constant = isinstance(square, (int, tuple)) and (isinstance(square, int) or square[0] == "q")
            strict = strict or (constant and positive)
            terms.append((rational(d), ("^", square, 2), *factors))
    if seq.concl[0] == "<" and not strict:
        return None
    return {"terms": tuple(terms)}


def _prune(target: Poly, weights: list[Poly], blocks: list[list[Mono]]) -> None:
    """Drop monomials of the first block whose square nothing else could cancel: their Gram entries are 0."""
    while True:
        others = set(target)
        for w, z in zip(weights[1:], blocks[1:], strict=True):
            for a, b in itertools.combinations_with_replacement(z, 2):
                others |= {mono_mul(m, mono_mul(a, b)) for m in w}
        others |= {mono_mul(a, b) for a, b in itertools.combinations(blocks[0], 2)}
        kept = [z for z in blocks[0] if mono_mul(z, z) in others]
        if len(kept) == len(blocks[0]):
            return
        blocks[0] = kept


def _degree(m: Mono) -> int:
    return int(sum(e for _, e in m))


def _monomials(atoms: list[int], degree: int) -> list[Mono]:
    out: list[Mono] = [()]
    for d in range(1, degree + 1):
        for combo in itertools.combinations_with_replacement(atoms, d):
            m: Mono = ()
            for i in combo:
                m = mono_mul(m, ((i, 1),))
            out.append(m)
    return out


def _as_term(p: Poly, names: dict[int, Term]) -> Term:
    parts: list[Term] = []
    for m, c in sorted(p.items(), key=repr):
        factors: list[Term] = [names[i] if e == 1 else ("^", names[i], e) for i, e in m]
        if c != 1 or not factors:
            factors.insert(0, rational(c))
        parts.append(factors[0] if len(factors) == 1 else ("*", *factors))
    return parts[0] if len(parts) == 1 else ("+", *parts)


Gram = list[tuple[Fraction, list[Fraction]]]


def _solve(target: Poly, weights: list[Poly], blocks: list[list[Mono]]) -> list[Gram] | None:
    """Gram matrices with sum weights_k * z' Q_k z = target, as exact squares with positive coefficients."""
    import clarabel
    import numpy as np
    from scipy import sparse  # comes with clarabel

    entries: list[tuple[int, int, int]] = [(k, i, j) for k, z in enumerate(blocks) for j in range(len(z)) for i in range(j + 1)]
    rows: dict[Mono, int] = {}
    columns: list[dict[int, Fraction]] = []
    for k, i, j in entries:
        product = poly_mul(weights[k], {mono_mul(blocks[k][i], blocks[k][j]): Fraction(1 if i == j else 2)})
        columns.append({rows.setdefault(m, len(rows)): c for m, c in product.items()})
    if any(m not in rows for m in target) or not entries:
        return None
    b = [Fraction(0)] * len(rows)
    for m, c in target.items():
        b[rows[m]] = c
    # variables: the scaled upper triangles; maximise the smallest eigenvalue (a strictly feasible point rounds well)
    count = len(entries)
    scale = [1.0 if i == j else 2**0.5 for _, i, j in entries]
    a_rows, a_cols, a_vals = [], [], []
    for col, column in enumerate(columns):
        for r, c in column.items():
            a_rows.append(r)
            a_cols.append(col)
            a_vals.append(float(c) / scale[col])
    equal = sparse.csc_matrix((a_vals, (a_rows, a_cols)), shape=(len(rows), count + 1))
    diagonal = [r for r, (_, i, j) in enumerate(entries) if i == j]
    cone_vals = [-1.0] * count + [1.0] * len(diagonal)
    cone_at = ([*range(count), *diagonal], [*range(count), *([count] * len(diagonal))])
    cone_rows = sparse.csc_matrix((cone_vals, cone_at), shape=(count, count + 1))
    bound = sparse.csc_matrix(([1.0], ([0], [count])), shape=(1, count + 1))
    matrix = sparse.vstack([equal, bound, cone_rows], format="csc")
    rhs = np.array([*(float(x) for x in b), 1.0, *([0.0] * count)])
    cones: list[Any] = [clarabel.ZeroConeT(len(rows)), clarabel.NonnegativeConeT(1)]
    cones += [clarabel.PSDTriangleConeT(len(z)) for z in blocks if z]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    objective = np.zeros(count + 1)
    objective[count] = -1.0
    solution = clarabel.DefaultSolver(sparse.csc_matrix((count + 1, count + 1)), objective, matrix, rhs, cones, settings).solve()
    x = np.array(solution.x)
    if not np.all(np.isfinite(x)):
        return None
    floats = [x[c] / scale[c] for c in range(count)]
    for q in DENOMINATORS:
        rounded = [Fraction(round(v * q), q) for v in floats]
        exact = _correct(rounded, columns, b)
        if exact is None:
            continue
        grams = _factor(exact, entries, blocks)
        if grams is not None:
            return grams
    return None


def _correct(values: list[Fraction], columns: list[dict[int, Fraction]], b: list[Fraction]) -> list[Fraction] | None:
    """The values moved onto the affine space of exact identities, least changed row by row."""
    from verify.kernel.search import solve

    residual = list(b)
    for v, column in zip(values, columns, strict=True):
        for r, c in column.items():
            residual[r] -= c * v
    if not any(residual):
        return values
    # least squares: the correction is A' y with A A' y = residual
    normal: list[dict[int, Fraction]] = [{} for _ in b]
    for column in columns:
        for r, c in column.items():
            for s, e in column.items():
                normal[r][s] = normal[r].get(s, Fraction(0)) + c * e
    y = solve([dict(row) for row in normal], {r: v for r, v in enumerate(residual) if v})
    if y is None:
        return None
    return [v + sum((c * y[r] for r, c in column.items()), Fraction(0)) for v, column in zip(values, columns, strict=True)]


def _factor(values: list[Fraction], entries: list[tuple[int, int, int]], blocks: list[list[Mono]]) -> list[Gram] | None:
    """Exact LDL^T of each block; None if one is not positive semidefinite."""
    out: list[Gram] = []
    for k, z in enumerate(blocks):
        m = [[Fraction(0)] * len(z) for _ in z]
        for v, (kk, i, j) in zip(values, entries, strict=True):
            if kk == k:
                m[i][j] = m[j][i] = v
        squares: Gram = []
        for p in range(len(z)):
            d = m[p][p]
            if d < 0 or (d == 0 and any(m[p])):
                return None
            if d == 0:
                continue
            row = [x / d for x in m[p]]
            squares.append((d, row))
            for i in range(len(z)):
                f = m[i][p]
                if f:
                    m[i] = [x - f * r for x, r in zip(m[i], row, strict=True)]
        out.append(squares)
    return out


