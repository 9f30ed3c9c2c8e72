"""Definition 2 (connectivity by walks and by labels) and the line graph of the observation graph."""

from __future__ import annotations

from proofs.bai2024.definitions import sides
from proofs.bai2024.graphs import (
    BLOCK,
    CONNECTED,
    GRAPH,
    GRAPH_CONNECTED,
    PATTERN,
    WALKS,
    inside,
)
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


def last(g: Goal) -> str:
    """The name of the newest hypothesis."""
    return list(g.seq.hyps)[-1]


@part(
    "bai2024.def-2",
    "walks",
    f"all n:Z, E:M(n,n). {GRAPH} => ({GRAPH_CONNECTED} <=> {WALKS})",
    says="A simple graph without its isolated vertices is connected by walks exactly if labels that agree along edges are"
    " constant.",
)
def labels_and_walks_say_the_same(g: Goal) -> None:
    """Reachability from a vertex is a labelling that agrees along edges; along a walk a labelling does not change (induction)."""
    g.fix()
    g.intro("simple")
    reach = ""

    def closure(g: Goal) -> None:
        g.fix("p", "q")
        g.split(g.assume("pair"))
        g.apply(reach, "p", name="at_p")
        g.split("at_p")
        g.split("at_p_2")
        walk = g.apply("at_p_2_1")
        g.obtain(walk, "m", "w", name="walk")
        longer = g.obtain(g.fact("piecewise", "m", "lam k:Z. w(k)", "lam k:Z. q"), "w2")[0]
        g.apply(reach, "q", name="at_q")
        g.split("at_q")
        g.split("at_q_2")

        def new_walk(g: Goal) -> None:
            g.witness("m + 1", "lam k:Z. w2(k)")

            def start(g: Goal) -> None:
                h = g.apply(longer, "0")
                g.split(h)
                g.field((g.apply(f"{h}_1"), 1), ("walk_2", 1))

            def end(g: Goal) -> None:
                h = g.apply(longer, "m + 1")
                g.split(h)
                g.field((g.apply(f"{h}_2"), 1))

            def steps(g: Goal) -> None:
                g.fix("k")
                g.split(g.assume("range"))
                here = g.apply(longer, "k")
                there = g.apply(longer, "k + 1")
                g.split(here)
                g.split(there)
                bound = g.fact("int_lt", "k", "m + 1")
                g.apply(bound, name="bound")
                g.rewrite(g.apply(f"{here}_1"))

                def inner(g: Goal) -> None:
                    integer = g.fact("int_lt", "k", "m")
                    g.apply(integer)
                    g.rewrite(g.apply(f"{there}_1"))
                    g.close_by(g.apply("walk_4", "k"))

                def outer(g: Goal) -> None:
                    g.rewrite(g.apply(f"{there}_2"))
                    same = g.have("k = m", lambda g: g.antisym())
                    g.rewrite(same)
                    g.rewrite("walk_3")
                    g.close_by("pair_1")

                g.em("k < m", inner, outer)

            g.conj(None, start, end, steps)

        done = g.apply("at_q_2_2", by=[new_walk])
        g.close_by(done)

    def forward(g: Goal) -> None:
        nonlocal reach
        g.assume("graph")
        g.fix("u", "v", "x", "y")
        g.split(g.assume("edges"))
        reach = g.obtain(g.fact("reachable", "u", "lam a:Z, b:Z. E[a,b]"), "f")[0]
        closed = g.have("all p q:Z. E[p,q] = 1 and f(p) = 1 => f(q) = 1", closure)

        def along_edges(g: Goal) -> None:
            g.fix("p", "q")
            edge = g.assume()
            mirror = g.apply("simple_2", "p", "q")
            g.have("E[q,p] = 1", lambda g: g.field((mirror, -1), (edge, 1)))
            a = g.apply(reach, "p")
            b = g.apply(reach, "q")
            a1, _ = g.split(a)
            b1, _ = g.split(b)

            def zero(g: Goal) -> None:
                z = last(g)

                def both(g: Goal) -> None:
                    g.field((z, 1), (last(g), -1))

                def one(g: Goal) -> None:
                    k = g.apply(closed, "q", "p")
                    g.contra()
                    g.pos([], eqs=[(z, "-1"), (k, "1")])

                g.cases(b1, both, one)

            def one(g: Goal) -> None:
                z = last(g)
                k = g.apply(closed, "p", "q")
                g.field((z, 1), (k, -1))

            g.cases(a1, zero, one)

        constant = g.apply("graph", "f", by=[along_edges], n=1)
        same = g.apply(constant, "u", "v", "x", "y")
        at_u = g.apply(reach, "u")
        g.split(at_u, "u_two", "u_iff")
        g.split("u_iff", "u_walk", "u_from")

        def stay(g: Goal) -> None:
            g.witness("0", "lam k:Z. u")
            g.conj(None, lambda g: g.refl(), lambda g: g.refl(), lambda g: nothing(g))

        def nothing(g: Goal) -> None:
            g.fix("k")
            g.split(g.assume("range"))
            g.contra()
            g.nlin(products=1)

        start = g.apply("u_from", by=[stay])
        at_x = g.apply(reach, "x")
        g.split(at_x, "x_two", "x_iff")
        g.split("x_iff", "x_walk", "x_from")
        g.close_by(g.apply("x_walk", by=[lambda g: g.field((same, -1), (start, 1))]))

    def backward(g: Goal) -> None:
        g.assume("walks")
        g.intro("labels", "edges")
        g.obtain(g.apply("walks", "u", "v", "x", "y"), "m", "w", name="walk")

        def along(g: Goal) -> None:
            g.induct("k", "ih")
            g.assume("below")

            def first(g: Goal) -> None:
                zero = g.have("k = 0", lambda g: g.antisym())
                g.rewrite(zero)
                g.rewrite("walk_2")
                g.refl()

            def later(g: Goal) -> None:
                one = g.fact("int_lt", "0", "k")
                g.apply(one)
                before = g.apply("ih", "k - 1")
                g.apply("walk_4", "k - 1")
                same = g.apply("labels", "w(k-1)", "w(k-1+1)")
                g.field((before, 1), (same, -1))

            g.em("k <= 0", first, later)

        h = g.have("all k:Z. 0 <= k => k <= m => f(w(k)) = f(u)", along)
        end = g.apply(h, "m")
        g.rewrite("walk_3", back=True)
        g.field((end, -1))

    g.iff(forward, backward)


@part(
    "bai2024.def-2",
    "labels",
    f"all d:Z, P:M(d,d), E:M(2*d,2*d). 1 <= d => {BLOCK} => ({GRAPH_CONNECTED} <=> {CONNECTED})",
    says="Labels of the vertices of the observation graph are labels of the rows and columns of P.",
)
def labels_of_vertices_are_labels_of_rows_and_columns(g: Goal) -> None:
    """f(j) = c(j) and f(d + i) = r(i); every edge joins a column and a row."""
    g.intro("size", "block")

    def forward(g: Goal) -> None:
        g.assume("graph")
        g.intro("labels", "entries")
        f = g.obtain(g.fact("piecewise", "d", "lam x:Z. c(x)", "lam x:Z. r(x-d)"), "f")[0]

        def along_edges(g: Goal) -> None:
            g.fix("p", "q")
            g.assume("edge")
            inside(g, "E", "2*d", "2*d", "p", "q", "edge")
            g.split(g.apply(f, "p", name="fp"))
            g.split(g.apply(f, "q", name="fq"))

            def impossible(k: int, i: str, j: str) -> Script:
                def script(g: Goal) -> None:
                    h = g.apply("block", i, j)
                    g.split(h)
                    g.contra()
                    g.pos([], eqs=[("edge", "1"), (f"{h}_{k}", "-1")])

                return script

            def mixed(k: int, i: str, j: str) -> Script:
                def script(g: Goal) -> None:
                    h = g.apply("block", i, j)
                    g.split(h)
                    g.have(f"P[{i},{j}] = 1", lambda g: g.field((f"{h}_{k}", -1), ("edge", 1)))
                    same = g.apply("labels", i, j)
                    a = g.apply("fp_2" if k == 3 else "fp_1")
                    b = g.apply("fq_1" if k == 3 else "fq_2")
                    g.field((a, 1), (b, -1), (same, 1 if k == 3 else -1))

                return script

            sides(
                g,
                "p",
                lambda g: sides(g, "q", impossible(1, "p", "q"), mixed(4, "q - d", "p")),
                lambda g: sides(g, "q", mixed(3, "p - d", "q"), impossible(2, "p - d", "q - d")),
            )

        constant = g.apply("graph", "f", by=[along_edges], n=1)
        inside(g, "P", "d", "d", "i", "j", "entries_1")
        inside(g, "P", "d", "d", "k", "l", "entries_2")
        g.split(g.apply("block", "i", "j", name="one"))
        g.split(g.apply("block", "k", "l", name="two"))
        g.have("E[d+i,j] = 1", lambda g: g.field(("one_3", 1), ("entries_1", 1)))
        g.have("E[d+k,l] = 1", lambda g: g.field(("two_3", 1), ("entries_2", 1)))
        same = g.apply(constant, "d+i", "j", "d+k", "l")
        g.split(g.apply(f, "d+i", name="fi"))
        g.split(g.apply(f, "d+k", name="fk"))
        a = g.apply("fi_2")
        b = g.apply("fk_2")
        g.field((same, 1), (a, -1), (b, 1))

    def backward(g: Goal) -> None:
        g.assume("connected")
        g.intro("labels", "edges")

        def along(g: Goal) -> None:
            g.fix("p", "q")
            g.assume("entry")
            inside(g, "P", "d", "d", "p", "q", "entry")
            h = g.apply("block", "p", "q")
            g.split(h)
            g.have("E[d+p,q] = 1", lambda g: g.field((f"{h}_3", 1), ("entry", 1)))
            g.close_by(g.apply("labels", "d+p", "q"))

        constant = g.apply("connected", "lam i:Z. f(d+i)", "lam j:Z. f(j)", by=[along], n=1)

        def vertex(u: str, v: str, edge: str, name: str) -> None:
            """An edge at u gives an observed entry in row p with f(d + p) = f(u)."""

            def found(g: Goal) -> None:
                inside(g, "E", "2*d", "2*d", u, v, edge)

                def impossible(k: int, i: str, j: str) -> Script:
                    def script(g: Goal) -> None:
                        h = g.apply("block", i, j)
                        g.split(h)
                        g.contra()
                        g.pos([], eqs=[(edge, "1"), (f"{h}_{k}", "-1")])

                    return script

                def row(g: Goal) -> None:
                    h = g.apply("block", f"{u} - d", v)
                    g.split(h)
                    g.witness(f"{u} - d", v)
                    g.conj(lambda g: g.field((f"{h}_3", -1), (edge, 1)), lambda g: g.field())

                def column(g: Goal) -> None:
                    h = g.apply("block", f"{v} - d", u)
                    g.split(h)
                    g.witness(f"{v} - d", u)
                    same = g.apply("labels", u, v)
                    g.conj(lambda g: g.field((f"{h}_4", -1), (edge, 1)), lambda g: g.field((same, -1)))

                sides(
                    g,
                    u,
                    lambda g: sides(g, v, impossible(1, u, v), column),
                    lambda g: sides(g, v, row, impossible(2, f"{u} - d", f"{v} - d")),
                )

            h = g.have(f"ex p q:Z. P[p,q] = 1 and f(d+p) = f({u})", found)
            g.obtain(h, f"{name}1", f"{name}2", name=name)

        vertex("u", "v", "edges_1", "s")
        vertex("x", "y", "edges_2", "z")
        same = g.apply(constant, "s1", "s2", "z1", "z2")
        g.field((same, 1), ("s_2", -1), ("z_2", 1))

    g.iff(forward, backward)


@holds(
    "bai2024.def-2",
    f"all d:Z, P:M(d,d), E:M(2*d,2*d). 1 <= d => {PATTERN} => {BLOCK} => ({CONNECTED} <=> {WALKS})",
    uses=["bai2024.def-1"],
    argument="sound",
    reading="the definition is usable: that any two vertices of the observation graph without isolated vertices are joined"
    " by a walk is"
    " the same as that every labelling of rows and columns that agrees along observed entries is constant",
)
def observation_graph_is_connected_by_walks_or_by_labels(g: Goal) -> None:
    """The observation graph is a simple graph (Definition 1); walks and labels agree there, and labels of vertices are row
    and column labels."""
    g.fix()
    g.assume("size")
    g.assume("binary")
    g.assume("block")
    simple = g.lemma("bai2024.def-1", "statement", "d", "P", "E", by=[None] * 3)
    _a, _b, *_ = g.split_all(simple)
    both = g.have(GRAPH)
    walks = g.lemma("bai2024.def-2", "part:walks", "2*d", "E", by=[lambda g: g.close_by(both)])
    labels = g.lemma("bai2024.def-2", "part:labels", "d", "P", "E", by=[None, None])
    g.split(walks, "w1", "w2")
    g.split(labels, "l1", "l2")

    def forward(g: Goal) -> None:
        g.assume("connected")
        g.apply("l2")
        g.close_by(g.apply("w1", n=1))

    def backward(g: Goal) -> None:
        g.assume("walks")
        g.apply("w2")
        g.close_by(g.apply("l1", n=1))

    g.iff(forward, backward)
