"""Section 2: second-order stationary pairs of the best approximation (12) are global minimizers (Theorem 7, Lemma 21)."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.stationary_pairs import form
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

CLAIM = "eftekhari2022.theorem-7"


@part(
    CLAIM,
    "columns",
    f"""all p q n k:Z, A:M(p,n), B:M(q,n). (all v:V(n). {size("A @ v")} <= {size("B @ v")}) =>
       all D:M(n,k). {size("A @ D")} <= {size("B @ D")}""",
    says="what holds for all vectors holds for the columns of a matrix, and for their squared lengths added up",
)
def columns_stretch_together(g: Goal) -> None:
    """Sum over the columns D e_j."""
    h = g.intro(split=False)[0]

    def total(g: Goal, p: str, a: str) -> str:
        """|a D|^2 as the sum over columns."""
        one = g.fact("frobenius_entries", p, "k", f"{a} @ D")
        two = g.fact("sum_swap", 1, p, 1, "k", f"lam i:Z, j:Z. ({a} @ D)[i,j]^2")
        return g.have(
            f"{size(f'{a} @ D')} = sum(j, 1, k, sum(i, 1, {p}, ({a} @ D)[i,j]^2))", lambda g: g.field((one, 1), (two, 1))
        )

    left, right = total(g, "p", "A"), total(g, "q", "B")

    def column(g: Goal) -> None:
        g.fix("j")
        g.split(g.assume())
        (e,) = g.obtain(g.by_fact("unit_vector", "k", "j"), "e", split=False)
        k = g.apply(h, "D @ e")

        def image(g: Goal, p: str, a: str) -> str:
            (c,) = g.obtain(
                g.have(f"ex C:M({p},k). C = {a} @ D", lambda g: (g.witness(f"{a} @ D"), g.refl())[-1]), f"C{a}", split=False
            )
            c_ = f"C{a}"
            one = g.fact("frobenius_entries", p, 1, f"{c_} @ e")

            def entry(g: Goal) -> None:
                g.fix("i")
                g.assume()
                v = g.apply(e, p, c_, "i")
                last = g.by_fact("sum_delta", 1, 1, 1, f"lam l:Z. ({c_} @ e)[i,l]^2", by=[None, None, alone])
                g.field((last, 1), (v, f"({c_} @ e)[i,1] + {c_}[i,j]"))

            def alone(g: Goal) -> None:
                g.fix("l")
                low, high = g.split(g.assume())
                ne = g.assume()
                eq = g.have("l = 1", lambda g: g.antisym(using(high), using(low)))
                g.clash(eq, ne)

            s = g.by_fact("sum_ext", 1, p, f"lam i:Z. sum(l, 1, 1, ({c_} @ e)[i,l]^2)", f"lam i:Z. {c_}[i,j]^2", by=[entry])
            same = g.have(f"{a} @ (D @ e) = {c_} @ e", lambda g: g.nc((c, -1, None, "e")))
            short = g.have(
                f"{size(f'{a} @ (D @ e)')} = sum(i, 1, {p}, {c_}[i,j]^2)",
                lambda g: (g.rewrite(same), g.field((one, 1), (s, 1)))[-1],
            )
            return g.rewritten(short, c)

        one, two = image(g, "p", "A"), image(g, "q", "B")
        g.pos([f"@{k}"], eqs=[(one, 1), (two, -1)])

    s = g.by_fact(
        "sum_mono",
        1,
        "k",
        "lam j:Z. sum(i, 1, p, (A @ D)[i,j]^2)",
        "lam j:Z. sum(i, 1, q, (B @ D)[i,j]^2)",
        by=[column],
    )
    g.pos([f"@{s}"], eqs=[(left, -1), (right, 1)])


GAP = "(M - K @ R)"
FIRST = f"{GAP} @ T(R) = O(y,r) => T(K) @ {GAP} = O(r,m) =>"
SECOND = f"(all A:M(y,r), B:M(r,m). 0 <= {form('A', 'B', 'R', 'M')})"
PAIR = "all y m r:Z, M:M(y,m), K:M(y,r), R:M(r,m). 0 <= y => 0 <= m => 0 <= r =>"


def length(g: Goal, v: str, n: str, nonzero: str) -> str:
    """0 < |v|^2 for a vector that is not zero."""

    def positive(g: Goal) -> None:
        g.contra("low")
        zero = g.have(f"{size(v)} = 0", lambda g: g.antisym(using("low"), lambda g: g.pos([size(v)])))
        g.clash(g.by_fact("frobenius_zero", n, 1, v, by=[using(zero)]), nonzero)

    return g.have(f"0 < {size(v)}", positive)


def killed(g: Goal, m: str, rows: str, columns: str, every: str) -> str:
    """m = 0 from m v = 0 for all vectors v."""

    def zero(g: Goal) -> None:
        g.extn("i", "j")
        (e,) = g.obtain(g.by_fact("unit_vector", columns, "j"), "ej", split=False)
        k = g.apply(e, rows, m, "i")
        w = g.apply(every, "ej")
        v = g.have(f"({m} @ ej)[i,1] = 0", lambda g: (g.rewrite(w), g.field())[-1])
        g.field((k, -1), (v, 1))

    return g.have(f"{m} = O({rows},{columns})", zero)


def kernel_of_gram(g: Goal, a: str, rows: str, n: str, singular: str) -> tuple[str, str]:
    """For det(a^T a) = 0: a vector c with c != 0 and a c = 0; returns the names of both."""
    nonzero, kernel = g.obtain(g.by_fact("det_kernel", n, f"T({a}) @ {a}", by=[using(singular)]), "c")
    flat = g.have(f"T({a} @ c) @ ({a} @ c) = O(1,1)", lambda g: g.nc((kernel, 1, "T(c)", None)))
    zero = g.have(f"tr(T({a} @ c) @ ({a} @ c)) = 0", lambda g: (g.rewrite(flat), g.field())[-1])
    return nonzero, g.by_fact("frobenius_zero", rows, 1, f"{a} @ c", by=[using(zero)])


def residual(g: Goal) -> str:
    """Names the residual G = M - K R; returns the equation."""
    return g.obtain(g.have(f"ex G:M(y,m). G = {GAP}", lambda g: (g.witness(GAP), g.refl())[-1]), "G", split=False)[0]


def along(g: Goal, second: str, name: str, a: str, b: str, moved: str, whole: str, product: str, inner: str) -> str:
    """The form along (a, b) with a R + K b = moved (by `whole`) and a b = product (by `inner`): 0 <= |moved|^2/2 - <G, product>."""
    k = g.apply(second, a, b)
    one = g.have(f"{size(f'({a}) @ R + K @ ({b})')} = {size(moved)}", lambda g: (g.rewrite(whole), g.refl())[-1])
    gap = g.have("K @ R - M = (-1)*G", lambda g: g.nc((name, 1, None, None)))

    def pairing(g: Goal) -> None:
        g.rewrite(gap)
        g.rewrite(inner)
        g.field()

    two = g.have(f"tr(T(K @ R - M) @ (({a}) @ ({b}))) = -tr(T(G) @ ({product}))", pairing)
    return g.have(f"0 <= {size(moved)}/2 - tr(T(G) @ ({product}))", lambda g: g.pos([f"@{k}"], eqs=[(one, "-1/2"), (two, -1)]))


@part(
    CLAIM,
    "deficient",
    f"{PAIR} {FIRST} {SECOND} => det(T(K) @ K) = 0 or det(R @ T(R)) = 0 => M = K @ R",
    says="if one of the factors does not have rank r, the pair reaches its target",
)
def deficient_pairs_have_no_residual(g: Goal) -> None:
    """For K c = 0 the form along (G b c^T, q c b^T) is |G b c^T R|^2/2 - q |c|^2 |G b|^2, unbounded below unless G b = 0; the same
    with R^T c = 0 along (q G b c^T, c b^T)."""
    *_, second, singular = g.intro(split=False)
    name = residual(g)

    def script(left: bool) -> Script:
        def case(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            if left:
                nonzero, kernel = kernel_of_gram(g, "K", "y", "r", h)
            else:
                turned = g.have("T(T(R)) @ T(R) = R @ T(R)", lambda g: g.nc())
                det = g.have("det(T(T(R)) @ T(R)) = 0", lambda g: (g.rewrite(turned), g.close_by(h))[-1])
                nonzero, column = kernel_of_gram(g, "T(R)", "m", "r", det)
                flipped = g.have("T(T(R) @ c) = T(O(m,1))", lambda g: (g.rewrite(column), g.refl())[-1])
                kernel = g.have("T(c) @ R = O(1,m)", lambda g: g.nc((flipped, 1, None, None)))
            long = length(g, "c", "r", nonzero)
            cc = scalar_matrix(g, "(T(c) @ c)")

            def each(g: Goal) -> None:
                g.fix("b")
                moved = g.contra()
                image = length(g, "(G @ b)", "y", moved)
                n, e = size("c"), size("(G @ b)")
                to = "G @ b @ T(c) @ R" if left else "K @ c @ T(b)"
                g.have(f"0 < {n}*{e}", lambda g: g.pos([f"@{long}", f"@{image}"]))
                some = f"ex q:R. q*({n}*{e}) = {size(to)}/2 + 1"
                (q,) = g.obtain(
                    g.have(some, lambda g: (g.witness(f"({size(to)}/2 + 1)/({n}*{e})"), g.field())[-1]), "q", split=False
                )
                a, b = ("G @ b @ T(c)", "q*(c @ T(b))") if left else ("q*(G @ b @ T(c))", "c @ T(b)")
                if left:
                    whole = g.have(f"({a}) @ R + K @ ({b}) = {to}", lambda g: g.nc((kernel, "q", None, "T(b)")))
                else:
                    whole = g.have(f"({a}) @ R + K @ ({b}) = {to}", lambda g: g.nc((kernel, "q", "G @ b", None)))
                product = f"({n}*q)*(G @ b @ T(b))"
                inner = g.have(f"({a}) @ ({b}) = {product}", lambda g: g.nc((cc, "q", "G @ b", "T(b)")))
                low = along(g, second, name, a, b, to, whole, product, inner)
                g.pos([f"@{low}"], ["1"], eqs=[(q, 1)])

            every = g.have("all b:V(m). G @ b = O(y,1)", each)
            flat = killed(g, "G", "y", "m", every)
            g.nc((flat, 1, None, None), (name, -1, None, None))

        return case

    g.cases(singular, script(True), script(False))


@part(
    CLAIM,
    "separated",
    f"""{PAIR} {FIRST} {SECOND} => all b:V(m), v:V(r).
       {size(f"{GAP} @ b")}*{size("T(R) @ v")} <= {size("b")}*{size("K @ (R @ T(R) @ v)")}""",
    says="no vector is stretched more by the residual than the rows of R by K R",
)
def residual_stretches_less(g: Goal) -> None:
    """The form along (G b v^T, w b^T), w = R R^T v, is |G b|^2 |R^T v|^2/2 + |K w|^2 |b|^2/2 - |G b|^2 |R^T v|^2, for K^T G = 0."""
    *_, column, second = g.intro(split=False)
    name = residual(g)
    flat = g.have("T(K) @ G = O(r,m)", lambda g: g.nc((name, 1, "T(K)", None), (column, 1, None, None)))
    a, b, w = "G @ b @ T(v)", "R @ T(R) @ v @ T(b)", "R @ T(R) @ v"
    whole = g.have(f"({a}) @ R + K @ ({b}) = {a} @ R + K @ {b}", lambda g: g.nc())
    inner = g.have(f"({a}) @ ({b}) = {a} @ {b}", lambda g: g.nc())
    low = along(g, second, name, a, b, f"{a} @ R + K @ {b}", whole, f"{a} @ {b}", inner)
    bb, vv = scalar_matrix(g, "(T(b) @ b)"), scalar_matrix(g, "(T(T(R) @ v) @ (T(R) @ v))")
    e, k, f, n = size("(G @ b)"), size("T(R) @ v"), size(f"K @ ({w})"), size("b")
    cross = g.have(f"T(K @ {b}) @ ({a} @ R) = O(m,m)", lambda g: g.nc((flat, 1, f"T({b})", "b @ T(v) @ R")))
    zero = g.have(f"tr(T(K @ {b}) @ ({a} @ R)) = 0", lambda g: (g.rewrite(cross), g.field())[-1])

    def first(g: Goal) -> None:
        m = g.have(f"({a} @ R) @ T({a} @ R) = {k}*(G @ b @ T(b) @ T(G))", lambda g: g.nc((vv, 1, "G @ b", "T(b) @ T(G)")))
        g.replace(f"tr(T({a} @ R) @ ({a} @ R))", f"tr(({a} @ R) @ T({a} @ R))", lambda g: g.field())
        g.rewrite(m)
        g.field()

    one = g.have(f"{size(f'{a} @ R')} = {k}*{e}", first)

    def last(g: Goal) -> None:
        m = g.have(f"(K @ {b}) @ T(K @ {b}) = {n}*(K @ {w} @ T(K @ ({w})))", lambda g: g.nc((bb, 1, f"K @ {w}", f"T(K @ ({w}))")))
        g.replace(f"tr(T(K @ {b}) @ (K @ {b}))", f"tr((K @ {b}) @ T(K @ {b}))", lambda g: g.field())
        g.rewrite(m)
        g.field()

    two = g.have(f"{size(f'K @ {b}')} = {n}*{f}", last)

    def both(g: Goal) -> None:
        m = g.have(f"{a} @ {b} = {k}*(G @ b @ T(b))", lambda g: g.nc((vv, 1, "G @ b", "T(b)")))
        g.rewrite(m)
        g.field()

    three = g.have(f"tr(T(G) @ ({a} @ {b})) = {k}*{e}", both)
    g.replace(f"{GAP} @ b", "G @ b", lambda g: g.nc((name, -1, None, "b")))
    g.pos(["2", f"@{low}"], eqs=[(zero, -2), (one, -1), (two, -1), (three, 2)])


def gram_is_regular(g: Goal, a: str, n: str, left: str, name: str) -> str:
    """det(a^T a) != 0 from l a = 1 (the hypothesis `left`, l by its name)."""

    def regular(g: Goal) -> None:
        g.contra("singular")
        nonzero, kernel = g.obtain(g.by_fact("det_kernel", n, f"T({a}) @ {a}", by=[using("singular")]), "c")
        flat = g.have(f"T({a} @ c) @ ({a} @ c) = O(1,1)", lambda g: g.nc((kernel, 1, "T(c)", None)))
        zero = g.have(f"tr(T({a} @ c) @ ({a} @ c)) = 0", lambda g: (g.rewrite(flat), g.field())[-1])
        none = g.by_fact("frobenius_zero", "m", 1, f"{a} @ c", by=[using(zero)])
        g.clash(g.have(f"c = O({n},1)", lambda g: g.nc((none, 1, name, None), (left, -1, None, "c"))), nonzero)

    return g.have(f"det(T({a}) @ {a}) != 0", regular)


PROJECTION = "T(E) = E and E @ E = E"


@part(
    CLAIM,
    "row-projection",
    f"""all m r:Z, R:M(r,m). 0 <= r => det(R @ T(R)) != 0 => ex E:M(m,m), L:M(r,m). {PROJECTION} and E = T(R) @ L and R @ E = R and tr(E) = r""",
    says="the orthogonal projection to the span of independent rows has the trace r",
)
def projection_to_the_rows(g: Goal) -> None:
    """R^T (R R^T)^(-1) R."""
    det = g.intro(split=False)[1]
    inverse = g.by_fact("inv_right", "r", "R @ T(R)", by=[using(det)])
    exists = g.have(
        "ex S:M(r,r). R @ T(R) @ S = I(r)", lambda g: (g.witness("inv(R @ T(R))"), g.nc((inverse, 1, None, None)))[-1]
    )
    (right,) = g.obtain(exists, "S", split=False)
    sym = g.have("T(S) = S", lambda g: symmetric(g, right))
    g.witness("T(R) @ S @ R", "S @ R")

    def trace(g: Goal) -> None:
        g.replace("tr(T(R) @ S @ R)", "tr(R @ T(R) @ S)", lambda g: g.field())
        g.rewrite(right)
        g.field()

    g.conj(
        lambda g: g.nc((sym, 1, "T(R)", "R")),
        lambda g: g.nc((right, 1, "T(R) @ S", "R")),
        lambda g: g.nc(),
        lambda g: g.nc((right, 1, None, "R")),
        trace,
    )


def symmetric(g: Goal, right: str) -> None:
    """T(S) = T(S) A S = S for the inverse S of a symmetric matrix A."""
    turned = g.have("T(R @ T(R) @ S) = T(I(r))", lambda g: (g.rewrite(right), g.refl())[-1])
    flat = g.have("T(S) @ R @ T(R) = I(r)", lambda g: g.nc((turned, 1, None, None)))
    g.nc((flat, 1, None, "S"), (right, -1, "T(S)", None))


@part(
    CLAIM,
    "containing-projection",
    f"""all y m r:Z, W:M(y,m). 0 <= y => 0 <= m => 0 <= r => rank(W) <= r => ex E:M(m,m). {PROJECTION} and W @ E = W and tr(E) <= r""",
    says="the rows of a matrix of rank at most r lie in the range of an orthogonal projection of trace at most r",
    uses=[CLAIM, "eftekhari2022.lemma-4-fosp"],
)
def projection_to_the_rows_of_a_product(g: Goal) -> None:
    """W = C D with as many rows of D as the rank k of W; D has a right inverse."""
    y0, m0, r0, rank = g.intro(split=False)
    low = g.split(g.by_fact("rank_bounds", "y", "m", "W"))[0]
    (k_is,) = g.obtain(g.have("ex k:Z. k = rank(W)", lambda g: (g.witness("rank(W)"), g.refl())[-1]), "k", split=False)
    k0 = g.have("0 <= k", lambda g: g.pos([f"@{low}"], eqs=[(k_is, 1)]))
    (w,) = g.obtain(g.by_fact("rank_factor", "y", "m", "k", "W", by=[using(k0), lambda g: g.pos(eqs=[(k_is, 1)])]), "C", "D")
    up = g.split(g.fact("rank_product", "y", "k", "m", "C", "D"))[1]
    up = g.rewritten(up, g.have("C @ D = W", lambda g: g.nc((w, -1, None, None))))
    most = g.split(g.by_fact("rank_bounds", "k", "m", "D"))[1]
    full = g.have("rank(D) = k", lambda g: g.antisym(using(most), lambda g: g.pos([f"@{up}"], eqs=[(k_is, -1)])))

    def some(g: Goal) -> None:
        positive = g.by_fact("int_lt", "0", "k", by=[using(next(reversed(g.seq.hyps)))])
        right = g.lemma(
            "eftekhari2022.lemma-4-fosp", "part:right-inverse", "m", "k", "D",
            by=[using(m0), lambda g: g.pos([f"@{positive}"]), using(full)],
        )  # fmt: skip
        h = g.obtain(right, "S", split=False)[0]
        flipped = g.have("T(D @ S) = T(I(k))", lambda g: (g.rewrite(h), g.refl())[-1])
        left = g.have("T(S) @ T(D) = I(k)", lambda g: g.nc((flipped, 1, None, None)))
        det = gram_is_regular(g, "T(D)", "k", left, "T(S)")
        same = g.have("T(T(D)) @ T(D) = D @ T(D)", lambda g: g.nc())
        det = g.rewritten(det, same)
        found = g.lemma(CLAIM, "part:row-projection", "m", "k", "D", by=[using(k0), using(det)])
        sym, own, _, rows, trace = g.obtain(found, "E", "L")
        g.witness("E")
        g.conj(
            using(sym), using(own), lambda g: g.nc((w, 1, None, "E"), (rows, 1, "C", None), (w, -1, None, None)),
            lambda g: g.pos([f"@{rank}"], eqs=[(trace, -1), (k_is, -1)]),
        )  # fmt: skip

    def none(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        factors = g.by_fact("rank_factor", "y", "m", 0, "W", by=[None, lambda g: g.pos(eqs=[(eq, 1), (k_is, 1)])])
        (product,) = g.obtain(factors, "A0", "B0", split=False)
        zero = g.have("A0 @ B0 = O(y,m)", lambda g: (g.extn("i", "j"), g.field())[-1])
        g.witness("O(m,m)")
        g.conj(
            lambda g: g.nc(), lambda g: g.nc(), lambda g: g.nc((product, -1, None, None), (zero, -1, None, None)),
            lambda g: (g.replace("tr(O(m,m))", "0", lambda g: g.field()), g.close_by(r0))[-1],
        )  # fmt: skip

    g.cases(g.by_fact("lt_or_eq", "0", "k", by=[using(k0)]), some, none)


OPTIMAL = f"all W:M(y,m). rank(W) <= r => {size(GAP)} <= {size('M - W')}"


@part(
    CLAIM,
    "optimal",
    f"{PAIR} {FIRST} {SECOND} => {OPTIMAL}",
    says="for every target M: the pair is at least as good as every matrix of rank at most r",
    uses=[CLAIM],
)
def second_order_pairs_are_optimal(g: Goal) -> None:
    """If both factors have rank r, let F and E be the projections to the rows of R and of W, s the spectral norm of the residual G. Then
    |M - W|^2 >= |M (I - E)|^2 = |K R (I - E)|^2 + |G|^2 - |G E|^2, |K R (I - E)|^2 >= s^2 |F (I - E)|^2 = s^2 (r - tr F E) and
    |G E|^2 = |G (I - F) E|^2 <= s^2 (tr E - tr F E)."""
    y0, m0, r0, row, column, second = g.intro(split=False)[:6]
    rank = next(reversed(g.seq.hyps))
    terms = ("y", "m", "r", "M", "K", "R")
    given = [using(h) for h in (y0, m0, r0, row, column, second)]

    def reached(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        whole = g.lemma(CLAIM, "part:deficient", *terms, by=[*given, using(h)])
        zero = g.have(f"{GAP} = O(y,m)", lambda g: g.nc((whole, 1, None, None)))
        flat = g.have(f"{size(GAP)} = 0", lambda g: (g.rewrite(zero), g.field())[-1])
        g.pos([size("M - W")], eqs=[(flat, -1)])

    def regular(g: Goal) -> None:
        _, det = g.split(next(reversed(g.seq.hyps)))
        name = residual(g)
        apart = g.lemma(CLAIM, "part:separated", *terms, by=given)
        f_sym, f_own, f_is, f_rows, f_trace = g.obtain(
            g.lemma(CLAIM, "part:row-projection", "m", "r", "R", by=[using(r0), using(det)]), "F", "L"
        )
        e_sym, e_own, e_rows, e_trace = g.obtain(
            g.lemma(CLAIM, "part:containing-projection", "y", "m", "r", "W", by=[using(y0), using(m0), using(r0), using(rank)]),
            "E",
        )
        rows = g.have("G @ T(R) = O(y,r)", lambda g: g.nc((name, 1, None, "T(R)"), (row, 1, None, None)))
        columns = g.have("T(K) @ G = O(r,m)", lambda g: g.nc((name, 1, "T(K)", None), (column, 1, None, None)))
        norm = g.fact("sv_range", "y", "m", "G")
        nonneg = g.split(g.apply(norm, 1, 1))[0]
        top = g.fact("spec_is_sv", "y", "m", "G")
        g.have("0 <= spec(G)", lambda g: g.pos([f"@{nonneg}"], eqs=[(top, 1)]))
        g.obtain(g.have("ex s:R. s = spec(G)", lambda g: (g.witness("spec(G)"), g.refl())[-1]), "s", split=False, name="s_is")
        g.have("0 <= s", lambda g: (g.rewrite("s_is"), g.auto())[-1])

        def stretch(g: Goal) -> None:
            g.fix("v")
            k, f = size("T(R) @ v"), size("K @ (R @ T(R) @ v)")

            def some(g: Goal) -> None:

                def each(g: Goal) -> None:
                    g.fix("b")
                    h = g.apply(apart, "b", "v")
                    same = g.have("(M - K @ R) @ b = G @ b", lambda g: g.nc((name, -1, None, "b")))
                    h = g.rewritten(h, same)
                    root = g.by_fact("sqrt_sq", f"{f}/{k}")
                    g.pos([f"@{h}"], mul=[k], eqs=[(root, f"{k}*{size('b')}")])

                g.have(f"0 <= {f}/{k}")
                least = g.by_fact("spec_least", "y", "m", f"sqrt({f}/{k})", "G", by=[None, each])
                root = g.by_fact("sqrt_sq", f"{f}/{k}")
                least = g.have(f"s <= sqrt({f}/{k})", lambda g: g.pos([f"@{least}"], eqs=[("s_is", -1)]))
                square = g.have(f"s^2 <= {f}/{k}", lambda g: g.pos([f"@{least}", f"sqrt({f}/{k}) + s"], eqs=[(root, -1)]))
                scaled = g.have(f"s^2*{k} <= {f}", lambda g: g.pos([f"@{square}", k]))
                g.pos([f"@{scaled}"])

            def none(g: Goal) -> None:
                low = next(reversed(g.seq.hyps))
                g.pos(["s^2", f"@{low}"], [f])

            g.em(f"0 < {k}", some, none)

        g.have(f"all v:V(r). {size('(s*T(R)) @ v')} <= {size('(K @ R @ T(R)) @ v')}", stretch, name="rows_far")

        def bounded(g: Goal) -> None:
            g.fix("v")
            h = g.fact("spec_bound", "y", "m", "G", "v")
            k = g.have(f"{size('G @ v')} <= s^2*{size('v')}", lambda g: (g.rewrite("s_is"), g.close_by(h))[-1])
            g.pos([f"@{k}"])

        g.have(f"all v:V(m). {size('G @ v')} <= {size('(s*I(m)) @ v')}", bounded, name="gap_near")
        z = "(I(m) - E)"
        far = g.apply(
            g.lemma(
                CLAIM,
                "part:columns",
                "m",
                "y",
                "r",
                "m",
                "s*T(R)",
                "K @ R @ T(R)",
                by=[lambda g: g.pos([f"@{g.apply('rows_far', *g.fix('v'))}"])],
            ),
            f"L @ {z}",
        )
        near = g.apply(
            g.lemma(CLAIM, "part:columns", "y", "m", "m", "m", "G", "s*I(m)", by=[using("gap_near")]), "(I(m) - F) @ E"
        )
        one = g.have(f"(s*T(R)) @ (L @ {z}) = s*(F @ {z})", lambda g: g.nc((f_is, "-s", None, z)))
        two = g.have(
            f"K @ R @ T(R) @ (L @ {z}) = K @ R @ {z}",
            lambda g: g.nc((f_is, -1, "K @ R", z), (f_rows, 1, "K", z)),
        )
        far = g.rewritten(far, one)
        image = g.have(f"{size(f'K @ R @ T(R) @ (L @ {z})')} = {size(f'K @ R @ {z}')}", lambda g: (g.rewrite(two), g.refl())[-1])
        gf = g.have("G @ F = O(y,m)", lambda g: g.nc((f_is, 1, "G", None), (rows, 1, None, "L")))
        three = g.have("G @ ((I(m) - F) @ E) = G @ E", lambda g: g.nc((gf, -1, None, "E")))
        near = g.rewritten(near, three)
        both = g.have("tr(F @ E) = tr(E @ F)", lambda g: g.field())
        fz = g.have(f"T(F @ {z}) @ (F @ {z}) = F - F @ E - E @ F + E @ F @ E", lambda g: g.nc(rw=[f_sym, e_sym, f_own, e_own]))
        efe = g.have(
            "tr(E @ F @ E) = tr(F @ E)",
            lambda g: (g.replace("tr(E @ F @ E)", "tr(F @ (E @ E))", lambda g: g.field()), g.rewrite(e_own), g.refl())[-1],
        )
        left = g.have(
            f"{size(f'F @ {z}')} = r - tr(F @ E)", lambda g: (g.rewrite(fz), g.field((both, 1), (efe, 1), (f_trace, 1)))[-1]
        )
        ie = g.have("T((I(m) - F) @ E) @ ((I(m) - F) @ E) = E - E @ F @ E", lambda g: g.nc(rw=[f_sym, e_sym, f_own, e_own]))
        right = g.have(f"{size('(I(m) - F) @ E')} = tr(E) - tr(F @ E)", lambda g: (g.rewrite(ie), g.field((efe, -1)))[-1])
        split = g.have("M = K @ R + G", lambda g: g.nc((name, -1, None, None)))
        mz = g.have(
            f"T(M @ {z}) @ (M @ {z}) = T(K @ R @ {z}) @ (K @ R @ {z}) + T(G @ {z}) @ (G @ {z})",
            lambda g: mixed(g, split, columns, z),
        )
        one = g.have(
            f"{size(f'M @ {z}')} = {size(f'K @ R @ {z}')} + {size(f'G @ {z}')}", lambda g: (g.rewrite(mz), g.field())[-1]
        )
        cut = g.have(f"(G @ {z}) @ T(G @ {z}) = G @ T(G) - (G @ E) @ T(G @ E)", lambda g: g.nc(rw=[e_sym, e_own]))
        two = g.have(
            f"{size(f'G @ {z}')} = {size('G')} - {size('G @ E')}",
            lambda g: (
                g.replace(f"{size(f'G @ {z}')}", f"tr((G @ {z}) @ T(G @ {z}))", lambda g: g.field()),
                g.rewrite(cut),
                g.field(),
            )[-1],
        )
        inside = "(M - W) @ E"
        whole = g.have(f"M - W = {inside} + M @ {z}", lambda g: g.nc((e_rows, 1, None, None)))
        cross = g.have(f"(M @ {z}) @ T({inside}) = O(y,y)", lambda g: g.nc(rw=[e_sym, e_own]))
        zero = g.have(f"tr((M @ {z}) @ T({inside})) = 0", lambda g: (g.rewrite(cross), g.field())[-1])
        zero = g.have(f"tr(T({inside}) @ (M @ {z})) = 0", lambda g: g.field((zero, 1)))
        three = g.have(
            f"{size('M - W')} = {size(inside)} + {size(f'M @ {z}')} + 2*tr(T({inside}) @ (M @ {z}))",
            lambda g: parts(g, whole, inside, z),
        )
        g.replace(GAP, "G", lambda g: g.nc((name, -1, None, None)))
        far = g.have(
            f"s^2*(r - tr(F @ E)) <= {size(f'K @ R @ {z}')}", lambda g: g.pos([f"@{far}"], eqs=[(left, "s^2"), (image, -1)])
        )
        near = g.have(f"{size('G @ E')} <= s^2*(tr(E) - tr(F @ E))", lambda g: g.pos([f"@{near}"], eqs=[(right, "-s^2")]))
        low = g.have(
            f"{size('G')} <= {size(f'M @ {z}')}",
            lambda g: g.pos([f"@{far}"], [f"@{near}"], ["s^2", f"@{e_trace}"], eqs=[(one, 1), (two, 1)]),
        )
        g.pos([f"@{low}"], [size(inside)], eqs=[(three, 1), (zero, 2)])

    g.em("det(T(K) @ K) = 0 or det(R @ T(R)) = 0", reached, regular)


def mixed(g: Goal, split: str, columns: str, z: str) -> None:
    """K^T G = 0."""
    turned = g.have("T(T(K) @ G) = T(O(r,m))", lambda g: (g.rewrite(columns), g.refl())[-1])
    other = g.have("T(G) @ K = O(m,r)", lambda g: g.nc((turned, 1, None, None)))
    image = g.have(f"M @ {z} = K @ R @ {z} + G @ {z}", lambda g: g.nc((split, 1, None, z)))
    g.rewrite(image)
    g.nc((columns, 1, f"T({z}) @ T(R)", z), (other, 1, f"T({z})", f"R @ {z}"))


def parts(g: Goal, whole: str, inside: str, z: str) -> None:
    """|A + B|^2 = |A|^2 + |B|^2 + 2 <A, B>."""
    (a,) = g.obtain(g.have(f"ex A:M(y,m). A = {inside}", lambda g: (g.witness(inside), g.refl())[-1]), "A", split=False)
    (b,) = g.obtain(g.have(f"ex B:M(y,m). B = M @ {z}", lambda g: (g.witness(f"M @ {z}"), g.refl())[-1]), "B", split=False)
    k = g.have("M - W = A + B", lambda g: g.nc((whole, 1, None, None), (a, -1, None, None), (b, -1, None, None)))
    g.replace(inside, "A", lambda g: g.nc((a, -1, None, None)))
    g.replace(f"M @ {z}", "B", lambda g: g.nc((b, -1, None, None)))
    g.rewrite(k)
    g.field()
