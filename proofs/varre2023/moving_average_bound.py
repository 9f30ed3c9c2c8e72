"""Appendix D, proof of Proposition 4.1, scale: u^2 + sqrt(d) v^2 from the formula for u^2 - v^2, path by path.

p, q stand for u^2, v^2 along a path, with an index for the time; J for the integral. Their relation at two times is the formula of
the display before (variation of constants).
"""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

VARIATION = "p2 - q2 = exp(-(t2 - t1))*(p1 - q1) + (d - 1)*J"
VALUES = f"""all d:Z, t1 t2 p1 q1 p2 q2 J:R. 1 <= d => 0 <= t1 => t1 <= t2 => 0 <= p1 => 0 <= q1 => 0 <= p2 => 0 <= q2 => 0 <= J =>
       (t1 = t2 => p1 = p2 and q1 = q2 and J = 0) => {VARIATION} =>"""
READING = (
    "along a path: p1, q1 are u^2, v^2 at t_1, p2, q2 those at t_2, J = e^(-t_2) int e^t v^2(t) dt; d for d and n, which agree; "
    "the formula for u^2 - v^2 of the display before is a hypothesis"
)


@refuted(
    "varre2023.step-d-combination",
    f"{VALUES} p2 + sqrt(d)*q2 = exp(-(t2 - t1))*(p1 - q1) + sqrt(d)*q2 + (d - 1)*J",
    argument="fails",
    reading=READING,
    reason="at t_1 = t_2 = 0 it says u^2 + sqrt(n) v^2 = u^2 - v^2 + sqrt(n) v^2, which is false for every start with a_i(0) != 0; "
    "adding (1 + sqrt(n)) v^2(t_2) to the formula for u^2 - v^2 gives 1 + sqrt(n) in place of sqrt(n)",
)
def the_identity_lacks_a_square(g: Goal) -> None:
    """d = 1, t_1 = t_2 = 0, u^2 = v^2 = 1."""
    g.witness(1, 0, 0, 1, 1, 1, 1, 0)
    g.auto()


@amendment(
    "varre2023.step-d-combination",
    f"{VALUES} p2 + sqrt(d)*q2 = exp(-(t2 - t1))*(p1 - q1) + (1 + sqrt(d))*q2 + (d - 1)*J",
    says="with 1 + sqrt(n) in place of sqrt(n)",
)
def the_identity_with_the_square(g: Goal) -> None:
    """Add (1 + sqrt(d)) v^2 to both sides."""
    formula = g.intro()[-1]
    g.field((formula, 1))


@holds(
    "varre2023.step-d-c-bound-ema",
    """all d:Z, t p0 q0 p q J:R. 3 <= d => 0 < t => 0 <= q0 => 0 <= q => 0 <= J => p - q = exp(-t)*(p0 - q0) + (d - 1)*J =>
       p + sqrt(d)*q <= exp(-t)*(p0 + sqrt(d)*q0) + d*(q + J)""",
    argument="repaired",
    context="d >= 3, as the display belongs to the proof of part (b), where d >= 5 [Proposition 4.1 (b)]",
    reading="along a path: p0, q0 are u^2, v^2 at 0, p, q those at t, J is the moving average of v^2; d for d and n, which agree; "
    "the formula for u^2 - v^2 (variation of constants) is a hypothesis",
    reason="the identity before it lacks v^2(t); the bound holds nevertheless, since 1 + sqrt(d) <= d for d >= 3",
)
def weighted_norm_is_bounded_by_the_moving_average(g: Goal) -> None:
    """The right side minus the left one is (1 + sqrt(d)) e^(-t) v^2(0) + (d - 1 - sqrt(d)) v^2(t) + J."""
    three, _, start, now, average, formula = g.intro()
    g.have("0 < sqrt(d)", Goal.auto)
    root = g.by_fact("sqrt_sq", "d", by=[Goal.auto])

    def large(g: Goal) -> None:
        g.contra()
        g.nlin(products=2)

    low = g.have("5/3 <= sqrt(d)", large)
    room = g.have("1 + sqrt(d) <= d", lambda g: g.pos([f"@{low}", f"@{low}"], [f"@{low}", "7/3"], ["1/9"], eqs=[(root, -1)]))
    g.pos([f"@{start}", "exp(-t)", "1 + sqrt(d)"], [f"@{room}", f"@{now}"], [f"@{average}"], eqs=[(formula, -1)])
