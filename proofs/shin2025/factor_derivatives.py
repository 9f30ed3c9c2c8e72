"""Equation (23): all time derivatives of a factor by the Leibniz rule."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from proofs.shin2025.diagonal_flow import FLOW, PRODUCTS
from proofs.shin2025.equal_layers import LAYER
from proofs.shin2025.leibniz import (
    BINOMIALS,
    carried,
    constant_derivatives,
    derivatives_of_the_empty_product,
    leibniz,
    order,
)
from verify.kernel import Goal
from verify.registry import holds

RESIDUAL = "(all t:R. 0 <= t => G(t) = had(I(d), P(L,t) - ws*I(d)))"
LEFT = """(U(L,0) = I(d) and (all n:Z. 1 <= n => U(L,n) = O(d,d)) and
    all r n:Z. 0 <= r and r < L and 0 <= n => U(r,n) = sum(i, 0, n, Cb(n,i)*(T(d(i,W,r+1,t)) @ U(r+1,n - i))))"""
RIGHT = """(V(0,0) = I(d) and (all n:Z. 1 <= n => V(0,n) = O(d,d)) and
    all r n:Z. 0 <= r and r < L and 0 <= n => V(r+1,n) = sum(i, 0, n, Cb(n,i)*(V(r,i) @ T(d(n - i,W,r+1,t)))))"""


EXPANSION = f"""all l:Z. {LAYER} => all t:R, U V:(Z,Z)->M(d,d). 0 <= t => {LEFT} => {RIGHT} => all k:Z. 1 <= k =>
        d(k,W,l,t) = -sum(a, 0, k - 1, Cb(k - 1,a)*(U(l,a) @ sum(b, 0, k - 1 - a, Cb(k - 1 - a,b)*(d(b,G,t) @ V(l - 1,k - 1
        - a - b)))))"""


@holds(
    "shin2025.eq-23",
    f"""all d L:Z, ws:R, Cb:(Z,Z)->R, W P Q:(Z,R)~>M(d,d), G:R~>M(d,d). 2 <= d => 2 <= L => 0 < ws => {BINOMIALS} =>
        {PRODUCTS} => {FLOW} =>
        {RESIDUAL} => {EXPANSION}""",
    argument="sound",
    context=(

            "G is the gradient of the loss at the product, Cb are the binomial coefficients [notation]; the multinomial "
            "sum is written as nested binomial sums: U(l,a) is the one for W_(l+1)^T .. W_L^T with orders that add up to "
            "a, V(l-1,c) the one for W_1^T .. W_(l-1)^T [encoding]"

    ),
)
def derivatives_of_a_factor(g: Goal) -> None:
    """The Leibniz rule for -Q(l)^T G P(l-1)^T, and for the transposed partial products factor by factor."""
    g.fix()
    g.assume()
    g.assume()
    g.assume()
    g.assume("binom")
    g.assume("prods")
    g.assume("move")
    g.assume("resid")
    expansion(g)


def transposed(g: Goal, x: str) -> str:
    """Names the family of the transposes of x by Tx; returns its equation."""

    def exists(g: Goal) -> None:
        g.witness(f"lam l:Z, t:R. T({x}(l,t))")
        g.auto()

    return g.obtain(g.have(f"ex T{x}:(Z,R)~>M(d,d). all l:Z, t:R. T{x}(l,t) = T({x}(l,t))", exists), f"T{x}")[0]


def expansion(g: Goal) -> None:
    """Prove EXPANSION from the hypotheses binom, prods, move and resid."""
    ends, pascal = g.split("binom")
    p0, ps, q0, qs = g.split("prods")
    tw, tp, tq = (transposed(g, x) for x in "WPQ")
    known = {"TW": tw, "TP": tp, "TQ": tq}

    def transposes(g: Goal) -> None:
        g.fix("r")
        base = g.have("all t:R. 0 <= t => TW(r,t) = T(W(r,t))", lambda g: (g.intro(), g.close_by(g.apply(tw, "r", "t")))[-1])
        g.close_by(carried(g, "TW,r", "W,r", "T({0})", base))

    flipped = g.have("all r:Z. all n:Z. 0 <= n => all t:R. 0 <= t => d(n,TW,r,t) = T(d(n,W,r,t))", transposes)

    def every_step(whole: str, left: str, right: str, law: str) -> str:
        """Leibniz' rule for whole = left @ right at every r, where `law` is the transposed equation."""

        def factor(g: Goal) -> None:
            g.intro()
            for x in (whole, left, right):
                name, index = x.split(",")
                g.rewrite(g.apply(known[name], index, "t"))
            g.rewrite(g.apply(law, "r", "t"))
            g.nc()

        def rule(g: Goal) -> None:
            g.fix("r")
            g.split_all(g.assume())
            now, x, y = (f"{z},t)".replace(",", "(", 1) for z in (whole, left, right))
            p = g.have(f"all t:R. 0 <= t => {now} = {x} @ {y}", factor)
            g.close_by(leibniz(g, whole, left, right, p, ends, pascal))

        terms = f"sum(i, 0, n, Cb(n,i)*({order('i', left)} @ {order('n - i', right)}))"
        return g.have(f"all r:Z. 0 <= r and r < L => all n:Z. 0 <= n => all t:R. 0 <= t => {order('n', whole)} = {terms}", rule)

    def empty(x: str, index: str, unit: str) -> str:
        """The transposed empty product is I."""

        def script(g: Goal) -> None:
            g.intro()
            g.rewrite(g.apply(known[x], index, "t"))
            g.rewrite(g.apply(unit, "t"))
            g.nc()

        return g.have(f"all t:R. {x}({index},t) = I(d)", script)

    down = every_step("TQ,r", "TW,r+1", "TQ,r+1", qs)
    up = every_step("TP,r+1", "TP,r", "TW,r+1", ps)
    one_p, one_q = empty("TP", "0", p0), empty("TQ", "L", q0)
    flat_p = constant_derivatives(g, "TP,0", one_p)
    flat_q = constant_derivatives(g, "TQ,L", one_q)
    g.fix("l")
    g.split_all(g.assume())
    e = g.obtain(
        g.have(
            "ex E:R~>M(d,d). all t:R. E(t) = G(t) @ TP(l - 1,t)",
            lambda g: (g.witness("lam t:R. G(t) @ TP(l - 1,t)"), g.auto())[-1],
        ),
        "E",
    )[0]
    h = g.obtain(
        g.have("ex H:R~>M(d,d). all t:R. H(t) = TQ(l,t) @ E(t)", lambda g: (g.witness("lam t:R. TQ(l,t) @ E(t)"), g.auto())[-1]),
        "H",
    )[0]
    inner = leibniz(
        g,
        "E",
        "G",
        "TP,l - 1",
        g.have("all t:R. 0 <= t => E(t) = G(t) @ TP(l - 1,t)", lambda g: (g.intro(), g.close_by(g.apply(e, "t")))[-1]),
        ends,
        pascal,
    )
    outer = leibniz(
        g,
        "H",
        "TQ,l",
        "E",
        g.have("all t:R. 0 <= t => H(t) = TQ(l,t) @ E(t)", lambda g: (g.intro(), g.close_by(g.apply(h, "t")))[-1]),
        ends,
        pascal,
    )

    def velocity(g: Goal) -> None:
        g.intro()
        v, w = g.apply("move", "l", "t"), g.apply("resid", "t")
        x, y = g.apply(tq, "l", "t"), g.apply(tp, "l - 1", "t")
        a, b = g.apply(h, "t"), g.apply(e, "t")
        g.rewrite(v)
        g.rewrite(a)
        g.rewrite(b)
        g.rewrite(w)
        g.rewrite(x)
        g.rewrite(y)
        g.nc()

    speed = carried(g, "W,l", "H", "(-1)*({0})", g.have("all t:R. 0 <= t => W'(l,t) = (-1)*H(t)", velocity), "1")
    g.fix()
    g.assume()
    u0, un, ur = g.split(g.assume())
    v0, vn, vr = g.split(g.assume())

    def lefts(g: Goal) -> None:
        g.induct("q", "jh")
        g.assume()

        def none(g: Goal) -> None:
            z = g.have("L - q = L")
            g.rewrite(z)
            derivatives_of_the_empty_product(g, flat_q, one_q, u0, un)

        def more(g: Goal) -> None:
            hh = g.apply("jh", "q - 1")
            hh = g.have(
                "all n:Z. 0 <= n => d(n,TQ,L - q + 1,t) = U(L - q + 1,n)",
                lambda g: (g.intro(), x := g.apply(hh, "n"), y := g.have("L - q + 1 = L - (q - 1)"), g.rewrite(y), g.close_by(x))[
                    -1
                ],
            )
            g.intro()
            a = g.apply(g.apply(g.apply(down, "L - q"), "n"), "t")
            b = g.apply(ur, "L - q", "n")

            def term(g: Goal) -> None:
                i = g.fix()[0]
                g.split_all(g.assume())
                x = g.apply(g.apply(g.apply(flipped, "L - q + 1"), i), "t")
                y = g.apply(hh, f"n - {i}")
                g.rewrite(x)
                g.rewrite(y)
                g.refl()

            s = g.by_fact(
                "matrix_sum_ext",
                "d",
                "d",
                "0",
                "n",
                "lam i:Z. Cb(n,i)*(d(i,TW,L - q + 1,t) @ d(n - i,TQ,L - q + 1,t))",
                "lam i:Z. Cb(n,i)*(T(d(i,W,L - q + 1,t)) @ U(L - q + 1,n - i))",
                by=[term],
            )
            joined(g, a, b, s, "L - q", "(L - q) + 1", "L - q + 1")

        by_last(g, none, more, "q")

    left = g.have("all q:Z. 0 <= q => q <= L => all n:Z. 0 <= n => d(n,TQ,L - q,t) = U(L - q,n)", lefts)

    def rights(g: Goal) -> None:
        g.induct("r", "jh")
        g.assume()

        def none(g: Goal) -> None:
            z = g.have("r = 0")
            g.rewrite(z)
            derivatives_of_the_empty_product(g, flat_p, one_p, v0, vn)

        def more(g: Goal) -> None:
            hh = g.apply("jh", "r - 1")
            g.intro()
            a = g.apply(g.apply(g.apply(up, "r - 1"), "n"), "t")
            b = g.apply(vr, "r - 1", "n")

            def term(g: Goal) -> None:
                i = g.fix()[0]
                g.split_all(g.assume())
                x = g.apply(g.apply(g.apply(flipped, "(r - 1) + 1"), f"n - {i}"), "t")
                y = g.apply(hh, i)
                g.rewrite(x)
                g.rewrite(y)
                g.refl()

            s = g.by_fact(
                "matrix_sum_ext",
                "d",
                "d",
                "0",
                "n",
                "lam i:Z. Cb(n,i)*(d(i,TP,r - 1,t) @ d(n - i,TW,(r - 1) + 1,t))",
                "lam i:Z. Cb(n,i)*(V(r - 1,i) @ T(d(n - i,W,(r - 1) + 1,t)))",
                by=[term],
            )
            g.nc((a, 1, None, None), (s, 1, None, None), (b, -1, None, None))

        by_last(g, none, more, "r")

    right = g.have("all r:Z. 0 <= r => r <= L => all n:Z. 0 <= n => d(n,TP,r,t) = V(r,n)", rights)
    g.intro()
    left = g.apply(left, "L - l")
    left = g.have("all n:Z. 0 <= n => d(n,TQ,l,t) = U(l,n)", lambda g: (g.intro(), x := g.apply(left, "n"), put(g, x))[-1])
    right = g.apply(right, "l - 1")
    w = g.apply(g.apply(speed, "k - 1"), "t")
    hk = g.apply(g.apply(outer, "k - 1"), "t")

    def outer_term(g: Goal) -> None:
        a = g.fix()[0]
        g.split_all(g.assume())
        x = g.apply(left, a)
        y = g.apply(g.apply(inner, f"k - 1 - {a}"), "t")

        def inner_term(g: Goal) -> None:
            b = g.fix()[0]
            g.split_all(g.assume())
            z = g.apply(right, f"k - 1 - {a} - {b}")
            z = g.have(f"d((k - 1 - {a}) - {b},TP,l - 1,t) = V(l - 1,k - 1 - {a} - {b})", lambda g: g.nc((z, 1, None, None)))
            g.rewrite(z)
            g.refl()

        s = g.by_fact(
            "matrix_sum_ext",
            "d",
            "d",
            "0",
            f"k - 1 - {a}",
            f"lam b:Z. Cb(k - 1 - {a},b)*(d(b,G,t) @ d((k - 1 - {a}) - b,TP,l - 1,t))",
            f"lam b:Z. Cb(k - 1 - {a},b)*(d(b,G,t) @ V(l - 1,k - 1 - {a} - b))",
            by=[inner_term],
        )
        y = g.have(
            f"d((k - 1) - {a},E,t) = sum(b, 0, k - 1 - {a}, Cb(k - 1 - {a},b)*(d(b,G,t) @ V(l - 1,k - 1 - {a} - b)))",
            lambda g: g.nc((y, 1, None, None), (s, 1, None, None)),
        )
        g.rewrite(x)
        g.rewrite(y)
        g.refl()

    total = g.by_fact(
        "matrix_sum_ext",
        "d",
        "d",
        "0",
        "k - 1",
        "lam a:Z. Cb(k - 1,a)*(d(a,TQ,l,t) @ d((k - 1) - a,E,t))",
        "lam a:Z. Cb(k - 1,a)*(U(l,a) @ sum(b, 0, k - 1 - a, Cb(k - 1 - a,b)*(d(b,G,t) @ V(l - 1,k - 1 - a - b))))",
        by=[outer_term],
    )
    w = g.have("d(k,W,l,t) = (-1)*d(k - 1,H,t)", lambda g: g.nc((w, 1, None, None)))
    g.rewrite(w)
    g.nc((hk, -1, None, None), (total, -1, None, None))


def put(g: Goal, x: str) -> None:
    """The hypothesis x with L - (L - l) written as l."""
    g.nc((x, 1, None, None))


def joined(g: Goal, a: str, b: str, s: str, r: str, nested: str, flat: str) -> None:
    """d(n,TQ,r,t) = U(r,n) from the two recursions and the equality of the sums."""
    e = g.have(f"{nested} = {flat}")
    sides = []
    for h in (a, b):
        f = g.hyp_formula(h)
        k = g.have(("=", f[1], rewritten(g, f[2], e)), lambda g, h=h: (g.rewrite(e, back=True), g.close_by(h))[-1])
        sides.append(k)
    g.rewrite(sides[0])
    g.rewrite(sides[1])
    g.close_by(s)


def rewritten(g: Goal, term: object, e: str) -> object:
    """A term with one side of an equation replaced by the other."""
    _, old, new = g.hyp_formula(e)

    def walk(x: object) -> object:
        if x == old:
            return new
        return tuple(walk(y) for y in x) if isinstance(x, tuple) else x

    return walk(term)
