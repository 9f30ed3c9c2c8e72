"""Sections 1 to 3: the missing singular pair, kinds of second-order points, rank-degenerate points and the landscape by depth."""

from __future__ import annotations

from proofs.eftekhari2022.global_minimizers import PRODUCTS
from proofs.eftekhari2022.optimal_pairs import CLAIM as PAIRS
from proofs.eftekhari2022.row_span_projection import P
from proofs.eftekhari2022.second_order_layers import half
from proofs.eftekhari2022.stationary_pairs import FIRST, SECOND
from proofs.eftekhari2022.stationary_pairs import PAIR as REGRESSION
from proofs.eftekhari2022.stationary_points import ALONG_READING, TRUE_FROM_THREE
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


@part(
    "eftekhari2022.eq-90",
    "leading-pair",
    """all m n:Z, X:M(m,n). 0 <= m => 0 <= n => X != O(m,n) => ex s:R, u:V(m), v:V(n). 0 < s and T(u) @ u = I(1) and T(v) @ v = I(1) and
       X @ v = s*u and T(X) @ u = s*v""",
    says="a matrix that is not 0 has a pair of singular vectors with a positive singular value",
)
def leading_pair_exists(g: Goal) -> None:
    """The first columns of the singular value decomposition."""
    g.fix()
    m0, n0, nonzero = g.assume(), g.assume(), g.assume()
    uu, vv, x, off, diagonal = g.obtain(g.fact("svd", "m", "n", "X"), "U", "V", "S")
    order = g.fact("sv_range", "m", "n", "X")

    def positive(g: Goal) -> None:
        low = g.contra()

        def term(g: Goal) -> None:
            g.fix("i")
            a, _ = g.split(g.assume())
            up = g.apply(g.split(g.apply(order, "1", "i"))[1])
            here = g.split(g.apply(order, "i", "i"))[0]
            del a
            zero = g.have("sv(X,i) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{up}"], [f"@{low}"]), using(here)))
            g.field((zero, "sv(X,i)"))

        s = g.by_fact("sum_ext", 1, "n", "lam i:Z. sv(X,i)^2", "lam i:Z. 0", by=[term])
        total = g.by_fact("sv_frobenius", "m", "n", "X")
        flat = g.have("tr(T(X) @ X) = 0", lambda g: g.field((total, 1), (s, 1)))
        g.clash(g.by_fact("frobenius_zero", "m", "n", "X", by=[using(flat)]), nonzero)

    above = g.have("0 < sv(X,1)", positive)

    def nonempty(n: str, low: str) -> str:
        def script(g: Goal) -> None:
            def zero(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                rank = g.split(g.by_fact("rank_bounds", "m", "n", "X"))
                flat = g.by_fact(
                    "rank_factor", "m", "n", 0, "X", by=[None, lambda g: g.pos([f"@{rank[1 if n == 'm' else 2]}"], eqs=[(eq, 1)])]
                )
                (product,) = g.obtain(flat, "C", "D", split=False)
                none = g.have("C @ D = O(m,n)", lambda g: (g.extn("i", "j"), g.field())[-1])
                g.clash(g.have("X = O(m,n)", lambda g: g.nc((product, 1, None, None), (none, 1, None, None))), nonzero)

            g.cases(
                g.by_fact("lt_or_eq", "0", n, by=[using(low)]),
                lambda g: g.close_by(g.by_fact("int_lt", "0", n, by=[using(next(reversed(g.seq.hyps)))])),
                zero,
            )

        return g.have(f"1 <= {n}", lambda g: one(g, n, script))

    def one(g: Goal, n: str, script: Script) -> None:
        h = g.have(f"0 + 1 <= {n}", script)
        g.pos([f"@{h}"])

    nonempty("m", m0)
    nonempty("n", n0)
    (e,) = g.obtain(g.by_fact("unit_vector", "n", "1"), "e", split=False)
    (f,) = g.obtain(g.by_fact("unit_vector", "m", "1"), "f", split=False)
    first = g.apply(diagonal, "1")

    def unit(g: Goal, own: str, n: str, v: str) -> None:
        a, b = g.apply(own, "1", f"T({v})", "1"), g.apply(own, n, f"I({n})", "1")
        same = g.have(f"I({n}) @ {v} = {v}", lambda g: g.nc())
        b = g.rewritten(b, same)
        c = g.have(f"I({n})[1,1] = 1", lambda g: g.field())
        g.ext(lambda g: g.field((a, 1), (b, 1), (c, 1)))

    ee = g.have("T(e) @ e = I(1)", lambda g: unit(g, e, "n", "e"))
    ff = g.have("T(f) @ f = I(1)", lambda g: unit(g, f, "m", "f"))

    def column(g: Goal, own: str, other: str, n: str, v: str, m: str, w: str, s: str, flip: bool) -> None:
        g.extn("i", "j")
        (j1,) = [g.have("j = 1", lambda g: g.antisym(None, None))]
        g.rewrite(j1)
        a = g.apply(own, m, s, "i")
        b = g.rewritten(g.apply(other, m, f"I({m})", "i"), g.have(f"I({m}) @ {w} = {w}", lambda g: g.nc()))

        def equal(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            c = g.have(f"I({m})[i,1] = 1", lambda g: (g.rewrite(h), g.field())[-1])
            d = g.have("S[i,1] = sv(X,1)" if not flip else "S[1,i] = sv(X,1)", lambda g: (g.rewrite(h), g.close_by(first))[-1])
            g.field((a, 1), (b, "-sv(X,1)"), (c, "-sv(X,1)"), (d, 1))

        def other_(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            c = g.have(f"I({m})[i,1] = 0", lambda g: g.field())
            if flip:
                back = g.have("1 != i", lambda g: turned(g, ne))
                d = g.apply(off, "1", "i", by=[using(back)])
            else:
                d = g.apply(off, "i", "1", by=[using(ne)])
            g.field((a, 1), (b, "-sv(X,1)"), (c, "-sv(X,1)"), (d, 1))

        g.em("i = 1", equal, other_)

    def turned(g: Goal, ne: str) -> None:
        eq = g.contra()
        g.clash(g.have("i = 1", lambda g: g.field((eq, -1))), ne)

    se = g.have("S @ e = sv(X,1)*f", lambda g: column(g, e, f, "n", "e", "m", "f", "S", False))
    sf = g.have("T(S) @ f = sv(X,1)*e", lambda g: column(g, f, e, "m", "f", "n", "e", "T(S)", True))
    g.witness("sv(X,1)", "U @ f", "V @ e")
    xt = g.have("T(X) = T(U @ S @ T(V))", lambda g: (g.rewrite(x), g.refl())[-1])
    g.conj(
        using(above),
        lambda g: g.nc((uu, 1, "T(f)", "f"), (ff, 1, None, None)),
        lambda g: g.nc((vv, 1, "T(e)", "e"), (ee, 1, None, None)),
        lambda g: g.nc((x, 1, None, "V @ e"), (vv, 1, "U @ S", "e"), (se, 1, "U", None)),
        lambda g: g.nc((xt, 1, None, "U @ f"), (uu, 1, "V @ T(S)", "f"), (sf, 1, "V", None)),
    )


@part(
    "eftekhari2022.eq-90",
    "one-is-missing",
    """all y m r:Z, M:M(y,m), K:M(y,r), R:M(r,m). 0 <= y => 0 <= m => r <= rank(M) => rank(K @ R) < r => (M - K @ R) @ T(R) = O(y,r) =>
       T(K) @ (M - K @ R) = O(r,m) => ex u:V(y), v:V(m), s:R. 0 < s and T(u) @ u = I(1) and T(v) @ v = I(1) and M @ v = s*u and T(M) @ u = s*v and
       T(K) @ u = O(r,1) and R @ v = O(r,1)""",
    says="a first-order stationary pair lacks at least one pair of singular vectors of Y P_X with a positive singular value (here v is a column)",
    uses=["eftekhari2022.eq-90"],
)
def some_pair_is_missing(g: Goal) -> None:
    """A leading pair of the residual, which is not 0: K^T u = K^T G v/s = 0, R v = R G^T u/s = 0, and so M v = G v."""
    g.fix()
    y0, m0, full, low, row, column = (g.assume() for _ in range(6))
    gap = "(M - K @ R)"

    def different(g: Goal) -> None:
        eq = g.contra()
        same = g.have("M = K @ R", lambda g: g.nc((eq, 1, None, None)))
        k = g.rewritten(full, same)
        g.pos([f"@{k}"], [f"@{low}"])

    nonzero = g.have(f"{gap} != O(y,m)", different)
    pair = g.lemma("eftekhari2022.eq-90", "part:leading-pair", "y", "m", gap, by=[using(y0), using(m0), using(nonzero)])
    s, uu, vv, right, left = g.obtain(pair, "s", "u", "v")
    inverse = g.have("(1/s)*s = 1", lambda g: g.field())
    flipped = g.have(f"T({gap} @ T(R)) = T(O(y,r))", lambda g: (g.rewrite(row), g.refl())[-1])
    ku = g.have("T(K) @ u = O(r,1)", lambda g: g.nc((right, "-1/s", "T(K)", None), (column, "1/s", None, "v")))
    rv = g.have("R @ v = O(r,1)", lambda g: g.nc((left, "-1/s", "R", None), (flipped, "1/s", None, "u")))
    del inverse
    turned = g.have("T(T(K) @ u) = T(O(r,1))", lambda g: (g.rewrite(ku), g.refl())[-1])
    del turned
    g.witness("u", "v", "s")
    g.conj(
        using(s), using(uu), using(vv), lambda g: g.nc((right, 1, None, None), (rv, 1, "K", None)),
        lambda g: g.nc((left, 1, None, None), (ku, 1, "T(R)", None)), using(ku), using(rv),
    )  # fmt: skip


TWO_LAYERS = f"""{REGRESSION} 0 <= y => 0 <= m => 0 <= r => det(X @ T(X)) != 0 => {FIRST} {SECOND}
       all C:M(y,r), D:M(r,x). {half("Y - K @ Q @ X")} <= {half("Y - C @ D @ X")}"""


@part(
    "eftekhari2022.assertion-landscape-harder-than-n2",
    "two-layers",
    TWO_LAYERS,
    says="second-order stationary points of two layers of any hidden width are global minimizers",
    uses=["eftekhari2022.lemma-5-fosp", "eftekhari2022.lemma-5-sosp", PAIRS, "eftekhari2022.eq-11-equality"],
)
def two_layers_have_no_spurious_points(g: Goal) -> None:
    """Lemma 5, the optimality of second-order pairs for (12), and the Pythagorean split of the loss."""
    g.fix()
    penrose = [g.assume() for _ in range(4)]
    y0, m0, r0, regular, left, right, second = (g.assume() for _ in range(7))
    terms, known = ("x", "y", "m", "r", *"XGYKQ"), [using(k) for k in (*penrose, regular)]
    row, column = g.split(g.lemma("eftekhari2022.lemma-5-fosp", "statement", *terms, by=[*known, using(left), using(right)]))
    form = g.lemma("eftekhari2022.lemma-5-sosp", "statement", *terms, by=[*known, using(second)])
    gradients = [lambda g: g.nc((row, 1, None, None)), lambda g: g.nc((column, 1, None, None))]
    best = g.lemma(
        PAIRS,
        "part:optimal",
        *("y", "m", "r", f"Y @ {P}", "K", "Q @ X"),
        by=[using(y0), using(m0), using(r0), *gradients, using(form)],
    )
    g.fix("C", "D")
    low = g.split(g.fact("rank_product", "y", "r", "m", "C", "D @ X"))[0]
    most = g.split(g.by_fact("rank_bounds", "y", "r", "C"))[2]
    k = g.apply(best, "C @ (D @ X)", by=[lambda g: g.pos([f"@{low}"], [f"@{most}"])])
    split = "eftekhari2022.eq-11-equality"
    one = g.apply(g.lemma(split, "statement", "x", "y", "m", "X", "G", "Y", "r", "K", by=[using(p) for p in penrose]), "Q")
    two = g.apply(g.lemma(split, "statement", "x", "y", "m", "X", "G", "Y", "r", "C", by=[using(p) for p in penrose]), "D")
    g.pos(["1/2", f"@{k}"], eqs=[(one, -1), (two, 1)])


@holds(
    "eftekhari2022.assertion-landscape-harder-than-n2",
    f"({TWO_LAYERS}) and ({TRUE_FROM_THREE})",
    argument="sound",
    reading="for N = 2 (K = W_2, Q = W_1, any hidden width r) every second-order stationary point is a global minimizer; for N = 2 + n >= 3 the zero"
    f" tuple is none, although all its first and second derivatives vanish, whenever Y X^T is not 0. {ALONG_READING}",
    context="X X^T is invertible for N = 2 [Section 2]",
    uses=["eftekhari2022.assertion-landscape-harder-than-n2", "eftekhari2022.assertion-zero-spurious"],
)
def deeper_networks_have_spurious_points(g: Goal) -> None:
    """The part on two layers, and the amended statement on the zero tuple."""
    g.conj(
        lambda g: g.close_by(g.lemma("eftekhari2022.assertion-landscape-harder-than-n2", "part:two-layers")),
        lambda g: g.close_by(g.lemma("eftekhari2022.assertion-zero-spurious", "amendment")),
    )


CUBE = "((1 - (0 + u*E)*(0 + u*F)*(0 + u*G))^2/2)"
FLAT_AT_ZERO = f"D(u, {CUBE}, 0) = 0 and D(s, D(u, {CUBE}, s), 0) = 0"


@holds(
    "eftekhari2022.def-rank-degenerate",
    f"(all E F G:R. {FLAT_AT_ZERO}) and rank([[0]] @ [[0]] @ [[0]]) < 1",
    argument="sound",
    reading="well-formed and not void: the zero tuple of a network of depth 3 and widths 1 (so r = 1) with X = Y = 1 is second-order stationary, and its product has rank 0",
)
def zero_tuple_is_rank_degenerate(g: Goal) -> None:
    """Derivatives at 0 of (1 - u^3 E F G)^2/2."""

    def flat(g: Goal) -> None:
        g.fix()
        g.conj(lambda g: g.field(), lambda g: g.field())

    g.conj(flat, lambda g: g.compute())


POINT_SOSP = "(all q:V(n). D(u, f(p + u*q), 0) = 0 and 0 <= D(s, D(u, f(p + u*q), s), 0))"
LOCAL = "(ex e:R. 0 < e and all q:V(n). tr(T(q - p) @ (q - p)) < e^2 => f(p) <= f(q))"
SADDLE = f"({POINT_SOSP} and not {LOCAL})"


@holds(
    "eftekhari2022.assertion-sosp-dichotomy",
    f"""(all n:Z, f:V(n)->R, p:V(n). {POINT_SOSP} => ({LOCAL} or {SADDLE}) and not ({LOCAL} and {SADDLE})) and
       (all E F G:R. {FLAT_AT_ZERO}) and (all e:R. 0 < e => ex a:R. 0 < a and a < e and (1 - a*a*a)^2/2 < (1 - 0*0*0)^2/2) and
       (all a b c:R. (1 - 1*1*1)^2/2 <= (1 - a*b*c)^2/2)""",
    argument="sound",
    reading="f is the loss as a function of all layers; as in the text a non-strict saddle is a second-order stationary point that is no local"
    " minimizer, so that the classes are exhaustive and exclusive. Both occur: for depth 3, widths 1 and X = Y = 1 the zero tuple is"
    " second-order stationary with smaller values nearby, and (1, 1, 1) is a global minimizer",
)
def second_order_points_are_minima_or_saddles(g: Goal) -> None:
    """Excluded middle; (1 - a^3)^2 < 1 for small a > 0."""

    def classes(g: Goal) -> None:
        g.fix()
        sosp = g.assume()

        def either(g: Goal) -> None:
            g.em(
                LOCAL,
                lambda g: (g.left_or_right(0), g.close_by(next(reversed(g.seq.hyps))))[-1],
                lambda g: saddle(g, sosp),
            )

        def never(g: Goal) -> None:
            one, two = g.split(g.assume())
            _, none = g.split(two)
            g.clash(one, none)

        g.conj(either, never)

    def saddle(g: Goal, sosp: str) -> None:
        none = next(reversed(g.seq.hyps))
        g.left_or_right(1)

        def no(g: Goal) -> None:
            h = g.assume()
            g.clash(h, none)

        g.conj(using(sosp), no)

    def flat(g: Goal) -> None:
        g.fix()
        g.conj(lambda g: g.field(), lambda g: g.field())

    def nearby(g: Goal) -> None:
        g.fix("e")
        e = g.assume()
        g.have("0 < 1 + e")
        g.witness("e/(2*(1 + e))")
        (a,) = g.obtain(
            g.have("ex a:R. a*(2*(1 + e)) = e", lambda g: (g.witness("e/(2*(1 + e))"), g.field())[-1]), "a", split=False
        )
        same = g.have("e/(2*(1 + e)) = a", lambda g: g.field((a, "-1/(2*(1 + e))")))
        g.rewrite(same)
        low = g.have("0 < a", lambda g: g.pos([f"@{e}"], mul=["2*(1 + e)"], eqs=[(a, 1)]))
        high = g.have("a < 1", lambda g: g.pos(["2"], [f"@{e}"], mul=["2*(1 + e)"], eqs=[(a, -1)]))
        g.conj(
            using(low),
            lambda g: g.pos([f"@{e}"], ["2", "e^2"], mul=["2*(1 + e)"], eqs=[(a, -1)]),
            lambda g: g.pos(
                ["a", "a", "a", f"@{high}", "1/2"],
                ["a", "a", "a", f"@{high}", "a", "1/2"],
                ["a", "a", "a", f"@{high}", "a^2", "1/2"],
                ["1/2", "a", "a", "a"],
            ),
        )

    def best(g: Goal) -> None:
        g.fix()
        g.pos(["1/2", "(1 - a*b*c)^2"])

    g.conj(classes, flat, nearby, best)


LAYERED_STEP = f"""all x y m r:Z, X:M(x,m), Y:M(y,m), W:M(y,x). rank(W) = r =>
       (all V:M(y,x). rank(V) = r => {half("Y - W @ X")} <= {half("Y - V @ X")}) =>
       (ex V:M(y,x). rank(V) = r and all U:M(y,x). rank(U) <= r => {half("Y - V @ X")} <= {half("Y - U @ X")}) =>
       all U:M(y,x). rank(U) <= r => {half("Y - W @ X")} <= {half("Y - U @ X")}"""


@holds(
    "eftekhari2022.step-e-conclusion",
    LAYERED_STEP,
    argument="sound",
    reading=f"W is the product of the layers; {PRODUCTS.split('. First')[0]}. The step alone: its premises are shown at Proposition 32 and (103)",
    context=(
        "W is a global minimizer among the products of rank r (Proposition 32 of [1] with k = r) [Proposition 32]; some "
        "global minimizer has rank r (104) [(104)]"
    ),
)
def restricted_minimizers_are_global(g: Goal) -> None:
    """Compare with the minimizer of rank r."""
    g.fix()
    g.assume()
    own, some = g.assume(), g.assume()
    rank, best = g.obtain(some, "V")
    g.fix("U")
    low = g.assume()
    one = g.apply(own, "V", by=[using(rank)])
    two = g.apply(best, "U", by=[using(low)])
    g.pos([f"@{one}"], [f"@{two}"])
