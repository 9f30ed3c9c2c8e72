"""The completion problem of Equation (13): formula texts that several modules share.

z, y and eps are the observations b_12 = z, b_21 = z' and b_22 = epsilon.
"""

from __future__ import annotations

from proofs.razin2020.factorisation import BALANCED, FLOW, factors
from verify.kernel import Goal
from verify.kernel.tactics import Script


def perturbed_loss(w: str) -> str:
    """The loss (1) of the observations (13) at a 2 x 2 matrix."""
    return f"(({w}[1,2] - z)^2 + ({w}[2,1] - y)^2 + ({w}[2,2] - eps)^2)/2"


OBSERVED = f"all W:M(2,2), z y eps l:R. z != 0 => y != 0 => l = {perturbed_loss('W')} =>"
"""A product matrix and its loss l for the observations (13)."""

SIGNED = f"{OBSERVED} 0 < z*y*det(W) =>"
"""The same, where the determinant has the sign of z z'."""

SMALL = "l < min(z^2/2, y^2/2) =>"

U = "sqrt(2*l)"
E = f"(abs(eps) + {U})"

NAMES = "b_12 = z, b_21 = y (z' in print), b_22 = eps; 0 < z y det W says that the determinant has the sign of z y"
SAME_SIGN = (

        "the determinant of the product matrix keeps its sign (Lemma 6), so that the sign of the start holds throughout "
        "optimisation [Lemma 6]"

)

THEOREM_2 = f"""all {factors("2", "2")}, z y eps:R. 2 <= n => {FLOW} {BALANCED}
       (all t:R. 0 <= t => G(t) = [[0, X(t)[1,2] - z], [X(t)[2,1] - y, X(t)[2,2] - eps]]) => z != 0 => y != 0 =>
       0 < z*y*det(X(0)) =>"""
"""The setting of Theorem 2: balanced gradient flow for the observations (13), from a determinant with the sign of z z'."""


def perturbed(w: str) -> str:
    """The member of the solution set (14) with the (1,1) entry w."""
    return f"[[{w}, z], [y, eps]]"


def below_minimum(g: Goal, h: str) -> tuple[str, str]:
    """l < p and l < q from l < min(p, q)."""
    _, _, least = g.hyp_formula(h)
    _, p, q = least

    def first(g: Goal) -> None:
        _, eq = g.split(next(reversed(g.seq.hyps)))
        g.conj(*[lambda g: g.nlin(products=1)] * 2)

    k = g.have(
        ("and", ("<", g.hyp_formula(h)[1], p), ("<", g.hyp_formula(h)[1], q)),
        lambda g: g.cases(g.fact("min_cases", p, q), first, first),
    )
    a, b = g.split(k)
    return a, b


def minimum_is_one_of(g: Goal, h: str) -> str:
    """p <= l or q <= l from min(p, q) <= l."""
    _, least, value = g.hyp_formula(h)
    _, p, q = least

    def pick(i: int) -> Script:
        def case(g: Goal) -> None:
            g.split(next(reversed(g.seq.hyps)))
            g.left_or_right(i)
            g.nlin(products=1)

        return case

    return g.have(("or", ("<=", p, value), ("<=", q, value)), lambda g: g.cases(g.fact("min_cases", p, q), pick(0), pick(1)))


def absolute_at_least(g: Goal, whole: str, part: str, bound: str) -> str:
    """Adds |part| - bound <= |whole|, from the hypothesis |whole - part| <= bound."""
    k = g.fact("abs_triangle", whole, f"-1*({whole} - ({part}))")
    m = g.fact("abs_product", "-1", f"{whole} - ({part})")
    one = g.have("abs(-1) = 1", lambda g: g.field())
    same = g.have(f"abs({whole} + -1*({whole} - ({part}))) = abs({part})", lambda g: g.ctx(lambda g: g.field()))
    h = next(n for n, f in g.seq.hyps.items() if f == g.formula(f"abs({whole} - {part}) <= {bound}"))
    return g.have(
        f"abs({part}) - {bound} <= abs({whole})",
        lambda g: g.pos([f"@{k}"], [f"@{h}"], eqs=[(same, 1), (m, -1), (one, f"-abs({whole} - ({part}))")]),
    )
