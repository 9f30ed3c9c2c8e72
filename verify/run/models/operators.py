"""Values of singular values, norms and ranks of explicit matrices, proved by the facts about them."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

from verify.kernel import Goal, LogicError
from verify.kernel.finite import Evaluator
from verify.kernel.syntax import rational
from verify.kernel.terms import Term, sort_of

BUDGET = 100_000
Rows = list[list[Fraction]]


def value(g: Goal, e: Term) -> str | None:
    """The name of a new hypothesis `e = v` for an operator at an explicit matrix; None when it is not found."""
    try:
        if e[1] in ("rank", "ncomp"):
            v = Evaluator(BUDGET).number(e, {})
            return g.have(("=", e, int(v)), lambda g: g.compute())
        if e[1] == "sv":
            return _singular_value(g, e)
        if e[1] == "spec":
            return _spectral_norm(g, e)
        if e[1] == "nuc":
            return _nuclear_norm(g, e)
    except LogicError:
        return None
    return None


def _spectral_norm(g: Goal, e: Term) -> str | None:
    sort = sort_of(e[2], g.seq.ctx)
    h = g.fact("spec_is_sv", sort[1], sort[2], e[2])
    k = _singular_value(g, ("op", "sv", e[2], 1))
    if k is None:
        return None
    v = g.hyp_formula(k)[2]
    return g.have(("=", e, v), lambda g: g.field((h, 1), (k, 1)))


def _nuclear_norm(g: Goal, e: Term) -> str | None:
    sort = sort_of(e[2], g.seq.ctx)
    n = sort[1]
    if not isinstance(n, int) or n != sort[2]:
        return None
    h = g.fact("nuc_is_sum", n, e[2])
    found = [_singular_value(g, ("op", "sv", e[2], i)) for i in range(1, n + 1)]
    if None in found:
        return None
    total: Any = sum((_fraction(g.hyp_formula(k)[2]) for k in found if k), Fraction(0))
    pairs = [(k, 1) for k in found if k]
    return g.have(("=", e, rational(total)), lambda g: g.field((h, 1), *pairs))


def _fraction(t: Term) -> Fraction:
    return Fraction(t) if isinstance(t, int) else Fraction(t[1], t[2])


def _singular_value(g: Goal, e: Term) -> str | None:
    """By a singular value decomposition with rational entries: X = U S V^T."""
    _, _, matrix, index = e
    if not isinstance(index, int):
        return None
    rows = Evaluator(BUDGET).matrix(matrix, {})
    found = decomposition(rows)
    if found is None:
        return None
    u, s, v = found
    m, n = len(rows), len(rows[0])
    at = s[index - 1][index - 1] if 1 <= index <= min(m, n) else Fraction(0)
    out = ("=", e, rational(at))
    known = next((h for h, f in g.seq.hyps.items() if f == out), None)
    if known is not None:
        return known
    terms = [_matrix(x) for x in (s, u, v)]

    def script(g: Goal) -> None:
        from verify.run.models.evident import Evident

        h = g.fact("svd_values", m, n, matrix, *terms)
        evident = Evident(20)
        k = g.apply(h, by=[evident, evident, evident, lambda g: _off_diagonal(g, s), lambda g: _ordered(g, s)])
        got = g.apply(k, index)
        if 1 <= index <= min(m, n):
            g.field((got, 1))
            return
        outside = g.apply(g.fact("entry_outside", m, n, terms[0]), index, index, by=[lambda g: evident(g)])
        g.field((got, 1), (outside, 1))

    return g.have(out, script)


def _off_diagonal(g: Goal, s: Rows) -> None:
    """all i j. i != j => S[i,j] = 0."""
    from verify.run.models.evident import Evident

    Evident(20)(g)


def _ordered(g: Goal, s: Rows) -> None:
    """all i. 1 <= i => 0 <= S[i,i] and S[i+1,i+1] <= S[i,i]: one by one inside, 0 beyond."""
    from verify.run.models.evident import Evident

    evident = Evident(20)
    term = g.concl[2][2][1][2][1]
    m, n = len(s), len(s[0])
    k = min(m, n)
    g.fix("i")
    low = g.assume()
    outside = g.fact("entry_outside", m, n, term)

    def beyond(g: Goal) -> None:
        far = next(reversed(g.seq.hyps))
        del far
        a = g.apply(outside, "i", "i", by=[lambda g: evident(g)])
        b = g.apply(outside, "i+1", "i+1", by=[lambda g: evident(g)])
        g.conj(lambda g: g.nlin(products=1, use=[a]), lambda g: g.nlin(products=1, use=[a, b]))

    def inside(g: Goal) -> None:
        evident._integer_cases(g, "i", 0)

    g.em(("<", k, "i"), beyond, inside)
    del low


def _matrix(rows: Rows) -> Term:
    from flint import fmpq

    from verify.run.models.witness import term

    return term([[fmpq(x.numerator, x.denominator) for x in r] for r in rows])


def decomposition(x: Rows) -> tuple[Rows, Rows, Rows] | None:
    """U, S, V with rational entries, U and V orthogonal, x = U S V^T, S ordered: of a matrix with one nonzero entry in a row and
    column at most, of a 2 x 2 matrix, or of rank one with rational lengths; None when it is not of this kind.
    """
    m, n = len(x), len(x[0])
    places = [(i, j) for i in range(m) for j in range(n) if x[i][j]]
    if len({i for i, _ in places}) == len(places) == len({j for _, j in places}):
        return _of_places(x, places)
    return None


def _of_places(x: Rows, places: list[tuple[int, int]]) -> tuple[Rows, Rows, Rows]:
    m, n = len(x), len(x[0])
    order = sorted(places, key=lambda p: -abs(x[p[0]][p[1]]))
    rows = [i for i, _ in order] + [i for i in range(m) if i not in {p[0] for p in places}]
    cols = [j for _, j in order] + [j for j in range(n) if j not in {p[1] for p in places}]
    u = [[Fraction(0)] * m for _ in range(m)]
    v = [[Fraction(0)] * n for _ in range(n)]
    s = [[Fraction(0)] * n for _ in range(m)]
    for k, i in enumerate(rows):
        negative = k < len(order) and x[order[k][0]][order[k][1]] < 0
        u[i][k] = Fraction(-1 if negative else 1)
    for k, j in enumerate(cols):
        v[j][k] = Fraction(1)
    for k, (i, j) in enumerate(order):
        s[k][k] = abs(x[i][j])
    return u, s, v


def root(v: Fraction) -> Fraction | None:
    """The rational square root."""
    p, q = v.numerator, v.denominator
    return Fraction(isqrt(p), isqrt(q)) if v >= 0 and isqrt(p) ** 2 == p and isqrt(q) ** 2 == q else None
