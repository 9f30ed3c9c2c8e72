"""Appendix A.5: the Hessian of the loss, and the two parts into which the paper splits it."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, refuted

LINE = "c/2*sum(i, 1, d, sum(j, 1, d, P[i,j]*(((A + u*E) @ (B + u*F))[i,j] - M[i,j])^2))"
"""The loss on the line through (A, B) in the direction (E, F); c is the normalisation (E_S is c times the sum over observed entries)."""
FORM = f"D(s, D(u, {LINE}, s), 0)"
"""The quadratic form of the Hessian at (A, B) in the direction (E, F)."""
FIRST = "(E @ B + A @ F)[i,j]"
"""The derivative of the entry (i, j) of A B in this direction, the inner product of its gradient with (E, F)."""
SECOND = "c*sum(i, 1, d, sum(j, 1, d, P[i,j]*((A @ B)[i,j] - M[i,j])*(2*(E @ F)[i,j])))"
"""H^(2) in the direction (E, F): 2 E F is the second derivative of A B."""
VARIABLES = "all d:Z, c:R, P M A B E F:M(d,d)."
BINARY = "(all i j:Z. P[i,j] = 0 or P[i,j] = 1)"


@refuted(
    "bai2024.def-h1-h2",
    f"""all d:Z, P M:M(d,d). 1 <= d => {BINARY} => ex c:R. 0 < c and all A B E F:M(d,d).
        {FORM} = sum(i, 1, d, sum(j, 1, d, {FIRST}))^2 + {SECOND}""",
    context=(
        "the display just before (sec-a5-hessian-chain) defines H(theta) := grad grad R_S(theta), the Hessian of the loss, "
        "and is of the same form [sec-a5-hessian-chain]"
    ),
    reading="H is the Hessian of the loss, for some normalisation c of the empirical mean, which may depend on the observations; two"
    " symmetric matrices are equal if their quadratic forms are; the double sum over i and j of grad f_i (grad f_j)^T is the square of the"
    " sum of the gradients",
    argument="fails",
    reason="the double sum over i, j keeps the mixed terms i != j and the entries that are not observed, where the second derivative of"
    " the loss is 0: d = 2, all entries observed, A = M = 0, B = I, direction E = [1,-1; 0,0], F = 0, where the Hessian is 2 c and the"
    " display 0. As a bare definition the display is well formed, but it does not split the Hessian that it names",
)
def the_double_sum_is_not_part_of_the_hessian(g: Goal) -> None:
    """d = 2, B = I: the derivatives of the entries are 1, -1, 0, 0, whose sum is 0 and whose squares sum up to 2."""
    zero = "O(2,2)"
    g.witness("2", "J(2,2)", zero)

    def every(g: Goal) -> None:
        g.fix("c")
        no: Script = lambda g: (g.left_or_right(0), g.close_by(list(g.seq.hyps)[-1]))[-1]  # noqa: E731
        g.em("0 < c", lambda g: (g.left_or_right(1), g.witness(zero, "I(2)", "[[1,-1],[0,0]]", zero), differ(g))[-1], no)

    def differ(g: Goal) -> None:
        eq = g.contra()
        g.pos(["2", "c"], eqs=[(eq, "-1")])

    def binary(g: Goal) -> None:
        g.fix("i", "j")

        def inside(g: Goal) -> None:
            g.left_or_right(1)
            g.field()

        def outside(k: int) -> Script:
            def script(g: Goal) -> None:
                h = list(g.seq.hyps)[-1]
                g.left_or_right(0)
                z = g.apply(
                    g.fact("entry_outside", "2", "2", "J(2,2)"), "i", "j", by=[lambda g: (g.left_or_right(k), g.close_by(h))[-1]]
                )
                g.close_by(z)

            return script

        g.em(
            "i < 1",
            outside(0),
            lambda g: g.em("2 < i", outside(1), lambda g: g.em("j < 1", outside(2), lambda g: g.em("2 < j", outside(3), inside))),
        )

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "all":
            (every if c[1][0][1] == "R" else binary)(g)
        else:
            g.auto()

    close(g)


@amendment(
    "bai2024.def-h1-h2",
    f"""{VARIABLES} 1 <= d => 0 < c => {BINARY} => {FORM} = c*sum(i, 1, d, sum(j, 1, d, P[i,j]*{FIRST}^2)) + {SECOND}""",
    says="The Hessian is E_S of grad f_i (grad f_i)^T over the observed entries (the same index twice), plus H^(2).",
)
def parts_of_the_hessian(g: Goal) -> None:
    """(A + u E)(B + u F) = A B + u (E B + A F) + u^2 E F; differentiate twice."""
    g.fix()
    for name in ("size", "positive", "binary"):
        g.assume(name)
    g.field()
