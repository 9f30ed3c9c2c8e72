"""Equation (15): gradient flow preserves balancedness, for networks of any depth and any widths."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds

GRADIENT = "((E(t) @ X - Y) @ T(X))"


@holds(
    "eftekhari2022.eq-15",
    f"""all x y m p q r:Z, X:M(x,m), Y:M(y,m), V:R->M(q,x), A:R~>M(p,q), B:R~>M(r,p), U:R->M(y,r), E:R->M(y,x).
       (all t:R. 0 <= t => E(t) = U(t) @ B(t) @ A(t) @ V(t)) =>
       (all t:R. 0 <= t => A'(t) = -(T(U(t) @ B(t)) @ {GRADIENT} @ T(V(t))) and B'(t) = -(T(U(t)) @ {GRADIENT} @ T(A(t) @ V(t)))) =>
       T(B(0)) @ B(0) = A(0) @ T(A(0)) => all t:R. 0 <= t => T(B(t)) @ B(t) = A(t) @ T(A(t))""",
    argument="sound",
    reading="A = W_j and B = W_{j+1} are any two neighbouring layers, V = W_{j-1}...W_1 and U = W_N...W_{j+2} the products below and above them "
    "(identities for j = 1 and j = N - 1); their own motion does not matter",
)
def balancedness_is_preserved(g: Goal) -> None:
    """The derivatives of B^T B and of A A^T are the same: minus the sum of U B A V G^T ... and its transpose."""
    _product, flow, start = g.intro()[:3]
    constant = g.fact("constant_matrix", "p", "p", 0, "lam t:R. T(B(t)) @ B(t) - A(t) @ T(A(t))")

    def derivative(g: Goal) -> None:
        g.fix("u")
        g.assume()
        a, b = g.split(g.apply(flow, "u"))
        g.nc(rw=[a, b])

    h = g.apply(g.apply(constant, by=[None, derivative]), "t")
    g.nc((h, 1, None, None), (start, 1, None, None))
