"""Proof of Theorem 3: the radius R of Equation (57) put into the bounds, and its size.

c stands for 1 - sqrt(l_init), e for the unbalancedness epsilon, L for the depth.
"""

from __future__ import annotations

from proofs.razin2020.radius_exponents import (
    BASE_2,
    BASE_3,
    DEEP,
    FINAL_2,
    FINAL_C,
    FINAL_E,
    FINAL_L,
    PRINTED_EXPONENT,
    READING,
    RIGHT_EXPONENT,
    ROOT_3,
    known,
)
from proofs.razin2020.scripts import nested, only, using
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

LOW_2 = f"1/2*{BASE_2}^(1/6) <= R"
LOW_3 = f"1/2*{BASE_3}^{ROOT_3} <= R"
PREMISE = "the premises on R are (78)"


@part(
    "razin2020.thm-3-step-eq24-plug",
    "powers",
    f"""all L:Z, c e R k:R. {DEEP} 0 <= k => {LOW_3} =>
       0 < (1/2)^k*c^(4*k/(4*L-2))*2^(-(2*L+8)*k/(4*L-2))*L^(-4*k/(4*L-2))*e^(-k/(32*(4*L-2))) and
       (1/2)^k*c^(4*k/(4*L-2))*2^(-(2*L+8)*k/(4*L-2))*L^(-4*k/(4*L-2))*e^(-k/(32*(4*L-2))) <= R^k""",
    says="a lower bound of powers of R for depth 3 and more",
)
def power_of_the_radius(g: Goal) -> None:
    """Powers with nonnegative exponents increase in the base."""
    depth, c, c1, e, e1, k, low = g.intro()
    pl, pd = known(g, depth)
    x = f"(1/2*{BASE_3}^{ROOT_3})"
    p = g.have(f"0 < {x}", lambda g: (only(g, pl, pd, c, e), g.auto())[-1])
    mono = g.by_fact("pow_base_mono", x, "R", "k", by=[using(p), using(low), using(k)])
    target = "(1/2)^k*c^(4*k/(4*L-2))*2^(-(2*L+8)*k/(4*L-2))*L^(-4*k/(4*L-2))*e^(-k/(32*(4*L-2)))"
    b = g.have(f"0 < {BASE_3}", lambda g: (only(g, pl, c, e), g.auto())[-1])
    y = g.have(f"0 < {BASE_3}^{ROOT_3}", lambda g: (only(g, b), g.auto())[-1])
    split = g.by_fact("pow_mul", "1/2", f"{BASE_3}^{ROOT_3}", "k", by=[None, using(y)])
    nested_ = g.by_fact("pow_pow", BASE_3, ROOT_3, "k", by=[using(b)])
    rest = target.split("*", 1)[1]
    power = g.have(f"{BASE_3}^({ROOT_3}*k) = {rest}", lambda g: (only(g, pl, pd, c, e), g.field())[-1])
    only(g, depth, c, e, pl, pd, p, mono, split, nested_, power)
    value = g.have(
        f"{x}^k = {target}", lambda g: (g.rewrite(split), g.rewrite(nested_), g.rewrite(power), only(g), g.field())[-1]
    )
    g.conj(
        lambda g: (only(g, pl, pd, c, e), g.auto())[-1],
        lambda g: (only(g, mono, value), g.pos([f"@{mono}"], eqs=[(value, 1)]))[-1],
    )


Linear = list[tuple[str, str, str, str]]
"""An exponent, the same as a linear form in L, i = 1/(2L - 1), j = 1/(3L - 2), and the coefficients of i and j."""

LINEAR_24: Linear = [
    ("4*L/(4*L-2)", "1 + i", "1", "0"),
    ("-(2*L+8)*L/(4*L-2)", "-L/2 - 9/4 - 9/4*i", "-9/4", "0"),
    ("-4*L/(4*L-2)", "-1 - i", "-1", "0"),
    ("-L/(32*(4*L-2))", "-1/128 - 1/128*i", "-1/128", "0"),
    ("(5*L^2 + 6*L - 2)/(2*L-1)", "5/2*L + 17/4 + 9/4*i", "9/4", "0"),
    ("2*L/(2*L-1)", "1 + i", "1", "0"),
    ("L/(128*L-64)", "1/128 + 1/128*i", "1/128", "0"),
]
LINEAR_23: Linear = [
    ("4*(L/2)/(4*L-2)", "1/2 + 1/2*i", "1/2", "0"),
    ("-(2*L+8)*(L/2)/(4*L-2)", "-L/4 - 9/8 - 9/8*i", "-9/8", "0"),
    ("-4*(L/2)/(4*L-2)", "-1/2 - 1/2*i", "-1/2", "0"),
    ("-(L/2)/(32*(4*L-2))", "-1/256 - 1/256*i", "-1/256", "0"),
    ("(5*L^2 + 14*L - 6)/(4*L-2)", "5/4*L + 33/8 + 9/8*i", "9/8", "0"),
    ("L/(2*L-1)", "1/2 + 1/2*i", "1/2", "0"),
    ("L/(256*L-128)", "1/256 + 1/256*i", "1/256", "0"),
]
LINEAR_T: Linear = [
    (FINAL_2, "2*L + 8/3 + 28/3*j + 9*i", "9", "28/3"),
    (FINAL_C, "-8/3 - 16/3*j - 4*i", "-4", "-16/3"),
    (FINAL_L, "1 + 8*j + 4*i", "4", "8"),
    (FINAL_E, "-13/96 + 2/3*j + 1/32*i", "1/32", "2/3"),
    ("(-19*L + 22)/(3*L-2)", "-19/3 + 28/3*j", "0", "28/3"),
    ("(4*L - 8)/(3*L-2)", "4/3 - 16/3*j", "0", "-16/3"),
    ("(-9*L + 14)/(3*L-2)", "-3 + 8*j", "0", "8"),
    ("-((L-2)/(6*L-4))", "-1/6 + 2/3*j", "0", "2/3"),
]


def inverses(g: Goal, depth: str) -> tuple[str, str]:
    """Adds i = 1/(2L - 1), j = 1/(3L - 2), with positive denominators; returns the equations."""
    g.have("0 < 2*L - 1", lambda g: (only(g, depth), g.pos([f"@{depth}", 2], [5]))[-1])
    g.have("0 < 3*L - 2", lambda g: (only(g, depth), g.pos([f"@{depth}", 3], [7]))[-1])
    out = []
    for name, value in (("i", "1/(2*L - 1)"), ("j", "1/(3*L - 2)")):
        exists = g.have(f"ex {name}:R. {name} = {value}", lambda g, value=value: (g.witness(value), g.refl())[-1])
        out += g.obtain(exists, name)
    return out[0], out[1]


def linear_exponents(g: Goal, pairs: Linear, i: str, j: str) -> None:
    """Replaces exponents in the conclusion by linear forms in L, i and j."""
    for text, form, p, q in pairs:
        eq = g.have(f"{text} = {form}", lambda g, p=p, q=q: g.field((i, f"-({p})"), (j, f"-({q})")))
        g.rewrite(eq)


def depth_two(g: Goal, k: str, factor: str, target: str) -> None:
    """factor/R^k <= target for depth 2, from R >= (1/2)(..)^(1/6)."""
    c, e, log, low = g.intro()
    (x,) = g.obtain(g.have("ex x:R. x = log(1/e)", lambda g: (g.witness("log(1/e)"), g.refl())[-1]), "x")
    px = g.have("0 < x", lambda g: (g.rewrite(x), g.close_by(log))[-1])
    low = g.have("1/2*(c^4/2^16*x)^(1/6) <= R", lambda g: (g.rewrite(x), g.close_by(low))[-1])
    g.rewrite(x, back=True)
    only(g, c, px, low)
    t = "(1/2*(c^4/2^16*x)^(1/6))"
    p = g.have(f"0 < {t}", lambda g: (only(g, c, px), g.auto())[-1])
    pr = g.have("0 < R", lambda g: (only(g, p, low), g.pos([f"@{p}"], [f"@{low}"]))[-1])
    two = g.have("0 < log(2)", lambda g: (only(g), g.ball())[-1])
    order = g.have(
        f"{t}^{k} <= R^{k}", lambda g: (only(g, p, pr, low), g.pos([f"@{low}", f"R + {t}"] if k == "2" else [f"@{low}"]))[-1]
    )
    value = g.have(f"{factor}/{t}^{k} = {target}", lambda g: (only(g, c, px, two), g.field())[-1])
    pt = g.have(f"0 < {t}^{k}", lambda g: (only(g, p), g.auto())[-1])
    pk = g.have(f"0 < R^{k}", lambda g: (only(g, pr), g.auto())[-1])
    pf = g.have(f"0 < {factor}", lambda g: (only(g, two), g.auto())[-1])
    only(g, order, value, pt, pk, pf)
    g.rewrite(value, back=True)
    g.pos([f"@{order}", factor], mul=[f"{t}^{k}", f"R^{k}"])


def depth_three(g: Goal, power: str, factor: str, target: str, pairs: Linear) -> None:
    """factor/R^k <= target for depth 3 and more."""
    depth, c, c1, e, e1, low = g.intro()
    pl, pd = known(g, depth)
    given = [using(depth), using(c), using(c1), using(e), using(e1), lambda g: (only(g, pl), g.auto())[-1], using(low)]
    positive, order = g.split(g.lemma("razin2020.thm-3-step-eq24-plug", "part:powers", "L", "c", "e", "R", power, by=given))
    two = g.have("0 < log(2)", lambda g: (only(g), g.ball())[-1])
    low_ = g.hyp_formula(order)[1]
    pr = g.have("0 < R", lambda g: radius_positive(g, pl, pd, c, e, low))
    only(g, depth, positive, order, two, pl, pd, c, e, pr)
    f = g.term(factor)
    value = g.have(("=", ("/", f, low_), g.term(target)), lambda g: exponents_agree(g, [depth, pl, pd, c, e, two], pairs))
    pf = g.have(("<", 0, f), lambda g: (only(g, two, pl), g.auto())[-1])
    pk = g.have(("<", 0, ("^", "R", g.hyp_formula(order)[2][2])), lambda g: (only(g, pr), g.auto())[-1])
    only(g, positive, order, value, pf, pk, pr)
    step = g.have(
        ("<=", ("/", f, g.hyp_formula(order)[2]), ("/", f, low_)),
        lambda g: (
            only(g, positive, order, pf, pk),
            g.step("pos", terms=((("hyp", order), f),), mul=(low_, g.hyp_formula(order)[2])),
        )[-1],
    )
    only(g, step, value)
    g.rewrite(value, back=True)
    g.close_by(step)


def exponents_agree(g: Goal, names: list[str], pairs: Linear) -> None:
    """An equation of products of powers."""
    only(g, *names)
    i, j = inverses(g, names[0])
    linear_exponents(g, pairs, i, j)
    only(g, *names)
    g.field()


def radius_positive(g: Goal, pl: str, pd: str, c: str, e: str, low: str) -> None:
    """0 < R."""
    only(g, pl, pd, c, e, low)
    x = f"(1/2*{BASE_3}^{ROOT_3})"
    p = g.have(f"0 < {x}", lambda g: (only(g, pl, pd, c, e), g.auto())[-1])
    only(g, p, low)
    g.pos([f"@{p}"], [f"@{low}"])


SHALLOW = "all c e R:R. 0 < c => 0 < e => 0 < log(1/e) =>"
DEEPER = f"all L:Z, c e R:R. {DEEP}"


@holds(
    "razin2020.thm-3-step-eq24-plug",
    f"""({SHALLOW} {LOW_2} => 2^4/R^2 <= 2^(34/3)/c^(4/3)*log(1/e)^(-1/3)) and 2^(34/3) <= 2^12 and
       ({DEEPER} {LOW_3} => 2^(L+2)/R^L <= 2^((5*L^2 + 6*L - 2)/(2*L-1))*L^(2*L/(2*L-1))/c^(2*L/(2*L-1))*e^(L/(128*L-64))) and
       (all L:Z. 3 <= L => 2*L/(2*L-1) <= 6/5 and (5*L^2 + 6*L - 2)/(2*L-1) <= 3*L + 4)""",
    uses=["razin2020.thm-3-step-eq24-plug"],
    argument="sound",
    reading=f"the first term of the bound of Lemma 31 for depth 2, and for depth 3 and more; {PREMISE}; {READING}",
    context="as shown there [Lemma 31 and Equation (78)]",
)
def radius_in_the_distance_bound(g: Goal) -> None:
    """4 + 2 + 16/3 = 34/3; L^2 - L - 2 >= 0."""

    def exponents(g: Goal) -> None:
        h = g.intro()[0]
        g.have("0 < 2*L - 1", lambda g: g.pos([f"@{h}", 2], [5]))
        g.conj(lambda g: g.pos([f"@{h}", "2/5"], mul=["2*L - 1"]), lambda g: g.nlin(products=2, mul=["2*L - 1"]))

    g.conj(
        lambda g: depth_two(g, "2", "2^4", "2^(34/3)/c^(4/3)*x^(-1/3)"),
        lambda g: g.ball(),
        lambda g: depth_three(
            g, "L", "2^(L+2)", "2^((5*L^2 + 6*L - 2)/(2*L-1))*L^(2*L/(2*L-1))/c^(2*L/(2*L-1))*e^(L/(128*L-64))", LINEAR_24
        ),
        exponents,
    )


@holds(
    "razin2020.thm-3-step-eq23-plug",
    f"""({SHALLOW} {LOW_2} => 2^4/(log(2)*R) <= 2^(23/3)/(log(2)*c^(2/3))*log(1/e)^(-1/6)) and 2^(23/3)/log(2) <= 2^9 and
       ({DEEPER} {LOW_3} => 2^(L/2+3)/(log(2)*R^(L/2)) <=
          2^((5*L^2 + 14*L - 6)/(4*L-2))*L^(L/(2*L-1))/(log(2)*c^(L/(2*L-1)))*e^(L/(256*L-128))) and
       (all L:Z. 3 <= L => L/(2*L-1) <= 1 and (5*L^2 + 14*L - 6)/(4*L-2) <= 2*L + 4)""",
    uses=["razin2020.thm-3-step-eq24-plug"],
    argument="sound",
    reading=f"the extra term of the effective rank bound for depth 2, and for depth 3 and more; {PREMISE}; {READING}",
    context="the bound of the effective rank in terms of R, and Equation (78) [Equation (78)]",
)
def radius_in_the_rank_bound(g: Goal) -> None:
    """4 + 1 + 8/3 = 23/3; 3 L^2 - 2 L - 2 >= 0."""

    def exponents(g: Goal) -> None:
        h = g.intro()[0]
        g.have("0 < 2*L - 1", lambda g: g.pos([f"@{h}", 2], [5]))
        g.have("0 < 4*L - 2", lambda g: g.pos([f"@{h}", 4], [10]))
        g.conj(lambda g: g.pos([f"@{h}"], [2], mul=["2*L - 1"]), lambda g: g.nlin(products=2, mul=["4*L - 2"]))

    def two(g: Goal) -> None:
        depth_two(g, "1", "2^4/log(2)", "2^(23/3)/(log(2)*c^(2/3))*x^(-1/6)")

    def first(g: Goal) -> None:
        k = g.have(f"{SHALLOW} {LOW_2} => (2^4/log(2))/R^1 <= 2^(23/3)/(log(2)*c^(2/3))*log(1/e)^(-1/6)", two)
        names = g.intro()
        m = g.apply(k, "c", "e", "R", by=[using(h) for h in names])
        log2 = g.have("0 < log(2)", lambda g: (only(g), g.ball())[-1])
        base = g.have(f"0 < 1/2*{BASE_2}^(1/6)", lambda g: (only(g, names[0], names[2]), g.auto())[-1])
        pr = g.have("0 < R", lambda g: (only(g, base, names[3]), g.pos([f"@{base}"], [f"@{names[3]}"]))[-1])
        only(g, m, log2, pr)
        g.pos([f"@{m}"])

    def third(g: Goal) -> None:
        t = "2^((5*L^2 + 14*L - 6)/(4*L-2))*L^(L/(2*L-1))/(log(2)*c^(L/(2*L-1)))*e^(L/(256*L-128))"
        k = g.have(
            f"{DEEPER} {LOW_3} => (2^(L/2+3)/log(2))/R^(L/2) <= {t}",
            lambda g: depth_three(g, "L/2", "2^(L/2+3)/log(2)", t, LINEAR_23),
        )
        names = g.intro()
        m = g.apply(k, "L", "c", "e", "R", by=[using(h) for h in names])
        log2 = g.have("0 < log(2)", lambda g: (only(g), g.ball())[-1])
        pl, pd = known(g, names[0])
        pr = g.have("0 < R", lambda g: radius_positive(g, pl, pd, names[1], names[3], names[5]))
        same = g.have("(2^(L/2+3)/log(2))/R^(L/2) = 2^(L/2+3)/(log(2)*R^(L/2))", lambda g: (only(g, log2, pr), g.field())[-1])
        only(g, m, same)
        g.pos([f"@{m}"], eqs=[(same, 1)])

    g.conj(first, lambda g: g.ball(), third, exponents)


BEFORE = "2^((-19*L + 22)/(3*L-2))*c^((4*L - 8)/(3*L-2))*L^((-9*L + 14)/(3*L-2))"
TAIL = "e^(-((L-2)/(6*L-4)))"


@holds(
    "razin2020.thm-3-step-t-after-r",
    f"""all L:Z, c e R s T:R. {DEEP} R + 1 = {BASE_3}^{ROOT_3} => {BEFORE}*(R + 1)^(-4*L)*{TAIL} - s <= T =>
       2^{FINAL_2}*c^{FINAL_C}*L^{FINAL_L}*e^{FINAL_E} - s <= T""",
    argument="sound",
    reading=f"s = 2^(-(5L+5)) sigma_init^(-(L-2)/L), T the first zero of the determinant; {READING}",
)
def radius_in_the_guaranteed_time(g: Goal) -> None:
    """(R + 1)^(-4L) = base^(-4L/(4L-2))."""
    depth, c, c1, e, e1, r, bound = g.intro()
    pl, pd = known(g, depth)
    i, j = inverses(g, depth)
    bound = g.rewritten(bound, r)
    p = g.have(f"0 < {BASE_3}", lambda g: (only(g, pl, c, e), g.auto())[-1])
    k = g.by_fact("pow_pow", BASE_3, ROOT_3, "-4*L", by=[using(p)])
    bound = g.rewritten(bound, k)
    exponent = g.have(f"{ROOT_3}*(-4*L) = -1 - i", lambda g: (only(g, i, pd, *positive_denominators(g)), g.field((i, 1)))[-1])
    bound = g.rewritten(bound, exponent)
    (z,) = g.obtain(g.have("ex z:R. z = 2^(2*L+8)", lambda g: (g.witness("2^(2*L+8)"), g.refl())[-1]), "z")
    pz = g.have("0 < z", lambda g: (only(g, z), g.rewrite(z), g.auto())[-1])
    two = g.by_fact("pow_pow", "2", "2*L+8", "1 + i", by=[None])
    form = g.have(
        "(2*L+8)*(1 + i) = 2*L + 9 + 9*i", lambda g: (only(g, i, pd, *positive_denominators(g)), g.field((i, "2*L - 1")))[-1]
    )
    two = g.rewritten(two, form)
    back = g.have("2^(2*L+8) = z", lambda g: g.field((z, -1)))
    two, bound = g.rewritten(two, back), g.rewritten(bound, back)
    base = g.hyp_formula(bound)[1]
    value = g.have(
        ("=", ("+", base, "s"), g.term(f"2^{FINAL_2}*c^{FINAL_C}*L^{FINAL_L}*e^{FINAL_E}")),
        lambda g: time_exponents(g, [depth, c, e, pl, pd, pz, two, i, j]),
    )
    only(g, bound, value)
    g.pos([f"@{bound}"], eqs=[(value, 1)])


def positive_denominators(g: Goal) -> list[str]:
    """The hypotheses 0 < 2L - 1 and 0 < 3L - 2."""
    return [h for h, f in g.seq.hyps.items() if f in (g.formula("0 < 2*L - 1"), g.formula("0 < 3*L - 2"))]


def time_exponents(g: Goal, names: list[str]) -> None:
    """(2^(2L+8))^(1+i) is the power 2^(2L + 9 + 9i)."""
    only(g, *names, *positive_denominators(g))
    linear_exponents(g, LINEAR_T, names[-2], names[-1])
    only(g, *names[:7])
    rest = "2^(-19/3 + 28/3*j)*c^(4/3 - 16/3*j)*L^(-3 + 8*j)*(c^4/L^4*e^(-1/32))^(-1 - i)*e^(-1/6 + 2/3*j)"
    g.field((names[6], rest))


A = "(2^11*L^7*(R + 1)^(8*L-3)/c^4*e^(1/2))"
B = "(2^4*L*(R + 1)^L)"
W = "w^(-((L-2)/L))"
EXPLICIT = f"all L:Z, c e R w T:R. {DEEP} 32 <= R => R = {BASE_3}^{ROOT_3} - 1 => 0 < w => w <= c/2 => {B}^(-2*L/(3*L-2))*{A}^(-((L-2)/(3*L-2))) - 1/{B}*{W} <= T =>"


def explicit(exponent: str) -> str:
    """The explicit lower bound of T with an exponent of R + 1."""
    return f"{BEFORE}*(R + 1)^{exponent}*{TAIL} - 2^(-(5*L + 5))*{W} <= T"


@refuted(
    "razin2020.thm-3-step-t-explicit",
    f"{EXPLICIT} {explicit(PRINTED_EXPONENT)}",
    reading=f"w = sigma_init, T any number that satisfies the bound before it; {READING}",
    reason="the exponent of R + 1 has the wrong sign as displayed; the next step uses only that it is at least -4L, which holds for the right sign too",
)
def printed_exponent_of_the_radius_is_wrong(g: Goal) -> None:
    """L = 3, c = 1/2, R = 32, e = (2^18 3^4 33^10)^(-32), sigma_init = 1/4, T equal to the bound before it."""
    base = "(2^18*3^4*33^10)"
    e = f"{base}^(-32)"
    values = {"L": "3", "c": "(1/2)", "e": f"({e})", "R": "32", "w": "(1/4)"}

    def put(text: str) -> str:
        import re

        return re.sub(r"(?<![A-Za-z_])([LceRw])(?![A-Za-z_])", lambda m: values[m.group(1)], text)

    t = put(f"{B}^(-2*L/(3*L-2))*{A}^(-((L-2)/(3*L-2))) - 1/{B}*{W}")
    g.witness(3, "1/2", e, 32, "1/4", t)
    nested(
        g,
        None,
        None,
        None,
        lambda g: g.auto(),
        lambda g: g.ball(),
        None,
        radius_value,
        None,
        None,
        lambda g: g.refl(),
        lambda g: g.ball(),
    )


def radius_value(g: Goal) -> None:
    """33 = (33^10)^(1/10)."""
    g.field()


@amendment(
    "razin2020.thm-3-step-t-explicit",
    f"{EXPLICIT} {explicit(RIGHT_EXPONENT)}",
    says="with the exponent -(10 L^2 - 19 L + 6)/(3 L - 2) of R + 1",
    uses=["razin2020.thm-3-step-b-inverse"],
)
def explicit_guaranteed_time(g: Goal) -> None:
    """Collect the powers; 1/b <= 2^(-(5L+5))."""
    depth, c, c1, e, e1, big, r, w, _, bound = g.intro()
    inv = g.lemma("razin2020.thm-3-step-b-inverse", "statement", "L", "R", by=[using(depth), using(big)])
    pl, pd = known(g, depth)
    p3 = g.have("0 < 3*L - 2", lambda g: (only(g, depth), g.pos([f"@{depth}", 3], [7]))[-1])
    (v,) = g.obtain(g.have("ex v:R. v = R + 1", lambda g: (g.witness("R + 1"), g.refl())[-1]), "v")
    pv = g.have("0 < v", lambda g: (only(g, big, v), g.pos([f"@{big}"], [33], eqs=[(v, 1)]))[-1])
    first = f"{B}^(-2*L/(3*L-2))*{A}^(-((L-2)/(3*L-2)))"
    last = f"{BEFORE}*(R + 1)^{RIGHT_EXPONENT}*{TAIL}"
    value = g.have(f"{first} = {last}".replace("(R + 1)", "v"), lambda g: (only(g, c, e, pl, pd, p3, pv), g.field())[-1])
    same = g.have("v = R + 1", lambda g: g.close_by(v))
    value = g.rewritten(value, same)
    pw = g.have(f"0 < {W}", lambda g: (only(g, w), g.auto())[-1])
    only(g, bound, inv, value, pw)
    g.rewrite(value, back=True)
    only(g, bound, inv, pw)
    g.pos([f"@{bound}"], [f"@{inv}", W])
    del r
