"""Appendix E.2, the cold start: the smaller the start, the closer the limit is to rank one."""

from __future__ import annotations

from proofs.shin2025.cold_start_reduction import CLAIM
from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.entries_of_2x2 import at_each_entry
from proofs.shin2025.warm_start_flow import FLOW
from proofs.shin2025.warm_start_symmetry import entry_rates
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

START = "((al - al/m)*I(2) + (al/m)*J(2))"
FUNCTIONS = {
    "u": "A(t)[1,1] + A(t)[1,2]",
    "x": "A(t)[2,1] + A(t)[2,2]",
    "y": "A(t)[2,2] - A(t)[2,1]",
    "z": "A(t)[1,1] - A(t)[1,2]",
}
GROWTH, SIZE = "exp(4*v/k)", "(2*v + 32*v^2/w)^2"


@holds(
    CLAIM,
    f"""all w v m:R. 0 < w => 10*w <= v => 1 < m => all e:R. 0 < e => ex s:R. 0 < s and all al:R, A B:R~>M(2,2). 0 < al => al <= s =>
        A(0) = {START} => B(0) = {START} => {FLOW} =>
        ex X:M(2,2). tends(t, A(t) @ B(t), X) and X[1,1] = w and X[1,2] = v and X[2,2] = w and sv(X,2) <= e""",
    context="w11* = w22* = w, w12* = v, as in Appendix E.2 [Appendix E.2]; gradient flow (3) [(3)]",
    reading="it can happen: for all observed values with w12* >= 10 w11* (and any finite m) the flow from (7) converges to a completion"
    " whose second singular value is as small as one likes if the scale alpha is small enough; the first one is at least w12*",
    readings=[("for all observed values", "open", None)],
)
def small_cold_starts_end_near_rank_one(g: Goal) -> None:
    """By symmetry B is the mirror image of A, and four functions carry the flow. u grows from the scale alpha to sqrt(w*) while y^2
    stays below alpha u; from then on the loss decays exponentially at a rate that does not depend on alpha, so that y/u stays of the
    order sqrt(alpha). The determinant of the limit is of the order alpha, and sigma_1 >= w12*/2."""
    g.fix()
    for name in ("wpos", "ratio", "mpos"):
        g.assume(name)
    g.fix("e")
    g.assume("epos")
    g.have("0 < v", lambda g: g.pos(["@ratio"], ["10*w"]))
    g.have("0 < m")
    root = g.fact("sqrt_sq", "w")
    root = g.apply(root)
    g.obtain(g.have("ex h:R. 0 < h and h^2 = w", lambda g: side_length(g, root)), "h", split=False, name="hh")
    g.split("hh", "hpos", "square")
    g.obtain(g.have("ex k:R. 0 < k and k*(512*v^2 + 8*w^2) = w^3", rate), "k", split=False, name="kk")
    g.split("kk", "kpos", "rate")
    bounds = ["h/4", f"h/(2*{GROWTH})", f"e*v*h/(8*{GROWTH}*{SIZE})"]
    s = f"min({bounds[0]}, min({bounds[1]}, {bounds[2]}))"
    inner = f"min({bounds[1]}, {bounds[2]})"
    for b in bounds:
        g.have(f"0 < {b}")
    low = [
        g.have(f"{inner} <= {bounds[1]}", lambda g: smaller(g, bounds[1], bounds[2])),
        g.have(f"{inner} <= {bounds[2]}", lambda g: smaller(g, bounds[1], bounds[2])),
        g.have(f"{s} <= {bounds[0]}", lambda g: smaller(g, bounds[0], inner)),
        g.have(f"{s} <= {inner}", lambda g: smaller(g, bounds[0], inner)),
    ]
    g.witness(s)

    def all_starts(g: Goal) -> None:
        g.fix("al", "A", "B")
        for name in ("alpos", "al_small", "a_start", "b_start", "flow"):
            g.assume(name)
        small = [
            g.have(f"al <= {bounds[0]}", lambda g: g.pos(["@al_small"], [f"@{low[2]}"])),
            g.have(f"al <= {bounds[1]}", lambda g: g.pos(["@al_small"], [f"@{low[3]}"], [f"@{low[0]}"])),
            g.have(f"al <= {bounds[2]}", lambda g: g.pos(["@al_small"], [f"@{low[3]}"], [f"@{low[1]}"])),
        ]
        sums = g.have("ex a b:R. a = al + al/m and b = al - al/m", lambda g: (g.witness("al + al/m", "al - al/m"), g.auto())[-1])
        g.obtain(sums, "a", "b", split=False, name="ab")
        g.split("ab", "a_is", "b_is")
        g.have("0 < b", lambda g: g.pos(["al", "@mpos"], mul=["m"], eqs=[("b_is", "m")]))
        g.have("b < a", lambda g: g.pos(["2*al/m"], eqs=[("a_is", 1), ("b_is", -1)]))
        twice = g.have("a <= 2*al", lambda g: g.pos(["al", "@mpos"], mul=["m"], eqs=[("a_is", "-m")]))
        entries = start_entries(g)
        mirrored = g.lemma(
            CLAIM,
            "part:mirrored",
            "w",
            "v",
            "A",
            "B",
            by=[by_flow, *[lambda g, c=c: paired(g, entries, *c) for c in CORNERS]],  # type: ignore[misc]
        )

        def turned(g: Goal, t: str) -> list[str]:
            hs = g.split(g.apply(mirrored, t))
            names = [(2, 2, 1, 1), (1, 2, 1, 2), (2, 1, 2, 1), (1, 1, 2, 2)]
            return [
                g.have(f"B({t})[{i},{j}] = A({t})[{p},{q}]", lambda g, h=h: g.field((h, -1)))  # type: ignore[misc]
                for h, (i, j, p, q) in zip(hs, names, strict=True)
            ]

        def rates(g: Goal) -> None:
            g.fix("t")
            g.assume()
            e = entry_rates(g, "flow", "t")
            b = turned(g, "t")
            g.conj(*[lambda g: g.field(rw=e + b)] * 4)

        def at_start(which: str, sign: int) -> Script:
            def script(g: Goal) -> None:
                one, two = (entries["A", 1, 1], entries["A", 1, 2]) if which in "uz" else (entries["A", 2, 2], entries["A", 2, 1])
                g.field((one, 1), (two, sign), ("a_is" if sign == 1 else "b_is", -1))

            return script

        functions = [f"lam t:R. {FUNCTIONS[n]}" for n in "uxyz"]
        premises: list[Script | None] = [
            lambda g: g.close_by("wpos"),
            lambda g: g.close_by("ratio"),
            None,
            None,
            at_start("u", 1),
            at_start("x", 1),
            at_start("y", -1),
            at_start("z", -1),
            rates,
        ]
        k = g.lemma(CLAIM, "part:limit", "w", "v", "a", "b", *functions, by=premises)
        k = g.apply(
            k,
            "h",
            "k",
            by=[
                None,
                None,
                None,
                None,
                lambda g: g.pos(["2*h", f"@{twice}"], ["4*h", f"@{small[0]}"], eqs=[("square", -1)]),
                lambda g: g.pos([f"@{twice}"], ["2", f"@{small[0]}"], ["h/2"]),
                lambda g: g.pos([f"@{twice}", GROWTH], ["2", f"@{small[1]}", GROWTH]),
            ],
        )
        g.obtain(k, "l", split=False, name="lim")
        w11, w12, w21, nonneg, det = g.split("lim")
        g.witness("[[w, v], [l, w]]")

        def converges(g: Goal) -> None:
            _, back = g.split(g.fact("tends_matrix", "2", "2", "[[w, v], [l, w]]", "lam t:R. A(t) @ B(t)"))

            def entry(g: Goal) -> None:
                g.fix("i", "j")
                g.split(g.assume())

                def value(g: Goal, i: int, j: int) -> None:
                    known_limit, target = {(1, 1): (w11, "w"), (1, 2): (w12, "v"), (2, 1): (w21, "l"), (2, 2): (w11, "w")}[i, j]
                    body = g.hyp_formula(known_limit)[2]

                    def same(g: Goal) -> None:
                        g.fix("t")
                        g.assume()
                        g.field(rw=turned(g, "t"))

                    m = g.by_fact(
                        "tends_ext",
                        "0",
                        target,
                        ("lam", (("t", "R"),), body),
                        f"lam t:R. (A(t) @ B(t))[{i},{j}]",
                        by=[same, lambda g: g.close_by(known_limit)],
                    )
                    g.exact(m, by=[lambda g: g.field()])

                at_each_entry(g, value)

            g.close_by(g.apply(back, by=[entry]))

        def second(g: Goal) -> None:
            prod_, total = g.split(g.fact("sv_2x2", "[[w, v], [l, w]]"))
            value = g.have("det([[w, v], [l, w]]) = w^2 - v*l", lambda g: g.field())
            norm = g.have("tr(T([[w, v], [l, w]]) @ [[w, v], [l, w]]) = 2*w^2 + v^2 + l^2", lambda g: g.field())
            size = g.fact("abs_cases", "w^2 - v*l")
            one, two = "sv([[w, v], [l, w]],1)", "sv([[w, v], [l, w]],2)"
            ranges = g.fact("sv_range", "2", "2", "[[w, v], [l, w]]")
            a = g.split(g.apply(ranges, "1", "2"))
            g.split(g.apply(ranges, "2", "2"))
            order = g.apply(a[1])
            absolute = g.have("abs(w^2 - v*l) = w^2 - v*l", lambda g: g.cases(size, plain, impossible))
            same = g.have("abs(det([[w, v], [l, w]])) = w^2 - v*l", lambda g: (g.rewrite(value), g.close_by(absolute))[-1])
            bound = g.have("w^2 - v*l <= e*v/2", lambda g: determinant(g, det, twice, small[2]))

            def large(g: Goal) -> None:
                n = g.contra()
                g.pos(
                    [f"@{n}", f"v/2 + {one}"],
                    [f"@{n}", f"v/2 + {one}"],
                    [f"@{order}", f"{one} + {two}"],
                    ["2*w^2"],
                    ["l^2"],
                    ["v^2/2"],
                    eqs=[(total, 1), (norm, 1)],
                )

            big = g.have(f"v/2 <= {one}", large)
            n = g.contra()
            g.pos([f"@{n}", f"@{big}"], [f"@{n}", "v/2"], ["e", f"@{big}"], [f"@{bound}"], eqs=[(prod_, -1), (same, -1)])

        def plain(g: Goal) -> None:
            g.close_by(g.split(last(g))[1])

        def impossible(g: Goal) -> None:
            below, _ = g.split(last(g))
            g.contra()
            g.pos([f"@{below}"], [f"@{nonneg}"])

        g.conj(converges, lambda g: g.field(), lambda g: g.field(), lambda g: g.field(), second)

    g.conj(None, all_starts)


CORNERS = [(1, 1, 2, 2), (1, 2, 1, 2), (2, 1, 2, 1), (2, 2, 1, 1)]


def side_length(g: Goal, root: str) -> None:
    """sqrt(w) > 0."""
    g.witness("sqrt(w)")
    g.conj(None, lambda g: g.close_by(root))


def rate(g: Goal) -> None:
    """The rate of decay."""
    g.witness("w^3/(512*v^2 + 8*w^2)")
    g.conj(None, lambda g: g.field())


def smaller(g: Goal, p: str, q: str) -> None:
    """min(p, q) is at most p, or q."""

    def case(g: Goal) -> None:
        order, value = g.split(last(g))
        f = g.hyp_formula(value)
        target = g.concl[2]
        if f[2] == target:
            g.pos(eqs=[(value, -1)])
        else:
            g.pos([f"@{order}"], eqs=[(value, -1)])

    g.cases(g.fact("min_cases", p, q), case, case)


def start_entries(g: Goal) -> dict[tuple[str, int, int], str]:
    """The entries of the start."""
    out = {}
    for name, h in (("A", "a_start"), ("B", "b_start")):
        for i in (1, 2):
            for j in (1, 2):
                value = "al" if i == j else "al/m"
                out[name, i, j] = g.have(f"{name}(0)[{i},{j}] = {value}", lambda g, h=h: (g.rewrite(h), g.field())[-1])  # type: ignore[misc]
    return out


def by_flow(g: Goal) -> None:
    """The flow as the premise of a lemma."""
    (x,) = g.fix("x")
    g.assume()
    a, b = g.split_all(g.apply("flow", x))
    g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))


def paired(g: Goal, entries: dict[tuple[str, int, int], str], i: int, j: int, p: int, q: int) -> None:
    """A(0)[i,j] = B(0)[p,q]."""
    g.field((entries["A", i, j], 1), (entries["B", p, q], -1))


def determinant(g: Goal, det: str, twice: str, small: str) -> None:
    """The bound of the determinant is at most e v/2 for a small start."""
    top = f"{GROWTH}*{SIZE}"
    a = g.have(f"a*{top} <= e*v*h/4", lambda g: g.pos([f"@{twice}", top], ["2", f"@{small}", top]))
    g.pos([f"@{det}"], [f"@{a}", "1/h"], ["e*v/4"])
