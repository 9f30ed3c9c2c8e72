"""The leaf methods ``field``, ``nc``, ``pos`` and ``ball``: their arguments, and when they accept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from . import balls
from .normal import Normaliser
from .poly import constant
from .sorts import Sorter
from .terms import FALSE, Node, R, Refused, Z, free, read_term, show


class Arguments(Protocol):
    """The arguments of a proof node."""

    def raw(self, key: str) -> Any:
        """Any value."""

    def items(self, key: str) -> list[Any]:
        """A list, empty if it is absent."""


class Step:
    """What a leaf may use: declarations, hypotheses and side formulas."""

    def __init__(self, sorter: Sorter, decls: dict[str, Node], hyps: dict[str, Node], side: list[Node]) -> None:
        self.sorter = sorter
        self.decls = decls
        self.hyps = hyps
        self.side = side
        self.normal = self._normaliser()

    def _normaliser(self) -> Normaliser:
        return Normaliser(self.sorter, self.decls, [*self.hyps.values(), *self.side])

    def attempts(self) -> Iterator[Normaliser]:
        """Normal forms to try: small traces as on the page, then always by their diagonal entries."""
        for by_entries in (False, True):
            self.normal = self._normaliser()
            self.normal.words.by_entries = by_entries
            yield self.normal

    def named(self, name: object) -> Node:
        """A hypothesis, or a side formula ``side:k``."""
        if isinstance(name, str) and name.startswith("side:"):
            digits = name[5:]
            if digits.isascii() and digits.isdigit() and len(digits) < 7 and int(digits) < len(self.side):
                return self.side[int(digits)]
        elif isinstance(name, str) and name in self.hyps:
            return self.hyps[name]
        raise Refused(f"no hypothesis {name!r}"[:60])

    def number(self, x: object) -> Node:
        """A scalar term over the declarations."""
        t = read_term(x)
        self.sorter.number(t, self.decls)
        return t

    def matrix(self, x: object) -> Node:
        """A matrix term over the declarations."""
        t = read_term(x)
        self.sorter.matrix(t, self.decls)
        return t

    def equation(self, name: object) -> tuple[Node, Node]:
        """The sides of a named equation."""
        a = self.named(name)
        if a[0] != "=":
            raise Refused(f"{show(a)} is not an equation")
        return a[1], a[2]

    def scalar_equation(self, name: object) -> tuple[Node, Node]:
        """The sides of a named equation of numbers."""
        a, b = self.equation(name)
        if not self.normal.scalar(a):
            raise Refused("an equation of numbers is wanted")
        return a, b

    def rewrite(self, args: Arguments) -> None:
        """Installs the rewrite rules of the argument rw."""
        names = args.items("rw")
        if names:
            self.normal.rewrite([self.equation(name) for name in names])

    def combination(self, args: Arguments) -> Node:
        """The sum of cofactor * (l - r) over the argument eqs, as a term."""
        terms: list[Node] = []
        for item in args.items("eqs"):
            if not isinstance(item, list) or len(item) != 2:
                raise Refused("an item of eqs is [hypothesis, cofactor]")
            a, b = self.scalar_equation(item[0])
            terms.append(("*", self.number(item[1]), minus(a, b)))
        return ("+", 0, *terms) if terms else 0


def minus(a: Node, b: Node) -> Node:
    """a - b."""
    return ("+", a, ("*", -1, b))


def field(step: Step, concl: Node, args: Arguments) -> None:
    """Accepts a = b, or a != b, of numbers."""
    if concl[0] not in ("=", "!=") or not step.normal.scalar(concl[1]):
        raise Refused("field proves equality of numbers")
    combination = step.combination(args)
    for normal in step.attempts():
        step.rewrite(args)
        ring = normal.ring
        value = ring.add(normal.nf(minus(concl[1], concl[2])), normal.nf(combination), -1)
        if ring.is_zero(value) if concl[0] == "=" else constant(ring.reduce(value)):
            return
    raise Refused(f"the normal forms do not decide {show(concl)}")


def nc(step: Step, concl: Node, args: Arguments) -> None:
    """Accepts A = B of matrices."""
    if concl[0] != "=" or step.normal.scalar(concl[1]):
        raise Refused("nc proves equality of matrices")
    terms = []
    for item in args.items("eqs"):
        if not isinstance(item, list) or len(item) != 4:
            raise Refused("an item of eqs is [hypothesis, scalar, left, right]")
        left, right = step.equation(item[0])
        if step.normal.scalar(left):
            raise Refused("an equation of matrices is wanted")
        difference: Node = ("+", left, ("sm", -1, right))
        factors = [*([] if item[2] in (None, []) else [step.matrix(item[2])]), difference]
        factors += [] if item[3] in (None, []) else [step.matrix(item[3])]
        term = ("sm", step.number(item[1]), ("mm", *factors) if len(factors) > 1 else difference)
        terms.append(("sm", -1, term))
    whole = ("+", concl[1], ("sm", -1, concl[2]), *terms)
    step.sorter.matrix(whole, step.decls)
    for normal in step.attempts():
        step.rewrite(args)
        if normal.words.is_zero(normal.words.nf(whole)):
            return
    raise Refused(f"the normal forms do not decide {show(concl)}")


def pos(step: Step, concl: Node, args: Arguments) -> None:
    """Accepts a < b, a <= b or false as a combination of known signs."""
    combination = step.combination(args)
    mul = [_factor(step, x) for x in args.items("mul")]
    terms = []
    for item in args.items("terms"):
        if not isinstance(item, list):
            raise Refused("an item of terms is a list of factors")
        terms.append([_factor(step, x) for x in item])
    if concl[0] not in ("<", "<=") and concl != FALSE:
        raise Refused("pos proves a < b, a <= b or false")
    difference: Node = 0 if concl == FALSE else minus(concl[2], concl[1])
    if not all(strict for _, strict in mul):
        raise Refused("a factor of mul is not known to be positive")
    if concl[0] != "<=" and not any(all(strict for _, strict in item) for item in terms):
        raise Refused("no term is known to be positive")
    for normal in step.attempts():
        step.rewrite(args)
        value = normal.nf(("*", difference, 1, *(t for t, _ in mul)))
        for item in terms:
            value = normal.ring.add(value, normal.nf(("*", 1, 1, *(t for t, _ in item))), -1)
        if normal.ring.is_zero(normal.ring.add(value, normal.nf(combination), -1)):
            return
    raise Refused(f"the combination is not the difference in {show(concl)}")


def _factor(step: Step, x: object) -> tuple[Node, bool]:
    """A factor that is known to be nonnegative, and whether it is known to be positive."""
    if isinstance(x, list) and len(x) == 2 and x[0] == "hyp":
        a = step.named(x[1])
        if a[0] not in ("<", "<="):
            raise Refused(f"{show(a)} is not an inequality")
        return minus(a[2], a[1]), a[0] == "<"
    t = step.number(x)
    if step.normal.sign.pos(t):
        return t, True
    if not step.normal.sign.nonneg(t):
        raise Refused(f"the factor {show(t)} is not known to be nonnegative")
    return t, False


def ball(step: Step, concl: Node, args: Arguments) -> None:
    """Accepts a comparison by ball arithmetic on a box that hypotheses give."""
    given = args.raw("box")
    if not isinstance(given, dict):
        raise Refused("box is an object")
    if concl[0] not in ("<", "<=", "!=") or not step.normal.scalar(concl[1]):
        raise Refused("ball proves a < b, a <= b or a != b")
    box: balls.Box = {}
    for x, names in given.items():
        if step.decls.get(x) not in (R, Z):
            raise Refused("a variable of the box is not a declared number")
        if not isinstance(names, list) or len(names) != 2:
            raise Refused("a box gives two hypotheses for each variable")
        low, high = step.named(names[0]), step.named(names[1])
        if low[0] not in ("<", "<=") or low[2] != x or high[0] not in ("<", "<=") or high[1] != x:
            raise Refused(f"the hypotheses do not bound {x}")
        a, b = balls.rational(low[1]), balls.rational(high[2])
        if a is None or b is None or a > b:
            raise Refused(f"the bounds of {x} are not rational literals in order")
        box[x] = (a, b)
    missing = free(concl) - set(box)
    if missing:
        raise Refused(f"{min(missing)} is not in the box")
    balls.check(concl, box, args.raw("tree"))
