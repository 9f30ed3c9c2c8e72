"""Theorem A.6: complete bipartite components as diagonal blocks, and the least nuclear norm of a completion."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import chain
from proofs.bai2024.components import CLAIM
from proofs.bai2024.graphs import PATTERN, RECTANGLES
from proofs.bai2024.literal_patterns import binary, rectangles
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, refuted

FORM = "bai2024.thm-a6-step-block-form"
BLOCKS = """(ex r c:Z->Z. (all i:Z. 1 <= i and i <= d => 1 <= r(i) and r(i) <= {m} and 1 <= c(i) and c(i) <= {m}) and
  (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => (P[i,j] = 1 <=> r(i) = c(j))))"""
"""Each row and each column is in one of m blocks, and what is observed are the blocks with the same number."""


@refuted(
    FORM,
    f"all d m:Z, P:M(d,d). 1 <= d => {PATTERN} => {RECTANGLES} => m = ncomp(P) => {BLOCKS.format(m='m')}",
    argument="repaired",
    reading="r(i) and c(j) are the blocks of row i and column j, in any order, so that permutations are allowed; the sums are d since every row and every"
    " column is in one block",
    reason="rows and columns without an observed entry belong to no block: d = 2 with only the entry (1,1) observed has one component of one row",
)
def unobserved_rows_are_in_no_block(g: Goal) -> None:
    """With one block every entry would be observed."""
    p = "[[1,0],[0,0]]"
    g.witness("2", "1", p)

    def never(g: Goal) -> None:
        g.fix("r", "c")
        inside, seen = g.split(g.contra())

        def impossible(g: Goal) -> None:
            """An index 2 beyond the bounds 1 and 2."""
            h = last(g)
            f = g.hyp_formula(h)
            if f[0] == "or":
                g.cases(h, *[impossible] * (len(f) - 1))
            else:
                g.contra()
                g.pos([f"@{h}"], *([["1"]] if f[1:] == (2, 1) else []))

        def equal(g: Goal) -> None:
            r_lo, r_hi, c_lo, c_hi = g.split(last(g))
            same = g.have(
                "r(2) = c(2)",
                lambda g: g.antisym(lambda g: g.pos([f"@{r_hi}"], [f"@{c_lo}"]), lambda g: g.pos([f"@{c_hi}"], [f"@{r_lo}"])),
            )

            def observed(g: Goal) -> None:
                _, back = g.split(last(g))
                g.cases(back, one, lambda g: g.clash(same, last(g)))

            g.cases(g.apply(seen, "2", "2"), impossible, observed)

        def one(g: Goal) -> None:
            h = last(g)
            g.contra()
            g.pos([], eqs=[(h, 1)])

        g.cases(g.apply(inside, "2"), impossible, equal)

    done = binary(g, p, 2), rectangles(g, p, 2)
    chain(Goal.auto, *[lambda g, h=h: g.close_by(h) for h in done], lambda g: g.compute(), never)(g)


OBSERVED = (
    "(all i:Z. 1 <= i and i <= d => (ex j:Z. 1 <= j and j <= d and P[i,j] = 1)) =>"
    " (all j:Z. 1 <= j and j <= d => (ex i:Z. 1 <= i and i <= d and P[i,j] = 1)) =>"
)


@amendment(
    FORM,
    f"all d:Z, P:M(d,d). 1 <= d => {PATTERN} => {RECTANGLES} => {OBSERVED} {BLOCKS.format(m='d')}",
    says="If every row and every column has an observed entry, rows and columns can be numbered by blocks such that exactly the entries in blocks with"
    " the same number are observed.",
    uses=[CLAIM],
)
def observed_rows_and_columns_are_in_blocks(g: Goal) -> None:
    """A row has the number p of its component; a column has that of any of its rows."""
    g.fix()
    names = [g.assume() for _ in range(5)]
    bits, corners, rows, columns = names[1:]
    by: list[Script | None] = [lambda g: g.close_by(bits), lambda g: g.close_by(corners)]
    (found,) = g.obtain(g.lemma(CLAIM, "part:components", "d", "P", by=by), "f", "g", split=False)
    f_bits, _, f_apart, g_apart, agree, complete, seen = g.split(found)

    def labels(apart: str, indicator: str, name: str) -> str:
        """A function that gives the number of the component."""

        def same(g: Goal) -> None:
            g.fix("x", "v", "w")
            one, two = g.split(g.assume())

            def different(g: Goal) -> None:
                ne = last(g)
                z = g.apply(apart, "v", "w", "x", by=[lambda g: g.close_by(ne)])
                g.contra()
                g.pos([], eqs=[(z, -1), (one, f"{indicator}(w,x)"), (two, 1)])

            g.em("v = w", lambda g: g.close_by(last(g)), different)

        h = g.by_fact("common_value", f"lam x:Z, v:Z. {indicator}(v,x)", "lam x:Z, v:Z. v", by=[same])
        return g.obtain(h, name, split=False)[0]

    r_is, c_is = labels(f_apart, "f", "r"), labels(g_apart, "g", "c")

    def number_of_a_row(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        *_, entry = g.obtain(g.apply(rows, "i"), "j")
        total = g.apply(seen, "i", "j", by=[lambda g: g.close_by(entry)])

        def values(g: Goal) -> None:
            g.fix("p")
            g.assume()
            g.close_by(g.apply(f_bits, "p", "i"))

        def some(g: Goal) -> None:
            low, high, one = g.obtain(g.split(last(g))[1], "p")
            k = g.apply(r_is, "i", "p", by=[lambda g: g.close_by(one)])
            g.rewrite(k)
            g.conj(*[lambda g, h=h: g.close_by(h) for h in (low, high, one)])  # type: ignore[misc]

        def none(g: Goal) -> None:
            zeros = g.split(last(g))[1]
            z = g.by_fact("sum_ext", 1, "d", "lam p:Z. f(p,i)", "lam p:Z. 0", by=[lambda g: g.close_by(zeros)])
            g.contra()
            g.pos([], eqs=[(z, -1), (total, 1)])

        g.cases(g.lemma(CLAIM, "part:count", "lam p:Z. f(p,i)", "d", by=[values]), some, none)

    row = g.have("all i:Z. 1 <= i and i <= d => 1 <= r(i) and r(i) <= d and f(r(i),i) = 1", number_of_a_row)

    def number_of_a_column(g: Goal) -> None:
        """c(j) = r(i) for an observed entry (i, j)."""
        g.fix("i", "j")
        g.split_all(g.assume())
        entry = last(g)
        _, _, mark = g.split(g.apply(row, "i"))
        k = g.apply(agree, "r(i)", "i", "j", by=[lambda g: g.close_by(entry)])
        one = g.have("g(r(i),j) = 1", lambda g: g.field((k, -1), (mark, 1)))
        e = g.apply(c_is, "j", "r(i)", by=[lambda g: g.close_by(one)])
        g.conj(lambda g: g.field((e, -1)), lambda g: g.close_by(one))

    column = g.have("all i j:Z. 1 <= i and i <= d and P[i,j] = 1 => r(i) = c(j) and g(r(i),j) = 1", number_of_a_column)

    def bounds(g: Goal) -> None:
        g.fix("q")
        g.split(g.assume())
        low, high, _ = g.split(g.apply(row, "q"))
        i_lo, i_hi, entry = g.obtain(g.apply(columns, "q"), "i")
        same = g.split(
            g.apply(column, "i", "q", by=[lambda g: g.conj(*[lambda g, h=h: g.close_by(h) for h in (i_lo, i_hi, entry)])])
        )[0]  # type: ignore[misc]
        a, b, _ = g.split(g.apply(row, "i"))
        g.conj(
            lambda g: g.close_by(low),
            lambda g: g.close_by(high),
            lambda g: g.pos([f"@{a}"], eqs=[(same, -1)]),
            lambda g: g.pos([f"@{b}"], eqs=[(same, 1)]),
        )

    def entries(g: Goal) -> None:
        g.fix("i", "j")
        i_lo, i_hi, _, _ = g.split(g.assume())

        def forward(g: Goal) -> None:
            entry = g.assume()
            k = g.apply(column, "i", "j", by=[lambda g: g.conj(*[lambda g, h=h: g.close_by(h) for h in (i_lo, i_hi, entry)])])  # type: ignore[misc]
            g.close_by(g.split(k)[0])

        def back(g: Goal) -> None:
            same = g.assume()
            mark = g.split(g.apply(row, "i"))[2]
            s_lo, s_hi, seen_ = g.obtain(g.apply(columns, "j"), "q")
            k = g.split(
                g.apply(column, "q", "j", by=[lambda g: g.conj(*[lambda g, h=h: g.close_by(h) for h in (s_lo, s_hi, seen_)])])
            )  # type: ignore[misc]
            both = g.have("r(q) = r(i)", lambda g: g.field((k[0], 1), (same, -1)))
            one = g.rewritten(k[1], both)
            g.close_by(g.apply(complete, "r(i)", "i", "j", by=[lambda g: g.close_by(mark), lambda g: g.close_by(one)]))

        g.iff(forward, back)

    g.witness("r", "c")
    g.conj(bounds, entries)
