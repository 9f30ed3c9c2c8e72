"""Lemma 5: a smooth singular value of any sign keeps its sign along the flow."""

from __future__ import annotations

from proofs.razin2020.factorisation import BALANCED, FLOW, factors
from proofs.razin2020.scripts import only, using
from proofs.razin2020.singular_value_flow import PAIRING, TRIPLE
from verify.kernel import Goal
from verify.registry import part

CLAIM = "razin2020.lemma-5-decomposition"
NONNEGATIVE = "(all t:R. 0 <= t => 0 <= {})"


@part(
    CLAIM,
    "square-of-solution",
    """all L:Z, s g:R~>R. 2 <= L => (all t m:R. 0 <= t => 0 <= m => m^L = s(t)^2 => s'(t) = m^(L-1)*g(t)) =>
       (0 < s(0) => all t:R. 0 <= t => s(t) != 0) and (s(0) = 0 => all t:R. 0 <= t => s(t) = 0)""",
    says="a solution of s' = |s|^(2 - 2/L) g of any sign vanishes always or never",
)
def vanishing_always_or_never(g: Goal) -> None:
    """|2 s s'| <= s^2 (1 + (1 + s^2) g^2), as m^(2L-2) = m^L m^(L-2) <= s^2 (1 + s^2); Gronwall's inequality for s^2 from both
    sides."""
    g.fix()
    large = g.assume("large")
    rate = g.assume("rate")
    bound = "(1 + (1 + s(t)^2)*g(t)^2)"
    _, speed = g.obtain(g.by_fact("antiderivative", f"lam t:R. {bound}", by=[None]), "M")
    g.have("0 < L")

    def root(g: Goal) -> None:
        def positive(g: Goal) -> None:
            g.witness("(s(t)^2)^(1/L)")
            g.have("0 < s(t)^2", Goal.condition)
            up = g.by_fact("pow_pow", "s(t)^2", "1/L", "L")
            g.conj(None, lambda g: g.field((up, 1)))

        def zero(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            g.witness("0")
            z = g.by_fact("ipow_zero", "L")
            g.conj(None, lambda g: g.field((z, 1), (h, "-s(t)")))

        g.fix("t")
        g.em("s(t) = 0", zero, positive)

    roots = g.have("all t:R. ex m:R. 0 <= m and m^L = s(t)^2", root)

    def bounded(g: Goal) -> None:
        g.fix("t")
        g.assume()
        low, power = g.obtain(g.apply(roots, "t"), "m")
        v = g.apply(rate, "t", "m")
        k = g.apply(speed, "t")
        split = g.by_fact("ipow_add", "m", "L", "L - 2")
        square = g.by_fact("ipow_add", "m", "L - 1", "L - 1")
        same = g.have("m^(L-1)*m^(L-1) = m^L*m^(L-2)", lambda g: powers(g, square, split))
        low_power = g.by_fact("ipow_nonneg", "m", "L - 2", by=[using(low), None])

        def small(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            p = g.by_fact("ipow_mono", "m", "1", "L - 2", by=[using(low), using(h), None])
            g.pos([f"@{p}"], ["s(t)^2"], eqs=[(one_power(g), -1)])

        def one_power(g: Goal) -> str:
            return g.have("1^(L-2) = 1", lambda g: g.field())

        def big(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            one = g.have("1 <= m", lambda g: g.pos([f"@{h}"]))
            p = g.by_fact("pow_exp_mono", "m", "L - 2", "L", by=[using(one), None])
            g.pos([f"@{p}"], ["1"], eqs=[(power, -1)])

        top = g.have("m^(L-2) <= 1 + s(t)^2", lambda g: g.em("m <= 1", small, big))
        only(g, top, same, v, k, power, low_power)
        # m^(2L-2) g^2 = s^2 m^(L-2) g^2 <= s^2 (1 + s^2) g^2
        two = "m^(L-1)"
        up = [f"@{top}", "s(t)^2", "g(t)^2"]
        g.conj(
            lambda g: g.pos(
                [f"(s(t) - {two}*g(t))^2"],
                up,
                eqs=[(v, "-2*s(t)"), (k, "s(t)^2"), (same, "-g(t)^2"), (power, "-g(t)^2*m^(L-2)")],
            ),
            lambda g: g.pos(
                [f"(s(t) + {two}*g(t))^2"],
                up,
                eqs=[(v, "2*s(t)"), (k, "s(t)^2"), (same, "-g(t)^2"), (power, "-g(t)^2*m^(L-2)")],
            ),
        )

    both = g.have("all t:R. 0 <= t => 2*s(t)*s'(t) <= M'(t)*s(t)^2 and -(M'(t)*s(t)^2) <= 2*s(t)*s'(t)", bounded)

    def gronwall(g: Goal, e: str, k: str, i: int) -> str:
        def slower(g: Goal) -> None:
            g.fix("t")
            g.assume()
            h = g.split(g.apply(both, "t"))[i]
            g.pos([f"@{h}"])

        return g.by_fact("gronwall", 0, e, k, by=[None, slower])

    above = gronwall(g, "lam t:R. s(t)^2", "lam t:R. M(t)", 0)
    below = gronwall(g, "lam t:R. -s(t)^2", "lam t:R. -M(t)", 1)

    def never(g: Goal) -> None:
        h = g.assume()
        g.fix("t")
        g.assume()
        k = g.apply(below, "t")
        zero = g.contra()
        g.pos([f"@{k}"], [f"@{h}", f"@{h}", "exp(-M(t) + M(0))"], eqs=[(zero, "-s(t)")])

    def always(g: Goal) -> None:
        h = g.assume()
        g.fix("t")
        g.assume()
        k = g.apply(above, "t")
        low = g.have("s(t)^2 <= 0", lambda g: g.pos([f"@{k}"], eqs=[(h, "-s(0)*exp(M(t) - M(0))")]))
        zero = g.have("s(t)^2 = 0", lambda g: g.antisym(using(low), None))
        g.close_by(g.by_fact("square_zero", "s(t)", by=[using(zero)]))

    del large
    g.conj(never, always)


def powers(g: Goal, square: str, split: str) -> None:
    """m^(L-1) m^(L-1) = m^L m^(L-2)."""
    e = g.have("m^((L - 1) + (L - 1)) = m^(L + (L - 2))", lambda g: g.ctx(lambda g: g.field()))
    g.field((square, -1), (split, 1), (e, 1))


@part(
    CLAIM,
    "sign",
    f"""all {factors("r", "c")}, s:(Z,R)~>R, u:(Z,R)~>V(r), v:(Z,R)~>V(c), i:Z. {FLOW} {BALANCED} {TRIPLE}
       0 <= s(i,0) => {NONNEGATIVE.format("s(i,t)")}""",
    says="a smooth singular value does not change its sign",
    uses=["razin2020.eq-27"],
)
def singular_values_keep_their_sign(g: Goal) -> None:
    """By (27) it vanishes always or never; by the intermediate value theorem a function without zeros keeps its sign."""
    hyps = g.intro()
    rate = g.lemma("razin2020.eq-27", "part:signed", "r", "c", "n", "L", *"ABWPQGXCsuv", "i", by=[using(h) for h in hyps[:11]])
    start, low = hyps[11], hyps[12]

    def equation(g: Goal) -> None:
        g.fix("x", "m")
        a, b, c = g.assume(), g.assume(), g.assume()
        k = g.apply(rate, "x", "m", by=[using(a), using(b), using(c)])
        g.field((k, 1))

    never, always = g.split(
        g.lemma(CLAIM, "part:square-of-solution", "L", "lam t:R. s(i,t)", f"lam t:R. -L*{PAIRING}", by=[None, equation])
    )

    def positive(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        free = g.apply(never, by=[using(h)])
        below = g.contra()
        exit_ = g.by_fact("first_exit", 0, "t", "lam t:R. s(i,t)", by=[None, None, using(h), lambda g: g.pos([f"@{below}"])])
        _, _, zero, _ = g.obtain(exit_, "e")
        k = g.apply(free, "e")
        g.clash(zero, k)

    def vanishing(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        z = g.have("s(i,0) = 0", lambda g: g.field((eq, -1)))
        k = g.apply(g.apply(always, by=[using(z)]), "t")
        g.pos(eqs=[(k, 1)])

    del low
    g.cases(g.by_fact("lt_or_eq", 0, "s(i,0)", by=[using(start)]), positive, vanishing)
