"""Section 3: the affine space of the linear interpolators."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "varre2023.assertion-dim-linear-interpolators"
KERNEL = "T(N) @ N = I(p-n) and X @ N = O(n,p-n) and all k:Z, D:M(p,k). X @ D = O(n,k) => N @ T(N) @ D = D"


@part(
    CLAIM,
    "kernel",
    f"all n p:Z, X:M(n,p). 1 <= n => n <= p => rank(X) = n => ex N:M(p,p-n). {KERNEL}",
    says="the kernel of a matrix of full row rank has an orthonormal basis of p - n vectors",
    uses=["eftekhari2022.eq-171", "eftekhari2022.lemma-11"],
)
def kernel_has_an_orthonormal_basis(g: Goal) -> None:
    """The last columns of V in the singular value decomposition."""
    g.fix()
    _, _, rank = (g.assume() for _ in range(3))
    u, v, x, off, diagonal = g.obtain(g.fact("svd", "n", "p", "X"), "U", "V", "S")
    entries, picks = g.obtain(g.lemma("eftekhari2022.eq-171", "part:columns", "p", "p-n", "n", by=[None, None]), "K")
    right = g.split(g.by_fact("inv_unique", "p", "T(V)", "V", by=[using(v)]))[1]
    g.witness("V @ K")

    def unit(g: Goal) -> None:
        g.extn("i", "j")
        for at in ("i", "j"):
            g.have(f"{at} + n <= p", lambda g: g.nlin(products=1))
            g.have(f"1 <= {at} + n", lambda g: g.nlin(products=1))
        one = g.apply(picks, "p-n", "T(K)", "i", "j")
        two = g.apply(entries, "j + n", "i")

        def same(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            a = g.have("I(p)[j+n,i+n] = 1", lambda g: (g.replace("i", "j", using(eq)), g.field())[-1])
            b = g.have("I(p-n)[i,j] = 1", lambda g: (g.replace("i", "j", using(eq)), g.field())[-1])
            g.field((one, 1), (two, 1), (a, 1), (b, -1))

        def apart(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            g.have("j + n != i + n", lambda g: differ(g, ne))
            g.field((one, 1), (two, 1))

        g.em("i = j", same, apart)

    frame = g.have("T(K) @ K = I(p-n)", unit)

    def idle(g: Goal) -> None:
        g.extn("i", "j")
        one = g.apply(picks, "n", "S", "i", "j")
        g.have("i != j + n", lambda g: g.condition())
        g.field((one, 1), (g.apply(off, "i", "j + n"), 1))

    zero = g.have("S @ K = O(n,p-n)", idle)

    def whole(g: Goal) -> None:
        g.fix("k", "D")
        killed = g.assume()
        (m,) = g.obtain(g.have("ex M:M(p,k). M = T(V) @ D", lambda g: (g.witness("T(V) @ D"), g.refl())[-1]), "M", split=False)
        sm = g.have(
            "S @ M = O(n,k)",
            lambda g: g.nc((m, 1, "S", None), (u, -1, None, "S @ T(V) @ D"), (x, -1, "T(U)", "D"), (killed, 1, "T(U)", None)),
        )

        def fixed(g: Goal) -> None:
            g.extn("i", "j")
            product = g.apply(g.fact("mm_entry", "p", "p-n", "k", "K", "T(K) @ M"), "i", "j")

            def term(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                turned = g.apply(picks, "k", "T(M)", "j", "l")
                flip = g.have("(T(K) @ M)[l,j] = (T(M) @ K)[j,l]", lambda g: flipped(g))
                own = g.apply(entries, "i", "l")
                g.field((own, "(T(K) @ M)[l,j]"), (flip, "I(p)[i,l+n]"), (turned, "I(p)[i,l+n]"))

            s = g.by_fact("sum_ext", 1, "p-n", "lam l:Z. K[i,l]*(T(K) @ M)[l,j]", "lam l:Z. I(p)[i,l+n]*M[l+n,j]", by=[term])

            def early(g: Goal) -> None:
                up = next(reversed(g.seq.hyps))

                def none(g: Goal) -> None:
                    g.fix("l")
                    g.split(g.assume())
                    g.have("i != l + n", lambda g: g.condition())
                    g.field()

                t = g.by_fact("sum_ext", 1, "p-n", "lam l:Z. I(p)[i,l+n]*M[l+n,j]", "lam l:Z. 0", by=[none])
                row = g.apply(g.fact("mm_entry", "n", "p", "k", "S", "M"), "i", "j")

                def others(g: Goal) -> None:
                    g.fix("l")
                    g.split(g.assume())
                    ne = g.assume()
                    g.have("i != l", lambda g: differ(g, ne))
                    g.field((g.apply(off, "i", "l"), "M[l,j]"))

                d = g.by_fact("sum_delta", 1, "p", "i", "lam l:Z. S[i,l]*M[l,j]", by=[None, None, others])
                value = g.apply(diagonal, "i")
                _, some = g.split(g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", "p", "n", "X"))
                positive = g.apply(some, "i", by=[None, lambda g: g.pos([f"@{up}"], eqs=[(rank, 1)])])
                entry = g.have("(S @ M)[i,j] = O(n,k)[i,j]", lambda g: g.ctx(using(sm)))
                none_ = g.have("sv(X,i)*M[i,j] = 0", lambda g: g.field((entry, 1), (row, -1), (d, -1), (value, "-M[i,j]")))
                g.have("0 < sv(X,i)", using(positive))
                g.field((product, 1), (s, 1), (t, 1), (none_, "-1/sv(X,i)"))

            def late(g: Goal) -> None:
                def others(g: Goal) -> None:
                    g.fix("l")
                    g.split(g.assume())
                    ne = g.assume()
                    g.have("i != l + n", lambda g: differ(g, ne))
                    g.field()

                d = g.by_fact("sum_delta", 1, "p-n", "i-n", "lam l:Z. I(p)[i,l+n]*M[l+n,j]", by=[None, None, others])
                g.field((product, 1), (s, 1), (d, 1))

            g.em("i <= n", early, lambda g: (g.by_fact("int_lt", "n", "i", by=[using(next(reversed(g.seq.hyps)))]), late(g))[-1])

        kept = g.have("K @ T(K) @ M = M", fixed)
        g.nc((m, -1, "V @ K @ T(K)", None), (kept, 1, "V", None), (m, 1, "V", None), (right, 1, None, "D"))

    g.conj(
        lambda g: g.nc((v, 1, "T(K)", "K"), (frame, 1, None, None)),
        lambda g: g.nc((x, 1, None, "V @ K"), (v, 1, "U @ S", "K"), (zero, 1, "U", None)),
        whole,
    )


def differ(g: Goal, ne: str) -> None:
    """Indices that differ, turned round or shifted."""
    eq = g.contra()
    a, b = g.hyp_formula(ne)[1:]
    g.clash(g.have(("=", a, b), lambda g: g.field((eq, -1))), ne)


def flipped(g: Goal) -> None:
    """The transpose."""
    g.rewrite(g.have("T(K) @ M = T(T(M) @ K)", lambda g: g.nc()))
    g.field()


@holds(
    CLAIM,
    """all n p k:Z, X:M(n,p), Y:M(n,k). 1 <= n => n < p => rank(X) = n => ex A:M(p,k), N:M(p,p-n). X @ A = Y and T(N) @ N = I(p-n) and
       all B:M(p,k). (X @ B = Y <=> ex C:M(p-n,k). B = A + N @ C) and (all C E:M(p-n,k). A + N @ C = A + N @ E => C = E)""",
    argument="sound",
    reading="typical: X has full row rank. C -> A + N C is an affine bijection of the (d - n) x k matrices onto the interpolators",
    uses=[CLAIM, "eftekhari2022.lemma-4-fosp"],
)
def interpolators_are_an_affine_space(g: Goal) -> None:
    """A from a right inverse, N from the kernel."""
    g.fix()
    low, wide, rank = (g.assume() for _ in range(3))
    inverse = g.lemma("eftekhari2022.lemma-4-fosp", "part:right-inverse", "p", "n", "X", by=[None, None, using(rank)])
    (r,) = g.obtain(inverse, "R", split=False)
    unit, idle, whole = g.obtain(g.lemma(CLAIM, "part:kernel", "n", "p", "X", by=[using(low), None, using(rank)]), "N")
    g.witness("R @ Y", "N")
    fits = g.have("X @ (R @ Y) = Y", lambda g: g.nc((r, 1, None, "Y")))

    def every(g: Goal) -> None:
        g.fix("B")

        def forth(g: Goal) -> None:
            h = g.assume()
            k = g.have("X @ (B - R @ Y) = O(n,k)", lambda g: g.nc((h, 1, None, None), (fits, -1, None, None)))
            w = g.apply(whole, "k", "B - R @ Y", by=[using(k)])
            g.witness("T(N) @ (B - R @ Y)")
            g.nc((w, -1, None, None))

        def back(g: Goal) -> None:
            (e,) = g.obtain(g.assume(), "C", split=False)
            g.nc((e, 1, "X", None), (fits, 1, None, None), (idle, 1, None, "C"))

        def unique(g: Goal) -> None:
            g.fix("C", "E")
            h = g.assume()
            g.nc((unit, -1, None, "C"), (unit, 1, None, "E"), (h, 1, "T(N)", None))

        g.conj(lambda g: g.iff(forth, back), unique)

    g.conj(using(fits), using(unit), every)
