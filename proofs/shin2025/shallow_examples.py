"""Section 3.1 and Appendix D at depth 2: the examples M_C (column 1 observed) and M_D (diagonal observed)."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.graphs import BLOCK, CONNECTED, PATTERN, WALKS, by_values
from proofs.shin2025.entries_of_2x2 import at_different_rows, at_each_entry, by_entry
from proofs.shin2025.gradients import SHALLOW, SHALLOW_DECOUPLED, SHALLOW_VARIABLES
from proofs.shin2025.shallow_cases import FIRST_COLUMN, IFF, edges_of_first_column, two_rows
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted


def last(g: Goal) -> str:
    """The name of the newest hypothesis."""
    return list(g.seq.hyps)[-1]


def adjacency(p: str, a: str) -> str:
    """The 4 x 4 matrix a has the blocks 0, P^T; P, 0."""
    return (
        f"(all i j:Z. 1 <= i and i <= 2 and 1 <= j and j <= 2 => {a}[i,j] = 0 and {a}[i,2+j] = T({p})[i,j]"
        f" and {a}[2+i,j] = {p}[i,j] and {a}[2+i,2+j] = 0)"
    )


def by_computation(g: Goal) -> None:
    """Entry by entry; components by exhaustive search."""
    g.compute()


holds(
    "shin2025.eq-adj-c",
    f"""{adjacency("[[1,0],[1,0]]", "[[0,0,1,1],[0,0,0,0],[1,0,0,0],[1,0,0,0]]")} and
        (all j:Z. 1 <= j and j <= 4 => [[0,0,1,1],[0,0,0,0],[1,0,0,0],[1,0,0,0]][2,j] = 0) and ncomp([[1,0],[1,0]]) = 1""",
    argument="sound",
    reading="vertex 2 is isolated; without it the graph has one component",
)(by_computation)

holds(
    "shin2025.eq-adj-d",
    f"""{adjacency("[[1,0],[0,1]]", "[[0,0,1,0],[0,0,0,1],[1,0,0,0],[0,1,0,0]]")} and ncomp([[1,0],[0,1]]) = 2""",
    argument="sound",
    reading="the graph has two components",
)(by_computation)

COLUMN = "d = 2 => Om[1,1] = 1 and Om[2,1] = 1 and Om[1,2] = 0 and Om[2,2] = 0"
DIAGONAL = "d = 2 => Om[1,1] = 1 and Om[2,2] = 1 and Om[1,2] = 0 and Om[2,1] = 0"
FULL_START = (
    "(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= n => A(0)[i,j] != 0) and"
    " (all i j:Z. 1 <= i and i <= n and 1 <= j and j <= d => B(0)[i,j] != 0)"
)


def corner(g: Goal, diagonal: bool = False) -> None:
    """Where the observations are, from `two` (d = 2) and the entries of Om (e11, ...)."""
    outside = g.fact("entry_outside", "d", "d", "Om")

    def script(g: Goal) -> None:
        g.fix("i", "j")
        g.assume("edge")

        def apart(g: Goal) -> None:
            def choose(g: Goal) -> None:
                def place(k: int) -> Script:
                    def script(g: Goal) -> None:
                        g.left_or_right(k)
                        g.nlin()

                    return script

                g.cases("apart", *map(place, range(4)))

            g.contra()
            zero = g.apply(outside, "i", "j", by=[choose])
            g.pos([], eqs=[("edge", "1"), (zero, "-1")])

        def within(g: Goal) -> None:
            g.split("apart")

            def entry(g: Goal, a: str, v: int, b: str, w: int) -> None:
                if (w == v) if diagonal else (w == 1):
                    g.conj(None, None, lambda g: g.field((b, 1), *([(a, -1)] if diagonal else [])))
                    return
                same = g.have(f"Om[i,j] = Om[{v},{w}]", lambda g: (g.rewrite(a), g.rewrite(b), g.refl()))
                g.contra()
                g.pos([], eqs=[("edge", "1"), (same, "-1"), (f"e{v}{w}", "-1")])

            by_entry(g, entry)

        g.em("i < 1 or 2 < i or j < 1 or 2 < j", apart, within, name="apart")

    g.have(f"all i j:Z. Om[i,j] = 1 => 1 <= i and i <= 2 and j = {'i' if diagonal else '1'}", script, name="corner")


def introduce(g: Goal, names: str) -> None:
    """Name d = 2 as `two` and the entries of Om as e11, ..."""
    g.fix()
    g.assume("two")
    g.split(g.assume("entries"), *names.split())


@refuted(
    "shin2025.assertion-d1-overlap",
    f"{SHALLOW_VARIABLES} n = 2 => {COLUMN} => {SHALLOW} => {FULL_START} => not {SHALLOW_DECOUPLED}",
    argument="fails",
    reading="non-zero initialisation: all entries of A and B are non-zero (the strongest sense)",
    reason="the gradients of w_11 and w_21 have the inner product a_1 . a_2; from A = [1,1; 1,-1], B = [3,1; 1,1] with"
    " observed values 4 and 2"
    " (met by the start) nothing moves and a_1 . a_2 = 0 for all t",
    uses=[IFF],
)
def orthogonal_rows_at_rest_are_decoupled(g: Goal) -> None:
    """A start with orthogonal rows that already meets the observations."""
    a, b = "[[1,1],[1,-1]]", "[[3,1],[1,1]]"
    g.witness("2", "2", FIRST_COLUMN, "[[4,0],[2,0]]", f"lam t:R. {a}", f"lam t:R. {b}")
    edges_of_first_column(g)

    def flow(g: Goal) -> None:
        g.intro()
        g.ext(lambda g: g.field())

    def full(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume())

        at_each_entry(g, lambda g, i, j: g.field())

    def orthogonal(g: Goal) -> None:
        _i1, _i2, j1 = g.split_all(g.apply("corner", "i", "j"))
        _x1, _x2, y1 = g.split_all(g.apply("corner", "x", "y"))
        g.rewrite(j1)
        g.rewrite(y1)
        value = g.lemma(IFF, "part:same-column", "2", "2", f"lam t:R. {a}", f"lam t:R. {b}", "t", "i", "1", "x", by=[None, None])
        zero = g.have(f"sum(k, 1, 2, {a}[i,k]*{a}[x,k]) = 0", rows)
        g.field((value, 1), (zero, 1))

    def rows(g: Goal) -> None:
        at_different_rows(g, next(n for n, f in g.seq.hyps.items() if f == ("!=", "i", "x")))

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "ex":
            two_rows(g, orthogonal)
        elif c[0] == "all":
            (flow if c[1][0][1] == "R" else full)(g)
        else:
            g.auto()

    close(g)


ROWS_MEET = "(ex t:R. 0 <= t and sum(k, 1, n, A(t)[1,k]*A(t)[2,k]) != 0)"


@amendment(
    "shin2025.assertion-d1-overlap",
    f"{SHALLOW_VARIABLES} {COLUMN} => {SHALLOW} => ({ROWS_MEET} <=> not {SHALLOW_DECOUPLED})",
    says="For every inner width the M_C setup is coupled exactly if the rows a_1 and a_2 of A are not orthogonal at some"
    " time t >= 0.",
    uses=[IFF],
)
def coupled_exactly_if_the_rows_meet(g: Goal) -> None:
    """The only partition separates (1,1) from (2,1), whose gradients have the inner product a_1 . a_2."""
    introduce(g, "e11 e21 e12 e22")
    g.assume("flow")
    corner(g)

    def product(g: Goal, i: str, x: str, differ: str) -> str:
        """The inner product of the gradients of w_i1 and w_x1 at t."""
        return g.lemma(IFF, "part:same-column", *f"d n A B t {i} 1 {x}".split(), by=[None, lambda g: g.close_by(differ)])

    def value(g: Goal, i: str, x: str, differ: str, then: Callable[[Goal, str], None]) -> None:
        """Cases i = 1, x = 2 and i = 2, x = 1."""

        def row(g: Goal, v: int) -> None:
            p = last(g)

            def other(g: Goal, w: int) -> None:
                q = last(g)
                if v == w:
                    k = g.have(f"{i} = {x}", lambda g: g.field((p, 1), (q, -1)))
                    g.clash(k, differ)
                else:
                    h = g.have(
                        f"sum(k, 1, n, A(t)[{i},k]*A(t)[{x},k]) = sum(k, 1, n, A(t)[1,k]*A(t)[2,k])",
                        lambda g: (g.rewrite(p), g.rewrite(q), g.field()),
                    )
                    then(g, h)

            by_values(g, x, 1, 2, other)

        by_values(g, i, 1, 2, row)

    def forward(g: Goal) -> None:
        _time, meet = g.obtain(g.assume(), "t")
        g.assume("system")
        _, _, members, orthogonal = g.obtain("system", "K", "part")
        one = g.obtain(g.apply(members, "1"), "i", "j")
        two = g.obtain(g.apply(members, "2"), "x", "y")
        _i1, _i2, j1 = g.split_all(g.apply("corner", "i", "j"))
        _x1, _x2, y1 = g.split_all(g.apply("corner", "x", "y"))

        def parts(g: Goal) -> None:
            eq = g.contra()
            g.pos([], eqs=[(eq, "1"), (one[-1], "-1"), (two[-1], "1")])

        apart = g.have("part(i,j) != part(x,y)", parts)

        def rows(g: Goal) -> None:
            eq = g.contra()
            k = g.have("part(i,j) = part(x,y)", lambda g: (g.rewrite(eq), g.rewrite(j1), g.rewrite(y1), g.refl()))
            g.clash(k, apart)

        differ = g.have("i != x", rows)
        zero = g.apply(orthogonal, "i", "j", "x", "y", "t")
        inner = product(g, "i", "x", differ)
        same = g.have(("=", g.hyp_formula(zero)[1], g.hyp_formula(inner)[1]), lambda g: (g.rewrite(j1), g.rewrite(y1), g.field()))

        def done(g: Goal, h: str) -> None:
            k = g.have("sum(k, 1, n, A(t)[1,k]*A(t)[2,k]) = 0", lambda g: g.field((h, -1), (inner, -1), (same, -1), (zero, 1)))
            g.clash(k, meet)

        value(g, "i", "x", differ, done)

    def backward(g: Goal) -> None:
        g.assume("coupled")
        no = g.contra()

        def system(g: Goal) -> None:
            def orthogonal(g: Goal) -> None:
                _i1, _i2, j1 = g.split_all(g.apply("corner", "i", "j"))
                _x1, _x2, y1 = g.split_all(g.apply("corner", "x", "y"))
                differ = next(n for n, f in g.seq.hyps.items() if f == ("!=", "i", "x"))
                g.rewrite(j1)
                g.rewrite(y1)
                inner = product(g, "i", "x", differ)
                next(n for n, f in g.seq.hyps.items() if f == ("<=", 0, "t"))

                def done(g: Goal, h: str) -> None:
                    def early(g: Goal) -> None:
                        g.contra()
                        g.nlin(products=1)

                    g.cases(g.apply(no, "t"), early, lambda g: g.field((inner, 1), (h, 1), (last(g), 1)))

                value(g, "i", "x", differ, done)

            two_rows(g, orthogonal)

        k = g.have(SHALLOW_DECOUPLED, system)
        g.clash(k, "coupled")

    g.iff(forward, backward)


@holds(
    "shin2025.assertion-d2-disjoint",
    f"""{SHALLOW_VARIABLES} {DIAGONAL} => {SHALLOW} =>
        (all X X2:M(d,n), Y Y2:M(n,d), i:Z. (all k:Z. X2[i,k] = X[i,k] and Y2[k,i] = Y[k,i]) => (X2 @ Y2)[i,i] = (X @ Y)[i,i]) and
        (n = 2 => all t:R. (A(t) @ B(t))[1,1] = A(t)[1,1]*B(t)[1,1] + A(t)[1,2]*B(t)[2,1] and
           (A(t) @ B(t))[2,2] = A(t)[2,1]*B(t)[1,2] + A(t)[2,2]*B(t)[2,2]) and
        {SHALLOW_DECOUPLED}""",
    argument="sound",
    reading="w_ii depends on row i of A and column i of B only; for every inner width",
    uses=[IFF],
)
def diagonal_observations_involve_disjoint_parameters(g: Goal) -> None:
    """w_ii is the product of row i of A and column i of B; the gradients have disjoint supports."""
    introduce(g, "e11 e22 e12 e21")
    g.assume("flow")
    corner(g, diagonal=True)

    def own(g: Goal) -> None:
        g.fix("X", "X2", "Y", "Y2", "i")
        g.assume("same")
        one = g.apply(g.fact("mm_entry", "d", "n", "d", "X", "Y"), "i", "i")
        two = g.apply(g.fact("mm_entry", "d", "n", "d", "X2", "Y2"), "i", "i")
        k = g.fact("sum_ext", 1, "n", "lam k:Z. X2[i,k]*Y2[k,i]", "lam k:Z. X[i,k]*Y[k,i]")

        def term(g: Goal) -> None:
            g.fix("k")
            g.assume()
            a, b = g.split(g.apply("same", "k"))
            g.field((a, "Y2[k,i]"), (b, "X[i,k]"))

        total = g.apply(k, by=[term])
        g.field((one, -1), (two, 1), (total, 1))

    def written_out(g: Goal) -> None:
        g.assume("width")
        g.fix("t")

        def entry(i: int) -> Script:
            def script(g: Goal) -> None:
                h = g.apply(g.fact("mm_entry", "d", "n", "d", "A(t)", "B(t)"), str(i), str(i))
                g.rewrite(h)
                g.rewrite("width")
                g.field()

            return script

        g.conj(entry(1), entry(2))

    def system(g: Goal) -> None:
        def orthogonal(g: Goal) -> None:
            _, _, j1 = g.split_all(g.apply("corner", "i", "j"))
            _, _, y1 = g.split_all(g.apply("corner", "x", "y"))
            differ = next(n for n, f in g.seq.hyps.items() if f == ("!=", "i", "x"))

            def columns(g: Goal) -> None:
                eq = g.contra()
                k = g.have("i = x", lambda g: g.field((eq, 1), (j1, -1), (y1, 1)))
                g.clash(k, differ)

            g.have("j != y", columns)
            g.exact(g.lemma(IFF, "part:orthogonal", *["d", "n", "A", "B", "t", "i", "j", "x", "y"], by=[None, None]))

        two_rows(g, orthogonal, diagonal=True)

    g.conj(own, written_out, system)


@holds(
    "shin2025.eq-decoupled-pair",
    """all n:Z, Ws:M(2,2), A:R~>M(2,n), B:R~>M(n,2).
        (all t:R. 0 <= t => A'(t) = -(had([[1,0],[0,1]], A(t) @ B(t) - Ws) @ T(B(t)))) =>
        (all t:R. 0 <= t => B'(t) = -(T(A(t)) @ had([[1,0],[0,1]], A(t) @ B(t) - Ws))) =>
        all i k:Z, t:R. 1 <= i and i <= 2 and 1 <= k and k <= n => 0 <= t =>
          A'(t)[i,k] = (Ws[i,i] - sum(q, 1, n, A(t)[i,q]*B(t)[q,i]))*B(t)[k,i] and
          B'(t)[k,i] = (Ws[i,i] - sum(q, 1, n, A(t)[i,q]*B(t)[q,i]))*A(t)[i,k]""",
    argument="sound",
)
def flow_of_a_pair(g: Goal) -> None:
    """Entry by entry: the residual of M_D is diagonal, so only one term of each product remains."""
    g.fix()
    g.assume("first")
    g.assume("second")
    g.fix("i", "k", "t")
    g.split(g.assume("range"))
    g.assume("time")
    law_a = g.apply("first", "t")
    law_b = g.apply("second", "t")

    def row(g: Goal, v: int) -> None:
        g.rewrite(last(g))
        g.rewrite(law_a)
        g.rewrite(law_b)
        g.conj(lambda g: g.field(), lambda g: g.field())

    by_values(g, "i", 1, 2, row)


@holds(
    "shin2025.def-8",
    f"all d:Z, P:M(d,d), E:M(2*d,2*d). 1 <= d => {PATTERN} => {BLOCK} => ({CONNECTED} <=> {WALKS})",
    argument="sound",
    reading="the definition is usable: that any two vertices of the bipartite graph without isolated vertices are joined by"
    " a walk is the same"
    " as that every labelling of rows and columns that agrees along observed entries is constant",
    uses=["bai2024.def-2"],
)
def bipartite_graph_is_connected_by_walks_or_by_labels(g: Goal) -> None:
    """The same definition as in the claim bai2024.def-2."""
    g.close_by(g.lemma("bai2024.def-2", "statement"))
