"""Sections 1 to 3: the completion problem, the model, the objective and its gradient."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import CORE, MASK, n2
from verify.kernel import Goal
from verify.registry import holds

MASKED = "M is the indicator matrix of Omega."


@holds(
    "shin2025.eq-1",
    """all p q:R, W:M(2,2). had([[1,0],[0,1]], W - [[p,0],[0,q]]) = O(2,2) <=> (W[1,1] = p and W[2,2] = q)""",
    argument="sound",
    reading="p and q are the two observed values. The completion problem: the matrices that agree with the observations.",
)
def the_diagonal_problem(g: Goal) -> None:
    """By entries."""
    g.fix("p", "q", "W")
    m = "had([[1,0],[0,1]], W - [[p,0],[0,q]])"

    def forward(g: Goal) -> None:
        h = g.assume()

        def entry(k: int) -> str:
            e = g.have(f"{m}[{k},{k}] = O(2,2)[{k},{k}]", lambda g: (g.rewrite(h), g.refl())[-1])
            return g.have(f"W[{k},{k}] = {'p' if k == 1 else 'q'}", lambda g: g.field((e, 1)))

        entry(1)
        entry(2)
        g.conj()

    def backward(g: Goal) -> None:
        a, b = g.split_all(g.assume())
        g.ext(lambda g: g.nlin(use=[a, b], cofactors=[1]))

    g.iff(forward, backward)


@holds(
    "shin2025.assertion-intro-underdetermined",
    f"""all d:Z, M Z:M(d,d), k l:Z. {MASK} => 1 <= k and k <= d and 1 <= l and l <= d => M[k,l] = 0 =>
        ex W:R->M(d,d). all s u:R. had(M, W(s) - Z) = O(d,d) and (s != u => W(s) != W(u))""",
    argument="sound",
    reading=f"{MASKED} (k,l) is an unobserved entry. There are infinitely many completions: one for each real number.",
)
def one_completion_for_each_number(g: Goal) -> None:
    """Change the entry (k,l) of the ground truth by s."""
    hs = g.intro()
    zero = hs[-1]
    (e,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam i:Z, j:Z. I(d)[i,k]*I(d)[l,j]"), "E")
    g.witness("lam s:R. Z + s*E")
    g.fix("s", "u")

    def agrees(g: Goal) -> None:
        g.extn()
        at = g.apply(e, "i", "j")

        def here(g: Goal) -> None:
            a = list(g.seq.hyps)[-1]

            def entry(g: Goal) -> None:
                b = list(g.seq.hyps)[-1]
                m = g.have("M[i,j] = 0", lambda g: (g.rewrite(a), g.rewrite(b), g.close_by(zero))[-1])
                g.field((m, "s*E[i,j]"))

            g.em("j = l", entry, lambda g: away(g, "I(d)[l,j]", "I(d)[i,k]"))

        def away(g: Goal, delta: str, other: str) -> None:
            z = g.have(f"{delta} = 0", lambda g: g.field(side={"l != j" if "l" in delta.split("[")[1] else "i != k": apart}))
            g.field((at, "M[i,j]*s"), (z, f"M[i,j]*s*{other}"))

        g.em("i = k", here, lambda g: away(g, "I(d)[i,k]", "I(d)[l,j]"))

    def apart(g: Goal) -> None:
        h = [n for n, f in g.seq.hyps.items() if f[0] == "!="][-1]
        eq = g.contra()
        k = g.have(("=", *g.hyp_formula(h)[1:]), lambda g: g.nlin(use=[eq]))
        g.clash(k, h)

    def differ(g: Goal) -> None:
        d = g.assume()
        h = g.contra()
        one = g.have("E[k,l] = 1", lambda g: (x := g.apply(e, "k", "l"), g.field((x, 1)))[-1])
        x = g.have("(Z + s*E)[k,l] = (Z + u*E)[k,l]", lambda g: (g.rewrite(h), g.refl())[-1])
        z = g.have("s = u", lambda g: g.field((x, 1), (one, "u - s")))
        g.clash(z, d)

    g.conj(agrees, differ)


@holds(
    "shin2025.eq-5",
    """all d p q:Z, W3:M(d,q), W2:M(q,p), W1:M(p,d), i j:Z.
       (W3 @ W2 @ W1)[i,j] = sum(k, 1, q, sum(l, 1, p, W3[i,k]*W2[k,l]*W1[l,j]))""",
    argument="sound",
    reading="q = d_2, p = d_1.",
)
def entry_of_a_triple_product(g: Goal) -> None:
    """Two matrix products."""
    g.intro()
    a = g.apply(g.fact("mm_entry", "d", "q", "d", "W3", "W2 @ W1"), "i", "j")
    e = g.have("W3 @ W2 @ W1 = W3 @ (W2 @ W1)", lambda g: g.nc())

    def term(g: Goal) -> None:
        (k,) = g.fix("k")
        g.assume()
        m = g.apply(g.fact("mm_entry", "q", "p", "d", "W2", "W1"), k, "j")
        g.rewrite(m)
        g.field()

    h = g.by_fact(
        "sum_ext", "1", "q", "lam k:Z. W3[i,k]*(W2 @ W1)[k,j]", "lam k:Z. sum(l, 1, p, W3[i,k]*W2[k,l]*W1[l,j])", by=[term]
    )
    g.rewrite(e)
    g.rewrite(a)
    g.close_by(h)


@holds(
    "shin2025.def-product-model",
    """all d p:Z, A:M(d,p), B:M(p,d), i j:Z. (A @ B)[i,j] = sum(k, 1, p, A[i,k]*B[k,j])""",
    argument="sound",
    reading="The model is well-formed: consecutive widths agree, the product is a d x d matrix with these entries; "
    "written for L = 2 (equation (5) is L = 3), the general product is built factor by factor.",
)
def entry_of_a_product(g: Goal) -> None:
    """The definition of the matrix product."""
    g.intro()
    a = g.apply(g.fact("mm_entry", "d", "p", "d", "A", "B"), "i", "j")
    g.close_by(a)


@holds(
    "shin2025.eq-2",
    f"""all d:Z, M W Z:M(d,d). {MASK} => sum(i, 1, d, sum(j, 1, d, M[i,j]*(W[i,j] - Z[i,j])^2))/2 = {n2("had(M, W - Z)")}/2""",
    argument="sound",
    reading=f"{MASKED} The objective is well-formed; the right side is the form in which the proofs use it.",
)
def objective_as_a_norm(g: Goal) -> None:
    """The squared Frobenius norm by entries; an indicator is its own square."""
    (m,) = g.intro()
    f = g.fact("frobenius_entries", "d", "d", "had(M, W - Z)")

    def row(g: Goal) -> None:
        (i,) = g.fix("i")
        g.split_all(g.assume())

        def entry(g: Goal) -> None:
            (j,) = g.fix("j")
            g.split_all(g.assume())
            c = f"(W[{i},{j}] - Z[{i},{j}])^2"
            g.cases(
                g.apply(m, i, j),
                lambda g: g.field((list(g.seq.hyps)[-1], f"(1 - M[{i},{j}])*{c}")),
                lambda g: g.field((list(g.seq.hyps)[-1], f"-M[{i},{j}]*{c}")),
            )

        h = g.by_fact(
            "sum_ext", "1", "d", f"lam j:Z. M[{i},j]*(W[{i},j] - Z[{i},j])^2", f"lam j:Z. had(M, W - Z)[{i},j]^2", by=[entry]
        )
        g.close_by(h)

    h = g.by_fact(
        "sum_ext",
        "1",
        "d",
        "lam i:Z. sum(j, 1, d, M[i,j]*(W[i,j] - Z[i,j])^2)",
        "lam i:Z. sum(j, 1, d, had(M, W - Z)[i,j]^2)",
        by=[row],
    )
    g.field((h, "1/2"), (f, "-1/2"))


@holds(
    "shin2025.eq-3",
    f"""all d p q:Z, Q:M(d,p), W H:M(p,q), P:M(q,d), M Z:M(d,d). {MASK} =>
        D(u, {n2("had(M, Q @ (W + u*H) @ P - Z)")}/2, 0) = tr(T(T(Q) @ had(M, Q @ W @ P - Z) @ T(P)) @ H)""",
    argument="sound",
    uses=[CORE],
    reading=f"{MASKED} Q = W_L ... W_(l+1), W = W_l, P = W_(l-1) ... W_1. The gradient of the objective in W_l is "
    "Q^T R P^T with the masked residual R, so the flow (3) is well-formed and reads W_l' = -Q^T R P^T.",
)
def gradient_in_one_layer(g: Goal) -> None:
    """The derivative in the direction H; the projection on the observed entries is self-adjoint and idempotent."""
    (m,) = g.intro()
    x = "Q @ W @ P - Z"
    e = g.differentiate("u", f"{n2('had(M, Q @ (W + u*H) @ P - Z)')}/2", "0")
    z = g.have(f"Q @ (W + 0*H) @ P - Z = {x}", lambda g: g.nc())
    i = g.lemma(CORE, "part:mask-idempotent", "d", "M", x)
    a = g.lemma(CORE, "part:mask-adjoint", "d", "M", f"had(M, {x})", "Q @ H @ P")
    a = g.rewritten(a, i)
    g.rewrite(e)
    g.rewrite(z)
    g.field((a, -1))


@holds(
    "shin2025.assertion-alignment-rank1",
    """all n:Z, A:M(2,n), B:M(n,2). (ex y:V(2). y != O(2,1) and T(y) @ A = O(1,n)) or (ex x:V(2). x != O(2,1) and B @ x = O(n,1)) =>
       rank(A @ B) <= 1""",
    argument="sound",
    reading="Two vectors are parallel when a combination with coefficients that are not both zero vanishes.",
)
def aligned_factors_have_rank_one(g: Goal) -> None:
    """A non-zero vector in the kernel of A B or of its transpose: the determinant is 0, so the rank is less than 2."""
    g.fix()
    h = g.assume()
    det = g.by_fact("rank_full", 2, "A @ B")
    b = g.by_fact("rank_bounds", 2, 2, "A @ B")
    _, two, _ = g.split(b)
    forward = g.split(det)[0]

    def full(g: Goal) -> str:
        return g.apply(forward)

    def rows(g: Goal) -> None:
        y0, y = g.obtain(list(g.seq.hyps)[-1], "y")
        d = full(g)
        i = g.by_fact("inv_right", 2, "A @ B")
        z = g.have("T(y) = O(1,2)", lambda g: g.nc((y, 1, None, "B @ inv(A @ B)"), (i, -1, "T(y)", None)))
        v = g.have("y = O(2,1)", lambda g: g.exact(g.have("T(T(y)) = O(2,1)", lambda g: (g.rewrite(z), g.nc())[-1]), by=[lambda g: g.nc()]))
        g.clash(v, y0)
        del d

    def columns(g: Goal) -> None:
        x0, x = g.obtain(list(g.seq.hyps)[-1], "x")
        d = full(g)
        i = g.by_fact("inv_left", 2, "A @ B")
        v = g.have("x = O(2,1)", lambda g: g.nc((x, 1, "inv(A @ B) @ A", None), (i, -1, None, "x")))
        g.clash(v, x0)
        del d

    def is_two(g: Goal) -> None:
        g.cases(h, rows, columns)

    def less(g: Goal) -> None:
        n = list(g.seq.hyps)[-1]
        lt = g.have("rank(A @ B) < 2", lambda g: g.cases(g.by_fact("lt_or_eq", "rank(A @ B)", "2"), None, lambda g: g.clash(list(g.seq.hyps)[-1], n)))
        k = g.apply(g.fact("int_lt", "rank(A @ B)", "2"))
        g.pos([f"@{k}"])
        del lt

    g.em("rank(A @ B) = 2", lambda g: (g.have("false", is_two), g.auto())[-1], less)
    del two


@holds(
    "shin2025.assertion-c1-full-observation",
    f"""(all d:Z, W Z:M(d,d). {n2("had(J(d,d), W - Z)")} = 0 => W = Z and rank(W) = rank(Z)) and
        not (all d:Z, M W Z:M(d,d). {MASK} => {n2("had(M, W - Z)")} = 0 => rank(W) = rank(Z))""",
    argument="sound",
    reading=f"{MASKED} With full observation it is J. Zero loss: the masked residual has norm 0.",
)
def full_observation_fixes_the_rank(g: Goal) -> None:
    """With all entries observed zero loss means W = Z; with none of the entries of a 1 x 1 matrix observed, W = 1 and Z = 0."""

    def full(g: Goal) -> None:
        (h,) = g.intro()
        z = g.by_fact("frobenius_zero", "d", "d", "had(J(d,d), W - Z)")

        def equal(g: Goal) -> None:
            g.extn()
            e = g.have("had(J(d,d), W - Z)[i,j] = O(d,d)[i,j]", lambda g: (g.rewrite(z), g.refl())[-1])
            g.field((e, 1))

        w = g.have("W = Z", equal)
        g.conj(None, lambda g: (g.rewrite(w), g.refl())[-1])
        del h

    def partial(g: Goal) -> None:
        h = g.assume()
        k = g.apply(h, "1", "O(1,1)", "[[1]]", "O(1,1)", by=[lambda g: (g.fix(), g.left_or_right(0), g.field())[-1], None])
        e = g.have("rank([[1]]) = 1", lambda g: g.compute())
        z = g.have("rank(O(1,1)) = 0", lambda g: g.compute())
        g.pos(["1"], eqs=[(k, -1), (e, 1), (z, -1)])

    g.conj(full, partial)
