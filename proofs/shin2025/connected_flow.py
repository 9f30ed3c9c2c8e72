"""The flow (4) on the connected 2 x 2 pattern and the parts along and across a reference vector, as text.

a1, a2 are the rows of A (as columns), b1 is the first column of B, in R^n; A1, A2, B1 are their limits and u is B1 / |B1|.
"""

VARIABLES = "n:Z, w1 w2:R, a1 a2 b1:R~>V(n), A1 A2 B1 u:V(n)"
NAMES = ("n", "w1", "w2", "a1", "a2", "b1", "A1", "A2", "B1", "u")


def inner(x: str, y: str) -> str:
    """The inner product of two vectors."""
    return f"tr(T({x}) @ {y})"


def norm2(x: str) -> str:
    """The squared Euclidean norm."""
    return inner(x, x)


def alpha(x: str) -> str:
    """(11): the component along u."""
    return inner("u", x)


def perp(x: str) -> str:
    """The part across u."""
    return f"({x} - {alpha(x)}*u)"


def beta(x: str) -> str:
    """(12): the squared norm of the part across u."""
    return norm2(perp(x))


R1, R2 = "(w1 - tr(T(a1(t)) @ b1(t)))", "(w2 - tr(T(a2(t)) @ b1(t)))"
FLOW = f"(all t:R. 0 <= t => a1'(t) = {R1}*b1(t) and a2'(t) = {R2}*b1(t) and b1'(t) = {R1}*a1(t) + {R2}*a2(t))"
LIMITS = "tends(t, a1(t), A1) => tends(t, a2(t), A2) => tends(t, b1(t), B1)"
ZERO_LOSS = f"{inner('A1', 'B1')} = w1 => {inner('A2', 'B1')} = w2"
REFERENCE = f"u = (1/sqrt({norm2('B1')}))*B1"
SETTING = f"1 <= n => w1 != 0 => w2 != 0 => {FLOW} => {LIMITS} => {ZERO_LOSS} => {REFERENCE}"
UNIT = inner("u", "u") + " = 1"

ALPHA0 = f"({alpha('a1(0)')}^2 + {alpha('a2(0)')}^2 - {alpha('b1(0)')}^2)"
BETA0 = f"({beta('a1(0)')} + {beta('a2(0)')} - {beta('b1(0)')})"
FROBENIUS = "tr(T(A0) @ A0)"
ROW_NORMS = f"({norm2('a1(0)')} + {norm2('a2(0)')})"
ROOT = f"sqrt({ALPHA0}^2 + 4*w1^2 + 4*w2^2)"
S_BOUND = f"(sqrt({norm2('b1(0)')}^2 + 4*w1^2 + 4*w2^2) + {norm2('b1(0)')})"


def claim(conclusion: str) -> str:
    """A statement in the setting of Theorem 1."""
    return f"all {VARIABLES}. {SETTING} => {conclusion}"


def claim_with_matrix(conclusion: str) -> str:
    """The same with the matrix A(0), called A0, whose rows are a1(0) and a2(0)."""
    return f"all {VARIABLES}, A0:M(2,n). {SETTING} => a1(0) = T(A0) @ [[1],[0]] => a2(0) = T(A0) @ [[0],[1]] => {conclusion}"
