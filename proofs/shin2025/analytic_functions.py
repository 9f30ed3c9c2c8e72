"""Lemma 37: the identity theorem for real analytic functions on t >= 0, and which hypotheses are needed."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.commutant import by_last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

ID = "shin2025.lemma-37"


def partial_sum(derivative: str, at: str = "s", t: str = "t", upto: str = "m") -> str:
    """A partial sum of the Taylor series; `derivative` has a place for the order and one for the point."""
    return f"sum(k, 0, {upto}, {derivative.format('k', at)}*({t} - {at})^k/prod(l, 1, k, l))"


def near(value: str, derivative: str, at: str = "s") -> str:
    """Near the point the Taylor series there converges to the function, as far as t >= 0."""
    return f"""(ex r:R. 0 < r and all t:R. 0 <= t => abs(t - {at}) < r => all e:R. 0 < e => ex p:Z. all m:Z. p <= m =>
        abs({value} - {partial_sum(derivative, at)}) <= e)"""


def analytic(f: str) -> str:
    """A smooth function is analytic on t >= 0: at every point it is the sum of its Taylor series in a neighbourhood."""
    return f"(all s:R. 0 <= s => {near(f'{f}(t)', f'd({{}}, {f}, {{}})')})"


SAME = "(all k:Z. 0 <= k => d(k,f,0) = d(k,g,0))"
EQUAL = "all t:R. 0 <= t => f(t) = g(t)"


@part(
    ID,
    "local",
    f"""all f g:R~>R, c:R. 0 <= c => {near("f(t)", "d({}, f, {})", "c")} => {near("g(t)", "d({}, g, {})", "c")} =>
        (all k:Z. 0 <= k => d(k,f,c) = d(k,g,c)) => ex u:R. 0 < u and all t:R. c <= t => t <= c + u => f(t) = g(t)""",
    says="With equal derivatives at a point both are the sum of the same series to the right of it.",
)
def equal_to_the_right(g: Goal) -> None:
    """Both differ from the same partial sum by at most e, for every e > 0."""
    _, hf, hg, same = g.intro()
    rf, nf = g.obtain(hf, "r")
    rg, ng = g.obtain(hg, "q")
    g.witness("min(r, q)/2")
    positive = g.have("0 < min(r, q)")

    def equal(g: Goal) -> None:
        (t,) = g.fix("t")
        _right, left = g.assume(), g.assume()
        g.have("0 <= t")
        least = g.fact("min_cases", "r", "q")
        bound = g.have("min(r, q) <= r and min(r, q) <= q", lambda g: g.cases(least, below, below))
        one, two = g.split(bound)
        size = g.have("abs(t - c) = t - c", lambda g: (g.have("0 <= t - c"), g.field())[-1])
        g.have("abs(t - c) < r", lambda g: g.pos(["@" + one], ["@" + left], ["1/2", "@" + positive], eqs=[(size, "-1")]))
        g.have("abs(t - c) < q", lambda g: g.pos(["@" + two], ["@" + left], ["1/2", "@" + positive], eqs=[(size, "-1")]))
        kf, kg = g.apply(nf, t, n=2), g.apply(ng, t, n=2)
        far = g.contra()
        g.have("f(t) - g(t) != 0", lambda g: apart(g, far))
        size = "abs(f(t) - g(t))"
        g.have(f"0 < {size}", lambda g: g.pos([size]))
        pf, pg = (g.obtain(g.apply(k, f"{size}/4"), n)[0] for k, n in ((kf, "p"), (kg, "j")))
        more = g.fact("max_cases", "p", "j")
        g.obtain(g.have("ex m:Z. p <= m and j <= m", lambda g: g.cases(more, bigger("j"), bigger("p"))), "m")
        a, b = g.apply(pf, "m"), g.apply(pg, "m")
        sums = [partial_sum(f"d({{}},{x},{{}})", "c") for x in "fg"]
        terms = [f"lam k:Z. d(k,{x},c)*(t - c)^k/prod(l, 1, k, l)" for x in "fg"]

        def equal_terms(g: Goal) -> None:
            (k,) = g.fix("k")
            g.split(g.assume())
            g.rewrite(g.apply(same, k))
            g.refl()

        equal_sums = g.by_fact("sum_ext", "0", "m", *terms, by=[equal_terms])
        a, b = (
            g.split(g.apply(g.split(g.fact("abs_le", f"{x}(t) - {y}", f"{size}/4"))[0], by=[lambda g, h=h: g.close_by(h)]))
            for x, y, h in (("f", sums[0], a), ("g", sums[1], b))
        )

        def sign(s: int) -> Script:
            def script(g: Goal) -> None:
                _, value = g.split(list(g.seq.hyps)[-1])
                x, y = (a[1], b[0]) if s > 0 else (a[0], b[1])
                g.pos(["@" + x], ["@" + y], [f"{size}/2"], eqs=[(value, "-1"), (equal_sums, f"{-s}")])

            return script

        g.cases(g.fact("abs_cases", "f(t) - g(t)"), sign(1), sign(-1))

    g.conj(lambda g: g.pos(["1/2", "@" + positive]), equal)


def below(g: Goal) -> None:
    """Both bounds from one case of the minimum."""
    g.split(list(g.seq.hyps)[-1])
    g.auto()


def bigger(name: str) -> Script:
    """The larger of two integers is a common upper bound."""

    def script(g: Goal) -> None:
        g.split(list(g.seq.hyps)[-1])
        g.witness(name)
        g.auto()

    return script


def apart(g: Goal, far: str, t: str = "t") -> None:
    """f != g at t, as f - g != 0."""
    h = g.contra()
    k = g.have(f"f({t}) = g({t})", lambda g: g.field((h, 1)))
    g.clash(k, far)


def continuous_zero(g: Goal, f: str, at: str, start: str, zero: Callable[[Goal, str], str]) -> None:
    """Close f(at) = 0, where f vanishes on start < x < at; `zero` gives f(x) = 0 at such a point x."""
    h = g.contra()
    g.have(f"({f.format(at)})^2 != 0", lambda g: (g.contra(), k := g.by_fact("square_zero", f.format(at)), g.clash(k, h))[-1])
    g.have(f"0 < ({f.format(at)})^2", lambda g: g.pos([f"({f.format(at)})^2"]))
    near_ = g.obtain(g.by_fact("persistence", at, f"lam t:R. ({f.format('t')})^2"), "w")
    lower = g.fact("max_cases", f"{at} - w", f"({at} + {start})/2")

    def pick(g: Goal, x: str) -> None:
        g.split(list(g.seq.hyps)[-1])
        k = g.apply(near_[1], x)
        z = zero(g, x)
        g.pos(["@" + k], eqs=[(z, f"-({f.format(x)})")])

    g.cases(lower, lambda g: pick(g, f"({at} + {start})/2"), lambda g: pick(g, f"{at} - w"))


@part(
    ID,
    "derivatives-agree",
    f"""all f g:R~>R, c:R. {SAME} => 0 <= c => (all x:R. 0 < x => x < c => f(x) = g(x)) =>
        all k:Z. 0 <= k => d(k,f,c) = d(k,g,c)""",
    says="Functions that agree on [0, c] and have equal derivatives at 0 have equal derivatives at c.",
)
def derivatives_agree_at_the_end(g: Goal) -> None:
    """Inside by induction on the order, at c by continuity."""
    same, low, agree = g.fix() and [g.assume() for _ in range(3)]

    def inside(g: Goal) -> None:
        g.induct("n", "ih")

        def none(g: Goal) -> None:
            z = g.have("n = 0")
            g.rewrite(z)
            g.intro()
            k = g.apply(agree, "x")
            g.field((k, 1))

        def more(g: Goal) -> None:
            k = g.apply("ih", "n - 1")
            g.intro()
            h = g.by_fact(
                "derivative_local",
                "0",
                "c",
                "x",
                "lam t:R. d(n - 1, f, t)",
                "lam t:R. d(n - 1, g, t)",
                by=[None, None, None, lambda g: (g.intro(), g.close_by(g.apply(k, "t")))[-1]],
            )
            g.field((h, 1))

        by_last(g, none, more)

    every = g.have("all n:Z. 0 <= n => all x:R. 0 < x => x < c => d(n,f,x) = d(n,g,x)", inside)
    g.intro()

    def at_zero(g: Goal) -> None:
        z = list(g.seq.hyps)[-1]
        k = g.apply(same, "k")
        e = g.have("c = 0", lambda g: g.field((z, -1)))
        g.rewrite(e)
        g.close_by(k)

    def later(g: Goal) -> None:
        def zero(g: Goal, x: str) -> str:
            k = g.apply(g.apply(every, "k"), x)
            return g.have(f"d(k,f,{x}) - d(k,g,{x}) = 0", lambda g: g.field((k, 1)))

        z = g.have("d(k,f,c) - d(k,g,c) = 0", lambda g: continuous_zero(g, "d(k,f,{0}) - d(k,g,{0})", "c", "0", zero))
        g.field((z, 1))

    g.less_or_equal("0 <= c", later, at_zero)


@holds(
    ID,
    f"all f g:R~>R. {analytic('f')} => {analytic('g')} => {SAME} => {EQUAL}",
    argument="sound",
    reading="Analytic on t >= 0: near every point s >= 0 the function is the sum of its Taylor series at s (at 0 from the right). "
    "The printed domain [0, infinity] is read as t >= 0. Remark: each hypothesis is needed: analyticity of f and of g "
    "(parts without-analyticity-of-f, without-analyticity-of-g), the equality of the values and of the derivatives "
    "(parts without-equal-values, without-equal-slopes).",
    uses=[ID],
)
def identity_theorem(g: Goal) -> None:
    """F(t), the integral of (f - g)^2, has a last zero c if f and g differ somewhere; they agree on [0, c], so that their
    derivatives at c agree, and with them both functions to the right of c, where F would vanish."""
    g.fix("f", "g")
    af, ag, same = (g.assume() for _ in range(3))
    g.fix("T")
    g.assume()
    anti = g.obtain(g.by_fact("antiderivative", "lam t:R. (f(t) - g(t))^2"), "F")
    zero, rate = anti

    def slope(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        k = g.apply(rate, x)
        g.pos([f"(f({x}) - g({x}))^2"], eqs=[(k, 1)])

    grows = g.by_fact("nondecreasing", "0", "lam t:R. F(t)", by=[None, slope])
    far = g.contra()
    g.have("f(T) - g(T) != 0", lambda g: apart(g, far, "T"))
    g.have("0 < (f(T) - g(T))^2", lambda g: g.pos(["(f(T) - g(T))^2"]))

    def later(g: Goal) -> None:
        """0 < T."""
        list(g.seq.hyps)[-1]
        close = g.obtain(g.by_fact("persistence", "T", "lam t:R. (f(t) - g(t))^2"), "w")
        lower = g.fact("max_cases", "T - w", "0")

        def from_(g: Goal, a: str) -> None:
            g.split(list(g.seq.hyps)[-1])

            def steep(g: Goal) -> None:
                (x,) = g.fix("x")
                g.split(g.assume())
                g.have(f"0 <= {x}")
                k, p = g.apply(rate, x), g.apply(close[1], x)
                g.pos(["@" + p], eqs=[(k, 1)])

            k = g.by_fact("mean_value_lt", a, "T", "lam t:R. F(t)", by=[None, steep, None])
            h = g.apply(grows, "0", a)
            g.pos(["@" + k], ["@" + h], eqs=[(zero, 1)])

        g.have("0 < F(T)", lambda g: g.cases(lower, lambda g: from_(g, "0"), lambda g: from_(g, "T - w")))
        low, left, none, beyond = g.obtain(
            g.by_fact("last_entry", "0", "T", "lam t:R. F(t)", by=[None, None, lambda g: g.auto(), None]), "c"
        )

        def before(g: Goal) -> None:
            g.intro()

            def flat(g: Goal) -> None:
                g.intro()
                g.antisym(
                    lambda g: (h := g.apply(grows, "t", "c"), g.pos(["@" + h], eqs=[(none, -1)]))[-1],
                    lambda g: (h := g.apply(grows, "0", "t"), g.pos(["@" + h], eqs=[(zero, 1)]))[-1],
                )

            k = g.by_fact("derivative_local", "0", "c", "x", "lam t:R. F(t)", "lam t:R. 0", by=[None, None, None, flat])
            r = g.apply(rate, "x")
            g.have("(f(x) - g(x))^2 = 0", lambda g: g.field((k, 1), (r, -1)))
            d = g.by_fact("square_zero", "f(x) - g(x)")
            g.field((d, 1))

        g.have("all x:R. 0 < x => x < c => f(x) = g(x)", before)
        g.lemma(ID, "part:derivatives-agree", "f", "g", "c")
        _pf, _pg = g.apply(af, "c"), g.apply(ag, "c")
        u, right = g.obtain(g.lemma(ID, "part:local", "f", "g", "c"), "u")
        least = g.fact("min_cases", "u", "T - c")

        def until(g: Goal, v: str, strict: str) -> None:
            g.split(list(g.seq.hyps)[-1])

            def still(g: Goal) -> None:
                (x,) = g.fix("x")
                g.split(g.assume())
                k = g.apply(right, x)
                g.have(f"0 <= {x}")
                r = g.apply(rate, x)
                g.field((r, 1), (k, f"f({x}) - g({x})"))

            k = g.by_fact("mean_value_eq", "c", f"c + {v}", "lam t:R. F(t)", by=[None, still, None])
            p = g.apply(beyond, f"c + {v}", by=[lambda g: g.conj(lambda g: g.pos(["@" + strict]), None)])
            g.pos(["@" + p], eqs=[(k, -1), (none, -1)])

        g.cases(least, lambda g: until(g, "u", u), lambda g: until(g, "(T - c)", left))

    def at_zero(g: Goal) -> None:
        z = list(g.seq.hyps)[-1]
        k = g.apply(same, "0")
        e = g.have("T = 0", lambda g: g.field((z, -1)))
        h = g.have("f(T) = g(T)", lambda g: (g.rewrite(e), g.field((k, 1)))[-1])
        g.clash(h, far)

    g.less_or_equal("0 <= T", later, at_zero)


def derivative_of(g: Goal, f: str, value: str, everywhere: str) -> str:
    """The derivative at t of f, which has this value at every time by the hypothesis `everywhere`."""

    def near(g: Goal) -> None:
        g.fix("u")
        g.assume()
        g.field((g.apply(everywhere, "u"), 1))

    return g.by_fact("derivative_local", "t - 1", "t + 1", "t", f"lam t:R. {f}", f"lam t:R. {value}", by=[None, None, None, near])


@part(
    ID,
    "constants",
    f"all c:R. ex f:R~>R. (all t:R. f(t) = c) and (all k:Z, t:R. 1 <= k => d(k,f,t) = 0) and {analytic('f')}",
    says="Constants are analytic, with derivatives 0.",
)
def constants_are_analytic(g: Goal) -> None:
    """Only the first term of the series is not 0."""
    g.fix("c")
    f = g.obtain(g.have("ex f:R~>R. all t:R. f(t) = c", lambda g: (g.witness("lam t:R. c"), g.intro(), g.field())[-1]), "f")[0]

    def every(g: Goal) -> None:
        g.induct("n", "ih")
        before = g.obtain(g.have("ex b:R. all t:R. d(n - 1,f,t) = b", lambda g: earlier(g, f)), "b")[0]
        g.intro()
        g.field((derivative_of(g, "d(n - 1, f, t)", "b", before), 1))

    zero = g.have("all n:Z. 1 <= n => all t:R. d(n,f,t) = 0", every)
    g.witness("f")

    def series(g: Goal) -> None:
        g.intro()
        g.witness("1")

        def inside(g: Goal) -> None:
            g.intro()
            g.witness("0")
            g.intro()
            term = "d(k,f,s)*(t - s)^k/prod(l, 1, k, l)"

            def later(g: Goal) -> None:
                (k,) = g.fix("k")
                g.split(g.assume())
                ne = g.assume()

                def first(g: Goal) -> None:
                    g.clash(g.have(f"{k} = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1))), ne)

                g.less_or_equal(f"0 <= {k}", lambda g: vanish(g, k), first)

            def vanish(g: Goal, k: str) -> None:
                g.by_fact("int_lt", "0", k)
                h = g.apply(g.apply(zero, k), "s")
                g.field((h, f"(t - s)^{k}/prod(l, 1, {k}, l)"))

            h = g.by_fact("sum_delta", "0", "m", "0", f"lam k:Z. {term}", by=[None, None, later])
            one = g.by_fact("prod_empty", "1", "0", "lam l:Z. l")
            a, b = g.apply(f, "s"), g.apply(f, "t")
            gap = f"f(t) - {partial_sum('d({}, f, {})')}"
            none = g.have(f"{gap} = 0", lambda g: (g.rewrite(h), g.rewrite(one), g.field((a, -1), (b, 1)))[-1])
            g.rewrite(none)
            g.auto()

        g.conj(None, inside)

    g.conj(None, lambda g: (g.intro(), g.close_by(g.apply(g.apply(zero, "k"), "t")))[-1], series)


def earlier(g: Goal, f: str) -> None:
    """The derivative of order n - 1 >= 0 is constant."""

    def zeroth(g: Goal) -> None:
        e = g.have("n - 1 = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1)))
        g.witness("c")
        g.rewrite(e)
        g.intro()
        k = g.apply(f, "t")
        g.field((k, 1))

    def later(g: Goal) -> None:
        g.by_fact("int_lt", "1", "n")
        h = g.apply("ih", "n - 1")
        g.witness("0")
        g.close_by(h)

    g.less_or_equal("1 <= n", later, zeroth)


@part(
    ID,
    "without-analyticity-of-f",
    f"""ex f g:R~>R. {analytic("g")} and {SAME} and not ({EQUAL})""",
    says="Without analyticity of f: exp(-1/t) and 0 have equal derivatives at 0, and 0 is analytic. All the more without both.",
    uses=[ID],
)
def flat_function_and_zero(g: Goal) -> None:
    """exp(-1/t), continued by 0, is flat at 0."""
    flat_and_zero(g, "f", "z")


@part(
    ID,
    "without-analyticity-of-g",
    f"""ex f g:R~>R. {analytic("f")} and {SAME} and not ({EQUAL})""",
    says="Without analyticity of g: 0 and exp(-1/t).",
    uses=[ID],
)
def zero_and_flat_function(g: Goal) -> None:
    """exp(-1/t), continued by 0, is flat at 0."""
    flat_and_zero(g, "z", "f")


def flat_and_zero(g: Goal, first: str, second: str) -> None:
    """Of the flat function f and the function z = 0 the latter is analytic; `first` and `second` name them in their order."""
    sign = 1 if first == "f" else -1
    flat, value = g.obtain(g.fact("flat_function"), "f")
    none, zero, series = g.obtain(g.apply(g.lemma(ID, "part:constants"), "0"), "z")
    g.witness(first, second)

    def same(g: Goal) -> None:
        g.intro()
        a = g.apply(flat, "k", "0")

        def zeroth(g: Goal) -> None:
            e = g.have("k = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1)))
            b = g.apply(none, "0")
            c = g.rewritten(a, e)
            g.rewrite(e)
            g.field((c, sign), (b, -sign))

        def later(g: Goal) -> None:
            g.by_fact("int_lt", "0", "k")
            b = g.apply(zero, "k", "0")
            g.field((a, sign), (b, -sign))

        g.less_or_equal("0 <= k", later, zeroth)

    def differ(g: Goal) -> None:
        h = g.assume()
        k, v, z = g.apply(h, "1"), g.apply(value, "1"), g.apply(none, "1")
        g.pos(["exp(-1/1)"], eqs=[(k, -sign), (v, 1), (z, -1)])

    g.conj(lambda g: g.close_by(series), same, differ)


@part(
    ID,
    "without-equal-values",
    f"""ex f g:R~>R. {analytic("f")} and {analytic("g")} and (all k:Z. 1 <= k => d(k,f,0) = d(k,g,0)) and not ({EQUAL})""",
    says="Without the equality of order 0: equal derivatives of the orders >= 1 are not enough, 1 and 0.",
    uses=[ID],
)
def one_and_zero(g: Goal) -> None:
    """Constants."""
    one = g.obtain(g.apply(g.lemma(ID, "part:constants"), "1"), "f")
    none = g.obtain(g.apply(g.lemma(ID, "part:constants"), "0"), "z")
    g.witness("f", "z")

    def same(g: Goal) -> None:
        g.intro()
        a, b = g.apply(one[1], "k", "0"), g.apply(none[1], "k", "0")
        g.field((a, 1), (b, -1))

    def differ(g: Goal) -> None:
        h = g.assume()
        k, v, z = g.apply(h, "0"), g.apply(one[0], "0"), g.apply(none[0], "0")
        g.pos(["1"], eqs=[(k, -1), (v, 1), (z, -1)])

    g.conj(lambda g: g.close_by(one[2]), lambda g: g.close_by(none[2]), same, differ)
