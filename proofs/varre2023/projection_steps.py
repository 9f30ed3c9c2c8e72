"""The steps of the proof of Lemma 3.1: the layers split along the rows of P and their orthogonal complement."""

from __future__ import annotations

from proofs.varre2023.flows import TWO_LAYERS, residual
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

FRAMES = "P @ T(P) = I(p) => Q @ T(Q) = I(l - p) => Q @ T(P) = O(l - p, p) =>"
"""The rows of P and of Q = P_perp are an orthonormal basis."""
READING = "Q stands for P_perp"
RESOLUTION = "varre2023.step-resolution-identity"
G = residual("W1(t)", "W2(t)")
FLOW = f"(all t:R. 0 <= t => W1'(t) = {G} @ T(W2(t)) and W2'(t) = T(W1(t)) @ {G}) =>"
WITH_COMPLEMENT = TWO_LAYERS.replace(
    ". 0 < c =>", ", Q:M(l - p,l). 1 <= p => p <= l => Q @ T(Q) = I(l - p) => Q @ T(P) = O(l - p, p) => 0 < c =>", 1
)
VARS = ("n", "p", "k", "l", "c", "X", "Y", "P", "W1", "W2")


@holds(
    RESOLUTION,
    f"all p l:Z, P:M(p,l), Q:M(l - p,l). 1 <= p => p <= l => {FRAMES} T(P) @ P + T(Q) @ Q = I(l)",
    argument="sound",
    reading=READING,
)
def rows_resolve_the_identity(g: Goal) -> None:
    """The rest I - P^T P - Q^T Q is a symmetric projection of trace 0."""
    names = g.intro()
    first, order, one, two, cross = names
    g.have("0 <= l - p", lambda g: g.pos([f"@{order}"]))
    g.have("0 <= p", lambda g: g.pos([f"@{first}"], [1]))
    g.have("0 <= l", lambda g: g.pos([f"@{first}"], [f"@{order}"], [1]))
    e = "(I(l) - T(P) @ P - T(Q) @ Q)"
    turned = g.have("P @ T(Q) = O(p, l - p)", lambda g: crossed(g, cross))
    idle = g.have(
        f"T({e}) @ {e} = {e}",
        lambda g: g.nc((one, 1, "T(P)", "P"), (two, 1, "T(Q)", "Q"), (cross, 1, "T(Q)", "P"), (turned, 1, "T(P)", "Q")),
    )
    trace_one = g.have("tr(P @ T(P)) = p", lambda g: (g.rewrite(one), g.field()))
    trace_two = g.have("tr(Q @ T(Q)) = l - p", lambda g: (g.rewrite(two), g.field()))
    none = g.have(f"tr(T({e}) @ {e}) = 0", lambda g: (g.rewrite(idle), g.field((trace_one, -1), (trace_two, -1))))
    zero = g.by_fact("frobenius_zero", "l", "l", e, by=[lambda g: g.close_by(none)])
    g.nc((zero, -1, None, None))


def crossed(g: Goal, cross: str) -> None:
    """P Q^T is the transpose of Q P^T."""
    turned = g.have("T(Q @ T(P)) = T(O(l - p, p))", lambda g: (g.rewrite(cross), g.nc()))
    g.nc((turned, 1, None, None))


def resolution(g: Goal, names: list[str]) -> str:
    """The resolution of the identity, from the names of its five hypotheses."""
    return g.lemma(RESOLUTION, "statement", "p", "l", "P", "Q", by=[lambda g, n=n: g.close_by(n) for n in names])


@holds(
    "varre2023.eq-c-2",
    f"""all p l:Z, P:M(p,l), Q:M(l - p,l), W1 :M(p,l), Z1:M(p,p), N1:M(p,l - p). 1 <= p => p <= l => {FRAMES}
       Z1 = W1 @ T(P) => N1 = W1 @ T(Q) => W1 = W1 @ (T(P) @ P + T(Q) @ Q) and
       W1 @ (T(P) @ P + T(Q) @ Q) = W1 @ T(P) @ P + W1 @ T(Q) @ Q and W1 @ T(P) @ P + W1 @ T(Q) @ Q = Z1 @ P + N1 @ Q""",
    argument="sound",
    reading=f"{READING}, N1 for (Z_1)_perp",
    uses=[RESOLUTION],
)
def first_layer_splits(g: Goal) -> None:
    """The resolution of the identity."""
    names = g.intro()
    h = resolution(g, names[:5])
    one, two = names[5:]
    g.conj(
        lambda g: g.nc((h, -1, "W1", None)),
        lambda g: g.nc(),
        lambda g: g.nc((one, -1, None, "P"), (two, -1, None, "Q")),
    )


@holds(
    "varre2023.eq-c-3",
    f"""all p l k:Z, P:M(p,l), Q:M(l - p,l), W2 :M(l,k), Z2:M(p,k), N2:M(l - p,k). 1 <= p => p <= l => {FRAMES}
       Z2 = P @ W2 => N2 = Q @ W2 => W2 = (T(P) @ P + T(Q) @ Q) @ W2 and
       (T(P) @ P + T(Q) @ Q) @ W2 = T(P) @ Z2 + T(Q) @ N2""",
    argument="sound",
    reading=f"{READING}, N2 for (Z_2)_perp",
    uses=[RESOLUTION],
)
def second_layer_splits(g: Goal) -> None:
    """The resolution of the identity."""
    names = g.intro()
    h = resolution(g, names[:5])
    one, two = names[5:]
    g.conj(lambda g: g.nc((h, -1, None, "W2")), lambda g: g.nc((one, -1, "T(P)", None), (two, -1, "T(Q)", None)))


@holds(
    "varre2023.eq-c-5",
    f"""all p l k:Z, P:M(p,l), Q:M(l - p,l), W1:M(p,l), W2:M(l,k), Z1:M(p,p), N1:M(p,l - p), Z2:M(p,k), N2:M(l - p,k).
       1 <= p => p <= l => {FRAMES} Z1 = W1 @ T(P) => N1 = W1 @ T(Q) => Z2 = P @ W2 => N2 = Q @ W2 =>
       W1 @ W2 = W1 @ T(P) @ P @ W2 + W1 @ T(Q) @ Q @ W2 and
       W1 @ T(P) @ P @ W2 + W1 @ T(Q) @ Q @ W2 = Z1 @ Z2 + N1 @ N2""",
    argument="sound",
    reading=f"{READING}, N1 and N2 for (Z_1)_perp and (Z_2)_perp",
    uses=[RESOLUTION],
)
def product_splits(g: Goal) -> None:
    """The resolution of the identity between the layers."""
    names = g.intro()
    h = resolution(g, names[:5])
    z1, n1, z2, n2 = names[5:]
    g.conj(
        lambda g: g.nc((h, -1, "W1", "W2")),
        lambda g: g.nc((z1, -1, None, "Z2"), (z2, -1, "W1 @ T(P)", None), (n1, -1, None, "N2"), (n2, -1, "W1 @ T(Q)", None)),
    )


@holds(
    "varre2023.step-projected-updates",
    f"""all n p k l m:Z, X:M(n,p), Y:M(n,k), P:M(p,l), Q:M(m,l), W1:R~>M(p,l), W2:R~>M(l,k). {FLOW}
       all t:R. 0 <= t => W1'(t) @ T(P) = T(X) @ (Y - X @ W1(t) @ W2(t)) @ T(W2(t)) @ T(P) and
       P @ W2'(t) = P @ T(W1(t)) @ T(X) @ (Y - X @ W1(t) @ W2(t)) and
       W1'(t) @ T(Q) = T(X) @ (Y - X @ W1(t) @ W2(t)) @ T(W2(t)) @ T(Q) and
       Q @ W2'(t) = Q @ T(W1(t)) @ T(X) @ (Y - X @ W1(t) @ W2(t))""",
    argument="sound",
    reading=READING,
)
def flow_times_the_frames(g: Goal) -> None:
    """The flow, multiplied by P and by Q."""
    names = g.intro()
    a, b = g.split(g.apply(names[0], "t"))
    g.conj(*[lambda g: g.nc(rw=[a, b])] * 4)


Z1, Z2, N1, N2 = "(W1(t) @ T(P))", "(P @ W2(t))", "(W1(t) @ T(Q))", "(Q @ W2(t))"
BLOCKS = f"(T(X) @ (Y - X @ ({Z1} @ {Z2} + {N1} @ {N2})))"
ERROR = f"(X @ (({Z1} + e*A) @ ({Z2} + e*B) + ({N1} + e*C) @ ({N2} + e*F)) - Y)"


@holds(
    "varre2023.step-four-block-flow",
    f"""all n p k l:Z, X:M(n,p), Y:M(n,k), P:M(p,l), Q:M(l - p,l), W1:R~>M(p,l), W2:R~>M(l,k). 1 <= p => p <= l => {FRAMES} {FLOW}
       all t:R. 0 <= t => D(s, W1(s) @ T(P), t) = {BLOCKS} @ T({Z2}) and D(s, P @ W2(s), t) = T({Z1}) @ {BLOCKS} and
       D(s, W1(s) @ T(Q), t) = {BLOCKS} @ T({N2}) and D(s, Q @ W2(s), t) = T({N1}) @ {BLOCKS} and
       (all A:M(p,p), B:M(p,k), C:M(p,l - p), F:M(l - p,k). D(e, tr(T({ERROR}) @ {ERROR})/2, 0) =
          -tr(T(A) @ D(s, W1(s) @ T(P), t)) - tr(T(B) @ D(s, P @ W2(s), t))
          - tr(T(C) @ D(s, W1(s) @ T(Q), t)) - tr(T(F) @ D(s, Q @ W2(s), t))) and
       tr(T(W1(t)) @ W1(t)) = tr(T({Z1}) @ {Z1}) + tr(T({N1}) @ {N1}) and
       tr(T(W2(t)) @ W2(t)) = tr(T({Z2}) @ {Z2}) + tr(T({N2}) @ {N2})""",
    argument="sound",
    reading=f"{READING}; the linear map is orthogonal, and the four velocities are minus the gradient of the loss |X (Z1 Z2 + N1 N2) - Y|^2 / 2 "
    "in the four blocks, given by its derivatives along all directions",
    uses=[RESOLUTION],
)
def four_blocks_follow_the_gradient_flow(g: Goal) -> None:
    """The product of the layers is Z1 Z2 + N1 N2; the map has the transposed inverse."""
    names = g.intro()
    a, b = g.split(g.apply(names[5], "t"))
    h = resolution(g, names[:5])
    same = g.have(f"{G} = {BLOCKS}", lambda g: g.nc((h, "1", "T(X) @ X @ W1(t)", "W2(t)")))
    first = g.have(f"W1'(t) = {BLOCKS} @ T(W2(t))", lambda g: g.nc((a, 1, None, None), (same, 1, None, "T(W2(t))")))
    second = g.have(f"W2'(t) = T(W1(t)) @ {BLOCKS}", lambda g: g.nc((b, 1, None, None), (same, 1, "T(W1(t))", None)))

    def equation(left: str, factor: str, rate: str, before: str | None, after: str | None) -> str:
        return g.have(f"{left} = {factor}", lambda g: g.nc((rate, 1, before, after)))

    rates = [
        equation("D(s, W1(s) @ T(P), t)", f"{BLOCKS} @ T({Z2})", first, None, "T(P)"),
        equation("D(s, P @ W2(s), t)", f"T({Z1}) @ {BLOCKS}", second, "P", None),
        equation("D(s, W1(s) @ T(Q), t)", f"{BLOCKS} @ T({N2})", first, None, "T(Q)"),
        equation("D(s, Q @ W2(s), t)", f"T({N1}) @ {BLOCKS}", second, "Q", None),
    ]

    def gradient(g: Goal) -> None:
        g.fix("A", "B", "C", "F")
        for r in rates:
            g.rewrite(r)
        g.field()

    def size(g: Goal, one: str, two: str, w: str) -> None:
        eq = g.have(f"{one} = {two}", lambda g: g.nc((h, -1, *(("W1(t)", "T(W1(t))") if w == "W1" else ("T(W2(t))", "W2(t)")))))
        traced = g.have(f"tr({one}) = tr({two})", lambda g: (g.rewrite(eq), g.refl()))
        g.field((traced, 1))

    g.conj(
        *[lambda g, r=r: g.close_by(r) for r in rates],
        gradient,
        lambda g: size(g, "W1(t) @ T(W1(t))", f"{Z1} @ T({Z1}) + {N1} @ T({N1})", "W1"),
        lambda g: size(g, "T(W2(t)) @ W2(t)", f"T({Z2}) @ {Z2} + T({N2}) @ {N2}", "W2"),
    )


def layers_in_the_span(g: Goal, names: list[str], time: str = "t") -> list[str]:
    """Lemma 3.1 at a time, from the names of its five hypotheses."""
    h = g.lemma("varre2023.lemma-3-1", "statement", *VARS, by=[lambda g, n=n: g.close_by(n) for n in names])
    return g.split(g.apply(h, time))


@holds(
    "varre2023.step-perp-equilibrium",
    f"""{WITH_COMPLEMENT} (all E:M(p,k). E @ T(O(l - p,k)) = O(p,l - p) and T(O(p,l - p)) @ E = O(l - p,k)) and
       W1(0) @ T(Q) = sqrt(2*c)*(P @ T(Q)) and sqrt(2*c)*(P @ T(Q)) = O(p,l - p) and Q @ W2(0) = O(l - p,k) and
       all t:R. 0 <= t => W1(t) @ T(Q) = O(p,l - p) and Q @ W2(t) = O(l - p,k)""",
    argument="sound",
    reading=READING,
    uses=["varre2023.lemma-3-1"],
)
def perpendicular_blocks_vanish(g: Goal) -> None:
    """P P_perp^T = 0, and by Lemma 3.1 W1 = Z1 P and W2 = P^T Z2."""
    names = g.intro()
    cross, setting = names[3], names[4:]
    start, zero = setting[2:4]
    turned = g.have("P @ T(Q) = O(p, l - p)", lambda g: crossed(g, cross))

    def later(g: Goal) -> None:
        g.fix("t")
        g.assume()
        _, _, one, two = layers_in_the_span(g, setting)
        g.conj(
            lambda g: g.nc((one, 1, None, "T(Q)"), (turned, 1, Z1, None)),
            lambda g: g.nc((two, 1, "Q", None), (cross, 1, None, Z2)),
        )

    g.conj(
        lambda g: (g.fix("E"), g.conj(lambda g: g.nc(), lambda g: g.nc())),
        lambda g: g.nc((start, 1, None, "T(Q)")),
        lambda g: g.nc((turned, "sqrt(2*c)", None, None)),
        lambda g: g.nc((zero, 1, "Q", None)),
        later,
    )


@holds(
    "varre2023.eq-c-6",
    f"{TWO_LAYERS} all t:R. 0 <= t => W1(t) @ W2(t) = {Z1} @ {Z2}",
    argument="sound",
    uses=["varre2023.lemma-3-1"],
)
def product_of_the_layers(g: Goal) -> None:
    """W1 = Z1 P by Lemma 3.1."""
    names = g.intro()
    _, _, one, _ = layers_in_the_span(g, names[:5])
    g.nc((one, 1, None, "W2(t)"))


@holds(
    "varre2023.eq-c-7",
    f"{TWO_LAYERS} all t:R. 0 <= t => W1(t) = {Z1} @ P and W2(t) = T(P) @ {Z2}",
    argument="sound",
    uses=["varre2023.lemma-3-1"],
)
def layers_from_their_projections(g: Goal) -> None:
    """This is part of Lemma 3.1."""
    names = g.intro()
    _, _, one, two = layers_in_the_span(g, names[:5])
    g.conj(lambda g: g.close_by(one), lambda g: g.close_by(two))


@holds(
    "varre2023.assertion-weights-stay-in-span",
    f"{TWO_LAYERS} all t:R. 0 <= t => ex A:M(p,p), B:M(p,k). T(W1(t)) = T(P) @ A and W2(t) = T(P) @ B",
    argument="sound",
    reading="the columns of W_1^T and W_2 lie in R^l, so the span of P is that of its rows, the column span of P^T",
    uses=["varre2023.lemma-3-1"],
)
def weights_stay_in_the_row_span(g: Goal) -> None:
    """W1^T = P^T Z1^T and W2 = P^T Z2."""
    names = g.intro()
    _, _, one, two = layers_in_the_span(g, names[:5])
    g.witness(f"T({Z1})", Z2)

    def turned(g: Goal) -> None:
        h = g.have(
            f"T(W1(t)) = T({Z1} @ P)",
            lambda g: (g.replace(f"{Z1} @ P", "W1(t)", lambda g: g.nc((one, -1, None, None))), g.refl()),
        )
        g.nc((h, 1, None, None))

    g.conj(turned, lambda g: g.close_by(two))


SLOPE = "(X @ (Z1(t) + e*A) @ (Z2(t) + e*B) - Y)"


@holds(
    "varre2023.eq-3-4",
    f"""({TWO_LAYERS} all t:R. 0 <= t => D(s, W1(s) @ T(P), t) = {residual(Z1, Z2)} @ T({Z2}) and
         D(s, P @ W2(s), t) = T({Z1}) @ {residual(Z1, Z2)}) and
       (all n p k:Z, X:M(n,p), Y:M(n,k), Z1:R->M(p,p), Z2:R->M(p,k), A:M(p,p), B:M(p,k), t:R.
         D(e, tr(T({SLOPE}) @ {SLOPE})/2, 0) =
         -tr(T(A) @ {residual("Z1(t)", "Z2(t)")} @ T(Z2(t))) - tr(T(B) @ T(Z1(t)) @ {residual("Z1(t)", "Z2(t)")}))""",
    argument="sound",
    reading="the equations hold for Z1 = W1 P^T, Z2 = P W2, and they are the gradient flow of |X Z1 Z2 - Y|^2 / 2",
    uses=["varre2023.lemma-3-1"],
)
def projected_flow_is_a_gradient_flow(g: Goal) -> None:
    """Lemma 3.1; the derivative of the loss along a direction."""

    def equations(g: Goal) -> None:
        names = g.intro()
        one, two, _, _ = layers_in_the_span(g, names[:5])
        g.conj(lambda g: g.close_by(one), lambda g: g.close_by(two))

    g.conj(equations, lambda g: (g.intro(), g.field()))


INITIAL = """all p k l:Z, c:R, P:M(p,l), W1:M(p,l), W2:M(l,k), Z1:M(p,p), Z2:M(p,k). 0 < c => P @ T(P) = I(p) => W1 = sqrt(2*c)*P =>
       W2 = O(l,k) => Z1 = W1 @ T(P) => Z2 = P @ W2 => Z1 = sqrt(2*c)*(P @ T(P)) and sqrt(2*c)*(P @ T(P)) = {value} and Z2 = O(p,k)"""


@refuted(
    "varre2023.step-z-initial",
    INITIAL.format(value="I(p)"),
    reason="the equation sqrt(2 gamma) P P^T = I_d holds for gamma = 1/2 only; in one dimension with P = 1, gamma = 2 the left side is 2",
)
def printed_initial_value(g: Goal) -> None:
    """p = k = l = 1, P = 1, gamma = 2: sqrt(4) = 2."""
    root = g.have("sqrt(2*2) = 2", lambda g: g.field())
    g.witness(1, 1, 1, 2, "[[1]]", "[[2]]", "[[0]]", "[[2]]", "[[0]]")

    def entry(g: Goal) -> None:
        g.ext(lambda g: g.field((root, -1)))

    def simple(g: Goal) -> None:
        g.ext(lambda g: g.field())

    def last(g: Goal) -> None:
        g.left_or_right(1)
        same = g.contra()
        e = g.have("(sqrt(2*2)*([[1]] @ T([[1]])))[1,1] = I(1)[1,1]", lambda g: g.ctx(lambda g: g.close_by(same)))
        g.pos([], eqs=[(e, -1)])

    nested(g, [None, simple, entry, simple, simple, simple, last])


def nested(g: Goal, scripts: list) -> None:
    """A conjunction that is nested to the right."""
    if len(scripts) > 1:
        g.conj(scripts[0], lambda g: nested(g, scripts[1:]))
    else:
        g.run(scripts[0])


@amendment(
    "varre2023.step-z-initial",
    INITIAL.format(value="sqrt(2*c)*I(p)"),
    says="the reduced system starts from Z_1(0) = sqrt(2 gamma) I_d",
)
def initial_value_with_the_scale(g: Goal) -> None:
    """P P^T = I."""
    names = g.intro()
    ortho, first, second, one, two = names[1:6]
    g.conj(
        lambda g: g.nc((one, 1, None, None), (first, 1, None, "T(P)")),
        lambda g: g.nc((ortho, "sqrt(2*c)", None, None)),
        lambda g: g.nc((two, 1, None, None), (second, 1, "P", None)),
    )
