"""Lemma 9 and the steps from the normalised singular values to the effective rank."""

from __future__ import annotations

from proofs.razin2020.problem import erank, rho
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

BINARY = "(-(p*log(p)) - (1 - p)*log(1 - p))"
"""The binary entropy h(p); 0 log 0 = 0 since 0 times anything is 0."""


def log_above(g: Goal) -> str:
    """Adds all x > 0: -log(x) <= 1/x - 1."""

    def prove(g: Goal) -> None:
        g.intro()
        k = g.by_fact("log_concave", "1/x")
        g.pos([f"@{k}"])

    return g.have("all x:R. 0 < x => -log(x) <= 1/x - 1", prove)


@holds("razin2020.lemma-9", f"all p:R. 0 <= p => p <= 1 => {BINARY} <= 2*sqrt(p)", argument="sound")
def binary_entropy_is_at_most_twice_the_root(g: Goal) -> None:
    """-log(1-p) <= p/(1-p) and -log(sqrt p) <= 1/sqrt p - 1 give h(p) <= 2 sqrt(p) - p."""
    _low, _high = g.intro()
    tangent = log_above(g)

    def inside(g: Goal) -> None:
        g.have("0 < 1 - p")
        a = g.apply(tangent, "1 - p")
        b = g.apply(tangent, "sqrt(p)")
        g.pos([f"@{a}", "1 - p"], [f"@{b}", 2, "p"], ["p"])

    def at_zero(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        g.rewrite(eq, back=True)
        one = g.fact("log_one")
        root = g.by_fact("sqrt_nonneg", "0")
        g.pos([f"@{root}", 2], eqs=[(one, 1)])

    def at_one(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        g.rewrite(eq)
        one = g.fact("log_one")
        g.pos([2], eqs=[(one, 1)])

    def positive(g: Goal) -> None:
        g.cases(g.by_fact("lt_or_eq", "p", 1), inside, at_one)

    g.cases(g.by_fact("lt_or_eq", 0, "p"), positive, at_zero)


@part(
    "razin2020.lemma-9",
    "range",
    f"all p:R. 0 <= p => p <= 1 => 0 <= {BINARY} and {BINARY} <= log(2)",
    says="the binary entropy lies between 0 and log 2",
)
def range_of_the_binary_entropy(g: Goal) -> None:
    """-log(2p) <= 1/(2p) - 1 for p and for 1 - p, weighted; log(p) <= 0 gives the lower bound."""
    _low, _high = g.intro()
    tangent = log_above(g)
    two = g.have(
        "0 <= log(2)", lambda g: g.pos([f"@{g.apply(g.have('all x:R. 0 < x => log(x) <= x - 1', concave), '1/2')}"], ["1/2"])
    )

    def inside(g: Goal) -> None:
        g.have("0 < 1 - p")
        a, b = g.apply(tangent, "2*p"), g.apply(tangent, "2*(1 - p)")
        c, e = g.by_fact("log_concave", "p"), g.by_fact("log_concave", "1 - p")
        v = g.have("log(2*(1 - p)) = log(2) + log(1 - p)", lambda g: log_of_double(g, "1 - p"))
        g.conj(
            lambda g: g.pos([f"@{c}", "p"], [f"@{e}", "1 - p"], [2, "p", "1 - p"]),
            lambda g: g.pos([f"@{a}", "p"], [f"@{b}", "1 - p"], eqs=[(v, "-(1 - p)")]),
        )

    def end(g: Goal, back: bool) -> None:
        g.rewrite(next(reversed(g.seq.hyps)), back=back)
        one = g.fact("log_one")
        g.conj(lambda g: g.pos(eqs=[(one, 1)]), lambda g: g.pos([f"@{two}"], eqs=[(one, 1)]))

    g.cases(
        g.by_fact("lt_or_eq", 0, "p"),
        lambda g: g.cases(g.by_fact("lt_or_eq", "p", 1), inside, lambda g: end(g, False)),
        lambda g: end(g, True),
    )


def concave(g: Goal) -> None:
    """log(x) <= x - 1 for all x > 0."""
    g.intro()
    g.close_by(g.by_fact("log_concave", "x"))


def log_of_double(g: Goal, x: str) -> None:
    """log(2x) = log(2) + log(x), by the injectivity of exp."""
    a = g.by_fact("exp_log", f"2*({x})")
    b = g.by_fact("exp_log", x)
    c = g.by_fact("exp_log", "2")
    same = g.have(f"exp(log(2*({x}))) = exp(log(2) + log({x}))", lambda g: g.field((a, 1), (b, "-2"), (c, f"-exp(log({x}))")))
    g.close_by(g.by_fact("exp_injective", f"log(2*({x}))", f"log(2) + log({x})", by=[using(same)]))


@holds(
    "razin2020.thm-1-step-exp-chord",
    f"""(all x:R. 0 <= x => x <= log(2) => exp(x) <= 1 + x/log(2)) and
       (all W:M(2,2), p:R. W != O(2,2) => p = {rho(2, "W")} => {erank("W")} <= 1 + {BINARY}/log(2))""",
    uses=["razin2020.lemma-9"],
    argument="sound",
    reading="p stands for rho_2(W)",
)
def exponential_is_below_its_chord(g: Goal) -> None:
    """Convexity: 1 - x <= exp(-x) and 1 + (log 2 - x) <= exp(log 2 - x), weighted. The entropy is that of rho_2, between 0
    and log 2."""

    def chord(g: Goal) -> None:
        low, high = g.intro()
        positive_log_two(g)
        a = g.fact("exp_convex", "-x")
        b = g.fact("exp_convex", "log(2) - x")
        g.pos([f"@{a}", "exp(x)", f"@{high}"], [f"@{b}", "exp(x)", f"@{low}"], mul=["log(2)"])

    h = g.have("all x:R. 0 <= x => x <= log(2) => exp(x) <= 1 + x/log(2)", chord)

    def effective(g: Goal) -> None:
        nonzero, eq = g.intro()
        value = second_share(g, nonzero, eq)[2]
        g.rewrite(value)
        g.split(g.lemma("razin2020.lemma-9", "part:range", "p"))
        k = g.apply(h, BINARY)
        g.close_by(k)

    g.conj(using(h), effective)


def positive_log_two(g: Goal) -> str:
    """Adds 0 < log(2)."""

    def prove(g: Goal) -> None:
        only(g)
        k = g.by_fact("log_strict", 1, 2)
        one = g.fact("log_one")
        g.pos([f"@{k}"], eqs=[(one, 1)])

    return g.have("0 < log(2)", prove)


def second_share(g: Goal, nonzero: str, eq: str) -> tuple[str, str, str]:
    """For W != 0 and p = rho_2(W): 0 <= p, p <= 1, and the effective rank as exp of the binary entropy of p."""
    sigma = g.fact("sv_range", 2, 2, "W")
    a = g.split(g.apply(sigma, 1, 1))[0]
    b = g.split(g.apply(sigma, 2, 2))[0]
    _, squares = g.split(g.fact("sv_2x2", "W"))

    def total(g: Goal) -> None:
        wrong = g.contra()
        one = g.have("sv(W,1) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{b}"], [f"@{wrong}"])))
        two = g.have("sv(W,2) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{a}"], [f"@{wrong}"])))
        norm = g.have("tr(T(W) @ W) = 0", lambda g: g.field((squares, -1), (one, "sv(W,1)"), (two, "sv(W,2)")))
        zero = g.by_fact("frobenius_zero", 2, 2, "W", by=[using(norm)])
        g.clash(zero, nonzero)

    g.have("0 < sv(W,1) + sv(W,2)", total)
    low = g.have("0 <= p", lambda g: g.pos([f"@{b}"], mul=["sv(W,1) + sv(W,2)"], eqs=[(eq, "sv(W,1) + sv(W,2)")]))
    high = g.have("p <= 1", lambda g: g.pos([f"@{a}"], mul=["sv(W,1) + sv(W,2)"], eqs=[(eq, "-(sv(W,1) + sv(W,2))")]))
    two = g.have(f"{rho(2, 'W')} = p", lambda g: g.field((eq, -1)))
    one = g.have(f"{rho(1, 'W')} = 1 - p", lambda g: g.field((eq, 1)))

    def same(g: Goal) -> None:
        g.rewrite(one)
        g.rewrite(two)
        g.ctx(lambda g: g.field())

    value = g.have(f"{erank('W')} = exp({BINARY})", same)
    return low, high, value
