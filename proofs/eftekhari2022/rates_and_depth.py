"""After Theorem 20: how the rates depend on depth, and the smallness of gamma_Z that they need."""

from __future__ import annotations

from proofs.eftekhari2022.theorem_twenty import nested
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted

POWER = "(2 - 2/N)"


@holds(
    "eftekhari2022.assertion-gamma-order-1-over-n",
    f"""all N:Z, g a b:R. 2 <= N => 0 <= g => g < a => a < 1 => 1 < b => 2*g*N*b^{POWER} < a*(a - g)^{POWER} => g < 1/(2*N)""",
    argument="sound",
    reading="g, a, b stand for gamma_Z, alpha, beta; O(1/N) with the constant 1/2",
)
def gamma_is_of_the_order_of_the_inverse_depth(g: Goal) -> None:
    """alpha (alpha - gamma)^p <= 1 <= beta^p."""
    _, _, _, below, _, rate = g.intro()
    one = g.have("1 <= N")
    nonneg = g.have(f"0 <= {POWER}", lambda g: g.pos(["2", f"@{one}"], mul=["N"]))
    small = g.have("a - g <= 1")
    g.have("0 < a - g")
    left = g.by_fact("pow_base_mono", "a - g", 1, POWER, by=[None, using(small), using(nonneg)])
    right = g.by_fact("pow_base_mono", 1, "b", POWER)
    unit = g.have(f"1^{POWER} = 1", lambda g: g.field())
    left, right = g.rewritten(left, unit), g.rewritten(right, unit)
    g.have("0 < a")
    whole = g.have("2*g*N < 1", lambda g: g.pos([f"@{rate}"], ["a", f"@{left}"], [f"@{below}"], ["2", "g", "N", f"@{right}"]))
    g.pos([f"@{whole}"], mul=["2*N"])


def rate(n: str) -> str:
    """The printed rate (38) at depth n."""
    return f"(m*({n})*z^(-2/({n}))*((a - g)^(2 - 2/({n})) - 2*g*b^(2 - 2/({n}))))"


def true_rate(n: str) -> str:
    """The rate (202) at depth n."""
    return f"(m*({n})*z^(2 - 2/({n}))*((a - g)^(2 - 2/({n})) - 2*g*b^(2 - 2/({n}))))"


def exponents(n: str) -> str:
    """Both exponents of Theorem 20 are negative at depth n."""
    return f"2*g*b^(2 - 2/({n})) < (a - g)^(2 - 2/({n})) => 2*g*({n})*b^(2 - 2/({n})) < a*(a - g)^(2 - 2/({n})) =>"


VALUES = "all N:Z, m z g a b:R. 2 <= N => 1 <= m => 0 < z => 0 <= g => g < a => a < 1 => 1 < b =>"


@refuted(
    "eftekhari2022.assertion-faraway-improves-with-depth",
    f"{VALUES} {exponents('N')} {exponents('N + 1')} {rate('N')} <= {rate('N + 1')} and {true_rate('N')} <= {true_rate('N + 1')}",
    reason="for small alpha s_Z the rate decreases at first: gamma_Z = 0, alpha = 1/2, s_Z = 1/4 give 1/4 at N = 2 and 3/16 at N = 3 in (202), "
    "and 4 and 3 in (38)",
    reading="the rate is the factor of -t in (38), and likewise in (202); m, alpha (a), beta (b), gamma_Z (g), s_Z (z) are fixed",
)
def deeper_may_be_slower(g: Goal) -> None:
    """N = 2 and N = 3."""
    g.witness("2", "1", "1/4", "0", "1/2", "2")
    g.have("0 < (1/2)^(1/3)")

    def number(value: str) -> Script:
        """A condition 0 < value."""

        def script(g: Goal) -> None:
            left, right = g.concl[1:]
            zero = g.have(("=", left, 0), lambda g: g.field())
            h = g.have(("=", right, g.term(value)), lambda g: g.field())
            g.rewrite(zero)
            g.rewrite(h)
            g.auto()

        return script

    def last(g: Goal) -> None:
        g.left_or_right(1)
        left, right = g.concl[2], g.concl[1]
        a = g.have(("=", left, ("q", 1, 4)), lambda g: g.field())
        b = g.have(("=", right, ("q", 3, 16)), lambda g: g.field())
        g.rewrite(a)
        g.rewrite(b)
        g.auto()

    third = "(1/2)^(1/3)"
    conditions = [number(v) for v in ("1/2", "1/4", f"1/2*{third}", f"1/4*{third}")]
    nested(g, *[None] * 7, *conditions, last)


@amendment(
    "eftekhari2022.assertion-faraway-improves-with-depth",
    """all N:Z, m x:R. 2 <= N => 1 <= m => 0 < x => -2*log(x) <= N => m*N*x^(2 - 2/N) <= m*(N + 1)*x^(2 - 2/(N + 1))""",
    says="for gamma_Z = 0 the rate (202), m N (alpha s_Z)^(2-2/N), does not decrease from depth N on where N >= 2 log(1/(alpha s_Z)); "
    "x stands for alpha s_Z",
)
def deeper_is_faster_from_some_depth(g: Goal) -> None:
    """x^(2/N - 2/(N+1)) = exp(2 log(x)/(N (N+1))) >= exp(-1/(N+1)) >= N/(N+1)."""
    enough = g.intro()[3]
    g.have("0 < N")
    step = "2/(N*(N + 1))"
    e = g.obtain(g.have(f"ex e:R. e = {step}", lambda g: (g.witness(step), g.refl())), "e")[0]
    gap = g.have("-(1/(N + 1)) <= e*log(x)", lambda g: g.pos([f"@{enough}"], mul=["N*(N + 1)"], eqs=[(e, "N*(N + 1)*log(x)")]))
    convex = g.fact("exp_convex", "-(1/(N + 1))")
    grown = g.by_fact("exp_mono", "-(1/(N + 1))", "e*log(x)", by=[using(gap)])
    power = g.have("exp(e*log(x)) = x^e", lambda g: g.field())
    low = g.have("N/(N + 1) <= x^e", lambda g: g.pos([f"@{convex}"], [f"@{grown}"], eqs=[(power, -1)]))
    g.replace("2 - 2/(N + 1)", "(2 - 2/N) + e", lambda g: g.field((e, -1)))
    split = g.have("x^((2 - 2/N) + e) = x^(2 - 2/N)*x^e", lambda g: g.field())
    g.rewrite(split)
    g.pos(["m", "N + 1", "x^(2 - 2/N)", f"@{low}"])
