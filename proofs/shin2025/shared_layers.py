"""Section 3.2 and Appendix D: gradients of the entries of the product with respect to the entries of a factor."""

from __future__ import annotations

from proofs.shin2025.diagonal_flow import PRODUCTS
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

UNIT = "(all a b:Z. 1 <= a and a <= {m} and 1 <= b and b <= {n} => E[a,b] = I({m})[a,{i}]*I({n})[b,{j}])"
"""E is the m x n matrix with a one at (i, j) and zeros elsewhere."""


@part(
    "shin2025.eq-d2-derivative",
    "sandwich",
    f"""all d m n i j p q:Z, X:M(d,m), E:M(m,n), Y:M(n,d). 1 <= i => i <= m => 1 <= j => j <= n =>
    {UNIT.format(m="m", n="n", i="i", j="j")} =>
        (X @ E @ Y)[p,q] = X[p,i]*Y[j,q]""",
    says="An entry of X E Y, where E has a single one at (i, j).",
)
def one_entry_between_two_matrices(g: Goal) -> None:
    """Of the double sum one term remains."""
    g.fix()
    for name in ("i_lo", "i_hi", "j_lo", "j_hi", "unit"):
        g.assume(name)
    z = g.obtain(g.have("ex Z:M(d,n). Z = X @ E", lambda g: (g.witness("X @ E"), g.refl())), "Z")[0]
    g.replace("X @ E @ Y", "Z @ Y", lambda g: g.nc((z, -1, None, "Y")))
    whole = g.apply(g.fact("mm_entry", "d", "n", "d", "Z", "Y"), "p", "q")
    left = g.fact("mm_entry", "d", "m", "n", "X", "E")
    outer = g.fact("sum_delta", 1, "n", "j", "lam b:Z. Z[p,b]*Y[b,q]")

    def inner_value(g: Goal, b: str, equal: bool) -> str:
        """(X E)[p,b] is X[p,i] for b = j and 0 otherwise."""
        e = g.apply(left, "p", b)
        k = g.fact("sum_delta", 1, "m", "i", f"lam a:Z. X[p,a]*E[a,{b}]")

        def others(g: Goal) -> None:
            g.fix("a")
            g.split(g.assume())
            g.assume()
            u = g.apply("unit", "a", b)
            g.field((u, "X[p,a]"))

        total = g.apply(k, by=[None, None, others])
        u = g.apply("unit", "i", b)
        return g.have(
            f"Z[p,{b}] = {'X[p,i]' if equal else '0'}", lambda g: (g.rewrite(z), g.rewrite(e), g.field((total, 1), (u, "X[p,i]")))
        )

    def others(g: Goal) -> None:
        g.fix("b")
        g.split(g.assume())
        g.assume()
        h = inner_value(g, "b", False)
        g.field((h, "Y[b,q]"))

    total = g.apply(outer, by=[None, None, others])
    h = inner_value(g, "j", True)
    g.field((whole, 1), (total, 1), (h, "Y[j,q]"))


LINE = "(all k:Z, t:R. 1 <= k and k <= L and k != l => W(k,t) = W(k,0)) and (all t:R. W(l,t) = W(l,0) + t*E)"
"""Along the line with parameter t only the entry (i, j) of W_l moves."""


@part(
    "shin2025.eq-d2-derivative",
    "factored",
    f"""all d L l:Z, W P Q:(Z,R)~>M(d,d), E:M(d,d). 1 <= l => l <= L => {PRODUCTS} => {LINE} =>
        all t:R. P(L,t) = Q(l,0) @ (W(l,0) + t*E) @ P(l-1,0)""",
    says="W_{L:1} is the product of W_l with products of the other factors.",
)
def product_split_at_a_layer(g: Goal) -> None:
    """The products right and left of layer l do not move (induction); P(L) = Q(k) P(k) for every k (induction from k = L
    down)."""
    g.fix()
    for name in ("l_lo", "l_hi", "products", "line"):
        g.assume(name)
    p0, ps, q0, qs = g.split_all("products")
    still, moves = g.split("line")
    g.fix("t")

    def right(g: Goal) -> None:
        g.induct("k", "ih")
        g.assume("top")

        def none(g: Goal) -> None:
            g.rewrite(g.have("k = 0", lambda g: g.antisym()))
            a = g.apply(p0, "t")
            b = g.apply(p0, "0")
            g.nc((a, 1, None, None), (b, -1, None, None))

        def more(g: Goal) -> None:
            g.apply(g.fact("int_lt", "0", "k"))
            before = g.apply("ih", "k - 1")
            a = g.apply(ps, "k - 1", "t")
            b = g.apply(ps, "k - 1", "0")
            g.have("k != l", lambda g: g.condition())
            w = g.apply(still, "k", "t")
            g.nc((a, 1, None, None), (b, -1, None, None), (w, 1, None, "P(k-1,t)"), (before, 1, "W(k,0)", None))

        g.em("k <= 0", none, more)

    h = g.have("all k:Z. 0 <= k => k <= l - 1 => P(k,t) = P(k,0)", right)
    below = g.apply(h, "l - 1")

    def left(g: Goal) -> None:
        g.induct("k", "ih")
        g.assume("top")

        def none(g: Goal) -> None:
            eq = g.have("k = 0", lambda g: g.antisym())
            g.replace("L - k", "L", lambda g: g.field((eq, -1)))
            a = g.apply(q0, "t")
            b = g.apply(q0, "0")
            g.nc((a, 1, None, None), (b, -1, None, None))

        def more(g: Goal) -> None:
            g.apply(g.fact("int_lt", "0", "k"))
            before = g.apply("ih", "k - 1")
            a = g.apply(qs, "L - k", "t")
            b = g.apply(qs, "L - k", "0")
            g.have("L - k + 1 != l", lambda g: g.condition())
            w = g.apply(still, "L - k + 1", "t")
            g.nc((a, 1, None, None), (b, -1, None, None), (w, 1, "Q(L-k+1,t)", None), (before, 1, None, "W(L-k+1,0)"))

        g.em("k <= 0", none, more)

    h = g.have("all k:Z. 0 <= k => k <= L - l => Q(L-k,t) = Q(L-k,0)", left)
    above = g.apply(h, "L - l")

    def telescope(g: Goal) -> None:
        g.induct("k", "ih")
        g.assume("top")

        def none(g: Goal) -> None:
            eq = g.have("k = 0", lambda g: g.antisym())
            g.replace("L - k", "L", lambda g: g.field((eq, -1)))
            a = g.apply(q0, "t")
            g.nc(rw=[a])

        def more(g: Goal) -> None:
            g.apply(g.fact("int_lt", "0", "k"))
            before = g.apply("ih", "k - 1")
            a = g.apply(qs, "L - k", "t")
            b = g.apply(ps, "L - k", "t")
            g.nc((before, 1, None, None), (a, -1, None, "P(L-k,t)"), (b, 1, "Q(L-k+1,t)", None))

        g.em("k <= 0", none, more)

    h = g.have("all k:Z. 0 <= k => k <= L => P(L,t) = Q(L-k,t) @ P(L-k,t)", telescope)
    split = g.apply(h, "L - l")
    step = g.apply(ps, "l - 1", "t")
    w = g.apply(moves, "t")
    g.nc(
        (split, 1, None, None),
        (step, 1, "Q(l,t)", None),
        (w, 1, "Q(l,t)", "P(l-1,t)"),
        (above, 1, None, "(W(l,0) + t*E) @ P(l-1,t)"),
        (below, 1, "Q(l,0) @ (W(l,0) + t*E)", None),
    )


GRADIENT = "Q(l,0)[p,i]*P(l-1,0)[j,q]"


@holds(
    "shin2025.eq-d2-derivative",
    f"""all d L l i j:Z, W P Q:(Z,R)~>M(d,d), E Om Ws:M(d,d). 1 <= l => l <= L => 1 <= i => i <= d => 1 <= j => j <= d =>
        {PRODUCTS} => {LINE} => {UNIT.format(m="d", n="d", i="i", j="j")} =>
        (all p q:Z. 1 <= p and p <= d and 1 <= q and q <= d => D(t, P(L,t)[p,q], 0) = {GRADIENT}) and
        -D(t, 1/2*sum(p, 1, d, sum(q, 1, d, Om[p,q]*(P(L,t)[p,q] - Ws[p,q])^2)), 0)
          = -sum(p, 1, d, sum(q, 1, d, Om[p,q]*(P(L,0)[p,q] - Ws[p,q])*({GRADIENT})))""",
    argument="sound",
    reading="the partial derivative is the derivative along the line on which only the entry (i, j) of W_l moves, W_l + t E;"
    " Om is the indicator"
    " matrix of the observations, and by (3) the velocity of an entry is minus the partial derivative of (2). Square factors",
    covers="all",
)
def gradient_of_an_entry_of_the_product(g: Goal) -> None:
    """Along the line the product is Q(l) (W_l + t E) P(l-1), linear in t; the loss by the chain rule."""
    g.fix()
    for name in ("l_lo", "l_hi", "i_lo", "i_hi", "j_lo", "j_hi", "products", "line", "unit"):
        g.assume(name)

    def lam_line(g: Goal) -> None:
        g.close_by("line")

    formula = g.lemma(
        "shin2025.eq-d2-derivative",
        "part:factored",
        *["d", "L", "l", "W", "P", "Q", "E"],
        by=[None, None, lambda g: g.close_by("products"), lam_line],
    )
    k = g.fact("derivative_agrees_matrix", "d", "d", "0", "lam t:R. P(L,t)", "lam t:R. Q(l,0) @ (W(l,0) + t*E) @ P(l-1,0)")

    def agree(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.close_by(g.apply(formula, "t"))

    same = g.apply(g.apply(k, by=[None, agree]), "0")
    velocity = g.have("P'(L,0) = Q(l,0) @ E @ P(l-1,0)", lambda g: g.nc((same, 1, None, None)))

    def entries(g: Goal) -> None:
        g.fix("p", "q")
        g.assume()
        s = g.lemma(
            "shin2025.eq-d2-derivative",
            "part:sandwich",
            *["d", "d", "d", "i", "j", "p", "q"],
            "Q(l,0)",
            "E",
            "P(l-1,0)",
            by=[None] * 5,
        )
        e = g.have("P'(L,0)[p,q] = (Q(l,0) @ E @ P(l-1,0))[p,q]", lambda g: (g.rewrite(velocity), g.refl()))
        d = g.have("D(t, P(L,t)[p,q], 0) = P'(L,0)[p,q]", lambda g: g.field())
        g.field((d, 1), (e, 1), (s, 1))

    one = g.have(f"all p q:Z. 1 <= p and p <= d and 1 <= q and q <= d => D(t, P(L,t)[p,q], 0) = {GRADIENT}", entries)

    def loss(g: Goal) -> None:
        def term(g: Goal) -> None:
            g.fix("p")
            g.split(g.assume())
            k = g.fact(
                "sum_ext",
                1,
                "d",
                "lam q:Z. Om[p,q]*(P(L,0)[p,q] - Ws[p,q])*P'(L,0)[p,q]",
                f"lam q:Z. Om[p,q]*(P(L,0)[p,q] - Ws[p,q])*({GRADIENT})",
            )

            def inner(g: Goal) -> None:
                g.fix("q")
                g.split(g.assume())
                h = g.apply(one, "p", "q")
                d = g.have("D(t, P(L,t)[p,q], 0) = P'(L,0)[p,q]", lambda g: g.field())
                g.field((h, "Om[p,q]*(P(L,0)[p,q] - Ws[p,q])"), (d, "-Om[p,q]*(P(L,0)[p,q] - Ws[p,q])"))

            g.close_by(g.apply(k, by=[inner]))

        k = g.fact(
            "sum_ext",
            1,
            "d",
            "lam p:Z. sum(q, 1, d, Om[p,q]*(P(L,0)[p,q] - Ws[p,q])*P'(L,0)[p,q])",
            f"lam p:Z. sum(q, 1, d, Om[p,q]*(P(L,0)[p,q] - Ws[p,q])*({GRADIENT}))",
        )
        total = g.apply(k, by=[term])
        g.field((total, -1))

    g.conj(lambda g: g.close_by(one), loss)


@holds(
    "shin2025.eq-d1-depth3-entries",
    """all W1 W2 W3:M(2,2).
        (W1 @ W2 @ W3)[1,1] = (W1[1,1]*W2[1,1] + W1[1,2]*W2[2,1])*W3[1,1] + (W1[1,1]*W2[1,2] + W1[1,2]*W2[2,2])*W3[2,1] and
        (W1 @ W2 @ W3)[2,2] = (W1[2,1]*W2[1,1] + W1[2,2]*W2[2,1])*W3[1,2] + (W1[2,1]*W2[1,2] + W1[2,2]*W2[2,2])*W3[2,2]""",
    argument="sound",
)
def entries_of_a_product_of_three(g: Goal) -> None:
    """Multiplied out."""
    g.intro()
    g.conj(lambda g: g.field(), lambda g: g.field())


@holds(
    "shin2025.assertion-shared-middle-layer",
    f"""(all d m n i j k l:Z, W1:M(n,d), W2 E:M(m,n), W3:M(d,m).
          1 <= i and i <= d and 1 <= j and j <= d and 1 <= k and k <= m and 1 <= l and l <= n =>
          (all p q:Z. 1 <= p and p <= d and 1 <= q and q <= m => W3[p,q] != 0) =>
          (all p q:Z. 1 <= p and p <= n and 1 <= q and q <= d => W1[p,q] != 0) => {UNIT.format(m="m", n="n", i="k", j="l")} =>
          D(s, (W3 @ (W2 + s*E) @ W1)[i,j], 0) = W3[i,k]*W1[l,j] and D(s, (W3 @ (W2 + s*E) @ W1)[i,j], 0) != 0) and
        (all d n i j k l:Z, A E:M(d,n), B:M(n,d). 1 <= i and i <= d and 1 <= k and k <= d and 1 <= l and l <= n => i != k =>
          {UNIT.format(m="d", n="n", i="k", j="l")} => D(s, ((A + s*E) @ B)[i,j], 0) = 0) and
        (all d n i j k l:Z, A:M(d,n), B E:M(n,d). 1 <= j and j <= d and 1 <= k and k <= n and 1 <= l and l <= d => j != l =>
          {UNIT.format(m="n", n="d", i="k", j="l")} => D(s, (A @ (B + s*E))[i,j], 0) = 0)""",
    argument="sound",
    reading="the derivative of w_ij with respect to the entry (k, l) of W_2 is not 0 when no entry of W_1 and W_3 is 0; at"
    " depth 2 the derivative"
    " with respect to an entry in another row of A or another column of B is 0",
    uses=["shin2025.eq-d2-derivative"],
)
def middle_layer_enters_every_entry(g: Goal) -> None:
    """The derivative is a product of one entry of W_3 and one of W_1; at depth 2 a unit matrix in another row or column does
    not meet w_ij."""

    def middle(g: Goal) -> None:
        g.fix()
        g.split(g.assume("range"))
        for name in ("left", "right", "unit"):
            g.assume(name)
        s = g.lemma(
            "shin2025.eq-d2-derivative", "part:sandwich", *["d", "m", "n", "k", "l", "i", "j", "W3", "E", "W1"], by=[None] * 5
        )
        z = g.have("D(s, (W3 @ (W2 + s*E) @ W1)[i,j], 0) = (W3 @ E @ W1)[i,j]", lambda g: g.field())
        first = g.have("D(s, (W3 @ (W2 + s*E) @ W1)[i,j], 0) = W3[i,k]*W1[l,j]", lambda g: (g.rewrite(z), g.close_by(s)))
        g.apply("left", "i", "k")
        g.apply("right", "l", "j")
        g.conj(lambda g: g.close_by(first), lambda g: (g.rewrite(first), g.auto()))

    def elsewhere(product: str, x: str, y: str, unit_at: tuple[str, str]) -> Script:
        """The derivative (X Y)[i,j] is 0, where one of X and Y is E, whose entry `unit_at` is 0 for every q."""
        shape = ("d", "n", "d", x, y)
        other = f"{y}[q,j]" if x == "E" else f"{x}[i,q]"

        def term(g: Goal) -> None:
            g.fix("q")
            g.split(g.assume())
            u = g.apply("unit", *unit_at)
            g.field((u, other))

        def script(g: Goal) -> None:
            g.fix()
            g.split(g.assume("range"))
            g.assume()
            g.assume("unit")
            z = g.have(f"D(s, {product}[i,j], 0) = ({x} @ {y})[i,j]", lambda g: g.field())
            g.rewrite(z)
            g.rewrite(g.apply(g.fact("mm_entry", *shape), "i", "j"))
            total = g.by_fact("sum_ext", 1, "n", f"lam q:Z. {x}[i,q]*{y}[q,j]", "lam q:Z. 0", by=[term])
            g.field((total, 1))

        return script

    row = elsewhere("((A + s*E) @ B)", "E", "B", ("i", "q"))
    column = elsewhere("(A @ (B + s*E))", "A", "E", ("q", "j"))
    g.conj(middle, row, column)
