"""Lemma 9: under diagonal observations diagonal factors stay diagonal. Unit vectors and the mask of the diagonal."""

from __future__ import annotations

from proofs.shin2025.commutant import moves
from proofs.shin2025.diagonal_flow import PRODUCTS, flow
from verify.kernel import Goal
from verify.registry import holds, part

MASKED = flow("had(I(d), P(L,t) - Ws)")
DIAGONAL_START = "(all l i j:Z. 1 <= l and l <= L and 1 <= i and i <= d and 1 <= j and j <= d and i != j => W(l,0)[i,j] = 0)"


@part(
    "shin2025.lemma-9",
    "unit-vector",
    """all d i:Z. 1 <= i => i <= d => ex e:V(d). e[i,1] = 1 and (all k:Z. 1 <= k and k <= d and k != i => e[k,1] = 0)
       and T(e) @ e = I(1) and (all X:M(d,d), k:Z. 1 <= k and k <= d => (X @ e)[k,1] = X[k,i])""",
)
def unit_vectors(g: Goal) -> None:
    """Column i of the identity; sums against it keep one term."""
    g.intro()
    e = g.obtain(g.by_fact("matrix_of_entries", "d", "1", "lam k:Z, j:Z. I(d)[k,i]"), "e")[0]
    g.witness("e")
    one = g.have("e[i,1] = 1", lambda g: (h := g.apply(e, "i", "1"), g.field((h, 1)))[-1])

    def off(g: Goal) -> None:
        g.intro()
        h = g.apply(e, "k", "1")
        g.field((h, 1))

    zero = g.have("all k:Z. 1 <= k and k <= d and k != i => e[k,1] = 0", off)

    def other(g: Goal, x: str) -> None:
        g.fix("l")
        g.intro()
        h = g.apply(zero, "l")
        g.field((h, x))

    def norm(g: Goal) -> None:
        g.ext(
            lambda g: (
                h := g.by_fact(
                    "sum_delta", "1", "d", "i", "lam l:Z. e[l,1]*e[l,1]", by=[None, None, lambda g: other(g, "e[l,1]")]
                ),
                g.field((h, 1), (one, "e[i,1] + 1")),
            )[-1]
        )

    def column(g: Goal) -> None:
        g.intro()
        h = g.by_fact("sum_delta", "1", "d", "i", "lam l:Z. X[k,l]*e[l,1]", by=[None, None, lambda g: other(g, "X[k,l]")])
        g.field((h, 1), (one, "X[k,i]"))

    g.conj(None, None, norm, column)


@part("shin2025.lemma-9", "mask-symmetric", "all d:Z, X:M(d,d). T(had(I(d), X)) = had(I(d), X)")
def masked_matrix_is_symmetric(g: Goal) -> None:
    """Entry by entry: equal indices, or both sides 0."""
    g.intro()
    g.extn()
    g.em("i = j", lambda g: (g.replace("i", "j"), g.field())[-1], lambda g: (g.have("j != i"), g.field())[-1])


@part(
    "shin2025.lemma-9",
    "mask-eigenvector",
    """all d i:Z, X:M(d,d), e:V(d). 1 <= i => i <= d => e[i,1] = 1 => (all k:Z. 1 <= k and k <= d and k != i => e[k,1] = 0) =>
       (all X:M(d,d), k:Z. 1 <= k and k <= d => (X @ e)[k,1] = X[k,i]) => had(I(d), X) @ e = X[i,i]*e""",
)
def unit_vectors_are_eigenvectors_of_the_mask(g: Goal) -> None:
    """Entry by entry."""
    _, _, one, zero, column = g.intro()
    g.extn("k", "j")
    c = g.apply(column, "had(I(d), X)", "k")
    g.replace("j", "1", lambda g: g.antisym())
    g.rewrite(c)
    g.em(
        "k = i",
        lambda g: (g.replace("k", "i"), g.field((one, "-X[i,i]")))[-1],
        lambda g: (h := g.apply(zero, "k"), g.field((h, "-X[i,i]")))[-1],
    )


@holds(
    "shin2025.lemma-9",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d), Ws:M(d,d). 1 <= d => 1 <= L => {PRODUCTS} => {MASKED} => {DIAGONAL_START} =>
        all l i j:Z, t:R. 1 <= l and l <= L and 1 <= i and i <= d and 1 <= j and j <= d and i != j => 0 <= t => W(l,t)[i,j]
        = 0""",
    argument="sound",
    context="the observations are the diagonal entries [Section F.2]; their values may differ [Section F.2]",
)
def diagonal_factors_stay_diagonal(g: Goal) -> None:
    """Each coordinate projection e e^T commutes with the initial factors and with the residual, hence with the factors for
    ever."""
    g.fix()
    for name in ("d_lo", "L_lo", "prods", "move", "start"):
        g.assume(name)
    g.intro()
    one, zero, norm, column = g.obtain(g.lemma("shin2025.lemma-9", "part:unit-vector", "d", "i"), "e")

    sdef = g.obtain(g.have("ex S:M(d,d). S = e @ T(e)", lambda g: (g.witness("e @ T(e)"), g.refl())[-1]), "S")[0]

    def mask(g: Goal) -> None:
        g.fix("u")
        g.assume()
        m = g.lemma("shin2025.lemma-9", "part:mask-eigenvector", "d", "i", "P(L,u) - Ws", "e")
        s = g.lemma("shin2025.lemma-9", "part:mask-symmetric", "d", "P(L,u) - Ws")
        n = g.have("T(e) @ had(I(d), P(L,u) - Ws) = (P(L,u) - Ws)[i,i]*T(e)", lambda g: transposed(g, m, s))
        h = g.have(
            "S @ had(I(d), P(L,u) - Ws) - had(I(d), P(L,u) - Ws) @ S = O(d,d)",
            lambda g: g.nc((n, 1, "e", None), (m, -1, None, "T(e)"), rw=[sdef]),
        )
        g.rewrite(h)
        g.pos()

    def transposed(g: Goal, m: str, s: str) -> None:
        h = g.have("T(had(I(d), P(L,u) - Ws) @ e) = T((P(L,u) - Ws)[i,i]*e)", lambda g: (g.rewrite(m), g.refl())[-1])
        g.nc((h, 1, None, None), (s, -1, "T(e)", None))

    def start(g: Goal) -> None:
        g.fix("k")
        g.intro()
        right = g.have("W(k,0) @ e = W(k,0)[i,i]*e", lambda g: column_of(g, "W(k,0)", lambda g, a: g.apply("start", "k", a, "i")))
        left = g.have(
            "T(W(k,0)) @ e = W(k,0)[i,i]*e", lambda g: column_of(g, "T(W(k,0))", lambda g, a: g.apply("start", "k", "i", a))
        )
        t = g.have("T(T(W(k,0)) @ e) = T(W(k,0)[i,i]*e)", lambda g: (g.rewrite(left), g.refl())[-1])
        g.nc((t, 1, "e", None), (right, -1, None, "T(e)"), rw=[sdef])

    def column_of(g: Goal, x: str, zero_entry: object) -> None:
        g.extn("a", "b")
        g.replace("b", "1", lambda g: g.antisym())
        c = g.apply(column, x, "a")
        g.rewrite(c)

        def other(g: Goal) -> None:
            g.have("i != a")
            z = zero_entry(g, "a")  # type: ignore[operator]
            h = g.apply(zero, "a")
            g.field((z, 1), (h, "-W(k,0)[i,i]"))

        g.em("a = i", lambda g: (g.replace("a", "i"), g.field((one, "-W(k,0)[i,i]")))[-1], other)

    h = g.lemma(
        "shin2025.lemma-9",
        "part:commutes-for-ever",
        "d",
        "L",
        "0",
        "S",
        "W",
        "P",
        "Q",
        "lam t:R. had(I(d), P(L,t) - Ws)",
        by=[None, None, None, lambda g: g.nc(rw=[sdef]), None, moves, mask, start],
    )
    h = g.apply(h, "l", "t")
    h = g.have("T(S @ W(l,t)) = T(W(l,t) @ S)", lambda g: (g.rewrite(h), g.refl())[-1])
    m = g.have("T(W(l,t)) @ e = e @ (T(e) @ T(W(l,t)) @ e)", lambda g: g.nc((h, 1, None, "e"), rw=[sdef, norm]))
    c = g.apply(column, "T(W(l,t))", "j")
    m = g.have("(T(W(l,t)) @ e)[j,1] = (e @ (T(e) @ T(W(l,t)) @ e))[j,1]", lambda g: (g.rewrite(m), g.refl())[-1])
    z = g.apply(zero, "j")
    n = g.have("(e @ (T(e) @ T(W(l,t)) @ e))[j,1] = e[j,1]*(T(e) @ T(W(l,t)) @ e)[1,1]", lambda g: g.field())
    g.field((c, -1), (m, 1), (n, 1), (z, "(T(e) @ T(W(l,t)) @ e)[1,1]"))
