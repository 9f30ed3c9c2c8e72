"""Lemma 23: the alignment of the induced flow with Z_1 does not decrease."""

from __future__ import annotations

from proofs.eftekhari2022.loss_along_the_flow import FORM, scalars
from proofs.eftekhari2022.rank_one_flow import (
    ALIGNMENT,
    FLOW_TERMS,
    INDUCED,
    INDUCED_VARIABLES,
    POWER,
    ROOTS_READING,
    TARGET_VARIABLES,
    THIN,
    TOP,
)
from proofs.eftekhari2022.theorem_twenty import GAMMA, TARGET
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

SETTING = f"all {INDUCED_VARIABLES}, {TARGET_VARIABLES}. {INDUCED} {TARGET}"


def correlation(t: str) -> str:
    """<Z_1, W(t)>."""
    return f"tr(T(Z1) @ E({t}))"


def size(t: str) -> str:
    """|W(t)|^2."""
    return f"tr(T(E({t})) @ E({t}))"


def squared_alignment(t: str) -> str:
    """(u^T Z_1 v)^2 at W(t) = u s v^T."""
    return f"({correlation(t)}^2/{size(t)})"


@part(
    "eftekhari2022.eq-155",
    "bracket",
    """all a b q p r:R. 0 < p => r <= p => q <= r*(1 - a*b) => a^2 <= 1 => b^2 <= 1 => 0 <= a*b =>
       0 <= p^2*(a^2 + b^2) - 2*(p*(a*b))^2 - 2*q*(p*(a*b))""",
    says="the alignment has a nonnegative derivative wherever it is not negative",
)
def bracket_is_nonnegative(g: Goal) -> None:
    """p^2 (a - b)^2 + 2 p a b (1 - a b)(p - r) + 2 p a b (r (1 - a b) - q)."""
    _, gap, residual, a, b, ab = g.intro()
    less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
    g.pos(["p^2", "(a-b)^2"], ["2", "p", f"@{ab}", f"@{less}", f"@{gap}"], ["2", "p", f"@{ab}", f"@{residual}"])


@part(
    "eftekhari2022.eq-155",
    "squared-alignment-rate",
    f"""{SETTING} rank(E(0)) = 1 => all t:R. 0 <= t => 0 < {size("t")} and
       (0 <= {correlation("t")} => 0 <= D(r, {squared_alignment("r")}, t))""",
    says="the squared alignment has a nonnegative derivative wherever the alignment is not negative",
    uses=["eftekhari2022.eq-32", "eftekhari2022.eq-139", "eftekhari2022.eq-155"],
)
def squared_alignment_does_not_decrease(g: Goal) -> None:
    """With c = s_Z a b its derivative is 2 c m s^(1-2/N) (s_Z^2 (a^2 + b^2) - 2 c^2 - 2 c q)."""
    names = g.intro(split=False)
    flow, start, now = names[:-2], names[-2], names[-1]
    thin = g.lemma("eftekhari2022.eq-32", "part:rank-one-for-all-times", *FLOW_TERMS, by=[using(h) for h in (*flow, start)])
    _, thin = g.split(g.apply(thin, "t", by=[using(now)]))
    parts = g.obtain(thin, "s", "u", "v")
    a, b, _, high, _, norm, product, _, radial, turning = scalars(g, flow, [now, *parts])
    positive = parts[0]
    length = g.have(f"0 < {size('t')}", lambda g: g.pos([f"@{positive}", f"@{positive}"], eqs=[(norm, 1)]))

    def rate(g: Goal) -> None:
        sign = g.assume()
        g.have("0 < m")
        gap = g.have("sv(Z,2) <= sv(Z,1)")
        ab = g.have("0 <= a*b", lambda g: g.pos([f"@{sign}"], mul=["s", TOP], eqs=[(product, -1)]))
        bracket = g.lemma(
            "eftekhari2022.eq-155", "part:bracket", *("a", "b", "q", TOP, "sv(Z,2)"),
            by=[None, using(gap), using(high), using(a), using(b), using(ab)],
        )  # fmt: skip
        slope = g.differentiate("r", squared_alignment("r"), "t")
        value = g.have(
            f"D(r, {squared_alignment('r')}, t)*s = 2*{ALIGNMENT}*(m*s^{POWER})*({TOP}^2*(a^2 + b^2) - 2*{ALIGNMENT}^2 - 2*q*{ALIGNMENT})",
            lambda g: derivative(g, slope, norm, product, radial, turning),
        )
        g.pos(["2", TOP, f"@{ab}", f"m*s^{POWER}", f"@{bracket}"], mul=["s"], eqs=[(value, 1)])

    g.conj(using(length), rate)


def derivative(g: Goal, slope: str, norm: str, product: str, radial: str, turning: str) -> None:
    """The quotient rule, in scalars."""
    g.rewrite(slope)
    g.replace("tr(T(E'(t)) @ E(t) + T(E(t)) @ E'(t))", "2*tr(T(E(t)) @ E'(t))", lambda g: g.field())
    for h in (norm, product, radial, turning):
        g.rewrite(h)
    g.field()


@part(
    "eftekhari2022.lemma-23",
    "alignment-grows",
    f"""{SETTING} rank(E(0)) = 1 => 0 < {correlation("0")} => all t:R. 0 <= t =>
       0 < {correlation("t")} and {squared_alignment("0")} <= {squared_alignment("t")}""",
    says="a positive alignment with Z_1 never falls below its initial value",
    uses=["eftekhari2022.eq-32", "eftekhari2022.eq-155"],
)
def positive_alignment_does_not_decrease(g: Goal) -> None:
    """Up to the first time at which <Z_1, W> vanishes the squared alignment does not decrease, so there is no such time."""
    names = g.intro(split=False)
    flow, start, begin, now = names[:-3], names[-3], names[-2], names[-1]
    rate = g.lemma("eftekhari2022.eq-155", "part:squared-alignment-rate", *FLOW_TERMS, by=[using(h) for h in (*flow, start)])
    body = f"lam t:R. {squared_alignment('t')}"

    def smooth(g: Goal) -> None:
        g.fix("w")
        g.intro()
        g.split(g.apply(rate, "w"))
        g.auto()

    def stays(g: Goal) -> None:
        g.fix("z")
        g.assume()
        g.contra("low")
        exit_ = g.by_fact("first_exit", 0, "z", f"lam t:R. {correlation('t')}")
        _, _, zero, before = g.obtain(exit_, "c")
        g.have("0 <= c")

        def slope(g: Goal) -> None:
            g.fix("w")
            g.split(g.assume())
            g.apply(before, "w")
            _, up = g.split(g.apply(rate, "w"))
            g.close_by(g.apply(up))

        grown = g.by_fact("mean_value_le", 0, "c", body, by=[smooth, slope])
        g.split(g.apply(rate, "0"))
        g.split(g.apply(rate, "c"))
        none = g.have(f"{squared_alignment('c')} = 0", lambda g: g.field((zero, f"{correlation('c')}/{size('c')}")))
        some = g.have(f"0 < {squared_alignment('0')}", lambda g: g.pos([f"@{begin}", f"@{begin}", f"1/{size('0')}"]))
        g.pos([f"@{grown}"], [f"@{some}"], eqs=[(none, -1)])

    always = g.have(f"all z:R. 0 <= z => 0 < {correlation('z')}", stays)

    def slope(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.apply(always, "w")
        _, up = g.split(g.apply(rate, "w"))
        g.close_by(g.apply(up))

    monotone = g.by_fact("nondecreasing", 0, body, by=[smooth, slope])
    grown = g.apply(monotone, 0, "t")
    inside = g.apply(always, "t", by=[using(now)])
    g.conj(using(inside), using(grown))


@holds(
    "eftekhari2022.lemma-23",
    f"""{SETTING} all w:R. {GAMMA} <= w => w < 1 => rank(E(0)) = 1 =>
       (all s:R, u:V(y), v:V(x). {THIN.replace("0 <= t => ", "").replace("E(t)", "E(0)")} w*{TOP} < {FORM}) =>
       all t:R. 0 <= t => rank(E(t)) = 1 and all s:R, u:V(y), v:V(x). {THIN.replace("0 <= t => ", "")} w*{TOP} < {FORM}""",
    argument="repaired",
    reason="(155) claims a positive derivative also where W is a positive multiple of Z_1, where it is 0; not to decrease is enough",
    reading=f"w stands for alpha; a thin singular value decomposition is unique up to the joint sign of u and v; {ROOTS_READING}",
    context="N >= 2, whitened data and the spectral gap [Assumption 14]",
    uses=["eftekhari2022.eq-32", "eftekhari2022.eq-139", "eftekhari2022.lemma-23"],
)
def alignment_stays_above_its_threshold(g: Goal) -> None:
    """<Z_1, W> = s u^T Z_1 v and |W| = s, so the alignment u^T Z_1 v is the root of its square, which does not decrease."""
    names = g.intro(split=False)
    flow, (start, begin, now) = names[:-5], names[-3:]
    keeps = g.lemma("eftekhari2022.eq-32", "part:rank-one-for-all-times", *FLOW_TERMS, by=[using(h) for h in (*flow, start)])
    one, _ = g.split(g.apply(keeps, "t", by=[using(now)]))
    zero = g.have("0 <= 0")
    _, thin0 = g.split(g.apply(keeps, "0", by=[using(zero)]))
    parts = g.obtain(thin0, "s0", "u0", "v0")
    first = g.apply(begin, "s0", "u0", "v0", by=[using(h) for h in parts])
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have(f"0 <= {GAMMA}")
    g.have("0 <= w")
    h = g.lemma("eftekhari2022.eq-139", "part:reduced", *FLOW_TERMS, by=[using(k) for k in flow])
    _, _, _, _, form0, norm0, product0, *_ = g.obtain(
        g.apply(h, "0", "s0", "u0", "v0", by=[using(zero), *[using(k) for k in parts]]), "a0", "b0", "q0"
    )
    g.have(f"0 <= w*{TOP}")
    start_form = "tr(T(u0) @ Z1 @ v0)"
    positive = g.have(f"0 < {start_form}", lambda g: g.pos([f"@{first}"], ["w", TOP]))
    s0 = parts[0]
    begin0 = g.have(f"0 < {correlation('0')}", lambda g: g.pos([f"@{positive}", f"@{s0}"], eqs=[(product0, 1), (form0, "-s0")]))
    grows = g.lemma("eftekhari2022.lemma-23", "part:alignment-grows", *FLOW_TERMS, by=[using(k) for k in (*flow, start, begin0)])
    inside, grown = g.split(g.apply(grows, "t", by=[using(now)]))

    def each(g: Goal) -> None:
        parts = g.intro(split=False)
        s = parts[0]
        _, _, _, _, form, norm, product, *_ = scalars(g, flow, [now, *parts])
        value = g.have(f"{correlation('t')} = s*{FORM}", lambda g: g.field((product, 1), (form, "-s")))
        value0 = g.have(f"{correlation('0')} = s0*{start_form}", lambda g: g.field((product0, 1), (form0, "-s0")))
        g.have(f"0 < {size('t')}", lambda g: g.pos([f"@{s}", f"@{s}"], eqs=[(norm, 1)]))
        g.have(f"0 < {size('0')}", lambda g: g.pos([f"@{s0}", f"@{s0}"], eqs=[(norm0, 1)]))
        now_square = g.have(f"{squared_alignment('t')} = {FORM}^2", lambda g: (g.rewrite(norm), g.rewrite(value), g.field()))
        then_square = g.have(
            f"{squared_alignment('0')} = {start_form}^2", lambda g: (g.rewrite(norm0), g.rewrite(value0), g.field())
        )
        g.have(f"0 < {FORM}", lambda g: g.pos([f"@{inside}"], mul=["s"], eqs=[(value, -1)]))
        squares = g.have(f"{start_form}^2 <= {FORM}^2", lambda g: g.pos([f"@{grown}"], eqs=[(then_square, 1), (now_square, -1)]))
        k = g.contra()
        g.pos([f"@{squares}"], [f"@{first}", f"{start_form} + w*{TOP}"], [f"@{k}", f"w*{TOP} + {FORM}"])

    g.conj(using(one), each)
