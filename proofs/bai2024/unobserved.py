"""Appendix A.2, the two remarks after Definition A.3: unobserved rows and columns, and reducibility."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import chain
from proofs.bai2024.definitions import sides
from proofs.bai2024.graphs import BLOCK, CONNECTED, PATTERN, inside
from proofs.bai2024.invariant_manifolds import FLOW
from proofs.bai2024.literal_patterns import binary, within
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted

FROZEN = "bai2024.prop-a1-step-unobserved-gradient"
REDUCIBILITY = "bai2024.remark-reducibility"
RESIDUAL = "had(P, {a} @ {b} - M)"


def unaffected(a: str, b: str, other_a: str, other_b: str) -> str:
    """The loss and the velocities of the other factor are the same."""
    one, two = RESIDUAL.format(a=a, b=b), RESIDUAL.format(a=other_a, b=other_b)
    return f"{one} = {two} and 1/n*tr(T({one}) @ {one}) = 1/n*tr(T({two}) @ {two})"


ROWS = f"""(all A C B:M(d,d). (all x l:Z. x != i => A[x,l] = C[x,l]) =>
         {unaffected("A", "B", "C", "B")} and T(A) @ {RESIDUAL.format(a="A", b="B")} = T(C) @ {RESIDUAL.format(a="C", b="B")})"""
COLUMNS = f"""(all A B C:M(d,d). (all x l:Z. x != i => B[l,x] = C[l,x]) =>
         {unaffected("A", "B", "A", "C")} and {RESIDUAL.format(a="A", b="B")} @ T(B) = {RESIDUAL.format(a="A", b="C")} @ T(C))"""
STILL_ROW = f"(all A B:R~>M(d,d). {FLOW} => (all t:R, l:Z. 0 <= t and 1 <= l and l <= d => A(t)[i,l] = A(0)[i,l]))"
STILL_COLUMN = f"(all A B:R~>M(d,d). {FLOW} => (all t:R, l:Z. 0 <= t and 1 <= l and l <= d => B(t)[l,i] = B(0)[l,i]))"


@holds(
    "bai2024.remark-isolated-vertices",
    f"""all d i:Z, n:R, P M:M(d,d). 1 <= i => i <= d => ((all j:Z. P[i,j] = 0) => {ROWS} and {STILL_ROW}) and
       ((all j:Z. P[j,i] = 0) => {COLUMNS} and {STILL_COLUMN})""",
    argument="sound",
    reading="for an unobserved row i of M the residual, the loss and the velocity of B (and of the other rows of A, which is the product of the"
    " residual with B^T) do not depend on row i of A, which keeps its initial value, small for a small start; likewise for a column",
    uses=[FROZEN],
)
def unobserved_rows_have_no_influence(g: Goal) -> None:
    """P vanishes where the products differ, and the residual vanishes where the factors differ."""
    g.fix()
    low, high = g.assume(), g.assume()

    def sums(g: Goal, x: str, y: str, z: str, w: str, term: Script, i: str, j: str) -> None:
        """(x y)[i,j] = (z w)[i,j] term by term."""
        a = g.apply(g.fact("mm_entry", "d", "d", "d", x, y), i, j)
        b = g.apply(g.fact("mm_entry", "d", "d", "d", z, w), i, j)
        s = g.by_fact("sum_ext", 1, "d", f"lam q:Z. {x}[{i},q]*{y}[q,{j}]", f"lam q:Z. {z}[{i},q]*{w}[q,{j}]", by=[term])
        g.field((a, 1), (b, -1), (s, 1))

    def side(rows: bool) -> Script:
        def script(g: Goal) -> None:
            g.assume()
            g.conj(influence, still)

        def influence(g: Goal) -> None:
            g.fix()
            agree = g.assume()
            none = next(h for h, f in g.seq.hyps.items() if f[0] == "all" and "P" in str(f))
            c, e = ("C", "B") if rows else ("A", "C")
            one, two = RESIDUAL.format(a="A", b="B"), RESIDUAL.format(a=c, b=e)

            def entry(g: Goal) -> None:
                g.extn("x", "y")
                at = "x" if rows else "y"

                def here(g: Goal) -> None:
                    eq = last(g)
                    z = g.apply(none, "y" if rows else "x")
                    p = g.have("P[x,y] = 0", lambda g: (g.rewrite(eq), g.close_by(z))[-1])
                    g.field((p, f"(A @ B)[x,y] - ({c} @ {e})[x,y]"))

                def there(g: Goal) -> None:
                    ne = last(g)

                    def term(g: Goal) -> None:
                        g.fix("q")
                        g.assume()
                        k = g.apply(agree, at, "q", by=[lambda g: g.close_by(ne)])
                        g.field((k, "B[q,y]" if rows else "A[x,q]"))

                    k = g.have(f"(A @ B)[x,y] = ({c} @ {e})[x,y]", lambda g: sums(g, "A", "B", c, e, term, "x", "y"))
                    g.field((k, "P[x,y]"))

                g.em(f"{at} = i", here, there)

            same = g.have(f"{one} = {two}", entry)

            def velocity(g: Goal) -> None:
                g.rewrite(same)
                g.extn("l", "y") if rows else g.extn("x", "l")

                def term(g: Goal) -> None:
                    g.fix("q")
                    g.assume()

                    def here(g: Goal) -> None:
                        eq = last(g)
                        z = g.apply(none, "y" if rows else "x")
                        place = "[q,y]" if rows else "[x,q]"
                        p = g.have(f"P{place} = 0", lambda g: (g.rewrite(eq), g.close_by(z))[-1])
                        factor = "(A[q,l] - C[q,l])" if rows else "(B[l,q] - C[l,q])"
                        g.field((p, f"{factor}*({c} @ {e} - M){place}"))

                    def there(g: Goal) -> None:
                        ne = last(g)
                        k = g.apply(agree, "q", "l", by=[lambda g: g.close_by(ne)])
                        g.field((k, f"({two})[q,y]" if rows else f"({two})[x,q]"))

                    g.em("q = i", here, there)

                if rows:
                    sums(g, "T(A)", two, "T(C)", two, term, "l", "y")
                else:
                    sums(g, two, "T(B)", two, "T(C)", term, "x", "l")

            g.conj(lambda g: g.close_by(same), lambda g: (g.rewrite(same), g.refl())[-1], velocity)

        def still(g: Goal) -> None:
            g.fix("A", "B")
            flow = g.assume()
            none = next(h for h, f in g.seq.hyps.items() if f[0] == "all" and "'P'" in str(f))
            known = [lambda g: g.close_by(flow), lambda g: g.close_by(low), lambda g: g.close_by(high)]
            h = g.lemma(FROZEN, "amendment", *"dnPMABi", by=known)
            k = g.apply(g.split(h)[0 if rows else 1], by=[lambda g: g.close_by(none)], n=1)
            g.fix("t", "l")
            time = g.assume()
            both = g.apply(k, "t", "l", by=[lambda g: g.close_by(time)])
            g.close_by(g.split(both)[1])

        return script

    g.conj(side(True), side(False))


VERTEX = "1 <= {0} and {0} <= 2*d"
REDUCIBLE = f"""(ex f:Z->Z. (all u:Z. f(u) = 0 or f(u) = 1) and (ex u:Z. {VERTEX.format("u")} and f(u) = 1) and
  (ex u:Z. {VERTEX.format("u")} and f(u) = 0) and
  (all u v:Z. {VERTEX.format("u")} and {VERTEX.format("v")} and f(u) = 1 and f(v) = 0 => E[u,v] = 0))"""
"""The indices fall into two sets, neither empty, such that E[u,v] = 0 for u in the one and v in the other (E is symmetric)."""
GRAPH = f"all d:Z, P:M(d,d), E:M(2*d,2*d). 1 <= d => {PATTERN} => {BLOCK} =>"


@refuted(
    REDUCIBILITY,
    f"{GRAPH} (not {CONNECTED} <=> {REDUCIBLE})",
    argument="repaired",
    reading="E is the displayed matrix; the graph is that of Definition 1, without isolated vertices",
    reason="an unobserved row or column makes the matrix reducible, whether the graph is connected or not: d = 2, only the entry (1,1) observed",
)
def unobserved_row_makes_the_matrix_reducible(g: Goal) -> None:
    """The column 2 has no edge."""
    pattern, matrix = "[[1,0],[0,0]]", "[[0,0,1,0],[0,0,0,0],[1,0,0,0],[0,0,0,0]]"
    bits = binary(g, pattern, 2)
    only = g.have(f"all i j:Z. 1 <= i and i <= 2 and 1 <= j and j <= 2 => {pattern}[i,j] = 1 => i = 1", lambda g: g.compute())
    column = g.have(f"all u:Z. 1 <= u and u <= 4 => {matrix}[u,2] = 0", lambda g: g.compute())
    (e,) = g.obtain(g.fact("indicator", "lam x:Z. x - 2"), "f", split=False)
    g.witness("2", pattern, matrix)

    def connected(g: Goal) -> None:
        g.fix("r", "c")
        g.assume()
        g.fix("i", "j", "k", "l")
        one, two = g.split(g.assume())

        def first(i: str, j: str, h: str) -> str:
            within(g, pattern, 2, i, j, h)
            return g.apply(only, i, j, by=[None, lambda g: g.close_by(h)])

        a, b = first("i", "j", one), first("k", "l", two)
        g.rewrite(a)
        g.rewrite(b)
        g.refl()

    def reducible(g: Goal) -> None:
        g.witness("f")

        def values(g: Goal) -> None:
            g.fix("u")
            zero, one = g.split(g.apply(e, "u"))

            def here(g: Goal) -> None:
                h = last(g)
                g.left_or_right(0)
                g.close_by(g.apply(zero, by=[lambda g: g.close_by(h)]))

            def there(g: Goal) -> None:
                h = last(g)
                g.left_or_right(1)
                g.close_by(g.apply(one, by=[lambda g: g.close_by(h)]))

            g.em("u - 2 = 0", here, there)

        def some(g: Goal) -> None:
            g.witness("1")
            h = g.split(g.apply(e, 1))[1]
            g.conj(None, None, lambda g: g.close_by(g.apply(h)))

        def other(g: Goal) -> None:
            g.witness("2")
            h = g.split(g.apply(e, 2))[0]
            g.conj(None, None, lambda g: g.close_by(g.apply(h)))

        def apart(g: Goal) -> None:
            g.fix("u", "v")
            _, high, _, _, _, zero = g.split_all(g.assume())
            h = g.split(g.apply(e, "v"))[1]

            def at_two(g: Goal) -> None:
                g.contra("ne")
                ne = g.have("v - 2 != 0", lambda g: shifted(g))
                one = g.apply(h, by=[lambda g: g.close_by(ne)])
                g.pos([], eqs=[(one, 1), (zero, -1)])

            def shifted(g: Goal) -> None:
                eq = g.contra()
                g.clash(g.have("v = 2", lambda g: g.field((eq, 1))), "ne")

            two = g.have("v = 2", at_two)
            g.rewrite(two)
            g.have("u <= 4", lambda g: g.pos([f"@{high}"]))
            g.close_by(g.apply(column, "u"))

        g.conj(values, some, other, apart)

    def not_equivalent(g: Goal) -> None:
        g.left_or_right(1)
        g.conj(connected, reducible)

    chain(Goal.auto, lambda g: g.close_by(bits), lambda g: g.compute(), not_equivalent)(g)


SEEN = """(all i:Z. 1 <= i and i <= d => (ex j:Z. P[i,j] = 1)) => (all j:Z. 1 <= j and j <= d => (ex i:Z. P[i,j] = 1)) =>"""
"""Every row and every column is observed."""


@amendment(
    REDUCIBILITY,
    f"{GRAPH} {SEEN} (not {CONNECTED} <=> {REDUCIBLE})",
    says="If every row and every column has an observed entry, M is disconnected exactly if the matrix is reducible.",
)
def disconnected_is_reducible(g: Goal) -> None:
    """The vertices with one label against the others, and the two sets of indices as labels."""
    g.fix()
    for name in ("size", "binary", "block", "rows", "columns"):
        g.assume(name)

    def split_vertices(g: Goal) -> None:
        disconnected = g.assume()
        irreducible = g.contra()

        def connected(g: Goal) -> None:
            g.fix("r", "c")
            labels = g.assume()
            g.fix("i", "j", "k", "l")
            one, two = g.split(g.assume())
            ne = g.contra()
            inside(g, "P", "d", "d", "i", "j", one)
            inside(g, "P", "d", "d", "k", "l", two)
            (p,) = g.obtain(g.fact("piecewise", "d", "lam u:Z. c(u)", "lam u:Z. r(u-d)"), "p", split=False)
            (e,) = g.obtain(g.fact("indicator", "lam u:Z. p(u) - r(i)"), "e", split=False)
            g.clash(g.have(REDUCIBLE, lambda g: by_label(g, labels, p, e, ne)), irreducible)

        g.clash(g.have(CONNECTED, connected), disconnected)

    def by_label(g: Goal, labels: str, p: str, e: str, ne: str) -> None:
        g.witness("e")

        def values(g: Goal) -> None:
            g.fix("u")
            zero, one = g.split(g.apply(e, "u"))

            def case(which: str, k: int) -> Script:
                def script(g: Goal) -> None:
                    h = last(g)
                    g.left_or_right(k)
                    g.close_by(g.apply(which, by=[lambda g: g.close_by(h)]))

                return script

            g.em("p(u) - r(i) = 0", case(zero, 0), case(one, 1))

        def row(g: Goal, i: str) -> str:
            g.have(f"d < d+{i}", lambda g: g.nlin(products=1))
            h = g.apply(g.split(g.apply(p, f"d+{i}"))[1])
            return g.have(f"p(d+{i}) = r({i})", lambda g: (g.rewrite(h), g.ctx(lambda g: g.field()))[-1])

        def some(g: Goal) -> None:
            g.witness("d+k")
            v = row(g, "k")
            h = g.split(g.apply(e, "d+k"))[1]

            def differ(g: Goal) -> None:
                eq = g.contra()
                g.clash(g.have("r(i) = r(k)", lambda g: g.field((eq, -1), (v, 1))), ne)

            w = g.have("p(d+k) - r(i) != 0", differ)
            g.conj(
                lambda g: g.nlin(products=1),
                lambda g: g.nlin(products=1),
                lambda g: g.close_by(g.apply(h, by=[lambda g: g.close_by(w)])),
            )

        def other(g: Goal) -> None:
            g.witness("d+i")
            v = row(g, "i")
            h = g.split(g.apply(e, "d+i"))[0]
            w = g.have("p(d+i) - r(i) = 0", lambda g: g.field((v, 1)))
            g.conj(
                lambda g: g.nlin(products=1),
                lambda g: g.nlin(products=1),
                lambda g: g.close_by(g.apply(h, by=[lambda g: g.close_by(w)])),
            )

        def apart(g: Goal) -> None:
            g.fix("u", "v")
            *_, one, zero = g.split_all(g.assume())
            ku, kv = g.apply(e, "u"), g.apply(e, "v")
            pu, pv = g.apply(p, "u"), g.apply(p, "v")

            def no_edge(g: Goal, entry: str, label_u: str, label_v: str, i: str, j: str, sign: int) -> None:
                """The entry is P[i,j]; were it 1, the labels of u and v would agree."""
                x = g.apply(g.split(pu)[0 if label_u == "c" else 1])
                y = g.apply(g.split(pv)[0 if label_v == "c" else 1])

                def edge(g: Goal) -> None:
                    h = last(g)
                    same = g.apply(labels, i, j, by=[lambda g: g.close_by(h)])
                    g.contra()

                    def at_v(g: Goal) -> None:
                        ne_ = g.contra()
                        w = g.apply(g.split(kv)[1], by=[lambda g: g.close_by(ne_)])
                        g.pos([], eqs=[(w, 1), (zero, -1)])

                    a = g.have("p(v) - r(i) = 0", at_v)
                    b = g.have("p(u) - r(i) = 0", lambda g: g.field((a, 1), (x, 1), (y, -1), (same, sign)))
                    w = g.apply(g.split(ku)[0], by=[lambda g: g.close_by(b)])
                    g.pos([], eqs=[(one, 1), (w, -1)])

                none: Script = lambda g: (lambda h: g.field((entry, 1), (h, 1)))(last(g))  # noqa: E731
                g.cases(g.apply("binary", i, j), none, edge)

            def column(g: Goal) -> None:
                def both(g: Goal) -> None:
                    g.close_by(g.split(g.apply("block", "u", "v"))[0])

                def mixed(g: Goal) -> None:
                    g.have("d < v", lambda g: g.pos(["1"], [f"@{last(g)}"]))
                    b = g.split(g.apply("block", "v-d", "u"))[3]
                    entry = g.have("E[u,v] = P[v-d,u]", lambda g: g.field((same_entry(g, "E[u,v]", "E[u,d+(v-d)]"), 1), (b, 1)))
                    no_edge(g, entry, "c", "r", "v-d", "u", -1)

                sides(g, "v", both, mixed)

            def row_(g: Goal) -> None:
                g.have("d < u", lambda g: g.pos(["1"], [f"@{last(g)}"]))

                def mixed(g: Goal) -> None:
                    b = g.split(g.apply("block", "u-d", "v"))[2]
                    entry = g.have("E[u,v] = P[u-d,v]", lambda g: g.field((same_entry(g, "E[u,v]", "E[d+(u-d),v]"), 1), (b, 1)))
                    no_edge(g, entry, "r", "c", "u-d", "v", 1)

                def both(g: Goal) -> None:
                    b = g.split(g.apply("block", "u-d", "v-d"))[1]
                    k = same_entry(g, "E[u,v]", "E[d+(u-d),d+(v-d)]")
                    g.field((k, 1), (b, 1))

                sides(g, "v", mixed, both)

            sides(g, "u", column, row_)

        g.conj(values, some, other, apart)

    def labels_of_sets(g: Goal) -> None:
        bits, some, other, apart = g.obtain(g.assume(), "f")
        connected = g.assume()

        def labels(g: Goal) -> None:
            g.fix("i", "j")
            one = g.assume()
            inside(g, "P", "d", "d", "i", "j", one)
            agree(g, "i", "j", one)

        def agree(g: Goal, i: str, j: str, one: str) -> None:
            b = g.split(g.apply("block", i, j))
            for bound in (f"1 <= d+{i}", f"d+{i} <= 2*d", f"{j} <= 2*d"):
                g.have(bound, lambda g: g.nlin(products=1))

            def clash(u: str, v: str, entry: str) -> Script:
                def script(g: Goal) -> None:
                    z = g.apply(apart, u, v)
                    g.contra()
                    g.pos([], eqs=[(one, 1), (entry, 1), (z, -1)])

                return script

            def equal(x: str) -> Script:
                return lambda g: g.field((x, 1), (last(g), -1))

            def zero(g: Goal) -> None:
                h = last(g)
                g.cases(g.apply(bits, j), equal(h), clash(j, f"d+{i}", b[3]))

            def unit(g: Goal) -> None:
                h = last(g)
                g.cases(g.apply(bits, j), clash(f"d+{i}", j, b[2]), equal(h))

            g.cases(g.apply(bits, f"d+{i}"), zero, unit)

        constant = g.apply(connected, "lam i:Z. f(d+i)", "lam j:Z. f(j)", by=[labels], n=1)

        def represent(g: Goal, u: str) -> str:
            """f(u) is the label of an observed row."""

            def script(g: Goal) -> None:
                def column(g: Goal) -> None:
                    (one,) = g.obtain(g.apply("columns", u), "i", split=False)
                    inside(g, "P", "d", "d", "i", u, one)
                    same = g.have(f"f(d+i) = f({u})", lambda g: agree(g, "i", u, one))
                    g.witness("i", u)
                    g.conj(lambda g: g.close_by(one), lambda g: g.field((same, -1)))

                def row(g: Goal) -> None:
                    g.have(f"{u}-d <= d", lambda g: g.nlin(products=1))
                    (one,) = g.obtain(g.apply("rows", f"{u}-d"), "j", split=False)
                    g.witness(f"{u}-d", "j")
                    g.conj(lambda g: g.close_by(one), lambda g: g.ctx(lambda g: g.field()))

                sides(g, u, column, row)

            return g.have(f"ex i j:Z. P[i,j] = 1 and f({u}) = f(d+i)", script)

        a = g.obtain(some, "u")
        b = g.obtain(other, "v")
        x = g.obtain(represent(g, "u"), "i1", "j1")
        y = g.obtain(represent(g, "v"), "i2", "j2")
        same = g.apply(constant, "i1", "j1", "i2", "j2")
        g.pos([], eqs=[(a[2], 1), (b[2], -1), (x[1], -1), (y[1], 1), (same, -1)])

    g.iff(split_vertices, labels_of_sets)


def same_entry(g: Goal, x: str, y: str) -> str:
    """Adds that two entries with equal indices are equal."""
    return g.have(f"{x} = {y}", lambda g: g.ctx(*[lambda g: g.field()] * (1 if x[:4] == y[:4] or x[-3:] == y[-3:] else 2)))
