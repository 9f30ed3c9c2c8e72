"""Lemma 33: the absolute determinant is the product of the singular values."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds, part

ID = "shin2025.lemma-33"


@part(
    ID,
    "nonnegative",
    "all d:Z, A:M(d,d), k:Z. 0 <= k => 0 <= prod(i, 1, k, sv(A,i))",
    says="products of singular values are nonnegative",
)
def products_are_nonnegative(g: Goal) -> None:
    """Induction on the number of factors."""
    h = g.have("all d:Z, A:M(d,d). all k:Z. 0 <= k => 0 <= prod(i, 1, k, sv(A,i))", by_induction)
    g.fix()
    h = g.apply(h, "d", "A", n=0)
    g.assume()
    g.close_by(g.apply(h, "k"))


def by_induction(g: Goal) -> None:
    g.fix("d", "A")
    g.induct("k", "ih")
    e = "lam i:Z. sv(A,i)"

    def step(g: Goal) -> None:
        g.apply(g.fact("int_lt", "0", "k"))
        last = g.by_fact("prod_last", "1", "k", e)
        p = g.apply("ih", "k - 1")
        x = g.split(g.apply(g.fact("sv_range", "d", "d", "A"), "k", "k"))[0]
        g.rewrite(last)
        g.pos([f"@{p}", f"@{x}"])

    def start(g: Goal) -> None:
        one = g.by_fact("prod_empty", "1", "k", e)
        g.rewrite(one)
        g.auto()

    g.em("0 < k", step, start)


@holds(
    ID,
    "all d:Z, A:M(d,d). 1 <= d => abs(det(A)) = prod(i, 1, d, sv(A,i))",
    argument="sound",
    uses=[ID],
    reading="Remark: empty matrices are included (part:without-size); without squareness the determinant means nothing, and the one of A^T A takes its place (part:without-squareness).",
)
def absolute_determinant(g: Goal) -> None:
    """det(U^T A V) is the product; det U and det V are 1 or -1."""
    (d1,) = g.intro()
    hu, hv, _off, on = g.obtain(g.fact("svd_square", "d", "A"), "U", "V")
    x = "(T(U) @ A @ V)"
    p = "prod(i, 1, d, sv(A,i))"
    e = g.by_fact("det_diagonal", "d", x)

    def terms(g: Goal) -> None:
        (i,) = g.fix("i")
        g.split_all(g.assume())
        g.close_by(g.apply(on, i))

    same = g.by_fact("prod_ext", "1", "d", f"lam i:Z. {x}[i,i]", "lam i:Z. sv(A,i)", by=[terms])
    one = g.fact("det_identity", "d")

    def unit(m: str, h: str) -> str:
        a, b = g.fact("det_product", "d", f"T({m})", m), g.fact("det_transpose", "d", m)
        c = g.have(f"det(T({m}) @ {m}) = det(I(d))", lambda g: (g.rewrite(h), g.refl())[-1])
        return g.have(f"det({m})^2 = 1", lambda g: g.field((a, -1), (b, f"-det({m})"), (c, 1), (one, 1)))

    u, v = unit("U", hu), unit("V", hv)
    a, b, c = (
        g.fact("det_product", "d", "T(U) @ A", "V"),
        g.fact("det_product", "d", "T(U)", "A"),
        g.fact("det_transpose", "d", "U"),
    )
    w = g.have(
        f"det(U)*det(A)*det(V) = {p}", lambda g: g.field((a, -1), (b, "-det(V)"), (c, "-det(A)*det(V)"), (e, 1), (same, 1))
    )
    sq = g.have(
        f"det(A)^2 = {p}^2",
        lambda g: g.field((w, f"det(U)*det(A)*det(V) + {p}"), (u, "-det(A)^2*det(V)^2"), (v, "-det(A)^2")),
    )
    q = g.apply(g.lemma(ID, "part:nonnegative"), "d", "A", "d")
    ab = g.fact("abs_square", "det(A)")
    g.antisym(
        lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", p], eqs=[(ab, -1), (sq, -1)]))[-1],
        lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", "abs(det(A))"], eqs=[(ab, 1), (sq, 1)]))[-1],
    )
    del d1, q
