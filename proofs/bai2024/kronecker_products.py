"""Lemma A.2: the matrix H^(2) = X (x) I_d and its eigenvectors v (x) e_i, with Kronecker products written out by indices."""

from __future__ import annotations

from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

LEMMA = "bai2024.lemma-a2"
KRON = """(all a b r s:Z. 1 <= a and a <= n and 1 <= b and b <= n and 1 <= r and r <= d and 1 <= s and s <= d =>
  {H}[(a-1)*d+r,(b-1)*d+s] = {X}[a,b]*I(d)[r,s])"""
"""H = X (x) I_d for an n x n matrix X."""
RESHAPED = "(all a r:Z. 1 <= a and a <= n and 1 <= r and r <= d => {x}[(a-1)*d+r,1] = {U})"
"""The entry of a vector at the index of the pair (a, r)."""
RANGE = "1 <= a and a <= n and 1 <= r and r <= d"
SIZES = "1 <= n => 1 <= d"


@part(
    LEMMA,
    "index",
    "all n d p:Z. 1 <= d => 1 <= p => p <= n*d => ex a r:Z. 1 <= a and a <= n and 1 <= r and r <= d and p = (a-1)*d + r",
    says="every index of a product is that of a pair",
)
def indices_are_pairs(g: Goal) -> None:
    """Division of p - 1 by d."""
    g.fix()
    g.assume()
    low, high = g.assume(), g.assume()
    eq, r_lo, r_hi = g.obtain(g.by_fact("integer_division", "p - 1", "d"), "q", "r")
    g.witness("q + 1", "r + 1")

    def below(g: Goal) -> None:
        def negative(g: Goal) -> None:
            h = g.apply(g.fact("int_lt", "q", "0"))
            g.contra()
            g.pos([f"@{h}", "d"], [f"@{low}"], [f"@{r_hi}"], eqs=[(eq, -1)])

        g.em("q < 0", negative, lambda g: g.nlin(products=1))

    def above(g: Goal) -> None:
        def large(g: Goal) -> None:
            k = g.have("n <= q", lambda g: g.nlin(products=1))
            g.contra()
            g.pos([f"@{k}", "d"], [f"@{high}"], [f"@{r_lo}"], [], eqs=[(eq, 1)])

        def small(g: Goal) -> None:
            h = g.apply(g.fact("int_lt", "q", "n"))
            g.pos([f"@{h}"])

        g.em("q < n", small, large)

    g.conj(below, above, None, lambda g: g.close_by(g.by_fact("int_lt", "r", "d")), lambda g: g.field((eq, 1)))


@part(
    LEMMA,
    "sum",
    """all d:Z, E:Z->R. 1 <= d => all n:Z. 0 <= n =>
       sum(p, 1, n*d, E(p)) - sum(a, 1, n, sum(r, 1, d, E((a-1)*d+r))) = 0""",
    says="a sum over the indices of a product is a double sum",
)
def sums_over_pairs(g: Goal) -> None:
    """Induction on n: the last d indices are those of a = n."""
    g.fix()
    g.assume()
    value = "sum(p, 1, n*d, E(p)) - sum(a, 1, n, sum(r, 1, d, E((a-1)*d+r)))"
    h = g.fact("induction", 0, f"lam n:Z. {value}")

    def base(g: Goal) -> None:
        one = g.by_fact("sum_empty", 1, "0*d", "lam p:Z. E(p)")
        two = g.by_fact("sum_empty", 1, 0, "lam a:Z. sum(r, 1, d, E((a-1)*d+r))")
        g.field((one, 1), (two, -1))

    def step(g: Goal) -> None:
        g.fix("n")
        low, ih = g.assume(), g.assume()
        g.have("0 <= n*d", lambda g: g.pos([f"@{low}", "d"]))
        split = g.by_fact("sum_split", 1, "n*d", "(n+1)*d", "lam p:Z. E(p)", by=[None, lambda g: g.pos(["d"])])
        shift = g.fact("sum_shift", "n*d+1", "(n+1)*d", "n*d", "lam p:Z. E(p)")
        final = g.by_fact("sum_last", 1, "n+1", "lam a:Z. sum(r, 1, d, E((a-1)*d+r))")

        def term(g: Goal) -> None:
            g.fix("r")
            g.assume()
            g.ctx()

        same = g.by_fact("sum_ext", 1, "d", "lam r:Z. E(r + n*d)", "lam r:Z. E((n+1-1)*d+r)", by=[term])
        g.field((split, 1), (shift, 1), (final, -1), (ih, 1), (same, 1))

    g.close_by(g.apply(h, by=[base, step]))


@part(
    LEMMA,
    "action",
    f"""all n d:Z, X:M(n,n), H:M(n*d,n*d), U:M(n,d), x:V(n*d). {SIZES} => {KRON.format(H="H", X="X")} =>
       {RESHAPED.format(x="x", U="U[a,r]")} => {RESHAPED.format(x="(H @ x)", U="(X @ U)[a,r]")}""",
    says="X (x) I acts on a vector as X on the matrix that has its entries row by row",
)
def kronecker_products_act_on_matrices(g: Goal) -> None:
    """The double sum over pairs (b, s) has only the terms s = r."""
    g.fix()
    g.assume()
    g.assume()
    entries, shape = g.assume(), g.assume()
    g.fix("a", "r")
    g.split(g.assume())
    k = g.apply(g.fact("mm_entry", "n*d", "n*d", 1, "H", "x"), "(a-1)*d+r", "1")
    double = g.apply(g.lemma(LEMMA, "part:sum", "d", "lam p:Z. H[(a-1)*d+r,p]*x[p,1]", by=[None]), "n")

    def outer(g: Goal) -> None:
        g.fix("b")
        g.split(g.assume())

        def others(g: Goal) -> None:
            g.fix("s")
            g.split(g.assume())
            ne = g.assume()
            g.have("r != s", lambda g: reversed_(g, ne))
            e = g.apply(entries, "a", "b", "r", "s")
            g.field((e, "x[(b-1)*d+s,1]"))

        t = g.by_fact("sum_delta", 1, "d", "r", "lam s:Z. H[(a-1)*d+r,(b-1)*d+s]*x[(b-1)*d+s,1]", by=[None, None, others])
        e = g.apply(entries, "a", "b", "r", "r")
        u = g.apply(shape, "b", "r")
        g.field((t, 1), (e, "x[(b-1)*d+r,1]"), (u, "X[a,b]"))

    t = g.by_fact(
        "sum_ext",
        1,
        "n",
        "lam b:Z. sum(s, 1, d, H[(a-1)*d+r,(b-1)*d+s]*x[(b-1)*d+s,1])",
        "lam b:Z. X[a,b]*U[b,r]",
        by=[outer],
    )
    m = g.apply(g.fact("mm_entry", "n", "n", "d", "X", "U"), "a", "r")
    g.field((k, 1), (double, 1), (t, 1), (m, -1))


def reversed_(g: Goal, ne: str) -> None:
    """u != v from v != u."""
    a, b = g.hyp_formula(ne)[1:]
    eq = g.contra()
    k = g.have(("=", a, b), lambda g: g.field((eq, -1)))
    g.clash(k, ne)


PRODUCT = RESHAPED.format(x="{x}", U="v[a,1]*I(d)[r,{i}]")
"""x = v (x) e_i."""
VECTORS = f"(all i:Z, x:V(n*d). 1 <= i and i <= d => {PRODUCT.format(x='x', i='i')} => x != O(n*d,1) and H @ x = l*x)"
INDEPENDENT = f"""(all K:Z->V(n*d), c:Z->R. (all i:Z. 1 <= i and i <= d => {PRODUCT.format(x="K(i)", i="i")}) =>
   (all p:Z. 1 <= p and p <= n*d => sum(i, 1, d, c(i)*K(i)[p,1]) = 0) => (all i:Z. 1 <= i and i <= d => c(i) = 0))"""
"""The vectors v (x) e_1, ..., v (x) e_d are linearly independent."""
EIGENVALUE = "(ex x:V(n*d). x != O(n*d,1) and H @ x = l*x)"


@part(
    LEMMA,
    "factor",
    f"""all n d:Z, l:R, X:M(n,n), H:M(n*d,n*d). {SIZES} => {KRON.format(H="H", X="X")} => {EIGENVALUE} =>
       ex v:V(n). v != O(n,1) and X @ v = l*v""",
    says="an eigenvalue of X (x) I is one of X",
)
def eigenvalues_of_the_factor(g: Goal) -> None:
    """The matrix U with the entries of the eigenvector has X U = l U, and some column of U is not 0."""
    g.fix()
    g.assume()
    g.assume()
    entries = g.assume()
    nonzero, eigen = g.obtain(g.assume(), "x")
    (u,) = g.obtain(g.fact("matrix_of_entries", "n", "d", "lam a:Z, r:Z. x[(a-1)*d+r,1]"), "U", split=False)

    def shape(g: Goal) -> None:
        g.fix("a", "r")
        g.assume()
        k = g.apply(u, "a", "r")
        g.field((k, -1))

    shaped = g.have(RESHAPED.format(x="x", U="U[a,r]"), shape)
    act = g.lemma(
        LEMMA,
        "part:action",
        *["n", "d", "X", "H", "U", "x"],
        by=[None, None, lambda g: g.close_by(entries), lambda g: g.close_by(shaped)],
    )

    def matrix(g: Goal) -> None:
        g.extn("a", "r")
        k = g.apply(act, "a", "r")
        s = g.apply(shaped, "a", "r")
        e = g.have("(H @ x)[(a-1)*d+r,1] = l*x[(a-1)*d+r,1]", lambda g: (g.rewrite(eigen), g.field())[-1])
        g.field((k, -1), (e, 1), (s, "l"))

    law = g.have("X @ U = l*U", matrix)

    def some(g: Goal) -> None:
        hs = g.obtain(last(g), "a0", "r0")
        (e,) = g.obtain(g.by_fact("unit_vector", "d", "r0"), "e", split=False)
        g.witness("U @ e")

        def not_zero(g: Goal) -> None:
            eq = g.contra()
            k = g.apply(e, "n", "U", "a0")
            z = g.have("(U @ e)[a0,1] = 0", lambda g: (g.rewrite(eq), g.field())[-1])
            w = g.have("U[a0,r0] = 0", lambda g: g.field((k, -1), (z, 1)))
            g.clash(w, hs[-1])

        g.conj(not_zero, lambda g: g.nc((law, 1, None, "e")))

    def none(g: Goal) -> None:
        no = last(g)

        def zero(g: Goal) -> None:
            g.extn("p", "q")
            one = g.have("q = 1", lambda g: g.antisym())
            g.rewrite(one)
            pair = g.lemma(LEMMA, "part:index", "n", "d", "p", by=[None, None, None])
            hs = g.obtain(pair, "a", "r")
            k = g.apply(shaped, "a", "r")

            def flat(g: Goal) -> None:
                g.contra("ne")
                both = g.have(
                    "ex a r:Z. 1 <= a and a <= n and 1 <= r and r <= d and U[a,r] != 0",
                    lambda g: (g.witness("a", "r"), g.auto())[-1],
                )
                g.clash(both, no)

            z = g.have("U[a,r] = 0", flat)
            g.rewrite(hs[-1])
            g.field((k, 1), (z, 1))

        flat = g.have("x = O(n*d,1)", zero)
        g.clash(flat, nonzero)

    g.em("ex a r:Z. 1 <= a and a <= n and 1 <= r and r <= d and U[a,r] != 0", some, none)


@part(
    LEMMA,
    "vectors",
    f"""all n d:Z, l:R, X:M(n,n), H:M(n*d,n*d), v:V(n). {SIZES} => {KRON.format(H="H", X="X")} => v != O(n,1) => X @ v = l*v =>
       {VECTORS} and {INDEPENDENT}""",
    says="the products v (x) e_i are independent eigenvectors of X (x) I",
)
def products_are_eigenvectors(g: Goal) -> None:
    """v (x) e_i is the matrix v e_i^T row by row. A combination with coefficients c has the entries v_a c_r."""
    g.fix()
    g.assume()
    g.assume()
    entries, nonzero, eigen = g.assume(), g.assume(), g.assume()

    def entry_of_v(g: Goal) -> str:
        """Adds an index a0 with v[a0] != 0."""
        wanted = "ex a:Z. 1 <= a and a <= n and v[a,1] != 0"

        def script(g: Goal) -> None:
            no = g.contra()

            def zero(g: Goal) -> None:
                g.extn("a", "q")
                one = g.have("q = 1", lambda g: g.antisym())
                g.rewrite(one)

                def flat(g: Goal) -> None:
                    g.contra("ne")
                    both = g.have(wanted, lambda g: (g.witness("a"), g.auto())[-1])
                    g.clash(both, no)

                z = g.have("v[a,1] = 0", flat)
                g.field((z, 1))

            g.clash(g.have("v = O(n,1)", zero), nonzero)

        return g.obtain(g.have(wanted, script), "a0")[-1]

    def vectors(g: Goal) -> None:
        g.fix("i", "x")
        g.split(g.assume())
        shape = g.assume()
        (u,) = g.obtain(g.fact("matrix_of_entries", "n", "d", "lam a:Z, r:Z. v[a,1]*I(d)[r,i]"), "U", split=False)

        def shaped(g: Goal) -> None:
            g.fix("a", "r")
            g.split(g.assume())
            k, s = g.apply(u, "a", "r"), g.apply(shape, "a", "r")
            g.field((s, 1), (k, -1))

        known = g.have(RESHAPED.format(x="x", U="U[a,r]"), shaped)
        act = g.lemma(
            LEMMA,
            "part:action",
            *["n", "d", "X", "H", "U", "x"],
            by=[None, None, lambda g: g.close_by(entries), lambda g: g.close_by(known)],
        )

        def not_zero(g: Goal) -> None:
            ne = entry_of_v(g)
            eq = g.contra()
            k = g.apply(shape, "a0", "i")
            z = g.have("x[(a0-1)*d+i,1] = 0", lambda g: (g.rewrite(eq), g.field())[-1])
            w = g.have("v[a0,1] = 0", lambda g: g.field((k, -1), (z, 1)))
            g.clash(w, ne)

        def eigenvector(g: Goal) -> None:
            g.extn("p", "q")
            one = g.have("q = 1", lambda g: g.antisym())
            g.rewrite(one)
            hs = g.obtain(g.lemma(LEMMA, "part:index", "n", "d", "p", by=[None, None, None]), "a", "r")
            k, s = g.apply(act, "a", "r"), g.apply(shape, "a", "r")
            m = g.apply(g.fact("mm_entry", "n", "n", "d", "X", "U"), "a", "r")

            def term(g: Goal) -> None:
                g.fix("b")
                g.split(g.assume())
                e = g.apply(u, "b", "r")
                g.field((e, "X[a,b]"))

            t = g.by_fact("sum_ext", 1, "n", "lam b:Z. X[a,b]*U[b,r]", "lam b:Z. X[a,b]*v[b,1]*I(d)[r,i]", by=[term])
            w = g.apply(g.fact("mm_entry", "n", "n", 1, "X", "v"), "a", "1")
            e = g.have("(X @ v)[a,1] = l*v[a,1]", lambda g: (g.rewrite(eigen), g.field())[-1])
            g.rewrite(hs[-1])
            g.field((k, 1), (m, 1), (t, 1), (w, "-I(d)[r,i]"), (e, "I(d)[r,i]"), (s, "-l"))

        g.conj(not_zero, eigenvector)

    def combination(g: Goal) -> None:
        g.fix("K", "c")
        shapes, zero = g.assume(), g.assume()
        ne = entry_of_v(g)
        g.fix("i")
        g.split(g.assume())

        g.have("0 <= (a0-1)*d", lambda g: g.nlin(products=2))
        up = g.have("(a0-1)*d + d <= n*d", lambda g: g.nlin(products=2))
        total = g.apply(zero, "(a0-1)*d+i", by=[lambda g: g.conj(None, lambda g: g.nlin(products=1, use=[up, *ranges(g)]))])

        def others(g: Goal) -> None:
            g.fix("m")
            g.split(g.assume())
            ne_ = g.assume()
            g.have("i != m", lambda g: reversed_(g, ne_))
            s = g.apply(g.apply(shapes, "m", n=1), "a0", "i")
            g.field((s, "c(m)"))

        t = g.by_fact("sum_delta", 1, "d", "i", "lam m:Z. c(m)*K(m)[(a0-1)*d+i,1]", by=[None, None, others])
        s = g.apply(g.apply(shapes, "i", n=1), "a0", "i")
        product = g.have("c(i)*v[a0,1] = 0", lambda g: g.field((total, 1), (t, -1), (s, "-c(i)")))
        g.cases(
            g.by_fact("product_zero", "c(i)", "v[a0,1]", by=[lambda g: g.close_by(product)]),
            lambda g: g.close_by(last(g)),
            lambda g: g.clash(last(g), ne),
        )

    g.conj(vectors, combination)


def ranges(g: Goal) -> list[str]:
    """The names of all inequalities."""
    return [h for h, f in g.seq.hyps.items() if f[0] in ("<", "<=")]


BLOCK = """(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d =>
  X[i,j] = 0 and X[d+i,d+j] = 0 and X[i,d+j] = -had(P, A @ B - M)[i,j] and X[d+j,i] = -had(P, A @ B - M)[i,j])"""
"""X = [0, -deltaM; -deltaM^T, 0]."""
SETTING = (
    f"""all d n:Z, l:R, P M A B:M(d,d), X:M(n,n), H:M(n*d,n*d). 1 <= d => n = 2*d => {BLOCK} => {KRON.format(H="H", X="X")} =>"""
)
SAME_SIGN = (

        "H^(2) as displayed [(24)]; the proof is for any X (x) I_d, so it holds as well with the sign of the definition of "
        "H^(2) [encoding]"

)


def factor(g: Goal, entries: str, eigenvalue: str) -> tuple[str, str]:
    """Adds v != 0 with X v = l v."""
    known = [None, None, lambda g: g.close_by(entries), lambda g: g.close_by(eigenvalue)]
    return tuple(g.obtain(g.lemma(LEMMA, "part:factor", "n", "d", "l", "X", "H", by=known), "v"))


@holds(
    LEMMA,
    f"{SETTING} {EIGENVALUE} => ex v:V(n). v != O(n,1) and {VECTORS} and {INDEPENDENT}",
    argument="sound",
    context=SAME_SIGN,
)
def eigenvalues_have_products_as_eigenvectors(g: Goal) -> None:
    """The eigenvalue is one of X, and its eigenvector gives the products."""
    g.fix()
    g.assume()
    g.assume()
    g.assume()
    entries, eigenvalue = g.assume(), g.assume()
    nonzero, eigen = factor(g, entries, eigenvalue)
    known = [None, None, *[lambda g, h=h: g.close_by(h) for h in (entries, nonzero, eigen)]]
    both = g.split(g.lemma(LEMMA, "part:vectors", "n", "d", "l", "X", "H", "v", by=known))
    g.witness("v")
    g.conj(*[lambda g, h=h: g.close_by(h) for h in (nonzero, *both)])


@holds(
    "bai2024.lemma-a2-step-independence",
    f"""{SETTING} {EIGENVALUE} => ex v:V(n). v != O(n,1) and
       (all i:Z, x:V(n*d). 1 <= i and i <= d => {PRODUCT.format(x="x", i="i")} => (H - l*I(n*d)) @ x = O(n*d,1)) and {INDEPENDENT}""",
    argument="sound",
    context=SAME_SIGN,
    uses=[LEMMA],
)
def products_lie_in_the_kernel(g: Goal) -> None:
    """Lemma A.2, with H x - l x = 0."""
    g.fix()
    names = [g.assume() for _ in range(5)]
    known = [lambda g, h=h: g.close_by(h) for h in names]
    h = g.lemma(LEMMA, "statement", *"dnlPMABXH", by=known)
    nonzero, vectors, combination = g.obtain(h, "v")
    g.witness("v")

    def kernel(g: Goal) -> None:
        g.fix("i", "x")
        place, shape = g.assume(), g.assume()
        k = g.apply(vectors, "i", "x", by=[lambda g: g.close_by(place), lambda g: g.close_by(shape)])
        g.nc((g.split(k)[1], 1, None, None))

    g.conj(lambda g: g.close_by(nonzero), kernel, lambda g: g.close_by(combination))


def in_range(g: Goal, a: str, r: str) -> None:
    """The index of the pair (a, r) lies between 1 and n d."""
    g.have(f"0 <= ({a}-1)*d", lambda g: g.nlin(products=2))
    up = g.have(f"({a}-1)*d + d <= n*d", lambda g: g.nlin(products=2))
    g.have(f"1 <= ({a}-1)*d+{r}", lambda g: g.nlin(products=1))
    g.have(f"({a}-1)*d+{r} <= n*d", lambda g: g.nlin(products=1, use=[up, *ranges(g)]))


@part(
    "bai2024.eq-25",
    "shifted",
    f"""all n d:Z, l:R, X:M(n,n), H:M(n*d,n*d). {SIZES} => {KRON.format(H="H", X="X")} =>
       {KRON.format(H="(H - l*I(n*d))", X="(X - l*I(n))")}""",
    says="X (x) I - l I = (X - l I) (x) I",
)
def shift_of_a_kronecker_product(g: Goal) -> None:
    """The indices of the pairs (a, r) and (b, s) are equal only if the pairs are."""
    g.fix()
    g.assume()
    g.assume()
    entries = g.assume()
    g.fix("a", "b", "r", "s")
    g.split(g.assume())
    e = g.apply(entries, "a", "b", "r", "s")
    in_range(g, "a", "r")
    in_range(g, "b", "s")

    def same_row(g: Goal) -> None:
        a = last(g)

        def same(g: Goal) -> None:
            r = last(g)
            one = g.have("I(n*d)[(a-1)*d+r,(b-1)*d+s] = 1", lambda g: (g.rewrite(a), g.rewrite(r), g.field())[-1])
            two = g.have("I(n)[a,b] = 1", lambda g: (g.rewrite(a), g.field())[-1])
            three = g.have("I(d)[r,s] = 1", lambda g: (g.rewrite(r), g.field())[-1])
            g.field((e, 1), (one, "-l"), (two, "l*I(d)[r,s]"), (three, "l"))

        def differ(g: Goal) -> None:
            ne = last(g)

            def apart(g: Goal) -> None:
                eq = g.contra()
                k = g.have("r = s", lambda g: g.field((eq, 1), (a, "-d")))
                g.clash(k, ne)

            g.have("(a-1)*d+r != (b-1)*d+s", apart)
            g.field((e, 1))

        g.em("r = s", same, differ)

    def other_row(g: Goal) -> None:
        ne = last(g)

        def apart(g: Goal) -> None:
            eq = g.contra()

            def order(x: str, y: str, u: str, v: str, sign: int) -> Script:
                def script(g: Goal) -> None:
                    less = last(g)
                    h = g.apply(g.fact("int_lt", x, y), by=[lambda g: g.close_by(less)])
                    low = next(k for k, f in g.seq.hyps.items() if f == ("<=", 1, v))
                    high = next(k for k, f in g.seq.hyps.items() if f == ("<=", u, "d"))
                    g.pos([f"@{h}", "d"], [f"@{low}"], [f"@{high}"], [], eqs=[(eq, sign)])

                return script

            g.cases(
                g.fact("trichotomy", "a", "b"),
                order("a", "b", "r", "s", 1),
                lambda g: g.clash(last(g), ne),
                order("b", "a", "s", "r", -1),
            )

        g.have("(a-1)*d+r != (b-1)*d+s", apart)
        g.field((e, 1))

    g.em("a = b", same_row, other_row)


@holds(
    "bai2024.eq-25",
    f"""{SETTING} {KRON.format(H="(H - l*I(n*d))", X="(X - l*I(n))")} and
       (all v:V(n), i:Z, x:V(n*d). 1 <= i and i <= d => {PRODUCT.format(x="x", i="i")} =>
         {RESHAPED.format(x="((H - l*I(n*d)) @ x)", U="((X - l*I(n)) @ v)[a,1]*I(d)[r,i]")})""",
    argument="sound",
    uses=[LEMMA],
)
def shifted_action_on_products(g: Goal) -> None:
    """The action of (X - l I) (x) I on v (x) e_i."""
    g.fix()
    g.assume()
    g.assume()
    g.assume()
    entries = g.assume()
    known = [None, None, lambda g: g.close_by(entries)]
    shifted = g.lemma("bai2024.eq-25", "part:shifted", "n", "d", "l", "X", "H", by=known)

    def act(g: Goal) -> None:
        g.fix("v", "i", "x")
        g.split(g.assume())
        shape = g.assume()
        (u,) = g.obtain(g.fact("matrix_of_entries", "n", "d", "lam a:Z, r:Z. v[a,1]*I(d)[r,i]"), "U", split=False)

        def shaped(g: Goal) -> None:
            g.fix("a", "r")
            g.split(g.assume())
            k, s = g.apply(u, "a", "r"), g.apply(shape, "a", "r")
            g.field((s, 1), (k, -1))

        known = g.have(RESHAPED.format(x="x", U="U[a,r]"), shaped)
        h = g.lemma(
            LEMMA,
            "part:action",
            *["n", "d", "X - l*I(n)", "H - l*I(n*d)", "U", "x"],
            by=[None, None, lambda g: g.close_by(shifted), lambda g: g.close_by(known)],
        )
        g.fix("a", "r")
        g.split(g.assume())
        k = g.apply(h, "a", "r")
        y = "(X - l*I(n))"
        m = g.apply(g.fact("mm_entry", "n", "n", "d", y, "U"), "a", "r")

        def term(g: Goal) -> None:
            g.fix("b")
            g.split(g.assume())
            e = g.apply(u, "b", "r")
            g.field((e, f"{y}[a,b]"))

        t = g.by_fact("sum_ext", 1, "n", f"lam b:Z. {y}[a,b]*U[b,r]", f"lam b:Z. {y}[a,b]*v[b,1]*I(d)[r,i]", by=[term])
        w = g.apply(g.fact("mm_entry", "n", "n", 1, y, "v"), "a", "1")
        g.field((k, 1), (m, 1), (t, 1), (w, "-I(d)[r,i]"))

    g.conj(lambda g: g.close_by(shifted), act)


@holds(
    "bai2024.eq-26",
    f"{SETTING} {EIGENVALUE} => det(X - l*I(n))^(2*d) = det(H - l*I(n*d)) and det(H - l*I(n*d)) = 0",
    argument="sound",
    reading="for an eigenvalue both sides are 0; as an identity in lambda the exponent would have to be d, see `part:exponent`",
    readings=[("for every lambda, as an identity", "refuted", "exponent")],
    uses=[LEMMA],
)
def both_determinants_vanish(g: Goal) -> None:
    """Both matrices have a kernel."""
    g.fix()
    g.assume()
    g.assume()
    g.assume()
    entries, eigenvalue = g.assume(), g.assume()

    def singular(g: Goal, n: str, matrix: str, v: str, nonzero: str, eigen: str) -> str:
        def script(g: Goal) -> None:
            g.contra("regular")
            left = g.by_fact("inv_left", n, matrix)
            z = g.have(f"{v} = O({n},1)", lambda g: g.nc((left, -1, None, v), (eigen, 1, f"inv({matrix})", None)))
            g.clash(z, nonzero)

        return g.have(f"det({matrix}) = 0", script)

    x_nonzero, x_eigen = g.obtain(eigenvalue, "x")
    big = singular(g, "n*d", "H - l*I(n*d)", "x", x_nonzero, x_eigen)
    v_nonzero, v_eigen = factor(g, entries, eigenvalue)
    small = singular(g, "n", "X - l*I(n)", "v", v_nonzero, v_eigen)
    power = g.by_fact("ipow_zero", "2*d")

    def equal(g: Goal) -> None:
        g.rewrite(small)
        g.rewrite(big)
        g.close_by(power)

    g.conj(equal, lambda g: g.close_by(big))


@part(
    "bai2024.eq-26",
    "exponent",
    f"""not (all n d:Z, X:M(n,n), H:M(n*d,n*d). {SIZES} => {KRON.format(H="H", X="X")} => det(X)^(2*d) = det(H))""",
    says="det(X (x) I_d) is det(X)^d, not det(X)^(2d): n = d = 1, X = 2.",
)
def exponent_is_too_large(g: Goal) -> None:
    """4 is not 2."""
    wrong = g.assume()

    def entries(g: Goal) -> None:
        g.fix("a", "b", "r", "s")
        g.split(g.assume())
        for x in ("a", "b", "r", "s"):
            one = g.have(f"{x} = 1", lambda g: g.antisym())
            g.rewrite(one)
        g.field()

    h = g.apply(wrong, "1", "1", "[[2]]", "[[2]]", by=[None, None, entries])
    g.pos(["2"], eqs=[(h, -1)])
