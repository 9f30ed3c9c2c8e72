"""Theorem 4 for infinite m: from alpha I every factor tends to w*^(1/L) I; the final display of Appendix F.3.2 is misprinted."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last, moves
from proofs.shin2025.diagonal_flow import FLOW, PRODUCTS
from proofs.shin2025.equal_layers import LAYER
from proofs.shin2025.factor_spectrum import ODE, order_is_kept
from proofs.shin2025.implicit_equations import power_of_power
from proofs.shin2025.limit_factors import LIMIT_VARIABLES, LIMITS
from proofs.shin2025.stationary import close_all, constant_limit, still
from proofs.shin2025.theorem_four import by_index, limits, limits_premise, values_of
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

CONTEXT = (

        "identical positive diagonal observations, square factors, gradient flow (3), W_l(0) = alpha I, zero-loss limits "
        "V(l) and Winf [Theorem 4]"

)
START = f"(all l:Z. {LAYER} => W(l,0) = al*I(d))"
MOTION = f"2 <= d => 3 <= L => 0 < ws => 0 < al => {PRODUCTS} => {FLOW} => {START}"
USES = ["shin2025.eq-30", "shin2025.proof-step-lambda-positive", ODE]


def from_identity(conclusion: str) -> str:
    """A statement about the limits of the flow from alpha I."""
    return f"all d L:Z, ws al:R, W P Q:(Z,R)~>M(d,d), {LIMIT_VARIABLES}. {MOTION} => {LIMITS} => {conclusion}"


def open_limit(g: Goal) -> None:
    """Name the hypotheses of a statement about these limits."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "al_lo", "prods", "move", "start", "lim"):
        g.assume(name)
    g.split("lim", "lim_1", "lim_2", "lim_3")


def start(g: Goal) -> None:
    layer = g.fix()[0]
    g.assume()
    h = g.apply("start", layer)
    g.nc((h, 1, None, None))


@part(
    "shin2025.theorem-4-minf",
    "limit",
    from_identity(f"ex A:R. 0 < A and A^L = ws and A = ws^(1/L) and (all l:Z. {LAYER} => V(l) = A*I(d)) and Winf = ws*I(d)"),
    uses=USES,
)
def both_eigenvalues_agree(g: Goal) -> None:
    """The conserved difference is 0, so the two limiting eigenvalues agree; their power L is w*."""
    open_limit(g)
    _, _, _, ws, v, w, _, diff = limits(g, "al", "0", start)
    diff = g.apply(diff)
    e = g.have("(al + d*0)^(2-L) = al^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    same = g.have("A^(2-L) = B^(2-L)", lambda g: g.field((diff, 1), (e, 1)))
    g.have("2 - L < 0")
    g.have("2 - L != 0")
    same = g.by_fact("pow_injective", "A", "B", "2 - L", by=[None, None, None, lambda g: g.close_by(same)])
    power = g.have("B^L = ws", lambda g: (g.rewrite(ws), g.rewrite(same), g.field())[-1])
    g.witness("B")

    def root(g: Goal) -> None:
        g.rewrite(power, back=True)
        k = power_of_power(g, "B", "L", "1/L", "1")
        g.rewrite(k)
        g.field()

    def factors(g: Goal) -> None:
        g.intro()
        k = g.apply(v, "l")
        g.nc((k, 1, None, None), rw=[same])

    def product(g: Goal) -> None:
        x = g.have(
            "Winf = (B^L)*I(d) + ((B^L - B^L)/d)*J(d)",
            lambda g: (g.replace("B^L - B^L", "A^L - B^L", lambda g: (g.rewrite(same), g.refl())[-1]), g.close_by(w))[-1],
        )
        g.rewrite(power, back=True)
        g.nc((x, 1, None, None))

    g.conj(None, None, root, factors, product)


def theorem_4(g: Goal, role: str) -> str:
    """Theorem 4 for infinite m, under the hypotheses of the goal."""
    open_limit(g)
    names = ["d", "L", "ws", "al", "W", "P", "Q", "V", "Winf"]
    return g.lemma("shin2025.theorem-4-minf", role, *names, by=[*[None] * 5, moves, None, limits_premise])


def known(g: Goal) -> list[str]:
    """What the part says, under the hypotheses of the goal."""
    return g.obtain(theorem_4(g, "part:limit"), "A")


def values(g: Goal, matrix: str, c: str, h: str) -> tuple[str, str]:
    """The singular values of a positive multiple of the identity."""
    k = g.have(f"{matrix} = ({c})*I(d) + (({c} - {c})/d)*J(d)", lambda g: g.nc((h, 1, None, None)))
    return values_of(g, matrix, c, c, k)


def at_index(g: Goal, one: str, rest: str) -> None:
    by_index(g, lambda g: (g.replace("i", "1"), g.close_by(one))[-1], lambda g: g.close_by(g.apply(rest, "i")))


@holds(
    "shin2025.theorem-4-minf",
    from_identity(f"all l i:Z. {LAYER} => 1 <= i and i <= d => sv(Winf,i) = ws and sv(V(l),i)^L = ws"),
    argument="sound",
    context=CONTEXT + "; sigma_i is a singular value of the limiting factor, sigma_i^L one of the product [notation]",
    uses=USES,
)
def all_singular_values_are_equal(g: Goal) -> None:
    """The limiting product is w* I, the limiting factors are w*^(1/L) I."""
    _, power, _, v, w = known(g)
    g.intro()
    one, rest = values(g, "Winf", "ws", w)
    x, y = values(g, "V(l)", "A", g.apply(v, "l"))
    g.conj(
        lambda g: at_index(g, one, rest),
        lambda g: (e := g.have("sv(V(l),i) = A", lambda g: at_index(g, x, y)), g.rewrite(e), g.close_by(power))[-1],
    )


@holds(
    "shin2025.proof-step-minf-factors",
    from_identity(
        f"all l i:Z. {LAYER} => 1 <= i and i <= d => V(l)[i,i] = ws^(1/L) and V(l) = (ws^(1/L))*I(d) and sv(V(l),i) = ws^(1/L)"
    ),
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.theorem-4-minf", "shin2025.proof-step-lambda-positive"],
)
def limiting_factors(g: Goal) -> None:
    """The common limiting eigenvalue is the root of w*."""
    _, _, root, v, _ = known(g)
    g.intro()
    h = g.apply(v, "l")
    x, y = values(g, "V(l)", "A", h)
    g.rewrite(root, back=True)
    g.conj(lambda g: (g.rewrite(h), g.field())[-1], lambda g: g.close_by(h), lambda g: at_index(g, x, y))


@holds(
    "shin2025.proof-step-minf-diagonal",
    from_identity(
        "(all i:Z, t:R. 1 <= i and i <= d => 0 <= t => P(L,t)[i,i] = prod(k, 1, L, W(k,t)[i,i])) and"
        " (all i:Z. 1 <= i and i <= d => Winf[i,i] = ws) and Winf = ws*I(d)"
    ),
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.theorem-4-minf", *USES],
)
def the_limit_product_is_scalar(g: Goal) -> None:
    """Both eigenvalue functions start from alpha and obey the same equation, so every factor is a multiple of the identity."""
    *_, w = known(g)

    def product(g: Goal) -> None:
        h = g.lemma(ODE, "part:system", "d", "L", "ws", "al", "0", "W", "P", "Q", by=[None, None, None, moves, start])
        a0, b0, system = g.split_all(g.obtain(h, "a", "b", "r", split=False)[0])
        ab = g.have("a(0) = b(0)", lambda g: g.field((a0, 1), (b0, -1)))
        g.have("0 < b(0)", lambda g: (g.rewrite(b0), g.auto())[-1])
        g.have("0 < a(0)")
        g.have("b(0) <= a(0)", lambda g: g.pos([0], eqs=[(ab, 1)]))
        g.have("a(0) <= b(0)", lambda g: g.pos([0], eqs=[(ab, -1)]))
        up = order_is_kept(g, system)
        down = order_is_kept(g, system, "a", "b")
        g.fix()
        g.split_all(g.assume())
        g.assume()
        g.split_all(g.apply(up, "t"))
        g.split_all(g.apply(down, "t"))
        same = g.have("a(t) = b(t)", lambda g: g.antisym())
        factor = g.split(g.apply(system, "t"))[0]
        p0, step, _, _ = g.split("prods")
        body = "lam k:Z. W(k,t)[i,i]"

        def powers(g: Goal) -> None:
            g.induct("n", "ih")
            g.assume()

            def none(g: Goal) -> None:
                e = g.by_fact("prod_empty", "1", "n", body)
                g.rewrite(e)
                h = g.apply(p0, "t")
                g.replace("n", "0")
                g.nc((h, 1, None, None))

            def more(g: Goal) -> None:
                e = g.by_fact("prod_last", "1", "n", body)
                g.rewrite(e)
                h = g.apply("ih", "n - 1")
                k = g.apply(step, "n - 1", "t")
                f = g.apply(factor, "n")
                f = g.have("W(n,t) = b(t)*I(d)", lambda g: (g.rewrite(f), g.rewrite(same), g.nc())[-1])
                e = g.have("W(n,t)[i,i] = b(t)", lambda g: (g.rewrite(f), g.field())[-1])
                g.rewrite(e)
                g.nc((k, 1, None, None), (h, 1, "W(n,t)", None), (f, "prod(k, 1, n - 1, W(k,t)[i,i])", None, None))

            by_last(g, none, more)

        h = g.have("all n:Z. 0 <= n => n <= L => P(n,t) = prod(k, 1, n, W(k,t)[i,i])*I(d)", powers)
        h = g.apply(h, "L")
        g.rewrite(h)
        g.field()

    g.conj(product, lambda g: (g.intro(), g.rewrite(w), g.field())[-1], lambda g: g.close_by(w))


@refuted(
    "shin2025.proof-step-minf-singular-values",
    from_identity("all i:Z. 1 <= i and i <= d => sv(Winf,i)^L = ws"),
    argument="fails",
    context=CONTEXT,
    reason=(
        "d = 2, L = 3, alpha = 2, w* = 8: the factors 2 I do not move, the product 8 I has the singular values 8, "
        "and 8^3 is not 8"
    ),
    uses=["shin2025.proof-step-lambda-positive"],
)
def powers_of_the_singular_values_of_the_product(g: Goal) -> None:
    """The stationary flow W_l = 2 I."""
    g.witness(
        "2",
        "3",
        "8",
        "2",
        "lam l:Z, t:R. 2*I(2)",
        "lam l:Z, t:R. (2^l)*I(2)",
        "lam l:Z, t:R. (2^(3-l))*I(2)",
        "lam l:Z. 2*I(2)",
        "8*I(2)",
    )

    def value(g: Goal) -> None:
        g.witness("1")
        one, _ = g.split(
            g.lemma(
                "shin2025.proof-step-lambda-positive",
                "part:singular-values",
                "2",
                "8",
                "8",
                "8*I(2)",
                by=[None, None, None, lambda g: g.nc()],
            )
        )
        g.rewrite(one)
        g.conj(None, lambda g: g.ball())

    close_all(
        g,
        None,
        None,
        None,
        None,
        None,
        still("(2^3)*I(2)", "8"),
        None,
        lambda g: g.conj(
            constant_limit("2*I(2)"),
            constant_limit("(2^3)*I(2)"),
            lambda g: (g.intro(), g.have("1 <= i"), g.have("i <= 2"), g.field())[-1],
        ),
        value,
    )


@amendment(
    "shin2025.proof-step-minf-singular-values",
    from_identity(f"all l i:Z. {LAYER} => 1 <= i and i <= d => sv(V(l),i)^L = ws and sv(Winf,i) = ws"),
    says="the power L belongs to the singular values of the limiting factor; those of the product are w* itself",
    uses=["shin2025.theorem-4-minf"],
)
def powers_of_the_singular_values_of_a_factor(g: Goal) -> None:
    """Theorem 4."""
    h = theorem_4(g, "statement")
    g.intro()
    x, y = g.split(g.apply(h, "l", "i"))
    g.conj(lambda g: g.close_by(y), lambda g: g.close_by(x))
