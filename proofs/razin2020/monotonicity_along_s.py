"""Proof of Proposition 2: singular values, their shares and the entropy along the solution set, step by step."""

from __future__ import annotations

from proofs.razin2020.problem import entropy, erank, rho, solution
from proofs.razin2020.rank_along_s import LARGE, SMALL, absolute_value, root_facts, share, share_decreases
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

X = solution("x")
MINUS = solution("(-x)")
ROOT = "sqrt(x^2 + 4)"


@holds(
    "razin2020.prop-2-step-sigma-derivatives",
    f"""(all x:R. 0 < x => sv({X},1) = (x + {ROOT})/2 and sv({X},2) = (-x + {ROOT})/2 and
          D(y, sv({solution("y")},1), x) = 1/2 + x/(2*{ROOT}) and 0 < 1/2 + x/(2*{ROOT}) and
          D(y, sv({solution("y")},2), x) = -1/2 + x/(2*{ROOT}) and -1/2 + x/(2*{ROOT}) < 0) and
       (all x:R. sv({MINUS},1) = sv({X},1) and sv({MINUS},2) = sv({X},2)) and
       (all x:R. x < 0 => D(y, sv({solution("y")},1), x) < 0 and 0 < D(y, sv({solution("y")},2), x))""",
    uses=["razin2020.eq-29"],
    argument="sound",
)
def singular_values_move_apart(g: Goal) -> None:
    """(29) near x > 0, differentiated; x < sqrt(x^2 + 4)."""

    def value(g: Goal, x: str, i: int) -> None:
        k = g.split(g.lemma("razin2020.eq-29", "part:ordered", x))[i]
        g.field((k, 1))

    def slope(g: Goal, i: int) -> None:
        sign = "" if i == 0 else "-"

        def agree(g: Goal) -> None:
            g.fix("y")
            g.split_all(g.assume())
            g.have("0 < y")
            value(g, "y", i)

        functions = f"lam y:R. sv({solution('y')},{i + 1})", f"lam y:R. ({sign}y + sqrt(y^2 + 4))/2"
        h = g.by_fact("derivative_local", "x/2", "2*x", "x", *functions, by=[None, None, None, agree])
        g.rewrite(h)
        g.field()

    def positive(g: Goal) -> None:
        g.intro()
        _, larger = root_facts(g, "x")
        g.conj(
            lambda g: value(g, "x", 0),
            lambda g: value(g, "x", 1),
            lambda g: slope(g, 0),
            None,
            lambda g: slope(g, 1),
            lambda g: g.pos([f"@{larger}"], mul=["2", ROOT]),
        )

    def even(g: Goal) -> None:
        g.fix("x")
        a = g.split(g.lemma("razin2020.eq-29", "part:ordered", "(-x)"))
        b = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))
        minus = g.have("abs(-x) = abs(x)", even_absolute)
        same = g.have("sqrt((-x)^2 + 4) = sqrt(x^2 + 4)", lambda g: g.ctx(lambda g: g.field()))
        g.conj(
            lambda g: g.field((a[0], 1), (b[0], -1), (minus, "1/2"), (same, "1/2")),
            lambda g: g.field((a[1], 1), (b[1], -1), (minus, "-1/2"), (same, "1/2")),
        )

    def negative(g: Goal) -> None:
        """sigma_i(y) = (|y| +- sqrt)/2 = (-+ y + sqrt(y^2 + 4))/2 near x < 0."""
        g.fix("x")
        below_zero = g.assume()
        _, larger = root_facts(g, "(-x)")
        same = g.have("sqrt((-x)^2 + 4) = sqrt(x^2 + 4)", lambda g: g.ctx(lambda g: g.field()))

        def reversed_slope(g: Goal, i: int) -> None:
            sign = "-" if i == 0 else ""

            def agree(g: Goal) -> None:
                g.fix("y")
                g.split_all(g.assume())
                below = g.have("y < 0")
                k = g.split(g.lemma("razin2020.eq-29", "part:ordered", "y"))[i]
                size = g.fact("abs_cases", "y")

                def no(g: Goal) -> None:
                    low, _ = g.split("case")
                    g.have("false", lambda g: g.pos([f"@{low}"], [f"@{below}"]))
                    g.auto()

                def yes(g: Goal) -> None:
                    g.field((k, 1), (g.split("case")[1], "1/2" if i == 0 else "-1/2"))

                g.cases(size, no, yes, name="case")

            functions = f"lam y:R. sv({solution('y')},{i + 1})", f"lam y:R. ({sign}y + sqrt(y^2 + 4))/2"
            h = g.by_fact("derivative_local", "2*x", "x/2", "x", *functions, by=[None, None, None, agree])
            value_ = "-1/2 + x/(2*sqrt(x^2 + 4))" if i == 0 else "1/2 + x/(2*sqrt(x^2 + 4))"
            g.rewrite(h)
            g.rewrite(g.have(("=", g.hyp_formula(h)[2], g.term(value_)), lambda g: g.field()))
            g.have("0 < sqrt(x^2 + 4)")
            if i == 0:
                g.pos([f"@{below_zero}"], ["sqrt(x^2 + 4)"], mul=["2", "sqrt(x^2 + 4)"])
            else:
                g.pos([f"@{larger}"], mul=["2", "sqrt(x^2 + 4)"], eqs=[(same, -1)])

        g.conj(lambda g: reversed_slope(g, 0), lambda g: reversed_slope(g, 1))

    g.conj(positive, even, negative)


def even_absolute(g: Goal) -> None:
    """abs(-x) = abs(x)."""
    a, b = g.fact("sqrt_of_square", "-x"), g.fact("sqrt_of_square", "x")
    same = g.have("sqrt((-x)^2) = sqrt(x^2)", lambda g: g.ctx(lambda g: g.field()))
    g.field((a, -1), (b, 1), (same, 1))


@holds(
    "razin2020.prop-2-step-limits",
    f"""sv({solution("0")},1) = 1 and sv({solution("0")},2) = 1 and
       tendsoo(x, sv({X},1)) and tendsoo(x, sv({MINUS},1)) and tends(x, sv({X},2), 0) and tends(x, sv({MINUS},2), 0)""",
    uses=["razin2020.prop-1-schatten", "razin2020.eq-29", "razin2020.prop-2-step-sigma-derivatives"],
    argument="sound",
)
def limits_of_the_singular_values(g: Goal) -> None:
    """sv_1 >= |x|, and sv_2 = 1/sv_1."""
    values = g.split(g.lemma("razin2020.prop-1-schatten", "part:singular-values"))
    even = g.split(g.lemma("razin2020.prop-2-step-sigma-derivatives"))[1]

    def second(g: Goal) -> None:
        k = g.split(g.apply(values[0], 0))[1]
        g.field((k, 1), (values[2], f"-1/sv({solution('0')},1)"), side={f"sv({solution('0')},1) != 0": one_is_nonzero})

    def one_is_nonzero(g: Goal) -> None:
        only(g, values[2])
        z = g.contra()
        g.pos([1], eqs=[(values[2], 1), (z, -1)])

    def grows(g: Goal, w: str, flipped: bool) -> None:
        def beyond(g: Goal) -> None:
            g.fix("b")
            g.witness("abs(b) + 1")
            g.fix("x")
            h = g.assume()
            top = g.split(g.apply(g.split(g.fact("abs_le", "b", "abs(b)"))[0], by=[Goal.refl]))[1]
            g.have("0 < x", lambda g: g.pos([f"@{h}"], ["abs(b)"], [1]))
            first = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))[0]
            _, larger = root_facts(g, "x")
            k = g.have(f"b < sv({X},1)", lambda g: g.pos([f"@{h}"], [f"@{top}"], [f"@{larger}", "1/2"], [1], eqs=[(first, 1)]))
            if flipped:
                e = g.split(g.apply(even, "x"))[0]
                only(g, k, e)
                g.pos([f"@{k}"], eqs=[(e, 1)])
            else:
                g.close_by(k)

        all_bounds = g.have(f"all b:R. ex a:R. all x:R. a <= x => b < sv({w},1)", beyond)
        g.close_by(g.apply(g.split(g.fact("tendsoo_definition", f"lam x:R. sv({w},1)"))[1], by=[using(all_bounds)]))

    def vanishes(g: Goal, w: str, x: str) -> None:
        oo = g.have(f"tendsoo(x, sv({w},1))", lambda g: grows(g, w, x != "x"))
        inverse = g.by_fact("tends_inverse_oo", f"lam x:R. sv({w},1)", by=[using(oo)])

        def agree(g: Goal) -> None:
            g.fix("x")
            g.assume()
            k = g.split(g.apply(values[0], x))[1]
            g.rewrite(k)
            g.refl()

        g.close_by(g.by_fact("tends_ext", 0, 0, f"lam x:R. 1/sv({w},1)", f"lam x:R. sv({w},2)", by=[agree, using(inverse)]))

    g.conj(
        using(values[2]),
        second,
        lambda g: grows(g, X, False),
        lambda g: grows(g, MINUS, True),
        lambda g: vanishes(g, X, "x"),
        lambda g: vanishes(g, MINUS, "(-x)"),
    )


@part(
    "razin2020.prop-2-step-erank-formula",
    "shares",
    f"all x:R. {rho(1, X)} = {LARGE.format('abs(x)')} and {rho(2, X)} = {SMALL.format('abs(x)')}",
    says="the normalised singular values along S",
    uses=["razin2020.eq-29"],
)
def shares_along_s(g: Goal) -> None:
    """sv_1 + sv_2 = sqrt(x^2 + 4) by (29)."""
    g.intro()
    first, second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))
    square = g.fact("abs_square", "x")
    same = g.have("sqrt(abs(x)^2 + 4) = sqrt(x^2 + 4)", lambda g: g.ctx(lambda g: g.field((square, 1))))
    g.have("0 < sqrt(x^2 + 4)")
    total = g.have(f"sv({X},1) + sv({X},2) = sqrt(x^2 + 4)", lambda g: g.field((first, 1), (second, 1)))
    g.conj(lambda g: share(g, first, total, same), lambda g: share(g, second, total, same))


H = entropy(rho(1, X), rho(2, X))
H_Y = entropy(rho(1, solution("y")), rho(2, solution("y")))
H_MINUS = entropy(rho(1, MINUS), rho(2, MINUS))


@holds(
    "razin2020.prop-2-step-erank-formula",
    f"""(all x:R. {erank(X)} <= 2) and {erank(solution("0"))} = 2 and {rho(1, solution("0"))} = 1/2 and
       (all x y:R. abs(x) < abs(y) => {rho(1, X)} < {rho(1, solution("y"))}) and
       tends(x, {rho(1, X)}, 1) and tends(x, {rho(1, MINUS)}, 1) and
       (all x y:R. abs(x) < abs(y) => {H_Y} < {H} and {erank(solution("y"))} < {erank(X)}) and
       tends(x, {H}, 0) and tends(x, {H_MINUS}, 0) and tends(x, {erank(X)}, 1) and tends(x, {erank(MINUS)}, 1)""",
    uses=["razin2020.prop-2-erank", "razin2020.prop-2-step-erank-formula"],
    argument="sound",
)
def shares_entropy_and_effective_rank(g: Goal) -> None:
    """rho_1 = 1/2 + |x|/(2 sqrt(x^2 + 4)); the entropy is the logarithm of the effective rank (Proposition 2)."""
    known = [
        g.have(f"all x:R. {erank(X)} <= 2", lambda g: taken(g, 0)),
        g.have(f"all x y:R. abs(x) < abs(y) => {erank(solution('y'))} < {erank(X)}", lambda g: taken(g, 3)),
        g.have(f"tends(x, {erank(X)}, 1)", lambda g: taken(g, 4)),
        g.have(f"tends(x, {erank(MINUS)}, 1)", lambda g: taken(g, 5)),
    ]
    shares = g.lemma("razin2020.prop-2-step-erank-formula", "part:shares")

    def at_zero(g: Goal) -> None:
        a, b = g.split(g.apply(shares, 0))
        g.rewrite(a)
        g.rewrite(b)
        only(g)
        g.field()

    def half(g: Goal) -> None:
        g.rewrite(g.split(g.apply(shares, 0))[0])
        only(g)
        g.field()

    def growing(g: Goal) -> None:
        g.fix("x", "y")
        order = g.assume()
        a, b = g.split(g.apply(shares, "x"))[0], g.split(g.apply(shares, "y"))[0]
        g.rewrite(a)
        g.rewrite(b)
        only(g, order)
        k = g.apply(share_decreases(g), "abs(x)", "abs(y)")
        g.pos([f"@{k}"])

    def share_limit(g: Goal, w: str, x: str) -> None:
        only(g, shares)

        def between(g: Goal) -> None:
            g.fix("x")
            large = g.assume()
            g.have("0 < x", lambda g: g.pos([f"@{large}"], [1]))
            a = g.split(g.apply(shares, x))[0]
            size = g.have(f"abs({x}) = x", lambda g: absolute_value(g, x))
            g.rewrite(a)
            g.rewrite(size)
            square, larger = root_facts(g, "x")
            g.conj(
                lambda g: g.pos([8], [2, "x", f"@{larger}"], mul=["2", ROOT, "x^2", f"{ROOT} + x"], eqs=[(square, "2 + x^2")]),
                lambda g: g.pos([f"@{larger}"], mul=["2", ROOT]),
            )

        one = g.fact("tends_const", 1)
        inverse = g.fact("tends_inverse")
        square = g.by_fact("tends_mul", 0, 0, "lam x:R. 1/x", "lam x:R. 1/x", by=[using(inverse), using(inverse)])
        minus = g.by_fact("tends_scale", -1, "0*0", "lam x:R. 1/x*(1/x)", by=[using(square)])
        total = g.by_fact("tends_add", 1, "-1*(0*0)", "lam x:R. 1", "lam x:R. -1*(1/x*(1/x))", by=[using(one), using(minus)])
        low = g.have("tends(x, 1 + -1*(1/x*(1/x)), 1)", lambda g: g.exact(total))
        functions = "lam x:R. 1 + -1*(1/x*(1/x))", f"lam x:R. {rho(1, w)}", "lam x:R. 1"
        g.close_by(g.by_fact("tends_squeeze", 1, 1, *functions, by=[between, using(low), using(one)]))

    def falling(g: Goal) -> None:
        g.fix("x", "y")
        order = g.assume()
        k = g.apply(known[1], "x", "y", by=[using(order)])
        only(g, k)
        h = g.by_fact("log_strict", erank(solution("y")), erank(X), by=[None, using(k)])
        g.conj(lambda g: g.pos([f"@{h}"]), using(k))

    def entropy_limit(g: Goal, w: str, limit: str) -> None:
        only(g, limit)
        body = entropy(rho(1, w), rho(2, w))
        log = g.by_fact("tends_compose", 1, f"lam x:R. exp({body})", "lam z:R. log(z)", by=[using(limit), None])

        def agree(g: Goal) -> None:
            g.fix("x")
            g.assume()
            g.close_by(g.fact("log_exp", body))

        g.fact("log_one")
        functions = f"lam x:R. log(exp({body}))", f"lam x:R. {body}"
        k = g.by_fact("tends_ext", 0, "log(1)", *functions, by=[agree, using(log)])
        g.exact(k)

    g.conj(
        using(known[0]),
        at_zero,
        half,
        growing,
        lambda g: share_limit(g, X, "x"),
        lambda g: share_limit(g, MINUS, "(-x)"),
        falling,
        lambda g: entropy_limit(g, X, known[2]),
        lambda g: entropy_limit(g, MINUS, known[3]),
        using(known[2]),
        using(known[3]),
    )


def taken(g: Goal, i: int) -> None:
    """A conjunct of Proposition 2 on the effective rank."""
    h = g.split(g.lemma("razin2020.prop-2-erank"))[i]
    if i:
        g.close_by(h)
        return
    g.fix("x")
    g.close_by(g.split(g.apply(h, "x"))[1])
