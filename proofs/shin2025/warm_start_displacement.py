"""Appendix A.3: how far the parameters move in post-training, and what is lazy about it."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import n2
from proofs.shin2025.warm_start_bounds import LOSS
from proofs.shin2025.warm_start_flow import CORE, PAPER, claim, enter, entries, loss, of_flow, of_reduced, rates, reduced
from proofs.shin2025.warm_start_stable_rank import CONVERGES
from verify.kernel import Goal
from verify.registry import holds, part

ID = f"{PAPER}.assertion-a3-lazy"
NAMES = "pqrs"


@part(
    ID,
    "displacement",
    reduced(f"all T:R. 0 <= T => {' + '.join(f'({x}(T) - {x}(0))^2' for x in NAMES)} <= v^2/(2*w)"),
    says="The entries of A move by at most w12*/sqrt(2 w*) in all.",
    uses=[CORE],
)
def entries_stay_near_the_start(g: Goal) -> None:
    """With delta the displacement at T, |delta|^2 is the integral of <delta, theta'>, at most half of |theta'|^2 e^(w t)/w +
    w |delta|^2 e^(-w t); the first is a derivative up to the decay of the loss."""
    hs = g.intro()
    decay = of_reduced(g, hs, "decay")
    size = " + ".join(f"({x}(T) - {x}(0))^2" for x in NAMES)
    phi = " + ".join(f"({x}(T) - {x}(0))*({x}(t) - {x}(0))" for x in NAMES)
    m, n = f"-({LOSS}*exp(w*t)) - v^2/2*exp(-w*t)", "-exp(-w*t)"
    total = f"{phi} - ({m})/(4*w) - ({size})*({n})/2"

    def slope(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        d = g.apply(decay, u)
        e = f"exp(w*{u})"
        squares = [["1/(2*w)", e, f"({x}'({u}) - w*({x}(T) - {x}(0))/{e})^2"] for x in NAMES]
        g.pos(["1/4", e, "@" + d], *squares, rw=rates(g, hs[6], u))

    h = g.apply(g.by_fact("nonincreasing", "0", f"lam t:R. {total}", by=[None, slope]), "0", "T")
    late, back = "exp(w*T)", "exp(-w*T)"
    x, f = "(w - (p(T)*s(T) + q(T)*r(T)))", "(v - 2*p(T)*q(T))"
    rest = [["1/(2*w)", late, f"{x}^2"], ["1/(4*w)", late, f"{f}^2"], ["v^2/(4*w)", back]]
    g.pos(["2", "@" + h], *[[back, f"({y}(T) - {y}(0))^2"] for y in NAMES], *rest, rw=hs[2:6])


MOVED = f"{n2('A(t) - A(0)')} + {n2('B(t) - B(0)')}"


@holds(
    ID,
    claim(
        f"""{n2("A(0)")} + {n2("B(0)")} = 4*w and (all t:R. 0 <= t => {loss("t")} <= v^2/2*exp(-(2*w*t)) and {MOVED} <= v^2/w) and
        ex X:M(2,2). {CONVERGES} and X[1,1] = w and X[1,2] = v and X[2,2] = w and rank(X) = 2"""
    ),
    argument="sound",
    reading="For a start of squared norm 4 w* the loss decays at the rate 2 w* at least, the parameters never move farther than"
    " w12*/sqrt(w*) (a fraction w12*/(2 w*) of their norm, which tends to 0 as the norm grows), and the limit fits the observations and"
    " has full rank 2.",
    context="T_1 = 0 [Appendix A.3]; the norm of the start varies through w* [Appendix A.3]",
    uses=[ID, CORE, f"{PAPER}.lemma-19"],
)
def large_starts_move_little(g: Goal) -> None:
    """The loss bound of Theorem 6, the displacement of the entries of A (those of B are the same), the rank of the limit."""
    hs, red, ent = enter(g)
    decay = of_reduced(g, red, "decay")
    near = g.lemma(ID, "part:displacement", "w", "v", *NAMES, by=[None] * 6 + [lambda g: g.close_by(red[6])])
    rank = of_flow(g, hs, "lemma-22-w12", "part:rank-two")
    root = g.by_fact("sqrt_sq", "w")

    def always(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        e, start = entries(g, ent, u), entries(g, ent, "0")
        d, m = g.apply(decay, u), g.apply(near, u)
        norms = [g.fact("frobenius_entries", "2", "2", f"{x}({u}) - {x}(0)") for x in "AB"]
        g.conj(
            lambda g: g.pos(["@" + d], rw=e),
            lambda g: g.pos(["2", "@" + m], eqs=[(h, -1) for h in norms], rw=[*e[:8], *start[:8]]),
        )

    def norm(g: Goal) -> None:
        g.rewrite(hs[2])
        g.rewrite(hs[3])
        g.field((root, 4))

    g.conj(norm, always, lambda g: g.close_by(rank))
