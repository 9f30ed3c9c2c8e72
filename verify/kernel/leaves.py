"""The deciding leaves `field`, `nc` and `pos` (LOGIC.md)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.kernel.laurent import Quotient
from verify.kernel.normal import Normalizer, Words
from verify.kernel.sign import Known
from verify.kernel.terms import Context, Formula, LogicError, Term, check_formula, sort_of

Hyps = dict[str, Formula]


class Situation:
    """A goal's hypotheses together with the side formulas of a node, and a normalizer relative to them."""

    def __init__(self, ctx: Context, hyps: Hyps, side: tuple[Formula, ...]) -> None:
        for f in side:
            check_formula(f, ctx)
        self.ctx, self.hyps, self.side = ctx, hyps, side
        self.known = Known((*hyps.values(), *side), ctx)
        self.normal = Normalizer.make(self.known, ctx)

    def named(self, name: Any) -> Formula:
        """A hypothesis by its name, or a side formula as "side:k"."""
        if isinstance(name, str):
            if name in self.hyps:
                return self.hyps[name]
            if name.startswith("side:") and name[5:].isdigit() and int(name[5:]) < len(self.side):
                return self.side[int(name[5:])]
        raise LogicError(f"no hypothesis {name!r}")

    def equation(self, name: Any) -> tuple[Term, Term]:
        f = self.named(name)
        if f[0] != "=":
            raise LogicError(f"hypothesis {name} is no equation")
        return f[1], f[2]

    def is_scalar(self, e: Term) -> bool:
        return sort_of(e, self.ctx) in ("R", "Z")

    def scalar_rules(self, names: tuple[Any, ...]) -> list[tuple[int, Quotient]]:
        return [self.normal.as_atom_rule(*self.equation(h)) for h in names if self.is_scalar(self.equation(h)[0])]

    def scalar(self, e: Term) -> Quotient:
        sort = sort_of(e, self.ctx)
        if sort not in ("R", "Z"):
            raise LogicError("a scalar is expected")
        return self.normal.scalar(e)

    def factor(self, f: Any) -> tuple[Quotient, bool]:
        """The value of a factor of `pos` and whether it is positive; raises if it is not known nonnegative."""
        if isinstance(f, tuple) and f and f[0] == "hyp":
            if len(f) != 2:
                raise LogicError("a factor [hyp, name]")
            h = self.named(f[1])
            if h[0] not in ("<", "<="):
                raise LogicError(f"hypothesis {f[1]} is no inequality")
            n = self.normal
            return n.add(n.scalar(h[2]), n.scalar(h[1]), Fraction(-1)), h[0] == "<"
        q = self.scalar(f)
        if self.known.pos(f):
            return q, True
        if not self.known.nonneg(f):
            raise LogicError("a factor is not known to be nonnegative")
        return q, False

    def subtract_equations(self, q: Quotient, eqs: tuple[Any, ...]) -> Quotient:
        n = self.normal
        for eq in eqs:
            if not isinstance(eq, tuple) or len(eq) != 2:
                raise LogicError("an entry of eqs is [hypothesis, cofactor]")
            left, right = self.equation(eq[0])
            gap = n.add(self.scalar(left), self.scalar(right), Fraction(-1))
            q = n.add(q, n.mul(self.scalar(eq[1]), gap), Fraction(-1))
        return q


def field(s: Situation, concl: Formula, eqs: tuple[Any, ...], rw: tuple[Any, ...]) -> None:
    """Accept an equation (or a disequation) of scalars whose two sides differ by 0 (by a nonzero rational).

    Trusted: that the normal form of scalars keeps the value, under the signs that `Known` finds, and FLINT's polynomials
    (LOGIC.md, sections `field` and Sign analysis).
    """
    if concl[0] not in ("=", "!="):
        raise LogicError("field proves an equation")
    gap = residue(s, concl, eqs, rw)
    if concl[0] == "=":
        if not gap.is_zero:
            raise LogicError(f"field: the two sides differ by a form with {len(gap.num)} terms")
    elif gap.as_constant() in (None, 0):
        raise LogicError("field: the difference is no nonzero constant")


def residue(s: Situation, concl: Formula, eqs: tuple[Any, ...], rw: tuple[Any, ...]) -> Quotient:
    """Normal form of left - right - sum of cofactor*(l - r)."""
    n = s.normal
    gap = n.add(s.scalar(concl[1]), s.scalar(concl[2]), Fraction(-1))
    gap = s.subtract_equations(gap, eqs)
    return n.rewrite_scalar(gap, s.scalar_rules(rw)) if rw else gap


def nc(s: Situation, concl: Formula, eqs: tuple[Any, ...], rw: tuple[Any, ...]) -> None:
    """Accept an equation of matrices by the noncommutative normal form.

    Trusted: that the normal form of words (products, transposes, inverses, all-ones matrices) keeps the value in every dimension
    (LOGIC.md, section `nc`).
    """
    if concl[0] != "=" or s.is_scalar(concl[1]):
        raise LogicError("nc proves an equation of matrices")
    if words := words_residue(s, concl, eqs, rw):
        raise LogicError(f"nc: the two sides differ by a form with {len(words)} words")


def words_residue(s: Situation, concl: Formula, eqs: tuple[Any, ...], rw: tuple[Any, ...]) -> Words:
    n = s.normal
    minus = Quotient.constant(-1)

    def gap(left: Term, right: Term) -> Words:
        return n.words_add(n.words(left), {w: n.mul(minus, q) for w, q in n.words(right).items()})

    total = gap(concl[1], concl[2])
    shape = sort_of(concl[1], s.ctx)
    for eq in eqs:
        if not isinstance(eq, tuple) or len(eq) != 4:
            raise LogicError("an entry of eqs is [hypothesis, scalar, left, right]")
        left, right = s.equation(eq[0])
        if s.is_scalar(left):
            raise LogicError("eqs of nc are equations of matrices")
        middle: Any = ("+", left, ("sm", -1, right))
        product = ("mm", *(m for m in (eq[2], middle, eq[3]) if m != ()))
        product = product[1] if len(product) == 2 else product
        from verify.kernel.terms import same_sort

        if not same_sort(sort_of(product, s.ctx), shape):
            raise LogicError("an equation is multiplied to another shape")
        c = n.mul(minus, s.scalar(eq[1]))
        total = n.words_add(total, {w: q2 for w, q in n.words(product).items() if not (q2 := n.mul(c, q)).is_zero})
    if rw:
        rules = []
        for h in rw:
            left, right = s.equation(h)
            if not s.is_scalar(left):
                rules += n.as_word_rule(left, right)
        total = n.rewrite_words(total, rules, s.scalar_rules(rw))
    return total


def pos(
    s: Situation, concl: Formula, mul: tuple[Any, ...], terms: tuple[Any, ...], eqs: tuple[Any, ...], rw: tuple[Any, ...]
) -> None:
    """Accept an inequality (or `false`) by a Positivstellensatz certificate.

    Trusted: that a sum of products of nonnegative factors is nonnegative, the signs that `Known` finds, and the normal form of
    scalars (LOGIC.md, sections `pos` and Sign analysis).
    """
    n = s.normal
    if concl[0] in ("<", "<="):
        gap = n.add(s.scalar(concl[2]), s.scalar(concl[1]), Fraction(-1))
    elif concl == ("false",):
        gap = Quotient({})
    else:
        raise LogicError("pos proves an inequality or false")
    strict = concl[0] != "<="
    for f in mul:
        q, positive = s.factor(f)
        if not positive:
            raise LogicError("a factor of mul is not known to be positive")
        gap = n.mul(gap, q)
    some_positive = False
    for term in terms:
        if not isinstance(term, tuple):
            raise LogicError("a term of pos is a list of factors")
        product, positive = Quotient.constant(1), True
        for f in term:
            q, p = s.factor(f)
            product, positive = n.mul(product, q), positive and p
        some_positive = some_positive or positive
        gap = n.add(gap, product, Fraction(-1))
    gap = s.subtract_equations(gap, eqs)
    if rw:
        gap = n.rewrite_scalar(gap, s.scalar_rules(rw))
    if not gap.is_zero:
        raise LogicError(f"pos: the identity fails by a form with {len(gap.num)} terms")
    if strict and not some_positive:
        raise LogicError("pos: a strict inequality needs a term that is positive")
