"""Proof of Theorem 3: the two singular values of the product matrix stay apart; when the least one is small.

c stands for 1 - sqrt(l_init), r for R + 1, s for the root of the unbalancedness epsilon.
"""

from __future__ import annotations

from proofs.razin2020.frobenius_norms import by_squares, square
from proofs.razin2020.perturbed_quotients import GAP
from proofs.razin2020.problem import fro, loss
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, undecided

LARGER = "max(W[1,2], W[2,1])"
ROOT2 = "(1/sqrt(2))"


@holds(
    "razin2020.eq-58",
    f"""all W:M(2,2), l i:R. l = {loss("W")} => l <= i => i < 1 => min((W[1,2] - 1)^2, (W[2,1] - 1)^2) <= i and
       {ROOT2}*{fro("W")} <= sv(W,1) and {ROOT2}*{LARGER} <= {ROOT2}*{fro("W")} and (1 - sqrt(i))/sqrt(2) <= {ROOT2}*{LARGER}""",
    argument="sound",
    reading="W is the product matrix at any time, l its loss and i = l_init the initial loss",
    context="the loss does not increase along the flow [Lemma 17]",
)
def largest_singular_value_from_the_initial_loss(g: Goal) -> None:
    """One of two squares that sum to at most 2 l_init is at most l_init; |W|_F^2 = s1^2 + s2^2 <= 2 s1^2."""
    value, most, _ = g.intro()
    a, b = "(W[1,2] - 1)^2", "(W[2,1] - 1)^2"
    total = g.have(
        f"{a} + {b} <= 2*i", lambda g: (only(g, value, most), g.pos([f"@{most}", 2], ["W[2,2]^2"], eqs=[(value, 2)]))[-1]
    )

    def smaller(g: Goal) -> None:
        def case(g: Goal) -> None:
            order, eq = g.split(next(reversed(g.seq.hyps)))
            only(g, order, eq, total)
            g.pos([f"@{total}", "1/2"], [f"@{order}", "1/2"], eqs=[(eq, -1)])

        g.cases(g.fact("min_cases", a, b), case, case)

    least = g.have(f"min({a}, {b}) <= i", smaller)
    low_i = g.have(
        "0 <= i",
        lambda g: (only(g, value, most), g.pos([f"@{most}"], [a, "1/2"], [b, "1/2"], ["W[2,2]^2", "1/2"], eqs=[(value, 1)]))[-1],
    )
    ri, li = g.by_fact("sqrt_sq", "i", by=[using(low_i)]), g.by_fact("sqrt_nonneg", "i", by=[using(low_i)])
    two = g.by_fact("sqrt_sq", "2")
    squares = g.split(g.fact("sv_2x2", "W"))[1]
    order = g.fact("sv_range", 2, 2, "W")
    one, ge = g.split(g.apply(order, 1, 2))
    ge = g.apply(ge)
    low2 = g.split(g.apply(order, 2, 2))[0]
    f, lf = square(g, "2", "2", "W")
    entries = g.fact("frobenius_entries", 2, 2, "W")
    positive = g.have("0 < sqrt(2)")

    def spectral(g: Goal) -> None:
        bound = g.have(
            f"({ROOT2}*{fro('W')})^2 <= sv(W,1)^2",
            lambda g: (
                only(g, squares, ge, low2, one, f, two, positive),
                g.pos(
                    [f"@{ge}", "sv(W,1)/2"],
                    [f"@{ge}", "sv(W,2)/2"],
                    eqs=[(f, f"-{ROOT2}^2"), (squares, "1/2"), (two, "1/4*tr(T(W) @ W)")],
                ),
            )[-1],
        )
        by_squares(g, one, "", "", bound)

    def entry(g: Goal, e: str) -> str:
        bound = g.have(f"{e}^2 <= {fro('W')}^2", lambda g: entry_bound(g, e))
        return g.have(f"{e} <= {fro('W')}", lambda g: by_squares(g, lf, "", "", bound))

    def entry_bound(g: Goal, e: str) -> None:
        rest = [x for x in ("W[1,1]", "W[1,2]", "W[2,1]", "W[2,2]") if x != e]
        only(g, f, entries)
        g.pos(*[[f"{x}^2"] for x in rest], eqs=[(f, 1), (entries, 1)])

    def larger(g: Goal) -> None:
        x, y = entry(g, "W[1,2]"), entry(g, "W[2,1]")

        def case(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            only(g, x, y, eq, positive)
            h = x if g.hyp_formula(eq)[2] == g.hyp_formula(x)[1] else y
            g.pos([f"@{h}", ROOT2], eqs=[(eq, f"-{ROOT2}")])

        g.cases(g.fact("max_cases", "W[1,2]", "W[2,1]"), case, case)

    def below(g: Goal) -> None:
        def case(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            first = g.hyp_formula(eq)[2] == g.term(a)
            e = "W[1,2]" if first else "W[2,1]"
            x = a if first else b
            small = g.have(f"{x} <= i", lambda g: (only(g, least, eq), g.pos([f"@{least}"], eqs=[(eq, 1)]))[-1])

            def near(g: Goal) -> None:
                w = g.contra()
                only(g, small, ri, li, w)
                g.pos([f"@{w}", f"@{w}"], [2, f"@{w}", f"@{li}"], [f"@{small}"], eqs=[(ri, 1)])

            k = g.have(f"1 - sqrt(i) <= {e}", near)

            def top(g: Goal) -> None:
                order_, eq_ = g.split(next(reversed(g.seq.hyps)))
                only(g, k, order_, eq_, positive)
                terms = [[f"@{k}", ROOT2]]
                if g.hyp_formula(eq_)[2] != g.term(e):
                    terms.append([f"@{order_}", ROOT2])
                g.pos(*terms, eqs=[(eq_, ROOT2)])

            g.cases(g.fact("max_cases", "W[1,2]", "W[2,1]"), top, top)

        g.cases(g.fact("min_cases", a, b), case, case)

    g.conj(using(least), spectral, larger, below)


@part(
    "razin2020.lemma-27-eq-67",
    "perturbation",
    f"all W V:M(2,2), i:Z. abs(sv(W,i) - sv(V,i)) <= {fro('W - V')} and sv(W,i) <= {fro('W')}",
    says="singular values move by at most the Frobenius norm of the difference",
)
def singular_values_move_little(g: Goal) -> None:
    """Weyl's inequality, and the spectral norm is at most the Frobenius norm."""
    g.fix("W", "V", "i")
    k = g.fact("sv_perturbation", 2, 2, "i", "W", "V")

    def spectral(g: Goal, x: str) -> str:
        s = g.fact("spec_is_sv", 2, 2, x)
        squares = g.split(g.fact("sv_2x2", x))[1]
        f, low = square(g, "2", "2", x)
        bound = g.have(
            f"spec({x})^2 <= {fro(x)}^2",
            lambda g: (
                only(g, s, squares, f),
                g.pos([f"sv({x},2)^2"], eqs=[(s, f"-spec({x}) - sv({x},1)"), (squares, -1), (f, 1)]),
            )[-1],
        )
        return g.have(f"spec({x}) <= {fro(x)}", lambda g: by_squares(g, low, "", "", bound))

    a, b = spectral(g, "W - V"), spectral(g, "W")
    order = g.fact("sv_range", 2, 2, "W")
    top = g.fact("spec_is_sv", 2, 2, "W")

    def own(g: Goal) -> None:
        def inside(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            le = g.apply(g.split(g.apply(order, 1, "i"))[1], by=[lambda g: g.conj(None, using(h))])
            only(g, le, b, top)
            g.pos([f"@{le}"], [f"@{b}"], eqs=[(top, 1)])

        def outside(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            *_, value = g.obtain(g.fact("svd", 2, 2, "W"), "p", "q", "d")
            z = g.apply(g.fact("entry_outside", 2, 2, "d"), "i", "i", by=[lambda g: (g.left_or_right(0), g.close_by(h))[-1]])
            v = g.apply(value, "i")
            low = square(g, "2", "2", "W")[1]
            only(g, low, z, v)
            g.pos([f"@{low}"], eqs=[(v, 1), (z, -1)])

        g.em("1 <= i", inside, outside)

    g.conj(lambda g: (only(g, k, a), g.pos([f"@{k}"], [f"@{a}"]))[-1], own)


NEAR = f"33 <= r => 2 <= L => 0 <= s => {fro('W')} <= r^L => {fro('V')} <= r^L => {fro('W - V')} <= 1/2*L^2*r^(L-1)*s =>"
NEAR_READING = (
    "W and V = W' are the product matrices at a time, r = R + 1, s = sqrt(epsilon); the bounds of the norms are Equation (60)"
)
DIFFERENCE = f"abs({GAP.format('W')} - {GAP.format('V')})"
INDIVIDUAL = "abs(sv(W,i)^2 - sv(V,i)^2)"


@holds(
    "razin2020.lemma-27-eq-67",
    f"""all W V:M(2,2), r s:R, L:Z. {NEAR}
       (all i:Z. 1 <= i and i <= 2 => {INDIVIDUAL} <= 2*r^L*{fro("W - V")} and 2*r^L*{fro("W - V")} <= L^2*r^(2*L-1)*s) and
       {DIFFERENCE} <= 2*L^2*r^(2*L-1)*s""",
    uses=["razin2020.lemma-27-eq-67"],
    argument="sound",
    reading=NEAR_READING,
    context="as shown there [Equation (60)]",
)
def squared_singular_values_move_little(g: Goal) -> None:
    """s_i(W)^2 - s_i(V)^2 = (s_i(W) - s_i(V))(s_i(W) + s_i(V))."""
    radius, depth, root, w, v, d = g.intro()
    pr = g.have("0 < r", lambda g: (only(g, radius), g.pos([f"@{radius}"], [33]))[-1])
    n = fro("W - V")

    def one(g: Goal, i: str) -> str:
        k, top = g.split(g.lemma("razin2020.lemma-27-eq-67", "part:perturbation", "W", "V", i))
        top_v = g.split(g.lemma("razin2020.lemma-27-eq-67", "part:perturbation", "V", "W", i))[1]
        low = g.split(g.apply(g.fact("sv_range", 2, 2, "W"), i, i))[0]
        low_v = g.split(g.apply(g.fact("sv_range", 2, 2, "V"), i, i))[0]
        p = g.fact("abs_product", f"sv(W,{i}) - sv(V,{i})", f"sv(W,{i}) + sv(V,{i})")
        same = g.have(
            f"abs(sv(W,{i})^2 - sv(V,{i})^2) = abs((sv(W,{i}) - sv(V,{i}))*(sv(W,{i}) + sv(V,{i})))",
            lambda g: (only(g), g.ctx(lambda g: g.field()))[-1],
        )
        size = g.have(f"abs(sv(W,{i}) + sv(V,{i})) = sv(W,{i}) + sv(V,{i})", lambda g: (only(g, low, low_v), g.field())[-1])
        only(g, k, top, top_v, low, low_v, p, same, size, w, v)
        a, t = f"abs(sv(W,{i}) - sv(V,{i}))", f"sv(W,{i}) + sv(V,{i})"
        low_n = square(g, "2", "2", "W - V")[1]
        return g.have(
            f"abs(sv(W,{i})^2 - sv(V,{i})^2) <= 2*r^L*{n}",
            lambda g: g.pos(
                [f"@{k}", t],
                [f"@{top}", f"@{low_n}"],
                [f"@{top_v}", f"@{low_n}"],
                [f"@{w}", f"@{low_n}"],
                [f"@{v}", f"@{low_n}"],
                eqs=[(same, -1), (p, -1), (size, f"-{a}")],
            ),
        )

    bound = g.have(f"2*r^L*{n} <= L^2*r^(2*L-1)*s", lambda g: (only(g, d, pr), g.pos([f"@{d}", 2, "r^L"]))[-1])

    def each(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        g.conj(lambda g: g.close_by(one(g, i)), using(bound))

    both = g.have(f"all i:Z. 1 <= i and i <= 2 => {INDIVIDUAL} <= 2*r^L*{n} and 2*r^L*{n} <= L^2*r^(2*L-1)*s", each)

    def gap(g: Goal) -> None:
        x, y = (g.split(g.apply(both, i))[0] for i in (1, 2))
        a, b = "(sv(W,1)^2 - sv(V,1)^2)", "(sv(W,2)^2 - sv(V,2)^2)"
        t = g.fact("abs_triangle", a, f"-{b}")
        same = g.have(f"{DIFFERENCE} = abs({a} + -{b})", lambda g: (only(g), g.ctx(lambda g: g.field()))[-1])
        sign = g.fact("abs_product", "-1", b)
        minus = g.have(f"abs(-{b}) = abs(-1*{b})", lambda g: (only(g), g.field())[-1])
        size = g.have("abs(-1) = 1", lambda g: (only(g), g.field())[-1])
        only(g, x, y, t, same, sign, minus, size, bound)
        g.pos([f"@{t}"], [f"@{x}"], [f"@{y}"], [2, f"@{bound}"], eqs=[(same, -1), (minus, -1), (sign, -1), (size, f"-abs({b})")])

    g.conj(using(both), gap)
    del depth, root


@holds(
    "razin2020.lemma-27-eq-68",
    f"""all W V:M(2,2), c e r:R, L:Z. 0 < c => {ROOT2}*c <= sv(W,1) => sv(W,2) <= c/2 => {DIFFERENCE} <= 2*L^2*r^(2*L-1)*sqrt(e) =>
       2*L^2*r^(2*L-1)*sqrt(e) <= c^2/8 => c^2/4 <= {GAP.format("W")} and
       c^2/4 - 2*L^2*r^(2*L-1)*sqrt(e) <= {GAP.format("V")} and c^2/8 <= c^2/4 - 2*L^2*r^(2*L-1)*sqrt(e) and c^4/32 <= {GAP.format("W")}*{GAP.format("V")}""",
    argument="sound",
    reading="c = 1 - sqrt(l_init), r = R + 1, e = epsilon, at a time in [t_0, T]",
    context="Equations (58) and (67), the smallness of epsilon (lemma-27-step-epsilon), and s2 <= c/2 on [t_0, T]",
)
def gaps_are_bounded_below(g: Goal) -> None:
    """1/2 - 1/4 = 1/4; 1/4 - 1/8 = 1/8."""
    c, high, low, near, small = g.intro()
    two = g.by_fact("sqrt_sq", "2")
    positive = g.have("0 < sqrt(2)")
    s1 = g.split(g.apply(g.fact("sv_range", 2, 2, "W"), 1, 1))[0]
    s2 = g.split(g.apply(g.fact("sv_range", 2, 2, "W"), 2, 2))[0]
    gw, gv, z = GAP.format("W"), GAP.format("V"), "2*L^2*r^(2*L-1)*sqrt(e)"
    half = g.have(f"{ROOT2}^2 = 1/2", lambda g: (only(g, two, positive), g.field())[-1])
    first = g.have(
        f"c^2/4 <= {gw}",
        lambda g: (
            only(g, c, high, low, half, s1, s2, positive),
            g.pos(
                [f"@{high}", "sv(W,1)"],
                [f"@{high}", f"{ROOT2}*c"],
                [f"@{low}", "sv(W,2)"],
                [f"@{low}", "c/2"],
                eqs=[(half, "c^2")],
            ),
        )[-1],
    )
    bounds = g.split(g.apply(g.split(g.fact("abs_le", f"{gw} - {gv}", z))[0], by=[using(near)]))
    only(g, c, first, bounds[1], small)
    second = g.have(f"c^2/4 - {z} <= {gv}", lambda g: g.pos([f"@{first}"], [f"@{bounds[1]}"]))
    third = g.have(f"c^2/8 <= c^2/4 - {z}", lambda g: g.pos([f"@{small}"]))
    g.conj(
        using(first),
        using(second),
        using(third),
        lambda g: g.pos(
            [f"@{first}", f"@{second}"],
            [f"@{first}", f"@{third}"],
            [f"@{first}", "c^2/8"],
            ["c^2/4", f"@{second}"],
            ["c^2/4", f"@{third}"],
        ),
    )


@holds(
    "razin2020.fn-21-order",
    f"""(all c:R. 0 < c => c/2 < c/sqrt(2)) and (all W:M(2,2), c:R. 0 < c => c/sqrt(2) <= sv(W,1) => sv(W,2) <= c/2 => sv(W,2) < sv(W,1)) and
       (all V:M(2,2), c:R. 0 < c => c^2/8 <= {GAP.format("V")} => sv(V,2) < sv(V,1))""",
    argument="sound",
    reading="c = 1 - sqrt(l_init); on [t_0, T] the two singular values of W_{L:1} differ, and so do those of the nearby balanced W'_{L:1} = V (Equation (68)), so that their order "
    "cannot change there",
)
def order_of_the_singular_values_is_fixed(g: Goal) -> None:
    """1/2 < 1/sqrt 2."""
    two = g.by_fact("sqrt_sq", "2")
    positive = g.have("0 < sqrt(2)")
    small = g.have("sqrt(2) < 2", lambda g: (only(g), g.ball())[-1])

    def numbers(g: Goal) -> None:
        g.fix("c")
        c = g.assume()
        only(g, small, positive, c)
        g.pos([f"@{small}", "c/(2*sqrt(2))"])

    half = g.have("all c:R. 0 < c => c/2 < c/sqrt(2)", numbers)

    def apart(g: Goal) -> None:
        g.fix()
        c, high, low = (g.assume() for _ in range(3))
        k = g.apply(half, "c", by=[using(c)])
        only(g, k, high, low)
        g.pos([f"@{k}"], [f"@{high}"], [f"@{low}"])

    def nearby(g: Goal) -> None:
        g.fix()
        c, gap = g.assume(), g.assume()
        s2 = g.split(g.apply(g.fact("sv_range", 2, 2, "V"), 2, 2))[0]
        s1 = g.split(g.apply(g.fact("sv_range", 2, 2, "V"), 1, 1))[0]
        w = g.contra()
        only(g, c, gap, s1, s2, w)
        g.pos(["c^2/8"], [f"@{gap}"], [f"@{w}", "sv(V,2)"], [f"@{w}", "sv(V,1)"])

    g.conj(using(half), apart, nearby)
    del two


@holds(
    "razin2020.thm-3-step-sigma2-continuous",
    "all X:R~>M(2,2), t e:R. 0 < e => ex h:R. 0 < h and all u:R. t - h <= u and u <= t + h => abs(sv(X(u),2) - sv(X(t),2)) < e",
    uses=["razin2020.lemma-27-eq-67"],
    argument="repaired",
    reason="Lemma 5 needs a balanced start, which Theorem 3 does not have; continuity holds by the perturbation bound |s2(A) - s2(B)| <= |A - B|_F",
    reading="X is the product matrix along the flow, of which only smoothness is used",
)
def least_singular_value_is_continuous(g: Goal) -> None:
    """|s2(X(u)) - s2(X(t))| <= |X(u) - X(t)|_F, which is continuous in u."""
    g.fix("X", "t", "e")
    e = g.assume()
    gap = "tr(T(X({0}) - X(t)) @ (X({0}) - X(t)))"
    start = g.have(
        f"0 < e^2 - {gap.format('t')}",
        lambda g: (only(g, e), g.replace("X(t) - X(t)", "O(2,2)", lambda g: g.nc()), g.pos(["e^2"]))[-1],
    )
    h, near = g.obtain(g.by_fact("persistence", "t", f"lam u:R. e^2 - {gap.format('u')}", by=[None, using(start)]), "h")
    g.witness("h")

    def close(g: Goal) -> None:
        (u,) = g.fix()
        k = g.apply(near, u, by=[using(g.assume())])
        p = g.split(g.lemma("razin2020.lemma-27-eq-67", "part:perturbation", f"X({u})", "X(t)", 2))[0]
        f, low = square(g, "2", "2", f"X({u}) - X(t)")
        n = fro(f"X({u}) - X(t)")

        def strict(g: Goal) -> None:
            w = g.contra()
            only(g, e, k, f, low, w)
            g.pos([f"@{k}"], [f"@{w}", n], [f"@{w}", "e"], eqs=[(f, -1)])

        less = g.have(f"{n} < e", strict)
        only(g, p, less)
        g.pos([f"@{p}"], [f"@{less}"])

    g.conj(using(h), close)


undecided(
    "razin2020.thm-3-step-t0",
    outcome="unsupported",
    argument="fails",
    reason="sigma_init = s2(W(t_0)) does not follow: if s2 starts below (1 - sqrt(l_init))/2, rises above and returns, then t_0 is the last time at that level, and s2(t_0) is "
    "the level, not s2(0). What follows, and what the proof uses, is sigma_init <= s2(W(t_0))",
)
LEVEL = "(c/2)"


LEVEL_GAP = "(c^2/4*tr(T(X({0})) @ X({0})) - c^4/16 - det(X({0}))^2)"


@amendment(
    "razin2020.thm-3-step-t0",
    f"""all X:R~>M(2,2), c te:R. 0 < c => 0 <= te => (all t:R. 0 <= t and t <= te => {ROOT2}*c <= sv(X(t),1)) => det(X(te)) = 0 =>
       ex s:R. 0 <= s and s <= te and (0 < sv(X(0),2) => s < te) and (all t:R. s <= t and t <= te => sv(X(t),2) <= {LEVEL}) and
          min(sv(X(0),2), {LEVEL}) <= sv(X(s),2)""",
    says="s = t_0, te = T, c = 1 - sqrt(l_init): on [t_0, T] the least singular value is at most c/2, and sigma_init is at most s2(W(t_0))",
)
def last_time_at_the_level(g: Goal) -> None:
    """s2 <= c/2 exactly if (s1^2 - c^2/4)(c^2/4 - s2^2) = c^2/4 |X|_F^2 - c^4/16 - det(X)^2 >= 0, as s1 > c/2; this is smooth in t."""
    g.fix()
    c, time, large, zero = (g.assume() for _ in range(4))
    two = g.by_fact("sqrt_sq", "2")
    positive = g.have("0 < sqrt(2)")
    half = g.have(f"{ROOT2}^2 = 1/2", lambda g: (only(g, two, positive), g.field())[-1])

    def product(g: Goal) -> None:
        g.fix("t")
        inside = g.assume()
        big = g.apply(large, "t", by=[using(inside)])
        prod, squares = g.split(g.fact("sv_2x2", "X(t)"))
        det = g.fact("abs_square", "det(X(t))")
        s1 = g.split(g.apply(g.fact("sv_range", 2, 2, "X(t)"), 1, 1))[0]
        only(g, c, big, prod, squares, det, s1, half, positive)
        a, b = "sv(X(t),1)", "sv(X(t),2)"
        g.conj(
            lambda g: g.field((squares, "-c^2/4"), (det, 1), (prod, f"{a}*{b} + abs(det(X(t)))")),
            lambda g: g.pos([f"@{big}", a], [f"@{big}", f"{ROOT2}*c"], ["c^2/4"], eqs=[(half, "c^2")]),
        )

    factors = g.have(
        f"""all t:R. 0 <= t and t <= te => {LEVEL_GAP.format("t")} = (sv(X(t),1)^2 - c^2/4)*(c^2/4 - sv(X(t),2)^2) and 0 < sv(X(t),1)^2 - c^2/4""",
        product,
    )

    def low(g: Goal, t: str) -> str:
        return g.split(g.apply(g.fact("sv_range", 2, 2, f"X({t})"), 2, 2))[0]

    def below(g: Goal, t: str, inside: Script, sign: str) -> None:
        """s2 <= c/2 from 0 <= the product."""
        v, p = g.split(g.apply(factors, t, by=[inside]))
        s2 = low(g, t)
        w = g.contra()
        only(g, v, p, sign, w, c, s2)
        g.pos([f"@{p}", f"@{w}", f"sv(X({t}),2)"], [f"@{p}", f"@{w}", "c/2"], [f"@{sign}"], eqs=[(v, -1)])

    def above(g: Goal, t: str, inside: Script, sign: str) -> None:
        """c/2 <= s2 from the product <= 0."""
        v, p = g.split(g.apply(factors, t, by=[inside]))
        s2 = low(g, t)
        w = g.contra()
        only(g, v, p, sign, w, c, s2)
        g.pos([f"@{p}", f"@{w}", f"sv(X({t}),2)"], [f"@{p}", f"@{w}", "c/2"], [f"@{sign}"], eqs=[(v, 1)])

    end_inside = lambda g: g.conj(using(time), Goal.refl)  # noqa: E731
    v, p = g.split(g.apply(factors, "te", by=[end_inside]))
    prod = g.split(g.fact("sv_2x2", "X(te)"))[0]
    det = g.fact("abs_square", "det(X(te))")

    def end_sign(g: Goal) -> None:
        squares = g.split(g.fact("sv_2x2", "X(te)"))[1]
        s2 = low(g, "te")
        only(g, c, v, p, zero, prod, det, squares, s2)
        g.pos(["c^2/4", f"@{p}"], ["c^2/4", "sv(X(te),2)^2"], eqs=[(squares, "-c^2/4"), (zero, "-det(X(te))")])

    end = g.have(f"0 < {LEVEL_GAP.format('te')}", end_sign)
    most = g.have(
        f"min(sv(X(0),2), {LEVEL}) <= sv(X(0),2) and min(sv(X(0),2), {LEVEL}) <= {LEVEL}",
        lambda g: smaller_of_two(g, "sv(X(0),2)", LEVEL),
    )
    most_0, most_c = g.split(most)
    reached = f"ex u:R. 0 <= u and u <= te and {LEVEL_GAP.format('u')} <= 0"

    def yes(g: Goal) -> None:
        u0, u1, sign = g.obtain(next(reversed(g.seq.hyps)), "u")
        s0, s1, at, after = g.obtain(
            g.by_fact(
                "last_entry", "u", "te", f"lam t:R. {LEVEL_GAP.format('t')}", by=[None, using(u1), using(sign), using(end)]
            ),
            "s",
        )
        g.witness("s")
        start = g.have("0 <= s", lambda g: (only(g, u0, s0), g.pos([f"@{u0}"], [f"@{s0}"]))[-1])
        stop = g.have("s <= te", lambda g: (only(g, s1), g.pos([f"@{s1}"]))[-1])
        here = lambda g: g.conj(using(start), using(stop))  # noqa: E731

        def under(g: Goal) -> None:
            g.fix("t")
            x, y = g.split(g.assume())
            inside = g.have(
                "0 <= t and t <= te",
                lambda g: g.conj(lambda g: (only(g, start, x), g.pos([f"@{start}"], [f"@{x}"]))[-1], using(y)),
            )

            def later(g: Goal) -> None:
                strict = next(reversed(g.seq.hyps))
                k = g.apply(after, "t", by=[lambda g: g.conj(using(strict), using(y))])
                below(
                    g, "t", using(inside), g.have(f"0 <= {LEVEL_GAP.format('t')}", lambda g: (only(g, k), g.pos([f"@{k}"]))[-1])
                )

            def now(g: Goal) -> None:
                g.rewrite(next(reversed(g.seq.hyps)), back=True)
                below(g, "s", here, g.have(f"0 <= {LEVEL_GAP.format('s')}", lambda g: (only(g, at), g.pos(eqs=[(at, 1)]))[-1]))

            g.cases(g.by_fact("lt_or_eq", "s", "t", by=[using(x)]), later, now)

        def level(g: Goal) -> None:
            k = g.have(
                f"{LEVEL} <= sv(X(s),2)",
                lambda g: above(
                    g, "s", here, g.have(f"{LEVEL_GAP.format('s')} <= 0", lambda g: (only(g, at), g.pos(eqs=[(at, -1)]))[-1])
                ),
            )
            only(g, k, most_c)
            g.pos([f"@{k}"], [f"@{most_c}"])

        g.conj(using(start), using(stop), lambda g: (g.assume(), g.close_by(s1))[-1], under, level)

    def no(g: Goal) -> None:
        none = next(reversed(g.seq.hyps))
        g.witness("0")

        def under(g: Goal) -> None:
            g.fix("t")
            x, y = g.split(g.assume())

            def sign(g: Goal) -> None:
                w = g.contra()

                def found(g: Goal) -> None:
                    g.witness("t")
                    g.conj(using(x), using(y), lambda g: (only(g, w), g.pos([f"@{w}"]))[-1])

                g.clash(g.have(reached, found), none)

            below(g, "t", lambda g: g.conj(using(x), using(y)), g.have(f"0 <= {LEVEL_GAP.format('t')}", sign))

        def strictly(g: Goal) -> None:
            s2 = g.assume()

            def at_once(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                k = g.split(g.fact("sv_2x2", "X(0)"))[0]
                d = g.rewritten(zero, g.have("te = 0", lambda g: g.field((eq, -1))))
                z = g.have("abs(det(X(0))) = 0", lambda g: (only(g, d), g.rewrite(d), g.field())[-1])
                s1 = g.split(g.apply(g.fact("sv_range", 2, 2, "X(0)"), 1, 2))[1]
                s1 = g.apply(s1)
                g.contra()
                only(g, k, z, s1, s2)
                g.pos([f"@{s2}", f"@{s2}"], [f"@{s1}", f"@{s2}"], eqs=[(k, -1), (z, -1)])

            g.cases(g.by_fact("lt_or_eq", 0, "te", by=[using(time)]), None, at_once)

        g.conj(Goal.refl, using(time), strictly, under, using(most_0))

    g.em(reached, yes, no)


def smaller_of_two(g: Goal, a: str, b: str) -> None:
    """The minimum is at most both."""

    def case(g: Goal) -> None:
        order, eq = g.split(next(reversed(g.seq.hyps)))
        only(g, order, eq)

        def one(g: Goal) -> None:
            own = g.concl[2] == g.hyp_formula(eq)[2]
            g.pos(*([] if own else [[f"@{order}"]]), eqs=[(eq, -1)])

        g.conj(one, one)

    g.cases(g.fact("min_cases", a, b), case, case)
