"""Lemma A.5: the least nuclear norm with a prescribed diagonal, by duality."""

from __future__ import annotations

from proofs.bai2024.component_blocks import swapped
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

DUALITY, BOUND, LEMMA = "bai2024.lemma-a5-step-duality", "bai2024.lemma-a5-step-lower-bound", "bai2024.lemma-a5"


@holds(
    DUALITY,
    """all m n:Z, A:M(m,n). (all X:M(m,n). spec(X) <= 1 => tr(T(A) @ X) <= nuc(A)) and
       (ex X:M(m,n). spec(X) <= 1 and tr(T(A) @ X) = nuc(A))""",
    reading="the maximum exists and is the nuclear norm (the sum of the singular values)",
)
def nuclear_norm_is_dual_to_the_spectral_norm(g: Goal) -> None:
    """With the polar decomposition A = Z S the value tr(S) is attained at Z, and nuc(A) <= tr(S) by the factors Z R and R of A, where
    R^2 = S."""
    g.fix()

    def below(g: Goal) -> None:
        g.fix("X")
        small = g.assume()
        k = g.by_fact("nuc_pairing", "m", "n", "A", "X", by=[lambda g: g.close_by(small)])
        e = g.have("tr(T(A) @ X) = tr(T(X) @ A)", lambda g: g.field())
        g.pos([f"@{k}"], eqs=[(e, -1)])

    def attained(g: Goal) -> None:
        a, s, symmetric, positive, small = g.obtain(g.fact("polar_decomposition", "m", "n", "A"), "Z", "S")
        root = g.by_fact(
            "psd_root_exists", "n", "2", "S", by=[None, lambda g: g.close_by(symmetric), lambda g: g.close_by(positive)]
        )
        r, _, square = g.obtain(root, "R")
        square = g.have("R @ R = S", lambda g: g.nc((square, 1, None, None)))
        up = g.fact("nuc_factors", "m", "n", "n", "Z @ R", "R")
        product = g.have("Z @ R @ R = A", lambda g: g.nc((square, 1, "Z", None), (a, -1, None, None)))
        whole = g.have("nuc(Z @ R @ R) = nuc(A)", lambda g: (g.rewrite(product), g.refl())[-1])
        one = g.have("tr(T(Z @ R) @ (Z @ R)) = tr(S)", lambda g: first(g, r, a, s, square))
        two = g.have("tr(T(R) @ R) = tr(S)", lambda g: second(g, r, square))
        low = g.by_fact("nuc_pairing", "m", "n", "A", "Z", by=[lambda g: g.close_by(small)])
        value = g.have("tr(T(Z) @ A) = tr(S)", lambda g: (g.rewrite(s), g.refl())[-1])
        turned = g.have("tr(T(A) @ Z) = tr(T(Z) @ A)", lambda g: g.field())
        g.witness("Z")

        def equal(g: Goal) -> None:
            g.antisym(
                lambda g: g.pos([f"@{low}"], eqs=[(turned, -1)]),
                lambda g: g.pos([f"@{up}"], eqs=[(whole, 1), (one, "-1/2"), (two, "-1/2"), (value, 1), (turned, 1)]),
            )

        g.conj(lambda g: g.close_by(small), equal)

    def first(g: Goal, r: str, a: str, s: str, square: str) -> None:
        g.replace("tr(T(Z @ R) @ (Z @ R))", "tr(T(Z) @ Z @ (R @ T(R)))", lambda g: g.field())
        zs = g.have(
            "T(Z) @ Z @ (R @ T(R)) = S",
            lambda g: g.nc(
                (r, 1, "T(Z) @ Z @ R", None), (square, 1, "T(Z) @ Z", None), (a, -1, "T(Z)", None), (s, 1, None, None)
            ),
        )
        g.rewrite(zs)
        g.refl()

    def second(g: Goal, r: str, square: str) -> None:
        e = g.have("T(R) @ R = S", lambda g: g.nc((r, 1, None, "R"), (square, 1, None, None)))
        g.rewrite(e)
        g.refl()

    g.conj(below, attained)


DIAGONAL = "(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => {x}[i,j] = I(d)[i,j]*{v})"
NORM = "sum(i, 1, d, abs(v[i,1]))"


@part(
    BOUND,
    "diagonal-trace",
    f"""all d:Z, D X:M(d,d), s:Z->R. {DIAGONAL.format(x="D", v="s(i)")} => tr(T(D) @ X) = sum(i, 1, d, s(i)*X[i,i])""",
    says="the inner product with a diagonal matrix",
)
def inner_product_with_a_diagonal_matrix(g: Goal) -> None:
    """Only the diagonal counts."""
    g.fix()
    h = g.assume()
    t = g.fact("tr_entries", "d", "T(D) @ X")

    def row(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        m = g.apply(g.fact("mm_entry", "d", "d", "d", "T(D)", "X"), "i", "i")

        def others(g: Goal) -> None:
            (q,) = g.fix("q")
            g.split(g.assume())
            g.assume()
            v = g.apply(h, q, "i")
            g.field((v, f"X[{q},i]"))

        s = g.by_fact("sum_delta", 1, "d", "i", "lam q:Z. D[q,i]*X[q,i]", by=[None, None, others])
        v = g.apply(h, "i", "i")
        g.field((m, 1), (s, 1), (v, "X[i,i]"))

    s = g.by_fact("sum_ext", 1, "d", "lam i:Z. (T(D) @ X)[i,i]", "lam i:Z. s(i)*X[i,i]", by=[row])
    g.field((t, 1), (s, 1))


@part(
    BOUND,
    "contraction",
    f"""all d:Z, D:M(d,d), s:Z->R. {DIAGONAL.format(x="D", v="s(i)")} => (all i:Z. s(i)^2 <= 1) => spec(D) <= 1""",
    says="a diagonal matrix with entries between -1 and 1",
)
def small_diagonal_matrices_are_contractions(g: Goal) -> None:
    """No vector is stretched."""
    g.fix()
    h, small = g.assume(), g.assume()

    def vectors(g: Goal) -> None:
        g.fix("v")
        a = g.fact("frobenius_entries", "d", 1, "D @ v")
        b = g.fact("frobenius_entries", "d", 1, "v")

        def row(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            m = g.apply(g.fact("mm_entry", "d", "d", 1, "D", "v"), "i", "1")

            def others(g: Goal) -> None:
                (q,) = g.fix("q")
                g.split(g.assume())
                g.assume()
                g.have(f"i != {q}", swapped)
                k = g.apply(h, "i", q)
                g.field((k, f"v[{q},1]"))

            s = g.by_fact("sum_delta", 1, "d", "i", "lam q:Z. D[i,q]*v[q,1]", by=[None, None, others])
            k = g.apply(h, "i", "i")
            value = g.have("(D @ v)[i,1] = s(i)*v[i,1]", lambda g: g.field((m, 1), (s, 1), (k, "v[i,1]")))
            c = g.apply(small, "i")
            e = g.have("sum(j, 1, 1, (D @ v)[i,j]^2) = s(i)^2*v[i,1]^2", lambda g: g.field((value, "(D @ v)[i,1] + s(i)*v[i,1]")))
            g.rewrite(e)
            g.pos([f"@{c}", "v[i,1]^2"])

        k = g.by_fact("sum_mono", 1, "d", "lam i:Z. sum(j, 1, 1, (D @ v)[i,j]^2)", "lam i:Z. sum(j, 1, 1, v[i,j]^2)", by=[row])
        g.rewrite(a)
        g.rewrite(b)
        g.pos([f"@{k}"])

    g.close_by(g.by_fact("spec_least", "d", "d", 1, "D", by=[None, vectors]))


@part(
    BOUND,
    "factors",
    f"""all d:Z, v:V(d), D:M(d,d), s:Z->R. {DIAGONAL.format(x="D", v="v[i,1]")} =>
       (all i:Z. s(i)^2 <= 1 and s(i)*abs(v[i,1]) = v[i,1]) => nuc(D) <= {NORM}""",
    says="the nuclear norm of a diagonal matrix is at most the sum of the moduli",
)
def diagonal_matrix_as_a_product(g: Goal) -> None:
    """D is the product of the diagonal matrices of |v|^(1/2) and s |v|^(1/2), whose squared norms are at most that sum."""
    g.fix()
    h, sign = g.assume(), g.assume()
    (x,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam i:Z, j:Z. I(d)[i,j]*sqrt(abs(v[i,1]))"), "X", split=False)
    (y,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam i:Z, j:Z. I(d)[i,j]*(s(i)*sqrt(abs(v[i,1])))"), "Y", split=False)
    roots = g.have(
        "all i:Z. sqrt(abs(v[i,1]))^2 = abs(v[i,1])", lambda g: (g.fix("i"), g.close_by(g.by_fact("sqrt_sq", "abs(v[i,1])")))[-1]
    )
    up = g.fact("nuc_factors", "d", "d", "d", "X", "Y")

    def product(g: Goal) -> None:
        g.extn("i", "j")
        m = g.apply(g.fact("mm_entry", "d", "d", "d", "X", "Y"), "i", "j")

        def others(g: Goal) -> None:
            (q,) = g.fix("q")
            g.split(g.assume())
            g.assume()
            g.have(f"i != {q}", swapped)
            k = g.apply(x, "i", q)
            g.field((k, f"Y[{q},j]"))

        t = g.by_fact("sum_delta", 1, "d", "i", "lam q:Z. X[i,q]*Y[q,j]", by=[None, None, others])
        a, b, c = g.apply(x, "i", "i"), g.apply(y, "i", "j"), g.apply(h, "i", "j")
        r = g.apply(roots, "i")
        e = g.split(g.apply(sign, "i"))[1]
        w = "sqrt(abs(v[i,1]))"
        g.field((m, 1), (t, 1), (a, "Y[i,j]"), (b, w), (r, "I(d)[i,j]*s(i)"), (e, "I(d)[i,j]"), (c, -1))

    whole = g.have("X @ Y = D", product)
    value = g.have("nuc(X @ Y) = nuc(D)", lambda g: (g.rewrite(whole), g.refl())[-1])

    def norm(matrix: str, known: str, entry: str, bound: str) -> str:
        """Adds: the squared Frobenius norm is at most the sum of the moduli."""
        t = g.lemma(BOUND, "part:diagonal-trace", "d", matrix, matrix, f"lam i:Z. {entry}", by=[lambda g: g.close_by(known)])

        def row(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            k, r = g.apply(known, "i", "i"), g.apply(roots, "i")
            c = g.split(g.apply(sign, "i"))[0]
            e = g.have(f"({entry})*{matrix}[i,i] = {bound}*abs(v[i,1])", lambda g: g.field((k, entry), (r, bound)))
            g.rewrite(e)
            if bound == "1":
                g.pos(eqs=[])
            else:
                g.pos([f"@{c}", "abs(v[i,1])"])

        k = g.by_fact("sum_mono", 1, "d", f"lam i:Z. ({entry})*{matrix}[i,i]", "lam i:Z. abs(v[i,1])", by=[row])
        return g.have(f"tr(T({matrix}) @ {matrix}) <= {NORM}", lambda g: g.pos([f"@{k}"], eqs=[(t, -1)]))

    one = norm("X", x, "sqrt(abs(v[i,1]))", "1")
    two = norm("Y", y, "s(i)*sqrt(abs(v[i,1]))", "s(i)^2")
    g.pos([f"@{up}"], ["1/2", f"@{one}"], ["1/2", f"@{two}"], eqs=[(value, 1)])


SIGN = "(all i:Z. (0 < v[i,1] => s(i) = 1) and (v[i,1] < 0 => s(i) = -1) and (v[i,1] = 0 => s(i) = 0))"


@holds(
    BOUND,
    f"""all d:Z, v:V(d), Z D:M(d,d), s:Z->R. {SIGN} => {DIAGONAL.format(x="Z", v="s(i)")} => {DIAGONAL.format(x="D", v="v[i,1]")} =>
       spec(Z) <= 1 and (all A:M(d,d). (all i:Z. 1 <= i and i <= d => A[i,i] = v[i,1]) =>
         tr(T(A) @ Z) <= nuc(A) and tr(T(A) @ Z) = sum(i, 1, d, v[i,1]*s(i)) and sum(i, 1, d, v[i,1]*s(i)) = {NORM}) and nuc(D) = {NORM}""",
    argument="sound",
)
def sign_matrix_gives_the_bound(g: Goal) -> None:
    """The sign matrix is a contraction; the nuclear norm of the diagonal matrix is bounded from above by a factorisation."""
    g.fix()
    sign, z, d = g.assume(), g.assume(), g.assume()

    def values(g: Goal) -> None:
        g.fix("i")
        one, minus, zero = g.split(g.apply(sign, "i"))
        size = g.fact("abs_cases", "v[i,1]")

        def close(s: str, a: str) -> Script:
            return lambda g: g.conj(
                lambda g: g.pos(*([["1"]] if g.hyp_formula(s)[2] == 0 else []), eqs=[(s, f"-(s(i) + {value(g, s)})")]),
                lambda g: g.field((s, "abs(v[i,1])"), (a, value(g, s)), *zero_value(g, s)),
                lambda g: g.field((s, "v[i,1]"), (a, -1), *zero_product(g, s)),
            )

        def value(g: Goal, s: str) -> str:
            return {1: "1", 0: "0"}.get(g.hyp_formula(s)[2], "-1") if isinstance(g.hyp_formula(s)[2], int) else "-1"

        def zero_value(g: Goal, s: str) -> list[tuple[str, str]]:
            return [("v_zero", "-1")] if value(g, s) == "0" else []

        def zero_product(g: Goal, s: str) -> list[tuple[str, str]]:
            return [("v_zero", "-1")] if value(g, s) == "0" else []

        def nonneg(g: Goal) -> None:
            low, a = g.split(last(g))

            def positive(g: Goal) -> None:
                s = g.apply(one)
                close(s, a)(g)

            def nothing(g: Goal) -> None:
                eq = last(g)
                g.have("v[i,1] = 0", lambda g: g.field((eq, -1)), name="v_zero")
                s = g.apply(zero)
                close(s, a)(g)

            g.cases(g.by_fact("lt_or_eq", 0, "v[i,1]", by=[lambda g: g.close_by(low)]), positive, nothing)

        def negative(g: Goal) -> None:
            _, a = g.split(last(g))
            s = g.apply(minus)
            close(s, a)(g)

        g.cases(size, nonneg, negative)

    known = g.have("all i:Z. s(i)^2 <= 1 and s(i)*abs(v[i,1]) = v[i,1] and v[i,1]*s(i) = abs(v[i,1])", values)
    small = g.have("all i:Z. s(i)^2 <= 1", lambda g: (g.fix("i"), g.close_by(g.split(g.apply(known, "i"))[0]))[-1])
    spec = g.lemma(BOUND, "part:contraction", "d", "Z", "s", by=[lambda g: g.close_by(z), lambda g: g.close_by(small)])

    def total(g: Goal) -> None:
        def row(g: Goal) -> None:
            g.fix("i")
            g.assume()
            g.close_by(g.split(g.apply(known, "i"))[2])

        g.close_by(g.by_fact("sum_ext", 1, "d", "lam i:Z. v[i,1]*s(i)", "lam i:Z. abs(v[i,1])", by=[row]))

    sums = g.have(f"sum(i, 1, d, v[i,1]*s(i)) = {NORM}", total)

    def all_matrices(g: Goal) -> None:
        g.fix("A")
        fits = g.assume()
        k = g.by_fact("nuc_pairing", "d", "d", "A", "Z", by=[lambda g: g.close_by(spec)])
        turned = g.have("tr(T(A) @ Z) = tr(T(Z) @ A)", lambda g: g.field())
        t = g.lemma(BOUND, "part:diagonal-trace", "d", "Z", "A", "s", by=[lambda g: g.close_by(z)])

        def row(g: Goal) -> None:
            g.fix("i")
            g.assume()
            g.field((g.apply(fits, "i"), "s(i)"))

        e = g.by_fact("sum_ext", 1, "d", "lam i:Z. s(i)*A[i,i]", "lam i:Z. v[i,1]*s(i)", by=[row])
        g.conj(
            lambda g: g.pos([f"@{k}"], eqs=[(turned, -1)]),
            lambda g: g.field((turned, 1), (t, 1), (e, 1)),
            lambda g: g.close_by(sums),
        )

    bound = g.have(
        f"""all A:M(d,d). (all i:Z. 1 <= i and i <= d => A[i,i] = v[i,1]) =>
         tr(T(A) @ Z) <= nuc(A) and tr(T(A) @ Z) = sum(i, 1, d, v[i,1]*s(i)) and sum(i, 1, d, v[i,1]*s(i)) = {NORM}""",
        all_matrices,
    )

    def norm(g: Goal) -> None:
        pair = g.have("all i:Z. s(i)^2 <= 1 and s(i)*abs(v[i,1]) = v[i,1]", lambda g: (g.fix("i"), two_of(g))[-1])
        up = g.lemma(BOUND, "part:factors", "d", "v", "D", "s", by=[lambda g: g.close_by(d), lambda g: g.close_by(pair)])

        def diagonal(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            g.field((g.apply(d, "i", "i"), 1))

        a, b, c = g.split(g.apply(bound, "D", by=[diagonal]))
        g.antisym(lambda g: g.close_by(up), lambda g: g.pos([f"@{a}"], eqs=[(b, 1), (c, 1)]))

    def two_of(g: Goal) -> None:
        hs = g.split(g.apply(known, "i"))
        g.conj(lambda g: g.close_by(hs[0]), lambda g: g.close_by(hs[1]))

    g.conj(lambda g: g.close_by(spec), lambda g: g.close_by(bound), norm)


@holds(
    LEMMA,
    f"""all d:Z, v:V(d), D:M(d,d). {DIAGONAL.format(x="D", v="v[i,1]")} => nuc(D) = {NORM} and
       (all i:Z. 1 <= i and i <= d => D[i,i] = v[i,1]) and
       all A:M(d,d). (all i:Z. 1 <= i and i <= d => A[i,i] = v[i,1]) => {NORM} <= nuc(A)""",
    argument="sound",
    uses=[BOUND],
)
def least_norm_with_a_given_diagonal(g: Goal) -> None:
    """The bound by the sign matrix, which the diagonal matrix attains."""
    g.fix()
    d = g.assume()
    (negative,) = g.obtain(g.fact("indicator", "lam i:Z. min(v[i,1], 0)"), "m", split=False)
    (positive,) = g.obtain(g.fact("indicator", "lam i:Z. max(v[i,1], 0)"), "p", split=False)
    (z,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam i:Z, j:Z. I(d)[i,j]*(p(i) - m(i))"), "Z", split=False)

    def sign(g: Goal) -> None:
        g.fix("i")
        n0, n1 = g.split(g.apply(negative, "i"))
        p0, p1 = g.split(g.apply(positive, "i"))
        low, high = g.fact("min_cases", "v[i,1]", "0"), g.fact("max_cases", "v[i,1]", "0")

        def extreme(g: Goal, name: str, cases: str, value: str, order: str) -> str:
            """Adds min or max of v_i and 0, as the order of the two decides."""

            def case(g: Goal) -> None:
                a, e = g.split(last(g))
                if g.hyp_formula(e)[2] == g.concl[2]:
                    g.close_by(e)
                elif g.hyp_formula(order)[0] == "=":
                    g.field((e, 1), (order, 1 if g.concl[2] == 0 else -1))
                else:
                    g.contra()
                    g.pos([f"@{order}"], [f"@{a}"])

            return g.have(f"{name}(v[i,1], 0) = {value}", lambda g: g.cases(cases, case, case))

        def result(g: Goal, m: str, p: str, mv: str, pv: str) -> None:
            one = g.apply(n0 if m == "0" else n1, by=[lambda g: close(g, mv)])
            two = g.apply(p0 if p == "0" else p1, by=[lambda g: close(g, pv)])
            g.field((two, 1), (one, -1))

        def close(g: Goal, h: str) -> None:
            if g.concl[0] == "=":
                g.close_by(h)
                return
            eq = g.contra()
            k = g.have("v[i,1] = 0", lambda g: g.field((h, -1), (eq, 1)))
            strict = next(x for x in reversed(g.seq.hyps) if g.hyp_formula(x)[0] == "<")
            g.pos([f"@{strict}"], eqs=[(k, 1 if g.hyp_formula(strict)[1] != 0 else -1)])

        def above(g: Goal) -> None:
            h = g.assume()
            mv, pv = extreme(g, "min", low, "0", h), extreme(g, "max", high, "v[i,1]", h)
            result(g, "0", "1", mv, pv)

        def below(g: Goal) -> None:
            h = g.assume()
            mv, pv = extreme(g, "min", low, "v[i,1]", h), extreme(g, "max", high, "0", h)
            result(g, "1", "0", mv, pv)

        def zero(g: Goal) -> None:
            h = g.assume()
            mv, pv = extreme(g, "min", low, "0", h), extreme(g, "max", high, "0", h)
            result(g, "0", "0", mv, pv)

        g.conj(above, below, zero)

    signs = g.have(SIGN.replace("s(i)", "p(i) - m(i)"), sign)
    by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in (signs, z, d)]  # type: ignore[misc]
    _, bound, norm = g.split(g.lemma(BOUND, "statement", "d", "v", "Z", "D", "lam i:Z. p(i) - m(i)", by=by))

    def diagonal(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        g.field((g.apply(d, "i", "i"), 1))

    def least(g: Goal) -> None:
        g.fix("A")
        fits = g.assume()
        a, b, c = g.split(g.apply(bound, "A", by=[lambda g: g.close_by(fits)]))
        g.pos([f"@{a}"], eqs=[(b, 1), (c, 1)])

    g.conj(lambda g: g.close_by(norm), diagonal, least)


@holds(
    "bai2024.prop-a9-step-trace",
    """all d:Z, A B M:M(d,d). (all i:Z. 1 <= i and i <= d => 0 < M[i,i] and (A @ T(A))[i,i] = M[i,i]) =>
       nuc(A @ T(A)) = sum(i, 1, d, eig(A @ T(A), i)) and nuc(A @ T(A)) = tr(A @ T(A)) and tr(A @ T(A)) = tr(M) and tr(M) = sum(i, 1, d, M[i,i]) and
       (B = T(A) => nuc(A @ B) = sum(i, 1, d, abs(M[i,i])))""",
    argument="sound",
    reading="mu_i = M_ii",
)
def nuclear_norm_of_a_gram_matrix(g: Goal) -> None:
    """At most the mean of |A|^2 and |A^T|^2, at least the inner product with I; the traces by the diagonals."""
    g.fix()
    given = g.assume()
    up = g.fact("nuc_factors", "d", "d", "d", "A", "T(A)")

    def identity(g: Goal) -> None:
        def vectors(g: Goal) -> None:
            g.fix("v")
            e = g.have("tr(T(I(d) @ v) @ (I(d) @ v)) = tr(T(v) @ v)", lambda g: g.field())
            g.pos(eqs=[(e, -1)])

        g.close_by(g.by_fact("spec_least", "d", "d", 1, "I(d)", by=[None, vectors]))

    small = g.have("spec(I(d)) <= 1", identity)
    low = g.by_fact("nuc_pairing", "d", "d", "A @ T(A)", "I(d)", by=[lambda g: g.close_by(small)])
    one = g.have("tr(T(A) @ A) = tr(A @ T(A))", lambda g: g.field())
    two = g.have("tr(T(T(A)) @ T(A)) = tr(A @ T(A))", lambda g: g.field())
    three = g.have("tr(T(I(d)) @ (A @ T(A))) = tr(A @ T(A))", lambda g: g.field())
    norm = g.have(
        "nuc(A @ T(A)) = tr(A @ T(A))",
        lambda g: g.antisym(
            lambda g: g.pos([f"@{up}"], eqs=[(one, "-1/2"), (two, "-1/2")]), lambda g: g.pos([f"@{low}"], eqs=[(three, 1)])
        ),
    )
    a, b = g.fact("tr_entries", "d", "A @ T(A)"), g.fact("tr_entries", "d", "M")
    spectrum = g.have("tr(A @ T(A)) = sum(i, 1, d, eig(A @ T(A), i))", lambda g: trace_is_the_sum_of_eigenvalues(g, a))

    def row(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.close_by(g.split(g.apply(given, "i"))[1])

    s = g.by_fact("sum_ext", 1, "d", "lam i:Z. (A @ T(A))[i,i]", "lam i:Z. M[i,i]", by=[row])

    def modulus(g: Goal) -> None:
        g.fix("i")
        g.assume()
        positive, _ = g.split(g.apply(given, "i"))
        size = g.fact("abs_cases", "M[i,i]")

        def plain(g: Goal) -> None:
            _, e = g.split(last(g))
            g.field((e, -1))

        def negative(g: Goal) -> None:
            below, _ = g.split(last(g))
            g.contra()
            g.pos([f"@{below}"], [f"@{positive}"])

        g.cases(size, plain, negative)

    m = g.by_fact("sum_ext", 1, "d", "lam i:Z. M[i,i]", "lam i:Z. abs(M[i,i])", by=[modulus])

    def product(g: Goal) -> None:
        eq = g.assume()
        g.rewrite(eq)
        g.field((norm, 1), (a, 1), (s, 1), (m, 1))

    g.conj(
        lambda g: g.field((norm, 1), (spectrum, 1)),
        lambda g: g.close_by(norm),
        lambda g: g.field((a, 1), (b, -1), (s, 1)),
        lambda g: g.close_by(b),
        product,
    )


def trace_is_the_sum_of_eigenvalues(g: Goal, entries: str) -> None:
    """The eigenvalues of A A^T are the squares of the singular values of A^T; `entries`: the trace as a sum."""
    eigenvalue = "lam i:Z. eig(A @ T(A), i)"
    plain = g.have("T(T(A)) @ T(A) = A @ T(A)", lambda g: g.nc())

    def by_singular_values(g: Goal) -> None:
        total = g.rewritten(g.fact("sv_frobenius", "d", "d", "T(A)"), plain)
        total = g.apply(total)

        def each(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            square = g.rewritten(g.fact("sv_gram", "d", "d", "i", "T(A)"), plain)
            g.close_by(g.apply(square))

        same = g.by_fact("sum_ext", 1, "d", "lam i:Z. sv(T(A),i)^2", eigenvalue, by=[each])
        g.field((total, 1), (same, 1))

    def empty(g: Goal) -> None:
        below = last(g)

        def none(g: Goal) -> None:
            g.fix("i")
            low, high = g.split(g.assume())
            g.contra()
            g.pos([f"@{low}"], [f"@{high}"], [f"@{below}"], ["1"])

        same = g.by_fact("sum_ext", 1, "d", "lam i:Z. (A @ T(A))[i,i]", eigenvalue, by=[none])
        g.field((entries, 1), (same, 1))

    g.em("0 <= d", by_singular_values, empty)
