"""Equation (4), Figure A1 and the statements about completions of the three example matrices."""

from __future__ import annotations

from proofs.bai2024.graphs import COMPLETE, PATTERN, RECTANGLES
from verify.kernel import Goal
from verify.registry import holds

P1, P2, P3 = "[[1,1,0],[1,0,0],[0,0,1]]", "[[1,1,0],[1,1,0],[0,0,1]]", "[[1,1,0],[1,1,0],[1,0,1]]"
V1, V2, V3 = "[[1,2,0],[3,0,0],[0,0,5]]", "[[1,2,0],[3,4,0],[0,0,5]]", "[[1,2,0],[3,4,0],[6,0,5]]"


def inside(variables: str) -> str:
    """Bounds for indices of a 3 x 3 matrix."""
    return " and ".join(f"1 <= {v} and {v} <= 3" for v in variables.split())


def more(small: str, large: str, entry: tuple[int, int]) -> str:
    """The large matrix has one more entry, at this place, and otherwise those of the small one."""
    i, j = entry
    return (
        f"{small}[{i},{j}] = 0 and {large}[{i},{j}] != 0 and"
        f" (all i j:Z. {inside('i j')} => i != {i} or j != {j} => {large}[i,j] = {small}[i,j])"
    )


def complete(p: str) -> str:
    """Each component is complete bipartite: three corners of a rectangle bring the fourth (Definition 3)."""
    return f"(all i j k l:Z. {inside('i j k l')} => {p}[i,j] = 1 and {p}[i,l] = 1 and {p}[k,j] = 1 => {p}[k,l] = 1)"


def observes(p: str, v: str) -> str:
    """P marks the entries of the matrix that are given, which are not zero."""
    return f"(all i j:Z. {inside('i j')} => ({p}[i,j] = 1 and {v}[i,j] != 0) or ({p}[i,j] = 0 and {v}[i,j] = 0))"


def by_computation(g: Goal) -> None:
    """Entry by entry; components by exhaustive search."""
    g.compute()


holds(
    "bai2024.eq-4",
    f"""{observes(P1, V1)} and {observes(P2, V2)} and {observes(P3, V3)} and {more(V1, V2, (2, 2))} and {more(V2, V3, (3, 1))} and
        ncomp({P1}) = 2 and ncomp({P2}) = 2 and {complete(P2)} and not {complete(P1)} and ncomp({P3}) = 1""",
    uses=["bai2024.def-3"],
    argument="sound",
    reading="given entries are not zero, a zero stands for an unknown entry; M_1 is disconnected but not with complete"
    " bipartite components,"
    " M_2 is, M_3 is connected; the criterion by rectangles is that of the claim on Definition 3",
)(by_computation)

holds(
    "bai2024.fig-a1",
    f"ncomp({P1}) = 2 and ncomp({P2}) > 1 and {complete(P2)} and ncomp({P3}) = 1".replace(
        "ncomp(" + P2 + ") > 1", "1 < ncomp(" + P2 + ")"
    ),
    uses=["bai2024.def-3"],
    argument="sound",
    reading="complete bipartite components by the criterion of the claim on Definition 3",
)(by_computation)


@holds(
    "bai2024.def-3",
    f"""(all d:Z, P:M(d,d). {PATTERN} => ({COMPLETE} <=> {RECTANGLES})) and
        1 < ncomp({P2}) and {complete(P2)} and not {complete(P1)} and ncomp({P3}) = 1""",
    argument="sound",
    reading="a row and a column are in the same component if no labelling that agrees along the edges separates them; every"
    " component is complete"
    " bipartite exactly if three observed corners of a rectangle bring the fourth; M_2 is an instance, M_1 and M_3 are not",
)
def complete_components_by_rectangles(g: Goal) -> None:
    """The corners of a rectangle are in one component. Conversely label a row by its entry in a column of row i, and a column
    by its entry in
    row i."""

    def criterion(g: Goal) -> None:
        g.fix()
        g.assume("binary")

        def forward(g: Goal) -> None:
            g.assume("complete")
            g.fix("i", "j", "k", "l")
            g.split(g.assume("corners"))

            def together(g: Goal) -> None:
                g.fix("r", "c")
                h = g.assume()
                a = g.apply(h, "i", "j")
                b = g.apply(h, "i", "l")
                e = g.apply(h, "k", "j")
                g.field((e, 1), (a, -1), (b, 1))

            joined = g.have("all r c:Z->Z. (all i j:Z. P[i,j] = 1 => r(i) = c(j)) => r(k) = c(l)", together)
            g.close_by(g.apply("complete", "k", "l", "i", "j", by=[lambda g: g.conj(None, None, lambda g: g.close_by(joined))]))

        def backward(g: Goal) -> None:
            g.assume("rectangles")
            g.fix("i", "j", "k", "l")
            g.split(g.assume("given"))
            # row i meets column l, column j meets row k
            (r,) = g.obtain(g.fact("indicator", "lam x:Z. P[x,l]"), "r")
            (c,) = g.obtain(g.fact("indicator", "lam y:Z. P[i,y]"), "c")

            def agree(g: Goal) -> None:
                g.fix("p", "q")
                g.assume("edge")
                a, b = g.split(g.apply(r, "p"))
                e, f = g.split(g.apply(c, "q"))

                def zero(g: Goal) -> None:
                    z = list(g.seq.hyps)[-1]

                    def other(g: Goal) -> None:
                        list(g.seq.hyps)[-1]
                        k = g.apply("rectangles", "i", "q", "p", "l")
                        g.contra()
                        g.pos([], eqs=[(k, "1"), (z, "-1")])

                    def both(g: Goal) -> None:
                        list(g.seq.hyps)[-1]
                        u = g.apply(a)
                        v = g.apply(e)
                        g.field((u, 1), (v, -1))

                    g.cases(g.apply("binary", "i", "q"), both, other)

                def one(g: Goal) -> None:
                    z = list(g.seq.hyps)[-1]
                    k = g.apply("rectangles", "p", "l", "i", "q")
                    u = g.apply(b, by=[lambda g: nonzero(g, z)])
                    v = g.apply(f, by=[lambda g: nonzero(g, k)])
                    g.field((u, 1), (v, -1))

                g.cases(g.apply("binary", "p", "l"), zero, one)

            same = g.apply("given_3", "r", "c", by=[agree])
            _, b = g.split(g.apply(r, "i"))
            e, _ = g.split(g.apply(c, "j"))
            at_i = g.apply(b, by=[lambda g: nonzero(g, "given_1")])

            def missing(g: Goal) -> None:
                list(g.seq.hyps)[-1]
                v = g.apply(e)
                g.contra()
                g.pos([], eqs=[(same, "-1"), (at_i, "1"), (v, "-1")])

            g.cases(g.apply("binary", "i", "j"), missing, lambda g: g.close_by(list(g.seq.hyps)[-1]))

        g.iff(forward, backward)

    g.conj(criterion, *[lambda g: g.compute()] * (len(g.concl) - 2))


def nonzero(g: Goal, one: str) -> None:
    """u != 0 from u = 1."""
    eq = g.contra()
    g.pos([], eqs=[(one, "1"), (eq, "-1")])
