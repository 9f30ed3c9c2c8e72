"""Appendix B: the second-order expansion (51) of the loss at a stationary point."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds


@holds(
    "eftekhari2022.eq-51",
    """all f:R~>R. f'(0) = 0 => all e:R. 0 < e => ex h:R. 0 < h and all u:R. -h <= u => u <= h =>
       abs(f(u) - (f(0) + f'(0)*u + 1/2*f''(0)*u^2)) <= e*u^2 and f(0) + f'(0)*u + 1/2*f''(0)*u^2 = f(0) + 1/2*f''(0)*u^2""",
    argument="sound",
    reading="f(u) is the loss at the stationary layers moved by u times the direction, a polynomial in u; its second derivative is the one that stands"
    " with the factor 1/2. The text says that it contains all terms of second order: that is true with the factor, and (65) uses it without",
)
def second_order_expansion(g: Goal) -> None:
    """Taylor with the second derivative at a point between, which is close to that at 0."""
    g.fix("f")
    flat = g.assume()
    g.fix("e")
    e = g.assume()
    one, close = g.obtain(
        g.by_fact("persistence", 0, "lam t:R. e - (f''(t) - f''(0))/2", by=[None, lambda g: g.pos([f"@{e}"])]), "k"
    )
    two, near = g.obtain(
        g.by_fact("persistence", 0, "lam t:R. e + (f''(t) - f''(0))/2", by=[None, lambda g: g.pos([f"@{e}"])]), "l"
    )
    order = g.fact("total", "k", "l")
    both = g.have(
        "ex h:R. 0 < h and h <= k and h <= l",
        lambda g: g.cases(
            order,
            lambda g: (g.witness("k"), g.conj(using(one), None, using(next(reversed(g.seq.hyps)))))[-1],
            lambda g: (g.witness("l"), g.conj(using(two), using(next(reversed(g.seq.hyps))), None))[-1],
        ),
    )
    h, low, high = g.obtain(both, "h")
    g.witness("h")

    def each(g: Goal) -> None:
        g.fix("u")
        below, above = g.assume(), g.assume()
        taylor = g.apply(g.fact("taylor"), "f", "0", "u", "2", by=[None])
        left, right, value = g.obtain(taylor, "c")
        least, most = g.fact("min_cases", "0", "u"), g.fact("max_cases", "0", "u")

        def lower(g: Goal) -> None:
            g.cases(least, lambda g: bound(g, left, h, True), lambda g: bound(g, left, below, True))

        def upper(g: Goal) -> None:
            g.cases(most, lambda g: bound(g, right, above, False), lambda g: bound(g, right, h, False))

        c_lo, c_hi = g.have("-h <= c", lower), g.have("c <= h", upper)
        a = g.apply(close, "c", by=[lambda g: within(g, c_lo, c_hi, low)])
        b = g.apply(near, "c", by=[lambda g: within(g, c_lo, c_hi, high)])
        own = g.have("f(u) = f(0) + f'(0)*u + 1/2*f''(c)*u^2", lambda g: g.field((value, 1)))
        rest = "(f(u) - (f(0) + f'(0)*u + 1/2*f''(0)*u^2))"
        back = g.split(g.fact("abs_le", rest, "e*u^2"))[1]

        def inside(g: Goal) -> None:
            g.conj(
                lambda g: g.pos(["u^2", f"@{b}"], eqs=[(own, 1)]),
                lambda g: g.pos(["u^2", f"@{a}"], eqs=[(own, -1)]),
            )

        g.conj(lambda g: g.close_by(g.apply(back, by=[inside], n=1)), lambda g: g.field((flat, "u")))

    g.conj(using(h), each)


def bound(g: Goal, between: str, given: str, lower: bool) -> None:
    """c lies between 0 and u."""
    cases = g.split(next(reversed(g.seq.hyps)))
    value = cases[1]
    g.pos([f"@{between}"], [f"@{given}"], eqs=[(value, 1 if lower else -1)])


def within(g: Goal, low: str, high: str, room: str) -> None:
    """-h <= c <= h with a larger bound in the place of h."""
    g.conj(lambda g: g.pos([f"@{low}"], [f"@{room}"]), lambda g: g.pos([f"@{high}"], [f"@{room}"]))
