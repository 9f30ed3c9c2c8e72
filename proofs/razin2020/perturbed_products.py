"""Proof of Theorem 3: Equations (60) and (73), products of factors and of the balanced factors near them.

W(l) are the factors and V(l) = W'_l the balanced ones nearby; Q(L) and Y(L) are their products; s is the root of the unbalancedness.
"""

from __future__ import annotations

from proofs.razin2020.problem import fro
from proofs.razin2020.products_of_factors import INSIDE
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
    context="Equation (59), the norms of the factors are at most R, and (L - 1) sqrt(epsilon) <= 1, which assumption (iii) gives",
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
