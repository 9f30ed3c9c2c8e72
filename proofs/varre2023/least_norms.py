"""Section 3.1: the interpolator of least Euclidean norm is the only one of least nuclear norm."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.network_and_loss import size
from verify.kernel import Goal
from verify.registry import holds

CLAIM = "varre2023.assertion-nuclear-equals-l2"
DUALITY = "bai2024.lemma-a5-step-duality"


LEAST = "X @ B = Y and all C:M(p,k). X @ C = Y => tr(T(B) @ B) <= tr(T(C) @ C)"


@holds(
    CLAIM,
    f"""all n p k:Z, X:M(n,p), Y:M(n,k), B:M(p,k). ({LEAST}) => all C:M(p,k). X @ C = Y => nuc(B) <= nuc(C) and (nuc(C) <= nuc(B) => C = B)""",
    reading="B is the interpolator of least Frobenius norm; it has the least nuclear norm, and every interpolator of least nuclear norm is equal to it",
    uses=[DUALITY, "varre2023.step-c-3-projection"],
)
def least_nuclear_norm_is_least_euclidean_norm(g: Goal) -> None:
    """N = C - B has columns in the kernel of X and B in its complement. Let Z with a spectral norm of at most 1 and tr(Z^T B) = nuc(B) be projected to the complement: Z + h N
    has a spectral norm of at most 1 + h^2 |N|^2/2, so nuc(C) (1 + h^2 |N|^2/2) >= nuc(B) + h |N|^2 for all h >= 0."""
    g.fix()
    fits, least = g.split(g.assume())
    g.fix("C")
    other = g.assume()
    inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
    (n_,) = g.obtain(g.have("ex N:M(p,k). N = C - B", lambda g: (g.witness("C - B"), g.refl())[-1]), "N", split=False)
    idle = g.have("X @ N = O(n,k)", lambda g: g.nc((n_, 1, "X", None), (other, 1, None, None), (fits, -1, None, None)))
    (e_,) = g.obtain(
        g.have("ex E:M(p,k). E = B - G @ X @ B", lambda g: (g.witness("B - G @ X @ B"), g.refl())[-1]), "E", split=False
    )

    def projected(g: Goal) -> None:
        fit = g.have("X @ (G @ X @ B) = Y", lambda g: g.nc((inner, 1, None, "B"), (fits, 1, None, None)))
        k = g.apply(least, "G @ X @ B", by=[using(fit)])
        right = g.have("T(G @ X @ B) @ E = O(k,k)", lambda g: orthogonal(g, e_, sym, inner))
        cross = g.have("tr(T(G @ X @ B) @ E) = 0", lambda g: (g.rewrite(right), g.field())[-1])
        value = g.have(f"{size('B')} = {size('(G @ X @ B)')} + {size('E')}", lambda g: pythagoras(g, e_, cross))
        g.antisym(lambda g: g.pos([f"@{k}"], eqs=[(value, 1)]), None)

    none = g.by_fact("frobenius_zero", "p", "k", "E", by=[projected])
    span = g.have("G @ X @ B = B", lambda g: g.nc((e_, 1, None, None), (none, -1, None, None)))
    small, attained = g.obtain(g.split(g.lemma(DUALITY, "statement", "p", "k", "B"))[1], "Z")
    (q_,) = g.obtain(g.have("ex Q:M(p,k). Q = G @ X @ Z", lambda g: (g.witness("G @ X @ Z"), g.refl())[-1]), "Q", split=False)
    flat = g.have("T(Q) @ N = O(k,k)", lambda g: (g.rewrite(q_), projected_factor(g, sym, idle))[-1])
    nb = g.have(
        "T(N) @ B = O(k,k)",
        lambda g: g.nc((span, -1, "T(N)", None), (sym, -1, "T(N)", "B"), (turned_idle(g, idle), 1, None, "T(G) @ B")),
    )
    kept = g.have("T(Q) @ B = T(Z) @ B", lambda g: (g.rewrite(q_), g.nc((sym, 1, "T(Z)", "B"), (span, 1, "T(Z)", None)))[-1])
    qb = g.have("tr(T(Q) @ B) = nuc(B)", lambda g: (g.rewrite(kept), g.field((attained, 1)))[-1])
    v = size("N")

    def dual(g: Goal, h: str) -> str:
        """Adds nuc(B) + h |N|^2 <= nuc(C) (1 + h^2 |N|^2/2) for a number h."""
        c = f"(1 + {h}^2*{v}/2)"
        m = f"((1/{c})*(Q + {h}*N))"

        def stretch(g: Goal) -> None:
            g.fix("w")
            one = g.fact("spec_bound", "p", "k", "Z", "w")
            low = g.fact("frobenius_submultiplicative", "p", "k", "1", "N", "w")
            turned = g.have("T(Q @ w) @ (N @ w) = O(1,1)", lambda g: g.nc((flat, 1, "T(w)", "w")))
            cross = g.have("tr(T(Q @ w) @ (N @ w)) = 0", lambda g: (g.rewrite(turned), g.field())[-1])
            rest = size("(Z @ w - Q @ w)")
            split = g.have(f"{size('(Z @ w)')} = {size('(Q @ w)')} + {rest}", lambda g: contracted(g, q_, sym, inner))
            value = g.have(
                f"{c}^2*{size(f'({m} @ w)')} = {size('(Q @ w)')} + {h}^2*{size('(N @ w)')}", lambda g: g.field((cross, f"2*{h}"))
            )
            order = g.fact("sv_range", "p", "k", "Z")
            spec = g.fact("spec_is_sv", "p", "k", "Z")
            nonneg = g.split(g.apply(order, "1", "1"))[0]
            nonneg = g.have("0 <= spec(Z)", lambda g: (g.rewrite(spec), g.close_by(nonneg))[-1])
            unit = g.have(
                f"{size('(Z @ w)')} <= {size('w')}",
                lambda g: g.pos([f"@{one}"], [size("w"), f"@{small}"], [size("w"), f"@{small}", "spec(Z)"]),
            )
            g.pos(
                [f"@{unit}"],
                [rest],
                [f"{h}^2", f"@{low}"],
                [f"{h}^4", f"{v}^2", size("w"), "1/4"],
                mul=[f"{c}^2"],
                eqs=[(value, -1), (split, 1)],
            )

        bound = g.by_fact("spec_least", "p", "k", "1", m, by=[None, stretch])
        k = g.by_fact("nuc_pairing", "p", "k", "C", m, by=[using(bound)])
        whole = g.have(
            f"T({m}) @ C = (1/{c})*(T(Q) @ B + {h}*(T(N) @ N))",
            lambda g: g.nc((n_, -1, f"T({m})", None), (flat, f"1/{c}", None, None), (nb, f"{h}/{c}", None, None)),
        )
        trace = g.have(f"tr(T({m}) @ C) = (1/{c})*(nuc(B) + {h}*{v})", lambda g: (g.rewrite(whole), g.field((qb, f"1/{c}")))[-1])
        return g.have(f"nuc(B) + {h}*{v} <= nuc(C)*{c}", lambda g: g.pos([f"@{k}", c], eqs=[(trace, c)]))

    plain = dual(g, "0")

    def unique(g: Goal) -> None:
        less = g.assume()
        g.have("0 <= nuc(B)", lambda g: nonnegative(g))
        large = dual(g, "(1/(1 + nuc(B)))")

        def vanish(g: Goal) -> None:
            apart = g.contra()
            nonneg = g.have(f"0 <= {v}")
            above = g.have(
                f"0 < {v}",
                lambda g: (g.contra("low"), g.clash(g.by_fact("le_antisym", v, 0, by=[using("low"), using(nonneg)]), apart))[-1],
            )
            h = "(1/(1 + nuc(B)))"
            g.pos([f"@{large}"], [f"@{less}", f"1 + {h}^2*{v}/2"], [f"@{above}", h, h, "1 + nuc(B)/2"])

        zero = g.by_fact("frobenius_zero", "p", "k", "N", by=[vanish])
        g.nc((n_, -1, None, None), (zero, 1, None, None))

    g.conj(lambda g: g.pos([f"@{plain}"]), unique)


def nonnegative(g: Goal) -> None:
    """nuc(B) >= tr(O^T B) = 0."""
    bound = g.by_fact(
        "spec_least",
        "p",
        "k",
        "1",
        "O(p,k)",
        by=[None, lambda g: (g.fix("w"), g.replace("O(p,k) @ w", "O(p,1)", lambda g: g.nc()), g.pos([size("w")]))[-1]],
    )
    k = g.by_fact("nuc_pairing", "p", "k", "B", "O(p,k)", by=[using(bound)])
    g.pos([f"@{k}"])


def turned_idle(g: Goal, idle: str) -> str:
    """N^T X^T = O."""
    k = g.have("T(X @ N) = T(O(n,k))", lambda g: g.ctx(using(idle)))
    return g.have("T(N) @ T(X) = O(k,n)", lambda g: g.nc((k, 1, None, None)))


def orthogonal(g: Goal, e: str, sym: str, inner: str) -> None:
    """(G X B)^T (B - G X B) = 0 for the projection G X."""
    g.rewrite(e)
    g.nc((sym, 1, "T(B)", "(B - G @ X @ B)"), (inner, -1, "T(B) @ G", "B"))


def pythagoras(g: Goal, e: str, cross: str) -> None:
    """|B|^2 = |G X B|^2 + |B - G X B|^2."""
    whole = g.have("B = G @ X @ B + E", lambda g: g.nc((e, -1, None, None)))
    (p,) = g.obtain(g.have("ex W:M(p,k). W = G @ X @ B", lambda g: (g.witness("G @ X @ B"), g.refl())[-1]), "W", split=False)
    back = g.have("G @ X @ B = W", lambda g: g.nc((p, -1, None, None)))
    whole, cross = g.rewritten(whole, back), g.rewritten(cross, back)
    g.rewrite(back)
    left = g.have(
        "tr(T(B) @ B) = tr(T(W + E) @ (W + E))",
        lambda g: g.ctx(
            lambda g: g.nc((whole, 1, "T(B)", None), (g.have("T(B) = T(W + E)", lambda g: g.ctx(using(whole))), 1, None, "W + E"))
        ),
    )
    g.field((left, 1), (cross, 2))


def projected_factor(g: Goal, sym: str, idle: str) -> None:
    """(G X Z)^T N = Z^T G X N = 0."""
    g.nc((sym, 1, "T(Z)", "N"), (idle, 1, "T(Z) @ G", None))


def contracted(g: Goal, q: str, sym: str, inner: str) -> None:
    """|Z w|^2 = |G X Z w|^2 + |Z w - G X Z w|^2."""
    g.rewrite(q)
    flat = g.have(
        "T(G @ X @ Z @ w) @ (Z @ w - G @ X @ Z @ w) = O(1,1)",
        lambda g: g.nc((sym, 1, "T(w) @ T(Z)", "Z @ w - G @ X @ Z @ w"), (inner, -1, "T(w) @ T(Z) @ G", "Z @ w")),
    )
    cross = g.have("tr(T(G @ X @ Z @ w) @ (Z @ w - G @ X @ Z @ w)) = 0", lambda g: (g.rewrite(flat), g.field())[-1])
    g.field((cross, 2))
