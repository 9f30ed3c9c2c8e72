"""Lemma 38: congruence preserves positive semidefiniteness; which hypotheses are needed."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds, part

ID = "shin2025.lemma-38"


def psd(b: str) -> str:
    return f"(all x:V(d). 0 <= tr(T(x) @ ({b}) @ x))"


@holds(
    ID,
    f"""all d:Z, A B:M(d,d). T(B) = B => {psd("B")} => (T(A @ B @ T(A)) = A @ B @ T(A) and {psd("A @ B @ T(A)")}) and
        (T(T(A) @ B @ A) = T(A) @ B @ A and {psd("T(A) @ B @ A")})""",
    argument="sound",
    reading="positive semidefinite: symmetric with nonnegative quadratic form. Remark: symmetry of B is needed for that of the "
    "products, not for their forms (parts without-symmetry, forms-of-any-matrix); nonnegativity is needed (part:without-nonnegativity); A need not be "
    "square (part:without-squareness).",
)
def congruence_preserves_psd(g: Goal) -> None:
    """x^T A B A^T x is the form of B at A^T x."""
    s, p = g.intro()
    g.conj(
        lambda g: g.conj(lambda g: g.nc((s, 1, "A", "T(A)")), lambda g: form(g, p, "T(A)")),
        lambda g: g.conj(lambda g: g.nc((s, 1, "T(A)", "A")), lambda g: form(g, p, "A")),
    )


def form(g: Goal, p: str, c: str) -> None:
    (x,) = g.fix("x")
    k = g.apply(p, f"{c} @ {x}")
    g.pos([f"@{k}"])


@part(
    ID,
    "forms-of-any-matrix",
    f"all d:Z, A B:M(d,d). {psd('B')} => {psd('A @ B @ T(A)')} and {psd('T(A) @ B @ A')}",
    says="The quadratic forms of the products are nonnegative whether B is symmetric or not.",
)
def forms_of_any_matrix(g: Goal) -> None:
    """The same computation."""
    (p,) = g.intro()
    g.conj(lambda g: form(g, p, "T(A)"), lambda g: form(g, p, "A"))


@part(
    ID,
    "without-symmetry",
    f"""ex A B:M(2,2). {psd("B").replace("(d)", "(2)")} and T(A @ B @ T(A)) != A @ B @ T(A) and
        T(T(A) @ B @ A) != T(A) @ B @ A""",
    says="Without symmetry of B: the products need not be symmetric, A = I, B = [[1, 1], [-1, 1]]; their quadratic forms are still "
    "nonnegative (part:forms-of-any-matrix).",
)
def products_without_symmetry(g: Goal) -> None:
    """The form of B is x^2 + y^2."""

    def skew(g: Goal) -> None:
        h = g.contra()
        left, right = g.hyp_formula(h)[1:]
        k = g.have(("=", ("entry", left, 1, 2), ("entry", right, 1, 2)), lambda g: (g.rewrite(h), g.refl())[-1])
        g.pos(["2"], eqs=[(k, 1)])

    g.witness("[[1,0],[0,1]]", "[[1,1],[-1,1]]")
    g.conj(lambda g: (g.fix("x"), g.pos(["x[1,1]^2"], ["x[2,1]^2"]))[-1], skew, skew)


@part(
    ID,
    "without-squareness",
    f"""all m d:Z, A:M(m,d), B:M(d,d), C:M(m,m). T(B) = B => {psd("B")} => T(C) = C => {psd("C").replace("(d)", "(m)")} =>
        (T(A @ B @ T(A)) = A @ B @ T(A) and {psd("A @ B @ T(A)").replace("(d)", "(m)")}) and
        (T(T(A) @ C @ A) = T(A) @ C @ A and {psd("T(A) @ C @ A")})""",
    says="Without a square A: A B A^T and A^T C A are positive semidefinite for A of any shape and B, C of the sizes that fit.",
)
def congruence_by_any_shape(g: Goal) -> None:
    """The same computation."""
    s, p, r, q = g.intro()
    g.conj(
        lambda g: g.conj(lambda g: g.nc((s, 1, "A", "T(A)")), lambda g: form(g, p, "T(A)")),
        lambda g: g.conj(lambda g: g.nc((r, 1, "T(A)", "A")), lambda g: form(g, q, "A")),
    )


@part(
    ID,
    "without-nonnegativity",
    f"ex d:Z, A B:M(d,d). T(B) = B and not {psd('A @ B @ T(A)')} and not {psd('T(A) @ B @ A')}",
    says="Without a nonnegative form: the conclusion fails, A = 1, B = -1.",
)
def forms_need_nonnegativity(g: Goal) -> None:
    """d = 1, A = 1, B = -1."""
    g.witness("1", "[[1]]", "[[-1]]")

    def fails(g: Goal) -> None:
        h = g.assume()
        k = g.apply(h, "[[1]]")
        g.pos([f"@{k}"], ["1"])

    g.conj(lambda g: g.ext(lambda g: g.field()), fails, fails)
