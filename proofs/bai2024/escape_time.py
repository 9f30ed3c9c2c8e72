"""Section 4, M_1: a small start leaves a ball around 0 at some time, and then lies along the first singular vectors."""

from __future__ import annotations

from proofs.bai2024.escape_rates import growth
from proofs.bai2024.followed_limits import CLAIM
from verify.kernel import Goal
from verify.registry import part


@part(
    CLAIM,
    "exponential-growth",
    "all f:R~>R, l T:R. 0 <= T => (all t:R. 0 <= t and t <= T => l*f(t) <= f'(t)) => f(0)*exp(l*T) <= f(T)",
    says="A function that grows at a rate on an interval.",
)
def exponential_growth(g: Goal) -> None:
    """f(t) exp(-l t) does not decrease: the mean value theorem."""
    now, rate = g.intro()

    def some(g: Goal) -> None:
        pos = list(g.seq.hyps)[-1]
        k = g.fact("mean_value", 0, "T", "lam t:R. f(t)*exp(-l*t)")
        lo, hi, e = g.obtain(g.apply(k, by=[None, lambda g: g.close_by(pos)]), "c")
        grow = g.apply(rate, "c", by=[lambda g: g.conj(lambda g: g.pos(["@" + lo]), lambda g: g.pos(["@" + hi]))])
        d = g.have("D(t, f(t)*exp(-l*t), c) = (f'(c) - l*f(c))*exp(-l*c)", lambda g: g.field())
        e = g.rewritten(e, d)
        g.pos(["@" + grow, "exp(l*T)", "exp(-l*c)", "@" + pos], eqs=[(e, "exp(l*T)")])

    def none(g: Goal) -> None:
        g.rewrite(g.have("T = 0", lambda g: g.antisym()))
        g.pos()

    g.em("0 < T", some, none)


FORWARD, ACROSS = "(P({0}) - 2*e^2*(R({0}) - P({0})))", "(R({0}) - P({0}) - 2*e^2*P({0}))"
BALL = "(all t:R. 0 <= t => R(t) <= 2*e => " + growth("P(t)", "R(t)", "P'(t)", "R'(t)", "e^2") + ")"
AT_EXIT = (
    f"R(T) = 2*e and {FORWARD.format('0')}*exp(2.9*T) <= {FORWARD.format('T')} and"
    f" {ACROSS.format('T')} <= {ACROSS.format('0')}*exp(2.4*T) and R(T) <= R(0)*exp(4*T)"
)


@part(
    CLAIM,
    "first-exit",
    f"""all P R:R~>R, e:R. 0 < e => e <= 1/10 => (all t:R. 0 <= t => 0 <= P(t) and P(t) <= R(t)) => {BALL} =>
      R(0) < 2*e => 2*e^2*(R(0) - P(0)) < P(0) => ex T:R. 0 <= T and {AT_EXIT}""",
    says="The size of the factors reaches 2 e, and until then the part along the first singular vectors outgrows the rest.",
)
def first_exit(g: Goal) -> None:
    """The part along, less a multiple of the rest, grows at the rate 2.9, so the ball is left; take the first time."""
    epos, small, order, ball, inside, ahead = g.intro()
    e2 = g.have("e^2 <= 0.01", lambda g: g.pos(["@" + small, "1/10 + e"]))

    def until(g: Goal, T: str, stays: str, start: str) -> list[str]:
        """The bounds at a time until which the size is at most 2 e."""

        def rates(g: Goal) -> tuple[str, ...]:
            (t,) = g.fix("t")
            h = g.split(g.assume())
            k = g.apply(stays, t, by=[lambda g: g.conj(*[lambda g, x=x: g.close_by(x) for x in h])])  # type: ignore[misc]
            p, r = g.split(g.apply(order, t, by=[lambda g: g.close_by(h[0])]))
            return p, r, *g.split(g.apply(ball, t, by=[lambda g: g.close_by(h[0]), lambda g: g.close_by(k)]))

        def forward(g: Goal) -> None:
            _, r, a, b, _ = rates(g)
            g.pos(["@" + a], ["2*e^2", "@" + b], ["0.09 - 2*e^4", "P(t)"], ["0.28*e^2", "@" + r])

        def across(g: Goal) -> None:
            _, r, a, b, _ = rates(g)
            g.pos(["@" + b], ["2*e^2", "@" + a], ["0.18*e^2", "P(t)"], ["0.14 - 2*e^4", "@" + r])

        def whole(g: Goal) -> None:
            *_, c = rates(g)
            g.pos(["@" + c])

        fourth = g.have("0 <= 0.09 - 2*e^4", lambda g: g.pos(["2*e^2", "@" + e2], ["0.02", "@" + e2], ["0.0898"]))
        g.have("0 <= 0.14 - 2*e^4", lambda g: g.pos(["@" + fourth], ["0.05"]))
        f = FORWARD.format("t")
        one = g.lemma(CLAIM, "part:exponential-growth", f"lam t:R. {f}", "2.9", T, by=[lambda g: g.close_by(start), forward])
        a = ACROSS.format("t")
        two = g.lemma(CLAIM, "part:exponential-growth", f"lam t:R. -{a}", "2.4", T, by=[lambda g: g.close_by(start), across])
        three = g.lemma(CLAIM, "part:exponential-growth", "lam t:R. -R(t)", "4", T, by=[lambda g: g.close_by(start), whole])
        return [one, two, three]

    def leaves(g: Goal) -> None:
        no = g.contra()
        never = g.have("all t:R. 0 <= t => R(t) < 2*e", lambda g: staying(g, no))
        f = FORWARD.format("0")
        fpos = g.have(f"0 < {f}", lambda g: g.pos(["@" + ahead]))
        time = f"(2*e/{f})"
        start = g.have(f"0 <= {time}")
        stays = g.have(f"all t:R. 0 <= t and t <= {time} => R(t) <= 2*e", lambda g: weak(g, never))
        one, *_ = until(g, time, stays, start)
        conv = g.fact("exp_convex", f"2.9*{time}")
        last = g.apply(never, time, by=[lambda g: g.close_by(start)])
        p, r = g.split(g.apply(order, time, by=[lambda g: g.close_by(start)]))
        at = g.have(f"0 <= 2*e^2*(R({time}) - P({time}))", lambda g: g.pos(["2*e^2", "@" + r]))
        g.pos(["@" + one], [f, "@" + conv], ["@" + last], ["@" + r], ["@" + at], ["3.8*e"], ["@" + fpos])

    def staying(g: Goal, no: str) -> None:
        (t,) = g.fix("t")
        h = g.assume()
        bad = g.contra()
        g.clash(
            g.have(
                "ex b:R. 0 <= b and 2*e <= R(b)",
                lambda g: (g.witness(t), g.conj(lambda g: g.close_by(h), lambda g: g.close_by(bad)))[-1],
            ),
            no,
        )

    def weak(g: Goal, never: str) -> None:
        (t,) = g.fix("t")
        h = g.split(g.assume())
        k = g.apply(never, t, by=[lambda g: g.close_by(h[0])])
        g.pos(["@" + k])

    b = g.obtain(g.have("ex b:R. 0 <= b and 2*e <= R(b)", leaves), "b")
    exit_ = g.fact("first_exit", 0, "b", "lam t:R. 2*e - R(t)")
    lo, _, zero, before = g.obtain(
        g.apply(exit_, by=[None, lambda g: g.close_by(b[0]), lambda g: g.pos(["@" + inside]), lambda g: g.pos(["@" + b[1]])]), "T"
    )
    at = g.have("R(T) = 2*e", lambda g: g.field((zero, -1)))
    start = g.have("0 <= T", lambda g: g.pos(["@" + lo]))

    def stays(g: Goal) -> None:
        (t,) = g.fix("t")
        h = g.split(g.assume())

        def earlier(g: Goal) -> None:
            lt = list(g.seq.hyps)[-1]
            k = g.apply(before, t, by=[lambda g: g.conj(lambda g: g.close_by(h[0]), lambda g: g.close_by(lt))])
            g.pos(["@" + k])

        def last(g: Goal) -> None:
            eq = g.have(f"{t} = T", lambda g: g.antisym())
            g.rewrite(eq)
            g.pos(eqs=[(at, -1)])

        g.em(f"{t} < T", earlier, last)

    known = g.have("all t:R. 0 <= t and t <= T => R(t) <= 2*e", stays)
    one, two, three = until(g, "T", known, start)
    g.witness("T")
    g.conj(
        lambda g: g.close_by(start),
        lambda g: g.close_by(at),
        lambda g: g.pos(["@" + one]),
        lambda g: g.pos(["@" + two]),
        lambda g: g.pos(["@" + three]),
    )


ORDER = "(all t:R. 0 <= t => 0 <= P(t) and P(t) <= R(t))"
EVERY_BALL = f"(all c:R. 0 < c => c <= 1/10 => {BALL.replace('2*e', '2*c').replace('e^2', 'c^2')})"
SCALE = "al*r*(2*r/(p*e^2))^8 < e*p/r"
ALIGNED = "R({0}) = 2*e and R({0}) - P({0}) <= 2*e^2*P({0})"


@part(
    CLAIM,
    "aligned-exit",
    f"""all P R:R~>R, e p r al:R. 0 < e => e <= 1/10 => {ORDER} => {EVERY_BALL} => 0 < p => p <= r => 0 < al =>
      P(0) = al*p => R(0) = al*r => {SCALE} => ex T:R. 0 <= T and {ALIGNED.format("T")}""",
    says="From a small start with any part along the first singular vectors there is a time at which the size is 2 e and the rest is small.",
)
def aligned_exit(g: Goal) -> None:
    """The exit from a ball that is small enough for the start, whose time grows without bound as the scale falls; from there the exit
    from the ball in question."""
    epos, small, order, every, ppos, pr, apos, p0, r0, scale = g.intro()
    g.have("0 < r", lambda g: g.pos(["@" + pr], ["p"]))
    (k,) = g.obtain(g.have("ex k:R. k = e*p/(2*r)", lambda g: (g.witness("e*p/(2*r)"), g.refl())[-1]), "k")
    g.have("0 < k", lambda g: (g.rewrite(k), g.auto())[-1])
    half = g.have("k <= e/2", lambda g: g.pos(["e/(2*r)", "@" + pr], eqs=[(k, "-1")]))
    tenth = g.have("k <= 1/10", lambda g: g.pos(["@" + half], ["e/2"], ["@" + small]))
    e2 = g.have("e^2 <= 0.01", lambda g: g.pos(["@" + small, "1/10 + e"]))
    # k^2 r <= e^2 p / 4
    kr = g.have("2*k^2*r <= e^2*p/2", lambda g: g.pos(["e^2*p/(2*r)", "@" + pr], eqs=[(k, "-2*r*(k + e*p/(2*r))")]))
    (m,) = g.obtain(g.have("ex m:R. m = 2*r/(p*e^2)", lambda g: (g.witness("2*r/(p*e^2)"), g.refl())[-1]), "m")
    big = g.have("1 <= m", lambda g: g.pos(["2/(p*e^2)", "@" + pr], ["1/e^2", "@" + e2], ["1.99/e^2"], eqs=[(m, "1")]))
    g.have("0 < m", lambda g: g.pos(["@" + big], ["1"]))
    far = g.have("al*r*m^8 < 2*k", lambda g: (g.rewrite(m), g.rewrite(k), g.pos(["@" + scale]))[-1])
    power = g.have("1 <= m^8", lambda g: eighth(g, "1", "m", big))
    inside = g.have("R(0) < 2*k", lambda g: g.pos(["al*r", "@" + power], ["@" + far], eqs=[(r0, "-1")]))
    ahead = g.have(
        "2*k^2*(R(0) - P(0)) < P(0)",
        lambda g: g.pos(
            ["al", "@" + kr], ["2*al*k^2*p"], ["al*p/2", "@" + e2], ["0.995*al*p"], eqs=[(r0, "-2*k^2"), (p0, "1 + 2*k^2")]
        ),
    )
    ball = g.apply(every, "k", n=2)
    first = g.lemma(
        CLAIM,
        "part:first-exit",
        "P",
        "R",
        "k",
        by=[None, *[lambda g, h=h: g.close_by(h) for h in (tenth, order, ball, inside, ahead)]],
    )  # type: ignore[misc]
    start, size, grow, fall, total = g.obtain(first, "T")
    (w,) = g.obtain(g.have("ex w:R. w = exp(T/2)", lambda g: (g.witness("exp(T/2)"), g.refl())[-1]), "w")
    (q,) = g.obtain(g.have("ex q:R. q = exp(2.4*T)", lambda g: (g.witness("exp(2.4*T)"), g.refl())[-1]), "q")
    g.have("0 < w", lambda g: (g.rewrite(w), g.auto())[-1])
    g.have("0 < q", lambda g: (g.rewrite(q), g.auto())[-1])
    fast = g.have("exp(2.9*T) = q*w", lambda g: (g.rewrite(q), g.rewrite(w), g.field())[-1])
    whole = g.have("exp(4*T) = w^8", lambda g: (g.rewrite(w), g.field())[-1])
    slow = g.have("exp(2.4*T) = q", lambda g: g.field((q, -1)))
    grow, fall, total = g.rewritten(grow, fast), g.rewritten(fall, slow), g.rewritten(total, whole)
    p1, r1 = g.split(g.apply(order, "T", by=[lambda g: g.close_by(start)]))

    def late(g: Goal) -> None:
        less = g.contra()
        k8 = g.have("w^8 <= m^8", lambda g: eighth(g, "w", "m", less))
        g.pos(["@" + far], ["al*r", "@" + k8], ["@" + total], eqs=[(size, "1"), (r0, "-w^8")])

    long = g.have("m <= w", late)
    g.have("0 <= R(T) - P(T)", lambda g: g.pos(["@" + r1]))
    along = g.have(
        "al*p/2*q*w <= P(T)",
        lambda g: g.pos(
            ["@" + grow], ["2*k^2", "@" + r1], ["q*w*al", "@" + kr], ["2*al*k^2*p*q*w"], ["q*w*al*p/2", "@" + e2], ["0.495*q*w*al*p"],
            eqs=[(p0, "q*w*(1 + 2*k^2)"), (r0, "-2*k^2*q*w")],
        ),
    )  # fmt: skip
    rest = g.have(
        "al*r*q <= e^2*P(T)", lambda g: g.pos(["e^2", "@" + along], ["al*p*q*e^2/2", "@" + long], eqs=[(m, "al*p*q*e^2/2")])
    )
    near = g.have(
        "R(T) - P(T) <= 1.5*e^2*P(T)",
        lambda g: g.pos(
            ["@" + fall], ["@" + rest], ["2", "@" + half, "e/2 + k", "P(T)"], ["q*al*p*(1 + 2*k^2)"],
            eqs=[(r0, "-q"), (p0, "q*(1 + 2*k^2)")],
        ),
    )  # fmt: skip
    g.have("0 < P(T)", lambda g: g.pos(["@" + along], ["al*p/2*q*w"]))

    def later(g: Goal) -> str:
        g.fix("t")
        h = g.assume()
        return g.have("0 <= T + t", lambda g: g.pos(["@" + start], ["@" + h]))

    def ordered(g: Goal) -> None:
        h = later(g)
        g.close_by(g.apply(order, "T + t", by=[lambda g: g.close_by(h)]))

    def bounded(g: Goal) -> None:
        h = later(g)
        size = g.assume()
        own = g.apply(every, "e", by=[None, lambda g: g.close_by(small)])
        k = g.apply(own, "T + t", by=[lambda g: g.close_by(h), lambda g: g.close_by(size)])
        g.conj(*[lambda g, x=x: g.pos(["@" + x]) for x in g.split(k)])  # type: ignore[misc]

    second = g.lemma(
        CLAIM, "part:first-exit", "lam t:R. P(T + t)", "lam t:R. R(T + t)", "e",
        by=[
            None, lambda g: g.close_by(small), ordered, bounded,
            lambda g: g.pos(["2", "@" + half], ["e"], eqs=[(size, "-1")]),
            lambda g: g.pos(["2*e^2", "@" + near], ["P(T)", "@" + e2, "3*e^2"], ["0.03", "P(T)", "@" + e2], ["0.9997", "P(T)"]),
        ],
    )  # fmt: skip
    later_start, end, _, rest_, _ = g.obtain(second, "U")
    g.witness("T + U")
    g.conj(
        lambda g: g.pos(["@" + start], ["@" + later_start]),
        lambda g: g.field((end, 1)),
        lambda g: g.pos(
            ["@" + rest_], ["exp(2.4*U)", "@" + near], ["0.5*e^2*P(T)*exp(2.4*U)"],
        ),
    )  # fmt: skip


def eighth(g: Goal, x: str, y: str, h: str) -> None:
    """x^8 <= y^8 for x, y > 0 from x <= y or x < y."""
    gap = "@" + h
    g.pos(
        [
            gap,
            f"({x})^7 + ({x})^6*({y}) + ({x})^5*({y})^2 + ({x})^4*({y})^3 + ({x})^3*({y})^4 + ({x})^2*({y})^5 + ({x})*({y})^6 + ({y})^7",
        ]
    )
