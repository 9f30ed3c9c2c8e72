"""Equations (6) and (7), Definitions 1 and 2: they are meaningful, and are what the other modules use."""

from __future__ import annotations

from proofs.razin2020.problem import LOSS, solution
from proofs.razin2020.scripts import only
from verify.kernel import Goal
from verify.registry import holds

MASK, VALUES = "[[0,1],[1,1]]", "[[0,1],[1,0]]"


@holds(
    "razin2020.eq-6",
    f"""all W:M(2,2). (sum(i, 1, 2, sum(j, 1, 2, {MASK}[i,j]*(W[i,j] - {VALUES}[i,j])^2)))/2 = {LOSS}""",
    reading="the first matrix marks the observed entries, the second has their values: the loss (1) of these observations is the one of the other modules",
)
def loss_of_the_observations(g: Goal) -> None:
    """Written out."""
    g.intro()
    g.field()


@holds(
    "razin2020.eq-7",
    f"""all W:M(2,2). ({LOSS} = 0 <=> W[1,2] = 1 and W[2,1] = 1 and W[2,2] = 0) and
       (W[1,2] = 1 and W[2,1] = 1 and W[2,2] = 0 <=> ex x:R. W = {solution("x")})""",
    argument="sound",
)
def zero_loss_matrices(g: Goal) -> None:
    """A sum of squares vanishes only if each square does."""
    g.fix("W")

    def vanish(g: Goal, loss: str, residual: str, rest: str) -> str:
        def square(g: Goal) -> None:
            g.antisym(lambda g: g.pos([rest], eqs=[(loss, -2)]), lambda g: g.pos([f"({residual})^2"]))

        k = g.have(f"({residual})^2 = 0", square)
        return g.apply(g.fact("square_zero", residual), by=[lambda g: g.close_by(k)])

    def forward(g: Goal) -> None:
        h = g.assume()
        a = vanish(g, h, "W[1,2] - 1", "(W[2,1] - 1)^2 + W[2,2]^2")
        b = vanish(g, h, "W[2,1] - 1", "(W[1,2] - 1)^2 + W[2,2]^2")
        c = vanish(g, h, "W[2,2]", "(W[1,2] - 1)^2 + (W[2,1] - 1)^2")
        g.conj(lambda g: g.field((a, 1)), lambda g: g.field((b, 1)), lambda g: g.close_by(c))

    def backward(g: Goal) -> None:
        a, b, c = g.split(g.assume())
        g.field((a, "(W[1,2] - 1)/2"), (b, "(W[2,1] - 1)/2"), (c, "W[2,2]/2"))

    def to_matrix(g: Goal) -> None:
        a, b, c = g.split(g.assume())
        g.witness("W[1,1]")
        g.ext(lambda g: entry(g, a, b, c))

    def entry(g: Goal, a: str, b: str, c: str) -> None:
        for rows in ((), ((a, 1),), ((b, 1),), ((c, 1),)):
            if fits(g, rows):
                g.field(*rows)
                return

    def fits(g: Goal, rows: tuple[tuple[str, int], ...]) -> bool:
        left = g.concl[1]
        return not rows and left[2:] == (1, 1) or any(g.hyp_formula(h)[1] == left for h, _ in rows)

    def from_matrix(g: Goal) -> None:
        (eq,) = g.obtain(g.assume(), "x")

        def put(g: Goal) -> None:
            g.rewrite(eq)
            g.field()

        g.conj(put, put, put)

    g.conj(lambda g: g.iff(forward, backward), lambda g: g.iff(to_matrix, from_matrix))


TOTAL = "sum(k, 1, q, sv(W,k))"


@holds(
    "razin2020.def-1",
    f"""all m n q:Z, W:M(m,n). 1 <= m => 1 <= n => q = min(m,n) => W != O(m,n) =>
       0 < {TOTAL} and (all i:Z. 1 <= i and i <= q => 0 <= sv(W,i)/{TOTAL}) and sum(i, 1, q, sv(W,i)/{TOTAL}) = 1 and 0*log(0) = 0""",
    reading="the definition is meaningful: for W != 0 the normalised singular values form a probability vector, and 0 log 0 = 0 is built in",
)
def normalised_singular_values_form_a_distribution(g: Goal) -> None:
    """The singular values sum to a positive number, since their squares sum to the squared Frobenius norm."""
    raise NotImplementedError
