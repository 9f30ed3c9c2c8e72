"""The laws of a norm, for the sum of the absolute values of the entries of a matrix."""

from __future__ import annotations

from typing import Any

from verify.kernel import Goal, LogicError
from verify.kernel.terms import Term


def absolute(e: Any) -> list[Term]:
    """The absolute values in a term or formula, each once."""
    found: dict[Term, None] = {}
    stack = [e]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple) and item:
            if item[0] == "abs":
                found[item] = None
            stack.extend(item)
    return list(found)


def homogeneous(g: Goal) -> None:
    """The norm of a multiple, by the absolute value of a product for each entry."""
    facts = []
    for e in absolute(g.concl[1]):
        if e[1][0] == "entry" and e[1][1][0] == "sm":
            _, (_, c, matrix), i, j = e[1]
            facts.append(g.fact("abs_product", c, ("entry", matrix, i, j)))
    if not facts:
        raise LogicError("no norm of a multiple")
    g.field(*((h, 1) for h in facts))


def subadditive(g: Goal) -> None:
    """The norm of a sum, by the triangle inequality for each entry."""
    facts = []
    for e in absolute(g.concl[1]):
        if e[1][0] == "entry" and e[1][1][0] == "+":
            _, (_, a, b), i, j = e[1]
            facts.append(g.fact("abs_triangle", ("entry", a, i, j), ("entry", b, i, j)))
    if not facts:
        raise LogicError("no norm of a sum")
    g.nlin(*absolute(g.concl[2]), products=1, use=facts)


def by_absolute_values(g: Goal) -> None:
    """An inequality that needs only that absolute values are not negative."""
    hints = absolute(g.concl)
    if not hints:
        raise LogicError("no absolute value")
    g.nlin(*hints, products=1, use=[])


def definite(g: Goal) -> None:
    """The norm is 0 for the zero matrix only."""
    if g.concl[0] != "iff" or g.concl[2][0] != "=" or g.concl[2][2][0] != "O":
        raise LogicError("no law of a norm")
    g.iff(_zero_matrix, _zero_norm)


def _zero_matrix(g: Goal) -> None:
    h = g.assume()
    values = absolute(g.hyp_formula(h))

    def entry(g: Goal) -> None:
        mine = ("abs", g.concl[1])
        others = [v for v in values if v != mine]
        up = g.have(("<=", mine, 0), lambda g: g.nlin(*others, products=1, use=[h]))
        low = g.have(("<=", 0, mine))
        zero = g.have(("=", mine, 0), lambda g: g.antisym(lambda g: g.close_by(up), lambda g: g.close_by(low)))

        def case(sign: int) -> Any:
            def script(g: Goal) -> None:
                value = g.split_all(next(reversed(g.seq.hyps)))[1]
                g.field((value, -sign), (zero, sign))

            return script

        g.cases(g.fact("abs_cases", g.concl[1]), case(1), case(-1))

    g.ext(entry)


def _zero_norm(g: Goal) -> None:
    h = g.assume()
    for e in absolute(g.concl):
        pair = ("=", e[1], ("entry", g.hyp_formula(h)[2], *e[1][2:]))
        value = g.have(pair, lambda g: g.ctx(lambda g: g.close_by(h)))
        g.rewrite(value)
    g.field()
