"""Equation (54) and the steps to Equation (15): norms of a product matrix for the perturbed observations."""

from __future__ import annotations

from proofs.razin2020.perturbed_entries import loss_nonneg
from proofs.razin2020.perturbed_problem import NAMES, SAME_SIGN, SIGNED, SMALL, E, U, minimum_is_one_of
from proofs.razin2020.perturbed_singular_values import LEAST, Z, least_below_root
from proofs.razin2020.problem import QUASI_NORM
from proofs.razin2020.quasi_norms import E11, E12, E21, E22, LARGEST, NORM, at_most_max
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

M = "max(max(abs(z), abs(y)), abs(eps))"
LARGEST_OTHER = f"max(N({E12}), max(N({E21}), N({E22})))"
TERMS = f"c*abs(W[2,2])*N({E22}) + c^2*(abs(W[2,1])*N({E21}) + abs(W[1,2])*N({E12}))"


@holds(
    "razin2020.eq-54",
    f"{NORM} all W:M(2,2). N(W[1,1]*{E11})/c - N(W - W[1,1]*{E11}) <= N(W)",
    uses=["razin2020.eq-35"],
    argument="sound",
)
def norm_from_the_unobserved_entry(g: Goal) -> None:
    """It is Equation (35), in which the loss does not occur."""
    names = g.intro()
    k = g.lemma("razin2020.eq-35", "statement", "N", "c", by=[lambda g: g.conj(*[using(h) for h in names[:5]])])
    g.close_by(g.apply(k, "W"))


def largest_observation(g: Goal) -> list[str]:
    """Adds |z| <= m, |y| <= m, |eps| <= m."""
    a, b = at_most_max(g, "abs(z)", "abs(y)")
    c, d = at_most_max(g, "max(abs(z), abs(y))", "abs(eps)")
    first = g.have(f"abs(z) <= {M}", lambda g: g.pos([f"@{a}"], [f"@{c}"]))
    second = g.have(f"abs(y) <= {M}", lambda g: g.pos([f"@{b}"], [f"@{c}"]))
    return [first, second, d]


@holds(
    "razin2020.thm-2-step-remainder",
    f"""{NORM} {SIGNED} {SMALL} N(W - W[1,1]*{E11}) <= {TERMS} and
       {TERMS} <= 3*c^2*({M} + {U})*{LARGEST_OTHER} and 3*c^2*({M} + {U})*{LARGEST_OTHER} <= 6*c^2*{M}*{LARGEST_OTHER}""",
    uses=["razin2020.eq-48", "razin2020.lemma-25"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def remainder_of_the_norm_for_perturbed_observations(g: Goal) -> None:
    """The weakened triangle inequality twice, |w_ij| <= |b_ij| + sqrt(2 l), and sqrt(2 l) < |z|."""
    one, nonneg, _, homogeneous, triangle, z, y, loss, det, small = g.intro()
    sizes = g.split(
        g.lemma("razin2020.lemma-25", "part:sizes", "W", "z", "y", "eps", "l", by=[using(h) for h in (z, y, loss, det, small)])
    )
    bounds = g.split(g.lemma("razin2020.eq-48", "statement", "W", "z", "y", "eps", "l", by=[using(h) for h in (z, y, loss)]))
    signs = {e: g.apply(nonneg, e) for e in (E12, E21, E22)}
    a, b, c = f"W[2,2]*{E22}", f"W[2,1]*{E21}", f"W[1,2]*{E12}"
    first, second = g.apply(triangle, a, f"{b} + {c}"), g.apply(triangle, b, c)
    scale = [g.apply(homogeneous, E22, "W[2,2]"), g.apply(homogeneous, E21, "W[2,1]"), g.apply(homogeneous, E12, "W[1,2]")]
    whole = g.have(f"W - W[1,1]*{E11} = {a} + ({b} + {c})", lambda g: g.ext())
    value = g.have(f"N(W - W[1,1]*{E11}) = N({a} + ({b} + {c}))", lambda g: g.ctx(using(whole)))

    def entry(e: str, observed: str, bound: str) -> str:
        k = g.fact("abs_triangle", f"{e} - {observed}", observed)
        return g.have(f"abs({e}) <= abs({observed}) + {U}", lambda g: summed(g, k, bound))

    def summed(g: Goal, k: str, bound: str) -> None:
        only(g, k, bound)
        g.pos([f"@{k}"], [f"@{bound}"])

    w12, w21 = entry("W[1,2]", "z", bounds[1]), entry("W[2,1]", "y", bounds[2])
    only(g, one, *signs.values(), first, second, *scale, value, w12, w21, sizes[0], sizes[1], sizes[4])
    low, below, w22 = sizes[0], sizes[1], sizes[4]
    mz, my, me = largest_observation(g)
    x, rest = at_most_max(g, f"N({E12})", f"max(N({E21}), N({E22}))")
    p, q = at_most_max(g, f"N({E21})", f"N({E22})")
    n = LARGEST_OTHER
    n12 = x
    n21 = g.have(f"N({E21}) <= {n}", lambda g: g.pos([f"@{p}"], [f"@{rest}"]))
    n22 = g.have(f"N({E22}) <= {n}", lambda g: g.pos([f"@{q}"], [f"@{rest}"]))
    m = g.have(f"0 <= {M}", lambda g: g.pos([f"@{mz}"], ["abs(z)"]))
    top = g.have(f"0 <= {n}", lambda g: g.pos([f"@{n12}"], [f"@{signs[E12]}"]))

    def by_terms(g: Goal) -> None:
        only(g, first, second, value, one, *scale)
        g.pos([f"@{first}"], [f"@{second}", "c"], eqs=[(value, -1), (scale[0], "-c"), (scale[1], "-c^2"), (scale[2], "-c^2")])

    def by_largest(g: Goal) -> None:
        only(g, one, *signs.values(), w12, w21, w22, mz, my, me, n12, n21, n22, m, low)
        g.pos(
            [f"@{n22}", "c^2", f"@{m}"],
            [f"@{n22}", "c^2", f"@{low}"],
            [f"@{me}", "c^2", f"@{signs[E22]}"],
            [f"@{w22}", "c^2", f"@{signs[E22]}"],
            [f"@{one}", "c", "abs(W[2,2])", f"@{signs[E22]}"],
            [f"@{n21}", "c^2", f"@{m}"],
            [f"@{n21}", "c^2", f"@{low}"],
            [f"@{my}", "c^2", f"@{signs[E21]}"],
            [f"@{w21}", "c^2", f"@{signs[E21]}"],
            [f"@{n12}", "c^2", f"@{m}"],
            [f"@{n12}", "c^2", f"@{low}"],
            [f"@{mz}", "c^2", f"@{signs[E12]}"],
            [f"@{w12}", "c^2", f"@{signs[E12]}"],
        )

    def by_observations(g: Goal) -> None:
        only(g, one, below, mz, top)
        g.pos([f"@{below}", 3, "c^2", f"@{top}"], [f"@{mz}", 3, "c^2", f"@{top}"])

    g.conj(by_terms, by_largest, by_observations)


@holds(
    "razin2020.thm-2-step-norm-combine",
    f"{NORM} {SIGNED} {SMALL} N({E11})/c*({Z}/{E}) - 8*c^2*{M}*{LARGEST} <= N(W)",
    uses=["razin2020.eq-54", "razin2020.thm-2-step-remainder", "razin2020.lemma-25"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def norm_bound_for_a_small_perturbed_loss(g: Goal) -> None:
    """(54), Lemma 25 and the bound of the remainder; |z| + |y| <= 2 max, 1/c <= c^2."""
    one, nonneg, zero, homogeneous, triangle, z, y, loss, det, small = g.intro()
    unit = g.have("0 < c", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
    given = [using(h) for h in (z, y, loss, det, small)]
    positive = g.split(g.lemma("razin2020.lemma-25", "part:sizes", "W", "z", "y", "eps", "l", by=given))[3]
    entry = g.split(g.lemma("razin2020.lemma-25", "statement", "W", "z", "y", "eps", "l", by=given))
    quasi = [lambda g: g.conj(*[using(h) for h in (one, nonneg, zero, homogeneous, triangle)])]
    below = g.apply(g.lemma("razin2020.eq-54", "statement", "N", "c", by=quasi), "W")
    rest = g.lemma("razin2020.thm-2-step-remainder", "statement", "N", "c", by=quasi)
    rest = g.split(g.apply(rest, "W", "z", "y", "eps", "l", by=given))
    signs = [g.apply(nonneg, e) for e in (E11, E12)]
    scale = g.apply(homogeneous, E11, "W[1,1]")
    only(g, one, unit, positive, *entry, below, *rest, *signs, scale)
    mz, my, _ = largest_observation(g)
    a, b = at_most_max(g, f"N({E11})", f"N({E12})")
    c, d = at_most_max(g, f"N({E21})", f"N({E22})")
    e, f = at_most_max(g, f"max(N({E11}), N({E12}))", f"max(N({E21}), N({E22}))")

    def largest_of_three(g: Goal) -> None:
        only(g, b, c, d, e, f)
        p = g.have(f"N({E12}) <= {LARGEST}", lambda g: g.pos([f"@{b}"], [f"@{e}"]))

        def outer(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            g.pos([f"@{p}"] if g.hyp_formula(eq)[2] == g.term(f"N({E12})") else [f"@{f}"], eqs=[(eq, -1)])

        g.cases(g.fact("max_cases", f"N({E12})", f"max(N({E21}), N({E22}))"), outer, outer)

    three = g.have(f"{LARGEST_OTHER} <= {LARGEST}", largest_of_three)
    own = g.have(f"N({E11}) <= {LARGEST}", lambda g: g.pos([f"@{a}"], [f"@{e}"]))
    m = g.have(f"0 <= {M}", lambda g: g.pos([f"@{mz}"], ["abs(z)"]))
    top = g.have(f"0 <= {LARGEST}", lambda g: g.pos([f"@{own}"], [f"@{signs[0]}"]))
    cube = g.have("0 <= c^3 - 1", lambda g: (only(g, one, unit), g.pos([f"@{one}", "c^2 + c + 1"]))[-1])
    low = g.have(f"{Z}/{E} - (abs(z) + abs(y)) <= abs(W[1,1])", lambda g: chained(g, entry))
    bound = g.have(f"N(W - W[1,1]*{E11}) <= 6*c^2*{M}*{LARGEST_OTHER}", lambda g: chained(g, rest))
    only(g, unit, positive, low, bound, below, scale, mz, my, three, own, m, top, cube, signs[0])
    g.pos(
        [f"@{below}", "c"],
        [f"@{low}", f"@{signs[0]}"],
        [f"@{bound}", "c"],
        [f"@{three}", 6, "c^3", f"@{m}"],
        [f"@{cube}", 2, f"@{m}", f"@{top}"],
        [f"@{own}", 2, f"@{m}"],
        [f"@{mz}", f"@{signs[0]}"],
        [f"@{my}", f"@{signs[0]}"],
        mul=["c"],
        eqs=[(scale, 1)],
    )


def chained(g: Goal, names: list[str]) -> None:
    """a <= b from the chain of inequalities between them."""
    only(g, *names)
    g.pos(*[[f"@{h}"] for h in names])


A = f"N({E11})/c"
B = f"max(a*{Z}/(abs(eps) + {LEAST}), 8*c^2*{M}*{LARGEST})"
CONSTANTS = f"a = {A} => b = {B} =>"
"""The constants of Theorem 2."""


def vacuous_bound(g: Goal, sign: str, order: str, z: str, y: str, some: str, low: str, u: str) -> None:
    """a |z| |y|/(|eps| + u) - b <= 0 from 0 <= a, the first member of b, and z^2/2 <= l or y^2/2 <= l."""
    value = g.by_fact("sqrt_sq", "2*l", by=[lambda g: g.pos([f"@{low}", 2])])
    big = g.have(f"{LEAST} <= {U}", lambda g: least_below_root(g, some, value, u))
    only(g, sign, order, z, y, big, u)
    g.have("0 < abs(z)")
    g.have("0 < abs(y)")
    g.have(f"0 < {LEAST}")
    g.have(f"0 < {E}", lambda g: g.pos([f"@{big}"], [LEAST], ["abs(eps)"]))
    g.pos([f"@{order}", f"{E}"], [f"@{big}", f"@{sign}", f"{Z}/(abs(eps) + {LEAST})"], mul=[E])


@holds(
    "razin2020.thm-2-step-norm-vacuous",
    f"""all N:M(2,2)->R, c a b:R. 1 <= c and {QUASI_NORM} => all z y eps l:R. z != 0 => y != 0 => {CONSTANTS}
       0 <= l => min(z^2/2, y^2/2) <= l => a*({Z}/{E}) - b <= 0""",
    argument="sound",
    reading=f"a and b are the constants of Theorem 2; the bound holds for any number l from the threshold on in the place of the loss; {NAMES}",
)
def perturbed_bound_is_vacuous_for_large_loss(g: Goal) -> None:
    """sqrt(2 l) >= min(|z|, |y|), and b is at least its first member."""
    one, nonneg, _, _, _, z, y, a, b, low, large = g.intro()
    sign = g.apply(nonneg, E11)
    g.have("0 < c", lambda g: g.pos([f"@{one}"], [1]))
    positive = g.have("0 <= a", lambda g: g.pos([f"@{sign}"], mul=["c"], eqs=[(a, "c")]))
    first, _ = at_most_max(g, f"a*{Z}/(abs(eps) + {LEAST})", f"8*c^2*{M}*{LARGEST}")
    g.have("0 < abs(z)")
    g.have("0 < abs(y)")
    g.have(f"0 < abs(eps) + {LEAST}", lambda g: g.pos([LEAST], ["abs(eps)"]))
    first = g.have(f"a*{Z}/(abs(eps) + {LEAST}) <= b", lambda g: g.pos([f"@{first}"], eqs=[(b, 1)]))
    some = minimum_is_one_of(g, large)
    u = g.by_fact("sqrt_nonneg", "2*l", by=[lambda g: g.pos([f"@{low}", 2])])
    only(g, positive, first, z, y, some, low, u)
    vacuous_bound(g, positive, first, z, y, some, low, u)


@part(
    "razin2020.theorem-2-eq-15",
    "static",
    f"""all N:M(2,2)->R, c a b:R. 1 <= c and {QUASI_NORM} => all z y eps:R. z != 0 => y != 0 => {CONSTANTS}
       all W:M(2,2), l:R. l = ((W[1,2] - z)^2 + (W[2,1] - y)^2 + (W[2,2] - eps)^2)/2 => 0 < z*y*det(W) => a*({Z}/{E}) - b <= N(W)""",
    says="the bound for a matrix whose determinant has the sign of z z'",
    uses=["razin2020.thm-2-step-norm-combine", "razin2020.thm-2-step-norm-vacuous"],
)
def perturbed_norm_bound_for_a_matrix(g: Goal) -> None:
    """For a small loss the steps of the proof; else the left side is not positive."""
    one, nonneg, zero, homogeneous, triangle, z, y, a, b, loss, det = g.intro()
    quasi = [lambda g: g.conj(*[using(h) for h in (one, nonneg, zero, homogeneous, triangle)])]
    low = loss_nonneg(g, loss)

    def small(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        _, second = at_most_max(g, f"a*{Z}/(abs(eps) + {LEAST})", f"8*c^2*{M}*{LARGEST}")
        main = g.lemma("razin2020.thm-2-step-norm-combine", "statement", "N", "c", by=quasi)
        k = g.apply(main, "W", "z", "y", "eps", "l", by=[using(x) for x in (z, y, loss, det, h)])
        only(g, k, second, a, b)
        g.pos([f"@{k}"], [f"@{second}"], eqs=[(a, f"-({Z}/{E})"), (b, 1)])

    def large(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        k = g.lemma("razin2020.thm-2-step-norm-vacuous", "statement", "N", "c", "a", "b", by=quasi)
        k = g.apply(k, "z", "y", "eps", "l", by=[using(x) for x in (z, y, a, b, low, h)])
        own = g.apply(nonneg, "W")
        only(g, k, own)
        g.pos([f"@{k}"], [f"@{own}"])

    g.em("min(z^2/2, y^2/2) <= l", large, small)
