"""Appendix D, proof of Proposition 4.1, scale: the drift of powers of the weighted norm u^2 + sqrt(d) v^2.

The formulas of the stochastic calculus stand aside here: what is decided is the algebra of the drift that they give, for n = d.
"""

from __future__ import annotations

from proofs.razin2020.scripts import nested, using
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

C = "(u^2 + sqrt(d)*v^2)"
DRIFT = f"(a*sqrt(d)*{C}^a + 2*a*(a - 1)*(sqrt(d) + 1)^2*{C}^(a - 2)*u^2*v^2)"
BRACKET = "(sqrt(d) + (a - 1)*(sqrt(d) + 1)^2/(2*sqrt(d)))"
NONZERO = "u and v are not both 0 [the display divides by their weighted norm]"
READING = "a stands for alpha, d for d and n, which agree where the display comes from"


@holds(
    "varre2023.step-d-g-maximum",
    """all d:R. 0 < d => (all y:R. 0 <= y => y/(y + sqrt(d))^2 <= sqrt(d)/(sqrt(d) + sqrt(d))^2) and
       sqrt(d)/(sqrt(d) + sqrt(d))^2 = 1/(4*sqrt(d))""",
    argument="sound",
)
def the_quotient_is_largest_at_the_root(g: Goal) -> None:
    """(y + s)^2 - 4 s y = (y - s)^2."""
    g.intro()
    g.have("0 < sqrt(d)", Goal.auto)

    def below(g: Goal) -> None:
        (h,) = g.intro()
        g.have("0 < y + sqrt(d)", lambda g: g.nlin(products=1))
        g.pos(["(y - sqrt(d))^2", "sqrt(d)"], mul=["(y + sqrt(d))^2", "(sqrt(d) + sqrt(d))^2"])

    g.conj(below, lambda g: g.field())


@holds(
    "varre2023.step-d-drift-factor",
    f"""all d a u v:R. 0 < d => 0 < {C} =>
       {DRIFT} = a*{C}^a*(sqrt(d) + 2*(a - 1)*(sqrt(d) + 1)^2*u^2*v^2/{C}^2)""",
    argument="sound",
    context=NONZERO,
    reading=READING,
)
def the_drift_has_the_power_as_a_factor(g: Goal) -> None:
    """C^a / C^2 is C^(a - 2)."""
    g.intro()
    g.field()


@holds(
    "varre2023.step-d-drift-lower-bound",
    f"""all d a u v:R. 0 < d => 0 < a => a < 1 => 0 < {C} =>
       2*(a - 1)*(sqrt(d) + 1)^2*(sqrt(d)/(sqrt(d) + sqrt(d))^2) <= 2*(a - 1)*(sqrt(d) + 1)^2*u^2*v^2/{C}^2 and
       2*(a - 1)*(sqrt(d) + 1)^2*(sqrt(d)/(sqrt(d) + sqrt(d))^2) = (a - 1)*(sqrt(d) + 1)^2/(2*sqrt(d)) and
       a*{C}^a*{BRACKET} <= {DRIFT}""",
    uses=["varre2023.step-d-drift-factor"],
    argument="sound",
    context=NONZERO,
    reading=READING,
)
def the_drift_is_at_least_its_bracket(g: Goal) -> None:
    """C^2 - 4 s u^2 v^2 = (u^2 - s v^2)^2, and a - 1 is negative."""
    _, positive, below, norm = g.intro()
    g.have("0 < sqrt(d)", Goal.auto)
    quotient = g.have(
        f"2*(a - 1)*(sqrt(d) + 1)^2*(sqrt(d)/(sqrt(d) + sqrt(d))^2) <= 2*(a - 1)*(sqrt(d) + 1)^2*u^2*v^2/{C}^2",
        lambda g: g.pos(
            [f"@{below}", 2, "(sqrt(d) + 1)^2", "(u^2 - sqrt(d)*v^2)^2", "sqrt(d)"], mul=["(sqrt(d) + sqrt(d))^2", f"{C}^2"]
        ),
    )
    equal = g.have(
        "2*(a - 1)*(sqrt(d) + 1)^2*(sqrt(d)/(sqrt(d) + sqrt(d))^2) = (a - 1)*(sqrt(d) + 1)^2/(2*sqrt(d))", lambda g: g.field()
    )
    factored = g.lemma("varre2023.step-d-drift-factor", "statement", "d", "a", "u", "v", by=[Goal.auto, using(norm)])
    g.have(f"0 < {C}^a", Goal.auto)
    bound = g.have(
        f"a*{C}^a*{BRACKET} <= {DRIFT}",
        lambda g: g.pos([f"@{quotient}", "a", f"{C}^a"], eqs=[(factored, -1), (equal, f"-a*{C}^a")]),
    )
    g.conj(using(quotient), using(equal), using(bound))


@refuted(
    "varre2023.step-d-c0-positivity",
    f"all d:Z, a:R. 5 <= d => 0 < a => a < 1 => ex c:R. 0 < c and c < {BRACKET}",
    argument="fails",
    reading="a stands for alpha, c for c_0; the constant may depend on both, which is the most favourable reading",
    reason="for d = 5 and alpha = 1/100 the bracket is (4.06 - 1.98 sqrt(5))/(2 sqrt(5)), which is negative; it is positive for all "
    "alpha in (0,1) exactly when d >= 6",
)
def the_bracket_is_negative_for_small_powers_at_five(g: Goal) -> None:
    """10 < (1 - alpha) (sqrt(5) + 1)^2 there, since 2.2 < sqrt(5)."""
    g.witness("5", "1/100")
    root = g.by_fact("sqrt_sq", "5")
    g.have("0 < sqrt(5)", Goal.auto)
    low = g.have("11/5 < sqrt(5)", lambda g: g.ball())

    def not_positive(g: Goal) -> None:
        g.left_or_right(0)
        g.auto()

    def positive(g: Goal) -> None:
        c = next(reversed(g.seq.hyps))
        g.left_or_right(1)
        g.pos([f"@{c}", "sqrt(5)", 2], [f"@{low}", "99/50"], ["37/125"], mul=["2*sqrt(5)"], eqs=[(root, "-101/100")])

    def no_constant(g: Goal) -> None:
        g.fix()
        g.em("c <= 0", not_positive, positive)

    nested(g, None, None, None, no_constant)


@amendment(
    "varre2023.step-d-c0-positivity",
    f"all d:Z. 6 <= d => ex c:R. 0 < c and all a:R. 0 < a => a < 1 => c < {BRACKET}",
    says="for d >= 6, with one constant for all alpha",
)
def the_bracket_is_positive_from_six_on(g: Goal) -> None:
    """c = (d - 2 sqrt(d) - 1)/(2 sqrt(d)), the value at alpha = 0; (sqrt(d) - 1)^2 > 2."""
    (six,) = g.intro()
    g.have("0 < sqrt(d)", Goal.auto)
    root = g.by_fact("sqrt_sq", "d", by=[Goal.auto])

    def large(g: Goal) -> None:
        g.contra()
        g.nlin(products=2)

    low = g.have("22/9 <= sqrt(d)", large)
    g.witness("(d - 2*sqrt(d) - 1)/(2*sqrt(d))")

    def above(g: Goal) -> None:
        positive, _ = g.intro()
        g.pos([f"@{positive}", "(sqrt(d) + 1)^2"], mul=["2*sqrt(d)"], eqs=[(root, 1)])

    g.conj(lambda g: g.pos([f"@{low}", f"@{low}"], [f"@{low}", "26/9"], ["7/81"], mul=["2*sqrt(d)"], eqs=[(root, -1)]), above)


COLUMN = "(T(W) @ W)[i,i]"


@part(
    "varre2023.step-d-jensen",
    "tangent",
    "all a x m:R. 0 < a => a < 1 => 0 < x => 0 < m => x^a <= m^a*(1 + a*(x/m - 1))",
    says="a power with an exponent between 0 and 1 lies below its tangents",
)
def power_lies_below_its_tangent(g: Goal) -> None:
    """With z = x/m and y = a z + 1 - a: a log(z/y) + (1 - a) log(1/y) <= a (z/y - 1) + (1 - a) (1/y - 1) = 0, so
    a log z <= log y."""
    a, b, x, m = g.intro()
    y = "(1 + a*(x/m - 1))"
    g.have("0 < x/m", Goal.auto)
    positive = g.have(f"0 < {y}", lambda g: g.pos([f"@{x}", "a"], [f"@{b}", "m"], mul=["m"]))
    logs = g.have("all z y:R. 0 < z => 0 < y => y = 1 + a*(z - 1) => a*log(z) <= log(y)", logarithms)
    below = g.apply(logs, "x/m", y, by=[Goal.auto, using(positive), Goal.refl])
    power = g.by_fact("exp_mono", "a*log(x/m)", f"log({y})", by=[using(below)])
    back = g.by_fact("exp_log", y, by=[using(positive)])
    g.have("0 < m^a", Goal.auto)
    g.pos([f"@{power}", "m^a"], eqs=[(back, "-(m^a)")])


def logarithms(g: Goal) -> None:
    """The inequality of the logarithms, for a y of which only its value is known."""
    less = next(h for h, f in g.seq.hyps.items() if f == g.formula("a < 1"))
    _, _, value = g.intro()
    first = g.by_fact("log_concave", "z/y", by=[Goal.auto])
    second = g.by_fact("log_concave", "1/y", by=[Goal.auto])
    g.pos([f"@{first}", "a"], [f"@{second}", f"@{less}"], eqs=[(value, "1/y")])


@refuted(
    "varre2023.step-d-jensen",
    f"""all d:Z, a:R, W:M(d,d). 1 <= d => 0 < a => a < 1 => (all i:Z. 1 <= i and i <= d => 0 < {COLUMN}) =>
       d^(1 - a)*sum(i, 1, d, {COLUMN}^a) <= sum(i, 1, d, {COLUMN})^a""",
    argument="fails",
    context="no column is 0: no power of 0 occurs, and the inequality fails already then [restriction of the counterexample]",
    reading="the squared norm of the i-th column is the i-th diagonal entry of W^T W",
    reason="for W = I and d = 2 it says 2^(2 - alpha) <= 2^alpha; concavity gives the factor d^(alpha - 1) in place of d^(1 - alpha)",
)
def equal_columns_violate_the_printed_factor(g: Goal) -> None:
    """W = I, d = 2, alpha = 1/2: 2^(3/2) is more than 2^(1/2)."""
    g.witness("2", "1/2", "I(2)")

    norm = "(T(I(2)) @ I(2))[i,i]"

    def is_one(g: Goal) -> None:
        g.replace("T(I(2)) @ I(2)", "I(2)", lambda g: g.nc())
        g.field()

    def columns(g: Goal) -> None:
        g.intro()
        one = g.have(f"{norm} = 1", is_one)
        g.pos([1], eqs=[(one, 1)])

    def root_is_one(g: Goal) -> None:
        g.intro()
        g.replace(norm, "1", is_one)
        g.field()

    def apart(g: Goal) -> None:
        total = g.have(f"sum(i, 1, 2, {norm}) = 2", lambda g: g.field())
        roots = g.by_fact("sum_ext", "1", "2", f"lam i:Z. {norm}^(1/2)", "lam i:Z. 1", by=[root_is_one])
        g.rewrite(total)
        g.pos(["2^(1/2)"], eqs=[(roots, "2^(1/2)")])

    nested(g, None, None, None, columns, apart)


@amendment(
    "varre2023.step-d-jensen",
    f"""all d:Z, a:R, W:M(d,d). 1 <= d => 0 < a => a < 1 => (all i:Z. 1 <= i and i <= d => 0 < {COLUMN}) =>
       d^(a - 1)*sum(i, 1, d, {COLUMN}^a) <= sum(i, 1, d, {COLUMN})^a""",
    says="with the factor d^(alpha - 1)",
)
def powers_of_sums_of_columns(g: Goal) -> None:
    """With m the mean of the squared norms x_i: (x_i/m)^a <= 1 + a (x_i/m - 1), and these sum up to d."""
    one, low, high, columns = g.intro()
    total = "sum(i, 1, d, (T(W) @ W)[i,i])"
    g.have("0 < d", Goal.auto)
    g.have(f"0 < {total}", lambda g: sum_is_positive(g, one, columns))

    def mean(g: Goal) -> None:
        above, value = g.intro()

        def below(g: Goal) -> None:
            (inside,) = g.intro(split=False)
            x = g.apply(columns, "i", by=[using(inside)])
            g.close_by(
                g.lemma(
                    "varre2023.step-d-jensen", "part:tangent", "a", "(T(W) @ W)[i,i]", "m",
                    by=[using(low), using(high), using(x), using(above)],
                )
            )  # fmt: skip

        term = "m^a*(1 + a*((T(W) @ W)[i,i]/m - 1))"
        terms = g.by_fact("sum_mono", "1", "d", "lam i:Z. (T(W) @ W)[i,i]^a", f"lam i:Z. {term}", by=[below])
        constant = g.by_fact("sum_const", "1", "d", "m^a*(1 - a)", by=[Goal.auto])
        g.have("0 < m^a", Goal.auto)
        g.have("0 < d^(a - 1)", Goal.auto)
        g.rewrite(value)
        g.pos([f"@{terms}", "d^(a - 1)"], eqs=[(constant, "-(d^(a - 1))")], rw=[value])

    g.apply(
        g.have(f"all m:R. 0 < m => {total} = m*d => d^(a - 1)*sum(i, 1, d, (T(W) @ W)[i,i]^a) <= {total}^a", mean), f"{total}/d"
    )
    g.auto()


def sum_is_positive(g: Goal, one: str, columns: str) -> None:
    """The first term is positive, and no other is negative."""
    norms = "lam i:Z. (T(W) @ W)[i,i]"

    def later(g: Goal) -> None:
        g.split_all(g.intro(split=False)[0])
        g.have("1 <= i", lambda g: g.nlin(products=1))
        x = g.apply(columns, "i", by=[Goal.auto])
        g.pos([f"@{x}"])

    first = g.by_fact("sum_first", "1", "d", norms, by=[using(one)])
    rest = g.by_fact("sum_nonneg", "1 + 1", "d", norms, by=[later])
    x = g.apply(columns, "1", by=[Goal.auto])
    g.pos([f"@{x}"], [f"@{rest}"], eqs=[(first, 1)])
