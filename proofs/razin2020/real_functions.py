"""Lemmas 14 to 16: functions of time with bounds of their derivatives."""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

SMOOTH = "for infinitely differentiable functions (the flows of the paper are), which extend to negative times; printed for continuously differentiable ones"


@holds(
    "razin2020.lemma-14",
    """all g:R~>R, t a:R. 0 < t =>
       (g(t) < g(0) => g(t) < a => a <= g(0) => ex u:R. 0 <= u and u < t and g(u) = a and g'(u) <= 0) and
       (g(0) < g(t) => g(0) <= a => a < g(t) => ex u:R. 0 <= u and u < t and g(u) = a and 0 <= g'(u))""",
    argument="sound",
    covers="instances",
    because=SMOOTH,
)
def crossing_with_a_signed_derivative(g: Goal) -> None:
    """The last crossing; a derivative of the other sign there would lead beyond the level again."""
    g.fix()
    positive = g.assume()

    def side(g: Goal, sign: str) -> None:
        _, beyond, level = g.assume(), g.assume(), g.assume()
        if sign == "-":
            beyond, level = beyond, level
        else:
            beyond, level = level, beyond
        # e(u) = a - g(u) for the first part, g(u) - a for the second; e(0) <= 0 < e(t)
        e = "a - g({0})" if sign == "-" else "g({0}) - a"
        k = g.by_fact(
            "last_entry",
            0,
            "t",
            f"lam u:R. {e.format('u')}",
            by=[None, lambda g: g.pos([f"@{positive}"]), lambda g: g.pos([f"@{level}"]), lambda g: g.pos([f"@{beyond}"])],
        )
        low, high, zero, after = g.obtain(k, "c")
        g.witness("c")

        def slope(g: Goal) -> None:
            wrong = g.contra()
            f = f"lam u:R. -({e.format('u')})"
            rising = g.have(
                f"0 < D(s, -({e.format('s')}), c)",
                lambda g: g.pos([f"@{wrong}"]),
            )
            r, grows = g.obtain(g.by_fact("derivative_sign_right", "c", f, by=[None, using(rising)]), "h")
            s = "min(c + h, t)"
            inside = g.have(f"c < {s} and {s} <= c + h and {s} <= t", lambda g: smaller(g, r, high))
            x, y, z = g.split(inside)
            p = g.apply(grows, s, by=[lambda g: g.conj(using(x), using(y))])
            q = g.apply(after, s, by=[lambda g: g.conj(using(x), using(z))])
            only(g, p, q, zero)
            g.pos([f"@{p}"], [f"@{q}"], eqs=[(zero, -1)])

        g.conj(using(low), using(high), lambda g: g.field((zero, -1 if sign == "-" else 1)), slope)

    g.conj(lambda g: side(g, "-"), lambda g: side(g, "+"))


def smaller(g: Goal, r: str, high: str) -> None:
    """c < min(c + h, t), which is at most both."""
    only(g, r, high)

    def case(g: Goal) -> None:
        g.split(next(reversed(g.seq.hyps)))
        g.conj(*[lambda g: g.nlin(products=1)] * 3)

    g.cases(g.fact("min_cases", "c + h", "t"), case, case)


@part(
    "razin2020.lemma-15",
    "increase",
    """all g:R~>R, b:R. (all t:R. 0 <= t => g'(t) <= b) => all s t:R. 0 <= s => s <= t => g(t) - g(s) <= b*(t - s)""",
    says="a bound of the derivative bounds the increase",
)
def increase_is_bounded(g: Goal) -> None:
    """b u - g(u) does not decrease."""
    g.fix()
    bound = g.assume()
    g.fix("s", "t")
    low, order = g.assume(), g.assume()

    def rises(g: Goal) -> None:
        g.fix("u")
        a, b = g.split(g.assume())
        k = g.apply(bound, "u", by=[lambda g: g.pos([f"@{a}"], [f"@{low}"])])
        g.pos([f"@{k}"])
        del b

    m = g.by_fact("mean_value_le", "s", "t", "lam u:R. b*u - g(u)", by=[None, rises, using(order)])
    g.pos([f"@{m}"])


@holds(
    "razin2020.lemma-15-step-interval",
    """all g G:R~>R, b e s t:R. 0 < b => 0 < e => 0 <= s => s <= t => (all u:R. 0 <= u => G'(u) = g(u)) => (all u:R. 0 <= u => g'(u) <= b) =>
       g(s) = e/2 => g(t) = e => (all u:R. s <= u and u <= t => e/2 <= g(u)) =>
       e/(2*b) <= t - s and e^2/(4*b) <= G(t) - G(s)""",
    uses=["razin2020.lemma-15"],
    argument="sound",
    covers="instances",
    because=SMOOTH,
    reading="G is an antiderivative of g, G(t) - G(s) its integral over [s, t]",
)
def length_and_mass_of_a_transition(g: Goal) -> None:
    """e/2 = g(t) - g(s) <= b (t - s); the integrand is at least e/2."""
    b, e, low, order, integral, slope, start, end, above = g.intro()
    k = g.lemma("razin2020.lemma-15", "part:increase", "g", "b", by=[using(slope)])
    k = g.apply(k, "s", "t", by=[using(low), using(order)])
    length = g.have(
        "e/(2*b) <= t - s", lambda g: (only(g, b, k, start, end), g.pos([f"@{k}"], mul=["b"], eqs=[(end, 1), (start, -1)]))[-1]
    )
    m = mass(g, "s", "t", low, order, integral, above)
    only(g, b, e, length, m)
    g.conj(using(length), lambda g: g.pos([f"@{m}"], [f"@{length}", "e/2"]))


def mass(g: Goal, s: str, t: str, low: str, order: str, integral: str, above: str) -> str:
    """e/2 (t - s) <= G(t) - G(s) where g >= e/2 between s and t."""

    def prove(g: Goal) -> None:
        def rises(g: Goal) -> None:
            (w,) = g.fix("w")
            x, y = g.split(g.assume())
            k = g.apply(above, w, by=[lambda g: g.conj(lambda g: g.pos([f"@{x}"]), lambda g: g.pos([f"@{y}"]))])
            i = g.apply(integral, w, by=[lambda g: g.pos([f"@{x}"], [f"@{low}"])])
            only(g, k, i)
            g.pos([f"@{k}"], rw=[i])

        m = g.by_fact("mean_value_le", s, t, "lam u:R. G(u) - e/2*u", by=[None, rises, using(order)])
        only(g, m)
        g.pos([f"@{m}"])

    return g.have(f"e/2*({t} - ({s})) <= G({t}) - G({s})", prove)


@holds(
    "razin2020.lemma-15",
    """all g G:R~>R, a b:R. 0 < a => 0 < b => (all t:R. 0 <= t => 0 <= g(t)) => G(0) = 0 => (all t:R. 0 <= t => G'(t) = g(t)) =>
       (all t:R. 0 <= t => G(t) <= a) => (all t:R. 0 <= t => g'(t) <= b) => tends(t, g(t), 0)""",
    uses=["razin2020.lemma-15"],
    argument="sound",
    covers="instances",
    because=SMOOTH,
    reading="G(t) is the integral of g over [0, t]",
)
def bounded_integral_and_slope_force_convergence(g: Goal) -> None:
    """G converges; where g(t) >= e it stays above e/2 for the time e/(2b) before, which adds e^2/(4b) to G: not for late t."""
    g.fix()
    a, b, nonneg, start, integral, top, slope = (g.assume() for _ in range(7))

    def rises(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        i, n = g.apply(integral, "t", by=[using(h)]), g.apply(nonneg, "t", by=[using(h)])
        only(g, i, n)
        g.pos([f"@{n}"], rw=[i])

    mono = g.by_fact("nondecreasing", 0, "lam t:R. G(t)", by=[None, rises])
    limit, _, below = g.obtain(g.by_fact("monotone_limit", 0, "a", "lam t:R. G(t)", by=[using(mono), using(top)]), "m")
    forth = g.split(g.fact("tends_epsilon", 0, "lam t:R. g(t)"))[1]
    increase = g.lemma("razin2020.lemma-15", "part:increase", "g", "b", by=[using(slope)])

    def near(g: Goal) -> None:
        g.fix("e")
        e = g.assume()
        k = g.by_fact(
            "tends_eventually_gt",
            "m",
            "m - e^2/(4*b)",
            "lam t:R. G(t)",
            by=[using(limit), lambda g: (only(g, b, e), g.pos(["e^2/(4*b)"]))[-1]],
        )
        (late,) = g.obtain(k, "u")
        g.witness("max(u, 0) + e/(2*b)")
        g.fix("t")
        h = g.assume()
        s = "(t - e/(2*b))"

        def times(g: Goal) -> None:
            only(g, h)

            def case(g: Goal) -> None:
                g.split(next(reversed(g.seq.hyps)))
                g.conj(*[lambda g: g.nlin(products=1)] * 2)

            g.cases(g.fact("max_cases", "u", 0), case, case)

        after, positive = g.split(g.have(f"u <= {s} and 0 <= {s}", times))
        gap = g.have("0 < e/(2*b)", lambda g: (only(g, b, e), g.auto())[-1])
        order = g.have(f"{s} <= t", lambda g: g.pos([f"@{gap}"]))
        now = g.have("0 <= t", lambda g: g.pos([f"@{positive}"], [f"@{gap}"]))
        n = g.apply(nonneg, "t", by=[using(now)])
        inner = g.concl[1]
        size = g.have(
            ("=", inner, g.term("g(t)")),
            lambda g: (only(g, n), g.have(("<=", 0, inner[1]), lambda g: g.pos([f"@{n}"])), g.field())[-1],
        )
        g.rewrite(size)
        wrong = g.contra()

        def above(g: Goal) -> None:
            g.fix("v")
            x, y = g.split(g.assume())
            k = g.apply(increase, "v", "t", by=[lambda g: g.pos([f"@{x}"], [f"@{positive}"]), using(y)])
            only(g, k, x, wrong, b)
            g.pos([f"@{k}"], [f"@{x}", "b"], [f"@{wrong}"])

        high = g.have(f"all v:R. {s} <= v and v <= t => e/2 <= g(v)", above)
        m = mass(g, s, "t", positive, order, integral, high)
        early = g.apply(late, s, by=[using(after)])
        last = g.apply(below, "t", by=[using(now)])
        only(g, m, early, last, b, e)
        g.pos([f"@{m}"], [f"@{early}"], [f"@{last}"])

    g.close_by(g.apply(forth, by=[near]))
    del a, start


@holds(
    "razin2020.lemma-16-step-superadditive",
    """all f:R->R, c:R. 1 < c => f(0) = 0 => (all x:R. 0 < x => f(x) = x^c) =>
       (all n:Z, x:Z->R. (all i:Z. 1 <= i and i <= n => 0 <= x(i)) => sum(i, 1, n, f(x(i))) <= f(sum(i, 1, n, x(i)))) and
       (all a b x:R. 0 < a => 0 < b => 0 <= x => a + b*f(x) <= (a^(1/c) + b^(1/c)*x)^c)""",
    argument="sound",
    reading="f(x) is the power x^c for x >= 0, with 0^c = 0",
)
def power_of_a_sum(g: Goal) -> None:
    """x^c = x x^(c-1) <= x (sum)^(c-1) for each term; summed."""
    c, zero, power = start(g)

    def sums(g: Goal) -> None:
        nonneg = g.intro()[0]
        (m,) = g.obtain(g.have("ex m:R. m = sum(i, 1, n, x(i))", lambda g: (g.witness("sum(i, 1, n, x(i))"), g.refl())[-1]), "m")
        low = g.by_fact("sum_nonneg", 1, "n", "lam i:Z. x(i)", by=[using(nonneg)])
        low = g.have("0 <= m", lambda g: (only(g, low, m), g.pos([f"@{low}"], eqs=[(m, 1)]))[-1])
        g.rewrite(m, back=True)

        def positive(g: Goal) -> None:
            p = next(reversed(g.seq.hyps))

            def term(g: Goal) -> None:
                g.fix("i")
                h = g.assume()
                x = g.apply(nonneg, "i", by=[using(h)])
                k = g.apply(g.by_fact("sum_term_le", 1, "n", "lam i:Z. x(i)", by=[using(nonneg)]), "i", by=[using(h)])
                k = g.have("x(i) <= m", lambda g: (only(g, k, m), g.pos([f"@{k}"], eqs=[(m, 1)]))[-1])
                only(g, c, zero, power, p, x, k)

                def inside(g: Goal) -> None:
                    s = next(reversed(g.seq.hyps))
                    v = g.apply(power, "x(i)", by=[using(s)])
                    n = g.by_fact("pow_base_mono", "x(i)", "m", "c - 1", by=[using(s), using(k), lambda g: g.pos([f"@{c}"])])
                    only(g, v, n, s, p)
                    g.pos([f"@{n}", "x(i)"], eqs=[(v, -1)])

                def at_zero(g: Goal) -> None:
                    s = next(reversed(g.seq.hyps))
                    v = g.have("f(x(i)) = f(0)", lambda g: g.ctx(lambda g: g.field((s, -1))))
                    only(g, v, zero, s, p)
                    g.pos(eqs=[(v, -1), (zero, -1), (s, "-m^(c - 1)")])

                g.cases(g.by_fact("lt_or_eq", 0, "x(i)", by=[using(x)]), inside, at_zero)

            each = g.by_fact("sum_mono", 1, "n", "lam i:Z. f(x(i))", "lam i:Z. x(i)*m^(c - 1)", by=[term])
            v = g.apply(power, "m", by=[using(p)])
            only(g, each, p, m, v)
            g.pos([f"@{each}"], eqs=[(v, 1), (m, "m^(c - 1)")])

        def vanishing(g: Goal) -> None:
            s = next(reversed(g.seq.hyps))
            total = g.have("sum(i, 1, n, x(i)) = 0", lambda g: g.field((m, -1), (s, -1)))
            none = g.by_fact("sum_zero_terms", 1, "n", "lam i:Z. x(i)", by=[using(nonneg), using(total)])

            def term(g: Goal) -> None:
                g.fix("i")
                h = g.assume()
                k = g.apply(none, "i", by=[using(h)])
                g.rewrite(k)
                g.close_by(zero)

            each = g.by_fact("sum_ext", 1, "n", "lam i:Z. f(x(i))", "lam i:Z. 0", by=[term])
            v = g.have("f(m) = f(0)", lambda g: g.ctx(lambda g: g.field((s, -1))))
            only(g, each, v, zero)
            g.pos(eqs=[(each, -1), (v, 1), (zero, 1)])

        g.cases(g.by_fact("lt_or_eq", 0, "m", by=[using(low)]), positive, vanishing)

    def two(g: Goal) -> None:
        a, b, x0 = g.intro()
        x = "a^(1/c)"
        s = f"({x} + b^(1/c)*x)"

        def inside(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            value = g.apply(power, "x", by=[using(h)])
            k = g.have(f"a + b*x^c <= {s}^c", lambda g: two_terms(g, c, a, b, h, "x"))
            only(g, k, value)
            g.pos([f"@{k}"], eqs=[(value, "-b")])

        def at_zero(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            positive = g.have("0 < c", lambda g: (only(g, c), g.pos([f"@{c}"], [1]))[-1])
            i = g.by_fact("pow_pow", "a", "1/c", "c", by=[using(a)])
            v = g.have("f(x) = f(0)", lambda g: g.ctx(lambda g: g.field((h, -1))))
            t = g.have(f"{s}^c = (a^(1/c))^c", lambda g: g.ctx(lambda g: g.field((h, "-b^(1/c)"))))
            only(g, a, positive, i, v, t, zero)
            g.pos(eqs=[(v, "-b"), (zero, "-b"), (t, 1), (i, 1)])

        g.cases(g.by_fact("lt_or_eq", 0, "x", by=[using(x0)]), inside, at_zero)

    g.conj(sums, two)


def start(g: Goal) -> list[str]:
    """Fixes the variables and assumes the three hypotheses."""
    g.fix()
    return [g.assume() for _ in range(3)]


DECAY = """all g:R~>R, s t a b:R. 0 < s => s < t => 0 < a => 0 < b => (all u:R. s <= u and u < t => 0 < g(u)) =>"""


@holds(
    "razin2020.lemma-16-gamma-1",
    f"""{DECAY} (all u:R. s <= u and u <= t => abs(g'(u)) <= a + b*g(u)) => (a + b*g(s))/b*exp(-b*(t - s)) - a/b <= g(t)""",
    argument="sound",
    covers="instances",
    because=SMOOTH,
    reading="s = t_0, t = T",
)
def linear_decay_bound(g: Goal) -> None:
    """(a + b g) exp(b u) does not decrease, since g' >= -(a + b g)."""
    _, order, a, b, _, bound = g.intro()

    def rises(g: Goal) -> None:
        g.fix("u")
        x, y = g.split(g.assume())
        k = g.apply(bound, "u", by=[lambda g: g.conj(lambda g: g.pos([f"@{x}"]), lambda g: g.pos([f"@{y}"]))])
        k = g.split(g.apply(g.split(g.fact("abs_le", "g'(u)", "a + b*g(u)"))[0], by=[using(k)]))[0]
        only(g, k, b)
        g.pos([f"@{k}", "b", "exp(b*u)"])

    m = g.by_fact("mean_value_le", "s", "t", "lam u:R. (a + b*g(u))*exp(b*u)", by=[None, rises, lambda g: g.pos([f"@{order}"])])
    only(g, m, a, b)
    g.pos([f"@{m}", "exp(-b*t)"], mul=["b"])


@holds(
    "razin2020.lemma-16-gamma-gt-1",
    f"""{DECAY} all c:R. 1 < c => (all u:R. s <= u and u < t => abs(g'(u)) <= a + b*g(u)^c) =>
       1/(b^(1/c)*(b^(1/c)*(c - 1)*(t - s) + (a^(1/c) + b^(1/c)*g(s))^(1 - c))^(1/(c - 1))) - (a/b)^(1/c) <= g(t)""",
    argument="sound",
    covers="instances",
    because=SMOOTH,
    reading="s = t_0, t = T, c = gamma; the bound of the derivative is needed before T only",
)
def superlinear_decay_bound(g: Goal) -> None:
    """For u = a^(1/c) + b^(1/c) g: u' >= -b^(1/c) u^c, so u^(1-c) increases at most at the rate b^(1/c) (c - 1)."""
    _, order, a, b, positive, c, bound = g.intro()
    y, w = "a^(1/c)", "b^(1/c)"
    pc = g.have("0 < c", lambda g: (only(g, c), g.pos([f"@{c}"], [1]))[-1])
    py, pw = g.have(f"0 < {y}"), g.have(f"0 < {w}")

    def at_end(g: Goal) -> None:
        wrong = g.contra()
        start_ = g.apply(positive, "s", by=[lambda g: g.conj(Goal.refl, using(order))])
        k = g.by_fact(
            "first_exit",
            "s",
            "t",
            "lam u:R. g(u)",
            by=[None, lambda g: g.pos([f"@{order}"]), using(start_), lambda g: g.pos([f"@{wrong}"])],
        )
        x, z, zero, _ = g.obtain(k, "e")

        def before(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            p = g.apply(positive, "e", by=[lambda g: g.conj(lambda g: g.pos([f"@{x}"]), using(h))])
            only(g, p, zero)
            g.pos([f"@{p}"], eqs=[(zero, -1)])

        def same(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            v = g.have("g(e) = g(t)", lambda g: g.ctx(lambda g: g.field((h, 1))))
            only(g, v, zero, wrong)
            g.pos([f"@{wrong}"], eqs=[(v, -1), (zero, 1)])

        g.cases(g.by_fact("lt_or_eq", "e", "t", by=[using(z)]), before, same)

    end = g.have("0 <= g(t)", at_end)

    def weakly_positive(g: Goal) -> None:
        g.fix("u")
        x, z = g.split(g.assume())

        def inside(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            p = g.apply(positive, "u", by=[lambda g: g.conj(using(x), using(h))])
            g.pos([f"@{p}"])

        def last(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            v = g.have("g(u) = g(t)", lambda g: g.ctx(lambda g: g.field((h, 1))))
            only(g, v, end)
            g.pos([f"@{end}"], eqs=[(v, 1)])

        g.cases(g.by_fact("lt_or_eq", "u", "t", by=[using(z)]), inside, last)

    nonneg = g.have("all u:R. s <= u and u <= t => 0 <= g(u)", weakly_positive)
    form = f"({y} + {w}*g({{0}}))"

    def smooth(g: Goal) -> None:
        g.fix("u")
        h = g.assume()
        n = g.apply(nonneg, "u", by=[using(h)])
        only(g, n, py, pw)
        p = g.have(f"0 < {form.format('u')}", lambda g: g.pos([f"@{py}"], [f"@{pw}", f"@{n}"]))
        g.close_by(p)

    def rises(g: Goal) -> None:
        g.fix("u")
        x, z = g.split(g.assume())
        inside = [lambda g: g.conj(lambda g: g.pos([f"@{x}"]), using(z))]
        p = g.apply(positive, "u", by=inside)
        k = g.apply(bound, "u", by=inside)
        k = g.split(g.apply(g.split(g.fact("abs_le", "g'(u)", "a + b*g(u)^c"))[0], by=[using(k)]))[0]
        more = g.have(f"a + b*g(u)^c <= {form.format('u')}^c", lambda g: two_terms(g, c, a, b, p, "g(u)"))
        only(g, c, p, k, more, py, pw, pc)
        total = g.have(f"0 < {form.format('u')}", lambda g: g.pos([f"@{py}"], [f"@{pw}", f"@{p}"]))
        low = g.have("0 < c - 1", lambda g: (only(g, c), g.pos([f"@{c}"]))[-1])
        # -(c - 1) w u^(-c) g' <= (c - 1) w
        d = g.differentiate("v", f"{w}*(c - 1)*v - {form.format('v')}^(1 - c)", "u")
        g.rewrite(d)
        only(g, low, k, more, pw, total, p, c, pc)
        step = g.have(f"0 <= g'(u) + {form.format('u')}^c", lambda g: (only(g, k, more), g.pos([f"@{k}"], [f"@{more}"]))[-1])
        only(g, low, step, pw, total, pc)
        g.pos([f"@{step}", f"@{low}", f"{w}", f"{form.format('u')}^(-c)"])

    m = g.by_fact(
        "mean_value_le",
        "s",
        "t",
        f"lam u:R. {w}*(c - 1)*u - {form.format('u')}^(1 - c)",
        by=[smooth, rises, lambda g: g.pos([f"@{order}"])],
    )
    first = g.apply(nonneg, "s", by=[lambda g: g.conj(Goal.refl, lambda g: g.pos([f"@{order}"]))])
    only(g, c, a, b, pc, py, pw, end, m, first, order)
    g.have(f"0 < {form.format('s')}", lambda g: g.pos([f"@{py}"], [f"@{pw}", f"@{first}"]))
    u1 = g.have(f"0 < {form.format('t')}", lambda g: g.pos([f"@{py}"], [f"@{pw}", f"@{end}"]))
    low = g.have("0 < c - 1", lambda g: (only(g, c), g.pos([f"@{c}"]))[-1])
    k = f"({w}*(c - 1)*(t - s) + {form.format('s')}^(1 - c))"
    v0 = g.have(f"0 < {form.format('s')}^(1 - c)")
    pk = g.have(f"0 < {k}", lambda g: (only(g, pw, low, order, v0), g.pos([f"@{v0}"], [f"@{pw}", f"@{low}", f"@{order}"]))[-1])
    top = g.have(f"{form.format('t')}^(1 - c) <= {k}", lambda g: (only(g, m), g.pos([f"@{m}"]))[-1])
    v1 = g.have(f"0 < {form.format('t')}^(1 - c)", lambda g: (only(g, u1), g.auto())[-1])
    e = "1/(c - 1)"
    mono = g.by_fact(
        "pow_base_mono", f"{form.format('t')}^(1 - c)", k, e, by=[using(v1), using(top), lambda g: (only(g, low), g.auto())[-1]]
    )
    pp = g.by_fact("pow_pow", form.format("t"), "1 - c", e, by=[using(u1)])
    minus = g.have(
        f"{form.format('t')}^((1 - c)*({e})) = 1/{form.format('t')}", lambda g: inverse_power(g, u1, low, form.format("t"))
    )
    z = g.have(f"0 < {k}^({e})", lambda g: (only(g, pk), g.auto())[-1])
    only(g, mono, pp, minus, z, u1, pw, py, a, b, pc)
    inv = g.have(
        f"1/{form.format('t')} <= {k}^({e})",
        lambda g: (only(g, mono, pp, minus), g.pos([f"@{mono}"], eqs=[(pp, 1), (minus, 1)]))[-1],
    )
    ratio = g.have(f"(a/b)^(1/c) = {y}/{w}", lambda g: (only(g, a, b, pc), g.field())[-1])
    only(g, inv, ratio, z, u1, pw, py)
    g.rewrite(ratio)
    # 1/(w z) - y/w <= g(t), i.e. 1 <= z (y + w g(t))
    g.pos([f"@{inv}", form.format("t")], mul=[w, f"{k}^({e})"])


def two_terms(g: Goal, c: str, a: str, b: str, p: str, x: str) -> None:
    """a + b x^c <= (a^(1/c) + b^(1/c) x)^c for x > 0."""
    only(g, c, a, b, p)
    pc = g.have("0 < c", lambda g: (only(g, c), g.pos([f"@{c}"], [1]))[-1])
    py, pw = g.have("0 < a^(1/c)"), g.have("0 < b^(1/c)")
    u, v = "a^(1/c)", f"(b^(1/c)*{x})"
    s = f"({u} + {v})"
    q = g.have(f"0 < {v}", lambda g: (only(g, pw, p), g.auto())[-1])
    low = g.have("0 <= c - 1", lambda g: (only(g, c), g.pos([f"@{c}"]))[-1])
    i = g.by_fact("pow_base_mono", u, s, "c - 1", by=[using(py), lambda g: g.pos([f"@{q}"]), using(low)])
    j = g.by_fact("pow_base_mono", v, s, "c - 1", by=[using(q), lambda g: g.pos([f"@{py}"]), using(low)])
    e = g.by_fact("pow_pow", "a", "1/c", "c - 1", by=[using(a)])
    f = g.by_fact("pow_pow", "b", "1/c", "c - 1", by=[using(b)])
    h = g.by_fact("pow_mul", "b^(1/c)", x, "c - 1", by=[using(pw), using(p)])
    only(g, a, b, p, pc, py, pw, q, i, j, e, f, h)
    g.pos([f"@{i}", u], [f"@{j}", v], eqs=[(e, u), (h, v), (f, f"{v}*{x}^(c - 1)")])


def inverse_power(g: Goal, positive: str, low: str, u: str) -> None:
    """u^((1 - c)/(c - 1)) = 1/u."""
    only(g, positive, low)
    same = g.have("(1 - c)*(1/(c - 1)) = -1", lambda g: g.field())
    g.rewrite(same)
    g.field()
