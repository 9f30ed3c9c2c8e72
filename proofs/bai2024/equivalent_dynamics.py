"""Appendix B.3: exchanges of rows and columns and transposition carry flows to flows."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds


def flow(a: str, b: str, p: str, m: str) -> str:
    """Gradient flow (3) of the loss (2) by entries; arguments are patterns in the names of the indices."""

    def at(f: str, *args: str) -> str:
        return f.format(*args)

    entry = f"sum(q, 1, d, {at(a, 'i', 'q')}*{at(b, 'q', 'y')}) - {at(m, 'i', 'y')}"
    row = f"sum(y, 1, d, {at(p, 'i', 'y')}*({entry})*{at(b, 'k', 'y')})"
    entry = f"sum(q, 1, d, {at(a, 'x', 'q')}*{at(b, 'q', 'i')}) - {at(m, 'x', 'i')}"
    column = f"sum(x, 1, d, {at(p, 'x', 'i')}*({entry})*{at(a, 'x', 'k')})"
    return (
        "(all i k:Z, t:R. 1 <= i and i <= d and 1 <= k and k <= d and 0 <= t =>"
        f" D(t, {at(a, 'i', 'k')}, t) = -2/n*{row} and D(t, {at(b, 'k', 'i')}, t) = -2/n*{column})"
    )


PERMUTES = "(all i:Z. 1 <= i and i <= d => 1 <= {0}(i) and {0}(i) <= d) and"
PERMUTES += " (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => {0}(i) = {0}(j) => i = j)"


@holds(
    "bai2024.b3-equivalence-operations",
    f"""all d n:Z, P M:(Z,Z)->R, A B:(Z,Z,R)~>R. 1 <= d => 1 <= n => {flow("A({},{},t)", "B({},{},t)", "P({},{})", "M({},{})")} =>
        (all f:Z->Z. {PERMUTES.format("f")} => {flow("A(f({}),{},t)", "B({},{},t)", "P(f({}),{})", "M(f({}),{})")}) and
        (all f:Z->Z. {PERMUTES.format("f")} => {flow("A({},{},t)", "B({},f({}),t)", "P({},f({}))", "M({},f({}))")}) and
        {flow("B({1},{0},t)", "A({1},{0},t)", "P({1},{0})", "M({1},{0})")}""",
    argument="sound",
    reading="the dynamics are equivalent: a flow for M gives a flow for M with rows exchanged (rows of A exchanged), with"
    " columns exchanged"
    " (columns of B exchanged), and for the transpose (B^T in place of A, A^T in place of B)",
)
def exchanges_and_transposition_carry_flows_to_flows(g: Goal) -> None:
    """A sum over all rows or columns does not change under a permutation; transposition exchanges the two equations."""
    g.intro("size", "count", "flow")

    def rows(g: Goal) -> None:
        g.fix("f")
        g.split(g.assume("perm"))
        g.fix("i", "k", "t")
        g.split(g.assume("range"))
        h = g.apply("perm_1", "i")
        g.split(h)
        law = g.apply("flow", "f(i)", "k", "t")
        a, _ = g.split(law)
        law = g.apply("flow", "i", "k", "t")
        _, b = g.split(law)
        e = g.fact("sum_reindex", 1, "d", "f", "lam x:Z. P(x,i)*(sum(q, 1, d, A(x,q,t)*B(q,i,t)) - M(x,i))*A(x,k,t)")
        same = g.apply(e)
        g.conj(lambda g: g.field((a, 1)), lambda g: g.field((b, 1), (same, "2/n")))

    def columns(g: Goal) -> None:
        g.fix("f")
        g.split(g.assume("perm"))
        g.fix("i", "k", "t")
        g.split(g.assume("range"))
        h = g.apply("perm_1", "i")
        g.split(h)
        law = g.apply("flow", "f(i)", "k", "t")
        _, b = g.split(law)
        law = g.apply("flow", "i", "k", "t")
        a, _ = g.split(law)
        e = g.fact("sum_reindex", 1, "d", "f", "lam y:Z. P(i,y)*(sum(q, 1, d, A(i,q,t)*B(q,y,t)) - M(i,y))*B(k,y,t)")
        same = g.apply(e)
        g.conj(lambda g: g.field((a, 1), (same, "2/n")), lambda g: g.field((b, 1)))

    def transposed(g: Goal) -> None:
        g.fix("i", "k", "t")
        g.split(g.assume("range"))
        law = g.apply("flow", "i", "k", "t")
        a, b = g.split(law)
        g.conj(lambda g: g.field((b, 1)), lambda g: g.field((a, 1)))

    g.conj(rows, columns, transposed)
