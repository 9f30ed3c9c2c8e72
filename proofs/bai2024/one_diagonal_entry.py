"""Proposition A.9: how a row of A and a column of B learn one positive diagonal entry from a small start."""

from __future__ import annotations

from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

CLAIM = "bai2024.prop-a9-step-sequential"
REST = "(4*mu - x(t) + y(t))"
"""Four times what is left to learn: x and y are the squared lengths of the sum and of the difference of the two vectors."""
PAIR = f"""0 < mu => 0 < c => x(0) = a => y(0) = e => 0 < a => 0 <= e => a <= 4*mu =>
  (all t:R. 0 <= t => x'(t) = c/2*{REST}*x(t) and y'(t) = -c/2*{REST}*y(t)) =>"""
BOUNDS = """0 <= y(t) and y(t) <= e and 0 < x(t) and x(t) <= 4*mu + e and x(t) <= a*exp(2*c*(mu + e/4)*t) and
  4*mu - 16*mu^2*exp(-2*c*mu*t)/a <= x(t)"""


def linear(g: Goal, laws: str, quantity: str, rate: str) -> str:
    """Adds quantity(t) = quantity(0) exp(K(t) - K(0)), t >= 0, K an antiderivative of the rate."""
    anti = g.by_fact("antiderivative", f"lam t:R. {rate}")
    k = f"K{sum(s[0] == 'F' for s in g.seq.ctx.values() if isinstance(s, tuple))}"
    law = g.obtain(anti, k)[1]

    def equation(g: Goal) -> None:
        g.fix("t")
        g.assume()
        rates = g.split(g.apply(laws, "t"))
        g.field((g.apply(law, "t"), f"-1*({quantity})"), rw=rates)

    return g.by_fact("linear_ode", 0, f"lam t:R. {quantity}", f"lam t:R. {k}(t)", by=[None, equation])


@part(
    CLAIM,
    "one-entry",
    f"all x y:R~>R, mu c a e:R. {PAIR} all t:R. 0 <= t => {BOUNDS}",
    says="growth of the sum of the pair, and decay of its difference, while one entry is learned",
)
def one_entry_is_learned(g: Goal) -> None:
    """What is left obeys r' = -(c/2)(x + y) r, so it stays nonnegative; 1/x - 1/(4 mu) decays at least like exp(-2 c mu t)."""
    g.fix()
    _, _, x0, y0, _, _, below, laws = (g.assume() for _ in range(8))
    xs, ys = linear(g, laws, "x(t)", f"c/2*{REST}"), linear(g, laws, "y(t)", f"-c/2*{REST}")
    rs = linear(g, laws, REST, "-c/2*(x(t) + y(t))")

    def positive(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.rewrite(g.apply(xs, "t"))
        g.rewrite(x0)
        g.auto()

    def nonnegative(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.rewrite(g.apply(ys, "t"))
        g.rewrite(y0)
        g.auto()

    def left(g: Goal) -> None:
        g.fix("t")
        g.assume()
        k = g.apply(rs, "t")
        e = g.hyp_formula(k)[2][-1]
        g.pos([e, f"@{below}"], [e, "e"], eqs=[(k, 1), (x0, ("*", -1, e)), (y0, e)])

    large = g.have("all t:R. 0 <= t => 0 < x(t)", positive)
    low = g.have("all t:R. 0 <= t => 0 <= y(t)", nonnegative)
    rest = g.have(f"all t:R. 0 <= t => 0 <= {REST}", left)

    def decreasing(g: Goal) -> None:
        g.fix("t")
        g.assume()
        r, v = g.apply(rest, "t"), g.apply(low, "t")
        g.pos(["c/2", f"@{r}", f"@{v}"], rw=g.split(g.apply(laws, "t")))

    y_down = g.by_fact("nonincreasing", 0, "lam t:R. y(t)", by=[None, decreasing])

    def small(g: Goal) -> None:
        g.fix("t")
        g.assume()
        h = g.apply(y_down, 0, "t")
        g.pos([f"@{h}"], eqs=[(y0, -1)])

    bounded = g.have("all t:R. 0 <= t => y(t) <= e", small)

    def growth(g: Goal) -> None:
        g.fix("t")
        g.assume()
        v, u = g.apply(bounded, "t"), g.apply(large, "t")
        g.pos(["c/2", f"@{v}", f"@{u}"], ["c/2", f"@{u}", f"@{u}"], rw=g.split(g.apply(laws, "t")))

    up = g.by_fact("gronwall", 0, "lam t:R. x(t)", "lam t:R. 2*c*(mu + e/4)*t", by=[None, growth])
    gap = "(1/x(t) - 1/(4*mu))*exp(2*c*mu*t)"

    def fading(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.apply(large, "t")
        g.apply(low, "t")
        g.pos(["c/2*y(t)/x(t)*exp(2*c*mu*t)"], rw=g.split(g.apply(laws, "t")))

    def smooth(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.apply(large, "t")
        g.auto()

    fades = g.by_fact("nonincreasing", 0, f"lam t:R. {gap}", by=[smooth, fading])
    g.fix("t")
    g.assume("later")
    v, u, r = g.apply(low, "t"), g.apply(large, "t"), g.apply(rest, "t")
    w, s = g.apply(bounded, "t"), g.apply(up, "t")
    f = g.apply(fades, 0, "t")
    g.apply(large, 0)

    def near(g: Goal) -> None:
        """x (1/(4 mu) + z/a) >= 1 for z = exp(-2 c mu t), and (4 mu - 16 mu^2 z/a)(1/(4 mu) + z/a) <= 1."""
        z = "exp(-2*c*mu*t)"
        inverse = g.have(f"1/x(t) <= 1/(4*mu) + {z}/a", lambda g: g.pos([f"@{f}", z], [f"{z}/(4*mu)"], eqs=[(x0, f"{z}/x(0)/a")]))
        q = f"{z}/a"
        g.pos([f"@{inverse}", "x(t)"], [f"({q})^2", "16*mu^2"], mul=[f"1/(4*mu) + {q}"])

    g.conj(
        lambda g: g.close_by(v),
        lambda g: g.close_by(w),
        lambda g: g.close_by(u),
        lambda g: g.pos([f"@{r}"], [f"@{w}"]),
        lambda g: g.exact(s, by=[lambda g: (g.rewrite(x0), g.field())[-1]]),
        near,
    )


@part(
    CLAIM,
    "null-square",
    "all f:R->R. tends(s, f(s)^2, 0) => tends(s, f(s), 0)",
    says="what has a square that tends to 0 tends to 0",
)
def null_squares_have_null_roots(g: Goal) -> None:
    """|f| < e if f^2 < e^2."""
    g.fix()
    square = g.assume()
    forward = g.split(g.fact("tends_epsilon", 0, "lam s:R. f(s)^2"))[0]
    small = g.apply(forward, by=[lambda g: g.close_by(square)], n=1)

    def near(g: Goal) -> None:
        g.fix("e")
        g.assume()
        (h,) = g.obtain(g.apply(small, "e^2"), "a", split=False)
        g.witness("a")
        g.fix("s")
        g.assume()
        k = g.apply(h, "s")
        plain = g.have("abs(f(s)^2 + -1*0) = abs(f(s)^2)", lambda g: g.ctx(lambda g: g.field()))
        value = g.have("abs(f(s)^2) = f(s)^2", lambda g: g.field())
        g.rewrite(g.have("abs(f(s) + -1*0) = abs(f(s))", lambda g: g.ctx(lambda g: g.field())))
        big = g.contra()
        q = g.fact("abs_square", "f(s)")
        g.pos([f"@{big}", f"@{big}"], [f"@{big}", "2*e"], [f"@{k}"], eqs=[(plain, 1), (value, 1), (q, -1)])

    g.close_by(g.apply(g.split(g.fact("tends_epsilon", 0, "lam s:R. f(s)"))[1], by=[near], n=1))


@part(
    CLAIM,
    "kept-direction",
    """all x p r:R~>R, a b al:R. 0 < al => 0 < a => x(0) = al^2*a => p(0) = al*b => (all t:R. 0 <= t => x'(t) = 2*r(t)*x(t) and p'(t) = r(t)*p(t)) =>
       all t:R. 0 <= t => 0 < x(t) and p(t) = b*sqrt(x(t)/a)""",
    says="the sum of the pair keeps its direction",
)
def direction_is_kept(g: Goal) -> None:
    """x = al^2 a exp(2 K) and p = al b exp(K), K an antiderivative of r."""
    g.fix()
    *_, x0, p0, laws = (g.assume() for _ in range(5))
    law = g.obtain(g.by_fact("antiderivative", "lam t:R. r(t)"), "K")[1]

    def equation(quantity: str, times: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.field((g.apply(law, "t"), f"-{times}*{quantity}"), rw=g.split(g.apply(laws, "t")))

        return script

    xs = g.by_fact("linear_ode", 0, "lam t:R. x(t)", "lam t:R. 2*K(t)", by=[None, equation("x(t)", 2)])
    ps = g.by_fact("linear_ode", 0, "lam t:R. p(t)", "lam t:R. K(t)", by=[None, equation("p(t)", 1)])
    g.fix("t")
    g.assume()
    x, p = g.apply(xs, "t"), g.apply(ps, "t")
    e = "exp(K(t) + -1*K(0))"
    value = g.have(f"x(t) = a*(al*{e})^2", lambda g: g.field((x, 1), (x0, f"{e}^2")))
    root = g.by_fact("sqrt_unique", "x(t)/a", f"al*{e}", by=[None, lambda g: g.field((value, "-1/a"))])
    g.conj(lambda g: (g.rewrite(value), g.auto())[-1], lambda g: g.field((p, 1), (p0, e), (root, "-b")))


FAMILY = """0 < mu => 0 < c => 0 < X => 0 <= Y => 0 <= tau =>
  (all al t:R. 0 < al => 0 <= t => d(1,x,al,t) = c/2*(4*mu - x(al,t) + y(al,t))*x(al,t) and
     d(1,y,al,t) = -c/2*(4*mu - x(al,t) + y(al,t))*y(al,t)) =>
  (all al:R. 0 < al => x(al,0) = al^2*X and y(al,0) = al^2*Y) =>"""
AT = "exp(-s),tau*s"


@part(
    CLAIM,
    "small-scale",
    f"""all x y:(R,R)~>R, mu c X Y tau:R. {FAMILY} tends(s, y({AT}), 0) and (c*mu*tau < 1 => tends(s, x({AT}), 0)) and
       (1 < c*mu*tau => tends(s, x({AT}), 4*mu))""",
    says="at the time tau log(1/alpha) the entry is learned, as alpha = exp(-s) tends to 0, if tau is above 1/(c mu), and not yet if it is below",
)
def entry_is_learned_at_its_time(g: Goal) -> None:
    """The bounds of the part one-entry, where exp(-2 s) X is the start and c (mu + e/4) tau tends to c mu tau."""
    g.fix()
    *_, laws, starts = (g.assume() for _ in range(7))

    def null(g: Goal, factor: str, rate: str) -> str:
        """Adds factor*exp(-rate*s) -> 0."""
        z = g.by_fact("tends_exp_decay", rate)
        z = g.apply(g.fact("tends_scale", factor, "0", f"lam s:R. exp(-1*({rate})*s)"), by=[lambda g: g.exact(z)])
        return g.have(f"tends(s, {factor}*exp(-1*({rate})*s), 0)", lambda g: g.exact(z, by=[lambda g: g.field()]))

    scaled = null(g, "X", "2")
    small = g.by_fact("tends_eventually_lt", "0", "4*mu", "lam s:R. X*exp(-1*2*s)", by=[lambda g: g.close_by(scaled)])
    (small,) = g.obtain(small, "s0", split=False)

    def bounds(g: Goal) -> None:
        g.fix("s")
        time = g.split(g.assume())[1]
        k = g.apply(small, "s")
        x0, y0 = g.split(g.apply(starts, "exp(-s)"))
        square = g.have("exp(-s)^2 = exp(-1*2*s)", lambda g: g.field())
        e0 = g.have("x(exp(-s),0) = X*exp(-1*2*s)", lambda g: g.field((x0, 1), (square, "X")))
        f0 = g.have("y(exp(-s),0) = Y*exp(-1*2*s)", lambda g: g.field((y0, 1), (square, "Y")))

        def flow(g: Goal) -> None:
            g.fix("t")
            g.assume()
            a, b = g.split(g.apply(laws, "exp(-s)", "t"))
            g.conj(lambda g: g.field((a, 1)), lambda g: g.field((b, 1)))

        by = [None, None, lambda g: g.close_by(e0), lambda g: g.close_by(f0), None, None]
        by += [lambda g: g.pos([f"@{k}"]), flow]
        names = ("lam t:R. x(exp(-s),t)", "lam t:R. y(exp(-s),t)", "mu", "c", "X*exp(-1*2*s)", "Y*exp(-1*2*s)")
        h = g.lemma(CLAIM, "part:one-entry", *names, by=by)
        g.exact(g.apply(h, "tau*s", by=[lambda g: g.pos(["tau", f"@{time}"])]), by=[lambda g: g.field()])

    x_start, y_start = "(X*exp(-1*2*s))", "(Y*exp(-1*2*s))"
    text = BOUNDS.replace("x(t)", f"x({AT})").replace("y(t)", f"y({AT})").replace("*t)", "*(tau*s))")
    text = text.replace("a*exp", f"{x_start}*exp").replace("/a", f"/{x_start}").replace("+ e", f"+ {y_start}")
    text = text.replace("<= e ", f"<= {y_start} ")
    known = g.have(f"all s:R. s0 <= s and 0 <= s => {text}", bounds)

    def from_start(g: Goal, h: str) -> list[str]:
        """From max(s0, 0) <= s (h), adds the bounds at s, and 0 <= s."""
        later, time = below_maximum(g, h, "s0", "0")
        both: list[Script | None] = [lambda g: g.conj(lambda g: g.close_by(later), lambda g: g.close_by(time))]
        return [*g.split(g.apply(known, "s", by=both)), time]

    start = "max(s0,0)"
    gone = null(g, "Y", "2")

    def squeeze_y(g: Goal) -> None:
        g.fix("s")
        low, high, *_ = from_start(g, g.assume())
        g.conj(lambda g: g.close_by(low), lambda g: g.close_by(high))

    zero = g.fact("tends_const", "0")
    y_gone = g.by_fact(
        "tends_squeeze", start, "0", "lam s:R. 0", f"lam s:R. y({AT})", "lam s:R. Y*exp(-1*2*s)",
        by=[squeeze_y, lambda g: g.close_by(zero), lambda g: g.close_by(gone)],
    )  # fmt: skip

    def early(g: Goal) -> None:
        slow = g.assume()
        gap = "(1 - c*mu*tau)"
        g.have(f"0 < {gap}", lambda g: g.pos([f"@{slow}"]))
        part_ = null(g, "c*tau*Y/4", "2")
        e = g.by_fact("tends_eventually_lt", "0", f"{gap}/2", "lam s:R. c*tau*Y/4*exp(-1*2*s)", by=[lambda g: g.close_by(part_)])
        (e,) = g.obtain(e, "s1", split=False)
        up = null(g, "X", gap)

        def squeeze(g: Goal) -> None:
            g.fix("s")
            one, two = below_maximum(g, g.assume(), "s1", "max(s0,0)")
            _, _, low, _, high, _, time = from_start(g, two)
            k = g.apply(e, "s", by=[lambda g: g.close_by(one)])
            order = g.have(
                f"-1*2*s + 2*c*(mu + Y*exp(-1*2*s)/4)*(tau*s) <= -1*{gap}*s", lambda g: g.pos(["2", f"@{k}", f"@{time}"])
            )
            m = g.by_fact(
                "exp_mono", "-1*2*s + 2*c*(mu + Y*exp(-1*2*s)/4)*(tau*s)", f"-1*{gap}*s", by=[lambda g: g.close_by(order)]
            )
            g.conj(lambda g: g.pos([f"@{low}"]), lambda g: g.pos([f"@{high}"], ["X", f"@{m}"]))

        g.close_by(
            g.by_fact(
                "tends_squeeze", "max(s1,max(s0,0))", "0", "lam s:R. 0", f"lam s:R. x({AT})", f"lam s:R. X*exp(-1*{gap}*s)",
                by=[squeeze, lambda g: g.close_by(zero), lambda g: g.close_by(up)],
            )
        )  # fmt: skip

    def late(g: Goal) -> None:
        fast = g.assume()
        rate = "2*(c*mu*tau - 1)"
        g.have(f"0 < {rate}", lambda g: g.pos(["2", f"@{fast}"]))
        low = null(g, "-16*mu^2/X", rate)
        target = g.fact("tends_const", "4*mu")
        ends = []
        for text, h in ((f"-16*mu^2/X*exp(-1*({rate})*s)", low), ("Y*exp(-1*2*s)", gone)):
            k = g.apply(
                g.fact("tends_add", "4*mu", "0", "lam s:R. 4*mu", f"lam s:R. {text}"),
                by=[lambda g: g.close_by(target), lambda g, h=h: g.close_by(h)],
            )
            ends.append((text, g.have(f"tends(s, 4*mu + {text}, 4*mu)", lambda g, k=k: g.exact(k, by=[lambda g: g.field()]))))

        def squeeze(g: Goal) -> None:
            g.fix("s")
            *_, upper, _, lower, _ = from_start(g, g.assume())
            g.conj(lambda g: g.pos([f"@{lower}"]), lambda g: g.close_by(upper))

        (a, ha), (b, hb) = ends
        g.close_by(
            g.by_fact(
                "tends_squeeze", start, "4*mu", f"lam s:R. 4*mu + {a}", f"lam s:R. x({AT})", f"lam s:R. 4*mu + {b}",
                by=[squeeze, lambda g: g.close_by(ha), lambda g: g.close_by(hb)],
            )
        )  # fmt: skip

    g.conj(lambda g: g.close_by(y_gone), early, late)


def below_maximum(g: Goal, h: str, x: str, y: str) -> tuple[str, str]:
    """From max(x, y) <= s (h), adds x <= s and y <= s."""
    cut = g.fact("max_cases", x, y)

    def case(g: Goal) -> None:
        order, value = g.split(last(g))
        g.pos([f"@{h}"], *([[f"@{order}"]] if g.hyp_formula(order)[1] == g.concl[1] else []), eqs=[(value, 1)])

    names = [g.have(f"{z} <= s", lambda g: g.cases(cut, case, case)) for z in (x, y)]
    return names[0], names[1]
