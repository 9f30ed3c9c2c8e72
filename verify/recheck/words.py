"""``nc``: matrices of any shape as sums of words with scalar coefficients.

A letter is an opaque matrix with a transposition mark.  ``one(n)`` is the column of n ones; ``J(m,n)`` is
one(m) one(n)^T.  The identity is the empty word, also as one(1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import fmpq

from .poly import Poly, integer
from .sorts import literal_dimension
from .terms import Node, Refused, close, free, is_int, put

if TYPE_CHECKING:
    from .normal import Normaliser

Mark = tuple[int, bool]
Word = tuple[Mark, ...]
Matrix = dict[Word, Poly]

MAX_LITERAL_POWER = 64
MAX_ROUNDS = 200
MAX_WORDS = 20_000
MAX_DIAGONAL = 8
ONE: Poly = {(): fmpq(1)}


@dataclass(frozen=True)
class Letter:
    """An opaque matrix; ``data`` is the dimension of one, (base, exponent) of pow, the base of inv."""

    kind: str  # plain, one, pow, inv
    term: Node
    data: Any = None


class Words:
    """The matrix half of a normaliser."""

    def __init__(self, scalars: Normaliser) -> None:
        self.scalars = scalars
        self.ring = scalars.ring
        self.letters: list[Letter] = []
        self._index: dict[Node, int] = {}
        self.rewrites: list[tuple[Word, Matrix]] = []
        self.memo: dict[Node, Matrix] = {}
        self.by_entries = False  # whether traces of literal dimension are always sums of diagonal entries

    # --- letters and words ---

    def _letter(self, kind: str, term: Node, data: Any = None) -> int:
        key = (kind, term)
        if key not in self._index:
            self._index[key] = len(self.letters)
            self.letters.append(Letter(kind, term, data))
        return self._index[key]

    def plain(self, term: Node) -> Matrix:
        """An opaque matrix."""
        return {((self._letter("plain", term), False),): ONE}

    def _one(self, n: Node) -> Word:
        if literal_dimension(n) == 1:
            return ()
        n = self.scalars.canon(n)
        return ((self._letter("one", ("J", n, 1), n), False),)

    def dimension(self, n: Node) -> Poly:
        """The number of rows of a matrix of sort M(n, .): n, but never negative."""
        value = self.scalars.nf(n)
        k = integer(value)
        if k is not None:
            return {(): fmpq(k)} if k > 0 else {}
        return value if self.scalars.sign.nonneg(n) else self.scalars.extreme("max", n, 0)

    @staticmethod
    def flip(word: Word) -> Word:
        """The transpose of a word."""
        return tuple((a, not t) for a, t in reversed(word))

    def transpose(self, m: Matrix) -> Matrix:
        """The transpose."""
        return {self.flip(w): c for w, c in m.items()}

    def concat(self, w1: Word, w2: Word) -> Matrix:
        """The product of two words."""
        coefficient, stack = ONE, list(w1)
        for mark in w2:
            coefficient, stack = self._push(coefficient, stack, mark)
        return {tuple(stack): coefficient} if coefficient else {}

    def _push(self, coefficient: Poly, stack: list[Mark], mark: Mark) -> tuple[Poly, list[Mark]]:
        letter = self.letters[mark[0]]
        if stack:
            top = self.letters[stack[-1][0]]
            if letter.kind == "one" and stack[-1] == (mark[0], True) and not mark[1]:
                return self.ring.mul(coefficient, self.dimension(letter.data)), stack[:-1]
            merged = self._merge(top, stack[-1], letter, mark)
            if merged is not None:
                rest = stack[:-1]
                for w, c in merged.items():  # one word
                    coefficient = self.ring.mul(coefficient, c)
                    for m in w:
                        coefficient, rest = self._push(coefficient, rest, m)
                return coefficient, rest
        stack = [*stack, mark]
        return coefficient, self._cancel(stack)

    def _merge(self, top: Letter, m1: Mark, letter: Letter, m2: Mark) -> Matrix | None:
        """Two neighbouring powers of the same base as one."""
        if m1[1] != m2[1] or "pow" not in (top.kind, letter.kind):
            return None
        powers = []
        for x, mark in ((top, m1), (letter, m2)):
            powers.append(x.data if x.kind == "pow" else (((mark[0], False),), 1))
        (base, e1), (other, e2) = powers
        if base != other or not all(self.scalars.sign.nonneg(e) for e in (e1, e2)):
            return None
        result = self._power_of_word(base, ("+", e1, e2))
        return self.transpose(result) if m1[1] else result

    def _power_of_word(self, base: Word, e: Node) -> Matrix:
        n = integer(self.scalars.nf(e))
        if n is not None and 0 <= n <= MAX_LITERAL_POWER:
            return {base * n: ONE}
        e = self.scalars.canon(e)
        term = ("mpow", self.word_term(base, None), e)
        return {((self._letter("pow", term, (base, e)), False),): ONE}

    def _cancel(self, stack: list[Mark]) -> list[Mark]:
        """Drops A inv(A) or inv(A) A at the end of a word, where det(A) != 0 is known."""
        for k in range(len(stack)):
            letter = self.letters[stack[k][0]]
            if letter.kind != "inv" or not isinstance(letter.data, tuple):
                continue
            word = self.flip(letter.data) if stack[k][1] else letter.data
            n = len(word)
            if tuple(stack[k + 1 :]) == word and self._regular(letter):
                return stack[:k]
            if k == len(stack) - 1 and k >= n and tuple(stack[k - n : k]) == word and self._regular(letter):
                return stack[: k - n]
        return stack

    def _regular(self, letter: Letter) -> bool:
        base = letter.term[1]
        return any(self.scalars.sign.nonzero(("det", a)) for a in (base, self._transposed_term(base)))

    def _transposed_term(self, a: Node) -> Node:
        return self.canon(("T", a))

    # --- matrices ---

    def add(self, a: Matrix, b: Matrix, scale: Any = 1) -> Matrix:
        """a + scale * b."""
        out = dict(a)
        for w, c in b.items():
            s = self.ring.add(out.get(w, {}), c, scale)
            if s:
                out[w] = s
            else:
                out.pop(w, None)
        if len(out) > MAX_WORDS:
            raise Refused("a matrix has too many words")
        return out

    def scale(self, c: Poly, a: Matrix) -> Matrix:
        """c * a."""
        out = {w: self.ring.mul(c, x) for w, x in a.items()}
        return {w: x for w, x in out.items() if x}

    def mul(self, a: Matrix, b: Matrix) -> Matrix:
        """The product."""
        out: Matrix = {}
        for w1, c1 in a.items():
            for w2, c2 in b.items():
                out = self.add(out, self.scale(self.ring.mul(c1, c2), self.concat(w1, w2)))
        return out

    def nf(self, t: Node) -> Matrix:
        """The normal form of a matrix term."""
        if t not in self.memo:
            self.memo[t] = self._rewrite(self._nf(t))
        return self.memo[t]

    def _nf(self, t: Node) -> Matrix:
        h = t[0] if isinstance(t, tuple) else ""
        if h == "+":
            out: Matrix = {}
            for a in t[1:]:
                out = self.add(out, self.nf(a))
            return out
        if h == "sm":
            return self.scale(self.scalars.nf(t[1]), self.nf(t[2]))
        if h == "mm":
            out = self.nf(t[1])
            for a in t[2:]:
                out = self.mul(out, self.nf(a))
            return out
        if h == "T":
            return self.transpose(self.nf(t[1]))
        if h == "I":
            return {(): ONE}
        if h == "J":
            return self.concat(self._one(t[1]), self.flip(self._one(t[2])))
        if h == "O":
            return {}
        if h == "mpow":
            return self._power(t)
        if h == "inv":
            return self._inverse(t)
        if h == "sum":
            return self._sum(t)
        if h == "D":
            derivative = self.scalars.derivative(t)
            return self.nf(derivative) if derivative is not None else self.plain(self.scalars.opaque_derivative(t))
        return self.plain(self.scalars.opaque(t))

    def _power(self, t: Node) -> Matrix:
        a, e = t[1], t[2]
        n = integer(self.scalars.nf(e))
        base = self.nf(a)
        if n is not None and 0 <= n <= MAX_LITERAL_POWER:
            out: Matrix = {(): ONE}
            for _ in range(n):
                out = self.mul(out, base)
            return out
        e = self.scalars.canon(e)
        word = self._single(base)
        if word and len(word) == 1 and word[0][1]:  # a power of a transpose
            return self.transpose(self._power_of_word(self.flip(word), e))
        if word:
            return self._power_of_word(word, e)
        return self.plain(("mpow", self.canon(a), e))

    @staticmethod
    def _single(m: Matrix) -> Word | None:
        """The word of a matrix that is one word with coefficient 1."""
        if len(m) == 1:
            ((w, c),) = m.items()
            if c == ONE:
                return w
        return None

    def _inverse(self, t: Node) -> Matrix:
        a = self.nf(t[1])
        b = self.transpose(a)
        straight, flipped = self._key(a), self._key(b)
        base, mark = (a, False) if straight <= flipped else (b, True)
        term = ("inv", self.term(base, t[1]))
        word = self._single(base)
        letter = self._letter("inv", term, word if word else None)
        return {((letter, mark),): ONE}

    def _key(self, m: Matrix) -> list[Any]:
        return sorted((w, sorted((k, int(c.p), int(c.q)) for k, c in p.items())) for w, p in m.items())

    def _sum(self, t: Node) -> Matrix:
        low, high = self.scalars.canon(t[1]), self.scalars.canon(t[2])
        out: Matrix = {}
        if is_int(low) and is_int(high) and high - low < self.scalars.max_terms:
            for k in range(low, high + 1):
                self.ring.spend(60)
                out = self.add(out, self.nf(put(t[3], [k])))
            return out
        name = self.scalars.index_name(t, low, high)
        for w, p in self.nf(put(t[3], [name])).items():
            moving = any(name in free(self.letters[a].term) for a, _ in w)
            for m, c in self.ring.reduce(p).items():
                still, rest = self.scalars.split(m, name)
                if not moving:
                    factor = self.scalars.opaque_sum(low, high, {rest: fmpq(1)}, name)
                    piece: Matrix = {w: self.ring.mul({still: c}, factor)}
                else:
                    body = self.word_term(w, t)
                    if rest:
                        body = ("sm", self.ring.term({rest: fmpq(1)}), body)
                    letter = self._letter("plain", ("sum", low, high, close(body, [name])))
                    piece = {((letter, False),): {still: c}}
                out = self.add(out, piece)
        return out

    # --- rewriting ---

    def _rewrite(self, m: Matrix) -> Matrix:
        if not self.rewrites:
            return m
        for _ in range(MAX_ROUNDS):
            out: Matrix = {}
            changed = False
            for w, c in m.items():
                found = self._rewrite_word(w)
                changed = changed or found is not None
                out = self.add(out, self.scale(c, found) if found is not None else {w: c})
            m = out
            if not changed:
                return m
        raise Refused("rewriting of matrices does not stop")

    def _rewrite_word(self, w: Word) -> Matrix | None:
        for left, right in self.rewrites:
            n = len(left)
            for k in range(len(w) - n + 1):
                if w[k : k + n] == left:
                    return self.mul(self.mul({w[:k]: ONE}, right), {w[k + n :]: ONE})
        return None

    def add_rewrite(self, left: Word, right: Matrix) -> None:
        """Installs a rule and, unless that would undo it, its transpose."""
        if not left:
            raise Refused("the identity cannot be rewritten")
        self.rewrites.append((left, right))
        flipped = self.flip(left)
        if flipped != left and right != {flipped: ONE}:  # T(S) = S is read in one direction
            self.rewrites.append((flipped, self.transpose(right)))

    # --- traces ---

    def trace(self, t: Node, n: Node) -> Poly:
        """The trace of an n x n matrix term."""
        size = literal_dimension(n)
        out: Poly = {}
        if size is not None and size <= MAX_DIAGONAL and (self.by_entries or mentions_entries(t)):
            for k in range(1, size + 1):
                self.ring.accumulate(out, self.entry(t, k, k))
            return out
        for w, c in self.nf(t).items():
            self.ring.accumulate(out, self.ring.mul(c, self._trace(w, n)))
        return out

    def _trace(self, w: Word, n: Node) -> Poly:
        if not w:
            return self.dimension(n)
        for k in range(1, len(w)):
            turned = self.concat(w[k:], w[:k])
            if set(turned) != {w[k:] + w[:k]}:
                out: Poly = {}
                for v, c in turned.items():
                    self.ring.accumulate(out, self.ring.mul(c, self._trace(v, self._rows(w[k]))))
                return out
        both = (w, self.flip(w))
        least = min(v[k:] + v[:k] for v in both for k in range(len(v)))
        return self.ring.plain(("tr", self.word_term(least, None)))

    def _rows(self, mark: Mark) -> Node:
        shape = self.scalars.shape(self.letters[mark[0]].term)
        return shape[1] if mark[1] else shape[0]

    # --- back to terms ---

    def word_term(self, w: Word, like: Node | None) -> Node:
        """A word as a term; ``like`` is a term with the same shape, needed for the empty word."""
        if not w:
            if like is None:
                raise Refused("an empty word without a shape")
            return ("I", self.scalars.canon(self.scalars.shape(like)[0]))
        factors = [("T", self.letters[a].term) if t else self.letters[a].term for a, t in w]
        return factors[0] if len(factors) == 1 else ("mm", *factors)

    def term(self, m: Matrix, like: Node) -> Node:
        """A matrix as a term, the same for equal normal forms."""
        items = []
        for w in sorted(m):
            c = self.ring.reduce(m[w])
            word = self.word_term(w, like)
            if c:
                items.append(word if c == ONE else ("sm", self.ring.term(c), word))
        if not items:
            r, c2 = self.scalars.shape(like)
            return ("O", self.scalars.canon(r), self.scalars.canon(c2))
        return items[0] if len(items) == 1 else ("+", *items)

    def canon(self, t: Node) -> Node:
        """The normal form as a term."""
        return self.term(self.nf(t), t)

    def is_zero(self, m: Matrix) -> bool:
        """Whether every coefficient is zero."""
        return all(self.ring.is_zero(c) for c in m.values())

    # --- entries ---

    def entry(self, a: Node, i: Node, j: Node) -> Poly:
        """The normal form of an entry."""
        h = a[0] if isinstance(a, tuple) else ""
        ring, scalars = self.ring, self.scalars
        if h == "+":
            out: Poly = {}
            for b in a[1:]:
                ring.accumulate(out, self.entry(b, i, j))
            return out
        if h == "sm":
            return ring.mul(scalars.nf(a[1]), self.entry(a[2], i, j))
        if h == "had":
            return ring.mul(self.entry(a[1], i, j), self.entry(a[2], i, j))
        if h == "T":
            return self.entry(a[1], j, i)
        if h == "O":
            return {}
        i, j = scalars.canon(i), scalars.canon(j)
        if h in ("J", "I") and self._inside(i, a[1]) and self._inside(j, a[-1]) and (h == "J" or i == j):
            return ONE
        if h == "I" and ((is_int(i) and is_int(j) and i != j) or self.scalars.sign.different(i, j)):
            return {}
        if h == "mat" and is_int(i) and is_int(j) and 1 <= i <= a[1] and 1 <= j <= a[2]:
            return scalars.nf(a[3 + (i - 1) * a[2] + j - 1])
        if h == "mm":
            return self._entry_of_product(a, i, j)
        if h == "mpow" and is_int(a[2]) and 2 <= a[2] <= MAX_LITERAL_POWER:
            return self._entry_of_product(("mm", *[a[1]] * a[2]), i, j)
        if h == "mpow" and is_int(a[2]) and 0 <= a[2] <= 1:
            return self.entry(a[1] if a[2] else ("I", scalars.shape(a)[0]), i, j)
        if h == "D":
            derivative = scalars.derivative(a)
            if derivative is not None:
                return self.entry(derivative, i, j)
        return self._opaque_entry(a, i, j)

    def _opaque_entry(self, a: Node, i: Node, j: Node) -> Poly:
        c = self.canon(a)
        if self.rewrites and c != a and c[0] in ("+", "sm", "T", "mm", "O", "I", "J"):
            return self.entry(c, i, j)
        return self.scalars.atom(("entry", c, i, j))

    def _inside(self, i: Node, n: Node) -> bool:
        """Whether 1 <= i <= n is known."""
        sign, known = self.scalars.sign, self.scalars.sign.holds
        n = self.scalars.canon(n)
        if self.scalars.index_inside(i, n):
            return True
        if not (sign.at_least(1, i) or known(("<=", 1, i))):
            return False
        return sign.at_least(i, n) if is_int(i) else sign.below(i, n)

    def _entry_of_product(self, a: Node, i: Node, j: Node) -> Poly:
        first, rest = a[1], a[2] if len(a) == 3 else ("mm", *a[2:])
        inner = self.scalars.shape(first)[1]
        n = literal_dimension(inner)
        out: Poly = {}
        if n is not None and n <= MAX_LITERAL_POWER:
            for k in range(1, n + 1):
                self.ring.accumulate(out, self.ring.mul(self.entry(first, i, k), self.entry(rest, k, j)))
            return out
        body = ("*", ("entry", first, i, ("#", 0)), ("entry", rest, ("#", 0), j))
        return self.scalars.nf(("sum", 1, inner, body))


def mentions_entries(t: Node) -> bool:
    """Whether a matrix is built from literal matrices or entrywise products."""
    stack = [t]
    while stack:
        x = stack.pop()
        if isinstance(x, tuple):
            if x[0] in ("mat", "had"):
                return True
            stack.extend(x[1:])
    return False
