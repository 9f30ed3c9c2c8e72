"""Lemma 1: square factors are close to balanced ones, as close as the root of their unbalancedness."""

from __future__ import annotations

from proofs.razin2020.frobenius_norms import square
from proofs.razin2020.problem import fro
from proofs.razin2020.products_of_factors import INSIDE, upwards
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "razin2020.lemma-1"
STEP = "razin2020.lemma-1-step-construction"
ROOTS = "razin2020.lemma-1-step-right-multiplication"


def psd(x: str) -> str:
    """x is symmetric and positive semidefinite."""
    return f"T({x}) = {x} and (all v:V(m). 0 <= tr(T(v) @ ({x}) @ v))"


def diagonal(x: str) -> str:
    """x is diagonal with nonnegative entries."""
    return f"(all i j:Z. i != j => {x}[i,j] = 0) and (all i:Z. 0 <= {x}[i,i])"


@part(
    STEP,
    "conjugate",
    f"all m:Z, U S:M(m,m). {diagonal('S')} => {psd('S')} and {psd('U @ S @ T(U)')}",
    uses=["shin2025.lemma-32"],
    says="nonnegative diagonal matrices, and U S U^T, are positive semidefinite",
)
def conjugates_are_positive_semidefinite(g: Goal) -> None:
    """v^T S v is the sum of S_ii v_i^2."""
    g.fix()
    off, nonneg = g.split(g.assume())
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "m", "S", by=[using(off)])

    def form(g: Goal) -> None:
        g.fix("v")
        t = g.fact("tr_entries", "m", "S @ (v @ T(v))")

        def term(g: Goal) -> None:
            (i,) = g.fix()
            low, high = g.split(g.assume())
            k = g.split(
                g.lemma(
                    "shin2025.lemma-32", "part:diagonal-entry", "m", "v @ T(v)", "S", i, by=[using(off), using(low), using(high)]
                )
            )[1]
            s = g.apply(nonneg, i)
            only(g, k, s)
            g.pos([f"@{s}", f"v[{i},1]^2"], eqs=[(k, 1)])

        total = g.by_fact("sum_nonneg", 1, "m", "lam i:Z. (S @ (v @ T(v)))[i,i]", by=[term])
        only(g, t, total)
        g.pos([f"@{total}"], eqs=[(t, 1)])

    whole = g.have("all v:V(m). 0 <= tr(T(v) @ S @ v)", form)

    def conjugated(g: Goal) -> None:
        g.fix("v")
        k = g.apply(whole, "T(U) @ v")
        only(g, k)
        g.pos([f"@{k}"])

    g.conj(using(sym), using(whole), lambda g: g.nc((sym, 1, "U", "T(U)")), conjugated)


@part(
    STEP,
    "polar",
    f"all m:Z, X:M(m,m). ex Z S:M(m,m). T(Z) @ Z = I(m) and Z @ T(Z) = I(m) and X = Z @ S and {psd('S')}",
    uses=[STEP],
    says="the polar decomposition of a square matrix with an orthogonal factor",
)
def polar_decomposition_with_an_orthogonal_factor(g: Goal) -> None:
    """Z = U V^T and S = V Sigma V^T from a singular value decomposition."""
    g.fix("m", "X")
    u, v, x, off, value = g.obtain(g.fact("svd", "m", "m", "X"), "U", "V", "E")
    range_ = g.fact("sv_range", "m", "m", "X")

    def nonneg(g: Goal) -> None:
        (i,) = g.fix()
        low = g.split(g.apply(range_, i, i))[0]
        g.pos([f"@{low}"], eqs=[(g.apply(value, i), 1)])

    signs = g.have("all i:Z. 0 <= E[i,i]", nonneg)
    k = g.lemma(STEP, "part:conjugate", "m", "V", "E", by=[lambda g: g.conj(using(off), using(signs))])
    ut, vt = (g.split(g.by_fact("inv_unique", "m", f"T({c})", c, by=[using(h)]))[1] for c, h in (("U", u), ("V", v)))
    names = g.split(k)
    g.witness("U @ T(V)", "V @ E @ T(V)")
    g.conj(
        lambda g: g.nc(rw=[u, vt]),
        lambda g: g.nc(rw=[v, ut]),
        lambda g: g.nc((x, 1, None, None), (v, -1, "U", "E @ T(V)")),
        using(names[2]),
        using(names[3]),
    )


@holds(
    "razin2020.lemma-1-step-powers-stormer",
    f"""all m:Z, A B X Y:M(m,m), e:R. {psd("A")} => {psd("B")} => {psd("X")} => {psd("Y")} => X @ X = A => Y @ Y = B =>
       {fro("X - Y")}^2 <= nuc(A - B) and (nuc(A - B) <= e => {fro("X - Y")} <= sqrt(e))""",
    argument="sound",
    reading="X and Y are the roots of A and B",
)
def powers_stormer_inequality(g: Goal) -> None:
    """The cited inequality; the root increases."""
    g.fix()
    _, _, x, y, a, b = (g.assume() for _ in range(6))
    sx, px = g.split(x)
    sy, py = g.split(y)
    k = g.by_fact("powers_stormer", "m", "X", "Y", by=[using(sx), using(sy), using(px), using(py)])
    s, low = square(g, "m", "m", "X - Y")
    gap = g.have("X @ X - Y @ Y = A - B", lambda g: g.nc((a, 1, None, None), (b, -1, None, None)))
    k = g.rewritten(k, gap)
    turned = g.have(
        "tr(T(X - Y) @ (X - Y)) = tr((X - Y) @ (X - Y))",
        lambda g: (g.replace("T(X - Y)", "X - Y", lambda g: g.nc(rw=[sx, sy])), g.refl())[-1],
    )
    only(g, k, s, low, turned)
    main = g.have(f"{fro('X - Y')}^2 <= nuc(A - B)", lambda g: g.pos([f"@{k}"], eqs=[(s, -1), (turned, -1)]))

    def root(g: Goal) -> None:
        bound = g.assume()
        f = fro("X - Y")
        r = g.by_fact("sqrt_mono", f"{f}^2", "e", by=[None, lambda g: g.pos([f"@{main}"], [f"@{bound}"])])
        own = g.by_fact("sqrt_unique", f"{f}^2", f, by=[using(low), Goal.refl])
        only(g, r, own)
        g.pos([f"@{r}"], eqs=[(own, 1)])

    g.conj(using(main), root)


FAMILY = f"""(all l:Z. {INSIDE} => T(U(l)) @ U(l) = I(m) and T(V(l)) @ V(l) = I(m) and {diagonal("E(l)")} and W(l) = U(l) @ E(l) @ T(V(l))) =>
       D(1) = I(m) => (all l:Z. 2 <= l and l <= L => D(l) = U(l) @ T(V(l)) @ D(l-1)) =>
       Y(1) = W(1) => (all l:Z. 2 <= l and l <= L => Y(l) = D(l) @ U(1) @ E(1) @ T(U(1)) @ T(D(l-1))) =>"""
MATRICES = "m L:Z, W U E V D Y:Z->M(m,m)"
FAMILY_READING = "W_l = U_l E_l V_l^T is a singular value decomposition (the diagonal need not be ordered), D(l) the product of the U_r V_r^T for r = l, ..., 2, Y(l) = W'_l"


@part(
    STEP,
    "orthogonal",
    f"all {MATRICES}. {FAMILY} all l:Z. {INSIDE} => T(D(l)) @ D(l) = I(m) and D(l) @ T(D(l)) = I(m)",
    says="the products of orthogonal matrices are orthogonal",
)
def rotations_are_orthogonal(g: Goal) -> None:
    """Induction."""
    g.fix()
    given, first, steps, _, _ = (g.assume() for _ in range(5))

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            g.nc(rw=[first])

        def step(g: Goal) -> None:
            top = g.assume()
            before = g.apply(
                "ih", "l - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
            )
            d = g.apply(steps, "l", by=[lambda g: g.conj(lambda g: g.nlin(), using(top))])
            u, v, *_ = g.split(g.apply(given, "l", by=[lambda g: g.conj(lambda g: g.nlin(), using(top))]))
            vt = g.split(g.by_fact("inv_unique", "m", "T(V(l))", "V(l)", by=[using(v)]))[1]
            only(g, before, d, u, vt)
            g.nc(rw=[d, u, vt, before])

        upwards(g, "1", base, step)

    h = g.have("all l:Z. 1 <= l => l <= L => T(D(l)) @ D(l) = I(m)", grow)
    g.fix("l")
    low, high = g.split(g.assume())
    k = g.apply(h, "l", by=[using(low), using(high)])
    g.conj(using(k), lambda g: g.close_by(g.split(g.by_fact("inv_unique", "m", "T(D(l))", "D(l)", by=[using(k)]))[1]))


@part(
    STEP,
    "turned",
    f"""all {MATRICES}. {FAMILY} all l:Z. {INSIDE} => Y(l) @ V(l) @ T(U(l)) = D(l) @ U(1) @ E(1) @ T(U(1)) @ T(D(l)) and
       W(l) @ V(l) @ T(U(l)) = U(l) @ E(l) @ T(U(l)) and Y(l) @ T(Y(l)) = D(l) @ U(1) @ E(1) @ E(1) @ T(U(1)) @ T(D(l)) and
       W(l) @ T(W(l)) = U(l) @ E(l) @ E(l) @ T(U(l)) and T(W(l)) @ W(l) = V(l) @ E(l) @ E(l) @ T(V(l))""",
    uses=[STEP, "shin2025.lemma-32"],
    says="the factors and their neighbours, multiplied by V_l U_l^T, and their Gram matrices",
)
def factors_turned_by_the_same_rotation(g: Goal) -> None:
    """D(l-1)^T V_l U_l^T = D(l)^T."""
    names = g.fix()
    hyps = [g.assume() for _ in range(5)]
    given, first, steps, start, others = hyps
    rotation = g.lemma(STEP, "part:orthogonal", *names, by=[using(h) for h in hyps])
    g.fix("l")
    inside = g.assume()
    low, high = g.split(inside)
    u, v, off, nonneg, w = g.split(g.apply(given, "l", by=[using(inside)]))
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "m", "E(l)", by=[using(off)])
    depth = g.have("1 <= L", lambda g: (only(g, low, high), g.pos([f"@{low}"], [f"@{high}"]))[-1])
    one = g.split(g.apply(given, 1, by=[lambda g: g.conj(None, using(depth))]))
    sym1 = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "m", "E(1)", by=[using(one[2])])

    def at_one(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)), back=True)
        only(g, start, first, one[4], one[1], sym1)
        g.conj(lambda g: g.nc(rw=[start, first, one[4], one[1]]), lambda g: g.nc(rw=[start, first, one[4], one[1], sym1]))

    def later(g: Goal) -> None:
        strict = next(reversed(g.seq.hyps))
        two = g.by_fact("int_lt", 1, "l", by=[using(strict)])
        two = g.have("2 <= l", lambda g: (only(g, two), g.pos([f"@{two}"]))[-1])
        y = g.apply(others, "l", by=[lambda g: g.conj(using(two), using(high))])
        d = g.apply(steps, "l", by=[lambda g: g.conj(using(two), using(high))])
        before = g.apply(
            rotation,
            "l - 1",
            by=[lambda g: (only(g, two, high), g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([f"@{high}"], [1])))[-1]],
        )
        before = g.split(before)[0]
        dt = g.have("T(D(l)) = T(U(l) @ T(V(l)) @ D(l-1))", lambda g: g.ctx(using(d)))
        only(g, y, dt, before, sym1, one[0])
        g.conj(
            lambda g: g.nc((y, 1, None, "V(l) @ T(U(l))"), (dt, -1, "D(l) @ U(1) @ E(1) @ T(U(1))", None)),
            lambda g: g.nc(rw=[y, before, one[0], sym1]),
        )

    both = g.have(
        "Y(l) @ V(l) @ T(U(l)) = D(l) @ U(1) @ E(1) @ T(U(1)) @ T(D(l)) and Y(l) @ T(Y(l)) = D(l) @ U(1) @ E(1) @ E(1) @ T(U(1)) @ T(D(l))",
        lambda g: g.cases(g.by_fact("lt_or_eq", 1, "l", by=[using(low)]), later, at_one),
    )
    a, b = g.split(both)
    only(g, a, b, u, v, w, sym)
    g.conj(
        using(a),
        lambda g: g.nc(rw=[w, v]),
        using(b),
        lambda g: g.nc(rw=[w, v, sym]),
        lambda g: g.nc(rw=[w, u, sym]),
    )
    del nonneg


@holds(
    "razin2020.lemma-1-step-balanced",
    f"""all {MATRICES}. {FAMILY} all l:Z. 1 <= l and l <= L - 1 =>
       T(Y(l+1)) @ Y(l+1) = Y(l) @ T(Y(l)) and Y(l) @ T(Y(l)) = D(l) @ U(1) @ E(1) @ E(1) @ T(U(1)) @ T(D(l))""",
    uses=[STEP, "shin2025.lemma-32"],
    argument="sound",
    reading=FAMILY_READING,
)
def constructed_factors_are_balanced(g: Goal) -> None:
    """Both sides are D(l) U_1 E_1^2 U_1^T D(l)^T."""
    names = g.fix()
    hyps = [g.assume() for _ in range(5)]
    given, _, _, _, others = hyps
    rotation = g.lemma(STEP, "part:orthogonal", *names, by=[using(h) for h in hyps])
    turned = g.lemma(STEP, "part:turned", *names, by=[using(h) for h in hyps])
    g.fix("l")
    low, high = g.split(g.assume())
    inside = g.have(INSIDE, lambda g: (only(g, low, high), g.conj(using(low), lambda g: g.pos([f"@{high}"], [1])))[-1])
    after = g.have(
        "1 <= l + 1 and l + 1 <= L",
        lambda g: (only(g, low, high), g.conj(lambda g: g.pos([f"@{low}"], [1]), lambda g: g.pos([f"@{high}"])))[-1],
    )
    own = g.split(g.apply(turned, "l", by=[using(inside)]))[2]
    y = g.apply(
        others,
        "l + 1",
        by=[lambda g: (only(g, low, high), g.conj(lambda g: g.pos([f"@{low}"]), lambda g: g.pos([f"@{high}"])))[-1]],
    )
    r = g.split(g.apply(rotation, "l + 1", by=[using(after)]))[0]
    first = g.apply(
        given, 1, by=[lambda g: (only(g, low, high), g.conj(None, lambda g: g.pos([f"@{low}"], [f"@{high}"], [1])))[-1]]
    )
    u, _, off, *_ = g.split(first)
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "m", "E(1)", by=[using(off)])
    only(g, own, y, r, u, sym)
    g.conj(lambda g: g.nc((own, -1, None, None), rw=[y, r, u, sym]), using(own))


CURVE_ROOTS = f"""(all l:Z. {INSIDE} => {psd("A(l)")} and {psd("B(l)")} and {psd("C(l)")} and
          A(l) @ A(l) = T(W(l)) @ W(l) and B(l) @ B(l) = W(l) @ T(W(l)) and C(l) @ C(l) = Y(l) @ T(Y(l))) =>"""
ROOT_READING = f"{FAMILY_READING}; A(l), B(l), C(l) are the positive semidefinite roots of W_l^T W_l, W_l W_l^T and W'_l W'_l^T"


@part(
    STEP,
    "roots",
    f"""all {MATRICES}, A B C:Z->M(m,m). {FAMILY} {CURVE_ROOTS} all l:Z. {INSIDE} => A(l) = V(l) @ E(l) @ T(V(l)) and
       B(l) = W(l) @ V(l) @ T(U(l)) and C(l) = Y(l) @ V(l) @ T(U(l))""",
    uses=[STEP],
    says="the roots in terms of the singular value decompositions",
)
def roots_from_the_decompositions(g: Goal) -> None:
    """Positive semidefinite roots are unique."""
    names = g.fix()[:8]
    hyps = [g.assume() for _ in range(5)]
    roots = g.assume()
    given = hyps[0]
    rotation = g.lemma(STEP, "part:orthogonal", *names, by=[using(h) for h in hyps])
    turned = g.lemma(STEP, "part:turned", *names, by=[using(h) for h in hyps])
    g.fix("l")
    inside = g.assume()
    low, high = g.split(inside)
    y, w, yy, ww, wtw = g.split(g.apply(turned, "l", by=[using(inside)]))
    u, v, off, nonneg, _ = g.split(g.apply(given, "l", by=[using(inside)]))
    first = g.apply(given, 1, by=[lambda g: (only(g, low, high), g.conj(None, lambda g: g.pos([f"@{low}"], [f"@{high}"])))[-1]])
    u1, _, off1, nonneg1, _ = g.split(first)
    r = g.split(g.apply(rotation, "l", by=[using(inside)]))[0]
    sa, pa, sb, pb, sc, pc, a, b, c = g.split(g.apply(roots, "l", by=[using(inside)]))

    def root(
        g: Goal, name: str, base: str, diag: str, h: tuple[str, str, str], offs: tuple[str, str], orthogonal: list[str], gram: str
    ) -> str:
        k = g.lemma(STEP, "part:conjugate", "m", base, diag, by=[lambda g: g.conj(using(offs[0]), using(offs[1]))])
        _, _, sym, form = g.split(k)
        grouped = f"({base}) @ {diag} @ T({base})"

        def squares(g: Goal) -> None:
            only(g, h[2], gram, *orthogonal)
            g.nc((h[2], 1, None, None), (gram, 1, None, None), rw=orthogonal)

        def symmetric(g: Goal) -> None:
            only(g, sym)
            g.nc((sym, 1, None, None))

        def nonnegative(g: Goal) -> None:
            (w,) = g.fix()
            f = g.apply(form, w)
            only(g, f)
            g.pos([f"@{f}"])

        return g.by_fact(
            "psd_root_unique", "m", 2, name, grouped, by=[None, using(h[0]), symmetric, using(h[1]), nonnegative, squares]
        )

    x = root(g, "A(l)", "V(l)", "E(l)", (sa, pa, a), (off, nonneg), [v], wtw)
    z = root(g, "B(l)", "U(l)", "E(l)", (sb, pb, b), (off, nonneg), [u], ww)
    q = root(g, "C(l)", "(D(l) @ U(1))", "E(1)", (sc, pc, c), (off1, nonneg1), [r, u1], yy)
    only(g, x, z, q, y, w)
    g.conj(
        lambda g: g.nc((x, 1, None, None)),
        lambda g: g.nc((z, 1, None, None), (w, -1, None, None)),
        lambda g: g.nc((q, 1, None, None), (y, -1, None, None)),
    )


@holds(
    ROOTS,
    f"""all {MATRICES}, A B C:Z->M(m,m), e:R. 0 <= e => {FAMILY} {CURVE_ROOTS}
       (all l:Z. 1 <= l and l <= L - 1 => nuc(T(W(l+1)) @ W(l+1) - W(l) @ T(W(l))) <= e) =>
       (all l:Z. {INSIDE} => {fro("B(l) - C(l)")} = {fro("W(l) - Y(l)")}) and (all l:Z. {INSIDE} => {fro("W(l) - Y(l)")} <= (l - 1)*sqrt(e))""",
    uses=[STEP, "razin2020.eq-55", "razin2020.lemma-1-step-powers-stormer", "razin2020.lemma-12"],
    argument="sound",
    reading=f"{ROOT_READING}; e is the unbalancedness magnitude",
)
def distance_of_the_constructed_factors(g: Goal) -> None:
    """Right multiplication by V_l U_l^T is an isometry; induction on l."""
    names = g.fix()
    nonneg = g.assume()
    hyps = [g.assume() for _ in range(6)]
    given, start, roots, bound = hyps[0], hyps[3], hyps[5], g.assume()
    known = g.lemma(STEP, "part:roots", *names[:11], by=[using(h) for h in hyps])
    chain = g.lemma("razin2020.eq-55", "statement", *names[:11], by=[using(h) for h in hyps])

    def isometry(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        _, b, c = g.split(g.apply(known, i, by=[using(inside)]))
        u, v, *_ = g.split(g.apply(given, i, by=[using(inside)]))
        vt = g.split(g.by_fact("inv_unique", "m", f"T(V({i}))", f"V({i})", by=[using(v)]))[1]
        only(g, b, c, u, vt)
        gap = f"W({i}) - Y({i})"
        z = g.have(f"B({i}) - C({i}) = ({gap}) @ V({i}) @ T(U({i}))", lambda g: g.nc((b, 1, None, None), (c, -1, None, None)))
        g.rewrite(z)
        inner = g.have(
            f"T(({gap}) @ V({i}) @ T(U({i}))) @ (({gap}) @ V({i}) @ T(U({i}))) = U({i}) @ (T(V({i})) @ T({gap}) @ ({gap}) @ V({i})) @ T(U({i}))",
            lambda g: g.nc(),
        )
        g.rewrite(inner)
        g.ctx(lambda g: cyclic(g, i, gap, u, vt))

    same = g.have(f"all l:Z. {INSIDE} => {fro('B(l) - C(l)')} = {fro('W(l) - Y(l)')}", isometry)

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            zero = g.have("W(1) - Y(1) = O(m,m)", lambda g: g.nc(rw=[start]))
            g.rewrite(zero)
            only(g)
            k = g.by_fact("sqrt_unique", "tr(T(O(m,m)) @ O(m,m))", "0", by=[None, lambda g: g.field()])
            g.pos(eqs=[(k, -1)])

        def step(g: Goal) -> None:
            top = g.assume()
            before = g.apply(
                "ih", "l - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
            )
            two = g.have("2 <= l", lambda g: g.nlin())
            first, second = g.split(g.apply(chain, "l", by=[lambda g: g.conj(using(two), using(top))]))
            inside = g.have(
                "1 <= l - 1 and l - 1 <= L",
                lambda g: (only(g, two, top), g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([f"@{top}"], [1])))[-1],
            )
            here = g.have(
                "1 <= l and l <= L", lambda g: (only(g, two, top), g.conj(lambda g: g.pos([f"@{two}"], [1]), using(top)))[-1]
            )
            s = g.apply(same, "l - 1", by=[using(inside)])
            own, prev = g.split(g.apply(roots, "l", by=[using(here)])), g.split(g.apply(roots, "l - 1", by=[using(inside)]))
            b = g.apply(
                bound,
                "l - 1",
                by=[lambda g: (only(g, two, top), g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([f"@{top}"])))[-1]],
            )
            gram_a, gram_b = "T(W(l)) @ W(l)", "W(l-1) @ T(W(l-1))"

            def positive(x: str, root: list[str], value: str) -> str:
                def prove(g: Goal) -> None:
                    only(g)
                    g.conj(lambda g: g.nc(), lambda g: gram_form(g, x))

                return g.have(psd(x), prove)

            pa, pb = positive(gram_a, own, ""), positive(gram_b, prev, "")
            k = g.lemma(
                "razin2020.lemma-1-step-powers-stormer",
                "statement",
                "m",
                gram_a,
                gram_b,
                "A(l)",
                "B(l-1)",
                "e",
                by=[
                    using(pa),
                    using(pb),
                    lambda g: g.conj(using(own[0]), using(own[1])),
                    lambda g: g.conj(using(prev[2]), using(prev[3])),
                    using(own[6]),
                    using(prev[7]),
                ],
            )
            near = g.apply(g.split(k)[1], by=[lambda g: near_bound(g, b)])
            only(g, before, first, second, s, near)
            g.pos([f"@{second}"], [f"@{near}"], [f"@{before}"], eqs=[(first, -1), (s, -1)])

        upwards(g, "1", base, step)

    h = g.have(f"all l:Z. 1 <= l => l <= L => {fro('W(l) - Y(l)')} <= (l - 1)*sqrt(e)", grow)

    def all_(g: Goal) -> None:
        g.fix("l")
        low, high = g.split(g.assume())
        g.close_by(g.apply(h, "l", by=[using(low), using(high)]))

    g.conj(using(same), all_)
    del nonneg


def near_bound(g: Goal, b: str) -> None:
    """The same bound with the index l - 1 + 1 written as l."""
    same = g.have(
        "T(W((l - 1) + 1)) @ W((l - 1) + 1) - W(l - 1) @ T(W(l - 1)) = T(W(l)) @ W(l) - W(l - 1) @ T(W(l - 1))",
        lambda g: (only(g), g.nc())[-1],
    )
    k = g.rewritten(b, same)
    g.close_by(k)


def gram_form(g: Goal, x: str) -> None:
    """The quadratic form of a Gram matrix is a squared norm."""
    g.fix("v")
    left, right = x.split(" @ ", 1)
    f = f"{right} @ v"
    g.pos([f"tr(T({f}) @ ({f}))"])
    del left


def cyclic(g: Goal, i: str, gap: str, u: str, vt: str) -> None:
    """tr(U (V^T M V) U^T) = tr(M) for orthogonal U, V."""
    middle = f"T(V({i})) @ T({gap}) @ ({gap}) @ V({i})"
    g.replace(
        f"tr(U({i}) @ ({middle}) @ T(U({i})))",
        f"tr(T({gap}) @ ({gap}) @ (V({i}) @ (T(U({i})) @ U({i})) @ T(V({i}))))",
        lambda g: g.field(),
    )
    one = g.have(f"V({i}) @ (T(U({i})) @ U({i})) @ T(V({i})) = I(m)", lambda g: g.nc(rw=[u, vt]))
    g.rewrite(one)
    g.field()


@holds(
    "razin2020.eq-55",
    f"""all {MATRICES}, A B C:Z->M(m,m). {FAMILY} {CURVE_ROOTS} all l:Z. 2 <= l and l <= L =>
       {fro("W(l) - Y(l)")} = {fro("A(l) - C(l-1)")} and {fro("A(l) - C(l-1)")} <= {fro("A(l) - B(l-1)")} + {fro("B(l-1) - C(l-1)")}""",
    uses=[STEP, "razin2020.lemma-12"],
    argument="sound",
    reading=ROOT_READING,
)
def factor_and_neighbour_by_roots(g: Goal) -> None:
    """Left multiplication by V_l U_l^T is an isometry; the triangle inequality."""
    names = g.fix()
    hyps = [g.assume() for _ in range(6)]
    given, _, steps, _, others, _ = hyps
    known = g.lemma(STEP, "part:roots", *names, by=[using(h) for h in hyps])
    turned = g.lemma(STEP, "part:turned", *names[:8], by=[using(h) for h in hyps[:5]])
    g.fix("l")
    low, high = g.split(g.assume())
    here = g.have(INSIDE, lambda g: (only(g, low, high), g.conj(lambda g: g.pos([f"@{low}"], [1]), using(high)))[-1])
    inside = g.have(
        "1 <= l - 1 and l - 1 <= L",
        lambda g: (only(g, low, high), g.conj(lambda g: g.pos([f"@{low}"]), lambda g: g.pos([f"@{high}"], [1])))[-1],
    )
    a = g.split(g.apply(known, "l", by=[using(here)]))[0]
    c = g.split(g.apply(known, "l - 1", by=[using(inside)]))[2]
    t = g.split(g.apply(turned, "l - 1", by=[using(inside)]))[0]
    y = g.apply(others, "l", by=[lambda g: g.conj(using(low), using(high))])
    d = g.apply(steps, "l", by=[lambda g: g.conj(using(low), using(high))])
    u, v, _, _, w = g.split(g.apply(given, "l", by=[using(here)]))
    triangle = g.split(g.lemma("razin2020.lemma-12", "part:triangle", "m", "m", "A(l) - B(l-1)", "B(l-1) - C(l-1)"))[0]

    def equal(g: Goal) -> None:
        only(g, a, c, t, y, d, u, v, w)
        z = g.have(
            "W(l) - Y(l) = U(l) @ T(V(l)) @ (A(l) - C(l-1))",
            lambda g: g.nc(
                (w, 1, None, None),
                (y, -1, None, None),
                (d, -1, None, "U(1) @ E(1) @ T(U(1)) @ T(D(l-1))"),
                (a, -1, "U(l) @ T(V(l))", None),
                (v, -1, "U(l)", "E(l) @ T(V(l))"),
                (c, 1, "U(l) @ T(V(l))", None),
                (t, 1, "U(l) @ T(V(l))", None),
            ),
        )
        vt = g.split(g.by_fact("inv_unique", "m", "T(V(l))", "V(l)", by=[using(v)]))[1]
        g.rewrite(z)
        gap = "A(l) - C(l-1)"
        inner = g.have(
            f"T(U(l) @ T(V(l)) @ ({gap})) @ (U(l) @ T(V(l)) @ ({gap})) = T({gap}) @ ({gap})",
            lambda g: (only(g, u, vt), g.nc(rw=[u, vt]))[-1],
        )
        g.rewrite(inner)
        g.refl()

    def sum_(g: Goal) -> None:
        same = g.have("A(l) - C(l-1) = A(l) - B(l-1) + (B(l-1) - C(l-1))", lambda g: (only(g), g.nc())[-1])
        whole = g.have(
            f"{fro('A(l) - C(l-1)')} = {fro('A(l) - B(l-1) + (B(l-1) - C(l-1))')}",
            lambda g: (only(g, same), g.rewrite(same), g.refl())[-1],
        )
        only(g, whole, triangle)
        g.pos([f"@{triangle}"], eqs=[(whole, -1)])

    g.conj(equal, sum_)


@holds(
    CLAIM,
    f"""all m L:Z, W:Z->M(m,m), e:R. 1 <= L => 0 <= e =>
       (all l:Z. 1 <= l and l <= L - 1 => nuc(T(W(l+1)) @ W(l+1) - W(l) @ T(W(l))) <= e) =>
       ex Y:Z->M(m,m). (all l:Z. 1 <= l and l <= L - 1 => T(Y(l+1)) @ Y(l+1) = Y(l) @ T(Y(l))) and
          all l:Z. {INSIDE} => {fro("W(l) - Y(l)")} <= (l - 1)*sqrt(e)""",
    uses=[STEP, "razin2020.lemma-1-step-balanced", ROOTS],
    argument="sound",
    reading="Y(l) = W'_l; e is the unbalancedness magnitude (def-3), or any bound of it; for L = 1 the maximum in it is over nothing, and e = 0 serves",
)
def balanced_factors_nearby(g: Goal) -> None:
    """The construction, with the roots V E V^T, U E U^T and D U_1 E_1 U_1^T D^T."""
    g.fix("m", "L", "W", "e")
    depth, nonneg, bound = (g.assume() for _ in range(3))
    k = g.lemma("razin2020.lemma-1-step-construction", "statement", "m", "L", "W", by=[using(depth)])
    hyps = g.obtain(k, "U", "E", "V", "D", "Y")
    names = ["m", "L", "W", "U", "E", "V", "D", "Y"]
    turned = g.lemma(STEP, "part:turned", *names, by=[using(h) for h in hyps])
    rotation = g.lemma(STEP, "part:orthogonal", *names, by=[using(h) for h in hyps])
    balanced = g.lemma("razin2020.lemma-1-step-balanced", "statement", *names, by=[using(h) for h in hyps])
    given = hyps[0]

    def roots(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        low, high = g.split(inside)
        u, v, off, sign, _ = g.split(g.apply(given, i, by=[using(inside)]))
        first = g.apply(
            given, 1, by=[lambda g: (only(g, low, high), g.conj(None, lambda g: g.pos([f"@{low}"], [f"@{high}"])))[-1]]
        )
        u1, _, off1, sign1, _ = g.split(first)
        y, w, yy, ww, wtw = g.split(g.apply(turned, i, by=[using(inside)]))
        r = g.split(g.apply(rotation, i, by=[using(inside)]))[0]
        both = [
            g.split(g.lemma(STEP, "part:conjugate", "m", base, diag, by=[lambda g, o=o: g.conj(*[using(h) for h in o])]))[2:]  # type: ignore[misc]
            for base, diag, o in (
                (f"V({i})", f"E({i})", (off, sign)),
                (f"U({i})", f"E({i})", (off, sign)),
                (f"D({i}) @ U(1)", "E(1)", (off1, sign1)),
            )
        ]

        def form(h: str) -> Script:
            def script(g: Goal) -> None:
                (x,) = g.fix()
                f = g.apply(h, x)
                only(g, f)
                g.pos([f"@{f}"])

            return script

        g.conj(
            lambda g: g.nc((both[0][0], 1, None, None)),
            form(both[0][1]),
            lambda g: g.nc((both[1][0], 1, None, None)),
            form(both[1][1]),
            lambda g: g.nc((both[2][0], 1, None, None)),
            form(both[2][1]),
            lambda g: (only(g, wtw, v), g.nc((wtw, -1, None, None), rw=[v]))[-1],
            lambda g: (only(g, ww, u), g.nc((ww, -1, None, None), rw=[u]))[-1],
            lambda g: (only(g, yy, r, u1), g.nc((yy, -1, None, None), rw=[r, u1]))[-1],
        )
        del y, w

    near = g.lemma(
        ROOTS,
        "statement",
        *names,
        "lam l:Z. V(l) @ E(l) @ T(V(l))",
        "lam l:Z. U(l) @ E(l) @ T(U(l))",
        "lam l:Z. D(l) @ U(1) @ E(1) @ T(U(1)) @ T(D(l))",
        "e",
        by=[using(nonneg), *[using(h) for h in hyps], roots, using(bound)],
    )
    near = g.split(near)[1]
    g.witness("Y")

    def equal(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        g.close_by(g.split(g.apply(balanced, i, by=[using(inside)]))[0])

    g.conj(equal, using(near))


FACTOR_FLOW = f"""all m L:Z, W P Q:(Z,R)~>M(m,m), G:R->M(m,m), e:R. 2 <= L => (all t:R. 0 <= t => Q(0,t) = I(m) and P(L,t) = I(m)) =>
       (all l:Z, t:R. {INSIDE} => 0 <= t => Q(l,t) = W(l,t) @ Q(l-1,t) and P(l-1,t) = P(l,t) @ W(l,t)) =>
       (all l:Z, t:R. {INSIDE} => 0 <= t => d(1,W,l,t) = -(T(P(l,t)) @ G(t) @ T(Q(l-1,t)))) => 0 <= e =>
       (all l:Z. 1 <= l and l <= L - 1 => nuc(T(W(l+1,0)) @ W(l+1,0) - W(l,0) @ T(W(l,0))) <= e) =>"""
"""The factors follow the flow of their product, and start with an unbalancedness of at most e."""
BALANCED = "(all l:Z. 1 <= l and l <= L - 1 => T(Y(l+1)) @ Y(l+1) = Y(l) @ T(Y(l)))"
FLOW_READING = (
    "Q(l) = W_l ... W_1, P(l) = W_L ... W_{l+1}, G(t) is the gradient of the loss at the product matrix; e is the unbalancedness magnitude at the start, "
    "Y(l) = W'_l"
)


@holds(
    "razin2020.eq-59",
    f"""{FACTOR_FLOW} all t:R. 0 <= t => ex Y:Z->M(m,m). {BALANCED} and
          all l:Z. {INSIDE} => {fro("W(l,t) - Y(l)")} <= (l - 1)*sqrt(e)""",
    uses=[CLAIM],
    argument="sound",
    reading=FLOW_READING,
)
def balanced_factors_nearby_at_every_time(g: Goal) -> None:
    """The unbalancedness is conserved (Lemma 3); Lemma 1 at the time t."""
    g.fix("m", "L", "W", "P", "Q", "G", "e")
    depth, _, steps, flow, nonneg, bound = (g.assume() for _ in range(6))
    g.fix("t")
    now = g.assume()
    gap = "T(W({0}+1,{1})) @ W({0}+1,{1}) - W({0},{1}) @ T(W({0},{1}))"

    def conserved(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        low, high = g.split(inside)
        a = g.have(
            f"1 <= {i} and {i} <= L", lambda g: (only(g, low, high), g.conj(using(low), lambda g: g.pos([f"@{high}"], [1])))[-1]
        )
        b = g.have(
            f"1 <= {i} + 1 and {i} + 1 <= L",
            lambda g: (only(g, low, high), g.conj(lambda g: g.pos([f"@{low}"], [1]), lambda g: g.pos([f"@{high}"])))[-1],
        )

        def still(g: Goal) -> None:
            (u,) = g.fix()
            time = g.assume()
            upper = g.apply(flow, f"{i} + 1", u, by=[using(b), using(time)])
            lower = g.apply(flow, i, u, by=[using(a), using(time)])
            q = g.split(g.apply(steps, i, u, by=[using(a), using(time)]))[0]
            p = g.split(g.apply(steps, f"{i} + 1", u, by=[using(b), using(time)]))[1]
            only(g, upper, lower, q, p)
            g.nc(rw=[upper, lower, q, p])

        k = g.by_fact("constant_matrix", "m", "m", 0, f"lam s:R. {gap.format(i, 's')}", by=[None, still])
        k = g.apply(k, "t", by=[using(now)])
        start = g.apply(bound, i, by=[using(inside)])
        g.rewrite(k)
        g.close_by(start)

    h = g.have(f"all l:Z. 1 <= l and l <= L - 1 => nuc({gap.format('l', 't')}) <= e", conserved)
    one = g.have("1 <= L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    g.close_by(g.lemma(CLAIM, "statement", "m", "L", "lam l:Z. W(l,t)", "e", by=[using(one), using(nonneg), using(h)]))
