"""Lemma A.1 and Proposition A.3: the observation graph, its line graph, and the graph on the observed entries."""

from __future__ import annotations

from proofs.bai2024.graphs import (
    CONNECTED,
    ENTRIES_CONNECTED,
    GRAPH,
    GRAPH_CONNECTED,
    LINE_CONNECTED,
    PATTERN,
    READING,
)
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

LINE_READING = "connected: labels of edges that agree on edges with a common vertex are constant"


def line_graph_is_connected(g: Goal) -> None:
    """From GRAPH and GRAPH_CONNECTED among the hypotheses: the line graph is connected."""
    g.intro("simple", "graph", "labels", "edges")
    k = g.fact("common_value", "lam u:Z, v:Z. E[u,v]", "lam u:Z, v:Z. g(u,v)")
    f = g.obtain(g.apply(k, by=[lambda g: g.close_by("labels_2")]), "f")[0]

    def along_edges(g: Goal) -> None:
        g.fix("p", "q")
        e = g.assume()
        mirror = g.apply("simple_2", "p", "q")
        g.have("E[q,p] = 1", lambda g: g.field((mirror, -1), (e, 1)))
        one = g.apply(f, "p", "q")
        two = g.apply(f, "q", "p")
        same = g.apply("labels_1", "p", "q")
        g.field((one, 1), (two, -1), (same, 1))

    constant = g.apply("graph", "f", by=[along_edges], n=1)
    same = g.apply(constant, "u", "v", "x", "y")
    one = g.apply(f, "u", "v")
    two = g.apply(f, "x", "y")
    g.field((one, -1), (two, 1), (same, 1))


def graph_is_connected(g: Goal) -> None:
    """From GRAPH and LINE_CONNECTED among the hypotheses: the graph is connected."""
    g.intro("simple", "line", "labels", "edges")

    def agree(g: Goal) -> None:
        g.fix("p", "q")
        g.assume()
        g.exact(g.apply("labels", "p", "q"))

    def shared(g: Goal) -> None:
        g.intro()
        g.refl()

    constant = g.apply("line", "lam u:Z, v:Z. f(u)", by=[lambda g: g.conj(agree, shared)], n=1)
    g.exact(g.apply(constant, "u", "v", "x", "y"))


@holds(
    "bai2024.lemma-a1-forward",
    f"all n:Z, E:M(n,n). {GRAPH} => {GRAPH_CONNECTED} => {LINE_CONNECTED}",
    argument="sound",
    reading=READING + "; " + LINE_READING,
)
def connected_graph_has_connected_line_graph(g: Goal) -> None:
    """The common label of the edges at a vertex is a label of the vertex; both ends of an edge carry the label of the edge."""
    line_graph_is_connected(g)


@holds(
    "bai2024.lemma-a1-backward",
    f"all n:Z, E:M(n,n). {GRAPH} => {LINE_CONNECTED} => {GRAPH_CONNECTED}",
    argument="sound",
    reading=READING + "; " + LINE_READING,
)
def connected_line_graph_comes_from_connected_graph(g: Goal) -> None:
    """Label an edge by its first vertex: edges at a common vertex agree because both ends of an edge have the same label."""
    graph_is_connected(g)


@holds(
    "bai2024.lemma-a1",
    f"all n:Z, E:M(n,n). {GRAPH} => ({GRAPH_CONNECTED} <=> {LINE_CONNECTED})",
    uses=["bai2024.lemma-a1-forward", "bai2024.lemma-a1-backward"],
    argument="sound",
    reading=READING + "; " + LINE_READING + " (a graph without edges counts as connected on both sides)",
)
def graph_and_line_graph_are_connected_together(g: Goal) -> None:
    """Labels of edges that agree at common vertices give labels of vertices and the other way round."""
    g.fix()
    g.assume("simple")

    def direction(claim: str) -> Script:
        def script(g: Goal) -> None:
            g.assume("graph")
            g.close_by(g.lemma(claim, "statement", "n", "E", by=[None, None]))

        return script

    g.iff(direction("bai2024.lemma-a1-forward"), direction("bai2024.lemma-a1-backward"))


@holds(
    "bai2024.prop-a3",
    f"all d:Z, P:M(d,d). {PATTERN} => ({CONNECTED} <=> {ENTRIES_CONNECTED})",
    argument="sound",
    reading=READING + "; the graph on the observed entries likewise, with labels of entries",
)
def two_notions_of_connectivity_agree(g: Goal) -> None:
    """The common label of the entries of a row or column labels it; labels of rows label the entries in them."""
    g.fix()
    g.assume("binary")

    def forward(g: Goal) -> None:
        g.assume("connected")
        g.intro("labels", "entries")
        k = g.fact("common_value", "lam i:Z, j:Z. P[i,j]", "lam i:Z, j:Z. g(i,j)")
        r = g.obtain(g.apply(k, by=[lambda g: g.close_by("labels_1")]), "r")[0]
        k = g.fact("common_value", "lam j:Z, i:Z. P[i,j]", "lam j:Z, i:Z. g(i,j)")

        def same_column(g: Goal) -> None:
            g.fix("p", "q", "s")
            g.split_all(g.assume())
            g.exact(g.apply("labels_2", "q", "s", "p"))

        c = g.obtain(g.apply(k, by=[same_column]), "c")[0]

        def along_edges(g: Goal) -> None:
            g.fix("p", "q")
            g.assume()
            one = g.apply(r, "p", "q")
            two = g.apply(c, "q", "p")
            g.field((one, 1), (two, -1))

        constant = g.apply("connected", "r", "c", by=[along_edges], n=1)
        same = g.apply(constant, "i", "j", "k", "l")
        one = g.apply(r, "i", "j")
        two = g.apply(r, "k", "l")
        g.field((same, 1), (one, -1), (two, 1))

    def backward(g: Goal) -> None:
        g.assume("connected")
        g.intro("labels", "entries")

        def same_row(g: Goal) -> None:
            g.intro()
            g.refl()

        def same_column(g: Goal) -> None:
            g.fix("p", "q", "s")
            g.split_all(g.assume())
            one = g.apply("labels", "p", "s")
            two = g.apply("labels", "q", "s")
            g.field((one, 1), (two, -1))

        constant = g.apply("connected", "lam i:Z, j:Z. r(i)", by=[lambda g: g.conj(same_row, same_column)], n=1)
        g.exact(g.apply(constant, "i", "j", "k", "l"))

    g.iff(forward, backward)
