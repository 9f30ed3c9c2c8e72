"""Laurent polynomials with rational exponents in opaque atoms, and exact division of them.

Three kinds of atoms.  A *plain* atom is an opaque term.  An *inverse* atom belongs to a polynomial that is
known to be nonzero; it occurs only with negative integer exponents.  A *root* atom belongs to a polynomial
that is known to be positive; it occurs only with exponents strictly between 0 and 1.  So every polynomial
denotes its value under the plain reading of powers, and a polynomial whose cleared form is empty is zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from typing import Any

from flint import fmpq, fmpq_mpoly_ctx
from flint.utils.flint_exceptions import DomainError

from .terms import Node, Refused

Exponent = Any  # int, or Fraction when it is not whole
Mono = tuple[tuple[int, Exponent], ...]
Poly = dict[Mono, Any]

MAX_TERMS = 100_000
MAX_WORK = 20_000_000
MAX_COEFFICIENT_BITS = 1_000_000


@dataclass(frozen=True)
class Atom:
    """What an atom stands for."""

    kind: str  # plain, inverse, root
    term: Node
    value: Poly | None = None


def whole(e: Exponent) -> Exponent:
    """The exponent as an int when it is one."""
    return int(e) if type(e) is Fraction and e.denominator == 1 else e


def bits(c: Any) -> int:
    """The size of a rational number."""
    return int(c.p).bit_length() + int(c.q).bit_length()


def constant(p: Poly) -> Any | None:
    """The value of a constant polynomial."""
    if not p:
        return fmpq(0)
    return p[()] if len(p) == 1 and () in p else None


def integer(p: Poly) -> int | None:
    """The value of a polynomial that is an integer constant."""
    c = constant(p)
    return int(c.p) if c is not None and c.q == 1 else None


def number(c: Any) -> Node:
    """A rational number as a term."""
    p, q = int(c.p), int(c.q)
    return p if q == 1 else ("q", p, q)


def leading(p: Poly) -> Mono:
    """The greatest monomial, in an order that only depends on the numbers of the atoms."""
    return max(p)


class Ring:
    """The atoms of one normalisation, and arithmetic on polynomials in them."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self._index: dict[Any, int] = {}
        self._roots = False
        self._work = 0

    # --- atoms ---

    def plain(self, term: Node) -> Poly:
        """The atom of an opaque term."""
        return {((self._number(("plain", term), "plain", term, None), 1),): fmpq(1)}

    def _number(self, key: Any, kind: str, term: Node, value: Poly | None) -> int:
        if key not in self._index:
            self._index[key] = len(self.atoms)
            self.atoms.append(Atom(kind, term, value))
        return self._index[key]

    def _valued(self, kind: str, value: Poly) -> int:
        key = (kind, tuple(sorted((m, int(c.p), int(c.q)) for m, c in value.items())))
        if key not in self._index:
            self._number(key, kind, self.term(value), value)
        return self._index[key]

    def spend(self, n: int) -> None:
        """Counts work, and refuses when there is too much."""
        self._work += n
        if self._work > MAX_WORK:
            raise Refused("a normal form takes too much work")

    # --- arithmetic ---

    def add(self, p: Poly, q: Poly, scale: Any = 1) -> Poly:
        """p + scale * q."""
        out = dict(p)
        self.accumulate(out, q, scale)
        return out

    def accumulate(self, out: Poly, q: Poly, scale: Any = 1) -> None:
        """Adds scale * q to out, in place."""
        self.spend(len(q))
        for m, c in q.items():
            s = out.get(m, 0) + c * scale
            if s:
                out[m] = s
            else:
                out.pop(m, None)
        if len(out) > MAX_TERMS:
            raise Refused("a normal form has too many terms")

    def scale(self, p: Poly, c: Any) -> Poly:
        """c * p."""
        return {m: a * c for m, a in p.items()} if c else {}

    def mul(self, p: Poly, q: Poly) -> Poly:
        """The product."""
        if len(p) > len(q):
            p, q = q, p
        if len(p) > 1 and len(p) * len(q) > (2000 if len(p) > 4 else 20_000):
            out = self._big_product(p, q)
        else:
            self.spend(len(p) * len(q) * 6)
            out = {}
            for m1, c1 in p.items():
                for m2, c2 in q.items():
                    m = multiply(m1, m2)
                    s = out.get(m, 0) + c1 * c2
                    if s:
                        out[m] = s
                    else:
                        del out[m]
        if len(out) > MAX_TERMS:
            raise Refused("a normal form has too many terms")
        return self.tidy(out)

    def _big_product(self, p: Poly, q: Poly) -> Poly:
        pack = _Packing([p, q])
        if pack.large:
            raise Refused("an exponent is too large")
        self.spend((len(p) + len(q)) * (4 + len(pack.ids)) * 4 + len(p) * len(q) // 20)
        product = pack.up(p, 0) * pack.up(q, 1)
        self.spend(len(product) * (4 + len(pack.ids)) * 4)
        return pack.down(product, [0, 1])

    def tidy(self, p: Poly) -> Poly:
        """Brings the exponents of root atoms back into [0, 1)."""
        if not self._roots:
            return p
        out: Poly = {}
        for m, c in p.items():
            part: Poly | None = None
            keep = []
            for a, e in m:
                if self.atoms[a].kind == "root" and not 0 < e < 1:
                    k = e.numerator // e.denominator
                    if e != k:
                        keep.append((a, e - k))
                    factor = self.power(self.atoms[a].value or {}, k)
                    part = factor if part is None else self.mul(part, factor)
                else:
                    keep.append((a, e))
            rest = {tuple(keep): c}
            self.accumulate(out, rest if part is None else self.mul(rest, part))
        return out

    def power(self, p: Poly, n: int) -> Poly:
        """An integer power; for n < 0 the value of p must be known to be nonzero."""
        if n < 0:
            return self.power(self.inverse(p), -n)
        if len(p) == 1:
            ((m, c),) = p.items()
            if c in (1, -1):
                c = c if n % 2 else fmpq(1)
            elif bits(c) * n > MAX_COEFFICIENT_BITS:
                raise Refused("a power is too large")
            else:
                c = c**n
            return self.tidy({tuple((a, whole(e * n)) for a, e in m) if n else (): c})
        if n > 1 and (n > 100_000 or (p and comb(n + len(p) - 1, len(p) - 1) > MAX_TERMS)):
            raise Refused("the expansion of a power is too large")
        if p and n * max(bits(c) for c in p.values()) > MAX_COEFFICIENT_BITS:
            raise Refused("a power is too large")
        result: Poly = {(): fmpq(1)}
        base = p
        while n:
            if n & 1:
                result = self.mul(result, base)
            n >>= 1
            if n:
                base = self.mul(base, base)
        return result

    def root(self, p: Poly, e: Fraction) -> Poly:
        """The power with a rational exponent of a polynomial whose value is known to be positive."""
        k = e.numerator // e.denominator
        result = self.power(p, k)
        if e == k:
            return result
        p = self.reduce(p)
        if not p:
            raise Refused("a positive term has the normal form 0")
        self._roots = True
        atom = self._valued("root", p)
        return self.mul(result, {((atom, e - k),): fmpq(1)})

    def raise_atom(self, a: int, e: Exponent) -> Poly:
        """A power of an atom; a fraction only if the value is known to be positive."""
        e = whole(e)
        atom = self.atoms[a]
        if atom.kind == "inverse":
            value = atom.value or {}
            return self.power(value, e) if isinstance(e, int) else self.root(value, e)
        return self.tidy({((a, e),): fmpq(1)}) if e else {(): fmpq(1)}

    def inverse(self, p: Poly) -> Poly:
        """The inverse of a polynomial whose value is known to be nonzero."""
        n, d = self.clear(p)
        if not n:
            raise Refused("the inverse of a term with the normal form 0")
        result: Poly = {(): fmpq(1)}
        for a, k in d.items():
            result = self.mul(result, self.power(self.atoms[a].value or {}, k))
        content, c, factors = self._factor(n)
        result = self.mul(result, self.tidy({tuple((a, -e) for a, e in content): 1 / c}))
        for f, k in factors:
            result = self.mul(result, {((self._valued("inverse", f), -k),): fmpq(1)})
        return result

    def parts(self, p: Poly) -> tuple[Mono, Any, Poly]:
        """p = lead * content * rest: lead > 0 a rational, content a monomial, rest with leading coefficient 1 or -1."""
        content = next(iter(p)) if len(p) == 1 else _Packing([p]).content(0)
        rest = {multiply(m, tuple((a, -e) for a, e in content)): c for m, c in p.items()}
        lead = abs(rest[leading(rest)])
        return content, lead, {m: c / lead for m, c in rest.items()}

    def _factor(self, n: Poly) -> tuple[Mono, Any, list[tuple[Poly, int]]]:
        """n = c * content * product of factors, each with leading coefficient 1."""
        if len(n) == 1:
            ((m, c),) = n.items()
            return m, c, []
        pack = _Packing([n])
        content = pack.content(0)
        shifted = {multiply(m, tuple((a, -e) for a, e in content)): c for m, c in n.items()}
        if len(n) > 200 or len(pack.ids) > 10 or pack.degree > 40:
            c = shifted[leading(shifted)]
            return content, c, [(self.scale(shifted, 1 / c), 1)]
        self.spend(len(n) * 100)
        c, found = pack.up(n, 0).factor()
        factors = []
        for f, k in found:
            q = pack.down(f, [])
            lead = q[leading(q)]
            c *= lead**k
            factors.append((self.scale(q, 1 / lead), int(k)))
        return content, c, factors

    def clear(self, p: Poly) -> tuple[Poly, dict[int, int]]:
        """p as a polynomial over a product of powers of the polynomials of inverse atoms."""
        groups: dict[Mono, Poly] = {}
        worst: dict[int, int] = {}
        for m, c in p.items():
            inverse = tuple((a, e) for a, e in m if self.atoms[a].kind == "inverse")
            rest = tuple((a, e) for a, e in m if self.atoms[a].kind != "inverse")
            groups.setdefault(inverse, {})[rest] = c
            for a, e in inverse:
                worst[a] = max(worst.get(a, 0), -e)
        if not worst:
            return p, {}
        out: Poly = {}
        for inverse, part in groups.items():
            have = dict(inverse)
            for a, k in worst.items():
                part = self.mul(part, self.power(self.atoms[a].value or {}, k + have.get(a, 0)))
            self.accumulate(out, part)
        return out, worst

    def reduce(self, p: Poly) -> Poly:
        """p over a common denominator, with common factors cancelled."""
        n, d = self.clear(p)
        if not d:
            return n
        kept = []
        for a in sorted(d):
            k = d[a]
            while k and n:
                quotient = self._quotient(n, self.atoms[a].value or {})
                if quotient is None:
                    break
                n, k = quotient, k - 1
            if k:
                kept.append((a, -k))
        return {multiply(m, tuple(kept)): c for m, c in n.items()}

    def _quotient(self, n: Poly, f: Poly) -> Poly | None:
        pack = _Packing([n, f])
        if pack.large:
            return None
        self.spend((len(n) + len(f)) * (4 + len(pack.ids)))
        try:
            return pack.down(pack.up(n, 0) / pack.up(f, 1), [0], [1])
        except DomainError:
            return None

    def is_zero(self, p: Poly) -> bool:
        """Whether the normal form is 0."""
        return not p or not self.clear(p)[0]

    # --- back to terms ---

    def term(self, p: Poly) -> Node:
        """A term with this normal form, the same for equal polynomials."""
        items = [self._monomial(m, p[m]) for m in sorted(p)]
        if len(items) == 1:
            return items[0]
        return ("+", *items) if items else 0

    def _monomial(self, m: Mono, c: Any) -> Node:
        factors: list[Node] = [number(c)] if c != 1 or not m else []
        for a, e in m:
            base = self.atoms[a].term
            exponent = e if isinstance(e, int) else ("q", e.numerator, e.denominator)
            factors.append(base if e == 1 else ("^", base, exponent))
        return factors[0] if len(factors) == 1 else ("*", *factors)


def multiply(m1: Mono, m2: Mono) -> Mono:
    """The product of monomials."""
    if not m1:
        return m2
    if not m2:
        return m1
    powers = dict(m1)
    for a, e in m2:
        s = whole(powers.get(a, 0) + e)
        if s:
            powers[a] = s
        else:
            del powers[a]
    return tuple(sorted(powers.items()))


class _Packing:
    """Conversion of a few polynomials into FLINT's multivariate polynomials and back."""

    def __init__(self, polys: list[Poly]) -> None:
        denominator: dict[int, int] = {}
        for p in polys:
            for m in p:
                for a, e in m:
                    denominator[a] = lcm(denominator.get(a, 1), e.denominator)
        self.ids = sorted(denominator)
        self.position = {a: i for i, a in enumerate(self.ids)}
        self.denominators = [denominator[a] for a in self.ids]
        self.shifts = [self._lowest(p) for p in polys]
        self.context = fmpq_mpoly_ctx.get([f"x{i}" for i in range(max(1, len(self.ids)))], "lex")
        spread = [self._spread(p) for p in polys]
        self.degree = max((max(s, default=0) for s in spread), default=0)
        self.large = self.degree > 2**30 or any(d > 1000 for d in self.denominators)

    def _lowest(self, p: Poly) -> list[Exponent]:
        """The least exponent of each atom, counting an absent one as 0."""
        low: list[Any] = [None] * len(self.ids)
        count = [0] * len(self.ids)
        for m in p:
            for a, e in m:
                i = self.position[a]
                count[i] += 1
                if low[i] is None or e < low[i]:
                    low[i] = e
        return [
            0 if e is None else (e if count[i] == len(p) or e < 0 else 0)
            for i, e in enumerate(low)
        ]  # fmt: skip

    def _spread(self, p: Poly) -> list[int]:
        return [sum(abs(int(e * self.denominators[self.position[a]])) for a, e in m) for m in p]

    def content(self, which: int) -> Mono:
        """The monomial that was taken out of a polynomial."""
        return tuple((a, e) for a, e in zip(self.ids, self.shifts[which], strict=True) if e)

    def up(self, p: Poly, which: int) -> Any:
        """The polynomial without its content."""
        shift = self.shifts[which]
        base = [-int(s * d) for s, d in zip(shift, self.denominators, strict=True)] or [0]
        terms = {}
        for m, c in p.items():
            exponents = list(base)
            for a, e in m:
                i = self.position[a]
                exponents[i] += int(e * self.denominators[i])
            terms[tuple(exponents)] = c
        return self.context.from_dict(terms)

    def down(self, f: Any, plus: list[int], minus: list[int] | None = None) -> Poly:
        """Back, times the contents of some polynomials, divided by those of others."""
        shift = [0] * len(self.ids)
        for which in plus:
            shift = [s + e for s, e in zip(shift, self.shifts[which], strict=True)]
        for which in minus or []:
            shift = [s - e for s, e in zip(shift, self.shifts[which], strict=True)]
        out: Poly = {}
        if all(d == 1 for d in self.denominators):  # the usual case, without fractions
            pairs = list(zip(self.ids, shift, strict=True))
            for exponents, c in f.to_dict().items():
                whole_mono = [(a, int(e) + s) for (a, s), e in zip(pairs, exponents, strict=False)]
                out[tuple((a, whole(e)) for a, e in whole_mono if e)] = c
            return out
        for exponents, c in f.to_dict().items():
            m = []
            for i, a in enumerate(self.ids):
                e = whole(Fraction(int(exponents[i]), self.denominators[i]) + shift[i])
                if e:
                    m.append((a, e))
            out[tuple(m)] = c
        return out
