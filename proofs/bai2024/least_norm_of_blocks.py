"""Theorem A.6: with complete bipartite components the least nuclear norm is that of the completion by zeros."""

from __future__ import annotations

from proofs.bai2024.bound_by_blocks import projections
from proofs.bai2024.components import CLAIM
from proofs.bai2024.diagonal_completions import DUALITY
from proofs.bai2024.graphs import PATTERN, RECTANGLES
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

VALUE = "bai2024.thm-a6-step-min-nuclear-value"


@part(
    VALUE,
    "inner-product",
    "all m n:Z, X Y:M(m,n). tr(T(X) @ Y) = sum(i, 1, m, sum(j, 1, n, X[i,j]*Y[i,j]))",
    says="the inner product of two matrices by entries",
)
def inner_product_by_entries(g: Goal) -> None:
    """By polarisation."""
    g.fix()
    plus, minus = g.fact("frobenius_entries", "m", "n", "X + Y"), g.fact("frobenius_entries", "m", "n", "X - Y")

    def row(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.field()

    square = "sum(j, 1, n, (X {} Y)[i,j]^2)"
    terms = (f"lam i:Z. 1/4*{square.format('+')} - 1/4*{square.format('-')}", "lam i:Z. sum(j, 1, n, X[i,j]*Y[i,j])")
    s = g.by_fact("sum_ext", 1, "m", *terms, by=[row])
    g.field((plus, "1/4"), (minus, "-1/4"), (s, 1))


SUM = "sum(i, 1, d, sv(had(P, M),i))"
FITS = "(all i j:Z. P[i,j] = 1 => W[i,j] = M[i,j])"


@holds(
    VALUE,
    f"all d:Z, P M:M(d,d). 1 <= d => {PATTERN} => {RECTANGLES} => (all W:M(d,d). {FITS} => {SUM} <= nuc(W)) and (ex W:M(d,d). {FITS} and nuc(W) = {SUM})",
    argument="repaired",
    uses=[CLAIM, DUALITY],
    reading="|mu_1|, ..., |mu_d| are the singular values of diag(M_1, ..., M_m), which is M with 0 at the entries that are not observed",
)
def zeros_give_the_least_norm(g: Goal) -> None:
    """The norm of the completion by zeros is its inner product with a contraction X, a sum over the blocks of any completion W, each of which is at
    most the norm of the block; by pinching these add up to at most nuc(W)."""
    g.fix()
    _, binary, corners = (g.assume() for _ in range(3))
    total = g.fact("nuc_is_sum", "d", "had(P, M)")
    by: list[Script | None] = [lambda g: g.close_by(binary), lambda g: g.close_by(corners)]
    (found,) = g.obtain(g.lemma(CLAIM, "part:components", "d", "P", by=by), "f", "g", split=False)
    f_bits, g_bits, f_apart, g_apart, agree, complete, seen = g.split(found)
    g.obtain(g.fact("matrix_family", "d", "d", "lam k:Z, i:Z, j:Z. I(d)[i,j]*f(k,i)"), "R", split=False, name="r_is")
    g.obtain(g.fact("matrix_family", "d", "d", "lam k:Z, i:Z, j:Z. I(d)[i,j]*g(k,i)"), "S", split=False, name="s_is")
    pr = projections(g, "f", "R", ("r_is", f_bits, f_apart))
    ps = projections(g, "g", "S", ("s_is", g_bits, g_apart))
    symmetric = g.have("all p:Z. T(S(p)) = S(p)", lambda g: (g.fix("p"), g.close_by(g.split(g.apply(ps[0], "p"))[0]))[-1])
    known: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in ("r_is", "s_is", symmetric)]  # type: ignore[misc]
    blocks = g.lemma(CLAIM, "part:blocks", "d", "f", "g", "R", "S", by=known)

    def pattern(g: Goal) -> None:
        """P is the sum of the blocks."""
        g.fix("i", "j")
        g.split(g.assume())

        def unseen(g: Goal) -> None:
            z = last(g)

            def term(g: Goal) -> None:
                g.fix("p")
                g.assume()

                def row(g: Goal) -> None:
                    a = last(g)

                    def column(g: Goal) -> None:
                        b = last(g)
                        one = g.apply(complete, "p", "i", "j", by=[lambda g: g.close_by(a), lambda g: g.close_by(b)])
                        g.contra()
                        g.pos([], eqs=[(one, 1), (z, -1)])

                    g.cases(g.apply(g_bits, "p", "j"), lambda g: g.field((last(g), "f(p,i)")), column)

                g.cases(g.apply(f_bits, "p", "i"), lambda g: g.field((last(g), "g(p,j)")), row)

            s = g.by_fact("sum_ext", 1, "d", "lam p:Z. f(p,i)*g(p,j)", "lam p:Z. 0", by=[term])
            g.field((s, 1), (z, -1))

        def observed(g: Goal) -> None:
            o = last(g)

            def term(g: Goal) -> None:
                g.fix("p")
                g.assume()
                k = g.apply(agree, "p", "i", "j", by=[lambda g: g.close_by(o)])
                bit = g.apply(f_bits, "p", "i")
                g.cases(bit, lambda g: g.field((last(g), "g(p,j) - 1")), lambda g: g.field((k, -1), (last(g), "g(p,j)")))

            s = g.by_fact("sum_ext", 1, "d", "lam p:Z. f(p,i)*g(p,j)", "lam p:Z. f(p,i)", by=[term])
            k = g.apply(seen, "i", "j", by=[lambda g: g.close_by(o)])
            g.field((s, 1), (k, 1), (o, -1))

        g.cases(g.apply(binary, "i", "j"), unseen, observed)

    box = "1 <= i and i <= d and 1 <= j and j <= d"
    mask = g.have(f"all i j:Z. {box} => sum(p, 1, d, f(p,i)*g(p,j)) = P[i,j]", pattern)
    small, dual = g.obtain(g.split(g.lemma(DUALITY, "statement", "d", "d", "had(P, M)"))[1], "X")

    def least(g: Goal) -> None:
        g.fix("W")
        fits = g.assume()
        block = "(R(p) @ W @ S(p))"
        pinch = g.by_fact(
            "nuc_pinching", "d", "d", "d", "W", "lam p:Z. R(p)", "lam p:Z. S(p)", by=[orthogonal(pr, ps), apart(pr, ps)]
        )  # fmt: skip
        whole = g.lemma(VALUE, "part:inner-product", "d", "d", "had(P, M)", "X")

        def bounded(g: Goal) -> None:
            g.fix("p")
            g.assume()
            k = g.apply(g.split(g.lemma(DUALITY, "statement", "d", "d", block))[0], "X", by=[lambda g: g.close_by(small)])
            e = g.lemma(VALUE, "part:inner-product", "d", "d", block, "X")
            s = double(
                g,
                f"{block}[i,j]*X[i,j]",
                "f(p,i)*g(p,j)*W[i,j]*X[i,j]",
                lambda g: g.field((g.apply(blocks, "W", "p", "i", "j"), "X[i,j]")),
            )
            g.pos([f"@{k}"], eqs=[(e, 1), (s, 1)])

        parts = "sum(i, 1, d, sum(j, 1, d, f(p,i)*g(p,j)*W[i,j]*X[i,j]))"
        m = g.by_fact("sum_mono", 1, "d", f"lam p:Z. {parts}", f"lam p:Z. nuc{block}", by=[bounded])
        outer = g.fact("sum_swap", 1, "d", 1, "d", "lam p:Z, i:Z. sum(j, 1, d, f(p,i)*g(p,j)*W[i,j]*X[i,j])")

        def row(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            swap = g.fact("sum_swap", 1, "d", 1, "d", "lam p:Z, j:Z. f(p,i)*g(p,j)*W[i,j]*X[i,j]")

            def term(g: Goal) -> None:
                g.fix("j")
                g.split(g.assume())
                k = g.apply(mask, "i", "j")

                def unseen(g: Goal) -> None:
                    g.field((k, "W[i,j]*X[i,j]"), (last(g), "(W[i,j] - M[i,j])*X[i,j]"))

                def observed(g: Goal) -> None:
                    o = last(g)
                    e = g.apply(fits, "i", "j", by=[lambda g: g.close_by(o)])
                    g.field((k, "W[i,j]*X[i,j]"), (e, "P[i,j]*X[i,j]"))

                g.cases(g.apply(binary, "i", "j"), unseen, observed)

            entry = ("lam j:Z. sum(p, 1, d, f(p,i)*g(p,j)*W[i,j]*X[i,j])", "lam j:Z. had(P, M)[i,j]*X[i,j]")
            e = g.by_fact("sum_ext", 1, "d", *entry, by=[term])
            g.field((swap, 1), (e, 1))

        rows = (
            "lam i:Z. sum(p, 1, d, sum(j, 1, d, f(p,i)*g(p,j)*W[i,j]*X[i,j]))",
            "lam i:Z. sum(j, 1, d, had(P, M)[i,j]*X[i,j])",
        )
        e = g.by_fact("sum_ext", 1, "d", *rows, by=[row])
        g.pos([f"@{m}"], [f"@{pinch}"], eqs=[(outer, 1), (e, 1), (whole, -1), (dual, 1), (total, 1)])

    def attained(g: Goal) -> None:
        g.witness("had(P, M)")

        def fits(g: Goal) -> None:
            g.fix("i", "j")
            o = g.assume()
            g.field((o, "M[i,j]"))

        g.conj(fits, lambda g: g.close_by(total))

    g.conj(least, attained)


def double(g: Goal, first: str, second: str, entry: Script) -> str:
    """Adds the equation of two double sums with equal terms."""

    def row(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())

        def term(g: Goal) -> None:
            g.fix("j")
            g.split(g.assume())
            entry(g)

        g.close_by(g.by_fact("sum_ext", 1, "d", f"lam j:Z. {first}", f"lam j:Z. {second}", by=[term]))

    return g.by_fact("sum_ext", 1, "d", f"lam i:Z. sum(j, 1, d, {first})", f"lam i:Z. sum(j, 1, d, {second})", by=[row])


def orthogonal(pr: list[str], ps: list[str]) -> Script:
    def script(g: Goal) -> None:
        g.fix("p")
        a, b = g.split(g.apply(pr[0], "p")), g.split(g.apply(ps[0], "p"))
        g.conj(*[lambda g, h=h: g.close_by(h) for h in (*a, *b)])  # type: ignore[misc]

    return script


def apart(pr: list[str], ps: list[str]) -> Script:
    def script(g: Goal) -> None:
        g.fix("p", "l")
        ne = g.assume()
        g.conj(*[lambda g, h=h: g.close_by(g.apply(h, "p", "l", by=[lambda g: g.close_by(ne)])) for h in (pr[1], ps[1])])  # type: ignore[misc]

    return script
