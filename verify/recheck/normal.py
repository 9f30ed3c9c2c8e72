"""``field``: normal forms of scalars, relative to known formulas.

A conversion is made only where the sign analysis knows its condition; otherwise the subterm becomes an opaque
atom whose own arguments are normalised.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from .calculus import Calculus, NotDifferentiable
from .poly import Mono, Poly, Ring, constant, integer, whole
from .sign import Sign
from .sorts import Context, Sorter, literal_dimension
from .terms import FALSE, TRUE, Node, R, Refused, Z, binds, close, conjuncts, free, head, is_int, put
from .words import ONE, Words

MAX_SUM = 200
MAX_DET = 6
MAX_REWRITES = 50


class Normaliser:
    """Normal forms of scalars and matrices in one goal."""

    max_terms = MAX_SUM

    def __init__(self, sorter: Sorter, ctx: Context, known: Iterable[Node] = ()) -> None:
        self.sorter = sorter
        self.ctx = dict(ctx)
        self.calculus = Calculus(sorter)
        self.ring = Ring()
        self.words = Words(self)
        self.sign = Sign(known, self)
        self.memo: dict[Node, Poly] = {}
        self.rules: dict[Node, Node] = {}
        self.positive: set[Node] = set()  # terms that are positive for a reason that the sign analysis does not see
        self._rewriting = 0
        self._bounds: dict[tuple[Node, Node], int] = {}
        self._index: dict[str, tuple[Node, Node]] = {}

    # --- helpers ---

    def of(self, t: Node) -> Node:
        """The sort of a term."""
        return self.sorter.of(t, self.ctx)

    def shape(self, t: Node) -> tuple[Node, Node]:
        """The dimensions of a matrix term."""
        return self.sorter.matrix(t, self.ctx)

    def integral(self, t: Node) -> bool:
        """Whether a term has sort Z."""
        return bool(self.of(t) == Z)

    def scalar(self, t: Node) -> bool:
        """Whether a term is a number."""
        return self.of(t) in (R, Z)

    def canon(self, t: Node) -> Node:
        """The normal form of a scalar as a term."""
        return t if is_int(t) else self.ring.term(self.ring.reduce(self.nf(t)))

    def canon_any(self, t: Node) -> Node:
        """The normal form of a scalar, matrix or function as a term."""
        s = self.of(t)
        if s in (R, Z):
            return self.canon(t)
        return self.words.canon(t) if s[0] == "M" else t

    def opaque(self, t: Node) -> Node:
        """A term with normalised arguments."""
        h = t[0] if isinstance(t, tuple) else ""
        if not h:
            return t
        if h == "call":
            return ("call", t[1], *(self.canon_any(a) for a in t[2:]))
        if h == "d":
            n = self.canon(t[1])
            rest = (t[2], *(self.canon_any(a) for a in t[3:]))
            return ("call", *rest) if n == 0 else ("d", n, *rest)
        return (h, *(self.canon_any(a) for a in t[1:]))

    def atom(self, t: Node) -> Poly:
        """An opaque scalar, or what a rewrite rule puts in its place."""
        if t in self.rules:
            if self._rewriting >= MAX_REWRITES:
                raise Refused("rewriting does not stop")
            self._rewriting += 1
            try:
                return self.nf(self.rules[t])
            finally:
                self._rewriting -= 1
        return self.ring.plain(t)

    def is_zero(self, t: Node) -> bool:
        """Whether a scalar or matrix term has the normal form 0."""
        return self.ring.is_zero(self.nf(t)) if self.scalar(t) else self.words.is_zero(self.words.nf(t))

    # --- rewrite rules ---

    def rewrite(self, equations: Sequence[tuple[Node, Node]]) -> None:
        """Installs equations, left to right."""
        keys: list[tuple[Node, Node]] = []
        for left, right in equations:
            if self.scalar(left):
                keys.append((self._single_atom(left), right))
        words = [(self._single_word(a), self.words.nf(b)) for a, b in equations if not self.scalar(a)]
        for key, right in keys:
            self.rules.setdefault(key, right)
        self._forget()
        for word, value in words:
            self.words.add_rewrite(word, value)
        self._forget()
        for left, right in equations:  # left sides as they look after the other rules
            if self.scalar(left) and isinstance(left, tuple):
                seen = self.opaque(left) if left[0] in ("call", "d") or left[0].startswith("op ") else None
                if seen is not None and seen not in self.rules:
                    self.rules[seen] = right
                    self._forget()

    def _single_atom(self, left: Node) -> Node:
        p = self.nf(left)
        if len(p) == 1:
            ((m, c),) = p.items()
            if c == 1 and len(m) == 1 and m[0][1] == 1 and self.ring.atoms[m[0][0]].kind == "plain":
                return self.ring.atoms[m[0][0]].term
        raise Refused("the left side of a rewrite rule is not a single atom")

    def _single_word(self, left: Node) -> tuple[tuple[int, bool], ...]:
        m = self.words.nf(left)
        if len(m) == 1:
            ((w, c),) = m.items()
            if c == ONE:
                return w
        raise Refused("the left side of a rewrite rule is not a single word")

    def _forget(self) -> None:
        self.memo.clear()
        self.words.memo.clear()
        self.sign.reset()

    # --- the normal form ---

    def nf(self, t: Node) -> Poly:
        """The normal form of a scalar term."""
        if is_int(t):
            return {(): fmpq(t)} if t else {}
        if isinstance(t, str):
            return self.atom(t)
        h = t[0]
        if h == "q":
            c = fmpq(t[1], t[2])
            return {(): c} if c else {}
        if h == "+":
            out: Poly = {}
            for a in t[1:]:
                self.ring.accumulate(out, self.nf(a))
            return out
        if h == "*":
            out = ONE
            for a in t[1:]:
                out = self.ring.mul(out, self.nf(a))
            return out
        if t not in self.memo:
            self.memo[t] = self._nf(t)
        return self.memo[t]

    def _nf(self, t: Node) -> Poly:
        h = t[0]
        if h == "/":
            return self.ring.mul(self.nf(t[1]), self._inverse(t[2]))
        if h == "^":
            return self._power(t)
        if h == "sqrt":
            if not self.sign.pos(t[1]):
                return self.atom(("sqrt", self.canon(t[1])))
            return self._raise(t[1], {(): fmpq(1, 2)}, True)
        if h == "exp":
            return self._exp(self.ring.reduce(self.nf(t[1])))
        if h == "log":
            return self._log(t[1])
        if h in ("sinh", "cosh", "tanh", "asinh"):
            return self._hyperbolic(h, t[1])
        if h == "abs":
            return self._abs(t[1])
        if h in ("min", "max"):
            return self.extreme(h, t[1], t[2])
        if h in ("sum", "prod"):
            return self._big(t)
        if h == "D":
            value = self.derivative(t)
            return self.nf(value) if value is not None else self.atom(self.opaque_derivative(t))
        if h == "tr":
            return self.words.trace(t[1], self.shape(t[1])[0])
        if h == "det":
            return self._det(t)
        if h == "entry":
            return self.words.entry(t[1], t[2], t[3])
        return self.atom(self.opaque(t))

    def _inverse(self, b: Node) -> Poly:
        if self.sign.nonzero(b):
            return self.ring.inverse(self.nf(b))
        value = constant(self.nf(b))
        if value:
            return {(): 1 / value}
        return self.atom(("/", 1, self.canon(b)))

    def _abs(self, a: Node) -> Poly:
        value = constant(self.nf(a))
        if value is not None:
            return {(): abs(value)} if value else {}
        return self.nf(a) if self.sign.nonneg(a) else self.atom(("abs", self.canon(a)))

    def extreme(self, h: str, a: Node, b: Node) -> Poly:
        """The smaller or larger of two numbers."""
        first, second = constant(self.nf(a)), constant(self.nf(b))
        if first is not None and second is not None:
            value = min(first, second) if h == "min" else max(first, second)
            return {(): value} if value else {}
        both = sorted({self.canon(a), self.canon(b)}, key=repr)
        return self.nf(a) if len(both) == 1 else self.atom((h, *both))

    # --- powers ---

    def _power(self, t: Node) -> Poly:
        a, e = t[1], t[2]
        if is_int(e):
            return self._literal_power(a, e)
        exponent = self.ring.reduce(self.nf(e))
        n = integer(exponent)
        if n is not None:
            return self._literal_power(a, n)
        if self.sign.pos(a):
            return self._raise(a, exponent, True)
        if self.sign.nonzero(a) and all(self._whole_term(m, c) for m, c in exponent.items()):
            return self._raise(a, exponent, False)
        return self.atom(("^", self.canon(a), self.canon(e)))

    def _literal_power(self, a: Node, n: int) -> Poly:
        return self.ring.power(self.nf(a), n) if n >= 0 else self.ring.power(self._inverse(a), -n)

    def _whole_term(self, m: Mono, c: fmpq) -> bool:
        """Whether c * m is an integer multiple of something that is an integer whatever the atoms are."""
        if c.q != 1:
            return False
        for a, e in m:
            atom = self.ring.atoms[a]
            if atom.kind != "plain" or not isinstance(e, int) or e < 0 or not self.integral(atom.term):
                return False
        return True

    def _raise(self, a: Node, exponent: Poly, positive: bool) -> Poly:
        """a^exponent, where a is positive, or nonzero with an exponent all of whose terms are integers.

        a = lead * content * rest with lead > 0, a monomial as content, and a rest that is positive if a and the
        content are.
        """
        base = self.ring.reduce(self.nf(a))
        if not base:
            raise Refused("a nonzero term has the normal form 0")
        content, lead, rest = self.ring.parts(base)
        if positive and not all(self._atom_pos(x) for x, _ in content):
            content, rest = (), self.ring.mul({content: fmpq(1)}, rest)
        out = self._prime_powers(lead, exponent)
        for x, e in content:
            for m, c in exponent.items():
                k = fraction(c) * e
                factor = self._atom_to(x, m, k, positive) if m else self.ring.raise_atom(x, k)
                out = self.ring.mul(out, factor)
        if rest != ONE:
            for m, c in exponent.items():
                if m:
                    generator = self.ring.plain(("^", self.ring.term(rest), self._mono_term(m)))
                    factor = self._generator_power(generator, c)
                elif c.q == 1:
                    factor = self.ring.power(rest, int(c.p))
                else:
                    factor = self.ring.root(rest, fraction(c))
                out = self.ring.mul(out, factor)
        return out

    def _atom_pos(self, a: int) -> bool:
        return self.ring.atoms[a].kind == "root" or self.sign.pos(self.ring.atoms[a].term)

    def _generator_power(self, generator: Poly, c: fmpq) -> Poly:
        ((m, one),) = generator.items()
        return {tuple((a, whole(e * fraction(c))) for a, e in m): one}

    def _mono_term(self, m: Mono) -> Node:
        return self.ring.term({m: fmpq(1)})

    def _atom_to(self, a: int, em: Mono, k: Fraction, positive: bool) -> Poly:
        """(atom^em)^k."""
        term = self.ring.atoms[a].term
        h = head(term)
        if h == "exp":
            product = self.ring.mul(self.nf(term[1]), {em: fmpq(k.numerator, k.denominator)})
            return self._exp(self.ring.reduce(product))
        if h == "^" and not is_int(term[2]) and self.sign.pos(term[1]):
            product = self.ring.mul(self.nf(term[2]), {em: fmpq(k.numerator, k.denominator)})
            return self._raise(term[1], self.ring.reduce(product), True)
        generator = self.ring.plain(("^", term, self._mono_term(em)))
        return self._generator_power(generator, fmpq(k.numerator, k.denominator))

    def _prime_powers(self, c: fmpq, exponent: Poly) -> Poly:
        """c^exponent for a rational c > 0."""
        out = ONE
        for p, k in factors(int(c.p)) + [(p, -k) for p, k in factors(int(c.q))]:
            for em, ec in exponent.items():
                e = fraction(ec) * k
                if em:
                    generator = self.ring.plain(("^", p, self._mono_term(em)))
                    power = self._generator_power(generator, fmpq(e.numerator, e.denominator))
                else:
                    power = self.ring.root({(): fmpq(p)}, e)
                out = self.ring.mul(out, power)
        return out

    def _exp(self, e: Poly) -> Poly:
        out = ONE
        for m, c in e.items():
            out = self.ring.mul(out, self._exp_of_monomial(m, c))
        return out

    def _exp_of_monomial(self, m: Mono, c: fmpq) -> Poly:
        for a, e in m:
            term = self.ring.atoms[a].term
            if e == 1 and head(term) == "log" and self.sign.pos(term[1]):
                rest = tuple(x for x in m if x[0] != a)
                return self._raise(term[1], {rest: c}, True)
        generator = self.ring.plain(("exp", self._mono_term(m)))
        return self._generator_power(generator, c)

    def _log(self, t: Node) -> Poly:
        base = self.ring.reduce(self.nf(t))
        if len(base) == 1:
            ((m, c),) = base.items()
            if c > 0 and all(self._atom_pos(a) for a, _ in m):
                out: Poly = {}
                for p, k in factors(int(c.p)) + [(p, -k) for p, k in factors(int(c.q))]:
                    self.ring.accumulate(out, self.atom(("log", p)), k)
                for a, e in m:
                    f = Fraction(e)
                    self.ring.accumulate(out, self._log_of_atom(a), fmpq(f.numerator, f.denominator))
                return out
        return self.atom(("log", self.ring.term(base)))

    def _log_of_atom(self, a: int) -> Poly:
        term = self.ring.atoms[a].term
        if head(term) == "exp":
            return self.nf(term[1])
        if head(term) == "^" and not is_int(term[2]) and self.sign.pos(term[1]):
            return self.ring.mul(self.nf(term[2]), self._log(term[1]))
        return self.atom(("log", term))

    def _hyperbolic(self, h: str, a: Node) -> Poly:
        if h == "asinh":
            argument = ("+", a, ("sqrt", ("+", ("^", a, 2), 1)))
            self.positive |= {argument, self.canon(argument)}
            return self.nf(("log", argument))
        up, down = self.nf(("exp", a)), self.nf(("exp", ("*", -1, a)))
        minus, plus = self.ring.add(up, down, -1), self.ring.add(up, down)
        if h == "tanh":
            return self.ring.mul(minus, self.ring.inverse(plus))
        return self.ring.scale(minus if h == "sinh" else plus, fmpq(1, 2))

    # --- binders ---

    def index_name(self, t: Node, low: Node, high: Node) -> str:
        """The internal name of an index: by the binders inside the sum and by its bounds."""
        number = self._bounds.setdefault((low, high), len(self._bounds))
        level = height(t)
        used = free(t)
        while f"%z{level}_{number}" in used:
            level += 1
        name = f"%z{level}_{number}"
        self.ctx[name] = Z
        self._index[name] = (low, high)
        return name

    def _variable_name(self, t: Node) -> str:
        level = height(t)
        used = free(t)
        while f"%r{level}" in used:
            level += 1
        self.ctx[f"%r{level}"] = R
        return f"%r{level}"

    def lower_bound(self, name: str) -> Node | None:
        """A lower bound of a bound index, by its internal name."""
        return self._index[name][0] if name in self._index else None

    def index_inside(self, i: Node, n: Node) -> bool:
        """Whether i is a bound index that runs from at least 1 to n."""
        if not isinstance(i, str) or i not in self._index:
            return False
        low, high = self._index[i]
        return is_int(low) and low >= 1 and high == n

    def open_body(self, t: Node) -> Node:
        """The body of a sum with an internal name for its index."""
        return put(t[3], [self.index_name(t, self.canon(t[1]), self.canon(t[2]))])

    def _big(self, t: Node) -> Poly:
        low, high = self.canon(t[1]), self.canon(t[2])
        plus = t[0] == "sum"
        if is_int(low) and is_int(high) and high - low < MAX_SUM:
            out: Poly = {} if plus else ONE
            for k in range(low, high + 1):
                self.ring.spend(60)
                value = self.nf(put(t[3], [k]))
                if plus:
                    self.ring.accumulate(out, value)
                else:
                    out = self.ring.mul(out, value)
            return out
        name = self.index_name(t, low, high)
        body = self.ring.reduce(self.nf(put(t[3], [name])))
        if not plus:
            return self.atom(("prod", low, high, close(self.ring.term(body), [name])))
        out = {}
        for m, c in body.items():
            still, rest = self.split(m, name)
            self.ring.accumulate(out, self.ring.mul({still: c}, self.opaque_sum(low, high, {rest: fmpq(1)}, name)))
        return out

    def split(self, m: Mono, name: str) -> tuple[Mono, Mono]:
        """The part of a monomial without a variable, and the part with it."""
        still: list[tuple[int, Any]] = []
        rest: list[tuple[int, Any]] = []
        for a, e in m:
            (rest if name in free(self.ring.atoms[a].term) else still).append((a, e))
        return tuple(still), tuple(rest)

    def opaque_sum(self, low: Node, high: Node, body: Poly, name: str) -> Poly:
        """The atom of a sum."""
        return self.atom(("sum", low, high, close(self.ring.term(body), [name])))

    # --- derivatives ---

    def derivative(self, t: Node) -> Node | None:
        """The symbolic derivative that a D-term is known to be equal to, or None."""
        scope, point = t[1], t[2]
        v = self._variable_name(t)
        body = put(scope, [v])
        attempts = [scope]
        normal = self.canon_any(body)
        if normal != body:
            attempts.append(close(normal, [v]))
        for attempt in attempts:
            try:
                value = self.calculus.derivative_at(attempt, point, self.ctx)
            except NotDifferentiable:
                continue
            condition = self.calculus.dom(put(attempt, [v]), v, self.ctx)
            if self.known(put(close(condition, [v]), [point])):
                return value
        return None

    def opaque_derivative(self, t: Node) -> Node:
        """A D-term with normalised body and point."""
        v = self._variable_name(t)
        return ("D", close(self.canon_any(put(t[1], [v])), [v]), self.canon(t[2]))

    def known(self, condition: Node) -> bool:
        """Whether a condition as collected by dom is known."""
        return all(self._known(a) for a in conjuncts(condition))

    def _known(self, a: Node) -> bool:
        if a == TRUE or self.sign.holds(a):
            return True
        if a == FALSE:
            return False
        if a[0] == "!=" and a[2] == 0:
            return self.sign.nonzero(a[1])
        if a[0] == "<" and a[1] == 0:
            return self.sign.pos(a[2])
        if a[0] == "<=" and a[1] == 0:
            return self.sign.nonneg(a[2])
        if a[0] == "all" and len(a) == 3 and a[1] == Z and a[2][0] == "=>":
            name = self.sorter.fresh(self.ctx)
            self.ctx[name] = Z
            return self.known(put(a[2][2], [name]))
        return False

    # --- determinants ---

    def _det(self, t: Node) -> Poly:
        n = literal_dimension(self.shape(t[1])[0])
        if n is None or n > MAX_DET:
            return self.atom(("det", self.words.canon(t[1])))
        n = max(n, 0)
        minors: dict[int, Poly] = {0: ONE}  # by the set of columns used by the first rows
        for row in range(1, n + 1):
            entries = [self.words.entry(t[1], row, j) for j in range(1, n + 1)]
            longer: dict[int, Poly] = {}
            for used, minor in minors.items():
                for j, entry in enumerate(entries):
                    if not used >> j & 1:
                        sign = -1 if bin(used >> j).count("1") % 2 else 1
                        key = used | 1 << j
                        longer[key] = self.ring.add(longer.get(key, {}), self.ring.mul(minor, entry), sign)
            minors = longer
        return minors[(1 << n) - 1]


def height(t: Node) -> int:
    """How deeply binders are nested in a term."""
    if not isinstance(t, tuple) or t[0] == "#":
        return 0
    return max((height(x) + (binds(t[0], i) > 0) for i, x in enumerate(t[1:], 1)), default=0)


def fraction(c: fmpq) -> Fraction:
    """A rational number as a fraction of the standard library."""
    return Fraction(int(c.p), int(c.q))


def factors(n: int) -> list[tuple[int, int]]:
    """A factorisation of n >= 1 by trial division; a large rest stays in one piece."""
    out = []
    p = 2
    while p * p <= n and p < 10_000:
        k = 0
        while n % p == 0:
            n, k = n // p, k + 1
        if k:
            out.append((p, k))
        p += 1 if p == 2 else 2
    if n > 1:
        out.append((n, 1))
    return out
