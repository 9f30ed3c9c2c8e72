"""Steps of the proofs of Propositions A.1 and A.2: members of the manifolds, unobserved positions, other components."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.component_manifold_dynamics import (
    CLAIM as INVARIANCE,
)
from proofs.bai2024.component_manifold_dynamics import (
    FIRST,
    PATTERNED,
    SPACE,
    SPACE_OF_EXAMPLE,
    VALUES,
    chain,
    corner_member,
    diagonal_pattern,
    first_only,
    independent,
    member,
    pattern,
)
from proofs.bai2024.component_manifold_outputs import CLAIM as SUBSET
from proofs.bai2024.graphs import NONZERO, PATTERN, by_values
from proofs.bai2024.invariant_manifolds import COUNT, FLOW, INDEPENDENT, spans, within
from proofs.bai2024.nesting import SETTING as NESTING
from proofs.bai2024.nesting import nested
from proofs.bai2024.representable import one_by_one
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

DATA = f"all d k:Z, n:R, V:M(k,d), P M:M(d,d). {SPACE} => {PATTERN} => 0 < n => {COUNT} => {NONZERO} =>"
RESIDUAL = "had(P, A @ B - M)"
STILL = f"(all l:Z. 1 <= l and l <= d => ({RESIDUAL} @ T(B))[i,l] = 0 and (T(A) @ {RESIDUAL})[l,j] = 0)"
"""The gradients for row i of A and column j of B vanish (up to the factor 2/n)."""
ROW, COLUMN = "(all l:Z. 1 <= l and l <= d => {a}[i,l] = 0)", "(all l:Z. 1 <= l and l <= d => {b}[l,j] = 0)"
PLACE = "1 <= i and i <= d and 1 <= j and j <= d"


@holds(
    "bai2024.prop-a1-step-span-invariance",
    f"""{DATA} (all A B:M(d,d). {spans("A", "B")} => {within("A", "B")}) and
       (all A B:R~>M(d,d). {FLOW} => {within("A(0)", "B(0)")} => (all t:R. 0 <= t => {within("A(t)", "B(t)")}))""",
    argument="sound",
    uses=["bai2024.prop-1-invariance"],
)
def rows_and_columns_stay_in_the_span(g: Goal) -> None:
    """Equality of the spaces is more than containment, and containment is invariant."""
    g.fix()
    names = [g.assume() for _ in range(8)]

    def weaker(g: Goal) -> None:
        g.fix("A", "B")
        a, _, b, _ = g.split(g.assume())
        g.conj(lambda g: g.close_by(a), lambda g: g.close_by(b))

    def later(g: Goal) -> None:
        g.fix("A", "B")
        flow, start = g.assume(), g.assume()
        known = [lambda g, h=h: g.close_by(h) for h in (*names, flow, start)]
        g.close_by(g.lemma("bai2024.prop-1-invariance", "amendment", *"dknVPMAB", by=known))

    g.conj(weaker, later)


@part(
    "bai2024.prop-a1-step-unobserved-gradient",
    "unobserved-rows",
    f"""all d:Z, P M A B:M(d,d), i:Z. 1 <= i => i <= d =>
       ((all j:Z. P[i,j] = 0) => (all l:Z. 1 <= l and l <= d => ({RESIDUAL} @ T(B))[i,l] = 0)) and
       ((all j:Z. P[j,i] = 0) => (all l:Z. 1 <= l and l <= d => (T(A) @ {RESIDUAL})[l,i] = 0))""",
    says="a row or column without observed entries has no gradient",
)
def unobserved_rows_have_no_gradient(g: Goal) -> None:
    """Every term of the sum has the factor P = 0."""
    g.fix()
    g.assume()
    g.assume()

    def rows(g: Goal) -> None:
        none = g.assume()
        g.fix("l")
        g.assume()
        k = g.apply(g.fact("mm_entry", "d", "d", "d", RESIDUAL, "T(B)"), "i", "l")

        def term(g: Goal) -> None:
            g.fix("q")
            g.assume()
            z = g.apply(none, "q")
            g.field((z, "(A @ B - M)[i,q]*B[l,q]"))

        s = g.by_fact("sum_ext", 1, "d", f"lam q:Z. {RESIDUAL}[i,q]*B[l,q]", "lam q:Z. 0", by=[term])
        g.field((k, 1), (s, 1))

    def columns(g: Goal) -> None:
        none = g.assume()
        g.fix("l")
        g.assume()
        k = g.apply(g.fact("mm_entry", "d", "d", "d", "T(A)", RESIDUAL), "l", "i")

        def term(g: Goal) -> None:
            g.fix("q")
            g.assume()
            z = g.apply(none, "q")
            g.field((z, "(A @ B - M)[q,i]*A[q,l]"))

        s = g.by_fact("sum_ext", 1, "d", f"lam q:Z. A[q,l]*{RESIDUAL}[q,i]", "lam q:Z. 0", by=[term])
        g.field((k, 1), (s, 1))

    g.conj(rows, columns)


UNOBSERVED = f"""all d:Z, n:R, P M:M(d,d), A B:R~>M(d,d), i:Z. {FLOW} => 1 <= i => i <= d =>
       ((all j:Z. P[i,j] = 0) => (all t:R, l:Z. 0 <= t and 1 <= l and l <= d => A'(t)[i,l] = 0 and A(t)[i,l] = A(0)[i,l])) and
       ((all j:Z. P[j,i] = 0) => (all t:R, l:Z. 0 <= t and 1 <= l and l <= d => B'(t)[l,i] = 0 and B(t)[l,i] = B(0)[l,i]))"""
FROZEN = (
    "A row of A (column of B) without any observed entry has gradient 0 for all time and keeps its initial value, 0 for instance."
)


@amendment("bai2024.prop-a1-step-unobserved-gradient", UNOBSERVED, says=FROZEN)
def unobserved_rows_are_frozen(g: Goal) -> None:
    """The derivative of each entry is 0."""
    g.fix()
    laws = g.split(g.assume())
    low, high = g.assume(), g.assume()

    def entries(name: str, which: int) -> Script:
        def script(g: Goal) -> None:
            none = g.assume()

            def velocity(g: Goal) -> None:
                g.fix("t", "l")
                g.split(g.assume())
                h = g.lemma(
                    "bai2024.prop-a1-step-unobserved-gradient",
                    "part:unobserved-rows",
                    *["d", "P", "M", "A(t)", "B(t)", "i"],
                    by=[lambda g: g.close_by(low), lambda g: g.close_by(high)],
                )
                zero = g.apply(g.apply(g.split(h)[which], by=[lambda g: g.close_by(none)], n=1), "l")
                law = g.apply(laws[which], "t")
                g.rewrite(law)
                g.field((zero, "-2/n"))

            place = "[i,l]" if which == 0 else "[l,i]"
            still = g.have(f"all t:R, l:Z. 0 <= t and 1 <= l and l <= d => {name}'(t){place} = 0", velocity)
            g.fix("t", "l")
            g.split(g.assume())
            at = g.apply(still, "t", "l")
            k = g.fact("constant", 0, f"lam t:R. {name}(t){place}")

            def slope(g: Goal) -> None:
                g.fix("s")
                g.assume()
                z = g.apply(still, "s", "l")
                g.field((z, 1))

            same = g.apply(g.apply(k, by=[None, slope], n=2), "t")
            g.conj(lambda g: g.close_by(at), lambda g: g.close_by(same))

        return script

    g.conj(entries("A", 0), entries("B", 1))


def example_of_zero(g: Goal, value: str) -> None:
    """The gradient of row 1 is not 0 for the position (1, 2) of the diagonal pattern with values 2."""

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "ex":
            g.witness("1")
            close(g)
        elif c[0] == "or":
            g.left_or_right(0)
            close(g)
        elif c[0] == "!=":
            eq = g.contra()
            g.pos([], eqs=[(eq, value)])
        elif c[0] == "all":
            zeros(g)
        else:
            g.auto()

    def zeros(g: Goal) -> None:
        g.fix("l")
        g.split(g.assume())
        by_values(g, "l", 1, 2, lambda g, _: (g.rewrite(last(g)), g.field())[-1])

    close(g)


SPAN_EXAMPLE = ("[[0,0],[1,0]]", "[[1,0],[0,0]]")


@refuted(
    "bai2024.prop-a1-step-unobserved-gradient",
    f"""{DATA} (all A B:M(d,d). {spans("A", "B")} => all i j:Z. {PLACE} and P[i,j] = 0 =>
       {ROW.format(a="A")} => {COLUMN.format(b="B")} => {STILL})""",
    argument="fails",
    reason="a row i with an unobserved and an observed position has a gradient: d = 2, k = 1, the diagonal observed with the value 2,"
    " A = [0,0; 1,0], B = [1,0; 0,0], position (1,2), where the gradient of row 1 of A is -2 e_1 (up to 2/n)",
)
def observed_rows_move(g: Goal) -> None:
    """One position of a row is unobserved, another one observed."""
    diagonal_pattern(g)
    g.witness("2", "1", "2", "[[1,0]]", "I(2)", "2*I(2)")

    def members(g: Goal) -> None:
        def factor(x: str) -> Script:
            return lambda g: (g.witness(x), g.ext(lambda g: g.field()))[-1]

        g.conj(factor("[[0],[1]]"), factor("[[0,1]]"), factor("[[1,0]]"), factor("[[1],[0]]"))

    def values(g: Goal) -> None:
        g.witness(*SPAN_EXAMPLE)
        g.conj(members, lambda g: (g.witness("1", "2"), example_of_zero(g, "1/2"))[-1])

    def nonzero(g: Goal) -> None:
        g.fix("i", "j")
        one = g.assume()
        eq = g.contra()
        g.pos([], eqs=[(one, 1), (eq, "-1/2")])

    chain(*[Goal.auto] * 3, independent, pattern, Goal.auto, lambda g: g.field(), nonzero, values)(g)


MEMBERS = f"all d k:Z, V:M(k,d), P:M(d,d), f g:Z->Z. {SPACE} => {PATTERNED} =>"


@refuted(
    "bai2024.prop-a2-step-unobserved",
    f"""{MEMBERS} (all n:R, M A B:M(d,d). {VALUES} => {member("A", "B")} => all i j:Z. {PLACE} and P[i,j] = 0 =>
       {STILL} and ({ROW.format(a="A")} => {COLUMN.format(b="B")} => {STILL}))""",
    argument="fails",
    reason="a row of the component may have unobserved positions: d = 2, k = 1, the diagonal observed with the value 2, the component of"
    " (1,1), A = B = [1,0; 0,0], position (1,2), where the gradient of row 1 of A is -e_1 (up to 2/n)",
    reading="the gradients at every point of the manifold",
)
def rows_of_the_component_move(g: Goal) -> None:
    """(1, 2) is not observed, but (1, 1) is."""
    first_only(g)
    diagonal_pattern(g)
    g.witness(*SPACE_OF_EXAMPLE)

    def nonzero(g: Goal) -> None:
        g.fix("i", "j")
        one = g.assume()
        eq = g.contra()
        g.pos([], eqs=[(one, 1), (eq, "-1/2")])

    def values(g: Goal) -> None:
        g.witness("2", "2*I(2)", "[[1,0],[0,0]]", "[[1,0],[0,0]]")
        chain(
            Goal.auto,
            lambda g: g.field(),
            nonzero,
            lambda g: corner_member(g, "1", "1", "1", "1"),
            lambda g: (g.witness("1", "2"), example_of_zero(g, "1"))[-1],
        )(g)

    chain(*FIRST, values)(g)


@amendment("bai2024.prop-a2-step-unobserved", UNOBSERVED, says=FROZEN, uses=["bai2024.prop-a1-step-unobserved-gradient"])
def unobserved_rows_are_frozen_again(g: Goal) -> None:
    """The same statement for Proposition A.1."""
    g.close_by(g.lemma("bai2024.prop-a1-step-unobserved-gradient", "amendment"))


IN_SPAN = "(ex x:V(k). all l:Z. 1 <= l and l <= d => {0} = (T(V) @ x)[l,1])"
MINE = "P[i,j] = 1 and f(i) = 1"


@refuted(
    "bai2024.prop-a2-step-membership",
    f"""{MEMBERS} all A B:M(d,d). {member("A", "B")} => all i j:Z. {PLACE} =>
       ({MINE} => {IN_SPAN.format("A[i,l]")} and {IN_SPAN.format("B[l,j]")}) and
       (not ({MINE}) => {ROW.format(a="A")} and {COLUMN.format(b="B")})""",
    argument="fails",
    reason="a row of the component may have unobserved positions: d = 2, k = 1, the diagonal observed, the component of (1,1), A = B ="
    " [1,0; 0,0], position (1,2), where a_1 = e_1 is not 0",
)
def rows_of_the_component_are_not_zero(g: Goal) -> None:
    """(1, 2) is not observed, but a_1 is not 0."""
    first_only(g)
    diagonal_pattern(g)
    g.witness(*SPACE_OF_EXAMPLE)

    def values(g: Goal) -> None:
        g.witness("[[1,0],[0,0]]", "[[1,0],[0,0]]")

        def place(g: Goal) -> None:
            g.witness("1", "2")

            def wrong(g: Goal) -> None:
                g.left_or_right(1)

                def away(g: Goal) -> None:
                    h = g.split(g.assume())[0]
                    g.pos([], eqs=[(h, 1)])

                def row(g: Goal) -> None:
                    g.left_or_right(0)
                    g.witness("1")
                    g.conj(Goal.auto, lambda g: one_is_not_zero(g))

                g.conj(away, row)

            g.conj(Goal.auto, wrong)

        chain(lambda g: corner_member(g, "1", "1", "1", "1"), place)(g)

    chain(*FIRST, values)(g)


def one_is_not_zero(g: Goal) -> None:
    """The first entry is 1."""
    eq = g.contra()
    g.pos([], eqs=[(eq, -1)])


@amendment(
    "bai2024.prop-a2-step-membership",
    f"""{MEMBERS} all A B:M(d,d). {member("A", "B")} => all i j:Z. {PLACE} =>
       (f(i) = 1 => {IN_SPAN.format("A[i,l]")}) and (g(j) = 1 => {IN_SPAN.format("B[l,j]")}) and
       (f(i) != 1 => {ROW.format(a="A")}) and (g(j) != 1 => {COLUMN.format(b="B")})""",
    says="Rows and columns of the component lie in the span, all others are 0.",
)
def members_row_by_row(g: Goal) -> None:
    """The definition, with the coefficients of a row or column."""
    g.fix()
    for _ in range(6):
        g.assume()
    g.fix("A", "B")
    a_in, _, b_in, _, a_out, b_out = g.split(g.assume())
    g.fix("i", "j")
    g.split(g.assume())

    def row(g: Goal) -> None:
        g.assume()
        x = g.obtain(a_in, "X", split=False)[0]
        (c,) = g.obtain(g.fact("matrix_of_entries", "k", 1, "lam m:Z, q:Z. X[i,m]"), "c", split=False)
        g.witness("c")
        g.fix("l")
        g.split(g.assume())
        v = g.apply(x, "i", "l")
        one = g.apply(g.fact("mm_entry", "d", "k", "d", "X", "V"), "i", "l")
        two = g.apply(g.fact("mm_entry", "d", "k", 1, "T(V)", "c"), "l", "1")
        coefficients(g, v, one, two, c, "lam m:Z. V[m,l]*c[m,1]", "lam m:Z. X[i,m]*V[m,l]")

    def coefficients(g: Goal, v: str, one: str, two: str, c: str, left: str, right: str) -> None:
        def term(g: Goal) -> None:
            g.fix("m")
            g.split(g.assume())
            e = g.apply(c, "m", "1")
            g.field((e, "V[m,l]"))

        s = g.by_fact("sum_ext", 1, "k", left, right, by=[term])
        g.field((v, 1), (one, 1), (two, -1), (s, -1))

    def column(g: Goal) -> None:
        g.assume()
        x = g.obtain(b_in, "X", split=False)[0]
        (c,) = g.obtain(g.fact("matrix_of_entries", "k", 1, "lam m:Z, q:Z. X[m,j]"), "c", split=False)
        g.witness("c")
        g.fix("l")
        g.split(g.assume())
        v = g.apply(x, "l", "j")
        one = g.apply(g.fact("mm_entry", "d", "k", "d", "T(V)", "X"), "l", "j")
        two = g.apply(g.fact("mm_entry", "d", "k", 1, "T(V)", "c"), "l", "1")
        coefficients(g, v, one, two, c, "lam m:Z. V[m,l]*c[m,1]", "lam m:Z. V[m,l]*X[m,j]")

    def zero(rule: str, row: bool) -> Script:
        def script(g: Goal) -> None:
            g.assume()
            g.fix("l")
            g.split(g.assume())
            g.close_by(g.apply(rule, *(("i", "l") if row else ("l", "j"))))

        return script

    g.conj(row, column, zero(a_out, True), zero(b_out, False))


@holds(
    "bai2024.prop-a2-step-other-component",
    f"""{MEMBERS} (all n:R, M:M(d,d), A B:R~>M(d,d). {VALUES} => {FLOW} => {member("A(0)", "B(0)")} =>
       all i j:Z. {PLACE} and P[i,j] = 1 and f(i) != 1 =>
         (all t:R, l:Z. 0 <= t and 1 <= l and l <= d => A(t)[i,l] = 0 and B(t)[l,j] = 0))""",
    argument="repaired",
    context=(
        "the start lies in the manifold of the component L_p: all other rows and columns are 0 at first (for a single row "
        "and column the statement would be false) [proof of Proposition A.2]"
    ),
    uses=[INVARIANCE, SUBSET],
)
def other_components_stay_at_zero(g: Goal) -> None:
    """The rows and columns of the other components stay 0 by the amended Proposition 2 (i)."""
    g.fix()
    names = [g.assume(n) for n in ("size", "k_lo", "k_hi", "independent", "binary", "component")]
    g.fix()
    names += [g.assume() for _ in range(4)]
    start = g.assume()
    f_bits, g_bits, labels = g.split("component")[:3]
    known = [lambda g, h=h: g.close_by(h) for h in (f_bits, g_bits, start)]
    both = g.lemma(SUBSET, "part:inside", "d", "k", "V", "f", "g", "A(0)", "B(0)", by=known)
    contained_start = g.split(both)[1]
    known = [lambda g, h=h: g.close_by(h) for h in (*names, contained_start)]
    always = g.lemma(INVARIANCE, "amendment", "d", "k", "V", "P", "f", "g", "n", "M", "A", "B", by=known)
    g.fix("i", "j")
    hs = g.split(g.assume())
    seen, mark = hs[-2:]
    g.fix("t", "l")
    g.split(g.assume())
    a, b = g.split(g.apply(always, "t"))
    g.have("g(j) != 1", lambda g: not_marked(g, labels, seen, mark))

    def entry(some: str, left: str, right: str, row: str, column: str, product: Callable[[str], str], turned: bool) -> Script:
        def script(g: Goal) -> None:
            zero, eq = g.obtain(some, "X")
            k = g.apply(g.fact("mm_entry", "d", "k", "d", left, right), row, column)

            def term(g: Goal) -> None:
                g.fix("m")
                g.split(g.assume())
                z = g.apply(zero, *(("m", "j") if turned else ("i", "m")))
                g.field((z, product("m")))

            body = f"lam m:Z. {'V[m,l]*X[m,j]' if turned else 'X[i,m]*V[m,l]'}"
            s = g.by_fact("sum_ext", 1, "k", body, "lam m:Z. 0", by=[term])
            g.rewrite(eq)
            g.field((k, 1), (s, 1))

        return script

    g.conj(
        entry(a, "X", "V", "i", "l", lambda m: f"V[{m},l]", False),
        entry(b, "T(V)", "X", "l", "j", lambda m: f"V[{m},l]", True),
    )


def not_marked(g: Goal, labels: str, seen: str, mark: str) -> None:
    """g(j) != 1 from f(i) != 1 and the equal labels of an observed entry."""
    eq = g.contra()
    same = g.apply(labels, "i", "j")
    k = g.have("f(i) = 1", lambda g: g.field((same, 1), (eq, 1)))
    g.clash(k, mark)


RANKS = "bai2024.prop-a1-step-lower-ranks"


def lower_ranks(small: str) -> str:
    """All matrices of rank at most k are outputs of Omega_k."""
    return f"(all d k:Z, V:M(k,d), C:M(d,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} => rank(C) <= k => ex A B:M(d,d). {small} and A @ B = C)"


@refuted(
    RANKS,
    f"""{lower_ranks(spans("A", "B"))} and
       ({NESTING} {nested(spans("A", "B", "U", "(j-1)"), spans("A", "B", "V", "j"))})""",
    argument="fails",
    reason="with equality of the spaces the factors of Omega_k have rank k, and so have their products; d = k = 1: 0 is no product of two"
    " numbers that are not 0. The sets are disjoint, not nested",
)
def lower_ranks_are_missing(g: Goal) -> None:
    """The matrix 0 for d = k = 1."""
    g.left_or_right(0)
    one_by_one(g)


@amendment(
    RANKS,
    f"""{lower_ranks(within("A", "B"))} and
       ({NESTING} {nested(within("A", "B", "U", "(j-1)"), within("A", "B", "V", "j"))})""",
    says="With containment in the span the outputs are the matrices of rank up to k, and the sets increase strictly.",
    uses=["bai2024.thm-a5-step-representable", "bai2024.prop-1-hierarchy"],
)
def lower_ranks_are_contained(g: Goal) -> None:
    """The two amended statements."""
    g.conj(
        lambda g: g.close_by(g.lemma("bai2024.thm-a5-step-representable")),
        lambda g: g.close_by(g.lemma("bai2024.prop-1-hierarchy", "amendment")),
    )
