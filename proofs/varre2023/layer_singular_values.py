"""Lemma C.10: the singular values of the layers are determined by those of beta."""

from __future__ import annotations

from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import BETA, PROJECTED
from verify.kernel import Goal
from verify.registry import holds, part

S2 = "T(Z2(t)) @ Z2(t)"
S1 = "Z1(t) @ T(Z1(t))"
B_RIGHT, B_LEFT = f"T({BETA}) @ {BETA}", f"{BETA} @ T({BETA})"


@holds(
    "varre2023.step-c-10-quadratic-identities",
    f"""{PROJECTED} all t:R. 0 <= t => {B_RIGHT} - ({S2})^2 = (2*c)*({S2}) and ({S1})^2 - {B_LEFT} = (2*c)*({S1})""",
    argument="sound",
    uses=["varre2023.lemma-3-2"],
)
def quadratic_identities(g: Goal) -> None:
    """The invariant between Z2^T and Z2, and between Z1 and Z1^T."""
    names = g.intro()
    h = setting_lemma(g, "varre2023.lemma-3-2", "statement", names)
    g.conj(lambda g: g.nc((h, 1, "T(Z2(t))", "Z2(t)")), lambda g: g.nc((h, 1, "Z1(t)", "T(Z1(t))")))


def diagonalised(n: str, x: str, y: str) -> str:
    """x and y have a common orthonormal basis of eigenvectors."""
    return (
        f"(ex U:M({n},{n}). T(U) @ U = I({n}) and "
        f"all i j:Z. i != j => (T(U) @ ({x}) @ U)[i,j] = 0 and (T(U) @ ({y}) @ U)[i,j] = 0)"
    )


@holds(
    "varre2023.step-c-10-commutation",
    f"""{PROJECTED} all t:R. 0 <= t => ({B_RIGHT}) @ ({S2}) = ({S2}) @ ({B_RIGHT}) and ({B_LEFT}) @ ({S1}) = ({S1}) @ ({B_LEFT}) and
       {diagonalised("k", B_RIGHT, S2)} and {diagonalised("p", B_LEFT, S1)}""",
    argument="sound",
    uses=["varre2023.step-c-10-quadratic-identities"],
)
def grams_commute(g: Goal) -> None:
    """By the quadratic identities one is a polynomial of the other; commuting symmetric matrices have a common eigenbasis."""
    names = g.intro()
    a, b = g.split(setting_lemma(g, "varre2023.step-c-10-quadratic-identities", "statement", names))
    right = g.have(f"({B_RIGHT}) @ ({S2}) = ({S2}) @ ({B_RIGHT})", lambda g: g.nc((a, 1, None, S2), (a, -1, S2, None)))
    left = g.have(f"({B_LEFT}) @ ({S1}) = ({S1}) @ ({B_LEFT})", lambda g: g.nc((b, -1, None, S1), (b, 1, S1, None)))
    basis_right = g.by_fact("simultaneous_diagonalisation", "k", B_RIGHT, S2, by=[None, None, lambda g: g.exact(right)])
    basis_left = g.by_fact("simultaneous_diagonalisation", "p", B_LEFT, S1, by=[None, None, lambda g: g.exact(left)])
    closing = [lambda g, h=h: g.close_by(h) for h in (right, left, basis_right, basis_left)]
    g.conj(*closing)


@holds(
    "varre2023.lemma-c-10-z2",
    f"""{PROJECTED} all t:R, i:Z. 0 <= t => 1 <= i => i <= k =>
       eig({S2}, i) = -c + sqrt(c^2 + eig({B_RIGHT}, i)) and sv(Z2(t),i)^2 = -c + sqrt(c^2 + sv({BETA},i)^2)""",
    argument="sound",
    uses=["varre2023.step-c-10-quadratic-identities"],
    reading="D_A^2 holds the eigenvalues of A^T A (Definition C.9), here for any k and d",
)
def second_layer(g: Goal) -> None:
    """beta^T beta = S^2 + 2 gamma S with S = Z2^T Z2; the positive root of the quadratic equation."""
    names = g.intro()
    h, _ = g.split(setting_lemma(g, "varre2023.step-c-10-quadratic-identities", "statement", names))
    second_values(g, h, "Z1(t)", "Z2(t)")


def second_values(g: Goal, h: str, a: str, b: str) -> None:
    """The singular values of the second layer, from the quadratic identity h for B^T B."""
    beta, s2 = f"({a} @ {b})", f"T({b}) @ {b}"
    right = f"T({beta}) @ {beta}"

    def nonnegative(g: Goal) -> None:
        """v^T B^T B v is a squared norm."""
        g.intro()
        square = g.have(f"0 <= tr(T({b} @ v) @ ({b} @ v))")
        g.pos([f"@{square}"])

    low = g.by_fact("eig_lower_bound", "k", 0, s2, by=[None, None, nonnegative])
    mapped = g.by_fact("eig_quadratic", "k", "i", "2*c", 0, s2, by=[None, None, None, lambda g: g.pos(["2", f"@{low}"], ["2*c"])])
    same = g.have(("=", g.term(right), g.hyp_formula(mapped)[1][2]), lambda g: g.nc((h, 1, None, None)))
    own = g.by_fact("sv_gram", "p", "k", "i", b)
    whole = g.by_fact("sv_gram", "p", "k", "i", beta)
    value = g.have(f"sv({beta},i)^2 = sv({b},i)^4 + 2*c*sv({b},i)^2", lambda g: root_equation(g, whole, same, mapped, own))
    root = g.by_fact("sqrt_unique", f"c^2 + sv({beta},i)^2", f"sv({b},i)^2 + c", by=[None, lambda g: g.field((value, -1))])
    final = g.have(f"sv({b},i)^2 = -c + sqrt(c^2 + sv({beta},i)^2)", lambda g: g.field((root, -1)))
    g.conj(lambda g: (g.rewrite(own, back=True), g.rewrite(whole, back=True), g.close_by(final)), lambda g: g.close_by(final))


def root_equation(g: Goal, whole: str, same: str, mapped: str, own: str) -> None:
    """The eigenvalue of beta^T beta by the spectral mapping."""
    g.rewrite(whole)
    g.rewrite(same)
    g.rewrite(mapped)
    g.rewrite(own, back=True)
    g.field()


@holds(
    "varre2023.lemma-c-10-z1",
    f"""{PROJECTED} all t:R, i:Z. 0 <= t => 1 <= i => i <= p =>
       eig({S1}, i) = c + sqrt(c^2 + eig({B_LEFT}, i)) and sv(Z1(t),i)^2 = c + sqrt(c^2 + sv({BETA},i)^2)""",
    argument="sound",
    uses=["varre2023.step-c-10-quadratic-identities", "varre2023.lemma-3-2"],
    reading="the tilde D_A^2 holds the eigenvalues of A A^T (Definition C.9), here for any k and d",
)
def first_layer(g: Goal) -> None:
    """beta beta^T = S^2 - 2 gamma S with S = Z1 Z1^T, whose eigenvalues are at least 2 gamma: the larger root."""
    names = g.intro()
    isotropic = setting_lemma(g, "varre2023.lemma-3-2", "statement", names)
    _, h = g.split(setting_lemma(g, "varre2023.step-c-10-quadratic-identities", "statement", names))
    first_values(g, isotropic, h, "Z1(t)", "Z2(t)")


def first_values(g: Goal, isotropic: str, h: str, a: str, b: str) -> None:
    """The singular values of the first layer, from the invariant and the quadratic identity h for A A^T."""
    beta, s1 = f"({a} @ {b})", f"{a} @ T({a})"
    left = f"{beta} @ T({beta})"

    def bounded(g: Goal) -> None:
        g.intro()
        square = g.have(f"0 <= tr(T(T({b}) @ v) @ (T({b}) @ v))")
        gram = g.have(f"T({a}) @ {a} = (2*c)*I(p) + {b} @ T({b})", lambda g: g.nc((isotropic, 1, None, None)))
        g.rewrite(gram)
        g.pos([f"@{square}"])

    low = g.by_fact("eig_lower_bound", "p", "2*c", f"T({a}) @ {a}", by=[None, None, bounded])

    def gram_of(g: Goal, i: str) -> str:
        """sv(Z1,i)^2 = eig(Z1 Z1^T, i)."""
        x = g.by_fact("sv_gram", "p", "p", i, f"T({a})")
        y = g.fact("sv_transpose", "p", "p", i, a)
        plain = g.have(f"T(T({a})) @ T({a}) = {s1}", lambda g: g.nc())
        return g.have(
            f"sv({a},{i})^2 = eig({s1},{i})", lambda g: (g.rewrite(y, back=True), g.rewrite(plain, back=True), g.close_by(x))
        )

    own, last = gram_of(g, "i"), gram_of(g, "p")
    least = g.by_fact("sv_gram", "p", "p", "p", a)
    floor = g.have(f"2*c <= sv({a},p)^2", lambda g: (g.rewrite(least), g.close_by(low)))
    order = g.fact("sv_range", "p", "p", a)
    _, between = g.split(g.apply(order, "i", "p"))
    g.apply(between)
    _positive, _ = g.split(g.apply(order, "p", "p"))
    higher = g.by_fact("ipow_mono", f"sv({a},p)", f"sv({a},i)", 2)
    mapped = g.by_fact(
        "eig_quadratic",
        "p",
        "i",
        "-2*c",
        0,
        s1,
        by=[None, None, None, lambda g: (g.rewrite(last, back=True), g.pos(["2", f"@{floor}"], ["2*c"]))],
    )
    same = g.have(("=", g.term(left), g.hyp_formula(mapped)[1][2]), lambda g: g.nc((h, -1, None, None)))
    whole_t = g.by_fact("sv_gram", "k", "p", "i", f"T({beta})")
    turned = g.fact("sv_transpose", "p", "k", "i", beta)
    plain = g.have(f"T(T({beta})) @ T({beta}) = {left}", lambda g: g.nc())
    whole = g.have(
        f"sv({beta},i)^2 = eig({left},i)",
        lambda g: (g.rewrite(turned, back=True), g.rewrite(plain, back=True), g.close_by(whole_t)),
    )
    value = g.have(f"sv({beta},i)^2 = sv({a},i)^4 - 2*c*sv({a},i)^2", lambda g: root_equation(g, whole, same, mapped, own))
    root = g.by_fact(
        "sqrt_unique",
        f"c^2 + sv({beta},i)^2",
        f"sv({a},i)^2 - c",
        by=[lambda g: g.pos([f"@{higher}"], [f"@{floor}"], ["c"]), lambda g: g.field((value, -1))],
    )
    final = g.have(f"sv({a},i)^2 = c + sqrt(c^2 + sv({beta},i)^2)", lambda g: g.field((root, -1)))
    g.conj(lambda g: (g.rewrite(own, back=True), g.rewrite(whole, back=True), g.close_by(final)), lambda g: g.close_by(final))


STATIC = "all p k i:Z, c:R, A:M(p,p), B:M(p,k). 0 < c => T(A) @ A - B @ T(B) = (2*c)*I(p) => 1 <= i =>"


@part(
    "varre2023.step-c-10-quadratic-identities",
    "first-layer",
    f"""{STATIC} i <= p => eig(A @ T(A), i) = c + sqrt(c^2 + eig((A @ B) @ T(A @ B), i)) and sv(A,i)^2 = c + sqrt(c^2 + sv(A @ B,i)^2)""",
    says="the singular values of the first layer, for any pair with the invariant",
)
def first_layer_of_a_pair(g: Goal) -> None:
    """The invariant between A and A^T."""
    names = g.intro()
    h = g.have("(A @ T(A))^2 - (A @ B) @ T(A @ B) = (2*c)*(A @ T(A))", lambda g: g.nc((names[1], 1, "A", "T(A)")))
    first_values(g, names[1], h, "A", "B")


@part(
    "varre2023.step-c-10-quadratic-identities",
    "second-layer",
    f"""{STATIC} i <= k => eig(T(B) @ B, i) = -c + sqrt(c^2 + eig(T(A @ B) @ (A @ B), i)) and sv(B,i)^2 = -c + sqrt(c^2 + sv(A @ B,i)^2)""",
    says="the singular values of the second layer, for any pair with the invariant",
)
def second_layer_of_a_pair(g: Goal) -> None:
    """The invariant between B^T and B."""
    names = g.intro()
    h = g.have("T(A @ B) @ (A @ B) - (T(B) @ B)^2 = (2*c)*(T(B) @ B)", lambda g: g.nc((names[1], 1, "T(B)", "B")))
    second_values(g, h, "A", "B")
