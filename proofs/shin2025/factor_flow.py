"""Lemma 14, equation (25) and the eigenvalue flow of Lemma 15: the reduced equations of the common factor."""

from __future__ import annotations

from proofs.shin2025.diagonal_flow import CONTEXT, in_setting
from proofs.shin2025.equal_layers import LAYER, at_initial, from_initial, inside, with_two_values
from verify.kernel import Goal
from verify.registry import holds

X, Y = "W(l,t)[i,i]", "W(l,t)[i,j]"
ENTRIES = f"all l i j k:Z, t:R. {LAYER} => 1 <= i and i <= d and 1 <= j and j <= d and i != j and 1 <= k and k <= d => 0 <= t =>"


def velocity(g: Goal, layer: str = "l") -> str:
    """Equation (25) for one layer at time t."""
    v = g.apply(at_initial(g, "velocity"), layer, "t")
    return g.have(f"W'({layer},t) = -(P(L,t)[1,1] - ws)*W({layer},t)^(L - 1)", lambda g: g.nc((v, 1, None, None)))


def first(g: Goal) -> tuple[str, str]:
    """The factor W(l,t) as (X - Y) I + Y J with new variables X and Y; its velocity as a power."""
    v = velocity(g)
    w = g.apply(at_initial(g, "two-valued"), "l", "t")
    x = with_two_values(g, w, "l")
    return v, x


def diagonal_of_product(g: Goal, k: str) -> str:
    """P(L,t)[k,k] = P(L,t)[1,1]."""
    pr = g.split(g.apply(at_initial(g, "span"), "t"))[0]
    h = g.obtain(g.apply(pr, "L"), "u", "v")[0]
    inside(g)
    return g.have(f"P(L,t)[{k},{k}] = P(L,t)[1,1]", lambda g: (g.rewrite(h), g.field())[-1])


@holds(
    "shin2025.eq-25",
    in_setting(f"""all l k:Z, t:R. {LAYER} => 1 <= k and k <= d => 0 <= t =>
        W'(l,t) = -(P(L,t)[k,k] - ws)*(W(l,t)^(L-l) @ I(d) @ W(l,t)^(l-1)) and W'(l,t) = -(P(L,t)[k,k] - ws)*W(l,t)^(L-1)"""),
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.lemma-13"],
)
def velocity_of_a_factor(g: Goal) -> None:
    """Lemma 13: equal symmetric layers, residual a multiple of the identity."""
    from_initial(g)
    g.intro()
    v = velocity(g)
    p = diagonal_of_product(g, "k")
    m = g.by_fact("mpow_add", "d", "L - l", "l - 1", "W(l,t)")
    m = g.have("W(l,t)^(L-1) = W(l,t)^(L-l) @ W(l,t)^(l-1)", lambda g: g.exact(m, by=[lambda g: g.ctx()]))
    g.rewrite(p)
    g.rewrite(v)
    g.conj(lambda g: (g.rewrite(m), g.nc())[-1], None)


@holds(
    "shin2025.lemma-14-x",
    in_setting(f"""{ENTRIES} W'(l,t)[i,i] = -((({X} + (d-1)*{Y})^(L-1) + (d-1)*({X} - {Y})^(L-1))/d)*(P(L,t)[k,k] - ws)"""),
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.lemma-13", "shin2025.proof-step-power"],
)
def flow_of_the_diagonal_entry(g: Goal) -> None:
    """The diagonal entry of the power of the factor."""
    entry_flow(g)


@holds(
    "shin2025.lemma-14-y",
    in_setting(f"""{ENTRIES} W'(l,t)[i,j] = -((({X} + (d-1)*{Y})^(L-1) - ({X} - {Y})^(L-1))/d)*(P(L,t)[k,k] - ws)"""),
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.lemma-13", "shin2025.proof-step-power"],
)
def flow_of_the_off_diagonal_entry(g: Goal) -> None:
    """The off-diagonal entry of the power of the factor."""
    entry_flow(g)


def entry_flow(g: Goal) -> None:
    from_initial(g)
    g.intro()
    v, x = first(g)
    p = diagonal_of_product(g, "k")
    h = g.apply(g.lemma("shin2025.proof-step-power", "part:any-power", "d", "X", "Y"), "L - 1")
    g.rewrite(p)
    g.rewrite(v)
    g.rewrite(x)
    g.rewrite(h)
    a = g.have("((X - Y)*I(d) + Y*J(d))[i,i] = X", lambda g: g.field())
    b = g.have("((X - Y)*I(d) + Y*J(d))[i,j] = Y", lambda g: g.field())
    g.rewrite(a)
    g.rewrite(b)
    g.field()
