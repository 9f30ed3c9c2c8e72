"""Appendix F.2 and (21): diagonal entries of the product as sums over paths, their gradients, the flow with diagonal
observations."""

from __future__ import annotations

from proofs.shin2025.commutant import moves
from proofs.shin2025.coupling import FACTORS, factors_start_positive
from proofs.shin2025.decoupled_factors import (
    IDENTITY_SETTING,
    factors_are_diagonal,
    introduce,
    last,
    off_diagonal,
    orthogonal_rows,
    swapped,
)
from proofs.shin2025.diagonal_flow import CONTEXT, PRODUCTS, in_setting
from proofs.shin2025.gradients import deep_inner
from verify.kernel import Goal
from verify.registry import holds, part

PATHS = """(all a:Z, c:R. N(1,a,c) = c*W(1,t)[a,i]) and
    (all k a:Z, c:R. 1 <= k and k < L => N(k+1,a,c) = sum(b, 1, d, N(k,b,c*W(k+1,t)[a,b])))"""
"""N(k,a,c) is the sum over i_(k-1), .., i_1 of c (W_k)_(a,i_(k-1)) .. (W_1)_(i_1,i): the indices are chosen from the left, and
c collects the factors passed."""
INSIDE = "1 <= i and i <= d and 1 <= j and j <= d"


@holds(
    "shin2025.eq-f22-expansion",
    f"""all d L i:Z, t:R, W P Q:(Z,R)~>M(d,d), N:(Z,Z,R)->R. 1 <= d => 1 <= L => 1 <= i and i <= d => {PRODUCTS} => {PATHS} =>
        P(L,t)[i,i] = N(L,i,1)""",
    argument="sound",
    reading="N(L,i,1) is the printed nested sum: sums over i_(L-1), .., i_1 from outside in, a term the product of the entries",
)
def diagonal_entry_is_a_sum_over_paths(g: Goal) -> None:
    """By induction N(k,a,c) = c (W_k .. W_1)_(a,i)."""
    g.fix()
    for name in ("size", "depth", "place", "products", "paths"):
        g.assume(name)
    g.split("place")
    p0, ps, _, _ = g.split_all("products")
    base, step = g.split("paths")

    def sums(g: Goal) -> None:
        g.induct("k", "ih")
        g.assume("top")
        g.fix("a", "c")

        def first(g: Goal) -> None:
            low = last(g)
            eq = g.have("k = 1", lambda q: q.antisym(lambda c: c.close_by(low), None))
            g.rewrite(eq)
            b = g.apply(base, "a", "c")
            law, zero = g.apply(ps, "0", "t"), g.apply(p0, "t")
            one = g.have("P(1,t) = W(1,t)", lambda q: q.nc((law, 1, None, None), rw=[zero]))
            g.rewrite(one)
            g.close_by(b)

        def later(g: Goal) -> None:
            g.have("2 <= k", lambda q: (q.by_fact("int_lt", "1", "k"), q.auto())[-1])
            b = g.apply(step, "k - 1", "a", "c")
            now = g.have("N(k,a,c) = sum(b, 1, d, N(k - 1,b,c*W(k,t)[a,b]))", lambda q: q.exact(b))
            law = g.apply(ps, "k - 1", "t")
            prod = g.have("P(k,t) = W(k,t) @ P(k-1,t)", lambda q: q.nc((law, 1, None, None)))
            e = g.apply(g.fact("mm_entry", "d", "d", "d", "W(k,t)", "P(k-1,t)"), "a", "i")

            def term(g: Goal) -> None:
                b = g.fix()[0]
                g.split(g.assume())
                g.rewrite(g.apply(g.apply("ih", "k - 1", n=2), b, f"c*W(k,t)[a,{b}]"))
                g.field()

            s = g.by_fact(
                "sum_ext",
                1,
                "d",
                "lam b:Z. N(k - 1,b,c*W(k,t)[a,b])",
                "lam b:Z. c*(W(k,t)[a,b]*P(k-1,t)[b,i])",
                by=[term],
            )
            g.rewrite(prod)
            g.field((now, "1"), (s, "1"), (e, "-c"))

        g.em("k <= 1", first, later)

    h = g.have("all k:Z. 1 <= k => k <= L => all a:Z, c:R. N(k,a,c) = c*P(k,t)[a,i]", sums)
    h = g.apply(g.apply(h, "L", n=2), "i", "1")
    g.field((h, "-1"))


COMPONENT = "Q(l,0)[i,a]*P(l-1,0)[b,i]"


@holds(
    "shin2025.proof-step-positive-gradient",
    in_setting(
        f"""{FACTORS} and
        (all i l a b:Z. 1 <= i and i <= d => 1 <= l and l <= L => 1 <= a and a <= d and 1 <= b and b <= d =>
            (l = 1 => b != i => {COMPONENT} = 0) and (l = L => a != i => {COMPONENT} = 0) and
            ((l = 1 => b = i) => (l = L => a = i) => 0 < {COMPONENT})) and
        (all i j:Z. {INSIDE} => i != j => 0 < {deep_inner("i", "i", "j", "j").replace(",t)", ",0)")})""",
        extra="3 <= L",
    ),
    argument="sound",
    context=CONTEXT,
    reading="the component of the gradient of w_ii at the entry (a,b) of W_l is (W_L..W_(l+1))_(i,a) (W_(l-1)..W_1)_(b,i); w_ii "
    "depends on the entry (a,b) of W_l unless l = 1 and b != i, or l = L and a != i",
    uses=["shin2025.prop-3-deep-coupled"],
)
def gradients_are_positive_where_the_entry_depends(g: Goal) -> None:
    """The initial factors have positive entries, and so have the partial products."""
    g.fix()
    for name in ("size", "two_layers", "target", "scale", "ratio", "products", "flow", "initial", "depth"):
        g.assume(name)
    g.have("1 <= d")
    g.have("1 <= L")

    factors_start_positive(g)
    args = ["d", "L", "W", "P", "Q"]
    close = lambda h: lambda g: g.close_by(h)  # noqa: E731
    inner = g.lemma("shin2025.prop-3-deep-coupled", "part:positive-inner-products", *args, by=[None] * 4)
    ps, qs = g.split(g.lemma("shin2025.prop-3-deep-coupled", "part:positive-partial-products", *args, by=[None] * 4))
    p0, _, q0, _ = g.split_all("products")

    def right(g: Goal, l: str) -> str:  # noqa: E741
        """P(l-1) at the first layer is the identity."""
        one = last(g)
        z = g.apply(p0, "0")
        return g.have("P(l-1,0) = I(d)", lambda q: (q.replace("l - 1", "0", lambda c: c.field((one, 1))), q.close_by(z))[-1])

    def left(g: Goal) -> str:
        """Q(l) at the last layer is the identity."""
        top = last(g)
        z = g.apply(q0, "0")
        return g.have("Q(l,0) = I(d)", lambda q: (q.rewrite(top), q.close_by(z))[-1])

    def components(g: Goal) -> None:
        g.fix("i", "l", "a", "b")
        for _ in range(3):
            g.split(g.assume())

        def first(g: Goal) -> None:
            g.assume()
            e = right(g, "l")
            g.assume()
            g.rewrite(e)
            g.field()

        def final(g: Goal) -> None:
            g.assume()
            e = left(g)
            ne = g.assume()
            g.have("i != a", lambda g: swapped(g, ne))
            g.rewrite(e)
            g.field()

        def sign(g: Goal) -> None:
            at_one, at_top = g.assume(), g.assume()

            def p_positive(g: Goal) -> None:
                def one(g: Goal) -> None:
                    low = last(g)
                    eq = g.have("l = 1", lambda q: q.antisym(lambda c: c.close_by(low), None))
                    b = g.apply(at_one, by=[close(eq)])
                    g.have("l = 1", close(eq))
                    g.rewrite(right(g, "l"))
                    g.rewrite(b)
                    g.replace("I(d)[i,i]", "1", lambda q: q.field())
                    g.auto()

                def more(g: Goal) -> None:
                    g.have("2 <= l", lambda q: (q.by_fact("int_lt", "1", "l"), q.auto())[-1])
                    g.close_by(g.apply(g.apply(ps, "l - 1", n=2), "b", "i"))

                g.em("l <= 1", one, more)

            def q_positive(g: Goal) -> None:
                def top(g: Goal) -> None:
                    high = last(g)
                    eq = g.have("l = L", lambda q: q.antisym(None, lambda c: c.close_by(high)))
                    a = g.apply(at_top, by=[close(eq)])
                    g.have("l = L", close(eq))
                    g.rewrite(left(g))
                    g.rewrite(a)
                    g.replace("I(d)[i,i]", "1", lambda q: q.field())
                    g.auto()

                def below(g: Goal) -> None:
                    g.have("l + 1 <= L", lambda q: (q.by_fact("int_lt", "l", "L"), q.auto())[-1])
                    k = g.apply(g.apply(qs, "L - l", n=2), "i", "a")
                    g.exact(k)

                g.em("L <= l", top, below)

            p = g.have("0 < P(l-1,0)[b,i]", p_positive)
            q = g.have("0 < Q(l,0)[i,a]", q_positive)
            g.pos([f"@{p}", f"@{q}"])

        g.conj(first, final, sign)

    def products(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume())
        g.assume()
        g.close_by(g.apply(inner, "i", "i", "j", "j"))

    g.conj(close("factors"), components, products)


@part(
    "shin2025.eq-f23-product",
    "diagonal-factors",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d), t:R. 1 <= L => {PRODUCTS} =>
        (all l:Z. 1 <= l and l <= L => {off_diagonal("W(l,t)")}) =>
        all k:Z. 0 <= k => k <= L => all i j:Z. {INSIDE} =>
            (i = j => P(k,t)[i,j] = prod(l, 1, k, W(l,t)[i,i])) and (i != j => P(k,t)[i,j] = 0)""",
    says="A product of diagonal factors is diagonal, with the products of the diagonal entries.",
)
def products_of_diagonal_factors(g: Goal) -> None:
    """Induction; of the sum over the inner index one term remains."""
    g.fix()
    g.assume("depth")
    p0, ps, _, _ = g.split_all(g.assume("products"))
    g.assume("factors")
    g.induct("k", "ih")
    g.assume("top")
    g.fix("i", "j")
    place = g.assume()
    g.split(place)

    def none(g: Goal) -> None:
        low = last(g)
        zero = g.have("k = 0", lambda q: q.antisym(lambda c: c.close_by(low), None))
        g.rewrite(zero)
        g.rewrite(g.apply(p0, "t"))

        def same(g: Goal) -> None:
            eq = g.assume()
            g.rewrite(eq)
            e = g.by_fact("prod_empty", 1, 0, "lam l:Z. W(l,t)[j,j]")
            g.rewrite(e)
            g.field()

        g.conj(same, lambda g: (g.assume(), g.field())[-1])

    def more(g: Goal) -> None:
        g.have("1 <= k", lambda q: (q.by_fact("int_lt", "0", "k"), q.auto())[-1])
        before = g.apply("ih", "k - 1", n=3)
        law = g.apply(ps, "k - 1", "t")
        now = g.have("P(k,t) = W(k,t) @ P(k-1,t)", lambda q: q.nc((law, 1, None, None)))
        g.rewrite(now)
        e = g.apply(g.fact("mm_entry", "d", "d", "d", "W(k,t)", "P(k-1,t)"), "i", "j")
        diagonal = g.apply("factors", "k", n=1)

        def others(g: Goal) -> None:
            b = g.fix()[0]
            g.split(g.assume())
            ne = g.assume()
            g.have(f"i != {b}", lambda g: swapped(g, ne))
            z = g.apply(diagonal, "i", b)
            g.field((z, f"P(k-1,t)[{b},j]"))

        s = g.by_fact("sum_delta", 1, "d", "i", "lam l:Z. W(k,t)[i,l]*P(k-1,t)[l,j]", by=[None, None, others])
        one, other = g.split(g.apply(before, "i", "j", by=[lambda q: q.close_by(place)]))

        def same(g: Goal) -> None:
            eq = g.assume()
            v = g.apply(one, by=[lambda q: q.close_by(eq)])
            p = g.by_fact("prod_last", 1, "k", "lam l:Z. W(l,t)[i,i]")
            g.field((e, "1"), (s, "1"), (v, "W(k,t)[i,i]"), (p, "-1"))

        def different(g: Goal) -> None:
            ne = g.assume()
            v = g.apply(other, by=[lambda q: q.close_by(ne)])
            g.field((e, "1"), (s, "1"), (v, "W(k,t)[i,i]"))

        g.conj(same, different)

    g.em("k <= 0", none, more)


@holds(
    "shin2025.eq-f23-product",
    f"""{IDENTITY_SETTING.format("3 <= L")} all i:Z, t:R. 1 <= i and i <= d => 0 <= t =>
        P(L,t)[i,i] = prod(l, 1, L, W(l,t)[i,i])""",
    argument="sound",
    context="identical positive diagonal observations, square factors, gradient flow (3) [(3)]",
    uses=["shin2025.lemma-9"],
)
def diagonal_entries_are_products(g: Goal) -> None:
    """The factors stay diagonal (Lemma 9)."""
    introduce(g)
    g.have("1 <= d")
    g.have("1 <= L")
    g.fix("i", "t")
    g.split(g.assume())
    g.assume()

    h = factors_are_diagonal(g)
    k = g.lemma(
        "shin2025.eq-f23-product",
        "part:diagonal-factors",
        *["d", "L", "W", "P", "Q", "t"],
        by=[None, None, lambda g: g.close_by(h)],
    )
    v, _ = g.split(g.apply(g.apply(k, "L", n=2), "i", "i"))
    g.close_by(g.apply(v))


@part(
    "shin2025.eq-orthogonal-gradients",
    "rows",
    f"""{IDENTITY_SETTING.format("3 <= L")} all i j x y:Z, t:R. 1 <= i and i <= d and 1 <= x and x <= d and i != x => 0 <= t =>
        {deep_inner("i", "j", "x", "y")} = 0""",
    says="The gradients of entries in different rows are orthogonal.",
    uses=["shin2025.lemma-9", "shin2025.prop-3-minf-decoupled"],
)
def gradients_in_different_rows_are_orthogonal(g: Goal) -> None:
    """Rows of the products left of each layer, which are diagonal."""
    introduce(g)
    g.have("1 <= d")
    g.have("1 <= L")
    g.fix("i", "j", "x", "y", "t")
    g.split_all(g.assume("place"))
    g.assume("time")
    orthogonal_rows(g)


@holds(
    "shin2025.eq-orthogonal-gradients",
    f"""{IDENTITY_SETTING.format("3 <= L")} all i j:Z, t:R. {INSIDE} and j != i => 0 <= t =>
        {deep_inner("i", "i", "j", "j")} = 0""",
    argument="sound",
    context=(
        "identical positive diagonal observations, square factors, gradient flow (3) [(3)]; the component of the gradient "
        "at the entry (a,b) of W_l is Q(l)[i,a] P(l-1)[b,i] [notation]"
    ),
    uses=["shin2025.lemma-9", "shin2025.prop-3-minf-decoupled"],
)
def gradients_of_diagonal_entries_are_orthogonal_for_ever(g: Goal) -> None:
    """Different diagonal entries lie in different rows."""
    introduce(g)
    g.fix("i", "j", "t")
    g.split(g.assume())
    g.assume()
    ne = next(n for n, f in g.seq.hyps.items() if f[0] == "!=")
    g.have("i != j", lambda g: swapped(g, ne))
    args = ["d", "L", "ws", "al", "W", "P", "Q"]
    k = g.lemma(
        "shin2025.eq-orthogonal-gradients",
        "part:rows",
        *args,
        by=[*[None] * 4, lambda g: g.close_by("products"), lambda g: moves(g, "flow"), None],
    )
    g.close_by(g.apply(k, "i", "i", "j", "j", "t"))
