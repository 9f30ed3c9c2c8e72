"""Appendix G.3: a shorter path than in Lemma 31, by the fall of the residual; thresholds and constants that follow from it.

The residual falls by |J^T (F - y)|^2/|F - y| >= sigma_min(J) |J^T (F - y)| per unit of time, that is at least by sigma_min(J)
times the length of the path. So the length is at most |F(0) - y|/((1 - q) s) in the ball of radius q s: no sigma_max occurs.
"""

from __future__ import annotations

from proofs.shin2025.lazy_training import SMALL as SMALL_LATER
from proofs.shin2025.lazy_training import THEOREM_7, from_time_zero
from proofs.shin2025.measurement_flow import CORE, INSIDE, RADIUS, SETTING, capture, earlier, jt, loss, moved, n2, residual
from proofs.shin2025.small_loss import DECAY, SMALL, from_squares, half
from proofs.shin2025.stable_rank import COROLLARY, stable_rank
from verify.kernel import Goal
from verify.registry import part

CHAIN = "shin2025.proof-step-l31-chain"
LEMMA, LOSS, DISTANCE = "shin2025.lemma-31", "shin2025.theorem-26-loss", "shin2025.theorem-26-distance"
IN_BALL = f"(all u:R. 0 <= u => u < t => {INSIDE})"
AT = ("d", "M", "Z", "A", "B", "s", "S")


@part(
    LEMMA,
    "residual-stays-positive",
    f"{SETTING} all q t:R. {RADIUS} 0 <= t => {IN_BALL} => 0 < {n2(residual('0'))} => 0 < {n2(residual('t'))}",
    says="a residual that is not zero at the start does not vanish in the ball",
    uses=[CORE],
)
def residual_stays_positive(g: Goal) -> None:
    """loss(u) exp(2 (1+q)^2 S^2 u) does not fall."""
    ball, start = g.intro()[-2:]
    rate = "(2*(1+q)^2*S^2)"
    slope = g.lemma(CORE, "part:loss-derivative", *AT)
    spectrum = g.lemma(CORE, "part:spectrum-near", *AT)
    i = g.lemma(CORE, "part:mask-idempotent")

    def growing(g: Goal) -> None:
        (u,) = g.fix("u")
        g.split_all(g.assume())
        k = g.apply(spectrum, "q", f"A({u})", f"B({u})", by=[None, None, lambda g: g.close_by(g.apply(ball, u))])
        k = g.split(g.apply(k, residual(u)))[1]
        k = g.rewritten(k, g.apply(i, "d", "M", f"A({u}) @ B({u}) - Z"))
        e = g.apply(slope, u)
        dd = g.differentiate("u_", f"{loss('u_')}*exp({rate}*u_)", u)
        e2 = g.differentiate("u_", loss("u_"), u)
        g.rewrite(dd)
        x = f"exp({rate}*{u})"
        g.pos([x, f"@{k}"], eqs=[(e, x), (e2, f"-{x}")])

    h = g.by_fact("mean_value_le", "0", "t", f"lam u:R. {loss('u')}*exp({rate}*u)", by=[None, growing, None])
    g.pos([f"@{start}", f"exp(-{rate}*t)"], [f"@{h}", f"2*exp(-{rate}*t)"])


@part(
    LEMMA,
    "shorter",
    f"{SETTING} all q t:R. {RADIUS} 0 <= t => {IN_BALL} => {moved('t')} <= 2*{loss('0')}/((1-q)*s)^2",
    says="up to the exit from the ball of radius q s the distance is at most |F - y|/((1-q) s)",
    uses=[CORE, CHAIN],
)
def distance_by_the_fall_of_the_residual(g: Goal) -> None:
    """With U = Theta(t) - Theta(0), u = |U|, w = |F - y| and c = (1 - q) s: <U, Theta(v)> + u w(v)/c does not grow, since
    <U, Theta'> <= u |J^T (F - y)|, and w' = -|J^T (F - y)|^2/w where |J^T (F - y)| >= c w."""
    hs = g.intro()
    flow, ball = hs[2], hs[-1]
    c, x = "((1-q)*s)", moved("t")
    u, start, end = f"sqrt({x})", f"sqrt({n2(residual('0'))})", f"sqrt({n2(residual('t'))})"
    g.have("0 < 1 - q")
    slope, spectrum = g.lemma(CORE, "part:loss-derivative", *AT), g.lemma(CORE, "part:spectrum-near", *AT)
    stays, mask = g.lemma(LEMMA, "part:residual-stays-positive", *AT), g.lemma(CORE, "part:mask-idempotent")
    u0, square = g.by_fact("sqrt_nonneg", x), g.by_fact("sqrt_sq", x)
    inner = "(tr(T(A(t) - A(0)) @ (A(v) - A(0))) + tr(T(B(t) - B(0)) @ (B(v) - B(0))))"
    potential = f"-({u}/{c}*sqrt({n2(residual('v'))})) - {inner}"

    def positive(g: Goal, v: str) -> None:
        g.apply(stays, "q", v, by=[None, None, None, lambda g: earlier(g, ball), None])
        g.have(f"0 < sqrt({n2(residual(v))})")

    def smooth(g: Goal) -> None:
        (v,) = g.fix("v")
        g.split_all(g.assume())
        positive(g, v)
        g.auto()

    def grows(g: Goal) -> None:
        (v,) = g.fix("v")
        g.split_all(g.assume())
        positive(g, v)
        f = residual(v)
        speed = jt(f, f"A({v})", f"B({v})")
        p, w = f"sqrt({speed})", f"sqrt({n2(f)})"
        g.by_fact("sqrt_nonneg", speed)
        p2, w2 = g.by_fact("sqrt_sq", speed), g.by_fact("sqrt_sq", n2(f))
        fa, fb = g.split(g.apply(flow, v))
        k = g.apply(spectrum, "q", f"A({v})", f"B({v})", by=[None, None, lambda g: g.close_by(g.apply(ball, v))])
        k = g.rewritten(g.split(g.apply(k, f))[0], g.apply(mask, "d", "M", f"A({v}) @ B({v}) - Z"))

        def by_squares(g: Goal) -> None:
            more = g.contra()
            g.pos([f"@{more}", f"{c}*{w} + {p}"], [f"@{k}"], eqs=[(w2, f"-{c}^2"), (p2, 1)])

        steep = g.have(f"{c}*{w} <= {p}", by_squares)
        same = g.have(
            f"{p}^2 = {n2(f'A~({v})')} + {n2(f'B~({v})')}".replace("~", "'"),
            lambda g: (g.rewrite(fa), g.rewrite(fb), g.field((p2, 1)))[-1],
        )
        pairs = ["A(t) - A(0)", "B(t) - B(0)", f"A'({v})", f"B'({v})", u, p]
        scripts = [None, None, lambda g: g.close_by(square), lambda g: g.close_by(same)]
        along = g.lemma(CHAIN, "part:cauchy-schwarz", "d", *pairs, by=scripts)
        falls, loss_rate = g.apply(slope, v), g.differentiate("u_", loss("u_"), v)
        g.rewrite(g.differentiate("v_", potential.replace("(v)", "(v_)"), v))
        r = f"{u}/({c}*{w})"
        g.pos([f"@{along}"], [p, f"@{steep}", r], eqs=[(loss_rate, r), (falls, f"-{r}"), (p2, f"-{r}")])

    def moving(g: Goal) -> None:
        g.have(f"0 < {start}")
        h = g.by_fact("mean_value_le", "0", "t", f"lam v:R. {potential}", by=[smooth, grows, None])
        w2 = g.by_fact("sqrt_sq", n2(residual("0")))
        g.by_fact("sqrt_nonneg", n2(residual("t")))
        far = g.have(f"{u} <= {start}/{c}", lambda g: g.pos([f"@{h}"], [u, end, f"1/{c}"], mul=[u], eqs=[(square, -1)]))
        g.pos([f"@{far}", f"{start}/{c} + {u}"], eqs=[(square, 1), (w2, f"-1/{c}^2")])

    def at_rest(g: Goal) -> None:
        g.pos([n2(residual("0")), f"1/{c}^2"], eqs=[(square, 1), (list(g.seq.hyps)[-1], u)])

    def solved(g: Goal) -> None:
        zero = list(g.seq.hyps)[-1]
        h = g.apply(g.lemma(CORE, "part:distance-in-ball", *AT), "q", "t")
        g.pos([f"@{h}"], eqs=[(zero, f"((1+q)*S/((1-q)^2*s^2))^2 - 1/{c}^2")])

    def unsolved(g: Goal) -> None:
        g.cases(g.by_fact("lt_or_eq", "0", u, by=[lambda g: g.close_by(u0)]), moving, at_rest)

    g.cases(g.by_fact("lt_or_eq", "0", n2(residual("0"))), unsolved, solved)


FAR = f"2*{loss('0')}/((1-q)*s)^2"


@part(
    LOSS,
    "capture-by-length",
    f"""{SETTING} all q:R. {RADIUS} {FAR} < q^2*s^2 => all t:R. 0 <= t =>
        {moved("t")} <= q^2*s^2 and {moved("t")} <= {FAR} and {loss("t")} <= {loss("0")}*exp(-2*(1-q)^2*s^2*t)""",
    says="if the bound of the length is less than the radius q s, the path never leaves the ball",
    uses=[CORE, LEMMA],
)
def the_length_keeps_the_path_in_the_ball(g: Goal) -> None:
    """At the first exit the distance would be less than the radius."""
    small = g.intro()[-2]
    capture(g, g.lemma(LEMMA, "part:shorter", *AT), small)


@part(
    LOSS,
    "threshold-by-length",
    f"""{SETTING} {loss("0")} < s^4/32 => all t:R. 0 <= t => {DECAY} and sqrt({moved("t")}) <= 2*sqrt(2)/s*sqrt({loss("0")})""",
    says="loss(0) < sigma_min^4/32 suffices, without sigma_max and in every dimension, and the distance is at most "
    "(2 sqrt 2/sigma_min) sqrt(loss(0))",
    uses=[CORE],
)
def threshold_by_the_length(g: Goal) -> None:
    """Capture in the ball of radius s/2: 2 (1 - 1/2)^2 = 1/2 and 1/(1 - 1/2) = 2."""
    small = g.intro()[-2]
    e = half(g)
    h = g.lemma(LOSS, "part:capture-by-length", *AT)
    less = [None, None, lambda g: (g.rewrite(e), g.pos([f"@{small}", "8/s^2"]))[-1]]
    b = g.split(g.apply(g.apply(h, "1/2", by=less), "t"))
    far, decay = g.rewritten(b[1], e), b[2]
    x = loss("0")
    square = g.by_fact("sqrt_sq", x)
    g.by_fact("sqrt_nonneg", x)
    c = f"2*sqrt(2)/s*sqrt({x})"
    k = g.have(f"{moved('t')} <= ({c})^2", lambda g: g.pos([f"@{far}"], eqs=[(square, "8/s^2")]))
    g.conj(lambda g: g.pos([f"@{decay}"]), lambda g: from_squares(g, moved("t"), c, k))


SHORT = "(11/252*s/sqrt(d))"


@part(
    DISTANCE,
    "shorter",
    f"""{SETTING} {SMALL} => all t:R. 0 <= t => {loss("t")} <= {loss("0")}*exp(-441/242*s^2*t) and
        {moved("t")} <= 2*{loss("0")}/(21/22*s)^2 and {moved("t")} <= {SHORT}^2""",
    says="under the printed loss condition: the rate 441/242 sigma_min^2 in place of 1/2, the distance "
    "(22/21) sqrt 2/sigma_min sqrt(loss(0)) in place of 6 sqrt 2 sigma_max/sigma_min^2, and 11/252 in place of 1/4",
    uses=[CORE, LOSS],
)
def under_the_printed_condition(g: Goal) -> None:
    """Capture in the ball of radius s/22: loss(0) <= s^4/(1152 d), since s <= S."""
    small = g.intro()[-2]
    one = g.have("0 <= d - 1")
    order = g.lemma(CORE, "part:ordered", *AT)
    g.have("0 < S", lambda g: g.pos(["s"], [f"@{order}"]))
    smaller = g.have(f"{loss('0')} <= s^4/(1152*d)", lambda g: g.pos([f"@{small}"], [f"@{order}", "S + s", "s^4/(1152*d*S^2)"]))
    e = g.have("1 + (-1)*(1/22) = 21/22")
    h = g.lemma(LOSS, "part:capture-by-length", *AT)
    k = "2*(22/21)^2/s^2"
    rest = [["s^2*(22/21)^2/(576*d)", f"@{one}"], ["s^2", "1235/7683984"]]
    less = [None, None, lambda g: (g.rewrite(e), g.pos([f"@{smaller}", k], *rest))[-1]]
    b = g.split(g.apply(g.apply(h, "1/22", by=less), "t"))
    far, decay = g.rewritten(b[1], e), b[2]
    g.conj(lambda g: g.pos([f"@{decay}"]), lambda g: g.pos([f"@{far}"]), lambda g: g.pos([f"@{far}"], [f"@{smaller}", k]))


@part(
    "shin2025.corollary-27-sv-deviation",
    "shorter",
    f"""{SETTING} {SMALL} => all t:R. 0 <= t => {n2("A(t) - A(0)")} <= {SHORT}^2 and
        all i:Z. 1 <= i and i <= d => abs(sv(A(t),i) - sv(A(0),i)) <= {SHORT}""",
    says="the singular values of A move by at most 11 sigma_min/(252 sqrt d), also without balancedness",
    uses=[CORE, DISTANCE],
)
def singular_values_move_less(g: Goal) -> None:
    """Weyl's inequality and the shorter path."""
    g.intro()
    g.have("0 < d")
    k = g.split(g.apply(g.lemma(DISTANCE, "part:shorter", *AT), "t"))[2]
    k = g.have(f"{n2('A(t) - A(0)')} <= {SHORT}^2", lambda g: g.pos([f"@{k}"], [n2("B(t) - B(0)")]))

    def each(g: Goal) -> None:
        g.intro()
        s = g.lemma(CORE, "part:spectral-by-frobenius", "d", "d", SHORT, "A(t) - A(0)")
        w = g.fact("sv_perturbation", "d", "d", "i", "A(t)", "A(0)")
        g.pos([f"@{w}"], [f"@{s}"])

    g.conj(lambda g: g.close_by(k), each)


@part(
    "shin2025.corollary-27-stable-rank",
    "shorter",
    f"""{COROLLARY} all t:R. 0 <= t =>
        ((sqrt({n2("A(0)")}) - {SHORT})/(spec(A(0)) + {SHORT}))^2 <= {stable_rank("A(t)")}""",
    says="the bound with 11 sigma_min/(252 sqrt d) for A itself, that is with 4 sqrt(2d) replaced by 16.19... sqrt d",
    uses=[CORE, "shin2025.corollary-27-sv-deviation"],
)
def stable_rank_falls_less(g: Goal) -> None:
    """A moves by at most 11 s/(252 sqrt d), less than |A(0)|_F, which is at least s/sqrt 2."""
    balanced = g.intro()[-2]
    g.have("0 < d")
    one = g.have("0 <= d - 1")
    size = g.lemma(CORE, "part:start-size", *AT)
    e = g.have(f"{n2('A(0)')} = tr(B(0) @ T(B(0)))", lambda g: (g.rewrite(balanced), g.refl())[-1])
    size = g.have(f"s^2 <= 2*{n2('A(0)')}", lambda g: g.pos([f"@{size}"], eqs=[(e, "1")]))
    k = g.split(g.apply(g.lemma("shin2025.corollary-27-sv-deviation", "part:shorter", *AT), "t"))[0]
    root = g.by_fact("sqrt_sq", n2("A(0)"))
    g.by_fact("sqrt_nonneg", n2("A(0)"))
    a = f"sqrt({n2('A(0)')})"

    def inside(g: Goal) -> None:
        more = g.contra()
        c = "(11/252)^2"
        rest = [[f"2*{c}*s^2/d", f"@{one}"], ["s^2", "31631/31752"]]
        g.pos([f"@{more}", f"{SHORT} + {a}", "2"], [f"@{size}"], *rest, eqs=[(root, "2")])

    g.have(f"{SHORT} < {a}", inside)
    g.close_by(g.lemma(CORE, "part:stable-rank", "d", "d", SHORT, "A(t)", "A(0)", by=[None, None, lambda g: g.close_by(k)]))


@part(
    "shin2025.theorem-7-loss",
    "threshold-by-length",
    f"{THEOREM_7.replace(SMALL_LATER, loss('a') + ' < s^4/32')} {loss('t')} <= {loss('a')}*exp(-1/2*s^2*(t - a))",
    says="a loss below sigma_min^4/32 at T_1 suffices, without sigma_max and in every dimension",
    uses=[LOSS],
)
def loss_decays_below_the_better_threshold(g: Goal) -> None:
    """The threshold by the length of the path, from the time T_1."""
    hs = g.intro()
    h = g.split(from_time_zero(g, LOSS, "part:threshold-by-length", hs[3], balanced=False))[0]
    g.pos([f"@{h}"])


@part(
    "shin2025.theorem-7-stable-rank",
    "shorter",
    f"""{THEOREM_7} ((sqrt({n2("A(a)")}) - {SHORT})/(spec(A(a)) + {SHORT}))^2 <= {stable_rank("A(t)")}""",
    says="the bound with 11 sigma_min/(252 sqrt d) for A itself",
    uses=["shin2025.corollary-27-stable-rank"],
)
def stable_rank_falls_less_after_the_start(g: Goal) -> None:
    """Corollary 27 with the shorter path, from the time T_1."""
    hs = g.intro()
    g.close_by(from_time_zero(g, "shin2025.corollary-27-stable-rank", "part:shorter", hs[3]))
