"""Appendix G.1: the fully disconnected flow solved along its accumulated residuals; the constants P and Q; the quadratic and its root."""

from __future__ import annotations

from typing import Any

from proofs.shin2025.disconnected_flow import (
    SETTING,
    VARIABLES,
    ZERO_LOSS,
    constant_p,
    constant_q,
    defined,
    entry_a,
    entry_b,
    inside,
    rbar,
    root,
)
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

DEF = "shin2025.def-fully-disconnected"
CONTEXT = "Section 2 and G.1: depth 2, square factors, the flow (3) of the loss (2) with one observation in each row and column."


@holds(
    DEF,
    """all n:Z, row column:Z->Z.
       (all m:Z. 1 <= m and m <= n => 1 <= row(m) and row(m) <= n and 1 <= column(m) and column(m) <= n) =>
       (all m k:Z. 1 <= m and m <= n and 1 <= k and k <= n => row(m) = row(k) => m = k) =>
       (all m k:Z. 1 <= m and m <= n and 1 <= k and k <= n => column(m) = column(k) => m = k) =>
       (all k:Z. 1 <= k and k <= n => ex m:Z. 1 <= m and m <= n and row(m) = k and
           (all x:Z. 1 <= x and x <= n and row(x) = k => column(x) = column(m))) and
       (all l:Z. 1 <= l and l <= n => ex m:Z. 1 <= m and m <= n and column(m) = l and
           (all x:Z. 1 <= x and x <= n and column(x) = l => row(x) = row(m))) and
       (all m x:Z. 1 <= m and m <= n and 1 <= x and x <= n and column(x) = column(m) => row(x) = row(m))""",
    argument="sound",
    reading="row and column are the sequences i_n and j_n. Each row holds exactly one observation and so does each column, so that j^(k) and i^(l) "
    "are well defined, and the row observed in the column observed in row k is k.",
    context="Appendix G.1: d observations.",
)
def index_maps_are_well_defined(g: Goal) -> None:
    """An injective map of 1..n to itself is onto; uniqueness is injectivity."""
    g.intro("range", "rows", "columns")

    def unique(k: Goal, injective: str) -> None:
        """From equal values at x and m: x = m, so that the other sequence agrees there."""
        h = k.apply(injective, "x", "m")
        k.rewrite(h)
        k.refl()

    def onto(k: Goal, f: str, injective: str, index: str) -> None:
        k.intro()
        h = k.by_fact("injective_onto", "n", f"lam z:Z. {f}(z)", by=[lambda q: (q.intro(), q.split_all(q.apply("range", last(q))), q.auto()), lambda q: q.close_by(injective)])
        e = k.apply(h, index)
        k.obtain(e, "m")
        k.witness("m")

        def same(q: Goal) -> None:
            q.intro()
            q.have(f"{f}(x) = {f}(m)")
            unique(q, injective)

        k.conj(None, None, None, same)

    g.conj(
        lambda k: onto(k, "row", "rows", "k"),
        lambda k: onto(k, "column", "columns", "l"),
        lambda k: (k.intro(), unique(k, "columns")),
    )


def last(g: Goal) -> str:
    """The variable declared last."""
    return list(g.seq.ctx)[-1]


# ---------------------------------------------------------------------- the entries of the flow


def named(g: Goal, test: Any) -> str:
    """The hypothesis whose formula passes a test."""
    return next(h for h, f in g.seq.hyps.items() if test(f))


def is_all(f: Any, *names: str) -> bool:
    return bool(f[0] == "all" and tuple(v for v, _ in f[1]) == names)


RESIDUAL_ROW = "((A(t) @ B(t))[p,j(p)] - W[p,j(p)])"
RESIDUAL_COLUMN = "((A(t) @ B(t))[i(q),q] - W[i(q),q])"


@part(
    DEF,
    "entries",
    f"""all {VARIABLES}. {SETTING} => all t:R, p q:Z. 0 <= t => {inside('p', 'q')} =>
        A'(t)[p,q] = -{RESIDUAL_ROW}*B(t)[q,j(p)] and B'(t)[p,q] = -{RESIDUAL_COLUMN}*A(t)[i(q),p]""",
    says="the flow by entries: every entry of A moves with one entry of B, at the rate of the residual of its row",
)
def entries_move_in_pairs(g: Goal) -> None:
    """In the sums over a row or a column of the gradient only the observed entry is not 0."""
    g.intro()
    pattern, gradient = named(g, lambda f: is_all(f, "k")), named(g, lambda f: is_all(f, "t", "k", "l"))
    both = g.split(g.apply(named(g, lambda f: is_all(f, "t")), "t"))
    g.split_all(g.apply(pattern, "p"))
    g.split_all(g.apply(pattern, "q"))

    def only(k: Goal, h: str, body: str, at: str, row: str, column: str) -> None:
        """The derivative is a sum with the one term at `at`, whose gradient entry is G[row, column]."""
        k.rewrite(h)

        def other(q: Goal) -> None:
            q.intro()
            different = list(q.seq.hyps)[-1]
            r, c = (row, last(q)) if row == "p" else (last(q), column)
            zero = q.split(q.apply(gradient, "t", r, c))[1]

            def unequal(x: Goal) -> None:
                x.contra("same")
                if row == "p":
                    x.clash("same", different)
                else:
                    x.split_all(x.apply(pattern, r))
                    y = x.have(f"{r} = i(q)", lambda z: (z.rewrite("same"), z.auto()))
                    x.clash(y, different)

            v = q.apply(zero, by=[unequal])
            q.rewrite(v)
            q.field()

        total = k.by_fact("sum_delta", 1, "n", at, f"lam l:Z. {body}", by=[None, None, other])
        here = k.split(k.apply(gradient, "t", row, column))[0]
        value = k.apply(here)
        k.field((total, "-1"), (value, f"-{'B(t)[q,j(p)]' if row == 'p' else 'A(t)[i(q),p]'}"))

    g.conj(
        lambda k: only(k, both[0], "G(t)[p,l]*B(t)[q,l]", "j(p)", "p", "j(p)"),
        lambda k: only(k, both[1], "A(t)[l,p]*G(t)[l,q]", "i(q)", "i(q)", "q"),
    )
