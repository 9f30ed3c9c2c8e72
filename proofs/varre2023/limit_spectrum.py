"""Corollary 3.1: the singular values of the limits of the layers."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.projection_steps import VARS
from proofs.varre2023.residual_decay import LEMMA, NO_RESTRICTION, TWO_WITH_TARGET
from verify.kernel import Goal
from verify.registry import holds, part

SHARED = "varre2023.step-b-shared-singular-values"
LEADING = "varre2023.cor-3-1-leading"


@part(
    SHARED,
    "equal-grams",
    "all m n q i:Z, X:M(m,n), Y:M(q,n). T(X) @ X = T(Y) @ Y => 1 <= i => i <= n => sv(X,i) = sv(Y,i)",
    says="equal Gram matrices, equal singular values",
)
def equal_grams_have_equal_singular_values(g: Goal) -> None:
    """The squares are the eigenvalues of the Gram matrix."""
    same = g.intro()[0]
    a, b = g.by_fact("sv_gram", "m", "n", "i", "X"), g.by_fact("sv_gram", "q", "n", "i", "Y")
    squares = g.have("sv(X,i)^2 = sv(Y,i)^2", lambda g: (g.rewrite(a), g.rewrite(b), g.rewrite(same), g.refl()))
    low, _ = g.split(g.apply(g.fact("sv_range", "m", "n", "X"), "i", "i"))
    low2, _ = g.split(g.apply(g.fact("sv_range", "q", "n", "Y"), "i", "i"))
    one, two = g.by_fact("sqrt_of_square", "sv(X,i)", by=[using(low)]), g.by_fact("sqrt_of_square", "sv(Y,i)", by=[using(low2)])
    g.have("sqrt(sv(X,i)^2) = sqrt(sv(Y,i)^2)", lambda g: (g.rewrite(squares), g.refl()), name="roots")
    g.field(("roots", 1), (one, -1), (two, 1))


@holds(
    SHARED,
    """all p l k:Z, P:M(p,l), W1:M(p,l), W2:M(l,k), Z1:M(p,p), Z2:M(p,k). P @ T(P) = I(p) => W1 = Z1 @ P => W2 = T(P) @ Z2 =>
       (all i:Z. 1 <= i => i <= p => sv(W1,i) = sv(Z1,i)) and (all i:Z. 1 <= i => i <= k => sv(W2,i) = sv(Z2,i))""",
    argument="sound",
    reading="of W_2 and Z_2 the k largest, among them zeros when k exceeds the number of rows",
)
def layers_share_their_singular_values(g: Goal) -> None:
    """The Gram matrices W1 W1^T = Z1 Z1^T and W2^T W2 = Z2^T Z2 agree."""
    ortho, one, two = g.intro()

    def first(g: Goal) -> None:
        g.fix("i")
        low, high = g.assume(), g.assume()
        gram = g.have("T(T(W1)) @ T(W1) = T(T(Z1)) @ T(Z1)", lambda g: g.nc((ortho, 1, "Z1", "T(Z1)"), rw=[one]))
        h = g.lemma(
            SHARED, "part:equal-grams", *("l", "p", "p", "i", "T(W1)", "T(Z1)"), by=[using(gram), using(low), using(high)]
        )
        a, b = g.fact("sv_transpose", "p", "l", "i", "W1"), g.fact("sv_transpose", "p", "p", "i", "Z1")
        g.field((h, 1), (a, -1), (b, 1))

    def second(g: Goal) -> None:
        g.fix("i")
        low, high = g.assume(), g.assume()
        gram = g.have("T(W2) @ W2 = T(Z2) @ Z2", lambda g: g.nc((ortho, 1, "T(Z2)", "Z2"), rw=[two]))
        g.close_by(
            g.lemma(SHARED, "part:equal-grams", *("l", "k", "p", "i", "W2", "Z2"), by=[using(gram), using(low), using(high)])
        )

    g.conj(first, second)


LEAST = f"X @ S = Y => (all C:M(p,k). X @ C = Y => {size('S')} <= {size('C')}) =>"
"""S is the minimum-norm interpolator beta_*."""
WITH_LEAST = TWO_WITH_TARGET.replace(", b:M(p,k).", ", b:M(p,k), S:M(p,k).", 1).replace(
    "0 < c =>", f"1 <= p => {LEAST} 0 < c =>", 1
)
ALL_VARS = (*VARS, "b", "S")


@part(
    LEADING,
    "spectrum",
    f"""{WITH_LEAST} ex A:M(p,l), B:M(l,k). tends(t, W1(t), A) and tends(t, W2(t), B) and
       (all i:Z. 1 <= i => i <= p => sv(A,i)^2 = c + sqrt(c^2 + sv(S,i)^2)) and
       (all i:Z. 1 <= i => i <= k => sv(B,i)^2 = -c + sqrt(c^2 + sv(S,i)^2)) and (all i:Z. k < i => sv(S,i) = 0) and
       (all i:Z. 0 <= sv(A,i) and 0 <= sv(S,i) and 0 <= sv(B,i))""",
    says="the squared singular values of both limits",
    uses=["varre2023.thm-3-1-i", LEMMA, SHARED, "varre2023.step-c-10-quadratic-identities"],
)
def spectrum_of_the_limits(g: Goal) -> None:
    """The limit keeps the invariant, and its product is beta_*."""
    names = g.intro()
    target, _many, fits_s, least_s = names[:4]
    setting = [target, *names[4:9]]
    ortho = setting[2]
    done = g.lemma("varre2023.thm-3-1-i", "part:limit", *VARS, "b", by=[using(n) for n in setting])
    a, b, fits, invariant, spanned = g.obtain(done, "A", "B")
    span = g.obtain(spanned, "L")[0]
    fit = g.have("X @ (A @ B) = Y", lambda g: g.nc((fits, 1, None, None)))
    unique = g.lemma(LEMMA, "part:least-norm", *("n", "p", "k", "X", "Y", "A @ B", "L"), by=[using(span), using(fit)])
    _, only = g.split(g.apply(unique, "S", by=[using(fits_s)]))
    smaller = g.apply(least_s, "A @ B", by=[using(fit)])
    product = g.apply(only, by=[using(smaller)])
    g.witness("A @ P", "T(P) @ B")
    shared = g.lemma(SHARED, "statement", *("p", "l", "k", "P", "A @ P", "T(P) @ B", "A", "B"), by=[using(ortho), None, None])
    one, two = g.split(shared)

    def values(which: int) -> object:
        def script(g: Goal) -> None:
            g.fix("i")
            low, high = g.assume(), g.assume()
            role = "part:first-layer" if which == 0 else "part:second-layer"
            h = g.lemma(
                "varre2023.step-c-10-quadratic-identities",
                role,
                *("p", "k", "i", "c", "A", "B"),
                by=[using(setting[1]), using(invariant), using(low), using(high)],
            )
            value = g.split(h)[1]
            same = g.apply((one, two)[which], "i", by=[using(low), using(high)])
            g.rewrite(same)
            g.rewrite(product)
            g.close_by(value)

        return script

    def none(g: Goal) -> None:
        g.fix("i")
        g.assume()
        svd = g.obtain(g.fact("svd", "p", "k", "S"), "U", "V", "D0")
        entry = g.apply(svd[4], "i")
        out = g.apply(g.fact("entry_outside", "p", "k", "D0"), "i", "i", n=0)
        zero = g.apply(out, by=[lambda g: (g.left_or_right(3), g.auto())])
        g.field((entry, -1), (zero, 1))

    def signs(g: Goal) -> None:
        g.fix("i")
        for m, n, x in (("p", "l", "A @ P"), ("p", "k", "S"), ("l", "k", "T(P) @ B")):
            g.split(g.apply(g.fact("sv_range", m, n, x), "i", "i"))
        g.conj(None, None, None)

    g.conj(using(a), using(b), values(0), values(1), none, signs)  # type: ignore[arg-type]


def spectrum(g: Goal, names: list[str]) -> list[str]:
    """The limits A, B and what is known of their singular values, from the names of the nine hypotheses."""
    return g.obtain(g.lemma(LEADING, "part:spectrum", *ALL_VARS, by=[using(n) for n in names[:9]]), "A", "B")


@holds(
    LEADING,
    f"""{WITH_LEAST} ex A:M(p,l). tends(t, W1(t), A) and
       all i:Z. 1 <= i => i <= k => i <= p => sv(A,i) = (sqrt(sv(S,i)^2 + c^2) + c)^(1/2)""",
    argument="sound",
    reading=f"{NO_RESTRICTION}; S is beta_*; indices beyond d, where W_1 has no singular value, are left out",
)
def leading_singular_values(g: Goal) -> None:
    """The root of the square."""
    names = g.intro()
    limit, _, first, _, _, signs = spectrum(g, names)
    g.witness("A")

    def value(g: Goal) -> None:
        g.fix("i")
        for _ in range(3):
            g.assume()
        h = g.apply(first, "i")
        low = g.split(g.apply(signs, "i"))[0]
        g.have("0 < sv(S,i)^2 + c^2")
        root = g.by_fact("sqrt_unique", "c + sqrt(c^2 + sv(S,i)^2)", "sv(A,i)", by=[using(low), using(h)])
        g.have("0 < c + sqrt(c^2 + sv(S,i)^2)")
        g.rewrite(root, back=True)
        g.field()

    g.conj(using(limit), value)


@holds(
    "varre2023.cor-3-1-trailing",
    f"{WITH_LEAST} ex A:M(p,l). tends(t, W1(t), A) and all i:Z. 1 <= i => k < i => i <= p => sv(A,i) = (2*c)^(1/2)",
    argument="sound",
    reading=f"{NO_RESTRICTION}; indices are at least 1",
    uses=[LEADING],
)
def trailing_singular_values(g: Goal) -> None:
    """The singular values of beta_* beyond the k-th are 0."""
    names = g.intro()
    limit, _, first, _, none, signs = spectrum(g, names)
    g.witness("A")

    def value(g: Goal) -> None:
        g.fix("i")
        for _ in range(3):
            g.assume()
        h, zero = g.apply(first, "i"), g.apply(none, "i")
        low = g.split(g.apply(signs, "i"))[0]
        square = g.have("sv(A,i)^2 = 2*c", lambda g: (g.rewrite(h), g.rewrite(zero), g.field()))
        root = g.by_fact("sqrt_unique", "2*c", "sv(A,i)", by=[using(low), using(square)])
        g.rewrite(root, back=True)
        g.field()

    g.conj(using(limit), value)


@holds(
    "varre2023.assertion-w2-singular-values",
    f"""{WITH_LEAST} ex B:M(l,k). tends(t, W2(t), B) and all i:Z. 1 <= i => i <= k => sv(B,i)^2 = -c + sqrt(c^2 + sv(S,i)^2)""",
    argument="sound",
    reading=f"{NO_RESTRICTION}; the formula of Lemma C.10 at the limit",
    uses=[LEADING],
)
def singular_values_of_the_second_layer(g: Goal) -> None:
    """Part of the spectrum."""
    names = g.intro()
    _, limit, _, second, _, _ = spectrum(g, names)
    g.witness("B")
    g.conj(using(limit), using(second))


@holds(
    "varre2023.assertion-general-data-unbalanced",
    f"""{WITH_LEAST} T(W1(0)) @ W1(0) - W2(0) @ T(W2(0)) = (2*c)*(T(P) @ P) and (2*c)*(T(P) @ P) != O(l,l) and
       ex A:M(p,l). tends(t, W1(t), A) and all i:Z. 1 <= i => i <= p => sv(A,i) = (sqrt(sv(S,i)^2 + c^2) + c)^(1/2)""",
    argument="sound",
    reading="no hypothesis on X but that an interpolator exists; the start has the imbalance 2 gamma P^T P, which is not 0, so it is not balanced; the formula for "
    "all d singular values (beyond the k-th those of beta_* are 0)",
    uses=[LEADING],
)
def spectrum_for_general_data(g: Goal) -> None:
    """The invariant at the start; P P^T = I."""
    names = g.intro()
    ortho, start, zero = names[5:8]
    limit, _, first, _, _, signs = spectrum(g, names)

    def unbalanced(g: Goal) -> None:
        eq = g.contra()
        none = g.have(
            "I(p) = O(p,p)", lambda g: g.nc((eq, "1/(2*c)", "P", "T(P)"), (ortho, -1, None, "P @ T(P)"), (ortho, -1, None, None))
        )
        e = g.have("I(p)[1,1] = O(p,p)[1,1]", lambda g: g.ctx(using(none)))
        g.pos([], eqs=[(e, -1)])

    def value(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        h = g.apply(first, "i")
        low = g.split(g.apply(signs, "i"))[0]
        g.have("0 < sv(S,i)^2 + c^2")
        root = g.by_fact("sqrt_unique", "c + sqrt(c^2 + sv(S,i)^2)", "sv(A,i)", by=[using(low), using(h)])
        g.have("0 < c + sqrt(c^2 + sv(S,i)^2)")
        g.rewrite(root, back=True)
        g.field()

    g.conj(
        lambda g: g.nc(rw=[start, zero]),
        unbalanced,
        lambda g: (g.witness("A"), g.conj(using(limit), value)),
    )
