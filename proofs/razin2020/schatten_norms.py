"""Proposition 1, second part: Schatten (quasi-)norms along the solution set."""

from __future__ import annotations

from collections.abc import Callable

from proofs.razin2020.problem import infimum, solution
from proofs.razin2020.quasi_norms import at_most_max
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

X = solution("x")
ROOT = "sqrt(x^2 + 4)"


def power_sum(x: str) -> str:
    """The p-th power of the Schatten-p (quasi-)norm of W_x, p finite."""
    w = solution(x)
    return f"(sv({w},1)^p + sv({w},2)^p)"


def schatten(x: str) -> str:
    """The Schatten-p (quasi-)norm of W_x, p finite."""
    return f"{power_sum(x)}^(1/p)"


def spectral(x: str) -> str:
    """The Schatten-infinity norm of W_x."""
    w = solution(x)
    return f"max(sv({w},1), sv({w},2))"


@part(
    "razin2020.prop-1-schatten",
    "singular-values",
    f"""(all x:R. 1 <= sv({X},1) and sv({X},2) = 1/sv({X},1) and sv({X},2) <= sv({X},1)) and
       (all x:R. x != 0 => 1 < sv({X},1)) and sv({solution("0")},1) = 1 and
       (all x y:R. abs(x) < abs(y) => sv({X},1) < sv({solution("y")},1))""",
    says="sv_1(W_x) >= 1 is the inverse of sv_2(W_x) and increases in |x|",
    uses=["razin2020.eq-29"],
)
def singular_values_are_inverse(g: Goal) -> None:
    """From (29): sv_1 = (|x| + sqrt(x^2 + 4))/2, sv_2 = (sqrt(x^2 + 4) - |x|)/2."""

    def root(g: Goal, x: str) -> tuple[str, str, str]:
        g.have(f"0 < sqrt({x}^2 + 4)")
        square = g.by_fact("sqrt_sq", f"{x}^2 + 4")

        def two(g: Goal) -> None:
            k = g.contra()
            g.pos([f"@{k}", f"sqrt({x}^2 + 4)"], [f"@{k}", 2], [f"{x}^2"], eqs=[(square, 1)])

        low = g.have(f"2 <= sqrt({x}^2 + 4)", two)
        return square, g.fact("abs_square", x), low

    def each(g: Goal) -> None:
        g.fix("x")
        square, absolute, low = root(g, "x")
        first, second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))
        one = g.have(f"1 <= sv({X},1)", lambda g: g.pos([f"@{low}", "1/2"], ["abs(x)", "1/2"], eqs=[(first, 1)]))
        g.have(f"0 < sv({X},1)", lambda g: g.pos([f"@{one}"], [1]))
        inverse = g.have(
            f"sv({X},1)*sv({X},2) = 1",
            lambda g: g.field((first, f"sv({X},2)"), (second, f"(abs(x) + {ROOT})/2"), (square, "1/4"), (absolute, "-1/4")),
        )
        g.conj(
            using(one),
            lambda g: g.field((inverse, f"1/sv({X},1)")),
            lambda g: g.pos(["abs(x)"], eqs=[(first, 1), (second, -1)]),
        )

    def larger(g: Goal) -> None:
        g.fix("x")
        h = g.assume()
        _, _, low = root(g, "x")
        first = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))[0]
        k = g.have("0 < abs(x)", lambda g: nonzero_absolute(g, h))
        g.pos([f"@{low}", "1/2"], [f"@{k}", "1/2"], eqs=[(first, 1)])

    def at_zero(g: Goal) -> None:
        first = g.split(g.lemma("razin2020.eq-29", "part:ordered", 0))[0]
        g.field((first, 1))

    def increasing(g: Goal) -> None:
        g.fix("x", "y")
        order = g.assume()
        g.have("0 < abs(y)", lambda g: g.pos([f"@{order}"], ["abs(x)"]))
        p, u, _ = root(g, "x")
        q, v, _ = root(g, "y")
        a = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))[0]
        b = g.split(g.lemma("razin2020.eq-29", "part:ordered", "y"))[0]
        r, s = "sqrt(x^2 + 4)", "sqrt(y^2 + 4)"

        def longer(g: Goal) -> None:
            k = g.contra()
            g.pos(
                [f"@{k}", r],
                [f"@{k}", s],
                [f"@{order}", "abs(x)"],
                [f"@{order}", "abs(y)"],
                eqs=[(p, -1), (q, 1), (u, 1), (v, -1)],
            )

        k = g.have(f"{r} < {s}", longer)
        g.pos([f"@{k}", "1/2"], [f"@{order}", "1/2"], eqs=[(a, -1), (b, 1)])

    g.conj(each, larger, at_zero, increasing)


def nonzero_absolute(g: Goal, h: str, x: str = "x") -> None:
    """0 < abs(x) for x != 0."""
    wrong = g.contra()
    zero = g.have(f"abs({x}) = 0", lambda g: g.antisym(using(wrong)))
    v = g.fact("abs_square", x)
    square = g.have(f"{x}^2 = 0", lambda g: g.field((v, -1), (zero, f"abs({x})")))
    k = g.apply(g.fact("square_zero", x), by=[using(square)])
    g.clash(k, h)


def minimal_only_at_zero(g: Goal, value: Callable[[str], str], low: str, near: str, strict: str) -> None:
    """(value(x) = m iff x = 0) for the infimum m (low, near), where value(x) > value(0) for x != 0 (strict)."""

    def at_least(g: Goal) -> None:
        wrong = g.contra()
        (k,) = g.obtain(g.apply(near, f"{value('0')} - m", by=[lambda g: g.pos([f"@{wrong}"])]), "z")

        def same(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            v = g.have(f"{value('z')} = {value('0')}", lambda g: rewrite_to_same(g, eq))
            only(g, k, v)
            g.pos([f"@{k}"], eqs=[(v, 1)])

        def other(g: Goal) -> None:
            s = g.apply(strict, "z")
            only(g, k, s)
            g.pos([f"@{k}"], [f"@{s}"])

        g.em("z = 0", same, other)

    m = g.have(f"m = {value('0')}", lambda g: g.antisym(lambda g: g.close_by(g.apply(low, 0)), at_least))

    def forward(g: Goal) -> None:
        eq = g.assume()
        wrong = g.contra()
        s = g.apply(strict, "x", by=[using(wrong)])
        only(g, s, eq, m)
        g.pos([f"@{s}"], eqs=[(eq, -1), (m, -1)])

    def backward(g: Goal) -> None:
        eq = g.assume()
        g.rewrite(eq)
        only(g, m)
        g.field((m, -1))

    g.iff(forward, backward)


def rewrite_to_same(g: Goal, eq: str) -> None:
    """An equation whose sides agree after a rewriting."""
    g.rewrite(eq)
    g.refl()


@part(
    "razin2020.prop-1-schatten",
    "increasing",
    f"""all p x y:R. 0 < p => abs(x) < abs(y) => {power_sum("x")} < {power_sum("y")} and {schatten("x")} < {schatten("y")}""",
    says="the Schatten-p (quasi-)norm along S increases strictly in |x|, for every finite p > 0",
    uses=["razin2020.prop-1-schatten"],
)
def schatten_norm_increases(g: Goal) -> None:
    """With b = sv_1^p >= 1 the p-th power is b + 1/b, which increases strictly in b >= 1."""
    positive, order = g.intro()
    values = g.split(g.lemma("razin2020.prop-1-schatten", "part:singular-values"))
    u, v = solution("x"), solution("y")

    def at(x: str, w: str) -> tuple[str, str]:
        one, inverse, _ = g.split(g.apply(values[0], x))
        g.have(f"0 < sv({w},1)", lambda g: g.pos([f"@{one}"], [1]))
        b = g.have(f"1 <= sv({w},1)^p", lambda g: g.pos([f"@{g.by_fact('pow_exp_mono', f'sv({w},1)', 0, 'p')}"]))
        total = g.have(f"{power_sum(x)} = sv({w},1)^p + 1/sv({w},1)^p", lambda g: put_inverse(g, inverse, one))
        return b, total

    a1, t1 = at("x", u)
    a2, t2 = at("y", v)
    grow = g.apply(values[3], "x", "y", by=[using(order)])
    power = g.by_fact("pow_base_strict", f"sv({u},1)", f"sv({v},1)", "p", by=[None, using(grow), using(positive)])
    g.have(f"0 < sv({u},1)^p")
    g.have(f"0 < sv({v},1)^p")
    b, c = f"sv({u},1)^p", f"sv({v},1)^p"

    def sums(g: Goal) -> None:
        only(g, power, a1, a2, t1, t2, *positives(g, u, v))
        # (c - b)(b c - 1) over b c, and b c > 1
        g.pos(
            [f"@{power}", f"@{a1}", c],
            [f"@{power}", f"@{power}"],
            [f"@{power}", f"@{a1}"],
            mul=[b, c],
            eqs=[(t1, f"-({b}*{c})"), (t2, f"{b}*{c}")],
        )

    s = g.have(f"{power_sum('x')} < {power_sum('y')}", sums)

    def norms(g: Goal) -> None:
        low = g.have(f"0 < {power_sum('x')}", lambda g: positive_sum(g, t1, u))
        g.close_by(g.by_fact("pow_base_strict", power_sum("x"), power_sum("y"), "1/p", by=[using(low), using(s)]))

    g.conj(using(s), norms)


def positives(g: Goal, *matrices: str) -> list[str]:
    """The hypotheses that say that sv_1 is positive."""
    wanted = [g.formula(f"0 < sv({w},1)") for w in matrices]
    return [h for h, f in g.seq.hyps.items() if f in wanted]


def positive_sum(g: Goal, total: str, w: str) -> None:
    """0 < sv_1^p + sv_2^p."""
    only(g, total, *positives(g, w))
    g.pos([f"sv({w},1)^p"], [f"1/sv({w},1)^p"], eqs=[(total, 1)])


def put_inverse(g: Goal, inverse: str, one: str) -> None:
    """sv_1^p + sv_2^p with sv_2 = 1/sv_1."""
    g.rewrite(inverse)
    only(g, one)
    g.field()


@holds(
    "razin2020.prop-1-schatten",
    f"""(all p x m:R. 0 < p => {infimum("m", schatten("z"), "z")} => ({schatten("x")} = m <=> x = 0)) and
       (all x m:R. {infimum("m", spectral("z"), "z")} => ({spectral("x")} = m <=> x = 0))""",
    uses=["razin2020.prop-1-schatten"],
    argument="repaired",
    reason="the printed chain of inequalities fails for p <= 1 (prop-1-step-second-inequality)",
)
def schatten_norms_are_minimal_only_at_zero(g: Goal) -> None:
    """The norm increases strictly in |x|, so it is minimal exactly at x = 0; for p infinite it is sv_1."""

    def larger(g: Goal) -> tuple[str, str]:
        h = g.assume()
        zero = g.have("abs(0) = 0", lambda g: g.field())
        k = g.have("0 < abs(y)", lambda g: nonzero_absolute(g, h, "y"))
        return zero, k

    def finite(g: Goal) -> None:
        positive, low, near = g.intro()

        def strict(g: Goal) -> None:
            g.fix("y")
            zero, k = larger(g)
            order = g.have("abs(0) < abs(y)", lambda g: g.pos([f"@{k}"], eqs=[(zero, -1)]))
            g.close_by(
                g.split(
                    g.lemma(
                        "razin2020.prop-1-schatten",
                        "part:increasing",
                        "p",
                        0,
                        "y",
                        by=[using(positive), using(order)],
                    )
                )[1]
            )

        s = g.have(f"all y:R. y != 0 => {schatten('0')} < {schatten('y')}", strict)
        minimal_only_at_zero(g, schatten, low, near, s)

    def infinite(g: Goal) -> None:
        low, near = g.intro()
        values = g.split(g.lemma("razin2020.prop-1-schatten", "part:singular-values"))

        def strict(g: Goal) -> None:
            g.fix("y")
            h = g.assume()
            big = g.apply(values[1], "y", by=[using(h)])
            order = g.split(g.apply(values[0], "0"))[2]
            a = maximum(g, solution("0"), order)
            b, _ = at_most_max(g, f"sv({solution('y')},1)", f"sv({solution('y')},2)")
            only(g, big, a, b, values[2])
            g.pos([f"@{big}"], [f"@{b}"], eqs=[(a, -1), (values[2], -1)])

        s = g.have(f"all y:R. y != 0 => {spectral('0')} < {spectral('y')}", strict)
        minimal_only_at_zero(g, spectral, low, near, s)

    g.conj(finite, infinite)


def maximum(g: Goal, w: str, order: str) -> str:
    """Adds max(sv_1, sv_2) = sv_1."""

    def prove(g: Goal) -> None:
        def first(g: Goal) -> None:
            h, eq = g.split(next(reversed(g.seq.hyps)))
            g.antisym(lambda g: g.pos([f"@{order}"], eqs=[(eq, -1)]), lambda g: g.pos([f"@{h}"], eqs=[(eq, 1)]))

        def second(g: Goal) -> None:
            g.close_by(g.split(next(reversed(g.seq.hyps)))[1])

        g.cases(g.fact("max_cases", f"sv({w},1)", f"sv({w},2)"), first, second)

    return g.have(f"max(sv({w},1), sv({w},2)) = sv({w},1)", prove)


@holds(
    "razin2020.prop-1-step-spectral",
    f"""(all x:R. {spectral("x")} = sv({X},1) and sv({X},1) = (abs(x) + {ROOT})/2 and (x != 0 => 1 < (abs(x) + {ROOT})/2)) and
       (all x:R. x = 0 => (abs(x) + {ROOT})/2 = 1)""",
    uses=["razin2020.prop-1-schatten", "razin2020.eq-29"],
    argument="sound",
)
def spectral_norm_along_s(g: Goal) -> None:
    """sv_1 >= sv_2, and (29)."""

    def each(g: Goal) -> None:
        g.fix("x")
        values = g.split(g.lemma("razin2020.prop-1-schatten", "part:singular-values"))
        order = g.split(g.apply(values[0], "x"))[2]
        first = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))[0]
        top = maximum(g, X, order)

        def larger(g: Goal) -> None:
            h = g.assume()
            k = g.apply(values[1], "x", by=[using(h)])
            only(g, k, first)
            g.pos([f"@{k}"], eqs=[(first, -1)])

        g.conj(using(top), using(first), larger)

    def at_zero(g: Goal) -> None:
        g.fix("x")
        g.rewrite(g.assume())
        g.field()

    g.conj(each, at_zero)


PRINTED = f"p/2^p*((x + {ROOT})^(p-1)*(1 + x/{ROOT}) + (-x + {ROOT})^(p-1)*(-1 + x/{ROOT}))"
DIFFERENCE = f"p/2^p*((x + {ROOT})^(p-1) - (-x + {ROOT})^(p-1))"


@holds(
    "razin2020.prop-1-step-derivative",
    f"all x p:R. 0 < x => 0 < p => D(y, {power_sum('y')}, x) = {PRINTED}",
    uses=["razin2020.eq-29"],
    argument="sound",
)
def derivative_of_the_schatten_power(g: Goal) -> None:
    """Near x > 0 the singular values are (sqrt(y^2 + 4) +- y)/2; differentiate."""
    g.intro()
    body = "(y + sqrt(y^2 + 4))^p/2^p + (-y + sqrt(y^2 + 4))^p/2^p"
    g.have(f"0 < -x + {ROOT}", lambda g: second_is_positive(g, "x"))

    def agree(g: Goal) -> None:
        g.fix("y")
        g.split_all(g.assume())
        g.have("0 < -y + sqrt(y^2 + 4)", lambda g: second_is_positive(g, "y"))
        first, second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "y"))
        a = g.by_fact("pow_mul", "y + sqrt(y^2 + 4)", "1/2", "p")
        b = g.by_fact("pow_mul", "-y + sqrt(y^2 + 4)", "1/2", "p")
        one = g.have(f"sv({solution('y')},1) = (y + sqrt(y^2 + 4))*(1/2)", lambda g: g.field((first, 1)))
        two = g.have(f"sv({solution('y')},2) = (-y + sqrt(y^2 + 4))*(1/2)", lambda g: g.field((second, 1)))
        g.rewrite(one)
        g.rewrite(two)
        g.rewrite(a)
        g.rewrite(b)
        g.field()

    h = g.by_fact(
        "derivative_local", "x/2", "2*x", "x", f"lam y:R. {power_sum('y')}", f"lam y:R. {body}", by=[None, None, None, agree]
    )
    g.rewrite(h)
    g.field()


def second_is_positive(g: Goal, x: str) -> None:
    """0 < sqrt(x^2 + 4) - x."""
    square = g.by_fact("sqrt_sq", f"{x}^2 + 4")
    g.have(f"0 < sqrt({x}^2 + 4)")
    k = g.contra()
    g.pos([f"@{k}", f"sqrt({x}^2 + 4)"], [f"@{k}", x], [4], eqs=[(square, 1)])


@holds(
    "razin2020.prop-1-step-first-inequality",
    f"all x p:R. 0 < x => 0 < p => {DIFFERENCE} < D(y, {power_sum('y')}, x)",
    uses=["razin2020.prop-1-step-derivative"],
    argument="sound",
)
def derivative_exceeds_the_difference(g: Goal) -> None:
    """The derivative minus the difference is p/2^p times x/sqrt(x^2 + 4) times a sum of two positive powers."""
    g.intro()
    h = g.lemma("razin2020.prop-1-step-derivative", "statement", "x", "p")
    g.rewrite(h)
    g.have(f"0 < -x + {ROOT}", lambda g: second_is_positive(g, "x"))
    g.pos(["p", "1/2^p", "x", f"1/{ROOT}", f"(x + {ROOT})^(p-1)"], ["p", "1/2^p", "x", f"1/{ROOT}", f"(-x + {ROOT})^(p-1)"])


@refuted(
    "razin2020.prop-1-step-second-inequality",
    f"""(all x p:R. 0 < x => 0 < p => 0 < {DIFFERENCE}) and
       (all p x y:R. 0 < p => 0 < x => x < y => {schatten("x")} < {schatten("y")})""",
    argument="fails",
    reason="at p = 1 both powers are 1 and the difference is 0 (for p < 1 it is negative); the conclusion that the "
    "norm increases is true",
)
def difference_vanishes_at_p_one(g: Goal) -> None:
    """x = 1, p = 1."""
    g.left_or_right(0)
    g.witness("1", "1")
    g.have("0 < -1 + sqrt(1^2 + 4)", one_below_root)
    g.conj(None, lambda g: g.conj(None, lambda g: g.pos()))


def one_below_root(g: Goal) -> None:
    """0 < sqrt(5) - 1."""
    square = g.by_fact("sqrt_sq", "1^2 + 4")
    g.have("0 < sqrt(1^2 + 4)")
    k = g.contra()
    g.pos([f"@{k}", "sqrt(1^2 + 4)"], [f"@{k}"], [4], eqs=[(square, 1)])


@amendment(
    "razin2020.prop-1-step-second-inequality",
    f"""(all x p:R. 0 < x => 1 < p => 0 < {DIFFERENCE}) and
       (all p x y:R. 0 < p => 0 < x => x < y => {schatten("x")} < {schatten("y")})""",
    says="the difference is positive for p > 1; the Schatten-p (quasi-)norm increases in x > 0 for every p > 0",
    uses=["razin2020.prop-1-schatten"],
)
def difference_is_positive_for_norms(g: Goal) -> None:
    """Powers with exponent p - 1 > 0 increase strictly; the second part is the strict growth of b + 1/b, b = sv_1^p >= 1."""

    def difference(g: Goal) -> None:
        g.intro()
        g.have("0 < p")
        g.have(f"0 < -x + {ROOT}", lambda g: second_is_positive(g, "x"))
        k = g.by_fact("pow_base_strict", f"-x + {ROOT}", f"x + {ROOT}", "p - 1")
        g.pos([f"@{k}", "p", "1/2^p"])

    def growth(g: Goal) -> None:
        g.intro()
        order = g.have("abs(x) < abs(y)", absolute_order)
        g.close_by(g.split(g.lemma("razin2020.prop-1-schatten", "part:increasing", "p", "x", "y", by=[None, using(order)]))[1])

    g.conj(difference, growth)


def absolute_order(g: Goal) -> None:
    """|x| < |y| for 0 < x < y."""
    g.have("0 < y")
    a = g.have("abs(x) = x", lambda g: g.field())
    b = g.have("abs(y) = y", lambda g: g.field())
    g.rewrite(a)
    g.rewrite(b)
    g.auto()
