"""Proposition 3 at depth 2 and for scaled identities: decoupled dynamics."""

from __future__ import annotations

from proofs.shin2025.commutant import moves
from proofs.shin2025.diagonal_flow import CONTEXT, FLOW, PRODUCTS, in_setting
from proofs.shin2025.gradients import DIAGONAL_DECOUPLED
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


def off_diagonal(x: str) -> str:
    """A d x d matrix is diagonal."""
    return f"(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d and i != j => {x}[i,j] = 0)"


def last(g: Goal) -> str:
    """The name of the newest hypothesis."""
    return list(g.seq.hyps)[-1]


def vanishing_sum(g: Goal, deeper: Script) -> None:
    """A sum is 0 because its terms are; deeper proves that of a term, with the index bounds as the two newest hypotheses."""
    _, v, lo, hi, body = g.concl[1]
    k = g.fact("sum_ext", lo, hi, ("lam", ((v, "Z"),), body), ("lam", ((v, "Z"),), 0))

    def each(g: Goal) -> None:
        g.fix()
        g.split(g.assume())
        deeper(g)

    total = g.apply(k, by=[each])
    g.field((total, 1))


@part(
    "shin2025.prop-3-minf-decoupled",
    "diagonal-product",
    f"all d:Z, X Y:M(d,d). {off_diagonal('X')} => {off_diagonal('Y')} => {off_diagonal('(X @ Y)')}",
    says="A product of diagonal matrices is diagonal.",
)
def product_of_diagonal_matrices_is_diagonal(g: Goal) -> None:
    """Each term of the sum has an off-diagonal factor."""
    g.intro("left", "right", "place")
    entry = g.apply(g.fact("mm_entry", "d", "d", "d", "X", "Y"), "i", "j")
    g.rewrite(entry)

    def deeper(g: Goal) -> None:
        v = list(g.seq.ctx)[-1]

        def same(g: Goal) -> None:
            eq = last(g)
            g.rewrite(eq)
            zero = g.apply("right", "i", "j")
            g.field((zero, "X[i,i]"))

        def other(g: Goal) -> None:
            ne = last(g)
            zero = g.apply("left", "i", v, by=[lambda g: g.conj(None, None, None, None, lambda g: swapped(g, ne))])
            g.field((zero, f"Y[{v},j]"))

        g.em(f"{v} = i", same, other)

    vanishing_sum(g, deeper)


def swapped(g: Goal, ne: str) -> None:
    """i != j from j != i."""
    eq = g.contra()
    a, b = g.hyp_formula(ne)[1:]
    back = g.have(("=", a, b), lambda g: g.field((eq, -1)))
    g.clash(back, ne)


@part(
    "shin2025.prop-3-minf-decoupled",
    "diagonal-left-products",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d), t:R. 1 <= L => {PRODUCTS} =>
        (all l:Z. 1 <= l and l <= L => {off_diagonal("W(l,t)")}) => (all k:Z. 0 <= k => k <= L => {off_diagonal("Q(L-k,t)")})""",
    says="The products left of a layer are diagonal if the factors are.",
)
def left_products_of_diagonal_factors_are_diagonal(g: Goal) -> None:
    """Induction over the number of factors."""
    g.fix()
    g.assume("depth")
    _, _, q0, qs = g.split_all(g.assume("products"))
    g.assume("factors")
    g.induct("k", "ih")
    g.assume("top")

    def none(g: Goal) -> None:
        zero = g.have("k = 0", lambda g: g.antisym())
        g.replace("L - k", "L", lambda g: g.field((zero, -1)))
        g.rewrite(g.apply(q0, "t"))
        g.intro()
        g.field()

    def more(g: Goal) -> None:
        g.apply(g.fact("int_lt", "0", "k"))
        before = g.apply("ih", "k - 1", n=3)
        law = g.apply(qs, "L - k", "t")
        new = g.have("Q(L-k,t) = Q(L-(k-1),t) @ W(L-k+1,t)", lambda g: g.exact(law))
        g.rewrite(new)
        factor = g.apply("factors", "L - k + 1", n=1)
        whole = g.lemma(
            "shin2025.prop-3-minf-decoupled",
            "part:diagonal-product",
            "d",
            "Q(L-(k-1),t)",
            "W(L-k+1,t)",
            by=[lambda g: g.close_by(before), lambda g: g.close_by(factor)],
        )
        g.close_by(whole)

    g.em("k <= 0", none, more)


def singletons(g: Goal, orthogonal: Script, size: str = "d") -> None:
    """The partition into single observations; orthogonal proves (6) for i != x, with the hypotheses place and time."""
    g.witness(size, "lam i:Z, j:Z. i")

    def members(g: Goal) -> None:
        g.fix("k")
        g.split(g.assume())
        g.witness("k", "k")
        g.conj(None, None, lambda g: g.refl(), lambda g: g.refl())

    def across(g: Goal) -> None:
        g.fix("i", "j", "x", "y", "t")
        g.split_all(g.assume("place"))
        g.assume("time")
        orthogonal(g)

    def range_(g: Goal) -> None:
        g.intro()
        g.conj(None, None)

    g.conj(None, range_, members, across)


IDENTITY = "(all l:Z. 1 <= l and l <= L => W(l,0) = al*I(d))"
IDENTITY_SETTING = (
    f"all d L:Z, ws al:R, W P Q:(Z,R)~>M(d,d). 2 <= d => {{}} => 0 < ws => 0 < al => {PRODUCTS} => {FLOW} => {IDENTITY} =>"
)


def lemma_9(g: Goal) -> str:
    """Along a flow from a multiple of the identity, the hypotheses of IDENTITY_SETTING, the factors stay diagonal."""

    def start(g: Goal) -> None:
        g.fix("l", "u", "v")
        g.split(g.assume("layer"))
        g.rewrite(g.apply("initial", "l"))
        g.field()

    by = [None, None, lambda g: g.close_by("products"), lambda g: moves(g, "flow"), start]
    return g.lemma("shin2025.lemma-9", "statement", *["d", "L", "W", "P", "Q", "ws*I(d)"], by=by)


def factors_are_diagonal(g: Goal) -> str:
    """Lemma 9 at the time t, as the hypothesis on diagonal factors is written."""
    lemma = lemma_9(g)

    def diagonal(g: Goal) -> None:
        g.fix("l")
        g.split(g.assume())
        g.fix("u", "v")
        g.split(g.assume())
        g.close_by(g.apply(lemma, "l", "u", "v", "t"))

    return g.have(f"all l:Z. 1 <= l and l <= L => {off_diagonal('W(l,t)')}", diagonal)


def orthogonal_rows(g: Goal) -> None:
    """The gradients of w_ij and w_xy are orthogonal at time t if i != x, along a flow from a multiple of the identity."""
    h = factors_are_diagonal(g)
    products_are = g.lemma(
        "shin2025.prop-3-minf-decoupled",
        "part:diagonal-left-products",
        *["d", "L", "W", "P", "Q", "t"],
        by=[None, None, lambda g: g.close_by(h)],
    )
    different = next(n for n, f in g.seq.hyps.items() if f[0] == "!=")

    def layer(g: Goal) -> None:
        here = list(g.seq.ctx)[-1]
        q = g.apply(products_are, f"L - {here}", n=2)

        def entry(g: Goal) -> None:
            b = list(g.seq.ctx)[-1]
            a = list(g.seq.ctx)[-2]

            def same(g: Goal) -> None:
                eq = last(g)
                zero = g.apply(q, "x", a, by=[lambda g: g.conj(None, None, None, None, lambda g: unlike(g, eq))])
                g.field((zero, f"Q({here},t)[i,{a}]*P({here}-1,t)[{b},j]*P({here}-1,t)[{b},y]"))

            def unlike(g: Goal, eq: str) -> None:
                h = g.contra()
                k = g.have("i = x", lambda g: g.field((h, -1), (eq, -1)))
                g.clash(k, different)

            def other(g: Goal) -> None:
                ne = last(g)
                zero = g.apply(q, "i", a, by=[lambda g: g.conj(None, None, None, None, lambda g: swapped(g, ne))])
                g.field((zero, f"Q({here},t)[x,{a}]*P({here}-1,t)[{b},j]*P({here}-1,t)[{b},y]"))

            g.em(f"{a} = i", same, other)

        vanishing_sum(g, lambda g: vanishing_sum(g, entry))

    vanishing_sum(g, layer)


def decoupled_from_identity(g: Goal) -> None:
    """From a flow that starts at multiples of the identity: singletons are a partition as in Definition 2."""
    singletons(g, orthogonal_rows)


def introduce(g: Goal, depth: str = "depth") -> None:
    """Name the hypotheses of IDENTITY_SETTING."""
    g.fix()
    for name in ("size", depth, "target", "scale", "products", "flow", "initial"):
        g.assume(name)


@holds(
    "shin2025.prop-3-minf-decoupled",
    f"{IDENTITY_SETTING.format('3 <= L')} {DIAGONAL_DECOUPLED}",
    uses=["shin2025.lemma-9"],
    argument="sound",
    context="identical positive diagonal observations, square factors, gradient flow (3) [(3)]",
)
def scaled_identities_are_decoupled_at_every_depth(g: Goal) -> None:
    """The factors stay diagonal (Lemma 9), so do the products left of each layer, and rows i != x of a diagonal matrix are
    orthogonal."""
    introduce(g)
    g.have("1 <= d")
    g.have("1 <= L")
    decoupled_from_identity(g)


@holds(
    "shin2025.prop-3-depth2",
    in_setting(DIAGONAL_DECOUPLED, extra="L = 2"),
    argument="sound",
    context=CONTEXT,
)
def depth_two_is_decoupled(g: Goal) -> None:
    """The gradient of w_ii lies in row i of W_2 and in column i of W_1: for i != x these are disjoint, at any time."""
    g.fix()
    for name in ("size", "two_layers", "target", "scale", "ratio", "products", "flow", "initial", "depth"):
        g.assume(name)

    def orthogonal(g: Goal) -> None:
        p0, _, q0, _ = g.split_all("products")
        different = next(n for n, f in g.seq.hyps.items() if f[0] == "!=")

        def layer(g: Goal) -> None:
            here = list(g.seq.ctx)[-1]

            def first(g: Goal) -> None:
                eq = g.have(f"{here} = 1", lambda g: g.antisym())
                empty = g.apply(p0, "t")
                g.replace(
                    f"P({here}-1,t)",
                    "I(d)",
                    lambda g: (g.replace(f"{here} - 1", "0", lambda g: g.field((eq, 1))), g.close_by(empty)),
                )
                vanishing_sum(g, lambda g: vanishing_sum(g, lambda g: units(g, "b", here)))

            def second(g: Goal) -> None:
                g.apply(g.fact("int_lt", "1", here))
                eq = g.have(f"{here} = L", lambda g: (g.rewrite("depth"), g.antisym()))
                empty = g.apply(q0, "t")
                g.replace(f"Q({here},t)", "I(d)", lambda g: (g.rewrite(eq), g.close_by(empty)))
                vanishing_sum(g, lambda g: vanishing_sum(g, lambda g: units(g, "a", here)))

            g.em(f"{here} <= 1", first, second)

        def units(g: Goal, which: str, here: str) -> None:
            """I[i,a] I[x,a] = 0, or I[b,j] I[b,y] = 0, for i != x."""
            a, b = list(g.seq.ctx)[-2:]
            v, u, w = (a, "i", "x") if which == "a" else (b, "j", "y")

            def same(g: Goal) -> None:
                def unlike(g: Goal) -> None:
                    g.contra()
                    k = g.have("i = x", lambda g: g.nlin())
                    g.clash(k, different)

                g.have(f"{v} != {w}", unlike)
                g.have(f"{w} != {v}", lambda g: swapped(g, last(g)))
                g.field()

            def other(g: Goal) -> None:
                ne = last(g)
                g.have(f"{u} != {v}", lambda g: swapped(g, ne))
                g.field()

            g.em(f"{v} = {u}", same, other)

        vanishing_sum(g, layer)

    singletons(g, orthogonal)
