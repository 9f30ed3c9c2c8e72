"""Section 4: along gradient flow of the network, the excess of the loss and the distance of the product from Z_1 decay together."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS
from proofs.eftekhari2022.theorem_twenty import BALANCED, FLOW, GAMMA, NETWORK, ONE_NEURON, PADDING, TARGET, distance
from proofs.eftekhari2022.theorem_twenty_rates import induced
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "eftekhari2022.assertion-rate-equivalence"


def regression(w: str) -> str:
    """|Y - W X|^2."""
    return size(f"Y - {w} @ X")


@part(
    CLAIM,
    "whitened",
    f"""all x y m:Z, X:M(x,m), Y:M(y,m), Z W:M(y,x). X @ T(X) = m*I(x) => 1 <= m => Z = (1/m)*(Y @ T(X)) =>
       {regression("W")} = {size("Y")} - m*{size("Z")} + m*{size("Z - W")}""",
    says="for whitened data the loss is the distance from Z, up to a constant and the factor m",
)
def whitened_loss_is_a_distance(g: Goal) -> None:
    """Y X^T = m Z and X X^T = m I."""
    white, _, target = g.intro()
    g.have("0 < m")
    mixed = g.have("T(W) @ Y @ T(X) = m*(T(W) @ Z)", lambda g: g.nc((target, "-m", "T(W)", None)))
    own = g.have("T(W) @ W @ X @ T(X) = m*(T(W) @ W)", lambda g: g.nc((white, 1, "T(W) @ W", None)))
    first = g.have("tr(T(W) @ Y @ T(X)) = m*tr(T(W) @ Z)", lambda g: (g.rewrite(mixed), g.field()))
    second = g.have("tr(T(W) @ W @ X @ T(X)) = m*tr(T(W) @ W)", lambda g: (g.rewrite(own), g.field()))
    g.field((first, -2), (second, 1))


EXCESS = f"({regression('E(t)')}/2 - {regression('Z1')}/2)"


@holds(
    CLAIM,
    f"""all {NETWORK}, Z Z1:M(y,x), uZ:V(y), vZ:V(x). {FLOW} {BALANCED} {ONE_NEURON} {TARGET} rank(E(0)) = 1 =>
       rank(Z1) <= 1 and (all V:M(y,x). rank(V) <= 1 => {regression("Z1")}/2 <= {regression("V")}/2) and
       all t:R. 0 <= t => (1 - {GAMMA})*(m*{distance("t")}/2) <= {EXCESS} and {EXCESS} <= (1 + {GAMMA})*(m*{distance("t")}/2)""",
    argument="sound",
    reading="convergence is that of the loss to its minimum for (13), |Y - W_N...W_1 X|^2/2 - min, where the minimum, over the matrices of rank "
    "at most one, is the value at Z_1, and that of W(t) to Z_1 for (17), which the product of the layers follows: each squared error is "
    f"bounded by a constant multiple of the other, so that they decay at the same rates; {PADDING}",
    context="N >= 2, whitened data and the spectral gap [Assumption 14]; a balanced start of rank one [Theorem 16]",
    uses=[CLAIM, "eftekhari2022.def-z1", "eftekhari2022.eq-17", "eftekhari2022.eq-32"],
)
def loss_and_distance_decay_together(g: Goal) -> None:
    """For whitened data the excess is (m/2)(|Z - W|^2 - |Z - Z_1|^2); W(t) keeps the rank one."""
    names = g.intro(split=False)
    target, start = names[7:17], names[17]
    white, many, mean = target[:3]
    lead = target[3:]
    flow = induced(g, names)
    small, least = g.split(
        g.lemma("eftekhari2022.def-z1", "statement", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(h) for h in lead[2:]])
    )
    g.have("0 < m")

    def loss(g: Goal, w: str) -> str:
        return g.lemma(CLAIM, "part:whitened", "x", "y", "m", "X", "Y", "Z", w, by=[using(h) for h in (white, many, mean)])

    best = loss(g, "Z1")

    def minimal(g: Goal) -> None:
        g.fix("V")
        low = g.assume()
        k = g.apply(least, "V", by=[using(low)])
        own = loss(g, "V")
        g.pos(["1/2", "m", f"@{k}"], eqs=[(best, "-1/2"), (own, "1/2")])

    def together(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        keeps = g.lemma("eftekhari2022.eq-32", "part:rank-one-for-all-times", *FLOW_TERMS, by=[using(h) for h in (*flow, start)])
        _, exists = g.split(g.apply(keeps, "t", by=[using(now)]))
        s, product, uu, vv = g.obtain(exists, "s", "u", "v")
        h = g.lemma(
            CLAIM, "part:pointwise", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"), by=[using(k) for k in (*lead, s, uu, vv)]
        )
        back = g.have("s*(u @ T(v)) = E(t)", lambda g: g.nc((product, -1, None, None)))
        low, high = g.split(g.rewritten(h, back))
        own = loss(g, "E(t)")
        turned = g.have(f"{size('E(t) - Z1')} = {distance('t')}", lambda g: g.field())
        low, high = g.rewritten(low, turned), g.rewritten(high, turned)
        difference = [(own, "1/2"), (best, "-1/2")]
        g.conj(
            lambda g: g.pos(["1/2", "m", f"@{low}"], eqs=difference),
            lambda g: g.pos(["1/2", "m", f"@{high}"], eqs=[(h, f"-({c})") for h, c in difference]),
        )

    g.conj(using(small), minimal, together)
