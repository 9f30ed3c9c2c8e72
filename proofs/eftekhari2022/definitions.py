"""Equations (61), (62), (83) and Definition 13: the losses as functions of the product, and whitened data."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from verify.kernel import Goal
from verify.registry import holds


@holds(
    "eftekhari2022.def-13",
    """all x m:Z, X:M(x,m). 1 <= m => all i j:Z. ((1/m)*(X @ T(X)))[i,j] = (1/m)*sum(k, 1, m, X[i,k]*X[j,k])""",
    argument="sound",
    reading="well-formed: X X^T/m is the mean of x_k x_k^T over the columns x_k of X, entry by entry",
)
def second_moment_of_the_data(g: Goal) -> None:
    """An entry of a product."""
    g.intro()
    product = g.fact("mm_entry", "x", "m", "x", "X", "T(X)")
    h = g.apply(product, "i", "j")
    g.have("0 < m")
    g.field((h, "1/m"))


@holds(
    "eftekhari2022.eq-62",
    f"""all x y m n r N:Z, X:M(x,m), Y:M(y,m), P:M(y,r), R:M(r,x), B:M(y,n), Q:Z->M(n,x), W:M(y,x). 2 <= N => W = B @ Q(N-1) =>
       {size("Y - P @ R @ X")}/2 = {size("Y - (P @ R) @ X")}/2 and {size("Y - B @ Q(N-1) @ X")}/2 = {size("Y - W @ X")}/2""",
    argument="sound",
    reading="Q(N-1) = W_{N-1}...W_1 and B = W_N; the left sides are L_2 and L_N, the right sides L_1 at the product",
)
def losses_depend_on_the_product(g: Goal) -> None:
    """By definition."""
    _, whole = g.intro()
    same = g.have("Y - B @ Q(N-1) @ X = Y - W @ X", lambda g: g.nc(rw=[whole]))
    g.conj(lambda g: g.field(), lambda g: (g.rewrite(same), g.refl()))


@holds(
    "eftekhari2022.eq-83",
    "all x y m r:Z, X:M(x,m), P:M(y,r), Q:M(r,x), R:M(r,m), W:M(y,x). W = P @ Q => R = Q @ X => W @ X = P @ R",
    argument="sound",
    reading="W is the product of the layers, P and Q those above and below the cut (54), R stands for Q' of (71)",
)
def product_under_the_correspondence(g: Goal) -> None:
    """W X = P Q X."""
    first, second = g.intro()
    g.nc(rw=[first, second])
