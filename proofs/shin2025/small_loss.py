"""Appendix G.3.1: Lemmas 29 to 31 and Theorem 26, with the constants that the argument yields."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import (
    CONTEXT,
    CORE,
    DECLARED,
    MASK,
    READING,
    SETTING,
    extremes,
    flow,
    jt,
    loss,
    moved,
    n2,
    residual,
)
from verify.kernel import Goal
from verify.registry import holds, part

BALL = "s/(2*sqrt(d))"
BEFORE_EXIT = f"(all u:R. 0 <= u => u < t => sqrt({moved('u')}) < {BALL})"
SMALL = f"{loss('0')} <= s^6/(1152*d*S^2)"
DECAY = f"{loss('t')} <= {loss('0')}*exp(-1/2*s^2*t)"
NEAR = f"sqrt({moved('t')}) <= 6*sqrt(2)*S/s^2*sqrt({loss('0')})"
EXIT = "t <= tau is written: the distance is below s/(2 sqrt d) at all times before t"


def to_squares(g: Goal, h: str, x: str, c: str) -> str:
    """From sqrt(x) < c or sqrt(x) <= c, with 0 <= c: x <= c^2."""
    e = g.by_fact("sqrt_sq", x)
    n = g.by_fact("sqrt_nonneg", x)
    g.have(f"0 <= {c} + sqrt({x})", lambda g: g.pos([c], [f"@{n}"]))
    return g.have(f"{x} <= ({c})^2", lambda g: g.pos([f"@{h}", f"{c} + sqrt({x})"], eqs=[(e, "1")]))


def from_squares(g: Goal, x: str, c: str, h: str) -> None:
    """Close sqrt(x) <= c by x <= c^2, where c is visibly nonnegative."""
    e = g.by_fact("sqrt_sq", x)
    n = g.by_fact("sqrt_nonneg", x)
    more = g.contra()
    g.pos([f"@{h}"], [f"@{more}", f"@{more}"], [f"@{more}", "2", c], eqs=[(e, "-1")])
    del n


def in_half_ball(g: Goal, before: str) -> str:
    """The hypothesis of the core lemmas for q = 1/2, from the printed ball."""

    def inside(g: Goal) -> None:
        g.fix("v")
        g.assume()
        g.assume()
        k = to_squares(g, g.apply(before, "v"), moved("v"), BALL)
        one = g.have("0 <= d - 1")
        g.pos([f"@{k}"], ["s^2/(4*d)", f"@{one}"])

    return g.have(f"all u:R. 0 <= u => u < t => {moved('u')} <= (1/2)^2*s^2", inside)


@part(CORE, "ordered", f"{DECLARED} {extremes()} => s <= S", says="the smallest singular value is at most the largest")
def smallest_at_most_largest(g: Goal) -> None:
    """The smallest one is attained, and the largest bounds it there."""
    _, _s0, _, low_at, _big, high, _ = g.intro()
    _p, e = g.obtain(low_at, "Y")
    k = g.apply(high, "Y")
    sq = g.have("s^2 <= S^2", lambda g: g.pos([f"@{k}"], mul=[n2("had(M, Y)")], eqs=[(e, "1")]))
    less = g.contra()
    g.pos([f"@{sq}"], [f"@{less}", f"@{less}"], [f"@{less}", "2", "S"])


@holds(
    "shin2025.lemma-29",
    f"""{DECLARED} {extremes()} => all U V:M(d,d). sqrt({n2("U - A(0)")} + {n2("V - B(0)")}) <= {BALL} => all X:M(d,d).
        (s/2)^2*{n2("had(M, X)")} <= {jt("had(M, X)", "U", "V")} and {jt("had(M, X)", "U", "V")} <=
        (3*S/2)^2*{n2("had(M, X)")}""",
    argument="repaired",
    uses=[CORE],
    reading=f"{READING} The conclusion says sigma_min(J(U, V)) >= s/2 and sigma_max(J(U, V)) <= 3 S/2 in the same way.",
    context=CONTEXT,
    reason=(
        "The paper cites the lemma. The constants 1/2 and 3/2 follow already in the larger ball of radius sigma_min/2, "
        "since J is 1-Lipschitz."
    ),
)
def singular_values_near_the_start(g: Goal) -> None:
    """The printed ball lies in the ball of radius s/2, where the singular values move by at most s/2."""
    _, _s0, _low, _low_at, _big, _high, _high_at, close = g.intro()
    x = f"{n2('U - A(0)')} + {n2('V - B(0)')}"
    k = to_squares(g, close, x, BALL)
    one = g.have("0 <= d - 1")
    k = g.have(f"{x} <= (1/2)^2*s^2", lambda g: g.pos([f"@{k}"], ["s^2/(4*d)", f"@{one}"]))
    h = g.lemma(CORE, "part:spectrum-near", "d", "M", "Z", "A", "B", "s", "S")
    h = g.apply(g.apply(h, "1/2", "U", "V"), "X")
    lo, hi = g.split(h)
    g.conj(lambda g: g.pos([f"@{lo}"]), lambda g: g.pos([f"@{hi}"]))


@holds(
    "shin2025.lemma-30",
    f"{SETTING} all t:R. 0 <= t => {BEFORE_EXIT} => {DECAY}",
    argument="repaired",
    uses=[CORE],
    reading=f"{READING} {EXIT}.",
    context=CONTEXT,
    reason="The same rate holds up to the exit from the larger ball of radius sigma_min/2; the printed "
    "derivative has a sign error.",
)
def decay_up_to_the_exit(g: Goal) -> None:
    """The general decay in a ball of radius q s, for q = 1/2: 2 (1 - q)^2 = 1/2."""
    hs = g.intro()
    ball = in_half_ball(g, hs[-1])
    h = g.lemma(CORE, "part:loss-in-ball", "d", "M", "Z", "A", "B", "s", "S")
    h = g.apply(h, "1/2", "t")
    g.pos([f"@{h}"])
    del ball


def radius(g: Goal, far: str) -> None:
    """Close the printed distance bound by moved <= 2 (6 S/s^2)^2 loss."""
    x = loss("0")
    e = g.by_fact("sqrt_sq", x)
    g.by_fact("sqrt_nonneg", x)
    c = f"6*sqrt(2)*S/s^2*sqrt({x})"
    k = g.have(f"{moved('t')} <= ({c})^2", lambda g: g.pos([f"@{far}"], eqs=[(e, "72*S^2/s^4")]))
    from_squares(g, moved("t"), c, k)


@holds(
    "shin2025.lemma-31",
    f"{SETTING} all t:R. 0 <= t => {BEFORE_EXIT} => {NEAR}",
    argument="repaired",
    uses=[CORE],
    reading=f"{READING} {EXIT}.",
    context=CONTEXT,
    reason="6 sqrt 2 is what the argument yields: (1 + 1/2)/(1 - 1/2)^2 sqrt 2; the printed first equality of "
    "the chain is an inequality.",
)
def distance_up_to_the_exit(g: Goal) -> None:
    """The general distance in a ball of radius q s, for q = 1/2: (1 + q)/(1 - q)^2 = 6."""
    hs = g.intro()
    in_half_ball(g, hs[-1])
    h = g.lemma(CORE, "part:distance-in-ball", "d", "M", "Z", "A", "B", "s", "S")
    h = g.apply(h, "1/2", "t")
    radius(g, g.rewritten(h, half(g)))


@holds(
    "shin2025.eq-76",
    f"{SETTING} all t:R. 0 <= t => {BEFORE_EXIT} => {DECAY} and {NEAR}",
    argument="sound",
    uses=["shin2025.lemma-30", "shin2025.lemma-31"],
    reading=f"{READING} {EXIT}.",
    context=CONTEXT,
)
def both_bounds_up_to_the_exit(g: Goal) -> None:
    """Lemmas 30 and 31."""
    g.intro()
    g.conj(*[lambda g, c=c: use(g, c) for c in ("shin2025.lemma-30", "shin2025.lemma-31")])


def half(g: Goal) -> str:
    return g.have("1 + (-1)*(1/2) = 1/2")


def use(g: Goal, claim: str) -> None:
    h = g.lemma(claim, "statement", "d", "M", "Z", "A", "B", "s", "S")
    g.close_by(g.apply(h, "t"))


def threshold(g: Goal, small: str) -> str:
    """2 (S/s^2)^2 loss(0) <= s^2/(576 d)."""
    o = g.lemma(CORE, "part:ordered", "d", "M", "Z", "A", "B", "s", "S")
    g.have("0 < S", lambda g: g.pos(["s"], [f"@{o}"]))
    return g.have(f"2*(S/s^2)^2*{loss('0')} <= s^2/(576*d)", lambda g: g.pos(["2*(S/s^2)^2", f"@{small}"]))


@part(
    CORE,
    "captured",
    f"""{SETTING} {SMALL} => all t:R. 0 <= t => {DECAY} and {moved("t")} <= 72*(S/s^2)^2*{loss("0")} and
        {moved("t")} <= (3/49)^2*s^2/d""",
    says="under the loss condition: both bounds for all times; the distance is even at most 3 sigma_min/(49 sqrt d)",
)
def captured(g: Goal) -> None:
    """Capture in the balls of radius s/2 and s/8."""
    hs = g.intro()
    k = threshold(g, hs[-2])
    one = g.have("0 <= d - 1")
    h = g.lemma(CORE, "part:capture", "d", "M", "Z", "A", "B", "s", "S")
    e2 = half(g)
    e8 = g.have("1 + (-1)*(1/8) = 7/8")
    wide = [None, None, lambda g: (g.rewrite(e2), g.pos([f"@{k}", "36"], ["s^2/d", f"@{one}", "1/4"], ["s^2/d", "3/16"]))[-1]]
    tight = [
        None,
        None,
        lambda g: (g.rewrite(e8), g.pos([f"@{k}", "(72/49)^2"], ["s^2/d", f"@{one}", "1/64"], ["s^2/d", "1825/153664"]))[-1],
    ]
    b = g.apply(g.apply(h, "1/2", by=wide), "t")
    n = g.apply(g.apply(h, "1/8", by=tight), "t")
    b2, b3 = g.split(b)[1:]
    n2_ = g.split(n)[1]
    b2, n2_ = g.rewritten(b2, e2), g.rewritten(n2_, e8)
    g.conj(
        lambda g: g.pos([f"@{b3}"]),
        lambda g: g.pos([f"@{b2}"]),
        lambda g: g.pos([f"@{n2_}"], [f"@{k}", "(72/49)^2"]),
    )


@holds(
    "shin2025.theorem-26-loss",
    f"{SETTING} {SMALL} => all t:R. 0 <= t => {DECAY}",
    argument="repaired",
    uses=[CORE],
    reading=READING,
    context=CONTEXT,
    reason=(
        "1152 d is what the printed Lipschitz constant sqrt d and a safety factor 2 give. Since J is 1-Lipschitz, "
        "loss(0) < sigma_min^6/(288 sigma_max^2) suffices, for every d (part:better-threshold); by the length of the path even "
        "loss(0) < sigma_min^4/32 (part:threshold-by-length)."
    ),
)
def loss_decays(g: Goal) -> None:
    """The flow is captured in the ball of radius s/2."""
    g.intro()
    h = g.lemma(CORE, "part:captured", "d", "M", "Z", "A", "B", "s", "S")
    g.close_by(g.split(g.apply(h, "t"))[0])


@part(
    "shin2025.theorem-26-loss",
    "zero-sigma-min",
    f"{DECLARED} {MASK} => {flow()} => s = 0 => 0 < S => {SMALL} => all t:R. 0 <= t => {DECAY}",
    says="the bound also holds for sigma_min = 0 < sigma_max, where the condition says that the loss is 0",
    uses=[CORE],
)
def loss_stays_zero(g: Goal) -> None:
    """The loss does not grow, and begins at 0."""
    _d1, _m, _f, zero, _top, small, _t0 = g.intro()
    g.have(f"{loss('0')} <= 0", lambda g: g.pos([f"@{small}"], eqs=[(zero, "-s^5/(1152*d*S^2)")]))
    slope = g.lemma(CORE, "part:loss-derivative", "d", "M", "Z", "A", "B", "s", "S")

    def falling(g: Goal) -> None:
        (u,) = g.fix("u")
        g.split_all(g.assume())
        e, e2 = g.apply(slope, u), g.differentiate("u_", loss("u_"), u)
        g.rewrite(g.differentiate("u_", f"-{loss('u_')}", u))
        g.pos([jt(residual(u), f"A({u})", f"B({u})")], eqs=[(e, -1), (e2, 1)])

    h = g.by_fact("mean_value_le", "0", "t", f"lam u:R. -{loss('u')}", by=[None, falling, None])
    equal = g.have(f"{loss('0')} = 0", lambda g: g.antisym())
    g.pos([f"@{h}"], eqs=[(equal, "exp(-1/2*s^2*t) - 1")])


@part(
    "shin2025.theorem-26-loss",
    "better-threshold",
    f"""{SETTING} {loss("0")} < s^6/(288*S^2) => all t:R. 0 <= t => {DECAY} and {NEAR}""",
    says="the conclusions of Theorem 26 under the weaker, dimension-free condition loss(0) < sigma_min^6/(288 sigma_max^2)",
    uses=[CORE],
)
def better_threshold(g: Goal) -> None:
    """The radius s/2 is not reached when 72 (S/s^2)^2 loss(0) < s^2/4."""
    hs = g.intro()
    o = g.lemma(CORE, "part:ordered", "d", "M", "Z", "A", "B", "s", "S")
    g.have("0 < S", lambda g: g.pos(["s"], [f"@{o}"]))
    h = g.lemma(CORE, "part:capture", "d", "M", "Z", "A", "B", "s", "S")
    e = half(g)
    small = [None, None, lambda g: (g.rewrite(e), g.pos([f"@{hs[-2]}", "72*(S/s^2)^2"]))[-1]]
    b = g.apply(g.apply(h, "1/2", by=small), "t")
    _, b2, b3 = g.split(b)
    g.conj(lambda g: g.pos([f"@{b3}"]), lambda g: radius(g, g.rewritten(b2, e)))


@holds(
    "shin2025.theorem-26-distance",
    f"{SETTING} {SMALL} => all t:R. 0 <= t => {NEAR}",
    argument="repaired",
    uses=[CORE],
    reading=READING,
    context=CONTEXT,
    reason="6 sqrt 2 follows from the argument. Under the loss condition (22/21) sqrt 2/sigma_min in place of "
    "6 sqrt 2 sigma_max/sigma_min^2 is possible (part:shorter).",
)
def parameters_stay_near(g: Goal) -> None:
    """The flow is captured in the ball of radius s/2."""
    g.intro()
    h = g.lemma(CORE, "part:captured", "d", "M", "Z", "A", "B", "s", "S")
    radius(g, g.split(g.apply(h, "t"))[1])


@holds(
    "shin2025.proof-step-threshold-constant",
    """all d:Z, s S l:R. 1 <= d => 0 < s => 0 < S => 0 <= l => l <= s^6/(1152*d*S^2) =>
        6*sqrt(2)*S/s^2*sqrt(l) <= 6*sqrt(2)*S/s^2*(s^3/(sqrt(1152*d)*S)) and
        6*sqrt(2)*S/s^2*(s^3/(sqrt(1152*d)*S)) = s/(4*sqrt(d))""",
    argument="sound",
    reading="l is the initial loss; the first factor bounds the distance by (77).",
    context="sigma_min > 0 [the claim divides by it]",
)
def radius_under_the_loss_condition(g: Goal) -> None:
    """Roots are monotone; 1152 = 2 * 24^2."""
    _, _s0, _S0, _l0, small = g.intro()
    c = "s^3/(sqrt(1152*d)*S)"
    g.have("0 < d")

    def below(g: Goal) -> None:
        k = g.have(f"l <= ({c})^2", lambda g: g.pos([f"@{small}"]))
        r = g.have(f"sqrt(l) <= {c}", lambda g: from_squares(g, "l", c, k))
        g.pos(["6*sqrt(2)*S/s^2", f"@{r}"])

    g.conj(below, lambda g: g.field())


@holds(
    "shin2025.proof-step-tau-infinite",
    f"{SETTING} {SMALL} => s/(4*sqrt(d)) < {BALL} and all t:R. 0 <= t => sqrt({moved('t')}) < {BALL}",
    argument="sound",
    uses=[CORE],
    reading=f"{READING} tau = infinity: the boundary is reached at no time.",
    context=CONTEXT,
)
def the_ball_is_never_left(g: Goal) -> None:
    """The distance is at most 3 s/(49 sqrt d)."""
    g.intro()
    g.have("0 < d")

    def stays(g: Goal) -> None:
        g.intro()
        h = g.lemma(CORE, "part:captured", "d", "M", "Z", "A", "B", "s", "S")
        k = g.split(g.apply(h, "t"))[2]
        c = "3/49*s/sqrt(d)"
        k = g.have(f"{moved('t')} <= ({c})^2", lambda g: g.pos([f"@{k}"]))
        r = g.have(f"sqrt({moved('t')}) <= {c}", lambda g: from_squares(g, moved("t"), c, k))
        g.pos([f"@{r}"], ["43/98*s/sqrt(d)"])

    g.conj(lambda g: g.pos(["s/(4*sqrt(d))"]), stays)
