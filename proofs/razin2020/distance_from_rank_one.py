"""Proposition 2: infimal rank of the solution set and the distance from it."""

from __future__ import annotations

from proofs.razin2020.problem import distance, fro, infimal_rank, set_distance, solution
from proofs.razin2020.rank_along_s import absolute_value
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.syntax import parse
from verify.kernel.tactics import Script
from verify.registry import holds, part

X = solution("x")
SECOND = "(sqrt({0}^2 + 4) - abs({0}))/2"


@part(
    "razin2020.prop-2-step-distance",
    "second-singular-value",
    f"all W:M(2,2). {distance('sv(W,2)', 'W', '1')}",
    says="the distance of a 2 x 2 matrix from the matrices of rank at most 1 is its second singular value",
)
def distance_is_the_second_singular_value(g: Goal) -> None:
    """Eckart-Young with k = 1."""
    g.fix("W")
    best, lower = g.split(g.by_fact("eckart_young", 2, 2, 1, "W"))
    g.split(g.apply(g.fact("sv_range", 2, 2, "W"), 2, 2))
    root = g.have("sqrt(sv(W,2)^2) = sv(W,2)", lambda g: g.field((g.fact("sqrt_of_square", "sv(W,2)"), 1)))

    def below(g: Goal) -> None:
        h = g.intro()[0]
        k = g.apply(lower, "M", by=[using(h)])
        k = g.have("sv(W,2)^2 <= tr(T(W - M) @ (W - M))", lambda g: g.pos([f"@{k}"]))
        r = g.by_fact("sqrt_mono", "sv(W,2)^2", "tr(T(W - M) @ (W - M))")
        g.pos([f"@{r}"], eqs=[(root, 1)])

    def attained(g: Goal) -> None:
        h = g.intro()[0]
        a, b = g.obtain(best, "Y")
        g.witness("Y")
        value = g.have(f"{fro('W - Y')} = sqrt(sv(W,2)^2)", lambda g: g.ctx(lambda g: g.field((b, 1))))
        g.conj(using(a), lambda g: g.pos([f"@{h}"], eqs=[(value, -1), (root, -1)]))

    g.conj(below, attained)


def distance_value(g: Goal, h: str, m: str, w: str) -> str:
    """Adds m = sv(w,2), where h says that m is the distance of w from rank one."""
    own = g.split(g.lemma("razin2020.prop-2-step-distance", "part:second-singular-value", w))
    given = g.split(h)
    second = f"sv({w},2)"

    def at_most(g: Goal, a: str, b: str, lower: str, near: str) -> None:
        """a <= b, where a is a lower bound and b is approached."""
        wrong = g.contra()
        k = g.apply(near, f"{a} - {b}", by=[lambda g: g.pos([f"@{wrong}"])])
        rank, close = g.obtain(k, "Y")
        bound = g.apply(lower, "Y", by=[using(rank)])
        g.pos([f"@{close}"], [f"@{bound}"])

    return g.have(
        f"{m} = {second}",
        lambda g: g.antisym(lambda g: at_most(g, m, second, given[0], own[1]), lambda g: at_most(g, second, m, own[0], given[1])),
    )


@part(
    "razin2020.prop-2-step-distance",
    "small-for-large-entries",
    f"all e:R. 0 < e => sv({solution('(2/e)')},2) < e",
    says="sv_2(W_x) < e at x = 2/e",
    uses=["razin2020.eq-29"],
)
def second_singular_value_becomes_small(g: Goal) -> None:
    """sv_2 = 2/(sqrt(x^2 + 4) + |x|) < 2/x."""
    g.intro()
    second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "2/e"))[1]
    absolute = g.have("abs(2/e) = 2/e", lambda g: g.field())
    root = g.by_fact("sqrt_sq", "(2/e)^2 + 4")
    g.have("0 < sqrt((2/e)^2 + 4)")
    bound = g.have("sqrt((2/e)^2 + 4) < 2/e + 2*e", lambda g: below_tangent(g, root))
    g.pos([f"@{bound}", "1/2"], eqs=[(second, -1), (absolute, "1/2")])


def below_tangent(g: Goal, root: str) -> None:
    """sqrt(x^2 + 4) < x + 2 e for x = 2/e."""
    k = g.contra()
    r = "sqrt((2/e)^2 + 4)"
    g.pos([f"@{k}", r], [f"@{k}", "2/e + 2*e"], [4], [4, "e^2"], eqs=[(root, -1)])


@holds(
    "razin2020.prop-2-step-distance",
    f"(all x m:R. {distance('m', X, '1')} => m = sv({X},2)) and {set_distance('0', '1')}",
    uses=["razin2020.prop-2-step-distance"],
    argument="sound",
)
def distance_along_s(g: Goal) -> None:
    """The distance from rank one is the second singular value (Eckart-Young), which is below e at x = 2/e."""

    def each(g: Goal) -> None:
        g.fix("x", "m")
        h = g.assume()
        g.close_by(distance_value(g, h, "m", X))

    g.conj(each, lambda g: distance_zero(g))


def distance_zero(g: Goal) -> None:
    """0 is the distance of S from the matrices of rank at most 1."""

    def below(g: Goal) -> None:
        g.intro()
        g.close_by(g.by_fact("sqrt_nonneg", f"tr(T({X} - M) @ ({X} - M))"))

    def near(g: Goal) -> None:
        h = g.intro()[0]
        half = g.have("0 < e_/2", lambda g: g.pos([f"@{h}", "1/2"]))
        w = solution("(2/(e_/2))")
        small = g.lemma("razin2020.prop-2-step-distance", "part:small-for-large-entries", "e_/2", by=[using(half)])
        own = g.split(g.lemma("razin2020.prop-2-step-distance", "part:second-singular-value", w))
        rank, close = g.obtain(g.apply(own[1], "e_/2", by=[using(half)]), "Y")
        g.witness("2/(e_/2)", "Y")
        g.conj(using(rank), lambda g: g.pos([f"@{close}"], [f"@{small}"]))

    g.conj(below, near)


@holds(
    "razin2020.prop-2-step-m0",
    f"all m:R. {set_distance('m', '0')} => 0 < m",
    argument="sound",
)
def distance_from_the_zero_matrix_is_positive(g: Goal) -> None:
    """A matrix of rank 0 is zero, and |W_x|^2 = x^2 + 2 >= 1."""
    g.fix("m")
    h = g.assume()
    near = g.split(h)[1]
    wrong = g.contra()
    k = g.apply(near, "1/2")
    rank, close = g.obtain(k, "x", "M")
    contradiction(g, rank, "x", lambda g: g.pos([f"@{close}"], [f"@{wrong}"]), "1/2")


def contradiction(g: Goal, rank: str, x: str, close: Script, bound: str) -> None:
    """false, from rank M <= 0 and |W_x - M| < 1/2 (proved by `close`)."""
    w = solution(x)
    best = g.split(g.by_fact("eckart_young", 2, 2, 0, "M"))[1]
    own = g.apply(best, "M", by=[using(rank)])
    norm = g.by_fact("sv_frobenius", 2, 2, "M")
    none = g.have("tr(T(M - M) @ (M - M)) = 0", lambda g: g.field())
    total = g.have("tr(T(M) @ M) <= 0", lambda g: g.pos([f"@{own}"], eqs=[(norm, -1), (none, 1)]))
    both = g.have("tr(T(M) @ M) = 0", lambda g: g.antisym(using(total)))
    zero = g.by_fact("frobenius_zero", 2, 2, "M", by=[using(both)])
    small = g.have(f"{fro(w + ' - M')} < {bound}", close)
    square = g.by_fact("sqrt_sq", f"tr(T({w} - M) @ ({w} - M))")
    g.by_fact("sqrt_nonneg", f"tr(T({w} - M) @ ({w} - M))")
    value = g.have(f"tr(T({w} - M) @ ({w} - M)) = {x}^2 + 2", lambda g: norm_of_solution(g, zero))
    r = fro(w + " - M")
    g.pos([f"@{small}", r], [f"@{small}", "1/2"], [f"{x}^2"], ["7/4"], eqs=[(square, 1), (value, 1)])


def norm_of_solution(g: Goal, zero: str) -> None:
    """|W_x - O|^2 = x^2 + 2."""
    g.rewrite(zero)
    g.field()


def put(g: Goal, pattern: str, new: str, old: str, eq: str, h: str) -> None:
    """Close pattern[hole := new] by the hypothesis h, which is pattern[hole := old], where eq says old = new."""
    f = parse(pattern, {**g.seq.ctx, "hole": "Z"})
    same, rest = g.step("leibniz", v="hole", sort="Z", f=f, a=g.term(new), b=g.term(old))
    same.field((eq, -1))
    rest.close_by(h)


@holds(
    "razin2020.prop-2-infimal-rank",
    f"all r:Z. {infimal_rank('r')} <=> r = 1",
    uses=["razin2020.prop-2-step-distance", "razin2020.prop-2-step-m0"],
    argument="sound",
)
def infimal_rank_is_one(g: Goal) -> None:
    """D(S, M_1) = 0 and D(S, M_0) > 0."""
    g.fix("r")
    one = g.split(g.lemma("razin2020.prop-2-step-distance"))[1]
    none = g.lemma("razin2020.prop-2-step-m0")

    def not_zero(g: Goal, zero: str) -> None:
        k = g.apply(none, 0, by=[using(zero)])
        g.pos([f"@{k}"])

    def forward(g: Goal) -> None:
        _low, _, zero, least = g.split(g.assume())
        cases = g.fact("trichotomy", "r", 1)

        def below(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            k = g.by_fact("int_lt", "r", 1, by=[using(h)])
            eq = g.have("r = 0", lambda g: g.antisym(lambda g: g.pos([f"@{k}"])))

            k = g.have(set_distance("0", "0"), lambda g: put(g, set_distance("0", "hole"), "0", "r", eq, zero))
            g.have("false", lambda g: not_zero(g, k))
            g.auto()

        def above(g: Goal) -> None:
            k = g.apply(least, 1)
            g.clash(one, k)

        g.cases(cases, below, None, above)

    def backward(g: Goal) -> None:
        g.rewrite(g.assume())

        def least(g: Goal) -> None:
            g.fix("k")
            _low, high = g.split_all(g.assume())
            zero = g.assume()
            k = g.by_fact("int_lt", "k", 1, by=[using(high)])
            eq = g.have("k = 0", lambda g: g.antisym(lambda g: g.pos([f"@{k}"])))

            k = g.have(set_distance("0", "0"), lambda g: put(g, set_distance("0", "hole"), "0", "k", eq, zero))
            not_zero(g, k)

        g.conj(None, None, using(one), least)

    g.iff(forward, backward)


D = "(all x:R. " + distance("D(x)", X, "r") + ")"


@holds(
    "razin2020.prop-2-distance",
    f"""all D:R->R, r:Z. {infimal_rank("r")} => {D} =>
       (all x:R. D(x) <= D(0)) and (all x y:R. abs(x) < abs(y) => D(y) < D(x)) and
       tends(x, D(x), 0) and tends(x, D(-x), 0)""",
    uses=["razin2020.prop-2-infimal-rank", "razin2020.prop-2-step-distance", "razin2020.eq-29"],
    argument="sound",
    reading="D(x) is the distance of W_x from the infimal rank r of S; decreases to 0: strictly in |x|, with the limit "
    "0 at both ends",
)
def distance_decreases_to_zero(g: Goal) -> None:
    """r = 1, so D(x) = sv_2(W_x) = (sqrt(x^2 + 4) - |x|)/2 = 2/(sqrt(x^2 + 4) + |x|)."""
    rank, *_ = names = g.intro(split=False)
    one = g.apply(g.split(g.lemma("razin2020.prop-2-infimal-rank", "statement", "r"))[0], by=[using(rank)])

    def value(g: Goal) -> None:
        g.fix("x")
        h = g.apply(names[1], "x")

        k = g.have(distance("D(x)", X, "1"), lambda g: put(g, distance("D(x)", X, "hole"), "1", "r", one, h))
        k = distance_value(g, k, "D(x)", X)
        second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))[1]
        g.field((k, 1), (second, 1))

    values = g.have(f"all x:R. D(x) = {SECOND.format('x')}", value)

    def roots(g: Goal, x: str) -> tuple[str, str]:
        g.have(f"0 < sqrt({x}^2 + 4)")
        return g.by_fact("sqrt_sq", f"{x}^2 + 4"), g.fact("abs_square", x)

    def strict(g: Goal) -> None:
        g.fix("x", "y")
        order = g.assume()
        a, b = g.apply(values, "x"), g.apply(values, "y")
        (p, u), (q, v) = roots(g, "x"), roots(g, "y")
        r, s = "sqrt(x^2 + 4)", "sqrt(y^2 + 4)"
        k = g.have("0 < abs(y)", lambda g: g.pos([f"@{order}"], ["abs(x)"]))

        def closer(g: Goal) -> None:
            wrong = g.contra()
            # (r + |y|)^2 - (s + |x|)^2 = 2 (r |y| - s |x|) and r |y| > s |x|
            cross = g.have(f"{s}*abs(x) < {r}*abs(y)", lambda g: crossed(g, order, p, q, u, v))
            g.pos([f"@{wrong}", f"{s} + abs(x) + {r} + abs(y)"], [f"@{cross}", 2], eqs=[(p, 1), (q, -1), (u, -1), (v, 1)])

        k = g.have(f"{s} + abs(x) < {r} + abs(y)", closer)
        g.pos([f"@{k}", "1/2"], eqs=[(a, 1), (b, -1)])

    strictly = g.have("all x y:R. abs(x) < abs(y) => D(y) < D(x)", strict)

    def maximal(g: Goal) -> None:
        g.fix("x")
        zero = g.have("abs(0) = 0", lambda g: g.field())

        def other(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            k = g.apply(strictly, 0, "x", by=[lambda g: g.pos([f"@{h}"], eqs=[(zero, -1)])])
            g.pos([f"@{k}"])

        def same(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            v = g.fact("abs_square", "x")
            square = g.have("x^2 = 0", lambda g: g.field((v, -1), (h, "-abs(x)")))
            k = g.apply(g.fact("square_zero", "x"), by=[using(square)])
            g.rewrite(k)
            g.step("refl")

        g.cases(g.by_fact("lt_or_eq", 0, "abs(x)"), other, same)

    def end(g: Goal, x: str) -> None:
        def between(g: Goal) -> None:
            g.fix("x")
            large = g.assume()
            g.have("0 < x", lambda g: g.pos([f"@{large}"], [1]))
            value = g.apply(values, x)
            p, _u = roots(g, x)
            size = g.have(f"abs({x}) = x", lambda g: absolute_value(g, x))
            r = f"sqrt({x}^2 + 4)"

            def larger(g: Goal) -> None:
                k = g.contra()
                g.pos([f"@{k}", r], [f"@{k}", "x"], [4], eqs=[(p, 1)])

            k = g.have(f"x < {r}", larger)
            g.conj(
                lambda g: g.pos([f"@{k}", "1/2"], eqs=[(value, 1), (size, "-1/2")]),
                lambda g: g.pos(
                    [2, f"@{k}"], mul=["2", "x", f"{r} + x"], eqs=[(value, f"-2*x*({r} + x)"), (size, f"x*({r} + x)"), (p, "-x")]
                ),
            )

        const = g.fact("tends_const", 0)
        inverse = g.fact("tends_inverse")
        functions = "lam x:R. 0", f"lam x:R. D({x})", "lam x:R. 1/x"
        g.close_by(g.by_fact("tends_squeeze", 1, 0, *functions, by=[between, using(const), using(inverse)]))

    g.conj(maximal, using(strictly), lambda g: end(g, "x"), lambda g: end(g, "(-x)"))


def crossed(g: Goal, order: str, p: str, q: str, u: str, v: str) -> None:
    """sqrt(y^2 + 4) |x| < sqrt(x^2 + 4) |y| for |x| < |y|."""
    wrong = g.contra()
    r, s = "sqrt(x^2 + 4)", "sqrt(y^2 + 4)"
    g.pos(
        [f"@{wrong}", f"{s}*abs(x) + {r}*abs(y)"],
        [4, f"@{order}", "abs(x)"],
        [4, f"@{order}", "abs(y)"],
        eqs=[(p, "abs(y)^2"), (q, "-abs(x)^2"), (u, "-abs(y)^2"), (v, "abs(x)^2")],
    )
