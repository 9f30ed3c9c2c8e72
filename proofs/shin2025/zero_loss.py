"""The zero-loss assumption: an instance."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds

MASKED = "M is the indicator matrix of Omega."


@holds(
    "shin2025.assumption-zero-loss",
    """ex A B:R~>M(2,2), Z:M(2,2). (all t:R. 0 <= t => A'(t) = -(had([[1,1],[0,1]], A(t) @ B(t) - Z) @ T(B(t))) and
         B'(t) = -(T(A(t)) @ had([[1,1],[0,1]], A(t) @ B(t) - Z))) and A(0) @ B(0) != Z and
       tends(t, (A(t) @ B(t))[1,1], Z[1,1]) and tends(t, (A(t) @ B(t))[1,2], Z[1,2]) and tends(t, (A(t) @ B(t))[2,2], Z[2,2])""",
    argument="sound",
    reading="An assumption holds when an instance satisfies it: a flow that converges to a point of zero training loss.",
)
def an_instance_converges_to_zero_loss(g: Goal) -> None:
    """The resting flow A = B = I with observations 1, 0, 1; the unobserved entry of the truth is 1."""
    one = "[[1,0],[0,1]]"
    g.witness(f"lam t:R. {one}", f"lam t:R. {one}", "[[1,0],[1,1]]")

    def rest(g: Goal) -> None:
        g.intro()
        g.conj(*[lambda g: g.ext(lambda g: g.field())] * 2)

    def other(g: Goal) -> None:
        h = g.contra()
        e = g.have(f"({one} @ {one})[2,1] = [[1,0],[1,1]][2,1]", lambda g: (g.rewrite(h), g.refl())[-1])
        g.pos(["1"], eqs=[(e, 1)])

    def limit(g: Goal) -> None:
        g.exact(g.fact("tends_const", g.concl[2]))

    g.conj(rest, other, limit, limit, limit)
