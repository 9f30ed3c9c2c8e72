"""Lemma 13: a singular value decomposition of A carries over to B if B^T B = A A^T."""

from __future__ import annotations

from collections.abc import Callable

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM, ORTHONORMAL, RECONSTRUCT = (
    "razin2020.lemma-13",
    "razin2020.lemma-13-step-orthonormal",
    "razin2020.lemma-13-step-reconstruct",
)
RANKS = "eftekhari2022.lemma-11"
DIAGONAL = "(all i j:Z. i != j => {0}[i,j] = 0)"
SETTING = f"""all d k c:Z, B:M(d,k), A:M(k,c), U:M(k,k), S:M(k,c), V:M(c,c). 0 <= d => 0 <= k => 0 <= c => T(B) @ B = A @ T(A) =>
       A = U @ S @ T(V) => T(U) @ U = I(k) => T(V) @ V = I(c) => {DIAGONAL.format("S")} =>
       (all i:Z. 1 <= i => 0 <= S[i,i] and S[i+1,i+1] <= S[i,i]) =>"""
"""A = U S V^T is a singular value decomposition, its diagonal in nonincreasing order."""
NAMES = ("d", "k", "c", "B", "A", "U", "S", "V")
READING = "U = U_A, S = Sigma_A, V = V_A"


def setting(g: Goal) -> list[str]:
    """Fixes and assumes the setting."""
    g.fix(*NAMES)
    return [g.assume() for _ in range(9)]


@part(
    CLAIM,
    "equal-gram",
    "all d k:Z, B Y:M(d,k). T(B) @ B = T(Y) @ Y => ex Q:M(d,d). T(Q) @ Q = I(d) and B = Q @ Y",
    says="matrices with equal Gram matrices differ by an orthogonal factor",
    uses=["shin2025.lemma-32"],
)
def equal_gram_matrices(g: Goal) -> None:
    """With B Y^T = P E R^T the square root Y Y^T of (B Y^T)^T (B Y^T) is R E R^T, so Q = P R^T satisfies Q Y Y^T = B Y^T, and |Q Y - B|^2 = 0."""
    (gram,) = g.intro()
    m = "B @ T(Y)"
    p, r, whole, off, value = g.obtain(g.fact("svd", "d", "d", m), "P", "R", "E")
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "d", "E", by=[using(off)])
    square = g.have(
        "(Y @ T(Y)) @ (Y @ T(Y)) = R @ E @ T(E) @ T(R)",
        lambda g: (only(g, gram, whole, p, sym), squared(g, gram, whole, p, sym))[-1],
    )

    def nonneg(g: Goal) -> None:
        (v,) = g.fix()
        only(g)
        g.pos([f"tr(T(T(Y) @ {v}) @ (T(Y) @ {v}))"])

    diag, values, root = g.obtain(
        g.lemma(
            "shin2025.lemma-32",
            "part:root",
            "d",
            "R",
            "Y @ T(Y)",
            "E",
            by=[using(r), using(off), lambda g: g.nc(), nonneg, lambda g: g.nc((square, 1, None, None))],
        ),
        "N",
    )
    range_ = g.fact("sv_range", "d", "d", m)

    def equal(g: Goal) -> None:
        g.extn("i", "j")

        def same(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.rewrite(eq)
            j_lo, j_hi = "j_lo", "j_hi"
            v = g.apply(values, "j", by=[using(j_lo), using(j_hi)])
            e = g.apply(value, "j")
            sign = g.split(g.apply(range_, "j", "j"))[0]
            sign = g.have("0 <= E[j,j]", lambda g: (only(g, e, sign), g.pos([f"@{sign}"], eqs=[(e, 1)]))[-1])
            only(g, v, sign)
            g.field((v, 1))

        def apart(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            a, b = g.apply(diag, "i", "j", by=[using(ne)]), g.apply(off, "i", "j", by=[using(ne)])
            only(g, a, b)
            g.field((a, 1), (b, -1))

        g.em("i = j", same, apart)

    n = g.have("N = E", equal)
    only(g, gram, p, r, whole, root, n)
    g.witness("P @ T(R)")
    right = g.split(g.by_fact("inv_unique", "d", "T(R)", "R", by=[using(r)]))[1]
    orthogonal = g.have(
        "T(P @ T(R)) @ (P @ T(R)) = I(d)", lambda g: (only(g, p, right), g.nc((p, 1, "R", "T(R)"), (right, 1, None, None)))[-1]
    )
    move = g.have(
        "P @ T(R) @ Y @ T(Y) = B @ T(Y)",
        lambda g: (
            only(g, root, r, n, whole),
            g.nc((root, 1, "P @ T(R)", None), (r, 1, "P", "N @ T(R)"), (n, 1, "P", "T(R)"), (whole, -1, None, None)),
        )[-1],
    )
    gap = "P @ T(R) @ Y - B"

    def none(g: Goal) -> None:
        only(g, gram, p, right, move)
        one = g.have(
            "tr(T(P @ T(R) @ Y) @ (P @ T(R) @ Y)) = tr(T(Y) @ Y)",
            lambda g: trace(
                g, "T(Y) @ R @ T(P) @ P @ T(R) @ Y", "T(Y) @ Y", [(p, 1, "T(Y) @ R", "T(R) @ Y"), (right, 1, "T(Y)", "Y")]
            ),
        )
        two = g.have("tr(T(B) @ (P @ T(R) @ Y)) = tr(T(Y) @ Y)", lambda g: cross(g, move, p, right))
        three = g.have("tr(T(B) @ B) = tr(T(Y) @ Y)", lambda g: g.ctx(using(gram)))
        only(g, one, two, three)
        g.field((one, 1), (two, -2), (three, 1))

    zero = g.have(f"tr(T({gap}) @ ({gap})) = 0", none)
    flat = g.by_fact("frobenius_zero", "d", "k", gap, by=[using(zero)])
    g.conj(using(orthogonal), lambda g: (only(g, flat), g.nc((flat, -1, None, None)))[-1])


def squared(g: Goal, gram: str, whole: str, p: str, sym: str) -> None:
    """Y Y^T Y Y^T = (B Y^T)^T (B Y^T) = R E^T P^T P E R^T."""
    turned = g.have("Y @ T(B) = R @ T(E) @ T(P)", lambda g: transposed(g, whole))
    g.nc(
        (gram, -1, "Y", "T(Y)"),
        (whole, 1, "Y @ T(B)", None),
        (turned, 1, None, "P @ E @ T(R)"),
        (p, 1, "R @ T(E)", "E @ T(R)"),
        (sym, 1, "R", "E @ T(R)"),
        (sym, -1, "R @ E", "T(R)"),
    )


def transposed(g: Goal, whole: str) -> None:
    """The transposed equation."""
    k = g.have("T(B @ T(Y)) = T(P @ E @ T(R))", lambda g: g.ctx(using(whole)))
    only(g, k)
    g.nc((k, 1, None, None))


def trace(g: Goal, word: str, value: str, equations: list[tuple[str, int, str | None, str | None]]) -> None:
    """A trace by an equation of matrices; the conclusion is an equation of traces."""
    k = g.have(f"{word} = {value}", lambda g: g.nc(*equations))
    left = g.concl[1]
    same = g.have(("=", left, ("tr", g.term(word))), lambda g: g.field())
    other = g.have(f"tr({word}) = tr({value})", lambda g: g.ctx(using(k)))
    g.field((same, 1), (other, 1))


def cross(g: Goal, move: str, p: str, right: str) -> None:
    """tr(B^T Q Y) = tr((B Y^T)^T Q) = tr(Y Y^T Q^T Q) = tr(Y Y^T)."""
    turned = g.have("T(P @ T(R) @ Y @ T(Y)) = T(B @ T(Y))", lambda g: g.ctx(using(move)))
    word = "Y @ T(B) @ P @ T(R)"
    k = g.have(
        f"{word} = Y @ T(Y)",
        lambda g: g.nc((turned, -1, None, "P @ T(R)"), (p, 1, "Y @ T(Y) @ R", "T(R)"), (right, 1, "Y @ T(Y)", None)),
    )
    other = g.have(f"tr({word}) = tr(Y @ T(Y))", lambda g: g.ctx(using(k)))
    g.field((other, 1))


@part(
    CLAIM,
    "diagonal-gram",
    f"all k c l j:Z, S:M(k,c). {DIAGONAL.format('S')} => (S @ T(S))[l,j] = S[l,j]*S[j,j]",
    says="the Gram matrix of a rectangular diagonal matrix",
)
def gram_matrix_of_a_diagonal(g: Goal) -> None:
    """Only the j-th term of the sum is not 0."""
    (off,) = g.intro()
    e = g.apply(g.fact("mm_entry", "k", "c", "k", "S", "T(S)"), "l", "j")
    body = "lam m:Z. S[l,m]*T(S)[m,j]"

    def other(g: Goal) -> None:
        (m,) = g.fix()
        g.assume()
        ne = g.assume()

        def turned(g: Goal) -> None:
            h = g.contra()
            g.clash(g.have(f"{m} = j", lambda g: g.field((h, -1))), ne)

        z = g.apply(off, "j", m, by=[turned])
        only(g, z)
        g.field((z, f"S[l,{m}]"))

    def inside(g: Goal) -> None:
        low, high = g.split(next(reversed(g.seq.hyps)))
        s = g.by_fact("sum_delta", 1, "c", "j", body, by=[using(low), using(high), other])
        only(g, e, s)
        g.field((e, 1), (s, 1))

    def beyond(g: Goal) -> None:
        out = next(reversed(g.seq.hyps))

        def term(g: Goal) -> None:
            (m,) = g.fix()
            a, b = g.split(g.assume())

            def turned(g: Goal) -> None:
                h = g.contra()

                def case(g: Goal) -> None:
                    d = next(reversed(g.seq.hyps))
                    g.nlin(use=[d, a, b, h])

                g.cases(out, case, case)

            z = g.apply(off, "j", m, by=[turned])
            only(g, z)
            g.field((z, f"S[l,{m}]"))

        s = g.by_fact("sum_ext", 1, "c", body, "lam m:Z. 0", by=[term])

        def place(g: Goal) -> None:
            def case(i: int) -> Script:
                return lambda g: (g.left_or_right(i), g.close_by(next(reversed(g.seq.hyps))))[-1]

            g.cases(out, case(2), case(3))

        z = g.apply(g.fact("entry_outside", "k", "c", "S"), "j", "j", by=[place])
        only(g, e, s, z)
        g.field((e, 1), (s, 1), (z, "-S[l,j]"))

    g.em("1 <= j and j <= c", inside, beyond)


@part(
    CLAIM,
    "ranks",
    f"""{SETTING} rank(B) = rank(A) and rank(A) <= d and rank(A) <= k and rank(A) <= c and (all i:Z. 1 <= i => rank(A) < i => S[i,i] = 0) and
       (all i:Z. 1 <= i => i <= rank(A) => 0 < S[i,i])""",
    says="A and B have the same rank, the number of positive diagonal entries",
    uses=[RANKS],
)
def ranks_agree(g: Goal) -> None:
    """Equal Gram matrices have equal eigenvalues, so B and A have the same singular values up to the k-th."""
    pd, pk, pc, gram, a, u, v, off, order = setting(g)
    values = g.by_fact("svd_values", "k", "c", "A", "S", "U", "V", by=[using(h) for h in (u, v, a, off, order)])
    none_a, some_a = g.split(g.lemma(RANKS, "part:rank-by-singular-values", "c", "k", "A", by=[using(pc), using(pk)]))
    none_b, some_b = g.split(g.lemma(RANKS, "part:rank-by-singular-values", "k", "d", "B", by=[using(pk), using(pd)]))
    low_a, row_a, col_a = g.split(g.by_fact("rank_bounds", "k", "c", "A", by=[using(pk), using(pc)]))
    low_b, row_b, col_b = g.split(g.by_fact("rank_bounds", "d", "k", "B", by=[using(pd), using(pk)]))

    def same(g: Goal) -> None:
        (i,) = g.fix()
        lo, hi = g.assume(), g.assume()
        x = g.by_fact("sv_gram", "d", "k", i, "B", by=[using(lo), using(hi)])
        y = g.by_fact("sv_gram", "c", "k", i, "T(A)", by=[using(lo), using(hi)])
        z = g.fact("sv_transpose", "k", "c", i, "A")
        lx = g.split(g.apply(g.fact("sv_range", "d", "k", "B"), i, i))[0]
        ly = g.split(g.apply(g.fact("sv_range", "k", "c", "A"), i, i))[0]
        both = g.have("T(B) @ B = T(T(A)) @ T(A)", lambda g: (only(g, gram), g.nc((gram, 1, None, None)))[-1])
        only(g, x, y, z, lx, ly, both)
        square = g.have(
            f"sv(B,{i})^2 = sv(A,{i})^2",
            lambda g: (g.rewrite(x), g.rewrite(both), g.field((y, -1), (z, f"sv(T(A),{i}) + sv(A,{i})")))[-1],
        )
        p = g.by_fact("sqrt_unique", f"sv(A,{i})^2", f"sv(B,{i})", by=[using(lx), using(square)])
        q = g.by_fact("sqrt_unique", f"sv(A,{i})^2", f"sv(A,{i})", by=[using(ly), Goal.refl])
        only(g, p, q)
        g.field((p, -1), (q, 1))

    equal = g.have("all i:Z. 1 <= i => i <= k => sv(B,i) = sv(A,i)", same)

    def differ(less: str, more: str, some: str, none: str, low: str, top: str) -> Script:
        """A larger rank of one of them: its last positive singular value vanishes for the other."""

        def script(g: Goal) -> None:
            lt = next(reversed(g.seq.hyps))
            n = f"rank({more})"
            one = g.by_fact("int_lt", f"rank({less})", n, by=[using(lt)])
            first = g.have(f"1 <= {n}", lambda g: (only(g, one, low), g.pos([f"@{one}"], [f"@{low}"]))[-1])
            x = g.apply(some, n, by=[using(first), Goal.refl])
            y = g.apply(none, n, by=[using(first), using(lt)])
            e = g.apply(equal, n, by=[using(first), using(top)])
            g.contra()
            only(g, x, y, e)
            s = "1" if more == "A" else "-1"
            g.pos([f"@{x}"], eqs=[(e, s), (y, "-1")])

        return script

    rank = g.have(
        "rank(B) = rank(A)",
        lambda g: g.cases(
            g.fact("trichotomy", "rank(B)", "rank(A)"),
            differ("B", "A", some_a, none_b, low_b, row_a),
            None,
            differ("A", "B", some_b, none_a, low_a, col_b),
        ),
    )

    def zero(g: Goal) -> None:
        (i,) = g.fix()
        lo, hi = g.assume(), g.assume()
        z, w = g.apply(none_a, i, by=[using(lo), using(hi)]), g.apply(values, i)
        only(g, z, w)
        g.field((w, -1), (z, 1))

    def positive(g: Goal) -> None:
        (i,) = g.fix()
        lo, hi = g.assume(), g.assume()
        z, w = g.apply(some_a, i, by=[using(lo), using(hi)]), g.apply(values, i)
        only(g, z, w)
        g.pos([f"@{z}"], eqs=[(w, -1)])

    g.conj(
        using(rank),
        lambda g: (only(g, rank, row_b), g.pos([f"@{row_b}"], eqs=[(rank, 1)]))[-1],
        using(row_a),
        using(col_a),
        zero,
        positive,
    )


@holds(
    CLAIM,
    f"""{SETTING} ex Q:M(d,d), R:M(d,k). T(Q) @ Q = I(d) and B = Q @ R @ T(U) and {DIAGONAL.format("R")} and (all i:Z. 0 <= R[i,i]) and
         (all i:Z. i <= d => i <= k => i <= c => R[i,i] = S[i,i]) and (all i:Z. (d < i or k < i or c < i) => R[i,i] = 0 and S[i,i] = 0)""",
    uses=[CLAIM],
    argument="sound",
    reading=f"Q = U_B, R = Sigma_B; shown by the orthogonal factor between matrices with equal Gram matrices, in place of the completion of the transferred vectors; {READING}",
)
def decomposition_carries_over(g: Goal) -> None:
    """R holds the entries of S; R^T R = S S^T, so R U^T and B have equal Gram matrices."""
    hyps = setting(g)
    pd, pk, pc, gram, a, u, v, off, order = hyps
    _, rank_d, *_, zero, _ = g.split(g.lemma(CLAIM, "part:ranks", *NAMES, by=[using(h) for h in hyps]))
    (given,) = g.obtain(g.fact("matrix_of_entries", "d", "k", "lam i:Z, j:Z. S[i,j]"), "R")
    outside, out_s = g.fact("entry_outside", "d", "k", "R"), g.fact("entry_outside", "k", "c", "S")

    def away(g: Goal) -> None:
        i, j = g.fix()
        ne = g.assume()

        def within(g: Goal) -> None:
            g.split(next(reversed(g.seq.hyps)))
            g.field((g.apply(given, i, j), 1), (g.apply(off, i, j, by=[using(ne)]), 1))

        g.em(f"{i} < 1 or d < {i} or {j} < 1 or k < {j}", lambda g: g.close_by(g.apply(outside, i, j)), within)

    diagonal = g.have(DIAGONAL.format("R"), away)

    def beyond_d(g: Goal, i: str, low: str, high: str) -> str:
        more = g.have(f"rank(A) < {i}", lambda g: (only(g, rank_d, high), g.pos([f"@{rank_d}"], [f"@{high}"]))[-1])
        return g.apply(zero, i, by=[using(low), using(more)])

    def agree(g: Goal) -> None:
        (i,) = g.fix()
        top, side = g.assume(), g.assume()

        def small(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            x = g.apply(outside, i, i, by=[lambda g: (g.left_or_right(0), g.close_by(h))[-1]])
            y = g.apply(out_s, i, i, by=[lambda g: (g.left_or_right(0), g.close_by(h))[-1]])
            g.field((x, 1), (y, -1))

        def large(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            x = g.apply(given, i, i, by=[lambda g: g.conj(using(h), using(top), using(h), using(side))])
            g.close_by(x)

        g.em(f"{i} < 1", small, large)

    same = g.have("all i:Z. i <= d => i <= k => R[i,i] = S[i,i]", agree)

    def grams(g: Goal) -> None:
        g.extn("i", "j")
        x = g.lemma(CLAIM, "part:diagonal-gram", "k", "d", "i", "j", "T(R)", by=[lambda g: flipped(g, diagonal)])
        y = g.lemma(CLAIM, "part:diagonal-gram", "k", "c", "i", "j", "S", by=[using(off)])

        def equal(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            only(g, eq, x, y, same, zero, rank_d, outside, "j_lo", "j_hi")
            g.rewrite(eq)
            x2, y2 = g.rewritten(x, eq), g.rewritten(y, eq)

            def inside(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                k = g.apply(same, "j", by=[using(h), using("j_hi")])
                only(g, k, x2, y2)
                g.field((x2, 1), (y2, -1), (k, "R[j,j] + S[j,j]"))

            def below(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                z = beyond_d(g, "j", "j_lo", h)
                w = g.apply(outside, "j", "j", by=[lambda g: (g.left_or_right(1), g.close_by(h))[-1]])
                only(g, x2, y2, z, w)
                g.field((x2, 1), (y2, -1), (z, "-S[j,j]"), (w, "R[j,j]"))

            g.em("j <= d", inside, below)

        def apart(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            b = g.apply(off, "i", "j", by=[using(ne)])

            def turned(g: Goal) -> None:
                h = g.contra()
                g.clash(g.have("i = j", lambda g: g.field((h, -1))), ne)

            c = g.apply(diagonal, "j", "i", by=[turned])
            only(g, x, y, b, c)
            g.field((x, 1), (y, -1), (b, "-S[j,j]"), (c, "R[j,j]"))

        g.em("i = j", equal, apart)

    inner = g.have("T(R) @ R = S @ T(S)", grams)

    def whole(g: Goal) -> None:
        only(g, gram, a, v, inner)
        g.nc((gram, 1, None, None), (inner, -1, "U", "T(U)"), rw=[a, v])

    both = g.have("T(B) @ B = T(R @ T(U)) @ (R @ T(U))", whole)
    q, product = g.obtain(g.lemma(CLAIM, "part:equal-gram", "d", "k", "B", "R @ T(U)", by=[using(both)]), "Q")
    g.witness("Q", "R")

    def sign(g: Goal) -> None:
        (i,) = g.fix()

        def out(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            z = g.apply(outside, i, i, by=[using(h)])
            only(g, z)
            g.pos(eqs=[(z, 1)])

        def within(g: Goal) -> None:
            lo, top, _, side = g.split(next(reversed(g.seq.hyps)))
            k = g.apply(same, i, by=[using(top), using(side)])
            s = g.split(g.apply(order, i, by=[using(lo)]))[0]
            only(g, k, s)
            g.pos([f"@{s}"], eqs=[(k, 1)])

        g.em(f"{i} < 1 or d < {i} or {i} < 1 or k < {i}", out, within)

    def values(g: Goal) -> None:
        (i,) = g.fix()
        top, side = g.assume(), g.assume()
        g.assume()
        g.close_by(g.apply(same, i, by=[using(top), using(side)]))

    def rest(g: Goal) -> None:
        (i,) = g.fix()
        h = g.assume()

        def vanish(g: Goal) -> str:
            """S[i,i] = 0."""

            def case_d(g: Goal) -> None:
                x = next(reversed(g.seq.hyps))

                def small(g: Goal) -> None:
                    y = next(reversed(g.seq.hyps))
                    g.close_by(g.apply(out_s, i, i, by=[lambda g: (g.left_or_right(0), g.close_by(y))[-1]]))

                def large(g: Goal) -> None:
                    y = next(reversed(g.seq.hyps))
                    g.close_by(beyond_d(g, i, y, x))

                g.em(f"{i} < 1", small, large)

            def case(place: int) -> Script:
                def script(g: Goal) -> None:
                    x = next(reversed(g.seq.hyps))
                    g.close_by(g.apply(out_s, i, i, by=[lambda g: (g.left_or_right(place), g.close_by(x))[-1]]))

                return script

            return g.have(f"S[{i},{i}] = 0", lambda g: g.cases(h, case_d, case(1), case(3)))

        z = vanish(g)

        def r_zero(g: Goal) -> None:
            def out(g: Goal) -> None:
                x = next(reversed(g.seq.hyps))
                g.close_by(g.apply(outside, i, i, by=[using(x)]))

            def within(g: Goal) -> None:
                _, top, _, side = g.split(next(reversed(g.seq.hyps)))
                k = g.apply(same, i, by=[using(top), using(side)])
                g.field((k, 1), (z, 1))

            g.em(f"{i} < 1 or d < {i} or {i} < 1 or k < {i}", out, within)

        g.conj(r_zero, using(z))

    g.conj(using(q), lambda g: g.nc((product, 1, None, None)), using(diagonal), sign, values, rest)


def flipped(g: Goal, diagonal: str) -> None:
    """The transpose of a diagonal matrix is diagonal."""
    i, j = g.fix()
    ne = g.assume()

    def turned(g: Goal) -> None:
        h = g.contra()
        g.clash(g.have(f"{i} = {j}", lambda g: g.field((h, -1))), ne)

    z = g.apply(diagonal, j, i, by=[turned])
    g.field((z, 1))


COLUMN = "(all l:Z. {0}[l,1] = U[l,{1}])"
INNER = "T((1/S[i,i])*(B @ p)) @ ((1/S[j,j])*(B @ q))"


@part(
    CLAIM,
    "column",
    f"""all k c j:Z, U:M(k,k), S:M(k,c), q:V(k). 1 <= j => j <= k => {DIAGONAL.format("S")} => {COLUMN.format("q", "j")} =>
       ex f:V(k). q = U @ f and (S @ T(S)) @ f = S[j,j]^2*f and f[j,1] = 1 and (all l:Z. l != j => f[l,1] = 0)""",
    says="the j-th column of U is the image of a unit vector, on which S S^T acts as the square of its j-th diagonal entry",
    uses=[CLAIM],
)
def columns_and_unit_vectors(g: Goal) -> None:
    """Entries."""
    low, high, off, column = g.intro()
    (pick,) = g.obtain(g.by_fact("unit_vector", "k", "j", by=[using(low), using(high)]), "f")

    def own(g: Goal) -> None:
        k = g.apply(pick, "k", "I(k)", "j")
        same = g.have("(I(k) @ f)[j,1] = f[j,1]", lambda g: g.ctx(lambda g: g.nc()))
        only(g, k, same, low, high)
        g.field((same, -1), (k, 1))

    one = g.have("f[j,1] = 1", own)

    def away(g: Goal) -> None:
        (i,) = g.fix()
        ne = g.assume()
        k = g.apply(pick, "k", "I(k)", i)
        same = g.have(f"(I(k) @ f)[{i},1] = f[{i},1]", lambda g: g.ctx(lambda g: g.nc()))

        def out(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            z = g.apply(g.fact("entry_outside", "k", 1, "f"), i, 1, by=[lambda g: place(g, h)])
            g.close_by(z)

        def within(g: Goal) -> None:
            lo, hi = g.split(next(reversed(g.seq.hyps)))
            only(g, k, same, ne, lo, hi, low, high)
            g.field((same, -1), (k, 1))

        g.em(f"{i} < 1 or k < {i}", out, within)

    zero = g.have("all l:Z. l != j => f[l,1] = 0", away)

    def image(g: Goal) -> None:
        g.extn("a", "b")
        k = g.apply(pick, "k", "U", "a")
        c = g.apply(column, "a")
        first = g.have("b = 1", lambda g: g.antisym(using("b_hi"), using("b_lo")))
        g.rewrite(first)
        only(g, k, c)
        g.field((c, 1), (k, -1))

    def act(g: Goal) -> None:
        g.extn("a", "b")
        first = g.have("b = 1", lambda g: g.antisym(using("b_hi"), using("b_lo")))
        k = g.apply(pick, "k", "S @ T(S)", "a")
        d = g.lemma(CLAIM, "part:diagonal-gram", "k", "c", "a", "j", "S", by=[using(off)])
        k = ungrouped(g, k, "S @ T(S)", "f")
        g.rewrite(first)

        def same(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            k2, d2 = g.rewritten(k, eq), g.rewritten(d, eq)
            g.rewrite(eq)
            only(g, k2, d2, one)
            g.field((k2, 1), (d2, 1), (one, "-S[j,j]^2"))

        def apart(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            z, w = g.apply(zero, "a", by=[using(ne)]), g.apply(off, "a", "j", by=[using(ne)])
            only(g, k, d, z, w)
            g.field((k, 1), (d, 1), (w, "S[j,j]"), (z, "-S[j,j]^2"))

        g.em("a = j", same, apart)

    g.witness("f")
    g.conj(image, act, using(one), using(zero))


def ungrouped(g: Goal, h: str, left: str, right: str) -> str:
    """A hypothesis with the product of a product `left` and `right` written as one product."""
    same = g.have(("=", ("mm", g.term(left), g.term(right)), g.term(f"{left} @ {right}")), lambda g: (only(g), g.nc())[-1])
    return g.rewritten(h, same)


def place(g: Goal, h: str) -> None:
    """i < 1 or k < i or 1 < 1 or 1 < 1, from the first two."""

    def case(i: int) -> Script:
        return lambda g: (g.left_or_right(i), g.close_by(next(reversed(g.seq.hyps))))[-1]

    g.cases(h, case(0), case(1))


@holds(
    ORTHONORMAL,
    f"""{SETTING} rank(B) = rank(A) and all i j:Z, p q:V(k). 1 <= i => i <= rank(A) => 1 <= j => j <= rank(A) =>
         {COLUMN.format("p", "i")} => {COLUMN.format("q", "j")} => 0 < S[i,i] and 0 < S[j,j] and T(B) @ B @ q = S[j,j]^2*q and
         {INNER} = (S[j,j]/S[i,i])*(T(p) @ q) and (i = j => {INNER} = I(1)) and (i != j => {INNER} = O(1,1))""",
    uses=[CLAIM],
    argument="sound",
    reading=f"p and q are the i-th and the j-th column of U, B p/S_ii and B q/S_jj the vectors u_B; {READING}",
)
def transferred_vectors_are_orthonormal(g: Goal) -> None:
    """B^T B = U S S^T U^T."""
    hyps = setting(g)
    _, _, _, gram, a, u, v, off, _ = hyps
    rank, _, top, _, _, positive = g.split(g.lemma(CLAIM, "part:ranks", *NAMES, by=[using(h) for h in hyps]))
    only(g, gram, a, u, v, off, rank, top, positive)

    def vectors(g: Goal) -> None:
        g.fix("i", "j", "p", "q")
        il, ih, jl, jh, pc, qc = (g.assume() for _ in range(6))

        def unit(index: str, name: str, low: str, high: str, column: str, vector: str) -> list[str]:
            most = g.have(f"{index} <= k", lambda g: (only(g, high, top), g.pos([f"@{high}"], [f"@{top}"]))[-1])
            k = g.lemma(CLAIM, "part:column", "k", "c", index, "U", "S", name, by=[using(h) for h in (low, most, off, column)])
            return g.obtain(k, vector)

        ip, _, i_one, i_zero = unit("i", "p", il, ih, pc, "e")
        jq, act, j_one, j_zero = unit("j", "q", jl, jh, qc, "f")
        si, sj = g.apply(positive, "i", by=[using(il), using(ih)]), g.apply(positive, "j", by=[using(jl), using(jh)])

        def eigen(g: Goal) -> None:
            only(g, gram, a, v, u, jq, act)
            g.rewrite(jq)
            g.nc((gram, 1, None, "U @ f"), (act, 1, "U", None), (u, 1, "U @ S @ T(S)", "f"), rw=[a, v])

        image = g.have("T(B) @ B @ q = S[j,j]^2*q", eigen)
        scaled = g.have(
            f"{INNER} = (S[j,j]/S[i,i])*(T(p) @ q)",
            lambda g: (only(g, image, si, sj), g.nc((image, "1/(S[i,i]*S[j,j])", "T(p)", None)))[-1],
        )
        pq = g.have("T(p) @ q = T(e) @ f", lambda g: (only(g, u, ip, jq), g.nc(rw=[ip, jq, u]))[-1])
        entry = g.apply(g.fact("mm_entry", 1, "k", 1, "T(e)", "f"), 1, 1)
        jk = g.have("j <= k", lambda g: (only(g, jh, top), g.pos([f"@{jh}"], [f"@{top}"]))[-1])

        def other(g: Goal) -> None:
            (m,) = g.fix()
            g.assume()
            ne = g.assume()
            z = g.apply(j_zero, m, by=[using(ne)])
            only(g, z)
            g.field((z, f"T(e)[1,{m}]"))

        total = g.by_fact("sum_delta", 1, "k", "j", "lam m:Z. T(e)[1,m]*f[m,1]", by=[using(jl), using(jk), other])

        def equal(g: Goal) -> None:
            eq = g.assume()
            e1 = g.have("e[j,1] = 1", lambda g: (g.rewrite(eq, back=True), g.close_by(i_one))[-1])
            s = g.have("S[i,i] = S[j,j]", lambda g: (g.rewrite(eq), g.refl())[-1])
            both = g.have("T(e)[1,j]*f[j,1] = 1", lambda g: g.field((e1, "f[j,1]"), (j_one, 1)))
            only(g, scaled, pq, entry, total, both, s, si, sj)
            g.rewrite(scaled)
            g.rewrite(pq)
            ratio = g.have("S[j,j]/S[i,i] = 1", lambda g: g.field((s, "-1/S[i,i]")))
            g.rewrite(ratio)
            g.ext(lambda g: g.field((entry, 1), (total, 1), (both, 1)))

        def apart(g: Goal) -> None:
            ne = g.assume()

            def turned(g: Goal) -> None:
                h = g.contra()
                g.clash(g.have("i = j", lambda g: g.field((h, -1))), ne)

            z = g.apply(i_zero, "j", by=[turned])
            only(g, scaled, pq, entry, total, z)
            g.rewrite(scaled)
            g.rewrite(pq)
            c = "(S[j,j]/S[i,i])"
            g.ext(lambda g: g.field((entry, c), (total, c), (z, f"{c}*f[j,1]")))

        g.conj(using(si), using(sj), using(image), using(scaled), equal, apart)

    g.conj(using(rank), vectors)


@holds(
    RECONSTRUCT,
    f"""{SETTING} all Q:M(d,d), R:M(d,k). {DIAGONAL.format("R")} => (all i:Z. 1 <= i => i <= rank(A) => R[i,i] = S[i,i]) =>
         (all i:Z. rank(A) < i => R[i,i] = 0) => (all i l:Z. 1 <= i => i <= rank(A) => Q[l,i] = 1/S[i,i]*(B @ U)[l,i]) =>
         Q @ R @ T(U) = B and
         (all l m:Z. (Q @ R @ T(U))[l,m] = sum(i, 1, rank(A), S[i,i]*Q[l,i]*U[m,i])) and
         (all l m:Z. B[l,m] = sum(i, 1, rank(A), (B @ U)[l,i]*U[m,i])) and
         (all w:V(k). (B @ w = O(d,1) <=> T(B) @ B @ w = O(k,1)) and (B @ w = O(d,1) <=> all i:Z. 1 <= i and i <= rank(A) => (T(U) @ w)[i,1] = 0))""",
    uses=[CLAIM],
    argument="sound",
    reading=f"Q = U_B, any matrix whose first r columns are u_B^(i) = B u_A^(i)/S_ii, R = Sigma_B; the sums of outer products by entries; the kernel is the set of vectors orthogonal to the first r columns "
    f"of the orthogonal matrix U, which is the span of the others; {READING}",
)
def sum_of_outer_products_is_b(g: Goal) -> None:
    """B u = 0 for the columns beyond the rank, since |B u|^2 = S_ii^2 = 0."""
    hyps = setting(g)
    _, pk, pc, gram, a, u, v, off, _ = hyps
    _, rank_d, top, _, zero, positive = g.split(g.lemma(CLAIM, "part:ranks", *NAMES, by=[using(h) for h in hyps]))
    only(g, gram, a, u, v, off, rank_d, top, zero, positive, pk, pc)
    turned = g.split(g.by_fact("inv_unique", "k", "T(U)", "U", by=[using(u)]))[1]
    inner = g.have(
        "T(B @ U) @ (B @ U) = S @ T(S)", lambda g: (only(g, gram, a, v, u), g.nc((gram, 1, "T(U)", "U"), rw=[a, v, u]))[-1]
    )
    g.fix("Q", "R")
    diagonal, agree, vanish, left = (g.assume() for _ in range(4))
    nothing = g.have(
        "all l i:Z. 1 <= i => i <= k => rank(A) < i => (B @ U)[l,i] = 0", lambda g: images_vanish(g, inner, off, zero)
    )

    nonneg = g.split(g.by_fact("rank_bounds", "k", "c", "A", by=[using(pk), using(pc)]))[0]

    def up_to_rank(g: Goal, body: str, beyond: Callable[[Goal, str, str, str], None]) -> str:
        """sum(i, 1, k, body) = sum(i, 1, rank(A), body); `beyond` shows that the terms with 1 <= i, i <= k, rank(A) < i vanish."""
        start = g.have("1 <= rank(A) + 1", lambda g: (only(g, nonneg), g.pos([f"@{nonneg}"]))[-1])
        s = g.by_fact("sum_split", 1, "rank(A)", "k", f"lam i:Z. {body}", by=[using(start), using(top)])

        def term(g: Goal) -> None:
            g.fix("i")
            low, high = g.split(g.assume())
            one = g.have("1 <= i", lambda g: (only(g, low, nonneg), g.pos([f"@{low}"], [f"@{nonneg}"]))[-1])
            more = g.have("rank(A) < i", lambda g: (only(g, low), g.pos([f"@{low}"], [1]))[-1])
            beyond(g, one, high, more)

        e = g.by_fact("sum_ext", "rank(A) + 1", "k", f"lam i:Z. {body}", "lam i:Z. 0", by=[term])
        return g.have(
            f"sum(i, 1, k, {body}) = sum(i, 1, rank(A), {body})", lambda g: (only(g, s, e), g.field((s, 1), (e, 1)))[-1]
        )

    def scaled_columns(g: Goal) -> None:
        l, i = g.fix("a", "i")  # noqa: E741
        e = g.apply(g.fact("mm_entry", "d", "d", "k", "Q", "R"), l, i)
        body = f"lam l:Z. Q[{l},l]*R[l,{i}]"
        out = g.fact("entry_outside", "d", "k", "R")

        def inside(g: Goal) -> None:
            low, high = g.split(next(reversed(g.seq.hyps)))

            def other(g: Goal) -> None:
                (h,) = g.fix()
                g.assume()
                ne = g.assume()
                z = g.apply(diagonal, h, i, by=[using(ne)])
                only(g, z)
                g.field((z, f"Q[{l},{h}]"))

            s = g.by_fact("sum_delta", 1, "d", i, body, by=[using(low), using(high), other])
            only(g, e, s)
            g.field((e, 1), (s, 1))

        def outside(g: Goal) -> None:
            away = next(reversed(g.seq.hyps))

            def case(place: int) -> Script:
                return lambda g: (g.left_or_right(place), g.close_by(next(reversed(g.seq.hyps))))[-1]

            z = g.apply(out, i, i, by=[lambda g: g.cases(away, case(0), case(1))])

            def term(g: Goal) -> None:
                (h,) = g.fix()
                a, b = g.split(g.assume())

                def different(g: Goal) -> None:
                    eq = g.contra()
                    g.cases(away, *[lambda g: g.nlin(use=[next(reversed(g.seq.hyps)), a, b, eq])] * 2)

                w = g.apply(diagonal, h, i, by=[different])
                only(g, w)
                g.field((w, f"Q[{l},{h}]"))

            s = g.by_fact("sum_ext", 1, "d", body, "lam l:Z. 0", by=[term])
            only(g, e, s, z)
            g.field((e, 1), (s, 1), (z, f"-Q[{l},{i}]"))

        g.em(f"1 <= {i} and {i} <= d", inside, outside)

    columns = g.have("all l i:Z. (Q @ R)[l,i] = Q[l,i]*R[i,i]", scaled_columns)

    def outer(g: Goal) -> None:
        l, m = g.fix("a", "m")  # noqa: E741
        e = g.apply(g.fact("mm_entry", "d", "k", "k", "Q @ R", "T(U)"), l, m)
        e = ungrouped(g, e, "Q @ R", "T(U)")

        def full(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()
            k = g.apply(columns, l, i)
            only(g, k)
            g.field((k, f"U[{m},{i}]"))

        body = f"R[i,i]*Q[{l},i]*U[{m},i]"
        first = g.by_fact("sum_ext", 1, "k", f"lam i:Z. (Q @ R)[{l},i]*T(U)[i,{m}]", f"lam i:Z. {body}", by=[full])

        def none(g: Goal, one: str, high: str, more: str) -> None:
            del one, high
            z = g.apply(vanish, "i", by=[using(more)])
            only(g, z)
            g.field((z, f"Q[{l},i]*U[{m},i]"))

        cut = up_to_rank(g, body, none)

        def same(g: Goal) -> None:
            (i,) = g.fix()
            low, high = g.split(g.assume())
            z = g.apply(agree, i, by=[using(low), using(high)])
            only(g, z)
            g.field((z, f"Q[{l},{i}]*U[{m},{i}]"))

        last = g.by_fact("sum_ext", 1, "rank(A)", f"lam i:Z. {body}", f"lam i:Z. S[i,i]*Q[{l},i]*U[{m},i]", by=[same])
        only(g, e, first, cut, last)
        g.field((e, 1), (first, 1), (cut, 1), (last, 1))

    products = g.have("all l m:Z. (Q @ R @ T(U))[l,m] = sum(i, 1, rank(A), S[i,i]*Q[l,i]*U[m,i])", outer)

    def images(g: Goal) -> None:
        l, m = g.fix("a", "m")  # noqa: E741
        e = g.apply(g.fact("mm_entry", "d", "k", "k", "B @ U", "T(U)"), l, m)
        whole = g.have("B @ U @ T(U) = B", lambda g: (only(g, turned), g.nc((turned, 1, "B", None)))[-1])
        e = g.rewritten(ungrouped(g, e, "B @ U", "T(U)"), whole)

        def none(g: Goal, one: str, high: str, more: str) -> None:
            z = g.apply(nothing, l, "i", by=[using(one), using(high), using(more)])
            only(g, z)
            g.field((z, f"U[{m},i]"))

        cut = up_to_rank(g, f"(B @ U)[{l},i]*U[{m},i]", none)
        only(g, e, cut)
        g.field((e, 1), (cut, 1))

    sums = g.have("all l m:Z. B[l,m] = sum(i, 1, rank(A), (B @ U)[l,i]*U[m,i])", images)

    def equal(g: Goal) -> None:
        g.extn("l", "m")
        x, y = g.apply(products, "l", "m"), g.apply(sums, "l", "m")

        def term(g: Goal) -> None:
            (i,) = g.fix()
            low, high = g.split(g.assume())
            z, w = g.apply(left, i, "l", by=[using(low), using(high)]), g.apply(positive, i, by=[using(low), using(high)])
            only(g, z, w)
            g.field((z, f"S[{i},{i}]*U[m,{i}]"))

        k = g.by_fact("sum_ext", 1, "rank(A)", "lam i:Z. S[i,i]*Q[l,i]*U[m,i]", "lam i:Z. (B @ U)[l,i]*U[m,i]", by=[term])
        only(g, x, y, k)
        g.field((x, 1), (k, 1), (y, -1))

    def kernel(g: Goal) -> None:
        (w,) = g.fix()

        def down(g: Goal) -> None:
            h = g.assume()
            only(g, h)
            g.nc((h, 1, "T(B)", None))

        def up(g: Goal) -> None:
            h = g.assume()
            only(g, h)
            flat = g.have(f"T(B @ {w}) @ (B @ {w}) = O(1,1)", lambda g: g.nc((h, 1, f"T({w})", None)))
            value = g.have(f"tr(T(B @ {w}) @ (B @ {w})) = 0", lambda g: (g.rewrite(flat), g.field())[-1])
            g.close_by(g.by_fact("frobenius_zero", "d", 1, f"B @ {w}", by=[using(value)]))

        def coordinates(g: Goal) -> None:
            h = g.assume()
            (i,) = g.fix()
            low, high = g.split(g.assume())
            pos = g.apply(positive, i, by=[using(low), using(high)])
            act = g.have(
                f"(S @ T(S)) @ (T(U) @ {w}) = O(k,1)",
                lambda g: (
                    only(g, inner, turned, h),
                    g.nc((inner, -1, None, f"T(U) @ {w}"), (turned, 1, "T(U) @ T(B) @ B", w), (h, 1, "T(U) @ T(B)", None)),
                )[-1],
            )
            e = g.apply(g.fact("mm_entry", "k", "k", 1, "S @ T(S)", f"T(U) @ {w}"), i, 1)
            e = ungrouped(g, e, "S @ T(S)", f"(T(U) @ {w})")

            def other(g: Goal) -> None:
                (m,) = g.fix()
                g.assume()
                ne = g.assume()

                def flip(g: Goal) -> None:
                    q = g.contra()
                    g.clash(g.have(f"{m} = {i}", lambda g: g.field((q, -1))), ne)

                z = g.apply(off, i, m, by=[flip])
                k = g.lemma(CLAIM, "part:diagonal-gram", "k", "c", i, m, "S", by=[using(off)])
                only(g, z, k)
                g.field((k, f"(T(U) @ {w})[{m},1]"), (z, f"S[{m},{m}]*(T(U) @ {w})[{m},1]"))

            most = g.have(f"{i} <= k", lambda g: (only(g, high, top), g.pos([f"@{high}"], [f"@{top}"]))[-1])
            body = f"lam l:Z. (S @ T(S))[{i},l]*(T(U) @ {w})[l,1]"
            s = g.by_fact("sum_delta", 1, "k", i, body, by=[using(low), using(most), other])
            k = g.lemma(CLAIM, "part:diagonal-gram", "k", "c", i, i, "S", by=[using(off)])
            none = g.have(f"((S @ T(S)) @ (T(U) @ {w}))[{i},1] = 0", lambda g: (only(g, act), g.rewrite(act), g.field())[-1])
            x = f"(T(U) @ {w})[{i},1]"
            only(g, e, s, k, none, pos)
            zero_ = g.have(f"S[{i},{i}]^2*{x} = 0", lambda g: g.field((none, 1), (e, -1), (s, -1), (k, f"-{x}")))
            g.field((zero_, f"1/S[{i},{i}]^2"))

        def back(g: Goal) -> None:
            h = g.assume()

            def entry(g: Goal) -> None:
                g.extn("l", "m")
                first = g.have("m = 1", lambda g: g.antisym(using("m_hi"), using("m_lo")))
                g.rewrite(first)
                e = g.apply(g.fact("mm_entry", "d", "k", 1, "B @ U", f"T(U) @ {w}"), "l", 1)
                e = ungrouped(g, e, "B @ U", f"(T(U) @ {w})")

                def term(g: Goal) -> None:
                    (i,) = g.fix()
                    low, high = g.split(g.assume())

                    def small(g: Goal) -> None:
                        z = g.apply(h, i, by=[lambda g: g.conj(using(low), using(next(reversed(g.seq.hyps))))])
                        only(g, z)
                        g.field((z, f"(B @ U)[l,{i}]"))

                    def large(g: Goal) -> None:
                        z = g.apply(nothing, "l", i, by=[using(low), using(high), using(next(reversed(g.seq.hyps)))])
                        only(g, z)
                        g.field((z, f"(T(U) @ {w})[{i},1]"))

                    g.em(f"{i} <= rank(A)", small, large)

                s = g.by_fact("sum_ext", 1, "k", f"lam i:Z. (B @ U)[l,i]*(T(U) @ {w})[i,1]", "lam i:Z. 0", by=[term])
                only(g, e, s)
                g.field((e, 1), (s, 1))

            zero_ = g.have(f"B @ U @ (T(U) @ {w}) = O(d,1)", entry)
            only(g, zero_, turned)
            g.nc((zero_, 1, None, None), (turned, -1, "B", w))

        g.conj(lambda g: g.iff(down, up), lambda g: g.iff(coordinates, back))

    g.conj(equal, using(products), using(sums), kernel)


def images_vanish(g: Goal, inner: str, off: str, zero: str) -> None:
    """The i-th column of B U has the squared norm S_ii^2 = 0."""
    l, i = g.fix("a", "i")  # noqa: E741
    low, high, more = (g.assume() for _ in range(3))
    del high
    s = g.apply(zero, i, by=[using(low), using(more)])
    k = g.lemma(CLAIM, "part:diagonal-gram", "k", "c", i, i, "S", by=[using(off)])
    e = g.apply(g.fact("mm_entry", "k", "d", "k", "T(B @ U)", "B @ U"), i, i)
    same = g.have(f"(T(B @ U) @ (B @ U))[{i},{i}] = (S @ T(S))[{i},{i}]", lambda g: g.ctx(using(inner)))
    square = f"lam l:Z. (B @ U)[l,{i}]^2"

    def term(g: Goal) -> None:
        g.fix()
        g.assume()
        only(g)
        g.field()

    total = g.by_fact("sum_ext", 1, "d", f"lam l:Z. T(B @ U)[{i},l]*(B @ U)[l,{i}]", square, by=[term])
    none = g.have(
        f"sum(l, 1, d, (B @ U)[l,{i}]^2) = 0",
        lambda g: (only(g, e, total, same, k, s), g.field((total, -1), (e, -1), (same, 1), (k, 1), (s, f"S[{i},{i}]")))[-1],
    )

    def sign(g: Goal) -> None:
        (m,) = g.fix()
        g.assume()
        only(g)
        g.pos([f"(B @ U)[{m},{i}]^2"])

    every = g.by_fact("sum_zero_terms", 1, "d", square, by=[sign, using(none)])

    def inside(g: Goal) -> None:
        z = g.apply(every, l, by=[using(next(reversed(g.seq.hyps)))])
        g.close_by(g.by_fact("square_zero", f"(B @ U)[{l},{i}]", by=[using(z)]))

    def outside(g: Goal) -> None:
        away = next(reversed(g.seq.hyps))

        def case(place: int) -> Script:
            return lambda g: (g.left_or_right(place), g.close_by(next(reversed(g.seq.hyps))))[-1]

        g.close_by(g.apply(g.fact("entry_outside", "d", "k", "B @ U"), l, i, by=[lambda g: g.cases(away, case(0), case(1))]))

    g.em(f"1 <= {l} and {l} <= d", inside, outside)
