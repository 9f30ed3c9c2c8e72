"""Lemma C.4 and Proposition C.5: the gradient of the log-determinant potential, and the derivatives of the Lagrangian."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

LINE = "(Z + s*H)"


@holds(
    "varre2023.step-c-4-potential",
    f"""all p:Z, c:R, Z:M(p,p). det(Z) != 0 => all H:M(p,p).
       D(s, tr(T({LINE}) @ {LINE})/2 - c*log(det({LINE} @ T({LINE}))), 0) = tr(T(Z - (2*c)*inv(T(Z))) @ H)""",
    argument="sound",
    reading="the gradient by its derivatives along all directions",
)
def gradient_of_the_potential(g: Goal) -> None:
    """det(Z Z^T) = det(Z)^2, and Jacobi's formula for det along a line."""
    (regular,) = g.intro()
    path = "(Z + (t - 1)*H)"
    (law,) = g.obtain(g.by_fact("jacobi_formula", "p", f"lam t:R. {path}", by=[None]), "F")
    det, slope = g.split(g.apply(law, 1, by=[Goal.auto]))
    here = g.have("Z + (1 - 1)*H = Z", lambda g: g.nc())
    start = g.rewritten(det, here)
    nonzero = g.have("F(1) != 0", lambda g: (g.rewrite(start), g.close_by(regular)))
    rate = g.apply(slope, by=[lambda g: (g.rewrite(here), g.close_by(regular))])
    moved = g.have("D(s, Z + (s - 1)*H, 1) = H", lambda g: g.nc())
    rate = g.rewritten(g.rewritten(rate, here), moved)

    def agree(g: Goal) -> None:
        g.fix("s")
        low, _ = g.split_all(g.assume())
        value = g.split(g.apply(law, "s + 1", by=[lambda g: g.pos([f"@{low}"])]))[0]
        line = g.have("Z + (s + 1 - 1)*H = Z + s*H", lambda g: g.nc())
        product = g.fact("det_product", "p", LINE, f"T({LINE})")
        turned = g.fact("det_transpose", "p", LINE)
        square = g.have(
            f"det({LINE} @ T({LINE})) = F(s + 1)^2",
            lambda g: g.field((product, 1), (turned, f"det({LINE})"), (g.rewritten(value, line), f"-(F(s + 1) + det({LINE}))")),
        )
        g.rewrite(square)
        g.refl()

    size = f"tr(T({LINE}) @ {LINE})/2"
    local = g.by_fact(
        "derivative_local", "0 - 1", "1", "0", f"lam s:R. {size} - c*log(det({LINE} @ T({LINE})))", f"lam s:R. {size} - c*log(F(s + 1)^2)",
        by=[Goal.auto, Goal.auto, lambda g: (g.have("F(0 + 1) != 0", lambda g: (g.have("0 + 1 = 1", lambda g: g.field(), name="one"), g.rewrite("one"), g.close_by(nonzero))), g.auto()), agree],
    )  # fmt: skip
    g.have(
        "F(0 + 1) != 0", lambda g: (g.have("0 + 1 = 1", lambda g: g.field(), name="one"), g.rewrite("one"), g.close_by(nonzero))
    )
    g.field((local, 1), (rate, "-2*c/F(1)"))


FIRST = "((p1(s) + tr(T(N) @ (X @ (A + s*H) @ B - Y))))"
SECOND = "((p2(s) + tr(T(N) @ (X @ A @ (B + s*K) - Y))))"


@holds(
    "varre2023.step-c-5-lagrangian",
    f"""all n p k:Z, X:M(n,p), Y N:M(n,k), A G:M(p,p), B E:M(p,k).
       (all H:M(p,p), p1:R~>R. p1'(0) = tr(T(G) @ H) => D(s, {FIRST}, 0) = tr(T(G + T(X) @ N @ T(B)) @ H)) and
       (all K:M(p,k), p2:R~>R. p2'(0) = tr(T(E) @ K) => D(s, {SECOND}, 0) = tr(T(E + T(A) @ (T(X) @ N)) @ K)) and
       (det(A) != 0 => G + T(X) @ N @ T(B) = O(p,p) => E + T(A) @ (T(X) @ N) = O(p,k) =>
          inv(T(A)) @ E = -(T(X) @ N) and G = inv(T(A)) @ E @ T(B))""",
    argument="sound",
    context="Z_1 is invertible, as Proposition C.5 needs [Proposition C.5]",
    reading="A, B stand for Z_1, Z_2, N for lambda, G, E for the gradients of Psi_1, Psi_2; p1, p2 are the potentials along a line, and the gradients of L are "
    "given by the derivatives along all lines",
)
def derivatives_of_the_lagrangian(g: Goal) -> None:
    """The constraint is linear in each layer."""
    g.fix()

    def along(g: Goal) -> None:
        g.fix()
        h = g.assume()
        g.field((h, 1))

    def stationary(g: Goal) -> None:
        regular, one, two = g.intro()
        det = g.fact("det_transpose", "p", "A")
        turned = g.have("det(T(A)) != 0", lambda g: (g.rewrite(det), g.close_by(regular)))
        left = g.by_fact("inv_left", "p", "T(A)", by=[using(turned)])
        first = g.have("inv(T(A)) @ E = -(T(X) @ N)", lambda g: g.nc((two, 1, "inv(T(A))", None), (left, -1, None, "T(X) @ N")))
        g.conj(using(first), lambda g: g.nc((one, 1, None, None), (first, -1, None, "T(B)")))

    g.conj(along, along, stationary)
