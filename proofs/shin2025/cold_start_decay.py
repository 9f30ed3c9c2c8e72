"""Appendix E.2, the cold start: once the square of the first function is w*, the loss decays exponentially; the limit."""

from __future__ import annotations

from proofs.shin2025.cold_start_reduction import CLAIM, F, G, at, enter, known, reduced
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

LOSS = f"(2*{F}^2 + {G}^2)"
RATE = "k*(512*v^2 + 8*w^2) = w^3"
SINCE = (
    f"all h k c:R. 0 < h => h^2 = w => 0 < k => {RATE} => 2*a*h <= w => 0 <= c => u(c) = h => a <= x(c) => x(c) <= h =>"
    " y(c)^2 <= a*h =>"
)
ARRIVED = f"{SINCE} all t:R. c <= t => {{}}"
"""What holds from the time c on at which u^2 = w*; k is a rate of decay, and the start is small."""
NAMES = ["hpos", "square", "kpos", "rate", "small", "cpos", "arrived", "x_low", "x_high", "y_small"]


def later(g: Goal) -> None:
    """Fix h, k, c and name the hypotheses of ARRIVED."""
    enter(g)
    g.fix("h", "k", "c")
    for name in NAMES:
        g.assume(name)


def from_then_on(g: Goal, role: str, t: str | None = None) -> str:
    """A part in the form ARRIVED, at a time or for all."""
    premises: list[Script | None] = [lambda g, n=n: g.close_by(n) for n in NAMES]  # type: ignore[misc]
    h = known(g, role, "h", "k", "c", by=premises)
    return g.apply(h, t) if t else h


def put(text: str, t: str) -> str:
    return text.replace("(t)", f"({t})")


@part(
    CLAIM,
    "loss-at-arrival",
    reduced(f"{SINCE} {LOSS.replace('(t)', '(c)')} <= (v - w/8)^2"),
    says="When u^2 = w* the loss is below a bound that keeps u^2 above w*/4.",
)
def loss_at_arrival(g: Goal) -> None:
    """The residual of w11 is between -w* and 0, that of w12 between -(v - w*/4) and 0."""
    later(g)
    f, r = put(F, "c"), put(G, "c")
    cons = g.apply(known(g, "conserved"), "c")
    xpos = g.have("0 < x(c)", lambda g: g.pos(["@x_low"], ["a"]))
    hz = g.have("h*z(c) = x(c)*y(c)", lambda g: g.field((cons, 1), ("arrived", "-z(c)")))
    zy = g.have(
        "z(c)^2 <= a*h",
        lambda g: g.pos(["h^2", "@y_small"], ["y(c)^2", "@x_high", "h + x(c)"], mul=["h^2"], eqs=[(hz, "-(h*z(c) + x(c)*y(c))")]),
    )
    # F = (h x + y z)/2 - w and h y z = x y^2
    product = g.have("h*y(c)*z(c) = x(c)*y(c)^2", lambda g: g.field((hz, "y(c)")))
    low = g.have(
        f"-w <= {f}",
        lambda g: g.pos(["1/2*h^2", "x(c)"], ["1/2*y(c)^2", "x(c)"], mul=["h"], eqs=[(product, "1/2"), ("arrived", "h*x(c)/2")]),
    )
    high = g.have(
        f"{f} <= 0",
        lambda g: g.pos(
            ["1/2*(h^2 + y(c)^2)", "@x_high"],
            ["h/2", "@y_small"],
            ["h/4", "@small"],
            ["h/4", "w"],
            mul=["h"],
            eqs=[(product, "-1/2"), ("arrived", "-h*x(c)/2"), ("square", "-h/2")],
        ),
    )
    up = g.have(
        f"{r} <= 0",
        lambda g: g.pos(["1/2*z(c)^2"], ["@ratio"], ["19/2", "w"], eqs=[("arrived", "-(u(c) + h)/2"), ("square", "-1/2")]),
    )
    down = g.have(
        f"w/4 - v <= {r}",
        lambda g: g.pos(["1/2", f"@{zy}"], ["1/4", "@small"], eqs=[("arrived", "(u(c) + h)/2"), ("square", "1/2")]),
    )
    one = g.have(f"{f}^2 <= w^2", lambda g: g.pos([f"@{low}", f"@{high}"], ["w", f"@{low}"]))
    two = g.have(
        f"{r}^2 <= (v - w/4)^2", lambda g: g.pos([f"@{down}", f"@{up}"], [f"@{down}", "v - w/4"], side={"0 <= v - w/4": None})
    )
    g.pos(["2", f"@{one}"], [f"@{two}"], ["1/4*w", "@ratio"], ["29/64", "w^2"])
    del xpos


@part(
    CLAIM,
    "late",
    reduced(ARRIVED.format(f"w <= 4*u(t)^2 and x(t)^2*u(t)^2 <= 8*v^2 and {LOSS} <= v^2*exp(-k*(t - c))")),
    says="From then on u^2 >= w*/4, x u is bounded and the loss decays exponentially.",
)
def exponential_decay(g: Goal) -> None:
    """The loss does not increase, which bounds u^2 from below; then the two gradients span a fixed part of the residuals."""
    later(g)
    start = known(
        g,
        "loss-at-arrival",
        "h",
        "k",
        "c",
        by=[lambda g, n=n: g.close_by(n) for n in NAMES],  # type: ignore[misc]
    )
    cons = known(g, "conserved")

    def down(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.have("0 <= t", lambda g: g.nlin(products=1))
        g.pos(
            ["2", f"({F}*x(t) + {G}*u(t))^2"],
            ["2", f"{F}^2*u(t)^2"],
            ["2", f"({F}*y(t) - {G}*z(t))^2"],
            ["2", f"{F}^2*z(t)^2"],
            rw=at(g, "t"),
        )

    fall = g.by_fact("nonincreasing", "c", f"lam t:R. {LOSS}", by=[None, down])

    def bounded(g: Goal) -> None:
        g.fix("t")
        g.assume()
        m = g.apply(fall, "c", "t")
        g.pos([f"@{m}"], [f"@{start}"])

    below = g.have(f"all t:R. c <= t => {LOSS} <= (v - w/8)^2", bounded)

    def shape(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.have("0 <= t", lambda g: g.nlin(products=1))
        h = g.apply(below, "t")
        g.have("0 < v - w/8", lambda g: g.pos(["@ratio"], ["79/8", "w"]))

        def least(g: Goal) -> None:
            n = g.contra()
            # G < -(v - w/8), so G^2 exceeds (v - w/8)^2
            g.pos([f"@{n}", f"@{n}"], [f"@{n}", "2*(v - w/8)"], [f"@{h}"], [f"2*{F}^2"])

        floor = g.have(f"-(v - w/8) <= {G}", least)
        large = g.have("w <= 4*u(t)^2", lambda g: g.pos(["8", f"@{floor}"], ["4", "z(t)^2"]))
        g.have("0 < u(t)^2", lambda g: g.pos([f"@{large}", "1/4"], ["w/4"]))
        c = g.apply(cons, "t")
        w11 = f"({F} + w)"
        # u w11 = x (u^2 + y^2)/2
        q = g.have(f"2*u(t)*{w11} = x(t)*(u(t)^2 + y(t)^2)", lambda g: g.field((c, "y(t)")))
        s = g.have(
            f"x(t)^2*u(t)^2 <= 4*{w11}^2",
            lambda g: g.pos(
                ["x(t)^2", "2*u(t)^2*y(t)^2 + y(t)^4"], mul=["u(t)^2"], eqs=[(q, f"2*u(t)*{w11} + x(t)*(u(t)^2 + y(t)^2)")]
            ),
        )
        t = g.have(
            "x(t)^2*u(t)^2 <= 8*v^2",
            lambda g: g.pos(
                [f"@{s}"],
                ["4", f"@{h}"],
                [f"4*({F} - w)^2"],
                [f"4*{G}^2"],
                ["@ratio", "4*v"],
                ["@ratio", "41*w"],
                ["6431/16", "w^2"],
            ),
        )
        g.conj(lambda g: g.close_by(large), lambda g: g.close_by(t))

    shapes = g.have("all t:R. c <= t => w <= 4*u(t)^2 and x(t)^2*u(t)^2 <= 8*v^2", shape)

    def decay(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.have("0 <= t", lambda g: g.nlin(products=1))
        large, cross = g.split(g.apply(shapes, "t"))
        g.have("0 < u(t)^2", lambda g: g.pos([f"@{large}", "1/4"], ["w/4"]))
        n = "(x(t)^2 + 2*u(t)^2)"
        gap = f"@{large}"
        # u^6 (512 v^2 + 8 w^2) >= w^3 (8 v^2 + 2 u^4), by u^2 >= w/4
        cube = g.have(
            "w^3 <= 64*u(t)^6",
            lambda g: g.pos(
                [gap, gap, gap],
                ["3", gap, gap, "w"],
                ["3", gap, "w^2"],
            ),
        )
        ratio = g.have(
            f"k*{n} <= u(t)^4",
            lambda g: g.pos(
                ["w^3", f"@{cross}"],
                [f"@{cube}", "8*v^2"],
                ["2*w^2*u(t)^4", gap],
                mul=["u(t)^2", "512*v^2 + 8*w^2"],
                eqs=[("rate", f"-u(t)^2*{n}")],
            ),
        )
        p, q = f"({F}*x(t) + {G}*u(t))", f"({F}*u(t))"
        cauchy = g.have(
            f"u(t)^4*{LOSS} <= 2*{n}*({p}^2 + {q}^2)",
            lambda g: g.pos([f"u(t)^4*{G}^2"], [f"2*(x(t)*{p} + u(t)*{q})^2"], [f"2*u(t)^2*{p}^2"]),
        )
        bound = g.have(f"k*{LOSS} <= 2*({p}^2 + {q}^2)", lambda g: g.pos([f"@{cauchy}"], [f"@{ratio}", LOSS], mul=[n]))
        g.pos([f"@{bound}"], ["2", f"({F}*y(t) - {G}*z(t))^2"], ["2", f"{F}^2*z(t)^2"], rw=at(g, "t"))

    law = g.by_fact("gronwall", "c", f"lam t:R. {LOSS}", "lam t:R. -k*t", by=[None, decay])
    g.fix("t")
    g.assume()
    both = g.split(g.apply(shapes, "t"))

    def final(g: Goal) -> None:
        m = g.apply(law, "t")
        e = g.have("exp(-k*t - -k*c) = exp(-k*(t - c))", lambda g: g.ctx(lambda g: g.field()))
        m = g.have(f"{LOSS} <= {put(LOSS, 'c')}*exp(-k*(t - c))", lambda g: g.pos([f"@{m}"], eqs=[(e, put(LOSS, "c"))]))
        g.pos([f"@{m}"], [f"@{start}", "exp(-k*(t - c))"], ["w/8*(2*v - w/8)", "exp(-k*(t - c))"], side={"0 <= 2*v - w/8": None})

    g.conj(lambda g: g.close_by(both[0]), lambda g: g.close_by(both[1]), final)


DECAY = "exp(-(k*(t - c)/2))"


@part(
    CLAIM,
    "second-residual",
    reduced(ARRIVED.format(f"abs({F}) <= v*{DECAY} and abs({G}) <= v*{DECAY}")),
    says="Both residuals decay exponentially.",
)
def residuals_decay(g: Goal) -> None:
    """Each square is at most the loss."""
    later(g)
    g.fix("t")
    g.assume()
    late = g.split(from_then_on(g, "late", "t"))
    e = g.have(f"exp(-k*(t - c)) = {DECAY}^2", lambda g: g.field())
    g.have("0 < v", lambda g: g.pos(["@ratio"], ["10*w"]))

    def bound(value: str, rest: str) -> Script:
        def script(g: Goal) -> None:
            s = g.have(f"{value}^2 <= (v*{DECAY})^2", lambda g: g.pos([f"@{late[2]}"], [rest], eqs=[(e, "v^2")]))
            size = g.fact("abs_square", value)
            n = g.contra()
            g.pos([f"@{n}", f"@{n}"], [f"@{n}", f"2*v*{DECAY}"], [f"@{s}"], eqs=[(size, -1)])

        return script

    g.conj(bound(F, f"{F}^2 + {G}^2"), bound(G, f"2*{F}^2"))


@part(
    CLAIM,
    "ratio",
    reduced(ARRIVED.format("y(t)^2 <= a/h*exp(4*v/k)*u(t)^2")),
    says="(y/u)^2 stays of the order of the scale of the start.",
)
def ratio_stays_small(g: Goal) -> None:
    """(y/u)^2 has the logarithmic derivative 2 (w12 - v), whose integral is bounded."""
    later(g)
    res = from_then_on(g, "second-residual")
    late = from_then_on(g, "late")
    cons = known(g, "conserved")
    g.have("0 < v", lambda g: g.pos(["@ratio"], ["10*w"]))

    def positive(g: Goal) -> None:
        k = g.split(g.apply(late, "t"))[0]

        def nonzero(g: Goal) -> None:
            zero = g.contra()
            g.pos([f"@{k}"], ["w"], eqs=[(zero, "-4*u(t)")])

        g.have("u(t) != 0", nonzero)

    def smooth(g: Goal) -> None:
        g.fix("t")
        g.assume()
        positive(g)
        g.auto()

    def slower(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.have("0 <= t", lambda g: g.nlin(products=1))
        positive(g)
        r = g.split(g.apply(res, "t"))[1]
        size = g.split(g.apply(g.split(g.fact("abs_le", G, f"v*{DECAY}"))[0], by=[lambda g: g.close_by(r)]))[1]
        c = g.apply(cons, "t")
        q = "y(t)^2/u(t)^2"
        g.pos(["2", f"@{size}", q], rw=at(g, "t"), eqs=[(c, f"2*{F}*y(t)/u(t)^3")])

    law = g.by_fact("gronwall", "c", "lam t:R. y(t)^2/u(t)^2", f"lam t:R. -(4*v/k)*{DECAY}", by=[smooth, slower])
    g.fix("t")
    g.assume()
    positive(g)
    m = g.apply(law, "t")
    one = g.have("exp(-(k*(c - c)/2)) = 1", lambda g: g.field())
    power = f"exp(-(4*v/k)*{DECAY} - -(4*v/k)*exp(-(k*(c - c)/2)))"
    top = g.by_fact(
        "exp_mono",
        f"-(4*v/k)*{DECAY} - -(4*v/k)*exp(-(k*(c - c)/2))",
        "4*v/k",
        by=[lambda g: g.pos(["4*v/k", DECAY], eqs=[(one, "-4*v/k")])],
    )
    at_c = g.have("y(c)^2/u(c)^2 <= a/h", ratio_at_arrival)
    g.have("0 < u(t)^2", Goal.condition)
    g.pos(
        [f"@{m}", "u(t)^2"],
        [f"@{at_c}", power, "u(t)^2"],
        ["a/h", f"@{top}", "u(t)^2"],
    )


def ratio_at_arrival(g: Goal) -> None:
    """y(c)^2 <= a h and u(c) = h."""
    g.rewrite("arrived")
    g.pos(["@y_small"], mul=["h^2"])


BOUND = "a/h*exp(4*v/k)*(2*v + 32*v^2/w)^2"


@part(
    CLAIM,
    "limit",
    reduced(
        f"""all h k:R. 0 < h => h^2 = w => 0 < k => {RATE} => 2*a*h <= w => a < h => a*exp(4*v/k) <= h =>
        ex l:R. tends(t, (u(t)*x(t) + y(t)*z(t))/2, w) and tends(t, (u(t)^2 - z(t)^2)/2, v) and tends(t, (x(t)^2 - y(t)^2)/2, l) and
          0 <= w^2 - v*l and w^2 - v*l <= {BOUND}"""
    ),
    says="The product converges to a completion whose determinant is of the order of the scale of the start.",
)
def limit_of_small_determinant(g: Goal) -> None:
    """The observed entries converge exponentially, and so does w21, whose derivative is -(w11 - w*) (u x - y z). The determinant is
    ((u y + z x)/2)^2 = (y/u)^2 (u^2 + x^2)^2/4 with bounded u and x."""
    enter(g)
    g.fix("h", "k")
    for name in ("hpos", "square", "kpos", "rate", "small", "below", "tiny"):
        g.assume(name)
    arrival = known(g, "arrival", "h")
    g.obtain(arrival, "c", split=False, name="arr")
    g.split("arr", "cpos", "arrived", "x_low", "x_high", "y_small")
    late, res, ratio = (from_then_on(g, n) for n in ("late", "second-residual", "ratio"))
    cons = known(g, "conserved")
    g.have("0 < v", lambda g: g.pos(["@ratio"], ["10*w"]))

    def forward(g: Goal) -> None:
        """0 <= t + c."""
        g.nlin(products=1)

    # v exp(-k (t - c)/2) tends to 0
    e = g.by_fact("tends_exp_decay", "k/2")
    scale = g.have("ex q:R. q = v*exp(k*c/2)", lambda g: (g.witness("v*exp(k*c/2)"), g.refl())[-1])
    (scale,) = g.obtain(scale, "q", split=False)
    e = g.apply(g.fact("tends_scale", "q", "0", "lam t:R. exp(-(k/2)*t)"), by=[lambda g: g.close_by(e)])

    def same(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.field((scale, "exp(-(k/2)*t)"))

    e = g.by_fact("tends_ext", "0", "q*0", "lam t:R. q*exp(-(k/2)*t)", f"lam t:R. v*{DECAY}", by=[same, lambda g: g.close_by(e)])
    zero = g.have(f"tends(t, v*{DECAY}, 0)", lambda g: g.exact(e))
    minus = g.apply(g.fact("tends_scale", "-1", "0", f"lam t:R. v*{DECAY}"), by=[lambda g: g.close_by(zero)])
    minus = g.have(f"tends(t, -1*(v*{DECAY}), 0)", lambda g: g.exact(minus))

    def observed(which: int, residual: str, value: str, target: str) -> str:
        def between(g: Goal) -> None:
            g.fix("t")
            g.assume()
            r = g.split(g.apply(res, "t"))[which]
            both = g.split(g.apply(g.split(g.fact("abs_le", residual, f"v*{DECAY}"))[0], by=[lambda g: g.close_by(r)]))
            g.conj(lambda g: g.pos([f"@{both[0]}"]), lambda g: g.close_by(both[1]))

        s = g.by_fact(
            "tends_squeeze",
            "c",
            "0",
            f"lam t:R. -1*(v*{DECAY})",
            f"lam t:R. {residual}",
            f"lam t:R. v*{DECAY}",
            by=[between, lambda g: g.close_by(minus), lambda g: g.close_by(zero)],
        )
        const = g.fact("tends_const", target)
        total = g.apply(
            g.fact("tends_add", "0", target, f"lam t:R. {residual}", f"lam t:R. {target}"),
            by=[lambda g: g.close_by(s), lambda g: g.close_by(const)],
        )

        def agree(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.field()

        k = g.by_fact(
            "tends_ext",
            "0",
            f"0 + {target}",
            f"lam t:R. {residual} + {target}",
            f"lam t:R. {value}",
            by=[agree, lambda g: g.close_by(total)],
        )
        return g.have(f"tends(t, {value}, {target})", lambda g: g.exact(k))

    w11, w12, w21 = "(u(t)*x(t) + y(t)*z(t))/2", "(u(t)^2 - z(t)^2)/2", "(x(t)^2 - y(t)^2)/2"
    one = observed(0, F, w11, "w")
    two = observed(1, G, w12, "v")

    def facts(g: Goal, t: str) -> tuple[list[str], str, str]:
        """At t >= c: the parts late, ratio (with (y/u)^2 <= 1) and u z = x y."""
        g.have(f"0 <= {t}", lambda g: g.nlin(products=1))
        now = g.split(g.apply(late, t))
        k = g.apply(ratio, t)
        cap = g.have("a/h*exp(4*v/k) <= 1", lambda g: g.pos(["@tiny"], mul=["h"]))
        k = g.have(f"y({t})^2 <= u({t})^2", lambda g: g.pos([f"@{k}"], [f"@{cap}", f"u({t})^2"]))
        return now, k, g.apply(cons, t)

    def slow(g: Goal) -> None:
        g.fix("t")
        g.assume()
        s = "c + t"
        g.have("c <= c + t", lambda g: g.nlin(products=1))
        now, small, c = facts(g, s)
        rates = at(g, s)
        f, gap = put(F, s), f"(u({s})*x({s}) - y({s})*z({s}))"
        g.have(f"0 < u({s})^2", lambda g: g.pos([f"@{now[0]}", "1/4"], ["w/4"]))
        # u (u x - y z) = x (u^2 - y^2)
        q = g.have(f"u({s})*{gap} = x({s})*(u({s})^2 - y({s})^2)", lambda g: g.field((c, f"-y({s})")))
        size = g.have(
            f"{gap}^2 <= (3*v)^2",
            lambda g: g.pos(
                [f"@{now[1]}", f"u({s})^2"],
                [f"x({s})^2", f"@{small}", f"y({s})^2"],
                [f"x({s})^2", f"y({s})^2", f"u({s})^2"],
                [f"u({s})^2", "v^2"],
                mul=[f"u({s})^2"],
                eqs=[(q, f"-(u({s})*{gap} + x({s})*(u({s})^2 - y({s})^2))")],
            ),
        )
        bound = g.have(f"abs({gap}) <= 3*v", lambda g: root(g, gap, "3*v", size))
        d = "D(t, (x(c + t)^2 - y(c + t)^2)/2, t)"
        value = g.have(f"{d} = -{f}*{gap}", lambda g: g.field(rw=rates))
        g.rewrite(value)
        product = g.fact("abs_product", f"-{f}", gap)
        turned = g.fact("abs_product", "-1", f)
        unit = g.have("abs(-1) = 1", lambda g: g.field())
        turned = g.have(f"abs(-{f}) = abs({f})", lambda g: minus_abs(g, turned, unit, f))
        r = g.split(g.apply(res, s))[0]
        decay = g.have(f"exp(-(k*({s} - c)/2)) = exp(-(k/2)*t)", lambda g: g.field())
        g.have(f"0 <= abs({f})", lambda g: g.pos([f"abs({f})"]))
        g.pos(
            [f"@{bound}", f"abs({f})"],
            [f"@{r}", "3*v"],
            eqs=[(product, -1), (turned, f"-abs({gap})"), (decay, "3*v^2")],
        )

    law = g.by_fact("finite_length_limit", "3*v^2", "k/2", "lam t:R. (x(c + t)^2 - y(c + t)^2)/2", by=[None, None, slow])
    g.obtain(law, "l", split=False, name="lim")
    far = g.split("lim")[0]
    back = g.apply(g.fact("tends_shift", "-c", "l", "lam t:R. (x(c + t)^2 - y(c + t)^2)/2"), by=[lambda g: g.close_by(far)])

    def agree(g: Goal) -> None:
        g.fix("t")
        g.assume()
        m = g.have("c + (t + -c) = t", lambda g: g.field())
        g.rewrite(m)
        g.refl()

    three = g.by_fact(
        "tends_ext",
        "0",
        "l",
        "lam t:R. (x(c + (t + -c))^2 - y(c + (t + -c))^2)/2",
        f"lam t:R. {w21}",
        by=[agree, lambda g: g.close_by(back)],
    )
    # the determinant
    det = f"({w11})^2 - {w12}*({w21})".replace("(u(t)^2 - z(t)^2)/2", "((u(t)^2 - z(t)^2)/2)")
    square = g.apply(
        g.fact("tends_mul", "w", "w", f"lam t:R. {w11}", f"lam t:R. {w11}"),
        by=[lambda g: g.close_by(one), lambda g: g.close_by(one)],
    )
    other = g.apply(
        g.fact("tends_mul", "v", "l", f"lam t:R. {w12}", f"lam t:R. {w21}"),
        by=[lambda g: g.close_by(two), lambda g: g.close_by(three)],
    )
    other = g.apply(g.fact("tends_scale", "-1", "v*l", f"lam t:R. {w12}*({w21})"), by=[lambda g: g.close_by(other)])
    total = g.apply(
        g.fact("tends_add", "w*w", "-1*(v*l)", f"lam t:R. {w11}*({w11})", f"lam t:R. -1*({w12}*({w21}))"),
        by=[lambda g: g.exact(square), lambda g: g.exact(other)],
    )
    del det
    body = f"{w11}*({w11}) + -1*({w12}*({w21}))"

    def identity(g: Goal, t: str) -> str:
        return f"({put(body, t)}) = ((u({t})*y({t}) + z({t})*x({t}))/2)^2"

    def low(g: Goal) -> None:
        g.fix("t")
        g.assume()
        q = g.have(identity(g, "t"), lambda g: g.field())
        g.rewrite(q)
        g.pos(["((u(t)*y(t) + z(t)*x(t))/2)^2"])

    def high(g: Goal) -> None:
        g.fix("t")
        g.assume()
        now, small, c = facts(g, "t")
        k = g.apply(ratio, "t")
        g.have("0 < u(t)^2", lambda g: g.pos([f"@{now[0]}", "1/4"], ["w/4"]))
        q = g.have(identity(g, "t"), lambda g: g.field())
        g.rewrite(q)
        upper = g.have("u(t)^2 <= 4*v + x(t)^2", lambda g: top(g, small, c))
        side = g.have("x(t)^2 <= 32*v^2/w", lambda g: g.pos(["4", f"@{now[1]}"], [f"@{now[0]}", "x(t)^2"], mul=["w"]))
        s = g.have("(u(t)^2 + x(t)^2)/2 <= 2*v + 32*v^2/w", lambda g: g.pos(["1/2", f"@{upper}"], [f"@{side}"]))
        both = g.have(
            "((u(t)^2 + x(t)^2)/2)^2 <= (2*v + 32*v^2/w)^2", lambda g: g.pos([f"@{s}", "(u(t)^2 + x(t)^2)/2 + 2*v + 32*v^2/w"])
        )
        # u (u y + z x) = y (u^2 + x^2)
        p = g.have("u(t)*(u(t)*y(t) + z(t)*x(t)) = y(t)*(u(t)^2 + x(t)^2)", lambda g: g.field((c, "x(t)")))
        coefficient = "a/h*exp(4*v/k)"
        g.pos(
            [f"@{k}", "((u(t)^2 + x(t)^2)/2)^2"],
            [coefficient, "u(t)^2", f"@{both}"],
            mul=["u(t)^2"],
            eqs=[(p, "-1/4*(u(t)*(u(t)*y(t) + z(t)*x(t)) + y(t)*(u(t)^2 + x(t)^2))")],
        )

    def top(g: Goal, small: str, c: str) -> None:
        """u^2 = 2 (G + v) + z^2 with G <= v and z^2 <= x^2."""
        r = g.split(g.apply(res, "t"))[1]
        g_high = g.split(g.apply(g.split(g.fact("abs_le", G, f"v*{DECAY}"))[0], by=[lambda g: g.close_by(r)]))[1]
        unit = g.fact("exp_zero")
        m = g.by_fact("exp_mono", "-(k*(t - c)/2)", "0", by=[nonpositive])
        g.have("0 < u(t)^2")
        zx = g.have(
            "z(t)^2 <= x(t)^2", lambda g: g.pos(["x(t)^2", f"@{small}"], mul=["u(t)^2"], eqs=[(c, "-(u(t)*z(t) + x(t)*y(t))")])
        )
        g.pos(["2", f"@{g_high}"], ["2*v", f"@{m}"], [f"@{zx}"], eqs=[(unit, "2*v")])

    least = g.by_fact(
        "tends_le",
        "0",
        "0",
        "w*w + -1*(v*l)",
        "lam t:R. 0",
        f"lam t:R. {body}",
        by=[low, lambda g: g.close_by(g.fact("tends_const", "0")), lambda g: g.close_by(total)],
    )
    most = g.by_fact(
        "tends_le",
        "c",
        "w*w + -1*(v*l)",
        BOUND,
        f"lam t:R. {body}",
        f"lam t:R. {BOUND}",
        by=[high, lambda g: g.close_by(total), lambda g: g.close_by(g.fact("tends_const", BOUND))],
    )
    del forward
    g.witness("l")
    g.conj(
        lambda g: g.close_by(one),
        lambda g: g.close_by(two),
        lambda g: g.close_by(three),
        lambda g: g.pos([f"@{least}"]),
        lambda g: g.pos([f"@{most}"]),
    )


def nonpositive(g: Goal) -> None:
    """-(k (t - c)/2) <= 0 for t >= c."""
    h = next(n for n, f in g.seq.hyps.items() if f == ("<=", "c", "t"))
    g.pos(["k/2", f"@{h}"])


def minus_abs(g: Goal, turned: str, unit: str, f: str) -> None:
    """|-f| = |f| from |(-1) f| = |-1| |f|."""
    g.field((turned, 1), (unit, f"abs({f})"))


def root(g: Goal, value: str, bound: str, squares: str) -> None:
    """|value| <= bound from value^2 <= bound^2 for a bound >= 0."""
    size = g.fact("abs_square", value)
    n = g.contra()
    g.pos([f"@{n}", f"@{n}"], [f"@{n}", f"2*({bound})"], [f"@{squares}"], eqs=[(size, -1)])
