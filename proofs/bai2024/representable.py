"""Theorem A.5: which matrices the manifolds Omega_k produce."""

from __future__ import annotations

from proofs.bai2024.invariant_manifolds import INDEPENDENT, spans, within
from verify.kernel import Goal, negate
from verify.kernel.tactics import Script
from verify.registry import holds, part

INVERSES = "eftekhari2022.lemma-4-fosp"


@holds(
    "bai2024.thm-a5-step-rank-one-sum",
    """all m n k:Z, C:M(m,n). 0 <= k => rank(C) <= k => ex U:M(m,k), V:M(k,n). all i j:Z. C[i,j] = sum(l, 1, k, U[i,l]*V[l,j])""",
    argument="sound",
    reading="u_l is the l-th column of U and v_l^T the l-th row of V",
)
def low_rank_as_a_sum_of_outer_products(g: Goal) -> None:
    """A factorisation with inner dimension k, entry by entry."""
    g.fix()
    low, rank = g.assume(), g.assume()
    (c,) = g.obtain(
        g.by_fact("rank_factor", "m", "n", "k", "C", by=[lambda g: g.close_by(low), lambda g: g.close_by(rank)]), "U", "V"
    )
    g.witness("U", "V")
    g.fix("i", "j")
    m = g.apply(g.fact("mm_entry", "m", "k", "n", "U", "V"), "i", "j")
    e = g.have("C[i,j] = (U @ V)[i,j]", lambda g: (g.rewrite(c), g.refl())[-1])
    g.field((e, 1), (m, 1))


EQUALITY = f"""all d k:Z, V:M(k,d), C:M(d,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} => rank(C) <= k =>
       ex A B:M(d,d). {spans("A", "B")} and A @ B = C"""


@part(
    "bai2024.thm-a5-step-representable",
    "with-equality",
    f"not ({EQUALITY})",
    says="with the equality row(A) = col(B) = span of Equation (7) the ranks of A and B are k, and the product of such factors need not have a"
    " smaller rank: d = k = 1, C = 0 would need A B = 0 with A, B not 0",
)
def zero_is_not_represented(g: Goal) -> None:
    """1 x 1 factors that are not 0 have a product that is not 0."""
    opposite = g.have(negate(g.concl[1]), one_by_one)
    g.clash(g.assume(), opposite)


def one_by_one(g: Goal) -> None:
    """d = k = 1, V = 1, C = 0."""
    g.witness("1", "1", "[[1]]", "[[0]]")

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "all" and len(c[1]) == 1:
            independent(g)
        elif c[0] == "all":
            never(g)
        elif "rank" in str(c):
            k = g.have("rank([[0]]) = 0", lambda g: g.compute())
            g.pos(["1"], eqs=[(k, -1)])
        else:
            g.auto()

    def independent(g: Goal) -> None:
        g.fix("v")
        zero = g.assume()
        e = g.have("(T([[1]]) @ v)[1,1] = O(1,1)[1,1]", lambda g: (g.rewrite(zero), g.refl())[-1])
        g.ext(lambda g: g.field((e, 1)))

    def never(g: Goal) -> None:
        g.fix("A", "B")
        hs = g.split_all(g.contra())
        x = g.obtain(hs[1], "X")[0]
        y = g.obtain(hs[3], "Y")[0]
        one = g.have("X[1,1]*A[1,1] = 1", lambda g: entry(g, x, -1))
        two = g.have("B[1,1]*Y[1,1] = 1", lambda g: entry(g, y, -1))
        three = g.have("A[1,1]*B[1,1] = 0", lambda g: entry(g, hs[4], 1))
        g.pos([], eqs=[(one, "B[1,1]*Y[1,1]"), (two, "1"), (three, "-X[1,1]*Y[1,1]")])

    def entry(g: Goal, h: str, sign: int) -> None:
        _, left, right = g.hyp_formula(h)
        e = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: (g.rewrite(h), g.refl())[-1])
        g.field((e, sign))

    close(g)


@part(
    "bai2024.thm-a5-step-representable",
    "rank-k",
    f"""all d k:Z, V:M(k,d), C:M(d,d). 1 <= k => k <= d => {INDEPENDENT} => rank(C) = k =>
       ex A B:M(d,d). {spans("A", "B")} and A @ B = C""",
    says="Every matrix of rank k itself is represented with equality, row(A) = col(B) = span, so that Omega_k contains them all.",
    uses=[INVERSES],
)
def rank_k_matrices_are_represented(g: Goal) -> None:
    """The same factors A = X V and B = V^T (V V^T)^-1 Y; X has a left inverse and Y a right one."""
    g.fix()
    for name in ("low", "high", "independent"):
        g.assume(name)
    rank = g.assume()
    (c,) = g.obtain(g.by_fact("rank_factor", "d", "d", "k", "C", by=[None, lambda g: g.pos(eqs=[(rank, -1)])]), "X", "Y")
    g.have("det(V @ T(V)) != 0", gram_is_regular, name="det")
    right = g.by_fact("inv_right", "k", "V @ T(V)")
    below = g.rewritten(g.fact("rank_product", "d", "k", "d", "X", "Y"), g.have("X @ Y = C", lambda g: g.nc((c, -1, None, None))))
    of_x, of_y = g.split(below)

    def full(factor: str, m: str, n: str, least: str, at: int) -> str:
        most = g.split(g.by_fact("rank_bounds", m, n, factor))[at]
        return g.have(
            f"rank({factor}) = k",
            lambda g: g.antisym(lambda g: g.close_by(most), lambda g: g.pos(["@" + least], eqs=[(rank, 1)])),
        )

    x, y = full("X", "d", "k", of_x, 2), full("Y", "k", "d", of_y, 1)
    left = g.lemma(INVERSES, "part:left-inverse", "d", "k", "X", by=[None, None, lambda g: g.close_by(x)])
    left = g.obtain(left, "F")[0]
    end = g.lemma(INVERSES, "part:right-inverse", "d", "k", "Y", by=[None, None, lambda g: g.close_by(y)])
    end = g.obtain(end, "H")[0]
    inverse = "inv(V @ T(V))"
    regular = g.by_fact("inv_left", "k", "V @ T(V)")
    g.witness("X @ V", f"T(V) @ {inverse} @ Y")
    spans_all: list[Script] = [
        lambda g: (g.witness("X"), g.refl())[-1],
        lambda g: (g.witness("F"), g.nc((left, -1, None, "V")))[-1],
        lambda g: (g.witness(f"{inverse} @ Y"), g.nc())[-1],
        lambda g: (
            g.witness("H @ (V @ T(V))"),
            g.nc((end, -1, f"T(V) @ {inverse}", "V @ T(V)"), (regular, -1, "T(V)", None)),
        )[-1],
    ]
    g.conj(lambda g: g.conj(*spans_all), lambda g: g.nc((right, 1, "X", "Y"), (c, -1, None, None)))


def gram_is_regular(g: Goal) -> None:
    """V V^T v = 0 gives V^T v = 0, so v = 0 by independence."""
    g.contra()
    u = g.obtain(g.by_fact("det_kernel", "k", "V @ T(V)"), "v")
    h = g.have("T(T(V) @ v) @ (T(V) @ v) = O(1,1)", lambda g: g.nc((u[1], 1, "T(v)", None)))
    g.have("tr(T(T(V) @ v) @ (T(V) @ v)) = 0", lambda g: (g.rewrite(h), g.field())[-1])
    g.by_fact("frobenius_zero", "d", 1, "T(V) @ v")
    g.clash(g.apply("independent", "v"), u[0])


@holds(
    "bai2024.thm-a5-step-representable",
    f"""all d k:Z, V:M(k,d), C:M(d,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} => rank(C) <= k =>
       ex A B:M(d,d). {within("A", "B")} and A @ B = C""",
    argument="repaired",
    reading="Omega_k is the set that the same proof prints (thm-a5-omega-span-form): row(A) and col(B) are contained in the span of the rows of V",
    readings=[("Omega_k as in Equation (7), with row(A) = col(B) = span", "refuted", "with-equality")],
    reason="the printed argument fails: the outer products of the alphas do not span the matrices u_i v_i^T of C (thm-a5-step-outer-span)",
)
def low_rank_matrices_are_represented(g: Goal) -> None:
    """With C = X Y and the rows V of the span: A = X V and B = V^T (V V^T)^-1 Y."""
    g.fix()
    g.assume()
    low = g.assume()
    g.assume()
    g.assume("independent")
    rank = g.assume()
    (c,) = g.obtain(
        g.by_fact("rank_factor", "d", "d", "k", "C", by=[lambda g: g.close_by(low), lambda g: g.close_by(rank)]), "X", "Y"
    )

    g.have("det(V @ T(V)) != 0", gram_is_regular, name="det")
    right = g.by_fact("inv_right", "k", "V @ T(V)")
    g.witness("X @ V", "T(V) @ inv(V @ T(V)) @ Y")
    g.conj(
        lambda g: g.conj(lambda g: (g.witness("X"), g.refl())[-1], lambda g: (g.witness("inv(V @ T(V)) @ Y"), g.nc())[-1]),
        lambda g: g.nc((right, 1, "X", "Y"), (c, -1, None, None)),
    )
