"""Proposition 1 (iii): the manifolds for 1, 2, ... vectors are not nested as sets with equality, but as sets with containment."""

from __future__ import annotations

from proofs.bai2024.invariant_manifolds import spans, within
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, refuted

SETTING = (
    "all d k j:Z, S:M(k,d), U:M(j-1,d), V:M(j,d). 1 <= d => 1 <= j => j <= k => k <= d => (all v:V(k). T(S) @ v = O(d,1) =>"
    " v = O(k,1)) =>"
    " (all i m:Z. 1 <= i and i <= j - 1 and 1 <= m and m <= d => U[i,m] = S[i,m]) =>"
    " (all i m:Z. 1 <= i and i <= j and 1 <= m and m <= d => V[i,m] = S[i,m]) =>"
)
"""S has the independent rows alpha_1..alpha_k; U and V have the first j - 1 and j of them."""


def nested(member: str, larger: str) -> str:
    """Strict inclusion of the set for U in that for V."""
    return f"(all A B:M(d,d). {member} => {larger}) and (ex A B:M(d,d). {larger} and not {member})"


@refuted(
    "bai2024.prop-1-hierarchy",
    f"{SETTING} {nested(spans('A', 'B', 'U', '(j-1)'), spans('A', 'B', 'V', 'j'))}",
    argument="fails",
    reason="with equality of the spaces the sets are disjoint: for d = k = j = 2 and the unit vectors A = B = [1,0; 0,0] has"
    " row(A) = span{e_1},"
    " so it is in Omega_1 and not in Omega_2",
)
def equal_spans_are_not_nested(g: Goal) -> None:
    """A = B = [1,0; 0,0] for the unit vectors of the plane."""
    e = "[[1,0],[0,0]]"
    g.witness("2", "2", "2", "I(2)", "[[1,0]]", "I(2)")

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "or":
            g.left_or_right(0)
            g.witness(e, e)
            g.conj(member, outside)
        elif c[0] == "all" and c[1][0][0] == "v":
            g.fix("v")
            h = g.assume()
            g.nc((h, 1, None, None))
        elif c[0] == "all":
            entries(g)
        else:
            g.auto()

    def entries(g: Goal) -> None:
        g.fix("i", "m")
        g.split(g.assume())
        if "mat" not in str(g.concl):
            g.refl()
            return
        one = g.have("i = 1", lambda g: g.antisym())
        g.rewrite(one)

        def column(v: int) -> Script:
            def script(g: Goal) -> None:
                if v == 2:
                    g.apply(g.fact("int_lt", 1, "m"))
                g.rewrite(g.have(f"m = {v}", lambda g: g.antisym()))
                g.field()

            return script

        g.em("m <= 1", column(1), column(2))

    def member(g: Goal) -> None:
        def factor(x: str) -> Script:
            def script(g: Goal) -> None:
                g.witness(x)
                g.ext(lambda g: g.field())

            return script

        g.conj(factor("[[1],[0]]"), factor("[[1,0]]"), factor("[[1,0]]"), factor("[[1],[0]]"))

    def outside(g: Goal) -> None:
        g.left_or_right(1)
        g.fix("X")
        eq = g.contra()
        left, right = g.hyp_formula(eq)[1:]
        k = g.have(("=", ("entry", left, 2, 2), ("entry", right, 2, 2)), lambda g: (g.rewrite(eq), g.refl()))
        g.pos([], eqs=[(k, "-1")])

    close(g)


@amendment(
    "bai2024.prop-1-hierarchy",
    f"{SETTING} {nested(within('A', 'B', 'U', '(j-1)'), within('A', 'B', 'V', 'j'))}",
    says="The sets of (A, B) with row(A) and col(B) contained in the span of the first j vectors increase strictly with j.",
)
def contained_spans_are_strictly_nested(g: Goal) -> None:
    """U = R V with the first j - 1 rows R of the identity. A matrix with alpha_j as first row is in the larger set only,
    because alpha_j is no
    combination of the earlier vectors."""
    g.fix()
    for name in ("size", "j_lo", "j_hi", "k_hi", "independent", "earlier", "all_"):
        g.assume(name)
    (r,) = g.obtain(g.fact("matrix_of_entries", "j-1", "j", "lam a:Z, b:Z. I(j)[a,b]"), "R")

    def select(g: Goal) -> None:
        g.extn("a", "b")
        e = g.apply(g.fact("mm_entry", "j-1", "j", "d", "R", "V"), "a", "b")
        k = g.fact("sum_delta", 1, "j", "a", "lam l:Z. R[a,l]*V[l,b]")

        def others(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            g.assume()
            u = g.apply(r, "a", "l")
            g.field((u, "V[l,b]"))

        g.have("a <= j")
        total = g.apply(k, by=[None, None, others])
        u = g.apply(r, "a", "a")
        v = g.apply("earlier", "a", "b")
        w = g.apply("all_", "a", "b")
        g.field((e, -1), (total, -1), (u, "-V[a,b]"), (v, 1), (w, -1))

    sel = g.have("U = R @ V", select)

    def larger(g: Goal) -> None:
        g.fix("A", "B")
        a, b = g.split(g.assume())
        x = g.obtain(a, "X")[0]
        y = g.obtain(b, "Y")[0]
        g.conj(
            lambda g: (g.witness("X @ R"), g.nc((x, 1, None, None), (sel, 1, "X", None))),
            lambda g: (g.witness("T(R) @ Y"), columns(g, y)),
        )

    def columns(g: Goal, y: str) -> None:
        turned = g.have("T(U) = T(R @ V)", lambda g: (g.rewrite(sel), g.refl()))
        g.nc((y, 1, None, None), (turned, 1, None, "Y"))

    def strict(g: Goal) -> None:
        (w,) = g.obtain(g.fact("matrix_of_entries", "d", "j", "lam a:Z, b:Z. I(j)[b,j]"), "w")
        g.witness("w @ V", "O(d,d)")

        def outside(g: Goal) -> None:
            g.assume("inside")
            a, _ = g.split("inside")
            x = g.obtain(a, "X")[0]
            (v,) = g.obtain(g.fact("matrix_of_entries", "k", 1, "lam a:Z, b:Z. X[1,a] - I(k)[a,j]"), "v")
            nothing = g.fact("entry_outside", "d", "j-1", "X")

            def kernel(g: Goal) -> None:
                g.extn("m", "c")
                one = g.have("c = 1", lambda g: g.antisym())
                g.rewrite(one)
                sv = g.apply(g.fact("mm_entry", "d", "k", 1, "T(S)", "v"), "m", "1")
                xu = g.apply(g.fact("mm_entry", "d", "j-1", "d", "X", "U"), "1", "m")
                wv = g.apply(g.fact("mm_entry", "d", "j", "d", "w", "V"), "1", "m")
                # (w V)[1,m] = S[j,m]
                k = g.fact("sum_delta", 1, "j", "j", "lam l:Z. w[1,l]*V[l,m]")

                def others(g: Goal) -> None:
                    g.fix("l")
                    g.split(g.assume())
                    g.assume()
                    u = g.apply(w, "1", "l")
                    g.field((u, "V[l,m]"))

                first = g.apply(k, by=[None, None, others])
                w1 = g.apply(w, "1", "j")
                g.have("j <= j")
                v1 = g.apply("all_", "j", "m")
                # T(S) v splits into the earlier rows, which give X U, row j, and nothing
                parts = g.by_fact(
                    "sum_ext",
                    1,
                    "k",
                    "lam l:Z. S[l,m]*v[l,1]",
                    "lam l:Z. S[l,m]*X[1,l] - S[l,m]*I(k)[l,j]",
                    by=[lambda g: term(g)],
                )
                g.have("j <= k")
                delta = g.fact("sum_delta", 1, "k", "j", "lam l:Z. S[l,m]*I(k)[l,j]")

                def elsewhere(g: Goal) -> None:
                    g.fix("l")
                    g.assume()
                    g.assume()
                    g.field()

                second = g.apply(delta, by=[None, None, elsewhere])
                split = g.by_fact("sum_split", 1, "j-1", "k", "lam l:Z. S[l,m]*X[1,l]")
                zero = g.by_fact("sum_ext", "j-1+1", "k", "lam l:Z. S[l,m]*X[1,l]", "lam l:Z. 0", by=[lambda g: beyond(g)])
                same = g.by_fact("sum_ext", 1, "j-1", "lam l:Z. S[l,m]*X[1,l]", "lam l:Z. X[1,l]*U[l,m]", by=[lambda g: early(g)])
                rows = g.have("(w @ V)[1,m] = (X @ U)[1,m]", lambda g: (g.rewrite(x), g.refl()))
                total = g.have(
                    "sum(l, 1, k, S[l,m]*v[l,1]) = 0",
                    lambda g: g.field(
                        (parts, 1),
                        (second, -1),
                        (split, 1),
                        (zero, 1),
                        (same, 1),
                        (xu, -1),
                        (rows, -1),
                        (wv, 1),
                        (first, 1),
                        (w1, "V[j,m]"),
                        (v1, 1),
                    ),
                )
                g.field((sv, 1), (total, 1))

            def term(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                u = g.apply(v, "l", "1")
                g.field((u, "S[l,m]"))

            def beyond(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                u = g.apply(nothing, "1", "l", by=[lambda g: (g.left_or_right(3), g.nlin(products=1))])
                g.field((u, "S[l,m]"))

            def early(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                u = g.apply("earlier", "l", "m")
                g.field((u, "-X[1,l]"))

            zero = g.apply("independent", "v", by=[kernel])
            entry = g.apply(v, "j", "1")
            none = g.apply(nothing, "1", "j", by=[lambda g: (g.left_or_right(3), g.nlin(products=1))])
            value = g.have("v[j,1] = 0", lambda g: (g.rewrite(zero), g.field()))
            g.pos([], eqs=[(value, "1"), (entry, "-1"), (none, "-1")])

        g.conj(
            lambda g: g.conj(lambda g: (g.witness("w"), g.refl()), lambda g: (g.witness("O(j,d)"), g.nc())),
            outside,
        )

    g.conj(larger, strict)
