"""Proposition A.3, the step on the line graph: observed entries are the edges of the observation graph."""

from __future__ import annotations

from proofs.bai2024.definitions import sides
from proofs.bai2024.graphs import BLOCK, ENTRIES_CONNECTED, GRAPH, LINE_CONNECTED, PATTERN, inside
from proofs.bai2024.walks import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds


@holds(
    "bai2024.prop-a3-step-line-graph",
    f"""all d:Z, P:M(d,d), E:M(2*d,2*d). 1 <= d => {PATTERN} => {BLOCK} =>
        (all i j k l:Z. P[i,j] = 1 and P[k,l] = 1 =>
           E[d+i,j] = 1 and E[d+k,l] = 1 and
           ((ex v:Z. (v = d+i or v = j) and (v = d+k or v = l)) <=> i = k or j = l)) and
        (all u v:Z. E[u,v] = 1 => (ex i j:Z. P[i,j] = 1 and (u = d+i and v = j or u = j and v = d+i))) and
        ({ENTRIES_CONNECTED} <=> {LINE_CONNECTED})""",
    uses=["bai2024.def-1", "bai2024.def-2", "bai2024.lemma-a1", "bai2024.prop-a3"],
    argument="sound",
    reading="edge (d+i, j) of the bipartite graph stands for the observed entry (i, j); the graph of the "
    "observed data (Definition "
    "A.4) and the line graph are connected if every labelling of the entries, or of the edges, that agrees on neighbours is "
    "constant. Connectivity of the bipartite graph itself is Proposition A.3",
)
def entries_are_edges_and_neighbours_share_a_vertex(g: Goal) -> None:
    """Rows and columns are different vertices, so two edges share a vertex only by a common row or column; the rest is Lemma
    A.1 and Definition 2."""
    g.fix()
    g.assume("size")
    g.assume("binary")
    g.assume("block")

    def edges(g: Goal) -> None:
        g.fix("i", "j", "k", "l")
        g.split(g.assume("entries"))
        inside(g, "P", "d", "d", "i", "j", "entries_1")
        inside(g, "P", "d", "d", "k", "l", "entries_2")
        g.split(g.apply("block", "i", "j", name="one"))
        g.split(g.apply("block", "k", "l", name="two"))

        def share(g: Goal) -> None:
            g.split(*[g.obtain(g.assume(), "v", name="both", split=False)[0]])

            def row_then(g: Goal) -> None:
                a = last(g)

                def row(g: Goal) -> None:
                    b = last(g)
                    g.left_or_right(0)
                    g.field((a, -1), (b, 1))

                def column(g: Goal) -> None:
                    b = last(g)
                    g.contra()
                    g.have("d + i = l", lambda g: g.field((a, -1), (b, 1)))
                    g.nlin(products=1)

                g.cases("both_2", row, column)

            def column_then(g: Goal) -> None:
                a = last(g)

                def row(g: Goal) -> None:
                    b = last(g)
                    g.contra()
                    g.have("j = d + k", lambda g: g.field((a, -1), (b, 1)))
                    g.nlin(products=1)

                def column(g: Goal) -> None:
                    b = last(g)
                    g.left_or_right(1)
                    g.field((a, -1), (b, 1))

                g.cases("both_2", row, column)

            g.cases("both_1", row_then, column_then)

        def common(g: Goal) -> None:
            h = g.assume()

            def row(g: Goal) -> None:
                a = last(g)
                g.witness("d + i")
                g.conj(None, lambda g: (g.left_or_right(0), g.field((a, 1))))

            def column(g: Goal) -> None:
                a = last(g)
                g.witness("j")
                g.conj(None, lambda g: (g.left_or_right(1), g.field((a, 1))))

            g.cases(h, row, column)

        g.conj(
            lambda g: g.field(("one_3", 1), ("entries_1", 1)),
            lambda g: g.field(("two_3", 1), ("entries_2", 1)),
            lambda g: g.iff(share, common),
        )

    def entries(g: Goal) -> None:
        g.fix("u", "v")
        g.assume("edge")
        inside(g, "E", "2*d", "2*d", "u", "v", "edge")

        def impossible(k: int, i: str, j: str) -> Script:
            def script(g: Goal) -> None:
                h = g.apply("block", i, j)
                g.split(h)
                g.contra()
                g.pos([], eqs=[("edge", "1"), (f"{h}_{k}", "-1")])

            return script

        def entry(k: int, i: str, j: str) -> Script:
            def script(g: Goal) -> None:
                h = g.apply("block", i, j)
                g.split(h)
                g.witness(i, j)

                def place(g: Goal) -> None:
                    g.left_or_right(0 if k == 3 else 1)
                    g.conj(lambda g: g.field(), lambda g: g.field())

                g.conj(lambda g: g.field((f"{h}_{k}", -1), ("edge", 1)), place)

            return script

        sides(
            g,
            "u",
            lambda g: sides(g, "v", impossible(1, "u", "v"), entry(4, "v - d", "u")),
            lambda g: sides(g, "v", entry(3, "u - d", "v"), impossible(2, "u - d", "v - d")),
        )

    def connectivity(g: Goal) -> None:
        simple = g.lemma("bai2024.def-1", "statement", "d", "P", "E", by=[None] * 3)
        g.split_all(simple)
        both = g.have(GRAPH)
        line = g.lemma("bai2024.lemma-a1", "statement", "2*d", "E", by=[lambda g: g.close_by(both)])
        labels = g.lemma("bai2024.def-2", "part:labels", "d", "P", "E", by=[None, None])
        same = g.lemma("bai2024.prop-a3", "statement", "d", "P", by=[None])
        g.split(line, "g1", "g2")
        g.split(labels, "l1", "l2")
        g.split(same, "p1", "p2")

        def forward(g: Goal) -> None:
            g.assume("entries")
            g.apply("p2", n=1)
            g.apply("l2", n=1)
            g.close_by(g.apply("g1", n=1))

        def backward(g: Goal) -> None:
            g.assume("line")
            g.apply("g2", n=1)
            g.apply("l1", n=1)
            g.close_by(g.apply("p1", n=1))

        g.iff(forward, backward)

    g.conj(edges, entries, connectivity)
