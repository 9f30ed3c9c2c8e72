"""Lemma 13, second half: two values for each factor, all layers equal, products as powers."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last, moves
from proofs.shin2025.diagonal_flow import CONTEXT, in_setting
from proofs.shin2025.two_valued_factors import DECLARED, HYPOTHESES, from_setting, setting
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


def inside(g: Goal) -> None:
    """The indices 1 and 2 lie inside a matrix of order d >= 2."""
    for f in ("1 <= 1", "1 <= 2", "1 <= d", "1 != 2", "2 != 1"):
        g.have(f)


def with_two_values(g: Goal, entries: str, layer: str = "1") -> str:
    """W(layer,t) = (X - Y) I + Y J with new variables X and Y, as `entries` says by those of the factor."""
    factor = f"W({layer},t)"

    def exists(g: Goal) -> None:
        g.witness(f"{factor}[1,1]", f"{factor}[1,2]")
        g.close_by(entries)

    return g.obtain(g.have(f"ex X Y:R. {factor} = (X - Y)*I(d) + Y*J(d)", exists), "X", "Y")[0]


LAYER = "1 <= l and l <= L"


@part(
    "shin2025.lemma-13",
    "two-valued",
    f"""{DECLARED} {HYPOTHESES} => all l:Z, t:R. {LAYER} => 0 <= t =>
        W(l,t) = (W(l,t)[1,1] - W(l,t)[1,2])*I(d) + W(l,t)[1,2]*J(d)""",
)
def each_factor_has_two_values(g: Goal) -> None:
    """Exchanges carry every diagonal entry to the first, and every other entry to the one in row 1 and column 2."""
    setting(g)
    g.intro()
    swap = from_setting(g, "exchange")

    def use(g: Goal, i: str, j: str) -> list[str]:
        return g.split(g.apply(swap, i, j, "l", "t"))

    def beyond(g: Goal) -> None:
        g.have("1 != b")
        g.have("1 != 2")
        h = use(g, "b", "2")[2]
        g.close_by(g.split(g.apply(h, "1"))[0])

    first = g.have(
        "all b:Z. 1 <= b and b <= d and b != 1 => W(l,t)[1,b] = W(l,t)[1,2]",
        lambda g: (g.intro(), g.em("b = 2", lambda g: (g.replace("b", "2"), g.refl())[-1], beyond))[-1],
    )

    def off_diagonal(g: Goal) -> None:
        g.intro()
        g.em("b = 1", in_first_column, elsewhere)

    def in_first_column(g: Goal) -> None:
        g.have("a != 1", lambda g: (g.contra(), e := g.have("a = b"), g.clash(e, "ne"))[-1])
        h = use(g, "a", "1")[1]
        k = g.apply(first, "a")
        g.replace("b", "1")
        g.field((h, 1), (k, 1))

    def elsewhere(g: Goal) -> None:
        k = g.apply(first, "b")
        g.em(
            "a = 1",
            lambda g: (g.replace("a", "1"), g.close_by(k))[-1],
            lambda g: (
                h := g.apply(
                    use(g, "a", "1")[2],
                    "b",
                    by=[lambda g: g.conj(None, None, lambda g: (g.contra(), r := g.have("a = b"), g.clash(r, "ne"))[-1], None)],
                ),
                x := g.split(h)[1],
                g.field((x, 1), (k, 1)),
            )[-1],
        )

    off = g.have(
        "all a b:Z. 1 <= a and a <= d and 1 <= b and b <= d => a != b => W(l,t)[a,b] = W(l,t)[1,2]",
        lambda g: (g.fix("a", "b"), g.split_all(g.assume()), g.assume("ne"), g.em("b = 1", in_first_column, elsewhere))[-1],
    )
    inside(g)
    g.extn("a", "b")

    def diagonal(g: Goal) -> None:
        g.replace("a", "b")
        g.em("b = 1", lambda g: (g.replace("b", "1"), g.field())[-1], lambda g: (h := use(g, "b", "1")[0], g.field((h, 1)))[-1])

    def other(g: Goal) -> None:
        h = g.apply(off, "a", "b")
        g.have("b != a")
        g.field((h, 1))

    g.em("a = b", diagonal, other)


@part(
    "shin2025.lemma-13",
    "span",
    f"""{DECLARED} {HYPOTHESES} => all t:R. 0 <= t => (all n:Z. 0 <= n => n <= L => ex u v:R. P(n,t) = u*I(d) + v*J(d))
        and (all n:Z. 0 <= n => n <= L => ex u v:R. Q(L - n,t) = u*I(d) + v*J(d))""",
)
def products_lie_in_the_span(g: Goal) -> None:
    """The span of I and J is closed under products."""
    setting(g)
    g.intro()
    p0, ps, q0, qs = g.split_all("prods")
    two = from_setting(g, "two-valued")

    def by_factors(unit: str, law: str, at: str, layer: str, left: bool) -> Script:
        """Induction over n: one more factor W(layer,t), on the left or on the right, by the law at an index."""
        factor, span = f"W({layer},t)", "u*I(d) + v*J(d)"

        def empty(g: Goal) -> None:
            g.witness("1", "0")
            h = g.apply(unit, "t")
            g.replace("n", "0")
            g.nc((h, 1, None, None))

        def step(g: Goal) -> None:
            h = g.obtain(g.apply("ih", "n - 1"), "u", "v")[0]
            w = g.apply(two, layer, "t")
            p = g.apply(law, at, "t")
            x, y = f"({factor}[1,1] - {factor}[1,2])", f"{factor}[1,2]"
            g.witness(f"{x}*u", f"{x}*v + {y}*u + d*{y}*v")
            if left:
                g.nc((p, 1, None, None), (h, 1, factor, None), (w, 1, None, span))
            else:
                g.nc((p, 1, None, None), (h, 1, None, factor), (w, 1, span, None))

        def script(g: Goal) -> None:
            g.induct("n", "ih")
            g.assume()
            by_last(g, empty, step)

        return script

    g.conj(by_factors(p0, ps, "n - 1", "n", True), by_factors(q0, qs, "L - n", "L - n + 1", False))


@part(
    "shin2025.lemma-13",
    "residual",
    f"{DECLARED} {HYPOTHESES} => all t:R. 0 <= t => had(I(d), P(L,t) - ws*I(d)) = (P(L,t)[1,1] - ws)*I(d)",
)
def the_residual_is_a_multiple_of_the_identity(g: Goal) -> None:
    """The product lies in the span, so its diagonal entries agree."""
    setting(g)
    g.intro()
    right = g.split(from_setting(g, "span") and g.apply(from_setting(g, "span"), "t"))[0]
    h = g.obtain(g.apply(right, "L"), "u", "v")[0]
    g.rewrite(h)
    inside(g)
    g.extn("a", "b")
    g.em("a = b", lambda g: (g.replace("a", "b"), g.field())[-1], lambda g: (g.have("b != a"), g.field())[-1])


@part(
    "shin2025.lemma-13",
    "neighbours",
    f"{DECLARED} {HYPOTHESES} => all l:Z. 1 <= l => l + 1 <= L => all t:R. 0 <= t => W(l+1,t) = W(l,t)",
)
def neighbouring_layers_are_equal(g: Goal) -> None:
    """With commuting factors the difference D of the layers obeys D' = r Q(l+1) P(l-1) D."""
    setting(g)
    g.fix()
    g.assume()
    g.assume()
    two = from_setting(g, "two-valued")
    span = from_setting(g, "span")
    res = from_setting(g, "residual")
    _, ps, _, qs = g.split_all("prods")

    def rate(g: Goal) -> None:
        g.intro()
        right, left = g.split(g.apply(span, "t"))
        b = g.obtain(g.apply(right, "l - 1"), "u", "v")[0]
        a = g.apply(left, "L - l - 1")
        a = g.obtain(a, "m", "n")[0]
        a = g.have("Q(l+1,t) = m*I(d) + n*J(d)", lambda g: g.exact(a))
        v1 = g.apply("move", "l", "t")
        v2 = g.apply("move", "l + 1", "t")
        r = g.apply(res, "t")
        w1 = g.apply(two, "l", "t")
        w2 = g.apply(two, "l + 1", "t")
        p = g.apply(ps, "l - 1", "t")
        p = g.have("P(l,t) = W(l,t) @ P(l-1,t)", lambda g: g.exact(p))
        q = g.apply(qs, "l", "t")
        v2 = g.have("W'(l+1,t) = -(T(Q(l+1,t)) @ had(I(d), P(L,t) - ws*I(d)) @ T(P(l,t)))", lambda g: g.exact(v2))
        x = g.obtain(
            g.have(
                "ex X Y:R. W(l,t) = (X - Y)*I(d) + Y*J(d)",
                lambda g: (g.witness("W(l,t)[1,1]", "W(l,t)[1,2]"), g.close_by(w1))[-1],
            ),
            "X",
            "Y",
        )[0]
        y = g.obtain(
            g.have(
                "ex Z V:R. W(l+1,t) = (Z - V)*I(d) + V*J(d)",
                lambda g: (g.witness("W(l+1,t)[1,1]", "W(l+1,t)[1,2]"), g.close_by(w2))[-1],
            ),
            "Z",
            "V",
        )[0]
        de = g.differentiate("s", "W(l+1,s) - W(l,s)", "t")
        g.rewrite(de)
        g.rewrite(v1)
        g.rewrite(v2)
        g.rewrite(r)
        g.nc(rw=[q, p, x, y, a, b])

    def start(g: Goal) -> None:
        a = g.apply("start", "l")
        b = g.apply("start", "l + 1")
        g.nc((b, 1, None, None), (a, -1, None, None))

    h = g.by_fact(
        "linear_matrix_ode_zero",
        "d",
        "d",
        "lam t:R. W(l+1,t) - W(l,t)",
        "lam t:R. (P(L,t)[1,1] - ws)*(Q(l+1,t) @ P(l-1,t))",
        "lam t:R. O(d,d)",
        by=[None, rate, start],
    )
    g.intro()
    k = g.apply(h, "t")
    g.nc((k, 1, None, None))


@part(
    "shin2025.lemma-13",
    "equal-layers",
    f"{DECLARED} {HYPOTHESES} => all l:Z. 1 <= l => l <= L => all t:R. 0 <= t => W(l,t) = W(1,t)",
)
def all_layers_are_equal(g: Goal) -> None:
    """Induction over neighbours."""
    setting(g)
    next_ = from_setting(g, "neighbours")
    g.induct("l", "ih")
    g.intro()

    def step(g: Goal) -> None:
        g.by_fact("int_lt", "1", "l")
        a = g.apply(g.apply("ih", "l - 1"), "t")
        b = g.apply(g.apply(next_, "l - 1"), "t")
        g.replace("W(l,t)", "W(l-1+1,t)", lambda g: g.ctx())
        g.nc((a, 1, None, None), (b, 1, None, None))

    g.cases(g.by_fact("lt_or_eq", "1", "l"), step, lambda g: g.ctx())


@part(
    "shin2025.lemma-13",
    "powers",
    f"""{DECLARED} {HYPOTHESES} => all t:R. 0 <= t => (all n:Z. 0 <= n => n <= L => P(n,t) = W(1,t)^n)
        and (all n:Z. 0 <= n => n <= L => Q(L - n,t) = W(1,t)^n)""",
)
def products_are_powers(g: Goal) -> None:
    """The layers are equal."""
    setting(g)
    g.intro()
    p0, ps, q0, qs = g.split_all("prods")
    same = from_setting(g, "equal-layers")

    def power(g: Goal, factor: str, start: str, step: str, at: str, layer: str) -> None:
        g.induct("n", "ih")
        g.assume()

        def more(g: Goal) -> None:
            h = g.apply("ih", "n - 1")
            w = g.apply(g.apply(same, layer), "t")
            p = g.apply(step, at, "t")
            m = (
                g.by_fact("mpow_add", "d", "n - 1", "1", "W(1,t)")
                if factor == "Q"
                else g.by_fact("mpow_add", "d", "1", "n - 1", "W(1,t)")
            )
            m = g.have(
                "W(1,t)^n = W(1,t)^(n-1) @ W(1,t)" if factor == "Q" else "W(1,t)^n = W(1,t) @ W(1,t)^(n-1)",
                lambda g: (
                    g.replace("W(1,t)^n", f"W(1,t)^({'(n - 1) + 1' if factor == 'Q' else '1 + (n - 1)'})", lambda g: g.ctx()),
                    g.rewrite(m),
                    g.nc(),
                )[-1],
            )
            g.rewrite(m)
            if factor == "Q":
                g.nc((p, 1, None, None), (h, 1, None, "W(L-n+1,t)"), (w, 1, "W(1,t)^(n-1)", None))
            else:
                g.nc((p, 1, None, None), (h, 1, "W(n,t)", None), (w, 1, None, "W(1,t)^(n-1)"))

        def none(g: Goal) -> None:
            h = g.apply(start, "t")
            g.replace("n", "0")
            g.nc((h, 1, None, None))

        by_last(g, none, more)

    g.conj(lambda g: power(g, "P", p0, ps, "n - 1", "n"), lambda g: power(g, "Q", q0, qs, "L - n", "L - n + 1"))


@part(
    "shin2025.lemma-13",
    "velocity",
    f"{DECLARED} {HYPOTHESES} => all l:Z, t:R. {LAYER} => 0 <= t => W'(l,t) = -(P(L,t)[1,1] - ws)*W(l,t)^(L - 1)",
)
def velocity_is_a_power(g: Goal) -> None:
    """Left and right products are powers of the symmetric factor."""
    setting(g)
    g.intro()
    pr, ql = g.split(g.apply(from_setting(g, "powers"), "t"))
    p = g.apply(pr, "l - 1")
    q = g.apply(ql, "L - l")
    q = g.have("Q(l,t) = W(1,t)^(L - l)", lambda g: g.exact(q))
    r = g.apply(from_setting(g, "residual"), "t")
    w = g.apply(g.apply(from_setting(g, "equal-layers"), "l"), "t")
    v = g.apply("move", "l", "t")
    two = g.apply(from_setting(g, "two-valued"), "1", "t")
    span = g.apply(from_setting(g, "span"), "t")
    sp, sq = g.split(span)
    a = g.obtain(g.apply(sp, "l - 1"), "a1", "a2")[0]
    b = g.obtain(g.apply(sq, "L - l"), "b1", "b2")[0]
    b = g.have("Q(l,t) = b1*I(d) + b2*J(d)", lambda g: g.exact(b))
    ta = g.have("T(P(l-1,t)) = P(l-1,t)", lambda g: g.nc(rw=[a]))
    tb = g.have("T(Q(l,t)) = Q(l,t)", lambda g: g.nc(rw=[b]))
    m = g.by_fact("mpow_add", "d", "L - l", "l - 1", "W(1,t)")
    m = g.have("W(1,t)^(L-1) = W(1,t)^(L-l) @ W(1,t)^(l-1)", lambda g: g.exact(m))
    del two
    g.rewrite(v)
    g.rewrite(r)
    g.rewrite(ta)
    g.rewrite(tb)
    g.rewrite(q)
    g.rewrite(p)
    g.rewrite(w)
    g.rewrite(m)
    g.nc()


AT_INITIAL = ["d", "L", "ws", "al - al/m", "al/m", "W", "P", "Q"]


def from_initial(g: Goal) -> None:
    """Fix the variables of the setting of Section F.3 and name its hypotheses."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "al_lo", "m_lo", "prods", "move", "start"):
        g.assume(name)


def at_initial(g: Goal, role: str) -> str:
    """A part of Lemma 13 for the initialisation (7)."""
    return g.lemma("shin2025.lemma-13", f"part:{role}", *AT_INITIAL, by=[None, None, None, moves, None])


@holds(
    "shin2025.lemma-13",
    in_setting(f"""all k l i j a b e f:Z, t:R. 1 <= k and k <= L and {LAYER} => 1 <= i and i <= d and 1 <= j and j <= d =>
        1 <= a and a <= d and 1 <= b and b <= d and a != b => 1 <= e and e <= d and 1 <= f and f <= d and e != f => 0 <= t =>
        W(k,t)[i,i] = W(l,t)[j,j] and W(k,t)[a,b] = W(l,t)[e,f]"""),
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.lemma-9"],
)
def factors_share_two_values(g: Goal) -> None:
    """Two values for each factor and equal layers, by uniqueness of linear differential equations instead of analyticity."""
    from_initial(g)
    g.intro()
    same = at_initial(g, "equal-layers")
    two = at_initial(g, "two-valued")
    w = g.apply(two, "1", "t")
    x = with_two_values(g, w)
    g.rewrite(g.apply(g.apply(same, "k"), "t"))
    g.rewrite(g.apply(g.apply(same, "l"), "t"))
    g.rewrite(x)
    g.conj(None, None)
