"""Appendix O: the rates of decay of the distance from Z_1 in the invariant set, at a point."""

from __future__ import annotations

from proofs.eftekhari2022.alignment import SETTING
from proofs.eftekhari2022.loss_along_the_flow import FORM, loss, loss_slope, scalars
from proofs.eftekhari2022.rank_one_flow import POWER, THIN, TOP
from proofs.eftekhari2022.theorem_twenty import GAMMA
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import part

C = "(p*(a*b))"
X = f"(s - {C})"
Y = "(1 - a*b)"
L = f"((s^2 - 2*s*{C} + p^2)/2)"
B = f"(N*(s - {C})^2 + p^2*(a^2 + b^2 - 2*a^2*b^2) - N*q*(s - {C}) - 2*{C}*q)"
RESIDUAL = f"-(g*p*{Y}) <= q => q <= g*p*{Y} => a^2 <= 1 => b^2 <= 1 =>"
BETWEEN = "A <= v => v <= B => 0 < v =>"


def common(g: Goal, a: str, b: str, between: tuple[str, str]) -> tuple[str, str, str]:
    """Adds a b <= 1, A <= B and that the loss is not negative."""
    less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
    more = g.have("-1 <= a*b", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a+b)^2"]))
    order = g.have("A <= B", lambda g: g.pos([f"@{between[0]}"], [f"@{between[1]}"]))
    nonneg = g.have(f"0 <= {L}", lambda g: g.pos(["1/2", f"{X}^2"], ["1/2", "p^2", f"@{less}", f"@{more}"]))
    return less, order, nonneg


@part(
    "eftekhari2022.eq-208",
    "slow-scalars",
    f"""all N p g s a b q w A B v:R. 2 <= N => 0 < p => 0 <= g => g < 1 => 0 < w => w < 1 => w < a*b => {RESIDUAL} {BETWEEN}
       2*g*N*B < w*A => (w*A - 2*g*N*B)*{L} <= v*{B}""",
    says="the slow rate in scalars: p = s_Z, g = gamma_Z, w = alpha, v = s^(2-2/N) between A and B",
)
def slow_rate_in_scalars(g: Goal) -> None:
    """With x = s - c and y = 1 - a b: the loss is at most x^2/2 + p^2 y, and q x <= g y (p^2 + x^2)/2, c q <= c g p y."""
    n2, _, _, g1, _, w1, ab, low, high, a, b, above, below, _, rate = g.intro()
    less, order, nonneg = common(g, a, b, (above, below))
    g.have("0 < B")
    g.have("0 <= a*b")
    slope = g.have("0 < w - 2*g*N", lambda g: g.pos([f"@{rate}"], ["w", f"@{order}"], mul=["B"]))
    one = g.have(
        f"(w*A - 2*g*N*B)*{L} <= v*((w - 2*g*N)*{L})",
        lambda g: g.pos([f"@{nonneg}", "w", f"@{above}"], [f"@{nonneg}", "2", "g", "N", f"@{below}"]),
    )
    cap = g.have(f"{L} <= {X}^2/2 + p^2*{Y}", lambda g: g.pos(["1/2", "p^2", f"{Y}^2"]))
    mixed = g.have(
        f"q*{X} <= g*{Y}*(p^2 + {X}^2)/2",
        lambda g: g.pos(["1/4", f"@{high}", f"(p + {X})^2"], ["1/4", f"@{low}", f"(p - {X})^2"], mul=["p"]),
    )
    turned = g.have(f"{C}*q <= {C}*(g*p*{Y})", lambda g: g.pos(["p", "a*b", f"@{high}"]))
    x2, y = f"{X}^2", f"@{less}"
    two = g.have(
        f"(w - 2*g*N)*({X}^2/2 + p^2*{Y}) <= {B}",
        lambda g: g.pos(
            ["p^2", "(a-b)^2"],
            ["N", f"@{mixed}"],
            ["2", f"@{turned}"],
            [x2, f"@{n2}"],
            [x2, "1/2", f"@{w1}"],
            [x2, "3/2"],
            [x2, "1/2", "g", "N"],
            [x2, "1/2", "g", "N", "a*b"],
            ["p^2", y, "2", f"@{ab}", f"@{g1}"],
            ["p^2", y, "w"],
            ["p^2", y, "g", "3/2", f"@{n2}"],
            ["p^2", y, "g", "2", f"@{w1}"],
            ["p^2", y, "g"],
        ),
    )
    g.pos([f"@{one}"], ["v", f"@{slope}", f"@{cap}"], ["v", f"@{two}"])


@part(
    "eftekhari2022.eq-208",
    "fast-scalars",
    f"""all N p g s a b q A B v:R. 2 <= N => 0 < p => 0 <= g => 0 <= a*b => {RESIDUAL} {BETWEEN}
       2*g*B < A => p <= {X} => N*(A - 2*g*B)*{L} <= v*{B}""",
    says="the fast rate in scalars: p = s_Z, g = gamma_Z, v = s^(2-2/N) between A and B",
)
def fast_rate_in_scalars(g: Goal) -> None:
    """With x = s - c >= p the loss is at most x^2, and q x <= g p y x <= 2 g x^2."""
    _, _, _, ab, _, high, a, b, above, below, _, rate, far = g.intro()
    less, order, nonneg = common(g, a, b, (above, below))
    g.have("0 < B")
    slope = g.have("0 < 1 - 2*g", lambda g: g.pos([f"@{rate}"], [f"@{order}"], mul=["B"]))
    small = g.have("g <= 1")
    g.have(f"0 < {X}")
    one = g.have(
        f"N*(A - 2*g*B)*{L} <= v*(N*(1 - 2*g)*{L})",
        lambda g: g.pos(["N", f"@{nonneg}", f"@{above}"], ["N", f"@{nonneg}", "2", "g", f"@{below}"]),
    )
    cap = g.have(f"{L} <= {X}^2", lambda g: g.pos(["1/2", f"@{far}", f"{X} + p"], ["1/2", "p^2", "(a*b)^2"]))
    y = f"@{less}"
    two = g.have(
        f"N*(1 - 2*g)*{X}^2 <= {B}",
        lambda g: g.pos(
            ["p^2", "(a-b)^2"],
            ["2", "p", f"@{ab}", f"@{high}"],
            ["2", "p", f"@{ab}", "p", y, f"@{small}"],
            ["N", f"@{high}", X],
            ["N", "g", X, f"@{far}"],
            ["N", "g", X, X],
            ["N", "g", X, "p", f"@{ab}"],
        ),
    )
    g.pos([f"@{one}"], ["v", "N", f"@{slope}", f"@{cap}"], ["v", f"@{two}"])


@part(
    "eftekhari2022.eq-208",
    "regime-scalars",
    f"""all N p g s a b q A B v:R. 2 <= N => 0 < p => 0 <= g => 0 <= a*b => {RESIDUAL} {BETWEEN}
       2*g*B < A => p*(p - {C}) <= {X}^2/2 => N*(A - 2*g*B)*{L} <= v*{B}""",
    says="the fast rate in scalars where the error of the singular value dominates",
)
def fast_rate_in_the_fast_regime(g: Goal) -> None:
    """The loss is at most x^2, and |q x| <= g p y |x| <= g x^2 as (p y)^2 <= p^2 y <= x^2/2."""
    _, _, _, ab, low, high, a, b, above, below, _, rate, regime = g.intro()
    less, order, nonneg = common(g, a, b, (above, below))
    g.have("0 < B")
    slope = g.have("0 < 1 - 2*g", lambda g: g.pos([f"@{rate}"], [f"@{order}"], mul=["B"]))
    small = g.have("g <= 1")
    one = g.have(
        f"N*(A - 2*g*B)*{L} <= v*(N*(1 - 2*g)*{L})",
        lambda g: g.pos(["N", f"@{nonneg}", f"@{above}"], ["N", f"@{nonneg}", "2", "g", f"@{below}"]),
    )
    cap = g.have(f"{L} <= {X}^2", lambda g: g.pos([f"@{regime}"], ["1/2", "p^2", f"{Y}^2"]))
    y = f"@{less}"
    short = g.have(f"(p*{Y})^2 <= {X}^2", lambda g: g.pos([f"@{regime}"], ["1/2", f"{X}^2"], ["p^2", y, f"@{ab}"]))
    w = f"abs({X})"
    forward, _ = g.split(g.fact("abs_le", X, w))
    left, right = g.split(g.apply(forward, by=[lambda g: g.refl()]))
    square = g.fact("abs_square", X)
    mixed = g.have(
        f"2*q*{X} <= g*((p*{Y})^2 + {X}^2)",
        lambda g: g.pos([f"@{high}", f"@{left}"], [f"@{low}", f"@{right}"], ["g", f"(p*{Y} - {w})^2"], eqs=[(square, "-g")]),
    )
    two = g.have(
        f"N*(1 - 2*g)*{X}^2 <= {B}",
        lambda g: g.pos(
            ["p^2", "(a-b)^2"],
            ["2", "p", f"@{ab}", f"@{high}"],
            ["2", "p", f"@{ab}", "p", y, f"@{small}"],
            ["1/2", "N", f"@{mixed}"],
            ["1/2", "N", "g", f"@{short}"],
            ["N", "g", f"{X}^2"],
        ),
    )
    g.pos([f"@{one}"], ["v", "N", f"@{slope}", f"@{cap}"], ["v", f"@{two}"])


LOW, HIGH = f"(w - {GAMMA})^{POWER}", f"h^{POWER}"
INSIDE = f"(w - {GAMMA})*{TOP} < s => s < h*{TOP} => w*{TOP} < {FORM} =>"
SLOW = f"(m*{TOP}^{POWER}*(w*{LOW} - 2*{GAMMA}*N*{HIGH}))"
FAST = f"(m*N*{TOP}^{POWER}*({LOW} - 2*{GAMMA}*{HIGH}))"
REGIME = f"{TOP}*({TOP} - {FORM}) <= (s - {FORM})^2/2 =>"
PARAMETERS = f"all w h:R. {GAMMA} < w => w < 1 => 1 < h =>"


def rate_part(g: Goal, mode: str) -> None:
    """The derivative of the loss, and the bounds (alpha - gamma) s_Z < s < beta s_Z of s^(2-2/N)."""
    names = g.intro(split=False)
    slow = mode == "slow"
    thin_at = 9 if slow else 10
    flow, rest = names[: -(thin_at + 3)], names[-(thin_at + 3) :]
    exponent, thin, aligned = rest[3], rest[4:9], rest[11]
    a, b, low, high, form, norm, product, best, radial, turning = scalars(g, flow, thin)
    slope = loss_slope(g, radial, turning)
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have("2 <= N")
    g.have("0 < m")
    g.have(f"0 <= {GAMMA}")
    ratio = g.have(f"{GAMMA}*{TOP} = sv(Z,2)", lambda g: g.field())
    positive = g.have(f"0 < w - {GAMMA}")
    g.have(f"0 <= {POWER}", lambda g: g.pos(["2", f"@{g.have('1 <= N')}"], mul=["N"]))
    base = f"(w - {GAMMA})*{TOP}"
    g.have(f"0 < {base}", lambda g: g.pos([f"@{positive}", TOP]))
    v = f"s^{POWER}"
    below = g.by_fact("pow_base_mono", base, "s", POWER)
    above = g.by_fact("pow_base_mono", "s", f"h*{TOP}", POWER)
    split_low = g.by_fact("pow_mul", f"w - {GAMMA}", TOP, POWER)
    split_high = g.by_fact("pow_mul", "h", TOP, POWER)
    lower, upper = f"({LOW}*{TOP}^{POWER})", f"({HIGH}*{TOP}^{POWER})"
    below = g.have(f"{lower} <= {v}", lambda g: g.pos([f"@{below}"], eqs=[(split_low, 1)]))
    above = g.have(f"{v} <= {upper}", lambda g: g.pos([f"@{above}"], eqs=[(split_high, -1)]))
    ab = g.have("w < a*b", lambda g: g.pos([f"@{aligned}"], mul=[TOP], eqs=[(form, -1)]))
    q_low = g.have(f"-({GAMMA}*{TOP}*(1 - a*b)) <= q", lambda g: g.pos([f"@{low}"], eqs=[(ratio, "1 - a*b")]))
    q_high = g.have(f"q <= {GAMMA}*{TOP}*(1 - a*b)", lambda g: g.pos([f"@{high}"], eqs=[(ratio, "1 - a*b")]))
    value = g.have(
        f"{loss('t')} = (s^2 - 2*s*({TOP}*(a*b)) + {TOP}^2)/2", lambda g: g.field((norm, "1/2"), (product, -1), (best, "1/2"))
    )
    scaled = g.have(f"0 < {TOP}^{POWER}")
    given = [using(k) for k in (q_low, q_high, a, b, below, above)]
    if slow:
        smaller_rate = g.have(f"2*{GAMMA}*N*{upper} < w*{lower}", lambda g: g.pos([f"@{exponent}", f"@{scaled}"]))
        g.have(f"{GAMMA} < 1")
        g.have("0 < w")
        bound = g.lemma(
            "eftekhari2022.eq-208", "part:slow-scalars", "N", TOP, GAMMA, "s", "a", "b", "q", "w", lower, upper, v,
            by=[None, None, None, None, None, None, using(ab), *given, None, using(smaller_rate)],
        )  # fmt: skip
    else:
        smaller_rate = g.have(f"2*{GAMMA}*{upper} < {lower}", lambda g: g.pos([f"@{exponent}", f"@{scaled}"]))
        g.have("0 < w")
        ab_nonneg = g.have("0 <= a*b", lambda g: g.pos([f"@{ab}"], ["w"]))
        less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
        far = (
            g.have(f"{TOP} <= s - {TOP}*(a*b)", lambda g: distant(g, rest[-1], less))
            if mode == "fast"
            else g.rewritten(rest[-1], form)
        )
        bound = g.lemma(
            "eftekhari2022.eq-208", f"part:{mode}-scalars", "N", TOP, GAMMA, "s", "a", "b", "q", lower, upper, v,
            by=[None, None, None, using(ab_nonneg), *given, None, using(smaller_rate), lambda g: g.pos([f"@{far}"])],
        )  # fmt: skip
    g.rewrite(slope)
    g.rewrite(value)
    g.pos(["m", f"@{bound}"])


def distant(g: Goal, far: str, less: str) -> None:
    """s - c >= sqrt(6) s_Z - s_Z >= s_Z."""
    square = g.by_fact("sqrt_sq", "6")
    g.by_fact("sqrt_nonneg", "6")

    def two(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{k}", "sqrt(6) + 2"], ["2"], eqs=[(square, 1)])

    root = g.have("2 <= sqrt(6)", two)
    g.pos([f"@{far}"], [TOP, f"@{root}"], [TOP, f"@{less}"])


@part(
    "eftekhari2022.eq-208",
    "slow-rate",
    f"""{SETTING} {PARAMETERS} 2*{GAMMA}*N*{HIGH} < w*{LOW} => all t s:R, u:V(y), v:V(x). {THIN} {INSIDE}
       D(r, {loss("r")}, t) <= -({SLOW}*{loss("t")})""",
    says="the slow rate of decay, at every point of the invariant set",
    uses=["eftekhari2022.eq-139", "eftekhari2022.eq-208"],
)
def loss_decays_at_the_slow_rate(g: Goal) -> None:
    """Lemma 18's exact derivative, in scalars."""
    rate_part(g, "slow")


@part(
    "eftekhari2022.eq-208",
    "fast-rate",
    f"""{SETTING} {PARAMETERS} 2*{GAMMA}*{HIGH} < {LOW} => all t s:R, u:V(y), v:V(x). {THIN} {INSIDE} sqrt(6)*{TOP} <= s =>
       D(r, {loss("r")}, t) <= -({FAST}*{loss("t")})""",
    says="the fast rate of decay, at the points of the invariant set with s >= sqrt(6) s_Z",
    uses=["eftekhari2022.eq-139", "eftekhari2022.eq-208"],
)
def loss_decays_at_the_fast_rate(g: Goal) -> None:
    """Lemma 18's exact derivative, in scalars."""
    rate_part(g, "fast")


@part(
    "eftekhari2022.eq-208",
    "regime-rate",
    f"""{SETTING} {PARAMETERS} 2*{GAMMA}*{HIGH} < {LOW} => all t s:R, u:V(y), v:V(x). {THIN} {INSIDE} {REGIME}
       D(r, {loss("r")}, t) <= -({FAST}*{loss("t")})""",
    says="the fast rate of decay, at the points of the invariant set in the fast regime (200)",
    uses=["eftekhari2022.eq-139", "eftekhari2022.eq-208"],
)
def loss_decays_at_the_fast_rate_in_its_regime(g: Goal) -> None:
    """Lemma 18's exact derivative, in scalars."""
    rate_part(g, "regime")
