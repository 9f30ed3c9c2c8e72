"""Theorem C.12: for whitened data alpha solves a Riccati equation that decouples along the singular vectors of beta*."""

from __future__ import annotations

from proofs.varre2023.alpha import GRAM, setting_lemma
from proofs.varre2023.flows import ALPHA, ALPHA_PATH, BETA, PROJECTED, RES, SETTING
from verify.kernel import Goal
from verify.registry import part

TARGET = "(T(X) @ Y)"
WHITE = f"{PROJECTED} T(X) @ X = I(p) =>"
USES = ["varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha"]


def white_lemma(g: Goal, claim: str, role: str, names: list[str], time: str = "t") -> str:
    """A statement about the projected flow with whitened data, at a time."""
    h = g.lemma(claim, role, *SETTING, by=[lambda g, n=n: g.close_by(n) for n in names[:6]])
    return g.apply(h, time) if time else h


@part(
    "varre2023.thm-c-12-formula",
    "riccati",
    f"""{WHITE} all t:R. 0 <= t => det(T(Z1(t))) != 0 and
       D(s, {ALPHA_PATH}, t) = {TARGET} - {ALPHA} @ T({TARGET}) @ {ALPHA} - (2*c)*{ALPHA}""",
    says="alpha' = beta* - alpha beta*^T alpha - 2 gamma alpha",
    uses=USES,
)
def alpha_for_whitened_data(g: Goal) -> None:
    """R = beta* - beta, and beta - alpha beta^T alpha = 2 gamma alpha by the invariant."""
    names = g.intro()
    isotropic = setting_lemma(g, "varre2023.lemma-3-2", "statement", names[:5])
    regular, change = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "statement", names[:5]))
    setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", names[:5])
    g.split(next(reversed(g.seq.hyps)))
    white = names[5]
    res = g.have(f"{RES} = {TARGET} - {BETA}", lambda g: g.nc((white, -1, None, BETA)))
    cubic = g.have(
        f"{BETA} - {ALPHA} @ T({BETA}) @ {ALPHA} = (2*c)*{ALPHA}", lambda g: g.nc((isotropic, 1, "inv(T(Z1(t)))", "Z2(t)"))
    )

    def equation(g: Goal) -> None:
        g.rewrite(change)
        g.rewrite(res)
        g.nc((cubic, -1, None, None))

    g.conj(lambda g: g.close_by(regular), equation)


@part(
    "varre2023.thm-c-12-formula",
    "pairs",
    f"""{WHITE.replace(". 0 < c", ", u:V(p), v:V(k), r:R, f:R~>R. 0 < c", 1)} {TARGET} @ v = r*u => T({TARGET}) @ u = r*v => f(0) = 0 =>
       (all t:R. 0 <= t => f'(t) = r - r*f(t)^2 - 2*c*f(t)) => all t:R. 0 <= t => {ALPHA} @ v = f(t)*u and T({ALPHA}) @ u = f(t)*v""",
    says="along a singular pair of beta* alpha acts as the solution of a scalar Riccati equation",
)
def alpha_on_singular_pairs(g: Goal) -> None:
    """alpha v - f u and alpha^T u - f v solve linear systems from 0."""
    names = g.intro()
    zero, _white, forth, back, start, scalar = names[3], names[5], *names[6:10]
    ric = white_lemma(g, "varre2023.thm-c-12-formula", "part:riccati", names, "")
    first = f"{ALPHA} @ v - f(t)*u"
    second = f"T({ALPHA}) @ u - f(t)*v"
    s = TARGET

    def smooth(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.split(g.apply(ric, "w"))
        g.auto()

    def at_zero(g: Goal) -> None:
        g.nc(rw=[zero, start])

    def equation(which: int) -> object:
        def script(g: Goal) -> None:
            g.fix("w")
            g.assume()
            _regular, change = g.split(g.apply(ric, "w"))
            f = g.apply(scalar, "w")
            alpha = ALPHA.replace("(t)", "(w)")
            if which == 0:
                rule = g.have(f"D(s, {ALPHA_PATH} @ v - f(s)*u, w) = D(s, {ALPHA_PATH}, w) @ v - f'(w)*u", lambda g: g.nc())
                g.rewrite(rule)
                g.rewrite(change)
                g.rewrite(f)
                g.nc((forth, 1, None, None), (back, "-f(w)", alpha, None))
            else:
                rule = g.have(f"D(s, T({ALPHA_PATH}) @ u - f(s)*v, w) = T(D(s, {ALPHA_PATH}, w)) @ u - f'(w)*v", lambda g: g.nc())
                g.rewrite(rule)
                g.rewrite(change)
                g.rewrite(f)
                g.nc((back, 1, None, None), (forth, "-f(w)", f"T({alpha})", None))

        return script

    one = g.by_fact(
        "linear_system_zero",
        "p",
        f"lam t:R. {first}",
        f"lam t:R. -({ALPHA} @ T({s})) - (r*f(t) + 2*c)*I(p)",
        by=[smooth, equation(0), at_zero],
    )
    two = g.by_fact(
        "linear_system_zero",
        "k",
        f"lam t:R. {second}",
        f"lam t:R. -(T({ALPHA}) @ {s}) - (r*f(t) + 2*c)*I(k)",
        by=[smooth, equation(1), at_zero],
    )
    a, b = g.apply(one, "t"), g.apply(two, "t")
    g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))


GAIN = "(2*c*f/(1 - f^2))"


@part(
    "varre2023.thm-c-12-formula",
    "beta",
    f"""{WHITE.replace(". 0 < c", ", u:V(p), v:V(k), f:R. 0 < c", 1)} all t:R. 0 <= t => f^2 < 1 =>
       {ALPHA} @ v = f*u => T({ALPHA}) @ u = f*v => {BETA} @ v = {GAIN}*u""",
    says="beta maps such a pair with the factor 2 gamma f / (1 - f^2)",
    uses=["varre2023.lemma-c-2-beta"],
)
def beta_on_singular_pairs(g: Goal) -> None:
    """(I - alpha alpha^T) u = (1 - f^2) u, and beta = 2 gamma (I - alpha alpha^T)^{-1} alpha."""
    names = g.intro()
    forth, back = names[8:10]
    regular, beta = g.split(setting_lemma(g, "varre2023.lemma-c-2-beta", "statement", names[:5]))
    left = g.by_fact("inv_left", "p", GRAM, by=[lambda g: g.close_by(regular)])
    g.have("0 < 1 - f^2")
    small = g.have(f"{GRAM} @ u = (1 - f^2)*u", lambda g: g.nc((back, -1, ALPHA, None), (forth, "-f", None, None)))
    inverse = g.have(
        f"inv({GRAM}) @ u = (1/(1 - f^2))*u",
        lambda g: g.nc((small, "-1/(1 - f^2)", f"inv({GRAM})", None), (left, "1/(1 - f^2)", None, "u")),
    )
    g.nc((beta, 1, None, "v"), (forth, "2*c", f"inv({GRAM})", None), (inverse, "2*c*f", None, None))


def solution(t: str, s: str) -> str:
    """The solution of f' = s - s f^2 - 2 gamma f from 0."""
    q = f"sqrt({s}^2 + c^2)"
    e = f"exp(-2*{t}*{q})"
    return f"({s}*(1 - {e})/(({q} + c) + ({q} - c)*{e}))"


@part(
    "varre2023.thm-c-12-formula",
    "solution",
    f"""all c s:R. 0 < c => 0 <= s => {solution("0", "s")} = 0 and
       all t:R. 0 < (sqrt(s^2 + c^2) + c) + (sqrt(s^2 + c^2) - c)*exp(-2*t*sqrt(s^2 + c^2)) and
                D(t, {solution("t", "s")}, t) = s - s*{solution("t", "s")}^2 - 2*c*{solution("t", "s")} and
                (0 <= t => 0 <= {solution("t", "s")} and {solution("t", "s")} < 1)""",
    says="the solution of the scalar Riccati equation, with values in [0, 1)",
)
def scalar_solution(g: Goal) -> None:
    """Differentiation; s <= q and gamma <= q."""
    _positive, _nonneg = g.intro()
    q = "sqrt(s^2 + c^2)"
    g.have("0 < s^2 + c^2")
    g.have(f"0 < {q}")
    square = g.have(f"({q})^2 = s^2 + c^2", lambda g: g.field())
    larger = g.have(f"c <= {q}", lambda g: root_above(g, "c", square, q))
    above = g.have(f"s <= {q}", lambda g: root_above(g, "s", square, q))

    def at_zero(g: Goal) -> None:
        g.have(f"0 < ({q} + c) + ({q} - c)*exp(-2*0*{q})", lambda g: g.pos([q], [q], eqs=[]))
        g.field()

    def along(g: Goal) -> None:
        g.fix("t")
        e = f"exp(-2*t*{q})"
        den = f"(({q} + c) + ({q} - c)*{e})"
        big = g.have(f"0 < {den}", lambda g: g.pos([q], ["c"], [f"@{larger}", e]))

        def bounds(g: Goal) -> None:
            g.assume()
            under = g.have(f"{e} <= 1", lambda g: exponential_below(g, f"-2*t*{q}"))

            def low(g: Goal) -> None:
                g.pos(["s", f"@{under}"], mul=[den])

            def high(g: Goal) -> None:
                g.pos([f"@{above}"], ["c", f"@{under}"], ["s", e], [q, e], mul=[den])

            g.conj(low, high)

        g.conj(lambda g: g.close_by(big), lambda g: g.field(), bounds)

    g.conj(at_zero, along)


def root_above(g: Goal, x: str, square: str, q: str) -> None:
    """x <= q from x^2 <= q^2."""
    g.contra()
    g.nlin()


def exponential_below(g: Goal, x: str) -> None:
    """exp(x) <= 1 for x <= 0."""
    h = g.fact("exp_mono", x, 0)
    k = g.apply(h)
    g.have("exp(0) = 1", lambda g: g.field(), name="e0")
    g.nlin(use=[k, "e0"])
