"""Appendix E.2, the cold start: from a small start the first of the four functions grows until its square is w*."""

from __future__ import annotations

from proofs.shin2025.cold_start_reduction import CLAIM, F, G, at, enter, known, reduced
from proofs.shin2025.decoupled_factors import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

INSIDE = "(all t:R. 0 <= t and t < c => 0 < u(t) and u(t) < h)"


@part(
    CLAIM,
    "growth",
    reduced(
        f"""all h c:R. 0 < h => h^2 = w => 0 <= c => {INSIDE} => all t:R. 0 <= t => t <= c =>
        a <= x(t) and x(t) <= u(t) and a + 9*w*a*t <= u(t) and y(t)^2 <= a*u(t)"""
    ),
    says="While 0 < u^2 < w*, u grows, x lies between its start and u, and y^2/u decreases.",
)
def growth_of_the_leading_part(g: Goal) -> None:
    """The residual of w12 is at most -9 w*, so u^2 - x^2 grows and (y/u)^2 decreases; hence the residual of w11 lies between -w* and 0,
    and x and u grow, the latter at a rate of at least 9 w*; then y^2/u decreases too."""
    enter(g)
    g.fix("h", "c")
    for name in ("hpos", "square", "cpos", "inside"):
        g.assume(name)
    cons = known(g, "conserved")
    span = "0 <= t and t < c"

    def residual(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        low, high = g.split(g.apply("inside", "t", by=[lambda g: g.close_by(now)]))
        g.pos(["1/2", f"@{high}", "h + u(t)"], ["1/2", "z(t)^2"], ["@ratio"], ["w/2"], eqs=[("square", "-1/2")])
        del low

    gap = g.have(f"all t:R. {span} => {G} <= -9*w", residual)

    def squares(g: Goal) -> None:
        g.fix("e")
        g.assume()
        g.assume()

        def up(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            k = g.apply(gap, "t")
            g.pos(["2", f"@{k}", "u(t)^2"], ["18*w", "u(t)^2"], rw=at(g, "t"))

        m = g.by_fact("mean_value_le", 0, "e", "lam t:R. u(t)^2 - x(t)^2", by=[None, up, None])
        g.pos([f"@{m}"], eqs=[("u0", "u(0) + a"), ("x0", "-(x(0) + a)")])

    square_order = g.have("all e:R. 0 <= e => e <= c => x(e)^2 <= u(e)^2", squares)

    def quotients(g: Goal) -> None:
        g.fix("e")
        g.split(g.assume())

        def smooth(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            g.split(g.apply("inside", "t"))
            g.condition()

        def up(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            k = g.apply(gap, "t")
            g.split(g.apply("inside", "t"))
            c = g.apply(cons, "t")
            ratio = "y(t)^2/u(t)^2"
            g.pos(["2", f"@{k}", ratio], ["18*w", ratio], rw=at(g, "t"), eqs=[(c, f"2*{F}*y(t)/u(t)^3")])

        m = g.by_fact("mean_value_le", 0, "e", "lam t:R. -(y(t)^2/u(t)^2)", by=[smooth, up, None])
        g.split(g.apply("inside", "e"))
        start = g.have("y(0)^2/u(0)^2 = b^2/a^2", lambda g: (g.rewrite("y0"), g.rewrite("u0"), g.refl())[-1])
        low = g.have("b^2/a^2 <= 1", lambda g: g.pos(["@order", "a + b"], mul=["a^2"]))
        g.pos([f"@{m}", "u(e)^2"], [f"@{low}", "u(e)^2"], eqs=[(start, "-u(e)^2")])

    quotient = g.have("all e:R. 0 <= e and e < c => y(e)^2 <= u(e)^2", quotients)

    def below(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        low, high = g.split(g.apply("inside", "t", by=[lambda g: g.close_by(now)]))
        g.split(now)
        s = g.apply(square_order, "t")
        n = g.contra()
        g.pos([f"@{s}"], [f"@{n}", "x(t) + u(t)"])
        del low, high

    order = g.have(f"all t:R. {span} => x(t) <= u(t)", below)

    def negative(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        low, high = g.split(g.apply("inside", "t", by=[lambda g: g.close_by(now)]))
        o = g.apply(order, "t", by=[lambda g: g.close_by(now)])
        q = g.apply(quotient, "t", by=[lambda g: g.close_by(now)])
        g.split(now)
        c = g.apply(cons, "t")
        g.pos(
            ["1/2", f"@{o}", "u(t)^2 + y(t)^2"],
            ["u(t)", f"@{high}", "h + u(t)"],
            ["u(t)", "1/2", f"@{q}"],
            mul=["u(t)"],
            eqs=[("square", "-u(t)"), (c, "-y(t)/2")],
        )
        del low

    sign = g.have(f"all t:R. {span} => {F} <= 0", negative)

    def rises(function: str, start: str, slope: Script) -> Script:
        """A function of t is at e at least what it is at 0 (`start`), as its slope is nonnegative where 0 < u < h."""

        def up(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            g.split(g.apply("inside", "t"))
            slope(g)

        def script(g: Goal) -> None:
            g.fix("e")
            g.assume()
            g.assume()
            m = g.by_fact("mean_value_le", 0, "e", f"lam t:R. {function}", by=[None, up, None])
            g.pos([f"@{m}"], eqs=[(start, 1)])

        return script

    def second(g: Goal) -> None:
        g.pos([f"@{g.apply(sign, 't')}", "u(t)"], rw=at(g, "t"))

    xs = g.have("all e:R. 0 <= e => e <= c => a <= x(e)", rises("x(t)", "x0", second))

    def first(g: Goal) -> None:
        k, n, s = (g.apply(h, "t") for h in (sign, gap, xs))
        g.pos([f"@{k}", f"@{s}"], [f"@{k}", "a"], [f"@{n}", "u(t)"], ["9*w", "u(t)"], rw=at(g, "t"))

    us = g.have("all e:R. 0 <= e => e <= c => a <= u(e)", rises("u(t)", "u0", first))

    def fast(g: Goal) -> None:
        k, n, s, r = (g.apply(h, "t") for h in (sign, gap, xs, us))
        g.pos([f"@{k}", f"@{s}"], [f"@{k}", "a"], [f"@{n}", "u(t)"], ["9*w", f"@{r}"], rw=at(g, "t"))

    grows = g.have("all e:R. 0 <= e => e <= c => a + 9*w*a*e <= u(e)", rises("u(t) - 9*w*a*t", "u0", fast))

    def floor(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        g.split(g.apply("inside", "t", by=[lambda g: g.close_by(now)]))
        g.split(now)
        s, c = g.apply(xs, "t"), g.apply(cons, "t")
        square = "1/2*(u(t)^2 + y(t)^2)"
        g.pos([f"@{s}", square], ["a", square], mul=["u(t)"], eqs=[(c, "y(t)/2")])

    least = g.have(f"all t:R. {span} => -w <= {F}", floor)

    def small(g: Goal) -> None:
        g.fix("e")
        g.assume()
        g.assume()

        def smooth(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            r = g.apply(us, "t")
            g.have("0 < u(t)", lambda g: g.pos(["a"], [f"@{r}"]))
            g.condition()

        def up(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            n, k, o = g.apply(gap, "t"), g.apply(least, "t"), g.apply(order, "t")
            s = g.apply(xs, "t")
            g.split(g.apply("inside", "t"))
            c = g.apply(cons, "t")
            q = "y(t)^2/u(t)^2"
            g.pos(
                [q, f"@{k}", f"@{s}"],
                [q, f"@{k}", "a"],
                [q, "w", f"@{o}"],
                [q, f"@{n}", "u(t)"],
                [q, "8*w", "u(t)"],
                rw=at(g, "t"),
                eqs=[(c, f"2*{F}*y(t)/u(t)^2")],
            )

        m = g.by_fact("mean_value_le", 0, "e", "lam t:R. -(y(t)^2/u(t))", by=[smooth, up, None])
        r = g.apply(us, "e")
        g.have("0 < u(e)", lambda g: g.pos(["a"], [f"@{r}"]))
        start = g.have("y(0)^2/u(0) = b^2/a", lambda g: (g.rewrite("y0"), g.rewrite("u0"), g.refl())[-1])
        low = g.have("b^2/a <= a", lambda g: g.pos(["@order", "a + b"], mul=["a"]))
        g.pos([f"@{m}", "u(e)"], [f"@{low}", "u(e)"], eqs=[(start, "-u(e)")])

    tiny = g.have("all e:R. 0 <= e => e <= c => y(e)^2 <= a*u(e)", small)
    g.fix("t")
    g.assume()
    g.assume()

    def at_most(g: Goal) -> None:
        s = g.apply(square_order, "t")
        r = g.apply(us, "t")
        g.have("0 < u(t)", lambda g: g.pos(["a"], [f"@{r}"]))
        n = g.contra()
        g.pos([f"@{s}"], [f"@{n}", "x(t) + u(t)"])

    g.conj(
        lambda g: g.close_by(g.apply(xs, "t")),
        at_most,
        lambda g: g.close_by(g.apply(grows, "t")),
        lambda g: g.close_by(g.apply(tiny, "t")),
    )


@part(
    CLAIM,
    "arrival",
    reduced(
        """all h:R. 0 < h => h^2 = w => a < h => ex c:R. 0 <= c and u(c) = h and a <= x(c) and x(c) <= h and y(c)^2 <= a*h"""
    ),
    says="u^2 reaches w* while y^2 is at most the scale of the start times u.",
)
def the_leading_part_arrives(g: Goal) -> None:
    """If u stayed below, it would exceed every bound; so there is a first time at which u (h - u) vanishes."""
    enter(g)
    g.fix("h")
    for name in ("hpos", "square", "small"):
        g.assume(name)

    def between(g: Goal, t: str, positive: str) -> str:
        """Adds 0 < u(t) and u(t) < h from 0 < u(t)*(h - u(t))."""

        def low(g: Goal) -> None:
            n = g.contra()
            g.pos([f"@{positive}"], [f"@{n}", "h"], [f"u({t})^2"])

        def high(g: Goal) -> None:
            n = g.contra()
            g.pos([f"@{positive}"], [f"@{n}", f"u({t})"])

        def both(g: Goal) -> None:
            one = g.have(f"0 < u({t})", low)
            two = g.have(f"u({t}) < h", high)
            g.conj(lambda g: g.close_by(one), lambda g: g.close_by(two))

        return g.have(f"0 < u({t}) and u({t}) < h", both)

    def grown(g: Goal, c: str, before: str) -> str:
        """The part `growth` up to c, for which `before` says that 0 < u (h - u) before c."""

        def inside(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            k = g.apply(before, "t")
            g.close_by(between(g, "t", k))

        k = known(g, "growth", "h", c, by=[None, None, None, inside])
        return g.apply(k, c)

    end = "h/(9*w*a)"

    def never(g: Goal) -> None:
        always = last(g)
        g.have(f"0 <= {end}", lambda g: g.pos(["h/(9*w*a)"]))

        def earlier(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            g.close_by(g.apply(always, "t"))

        before = g.have(f"all t:R. 0 <= t and t < {end} => 0 < u(t)*(h - u(t))", earlier)
        k = g.split(grown(g, end, before))
        stop = g.split(between(g, end, g.apply(always, end)))
        g.contra()
        g.pos([f"@{k[2]}"], [f"@{stop[1]}"], ["a"])

    def once(g: Goal) -> None:
        some = last(g)
        times = g.obtain(g.have(f"ex t:R. (0 <= t and t <= {end}) and u(t)*(h - u(t)) <= 0", lambda g: found(g, some)), "e")
        first = g.by_fact(
            "first_exit",
            0,
            "e",
            "lam t:R. u(t)*(h - u(t))",
            by=[None, None, lambda g: (g.rewrite("u0"), g.pos(["a", "@small"]))[-1], lambda g: g.close_by(times[-1])],
        )
        c = g.obtain(first, "c")
        g.have("0 <= c", lambda g: g.pos([f"@{c[0]}"]))

        def earlier(g: Goal) -> None:
            g.fix("t")
            g.split(g.assume())
            g.close_by(g.apply(c[3], "t"))

        before = g.have("all t:R. 0 <= t and t < c => 0 < u(t)*(h - u(t))", earlier)
        k = g.split(grown(g, "c", before))
        pos = g.have("0 < u(c)", lambda g: g.pos([f"@{k[2]}"], ["a"], ["9*w*a*c"]))

        def zero(g: Goal) -> None:
            eq = last(g)
            g.contra()
            g.pos([f"@{pos}"], eqs=[(eq, -1)])

        value = g.have(
            "u(c) = h",
            lambda g: g.cases(
                g.by_fact("product_zero", "u(c)", "h - u(c)", by=[lambda g: g.close_by(c[2])]),
                zero,
                lambda g: g.field((last(g), -1)),
            ),
        )
        g.witness("c")
        g.conj(
            None,
            lambda g: g.close_by(value),
            lambda g: g.close_by(k[0]),
            lambda g: g.pos([f"@{k[1]}"], eqs=[(value, -1)]),
            lambda g: g.pos([f"@{k[3]}"], eqs=[(value, "-a")]),
        )

    def found(g: Goal, some: str) -> None:
        (t,) = g.obtain(some, "t", split=False)
        both = g.split(t)
        g.witness("t")
        g.conj(lambda g: g.close_by(both[0]), lambda g: g.close_by(both[1]))

    g.em(f"all t:R. 0 <= t and t <= {end} => 0 < u(t)*(h - u(t))", never, once)
