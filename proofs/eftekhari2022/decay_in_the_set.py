"""Appendices M to O: the differential inequality (190) and its forms (199), (202), (205), (209) in the invariant set."""

from __future__ import annotations

from proofs.eftekhari2022.alignment import SETTING
from proofs.eftekhari2022.decay_rates import FAST, HIGH, INSIDE, LOW, PARAMETERS, REGIME, SLOW
from proofs.eftekhari2022.invariant_sets import ALIGNED, CONTEXT, LARGE, READING, SMALL, member, thin
from proofs.eftekhari2022.loss_along_the_flow import FORM, T1, T2, loss, loss_slope, scalars
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, POWER, ROOTS_READING, THIN, TOP
from proofs.eftekhari2022.theorem_twenty import GAMMA
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

SECOND = "sv(Z,2)"
AB = "(tr(T(uZ) @ u)*tr(T(vZ) @ v))"
ABS = f"abs(s - {FORM})"
SCALE = f"s^{POWER}"
POINTWISE = (
    "N >= 2, whitened data and the spectral gap [Assumption 14]; rank(W_t) = 1 as the decomposition s u v^T at the time t "
    "[Lemma 18]"
)

IN_AB = f"""-(m*N*{SCALE}*(s - {FORM})^2) - 2*m*{SCALE}*{TOP}^2*{AB}*(1 - {AB}) + m*N*{SCALE}*{SECOND}*{ABS}*(1 - {AB})
         + 2*m*{SCALE}*{TOP}*{SECOND}*(1 - {AB})"""
IN_FORM = f"""-(m*N*{SCALE}*(s - {FORM})^2) - 2*m*{SCALE}*{FORM}*{T2} + m*N*{SCALE}*{GAMMA}*{ABS}*{T2}
         + 2*m*{SCALE}*{SECOND}*{T2}"""


def in_numbers(g: Goal, flow: list[str], thin_: list[str]) -> str:
    """Adds u^T Z_1 v = s_Z a b with the cosines themselves."""
    h = g.lemma(
        "eftekhari2022.eq-169-identity", "part:numbers", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
        by=[using(k) for k in (*flow[6:13], thin_[1], *thin_[3:5])],
    )  # fmt: skip
    return g.split_all(h)[0]


def upper_bound(g: Goal, flow: list[str], thin_: list[str]) -> tuple[str, str, str, str]:
    """Adds D L <= the second right side of (190); returns it, u^T Z_1 v = s_Z a b, a b <= 1 and 0 <= s_2."""
    a, b, low, high, form, _, _, _, radial, turning = scalars(g, flow, thin_)
    slope = loss_slope(g, radial, turning)
    order = g.fact("sv_range", "y", "x", "Z")
    nonneg, _ = g.split(g.apply(order, 2, 2))
    g.have("0 < m")
    g.have("2 <= N")
    x = f"(s - {FORM})"
    own = g.fact("abs_le", x, ABS)
    forward, _ = g.split(own)
    below, above = g.split(g.apply(forward, by=[lambda g: g.refl()]))
    cap = f"({SECOND}*(1 - a*b))"
    mixed = g.have(f"q*{x} <= {cap}*{ABS}", lambda g: g.pos(["1/2", f"@{high}", f"@{below}"], ["1/2", f"@{low}", f"@{above}"]))
    less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
    more = g.have("-1 <= a*b", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a+b)^2"]))
    product = g.have(f"a*b*q <= {cap}", lambda g: g.pos(["1/2", f"@{high}", f"@{more}"], ["1/2", f"@{low}", f"@{less}"]))
    scale = f"m*{SCALE}"
    mixed = g.rewritten(mixed, form)

    def bound(g: Goal) -> None:
        g.rewrite(slope)
        g.rewrite(form)
        g.pos([scale, "N", f"@{mixed}"], [scale, "2", TOP, f"@{product}"], [scale, f"{TOP}^2*(a-b)^2"])

    whole = g.have(f"D(r, {loss('r')}, t) <= {IN_FORM}", bound)
    return whole, form, less, nonneg


@holds(
    "eftekhari2022.eq-190",
    f"{SETTING} all t s:R, u:V(y), v:V(x). {THIN} D(r, {loss('r')}, t) <= {IN_AB} and {IN_AB} = {IN_FORM}",
    argument="repaired",
    reason="(188) is printed without absolute values of a_t and b_t, and for W_t - Z in place of W_t - Z_1",
    reading=ROOTS_READING,
    context=POINTWISE,
    uses=["eftekhari2022.eq-139", "eftekhari2022.eq-169-identity"],
)
def assembled_inequality(g: Goal) -> None:
    """The exact derivative, with |q| <= s_2 (1 - a b)."""
    names = g.intro(split=False)
    flow, thin_ = names[:-5], names[-5:]
    bound, *_ = upper_bound(g, flow, thin_)
    form = in_numbers(g, flow, thin_)

    def same(g: Goal) -> None:
        c = f"{TOP}*{AB}"
        g.field(
            (form, f"2*m*{SCALE}*({TOP} - {FORM} - {c}) + m*N*{SCALE}*{GAMMA}*{ABS} + 2*m*{SCALE}*{SECOND}"),
        )  # fmt: skip

    equal = g.have(f"{IN_AB} = {IN_FORM}", same)
    g.conj(lambda g: g.pos([f"@{bound}"], eqs=[(equal, 1)]), using(equal))


LOWER, UPPER = f"((w - {GAMMA})*{TOP})^{POWER}", f"(h*{TOP})^{POWER}"
CLOSED_PARAMETERS = (
    f"""all w h l:R. {GAMMA} <= w => w < 1 => 1 < h => ({GAMMA} < w => l = {LOWER}) => (w = {GAMMA} => l = 0) =>"""
)
INSIDE_READING = f"w stands for alpha and h for beta; the membership (198) is a hypothesis at the time t; {ROOTS_READING}"
CLOSED_READING = f"l is the power ((alpha - gamma_Z) s_Z)^(2-2/N), which is 0 for alpha = gamma_Z; {INSIDE_READING}"
BRACKET_CONTEXT = (
    f"{POINTWISE}; the bracket is positive, as Theorem 20 assumes, which excludes alpha = gamma_Z, where it is at most 0 [Theorem 20]"
)
BOUNDED = f"""-(m*N*l*(s - {FORM})^2) - 2*w*m*{TOP}*l*{T2} + m*N*{UPPER}*{GAMMA}*{ABS}*{T2} + 2*m*{UPPER}*{SECOND}*{T2}"""


def power_bounds(g: Goal, closed: str, inner: str, boundary: str) -> tuple[str, str, str]:
    """Adds 0 <= l, l <= s^p and s^p <= (beta s_Z)^p for p = 2 - 2/N; `closed`: gamma <= alpha; `inner`, `boundary`: the values of l."""
    g.have("2 <= N")
    one = g.have("1 <= N")
    g.have(f"0 <= {POWER}", lambda g: g.pos(["2", f"@{one}"], mul=["N"]))

    def positive(g: Goal) -> None:
        strict = next(reversed(g.seq.hyps))
        value = g.apply(inner, by=[using(strict)])
        g.have(f"0 < (w - {GAMMA})*{TOP}", lambda g: g.pos([f"@{strict}", TOP]))
        k = g.by_fact("pow_base_mono", f"(w - {GAMMA})*{TOP}", "s", POWER)
        g.conj(lambda g: g.pos([LOWER], eqs=[(value, 1)]), lambda g: g.pos([f"@{k}"], eqs=[(value, -1)]))

    def zero(g: Goal) -> None:
        equal = next(reversed(g.seq.hyps))
        value = g.apply(boundary, by=[lambda g: g.field((equal, -1))])
        g.conj(lambda g: g.pos(eqs=[(value, 1)]), lambda g: g.pos([SCALE], eqs=[(value, -1)]))

    whole = g.have(
        f"0 <= l and l <= {SCALE}", lambda g: g.cases(g.by_fact("lt_or_eq", GAMMA, "w", by=[using(closed)]), positive, zero)
    )
    nonneg, below = g.split(whole)
    above = g.by_fact("pow_base_mono", "s", f"h*{TOP}", POWER)
    return nonneg, below, above


def in_the_set(g: Goal, names: list[str]) -> tuple[str, str, str]:
    """For the hypotheses of SETTING, CLOSED_PARAMETERS, THIN, INSIDE: adds D L <= BOUNDED, 0 <= s_Z - c and 0 <= c."""
    flow, thin_, aligned = names[:13], names[18:23], names[25]
    whole, form, less, nonneg = upper_bound(g, flow, thin_)
    lower, below, above = power_bounds(g, names[13], *names[16:18])
    g.have(f"0 <= {GAMMA}")
    g.have("0 <= w")
    angle = g.have(f"0 <= {T2}", lambda g: g.pos([TOP, f"@{less}"], eqs=[(form, -1)]))
    g.have(f"0 <= {ABS}")
    positive = g.have(f"0 <= {FORM}", lambda g: g.pos([f"@{aligned}"], ["w", TOP]))
    bounded = g.have(
        f"D(r, {loss('r')}, t) <= {BOUNDED}",
        lambda g: g.pos(
            [f"@{whole}"],
            ["m", "N", f"(s - {FORM})^2", f"@{below}"],
            ["2", "m", FORM, f"@{angle}", f"@{below}"],
            ["2", "m", f"@{lower}", f"@{angle}", f"@{aligned}"],
            ["m", "N", GAMMA, ABS, f"@{angle}", f"@{above}"],
            ["2", "m", f"@{nonneg}", f"@{angle}", f"@{above}"],
        ),
    )
    return bounded, angle, positive


@holds(
    "eftekhari2022.eq-199",
    f"{SETTING} {CLOSED_PARAMETERS} all t s:R, u:V(y), v:V(x). {THIN} {INSIDE} D(r, {loss('r')}, t) <= {BOUNDED}",
    argument="sound",
    reading=CLOSED_READING,
    context=POINTWISE,
    uses=["eftekhari2022.eq-139"],
)
def inequality_in_the_set(g: Goal) -> None:
    """Lemma 18 with the bounds of the set."""
    names = g.intro(split=False)
    g.close_by(in_the_set(g, names)[0])


ROOT = f"sqrt({TOP}*{T2})"


@holds(
    "eftekhari2022.eq-209",
    f"""{SETTING} {CLOSED_PARAMETERS} all t s:R, u:V(y), v:V(x). {THIN} {INSIDE} D(r, {loss("r")}, t) <=
       -(m*N*l*(s - {FORM})^2) + m*N*{UPPER}*{GAMMA}*{ABS}*{ROOT} + 2*m*{UPPER}*{GAMMA}*{TOP}*{T2}""",
    argument="sound",
    reading=CLOSED_READING,
    context=POINTWISE,
    uses=["eftekhari2022.eq-139"],
)
def inequality_without_the_angular_term(g: Goal) -> None:
    """s_Z - c <= sqrt(s_Z (s_Z - c)) as 0 <= c <= s_Z."""
    names = g.intro(split=False)
    bounded, angle, positive = in_the_set(g, names)
    grown = g.by_fact("sqrt_mono", f"{T2}^2", f"{TOP}*{T2}", by=[None, lambda g: g.pos([f"@{angle}", f"@{positive}"])])
    value = g.by_fact("sqrt_unique", f"{T2}^2", T2, by=[using(angle), lambda g: g.refl()])
    root = g.have(f"{T2} <= {ROOT}", lambda g: g.pos([f"@{grown}"], eqs=[(value, 1)]))
    g.pos(
        [f"@{bounded}"],
        ["2", "w", "m", TOP, "l", f"@{angle}"],
        ["m", "N", UPPER, GAMMA, ABS, f"@{root}"],
    )


@holds(
    "eftekhari2022.eq-202",
    f"""{SETTING} {PARAMETERS} 2*{GAMMA}*{HIGH} < {LOW} => all t s:R, u:V(y), v:V(x). {THIN} {INSIDE} {REGIME}
       D(r, {loss("r")}, t) <= -({FAST}*{loss("t")})""",
    argument="sound",
    reading=INSIDE_READING,
    context=BRACKET_CONTEXT,
    uses=["eftekhari2022.eq-208"],
)
def decay_in_the_fast_regime(g: Goal) -> None:
    """See the part of (208)."""
    names = g.intro(split=False)
    pointwise_rate(g, names, "part:regime-rate", 10)


def pointwise_rate(g: Goal, names: list[str], role: str, last: int) -> None:
    """Closes a rate by a part of (208); the last hypotheses, from `last` before the end of the quantified ones, are its own."""
    h = g.lemma("eftekhari2022.eq-208", role, *FLOW_TERMS, by=[using(k) for k in names[:13]])
    h = g.apply(h, "w", "h", by=[using(k) for k in names[13:17]])
    g.close_by(g.apply(h, "t", "s", "u", "v", by=[using(k) for k in names[17 : 17 + last - 1]]))


@holds(
    "eftekhari2022.eq-205",
    f"""{SETTING} {PARAMETERS} 2*{GAMMA}*N*{HIGH} < w*{LOW} => all t s:R, u:V(y), v:V(x). {THIN} {INSIDE} {T1} <= {TOP}*{T2} =>
       D(r, {loss("r")}, t) <= -({SLOW}*{loss("t")})""",
    argument="repaired",
    reason="the rate holds at every point of the set, in either regime",
    reading=INSIDE_READING,
    context=BRACKET_CONTEXT,
    uses=["eftekhari2022.eq-208"],
)
def decay_in_the_slow_regime(g: Goal) -> None:
    """See the part of (208)."""
    names = g.intro(split=False)
    pointwise_rate(g, names, "part:slow-rate", 9)


@holds(
    "eftekhari2022.eq-198",
    f"""{SETTING} all w b:R. {GAMMA} <= w => w < 1 => 1 < b => {member("0", LARGE, SMALL, ALIGNED)} =>
       all t:R. 0 <= t => {member("t", LARGE, SMALL, ALIGNED)} and {thin("t")} 0 <= {FORM} and {TOP} - {FORM} <= {TOP}""",
    argument="sound",
    reading=READING,
    context=CONTEXT,
    uses=["eftekhari2022.lemma-19"],
)
def flow_stays_in_the_set(g: Goal) -> None:
    """Lemma 19; alpha >= 0."""
    names = g.intro(split=False)
    h = g.lemma("eftekhari2022.lemma-19", "statement", *FLOW_TERMS, by=[using(k) for k in names[:13]])
    h = g.apply(h, "w", "b", by=[using(k) for k in names[13:17]])
    h = g.apply(h, "t", by=[using(names[17])])
    _, bounds = g.split(h)
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have(f"0 <= {GAMMA}")
    g.have("0 <= w")

    def each(g: Goal) -> None:
        parts = g.intro(split=False)
        *_, form = g.split_all(g.apply(bounds, "s", "u", "v", by=[using(k) for k in parts]))
        k = g.have(f"0 <= {FORM}", lambda g: g.pos([f"@{form}"], ["w", TOP]))
        g.conj(using(k), lambda g: g.pos([f"@{k}"]))

    g.conj(using(h), each)
