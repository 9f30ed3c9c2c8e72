"""The completion problem of Equation (6): formula texts that several modules share."""

from __future__ import annotations


def loss(w: str) -> str:
    """The loss (1) of the observations (6) at a 2 x 2 matrix."""
    return f"(({w}[1,2] - 1)^2 + ({w}[2,1] - 1)^2 + {w}[2,2]^2)/2"


LOSS = loss("W")

SETTING = f"all W:M(2,2), l:R. l = {LOSS} => 0 < det(W) =>"
"""A product matrix with positive determinant, and its loss l."""

POSITIVE_DET = (
    "the determinant of the product matrix is positive throughout optimisation [Equation (31)]"
)


def solution(x: str) -> str:
    """The member of the solution set (7) with the (1,1) entry x."""
    return f"[[{x}, 1], [1, 0]]"


QUASI_NORM = """(all X:M(2,2). 0 <= N(X)) and (all X:M(2,2). N(X) = 0 <=> X = O(2,2)) and
       (all X:M(2,2), s:R. N(s*X) = abs(s)*N(X)) and (all X Y:M(2,2). N(X + Y) <= c*(N(X) + N(Y)))"""
"""N is a norm or quasi-norm on 2 x 2 matrices; the weakened triangle inequality holds with the constant c."""


def infimum(m: str, value: str, over: str = "x") -> str:
    """m is the infimum over all reals of a value that depends on the variable `over`."""
    return f"((all {over}:R. {m} <= {value}) and (all e_:R. 0 < e_ => ex {over}:R. {value} < {m} + e_))"


def rho(i: int, w: str) -> str:
    """The i-th normalised singular value of Definition 1 of a 2 x 2 matrix."""
    return f"(sv({w},{i})/(sv({w},1) + sv({w},2)))"


def entropy(p: str, q: str) -> str:
    """The entropy of (p, q); 0 log 0 = 0 since 0 times anything is 0."""
    return f"(-({p}*log({p}) + {q}*log({q})))"


def erank(w: str) -> str:
    """The effective rank of a nonzero 2 x 2 matrix."""
    return f"exp({entropy(rho(1, w), rho(2, w))})"


def fro(x: str) -> str:
    """The Frobenius norm."""
    return f"sqrt(tr(T({x}) @ ({x})))"


def distance(m: str, w: str, r: str) -> str:
    """m is the distance D(w, M_r): the infimum of the Frobenius distances from w to the matrices of rank at most r."""
    return (
        f"((all M:M(2,2). rank(M) <= {r} => {m} <= {fro(f'{w} - M')}) and "
        f"(all e_:R. 0 < e_ => ex M:M(2,2). rank(M) <= {r} and {fro(f'{w} - M')} < {m} + e_))"
    )


def family_distance(solution_: str, m: str, r: str) -> str:
    """m is the distance D(S, M_r) of a family of matrices with the parameter x."""
    return (
        f"((all x:R, M:M(2,2). rank(M) <= {r} => {m} <= {fro(solution_ + ' - M')}) and "
        f"(all e_:R. 0 < e_ => ex x:R, M:M(2,2). rank(M) <= {r} and {fro(solution_ + ' - M')} < {m} + e_))"
    )


def set_distance(m: str, r: str) -> str:
    """m is the distance D(S, M_r)."""
    return family_distance(solution("x"), m, r)


def family_infimal_rank(solution_: str, r: str) -> str:
    """r is the infimal rank of a family of matrices with the parameter x."""
    zero, smaller = family_distance(solution_, "0", r), family_distance(solution_, "0", "k")
    return f"(0 <= {r} and {r} <= 2 and {zero} and (all k:Z. 0 <= k and k < {r} => not {smaller}))"


def infimal_rank(r: str) -> str:
    """r is the infimal rank of S: the least rank bound whose matrices have distance 0 from S."""
    return family_infimal_rank(solution("x"), r)
