"""Lemma 9, the sharper inequality: entropy and the geometric mean of p and 1 - p."""

from __future__ import annotations

from proofs.razin2020.entropy import BINARY, log_above, positive_log_two
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

K = "(-({0}*log({0})) + (1 - {0})*log(1 - {0}))"
"""g(p) - g(1-p) for g(p) = -p log p."""
SLOPE = "(-2 - log({0}) - log(1 - {0}))"
"""The derivative of K."""


def slope_at(g: Goal, a: str, b: str) -> list[str]:
    """For 0 < a < b < 1: c between with K(b) - K(a) = SLOPE(c) (b - a); names of a < c, c < b and the equation."""
    h = g.fact("mean_value", a, b, f"lam p:R. {K.format('p')}")

    def smooth(g: Goal) -> None:
        g.fix("p")
        g.split_all(g.assume())
        g.have("0 < p")
        g.have("0 < 1 - p")
        g.auto()

    names = g.obtain(g.apply(h, by=[smooth, None]), "u")
    g.have("0 < u")
    g.have("0 < 1 - u")
    eq = g.have(f"{K.format(b)} - {K.format(a)} = {SLOPE.format('u')}*({b} - {a})", lambda g: g.field((names[2], 1)))
    return [names[0], names[1], eq]


@part(
    "razin2020.lemma-9-step-concavity",
    "tangent",
    f"""all a b:R. 0 < a => a < 1/2 => 0 < b => b < 1/2 => {K.format("b")} <= {K.format("a")} + {SLOPE.format("a")}*(b - a)""",
    says="the difference lies below its tangents on (0, 1/2)",
)
def below_its_tangents(g: Goal) -> None:
    """Mean value theorem; the slope -2 - log(p(1-p)) decreases, as p(1-p) increases on (0, 1/2)."""
    _a0, _a1, _b0, _b1 = g.intro()

    def right(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        _lo, _hi, eq = slope_at(g, "a", "b")
        k = slope_decreases(g, "a", "u")
        g.pos([f"@{k}", f"@{h}"], eqs=[(eq, -1)])

    def equal(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)), back=True)
        g.pos()

    def left(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        _lo, _hi, eq = slope_at(g, "b", "a")
        k = slope_decreases(g, "u", "a")
        g.pos([f"@{k}", f"@{h}"], eqs=[(eq, 1)])

    g.cases(g.fact("trichotomy", "a", "b"), right, equal, left)


def slope_value(g: Goal, mean: str, *signs: str) -> None:
    """The equation of the mean value theorem with the derivative written out."""
    only(g, mean, *signs)
    g.field((mean, 1))


def linear(g: Goal) -> None:
    """An inequality that follows linearly from those without logarithms."""
    only(g, *[h for h, f in g.seq.hyps.items() if f[0] in ("<", "<=") and "log" not in str(f)])
    g.nlin(products=1)


def slope_decreases(g: Goal, x: str, y: str) -> str:
    """Adds SLOPE(y) < SLOPE(x) for 0 < x < y < 1/2."""

    def prove(g: Goal) -> None:
        only(g)
        _, order, _ = g.intro()
        g.have("0 < 1 - l_")
        g.have("0 < 1 - h_")
        g.have("0 < h_")
        gap = g.have("0 < 1 - l_ - h_", lambda g: g.nlin(products=1))
        k = g.by_fact("log_strict", "l_*(1 - l_)", "h_*(1 - h_)", by=[None, lambda g: g.pos([f"@{order}", f"@{gap}"])])
        a, b = log_product(g, "l_", "1 - l_"), log_product(g, "h_", "1 - h_")
        only(g, k, a, b)
        g.pos([f"@{k}"], eqs=[(a, 1), (b, -1)])

    h = g.have(f"all l_ h_:R. 0 < l_ => l_ < h_ => h_ < 1/2 => {SLOPE.format('h_')} < {SLOPE.format('l_')}", prove)
    return g.apply(h, x, y, by=[linear, linear, linear])


@holds(
    "razin2020.lemma-9-step-concavity",
    f"""(all a b s:R. 0 < a => a < 1/2 => 0 < b => b < 1/2 => 0 <= s => s <= 1 =>
          s*{K.format("a")} + (1 - s)*{K.format("b")} <= {K.format("(s*a + (1 - s)*b)")}) and
       (all z:R. z = 0 or z = 1/2 => {K.format("z")} = 0) and
       (all p:R. 0 < p => p < 1/2 => -((1 - p)*log(1 - p)) <= -(p*log(p)) and ((1 - p)*log(1 - p))^2 < (p*log(p))^2)""",
    uses=["razin2020.lemma-9-step-concavity"],
    argument="sound",
)
def entropy_terms_compared(g: Goal) -> None:
    """Concave since below the tangents; strictly positive inside: else by the mean value theorem the slope is positive left
    of p, so the
    difference stays below a negative number near 0, where it is at least (1-x) log(1-x) >= -x."""

    def concave(g: Goal) -> None:
        a0, a1, b0, b1, s0, s1 = g.intro()
        m = "(s*a + (1 - s)*b)"
        low = g.have(f"0 < {m}", lambda g: between(g, a0, b0, s0, s1))
        high = g.have(f"{m} < 1/2", lambda g: between(g, a1, b1, s0, s1))
        tangent = g.lemma("razin2020.lemma-9-step-concavity", "part:tangent")
        by = [using(low), using(high)]
        x = g.apply(tangent, m, "a", by=[*by, using(a0), using(a1)])
        y = g.apply(tangent, m, "b", by=[*by, using(b0), using(b1)])
        only(g, x, y, s0, s1)
        g.pos([f"@{x}", f"@{s0}"], [f"@{y}", f"@{s1}"])

    def between(g: Goal, a: str, b: str, s0: str, s1: str) -> None:
        def inner(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            g.pos([f"@{a}", f"@{h}"], [f"@{b}", f"@{s1}"])

        def end(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            g.pos([f"@{b}"], eqs=[(h, end_cofactor(g, a, b))])

        g.cases(g.by_fact("lt_or_eq", 0, "s", by=[using(s0)]), inner, end)

    def end_cofactor(g: Goal, a: str, b: str) -> str:
        return "b - a" if g.hyp_formula(a)[1] == 0 else "a - b"

    def compared(g: Goal) -> None:
        _low, _high = g.intro()
        g.have("0 < 1 - p")
        tangent = log_above(g)
        k = g.have(f"0 < {K.format('p')}", lambda g: strictly_positive(g, tangent))
        a = g.by_fact("log_concave", "p")
        b = g.by_fact("log_concave", "1 - p")
        # the square gap is K(p) times the sum of two nonnegative terms, of which one is positive
        x = g.have("0 < -(p*log(p))", lambda g: g.pos([f"@{a}", "p"], ["p", "1 - p"]))
        y = g.have("0 <= -((1 - p)*log(1 - p))", lambda g: g.pos([f"@{b}", "1 - p"], ["p", "1 - p"]))
        g.conj(lambda g: g.pos([f"@{k}"]), lambda g: g.pos([f"@{k}", f"@{x}"], [f"@{k}", f"@{y}"]))

    def strictly_positive(g: Goal, tangent: str) -> None:
        wrong = g.contra()
        one = g.have(f"{K.format('(1/2)')} = 0", lambda g: g.field())
        _lo, _hi, eq = slope_at(g, "p", "1/2")
        g.have("0 < 1/2 - p")
        c = g.have(f"0 <= {SLOPE.format('u')}", lambda g: g.pos([f"@{wrong}"], mul=["1/2 - p"], eqs=[(eq, -1), (one, 1)]))
        steep = g.have(f"all x:R. 0 < x => x < p => {K.format('x')} < {K.format('p')}", lambda g: rising(g, c))
        half = g.apply(steep, "p/2")
        h = f"(-({K.format('(p/2)')}))"
        positive = g.have(f"0 < {h}", lambda g: g.pos([f"@{half}"], [f"@{wrong}"]))
        d = f"min(p/4, {h}/2)"
        small = g.fact("min_cases", "p/4", f"{h}/2")
        inner = g.have(f"0 < {d} and {d} <= p/4 and {d} <= {h}/2", lambda g: minimum(g, small, positive))
        parts = g.split_all(inner)
        steeper = g.have(f"all x:R. 0 < x => x < p/2 => {K.format('x')} < {K.format('(p/2)')}", lambda g: rising_half(g, c))
        x = g.apply(steeper, d, by=[lambda g: g.close_by(parts[0]), lambda g: g.pos([f"@{parts[1]}"], ["p/4"])])
        g.have(f"0 < 1 - {d}", lambda g: g.pos([f"@{parts[1]}"], ["1/2"], ["1/2 - p/4"], side={"0 <= 1/2 - p/4": None}))
        a = g.apply(tangent, f"1 - {d}")
        b = g.by_fact("log_concave", d)
        g.have("p/4 < 1")
        quarter = next(reversed(g.seq.hyps))
        g.pos(
            [f"@{x}"],
            [f"@{a}", f"1 - {d}"],
            [f"@{b}", d],
            [d, f"@{parts[1]}"],
            [d, f"@{quarter}"],
            [f"@{parts[2]}"],
            [f"@{positive}", "1/2"],
        )

    def minimum(g: Goal, small: str, positive: str) -> None:
        def case(g: Goal) -> None:
            _order, eq = g.split(next(reversed(g.seq.hyps)))
            g.rewrite(eq)
            g.conj(lambda g: g.nlin(products=1), lambda g: g.nlin(products=1), lambda g: g.nlin(products=1))

        g.cases(small, case, case)

    def rising(g: Goal, c: str) -> None:
        g.fix("x")
        g.assume(), g.assume()
        climb(g, c, "p")

    def rising_half(g: Goal, c: str) -> None:
        g.fix("x")
        g.assume(), g.assume()
        climb(g, c, "p/2")

    def climb(g: Goal, c: str, top: str) -> None:
        """K(x) < K(top) for x < top <= p < u with a slope >= 0 at u."""
        h = g.fact("mean_value", "x", top, f"lam p:R. {K.format('p')}")

        def smooth(g: Goal) -> None:
            g.fix("q")
            g.split_all(g.assume())
            g.conj(linear, linear)

        names = g.obtain(g.apply(h, by=[smooth, None]), "w")
        w = g.have("0 < w", linear)
        v = g.have("0 < 1 - w", linear)
        eq = g.have(
            f"{K.format(top)} - {K.format('x')} = {SLOPE.format('w')}*({top} - x)", lambda g: slope_value(g, names[2], w, v)
        )
        k = slope_decreases(g, "w", "u")
        order = g.have(f"0 < {top} - x", linear)
        only(g, k, c, eq, order)
        g.pos([f"@{k}", f"@{order}"], [f"@{c}", f"@{order}"], eqs=[(eq, 1)])

    g.conj(concave, ends, compared)


def ends(g: Goal) -> None:
    """The difference vanishes at 0 and 1/2."""
    g.fix("z")
    h = g.assume()

    def at(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)))
        g.field()

    g.cases(h, at, at)


def log_product(g: Goal, x: str, y: str) -> str:
    """Adds log(x y) = log(x) + log(y), for x, y > 0, by the injectivity of exp."""

    def prove(g: Goal) -> None:
        product = g.by_fact("exp_log", f"({x})*({y})")
        same = g.have(f"exp(log(({x})*({y}))) = exp(log({x}) + log({y}))", lambda g: split_exponential(g, product, x, y))
        g.close_by(g.by_fact("exp_injective", f"log(({x})*({y}))", f"log({x}) + log({y})", by=[using(same)]))

    return g.have(f"log(({x})*({y})) = log({x}) + log({y})", prove)


def split_exponential(g: Goal, product: str, x: str, y: str) -> None:
    """exp(log(x y)) = x y = exp(log x) exp(log y)."""
    a, b = g.by_fact("exp_log", x), g.by_fact("exp_log", y)
    g.field((product, 1), (a, f"-({y})"), (b, f"-exp(log({x}))"))


F = "((-({0}*log({0})) - (1 - {0})*log(1 - {0}))^2/({0}*(1 - {0})))"
DERIVATIVE = "(((-({0}*log({0})))^2 - (-((1 - {0})*log(1 - {0})))^2)/({0}^2*(1 - {0})^2))"


def derivative_of_f(g: Goal) -> str:
    """Adds the derivative of h(p)^2/(p(1-p)) on (0, 1)."""

    def prove(g: Goal) -> None:
        g.intro()
        g.have("0 < 1 - p")
        g.field()

    return g.have(f"all p:R. 0 < p => p < 1 => D(q, {F.format('q')}, p) = {DERIVATIVE.format('p')}", prove)


def nondecreasing_f(g: Goal, derivative: str) -> str:
    """Adds: h(p)^2/(p(1-p)) does not decrease on (0, 1/2]."""

    def prove(g: Goal) -> None:
        _low, order, _high = g.intro()

        def smooth(g: Goal) -> None:
            g.fix("p")
            g.split_all(g.assume())
            g.have("0 < p")
            g.have("0 < 1 - p")
            g.auto()

        def slope(g: Goal) -> None:
            g.fix("p")
            g.split_all(g.assume())
            a = g.have("0 < p")
            b = g.have("p < 1/2")
            c = g.have("0 < 1 - p")
            g.rewrite(g.apply(derivative, "p"))
            compared = g.split(g.lemma("razin2020.lemma-9-step-concavity"))[2]
            k = g.split(g.apply(compared, "p"))[1]
            only(g, a, b, c, k)
            g.pos([f"@{k}"], mul=["p^2", "(1 - p)^2"])

        g.close_by(g.by_fact("mean_value_le", "a", "b", f"lam q:R. {F.format('q')}", by=[smooth, slope, using(order)]))

    return g.have(f"all a b:R. 0 < a => a <= b => b <= 1/2 => {F.format('a')} <= {F.format('b')}", prove)


@holds(
    "razin2020.lemma-9-step-derivative",
    f"""(all p:R. 0 < p => p < 1 => D(q, {F.format("q")}, p) = {DERIVATIVE.format("p")}) and
       (all p:R. 0 < p => p < 1 => {F.format("(1 - p)")} = {F.format("p")}) and
       (all a b:R. 0 < a => a <= b => b < 1/2 => {F.format("a")} <= {F.format("b")}) and
       (all a b:R. 1/2 < a => a <= b => b < 1 => {F.format("b")} <= {F.format("a")})""",
    uses=["razin2020.lemma-9-step-concavity"],
    argument="sound",
)
def derivative_symmetry_and_monotonicity(g: Goal) -> None:
    """Differentiate; the sign of the derivative is that of g(p)^2 - g(1-p)^2; f(1-p) = f(p)."""
    d = derivative_of_f(g)
    up = nondecreasing_f(g, d)

    def symmetric(g: Goal) -> None:
        g.intro()
        g.have("0 < 1 - p")
        g.have("0 < 1 - (1 - p)")
        g.field()

    def falling(g: Goal) -> None:
        _low, _order, _high = g.intro()
        k = g.apply(up, "1 - b", "1 - a")
        g.have("0 < a")
        g.have("0 < b")
        g.have("0 < 1 - a")
        g.have("0 < 1 - b")
        g.have("0 < 1 - (1 - a)")
        g.have("0 < 1 - (1 - b)")
        g.pos([f"@{k}"])

    def rising(g: Goal) -> None:
        g.intro()
        g.close_by(g.apply(up, "a", "b"))

    g.conj(using(d), symmetric, rising, falling)


@holds(
    "razin2020.lemma-9-step-tighter",
    f"""(all p:R. 0 <= p => p <= 1 => {BINARY} <= 2*log(2)*sqrt(p*(1 - p)) and
          2*log(2)*sqrt(p*(1 - p)) <= 2*sqrt(p*(1 - p)) and 2*sqrt(p*(1 - p)) <= 2*sqrt(p)) and
       (all p:R. p = 0 or p = 1 => {BINARY} = 0 and 2*sqrt(p*(1 - p)) = 0)""",
    uses=["razin2020.lemma-9-step-concavity"],
    argument="sound",
)
def entropy_is_below_the_geometric_mean(g: Goal) -> None:
    """h(p)^2/(p(1-p)) is largest at 1/2, where it is 4 (log 2)^2; log 2 <= 1."""
    two = positive_log_two(g)
    upper = g.have("log(2) <= 1", lambda g: g.pos([f"@{g.by_fact('log_concave', 2)}"]))
    d = derivative_of_f(g)
    up = nondecreasing_f(g, d)

    def half(g: Goal) -> None:
        low, _high = g.intro()
        k = g.apply(up, "p", "1/2")
        g.have("0 < 1 - p")
        c = g.have("0 < p*(1 - p)")
        root = g.by_fact("sqrt_sq", "p*(1 - p)")
        sign = g.have("0 < sqrt(p*(1 - p))")
        wrong = g.contra()
        s = "sqrt(p*(1 - p))"
        only(g, k, root, sign, wrong, two, low, c, *[h for h, f in g.seq.hyps.items() if f == g.formula("0 < 1 - p")])
        g.pos([f"@{wrong}", f"@{wrong}"], [f"@{wrong}", 4, "log(2)", s], [f"@{k}", "p", "1 - p"], eqs=[(root, "4*log(2)^2")])

    below = g.have(f"all p:R. 0 < p => p <= 1/2 => {BINARY} <= 2*log(2)*sqrt(p*(1 - p))", half)

    def ends(g: Goal) -> None:
        g.fix("p")

        def at(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)))
            z = g.by_fact("sqrt_unique", "0", "0")
            g.conj(lambda g: g.field(), lambda g: g.field((z, 2)))

        g.cases(g.assume(), at, at)

    at_ends = g.have(f"all p:R. p = 0 or p = 1 => {BINARY} = 0 and 2*sqrt(p*(1 - p)) = 0", ends)

    def first(g: Goal) -> None:
        def left(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))

            def inside(g: Goal) -> None:
                g.close_by(g.apply(below, "p"))

            def end(g: Goal) -> None:
                close_end(g, 0)

            g.cases(g.by_fact("lt_or_eq", 0, "p"), inside, end)
            del h

        def right(g: Goal) -> None:
            def inside(g: Goal) -> None:
                g.have("0 < 1 - p")
                k = g.apply(below, "1 - p")
                same = g.have("sqrt((1 - p)*(1 - (1 - p))) = sqrt(p*(1 - p))", lambda g: g.ctx(lambda g: g.field()))
                only(g, k, same)
                g.pos([f"@{k}"], eqs=[(same, "2*log(2)")])

            g.cases(g.by_fact("lt_or_eq", "p", 1), inside, lambda g: close_end(g, 1))

        g.em("p <= 1/2", left, right)

    def close_end(g: Goal, value: int) -> None:
        eq = next(reversed(g.seq.hyps))
        given = g.have(f"p = {value}", lambda g: g.field((eq, -1 if value == 0 else 1)))
        k = g.have("p = 0 or p = 1", lambda g: pick(g, value, given))
        a, b = g.split(g.apply(at_ends, "p", by=[using(k)]))
        only(g, a, b)
        g.pos(eqs=[(a, -1), (b, "log(2)")])

    def pick(g: Goal, value: int, given: str) -> None:
        g.left_or_right(value)
        g.close_by(given)

    def chain(g: Goal) -> None:
        low, high = g.intro()
        g.have("0 <= p*(1 - p)", lambda g: g.pos([f"@{low}", f"@{high}"]))
        sign = g.by_fact("sqrt_nonneg", "p*(1 - p)")
        mono = g.by_fact("sqrt_mono", "p*(1 - p)", "p", by=[None, lambda g: g.pos(["p^2"])])
        g.conj(first, lambda g: g.pos([f"@{sign}", f"@{upper}", 2]), lambda g: g.pos([f"@{mono}", 2]))

    g.conj(chain, using(at_ends))
