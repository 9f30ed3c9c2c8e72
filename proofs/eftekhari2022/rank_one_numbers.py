"""A matrix s u v^T and the target Z_1 at one point: the setting as formula texts, and the numbers a, b, q and c of the appendices."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import LEADING
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import part

TOP, SECOND = "sv(Z,1)", "sv(Z,2)"
GAMMA = f"({SECOND}/{TOP})"
POINT_VARIABLES = "x y:Z, Z Z1:M(y,x), uZ u:V(y), vZ v:V(x), s:R"
GAP = f"0 < {TOP} => {SECOND} < {TOP} =>"
POINT_HYPOTHESES = f"{GAP} {LEADING} 0 < s => T(u) @ u = I(1) => T(v) @ v = I(1) =>"
POINT = f"all {POINT_VARIABLES}. {POINT_HYPOTHESES}"
"""The spectral gap of Assumption 14, a leading singular pair of Z, Z_1, and unit vectors u, v with a number s > 0: W = s u v^T."""

BASES = """all U:M(y,y-1), V:M(x,x-1). T(U) @ U = I(y-1) => U @ T(U) = I(y) - u @ T(u) =>
           T(V) @ V = I(x-1) => V @ T(V) = I(x) - v @ T(v) =>"""
"""U and V are orthonormal bases of the complements of u and v."""

W = "(s*(u @ T(v)))"
A, B = "tr(T(uZ) @ u)", "tr(T(vZ) @ v)"
C = "tr(T(u) @ Z1 @ v)"
Q = "tr(T(u) @ (Z - Z1) @ v)"
LOSS = f"(tr(T({W} - Z1) @ ({W} - Z1))/2)"
T1 = f"((s - {C})^2/2)"
T2 = f"({TOP} - {C})"

NUMBERS = f"""{C} = {TOP}*({A}*{B}) and ({A})^2 <= 1 and ({B})^2 <= 1 and ({Q})^2 <= {SECOND}^2*((1 - ({A})^2)*(1 - ({B})^2)) and
           -({SECOND}*(1 - {A}*{B})) <= {Q} and {Q} <= {SECOND}*(1 - {A}*{B}) and
           tr(T(Z1) @ Z1) = {TOP}^2 and {LOSS} = (s^2 - 2*s*{C} + {TOP}^2)/2"""


@part(
    "eftekhari2022.eq-169-identity",
    "numbers",
    f"{POINT} {NUMBERS}",
    says="u^T Z_1 v = s_Z a b, bounds of a, b and of the residual, and the loss at s u v^T",
    uses=["eftekhari2022.eq-139", "eftekhari2022.step-i1-residual-bound"],
)
def numbers_at_a_point(g: Goal) -> None:
    """From (185) and the inner products at rank one."""
    names = g.intro(split=False)
    lead, (uu, vv) = names[2:7], names[8:10]
    given = [scalar_matrix(g, f"({word[3:-1]})") for word in (A, B, Q)]
    by = [using(h) for h in (*lead, uu, vv, *given)]
    bounds = g.lemma(
        "eftekhari2022.step-i1-residual-bound", "part:residual-bound", "x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", A, B, Q, by=by
    )
    whole = f"-(1*(u @ T(u) @ ({W} - Z) + ({W} - Z) @ v @ T(v) + (2-2)*(u @ T(u) @ ({W} - Z) @ v @ T(v))))"
    products = g.lemma(
        "eftekhari2022.eq-139", "part:scalars", "x", "y", 1, 2, "s", A, B, Q, "Z", "Z1", W, whole, "uZ", "u", "vZ", "v",
        by=[*by, lambda g: g.refl(), lambda g: g.refl()],
    )  # fmt: skip
    a, b, square, low, high = g.split_all(bounds)
    form, norm, _, top, *_ = g.split_all(products)
    g.conj(
        *[using(h) for h in (form, a, b, square, low, high, top)],
        lambda g: g.field((norm, "1/2"), (top, "1/2")),
    )


def numbers(g: Goal, names: list[str]) -> list[str]:
    """For the hypotheses of POINT (without splitting): adds the conjuncts of NUMBERS."""
    h = g.lemma(
        "eftekhari2022.eq-169-identity", "part:numbers", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
        by=[using(k) for k in names[:10]],
    )  # fmt: skip
    return g.split_all(h)


def product_bounds(g: Goal, a: str, b: str) -> tuple[str, str]:
    """Adds a b <= 1 and -1 <= a b."""
    less = g.have(f"{A}*{B} <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", f"({A}-{B})^2"]))
    more = g.have(f"-1 <= {A}*{B}", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", f"({A}+{B})^2"]))
    return less, more


def form_bounds(g: Goal, form: str, a: str, b: str) -> tuple[str, str]:
    """Adds u^T Z_1 v <= s_Z and -s_Z <= u^T Z_1 v."""
    less, more = product_bounds(g, a, b)
    upper = g.have(f"{C} <= {TOP}", lambda g: g.pos([TOP, f"@{less}"], eqs=[(form, -1)]))
    lower = g.have(f"-{TOP} <= {C}", lambda g: g.pos([TOP, f"@{more}"], eqs=[(form, 1)]))
    return upper, lower
