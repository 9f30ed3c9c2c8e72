"""Lemma C.7: whether the metric I + alpha alpha^T/(1 - |alpha|^2) is a Hessian."""

from __future__ import annotations

from proofs.razin2020.scripts import nested, using
from verify.kernel import Goal
from verify.registry import amendment, refuted

METRIC = "(I(d) + (1/(1 - tr(T(a) @ a)))*(a @ T(a)))"
POTENTIAL = "lam A:M(1,1). ((1 + A[1,1])*log(1 + A[1,1]) + (1 - A[1,1])*log(1 - A[1,1]))/2"
GRADIENT = "lam A:M(1,1). ((log(1 + A[1,1]) - log(1 - A[1,1]))/2)*I(1)"


@refuted(
    "varre2023.step-c-7-not-hessian",
    f"""all d:Z. 1 <= d => not ex f:M(d,1)->R, h:M(d,1)->M(d,1). all a v:V(d). tr(T(a) @ a) < 1 =>
       D(s, f(a + s*v), 0) = tr(T(h(a)) @ v) and D(s, h(a + s*v), 0) = {METRIC} @ v""",
    reading="a function f on the unit ball with the gradient h, whose derivatives along all directions are those of the metric",
    reason="for d = 1 every function is a second derivative: 1/(1 - a^2) is that of ((1 + a) log(1 + a) + (1 - a) log(1 - a))/2",
)
def hessian_in_one_dimension(g: Goal) -> None:
    """1 + a^2/(1 - a^2) = 1/(1 - a^2) = (1/(1 + a) + 1/(1 - a))/2."""
    g.witness(1)

    def exists(g: Goal) -> None:
        g.witness(POTENTIAL, GRADIENT)
        g.fix("a", "v")
        small = g.assume()
        size = g.fact("tr_entries", 1, "T(a) @ a")
        square = g.have("a[1,1]^2 < 1", lambda g: g.pos([f"@{small}"], eqs=[(size, 1)]))

        def high(g: Goal) -> None:
            less = g.contra()
            g.pos([f"@{less}", f"@{less}"], [f"@{less}", 2], [f"@{square}"])

        def low(g: Goal) -> None:
            less = g.contra()
            g.pos([f"@{less}", f"@{less}"], [f"@{less}", 2], [f"@{square}"])

        above = g.have("0 < 1 - a[1,1]", high)
        below = g.have("0 < 1 + a[1,1]", low)
        g.have("0 < 1 + (a + 0*v)[1,1]", lambda g: g.pos([f"@{below}"]))
        g.have("0 < 1 - (a + 0*v)[1,1]", lambda g: g.pos([f"@{above}"]))
        g.have("0 < 1 - tr(T(a) @ a)", lambda g: g.pos([f"@{small}"]))
        whole = g.have("1 - tr(T(a) @ a) = (1 - a[1,1])*(1 + a[1,1])", lambda g: g.field((size, -1)))

        def second(g: Goal) -> None:
            g.rewrite(whole)
            g.ext(entry)

        def entry(g: Goal) -> None:
            rule = g.have(
                "D(s, ((log(1 + (a + s*v)[1,1]) - log(1 - (a + s*v)[1,1]))/2)*I(1), 0) = (v[1,1]/((1 - a[1,1])*(1 + a[1,1])))*I(1)",
                lambda g: g.nc(),
            )
            g.rewrite(rule)
            g.field()

        value = g.fact("tr_entries", 1, "v")
        g.conj(lambda g: g.field((value, "-(log(1 + a[1,1]) - log(1 - a[1,1]))/2")), second)

    g.conj(None, exists)


FORM = "(tr(T(u) @ {v}) + tr(T(u) @ {a})*tr(T({a}) @ {v})/(1 - tr(T({a}) @ {a})))"
"""u^T M(a) v for the metric M."""


@amendment(
    "varre2023.step-c-7-not-hessian",
    f"""all d:Z. 2 <= d => ex a u v w:V(d). tr(T(a) @ a) < 1 and
       D(s, {FORM.format(a="(a + s*w)", v="v")}, 0) != D(s, {FORM.format(a="(a + s*v)", v="w")}, 0)""",
    says="for d >= 2 the derivatives of the metric are not symmetric, as third derivatives would be; u^T M v is written out",
)
def derivatives_of_the_metric_are_not_symmetric(g: Goal) -> None:
    """a = e_1/2, v = e_1, u = w = e_2: the derivatives are 2/3 and 0."""
    (two,) = g.intro()
    first = g.obtain(g.by_fact("unit_vector", "d", 1, by=[Goal.auto, lambda g: g.pos([f"@{two}"], [1])]), "e")[0]
    second = g.obtain(g.by_fact("unit_vector", "d", 2, by=[Goal.auto, using(two)]), "f")[0]
    g.have("1 <= d", lambda g: g.pos([f"@{two}"], [1]))

    def product(x: str, h: str, y: str, own: str, j: int, value: int) -> str:
        """<x, y> for unit vectors: the entry of I."""

        def script(g: Goal) -> None:
            t = g.fact("tr_entries", 1, f"T({x}) @ {y}")
            a = g.apply(h, 1, f"T({x})", 1)
            b = g.apply(own, "d", "I(d)", j)
            unit = g.have(f"{x}[{j},1] = (I(d) @ {x})[{j},1]", lambda g: g.ctx(lambda g: g.nc()))
            g.field((t, 1), (a, 1), (unit, 1), (b, 1))

        return g.have(f"tr(T({x}) @ {y}) = {value}", script)

    ee = product("e", first, "e", first, 1, 1)
    ff = product("f", second, "f", second, 2, 1)
    ef = product("e", second, "f", first, 2, 0)
    g.witness("(1/2)*e", "f", "e", "f")
    size = g.have("tr(T((1/2)*e) @ ((1/2)*e)) = 1/4", lambda g: g.field((ee, "1/4")))
    g.have("0 < 1 - tr(T((1/2)*e) @ ((1/2)*e))", lambda g: g.pos(["3/4"], eqs=[(size, -1)]))

    def slope(g: Goal, text: str, value: str, start: str) -> str:
        def script(g: Goal) -> None:
            g.have(f"0 < 1 - tr(T({start}) @ {start})", lambda g: g.pos(["3/4"], eqs=[(ee, "-1/4")]))
            g.field(rw=[ee, ff, ef])

        return g.have(f"{text} = {value}", script)

    def apart(g: Goal) -> None:
        one = slope(g, f"D(s, {FORM.format(a='((1/2)*e + s*f)', v='e').replace('T(u)', 'T(f)')}, 0)", "2/3", "((1/2)*e + 0*f)")
        two_ = slope(g, f"D(s, {FORM.format(a='((1/2)*e + s*e)', v='f').replace('T(u)', 'T(f)')}, 0)", "0", "((1/2)*e + 0*e)")
        same = g.contra()
        g.pos([], eqs=[(same, "-3/2"), (one, "3/2"), (two_, "-3/2")])

    nested(g, lambda g: (g.rewrite(size), g.auto()), apart)
