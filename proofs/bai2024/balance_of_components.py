"""Theorem 4: what the flow conserves in each component of the observations."""

from __future__ import annotations

from proofs.bai2024.graphs import PATTERN
from proofs.bai2024.invariant_manifolds import FLOW
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

SELECT = "(all i j:Z. i != j => R[i,j] = 0 and C[i,j] = 0) and (all i j:Z. P[i,j] = 1 => R[i,i] = C[j,j])"
"""R and C are diagonal with entries that agree along observed entries (1 on one component, 0 elsewhere, say)."""


@part(
    "bai2024.thm-4",
    "conserved",
    f"""all d:Z, n:R, P M:M(d,d), R C:M(d,d), A B:R~>M(d,d). 1 <= d => 0 < n => {PATTERN} => {SELECT} => {FLOW} =>
        (all t:R. 0 <= t => T(A(t)) @ R @ A(t) - B(t) @ C @ T(B(t)) = T(A(0)) @ R @ A(0) - B(0) @ C @ T(B(0)))""",
    says="For every component p the matrix A_p^T A_p - B_p B_p^T of its rows of A and columns of B is conserved.",
)
def balance_of_a_component_is_conserved(g: Goal) -> None:
    """R X = X C for the masked residual X, because observed entries join equal labels; so the derivative vanishes."""
    g.fix()
    for name in ("size", "count", "binary", "select", "flow"):
        g.assume(name)
    off, equal = g.split("select")
    laws = g.split("flow")

    def commute(g: Goal) -> None:
        g.fix("X")
        g.extn("i", "j")
        left = g.apply(g.fact("mm_entry", "d", "d", "d", "R", "had(P, X)"), "i", "j")
        right = g.apply(g.fact("mm_entry", "d", "d", "d", "had(P, X)", "C"), "i", "j")
        one = g.fact("sum_delta", 1, "d", "i", "lam l:Z. R[i,l]*had(P, X)[l,j]")
        two = g.fact("sum_delta", 1, "d", "j", "lam l:Z. had(P, X)[i,l]*C[l,j]")

        def rows(g: Goal) -> None:
            g.fix("l")
            g.assume()
            ne = g.assume()
            g.have("i != l", lambda g: swapped(g, ne))
            a, _ = g.split(g.apply(off, "i", "l"))
            g.field((a, "had(P, X)[l,j]"))

        def columns(g: Goal) -> None:
            g.fix("l")
            g.assume()
            g.assume()
            _, b = g.split(g.apply(off, "l", "j"))
            g.field((b, "had(P, X)[i,l]"))

        a = g.apply(one, by=[None, None, rows])
        b = g.apply(two, by=[None, None, columns])
        sides = g.have("R[i,i]*had(P, X)[i,j] = had(P, X)[i,j]*C[j,j]", meet)
        g.rewrite(left)
        g.rewrite(right)
        g.rewrite(a)
        g.rewrite(b)
        g.close_by(sides)

    def meet(g: Goal) -> None:
        def zero(g: Goal) -> None:
            z = list(g.seq.hyps)[-1]
            g.field((z, "X[i,j]*(R[i,i] - C[j,j])"))

        def one(g: Goal) -> None:
            k = g.apply(equal, "i", "j")
            g.field((k, "had(P, X)[i,j]"))

        g.cases(g.apply("binary", "i", "j"), zero, one)

    g.have("all X:M(d,d). R @ had(P, X) = had(P, X) @ C", commute, name="commute")

    def symmetric(name: str) -> Script:
        def script(g: Goal) -> None:
            g.extn("i", "j")

            def same(g: Goal) -> None:
                g.rewrite(list(g.seq.hyps)[-1])
                g.field()

            def differ(g: Goal) -> None:
                ne = list(g.seq.hyps)[-1]
                g.have("j != i", lambda g: swapped(g, ne))
                a = g.split(g.apply(off, "i", "j"))
                b = g.split(g.apply(off, "j", "i"))
                k = 0 if name == "R" else 1
                g.field((b[k], 1), (a[k], -1))

            g.em("i = j", same, differ)

        return script

    g.have("T(R) = R", symmetric("R"), name="r_symmetric")
    g.have("T(C) = C", symmetric("C"), name="c_symmetric")
    balance = "T(A(t)) @ R @ A(t) - B(t) @ C @ T(B(t))"
    k = g.fact("constant_matrix", "d", "d", 0, f"lam t:R. {balance}")

    def still(g: Goal) -> None:
        g.fix("t")
        g.assume()
        x = "had(P, A(t) @ B(t) - M)"
        a = g.apply(laws[0], "t")
        b = g.apply(laws[1], "t")
        w = g.apply("commute", "A(t) @ B(t) - M")
        ta = g.have(f"T(A'(t)) = T(-(2/n*({x} @ T(B(t)))))", lambda g: (g.rewrite(a), g.refl()))
        tb = g.have(f"T(B'(t)) = T(-(2/n*(T(A(t)) @ {x})))", lambda g: (g.rewrite(b), g.refl()))
        tw = g.have(f"T(R @ {x}) = T({x} @ C)", lambda g: (g.rewrite(w), g.refl()))
        g.nc(
            (ta, 1, None, "R @ A(t)"),
            (a, 1, "T(A(t)) @ R", None),
            (b, -1, None, "C @ T(B(t))"),
            (tb, -1, "B(t) @ C", None),
            (w, "-2/n", "T(A(t))", "T(B(t))"),
            (tw, "-2/n", "B(t)", "A(t)"),
            ("r_symmetric", "2/n", f"B(t) @ T({x})", "A(t)"),
            ("c_symmetric", "-2/n", "B(t)", f"T({x}) @ A(t)"),
        )

    h = g.apply(k, by=[None, still])
    g.close_by(h)


def swapped(g: Goal, ne: str) -> None:
    """u != v from v != u."""
    eq = g.contra()
    a, b = g.hyp_formula(ne)[1:]
    back = g.have(("=", a, b), lambda g: g.field((eq, -1)))
    g.clash(back, ne)
