"""``oracle``: a problem in SMT-LIB that a solver found to be unsatisfiable.

The text of the problem is made anew from the goal and compared; that its answer is right is the solver's word.  With
``ask`` the solver is asked again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from .sorts import Sorter
from .terms import Node, R, Refused, Z, head, is_int, show

Ask = Callable[[str], str]
"""What a solver answers to a problem."""

CHARACTERS = 200_000
BITS = 10_000
EXPONENT = 64
CONNECTIVES = {"and": "and", "or": "or", "not": "not", "=>": "=>", "iff": "="}
_NAME_AND_VERSION = re.compile(r"z3 [0-9]+(\.[0-9]+)*")


class Arguments(Protocol):
    """The arguments of a proof node."""

    def text(self, key: str) -> str:
        """A string."""

    def texts(self, key: str) -> list[str]:
        """A list of strings."""

    def items(self, key: str) -> list[Any]:
        """A list, empty if it is absent."""


def check(sorter: Sorter, decls: dict[str, Node], hyps: dict[str, Node], concl: Node, args: Arguments, ask: Ask | None) -> str:
    """Accepts a leaf whose problem is that of the goal; says in one line which answer it rests on."""
    names, problem, solver = args.texts("hyps"), args.text("problem"), args.text("solver")
    whole = args.items("ints")
    if args.text("answer") != "unsat" or not _NAME_AND_VERSION.fullmatch(solver):
        raise Refused("the answer is not an unsat of z3 with its version")
    if any(name not in hyps for name in names):
        raise Refused("a hypothesis does not exist")
    if any(not isinstance(x, str) or decls.get(x) != Z for x in whole):
        raise Refused("ints names a variable that is not a declared integer")
    writer = Writer(sorter, decls, set(whole))
    pieces = list(writer.problem([hyps[name] for name in names], concl))
    if writer.small("".join(pieces)) != problem:
        raise Refused("the problem is not that of the goal")
    if ask is not None and (found := ask(problem)) != "unsat":
        raise Refused(f"asked again, the solver answers {found}")
    digest = hashlib.sha256(problem.encode()).hexdigest()
    count = len(writer.numbers)
    return f"{solver}: unsat of {digest}, {count} variable{'' if count == 1 else 's'}"


class Writer:
    """Writes SMT-LIB; every term that is not a polynomial is a variable of the problem, numbered as it is met."""

    def __init__(self, sorter: Sorter, decls: dict[str, Node], whole: set[str]) -> None:
        self.sorter = sorter
        self.decls = decls
        self.whole = whole
        self.numbers: dict[Node, int] = {}

    def problem(self, hyps: list[Node], concl: Node) -> Iterator[str]:
        """The lines of the problem."""
        asserted = [self.formula(a) for a in hyps]
        denied = self.formula(concl)
        sorts = ["Int" if t in self.whole else "Real" for t in self.numbers]
        yield "(set-logic QF_NIRA)\n" if "Int" in sorts else "(set-logic QF_NRA)\n"
        for number, sort in enumerate(sorts):
            yield f"(declare-fun v{number + 1} () {sort})\n"
        for text in asserted:
            yield f"(assert {text})\n"
        yield f"(assert (not {denied}))\n(check-sat)\n"

    def formula(self, a: Node) -> str:
        """A formula without quantifiers whose atoms compare numbers."""
        h = a[0]
        if h in ("true", "false"):
            return h
        if h in CONNECTIVES:
            members = [self.formula(b) for b in a[1:]]
            if h in ("and", "or") and len(members) == 1:
                return members[0]
            return self.listed(CONNECTIVES[h], members)
        if h not in ("=", "!=", "<", "<=") or any(self.sorter.of(t, self.decls) not in (R, Z) for t in a[1:]):
            raise Refused(f"{show(a)} does not compare numbers")
        sides = [self.term(a[1]), self.term(a[2])]
        if h == "!=":
            return self.listed("not", [self.listed("=", sides)])
        return self.listed(h, sides)

    def term(self, t: Node) -> str:
        """A number."""
        h = head(t)
        if is_int(t):
            return self.integer(t)
        if h == "q":
            quotient = self.listed("/", [self.integer(abs(t[1])), self.integer(t[2])])
            return quotient if t[1] >= 0 else self.listed("-", [quotient])
        if h in ("+", "*"):
            return self.listed(h, [self.term(x) for x in t[1:]])
        if h == "^" and is_int(t[2]) and t[2] in range(EXPONENT + 1):
            if t[2] > 1:
                return self.listed("*", [self.term(t[1])] * t[2])
            return self.term(t[1]) if t[2] else "1.0"
        if h == "/":
            divisor = t[2]
            if (is_int(divisor) and divisor) or (head(divisor) == "q" and divisor[1]):
                return self.listed("/", [self.term(t[1]), self.term(divisor)])
            if t[1] != 1:
                return self.listed("*", [self.term(t[1]), self.variable(("/", 1, divisor))])
        return self.variable(t)

    def variable(self, t: Node) -> str:
        """A term of which nothing is known but that it is a number."""
        number = self.numbers.setdefault(t, len(self.numbers) + 1)
        return f"(to_real v{number})" if t in self.whole else f"v{number}"

    def integer(self, n: int) -> str:
        """A literal as a real number."""
        if n.bit_length() > BITS:
            raise Refused("a literal is too long for a solver")
        return f"{n}.0" if n >= 0 else f"(- {-n}.0)"

    def listed(self, operator: str, members: list[str]) -> str:
        """An operator with its arguments in brackets."""
        return self.small(f"({operator} {' '.join(members)})")

    @staticmethod
    def small(text: str) -> str:
        """Refuses a text that is too long."""
        if len(text) > CHARACTERS:
            raise Refused("the problem is too long")
        return text
