"""Appendix G.2.2: the limit of the flow, its singular values, Lemma 25 and the stable rank of Theorem 6."""

from __future__ import annotations

from proofs.shin2025.entries_of_2x2 import at_each_entry
from proofs.shin2025.warm_start_flow import CORE, PAPER, claim, enter, entries, of_reduced, product, rates
from proofs.shin2025.warm_start_lemmas import W11, W12, W21, W22
from proofs.shin2025.warm_start_symmetry import NORM
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

VALUES = f"sv({product('t')}, 1) = {NORM}/2 + ({W12} + {W21})/2 and sv({product('t')}, 2) = {NORM}/2 - ({W12} + {W21})/2"


@part(
    CORE,
    "pair",
    """all X:M(2,2), a b:R. 0 <= b => b <= a => a*b = abs(det(X)) => a^2 + b^2 = tr(T(X) @ X) => sv(X,1) = a and sv(X,2) = b""",
    says="The singular values of a 2 x 2 matrix are known by their product and the sum of their squares.",
)
def singular_values_by_product_and_squares(g: Goal) -> None:
    """The sums agree because their squares do, and so do the differences."""
    b, ba, ab, squares = g.intro()
    product_, total = g.split_all(g.fact("sv_2x2", "X"))
    rng = g.fact("sv_range", "2", "2", "X")
    first, order = g.split_all(g.apply(rng, "1", "2"))
    second, _ = g.split_all(g.apply(rng, "2", "2"))
    order = g.apply(order)
    s, d = "(sv(X,1) + sv(X,2))", "(sv(X,1) - sv(X,2))"

    def equal(x: str, y: str, sign: int) -> str:
        def prove(g: Goal) -> None:
            zero = g.by_fact(
                "product_zero",
                f"{x} - {y}",
                f"{x} + {y}",
                by=[lambda g: g.field((total, "1"), (squares, "-1"), (product_, str(2 * sign)), (ab, str(-2 * sign)))],
            )

            def same(g: Goal) -> None:
                g.field((list(g.seq.hyps)[-1], "1"))

            def both_zero(g: Goal) -> None:
                h = list(g.seq.hyps)[-1]
                g.antisym(
                    lambda g: g.nlin(products=1, use=[h, b, ba, first, second, order]),
                    lambda g: g.nlin(products=1, use=[h, b, ba, first, second, order]),
                )

            g.cases(zero, same, both_zero)

        return g.have(f"{x} = {y}", prove)

    plus, minus = equal(s, "(a + b)", 1), equal(d, "(a - b)", -1)
    g.conj(lambda g: g.field((plus, "1/2"), (minus, "1/2")), lambda g: g.field((plus, "1/2"), (minus, "-1/2")))


@part(
    CORE,
    "values",
    claim(f"all t:R. 0 <= t => {VALUES}"),
    says="The singular values of the product are |A|^2/2 +- (w12 + w21)/2.",
    uses=[f"{PAPER}.lemma-19"],
)
def singular_values_of_the_product(g: Goal) -> None:
    """Their product is det A^2 and the sum of their squares |AB|_F^2, by (54)."""
    _, red, ent = enter(g)
    e = entries(g, ent, "t")
    b = g.split_all(g.apply(of_reduced(g, red, "bounds"), "t"))
    pair = g.lemma(CORE, "part:pair")
    n = g.fact("frobenius_entries", "2", "2", product("t"))
    g.have(f"0 <= det({product('t')})", lambda g: g.pos(["(p(t)*s(t) - q(t)*r(t))^2"], rw=e))
    size = g.have(f"abs(det({product('t')})) = det({product('t')})", lambda g: g.field())
    big, small = f"({NORM}/2 + ({W12} + {W21})/2)", f"({NORM}/2 - ({W12} + {W21})/2)"
    gap = "(p(t)^2 + r(t)^2 - q(t)^2 - s(t)^2)"
    k = g.apply(
        pair,
        product("t"),
        big,
        small,
        by=[
            lambda g: g.pos(["1/2", "(p(t) - q(t))^2"], ["1/2", "(r(t) - s(t))^2"], rw=e),
            lambda g: g.pos(["@" + b[13]], rw=e),
            lambda g: g.field((size, "-1"), (b[0], f"{gap}/4"), rw=e),
            lambda g: g.field((n, "-1"), (b[0], f"{gap}/2"), rw=e),
        ],
    )
    g.close_by(k)


def vanishing(g: Goal, c: str, k: str) -> str:
    """A hypothesis that c exp(-k t) tends to 0."""
    return g.by_fact("tends_scale", c, "0", f"lam t:R. exp(-{k}*t)", by=[lambda g: g.close_by(g.by_fact("tends_exp_decay", k))])


@part(
    CORE,
    "limit",
    claim(f"""ex l:R. tends(t, {product("t")}, [[w, v], [l, w]]) and tends(t, {W21}, l) and l < 0 and 0 <= v + l and -w <= l"""),
    says="The product converges; its entry (2,1) has a negative limit.",
    uses=[f"{PAPER}.lemma-19"],
)
def product_converges(g: Goal) -> None:
    """The residuals decay like e^(-w* t); w21 decreases and is at least -(a21^2 + a22^2) >= -w*."""
    _, red, ent = enter(g)
    bounds, decay, residual, rows = (of_reduced(g, red, n) for n in ("bounds", "decay", "residual", "rows"))
    zero = vanishing(g, "v", "w")

    def converge(value: str, target: str, inside: Script) -> str:
        """value - target lies between -v e^(-w t) and v e^(-w t)."""

        def small(g: Goal) -> None:
            g.intro()
            e = entries(g, ent, "t")
            b = g.split_all(g.apply(bounds, "t"))
            inside(g, e, b)

        gap = f"({value} - {target})"
        minus = g.by_fact("tends_scale", "-1", "v*0", "lam t:R. v*exp(-w*t)", by=[lambda g: g.close_by(zero)])
        low = g.have("tends(t, -1*(v*exp(-w*t)), 0)", lambda g: g.exact(minus))
        high = g.have("tends(t, v*exp(-w*t), 0)", lambda g: g.exact(zero))
        h = g.by_fact(
            "tends_squeeze",
            "0",
            "0",
            "lam t:R. -1*(v*exp(-w*t))",
            f"lam t:R. {gap}",
            "lam t:R. v*exp(-w*t)",
            by=[small, lambda g: g.close_by(low), lambda g: g.close_by(high)],
        )
        k = g.by_fact(
            "tends_add",
            "0",
            target,
            f"lam t:R. {gap}",
            f"lam t:R. {target}",
            by=[lambda g: g.close_by(h), lambda g: g.close_by(g.fact("tends_const", target))],
        )
        m = g.by_fact(
            "tends_ext",
            "0",
            f"0 + {target}",
            f"lam t:R. {gap} + {target}",
            f"lam t:R. {value}",
            by=[lambda g: (g.intro(), g.field()), lambda g: g.close_by(k)],
        )
        return g.have(f"tends(t, {value}, {target})", lambda g: g.exact(m))

    def diagonal(g: Goal, e: list[str], b: list[str]) -> None:
        h = g.apply(decay, "t")

        def above(g: Goal) -> None:
            n = "@" + g.contra()
            g.pos([n, n], ["2", "v*exp(-w*t)", n], ["@" + h], ["(v - 2*p(t)*q(t))^2/2"], ["v^2*exp(-w*t)^2/2"], rw=e)

        g.conj(lambda g: g.pos(["v*exp(-w*t)"], ["@" + b[1]], rw=e), above)

    def corner(g: Goal, e: list[str], b: list[str]) -> None:
        h = g.apply(residual, "t")
        g.conj(lambda g: g.pos(["@" + h], rw=e), lambda g: g.pos(["v*exp(-w*t)"], ["@" + b[2]], rw=e))

    w11, w22, w12 = converge(W11, "w", diagonal), converge(W22, "w", diagonal), converge(W12, "v", corner)

    def falls(g: Goal) -> None:
        g.intro()

        def slope(g: Goal) -> None:
            (x,) = g.fix("x")
            g.assume()
            b = g.split_all(g.apply(bounds, x))
            g.pos(["2", "@" + b[1], "@" + b[3]], rw=rates(g, red[6], x) + entries(g, ent, x))

        h = g.by_fact("nonincreasing", "0", f"lam t:R. {W21}", by=[None, slope])
        g.close_by(g.apply(h, "t", "u"))

    def floor(g: Goal) -> None:
        g.intro()
        small, _ = g.split_all(g.apply(rows, "t"))
        g.pos(["(r(t) + s(t))^2"], ["@" + small], rw=entries(g, ent, "t"))

    tends, least, above = g.obtain(g.by_fact("monotone_limit_down", "0", "-w", f"lam t:R. {W21}", by=[falls, floor]), "l")
    one = g.apply(above, "1")
    first = g.apply(of_reduced(g, red, "negative"), "1")
    g.witness("l")

    def matrix(g: Goal) -> None:
        _, back = g.split(g.fact("tends_matrix", "2", "2", "[[w, v], [l, w]]", f"lam t:R. {product('t')}"))

        def entry(g: Goal) -> None:
            g.intro()
            table = {(1, 1): w11, (1, 2): w12, (2, 1): tends, (2, 2): w22}
            at_each_entry(g, lambda g, i, j: g.exact(table[i, j]))

        g.close_by(g.apply(back, by=[entry]))

    total = g.by_fact(
        "tends_add", "v", "l", f"lam t:R. {W12}", f"lam t:R. {W21}", by=[lambda g: g.close_by(w12), lambda g: g.close_by(tends)]
    )

    def sum_nonneg(g: Goal) -> None:
        def always(g: Goal) -> None:
            g.intro()
            b = g.split_all(g.apply(bounds, "t"))
            g.pos(["@" + b[13]], rw=entries(g, ent, "t"))

        h = g.by_fact(
            "tends_le",
            "0",
            "0",
            "v + l",
            "lam t:R. 0",
            f"lam t:R. {W12} + {W21}",
            by=[always, lambda g: g.close_by(g.fact("tends_const", "0")), lambda g: g.close_by(total)],
        )
        g.close_by(h)

    g.conj(
        matrix,
        lambda g: g.close_by(tends),
        lambda g: g.pos(["@" + one], ["@" + first], rw=entries(g, ent, "1")),
        sum_nonneg,
        lambda g: g.close_by(least),
    )
