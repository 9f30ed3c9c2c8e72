"""Syntactic sign analysis with respect to known formulas (LOGIC.md, "Sign analysis")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from verify.kernel.terms import Context, Formula, LogicError, Term, canon, free, sort_of

DEPTH = 40


def literal(t: Term) -> tuple[int, int] | None:
    """Numerator and denominator of a rational literal."""
    if isinstance(t, int):
        return t, 1
    if isinstance(t, tuple) and t[0] == "q":
        return t[1], t[2]
    return None


class Known:
    """Formulas that are taken for granted at a point of a proof, indexed for sign questions."""

    def __init__(self, formulas: Iterable[Formula], ctx: Context) -> None:
        self.ctx = ctx
        self.facts: set[Formula] = set()
        self.lower: dict[Term, list[tuple[Term, bool]]] = {}
        self._memo: dict[tuple[str, Term], bool] = {}
        self._busy: set[tuple[str, Term]] = set()
        for f in formulas:
            self.add(f)

    def add(self, f: Formula) -> None:
        if f[0] == "and":
            for a in f[1:]:
                self.add(a)
            return
        c = canon(f)
        if c in self.facts:
            return
        self.facts.add(c)
        self._memo.clear()
        if c[0] in ("<", "<="):
            self.lower.setdefault(c[2], []).append((c[1], c[0] == "<"))

    def holds(self, f: Formula) -> bool:
        """Whether the formula is known, or follows by sign analysis."""
        if f[0] == "and":
            return all(self.holds(a) for a in f[1:])
        if f[0] == "true" or canon(f) in self.facts:
            return True
        if f[0] == "<" and f[1] == 0:
            return self.pos(f[2])
        if f[0] == "<=" and f[1] == 0:
            return self.nonneg(f[2])
        if f[0] == "!=" and f[2] == 0:
            return self.nonzero(f[1])
        return False

    def pos(self, t: Term) -> bool:
        return self._ask("pos", canon(t), DEPTH)

    def nonneg(self, t: Term) -> bool:
        return self._ask("nonneg", canon(t), DEPTH)

    def nonzero(self, t: Term) -> bool:
        return self._ask("nonzero", canon(t), DEPTH)

    def _ask(self, what: str, t: Term, depth: int) -> bool:
        if depth <= 0:
            return False
        key = (what, t)
        if key in self._memo:
            return self._memo[key]
        if depth == DEPTH:
            self._busy = set()
        if key in self._busy:
            return False
        self._busy.add(key)
        rule = {"pos": self._pos, "nonneg": self._nonneg, "nonzero": self._nonzero}[what]
        answer = rule(t, depth - 1)
        self._busy.discard(key)
        if answer or depth == DEPTH:
            self._memo[key] = answer
        return answer

    def _pos(self, t: Term, n: int) -> bool:
        lit = literal(t)
        if lit is not None:
            return lit[0] > 0
        for bound, strict in self.lower.get(t, ()):
            if self._ask("nonneg" if strict else "pos", bound, n):
                return True
        if ("!=", t, 0) in self.facts and self._ask("nonneg", t, n):
            return True
        if isinstance(t, str):
            return False
        head = t[0]
        if head in ("pi", "exp", "cosh"):
            return True
        if head in ("*", "/"):
            if all(self._ask("pos", a, n) for a in t[1:]):
                return True
            return head == "*" and self._square_like(t[1:], n) and all(self._ask("nonzero", a, n) for a in t[1:])
        if head == "^":
            if self._ask("pos", t[1], n):
                return True
            return isinstance(t[2], int) and t[2] % 2 == 0 and (t[2] == 0 or self._ask("nonzero", t[1], n))
        if head == "sqrt":
            return self._ask("pos", t[1], n)
        if head == "+":
            return any(self._ask("pos", a, n) for a in t[1:]) and all(self._ask("nonneg", a, n) for a in t[1:])
        if head == "max":
            return self._ask("pos", t[1], n) or self._ask("pos", t[2], n)
        if head == "min":
            return self._ask("pos", t[1], n) and self._ask("pos", t[2], n)
        if head == "abs":
            return self._ask("nonzero", t[1], n)
        return False

    def _square_like(self, factors: tuple[Term, ...], n: int) -> bool:
        odd = [f for f, k in Counter(factors).items() if k % 2]
        return all(self._ask("nonneg", f, n) for f in odd)

    def _nonneg(self, t: Term, n: int) -> bool:
        lit = literal(t)
        if lit is not None:
            return lit[0] >= 0
        for bound, _ in self.lower.get(t, ()):
            if self._ask("nonneg", bound, n):
                return True
        if not isinstance(t, str):
            head = t[0]
            if head == "/":
                if self._ask("nonneg", t[1], n) and self._ask("pos", t[2], n):
                    return True
            elif head == "*":
                if self._square_like(t[1:], n):
                    return True
            elif head == "^":
                # the inverse of 0 is unspecified, so a negative odd power needs more than a base >= 0
                if isinstance(t[2], int) and (t[2] % 2 == 0 or (t[2] > 0 and self._ask("nonneg", t[1], n))):
                    return True
            elif head == "abs":
                return True
            elif head == "sqrt":
                if self._ask("nonneg", t[1], n):
                    return True
            elif head == "+":
                if all(self._ask("nonneg", a, n) for a in t[1:]):
                    return True
            elif head == "max":
                if self._ask("nonneg", t[1], n) or self._ask("nonneg", t[2], n):
                    return True
            elif head == "min":
                if self._ask("nonneg", t[1], n) and self._ask("nonneg", t[2], n):
                    return True
            elif head == "sum":
                if self._ask("nonneg", t[4], n):
                    return True
            elif head == "tr":
                m = t[1]
                if isinstance(m, tuple) and m[0] == "mm" and len(m) == 3 and (m[1] == ("T", m[2]) or m[2] == ("T", m[1])):
                    return True
        return self._ask("pos", t, n)

    def _nonzero(self, t: Term, n: int) -> bool:
        lit = literal(t)
        if lit is not None:
            return lit[0] != 0
        if {("!=", t, 0), ("!=", 0, t), ("<", t, 0), ("<", 0, t)} & self.facts:
            return True
        if not isinstance(t, str):
            head = t[0]
            if head in ("*", "/"):
                if all(self._ask("nonzero", a, n) for a in t[1:]):
                    return True
            elif (
                head == "^"
                and self._ask("nonzero", t[1], n)
                # a non-integer power of a negative base is unspecified
                and (isinstance(t[2], int) or self._ask("pos", t[1], n) or self._integer(t[2]))
            ):
                return True
        return self._ask("pos", t, n)

    def _integer(self, t: Term) -> bool:
        try:
            # only the indices of sums are met unbound here, and they are integers
            return sort_of(t, {**self.ctx, **{v: "Z" for v in free(t) if v.startswith("%")}}) == "Z"
        except LogicError:
            return False
