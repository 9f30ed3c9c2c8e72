"""The product as a power of the factor: its diagonal, projections, diagonalisation; two statements with a misprinted symbol."""

from __future__ import annotations

from proofs.shin2025.diagonal_flow import CONTEXT, in_setting
from proofs.shin2025.equal_layers import LAYER, at_initial, from_initial, inside
from proofs.shin2025.factor_spectrum import USES, entries, lam1, lam2, spectrum, values
from proofs.shin2025.singular_values_i_j import MATRIX
from proofs.shin2025.stationary import close_all, still
from proofs.shin2025.theorem_four import by_index
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

SQUARE = "((1/2)*I(2) + (1/2)*J(2))"
AT_REST = ["2", "2", "5/4", "1", "2", f"lam l:Z, t:R. {SQUARE}", f"lam l:Z, t:R. {SQUARE}^l", f"lam l:Z, t:R. {SQUARE}^(2-l)"]
"""d = 2, L = 2, w* = 5/4, alpha = 1, m = 2: the start has zero loss, so the flow stays there."""


def at_rest(g: Goal, last: Script) -> None:
    """The hypotheses of the setting for the stationary flow, then what is refuted."""
    g.witness(*AT_REST)

    def products(g: Goal) -> None:
        def up(g: Goal) -> None:
            g.intro()
            h = g.by_fact("mpow_add", "2", "1", "l", SQUARE)
            g.replace(f"{SQUARE}^(l+1)", f"{SQUARE}^(1+l)", lambda g: g.ctx())
            g.rewrite(h)
            g.nc()

        def down(g: Goal) -> None:
            g.intro()
            g.by_fact("int_lt", "l", "2")
            h = g.by_fact("mpow_add", "2", "2 - (l+1)", "1", SQUARE)
            g.replace(f"{SQUARE}^(2-l)", f"{SQUARE}^(2-(l+1)+1)", lambda g: g.ctx())
            g.replace("2 - (l+1) + 1", "(2 - (l+1)) + 1")
            g.rewrite(h)
            g.nc()

        g.conj(lambda g: (g.intro(), g.nc())[-1], up, lambda g: (g.intro(), g.nc())[-1], down)

    close_all(g, None, None, None, None, None, products, still(f"{SQUARE}^2", "5/4"), lambda g: (g.intro(), g.nc())[-1], last)


@holds(
    "shin2025.eq-f3-wii",
    in_setting(f"""all l i:Z, t:R. {LAYER} => 1 <= i and i <= d => 0 <= t => P(L,t)[i,i] = (W(l,t)^L)[i,i] and
        P(L,t)[i,i] = ({lam1()}^L + (d-1)*{lam2()}^L)/d"""),
    argument="sound",
    context=CONTEXT,
    uses=[*USES, "shin2025.proof-step-power"],
)
def diagonal_of_the_product(g: Goal) -> None:
    """The product is the power L of the common factor."""
    from_initial(g)
    g.intro()
    s = spectrum(g)
    factor, product, *_ = s.at(g, "t")
    x, y = entries(g, factor)
    p = power_of_factor(g)
    g.rewrite(x)
    g.rewrite(y)
    inside(g)
    g.conj(lambda g: (g.rewrite(p), g.refl())[-1], lambda g: (g.rewrite(product), g.field())[-1])


def power_of_factor(g: Goal) -> str:
    """P(L,t) = W(l,t)^L."""
    p = g.apply(g.split(g.apply(at_initial(g, "powers"), "t"))[0], "L")
    w = g.apply(g.apply(at_initial(g, "equal-layers"), "l"), "t")
    return g.have("P(L,t) = W(l,t)^L", lambda g: (g.rewrite(w), g.close_by(p))[-1])


PROJECTED = "W(l,t) = {0}*((1/d)*J(d)) + {1}*(I(d) - (1/d)*J(d))"


@refuted(
    "shin2025.proof-step-projection",
    in_setting(f"all l:Z, t:R. {LAYER} => 0 <= t => {PROJECTED.format('eig(P(L,t),1)', 'eig(P(L,t),2)')}"),
    argument="repaired",
    context=CONTEXT + "; lambda_i are the eigenvalues of the product, as announced there [notation]",
    readings=[
        (
            "lambda_i are the eigenvalues of the factor W_l(t), as the step before it and the next one use them",
            "holds",
            "factor-eigenvalues",
        )
    ],
    reason=(
        "A slip of notation: lambda_i(W_{L:1}(t)) for lambda_i(W_l(t)). "
        "d = L = 2, m = 2, alpha = 1, w* = 5/4: nothing moves; the first eigenvalue of the product is 9/4, that of the factor 3/2"
    ),
)
def projection_form_with_eigenvalues_of_the_product(g: Goal) -> None:
    """At rest the form would give 1^T W 1 = 2 lambda_1, that is lambda_1 = 3/2; but a Rayleigh quotient of the product is 9/4."""

    def last(g: Goal) -> None:
        g.witness("1", "0")
        close_all(g, None, None, different)

    def different(g: Goal) -> None:
        eq = g.contra()
        p = f"{SQUARE}^2"
        sym = g.have(f"T({p}) = {p}", lambda g: g.nc())
        r = g.by_fact("eig_rayleigh", "2", p, "J(2,1)", by=[lambda g: g.close_by(sym), None])
        high = g.split(r)[1]
        x = g.have(f"tr(T(J(2,1)) @ {p} @ J(2,1)) = 9/2", lambda g: g.field())
        n = g.have("tr(T(J(2,1)) @ J(2,1)) = 2", lambda g: g.field())
        e = g.have(f"{SQUARE} @ J(2,1) = eig({p},1)*J(2,1)", lambda g: g.nc((eq, 1, None, "J(2,1)")))
        e = g.have(f"tr(J(1,2) @ ({SQUARE} @ J(2,1))) = tr(J(1,2) @ (eig({p},1)*J(2,1)))", lambda g: (g.rewrite(e), g.refl())[-1])
        v = g.have(f"eig({p},1) = 3/2", lambda g: g.field((e, "-1/2")))
        g.pos([f"@{high}"], ["3/2"], eqs=[(x, 1), (n, f"-eig({p},1)"), (v, -2)])

    at_rest(g, last)


@part(
    "shin2025.proof-step-projection",
    "eigenvalues",
    f"""all d:Z, a b:R, X:M(d,d). 1 <= d => 0 <= b => b <= a => X = {MATRIX} =>
        eig(X,1) = a and all i:Z. 2 <= i and i <= d => eig(X,i) = b""",
    says="the eigenvalues of a two-valued matrix",
    uses=["shin2025.proof-step-lambda-positive"],
)
def eigenvalues_of_a_two_valued_matrix(g: Goal) -> None:
    """X = Y^T Y for the matrix Y of the same form with the roots of a and b; the eigenvalues of X are the squares of the
    singular values of Y."""
    d, blo, order, x = g.intro()
    ra, rb = g.by_fact("sqrt_sq", "a"), g.by_fact("sqrt_sq", "b")
    y = "(sqrt(b)*I(d) + ((sqrt(a) - sqrt(b))/d)*J(d))"
    low, mono = g.by_fact("sqrt_nonneg", "b"), g.by_fact("sqrt_mono", "b", "a")
    one, others = g.split(
        g.lemma(
            "shin2025.proof-step-lambda-positive",
            "part:singular-values",
            "d",
            "sqrt(a)",
            "sqrt(b)",
            y,
            by=[None, lambda g: g.close_by(low), lambda g: g.close_by(mono), Goal.refl],
        )
    )
    square = g.have(f"T({y}) @ {y} = sqrt(b)^2*I(d) + ((sqrt(a)^2 - sqrt(b)^2)/d)*J(d)", lambda g: g.nc())
    square = g.rewritten(g.rewritten(square, ra), rb)
    square = g.have(f"T({y}) @ {y} = X", lambda g: (g.rewrite(x), g.close_by(square))[-1])

    def rest(g: Goal) -> None:
        g.intro()
        gram = g.rewritten(g.by_fact("sv_gram", "d", "d", "i", y), square)
        e = g.apply(others, "i")
        g.field((gram, -1), (e, f"sv({y},i) + sqrt(b)"), (rb, 1))

    gram = g.rewritten(g.by_fact("sv_gram", "d", "d", "1", y), square)
    g.conj(lambda g: g.field((gram, -1), (one, f"sv({y},1) + sqrt(a)"), (ra, 1)), rest)
    del d, blo, order


FACTOR_FORM = in_setting(f"all l:Z, t:R. {LAYER} => 0 <= t => {PROJECTED.format('eig(W(l,t),1)', 'eig(W(l,t),2)')}")


@part(
    "shin2025.proof-step-projection",
    "factor-eigenvalues",
    FACTOR_FORM,
    says="with the eigenvalues of the factor W_l(t)",
    uses=USES,
)
def projection_form_with_eigenvalues_of_the_factor(g: Goal) -> None:
    """The two-value form has the eigenvalues x + (d-1) y, once, and x - y."""
    from_initial(g)
    g.intro()
    s = spectrum(g)
    w = g.apply(s.at(g, "t")[0], "l")
    one, others = g.split(
        g.lemma(
            "shin2025.proof-step-projection", "part:eigenvalues", "d", "a(t)", "b(t)", "W(l,t)",
            by=[None, None, None, lambda g: g.close_by(w)],
        )
    )  # fmt: skip
    two = g.apply(others, "2")
    g.rewrite(one)
    g.rewrite(two)
    g.nc((w, 1, None, None))


@amendment(
    "shin2025.proof-step-projection",
    FACTOR_FORM,
    says="with the eigenvalues of the factor W_l(t), the largest and the second, not those of the product",
)
def the_eigenvalues_belong_to_the_factor(g: Goal) -> None:
    """See the reading."""
    g.close_by(g.lemma("shin2025.proof-step-projection", "part:factor-eigenvalues"))


POWER_FORM = """P(L,t) = W(l,t)^L and (all S D:M(d,d). T(S) @ S = I(d) => W(l,t) = S @ D @ T(S) => P(L,t) = S @ D^L @ T(S))"""


@part(
    "shin2025.proof-step-power-diagonalisation",
    "conjugate",
    "all d n:Z, S D:M(d,d). T(S) @ S = I(d) => 1 <= n => (S @ D @ T(S))^n = S @ D^n @ T(S)",
)
def power_of_a_conjugate(g: Goal) -> None:
    """Induction."""
    g.fix("d", "m", "S", "D")
    g.assume("orth")
    g.assume()

    def powers(g: Goal) -> None:
        g.induct("n", "ih")

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "1", "n")
            h = g.apply("ih", "n - 1")
            a = g.by_fact("mpow_add", "d", "1", "n - 1", "S @ D @ T(S)")
            b = g.by_fact("mpow_add", "d", "1", "n - 1", "D")
            g.replace("(S @ D @ T(S))^n", "(S @ D @ T(S))^(1 + (n - 1))", lambda g: g.ctx())
            g.replace("D^n", "D^(1 + (n - 1))", lambda g: g.ctx())
            g.rewrite(a)
            g.rewrite(b)
            g.nc((h, 1, "S @ D @ T(S)", None), rw=["orth"])

        g.cases(g.by_fact("lt_or_eq", "1", "n"), more, lambda g: (g.have("n = 1"), g.replace("n", "1"), g.nc())[-1])

    h = g.have("all n:Z. 1 <= n => (S @ D @ T(S))^n = S @ D^n @ T(S)", powers)
    g.close_by(g.apply(h, "m"))


def conjugated(g: Goal, p: str) -> None:
    g.fix()
    orth = g.assume()
    w = g.assume()
    h = g.lemma("shin2025.proof-step-power-diagonalisation", "part:conjugate", "d", "L", "S", "D")
    del orth
    g.rewrite(p)
    g.rewrite(w)
    g.close_by(h)


@refuted(
    "shin2025.proof-step-power-diagonalisation",
    in_setting(
        f"all l:Z, t:R. {LAYER} => 0 <= t => {POWER_FORM} and all i:Z. 1 <= i and i <= d => sv(P(L,t),i) = sv(P(L,t),i)^L"
    ),
    argument="fails",
    context=CONTEXT,
    reason=(
        "d = L = 2, m = 2, alpha = 1, w* = 5/4: nothing moves; the product has the singular value 9/4, which is not its square"
    ),
    uses=["shin2025.proof-step-lambda-positive"],
)
def singular_values_of_the_product_as_their_own_powers(g: Goal) -> None:
    """The first singular value of the product at rest is 9/4."""

    def last(g: Goal) -> None:
        g.witness("1", "0")
        close_all(g, None, None, lambda g: (g.left_or_right(2), different(g))[-1])

    def different(g: Goal) -> None:
        g.witness("1")
        p = f"{SQUARE}^2"
        one, _ = g.split(
            g.lemma(
                "shin2025.proof-step-lambda-positive",
                "part:singular-values",
                "2",
                "9/4",
                "1/4",
                p,
                by=[None, None, None, lambda g: g.nc()],
            )
        )
        g.conj(None, lambda g: (g.rewrite(one), g.ball())[-1])

    at_rest(g, last)


@amendment(
    "shin2025.proof-step-power-diagonalisation",
    in_setting(
        f"all l:Z, t:R. {LAYER} => 0 <= t => {POWER_FORM} and all i:Z. 1 <= i and i <= d => sv(P(L,t),i) = sv(W(l,t),i)^L"
    ),
    says="the singular values of the product are the L-th powers of those of the factor",
    uses=[*USES, "shin2025.proof-step-lambda-positive"],
)
def singular_values_of_the_product_as_powers_of_those_of_the_factor(g: Goal) -> None:
    """Both matrices have the two-value form, with eigenvalues a, b and a^L, b^L."""
    from_initial(g)
    g.intro()
    p = power_of_factor(g)

    def singular(g: Goal) -> None:
        g.intro()
        s = spectrum(g)
        factor, product, *_ = s.at(g, "t")
        x, y = values(g, factor)
        g.by_fact("ipow_mono", "b(t)", "a(t)", "L")
        u, v = g.split(
            g.lemma(
                "shin2025.proof-step-lambda-positive",
                "part:singular-values",
                "d",
                "a(t)^L",
                "b(t)^L",
                "P(L,t)",
                by=[None, None, None, lambda g: g.close_by(product)],
            )
        )
        by_index(
            g,
            lambda g: (g.replace("i", "1"), g.rewrite(u), g.rewrite(x), g.refl())[-1],
            lambda g: (g.rewrite(g.apply(v, "i")), g.rewrite(g.apply(y, "i")), g.refl())[-1],
        )

    g.conj(lambda g: g.close_by(p), lambda g: conjugated(g, p), singular)
