"""Equation (170): what remains of Z without its leading singular pair is U S V^T with the other singular values on the diagonal of S."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import PAIR, nonempty, size, unit_trace
from proofs.eftekhari2022.rank_one_numbers import GAP, TOP
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import part

CLAIM = "eftekhari2022.eq-171"


@part(
    CLAIM,
    "columns",
    """all n k c:Z. 0 <= c => c + k <= n => ex K:M(n,k). (all i j:Z. 1 <= i and i <= n and 1 <= j and j <= k => K[i,j] = I(n)[i,j+c]) and
       all p:Z, X:M(p,n), i j:Z. 1 <= i => i <= p => 1 <= j => j <= k => (X @ K)[i,j] = X[i,j+c]""",
    says="k neighbouring columns of the identity pick columns of a matrix",
)
def columns_of_the_identity(g: Goal) -> None:
    """X K = (X I) restricted to these columns."""
    g.intro()
    entries = g.obtain(g.fact("matrix_of_entries", "n", "k", "lam i:Z, j:Z. I(n)[i,j+c]"), "K", split=False)[0]
    g.witness("K")

    def picks(g: Goal) -> None:
        g.fix()
        for _ in range(4):
            g.assume()
        product = g.apply(g.fact("mm_entry", "p", "n", "k", "X", "K"), "i", "j")
        whole = g.apply(g.fact("mm_entry", "p", "n", "n", "X", "I(n)"), "i", "j + c")

        def term(g: Goal) -> None:
            g.fix("l")
            g.intro()
            h = g.apply(entries, "l", "j")
            g.rewrite(h)
            g.refl()

        same = g.by_fact("sum_ext", 1, "n", "lam l:Z. X[i,l]*K[l,j]", "lam l:Z. X[i,l]*I(n)[l,j+c]", by=[term])
        own = g.have("X @ I(n) = X", lambda g: g.nc())
        whole = g.rewritten(whole, own)
        g.field((product, 1), (same, 1), (whole, -1))

    g.conj(using(entries), picks)


FRAME = """T(e) @ e = I(1) and T(K) @ K = I(n-1) and T(K) @ e = O(n-1,1) and e @ T(e) + K @ T(K) = I(n) and
           (all k:Z. 1 <= k and k <= n => e[k,1] = I(n)[k,1]) and
           (all p:Z, X:M(p,n), i:Z. 1 <= i => i <= p => (X @ e)[i,1] = X[i,1]) and
           all p:Z, X:M(p,n), i j:Z. 1 <= i => i <= p => 1 <= j => j <= n-1 => (X @ K)[i,j] = X[i,j+1]"""


@part(
    CLAIM,
    "frame",
    f"all n:Z. 1 <= n => ex e:V(n), K:M(n,n-1). {FRAME}",
    says="the first column of the identity and the other ones",
    uses=[CLAIM],
)
def first_column_and_the_others(g: Goal) -> None:
    """Gram matrices by entries."""
    g.intro()
    first, one = g.obtain(g.lemma(CLAIM, "part:columns", "n", 1, 0), "e")
    other, many = g.obtain(g.lemma(CLAIM, "part:columns", "n", "n-1", 1), "K")
    g.witness("e", "K")

    def entry(g: Goal) -> None:
        g.fix("k")
        g.intro()
        h = g.apply(first, "k", 1)
        g.field((h, 1))

    def pick(g: Goal) -> None:
        g.fix()
        g.assume()
        g.assume()
        h = g.apply(one, "p", "X", "i", 1)
        g.field((h, 1))

    single = g.have("all k:Z. 1 <= k and k <= n => e[k,1] = I(n)[k,1]", entry)
    picks = g.have("all p:Z, X:M(p,n), i:Z. 1 <= i => i <= p => (X @ e)[i,1] = X[i,1]", pick)

    def unit(g: Goal) -> None:
        h = g.apply(picks, 1, "T(e)", 1)
        k = g.apply(single, 1)
        g.ext(lambda g: g.field((h, 1), (k, 1)))

    def orthonormal(g: Goal) -> None:
        g.extn("i", "j")
        h = g.apply(many, "n-1", "T(K)", "i", "j")
        k = g.apply(other, "j + 1", "i")
        g.rewrite(h)

        def equal(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            k = g.apply(other, "j + 1", "j")
            g.rewrite(eq)
            g.have("1 <= j + 1")
            g.have("j + 1 <= n")
            g.field((k, 1))

        def different(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            g.have("j + 1 != i + 1", lambda g: unequal(g, h, "i = j", -1))
            g.field((k, 1))

        g.em("i = j", equal, different)

    def orthogonal(g: Goal) -> None:
        g.extn("i", "j")
        only = g.have("j = 1", lambda g: g.antisym())
        g.rewrite(only)
        h = g.apply(picks, "n-1", "T(K)", "i")
        k = g.apply(other, 1, "i")
        g.have("1 != i + 1", lambda g: (g.contra("eq"), g.pos(["i"], eqs=[("eq", 1)])))
        g.field((h, 1), (k, 1))

    def complete(g: Goal) -> None:
        g.extn("i", "j")
        a, b = g.apply(single, "i"), g.apply(single, "j")
        product = g.apply(g.fact("mm_entry", "n", "n-1", "n", "K", "T(K)"), "i", "j")
        whole = g.apply(g.fact("mm_entry", "n", "n", "n", "I(n)", "T(I(n))"), "i", "j")
        own = g.have("I(n) @ T(I(n)) = I(n)", lambda g: g.nc())
        whole = g.rewritten(whole, own)
        terms = "lam l:Z. I(n)[i,l]*I(n)[j,l]"
        split = g.by_fact("sum_first", 1, "n", terms)
        shift = g.fact("sum_shift", 2, "n", 1, terms)

        def term(g: Goal) -> None:
            g.fix("l")
            g.intro()
            x, y = g.apply(other, "i", "l"), g.apply(other, "j", "l")
            g.field((x, "K[j,l]"), (y, "I(n)[i,l+1]"))

        same = g.by_fact("sum_ext", 1, "n-1", "lam l:Z. K[i,l]*T(K)[l,j]", "lam l:Z. I(n)[i,l+1]*I(n)[j,l+1]", by=[term])
        g.field((product, 1), (same, 1), (whole, -1), (split, -1), (shift, -1), (a, "e[j,1]"), (b, "I(n)[i,1]"))

    g.conj(unit, orthonormal, orthogonal, complete, using(single), using(picks), using(many))


def unequal(g: Goal, different: str, equation: str, cofactor: int) -> None:
    """An inequation from another one, `different`, whose equation follows from that of the conclusion with this cofactor."""
    eq = g.contra("equal")
    k = g.have(equation, lambda g: g.field((eq, cofactor)))
    g.clash(k, different)


PAIRED = "Z @ v = sv(Z,1)*u => T(Z) @ u = sv(Z,1)*v => T(u) @ u = I(1) => T(v) @ v = I(1) =>"


@part(
    CLAIM,
    "leading-pair",
    f"""all x y:Z, Z:M(y,x), uZ u:V(y), vZ v:V(x). {GAP} {PAIR} {PAIRED}
       ex b:R. b^2 = 1 and u = b*uZ and v = b*vZ""",
    says="with a spectral gap the leading singular pair is unique up to the joint sign",
    uses=[CLAIM],
)
def leading_pairs_agree(g: Goal) -> None:
    """v = b v_Z + w with |Z w| = s_Z |w| for w orthogonal to v_Z, so that w = 0 by deflation; u = Z v/s_Z."""
    positive, gap, left, right, image, back, forth, _, uu, vv = g.intro()
    b = scalar_matrix(g, "(T(vZ) @ v)")
    a = scalar_matrix(g, "(T(uZ) @ u)")
    cosine, other = "tr(T(vZ) @ v)", "tr(T(uZ) @ u)"
    w = f"(v - {cosine}*vZ)"
    turned = g.have(
        f"T(uZ) @ Z = {TOP}*T(vZ)",
        lambda g: (h := g.have("T(T(Z) @ uZ) = T(sv(Z,1)*vZ)", lambda g: g.ctx(using(back))), g.nc((h, 1, None, None)))[-1],
    )
    both = g.have(f"{TOP}*(T(uZ) @ u) = {TOP}*(T(vZ) @ v)", lambda g: g.nc((forth, -1, "T(uZ)", None), (turned, 1, None, "v")))
    traces = g.have(f"tr({TOP}*(T(uZ) @ u)) = tr({TOP}*(T(vZ) @ v))", lambda g: (g.rewrite(both), g.refl()))
    equal = g.have(f"{other} = {cosine}", lambda g: g.field((traces, f"1/{TOP}")))
    flat = g.have(f"T(vZ) @ {w} = O(1,1)", lambda g: g.nc((right, f"-{cosine}", None, None), rw=[b]))
    zero = g.have(f"tr(T(vZ) @ {w}) = 0", lambda g: (g.rewrite(flat), g.field()))
    h = g.lemma(CLAIM, "part:deflation", "x", "y", "Z", "uZ", "vZ", by=[using(k) for k in (left, right, image, back)])
    bound = g.apply(h, w, by=[using(zero)])
    moved = g.have(
        f"Z @ {w} = {TOP}*(u - {cosine}*uZ)", lambda g: g.nc((forth, 1, None, None), (image, f"-{cosine}", None, None))
    )
    bound = g.rewritten(bound, moved)
    d = f"({TOP}*(u - {cosine}*uZ))"
    gram = g.have(f"T({d}) @ {d} = ({TOP}^2*(1 - 2*{cosine}*{other} + {cosine}^2))*I(1)", lambda g: g.nc(rw=[uu, left, a]))
    length = g.have(
        f"{size(d)} = {TOP}^2*(1 - {cosine}^2)", lambda g: (g.rewrite(gram), g.field((equal, f"-2*{cosine}*{TOP}^2")))
    )
    own = g.have(f"T({w}) @ {w} = (1 - {cosine}^2)*I(1)", lambda g: g.nc(rw=[vv, right, b]))
    rest = g.have(f"{size(w)} = 1 - {cosine}^2", lambda g: (g.rewrite(own), g.field()))
    bound = g.rewritten(g.rewritten(bound, length), rest)
    nonneg = g.have(f"0 <= {size(w)}")
    order = g.fact("sv_range", "y", "x", "Z")
    second, _ = g.split(g.apply(order, 2, 2))

    def small(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{bound}"], [f"@{k}", f"@{gap}", TOP], [f"@{k}", f"@{gap}", f"@{second}"])

    less = g.have(f"1 - {cosine}^2 <= 0", small)
    none = g.have(f"{size(w)} = 0", lambda g: g.antisym(lambda g: g.pos([f"@{less}"], eqs=[(rest, -1)]), using(nonneg)))
    vanishing = g.by_fact("frobenius_zero", "x", 1, w, by=[using(none)])
    g.witness(cosine)
    same = g.have(f"v = {cosine}*vZ", lambda g: g.nc((vanishing, 1, None, None)))
    g.conj(
        lambda g: g.field((none, -1), (rest, 1)),
        lambda g: g.nc((forth, f"-1/{TOP}", None, None), (same, f"1/{TOP}", "Z", None), (image, f"{cosine}/{TOP}", None, None)),
        using(same),
    )


REST = f"""T(U) @ U = I(y-1) and T(V) @ V = I(x-1) and T(U) @ uZ = O(y-1,1) and T(V) @ vZ = O(x-1,1) and
           (all i j:Z. 1 <= i and i <= y-1 and 1 <= j and j <= x-1 => (i != j => S[i,j] = 0) and (i = j => S[i,j] = sv(Z,i+1))) and
           Z = {TOP}*(uZ @ T(vZ)) + U @ S @ T(V)"""
"""U, S, V are the remaining singular vectors and values of Z."""


@part(
    CLAIM,
    "rest",
    f"all x y:Z, Z:M(y,x), uZ:V(y), vZ:V(x). {GAP} {PAIR} ex U:M(y,y-1), V:M(x,x-1), S:M(y-1,x-1). {REST}",
    says="a leading singular pair is completed to a singular value decomposition",
    uses=[CLAIM],
)
def remaining_singular_vectors(g: Goal) -> None:
    """The decomposition without its first columns, which are the leading pair up to the sign."""
    positive, gap, left, right, image, back = g.intro()
    nonempty(g, "x", "vZ", unit_trace(g, right, "vZ"))
    nonempty(g, "y", "uZ", unit_trace(g, left, "uZ"))
    uu, vv, product, off, diagonal = g.obtain(g.fact("svd", "y", "x", "Z"), "U0", "V0", "S0")
    ee, kk, ke, ek, e_entry, e_pick, k_pick = g.obtain(g.lemma(CLAIM, "part:frame", "y"), "e", "K")
    ff, ll, lf, fl, f_entry, f_pick, l_pick = g.obtain(g.lemma(CLAIM, "part:frame", "x"), "f", "L")
    first = g.apply(diagonal, 1)

    def column(g: Goal, matrix: str, rows: str, entry: str, pick: str, flipped: bool) -> None:
        """The first column of S0, or of its transpose."""
        g.extn("i", "j")
        one = g.have("j = 1", lambda g: g.antisym())
        g.rewrite(one)
        h = g.apply(pick, rows, matrix, "i")
        k = g.apply(entry, "i")
        g.rewrite(h)

        def equal(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            k = g.apply(entry, 1)
            g.rewrite(eq)
            g.field((first, 1), (k, f"-{TOP}"))

        def different(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            z = g.apply(
                off,
                *(("1", "i") if flipped else ("i", "1")),
                by=[lambda g: unequal(g, ne, "i = 1", -1) if flipped else g.close_by(ne)],
            )
            g.field((z, 1), (k, f"-{TOP}"))

        g.em("i = 1", equal, different)

    right_column = g.have(f"S0 @ f = {TOP}*e", lambda g: column(g, "S0", "y", e_entry, f_pick, False))
    left_column = g.have(f"T(S0) @ e = {TOP}*f", lambda g: column(g, "T(S0)", "x", f_entry, e_pick, True))
    forth = g.have(
        f"Z @ (V0 @ f) = {TOP}*(U0 @ e)", lambda g: g.nc((vv, 1, "U0 @ S0", "f"), (right_column, 1, "U0", None), rw=[product])
    )
    again = g.have(
        f"T(Z) @ (U0 @ e) = {TOP}*(V0 @ f)",
        lambda g: g.nc((uu, 1, "V0 @ T(S0)", "e"), (left_column, 1, "V0", None), rw=[product]),
    )
    one = g.have("T(U0 @ e) @ (U0 @ e) = I(1)", lambda g: g.nc((uu, 1, "T(e)", "e"), (ee, 1, None, None)))
    two = g.have("T(V0 @ f) @ (V0 @ f) = I(1)", lambda g: g.nc((vv, 1, "T(f)", "f"), (ff, 1, None, None)))
    sign, u, v = g.obtain(
        g.lemma(
            CLAIM, "part:leading-pair", "x", "y", "Z", "uZ", "U0 @ e", "vZ", "V0 @ f",
            by=[using(h) for h in (positive, gap, left, right, image, back, forth, again, one, two)],
        ), "b",
    )  # fmt: skip
    u_again, v_again = (
        g.have(f"{z} = b*({w})", lambda g, h=h, z=z: own_multiple(g, h, sign, z))
        for z, w, h in (("uZ", "U0 @ e", u), ("vZ", "V0 @ f", v))
    )
    turned = g.have("T(V0 @ f) = T(b*vZ)", lambda g: g.ctx(using(v)))
    outer = g.have(
        "(U0 @ e) @ T(V0 @ f) = b^2*(uZ @ T(vZ))", lambda g: g.nc((u, 1, None, "T(V0 @ f)"), (turned, 1, "b*uZ", None))
    )
    outer = g.rewritten(outer, sign)
    row = g.have("T(T(S0) @ e) = T(sv(Z,1)*f)", lambda g: g.ctx(using(left_column)))
    flat = g.have("T(T(L) @ f) = T(O(x-1,1))", lambda g: g.ctx(using(lf)))
    inner = g.have(
        f"K @ (T(K) @ S0 @ L) @ T(L) = S0 - {TOP}*(e @ T(f))",
        lambda g: g.nc(
            (ek, 1, None, "S0 @ L @ T(L)"), (fl, 1, "S0", None), (right_column, -1, None, "T(f)"), (row, -1, "e", "L @ T(L)"),
            (flat, f"-{TOP}", "e", "T(L)"),
        ),
    )  # fmt: skip
    g.witness("U0 @ K", "V0 @ L", "T(K) @ S0 @ L")

    def entries(g: Goal) -> None:
        g.fix("i", "j")
        g.split_all(g.assume())
        g.have("1 <= j + 1")
        g.have("j + 1 <= x")
        a = g.obtain(g.have("ex A:M(y-1,x). A = T(K) @ S0", lambda g: (g.witness("T(K) @ S0"), g.refl())), "A")[0]
        h = g.apply(l_pick, "y-1", "A", "i", "j")
        k = g.apply(k_pick, "x", "T(S0)", "j + 1", "i")
        same = g.have("A[i,j+1] = (T(S0) @ K)[j+1,i]", lambda g: (g.rewrite(a), g.field()))
        whole = g.have("T(K) @ S0 @ L = A @ L", lambda g: g.nc((a, -1, None, "L")))
        value = g.have("(T(K) @ S0 @ L)[i,j] = S0[i+1,j+1]", lambda g: (g.rewrite(whole), g.field((h, 1), (same, 1), (k, 1))))
        g.rewrite(value)

        def different(g: Goal) -> None:
            ne = g.assume()
            g.close_by(g.apply(off, "i + 1", "j + 1", by=[lambda g: unequal(g, ne, "i = j", 1)]))

        def equal(g: Goal) -> None:
            eq = g.assume()
            g.rewrite(eq)
            g.close_by(g.apply(diagonal, "j + 1"))

        g.conj(different, equal)

    g.conj(
        lambda g: g.nc((uu, 1, "T(K)", "K"), (kk, 1, None, None)),
        lambda g: g.nc((vv, 1, "T(L)", "L"), (ll, 1, None, None)),
        lambda g: g.nc((u_again, 1, "T(K) @ T(U0)", None), (uu, "b", "T(K)", "e"), (ke, "b", None, None)),
        lambda g: g.nc((v_again, 1, "T(L) @ T(V0)", None), (vv, "b", "T(L)", "f"), (lf, "b", None, None)),
        entries,
        lambda g: g.nc((product, 1, None, None), (inner, -1, "U0", "T(V0)"), (outer, TOP, None, None)),
    )


def own_multiple(g: Goal, multiple: str, sign: str, z: str) -> None:
    """z = b w from w = b z and b^2 = 1."""
    one = g.have(f"b^2*{z} = {z}", lambda g: (g.rewrite(sign), g.nc()))
    g.nc((multiple, "-b", None, None), (one, -1, None, None))
