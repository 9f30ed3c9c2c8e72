"""Proof of Theorem 3: Equations (60) and (73), products of factors and of the balanced factors near them.

W(l) are the factors and V(l) = W'_l the balanced ones nearby; Q(L) and Y(L) are their products; s is the root of the unbalancedness.
"""

from __future__ import annotations

from proofs.razin2020.frobenius_norms import by_squares, square
from proofs.razin2020.problem import fro
from proofs.razin2020.products_of_factors import INSIDE, between, previous, upwards
from proofs.razin2020.scripts import only, using
from proofs.razin2020.smooth_objective import DELTA, LAYER
from verify.kernel import Goal
from verify.registry import holds, part

POINTS = f"""1 <= L => Q(0) = I(m) => Y(0) = I(m) => P(L) = I(m) => Z(L) = I(m) =>
       (all l:Z. {INSIDE} => Q(l) = W(l) @ Q(l-1) and P(l-1) = P(l) @ W(l) and Y(l) = V(l) @ Y(l-1) and Z(l-1) = Z(l) @ V(l)) =>
       (all l:Z. {INSIDE} => {fro("W(l)")} <= R and {fro("W(l) - V(l)")} <= (l - 1)*s) =>"""
TOTAL = "sum(l, 1, L, (l - 1)*s)"


@part(
    "razin2020.eq-60",
    "arithmetic",
    f"all L:Z, s:R. 1 <= L => {TOTAL} = L*(L - 1)/2*s",
    says="the sum of the bounds of the distances",
)
def sum_of_the_distances(g: Goal) -> None:
    """Induction."""
    g.fix("n", "s")
    size = g.assume()

    def grow(g: Goal) -> None:
        g.induct("k")
        lo = next(h for h in g.seq.hyps if h.endswith("_lo"))

        def base(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            g.field()

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 1, "k", by=[using(strict)])
            before = g.apply("ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin())])
            last = g.by_fact("sum_last", 1, "k", "lam l:Z. (l - 1)*s", by=[using(lo)])
            g.field((last, 1), (before, 1))

        g.cases(g.by_fact("lt_or_eq", 1, "k", by=[using(lo)]), step, base)

    h = g.have("all k:Z. 1 <= k => sum(l, 1, k, (l - 1)*s) = k*(k - 1)/2*s", grow)
    g.close_by(g.apply(h, "n", by=[using(size)]))


@holds(
    "razin2020.eq-60",
    f"""all m L:Z, R s:R, W V P Q Y Z:Z->M(m,m). 0 <= R => 0 <= s => (L - 1)*s <= 1 => {POINTS}
       (all l:Z. {INSIDE} => {fro("V(l)")} <= R + (L - 1)*s) and R + (L - 1)*s <= R + 1 and
       {fro("Q(L) - Y(L)")} <= (R + 1)^(L-1)*{TOTAL} and (R + 1)^(L-1)*{TOTAL} <= 1/2*L^2*(R + 1)^(L-1)*s""",
    uses=["razin2020.eq-60", LAYER, "razin2020.lemma-12"],
    argument="sound",
    reading="W(l) are the factors at a time, V(l) = W'_l the balanced ones nearby, Q(L) and Y(L) their products, s = sqrt(epsilon)",
    context=(
        "Equation (59), the norms of the factors are at most R, and (L - 1) sqrt(epsilon) <= 1, which assumption (iii) "
        "gives [Equation (59), assumption (iii)]"
    ),
)
def nearby_products(g: Goal) -> None:
    """The triangle inequality; Lemma 12; L (L - 1)/2 <= L^2/2."""
    g.fix("m", "L", "R", "s", "W", "V", "P", "Q", "Y", "Z")
    radius, root, small, depth, q0, y0, pl, zl, steps, near = (g.assume() for _ in range(10))

    def own(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        low, high = g.split(inside)
        a, b = g.split(g.apply(near, i, by=[using(inside)]))
        t = g.split(g.lemma("razin2020.lemma-12", "part:triangle", "m", "m", f"W({i})", f"-(W({i}) - V({i}))"))[0]
        minus = g.split(g.lemma("razin2020.lemma-12", "part:triangle", "m", "m", f"W({i})", f"W({i}) - V({i})"))[2]
        same = g.have(f"W({i}) + -(W({i}) - V({i})) = V({i})", lambda g: (only(g), g.nc())[-1])
        t = g.rewritten(t, same)
        only(g, t, minus, a, b, high, root)
        g.pos([f"@{t}"], [f"@{a}"], [f"@{b}"], [f"@{high}", f"@{root}"], eqs=[(minus, 1)])
        del low

    bounds = g.have(f"all l:Z. {INSIDE} => {fro('V(l)')} <= R + (L - 1)*s", own)
    top = g.have("R + (L - 1)*s <= R + 1", lambda g: (only(g, small), g.pos([f"@{small}"]))[-1])

    def mask(g: Goal) -> None:
        g.fix()
        g.left_or_right(0)
        g.field()

    def norms(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        a = g.split(g.apply(near, i, by=[using(inside)]))[0]
        b = g.apply(bounds, i, by=[using(inside)])
        only(g, a, b, top)
        g.conj(lambda g: g.pos([f"@{a}"], [1]), lambda g: g.pos([f"@{b}"], [f"@{top}"]))

    positive = g.have("0 < R + 1", lambda g: (only(g, radius), g.pos([f"@{radius}"], [1]))[-1])
    k = g.lemma(
        LAYER,
        "part:products",
        *("m", "L", "O(m,m)", "O(m,m)", "R + 1", "W", "V", "P", "Q", "Y", "Z"),
        by=[using(positive), using(depth), mask, using(q0), using(y0), using(pl), using(zl), using(steps), norms],
    )
    k = g.split(k)[1]

    def each(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        g.close_by(g.split(g.apply(near, i, by=[using(inside)]))[1])

    sum_ = g.by_fact("sum_mono", 1, "L", f"lam i:Z. {DELTA}", "lam i:Z. (i - 1)*s", by=[each])
    value = g.lemma("razin2020.eq-60", "part:arithmetic", "L", "s", by=[using(depth)])
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    only(g, bounds, top, k, sum_, value, positive, pl, root)
    g.conj(
        using(bounds),
        using(top),
        lambda g: g.pos([f"@{k}"], [f"@{sum_}", "(R + 1)^(L-1)"]),
        lambda g: g.pos(["1/2*L*(R + 1)^(L-1)", f"@{root}"], eqs=[(value, "-(R + 1)^(L-1)")]),
    )


FACTORS = f"""1 <= L => Y(0) = I(2) => (all l:Z. {INSIDE} => Y(l) = V(l) @ Y(l-1)) =>
       (all l:Z. 1 <= l and l <= L - 1 => T(V(l+1)) @ V(l+1) = V(l) @ T(V(l))) =>
       (all l:Z. {INSIDE} => {fro("W(l) - V(l)")} <= (l - 1)*s) => 0 <= s => (L - 1)*s <= R => (ex l:Z. {INSIDE} and {fro("W(l)")} = R) =>"""
SMALL = "2^(-L/2)"


@holds(
    "razin2020.thm-3-step-product-norm",
    f"""all L:Z, R s:R, W V Y:Z->M(2,2). {FACTORS}
       sv(Y(L),1) <= {fro("Y(L)")} and sv(Y(L),1) = sv(V(1),1)^L and (1/sqrt(2)*{fro("V(1)")})^L <= sv(V(1),1)^L and
       (all l:Z. {INSIDE} => (1/sqrt(2)*{fro("V(1)")})^L = {SMALL}*{fro("V(l)")}^L) and {SMALL}*(R - (L - 1)*s)^L <= (1/sqrt(2)*{fro("V(1)")})^L""",
    uses=["razin2020.lemma-8", "razin2020.lemma-12", "razin2020.lemma-27-eq-67"],
    argument="sound",
    reading="V(l) = W'_l are the balanced factors near the factors W(l) at the time t-bar, at which the largest norm of a factor is R; Y(L) is their product, s = sqrt(epsilon); all factors V(l) have the "
    "same norm, so that their maximum is that of each",
    context="Equation (59), and (L - 1) sqrt(epsilon) <= R [Equation (59)]",
)
def norm_of_a_balanced_product(g: Goal) -> None:
    """Lemma 8; s1^2 >= (s1^2 + s2^2)/2; the norms of balanced factors agree."""
    g.fix("L", "R", "s", "W", "V", "Y")
    depth, first, steps, balance, near, root, small, some = (g.assume() for _ in range(8))
    values = g.lemma("razin2020.lemma-8", "statement", 2, "L", "V", "Y", by=[using(h) for h in (depth, first, steps, balance)])
    one = g.apply(values, 1, 1, by=[lambda g: g.conj(None, using(depth)), None, None])
    top = g.split(g.lemma("razin2020.lemma-27-eq-67", "part:perturbation", "Y(L)", "Y(L)", 1))[1]
    pl = g.have("0 <= L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    two = g.by_fact("sqrt_sq", 2)
    positive = g.have("0 < sqrt(2)")
    squares = g.split(g.fact("sv_2x2", "V(1)"))[1]
    s1, order = g.split(g.apply(g.fact("sv_range", 2, 2, "V(1)"), 1, 2))
    order = g.apply(order)
    s2 = g.split(g.apply(g.fact("sv_range", 2, 2, "V(1)"), 2, 2))[0]
    f, lf = square(g, "2", "2", "V(1)")
    half = f"(1/sqrt(2)*{fro('V(1)')})"
    low = g.have(f"0 <= {half}", lambda g: (only(g, lf, positive), g.pos(["1/sqrt(2)", f"@{lf}"]))[-1])

    def spectral(g: Goal) -> None:
        bound = g.have(
            f"{half}^2 <= sv(V(1),1)^2",
            lambda g: (
                only(g, squares, order, s1, s2, f, two, positive),
                g.pos(
                    [f"@{order}", "sv(V(1),1)/2"],
                    [f"@{order}", "sv(V(1),2)/2"],
                    eqs=[(f, "-(1/sqrt(2))^2"), (squares, "1/2"), (two, "1/4*tr(T(V(1)) @ V(1))")],
                ),
            )[-1],
        )
        by_squares(g, s1, "", "", bound)

    large = g.have(f"{half} <= sv(V(1),1)", spectral)
    power = g.by_fact("ipow_mono", half, "sv(V(1),1)", "L", by=[using(low), using(large), using(pl)])

    def same(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            g.refl()

        def step(g: Goal) -> None:
            high = g.assume()
            more, before = previous(g, high)
            b = g.apply(balance, "l - 1", by=[between(more, high)])
            b = g.have("T(V(l)) @ V(l) = V(l-1) @ T(V(l-1))", lambda g: (only(g, b), g.nc((b, 1, None, None)))[-1])
            only(g, before, b)
            g.rewrite(b)
            g.field((before, 1))

        upwards(g, "1", base, step)

    traces = g.have("all l:Z. 1 <= l => l <= L => tr(T(V(l)) @ V(l)) = tr(T(V(1)) @ V(1))", same)

    def equal(g: Goal) -> None:
        (i,) = g.fix()
        a, b = g.split(g.assume())
        k = g.apply(traces, i, by=[using(a), using(b)])
        g.ctx(using(k))

    norms = g.have(f"all l:Z. {INSIDE} => {fro('V(l)')} = {fro('V(1)')}", equal)

    def each(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        k = g.apply(norms, i, by=[using(inside)])
        g.rewrite(k)
        only(g, positive, pl, lf)
        p = g.by_fact("ipow_mul", "1/sqrt(2)", fro("V(1)"), "L", by=[using(pl)])
        q = g.have("(1/sqrt(2))^L = 2^(-L/2)", lambda g: (only(g), g.field())[-1])
        only(g, p, q)
        g.field((p, 1), (q, f"{fro('V(1)')}^L"))

    def below(g: Goal) -> None:
        a, b, value = g.obtain(some, "l")
        inside = g.have(INSIDE, lambda g: g.conj(using(a), using(b)))
        d = g.apply(near, "l", by=[using(inside)])
        t = g.split(g.lemma("razin2020.lemma-12", "part:triangle", 2, 2, "V(l)", "W(l) - V(l)"))[0]
        whole = g.have("V(l) + (W(l) - V(l)) = W(l)", lambda g: (only(g), g.nc())[-1])
        t = g.rewritten(t, whole)
        n = g.apply(norms, "l", by=[using(inside)])
        only(g, d, t, n, value, b, root, small, pl, positive, lf)
        bound = g.have(
            f"R - (L - 1)*s <= {fro('V(1)')}",
            lambda g: (
                only(g, d, t, n, value, b, root),
                g.pos([f"@{t}"], [f"@{d}"], [f"@{b}", f"@{root}"], eqs=[(n, -1), (value, 1)]),
            )[-1],
        )
        nonneg = g.have("0 <= R - (L - 1)*s", lambda g: (only(g, small), g.pos([f"@{small}"]))[-1])
        k = g.by_fact("ipow_mono", "R - (L - 1)*s", fro("V(1)"), "L", by=[using(nonneg), using(bound), using(pl)])
        p = g.by_fact("ipow_mul", "1/sqrt(2)", fro("V(1)"), "L", by=[using(pl)])
        q = g.have("(1/sqrt(2))^L = 2^(-L/2)", lambda g: (only(g), g.field())[-1])
        only(g, k, p, q)
        g.rewrite(p)
        g.rewrite(q)
        (z,) = g.obtain(g.have("ex z:R. z = 2^(-L/2)", lambda g: (g.witness("2^(-L/2)"), g.refl())[-1]), "z")
        pz = g.have("0 < z", lambda g: (only(g, z), g.rewrite(z), g.auto())[-1])
        back = g.have("2^(-L/2) = z", lambda g: (only(g, z), g.field((z, -1)))[-1])
        g.rewrite(back)
        only(g, k, pz)
        g.pos([f"@{k}", "z"])

    g.conj(using(top), using(one), using(power), each, below)


@holds(
    "razin2020.eq-73",
    f"""all L:Z, R s e:R, X Y:M(2,2). 2 <= L => 32 <= R => 0 <= e => s = sqrt(e) => e <= ((1 - 1/sqrt(2))*R/(L - 1))^2 =>
       e <= ((R/2)^L/(L^2*(R + 1)^(L-1)))^2 => {SMALL}*(R - (L - 1)*s)^L <= {fro("Y")} => {fro("X - Y")} <= 1/2*L^2*(R + 1)^(L-1)*s =>
       {SMALL}*(R - (L - 1)*s)^L - 1/2*L^2*(R + 1)^(L-1)*s <= {fro("X")} and
       (R/2)^L - 1/2*(R/2)^L <= {SMALL}*(R - (L - 1)*s)^L - 1/2*L^2*(R + 1)^(L-1)*s and (R/2)^L - 1/2*(R/2)^L = R^L/2^(L+1)""",
    uses=["razin2020.lemma-12"],
    argument="sound",
    reading="X is the product matrix at the time t-bar, Y that of the nearby balanced factors, e = epsilon",
    context=(
        "thm-3-step-product-norm, Equation (60), and the smallness of epsilon (thm-3-step-epsilon-r, whose second bound is "
        "the square used here) [thm-3-step-product-norm, Equation (60), thm-3-step-epsilon-r]"
    ),
)
def norm_of_the_product_when_a_factor_is_large(g: Goal) -> None:
    """R - (L - 1) s >= R/sqrt 2, and 2^(-L/2) (R/sqrt 2)^L = (R/2)^L."""
    depth, radius, nonneg, root, first, second, norm, near = g.intro()
    own, low = g.by_fact("sqrt_sq", "e", by=[using(nonneg)]), g.by_fact("sqrt_nonneg", "e", by=[using(nonneg)])
    low = g.have("0 <= s", lambda g: (only(g, root, low), g.pos([f"@{low}"], eqs=[(root, 1)]))[-1])
    value = g.have("s^2 = e", lambda g: (only(g, root, own), g.field((root, "s + sqrt(e)"), (own, 1)))[-1])
    pl = g.have("0 < L - 1", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    pr = g.have("0 < R", lambda g: (only(g, radius), g.pos([f"@{radius}"], [32]))[-1])
    positive = g.have("0 < sqrt(2)")
    gap = g.have("0 < 1 - 1/sqrt(2)", lambda g: (only(g), g.ball())[-1])
    a, b = "(1 - 1/sqrt(2))*R/(L - 1)", "(R/2)^L/(L^2*(R + 1)^(L-1))"
    pos_l = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])

    def below(g: Goal, x: str, bound: str) -> None:
        sign = g.have(f"0 <= {x}", lambda g: (only(g, pl, pr, gap, pos_l), g.auto())[-1])
        squared = g.have(f"s^2 <= ({x})^2", lambda g: (only(g, bound, value), g.pos([f"@{bound}"], eqs=[(value, -1)]))[-1])
        by_squares(g, sign, "", "", squared)

    one = g.have(f"s <= {a}", lambda g: below(g, a, first))
    two = g.have(f"s <= {b}", lambda g: below(g, b, second))
    t = g.split(g.lemma("razin2020.lemma-12", "part:triangle", 2, 2, "X", "-(X - Y)"))[0]
    minus = g.split(g.lemma("razin2020.lemma-12", "part:triangle", 2, 2, "X", "X - Y"))[2]
    whole = g.have("X + -(X - Y) = Y", lambda g: (only(g), g.nc())[-1])
    t = g.rewritten(t, whole)

    def lower(g: Goal) -> None:
        only(g, t, minus, norm, near)
        g.pos([f"@{t}"], [f"@{norm}"], [f"@{near}"], eqs=[(minus, 1)])

    def middle(g: Goal) -> None:
        large = g.have("R/sqrt(2) <= R - (L - 1)*s", lambda g: (only(g, one, pl, positive), g.pos([f"@{one}", "L - 1"]))[-1])
        size = g.have("0 <= L", lambda g: (only(g, pos_l), g.pos([f"@{pos_l}"]))[-1])
        k = g.by_fact(
            "ipow_mono",
            "R/sqrt(2)",
            "R - (L - 1)*s",
            "L",
            by=[lambda g: (only(g, pr, positive), g.auto())[-1], using(large), using(size)],
        )
        half = g.have(f"{SMALL}*(R/sqrt(2))^L = (R/2)^L", lambda g: (only(g, pr), g.field())[-1])
        (z,) = g.obtain(g.have("ex z:R. z = 2^(-L/2)", lambda g: (g.witness("2^(-L/2)"), g.refl())[-1]), "z")
        pz = g.have("0 < z", lambda g: (only(g, z), g.rewrite(z), g.auto())[-1])
        back = g.have("2^(-L/2) = z", lambda g: (only(g, z), g.field((z, -1)))[-1])
        half = g.rewritten(half, back)
        g.rewrite(back)
        only(g, k, half, pz, two, pos_l, pr)
        first_ = g.have(
            "(R/2)^L <= z*(R - (L - 1)*s)^L", lambda g: (only(g, k, half, pz), g.pos([f"@{k}", "z"], eqs=[(half, 1)]))[-1]
        )
        second_ = g.have(
            "L^2*(R + 1)^(L-1)*s <= (R/2)^L", lambda g: (only(g, two, pos_l, pr), g.pos([f"@{two}", "L^2*(R + 1)^(L-1)"]))[-1]
        )
        only(g, first_, second_)
        g.pos([f"@{first_}"], [f"@{second_}", "1/2"])

    g.conj(lower, middle, lambda g: (only(g, pr), g.field())[-1])
