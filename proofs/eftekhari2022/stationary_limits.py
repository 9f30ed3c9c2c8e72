"""Section 3, Appendix I: the limit of gradient flow from the stable set is a second-order stationary point."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import nonempty, unit_trace
from proofs.eftekhari2022.global_convergence import LIMITS_EXIST, TERMS
from proofs.eftekhari2022.limits_of_the_flow import CLAIM, CONTEXT, READING, STATED
from proofs.eftekhari2022.limits_of_the_flow import FAMILY as LIMITS
from proofs.eftekhari2022.limits_of_the_flow import LIMIT as PRODUCT
from proofs.eftekhari2022.second_order_layers import half
from proofs.eftekhari2022.theorem_twenty import INNER
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

FAMILY = LIMITS.replace("D:", "F:").replace(" D)", " F)")
"""The limits of the layers, with F for that of the last one."""
LIMIT = PRODUCT.replace("D @", "F @")
NAMED = READING.replace("L(l), D are", "L(l), F are").replace("and D R(N-1)", "and F R(N-1)")
STEP = "eftekhari2022.step-limit-sosp"
NARROW = (
    """(x = 1 or y = 1 or (ex l:Z, h:V(n). 1 <= l and l <= N - 1 and T(h) @ h = I(1) and all u:R. h @ T(h) @ V(l,u) = V(l,u)))"""
)
MOVED = half("Y - (F + u*K) @ V(N-1,u) @ X")
SECOND_ORDER = f"""(all S:M(n,x), K:M(y,n), H:Z->M(n,n), V:(Z,R)~>M(n,x). (all u:R. V(1,u) = C + u*S) =>
         (all l:Z, u:R. {INNER} => V(l,u) = (L(l) + u*H(l)) @ V(l-1,u)) => {NARROW} =>
         D(u, {MOVED}, 0) = 0 and 0 <= D(s, D(u, {MOVED}, s), 0))"""


@part(
    STEP,
    "least",
    "all f:R~>R. (all u:R. f(0) <= f(u)) => f'(0) = 0 and 0 <= f''(0)",
    says="first and second derivative at a minimum",
    uses=["eftekhari2022.assertion-strict-saddle-escape"],
)
def derivatives_at_a_minimum(g: Goal) -> None:
    """A slope other than 0 leads below, to the right or to the left, and so does a negative second derivative."""
    g.fix("f")
    least = g.assume()

    def lower(g: Goal, body: str, at: str, slope: str) -> None:
        """False, since f falls along the line `at`: the function `body` rises."""
        _, right = g.obtain(g.by_fact("derivative_sign_right", 0, f"lam t:R. {body}", by=[None, using(slope)]), "h")
        k = g.apply(right, "h")
        low = g.apply(least, at)
        g.pos([f"@{k}"], [f"@{low}"])

    def flat(g: Goal) -> None:
        def falling(g: Goal) -> None:
            neg = next(reversed(g.seq.hyps))
            g.contra()
            lower(g, "-f(t)", "h", g.have("0 < D(t, -f(t), 0)", lambda g: g.pos([f"@{neg}"])))

        def rising(g: Goal) -> None:
            pos = next(reversed(g.seq.hyps))
            g.contra()
            lower(g, "-f(-t)", "-h", g.have("0 < D(t, -f(-t), 0)", lambda g: g.pos([f"@{pos}"])))

        g.cases(g.fact("trichotomy", "f'(0)", 0), falling, lambda g: g.close_by(next(reversed(g.seq.hyps))), rising)

    slope = g.have("f'(0) = 0", flat)

    def bend(g: Goal) -> None:
        neg = g.contra()
        descent = g.split(g.lemma("eftekhari2022.assertion-strict-saddle-escape", "statement"))[0]
        low, falls = g.obtain(g.apply(descent, "f", by=[using(slope), using(neg)]), "h")
        k, m = g.apply(falls, "h"), g.apply(least, "h")
        g.pos([f"@{k}"], [f"@{m}"])

    g.conj(using(slope), bend)


@part(
    STEP,
    "narrow",
    """all n x N l:Z, h:V(n), V:Z->M(n,x), G:Z->M(n,n). 1 <= l => l <= N - 1 => 0 <= n => h @ T(h) @ V(l) = V(l) =>
       (all k:Z. 2 <= k and k <= N - 1 => V(k) = G(k) @ V(k-1)) => rank(V(N-1)) <= 1""",
    says="products past a layer with one neuron have the rank one at most",
)
def products_past_one_neuron(g: Goal) -> None:
    """Induction from the layer on."""
    g.fix()
    low, high, size, line, steps = (g.assume() for _ in range(5))
    k = g.split(g.fact("rank_product", "n", 1, "x", "h", "T(h) @ V(l)"))[0]
    k = g.rewritten(k, g.have(("=", g.hyp_formula(k)[1][2], g.term("V(l)")), lambda g: g.nc((line, 1, None, None))))
    most = g.split(g.by_fact("rank_bounds", "n", 1, "h"))[2]

    def every(g: Goal) -> None:
        ih = g.induct("k")
        g.assume()

        def here(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            same = g.have("rank(V(k)) = rank(V(l))", lambda g: g.ctx(lambda g: g.ctx(lambda g: g.field((eq, -1)))))
            g.pos([f"@{k}"], [f"@{most}"], eqs=[(same, -1)])

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "l", "k", by=[using(next(reversed(g.seq.hyps)))])
            before = g.apply(ih, "k - 1")
            g.have("2 <= k", lambda g: g.nlin(products=1))
            g.rewrite(g.apply(steps, "k"))
            product = g.split(g.fact("rank_product", "n", "n", "x", "G(k)", "V(k-1)"))[1]
            g.pos([f"@{product}"], [f"@{before}"])

        g.less_or_equal("l <= k", more, here)

    h = g.have("all k:Z. l <= k => k <= N - 1 => rank(V(k)) <= 1", every)
    g.close_by(g.apply(h, "N - 1", by=[using(high), None]))


@holds(
    STEP,
    f"{STATED} ({LIMITS_EXIST}) and ({FAMILY} rank({LIMIT}) = 1 and {SECOND_ORDER})",
    argument="repaired",
    reason="for every start in the stable set, without an exceptional set: the limit minimizes the loss (Theorem 16)",
    reading=f"along every line of layers C + u S, L(l) + u H(l), F + u K the first derivative of the loss at u = 0 is 0 and the second is not negative; V(l,u) are the products of"
    f" the moved layers, and the directions stay within the widths (r = 1: some V(l,u) takes its values in a fixed line for all u, or d_x = 1 or d_y = 1). {NAMED}",
    context=CONTEXT,
    uses=[CLAIM, STEP],
)
def limit_is_second_order_stationary(g: Goal) -> None:
    """Moved layers have a product of rank one at most, so the loss along the line is least at 0."""
    g.fix()
    names = [g.assume() for _ in range(20)]
    exist, family = g.split(g.lemma(CLAIM, "statement", *TERMS, by=[using(k) for k in names]))
    deep = g.have("1 <= N - 1", lambda g: g.pos([f"@{names[0]}"]))
    for size, vector, unit in (("y", "uZ", names[12]), ("x", "vZ", names[13])):
        nonempty(g, size, vector, unit_trace(g, unit, vector))
        g.have(f"0 <= {size}")

    def second(g: Goal) -> None:
        g.fix()
        own = [g.assume() for _ in range(5)]
        start, products = own[3:]
        rank, _, best = g.split(g.apply(family, "C", "F", "L", "R", by=[using(k) for k in own]))

        def stationary(g: Goal) -> None:
            g.fix("S", "K", "H", "V")
            first, steps, narrow = g.assume(), g.assume(), g.assume()

            def unmoved(g: Goal) -> None:
                ih = g.induct("k")
                g.assume()

                def here(g: Goal) -> None:
                    one = g.have("k = 1", lambda g: g.field((next(reversed(g.seq.hyps)), -1)))
                    g.rewrite(one)
                    g.nc((g.apply(first, "0"), 1, None, None), (start, -1, None, None))

                def more(g: Goal) -> None:
                    g.by_fact("int_lt", "1", "k", by=[using(next(reversed(g.seq.hyps)))])
                    before = g.apply(ih, "k - 1")
                    g.have("2 <= k", lambda g: g.nlin(products=1))
                    moved, plain = g.apply(steps, "k", "0"), g.apply(products, "k")
                    g.nc((moved, 1, None, None), (plain, -1, None, None), (before, 1, "L(k)", None))

                g.less_or_equal("1 <= k", more, here)

            same = g.have("all k:Z. 1 <= k => k <= N - 1 => V(k,0) = R(k)", unmoved)
            same = g.apply(same, "N - 1", by=[using(deep), None])

            def low(g: Goal) -> None:
                g.fix("u")
                product = "(F + u*K) @ V(N-1,u)"
                one, two = g.split(g.fact("rank_product", "y", "n", "x", "F + u*K", "V(N-1,u)"))

                def columns(g: Goal) -> None:
                    eq = next(reversed(g.seq.hyps))
                    most = g.split(g.by_fact("rank_bounds", "y", "x", product))[2]
                    g.pos([f"@{most}"], eqs=[(eq, -1)])

                def rows(g: Goal) -> None:
                    eq = next(reversed(g.seq.hyps))
                    most = g.split(g.by_fact("rank_bounds", "y", "x", product))[1]
                    g.pos([f"@{most}"], eqs=[(eq, -1)])

                def neuron(g: Goal) -> None:
                    l_lo, l_hi, unit, line = g.obtain(next(reversed(g.seq.hyps)), "l", "h")
                    nonempty(g, "n", "h", unit_trace(g, unit, "h"))
                    at = g.apply(line, "u")

                    def step(g: Goal) -> None:
                        g.fix("k")
                        inside = g.assume()
                        g.close_by(g.apply(steps, "k", "u", by=[using(inside)]))

                    below = g.lemma(
                        STEP, "part:narrow", "n", "x", "N", "l", "h", "lam k:Z. V(k,u)", "lam k:Z. L(k) + u*H(k)",
                        by=[using(l_lo), using(l_hi), None, using(at), step],
                    )  # fmt: skip
                    g.pos([f"@{two}"], [f"@{below}"])

                rank = g.have(f"rank({product}) <= 1", lambda g: g.cases(narrow, columns, rows, neuron))
                k = g.apply(best, product, by=[using(rank)])
                back = g.have("(F + 0*K) @ V(N-1,0) = F @ R(N-1)", lambda g: g.nc((same, 1, "F", None)))
                g.replace("Y - (F + 0*K) @ V(N-1,0) @ X", f"Y - {LIMIT} @ X", lambda g: g.nc((back, -1, None, "X")))
                g.exact(k, by=[lambda g: g.field()])

            h = g.lemma(STEP, "part:least", f"lam u:R. {MOVED}", by=[low])
            g.close_by(h)

        g.conj(using(rank), stationary)

    g.conj(using(exist), second)
