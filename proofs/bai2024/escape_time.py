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
        z = list(g.seq.hyps)[-1]
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
            p, r, a, b, _ = rates(g)
            q = "(R(t) - P(t))"
            g.pos(
                ["@" + a], ["2*e^2", "@" + b], ["0.09 - 2*e^4", "P(t)"], ["0.28*e^2", "@" + r],
            )  # fmt: skip
            del q, p

        def across(g: Goal) -> None:
            p, r, a, b, _ = rates(g)
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
        g.clash(g.have("ex b:R. 0 <= b and 2*e <= R(b)", lambda g: (g.witness(t), g.conj(lambda g: g.close_by(h), lambda g: g.close_by(bad)))[-1]), no)

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
    g.conj(lambda g: g.close_by(start), lambda g: g.close_by(at), lambda g: g.pos(["@" + one]), lambda g: g.pos(["@" + two]), lambda g: g.pos(["@" + three]))
