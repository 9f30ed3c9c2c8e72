"""Section 3.2 and Appendix D at depth 2: coupled dynamics and connected observations."""

from __future__ import annotations

from proofs.shin2025.decoupled_factors import last, vanishing_sum
from proofs.shin2025.gradients import (
    BINARY,
    CONNECTED,
    SHALLOW,
    SHALLOW_DECOUPLED,
    SHALLOW_VARIABLES,
    shallow_inner,
)
from proofs.shin2025.partitions import inside
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

READING = (
    "connected: every labelling of rows and columns that agrees along observed entries is constant on the rows and columns"
    " that are observed"
)


def no_common_line(u: str, w: str, different: str) -> Script:
    """Close that a sum over the entries of a factor is 0: its terms hold a unit at the line u times one at the line w, and the
    hypothesis `different` says that u != w."""

    def entry(g: Goal) -> None:
        a = list(g.seq.ctx)[-2]

        def same(g: Goal) -> None:
            eq = last(g)

            def unlike(g: Goal) -> None:
                h = g.contra()
                k = g.have(f"{u} = {w}", lambda g: g.field((h, 1), (eq, -1)))
                g.clash(k, different)

            g.have(f"{a} != {w}", unlike)
            g.field()

        g.em(f"{a} = {u}", same, lambda g: g.field())

    return lambda g: vanishing_sum(g, lambda g: vanishing_sum(g, entry))


def one_line_remains(g: Goal, line: str, inner: str) -> str:
    """The sum over a of `inner` is its value at a = `line`, as the terms hold a unit at that line."""

    def others(g: Goal) -> None:
        g.fix("a")
        g.assume()
        g.assume()
        vanishing_sum(g, lambda g: g.field())

    return g.by_fact("sum_delta", 1, "d", line, f"lam a:Z. {inner}", by=[None, None, others])


@part(
    "shin2025.assertion-depth2-iff-connected",
    "orthogonal",
    f"""all d n:Z, A:R~>M(d,n), B:R~>M(n,d), t:R, i j x y:Z. i != x => j != y => {shallow_inner("i", "j", "x", "y")} = 0""",
    says="Gradients of entries in different rows and different columns have disjoint supports.",
)
def entries_without_common_row_or_column_have_orthogonal_gradients(g: Goal) -> None:
    """No entry of A is in the rows i and x, no entry of B in the columns j and y."""
    g.intro("rows", "columns")
    first, second = g.concl[1][1:]
    one = g.have(("=", first, 0), no_common_line("i", "x", "rows"))
    two = g.have(("=", second, 0), no_common_line("j", "y", "columns"))
    g.field((one, 1), (two, 1))


@part(
    "shin2025.assertion-depth2-iff-connected",
    "same-row",
    f"""all d n:Z, A:R~>M(d,n), B:R~>M(n,d), t:R, i j y:Z. 1 <= i and i <= d => j != y =>
        {shallow_inner("i", "j", "i", "y")} = sum(k, 1, n, B(t)[k,j]*B(t)[k,y])""",
    says="In one row the inner product of the gradients is that of the columns of B.",
)
def same_row_inner_product(g: Goal) -> None:
    """Only the entries of row i of A count."""
    g.intro("range", "columns")
    _first, second = g.concl[1][1:]
    one = one_line_remains(g, "i", "sum(k, 1, n, I(d)[a,i]*B(t)[k,j]*(I(d)[a,i]*B(t)[k,y]))")
    two = g.have(("=", second, 0), no_common_line("j", "y", "columns"))
    g.field((one, 1), (two, 1))


@part(
    "shin2025.assertion-depth2-iff-connected",
    "same-column",
    f"""all d n:Z, A:R~>M(d,n), B:R~>M(n,d), t:R, i j x:Z. 1 <= j and j <= d => i != x =>
        {shallow_inner("i", "j", "x", "j")} = sum(k, 1, n, A(t)[i,k]*A(t)[x,k])""",
    says="In one column the inner product of the gradients is that of the rows of A.",
)
def same_column_inner_product(g: Goal) -> None:
    """Only the entries of column j of B count."""
    g.intro("range", "rows")
    first, _second = g.concl[1][1:]
    one = g.have(("=", first, 0), no_common_line("i", "x", "rows"))
    two = one_line_remains(g, "j", "sum(k, 1, n, A(t)[i,k]*I(d)[a,j]*(A(t)[x,k]*I(d)[a,j]))")
    g.field((one, 1), (two, 1))


GENERIC = (
    "(all i x:Z. 1 <= i and i <= d and 1 <= x and x <= d and i != x => sum(k, 1, n, A(0)[i,k]*A(0)[x,k]) != 0) and"
    " (all j y:Z. 1 <= j and j <= d and 1 <= y and y <= d and j != y => sum(k, 1, n, B(0)[k,j]*B(0)[k,y]) != 0)"
)
"""No two rows of A(0) and no two columns of B(0) are orthogonal."""

DISCONNECTED = f"{SHALLOW_VARIABLES} 1 <= d => {BINARY} => {SHALLOW} => not {CONNECTED} => {SHALLOW_DECOUPLED}"


@part(
    "shin2025.assertion-depth2-iff-connected",
    "disconnected",
    DISCONNECTED,
    says="Disconnected observations are decoupled from any initialisation.",
)
def disconnected_observations_are_decoupled(g: Goal) -> None:
    """Two parts: the rows with the label of one observation, and the others. Across them neither row nor column is shared."""
    g.fix()
    for name in ("size", "binary", "flow"):
        g.assume(name)
    g.become(g.step("push", h=g.assume("cut"), name="pushed")[0])
    labels, rest = g.split(g.obtain("pushed", "r", "c", split=False)[0])
    first, second, differ = g.obtain(rest, "i0", "j0", "k0", "l0")
    (f,) = g.obtain(g.fact("indicator", "lam x:Z. r(x) - r(i0)"), "f")

    def values(g: Goal) -> None:
        g.fix("x")
        a, b = g.split(g.apply(f, "x"))

        def zero(g: Goal) -> None:
            k = g.apply(a)
            g.left_or_right(0)
            g.close_by(k)

        def one(g: Goal) -> None:
            k = g.apply(b)
            g.left_or_right(1)
            g.close_by(k)

        g.em("r(x) - r(i0) = 0", zero, one)

    g.have("all x:Z. f(x) = 0 or f(x) = 1", values, name="values")

    def not_zero(g: Goal) -> None:
        eq = g.contra()
        k = g.have("r(i0) = r(k0)", lambda g: g.field((eq, -1)))
        g.clash(k, differ)

    a, _ = g.split(g.apply(f, "i0"))
    at_first = g.apply(a, by=[lambda g: g.field()])
    _, b = g.split(g.apply(f, "k0"))
    at_second = g.apply(b, by=[not_zero])
    g.witness("2", "lam i:Z, j:Z. 1 + f(i)")

    def range_(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        g.cases(g.apply("values", "i"))

    def members(g: Goal) -> None:
        g.fix("k")
        g.split(g.assume())

        def one(g: Goal) -> None:
            eq = g.have("k = 1", lambda g: g.antisym())
            g.witness("i0", "j0")
            g.conj(lambda g: g.close_by(first), lambda g: g.field((at_first, 1), (eq, -1)))

        def two(g: Goal) -> None:
            g.apply(g.fact("int_lt", "1", "k"))
            eq = g.have("k = 2", lambda g: g.antisym())
            g.witness("k0", "l0")
            g.conj(lambda g: g.close_by(second), lambda g: g.field((at_second, 1), (eq, -1)))

        g.em("k <= 1", one, two)

    def across(g: Goal) -> None:
        g.fix("i", "j", "x", "y", "t")
        g.split_all(g.assume("pair"))
        g.assume()

        def same_label(g: Goal) -> None:
            """f(i) = f(x) from r(i) = r(x), against pair_3."""
            eq = last(g)
            a, b = g.split(g.apply(f, "i"))
            c, e = g.split(g.apply(f, "x"))

            def both_zero(g: Goal) -> None:
                z = last(g)
                u = g.apply(a)
                v = g.apply(c, by=[lambda g: g.field((z, 1), (eq, -1))])
                k = g.have("1 + f(i) = 1 + f(x)", lambda g: g.field((u, 1), (v, -1)))
                g.clash(k, "pair_3")

            def both_one(g: Goal) -> None:
                ne = last(g)

                def unequal(g: Goal) -> None:
                    h = g.contra()
                    k = g.have("r(i) - r(i0) = 0", lambda g: g.field((h, 1), (eq, 1)))
                    g.clash(k, ne)

                u = g.apply(b)
                v = g.apply(e, by=[unequal])
                k = g.have("1 + f(i) = 1 + f(x)", lambda g: g.field((u, 1), (v, -1)))
                g.clash(k, "pair_3")

            g.em("r(i) - r(i0) = 0", both_zero, both_one)

        def rows(g: Goal) -> None:
            h = g.contra()
            g.have("r(i) = r(x)", lambda g: (g.rewrite(h), g.refl()))
            same_label(g)

        def columns(g: Goal) -> None:
            h = g.contra()
            u = g.apply(labels, "i", "j")
            v = g.apply(labels, "x", "y")
            w = g.have("c(j) = c(y)", lambda g: (g.rewrite(h), g.refl()))
            g.have("r(i) = r(x)", lambda g: g.field((u, 1), (v, -1), (w, 1)))
            same_label(g)

        g.have("i != x", rows)
        g.have("j != y", columns)
        args = ["d", "n", "A", "B", "t", "i", "j", "x", "y"]
        g.exact(g.lemma("shin2025.assertion-depth2-iff-connected", "part:orthogonal", *args, by=[None, None]))

    g.conj(None, range_, members, across)


@part(
    "shin2025.assertion-depth2-iff-connected",
    "connected-and-generic",
    f"{SHALLOW_VARIABLES} 1 <= d => {BINARY} => {GENERIC} => {CONNECTED} => not {SHALLOW_DECOUPLED}",
    says="Connected observations are coupled if no two rows of A(0) and no two columns of B(0) are orthogonal.",
    uses=["bai2024.prop-a3"],
)
def generic_connected_observations_are_coupled(g: Goal) -> None:
    """Observations in one row or column must lie in the same part, so the parts label the observed entries consistently;
    connectivity of the
    observed entries (the line graph) makes the label constant."""
    g.fix()
    for name in ("size", "binary", "generic", "connected", "system"):
        g.assume(name)
    rows, columns = g.split("generic")
    same = g.lemma("bai2024.prop-a3", "statement", "d", "Om", by=[None])
    there, _ = g.split(same)
    entries = g.apply(there, n=1)
    _, _, members, orthogonal = g.obtain("system", "K", "part")

    def same_part(names: str, first: str, second: str, role: str, generic: str, u: str, v: str) -> Script:
        """Two observations in one line are in one part: else the inner product of `role` is 0, but two lines at u != v are not
        orthogonal by `generic`. `names` stand for their indices, first and second for theirs."""

        def script(g: Goal) -> None:
            g.fix(*names)
            g.split(g.assume("pair"))
            inside(g, *first, "pair_1")
            inside(g, *second, "pair_2")

            def equal(g: Goal) -> None:
                g.rewrite(last(g))
                g.refl()

            def different(g: Goal) -> None:
                g.contra("apart")
                zero = g.apply(orthogonal, *first, *second, "0")
                args = ["d", "n", "A", "B", "0", *first, v]
                value = g.lemma("shin2025.assertion-depth2-iff-connected", f"part:{role}", *args, by=[None, None])
                no = g.apply(generic, u, v)
                k = g.have(("=", g.hyp_formula(value)[2], 0), lambda g: g.field((value, -1), (zero, 1)))
                g.clash(k, no)

            g.em(f"{u} = {v}", equal, different)

        return script

    row = same_part("ijy", "ij", "iy", "same-row", columns, "j", "y")
    column = same_part("ixj", "ij", "xj", "same-column", rows, "i", "x")
    constant = g.apply(entries, "lam i:Z, j:Z. part(i,j)", by=[lambda g: g.conj(row, column)], n=1)
    _a, b = g.obtain(g.apply(members, "1"), "i1", "j1")
    _e, f = g.obtain(g.apply(members, "2"), "i2", "j2")
    whole = g.apply(constant, "i1", "j1", "i2", "j2")
    g.pos([], eqs=[(whole, "1"), (b, "-1"), (f, "1")])
