"""Appendix C.1, the report on Arora et al.: singular values of a deep product while the singular vectors do not change.

Along u_r, v_r that do not change, (sigma_r)' = -L sigma_r^(2 - 2/L) g_r with g_r = <gradient, u_r v_r^T>; the cited work takes
g_1 = a g_2 with a constant ratio.
"""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds

E = "(2/L - 1)"
RATES = "(all t:R. b <= t => x'(t) = -(L*x(t)^(2 - 2/L)*(a*g(t))) and y'(t) = -(L*y(t)^(2 - 2/L)*g(t)))"
POSITIVE = "(all t:R. b <= t => 0 < x(t) and 0 < y(t))"
DEEP = f"""(all L:Z, a b:R, x y g:R~>R. 3 <= L => {POSITIVE} => {RATES} => all t:R. b <= t =>
    x(t) = (a*y(t)^{E} + (x(b)^{E} - a*y(b)^{E}))^(1/{E}))"""
SHALLOW = f"""(all L:Z, a b:R, x y g:R~>R. L = 2 => {POSITIVE} => {RATES} => all t:R. b <= t =>
    x(t) = y(t)^a*(x(b)/y(b)^a))"""


def slower(x: str, depth: str) -> str:
    """The smaller singular value x as a function of the larger one, s, at a depth."""
    return f"(all s:R. b <= s => 0 < {x}(s) and {x}(s) < s and {x}'(s) = a*({x}(s)/s)^(2 - 2/{depth}))"


WIDER = f"""(all K L:Z, a b:R, x z:R~>R. 2 <= K => K < L => 0 < a => 0 < b => {slower("x", "K")} => {slower("z", "L")} => x(b) = z(b) =>
    all s:R. b < s => z(s) < x(s))"""


@holds(
    "shin2025.cited-arora-dynamics",
    f"{DEEP} and {SHALLOW} and {WIDER}",
    context=(
        "deep linear network, two different singular values, singular vectors that do not change after t_0 = b, ratio a of "
        "the two driving terms constant [the cited work]"
    ),
    reading="the smaller singular value x of the product is a function of the larger one, y, and of a constant taken at t_0:"
    " x^(2/L - 1) = a y^(2/L - 1) + const for L >= 3, x = const y^a for L = 2. The gap widens with depth: from equal values, when the"
    " larger one has grown to the same s, the smaller one is smaller at the larger of any two depths from 2 on",
)
def one_singular_value_is_a_function_of_the_other(g: Goal) -> None:
    """The derivative of x^(2/L - 1) - a y^(2/L - 1) is 0. With p = 1 - 2/K, z^(-p) - x^(-p) increases in s; for K = 2 log x - log z."""

    def deep(g: Goal) -> None:
        g.fix()
        size, pos, rate = (g.assume() for _ in range(3))
        g.have("0 < L")
        g.have("2/L - 1 < 0", lambda g: g.pos(["@" + size, "1/L"], ["1/L"]))

        def known(g: Goal) -> None:
            (t,) = g.fix("t")
            g.assume()
            a, b = g.split(g.apply(pos, t))
            g.conj(lambda g: g.close_by(a), lambda g: g.close_by(b))

        def still(g: Goal) -> None:
            (t,) = g.fix("t")
            g.assume()
            g.split(g.apply(pos, t))
            r, s = g.split(g.apply(rate, t))
            g.field((r, f"{E}*x({t})^(2/L - 2)"), (s, f"-a*{E}*y({t})^(2/L - 2)"))

        k = g.by_fact("constant", "b", f"lam t:R. x(t)^{E} - a*y(t)^{E}", by=[known, still])
        g.fix("t")
        g.assume()
        g.split(g.apply(pos, "t"))
        k = g.apply(k, "t")
        inner = g.have(f"a*y(t)^{E} + (x(b)^{E} - a*y(b)^{E}) = x(t)^{E}", lambda g: g.field((k, -1)))
        g.rewrite(inner)
        p = g.by_fact("pow_pow", "x(t)", E, f"1/{E}")
        g.have(f"{E} != 0")
        one = g.have(f"x(t)^({E}*(1/{E})) = x(t)^1", lambda g: g.ctx(lambda g: g.field()))
        g.rewrite(p)
        g.rewrite(one)
        g.field()

    def shallow(g: Goal) -> None:
        g.fix()
        two, pos, rate = (g.assume() for _ in range(3))

        def known(g: Goal) -> None:
            (t,) = g.fix("t")
            g.assume()
            g.split(g.apply(pos, t))
            g.conj(None, None)

        def still(g: Goal) -> None:
            (t,) = g.fix("t")
            g.assume()
            g.split(g.apply(pos, t))
            r, s = g.split(g.apply(rate, t))
            r, s = g.rewritten(r, two), g.rewritten(s, two)
            g.field((r, f"1/x({t})"), (s, f"-a/y({t})"))

        k = g.by_fact("constant", "b", "lam t:R. log(x(t)) - a*log(y(t))", by=[known, still])
        g.fix("t")
        g.assume()
        g.split(g.apply(pos, "t"))
        g.split(g.apply(pos, "b"))
        k = g.apply(k, "t")
        value = g.have("log(x(t)) = a*log(y(t)) + (log(x(b)) - a*log(y(b)))", lambda g: g.field((k, 1)))
        e = g.by_fact("exp_log", "x(t)")
        same = g.have("exp(log(x(t))) = exp(a*log(y(t)) + (log(x(b)) - a*log(y(b))))", lambda g: (g.rewrite(value), g.refl())[-1])
        g.rewrite(e, back=True)
        g.rewrite(same)
        g.field()

    def known(g: Goal) -> None:
        (t,) = g.fix("t")
        g.split(g.assume())
        g.split_all(g.apply("of_x", t))
        g.split_all(g.apply("of_z", t))
        g.conj(None, None)

    def rates(g: Goal, gap: str) -> tuple[str, str, str, str]:
        """At a time t: its name, the two rates, and (z/t)^gap < 1."""
        (t,) = g.fix("t")
        g.split(g.assume())
        g.have(f"0 < {t}")
        _, _, dx = g.split_all(g.apply("of_x", t))
        _, below, dz = g.split_all(g.apply("of_z", t))
        one = g.have(f"z({t})/{t} < 1", lambda g: g.pos(["@" + below], mul=[t]))
        small = g.by_fact("pow_base_strict", f"z({t})/{t}", "1", gap, by=[None, lambda g: g.close_by(one), None])
        return t, dx, dz, g.have(f"(z({t})/{t})^{gap} < 1", lambda g: g.pos(["@" + small]))

    def wider(g: Goal) -> None:
        g.fix()
        for name in ("size", "deeper", "a_lo", "b_lo", "of_x", "of_z", "start"):
            g.assume(name)
        g.fix("s")
        g.assume("later")
        g.have("0 < K")
        g.have("0 < L")
        g.split_all(g.apply("of_x", "s"))
        g.split_all(g.apply("of_z", "s"))
        g.less_or_equal("2 <= K", deep_and_deeper, shallow_and_deeper)

    def deep_and_deeper(g: Goal) -> None:
        size = list(g.seq.hyps)[-1]
        p, gap = "(1 - 2/K)", "(2/K - 2/L)"
        positive = g.have(f"0 < {p}", lambda g: g.pos(["@" + size, "1/K"]))
        g.have(f"0 < {gap}", lambda g: g.pos(["2", "@deeper", "1/(K*L)"]))

        def slope(g: Goal) -> None:
            t, dx, dz, small = rates(g, gap)
            g.pos(["@" + positive, "a", f"{t}^(2/K - 2)", "@" + small], rw=[dx, dz])

        grows = g.by_fact(
            "mean_value_lt", "b", "s", f"lam s:R. z(s)^(-{p}) - x(s)^(-{p})", by=[known, slope, lambda g: g.close_by("later")]
        )
        far = g.contra()
        g.have(f"-{p} < 0", lambda g: g.pos(["@" + positive]))
        h = g.by_fact("pow_base_anti", "x(s)", "z(s)", f"-{p}", by=[None, lambda g: g.close_by(far), None])
        same = g.have(f"x(b)^(-{p}) = z(b)^(-{p})", lambda g: (g.rewrite("start"), g.refl())[-1])
        g.pos(["@" + grows], ["@" + h], eqs=[(same, -1)])

    def shallow_and_deeper(g: Goal) -> None:
        found = list(g.seq.hyps)[-1]
        two = g.have("K = 2", lambda g: g.field((found, -1)))
        gap = "(1 - 2/L)"
        g.have(f"0 < {gap}", lambda g: g.pos(["@deeper", "1/L"], eqs=[(two, "1/L")]))

        def slope(g: Goal) -> None:
            t, dx, dz, small = rates(g, gap)
            plain = g.have(f"x'({t}) = a*(x({t})/{t})", lambda g: g.field((g.rewritten(dx, two), 1)))
            g.pos(["a", f"1/{t}", "@" + small], rw=[plain, dz])

        grows = g.by_fact(
            "mean_value_lt", "b", "s", "lam s:R. log(x(s)) - log(z(s))", by=[known, slope, lambda g: g.close_by("later")]
        )
        far = g.contra()
        h = g.by_fact("log_mono", "x(s)", "z(s)", by=[None, lambda g: g.close_by(far)])
        same = g.have("log(x(b)) = log(z(b))", lambda g: (g.rewrite("start"), g.refl())[-1])
        g.pos(["@" + grows], ["@" + h], eqs=[(same, 1)])

    g.conj(deep, shallow, wider)
