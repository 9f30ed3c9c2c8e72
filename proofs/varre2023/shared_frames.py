"""Theorem C.11, for all data: alpha, beta, Z_1 and Z_2 have common singular bases; the singular values of beta from those of alpha."""

from __future__ import annotations

from collections.abc import Callable

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import ALPHA, BETA, PROJECTED, SETTING
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, undecided

CLAIM = "varre2023.thm-c-11-general"
DIAGONAL = "(all i j:Z. i != j => {0}[i,j] = 0)"


def differ(g: Goal, apart: str) -> None:
    """j != i turned around."""
    _, a, b = g.hyp_formula(apart)
    g.have(("!=", b, a), lambda g: (g.contra("same"), g.clash(g.have(("=", a, b), lambda g: g.field(("same", -1))), apart)))


@part(
    CLAIM,
    "square-of-a-diagonal",
    f"""all p k:Z, S:M(p,k). {DIAGONAL.format("S")} => all i j:Z. (S @ T(S))[i,i] = S[i,i]^2 and (i != j => (S @ T(S))[i,j] = 0)""",
    says="the Gram matrix of a rectangular diagonal matrix",
)
def gram_of_a_diagonal(g: Goal) -> None:
    """Only the term with the index i can count, if there is one."""
    g.fix("p", "k", "S")
    off = g.assume()
    g.fix("i", "j")
    out = g.fact("entry_outside", "p", "k", "S")

    def square(g: Goal) -> None:
        e = g.apply(g.fact("mm_entry", "p", "k", "p", "S", "T(S)"), "i", "i")

        def inside(g: Goal) -> None:
            low, high = list(g.seq.hyps)[-2:]

            def other(g: Goal) -> None:
                g.fix("q")
                g.split_all(g.assume())
                differ(g, g.assume())
                z = g.apply(off, "i", "q")
                g.field((z, "S[i,q]"))

            d = g.by_fact("sum_delta", 1, "k", "i", "lam q:Z. S[i,q]*T(S)[q,i]", by=[using(low), using(high), other])
            g.field((e, 1), (d, 1))

        def outside(g: Goal) -> None:
            away = list(g.seq.hyps)[-1]
            own = g.apply(out, "i", "i", by=[lambda g: pick(g, away)])

            def other(g: Goal) -> None:
                g.fix("q")
                low, high = g.split_all(g.assume())
                apart = g.have("i != q", lambda g: (g.contra("same"), g.nlin(products=1)))
                z = g.apply(off, "i", "q", by=[using(apart)])
                g.field((z, "S[i,q]"))

            s = g.by_fact("sum_ext", 1, "k", "lam q:Z. S[i,q]*T(S)[q,i]", "lam q:Z. 0", by=[other])
            g.field((e, 1), (s, 1), (own, "-(S[i,i])"))

        g.em("i < 1", outside, lambda g: g.em("k < i", outside, inside))

    def cross(g: Goal) -> None:
        apart = g.assume()
        e = g.apply(g.fact("mm_entry", "p", "k", "p", "S", "T(S)"), "i", "j")

        def vanish(g: Goal) -> None:
            g.fix("q")
            g.assume()

            def same(g: Goal) -> None:
                h = list(g.seq.hyps)[-1]
                g.rewrite(h)
                differ(g, apart)
                z = g.apply(off, "j", "i")
                g.field((z, "S[i,i]"))

            def other(g: Goal) -> None:
                differ(g, list(g.seq.hyps)[-1])
                z = g.apply(off, "i", "q")
                g.field((z, "S[j,q]"))

            g.em("q = i", same, other)

        s = g.by_fact("sum_ext", 1, "k", "lam q:Z. S[i,q]*T(S)[q,j]", "lam q:Z. 0", by=[vanish])
        g.field((e, 1), (s, 1))

    g.conj(square, cross)


def pick(g: Goal, h: str) -> None:
    """One of the alternatives is this hypothesis."""
    f = g.hyp_formula(h)
    for i, alternative in enumerate(g.concl[1:]):
        if alternative == f:
            g.left_or_right(i)
            g.close_by(h)
            return
    raise AssertionError


@part(
    CLAIM,
    "diagonal-times",
    f"""all p k:Z, N:M(p,p), M:M(p,k). {DIAGONAL.format("N")} => all i j:Z. (N @ M)[i,j] = N[i,i]*M[i,j]""",
    says="a diagonal matrix multiplies the rows",
)
def diagonal_multiplies_the_rows(g: Goal) -> None:
    """One term of the sum; outside both sides are 0."""
    g.fix("p", "k", "N", "M")
    off = g.assume()
    g.fix("i", "j")
    e = g.apply(g.fact("mm_entry", "p", "p", "k", "N", "M"), "i", "j")
    out = g.fact("entry_outside", "p", "p", "N")

    def inside(g: Goal) -> None:
        low, high = list(g.seq.hyps)[-2:]

        def other(g: Goal) -> None:
            g.fix("q")
            g.split_all(g.assume())
            differ(g, g.assume())
            z = g.apply(off, "i", "q")
            g.field((z, "M[q,j]"))

        d = g.by_fact("sum_delta", 1, "p", "i", "lam q:Z. N[i,q]*M[q,j]", by=[using(low), using(high), other])
        g.field((e, 1), (d, 1))

    def outside(g: Goal) -> None:
        away = list(g.seq.hyps)[-1]
        own = g.apply(out, "i", "i", by=[lambda g: pick(g, away)])

        def vanish(g: Goal) -> None:
            g.fix("q")
            g.assume()
            z = g.apply(out, "i", "q", by=[lambda g: pick(g, away)])
            g.field((z, "M[q,j]"))

        s = g.by_fact("sum_ext", 1, "p", "lam q:Z. N[i,q]*M[q,j]", "lam q:Z. 0", by=[vanish])
        g.field((e, 1), (s, 1), (own, "-(M[i,j])"))

    g.em("i < 1", outside, lambda g: g.em("p < i", outside, inside))


CORE = "0 < c => T(A) @ A - B @ T(B) = (2*c)*I(p) => det(A) != 0 =>"
SMALL = "inv(T(A)) @ B"
FRAMES = """T(U) @ U = I(p) and T(V) @ V = I(k) and T(V1) @ V1 = I(p)"""
SHAPES = " and ".join(DIAGONAL.format(n) for n in ("S", "M", "E", "F"))
VALUES = """(all i:Z. S[i,i] = sv(inv(T(A)) @ B, i)) and (all i:Z. 1 <= i => S[i,i] < 1 and M[i,i] = 2*c*S[i,i]/(1 - S[i,i]^2) and
       M[i,i] = sv(A @ B, i) and 0 <= E[i,i] and 0 <= F[i,i])"""


@part(
    CLAIM,
    "frames",
    f"""all p k:Z, c:R, A:M(p,p), B:M(p,k). {CORE} ex U V1:M(p,p), V:M(k,k), S M F:M(p,k), E:M(p,p). {FRAMES} and
       {SMALL} = U @ S @ T(V) and A @ B = U @ M @ T(V) and A = U @ E @ T(V1) and B = V1 @ F @ T(V) and {SHAPES} and {VALUES}""",
    says="common singular bases of A^{-T} B, A B, A and B under the invariant",
    uses=["shin2025.lemma-32"],
)
def common_frames(g: Goal) -> None:
    """From a singular value decomposition U S V^T of A^{-T} B: V_1 = A^T U N with N^2 = (I - S S^T)/(2 gamma)."""
    positive, inv, regular = g.intro()
    det = g.fact("det_transpose", "p", "A")
    turned = g.have("det(T(A)) != 0", lambda g: (g.rewrite(det), g.close_by(regular)))
    left, right = g.by_fact("inv_left", "p", "A", by=[using(regular)]), g.by_fact("inv_right", "p", "A", by=[using(regular)])
    left_t = g.by_fact("inv_left", "p", "T(A)", by=[using(turned)])
    orth_u, orth_v, svd, off, values = g.obtain(g.fact("svd", "p", "k", SMALL), "U", "V", "S")
    back_u = g.split(g.by_fact("inv_unique", "p", "T(U)", "U", by=[using(orth_u)]))[1]
    back_v = g.split(g.by_fact("inv_unique", "k", "T(V)", "V", by=[using(orth_v)]))[1]

    def named(name: str, shape: str, text: str) -> str:
        return g.obtain(g.have(f"ex {name}:M({shape}). {name} = {text}", lambda g: (g.witness(text), g.refl())), name)[0]

    w, y = named("W", "p,p", "inv(A) @ U"), named("Y", "p,p", "T(U) @ A")
    unit = g.have(
        "Y @ W = I(p)",
        lambda g: g.nc((w, 1, "Y", None), (y, 1, None, "inv(A) @ U"), (right, 1, "T(U)", "U"), (orth_u, 1, None, None)),
    )
    unit_t = g.have("T(Y @ W) = T(I(p))", lambda g: g.ctx(using(unit)))
    other = g.split(g.by_fact("inv_unique", "p", "Y", "W", by=[using(unit)]))[1]
    w_t, _y_t = transposed(g, w), transposed(g, y)
    transposed(g, svd)
    own_s = g.have(
        f"S = T(U) @ ({SMALL}) @ V",
        lambda g: g.nc((svd, -1, "T(U)", "V"), (orth_u, -1, None, "S @ T(V) @ V"), (orth_v, -1, "S", None)),
    )
    own_t = transposed(g, own_s)
    k = named("K", "p,p", "I(p) - S @ T(S)")
    square = g.have(
        "K = (2*c)*(T(W) @ W)",
        lambda g: g.nc(
            (k, 1, None, None), (own_s, -1, None, "T(S)"), (own_t, -1, f"T(U) @ ({SMALL}) @ V", None), (back_v, -1, f"T(U) @ {SMALL}", "T(B) @ inv(A) @ U"),
            (inv, 1, "T(U) @ inv(T(A))", "inv(A) @ U"), (left_t, -1, "T(U)", "A @ inv(A) @ U"), (right, -1, "T(U)", "U"), (orth_u, -1, None, None),
            (w_t, "-2*c", None, "W"), (w, "-2*c", "T(inv(A) @ U)", None),
        ),
    )  # fmt: skip
    gram = g.lemma(CLAIM, "part:square-of-a-diagonal", "p", "k", "S", by=[using(off)])
    out_s = g.fact("entry_outside", "p", "k", "S")

    def k_off(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        z = g.apply(g.split(g.apply(gram, "i", "j"))[1])
        g.rewrite(k)
        g.field((z, -1))

    off_k = g.have(DIAGONAL.format("K"), k_off)

    def k_own(g: Goal) -> None:
        g.fix("i")
        _low, _high = g.assume(), g.assume()
        z = g.split(g.apply(gram, "i", "i"))[0]
        own = g.have("K[i,i] = 1 - S[i,i]^2", lambda g: (g.rewrite(k), g.field((z, -1))))

        def positive_square(g: Goal) -> None:
            none = g.contra()
            e = g.have("K[i,i] = 2*c*sum(q, 1, p, W[q,i]^2)", lambda g: (g.rewrite(square), g.field()))
            nonneg = g.by_fact("sum_nonneg", 1, "p", "lam q:Z. W[q,i]^2", by=[lambda g: (g.fix("q"), g.assume(), g.auto())])
            zero = g.have(
                "sum(q, 1, p, W[q,i]^2) = 0",
                lambda g: g.antisym(lambda g: g.pos([f"@{none}"], mul=["2*c"], eqs=[(e, 1)]), using(nonneg)),
            )
            each = g.by_fact(
                "sum_zero_terms", 1, "p", "lam q:Z. W[q,i]^2", by=[lambda g: (g.fix("q"), g.assume(), g.auto()), using(zero)]
            )

            def vanish(g: Goal) -> None:
                g.fix("q")
                v = g.by_fact("square_zero", "W[q,i]", by=[using(g.apply(each, "q", by=[using(g.assume())]))])
                g.field((v, "Y[i,q]"))

            s = g.by_fact("sum_ext", 1, "p", "lam q:Z. Y[i,q]*W[q,i]", "lam q:Z. 0", by=[vanish])
            one = g.have("(Y @ W)[i,i] = 1", lambda g: (g.rewrite(unit), g.field()))
            g.pos([], eqs=[(one, 1), (s, -1)])

        g.conj(using(own), lambda g: positive_square(g))

    own_k = g.have("all i:Z. 1 <= i => i <= p => K[i,i] = 1 - S[i,i]^2 and 0 < K[i,i]", k_own)
    m = named("M", "p,k", "T(U) @ A @ B @ V")
    fits = g.have(
        "A @ B = U @ M @ T(V)",
        lambda g: g.nc((m, -1, "U", "T(V)"), (back_u, -1, None, "A @ B @ V @ T(V)"), (back_v, -1, "A @ B", None)),
    )
    link = g.have(
        "K @ M = (2*c)*S",
        lambda g: g.nc(
            (square, 1, None, "M"), (w_t, "2*c", None, "W @ M"), (w, "2*c", "T(inv(A) @ U)", "M"), (m, "2*c", "T(inv(A) @ U) @ inv(A) @ U", None),
            (back_u, "2*c", "T(inv(A) @ U) @ inv(A)", "A @ B @ V"), (left, "2*c", "T(inv(A) @ U)", "B @ V"), (own_s, "-2*c", None, None),
        ),
    )  # fmt: skip
    times = g.lemma(CLAIM, "part:diagonal-times", "p", "k", "K", "M", by=[using(off_k)])
    out_m = g.fact("entry_outside", "p", "k", "M")

    def row(g: Goal, j: str) -> str:
        e = g.apply(times, "i", j)
        return g.have(f"K[i,i]*M[i,{j}] = 2*c*S[i,{j}]", lambda g: (g.rewrite(e, back=True), g.rewrite(link), g.field()))

    def m_off(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()

        def inside(g: Goal) -> None:
            _, above = g.split(g.apply(own_k, "i"))
            e, z = row(g, "j"), g.apply(off, "i", "j")
            g.field((e, "1/K[i,i]"), (z, "2*c/K[i,i]"))

        within(g, "p", inside, lambda g, away: g.close_by(g.apply(out_m, "i", "j", by=[lambda g: pick(g, away)])))

    off_m = g.have(DIAGONAL.format("M"), m_off)
    order = g.fact("sv_range", "p", "k", SMALL)

    def m_own(g: Goal) -> None:
        g.fix("i")
        g.assume()
        value = g.apply(values, "i")
        nonneg = g.have("0 <= S[i,i]", lambda g: (g.rewrite(value), g.close_by(g.split(g.apply(order, "i", "i"))[0])))

        def inside(g: Goal) -> None:
            own, above = g.split(g.apply(own_k, "i"))
            e = row(g, "i")

            def below(g: Goal) -> None:
                less = g.contra()
                g.pos([f"@{less}", "S[i,i] + 1"], [f"@{above}"], eqs=[(own, -1)])

            small = g.have("S[i,i] < 1", below)
            g.have("0 < 1 - S[i,i]^2", lambda g: g.pos([f"@{above}"], eqs=[(own, -1)]))
            g.conj(using(nonneg), using(small), lambda g: g.field((e, "1/(1 - S[i,i]^2)"), (own, "-(M[i,i])/(1 - S[i,i]^2)")))

        def outside(g: Goal, away: str) -> None:
            s = g.apply(out_s, "i", "i", by=[lambda g: pick(g, away)])
            e = g.apply(out_m, "i", "i", by=[lambda g: pick(g, away)])
            g.rewrite(s)
            g.rewrite(e)
            g.conj(None, None, lambda g: g.field())

        within(g, "p", inside, outside)

    own_m = g.have("all i:Z. 1 <= i => 0 <= S[i,i] and S[i,i] < 1 and M[i,i] = 2*c*S[i,i]/(1 - S[i,i]^2)", m_own)

    def ordered(g: Goal) -> None:
        g.fix("i")
        low = g.assume()
        a0, a1, a = g.split(g.apply(own_m, "i"))
        b0, b1, b = g.split(g.apply(own_m, "i + 1", by=[lambda g: g.pos([f"@{low}"], [1])]))
        x, z = g.apply(values, "i"), g.apply(values, "i + 1")
        falls = g.have(
            "S[i+1,i+1] <= S[i,i]",
            lambda g: (
                g.rewrite(x),
                g.rewrite(z),
                g.close_by(
                    g.apply(g.split(g.apply(order, "i", "i + 1"))[1], by=[lambda g: g.conj(using(low), lambda g: g.pos([1]))])
                ),
            ),
        )
        s, r = "S[i,i]", "S[i+1,i+1]"
        g.have(f"0 < 1 - {s}^2", lambda g: g.pos([f"@{a1}", f"1 + {s}"]))
        g.have(f"0 < 1 - {r}^2", lambda g: g.pos([f"@{b1}", f"1 + {r}"]))
        g.rewrite(a)
        g.rewrite(b)
        g.conj(lambda g: g.auto(), lambda g: g.pos([f"@{falls}", "2*c", f"1 + {s}*{r}"], mul=[f"1 - {s}^2", f"1 - {r}^2"]))

    sorted_ = g.have("all i:Z. 1 <= i => 0 <= M[i,i] and M[i+1,i+1] <= M[i,i]", ordered)
    of_m = g.by_fact(
        "svd_values", "p", "k", "A @ B", "M", "U", "V", by=[using(h) for h in (orth_u, orth_v, fits, off_m, sorted_)]
    )
    entries = g.obtain(g.fact("matrix_of_entries", "p", "p", "lam i j:Z. sqrt(K[i,i]/(2*c))*I(p)[i,j]"), "N")[0]
    out_n = g.fact("entry_outside", "p", "p", "N")

    def n_off(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()

        def rows(g: Goal) -> None:
            def inside(g: Goal) -> None:
                e = g.apply(entries, "i", "j")
                g.field((e, 1))

            within(g, "p", inside, lambda g, away: g.close_by(g.apply(out_n, "i", "j", by=[lambda g: pick(g, away)])), "j")

        within(g, "p", rows, lambda g, away: g.close_by(g.apply(out_n, "i", "j", by=[lambda g: pick(g, away)])))

    off_n = g.have(DIAGONAL.format("N"), n_off)

    def n_own(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        g.split(g.apply(own_k, "i"))[1]
        e = g.apply(entries, "i", "i")
        root = g.by_fact("sqrt_sq", "K[i,i]/(2*c)", by=[Goal.auto])
        value = g.have("N[i,i] = sqrt(K[i,i]/(2*c))", lambda g: g.field((e, 1)))
        g.rewrite(value)
        g.conj(lambda g: g.field((root, 1)), lambda g: (g.have("0 < K[i,i]/(2*c)", Goal.auto), g.auto()))

    own_n = g.have("all i:Z. 1 <= i => i <= p => N[i,i]^2 = K[i,i]/(2*c) and 0 < N[i,i]", n_own)
    times_n = g.lemma(CLAIM, "part:diagonal-times", "p", "p", "N", "N", by=[using(off_n)])

    def n_square(g: Goal) -> None:
        g.extn("i", "j")
        e = g.apply(times_n, "i", "j")
        g.rewrite(e)

        def same(g: Goal) -> None:
            g.rewrite(list(g.seq.hyps)[-1])
            sq = g.split(g.apply(own_n, "i"))[0]
            g.field((sq, 1))

        def apart(g: Goal) -> None:
            differ(g, list(g.seq.hyps)[-1])
            g.field((g.apply(off_n, "i", "j"), "N[i,i]"), (g.apply(off_k, "i", "j"), "-1/(2*c)"))

        g.em("j = i", same, apart)

    root = g.have("N @ N = (1/(2*c))*K", n_square)
    one = g.have(
        "N @ N @ (Y @ T(Y)) = I(p)",
        lambda g: g.nc(
            (root, 1, None, "Y @ T(Y)"),
            (square, "1/(2*c)", None, "Y @ T(Y)"),
            (other, 1, "T(W)", "T(Y)"),
            (unit_t, 1, None, None),
        ),
    )
    two = g.split(g.by_fact("inv_unique", "p", "N", "N @ (Y @ T(Y))", by=[lambda g: g.nc((one, 1, None, None))]))[1]
    three = g.split(g.by_fact("inv_unique", "p", "N @ N", "Y @ T(Y)", by=[lambda g: g.nc((one, 1, None, None))]))[1]
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "p", "N", by=[using(off_n)])
    v1 = named("V1", "p,p", "T(Y) @ N")
    v1_t = transposed(g, v1)
    orth = g.have(
        "T(V1) @ V1 = I(p)",
        lambda g: g.nc((v1_t, 1, None, "V1"), (v1, 1, "T(T(Y) @ N)", None), (sym, 1, None, "Y @ T(Y) @ N"), (two, 1, None, None)),
    )
    back_1 = g.split(g.by_fact("inv_unique", "p", "T(V1)", "V1", by=[using(orth)]))[1]
    e_ = named("E", "p,p", "Y @ T(Y) @ N")
    f_ = named("F", "p,k", "N @ M")
    first = g.have(
        "A = U @ E @ T(V1)",
        lambda g: g.nc(
            (e_, -1, "U", "T(V1)"), (v1_t, -1, "U @ Y @ T(Y) @ N", None), (sym, -1, "U @ Y @ T(Y) @ N", "Y"), (three, -1, "U", "Y"), (y, -1, "U", None), (back_u, -1, None, "A"),
        ),
    )  # fmt: skip
    second = g.have(
        "B = V1 @ F @ T(V)",
        lambda g: g.nc(
            (f_, -1, "V1", "T(V)"), (m, -1, "V1 @ N", "T(V)"), (back_v, -1, "V1 @ N @ T(U) @ A @ B", None),
            (y, 1, "V1 @ N", "B"), (v1_t, 1, "V1", "B"), (sym, 1, "V1", "Y @ B"), (back_1, -1, None, "B"),
        ),
    )  # fmt: skip
    times_e = g.lemma(CLAIM, "part:diagonal-times", "p", "p", "N", "E", by=[using(off_n)])
    unit_e = g.have("N @ E = I(p)", lambda g: g.nc((e_, 1, "N", None), (two, 1, None, None)))
    out_e = g.fact("entry_outside", "p", "p", "E")

    def e_row(g: Goal, j: str) -> str:
        e = g.apply(times_e, "i", j)
        return g.have(f"N[i,i]*E[i,{j}] = I(p)[i,{j}]", lambda g: (g.rewrite(e, back=True), g.rewrite(unit_e), g.refl()))

    def e_off(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()

        def inside(g: Goal) -> None:
            g.split(g.apply(own_n, "i"))
            g.field((e_row(g, "j"), "1/N[i,i]"))

        within(g, "p", inside, lambda g, away: g.close_by(g.apply(out_e, "i", "j", by=[lambda g: pick(g, away)])))

    off_e = g.have(DIAGONAL.format("E"), e_off)
    times_f = g.lemma(CLAIM, "part:diagonal-times", "p", "k", "N", "M", by=[using(off_n)])

    def f_off(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        g.rewrite(f_)
        g.field((g.apply(times_f, "i", "j"), 1), (g.apply(off_m, "i", "j"), "N[i,i]"))

    off_f = g.have(DIAGONAL.format("F"), f_off)

    def last(g: Goal) -> None:
        g.fix("i")
        g.assume()
        _, small, value = g.split(g.apply(own_m, "i"))
        big = g.split(g.apply(sorted_, "i"))[0]
        same = g.apply(of_m, "i")

        def e_sign(g: Goal) -> None:
            def inside(g: Goal) -> None:
                g.split(g.apply(own_n, "i"))[1]
                g.pos([1], mul=["N[i,i]"], eqs=[(e_row(g, "i"), 1)])

            within(g, "p", inside, lambda g, away: zero_entry(g, out_e, away))

        def f_sign(g: Goal) -> None:
            e = g.have("F[i,i] = N[i,i]*M[i,i]", lambda g: (g.rewrite(f_), g.close_by(g.apply(times_f, "i", "i"))))

            def inside(g: Goal) -> None:
                above = g.split(g.apply(own_n, "i"))[1]
                g.pos([f"@{above}", f"@{big}"], eqs=[(e, 1)])

            def outside(g: Goal, away: str) -> None:
                z = g.apply(out_n, "i", "i", by=[lambda g: pick(g, away)])
                g.pos(eqs=[(e, 1), (z, "M[i,i]")])

            within(g, "p", inside, outside)

        g.conj(using(small), using(value), lambda g: g.field((same, -1)), e_sign, f_sign)

    g.witness("U", "V1", "V", "S", "M", "F", "E")
    g.conj(*[using(h) for h in (orth_u, orth_v, orth, svd, fits, first, second, off, off_m, off_e, off_f, values)], last)


def zero_entry(g: Goal, out: str, away: str) -> None:
    """0 <= 0 outside of the matrix."""
    z = g.apply(out, "i", "i", by=[lambda g: pick(g, away)])
    g.rewrite(z)
    g.pos()


def transposed(g: Goal, h: str) -> str:
    """The transpose of an equation."""
    _, left, right = g.hyp_formula(h)
    return g.have(("=", ("T", left), ("T", right)), lambda g: g.ctx(using(h)))


def within(g: Goal, hi: str, inside: Script, outside: Callable[[Goal, str], object], i: str = "i") -> None:
    """Whether the index i is within 1..hi; `outside` gets the name of the hypothesis that it is not."""

    def out(g: Goal) -> None:
        outside(g, list(g.seq.hyps)[-1])

    g.em(f"{i} < 1", out, lambda g: g.em(f"{hi} < {i}", out, inside))


USES = ["varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha"]
AT_TIME = """(all i:Z. 1 <= i => S[i,i] = sv({a}, i) and M[i,i] = sv({b}, i) and 0 <= E[i,i] and 0 <= F[i,i])"""
CHOICE = "for a suitable choice of the singular bases: U, V and V1 are orthogonal, S, M, E, F are rectangular diagonal matrices"


def frames(g: Goal, names: list[str]) -> list[str]:
    """The common bases at the time t, from the names of the five hypotheses of the flow: names of what is known of them."""
    inv = setting_lemma(g, "varre2023.lemma-3-2", "statement", names)
    regular, _ = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", names))
    h = g.lemma(CLAIM, "part:frames", "p", "k", "c", "Z1(t)", "Z2(t)", by=[using(names[0]), using(inv), using(regular)])
    return g.obtain(h, "U", "V1", "V", "S", "M", "F", "E")


@holds(
    CLAIM,
    f"""{PROJECTED} all t:R. 0 <= t => ex U V1:M(p,p), V:M(k,k), S M F:M(p,k), E:M(p,p). {FRAMES} and
       {ALPHA} = U @ S @ T(V) and {BETA} = U @ M @ T(V) and Z1(t) = U @ E @ T(V1) and Z2(t) = V1 @ F @ T(V) and {SHAPES} and
       {AT_TIME.format(a=ALPHA, b=BETA)}""",
    argument="sound",
    reading=CHOICE,
    uses=USES,
)
def layers_and_predictor_share_their_frames(g: Goal) -> None:
    """The invariant at the time t."""
    known = frames(g, g.intro()[:5])
    g.witness("U", "V1", "V", "S", "M", "F", "E")

    def entries(g: Goal) -> None:
        g.fix("i")
        low = g.assume()
        s = g.apply(known[11], "i")
        _, _, m, e, f = g.split(g.apply(known[12], "i", by=[using(low)]))
        g.conj(using(s), using(m), using(e), using(f))

    g.conj(*[using(h) for h in known[:11]], entries)


@holds(
    "varre2023.step-c-12-beta-from-alpha",
    f"{PROJECTED} all t:R, i:Z. 0 <= t => 1 <= i => sv({ALPHA},i) < 1 and sv({BETA},i) = 2*c*sv({ALPHA},i)/(1 - sv({ALPHA},i)^2)",
    argument="sound",
    uses=[*USES, CLAIM],
)
def singular_values_of_beta_from_alpha(g: Goal) -> None:
    """In the common bases."""
    names = g.intro()
    known = frames(g, names[:5])
    s = g.apply(known[11], "i")
    small, value, m, _, _ = g.split(g.apply(known[12], "i"))
    below = g.rewritten(small, s)
    v = g.rewritten(g.rewritten(value, s), m)
    g.conj(using(below), using(v))


@holds(
    "varre2023.step-c-12-beta-fixed-point",
    f"""{PROJECTED} all t:R, i:Z. 0 <= t => 1 <= i => i <= p => sv({BETA},i) = sv(Z1(t),i)^2*sv({ALPHA},i) and
       sv(Z1(t),i)^2*sv({ALPHA},i) = sv({ALPHA},i)*(c + sqrt(c^2 + sv({BETA},i)^2))""",
    argument="sound",
    uses=["varre2023.step-c-12-beta-from-alpha", "varre2023.lemma-c-10-z1"],
)
def fixed_point_of_beta(g: Goal) -> None:
    """sqrt(gamma^2 + sigma_beta^2) = gamma (1 + a^2)/(1 - a^2) for a = sigma_alpha."""
    names = g.intro()
    time, low, high = names[5:8]

    def lemma(claim: str, by: list[str]) -> str:
        h = g.lemma(claim, "statement", *SETTING, by=[using(n) for n in names[:5]])
        return g.apply(h, "t", "i", by=[using(n) for n in by])

    small, value = g.split(lemma("varre2023.step-c-12-beta-from-alpha", [time, low]))
    layer = g.split(lemma("varre2023.lemma-c-10-z1", [time, low, high]))[1]
    g.split(g.apply(g.fact("sv_range", "p", "k", ALPHA), "i", "i"))[0]
    a = f"sv({ALPHA},i)"
    g.have(f"0 < 1 - {a}^2", lambda g: g.pos([f"@{small}", f"1 + {a}"]))
    root = g.by_fact(
        "sqrt_unique",
        f"c^2 + sv({BETA},i)^2",
        f"c*(1 + {a}^2)/(1 - {a}^2)",
        by=[Goal.auto, lambda g: (g.rewrite(value), g.field())],
    )
    g.rewrite(layer)
    g.rewrite(root)
    g.conj(lambda g: (g.rewrite(value), g.field()), lambda g: g.field())


SHARED = """all p k:Z, Z1 U V1 E:M(p,p), Z2 F:M(p,k), V:M(k,k). T(U) @ U = I(p) => T(V1) @ V1 = I(p) => T(V) @ V = I(k) =>
       Z1 = U @ E @ T(V1) => Z2 = V1 @ F @ T(V) => (all i j:Z. i != j => E[i,j] = 0) => (all i j:Z. i != j => F[i,j] = 0) =>"""


def product_is_diagonal(g: Goal, left: str, off: str, off_f: str) -> None:
    """A square diagonal matrix times a rectangular one."""
    times = g.lemma(CLAIM, "part:diagonal-times", "p", "k", left, "F", by=[using(off)])

    def entry(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        g.field((g.apply(times, "i", "j"), 1), (g.apply(off_f, "i", "j"), f"{left}[i,i]"))

    entry(g)


@holds(
    "varre2023.step-c-11-beta-svd",
    f"""({SHARED} Z1 @ Z2 = U @ (E @ F) @ T(V) and all i j:Z. i != j => (E @ F)[i,j] = 0) and
       ({PROJECTED} all t:R. 0 <= t => ex U V1:M(p,p), V:M(k,k), M F:M(p,k), E:M(p,p). {FRAMES} and
       Z1(t) = U @ E @ T(V1) and Z2(t) = V1 @ F @ T(V) and {BETA} = U @ M @ T(V) and {" and ".join(DIAGONAL.format(n) for n in ("E", "F", "M"))})""",
    argument="sound",
    reading=CHOICE,
    uses=[CLAIM],
)
def decomposition_of_the_predictor(g: Goal) -> None:
    """V_1^T V_1 = I between the layers; the bases exist by Theorem C.11."""

    def given(g: Goal) -> None:
        _, orth, _, first, second, off_e, off_f = g.intro()
        g.conj(
            lambda g: g.nc((first, 1, None, "Z2"), (second, 1, "U @ E @ T(V1)", None), (orth, 1, "U @ E", "F @ T(V)")),
            lambda g: product_is_diagonal(g, "E", off_e, off_f),
        )

    def along(g: Goal) -> None:
        names = g.intro()
        h = g.apply(g.lemma(CLAIM, "statement", *SETTING, by=[using(n) for n in names[:5]]), "t")
        known = g.obtain(h, "U", "V1", "V", "S", "M", "F", "E")
        g.witness("U", "V1", "V", "M", "F", "E")
        g.conj(*[using(known[i]) for i in (0, 1, 2, 5, 6, 4, 9, 10, 8)])

    g.conj(given, along)


@holds(
    "varre2023.step-c-11-inverse-svd",
    f"""{SHARED.replace("Z2 F:M(p,k)", "N:M(p,p), Z2 F:M(p,k)")} det(Z1) != 0 => E @ N = I(p) =>
       inv(Z1) = V1 @ N @ T(U) and inv(T(Z1)) = U @ N @ T(V1) and (all i j:Z. i != j => N[i,j] = 0) and
       inv(T(Z1)) @ Z2 = U @ (N @ F) @ T(V) and all i j:Z. i != j => (N @ F)[i,j] = 0""",
    argument="sound",
    reading=f"{CHOICE}; N stands for the inverse of E = D_{{Z_1}}; the inverse singular values stand in the order of those of Z_1, increasing",
    uses=[CLAIM, "shin2025.lemma-32"],
)
def decomposition_of_the_inverse(g: Goal) -> None:
    """V_1 N U^T is the inverse of U E V_1^T."""
    orth_u, orth, _, first, second, off_e, off_f, regular, unit = g.intro()
    back = g.split(g.by_fact("inv_unique", "p", "T(U)", "U", by=[using(orth_u)]))[1]
    product = g.have(
        "Z1 @ (V1 @ N @ T(U)) = I(p)",
        lambda g: g.nc(
            (first, 1, None, "V1 @ N @ T(U)"), (orth, 1, "U @ E", "N @ T(U)"), (unit, 1, "U", "T(U)"), (back, 1, None, None)
        ),
    )
    inverse = g.split(g.by_fact("inv_unique", "p", "Z1", "V1 @ N @ T(U)", by=[using(product)]))[0]
    turned = transposed(g, inverse)
    times = g.lemma(CLAIM, "part:diagonal-times", "p", "p", "E", "N", by=[using(off_e)])
    out = g.fact("entry_outside", "p", "p", "N")

    def n_off(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()

        def inside(g: Goal) -> None:
            own = g.have(
                "E[i,i]*N[i,i] = 1", lambda g: (g.rewrite(g.apply(times, "i", "i"), back=True), g.rewrite(unit), g.field())
            )
            e = g.have(
                "E[i,i]*N[i,j] = 0", lambda g: (g.rewrite(g.apply(times, "i", "j"), back=True), g.rewrite(unit), g.field())
            )
            g.field((e, "N[i,i]"), (own, "-(N[i,j])"))

        within(g, "p", inside, lambda g, away: g.close_by(g.apply(out, "i", "j", by=[lambda g: pick(g, away)])))

    off_n = g.have(DIAGONAL.format("N"), n_off)
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "p", "N", by=[using(off_n)])
    flat = g.have("inv(T(Z1)) = U @ N @ T(V1)", lambda g: g.nc((turned, 1, None, None), (sym, 1, "U", "T(V1)")))
    g.conj(
        using(inverse),
        using(flat),
        using(off_n),
        lambda g: g.nc((flat, 1, None, "Z2"), (second, 1, "U @ N @ T(V1)", None), (orth, 1, "U @ N", "F @ T(V)")),
        lambda g: product_is_diagonal(g, "N", off_n, off_f),
    )


undecided(
    "varre2023.step-c-11-v-diagonalises",
    outcome="ill-formed",
    tried="only the sentence in words is ill-formed: the left singular vectors of Z_1 have d entries and the right ones of Z_2 have k, so they cannot be the same unless k = d; the displayed equation, and that V_(Z_1) diagonalises Z_2 Z_2^T, are true as printed and proved in the amendment",
    missing="the words the other way round: the right singular vectors of Z_1 are the left ones of Z_2",
)


@amendment(
    "varre2023.step-c-11-v-diagonalises",
    f"""{PROJECTED} all t:R. 0 <= t => (all U V1 E:M(p,p). T(U) @ U = I(p) => T(V1) @ V1 = I(p) => Z1(t) = U @ E @ T(V1) => (all i j:Z. i != j => E[i,j] = 0) =>
          T(E) @ E - T(V1) @ Z2(t) @ T(Z2(t)) @ V1 = (2*c)*I(p) and
          all i j:Z. i != j => (T(V1) @ Z2(t) @ T(Z2(t)) @ V1)[i,j] = 0) and
       ex V1:M(p,p), U:M(p,p), V:M(k,k), E:M(p,p), F:M(p,k). {FRAMES} and Z1(t) = U @ E @ T(V1) and Z2(t) = V1 @ F @ T(V) and
          {DIAGONAL.format("E")} and {DIAGONAL.format("F")}""",
    says="the right singular vectors of Z_1 diagonalise Z_2 Z_2^T, and are left singular vectors of Z_2",
    uses=[*USES, CLAIM, "shin2025.lemma-32"],
)
def right_vectors_of_the_first_layer(g: Goal) -> None:
    """Multiply the invariant by V_1^T and V_1."""
    names = g.intro()
    inv = setting_lemma(g, "varre2023.lemma-3-2", "statement", names[:5])

    def given(g: Goal) -> None:
        g.fix("U", "V1", "E")
        orth_u, orth, first, off_e = g.assume(), g.assume(), g.assume(), g.assume()
        first_t = transposed(g, first)
        whole = g.have(
            "T(E) @ E - T(V1) @ Z2(t) @ T(Z2(t)) @ V1 = (2*c)*I(p)",
            lambda g: g.nc(
                (inv, 1, "T(V1)", "V1"), (first_t, -1, "T(V1)", "Z1(t) @ V1"), (first, -1, "T(V1) @ T(U @ E @ T(V1))", "V1"),
                (orth_u, -1, "T(V1) @ V1 @ T(E)", "E @ T(V1) @ V1"), (orth, -1, None, "T(E) @ E @ T(V1) @ V1"), (orth, -1, "T(E) @ E", None), (orth, "2*c", None, None),
            ),
        )  # fmt: skip
        sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "p", "E", by=[using(off_e)])
        times = g.lemma(CLAIM, "part:diagonal-times", "p", "p", "E", "E", by=[using(off_e)])
        rest = g.have(
            "T(V1) @ Z2(t) @ T(Z2(t)) @ V1 = E @ E - (2*c)*I(p)", lambda g: g.nc((whole, -1, None, None), (sym, 1, None, "E"))
        )

        def entry(g: Goal) -> None:
            g.fix("i", "j")
            g.assume()
            g.rewrite(rest)
            g.field((g.apply(times, "i", "j"), 1), (g.apply(off_e, "i", "j"), "E[i,i]"))

        g.conj(using(whole), entry)

    def exists(g: Goal) -> None:
        h = g.apply(g.lemma(CLAIM, "statement", *SETTING, by=[using(n) for n in names[:5]]), "t")
        known = g.obtain(h, "U", "V1", "V", "S", "M", "F", "E")
        g.witness("V1", "U", "V", "E", "F")
        g.conj(*[using(known[i]) for i in (0, 1, 2, 5, 6, 9, 10)])

    g.conj(given, exists)
