"""Lemma 28 and its proof: the Lipschitz constant of the Jacobian."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import CORE, MASK, n2
from verify.kernel import Goal
from verify.registry import amendment, holds, part, undecided

MOVED = f"({n2('A - U')} + {n2('B - V')})"
DIRECTION = f"({n2('H')} + {n2('K')})"
CHANGE = n2("had(M, H @ B + A @ K) - had(M, H @ V + U @ K)")
READ = "J at (A, B) maps a direction (H, K) to M o (H B + A K); the norm of a linear map is the least bound of its stretching."


@part(
    CORE,
    "one-lipschitz",
    f"all d:Z, M A B U V H K:M(d,d). {MASK} => {CHANGE} <= {MOVED}*{DIRECTION}",
    says="the Jacobian is even 1-Lipschitz in the spectral norm, in every dimension",
)
def jacobian_is_one_lipschitz(g: Goal) -> None:
    """With x = H (B - V), y = (A - U) K: <x, y> = <H^T (A - U), (B - V) K^T>, so |x + y|^2 is at most the product."""
    (m,) = g.intro()
    x, y = "H @ (B - V)", "(A - U) @ K"
    c = g.lemma(CORE, "part:mask-contracts", "d", "M", f"{x} + {y}")

    def linear(g: Goal) -> None:
        e = g.have(f"had(M, H @ B + A @ K) - had(M, H @ V + U @ K) = had(M, {x} + {y})", entries)
        g.rewrite(e)
        g.refl()

    def entries(g: Goal) -> None:
        g.extn()
        e = g.have(f"{x} + {y} = (H @ B + A @ K) - (H @ V + U @ K)", lambda g: g.nc())
        g.rewrite(e)
        g.field()

    k = g.have(f"{CHANGE} = {n2(f'had(M, {x} + {y})')}", linear)
    f = "frobenius_submultiplicative"
    one, two = g.fact(f, "d", "d", "d", "H", "B - V"), g.fact(f, "d", "d", "d", "A - U", "K")
    three, four = g.fact(f, "d", "d", "d", "T(H)", "A - U"), g.fact(f, "d", "d", "d", "B - V", "T(K)")
    g.pos([f"@{c}"], [f"@{one}"], [f"@{two}"], [f"@{three}"], [f"@{four}"], [n2("T(H) @ (A - U) - (B - V) @ T(K)")], eqs=[(k, -1)])


undecided(
    CORE,
    outcome="ill-formed",
    argument="repaired",
    reason="J of (74) takes Theta in R^(2d x d), so J(W) is undefined for W in R^(d x d).",
    statement=None,
    reading="W, V in R^(2d x d) in the amendment.",
)


@amendment(
    CORE,
    f"all d:Z, M A B U V H K:M(d,d). 1 <= d => {MASK} => {CHANGE} <= d*{MOVED}*{DIRECTION}",
    says="for W, V in R^(2d x d), written as pairs (A, B) and (U, V): sqrt d is a Lipschitz constant, and 1 is one as well (part:one-lipschitz)",
)
def jacobian_is_lipschitz(g: Goal) -> None:
    """It is 1-Lipschitz."""
    g.intro()
    h = g.lemma(CORE, "part:one-lipschitz", "d", "M", "A", "B", "U", "V", "H", "K")
    one = g.have("0 <= d - 1")
    g.have(f"0 <= {MOVED}*{DIRECTION}")
    g.pos([f"@{h}"], [f"@{one}", f"{MOVED}*{DIRECTION}"])
