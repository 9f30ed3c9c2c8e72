"""Complete bipartite components as families of row and column indicators."""

from __future__ import annotations

from proofs.bai2024.first_columns import CLAIM
from proofs.bai2024.graphs import PATTERN, RECTANGLES
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

COMPONENTS = """(all p i:Z. f(p,i) = 0 or f(p,i) = 1) and (all p j:Z. g(p,j) = 0 or g(p,j) = 1) and
  (all p l i:Z. p != l => f(p,i)*f(l,i) = 0) and (all p l j:Z. p != l => g(p,j)*g(l,j) = 0) and
  (all p i j:Z. P[i,j] = 1 => f(p,i) = g(p,j)) and (all p i j:Z. f(p,i) = 1 => g(p,j) = 1 => P[i,j] = 1) and
  (all i j:Z. P[i,j] = 1 => sum(p, 1, d, f(p,i)) = 1)"""
"""f(p,.) and g(p,.) are the indicators of the rows and columns of the component p; each observed row is in one of p = 1, ..., d."""


@part(
    CLAIM,
    "components",
    f"all d:Z, P:M(d,d). {PATTERN} => {RECTANGLES} => ex f g:(Z,Z)->R. {COMPONENTS}",
    says="Complete bipartite components by indicators.",
)
def indicators_of_components(g: Goal) -> None:
    """The component of a first column p has the rows in which p is observed and the columns that meet p in a row. By rectangles these
    do not overlap for different p, and a row that is observed in a column is observed in the first column of its component."""
    g.fix()
    binary = g.assume()
    corners = g.assume()
    shares, first = g.obtain(g.lemma(CLAIM, "part:representatives", "d", "P", by=[lambda g: g.close_by(binary)]), "h", "e")
    g.witness("lam p:Z, i:Z. P[i,p]*e(p)", "lam p:Z, j:Z. h(p,j)*e(p)")

    def by_first(p: str, zero: Script, one: Script) -> Script:
        """Cases e(p) = 0 or 1; each script has the value and what it means as its newest hypotheses."""

        def script(g: Goal) -> None:
            def case(inner: Script) -> Script:
                return lambda g: (g.split(last(g)), inner(g))[-1]

            g.cases(g.apply(first, p), case(zero), case(one))

        return script

    def value(g: Goal) -> tuple[str, str]:
        names = list(g.seq.hyps)
        return names[-2], names[-1]

    def zero_or_one(entry: str, alternatives: str) -> Script:
        def script(g: Goal) -> None:
            g.fix()

            def not_first(g: Goal) -> None:
                v, _ = value(g)
                g.left_or_right(0)
                g.field((v, entry))

            def is_first(g: Goal) -> None:
                v, _ = value(g)
                if alternatives == "binary":
                    g.cases(
                        g.apply(binary, "i", "p"),
                        lambda g: (g.left_or_right(0), g.field((last(g), "e(p)")))[-1],
                        lambda g: (g.left_or_right(1), g.field((last(g), "e(p)"), (v, 1)))[-1],
                    )
                else:
                    g.cases(
                        g.apply(shares, "p", "j"),
                        lambda g: (g.split(last(g)), g.left_or_right(1), g.field((value(g)[0], "e(p)"), (v, 1)))[-1],
                        lambda g: (g.split(last(g)), g.left_or_right(0), g.field((value(g)[0], "e(p)")))[-1],
                    )

            by_first("p", not_first, is_first)(g)

        return script

    def meets(g: Goal, k: str, j: str, i: str, a: str, b: str) -> str:
        """Adds h(k,j) = 1, as P[i,k] = 1 (a) and P[i,j] = 1 (b)."""

        def yes(g: Goal) -> None:
            g.close_by(g.split(last(g))[0])

        def no(g: Goal) -> None:
            _, never = g.split(last(g))
            both = g.have(
                f"P[{i},{k}] = 1 and P[{i},{j}] = 1", lambda g: g.conj(lambda g: g.close_by(a), lambda g: g.close_by(b))
            )
            k_ = g.apply(never, i)
            g.clash(both, k_)

        return g.have(f"h({k},{j}) = 1", lambda g: g.cases(g.apply(shares, k, j), yes, no))

    def exclusive(g: Goal, p: str, q: str, i: str, a: str, b: str) -> None:
        """Close e(p)*e(q) = 0 for p != q that are both observed in row i: the later one is not first."""
        one, two = meets(g, p, q, i, a, b), meets(g, q, p, i, b, a)
        tri = g.fact("trichotomy", p, q)

        def later(small: str, large: str, met: str) -> Script:
            def script(g: Goal) -> None:
                def dull(g: Goal) -> None:
                    v, _ = value(g)
                    g.field((v, f"e({small})"))

                def is_first(g: Goal) -> None:
                    _, never = value(g)
                    g.have(f"1 <= {small}", lambda g: column_inside(g, i, small, a if small == p else b))
                    z = g.apply(never, small)
                    g.contra()
                    g.pos([], eqs=[(met, 1), (z, -1)])

                by_first(large, dull, is_first)(g)

            return script

        def equal(g: Goal) -> None:
            g.clash(last(g), "apart")

        g.cases(tri, later(p, q, one), equal, later(q, p, two))

    def column_inside(g: Goal, i: str, j: str, one: str) -> None:
        g.contra()
        z = g.apply(g.fact("entry_outside", "d", "d", "P"), i, j)
        g.pos([], eqs=[(one, 1), (z, -1)])

    def rows_disjoint(g: Goal) -> None:
        g.fix("p", "l", "i")
        g.assume("apart")

        def zero(column: str, rest: str) -> Script:
            return lambda g: g.field((last(g), rest))

        def one(g: Goal) -> None:
            a = last(g)

            def both(g: Goal) -> None:
                b = last(g)
                k = g.have("e(p)*e(l) = 0", lambda g: exclusive(g, "p", "l", "i", a, b))
                g.field((k, "P[i,p]*P[i,l]"))

            g.cases(g.apply(binary, "i", "l"), zero("l", "P[i,p]*e(p)*e(l)"), both)

        g.cases(g.apply(binary, "i", "p"), zero("p", "P[i,l]*e(p)*e(l)"), one)

    def columns_disjoint(g: Goal) -> None:
        g.fix("p", "l", "j")
        g.assume("apart")

        def one(g: Goal) -> None:
            _, some = g.split(last(g))
            g.obtain(some, "r")

            def both(g: Goal) -> None:
                _, other = g.split(last(g))
                b = g.obtain(other, "s")
                # column j meets p in row r and l in row s, so row s is observed in p too
                c = g.apply(corners, "r", "j", "s", "p")
                k = g.have("e(p)*e(l) = 0", lambda g: exclusive(g, "p", "l", "s", c, b[0]))
                g.field((k, "h(p,j)*h(l,j)"))

            def none(g: Goal) -> None:
                z, _ = g.split(last(g))
                g.field((z, "h(p,j)*e(p)*e(l)"))

            g.cases(g.apply(shares, "l", "j"), both, none)

        def none(g: Goal) -> None:
            z, _ = g.split(last(g))
            g.field((z, "h(l,j)*e(p)*e(l)"))

        g.cases(g.apply(shares, "p", "j"), one, none)

    def agree(g: Goal) -> None:
        g.fix("p", "i", "j")
        seen = g.assume()

        def row(g: Goal) -> None:
            a = last(g)
            m = meets(g, "p", "j", "i", a, seen)
            g.field((a, "e(p)"), (m, "-e(p)"))

        def no_row(g: Goal) -> None:
            z = last(g)

            def column(g: Goal) -> None:
                _, some = g.split(last(g))
                g.obtain(some, "r")
                c = g.apply(corners, "r", "j", "i", "p")
                g.contra()
                g.pos([], eqs=[(c, 1), (z, -1)])

            def no_column(g: Goal) -> None:
                y, _ = g.split(last(g))
                g.field((z, "e(p)"), (y, "-e(p)"))

            g.cases(g.apply(shares, "p", "j"), column, no_column)

        g.cases(g.apply(binary, "i", "p"), no_row, row)

    def complete(g: Goal) -> None:
        g.fix("p", "i", "j")
        one, two = g.assume(), g.assume()

        def row(g: Goal) -> None:
            a = last(g)

            def column(g: Goal) -> None:
                _, some = g.split(last(g))
                g.obtain(some, "r")
                g.close_by(g.apply(corners, "r", "p", "i", "j"))

            def none(g: Goal) -> None:
                z, _ = g.split(last(g))
                g.contra()
                g.pos([], eqs=[(two, 1), (z, "-e(p)")])

            del a
            g.cases(g.apply(shares, "p", "j"), column, none)

        def no_row(g: Goal) -> None:
            z = last(g)
            g.contra()
            g.pos([], eqs=[(one, 1), (z, "-e(p)")])

        g.cases(g.apply(binary, "i", "p"), no_row, row)

    def reached(g: Goal) -> None:
        ih = g.induct("j")
        g.fix("i")
        seen = g.assume()

        def is_first(g: Goal) -> None:
            v, _ = value(g)
            g.witness("j")
            g.conj(None, lambda g: g.close_by(seen), lambda g: g.close_by(v))

        def not_first(g: Goal) -> None:
            _, some = value(g)
            hs = g.obtain(some, "q")

            def meeting(g: Goal) -> None:
                _, rows = g.split(last(g))
                g.obtain(rows, "r")
                c = g.apply(corners, "r", "j", "i", "q")
                k = g.apply(ih, "q", n=2)
                g.close_by(g.apply(k, "i"))
                del c

            def none(g: Goal) -> None:
                z, _ = g.split(last(g))
                g.contra()
                g.pos([], eqs=[(hs[2], 1), (z, -1)])

            g.cases(g.apply(shares, "q", "j"), meeting, none)

        by_first("j", not_first, is_first)(g)

    def one_component(g: Goal) -> None:
        g.fix("i", "j")
        seen = g.assume()
        g.have("1 <= j", lambda g: column_inside(g, "i", "j", seen))
        hs = g.obtain(g.apply(g.apply(leader, "j", n=1), "i"), "p")
        g.have("p <= d", lambda g: column_inside(g, "i", "p", hs[1]))

        def others(g: Goal) -> None:
            (q,) = g.fix()
            g.split(g.assume())
            ne = g.assume()
            z = g.have(
                f"P[i,{q}]*e({q})*(P[i,p]*e(p)) = 0",
                lambda g: g.close_by(g.apply(apart, q, "p", "i", by=[lambda g: g.close_by(ne)])),
            )
            g.field((z, 1), (hs[1], f"-P[i,{q}]*e({q})*e(p)"), (hs[2], f"-P[i,{q}]*e({q})"))

        s = g.by_fact("sum_delta", 1, "d", "p", "lam q:Z. P[i,q]*e(q)", by=[None, None, others])
        g.field((s, 1), (hs[1], "e(p)"), (hs[2], 1))

    apart = g.have("all p l i:Z. p != l => P[i,p]*e(p)*(P[i,l]*e(l)) = 0", rows_disjoint)
    leader = g.have("all j:Z. 1 <= j => all i:Z. P[i,j] = 1 => ex p:Z. 1 <= p and P[i,p] = 1 and e(p) = 1", reached)
    g.conj(
        zero_or_one("P[i,p]", "binary"),
        zero_or_one("h(p,j)", "shares"),
        rows_disjoint,
        columns_disjoint,
        agree,
        complete,
        one_component,
    )
