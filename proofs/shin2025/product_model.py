"""Section 2: factors of different widths, what their products can be, and the gradient flow of a factor of any shape.

Factors of different shapes are N x N matrices whose entries outside the upper left block of their shape vanish.
"""

from __future__ import annotations

from proofs.shin2025.decoupled_factors import last, vanishing_sum
from verify.kernel import Goal
from verify.registry import holds, part

PLACE = "1 <= i and i <= N and 1 <= j and j <= N"
LAYER = "1 <= l and l <= L"
WIDTHS = "w(0) = d => w(L) = d => (all l:Z. 0 <= l and l <= L => {low} <= w(l) and w(l) <= N)"
SUPPORTED = f"(all l i j:Z. {LAYER} => {PLACE} => w(l) < i or w(l-1) < j => W(l)[i,j] = 0)"
PRODUCT = "(P(1) = W(1) and (all l:Z. 1 <= l and l < L => P(l+1) = W(l+1) @ P(l)))"


@holds(
    "shin2025.def-product-model",
    f"""all d L N:Z, w:Z->Z, W P:Z->M(N,N). 1 <= L => {WIDTHS.format(low="1")} => {SUPPORTED} => {PRODUCT} =>
        (all l i j:Z. {LAYER} => {PLACE} => w(l) < i or d < j => P(l)[i,j] = 0) and
        (all l i j:Z. 1 <= l and l < L => {PLACE} => P(l+1)[i,j] = sum(k, 1, w(l), W(l+1)[i,k]*P(l)[k,j])) and
        (L = 2 => P(L) = W(2) @ W(1))""",
    argument="sound",
    reading="well-formed: the products W_l ... W_1 of factors of the shapes d_l x d_(l-1) exist, have the shape d_l x d, and "
    "their entries are sums over the inner width; W_(L:1) = P(L) is d x d",
    context=(
        "a definition [the claim itself]; a matrix of the shape r x c is given as an N x N matrix that vanishes outside "
        "its upper left block [encoding]"
    ),
)
def products_have_the_outer_shape(g: Goal) -> None:
    """By induction over the layers: beyond the widths every term of the sum vanishes."""
    g.fix()
    for name in ("depth", "low", "high", "widths", "support"):
        g.assume(name)
    base, step = g.split(g.assume("products"))

    def shape(g: Goal) -> None:
        g.induct("l", "ih")
        g.assume("top")
        g.fix("i", "j")
        g.split(g.assume("place"))
        g.assume("beyond")

        def first(g: Goal) -> None:
            before = last(g)
            eq = g.have("l = 1", lambda q: q.antisym(lambda c: c.close_by(before), None))
            g.rewrite(eq)
            g.rewrite(base)
            s = g.apply("support", "1", "i", "j", n=2)
            move = [
                g.have("w(1) = w(l)", lambda q: (q.rewrite(eq), q.refl())[-1]),
                g.have("w(1 - 1) = d", lambda q: q.exact("low")),
            ]
            either = g.have(
                "w(1) < i or w(1 - 1) < j",
                lambda q: q.cases(
                    "beyond",
                    lambda q: side(q, 0, move[0]),
                    lambda q: side(q, 1, move[1]),
                ),
            )
            g.close_by(g.apply(s, by=[lambda q: q.close_by(either)]))

        def side(g: Goal, which: int, eq: str) -> None:
            h = last(g)
            g.left_or_right(which)
            g.rewrite(eq)
            g.close_by(h)

        def later(g: Goal) -> None:
            g.have("2 <= l", lambda q: (q.by_fact("int_lt", "1", "l"), q.auto())[-1])
            law = g.apply(step, "l - 1")
            now = g.have("P(l) = W(l) @ P(l-1)", lambda q: q.nc((law, 1, None, None)))
            g.rewrite(now)
            g.rewrite(g.apply(g.fact("mm_entry", "N", "N", "N", "W(l)", "P(l-1)"), "i", "j"))

            def term(g: Goal) -> None:
                k = list(g.seq.ctx)[-1]

                def row(g: Goal) -> None:
                    h = last(g)
                    z = g.apply("support", "l", "i", k, by=[None, None, lambda q: (q.left_or_right(0), q.close_by(h))[-1]])
                    g.field((z, f"P(l-1)[{k},j]"))

                def column(g: Goal) -> None:
                    h = last(g)
                    z = g.apply("ih", "l - 1", n=2)
                    z = g.apply(z, k, "j", by=[None, lambda q: (q.left_or_right(1), q.close_by(h))[-1]])
                    g.field((z, f"W(l)[i,{k}]"))

                g.cases("beyond", row, column)

            vanishing_sum(g, term)

        g.em("l <= 1", first, later)

    inner = g.have("all l:Z. 1 <= l => l <= L => all i j:Z. " + f"{PLACE} => w(l) < i or d < j => P(l)[i,j] = 0", shape)

    def shapes(g: Goal) -> None:
        g.fix("l", "i", "j")
        g.split(g.assume())
        p = g.assume()
        b = g.assume()
        g.close_by(g.apply(g.apply(inner, "l", n=2), "i", "j", by=[lambda q: q.close_by(p), lambda q: q.close_by(b)]))

    def entries(g: Goal) -> None:
        g.fix("l", "i", "j")
        g.split(g.assume())
        g.split(g.assume())
        g.rewrite(g.apply(step, "l"))
        whole = g.apply(g.fact("mm_entry", "N", "N", "N", "W(l+1)", "P(l)"), "i", "j")
        g.split(g.apply("widths", "l"))
        body = "W(l+1)[i,k]*P(l)[k,j]"
        parts = g.fact("sum_split", 1, "w(l)", "N", f"lam k:Z. {body}")
        cut = g.apply(parts)

        def term(g: Goal) -> None:
            k = list(g.seq.ctx)[-1]
            g.have(f"w(l) < {k}", lambda q: q.nlin())
            z = g.apply(g.apply(inner, "l", n=2), k, "j", by=[None, lambda q: (q.left_or_right(0), q.auto())[-1]])
            g.field((z, f"W(l+1)[i,{k}]"))

        rest = g.have(f"sum(k, w(l) + 1, N, {body}) = 0", lambda q: vanishing_sum(q, term))
        g.field((whole, "1"), (cut, "1"), (rest, "1"))

    def two(g: Goal) -> None:
        two = g.assume()
        g.rewrite(two)
        law = g.apply(step, "1")
        g.nc((law, 1, None, None), (base, 1, "W(2)", None))

    g.conj(shapes, entries, two)


@holds(
    "shin2025.assertion-overparam",
    f"""all d L N:Z, w:Z->Z, M:M(N,N). 1 <= d => 1 <= L => {WIDTHS.format(low="d")} =>
        (all i j:Z. {PLACE} => d < i or d < j => M[i,j] = 0) =>
        ex W P:Z->M(N,N). {SUPPORTED} and {PRODUCT} and P(L) = M""",
    argument="sound",
    reading="every d x d matrix M is the product of factors of the shapes d_l x d_(l-1)",
    context="a matrix of the shape r x c is given as an N x N matrix that vanishes outside its upper left block [encoding]",
)
def every_matrix_is_a_product(g: Goal) -> None:
    """The first factor is M, all others are the identity on the first d coordinates."""
    g.fix()
    for name in ("size", "depth", "low", "high", "widths", "target"):
        g.assume(name)
    unit = g.obtain(
        g.have(
            f"ex E:M(N,N). (all i j:Z. {PLACE} => i <= d => E[i,j] = I(N)[i,j]) and"
            f" (all i j:Z. {PLACE} => d < i or d < j => E[i,j] = 0)",
            block,
        ),
        "E",
    )
    first = g.obtain(g.fact("piecewise", 1, "lam x:Z. 1", "lam x:Z. 0"), "f", split=False)[0]
    g.witness("lam l:Z. f(l)*M + (1 - f(l))*E", "lam l:Z. M")

    def support(g: Goal) -> None:
        g.fix("l", "i", "j")
        g.split(g.assume())
        g.split(p := g.assume())
        beyond = g.assume()
        g.split(g.apply("widths", "l"))
        g.split(g.apply("widths", "l - 1"))

        def far(g: Goal, side: int) -> None:
            h = last(g)
            g.left_or_right(side)
            g.nlin(use=[h, *[x for x, f in g.seq.hyps.items() if f[0] == "<=" and "w" in str(f)]])

        out = g.have("d < i or d < j", lambda q: q.cases(beyond, lambda q: far(q, 0), lambda q: far(q, 1)))
        z = g.apply("target", "i", "j", by=[lambda q: q.close_by(p), lambda q: q.close_by(out)])
        e = g.apply(unit[1], "i", "j", by=[lambda q: q.close_by(p), lambda q: q.close_by(out)])
        g.field((z, "f(l)"), (e, "1 - f(l)"))

    def product(g: Goal) -> None:
        def start(g: Goal) -> None:
            one = g.apply(g.split(g.apply(first, "1"))[0])
            g.nc(rw=[one])

        def step(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            zero = g.apply(g.split(g.apply(first, "l + 1"))[1])
            same = g.have("E @ M = M", times)
            g.nc((same, "-1", None, None), rw=[zero])

        g.conj(start, step)

    def times(g: Goal) -> None:
        g.extn("i", "j")
        g.rewrite(g.apply(g.fact("mm_entry", "N", "N", "N", "E", "M"), "i", "j"))

        def inside(g: Goal) -> None:
            def others(g: Goal) -> None:
                k = g.fix()[0]
                g.split(g.assume())
                g.assume()
                g.have(f"i != {k}")
                e = g.apply(unit[0], "i", k)
                g.field((e, f"M[{k},j]"))

            s = g.by_fact("sum_delta", 1, "N", "i", "lam k:Z. E[i,k]*M[k,j]", by=[None, None, others])
            e = g.apply(unit[0], "i", "i")
            g.field((s, "1"), (e, "M[i,j]"))

        def outside(g: Goal) -> None:
            h = last(g)
            z = g.apply("target", "i", "j", by=[None, lambda q: (q.left_or_right(0), q.close_by(h))[-1]])

            def term(g: Goal) -> None:
                k = list(g.seq.ctx)[-1]
                e = g.apply(unit[1], "i", k, by=[None, lambda q: (q.left_or_right(0), q.close_by(h))[-1]])
                g.field((e, f"M[{k},j]"))

            s = g.have("sum(k, 1, N, E[i,k]*M[k,j]) = 0", lambda q: vanishing_sum(q, term))
            g.field((s, "1"), (z, "-1"))

        g.em("i <= d", inside, outside)

    g.conj(support, product, lambda g: g.refl())


def block(g: Goal) -> None:
    """The identity on the first d coordinates."""
    cut = g.obtain(g.fact("piecewise", "d", "lam x:Z. 1", "lam x:Z. 0"), "h", split=False)[0]
    e = g.obtain(g.fact("matrix_of_entries", "N", "N", "lam i:Z, j:Z. h(i)*h(j)*I(N)[i,j]"), "E", split=False)[0]
    g.witness("E")

    def inside(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume())
        g.assume()
        v = g.apply(e, "i", "j")
        one = g.apply(g.split(g.apply(cut, "i"))[0])

        def same(g: Goal) -> None:
            eq = last(g)
            also = g.have("h(j) = 1", lambda q: (q.rewrite(q.have("j = i", lambda c: c.field((eq, -1)))), q.close_by(one))[-1])
            g.field((v, "1"), (one, "h(j)*I(N)[i,j]"), (also, "I(N)[i,j]"))

        g.em("i = j", same, lambda q: q.field((v, "1")))

    def outside(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume())
        b = g.assume()
        v = g.apply(e, "i", "j")

        def one(g: Goal, x: str, y: str) -> None:
            z = g.apply(g.split(g.apply(cut, x))[1])
            g.field((v, "1"), (z, f"h({y})*I(N)[i,j]"))

        g.cases(b, lambda q: one(q, "i", "j"), lambda q: one(q, "j", "i"))

    g.conj(inside, outside)


@part(
    "shin2025.eq-3",
    "frobenius-inner",
    "all m n:Z, H X:M(m,n). tr(T(H) @ X) = sum(i, 1, m, sum(j, 1, n, H[i,j]*X[i,j]))",
    says="the Frobenius inner product by entries",
)
def frobenius_inner_product(g: Goal) -> None:
    """The trace is the sum of the diagonal entries; exchange the sums."""
    g.fix()
    t = g.fact("tr_entries", "n", "T(H) @ X")

    def each(g: Goal) -> None:
        j = g.fix()[0]
        g.split(g.assume())
        g.rewrite(g.apply(g.fact("mm_entry", "n", "m", "n", "T(H)", "X"), j, j))
        g.field()

    s = g.by_fact("sum_ext", 1, "n", "lam j:Z. (T(H) @ X)[j,j]", "lam j:Z. sum(i, 1, m, H[i,j]*X[i,j])", by=[each])
    w = g.fact("sum_swap", 1, "m", 1, "n", "lam i:Z, j:Z. H[i,j]*X[i,j]")
    g.field((t, "1"), (s, "1"), (w, "-1"))


LOSS = "1/2*sum(i, 1, d, sum(j, 1, d, Om[i,j]*((Q(t) @ {x} @ P(t))[i,j] - Ws[i,j])^2))"
RESIDUAL = "had(Om, Q(t) @ W(t) @ P(t) - Ws)"


@holds(
    "shin2025.eq-3",
    f"""all d a b:Z, Om Ws:M(d,d), Q:R~>M(d,a), W:R~>M(a,b), P:R~>M(b,d).
        (all t:R, E:M(a,b). 0 <= t => tr(T(W'(t)) @ E) = -D(s, {LOSS.format(x="(W(t) + s*E)")}, 0)) <=>
        (all t:R. 0 <= t => W'(t) = -(T(Q(t)) @ {RESIDUAL} @ T(P(t))))""",
    argument="sound",
    reading="the partial gradient of the objective (2) with respect to one factor W of any shape exists, its inner product with "
    "a direction E being the derivative of the objective at W + s E; the flow (3) of that factor is the matrix equation. "
    "Q and P are the products of the factors left and right of W, Om is the indicator of the observations",
    context="a definition [the claim itself]",
)
def flow_of_a_factor(g: Goal) -> None:
    """The derivative is <Q^T R P^T, E>; two matrices with the same inner products with all E are equal."""
    g.fix()
    inner_form = f"tr(T({RESIDUAL}) @ (Q(t) @ E @ P(t)))"

    def gradient(g: Goal) -> None:
        g.fix("t", "E")
        m = g.differentiate("s", LOSS.format(x="(W(t) + s*E)"), "0")
        k = g.lemma("shin2025.eq-3", "part:frobenius-inner", "d", "d", RESIDUAL, "Q(t) @ E @ P(t)")
        rows = g.have(
            f"sum(i, 1, d, sum(j, 1, d, {RESIDUAL}[i,j]*(Q(t) @ E @ P(t))[i,j])) = D(s, {LOSS.format(x='(W(t) + s*E)')}, 0)",
            lambda q: (q.rewrite(m), q.field())[-1],
        )
        g.field((k, "1"), (rows, "1"))

    grad = g.have(f"all t:R, E:M(a,b). {inner_form} = D(s, {LOSS.format(x='(W(t) + s*E)')}, 0)", gradient)

    def forward(g: Goal) -> None:
        flow = g.assume()
        g.fix("t")
        g.assume()
        diff = f"(W'(t) + T(Q(t)) @ {RESIDUAL} @ T(P(t)))"
        x = g.apply(flow, "t", diff)
        y = g.apply(grad, "t", diff)
        z = g.have(f"tr(T({diff}) @ {diff}) = 0", lambda q: q.field((x, "1"), (y, "1")))
        o = g.by_fact("frobenius_zero", "a", "b", diff, by=[lambda q: q.close_by(z)])
        g.nc((o, 1, None, None))

    def backward(g: Goal) -> None:
        flow = g.assume()
        g.fix("t", "E")
        g.assume()
        x = g.apply(flow, "t")
        y = g.apply(grad, "t", "E")
        g.rewrite(x)
        g.field((y, "-1"))

    g.iff(forward, backward)
