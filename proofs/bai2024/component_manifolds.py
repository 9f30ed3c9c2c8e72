"""Equation (9): the manifolds of one connected component."""

from __future__ import annotations

from proofs.bai2024.invariant_manifolds import INDEPENDENT
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "bai2024.def-omega-sub"
PLACE = "1 <= i and i <= d and 1 <= j and j <= d"
MEMBER = f"""((ex X:M(d,k). all i j:Z. {PLACE} and f(i) = 1 => A[i,j] = (X @ V)[i,j]) and
  (ex Y:M(k,d). (all m i:Z. 1 <= m and m <= k and 1 <= i and i <= d and f(i) != 1 => Y[m,i] = 0) and V = Y @ A) and
  (ex X:M(k,d). all i j:Z. {PLACE} and g(j) = 1 => B[i,j] = (T(V) @ X)[i,j]) and
  (ex Y:M(d,k). (all m j:Z. 1 <= m and m <= k and 1 <= j and j <= d and g(j) != 1 => Y[j,m] = 0) and T(V) = B @ Y) and
  (all i j:Z. {PLACE} and f(i) != 1 => A[i,j] = 0) and (all i j:Z. {PLACE} and g(j) != 1 => B[i,j] = 0))"""
"""(A, B) is in the set (9): f and g mark the rows and columns of the component, the rows of V are alpha_1, ..., alpha_k."""


def chosen(r: str, f: str) -> str:
    """r(1), ..., r(k) are different members of the set that f marks."""
    return (
        f"(all m:Z. 1 <= m and m <= k => 1 <= {r}(m) and {r}(m) <= d and {f}({r}(m)) = 1) and"
        f" (all m l:Z. 1 <= m and m <= k and 1 <= l and l <= k and m != l => {r}(m) != {r}(l))"
    )


@part(
    CLAIM,
    "selection",
    f"""all d k:Z, f r:Z->Z. {chosen("r", "f")} => ex U:M(d,k). T(U) @ U = I(k) and
       (all i m:Z. 1 <= i and i <= d and 1 <= m and m <= k and f(i) != 1 => U[i,m] = 0)""",
    says="k different members of a set give k orthonormal unit vectors that vanish outside of it",
)
def unit_vectors_of_a_selection(g: Goal) -> None:
    """U[i,m] = 1 for i = r(m), else 0."""
    g.fix()
    members, distinct = g.split(g.assume())
    (u,) = g.obtain(g.fact("matrix_of_entries", "d", "k", "lam i:Z, m:Z. I(d)[i,r(m)]"), "U", split=False)
    g.witness("U")

    def orthonormal(g: Goal) -> None:
        g.extn("a", "b")
        g.split(g.apply(members, "a"))
        g.split(g.apply(members, "b"))
        m = g.apply(g.fact("mm_entry", "k", "d", "k", "T(U)", "U"), "a", "b")

        def others(g: Goal) -> None:
            (i,) = g.fix("i")
            g.split(g.assume())
            g.assume()
            v = g.apply(u, i, "a")
            g.field((v, f"U[{i},b]"))

        s = g.by_fact("sum_delta", 1, "d", "r(a)", "lam i:Z. U[i,a]*U[i,b]", by=[None, None, others])
        one = g.apply(u, "r(a)", "a")
        one = g.have("U[r(a),a] = 1", lambda g: g.field((one, 1)))
        two = g.apply(u, "r(a)", "b")

        def same(g: Goal) -> None:
            eq = last(g)
            value = g.have("U[r(a),b] = 1", lambda g: (g.rewrite(two), g.rewrite(eq), g.field())[-1])
            unit = g.have("I(k)[a,b] = 1", lambda g: (g.rewrite(eq), g.field())[-1])
            g.field((m, 1), (s, 1), (one, "U[r(a),b]"), (value, 1), (unit, -1))

        def apart(g: Goal) -> None:
            g.apply(distinct, "a", "b")
            value = g.have("U[r(a),b] = 0", lambda g: g.field((two, 1)))
            g.field((m, 1), (s, 1), (value, "U[r(a),a]"))

        g.em("a = b", same, apart)

    def outside(g: Goal) -> None:
        g.fix("i", "m")
        g.split(g.assume())
        marked = g.split(g.apply(members, "m"))[2]
        v = g.apply(u, "i", "m")

        def differ(g: Goal) -> None:
            eq = g.contra()
            k = g.have("f(i) = 1", lambda g: (g.rewrite(eq), g.close_by(marked))[-1])
            g.clash(k, no)

        no = next(h for h, c in g.seq.hyps.items() if c[0] == "!=")
        g.have("i != r(m)", differ)
        g.field((v, 1))

    g.conj(orthonormal, outside)


@holds(
    CLAIM,
    f"""all d k:Z, V:M(k,d), f g r c:Z->Z. 0 <= k => k <= d => {INDEPENDENT} => {chosen("r", "f")} => {chosen("c", "g")} =>
       ex A B:M(d,d). {MEMBER}""",
    reading="a definition is not true or false: it is well formed, and the set is not empty whenever the component has at least k rows and at"
    " least k columns (for k = 0 always). Row and column spaces are those of the rows and columns of the component; unobserved rows and"
    " columns belong to the remainder",
)
def manifold_of_a_component_is_not_empty(g: Goal) -> None:
    """A = U V and B = V^T W^T with the unit vectors U and W of k rows and k columns."""
    g.fix()
    g.assume()
    g.assume()
    g.assume()
    rows, columns = g.assume(), g.assume()
    uu, u_out = g.obtain(g.lemma(CLAIM, "part:selection", "d", "k", "f", "r", by=[lambda g: g.close_by(rows)]), "U")
    ww, w_out = g.obtain(g.lemma(CLAIM, "part:selection", "d", "k", "g", "c", by=[lambda g: g.close_by(columns)]), "W")
    g.witness("U @ V", "T(V) @ T(W)")

    def spans(x: str) -> Script:
        def script(g: Goal) -> None:
            g.witness(x)
            g.fix("i", "j")
            g.assume()
            g.refl()

        return script

    def spanned(x: str, known: str, zero: str, left: str | None, right: str | None) -> Script:
        def script(g: Goal) -> None:
            g.witness(x)

            def outside(g: Goal) -> None:
                names = g.fix()
                g.split(g.assume())
                k = g.apply(zero, names[1], names[0])
                g.field((k, 1))

            g.conj(outside, lambda g: g.nc((known, -1, left, right)))

        return script

    def rest(x: str, z: str, zero: str, which: int) -> Script:
        """The product vanishes as each term of the sum has a factor that does."""

        def script(g: Goal) -> None:
            g.fix("i", "j")
            g.split(g.assume())
            m = g.apply(g.fact("mm_entry", "d", "k", "d", x, z), "i", "j")

            def term(g: Goal) -> None:
                (q,) = g.fix("q")
                g.split(g.assume())
                k = g.apply(zero, "i" if which == 0 else "j", q)
                g.field((k, f"{z}[{q},j]" if which == 0 else f"V[{q},i]"))

            s = g.by_fact("sum_ext", 1, "k", f"lam q:Z. {x}[i,q]*{z}[q,j]", "lam q:Z. 0", by=[term])
            g.field((m, 1), (s, 1))

        return script

    g.conj(
        spans("U"),
        spanned("T(U)", uu, u_out, None, "V"),
        spans("T(W)"),
        spanned("W", ww, w_out, "T(V)", None),
        rest("U", "V", u_out, 0),
        rest("T(V)", "T(W)", w_out, 1),
    )
