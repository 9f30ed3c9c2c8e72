"""Lemma 8: the singular values of a balanced product are the powers of those of its factors."""

from __future__ import annotations

from proofs.razin2020.products_of_factors import INSIDE, SQUARE, between, previous, upwards
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "razin2020.lemma-8"
DIAGONAL = "(all i j:Z. i != j => {0}[i,j] = 0)"


@part(
    CLAIM,
    "powers-of-diagonals",
    f"""all m k:Z, E:M(m,m). {DIAGONAL.format("E")} => 1 <= k => {DIAGONAL.format("(E^k)")} and
       all i:Z. 1 <= i and i <= m => (E^k)[i,i] = E[i,i]^k""",
    uses=["shin2025.lemma-32"],
    says="powers of a diagonal matrix",
)
def powers_of_a_diagonal_matrix(g: Goal) -> None:
    """Induction: E^k = E^(k-1) E."""
    g.fix("m", "n", "E")
    off, size = g.assume(), g.assume()

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            same = g.have("E^1 = E", lambda g: g.nc())

            def entry(g: Goal) -> None:
                i, j = g.fix()
                ne = g.assume()
                g.rewrite(same)
                g.close_by(g.apply(off, i, j, by=[using(ne)]))

            def own(g: Goal) -> None:
                g.fix()
                g.assume()
                g.rewrite(same)
                g.field()

            g.conj(entry, own)

        def step(g: Goal) -> None:
            two = g.have("2 <= k", lambda g: g.nlin())
            before = g.apply(
                "ih", "k - 1", by=[lambda g: (only(g, two), g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([1])))[-1]]
            )
            diag, values = g.split(before)
            power = g.by_fact("mpow_add", "m", "k - 1", 1, "E", by=[lambda g: (only(g, two), g.pos([f"@{two}"], [1]))[-1], None])
            whole = g.have(
                "E^k = E^(k-1) @ E",
                lambda g: (
                    only(g, power, two),
                    g.have("0 <= k - 1", lambda g: g.pos([f"@{two}"], [1])),
                    g.nc((power, 1, None, None)),
                )[-1],
            )

            def entry(g: Goal) -> None:
                i, j = g.fix()
                ne = g.assume()
                e = g.apply(g.fact("mm_entry", "m", "m", "m", "E^(k-1)", "E"), i, j)

                def term(g: Goal) -> None:
                    (l,) = g.fix()  # noqa: E741
                    g.assume()

                    def equal(g: Goal) -> None:
                        eq = next(reversed(g.seq.hyps))

                        def turned(g: Goal) -> None:
                            h = g.contra()
                            g.clash(g.have(f"{i} = {j}", lambda g: g.field((h, 1), (eq, -1))), ne)

                        z = g.apply(off, l, j, by=[turned])
                        g.field((z, f"(E^(k-1))[{i},{l}]"))

                    def apart(g: Goal) -> None:
                        d = next(reversed(g.seq.hyps))

                        def turned(g: Goal) -> None:
                            h = g.contra()
                            g.clash(g.have(f"{l} = {i}", lambda g: g.field((h, -1))), d)

                        z = g.apply(diag, i, l, by=[turned])
                        g.field((z, f"E[{l},{j}]"))

                    g.em(f"{l} = {i}", equal, apart)

                s = g.by_fact("sum_ext", 1, "m", f"lam l:Z. (E^(k-1))[{i},l]*E[l,{j}]", "lam l:Z. 0", by=[term])
                g.rewrite(whole)
                only(g, e, s)
                g.field((e, 1), (s, 1))

            def own(g: Goal) -> None:
                (i,) = g.fix()
                low, high = g.split(g.assume())
                k = g.lemma(
                    "shin2025.lemma-32", "part:diagonal-entry", "m", "E^(k-1)", "E", i, by=[using(off), using(low), using(high)]
                )
                k = g.split(k)[0]
                v = g.apply(values, i, by=[lambda g: g.conj(using(low), using(high))])
                s = g.by_fact("ipow_step", f"E[{i},{i}]", "k - 1", by=[lambda g: (only(g, two), g.pos([f"@{two}"], [1]))[-1]])
                g.rewrite(whole)
                only(g, k, v, s)
                g.field((k, 1), (v, f"E[{i},{i}]"), (s, -1))

            g.conj(entry, own)

        upwards(g, "1", base, step, "k")

    h = g.have(f"all k:Z. 1 <= k => {DIAGONAL.format('(E^k)')} and all i:Z. 1 <= i and i <= m => (E^k)[i,i] = E[i,i]^k", grow)
    g.close_by(g.apply(h, "n", by=[using(size)]))


@part(
    CLAIM,
    "power-of-the-gram-matrix",
    "all m L i:Z, A X:M(m,m). 1 <= L => T(X) @ X = (T(A) @ A)^L => 1 <= i => i <= m => sv(X,i) = sv(A,i)^L",
    uses=[CLAIM, "shin2025.lemma-32"],
    says="singular values from X^T X = (A^T A)^L",
)
def singular_values_of_a_power(g: Goal) -> None:
    """With A = U E V^T the matrix N = V E^L V^T has the values sv(A,i)^L, and N^T N = X^T X."""
    g.fix("m", "L", "i", "A", "X")
    depth, gram, low, high = (g.assume() for _ in range(4))
    u, v, a, off, value = g.obtain(g.fact("svd", "m", "m", "A"), "U", "V", "E")
    diag, powers = g.split(g.lemma(CLAIM, "part:powers-of-diagonals", "m", "L", "E", by=[using(off), using(depth)]))
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "m", "E", by=[using(off)])
    sym_l = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "m", "E^L", by=[using(diag)])
    range_ = g.fact("sv_range", "m", "m", "A")
    n = "V @ E^L @ T(V)"

    def ordered(g: Goal) -> None:
        (p,) = g.fix()
        one = g.assume()
        out = g.fact("entry_outside", "m", "m", "E^L")

        def inside(g: Goal, q: str, lo: str, hi: str) -> str:
            w = g.apply(powers, q, by=[lambda g: g.conj(using(lo), using(hi))])
            s = g.apply(value, q)
            return g.have(f"(E^L)[{q},{q}] = sv(A,{q})^L", lambda g: (only(g, w, s), g.rewrite(w), g.rewrite(s), g.refl())[-1])

        nonneg, mono = g.split(g.apply(range_, p, f"{p} + 1"))
        nonneg_next = g.split(g.apply(range_, f"{p} + 1", f"{p} + 1"))[0]
        mono = g.apply(mono, by=[lambda g: g.conj(using(one), lambda g: (only(g), g.pos([1]))[-1])])

        def small(g: Goal) -> None:
            hi = next(reversed(g.seq.hyps))
            w = inside(g, p, one, hi)
            pw = g.by_fact(
                "ipow_nonneg", f"sv(A,{p})", "L", by=[using(nonneg), lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1]]
            )

            def beside(g: Goal) -> None:
                def more(g: Goal) -> None:
                    hi2 = next(reversed(g.seq.hyps))
                    lo2 = g.have(f"1 <= {p} + 1", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
                    w2 = inside(g, f"({p} + 1)", lo2, hi2)
                    le = g.by_fact(
                        "ipow_mono",
                        f"sv(A,{p} + 1)",
                        f"sv(A,{p})",
                        "L",
                        by=[using(nonneg_next), using(mono), lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1]],
                    )
                    only(g, w, w2, le)
                    g.pos([f"@{le}"], eqs=[(w, 1), (w2, -1)])

                def beyond(g: Goal) -> None:
                    d = next(reversed(g.seq.hyps))
                    z = g.apply(out, f"{p} + 1", f"{p} + 1", by=[lambda g: (g.left_or_right(1), g.close_by(d))[-1]])
                    only(g, w, z, pw)
                    g.pos([f"@{pw}"], eqs=[(w, 1), (z, -1)])

                g.em(f"{p} + 1 <= m", more, beyond)

            g.conj(lambda g: (only(g, w, pw), g.pos([f"@{pw}"], eqs=[(w, 1)]))[-1], beside)

        def large(g: Goal) -> None:
            d = next(reversed(g.seq.hyps))
            z = g.apply(out, p, p, by=[lambda g: (g.left_or_right(1), g.close_by(d))[-1]])
            d2 = g.have(f"m < {p} + 1", lambda g: (only(g, d), g.pos([f"@{d}"], [1]))[-1])
            z2 = g.apply(out, f"{p} + 1", f"{p} + 1", by=[lambda g: (g.left_or_right(1), g.close_by(d2))[-1]])
            only(g, z, z2)
            g.conj(lambda g: g.pos(eqs=[(z, 1)]), lambda g: g.pos(eqs=[(z, 1), (z2, -1)]))

        g.em(f"{p} <= m", small, large)

    values = g.by_fact("svd_values", "m", "m", n, "E^L", "V", "V", by=[using(v), using(v), Goal.refl, using(diag), ordered])
    own = g.apply(values, "i")
    w = g.apply(powers, "i", by=[lambda g: g.conj(using(low), using(high))])
    s = g.apply(value, "i")

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.nc(rw=[a, u, sym])

        def step(g: Goal) -> None:
            two = g.have("2 <= k", lambda g: g.nlin())
            before = g.apply(
                "ih", "k - 1", by=[lambda g: (only(g, two), g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([1])))[-1]]
            )
            small = g.have("0 <= k - 1", lambda g: (only(g, two), g.pos([f"@{two}"], [1]))[-1])
            p = g.by_fact("mpow_add", "m", "k - 1", 1, "T(A) @ A", by=[using(small), None])
            q = g.by_fact("mpow_add", "m", "k - 1", 1, "E", by=[using(small), None])
            r = g.by_fact("mpow_add", "m", 1, "k - 1", "E", by=[None, using(small)])
            first = g.have(
                "(T(A) @ A)^k = (T(A) @ A)^(k-1) @ (T(A) @ A)", lambda g: (only(g, p, small), g.nc((p, 1, None, None)))[-1]
            )
            second = g.have("E^k = E^(k-1) @ E", lambda g: (only(g, q, small), g.nc((q, 1, None, None)))[-1])
            third = g.have("E @ E^(k-1) = E^(k-1) @ E", lambda g: (only(g, q, r, small), g.nc())[-1])
            inner = g.have("T(A) @ A = V @ E @ E @ T(V)", lambda g: (only(g, a, u, sym), g.nc(rw=[a, u, sym]))[-1])
            only(g, before, first, second, third, inner, v)
            g.nc(
                (first, 1, None, None),
                (before, 1, None, "T(A) @ A"),
                (inner, 1, "V @ E^(k-1) @ E^(k-1) @ T(V)", None),
                (v, 1, "V @ E^(k-1) @ E^(k-1)", "E @ E @ T(V)"),
                (second, -1, "V", "E^k @ T(V)"),
                (second, -1, "V @ E^(k-1) @ E", "T(V)"),
                (third, -1, "V @ E^(k-1)", "E @ T(V)"),
            )

        upwards(g, "1", base, step, "k")

    power = g.have("all k:Z. 1 <= k => (T(A) @ A)^k = V @ E^k @ E^k @ T(V)", grow)
    power = g.apply(power, "L", by=[using(depth)])
    both = g.have(
        f"T(X) @ X = T({n}) @ ({n})",
        lambda g: (only(g, gram, power, v, sym_l), g.nc((gram, 1, None, None), (power, 1, None, None), rw=[v, sym_l]))[-1],
    )
    gx = g.by_fact("sv_gram", "m", "m", "i", "X", by=[using(low), using(high)])
    gn = g.by_fact("sv_gram", "m", "m", "i", n, by=[using(low), using(high)])
    square = g.have(
        f"sv(X,i)^2 = sv({n},i)^2", lambda g: (only(g, gx, gn, both), g.rewrite(gx), g.rewrite(both), g.field((gn, -1)))[-1]
    )
    lx = g.split(g.apply(g.fact("sv_range", "m", "m", "X"), "i", "i"))[0]
    ln = g.split(g.apply(g.fact("sv_range", "m", "m", n), "i", "i"))[0]
    x = g.by_fact("sqrt_unique", "sv(X,i)^2", "sv(X,i)", by=[using(lx), Goal.refl])
    y = g.by_fact("sqrt_unique", "sv(X,i)^2", f"sv({n},i)", by=[using(ln), lambda g: g.field((square, -1))])
    final = g.have(
        f"sv({n},i) = sv(A,i)^L", lambda g: (only(g, own, w, s), g.rewrite(own), g.rewrite(w), g.rewrite(s), g.refl())[-1]
    )
    only(g, x, y, final)
    g.field((x, -1), (y, 1), (final, 1))


BALANCED = f"""all m L:Z, W Q:Z->M(m,m). 1 <= L => Q(0) = I(m) => (all l:Z. {INSIDE} => Q(l) = W(l) @ Q(l-1)) =>
       (all l:Z. 1 <= l and l <= L - 1 => T(W(l+1)) @ W(l+1) = W(l) @ T(W(l))) =>"""


@holds(
    CLAIM,
    f"{BALANCED} all l i:Z. {INSIDE} => 1 <= i => i <= m => sv(Q(L),i) = sv(W(l),i)^L",
    uses=[CLAIM],
    argument="sound",
    reading="Q(L) = W_{L:1}; singular values beyond the smaller dimension of an unpadded factor are 0",
    context=SQUARE,
)
def singular_values_of_a_balanced_product(g: Goal) -> None:
    """W(l)^T W(l) Q(l-1) = Q(l-1) S with S = W(1)^T W(1), so Q(L)^T Q(L) = S^L; adjacent factors share their singular values."""
    g.fix("m", "L", "W", "Q")
    depth, first, steps, balance = (g.assume() for _ in range(4))
    s = "(T(W(1)) @ W(1))"

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            top = g.assume()
            q = g.apply(steps, 1, by=[lambda g: g.conj(None, using(top))])
            g.conj(lambda g: g.nc(rw=[first]), lambda g: g.nc(rw=[q, first]))

        def step(g: Goal) -> None:
            top = g.assume()
            two, before = previous(g, top)
            move, gram = g.split(before)
            b = g.apply(balance, "l - 1", by=[between(two, top)])
            q = g.apply(steps, "l - 1", by=[between(two, top, lambda g: g.pos([f"@{top}"], [1]))])
            own = g.apply(
                steps, "l", by=[lambda g: (only(g, two, top), g.conj(lambda g: g.pos([f"@{two}"], [1]), using(top)))[-1]]
            )
            small = g.have("0 <= l - 1", lambda g: (only(g, two), g.pos([f"@{two}"], [1]))[-1])
            p = g.by_fact("mpow_add", "m", "l - 1", 1, s, by=[using(small), None])
            only(g, move, gram, b, q, own, p, small)
            power = g.have(f"{s}^l = {s}^(l-1) @ {s}", lambda g: g.nc((p, 1, None, None)))
            here = g.have(
                f"T(W(l)) @ W(l) @ Q(l-1) = Q(l-1) @ {s}",
                lambda g: g.nc(
                    (b, 1, None, "Q(l-1)"), (q, 1, "W(l-1) @ T(W(l-1))", None), (move, 1, "W(l-1)", None), (q, -1, None, s)
                ),
            )
            turned = g.have("T(Q(l)) = T(Q(l-1)) @ T(W(l))", lambda g: g.nc(rw=[own]))
            g.conj(
                using(here),
                lambda g: g.nc(
                    (turned, 1, None, "Q(l)"),
                    (own, 1, "T(Q(l-1)) @ T(W(l))", None),
                    (here, 1, "T(Q(l-1))", None),
                    (gram, 1, None, s),
                    (power, -1, None, None),
                ),
            )

        upwards(g, "1", base, step)

    h = g.have(f"all l:Z. 1 <= l => l <= L => T(W(l)) @ W(l) @ Q(l-1) = Q(l-1) @ {s} and T(Q(l)) @ Q(l) = {s}^l", grow)
    gram = g.split(g.apply(h, "L", by=[using(depth), Goal.refl]))[1]
    g.fix("j", "i")
    inside, low, high = (g.assume() for _ in range(3))
    whole = g.lemma(
        CLAIM,
        "part:power-of-the-gram-matrix",
        "m",
        "L",
        "i",
        "W(1)",
        "Q(L)",
        by=[using(depth), using(gram), using(low), using(high)],
    )

    def same(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            g.refl()

        def step(g: Goal) -> None:
            top = g.assume()
            two, before = previous(g, top)
            b = g.apply(balance, "l - 1", by=[between(two, top)])
            b = g.have("T(W(l)) @ W(l) = T(T(W(l-1))) @ T(W(l-1))", lambda g: (only(g, b), g.nc((b, 1, None, None)))[-1])
            x = g.by_fact("sv_gram", "m", "m", "i", "W(l)", by=[using(low), using(high)])
            y = g.by_fact("sv_gram", "m", "m", "i", "T(W(l-1))", by=[using(low), using(high)])
            t = g.fact("sv_transpose", "m", "m", "i", "W(l-1)")
            square = g.have(
                "sv(W(l),i)^2 = sv(T(W(l-1)),i)^2", lambda g: (only(g, x, y, b), g.rewrite(x), g.rewrite(b), g.field((y, -1)))[-1]
            )
            lx = g.split(g.apply(g.fact("sv_range", "m", "m", "W(l)"), "i", "i"))[0]
            ly = g.split(g.apply(g.fact("sv_range", "m", "m", "T(W(l-1))"), "i", "i"))[0]
            a = g.by_fact("sqrt_unique", "sv(W(l),i)^2", "sv(W(l),i)", by=[using(lx), Goal.refl])
            c = g.by_fact("sqrt_unique", "sv(W(l),i)^2", "sv(T(W(l-1)),i)", by=[using(ly), lambda g: g.field((square, -1))])
            only(g, a, c, t, before)
            g.field((a, -1), (c, 1), (t, 1), (before, 1))

        upwards(g, "1", base, step)

    equal = g.have("all l:Z. 1 <= l => l <= L => sv(W(l),i) = sv(W(1),i)", same)
    a, b = g.split(inside)
    k = g.apply(equal, "j", by=[using(a), using(b)])
    g.rewrite(k)
    g.close_by(whole)
