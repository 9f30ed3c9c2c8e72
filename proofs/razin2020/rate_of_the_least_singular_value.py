"""Proof of Theorem 3: how fast the least singular value of the product can fall, from the balanced factors nearby."""

from __future__ import annotations

from proofs.razin2020.problem import fro
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM, COMBINED = "razin2020.eq-61", "razin2020.thm-3-step-combined-rate"
Q = "(3 - 2/L)"


def variable(g: Goal, name: str, value: str) -> tuple[str, str]:
    """Adds name = value for a new real variable, and value = name."""
    (h,) = g.obtain(g.have(f"ex {name}:R. {name} = {value}", lambda g: (g.witness(value), g.refl())[-1]), name, split=False)
    return h, g.have(f"{value} = {name}", lambda g: (only(g, h), g.field((h, -1)))[-1])


@part(
    CLAIM,
    "tangent",
    "all y q:R. 0 < y => 1 <= q => 1 + q*(y - 1) <= y^q",
    says="a power with an exponent of at least 1 lies above its tangent at 1",
)
def power_above_its_tangent(g: Goal) -> None:
    """With z = y^q and M = (z + q - 1)/q: log z <= log M + z/M - 1 and 0 <= log M + 1/M - 1, so log y <= log M."""
    y, q = g.intro()
    pq = g.have("0 < q", lambda g: (only(g, q), g.pos([f"@{q}"], [1]))[-1])
    power = g.have("0 < y^q", lambda g: (only(g, y), g.auto())[-1])
    log = g.have("log(y^q) = q*log(y)", lambda g: (only(g, y), g.field())[-1])
    (z,) = g.obtain(g.have("ex z:R. z = y^q", lambda g: (g.witness("y^q"), g.refl())[-1]), "z", split=False)
    back = g.have("y^q = z", lambda g: (only(g, z), g.field((z, -1)))[-1])
    power, log = g.rewritten(power, back), g.rewritten(log, back)
    g.rewrite(back)
    only(g, y, q, pq, power, log)
    m = "((z + q - 1)/q)"
    pm = g.have(f"0 < {m}", lambda g: g.pos([f"@{power}"], [f"@{q}"], mul=["q"]))
    a = g.by_fact("log_concave", f"z/{m}", by=[lambda g: (only(g, pm, power), g.auto())[-1]])
    b = g.by_fact("log_concave", f"1/{m}", by=[lambda g: (only(g, pm), g.auto())[-1]])
    (w,) = g.obtain(g.have(f"ex w:R. w = {m}", lambda g: (g.witness(m), g.refl())[-1]), "w", split=False)
    named = g.have(f"{m} = w", lambda g: (only(g, w), g.field((w, -1)))[-1])
    pm, a, b = g.rewritten(pm, named), g.rewritten(a, named), g.rewritten(b, named)
    value = g.have("q*w = z + q - 1", lambda g: (only(g, w, pq), g.field((w, "q")))[-1])
    first = g.have("log(z/w) = log(z) - log(w)", lambda g: (only(g, power, pm), g.field())[-1])
    second = g.have("log(1/w) = -log(w)", lambda g: (only(g, pm), g.field())[-1])
    only(g, y, q, pq, power, pm, log, a, b, value, first, second)
    below = g.have(
        "log(y) <= log(w)",
        lambda g: g.pos(
            [f"@{a}"],
            [f"@{b}", f"@{q}"],
            mul=["q"],
            eqs=[(first, 1), (second, "q - 1"), (log, 1), (value, "1/w")],
        ),
    )
    mono = g.by_fact("exp_mono", "log(y)", "log(w)", by=[using(below)])
    ey, ew = g.by_fact("exp_log", "y", by=[using(y)]), g.by_fact("exp_log", "w", by=[using(pm)])
    only(g, mono, ey, ew, value, pq)
    g.pos([f"@{mono}", "q"], eqs=[(ey, "q"), (ew, "-q"), (value, -1)])


@part(
    CLAIM,
    "convexity",
    "all a b q:R. 0 < a => 0 < b => 1 <= q => (a + b)^q <= 2^(q - 1)*(a^q + b^q)",
    says="convexity of powers",
    uses=[CLAIM],
)
def powers_are_convex(g: Goal) -> None:
    """The tangent at the mean m: (a/m)^q + (b/m)^q >= 2."""
    a, b, q = g.intro()
    m = "((a + b)/2)"
    sum_ = g.have("0 < a + b", lambda g: (only(g, a, b), g.pos([f"@{a}"], [f"@{b}"]))[-1])
    x = g.lemma(CLAIM, "part:tangent", f"a/{m}", "q", by=[lambda g: (only(g, a, sum_), g.auto())[-1], using(q)])
    y = g.lemma(CLAIM, "part:tangent", f"b/{m}", "q", by=[lambda g: (only(g, b, sum_), g.auto())[-1], using(q)])
    ra = g.have(f"(a/{m})^q*(a + b)^q = 2^q*a^q", lambda g: quotient(g, "a", a, sum_))
    rb = g.have(f"(b/{m})^q*(a + b)^q = 2^q*b^q", lambda g: quotient(g, "b", b, sum_))
    two = g.have("2^q = 2*2^(q - 1)", lambda g: (only(g), g.field())[-1])
    power = g.have("0 < (a + b)^q", lambda g: (only(g, sum_), g.auto())[-1])
    total = g.have(f"2 <= (a/{m})^q + (b/{m})^q", lambda g: (only(g, x, y, sum_), g.pos([f"@{x}"], [f"@{y}"]))[-1])
    only(g, total, ra, rb, two, power)
    g.pos([f"@{total}", "(a + b)^q", "1/2"], eqs=[(ra, "-1/2"), (rb, "-1/2"), (two, "-1/2*(a^q + b^q)")])


def quotient(g: Goal, name: str, positive: str, sum_: str) -> None:
    """(a/m)^q (2 m)^q = (2 a)^q."""
    only(g, positive, sum_)
    p = g.by_fact("pow_mul", f"{name}/((a + b)/2)", "a + b", "q", by=[None, using(sum_)])
    k = g.have(f"{name}/((a + b)/2)*(a + b) = 2*{name}", lambda g: g.field())
    p = g.rewritten(p, k)
    only(g, p, positive)
    r = g.by_fact("pow_mul", 2, name, "q", by=[None, using(positive)])
    only(g, p, r)
    g.field((p, -1), (r, 1))


DELTA = "(1/2*L^2*r^(L-1)*sqrt(e))"
BALANCED_RATE = "4*L*r^L*(sv(X,2) + d)^(3 - 2/L)"
SPLIT = "4*2^(2 - 2/L)*L*r^L*(sv(X,2)^(3 - 2/L) + d^(3 - 2/L))"
ERROR = "2*L^(7 - 4/L)*r^(4*L - 5 + 2/L)*e^(3/2 - 1/L)"
RATE = f"2^4*L*r^L*sv(X,2)^(3 - 2/L) + {ERROR}"


@holds(
    CLAIM,
    f"""all L:Z, r e d y:R, X Y:M(2,2). 2 <= L => 33 <= r => 0 < e => 0 < sv(X,2) => 0 < sv(Y,2) => d = {DELTA} => {fro("X - Y")} <= d =>
       abs(y) <= 4*L*r^L*sv(Y,2)^(3 - 2/L) => abs(y) <= {BALANCED_RATE} and {BALANCED_RATE} <= {SPLIT} and {SPLIT} <= {RATE}""",
    uses=[CLAIM, "razin2020.cited-golub-van-loan"],
    argument="sound",
    reading="X = W_{L:1} and Y = W'_{L:1} at one time, y the derivative of s2(W'_{L:1})^2, d the bound of |X - Y| in (60), r = R + 1, e = epsilon",
    context="thm-3-step-balanced-rate, Equation (60), and positive determinants [thm-3-step-balanced-rate, Equation (60)]",
)
def rate_by_the_actual_singular_value(g: Goal) -> None:
    """Weyl's inequality; convexity of the power; exponents."""
    depth, radius, e, x, z, delta, near, rate = g.intro()
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    pr = g.have("0 < r", lambda g: (only(g, radius), g.pos([f"@{radius}"], [33]))[-1])
    weyl = g.lemma("razin2020.cited-golub-van-loan", "statement", 2, 2, 2, "X", "Y")
    weyl = g.split(weyl)[1] if g.hyp_formula(weyl)[0] == "and" else weyl
    root = g.have("0 < sqrt(e)", lambda g: (only(g, e), g.auto())[-1])
    pd = g.have("0 < d", lambda g: (only(g, delta, pl, pr, root), g.rewrite(delta), g.auto())[-1])
    bounds = g.split(g.apply(g.split(g.fact("abs_le", "sv(X,2) - sv(Y,2)", fro("X - Y")))[0], by=[using(weyl)]))
    above = g.have("sv(Y,2) <= sv(X,2) + d", lambda g: (only(g, bounds[0], near), g.pos([f"@{bounds[0]}"], [f"@{near}"]))[-1])
    inverse = g.have("2/L <= 1", lambda g: (only(g, depth, pl), g.pos([f"@{depth}"], mul=["L"]))[-1])
    one = g.have(f"1 <= {Q}", lambda g: (only(g, inverse), g.pos([f"@{inverse}"], [1]))[-1])
    nonneg = g.have(f"0 <= {Q}", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
    front = g.have("0 < 4*L*r^L", lambda g: (only(g, pl, pr), g.auto())[-1])

    def first(g: Goal) -> None:
        k = g.by_fact("pow_base_mono", "sv(Y,2)", "sv(X,2) + d", Q, by=[using(z), using(above), using(nonneg)])
        only(g, rate, k, front)
        g.pos([f"@{rate}"], [f"@{k}", "4*L*r^L"])

    def second(g: Goal) -> None:
        k = g.lemma(CLAIM, "part:convexity", "sv(X,2)", "d", Q, by=[using(x), using(pd), using(one)])
        same = g.have("3 - 2/L - 1 = 2 - 2/L", lambda g: g.field())
        k = g.rewritten(k, same)
        only(g, k, front)
        g.pos([f"@{k}", "4*L*r^L"])

    def third(g: Goal) -> None:
        power = g.have("2^(2 - 2/L) <= 2^2", lambda g: (only(g, pl), smaller_exponent(g))[-1])
        value = g.have(f"4*2^(2 - 2/L)*L*r^L*d^{Q} = {ERROR}", lambda g: error_term(g, delta, pl, pr, e))
        px = g.have(f"0 < sv(X,2)^{Q}", lambda g: (only(g, x), g.auto())[-1])
        only(g, power, value, px, front)
        g.pos([f"@{power}", f"sv(X,2)^{Q}", "4*L*r^L"], eqs=[(value, -1)])

    g.conj(first, second, third)


def error_term(g: Goal, delta: str, pl: str, pr: str, e: str) -> None:
    """The powers of 2, L, r and e."""
    only(g, delta, pl, pr, e)
    g.rewrite(delta)
    root = g.have("0 < sqrt(e)", lambda g: (only(g, e), g.auto())[-1])
    power = g.have("0 < r^(L-1)", lambda g: (only(g, pr), g.auto())[-1])
    both = g.have("0 < r^(L-1)*sqrt(e)", lambda g: (only(g, root, power), g.auto())[-1])
    front = g.have("0 < 1/2*L^2", lambda g: (only(g, pl), g.auto())[-1])
    a = g.by_fact("pow_mul", "1/2*L^2", "r^(L-1)*sqrt(e)", Q, by=[using(front), using(both)])
    b = g.by_fact("pow_mul", "r^(L-1)", "sqrt(e)", Q, by=[using(power), using(root)])
    c = g.by_fact("pow_pow", "r", "L-1", Q, by=[using(pr)])
    k = g.have(f"{DELTA}^{Q} = (1/2*L^2)^{Q}*(r^((L-1)*{Q})*sqrt(e)^{Q})", lambda g: joined(g, a, b, c))
    only(g, k, pl, pr, e)
    g.rewrite(k)
    g.field()


def joined(g: Goal, a: str, b: str, c: str) -> None:
    """d^q from the powers of its factors."""
    only(g, a, b, c)
    same = g.have(("=", g.term(DELTA), g.hyp_formula(a)[1][1]), lambda g: (only(g), g.field())[-1])
    g.rewrite(same)
    g.rewrite(a)
    g.rewrite(b)
    g.rewrite(c)
    g.refl()


def smaller_exponent(g: Goal) -> None:
    """2 - 2/L <= 2."""
    g.close_by(g.by_fact("pow_exp_mono", 2, "2 - 2/L", 2, by=[None, lambda g: g.pos(["2/L"])]))


LEADING = "2^11*L^7*r^(8*L-3)/c^4*sqrt(e)"


@holds(
    COMBINED,
    f"""all L:Z, r c e d y v:R, X Y:M(2,2). 2 <= L => 33 <= r => 0 < c => c <= 1 => 0 < e => e <= 1 => 0 < sv(X,2) => 0 < sv(Y,2) => d = {DELTA} =>
       {fro("X - Y")} <= d => abs(y) <= 4*L*r^L*sv(Y,2)^(3 - 2/L) => abs(v - y) <= 1158*L^3*r^(8*L-3)/c^4*sqrt(e) =>
       abs(v) <= 2^4*L*r^L*(sv(X,2)^2)^(3/2 - 1/L) + {LEADING}""",
    uses=[CLAIM],
    argument="sound",
    reading="at one time v is the derivative of s2(W_{L:1})^2 and y that of s2(W'_{L:1})^2, X = W_{L:1} and Y = W'_{L:1}; c = 1 - sqrt(l_init), r = R + 1, e = epsilon",
    context=(
        "thm-3-step-balanced-rate, Equation (60), thm-3-step-1158, positive determinants, and epsilon <= 1 [assumption "
        "(iii)]"
    ),
)
def rates_of_both_paths_together(g: Goal) -> None:
    """2 L^(7 - 4/L) r^(4L - 5 + 2/L) e^(3/2 - 1/L) + 1158 L^3 r^(8L-3)/c^4 sqrt e <= 2048 L^7 r^(8L-3)/c^4 sqrt e."""
    depth, radius, c, c1, e, e1, x, z, delta, near, rate, gap = g.intro()
    args = ("L", "r", "e", "d", "y", "X", "Y")
    k = g.split(g.lemma(CLAIM, "statement", *args, by=[using(h) for h in (depth, radius, e, x, z, delta, near, rate)]))
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    one_l = g.have("1 <= L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    one_r = g.have("1 <= r", lambda g: (only(g, radius), g.pos([f"@{radius}"], [32]))[-1])
    pr = g.have("0 < r", lambda g: (only(g, one_r), g.pos([f"@{one_r}"], [1]))[-1])
    small = g.have("2/L <= 1", lambda g: (only(g, depth, pl), g.pos([f"@{depth}"], mul=["L"]))[-1])
    root = g.have("0 < sqrt(e)", lambda g: (only(g, e), g.auto())[-1])
    positive = g.have("0 < 2/L", lambda g: (only(g, pl), g.auto())[-1])
    only(g, *k, gap, depth, pl, one_l, one_r, pr, small, positive, root, c, c1, e, e1, x)
    a = g.by_fact(
        "pow_exp_mono", "L", "7 - 4/L", 7, by=[using(one_l), lambda g: (only(g, positive), g.pos([2, f"@{positive}"]))[-1]]
    )
    b = g.by_fact(
        "pow_exp_mono",
        "r",
        "4*L - 5 + 2/L",
        "8*L - 3",
        by=[using(one_r), lambda g: (only(g, small, one_l), g.pos([f"@{small}"], [4, f"@{one_l}"], [5]))[-1]],
    )
    w = g.by_fact(
        "pow_exp_anti",
        "e",
        "1/2",
        "3/2 - 1/L",
        by=[using(e), using(e1), lambda g: (only(g, small), g.pos([f"@{small}", "1/2"], ["1/2"]))[-1]],
    )
    half = g.have("e^(1/2) = sqrt(e)", lambda g: (only(g, e), g.field())[-1])
    w = g.rewritten(w, half)
    square = g.have("(sv(X,2)^2)^(3/2 - 1/L) = sv(X,2)^(3 - 2/L)", lambda g: (only(g, x, pl), g.field())[-1])
    g.rewrite(square)
    u, back_u = variable(g, "u", "L^(7 - 4/L)")
    t, back_t = variable(g, "t", "r^(4*L - 5 + 2/L)")
    s, back_s = variable(g, "s", "e^(3/2 - 1/L)")
    p, back_p = variable(g, "p", "r^(8*L - 3)")
    pu = g.have("0 < u", lambda g: (only(g, u, pl), g.rewrite(u), g.auto())[-1])
    pt = g.have("0 < t", lambda g: (only(g, t, pr), g.rewrite(t), g.auto())[-1])
    ps = g.have("0 < s", lambda g: (only(g, s, e), g.rewrite(s), g.auto())[-1])
    a, b, w = g.rewritten(a, back_u), g.rewritten(g.rewritten(b, back_t), back_p), g.rewritten(w, back_s)
    pp = g.have("0 < p", lambda g: (only(g, b, pt), g.pos([f"@{b}"], [f"@{pt}"]))[-1])
    last = g.rewritten(g.rewritten(g.rewritten(k[2], back_u), back_t), back_s)
    gap = g.rewritten(gap, back_p)
    g.rewrite(back_p)
    inverse = g.have("1 <= 1/c^4", lambda g: fourth(g, c, c1))
    q, back_q = variable(g, "q", "1/c^4")
    inverse = g.rewritten(inverse, back_q)
    term = g.have(
        "2048*L^7*p/c^4*sqrt(e) = 2048*L^7*p*q*sqrt(e)", lambda g: (only(g, q, c), g.field((q, "-2048*L^7*p*sqrt(e)")))[-1]
    )
    other = g.have(
        "1158*L^3*p/c^4*sqrt(e) = 1158*L^3*p*q*sqrt(e)", lambda g: (only(g, q, c), g.field((q, "-1158*L^3*p*sqrt(e)")))[-1]
    )
    error = g.have(
        "2*u*t*s <= 2*L^7*p*q*sqrt(e)",
        lambda g: (
            only(g, a, b, w, pu, pt, ps, pp, pl, root, inverse),
            g.pos(
                [2, f"@{a}", "t", "s"],
                [2, "L^7", f"@{b}", "s"],
                [2, "L^7", "p", f"@{w}"],
                [2, "L^7", "p", "sqrt(e)", f"@{inverse}"],
            ),
        )[-1],
    )
    pq = g.have("0 < q", lambda g: (only(g, inverse), g.pos([f"@{inverse}"], [1]))[-1])
    main = g.have(
        "2*L^7*p*q*sqrt(e) + 1158*L^3*p*q*sqrt(e) <= 2048*L^7*p*q*sqrt(e)",
        lambda g: (
            only(g, one_l, pl, pp, pq, root),
            g.have("0 <= L^4 - 1", lambda g: (only(g, one_l, pl), g.pos([f"@{one_l}", "L^3 + L^2 + L + 1"]))[-1]),
            g.pos([2046, "L^4 - 1", "L^3", "p", "q", "sqrt(e)"], [888, "L^3", "p", "q", "sqrt(e)"]),
        )[-1],
    )
    whole = g.fact("abs_triangle", "y", "v - y")
    same = g.have("y + (v - y) = v", lambda g: g.field())
    whole = g.rewritten(whole, same)
    only(g, whole, k[0], k[1], last, gap, error, main, term, other)
    g.pos(
        [f"@{whole}"],
        [f"@{k[0]}"],
        [f"@{k[1]}"],
        [f"@{last}"],
        [f"@{gap}"],
        [f"@{error}"],
        [f"@{main}"],
        eqs=[(term, 1), (other, -1)],
    )


def fourth(g: Goal, c: str, c1: str) -> None:
    """1 <= 1/c^4 for 0 < c <= 1."""
    only(g, c, c1)
    g.pos([f"@{c1}", "1 + c + c^2 + c^3"], mul=["c^4"])
