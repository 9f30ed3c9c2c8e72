"""Equation (29): the singular values of the solutions."""

from __future__ import annotations

from proofs.razin2020.problem import solution
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

X = solution("x")


@part(
    "razin2020.eq-29",
    "ordered",
    f"all x:R. sv({X},1) = (abs(x) + sqrt(x^2 + 4))/2 and sv({X},2) = (sqrt(x^2 + 4) - abs(x))/2",
    says="the singular values in order",
)
def singular_values_in_order(g: Goal) -> None:
    """Their product is |det| = 1 and the sum of their squares is x^2 + 2, so their sum is sqrt(x^2 + 4) and their difference
    |x|."""
    g.intro()
    product, squares = g.split(g.fact("sv_2x2", X))
    one = g.have("abs(-1) = 1", absolute_of_minus_one)
    order = g.fact("sv_range", 2, 2, X)
    first = g.split(g.apply(order, 1, 2))
    second = g.split(g.apply(order, 2, 2))
    a, b = first[0], second[0]
    ge = g.apply(first[1])
    total = g.have(f"(sv({X},1) + sv({X},2))^2 = x^2 + 4", lambda g: g.field((product, 2), (squares, 1), (one, 2)))
    gap = g.have(f"(sv({X},1) - sv({X},2))^2 = x^2", lambda g: g.field((product, -2), (squares, 1), (one, -2)))
    root = g.by_fact(
        "sqrt_unique",
        "x^2 + 4",
        f"sv({X},1) + sv({X},2)",
        by=[lambda g: g.pos([f"@{a}"], [f"@{b}"]), using(total)],
    )
    less = g.by_fact("sqrt_unique", "x^2", f"sv({X},1) - sv({X},2)", by=[lambda g: g.pos([f"@{ge}"]), using(gap)])
    absolute = g.fact("sqrt_of_square", "x")
    g.conj(
        lambda g: g.field((root, "-1/2"), (less, "-1/2"), (absolute, "1/2")),
        lambda g: g.field((root, "-1/2"), (less, "1/2"), (absolute, "-1/2")),
    )


def absolute_of_minus_one(g: Goal) -> None:
    """abs(-1) = 1."""
    h = g.fact("abs_cases", -1)

    def no(g: Goal) -> None:
        k = g.split(next(reversed(g.seq.hyps)))
        g.have("false", lambda g: g.pos([f"@{k[0]}"], [1]))
        g.auto()

    g.cases(h, no, lambda g: g.exact(g.split(next(reversed(g.seq.hyps)))[1]))


@holds(
    "razin2020.eq-29",
    f"""all x:R. (sv({X},1) = abs((x + sqrt(x^2 + 4))/2) and sv({X},2) = abs((x - sqrt(x^2 + 4))/2)) or
       (sv({X},1) = abs((x - sqrt(x^2 + 4))/2) and sv({X},2) = abs((x + sqrt(x^2 + 4))/2))""",
    uses=["razin2020.eq-29"],
    argument="sound",
)
def singular_values_as_a_set(g: Goal) -> None:
    """For x >= 0 the first alternative holds, for x < 0 the second, by the ordered form."""
    g.intro()
    first, second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))
    g.by_fact("sqrt_sq", "x^2 + 4")
    g.have("0 < sqrt(x^2 + 4)", lambda g: g.auto())

    h = g.fact("abs_cases", "x")

    def branch(g: Goal, i: int) -> None:
        _sign, value = g.split(next(reversed(g.seq.hyps)))
        up = absolute(g, "(x + sqrt(x^2 + 4))/2", "(x + sqrt(x^2 + 4))/2")
        down = absolute(g, "(x - sqrt(x^2 + 4))/2", "(sqrt(x^2 + 4) - x)/2")
        one, two = (up, down) if i == 0 else (down, up)
        g.left_or_right(i)
        g.conj(
            lambda g: g.field((first, 1), (one, -1), (value, "1/2")),
            lambda g: g.field((second, 1), (two, -1), (value, "-1/2")),
        )

    g.cases(h, lambda g: branch(g, 0), lambda g: branch(g, 1))


def absolute(g: Goal, e: str, value: str) -> str:
    """Adds abs(e) = value, where value is e or -e; the other sign contradicts sqrt(x^2 + 4)^2 = x^2 + 4."""

    def right(g: Goal) -> None:
        g.exact(g.split(next(reversed(g.seq.hyps)))[1])

    def wrong(g: Goal) -> None:
        g.split(next(reversed(g.seq.hyps)))
        g.have("false", lambda g: g.nlin(products=2))
        g.auto()

    def prove(g: Goal) -> None:
        g.cases(g.fact("abs_cases", e), *((right, wrong) if e == value else (wrong, right)))

    return g.have(f"abs({e}) = {value}", prove)
