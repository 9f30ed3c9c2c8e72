"""Proof of Theorem 3: the radius R of Equation (57), and powers of it with exponents that depend on the depth.

c stands for 1 - sqrt(l_init), e for the unbalancedness epsilon, L for the depth.
"""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds

DEEP = "3 <= L => 0 < c => c <= 1 => 0 < e => e < 1 =>"
BASE_2 = "(c^4/2^16*log(1/e))"
BASE_3 = "(c^4/(2^(2*L+8)*L^4)*e^(-1/32))"
ROOT_3 = "(1/(4*L-2))"
READING = "c = 1 - sqrt(l_init) in (0, 1], e = epsilon in (0, 1)"


def known(g: Goal, *names: str) -> tuple[str, ...]:
    """Adds 0 < L and 0 < 4 L - 2 from 3 <= L, the first name."""
    pl = g.have("0 < L", lambda g: (only(g, names[0]), g.pos([f"@{names[0]}"], [3]))[-1])
    pd = g.have("0 < 4*L - 2", lambda g: (only(g, names[0]), g.pos([f"@{names[0]}", 4], [10]))[-1])
    return pl, pd


@holds(
    "razin2020.eq-57",
    f"""(all c e:R. 0 < c => c <= 1 => 0 < e => e < 1 => 0 < {BASE_2}) and (all L:Z, c e:R. {DEEP} 0 < {BASE_3}) and
       (all c e R:R. 0 < c => c <= 1 => 0 < e => e < 1 => R = {BASE_2}^(1/6) - 1 => (R + 1)^6 = {BASE_2}) and
       (all L:Z, c e R:R. {DEEP} R = {BASE_3}^{ROOT_3} - 1 => (R + 1)^(4*L-2) = {BASE_3})""",
    reading=f"the bases of the powers are positive, so that R is defined; {READING}",
)
def radius_is_well_defined(g: Goal) -> None:
    """log(1/e) > 0 for e < 1."""

    def log_positive(g: Goal, low: str, high: str) -> str:
        def prove(g: Goal) -> None:
            only(g, low, high)
            k = g.by_fact("log_strict", "1", "1/e", by=[None, lambda g: g.pos([f"@{high}"], mul=["e"])])
            one = g.fact("log_one")
            g.pos([f"@{k}"], eqs=[(one, 1)])

        return g.have("0 < log(1/e)", prove)

    def two(g: Goal) -> None:
        c, _, low, high = g.intro()
        log_positive(g, low, high)
        g.auto()

    def three(g: Goal) -> None:
        names = g.intro()
        known(g, *names)
        g.auto()

    def sixth(g: Goal) -> None:
        c, _, low, high, r = g.intro()
        p = log_positive(g, low, high)
        b = g.have(f"0 < {BASE_2}", lambda g: (only(g, c, p), g.auto())[-1])
        k = g.by_fact("pow_pow", BASE_2, "1/6", "6", by=[using(b)])
        only(g, r, k, b)
        (x,) = g.obtain(g.have(f"ex x:R. x = {BASE_2}", lambda g: (g.witness(BASE_2), g.refl())[-1]), "x")
        px = g.have("0 < x", lambda g: (g.rewrite(x), g.close_by(b))[-1])
        r = g.have("R + 1 = x^(1/6)", lambda g: (g.rewrite(x), g.field((r, 1)))[-1])
        g.rewrite(x, back=True)
        only(g, px, r)
        g.rewrite(r)
        g.field()
        del k

    def root(g: Goal) -> None:
        *names, r = g.intro()
        pl, pd = known(g, *names)
        b = g.have(f"0 < {BASE_3}", lambda g: (only(g, pl, names[1], names[3]), g.auto())[-1])
        (x,) = g.obtain(g.have(f"ex x:R. x = {BASE_3}", lambda g: (g.witness(BASE_3), g.refl())[-1]), "x")
        px = g.have("0 < x", lambda g: (g.rewrite(x), g.close_by(b))[-1])
        r = g.have(f"R + 1 = x^{ROOT_3}", lambda g: (g.rewrite(x), g.field((r, 1)))[-1])
        k = g.by_fact("pow_pow", "x", ROOT_3, "4*L-2", by=[using(px)])
        only(g, px, r, x, k, pd)
        g.rewrite(r)
        g.rewrite(x, back=True)
        g.rewrite(k)
        one = g.have(f"{ROOT_3}*(4*L-2) = 1", lambda g: g.field())
        g.rewrite(one)
        g.field()

    g.conj(two, three, sixth, root)


@holds(
    "razin2020.eq-78",
    f"""(all c e R:R. R = {BASE_2}^(1/6) - 1 => 32 <= R => 1/2*{BASE_2}^(1/6) <= R) and
       (all L:Z, c e R:R. R = {BASE_3}^{ROOT_3} - 1 => 32 <= R => 1/2*{BASE_3}^{ROOT_3} <= R)""",
    argument="sound",
    reading=READING,
)
def radius_is_at_least_half_of_the_root(g: Goal) -> None:
    """R >= (R + 1)/2 for R >= 1."""

    def half(g: Goal) -> None:
        r, big = g.intro()
        g.pos([f"@{big}", "1/2"], ["31/2"], eqs=[(r, "1/2")])

    g.conj(half, half)


@holds(
    "razin2020.thm-3-step-eq22-simplify",
    "all L:Z. 3 <= L => 2*L/(2*L-1) <= 6/5 and (5*L^2 + 4*L - 1)/(2*L-1) <= 4*L",
    argument="sound",
)
def exponents_of_the_norm_bound(g: Goal) -> None:
    """12 L - 6 - 10 L >= 0; 8 L^2 - 4 L - 5 L^2 - 4 L + 1 = (3 L + 1)(L - 3) + 4 >= 0."""
    h = g.intro()[0]
    g.have("0 < 2*L - 1", lambda g: g.pos([f"@{h}", 2], [5]))
    g.conj(
        lambda g: g.pos([f"@{h}", "2/5"], mul=["2*L - 1"]),
        lambda g: g.pos([3, f"@{h}", f"@{h}"], [f"@{h}", 10], [4], mul=["2*L - 1"]),
    )


@holds(
    "razin2020.thm-3-step-b-inverse",
    "all L:Z, R:R. 3 <= L => 32 <= R => 1/(2^4*L*(R + 1)^L) <= 2^(-(5*L + 5))",
    argument="sound",
)
def inverse_of_the_rate_constant(g: Goal) -> None:
    """2^4 L (R + 1)^L >= 2^4 2 (2^5)^L."""
    depth, radius = g.intro()
    a = g.by_fact(
        "ipow_mono",
        "32",
        "R + 1",
        "L",
        by=[
            None,
            lambda g: (only(g, radius), g.pos([f"@{radius}"], [1]))[-1],
            lambda g: (only(g, depth), g.pos([f"@{depth}"], [3]))[-1],
        ],
    )
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [3]))[-1])
    pr = g.have("0 < R + 1", lambda g: (only(g, radius), g.pos([f"@{radius}"], [33]))[-1])
    p = g.have("0 < (R + 1)^L", lambda g: (only(g, pr), g.auto())[-1])
    same = g.have("32^L = 2^(5*L)", lambda g: (only(g), g.field())[-1])
    z = g.have("2^(-(5*L + 5)) = 1/(32*2^(5*L))", lambda g: (only(g), g.field())[-1])
    q = g.have("0 < 2^(5*L)", lambda g: (only(g), g.auto())[-1])
    only(g, a, pl, p, same, z, q, depth)
    g.rewrite(z)
    k = g.have("2^(5*L) <= (R + 1)^L", lambda g: (only(g, a, same), g.pos([f"@{a}"], eqs=[(same, 1)]))[-1])
    only(g, k, pl, p, q, depth)
    g.pos([f"@{k}", 32], [f"@{depth}", 16, "(R + 1)^L"], [16, "(R + 1)^L"], mul=["32*2^(5*L)", "2^4*L*(R + 1)^L"])


PRINTED_EXPONENT = "(-((-10*L^2 + 19*L - 6)/(3*L-2)))"
RIGHT_EXPONENT = "(-((10*L^2 - 19*L + 6)/(3*L-2)))"


@holds(
    "razin2020.thm-3-step-exponent-4l",
    f"all L:Z. 3 <= L => -4*L <= {PRINTED_EXPONENT} and -4*L <= {RIGHT_EXPONENT}",
    argument="sound",
    reading="the exponent of R + 1 as displayed, and with the sign that the computation gives",
)
def exponent_of_the_radius(g: Goal) -> None:
    """12 L^2 - 8 L -+ (10 L^2 - 19 L + 6) >= 0."""
    h = g.intro()[0]
    g.have("0 < 3*L - 2", lambda g: g.pos([f"@{h}", 3], [7]))
    g.conj(
        lambda g: g.pos([22, f"@{h}", f"@{h}"], [f"@{h}", 105], [123], mul=["3*L - 2"]),
        lambda g: g.pos([2, f"@{h}", f"@{h}"], [f"@{h}", 23], [45], mul=["3*L - 2"]),
    )


@holds(
    "razin2020.thm-3-step-plug-depth-2",
    f"""all c e R:R. 0 < c => 0 < e => e < 1 => 0 < log(1/e) => R = {BASE_2}^(1/6) - 1 =>
       1/(2^4*2*(R + 1)^2)*(1/2*log(1/e)) = 1/(2^(2/3)*c^(4/3))*log(1/e)^(2/3)""",
    argument="sound",
    reading=READING,
)
def guaranteed_time_for_depth_two(g: Goal) -> None:
    """-6 + 16/3 = -2/3."""
    c, e, _, k, r = g.intro()
    only(g, c, e, k, r)
    (x,) = g.obtain(g.have("ex x:R. x = log(1/e)", lambda g: (g.witness("log(1/e)"), g.refl())[-1]), "x")
    px = g.have("0 < x", lambda g: (g.rewrite(x), g.close_by(k))[-1])
    r = g.have("R + 1 = (c^4/2^16*x)^(1/6)", lambda g: (g.rewrite(x), g.field((r, 1)))[-1])
    g.rewrite(x, back=True)
    only(g, c, px, r)
    g.rewrite(r)
    g.field()


@holds(
    "razin2020.thm-3-step-eq22-plug-depth-2",
    f"""(all n g c e R W:R. 0 < n => 0 < g => 0 < c => 0 < log(1/e) => 1/2*{BASE_2}^(1/6) <= R => n/(2^3*g)*R^2 <= W =>
          n*c^(4/3)/(2^(31/3)*g)*log(1/e)^(1/3) <= W) and 2^(31/3) <= 2^11""",
    argument="sound",
    reading=f"n = |e_1 e_1^T|, g = the constant of the (quasi-)norm, W = the norm of the product matrix plus 12 g^2 max |e_i e_j^T|, the first premises are (78) and (77) at L = 2; {READING}",
    context="as shown there [Equations (77) and (78)]",
)
def norm_bound_for_depth_two(g: Goal) -> None:
    """3 + 2 + 16/3 = 31/3."""

    def bound(g: Goal) -> None:
        n, q, c, k, low, norm = g.intro()
        (x,) = g.obtain(g.have("ex x:R. x = log(1/e)", lambda g: (g.witness("log(1/e)"), g.refl())[-1]), "x")
        px = g.have("0 < x", lambda g: (g.rewrite(x), g.close_by(k))[-1])
        low = g.have("1/2*(c^4/2^16*x)^(1/6) <= R", lambda g: (g.rewrite(x), g.close_by(low))[-1])
        g.rewrite(x, back=True)
        only(g, n, q, c, px, low, norm)
        t = "(1/2*(c^4/2^16*x)^(1/6))"
        p = g.have(f"0 < {t}", lambda g: (only(g, c, px), g.auto())[-1])
        square = g.have(
            f"n/(2^3*g)*{t}^2 <= n/(2^3*g)*R^2",
            lambda g: (
                only(g, n, q, p, low),
                g.have("0 < R", lambda g: g.pos([f"@{p}"], [f"@{low}"])),
                g.pos([f"@{low}", f"R + {t}", "n/(2^3*g)"]),
            )[-1],
        )
        value = g.have(f"n/(2^3*g)*{t}^2 = n*c^(4/3)/(2^(31/3)*g)*x^(1/3)", lambda g: (only(g, n, q, c, px), g.field())[-1])
        only(g, norm, square, value)
        g.pos([f"@{norm}"], [f"@{square}"], eqs=[(value, 1)])

    g.conj(bound, lambda g: g.ball())


FINAL_2 = "((4*L^2 + 16*L)/(2*L-1) - (19*L - 22)/(3*L-2))"
FINAL_C = "((4*L - 8)/(3*L-2) - 16*L/(4*L-2))"
FINAL_L = "(16*L/(4*L-2) - (9*L - 14)/(3*L-2))"
FINAL_E = "(L/(8*(4*L-2)) - (L-2)/(6*L-4))"


@holds(
    "razin2020.thm-3-step-t-final",
    f"""all L:Z, c e s T:R. {DEEP} 2^{FINAL_2}*c^{FINAL_C}*L^{FINAL_L}*e^{FINAL_E} - s <= T =>
       2^(4*L/3)*c^(-2)*L*e^(-((3*L-8)/(32*L-16))) - s <= T""",
    argument="sound",
    reading=f"s = 2^(-(5L+5)) sigma_init^(-(L-2)/L), T the first zero of the determinant; {READING}",
)
def final_guaranteed_time(g: Goal) -> None:
    """Four inequalities of rational functions of L, for the bases 2, L >= 1 and c, e <= 1."""
    names = g.intro()
    depth, c, c1, e, e1, bound = names
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [3]))[-1])
    for d in ("2*L - 1", "3*L - 2", "4*L - 2", "6*L - 4", "32*L - 16"):
        g.have(f"0 < {d}", lambda g: (only(g, depth), g.nlin(products=1))[-1])
    dens = list(g.seq.hyps)[-5:]

    a = g.have(f"4*L/3 <= {FINAL_2}", lambda g: (only(g, depth, *dens), search(g, ["2*L - 1", "3*L - 2"]))[-1])
    b = g.have(f"{FINAL_C} <= -2", lambda g: (only(g, depth, *dens), search(g, ["3*L - 2", "4*L - 2"]))[-1])
    k = g.have(f"1 <= {FINAL_L}", lambda g: (only(g, depth, *dens), search(g, ["3*L - 2", "4*L - 2"]))[-1])
    m = g.have(
        f"{FINAL_E} <= -((3*L-8)/(32*L-16))",
        lambda g: (only(g, depth, *dens), search(g, ["4*L - 2", "6*L - 4", "32*L - 16"]))[-1],
    )
    two = g.by_fact("pow_exp_mono", "2", "4*L/3", FINAL_2, by=[None, using(a)])
    cc = g.by_fact("pow_exp_anti", "c", FINAL_C, "-2", by=[using(c), using(c1), using(b)])
    ll = g.by_fact("pow_exp_mono", "L", "1", FINAL_L, by=[lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1], using(k)])
    ee = g.by_fact("pow_exp_anti", "e", FINAL_E, "-((3*L-8)/(32*L-16))", by=[using(e), lambda g: g.pos([f"@{e1}"]), using(m)])
    only(g, two, cc, ll, ee, c, e, pl, bound)
    small = ["2^(4*L/3)", "c^(-2)", "L", "e^(-((3*L-8)/(32*L-16)))"]
    big = [f"2^{FINAL_2}", f"c^{FINAL_C}", f"L^{FINAL_L}", f"e^{FINAL_E}"]
    vs = []
    for i, (x, y, h_) in enumerate(zip(small, big, (two, cc, ll, ee), strict=True)):
        p = g.have(
            f"ex x{i} y{i}:R. x{i} = {x} and y{i} = {y}", lambda g, x=x, y=y: (g.witness(x, y), g.conj(Goal.refl, Goal.refl))[-1]
        )
        u, v = g.obtain(p, f"x{i}", f"y{i}")
        px = g.have(f"0 < x{i}", lambda g, u=u: (only(g, u, c, e, pl), g.rewrite(u), g.auto())[-1])
        less = g.have(
            f"x{i} <= y{i}", lambda g, u=u, v=v, h_=h_: (only(g, u, v, h_), g.rewrite(u), g.rewrite(v), g.pos([f"@{h_}"]))[-1]
        )
        vs.append((u, v, px, less))
    bound = g.have("y0*y1*y2*y3 - s <= T", lambda g: ([g.rewrite(v) for _, v, _, _ in vs], g.close_by(bound))[-1])
    goal = g.have("x0*x1*x2*x3 - s <= T", lambda g: product_bound(g, [x[2] for x in vs], [x[3] for x in vs], bound))
    only(g, goal, *[x[0] for x in vs])
    for u, *_ in vs:
        goal = g.rewritten(goal, u)
    only(g, goal)
    g.pos([f"@{goal}"])


def product_bound(g: Goal, signs: list[str], orders: list[str], bound: str) -> None:
    """x0 x1 x2 x3 <= y0 y1 y2 y3."""
    only(g, *signs, *orders, bound)
    for i in range(4):
        g.have(f"0 < y{i}", lambda g, i=i: (only(g, signs[i], orders[i]), g.pos([f"@{signs[i]}"], [f"@{orders[i]}"]))[-1])
    g.pos(
        [f"@{bound}"],
        [f"@{orders[0]}", "y1", "y2", "y3"],
        ["x0", f"@{orders[1]}", "y2", "y3"],
        ["x0", "x1", f"@{orders[2]}", "y3"],
        ["x0", "x1", "x2", f"@{orders[3]}"],
    )


def search(g: Goal, mul: list[str]) -> None:
    """An inequality of rational functions, from 3 <= L."""
    g.nlin(products=3, mul=mul)
