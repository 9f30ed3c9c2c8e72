"""Diagonal projections onto the rows and columns of components: blocks, squares of rows, orthogonality."""

from __future__ import annotations

from proofs.bai2024.components import CLAIM
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.registry import part


def diagonal(r: str, f: str) -> str:
    """r(p) is the diagonal matrix with the entries f(p, 1), ..., f(p, d)."""
    return f"(all p i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => {r}(p)[i,j] = I(d)[i,j]*{f}(p,i))"


def bits(f: str) -> str:
    return f"(all p i:Z. {f}(p,i) = 0 or {f}(p,i) = 1)"


def disjoint(f: str) -> str:
    return f"(all p l i:Z. p != l => {f}(p,i)*{f}(l,i) = 0)"


RANGE = "1 <= i and i <= d and 1 <= j and j <= d"


@part(
    CLAIM,
    "selected-rows",
    f"""all d:Z, f:(Z,Z)->R, R:Z->M(d,d). {diagonal("R", "f")} =>
       all X:M(d,d), p i j:Z. {RANGE} => (R(p) @ X)[i,j] = f(p,i)*X[i,j]""",
    says="a diagonal matrix on the left multiplies rows",
)
def rows_are_multiplied(g: Goal) -> None:
    """Only the diagonal term of the sum is left."""
    g.fix()
    r = g.assume()
    g.fix("X", "p", "i", "j")
    g.split(g.assume())
    m = g.apply(g.fact("mm_entry", "d", "d", "d", "R(p)", "X"), "i", "j")

    def others(g: Goal) -> None:
        (q,) = g.fix("q")
        g.split(g.assume())
        g.assume()
        g.have(f"i != {q}", swapped)
        v = g.apply(r, "p", "i", q)
        g.field((v, f"X[{q},j]"))

    s = g.by_fact("sum_delta", 1, "d", "i", "lam q:Z. R(p)[i,q]*X[q,j]", by=[None, None, others])
    v = g.apply(r, "p", "i", "i")
    g.field((m, 1), (s, 1), (v, "X[i,j]"))


def selection(g: Goal, f: str, r: str, known: str) -> str:
    """The part `selected-rows` for r and f."""
    return g.lemma(CLAIM, "part:selected-rows", "d", f, r, by=[lambda g: g.close_by(known)])


@part(
    CLAIM,
    "projections",
    f"""all d:Z, f:(Z,Z)->R, R:Z->M(d,d). {diagonal("R", "f")} => {bits("f")} => {disjoint("f")} =>
       (all p:Z. T(R(p)) = R(p) and R(p) @ R(p) = R(p)) and (all p l:Z. p != l => R(p) @ R(l) = O(d,d))""",
    says="the diagonal matrices of disjoint indicators are orthogonal projections",
)
def indicators_give_projections(g: Goal) -> None:
    """Entry by entry."""
    g.fix()
    r, values, apart = g.assume(), g.assume(), g.assume()
    rows = selection(g, "f", "R", r)

    def mirrored(g: Goal) -> None:
        g.extn("i", "j")
        a, b = g.apply(r, "p", "i", "j"), g.apply(r, "p", "j", "i")

        def same(g: Goal) -> None:
            g.rewrite(last(g))
            g.field()

        def different(g: Goal) -> None:
            g.have("j != i", swapped)
            g.field((b, 1), (a, -1))

        g.em("i = j", same, different)

    def squared(g: Goal) -> None:
        g.extn("i", "j")
        k, a = g.apply(rows, "R(p)", "p", "i", "j"), g.apply(r, "p", "i", "j")
        g.cases(
            g.apply(values, "p", "i"),
            lambda g: g.field((k, 1), (a, "f(p,i) - 1"), (last(g), "I(d)[i,j]*(f(p,i) - 1)")),
            lambda g: g.field((k, 1), (a, "f(p,i) - 1"), (last(g), "I(d)[i,j]*f(p,i)")),
        )

    def each(g: Goal) -> None:
        g.fix("p")
        g.conj(mirrored, squared)

    def orthogonal(g: Goal) -> None:
        g.fix("p", "l")
        ne = g.assume()
        g.extn("i", "j")
        k, a = g.apply(rows, "R(l)", "p", "i", "j"), g.apply(r, "l", "i", "j")
        z = g.apply(apart, "p", "l", "i", by=[lambda g: g.close_by(ne)])
        g.field((k, 1), (a, "f(p,i)"), (z, "I(d)[i,j]"))

    g.conj(each, orthogonal)


@part(
    CLAIM,
    "blocks",
    f"""all d:Z, f g:(Z,Z)->R, R S:Z->M(d,d). {diagonal("R", "f")} => {diagonal("S", "g")} => (all p:Z. T(S(p)) = S(p)) =>
       all X:M(d,d), p i j:Z. {RANGE} => (R(p) @ X @ S(p))[i,j] = f(p,i)*g(p,j)*X[i,j]""",
    says="the entries of a block",
)
def entries_of_a_block(g: Goal) -> None:
    """Rows are multiplied from the left, columns, by transposition, from the right."""
    g.fix()
    r, s, symmetric = g.assume(), g.assume(), g.assume()
    rows, columns = selection(g, "f", "R", r), selection(g, "g", "S", s)
    g.fix("X", "p", "i", "j")
    g.split(g.assume())
    one = g.apply(rows, "X", "p", "i", "j")
    two = g.apply(columns, "T(R(p) @ X)", "p", "j", "i")
    t = g.apply(symmetric, "p")
    turned = g.have("R(p) @ X @ S(p) = T(S(p) @ T(R(p) @ X))", lambda g: g.nc((t, -1, "R(p) @ X", None)))
    g.rewrite(turned)
    e = g.have("(T(S(p) @ T(R(p) @ X)))[i,j] = (S(p) @ T(R(p) @ X))[j,i]", lambda g: g.field())
    f = g.have("T(R(p) @ X)[j,i] = (R(p) @ X)[i,j]", lambda g: g.field())
    g.field((e, 1), (two, 1), (f, "g(p,j)"), (one, "g(p,j)"))


@part(
    CLAIM,
    "squares-by-components",
    """all d:Z, X:M(d,d), f:(Z,Z)->R, R:Z->M(d,d).
       (all p i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => R(p)[i,j] = I(d)[i,j]*f(p,i)) =>
       (all p i:Z. f(p,i) = 0 or f(p,i) = 1) =>
       tr(T(X) @ X) = sum(p, 1, d, tr(T(R(p) @ X) @ (R(p) @ X))) +
         sum(i, 1, d, (1 - sum(p, 1, d, f(p,i)))*sum(k, 1, d, X[i,k]^2))""",
    says="the squares of the rows of a matrix, sorted by components",
)
def squares_sorted_by_components(g: Goal) -> None:
    """Both sides are sums of the squares of the rows; the sums over p and i are exchanged."""
    g.fix()
    r, bits = g.assume(), g.assume()
    rows_of = selection(g, "f", "R", r)
    row = "sum(k, 1, d, X[i,k]^2)"
    whole = g.fact("frobenius_entries", "d", "d", "X")
    (norm,) = g.obtain(g.have(f"ex a:Z->R. all i:Z. a(i) = {row}", lambda g: rows_by_index(g, row)), "a", split=False)

    def by_norm(factor: str) -> str:
        """Adds: the sum over i of factor times the squares of row i, by a(i)."""

        def term(g: Goal) -> None:
            g.fix("i")
            g.assume()
            g.rewrite(g.apply(norm, "i"))
            g.refl()

        return g.by_fact("sum_ext", 1, "d", f"lam i:Z. {factor}{row}", f"lam i:Z. {factor}a(i)", by=[term])

    total, rest = by_norm(""), by_norm("(1 - sum(p, 1, d, f(p,i)))*")

    def component(g: Goal) -> None:
        (p,) = g.fix("p")
        g.assume()
        e = g.fact("frobenius_entries", "d", "d", f"R({p}) @ X")

        def rows(g: Goal) -> None:
            (i,) = g.fix("i")
            g.split(g.assume())

            def entry(g: Goal) -> None:
                (k,) = g.fix("k")
                g.split(g.assume())
                value = g.apply(rows_of, "X", p, i, k)
                g.rewrite(value)
                g.cases(
                    g.apply(bits, p, i),
                    lambda g: g.field((last(g), f"X[{i},{k}]^2*(f({p},{i}) - 1)")),
                    lambda g: g.field((last(g), f"X[{i},{k}]^2*f({p},{i})")),
                )

            s = g.by_fact("sum_ext", 1, "d", f"lam k:Z. (R({p}) @ X)[{i},k]^2", f"lam k:Z. f({p},{i})*X[{i},k]^2", by=[entry])
            g.rewrite(g.apply(norm, i))
            g.field((s, 1))

        s = g.by_fact("sum_ext", 1, "d", f"lam i:Z. sum(k, 1, d, (R({p}) @ X)[i,k]^2)", f"lam i:Z. f({p},i)*a(i)", by=[rows])
        g.field((e, 1), (s, 1))

    parts = g.by_fact(
        "sum_ext", 1, "d", "lam p:Z. tr(T(R(p) @ X) @ (R(p) @ X))", "lam p:Z. sum(i, 1, d, f(p,i)*a(i))", by=[component]
    )
    swap = g.fact("sum_swap", 1, "d", 1, "d", "lam p:Z, i:Z. f(p,i)*a(i)")

    def collect(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.field()

    both = g.by_fact(
        "sum_ext",
        1,
        "d",
        "lam i:Z. a(i)",
        "lam i:Z. sum(p, 1, d, f(p,i)*a(i)) + (1 - sum(p, 1, d, f(p,i)))*a(i)",
        by=[collect],
    )
    whole = g.have("tr(T(X) @ X) = sum(i, 1, d, a(i))", lambda g: (g.rewrite(whole), g.close_by(total))[-1])
    g.rewrite(whole)
    g.rewrite(rest)
    g.rewrite(parts)
    g.rewrite(swap)
    g.field((both, 1))


def rows_by_index(g: Goal, row: str) -> None:
    """The function of the index i that this text is."""
    g.witness(f"lam i:Z. {row}")
    g.fix("i")
    g.refl()


def swapped(g: Goal) -> None:
    """u != v from the newest hypothesis v != u."""
    h = last(g)
    a, b = g.hyp_formula(h)[1:]
    eq = g.contra()
    back = g.have(("=", a, b), lambda g: g.field((eq, -1)))
    g.clash(back, h)
