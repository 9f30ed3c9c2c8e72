"""Lemmas 19 and 22: the singular value of the induced flow stays between its bounds."""

from __future__ import annotations

from proofs.eftekhari2022.alignment import SETTING, size
from proofs.eftekhari2022.loss_along_the_flow import FORM, scalars
from proofs.eftekhari2022.rank_one_flow import ALIGNMENT, FLOW_TERMS, POWER, ROOTS_READING, THIN, TOP
from proofs.eftekhari2022.theorem_twenty import GAMMA
from proofs.eftekhari2022.thin_decomposition import equal_sizes
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

SECOND = "sv(Z,2)"


def thin(t: str) -> str:
    """Every thin singular value decomposition u s v^T of W(t) satisfies ..."""
    return "all s:R, u:V(y), v:V(x). " + THIN.replace("0 <= t => ", "").replace("E(t)", f"E({t})")


def member(t: str, *bounds: str) -> str:
    """W(t) has rank one, and these bounds hold for its thin singular value decompositions."""
    return f"(rank(E({t})) = 1 and {thin(t)} {' and '.join(bounds)})"


ALIGNED = f"w*{TOP} < {FORM}"
LARGE = f"(w - {GAMMA})*{TOP} < s"


def decomposition(g: Goal, flow: list[str], start: str, at: str, now: str, names: str = "s u v") -> list[str]:
    """Adds s, u, v with W(at) = s u v^T and what is known of them; returns the names of the hypotheses."""
    keeps = g.lemma("eftekhari2022.eq-32", "part:rank-one-for-all-times", *FLOW_TERMS, by=[using(h) for h in (*flow, start)])
    _, exists = g.split(g.apply(keeps, at, by=[using(now)]))
    return g.obtain(exists, *names.split())


def at_exit(g: Goal, flow: list[str], start: str, body: str) -> tuple[str, str]:
    """The first exit time c of a positive function: adds that it vanishes at c and that its derivative is at most 0 there."""
    exit_ = g.by_fact("first_exit", 0, "t", f"lam r:R. {body}")
    _, _, zero, before = g.obtain(exit_, "c")
    g.have("0 <= c")
    slope = g.by_fact("exit_derivative", 0, "c", f"lam r:R. {body}", by=[None, None, using(zero), using(before)])
    return zero, slope


@part(
    "eftekhari2022.lemma-22",
    "size-above",
    f"""{SETTING} rank(E(0)) = 1 => all w z:R. {GAMMA} <= w => (all t:R. 0 <= t => {thin("t")} {ALIGNED}) =>
       0 <= z => z <= (w - {GAMMA})*{TOP} => z^2 < {size("0")} => all t:R. 0 <= t => z^2 < {size("t")}""",
    says="the singular value does not fall to (alpha - gamma) s_Z while the alignment exceeds alpha s_Z",
    uses=["eftekhari2022.eq-32", "eftekhari2022.eq-139"],
)
def singular_value_stays_above(g: Goal) -> None:
    """At a first exit s = z, but then s - u^T Z v < (alpha s_Z - s_2) - alpha s_Z + s_2 = 0, and s increases."""
    names = g.intro(split=False)
    flow, start = names[:-7], names[-7]
    aligned, nonneg, below, now = names[-5], names[-4], names[-3], names[-1]
    order = g.fact("sv_range", "y", "x", "Z")
    second, _ = g.split(g.apply(order, 2, 2))

    def trivial(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        parts = decomposition(g, flow, start, "t", now)
        norm = scalars(g, flow, [now, *parts])[5]
        g.pos([f"@{parts[0]}", f"@{parts[0]}"], eqs=[(norm, 1), (eq, "z")])

    def general(g: Goal) -> None:
        positive = next(reversed(g.seq.hyps))
        g.contra("low")
        zero, slope = at_exit(g, flow, start, f"{size('r')} - z^2")
        at = g.have("0 <= c")
        parts = decomposition(g, flow, start, "c", at)
        _, _, low, _, form, norm, _, _, radial, _ = scalars(g, flow, [at, *parts], ("c", "s", "u", "v"))
        above = g.apply(g.apply(aligned, "c", by=[using(at)]), "s", "u", "v", by=[using(h) for h in parts])
        square = g.have(f"{size('c')} = z^2", lambda g: g.field((zero, 1)))
        equal = g.have("s = z", lambda g: equal_sizes(g, norm, square, parts[0], positive))
        g.have("0 < m")
        g.have("2 <= N")
        g.have("0 <= w")
        ab = g.have("0 <= a*b", lambda g: g.pos([f"@{above}"], ["w", TOP], mul=[TOP], eqs=[(form, -1)]))
        speed = g.have(
            f"0 < {ALIGNMENT} + q - s",
            lambda g: g.pos([f"@{above}"], [f"@{low}"], [f"@{second}", f"@{ab}"], [f"@{below}"], eqs=[(form, -1), (equal, -1)]),
        )
        value = g.differentiate("r", f"{size('r')} - z^2", "c")
        slope = g.rewritten(slope, value)
        g.pos(["2", "m", "N", f"s^{POWER}", f"@{parts[0]}", f"@{speed}"], [f"@{slope}"], eqs=[(radial, 2)])

    g.cases(g.by_fact("lt_or_eq", 0, "z", by=[using(nonneg)]), general, trivial)


@part(
    "eftekhari2022.lemma-19",
    "size-below",
    f"""{SETTING} rank(E(0)) = 1 => all z:R. {TOP} < z => {size("0")} < z^2 => all t:R. 0 <= t => {size("t")} < z^2""",
    says="the singular value does not rise to a level above s_Z from below",
    uses=["eftekhari2022.eq-32", "eftekhari2022.eq-139"],
)
def singular_value_stays_below(g: Goal) -> None:
    """At a first exit s = z > s_Z >= u^T Z v, and s decreases."""
    names = g.intro(split=False)
    flow, (start, larger) = names[:-4], names[-4:-2]
    g.contra("high")
    g.have(f"z^2 - {size('t')} <= 0")
    zero, slope = at_exit(g, flow, start, f"z^2 - {size('r')}")
    at = g.have("0 <= c")
    parts = decomposition(g, flow, start, "c", at)
    a, b, _, high, _, norm, _, _, radial, _ = scalars(g, flow, [at, *parts], ("c", "s", "u", "v"))
    positive = g.have("0 < z")
    square = g.have(f"{size('c')} = z^2", lambda g: g.field((zero, -1)))
    equal = g.have("s = z", lambda g: equal_sizes(g, norm, square, parts[0], positive))
    g.have("0 < m")
    g.have("2 <= N")
    less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
    gap = g.have(f"{SECOND} < {TOP}")
    speed = g.have(
        f"0 < s - {ALIGNMENT} - q",
        lambda g: g.pos([f"@{larger}"], [f"@{high}"], [f"@{gap}", f"@{less}"], eqs=[(equal, 1)]),
    )
    value = g.differentiate("r", f"z^2 - {size('r')}", "c")
    slope = g.rewritten(slope, value)
    g.pos(["2", "m", "N", f"s^{POWER}", f"@{parts[0]}", f"@{speed}"], [f"@{slope}"], eqs=[(radial, -2)])


SMALL = f"s < b*{TOP}"
READING = f"w stands for alpha and b for beta; a thin singular value decomposition is unique up to the joint sign of u and v; {ROOTS_READING}"
CONTEXT = "N >= 2, whitened data and the spectral gap [Assumption 14]"
USES = ["eftekhari2022.eq-32", "eftekhari2022.eq-139", "eftekhari2022.lemma-22", "eftekhari2022.lemma-23"]


def lower_bounds(g: Goal, flow: list[str], gap: str, one: str, start: str, inside: str) -> tuple[str, str, list[str], str]:
    """Adds, for all t >= 0: W(t) has rank one and the alignment exceeds alpha s_Z; |W(t)|^2 exceeds its bound. `inside` says
    of every decomposition of W(0) at least the two bounds of the set (119). Returns these two, what is known of a decomposition
    s0, u0, v0 of W(0), and |W(0)|^2 = s0^2."""
    aligned = g.lemma("eftekhari2022.lemma-23", "statement", *FLOW_TERMS, by=[using(h) for h in flow])
    begin = g.have(f"{thin('0')} {ALIGNED}", lambda g: at_start(g, inside, 1))
    aligned = g.apply(aligned, "w", by=[using(gap), using(one), using(start), using(begin)])
    always = g.have(f"all t:R. 0 <= t => {thin('t')} {ALIGNED}", lambda g: forms(g, aligned))
    zero = g.have("0 <= 0")
    parts = decomposition(g, flow, start, "0", zero, "s0 u0 v0")
    norm = scalars(g, flow, [zero, *parts], ("0", "s0", "u0", "v0"))[5]
    bounds = g.split_all(g.apply(inside, "s0", "u0", "v0", by=[using(h) for h in parts]))
    bound = f"(w - {GAMMA})*{TOP}"
    nonneg = g.have(f"0 <= {bound}", lambda g: g.pos([f"@{gap}", TOP]))
    begin = g.have(f"({bound})^2 < {size('0')}", lambda g: g.pos([f"@{bounds[0]}", f"s0 + {bound}"], eqs=[(norm, 1)]))
    above = g.lemma("eftekhari2022.lemma-22", "part:size-above", *FLOW_TERMS, by=[using(h) for h in (*flow, start)])
    same = g.have(f"{bound} <= {bound}")
    above = g.apply(above, "w", bound, by=[using(gap), using(always), using(nonneg), using(same), using(begin)])
    return aligned, above, parts, norm


def at_start(g: Goal, inside: str, which: int) -> None:
    """One of the bounds at W(0)."""
    parts = g.intro(split=False)
    g.close_by(g.split_all(g.apply(inside, "s", "u", "v", by=[using(h) for h in parts]))[which])


def forms(g: Goal, aligned: str) -> None:
    """The alignment alone, at all times."""
    g.fix("r")
    now = g.assume()
    g.close_by(g.split(g.apply(aligned, "r", by=[using(now)]))[1])


def sizes(g: Goal, flow: list[str], aligned: str, above: str, now: str, below: str = "") -> None:
    """Membership at the time t from the bounds of |W(t)|^2."""
    one, form = g.split(g.apply(aligned, "t", by=[using(now)]))
    low = g.apply(above, "t", by=[using(now)])
    high = g.apply(below, "t", by=[using(now)]) if below else ""
    bound = f"(w - {GAMMA})*{TOP}"

    def each(g: Goal) -> None:
        parts = g.intro(split=False)
        norm = scalars(g, flow, [now, *parts])[5]
        angle = g.apply(form, "s", "u", "v", by=[using(h) for h in parts])

        def larger(g: Goal) -> None:
            k = g.contra()
            g.pos([f"@{low}"], [f"@{k}", f"s + {bound}"], eqs=[(norm, -1)])

        def smaller(g: Goal) -> None:
            k = g.contra()
            g.pos([f"@{high}"], [f"@{k}", f"s + b*{TOP}"], eqs=[(norm, 1)])

        g.conj(larger, *([smaller] if below else []), using(angle))

    g.conj(using(one), each)


@holds(
    "eftekhari2022.lemma-22",
    f"""{SETTING} all w:R. {GAMMA} <= w => w < 1 => {member("0", LARGE, ALIGNED)} => all t:R. 0 <= t => {member("t", LARGE, ALIGNED)}""",
    argument="repaired",
    reason="the printed proof argues with strict inequalities at the exit face also where alpha = gamma_Z, so that the singular value is 0 there; "
    "that it does not vanish is Lemma 11",
    reading=READING,
    context=CONTEXT,
    uses=USES,
)
def stable_set_is_invariant(g: Goal) -> None:
    """The alignment by Lemma 23, the singular value by a first-exit argument."""
    names = g.intro(split=False)
    flow, gap, one, inside, now = names[:-4], *names[-4:]
    start, inside = g.split(inside)
    aligned, above, _, _ = lower_bounds(g, flow, gap, one, start, inside)
    sizes(g, flow, aligned, above, now)


@holds(
    "eftekhari2022.lemma-19",
    f"""{SETTING} all w b:R. {GAMMA} <= w => w < 1 => 1 < b => {member("0", LARGE, SMALL, ALIGNED)} =>
       all t:R. 0 <= t => {member("t", LARGE, SMALL, ALIGNED)}""",
    argument="repaired",
    reason="the lower exit face (195) is the one of Lemma 22, where the printed strict inequalities fail for alpha = gamma_Z; "
    "that the singular value does not vanish there is Lemma 11",
    reading=READING,
    context=CONTEXT,
    uses=[*USES, "eftekhari2022.lemma-19"],
)
def bounded_stable_set_is_invariant(g: Goal) -> None:
    """As Lemma 22, and at the upper face the singular value decreases."""
    names = g.intro(split=False)
    flow, gap, one, more, inside, now = names[:-5], *names[-5:]
    start, inside = g.split(inside)

    def weaker(g: Goal) -> None:
        parts = g.intro(split=False)
        bounds = g.split_all(g.apply(inside, "s", "u", "v", by=[using(h) for h in parts]))
        g.conj(using(bounds[0]), using(bounds[2]))

    pair = g.have(f"{thin('0')} {LARGE} and {ALIGNED}", weaker)
    aligned, above, parts, norm = lower_bounds(g, flow, gap, one, start, pair)
    bounds = g.split_all(g.apply(inside, "s0", "u0", "v0", by=[using(h) for h in parts]))
    begin = g.have(f"{size('0')} < (b*{TOP})^2", lambda g: g.pos([f"@{bounds[1]}", f"s0 + b*{TOP}"], eqs=[(norm, -1)]))
    below = g.lemma("eftekhari2022.lemma-19", "part:size-below", *FLOW_TERMS, by=[using(h) for h in (*flow, start)])
    larger = g.have(f"{TOP} < b*{TOP}", lambda g: g.pos([f"@{more}", TOP]))
    below = g.apply(below, f"b*{TOP}", by=[using(larger), using(begin)])
    sizes(g, flow, aligned, above, now, below)
