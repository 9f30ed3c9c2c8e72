"""Appendix G.2: the gradient of the post-training loss, its flow, and the derivatives of the flow at the start."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import FLOW, PAPER, residual
from verify.kernel import Goal
from verify.registry import holds, part

SHIFTED = "(W + u*X)"
GRADIENT = "[[W[1,1] - w, W[1,2] - v], [0, W[2,2] - w]]"
BY_FACTORS = """[[A[1,1]*B[1,1] + A[1,2]*B[2,1] - w, A[1,1]*B[1,2] + A[1,2]*B[2,2] - v],
                 [0, A[2,1]*B[1,2] + A[2,2]*B[2,2] - w]]"""


@holds(
    "shin2025.eq-g2-gradient",
    f"""all w v:R, A B W:M(2,2). 0 < w => 0 < v => W = A @ B =>
        (all X:M(2,2). D(u, (({SHIFTED}[1,1] - w)^2 + ({SHIFTED}[1,2] - v)^2 + ({SHIFTED}[2,2] - w)^2)/2, 0) =
        tr(T({GRADIENT}) @ X)) and
        {GRADIENT} = {BY_FACTORS}""",
    argument="sound",
    reading="The gradient is the matrix whose inner product with X is the derivative of the loss in every direction X.",
)
def gradient_of_the_loss(g: Goal) -> None:
    """The derivative in a direction X, and the entries of A B."""
    hs = g.intro()

    def direction(g: Goal) -> None:
        g.intro()
        g.field()

    def entrywise(g: Goal) -> None:
        g.rewrite(hs[2])
        g.ext()

    g.conj(direction, entrywise)


GENERAL = "sum(i, 1, d, sum(j, 1, d, S[i,j]*({0}[i,j] - Z[i,j])^2))/2"
MASKED = "had(S, A(t) @ B(t) - Z)"


@holds(
    "shin2025.eq-g2-flow",
    f"""all d:Z, S Z:M(d,d), A B:R~>M(d,d). 1 <= d => (all i j:Z. S[i,j] = 0 or S[i,j] = 1) =>
        (all t:R. 0 <= t => all X:M(d,d).
          tr(T(A'(t)) @ X) = -D(u, {GENERAL.format("((A(t) + u*X) @ B(t))")}, 0) and
          tr(T(B'(t)) @ X) = -D(u, {GENERAL.format("(A(t) @ (B(t) + u*X))")}, 0)) =>
        all t:R. 0 <= t => A'(t) = -({MASKED} @ T(B(t))) and B'(t) = -(T(A(t)) @ {MASKED})""",
    argument="sound",
    reading=(
        "Gradient flow of objective (2): minus the velocity has with every direction X the inner product "
        "that is the loss's derivative. "
        "S is the indicator of the observed entries, Z holds their values."
    ),
)
def flow_of_the_factors(g: Goal) -> None:
    """The derivative of the loss at A in the direction X is <G, X B> = <G B^T, X>; a matrix is known by its inner products."""
    *_, flow, _ = g.intro()
    h = g.apply(flow, "t")
    slope = "S[i,j]*((A(t) @ B(t))[i,j] - Z[i,j])"

    def by_entries(g: Goal) -> None:
        g.intro()
        a = g.fact("tr_entries", "d", f"T({MASKED}) @ Y")
        b = g.fact("sum_swap", "1", "d", "1", "d", f"lam i:Z, j:Z. {slope}*Y[i,j]")

        def product(g: Goal) -> None:
            g.intro()
            g.field((g.apply(g.fact("mm_entry", "d", "d", "d", f"T({MASKED})", "Y"), "i", "i"), 1))

        c = g.by_fact(
            "sum_ext", "1", "d", f"lam i:Z. (T({MASKED}) @ Y)[i,i]", f"lam j:Z. sum(i, 1, d, {slope}*Y[i,j])", by=[product]
        )
        g.field((a, 1), (b, -1), (c, 1))

    inner = g.have(f"all Y:M(d,d). tr(T({MASKED}) @ Y) = sum(i, 1, d, sum(j, 1, d, {slope}*Y[i,j]))", by_entries)

    def factor(g: Goal, which: str, other: str, moved: str, k: int) -> None:
        def direction(g: Goal) -> None:
            g.intro()
            a = g.split_all(g.apply(h, "X"))[k]
            g.field((a, 1), (g.apply(inner, moved), 1))

        every = g.have(f"all X:M(d,d). tr(T({which}'(t)) @ X) = -tr(T({MASKED}) @ {moved})", direction)
        gap = f"({which}'(t) - ({other}))"
        g.have(f"tr(T({gap}) @ {gap}) = 0", lambda g: g.field((g.apply(every, gap), 1)))
        zero = g.by_fact("frobenius_zero", "d", "d", gap)
        g.nc((zero, 1, None, None))

    g.conj(
        lambda g: factor(g, "A", f"-({MASKED} @ T(B(t)))", "(X @ B(t))", 0),
        lambda g: factor(g, "B", f"-(T(A(t)) @ {MASKED})", "(A(t) @ X)", 1),
    )


def flow_from(g: Goal, first: str, second: str) -> None:
    """The general existence fact with the mask [[1,1],[0,1]]."""
    g.intro()
    s, z = "[[1,1],[0,1]]", "[[w,v],[0,w]]"
    h = g.fact("two_layer_flow", "2", "2", "2", first, second, s, z)
    a0, b0, flow = g.obtain(h, "A", "B")
    g.witness("A", "B")

    def rate(g: Goal) -> None:
        g.intro()
        a, b = g.split_all(g.apply(flow, "t"))
        same = g.have(f"had(had({s},{s}), A(t) @ B(t) - {z}) = {residual('t')}", lambda g: g.ext())

        def close(g: Goal, h: str) -> None:
            g.rewrite(same, back=True)
            g.nc((h, 1, None, None))

        g.conj(lambda g: close(g, a), lambda g: close(g, b))

    g.conj(lambda g: g.close_by(a0), lambda g: g.close_by(b0), rate)


@part(
    f"{PAPER}.eq-g2-flow",
    "exists",
    f"all w v:R. ex A B:R~>M(2,2). A(0) = sqrt(w)*I(2) and B(0) = sqrt(w)*I(2) and {FLOW}",
    says="The post-training flow exists.",
)
def flow_exists(g: Goal) -> None:
    """The general existence fact."""
    flow_from(g, "sqrt(w)*I(2)", "sqrt(w)*I(2)")


@part(
    f"{PAPER}.eq-g2-flow",
    "exists-from",
    f"all w v:R, X Y:M(2,2). ex A B:R~>M(2,2). A(0) = X and B(0) = Y and {FLOW}",
    says="The flow on the three entries exists from every start, so that statements about cold starts are not empty.",
)
def flow_exists_from_every_start(g: Goal) -> None:
    """The general existence fact."""
    flow_from(g, "X", "Y")
