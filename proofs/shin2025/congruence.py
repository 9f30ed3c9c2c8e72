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
    reading="positive semidefinite: symmetric with nonnegative quadratic form. Remark: symmetry is not needed for the quadratic "
    "form (part:without-symmetry), nonnegativity is (part:without-nonnegativity).",
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
    "without-symmetry",
    f"all d:Z, A B:M(d,d). {psd('B')} => {psd('A @ B @ T(A)')} and {psd('T(A) @ B @ A')}",
    says="without symmetry of B the quadratic forms are still nonnegative",
)
def forms_without_symmetry(g: Goal) -> None:
    """The same computation."""
    (p,) = g.intro()
    g.conj(lambda g: form(g, p, "T(A)"), lambda g: form(g, p, "A"))


@part(
    ID,
    "without-nonnegativity",
    f"ex d:Z, A B:M(d,d). T(B) = B and not {psd('A @ B @ T(A)')} and not {psd('T(A) @ B @ A')}",
    says="without a nonnegative form the conclusion fails: A = 1, B = -1",
)
def forms_need_nonnegativity(g: Goal) -> None:
    """d = 1, A = 1, B = -1."""
    g.witness("1", "[[1]]", "[[-1]]")

    def fails(g: Goal) -> None:
        h = g.assume()
        k = g.apply(h, "[[1]]")
        g.pos([f"@{k}"], ["1"])

    g.conj(lambda g: g.ext(lambda g: g.field()), fails, fails)
