"""(21): the flow of a factor with diagonal observations, from the gradient of the objective."""

from __future__ import annotations

from proofs.shin2025.decoupled_factors import swapped
from proofs.shin2025.diagonal_flow import PRODUCTS
from proofs.shin2025.equal_layers import LAYER
from verify.kernel import Goal
from verify.registry import holds

LOSS = "1/2*sum(i, 1, d, ((Q(l,t) @ {x} @ P(l-1,t))[i,i] - ws)^2)"
GRADIENT_FLOW = f"""(all l:Z, t:R, E:M(d,d). {LAYER} => 0 <= t =>
    tr(T(W'(l,t)) @ E) = -D(s, {LOSS.format(x="(W(l,t) + s*E)")}, 0))"""
TRANSPOSES = """(all t:R. U(L,t) = I(d)) and (all l:Z, t:R. 0 <= l and l < L => U(l,t) = T(W(l+1,t)) @ U(l+1,t)) and
    (all t:R. V(0,t) = I(d)) and (all l:Z, t:R. 0 <= l and l < L => V(l+1,t) = V(l,t) @ T(W(l+1,t)))"""
DIAGONAL = """(all i j:Z, t:R. 1 <= i and i <= d and 1 <= j and j <= d => (i = j => R(t)[i,j] = P(L,t)[i,i] - ws) and
    (i != j => R(t)[i,j] = 0))"""


@holds(
    "shin2025.eq-21",
    f"""all d L:Z, ws:R, W P Q:(Z,R)~>M(d,d), U V:(Z,R)->M(d,d), R:R->M(d,d). 2 <= d => 2 <= L => 0 < ws => {PRODUCTS} =>
        {GRADIENT_FLOW} => {TRANSPOSES} => {DIAGONAL} =>
        all l:Z, t:R. {LAYER} => 0 <= t => W'(l,t) = -(U(l,t) @ R(t) @ V(l-1,t))""",
    argument="sound",
    reading="U(l) = W_(l+1)^T ... W_L^T and V(l-1) = W_1^T ... W_(l-1)^T are the printed products in increasing order, R(t) ="
    " diag(r_1, .., r_d)",
    context=(
        "gradient flow (3) of the objective (2) with identical diagonal observations: the inner product of W_l' with a "
        "direction E is minus the derivative of the objective at W_l + s E [(3), (2)]"
    ),
    uses=["shin2025.eq-3", "shin2025.eq-lemma9-derivative"],
)
def explicit_flow_of_a_factor(g: Goal) -> None:
    """The derivative is <Q^T R P^T, E>, and the products of the transposes are transposes of the products."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "prods", "flow", "transposes", "diagonal"):
        g.assume(name)
    p0, ps, q0, qs = g.split("prods")
    u0, us, v0, vs = g.split("transposes")

    def right(g: Goal) -> None:
        g.induct("k", "ih")
        g.assume("top")
        g.fix("t")

        def none(g: Goal) -> None:
            low = list(g.seq.hyps)[-1]
            g.rewrite(g.have("k = 0", lambda q: q.antisym(lambda c: c.close_by(low), None)))
            g.rewrite(g.apply(v0, "t"))
            g.rewrite(g.apply(p0, "t"))
            g.nc()

        def more(g: Goal) -> None:
            g.have("1 <= k", lambda q: (q.by_fact("int_lt", "0", "k"), q.auto())[-1])
            h = g.apply(g.apply("ih", "k - 1", n=3), "t")
            x, y = g.apply(vs, "k - 1", "t"), g.apply(ps, "k - 1", "t")
            x = g.have("V(k,t) = V(k-1,t) @ T(W(k,t))", lambda q: q.nc((x, 1, None, None)))
            y = g.have("P(k,t) = W(k,t) @ P(k-1,t)", lambda q: q.nc((y, 1, None, None)))
            h = g.have("V(k-1,t) = T(P(k-1,t))", lambda q: q.nc((h, 1, None, None)))
            g.rewrite(x)
            g.rewrite(y)
            g.rewrite(h)
            g.nc()

        g.em("k <= 0", none, more)

    def left(g: Goal) -> None:
        g.induct("k", "ih")
        g.assume("top")
        g.fix("t")

        def none(g: Goal) -> None:
            low = list(g.seq.hyps)[-1]
            zero = g.have("k = 0", lambda q: q.antisym(lambda c: c.close_by(low), None))
            g.replace("L - k", "L", lambda q: q.field((zero, "-1")))
            g.rewrite(g.apply(u0, "t"))
            g.rewrite(g.apply(q0, "t"))
            g.nc()

        def more(g: Goal) -> None:
            g.have("1 <= k", lambda q: (q.by_fact("int_lt", "0", "k"), q.auto())[-1])
            h = g.apply(g.apply("ih", "k - 1", n=3), "t")
            x, y = g.apply(us, "L - k", "t"), g.apply(qs, "L - k", "t")
            h = g.have("U(L-k+1,t) = T(Q(L-k+1,t))", lambda q: q.nc((h, 1, None, None)))
            g.rewrite(x)
            g.rewrite(y)
            g.nc((h, 1, "T(W(L-k+1,t))", None))

        g.em("k <= 0", none, more)

    vp = g.have("all k:Z. 0 <= k => k <= L => all t:R. V(k,t) = T(P(k,t))", right)
    uq = g.have("all k:Z. 0 <= k => k <= L => all t:R. U(L-k,t) = T(Q(L-k,t))", left)
    g.fix("l", "t")
    g.split(g.assume())
    now = g.assume()
    v = g.apply(g.apply(vp, "l - 1", n=2), "t")
    u = g.apply(g.apply(uq, "L - l", n=2), "t")
    u = g.have("U(l,t) = T(Q(l,t))", lambda q: q.nc((u, 1, None, None)))
    through = g.lemma(
        "shin2025.eq-lemma9-derivative",
        "part:product-through-a-layer",
        *["d", "L", "W", "P", "Q"],
        by=[lambda q: q.close_by("prods")],
    )
    through = g.apply(g.apply(through, "L - l", n=2), "t")
    step = g.apply(ps, "l - 1", "t")
    whole = g.have(
        "Q(l,t) @ W(l,t) @ P(l-1,t) = P(L,t)",
        lambda q: q.nc((through, 1, None, None), (step, "-1", "Q(l,t)", None)),
    )
    diff = "(W'(l,t) + T(Q(l,t)) @ R(t) @ T(P(l-1,t)))"
    x = g.apply("flow", "l", "t", diff)
    m = g.differentiate("s", LOSS.format(x=f"(W(l,t) + s*{diff})"), "0")
    inner = g.lemma("shin2025.eq-3", "part:frobenius-inner", "d", "d", "R(t)", f"Q(l,t) @ {diff} @ P(l-1,t)")
    z = g.obtain(
        g.have(
            f"ex Z:M(d,d). Z = Q(l,t) @ {diff} @ P(l-1,t)", lambda q: (q.witness(f"Q(l,t) @ {diff} @ P(l-1,t)"), q.refl())[-1]
        ),
        "Z",
    )[0]
    inner = g.have(
        "tr(T(R(t)) @ Z) = sum(i, 1, d, sum(j, 1, d, R(t)[i,j]*Z[i,j]))", lambda q: (q.rewrite(z), q.close_by(inner))[-1]
    )

    def row(g: Goal) -> None:
        i = g.fix()[0]
        g.split(g.assume())

        def others(g: Goal) -> None:
            j = g.fix()[0]
            g.split(g.assume())
            ne = g.assume()
            g.have(f"{i} != {j}", lambda g: swapped(g, ne))
            off = g.apply(g.split(g.apply("diagonal", i, j, "t"))[1])
            g.field((off, f"Z[{i},{j}]"))

        s = g.by_fact("sum_delta", 1, "d", i, f"lam j:Z. R(t)[{i},j]*Z[{i},j]", by=[None, None, others])
        on = g.apply(g.split(g.apply("diagonal", i, i, "t"))[0], by=[lambda q: q.refl()])
        g.field((s, "1"), (on, f"Z[{i},{i}]"))

    rows = g.by_fact("sum_ext", 1, "d", "lam i:Z. sum(j, 1, d, R(t)[i,j]*Z[i,j])", "lam i:Z. (P(L,t)[i,i] - ws)*Z[i,i]", by=[row])

    def derivative(g: Goal) -> None:
        g.rewrite(m)
        g.rewrite(whole, back=True)
        g.rewrite(z)
        g.field()

    d = g.have(f"D(s, {LOSS.format(x=f'(W(l,t) + s*{diff})')}, 0) = sum(i, 1, d, (P(L,t)[i,i] - ws)*Z[i,i])", derivative)

    def final(g: Goal) -> None:
        one = g.have(
            f"tr(T({diff}) @ {diff}) = tr(T(W'(l,t)) @ {diff}) + tr(T(R(t)) @ (Q(l,t) @ {diff} @ P(l-1,t)))", lambda q: q.field()
        )
        two = g.have(f"tr(T(R(t)) @ (Q(l,t) @ {diff} @ P(l-1,t))) = tr(T(R(t)) @ Z)", lambda q: (q.rewrite(z), q.refl())[-1])
        g.rewrite(one)
        g.rewrite(two)
        g.rewrite(x)
        g.rewrite(d)
        g.field((inner, "1"), (rows, "1"))

    total = g.have(f"tr(T({diff}) @ {diff}) = 0", lambda q: final(q))
    o = g.by_fact("frobenius_zero", "d", "d", diff, by=[lambda q: q.close_by(total)])
    g.rewrite(u)
    g.rewrite(v)
    g.nc((o, 1, None, None))
    del now
