"""Lemma 12 and the induction hypothesis (22): all time derivatives of the factors share two values."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from proofs.shin2025.diagonal_flow import CONTEXT, in_setting
from proofs.shin2025.equal_layers import LAYER, at_initial, from_initial
from verify.kernel import Goal
from verify.registry import holds

TWO_VALUES = "(d(n,W,1,t)[1,1] - d(n,W,1,t)[1,2])*I(d) + d(n,W,1,t)[1,2]*J(d)"

SHARED = f"""all k l i j a b e f:Z. 1 <= k and k <= L and {LAYER} => 1 <= i and i <= d and 1 <= j and j <= d =>
    1 <= a and a <= d and 1 <= b and b <= d and a != b => 1 <= e and e <= d and 1 <= f and f <= d and e != f =>
    d(n,W,k,0)[i,i] = d(n,W,l,0)[j,j] and d(n,W,k,0)[a,b] = d(n,W,l,0)[e,f]"""


EVERY_ORDER = f"all l:Z. {LAYER} => all n:Z. 0 <= n => all t:R. 0 <= t => d(n,W,l,t) = {TWO_VALUES}"


def derivatives_of_every_order(g: Goal) -> None:
    """Differentiate the two-value form for t >= 0, order by order; smooth functions that agree on t >= 0 have the same
    derivatives there."""
    g.fix("l")
    g.split_all(g.assume())
    two = at_initial(g, "two-valued")
    same = at_initial(g, "equal-layers")
    g.induct("n", "ih")

    def none(g: Goal) -> None:
        g.intro()
        h = g.apply(two, "1", "t")
        k = g.apply(g.apply(same, "l"), "t")
        g.replace("n", "0")
        g.nc((k, 1, None, None), (h, 1, None, None))

    def more(g: Goal) -> None:
        h = g.apply("ih", "n - 1")
        body = TWO_VALUES.replace("d(n,", "d(n-1,")
        a = g.by_fact(
            "derivative_agrees_matrix",
            "d",
            "d",
            "0",
            "lam t:R. d(n-1,W,l,t)",
            f"lam t:R. {body}",
            by=[None, lambda g: g.close_by(h)],
        )
        g.intro()
        a = g.apply(a, "t")
        x = g.differentiate("s", "d(n-1,W,l,s)", "t")
        y = g.differentiate("s", body.replace(",t)", ",s)"), "t")
        g.nc((a, 1, None, None), (x, -1, None, None), (y, 1, None, None))

    by_last(g, none, more)


def read_off(g: Goal, h: str) -> None:
    """Both entries from the two-value form of the derivatives of layers k and l."""
    x = g.apply(g.apply(g.apply(h, "k"), "n"), "0")
    y = g.apply(g.apply(g.apply(h, "l"), "n"), "0")
    form = g.obtain(
        g.have(
            "ex X Y:R. d(n,W,k,0) = (X - Y)*I(d) + Y*J(d) and d(n,W,l,0) = (X - Y)*I(d) + Y*J(d)",
            lambda g: (g.witness("d(n,W,1,0)[1,1]", "d(n,W,1,0)[1,2]"), g.conj(lambda g: g.close_by(x), lambda g: g.close_by(y)))[
                -1
            ],
        ),
        "X",
        "Y",
    )
    g.rewrite(form[0])
    g.rewrite(form[1])
    g.conj(None, None)


@holds(
    "shin2025.lemma-12",
    in_setting(f"all n:Z. 0 <= n => {SHARED}"),
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.lemma-13"],
)
def initial_derivatives_share_two_values(g: Goal) -> None:
    """The two-value form for all t >= 0, differentiated n times."""
    derivatives(g)


def derivatives(g: Goal) -> None:
    from_initial(g)
    h = g.have(EVERY_ORDER, derivatives_of_every_order)
    g.intro()
    read_off(g, h)


@holds(
    "shin2025.eq-22",
    in_setting(f"all o:Z. 1 <= o => all n:Z. 0 <= n and n < o => {SHARED}"),
    argument="sound",
    context=CONTEXT + "; an induction hypothesis, which Lemma 12 makes true for every order o [Lemma 12]",
    uses=["shin2025.lemma-13"],
)
def induction_hypothesis_holds(g: Goal) -> None:
    """Lemma 12, for all orders at once."""
    derivatives(g)
