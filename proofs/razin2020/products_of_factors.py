"""Equations (3) and (5), Definition 4, Lemma 22: products of L factors, balanced and symmetric factorisations; the velocity of a product.

The factors are W(1), ..., W(L), all m x m; Q(l) = W_l ... W_1 and P(l) = W_L ... W_{l+1} are their partial products.
"""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

SQUARE = (

        "factors of other shapes are represented by the largest width m, padded with zero rows and columns, which changes "
        "neither their products, nor balancedness, nor the gradient flow [encoding]"

)
READING = "Q(l) = W_l ... W_1 and P(l) = W_L ... W_{l+1}, so Q(L) = W_{L:1}"
INSIDE = "1 <= l and l <= L"
PARTIAL = f"""1 <= L => Q(0) = I(m) => P(L) = I(m) => (all l:Z. {INSIDE} => Q(l) = W(l) @ Q(l-1) and P(l-1) = P(l) @ W(l)) =>"""
FAMILIES = f"all m L:Z, W P Q:Z->M(m,m). {PARTIAL}"


def upwards(g: Goal, lowest: str, base: Script, step: Script, variable: str = "l") -> None:
    """Induction on an integer from `lowest`: `base` sees the equation `lowest = l` as the last hypothesis, `step` the inequality
    `lowest + 1 <= l`; the hypothesis of the induction is `ih`."""
    g.induct(variable)

    def bottom(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)), back=True)
        base(g)

    def above(g: Goal) -> None:
        strict = next(reversed(g.seq.hyps))
        g.by_fact("int_lt", lowest, variable, by=[using(strict)])
        step(g)

    g.cases(g.by_fact("lt_or_eq", lowest, variable, by=[using("ih_lo")]), above, bottom)


def previous(g: Goal, top: str, index: str = "l") -> tuple[str, str]:
    """In a step upwards from 1 with `top`, l <= L: the hypothesis 2 <= l, and the statement of the induction at l - 1."""
    two = g.have(f"2 <= {index}", lambda g: g.nlin())
    low = g.have(
        f"1 <= {index} - 1 and {index} - 1 < {index}",
        lambda g: (only(g, two), g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([1])))[-1],
    )
    below = g.have(f"{index} - 1 <= L", lambda g: (only(g, top), g.pos([f"@{top}"], [1]))[-1])
    return two, g.apply("ih", f"{index} - 1", by=[using(low), using(below)])


def between(two: str, top: str, last: Script | None = None) -> Script:
    """1 <= l - 1 and l - 1 <= L - 1, from 2 <= l and l <= L; `last` closes another upper bound."""
    upper = last or (lambda g: g.pos([f"@{top}"]))
    return lambda g: (only(g, two, top), g.conj(lambda g: g.pos([f"@{two}"]), upper))[-1]


@holds(
    "razin2020.eq-3",
    f"""{FAMILIES} Q(L) = P(0) and Q(1) = W(1) and P(L-1) = W(L) and all l:Z. 0 <= l and l <= L => P(l) @ Q(l) = Q(L)""",
    reading=f"{READING}; the product is the same from either end, and W_1 for L = 1",
    context=SQUARE,
)
def product_from_either_end(g: Goal) -> None:
    """P(l) Q(l) = P(l) W(l) Q(l-1) = P(l-1) Q(l-1)."""
    g.fix()
    depth, first, last, steps = (g.assume() for _ in range(4))

    def down(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            g.nc((last, 1, None, "Q(L)"))

        def step(g: Goal) -> None:
            top = g.assume()
            before = g.apply(
                "ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
            )
            q, p = g.split(g.apply(steps, "L - k + 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin())]))
            g.nc((before, 1, None, None), (q, -1, "P(L-k+1)", None), (p, 1, None, "Q(L-k)"))

        upwards(g, "0", base, step, "k")

    h = g.have("all k:Z. 0 <= k => k <= L => P(L-k) @ Q(L-k) = Q(L)", down)

    def split(g: Goal) -> None:
        g.fix("l")
        low, high = g.split(g.assume())
        k = g.apply(h, "L - l", by=[lambda g: g.pos([f"@{high}"]), lambda g: g.pos([f"@{low}"])])
        g.nc((k, 1, None, None))

    def ends(g: Goal) -> None:
        k = g.apply(h, "L", by=[lambda g: g.pos([f"@{depth}"], [1]), Goal.refl])
        g.nc((k, -1, None, None), (first, 1, "P(0)", None))

    def low(g: Goal) -> None:
        q = g.split(g.apply(steps, 1))[0]
        g.nc((q, 1, None, None), (first, 1, "W(1)", None))

    def high(g: Goal) -> None:
        p = g.split(g.apply(steps, "L"))[1]
        g.nc((p, 1, None, None), (last, 1, None, "W(L)"))

    g.conj(ends, low, high, split)


@holds(
    "razin2020.def-notation-products",
    """(all m:Z, W:Z->M(m,m), D A:(Z,Z)->M(m,m). (all a b:Z. b < a => D(a,b) = I(m) and A(a,b) = I(m)) =>
          (all a b:Z. a <= b => D(a,b) = W(b) @ D(a,b-1) and A(a,b) = A(a,b-1) @ T(W(b))) =>
          all a b:Z. T(D(a,b)) = A(a,b) and D(a,a) = W(a) and (all c:Z. a <= c + 1 => c <= b => D(a,b) = D(c+1,b) @ D(a,c))) and
       (all m n i:Z, X:M(m,n). m < i or n < i => sv(X,i) = 0) and (all f:R~>R, t:R. d(0,f,t) = f(t))""",
    reading="D(a,b) = W_b ... W_a and A(a,b) = W_a^T ... W_b^T, identities if a > b: they are transposes of one another, and split at any place; "
    "singular values beyond the smaller dimension are 0; the derivative of order 0 is the function",
    context=SQUARE,
)
def products_in_both_orders(g: Goal) -> None:
    """Induction on the number of factors."""

    def products(g: Goal) -> None:
        g.fix()
        empty, more = g.assume(), g.assume()

        def turned(g: Goal) -> None:
            g.fix("a", "b")

            def by_length(g: Goal) -> None:
                def base(g: Goal) -> None:
                    x, y = g.split(g.apply(empty, "a", "a + 0 - 1"))
                    g.nc(rw=[x, y])

                def step(g: Goal) -> None:
                    before = g.apply("ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin())])
                    x, y = g.split(g.apply(more, "a", "a + k - 1", by=[lambda g: g.nlin()]))
                    t = g.have("T(D(a,a+k-1)) = T(W(a+k-1) @ D(a,a+k-2))", lambda g: g.ctx(lambda g: g.nc((x, 1, None, None))))
                    g.nc((t, 1, None, None), (y, -1, None, None), (before, 1, None, "T(W(a+k-1))"))

                upwards(g, "0", base, step, "k")

            h = g.have("all k:Z. 0 <= k => T(D(a,a+k-1)) = A(a,a+k-1)", by_length)

            def short(g: Goal) -> None:
                strict = next(reversed(g.seq.hyps))
                x, y = g.split(g.apply(empty, "a", "b", by=[using(strict)]))
                g.nc(rw=[x, y])

            def long(g: Goal) -> None:
                order = next(reversed(g.seq.hyps))
                k = g.apply(h, "b - a + 1", by=[lambda g: g.pos([f"@{order}"], [1])])
                g.nc((k, 1, None, None))

            g.em("b < a", short, long)

        transposed = g.have("all a b:Z. T(D(a,b)) = A(a,b)", turned)
        g.fix("a", "b")

        def one(g: Goal) -> None:
            x = g.split(g.apply(more, "a", "a"))[0]
            y = g.split(g.apply(empty, "a", "a - 1"))[0]
            g.nc((x, 1, None, None), (y, 1, "W(a)", None))

        def cut(g: Goal) -> None:
            g.fix("c")
            _, high = g.assume(), g.assume()

            def by_length(g: Goal) -> None:
                def base(g: Goal) -> None:
                    x = g.split(g.apply(empty, "c + 1", "c + 0"))[0]
                    g.nc((x, -1, None, "D(a,c)"))

                def step(g: Goal) -> None:
                    before = g.apply("ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin())])
                    x = g.split(g.apply(more, "a", "c + k", by=[lambda g: g.nlin()]))[0]
                    y = g.split(g.apply(more, "c + 1", "c + k", by=[lambda g: g.nlin()]))[0]
                    g.nc((x, 1, None, None), (y, -1, None, "D(a,c)"), (before, 1, "W(c+k)", None))

                upwards(g, "0", base, step, "k")

            h = g.have("all k:Z. 0 <= k => D(a,c+k) = D(c+1,c+k) @ D(a,c)", by_length)
            k = g.apply(h, "b - c", by=[lambda g: g.pos([f"@{high}"])])
            g.nc((k, 1, None, None))

        g.conj(lambda g: g.close_by(g.apply(transposed, "a", "b")), one, cut)

    def beyond(g: Goal) -> None:
        g.fix("m", "n", "i", "X")
        large = g.assume()
        *_, value = g.obtain(g.fact("svd", "m", "n", "X"), "U", "V", "S")
        outside = g.apply(g.fact("entry_outside", "m", "n", "S"), "i", "i", by=[lambda g: outside_of(g, large)])
        g.field((g.apply(value, "i"), -1), (outside, 1))

    def zeroth(g: Goal) -> None:
        g.fix()
        g.field()

    g.conj(products, beyond, zeroth)


def outside_of(g: Goal, large: str) -> None:
    """i < 1 or m < i or i < 1 or n < i."""

    def rows(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        g.left_or_right(1)
        g.close_by(h)

    def columns(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        g.left_or_right(3)
        g.close_by(h)

    g.cases(large, rows, columns)


ORTHOGONAL_FACTORS = f"""({FAMILIES} all U:Z->M(m,m), D:M(m,m). T(D) = D => (all l:Z. 0 <= l and l <= L => T(U(l)) @ U(l) = I(m)) =>
       (all l:Z. {INSIDE} => W(l) = U(l) @ D @ T(U(l-1))) =>
       (all l:Z. 1 <= l and l <= L - 1 => T(W(l+1)) @ W(l+1) = W(l) @ T(W(l))) and Q(L) = U(L) @ D^L @ T(U(0)))"""


@part(
    "razin2020.eq-5",
    "orthogonal-factors",
    ORTHOGONAL_FACTORS,
    says="W_l = U_l D U_{l-1}^T with orthogonal U_l and a symmetric D is balanced, and its product is U_L D^L U_0^T",
)
def orthogonal_factors_are_balanced(g: Goal) -> None:
    """Both sides are U_l D^2 U_l^T."""
    g.fix("m", "L", "W", "P", "Q")
    depth, first, _, steps = (g.assume() for _ in range(4))
    g.fix("U", "D")
    symmetric, orthogonal, factor = (g.assume() for _ in range(3))

    def balanced(g: Goal) -> None:
        g.fix("l")
        low, high = g.split(g.assume())
        a = g.apply(factor, "l", by=[lambda g: g.conj(using(low), lambda g: g.pos([f"@{high}"], [1]))])
        b = g.apply(factor, "l + 1", by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"], [1]), lambda g: g.pos([f"@{high}"]))])
        u = g.apply(orthogonal, "l - 1", by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"]), lambda g: g.pos([f"@{high}"], [2]))])
        v = g.apply(orthogonal, "l + 1", by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"], [2]), lambda g: g.pos([f"@{high}"]))])
        g.nc(rw=[a, b, u, v, symmetric])

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            z = g.apply(orthogonal, 0, by=[lambda g: g.conj(None, lambda g: g.pos([f"@{depth}"], [1]))])
            k = g.by_fact("inv_unique", "m", "T(U(0))", "U(0)", by=[using(z)])
            turned = g.split(k)[1]
            g.nc((first, 1, None, None), (turned, -1, None, None))

        def step(g: Goal) -> None:
            top = g.assume()
            before = g.apply(
                "ih", "l - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
            )
            q = g.split(g.apply(steps, "l", by=[lambda g: g.conj(lambda g: g.nlin(), using(top))]))[0]
            w = g.apply(factor, "l", by=[lambda g: g.conj(lambda g: g.nlin(), using(top))])
            u = g.apply(orthogonal, "l - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin(use=[top]))])
            power = g.by_fact("mpow_add", "m", 1, "l - 1", "D", by=[None, lambda g: g.nlin()])
            g.nc(
                (q, 1, None, None),
                (w, 1, None, "Q(l-1)"),
                (before, 1, "U(l) @ D @ T(U(l-1))", None),
                (u, 1, "U(l) @ D", "D^(l-1) @ T(U(0))"),
                (power, -1, "U(l)", "T(U(0))"),
            )

        upwards(g, "0", base, step)

    h = g.have("all l:Z. 0 <= l => l <= L => Q(l) = U(l) @ D^l @ T(U(0))", grow)
    g.conj(balanced, lambda g: g.close_by(g.apply(h, "L", by=[lambda g: g.pos([f"@{depth}"], [1]), Goal.refl])))


MIRRORED = "(all l:Z. 1 <= l and l <= h + 1 and l <= L => W(l) = T(W(L-l+1)))"
HALF = "2*h <= L and L <= 2*h + 1"


@holds(
    "razin2020.def-4",
    f"""all m L h:Z, W:Z->M(m,m). 1 <= L => {HALF} => {MIRRORED} => all l:Z. {INSIDE} => W(l) = T(W(L-l+1))""",
    reading="h is the integer part of L/2; the condition for the stated indices (those that are indices of factors: for L = 1 the second one is not) implies it for all; "
    "instances are the multiples of the identity (lemma-20-step-symmetric-factors)",
)
def symmetry_of_all_factors(g: Goal) -> None:
    """For l > h + 1 the index L - l + 1 is at most h + 1."""
    g.fix()
    depth, half, given = (g.assume() for _ in range(3))
    low_half, high_half = g.split(half)
    g.fix("l")
    low, high = g.split(g.assume())

    def near(g: Goal) -> None:
        order = next(reversed(g.seq.hyps))
        g.close_by(g.apply(given, "l", by=[lambda g: g.conj(using(low), using(order), using(high))]))

    def far(g: Goal) -> None:
        order = next(reversed(g.seq.hyps))
        k = g.apply(
            given,
            "L - l + 1",
            by=[
                lambda g: g.conj(
                    lambda g: g.pos([f"@{high}"]),
                    lambda g: g.pos([f"@{order}"], [f"@{high_half}"]),
                    lambda g: g.pos([f"@{low}"]),
                )
            ],
        )
        t = g.have("T(W(L - l + 1)) = T(T(W(L - (L - l + 1) + 1)))", lambda g: g.ctx(using(k)))
        g.nc((t, -1, None, None))

    g.em("l <= h + 1", near, far)
    del depth, low_half


@holds(
    "razin2020.lemma-22",
    f"""{FAMILIES} all h:Z. {HALF} => {MIRRORED} => Q(L) = T(Q(L))""",
    uses=["razin2020.def-4", "razin2020.eq-3"],
    argument="sound",
    reading=f"{READING}; h is the integer part of L/2",
)
def symmetric_factorisations_have_symmetric_products(g: Goal) -> None:
    """T(Q(l)) = P(L - l) by induction."""
    g.fix("m", "L", "W", "P", "Q")
    depth, first, last, steps = (g.assume() for _ in range(4))
    g.fix("h")
    half, given = g.assume(), g.assume()
    every = g.lemma("razin2020.def-4", "statement", "m", "L", "h", "W", by=[using(depth), using(half), using(given)])
    same = g.split(
        g.lemma("razin2020.eq-3", "statement", "m", "L", "W", "P", "Q", by=[using(h) for h in (depth, first, last, steps)])
    )[0]

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            g.nc(rw=[first, last])

        def step(g: Goal) -> None:
            top = g.assume()
            before = g.apply(
                "ih", "l - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
            )
            q = g.split(g.apply(steps, "l", by=[lambda g: g.conj(lambda g: g.nlin(), using(top))]))[0]
            p = g.split(g.apply(steps, "L - l + 1", by=[lambda g: g.conj(lambda g: g.nlin(use=[top]), lambda g: g.nlin())]))[1]
            w = g.apply(every, "l", by=[lambda g: g.conj(lambda g: g.nlin(), using(top))])
            t = g.have("T(Q(l)) = T(W(l) @ Q(l-1))", lambda g: g.ctx(using(q)))
            v = g.have("T(W(l)) = T(T(W(L-l+1)))", lambda g: g.ctx(using(w)))
            g.nc((t, 1, None, None), (before, 1, None, "T(W(l))"), (v, 1, "P(L-l+1)", None), (p, -1, None, None))

        upwards(g, "0", base, step)

    h = g.have("all l:Z. 0 <= l => l <= L => T(Q(l)) = P(L-l)", grow)
    k = g.apply(h, "L", by=[lambda g: g.pos([f"@{depth}"], [1]), Goal.refl])
    g.nc((same, 1, None, None), (k, -1, None, None))


CURVES = f"""all m L:Z, W P Q:(Z,R)~>M(m,m). 1 <= L => (all t:R. 0 <= t => Q(0,t) = I(m) and P(L,t) = I(m)) =>
       (all l:Z, t:R. {INSIDE} => 0 <= t => Q(l,t) = W(l,t) @ Q(l-1,t) and P(l-1,t) = P(l,t) @ W(l,t)) =>"""


@part(
    "razin2020.lemma-27-step-velocity",
    "product-rule",
    f"""{CURVES} all t:R. 0 <= t => d(1,Q,L,t) = sum(l, 1, L, P(l,t) @ d(1,W,l,t) @ Q(l-1,t))""",
    says="the product rule for L factors",
)
def derivative_of_the_product(g: Goal) -> None:
    """P(l) Q(l)' is the sum of the first l terms, by induction: P(l) Q(l)' = P(l) W(l)' Q(l-1) + P(l-1) Q(l-1)'."""
    g.fix("m", "L", "W", "P", "Q")
    depth, ends, steps = (g.assume() for _ in range(3))
    g.fix("t")
    now = g.assume()
    term = "P(l,t) @ d(1,W,l,t) @ Q(l-1,t)"

    def first(g: Goal) -> None:
        (s,) = g.fix()
        g.assume()
        g.close_by(g.split(g.apply(ends, s))[0])

    still = g.apply(g.by_fact("derivative_agrees_matrix", "m", "m", 0, "lam s:R. Q(0,s)", "lam s:R. I(m)", by=[None, first]), "t")

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            e = g.by_fact("matrix_sum_empty", "m", "m", 1, 0, f"lam l:Z. {term}")
            g.rewrite(e)
            g.nc((still, 1, "P(0,t)", None))

        def step(g: Goal) -> None:
            top = g.assume()
            before = g.apply(
                "ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
            )

            def product(g: Goal) -> None:
                (s,) = g.fix()
                h = g.assume()
                g.close_by(g.split(g.apply(steps, "k", s, by=[lambda g: g.conj(lambda g: g.nlin(), using(top)), using(h)]))[0])

            move = g.apply(
                g.by_fact(
                    "derivative_agrees_matrix", "m", "m", 0, "lam s:R. Q(k,s)", "lam s:R. W(k,s) @ Q(k-1,s)", by=[None, product]
                ),
                "t",
            )
            p = g.split(g.apply(steps, "k", "t", by=[lambda g: g.conj(lambda g: g.nlin(), using(top)), using(now)]))[1]
            more = g.by_fact("matrix_sum_last", "m", "m", 1, "k", f"lam l:Z. {term}", by=[lambda g: g.nlin()])
            g.nc((move, 1, "P(k,t)", None), (more, -1, None, None), (before, 1, None, None), (p, -1, None, "d(1,Q,k-1,t)"))

        upwards(g, "0", base, step, "k")

    h = g.have(f"all k:Z. 0 <= k => k <= L => P(k,t) @ d(1,Q,k,t) = sum(l, 1, k, {term})", grow)
    k = g.apply(h, "L", by=[lambda g: g.pos([f"@{depth}"], [1]), Goal.refl])
    end = g.split(g.apply(ends, "t"))[1]
    g.nc((k, 1, None, None), (end, -1, None, "d(1,Q,L,t)"))


@holds(
    "razin2020.lemma-27-step-velocity",
    f"""{CURVES} all G:R->M(m,m). (all l:Z, t:R. {INSIDE} => 0 <= t => d(1,W,l,t) = -(T(P(l,t)) @ G(t) @ T(Q(l-1,t)))) =>
       all t:R. 0 <= t => d(1,Q,L,t) = -sum(l, 1, L, P(l,t) @ T(P(l,t)) @ G(t) @ T(Q(l-1,t)) @ Q(l-1,t))""",
    uses=["razin2020.lemma-27-step-velocity"],
    argument="sound",
    reading=f"{READING}; G(t) is the gradient of the loss at the product matrix",
    context=SQUARE,
)
def velocity_of_the_product(g: Goal) -> None:
    """The product rule with the gradient flow of each factor."""
    g.fix("m", "L", "W", "P", "Q")
    given = [g.assume() for _ in range(3)]
    g.fix("G")
    flow = g.assume()
    g.fix("t")
    now = g.assume()
    rule = g.lemma("razin2020.lemma-27-step-velocity", "part:product-rule", "m", "L", "W", "P", "Q", by=[using(h) for h in given])
    k = g.apply(rule, "t", by=[using(now)])

    def term(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        f = g.apply(flow, i, "t", by=[using(inside), using(now)])
        g.nc((f, 1, f"P({i},t)", f"Q({i}-1,t)"))

    s = g.by_fact(
        "matrix_sum_ext",
        "m",
        "m",
        1,
        "L",
        "lam l:Z. P(l,t) @ d(1,W,l,t) @ Q(l-1,t)",
        "lam l:Z. -1*(P(l,t) @ T(P(l,t)) @ G(t) @ T(Q(l-1,t)) @ Q(l-1,t)) + 0*O(m,m)",
        by=[term],
    )
    minus = g.fact(
        "matrix_sum_linear",
        "m",
        "m",
        1,
        "L",
        "-1",
        "0",
        "lam l:Z. P(l,t) @ T(P(l,t)) @ G(t) @ T(Q(l-1,t)) @ Q(l-1,t)",
        "lam l:Z. O(m,m)",
    )
    g.nc((k, 1, None, None), (s, 1, None, None), (minus, 1, None, None))
