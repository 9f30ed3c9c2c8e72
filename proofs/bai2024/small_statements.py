"""Short statements: depth three, sample statistics, the 2 x 2 examples of B.4, aligned spaces, sums over blocks, the Jacobian."""

from __future__ import annotations

from proofs.bai2024.loss import AUGMENTED
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted

INVERSES = "eftekhari2022.lemma-4-fosp"


@holds(
    "bai2024.b5-depth3-model",
    "all d i j:Z, A B C:M(d,d). (A @ B @ C)[i,j] = sum(p, 1, d, sum(q, 1, d, A[i,p]*B[p,q]*C[q,j]))",
    argument="sound",
    reading="the model is well formed, entry by entry",
)
def entries_of_three_factors(g: Goal) -> None:
    """The product of A and B C."""
    g.fix()
    one = g.apply(g.fact("mm_entry", "d", "d", "d", "A", "B @ C"), "i", "j")

    def term(g: Goal) -> None:
        g.fix("p")
        g.assume()
        k = g.apply(g.fact("mm_entry", "d", "d", "d", "B", "C"), "p", "j")

        def inner(g: Goal) -> None:
            g.fix("q")
            g.assume()
            g.field()

        s = g.by_fact("sum_ext", 1, "d", "lam q:Z. A[i,p]*(B[p,q]*C[q,j])", "lam q:Z. A[i,p]*B[p,q]*C[q,j]", by=[inner])
        g.field((k, "A[i,p]"), (s, 1))

    s = g.by_fact("sum_ext", 1, "d", "lam p:Z. A[i,p]*(B @ C)[p,j]", "lam p:Z. sum(q, 1, d, A[i,p]*B[p,q]*C[q,j])", by=[term])
    same = g.have("(A @ B @ C)[i,j] = (A @ (B @ C))[i,j]", lambda g: g.ctx(lambda g: g.nc()))
    g.field((same, 1), (one, 1), (s, 1))


@holds(
    "bai2024.b2-std-formula",
    """all n:Z, x:Z->R, m:R. 2 <= n => m = 1/n*sum(i, 1, n, x(i)) => 0 <= 1/(n-1)*sum(i, 1, n, (x(i) - m)^2) and
       sum(i, 1, n, x(i) - m) = 0""",
    argument="sound",
    reading="well-formed: the radicand is not negative for n >= 2, and the deviations from the mean add up to 0",
)
def mean_and_standard_deviation(g: Goal) -> None:
    """A sum of squares; the sum of n equal terms."""
    g.fix()
    g.assume()
    mean = g.assume()
    g.have("0 < n")
    g.have("0 < n - 1")
    squares = g.by_fact("sum_nonneg", 1, "n", "lam i:Z. (x(i) - m)^2", by=[lambda g: (g.fix("i"), g.assume(), g.auto())[-1]])
    constant = g.by_fact("sum_const", 1, "n", "m")

    def zero(g: Goal) -> None:
        g.field((constant, -1), (mean, "-n"))

    g.conj(lambda g: g.pos(["1/(n-1)", f"@{squares}"]), zero)


FOURTH = "(all x:R. det([[1,2],[3,x]]) = 0 <=> x = 6) and (all x:R. det([[1,2],[20,x]]) = 0 <=> x = 40)"


@refuted(
    "bai2024.b4-m4-m5",
    f"all M:M(2,2). M = [[1,2],[3,0]] => (M[1,1] = 3 or M[1,2] = 3) and {FOURTH}",
    argument="repaired",
    reading="the 3 that becomes 20 stands in the first row, and the fourth elements of rank-1 completions",
    reason="the 3 stands in the second row (and first column) of M_4",
)
def three_is_in_the_second_row(g: Goal) -> None:
    """The first row is 1, 2."""
    g.witness("[[1,2],[3,0]]")

    def first(g: Goal) -> None:
        eq = g.contra()
        g.pos(["2"], eqs=[(eq, 1)])

    def second(g: Goal) -> None:
        eq = g.contra()
        g.pos(["1"], eqs=[(eq, 1)])

    def no_three(g: Goal) -> None:
        g.left_or_right(0)
        g.conj(first, second)

    g.conj(Goal.refl, no_three)


@amendment(
    "bai2024.b4-m4-m5",
    f"[[1,2],[3,0]][2,1] = 3 and [[1,2],[20,0]][2,1] = 20 and {FOURTH} and (all x:R. rank([[1,2],[3,x]]) = 2 <=> x != 6) and"
    " (all x:R. rank([[1,2],[20,x]]) = 2 <=> x != 40)",
    says="The 3 in the second row becomes 20; the completions of rank below 2 have 6 and 40.",
)
def completions_of_rank_one(g: Goal) -> None:
    """The determinants are x - 6 and x - 40."""

    def det(g: Goal) -> None:
        g.fix("x")
        same: Script = lambda g: g.field((g.assume(), 1))  # noqa: E731
        g.iff(same, same)

    def rank(below: int, value: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("x")
            m = f"[[1,2],[{below},x]]"
            forward, back = g.split(g.by_fact("rank_full", "2", m))

            def there(g: Goal) -> None:
                full = g.assume()
                regular = g.apply(forward, by=[lambda g: g.close_by(full)])
                eq = g.contra()
                z = g.have(f"det({m}) = 0", lambda g: g.field((eq, 1)))
                g.clash(z, regular)

            def again(g: Goal) -> None:
                ne = g.assume()

                def regular(g: Goal) -> None:
                    z = g.contra()
                    k = g.have(f"x = {value}", lambda g: g.field((z, 1)))
                    g.clash(k, ne)

                g.close_by(g.apply(back, by=[regular]))

            g.iff(there, again)

        return script

    g.conj(lambda g: g.field(), lambda g: g.field(), det, det, rank(3, 6), rank(20, 40))


@holds(
    "bai2024.assertion-alignment-connected",
    f"""all d:Z, A B:M(d,d), W:M(d,2*d). 1 <= d => {AUGMENTED} => rank(A) = rank(W) => rank(B) = rank(W) =>
       (ex X:M(d,d). B = T(A) @ X) and (ex X:M(d,d). T(A) = B @ X)""",
    argument="sound",
    reading="W = [A^T, B] collects the rows of A and the columns of B (the amended definition; rank B^T = rank B); the column spaces of A^T and"
    " B contain each other",
    context="the rank of A is that of A^T [linear algebra]",
    uses=[INVERSES],
)
def equal_ranks_align_the_spaces(g: Goal) -> None:
    """W = U V with inner dimension rank W; the d columns of A^T (of B) have the same rank, so U is A^T R (B R')."""
    g.fix()
    g.assume()
    blocks = g.assume()
    a_rank, b_rank = g.assume(), g.assume()
    low = g.split(g.by_fact("rank_bounds", "d", "2*d", "W"))[0]
    (w,) = g.obtain(g.by_fact("rank_factor", "d", "2*d", "rank(W)", "W", by=[lambda g: g.close_by(low), None]), "U", "V")
    (e,) = g.obtain(g.fact("matrix_of_entries", "2*d", "d", "lam i:Z, j:Z. I(2*d)[i,j]"), "J", split=False)
    (f,) = g.obtain(g.fact("matrix_of_entries", "2*d", "d", "lam i:Z, j:Z. I(2*d)[i,d+j]"), "K", split=False)

    def columns(g: Goal, name: str, rule: str, shift: str, target: str, which: int) -> str:
        def script(g: Goal) -> None:
            g.extn("i", "j")
            at = f"{shift}j"
            g.have(f"{at} <= 2*d", lambda g: g.nlin(products=1))
            g.have(f"1 <= {at}", lambda g: g.nlin(products=1))
            m = g.apply(g.fact("mm_entry", "d", "2*d", "d", "W", name), "i", "j")

            def others(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                g.assume()
                v = g.apply(rule, "l", "j")
                g.field((v, "W[i,l]"))

            s = g.by_fact("sum_delta", 1, "2*d", at, f"lam l:Z. W[i,l]*{name}[l,j]", by=[None, None, others])
            v = g.apply(rule, at, "j")
            k = g.split(g.apply("blocks", "i", "j"))[which]
            g.field((m, 1), (s, 1), (v, f"W[i,{at}]"), (k, 1))

        return g.have(f"W @ {name} = {target}", script)

    g.have(g.hyp_formula(blocks), lambda g: g.close_by(blocks), name="blocks")
    left, right = columns(g, "J", e, "", "T(A)", 0), columns(g, "K", f, "d+", "B", 1)

    def same_rank(g: Goal) -> None:
        """rank(A^T) = rank(A): each is at most the other, by a factorisation."""
        g.antisym(lambda g: bounded(g, "T(A)", "A"), lambda g: bounded(g, "A", "T(A)"))

    def bounded(g: Goal, x: str, y: str) -> None:
        low_ = g.split(g.by_fact("rank_bounds", "d", "d", y))[0]
        (h,) = g.obtain(g.by_fact("rank_factor", "d", "d", f"rank({y})", y, by=[lambda g: g.close_by(low_), None]), "P", "Q")
        t = g.have(f"{x} = T(Q) @ T(P)", lambda g: g.nc((turned(g, h), 1, None, None)))
        p = g.split(g.fact("rank_product", "d", f"rank({y})", "d", "T(Q)", "T(P)"))[0]
        b = g.split(g.by_fact("rank_bounds", "d", f"rank({y})", "T(Q)"))[2]
        p = g.rewritten(p, g.have(f"T(Q) @ T(P) = {x}", lambda g: g.nc((t, -1, None, None))))
        g.pos([f"@{p}"], [f"@{b}"])

    def turned(g: Goal, h: str) -> str:
        _, a, b = g.hyp_formula(h)
        return g.have(("=", ("T", a), ("T", b)), lambda g: (g.rewrite(h), g.refl())[-1])

    flipped = g.have("rank(T(A)) = rank(A)", same_rank)
    at_rank = g.have("rank(T(A)) = rank(W)", lambda g: g.field((flipped, 1), (a_rank, 1)))

    def spans(g: Goal, x: str, name: str, known: str, rank: str) -> str:
        """Adds U = x R for some R."""

        def some(g: Goal) -> None:
            product = g.split(g.fact("rank_product", "d", "rank(W)", "d", "U", f"V @ {name}"))[1]
            whole = g.have(
                ("=", g.hyp_formula(product)[1][2], g.term(x)), lambda g: g.nc((w, -1, None, name), (known, 1, None, None))
            )
            product = g.rewritten(product, whole)
            most = g.split(g.by_fact("rank_bounds", "rank(W)", "d", f"V @ {name}"))[1]
            full = g.have(
                f"rank(V @ {name}) = rank(W)",
                lambda g: g.antisym(lambda g: g.close_by(most), lambda g: g.pos([f"@{product}"], eqs=[(rank, 1)])),
            )

            def positive(g: Goal) -> None:
                one = above(g)
                inverse = g.lemma(
                    INVERSES,
                    "part:right-inverse",
                    "d",
                    "rank(W)",
                    f"V @ {name}",
                    by=[None, lambda g: g.pos([f"@{one}"]), lambda g: g.close_by(full)],
                )
                r = g.obtain(inverse, "R")[0]
                g.witness("R")
                g.nc((known, 1, None, "R"), (w, -1, None, f"{name} @ R"), (r, -1, "U", None))

            def above(g: Goal) -> str:
                h = last(g)
                return g.by_fact("int_lt", "0", "rank(W)", by=[lambda g: g.close_by(h)])

            def none(g: Goal) -> None:
                eq = last(g)
                g.witness("O(d,rank(W))")
                g.extn("i", "j")
                g.contra()
                lo = next(h for h, c in g.seq.hyps.items() if c == ("<=", 1, "j"))
                hi = next(h for h, c in g.seq.hyps.items() if c[0] == "<=" and c[1] == "j")
                g.pos([f"@{lo}"], [f"@{hi}"], [], eqs=[(eq, 1)])

            g.cases(g.by_fact("lt_or_eq", "0", "rank(W)", by=[lambda g: g.close_by(low)]), positive, none)

        return g.obtain(g.have(f"ex R:M(d,rank(W)). U = {x} @ R", some), "R1" if name == "J" else "R2", split=False)[0]

    one, two = spans(g, "T(A)", "J", left, at_rank), spans(g, "B", "K", right, b_rank)
    g.conj(
        lambda g: (g.witness("R1 @ V @ K"), g.nc((right, -1, None, None), (w, 1, None, "K"), (one, 1, None, "V @ K")))[-1],
        lambda g: (g.witness("R2 @ V @ J"), g.nc((left, -1, None, None), (w, 1, None, "J"), (two, 1, None, "V @ J")))[-1],
    )


@holds(
    "bai2024.thm-a6-step-loss-split",
    """all d m:Z, P X:M(d,d), f g:(Z,Z)->R. 0 <= m =>
       (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => P[i,j] = sum(p, 1, m, f(p,i)*g(p,j))) =>
       sum(i, 1, d, sum(j, 1, d, P[i,j]*X[i,j]^2)) = sum(p, 1, m, sum(i, 1, d, sum(j, 1, d, f(p,i)*g(p,j)*X[i,j]^2)))""",
    argument="sound",
    reading="X = A B - M; f(p,.) and g(p,.) are the indicators of the rows and columns of block p, and the observations are the complete blocks",
)
def loss_is_a_sum_over_blocks(g: Goal) -> None:
    """Exchange the sums."""
    g.fix()
    g.assume()
    pattern = g.assume()
    inner = "f(p,i)*g(p,j)*X[i,j]^2"

    def row(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())

        def entry(g: Goal) -> None:
            g.fix("j")
            g.split(g.assume())
            k = g.apply(pattern, "i", "j")
            g.field((k, "X[i,j]^2"))

        s = g.by_fact("sum_ext", 1, "d", "lam j:Z. P[i,j]*X[i,j]^2", f"lam j:Z. sum(p, 1, m, {inner})", by=[entry])
        w = g.fact("sum_swap", 1, "d", 1, "m", f"lam j:Z, p:Z. {inner}")
        g.field((s, 1), (w, 1))

    s = g.by_fact(
        "sum_ext", 1, "d", "lam i:Z. sum(j, 1, d, P[i,j]*X[i,j]^2)", f"lam i:Z. sum(p, 1, m, sum(j, 1, d, {inner}))", by=[row]
    )
    w = g.fact("sum_swap", 1, "d", 1, "m", f"lam i:Z, p:Z. sum(j, 1, d, {inner})")
    g.rewrite(s)
    g.rewrite(w)
    g.refl()


@holds(
    "bai2024.eq-29",
    """all d i j:Z, A B E F:M(d,d). 1 <= i and i <= d and 1 <= j and j <= d =>
       D(u, ((A + u*E) @ (B + u*F))[i,j], 0) = sum(a, 1, d, sum(l, 1, d, I(d)[i,a]*B[l,j]*E[a,l])) +
         sum(l, 1, d, sum(b, 1, d, A[i,l]*I(d)[j,b]*F[l,b]))""",
    argument="sound",
    reading="the column (i,j) of the Jacobian pairs with a direction (E, F) as written: I (x) B_c for the rows of A, and A_c^T (x) I for B row by"
    " row, the order that the display implies (elsewhere the paper orders B by columns)",
)
def jacobian_of_the_output(g: Goal) -> None:
    """The derivative is (E B + A F)_ij."""
    g.fix()
    g.split(g.assume())
    d = g.have("D(u, ((A + u*E) @ (B + u*F))[i,j], 0) = (E @ B)[i,j] + (A @ F)[i,j]", lambda g: g.field())
    one = g.apply(g.fact("mm_entry", "d", "d", "d", "E", "B"), "i", "j")
    two = g.apply(g.fact("mm_entry", "d", "d", "d", "A", "F"), "i", "j")

    def other_rows(g: Goal) -> None:
        g.fix("a")
        g.split(g.assume())
        ne = g.assume()

        def back(g: Goal) -> None:
            eq = g.contra()
            k = g.have("a = i", lambda g: g.field((eq, -1)))
            g.clash(k, ne)

        g.have("i != a", back)
        s = g.by_fact(
            "sum_ext",
            1,
            "d",
            "lam l:Z. I(d)[i,a]*B[l,j]*E[a,l]",
            "lam l:Z. 0",
            by=[lambda g: (g.fix("l"), g.assume(), g.field())[-1]],
        )
        g.field((s, 1))

    first = g.by_fact("sum_delta", 1, "d", "i", "lam a:Z. sum(l, 1, d, I(d)[i,a]*B[l,j]*E[a,l])", by=[None, None, other_rows])
    here = g.by_fact(
        "sum_ext",
        1,
        "d",
        "lam l:Z. I(d)[i,i]*B[l,j]*E[i,l]",
        "lam l:Z. E[i,l]*B[l,j]",
        by=[lambda g: (g.fix("l"), g.assume(), g.field())[-1]],
    )

    def inner(g: Goal) -> None:
        g.fix("l")
        g.assume()

        def others(g: Goal) -> None:
            g.fix("b")
            g.split(g.assume())
            ne = g.assume()

            def back(g: Goal) -> None:
                eq = g.contra()
                k = g.have("b = j", lambda g: g.field((eq, -1)))
                g.clash(k, ne)

            g.have("j != b", back)
            g.field()

        t = g.by_fact("sum_delta", 1, "d", "j", "lam b:Z. A[i,l]*I(d)[j,b]*F[l,b]", by=[None, None, others])
        g.field((t, 1))

    second = g.by_fact("sum_ext", 1, "d", "lam l:Z. sum(b, 1, d, A[i,l]*I(d)[j,b]*F[l,b])", "lam l:Z. A[i,l]*F[l,j]", by=[inner])
    g.field((d, 1), (one, 1), (two, 1), (first, -1), (here, -1), (second, -1))
