"""``ball``: inequalities over a box, by ball arithmetic and a given tree of cuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx, fmpq

from .terms import UNARY_REAL, Node, Refused, head, is_int, put, show

Box = dict[str, tuple[Fraction, Fraction]]

MAX_PRECISION = 20_000
MAX_EXPONENT = 1_000_000
MAX_TERMS = 100_000


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """FLINT's working precision, restored afterwards."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def rational(t: Node) -> Fraction | None:
    """The value of a rational literal: an integer, q, or -1 times one."""
    if is_int(t):
        return Fraction(t)
    if head(t) == "q":
        return Fraction(t[1], t[2])
    if head(t) == "*" and len(t) == 3 and t[1] == -1:
        value = rational(t[2]) if head(t[2]) != "*" else None
        return None if value is None else -value
    return None


def exact(t: Node) -> int | None:
    """The value of an integer term without variables."""
    if is_int(t):
        return int(t)
    if head(t) in ("+", "*"):
        values = [exact(a) for a in t[1:]]
        if any(v is None for v in values):
            return None
        total = 0 if t[0] == "+" else 1
        for v in values:
            assert v is not None
            total = total + v if t[0] == "+" else total * v
            if total.bit_length() > 100_000:
                raise Refused("an integer is too large")
        return total
    return None


def ball(x: Fraction) -> Any:
    """A ball around a rational number."""
    return arb(fmpq(x.numerator, x.denominator))


class _Evaluator:
    """Evaluation of terms over balls for the variables."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.terms = 0

    def __call__(self, t: Node) -> Any:
        value = self._value(t)
        if not value.is_finite():
            raise Refused(f"no finite enclosure of {show(t)}")
        return value

    def _value(self, t: Node) -> Any:
        if is_int(t):
            return arb(t)
        if isinstance(t, str):
            if t not in self.values:
                raise Refused(f"{t} is not in the box")
            return self.values[t]
        h = t[0]
        if h == "q":
            return arb(fmpq(t[1], t[2]))
        if h == "pi":
            return arb.pi()
        if h in ("+", "*"):
            total = self(t[1])
            for a in t[2:]:
                total = total + self(a) if h == "+" else total * self(a)
            return total
        if h == "/":
            return self(t[1]) / self._apart(self(t[2]))
        if h == "^":
            return self._power(t[1], t[2])
        if h in ("min", "max"):
            a, b = self(t[1]), self(t[2])
            return a.min(b) if h == "min" else a.max(b)
        if h == "abs":
            return abs(self(t[1]))
        if h in UNARY_REAL:
            return getattr(self(t[1]), h)()
        if h in ("sum", "prod"):
            return self._big(t)
        if h == "entry" and head(t[1]) == "mat":
            return self._entry(t[1], exact(t[2]), exact(t[3]))
        if h in ("tr", "det") and head(t[1]) == "mat":
            return self._square(h, t[1])
        raise Refused(f"no ball arithmetic for {show(t)}")

    @staticmethod
    def _apart(x: Any) -> Any:
        if x.contains(0):
            raise Refused("division by a ball that contains 0")
        return x

    def _power(self, a: Node, e: Node) -> Any:
        base, n = self(a), exact(e)
        if n is not None:
            if abs(n) > MAX_EXPONENT:
                raise Refused("an exponent is too large")
            return base**n if n >= 0 else 1 / self._apart(base) ** -n
        if not base > 0:
            raise Refused(f"the base {show(a)} is not known to be positive")
        return (self(e) * base.log()).exp()

    def _big(self, t: Node) -> Any:
        low, high = exact(t[1]), exact(t[2])
        if low is None or high is None:
            raise Refused("the bounds of a sum are not literals")
        self.terms += max(0, high - low + 1)
        if self.terms > MAX_TERMS:
            raise Refused("a sum is too long")
        total = arb(0 if t[0] == "sum" else 1)
        for k in range(low, high + 1):
            value = self(put(t[3], [k]))
            total = total + value if t[0] == "sum" else total * value
        return total

    def _entry(self, a: Node, i: int | None, j: int | None) -> Any:
        if i is None or j is None or not (1 <= i <= a[1] and 1 <= j <= a[2]):
            raise Refused("an entry outside of a matrix")
        return self(a[3 + (i - 1) * a[2] + j - 1])

    def _square(self, h: str, a: Node) -> Any:
        n = a[1]
        if n != a[2]:
            raise Refused("a matrix that is not square")
        entries = [self(x) for x in a[3:]]
        if h == "tr":
            return sum((entries[i * n + i] for i in range(n)), arb(0))
        return arb_mat(n, n, entries).det()


def check(concl: Node, box: Box, tree: object) -> None:
    """Accepts a comparison that holds on the box, by evaluation on the leaves of a tree of cuts."""
    relation, left, right = concl
    if relation not in ("<", "<=", "!="):
        raise Refused("ball proves a < b, a <= b or a != b")
    stack: list[tuple[Box, object]] = [(dict(box), tree)]
    while stack:
        part, node = stack.pop()
        if is_int(node):
            _leaf(relation, left, right, part, node)  # type: ignore[arg-type]
            continue
        if not isinstance(node, list) or len(node) != 4 or not isinstance(node[0], str) or node[0] not in part:
            raise Refused("a cut is [variable of the box, point, left, right]")
        low, high = part[node[0]]
        cut = _point(node[1])
        if not low < cut < high:
            raise Refused("a cut outside of the box")
        stack.append(({**part, node[0]: (cut, high)}, node[3]))
        stack.append(({**part, node[0]: (low, cut)}, node[2]))


def _point(x: object) -> Fraction:
    if isinstance(x, int) and is_int(x):
        return Fraction(x)
    if isinstance(x, list) and len(x) == 3 and x[0] == "q" and is_int(x[1]) and is_int(x[2]) and x[2] >= 2:
        return Fraction(x[1], x[2])
    raise Refused("a point of a cut is an integer or q")


def _leaf(relation: str, left: Node, right: Node, box: Box, bits: int) -> None:
    if not 20 <= bits <= MAX_PRECISION:
        raise Refused("the precision is out of range")
    with precision(bits):
        values = {x: ball(low).union(ball(high)) for x, (low, high) in box.items()}
        evaluate = _Evaluator(values)
        d = evaluate(right) - evaluate(left)
        if not d.is_finite():
            raise Refused("no finite enclosure")
        good = d > 0 if relation == "<" else d >= 0 if relation == "<=" else not d.contains(0)
        if not good:
            raise Refused(f"ball arithmetic does not decide {show((relation, left, right))} on a leaf")
