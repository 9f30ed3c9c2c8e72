"""The mirror potential for k = 1: its gradient and the scalar formulas of the proof of Lemma C.7."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds


def square(x: str) -> str:
    """The squared norm of a vector."""
    return f"tr(T({x}) @ ({x}))"


def scale(x: str) -> str:
    """sqrt(|x|^2 + gamma^2) + gamma."""
    return f"(sqrt({square(x)} + c^2) + c)"


def potential(x: str) -> str:
    """The potential (C.15)."""
    return f"((2/3)*{scale(x)}^(3/2) - 2*c*{scale(x)}^(1/2))"


def directional(value: str, x: str, v: str = "v") -> str:
    """The derivative at x along v of the function `value(text)`, given as its text at x + e v."""
    return f"D(e, {value}, 0)"


GRADIENT = f"all p:Z, c:R, x v:V(p). 0 < c => D(e, {potential('x + e*v')}, 0) = {scale('x')}^(-1/2)*tr(T(v) @ x)"


@holds(
    "varre2023.step-c-7-derivative-formula",
    """all x a b:R. 0 < a => 0 < b =>
       D(y, (2/3)*(sqrt(y^2 + a^2) + b)^(3/2) - 2*b*(sqrt(y^2 + a^2) + b)^(1/2), x) = (sqrt(x^2 + a^2) + b)^(-1/2)*x""",
    argument="sound",
)
def scalar_derivative(g: Goal) -> None:
    """The chain rule."""
    g.intro()
    g.have("0 < x^2 + a^2")
    g.have("0 < sqrt(x^2 + a^2) + b")
    g.field()


@holds(
    "varre2023.step-c-7-gradient",
    GRADIENT,
    argument="sound",
    reading="the gradient is given by the derivatives along all directions",
)
def gradient_of_the_potential(g: Goal) -> None:
    """The chain rule along x + e v."""
    g.intro()
    g.have(f"0 < {square('x')} + c^2")
    g.have(f"0 < {scale('x')}")
    g.field()
