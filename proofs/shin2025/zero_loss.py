"""Zero loss: what full observation fixes, and an instance of the assumption."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import MASK, n2
from verify.kernel import Goal
from verify.registry import holds

MASKED = "M is the indicator matrix of Omega."


@holds(
    "shin2025.assertion-c1-full-observation",
    f"""(all d:Z, W Z:M(d,d). {n2("had(J(d,d), W - Z)")} = 0 => W = Z and rank(W) = rank(Z)) and
        not (all d:Z, M W Z:M(d,d). {MASK} => {n2("had(M, W - Z)")} = 0 => rank(W) = rank(Z))""",
    argument="sound",
    reading=f"{MASKED} With full observation it is J. Zero loss: the masked residual has norm 0.",
)
def full_observation_fixes_the_rank(g: Goal) -> None:
    """With all entries observed zero loss means W = Z; with none of the entries of a 1 x 1 matrix observed, W = 1 and Z = 0."""

    def full(g: Goal) -> None:
        (h,) = g.intro()
        z = g.by_fact("frobenius_zero", "d", "d", "had(J(d,d), W - Z)")

        def equal(g: Goal) -> None:
            g.extn()
            e = g.have("had(J(d,d), W - Z)[i,j] = O(d,d)[i,j]", lambda g: (g.rewrite(z), g.refl())[-1])
            g.field((e, 1))

        w = g.have("W = Z", equal)
        g.conj(None, lambda g: (g.rewrite(w), g.refl())[-1])
        del h

    def partial(g: Goal) -> None:
        h = g.assume()
        k = g.apply(h, "1", "O(1,1)", "[[1]]", "O(1,1)", by=[lambda g: (g.fix(), g.left_or_right(0), g.field())[-1], None])
        e = g.have("rank([[1]]) = 1", lambda g: g.compute())
        z = g.have("rank(O(1,1)) = 0", lambda g: g.compute())
        g.pos(["1"], eqs=[(k, -1), (e, 1), (z, -1)])

    g.conj(full, partial)


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
