"""Sign analysis: which terms are known to be positive, nonnegative or nonzero."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol

from .terms import Node, Refused, conjuncts, head, is_int

FUEL = 40


class Facts:
    """Known formulas, arranged for looking up by a term."""

    def __init__(self) -> None:
        self.formulas: set[Node] = set()
        self.lower: dict[Node, list[tuple[Node, bool]]] = {}  # t -> (l, strict) with l < t or l <= t
        self.nonzero: set[Node] = set()

    def add(self, a: Node) -> None:
        """Adds one formula that is not a conjunction."""
        self.formulas.add(a)
        if a[0] in ("<", "<="):
            self.lower.setdefault(a[2], []).append((a[1], a[0] == "<"))
            bound = rational_sign(a[2])
            if bound is not None and (bound < 0 or (bound == 0 and a[0] == "<")):
                self.nonzero.add(a[1])
        elif a[0] == "!=" and 0 in a[1:]:
            self.nonzero.add(a[1] if a[2] == 0 else a[2])


def rational_sign(t: Node) -> int | None:
    """The sign of a literal."""
    if head(t) == "q":
        t = t[1]
    return (t > 0) - (t < 0) if is_int(t) else None


def even(e: Node) -> bool:
    """An even integer literal."""
    return is_int(e) and e % 2 == 0


class Host(Protocol):
    """What the sign analysis needs from the normal form."""

    positive: set[Node]  # terms that are known to be positive

    def canon(self, t: Node) -> Node:
        """The normal form of a term, which has the same value."""

    def lower_bound(self, name: str) -> Node | None:
        """A lower bound of a bound index, by its internal name."""

    def integral(self, t: Node) -> bool:
        """Whether a term has sort Z."""

    def scalar(self, t: Node) -> bool:
        """Whether a term is a number."""

    def open_body(self, t: Node) -> Node:
        """The body of a sum with an internal name for its index."""


class Sign:
    """Answers about signs.  A yes is certain; a no means that nothing is known."""

    def __init__(self, known: Iterable[Node], host: Host) -> None:
        self.known = [a for formula in known for a in conjuncts(formula)]
        self.host = host
        self.raw = Facts()
        for a in self.known:
            self.raw.add(a)
        self._canonical: Facts | None = None
        self._building = False
        self._yes: set[tuple[str, Node]] = set()
        self._no: dict[tuple[str, Node], int] = {}
        self._normalising: set[Node] = set()

    def reset(self) -> None:
        """Forgets derived knowledge, after the normal form changed."""
        self._canonical = None
        self._yes.clear()
        self._no.clear()

    def pos(self, t: Node) -> bool:
        """Whether t > 0."""
        return self._ask("pos", t, FUEL)

    def nonneg(self, t: Node) -> bool:
        """Whether t >= 0."""
        return self._ask("nonneg", t, FUEL)

    def nonzero(self, t: Node) -> bool:
        """Whether t != 0."""
        return self._ask("nonzero", t, FUEL)

    # --- known formulas ---

    def holds(self, a: Node) -> bool:
        """Whether a formula is known, as it stands."""
        return a in self.raw.formulas

    def _tables(self) -> list[Facts]:
        if self._canonical is None and not self._building:
            self._building = True
            try:
                facts = Facts()
                for a in self.known:
                    if a[0] in ("<", "<=", "!=") and self.host.scalar(a[1]):
                        with suppress(Refused):  # a known formula that is too large to normalise tells nothing
                            facts.add((a[0], self.host.canon(a[1]), self.host.canon(a[2])))
                self._canonical = facts
            finally:
                self._building = False
            self._no.clear()
        return [self.raw] if self._canonical is None else [self.raw, self._canonical]

    def _below(self, t: Node) -> list[tuple[Node, bool]]:
        found = [pair for facts in self._tables() for pair in facts.lower.get(t, [])]
        if isinstance(t, str):
            low = self.host.lower_bound(t)
            if low is not None:
                found.append((low, False))
        return found

    def at_least(self, n: int, t: Node) -> bool:
        """Whether n <= t for a literal n: by value, or from a known bound."""
        if is_int(t):
            return bool(n <= t)
        return any(is_int(low) and low >= n for low, _ in self._below(t))

    def different(self, a: Node, b: Node) -> bool:
        """Whether a != b is among the known formulas."""
        return any(("!=", x, y) in facts.formulas for facts in self._tables() for x, y in ((a, b), (b, a)))

    def below(self, a: Node, b: Node) -> bool:
        """Whether a <= b is among the known formulas."""
        return any(low == a for low, _ in self._below(b))

    # --- the analysis ---

    def _ask(self, kind: str, t: Node, fuel: int) -> bool:
        key = (kind, t)
        if key in self._yes:
            return True
        if fuel <= 0 or self._no.get(key, 0) >= fuel:
            return False
        known = getattr(self, "_" + kind)(t, fuel) or self._by_normal_form(kind, t, fuel)
        if known:
            self._yes.add(key)
        else:
            self._no[key] = max(fuel, self._no.get(key, 0))
        return bool(known)

    def _by_normal_form(self, kind: str, t: Node, fuel: int) -> bool:
        if self._building or t in self._normalising or not isinstance(t, tuple):
            return False
        self._normalising.add(t)
        try:
            c = self.host.canon(t)
        finally:
            self._normalising.discard(t)
        return c != t and bool(getattr(self, "_" + kind)(c, fuel))

    def _pos(self, t: Node, fuel: int) -> bool:
        sign = rational_sign(t)
        if sign is not None:
            return sign > 0
        fuel -= 1
        for low, strict in self._below(t):
            if self._ask("nonneg" if strict else "pos", low, fuel):
                return True
        if self._given_nonzero(t) and self._ask("nonneg", t, fuel):
            return True
        h = head(t)
        if h in ("pi", "exp", "cosh") or t in self.host.positive:
            return True
        if h in ("*", "/", "min"):
            if all(self._ask("pos", a, fuel) for a in t[1:]):
                return True
        elif h == "^":
            if t[2] == 0 or self._ask("pos", t[1], fuel):
                return True
            return even(t[2]) and self._ask("nonzero", t[1], fuel)
        elif h == "sqrt":
            return self._ask("pos", t[1], fuel)
        elif h == "abs":
            return self._ask("nonzero", t[1], fuel)
        elif h == "+":
            return all(self._ask("nonneg", a, fuel) for a in t[1:]) and any(self._ask("pos", a, fuel) for a in t[1:])
        elif h == "max":
            return any(self._ask("pos", a, fuel) for a in t[1:])
        return False

    def _nonneg(self, t: Node, fuel: int) -> bool:
        sign = rational_sign(t)
        if sign is not None:
            return sign >= 0
        fuel -= 1
        for low, _ in self._below(t):
            if self._ask("nonneg", low, fuel):
                return True
        h = head(t)
        if h == "abs" or (h == "^" and even(t[2])):
            return True
        if h == "*":
            odd = [a for a, k in Counter(t[1:]).items() if k % 2]
            if all(self._ask("nonneg", a, fuel) for a in odd):
                return True
        elif h == "/":
            if self._ask("nonneg", t[1], fuel) and self._ask("pos", t[2], fuel):
                return True
        elif h in ("+", "min"):
            if all(self._ask("nonneg", a, fuel) for a in t[1:]):
                return True
        elif h == "max":
            if any(self._ask("nonneg", a, fuel) for a in t[1:]):
                return True
        elif h == "sqrt":
            if self._ask("nonneg", t[1], fuel):
                return True
        elif h == "^":
            if is_int(t[2]) and t[2] > 0 and self._ask("nonneg", t[1], fuel):
                return True
        elif h == "tr":
            if self._gram(t[1]):
                return True
        elif h == "sum" and self._ask("nonneg", self.host.open_body(t), fuel):
            return True
        return self._ask("pos", t, fuel)

    @staticmethod
    def _gram(a: Node) -> bool:
        """tr(A^T A) or tr(A A^T)."""
        return head(a) == "mm" and len(a) == 3 and (a[1] == ("T", a[2]) or a[2] == ("T", a[1]))

    def _given_nonzero(self, t: Node) -> bool:
        return any(t in facts.nonzero for facts in self._tables())

    def _nonzero(self, t: Node, fuel: int) -> bool:
        sign = rational_sign(t)
        if sign is not None:
            return sign != 0
        if self._given_nonzero(t):
            return True
        fuel -= 1
        h = head(t)
        if h in ("*", "/"):
            if all(self._ask("nonzero", a, fuel) for a in t[1:]):
                return True
        elif h == "^" and (is_int(t[2]) or self.host.integral(t[2])) and self._ask("nonzero", t[1], fuel):
            return True
        return self._ask("pos", t, fuel)
