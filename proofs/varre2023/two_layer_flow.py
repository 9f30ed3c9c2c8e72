"""Section 2: the gradient flow of the two layers, its initialisation, balanced starts, and the saddle at 0."""

from __future__ import annotations

from proofs.varre2023.flows import residual
from proofs.varre2023.network_and_loss import size
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

G = residual("W1(t)", "W2(t)")
MOVED = size("(X @ (W1(t) + e*A) @ (W2(t) + e*B) - Y)")
GRADIENT = f"(all A:M(p,l), B:M(l,k). D(e, {MOVED}/2, 0) = -tr(T(A) @ W1'(t)) - tr(T(B) @ W2'(t)))"
SETTING = "all n p k l:Z, X:M(n,p), Y:M(n,k), W1:R~>M(p,l), W2:R~>M(l,k)."
READING = "theta' = -grad L: the derivative of the loss along every direction is minus the inner product of the direction with the velocity"


def velocity(g: Goal, flow: str, which: int) -> None:
    """Along the direction of the error of the velocity the two derivatives differ by its square."""
    m, n, w, r = [("p", "l", "W1'(t)", f"{G} @ T(W2(t))"), ("l", "k", "W2'(t)", f"T(W1(t)) @ {G}")][which]
    error = f"({w} - {r})"
    h = g.apply(flow, error, "O(l,k)") if which == 0 else g.apply(flow, "O(p,l)", error)
    own = g.have(("=", g.hyp_formula(h)[1], g.term(f"-tr(T({error}) @ ({r}))")), lambda g: g.field())
    none = g.have(f"tr(T({error}) @ {error}) = 0", lambda g: g.field((h, 1), (own, -1)))
    zero = g.by_fact("frobenius_zero", m, n, error, by=[lambda g: g.close_by(none)])
    g.nc((zero, 1, None, None))


@holds(
    "varre2023.eq-2-3",
    f"""{SETTING} all t:R. {GRADIENT} <=> W1'(t) = {G} @ T(W2(t)) and W2'(t) = T(W1(t)) @ {G}""",
    argument="sound",
    reading=f"{READING}; this is the pair of equations by which the flow is encoded in all other statements",
)
def gradient_flow_by_directions(g: Goal) -> None:
    """The derivative of the loss is linear in the direction."""
    g.intro()

    def forth(g: Goal) -> None:
        flow = g.assume()
        g.conj(lambda g: velocity(g, flow, 0), lambda g: velocity(g, flow, 1))

    def back(g: Goal) -> None:
        a, b = g.split(g.assume())
        g.fix("A", "B")
        g.rewrite(a)
        g.rewrite(b)
        g.field()

    g.iff(forth, back)


@holds(
    "varre2023.eq-2-4a",
    f"{SETTING} (all t:R. 0 <= t => {GRADIENT}) => all t:R. 0 <= t => W1'(t) = {G} @ T(W2(t))",
    argument="sound",
    reading=READING,
)
def flow_of_the_first_layer(g: Goal) -> None:
    """Directions in the first layer."""
    names = g.intro()
    velocity(g, g.apply(names[0], "t"), 0)


@holds(
    "varre2023.eq-2-4b",
    f"{SETTING} (all t:R. 0 <= t => {GRADIENT}) => all t:R. 0 <= t => W2'(t) = T(W1(t)) @ {G}",
    argument="sound",
    reading=READING,
)
def flow_of_the_second_layer(g: Goal) -> None:
    """Directions in the second layer."""
    names = g.intro()
    velocity(g, g.apply(names[0], "t"), 1)


@holds(
    "varre2023.def-initialisation",
    """all p l k:Z, c:R, P:M(p,l), W1:M(p,l), W2:M(l,k). 1 <= p => p <= l => 0 < c => P @ T(P) = I(p) => W1 = sqrt(2*c)*P => W2 = O(l,k) =>
       W1 @ T(W1) = (2*c)*I(p) and all i:Z. 1 <= i => i <= p => sv(W1,i) = sqrt(2*c)""",
    argument="sound",
)
def initial_layer_is_isotropic(g: Goal) -> None:
    """W1 W1^T = 2 gamma I: W1^T stretches every vector by sqrt(2 gamma), which bounds the singular values on both sides."""
    names = g.intro()
    positive, ortho, start = names[2:5]
    gram = g.have("W1 @ T(W1) = (2*c)*I(p)", lambda g: g.nc((ortho, "2*c", None, None), rw=[start]))

    def value(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        g.have("0 < 2*c", lambda g: g.pos(["2", f"@{positive}"]))
        root = g.have("sqrt(2*c)^2 = 2*c", lambda g: g.field())

        def stretch(g: Goal) -> None:
            g.fix("v")
            same = g.have("tr(T(T(W1) @ v) @ (T(W1) @ v)) = tr(T(v) @ (W1 @ T(W1)) @ v)", lambda g: g.field())
            g.rewrite(same)
            g.rewrite(gram)
            g.rewrite(root)
            g.pos()

        least = g.by_fact("sv_stretch", "l", "p", "i", "sqrt(2*c)", "T(W1)", by=[None, None, None, stretch])
        top = g.by_fact("spec_least", "l", "p", "sqrt(2*c)", "T(W1)", by=[None, stretch])
        spec = g.fact("spec_is_sv", "l", "p", "T(W1)")
        if g.hyp_formula(spec)[0] == "=>":
            spec = g.apply(spec)
        _, order = g.split(g.apply(g.fact("sv_range", "l", "p", "T(W1)"), "1", "i"))
        falls = g.apply(order)
        turned = g.fact("sv_transpose", "p", "l", "i", "W1")
        g.rewrite(turned, back=True)
        g.antisym(lambda g: g.pos([f"@{falls}"], [f"@{top}"], eqs=[(spec, 1)]), lambda g: g.close_by(least))

    g.conj(lambda g: g.close_by(gram), value)


FLOW = f"(all t:R. 0 <= t => W1'(t) = {G} @ T(W2(t)) and W2'(t) = T(W1(t)) @ {G}) =>"
BALANCED = f"{SETTING} {FLOW} T(W1(0)) @ W1(0) = W2(0) @ T(W2(0)) =>"


@holds(
    "varre2023.cited-balanced-invariant",
    f"{BALANCED} all t:R. 0 <= t => T(W1(t)) @ W1(t) = W2(t) @ T(W2(t))",
    argument="sound",
)
def balancedness_is_conserved(g: Goal) -> None:
    """The difference of the two Gram matrices has derivative 0."""
    flow, start, _ = g.intro()

    def derivative(g: Goal) -> None:
        g.fix("u")
        g.assume()
        a, b = g.split(g.apply(flow, "u"))
        g.nc(rw=[a, b])

    constant = g.by_fact("constant_matrix", "l", "l", 0, "lam t:R. T(W1(t)) @ W1(t) - W2(t) @ T(W2(t))", by=[None, derivative])
    now = g.apply(constant, "t")
    g.nc((now, 1, None, None), (start, 1, None, None))


@holds(
    "varre2023.assertion-balanced-rank",
    f"{BALANCED.replace('(all t', '0 <= l => 0 <= k => (all t', 1)} all t:R. 0 <= t => rank(W1(t)) <= k",
    argument="sound",
    uses=["varre2023.cited-balanced-invariant", "varre2023.step-c-3-projection"],
)
def balanced_first_layer_has_low_rank(g: Goal) -> None:
    """W1 = W1 H (W1^T W1) = (W1 H W2) W2^T, so its rank is at most that of W2, which has k columns."""
    flow, start = g.intro()[2:4]
    h = g.lemma(
        "varre2023.cited-balanced-invariant",
        "statement",
        *("n", "p", "k", "l", "X", "Y", "W1", "W2"),
        by=[using(flow), using(start)],
    )
    gram = g.apply(h, "t")
    inverse = g.lemma("varre2023.step-c-3-projection", "part:symmetric-inverse", "p", "l", "W1(t)")
    _, left, _, _, _, whole = g.obtain(inverse, "H", "K")
    eq = g.have(
        "W1(t) = (W1(t) @ H @ W2(t)) @ T(W2(t))",
        lambda g: g.nc((whole, -1, None, None), (left, -1, "W1(t)", None), (gram, 1, "W1(t) @ H", None)),
    )
    _, small = g.split(g.fact("rank_product", "p", "k", "l", "W1(t) @ H @ W2(t)", "T(W2(t))"))
    _, least, _ = g.split(g.by_fact("rank_bounds", "k", "l", "T(W2(t))"))
    final = g.have("rank((W1(t) @ H @ W2(t)) @ T(W2(t))) <= k", lambda g: g.pos([f"@{small}"], [f"@{least}"]))
    g.rewrite(eq)
    g.close_by(final)


def using(h: str) -> Script:
    """Close by a hypothesis."""
    return lambda g: g.close_by(h)


LOSS = size("(X @ (e*A) @ (e*B) - Y)")


@holds(
    "varre2023.assertion-limit-order-saddle",
    f"""all n p k l:Z, X:M(n,p), Y:M(n,k). 1 <= p => 1 <= k => p <= l => T(X) @ Y != O(p,k) =>
       (all A:M(p,l), B:M(l,k). D(e, {LOSS}/2, 0) = 0 and {residual("O(p,l)", "O(l,k)")} @ T(O(l,k)) = O(p,l) and
          T(O(p,l)) @ {residual("O(p,l)", "O(l,k)")} = O(l,k)) and
       (ex A:M(p,l), B:M(l,k). D(r, D(e, {LOSS.replace("e*", "(r + e)*")}/2, 0), 0) < 0 and
          0 < D(r, D(e, {LOSS.replace("e*A", "(r + e)*A").replace("e*B", "(r + e)*-B")}/2, 0), 0)) and
       all W1:R~>M(p,l), W2:R~>M(l,k). {FLOW} W1(0) = O(p,l) => W2(0) = O(l,k) =>
          all t:R. 0 <= t => W1(t) = O(p,l) and W2(t) = O(l,k) and X @ W1(t) @ W2(t) != Y""",
    argument="sound",
    reading="l >= d as in the setting; the flow from (0, 0) stays there and interpolates at no time, so no limit in t interpolates",
)
def origin_is_a_saddle(g: Goal) -> None:
    """The loss along (e A, e B) is |e^2 X A B - Y|^2/2, of second derivative -2 <X A B, Y> at 0; take A B = X^T Y, and -B for the other sign."""
    nonzero = g.intro()[3]
    s = "(T(X) @ Y)"

    def curved(g: Goal) -> None:
        g.split_all(g.by_fact("rank_bounds", "p", "k", s))
        made = g.obtain(g.by_fact("rank_factor", "p", "k", "l", s), "F", "H")[0]
        g.witness("F", "H")
        big = g.have(f"0 < {size(s)}", lambda g: positive(g, nonzero, s))
        inner = g.have(
            f"tr(T(Y) @ X @ F @ H) = {size(s)}",
            lambda g: (g.replace("T(Y) @ X @ F @ H", f"T({s}) @ {s}", lambda g: g.nc((made, -1, f"T({s})", None))), g.refl()),
        )
        down = g.have(("=", g.concl[1][1], g.term("-2*tr(T(Y) @ X @ F @ H)")), lambda g: g.field())
        up = g.have(("=", g.concl[2][2], g.term("2*tr(T(Y) @ X @ F @ H)")), lambda g: g.field())
        g.conj(
            lambda g: g.pos(["2", f"@{big}"], eqs=[(down, -1), (inner, 2)]),
            lambda g: g.pos(["2", f"@{big}"], eqs=[(up, 1), (inner, 2)]),
        )

    def rest(g: Goal) -> None:
        flow, one, two, _ = g.intro()

        def equation(g: Goal) -> None:
            g.fix("u")
            g.assume()
            a, b = g.split(g.apply(flow, "u"))
            g.nc(rw=[a, b])

        low = "lam t:R. T(W2(t))"
        both = g.by_fact(
            "linear_pair_zero",
            *("k", "p", "l", low, "lam t:R. W1(t)", f"lam t:R. T({G})", f"lam t:R. {G}"),
            by=[None, equation, equation, lambda g: g.nc(rw=[two]), lambda g: g.nc(rw=[one])],
        )
        below, above = g.split(g.apply(both, "t"))
        turned = g.have("T(T(W2(t))) = T(O(k,l))", lambda g: (g.rewrite(below), g.refl()))
        second = g.have("W2(t) = O(l,k)", lambda g: g.nc((turned, 1, None, None)))

        def not_fitted(g: Goal) -> None:
            eq = g.contra()
            zero = g.have("T(X) @ Y = O(p,k)", lambda g: g.nc((eq, -1, "T(X)", None), (above, 1, "T(X) @ X", "W2(t)")))
            g.clash(zero, nonzero)

        g.conj(lambda g: g.close_by(above), lambda g: g.close_by(second), not_fitted)

    def flat(g: Goal) -> None:
        g.fix("A", "B")
        g.conj(lambda g: g.field(), lambda g: g.nc(), lambda g: g.nc())

    g.conj(flat, curved, rest)


def positive(g: Goal, nonzero: str, s: str) -> None:
    """A matrix that is not 0 has a positive norm."""
    g.have(f"0 <= {size(s)}")
    g.contra()
    zero = g.have(f"{size(s)} = 0", lambda g: g.antisym())
    h = g.by_fact("frobenius_zero", "p", "k", s, by=[lambda g: g.close_by(zero)])
    g.clash(h, nonzero)


@holds(
    "varre2023.assertion-many-factorisations",
    """all p l:Z, W1:M(p,l), W2:V(l), K:M(l,l). det(K) != 0 => W1 @ W2 = (W1 @ K) @ (inv(K) @ W2) and
       (W1 != O(p,l) => all a:R. a != 0 => a != 1 => a*W1 != W1 and W1 @ W2 = (a*W1) @ ((1/a)*W2))""",
    argument="sound",
    reading="W1 K and K^{-1} W2 have the same product for every invertible K, already for multiples of the identity",
)
def factorisations_of_a_predictor(g: Goal) -> None:
    """K K^{-1} = I."""
    regular = g.intro()[0]
    right = g.by_fact("inv_right", "l", "K", by=[lambda g: g.close_by(regular)])

    def multiples(g: Goal) -> None:
        nonzero = g.assume()
        g.fix("a")
        _, one = g.assume(), g.assume()

        def different(g: Goal) -> None:
            eq = g.contra()
            g.have("a - 1 != 0", lambda g: shifted(g, one))
            zero = g.have("W1 = O(p,l)", lambda g: g.nc((eq, "1/(a - 1)", None, None)))
            g.clash(zero, nonzero)

        g.conj(different, lambda g: g.nc())

    g.conj(lambda g: g.nc((right, -1, "W1", "W2")), multiples)


def shifted(g: Goal, one: str) -> None:
    """a - 1 != 0 from a != 1."""
    eq = g.contra()
    same = g.have("a = 1", lambda g: g.field((eq, 1)))
    g.clash(same, one)
