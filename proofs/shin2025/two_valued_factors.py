"""Lemma 13: from a common start in the span of I and J all factors stay equal and keep one diagonal and one off-diagonal value.

The exchange of two coordinates i and j acts through S = (e_i - e_j)(e_i - e_j)^T: it commutes with the start, and its
commutator with the residual is
no larger than the one with the product. So every factor commutes with it for ever. The factors then commute with one another, and
the difference of neighbouring layers obeys a linear equation with start 0.
"""

from __future__ import annotations

from proofs.shin2025.commutant import moves, size
from proofs.shin2025.diagonal_flow import FLOW, PRODUCTS
from verify.kernel import Goal
from verify.registry import part

COMMON = "(all l:Z. 1 <= l and l <= L => W(l,0) = p*I(d) + q*J(d))"
RESIDUAL = "had(I(d), P(L,t) - ws*I(d))"
DECLARED = "all d L:Z, ws p q:R, W P Q:(Z,R)~>M(d,d)."
HYPOTHESES = f"2 <= d => 1 <= L => {PRODUCTS} => {FLOW} => {COMMON}"
NAMES = ["d", "L", "ws", "p", "q", "W", "P", "Q"]


def setting(g: Goal) -> None:
    """Fix the variables and name the hypotheses of this module."""
    g.fix()
    for name in ("d_lo", "L_lo", "prods", "move", "start"):
        g.assume(name)


def from_setting(g: Goal, role: str, claim: str = "shin2025.lemma-13") -> str:
    """A part of this module, its hypotheses discharged by those of the goal."""
    return g.lemma(claim, f"part:{role}", *NAMES, by=[None, None, None, moves, None])


@part(
    "shin2025.lemma-13",
    "exchange-and-residual",
    f"""all d:Z, e f:V(d), S G M:M(d,d), a b:R. T(e) @ e = I(1) => T(f) @ f = I(1) => T(e) @ f = O(1,1) =>
        S = (e - f) @ T(e - f) => T(G) = G => G @ e = a*e => G @ f = b*f => T(e) @ M @ e - T(f) @ M @ f = (a - b)*I(1) =>
        {size("G")} <= {size("M")}""",
)
def exchange_moves_the_residual_no_more_than_the_product(g: Goal) -> None:
    """[S, G] = (a - b)(e f^T - f e^T) has squared norm 2 (a - b)^2, and <[S, M], e f^T - f e^T> = 2 (a - b): Cauchy-Schwarz."""
    ee, ff, ef, s, sym, ge, gf, m = g.intro()
    tge = g.have("T(G @ e) = T(a*e)", lambda g: (g.rewrite(ge), g.refl())[-1])
    tgf = g.have("T(G @ f) = T(b*f)", lambda g: (g.rewrite(gf), g.refl())[-1])
    eg = g.have("T(e) @ G = a*T(e)", lambda g: g.nc((tge, 1, None, None), (sym, -1, "T(e)", None)))
    fg = g.have("T(f) @ G = b*T(f)", lambda g: g.nc((tgf, 1, None, None), (sym, -1, "T(f)", None)))
    x = g.have("S @ G - G @ S = (a - b)*(e @ T(f) - f @ T(e))", lambda g: g.nc(rw=[s, eg, fg, ge, gf]))
    g.rewrite(x)
    k = g.obtain(g.have("ex K:M(d,d). K = e @ T(f) - f @ T(e)", lambda g: (g.witness("e @ T(f) - f @ T(e)"), g.refl())[-1]), "K")[
        0
    ]
    y = g.obtain(g.have("ex Y:M(d,d). Y = S @ M - M @ S", lambda g: (g.witness("S @ M - M @ S"), g.refl())[-1]), "Y")[0]
    g.rewrite(k, back=True)
    g.rewrite(y, back=True)
    fe = g.have(
        "T(f) @ e = O(1,1)",
        lambda g: (h := g.have("T(T(e) @ f) = T(O(1,1))", lambda g: (g.rewrite(ef), g.refl())[-1]), g.nc((h, 1, None, None)))[-1],
    )
    one = g.have("T(e) @ Y @ f = (a - b)*I(1)", lambda g: g.nc((m, 1, None, None), rw=[y, s, ee, ff, ef, fe]))
    two = g.have("T(f) @ Y @ e = -(a - b)*I(1)", lambda g: g.nc((m, -1, None, None), rw=[y, s, ee, ff, ef, fe]))
    one = g.have("tr(T(e) @ Y @ f) = a - b", lambda g: (g.rewrite(one), g.field())[-1])
    two = g.have("tr(T(f) @ Y @ e) = -(a - b)", lambda g: (g.rewrite(two), g.field())[-1])
    kk = g.have("T(K) @ K = f @ T(f) + e @ T(e)", lambda g: g.nc(rw=[k, ee, ff, ef, fe]))
    te = g.have("tr(T(e) @ e) = 1", lambda g: (g.rewrite(ee), g.field())[-1])
    tf = g.have("tr(T(f) @ f) = 1", lambda g: (g.rewrite(ff), g.field())[-1])
    kk = g.have("tr(T(K) @ K) = 2", lambda g: (g.rewrite(kk), g.field((te, 1), (tf, 1)))[-1])
    yk = g.have("tr(T(Y) @ K) = 2*(a - b)", lambda g: (g.rewrite(k), g.field((one, 1), (two, -1)))[-1])
    c = g.fact("frobenius_cauchy", "d", "d", "Y", "K")
    c = g.have(
        "(2*(a - b))^2 <= tr(T(Y) @ Y)*2",
        lambda g: g.pos([f"@{c}"], eqs=[(yk, "tr(T(Y) @ K) + 2*(a - b)"), (kk, "-tr(T(Y) @ Y)")]),
    )
    g.pos([f"@{c}", "1/2"], eqs=[(kk, "-(a - b)^2")])


@part(
    "shin2025.lemma-13",
    "exchange-entries",
    """all d i j:Z, e f:V(d), S X:M(d,d). 1 <= i => i <= d => 1 <= j => j <= d => i != j =>
       e[i,1] = 1 => (all k:Z. 1 <= k and k <= d and k != i => e[k,1] = 0) =>
       f[j,1] = 1 => (all k:Z. 1 <= k and k <= d and k != j => f[k,1] = 0) =>
       (all X:M(d,d), k:Z. 1 <= k and k <= d => (X @ e)[k,1] = X[k,i]) => (all X:M(d,d), k:Z. 1 <= k and k <= d => (X @
       f)[k,1] = X[k,j]) =>
       T(e) @ e = I(1) => T(f) @ f = I(1) => T(e) @ f = O(1,1) => S = (e - f) @ T(e - f) => S @ X = X @ S =>
       X[i,i] - X[i,j] = X[j,j] - X[j,i] and all k:Z. 1 <= k and k <= d and k != i and k != j => X[k,i] = X[k,j]""",
)
def commuting_with_an_exchange_by_entries(g: Goal) -> None:
    """2 X u = u (u^T X u) for u = e - f, read off at the entries i, j and k."""
    _, _, _, _, _ne, e1, e0, f1, f0, ce, cf, ee, ff, ef, s, comm = g.intro()
    fe = g.have(
        "T(f) @ e = O(1,1)",
        lambda g: (h := g.have("T(T(e) @ f) = T(O(1,1))", lambda g: (g.rewrite(ef), g.refl())[-1]), g.nc((h, 1, None, None)))[-1],
    )
    main = g.have(
        "2*(X @ e - X @ f) = (e - f) @ (T(e - f) @ X @ (e - f))",
        lambda g: g.nc((comm, -1, None, "e - f"), rw=[s, ee, ff, ef, fe]),
    )
    c = "(T(e - f) @ X @ (e - f))[1,1]"
    entries = g.have(
        f"all k:Z. 1 <= k and k <= d => 2*(X[k,i] - X[k,j]) = (e[k,1] - f[k,1])*{c}", lambda g: entry(g, main, ce, cf, c)
    )
    g.have("j != i")
    zi = g.apply(f0, "i")
    zj = g.apply(e0, "j")
    hi = g.apply(entries, "i")
    hj = g.apply(entries, "j")

    def other(g: Goal) -> None:
        g.intro()
        h = g.apply(entries, "k")
        ek = g.apply(e0, "k")
        fk = g.apply(f0, "k")
        g.field((h, "1/2"), (ek, f"{c}/2"), (fk, f"-{c}/2"))

    g.conj(lambda g: g.field((hi, "1/2"), (hj, "1/2"), (zi, f"-{c}/2"), (zj, f"{c}/2"), (e1, f"{c}/2"), (f1, f"-{c}/2")), other)


def entry(g: Goal, main: str, ce: str, cf: str, c: str) -> None:
    g.intro()
    h = g.have("(2*(X @ e - X @ f))[k,1] = ((e - f) @ (T(e - f) @ X @ (e - f)))[k,1]", lambda g: (g.rewrite(main), g.refl())[-1])
    r = g.have(f"((e - f) @ (T(e - f) @ X @ (e - f)))[k,1] = (e[k,1] - f[k,1])*{c}", lambda g: g.field())
    left = g.have("(2*(X @ e - X @ f))[k,1] = 2*((X @ e)[k,1] - (X @ f)[k,1])", lambda g: g.field())
    a = g.apply(ce, "X", "k")
    b = g.apply(cf, "X", "k")
    g.field((h, 1), (r, 1), (left, -1), (a, -2), (b, 2))


@part(
    "shin2025.lemma-13",
    "exchange",
    f"""{DECLARED} {HYPOTHESES} => all i j l:Z, t:R. 1 <= i and i <= d and 1 <= j and j <= d and i != j and 1 <= l and l <=
        L => 0 <= t =>
        W(l,t)[i,i] = W(l,t)[j,j] and W(l,t)[i,j] = W(l,t)[j,i] and
        all k:Z. 1 <= k and k <= d and k != i and k != j => W(l,t)[k,i] = W(l,t)[k,j] and W(l,t)[i,k] = W(l,t)[j,k]""",
    uses=["shin2025.lemma-9"],
)
def exchanging_two_coordinates_changes_nothing(g: Goal) -> None:
    """The factor and its transpose commute with the exchange of i and j."""
    setting(g)
    g.intro()
    e1, e0, _ee, ce = g.obtain(g.lemma("shin2025.lemma-9", "part:unit-vector", "d", "i"), "e")
    f1, f0, _ff, cf = g.obtain(g.lemma("shin2025.lemma-9", "part:unit-vector", "d", "j"), "f")
    g.have("j != i")

    def orthogonal(g: Goal) -> None:
        z = g.apply(e0, "j")
        h = g.by_fact("sum_delta", "1", "d", "j", "lam l:Z. e[l,1]*f[l,1]", by=[None, None, product])
        g.field((h, 1), (z, "f[j,1]"))

    def product(g: Goal) -> None:
        g.fix("n")
        g.intro()
        z = g.apply(f0, "n")
        g.field((z, "e[n,1]"))

    g.have("T(e) @ f = O(1,1)", lambda g: g.ext(orthogonal))
    s = g.obtain(g.have("ex S:M(d,d). S = (e - f) @ T(e - f)", lambda g: (g.witness("(e - f) @ T(e - f)"), g.refl())[-1]), "S")[0]

    def residual(g: Goal) -> None:
        g.fix("u")
        g.assume()
        x = "P(L,u) - ws*I(d)"
        me = g.lemma("shin2025.lemma-9", "part:mask-eigenvector", "d", "i", x, "e")
        mf = g.lemma("shin2025.lemma-9", "part:mask-eigenvector", "d", "j", x, "f")
        g.lemma("shin2025.lemma-9", "part:mask-symmetric", "d", x)
        ra = g.have("T(e) @ P(L,u) @ e = P(L,u)[i,i]*I(1)", lambda g: reading(g, "e", "i", ce, e1, e0))
        rb = g.have("T(f) @ P(L,u) @ f = P(L,u)[j,j]*I(1)", lambda g: reading(g, "f", "j", cf, f1, f0))
        h = g.lemma(
            "shin2025.lemma-13",
            "part:exchange-and-residual",
            "d",
            "e",
            "f",
            "S",
            f"had(I(d), {x})",
            "P(L,u)",
            "P(L,u)[i,i] - ws",
            "P(L,u)[j,j] - ws",
            by=[
                None,
                None,
                None,
                None,
                None,
                lambda g: g.nc((me, 1, None, None)),
                lambda g: g.nc((mf, 1, None, None)),
                lambda g: g.nc((ra, 1, None, None), (rb, -1, None, None)),
            ],
        )
        g.pos([f"@{h}"])

    def reading(g: Goal, e: str, i: str, column: str, one: str, zero: str) -> None:
        def at(g: Goal) -> None:
            h = g.by_fact(
                "sum_delta",
                "1",
                "d",
                i,
                f"lam l:Z. {e}[l,1]*(P(L,u) @ {e})[l,1]",
                by=[
                    None,
                    None,
                    lambda g: (g.fix("n"), g.intro(), z := g.apply(zero, "n"), g.field((z, f"(P(L,u) @ {e})[n,1]")))[-1],
                ],
            )
            c = g.apply(column, "P(L,u)", i)
            w = g.have(f"(T({e}) @ (P(L,u) @ {e}))[1,1] = sum(l, 1, d, {e}[l,1]*(P(L,u) @ {e})[l,1])", lambda g: g.field())
            g.field((w, 1), (h, 1), (c, f"{e}[{i},1]"), (one, f"P(L,u)[{i},{i}]"))

        g.ext(at)

    def start(g: Goal) -> None:
        g.fix("k")
        g.assume()
        w = g.apply("start", "k")
        je = g.have("J(d,d) @ e = J(d,1)", lambda g: ones(g, ce))
        jf = g.have("J(d,d) @ f = J(d,1)", lambda g: ones(g, cf))
        j = g.have("J(d,d) @ (e - f) = O(d,1)", lambda g: g.nc((je, 1, None, None), (jf, -1, None, None)))
        t = g.have("T(J(d,d) @ (e - f)) = T(O(d,1))", lambda g: (g.rewrite(j), g.refl())[-1])
        g.rewrite(w)
        g.nc((j, "-q", None, "T(e - f)"), (t, "q", "e - f", None), rw=[s])

    def ones(g: Goal, column: str) -> None:
        g.extn("a", "b")
        g.replace("b", "1", lambda g: g.antisym())
        h = g.apply(column, "J(d,d)", "a")
        g.field((h, 1))

    h = g.lemma(
        "shin2025.lemma-9",
        "part:commutes-for-ever",
        "d",
        "L",
        "1",
        "S",
        "W",
        "P",
        "Q",
        "lam t:R. had(I(d), P(L,t) - ws*I(d))",
        by=[None, None, None, lambda g: g.nc(rw=[s]), None, moves, residual, start],
    )
    h = g.apply(h, "l", "t")
    th = g.have("T(S @ W(l,t)) = T(W(l,t) @ S)", lambda g: (g.rewrite(h), g.refl())[-1])
    th = g.have("S @ T(W(l,t)) = T(W(l,t)) @ S", lambda g: g.nc((th, -1, None, None), rw=[s]))
    one = g.lemma("shin2025.lemma-13", "part:exchange-entries", "d", "i", "j", "e", "f", "S", "W(l,t)")
    two = g.lemma("shin2025.lemma-13", "part:exchange-entries", "d", "i", "j", "e", "f", "S", "T(W(l,t))")
    x, xs = g.split(one)
    y, ys = g.split(two)

    def others(g: Goal) -> None:
        g.intro()
        a = g.apply(xs, "k")
        b = g.apply(ys, "k")
        g.conj(lambda g: g.close_by(a), lambda g: g.field((b, 1)))

    g.conj(lambda g: g.field((x, "1/2"), (y, "1/2")), lambda g: g.field((x, "-1/2"), (y, "1/2")), others)
