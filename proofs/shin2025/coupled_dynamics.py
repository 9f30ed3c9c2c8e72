"""Definition 2: coupled and decoupled dynamics."""

from __future__ import annotations

from proofs.shin2025.gradients import decoupled, masked
from proofs.shin2025.partitions import zero_or_one
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds


def any_inner(i: str, j: str, x: str, y: str) -> str:
    """The inner product of two gradients at time t as a function."""
    return f"G({i},{j},{x},{y},t)"


DECOUPLED = decoupled(masked, any_inner)
TWO_PARTS = (
    "(ex h:(Z,Z)->Z. (all i j:Z. h(i,j) = 0 or h(i,j) = 1) and (ex i j:Z. Om[i,j] = 1 and h(i,j) = 0) and (ex i j:Z. Om[i,j]"
    " = 1 and h(i,j) = 1)"
    " and (all i j x y:Z, t:R. Om[i,j] = 1 and Om[x,y] = 1 and h(i,j) != h(x,y) => 0 <= t => G(i,j,x,y,t) = 0))"
)
SINGLE = "(ex u v:Z. all i j:Z. Om[i,j] = 1 => i = u and j = v)"


@holds(
    "shin2025.def-2",
    f"""all d:Z, Om:M(d,d), G:(Z,Z,Z,Z,R)->R. ({DECOUPLED} <=> {TWO_PARTS}) and ({SINGLE} => not {DECOUPLED})""",
    argument="sound",
    reading="the definition is usable: for all inner products G of gradients two parts suffice, and a single observation is"
    " coupled",
)
def two_parts_suffice(g: Goal) -> None:
    """The first part against the rest; conversely the two values of h number two parts."""
    g.fix()

    def merge(g: Goal) -> None:
        _many, _, members, orthogonal = g.obtain(g.assume(), "K", "part")
        (f,) = g.obtain(g.fact("indicator", "lam p:Z. p - 1"), "f")

        def values(g: Goal) -> None:
            g.fix("i", "j")
            zero_or_one(g, f, "part(i,j)", "part(i,j) - 1")

        def member(k: int) -> Script:
            def script(g: Goal) -> None:
                edge, number = g.obtain(g.apply(members, str(k)), "u", "v")
                a, b = g.split(g.apply(f, "part(u,v)"))
                g.witness("u", "v")
                value = (
                    g.apply(a, by=[lambda g: g.field((number, 1))]) if k == 1 else g.apply(b, by=[lambda g: differs(g, number)])
                )
                g.conj(lambda g: g.close_by(edge), lambda g: g.close_by(value))

            return script

        def differs(g: Goal, number: str) -> None:
            eq = g.contra()
            g.pos([], eqs=[(eq, "-1"), (number, "1")])

        def across(g: Goal) -> None:
            g.fix("i", "j", "x", "y", "t")
            _a, _b, ne = g.split(g.assume())
            g.assume()

            def unequal(g: Goal) -> None:
                eq = g.contra()
                k = g.have("f(part(i,j)) = f(part(x,y))", lambda g: (g.rewrite(eq), g.refl()))
                g.clash(k, ne)

            g.have("part(i,j) != part(x,y)", unequal)
            g.close_by(g.apply(orthogonal, "i", "j", "x", "y", "t"))

        g.witness("lam i:Z, j:Z. f(part(i,j))")
        g.conj(values, member(1), member(2), across)

    def number(g: Goal) -> None:
        values, zero, one, orthogonal = g.obtain(g.assume(), "h")

        def range_(g: Goal) -> None:
            g.fix("i", "j")
            g.assume()
            g.cases(g.apply(values, "i", "j"))

        def members(g: Goal) -> None:
            g.fix("k")
            g.split(g.assume())

            def member(v: int, some: str) -> Script:
                def script(g: Goal) -> None:
                    if v == 2:
                        g.apply(g.fact("int_lt", 1, "k"))
                    eq = g.have(f"k = {v}", lambda g: g.antisym())
                    edge, value = g.obtain(some, "u", "v")
                    g.witness("u", "v")
                    g.conj(lambda g: g.close_by(edge), lambda g: g.field((value, 1), (eq, -1)))

                return script

            g.em("k <= 1", member(1, zero), member(2, one))

        def across(g: Goal) -> None:
            g.fix("i", "j", "x", "y", "t")
            _a, _b, ne = g.split(g.assume())
            g.assume()

            def unequal(g: Goal) -> None:
                eq = g.contra()
                k = g.have("1 + h(i,j) = 1 + h(x,y)", lambda g: g.field((eq, 1)))
                g.clash(k, ne)

            g.have("h(i,j) != h(x,y)", unequal)
            g.close_by(g.apply(orthogonal, "i", "j", "x", "y", "t"))

        g.witness("2", "lam i:Z, j:Z. 1 + h(i,j)")
        g.conj(None, range_, members, across)

    def single(g: Goal) -> None:
        only = g.obtain(g.assume(), "u", "v")[0]
        g.assume("system")
        _, _, members, _ = g.obtain("system", "K", "part")
        _a, b = g.obtain(g.apply(members, "1"), "i", "j")
        _e, f = g.obtain(g.apply(members, "2"), "x", "y")
        i1, j1 = g.split(g.apply(only, "i", "j"))
        x1, y1 = g.split(g.apply(only, "x", "y"))
        same = g.have("part(i,j) = part(x,y)", lambda g: (g.rewrite(i1), g.rewrite(j1), g.rewrite(x1), g.rewrite(y1), g.refl()))
        g.pos([], eqs=[(same, "1"), (b, "-1"), (f, "1")])

    g.conj(lambda g: g.iff(merge, number), single)
