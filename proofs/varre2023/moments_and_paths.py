"""Appendix D, proof of Proposition 4.1: part (a), and the path-wise bounds of the part on the scale."""

from __future__ import annotations

from proofs.razin2020.scripts import nested, using
from proofs.varre2023.moving_average_bound import READING as PATH_READING
from proofs.varre2023.moving_average_bound import VALUES
from proofs.varre2023.stochastic_differentials import BASIS, COLUMN, ITO, NORM, READING, SQUARED_V, SQUARED_W, drift
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

DYNKIN = (
    "Dynkin's formula: the derivative of the expectation of f is the expectation of the coefficient of dt (all moments are "
    "finite, so the martingale part has mean 0) [Appendix D]"
)


@holds(
    "varre2023.step-d-second-moments",
    f"{COLUMN} {drift(SQUARED_W)} = d*v^2 and {drift(SQUARED_V)} = {NORM}",
    argument="sound",
    context=f"{ITO}; {DYNKIN}",
    reading=f"{READING}; equality under the expectation for every state: the coefficients of dt of u^2 and v^2, whose expectations are u_0' and v_0', are d v^2 and u^2",
    uses=["varre2023.step-d-ito-w", "varre2023.step-d-ito-a"],
)
def means_of_the_squares(g: Goal) -> None:
    """The coefficients of dt are d v^2 and |w|^2."""
    given = [using(h) for h in g.intro()]
    first = g.split_all(g.lemma("varre2023.step-d-ito-w", "statement", "d", "e", "w", "v", by=given))[1]
    second = g.split_all(g.lemma("varre2023.step-d-ito-a", "statement", "d", "e", "w", "v", by=given))[1]
    g.conj(using(first), using(second))


FROBENIUS, SIZE = "tr(T(W) @ W)", "tr(T(a) @ a)"
MOVED_W, MOVED_A = "(W + r*(e(j) @ T(a)))", "(a + r*(T(W) @ e(j)))"
BEND_W, BEND_A = (f"D(s, D(r, tr(T({m}) @ {m}), s), 0)" for m in (MOVED_W, MOVED_A))
RATES = f"""all d:Z, e:Z->V(d), W:M(d,d), a:V(d). 1 <= d => {BASIS} sum(j, 1, d, {BEND_W})/2 = d*{SIZE} and
       sum(j, 1, d, {BEND_A})/2 = {FROBENIUS}"""


@part(
    "varre2023.step-d-second-moments",
    "whole-state",
    RATES,
    says="the coefficients of dt of |W|_F^2 and |a|^2 are d |a|^2 and |W|_F^2, for every state (W, a), which moves along (e_j a^T, W^T e_j) in the j-th noise direction",
)
def squared_norms_of_the_state(g: Goal) -> None:
    """The second derivatives are 2 |e_j|^2 |a|^2 and 2 |W^T e_j|^2."""
    _, unit, basis = g.intro()

    def first(g: Goal) -> None:
        g.fix("j")
        size = g.apply(unit, "j", by=[using(g.assume())])
        entries = g.fact("tr_entries", 1, "T(e(j)) @ e(j)")
        one = g.have("T(e(j)) @ e(j) = I(1)", lambda g: g.ext(lambda g: g.field((entries, -1), (size, 1))))
        square = g.have("T(e(j) @ T(a)) @ (e(j) @ T(a)) = a @ T(a)", lambda g: g.nc((one, 1, "a", "T(a)")))
        t = g.have("tr(T(e(j) @ T(a)) @ (e(j) @ T(a))) = tr(a @ T(a))", lambda g: (g.rewrite(square), g.refl()))
        g.field((t, 2))

    def second(g: Goal) -> None:
        g.fix("j")
        g.assume()
        g.field()

    s = g.by_fact("sum_ext", 1, "d", f"lam j:Z. {BEND_W}", f"lam j:Z. 2*{SIZE}", by=[first])
    c = g.by_fact("sum_const", 1, "d", f"2*{SIZE}", by=[Goal.auto])
    k = g.by_fact("sum_ext", 1, "d", f"lam j:Z. {BEND_A}", "lam j:Z. 2*tr((T(W) @ (e(j) @ T(e(j)))) @ W)", by=[second])
    left = g.fact("matrix_sum_mul_left", "d", "d", "d", 1, "d", "T(W)", "lam j:Z. e(j) @ T(e(j))")
    right = g.fact("matrix_sum_mul_right", "d", "d", "d", 1, "d", "W", "lam j:Z. T(W) @ (e(j) @ T(e(j)))")
    total = g.hyp_formula(right)[2]
    traced = g.fact("matrix_sum_trace", "d", 1, "d", ("lam", ((total[1], "Z"),), total[4]))
    whole = g.have(
        ("=", g.term("T(W) @ W"), total),
        lambda g: g.nc((basis, -1, "T(W)", "W"), (left, 1, None, "W"), (right, 1, None, None)),
    )
    t = g.have(("=", g.term(FROBENIUS), ("tr", total)), lambda g: g.ctx(using(whole)))
    g.conj(lambda g: g.field((s, "1/2"), (c, "1/2")), lambda g: g.field((k, "1/2"), (traced, -1), (t, -1)))


START = f"""all d:Z, W:M(d,d), a:V(d), u v:R~>R. 1 <= d => u(0) = {FROBENIUS} => v(0) = {SIZE} =>
       (all t:R. 0 <= t => u'(t) = d*v(t) and v'(t) = u(t)) =>"""
EXPLODES = "tendsoo(t, u(t)) and tendsoo(t, v(t))"
SUMS = (
    "e is an orthonormal basis; the first part derives the coefficients of dt of |W|_F^2 and |a|^2, for every state; u and v stand for E|W|_F^2 and E|a|^2, W and a for the initial values: "
    "u' = d v and v' = u are these coefficients under the expectation"
)


@refuted(
    "varre2023.prop-4-1-a",
    f"({RATES}) and ({START} {EXPLODES})",
    context=f"{ITO}; {DYNKIN}",
    reading=SUMS,
    reason="false for the single start W(0) = 0, a(0) = 0, which the statement does not exclude and from which the solution is 0 for ever; it holds for every other start, as the amendment says, "
    "also for W(0) = I, which the text has in mind",
)
def zero_start_does_not_explode(g: Goal) -> None:
    """d = 1, u = v = 0."""
    g.left_or_right(1)
    g.witness(1, "[[0]]", "[[0]]", "lam t:R. 0", "lam t:R. 0")

    def wrong(g: Goal) -> None:
        g.left_or_right(0)
        h = g.contra()
        large = g.apply(g.split(g.fact("tendsoo_definition", "lam w:R. 0"))[0], by=[using(h)])
        (k,) = g.obtain(g.apply(large, "1"), "r")
        no = g.have("1 < 0", lambda g: g.close_by(g.apply(k, "r", by=[Goal.refl])))
        g.pos([f"@{no}"], [1])

    nested(
        g,
        None,
        lambda g: g.field(),
        lambda g: g.field(),
        lambda g: (g.intro(), g.conj(lambda g: g.field(), lambda g: g.field())),
        wrong,
    )


@amendment(
    "varre2023.prop-4-1-a",
    f"({RATES}) and ({START} 0 < {FROBENIUS} + {SIZE} => {EXPLODES})",
    says="for every start but W(0) = 0, a(0) = 0",
    uses=["varre2023.step-d-second-moments", "varre2023.step-d-second-moments-solution"],
)
def second_moments_explode(g: Goal) -> None:
    """The second derivatives along the noise directions; the coefficient of the growing mode is positive."""
    g.conj(lambda g: g.close_by(g.lemma("varre2023.step-d-second-moments", "part:whole-state")), growing_mode)


def growing_mode(g: Goal) -> None:
    """u + sqrt(d) v grows from a positive value."""
    one, first, second, system, nonzero = g.intro()
    g.have("0 < d", Goal.auto)
    g.have("0 < sqrt(d)", Goal.auto)
    g.have(f"0 <= {FROBENIUS}", Goal.auto)
    small = g.have(f"0 <= {SIZE}", Goal.auto)
    h = g.lemma("varre2023.step-d-second-moments-solution", "statement", "d", "u", "v", by=[using(one), using(system)])
    g.by_fact("sqrt_sq", "d", by=[Goal.auto])

    def above_one(g: Goal) -> None:
        g.contra()
        g.nlin(products=2)

    low = g.have("1 <= sqrt(d)", above_one)
    start = g.have(
        "0 < u(0) + sqrt(d)*v(0)",
        lambda g: (g.rewrite(first), g.rewrite(second), g.pos([f"@{nonzero}"], [f"@{low}", f"@{small}"])),
    )
    g.close_by(g.apply(g.split(h)[1], by=[using(start)]))


@holds(
    "varre2023.step-d-variation-of-constants",
    """all d:Z, t1 t2:R, y q J:R~>R. 1 <= d => 0 <= t1 => t1 <= t2 =>
       (all t:R. 0 <= t => y'(t) + y(t) = (d - 1)*q(t)) => J(t1) = 0 => (all t:R. 0 <= t => J'(t) = exp(-(t2 - t))*q(t)) =>
       y(t2) = exp(-(t2 - t1))*y(t1) + (d - 1)*J(t2)""",
    argument="sound",
    context="the equation of the display before, path by path [Appendix D]",
    reading="y stands for u^2 - v^2, q for v^2, J for the integral from t_1; the paths are written as smooth functions, both sides depend continuously on the path; d for d and n, which agree",
)
def variation_of_constants(g: Goal) -> None:
    """exp(-(t2 - t)) y(t) - (d - 1) J(t) is constant."""
    _, early, order, law, start, integral = g.intro()

    def flat(g: Goal) -> None:
        g.fix("t")
        late, _ = g.intro()
        g.have("0 <= t", lambda g: g.pos([f"@{late}"], [f"@{early}"]))
        a, b = g.apply(law, "t"), g.apply(integral, "t")
        g.field((a, "exp(-(t2 - t))"), (b, "-(d - 1)"))

    h = g.by_fact("mean_value_eq", "t1", "t2", "lam t:R. exp(-(t2 - t))*y(t) - (d - 1)*J(t)", by=[None, flat, using(order)])
    g.field((h, 1), (start, "-(d - 1)"))


BOUND = "p2 + sqrt(d)*q2 <= exp(-(t2 - t1))*(p1 + sqrt(d)*q1) + {0}*q2 + (d - 1)*J"


@refuted(
    "varre2023.step-d-c-bound",
    f"{VALUES} {BOUND.format('sqrt(d)')}",
    argument="fails",
    reading=PATH_READING,
    reason="the left side minus the right one is v^2(t_2) - (1 + sqrt(d)) e^(-(t_2 - t_1)) v^2(t_1): if v(t_1) = 0, every path of (4.1) with v(t_2) != 0 violates the bound by exactly v^2(t_2), "
    "and from a(0) = 0, W(0) = I this has positive probability for t_1 = 0, since E v^2(t_2) > 0; the encoded formula speaks of the values at the two times alone, and its witness is such values, not a path. "
    "The display before it lacks this square (step-d-combination)",
)
def printed_bound_lacks_a_square(g: Goal) -> None:
    """d = 5, t_1 = 0, t_2 = 1, v(t_1) = 0, u^2(t_1) = e, v^2(t_2) = J = 1: u^2(t_2) = 6."""
    g.witness(5, 0, 1, "exp(1)", 0, 6, 1, 1)

    def smaller(g: Goal) -> None:
        g.have("0 < sqrt(5)", Goal.auto)
        g.pos([1])

    nested(
        g,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        lambda g: (g.assume(), g.contra(), g.auto()),
        lambda g: g.field(),
        smaller,
    )


@amendment("varre2023.step-d-c-bound", f"{VALUES} {BOUND.format('(1 + sqrt(d))')}", says="with 1 + sqrt(d) in place of sqrt(d)")
def bound_with_the_square(g: Goal) -> None:
    """u^2 - v^2 is at most u^2 + sqrt(d) v^2."""
    names = g.intro()
    start, formula = names[4], names[-1]
    g.have("0 < sqrt(d)", Goal.auto)
    g.pos([f"@{start}", "exp(-(t2 - t1))", "1 + sqrt(d)"], eqs=[(formula, -1)])


@holds(
    "varre2023.step-d-subadditivity",
    """(all a b p:R. 0 < a => 0 < b => 0 < p => p < 1 => (a + b)^p <= a^p + b^p) and
       (all d:Z, c c0 q J t p:R. 1 <= d => 0 < c => 0 < c0 => 0 < q => 0 < J => 0 < p => p < 1 => c <= exp(-t)*c0 + d*(q + J) =>
          c^p <= exp(-(p*t))*c0^p + d^p*q^p + d^p*J^p)""",
    argument="sound",
    context=(
        "all values positive: a > 0, b > 0 [the claim itself]; the bound of the display before (step-d-c-bound-ema) is a "
        "hypothesis [step-d-c-bound-ema]; the expectation is monotone and linear [definition of an expectation]"
    ),
    reading="c, c0, q, J stand for C(t), C(0), v^2(t) and its moving average along a path, p for alpha; the inequality of the expectations as one for every path",
)
def powers_are_subadditive(g: Goal) -> None:
    """x <= x^p for x = a/(a + b) and x = b/(a + b), which add up to 1."""

    def two(g: Goal) -> None:
        a, b, low, high = g.intro()
        g.have("0 < a + b", Goal.auto)
        parts = []
        for x, y in (("a", b), ("b", a)):
            ratio = f"{x}/(a + b)"
            g.have(f"0 < {ratio}", Goal.auto)
            small = g.have(f"{ratio} <= 1", lambda g, y=y: g.pos([f"@{y}"], mul=["a + b"]))
            less = g.by_fact("pow_exp_anti", ratio, "p", 1, by=[None, using(small), lambda g: g.pos([f"@{high}"])])
            parts.append((less, g.by_fact("pow_mul", ratio, "a + b", "p", by=[Goal.auto, Goal.auto])))
        g.have("0 < (a + b)^p", Goal.auto)
        g.pos(*[[f"@{h}", "(a + b)^p"] for h, _ in parts], eqs=[(e, 1) for _, e in parts])

    first = g.have("all a b p:R. 0 < a => 0 < b => 0 < p => p < 1 => (a + b)^p <= a^p + b^p", two)

    def hence(g: Goal) -> None:
        _, c, c0, q, j, low, high, bound = g.intro()
        g.have("0 < d", Goal.auto)
        one = g.by_fact(
            "pow_base_mono", "c", "exp(-t)*c0 + d*(q + J)", "p", by=[using(c), using(bound), lambda g: g.pos([f"@{low}"])]
        )
        two_ = g.apply(first, "exp(-t)*c0", "d*(q + J)", "p", by=[Goal.auto, Goal.auto, using(low), using(high)])
        three = g.apply(first, "q", "J", "p", by=[using(q), using(j), using(low), using(high)])
        g.have("0 < d^p", Goal.auto)
        g.pos([f"@{one}"], [f"@{two_}"], [f"@{three}", "d^p"])

    g.conj(using(first), hence)
