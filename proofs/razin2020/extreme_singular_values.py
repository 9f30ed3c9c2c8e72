"""Lemma 19: the extreme singular values of the product matrix from its loss."""

from __future__ import annotations

from proofs.razin2020.loss_bounds import positive_root
from proofs.razin2020.problem import POSITIVE_DET, SETTING, solution
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

X = solution("x")
S = solution("W[1,1]")
ROOT = "sqrt(W[1,1]^2 + 4)"


@holds(
    "razin2020.lemma-19-step-eigenvalues",
    f"""all x:R. T({X}) = {X} and
       (all c:R. det({X} - c*I(2)) = 0 <=> c = (x + sqrt(x^2 + 4))/2 or c = (x - sqrt(x^2 + 4))/2) and
       (x - sqrt(x^2 + 4))/2 < 0 and 0 < (x + sqrt(x^2 + 4))/2 and
       (0 <= x => sv({X},1) = (x + sqrt(x^2 + 4))/2 and abs(x) <= (x + sqrt(x^2 + 4))/2 and
          sv({X},2) = (sqrt(x^2 + 4) - x)/2 and (sqrt(x^2 + 4) - x)/2 = 2/(sqrt(x^2 + 4) + x) and
          2/(sqrt(x^2 + 4) + x) <= 2/(2 + x)) and
       (x < 0 => sv({X},1) = (abs(x) + sqrt(x^2 + 4))/2 and abs(x) <= (abs(x) + sqrt(x^2 + 4))/2 and
          sv({X},2) = (sqrt(x^2 + 4) - abs(x))/2 and (sqrt(x^2 + 4) - abs(x))/2 = 2/(sqrt(x^2 + 4) + abs(x)) and
          2/(sqrt(x^2 + 4) + abs(x)) <= 2/(2 + abs(x)))""",
    uses=["razin2020.eq-29"],
    argument="sound",
    reading="x stands for w_{1,1}; eigenvalues are the roots of the characteristic polynomial; indefinite: one is "
    "negative, one positive",
)
def eigenvalues_of_the_projection(g: Goal) -> None:
    """The characteristic polynomial is c^2 - x c - 1; with r = sqrt(x^2 + 4) everything follows from r^2 = x^2 + 4, r > |x|,
    r >= 2."""
    g.intro()
    root = g.by_fact("sqrt_sq", "x^2 + 4")
    g.have("0 < sqrt(x^2 + 4)", Goal.auto)

    def eigen(g: Goal) -> None:
        g.fix()
        a, b = "(c - (x + sqrt(x^2 + 4))/2)", "(c - (x - sqrt(x^2 + 4))/2)"

        def forward(g: Goal) -> None:
            h = g.assume()
            zero = g.have(f"{a}*{b} = 0", lambda g: g.field((h, 1), (root, "-1/4")))
            k = g.apply(g.fact("product_zero", a, b), by=[using(zero)])

            def pick(g: Goal, i: int) -> None:
                eq = next(reversed(g.seq.hyps))
                g.left_or_right(i)
                g.field((eq, 1))

            g.cases(k, lambda g: pick(g, 0), lambda g: pick(g, 1))

        def backward(g: Goal) -> None:
            h = g.assume()

            def put(g: Goal, other: str) -> None:
                eq = next(reversed(g.seq.hyps))
                g.field((eq, other), (root, "1/4"))

            g.cases(h, lambda g: put(g, b), lambda g: put(g, a))

        g.iff(forward, backward)

    def negative(g: Goal) -> None:
        g.contra()
        g.nlin(products=2)

    def above_two(g: Goal) -> None:
        g.contra()
        g.nlin("x^2", products=2)

    two = g.have("2 <= sqrt(x^2 + 4)", above_two)
    g.have("(x - sqrt(x^2 + 4))/2 < 0", negative)
    g.have("0 < (x + sqrt(x^2 + 4))/2", negative)

    def signed(g: Goal, z: str) -> None:
        g.assume()
        first, second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))
        absolute = g.fact("abs_cases", "x")
        if z == "x":
            g.have("abs(x) = x", lambda g: g.cases(absolute, split_auto, split_auto))
        g.have(f"0 <= {z}", Goal.auto)
        value = g.have(f"{z}^2 = x^2", (lambda g: g.field()) if z == "x" else (lambda g: g.exact(g.fact("abs_square", "x"))))
        bigger = g.have(f"{z} <= sqrt(x^2 + 4)", lambda g: at_most_root(g, z))
        g.have(f"0 < sqrt(x^2 + 4) + {z}", Goal.auto)
        g.have(f"0 < 2 + {z}", Goal.auto)
        eq = next(n for n, f in g.seq.hyps.items() if g.formula(f"abs(x) = {z}") == f) if z == "x" else None
        fix = [(eq, "1/2")] if eq else []
        low = [(eq, "-1/2")] if eq else []
        g.conj(
            lambda g: g.field((first, 1), *fix),
            lambda g: g.pos([f"@{bigger}", "1/2"], eqs=[(eq, -1)] if eq else []),
            lambda g: g.field((second, 1), *low),
            lambda g: g.field((root, f"1/(2*(sqrt(x^2 + 4) + {z}))"), (value, f"-1/(2*(sqrt(x^2 + 4) + {z}))")),
            lambda g: g.pos([f"@{two}", 2], mul=[f"sqrt(x^2 + 4) + {z}", f"2 + {z}"]),
        )

    g.conj(lambda g: g.ext(), eigen, None, None, lambda g: signed(g, "x"), lambda g: signed(g, "abs(x)"))


def at_most_root(g: Goal, z: str) -> None:
    """z <= sqrt(x^2 + 4), for z^2 = x^2."""
    g.contra()
    g.nlin(products=2)


@holds(
    "razin2020.lemma-19-step-sigma2-projection",
    f"{SETTING} sv({S},2) <= 2*sqrt(2*l)",
    uses=["razin2020.lemma-19-step-eigenvalues", "razin2020.lemma-18", "razin2020.eq-29"],
    argument="sound",
    context=POSITIVE_DET,
)
def second_singular_value_of_the_projection(g: Goal) -> None:
    """s = sv_2 solves s (s + |w11|) = 1. For l >= 1/2 use s <= 1; else |w11| > (1-u)^2/u by Lemma 18 and s > 2u would give s
    (s + |w11|) > 1."""
    loss, det = g.intro()
    second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "W[1,1]"))[1]
    root = g.by_fact("sqrt_sq", "W[1,1]^2 + 4")
    value = g.fact("abs_square", "W[1,1]")
    quadratic = g.have(
        f"sv({S},2)*(sv({S},2) + abs(W[1,1])) = 1",
        lambda g: g.field((second, f"sv({S},2) + ({ROOT} - abs(W[1,1]))/2 + abs(W[1,1])"), (root, "1/4"), (value, "-1/4")),
    )
    square = positive_root(g, loss, det)
    k = g.contra()

    def large(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        g.have("1 <= sqrt(2*l)", lambda g: at_least_one(g, h, square))
        one = next(reversed(g.seq.hyps))
        g.have(f"1 < sv({S},2)", lambda g: g.pos([f"@{k}"], [f"@{one}", 2], [1]))
        big = next(reversed(g.seq.hyps))
        g.pos([f"@{big}", f"@{big}"], [f"@{big}", 2], [f"@{big}", "abs(W[1,1])"], ["abs(W[1,1])"], eqs=[(quadratic, -1)])

    def small(g: Goal) -> None:
        entry = g.split(g.lemma("razin2020.lemma-18", "statement", "W", "l"))[0]
        u = "sqrt(2*l)"
        # with k = s - 2u: s (s + a) - 1 = k^2 + 4uk + ka + 2(au - (1-u)^2) + 6(u - 1/3)^2 + 1/3
        product = g.have(f"(1 - {u})^2 < abs(W[1,1])*{u}", lambda g: g.pos([f"@{entry}", u]))
        g.pos(
            [f"@{k}", f"@{k}"],
            [f"@{k}", 4, u],
            [f"@{k}", "abs(W[1,1])"],
            [f"@{product}", 2],
            [f"6*({u} - 1/3)^2"],
            ["1/3"],
            eqs=[(quadratic, -1)],
        )

    g.em("1/2 <= l", large, small)


def at_least_one(g: Goal, h: str, square: str) -> None:
    """1 <= sqrt(2 l) from 1/2 <= l."""
    k = g.contra()
    g.pos([f"@{h}", 2], [f"@{k}", "sqrt(2*l)"], [f"@{k}"], eqs=[(square, 1)])


def split_auto(g: Goal) -> None:
    """Close by the parts of the last hypothesis."""
    g.split_all(next(reversed(g.seq.hyps)))
    g.auto()


@holds(
    "razin2020.lemma-19-eq-32-sigma1",
    f"{SETTING} abs(W[1,1]) - sqrt(2*l) <= sv(W,1)",
    uses=["razin2020.eq-29", "razin2020.eq-34"],
    argument="sound",
    context=POSITIVE_DET,
)
def largest_singular_value_from_the_entry(g: Goal) -> None:
    """sv_1(W_S) >= |w11| and |sv_1(W) - sv_1(W_S)| <= sqrt(2 l)."""
    _loss, _det = g.intro()
    first = g.split(g.lemma("razin2020.eq-29", "part:ordered", "W[1,1]"))[0]
    bound, norm = perturbation(g, 1)
    low = g.split_all(
        g.apply(
            g.split(g.fact("abs_le", f"sv(W,1) - sv({S},1)", "sqrt(2*l)"))[0],
            by=[lambda g: g.pos([f"@{bound}"], eqs=[(norm, -1)])],
        )
    )[0]
    mono = g.by_fact("sqrt_mono", "W[1,1]^2", "W[1,1]^2 + 4")
    absolute = g.fact("sqrt_of_square", "W[1,1]")
    g.pos([f"@{low}"], [f"@{mono}", "1/2"], eqs=[(first, 1), (absolute, "1/2")])


def perturbation(g: Goal, i: int) -> tuple[str, str]:
    """Equation (34) for the i-th singular value: the bound by the norm, and the value of the norm."""
    all_of = g.split(g.lemma("razin2020.eq-34", "statement", "W", "l", i))
    return g.apply(all_of[1]), all_of[2]


@holds(
    "razin2020.lemma-19-eq-32-sigma2",
    f"{SETTING} sv(W,2) <= 3*sqrt(2*l)",
    uses=["razin2020.lemma-19-step-sigma2-projection", "razin2020.eq-34"],
    argument="sound",
    context=POSITIVE_DET,
)
def smallest_singular_value_from_the_loss(g: Goal) -> None:
    """sv_2(W) <= sv_2(W_S) + sqrt(2 l) <= 3 sqrt(2 l)."""
    _loss, _det = g.intro()
    own = g.lemma("razin2020.lemma-19-step-sigma2-projection", "statement", "W", "l")
    bound, norm = perturbation(g, 2)
    high = g.split_all(
        g.apply(
            g.split(g.fact("abs_le", f"sv(W,2) - sv({S},2)", "sqrt(2*l)"))[0],
            by=[lambda g: g.pos([f"@{bound}"], eqs=[(norm, -1)])],
        )
    )[1]
    g.pos([f"@{high}"], [f"@{own}"])


@holds(
    "razin2020.lemma-19-eq-33",
    f"{SETTING} l < 1/2 => 1/sqrt(2*l) - 2 <= sv(W,1)",
    uses=["razin2020.lemma-18", "razin2020.lemma-19-eq-32-sigma1"],
    argument="sound",
    context=POSITIVE_DET,
)
def largest_singular_value_from_the_loss(g: Goal) -> None:
    """Lemma 18 put into (32)."""
    loss, det, _small = g.intro()
    positive_root(g, loss, det)
    entry, value = g.split(g.lemma("razin2020.lemma-18", "statement", "W", "l"))
    first = g.lemma("razin2020.lemma-19-eq-32-sigma1", "statement", "W", "l")
    g.pos([f"@{entry}"], [f"@{first}"], eqs=[(value, -1)])


@holds(
    "razin2020.eq-36",
    f"{SETTING} l < 1/32 => sv(W,2)/(sv(W,1) + sv(W,2)) <= 6*l/(6*l + 1/2) and 6*l/(6*l + 1/2) <= 12*l and 1/2 "
    f"<= 1 - 2*sqrt(2*l)",
    uses=["razin2020.lemma-19-eq-32-sigma2", "razin2020.lemma-19-eq-33"],
    argument="sound",
    context=POSITIVE_DET,
)
def second_normalised_singular_value(g: Goal) -> None:
    """With u = sqrt(2 l) <= 1/4: s1 >= 1/u - 2 >= 1/(2u) and s2 <= 3u, so s2/(s1 + s2) <= 3u/(1/(2u) + 3u) = 6l/(6l + 1/2)."""
    loss, det, small = g.intro()
    square, quarter, first, second, _total = small_loss(g, loss, det, small)
    u = "sqrt(2*l)"
    half = g.have(f"1/2 <= {u}*sv(W,1)", lambda g: g.pos([f"@{first}", u], [f"@{quarter}", 2]))
    g.conj(
        # 6l s1 - s2/2 = 3u (u s1 - 1/2) + (3u - s2)/2
        lambda g: g.pos(
            [f"@{half}", 3, u], [f"@{second}", "1/2"], mul=["sv(W,1) + sv(W,2)", "6*l + 1/2"], eqs=[(square, "-3*sv(W,1)")]
        ),
        lambda g: g.pos([72, "l^2"], mul=["6*l + 1/2"]),
        lambda g: g.pos([f"@{quarter}", 2]),
    )


def small_loss(g: Goal, loss: str, det: str, small: str) -> tuple[str, str, str, str, str]:
    """For l < 1/32: u^2 = 2 l, u <= 1/4, 1/u - 2 <= s1, s2 <= 3u, 0 < s1 + s2."""
    square = positive_root(g, loss, det)
    u = "sqrt(2*l)"

    def below(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{k}", f"@{k}"], [f"@{k}", "1/2"], [f"@{small}", 2], eqs=[(square, -1)])

    quarter = g.have(f"{u} <= 1/4", below)
    half = g.have("l < 1/2", lambda g: g.pos([f"@{small}"], ["15/32"]))
    first = g.lemma("razin2020.lemma-19-eq-33", "statement", "W", "l", by=[None, None, using(half)])
    second = g.lemma("razin2020.lemma-19-eq-32-sigma2", "statement", "W", "l")
    sign = g.split(g.apply(g.fact("sv_range", 2, 2, "W"), 2, 2))[0]
    positive = g.have(f"0 < {u}*sv(W,1)", lambda g: g.pos([f"@{first}", u], [f"@{quarter}", 2], ["1/2"]))
    one = g.have("0 < sv(W,1)", lambda g: g.pos([f"@{positive}"], mul=[u]))
    total = g.have("0 < sv(W,1) + sv(W,2)", lambda g: g.pos([f"@{one}"], [f"@{sign}"]))
    return square, quarter, first, second, total


@holds(
    "razin2020.thm-1-step-rho1-chain",
    f"""{SETTING} l < 1/32 =>
       sv(W,1)/(sv(W,1) + 3*sqrt(2*l)) <= sv(W,1)/(sv(W,1) + sv(W,2)) and
       sv(W,1)/(sv(W,1) + 3*sqrt(2*l)) = 1 - 3*sqrt(2*l)/(sv(W,1) + 3*sqrt(2*l)) and
       1 - 3*sqrt(2*l)/(1/sqrt(2*l) - 2 + 3*sqrt(2*l)) <= 1 - 3*sqrt(2*l)/(sv(W,1) + 3*sqrt(2*l)) and
       1 - 3*sqrt(2*l)/(1/sqrt(2*l) - 2 + 3*sqrt(2*l)) = 1 - 6*l/(6*l - 2*sqrt(2*l) + 1)""",
    uses=["razin2020.lemma-19-eq-32-sigma2", "razin2020.lemma-19-eq-33"],
    argument="sound",
    context=POSITIVE_DET,
)
def first_normalised_singular_value(g: Goal) -> None:
    """Lemma 19 put into s1/(s1 + s2); the denominators are positive since u = sqrt(2 l) <= 1/4."""
    loss, det, small = g.intro()
    square, quarter, first, second, _total = small_loss(g, loss, det, small)
    u = "sqrt(2*l)"
    low = g.have(f"0 < 1/{u} - 2 + 3*{u}", lambda g: g.pos([2, f"@{quarter}"], ["1/2"], [3, f"{u}^2"], mul=[u]))
    g.have(f"0 < sv(W,1) + 3*{u}", lambda g: g.pos([f"@{first}"], [f"@{low}"]))
    g.have(f"0 < 6*l - 2*{u} + 1", lambda g: g.pos([2, f"@{quarter}"], ["1/2"], [6, "l"]))
    g.conj(
        lambda g: g.pos([f"@{second}", "sv(W,1)"], mul=[f"sv(W,1) + 3*{u}", "sv(W,1) + sv(W,2)"]),
        lambda g: g.field(),
        lambda g: g.pos([f"@{first}", 3, u], mul=[f"sv(W,1) + 3*{u}", f"1/{u} - 2 + 3*{u}"]),
        lambda g: g.field((square, f"6*l/((1/{u} - 2 + 3*{u})*{u}*(6*l - 2*{u} + 1))")),
    )
