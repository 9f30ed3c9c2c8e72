"""Lemma C.10: the singular values of the layers are determined by those of beta."""

from __future__ import annotations

from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import BETA, PROJECTED
from verify.kernel import Goal
from verify.registry import holds

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
    low = g.by_fact("eig_lower_bound", "k", 0, S2, by=[None, None, nonnegative])
    mapped = g.by_fact("eig_quadratic", "k", "i", "2*c", 0, S2, by=[None, None, None, lambda g: g.pos(["2", f"@{low}"], ["2*c"])])
    same = g.have(("=", g.term(B_RIGHT), g.hyp_formula(mapped)[1][2]), lambda g: g.nc((h, 1, None, None)))
    own = g.by_fact("sv_gram", "p", "k", "i", "Z2(t)")
    whole = g.by_fact("sv_gram", "p", "k", "i", BETA)
    value = g.have(f"sv({BETA},i)^2 = sv(Z2(t),i)^4 + 2*c*sv(Z2(t),i)^2", lambda g: root_equation(g, whole, same, mapped, own))
    root = g.by_fact("sqrt_unique", f"c^2 + sv({BETA},i)^2", "sv(Z2(t),i)^2 + c", by=[None, lambda g: g.field((value, -1))])
    final = g.have(f"sv(Z2(t),i)^2 = -c + sqrt(c^2 + sv({BETA},i)^2)", lambda g: g.field((root, -1)))
    g.conj(lambda g: (g.rewrite(own, back=True), g.rewrite(whole, back=True), g.close_by(final)), lambda g: g.close_by(final))


def nonnegative(g: Goal) -> None:
    """v^T Z^T Z v is a squared norm."""
    g.intro()
    square = g.have("0 <= tr(T(Z2(t) @ v) @ (Z2(t) @ v))")
    g.pos([f"@{square}"])


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

    def bounded(g: Goal) -> None:
        g.intro()
        square = g.have("0 <= tr(T(T(Z2(t)) @ v) @ (T(Z2(t)) @ v))")
        gram = g.have("T(Z1(t)) @ Z1(t) = (2*c)*I(p) + Z2(t) @ T(Z2(t))", lambda g: g.nc((isotropic, 1, None, None)))
        g.rewrite(gram)
        g.pos([f"@{square}"])

    low = g.by_fact("eig_lower_bound", "p", "2*c", "T(Z1(t)) @ Z1(t)", by=[None, None, bounded])

    def gram_of(g: Goal, i: str) -> str:
        """sv(Z1,i)^2 = eig(Z1 Z1^T, i)."""
        a = g.by_fact("sv_gram", "p", "p", i, "T(Z1(t))")
        b = g.fact("sv_transpose", "p", "p", i, "Z1(t)")
        plain = g.have(f"T(T(Z1(t))) @ T(Z1(t)) = {S1}", lambda g: g.nc())
        return g.have(
            f"sv(Z1(t),{i})^2 = eig({S1},{i})", lambda g: (g.rewrite(b, back=True), g.rewrite(plain, back=True), g.close_by(a))
        )

    own, last = gram_of(g, "i"), gram_of(g, "p")
    least = g.by_fact("sv_gram", "p", "p", "p", "Z1(t)")
    floor = g.have("2*c <= sv(Z1(t),p)^2", lambda g: (g.rewrite(least), g.close_by(low)))
    order = g.fact("sv_range", "p", "p", "Z1(t)")
    _, between = g.split(g.apply(order, "i", "p"))
    g.apply(between)
    _positive, _ = g.split(g.apply(order, "p", "p"))
    higher = g.by_fact("ipow_mono", "sv(Z1(t),p)", "sv(Z1(t),i)", 2)
    mapped = g.by_fact(
        "eig_quadratic",
        "p",
        "i",
        "-2*c",
        0,
        S1,
        by=[None, None, None, lambda g: (g.rewrite(last, back=True), g.pos(["2", f"@{floor}"], ["2*c"]))],
    )
    same = g.have(("=", g.term(B_LEFT), g.hyp_formula(mapped)[1][2]), lambda g: g.nc((h, -1, None, None)))
    whole_t = g.by_fact("sv_gram", "k", "p", "i", f"T({BETA})")
    turned = g.fact("sv_transpose", "p", "k", "i", BETA)
    plain = g.have(f"T(T({BETA})) @ T({BETA}) = {B_LEFT}", lambda g: g.nc())
    whole = g.have(
        f"sv({BETA},i)^2 = eig({B_LEFT},i)",
        lambda g: (g.rewrite(turned, back=True), g.rewrite(plain, back=True), g.close_by(whole_t)),
    )
    value = g.have(f"sv({BETA},i)^2 = sv(Z1(t),i)^4 - 2*c*sv(Z1(t),i)^2", lambda g: root_equation(g, whole, same, mapped, own))
    root = g.by_fact(
        "sqrt_unique",
        f"c^2 + sv({BETA},i)^2",
        "sv(Z1(t),i)^2 - c",
        by=[lambda g: g.pos([f"@{higher}"], [f"@{floor}"], ["c"]), lambda g: g.field((value, -1))],
    )
    final = g.have(f"sv(Z1(t),i)^2 = c + sqrt(c^2 + sv({BETA},i)^2)", lambda g: g.field((root, -1)))
    g.conj(lambda g: (g.rewrite(own, back=True), g.rewrite(whole, back=True), g.close_by(final)), lambda g: g.close_by(final))
