"""Appendix G, preparation: eigenvectors of W^T W, and the velocity (17) of the induced flow along them."""

from __future__ import annotations

from proofs.eftekhari2022.preconditioner import psd
from proofs.razin2020.scripts import using
from proofs.razin2020.singular_value_flow import summand
from verify.kernel import Goal
from verify.registry import part

DIAGONAL = "(all i j:Z. i != j => {0}[i,j] = 0)"

STATIC = f"""2 <= N => {psd("L", "y")} => L^N = W @ T(W) => {psd("K", "x")} => K^N = T(W) @ W =>
       V = -sum(j, 1, N, L^(N-j) @ G @ K^(j-1)) =>"""
"""The right side of (17) at W, for the gradient G; L and K are the roots of degree N of W W^T and W^T W."""


@part(
    "eftekhari2022.lemma-11",
    "unit-vector",
    f"""all d i:Z. 1 <= i => i <= d => ex e:V(d). T(e) @ e = I(1) and (all X:M(d,d). T(e) @ X @ e = X[i,i]*I(1)) and
       all X:M(d,d). {DIAGONAL.format("X")} => X @ e = X[i,i]*e""",
    says="a unit vector picks diagonal entries, and is an eigenvector of diagonal matrices",
    uses=["shin2025.lemma-9"],
)
def unit_vectors_pick_diagonal_entries(g: Goal) -> None:
    """The i-th column of the identity."""
    g.intro()
    one, zero, norm, column = g.obtain(g.lemma("shin2025.lemma-9", "part:unit-vector", "d", "i"), "e")

    def entry(g: Goal) -> None:
        g.fix("X")
        k = g.apply(column, "X", "i")

        def others(g: Goal) -> None:
            g.fix("l")
            g.intro()
            z = g.apply(zero, "l")
            g.field((z, "(X @ e)[l,1]"))

        h = g.by_fact("sum_delta", 1, "d", "i", "lam l:Z. e[l,1]*(X @ e)[l,1]", by=[None, None, others])
        product = g.fact("mm_entry", 1, "d", 1, "T(e)", "X @ e")
        product = g.apply(product, 1, 1)
        whole = g.have("T(e) @ X @ e = T(e) @ (X @ e)", lambda g: g.nc())
        g.rewrite(whole)
        g.ext(lambda g: g.field((product, 1), (h, 1), (one, "(X @ e)[i,1]"), (k, 1)))

    def eigenvector(g: Goal) -> None:
        g.fix("X")
        diagonal = g.assume()
        g.extn("k", "j")
        j_one = g.have("j = 1", lambda g: g.antisym())
        g.rewrite(j_one)
        at = g.apply(column, "X", "k")

        def same(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.rewrite(eq)
            here = g.apply(column, "X", "i")
            g.field((here, 1), (one, "-X[i,i]"))

        def other(g: Goal) -> None:
            z = g.apply(zero, "k")
            off = g.apply(diagonal, "k", "i")
            g.field((at, 1), (off, 1), (z, "-X[i,i]"))

        g.em("k = i", same, other)

    g.witness("e")
    g.conj(using(norm), entry, eigenvector)


@part(
    "eftekhari2022.lemma-11",
    "gram-diagonal",
    f"""all x y:Z, W:M(y,x). ex V D_:M(x,x). T(V) @ V = I(x) and V @ T(V) = I(x) and T(W) @ W = V @ D_ @ T(V) and
       {DIAGONAL.format("D_")} and all i:Z. D_[i,i] = sv(W,i)^2""",
    says="an orthonormal basis in which W^T W is diagonal, with the squared singular values in order",
)
def gram_matrix_is_diagonal_in_a_basis(g: Goal) -> None:
    """From the singular value decomposition W = U S V^T: W^T W = V S^T S V^T."""
    g.fix()
    left, right, whole, off, values = g.obtain(g.fact("svd", "y", "x", "W"), "U", "V", "S")
    turned = g.by_fact("inv_unique", "x", "T(V)", "V", by=[using(right)])
    _, other, _ = g.split(turned)
    g.witness("V", "T(S) @ S")
    product = g.fact("mm_entry", "x", "y", "x", "T(S)", "S")

    def zero(g: Goal) -> None:
        g.fix("i", "j")
        different = g.assume()
        k = g.apply(product, "i", "j")

        def vanish(g: Goal) -> None:
            g.fix("l")
            g.assume()

            def equal(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                g.rewrite(eq)
                z = g.apply(off, "i", "j", by=[using(different)])
                g.field((z, "S[i,i]"))

            def unequal(g: Goal) -> None:
                z = g.apply(off, "l", "i")
                g.field((z, "S[l,j]"))

            g.em("l = i", equal, unequal)

        h = g.by_fact("sum_ext", 1, "y", "lam l:Z. S[l,i]*S[l,j]", "lam l:Z. 0", by=[vanish])
        none = g.have("sum(l, 1, y, 0) = 0", lambda g: g.field())
        g.field((k, 1), (h, 1), (none, 1))

    def square(g: Goal) -> None:
        g.fix("i")
        value = g.apply(values, "i")
        k = g.apply(product, "i", "i")

        def others(g: Goal) -> None:
            g.fix("l")
            g.intro()
            z = g.apply(off, "l", "i")
            g.field((z, "S[l,i]"))

        def outside(g: Goal) -> None:
            h = g.by_fact("sum_ext", 1, "y", "lam l:Z. S[l,i]*S[l,i]", "lam l:Z. 0", by=[no_row])
            none = g.have("sum(l, 1, y, 0) = 0", lambda g: g.field())
            z = g.have("S[i,i] = 0", beyond)
            g.field((k, 1), (h, 1), (none, 1), (value, "S[i,i] + sv(W,i)"), (z, "-S[i,i]"))

        def no_row(g: Goal) -> None:
            g.fix("l")
            g.split_all(g.assume())
            z = g.apply(off, "l", "i", by=[differ])
            g.field((z, "S[l,i]"))

        def differ(g: Goal) -> None:
            eq = g.contra()
            g.nlin(use=[h for h in g.seq.hyps if g.hyp_formula(h)[0] in ("<", "<=") or h == eq], products=1)

        def beyond(g: Goal) -> None:
            h = g.fact("entry_outside", "y", "x", "S")
            g.close_by(g.apply(h, "i", "i"))

        def within(g: Goal) -> None:
            h = g.by_fact("sum_delta", 1, "y", "i", "lam l:Z. S[l,i]*S[l,i]", by=[None, None, others])
            g.field((k, 1), (h, 1), (value, "S[i,i] + sv(W,i)"))

        def high(g: Goal) -> None:
            g.em("i <= y", within, outside)

        g.em("1 <= i", high, outside)

    g.conj(using(right), using(other), lambda g: g.nc((left, 1, "V @ T(S)", "S @ T(V)"), rw=[whole]), zero, square)


@part(
    "eftekhari2022.lemma-11",
    "velocity-at-eigenvectors",
    f"""all x y N:Z, W V G:M(y,x), L:M(y,y), K:M(x,x). {STATIC} all c:R, v:V(x), w:V(y). 0 <= c => T(W) @ W @ v = c^N*v =>
       W @ T(W) @ w = c^N*w => T(w) @ V @ v = -(N*c^(N-1))*(T(w) @ G @ v)""",
    says="w^T W' v = -N c^(N-1) w^T G v for eigenvectors v of W^T W and w of W W^T with the eigenvalue c^N; G is the gradient",
    uses=["razin2020.eq-27"],
)
def velocity_along_eigenvectors(g: Goal) -> None:
    """v is an eigenvector of the root K of W^T W and w one of the root L of W W^T, both with the eigenvalue c."""
    g.fix()
    g.assume()
    (l_sym, l_psd), l_root = g.split(g.assume()), g.assume()
    (k_sym, k_psd), k_root = g.split(g.assume()), g.assume()
    velocity = g.assume()
    g.fix("c", "v", "w")
    nonneg, eigen, other = g.assume(), g.assume(), g.assume()
    w = "w"

    def row(n: str, root: str, vector: str, sym: str, right: str) -> str:
        """The powers of a root at its eigenvector, from the right and from the left."""
        left = g.have(f"T({vector}) @ {root} = c*T({vector})", lambda g: transposed(g, sym, right, vector, root))
        return g.lemma(
            "razin2020.eq-27", "part:eigenvector-powers", n, "c", root, vector, f"T({vector})", by=[using(right), using(left)]
        )

    right_k = g.by_fact(
        "psd_power_eigenvector", "x", "N", "c", "K", "v",
        by=[None, using(nonneg), using(k_sym), using(k_psd), lambda g: (g.rewrite(k_root), g.nc((eigen, 1, None, None)))],
    )  # fmt: skip
    right_l = g.by_fact(
        "psd_power_eigenvector", "y", "N", "c", "L", w,
        by=[None, using(nonneg), using(l_sym), using(l_psd), lambda g: (g.rewrite(l_root), g.nc((other, 1, None, None)))],
    )  # fmt: skip
    powers_k = row("x", "K", "v", k_sym, right_k)
    powers_l = row("y", "L", w, l_sym, right_l)
    body = "lam j:Z. L^(N-j) @ G @ K^(j-1)"
    into_v = g.fact("matrix_sum_mul_right", "y", "x", 1, 1, "N", "v", body)
    into_w = g.fact("matrix_sum_mul_left", "y", 1, 1, 1, "N", f"T({w})", summand(g, into_v))
    constant = f"c^(N-1)*(T({w}) @ G @ v)"

    def term(g: Goal) -> None:
        g.fix("j")
        g.split_all(g.assume())
        a = g.split(g.apply(powers_l, "N - j"))[1]
        b = g.split(g.apply(powers_k, "j - 1"))[0]
        split = g.by_fact("ipow_add", "c", "N - j", "j - 1")
        e = g.have("c^(N-1) = c^(N-j)*c^(j-1)", lambda g: g.field((split, 1)))
        g.rewrite(e)
        g.nc((a, 1, None, "G @ K^(j-1) @ v"), (b, "c^(N-j)", f"T({w}) @ G", None))

    ext = g.by_fact("matrix_sum_ext", 1, 1, 1, "N", summand(g, into_w), f"lam j:Z. {constant}", by=[term])
    const = g.by_fact("matrix_sum_const", 1, 1, 1, "N", constant)
    g.nc(
        (velocity, 1, f"T({w})", "v"),
        (into_v, -1, f"T({w})", None),
        (into_w, -1, None, None),
        (ext, -1, None, None),
        (const, -1, None, None),
    )


@part(
    "eftekhari2022.lemma-11",
    "velocity-at-an-eigenvector",
    f"""all x y N:Z, W V G:M(y,x), L:M(y,y), K:M(x,x). {STATIC} all c:R, v:V(x). 0 <= c => T(W) @ W @ v = c^N*v =>
       T(W @ v) @ V @ v = -(N*c^(N-1))*(T(W @ v) @ G @ v)""",
    says="along an eigenvector v of W^T W with the eigenvalue c^N: (W v)^T W' v = -N c^(N-1) (W v)^T G v, with the gradient G",
    uses=["eftekhari2022.lemma-11"],
)
def velocity_along_an_eigenvector(g: Goal) -> None:
    """W v is an eigenvector of W W^T with the same eigenvalue."""
    g.fix()
    hyps = [g.assume() for _ in range(6)]
    g.fix("c", "v")
    nonneg, eigen = g.assume(), g.assume()
    h = g.lemma(
        "eftekhari2022.lemma-11",
        "part:velocity-at-eigenvectors",
        *("x", "y", "N", "W", "V", "G", "L", "K"),
        by=[using(k) for k in hyps],
    )
    moved = g.have("W @ T(W) @ (W @ v) = c^N*(W @ v)", lambda g: g.nc((eigen, 1, "W", None)))
    g.close_by(g.apply(h, "c", "v", "W @ v", by=[using(nonneg), using(eigen), using(moved)]))


def transposed(g: Goal, symmetric: str, eigen: str, vector: str, root: str) -> None:
    """v^T R = c v^T from R v = c v for a symmetric R."""
    turned = g.have(f"T({root} @ {vector}) = T(c*{vector})", lambda g: (g.rewrite(eigen), g.refl()))
    g.nc((turned, 1, None, None), (symmetric, -1, f"T({vector})", None))
