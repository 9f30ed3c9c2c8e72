"""Lemma 11 and the Leibniz formula for the product of all factors."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from proofs.shin2025.diagonal_flow import PRODUCTS
from proofs.shin2025.equal_layers import LAYER
from proofs.shin2025.leibniz import BINOMIALS, constant_derivatives, derivatives_of_the_empty_product, leibniz
from verify.kernel import Goal
from verify.registry import holds

NESTED = """(M(0,0) = I(d) and (all n:Z. 1 <= n => M(0,n) = O(d,d)) and
    all r n:Z. 0 <= r and 0 <= n => M(r+1,n) = sum(i, 0, n, Cb(n,i)*(A(i) @ M(r,n - i))))"""
"""M(r,n) is the sum over k_1 + .. + k_r = n of the multinomial coefficient times A(k_r) .. A(k_1), as nested binomial sums."""


def every_step(g: Goal, ps: str, ends: str, pascal: str) -> str:
    """The Leibniz rule for P(r+1) = W(r+1) P(r)."""

    def rule(g: Goal) -> None:
        g.fix("r")
        g.split_all(g.assume())
        p = g.have(
            "all t:R. 0 <= t => P(r+1,t) = W(r+1,t) @ P(r,t)", lambda g: (g.intro(), g.close_by(g.apply(ps, "r", "t")))[-1]
        )
        h = leibniz(g, "P,r+1", "W,r+1", "P,r", p, ends, pascal)
        g.close_by(h)

    return g.have(
        "all r:Z. 0 <= r and r < L => all n:Z. 0 <= n => all t:R. 0 <= t =>"
        " d(n,P,r+1,t) = sum(i, 0, n, Cb(n,i)*(d(i,W,r+1,t) @ d(n - i,P,r,t)))",
        rule,
    )


@holds(
    "shin2025.eq-leibniz-product",
    f"""all d L:Z, Cb:(Z,Z)->R, W P Q:(Z,R)~>M(d,d). 1 <= d => 1 <= L => {BINOMIALS} => {PRODUCTS} =>
        all t:R, A:Z->M(d,d), M:(Z,Z)->M(d,d). 0 <= t => (all l n:Z. {LAYER} => 0 <= n => d(n,W,l,t) = A(n)) => {NESTED} =>
        all k:Z. 0 <= k => d(k,P,L,t) = M(L,k)""",
    argument="sound",
    context=(

            "Cb are the binomial coefficients [notation]; M(L,k) is the multinomial sum over k_1 + .. + k_L = k, written "
            "as nested binomial sums [notation]"

    ),
)
def leibniz_rule_for_the_product(g: Goal) -> None:
    """The Leibniz rule for two factors, factor by factor."""
    g.fix()
    g.assume()
    g.assume()
    ends, pascal = g.split(g.assume())
    p0, ps, _, _ = g.split(g.assume())
    step = every_step(g, ps, ends, pascal)
    flat = constant_derivatives(g, "P,0", p0)
    g.fix()
    g.assume()
    shared = g.assume()
    m0, mn, mr = g.split(g.assume())

    def factors(g: Goal) -> None:
        g.induct("r", "jh")
        g.assume()

        def none(g: Goal) -> None:
            z = g.have("r = 0")
            g.rewrite(z)
            derivatives_of_the_empty_product(g, flat, p0, m0, mn, "k")

        def more(g: Goal) -> None:
            h = g.apply("jh", "r - 1")
            g.intro()
            a = g.apply(g.apply(g.apply(step, "r - 1"), "k"), "t")
            b = g.apply(mr, "r - 1", "k")

            def term(g: Goal) -> None:
                i = g.fix()[0]
                g.split_all(g.assume())
                x = g.apply(shared, "r", i)
                y = g.apply(h, f"k - {i}")
                x = g.have(f"d({i},W,(r - 1) + 1,t) = A({i})", lambda g: g.nc((x, 1, None, None)))
                g.rewrite(x)
                g.rewrite(y)
                g.refl()

            e = g.by_fact(
                "matrix_sum_ext",
                "d",
                "d",
                "0",
                "k",
                "lam i:Z. Cb(k,i)*(d(i,W,(r - 1) + 1,t) @ d(k - i,P,r - 1,t))",
                "lam i:Z. Cb(k,i)*(A(i) @ M(r - 1,k - i))",
                by=[term],
            )
            a = g.have(
                "d(k,P,r,t) = sum(i, 0, k, Cb(k,i)*(d(i,W,(r - 1) + 1,t) @ d(k - i,P,r - 1,t)))",
                lambda g: g.nc((a, 1, None, None)),
            )
            b = g.have("M(r,k) = sum(i, 0, k, Cb(k,i)*(A(i) @ M(r - 1,k - i)))", lambda g: g.nc((b, 1, None, None)))
            g.rewrite(a)
            g.rewrite(b)
            g.close_by(e)

        by_last(g, none, more, "r")

    h = g.have("all r:Z. 0 <= r => r <= L => all k:Z. 0 <= k => d(k,P,r,t) = M(r,k)", factors)
    h = g.apply(h, "L")
    g.close_by(h)


@holds(
    "shin2025.lemma-11",
    f"""all d L k:Z, W P Q:(Z,R)~>M(d,d). 2 <= d => 2 <= L => 0 <= k => {PRODUCTS} => all t:R, x y:Z->R. 0 <= t =>
        (all l n:Z. {LAYER} => 0 <= n and n <= k => d(n,W,l,t) = x(n)*I(d) + y(n)*(J(d) - I(d))) =>
        all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => d(k,P,L,t)[i,i] = d(k,P,L,t)[j,j]""",
    argument="sound",
    context="smooth factors at a time t >= 0 of the flow [(3)]; neither the flow nor the observed values enter [notation]",
)
def derivatives_of_the_product_have_an_equal_diagonal(g: Goal) -> None:
    """Leibniz, and the span of I and J is closed under sums and products: so all derivatives of the product up to k lie in it."""
    g.fix()
    for name in ("d_lo", "L_lo", "k_lo"):
        g.assume(name)
    p0, ps, _, _ = g.split(g.assume())
    ends, pascal = g.obtain(g.fact("binomials"), "Cb")
    step = every_step(g, ps, ends, pascal)
    flat = constant_derivatives(g, "P,0", p0)
    g.fix()
    g.assume()
    shared = g.assume()

    def factors(g: Goal) -> None:
        g.induct("r", "jh")
        g.assume()

        def none(g: Goal) -> None:
            z = g.have("r = 0")
            g.rewrite(z)
            g.intro()

            def zeroth(g: Goal) -> None:
                g.witness("1", "0")
                y = g.have("n = 0")
                g.rewrite(y)
                a = g.apply(p0, "t")
                g.nc((a, 1, None, None))

            def later(g: Goal) -> None:
                g.by_fact("int_lt", "0", "n")
                a = g.apply(g.apply(flat, "n"), "t")
                g.witness("0", "0")
                g.rewrite(a)
                g.nc()

            g.cases(g.by_fact("lt_or_eq", "0", "n"), later, zeroth)

        def more(g: Goal) -> None:
            h = g.apply("jh", "r - 1")
            g.fix("n")
            g.assume()
            g.assume()
            a = g.apply(g.apply(g.apply(step, "r - 1"), "n"), "t")
            body = "Cb(n,i)*(d(i,W,(r - 1) + 1,t) @ d(n - i,P,r - 1,t))"
            a = g.have(f"d(n,P,r,t) = sum(i, 0, n, {body})", lambda g: g.nc((a, 1, None, None)))

            def partial(g: Goal) -> None:
                g.induct("q", "kh")
                g.assume()
                last = g.by_fact("matrix_sum_last", "d", "d", "0", "q", f"lam i:Z. {body}")
                x = g.apply(shared, "r", "q")
                x = g.have("d(q,W,(r - 1) + 1,t) = x(q)*I(d) + y(q)*(J(d) - I(d))", lambda g: g.nc((x, 1, None, None)))
                y = g.obtain(g.apply(h, "n - q"), "u", "v")[0]
                now = "Cb(n,q)*((x(q) - y(q))*u)", "Cb(n,q)*((x(q) - y(q))*v + y(q)*u + d*y(q)*v)"
                g.rewrite(last)
                g.rewrite(x)
                g.rewrite(y)

                def first(g: Goal) -> None:
                    z = g.have("q = 0")
                    e = g.by_fact("matrix_sum_empty", "d", "d", "0", "q - 1", f"lam i:Z. {body}")
                    del z
                    g.rewrite(e)
                    g.witness(*now)
                    g.nc()

                def further(g: Goal) -> None:
                    w = g.obtain(g.apply("kh", "q - 1"), "e", "f")[0]
                    g.rewrite(w)
                    g.witness(f"e + {now[0]}", f"f + {now[1]}")
                    g.nc()

                by_last(g, first, further, "q")

            h = g.have(f"all q:Z. 0 <= q => q <= n => ex u v:R. sum(i, 0, q, {body}) = u*I(d) + v*J(d)", partial)
            w = g.obtain(g.apply(h, "n"), "u", "v")[0]
            g.witness("u", "v")
            g.rewrite(a)
            g.close_by(w)

        by_last(g, none, more, "r")

    h = g.have("all r:Z. 0 <= r => r <= L => all n:Z. 0 <= n => n <= k => ex u v:R. d(n,P,r,t) = u*I(d) + v*J(d)", factors)
    w = g.obtain(g.apply(g.apply(h, "L"), "k"), "u", "v")[0]
    g.intro()
    g.rewrite(w)
    g.field()
