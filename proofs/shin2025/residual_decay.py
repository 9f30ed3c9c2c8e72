"""Appendix G.3: the decay of the residual in the proof of Lemma 31; what Theorem 26 and Corollary 27 mean."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import CONTEXT, CORE, READING, SETTING, loss, moved, n2, residual
from proofs.shin2025.small_loss import BEFORE_EXIT, EXIT, SMALL, from_squares, half, in_half_ball
from proofs.shin2025.stable_rank import COROLLARY, printed_bound, stable_rank
from verify.kernel import Goal
from verify.registry import holds, part

NORM_T, NORM_0 = f"sqrt({n2(residual('t'))})", f"sqrt({n2(residual('0'))})"
DISTANCE = f"sqrt({moved('t')})"


@holds(
    "shin2025.proof-step-l31-sqrt",
    f"""(all C t:R, P:R~>R. 0 < C => 0 <= t => P(0) = 0 => (all u:R. 0 <= u => P'(u) = exp(-C*u)) => P(t) <= 1/C) and
        ({SETTING} all t:R. 0 <= t => {BEFORE_EXIT} => {NORM_T} <= {NORM_0}*exp(-1/4*s^2*t) and
        (all P:R~>R. P(0) = 0 => (all u:R. 0 <= u => P'(u) = exp(-1/4*s^2*u)) => {DISTANCE} <= 3/2*S*{NORM_0}*P(t)) and
        {DISTANCE} <= 6*S/s^2*{NORM_0})""",
    argument="sound",
    uses=[CORE, "shin2025.lemma-30"],
    reading=f"{READING} {EXIT}. P(t) is the integral of the exponential from 0 to t.",
    context=CONTEXT,
)
def residual_decay_and_final_integral(g: Goal) -> None:
    """Lemma 30 for the roots; the core bound of the distance with the factor 1 - exp(-s^2 t/4)."""

    def integral(g: Goal) -> None:
        g.intro()
        c0, t0, p0, rate = list(g.seq.hyps)[-4:]
        e = value(g, "P", "C", p0, rate)
        g.pos(["exp(-C*t)/C"], eqs=[(e, -1)])
        del c0, t0

    def value(g: Goal, p: str, c: str, p0: str, rate: str) -> str:
        """P(t) = (1 - exp(-c t))/c."""

        def flat(g: Goal) -> None:
            (u,) = g.fix("u")
            g.assume()
            r = g.apply(rate, u)
            g.field((r, 1))

        k = g.by_fact("constant", "0", f"lam u:R. {p}(u) + exp(-{c}*u)/{c}", by=[None, flat])
        k = g.apply(k, "t")
        return g.have(f"{p}(t) = (1 - exp(-{c}*t))/{c}", lambda g: g.field((k, 1), (p0, 1)))

    def along(g: Goal) -> None:
        hs = g.intro()
        before = hs[-1]
        x, y = n2(residual("t")), n2(residual("0"))
        ex, ey, em = g.by_fact("sqrt_sq", x), g.by_fact("sqrt_sq", y), g.by_fact("sqrt_sq", moved("t"))
        g.by_fact("sqrt_nonneg", y)
        d = g.apply(g.lemma("shin2025.lemma-30", "statement", "d", "M", "Z", "A", "B", "s", "S"), "t")

        def residuals(g: Goal) -> None:
            c = f"({NORM_0}*exp(-1/4*s^2*t))"
            k = g.have(f"{x} <= {c}^2", lambda g: g.pos([f"@{d}", "2"], eqs=[(ey, "exp(-1/2*s^2*t)")]))
            from_squares(g, x, c, k)

        in_half_ball(g, before)
        h = g.lemma(CORE, "part:distance-by-integral", "d", "M", "Z", "A", "B", "s", "S")
        h = g.rewritten(g.apply(h, "1/2", "t"), half(g))
        less = g.by_fact("exp_mono", "-1/4*s^2*t", "0", by=[lambda g: g.pos(["1/4*s^2", "t"])])
        one = g.fact("exp_zero")
        e = "(1 - exp(-1/4*s^2*t))"
        g.have(f"0 <= {e}", lambda g: g.pos([f"@{less}"], eqs=[(one, -1)]))
        top = f"(6*S/s^2*{NORM_0}*{e})"
        k = g.have(f"{moved('t')} <= {top}^2", lambda g: g.pos([f"@{h}"], eqs=[(ey, f"36*S^2/s^4*{e}^2")]))
        r = g.have(f"{DISTANCE} <= {top}", lambda g: from_squares(g, moved("t"), top, k))

        def by_integral(g: Goal) -> None:
            g.fix("P")
            p0, rate = g.assume(), g.assume()
            v = value(g, "P", "(1/4*s^2)", p0, rate)
            g.pos([f"@{r}"], eqs=[(v, f"3/2*S*{NORM_0}")])

        g.conj(residuals, by_integral, lambda g: g.pos([f"@{r}"], ["6*S/s^2", NORM_0, "exp(-1/4*s^2*t)"]))
        del ex, em

    g.conj(integral, along)


CONVERGES = f"tends(t, {loss('t')}, 0)"


@part(CORE, "converges", f"{SETTING} {SMALL} => {CONVERGES}", says="under the loss condition the loss converges to 0")
def loss_converges(g: Goal) -> None:
    """Squeezed by the exponential."""
    g.intro()
    h = g.lemma(CORE, "part:captured", "d", "M", "Z", "A", "B", "s", "S")

    def between(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        k = g.split(g.apply(h, t))[0]
        g.conj(None, lambda g: g.pos([f"@{k}"]))

    z = g.by_fact("tends_exp_decay", "1/2*s^2", by=[None])
    _, v, body, _ = g.hyp_formula(z)
    decay = ("lam", ((v, "R"),), body)
    scaled = g.by_fact("tends_scale", loss("0"), "0", decay, by=[lambda g: g.close_by(z)])
    _, v, body, _ = g.hyp_formula(scaled)
    top = g.have(("tends", v, body, 0), lambda g: g.exact(scaled))
    zero = g.fact("tends_const", "0")
    bound = ("lam", ((v, "R"),), body)
    scripts = [between, lambda g: g.close_by(zero), lambda g: g.close_by(top)]
    g.close_by(g.by_fact("tends_squeeze", "0", "0", "lam t:R. 0", f"lam t:R. {loss('t')}", bound, by=scripts))


@holds(
    "shin2025.assertion-g3-meaning",
    f"""{SETTING} {SMALL} => {CONVERGES} and all t:R. 0 <= t => {loss("t")} <= {loss("0")}*exp(-1/2*s^2*t) and
        {moved("t")} <= (3/49)^2*s^2/d""",
    argument="sound",
    uses=[CORE],
    reading=f"{READING} Quickly: at the exponential rate s^2/2; not significantly: by at most 3 s/(49 sqrt d), a small "
    f"multiple of sigma_min.",
    context=CONTEXT,
)
def fast_and_near(g: Goal) -> None:
    """Theorem 26 with the better distance."""
    g.intro()
    c = g.lemma(CORE, "part:converges", "d", "M", "Z", "A", "B", "s", "S")

    def bounds(g: Goal) -> None:
        g.intro()
        h = g.apply(g.lemma(CORE, "part:captured", "d", "M", "Z", "A", "B", "s", "S"), "t")
        g.split(h)
        g.conj()

    g.conj(lambda g: g.close_by(c), bounds)


@holds(
    "shin2025.assertion-a3-struggle",
    f"{COROLLARY} {CONVERGES} and all t:R. 0 <= t => {printed_bound('A(0)')} <= {stable_rank('A(t)')}",
    argument="sound",
    uses=[CORE, "shin2025.corollary-27-stable-rank"],
    reading=f"{READING} Little remains to be learned: the loss condition of Theorem 26 at the warm start. The loss "
    f"converges exponentially and the stable rank "
    "stays above the bound of Corollary 27, whether or not the new observations make the pattern connected.",
    context=CONTEXT,
)
def high_rank_persists(g: Goal) -> None:
    """Theorem 26 and Corollary 27."""
    g.intro()
    c = g.lemma(CORE, "part:converges", "d", "M", "Z", "A", "B", "s", "S")
    r = g.lemma("shin2025.corollary-27-stable-rank", "statement", "d", "M", "Z", "A", "B", "s", "S")
    g.conj(lambda g: g.close_by(c), lambda g: g.close_by(r))
