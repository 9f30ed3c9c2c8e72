"""Formula text for Definition 2: gradients of the entries of the product, their inner products, partitions of the observations.

By equation d2-derivative the gradient of w_ij with respect to the entry (a, b) of W_l is Q(l)[i,a] P(l-1)[b,j], with the
partial products
P(l) = W_l ... W_1 and Q(l) = W_L ... W_{l+1} of `diagonal_flow`.
"""

from __future__ import annotations

from collections.abc import Callable

Inner = Callable[[str, str, str, str], str]
Member = Callable[[str, str], str]


def deep_inner(i: str, j: str, x: str, y: str) -> str:
    """The inner product of the gradients of w_ij and w_xy at time t over all layers and their entries, square factors."""
    terms = f"Q(l,t)[{i},a]*P(l-1,t)[b,{j}]*(Q(l,t)[{x},a]*P(l-1,t)[b,{y}])"
    return f"sum(l, 1, L, sum(a, 1, d, sum(b, 1, d, {terms})))"


def diagonal(i: str, j: str) -> str:
    """(i, j) is observed: the diagonal."""
    return f"1 <= {i} and {i} <= d and {j} = {i}"


def masked(i: str, j: str) -> str:
    """(i, j) is observed: the entry of the binary matrix Om is 1."""
    return f"Om[{i},{j}] = 1"


def decoupled(member: Member, inner: Inner) -> str:
    """Definition 2: a partition of the observations into K >= 2 non-empty parts with orthogonal gradients across parts for
    all t >= 0."""
    return (
        "(ex K:Z, part:(Z,Z)->Z. 2 <= K and"
        f" (all i j:Z. {member('i', 'j')} => 1 <= part(i,j) and part(i,j) <= K) and"
        f" (all k:Z. 1 <= k and k <= K => (ex i j:Z. {member('i', 'j')} and part(i,j) = k)) and"
        f" (all i j x y:Z, t:R. {member('i', 'j')} and {member('x', 'y')} and part(i,j) != part(x,y) => 0 <= t =>"
        f" {inner('i', 'j', 'x', 'y')} = 0))"
    )


DIAGONAL_DECOUPLED = decoupled(diagonal, deep_inner)
"""The dynamics with diagonal observations are decoupled."""


def shallow_inner(i: str, j: str, x: str, y: str) -> str:
    """The inner product of the gradients of w_ij and w_xy at time t for W = A B, over the entries of A and of B."""
    rows = f"I(d)[a,{i}]*B(t)[k,{j}]*(I(d)[a,{x}]*B(t)[k,{y}])"
    columns = f"A(t)[{i},k]*I(d)[a,{j}]*(A(t)[{x},k]*I(d)[a,{y}])"
    return f"sum(a, 1, d, sum(k, 1, n, {rows})) + sum(a, 1, d, sum(k, 1, n, {columns}))"


SHALLOW = (
    "(all t:R. 0 <= t => A'(t) = -(had(Om, A(t) @ B(t) - Ws) @ T(B(t)))) and"
    " (all t:R. 0 <= t => B'(t) = -(T(A(t)) @ had(Om, A(t) @ B(t) - Ws)))"
)
"""Gradient flow (3) of the objective (2) for W = A B with the observations Om."""

BINARY = "(all i j:Z. Om[i,j] = 0 or Om[i,j] = 1)"
"""Om is a binary matrix."""

SHALLOW_DECOUPLED = decoupled(masked, shallow_inner)
"""The dynamics of W = A B are decoupled."""

CONNECTED = (
    "(all r c:Z->Z. (all i j:Z. Om[i,j] = 1 => r(i) = c(j)) => (all i j k l:Z. Om[i,j] = 1 and Om[k,l] = 1 => r(i) = r(k)))"
)
"""Definition 8: labels of rows and columns that agree along observed entries are constant."""

SHALLOW_VARIABLES = "all d n:Z, Om Ws:M(d,d), A:R~>M(d,n), B:R~>M(n,d)."
