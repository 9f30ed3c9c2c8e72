"""Proof of Theorem 3: the squared least singular value of a 2 x 2 matrix, its derivative, and differences for two matrices.

V and V' stand for a matrix and its velocity, likewise Y and Y' for the nearby balanced one.
"""

from __future__ import annotations

from proofs.razin2020.problem import fro
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

COFACTOR = "[[{0}[2,2], -{0}[2,1]], [-{0}[1,2], {0}[1,1]]]"


def inner(a: str, b: str) -> str:
    """The Frobenius inner product."""
    return f"tr(T({a}) @ {b})"


GAP = "(sv({0},1)^2 - sv({0},2)^2)"


@holds(
    "razin2020.cited-ipsen-rehman",
    f"all W V:M(2,2). abs(det(W) - det(V)) <= 2*{fro('W - V')}*max({fro('W')}, {fro('V')})",
    argument="sound",
)
def determinant_is_locally_lipschitz(g: Goal) -> None:
    """det W - det V = <C, W - V> with C the mean of the two cofactor matrices, whose norm is at most the larger of the two norms."""
    g.intro()
    c = f"({COFACTOR.format('W')} + {COFACTOR.format('V')})"
    k = g.fact("frobenius_cauchy", 2, 2, c, "W - V")
    entries = {m: g.fact("frobenius_entries", 2, 2, m) for m in ("W", "V", "W - V")}
    dw, dv = g.by_fact("sqrt_sq", "tr(T(W) @ W)"), g.by_fact("sqrt_sq", "tr(T(V) @ V)")
    dd = g.by_fact("sqrt_sq", "tr(T(W - V) @ (W - V))")
    lw, lv, ld = (
        g.by_fact("sqrt_nonneg", f"tr(T({m}) @ ({m}))") if m == "W - V" else g.by_fact("sqrt_nonneg", f"tr(T({m}) @ {m})")
        for m in ("W", "V", "W - V")
    )
    m = f"max({fro('W')}, {fro('V')})"
    a, b = upper(g, fro("W"), fro("V"))
    only(g, k, *entries.values(), dw, dv, dd, lw, lv, ld, a, b)
    twice = g.have(f"tr(T({c}) @ (W - V)) = 2*(det(W) - det(V))", lambda g: g.field())
    # |C_W + C_V|^2 <= 2 |W|^2 + 2 |V|^2 <= 4 m^2
    size = g.have(
        f"tr(T({c}) @ {c}) <= 4*{m}^2",
        lambda g: g.pos(
            ["(W[1,1] - V[1,1])^2"],
            ["(W[1,2] - V[1,2])^2"],
            ["(W[2,1] - V[2,1])^2"],
            ["(W[2,2] - V[2,2])^2"],
            [f"@{a}", 2, m],
            [f"@{a}", 2, f"@{lw}"],
            [f"@{b}", 2, m],
            [f"@{b}", 2, f"@{lv}"],
            eqs=[(dw, 2), (dv, 2), (entries["W"], 2), (entries["V"], 2)],
            side={f"0 <= {m}": lambda g: (only(g, a, lw), g.pos([f"@{a}"], [f"@{lw}"]))[-1]},
        ),
    )
    pm = g.have(f"0 <= {m}", lambda g: (only(g, a, lw), g.pos([f"@{a}"], [f"@{lw}"]))[-1])
    only(g, k, twice, size, dd, ld, pm)
    n = fro("W - V")

    def square(g: Goal) -> None:
        g.pos(
            [f"@{k}", "1/4"],
            [f"@{size}", "1/4", "tr(T(W - V) @ (W - V))"],
            eqs=[(twice, f"-1/4*(tr(T({c}) @ (W - V)) + 2*(det(W) - det(V)))"), (dd, f"{m}^2")],
        )

    s = g.have(f"(det(W) - det(V))^2 <= ({n}*{m})^2", square)
    root = g.by_fact("sqrt_mono", "(det(W) - det(V))^2", f"({n}*{m})^2", by=[None, using(s)])
    x = g.fact("sqrt_of_square", "det(W) - det(V)")
    y = g.by_fact(
        "sqrt_unique", f"({n}*{m})^2", f"{n}*{m}", by=[lambda g: (only(g, ld, pm), g.pos([f"@{ld}", f"@{pm}"]))[-1], Goal.refl]
    )
    only(g, root, x, y, ld, pm)
    g.pos([f"@{root}"], [f"@{ld}", f"@{pm}"], eqs=[(x, 1), (y, -1)])


def upper(g: Goal, a: str, b: str) -> tuple[str, str]:
    """a and b are at most their maximum."""

    def prove(g: Goal) -> None:
        def case(g: Goal) -> None:
            order, eq = g.split(next(reversed(g.seq.hyps)))
            g.pos(*([] if g.concl[1] == g.hyp_formula(eq)[2] else [[f"@{order}"]]), eqs=[(eq, 1)])

        g.cases(g.fact("max_cases", a, b), case, case)

    return g.have(f"{a} <= max({a}, {b})", prove), g.have(f"{b} <= max({a}, {b})", prove)


def rate(x: str, v: str, sign: str) -> str:
    """The formula for the derivative of the squared least singular value, with the sign of the second term in the numerator."""
    a, b = inner(x, v), inner(COFACTOR.format(x), v)
    return f"({a} - (tr(T({x}) @ {x})*{a} {sign} 2*det({x})*{b})/{GAP.format(x)})"


CURVE = "X(t)"
VELOCITY = "X'(t)"
DERIVATIVE = "D(s, sv(X(s),2)^2, t)"


@refuted(
    "razin2020.thm-3-step-sigma2-derivative",
    f"all X:R~>M(2,2), t:R. sv(X(t),2) < sv(X(t),1) => {DERIVATIVE} = {rate(CURVE, VELOCITY, '+')}",
    uses=["razin2020.thm-3-step-sigma2-derivative"],
    reading="a smooth curve of 2 x 2 matrices with distinct singular values; for W_{L:1} and for the nearby W'_{L:1} alike",
    reason="the term with the determinant has the wrong sign: along X(t) = diag(2, 1 + t) the square of the least singular value is (1 + t)^2, "
    "with derivative 2 at 0, and the printed formula gives -10/3; the bounds that follow use absolute values and are not affected",
)
def printed_sign_of_the_determinant_term_is_wrong(g: Goal) -> None:
    """X(t) = [[2, 0], [0, 1 + t]] at t = 0: the amended formula gives 2, the printed one -10/3."""
    curve = "lam t:R. [[2, 0], [0, 1 + t]]"
    m = "[[2,0],[0,1+0]]"
    g.witness(curve, 0)
    product, squares = g.split(g.fact("sv_2x2", m))
    order = g.fact("sv_range", 2, 2, m)
    low = g.split(g.apply(order, 2, 2))[0]
    one, ge = g.split(g.apply(order, 1, 2))
    ge = g.apply(ge)
    size = g.have(
        f"abs(det({m})) = 2",
        lambda g: (
            g.have(f"abs(det({m})) = abs(2)", lambda g: g.ctx(lambda g: g.field())) and g.field((next(reversed(g.seq.hyps)), 1))
        ),
    )
    only(g, product, squares, low, one, ge, size)
    s1, s2 = f"sv({m},1)", f"sv({m},2)"
    total = g.have(f"({s1} + {s2})^2 = 9", lambda g: g.field((product, 2), (size, 2), (squares, 1)))
    gap = g.have(f"({s1} - {s2})^2 = 1", lambda g: g.field((product, -2), (size, -2), (squares, 1)))
    a = g.by_fact("sqrt_unique", "9", f"{s1} + {s2}", by=[lambda g: g.pos([f"@{one}"], [f"@{low}"]), using(total)])
    b = g.by_fact("sqrt_unique", "9", "3", by=[None, lambda g: g.field()])
    c = g.by_fact("sqrt_unique", "1", f"{s1} - {s2}", by=[lambda g: g.pos([f"@{ge}"]), using(gap)])
    e = g.by_fact("sqrt_unique", "1", "1", by=[None, lambda g: g.field()])
    first = g.have(f"{s1} = 2", lambda g: g.field((a, "-1/2"), (b, "1/2"), (c, "-1/2"), (e, "1/2")))
    second = g.have(f"{s2} = 1", lambda g: g.field((a, "-1/2"), (b, "1/2"), (c, "1/2"), (e, "-1/2")))
    only(g, first, second)

    def less(g: Goal) -> None:
        g.rewrite(first)
        g.rewrite(second)
        g.pos([1])

    def fails(g: Goal) -> None:
        true = g.lemma("razin2020.thm-3-step-sigma2-derivative", "amendment", curve, 0, by=[less])
        eq = g.contra()
        v = g.have("D(t, [[2, 0], [0, 1 + t]], 0) = [[0, 0], [0, 1]]", derivative_of_the_curve)
        only(g, true, eq, first, second, v)
        x, y = g.hyp_formula(true)[2], g.hyp_formula(eq)[2]
        same = g.have(("=", x, y), lambda g: g.field((true, -1), (eq, 1)))
        for h in (v, first, second):
            same = g.rewritten(same, h)
        only(g, same)
        g.pos([1], eqs=[(same, "-3/16")])

    g.conj(less, fails)


def derivative_of_the_curve(g: Goal) -> None:
    """The derivative of [[2, 0], [0, 1 + t]]."""
    k = g.differentiate("t", "[[2, 0], [0, 1 + t]]", "0")
    g.rewrite(k)
    g.ext(lambda g: g.field())


@amendment(
    "razin2020.thm-3-step-sigma2-derivative",
    f"all X:R~>M(2,2), t:R. sv(X(t),2) < sv(X(t),1) => {DERIVATIVE} = {rate(CURVE, VELOCITY, '-')}",
    says="with the other sign of the term with the determinant",
    uses=["razin2020.thm-3-step-sigma2-formula"],
)
def derivative_of_the_squared_least_singular_value(g: Goal) -> None:
    """Differentiate the closed form; the derivative of det is <A, X'>."""
    distinct = g.intro()[0]
    f, d = "tr(T(X({0})) @ X({0}))", "det(X({0}))"
    e = "({0}[1,1]*{0}[2,2] - {0}[1,2]*{0}[2,1])"
    n = "({0}[1,1]^2 + {0}[1,2]^2 + {0}[2,1]^2 + {0}[2,2]^2)"
    x = "X({0})"

    def closed(v: str) -> str:
        m = x.format(v)
        return f"({n.format(m)} - sqrt({n.format(m)}^2 - 4*{e.format(m)}^2))/2"

    k = g.lemma("razin2020.thm-3-step-sigma2-formula", "statement", "X(t)")
    sign, _, root = g.split(k)
    low = g.split(g.apply(g.fact("sv_range", 2, 2, "X(t)"), 2, 2))[0]
    gap = g.have(
        f"0 < {GAP.format('X(t)')}",
        lambda g: (
            only(g, distinct, low),
            g.pos(
                [f"@{distinct}", "sv(X(t),1)"],
                [f"@{distinct}", f"@{low}"],
                side={"0 < sv(X(t),1)": lambda g: g.pos([f"@{distinct}"], [f"@{low}"])},
            ),
        )[-1],
    )
    entries = g.fact("frobenius_entries", 2, 2, "X(t)")
    radicand = f"{n.format('X(t)')}^2 - 4*{e.format('X(t)')}^2"
    same = g.have(
        f"sqrt({radicand}) = sqrt({f.format('t')}^2 - 4*{d.format('t')}^2)",
        lambda g: g.ctx(lambda g: g.field((entries, f"-({n.format('X(t)')} + {f.format('t')})"))),
    )
    value = g.have(f"sqrt({radicand}) = {GAP.format('X(t)')}", lambda g: g.field((same, 1), (root, 1)))
    nonneg = g.have(
        f"0 <= {radicand}",
        lambda g: (only(g, sign, entries), g.pos([f"@{sign}"], eqs=[(entries, f"-({n.format('X(t)')} + {f.format('t')})")]))[-1],
    )
    square = g.by_fact("sqrt_sq", radicand, by=[using(nonneg)])
    positive = g.have(f"0 < {radicand}", lambda g: positive_radicand(g, square, value, gap))
    only(g, gap, value, positive, entries)
    local = g.fact("derivative_local", "t - 1", "t + 1", "t", "lam s:R. sv(X(s),2)^2", f"lam s:R. {closed('s')}")

    def agree(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        only(g)
        v = g.split(g.lemma("razin2020.thm-3-step-sigma2-formula", "statement", f"X({u})"))[1]
        ent = g.fact("frobenius_entries", 2, 2, f"X({u})")
        eq = g.have(
            f"sqrt({n.format(f'X({u})')}^2 - 4*{e.format(f'X({u})')}^2) = sqrt({f.format(u)}^2 - 4*{d.format(u)}^2)",
            lambda g: g.ctx(lambda g: g.field((ent, f"-({n.format(f'X({u})')} + {f.format(u)})"))),
        )
        g.field((v, 1), (eq, "1/2"), (ent, "1/2"))

    k = g.apply(local, by=[None, None, lambda g: g.close_by(positive) if g.concl == g.hyp_formula(positive) else g.auto(), agree])
    only(g, k, gap, value, positive, entries)
    b = g.have(f"{inner('X(t)', VELOCITY)} = {products('X(t)', VELOCITY)}", lambda g: trace_by_entries(g))
    only(g, k, gap, value, positive, entries, b)
    g.rewrite(k)
    g.rewrite(b)
    y = GAP.format("X(t)")
    deriv = g.differentiate("s", closed("s"), "t")
    g.rewrite(deriv)
    only(g, gap, value, positive, entries)
    g.rewrite(value)
    only(g, gap, entries)
    p = products("X(t)", VELOCITY)
    g.field((entries, f"{p}/{y}"))


def positive_radicand(g: Goal, square: str, value: str, gap: str) -> None:
    """0 < radicand, the square of the gap."""
    s = g.rewritten(square, value)
    only(g, s, gap)
    g.pos([f"@{gap}", f"@{gap}"], eqs=[(s, -1)])


def products(x: str, v: str) -> str:
    """The inner product by entries."""
    return "(" + " + ".join(f"{x}[{i},{j}]*{v}[{i},{j}]" for i in (1, 2) for j in (1, 2)) + ")"


def trace_by_entries(g: Goal) -> None:
    """tr(X^T V) by entries."""
    a = g.fact("tr_entries", 2, "T(X(t)) @ X'(t)")
    g.field((a, 1))


SPLIT_TERMS = [
    "abs({0} - {1})",
    "abs(tr(T(W) @ W)*{0}/{2} - tr(T(V) @ V)*{1}/{3})",
    "abs(2*det(W)*{4}/{2} - 2*det(V)*{5}/{3})",
]
W_P, V_Q = inner("W", "P"), inner("V", "Q")
W_A, V_A = inner(COFACTOR.format("W"), "P"), inner(COFACTOR.format("V"), "Q")
GW, GV = GAP.format("W"), GAP.format("V")
TERMS = [t.format(W_P, V_Q, GW, GV, W_A, V_A) for t in SPLIT_TERMS]
"""The expressions (62), (63), (64) for W, W' = V and their velocities P and Q."""


@holds(
    "razin2020.thm-3-step-derivative-split",
    f"""all X Y:R~>M(2,2), t:R, W V P Q:M(2,2). sv(X(t),2) < sv(X(t),1) => sv(Y(t),2) < sv(Y(t),1) =>
       W = X(t) => V = Y(t) => P = X'(t) => Q = Y'(t) =>
       abs({DERIVATIVE} - D(s, sv(Y(s),2)^2, t)) <= {" + ".join(TERMS)}""",
    uses=["razin2020.thm-3-step-sigma2-derivative"],
    argument="repaired",
    reason="the sign of the determinant term in the formula is wrong as printed; the triangle inequality is not affected",
    reading="X and Y are the curves of W_{L:1} and W'_{L:1}; W, V, P, Q their values and velocities at the time t",
)
def derivative_difference_in_three_parts(g: Goal) -> None:
    """The triangle inequality."""
    dx, dy, w, v, p, q = g.intro()
    a = g.lemma("razin2020.thm-3-step-sigma2-derivative", "amendment", "X", "t", by=[using(dx)])
    b = g.lemma("razin2020.thm-3-step-sigma2-derivative", "amendment", "Y", "t", by=[using(dy)])
    order = [g.split(g.apply(g.fact("sv_range", 2, 2, m), 2, 2))[0] for m in ("X(t)", "Y(t)")]
    gaps = [
        g.have(f"0 < {GAP.format(m)}", lambda g, m=m, d=d, o=o: gap_is_positive(g, m, d, o))
        for m, d, o in (("X(t)", dx, order[0]), ("Y(t)", dy, order[1]))
    ]
    only(g, w, v, p, q, a, b, *gaps)
    for h in (w, v, p, q):
        g.rewrite(h)
    g.rewrite(a)
    g.rewrite(b)
    only(g, *gaps)
    x = [t.replace("W", "X(t)").replace("V", "Y(t)").replace("P", "X'(t)").replace("Q", "Y'(t)")[4:-1] for t in TERMS]
    k = g.fact("abs_triangle", x[0], f"-1*({x[1]}) + ({x[2]})")
    m = g.fact("abs_triangle", f"-1*({x[1]})", x[2])
    n = g.fact("abs_product", "-1", x[1])
    one = g.have("abs(-1) = 1", lambda g: g.field())
    (target,) = (g.concl[1],)
    same = g.have(("=", target, g.hyp_formula(k)[1]), lambda g: g.ctx(lambda g: g.field()))
    g.rewrite(same)
    only(g, k, m, n, one)
    inner_abs = g.hyp_formula(n)[2][2]
    g.pos([f"@{k}"], [f"@{m}"], eqs=[(n, -1), (one, ("*", -1, inner_abs))])


def gap_is_positive(g: Goal, m: str, distinct: str, low: str) -> None:
    """0 < s1^2 - s2^2 from s2 < s1 and 0 <= s2."""
    only(g, distinct, low)
    s1 = g.have(f"0 < sv({m},1)", lambda g: g.pos([f"@{distinct}"], [f"@{low}"]))
    g.pos([f"@{distinct}", f"sv({m},1)"], [f"@{distinct}", f"@{low}"])
    del s1


BOUNDED = f"""all W V P Q:M(2,2), l:R. 0 <= l => l < 1 => (1 - sqrt(l))^4/32 <= {GW}*{GV} => 0 < {GW} => 0 < {GV} =>"""
C = "(1 - sqrt(l))^4"


def quotient_bound(alpha: tuple[str, str], factor: int) -> str:
    """The right sides of (69) and (70)."""
    a, b = alpha
    return f"{factor}/{C}*(abs({GV} - {GW})*abs({a}) + abs({GW})*abs({a} - {b}))"


def quotients(g: Goal, a: str, b: str, times: int) -> None:
    """|c a/x - c b/y| <= 32 c/(1 - sqrt l)^4 (|y - x| |a| + |x| |a - b|), from x y >= (1 - sqrt l)^4/32."""
    low, small, product, gw, gv = g.intro()
    only(g, low, small, product, gw, gv)
    root = g.by_fact("sqrt_sq", "l")
    r = g.by_fact("sqrt_nonneg", "l")

    def below(g: Goal) -> None:
        k = g.contra()
        only(g, k, root, r, small)
        g.pos([f"@{k}", "sqrt(l) + 1"], [f"@{small}"], eqs=[(root, -1)])

    one = g.have("sqrt(l) < 1", below)
    pc = g.have(f"0 < {C}", lambda g: (only(g, one), g.have("0 < 1 - sqrt(l)", lambda g: g.pos([f"@{one}"])), g.auto())[-1])
    only(g, product, gw, gv, pc)
    names = []
    for v, value in (("x", GW), ("y", GV), ("a", a), ("b", b)):
        exists = g.have(f"ex {v}:R. {v} = {value}", lambda g, value=value: (g.witness(value), g.refl())[-1])
        names += g.obtain(exists, v)
    ex, ey, ea, eb = names
    xy = g.have(f"{C}/32 <= x*y", lambda g: (g.rewrite(ex), g.rewrite(ey), g.close_by(product))[-1])
    px = g.have("0 < x", lambda g: (g.rewrite(ex), g.close_by(gw))[-1])
    py = g.have("0 < y", lambda g: (g.rewrite(ey), g.close_by(gv))[-1])
    main = g.have(
        f"abs({times}*a/x - {times}*b/y) <= {32 * times}/{C}*(abs(y - x)*abs(a) + abs(x)*abs(a - b))",
        lambda g: abstract_quotients(g, xy, px, py, pc, times),
    )
    only(g, main, ex, ey, ea, eb)
    for h in (ex, ey, ea, eb):
        main = g.rewritten(main, h)
    only(g, main)
    g.exact(main)


def abstract_quotients(g: Goal, xy: str, px: str, py: str, pc: str, times: int) -> None:
    """c a/x - c b/y = c ((y - x) a + x (a - b))/(x y)."""
    only(g, xy, px, py, pc)
    z = f"({times}/(x*y))"
    s = "((y - x)*a + x*(a - b))"
    p = g.fact("abs_product", z, s)
    t = g.fact("abs_triangle", "(y - x)*a", "x*(a - b)")
    u, v = g.fact("abs_product", "y - x", "a"), g.fact("abs_product", "x", "a - b")
    same = g.have(f"abs({times}*a/x - {times}*b/y) = abs({z}*{s})", lambda g: g.ctx(lambda g: g.field()))
    size = g.have(f"abs({z}) = {z}", lambda g: (only(g, px, py), g.field())[-1])
    only(g, xy, px, py, pc, p, t, u, v, same, size)
    b = "(abs(y - x)*abs(a) + abs(x)*abs(a - b))"
    top = g.have(f"abs({s}) <= {b}", lambda g: (only(g, t, u, v), g.pos([f"@{t}"], eqs=[(u, -1), (v, -1)]))[-1])
    factor = g.have(
        f"{z} <= {32 * times}/{C}", lambda g: (only(g, xy, px, py, pc), g.pos([f"@{xy}", 32 * times], mul=["x*y", C]))[-1]
    )
    value = g.have(f"abs({times}*a/x - {times}*b/y) = {z}*abs({s})", lambda g: g.field((same, 1), (p, 1), (size, f"abs({s})")))
    only(g, top, factor, value, px, py)
    g.rewrite(value)
    g.pos([f"@{top}", z], [f"@{factor}", b])


ALPHA = (f"tr(T(W) @ W)*{W_P}", f"tr(T(V) @ V)*{V_Q}")
BETA = (f"det(W)*{W_A}", f"det(V)*{V_A}")
QUOTIENT_READING = "W, V = W' are the two product matrices at a time in [t_0, T], P and Q their velocities, l = l_init; the bound of the product of the gaps is (68)"


@holds(
    "razin2020.eq-69",
    f"{BOUNDED} {TERMS[1]} <= {quotient_bound(ALPHA, 32)}",
    argument="sound",
    reading=QUOTIENT_READING,
    context="as shown there [Lemma 27, Equation (68)]",
)
def difference_of_the_first_quotients(g: Goal) -> None:
    """Common denominator; add and subtract."""
    quotients(g, *ALPHA, 1)


@holds(
    "razin2020.eq-70",
    f"{BOUNDED} abs(2*({BETA[0]})/{GW} - 2*({BETA[1]})/{GV}) <= {quotient_bound(BETA, 64)}",
    argument="sound",
    reading=QUOTIENT_READING,
    context="as shown there [Lemma 27, Equation (68)]",
)
def difference_of_the_second_quotients(g: Goal) -> None:
    """The same with the factor 2."""
    quotients(g, *BETA, 2)
