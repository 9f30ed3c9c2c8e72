"""Lemma 32: what is used of diagonal matrices, and the positive semidefinite root of X S^2 X^T."""

from __future__ import annotations

from proofs.shin2025.decoupled_factors import last, swapped, vanishing_sum
from proofs.shin2025.measurement_flow import n2
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

ID = "shin2025.lemma-32"


def diagonal(x: str) -> str:
    return f"(all i j:Z. i != j => {x}[i,j] = 0)"


def diagonal_matrix(g: Goal, name: str, body: str) -> tuple[str, str]:
    """Names the matrix with the entries body, I(d)[i,j] times a term; returns the equation of its entries and that it is diagonal."""
    (given,) = g.obtain(g.fact("matrix_of_entries", "d", "d", f"lam i:Z, j:Z. {body}"), name)
    out = g.fact("entry_outside", "d", "d", name)

    def apart(g: Goal) -> None:
        g.intro()

        def within(g: Goal) -> None:
            g.split(last(g))
            k = g.apply(given, "i", "j")
            g.rewrite(k)
            g.field()

        g.em("i < 1 or d < i or j < 1 or d < j", lambda g: g.close_by(g.apply(out, "i", "j")), within)

    return given, g.have(diagonal(name), apart)


def product_is_diagonal(g: Goal, x: str, y: str, x_off: str, y_off: str) -> None:
    """Close that x @ y is diagonal, as both factors are."""
    g.fix("i", "j")
    g.assume()
    g.rewrite(g.apply(g.fact("mm_entry", "d", "d", "d", x, y), "i", "j"))

    def term(g: Goal) -> None:
        k = list(g.seq.ctx)[-1]

        def same(g: Goal) -> None:
            g.rewrite(g.have(f"{k} = i", lambda g: g.field((last(g), -1))))
            g.field((g.apply(y_off, "i", "j"), f"{x}[i,i]"))

        g.em(f"i = {k}", same, lambda g: g.field((g.apply(x_off, "i", k), f"{y}[{k},j]")))

    vanishing_sum(g, term)


@part(
    ID,
    "diagonal-product",
    f"""all d:Z, X Y Z:M(d,d). {diagonal("X")} => {diagonal("Y")} => {diagonal("Z")} =>
        (all i:Z. 1 <= i => i <= d => X[i,i]*Y[i,i] = Z[i,i]) => X @ Y = Z""",
    says="Diagonal matrices are multiplied entry by entry.",
)
def product_of_diagonal_matrices(g: Goal) -> None:
    """One term of the sum is not 0."""
    x, y, z, on = g.intro()
    g.extn("i", "j")
    e = g.apply(g.fact("mm_entry", "d", "d", "d", "X", "Y"), "i", "j")

    def other(g: Goal) -> None:
        (k,) = g.fix("k")
        g.assume()
        ne = g.assume()

        a = g.apply(x, "i", k, by=[lambda g: swapped(g, ne)])
        g.field((a, f"Y[{k},j]"))

    s = g.by_fact("sum_delta", "1", "d", "i", "lam k:Z. X[i,k]*Y[k,j]", by=[None, None, other])

    def same(g: Goal) -> None:
        k = g.apply(on, "i")
        eq = g.have("j = i", lambda g: g.field((list(g.seq.hyps)[-2], -1)))
        del_ = g.have("X[i,i]*Y[i,i] = Z[i,i]", lambda g: g.close_by(k))
        s2, e2 = g.rewritten(s, eq), g.rewritten(e, eq)
        g.rewrite(eq)
        g.field((e2, 1), (s2, 1), (del_, 1))

    def apart(g: Goal) -> None:
        a, b = g.apply(y, "i", "j"), g.apply(z, "i", "j")
        g.field((e, 1), (s, 1), (a, "X[i,i]"), (b, -1))

    g.em("i = j", same, apart)


@part(
    ID,
    "diagonal-transpose",
    f"all d:Z, X:M(d,d). {diagonal('X')} => T(X) = X",
    says="Diagonal matrices are symmetric.",
)
def diagonal_matrices_are_symmetric(g: Goal) -> None:
    """Off the diagonal both entries are 0."""
    (x,) = g.intro()
    g.extn("i", "j")

    def same(g: Goal) -> None:
        eq = g.have("j = i", lambda g: g.field((last(g), -1)))
        g.rewrite(eq)
        g.field()

    def apart(g: Goal) -> None:
        ne = last(g)

        a, b = g.apply(x, "i", "j"), g.apply(x, "j", "i", by=[lambda g: swapped(g, ne)])
        g.field((a, -1), (b, 1))

    g.em("i = j", same, apart)


@part(
    ID,
    "diagonal-entry",
    f"""all d:Z, X Y:M(d,d), r:Z. {diagonal("Y")} => 1 <= r => r <= d => (X @ Y)[r,r] = X[r,r]*Y[r,r] and
        (Y @ X)[r,r] = Y[r,r]*X[r,r]""",
    says="A diagonal factor scales the diagonal.",
)
def diagonal_of_a_product(g: Goal) -> None:
    """One term of the sum is not 0."""
    y, low, high = g.intro()

    def one(x: str, z: str, term: str, off: tuple[str, str], factor: str) -> Script:
        def script(g: Goal) -> None:
            e = g.apply(g.fact("mm_entry", "d", "d", "d", x, z), "r", "r")

            def other(g: Goal) -> None:
                (k,) = g.fix("k")
                g.assume()
                ne = g.assume()

                apart: Script = lambda g: g.close_by(ne) if off[0] == "k" else swapped(g, ne)  # noqa: E731
                a = g.apply(y, *[k if o == "k" else o for o in off], by=[apart])
                g.field((a, factor.replace("k", k)))

            s = g.by_fact("sum_delta", "1", "d", "r", f"lam k:Z. {term}", by=[None, None, other])
            g.field((e, 1), (s, 1))

        return script

    g.conj(one("X", "Y", "X[r,k]*Y[k,r]", ("k", "r"), "X[r,k]"), one("Y", "X", "Y[r,k]*X[k,r]", ("r", "k"), "X[k,r]"))


@part(
    ID,
    "root",
    f"""all d:Z, X Y:M(d,d), S:M(d,d). T(X) @ X = I(d) => {diagonal("S")} => T(Y) = Y => (all v:V(d). 0 <= tr(T(v) @ Y @ v)) =>
        Y @ Y = X @ S @ T(S) @ T(X) => ex N:M(d,d). {diagonal("N")} and (all i:Z. 1 <= i => i <= d => N[i,i] = abs(S[i,i])) and
        Y = X @ N @ T(X)""",
    says="The positive semidefinite root of X S^2 X^T, for X orthogonal and S diagonal, is X |S| X^T.",
    uses=[ID],
)
def root_of_a_conjugate(g: Goal) -> None:
    """It is positive semidefinite, with the right square; such a root is unique."""
    ortho, off, sym, psd, square = g.intro()
    entries = {"N": "I(d)[i,j]*abs(S[i,j])", "K": "I(d)[i,j]*sqrt(abs(S[i,j]))"}
    given, outside = {}, {}
    for name, body in entries.items():
        given[name], outside[name] = diagonal_matrix(g, name, body)
    g.witness("N")

    def value(g: Goal, name: str, i: str) -> str:
        k = g.apply(given[name], i, i)
        plain = entries[name].split("*")[1].replace("[i,j]", f"[{i},{i}]")
        return g.have(f"{name}[{i},{i}] = {plain}", lambda g: (g.rewrite(k), g.field())[-1])

    def values(g: Goal) -> None:
        g.intro()
        g.close_by(value(g, "N", "i"))

    def roots(g: Goal) -> None:
        g.intro()
        n, k = value(g, "N", "i"), value(g, "K", "i")
        r = g.by_fact("sqrt_sq", "abs(S[i,i])")
        g.field((k, "K[i,i] + sqrt(abs(S[i,i]))"), (r, 1), (n, -1))

    kk = g.lemma(
        ID, "part:diagonal-product", "d", "K", "K", "N", by=[*[lambda g, x=x: g.close_by(outside[x]) for x in "KKN"], roots]
    )
    st = g.lemma(ID, "part:diagonal-transpose", "d", "S")
    kt = g.lemma(ID, "part:diagonal-transpose", "d", "K", by=[lambda g: g.close_by(outside["K"])])
    nt = g.lemma(ID, "part:diagonal-transpose", "d", "N", by=[lambda g: g.close_by(outside["N"])])

    def squares(g: Goal) -> None:
        g.intro()
        n = value(g, "N", "i")
        a = g.fact("abs_square", "S[i,i]")
        s = g.split(g.lemma(ID, "part:diagonal-entry", "d", "S", "S", "i"))[0]
        g.rewrite(s)
        g.field((n, "N[i,i] + abs(S[i,i])"), (a, 1))

    nn = g.lemma(
        ID,
        "part:diagonal-product",
        *["d", "N", "N", "S @ S"],
        by=[*[lambda g: g.close_by(outside["N"])] * 2, lambda g: product_is_diagonal(g, "S", "S", off, off), squares],
    )

    gram = g.have("N = T(K) @ K", lambda g: g.nc((kk, -1, None, None), rw=[kt]))

    def positive(g: Goal) -> None:
        (v,) = g.fix("v")
        form = g.have(f"tr(T({v}) @ (X @ N @ T(X)) @ {v}) = {n2(f'K @ T(X) @ {v}')}", lambda g: (g.rewrite(gram), g.field())[-1])
        g.rewrite(form)
        g.pos([n2(f"K @ T(X) @ {v}")])

    def equal(g: Goal) -> None:
        root = g.by_fact(
            "psd_root_unique",
            "d",
            "2",
            "Y",
            "X @ N @ T(X)",
            by=[
                None,
                None,
                lambda g: g.nc(rw=[nt]),
                None,
                positive,
                lambda g: g.nc((square, 1, None, None), (nn, -1, "X", "T(X)"), rw=[ortho, st]),
            ],
        )
        g.close_by(root)

    g.conj(lambda g: g.close_by(outside["N"]), values, equal)
