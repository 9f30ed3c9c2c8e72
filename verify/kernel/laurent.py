"""Quotients of Laurent polynomials with rational exponents in numbered atoms: the arithmetic under `field`.

A monomial is a sorted tuple of (atom, exponent); a polynomial maps monomials to nonzero Fractions. A quotient keeps its
denominator as a product of monic polynomials without monomial content. Negative and fractional exponents are made only by
callers who know that the atom is nonzero or positive.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import lcm
from typing import TypeAlias

import flint

from verify.kernel.terms import LogicError

Exponent: TypeAlias = int | Fraction
Mono: TypeAlias = tuple[tuple[int, Exponent], ...]
Poly: TypeAlias = dict[Mono, Fraction]
PolyKey: TypeAlias = frozenset[tuple[Mono, Fraction]]

ONE: Mono = ()
MAX_TERMS = 2_000_000
FLINT_FROM = 4_000  # products of more term pairs than this go through FLINT


def tidy(x: Exponent) -> Exponent:
    return int(x) if isinstance(x, Fraction) and x.denominator == 1 else x


def mono_mul(a: Mono, b: Mono) -> Mono:
    if not a:
        return b
    if not b:
        return a
    d = dict(a)
    for i, e in b:
        s = d.get(i, 0) + e
        if s:
            d[i] = tidy(s)
        else:
            del d[i]
    return tuple(sorted(d.items()))


def mono_pow(a: Mono, k: Exponent) -> Mono:
    return tuple((i, tidy(e * k)) for i, e in a) if k else ONE


def poly_add(a: Poly, b: Poly, scale: Fraction = Fraction(1)) -> Poly:
    out = dict(a)
    for m, c in b.items():
        s = out.get(m, Fraction(0)) + scale * c
        if s:
            out[m] = s
        else:
            out.pop(m, None)
    return out


def poly_mul(a: Poly, b: Poly) -> Poly:
    if len(a) * len(b) > MAX_TERMS:
        raise LogicError("a product of polynomials is too large")
    if len(a) * len(b) > FLINT_FROM:
        fa, fb, back = to_flint(a, b)
        return back(fa * fb, 2)
    out: Poly = {}
    for m, c in a.items():
        for n, d in b.items():
            p = mono_mul(m, n)
            s = out.get(p, Fraction(0)) + c * d
            if s:
                out[p] = s
            else:
                del out[p]
    return out


def to_flint(*polys: Poly):  # type: ignore[no-untyped-def]
    """The polynomials in one FLINT context, shifted and scaled to exponents >= 0, and the way back.

    `back(f, k)` undoes the shift of a product of k of them (k = 0: the shift is left out).
    """
    atoms = sorted({i for p in polys for m in p for i, _ in m})
    scale = reduce(lcm, (Fraction(e).denominator for p in polys for m in p for _, e in m), 1)
    low = dict.fromkeys(atoms, 0)
    for p in polys:
        for m in p:
            for i, e in m:
                low[i] = min(low[i], int(e * scale))
    ctx = flint.fmpq_mpoly_ctx.get([f"a{i}" for i in atoms] or ["a"], "lex")
    where = {i: k for k, i in enumerate(atoms)}

    def make(p: Poly):  # type: ignore[no-untyped-def]
        d = {}
        for m, c in p.items():
            exps = [-low[i] for i in atoms] or [0]
            for i, e in m:
                exps[where[i]] += int(e * scale)
            d[tuple(exps)] = flint.fmpq(c.numerator, c.denominator)
        return ctx.from_dict(d)

    def back(f, k: int = 1) -> Poly:  # type: ignore[no-untyped-def]
        out: Poly = {}
        for exps, c in f.to_dict().items():
            m = tuple(
                (i, tidy(Fraction(int(x) + k * low[i], scale))) for i, x in zip(atoms, exps, strict=False) if int(x) + k * low[i]
            )
            out[m] = Fraction(int(c.p), int(c.q))
        return out

    return (*(make(p) for p in polys), back)


class Quotient:
    """num / product of den; den maps the key of a monic polynomial to its power."""

    __slots__ = ("den", "num")

    def __init__(self, num: Poly, den: dict[PolyKey, int] | None = None) -> None:
        self.num = num
        self.den = den or {}

    @staticmethod
    def constant(c: Fraction | int) -> Quotient:
        return Quotient({ONE: Fraction(c)} if c else {})

    @property
    def is_zero(self) -> bool:
        return not self.num

    def as_constant(self) -> Fraction | None:
        if not self.num:
            return Fraction(0)
        if not self.den and len(self.num) == 1 and ONE in self.num:
            return self.num[ONE]
        return None

    def as_monomial(self) -> tuple[Fraction, Mono] | None:
        if self.den or len(self.num) != 1:
            return None
        m, c = next(iter(self.num.items()))
        return c, m


def monic(p: Poly) -> tuple[Fraction, Mono, Poly]:
    """p = coefficient * monomial * (monic polynomial without monomial content)."""
    low: dict[int, Exponent] = {}
    first = True
    for m in p:
        d = dict(m)
        if first:
            low, first = d, False
        else:
            low = {i: min(low.get(i, 0), d.get(i, 0)) for i in low.keys() | d.keys()}
    content: Mono = tuple(sorted((i, e) for i, e in low.items() if e))
    shift = mono_pow(content, -1)
    lead = max(p, key=lambda m: (sum((Fraction(e) for _, e in m), Fraction(0)), m))
    c = p[lead]
    return c, content, {mono_mul(m, shift): v / c for m, v in p.items()}


def reduced(q: Quotient) -> tuple[Poly, Poly]:
    """Coprime numerator and denominator (up to monomials), the denominator monic: a canonical form."""
    den: Poly = {ONE: Fraction(1)}
    for key, k in q.den.items():
        for _ in range(k):
            den = poly_mul(den, dict(key))
    if len(den) == 1 or not q.num:
        return q.num, {ONE: Fraction(1)}
    fn, fd, back = to_flint(q.num, den)
    g = fn.gcd(fd)
    num, den = back(fn / g, 0), back(fd / g, 0)
    c, mono, den = monic(den)
    shift = mono_pow(mono, -1)
    return {mono_mul(m, shift): v / c for m, v in num.items()}, den


def prime_powers(n: int) -> dict[int, int] | None:
    """Prime factorisation of n >= 1 by trial division, None where it would take long."""
    out: dict[int, int] = {}
    if n.bit_length() > 4000:
        return None
    p = 2
    while p * p <= n:
        if p > 100_000:
            return None
        while n % p == 0:
            out[p] = out.get(p, 0) + 1
            n //= p
        p += 1 if p == 2 else 2
    if n > 1:
        out[n] = out.get(n, 0) + 1
    return out
