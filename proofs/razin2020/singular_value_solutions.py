"""Proof of Lemma 6: the closed forms of a singular value along the flow."""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

SIGNS = "(all t:R. 0 <= t => 0 <= s(t)) => K(0) = 0 => (all t:R. 0 <= t => K'(t) = g(t)) =>"
EQUATION = "(all t:R. 0 <= t => (0 < s(t) => s'(t) = g(t)*(s(t)^2)^(1 - 1/{0})) and (s(t) = 0 => s'(t) = 0))"
READING = (
    "s is a singular value, g the function of the text, K its antiderivative from 0; the right side of (27) is 0 where s is 0; "
    "solved by: every nonnegative solution has this form, and the form is a solution"
)


@holds(
    "razin2020.lemma-6-step-solution-2",
    f"all s g K:R~>R. {SIGNS} ({EQUATION.format('2')} <=> (all t:R. 0 <= t => s(t) = s(0)*exp(K(t))))",
    argument="sound",
    reading=READING,
)
def exponential_solution(g: Goal) -> None:
    """For L = 2 the equation is s' = g s."""
    sign, zero, rate = g.intro()

    def forward(g: Goal) -> None:
        equation = g.assume()

        def linear(g: Goal) -> None:
            g.fix("t")
            g.assume()
            positive, vanishing = g.split(g.apply(equation, "t"))
            k = g.apply(rate, "t")

            def inside(g: Goal) -> None:
                v = g.apply(positive)
                g.field((v, 1), (k, "-s(t)"))

            def end(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                flipped = g.have("s(t) = 0", lambda g: g.field((eq, -1)))
                v = g.apply(vanishing)
                g.field((v, 1), (flipped, "-K'(t)"))

            low = g.apply(sign, "t")
            g.cases(g.by_fact("lt_or_eq", 0, "s(t)", by=[using(low)]), inside, end)

        h = g.by_fact("linear_ode", 0, "lam t:R. s(t)", "lam t:R. K(t)", by=[None, linear])
        g.intro()
        k = g.apply(h, "t")
        close_exponential(g, k, zero)

    def close_exponential(g: Goal, k: str, zero: str) -> None:
        e = g.have("exp(K(t) - K(0)) = exp(K(t))", lambda g: g.ctx(lambda g: g.field((zero, -1))))
        g.field((k, 1), (e, "s(0)"))

    def backward(g: Goal) -> None:
        form = g.assume()
        h = g.fact("derivative_agrees", 0, "lam w:R. s(w)", "lam w:R. s(0)*exp(K(w))")
        speed = g.apply(h, by=[None, using(form)], n=2)
        g.fix("t")
        g.assume()
        v, value, k = g.apply(speed, "t"), g.apply(form, "t"), g.apply(rate, "t")
        slope = g.have("s'(t) = g(t)*s(t)", lambda g: g.field((v, 1), (value, "-g(t)"), (k, "s(0)*exp(K(t))")))

        def positive(g: Goal) -> None:
            g.assume()
            g.field((slope, 1))

        def vanishing(g: Goal) -> None:
            eq = g.assume()
            g.field((slope, 1), (eq, "g(t)"))

        g.conj(positive, vanishing)

    g.iff(forward, backward)


def bounded_rate(g: Goal, sign: str, equation: str) -> tuple[str, str]:
    """For L >= 2 adds M with M(0) = 0 and |s'| <= M' s: the names of s' <= M' s and -(M' s) <= s'."""
    k = g.by_fact("antiderivative", "lam t:R. (g(t)^2 + 1)/2*(1 + s(t))", by=[None])
    _, speed = g.obtain(k, "M")

    def prove(g: Goal) -> None:
        g.fix("t")
        g.assume()
        low = g.apply(sign, "t")
        m = g.apply(speed, "t")
        positive, vanishing = g.split(g.apply(equation, "t"))

        def inside(g: Goal) -> None:
            v = g.apply(positive)
            g.have("0 < L")
            e = "(1 - 2/L)"
            p = f"s(t)^{e}"
            exponent = g.have(f"0 <= {e}", lambda g: g.pos(["L - 2"], mul=["L"], side={"0 <= L - 2": None}))
            below = g.have(f"{e} <= 1", lambda g: g.pos([2], mul=["L"]))

            def small(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                k = g.by_fact("pow_exp_anti", "s(t)", 0, e, by=[None, using(h), using(exponent)])
                g.pos([f"@{k}"], ["s(t)"])

            def large(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                one = g.have("1 <= s(t)", lambda g: g.pos([f"@{h}"]))
                k = g.by_fact("pow_exp_mono", "s(t)", e, 1, by=[using(one), using(below)])
                g.pos([f"@{k}"], [1])

            top = g.have(f"{p} <= 1 + s(t)", lambda g: g.em("s(t) <= 1", small, large))
            value = g.have(f"(s(t)^2)^(1 - 1/L) = s(t)*{p}", lambda g: g.field())
            positive_s = g.have("0 < s(t)")
            only(g, top, value, v, m, positive_s)
            g.conj(
                lambda g: g.pos(
                    ["1/2", "(g(t) - 1)^2", "s(t)", p],
                    [f"@{top}", "1/2*(g(t)^2 + 1)", "s(t)"],
                    eqs=[(v, -1), (m, "s(t)"), (value, "-g(t)")],
                ),
                lambda g: g.pos(
                    ["1/2", "(g(t) + 1)^2", "s(t)", p],
                    [f"@{top}", "1/2*(g(t)^2 + 1)", "s(t)"],
                    eqs=[(v, 1), (m, "s(t)"), (value, "g(t)")],
                ),
            )

        def end(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            flipped = g.have("s(t) = 0", lambda g: g.field((eq, -1)))
            v = g.apply(vanishing)
            g.conj(lambda g: g.pos(eqs=[(v, -1), (flipped, "M'(t)")]), lambda g: g.pos(eqs=[(v, 1), (flipped, "M'(t)")]))

        g.cases(g.by_fact("lt_or_eq", 0, "s(t)", by=[using(low)]), inside, end)

    both = g.have("all t:R. 0 <= t => s'(t) <= M'(t)*s(t) and -(M'(t)*s(t)) <= s'(t)", prove)
    return both, speed


@part(
    "razin2020.lemma-6-step-solution-gt-2",
    "sign",
    f"""all L:Z, s g:R~>R. 2 <= L => (all t:R. 0 <= t => 0 <= s(t)) => {EQUATION.format("L")} =>
       (0 < s(0) => all t:R. 0 <= t => 0 < s(t)) and (s(0) = 0 => all t:R. 0 <= t => s(t) = 0)""",
    says="a nonnegative solution of (27) is positive for all times or zero for all times",
)
def positive_or_zero(g: Goal) -> None:
    """|s'| <= M' s with a smooth M, as s^(1 - 2/L) <= 1 + s; Gronwall's inequality from both sides."""
    _, sign, equation = g.intro()
    both, _ = bounded_rate(g, sign, equation)

    def gronwall(g: Goal, e: str, k: str, i: int) -> str:
        def slower(g: Goal) -> None:
            g.fix("t")
            g.assume()
            h = g.split(g.apply(both, "t"))[i]
            g.pos([f"@{h}"])

        return g.by_fact("gronwall", 0, e, k, by=[None, slower])

    above = gronwall(g, "lam t:R. s(t)", "lam t:R. M(t)", 0)
    below = gronwall(g, "lam t:R. -s(t)", "lam t:R. -M(t)", 1)

    def positive(g: Goal) -> None:
        h = g.assume()
        g.fix("t")
        g.assume()
        k = g.apply(below, "t")
        g.pos([f"@{k}"], [f"@{h}", "exp(-M(t) + M(0))"])

    def zero(g: Goal) -> None:
        h = g.assume()
        g.fix("t")
        g.assume()
        k, low = g.apply(above, "t"), g.apply(sign, "t")
        g.antisym(lambda g: g.pos([f"@{k}"], eqs=[(h, "-exp(M(t) - M(0))")]), using(low))

    g.conj(positive, zero)


BASE = "(s(0)^(2/L - 1) + (2/L - 1)*K({0}))"


@holds(
    "razin2020.lemma-6-step-solution-gt-2",
    f"""all L:Z, s g K:R~>R. 2 < L => {SIGNS}
       ({EQUATION.format("L")} <=>
        (0 < s(0) and (all t:R. 0 <= t => 0 < {BASE.format("t")} and s(t) = {BASE.format("t")}^(1/(2/L - 1)))) or
        (s(0) = 0 and (all t:R. 0 <= t => s(t) = 0)))""",
    uses=["razin2020.lemma-6-step-solution-gt-2"],
    argument="sound",
    reading=READING,
)
def power_solution(g: Goal) -> None:
    """A positive solution has (s^(2/L-1))' = (2/L - 1) g; conversely differentiate the form."""
    large, sign, zero, rate = g.intro()
    g.have("0 < L")
    g.have("2 <= L", lambda g: g.pos([f"@{large}"]))
    e = "(2/L - 1)"
    negative = g.have(f"{e} < 0", lambda g: g.pos([f"@{large}"], mul=["L"]))
    nonzero = g.have(f"{e} != 0", lambda g: g.condition())
    del nonzero, negative

    def forward(g: Goal) -> None:
        equation = g.assume()
        start = g.apply(sign, 0)
        signs = g.split(
            g.lemma(
                "razin2020.lemma-6-step-solution-gt-2", "part:sign", "L", "s", "g", by=[None, None, lambda g: eta(g, equation)]
            )
        )

        def inside(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            positive = g.apply(signs[0], by=[using(h)])
            g.left_or_right(0)

            def still(g: Goal) -> None:
                g.fix("t")
                g.assume()
                p = g.apply(positive, "t")
                v = g.apply(g.split(g.apply(equation, "t"))[0], by=[using(p)])
                k = g.apply(rate, "t")
                g.field((v, f"{e}*s(t)^({e} - 1)"), (k, f"-{e}"))

            def smooth(g: Goal) -> None:
                g.fix("t")
                g.assume()
                g.close_by(g.apply(positive, "t"))

            c = g.by_fact("constant", 0, f"lam t:R. s(t)^{e} - {e}*K(t)", by=[smooth, still])

            def form(g: Goal) -> None:
                g.fix("t")
                g.assume()
                p = g.apply(positive, "t")
                k = g.apply(c, "t")
                base = g.have(f"{BASE.format('t')} = s(t)^{e}", lambda g: g.field((k, -1), (zero, e)))
                g.rewrite(base)
                back = g.by_fact("pow_pow", "s(t)", e, f"1/{e}")
                g.conj(None, lambda g: g.field((back, -1)))
                del p

            g.conj(using(h), form)

        def end(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            flipped = g.have("s(0) = 0", lambda g: g.field((eq, -1)))
            g.left_or_right(1)
            k = g.apply(signs[1], by=[using(flipped)])
            g.conj(using(flipped), using(k))

        g.cases(g.by_fact("lt_or_eq", 0, "s(0)", by=[using(start)]), inside, end)

    def backward(g: Goal) -> None:
        def inside(g: Goal) -> None:
            _start, form = g.split(next(reversed(g.seq.hyps)))
            h = g.fact("derivative_agrees", 0, "lam w:R. s(w)", f"lam w:R. {BASE.format('w')}^(1/{e})")

            def smooth(g: Goal) -> None:
                g.fix("w")
                g.assume()
                k = g.split(g.apply(form, "w"))[0]
                g.auto() if g.concl[0] != "and" else g.conj(*[lambda g: g.auto()] * (len(g.concl) - 1))
                del k

            def agree(g: Goal) -> None:
                g.fix("w")
                g.assume()
                g.close_by(g.split(g.apply(form, "w"))[1])

            speed = g.apply(h, by=[smooth, agree], n=2)
            g.fix("t")
            g.assume()
            base, value = g.split(g.apply(form, "t"))
            v, k = g.apply(speed, "t"), g.apply(rate, "t")
            b = BASE.format("t")
            p = g.have("0 < s(t)", lambda g: g.pos([f"{b}^(1/{e})"], eqs=[(value, 1)]))
            slope = g.have(f"s'(t) = g(t)*{b}^(1/{e} - 1)", lambda g: g.field((v, 1), (k, f"{b}^(1/{e} - 1)")))
            power = g.by_fact("pow_pow", b, f"1/{e}", "2 - 2/L")
            same = g.have(f"1/{e}*(2 - 2/L) = 1/{e} - 1", lambda g: g.field())

            def positive(g: Goal) -> None:
                g.assume()
                raised = g.have("(s(t)^2)^(1 - 1/L) = s(t)^(2 - 2/L)", lambda g: g.field())
                put = g.have(f"s(t)^(2 - 2/L) = ({b}^(1/{e}))^(2 - 2/L)", lambda g: g.ctx(using(value)))
                exponent = g.have(f"{b}^(1/{e}*(2 - 2/L)) = {b}^(1/{e} - 1)", lambda g: g.ctx(using(same)))
                only(g, raised, put, exponent, slope, power, base)
                g.field((slope, 1), (raised, "-g(t)"), (put, "-g(t)"), (power, "-g(t)"), (exponent, "-g(t)"))

            def vanishing(g: Goal) -> None:
                eq = g.assume()
                only(g, p, eq)
                g.have("false", lambda g: g.pos([f"@{p}"], eqs=[(eq, -1)]))
                g.auto()

            g.conj(positive, vanishing)

        def end(g: Goal) -> None:
            zero_form = g.split(next(reversed(g.seq.hyps)))[1]
            h = g.fact("derivative_agrees", 0, "lam w:R. s(w)", "lam w:R. 0")
            speed = g.apply(h, by=[None, using(zero_form)], n=2)
            g.fix("t")
            g.assume()
            v, value = g.apply(speed, "t"), g.apply(zero_form, "t")

            def positive(g: Goal) -> None:
                p = g.assume()
                g.have("false", lambda g: g.pos([f"@{p}"], eqs=[(value, -1)]))
                g.auto()

            def vanishing(g: Goal) -> None:
                g.assume()
                g.field((v, 1))

            g.conj(positive, vanishing)

        g.cases(g.assume(), inside, end)

    g.iff(forward, backward)


def eta(g: Goal, equation: str) -> None:
    """Equation (27) for the functions themselves."""
    (t,) = g.fix("t")
    g.assume()
    a, b = g.split(g.apply(equation, t))

    def positive(g: Goal) -> None:
        h = g.assume()
        g.field((g.apply(a, by=[using(h)]), 1))

    def vanishing(g: Goal) -> None:
        h = g.assume()
        g.field((g.apply(b, by=[using(h)]), 1))

    g.conj(positive, vanishing)
