"""Proof of Proposition 4, the gradient of the loss at a symmetric product matrix: its eigenvalues and its least singular value.

w stands for w_{1,2}, v for w_{2,2}.
"""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

G = "[[0, w - 1], [w - 1, v]]"
S = "sqrt(v^2 + 4*(1 - w)^2)"
CLAIM = "razin2020.prop-4-step-gradient-eigenvalues"


@part(
    CLAIM,
    "root",
    f"all w v:R. {S}^2 = v^2 + 4*(1 - w)^2 and 0 <= {S} and v <= {S}",
    says="the root in the formulas, and what it is at least",
)
def the_root_is_at_least_each_member(g: Goal) -> None:
    """Its square is a sum of two squares."""
    g.intro()
    radicand = g.have("0 <= v^2 + 4*(1 - w)^2", lambda g: g.pos(["v^2"], [4, "(1 - w)^2"]))
    root = g.by_fact("sqrt_sq", "v^2 + 4*(1 - w)^2", by=[using(radicand)])
    sign = g.by_fact("sqrt_nonneg", "v^2 + 4*(1 - w)^2", by=[using(radicand)])

    def at_least(g: Goal) -> None:
        g.contra()
        g.nlin("(1 - w)^2", products=2)

    g.conj(using(root), using(sign), at_least)


@part(
    CLAIM,
    "least",
    f"all w v:R. 0 <= v => sv({G},2) = ({S} - v)/2",
    says="the least singular value, also for w22 = 0",
)
def least_singular_value_of_the_gradient(g: Goal) -> None:
    """Both are nonnegative; their product is (1 - w)^2 and the sum of their squares v^2 + 2 (1 - w)^2, so the square of their
    difference is v^2 and that of their sum v^2 + 4 (1 - w)^2: the difference is v, the sum the root."""
    (sign,) = g.intro()
    root, positive, _ = g.split_all(g.lemma(CLAIM, "part:root", "w", "v"))
    product, squares = g.split(g.fact("sv_2x2", G))
    det = g.have(f"abs(det({G})) = (1 - w)^2", absolute_determinant)
    ranges = g.fact("sv_range", "2", "2", G)
    (second, ordered) = g.split(g.apply(ranges, "2", "2"))
    first = g.split(g.apply(ranges, "1", "2"))
    one, order = first
    order = g.apply(order, by=[Goal.auto])
    a, b = f"sv({G},1)", f"sv({G},2)"
    roots = g.have("all x y:R. 0 <= x => 0 <= y => x^2 = y^2 => x = y", equal_squares)

    def same(x: str, y: str, *eqs: tuple[str, int]) -> str:
        return g.apply(roots, x, y, by=[Goal.auto, Goal.auto, lambda g: g.field(*eqs)])

    total = same(f"{a} + {b}", S, (product, 2), (det, 2), (squares, 1), (root, -1))
    difference = same(f"{a} - {b}", "v", (product, -2), (det, -2), (squares, 1))
    g.field((total, "1/2"), (difference, "-1/2"))


def absolute_determinant(g: Goal) -> None:
    """The determinant is -(1 - w)^2."""
    value = g.have(f"det({G}) = -(1 - w)^2", lambda g: g.field())
    cases = g.fact("abs_cases", f"det({G})")

    def nonnegative(g: Goal) -> None:
        above, absolute = g.split_all(next(reversed(g.seq.hyps)))
        zero = g.have("(1 - w)^2 = 0", lambda g: g.antisym(lambda g: g.pos([f"@{above}"], eqs=[(value, -1)])))
        g.field((absolute, 1), (value, 1), (zero, -2))

    def negative(g: Goal) -> None:
        absolute = g.split_all(next(reversed(g.seq.hyps)))[1]
        g.field((absolute, 1), (value, -1))

    g.cases(cases, nonnegative, negative)


def equal_squares(g: Goal) -> None:
    """x^2 - y^2 = (x - y)^2 + 2 y (x - y), and the same with x and y exchanged."""
    g.intro()

    def below(g: Goal) -> None:
        g.contra()
        g.nlin(products=2)

    g.antisym(below, below)


@holds(
    CLAIM,
    f"""all w v:R. (all c:R. det({G} - c*I(2)) = 0 <=> c = (v + {S})/2 or c = (v - {S})/2) and
       (0 < v => sv({G},2) = ({S} - v)/2)""",
    argument="sound",
    reading="w stands for w_{1,2}, v for w_{2,2}; the eigenvalues are the roots of the characteristic polynomial",
)
def eigenvalues_of_the_gradient(g: Goal) -> None:
    """The characteristic polynomial is c^2 - v c - (1 - w)^2."""
    g.intro()
    root = g.split_all(g.lemma(CLAIM, "part:root", "w", "v"))[0]

    def eigen(g: Goal) -> None:
        g.fix()
        a, b = f"(c - (v + {S})/2)", f"(c - (v - {S})/2)"

        def forward(g: Goal) -> None:
            h = g.assume()
            zero = g.have(f"{a}*{b} = 0", lambda g: g.field((h, 1), (root, "-1/4")))
            k = g.apply(g.fact("product_zero", a, b), by=[using(zero)])

            def pick(g: Goal, i: int) -> None:
                eq = next(reversed(g.seq.hyps))
                g.left_or_right(i)
                g.field((eq, 1))

            g.cases(k, lambda g: pick(g, 0), lambda g: pick(g, 1))

        def put(g: Goal, other: str) -> None:
            g.field((next(reversed(g.seq.hyps)), other), (root, "1/4"))

        def backward(g: Goal) -> None:
            g.cases(g.assume(), lambda g: put(g, b), lambda g: put(g, a))

        g.iff(forward, backward)

    def least(g: Goal) -> None:
        g.assume()
        g.close_by(g.lemma(CLAIM, "part:least", "w", "v", by=[Goal.auto]))

    g.conj(eigen, least)


U = "(1 - w)^2"


@holds(
    "razin2020.prop-4-step-sigma2-bound",
    f"""all w v:R. 0 <= w => w <= 1 => 0 < v => v <= 1 =>
       sv({G},2) = 2*{U}/({S} + v) and 2*{U}/(sqrt(1 + 4*{U}) + 1) <= 2*{U}/({S} + v) and
       2*{U}/(2*abs(1 - w) + 2) <= 2*{U}/(sqrt(1 + 4*{U}) + 1) and 1/2*{U} <= 2*{U}/(2*abs(1 - w) + 2)""",
    uses=[CLAIM],
    argument="sound",
    reading="w stands for w_{1,2}, v for w_{2,2}",
)
def least_singular_value_is_at_least_half_the_square(g: Goal) -> None:
    """With the root s: (s - v)(s + v) = 4 (1 - w)^2; the root at v <= 1 is at most that at 1, which is at most 2 |1 - w| + 1,
    and this is at most 3."""
    low, high, positive, at_most = g.intro()
    root, sign, _ = g.split_all(g.lemma(CLAIM, "part:root", "w", "v"))
    square, nonnegative, _ = g.split_all(g.lemma(CLAIM, "part:root", "w", "1"))
    value = g.lemma(CLAIM, "part:least", "w", "v", by=[Goal.auto])
    absolute = g.have("abs(1 - w) = 1 - w", absolute_value)
    at_one = f"sqrt(1 + 4*{U})"
    smaller = g.have("v^2 + 4*(1 - w)^2 <= 1^2 + 4*(1 - w)^2", lambda g: g.pos([f"@{at_most}", "1 + v"]))
    bigger = g.by_fact(
        "sqrt_mono", "v^2 + 4*(1 - w)^2", "1^2 + 4*(1 - w)^2", by=[lambda g: g.pos(["v^2"], [4, U]), using(smaller)]
    )

    def at_most_sum(g: Goal) -> None:
        wrong = g.contra()
        g.pos([f"@{wrong}", f"@{wrong}"], [f"@{wrong}", f"@{high}", 4], [f"@{wrong}", 2], [f"@{high}", 4], eqs=[(square, 1)])

    most = g.have(f"{at_one} <= 2*(1 - w) + 1", at_most_sum)
    g.have(f"0 < {S} + v", lambda g: g.pos([f"@{sign}"], [f"@{positive}"]))
    g.have(f"0 < {at_one} + 1", lambda g: g.pos([f"@{nonnegative}"], [1]))
    g.have("0 < 2*abs(1 - w) + 2", lambda g: g.pos([f"@{high}", 2], [2], eqs=[(absolute, 2)]))
    g.conj(
        lambda g: g.field((value, 1), (root, f"1/(2*({S} + v))")),
        lambda g: g.pos([f"@{bigger}", U, 2], [f"@{at_most}", U, 2], mul=[f"{S} + v", f"{at_one} + 1"]),
        lambda g: g.pos([f"@{most}", U, 2], mul=["2*abs(1 - w) + 2", f"{at_one} + 1"], eqs=[(absolute, f"4*{U}")]),
        lambda g: g.pos([f"@{low}", U], mul=["2*abs(1 - w) + 2"], eqs=[(absolute, f"-{U}")]),
    )


def absolute_value(g: Goal) -> None:
    """1 - w is nonnegative."""
    g.cases(g.fact("abs_cases", "1 - w"), lambda g: g.close_by(g.split_all(next(reversed(g.seq.hyps)))[1]), impossible)


def impossible(g: Goal) -> None:
    """The case that it is negative."""
    g.split_all(next(reversed(g.seq.hyps)))
    wrong = g.have("false", lambda g: g.nlin(products=1))
    g.step("absurd", h=wrong)
