"""Observed entries lie inside the matrix; partitions of the observations into a chosen one and the rest."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script

TWO = "(ex i j k l:Z. Om[i,j] = 1 and Om[k,l] = 1 and (i != k or j != l))"
"""At least two observations."""


def inside(g: Goal, i: str, j: str, one: str, mask: str = "Om", size: str = "d") -> list[str]:
    """The place (i, j) lies inside a square mask whose entry there is 1 (the hypothesis `one`): the four bounds."""
    outside = g.fact("entry_outside", size, size, mask)

    def absurd(g: Goal) -> None:
        g.contra()
        zero = g.apply(outside, i, j)
        g.pos([], eqs=[(one, "1"), (zero, "-1")])

    return [g.have(bound, absurd) for bound in (f"1 <= {i}", f"{i} <= {size}", f"1 <= {j}", f"{j} <= {size}")]


def zero_or_one(g: Goal, indicator: str, at: str, argument: str = "") -> None:
    """Close f(at) = 0 or f(at) = 1 by the fact `indicator` on f, which tells whether the argument (by default `at`) is 0."""

    def case(h: str, k: int) -> Script:
        def script(g: Goal) -> None:
            value = g.apply(h)
            g.left_or_right(k)
            g.close_by(value)

        return script

    zero, one = g.split(g.apply(indicator, at))
    g.em(f"{argument or at} = 0", case(zero, 0), case(one, 1))


def one_and_the_rest(g: Goal, two: str, orthogonal: Script) -> None:
    """The conclusion is `decoupled(masked, ..)`; two is the hypothesis TWO; orthogonal proves that an inner product is 0
    (index t, `time`)."""
    first, second, differ = g.obtain(two, "i0", "j0", "k0", "l0")
    (f,) = g.obtain(g.fact("indicator", "lam v:Z. v"), "f")

    def values(g: Goal) -> None:
        g.fix("v")
        zero_or_one(g, f, "v")

    g.have("all v:Z. f(v) = 0 or f(v) = 1", values, name="values")
    distance = "(({0})-i0)^2 + (({1})-j0)^2"
    here, there = distance.format("i0", "j0"), distance.format("k0", "l0")
    a, _ = g.split(g.apply(f, here))
    at_first = g.apply(a, by=[lambda g: g.field()])
    _, b = g.split(g.apply(f, there))

    def apart(g: Goal) -> None:
        eq = g.contra()

        def coordinate(u: str, v: str, other: str) -> Script:
            def script(g: Goal) -> None:
                ne = list(g.seq.hyps)[-1]
                g.have(f"({v} - {u})^2 <= 0", lambda g: g.pos([f"({other})^2"], eqs=[(eq, "-1")]))
                g.have(f"({v} - {u})^2 = 0", lambda g: g.antisym())
                root = g.by_fact("square_zero", f"{v} - {u}")
                k = g.have(f"{u} = {v}", lambda g: g.field((root, -1)))
                g.clash(k, ne)

            return script

        g.cases(differ, coordinate("i0", "k0", "l0 - j0"), coordinate("j0", "l0", "k0 - i0"))

    at_second = g.apply(b, by=[apart])
    g.witness("2", f"lam i:Z, j:Z. 1 + f({distance.format('i', 'j')})")

    def range_(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        g.cases(g.apply("values", distance.format("i", "j")))

    def members(g: Goal) -> None:
        g.fix("k")
        g.split(g.assume())

        def member(v: int, i: str, j: str, edge: str, value: str) -> Script:
            def script(g: Goal) -> None:
                if v == 2:
                    g.apply(g.fact("int_lt", 1, "k"))
                eq = g.have(f"k = {v}", lambda g: g.antisym())
                g.witness(i, j)
                g.conj(lambda g: g.close_by(edge), lambda g: g.field((value, 1), (eq, -1)))

            return script

        g.em("k <= 1", member(1, "i0", "j0", first, at_first), member(2, "k0", "l0", second, at_second))

    def across(g: Goal) -> None:
        g.fix("i", "j", "x", "y", "t")
        g.split_all(g.assume("pair"))
        g.assume("time")
        orthogonal(g)

    g.conj(None, range_, members, across)
