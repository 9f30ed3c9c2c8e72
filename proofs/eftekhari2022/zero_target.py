"""Section 3: if Z = 0, every stationary point of the loss has the product zero."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds


@holds(
    "eftekhari2022.assertion-rank-z-necessary",
    """all x y m k l:Z, X:M(x,m), Y:M(y,m), P:M(y,k), W:M(k,l), Q:M(l,x), E:M(y,x). X @ T(X) = m*I(x) => 1 <= m => rank((1/m)*(Y @ T(X))) < 1 =>
       (1/m)*(Y @ T(X)) = O(y,x) => E = P @ W @ Q => T(P) @ ((E @ X - Y) @ T(X)) @ T(Q) = O(k,l) => E = O(y,x)""",
    argument="sound",
    reading="W is a layer, P and Q are the products of the layers above and below, and E is the product of all. A limit of the flow is stationary, so that"
    " for Z = 0 (that is rank(Z) < 1, stated both ways) every limit has the product 0",
    context="whitened data",
)
def stationary_products_vanish(g: Goal) -> None:
    """m |E|^2 = <P^T (E X - Y) X^T Q^T, W> = 0."""
    g.fix()
    white, low, _, target, whole, flat = (g.assume() for _ in range(6))
    g.have("0 < m", lambda g: g.pos([f"@{low}"], ["1"]))
    cross = g.have("Y @ T(X) = O(y,x)", lambda g: g.nc((target, "m", None, None)))
    gradient = g.have(
        "T(P) @ E @ T(Q) = O(k,l)",
        lambda g: g.nc((flat, "1/m", None, None), (white, "-1/m", "T(P) @ E", "T(Q)"), (cross, "1/m", "T(P)", "T(Q)")),
    )
    zero = g.have("tr(T(W) @ (T(P) @ E @ T(Q))) = 0", lambda g: (g.rewrite(gradient), g.field())[-1])

    def square(g: Goal) -> None:
        turned = g.have("T(E) = T(Q) @ T(W) @ T(P)", lambda g: transposed(g, whole))
        k = g.have("T(E) @ E = T(Q) @ T(W) @ T(P) @ E", lambda g: g.nc((turned, 1, None, "E")))
        g.rewrite(k)
        g.field((zero, 1))

    none = g.have("tr(T(E) @ E) = 0", square)
    g.close_by(g.by_fact("frobenius_zero", "y", "x", "E", by=[lambda g: g.close_by(none)]))


def transposed(g: Goal, whole: str) -> None:
    """The transpose of the product."""
    k = g.have("T(E) = T(P @ W @ Q)", lambda g: g.ctx(lambda g: g.close_by(whole)))
    g.nc((k, 1, None, None))
