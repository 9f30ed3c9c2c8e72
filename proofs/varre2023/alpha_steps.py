"""The equations of the proof of Lemma C.2."""

from __future__ import annotations

from proofs.varre2023.alpha import CHANGE, GRAM, GRAM_PATH, USES, prepare, setting_lemma
from proofs.varre2023.flows import ALPHA, ALPHA_PATH, PROJECTED, RES
from verify.kernel import Goal
from verify.registry import holds

K = "inv(T(Z1(t)))"
INV = f"inv({GRAM})"


@holds(
    "varre2023.step-c-2-alpha-derivative",
    f"""{PROJECTED} all t:R. 0 <= t => det(T(Z1(t))) != 0 and
       D(s, {ALPHA_PATH}, t) = D(s, inv(T(Z1(s))), t) @ Z2(t) + {K} @ Z2'(t) and
       D(s, inv(T(Z1(s))), t) @ Z2(t) + {K} @ Z2'(t) = -({K} @ T(Z1'(t)) @ {K} @ Z2(t)) + {K} @ T(Z1(t)) @ {RES} and
       -({K} @ T(Z1'(t)) @ {K} @ Z2(t)) + {K} @ T(Z1(t)) @ {RES} = -({K} @ Z2(t) @ T({RES}) @ {K} @ Z2(t)) + {RES} and
       -({K} @ Z2(t) @ T({RES}) @ {K} @ Z2(t)) + {RES} = -({ALPHA} @ T({RES}) @ {ALPHA}) + {RES}""",
    argument="sound",
    uses=USES,
)
def product_rule_for_alpha(g: Goal) -> None:
    """The product rule and the derivative of an inverse."""
    names, _, _, _right, condition = prepare(g)
    a, b = g.split(g.apply(names[4], "t"))
    rest = [lambda g: g.nc(rw=[a, b])] * 4
    g.conj(lambda g: g.close_by(condition), *rest)


@holds(
    "varre2023.step-c-2-gram-derivative",
    f"""{PROJECTED} all t:R. 0 <= t => det(T(Z1(t))) != 0 and
       D(s, Z1(s) @ T(Z1(s)), t) = Z1(t) @ T(Z1(t)) @ {ALPHA} @ T({RES}) + {RES} @ T({ALPHA}) @ Z1(t) @ T(Z1(t))""",
    argument="sound",
    uses=USES,
)
def derivative_of_the_gram_matrix(g: Goal) -> None:
    """Z1' = R Z2^T = R alpha^T Z1."""
    names, _, _left, _right, condition = prepare(g)
    a, _ = g.split(g.apply(names[4], "t"))
    g.conj(lambda g: g.close_by(condition), lambda g: g.nc(rw=[a]))


EXPANDED = f"({RES} @ T({ALPHA}) - {ALPHA} @ T({RES}) @ {ALPHA} @ T({ALPHA}) + {ALPHA} @ T({RES}) - {ALPHA} @ T({ALPHA}) @ {RES} @ T({ALPHA}))"
FACTORED = f"({GRAM} @ {RES} @ T({ALPHA}) + {ALPHA} @ T({RES}) @ {GRAM})"
SQUARE_DERIVATIVE = f"D(s, {ALPHA_PATH} @ T({ALPHA_PATH}), t)"


@holds(
    "varre2023.eq-c-9",
    f"""{PROJECTED} all t:R. 0 <= t => det(T(Z1(t))) != 0 and
       {SQUARE_DERIVATIVE} = {CHANGE} @ T({ALPHA}) + {ALPHA} @ T({CHANGE}) and
       {CHANGE} @ T({ALPHA}) + {ALPHA} @ T({CHANGE}) = {EXPANDED} and {EXPANDED} = {FACTORED}""",
    argument="sound",
    uses=USES,
)
def derivative_of_the_square_of_alpha(g: Goal) -> None:
    """Product rule with the equation for alpha."""
    names, _, _, _, condition = prepare(g)
    a, b = g.split(g.apply(names[4], "t"))
    rest = [lambda g: g.nc(rw=[a, b])] * 3
    g.conj(lambda g: g.close_by(condition), *rest)


def inverse_rules(g: Goal) -> tuple[list[str], str, str, str, str]:
    """Names of the hypotheses, the derivative of alpha alpha^T, and the conditions: Z1 and I - alpha alpha^T invertible."""
    names = g.intro()
    _plain, turned = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", names))
    regular, gram = g.split(setting_lemma(g, "varre2023.eq-c-12", "statement", names))
    square = g.split_all(setting_lemma(g, "varre2023.eq-c-9", "statement", names))
    h = g.have(f"{SQUARE_DERIVATIVE} = {FACTORED}", lambda g: (g.rewrite(square[1]), g.rewrite(square[2]), g.close_by(square[3])))
    return names, h, regular, turned, gram


@holds(
    "varre2023.eq-c-10",
    f"{PROJECTED} all t:R. 0 <= t => det({GRAM}) != 0 => D(s, inv({GRAM_PATH}), t) = {INV} @ {SQUARE_DERIVATIVE} @ {INV}",
    argument="sound",
    uses=USES,
)
def derivative_of_the_inverse(g: Goal) -> None:
    """The derivative of an inverse."""
    _names, _, _, _, _turned = prepare(g)
    g.nc()


@holds(
    "varre2023.eq-c-11",
    f"""{PROJECTED} all t:R. 0 <= t => det({GRAM}) != 0 =>
       D(s, inv({GRAM_PATH}), t) = {RES} @ T({ALPHA}) @ {INV} + {INV} @ {ALPHA} @ T({RES})""",
    argument="sound",
    uses=["varre2023.eq-c-9", "varre2023.eq-c-10", "varre2023.eq-c-12", "varre2023.lemma-c-2-alpha"],
)
def derivative_of_the_inverse_simplified(g: Goal) -> None:
    """(C.9) in (C.10); the inverses cancel."""
    names, h, regular, _, _ = inverse_rules(g)
    ten = setting_lemma(g, "varre2023.eq-c-10", "statement", names)
    left = g.by_fact("inv_left", "p", GRAM, by=[lambda g: g.close_by(regular)])
    right = g.by_fact("inv_right", "p", GRAM, by=[lambda g: g.close_by(regular)])
    g.rewrite(ten)
    g.rewrite(h)
    chain(g, left, right)


def chain(g: Goal, left: str, right: str) -> None:
    """The inverse cancels on either side."""
    g.nc((left, 1, None, f"{RES} @ T({ALPHA}) @ {INV}"), (right, 1, f"{INV} @ {ALPHA} @ T({RES})", None))


@holds(
    "varre2023.step-c-2-cocycle",
    f"""{PROJECTED} all t:R. 0 <= t => det({GRAM}) != 0 and
       D(s, (2*c)*inv({GRAM_PATH}), t) = ((2*c)*{INV}) @ {ALPHA} @ T({RES}) + {RES} @ T({ALPHA}) @ ((2*c)*{INV}) and
       D(s, Z1(s) @ T(Z1(s)), t) = Z1(t) @ T(Z1(t)) @ {ALPHA} @ T({RES}) + {RES} @ T({ALPHA}) @ (Z1(t) @ T(Z1(t))) and
       (2*c)*inv(I(p) - (inv(T(Z1(0))) @ Z2(0)) @ T(inv(T(Z1(0))) @ Z2(0))) = Z1(0) @ T(Z1(0)) and (2*c)*{INV} = Z1(t) @ T(Z1(t))""",
    argument="sound",
    uses=["varre2023.eq-c-11", "varre2023.eq-c-12", "varre2023.step-c-2-gram-derivative", "varre2023.lemma-c-2-alpha"],
)
def both_gram_matrices_solve_one_equation(g: Goal) -> None:
    """(C.11), the derivative of Z1 Z1^T, and (C.12)."""
    names = g.intro()
    regular, gram = g.split(setting_lemma(g, "varre2023.eq-c-12", "statement", names))
    _plain, _turned = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", names))
    eleven = setting_lemma(g, "varre2023.eq-c-11", "statement", names)
    _, derivative = g.split(setting_lemma(g, "varre2023.step-c-2-gram-derivative", "statement", names))
    all_times = setting_lemma(g, "varre2023.eq-c-12", "statement", names, time=False)
    _, start = g.split(g.apply(all_times, 0))

    def scaled(g: Goal) -> None:
        name = g.have(f"D(s, (2*c)*inv({GRAM_PATH}), t) = (2*c)*D(s, inv({GRAM_PATH}), t)", lambda g: g.nc())
        g.rewrite(name)
        g.rewrite(eleven)
        g.nc()

    g.conj(
        lambda g: g.close_by(regular),
        scaled,
        lambda g: g.nc((derivative, 1, None, None)),
        lambda g: g.nc((start, -1, None, None)),
        lambda g: g.nc((gram, -1, None, None)),
    )
