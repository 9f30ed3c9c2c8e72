"""Proposition A.9 and Theorem A.6: sign matrices, orthogonal changes of variables, traces and nuclear norms."""

from __future__ import annotations

from proofs.bai2024.setting import last
from proofs.shin2025.entries_of_2x2 import by_entry
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

CLAIM = "bai2024.thm-a6-step-final-trace"


def half_norm(x: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({x}) @ ({x}))"


ROTATED = (
    "all m n k:Z, A:M(m,k), B:M(k,n), M S:M(m,n), U:M(m,m), V:M(n,n). T(U) @ U = I(m) => T(V) @ V = I(n) => M = U @ S @ T(V) =>"
)


@holds(
    "bai2024.thm-a6-step-rotated-loss",
    f"{ROTATED} {half_norm('T(U) @ A @ B @ V - S')} = {half_norm('A @ B - M')}",
    argument="sound",
    reading="one block, of any shape and inner width; U and V are square and orthogonal",
)
def loss_of_the_rotated_factors(g: Goal) -> None:
    """U^T (A B - M) V is the rotated residual."""
    g.fix()
    u, v, m = g.assume(), g.assume(), g.assume()
    uu = g.split(g.by_fact("inv_unique", "m", "T(U)", "U", by=[lambda g: g.close_by(u)]))[1]
    vv = g.split(g.by_fact("inv_unique", "n", "T(V)", "V", by=[lambda g: g.close_by(v)]))[1]
    (e,) = g.obtain(g.have("ex E:M(m,n). E = A @ B - M", lambda g: (g.witness("A @ B - M"), g.refl())[-1]), "E", split=False)
    rotated = g.have(
        "T(U) @ A @ B @ V - S = T(U) @ E @ V",
        lambda g: g.nc((e, -1, "T(U)", "V"), (m, 1, "T(U)", "V"), (u, 1, None, "S @ T(V) @ V"), (v, 1, "S", None)),
    )
    g.rewrite(rotated)
    g.rewrite(e, back=True)
    a = g.have("T(T(U) @ E @ V) @ (T(U) @ E @ V) = T(V) @ T(E) @ E @ V", lambda g: g.nc((uu, 1, "T(V) @ T(E)", "E @ V")))
    b = g.have("T(E) @ E @ V @ T(V) = T(E) @ E", lambda g: g.nc((vv, 1, "T(E) @ E", None)))
    one = g.have(f"{half_norm('T(U) @ E @ V')} = tr(T(V) @ T(E) @ E @ V)", lambda g: (g.rewrite(a), g.refl())[-1])
    two = g.have("tr(T(E) @ E @ V @ T(V)) = tr(T(E) @ E)", lambda g: (g.rewrite(b), g.refl())[-1])
    g.field((one, 1), (two, 1))


@holds(
    "bai2024.thm-a6-step-equivariance",
    """all m n k:Z, A:R~>M(m,k), B:R~>M(k,n), M S:M(m,n), U:M(m,m), V:M(n,n). T(U) @ U = I(m) => T(V) @ V = I(n) => M = U @ S @ T(V) =>
       (all t:R. 0 <= t => A'(t) = -((A(t) @ B(t) - M) @ T(B(t))) and B'(t) = -(T(A(t)) @ (A(t) @ B(t) - M))) =>
       (all t:R. 0 <= t => T(U) @ A'(t) = -((T(U) @ A(t) @ B(t) @ V - S) @ T(B(t) @ V)) and
         B'(t) @ V = -(T(T(U) @ A(t)) @ (T(U) @ A(t) @ B(t) @ V - S)))""",
    argument="sound",
    reading="the rotated factors T(U) A and B V of a gradient flow follow the gradient flow of the rotated loss (for half the squared norm)",
)
def rotated_flows_are_flows(g: Goal) -> None:
    """U^T (A B - M) V = U^T A B V - S, and V V^T = I, U U^T = I."""
    g.fix()
    u, v, m, flow = g.assume(), g.assume(), g.assume(), g.assume()
    uu = g.split(g.by_fact("inv_unique", "m", "T(U)", "U", by=[lambda g: g.close_by(u)]))[1]
    vv = g.split(g.by_fact("inv_unique", "n", "T(V)", "V", by=[lambda g: g.close_by(v)]))[1]
    g.fix("t")
    g.assume()
    a, b = g.split(g.apply(flow, "t"))

    def first(g: Goal) -> None:
        g.nc(
            (a, 1, "T(U)", None),
            (vv, 1, "T(U) @ A(t) @ B(t)", "T(B(t))"),
            (m, 1, "T(U)", "T(B(t))"),
            (u, 1, None, "S @ T(V) @ T(B(t))"),
        )

    def second(g: Goal) -> None:
        g.nc(
            (b, 1, None, "V"),
            (uu, 1, "T(A(t))", "A(t) @ B(t) @ V"),
            (m, 1, "T(A(t))", "V"),
            (v, 1, "T(A(t)) @ U @ S", None),
        )

    g.conj(first, second)


@refuted(
    "bai2024.thm-a6-step-svd",
    "all n:Z, M S U V:M(n,n). T(U) @ U = I(n) => T(V) @ V = I(n) => (all i j:Z. i != j => S[i,j] = 0) => M = U @ S @ T(V) => U @ M @ T(V) = S",
    argument="repaired",
    reading="one block (for several blocks the matrices are block diagonal)",
    reason="the factors are on the wrong sides: for M = U S V^T it is U^T M V that equals S: n = 2, U = [0,-1; 1,0], V = I, S = [2,0; 0,1], where"
    " U M V^T = -S",
)
def rotation_on_the_wrong_side(g: Goal) -> None:
    """U^2 = -I."""
    g.witness("2", "[[0,-1],[2,0]]", "[[2,0],[0,1]]", "[[0,-1],[1,0]]", "I(2)")

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "all":
            diagonal(g)
        elif c[0] == "!=":
            eq = g.contra()
            left, right = g.hyp_formula(eq)[1:]
            k = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: g.ctx(lambda g: g.close_by(eq)))
            g.pos(["4"], eqs=[(k, 1)])
        else:
            g.ext(lambda g: g.field())

    def diagonal(g: Goal) -> None:
        g.fix("i", "j")
        ne = g.assume()
        k = g.fact("entry_outside", 2, 2, "[[2,0],[0,1]]")

        def outside(g: Goal) -> None:
            h = last(g)
            g.close_by(g.apply(k, "i", "j", by=[lambda g: g.close_by(h)]))

        def inside(g: Goal) -> None:
            g.split_all(last(g))

            def place(g: Goal, hi: str, i: int, hj: str, j: int) -> None:
                if i == j:
                    eq = g.have("i = j", lambda g: g.field((hi, 1), (hj, -1)))
                    g.clash(eq, ne)
                else:
                    g.rewrite(hi)
                    g.rewrite(hj)
                    g.field()

            by_entry(g, place)

        g.em("i < 1 or 2 < i or j < 1 or 2 < j", outside, inside)

    close(g)


@amendment(
    "bai2024.thm-a6-step-svd",
    "all m n:Z, M S:M(m,n), U:M(m,m), V:M(n,n). T(U) @ U = I(m) => T(V) @ V = I(n) => M = U @ S @ T(V) => T(U) @ M @ V = S",
    says="It is U^T M V that is diagonal.",
)
def rotation_that_diagonalises(g: Goal) -> None:
    """Substitute."""
    g.fix()
    u, v, m = g.assume(), g.assume(), g.assume()
    g.nc((m, 1, "T(U)", "V"), (u, 1, None, "S @ T(V) @ V"), (v, 1, "S", None))


@part(
    CLAIM,
    "norm",
    """all n k:Z, A:M(n,k), B:M(k,n), U V:M(n,n). 0 <= n => T(U) @ U = I(n) => T(V) @ V = I(n) => B @ V = T(T(U) @ A) =>
       nuc(A @ B) = tr(T(U) @ A @ T(T(U) @ A))""",
    says="if the rotated factors are transposes of each other, the nuclear norm of the product is the trace of the rotated product",
)
def nuclear_norm_of_a_symmetric_product(g: Goal) -> None:
    """The product of factors has at most the mean of their squared norms, and at least the pairing with U V^T."""
    g.fix()
    g.assume()
    u, v, equal = g.assume(), g.assume(), g.assume()
    uu = g.split(g.by_fact("inv_unique", "n", "T(U)", "U", by=[lambda g: g.close_by(u)]))[1]
    vv = g.split(g.by_fact("inv_unique", "n", "T(V)", "V", by=[lambda g: g.close_by(v)]))[1]
    top = g.fact("nuc_factors", "n", "k", "n", "A", "B")
    b_is = g.have("B = T(A) @ U @ T(V)", lambda g: g.nc((vv, -1, "B", None), (equal, 1, None, "T(V)")))
    value = "tr(T(U) @ A @ T(T(U) @ A))"
    one = g.have("T(A) @ U @ T(U) @ A = T(A) @ A", lambda g: g.nc((uu, 1, "T(A)", "A")))
    size_a = g.have("tr(T(A) @ U @ T(U) @ A) = tr(T(A) @ A)", lambda g: (g.rewrite(one), g.refl())[-1])
    two = g.have(
        "B @ T(B) = T(A) @ A",
        lambda g: g.nc(
            (b_is, 1, None, "T(B)"),
            (turned(g, b_is), 1, "T(A) @ U @ T(V)", None),
            (v, 1, "T(A) @ U", "T(U) @ A"),
            (uu, 1, "T(A)", "A"),
        ),
    )
    size_b = g.have("tr(B @ T(B)) = tr(T(A) @ A)", lambda g: (g.rewrite(two), g.refl())[-1])

    def contraction(g: Goal) -> None:
        h = g.fact("spec_least", "n", "n", "1", "U @ T(V)")

        def stretch(g: Goal) -> None:
            g.fix("w")
            same = g.have(
                "T(U @ T(V) @ w) @ (U @ T(V) @ w) = T(w) @ w",
                lambda g: g.nc((u, 1, "T(w) @ V", "T(V) @ w"), (vv, 1, "T(w)", "w")),
            )
            t = g.have("tr(T(U @ T(V) @ w) @ (U @ T(V) @ w)) = tr(T(w) @ w)", lambda g: (g.rewrite(same), g.refl())[-1])
            g.pos(eqs=[(t, -1)])

        g.close_by(g.apply(h, by=[None, stretch]))

    low = g.by_fact("nuc_pairing", "n", "n", "A @ B", "U @ T(V)", by=[contraction])
    three = g.have("V @ T(U) @ A @ B = V @ T(U) @ A @ T(A) @ U @ T(V)", lambda g: g.nc((b_is, 1, "V @ T(U) @ A", None)))
    pair = g.have("tr(V @ T(U) @ A @ B) = tr(V @ T(U) @ A @ T(A) @ U @ T(V))", lambda g: (g.rewrite(three), g.refl())[-1])
    four = g.have("T(V) @ V @ T(U) @ A @ T(A) @ U = T(U) @ A @ T(A) @ U", lambda g: g.nc((v, 1, None, "T(U) @ A @ T(A) @ U")))
    cyclic = g.have("tr(T(V) @ V @ T(U) @ A @ T(A) @ U) = tr(T(U) @ A @ T(A) @ U)", lambda g: (g.rewrite(four), g.refl())[-1])
    total = g.have(f"{value} = tr(T(A) @ A)", lambda g: g.field((size_a, 1)))
    g.antisym(
        lambda g: g.pos([f"@{top}"], eqs=[(size_b, "-1/2"), (total, 1)]),
        lambda g: g.pos([f"@{low}"], eqs=[(pair, 1), (cyclic, 1)]),
    )


def turned(g: Goal, h: str) -> str:
    """The transposed equation."""
    _, a, b = g.hyp_formula(h)
    return g.have(("=", ("T", a), ("T", b)), lambda g: (g.rewrite(h), g.refl())[-1])


@holds(
    CLAIM,
    """all n k:Z, A:M(n,k), B:M(k,n), S U V:M(n,n). 0 <= n => T(U) @ U = I(n) => T(V) @ V = I(n) => B @ V = T(T(U) @ A) =>
       (all i:Z. (T(U) @ A @ (B @ V))[i,i] = S[i,i] and 0 <= S[i,i]) =>
       (all i:Z. (T(U) @ A @ T(T(U) @ A))[i,i] = S[i,i]) and tr(T(U) @ A @ T(T(U) @ A)) = tr(S) and tr(S) = sum(i, 1, n, abs(S[i,i])) and
       nuc(A @ B) = sum(i, 1, n, abs(S[i,i]))""",
    argument="sound",
    reading="U^T A and B V are the rotated factors, S = Sigma with the entries mu_i >= 0",
)
def trace_and_nuclear_norm(g: Goal) -> None:
    """The diagonal of the rotated product is that of Sigma."""
    g.fix()
    names = [g.assume() for _ in range(4)]
    diagonal = g.assume()
    same = g.have("T(U) @ A @ (B @ V) = T(U) @ A @ T(T(U) @ A)", lambda g: g.nc((names[3], 1, "T(U) @ A", None)))
    (x,) = g.obtain(
        g.have("ex X:M(n,n). X = T(U) @ A @ T(T(U) @ A)", lambda g: (g.witness("T(U) @ A @ T(T(U) @ A)"), g.refl())[-1]),
        "X",
        split=False,
    )

    def entry(g: Goal) -> None:
        g.fix("i")
        k = g.split(g.apply(diagonal, "i"))[0]
        left = g.hyp_formula(k)[1][1]
        e = g.have(("=", left, "X"), lambda g: g.nc((same, 1, None, None), (x, -1, None, None)))
        f = g.have(("=", ("entry", left, "i", "i"), ("entry", "X", "i", "i")), lambda g: g.ctx(lambda g: g.close_by(e)))
        g.field((f, -1), (k, 1))

    every = g.have("all i:Z. X[i,i] = S[i,i]", entry)
    t, s = g.fact("tr_entries", "n", "X"), g.fact("tr_entries", "n", "S")
    equal = g.by_fact(
        "sum_ext",
        1,
        "n",
        "lam i:Z. X[i,i]",
        "lam i:Z. S[i,i]",
        by=[lambda g: (g.fix("i"), g.assume(), g.close_by(g.apply(every, "i")))[-1]],
    )
    traces = g.have("tr(X) = tr(S)", lambda g: g.field((t, 1), (equal, 1), (s, -1)))

    def absolute(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.split(g.apply(diagonal, "i"))
        g.field()

    a = g.by_fact("sum_ext", 1, "n", "lam i:Z. S[i,i]", "lam i:Z. abs(S[i,i])", by=[absolute])
    total = g.have("tr(S) = sum(i, 1, n, abs(S[i,i]))", lambda g: g.field((s, 1), (a, 1)))
    norm = g.lemma(CLAIM, "part:norm", "n", "k", "A", "B", "U", "V", by=[lambda g, h=h: g.close_by(h) for h in names])
    norm = g.have("nuc(A @ B) = tr(X)", lambda g: (g.rewrite(x), g.close_by(norm))[-1])

    def entries(g: Goal) -> None:
        g.rewrite(x, back=True)
        g.close_by(every)

    def trace(g: Goal) -> None:
        g.rewrite(x, back=True)
        g.close_by(traces)

    g.conj(entries, trace, lambda g: g.close_by(total), lambda g: g.field((norm, 1), (traces, 1), (total, 1)))


SIGNS = """(all i:Z. s(i)^2 = 1) => (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => Q[i,j] = I(d)[i,j]*s(i) and B[i,j] = s(j)*A[j,i]) =>"""


@holds(
    "bai2024.prop-a9-step-sign-factor",
    f"all d:Z, A B Q:M(d,d), s:Z->R. {SIGNS} A @ B = A @ T(A) @ Q and T(Q) @ Q = I(d)",
    argument="sound",
    reading="s(i) = sign(mu_i) and Q the diagonal matrix of the signs",
)
def factorisation_with_signs(g: Goal) -> None:
    """B = A^T Q column by column."""
    g.fix()
    signs, entries = g.assume(), g.assume()

    def scaled(g: Goal, x: str, i: str, j: str) -> str:
        """Adds (x Q)[i,j] = x[i,j] s(j)."""
        m = g.apply(g.fact("mm_entry", "d", "d", "d", x, "Q"), i, j)

        def others(g: Goal) -> None:
            g.fix("q")
            g.split(g.assume())
            g.assume()
            k = g.split(g.apply(entries, "q", j))[0]
            g.field((k, f"({x})[{i},q]"))

        t = g.by_fact("sum_delta", 1, "d", j, f"lam q:Z. ({x})[{i},q]*Q[q,{j}]", by=[None, None, others])
        k = g.split(g.apply(entries, j, j))[0]
        return g.have(f"({x} @ Q)[{i},{j}] = ({x})[{i},{j}]*s({j})", lambda g: g.field((m, 1), (t, 1), (k, f"({x})[{i},{j}]")))

    def second(g: Goal) -> None:
        g.extn("i", "j")
        k = scaled(g, "T(A)", "i", "j")
        e = g.split(g.apply(entries, "i", "j"))[1]
        g.field((k, -1), (e, 1))

    b = g.have("B = T(A) @ Q", second)

    def orthogonal(g: Goal) -> None:
        g.extn("i", "j")
        k = scaled(g, "T(Q)", "i", "j")
        e = g.split(g.apply(entries, "j", "i"))[0]

        def same(g: Goal) -> None:
            eq = last(g)
            square = g.apply(signs, "j")
            one = g.have("I(d)[j,i] = 1", lambda g: (g.rewrite(eq), g.field())[-1])
            two = g.have("I(d)[i,j] = 1", lambda g: (g.rewrite(eq), g.field())[-1])
            g.field((k, 1), (e, "s(j)"), (one, "s(j)^2"), (square, 1), (two, -1))

        def differ(g: Goal) -> None:
            ne = last(g)

            def back(g: Goal) -> None:
                eq = g.contra()
                k = g.have("i = j", lambda g: g.field((eq, -1)))
                g.clash(k, ne)

            g.have("j != i", back)
            g.field((k, 1), (e, "s(j)"))

        g.em("i = j", same, differ)

    g.conj(lambda g: g.nc((b, 1, "A", None)), orthogonal)


@holds(
    "bai2024.prop-a9-step-residual-diagonal",
    """all d:Z, P A B M:M(d,d). (all i j:Z. i != j => P[i,j] = 0) => all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => i != j =>
       had(P, A @ B - M)[i,j] = 0""",
    argument="sound",
    reading="at any point, critical or not: off the diagonal nothing is observed",
)
def residual_of_a_diagonal_pattern(g: Goal) -> None:
    """The mask is 0 there."""
    g.fix()
    off = g.assume()
    g.fix("i", "j")
    g.assume()
    ne = g.assume()
    z = g.apply(off, "i", "j", by=[lambda g: g.close_by(ne)])
    g.field((z, "(A @ B - M)[i,j]"))


EMBEDDED = """(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => U[i,j] = A[i,j] and U[d+i,j] = B[j,i]) =>"""


@holds(
    "bai2024.sec-a3-symmetric-embedding",
    f"""all d:Z, A B:M(d,d), U:M(2*d,d). 1 <= d => {EMBEDDED} all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d =>
       (U @ T(U))[i,j] = (A @ T(A))[i,j] and (U @ T(U))[i,d+j] = (A @ B)[i,j] and (U @ T(U))[d+i,j] = (T(B) @ T(A))[i,j] and
       (U @ T(U))[d+i,d+j] = (T(B) @ B)[i,j]""",
    argument="sound",
)
def blocks_of_the_embedding(g: Goal) -> None:
    """Entry by entry."""
    g.fix()
    g.assume()
    shape = g.assume()
    g.fix("i", "j")
    g.split(g.assume())

    def block(row: str, column: str, left: str, right: str, a: str, b: str, upper: tuple[bool, bool]) -> Script:
        def script(g: Goal) -> None:
            m = g.apply(g.fact("mm_entry", "2*d", "d", "2*d", "U", "T(U)"), row, column)
            w = g.apply(g.fact("mm_entry", "d", "d", "d", left, right), "i", "j")

            def term(g: Goal) -> None:
                g.fix("q")
                g.split(g.assume())
                x = g.split(g.apply(shape, "i", "q"))[0 if upper[0] else 1]
                y = g.split(g.apply(shape, "j", "q"))[0 if upper[1] else 1]
                g.field((x, f"U[{column},q]"), (y, a))

            s = g.by_fact("sum_ext", 1, "d", f"lam q:Z. U[{row},q]*U[{column},q]", f"lam q:Z. {a}*{b}", by=[term])
            g.field((m, 1), (s, 1), (w, -1))

        return script

    g.conj(
        block("i", "j", "A", "T(A)", "A[i,q]", "A[j,q]", (True, True)),
        block("i", "d+j", "A", "B", "A[i,q]", "B[q,j]", (True, False)),
        block("d+i", "j", "T(B)", "T(A)", "B[q,i]", "A[j,q]", (False, True)),
        block("d+i", "d+j", "T(B)", "B", "B[q,i]", "B[q,j]", (False, False)),
    )


@holds(
    "bai2024.sec-a3-embedded-loss",
    "all d:Z, A B:M(d,d), L:M(d,d)->R. 1/2*L(A @ B) + 1/2*L(T(T(B) @ T(A))) = L(A @ B)",
    argument="sound",
    reading="the upper right block of U U^T is A B and the lower left one B^T A^T, see the symmetric embedding; for any loss L",
)
def embedded_loss_at_the_embedding(g: Goal) -> None:
    """Both blocks carry the same product."""
    g.fix()
    same = g.have("T(T(B) @ T(A)) = A @ B", lambda g: g.nc())
    g.rewrite(same)
    g.field()


@holds(
    "bai2024.prop-a9-step-sign-trace",
    f"""all d:Z, A B M Q:M(d,d), s:Z->R. 0 <= d => {SIGNS} (all i:Z. s(i)*M[i,i] = abs(M[i,i])) => (all i:Z. (A @ B)[i,i] = M[i,i]) =>
       (all i:Z. 1 <= i and i <= d => (A @ T(A) @ Q)[i,i] = M[i,i] and (A @ T(A))[i,i] = (Q @ M)[i,i]) and
       tr(A @ T(A)) = tr(Q @ M) and tr(Q @ M) = sum(i, 1, d, abs(M[i,i])) and nuc(A @ B) = sum(i, 1, d, abs(M[i,i]))""",
    argument="sound",
    reading="s(i) = sign(mu_i), Q the diagonal matrix of the signs, W = A B = A A^T Q; M has the diagonal mu",
    uses=["bai2024.prop-a9-step-sign-factor", CLAIM],
)
def trace_with_signs(g: Goal) -> None:
    """Multiply row i by the sign; the nuclear norm is the trace of A A^T, as for rotated blocks with U = I and V = Q^T."""
    g.fix()
    low, signs, entries, absolute, diagonal = (g.assume() for _ in range(5))
    h = g.lemma(
        "bai2024.prop-a9-step-sign-factor",
        "statement",
        "d",
        "A",
        "B",
        "Q",
        "s",
        by=[lambda g, h=h: g.close_by(h) for h in (signs, entries)],
    )
    product, unit = g.split(h)
    right = g.split(g.by_fact("inv_unique", "d", "T(Q)", "Q", by=[lambda g: g.close_by(unit)]))[1]

    def scaled(g: Goal, left: bool, x: str) -> str:
        """Adds (x Q)[i,i] = x[i,i] s(i) or (Q x)[i,i] = s(i) x[i,i]."""
        m = g.apply(g.fact("mm_entry", "d", "d", "d", *(("Q", x) if left else (x, "Q"))), "i", "i")

        def others(g: Goal) -> None:
            g.fix("q")
            g.split(g.assume())
            ne = g.assume()

            def back(g: Goal) -> None:
                eq = g.contra()
                k = g.have("q = i", lambda g: g.field((eq, -1)))
                g.clash(k, ne)

            g.have("i != q", back)
            k = g.split(g.apply(entries, *(("i", "q") if left else ("q", "i"))))[0]
            g.field((k, f"({x})[q,i]" if left else f"({x})[i,q]"))

        body = f"Q[i,q]*({x})[q,i]" if left else f"({x})[i,q]*Q[q,i]"
        t = g.by_fact("sum_delta", 1, "d", "i", f"lam q:Z. {body}", by=[None, None, others])
        k = g.split(g.apply(entries, "i", "i"))[0]
        text = f"(Q @ {x})[i,i]" if left else f"({x} @ Q)[i,i]"
        return g.have(f"{text} = s(i)*({x})[i,i]", lambda g: g.field((m, 1), (t, 1), (k, f"({x})[i,i]")))

    (x,) = g.obtain(g.have("ex X:M(d,d). X = A @ T(A)", lambda g: (g.witness("A @ T(A)"), g.refl())[-1]), "X", split=False)
    whole = g.have("A @ B = X @ Q", lambda g: g.nc((product, 1, None, None), (x, -1, None, "Q")))

    def entry(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        own = g.apply(diagonal, "i")
        e = g.have("(A @ B)[i,i] = (X @ Q)[i,i]", lambda g: g.ctx(lambda g: g.close_by(whole)))
        one, two = scaled(g, False, "X"), scaled(g, True, "M")
        square = g.apply(signs, "i")
        g.conj(
            lambda g: g.field((e, -1), (own, 1)),
            lambda g: g.field((square, "-X[i,i]"), (one, "-s(i)"), (e, "-s(i)"), (own, "s(i)"), (two, -1)),
        )

    every = g.have("all i:Z. 1 <= i and i <= d => (X @ Q)[i,i] = M[i,i] and X[i,i] = (Q @ M)[i,i]", entry)

    def term(second: bool) -> Script:
        def script(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            if second:
                two = scaled(g, True, "M")
                k = g.apply(absolute, "i")
                g.field((two, 1), (k, 1))
            else:
                g.close_by(g.split(g.apply(every, "i"))[1])

        return script

    t, w = g.fact("tr_entries", "d", "X"), g.fact("tr_entries", "d", "Q @ M")
    a = g.by_fact("sum_ext", 1, "d", "lam i:Z. X[i,i]", "lam i:Z. (Q @ M)[i,i]", by=[term(False)])
    b = g.by_fact("sum_ext", 1, "d", "lam i:Z. (Q @ M)[i,i]", "lam i:Z. abs(M[i,i])", by=[term(True)])
    first = g.have("tr(X) = tr(Q @ M)", lambda g: (g.rewrite(t), g.rewrite(w), g.close_by(a))[-1])
    second = g.have("tr(Q @ M) = sum(i, 1, d, abs(M[i,i]))", lambda g: (g.rewrite(w), g.close_by(b))[-1])

    def columns(g: Goal) -> None:
        """B Q^T = A^T, entry by entry."""
        g.extn("i", "j")
        m = g.apply(g.fact("mm_entry", "d", "d", "d", "B", "T(Q)"), "i", "j")

        def others(g: Goal) -> None:
            g.fix("q")
            g.split(g.assume())
            ne = g.assume()

            def back(g: Goal) -> None:
                eq = g.contra()
                k = g.have("q = j", lambda g: g.field((eq, -1)))
                g.clash(k, ne)

            g.have("j != q", back)
            k = g.split(g.apply(entries, "j", "q"))[0]
            g.field((k, "B[i,q]"))

        d = g.by_fact("sum_delta", 1, "d", "j", "lam q:Z. B[i,q]*Q[j,q]", by=[None, None, others])
        k = g.split(g.apply(entries, "j", "j"))[0]
        e = g.split(g.apply(entries, "i", "j"))[1]
        square = g.apply(signs, "j")
        g.field((m, 1), (d, 1), (k, "B[i,j]"), (e, "s(j)"), (square, "A[j,i]"))

    turned_ = g.have("B @ T(Q) = T(A)", columns)
    norm = g.lemma(
        CLAIM,
        "part:norm",
        *("d", "d", "A", "B", "I(d)", "T(Q)"),
        by=[
            lambda g: g.close_by(low),
            lambda g: g.nc(),
            lambda g: g.nc((right, 1, None, None)),
            lambda g: g.nc((turned_, 1, None, None)),
        ],
    )
    value = g.have("nuc(A @ B) = tr(X)", lambda g: (g.rewrite(x), g.field((norm, 1)))[-1])

    def diagonals(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        one, two = g.split(g.apply(every, "i"))
        e = g.have("(A @ T(A) @ Q)[i,i] = (X @ Q)[i,i]", lambda g: g.ctx(lambda g: g.nc((x, -1, None, "Q"))))
        f = g.have("(A @ T(A))[i,i] = X[i,i]", lambda g: (g.rewrite(x), g.refl())[-1])
        g.conj(lambda g: g.field((e, 1), (one, 1)), lambda g: g.field((f, 1), (two, 1)))

    g.conj(
        diagonals,
        lambda g: (g.rewrite(x, back=True), g.close_by(first))[-1],
        lambda g: g.close_by(second),
        lambda g: g.field((value, 1), (first, 1), (second, 1)),
    )
