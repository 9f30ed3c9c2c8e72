"""Theorem 4 for finite m: the limiting singular values of factors and product, equation (30), the depth-2 form."""

from __future__ import annotations

from proofs.shin2025.commutant import moves
from proofs.shin2025.diagonal_flow import CONTEXT, FLOW, PRODUCTS, SETTING
from proofs.shin2025.equal_layers import LAYER
from proofs.shin2025.limit_factors import LIMIT_VARIABLES, LIMITS
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

AT_LIMIT = CONTEXT + "; the factors V(l) and the product Winf are the limits, and the limit has zero loss [Theorem 4]"
USES = ["shin2025.eq-30", "shin2025.proof-step-lambda-positive"]


def at_limit(conclusion: str, extra: str = "") -> str:
    """A statement about the limits of the flow from the initialisation (7)."""
    return (
        f"all d L:Z, ws al m:R, W P Q:(Z,R)~>M(d,d), {LIMIT_VARIABLES}. {SETTING} => {LIMITS} =>"
        f" {extra + ' => ' if extra else ''}{conclusion}"
    )


def eq8(s: str, c: str) -> str:
    return f"({s})^(2-L) - ((ws*d - ({s})^L)/(d-1))^((2-L)/L) = {c}"


def eq9(s: str, c: str) -> str:
    return f"(ws*d - (d-1)*({s})^L)^((2-L)/L) - ({s})^(2-L) = {c}"


C = "((al/m)^(2-L)*((m + d - 1)^(2-L) - (m - 1)^(2-L)))"


def limits(g: Goal, p: str = "al - al/m", q: str = "al/m", start: Script | None = None) -> list[str]:
    """Take the limiting eigenvalues A and B; the names of what is known of them. `start`: proves that the factors start at p I + q J."""
    args = ["d", "L", "ws", p, q, "W", "P", "Q", "V", "Winf"]
    h = g.lemma("shin2025.eq-30", "part:limiting-eigenvalues", *args, by=[*[None] * 6, moves, start, limits_premise])
    return g.obtain(h, "A", "B")


def limits_premise(g: Goal) -> None:
    """The limits as a premise, where V stands as a lambda."""

    def factor(g: Goal) -> None:
        layer = g.fix()[0]
        g.assume()
        g.close_by(g.apply("lim_1", layer))

    g.conj(factor, lambda g: g.close_by("lim_2"), lambda g: g.close_by("lim_3"))


def open_limit(g: Goal) -> None:
    """Name the hypotheses of the setting at the limit."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "al_lo", "m_lo", "prods", "move", "start", "lim"):
        g.assume(name)
    g.split("lim", "lim_1", "lim_2", "lim_3")
    g.have("1/m < 1", lambda g: g.pos(["@m_lo"], mul=["m"]))
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    g.have("0 < al - al/m", lambda g: g.pos(["al", "@m_lo"], mul=["m"]))


def values_of(
    g: Goal, matrix: str, a: str, b: str, h: str, low: Script | None = None, order: Script | None = None
) -> tuple[str, str]:
    """Singular values of a matrix b I + ((a - b)/d) J."""
    one, rest = g.split(
        g.lemma(
            "shin2025.proof-step-lambda-positive",
            "part:singular-values",
            "d",
            a,
            b,
            matrix,
            by=[None, low, order, lambda g: g.exact(h)],
        )
    )
    return one, rest


def by_index(g: Goal, first: Script, other: Script, i: str = "i") -> None:
    """An index i is 1 or at least 2."""

    def more(g: Goal) -> None:
        g.by_fact("int_lt", "1", i)
        other(g)

    g.cases(g.by_fact("lt_or_eq", "1", i), more, first)


@holds(
    "shin2025.eq-30",
    at_limit(f"all l i:Z. {LAYER} => 2 <= i and i <= d => ws = (sv(V(l),1)^L + (d-1)*sv(V(l),i)^L)/d"),
    argument="sound",
    context=AT_LIMIT,
    uses=["shin2025.proof-step-lambda-ode", "shin2025.proof-step-lambda-positive"],
)
def convergence_equation(g: Goal) -> None:
    """The diagonal entries of the limit are w*."""
    open_limit(g)
    g.intro()
    _, _, _, ws, v, *_ = limits(g)
    one, rest = values_of(g, "V(l)", "A", "B", g.apply(v, "l"))
    g.rewrite(one)
    g.rewrite(g.apply(rest, "i"))
    g.close_by(ws)


@holds(
    "shin2025.theorem-4-ordering",
    f"""all d L:Z, ws al q:R, W P Q:(Z,R)~>M(d,d), {LIMIT_VARIABLES}. 2 <= d => 2 <= L => 0 < ws => 0 < al => 0 <= q => q < al =>
        {PRODUCTS} => {FLOW} => (all l:Z. {LAYER} => W(l,0) = (al - q)*I(d) + q*J(d)) => {LIMITS} =>
        (all k l:Z. 1 <= k and k <= L => {LAYER} => V(k) = V(l)) and
        (all l i:Z. {LAYER} => 1 <= i and i <= d => sv(Winf,i) = sv(V(l),i)^L and 0 <= sv(V(l),i)^L) and
        (all l i j:Z. {LAYER} => 1 <= i and i <= j and j <= d => sv(V(l),j)^L <= sv(V(l),i)^L)""",
    argument="sound",
    context=CONTEXT
    + (
        "; q = alpha/m for finite m > 1 and q = 0 for m infinite, that is 0 <= q < alpha [(7)]; zero-loss limits V(l), "
        "Winf [Theorem 4]"
    ),
    uses=USES,
)
def singular_values_of_the_product_are_powers(g: Goal) -> None:
    """Both limits have the two-value form; the eigenvalues of the product are the powers of those of the factor."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "al_lo", "q_lo", "q_hi", "prods", "move", "start", "lim"):
        g.assume(name)
    g.split("lim", "lim_1", "lim_2", "lim_3")
    a_lo, b_lo, ab, _, v, w, *_ = limits(g, "al - q", "q")
    power = g.by_fact("ipow_mono", "B", "A", "L")
    one, rest = values_of(g, "Winf", "A^L", "B^L", w)

    def common(g: Goal) -> None:
        g.intro()
        x = g.apply(v, "k")
        y = g.apply(v, "l")
        g.nc((x, 1, None, None), (y, -1, None, None))

    def powers(g: Goal) -> None:
        g.intro()
        x, y = values_of(g, "V(l)", "A", "B", g.apply(v, "l"))
        by_index(
            g,
            lambda g: (g.replace("i", "1"), g.rewrite(one), g.rewrite(x), g.conj(None, None))[-1],
            lambda g: (g.rewrite(g.apply(rest, "i")), g.rewrite(g.apply(y, "i")), g.conj(None, None))[-1],
        )

    def order(g: Goal) -> None:
        g.intro()
        x = g.fact("sv_range", "d", "d", "V(l)")
        k = g.apply(x, "i", "j")
        s = g.split(k)[1]
        s = g.apply(s)
        z = g.apply(x, "j", "j")
        g.split(z)
        g.close_by(g.by_fact("ipow_mono", "sv(V(l),j)", "sv(V(l),i)", "L"))

    del a_lo, b_lo, ab, power
    g.conj(common, powers, order)


DEPTH_TWO = at_limit(
    f"""all l:Z. {LAYER} => sv(V(l),1) = (m + d - 1)*sqrt(ws/(m^2 + d - 1)) and
        (all i:Z. 2 <= i and i <= d => sv(V(l),i) = (m - 1)*sqrt(ws/(m^2 + d - 1))) and
        (all i:Z. 1 <= i and i <= d => sv(Winf,i) = sv(V(l),i)^2)""",
    "L = 2",
)
"""The singular values of the limit at depth 2: they do not contain alpha."""


@holds(
    "shin2025.theorem-4-l2",
    DEPTH_TWO,
    argument="sound",
    context=AT_LIMIT,
    uses=USES,
)
def closed_form_at_depth_two(g: Goal) -> None:
    """A (m - 1) = B (m + d - 1) and A^2 + (d - 1) B^2 = d w* determine A and B."""
    open_limit(g)
    g.assume("L_is")
    g.intro()
    _, _, _, ws, v, w, ratio, _ = limits(g)
    ratio = g.apply(ratio)
    one, rest = values_of(g, "V(l)", "A", "B", g.apply(v, "l"))
    g.by_fact("ipow_mono", "B", "A", "L")
    pone, prest = values_of(g, "Winf", "A^L", "B^L", w)
    g.have("0 < m^2 + d - 1", lambda g: (g.have("0 < d - 1"), g.pos(["m^2"], ["d - 1"]))[-1])
    ws = g.have(
        "ws*d = A^2 + (d-1)*B^2",
        lambda g: (g.replace("A^2", "A^L", lambda g: g.ctx()), g.replace("B^2", "B^L", lambda g: g.ctx()), g.field((ws, "d")))[
            -1
        ],
    )
    r = g.have("A*(m - 1) = B*(m + d - 1)", lambda g: g.field((ratio, "m/al")))
    a = g.have("sqrt(ws/(m^2 + d - 1)) = A/(m + d - 1)", lambda g: root(g, "A/(m + d - 1)", ws, r))
    g.rewrite(a)

    def squares(g: Goal) -> None:
        g.intro()
        p = g.have("A^L = A^2", lambda g: g.ctx())
        q = g.have("B^L = B^2", lambda g: g.ctx())
        by_index(
            g,
            lambda g: (g.replace("i", "1"), g.rewrite(pone), g.rewrite(one), g.close_by(p))[-1],
            lambda g: (g.rewrite(g.apply(prest, "i")), g.rewrite(g.apply(rest, "i")), g.close_by(q))[-1],
        )

    g.conj(
        lambda g: (g.rewrite(one), g.field())[-1],
        lambda g: (g.intro(), g.rewrite(g.apply(rest, "i")), g.field((r, "-1/(m + d - 1)")))[-1],
        squares,
    )


def root(g: Goal, x: str, ws: str, r: str) -> None:
    """sqrt(w*/(m^2 + d - 1)) = A/(m + d - 1)."""
    h = g.by_fact("sqrt_unique", "ws/(m^2 + d - 1)", x, by=[None, lambda g: square(g, ws, r)])
    g.close_by(h)


def square(g: Goal, ws: str, r: str) -> None:
    n = "(d*(m^2 + d - 1)*(m + d - 1)^2)"
    g.field((ws, f"-(m + d - 1)^2/{n}"), (r, f"(d-1)*(A*(m - 1) + B*(m + d - 1))/{n}"))
