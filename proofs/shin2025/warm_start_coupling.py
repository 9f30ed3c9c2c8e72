"""Appendix A.2: the post-training flow is coupled, although all gradients of observed entries are orthogonal at its start."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.graphs import by_values
from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.gradients import decoupled, shallow_inner
from proofs.shin2025.warm_start_flow import PAPER, claim
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

POST = "[[1,1],[0,1]]"
ID = f"{PAPER}.assertion-a2-post-coupled"


def inner(i: str, j: str, x: str, y: str) -> str:
    """The inner product of the gradients of w_ij and w_xy for 2 x 2 factors."""
    return shallow_inner(i, j, x, y).replace("I(d)", "I(2)").replace("1, d,", "1, 2,").replace("1, n,", "1, 2,")


DECOUPLED = decoupled(lambda i, j: f"{POST}[{i},{j}] = 1", inner)
"""Definition 2 for the three observed entries."""

EDGES = [("1", "1"), ("1", "2"), ("2", "2")]


@holds(
    ID,
    claim(f"ncomp(I(2)) = 2 and ncomp({POST}) = 1 and not {DECOUPLED}"),
    argument="sound",
    reading="the pattern becomes connected, and no partition of the three observations has orthogonal gradients across its parts"
    " at all times t >= T_1",
    readings=[("the gradients of two observed entries are not orthogonal at T_1 itself", "refuted", "orthogonal-at-start")],
)
def post_training_is_coupled(g: Goal) -> None:
    """The inner products of (1,1), (1,2) and of (1,2), (2,2) have the derivative w* w12* > 0 at T_1, where they vanish; so
    the three entries are in one part."""
    hs = g.intro()[:5]
    root = g.by_fact("sqrt_sq", "w")

    def coupled(g: Goal) -> None:
        system = g.assume()
        _two, _inside, some, across = g.obtain(system, "K", "part")
        va, vb = g.split(g.apply(hs[4], "0"))
        start = {}
        for m, h in (("A", hs[2]), ("B", hs[3])):
            for i in (1, 2):
                for j in (1, 2):
                    value = "sqrt(w)" if i == j else "0"
                    start[m, i, j] = g.have(f"{m}(0)[{i},{j}] = {value}", lambda g, h=h: (g.rewrite(h), g.field())[-1])
        rates = {}
        for m, h in (("A", va), ("B", vb)):
            for i in (1, 2):
                for j in (1, 2):
                    value = "v*sqrt(w)" if (i, j) == (1, 2) else "0"
                    rates[m, i, j] = g.have(
                        f"{m}'(0)[{i},{j}] = {value}",
                        lambda g, h=h: (g.rewrite(h), g.field(rw=list(start.values())))[-1],
                    )

        def joined(a: tuple[str, str], b: tuple[str, str], body: str, time: str) -> str:
            """Two entries whose inner product is positive at some time after T_1 are in one part."""
            d = g.differentiate("t", body, "0")
            g.have(
                f"0 < D(t, {body}, 0)",
                lambda g: (g.rewrite(d), g.pos(["w", "v"], eqs=[(root, "v")], rw=[*rates.values(), *start.values()]))[-1],
            )
            h = g.obtain(g.by_fact("derivative_sign_right", "0", f"lam t:R. {body}"), time)
            k = g.apply(h[1], time)
            zero = g.have(body.replace("(t)", "(0)") + " = 0", lambda g: g.field(rw=list(start.values())))

            def same(g: Goal) -> None:
                apart = g.contra()
                edge: Script = lambda g: g.compute()  # noqa: E731
                z = g.apply(across, *a, *b, time, by=[lambda g: g.conj(edge, edge, lambda g: g.close_by(apart)), None])
                g.pos(["@" + k], eqs=[(z, -1), (zero, 1)])

            return g.have(f"part({a[0]},{a[1]}) = part({b[0]},{b[1]})", same)

        one = joined(EDGES[0], EDGES[1], "B(t)[1,1]*B(t)[1,2] + B(t)[2,1]*B(t)[2,2]", "x")
        two = joined(EDGES[1], EDGES[2], "A(t)[1,1]*A(t)[2,1] + A(t)[1,2]*A(t)[2,2]", "y")
        outside = g.fact("entry_outside", "2", "2", POST)

        def member(k: int) -> str:
            """Part k has a member, which is one of the three entries."""

            def script(g: Goal) -> None:
                edge, number = g.obtain(g.apply(some, str(k)), "i", "j")

                def apart(g: Goal) -> None:
                    z = g.apply(outside, "i", "j")
                    g.contra()
                    g.pos([], eqs=[(edge, 1), (z, -1)])

                def at(g: Goal, i: int, ei: str, j: int, ej: str) -> None:
                    if (i, j) == (2, 1):
                        g.contra()
                        e = g.rewritten(g.rewritten(edge, ei), ej)
                        g.pos([], eqs=[(e, 1)])
                    else:
                        n = g.rewritten(g.rewritten(number, ei), ej)
                        g.field((n, 1), *{(1, 1): [(one, -1)], (1, 2): [], (2, 2): [(two, 1)]}[i, j])

                def within(g: Goal) -> None:
                    g.split(last(g))
                    by_values(
                        g,
                        "i",
                        1,
                        2,
                        lambda g, i: (ei := last(g), by_values(g, "j", 1, 2, lambda g, j: at(g, i, ei, j, last(g))))[-1],
                    )

                g.em("i < 1 or 2 < i or j < 1 or 2 < j", apart, within)

            return g.have(f"part(1,2) = {k}", script)

        first, second = member(1), member(2)
        g.pos([], eqs=[(first, -1), (second, 1)])

    g.conj(lambda g: g.compute(), lambda g: g.compute(), coupled)


@part(
    ID,
    "orthogonal-at-start",
    claim(
        f"all i j x y:Z. {POST}[i,j] = 1 and {POST}[x,y] = 1 => i != x or j != y => {inner('i', 'j', 'x', 'y').replace('(t)', '(0)')} = 0"
    ),
    says="At T_1 all gradients of different observed entries are orthogonal: the coupling shows only afterwards.",
)
def gradients_are_orthogonal_at_the_start(g: Goal) -> None:
    """Both factors are multiples of the identity."""
    hs = g.intro()
    start = []
    for m, h in (("A", hs[2]), ("B", hs[3])):
        for i in (1, 2):
            for j in (1, 2):
                value = "sqrt(w)" if i == j else "0"
                start.append(g.have(f"{m}(0)[{i},{j}] = {value}", lambda g, h=h: (g.rewrite(h), g.field())[-1]))
    outside = g.fact("entry_outside", "2", "2", POST)

    Place = tuple[int, int, str, str]

    def place(g: Goal, i: str, j: str, edge: str, script: Callable[[Goal, Place], None]) -> None:
        """An observed entry is (1,1), (1,2) or (2,2)."""

        def apart(g: Goal) -> None:
            z = g.apply(outside, i, j)
            g.contra()
            g.pos([], eqs=[(edge, 1), (z, -1)])

        def equal(g: Goal, u: int, ei: str, v: int, ej: str) -> None:
            g.rewrite(ei)
            g.rewrite(ej)
            script(g, (u, v, ei, ej))

        def within(g: Goal) -> None:
            g.split(last(g))
            by_values(g, i, 1, 2, lambda g, u: column(g, u, last(g)))

        def column(g: Goal, u: int, ei: str) -> None:
            by_values(g, j, 1, 2, lambda g, v: equal(g, u, ei, v, last(g)))

        g.em(f"{i} < 1 or 2 < {i} or {j} < 1 or 2 < {j}", apart, within)

    def value(g: Goal, a: Place, b: Place) -> None:
        if a[:2] != b[:2]:
            g.field(rw=start)
            return

        def same(x: str, y: str, ex: str, ey: str) -> Script:
            return lambda g: (
                ne := last(g),
                eq := g.have(f"{x} = {y}", lambda g: g.field((ex, 1), (ey, -1))),
                g.contra(),
                g.clash(eq, ne),
            )[-1]

        g.cases(hs[7], same("i", "x", a[2], b[2]), same("j", "y", a[3], b[3]))

    place(g, "i", "j", hs[5], lambda g, a: place(g, "x", "y", hs[6], lambda g, b: value(g, a, b)))
