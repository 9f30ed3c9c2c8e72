"""Proof of Theorem 3, Lemmas 27 to 30: differences of inner products and of gaps for a product matrix and a nearby balanced one.

W, V stand for the two product matrices, P, Q for their velocities, r for R + 1, s for the root of the unbalancedness epsilon.
"""

from __future__ import annotations

from proofs.razin2020.perturbed_quotients import ALPHA, BETA, GV, GW, TERMS, V_A, V_Q, W_A, W_P, C, inner, upper
from proofs.razin2020.problem import fro
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

NEAR = """all W V P Q:M(2,2), r s:R, L:Z. 33 <= r => 2 <= L => 0 <= s =>"""
BOUNDS = f"""{fro("W")} <= r^L => {fro("V")} <= r^L => {fro("W - V")} <= 1/2*L^2*r^(L-1)*s =>
       {fro("P")} <= 2*L*r^(3*L-2) => {fro("Q")} <= 2*L*r^(3*L-2) => {fro("P - Q")} <= 5*L^3*r^(3*L-3)*s =>"""
CONTEXT = (
    "the norms of factors are at most R + 1 [Appendix G.13.1]; as shown there [Equation (60), Lemma 27, Equations (65) and "
    "(66)]"
)
READING = "W, V = W' are the product matrices, P, Q their velocities, r = R + 1, s = sqrt(epsilon)"
FIRST = "6*L^3*r^(4*L-3)*s"


@part(
    "razin2020.lemma-28-first",
    "cauchy",
    f"all X Y:M(2,2). abs({inner('X', 'Y')}) <= {fro('X')}*{fro('Y')} and 0 <= {fro('X')}",
    says="the Cauchy-Schwarz inequality",
)
def inner_product_is_at_most_the_product_of_norms(g: Goal) -> None:
    """Roots of its square."""
    g.intro()
    k = g.fact("frobenius_cauchy", 2, 2, "X", "Y")
    x, y = g.by_fact("sqrt_sq", "tr(T(X) @ X)"), g.by_fact("sqrt_sq", "tr(T(Y) @ Y)")
    lx, ly = g.by_fact("sqrt_nonneg", "tr(T(X) @ X)"), g.by_fact("sqrt_nonneg", "tr(T(Y) @ Y)")
    a, b = fro("X"), fro("Y")
    m = g.have(
        f"{inner('X', 'Y')}^2 <= ({a}*{b})^2",
        lambda g: (only(g, k, x, y), g.pos([f"@{k}"], eqs=[(x, f"{b}^2"), (y, "tr(T(X) @ X)")]))[-1],
    )
    root = g.by_fact("sqrt_mono", f"{inner('X', 'Y')}^2", f"({a}*{b})^2", by=[None, using(m)])
    u = g.fact("sqrt_of_square", inner("X", "Y"))
    v = g.by_fact("sqrt_unique", f"({a}*{b})^2", f"{a}*{b}", by=[lambda g: g.pos([f"@{lx}", f"@{ly}"]), Goal.refl])
    only(g, root, u, v, lx)
    g.conj(lambda g: g.pos([f"@{root}"], eqs=[(u, 1), (v, -1)]), using(lx))


@part(
    "razin2020.lemma-28-first",
    "difference",
    f"""all W V P Q:M(2,2). abs({inner("W", "P")} - {inner("V", "Q")}) <= {fro("W - V")}*{fro("P")} + {fro("V")}*{fro("P - Q")} and
       {fro("W")} - {fro("V")} <= {fro("W - V")} and {fro("V")} - {fro("W")} <= {fro("W - V")}""",
    says="differences of inner products and of norms",
    uses=["razin2020.lemma-28-first"],
)
def difference_of_inner_products(g: Goal) -> None:
    """<W, P> - <V, Q> = <W - V, P> + <V, P - Q>; the triangle inequality of the norm from Cauchy-Schwarz."""
    g.intro()
    a = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "W - V", "P"))
    b = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "V", "P - Q"))
    c = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "W", "V"))
    e = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "V", "W"))
    t = g.fact("abs_triangle", inner("(W - V)", "P"), inner("V", "(P - Q)"))
    same = g.have(
        f"abs({inner('W', 'P')} - {inner('V', 'Q')}) = abs({inner('(W - V)', 'P')} + {inner('V', '(P - Q)')})",
        lambda g: g.ctx(lambda g: g.field()),
    )
    w, v, d = (
        g.by_fact("sqrt_sq", f"tr(T({m}) @ ({m}))") if m == "W - V" else g.by_fact("sqrt_sq", f"tr(T({m}) @ {m})")
        for m in ("W", "V", "W - V")
    )
    high = g.split(g.apply(g.split(g.fact("abs_le", inner("W", "V"), f"{fro('W')}*{fro('V')}"))[0], by=[using(c[0])]))[1]

    def products(g: Goal) -> None:
        only(g, a[0], b[0], t, same)
        g.pos([f"@{a[0]}"], [f"@{b[0]}"], [f"@{t}"], eqs=[(same, -1)])

    def norms(g: Goal) -> None:
        k = g.contra()
        only(g, k, high, w, v, d, a[1], c[1], e[1])
        x, y, z = fro("W"), fro("V"), fro("W - V")
        g.pos([f"@{k}", f"@{k}"], [f"@{k}", 2, f"@{a[1]}"], [2, f"@{high}"], eqs=[(w, -1), (v, -1), (d, 1)])
        del x, y, z

    g.conj(products, norms, norms)


@holds(
    "razin2020.lemma-28-first",
    f"""{NEAR} {BOUNDS} abs({W_P} - {V_Q}) <= {FIRST}""",
    uses=["razin2020.lemma-28-first"],
    argument="sound",
    reading=READING,
    context=CONTEXT,
)
def inner_products_with_the_product_matrix(g: Goal) -> None:
    """L^2/2 * 2 L + 5 L^3 = 6 L^3."""
    r, depth, s, w, v, d, p, q, e = g.intro()
    k = g.split(g.lemma("razin2020.lemma-28-first", "part:difference", *"WVPQ"))[0]
    combine(g, k, r, depth, s, v, d, p, e)


def combine(g: Goal, k: str, r: str, depth: str, s: str, v: str, d: str, p: str, e: str) -> None:
    """d P + V e <= (L^2/2 r^(L-1) s)(2 L r^(3L-2)) + r^L 5 L^3 r^(3L-3) s."""
    pr = g.have("0 < r", lambda g: (only(g, r), g.pos([f"@{r}"], [33]))[-1])
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    f, h = g.hyp_formula(d)[1], g.hyp_formula(e)[1]
    low = [g.have(("<=", 0, x), lambda g: (only(g), g.auto())[-1]) for x in (f, g.hyp_formula(v)[1], h, g.hyp_formula(p)[1])]
    only(g, k, pr, pl, s, v, d, p, e, *low)
    a, b = g.hyp_formula(p)[1], g.hyp_formula(v)[1]
    g.pos([f"@{k}"], [f"@{d}", a], [f"@{p}", "1/2*L^2*r^(L-1)", f"@{s}"], [f"@{v}", h], [f"@{e}", "r^L"])
    del b


@holds(
    "razin2020.lemma-28-second",
    f"""{NEAR} {BOUNDS} abs({W_A} - {V_A}) <= {FIRST} and {fro("[[W[2,2], -W[2,1]], [-W[1,2], W[1,1]]] - [[V[2,2], -V[2,1]], [-V[1,2], V[1,1]]]")} = {fro("W - V")} and
       {fro("[[V[2,2], -V[2,1]], [-V[1,2], V[1,1]]]")} = {fro("V")}""",
    uses=["razin2020.lemma-28-first"],
    argument="sound",
    reading=READING,
    context=CONTEXT,
)
def inner_products_with_the_cofactor_matrix(g: Goal) -> None:
    """The cofactor matrix has the norm of the matrix, and depends on it linearly."""
    r, depth, s, w, v, d, p, q, e = g.intro()
    cw, cv = (f"[[{m}[2,2], -{m}[2,1]], [-{m}[1,2], {m}[1,1]]]" for m in "WV")
    ed, ev = g.fact("frobenius_entries", 2, 2, "W - V"), g.fact("frobenius_entries", 2, 2, "V")
    nd = g.have(f"{fro(f'{cw} - {cv}')} = {fro('W - V')}", lambda g: (only(g, ed), g.ctx(lambda g: g.field((ed, -1))))[-1])
    nv = g.have(f"{fro(cv)} = {fro('V')}", lambda g: (only(g, ev), g.ctx(lambda g: g.field((ev, -1))))[-1])
    k = g.split(g.lemma("razin2020.lemma-28-first", "part:difference", cw, cv, "P", "Q"))[0]
    k = g.rewritten(g.rewritten(k, nd), nv)
    g.conj(lambda g: combine(g, k, r, depth, s, v, d, p, e), using(nd), using(nv))


@holds(
    "razin2020.lemma-29-step-alpha",
    f"""{NEAR} {BOUNDS} abs({ALPHA[0]}) <= {fro("W")}^3*{fro("P")} and {fro("W")}^3*{fro("P")} <= 2*L*r^(6*L-2) and
       abs({GW}) <= {fro("W")}^2 and {fro("W")}^2 <= r^(2*L)""",
    uses=["razin2020.lemma-28-first"],
    argument="sound",
    reading=READING,
    context=CONTEXT,
)
def size_of_alpha(g: Goal) -> None:
    """Cauchy-Schwarz; 3 L + 3 L - 2; s1^2 - s2^2 <= s1^2 + s2^2."""
    r, depth, s, w, v, d, p, q, e = g.intro()
    size_bounds(g, r, depth, w, p, "W", "P", f"tr(T(W) @ W)*{W_P}", squared=True)


def size_bounds(g: Goal, r: str, depth: str, w: str, p: str, m: str, vel: str, product: str, squared: bool) -> None:
    """|m|^2 <m, vel> <= |m|^3 |vel| <= 2 L r^(6L-2), and the gap."""
    k, low = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", m, vel))
    lp = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", vel, m))[1]
    pr = g.have("0 < r", lambda g: (only(g, r), g.pos([f"@{r}"], [33]))[-1])
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    n = g.by_fact("sqrt_sq", f"tr(T({m}) @ {m})")
    a, b = fro(m), fro(vel)

    def first(g: Goal) -> None:
        t = g.fact("abs_product", f"tr(T({m}) @ {m})", inner(m, vel))
        size = g.have(f"abs(tr(T({m}) @ {m})) = tr(T({m}) @ {m})", lambda g: (only(g), g.field())[-1])
        only(g, k, low, n, t, size)
        g.pos([f"@{k}", f"tr(T({m}) @ {m})"], eqs=[(t, -1), (size, f"-abs({inner(m, vel)})"), (n, f"{a}*{b}")])

    def second(g: Goal) -> None:
        only(g, low, lp, pr, pl, w, p)
        g.pos([f"@{w}", f"{a}^2", b], [f"@{w}", a, "r^L", b], [f"@{w}", "r^(2*L)", b], [f"@{p}", "r^(3*L)"])

    def gap(g: Goal) -> None:
        squares = g.split(g.fact("sv_2x2", m))[1]
        order = g.fact("sv_range", 2, 2, m)
        low2 = g.split(g.apply(order, 2, 2))[0]
        one, ge = g.split(g.apply(order, 1, 2))
        ge = g.apply(ge)
        only(g, squares, low2, one, ge, n)
        s1, s2 = f"sv({m},1)", f"sv({m},2)"
        nonneg = g.have(f"0 <= {s1}^2 - {s2}^2", lambda g: g.pos([f"@{ge}", s1], [f"@{ge}", s2]))
        size = g.have(f"abs({s1}^2 - {s2}^2) = {s1}^2 - {s2}^2", lambda g: (only(g, nonneg), g.field())[-1])
        only(g, squares, n, size)
        g.pos([2, f"{s2}^2"], eqs=[(size, -1), (squares, -1), (n, 1)])

    def top(g: Goal) -> None:
        only(g, low, pr, w)
        g.pos([f"@{w}", a], [f"@{w}", "r^L"])

    g.conj(first, second, gap, top)
    del product, squared


@holds(
    "razin2020.lemma-29-step-alpha-difference",
    f"""{NEAR} {BOUNDS}
       abs({ALPHA[0]} - {ALPHA[1]}) <= 2*r^(2*L)*abs({fro("W")} - {fro("V")})*{fro("P")} + r^(2*L)*abs({W_P} - {V_Q}) and
       2*r^(2*L)*abs({fro("W")} - {fro("V")})*{fro("P")} + r^(2*L)*abs({W_P} - {V_Q}) <= 2*L^3*r^(6*L-3)*s + 6*L^3*r^(6*L-3)*s and
       2*L^3*r^(6*L-3)*s + 6*L^3*r^(6*L-3)*s = 8*L^3*r^(6*L-3)*s""",
    uses=["razin2020.lemma-28-first"],
    argument="sound",
    reading=READING,
    context=CONTEXT,
)
def difference_of_alphas(g: Goal) -> None:
    """(|W|^2 - |V|^2) <W,P> + |V|^2 (<W,P> - <V,Q>), where |W|^2 - |V|^2 = (|W| - |V|)(|W| + |V|)."""
    r, depth, s, w, v, d, p, q, e = given = g.intro()
    k = g.lemma("razin2020.lemma-28-first", "statement", *"WVPQ", "r", "s", "L", by=[using(h) for h in given])
    diff = g.split(g.lemma("razin2020.lemma-28-first", "part:difference", *"WVPQ"))
    ca, lw = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "W", "P"))
    lv = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "V", "P"))[1]
    lp = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "P", "V"))[1]
    pr = g.have("0 < r", lambda g: (only(g, r), g.pos([f"@{r}"], [33]))[-1])
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    nw, nv = g.by_fact("sqrt_sq", "tr(T(W) @ W)"), g.by_fact("sqrt_sq", "tr(T(V) @ V)")
    a, b, c = fro("W"), fro("V"), fro("P")
    size = g.have(f"abs({a} - {b}) <= {fro('W - V')}", lambda g: (only(g, diff[1], diff[2]), both_signs(g, diff[1], diff[2]))[-1])

    def first(g: Goal) -> None:
        t = g.fact("abs_triangle", f"({a} - {b})*(({a} + {b})*{W_P})", f"{b}^2*({W_P} - {V_Q})")
        x = g.fact("abs_product", f"{a} - {b}", f"({a} + {b})*{W_P}")
        y = g.fact("abs_product", f"{a} + {b}", W_P)
        z = g.fact("abs_product", f"{b}^2", f"{W_P} - {V_Q}")
        same = g.have(
            f"abs({ALPHA[0]} - {ALPHA[1]}) = abs(({a} - {b})*(({a} + {b})*{W_P}) + {b}^2*({W_P} - {V_Q}))",
            lambda g: (only(g, nw, nv), g.ctx(lambda g: g.field((nw, f"-{W_P}"), (nv, f"{V_Q}"))))[-1],
        )
        pos1 = g.have(
            f"abs({a} + {b}) = {a} + {b}",
            lambda g: (only(g, lw, lv), g.have(f"0 <= {a} + {b}", lambda g: g.pos([f"@{lw}"], [f"@{lv}"])), g.field())[-1],
        )
        pos2 = g.have(f"abs({b}^2) = {b}^2", lambda g: (only(g), g.field())[-1])
        only(g, t, x, y, z, same, pos1, pos2, ca, w, v, lw, lv, lp, pr)
        u, i, j = f"abs({a} - {b})", f"abs({W_P})", f"abs({W_P} - {V_Q})"
        whole = g.have(
            f"abs({ALPHA[0]} - {ALPHA[1]}) <= {u}*({a} + {b})*{i} + {b}^2*{j}",
            lambda g: (
                only(g, t, x, y, z, same, pos1, pos2),
                g.pos([f"@{t}"], eqs=[(same, -1), (x, -1), (y, f"-{u}"), (pos1, f"-{u}*{i}"), (z, -1), (pos2, f"-{j}")]),
            )[-1],
        )
        only(g, whole, ca, w, v, lw, lv, lp, pr)
        g.pos(
            [f"@{whole}"],
            [f"@{ca}", u, f"{a} + {b}"],
            [f"@{w}", u, a, c],
            [f"@{w}", u, b, c],
            [f"@{w}", u, "r^L", c],
            [f"@{v}", u, "r^L", c],
            [f"@{v}", b, j],
            [f"@{v}", "r^L", j],
        )

    def second(g: Goal) -> None:
        only(g, k, size, d, p, s, pr, pl, lp)
        u = f"abs({a} - {b})"
        g.pos(
            [f"@{size}", 2, "r^(2*L)", c],
            [f"@{d}", 2, "r^(2*L)", c],
            [f"@{p}", "L^2*r^(3*L-1)", f"@{s}"],
            [f"@{k}", "r^(2*L)"],
        )
        del u

    g.conj(first, second, lambda g: g.field())
    del q, e


def both_signs(g: Goal, first: str, second: str) -> None:
    """|x - y| <= z from x - y <= z and y - x <= z."""
    a, z = g.concl[1][1], g.concl[2]
    k = g.split(g.fact("abs_le", a, z))[1]
    g.close_by(g.apply(k, by=[lambda g: g.conj(lambda g: g.pos([f"@{second}"]), lambda g: g.pos([f"@{first}"]))]))


@holds(
    "razin2020.lemma-30-step-beta",
    f"""{NEAR} {BOUNDS} abs(det(W)) = sv(W,1)*sv(W,2) and sv(W,1)*sv(W,2) <= {fro("W")}^2 and
       abs({BETA[0]}) <= {fro("W")}^3*{fro("P")} and {fro("W")}^3*{fro("P")} <= 2*L*r^(6*L-2)""",
    uses=["razin2020.lemma-28-first"],
    argument="sound",
    reading=READING,
    context=CONTEXT,
)
def size_of_beta(g: Goal) -> None:
    """2 s1 s2 <= s1^2 + s2^2; the cofactor matrix has the norm of W."""
    r, depth, s, w, v, d, p, q, e = g.intro()
    product, squares = g.split(g.fact("sv_2x2", "W"))
    order = g.fact("sv_range", 2, 2, "W")
    s2, s1 = g.split(g.apply(order, 2, 2))[0], g.split(g.apply(order, 1, 1))[0]
    n = g.by_fact("sqrt_sq", "tr(T(W) @ W)")
    cw = "[[W[2,2], -W[2,1]], [-W[1,2], W[1,1]]]"
    k = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", cw, "P"))[0]
    entries = g.fact("frobenius_entries", 2, 2, "W")
    nc = g.have(f"{fro(cw)} = {fro('W')}", lambda g: (only(g, entries), g.ctx(lambda g: g.field((entries, -1))))[-1])
    k = g.rewritten(k, nc)
    low = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "W", "P"))[1]
    lp = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", "P", "W"))[1]
    pr = g.have("0 < r", lambda g: (only(g, r), g.pos([f"@{r}"], [33]))[-1])
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    a, b = fro("W"), fro("P")
    eq = g.have("abs(det(W)) = sv(W,1)*sv(W,2)", lambda g: g.field((product, -1)))
    less = g.have(
        f"sv(W,1)*sv(W,2) <= {a}^2",
        lambda g: (
            only(g, squares, s1, s2, n),
            g.pos(["1/2", "(sv(W,1) - sv(W,2))^2"], ["1/2", "sv(W,1)^2"], ["1/2", "sv(W,2)^2"], eqs=[(n, 1), (squares, -1)]),
        )[-1],
    )

    def third(g: Goal) -> None:
        t = g.fact("abs_product", "det(W)", W_A)
        only(g, t, eq, less, k, low, lp)
        d_ = g.have(f"abs(det(W)) <= {a}^2", lambda g: (only(g, eq, less), g.pos([f"@{less}"], eqs=[(eq, -1)]))[-1])
        only(g, t, d_, k, low, lp)
        g.pos([f"@{d_}", f"abs({W_A})"], [f"@{k}", f"{a}^2"], eqs=[(t, -1)])

    def fourth(g: Goal) -> None:
        only(g, low, lp, pr, pl, w, p)
        g.pos([f"@{w}", f"{a}^2", b], [f"@{w}", a, "r^L", b], [f"@{w}", "r^(2*L)", b], [f"@{p}", "r^(3*L)"])

    g.conj(using(eq), using(less), third, fourth)
    del s, v, d, q, e


DET = "abs(det(W) - det(V))"


@holds(
    "razin2020.lemma-30-step-beta-difference",
    f"""{NEAR} {BOUNDS} abs({BETA[0]} - {BETA[1]}) <= 2*L*r^(4*L-2)*{DET} + 6*L^3*r^(6*L-3)*s and
       2*L*r^(4*L-2)*{DET} + 6*L^3*r^(6*L-3)*s <= 2*L^3*r^(6*L-3)*s + 6*L^3*r^(6*L-3)*s and
       2*L^3*r^(6*L-3)*s + 6*L^3*r^(6*L-3)*s = 8*L^3*r^(6*L-3)*s""",
    uses=["razin2020.lemma-28-first", "razin2020.lemma-28-second", "razin2020.cited-ipsen-rehman"],
    argument="sound",
    reading=READING,
    context=CONTEXT,
)
def difference_of_betas(g: Goal) -> None:
    """(det W - det V) <A_W, P> + det V (<A_W, P> - <A_V, Q>), and the determinant perturbation bound."""
    r, depth, s, w, v, d, p, q, e = given = g.intro()
    k = g.split(g.lemma("razin2020.lemma-28-second", "statement", *"WVPQ", "r", "s", "L", by=[using(h) for h in given]))[0]
    ip = g.lemma("razin2020.cited-ipsen-rehman", "statement", "W", "V")
    x, y = upper(g, fro("W"), fro("V"))
    cw = "[[W[2,2], -W[2,1]], [-W[1,2], W[1,1]]]"
    ca = g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", cw, "P"))[0]
    entries = g.fact("frobenius_entries", 2, 2, "W")
    nc = g.have(f"{fro(cw)} = {fro('W')}", lambda g: (only(g, entries), g.ctx(lambda g: g.field((entries, -1))))[-1])
    ca = g.rewritten(ca, nc)
    lw, lv, lp, ld = (g.split(g.lemma("razin2020.lemma-28-first", "part:cauchy", m, "P"))[1] for m in ("W", "V", "P", "W - V"))
    pr = g.have("0 < r", lambda g: (only(g, r), g.pos([f"@{r}"], [33]))[-1])
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    a, b, c = fro("W"), fro("V"), fro("P")
    product, squares = g.split(g.fact("sv_2x2", "V"))
    n = g.by_fact("sqrt_sq", "tr(T(V) @ V)")
    dv = g.have(
        f"abs(det(V)) <= {b}^2",
        lambda g: (
            only(g, product, squares, n),
            g.pos(
                ["1/2", "(sv(V,1) - sv(V,2))^2"],
                ["1/2", "sv(V,1)^2"],
                ["1/2", "sv(V,2)^2"],
                eqs=[(n, 1), (squares, -1), (product, 1)],
            ),
        )[-1],
    )
    m = f"max({a}, {b})"

    def largest(g: Goal) -> None:
        only(g, w, v)

        def case(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            own = w if g.hyp_formula(eq)[2] == g.hyp_formula(w)[1] else v
            g.pos([f"@{own}"], eqs=[(eq, -1)])

        g.cases(g.fact("max_cases", a, b), case, case)

    top = g.have(f"{m} <= r^L", largest)

    def first(g: Goal) -> None:
        t = g.fact("abs_triangle", f"(det(W) - det(V))*{W_A}", f"det(V)*({W_A} - {V_A})")
        u, z = g.fact("abs_product", "det(W) - det(V)", W_A), g.fact("abs_product", "det(V)", f"{W_A} - {V_A}")
        same = g.have(
            f"abs({BETA[0]} - {BETA[1]}) = abs((det(W) - det(V))*{W_A} + det(V)*({W_A} - {V_A}))",
            lambda g: (only(g), g.ctx(lambda g: g.field()))[-1],
        )
        only(g, t, u, z, same, ca, k, dv, w, v, p, lw, lv, lp, pr, pl, s)
        i, j = f"abs({W_A})", f"abs({W_A} - {V_A})"
        whole = g.have(
            f"abs({BETA[0]} - {BETA[1]}) <= {DET}*{i} + abs(det(V))*{j}",
            lambda g: (only(g, t, u, z, same), g.pos([f"@{t}"], eqs=[(same, -1), (u, -1), (z, -1)]))[-1],
        )
        only(g, whole, ca, k, dv, w, v, p, lw, lv, lp, pr, pl, s)
        g.pos(
            [f"@{whole}"],
            [f"@{ca}", DET],
            [f"@{w}", DET, c],
            [f"@{p}", DET, "r^L"],
            [f"@{dv}", j],
            [f"@{v}", b, j],
            [f"@{v}", "r^L", j],
            [f"@{k}", "r^(2*L)"],
        )

    def second(g: Goal) -> None:
        only(g, ip, d, top, ld, pr, pl, s, x, lw)
        pm = g.have(f"0 <= {m}", lambda g: (only(g, x, lw), g.pos([f"@{x}"], [f"@{lw}"]))[-1])
        n_ = fro("W - V")
        g.pos([f"@{ip}", "2*L*r^(4*L-2)"], [f"@{top}", "4*L*r^(4*L-2)", n_], [f"@{d}", "4*L*r^(5*L-2)"])
        del pm

    g.conj(first, second, lambda g: g.field())
    del q, e, y


GAPS = f"abs({GW} - {GV}) <= 2*L^2*r^(2*L-1)*s => 0 < {GW} => 0 < {GV} => (1 - sqrt(l))^4/32 <= {GW}*{GV} =>"
LOSS = "all l:R. 0 <= l => l < 1 =>"
MORE = f"{CONTEXT}; as shown there [(67) and (68)]"


def quotient_estimate(
    g: Goal, claim: str, size_claim: str, difference_claim: str, factor: int, pair: tuple[str, str], beta: bool
) -> None:
    """factor (2 L^2 2 L + 8 L^3) = 12 factor L^3."""
    given = g.intro()
    near, low, small, gaps, gw, gv, product = given[:9], *given[9:]
    k = g.lemma(claim, "statement", *"WVPQ", "l", by=[using(h) for h in (low, small, product, gw, gv)])
    if beta:
        size = g.split(g.lemma(size_claim, "statement", *"WVPQ", "r", "s", "L", by=[using(h) for h in near]))[2:]
        alpha = g.split(
            g.lemma("razin2020.lemma-29-step-alpha", "statement", *"WVPQ", "r", "s", "L", by=[using(h) for h in near])
        )[2:]
    else:
        both = g.split(g.lemma(size_claim, "statement", *"WVPQ", "r", "s", "L", by=[using(h) for h in near]))
        size, alpha = both[:2], both[2:]
    diff = g.split(g.lemma(difference_claim, "statement", *"WVPQ", "r", "s", "L", by=[using(h) for h in near]))
    a, b = pair
    x = g.have(f"abs({a}) <= 2*L*r^(6*L-2)", lambda g: (only(g, *size), g.pos(*[[f"@{h}"] for h in size]))[-1])
    y = g.have(f"abs({GW}) <= r^(2*L)", lambda g: (only(g, *alpha), g.pos(*[[f"@{h}"] for h in alpha]))[-1])
    z = g.have(
        f"abs({a} - {b}) <= 8*L^3*r^(6*L-3)*s",
        lambda g: (only(g, *diff), g.pos([f"@{diff[0]}"], [f"@{diff[1]}"], eqs=[(diff[2], 1)]))[-1],
    )
    turned = g.have(f"abs({GV} - {GW}) <= 2*L^2*r^(2*L-1)*s", lambda g: turned_gap(g, gaps))
    root, rl = g.by_fact("sqrt_sq", "l"), g.by_fact("sqrt_nonneg", "l")

    def below(g: Goal) -> None:
        w = g.contra()
        only(g, w, root, rl, small)
        g.pos([f"@{w}", "sqrt(l) + 1"], [f"@{small}"], eqs=[(root, -1)])

    one = g.have("sqrt(l) < 1", below)
    pc = g.have(f"0 < {C}", lambda g: (only(g, one), g.have("0 < 1 - sqrt(l)", lambda g: g.pos([f"@{one}"])), g.auto())[-1])
    pr = g.have("0 < r", lambda g: (only(g, near[0]), g.pos([f"@{near[0]}"], [33]))[-1])
    pl = g.have("0 < L", lambda g: (only(g, near[1]), g.pos([f"@{near[1]}"], [2]))[-1])
    s = near[2]
    only(g, k, x, y, z, turned, pc, pr, pl, s)
    g.pos(
        [f"@{k}"],
        [f"@{turned}", f"{factor}/{C}", f"abs({a})"],
        [f"@{x}", f"{factor}/{C}", "2*L^2*r^(2*L-1)", f"@{s}"],
        [f"@{y}", f"{factor}/{C}", f"abs({a} - {b})"],
        [f"@{z}", f"{factor}/{C}", "r^(2*L)"],
    )


def turned_gap(g: Goal, gaps: str) -> None:
    """|y - x| = |x - y|."""
    only(g, gaps)
    p = g.fact("abs_product", "-1", f"{GW} - {GV}")
    same = g.have(f"abs({GV} - {GW}) = abs(-1*({GW} - {GV}))", lambda g: g.ctx(lambda g: g.field()))
    one = g.have("abs(-1) = 1", lambda g: g.field())
    only(g, gaps, p, same, one)
    g.pos([f"@{gaps}"], eqs=[(same, -1), (p, -1), (one, f"-abs({GW} - {GV})")])


@holds(
    "razin2020.lemma-29",
    f"{NEAR} {BOUNDS} {LOSS} {GAPS} {TERMS[1]} <= 384*L^3*r^(8*L-3)/{C}*s",
    uses=["razin2020.eq-69", "razin2020.lemma-29-step-alpha", "razin2020.lemma-29-step-alpha-difference"],
    argument="sound",
    reading=f"l = l_init; {READING}",
    context=MORE,
)
def bound_of_the_first_quotients(g: Goal) -> None:
    """32 (2 * 2 + 8) = 384."""
    quotient_estimate(
        g, "razin2020.eq-69", "razin2020.lemma-29-step-alpha", "razin2020.lemma-29-step-alpha-difference", 32, ALPHA, False
    )


THIRD = f"abs(2*({BETA[0]})/{GW} - 2*({BETA[1]})/{GV})"


@holds(
    "razin2020.lemma-30",
    f"{NEAR} {BOUNDS} {LOSS} {GAPS} {THIRD} <= 768*L^3*r^(8*L-3)/{C}*s",
    uses=[
        "razin2020.eq-70",
        "razin2020.lemma-30-step-beta",
        "razin2020.lemma-30-step-beta-difference",
        "razin2020.lemma-29-step-alpha",
    ],
    argument="sound",
    reading=f"l = l_init; {READING}",
    context=MORE,
)
def bound_of_the_second_quotients(g: Goal) -> None:
    """64 (2 * 2 + 8) = 768."""
    quotient_estimate(
        g, "razin2020.eq-70", "razin2020.lemma-30-step-beta", "razin2020.lemma-30-step-beta-difference", 64, BETA, True
    )


@holds(
    "razin2020.thm-3-step-1158",
    f"""{NEAR} {BOUNDS} {LOSS} {GAPS} abs({W_P} - {V_Q}) + {TERMS[1]} + {THIRD} <=
         {FIRST} + 384*L^3*r^(8*L-3)/{C}*s + 768*L^3*r^(8*L-3)/{C}*s and
       {FIRST} + 384*L^3*r^(8*L-3)/{C}*s + 768*L^3*r^(8*L-3)/{C}*s <= 1158*L^3*r^(8*L-3)/{C}*s""",
    uses=["razin2020.lemma-28-first", "razin2020.lemma-29", "razin2020.lemma-30"],
    argument="sound",
    reading=f"the left side bounds the difference of the derivatives by (62) to (64); l = l_init; {READING}",
    context=MORE,
)
def sum_of_the_three_bounds(g: Goal) -> None:
    """6 + 384 + 768 = 1158; r^(4L-3) <= r^(8L-3)/(1 - sqrt l)^4."""
    given = g.intro()
    near, more = given[:9], given[9:]
    args = (*"WVPQ", "r", "s", "L")
    a = g.lemma("razin2020.lemma-28-first", "statement", *args, by=[using(h) for h in near])
    b = g.apply(g.lemma("razin2020.lemma-29", "statement", *args, by=[using(h) for h in near]), "l", by=[using(h) for h in more])
    c = g.apply(g.lemma("razin2020.lemma-30", "statement", *args, by=[using(h) for h in near]), "l", by=[using(h) for h in more])
    low, small = more[:2]
    root, rl = g.by_fact("sqrt_sq", "l", by=[using(low)]), g.by_fact("sqrt_nonneg", "l", by=[using(low)])

    def below(g: Goal) -> None:
        w = g.contra()
        only(g, w, root, rl, small)
        g.pos([f"@{w}", "sqrt(l) + 1"], [f"@{small}"], eqs=[(root, -1)])

    one = g.have("sqrt(l) < 1", below)
    pm = g.have("0 < 1 - sqrt(l)", lambda g: (only(g, one), g.pos([f"@{one}"]))[-1])
    top = g.have(f"{C} <= 1", lambda g: (only(g, pm, rl), power_below_one(g, pm, rl))[-1])
    pr = g.have("0 < r", lambda g: (only(g, near[0]), g.pos([f"@{near[0]}"], [33]))[-1])
    pl = g.have("0 < L", lambda g: (only(g, near[1]), g.pos([f"@{near[1]}"], [2]))[-1])
    big = g.have("1 <= r^(4*L)", lambda g: (only(g, near[0], near[1]), power_above_one(g, near[0], near[1]))[-1])
    s = near[2]

    def second(g: Goal) -> None:
        only(g, top, pm, pr, pl, big, s)
        g.pos(
            ["6*L^3*r^(4*L-3)", f"@{s}", f"@{top}"],
            ["6*L^3*r^(4*L-3)", f"@{s}", f"@{big}"],
            mul=[C],
        )

    g.conj(lambda g: (only(g, a, b, c), g.pos([f"@{a}"], [f"@{b}"], [f"@{c}"]))[-1], second)


def power_below_one(g: Goal, pm: str, rl: str) -> None:
    """(1 - u)^4 <= 1 for 0 <= u < 1."""
    u = "sqrt(l)"
    g.pos([f"@{rl}"], [f"@{rl}", f"@{pm}"], [f"@{rl}", f"@{pm}", f"@{pm}"], [f"@{rl}", f"@{pm}", f"@{pm}", f"@{pm}"])
    del u


def power_above_one(g: Goal, r: str, depth: str) -> None:
    """1 <= r^(4L) for r >= 33."""
    k = g.by_fact("pow_exp_mono", "r", "0", "4*L", by=[lambda g: g.pos([f"@{r}"], [32]), lambda g: g.pos([f"@{depth}", 4], [8])])
    only(g, k)
    g.pos([f"@{k}"])
