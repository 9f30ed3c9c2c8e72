"""The deep factorisation and its gradient flow, as formula texts.

The factors are A = W_1 (n x c), W(l) = W_l (n x n, 2 <= l <= L - 1) and B = W_L (r x n). Hidden widths that differ are covered:
n is the largest of them and the other factors are padded with zero rows and columns, which changes neither the products nor the
gradient flow nor balancedness. Q(l) = W_l ... W_1 and P(l) = W_L ... W_{l+1} are the partial products, X the product matrix,
G(t) the gradient of the loss at X(t).
"""

from __future__ import annotations

PADDING = (
    "the hidden widths are represented by their maximum n: smaller factors are padded with zero rows and columns, "
    "which changes neither the products, nor the gradient flow, nor balancedness"
)
GRADIENT = (
    "G(t) stands for the gradient of the loss at the product matrix [notation]; nothing but its smoothness in t is used "
    "[notation]"
)


def factors(r: str, c: str) -> str:
    """The declarations of factors with an r x c product."""
    dims = f"{r} " if r == c else f"{r} {c} "
    sizes = "" if r.isdigit() else dims
    return (
        f"{sizes}n L:Z, A:R~>M(n,{c}), B:R~>M({r},n), W:(Z,R)~>M(n,n), P:(Z,R)~>M({r},n), Q:(Z,R)~>M(n,{c}), "
        f"G:R~>M({r},{c}), X:R~>M({r},{c}), C:(Z,R)->M(n,n)"
    )


INNER = "2 <= l and l <= L - 1"

FLOW_PARTS = [
    "2 <= L",
    "(all t:R. 0 <= t => Q(1,t) = A(t) and P(L-1,t) = B(t) and X(t) = B(t) @ Q(L-1,t))",
    f"(all l:Z, t:R. {INNER} => 0 <= t => Q(l,t) = W(l,t) @ Q(l-1,t) and P(l-1,t) = P(l,t) @ W(l,t))",
    "(all t:R. 0 <= t => A'(t) = -(T(P(1,t)) @ G(t)) and B'(t) = -(G(t) @ T(Q(L-1,t))))",
    f"(all l:Z, t:R. {INNER} => 0 <= t => d(1,W,l,t) = -(T(P(l,t)) @ G(t) @ T(Q(l-1,t))))",
]
"""Products of the factors, and the gradient flow (4) of loss(W_L ... W_1) in each factor."""

BALANCED_PARTS = [
    "(all t:R. 0 <= t => C(1,t) = A(t) @ T(A(t)))",
    f"(all l:Z, t:R. {INNER} => 0 <= t => C(l,t) = W(l,t) @ T(W(l,t)))",
    "T(B(0)) @ B(0) = C(L-1,0)",
    f"(all l:Z. {INNER} => T(W(l,0)) @ W(l,0) = C(l-1,0))",
]
"""C(l) = W_l W_l^T for l = 1, ..., L - 1; balanced initialisation (5): W_{l+1}(0)^T W_{l+1}(0) = W_l(0) W_l(0)^T."""

FLOW = " =>\n       ".join(FLOW_PARTS) + " =>"
BALANCED = " =>\n       ".join(BALANCED_PARTS) + " =>"

THEOREM_1 = f"""all {factors("2", "2")}. 2 <= n => {FLOW} {BALANCED}
       (all t:R. 0 <= t => G(t) = [[0, X(t)[1,2] - 1], [X(t)[2,1] - 1, X(t)[2,2]]]) => 0 < det(X(0)) =>"""
"""The setting of Theorem 1: balanced gradient flow for the observations (6), whose loss has this gradient, from a positive
determinant."""
