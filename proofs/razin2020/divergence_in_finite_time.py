"""Note b: a flow may end in finite time, though not that of a loss bounded below."""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds


@holds(
    "razin2020.note-b-finite-time",
    """not (ex x:R~>R. x(0) = 1 and all t:R. 0 <= t => x'(t) = -D(w, -w^3/3, x(t)))""",
    argument="sound",
    reading="the gradient flow of the objective -w^3/3 from 1 does not exist for all t >= 0 (it is 1/(1 - t), which tends to infinity as t tends to 1): the end of optimisation is a finite time. For "
    "objectives that are bounded below, as the loss of the paper, this does not occur (lemma-6-assertion-divergence)",
)
def flow_ends_in_finite_time(g: Goal) -> None:
    """x' = x^2 >= 0, so x >= 1, and 1/x + t is constant: 1/x(1) = 0."""
    h = g.assume()
    start, law = g.obtain(h, "x")

    def slope(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        k = g.apply(law, "t", by=[using(now)])
        g.rewrite(k)
        g.field()

    rate = g.have("all t:R. 0 <= t => x'(t) = x(t)^2", slope)

    def rises(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        k = g.apply(rate, "t", by=[using(now)])
        only(g, k)
        g.pos(["x(t)^2"], eqs=[(k, 1)])

    mono = g.by_fact("nondecreasing", 0, "lam t:R. x(t)", by=[None, rises])

    def large(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        k = g.apply(mono, 0, "t", by=[None, using(now)])
        only(g, k, start)
        g.pos([f"@{k}"], eqs=[(start, 1)])

    one = g.have("all t:R. 0 <= t => 1 <= x(t)", large)
    only(g, start, rate, one)

    def nonzero(g: Goal) -> None:
        g.fix("t")
        low, _ = g.split(g.assume())
        k = g.apply(one, "t", by=[using(low)])
        only(g, k)
        g.have("0 < x(t)", lambda g: g.pos([f"@{k}"], [1]))
        g.auto()

    def flat(g: Goal) -> None:
        g.fix("t")
        low, _ = g.split(g.assume())
        now = g.have("0 <= t", lambda g: (only(g, low), g.pos([f"@{low}"]))[-1])
        k, r = g.apply(one, "t", by=[using(now)]), g.apply(rate, "t", by=[using(now)])
        only(g, k, r)
        g.have("0 < x(t)", lambda g: (only(g, k), g.pos([f"@{k}"], [1]))[-1])
        move = g.differentiate("s", "1/x(s) + s", "t")
        g.rewrite(move)
        g.field((r, "-1/x(t)^2"))

    k = g.by_fact("mean_value_eq", 0, 2, "lam t:R. 1/x(t) + t", by=[nonzero, flat, None])
    last = g.apply(one, 2)
    only(g, k, last, start)
    g.have("0 < x(2)", lambda g: (only(g, last), g.pos([f"@{last}"], [1]))[-1])
    first = g.have("1/x(0) = 1", lambda g: (g.rewrite(start), g.field())[-1])
    g.pos(["1/x(2)"], [1], eqs=[(k, -1), (first, -1)])
