"""Definition 2 and Proposition 3: coupled and decoupled dynamics for diagonal observations."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.diagonal_flow import CONTEXT, PRODUCTS, in_setting
from proofs.shin2025.gradients import DIAGONAL_DECOUPLED, deep_inner
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


def everywhere(x: str, relation: str) -> str:
    """All entries of a d x d matrix are positive (<) or nonnegative (<=)."""
    return f"(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => 0 {relation} {x}[i,j])"


@part(
    "shin2025.prop-3-deep-coupled",
    "positive-product",
    f"all d:Z, X Y:M(d,d). 1 <= d => {everywhere('X', '<')} => {everywhere('Y', '<')} => {everywhere('(X @ Y)', '<')}",
    says="A product of entrywise positive matrices is entrywise positive.",
)
def product_of_positive_matrices_is_positive(g: Goal) -> None:
    """Each entry is a sum of positive terms; it is at least the first one."""
    g.intro("size", "left", "right", "range")
    rows = g.fact("mm_entry", "d", "d", "d", "X", "Y")
    entry = g.apply(rows, "i", "j")
    k = g.fact("sum_term_le", 1, "d", "lam l:Z. X[i,l]*Y[l,j]")

    def nonneg(g: Goal) -> None:
        g.fix("q")
        g.split(g.assume())
        g.apply("left", "i", "q")
        g.apply("right", "q", "j")
        g.auto()

    one = g.apply(g.apply(k, by=[nonneg]), "1")
    a = g.apply("left", "i", "1")
    b = g.apply("right", "1", "j")
    g.rewrite(entry)
    g.pos([f"@{one}"], [f"@{a}", f"@{b}"])


FACTORS = f"(all l:Z. 1 <= l and l <= L => {everywhere('W(l,0)', '<')})"


@part(
    "shin2025.prop-3-deep-coupled",
    "positive-partial-products",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d). 1 <= d => 1 <= L => {PRODUCTS} => {FACTORS} =>
        (all k:Z. 1 <= k => k <= L => {everywhere("P(k,0)", "<")}) and (all k:Z. 1 <= k => k <= L =>
        {everywhere("Q(L-k,0)", "<")})""",
    says="Partial products of entrywise positive factors are entrywise positive.",
)
def partial_products_are_positive(g: Goal) -> None:
    """Induction over the number of factors."""
    g.fix()
    g.assume("size")
    g.assume("depth")
    p0, ps, q0, qs = g.split_all(g.assume("products"))
    g.assume("factors")

    def chain(product: str, first: str, step: str, start: Script, order: Callable[[str], tuple[str, str]]) -> Script:
        """product(k) from product(k - 1) and the k-th factor."""

        def script(g: Goal) -> None:
            g.induct("k", "ih")
            g.assume("top")

            def one(g: Goal) -> None:
                same = g.have("k = 1", lambda g: g.antisym())
                g.replace(
                    "k" if product == "P" else "L - k",
                    "1" if product == "P" else "L - 1",
                    lambda g: g.field((same, 1 if product == "P" else -1)),
                )
                start(g)

            def more(g: Goal) -> None:
                g.apply(g.fact("int_lt", "1", "k"))
                before = g.apply("ih", "k - 1")
                left, right = order("k")
                law = g.apply(step, "k - 1" if product == "P" else "L - k", "0")
                new = g.have(f"{product}({'k' if product == 'P' else 'L-k'},0) = {left} @ {right}", lambda g: g.exact(law))
                g.rewrite(new)
                g.apply("factors", "k" if product == "P" else "L - k + 1")
                earlier = left if product == "Q" else right
                g.have(everywhere(earlier, "<"), lambda g: g.close_by(before))
                whole = g.lemma("shin2025.prop-3-deep-coupled", "part:positive-product", "d", left, right, by=[None, None, None])
                g.close_by(whole)

            g.em("k <= 1", one, more)

        return script

    def first_p(g: Goal) -> None:
        law = g.apply(ps, "0", "0")
        zero = g.apply(p0, "0")
        new = g.have("P(1,0) = W(1,0)", lambda g: g.nc((law, 1, None, None), rw=[zero]))
        g.rewrite(new)
        g.close_by(g.apply("factors", "1"))

    def first_q(g: Goal) -> None:
        law = g.apply(qs, "L - 1", "0")
        zero = g.apply(q0, "0")
        new = g.have("Q(L-1,0) = W(L,0)", lambda g: g.nc((law, 1, None, None), rw=[zero]))
        g.rewrite(new)
        g.close_by(g.apply("factors", "L"))

    g.conj(
        chain("P", p0, ps, first_p, lambda k: ("W(k,0)", "P(k-1,0)")),
        chain("Q", q0, qs, first_q, lambda k: ("Q(L-(k-1),0)", "W(L-k+1,0)")),
    )


@part(
    "shin2025.prop-3-deep-coupled",
    "nonnegative-partial-products",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d). 1 <= d => 1 <= L => {PRODUCTS} => {FACTORS} =>
        (all k:Z. 0 <= k and k <= L => {everywhere("P(k,0)", "<=")} and {everywhere("Q(k,0)", "<=")})""",
    says="Partial products, empty ones included, have no negative entries.",
)
def partial_products_are_nonnegative(g: Goal) -> None:
    """Positive if not empty; the identity if empty."""
    g.fix()
    g.assume("size")
    g.assume("depth")
    p0, _, q0, _ = g.split_all(g.assume("products"))
    g.assume("factors")
    positive = g.lemma(
        "shin2025.prop-3-deep-coupled", "part:positive-partial-products", *["d", "L", "W", "P", "Q"], by=[None] * 4
    )
    ps, qs = g.split(positive)
    g.fix("k")
    g.split(g.assume("range"))

    def identity(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume("place"))

        def equal(g: Goal) -> None:
            g.rewrite(list(g.seq.hyps)[-1])
            g.replace("I(d)[j,j]", "1", lambda g: g.field())
            g.pos([])

        def unequal(g: Goal) -> None:
            g.replace("I(d)[i,j]", "0", lambda g: g.field())
            g.refl()

        g.em("i = j", equal, unequal)

    def weaken(strict: str) -> Script:
        def script(g: Goal) -> None:
            g.fix("i", "j")
            g.split(g.assume("place"))
            h = g.apply(strict, "i", "j")
            g.pos([f"@{h}"])

        return script

    def left(g: Goal) -> None:
        def empty(g: Goal) -> None:
            zero = g.have("k = 0", lambda g: g.antisym())
            g.rewrite(zero)
            g.rewrite(g.apply(p0, "0"))
            identity(g)

        def proper(g: Goal) -> None:
            g.apply(g.fact("int_lt", "0", "k"))
            weaken(g.apply(ps, "k", n=2))(g)

        g.em("k <= 0", empty, proper)

    def right(g: Goal) -> None:
        def empty(g: Goal) -> None:
            full = g.have("k = L", lambda g: g.antisym())
            g.rewrite(full)
            g.rewrite(g.apply(q0, "0"))
            identity(g)

        def proper(g: Goal) -> None:
            g.apply(g.fact("int_lt", "k", "L"))
            h = g.apply(qs, "L - k", n=2)
            g.replace("k", "L - (L - k)", lambda g: g.field())
            weaken(h)(g)

        g.em("L <= k", empty, proper)

    g.conj(left, right)


def term(layer: str, a: str, b: str) -> str:
    """One term of the inner product of two gradients at t = 0."""
    return f"Q({layer},0)[i,{a}]*P({layer}-1,0)[{b},j]*(Q({layer},0)[x,{a}]*P({layer}-1,0)[{b},y])"


@part(
    "shin2025.prop-3-deep-coupled",
    "positive-inner-products",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d). 1 <= d => 3 <= L => {PRODUCTS} => {FACTORS} =>
        (all i j x y:Z. 1 <= i and i <= d and 1 <= j and j <= d and 1 <= x and x <= d and 1 <= y and y <= d =>
           0 < {deep_inner("i", "j", "x", "y").replace(",t)", ",0)")})""",
    says="For L >= 3 and entrywise positive factors the gradients of any two entries have a positive inner product at t = 0.",
)
def gradients_at_positive_factors_are_not_orthogonal(g: Goal) -> None:
    """Every term of the sum over layers and entries is nonnegative, and every term of the second layer is positive."""
    g.fix()
    g.assume("size")
    g.assume("depth")
    products = g.assume("products")
    g.assume("factors")
    args = ["d", "L", "W", "P", "Q"]
    positive = g.lemma("shin2025.prop-3-deep-coupled", "part:positive-partial-products", *args, by=[None] * 4)
    ps, qs = g.split(positive)
    signs = g.lemma("shin2025.prop-3-deep-coupled", "part:nonnegative-partial-products", *args, by=[None] * 4)
    g.clear(products)
    g.fix("i", "j", "x", "y")
    g.split(g.assume("range"))

    def entries(g: Goal) -> None:
        """Nonnegativity of one term."""
        g.fix("l", "a", "b")
        g.split(g.assume("place"))
        first = g.apply(signs, "l")
        _, q = g.split(first)
        second = g.apply(signs, "l - 1")
        p, _ = g.split(second)
        g.apply(q, "i", "a")
        g.apply(p, "b", "j")
        g.apply(q, "x", "a")
        g.apply(p, "b", "y")
        g.pos([term("l", "a", "b")])

    inside = "1 <= l and l <= L and 1 <= a and a <= d and 1 <= b and b <= d"
    g.have(f"all l a b:Z. {inside} => 0 <= {term('l', 'a', 'b')}", entries, name="terms")

    def summed(g: Goal, e: str, n: str, v: str, deeper: Script) -> None:
        """0 <= sum of nonnegative terms."""
        k = g.fact("sum_nonneg", 1, n, f"lam {v}:Z. {e}")

        def each(g: Goal) -> None:
            g.fix(v)
            g.split(g.assume())
            deeper(g)

        g.close_by(g.apply(k, by=[each]))

    def leaf(layer: str, a: str) -> Script:
        return lambda g: g.close_by(g.apply("terms", layer, a, "b"))

    over_b = f"sum(b, 1, d, {term('{l}', '{a}', 'b')})"
    over_a = f"sum(a, 1, d, {over_b.format(l='{l}', a='a')})"

    def least(g: Goal, e: str, n: str, v: str, at: str, each: Script) -> str:
        k = g.fact("sum_term_le", 1, n, f"lam {v}:Z. {e}")

        def nonneg(g: Goal) -> None:
            g.fix(v)
            g.split(g.assume())
            each(g)

        return g.apply(g.apply(k, by=[nonneg]), at)

    one = least(g, term("2", "1", "b"), "d", "b", "1", leaf("2", "1"))
    two = least(g, over_b.format(l="2", a="a"), "d", "a", "1", lambda g: summed(g, term("2", "a", "b"), "d", "b", leaf("2", "a")))
    three = least(
        g,
        over_a.format(l="l"),
        "L",
        "l",
        "2",
        lambda g: summed(
            g, over_b.format(l="l", a="a"), "d", "a", lambda g: summed(g, term("l", "a", "b"), "d", "b", leaf("l", "a"))
        ),
    )
    q = g.apply(qs, "L - 2", n=2)
    p = g.apply(ps, "1", n=2)
    left = g.apply(q, "i", "1")
    right = g.apply(q, "x", "1")
    above = g.apply(p, "1", "j")
    below = g.apply(p, "1", "y")
    g.pos([f"@{one}"], [f"@{two}"], [f"@{three}"], [f"@{left}", f"@{right}", f"@{above}", f"@{below}"])


def factors_start_positive(g: Goal) -> str:
    """The entries of the factors (7) are alpha on the diagonal and alpha/m off it; the hypothesis is named factors."""

    def positive(g: Goal) -> None:
        g.fix("l")
        g.assume("layer")
        g.fix("i", "j")
        g.split(g.assume("place"))
        g.rewrite(g.apply("initial", "l"))

        def equal(g: Goal) -> None:
            g.rewrite(list(g.seq.hyps)[-1])
            g.replace("((al - al/m)*I(d) + (al/m)*J(d))[j,j]", "al", lambda g: g.field())
            g.close_by("scale")

        def unequal(g: Goal) -> None:
            g.replace("((al - al/m)*I(d) + (al/m)*J(d))[i,j]", "al/m", lambda g: g.field())
            g.have("0 < m", lambda g: g.nlin(products=1))
            g.pos(["al/m"])

        g.em("i = j", equal, unequal)

    return g.have(FACTORS, positive, name="factors")


def observations_in_two_parts(g: Goal) -> tuple[list[str], list[str], str]:
    """Of the assumed system: an observation (i, j) of the first part, one (x, y) of the second, and that the inner product of the
    gradients of these entries is 0 at t = 0."""
    _, _, members, orthogonal = g.obtain("system", "K", "part", name="sys")
    one = g.obtain(g.apply(members, "1"), "i", "j", name="one")
    two = g.obtain(g.apply(members, "2"), "x", "y", name="two")

    def differ(g: Goal) -> None:
        eq = g.contra()
        g.pos([], eqs=[(eq, "1"), (one[-1], "-1"), (two[-1], "1")])

    g.have("part(i,j) != part(x,y)", differ)
    return one, two, g.apply(orthogonal, "i", "j", "x", "y", "0")


def clash_of_inner_products(g: Goal, zero: str) -> None:
    """Close: the inner product of the two gradients is 0 (`zero`), but positive as the factors are."""
    inner = g.lemma("shin2025.prop-3-deep-coupled", "part:positive-inner-products", *["d", "L", "W", "P", "Q"], by=[None] * 4)
    more = g.apply(inner, "i", "j", "x", "y")
    g.pos([f"@{more}"], eqs=[(zero, "-1")])


def positive_start(g: Goal) -> None:
    """From 1 <= d, 3 <= L, products, factors and the assumed system of diagonal observations: a contradiction."""
    one, two, zero = observations_in_two_parts(g)
    g.have("1 <= j and j <= d and 1 <= y and y <= d", lambda g: (g.rewrite(one[-2]), g.rewrite(two[-2]), g.auto()))
    clash_of_inner_products(g, zero)


@holds(
    "shin2025.prop-3-deep-coupled",
    in_setting(f"not {DIAGONAL_DECOUPLED}", extra="3 <= L"),
    argument="sound",
    context=CONTEXT,
)
def deep_dynamics_are_coupled(g: Goal) -> None:
    """At t = 0 all inner products of gradients are positive, so two observations in different parts contradict (6)."""
    g.fix()
    names = ["size", "two_layers", "target", "scale", "ratio", "products", "flow", "initial", "depth"]
    for name in names:
        g.assume(name)
    g.assume("system")

    factors_start_positive(g)
    positive_start(g)
