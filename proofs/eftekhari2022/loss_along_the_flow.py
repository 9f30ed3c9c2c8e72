"""Lemma 18: the differential inequality for the distance of the induced flow from Z_1."""

from __future__ import annotations

from proofs.eftekhari2022.rank_one_flow import (
    ALIGNMENT,
    FLOW_TERMS,
    INDUCED,
    INDUCED_VARIABLES,
    POWER,
    ROOTS_READING,
    TARGET_VARIABLES,
    THIN,
    TOP,
)
from proofs.eftekhari2022.theorem_twenty import GAMMA, TARGET
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

SECOND = "sv(Z,2)"
FORM = "tr(T(u) @ Z1 @ v)"
T1 = f"((s - {FORM})^2/2)"
T2 = f"({TOP} - {FORM})"

BRACKET = f"(N*(s - {ALIGNMENT})^2 + {TOP}^2*(a^2 + b^2 - 2*a^2*b^2) - N*q*(s - {ALIGNMENT}) - 2*{ALIGNMENT}*q)"
"""The loss has the derivative -m s^(2-2/N) BRACKET."""


def loss(t: str) -> str:
    """L_{1,1}(W(t))."""
    return f"(tr(T(Z1 - E({t})) @ (Z1 - E({t})))/2)"


def scalars(g: Goal, flow: list[str], thin: list[str], at: tuple[str, str, str, str] = ("t", "s", "u", "v")) -> list[str]:
    """Adds a, b, q and what the part `reduced` of (139) says of them: bounds of a^2, b^2, q below and above, the form u^T Z_1 v,
    |W|^2, <Z_1, W>, |Z_1|^2, <W, W'>, <Z_1, W'>."""
    h = g.lemma("eftekhari2022.eq-139", "part:reduced", *FLOW_TERMS, by=[using(k) for k in flow])
    return g.obtain(g.apply(h, *at, by=[using(k) for k in thin]), "a", "b", "q")


def loss_slope(g: Goal, radial: str, turning: str) -> str:
    """Adds the derivative of the loss."""
    slope = g.differentiate("r", loss("r"), "t")
    return g.have(f"D(r, {loss('r')}, t) = -(m*s^{POWER}*{BRACKET})", lambda g: g.field((slope, 1), (radial, 1), (turning, -1)))


@holds(
    "eftekhari2022.lemma-18",
    f"""all {INDUCED_VARIABLES}, {TARGET_VARIABLES}. {INDUCED} {TARGET} all t s:R, u:V(y), v:V(x). {THIN}
       D(r, {loss("r")}, t) <= -(2*m*N*s^{POWER}*{T1}) - 2*m*s^{POWER}*{FORM}*{T2}
         + sqrt(2)*m*N*s^{POWER}*{GAMMA}*sqrt({T1})*{T2} + 2*m*s^{POWER}*{SECOND}*{T2}""",
    argument="repaired",
    reading=ROOTS_READING,
    context=(
        "N >= 2, whitened data and the spectral gap [Assumption 14]; rank(W_t) = 1 enters as the decomposition W(t) = u s "
        "v^T at the time t [Lemma 18]"
    ),
    reason="the printed proof drops absolute values of a_t and b_t in (179), (180), (188) and prints W_t - Z for W_t - Z_1 in (183), (184)",
    uses=["eftekhari2022.eq-139"],
)
def loss_decreases_at_least_as_stated(g: Goal) -> None:
    """With q = u^T (Z - Z_1) v and c = s_Z a b the derivative is -m s^(2-2/N) (N (s-c)^2 + s_Z^2 (a^2 + b^2 - 2 a^2 b^2) -
    N q (s-c) - 2 c q); |q| <= s_2 (1 - a b), a^2 + b^2 >= 2 a b and |a b| <= 1."""
    names = g.intro(split=False)
    flow, thin = names[:-5], names[-5:]
    a, b, low, high, form, _, _, _, radial, turning = scalars(g, flow, thin)
    slope = loss_slope(g, radial, turning)
    g.rewrite(slope)
    g.rewrite(form)
    g.have("0 < m")
    c, first = ALIGNMENT, f"((s - {ALIGNMENT})^2/2)"
    g.have(f"0 <= {first}")
    root, two = f"sqrt({first})", "sqrt(2)"
    square = g.by_fact("sqrt_sq", first)
    g.by_fact("sqrt_nonneg", first)
    both = g.by_fact("sqrt_sq", "2")
    g.by_fact("sqrt_nonneg", "2")
    w = f"({two}*{root})"
    whole = g.have(f"{w}^2 = (s - {c})^2", lambda g: g.field((square, "2"), (both, f"{root}^2")))
    wide = g.have(f"0 <= {w}")

    def bounded(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{k}", f"@{k}"], ["2", f"@{k}", f"@{wide}"], eqs=[(whole, 1)])

    below, above = g.have(f"-{w} <= s - {c}", bounded), g.have(f"s - {c} <= {w}", bounded)
    cap = f"({SECOND}*(1 - a*b))"
    mixed = g.have(
        f"q*(s - {c}) <= {cap}*{w}", lambda g: g.pos(["1/2", f"@{high}", f"@{below}"], ["1/2", f"@{low}", f"@{above}"])
    )
    less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
    more = g.have("-1 <= a*b", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a+b)^2"]))
    product = g.have(f"a*b*q <= {cap}", lambda g: g.pos(["1/2", f"@{high}", f"@{more}"], ["1/2", f"@{low}", f"@{less}"]))
    g.have("2 <= N")
    scale = f"m*s^{POWER}"
    g.pos([scale, "N", f"@{mixed}"], [scale, "2", TOP, f"@{product}"], [scale, f"{TOP}^2*(a-b)^2"])
