"""Theorem 20: the smallness assumption on gamma_Z can be met."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds

POWER = "(2 - 2/N)"


@holds(
    "eftekhari2022.assumption-thm20-exponents",
    f"""all N:Z, a b:R. 2 <= N => 0 < a => a < 1 => 1 < b => ex g0:R. 0 < g0 and all z:R. 0 <= z => z <= g0 =>
       z < a and 2*z*b^{POWER} < (a - z)^{POWER} and 2*z*N*b^{POWER} < a*(a - z)^{POWER}""",
    argument="sound",
    reading="both conditions hold for all sufficiently small gamma_Z (written z), in particular for 0",
)
def both_exponents_are_negative(g: Goal) -> None:
    """gamma_0 = alpha H / (4 N B + 4 H) with B = beta^p and H = (alpha/2)^p."""
    depth, _positive, below, _ = g.intro()
    g.have("0 < b")
    top, half = f"b^{POWER}", f"(a/2)^{POWER}"
    _t_pos, _h_pos = g.have(f"0 < {top}"), g.have(f"0 < {half}")
    bound = f"a*{half}/(4*N*{top} + 4*{half})"
    g.witness(bound)

    def each(g: Goal) -> None:
        g.fix("z")
        g.assume()
        high = g.assume()
        product = g.have(f"z*(4*N*{top} + 4*{half}) <= a*{half}", lambda g: g.pos([f"@{high}", f"4*N*{top} + 4*{half}"]))
        small = g.have("z <= a/2", lambda g: g.pos([f"@{product}"], ["4", "z", "N", top], ["a", half], mul=[f"4*{half}"]))
        exponent = g.have(f"0 <= {POWER}", lambda g: g.pos([f"@{depth}"], ["N"], mul=["N"]))
        power = g.by_fact(
            "pow_base_mono", "a/2", "a - z", POWER, by=[None, lambda g: g.pos([f"@{small}"]), lambda g: g.close_by(exponent)]
        )
        second = g.have(f"2*z*N*{top} < a*{half}", lambda g: g.pos([f"@{product}"], ["4", "z", half], ["a", half], mul=["2"]))

        def first(g: Goal) -> None:
            slack(g, power, second, below, top, half)

        g.conj(
            lambda g: g.pos([f"@{small}"], ["a/2"]),
            first,
            lambda g: g.pos([f"@{second}"], ["a", f"@{power}"]),
        )

    g.conj(None, each)


def slack(g: Goal, power: str, second: str, below: str, top: str, half: str) -> None:
    """2 z B <= 2 z N B < alpha H < H."""
    less = g.have(f"2*z*{top} <= 2*z*N*{top}", lambda g: more(g, top))
    strict = g.have(f"a*{half} < {half}", lambda g: g.pos([f"@{below}", half]))
    g.pos([f"@{power}"], [f"@{second}"], [f"@{less}"], [f"@{strict}"])


def more(g: Goal, top: str) -> None:
    """N is at least one."""
    one = g.have("1 <= N")
    g.pos(["2", "z", top, f"@{one}"])
