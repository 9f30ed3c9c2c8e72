"""The proof of Theorem C.11: alpha^T R and alpha R^T are symmetric for whitened data; the printed derivatives."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import GRAM, setting_lemma
from proofs.varre2023.flows import ALPHA, ALPHA_PATH, BETA, PROJECTED, RES
from proofs.varre2023.printed_beta import nested
from proofs.varre2023.riccati import TARGET, WHITE, white_lemma
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

S = TARGET
RICCATI = "varre2023.thm-c-12-formula"
C17, C18 = "varre2023.eq-c-17", "varre2023.eq-c-18"
INV = f"inv({GRAM})"
SMALL = f"(I(k) - T({ALPHA}) @ {ALPHA})"
M = f"inv({SMALL})"


@part(
    RICCATI,
    "symmetric",
    f"""{WHITE} all t:R. 0 <= t => T({ALPHA}) @ {S} = T({S}) @ {ALPHA} and {ALPHA} @ T({S}) = {S} @ T({ALPHA})""",
    says="alpha^T beta* and alpha beta*^T are symmetric",
)
def products_with_the_target_are_symmetric(g: Goal) -> None:
    """The skew parts solve linear equations from 0, by the Riccati equation."""
    names = g.intro()
    zero = names[3]
    ric = white_lemma(g, RICCATI, "part:riccati", names, "")

    def smooth(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.split(g.apply(ric, "w"))
        g.auto()

    def system(which: int) -> str:
        alpha_s = f"({ALPHA_PATH})"
        path = f"T({alpha_s}) @ {S} - T({S}) @ {alpha_s}" if which == 0 else f"{alpha_s} @ T({S}) - {S} @ T({alpha_s})"

        def equation(g: Goal) -> None:
            g.fix("w")
            g.assume()
            _, change = g.split(g.apply(ric, "w"))
            d = f"D(s, {ALPHA_PATH}, w)"
            rule_right = f"T({d}) @ {S} - T({S}) @ {d}" if which == 0 else f"{d} @ T({S}) - {S} @ T({d})"
            rule = g.have(f"D(s, {path}, w) = {rule_right}", lambda g: g.nc())
            g.rewrite(rule)
            g.rewrite(change)
            g.nc()

        first = f"lam t:R. -(T({ALPHA}) @ {S}) - (2*c)*I(k)" if which == 0 else f"lam t:R. -({ALPHA} @ T({S})) - (2*c)*I(p)"
        second = f"lam t:R. -(T({S}) @ {ALPHA})" if which == 0 else f"lam t:R. -({S} @ T({ALPHA}))"
        dim = "k" if which == 0 else "p"
        whole = path.replace("(s)", "(t)")
        return g.by_fact(
            "linear_matrix_ode_zero",
            dim,
            dim,
            f"lam t:R. {whole}",
            first,
            second,
            by=[smooth, equation, lambda g: g.nc(rw=[zero])],
        )

    a, b = g.apply(system(0), "t"), g.apply(system(1), "t")
    g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))


def residual_of(g: Goal, white: str) -> str:
    """R = beta* - beta."""
    return g.have(f"{RES} = {S} - {BETA}", lambda g: g.nc((white, -1, None, BETA)))


def gram_products(g: Goal, names: list[str]) -> tuple[str, str]:
    """(I - alpha alpha^T) Z1 Z1^T = 2 gamma I and the transposed product."""
    isotropic = setting_lemma(g, "varre2023.lemma-3-2", "statement", names[:5])
    _, turned = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", names[:5]))
    k = "inv(T(Z1(t)))"
    g.by_fact("inv_right", "p", "T(Z1(t))", by=[using(turned)])
    g.by_fact("inv_left", "p", "T(Z1(t))", by=[using(turned)])
    one = g.have(f"{GRAM} @ (Z1(t) @ T(Z1(t))) = (2*c)*I(p)", lambda g: g.nc((isotropic, 1, k, "T(Z1(t))")))
    turned_one = g.have(f"T({GRAM} @ (Z1(t) @ T(Z1(t)))) = T((2*c)*I(p))", lambda g: (g.rewrite(one), g.refl()))
    two = g.have(f"(Z1(t) @ T(Z1(t))) @ {GRAM} = (2*c)*I(p)", lambda g: g.nc((turned_one, 1, None, None)))
    return one, two


def beta_by_gram(g: Goal) -> str:
    """beta = Z1 Z1^T alpha (Z1^T Z1^{-T} = I is among the hypotheses)."""
    right = next(h for h, f in g.seq.hyps.items() if f == g.formula("T(Z1(t)) @ inv(T(Z1(t))) = I(p)"))
    return g.have(f"{BETA} = Z1(t) @ T(Z1(t)) @ {ALPHA}", lambda g: g.nc((right, -1, "Z1(t)", "Z2(t)")))


@holds(
    C17,
    f"{WHITE} all t:R. 0 <= t => T({ALPHA}) @ {RES} = T({RES}) @ {ALPHA}",
    argument="repaired",
    reason="the printed equation for the skew part has R^T alpha in place of 2 gamma R^T alpha and a sign wrong; here the Riccati equation shows that alpha^T beta* is symmetric",
    uses=[RICCATI, "varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha"],
)
def product_with_the_residual_is_symmetric(g: Goal) -> None:
    """R = beta* - beta and alpha^T beta = alpha^T Z1 Z1^T alpha."""
    names = g.intro()
    one, _ = g.split(white_lemma(g, RICCATI, "part:symmetric", names))
    res = residual_of(g, names[5])
    gram_products(g, names)
    beta = beta_by_gram(g)
    turned = g.have(f"T({BETA}) = T(Z1(t) @ T(Z1(t)) @ {ALPHA})", lambda g: g.ctx(using(beta)))
    g.rewrite(res)
    g.nc((one, 1, None, None), (beta, -1, f"T({ALPHA})", None), (turned, 1, None, ALPHA))


@holds(
    C18,
    f"{WHITE} all t:R. 0 <= t => {ALPHA} @ T({RES}) = {RES} @ T({ALPHA})",
    argument="repaired",
    reason="the printed equation for the skew part has R alpha^T in place of 2 gamma R alpha^T; here the Riccati equation shows that alpha beta*^T is symmetric",
    uses=[RICCATI, "varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha"],
)
def outer_product_with_the_residual_is_symmetric(g: Goal) -> None:
    """alpha alpha^T commutes with Z1 Z1^T, as (I - alpha alpha^T) Z1 Z1^T = 2 gamma I on both sides."""
    names = g.intro()
    _, two = g.split(white_lemma(g, RICCATI, "part:symmetric", names))
    res = residual_of(g, names[5])
    left, right = gram_products(g, names)
    beta = beta_by_gram(g)
    turned = g.have(f"T({BETA}) = T(Z1(t) @ T(Z1(t)) @ {ALPHA})", lambda g: g.ctx(using(beta)))
    flipped = g.have(f"T({RES}) = T({S} - {BETA})", lambda g: g.ctx(using(res)))
    g.nc(
        (flipped, 1, ALPHA, None),
        (res, -1, None, f"T({ALPHA})"),
        (two, 1, None, None),
        (turned, -1, ALPHA, None),
        (beta, 1, None, f"T({ALPHA})"),
        (left, 1, None, None),
        (right, -1, None, None),
    )


@holds(
    "varre2023.eq-c-19",
    f"""{WHITE} all t:R. 0 <= t => ({ALPHA} @ T({ALPHA})) @ ({RES} @ T({RES})) = ({RES} @ T({RES})) @ ({ALPHA} @ T({ALPHA})) and
       (T({ALPHA}) @ {ALPHA}) @ (T({RES}) @ {RES}) = (T({RES}) @ {RES}) @ (T({ALPHA}) @ {ALPHA})""",
    argument="sound",
    uses=[C17, C18],
)
def gram_matrices_of_alpha_and_residual_commute(g: Goal) -> None:
    """Both sides are squares of alpha R^T and of alpha^T R."""
    names = g.intro()
    a, b = white_lemma(g, C17, "statement", names), white_lemma(g, C18, "statement", names)
    g.conj(
        lambda g: g.nc(
            (a, 1, ALPHA, f"T({RES})"),
            (b, 1, None, f"{ALPHA} @ T({RES})"),
            (b, 1, f"{RES} @ T({ALPHA})", None),
            (a, 1, RES, f"T({ALPHA})"),
        ),
        lambda g: g.nc(
            (b, 1, f"T({ALPHA})", RES),
            (a, 1, None, f"T({ALPHA}) @ {RES}"),
            (a, 1, f"T({RES}) @ {ALPHA}", None),
            (b, 1, f"T({RES})", ALPHA),
        ),
    )


@holds(
    "varre2023.eq-c-20",
    f"{WHITE} all t:R. 0 <= t => {RES} = {S} - {BETA} and D(s, {RES.replace('(t)', '(s)')}, t) = -D(s, Z1(s) @ Z2(s), t)",
    argument="sound",
    reading="beta* = X^T Y",
)
def residual_for_whitened_data(g: Goal) -> None:
    """X^T X = I."""
    names = g.intro()
    white = names[5]
    rule = "Z1'(t) @ Z2(t) + Z1(t) @ Z2'(t)"
    g.conj(lambda g: g.nc((white, -1, None, BETA)), lambda g: g.nc((white, -1, None, rule)))


VELOCITY = f"({RES} @ T(Z2(t)) @ Z2(t) + Z1(t) @ T(Z1(t)) @ {RES})"


@holds(
    "varre2023.eq-c-21",
    f"""{PROJECTED} all t:R. 0 <= t => det({GRAM}) != 0 and D(s, Z1(s) @ Z2(s), t) = {VELOCITY} and
       {VELOCITY} = (2*c)*({RES} @ T({ALPHA}) @ {INV} @ {ALPHA} + {INV} @ {RES})""",
    argument="sound",
    uses=["varre2023.eq-c-12", "varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha"],
)
def velocity_of_beta_by_alpha(g: Goal) -> None:
    """Z2 = Z1^T alpha and (C.12)."""
    names = g.intro()
    regular, gram = g.split(setting_lemma(g, "varre2023.eq-c-12", "statement", names))
    a, b = g.split(g.apply(names[4], "t"))
    _, turned = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", names))
    right = g.by_fact("inv_right", "p", "T(Z1(t))", by=[using(turned)])
    z2 = g.have(f"Z2(t) = T(Z1(t)) @ {ALPHA}", lambda g: g.nc((right, -1, None, "Z2(t)")))
    square = g.have(
        f"T(Z2(t)) @ Z2(t) = T({ALPHA}) @ (Z1(t) @ T(Z1(t))) @ {ALPHA}",
        lambda g: g.nc((z2, 1, "T(Z2(t))", None), (turned_second(g, z2), 1, None, f"T(Z1(t)) @ {ALPHA}")),
    )
    g.conj(
        using(regular),
        lambda g: g.nc(rw=[a, b]),
        lambda g: g.nc((square, 1, RES, None), (gram, 1, f"{RES} @ T({ALPHA})", ALPHA), (gram, 1, None, RES)),
    )


def turned_second(g: Goal, z2: str) -> str:
    """The transpose of Z2 = Z1^T alpha."""
    return g.have(f"T(Z2(t)) = T(T(Z1(t)) @ {ALPHA})", lambda g: g.ctx(using(z2)))


@holds(
    "varre2023.step-c-11-push-through",
    """(all m n:Z, U:M(m,n), V:M(n,m). det(I(m) + U @ V) != 0 => det(I(n) + V @ U) != 0 => inv(I(m) + U @ V) @ U = U @ inv(I(n) + V @ U)) and
       (all p k:Z, a:M(p,k). det(I(p) - a @ T(a)) != 0 => det(I(k) - T(a) @ a) != 0 => inv(I(p) - a @ T(a)) @ a = a @ inv(I(k) - T(a) @ a))""",
    argument="sound",
)
def push_through(g: Goal) -> None:
    """U (I + V U) = (I + U V) U."""

    def script(m: str, n: str, u: str, big: str, small: str) -> object:
        def run(g: Goal) -> None:
            one, two = g.intro()
            left = g.by_fact("inv_left", m, big, by=[using(one)])
            right = g.by_fact("inv_right", n, small, by=[using(two)])
            g.nc((right, -1, f"inv({big}) @ {u}", None), (left, 1, None, f"{u} @ inv({small})"))

        return run

    g.conj(
        script("m", "n", "U", "(I(m) + U @ V)", "(I(n) + V @ U)"),  # type: ignore[arg-type]
        script("p", "k", "a", "(I(p) - a @ T(a))", "(I(k) - T(a) @ a)"),  # type: ignore[arg-type]
    )


WOODBURY = """all p k:Z, a:M(p,k). 1 <= p => 1 <= k => spec(a) < 1 =>
       inv(I(p) - a @ T(a)) = I(p) {0} a @ inv(I(k) - T(a) @ a) @ T(a) and
       inv(I(p) - a @ T(a)) @ a = a {0} a @ inv(I(k) - T(a) @ a) @ T(a) @ a"""


@refuted(
    "varre2023.step-c-6-woodbury",
    WOODBURY.format("-"),
    reason="the sign: for alpha = 1/2 the left side is 4/3 and the right side 2/3",
)
def printed_woodbury(g: Goal) -> None:
    """One dimension, alpha = 1/2."""
    g.witness(1, 1, "[[1/2]]")
    a, big = "[[1/2]]", "(I(1) - [[1/2]] @ T([[1/2]]))"
    small = "(I(1) - T([[1/2]]) @ [[1/2]])"
    one = g.split(g.by_fact("inv_unique", 1, big, "[[4/3]]", by=[lambda g: g.ext(lambda g: g.field())]))[0]
    two = g.split(g.by_fact("inv_unique", 1, small, "[[4/3]]", by=[lambda g: g.ext(lambda g: g.field())]))[0]

    def norm(g: Goal) -> None:
        least = g.by_fact(
            "spec_least",
            1,
            1,
            "1/2",
            a,
            by=[None, lambda g: (g.fix("v"), g.replace("[[1/2]] @ v", "(1/2)*v", lambda g: g.ext(lambda g: g.field())), g.pos())],
        )
        g.pos([f"@{least}"], ["1/2"])

    def wrong(g: Goal) -> None:
        g.left_or_right(0)
        same = g.contra()
        back = g.rewritten(g.rewritten(same, one), two)
        e = g.have(
            ("=", ("entry", g.hyp_formula(back)[1], 1, 1), ("entry", g.hyp_formula(back)[2], 1, 1)), lambda g: g.ctx(using(back))
        )
        g.pos(["2/3"], eqs=[(e, -1)])

    nested(g, None, None, norm, wrong)


@amendment(
    "varre2023.step-c-6-woodbury",
    WOODBURY.format("+"),
    says="(I - alpha alpha^T)^{-1} = I + alpha (I - alpha^T alpha)^{-1} alpha^T",
)
def woodbury(g: Goal) -> None:
    """alpha^T alpha v = v gives |alpha v| = |v|, so v = 0; then multiply out."""
    small_norm = g.intro()[2]

    def regular(g: Goal) -> None:
        g.contra()
        nonzero, killed = g.obtain(g.by_fact("det_kernel", "k", "I(k) - T(a) @ a"), "v")
        eq = g.have("T(v) @ v = T(a @ v) @ (a @ v)", lambda g: g.nc((killed, 1, "T(v)", None)))
        traced = g.have("tr(T(v) @ v) = tr(T(a @ v) @ (a @ v))", lambda g: (g.rewrite(eq), g.refl()))
        bound = g.fact("spec_bound", "p", "k", "a", "v")
        low = g.have("0 <= tr(T(v) @ v)")
        g.have("0 <= spec(a)", lambda g: spectral_sign(g))
        g.have("0 < 1 - spec(a)^2", lambda g: g.pos([f"@{small_norm}", "1 + spec(a)"]))
        high = g.have("tr(T(v) @ v) <= 0", lambda g: g.pos([f"@{bound}"], mul=["1 - spec(a)^2"], eqs=[(traced, -1)]))
        zero = g.have("tr(T(v) @ v) = 0", lambda g: g.antisym(using(high), using(low)))
        none = g.by_fact("frobenius_zero", "k", 1, "v", by=[using(zero)])
        g.clash(none, nonzero)

    small = g.have("det(I(k) - T(a) @ a) != 0", regular)
    right = g.by_fact("inv_right", "k", "I(k) - T(a) @ a", by=[using(small)])
    n = "inv(I(k) - T(a) @ a)"
    h = g.by_fact("inv_unique", "p", "I(p) - a @ T(a)", f"I(p) + a @ {n} @ T(a)", by=[lambda g: g.nc((right, 1, "a", "T(a)"))])
    inverse = g.split(h)[0]
    g.conj(using(inverse), lambda g: g.nc((inverse, 1, None, "a")))


def spectral_sign(g: Goal) -> None:
    """A singular value is nonnegative."""
    eq = g.by_fact("spec_is_sv", "p", "k", "a")
    low, _ = g.split(g.apply(g.fact("sv_range", "p", "k", "a"), 1, 1))
    g.rewrite(eq)
    g.close_by(low)


@holds(
    "varre2023.step-c-11-square-difference",
    "all n:Z, C:M(n,n). C @ C - T(C) @ T(C) = (1/2)*((C + T(C)) @ (C - T(C))) + (1/2)*((C - T(C)) @ (C + T(C)))",
    argument="sound",
)
def difference_of_squares(g: Goal) -> None:
    """Expand."""
    g.intro()
    g.nc()
