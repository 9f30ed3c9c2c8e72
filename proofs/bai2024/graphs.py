"""Formula text for observation patterns and their graphs.

A pattern is a d x d matrix P of zeros and ones (entries outside a matrix are 0). Connectivity of a graph is said by labels:
every labelling of
the vertices by integers that is the same at both ends of each edge is the same on all vertices that are not isolated. That
this is
connectivity by walks is proved with Definition 2.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.kernel import Goal

PATTERN = "(all i j:Z. P[i,j] = 0 or P[i,j] = 1)"
"""P is a binary matrix."""

LABELS = "(all i j:Z. P[i,j] = 1 => r(i) = c(j))"
"""Row labels r and column labels c that agree along the edges of the observation graph."""

CONNECTED = f"(all r c:Z->Z. {LABELS} => (all i j k l:Z. P[i,j] = 1 and P[k,l] = 1 => r(i) = r(k)))"
"""Definition 2: the observation graph without isolated vertices is connected."""

BLOCK = (
    "(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d =>"
    " E[i,j] = 0 and E[d+i,d+j] = 0 and E[d+i,j] = P[i,j] and E[j,d+i] = P[i,j])"
)
"""E is the 2d x 2d matrix [0, P^T; P, 0] of Definition 1: vertex j <= d is column j, vertex d+i is row i."""

GRAPH = "(all u v:Z. E[u,v] = 0 or E[u,v] = 1) and (all u v:Z. E[u,v] = E[v,u]) and (all u:Z. E[u,u] = 0)"
"""E is the adjacency matrix of a simple graph."""

GRAPH_CONNECTED = (
    "(all f:Z->Z. (all u v:Z. E[u,v] = 1 => f(u) = f(v)) => (all u v x y:Z. E[u,v] = 1 and E[x,y] = 1 => f(u) = f(x)))"
)
"""The graph E without its isolated vertices is connected."""

WALKS = (
    "(all u v x y:Z. E[u,v] = 1 and E[x,y] = 1 =>"
    " (ex m:Z, w:Z->Z. 0 <= m and w(0) = u and w(m) = x and (all k:Z. 0 <= k and k < m => E[w(k),w(k+1)] = 1)))"
)
"""Any two vertices of E that are not isolated are joined by a walk."""

LINE_CONNECTED = (
    "(all g:(Z,Z)->Z. (all u v:Z. E[u,v] = 1 => g(u,v) = g(v,u)) and"
    " (all u v w:Z. E[u,v] = 1 and E[u,w] = 1 => g(u,v) = g(u,w)) =>"
    " (all u v x y:Z. E[u,v] = 1 and E[x,y] = 1 => g(u,v) = g(x,y)))"
)
"""The line graph of E is connected: labels of edges that agree on edges with a common vertex are constant."""

ENTRIES_CONNECTED = (
    "(all g:(Z,Z)->Z. (all i j l:Z. P[i,j] = 1 and P[i,l] = 1 => g(i,j) = g(i,l)) and"
    " (all i k j:Z. P[i,j] = 1 and P[k,j] = 1 => g(i,j) = g(k,j)) =>"
    " (all i j k l:Z. P[i,j] = 1 and P[k,l] = 1 => g(i,j) = g(k,l)))"
)
"""Definition A.4: the graph on the observed entries, adjacent in a common row or column, is connected."""

RECTANGLES = "(all i j k l:Z. P[i,j] = 1 and P[i,l] = 1 and P[k,j] = 1 => P[k,l] = 1)"
"""Every component is complete bipartite, said without components (see Definition 3)."""

COMPLETE = f"(all i j k l:Z. P[i,l] = 1 and P[k,j] = 1 and (all r c:Z->Z. {LABELS} => r(i) = c(j)) => P[i,j] = 1)"
"""Every component is complete bipartite: an observed row and an observed column that no labelling separates meet in an
observed entry."""

READING = "connected: every labelling of the vertices that agrees along edges is constant on the vertices that are not isolated"


def inside(g: Goal, matrix: str, rows: str, columns: str, i: str, j: str, value: str) -> None:
    """From a hypothesis entry(matrix, i, j) = 1 add 1 <= i <= rows and 1 <= j <= columns."""
    h = g.fact("entry_outside", rows, columns, matrix)
    for bound in (f"1 <= {i}", f"{i} <= {rows}", f"1 <= {j}", f"{j} <= {columns}"):

        def absurd(g: Goal) -> None:
            g.contra()
            zero = g.apply(h, i, j)
            g.pos([], eqs=[(value, "1"), (zero, "-1")])

        g.have(bound, absurd)


def row_velocity(a: str, b: str, i: str, m: str) -> str:
    """The m-th entry of the velocity of row i of A, equation (10)."""
    return f"-2/n*sum(y, 1, d, P[{i},y]*(sum(q, 1, d, {a}({i},q)*{b}(q,y)) - M[{i},y])*{b}({m},y))"


def column_velocity(a: str, b: str, j: str, m: str) -> str:
    """The m-th entry of the velocity of column j of B, equation (10)."""
    return f"-2/n*sum(x, 1, d, P[x,{j}]*(sum(q, 1, d, {a}(x,q)*{b}(q,{j})) - M[x,{j}])*{a}(x,{m}))"


def independent(r: str, c: str, label: str) -> str:
    """The rows i with r(i) = label and the columns j with c(j) = label obey equations that do not involve the rest."""
    return (
        "(all A B A2 B2:(Z,Z)->R."
        f" (all i m:Z. 1 <= i and i <= d and {r}(i) = {label} => A(i,m) = A2(i,m)) =>"
        f" (all j m:Z. 1 <= j and j <= d and {c}(j) = {label} => B(m,j) = B2(m,j)) =>"
        f" (all i m:Z. 1 <= i and i <= d and 1 <= m and m <= d and {r}(i) = {label} =>"
        f" {row_velocity('A', 'B', 'i', 'm')} = {row_velocity('A2', 'B2', 'i', 'm')}) and"
        f" (all j m:Z. 1 <= j and j <= d and 1 <= m and m <= d and {c}(j) = {label} =>"
        f" {column_velocity('A', 'B', 'j', 'm')} = {column_velocity('A2', 'B2', 'j', 'm')}))"
    )


def decoupled(row: str, column: str) -> str:
    """Definition A.5: i is in R_l if R(i) = l, j in C_l if C(j) = l, l = 1..k; row and column say what a subsystem must
    contain."""
    return (
        "(ex k:Z, R C:Z->Z. 2 <= k and"
        " (all i:Z. 1 <= i and i <= d => 0 <= R(i) and R(i) <= k) and"
        " (all j:Z. 1 <= j and j <= d => 0 <= C(j) and C(j) <= k) and"
        f" (all l:Z. 1 <= l and l <= k => (ex i j:Z. R(i) = l and {row}) and (ex i j:Z. C(j) = l and {column})) and"
        f" (all l:Z. 1 <= l and l <= k => {independent('R', 'C', 'l')}))"
    )


DECOUPLED = decoupled("P[i,j] = 1", "P[i,j] = 1")
"""Each subsystem contains an observed row and an observed column: rows and columns without observed entries are disregarded."""

DECOUPLED_ANY = decoupled("1 <= i and i <= d", "1 <= j and j <= d")
"""Each subsystem contains some row and some column, observed or not."""

NONZERO = "(all i j:Z. P[i,j] = 1 => M[i,j] != 0)"
"""Observed values are not zero."""


def by_values(g: Goal, x: str, low: int, high: int, script: Callable[[Goal, int], None]) -> None:
    """Split a known low <= x <= high into the values of x; each case has the newest hypothesis x = value."""

    def equal(g: Goal, v: int) -> None:
        g.have(f"{x} = {v}", lambda g: g.antisym())
        script(g, v)

    if low == high:
        equal(g, low)
        return

    def above(g: Goal) -> None:
        g.apply(g.fact("int_lt", low, x))
        by_values(g, x, low + 1, high, script)

    g.em(f"{x} <= {low}", lambda g: equal(g, low), above)
