"""Normal forms: scalars as quotients of Laurent polynomials in atoms, matrices as sums of words (LOGIC.md, `field`, `nc`).

A conversion is made only where its condition is known by sign analysis; otherwise the subterm stays an opaque atom.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any, TypeAlias

from verify.kernel.laurent import (
    ONE,
    Exponent,
    Mono,
    Poly,
    PolyKey,
    Quotient,
    monic,
    poly_add,
    poly_mul,
    prime_powers,
    reduced,
    tidy,
)
from verify.kernel.sign import Known
from verify.kernel.terms import (
    Context,
    LogicError,
    Sort,
    Term,
    canon,
    dom,
    evaluate_D,
    free,
    fresh,
    sort_of,
    subst,
)

MAX_POWER = 400
MAX_SUM = 200
MAX_INNER = 64
MAX_DET = 6
MAX_TRACE = 8
Letter: TypeAlias = tuple[int, int, int]  # letter, transposed?, exponent (0 stands for 1)
Word: TypeAlias = tuple[Letter, ...]
Words: TypeAlias = dict[Word, Quotient]


@dataclass
class Atom:
    """One indeterminate: `term` shows it (None for a made-up generator), `needs` are the variables that it depends on."""

    key: Any
    term: Term | None
    needs: frozenset[str]
    positive: bool = False
    nonzero: bool = False
    root: Poly | int | None = None  # the value of its first power, for atoms whose exponents stay in [0, 1)
    log_of: Term | None = None
    data: Any = None


@dataclass
class Normalizer:
    """Computes normal forms relative to known formulas; atoms are numbered per instance."""

    known: Known
    ctx: dict[str, Sort]
    atoms: list[Atom] = field(default_factory=list)
    ids: dict[Any, int] = field(default_factory=dict)
    letters: list[tuple[Any, Term, frozenset[str]]] = field(default_factory=list)
    letter_ids: dict[Any, int] = field(default_factory=dict)
    exponents: list[tuple[Quotient, bool]] = field(default_factory=lambda: [(Quotient.constant(1), True)])
    exponent_ids: dict[Any, int] = field(default_factory=dict)
    cache: dict[Term, Quotient] = field(default_factory=dict)
    mcache: dict[Term, Words] = field(default_factory=dict)
    active: set[str] = field(default_factory=set)

    @classmethod
    def make(cls, known: Known, ctx: Context) -> Normalizer:
        return cls(known, dict(ctx))

    # ------------------------------------------------------------------------------------ atoms

    def atom(self, key: Any, term: Term | None, needs: frozenset[str], **more: Any) -> int:
        i = self.ids.get(key)
        if i is None:
            i = self.ids[key] = len(self.atoms)
            self.atoms.append(Atom(key, term, needs, **more))
            a = self.atoms[i]
            if term is not None and not a.positive:
                a.positive = self.known.pos(term)
                a.nonzero = a.positive or self.known.nonzero(term)
            a.nonzero = a.nonzero or a.positive
        return i

    def single(self, i: int, e: Exponent = 1) -> Quotient:
        return Quotient({((i, tidy(e)),): Fraction(1)})

    def opaque(self, key: Any, term: Term, **more: Any) -> Quotient:
        return self.single(self.atom(key, term, free(term), **more))

    def key(self, q: Quotient) -> Any:
        if not q.den:
            return frozenset(q.num.items())
        num, den = reduced(q)
        if len(den) == 1:
            return frozenset(num.items())
        return (frozenset(num.items()), frozenset(den.items()))

    def needs(self, q: Quotient) -> frozenset[str]:
        out: frozenset[str] = frozenset()
        for p in (q.num, *(dict(k) for k in q.den)):
            for m in p:
                for i, _ in m:
                    out |= self.atoms[i].needs
        return out

    # ------------------------------------------------------------------------------------ arithmetic

    def fold(self, p: Poly) -> Poly:
        """Bring the exponents of roots (square roots of sums, fractional powers of primes) back into [0, 1)."""
        if not any(self.atoms[i].root is not None and not 0 < e < 1 for m in p for i, e in m):
            return p
        out: Poly = {}
        for m, c in p.items():
            kept: list[tuple[int, Exponent]] = []
            factor: Poly = {ONE: c}
            for i, e in m:
                root = self.atoms[i].root
                if root is None:
                    kept.append((i, e))
                    continue
                k = floor(e)
                if e - k:
                    kept.append((i, tidy(Fraction(e) - k)))
                if isinstance(root, int):
                    factor = {n: v * Fraction(root) ** k for n, v in factor.items()}
                else:
                    if k < 0 or k > MAX_POWER:
                        raise LogicError("a root with an exponent out of range")
                    for _ in range(k):
                        factor = poly_mul(factor, root)
            done = factor if len(factor) == 1 and factor.get(ONE) == c else self.fold(factor)
            out = poly_add(out, poly_mul(done, {tuple(kept): Fraction(1)}))
        return out

    def add(self, a: Quotient, b: Quotient, scale: Fraction = Fraction(1)) -> Quotient:
        if a.den == b.den:
            num = poly_add(a.num, b.num, scale)
            return Quotient(num, a.den if num else None)
        den = dict(a.den)
        for k, n in b.den.items():
            den[k] = max(den.get(k, 0), n)
        num = poly_add(self._lift(a, den), self._lift(b, den), scale)
        return Quotient(num, den if num else None)

    def _lift(self, q: Quotient, den: dict[PolyKey, int]) -> Poly:
        num = q.num
        for k, n in den.items():
            for _ in range(n - q.den.get(k, 0)):
                num = self.fold(poly_mul(num, dict(k)))
        return num

    def mul(self, a: Quotient, b: Quotient) -> Quotient:
        num = self.fold(poly_mul(a.num, b.num))
        if not num:
            return Quotient({})
        if not a.den and not b.den:
            return Quotient(num)
        den = dict(a.den)
        for k, n in b.den.items():
            den[k] = den.get(k, 0) + n
        if len(num) > 1:
            c, mono, p = monic(num)
            key = frozenset(p.items())
            if key in den:
                den[key] -= 1
                if not den[key]:
                    del den[key]
                num = {mono: c}
        return Quotient(num, den)

    def inverse(self, q: Quotient) -> Quotient:
        """1/q for a q that is known to be nonzero (each atom that gets a negative exponent is then nonzero)."""
        if not q.num:
            raise LogicError("the inverse of zero")
        num: Poly = {ONE: Fraction(1)}
        for k, n in q.den.items():
            for _ in range(n):
                num = self.fold(poly_mul(num, dict(k)))
        c, mono, p = monic(q.num)
        out = Quotient({m: v / c for m, v in num.items()})
        for i, e in mono:
            root = self.atoms[i].root
            if root is None or isinstance(root, int):
                out = Quotient(self.fold(poly_mul(out.num, {((i, tidy(-e)),): Fraction(1)})), out.den)
            else:  # r^-e = r^(k-e) / P^k with P = r^1
                up = -floor(-Fraction(e))
                if up - e:
                    out = self.mul(out, self.single(i, Fraction(up) - e))
                for _ in range(up):
                    out = self.mul(out, self.inverse(Quotient(dict(root))))
        if len(p) > 1:
            out = self.mul(out, Quotient({ONE: Fraction(1)}, {frozenset(p.items()): 1}))
        return out

    def power(self, q: Quotient, n: int) -> Quotient:
        if abs(n) > MAX_POWER:
            raise LogicError(f"a power with exponent {n}")
        if n < 0:
            return self.power(self.inverse(q), -n)
        out = Quotient.constant(1)
        while n:
            if n & 1:
                out = self.mul(out, q)
            n >>= 1
            if n:
                q = self.mul(q, q)
        return out

    # ------------------------------------------------------------------------------------ scalars

    def scalar(self, e: Term) -> Quotient:
        """The normal form of a scalar term."""
        if isinstance(e, int):
            return Quotient.constant(e)
        hit = self.cache.get(e)
        if hit is None:
            hit = self._scalar(e)
            self.cache[e] = hit
        return hit

    def _scalar(self, e: Term) -> Quotient:
        if isinstance(e, str):
            return self.opaque(("var", e), e)
        head = e[0]
        if head == "q":
            return Quotient.constant(Fraction(e[1], e[2]))
        if head == "+":
            out = Quotient({})
            for a in e[1:]:
                out = self.add(out, self.scalar(a))
            return out
        if head == "*":
            out = Quotient.constant(1)
            for a in e[1:]:
                out = self.mul(out, self.scalar(a))
            return out
        if head == "/":
            return self.mul(self.scalar(e[1]), self.invert(e[2]))
        if head == "^":
            return self._pow(e)
        if head == "sqrt":
            q = self.scalar(e[1])
            if self.known.pos(e[1]):
                return self.fraction_power(e[1], q, Fraction(1, 2))
            if q.is_zero:
                return q
            return self.opaque(("sqrt", self.key(q)), e)
        if head == "exp":
            return self.exponential(self.scalar(e[1]))
        if head == "log":
            return self._log(e[1])
        if head in ("sinh", "cosh", "tanh"):
            x = self.scalar(e[1])
            up, down = self.exponential(x), self.exponential(self.mul(Quotient.constant(-1), x))
            half = Quotient.constant(Fraction(1, 2))
            s, c = self.mul(half, self.add(up, down, Fraction(-1))), self.mul(half, self.add(up, down))
            return s if head == "sinh" else c if head == "cosh" else self.mul(s, self.inverse(c))
        if head == "asinh":
            x = e[1]
            return self._log(("+", x, ("sqrt", ("+", ("^", x, 2), 1))), positive=True)
        if head == "abs":
            q = self.scalar(e[1])
            if self.known.nonneg(e[1]):
                return q
            value = q.as_constant()
            return Quotient.constant(abs(value)) if value is not None else self.opaque(("abs", self.key(q)), e)
        if head in ("sin", "cos"):
            return self.opaque((head, self.key(self.scalar(e[1]))), e)
        if head in ("min", "max"):
            a, b = self.scalar(e[1]), self.scalar(e[2])
            ca, cb = a.as_constant(), b.as_constant()
            if ca is not None and cb is not None:
                return Quotient.constant((min if head == "min" else max)(ca, cb))
            if self.add(a, b, Fraction(-1)).is_zero:
                return a
            return self.opaque((head, frozenset({self.key(a), self.key(b)})), e)
        if head == "pi":
            return self.opaque("pi", e)
        if head in ("sum", "prod"):
            return self._sum(e)
        if head == "call":
            return self.opaque(("call", e[1], *(self.any_key(a) for a in e[2:])), e)
        if head == "d":
            order = self.scalar(e[1])
            if order.is_zero:
                return self.scalar(("call", *e[2:]))
            return self.opaque(("d", self.key(order), e[2], *(self.any_key(a) for a in e[3:])), e)
        if head == "D":
            derived = self.differentiate(e)
            return self.opaque(("D", canon(e)), e) if derived is None else self.scalar(derived)
        if head == "tr":
            return self._trace(e[1])
        if head == "det":
            return self._det(e)
        if head == "entry":
            return self.entry(e[1], e[2], e[3])
        if head == "op":
            return self.opaque(("op", e[1], *(self.any_key(a) for a in e[2:])), e)
        raise LogicError(f"unknown operator {head}")

    def any_key(self, e: Term) -> Any:
        if sort_of(e, self.ctx) in ("R", "Z"):
            return self.key(self.scalar(e))
        return self.matrix_key(e)

    def invert(self, b: Term) -> Quotient:
        q = self.scalar(b)
        c = q.as_constant()
        if c is not None and c:
            return Quotient.constant(1 / c)
        if not q.is_zero and self.known.nonzero(b):
            return self.inverse(q)
        # the inverse of 0 is unspecified, so that nothing may be taken out of an inverse that may be one of 0
        return self.opaque(("inv", self.key(q)), ("/", 1, b))

    def _pow(self, e: Term) -> Quotient:
        a, n = e[1], e[2]
        if isinstance(n, int):
            return self.power(self.scalar(a), n) if n >= 0 else self.power(self.invert(a), -n)
        base, q = self.scalar(a), self.scalar(n)
        integral = sort_of(n, self.ctx) == "Z"
        c = q.as_constant()
        positive = self.known.pos(a)
        if c is not None:
            if integral and c.denominator == 1:
                return self.power(base, int(c)) if c >= 0 else self.power(self.invert(a), -int(c))
            if positive and not integral:
                return self.fraction_power(a, base, c)
        elif positive or (integral and self.known.nonzero(a)):
            return self.symbolic_power(a, base, q, positive)
        return self.opaque(("powop", self.key(base), self.key(q), integral), e)

    def _generators(self, a: Term, base: Quotient, positive: bool) -> list[tuple[int, Exponent]] | None:
        """Atoms (primes, atoms, one composite polynomial) whose powers multiply to the base, each positive
        (nonzero if the base is only nonzero); None where the base does not split."""
        if base.den or not base.num:
            return None
        c, mono, p = monic(base.num)
        if c <= 0:
            return None
        for i, e in mono:
            if not (self.atoms[i].positive if positive else self.atoms[i].nonzero and isinstance(e, int)):
                return None
        up, down = prime_powers(c.numerator), prime_powers(c.denominator)
        if up is None or down is None:
            return None
        out: list[tuple[int, Exponent]] = [(self.prime(k), n) for k, n in up.items()]
        out += [(self.prime(k), -n) for k, n in down.items()]
        out += list(mono)
        if len(p) > 1:
            out.append((self.composite(p, positive), 1))
        return out

    def prime(self, p: int) -> int:
        return self.atom(("num", p), p, frozenset(), root=p, positive=True)

    def composite(self, p: Poly, positive: bool) -> int:
        """A polynomial as an atom: as a generator of symbolic powers, and as a root when it is positive."""
        key = ("poly", frozenset(p.items()), positive)
        return self.atom(key, None, self.needs(Quotient(p)), positive=positive, nonzero=True, root=p)

    def fraction_power(self, a: Term, base: Quotient, c: Fraction) -> Quotient:
        """base^c for a base known to be positive."""
        parts = self._generators(a, base, True)
        if parts is None:
            k = floor(c)
            out = self.power(base, k)
            if not c - k:
                return out
            rest = self.opaque(("frac", self.key(base), c - k), ("^", a, _q(c - k)), positive=True)
            return self.mul(out, rest)
        out = Quotient.constant(1)
        for i, e in parts:
            out = self.mul(out, self.atom_power(i, Fraction(e) * c))
        return out

    def atom_power(self, i: int, e: Exponent) -> Quotient:
        root = self.atoms[i].root
        e = tidy(Fraction(e))
        if not e:
            return Quotient.constant(1)
        if root is None or isinstance(root, int):
            return Quotient(self.fold({((i, e),): Fraction(1)}))
        k = floor(e)
        out = self.power(Quotient(dict(root)), k)
        return self.mul(out, self.single(i, Fraction(e) - k)) if e - k else out

    def symbolic_power(self, a: Term, base: Quotient, q: Quotient, positive: bool) -> Quotient:
        """base^q for an exponent that is no constant; the base is positive, or nonzero and the exponent an integer."""
        parts = self._generators(a, base, positive)
        if parts is None:
            key = ("base", self.key(base), positive)
            i = self.atom(key, None, self.needs(base), positive=positive, nonzero=True, data=base)
            parts = [(i, 1)]
        out = Quotient.constant(1)
        for c, basis in self.exponent_parts(q):
            for i, e in parts:
                k = Fraction(e) * c
                if basis is None:
                    data = self.atoms[i].data
                    if data is not None and self.atoms[i].key[0] == "base":
                        n = floor(k)
                        out = self.mul(out, self.power(data, n))
                        if k - n:
                            out = self.mul(out, self.single(i, k - n))
                    else:
                        out = self.mul(out, self.atom_power(i, k))
                    continue
                atom = self.atoms[i]
                if not positive and k.denominator != 1:
                    raise LogicError("a fractional power of a number that may be negative")
                g = self._compound(i, basis) if atom.key[0] in ("pow", "exp") else self._generator(i, basis)
                out = self.mul(out, self.single(g, k))
        return out

    def _generator(self, i: int, basis: Quotient) -> int:
        atom = self.atoms[i]
        needs = atom.needs | self.needs(basis)
        key = ("pow", i, self.key(basis))
        return self.atom(key, None, needs, positive=atom.positive, nonzero=True, data=(i, basis))

    def _compound(self, i: int, basis: Quotient) -> int:
        """(x^b)^c = x^(b c), exp(b)^c = exp(b c) when the product of exponents is one basis element."""
        kind, data = self.atoms[i].key[0], self.atoms[i].data
        if data is None:
            return self._generator(i, basis)
        inner = data[1] if kind == "pow" else data
        prod = self.exponent_parts(self.mul(inner, basis))
        if len(prod) == 1 and prod[0][0] == 1 and prod[0][1] is not None:
            if kind == "pow":
                return self._generator(data[0], prod[0][1])
            return self._exp_generator(prod[0][1])
        return self._generator(i, basis)

    def exponent_parts(self, q: Quotient) -> list[tuple[Fraction, Quotient | None]]:
        """q as a rational combination of basis quotients (None stands for 1)."""
        num, den = reduced(q)
        out: list[tuple[Fraction, Quotient | None]] = []
        trivial = len(den) == 1
        for m, c in sorted(num.items(), key=lambda t: repr(t[0])):
            if trivial:
                out.append((c, None if m == ONE else Quotient({m: Fraction(1)})))
            else:
                out.append((c, Quotient({m: Fraction(1)}, {frozenset(den.items()): 1})))
        return out

    def exponential(self, q: Quotient) -> Quotient:
        out = Quotient.constant(1)
        for c, basis in self.exponent_parts(q):
            if basis is None:
                out = self.mul(out, self.single(self.atom(("exp", None), ("exp", 1), frozenset(), positive=True), c))
                continue
            mono = basis.as_monomial()
            factors = mono[1] if mono else ONE
            logs = [i for i, e in factors if e == 1 and self.atoms[i].log_of is not None and self.atoms[i].data]
            if mono and len(logs) == 1:
                x, base = self.atoms[logs[0]].data
                rest = tuple((i, e) for i, e in mono[1] if i != logs[0])
                if rest:
                    exponent = Quotient({rest: c})
                    out = self.mul(out, self.symbolic_power(x, base, exponent, True))
                elif c.denominator == 1:
                    out = self.mul(out, self.power(base, int(c)))
                else:
                    out = self.mul(out, self.fraction_power(x, base, c))
                continue
            out = self.mul(out, self.single(self._exp_generator(basis), c))
        return out

    def _exp_generator(self, basis: Quotient) -> int:
        return self.atom(("exp", self.key(basis)), None, self.needs(basis), positive=True, data=basis)

    def _log(self, a: Term, positive: bool = False) -> Quotient:
        base = self.scalar(a)
        positive = positive or self.known.pos(a)
        parts = self._generators(a, base, True) if positive else None
        if parts is None:
            return self.opaque(("log", self.key(base)), ("log", a), log_of=a, data=(a, base) if positive else None)
        out = Quotient({})
        for i, e in parts:
            out = self.add(out, self._log_atom(i), Fraction(e))
        return out

    def _log_atom(self, i: int) -> Quotient:
        atom = self.atoms[i]
        if atom.key[0] == "pow":
            return self.mul(atom.data[1], self._log_atom(atom.data[0]))
        if isinstance(atom.key, tuple) and atom.key[0] == "exp":
            return Quotient.constant(1) if atom.data is None else atom.data
        value = self.single(i) if atom.root is None or isinstance(atom.root, int) else Quotient(dict(atom.root))
        if isinstance(atom.root, int):
            value = Quotient.constant(atom.root)
        term = atom.term if atom.term is not None else ("atom", i)
        j = self.atom(("log", self.key(value)), None, atom.needs, log_of=term, data=(term, value))
        return self.single(j)

    def _sum(self, e: Term) -> Quotient:
        head, i, lo, hi, body = e
        qlo, qhi = self.scalar(lo), self.scalar(hi)
        a, b = qlo.as_constant(), qhi.as_constant()
        if a is not None and b is not None:
            if b - a >= MAX_SUM:
                raise LogicError(f"a {head} of more than {MAX_SUM} terms")
            out = Quotient.constant(0 if head == "sum" else 1)
            for k in range(int(a), int(b) + 1):
                q = self.scalar(subst(body, {i: k}))
                out = self.add(out, q) if head == "sum" else self.mul(out, q)
            return out
        name = next(v for h in itertools.count(sum_height(body)) if (v := f"%s{h}") not in self.active)
        self.ctx[name] = "Z"
        self.active.add(name)
        q = self.scalar(subst(body, {i: name}))
        self.active.discard(name)
        bounds = (self.key(qlo), self.key(qhi))
        outer = free(lo) | free(hi)

        def make(key: Any, needs: frozenset[str], term: Term | None) -> Quotient:
            return self.single(self.atom((head, *bounds, key), term, (needs - {name}) | outer))

        if head == "prod" or any(name in self.needs(Quotient(dict(k))) for k in q.den):
            return make((name, self.key(q)), self.needs(q), e)
        out = Quotient({})
        groups: dict[Mono, Poly] = {}
        for m, coefficient in q.num.items():
            inside = tuple((j, x) for j, x in m if name in self.atoms[j].needs)
            outside = tuple((j, x) for j, x in m if name not in self.atoms[j].needs)
            groups.setdefault(inside, {})[outside] = coefficient
        for inside, outer_part in groups.items():
            shown = e if len(q.num) == 1 and q.num.get(inside) == 1 else None
            total = make((name, frozenset({inside: 1}.items())), self.needs(Quotient({inside: Fraction(1)})), shown)
            out = self.add(out, self.mul(Quotient(outer_part), total))
        return self.mul(out, Quotient({ONE: Fraction(1)}, dict(q.den))) if q.den and not out.is_zero else out

    def differentiate(self, e: Term) -> Term | None:
        """The value of a "D" term as a term without it, where the condition of LOGIC.md is known; else None."""
        v, body, p = e[1:]
        w = v
        inner_ctx = {**self.ctx, v: "R"}
        try:
            if v in self.ctx:
                w = fresh(v, set(self.ctx) | free(body))
                body = subst(body, {v: w})
                inner_ctx = {**self.ctx, w: "R"}
            condition = subst(dom(body, w, inner_ctx), {w: p})
            if not self.known.holds(condition):
                return None
            return evaluate_D(("D", w, body, p), self.ctx)
        except LogicError:
            return None

    # ------------------------------------------------------------------------------------ matrices

    def letter(self, key: Any, term: Term) -> int:
        i = self.letter_ids.get(key)
        if i is None:
            i = self.letter_ids[key] = len(self.letters)
            self.letters.append((key, term, free(term)))
        return i

    def dimension(self, n: Term) -> Quotient:
        """The number of rows of a matrix of sort M(n, .): n, but never negative."""
        if self.known.nonneg(n):
            return self.scalar(n)
        return self.scalar(("max", n, 0))

    def words(self, e: Term) -> Words:
        """The normal form of a matrix term."""
        hit = self.mcache.get(e)
        if hit is None:
            hit = self.mcache[e] = self._words(e)
        return hit

    def _letter_word(self, key: Any, term: Term, t: int = 0) -> Words:
        return {((self.letter(key, term), t, 0),): Quotient.constant(1)}

    def _words(self, e: Term) -> Words:
        if isinstance(e, str):
            return self._letter_word(("var", e), e)
        head = e[0]
        if head == "+":
            out: Words = {}
            for a in e[1:]:
                out = self.words_add(out, self.words(a))
            return out
        if head == "sm":
            c = self.scalar(e[1])
            return {w: q for w, v in self.words(e[2]).items() if not (q := self.mul(c, v)).is_zero}
        if head == "mm":
            out = self.words(e[1])
            for a in e[2:]:
                out = self.words_mul(out, self.words(a))
            return out
        if head == "T":
            return self.words_transpose(self.words(e[1]))
        if head == "I":
            return {(): Quotient.constant(1)}
        if head == "O":
            return {}
        if head == "J":
            return {(self._one(e[1], 0), self._one(e[2], 1)): Quotient.constant(1)}
        if head == "mpow":
            return self._mpow(e)
        if head == "inv":
            inner = self.words(e[1])
            if len(inner) == 1:
                (w, c), *_ = inner.items()
                if len(w) == 1 and c.as_constant() == 1 and w[0][1] and w[0][2] == 0:
                    term = self.letters[w[0][0]][1]
                    return self.words_transpose(self.words(("inv", term)))
            return self._letter_word(("inv", self.matrix_key(e[1])), e)
        if head == "D":
            derived = self.differentiate(e)
            return self._letter_word(("D", canon(e)), e) if derived is None else self.words(derived)
        if head == "call":
            return self._letter_word(("call", e[1], *(self.any_key(a) for a in e[2:])), e)
        if head == "d":
            order = self.scalar(e[1])
            if order.is_zero:
                return self.words(("call", *e[2:]))
            return self._letter_word(("d", self.key(order), e[2], *(self.any_key(a) for a in e[3:])), e)
        if head == "op":
            return self._letter_word(("op", e[1], *(self.any_key(a) for a in e[2:])), e)
        if head == "had":
            keys = frozenset((self.matrix_key(e[1]), self.matrix_key(e[2])))
            return self._letter_word(("had", keys), e)
        if head == "mat":
            return self._letter_word(("mat", tuple(tuple(self.key(self.scalar(a)) for a in row) for row in e[1])), e)
        if head == "sum":
            return self._letter_word(("msum", canon(e)), e)
        raise LogicError(f"unknown matrix operator {head}")

    def _one(self, n: Term, t: int) -> Letter:
        return (self.letter(("one", self.key(self.scalar(n))), ("J", n, 1)), t, 0)

    def _mpow(self, e: Term) -> Words:
        a, n = e[1], e[2]
        q = self.scalar(n)
        c = q.as_constant()
        if c is not None and c.denominator == 1 and 0 <= c <= MAX_INNER:
            out: Words = {(): Quotient.constant(1)}
            base = self.words(a)
            for _ in range(int(c)):
                out = self.words_mul(out, base)
            return out
        inner = self.words(a)
        if len(inner) == 1:
            (w, v), *_ = inner.items()
            if len(w) == 1 and v.as_constant() == 1 and w[0][2] == 0:
                return {((w[0][0], w[0][1], self._exponent(q, self.known.nonneg(n))),): Quotient.constant(1)}
        base_letter = self.letter(("mbase", self.matrix_key(a)), a)
        return {((base_letter, 0, self._exponent(q, self.known.nonneg(n))),): Quotient.constant(1)}

    def _exponent(self, q: Quotient, nonneg: bool) -> int:
        if q.as_constant() == 1:
            return 0
        key = self.key(q)
        i = self.exponent_ids.get(key)
        if i is None:
            i = self.exponent_ids[key] = len(self.exponents)
            self.exponents.append((q, nonneg))
        elif nonneg and not self.exponents[i][1]:
            self.exponents[i] = (q, True)
        return i

    def words_add(self, a: Words, b: Words) -> Words:
        out = dict(a)
        for w, q in b.items():
            s = self.add(out[w], q) if w in out else q
            if s.is_zero:
                out.pop(w, None)
            else:
                out[w] = s
        return out

    def words_mul(self, a: Words, b: Words) -> Words:
        out: Words = {}
        if len(a) * len(b) > 200_000:
            raise LogicError("a product of matrix sums is too large")
        for u, p in a.items():
            for w, q in b.items():
                word, c = self.join(u, w)
                out = self.words_add(out, {word: self.mul(self.mul(p, q), c)})
        return out

    def join(self, u: Word, w: Word) -> tuple[Word, Quotient]:
        c = Quotient.constant(1)
        left, right = list(u), list(w)
        while left and right:
            x, y = left[-1], right[0]
            kx = self.letters[x[0]][0]
            if x[0] == y[0] and kx[0] == "one" and x[1] == 1 and y[1] == 0:
                c = self.mul(c, self.dimension(self.letters[x[0]][1][1]))
            elif self._cancels(x, y):
                pass
            elif x[:2] == y[:2] and (x[2] or y[2]) and self.exponents[x[2]][1] and self.exponents[y[2]][1]:
                q = self.add(self.exponents[x[2]][0], self.exponents[y[2]][0])
                left.pop()
                right[0] = (x[0], x[1], self._exponent(q, True))
                continue
            else:
                break
            left.pop()
            right.pop(0)
        return (*left, *right), c

    def _cancels(self, x: Letter, y: Letter) -> bool:
        """A inv(A) or inv(A) A (or both transposed), for A with a determinant that is known to be nonzero."""
        if x[1] != y[1] or x[2] or y[2]:
            return False
        for inner, outer in ((x, y), (y, x)):
            key, term, _ = self.letters[outer[0]]
            if key[0] == "inv" and key[1] == self.words_key({((inner[0], 0, 0),): Quotient.constant(1)}):
                return self.known.nonzero(("det", term[1]))
        return False

    def words_transpose(self, a: Words) -> Words:
        return {tuple((i, 1 - t, e) for i, t, e in reversed(w)): q for w, q in a.items()}

    def words_key(self, a: Words) -> Any:
        return frozenset((w, self.key(q)) for w, q in a.items())

    def matrix_key(self, e: Term) -> Any:
        """What tells a matrix from others. A letter fixes the shape; multiples of the identity, and 0, do not have one."""
        words = self.words(e)
        if any(words):
            return self.words_key(words)
        _, rows, cols = sort_of(e, self.ctx)
        return (self.words_key(words), self.key(self.scalar(rows)), self.key(self.scalar(cols)))

    def _trace(self, m: Term) -> Quotient:
        n = sort_of(m, self.ctx)[1]
        size = self.scalar(n).as_constant()
        if size is not None and size <= MAX_TRACE and mentions(m, ("mat", "had")):
            out = Quotient({})
            for k in range(1, int(size) + 1):
                out = self.add(out, self.entry(m, k, k))
            return out
        out = Quotient({})
        for w, q in self.words(m).items():
            out = self.add(out, self.mul(q, self._trace_word(w) if w else self.dimension(n)))
        return out

    def _trace_word(self, w: Word) -> Quotient:
        """The trace of a word, up to rotation and transposition; one(n)^T one(n) across the ends is the scalar n."""
        c = Quotient.constant(1)
        while len(w) >= 2:
            first, last = w[0], w[-1]
            if not (self.letters[first[0]][0][0] == "one" and first[1] == 0 and last == (first[0], 1, 0)):
                break
            c = self.mul(c, self.dimension(self.letters[first[0]][1][1]))
            w = w[1:-1]
        if not w:
            return c
        best = min(self._rotations(w), key=repr)
        needs = frozenset().union(*(self.letters[i][2] | self.needs(self.exponents[e][0]) for i, _, e in best))
        return self.mul(c, self.single(self.atom(("tr", best), None, needs)))

    def _rotations(self, w: Word) -> list[Word]:
        flipped = tuple((i, 1 - t, e) for i, t, e in reversed(w))
        return [x[k:] + x[:k] for x in (w, flipped) for k in range(len(w))]

    def entry(self, a: Term, i: Term, j: Term) -> Quotient:
        """The (i, j) entry (1-based; 0 outside the matrix) of a matrix term."""
        head = a[0] if isinstance(a, tuple) else None
        one, zero = Quotient.constant(1), Quotient({})
        qi, qj = self.scalar(i), self.scalar(j)
        ci, cj = qi.as_constant(), qj.as_constant()
        if head == "mat" and ci is not None and cj is not None:
            rows = a[1]
            inside = 1 <= ci <= len(rows) and 1 <= cj <= len(rows[0])
            return self.scalar(rows[int(ci) - 1][int(cj) - 1]) if inside else zero
        if head == "+":
            out = zero
            for b in a[1:]:
                out = self.add(out, self.entry(b, i, j))
            return out
        if head == "sm":
            return self.mul(self.scalar(a[1]), self.entry(a[2], i, j))
        if head == "T":
            return self.entry(a[1], j, i)
        if head == "had":
            return self.mul(self.entry(a[1], i, j), self.entry(a[2], i, j))
        if head == "O":
            return zero
        if head == "J" and self._inside(i, a[1]) and self._inside(j, a[2]):
            return one
        if head == "I":
            if self.add(qi, qj, Fraction(-1)).is_zero:
                if self._inside(i, a[1]):
                    return one
            elif (ci is not None and cj is not None) or self.known.holds(("!=", i, j)) or self.known.holds(("!=", j, i)):
                return zero
        if head == "mm":
            left, right = (a[1], a[2]) if len(a) == 3 else (a[1], ("mm", *a[2:]))
            n = sort_of(left, self.ctx)[2]
            c = self.scalar(n).as_constant()
            if c is not None and c <= MAX_INNER:
                out = zero
                for k in range(1, int(c) + 1):
                    out = self.add(out, self.mul(self.entry(left, i, k), self.entry(right, k, j)))
                return out
            v = fresh("k", free(a) | free(i) | free(j) | set(self.ctx))
            return self.scalar(("sum", v, 1, n, ("*", ("entry", left, i, v), ("entry", right, v, j))))
        if head == "D":
            derived = self.differentiate(a)
            if derived is not None:
                return self.entry(derived, i, j)
        if head == "d" and self.scalar(a[1]).is_zero:
            return self.entry(("call", *a[2:]), i, j)
        if head == "mpow":
            c = self.scalar(a[2]).as_constant()
            if c is not None and c.denominator == 1 and 0 <= c <= MAX_POWER:
                n = int(c)
                expanded = ("mm", *([a[1]] * n)) if n > 1 else a[1] if n else ("I", sort_of(a, self.ctx)[1])
                return self.entry(expanded, i, j)
        e = ("entry", a, i, j)
        return self.opaque(("entry", self.matrix_key(a), self.key(qi), self.key(qj)), e)

    def _inside(self, i: Term, n: Term) -> bool:
        ci, cn = self.scalar(i).as_constant(), self.scalar(n).as_constant()
        if ci is not None and cn is not None:
            return 1 <= ci <= cn
        low = (ci is not None and ci >= 1) or self.known.holds(("<=", 1, i))
        return low and self.known.holds(("<=", i, n))

    def _det(self, e: Term) -> Quotient:
        n = self.scalar(sort_of(e[1], self.ctx)[1]).as_constant()
        if n is None or n > MAX_DET:
            return self.opaque(("det", self.matrix_key(e[1])), e)
        size = max(int(n), 0)
        if size == 0:
            return Quotient.constant(1)
        rows = [[self.entry(e[1], i, j) for j in range(1, size + 1)] for i in range(1, size + 1)]
        return self._laplace(rows)

    def _laplace(self, rows: list[list[Quotient]]) -> Quotient:
        if len(rows) == 1:
            return rows[0][0]
        out = Quotient({})
        for j, q in enumerate(rows[0]):
            if not q.is_zero:
                minor = self._laplace([r[:j] + r[j + 1 :] for r in rows[1:]])
                out = self.add(out, self.mul(q, minor), Fraction(-1 if j % 2 else 1))
        return out

    # ------------------------------------------------------------------------------------ rewriting

    def replace_atom(self, q: Quotient, i: int, r: Quotient) -> Quotient:
        """Put r for the atom i (which equals r)."""
        if not any(j == i for p in (q.num, *(dict(k) for k in q.den)) for m in p for j, _ in m):
            return q
        out = self._replace_poly(q.num, i, r)
        for k, n in q.den.items():
            out = self.mul(out, self.power(self.inverse(self._replace_poly(dict(k), i, r)), n))
        return out

    def _replace_poly(self, p: Poly, i: int, r: Quotient) -> Quotient:
        by_power: dict[Exponent, Poly] = {}
        for m, c in p.items():
            e = dict(m).get(i, 0)
            by_power.setdefault(e, {})[tuple(t for t in m if t[0] != i)] = c
        out = Quotient({})
        for e, coefficient in by_power.items():
            if not isinstance(e, int):
                raise LogicError("rewriting inside a fractional power")
            out = self.add(out, self.mul(Quotient(coefficient), self.power(r, e)))
        return out

    def rewrite_scalar(self, q: Quotient, rules: list[tuple[int, Quotient]], rounds: int = 50) -> Quotient:
        for _ in range(rounds):
            before = (q.num, q.den)
            for i, r in rules:
                q = self.replace_atom(q, i, r)
            if (q.num, q.den) == before:
                return q
        return q

    def rewrite_words(
        self, a: Words, rules: list[tuple[Word, Words]], scalars: list[tuple[int, Quotient]], rounds: int = 200
    ) -> Words:
        for _ in range(rounds):
            changed = False
            for pattern, target in rules:
                for w in list(a):
                    at = next((k for k in range(len(w) - len(pattern) + 1) if w[k : k + len(pattern)] == pattern), None)
                    if at is None:
                        continue
                    c = a[w]
                    rest = {k: v for k, v in a.items() if k != w}
                    right = {w[at + len(pattern) :]: Quotient.constant(1)}
                    mid = self.words_mul(self.words_mul({w[:at]: c}, target), right)
                    a = self.words_add(rest, mid)
                    changed = True
            if not changed:
                break
        if scalars:
            out: Words = {}
            for w, q in a.items():
                q = self.rewrite_scalar(q, scalars)
                if not q.is_zero:
                    out[w] = q
            return out
        return a

    def as_word_rule(self, left: Term, right: Term) -> list[tuple[Word, Words]]:
        words = self.words(left)
        if len(words) != 1 or next(iter(words.values())).as_constant() != 1 or not next(iter(words)):
            raise LogicError("the left side of a rewriting hypothesis is no single word")
        w = next(iter(words))
        target = self.words(right)
        flipped = tuple((i, 1 - t, e) for i, t, e in reversed(w))
        rules = [(w, target)]
        back = len(target) == 1 and target.get(flipped) is not None and target[flipped].as_constant() == 1
        if flipped != w and not back:  # T(S) = S is read in one direction only
            rules.append((flipped, self.words_transpose(target)))
        return rules

    def as_atom_rule(self, left: Term, right: Term) -> tuple[int, Quotient]:
        mono = self.scalar(left).as_monomial()
        if mono is None or mono[0] != 1 or len(mono[1]) != 1 or mono[1][0][1] != 1:
            raise LogicError("the left side of a rewriting hypothesis is no single atom")
        return mono[1][0][0], self.scalar(right)


@lru_cache(maxsize=50_000)
def mentions(e: Any, heads: tuple[str, ...]) -> bool:
    if not isinstance(e, tuple):
        return False
    return (bool(e) and e[0] in heads) or any(mentions(a, heads) for a in e)


@lru_cache(maxsize=50_000)
def sum_height(e: Any) -> int:
    """How deep sums are nested in a term; an index is named by it, so that equal sums get equal names."""
    if not isinstance(e, tuple):
        return 0
    below = max((sum_height(a) for a in e), default=0)
    return below + 1 if e and e[0] in ("sum", "prod") else below


def _q(c: Fraction) -> Term:
    return c.numerator if c.denominator == 1 else ("q", c.numerator, c.denominator)


@lru_cache(maxsize=20_000)
def dimensions_agree(a: Term, b: Term) -> bool:
    """Whether two dimension terms are the same polynomial."""
    try:
        ctx: dict[str, Sort] = dict.fromkeys(free(a) | free(b), "Z")
        n = Normalizer.make(Known((), ctx), ctx)
        return n.add(n.scalar(a), n.scalar(b), Fraction(-1)).is_zero
    except LogicError:
        return canon(a) == canon(b)


def expand_det(a: Term, ctx: Context) -> Term:
    """The determinant of a matrix with a literal dimension, as a term in its entries."""
    n = sort_of(a, ctx)[1]
    if not isinstance(n, int) or not 1 <= n <= MAX_DET:
        raise LogicError("no derivative rule for this determinant")
    parts = []
    for perm in itertools.permutations(range(1, n + 1)):
        inversions = sum(perm[i] > perm[j] for i in range(n) for j in range(i + 1, n))
        factors = [("entry", a, i, j) for i, j in enumerate(perm, 1)]
        sign = [-1] if inversions % 2 else []
        parts.append(factors[0] if len(factors) + len(sign) == 1 else ("*", *sign, *factors))
    return parts[0] if len(parts) == 1 else ("+", *parts)


__all__ = ["Normalizer", "dimensions_agree", "expand_det"]
