"""Derivatives of diagonal entries of the product with respect to factor entries, at any depth; diagonal factors."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from proofs.shin2025.diagonal_factors import MASKED
from proofs.shin2025.diagonal_flow import PRODUCTS
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

INDEX = "1 <= i and i <= d and 1 <= j and j <= d"


def zero_sum(g: Goal, lo: str, hi: str, body: str, term: Script) -> str:
    """A sum whose terms vanish is 0."""
    h = g.by_fact("sum_ext", lo, hi, body, "lam z_:Z. 0", by=[term])
    c = g.fact("sum_const", lo, hi, "0")
    f = g.hyp_formula(c)

    def empty_or_not(g: Goal) -> None:
        k = g.apply(c)
        g.rewrite(h)
        g.field((k, 1))

    del f
    left = g.hyp_formula(h)[1]
    return g.have(("=", left, 0), empty_or_not)


ELEMENTARY = "(all a b:Z. 1 <= a and a <= d and 1 <= b and b <= d => E[a,b] = I(d)[a,i]*I(d)[b,j])"


@part(
    "shin2025.eq-lemma9-derivative",
    "one-entry",
    f"""all d i j p:Z, A X B E:M(d,d). {INDEX} => 1 <= p and p <= d => {ELEMENTARY} =>
        D(s, (A @ (X + s*E) @ B)[p,p], 0) = A[p,i]*B[j,p]""",
    uses=["shin2025.lemma-9"],
)
def derivative_along_one_entry(g: Goal) -> None:
    """E = e_i e_j^T, so A E B = (A e_i)(B^T e_j)^T."""
    g.intro()
    e = "h3"
    u1, u0, _, uc = g.obtain(g.lemma("shin2025.lemma-9", "part:unit-vector", "d", "i"), "u")
    v1, v0, _, vc = g.obtain(g.lemma("shin2025.lemma-9", "part:unit-vector", "d", "j"), "v")

    def outer(g: Goal) -> None:
        g.extn("a", "b")
        h = g.apply(e, "a", "b")
        x = g.have("I(d)[a,i] = u[a,1]", lambda g: column(g, "a", "i", "u", u1, u0))
        y = g.have("I(d)[b,j] = v[b,1]", lambda g: column(g, "b", "j", "v", v1, v0))
        g.field((h, 1), (x, "I(d)[b,j]"), (y, "u[a,1]"))

    def column(g: Goal, a: str, i: str, u: str, one: str, zero: str) -> None:
        g.em(
            f"{a} = {i}",
            lambda g: (g.replace(a, i), g.field((one, -1)))[-1],
            lambda g: (h := g.apply(zero, a), g.field((h, -1)))[-1],
        )

    m = g.have("E = u @ T(v)", outer)
    de = g.differentiate("s", "(A @ (X + s*E) @ B)[p,p]", "0")
    k = g.have("(A @ E @ B)[p,p] = ((A @ u) @ T(T(B) @ v))[p,p]", lambda g: g.ctx(lambda g: g.nc(rw=[m])))
    x = g.apply(uc, "A", "p")
    y = g.apply(vc, "T(B)", "p")
    f = g.have("((A @ u) @ T(T(B) @ v))[p,p] = (A @ u)[p,1]*(T(B) @ v)[p,1]", lambda g: g.field())
    r = g.have("(A @ u)[p,1]*(T(B) @ v)[p,1] = A[p,i]*B[j,p]", lambda g: (g.rewrite(x), g.rewrite(y), g.field())[-1])
    g.rewrite(de)
    g.field((k, 1), (f, 1), (r, 1))


@part(
    "shin2025.eq-lemma9-derivative",
    "product-through-a-layer",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d). {PRODUCTS} => all n:Z. 0 <= n => n <= L => all t:R. Q(L - n,t) @ P(L - n,t) = P(L,t)""",
)
def product_through_a_layer(g: Goal) -> None:
    """Move factors from the left product to the right one, one at a time."""
    g.fix()
    _, ps, q0, qs = g.split_all(g.assume())
    g.induct("n", "ih")
    g.intro()

    def more(g: Goal) -> None:
        h = g.apply(g.apply("ih", "n - 1"), "t")
        p = g.apply(ps, "L - n", "t")
        q = g.apply(qs, "L - n", "t")
        p = g.have("P(L - (n - 1),t) = W(L-n+1,t) @ P(L-n,t)", lambda g: g.exact(p))
        q = g.have("Q(L-n,t) = Q(L - (n - 1),t) @ W(L-n+1,t)", lambda g: g.exact(q))
        g.nc((q, 1, None, "P(L-n,t)"), (p, -1, "Q(L - (n - 1),t)", None), (h, 1, None, None))

    def none(g: Goal) -> None:
        h = g.apply(q0, "t")
        g.replace("L - n", "L")
        g.nc((h, 1, None, "P(L,t)"))

    by_last(g, none, more)


DIAGONAL = "(all k a b:Z. 1 <= k and k <= L and 1 <= a and a <= d and 1 <= b and b <= d and a != b => W(k,t)[a,b] = 0)"


@part(
    "shin2025.eq-lemma9-derivative",
    "diagonal-products",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d), t:R. {PRODUCTS} => {DIAGONAL} => all n:Z. 0 <= n => n <= L =>
        all a b:Z. 1 <= a and a <= d and 1 <= b and b <= d and a != b => P(n,t)[a,b] = 0 and Q(L - n,t)[a,b] = 0""",
)
def products_of_diagonal_factors_are_diagonal(g: Goal) -> None:
    """Each term of an off-diagonal entry of a product of diagonal matrices has a vanishing factor."""
    g.fix()
    p0, ps, q0, qs = g.split_all(g.assume())
    diag = g.assume()
    g.induct("n", "ih")
    g.intro()

    def none(g: Goal) -> None:
        x = g.apply(p0, "t")
        y = g.apply(q0, "t")
        g.replace("L - n", "L")
        g.replace("n", "0")
        g.rewrite(x)
        g.rewrite(y)
        g.conj(lambda g: g.field(), lambda g: g.field())

    def more(g: Goal) -> None:
        h = g.apply("ih", "n - 1")
        p = g.apply(ps, "n - 1", "t")
        p = g.have("P(n,t) = W(n,t) @ P(n-1,t)", lambda g: g.exact(p))
        q = g.apply(qs, "L - n", "t")
        q = g.have("Q(L-n,t) = Q(L - (n - 1),t) @ W(L-n+1,t)", lambda g: g.exact(q))

        def first(g: Goal) -> None:
            def term(g: Goal) -> None:
                c = g.fix()[0]
                g.split_all(g.assume())

                def same(g: Goal) -> None:
                    k = g.split(g.apply(h, "a", "b"))[0]
                    g.replace(c, "a")
                    g.field((k, "W(n,t)[a,a]"))

                g.em(
                    f"a = {c}",
                    lambda g: (g.have(f"{c} = a"), same(g))[-1],
                    lambda g: (k := g.apply(diag, "n", "a", c), g.field((k, f"P(n-1,t)[{c},b]")))[-1],
                )

            z = zero_sum(g, "1", "d", "lam c:Z. W(n,t)[a,c]*P(n-1,t)[c,b]", term)
            g.rewrite(p)
            g.field((z, 1))

        def second(g: Goal) -> None:
            def term(g: Goal) -> None:
                c = g.fix()[0]
                g.split_all(g.assume())

                def same(g: Goal) -> None:
                    k = g.split(g.apply(h, "a", "b"))[1]
                    g.replace(c, "b")
                    g.field((k, "W(L-n+1,t)[b,b]"))

                g.em(
                    f"{c} = b",
                    same,
                    lambda g: (k := g.apply(diag, "L - n + 1", c, "b"), g.field((k, f"Q(L - (n - 1),t)[a,{c}]")))[-1],
                )

            z = zero_sum(g, "1", "d", "lam c:Z. Q(L - (n - 1),t)[a,c]*W(L-n+1,t)[c,b]", term)
            g.rewrite(q)
            g.field((z, 1))

        g.conj(first, second)

    by_last(g, none, more)


FACTORED = "Q(l,t)[p,i]*P(l-1,t)[j,p]"


@holds(
    "shin2025.eq-lemma9-derivative",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d), Ws:M(d,d). 1 <= d => 1 <= L => {PRODUCTS} => {MASKED} =>
        all l i j:Z, t:R, E:M(d,d). 1 <= l and l <= L => {INDEX} => 0 <= t => {ELEMENTARY} =>
        P(L,t) = Q(l,t) @ W(l,t) @ P(l-1,t) and
        (all p:Z. 1 <= p and p <= d => D(s, (Q(l,t) @ (W(l,t) + s*E) @ P(l-1,t))[p,p], 0) = {FACTORED}) and
        W'(l,t)[i,j] = -sum(p, 1, d, (P(L,t)[p,p] - Ws[p,p])*({FACTORED})) and
        ({DIAGONAL} => i != j => (all p:Z. 1 <= p and p <= d => {FACTORED} = 0) and W'(l,t)[i,j] = 0)""",
    argument="sound",
    context=(

            "diagonal observations with any values [Lemma 9]; E is the matrix with the entry 1 at (i,j), along which the "
            "entry of W_l is differentiated [notation]"

    ),
    uses=["shin2025.lemma-9"],
)
def derivative_of_a_diagonal_entry(g: Goal) -> None:
    """The product is affine in one entry; for diagonal factors one of the two partial products has a vanishing entry."""
    g.fix()
    for name in ("d_lo", "L_lo", "prods", "move"):
        g.assume(name)
    g.fix()
    for name in ("lay", "idx", "t_lo", "elem"):
        g.split_all(g.assume(name)) if name in ("lay", "idx") else g.assume(name)
    _, ps, _, qs = g.split("prods")
    lem = g.lemma("shin2025.eq-lemma9-derivative", "part:product-through-a-layer", "d", "L", "W", "P", "Q")
    whole = g.apply(g.apply(lem, "L - l"), "t")
    whole = g.have("Q(l,t) @ P(l,t) = P(L,t)", lambda g: g.exact(whole))
    p = g.apply(ps, "l - 1", "t")
    p = g.have("P(l,t) = W(l,t) @ P(l-1,t)", lambda g: g.exact(p))
    one = g.have("P(L,t) = Q(l,t) @ W(l,t) @ P(l-1,t)", lambda g: g.nc((whole, -1, None, None), (p, 1, "Q(l,t)", None)))

    def each(g: Goal) -> None:
        g.intro()
        h = g.lemma(
            "shin2025.eq-lemma9-derivative",
            "part:one-entry",
            "d",
            "i",
            "j",
            "p",
            "Q(l,t)",
            "W(l,t)",
            "P(l-1,t)",
            "E",
            by=[None, None, lambda g: g.close_by("elem")],
        )
        g.exact(h)

    def velocity(g: Goal) -> None:
        v = g.apply("move", "l", "t")
        g.rewrite(v)

        def term(g: Goal) -> None:
            c = g.fix()[0]
            g.split_all(g.assume())

            def off(g: Goal) -> None:
                e = g.fix()[0]
                g.intro()
                g.have(f"{c} != {e}")
                g.field()

            h = g.by_fact(
                "sum_delta", "1", "d", c, f"lam e_:Z. had(I(d), P(L,t) - Ws)[{c},e_]*P(l-1,t)[j,e_]", by=[None, None, off]
            )
            k = g.have(
                f"(had(I(d), P(L,t) - Ws) @ T(P(l-1,t)))[{c},j] = sum(e_, 1, d, had(I(d), P(L,t) - Ws)[{c},e_]*P(l-1,t)[j,e_])",
                lambda g: g.field(),
            )
            q = f"Q(l,t)[{c},i]"
            g.field((k, q), (h, q))

        h = g.by_fact(
            "sum_ext",
            "1",
            "d",
            "lam c:Z. Q(l,t)[c,i]*(had(I(d), P(L,t) - Ws) @ T(P(l-1,t)))[c,j]",
            f"lam p:Z. (P(L,t)[p,p] - Ws[p,p])*({FACTORED})",
            by=[term],
        )
        k = g.have(
            "(T(Q(l,t)) @ (had(I(d), P(L,t) - Ws) @ T(P(l-1,t))))[i,j] = "
            "sum(c, 1, d, Q(l,t)[c,i]*(had(I(d), P(L,t) - Ws) @ T(P(l-1,t)))[c,j])",
            lambda g: entry_of_product(g),
        )
        e = g.have(
            "(-(T(Q(l,t)) @ had(I(d), P(L,t) - Ws) @ T(P(l-1,t))))[i,j] = "
            "-(T(Q(l,t)) @ (had(I(d), P(L,t) - Ws) @ T(P(l-1,t))))[i,j]",
            lambda g: g.field(),
        )
        g.rewrite(e)
        g.rewrite(k)
        g.rewrite(h)
        g.refl()

    def entry_of_product(g: Goal) -> None:
        h = g.fact("mm_entry", "d", "d", "d", "T(Q(l,t))", "had(I(d), P(L,t) - Ws) @ T(P(l-1,t))")
        h = g.apply(h, "i", "j")
        g.field((h, 1))

    vel = g.have("W'(l,t)[i,j] = -sum(p, 1, d, (P(L,t)[p,p] - Ws[p,p])*(Q(l,t)[p,i]*P(l-1,t)[j,p]))", velocity)

    def diagonal(g: Goal) -> None:
        diag = g.assume()
        g.assume("ne")
        h = g.lemma(
            "shin2025.eq-lemma9-derivative",
            "part:diagonal-products",
            "d",
            "L",
            "W",
            "P",
            "Q",
            "t",
            by=[None, lambda g: g.close_by(diag)],
        )
        right = g.apply(h, "l - 1")
        left = g.apply(h, "L - l")

        def product(g: Goal) -> None:
            g.intro()

            def same(g: Goal) -> None:
                g.have("j != p", lambda g: (g.contra(), k := g.have("i = j"), g.clash(k, "ne"))[-1])
                k = g.split(g.apply(right, "j", "p"))[0]
                g.field((k, "Q(l,t)[p,i]"))

            def other(g: Goal) -> None:
                k = g.split(g.apply(left, "p", "i"))[1]
                k = g.have("Q(l,t)[p,i] = 0", lambda g: g.exact(k))
                g.field((k, "P(l-1,t)[j,p]"))

            g.em("p = i", same, other)

        zero = g.have(f"all p:Z. 1 <= p and p <= d => {FACTORED} = 0", product)

        def still(g: Goal) -> None:
            def term(g: Goal) -> None:
                c = g.fix()[0]
                g.split_all(g.assume())
                k = g.apply(zero, c)
                g.field((k, f"P(L,t)[{c},{c}] - Ws[{c},{c}]"))

            z = zero_sum(g, "1", "d", f"lam p:Z. (P(L,t)[p,p] - Ws[p,p])*({FACTORED})", term)
            g.field((vel, 1), (z, -1))

        g.conj(lambda g: g.close_by(zero), still)

    del qs
    g.conj(lambda g: g.close_by(one), each, lambda g: g.close_by(vel), diagonal)
