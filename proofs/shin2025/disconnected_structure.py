"""Appendix G.1, (34), (35) and the commutation: the vectorised flow and the sparse matrix of its residuals."""

from __future__ import annotations

from typing import Any

from proofs.shin2025.disconnected_flow import (
    SETTING,
    VARIABLES,
    inside,
    pattern,
    position,
    structured,
    vectorised,
)
from proofs.shin2025.disconnected_solution import CONTEXT, DEF, flow_again, is_all, last, named
from verify.kernel import Goal
from verify.registry import amendment, holds, part

STRUCTURE = "shin2025.eq-35"
RANGE = "1 <= n => 1 <= u => u <= n*n"


@part(
    STRUCTURE,
    "place",
    f"all n u:Z. {RANGE} => ex p q:Z. {inside('p', 'q')} and u = {position('p', 'q')}",
    says="every place of a vector of length n^2 is that of an entry",
)
def every_place_is_an_entry(g: Goal) -> None:
    """Division of u - 1 by n with remainder."""
    g.intro("some", "low", "high")
    h = g.by_fact("integer_division", "u - 1", "n")
    equal, nonneg, below = g.obtain(h, "a", "b")
    g.witness("a + 1", "b + 1")

    def quotient_low(k: Goal) -> None:
        k.contra("neg")
        s = k.by_fact("int_lt", "a", 0, by=[lambda q: q.pos(["@neg"])])
        k.pos([f"@{s}", "n"], ["@low"], [f"@{below}"], eqs=[(equal, "-1")])

    def quotient_high(k: Goal) -> None:
        k.contra("big")
        s = k.by_fact("int_lt", "n", "a + 1", by=[lambda q: q.pos(["@big"])])
        k.pos([f"@{s}", "n"], ["@high"], [f"@{nonneg}"], ["1"], eqs=[(equal, "1")])

    remainder = lambda k: k.pos([f"@{k.by_fact('int_lt', 'b', 'n', by=[lambda q: q.close_by(below)])}"])  # noqa: E731
    g.conj(quotient_low, quotient_high, None, remainder, lambda k: k.field((equal, "1")))


@part(
    STRUCTURE,
    "place-unique",
    f"all n p q x y:Z. {inside('p', 'q', 'x', 'y')} => {position('p', 'q')} = {position('x', 'y')} => p = x and q = y",
    says="different entries have different places",
)
def places_differ(g: Goal) -> None:
    """If p < x, the places differ by at least n - (n - 1)."""
    g.intro()
    same = list(g.seq.hyps)[-1]
    bounds = [h for h, f in g.seq.hyps.items() if f[0] == "<="]
    t = g.fact("trichotomy", "p", "x")

    def less(k: Goal, a: str, b: str, sign: str) -> None:
        s = k.by_fact("int_lt", a, b, by=[lambda q: q.close_by("case")])
        low, high = (bounds[6], bounds[3]) if a == "p" else (bounds[2], bounds[7])
        k.contra()
        k.pos([f"@{s}", "n"], [f"@{low}"], [f"@{high}"], ["1"], eqs=[(same, sign)])

    def equal(k: Goal) -> None:
        k.conj(lambda q: q.close_by("case"), lambda q: q.field((same, "1"), ("case", "-n")))

    g.cases(t, lambda k: less(k, "p", "x", "1"), equal, lambda k: less(k, "x", "p", "-1"), name="case")


MATRIX = "all n:Z, i j:Z->Z, r:Z->R, M:M(n*n,n*n), m:Z, X:M(n*n,m)"
STRUCTURED = f"1 <= n => {pattern()} => {structured('M', 'r(p)')}"


def maps(g: Goal, k: str) -> list[str]:
    """What the pattern says of an index: bounds of j(k), i(k), and the two inversions."""
    return g.split_all(g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "and"), k))


def in_range(g: Goal) -> None:
    """A place lies in 1..n^2."""
    if g.concl[0] == "and":
        g.conj(*[in_range] * (len(g.concl) - 1))
        return
    g.nlin(products=2)


@part(
    STRUCTURE,
    "row",
    f"""{MATRIX}. {STRUCTURED} => all p q c:Z. {inside('p', 'q')} =>
        (M @ X)[{position('p', 'q')}, c] = r(p)*X[{position('q', 'j(p)')}, c]""",
    says="the structured matrix picks one row of what it is multiplied with",
)
def rows_pick_an_entry(g: Goal) -> None:
    """Only one term of the sum is not 0."""
    g.intro()
    shape = named(g, lambda f: is_all(f, "p", "q", "c"))
    maps(g, "p")
    at, u = position("q", "j(p)"), position("p", "q")
    low, high = g.have(f"1 <= {at}", in_range), g.have(f"{at} <= n*n", in_range)

    def other(k: Goal) -> None:
        k.intro()
        h = k.split(k.apply(shape, "p", "q", last(k)))[1]
        z = k.apply(h)
        k.field((z, f"X[{last(k)},c]"))

    total = g.by_fact(
        "sum_delta", 1, "n*n", at, f"lam l:Z. M[{u},l]*X[l,c]", by=[lambda k: k.close_by(low), lambda k: k.close_by(high), other]
    )
    value = g.split(g.apply(shape, "p", "q", at))[0]
    g.field((total, "1"), (value, f"X[{at},c]"))


@part(
    STRUCTURE,
    "column",
    f"""{MATRIX}. {STRUCTURED} => all q l c:Z. {inside('q', 'l')} =>
        (T(M) @ X)[{position('q', 'l')}, c] = r(i(l))*X[{position('i(l)', 'q')}, c]""",
    says="so does its transpose",
)
def columns_pick_an_entry(g: Goal) -> None:
    """In column (q, l) only the row (i(l), q) has an entry that is not 0."""
    g.intro()
    shape = named(g, lambda f: is_all(f, "p", "q", "c"))
    back = maps(g, "l")[5]
    at, u = position("i(l)", "q"), position("q", "l")
    low, high = g.have(f"1 <= {at}", in_range), g.have(f"{at} <= n*n", in_range)
    g.have(f"1 <= {u}", in_range)
    g.have(f"{u} <= n*n", in_range)

    def other(k: Goal) -> None:
        k.intro()
        v = last(k)
        different = list(k.seq.hyps)[-1]
        e = k.apply(k.lemma(STRUCTURE, "part:place"), "n", v)
        names = k.obtain(e, "a", "b")
        place = names[-1]
        ab = maps(k, "a")
        h = k.split(k.apply(shape, "a", "b", u))[1]

        def unequal(z: Goal) -> None:
            same = z.contra()
            both = z.apply(z.lemma(STRUCTURE, "part:place-unique"), "n", "q", "l", "b", "j(a)", by=[None, lambda c: c.close_by(same)])
            qb, la = z.split(both)
            ia = z.have("i(l) = a", lambda c: (c.rewrite(la), c.close_by(ab[4])))
            x = z.have(f"{v} = {at}", lambda c: (c.rewrite(place), c.rewrite(ia), c.rewrite(qb), c.refl()))
            z.clash(x, different)

        z = k.apply(h, by=[unequal])
        k.rewrite(place)
        k.field((z, f"X[{position('a', 'b')},c]"))

    total = g.by_fact(
        "sum_delta", 1, "n*n", at, f"lam v:Z. M[v,{u}]*X[v,c]", by=[lambda k: k.close_by(low), lambda k: k.close_by(high), other]
    )
    value = g.split(g.apply(shape, "i(l)", "q", position("q", "j(i(l))"), by=[None]))[0]
    value = g.rewritten(value, back)
    g.field((total, "1"), (value, f"X[{at},c]"))
