"""Theorem 20: the product of a balanced flow stays of rank one and converges at the rates (38), amended, and (39)."""

from __future__ import annotations

from proofs.eftekhari2022.invariant_sets import ALIGNED, LARGE, SMALL, member
from proofs.eftekhari2022.loss_along_the_flow import loss
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, POWER, TOP
from proofs.eftekhari2022.theorem_twenty import (
    BALANCED,
    BEFORE_TAU,
    EXPONENTS,
    FAST_RATE,
    FLOW,
    GAMMA,
    NETWORK,
    PADDING,
    SETTING,
    TARGET,
    distance,
)
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import amendment, holds

USES = ["eftekhari2022.eq-17", "eftekhari2022.eq-32", "eftekhari2022.lemma-19", "eftekhari2022.eq-208"]
CONTEXT = "N >= 2, whitened data and the spectral gap [Assumption 14]"
SLOW_RATE = f"(m*{TOP}^{POWER}*(a*(a - {GAMMA})^{POWER} - 2*{GAMMA}*N*b^{POWER}))"
FAST_AMENDED = f"(m*N*{TOP}^{POWER}*{FAST_RATE})"


def induced(g: Goal, names: list[str]) -> list[str]:
    """Adds the roots S and H with which the product follows the induced flow; returns the hypotheses that the statements about
    the induced flow ask for."""
    first, target = names[:6], names[7:17]
    h = g.lemma("eftekhari2022.eq-17", "part:induced", "x", "y", "m", "n", "N", "X", "Y", *"ABWPQE", by=[using(k) for k in first])
    roots, flow = g.obtain(h, "S", "H")
    return [names[0], roots, flow, *target]


@holds(
    "eftekhari2022.theorem-20-rank",
    f"""all {NETWORK}, Z Z1:M(y,x), uZ:V(y), vZ:V(x). {FLOW} {BALANCED} {TARGET} rank(E(0)) = 1 =>
       all t:R. 0 <= t => rank(E(t)) = 1""",
    argument="repaired",
    reason="by Lemma 11, whose printed proof is repaired",
    reading=f"{PADDING.split('; r = 1')[0]}; that some layer has one neuron is not needed",
    context=CONTEXT,
    uses=USES,
)
def product_stays_of_rank_one(g: Goal) -> None:
    """The product follows the induced flow, whose rank is constant."""
    names = g.intro(split=False)
    flow = induced(g, [*names[:6], "", *names[6:]])
    keeps = g.lemma("eftekhari2022.eq-32", "part:rank-one-for-all-times", *FLOW_TERMS, by=[using(h) for h in (*flow, names[-2])])
    g.close_by(g.split(g.apply(keeps, "t", by=[using(names[-1])]))[0])


def inside(g: Goal, flow: list[str], names: list[str]) -> str:
    """Adds, for all t >= 0, that W(t) is in the invariant set (36) with alpha = a and beta = b."""
    gap, below, above, begin, left, right, low, high, angle = names[17:26]
    g.have(f"0 < (a - {GAMMA})*{TOP}", lambda g: g.pos([f"@{gap}", TOP]))
    s0 = g.have("0 < s0")
    rank = g.lemma(
        "eftekhari2022.eq-32", "part:thin-has-rank-one", "x", "y", "s0", "u0", "v0", "E(0)",
        by=[using(h) for h in (s0, begin, left, right)],
    )  # fmt: skip

    def each(g: Goal) -> None:
        parts = g.intro(split=False)
        same = g.lemma(
            "eftekhari2022.eq-32", "part:thin-unique", "x", "y", "E(0)", "Z1", "s", "s0", "u", "u0", "v", "v0",
            by=[using(h) for h in (*parts, s0, begin, left, right)],
        )  # fmt: skip
        size, form = g.split(same)
        g.rewrite(size)
        g.rewrite(form)
        g.conj(using(low), using(high), using(angle))

    bounds = [bound.replace("w", "a") for bound in (LARGE, SMALL, ALIGNED)]
    start = g.have(member("0", *bounds), lambda g: g.conj(using(rank), each))
    stays = g.lemma("eftekhari2022.lemma-19", "statement", *FLOW_TERMS, by=[using(h) for h in flow])
    weak = g.have(f"{GAMMA} <= a")
    return g.apply(stays, "a", "b", by=[using(h) for h in (weak, below, above, start)])


def at_time(g: Goal, stays: str, t: str, now: str) -> tuple[list[str], list[str]]:
    """Adds a thin decomposition of W(t) and the bounds of the invariant set; returns their names."""
    one, bounds = g.split(g.apply(stays, t, by=[using(now)]))
    h = g.lemma("eftekhari2022.eq-32", "part:thin-exists", "x", "y", f"E({t})", by=[using(one)])
    parts = g.obtain(h, "s", "u", "v")
    return parts, g.split_all(g.apply(bounds, "s", "u", "v", by=[using(k) for k in parts]))


@amendment(
    "eftekhari2022.theorem-20-fast",
    f"""{SETTING} {EXPONENTS} all t:R. 0 <= t => {BEFORE_TAU} => {distance("t")} <= {distance("0")}*exp(-({FAST_AMENDED}*t))""",
    says="with s_Z^(2-2/N) in place of s_Z^(-2/N), as in (202)",
    uses=USES,
)
def faraway_rate(g: Goal) -> None:
    """Before tau the loss has the logarithmic derivative -m N s_Z^(2-2/N) (...) or less, by Lemma 19 and the fast rate (202)."""
    names = g.intro(split=False)
    flow = induced(g, names)
    stays = inside(g, flow, names)
    fast, before = names[26], names[-1]
    gap, below, above = names[17:20]
    rate = g.lemma("eftekhari2022.eq-208", "part:fast-rate", *FLOW_TERMS, by=[using(h) for h in flow])
    rate = g.apply(rate, "a", "b", by=[using(h) for h in (gap, below, above, fast)])
    body = f"-({loss('r')}*exp({FAST_AMENDED}*r))"

    def slope(g: Goal) -> None:
        g.fix("c")
        _, high = g.split(g.assume())
        at = g.have("0 <= c")
        parts, bounds = at_time(g, stays, "c", at)
        value = g.lemma(
            "eftekhari2022.eq-32", "part:thin-singular-value", "x", "y", "s", "u", "v", "E(c)", by=[using(h) for h in parts]
        )
        far = g.apply(before, "c", by=[using(at), using(high)])
        far = g.have(f"sqrt(6)*{TOP} <= s", lambda g: g.pos([f"@{far}"], eqs=[(value, -1)]))
        decay = g.apply(rate, "c", "s", "u", "v", by=[using(h) for h in (at, *parts, *bounds, far)])
        own = g.differentiate("r", loss("r"), "c")
        whole = g.differentiate("r", body, "c")
        g.rewrite(whole)
        g.pos([f"@{decay}", f"exp({FAST_AMENDED}*c)"], eqs=[(own, f"-exp({FAST_AMENDED}*c)")])

    compared = g.by_fact("mean_value_le", 0, "t", f"lam r:R. {body}", by=[None, slope])
    one = g.have(f"exp({FAST_AMENDED}*0) = 1", lambda g: g.field())
    down = g.have(f"exp({FAST_AMENDED}*t)*exp(-({FAST_AMENDED}*t)) = 1", lambda g: g.field())
    e = f"exp(-({FAST_AMENDED}*t))"
    g.pos(["2", f"@{compared}", e], eqs=[(one, f"{distance('0')}*{e}"), (down, f"-{distance('t')}")])


@holds(
    "eftekhari2022.theorem-20-slow",
    f"""{SETTING} {EXPONENTS} all r t:R. 0 <= r => sv(E(r),1) <= sqrt(6)*{TOP} =>
       (all u:R. 0 <= u => u < r => sqrt(6)*{TOP} < sv(E(u),1)) => r <= t =>
       {distance("t")} <= {distance("r")}*exp(-({SLOW_RATE}*(t - r)))""",
    argument="repaired",
    reason="the rate holds at every point of the invariant set, so the two regimes of Appendix O need not be told apart",
    reading=f"r stands for tau; {PADDING}",
    context=CONTEXT,
    uses=USES,
)
def nearby_rate(g: Goal) -> None:
    """In the invariant set the loss has the logarithmic derivative -m s_Z^(2-2/N) (...) or less; Gronwall from tau."""
    names = g.intro(split=False)
    flow = induced(g, names)
    stays = inside(g, flow, names)
    slow, begin, later = names[27], names[28], names[-1]
    gap, below, above = names[17:20]
    rate = g.lemma("eftekhari2022.eq-208", "part:slow-rate", *FLOW_TERMS, by=[using(h) for h in flow])
    rate = g.apply(rate, "a", "b", by=[using(h) for h in (gap, below, above, slow)])

    def slope(g: Goal) -> None:
        g.fix("c")
        after = g.assume()
        at = g.have("0 <= c", lambda g: g.pos([f"@{begin}"], [f"@{after}"]))
        parts, bounds = at_time(g, stays, "c", at)
        decay = g.apply(rate, "c", "s", "u", "v", by=[using(h) for h in (at, *parts, *bounds)])
        g.pos([f"@{decay}"])

    compared = g.by_fact("gronwall", "r", f"lam w:R. {loss('w')}", f"lam w:R. -({SLOW_RATE}*w)", by=[None, slope])
    final = g.apply(compared, "t", by=[using(later)])
    g.pos(["2", f"@{final}"])


@holds(
    "eftekhari2022.assertion-linear-rate-summary",
    f"""{SETTING} {EXPONENTS} ex k:R. 0 < k and all t:R. 0 <= t => {distance("t")} <= {distance("0")}*exp(-(k*t))""",
    argument="repaired",
    reason="the rate of (39) holds from the start, see there",
    reading=f"at a linear rate: the squared distance from Z_1 decays exponentially; {PADDING}",
    context=CONTEXT,
    uses=USES,
)
def training_at_a_linear_rate(g: Goal) -> None:
    """The slow rate holds in the whole invariant set."""
    names = g.intro(split=False)
    flow = induced(g, names)
    stays = inside(g, flow, names)
    slow = names[27]
    g.have("0 < m")
    g.have(f"0 < {TOP}^{POWER}")
    g.witness(SLOW_RATE)
    g.conj(lambda g: g.pos(["m", f"{TOP}^{POWER}", f"@{slow}"]), lambda g: from_the_start(g, flow, stays, names))


def from_the_start(g: Goal, flow: list[str], stays: str, names: list[str]) -> None:
    """Gronwall from time 0."""
    g.fix("t")
    now = g.assume()
    gap, below, above = names[17:20]
    rate = g.lemma("eftekhari2022.eq-208", "part:slow-rate", *FLOW_TERMS, by=[using(h) for h in flow])
    rate = g.apply(rate, "a", "b", by=[using(h) for h in (gap, below, above, names[27])])

    def slope(g: Goal) -> None:
        g.fix("c")
        at = g.assume()
        parts, bounds = at_time(g, stays, "c", at)
        decay = g.apply(rate, "c", "s", "u", "v", by=[using(h) for h in (at, *parts, *bounds)])
        g.pos([f"@{decay}"])

    compared = g.by_fact("gronwall", "0", f"lam w:R. {loss('w')}", f"lam w:R. -({SLOW_RATE}*w)", by=[None, slope])
    final = g.apply(compared, "t", by=[using(now)])
    g.pos(["2", f"@{final}"])
