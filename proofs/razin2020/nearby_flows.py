"""Lemma 2: gradient flow depends on its start in a Lipschitz way."""

from __future__ import annotations

from proofs.razin2020.frobenius_norms import by_squares, square
from proofs.razin2020.problem import fro
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds

CLAIM = "razin2020.lemma-2"
GAP = "tr(T(x({0}) - y({0})) @ (x({0}) - y({0})))"
SETTING = f"""all n:Z, te be:R, Dom:V(n)->R, f:V(n)->R, N:V(n)->V(n), x y:R~>V(n). 0 <= te => 0 <= be =>
       (all p u:V(n). Dom(p) != 0 => D(s, f(p + s*u), 0) = tr(T(N(p)) @ u)) =>
       (all p q:V(n). Dom(p) != 0 and Dom(q) != 0 => {fro("N(q) - N(p)")} <= be*{fro("q - p")}) =>
       (all t:R. 0 <= t and t <= te => Dom(x(t)) != 0 and Dom(y(t)) != 0 and x'(t) = -N(x(t)) and y'(t) = -N(y(t))) =>"""
WHY_SMOOTH = (
    "for curves that are infinitely differentiable in time and go on beyond [0, T], as the flows of the factorisation do; printed for a twice continuously "
    "differentiable f, whose curves are differentiable twice"
)
SLOPE = "-2*tr(T(x({0}) - y({0})) @ (N(x({0})) - N(y({0}))))"
READING = (
    "x and y are the two curves, the domain consists of the p with Dom(p) != 0, N is the gradient of f; that f is twice continuously differentiable, and "
    "the domain open, is not needed"
)


@holds(
    "razin2020.lemma-2-step-gdot",
    f"""{SETTING}
       (all t:R. 0 <= t and t <= te => D(s, {GAP.format("s")}, t) = {SLOPE.format("t")} and {SLOPE.format("t")} <= 2*be*{GAP.format("t")}) and
       (all t u:R. 0 <= t and t <= u and u <= te => {GAP.format("u")} <= {GAP.format("t")}*exp(2*be*(u - t)))""",
    uses=["razin2020.lemma-12"],
    argument="sound",
    covers="instances",
    because=WHY_SMOOTH,
    reading=f"{READING}; the second part is shown from every time t on, also where g = 0",
)
def growth_of_the_squared_distance(g: Goal) -> None:
    """Cauchy-Schwarz; g(s) exp(-2 beta s) does not increase."""
    g.fix("n", "te", "be", "Dom", "f", "N", "x", "y")
    _time, beta, _grad, smooth, flow = (g.assume() for _ in range(5))

    def rate(g: Goal) -> None:
        (t,) = g.fix()
        inside = g.assume()
        dx, dy, fx, fy = g.split(g.apply(flow, t, by=[using(inside)]))

        def bound(g: Goal) -> None:
            k = g.apply(smooth, f"y({t})", f"x({t})", by=[lambda g: g.conj(using(dy), using(dx))])
            c = g.lemma("razin2020.lemma-12", "part:inner-product", "n", 1, f"x({t}) - y({t})", f"N(x({t})) - N(y({t}))")
            z = f"tr(T(x({t}) - y({t})) @ (N(x({t})) - N(y({t}))))"
            a = f"{fro(f'x({t}) - y({t})')}*{fro(f'N(x({t})) - N(y({t}))')}"
            c = g.split(g.apply(g.split(g.fact("abs_le", z, a))[0], by=[using(c)]))[0]
            s, low = square(g, "n", "1", f"x({t}) - y({t})")
            only(g, k, c, s, low)
            g.pos([2, f"@{c}"], [2, f"@{k}", f"@{low}"], eqs=[(s, "-2*be")])

        def derivative(g: Goal) -> None:
            g.rewrite(g.differentiate("s", GAP.format("s"), t))
            g.rewrite(fx)
            g.rewrite(fy)
            g.field()

        g.conj(derivative, bound)

    rates = g.have(
        f"all t:R. 0 <= t and t <= te => D(s, {GAP.format('s')}, t) = {SLOPE.format('t')} and {SLOPE.format('t')} <= 2*be*{GAP.format('t')}",
        rate,
    )

    def grow(g: Goal) -> None:
        t, u = g.fix()
        low, order, high = g.split(g.assume())
        scaled = f"-({GAP.format('s')}*exp(-(2*be*s)))"

        def rising(g: Goal) -> None:
            (v,) = g.fix()
            left, right = g.split(g.assume())
            inside = [lambda g: g.conj(lambda g: g.pos([f"@{low}"], [f"@{left}"]), lambda g: g.pos([f"@{right}"], [f"@{high}"]))]
            d, b = g.split(g.apply(rates, v, by=inside))
            only(g, d, b)
            e = f"exp(-(2*be*{v}))"
            g.pos([f"@{b}", e], eqs=[(d, f"-{e}")])

        k = g.by_fact("mean_value_le", t, u, f"lam s:R. {scaled}", by=[None, rising, using(order)])
        only(g, k)
        g.pos([f"@{k}", f"exp(2*be*{u})"])

    g.conj(using(rates), grow)
    del beta


@holds(
    CLAIM,
    f"""{SETTING} all t:R. 0 <= t and t <= te => {fro("x(t) - y(t)")} <= {fro("x(0) - y(0)")}*exp(be*t)""",
    uses=["razin2020.lemma-2-step-gdot", "razin2020.lemma-12"],
    argument="sound",
    covers="instances",
    because=WHY_SMOOTH,
    reading=READING,
)
def curves_stay_close(g: Goal) -> None:
    """The root of the bound of the squared distance."""
    g.fix("n", "te", "be", "Dom", "f", "N", "x", "y")
    given = [g.assume() for _ in range(5)]
    g.fix("t")
    inside = g.assume()
    low, high = g.split(inside)
    k = g.lemma(
        "razin2020.lemma-2-step-gdot",
        "statement",
        *("n", "te", "be", "Dom", "f", "N", "x", "y"),
        by=[using(h) for h in given],
    )
    k = g.split(k)[1]
    k = g.apply(k, 0, "t", by=[lambda g: g.conj(None, using(low), using(high))])
    a, _ = square(g, "n", "1", "x(t) - y(t)")
    b, lb = square(g, "n", "1", "x(0) - y(0)")
    bound = g.have(
        f"{fro('x(t) - y(t)')}^2 <= ({fro('x(0) - y(0)')}*exp(be*t))^2",
        lambda g: (only(g, a, b, k), g.pos([f"@{k}"], eqs=[(a, -1), (b, "exp(2*be*t)")]))[-1],
    )
    low = g.have(f"0 <= {fro('x(0) - y(0)')}*exp(be*t)", lambda g: g.pos([f"@{lb}", "exp(be*t)"]))
    by_squares(g, low, "", "", bound)


@holds(
    "razin2020.lemma-2-step-uniqueness",
    f"""{SETTING} all u:R. 0 <= u and u <= te => {GAP.format("u")} = 0 =>
       all t:R. u <= t and t <= te => x(t) = y(t) and {fro("x(t) - y(t)")} <= {fro("x(0) - y(0)")}*exp(be*t)""",
    uses=["razin2020.lemma-2-step-gdot", "razin2020.lemma-2"],
    argument="sound",
    covers="instances",
    because=WHY_SMOOTH,
    reading=f"{READING}; uniqueness is shown from the growth of the squared distance, without the theorem that is cited",
)
def curves_that_meet_stay_together(g: Goal) -> None:
    """g(t) <= g(u) exp(2 beta (t - u)) = 0."""
    names = g.fix("n", "te", "be", "Dom", "f", "N", "x", "y")
    given = [g.assume() for _ in range(5)]
    g.fix("u")
    inside, zero = g.assume(), g.assume()
    low, _ = g.split(inside)
    g.fix("t")
    order, high = g.split(g.assume())
    k = g.lemma("razin2020.lemma-2-step-gdot", "statement", *names, by=[using(h) for h in given])
    k = g.split(k)[1]
    k = g.apply(k, "u", "t", by=[lambda g: g.conj(using(low), using(order), using(high))])
    whole = g.lemma(CLAIM, "statement", *names, by=[using(h) for h in given])

    def equal(g: Goal) -> None:
        below = g.have(f"{GAP.format('t')} <= 0", lambda g: g.pos([f"@{k}"], eqs=[(zero, "-exp(2*be*(t - u))")]))
        none = g.have(f"{GAP.format('t')} = 0", lambda g: g.antisym(using(below), lambda g: g.pos([GAP.format("t")])))
        o = g.by_fact("frobenius_zero", "n", 1, "x(t) - y(t)", by=[using(none)])
        g.nc((o, 1, None, None))

    later = g.have("0 <= t", lambda g: g.pos([f"@{low}"], [f"@{order}"]))
    g.conj(equal, lambda g: g.close_by(g.apply(whole, "t", by=[lambda g: g.conj(using(later), using(high))])))
