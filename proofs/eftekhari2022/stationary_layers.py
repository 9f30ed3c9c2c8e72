"""Appendix B: stationary layers whose product has the rank of the narrowest layer give stationary pairs."""

from __future__ import annotations

from proofs.eftekhari2022.row_span_projection import PENROSE
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

GAP = "((W @ X - Y) @ T(X))"


@part(
    "eftekhari2022.lemma-4-fosp",
    "left-inverse",
    "all y r:Z, P:M(y,r). 0 <= y => 1 <= r => rank(P) = r => ex L:M(r,y). L @ P = I(r)",
    says="a matrix of full column rank has a left inverse",
    uses=["eftekhari2022.lemma-11"],
)
def full_column_rank_has_a_left_inverse(g: Goal) -> None:
    """|P v| >= s_r |v| with s_r > 0, so P^T P is invertible."""
    _, _, rank = g.intro()
    _, some = g.split(g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", "r", "y", "P"))
    g.apply(some, "r", by=[None, lambda g: g.pos(eqs=[(rank, 1)])])
    gram = "(T(P) @ P)"
    value = g.by_fact("sv_gram", "y", "r", "r", "P")

    def regular(g: Goal) -> None:
        g.contra("singular")
        nonzero, kernel = g.obtain(g.by_fact("det_kernel", "r", gram, by=[using("singular")]), "v")
        rayleigh = g.by_fact("eig_rayleigh", "r", gram, "v", by=[lambda g: g.nc(), None])
        low, _ = g.split(rayleigh)
        flat = g.have(f"T(v) @ {gram} @ v = O(1,1)", lambda g: g.nc((kernel, 1, "T(v)", None)))
        zero = g.have(f"tr(T(v) @ {gram} @ v) = 0", lambda g: (g.rewrite(flat), g.field()))
        short = g.have("sv(P,r)^2*tr(T(v) @ v) <= 0", lambda g: g.pos([f"@{low}"], eqs=[(zero, -1), (value, "-tr(T(v) @ v)")]))
        none = g.have("tr(T(v) @ v) <= 0", lambda g: g.pos([f"@{short}"], mul=["sv(P,r)^2"]))
        length = g.have("tr(T(v) @ v) = 0", lambda g: g.antisym(using(none), None))
        v = g.by_fact("frobenius_zero", "r", 1, "v", by=[using(length)])
        g.clash(v, nonzero)

    det = g.have(f"det({gram}) != 0", regular)
    inverse = g.by_fact("inv_left", "r", gram, by=[using(det)])
    g.witness(f"inv({gram}) @ T(P)")
    g.nc((inverse, 1, None, None))


@part(
    "eftekhari2022.lemma-4-fosp",
    "right-inverse",
    "all x r:Z, Q:M(r,x). 0 <= x => 1 <= r => rank(Q) = r => ex R:M(x,r). Q @ R = I(r)",
    says="a matrix of full row rank has a right inverse",
    uses=["eftekhari2022.lemma-4-fosp", "eftekhari2022.lemma-11"],
)
def full_row_rank_has_a_right_inverse(g: Goal) -> None:
    """The transpose has full column rank."""
    _, _, rank = g.intro()
    _, some = g.split(g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", "x", "r", "Q"))
    own, _ = g.split(g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", "r", "x", "T(Q)"))
    positive = g.apply(some, "r", by=[None, lambda g: g.pos(eqs=[(rank, 1)])])
    same = g.fact("sv_transpose", "r", "x", "r", "Q")
    _, _, most = g.split(g.by_fact("rank_bounds", "x", "r", "T(Q)"))

    def least(g: Goal) -> None:
        k = g.contra()
        flat = g.apply(own, "r", by=[None, using(k)])
        g.pos([f"@{positive}"], eqs=[(flat, -1), (same, 1)])

    turned = g.have("rank(T(Q)) = r", lambda g: g.antisym(using(most), least))
    h = g.lemma("eftekhari2022.lemma-4-fosp", "part:left-inverse", "x", "r", "T(Q)", by=[None, None, using(turned)])
    eq = g.obtain(h, "L")[0]
    g.witness("T(L)")
    flipped = g.have("T(L @ T(Q)) = T(I(r))", lambda g: g.ctx(using(eq)))
    g.nc((flipped, 1, None, None))


INNER = """all x y m n r:Z, X:M(x,m), Y:M(y,m), A:M(n,x), B:M(y,n), M:M(n,r), L:M(r,n), P:M(y,r), Q:M(r,x), W:M(y,x).
       0 <= x => 0 <= y => 1 <= r => P = B @ M => Q = L @ A => W = P @ Q => rank(W) = r =>"""
FIRST, LAST = f"T(B @ M @ L) @ {GAP} = O(n,x)", f"{GAP} @ T(M @ L @ A) = O(y,n)"


@holds(
    "eftekhari2022.lemma-4-fosp",
    f"""({INNER} {FIRST} => {LAST} => {GAP} @ T(Q) = O(y,r) and T(P) @ {GAP} = O(r,x)) and
       (all x y m n:Z, X:M(x,m), Y:M(y,m), B:M(y,n), M:M(n,x), W:M(y,x). 1 <= x => 0 <= y => 0 <= n => W = B @ M => rank(W) = x =>
         {GAP} @ T(M) = O(y,n) => {GAP} @ T(I(x)) = O(y,x) and T(W) @ {GAP} = O(x,x)) and
       (all x y m n:Z, X:M(x,m), Y:M(y,m), L:M(y,n), A:M(n,x), W:M(y,x). 0 <= x => 1 <= y => 0 <= n => W = L @ A => rank(W) = y =>
         T(L) @ {GAP} = O(n,x) => {GAP} @ T(W) = O(y,y) and T(I(y)) @ {GAP} = O(y,x))""",
    argument="sound",
    reading="A = W_1 and B = W_N; L and M are the products of the layers 2..j_0 and j_0+1..N-1; of the stationarity of the layers that of the "
    "first and the last is used; the second and the third part are the cuts j_0 = 0 and j_0 = N, with identities for P or Q, and cover depth one "
    "(M = I or L = I)",
    uses=["eftekhari2022.lemma-4-fosp", "eftekhari2022.eq-54"],
)
def stationary_layers_give_a_stationary_pair(g: Goal) -> None:
    """P2 P = I and Q Q2 = I cancel the layers outside the cut."""

    def inner(g: Goal) -> None:
        names = g.intro()
        p, q, w, rank, first, last = names[3:]
        both = g.split(
            g.lemma(
                "eftekhari2022.eq-54", "statement", "x", "y", "r", "W", "P", "Q", by=[None, None, None, using(w), using(rank)]
            )
        )
        right_rank = both[3]
        left_rank = g.have("rank(P) = r", lambda g: g.field((both[1], -1), (rank, 1)))
        left = g.obtain(
            g.lemma("eftekhari2022.lemma-4-fosp", "part:left-inverse", "y", "r", "P", by=[None, None, using(left_rank)]), "P2"
        )[0]
        right = g.obtain(
            g.lemma("eftekhari2022.lemma-4-fosp", "part:right-inverse", "x", "r", "Q", by=[None, None, using(right_rank)]), "Q2"
        )[0]
        turned_p = g.have("T(P2 @ P) = T(I(r))", lambda g: g.ctx(using(left)))
        turned_q = g.have("T(Q @ Q2) = T(I(r))", lambda g: g.ctx(using(right)))
        g.conj(
            lambda g: cancelled(g, last, turned_p, p, q, True),
            lambda g: cancelled(g, first, turned_q, p, q, False),
        )

    def bottom(g: Goal) -> None:
        names = g.intro()
        w, rank, flat = names[3:]
        low = g.split(g.fact("rank_product", "y", "n", "x", "B", "M"))[1]
        back = g.have("B @ M = W", lambda g: g.nc((w, -1, None, None)))
        low = g.rewritten(low, back)
        _, _, most = g.split(g.by_fact("rank_bounds", "n", "x", "M"))
        full = g.have("rank(M) = x", lambda g: g.antisym(using(most), lambda g: g.pos([f"@{low}"], eqs=[(rank, 1)])))
        left = g.obtain(
            g.lemma("eftekhari2022.lemma-4-fosp", "part:left-inverse", "n", "x", "M", by=[None, None, using(full)]), "R"
        )[0]
        turned = g.have("T(R @ M) = T(I(x))", lambda g: g.ctx(using(left)))
        zero = g.have(f"{GAP} = O(y,x)", lambda g: g.nc((flat, 1, None, "T(R)"), (turned, -1, GAP, None)))
        g.conj(lambda g: g.nc((zero, 1, None, None)), lambda g: g.nc((zero, 1, "T(W)", None)))

    def top(g: Goal) -> None:
        names = g.intro()
        w, rank, flat = names[3:]
        low = g.split(g.fact("rank_product", "y", "n", "x", "L", "A"))[0]
        back = g.have("L @ A = W", lambda g: g.nc((w, -1, None, None)))
        low = g.rewritten(low, back)
        _, most, _ = g.split(g.by_fact("rank_bounds", "y", "n", "L"))
        full = g.have("rank(L) = y", lambda g: g.antisym(using(most), lambda g: g.pos([f"@{low}"], eqs=[(rank, 1)])))
        right = g.obtain(
            g.lemma("eftekhari2022.lemma-4-fosp", "part:right-inverse", "n", "y", "L", by=[None, None, using(full)]), "R"
        )[0]
        turned = g.have("T(L @ R) = T(I(y))", lambda g: g.ctx(using(right)))
        zero = g.have(f"{GAP} = O(y,x)", lambda g: g.nc((flat, 1, "T(R)", None), (turned, -1, None, GAP)))
        g.conj(lambda g: g.nc((zero, 1, None, "T(W)")), lambda g: g.nc((zero, 1, None, None)))

    g.conj(inner, bottom, top)


def cancelled(g: Goal, flat: str, turned: str, p: str, q: str, left: bool) -> None:
    """G Q^T = G Q^T (P2 P)^T = G (M Q)^T B^T P2^T = 0, or P^T G = (Q Q2)^T P^T G = Q2^T A^T (P L)^T G = 0."""
    pt = g.have("T(P) = T(B @ M)", lambda g: g.ctx(using(p)))
    qt = g.have("T(Q) = T(L @ A)", lambda g: g.ctx(using(q)))
    if left:
        g.nc(
            (flat, 1, None, "T(B) @ T(P2)"), (turned, -1, f"{GAP} @ T(Q)", None), (pt, 1, f"{GAP} @ T(Q)", "T(P2)"),
            (qt, 1, GAP, "T(M) @ T(B) @ T(P2)"),
        )  # fmt: skip
    else:
        g.nc(
            (flat, 1, "T(Q2) @ T(A)", None), (turned, -1, None, f"T(P) @ {GAP}"), (qt, 1, "T(Q2)", f"T(P) @ {GAP}"),
            (pt, 1, "T(Q2) @ T(A) @ T(L)", GAP),
        )  # fmt: skip


@holds(
    "eftekhari2022.lemma-6-fosp",
    f"""all x y m n r:Z, X:M(x,m), X2:M(m,x), Y:M(y,m), A:M(n,x), B:M(y,n), M:M(n,r), L:M(r,n), P:M(y,r), Q:M(r,x), W:M(y,x).
       {PENROSE.replace("G", "X2")} 0 <= x => 0 <= y => 1 <= r => det(X @ T(X)) != 0 => P = B @ M => Q = L @ A => W = P @ Q => rank(W) = r =>
       {FIRST} => {LAST} => (Y @ (X2 @ X) - P @ (Q @ X)) @ T(Q @ X) = O(y,r) and T(P) @ (Y @ (X2 @ X) - P @ (Q @ X)) = O(r,m) and
       P @ (Q @ X) = W @ X""",
    argument="sound",
    reading="X2 is the pseudo-inverse of X; A = W_1 and B = W_N, L and M are the products of the layers 2..j_0 and j_0+1..N-1 for a layer "
    "1 <= j_0 <= N - 1 of width r, and Q' = Q X; for a cut at the input or the output see Lemma 4",
    uses=["eftekhari2022.lemma-4-fosp", "eftekhari2022.eq-72", "eftekhari2022.eq-73", "eftekhari2022.eq-75"],
)
def stationary_layers_descend(g: Goal) -> None:
    """Lemma 4 and Lemma 5."""
    names = g.intro()
    penrose, (x0, y0, r1, det), rest = names[:4], names[4:8], names[8:]
    inner, _, _ = g.split(g.lemma("eftekhari2022.lemma-4-fosp", "statement"))
    h = g.apply(
        inner, "x", "y", "m", "n", "r", "X", "Y", "A", "B", "M", "L", "P", "Q", "W", by=[using(k) for k in (x0, y0, r1, *rest)]
    )
    row, column = g.split(h)
    whole = rest[2]
    terms = ("x", "y", "m", "r", "X", "X2", "Y", "P", "Q")
    given = [using(k) for k in penrose]
    first = g.have(
        "(Y - P @ Q @ X) @ T(X) @ T(Q) = O(y,r)", lambda g: g.nc((row, -1, None, None), (whole, 1, None, "X @ T(X) @ T(Q)"))
    )
    second = g.have(
        "T(P) @ (Y - P @ Q @ X) @ T(X) = O(r,x)", lambda g: g.nc((column, -1, None, None), (whole, 1, "T(P)", "X @ T(X)"))
    )
    rows = g.split(g.lemma("eftekhari2022.eq-72", "statement", *terms, by=[*given, using(first)]))
    columns = g.split(g.lemma("eftekhari2022.eq-73", "statement", *terms, by=[*given, using(second)]))
    gap = "(Y @ (X2 @ X) - P @ (Q @ X))"
    flat = g.have(
        f"T(P) @ {gap} @ T(X) = O(r,x)",
        lambda g: g.nc((columns[2], -1, None, None), (columns[1], -1, None, None), (columns[0], -1, None, None)),
    )
    last = g.split(g.lemma("eftekhari2022.eq-75", "statement", *terms, by=[*given, using(det), using(flat)]))[1]
    g.conj(
        lambda g: g.nc((rows[2], -1, None, None), (rows[1], -1, None, None), (rows[0], -1, None, None)),
        using(last),
        lambda g: g.nc((whole, -1, None, "X")),
    )
