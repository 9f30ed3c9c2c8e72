"""Lemma 10: the algebra of I and J matrices."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds


@holds(
    "shin2025.lemma-10-mult",
    """all n:Z, a b c e s:R. 1 <= n =>
       (ex p q:R. s*(a*I(n) + b*J(n)) = p*I(n) + q*J(n)) and
       (ex p q:R. (a*I(n) + b*J(n)) + (c*I(n) + e*J(n)) = p*I(n) + q*J(n)) and
       (ex p q:R. (a*I(n) + b*J(n)) @ (c*I(n) + e*J(n)) = p*I(n) + q*J(n))""",
    argument="sound",
)
def span_of_i_and_j_is_closed(g: Goal) -> None:
    """The coefficients of the multiple, the sum and the product are exhibited; J J = n J gives the product."""
    g.intro()

    def scaled(g: Goal) -> None:
        g.witness("s*a", "s*b")
        g.nc()

    def added(g: Goal) -> None:
        g.witness("a + c", "b + e")
        g.nc()

    def multiplied(g: Goal) -> None:
        g.witness("a*c", "a*e + b*c + n*b*e")
        g.nc()

    g.conj(scaled, added, multiplied)


@holds(
    "shin2025.lemma-10-commute",
    "all n:Z, a b c e:R. 1 <= n => (a*I(n) + b*J(n)) @ (c*I(n) + e*J(n)) = (c*I(n) + e*J(n)) @ (a*I(n) + b*J(n))",
    argument="sound",
)
def elements_of_the_span_commute(g: Goal) -> None:
    """Both products are a c I + (a e + b c + n b e) J."""
    g.intro()
    g.nc()
