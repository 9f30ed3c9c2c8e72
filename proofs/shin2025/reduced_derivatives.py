"""Lemma 12, reduced form: equation (23) at the start, with scalar gradients and two-value factors."""

from __future__ import annotations

from proofs.shin2025.diagonal_flow import CONTEXT, SETTING
from proofs.shin2025.equal_layers import LAYER, at_initial
from proofs.shin2025.factor_derivatives import EXPANSION, LEFT, RESIDUAL, RIGHT, expansion
from proofs.shin2025.initial_derivatives import EVERY_ORDER, derivatives_of_every_order
from proofs.shin2025.leibniz import BINOMIALS, carried
from verify.kernel import Goal
from verify.registry import holds

INNER = "Cb(k - 1 - c,b)*(d(b,rr,0)*(U(l,c) @ V(l - 1,k - 1 - c - b)))"


@holds(
    "shin2025.proof-step-lemma12-reduced",
    f"""all d L:Z, ws al m:R, W P Q:(Z,R)~>M(d,d), Cb:(Z,Z)->R, G:R~>M(d,d), rr:R~>R. {SETTING} => {BINOMIALS} => {RESIDUAL} =>
        (all t:R. 0 <= t => rr(t) = P(L,t)[1,1] - ws) =>
        (all n:Z. 0 <= n => d(n,G,0) = d(n,rr,0)*I(d)) and
        (ex x y:Z->R. all r n:Z. 1 <= r and r <= L and 0 <= n => T(d(n,W,r,0)) = x(n)*I(d) + y(n)*J(d)) and
        (all l k:Z, U V:(Z,Z)->M(d,d). {LAYER} => 1 <= k => {LEFT.replace(",t)", ",0)")} => {RIGHT.replace(",t)", ",0)")} =>
            d(k,W,l,0) = -sum(c, 0, k - 1, Cb(k - 1,c)*sum(b, 0, k - 1 - c, {INNER})) and
            ex p q:R. d(k,W,l,0) = p*I(d) + q*J(d))""",
    argument="sound",
    context=CONTEXT + (
        "; the multinomial sum as nested binomial sums (see equation (23)): U and V are those of the factors x(n) I + y(n) "
        "J on the two sides of the layer, rr is the residual r of the diagonal entries [encoding]"
    ),
    uses=["shin2025.lemma-13"],
)
def reduced_form_at_the_start(g: Goal) -> None:
    """Equation (23) at t = 0 with the gradient r I; every derivative of a factor has the two-value form."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "al_lo", "m_lo", "prods", "move", "start", "binom", "resid", "r_is"):
        g.assume(name)
    whole = g.have(EXPANSION, expansion)
    orders = g.have(EVERY_ORDER, derivatives_of_every_order)
    res = at_initial(g, "residual")

    def scalar(g: Goal) -> None:
        g.intro()
        x, y, z = g.apply("resid", "t"), g.apply(res, "t"), g.apply("r_is", "t")
        g.rewrite(x)
        g.rewrite(y)
        g.rewrite(z)
        g.refl()

    gradient = carried(g, "G", "rr", "({0})*I(d)", g.have("all t:R. 0 <= t => G(t) = rr(t)*I(d)", scalar))
    x, y = "(d({0},W,1,0)[1,1] - d({0},W,1,0)[1,2])", "d({0},W,1,0)[1,2]"

    def form(g: Goal) -> None:
        g.witness(f"lam n:Z. {x.format('n')}", f"lam n:Z. {y.format('n')}")
        g.intro()
        h = g.apply(g.apply(g.apply(orders, "r"), "n"), "0")
        t = g.have(f"T(d(n,W,r,0)) = T({x.format('n')}*I(d) + {y.format('n')}*J(d))", lambda g: (g.rewrite(h), g.refl())[-1])
        g.nc((t, 1, None, None))

    def reduced(g: Goal) -> None:
        g.fix()
        g.split_all(g.assume())
        g.assume()
        left = g.assume()
        right = g.assume()
        e = g.apply(
            g.apply(g.apply(whole, "l"), "0", "U", "V", by=[None, lambda g: g.close_by(left), lambda g: g.close_by(right)]), "k"
        )

        def outer(g: Goal) -> None:
            c = g.fix("c")[0]
            g.split_all(g.assume())

            def inner(g: Goal) -> None:
                b = g.fix("b")[0]
                g.split_all(g.assume())
                h = g.apply(g.apply(gradient, b), "0")
                g.rewrite(h)
                g.nc()

            s = g.by_fact(
                "matrix_sum_ext",
                "d",
                "d",
                "0",
                f"k - 1 - {c}",
                f"lam b:Z. U(l,{c}) @ (Cb(k - 1 - {c},b)*(d(b,G,0) @ V(l - 1,k - 1 - {c} - b)))",
                f"lam b:Z. {INNER}",
                by=[inner],
            )
            m = g.fact(
                "matrix_sum_mul_left",
                "d",
                "d",
                "d",
                "0",
                f"k - 1 - {c}",
                f"U(l,{c})",
                f"lam b:Z. Cb(k - 1 - {c},b)*(d(b,G,0) @ V(l - 1,k - 1 - {c} - b))",
            )
            g.rewrite(m)
            g.rewrite(s)
            g.refl()

        total = g.by_fact(
            "matrix_sum_ext",
            "d",
            "d",
            "0",
            "k - 1",
            "lam a:Z. Cb(k - 1,a)*(U(l,a) @ sum(b, 0, k - 1 - a, Cb(k - 1 - a,b)*(d(b,G,0) @ V(l - 1,k - 1 - a - b))))",
            f"lam c:Z. Cb(k - 1,c)*sum(b, 0, k - 1 - c, {INNER})",
            by=[outer],
        )

        def span(g: Goal) -> None:
            h = g.apply(g.apply(g.apply(orders, "l"), "k"), "0")
            g.witness(x.format("k"), y.format("k"))
            g.close_by(h)

        g.conj(lambda g: g.nc((e, 1, None, None), (total, -1, None, None)), span)

    g.conj(lambda g: (g.intro(), g.close_by(g.apply(g.apply(gradient, "n"), "0")))[-1], form, reduced)
