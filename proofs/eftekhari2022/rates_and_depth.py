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
    reading="the rate is the factor of -t in (38), printed with s_Z^(-2/N), and likewise in (202), with s_Z^(2-2/N); m, alpha (a), beta (b), gamma_Z (g), s_Z (z) are fixed",
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
    f"""{VALUES} {exponents("N")} {exponents("N + 1")} -2*log((a - g)*z) <= N*(1 - a) =>
       {rate("N")} <= {rate("N + 1")} and {true_rate("N")} <= {true_rate("N + 1")}""",
    says="the rate does not decrease from depth N to N + 1 where N >= 2 log(1/((alpha - gamma_Z) s_Z))/(1 - alpha), both with the power "
    "s_Z^(-2/N) that is printed in (38) and with s_Z^(2-2/N) as in (202); Theorem 20 is assumed to apply at both depths",
)
def deeper_is_faster_from_some_depth(g: Goal) -> None:
    """With k = alpha - gamma_Z and e = 2/(N (N+1)): (k s_Z)^e >= 1 + e log(k s_Z) >= N/(N + 1 - alpha), and the loss by gamma_Z at depth
    N + 1 is at most alpha (k s_Z)^(2-2/N+e), by the second exponent of Theorem 20."""
    names = g.intro(split=False)
    below, last, enough = names[5], names[-2], names[-1]
    g.have("0 < N")
    g.have("0 < b")
    k = g.obtain(g.have("ex k:R. k = a - g", lambda g: (g.witness("a - g"), g.refl())), "k")[0]
    g.have("0 < k", lambda g: g.pos([f"@{names[4]}"], eqs=[(k, 1)]))
    back = g.have("a - g = k", lambda g: g.field((k, -1)))
    last, enough = g.rewritten(last, back), g.rewritten(enough, back)
    g.rewrite(back)
    step = "2/(N*(N + 1))"
    e = g.obtain(g.have(f"ex e:R. e = {step}", lambda g: (g.witness(step), g.refl())), "e")[0]
    p = g.obtain(g.have(f"ex p:R. p = {POWER}", lambda g: (g.witness(POWER), g.refl())), "p")[0]
    now = g.have(f"{POWER} = p", lambda g: g.field((p, -1)))
    then = g.have("2 - 2/(N + 1) = p + e", lambda g: g.field((p, -1), (e, -1)))
    last = g.rewritten(last, then)
    g.have("0 < a", lambda g: g.pos([f"@{names[4]}"], [f"@{names[3]}"]))
    g.have("0 < N + 1 - a", lambda g: g.pos(["N"], [f"@{below}"]))
    low = "-((1 - a)/(N + 1 - a))"
    gap = g.have(
        f"{low} <= e*log(k*z)",
        lambda g: g.pos(
            ["N + 1 - a", f"@{enough}"], ["N", "a", f"@{below}"],
            mul=["N*(N + 1)*(N + 1 - a)"], eqs=[(e, "N*(N + 1)*(N + 1 - a)*log(k*z)")],
        ),
    )  # fmt: skip
    convex = g.fact("exp_convex", low)
    grown = g.by_fact("exp_mono", low, "e*log(k*z)", by=[using(gap)])
    power = g.have("exp(e*log(k*z)) = k^e*z^e", lambda g: g.field())
    large = g.have(
        "N <= (N + 1 - a)*(k^e*z^e)",
        lambda g: g.pos(["N + 1 - a", f"@{convex}"], ["N + 1 - a", f"@{grown}"], eqs=[(power, "-(N + 1 - a)")]),
    )

    def value(n: str, q: str) -> str:
        return f"(m*({n})*z^({q})*(k^({q}) - 2*g*b^({q})))"

    split = [g.have(f"{x}^(p + e) = {x}^p*{x}^e", lambda g: g.field()) for x in "kzb"]
    last = g.rewritten(g.rewritten(last, split[0]), split[2])

    def true(g: Goal) -> None:
        for h in split:
            g.rewrite(h)
        g.pos(["m", "z^p", "z^e", f"@{last}"], ["m", "z^p", "k^p", f"@{large}"], ["2", "m", "g", "N", "z^p", "b^p"])

    order = g.have(f"{value('N', 'p')} <= {value('N + 1', 'p + e')}", true)
    first = g.have("-2/N = p - 2", lambda g: g.field((p, -1)))
    second = g.have("-2/(N + 1) = p + e - 2", lambda g: g.field((p, -1), (e, -1)))

    def printed(g: Goal) -> None:
        for h in (now, then, first, second):
            g.rewrite(h)
        down = [g.have(f"z^({q} - 2) = z^({q})/z^2", lambda g: g.field()) for q in ("p", "p + e")]
        for h in down:
            g.rewrite(h)
        g.pos([f"@{order}"], mul=["z^2"])

    def corrected(g: Goal) -> None:
        g.rewrite(now)
        g.rewrite(then)
        g.close_by(order)

    g.conj(printed, corrected)
