"""Equation (34): a member of Omega_{k+1} as a sum of Kronecker products."""

from __future__ import annotations

from proofs.bai2024.invariant_manifolds import within
from proofs.bai2024.vectorised_members import VEC
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

REPRESENTED = "A = X @ V + y @ w => B = T(V) @ T(Y) + T(w) @ T(z)"
STACKED = (
    "(all a m:Z. 1 <= a and a <= d and 1 <= m and m <= k => C[a,m] = X[a,m] and C[d+a,m] = Y[a,m]) =>"
    " (all a:Z. 1 <= a and a <= d => e[a,1] = y[a,1] and e[d+a,1] = z[a,1]) =>"
)
"""The columns of C are c_1, ..., c_k = (beta_i; gamma_i), and e = c_{k+1}."""


@holds(
    "bai2024.eq-34",
    f"""all d k n:Z, V:M(k,d), w:M(1,d), X Y:M(d,k), y z:V(d), A B:M(d,d), C:M(n,k), e:V(n), x:V(n*d). 1 <= d => 0 <= k => n = 2*d =>
       {REPRESENTED} => {STACKED} {VEC} =>
       (all a b:Z. 1 <= a and a <= n and 1 <= b and b <= d => x[(a-1)*d+b,1] = sum(i, 1, k, C[a,i]*V[i,b]) + e[a,1]*w[1,b]) and
       {within("(X @ V)", "(T(V) @ T(Y))")} and {within("(y @ w)", "(T(w) @ T(z))", "w", "1")}""",
    argument="sound",
    reading="vec((A, B)) lists the rows of A and then the columns of B, and (33) is taken as amended, with the columns of B: A = sum beta_i alpha_i^T,"
    " B = sum alpha_i gamma_i^T; the rows of V are alpha_1, ..., alpha_k, and w is alpha_{k+1}. Membership as in (32): containment in the span",
    context="equation (33) in its amended form, as it is refuted as printed [eq-33]",
)
def member_as_a_sum_of_products(g: Goal) -> None:
    """Entry by entry, for rows of A and for columns of B."""
    g.fix()
    g.assume()
    g.assume()
    g.assume()
    a_is, b_is = g.assume(), g.assume()
    stacked, extra, shape = g.assume(), g.assume(), g.assume()

    def entries(g: Goal) -> None:
        g.fix("a", "b")
        g.split(g.assume())

        def terms(g: Goal, row: str, other: str, place: str, last_: int) -> str:
            def term(g: Goal) -> None:
                g.fix("i")
                g.split(g.assume())
                c = g.split(g.apply(stacked, place, "i"))[last_]
                g.field((c, "V[i,b]"))

            return g.by_fact("sum_ext", 1, "k", f"lam i:Z. C[{row},i]*V[i,b]", f"lam i:Z. {other}*V[i,b]", by=[term])

        def first(g: Goal) -> None:
            s = g.split(g.apply(shape, "a", "b"))[0]
            value = g.have("A[a,b] = (X @ V + y @ w)[a,b]", lambda g: (g.rewrite(a_is), g.refl())[-1])
            m = g.apply(g.fact("mm_entry", "d", "k", "d", "X", "V"), "a", "b")
            t = terms(g, "a", "X[a,i]", "a", 0)
            c = g.split(g.apply(extra, "a"))[0]
            g.field((s, 1), (value, 1), (m, 1), (t, -1), (c, "-w[1,b]"))

        def second(g: Goal) -> None:
            h = list(g.seq.hyps)[-1]
            up = g.apply(g.fact("int_lt", "d", "a"), by=[lambda g: g.close_by(h)])
            g.have("1 <= a-d", lambda g: g.pos([f"@{up}"]))
            g.have("a-d <= d", lambda g: g.nlin(products=1))
            s = g.split(g.apply(shape, "a-d", "b"))[1]
            same = g.have("x[(a-1)*d+b,1] = x[(d+(a-d)-1)*d+b,1]", lambda g: g.ctx(lambda g: g.field()))
            value = g.have("B[b,a-d] = (T(V) @ T(Y) + T(w) @ T(z))[b,a-d]", lambda g: (g.rewrite(b_is), g.refl())[-1])
            m = g.apply(g.fact("mm_entry", "d", "k", "d", "T(V)", "T(Y)"), "b", "a-d")
            t = terms(g, "d+(a-d)", "Y[a-d,i]", "a-d", 1)
            move = g.have("d+(a-d) = a", lambda g: g.field())
            t = g.rewritten(t, move)
            c = g.rewritten(g.split(g.apply(extra, "a-d"))[1], move)
            g.field((same, 1), (s, 1), (value, 1), (m, 1), (t, -1), (c, "-w[1,b]"))

        g.em("a <= d", first, second)

    def inside(a: str, b: str) -> Script:
        return lambda g: g.conj(
            lambda g: (g.witness(a), g.refl())[-1],
            lambda g: (g.witness(b), g.refl())[-1],
        )

    g.conj(entries, inside("X", "T(Y)"), inside("y", "T(z)"))
