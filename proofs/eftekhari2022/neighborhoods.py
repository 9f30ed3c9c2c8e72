"""Section 4: the set (36) is no neighborhood of Z_1 among all matrices, only among those of rank one."""

from __future__ import annotations

from proofs.eftekhari2022.rank_one_numbers import GAMMA, TOP, numbers
from proofs.eftekhari2022.remarks_on_rates import GAPPED, size
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import amendment, refuted

MEMBER = f"""(rank(W) = 1 and all s:R, u:V(y), v:V(x). 0 < s => W = s*(u @ T(v)) => T(u) @ u = I(1) => T(v) @ v = I(1) =>
       (w - {GAMMA})*{TOP} < s and s < b*{TOP} and w*{TOP} < tr(T(u) @ Z1 @ v))"""


def near(hypothesis: str) -> str:
    """All W near Z_1 (of rank one) are in the set."""
    return f"""{GAPPED} all w b:R. {GAMMA} <= w => w < 1 => 1 < b => ex e:R. 0 < e and all W:M(y,x). {hypothesis}{size("W - Z1")} < e^2 => {MEMBER}"""


@refuted(
    "eftekhari2022.assertion-n-neighborhood",
    near(""),
    argument="fails",
    reading="w stands for alpha; every matrix of R^(d_y x d_x) near Z_1 is in the set (36)",
    reason="the members have rank one: Z = Z_1 = diag(1, 0) and W = diag(1, d) with a small d > 0, of rank two. It is a neighborhood among the matrices of rank one",
)
def members_have_rank_one(g: Goal) -> None:
    """diag(1, d)."""
    z, e1 = "[[1,0],[0,0]]", "[[1],[0]]"
    both = g.split(g.fact("sv_2x2", z))
    order = g.fact("sv_range", 2, 2, z)
    two = g.split(g.apply(order, 2, 2))[0]
    mono = g.apply(g.split(g.apply(order, 1, 2))[1])
    det = g.have(f"det({z}) = 0", lambda g: g.field())
    flat = g.have("abs(0) = 0", lambda g: g.field())
    norm = g.have(f"tr(T({z}) @ {z}) = 1", lambda g: g.field())
    zero = g.have(f"abs(det({z})) = 0", lambda g: (g.rewrite(det), g.close_by(flat))[-1])
    s1, s2 = f"sv({z},1)", f"sv({z},2)"
    nonneg = g.split(g.apply(order, 1, 1))[0]

    def second(g: Goal) -> None:
        k = g.by_fact("product_zero", s1, s2, by=[lambda g: g.field((both[0], 1), (zero, 1))])

        def first_zero(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.antisym(lambda g: g.pos([f"@{mono}"], eqs=[(eq, -1)]), using(two))

        g.cases(k, first_zero, lambda g: g.close_by(next(reversed(g.seq.hyps))))

    low = g.have(f"{s2} = 0", second)

    def first(g: Goal) -> None:
        k = g.by_fact("product_zero", f"{s1} - 1", f"{s1} + 1", by=[lambda g: g.field((both[1], 1), (norm, 1), (low, f"-{s2}"))])

        def negative(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.contra()
            g.pos([f"@{nonneg}"], ["1"], eqs=[(eq, -1)])

        g.cases(k, lambda g: g.field((next(reversed(g.seq.hyps)), 1)), negative)

    high = g.have(f"{s1} = 1", first)
    g.witness("2", "2", z, z, e1, e1)

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "ex" and len(c[1]) == 2:
            g.witness("1/2", "2")
            close(g)
        elif c[0] == "all":
            g.fix("e")
            every(g)
        elif "op" in str(c):
            if "<" in str(c[0]):
                g.rewrite(low) if "2]" in str(c) else None
                g.rewrite(high)
                g.auto()
            else:
                g.rewrite(high)
                g.ext(lambda g: g.field())
        elif c[0] == "=":
            g.ext(lambda g: g.field())
        else:
            g.auto()

    def every(g: Goal) -> None:
        def positive(g: Goal) -> None:
            e = next(reversed(g.seq.hyps))
            g.left_or_right(1)
            moved = "[[1,0],[0,e/2]]"
            g.witness(moved)
            value = g.have(f"{size(f'{moved} - {z}')} = e^2/4", lambda g: g.field())
            regular = g.have(f"det({moved}) = e/2", lambda g: g.field())

            def rank(g: Goal) -> None:
                nonzero = g.have(f"det({moved}) != 0", lambda g: nonzero_value(g, regular, e))
                full = g.apply(g.split(g.by_fact("rank_full", 2, moved))[1], by=[using(nonzero)])
                g.left_or_right(0)
                eq = g.contra()
                g.pos(["1"], eqs=[(eq, -1), (full, 1)])

            g.conj(lambda g: g.pos(["3/4", f"@{e}", "e"], eqs=[(value, -1)]), rank)

        g.em("0 < e", positive, lambda g: (g.left_or_right(0), g.close_by(next(reversed(g.seq.hyps))))[-1])

    close(g)


def nonzero_value(g: Goal, regular: str, e: str) -> None:
    """e/2 is not 0."""
    eq = g.contra()
    g.pos([f"@{e}", "1/2"], eqs=[(regular, 1), (eq, -1)])


@amendment(
    "eftekhari2022.assertion-n-neighborhood",
    near("rank(W) = 1 => "),
    says="The set is a neighborhood of Z_1 among the matrices of rank one.",
    uses=["eftekhari2022.eq-169-identity"],
)
def neighborhood_among_rank_one(g: Goal) -> None:
    """With d = |W - Z_1| < s_Z/2 min(1 - alpha, beta - 1): (s - c)^2 + s_Z^2 - c^2 < d^2 for c = u^T Z_1 v, so that |s - c| and s_Z - c are small."""
    g.fix()
    names = [g.assume() for _ in range(7)]
    g.fix("w", "b")
    gap, one, large = (g.assume() for _ in range(3))

    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have(f"0 <= {GAMMA}")
    room = g.have(
        f"0 < {TOP}*(1 - w)/2 and 0 < {TOP}*(b - 1)",
        lambda g: g.conj(lambda g: g.pos([TOP, f"@{one}", "1/2"]), lambda g: g.pos([TOP, f"@{large}"])),
    )
    first, second = g.split(room)
    order_ = g.fact("total", f"{TOP}*(1 - w)/2", f"{TOP}*(b - 1)")

    def choose(g: Goal) -> None:
        g.cases(
            order_,
            lambda g: (g.witness(f"{TOP}*(1 - w)/2"), g.conj(using(first), None, using(next(reversed(g.seq.hyps)))))[-1],
            lambda g: (g.witness(f"{TOP}*(b - 1)"), g.conj(using(second), using(next(reversed(g.seq.hyps))), None))[-1],
        )

    some = g.have(f"ex e:R. 0 < e and e <= {TOP}*(1 - w)/2 and e <= {TOP}*(b - 1)", choose)
    e, narrow, below = g.obtain(some, "e")
    g.witness("e")
    g.have("0 <= w", lambda g: g.pos([f"@{gap}"], [GAMMA]))

    def each(g: Goal) -> None:
        g.fix("W")
        rank, close = g.assume(), g.assume()

        def inside(g: Goal) -> None:
            g.fix("s", "u", "v")
            s_pos, product, uu, vv = (g.assume() for _ in range(4))
            known = numbers(g, [*names, s_pos, uu, vv])
            value = known[7]
            c = "tr(T(u) @ Z1 @ v)"
            d = g.have(f"{size('W - Z1')} = s^2 - 2*s*{c} + {TOP}^2", lambda g: (g.rewrite(product), g.field((value, 2)))[-1])
            small = g.have(f"(s - {c})^2 + {TOP}^2 - {c}^2 < e^2", lambda g: g.pos([f"@{close}"], eqs=[(d, 1)]))
            half = g.have(f"e < {TOP}", lambda g: g.pos([f"@{narrow}"], [TOP, "1/2"], [TOP, "w", "1/2"]))

            def up(g: Goal) -> None:
                low = g.contra()

                def nonneg_c(g: Goal) -> None:
                    h = next(reversed(g.seq.hyps))
                    wide = g.have(f"0 <= {TOP} - e + {c}", lambda g: g.pos([f"@{half}"], [f"@{h}"]))
                    g.pos([f"@{small}"], [f"@{low}", f"@{wide}"], [f"(s - {c})^2"], ["2", f"@{e}", f"@{half}"])

                def neg_c(g: Goal) -> None:
                    h = next(reversed(g.seq.hyps))
                    g.pos([f"@{small}"], ["s^2"], ["2", "s", f"@{h}"], [f"@{half}", f"{TOP} + e"])

                g.em(f"0 <= {c}", nonneg_c, neg_c)

            high = g.have(f"{TOP} - e < {c}", up)
            cap = g.have(f"{c} <= {TOP}", lambda g: capped(g, known))

            def apart(g: Goal, sign: str) -> None:
                low = g.contra()
                wide = g.have(f"0 <= e + {sign}", lambda g: g.pos([f"@{low}"], ["2", f"@{e}"]))
                g.pos([f"@{small}"], [f"@{low}", f"@{wide}"], [f"@{cap}", f"{TOP} + {c}"])

            g.have(f"0 <= {c}", lambda g: g.pos([f"@{high}"], [f"@{half}"]))
            under = g.have(f"{c} - s < e", lambda g: apart(g, f"({c} - s)"))
            over = g.have(f"s - {c} < e", lambda g: apart(g, f"(s - {c})"))
            g.conj(
                lambda g: g.pos([f"@{high}"], [f"@{under}"], ["2", f"@{narrow}"], [GAMMA, TOP]),
                lambda g: g.pos([f"@{over}"], [f"@{cap}"], [f"@{below}"]),
                lambda g: g.pos([f"@{high}"], [f"@{narrow}"], [TOP, f"@{one}", "1/2"]),
            )

        g.conj(using(rank), inside)

    g.conj(using(e), each)


def capped(g: Goal, known: list[str]) -> None:
    """u^T Z_1 v = s_Z a b <= s_Z."""
    form, a, b = known[:3]
    x, y = "tr(T(uZ) @ u)", "tr(T(vZ) @ v)"
    g.pos([TOP, "1/2", f"@{a}"], [TOP, "1/2", f"@{b}"], [TOP, "1/2", f"({x} - {y})^2"], eqs=[(form, -1)])
