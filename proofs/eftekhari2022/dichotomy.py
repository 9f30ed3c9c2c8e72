"""Appendix G: a solution of (106) is zero for all times or positive for all times."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

POWER = "(2 - 2/N)"
RATE = "(N*(1 + b)*(1 + h(t)^2))"


@holds(
    "eftekhari2022.cited-arora19-lemma-4",
    f"""all N:Z, b:R, s h:R~>R. 2 <= N => (all t:R. 0 <= t => 0 <= s(t) and s(t) <= b) =>
       (all t:R. 0 <= t => (0 < s(t) => s'(t) = -(N*s(t)^{POWER}*h(t))) and (s(t) = 0 => s'(t) = 0)) =>
       (all t:R. 0 <= t => s(t) = 0) or (all t:R. 0 <= t => 0 < s(t))""",
    argument="sound",
    reading="h(t) = u^T grad L_1 v along the flow; the power with exponent 2 - 2/N is 0 where s is 0; bounded means s <= b",
)
def solutions_vanish_always_or_never(g: Goal) -> None:
    """|s'| <= N (1 + b)(1 + h^2) s, and Gronwall from both sides."""
    depth, bounds, ode = g.intro(split=False)
    _, slope = g.obtain(g.by_fact("antiderivative", f"lam t:R. {RATE}"), "K")
    now = g.have("0 <= 0")
    first, cap = g.split(g.apply(bounds, "0", by=[using(now)]))
    g.have("0 <= b", lambda g: g.pos([f"@{first}"], [f"@{cap}"]))

    def estimate(g: Goal, at: str) -> tuple[str, str, str]:
        """Adds -K' s <= s' <= K' s and K' = ... at the time c."""
        low, high = g.split(g.apply(bounds, "c", by=[using(at)]))
        positive, null = g.split(g.apply(ode, "c", by=[using(at)]))
        rate = g.apply(slope, "c", by=[using(at)])
        k = RATE.replace("(t)", "(c)")

        def both(g: Goal) -> None:
            g.cases(g.by_fact("lt_or_eq", 0, "s(c)", by=[using(low)]), general, still)

        def still(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            flat = g.apply(null, by=[lambda g: g.field((eq, -1))])
            g.conj(
                lambda g: g.pos(eqs=[(flat, 1), (eq, f"-{k}")]),
                lambda g: g.pos(eqs=[(flat, -1), (eq, f"-{k}")]),
            )

        def general(g: Goal) -> None:
            above = next(reversed(g.seq.hyps))
            value = g.apply(positive, by=[using(above)])
            g.have("1 <= N")
            g.have("0 <= 1 - 2/N", lambda g: g.pos([f"@{depth}"], mul=["N"]))
            g.have("1 - 2/N <= 1", lambda g: g.pos(["2"], mul=["N"]))
            order = g.fact("total", "s(c)", 1)

            def low_case(g: Goal) -> None:
                h = g.by_fact("pow_base_mono", "s(c)", 1, "1 - 2/N")
                unit = g.have("1^(1 - 2/N) = 1", lambda g: g.field())
                g.pos([f"@{h}"], ["s(c)"], eqs=[(unit, 1)])

            def high_case(g: Goal) -> None:
                h = g.by_fact("pow_exp_mono", "s(c)", "1 - 2/N", 1)
                same = g.have("s(c)^1 = s(c)", lambda g: g.field())
                g.pos([f"@{h}"], ["1"], eqs=[(same, 1)])

            mild = g.have("s(c)^(1 - 2/N) <= 1 + s(c)", lambda g: g.cases(order, low_case, high_case))
            split = g.have(f"s(c)^{POWER} = s(c)*s(c)^(1 - 2/N)", lambda g: g.field())
            power = g.have(
                f"s(c)^{POWER} <= s(c)*(1 + b)", lambda g: g.pos(["s(c)", f"@{mild}"], ["s(c)", f"@{high}"], eqs=[(split, -1)])
            )
            g.have(f"0 < s(c)^{POWER}")
            p = f"s(c)^{POWER}"
            g.conj(
                lambda g: g.pos(["N", f"@{power}", "1 + h(c)^2"], ["N", p, "3/4"], ["N", p, "(h(c) - 1/2)^2"], eqs=[(value, 1)]),
                lambda g: g.pos(["N", f"@{power}", "1 + h(c)^2"], ["N", p, "3/4"], ["N", p, "(h(c) + 1/2)^2"], eqs=[(value, -1)]),
            )

        h = g.have(f"-({k}*s(c)) <= s'(c) and s'(c) <= {k}*s(c)", both)
        below, above = g.split(h)
        return below, above, rate

    def upper(g: Goal) -> None:
        g.fix("c")
        at = g.assume()
        _, above, rate = estimate(g, at)
        g.pos([f"@{above}"], eqs=[(rate, "s(c)")])

    def lower(g: Goal) -> None:
        g.fix("c")
        at = g.assume()
        below, _, rate = estimate(g, at)
        g.pos([f"@{below}"], eqs=[(rate, "s(c)")])

    high = g.by_fact("gronwall", 0, "lam t:R. s(t)", "lam t:R. K(t)", by=[None, upper])
    low = g.by_fact("gronwall", 0, "lam t:R. -s(t)", "lam t:R. -K(t)", by=[None, lower])

    def never(g: Goal) -> None:
        start = next(reversed(g.seq.hyps))
        g.left_or_right(1)
        g.fix("t")
        at = g.assume()
        k = g.apply(low, "t", by=[using(at)])
        factor = g.hyp_formula(k)[2]
        e = factor[-1]
        g.have(("<", 0, e))
        g.pos([f"@{k}"], [f"@{start}", e])

    def always(g: Goal) -> None:
        start = next(reversed(g.seq.hyps))
        g.left_or_right(0)
        g.fix("t")
        at = g.assume()
        k = g.apply(high, "t", by=[using(at)])
        nonneg, _ = g.split(g.apply(bounds, "t", by=[using(at)]))
        e = g.hyp_formula(k)[2][-1]
        g.antisym(lambda g: g.pos([f"@{k}"], eqs=[(start, e)]), using(nonneg))

    g.cases(g.by_fact("lt_or_eq", 0, "s(0)", by=[using(first)]), never, always)
