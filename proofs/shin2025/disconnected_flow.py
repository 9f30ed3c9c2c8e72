"""The depth-2 flow with one observation in each row and column (Appendix G.1), and Proposition 17's constants, as text.

A(t), B(t) are n x n; j(k) is the column observed in row k and i(l) the row observed in column l; W holds the
observed values; G(t) is the
gradient of the loss with respect to the product, as printed in the notation: the residual w - w* on the observations
and 0 elsewhere.
"""


def pattern() -> str:
    """Each row and each column carries exactly one observation; i and j are inverse to one another."""
    return "(all k:Z. 1 <= k and k <= n => 1 <= j(k) and j(k) <= n and 1 <= i(k) and i(k) <= n and i(j(k)) = k and j(i(k)) = k)"


def gradient(column: str = "j(k)") -> str:
    return f"""(all t:R, k l:Z. 0 <= t and 1 <= k and k <= n and 1 <= l and l <= n =>
    (l = {column} => G(t)[k,l] = (A(t) @ B(t))[k,l] - W[k,l]) and (l != {column} => G(t)[k,l] = 0))"""


FLOW = "(all t:R. 0 <= t => A'(t) = -(G(t) @ T(B(t))) and B'(t) = -(T(A(t)) @ G(t)))"
VARIABLES = "n:Z, i j:Z->Z, W:M(n,n), A B:R~>M(n,n), G:R->M(n,n)"
SETTING = f"1 <= n => {pattern()} => {gradient()} => {FLOW}"
ZERO_LOSS = "(all k:Z. 1 <= k and k <= n => tends(t, (A(t) @ B(t))[k,j(k)], W[k,j(k)]))"

DIAGONAL_VARIABLES = "n:Z, W:M(n,n), A B:R~>M(n,n), G:R->M(n,n)"
DIAGONAL_SETTING = f"1 <= n => {gradient('k')} => {FLOW}"
DIAGONAL_ZERO_LOSS = "(all k:Z. 1 <= k and k <= n => tends(t, (A(t) @ B(t))[k,k], W[k,k]))"


def inside(*indices: str) -> str:
    """The indices lie in 1..n."""
    return " and ".join(f"1 <= {k} and {k} <= n" for k in indices)


def constant_p(row: str, column: str, a: str = "A(0)", b: str = "B(0)") -> str:
    return f"sum(k, 1, n, {a}[{row},k]*{b}[k,{column}])"


def constant_q(row: str, column: str, a: str = "A(0)", b: str = "B(0)") -> str:
    return f"sum(k, 1, n, {a}[{row},k]^2 + {b}[k,{column}]^2)"


def root(row: str, column: str, square: bool = True) -> str:
    """The argument of the logarithm; without the square as Proposition 5 prints it."""
    p, q, w = constant_p(row, column), constant_q(row, column), f"W[{row},{column}]"
    return f"({p} + {q}/2)/({w} + sqrt({w}{'^2' if square else ''} - {p}^2 + ({q}/2)^2))"


def rbar(row: str, column: str, square: bool = True) -> str:
    return f"(1/2*log({root(row, column, square)}))"


def defined(row: str, column: str) -> str:
    """The row of A(0) and the column of B(0) are not opposite; where they are equal, the observed value is not 0."""
    p, q = constant_p(row, column), constant_q(row, column)
    return f"({p} + {q}/2 != 0 and ({p} - {q}/2 != 0 or W[{row},{column}] != 0))"


def entry_a(p: str, q: str, column: str, r: str) -> str:
    """The printed closed form of a_pq."""
    return f"A(0)[{p},{q}]*cosh({r}) - B(0)[{q},{column}]*sinh({r})"


def entry_b(p: str, q: str, row: str, r: str) -> str:
    """The printed closed form of b_pq."""
    return f"B(0)[{p},{q}]*cosh({r}) - A(0)[{row},{p}]*sinh({r})"


def integrals(sign: str = "w - w*") -> str:
    """R(k,t) is the integral of the residual of row k from 0 to t, and rb(k) its limit."""
    product, observed = "(A(t) @ B(t))[k,j(k)]", "W[k,j(k)]"
    residual = f"{product} - {observed}" if sign == "w - w*" else f"{observed} - {product}"
    return f"(all k:Z. {inside('k')} => R(k,0) = 0 and (all t:R. 0 <= t => R'(k,t) = {residual}) and tends(t, R(k,t), rb(k)))"


INTEGRAL_VARIABLES = f"{VARIABLES}, R:(Z,R)~>R, rb:Z->R"


def position(p: str, q: str) -> str:
    """The place of the entry p, q in the vectorisation row by row."""
    return f"(({p} - 1)*n + {q})"


def structured(m: str, r: str) -> str:
    """(35): row (p, q) of an n^2 x n^2 matrix is r(p) times the unit vector of the place (q, j(p)); r is a term in p."""
    at = position("q", "j(p)")
    return f"""(all p q c:Z. {inside("p", "q")} and 1 <= c and c <= n*n => {m}[{position("p", "q")}, {at}] = {r} and
        (c != {at} => {m}[{position("p", "q")}, c] = 0))"""


def vectorised(x: str, a: str) -> str:
    """x is the vectorisation of a, row by row."""
    return f"(all p q:Z. {inside('p', 'q')} => {x}[{position('p', 'q')}, 1] = {a}[p,q])"


BLOCKS = "Cb Db Eb Fb:R~>M(n*n,n*n)"


def exponential(m: str) -> str:
    """[[Cb, Db], [Eb, Fb]] at s is the exponential of -s times the block matrix [[0, m], [T(m), 0]]."""
    return f"""(Cb(0) = I(n*n) and Db(0) = O(n*n,n*n) and Eb(0) = O(n*n,n*n) and Fb(0) = I(n*n) and all s:R.
        Cb'(s) = -({m} @ Eb(s)) and Db'(s) = -({m} @ Fb(s)) and Eb'(s) = -(T({m}) @ Cb(s)) and Fb'(s) = -(T({m}) @ Db(s)))"""
