"""Definitions 1 to 3: the observation graph, its connectivity, complete bipartite components."""

from __future__ import annotations

from proofs.bai2024.graphs import (
    BLOCK,
    ENTRIES_CONNECTED,
    GRAPH,
    PATTERN,
)
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds


def sides(g: Goal, u: str, columns: Script, rows: Script) -> None:
    """Split a vertex of E into the case of a column (hypothesis u_left) and of a row (u_right, 1 <= u - d)."""
    h = g.fact("int_lt", "d", u)

    def right(g: Goal) -> None:
        g.apply(h, name=f"{u}_right")
        rows(g)

    g.em(f"{u} <= d", columns, right, name=f"{u}_left")


def one_of(*places: int) -> Script:
    """The alternatives of the hypothesis `apart` stand at these places of the disjunction to be proved."""

    def closing(k: int) -> Script:
        def script(g: Goal) -> None:
            last = list(g.seq.hyps)[-1]
            g.left_or_right(k)
            g.close_by(last)

        return script

    return lambda g: g.cases("apart", *map(closing, places))


def contradiction(g: Goal) -> None:
    """The hypotheses are linearly contradictory."""
    g.assume()
    g.contra()
    g.nlin(products=1)


@holds(
    "bai2024.def-1",
    f"""all d:Z, P:M(d,d), E:M(2*d,2*d). 1 <= d => {PATTERN} => {BLOCK} =>
        {GRAPH} and
        (all u v:Z. E[u,v] = 1 => (u <= d <=> d < v)) and
        (all i:Z. 1 <= i and i <= d => ((all v:Z. E[d+i,v] = 0) <=> (all j:Z. P[i,j] = 0))) and
        (all j:Z. 1 <= j and j <= d => ((all v:Z. E[j,v] = 0) <=> (all i:Z. P[i,j] = 0)))""",
    argument="sound",
    reading="the displayed matrix is the adjacency matrix of a simple graph whose edges join a column and a row, and the"
    " vertices that are"
    " removed are the rows and columns without observed entries",
)
def displayed_matrix_is_a_bipartite_graph(g: Goal) -> None:
    """Entry by entry over the four blocks; entries outside are 0."""
    g.intro("size", "binary", "block")
    outside = g.fact("entry_outside", "2*d", "2*d", "E")
    beyond = g.fact("entry_outside", "d", "d", "P")

    def entries(g: Goal, u: str, v: str, done: Script, zero: Script) -> None:
        """The five cases of an entry: outside (zero), or in a block, where `done` gets the names of the facts on E."""

        def within(g: Goal) -> None:
            def column(g: Goal) -> None:
                sides(g, v, lambda g: block(g, u, v, 0), lambda g: block(g, u, f"{v} - d", 3))

            def row(g: Goal) -> None:
                sides(g, v, lambda g: block(g, f"{u} - d", v, 2), lambda g: block(g, f"{u} - d", f"{v} - d", 1))

            sides(g, u, column, row)

        def block(g: Goal, i: str, j: str, which: int) -> None:
            h = g.apply("block", j if which == 3 else i, i if which == 3 else j, name="inblock")
            mirror = g.apply("block", i if which == 3 else j, j if which == 3 else i, name="mirrored") if which < 2 else h
            g.split(h)
            if mirror != h:
                g.split(mirror)
            done(g, which, i, j)

        def apart(g: Goal) -> None:
            g.apply(outside, u, v, name="out_uv")
            g.apply(outside, v, u, name="out_vu", by=[one_of(2, 3, 0, 1)])
            zero(g)

        g.em(f"{u} < 1 or 2*d < {u} or {v} < 1 or 2*d < {v}", apart, lambda g: (g.split("apart"), within(g)), name="apart")

    def binary_entry(g: Goal) -> None:
        g.fix("u", "v")

        def done(g: Goal, which: int, i: str, j: str) -> None:
            if which < 2:
                g.left_or_right(0)
                g.exact(f"inblock_{which + 1}")
                return
            place = (j, i) if which == 3 else (i, j)
            two = g.apply("binary", *place)
            name = "inblock_4" if which == 3 else "inblock_3"

            def case(k: int) -> Script:
                def script(g: Goal) -> None:
                    last = list(g.seq.hyps)[-1]
                    g.left_or_right(k)
                    g.field((name, 1), (last, 1))

                return script

            g.cases(two, case(0), case(1))

        entries(g, "u", "v", done, lambda g: (g.left_or_right(0), g.close_by("out_uv")))

    def symmetric_entry(g: Goal) -> None:
        g.fix("u", "v")

        def done(g: Goal, which: int, i: str, j: str) -> None:
            if which < 2:
                g.field((f"inblock_{which + 1}", 1), (f"mirrored_{which + 1}", -1))
            else:
                g.field(("inblock_3", 1 if which == 2 else -1), ("inblock_4", -1 if which == 2 else 1))

        entries(g, "u", "v", done, lambda g: g.field(("out_uv", 1), ("out_vu", -1)))

    def no_loop(g: Goal) -> None:
        g.fix("u")

        def same_side(k: int, i: str) -> Script:
            def script(g: Goal) -> None:
                h = g.apply("block", i, i)
                g.split(h)
                g.exact(f"{h}_{k}")

            return script

        def within(g: Goal) -> None:
            g.split("apart")
            sides(g, "u", same_side(1, "u"), same_side(2, "u - d"))

        def apart(g: Goal) -> None:
            g.close_by(g.apply(outside, "u", "u", by=[one_of(0, 1)]))

        g.em("u < 1 or 2*d < u", apart, within, name="apart")

    def bipartite(g: Goal) -> None:
        g.fix("u", "v")
        g.assume("edge")

        def done(g: Goal, which: int, i: str, j: str) -> None:
            if which < 2:
                g.contra()
                g.pos([], eqs=[("edge", "1"), (f"inblock_{which + 1}", "-1")])
            elif which == 2:
                g.iff(contradiction, contradiction)
            else:
                g.iff()

        def zero(g: Goal) -> None:
            g.contra()
            g.pos([], eqs=[("edge", "1"), ("out_uv", "-1")])

        entries(g, "u", "v", done, zero)

    def isolated(vertex: str, opposite: str, k: int) -> Script:
        """A row (column) vertex has no edge exactly if the row (column) of P is zero."""
        i, j = ("i", "j") if k == 3 else ("j", "i")

        def script(g: Goal) -> None:
            g.fix(i)
            g.assume("range")
            g.split("range")

            def forward(g: Goal) -> None:
                g.assume("none")
                g.fix(j)

                def within(g: Goal) -> None:
                    g.split("apart")
                    h = g.apply("block", "i", "j")
                    g.split(h)
                    no = g.apply("none", opposite)
                    g.field((f"{h}_{k}", -1), (no, 1))

                def apart(g: Goal) -> None:
                    g.close_by(g.apply(beyond, "i", "j", by=[one_of(2, 3) if k == 3 else one_of(0, 1)]))

                g.em(f"{j} < 1 or d < {j}", apart, within, name="apart")

            def backward(g: Goal) -> None:
                g.assume("none")
                g.fix("v")

                def within(g: Goal) -> None:
                    g.split("apart")

                    def column(g: Goal) -> None:
                        if k == 3:
                            h = g.apply("block", "i", "v")
                            g.split(h)
                            no = g.apply("none", "v")
                            g.field((f"{h}_3", 1), (no, 1))
                        else:
                            h = g.apply("block", "j", "v")
                            g.split(h)
                            g.exact(f"{h}_1")

                    def row(g: Goal) -> None:
                        if k == 3:
                            h = g.apply("block", "i", "v - d")
                            g.split(h)
                            g.exact(f"{h}_2")
                        else:
                            h = g.apply("block", "v - d", "j")
                            g.split(h)
                            no = g.apply("none", "v - d")
                            g.field((f"{h}_4", 1), (no, 1))

                    sides(g, "v", column, row)

                def apart(g: Goal) -> None:
                    g.close_by(g.apply(outside, vertex, "v", by=[one_of(2, 3)]))

                g.em("v < 1 or 2*d < v", apart, within, name="apart")

            g.iff(forward, backward)

        return script

    g.conj(
        binary_entry,
        symmetric_entry,
        no_loop,
        bipartite,
        isolated("d+i", "j", 3),
        isolated("j", "d+i", 4),
    )


@holds(
    "bai2024.def-a4",
    f"""all d:Z, P:M(d,d). ((all i j k l:Z. P[i,j] = 1 and P[k,l] = 1 => i = k) => {ENTRIES_CONNECTED}) and
        (2 <= d and P = I(d) => not {ENTRIES_CONNECTED})""",
    argument="sound",
    reading="the definition is usable and decides both ways: observations in one row are connected, a diagonal is not;"
    " connected is said by labels"
    " of the observed entries that agree on adjacent entries",
)
def entry_graph_of_a_row_and_of_a_diagonal(g: Goal) -> None:
    """Entries of one row are adjacent; on the diagonal the row number is a label that is not constant."""
    g.fix()

    def row(g: Goal) -> None:
        same = g.assume()
        g.intro("labels", "entries")
        eq = g.apply(same, "i", "j", "k", "l")
        g.have("P[i,l] = 1", lambda g: (g.rewrite(eq), g.close_by("entries_2")))
        one = g.apply("labels_1", "i", "j", "l")
        g.rewrite(one)
        g.rewrite(eq)
        g.refl()

    def diagonal(g: Goal) -> None:
        g.split(g.assume("case"))
        g.assume("connected")

        def labels(g: Goal) -> None:
            def rows(g: Goal) -> None:
                g.intro()
                g.refl()

            def columns(g: Goal) -> None:
                g.fix("i", "k", "j")
                g.split(g.assume("pair"))

                def on_diagonal(u: str, edge: str) -> str:
                    def script(g: Goal) -> None:
                        g.contra("off")
                        zero = g.have(f"P[{u},j] = 0", lambda g: (g.rewrite("case_2"), g.field()))
                        g.pos([], eqs=[(edge, "1"), (zero, "-1")])

                    return g.have(f"{u} = j", script)

                a = on_diagonal("i", "pair_1")
                b = on_diagonal("k", "pair_2")
                g.field((a, 1), (b, -1))

            g.conj(rows, columns)

        constant = g.apply("connected", "lam i:Z, j:Z. i", by=[labels], n=1)

        for bound in ("1 <= d", "1 <= 1", "1 <= 2"):
            g.have(bound)

        def corner(u: int) -> str:
            return g.have(f"P[{u},{u}] = 1", lambda g: (g.rewrite("case_2"), g.field()))

        corner(1)
        corner(2)
        k = g.apply(constant, 1, 1, 2, 2)
        g.pos([], eqs=[(k, "1")])

    g.conj(row, diagonal)
