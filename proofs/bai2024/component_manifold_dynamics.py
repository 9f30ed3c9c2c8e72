"""Proposition 2: the manifolds of one connected component under the flow."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.component_manifolds import MEMBER
from proofs.bai2024.crossing import MINUS, PLUS, crossing
from proofs.bai2024.graphs import LABELS, NONZERO, PATTERN
from proofs.bai2024.invariant_manifolds import COUNT, FLOW, INDEPENDENT
from proofs.bai2024.representable import gram_is_regular
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, part, refuted

CLAIM = "bai2024.prop-2-invariance"
COMPONENT = f"""((all i:Z. f(i) = 0 or f(i) = 1) and (all j:Z. g(j) = 0 or g(j) = 1) and (all i j:Z. P[i,j] = 1 => f(i) = g(j)) and
  (all i:Z. f(i) = 1 => (ex j:Z. P[i,j] = 1)) and (all j:Z. g(j) = 1 => (ex i:Z. P[i,j] = 1)) and
  (ex i j:Z. P[i,j] = 1 and f(i) = 1) and (ex i j:Z. P[i,j] = 1 and f(i) = 0) and
  (all r c:Z->Z. {LABELS} => (all i j k l:Z. P[i,j] = 1 and P[k,l] = 1 and f(i) = 1 and f(k) = 1 => r(i) = r(k))))"""
"""f and g mark the rows and columns of a connected component, and it is not the only one: M is disconnected."""


def member(a: str, b: str) -> str:
    """(a, b) is in the set (9)."""
    text = MEMBER.replace("A[i,j]", f"{a}[i,j]").replace("B[i,j]", f"{b}[i,j]")
    return text.replace("V = Y @ A", f"V = Y @ {a}").replace("T(V) = B @ Y", f"T(V) = {b} @ Y")


def contained(a: str, b: str) -> str:
    """The rows of a and the columns of b of the component lie in the span of the rows of V, the others are 0."""
    return f"""((ex X:M(d,k). (all i m:Z. 1 <= i and i <= d and 1 <= m and m <= k and f(i) != 1 => X[i,m] = 0) and {a} = X @ V) and
      (ex X:M(k,d). (all m j:Z. 1 <= m and m <= k and 1 <= j and j <= d and g(j) != 1 => X[m,j] = 0) and {b} = T(V) @ X))"""


SPACE = f"1 <= d => 0 <= k => k <= d => {INDEPENDENT}"
PATTERNED = f"{PATTERN} => {COMPONENT}"
VALUES = f"0 < n => {COUNT} => {NONZERO}"


def invariance(start: str, later: str) -> str:
    """Membership at t = 0 implies membership for all t >= 0."""
    return f"""all d k:Z, V:M(k,d), P:M(d,d), f g:Z->Z, n:R, M:M(d,d), A B:R~>M(d,d). {SPACE} => {PATTERNED} => {VALUES} => {FLOW} =>
       {start} => (all t:R. 0 <= t => {later})"""


def intrinsic(start: str, later: str) -> str:
    """For the pattern P the set is invariant for all observed values."""
    return f"""all d k:Z, V:M(k,d), P:M(d,d), f g:Z->Z. {SPACE} => {PATTERNED} =>
       (all n:R, M:M(d,d), A B:R~>M(d,d). {VALUES} => {FLOW} => {start} => (all t:R. 0 <= t => {later}))"""


REASON = (
    "d = 2, k = 1, the diagonal observed with the value 2, the component of the entry (1,1), A(0) = [2,0; 0,0], B(0) = [-1,0; 0,0]: the"
    " flow takes B through 0 at t = log(8/3)/5, where the column space is not the span; only containment in the span is invariant"
)
HALF_PLUS, HALF_MINUS = PLUS.replace("F(t)", "F(t/2)"), MINUS.replace("F(t)", "F(t/2)")
FACTORS = (f"lam t:R. [[{HALF_PLUS},0],[0,0]]", f"lam t:R. [[{HALF_MINUS},0],[0,0]]")
ONLY_FIRST = "f1"


def first_only(g: Goal) -> None:
    """Adds f1, the indicator of 1, with its values."""
    (h,) = g.obtain(g.fact("indicator", "lam x:Z. x - 1"), "e", split=False)
    (k,) = g.obtain(
        g.have("ex f1:Z->Z. all x:Z. f1(x) = 1 - e(x)", lambda g: (g.witness("lam x:Z. 1 - e(x)"), g.fix("x"), g.refl())[-1]),
        "f1",
        split=False,
    )

    def at_one(g: Goal) -> None:
        g.fix("x")
        one = g.assume()
        zero, _ = g.split(g.apply(h, "x"))
        z = g.apply(zero, by=[lambda g: g.field((one, 1))])
        v = g.apply(k, "x")
        g.field((v, 1), (z, -1))

    def elsewhere(g: Goal) -> None:
        g.fix("x")
        ne = g.assume()

        def apart(g: Goal) -> None:
            eq = g.contra()
            same = g.have("x = 1", lambda g: g.field((eq, 1)))
            g.clash(same, ne)

        _, one = g.split(g.apply(h, "x"))
        z = g.apply(one, by=[apart])
        v = g.apply(k, "x")
        g.field((v, 1), (z, -1))

    g.have("all x:Z. x = 1 => f1(x) = 1", at_one, name="marked")
    g.have("all x:Z. x != 1 => f1(x) = 0", elsewhere, name="unmarked")


def diagonal_pattern(g: Goal) -> None:
    """Adds: I(2)[i,j] = 1 means i = j = 1 or i = j = 2, else the entry is 0."""
    k = g.fact("entry_outside", 2, 2, "I(2)")

    def entry(g: Goal) -> None:
        g.fix("i", "j")

        def beyond(g: Goal) -> None:
            g.left_or_right(0)
            g.close_by(g.apply(k, "i", "j", by=[lambda g, h=last(g): g.close_by(h)]))

        def within(g: Goal) -> None:
            bounds = g.split_all(last(g))
            del bounds

            def same(g: Goal) -> None:
                eq = last(g)
                one = g.have("I(2)[i,j] = 1", lambda g: (g.rewrite(eq), g.field())[-1])

                def low(g: Goal) -> None:
                    i = g.have("i = 1", lambda g: g.antisym())
                    g.left_or_right(1)
                    g.conj(lambda g: g.close_by(one), lambda g: g.close_by(i), lambda g: g.field((eq, -1), (i, 1)))

                def high(g: Goal) -> None:
                    g.apply(g.fact("int_lt", 1, "i"))
                    i = g.have("i = 2", lambda g: g.antisym())
                    g.left_or_right(2)
                    g.conj(lambda g: g.close_by(one), lambda g: g.close_by(i), lambda g: g.field((eq, -1), (i, 1)))

                g.em("i <= 1", low, high)

            def differ(g: Goal) -> None:
                g.left_or_right(0)
                g.field()

            g.em("i = j", same, differ)

        g.em("i < 1 or 2 < i or j < 1 or 2 < j", beyond, within)

    g.have(
        "all i j:Z. I(2)[i,j] = 0 or (I(2)[i,j] = 1 and i = 1 and j = 1) or (I(2)[i,j] = 1 and i = 2 and j = 2)",
        entry,
        name="diagonal",
    )


def places(g: Goal, i: str, j: str, one: str, script: Callable[[Goal, int, str, str], None]) -> None:
    """Split I(2)[i,j] = 1 into i = j = 1 and i = j = 2; the script gets the value and the two equations."""

    def never(g: Goal) -> None:
        z = last(g)
        g.contra()
        g.pos([], eqs=[(one, 1), (z, -1)])

    def at(v: int) -> Script:
        def inner(g: Goal) -> None:
            _, a, b = g.split(last(g))
            script(g, v, a, b)

        return inner

    g.cases(g.apply("diagonal", i, j), never, at(1), at(2))
