"""Searches that find the arguments of leaves: side conditions, Positivstellensatz certificates, cofactors, subdivisions.

None of this is trusted; what it finds goes through the leaves.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq

from verify.kernel import balls
from verify.kernel.laurent import ONE, Mono, Poly, Quotient, mono_mul
from verify.kernel.leaves import Situation
from verify.kernel.normal import Normalizer
from verify.kernel.rules import Sequent
from verify.kernel.sign import literal
from verify.kernel.syntax import rational
from verify.kernel.terms import Context, Formula, LogicError, Term, dom, free, same, sort_of, subst

MAX_COLUMNS = 400


def conditions(terms: Iterable[Any], ctx: Context) -> Iterator[Formula]:
    """Conditions that conversions of the normal form would ask for, subterm by subterm."""
    for e in terms:
        yield from _conditions(e, ctx)


def _conditions(e: Any, ctx: Context) -> Iterator[Formula]:
    if not isinstance(e, tuple) or not e:
        return
    head = e[0]
    if head in ("all", "ex", "lam", "q", "hyp"):
        return
    if head in ("sum", "prod"):
        for a in e[2:4]:
            yield from _conditions(a, ctx)
        for f in _conditions(e[4], {**ctx, e[1]: "Z"}):
            if e[1] not in free(f):
                yield f
        return
    if head == "D":
        v, body, p = e[1:]
        yield from _conditions(p, ctx)
        try:
            condition = subst(dom(body, v, {**ctx, v: "R"}), {v: p})
        except LogicError:
            return
        if condition not in (("true",), ("false",)):
            yield from condition[1:] if condition[0] == "and" else (condition,)
        return
    if head in ("tends", "tendsoo"):
        return
    for a in e[1:]:
        yield from _conditions(a, ctx)
    if head == "/" and literal(e[2]) is None:
        yield ("!=", e[2], 0)
    elif head == "^" and not isinstance(e[1], int):
        if isinstance(e[2], int):
            if e[2] < 0:
                yield ("!=", e[1], 0)
        else:
            yield ("<", 0, e[1])
            try:
                if sort_of(e[2], ctx) == "Z":
                    yield ("!=", e[1], 0)
            except LogicError:
                return
    elif head in ("log", "sqrt") and literal(e[1]) is None:
        yield ("<", 0, e[1])


# ---------------------------------------------------------------------------------------------- linear algebra


def solve(columns: list[dict[Any, Fraction]], target: dict[Any, Fraction]) -> list[Fraction] | None:
    """Rational x with sum x_k columns_k = target, or None."""
    rows = sorted({k for c in columns for k in c} | set(target), key=repr)
    n = len(columns)
    m = [[c.get(r, Fraction(0)) for c in columns] + [target.get(r, Fraction(0))] for r in rows]
    pivots: list[int] = []
    at = 0
    for col in range(n):
        p = next((r for r in range(at, len(m)) if m[r][col]), None)
        if p is None:
            continue
        m[at], m[p] = m[p], m[at]
        inv = 1 / m[at][col]
        m[at] = [x * inv for x in m[at]]
        for r in range(len(m)):
            if r != at and m[r][col]:
                f = m[r][col]
                m[r] = [x - f * y for x, y in zip(m[r], m[at], strict=True)]
        pivots.append(col)
        at += 1
    if any(row[n] and not any(row[:n]) for row in m):
        return None
    out = [Fraction(0)] * n
    for r, col in enumerate(pivots):
        out[col] = m[r][n]
    return out


def feasible(
    columns: list[dict[Any, Fraction]], free_columns: list[dict[Any, Fraction]], target: dict[Any, Fraction]
) -> tuple[list[Fraction], list[Fraction]] | None:
    """x >= 0 and y with sum x_k columns_k + sum y_j free_j = target, by exact phase-1 simplex (Bland's rule)."""
    rows = sorted({k for c in (*columns, *free_columns) for k in c} | set(target), key=repr)
    if any(r not in set().union(*[set(c) for c in (*columns, *free_columns)], set()) for r in target):
        return None
    # eliminate the free columns first
    work = [dict(c) for c in columns]
    goal = dict(target)
    frees = [dict(c) for c in free_columns]
    eliminated: list[tuple[int, Any, dict[Any, Fraction]]] = []
    for j, f in enumerate(frees):
        for _, r0, f0 in eliminated:
            if r0 in f:
                _axpy(f, f0, -f[r0])
        if not f:
            continue
        r = min(f, key=repr)
        inv = 1 / f[r]
        base = {k: v * inv for k, v in f.items()}
        eliminated.append((j, r, base))
        for c in (*work, goal):
            if r in c:
                _axpy(c, base, -c[r])
    rows = [r for r in rows if any(r in c for c in (*work, goal))]
    x = _simplex(work, rows, goal)
    if x is None:
        return None
    rest = dict(target)
    for xi, c in zip(x, columns, strict=True):
        if xi:
            _axpy(rest, c, -xi)
    y = solve(free_columns, rest)
    return None if y is None else (x, y)


def _axpy(a: dict[Any, Fraction], b: dict[Any, Fraction], s: Fraction) -> None:
    for k, v in list(b.items()):
        t = a.get(k, Fraction(0)) + s * v
        if t:
            a[k] = t
        else:
            a.pop(k, None)


def _simplex(columns: list[dict[Any, Fraction]], rows: list[Any], target: dict[Any, Fraction]) -> list[Fraction] | None:
    n, m = len(columns), len(rows)
    table: list[list[Fraction]] = []
    for i, r in enumerate(rows):
        b = target.get(r, Fraction(0))
        s = -1 if b < 0 else 1
        row = [s * c.get(r, Fraction(0)) for c in columns] + [Fraction(int(k == i)) for k in range(m)] + [s * b]
        table.append(row)
    basis = [n + i for i in range(m)]
    cost = [-sum((row[k] for row in table), Fraction(0)) if k < n else Fraction(0) for k in range(n + m)]
    value = -sum((row[-1] for row in table), Fraction(0))
    for _ in range(20_000):
        enter = next((k for k in range(n) if cost[k] < 0), None)
        if enter is None:
            break
        ratio, leave = None, -1
        for i, row in enumerate(table):
            if row[enter] > 0:
                q = row[-1] / row[enter]
                if ratio is None or q < ratio or (q == ratio and basis[i] < basis[leave]):
                    ratio, leave = q, i
        if leave < 0:
            return None
        inv = 1 / table[leave][enter]
        table[leave] = [x * inv for x in table[leave]]
        pivot = table[leave]
        for i, row in enumerate(table):
            if i != leave and row[enter]:
                f = row[enter]
                table[i] = [a - f * b if b else a for a, b in zip(row, pivot, strict=True)]
        f = cost[enter]
        cost = [a - f * b for a, b in zip(cost, pivot[:-1], strict=True)]
        value -= f * pivot[-1]
        basis[leave] = enter
    if value != 0:
        return None
    x = [Fraction(0)] * n
    for i, k in enumerate(basis):
        if k < n:
            x[k] = table[i][-1]
    return x


# ---------------------------------------------------------------------------------------------- certificates


def cleared(n: Normalizer, quotients: list[Quotient]) -> list[Poly] | None:
    """Numerators over one common denominator, or None when the denominators differ too much."""
    dens: dict[Any, int] = {}
    for q in quotients:
        for k, e in q.den.items():
            dens[k] = max(dens.get(k, 0), e)
    return [n._lift(q, dens) for q in quotients]


def certificate(
    seq: Sequent, hints: list[Term], products: int, use: Any, mul: list[Term], cofactor_terms: list[Term]
) -> dict[str, Any] | None:
    """Arguments of a `pos` leaf for the conclusion, or None."""
    s = Situation(seq.ctx, seq.hyps, ())
    n = s.normal
    names = list(seq.hyps) if use is None else list(use)
    strict_goal = seq.concl[0] != "<="
    if seq.concl == ("false",):
        gap = Quotient({})
    elif seq.concl[0] in ("<", "<="):
        gap = n.add(s.scalar(seq.concl[2]), s.scalar(seq.concl[1]), Fraction(-1))
    else:
        return None
    for f in mul:
        q, positive = s.factor(f)
        if not positive:
            raise LogicError("a factor of mul is not known to be positive")
        gap = n.mul(gap, q)
    base: list[tuple[Any, Quotient, bool]] = []
    equations: list[tuple[Any, Term, Quotient]] = []
    for h in names:
        f = seq.hyp(h)
        try:
            if f[0] in ("<", "<="):
                base.append((("hyp", h), *s.factor(("hyp", h))))
            elif f[0] == "=" and s.is_scalar(f[1]):
                e = n.add(n.scalar(f[1]), n.scalar(f[2]), Fraction(-1))
                for c in cofactor_terms:
                    equations.append((h, c, n.mul(n.scalar(c), e)))
        except LogicError:
            continue
    for h in hints:
        q, positive = s.factor(h)
        base.append((h, q, positive))
    rows: list[tuple[tuple[Any, ...], Quotient, bool]] = [((), Quotient.constant(1), True)]
    for k in range(1, products + 1):
        for combo in itertools.combinations_with_replacement(base, k):
            if len(rows) > MAX_COLUMNS:
                break
            q, positive = Quotient.constant(1), True
            for _, v, p in combo:
                q, positive = n.mul(q, v), positive and p
            rows.append((tuple(f for f, _, _ in combo), q, positive))
    polys = cleared(n, [gap, *(q for _, q, _ in rows), *(q for _, _, q in equations)])
    if polys is None:
        return None
    target, columns, frees = polys[0], polys[1 : 1 + len(rows)], polys[1 + len(rows) :]
    marker = ("strict",)
    if strict_goal:
        # ask for total weight 1 on positive terms when the goal is scaled by t >= 0: homogeneous in (t, x)
        tagged = [({**c, marker: Fraction(1)} if p else dict(c)) for c, (_, _, p) in zip(columns, rows, strict=True)]
        scaled = [{m: -c for m, c in target.items()}] if target else []
        answer = feasible([*scaled, *tagged], [dict(f) for f in frees], {marker: Fraction(1)})
        if answer is None:
            return None
        x, y = answer
        t = x[0] if scaled else Fraction(1)
        if t == 0:
            # the hypotheses alone are contradictory: the certificate proves false, hence anything times 0
            if seq.concl != ("false",):
                return None
            t = Fraction(1)
        x = [v / t for v in (x[1:] if scaled else x)]
        y = [v / t for v in y]
    else:
        answer = feasible([dict(c) for c in columns], [dict(f) for f in frees], dict(target))
        if answer is None:
            return None
        x, y = answer
    terms = []
    for c, (factors, _, _) in zip(x, rows, strict=True):
        if c:
            terms.append(((rational(c),) if c != 1 or not factors else ()) + factors)
    eqs = tuple((h, rational(v) if ct == 1 else ("*", rational(v), ct)) for v, (h, ct, _) in zip(y, equations, strict=True) if v)
    out: dict[str, Any] = {"terms": tuple(terms)}
    if mul:
        out["mul"] = tuple(mul)
    if eqs:
        out["eqs"] = eqs
    return out


def cofactors(seq: Sequent, use: Any, multipliers: list[Term]) -> list[tuple[str, Term]] | None:
    """Cofactors (rational combinations of the multipliers) that prove the conclusion from equations among the hypotheses."""
    s = Situation(seq.ctx, seq.hyps, ())
    n = s.normal
    gap = n.add(s.scalar(seq.concl[1]), s.scalar(seq.concl[2]), Fraction(-1))
    entries: list[tuple[str, Term, Quotient]] = []
    for h in list(seq.hyps) if use is None else use:
        f = seq.hyp(h)
        if f[0] == "=" and s.is_scalar(f[1]):
            e = n.add(n.scalar(f[1]), n.scalar(f[2]), Fraction(-1))
            entries += [(h, c, n.mul(n.scalar(c), e)) for c in multipliers]
    polys = cleared(n, [gap, *(q for _, _, q in entries)])
    if polys is None:
        return None
    x = solve([dict(p) for p in polys[1:]], dict(polys[0]))
    if x is None:
        return None
    merged: dict[str, list[Term]] = {}
    for v, (h, c, _) in zip(x, entries, strict=True):
        if v:
            merged.setdefault(h, []).append(rational(v) if c == 1 else ("*", rational(v), c))
    return [(h, ts[0] if len(ts) == 1 else ("+", *ts)) for h, ts in merged.items()]


# ---------------------------------------------------------------------------------------------- boxes


def find_box(seq: Sequent) -> dict[str, tuple[str, str]]:
    """For each free variable of the conclusion the names of a lower and an upper rational bound."""
    out = {}
    for x in sorted(free(seq.concl)):
        low = high = None
        for h, f in seq.hyps.items():
            if f[0] in ("<", "<="):
                try:
                    if same(f[2], x):
                        balls.rational(f[1])
                        low = h
                    elif same(f[1], x):
                        balls.rational(f[2])
                        high = h
                except LogicError:
                    continue
        if low is None or high is None:
            raise LogicError(f"no rational bounds of {x} among the hypotheses")
        out[x] = (low, high)
    return out


def subdivide(concl: Formula, box: dict[str, tuple[fmpq, fmpq]], bits: int, depth: int, limit: int) -> Any:
    """A subdivision on whose leaves ball arithmetic decides the conclusion, or None."""
    budget = [limit]

    def go(b: dict[str, tuple[fmpq, fmpq]], level: int) -> Any:
        budget[0] -= 1
        if budget[0] < 0:
            return None
        if balls.decide(concl[0], concl[1], concl[2], b, bits):
            return bits
        wide = [(hi - lo, x) for x, (lo, hi) in b.items() if hi > lo]
        if not wide:
            for p in (2 * bits, 8 * bits, 32 * bits):
                if p <= 20_000 and balls.decide(concl[0], concl[1], concl[2], b, p):
                    return p
            return None
        if level == 0:
            return None
        x = max(wide)[1]
        lo, hi = b[x]
        at = (lo + hi) / 2
        left = go({**b, x: (lo, at)}, level - 1)
        if left is None:
            return None
        right = go({**b, x: (at, hi)}, level - 1)
        return None if right is None else (x, rational(Fraction(int(at.p), int(at.q))), left, right)

    return go(box, depth)


__all__ = ["MAX_COLUMNS", "ONE", "Mono", "certificate", "cofactors", "conditions", "find_box", "mono_mul", "subdivide"]
