"""Lemma 3.3 and Lemma C.2: alpha = Z1^{-T} Z2, its evolution, and beta as a function of alpha."""

from __future__ import annotations

from proofs.varre2023.flows import ALPHA, ALPHA_PATH, BETA, PROJECTED, RES, SETTING
from verify.kernel import Goal
from verify.registry import holds, part

GRAM = f"(I(p) - {ALPHA} @ T({ALPHA}))"
GRAM_PATH = f"I(p) - {ALPHA_PATH} @ T({ALPHA_PATH})"
CHANGE = f"({RES} - {ALPHA} @ T({RES}) @ {ALPHA})"
ALPHA_DERIVATIVE = f"{PROJECTED} all t:R. 0 <= t => det(T(Z1(t))) != 0 and D(s, {ALPHA_PATH}, t) = {CHANGE}"


@part(
    "varre2023.lemma-c-2-alpha",
    "invertible",
    f"{PROJECTED} all t:R. 0 <= t => det(Z1(t)) != 0 and det(T(Z1(t))) != 0",
    says="Z1(t) is invertible",
    uses=["varre2023.lemma-3-2"],
)
def first_factor_is_invertible(g: Goal) -> None:
    """Z1 v = 0 gives 2 gamma |v|^2 + |Z2^T v|^2 = 0 by the invariant, so v = 0."""
    names = g.intro()
    isotropic = setting_lemma(g, "varre2023.lemma-3-2", "statement", names)

    def regular(g: Goal) -> None:
        g.contra()
        kernel = g.by_fact("det_kernel", "p", "Z1(t)")
        nonzero, killed = g.obtain(kernel, "v")
        h = g.have(
            "2*c*tr(T(v) @ v) = -tr(T(T(Z2(t)) @ v) @ (T(Z2(t)) @ v))",
            lambda g: traced(g, isotropic, killed),
        )
        square = g.have("0 <= tr(T(v) @ v)")
        g.have("tr(T(v) @ v) = 0", lambda g: g.antisym(lambda g: below(g, h), lambda g: g.close_by(square)))
        none = g.by_fact("frobenius_zero", "p", 1, "v")
        g.clash(none, nonzero)

    first = g.have("det(Z1(t)) != 0", regular)

    def turned(g: Goal) -> None:
        eq = g.fact("det_transpose", "p", "Z1(t)")
        g.rewrite(eq)
        g.close_by(first)

    g.conj(lambda g: g.close_by(first), turned)


def traced(g: Goal, isotropic: str, killed: str) -> None:
    """tr of v^T (invariant) v."""
    whole = g.have(
        "T(v) @ (T(Z1(t)) @ Z1(t) - Z2(t) @ T(Z2(t))) @ v = T(v) @ ((2*c)*I(p)) @ v", lambda g: g.nc((isotropic, 1, "T(v)", "v"))
    )
    eq = g.have(
        "(2*c)*(T(v) @ v) = -(T(T(Z2(t)) @ v) @ (T(Z2(t)) @ v))",
        lambda g: g.nc((whole, -1, None, None), (killed, 1, "T(v) @ T(Z1(t))", None)),
    )
    t = g.have("tr((2*c)*(T(v) @ v)) = tr(-(T(T(Z2(t)) @ v) @ (T(Z2(t)) @ v)))", lambda g: (g.rewrite(eq), g.refl()))
    g.field((t, 1))


def below(g: Goal, h: str) -> None:
    """2 c x = -y with y >= 0 gives x <= 0."""
    g.pos(["tr(T(T(Z2(t)) @ v) @ (T(Z2(t)) @ v))"], mul=["2*c"], eqs=[(h, -1)])


def setting_lemma(g: Goal, claim: str, role: str, names: list[str], time: bool = True) -> str:
    """A statement about the projected flow, at the time t."""
    h = g.lemma(claim, role, *SETTING, by=[lambda g, n=n: g.close_by(n) for n in names[:5]])
    return g.apply(h, "t") if time else h


def prepare(g: Goal) -> tuple[list[str], str, str, str, str]:
    """Names of the hypotheses; the invariant; inv(T(Z1)) T(Z1) = I, T(Z1) inv(T(Z1)) = I; the condition."""
    names = g.intro()
    isotropic = setting_lemma(g, "varre2023.lemma-3-2", "statement", names)
    _plain, turned = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", names))
    left = g.by_fact("inv_left", "p", "T(Z1(t))", by=[lambda g: g.close_by(turned)])
    right = g.by_fact("inv_right", "p", "T(Z1(t))", by=[lambda g: g.close_by(turned)])
    return names, isotropic, left, right, turned


USES = ["varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha"]


@holds("varre2023.lemma-3-3-alpha", ALPHA_DERIVATIVE, argument="sound", uses=["varre2023.lemma-c-2-alpha"])
def same_alpha_equation(g: Goal) -> None:
    """This is Lemma C.2."""
    g.close_by(g.lemma("varre2023.lemma-c-2-alpha"))


@holds("varre2023.lemma-c-2-alpha", ALPHA_DERIVATIVE, argument="sound", uses=["varre2023.lemma-3-2"])
def alpha_solves_a_riccati_equation(g: Goal) -> None:
    """Product rule, with Z1 invertible by the invariant."""
    names, _, _, _right, condition = prepare(g)
    a, b = g.split(g.apply(names[4], "t"))
    g.conj(lambda g: g.close_by(condition), lambda g: g.nc(rw=[a, b]))


GRAM_INVERSE = f"{PROJECTED} all t:R. 0 <= t => det({GRAM}) != 0 and Z1(t) @ T(Z1(t)) = (2*c)*inv({GRAM})"


@holds(
    "varre2023.eq-c-12",
    GRAM_INVERSE,
    argument="repaired",
    uses=USES,
    reason="the inverse exists by the invariant; the printed argument compares two solutions of a linear equation",
)
def gram_matrix_is_an_inverse(g: Goal) -> None:
    """The invariant between Z1^{-T} and Z1^{-1} reads I - alpha alpha^T = 2 gamma (Z1 Z1^T)^{-1}."""
    _names, isotropic, left, right, _ = prepare(g)
    g.have(f"{GRAM} @ ((1/(2*c))*(Z1(t) @ T(Z1(t)))) = I(p)", lambda g: gram_times(g, isotropic, left, right))
    inverse, _, regular = g.split(g.by_fact("inv_unique", "p", GRAM, "(1/(2*c))*(Z1(t) @ T(Z1(t)))"))
    g.conj(lambda g: g.close_by(regular), lambda g: g.nc((inverse, "-2*c", None, None)))


def gram_times(g: Goal, isotropic: str, left: str, right: str) -> None:
    """(I - alpha alpha^T) Z1 Z1^T = 2 gamma I."""
    k = "inv(T(Z1(t)))"
    g.nc((isotropic, "1/(2*c)", k, "T(Z1(t))"))


@holds(
    "varre2023.lemma-c-2-beta",
    f"{PROJECTED} all t:R. 0 <= t => det({GRAM}) != 0 and {BETA} = (2*c)*(inv({GRAM}) @ {ALPHA})",
    argument="sound",
    uses=[*USES, "varre2023.eq-c-12"],
)
def beta_is_a_function_of_alpha(g: Goal) -> None:
    """beta = Z1 Z1^T alpha and (C.12)."""
    names, _, _left, _right, _ = prepare(g)
    regular, gram = g.split(setting_lemma(g, "varre2023.eq-c-12", "statement", names))
    g.conj(lambda g: g.close_by(regular), lambda g: g.nc((gram, 1, None, ALPHA)))


@holds(
    "varre2023.step-c-2-beta", f"{PROJECTED} all t:R. 0 <= t => {BETA} = Z1(t) @ T(Z1(t)) @ {ALPHA}", argument="sound", uses=USES
)
def beta_by_the_gram_matrix(g: Goal) -> None:
    """Z1^T Z1^{-T} = I."""
    prepare(g)
    g.nc()
