"""Appendix A.2, the two remarks after Definition A.3: unobserved rows and columns, and reducibility."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import chain
from proofs.bai2024.definitions import sides
from proofs.bai2024.graphs import BLOCK, CONNECTED, PATTERN, inside
from proofs.bai2024.invariant_manifolds import FLOW
from proofs.bai2024.literal_patterns import binary, within
from proofs.bai2024.setting import last
from verify.kernel import Goal, negate
from verify.kernel.tactics import Script
from verify.registry import holds, part

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


def reducible(vertex: str) -> str:
    """The vertices fall into two sets, neither empty, such that E[u,v] = 0 for u in the one and v in the other (E is symmetric)."""
    u, v = vertex.format("u"), vertex.format("v")
    return f"""(ex f:Z->Z. (all u:Z. f(u) = 0 or f(u) = 1) and (ex u:Z. {u} and f(u) = 1) and (ex u:Z. {u} and f(u) = 0) and
  (all u v:Z. {u} and {v} and f(u) = 1 and f(v) = 0 => E[u,v] = 0))"""


KEPT = "(ex w:Z. E[{0},w] = 1)"
"""The row {0} of E is not zero."""
REDUCIBLE = reducible(KEPT)
DISPLAYED = reducible("1 <= {0} and {0} <= 2*d")
GRAPH = f"all d:Z, P:M(d,d), E:M(2*d,2*d). 1 <= d => {PATTERN} => {BLOCK} =>"


@part(
    REDUCIBILITY,
    "zero-rows-kept",
    f"not ({GRAPH} (not {CONNECTED} <=> {DISPLAYED}))",
    says="an unobserved row or column makes the displayed matrix reducible, whether the graph is connected or not: d = 2, only the entry (1,1) observed",
)
def unobserved_row_makes_the_matrix_reducible(g: Goal) -> None:
    """The column 2 has no edge."""
    every = g.assume()
    g.clash(g.have(negate(g.hyp_formula(every)), connected_but_reducible), every)


def connected_but_reducible(g: Goal) -> None:
    """All edges meet at one vertex; the vertex 2 alone is one of the two sets."""
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


@holds(
    REDUCIBILITY,
    f"{GRAPH} (not {CONNECTED} <=> {REDUCIBLE})",
    reading="E is the displayed matrix; reducibility is that of E without its zero rows and columns, which belong to the isolated vertices that"
    " Definition 1 removes and the remark just before disregards (remark-isolated-vertices)",
    readings=[("the displayed matrix with its zero rows and columns", "refuted", "zero-rows-kept")],
)
def disconnected_is_reducible(g: Goal) -> None:
    """The vertices with one label against the others, and the two sets of indices as labels."""
    g.fix()
    for name in ("size", "binary", "block"):
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
            g.clash(g.have(REDUCIBLE, lambda g: by_label(g, labels, p, e, ne, one, two)), irreducible)

        g.clash(g.have(CONNECTED, connected), disconnected)

    def by_label(g: Goal, labels: str, p: str, e: str, ne: str, seen: str, other_seen: str) -> None:
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
                lambda g: has_edge(g, "k", "l", other_seen),
                lambda g: g.close_by(g.apply(h, by=[lambda g: g.close_by(w)])),
            )

        def other(g: Goal) -> None:
            g.witness("d+i")
            v = row(g, "i")
            h = g.split(g.apply(e, "d+i"))[0]
            w = g.have("p(d+i) - r(i) = 0", lambda g: g.field((v, 1)))
            g.conj(
                lambda g: has_edge(g, "i", "j", seen),
                lambda g: g.close_by(g.apply(h, by=[lambda g: g.close_by(w)])),
            )

        def apart(g: Goal) -> None:
            g.fix("u", "v")
            kept_u, kept_v, one, zero = g.split(g.assume())
            neighbour(g, "u", kept_u)
            neighbour(g, "v", kept_v)
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
            row = g.have(KEPT.format(f"d+{i}"), lambda g: has_edge(g, i, j, one))
            column = g.have(KEPT.format(j), lambda g: (g.witness(f"d+{i}"), g.field((b[3], 1), (one, 1)))[-1])

            def clash(u: str, v: str, entry: str) -> Script:
                def script(g: Goal) -> None:
                    both = [lambda g: g.close_by(column), lambda g: g.close_by(row)]
                    z = g.apply(apart, u, v, by=[lambda g: g.conj(*(both if u == j else both[::-1]), None, None)])
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

        def represent(g: Goal, u: str, kept: str) -> str:
            """f(u) is the label of an observed row."""

            def script(g: Goal) -> None:
                edge = neighbour(g, u, kept)
                w = f"{u}_edge"

                def column(g: Goal) -> None:
                    def row(g: Goal) -> None:
                        at = g.rewritten(edge, as_row(g, w))
                        i = f"{w}_row"
                        b = g.split(g.apply("block", i, u))[3]
                        one = g.have(f"P[{i},{u}] = 1", lambda g: g.field((b, -1), (at, 1)))
                        same = g.have(f"f(d+{i}) = f({u})", lambda g: agree(g, i, u, one))
                        g.witness(i, u)
                        g.conj(lambda g: g.close_by(one), lambda g: g.field((same, -1)))

                    sides(g, w, lambda g: no_edge(g, 0, u, w, edge), row)

                def row(g: Goal) -> None:
                    eq = as_row(g, u)
                    i, at = f"{u}_row", g.rewritten(edge, eq)

                    def column(g: Goal) -> None:
                        b = g.split(g.apply("block", i, w))[2]
                        g.witness(i, w)
                        g.conj(lambda g: g.field((b, -1), (at, 1)), lambda g: (g.rewrite(eq), g.refl())[-1])

                    def both(g: Goal) -> None:
                        no_edge(g, 1, i, f"{w}_row", g.rewritten(at, as_row(g, w)))

                    sides(g, w, column, both)

                sides(g, u, column, row)

            return g.have(f"ex i j:Z. P[i,j] = 1 and f({u}) = f(d+i)", script)

        a = g.obtain(some, "u")
        b = g.obtain(other, "v")
        x = g.obtain(represent(g, "u", a[0]), "i1", "j1")
        y = g.obtain(represent(g, "v", b[0]), "i2", "j2")
        same = g.apply(constant, "i1", "j1", "i2", "j2")
        g.pos([], eqs=[(a[1], 1), (b[1], -1), (x[1], -1), (y[1], 1), (same, -1)])

    g.iff(split_vertices, labels_of_sets)


def has_edge(g: Goal, i: str, j: str, seen: str) -> None:
    """The vertex of row i has an edge, since P[i,j] = 1."""
    b = g.split(g.apply("block", i, j))
    g.witness(j)
    g.field((b[2], 1), (seen, 1))


def neighbour(g: Goal, u: str, kept: str) -> str:
    """Adds E[u,u_edge] = 1 and the bounds of both vertices."""
    (edge,) = g.obtain(kept, f"{u}_edge", split=False)
    inside(g, "E", "2*d", "2*d", u, f"{u}_edge", edge)
    return edge


def as_row(g: Goal, u: str) -> str:
    """Adds u = d + u_row, 1 <= u_row <= d, for the vertex u of a row (hypothesis u_right)."""
    row = f"{u}_row"
    (value,) = g.obtain(g.have(f"ex p:Z. p = {u}-d", lambda g: (g.witness(f"{u}-d"), g.refl())[-1]), row, split=False)
    high = g.have(f"{u} <= 2*d")
    g.have(f"1 <= {row}", lambda g: g.pos([f"@{u}_right"], eqs=[(value, 1)]))
    g.have(f"{row} <= d", lambda g: g.pos([f"@{high}"], eqs=[(value, -1)]))
    return g.have(f"{u} = d+{row}", lambda g: g.field((value, -1)))


def no_edge(g: Goal, block: int, x: str, y: str, edge: str) -> None:
    """Two columns (block 0) or two rows (1) have no edge."""
    z = g.split(g.apply("block", x, y))[block]
    g.contra()
    g.pos([], eqs=[(edge, 1), (z, -1)])


def same_entry(g: Goal, x: str, y: str) -> str:
    """Adds that two entries with equal indices are equal."""
    return g.have(f"{x} = {y}", lambda g: g.ctx(*[lambda g: g.field()] * (1 if x[:4] == y[:4] or x[-3:] == y[-3:] else 2)))
