"""Appendix H: which hypotheses of Lemmas 36 and 37 on analytic functions are needed, by functions that are flat at 0."""

from __future__ import annotations

from proofs.shin2025.analytic_functions import EQUAL, ID, analytic, derivative_of, partial_sum
from proofs.shin2025.commutant import by_last
from verify.kernel import Goal
from verify.kernel.library.analytic_functions import analytic as analytic_matrix
from verify.registry import part

FLOWS = "shin2025.lemma-36"


@part(
    ID,
    "linear",
    f"""all b c:R. ex f:R~>R. (all t:R. f(t) = b + c*t) and (all t:R. d(1,f,t) = c) and
        (all k:Z, t:R. 2 <= k => d(k,f,t) = 0) and {analytic("f")}""",
    says="Linear functions are analytic.",
)
def linear_functions_are_analytic(g: Goal) -> None:
    """Only the first two terms of the series are not 0."""
    g.fix("b", "c")
    f = g.obtain(
        g.have("ex f:R~>R. all t:R. f(t) = b + c*t", lambda g: (g.witness("lam t:R. b + c*t"), g.intro(), g.field())[-1]), "f"
    )[0]

    def slope(g: Goal) -> None:
        g.fix("t")
        g.field((derivative_of(g, "d(0, f, t)", "b + c*t", f), 1))

    one = g.have("all t:R. d(1,f,t) = c", slope)

    def every(g: Goal) -> None:
        g.induct("n", "ih")
        before = g.obtain(g.have("ex e:R. all t:R. d(n - 1,f,t) = e", earlier), "e")[0]
        g.fix("t")
        g.field((derivative_of(g, "d(n - 1, f, t)", "e", before), 1))

    def earlier(g: Goal) -> None:
        def first(g: Goal) -> None:
            e = g.have("n - 1 = 1", lambda g: g.field((list(g.seq.hyps)[-1], -1)))
            g.witness("c")
            g.rewrite(e)
            g.close_by(one)

        def later(g: Goal) -> None:
            g.by_fact("int_lt", "2", "n")
            g.witness("0")
            g.close_by(g.apply("ih", "n - 1"))

        g.less_or_equal("2 <= n", later, first)

    zero = g.have("all n:Z. 2 <= n => all t:R. d(n,f,t) = 0", every)
    g.witness("f")

    def series(g: Goal) -> None:
        g.intro()
        g.witness("1")

        def inside(g: Goal) -> None:
            g.intro()
            g.witness("1")
            g.intro()
            term = "d(k,f,s)*(t - s)^k/prod(l, 1, k, l)"

            def vanish(g: Goal) -> None:
                (k,) = g.fix("k")
                g.split(g.assume())
                h = g.apply(g.apply(zero, k), "s")
                g.field((h, f"(t - s)^{k}/prod(l, 1, {k}, l)"))

            first = g.by_fact("sum_first", "0", "m", f"lam k:Z. {term}")
            second = g.by_fact("sum_first", "0 + 1", "m", f"lam k:Z. {term}")
            rest = g.by_fact("sum_ext", "0 + 1 + 1", "m", f"lam k:Z. {term}", "lam k:Z. 0", by=[vanish])
            none = g.fact("sum_const", "0 + 1 + 1", "m", "0")
            none = g.apply(none, by=[None])
            unit = g.have("prod(l, 1, 0, l) = 1", lambda g: g.compute())
            unit_ = g.have("prod(l, 1, 0 + 1, l) = 1", lambda g: g.compute())
            slope = g.have("d(0 + 1,f,s) = c", lambda g: g.exact(g.apply(one, "s")))
            here, there = g.apply(f, "s"), g.apply(f, "t")

            def value(g: Goal) -> None:
                for h in (first, second, unit, unit_, slope):
                    g.rewrite(h)
                g.field((rest, 1), (none, 1))

            whole = g.have(f"{partial_sum('d({}, f, {})')} = f(s) + c*(t - s)", value)
            same = g.have(f"f(t) - {partial_sum('d({}, f, {})')} = 0", lambda g: g.field((whole, -1), (here, -1), (there, 1)))
            g.rewrite(same)
            g.auto()

        g.conj(None, inside)

    g.conj(None, None, lambda g: (g.intro(), g.close_by(g.apply(g.apply(zero, "k"), "t")))[-1], series)


@part(
    ID,
    "without-equal-slopes",
    f"""ex f g:R~>R. {analytic("f")} and {analytic("g")} and (all k:Z. 0 <= k => k != 1 => d(k,f,0) = d(k,g,0)) and not ({EQUAL})""",
    says="Without the equality of order 1: equal derivatives of all other orders are not enough, t and 0.",
)
def slope_and_zero(g: Goal) -> None:
    """Linear functions."""
    line = g.obtain(g.apply(g.lemma(ID, "part:linear"), "0", "1"), "f")
    none = g.obtain(g.apply(g.lemma(ID, "part:linear"), "0", "0"), "z")
    g.witness("f", "z")

    def same(g: Goal) -> None:
        g.fix("k")
        g.assume()
        other = g.assume()

        def zeroth(g: Goal) -> None:
            e = g.have("k = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1)))
            g.rewrite(e)
            g.field((g.apply(line[0], "0"), 1), (g.apply(none[0], "0"), -1))

        def later(g: Goal) -> None:
            g.by_fact("int_lt", "0", "k")
            g.less_or_equal("1 <= k", higher, first)

        def first(g: Goal) -> None:
            g.clash(g.have("k = 1", lambda g: g.field((list(g.seq.hyps)[-1], -1))), other)

        def higher(g: Goal) -> None:
            g.by_fact("int_lt", "1", "k")
            g.field((g.apply(line[2], "k", "0"), 1), (g.apply(none[2], "k", "0"), -1))

        g.less_or_equal("0 <= k", later, zeroth)

    def differ(g: Goal) -> None:
        h = g.assume()
        k, v, z = g.apply(h, "1"), g.apply(line[0], "1"), g.apply(none[0], "1")
        g.pos(["1"], eqs=[(k, -1), (v, 1), (z, -1)])

    g.conj(lambda g: g.close_by(line[3]), lambda g: g.close_by(none[3]), same, differ)


MOVING = "(all t:R. 0 <= t => A'(t) = -(G(t) @ T(B(t))) and B'(t) = -(T(A(t)) @ G(t)))"


@part(
    FLOWS,
    "without-objective",
    f"""ex A B G:R~>M(2,2). {MOVING} and T(A(0)) @ A(0) = B(0) @ T(B(0)) and (all t:R. 0 <= t => D(u, (A(u) @ B(u))[1,1], t) < 0) and
        not {analytic_matrix("A", "2", "2")}""",
    says="Without a loss that is analytic, as objective (2) is: smooth losses have flows that are not analytic, "
    "A = B = diag(exp(-t), 1 + exp(-1/t)). An entry of W falls at a negative rate, so that G is the gradient of a smooth loss at W.",
    uses=[ID],
)
def smooth_losses_have_flows_that_are_not_analytic(g: Goal) -> None:
    """The second entry less 1 is flat at 0 and positive later: an analytic one would be constant by the identity theorem."""
    flat, value = g.obtain(g.fact("flat_function"), "f")

    def nonnegative(g: Goal) -> None:
        g.fix("t")

        def before(g: Goal) -> None:
            g.pos(eqs=[(g.apply(flat, "0", "t"), 1)])

        def after(g: Goal) -> None:
            late = list(g.seq.hyps)[-1]
            g.have("0 < t", lambda g: g.pos([f"@{late}"]))
            g.pos(["exp(-1/t)"], eqs=[(g.apply(value, "t"), 1)])

        g.em("t <= 0", before, after)

    least = g.have("all t:R. 0 <= f(t)", nonnegative)

    def positive(g: Goal, t: str) -> None:
        k = g.apply(least, t)
        g.have(f"0 < 1 + f({t})", lambda g: g.pos([f"@{k}"], ["1"]))

    def smooth(g: Goal) -> None:
        (t,) = g.fix("t")
        positive(g, t)
        g.auto()

    body, gradient = "[[exp(-t),0],[0,1 + f(t)]]", "lam t:R. [[1,0],[0,-(f'(t)/(1 + f(t)))]]"
    at = g.obtain(
        g.have(f"ex A:R~>M(2,2). all t:R. A(t) = {body}", lambda g: (g.witness(f"lam t:R. {body}"), g.intro(), g.nc())[-1]), "A"
    )[0]
    known = g.have(f"all t:R. 0 <= t => A(t) = {body}", lambda g: (g.intro(), g.close_by(g.apply(at, "t")))[-1])
    agree = g.by_fact(
        "derivative_agrees_matrix", "2", "2", "0", "lam t:R. A(t)", f"lam t:R. {body}", by=[None, lambda g: g.close_by(known)]
    )
    entry = g.obtain(
        g.have("ex h:R~>R. all t:R. h(t) = A(t)[2,2]", lambda g: (g.witness("lam t:R. A(t)[2,2]"), g.intro(), g.field())[-1]), "h"
    )[0]
    g.witness("A", "A", gradient, sides=[smooth])

    def along(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        positive(g, t)
        d, v, k = g.differentiate("t_", "[[exp(-t_),0],[0,1 + f(t_)]]", t), g.apply(at, t), g.apply(agree, t)
        k = g.have(f"A'({t}) = [[-exp(-{t}),0],[0,f'({t})]]", lambda g: g.nc((k, 1, None, None), (d, 1, None, None)))

        def side(g: Goal) -> None:
            g.rewrite(k)
            g.rewrite(v)
            g.ext(lambda g: g.field())

        g.conj(side, side)

    def balanced(g: Goal) -> None:
        g.rewrite(g.apply(at, "0"))
        g.ext(lambda g: g.field())

    def falls(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()

        def square(g: Goal) -> None:
            (u,) = g.fix("u")
            g.assume()
            g.rewrite(g.apply(at, u))
            g.field()

        k = g.by_fact("derivative_agrees", "0", "lam u:R. (A(u) @ A(u))[1,1]", "lam u:R. exp(-2*u)", by=[None, square])
        k = g.apply(k, t)
        d = g.differentiate("u", "exp(-2*u)", t)
        g.pos([f"2*exp(-2*{t})"], eqs=[(k, -1), (d, -1)])

    def not_analytic(g: Goal) -> None:
        series = g.assume()
        one, none, constant = g.obtain(g.apply(g.lemma(ID, "part:constants"), "1"), "z")
        orders = g.have("all n:Z. 0 <= n => all t:R. 0 <= t => d(n,A,t)[2,2] = d(n,h,t)", entry_by_entry)
        value_h = g.have("all t:R. 0 <= t => h(t) = 1 + f(t)", by_entry)
        tail = g.have("all n:Z. 1 <= n => all t:R. 0 <= t => d(n,h,t) = d(n,f,t)", lambda g: derivatives(g, value_h))

        def taylor(g: Goal) -> None:
            g.fix("s")
            g.assume()
            _, close = g.obtain(g.apply(series, "s"), "r")
            g.witness("r")

            def sums(g: Goal) -> None:
                g.fix("t")
                g.assume()
                g.assume()
                k = g.apply(close, "t", n=1)
                g.fix("e")
                g.assume()
                o = g.obtain(g.apply(k, "2", "2", "e", by=[None, None]), "o")[0]
                g.witness("o")
                g.fix("m")
                g.assume()
                k = g.apply(o, "m")

                def term(g: Goal) -> None:
                    (k,) = g.fix("k")
                    g.split_all(g.assume())
                    g.field((g.apply(g.apply(orders, k), "s"), f"(t - s)^{k}/prod(l, 1, {k}, l)"))

                parts = (partial_sum(x).removeprefix("sum(k, 0, m, ")[:-1] for x in ("d({}, A, {})[2,2]", "d({}, h, {})"))
                same = g.by_fact("sum_ext", "0", "m", *(f"lam k:Z. {x}" for x in parts), by=[term])
                here = g.apply(entry, "t")
                g.rewrite(here)
                g.rewrite(same, back=True)
                g.close_by(k)

            g.conj(None, sums)

        def same(g: Goal) -> None:
            g.fix("k")
            g.assume()

            def zeroth(g: Goal) -> None:
                g.rewrite(g.have("k = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1))))
                g.field((g.apply(value_h, "0"), 1), (g.apply(one, "0"), -1), (g.apply(flat, "0", "0"), 1))

            def later(g: Goal) -> None:
                g.by_fact("int_lt", "0", "k")
                g.field((g.apply(g.apply(tail, "k"), "0"), 1), (g.apply(flat, "k", "0"), 1), (g.apply(none, "k", "0"), -1))

            g.less_or_equal("0 <= k", later, zeroth)

        k = g.lemma(ID, "statement", "h", "z", by=[taylor, lambda g: g.close_by(constant), same])
        k, v, w = g.apply(k, "1"), g.apply(value, "1"), g.apply(value_h, "1")
        g.pos(["exp(-1/1)"], eqs=[(k, -1), (v, 1), (w, 1), (g.apply(one, "1"), -1)])

    def by_entry(g: Goal) -> None:
        g.fix("t")
        g.assume()
        v = g.apply(at, "t")
        e = g.have(f"A(t)[2,2] = {body}[2,2]", lambda g: (g.rewrite(v), g.refl())[-1])
        g.field((g.apply(entry, "t"), 1), (e, 1))

    def derivatives(g: Goal, value_h: str) -> None:
        g.induct("n", "ih")

        def agree_at(g: Goal, order: str, f: str, h: str) -> None:
            """The derivatives of functions that agree on t >= 0."""
            k = g.by_fact(
                "derivative_agrees", "0", f"lam t:R. d({order},h,t)", f"lam t:R. {f}", by=[None, lambda g: g.close_by(h)]
            )
            g.intro()
            k = g.apply(k, "t")
            p, q = (
                g.differentiate("s", f"d({order},h,s)", "t"),
                g.differentiate("s", f.replace("(t)", "(s)").replace(",t)", ",s)"), "t"),
            )
            g.field((p, -1), (k, 1), (q, 1))

        def first(g: Goal) -> None:
            g.rewrite(g.have("n = 1", lambda g: g.field((list(g.seq.hyps)[-1], -1))))
            zero = g.have(
                "all t:R. 0 <= t => d(0,h,t) = 1 + f(t)", lambda g: (g.intro(), g.field((g.apply(value_h, "t"), 1)))[-1]
            )
            agree_at(g, "0", "1 + f(t)", zero)

        def step(g: Goal) -> None:
            g.by_fact("int_lt", "1", "n")
            agree_at(g, "n - 1", "d(n - 1,f,t)", g.apply("ih", "n - 1"))

        g.less_or_equal("1 <= n", step, first)

    def entry_by_entry(g: Goal) -> None:
        g.induct("n", "ih")

        def start(g: Goal) -> None:
            g.rewrite(g.have("n = 0"))
            g.intro()
            g.field((g.apply(entry, "t"), -1))

        def step(g: Goal) -> None:
            h = g.apply("ih", "n - 1")
            at_all = [None, lambda g: g.close_by(h)]
            k = g.by_fact("derivative_agrees", "0", "lam t:R. d(n - 1,A,t)[2,2]", "lam t:R. d(n - 1,h,t)", by=at_all)
            g.intro()
            k = g.apply(k, "t")
            p, q = g.differentiate("s", "d(n - 1,A,s)[2,2]", "t"), g.differentiate("s", "d(n - 1,h,s)", "t")
            g.field((p, -1), (k, 1), (q, 1))

        by_last(g, start, step)

    g.conj(along, balanced, falls, not_analytic)
