"""Proof of Theorem 3, depth at least 3: how long the least singular value stays positive.

B stands for b^p with p = 2L/(3L-2), the inverse of 3/2 - 1/L, and A for a^p.
"""

from __future__ import annotations

from proofs.razin2020.rate_of_the_least_singular_value import variable
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds

LOWER, TIME = "razin2020.thm-3-step-lower-sigma-depth-3", "razin2020.thm-3-step-t-depth-3"
P, N, K = "(2*L/(3*L - 2))", "(2*L/(L - 2))", "((2 - L)/(2*L))"
FIRST = f"1/(b^{P}*(b^{P}*(1/2 - 1/L)*(u - z) + (a^{P} + b^{P}*s^2)^{K})^{N}) - (a/b)^{P}"
INNER = f"(b^{P}*u + b^((2 - L)/(3*L - 2))*s^((2 - L)/L))"
SECOND = f"1/(b^{P}*{INNER}^{N}) - (a/b)^{P}"
SETTING = """all f:R~>R, a b c r e s z u:R, L:Z. 3 <= L => 0 < c => 33 <= r => 0 < e => a = 2^11*L^7*r^(8*L-3)/c^4*sqrt(e) => b = 2^4*L*r^L =>
       0 <= z => z < u => 0 < s => s^2 <= f(z) => (all t:R. z <= t and t < u => 0 < f(t)) =>
       (all t:R. z <= t and t < u => abs(f'(t)) <= a + b*f(t)^(3/2 - 1/L)) =>"""
NAMES = ("f", "a", "b", "c", "r", "e", "s", "z", "u", "L")
READING = "f(t) = s2(W_{L:1}(t))^2, z = t_0, u = T, s = sigma_init, c = 1 - sqrt(l_init), r = R + 1, e = epsilon; f is smooth where det > 0; of sigma_init only sigma_init <= s2(W(t_0)) is used"
CONTEXT = "the bound of the derivative (thm-3-step-combined-rate), and 0 < sigma_init <= s2(W(t_0)) [thm-3-step-t0]"


def depth_facts(g: Goal, depth: str) -> list[str]:
    """0 < L, 0 < L - 2, 0 < 3 L - 2."""
    return [
        g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [3]))[-1]),
        g.have("0 < L - 2", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1]),
        g.have("0 < 3*L - 2", lambda g: (only(g, depth), g.pos([f"@{depth}", 3], [7]))[-1]),
    ]


def constants(g: Goal, hyps: list[str]) -> tuple[str, str]:
    """a and b are positive."""
    depth, c, r, e, a, b = hyps
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [3]))[-1])
    pr = g.have("0 < r", lambda g: (only(g, r), g.pos([f"@{r}"], [33]))[-1])
    root = g.have("0 < sqrt(e)", lambda g: (only(g, e), g.auto())[-1])
    return (
        g.have("0 < a", lambda g: (only(g, pl, pr, root, c, a), g.rewrite(a), g.auto())[-1]),
        g.have("0 < b", lambda g: (only(g, pl, pr, b), g.rewrite(b), g.auto())[-1]),
    )


@holds(
    LOWER,
    f"{SETTING} {FIRST} <= f(u) and {SECOND} <= {FIRST}",
    uses=["razin2020.lemma-16-gamma-gt-1"],
    argument="sound",
    reading=READING,
    context=CONTEXT,
)
def lower_bound_of_the_singular_value(g: Goal) -> None:
    """Lemma 16 from the time z on; then what is dropped only lowers the bound."""
    hyps = g.intro()
    depth, *_, start, order, s, initial, positive, rate = hyps
    pa, pb = constants(g, hyps[:6])
    facts = depth_facts(g, depth)
    pl, pm, pn = facts
    only(g, depth, *facts, pa, pb, start, order, s, initial, positive, rate)
    gamma = "(3/2 - 1/L)"

    def moved(h: str, t: str, low: str, high: str, g: Goal) -> str:
        return g.apply(
            h,
            f"{t} + (z - 1)",
            by=[
                lambda g: g.conj(
                    lambda g: (only(g, low), g.pos([f"@{low}"]))[-1], lambda g: (only(g, high), g.pos([f"@{high}"]))[-1]
                )
            ],
        )

    def alive(g: Goal) -> None:
        (t,) = g.fix()
        low, high = g.split(g.assume())
        g.close_by(moved(positive, t, low, high, g))

    def decay(g: Goal) -> None:
        (t,) = g.fix()
        low, high = g.split(g.assume())
        k = moved(rate, t, low, high, g)
        move = g.differentiate("w", "f(w + (z - 1))", t)
        g.rewrite(move)
        g.close_by(k)

    one = g.have(f"1 < {gamma}", lambda g: (only(g, pl, pm), g.pos([f"@{pm}"], mul=["2*L"]))[-1])
    k = g.lemma(
        "razin2020.lemma-16-gamma-gt-1",
        "statement",
        "lam w:R. f(w + (z - 1))",
        1,
        "u - z + 1",
        "a",
        "b",
        by=[None, lambda g: (only(g, order), g.pos([f"@{order}"]))[-1], using(pa), using(pb), alive],
    )
    k = g.apply(k, gamma, by=[using(one), decay])
    for left, right in (
        (f"1/({gamma} - 1)", N[1:-1]),
        (f"1/{gamma}", P[1:-1]),
        (f"1 - {gamma}", K[1:-1]),
        (f"{gamma} - 1", "1/2 - 1/L"),
        ("1 + (z - 1)", "z"),
    ):
        same = g.have(f"{left} = {right}", lambda g: (only(g, *facts, one), g.field())[-1])
        k = g.rewritten(k, same)
    end = g.term("u - z + 1")
    for moved_end, right in ((("+", end, ("*", -1, 1)), "u - z"), (("+", end, g.term("z - 1")), "u")):
        k = g.rewritten(k, g.have(("=", moved_end, g.term(right)), lambda g: (only(g), g.field())[-1]))
    bp, back_b = variable(g, "B", f"b^{P}")
    ap, back_a = variable(g, "A", f"a^{P}")
    p_b = g.have("0 < B", lambda g: (only(g, bp, pb), g.rewrite(bp), g.auto())[-1])
    p_a = g.have("0 < A", lambda g: (only(g, ap, pa), g.rewrite(ap), g.auto())[-1])
    k = g.rewritten(g.rewritten(k, back_b), back_a)
    neg = g.have(f"{K} <= 0", lambda g: (only(g, pl, pm), g.pos([f"@{pm}"], mul=["2*L"]))[-1])
    exp = g.have(f"0 <= {N}", lambda g: (only(g, pl, pm), g.auto())[-1])
    value = g.have(f"(B*s^2)^{K} = b^((2 - L)/(3*L - 2))*s^((2 - L)/L)", lambda g: split_power(g, bp, p_b, pb, s, facts))
    g.rewrite(back_b)
    g.rewrite(back_a)
    g.rewrite(value, back=True)
    only(g, depth, *facts, k, p_a, p_b, neg, exp, start, order, s, initial)
    x0, x1, x2 = "(A + B*f(z))", "(A + B*s^2)", "(B*s^2)"
    px2 = g.have(f"0 < {x2}", lambda g: (only(g, p_b, s), g.auto())[-1])
    px1 = g.have(f"0 < {x1}", lambda g: (only(g, p_a, px2), g.pos([f"@{p_a}"], [f"@{px2}"]))[-1])
    up = g.have(f"{x1} <= {x0}", lambda g: (only(g, p_b, initial), g.pos([f"@{initial}", "B"]))[-1])
    px0 = g.have(f"0 < {x0}", lambda g: (only(g, up, px1), g.pos([f"@{up}"], [f"@{px1}"]))[-1])
    down = g.have(f"{x2} <= {x1}", lambda g: (only(g, p_a), g.pos([f"@{p_a}"]))[-1])
    a01 = g.by_fact("pow_base_anti", x1, x0, K, by=[using(px1), using(up), using(neg)])
    a12 = g.by_fact("pow_base_anti", x2, x1, K, by=[using(px2), using(down), using(neg)])
    powers = [g.have(f"0 < {x}^{K}", lambda g, h=h: (only(g, h), g.auto())[-1]) for x, h in ((x0, px0), (x1, px1))]
    half = g.have("0 <= 1/2 - 1/L", lambda g: (only(g, pl, pm), g.pos([f"@{pm}"], mul=["2*L"]))[-1])
    length = "B*(1/2 - 1/L)*(u - z)"
    low = g.have(f"0 <= {length}", lambda g: (only(g, half, order, p_b), g.pos(["B", f"@{half}", f"@{order}"]))[-1])
    y0, y1, y2 = f"({length} + {x0}^{K})", f"({length} + {x1}^{K})", f"(B*u + {x2}^{K})"
    py0 = g.have(f"0 < {y0}", lambda g: (only(g, low, powers[0]), g.pos([f"@{low}"], [f"@{powers[0]}"]))[-1])
    py1 = g.have(f"0 < {y1}", lambda g: (only(g, low, powers[1]), g.pos([f"@{low}"], [f"@{powers[1]}"]))[-1])
    o01 = g.have(f"{y0} <= {y1}", lambda g: (only(g, a01), g.pos([f"@{a01}"]))[-1])
    inverse = g.have("0 < 1/L", lambda g: (only(g, pl), g.auto())[-1])
    o12 = g.have(
        f"{y1} <= {y2}",
        lambda g: (
            only(g, a12, half, start, order, p_b, inverse),
            g.pos([f"@{a12}"], ["B", "1/2", f"@{order}"], ["B", "1/L", f"@{order}"], ["B", f"@{start}"]),
        )[-1],
    )
    py2 = g.have(f"0 < {y2}", lambda g: (only(g, o12, py1), g.pos([f"@{o12}"], [f"@{py1}"]))[-1])
    m01 = g.by_fact("pow_base_mono", y0, y1, N, by=[using(py0), using(o01), using(exp)])
    m12 = g.by_fact("pow_base_mono", y1, y2, N, by=[using(py1), using(o12), using(exp)])
    pp = [g.have(f"0 < {y}^{N}", lambda g, h=h: (only(g, h), g.auto())[-1]) for y, h in ((y0, py0), (y1, py1), (y2, py2))]

    def first(g: Goal) -> None:
        only(g, k, m01, pp[0], pp[1], p_b)
        less = g.have(f"1/(B*{y1}^{N}) <= 1/(B*{y0}^{N})", lambda g: (only(g, m01, pp[0], pp[1], p_b), inverses(g, m01))[-1])
        g.pos([f"@{k}"], [f"@{less}"])

    def second(g: Goal) -> None:
        only(g, m12, pp[1], pp[2], p_b)
        less = g.have(f"1/(B*{y2}^{N}) <= 1/(B*{y1}^{N})", lambda g: inverses(g, m12))
        only(g, less)
        g.pos([f"@{less}"])

    g.conj(first, second)


def inverses(g: Goal, order: str) -> None:
    """1/(B y) <= 1/(B x) from x <= y."""
    _, x, y = g.hyp_formula(order)
    g.pos([f"@{order}"], mul=["B", x, y])


def split_power(g: Goal, bp: str, p_b: str, pb: str, s: str, facts: list[str]) -> None:
    """(b^p s^2)^k = b^(p k) s^(2 k)."""
    only(g, bp, p_b, pb, s, *facts)
    square = g.have("0 < s^2", lambda g: (only(g, s), g.auto())[-1])
    a = g.by_fact("pow_mul", "B", "s^2", K, by=[using(p_b), using(square)])
    b = g.by_fact("pow_pow", "b", P, K, by=[using(pb)])
    b = g.rewritten(b, g.have(f"{P}*{K} = (2 - L)/(3*L - 2)", lambda g: (only(g, *facts), g.field())[-1]))
    own = g.have(f"B^{K} = (b^{P})^{K}", lambda g: (g.rewrite(bp), g.refl())[-1])
    c = g.have(f"(s^2)^{K} = s^((2 - L)/L)", lambda g: (only(g, s, facts[0]), g.field())[-1])
    g.rewrite(a)
    g.rewrite(own)
    g.rewrite(b)
    g.rewrite(c)
    g.refl()


@holds(
    TIME,
    f"{SETTING} f(u) = 0 => b^(-(2*L/(3*L - 2)))*a^(-((L - 2)/(3*L - 2))) - b^(-1)*s^(-((L - 2)/L)) <= u",
    uses=[LOWER],
    argument="sound",
    reading=READING,
    context=f"{CONTEXT}; the determinant vanishes at T [definition of T]",
)
def time_for_larger_depths(g: Goal) -> None:
    """The lower bound is at most 0, so 1 <= a^p Y^n with Y = B u + (B s^2)^k; the n-th root, divided by b^p."""
    hyps = g.intro()
    depth, start, order, s, zero = hyps[0], hyps[6], hyps[7], hyps[8], hyps[-1]
    pa, pb = constants(g, hyps[:6])
    facts = depth_facts(g, depth)
    pl, pm, pn = facts
    k = g.split(g.lemma(LOWER, "statement", *NAMES, by=[using(h) for h in hyps[:-1]]))
    only(g, *k, depth, *facts, pa, pb, start, order, s, zero)
    y, back = variable(g, "y", INNER)
    m = "((L - 2)/(2*L))"
    px = g.have("0 < b^((2 - L)/(3*L - 2))*s^((2 - L)/L)", lambda g: (only(g, pb, s), g.auto())[-1])
    u = g.have("0 < u", lambda g: (only(g, start, order), g.pos([f"@{start}"], [f"@{order}"]))[-1])
    first = g.have(f"0 < b^{P}*u", lambda g: (only(g, pb, u), g.auto())[-1])
    py = g.have("0 < y", lambda g: (only(g, y, px, first), g.pos([f"@{px}"], [f"@{first}"], eqs=[(y, 1)]))[-1])
    bound = g.rewritten(k[1], back)
    power = g.have(f"0 < y^{N}", lambda g: (only(g, py), g.auto())[-1])
    p_a = g.have(f"0 < a^{P}", lambda g: (only(g, pa), g.auto())[-1])
    p_b = g.have(f"0 < b^{P}", lambda g: (only(g, pb), g.auto())[-1])
    ratio = g.have(f"(a/b)^{P} = a^{P}/b^{P}", lambda g: (only(g, pa, pb), g.field())[-1])

    def large(g: Goal) -> None:
        only(g, bound, k[0], zero, power, p_a, p_b, ratio)
        low = g.have(
            f"1/(b^{P}*y^{N}) <= a^{P}/b^{P}", lambda g: g.pos([f"@{bound}"], [f"@{k[0]}"], eqs=[(zero, -1), (ratio, -1)])
        )
        only(g, low, power, p_a, p_b)
        g.pos([f"@{low}", f"b^{P}", f"y^{N}"])

    one = g.have(f"1 <= a^{P}*y^{N}", large)
    root = g.by_fact("pow_base_mono", 1, f"a^{P}*y^{N}", m, by=[None, using(one), lambda g: (only(g, pl, pm), g.auto())[-1]])
    a = g.by_fact("pow_mul", f"a^{P}", f"y^{N}", m, by=[using(p_a), using(power)])
    b = g.by_fact("pow_pow", "a", P, m, by=[using(pa)])
    c = g.by_fact("pow_pow", "y", N, m, by=[using(py)])
    b = g.rewritten(b, g.have(f"{P}*{m} = (L - 2)/(3*L - 2)", lambda g: (only(g, *facts), g.field())[-1]))
    c = g.rewritten(c, g.have(f"{N}*{m} = 1", lambda g: (only(g, *facts), g.field())[-1]))
    unit = g.have(f"1^{m} = 1", lambda g: (only(g), g.field())[-1])
    root = g.rewritten(g.rewritten(g.rewritten(g.rewritten(root, a), b), c), unit)
    (w,) = g.obtain(
        g.have("ex w:R. w = a^((L - 2)/(3*L - 2))", lambda g: (g.witness("a^((L - 2)/(3*L - 2))"), g.refl())[-1]),
        "w",
        split=False,
    )
    pw = g.have("0 < w", lambda g: (only(g, w, pa), g.rewrite(w), g.auto())[-1])
    name = g.have("a^((L - 2)/(3*L - 2)) = w", lambda g: (only(g, w), g.field((w, -1)))[-1])
    root = g.rewritten(root, name)
    inverse = g.have("a^(-((L - 2)/(3*L - 2))) = 1/w", lambda g: (only(g, w, pa), g.rewrite(w), g.field())[-1])
    only(g, root, inverse, y, pw, py, p_b, pb, s, *facts)
    flat = g.have("y^1 = y", lambda g: (only(g), g.field())[-1])
    root = g.rewritten(root, flat)
    least = g.have("1/w <= y", lambda g: (only(g, root, pw), g.pos([f"@{root}"], mul=["w"]))[-1])
    left = g.have("b^(-(2*L/(3*L - 2)))*b^((2 - L)/(3*L - 2)) = b^(-1)", lambda g: exponents_add(g, pb, facts))
    other = g.have(f"b^(-(2*L/(3*L - 2))) = 1/b^{P}", lambda g: (only(g, pb), g.field())[-1])
    end = g.have("s^(-((L - 2)/L)) = s^((2 - L)/L)", lambda g: (only(g, s, facts[0]), g.field())[-1])
    g.rewrite(inverse)
    g.rewrite(end)
    g.rewrite(left, back=True)
    g.rewrite(other)
    only(g, least, y, p_b)
    g.pos([f"@{least}", f"1/b^{P}"], eqs=[(y, f"-1/b^{P}")])


def exponents_add(g: Goal, pb: str, facts: list[str]) -> None:
    """-2L + 2 - L = -(3L - 2): powers of the root b^(1/(3L-2))."""
    only(g, pb, *facts)
    root = "b^(1/(3*L - 2))"
    powers = {}
    for exponent, value in (("-2*L", "-(2*L/(3*L - 2))"), ("2 - L", "(2 - L)/(3*L - 2)"), ("2 - 3*L", "-1")):
        p = g.by_fact("pow_pow", "b", "1/(3*L - 2)", exponent, by=[using(pb)])
        same = g.have(f"1/(3*L - 2)*({exponent}) = {value}", lambda g: (only(g, *facts), g.field())[-1])
        powers[exponent] = g.rewritten(p, same)
    positive = g.have(f"0 < {root}", lambda g: (only(g, pb), g.auto())[-1])
    _, back = variable(g, "h", root)
    named = [g.rewritten(p, back) for p in powers.values()]
    positive = g.rewritten(positive, back)
    only(g, *named, positive)
    for p in named:
        g.rewrite(p, back=True)
    only(g, positive)
    g.field()
