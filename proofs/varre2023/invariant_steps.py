"""The steps around the invariant Z1^T Z1 - Z2 Z2^T = 2 gamma I (proofs of Lemmas C.1 and C.3, Text after Lemma 3.2)."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import ALPHA, ALPHA_PATH, PROJECTED, RES, SETTING
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

RATE = f"(Z2(t) @ T({RES}) @ Z1(t) + T(Z1(t)) @ {RES} @ T(Z2(t)))"


@holds(
    "varre2023.step-c-1-derivatives",
    f"""{PROJECTED} all t:R. 0 <= t => D(s, T(Z1(s)) @ Z1(s), t) = {RATE} and D(s, Z2(s) @ T(Z2(s)), t) = {RATE} and
       D(s, T(Z1(s)) @ Z1(s) - Z2(s) @ T(Z2(s)), t) = O(p,p)""",
    argument="sound",
)
def derivatives_of_the_gram_matrices(g: Goal) -> None:
    """The product rule."""
    names = g.intro()
    a, b = g.split(g.apply(names[4], "t"))
    g.conj(*[lambda g: g.nc(rw=[a, b])] * 3)


@holds(
    "varre2023.step-c-1-initial",
    f"{PROJECTED} T(Z1(0)) @ Z1(0) - Z2(0) @ T(Z2(0)) = (2*c)*(P @ T(P)) and (2*c)*(P @ T(P)) = (2*c)*I(p)",
    argument="sound",
)
def initial_value_of_the_invariant(g: Goal) -> None:
    """P P^T = I."""
    names = g.intro()
    _, ortho, start, zero, _ = names
    g.conj(
        lambda g: g.nc((ortho, "2*c", "P @ T(P)", None), rw=[start, zero]),
        lambda g: g.nc((ortho, "2*c", None, None)),
    )


@holds(
    "varre2023.assertion-commuting-grams",
    f"{PROJECTED} all t:R. 0 <= t => (T(Z1(t)) @ Z1(t)) @ (Z2(t) @ T(Z2(t))) = (Z2(t) @ T(Z2(t))) @ (T(Z1(t)) @ Z1(t))",
    argument="sound",
    uses=["varre2023.lemma-3-2"],
)
def gram_matrices_commute(g: Goal) -> None:
    """They differ by a multiple of the identity."""
    names = g.intro()
    h = setting_lemma(g, "varre2023.lemma-3-2", "statement", names)
    g.nc((h, 1, None, "Z2(t) @ T(Z2(t))"), (h, -1, "Z2(t) @ T(Z2(t))", None))


CONSTANT_LIMIT = "bai2024.assertion-m2-nuclear-not-rank"
U = "(G @ X)"
PROJECTOR = "X @ G @ X = X => T(G @ X) = G @ X =>"
"""G X is the orthogonal projection onto the span of the rows of X, for G the pseudo-inverse of X."""
SPAN = PROJECTED.replace(". 0 < c =>", f", G:M(p,n). {PROJECTOR} 0 < c =>", 1)
READING = "U = G X for a matrix G with X G X = X and G X symmetric, as the pseudo-inverse: the orthogonal projection onto the span of x_1, .., x_n; U_perp = I - U"


@holds(
    "varre2023.step-c-3-projection",
    f"""({SPAN} all t:R. 0 <= t => {ALPHA} = {U} @ {ALPHA} + (I(p) - {U}) @ {ALPHA} and (I(p) - {U}) @ T(X) = O(p,n) and
        (I(p) - {U}) @ (T(X) @ (Y - X @ Z1(t) @ T(Z1(t)) @ {ALPHA})) = O(p,k)) and
       (all n p:Z, X:M(n,p), G:M(p,n), v:V(p). {PROJECTOR} ({U} @ {U} = {U} and T({U}) = {U} and (ex w:V(n). {U} @ v = T(X) @ w) and
        ((I(p) - {U}) @ v = v <=> X @ v = O(n,1))))""",
    argument="sound",
    reading=f"{READING}; the space of the v orthogonal to all x_i is {{v : X v = 0}}, printed Ker(X^T)",
)
def rest_of_the_projection_kills_the_data(g: Goal) -> None:
    """U X^T = (X U)^T = X^T."""

    def along(g: Goal) -> None:
        names = g.intro()
        fixed = projected_data(g, *names[:2])
        g.conj(
            lambda g: g.nc(),
            lambda g: g.nc((fixed, -1, None, None)),
            lambda g: g.nc((fixed, -1, None, f"Y - X @ Z1(t) @ T(Z1(t)) @ {ALPHA}")),
        )

    def projection(g: Goal) -> None:
        names = g.intro()
        inner, sym = names
        fixed = projected_data(g, inner, sym)

        def spanned(g: Goal) -> None:
            g.witness("T(G) @ v")
            g.nc((sym, -1, None, "v"))

        def kernel(g: Goal) -> None:
            def forth(g: Goal) -> None:
                (eq,) = g.intro()
                g.nc((eq, -1, "X", None), (inner, -1, None, "v"))

            def back(g: Goal) -> None:
                (eq,) = g.intro()
                g.nc((eq, -1, "G", None))

            g.iff(forth, back)

        g.conj(lambda g: g.nc((inner, 1, "G", None)), lambda g: g.close_by(sym), spanned, kernel)
        _ = fixed

    g.conj(along, projection)


def projected_data(g: Goal, inner: str, sym: str) -> str:
    """U X^T = X^T."""
    turned = g.have("T(X @ G @ X) = T(X)", lambda g: (g.rewrite(inner), g.refl()))
    return g.have(f"{U} @ T(X) = T(X)", lambda g: g.nc((turned, 1, None, None), (sym, -1, None, "T(X)")))


REST = f"(I(p) - {U})"


@holds(
    "varre2023.step-c-3-perp-ode",
    f"""{SPAN} (all t:R. 0 <= t => det(T(Z1(t))) != 0 and
         {REST} @ D(s, {ALPHA_PATH}, t) = -({REST} @ {ALPHA} @ T({RES}) @ ({U} @ {ALPHA} + {REST} @ {ALPHA}))) and
       (all R:M(p,k), a:M(p,k). {REST} @ a = O(p,k) => -({REST} @ a @ T(R) @ ({U} @ a + {REST} @ a)) = O(p,k)) and
       all t:R. 0 <= t => {REST} @ {ALPHA} = O(p,k)""",
    argument="sound",
    reading=READING,
    uses=["varre2023.lemma-c-2-alpha"],
)
def perpendicular_part_of_alpha(g: Goal) -> None:
    """The equation of alpha times U_perp; a linear system from 0."""
    names = g.intro()
    inner, sym, setting = names[0], names[1], names[2:7]
    zero = setting[3]
    fixed = projected_data(g, inner, sym)
    ode = setting_lemma(g, "varre2023.lemma-c-2-alpha", "statement", setting, time=False)

    def rate(g: Goal, t: str) -> tuple[str, str]:
        regular, change = g.split(g.apply(ode, t))
        rest, alpha, res = REST, ALPHA.replace("(t)", f"({t})"), RES.replace("(t)", f"({t})")
        data = f"Y - X @ Z1({t}) @ Z2({t})"
        eq = g.have(
            f"{rest} @ D(s, {ALPHA_PATH}, {t}) = -({rest} @ {alpha} @ T({res}) @ {alpha})",
            lambda g: g.nc((change, 1, rest, None), (fixed, -1, None, data)),
        )
        return regular, eq

    def equation(g: Goal) -> None:
        g.fix("t")
        g.assume()
        regular, eq = rate(g, "t")
        g.conj(lambda g: g.close_by(regular), lambda g: g.nc((eq, 1, None, None)))

    def equilibrium(g: Goal) -> None:
        g.fix("R", "a")
        h = g.assume()
        g.nc((h, -1, None, f"T(R) @ ({U} @ a + {REST} @ a)"))

    def smooth(g: Goal) -> None:
        g.fix("u")
        g.assume()
        g.split(g.apply(ode, "u"))
        g.auto()

    def derivative(g: Goal) -> None:
        g.fix("u")
        g.assume()
        _, eq = rate(g, "u")
        rule = g.have(f"D(s, {REST} @ ({ALPHA_PATH}), u) = {REST} @ D(s, {ALPHA_PATH}, u)", lambda g: g.nc())
        g.nc((rule, 1, None, None), (eq, 1, None, None))

    def always(g: Goal) -> None:
        path = g.by_fact(
            "linear_matrix_ode_zero",
            *("p", "k", f"lam t:R. {REST} @ {ALPHA}", "lam t:R. O(p,p)", f"lam t:R. -(T({RES}) @ {ALPHA})"),
            by=[smooth, derivative, lambda g: g.nc(rw=[zero])],
        )
        g.close_by(path)

    g.conj(equation, equilibrium, always)


@holds(
    "varre2023.lemma-c-3",
    f"""{PROJECTED.replace(". 0 < c", ", a:M(p,k). 0 < c", 1)} tends(t, {ALPHA}, a) =>
       (ex A:M(n,k). a = T(X) @ A) and all t:R. 0 <= t => ex A:M(n,k). {ALPHA} = T(X) @ A""",
    argument="sound",
    uses=["varre2023.step-c-3-perp-ode", "varre2023.step-c-3-projection", CONSTANT_LIMIT],
)
def alpha_stays_in_the_span_of_the_data(g: Goal) -> None:
    """U_perp alpha = 0 at all times, hence in the limit, for the projection U with the pseudo-inverse."""
    names = g.intro()
    setting, limit = names[:5], names[5]
    h = g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X")
    inner, sym = g.obtain(h, "G")
    given = [inner, sym, *setting]
    step = g.lemma("varre2023.step-c-3-perp-ode", "statement", *SETTING, "G", by=[using(n) for n in given])
    _, _, always = g.split_all(step)[-3:]
    moved = g.by_fact(
        "tends_matrix_mul",
        "p",
        "p",
        "k",
        REST,
        "a",
        f"lam t:R. {REST}",
        f"lam t:R. {ALPHA}",
        by=[lambda g: g.close_by(g.fact("tends_matrix_const", "p", "p", REST)), using(limit)],
    )
    none = g.lemma(
        CONSTANT_LIMIT,
        "part:constant-limit",
        "p",
        "k",
        0,
        f"lam t:R. {REST} @ {ALPHA}",
        f"{REST} @ a",
        "O(p,k)",
        by=[using(always), using(moved)],
    )

    def spanned(eq: str, x: str) -> Script:
        def script(g: Goal) -> None:
            g.witness(f"T(G) @ ({x})")
            g.nc((eq, 1, None, None), (sym, -1, None, x))

        return script

    def later(g: Goal) -> None:
        g.fix("t")
        g.assume()
        spanned(g.apply(always, "t"), ALPHA)(g)

    g.conj(spanned(none, "a"), later)
