"""Section 3: if Z = 0, gradient flow can lead to the product zero only, as every stationary point has this product."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "eftekhari2022.assertion-rank-z-necessary"
ZERO = "X @ T(X) = m*I(x) => 1 <= m => rank((1/m)*(Y @ T(X))) < 1 => (1/m)*(Y @ T(X)) = O(y,x) =>"
STATIONARY = f"""all x y m k l:Z, X:M(x,m), Y:M(y,m), P:M(y,k), W:M(k,l), Q:M(l,x), E:M(y,x). {ZERO}
       E = P @ W @ Q => T(P) @ ((E @ X - Y) @ T(X)) @ T(Q) = O(k,l) => E = O(y,x)"""
SIZE = "tr(T(E(t)) @ E(t))"


@part(CLAIM, "stationary", STATIONARY, says="if Z = 0, every stationary point has the product 0")
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


@holds(
    CLAIM,
    f"""all x y m k l:Z, X:M(x,m), Y:M(y,m), P:R->M(y,k), W:R~>M(k,l), Q:R->M(l,x), E:R->M(y,x), L:M(y,x). {ZERO}
       (all t:R. 0 <= t => E(t) = P(t) @ W(t) @ Q(t) and W'(t) = -(T(P(t)) @ ((E(t) @ X - Y) @ T(X)) @ T(Q(t)))) =>
       tends(t, E(t), L) => L = O(y,x)""",
    argument="sound",
    reading="W is one of the layers, P and Q are the products of the layers above and below, E is the product of all, and W follows gradient flow. For Z = 0 (that is rank(Z) < 1,"
    " stated both ways) the product can have no limit but 0",
    context="whitened data [Assumption 14]",
)
def products_have_no_other_limit(g: Goal) -> None:
    """The squared norm of W has the derivative -2 m |E|^2, and cannot fall below 0."""
    g.fix()
    white, low, _, target, flow, limit = (g.assume() for _ in range(6))
    g.have("0 < m", lambda g: g.pos([f"@{low}"], ["1"]))
    cross = g.have("Y @ T(X) = O(y,x)", lambda g: g.nc((target, "m", None, None)))
    apart = g.contra()
    end = "tr(T(L) @ L)"
    nonneg = g.have(f"0 <= {end}")

    def positive(g: Goal) -> None:
        g.contra("small")
        zero = g.by_fact("le_antisym", end, 0, by=[using("small"), using(nonneg)])
        g.clash(g.by_fact("frobenius_zero", "y", "x", "L", by=[using(zero)]), apart)

    g.have(f"0 < {end}", positive)
    turned = g.by_fact("tends_matrix_transpose", "y", "x", "L", "lam t:R. E(t)", by=[using(limit)])
    paths = ("lam t:R. T(E(t))", "lam t:R. E(t)")
    square = g.by_fact("tends_matrix_mul", "x", "y", "x", "T(L)", "L", *paths, by=[using(turned), using(limit)])
    size = g.by_fact("tends_trace", "x", "T(L) @ L", "lam t:R. T(E(t)) @ E(t)", by=[using(square)])
    late = g.by_fact("tends_eventually_gt", end, f"{end}/2", f"lam t:R. {SIZE}", by=[using(size), None])
    (large,) = g.obtain(late, "a0", split=False)
    order = g.fact("total", "a0", 0)

    def later(g: Goal) -> None:
        g.cases(
            order,
            lambda g: (g.witness("0"), g.conj(using(next(reversed(g.seq.hyps))), None))[-1],
            lambda g: (g.witness("a0"), g.conj(None, using(next(reversed(g.seq.hyps)))))[-1],
        )

    after, begun = g.obtain(g.have("ex a:R. a0 <= a and 0 <= a", later), "a")
    norm, far = "tr(T(W(t)) @ W(t))", f"((1 + tr(T(W(a)) @ W(a)))/(m*{end}))"

    def slope(g: Goal) -> None:
        g.fix("t")
        start = g.split(g.assume())[0]
        big = g.apply(large, "t", by=[lambda g: g.pos([f"@{after}"], [f"@{start}"])])
        product, rate = g.split(g.apply(flow, "t", by=[lambda g: g.pos([f"@{begun}"], [f"@{start}"])]))
        law = g.have(
            "W'(t) = -m*(T(P(t)) @ E(t) @ T(Q(t)))",
            lambda g: g.nc((rate, 1, None, None), (white, -1, "T(P(t)) @ E(t)", "T(Q(t))"), (cross, 1, "T(P(t))", "T(Q(t))")),
        )
        whole = g.have("T(E(t)) = T(P(t) @ W(t) @ Q(t))", lambda g: g.ctx(using(product)))
        k = g.have("T(E(t)) @ E(t) = T(Q(t)) @ T(W(t)) @ T(P(t)) @ E(t)", lambda g: g.nc((whole, 1, None, "E(t)")))
        own = g.have(f"{SIZE} = tr(T(W(t)) @ (T(P(t)) @ E(t) @ T(Q(t))))", lambda g: (g.rewrite(k), g.field())[-1])
        pair = g.have(
            "tr(T(W(t)) @ W'(t)) = -m*tr(T(W(t)) @ (T(P(t)) @ E(t) @ T(Q(t))))", lambda g: (g.rewrite(law), g.field())[-1]
        )
        d = g.have(
            f"D(s, -{norm.replace('(t)', '(s)')} - m*{end}*s, t) = 2*m*{SIZE} - m*{end}",
            lambda g: g.field((pair, -2), (own, "-2*m")),
        )
        g.rewrite(d)
        g.pos(["2", "m", f"@{big}"])

    g.have(f"0 < {far}", lambda g: g.pos(["1"], ["tr(T(W(a)) @ W(a))"], mul=[f"m*{end}"]))
    fallen = g.by_fact(
        "mean_value_le", "a", f"a + {far}", f"lam t:R. -{norm} - m*{end}*t", by=[None, slope, lambda g: g.pos([far])]
    )
    g.pos([f"@{fallen}"], [norm.replace("(t)", f"(a + {far})")], ["1"])


def transposed(g: Goal, whole: str) -> None:
    """The transpose of the product."""
    k = g.have("T(E) = T(P @ W @ Q)", lambda g: g.ctx(lambda g: g.close_by(whole)))
    g.nc((k, 1, None, None))
