"""Nuclear norms of products: nearly balanced factors, contractions; limits of finite sums."""

from __future__ import annotations

from proofs.bai2024.components import CLAIM
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.registry import part


@part(
    CLAIM,
    "spectral-contraction",
    "all m k n:Z, X:M(m,k), Y:M(n,k). spec(X) <= 1 => spec(Y) <= 1 => spec(X @ T(Y)) <= 1",
    says="products of contractions are contractions",
)
def products_of_contractions(g: Goal) -> None:
    """Vectors are not stretched."""
    g.fix()
    x, y = g.assume(), g.assume()

    def vectors(g: Goal) -> None:
        g.fix("v")
        a = g.fact("spec_bound", "m", "k", "X", "T(Y) @ v")
        b = g.fact("spec_bound", "k", "n", "T(Y)", "v")
        for which, (m, n) in (("X", ("m", "k")), ("Y", ("n", "k"))):
            s = g.fact("spec_is_sv", m, n, which)
            r = g.split(g.apply(g.fact("sv_range", m, n, which), 1, 1))[0]
            g.have(f"0 <= spec({which})", lambda g, s=s, r=r: g.pos([f"@{r}"], eqs=[(s, 1)]))  # type: ignore[misc]
        one = g.fact("spec_is_sv", "k", "n", "T(Y)")
        two = g.fact("spec_is_sv", "n", "k", "Y")
        t = g.fact("sv_transpose", "n", "k", 1, "Y")
        same = g.have("spec(T(Y)) = spec(Y)", lambda g: g.field((one, 1), (two, -1), (t, 1)))
        norm, inner = "tr(T(v) @ v)", "tr(T(T(Y) @ v) @ (T(Y) @ v))"
        b = g.have(f"{inner} <= spec(Y)^2*{norm}", lambda g: g.pos([f"@{b}"], eqs=[(same, f"-(spec(T(Y)) + spec(Y))*{norm}")]))
        e = g.have(f"{inner} <= {norm}", lambda g: g.pos([f"@{b}"], [f"@{y}", "1 + spec(Y)", norm]))
        f = g.have(
            f"tr(T(X @ (T(Y) @ v)) @ (X @ (T(Y) @ v))) <= {inner}", lambda g: g.pos([f"@{a}"], [f"@{x}", "1 + spec(X)", inner])
        )
        g.pos([f"@{e}"], [f"@{f}"])

    g.close_by(g.by_fact("spec_least", "m", "n", 1, "X @ T(Y)", by=[None, vectors]))


@part(
    CLAIM,
    "nearly-balanced",
    """all m k n:Z, X:M(m,k), Y:M(k,n).
       (tr(T(X) @ X) + tr(T(Y) @ Y))/2 <= nuc(X @ Y) + nuc(T(X) @ X - Y @ T(Y))/2""",
    says="the Frobenius norms of balanced factors give the nuclear norm of their product",
)
def norms_of_nearly_balanced_factors(g: Goal) -> None:
    """With the polar decompositions X = Z S and Y^T = W R: nuc(X Y) >= tr(S R), by duality with Z W^T, and
    tr((S - R)^2) <= nuc(S^2 - R^2) by the Powers-Stormer inequality."""
    g.fix()
    x = g.obtain(g.fact("polar_decomposition", "m", "k", "X"), "Z", "S")
    y = g.obtain(g.fact("polar_decomposition", "n", "k", "T(Y)"), "W", "R")
    c = g.lemma(
        CLAIM, "part:spectral-contraction", "m", "k", "n", "Z", "W", by=[lambda g: g.close_by(x[4]), lambda g: g.close_by(y[4])]
    )
    p = g.by_fact("nuc_pairing", "m", "n", "X @ Y", "Z @ T(W)", by=[lambda g: g.close_by(c)])
    s2 = g.have("T(X) @ X = S @ S", lambda g: product(g, "X", "Z", "S", x))
    r2 = g.have("Y @ T(Y) = R @ R", lambda g: product(g, "T(Y)", "W", "R", y))
    q = g.by_fact("powers_stormer", "k", "S", "R", by=[lambda g, h=h: g.close_by(h) for h in (x[2], y[2], x[3], y[3])])  # type: ignore[misc]
    turned = g.have("T(T(W) @ T(Y)) = T(R)", lambda g: (g.rewrite(y[1]), g.refl())[-1])
    yw = g.have("Y @ W = R", lambda g: g.nc((turned, 1, None, None), (y[2], 1, None, None)))
    inner = g.have("T(Z @ T(W)) @ (X @ Y) = W @ S @ Y", lambda g: g.nc((x[1], 1, "W", "Y")))
    pairing = g.have("tr(W @ S @ Y) = tr(S @ R)", lambda g: cyclic(g, yw))
    e = g.have("T(X) @ X - Y @ T(Y) = S @ S - R @ R", lambda g: g.nc((s2, 1, None, None), (r2, -1, None, None)))
    xx = g.have("tr(T(X) @ X) = tr(S @ S)", lambda g: (g.rewrite(s2), g.refl())[-1])
    yy = g.have(
        "tr(T(Y) @ Y) = tr(R @ R)",
        lambda g: (g.replace("tr(T(Y) @ Y)", "tr(Y @ T(Y))", lambda g: g.field()), g.rewrite(r2), g.refl())[-1],
    )
    low = g.have("tr(S @ R) <= nuc(X @ Y)", lambda g: bound(g, p, inner, pairing))
    g.rewrite(e)
    g.pos([f"@{low}"], ["1/2", f"@{q}"], eqs=[(xx, "-1/2"), (yy, "-1/2")])


def product(g: Goal, x: str, z: str, s: str, polar: list[str]) -> None:
    """X^T X = S S from X = Z S, Z^T X = S and S^T = S."""
    t = g.have(f"T({x}) = T({z} @ {s})", lambda g: g.ctx(lambda g: g.close_by(polar[0])))
    g.nc((t, 1, None, x), (polar[2], 1, None, f"T({z}) @ {x}"), (polar[1], 1, s, None))


def cyclic(g: Goal, yw: str) -> None:
    g.replace("tr(W @ S @ Y)", "tr(S @ (Y @ W))", lambda g: g.field())
    g.rewrite(yw)
    g.refl()


def bound(g: Goal, p: str, inner: str, pairing: str) -> None:
    same = g.have("tr(T(Z @ T(W)) @ (X @ Y)) = tr(W @ S @ Y)", lambda g: (g.rewrite(inner), g.refl())[-1])
    g.pos([f"@{p}"], eqs=[(same, 1), (pairing, 1)])


@part(
    CLAIM,
    "sum-of-limits",
    """all E:(Z,R)->R, l:Z->R, n:Z. (all p:Z. 1 <= p and p <= n => tends(t, E(p,t), l(p))) =>
       tends(t, sum(p, 1, n, E(p,t)), sum(p, 1, n, l(p)))""",
    says="the limit of a finite sum",
)
def limits_of_finite_sums(g: Goal) -> None:
    """Induction on the number of terms."""
    g.fix()
    each = g.assume()

    def empty(g: Goal, n: str, below: str) -> None:
        value = g.by_fact("sum_empty", 1, n, "lam p:Z. l(p)", by=[lambda g: g.nlin(use=[below])])
        g.rewrite(value)

        def zero(g: Goal) -> None:
            g.fix("t")
            g.assume()
            k = g.by_fact("sum_empty", 1, n, "lam p:Z. E(p,t)", by=[lambda g: g.nlin(use=[below])])
            g.field((k, -1))

        const = g.fact("tends_const", 0)
        g.close_by(
            g.by_fact("tends_ext", 0, 0, "lam t:R. 0", f"lam t:R. sum(p, 1, {n}, E(p,t))", by=[zero, lambda g: g.close_by(const)])
        )

    def induction(g: Goal) -> None:
        ih = g.induct("m")
        g.assume()

        def more(g: Goal) -> None:
            strict = last(g)
            g.by_fact("int_lt", 0, "m", by=[lambda g: g.close_by(strict)])
            before, one = g.apply(ih, "m - 1"), g.apply(each, "m")
            total = g.apply(
                g.fact("tends_add", "sum(p, 1, m - 1, l(p))", "l(m)", "lam t:R. sum(p, 1, m - 1, E(p,t))", "lam t:R. E(m,t)"),
                by=[lambda g: g.close_by(before), lambda g: g.close_by(one)],
            )
            value = g.by_fact("sum_last", 1, "m", "lam p:Z. l(p)")
            g.rewrite(value)

            def same(g: Goal) -> None:
                g.fix("t")
                g.assume()
                g.field((g.by_fact("sum_last", 1, "m", "lam p:Z. E(p,t)"), -1))

            g.close_by(
                g.by_fact(
                    "tends_ext",
                    0,
                    "sum(p, 1, m - 1, l(p)) + l(m)",
                    "lam t:R. sum(p, 1, m - 1, E(p,t)) + E(m,t)",
                    "lam t:R. sum(p, 1, m, E(p,t))",
                    by=[same, lambda g: g.close_by(total)],
                )
            )

        def none(g: Goal) -> None:
            eq = last(g)
            empty(g, "m", g.have("m < 1", lambda g: g.pos(["1"], eqs=[(eq, 1)])))

        g.less_or_equal("0 <= m", more, none)

    every = g.have("all m:Z. 0 <= m => m <= n => tends(t, sum(p, 1, m, E(p,t)), sum(p, 1, m, l(p)))", induction)
    g.em("0 <= n", lambda g: g.close_by(g.apply(every, "n")), lambda g: empty(g, "n", last(g)))
