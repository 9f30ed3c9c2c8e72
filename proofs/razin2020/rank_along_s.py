"""Proposition 2: effective rank and distance from rank one along the solution set."""

from __future__ import annotations

from proofs.razin2020.entropy import positive_log_two
from proofs.razin2020.problem import entropy, erank, solution
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

X = solution("x")
SMALL = "(1/2 - {0}/(2*sqrt({0}^2 + 4)))"
LARGE = "(1/2 + {0}/(2*sqrt({0}^2 + 4)))"


def shares(x: str) -> str:
    """The effective rank of W_x for x >= 0 as an elementary function of x."""
    return f"exp({entropy(LARGE.format(x), SMALL.format(x))})"


@part(
    "razin2020.prop-2-erank",
    "formula",
    f"all x:R. {erank(X)} = {shares('abs(x)')}",
    says="the effective rank along S",
    uses=["razin2020.eq-29"],
)
def effective_rank_along_s(g: Goal) -> None:
    """rho_1 and rho_2 are 1/2 +- |x|/(2 sqrt(x^2 + 4)) by (29)."""
    g.intro()
    first, second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))
    square = g.fact("abs_square", "x")
    same = g.have("sqrt(abs(x)^2 + 4) = sqrt(x^2 + 4)", lambda g: g.ctx(lambda g: g.field((square, 1))))
    g.have("0 < sqrt(x^2 + 4)")
    total = g.have(f"sv({X},1) + sv({X},2) = sqrt(x^2 + 4)", lambda g: g.field((first, 1), (second, 1)))
    g.have(f"0 < sv({X},1) + sv({X},2)", lambda g: g.pos(["sqrt(x^2 + 4)"], eqs=[(total, 1)]))
    one = g.have(f"sv({X},1)/(sv({X},1) + sv({X},2)) = {LARGE.format('abs(x)')}", lambda g: share(g, first, total, same))
    two = g.have(f"sv({X},2)/(sv({X},1) + sv({X},2)) = {SMALL.format('abs(x)')}", lambda g: share(g, second, total, same))
    g.rewrite(one)
    g.rewrite(two)
    g.refl()


def share(g: Goal, value: str, total: str, same: str) -> None:
    """sv_i/(sv_1 + sv_2) from the value of sv_i and of the sum."""
    g.rewrite(total)
    g.rewrite(value)
    g.rewrite(same)
    g.field()


def increasing_entropy(g: Goal) -> str:
    """Adds: the binary entropy increases strictly on (0, 1/2]."""
    h = "(-((1 - {0})*log(1 - {0}) + {0}*log({0})))"

    def prove(g: Goal) -> None:
        _low, _order, _high = g.intro()

        def smooth(g: Goal) -> None:
            g.fix("p")
            g.split_all(g.assume())
            g.conj(lambda g: g.nlin(products=1), lambda g: g.nlin(products=1))

        def slope(g: Goal) -> None:
            g.fix("p")
            g.split_all(g.assume())
            g.have("0 < p")
            g.have("0 < 1 - p")
            k = g.by_fact("log_strict", "p", "1 - p", by=[None, lambda g: g.nlin(products=1)])
            g.pos([f"@{k}"])

        k = g.by_fact("mean_value_lt", "a", "b", f"lam p:R. {h.format('p')}", by=[smooth, slope])
        g.close_by(k)

    return g.have(f"all a b:R. 0 < a => a < b => b <= 1/2 => {h.format('a')} < {h.format('b')}", prove)


def root_facts(g: Goal, t: str) -> tuple[str, str]:
    """For t >= 0: sqrt(t^2 + 4)^2 = t^2 + 4 and t < sqrt(t^2 + 4)."""
    square = g.by_fact("sqrt_sq", f"{t}^2 + 4")
    g.have(f"0 < sqrt({t}^2 + 4)")

    def larger(g: Goal) -> None:
        k = g.contra()
        r = f"sqrt({t}^2 + 4)"
        g.pos([f"@{k}", r], [f"@{k}", t], [4], eqs=[(square, 1)])

    return square, g.have(f"{t} < sqrt({t}^2 + 4)", larger)


def share_bounds(g: Goal) -> str:
    """Adds all t >= 0: the second share lies in (0, 1/2]."""

    def prove(g: Goal) -> None:
        g.intro()
        _, larger = root_facts(g, "t")
        r = "sqrt(t^2 + 4)"
        g.conj(lambda g: g.pos([f"@{larger}"], mul=[2, r]), lambda g: g.pos(["t"], mul=[2, r]))

    return g.have(f"all t:R. 0 <= t => 0 < {SMALL.format('t')} and {SMALL.format('t')} <= 1/2", prove)


def share_decreases(g: Goal) -> str:
    """Adds: the second share decreases strictly in t >= 0."""

    def prove(g: Goal) -> None:
        _low, order = g.intro()
        g.have("0 < v")
        a, _ = root_facts(g, "u")
        b, _ = root_facts(g, "v")
        p, q = "sqrt(u^2 + 4)", "sqrt(v^2 + 4)"

        def cross(g: Goal) -> None:
            k = g.contra()
            g.pos(
                [f"@{k}", f"u*{q}"],
                [f"@{k}", f"v*{p}"],
                [4, f"@{order}", "u"],
                [4, f"@{order}", "v"],
                eqs=[(a, "v^2"), (b, "-u^2")],
            )

        k = g.have(f"u*{q} < v*{p}", cross)
        g.pos([f"@{k}"], mul=[2, p, q])

    return g.have(f"all u v:R. 0 <= u => u < v => {SMALL.format('v')} < {SMALL.format('u')}", prove)


ENTROPY_T = entropy(LARGE.format("t"), SMALL.format("t"))


def shares_decrease(g: Goal, bounds: str) -> str:
    """Adds: the effective rank decreases strictly in t = |x|."""
    inc, dec = increasing_entropy(g), share_decreases(g)

    def prove(g: Goal) -> None:
        _low, _order = g.intro()
        g.have("0 <= v")
        p = g.split(g.apply(bounds, "v"))[0]
        q = g.split(g.apply(bounds, "u"))[1]
        d = g.apply(dec, "u", "v")
        k = g.apply(
            inc,
            SMALL.format("v"),
            SMALL.format("u"),
            by=[using(p), using(d), using(q)],
        )
        a, b = entropy(LARGE.format("v"), SMALL.format("v")), entropy(LARGE.format("u"), SMALL.format("u"))
        g.close_by(g.by_fact("exp_strict", a, b, by=[lambda g: g.pos([f"@{k}"])]))

    return g.have(f"all u v:R. 0 <= u => u < v => {shares('v')} < {shares('u')}", prove)


def shares_exceed_one(g: Goal, bounds: str) -> str:
    """Adds all t >= 0: 1 < the effective rank."""

    def prove(g: Goal) -> None:
        g.intro()
        p, q = g.split(g.apply(bounds, "t"))
        small, large = SMALL.format("t"), LARGE.format("t")
        g.have(f"0 < {large}", lambda g: g.pos([f"@{q}"], ["1/2"]))
        one = g.fact("log_one")
        a = g.by_fact("log_strict", small, 1, by=[None, lambda g: g.pos([f"@{q}"], ["1/2"])])
        b = g.by_fact("log_strict", large, 1, by=[None, lambda g: g.pos([f"@{p}"])])
        k = g.by_fact("exp_strict", 0, ENTROPY_T, by=[lambda g: g.pos([f"@{a}", small], [f"@{b}", large], eqs=[(one, 1)])])
        g.pos([f"@{k}"])

    return g.have(f"all t:R. 0 <= t => 1 < {shares('t')}", prove)


def shares_tend_to_one(g: Goal, bounds: str, above: str) -> str:
    """Adds: the effective rank tends to 1 as t grows; the second share is at most 1/t^2, so its entropy at most 2/t."""
    positive_log_two(g)
    upper = "1 + 2/log(2)*(1/t)"

    def between(g: Goal) -> None:
        g.fix("t")
        large = g.assume()
        g.have("0 < t", lambda g: g.pos([f"@{large}"], [1]))
        _p, q = g.split(g.apply(bounds, "t"))
        square, larger = root_facts(g, "t")
        small, r = SMALL.format("t"), "sqrt(t^2 + 4)"
        tiny = g.have(
            f"{small} <= 1/t^2",
            lambda g: g.pos([8], [2, "t", f"@{larger}"], mul=[2, r, "t^2", f"{r} + t"], eqs=[(square, "2 + t^2")]),
        )
        root = g.by_fact("sqrt_mono", small, "1/t^2", by=[None, using(tiny)])
        lemma = g.lemma("razin2020.lemma-9", "statement", small, by=[None, lambda g: g.pos([f"@{q}"], ["1/2"])])
        low, high = g.split(g.lemma("razin2020.lemma-9", "part:range", small, by=[None, lambda g: g.pos([f"@{q}"], ["1/2"])]))
        chord = g.split(g.lemma("razin2020.thm-1-step-exp-chord"))[0]
        k = g.apply(chord, ENTROPY_T, by=[lambda g: g.pos([f"@{low}"]), lambda g: g.pos([f"@{high}"])])
        one = g.apply(above, "t")
        g.conj(lambda g: g.pos([f"@{one}"]), lambda g: g.pos([f"@{k}", "log(2)"], [f"@{lemma}"], [f"@{root}", 2], mul=["log(2)"]))

    const = g.fact("tends_const", 1)
    zero = g.fact("tends_inverse")
    scaled = g.by_fact("tends_scale", "2/log(2)", 0, "lam t:R. 1/t", by=[using(zero)])
    total = g.by_fact(
        "tends_add",
        1,
        "2/log(2)*0",
        "lam t:R. 1",
        "lam t:R. 2/log(2)*(1/t)",
        by=[using(const), using(scaled)],
    )
    top = g.have(f"tends(t, {upper}, 1)", lambda g: g.exact(total))
    return g.by_fact(
        "tends_squeeze",
        1,
        1,
        "lam t:R. 1",
        f"lam t:R. {shares('t')}",
        f"lam t:R. {upper}",
        by=[between, using(const), using(top)],
    )


@holds(
    "razin2020.prop-2-erank",
    f"""(all x:R. 1 < {erank(X)} and {erank(X)} <= 2) and
       (all y:R. 1 < y => y <= 2 => ex x:R. {erank(X)} = y) and
       (all x:R. {erank(X)} <= {erank(solution("0"))}) and
       (all x y:R. abs(x) < abs(y) => {erank(solution("y"))} < {erank(X)}) and
       tends(x, {erank(X)}, 1) and tends(x, {erank(solution("(-x)"))}, 1)""",
    uses=["razin2020.prop-2-erank", "razin2020.lemma-9", "razin2020.thm-1-step-exp-chord"],
    argument="sound",
    reading="decreases to 1: strictly in |x|, with the limit 1 at both ends",
)
def effective_rank_decreases_from_two_to_one(g: Goal) -> None:
    """The effective rank is the exponential of the binary entropy of a share that decreases from 1/2 to 0; continuity gives
    every value."""
    form = g.lemma("razin2020.prop-2-erank", "part:formula")
    bounds = share_bounds(g)
    dec, above = shares_decrease(g, bounds), shares_exceed_one(g, bounds)
    limit = shares_tend_to_one(g, bounds, above)
    two = g.have(f"{shares('0')} = 2", lambda g: g.field())

    def at_most_two(g: Goal) -> None:
        g.intro()

        def later(g: Goal) -> None:
            k = g.apply(dec, 0, "t")
            g.pos([f"@{k}"], eqs=[(two, 1)])

        def start(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            g.pos(eqs=[(two, -1)])

        g.cases(g.by_fact("lt_or_eq", 0, "t"), later, start)

    top = g.have(f"all t:R. 0 <= t => {shares('t')} <= 2", at_most_two)

    def range_(g: Goal) -> None:
        g.fix("x")
        g.rewrite(g.apply(form, "x"))
        a, b = g.apply(above, "abs(x)"), g.apply(top, "abs(x)")
        g.conj(using(a), using(b))

    def maximal(g: Goal) -> None:
        g.fix("x")
        g.rewrite(g.apply(form, "x"))
        g.rewrite(g.apply(form, 0))
        k = g.apply(top, "abs(x)")
        zero = g.have("abs(0) = 0", lambda g: g.field())
        g.rewrite(zero)
        only(g, k, two)
        g.pos([f"@{k}"], eqs=[(two, -1)])

    def strict(g: Goal) -> None:
        g.fix("x", "y")
        order = g.assume()
        g.rewrite(g.apply(form, "x"))
        g.rewrite(g.apply(form, "y"))
        g.close_by(g.apply(dec, "abs(x)", "abs(y)", by=[None, using(order)]))

    def end(g: Goal, x: str) -> None:
        def agree(g: Goal) -> None:
            g.fix("x")
            large = g.assume()
            g.have("0 <= x", lambda g: g.pos([f"@{large}"], [1]))
            k = g.apply(form, x)
            value = g.have(f"abs({x}) = x", lambda g: absolute_value(g, x))
            g.rewrite(k)
            g.rewrite(value)
            g.refl()

        functions = f"lam x:R. {shares('x')}", f"lam x:R. {erank(solution(x))}"
        g.close_by(g.by_fact("tends_ext", 1, 1, *functions, by=[agree, using(limit)]))

    def onto(g: Goal) -> None:
        _low, high = g.intro()
        (a,) = g.obtain(g.by_fact("tends_eventually_lt", 1, "y", f"lam t:R. {shares('t')}", by=[using(limit), None]), "a")
        b = "abs(a) + 1"
        beyond = g.apply(a, b, by=[beyond_a])

        def smooth(g: Goal) -> None:
            g.fix("t")
            g.split_all(g.assume())
            _p, q = g.split(g.apply(bounds, "t"))
            g.have(f"0 < {LARGE.format('t')}", lambda g: g.pos([f"@{q}"], ["1/2"]))
            g.auto()

        ivt = g.by_fact(
            "intermediate_value",
            0,
            b,
            "y",
            f"lam t:R. {shares('t')}",
            by=[smooth, None, lambda g: between(g, beyond, high)],
        )
        names = g.obtain(ivt, "z")
        g.witness("z")
        g.rewrite(g.apply(form, "z"))
        value = g.have("abs(z) = z", lambda g: absolute_value(g, "z"))
        g.rewrite(value)
        g.close_by(names[2])

    def beyond_a(g: Goal) -> None:
        k = g.split(g.apply(g.split(g.fact("abs_le", "a", "abs(a)"))[0], by=[Goal.refl]))[1]
        g.pos([f"@{k}"], [1])

    def between(g: Goal, beyond: str, high: str) -> None:
        g.left_or_right(1)
        g.conj(lambda g: g.pos([f"@{beyond}"]), lambda g: g.pos([f"@{high}"], eqs=[(two, 1)]))

    g.conj(range_, onto, maximal, strict, lambda g: end(g, "x"), lambda g: end(g, "(-x)"))


def absolute_value(g: Goal, x: str) -> None:
    """abs(x) or abs(-x) is x for x >= 0."""
    if not x.startswith("(-"):
        only(g, *[h for h, f in g.seq.hyps.items() if f == g.formula(f"0 <= {x}") or f == g.formula(f"0 < {x}")])
        g.field()
        return
    inner = x[2:-1]
    k = g.fact("abs_product", -1, inner)
    h = g.fact("abs_cases", -1)

    def no(g: Goal) -> None:
        sign = g.split(next(reversed(g.seq.hyps)))[0]
        g.have("false", lambda g: g.pos([f"@{sign}"], [1]))
        g.auto()

    def yes(g: Goal) -> None:
        one = g.split(next(reversed(g.seq.hyps)))[1]
        g.field((k, 1), (one, inner))

    g.cases(h, no, yes)
