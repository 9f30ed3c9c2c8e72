"""Equations (51) to (53), Lemma 26: singular values of the product matrix for the perturbed observations."""

from __future__ import annotations

from proofs.razin2020.perturbed_entries import loss_nonneg
from proofs.razin2020.perturbed_problem import (
    NAMES,
    OBSERVED,
    SAME_SIGN,
    SIGNED,
    SMALL,
    E,
    U,
    minimum_is_one_of,
    perturbed,
)
from proofs.razin2020.problem import fro
from proofs.razin2020.scripts import nested, only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted

SQUARES = "sqrt(tr(T(W) @ W)^2 - 4*det(W)^2)"


@holds(
    "razin2020.thm-3-step-sigma2-formula",
    f"""all W:M(2,2). 0 <= tr(T(W) @ W)^2 - 4*det(W)^2 and sv(W,2)^2 = (tr(T(W) @ W) - {SQUARES})/2 and
       {SQUARES} = sv(W,1)^2 - sv(W,2)^2""",
    argument="sound",
)
def squared_singular_values_of_a_2x2_matrix(g: Goal) -> None:
    """The product of the singular values is |det W|, the sum of their squares |W|_F^2; so (s1^2 - s2^2)^2 = |W|_F^4 - 4 det^2."""
    g.intro()
    product, squares = g.split(g.fact("sv_2x2", "W"))
    order = g.fact("sv_range", 2, 2, "W")
    low = g.split(g.apply(order, 2, 2))[0]
    one, ge = g.split(g.apply(order, 1, 2))
    ge = g.apply(ge)
    absolute = g.fact("abs_square", "det(W)")
    only(g, product, squares, low, one, ge, absolute)
    value = g.have(
        "(sv(W,1)^2 - sv(W,2)^2)^2 = tr(T(W) @ W)^2 - 4*det(W)^2",
        lambda g: g.field(
            (squares, "sv(W,1)^2 + sv(W,2)^2 + tr(T(W) @ W)"), (product, "-4*(sv(W,1)*sv(W,2) + abs(det(W)))"), (absolute, -4)
        ),
    )
    sign = g.have("0 <= sv(W,1)^2 - sv(W,2)^2", lambda g: g.pos([f"@{ge}", "sv(W,1)"], [f"@{ge}", "sv(W,2)"]))
    root = g.by_fact("sqrt_unique", "tr(T(W) @ W)^2 - 4*det(W)^2", "sv(W,1)^2 - sv(W,2)^2", by=[using(sign), using(value)])
    g.conj(
        lambda g: g.pos(["(sv(W,1)^2 - sv(W,2)^2)^2"], eqs=[(value, -1)]),
        lambda g: g.field((squares, "1/2"), (root, "1/2")),
        using(root),
    )


PRINTED = "[[{0}, y], [z, {1}]]"
"""The matrix defined before Equation (51), as printed: z' above the diagonal and z below it."""


@refuted(
    "razin2020.eq-51",
    f"""{OBSERVED} ((all x:R. {fro("W - " + PRINTED.format("W[1,1]", "eps"))} <= {fro("W - " + perturbed("x"))}) and
         (ex x:R. {PRINTED.format("W[1,1]", "eps")} = {perturbed("x")})) and
       (all i:Z. 1 <= i and i <= 2 =>
          abs(sv(W,i) - sv({PRINTED.format("W[1,1]", "eps")},i)) <= {fro("W - " + PRINTED.format("W[1,1]", "eps"))}) and
       {fro("W - " + PRINTED.format("W[1,1]", "eps"))} = {U}""",
    reading=NAMES,
    reason="the printed matrix has z and z' exchanged: for z = 1, z' = 2 and W = [[0,1],[2,0]] the loss is 0, but the distance is not",
)
def printed_projection_is_transposed(g: Goal) -> None:
    """W = [[0,1],[2,0]] fits z = 1, z' = 2, eps = 0; the printed matrix is its transpose, at the distance sqrt(2)."""
    g.witness("[[0,1],[2,0]]", 1, 2, 0, 0)

    def fails(g: Goal) -> None:
        g.left_or_right(2)
        m = PRINTED.format("[[0,1],[2,0]][1,1]", "0").replace("y", "2").replace("z", "1")
        norm = g.have(f"tr(T([[0,1],[2,0]] - {m}) @ ([[0,1],[2,0]] - {m})) = 2", lambda g: g.field())
        zero = g.by_fact("sqrt_unique", "2*0", "0", by=[None, lambda g: g.field()])
        square = g.by_fact("sqrt_sq", "2")
        eq = g.contra()
        same = g.have(f"sqrt(tr(T([[0,1],[2,0]] - {m}) @ ([[0,1],[2,0]] - {m}))) = sqrt(2)", lambda g: g.ctx(using(norm)))
        root = g.have("sqrt(2) = 0", lambda g: g.field((same, -1), (eq, 1), (zero, 1)))
        g.pos([2], eqs=[(square, 1), (root, "-sqrt(2)")])

    nested(g, None, None, None, fails)


@amendment(
    "razin2020.eq-51",
    f"""{OBSERVED} (all x:R. {fro("W - " + perturbed("W[1,1]"))} <= {fro("W - " + perturbed("x"))}) and
       (all i:Z. 1 <= i and i <= 2 => abs(sv(W,i) - sv({perturbed("W[1,1]")},i)) <= {fro("W - " + perturbed("W[1,1]"))}) and
       (all i:Z. 1 <= i and i <= 2 => abs(sv(W,i) - sv({PRINTED.format("W[1,1]", "eps")},i)) <= {U}) and
       {fro("W - " + perturbed("W[1,1]"))} = {U}""",
    says="with z above and z' below the diagonal; the bound of the singular values by the root of twice the loss holds for the printed "
    "matrix too, which is the transpose",
    uses=["razin2020.cited-golub-van-loan"],
)
def projection_onto_the_perturbed_solutions(g: Goal) -> None:
    """W - W_S has the three residuals as entries, W - W_x in addition w11 - x; the rest is the perturbation bound."""
    _z, _y, loss = g.intro()
    only(g, loss)
    p = perturbed("W[1,1]")
    eq = g.have(f"tr(T(W - {p}) @ (W - {p})) = 2*l", lambda g: g.field((loss, -2)))
    norm = g.have(f"{fro('W - ' + p)} = {U}", lambda g: g.ctx(using(eq)))

    def nearest(g: Goal) -> None:
        g.fix("x")
        x = perturbed("x")
        k = g.have(f"tr(T(W - {p}) @ (W - {p})) <= tr(T(W - {x}) @ (W - {x}))", lambda g: g.pos(["(W[1,1] - x)^2"]))
        g.close_by(g.by_fact("sqrt_mono", f"tr(T(W - {p}) @ (W - {p}))", f"tr(T(W - {x}) @ (W - {x}))", by=[None, using(k)]))

    def perturbed_values(g: Goal) -> None:
        g.intro()
        g.close_by(g.split(g.lemma("razin2020.cited-golub-van-loan", "statement", 2, 2, "i", "W", p))[1])

    def turned(g: Goal) -> None:
        g.intro()
        k = g.split(g.lemma("razin2020.cited-golub-van-loan", "statement", 2, 2, "i", "W", p))[1]
        m = PRINTED.format("W[1,1]", "eps")
        t = g.fact("sv_transpose", 2, 2, "i", p)
        same = g.have(f"T({p}) = {m}", lambda g: g.ext())
        value = g.have(f"sv({m},i) = sv({p},i)", lambda g: (g.rewrite(same, back=True), g.close_by(t))[-1])
        g.rewrite(value)
        g.pos([f"@{k}"], eqs=[(norm, -1)])

    g.conj(nearest, perturbed_values, turned, using(norm))


P = "(w^2 + z^2 + y^2 + eps^2)"
ROOT = f"sqrt({P}^2 - 4*(w*eps - z*y)^2)"
PRINTED_W = PRINTED.format("w", "eps")


@holds(
    "razin2020.eq-52",
    f"""all w z y eps:R. sv({PRINTED_W},1)^2 = ({P} + {ROOT})/2 and sv({PRINTED_W},2)^2 = ({P} - {ROOT})/2 and
       0 <= {P}^2 - 4*(w*eps - z*y)^2""",
    uses=["razin2020.thm-3-step-sigma2-formula"],
    argument="sound",
    reading=f"w stands for w_11; {NAMES}; the matrix is the one printed before (51)",
)
def squared_singular_values_of_the_projection(g: Goal) -> None:
    """The general formula for 2 x 2 matrices."""
    g.intro()
    m = PRINTED_W
    sign, second, root = g.split(g.lemma("razin2020.thm-3-step-sigma2-formula", "statement", m))
    inner = f"tr(T({m}) @ {m})^2 - 4*det({m})^2"
    value = g.have(f"sqrt({inner}) = {ROOT}", lambda g: g.ctx(lambda g: g.field()))
    g.conj(
        lambda g: g.field((second, 1), (root, "-1"), (value, "1/2")),
        lambda g: g.field((second, 1), (value, "-1/2")),
        lambda g: g.pos([f"@{sign}"]),
    )


W0 = PRINTED.format("w", "0")
P0 = "(w^2 + z^2 + y^2)"
ROOT0 = f"sqrt({P0}^2 - 4*z^2*y^2)"


@holds(
    "razin2020.eq-53",
    f"""all w z y:R. z != 0 => y != 0 => sv({W0},2)^2 = 2*z^2*y^2/({P0} + {ROOT0}) and
       2*z^2*y^2/({P0} + {ROOT0}) <= 2*z^2*y^2/{P0}""",
    uses=["razin2020.eq-52"],
    argument="sound",
    reading=f"w stands for w_11; {NAMES}; the matrix is the one printed, with eps replaced by 0",
)
def second_singular_value_without_epsilon(g: Goal) -> None:
    """(52) at eps = 0, rationalised."""
    z, _y = g.intro()
    second, sign = g.split(g.lemma("razin2020.eq-52", "statement", "w", "z", "y", 0))[1:]
    long = ROOT.replace("eps", "0")
    value = g.have(f"{long} = {ROOT0}", lambda g: g.ctx(lambda g: g.field()))
    sign = g.have(f"0 <= {P0}^2 - 4*z^2*y^2", lambda g: g.pos([f"@{sign}"]))
    square = g.by_fact("sqrt_sq", f"{P0}^2 - 4*z^2*y^2", by=[using(sign)])
    low = g.by_fact("sqrt_nonneg", f"{P0}^2 - 4*z^2*y^2", by=[using(sign)])
    only(g, z, second, value, square, low)
    p = g.have(f"0 < {P0}", Goal.auto)
    q = g.have(f"0 < {P0} + {ROOT0}", lambda g: g.pos([f"@{p}"], [f"@{low}"]))
    g.conj(
        lambda g: g.field((second, 1), (value, "-1/2"), (square, f"-1/(2*({P0} + {ROOT0}))")),
        lambda g: g.pos([2, "z^2", "y^2", f"@{low}"], mul=[P0, f"{P0} + {ROOT0}"]),
    )
    del q


@holds(
    "razin2020.lemma-26-sigma1",
    f"{OBSERVED} abs(W[1,1])/sqrt(2) - {U} <= sv(W,1)",
    argument="repaired",
    reading=NAMES,
    reason="the proof perturbs the matrix of (51), which is printed transposed; no perturbation is needed",
)
def largest_singular_value_from_the_unobserved_entry(g: Goal) -> None:
    """2 s1^2 >= s1^2 + s2^2 = |W|_F^2 >= w11^2, even without the root of the loss."""
    *_, loss = g.intro()
    sign = loss_nonneg(g, loss)
    squares = g.split(g.fact("sv_2x2", "W"))[1]
    order = g.fact("sv_range", 2, 2, "W")
    low = g.split(g.apply(order, 2, 2))[0]
    one, ge = g.split(g.apply(order, 1, 2))
    ge = g.apply(ge)
    only(g, sign, squares, low, one, ge)
    u = g.by_fact("sqrt_nonneg", "2*l")
    root = g.by_fact("sqrt_sq", "2")
    g.have("0 < sqrt(2)")
    absolute = g.fact("abs_square", "W[1,1]")

    def bound(g: Goal) -> None:
        k = g.contra()
        entries = g.fact("frobenius_entries", 2, 2, "W")
        only(g, squares, low, one, ge, root, absolute, k, entries)
        g.have("0 < sqrt(2)")
        g.have("0 < abs(W[1,1])", lambda g: g.pos([f"@{k}"], ["sqrt(2)", f"@{one}"]))
        g.pos(
            [f"@{k}", "abs(W[1,1])"],
            [f"@{k}", "sqrt(2)*sv(W,1)"],
            [f"@{ge}", "sv(W,1)"],
            [f"@{ge}", "sv(W,2)"],
            ["W[1,2]^2"],
            ["W[2,1]^2"],
            ["W[2,2]^2"],
            eqs=[(squares, 1), (root, "sv(W,1)^2"), (absolute, -1), (entries, 1)],
        )

    k = g.have("abs(W[1,1]) <= sqrt(2)*sv(W,1)", bound)
    g.pos([f"@{k}"], [f"@{u}", "sqrt(2)"], mul=["sqrt(2)"])


ZERO = PRINTED.format("W[1,1]", "0")
"""The matrix of (53), as printed, for the product matrix W."""
Q = "(W[1,1]^2 + z^2 + y^2)"
SUM = "(abs(W[1,1]) + abs(z) + abs(y))"
Z = "abs(z)*abs(y)"


@holds(
    "razin2020.lemma-26-step-sqrt6",
    f"""{SIGNED} {SMALL} sv({ZERO},2) <= sqrt(2)*({Z}/sqrt{Q}) and sqrt(2)*({Z}/sqrt{Q}) <= sqrt(6)*({Z}/{SUM}) and
       sqrt(6)*({Z}/{SUM}) <= sqrt(6)*({Z}/({Z}/{E})) and sqrt(6)*({Z}/({Z}/{E})) <= 3*{E}""",
    uses=["razin2020.eq-53", "razin2020.lemma-25"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def second_singular_value_without_epsilon_for_a_small_loss(g: Goal) -> None:
    """(53); a + b + c <= sqrt(3) sqrt(a^2 + b^2 + c^2); Lemma 25; sqrt(6) <= 3."""
    z, y, *_ = g.intro()
    positive = g.split(g.lemma("razin2020.lemma-25", "part:sizes", "W", "z", "y", "eps", "l"))[3]
    entry = g.split(g.lemma("razin2020.lemma-25", "statement", "W", "z", "y", "eps", "l"))
    value, less = g.split(g.lemma("razin2020.eq-53", "statement", "W[1,1]", "z", "y", by=[using(z), using(y)]))
    only(g, z, y, positive, *entry, value, less)
    three = g.have(f"{Z}/{E} <= {SUM}", lambda g: g.pos([f"@{entry[0]}"], [f"@{entry[1]}"]))
    low = g.split(g.apply(g.fact("sv_range", 2, 2, ZERO), 2, 2))[0]
    square = g.have(f"sv({ZERO},2)^2 <= 2*z^2*y^2/{Q}", lambda g: g.pos([f"@{less}"], eqs=[(value, -1)]))
    only(g, z, y, positive, three, low, square)
    az, ay, aw = (g.fact("abs_square", x) for x in ("z", "y", "W[1,1]"))
    two, six, root = g.by_fact("sqrt_sq", "2"), g.by_fact("sqrt_sq", "6"), g.by_fact("sqrt_sq", Q)
    g.have("0 < sqrt(2)")
    g.have("0 < sqrt(6)")
    g.have(f"0 < sqrt{Q}")
    g.have("0 < abs(z)")
    g.have("0 < abs(y)")

    def first(g: Goal) -> None:
        def bound(g: Goal) -> None:
            k = g.contra()
            only(g, z, y, k, two, root, square, low, az, ay)
            g.have(f"0 < sqrt{Q}")
            g.have("0 < sqrt(2)")
            g.pos(
                [f"@{k}", f"sv({ZERO},2)*sqrt{Q}"],
                [f"@{k}", f"sqrt(2)*{Z}"],
                [f"@{square}", Q],
                eqs=[(root, f"-sv({ZERO},2)^2"), (two, "(abs(z)*abs(y))^2"), (az, "2*abs(y)^2"), (ay, "2*z^2")],
            )

        k = g.have(f"sv({ZERO},2)*sqrt{Q} <= sqrt(2)*{Z}", bound)
        g.pos([f"@{k}"], mul=[f"sqrt{Q}"])

    def second(g: Goal) -> None:
        def bound(g: Goal) -> None:
            k = g.contra()
            only(g, z, k, two, six, root, az, ay, aw)
            g.have(f"0 < sqrt{Q}")
            g.have("0 < sqrt(2)")
            g.have("0 < sqrt(6)")
            s, q = "abs(W[1,1])", f"sqrt{Q}"
            g.pos(
                [f"@{k}", f"sqrt(2)*{SUM}"],
                [f"@{k}", f"sqrt(6)*{q}"],
                [2, f"({s} - abs(z))^2"],
                [2, f"({s} - abs(y))^2"],
                [2, "(abs(z) - abs(y))^2"],
                eqs=[(two, f"-{SUM}^2"), (six, f"{q}^2"), (root, 6), (az, -6), (ay, -6), (aw, -6)],
            )

        k = g.have(f"sqrt(2)*{SUM} <= sqrt(6)*sqrt{Q}", bound)
        g.pos([f"@{k}", Z], mul=[f"sqrt{Q}", SUM])

    def third(g: Goal) -> None:
        g.pos([f"@{three}", E, "sqrt(6)"], mul=[SUM])

    def fourth(g: Goal) -> None:
        def small(g: Goal) -> None:
            k = g.contra()
            only(g, six, k)
            g.pos([f"@{k}", f"@{k}"], [f"@{k}", 6], [3], eqs=[(six, -1)])

        k = g.have("sqrt(6) <= 3", small)
        g.pos([f"@{k}", E])

    g.conj(first, second, third, fourth)


@holds(
    "razin2020.lemma-26-step-two-perturbations",
    f"""({OBSERVED} sv(W,2) <= sv({ZERO},2) + abs(eps) + {U}) and
       ({SIGNED} {SMALL} sv({ZERO},2) + abs(eps) + {U} <= 3*{E} + abs(eps) + {U} and 3*{E} + abs(eps) + {U} = 4*{E})""",
    uses=["razin2020.eq-51", "razin2020.lemma-26-step-sqrt6", "razin2020.cited-golub-van-loan"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def perturbation_applied_twice(g: Goal) -> None:
    """From W to its projection at the distance sqrt(2 l), and from there to eps = 0 at the distance |eps|."""

    def twice(g: Goal) -> None:
        g.intro()
        turned = g.split(g.lemma("razin2020.eq-51", "amendment", "W", "z", "y", "eps", "l"))[2]
        one = g.apply(turned, 2)
        m = PRINTED.format("W[1,1]", "eps")
        two = g.split(g.lemma("razin2020.cited-golub-van-loan", "statement", 2, 2, 2, m, ZERO))[1]
        only(g, one, two)
        square = g.have(f"tr(T({m} - {ZERO}) @ ({m} - {ZERO})) = eps^2", lambda g: g.field())
        norm = g.have(f"{fro(f'{m} - {ZERO}')} = sqrt(eps^2)", lambda g: g.ctx(using(square)))
        absolute = g.fact("sqrt_of_square", "eps")
        a = g.split(g.apply(g.split(g.fact("abs_le", f"sv(W,2) - sv({m},2)", U))[0], by=[using(one)]))[1]
        b = g.split(
            g.apply(
                g.split(g.fact("abs_le", f"sv({m},2) - sv({ZERO},2)", "abs(eps)"))[0],
                by=[lambda g: g.pos([f"@{two}"], eqs=[(norm, -1), (absolute, -1)])],
            )
        )[1]
        only(g, a, b)
        g.pos([f"@{a}"], [f"@{b}"])

    def small(g: Goal) -> None:
        g.intro()
        chain = g.split(g.lemma("razin2020.lemma-26-step-sqrt6", "statement", "W", "z", "y", "eps", "l"))
        only(g, *chain)
        g.conj(lambda g: g.pos(*[[f"@{h}"] for h in chain]), lambda g: g.field())

    g.conj(twice, small)


@holds(
    "razin2020.lemma-26-eq-50",
    f"{SIGNED} {SMALL} sv(W,2) <= 4*abs(eps) + 4*{U}",
    uses=["razin2020.lemma-26-step-two-perturbations"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def smallest_singular_value_for_a_small_loss(g: Goal) -> None:
    """The two steps."""
    g.intro()
    first, second = g.split(g.lemma("razin2020.lemma-26-step-two-perturbations"))
    a = g.apply(first, "W", "z", "y", "eps", "l")
    b, c = g.split(g.apply(second, "W", "z", "y", "eps", "l"))
    only(g, a, b, c)
    g.pos([f"@{a}"], [f"@{b}"])


LARGE = f"all w z y:R. z != 0 => y != 0 => sv({W0},2)^2 <= 2*z^2*y^2/((z - y)^2 + 2*abs(z)*abs(y))"


@refuted(
    "razin2020.lemma-26-step-large-loss",
    f"{LARGE} and 2*z^2*y^2/((z - y)^2 + 2*abs(z)*abs(y)) <= {Z}",
    reading=f"w stands for w_11; {NAMES}",
    reason="for z z' < 0 the middle term is too small: z = 1, z' = -1, w_11 = 0 has the singular values 1, 1 and the middle term 1/3",
)
def middle_term_is_too_small_for_opposite_signs(g: Goal) -> None:
    """At w = 0, z = 1, y = -1 the squared singular values are 1, and 2/((z - y)^2 + 2) = 1/3."""
    g.witness(0, 1, -1)

    def fails(g: Goal) -> None:
        g.left_or_right(0)
        m = "[[0, -1], [1, 0]]"
        product, squares = g.split(g.fact("sv_2x2", m))
        only(g, product, squares)
        # (s1 - s2)^2 = 0 and s1 s2 = 1
        gap = g.have(f"(sv({m},1) - sv({m},2))^2 = 0", lambda g: g.field((product, -2), (squares, 1)))
        same = g.apply(g.fact("square_zero", f"sv({m},1) - sv({m},2)"), by=[using(gap)])
        one = g.have(f"sv({m},2)^2 = 1", lambda g: g.field((product, 1), (same, f"-sv({m},2)")))
        only(g, one)
        g.pos(["2/3"], eqs=[(one, 1)])

    nested(g, None, None, fails)


@amendment(
    "razin2020.lemma-26-step-large-loss",
    f"""all w z y:R. z != 0 => y != 0 =>
       sv({W0},2)^2 <= 2*z^2*y^2/((abs(z) - abs(y))^2 + 2*abs(z)*abs(y)) and
       2*z^2*y^2/((abs(z) - abs(y))^2 + 2*abs(z)*abs(y)) <= {Z}""",
    says="with |z| - |z'| in the place of z - z'; the conclusion sigma_2^2 <= |z| |z'| is true",
    uses=["razin2020.eq-53"],
)
def second_singular_value_is_at_most_the_geometric_mean(g: Goal) -> None:
    """(|z| - |y|)^2 + 2 |z| |y| = z^2 + y^2 <= w^2 + z^2 + y^2."""
    z, y = g.intro()
    value, less = g.split(g.lemma("razin2020.eq-53", "statement", "w", "z", "y"))
    az, ay = g.fact("abs_square", "z"), g.fact("abs_square", "y")
    g.have("0 < abs(z)")
    g.have("0 < abs(y)")
    only(g, z, y, value, less, az, ay)
    g.have("0 < abs(z)")
    g.have("0 < abs(y)")
    middle = "(abs(z) - abs(y))^2 + 2*abs(z)*abs(y)"
    same = g.have(f"{middle} = z^2 + y^2", lambda g: g.field((az, 1), (ay, 1)))
    g.rewrite(same)

    def first(g: Goal) -> None:
        g.pos([f"@{less}", "z^2 + y^2"], [2, "z^2", "y^2", "w^2", f"1/{P0}"], mul=["z^2 + y^2"], eqs=[(value, "-(z^2 + y^2)")])

    def second(g: Goal) -> None:
        # |z||y|(z^2 + y^2 - 2|z||y|) = |z||y|(|z| - |y|)^2
        g.pos(
            ["abs(z)", "abs(y)", "(abs(z) - abs(y))^2"],
            mul=["z^2 + y^2"],
            eqs=[(az, "-abs(z)*abs(y) + 2*abs(y)^2"), (ay, "-abs(z)*abs(y) + 2*z^2")],
        )

    g.conj(first, second)


LEAST = "min(abs(z), abs(y))"
RATIO = f"sqrt({Z})/{LEAST}"


@holds(
    "razin2020.lemma-26-eq-49",
    f"{SIGNED} sv(W,2) <= 4*abs(eps) + (4 + {RATIO})*{U}",
    uses=["razin2020.lemma-26-eq-50", "razin2020.lemma-26-step-two-perturbations", "razin2020.lemma-26-step-large-loss"],
    argument="repaired",
    reading=NAMES,
    context=SAME_SIGN,
    reason="for z z' < 0 a step for large losses is wrong as printed; its conclusion is true",
)
def smallest_singular_value_for_any_loss(g: Goal) -> None:
    """For a small loss (50); else sqrt(2 l) >= min(|z|, |y|) and s2 <= sqrt(|z| |y|) + |eps| + sqrt(2 l)."""
    z, y, loss, det = g.intro()
    sign = loss_nonneg(g, loss)
    u = g.by_fact("sqrt_nonneg", "2*l")
    g.have("0 < abs(z)")
    g.have("0 < abs(y)")
    least = g.have(f"0 < {LEAST}")
    ratio = g.have(f"0 <= {RATIO}", lambda g: ratio_is_nonneg(g))

    def large(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        first = g.split(g.lemma("razin2020.lemma-26-step-two-perturbations"))[0]
        a = g.apply(first, "W", "z", "y", "eps", "l", by=[using(z), using(y), using(loss)])
        mean = g.split(g.lemma("razin2020.lemma-26-step-large-loss", "amendment", "W[1,1]", "z", "y", by=[using(z), using(y)]))
        low = g.split(g.apply(g.fact("sv_range", 2, 2, ZERO), 2, 2))[0]
        some = minimum_is_one_of(g, h)
        only(g, z, y, sign, u, least, ratio, a, *mean, low, some)
        top = g.have(f"sv({ZERO},2)^2 <= {Z}", lambda g: g.pos([f"@{mean[0]}"], [f"@{mean[1]}"]))
        root = g.by_fact("sqrt_mono", f"sv({ZERO},2)^2", Z, by=[None, using(top)])
        own = g.fact("sqrt_of_square", f"sv({ZERO},2)")
        own = g.have(f"sqrt(sv({ZERO},2)^2) = sv({ZERO},2)", lambda g: g.field((own, 1)))
        value = g.by_fact("sqrt_sq", "2*l")
        big = g.have(f"{LEAST} <= {U}", lambda g: least_below_root(g, some, value, u))
        only(g, a, root, own, big, least, u)
        k = g.by_fact("sqrt_nonneg", Z)
        g.pos(
            [f"@{a}", LEAST],
            [f"@{root}", LEAST],
            [f"@{big}", f"@{k}"],
            ["3*abs(eps)", LEAST],
            [3, f"@{u}", LEAST],
            mul=[LEAST],
            eqs=[(own, LEAST)],
        )

    def small(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        k = g.lemma(
            "razin2020.lemma-26-eq-50", "statement", "W", "z", "y", "eps", "l", by=[using(x) for x in (z, y, loss, det, h)]
        )
        only(g, k, ratio, u)
        g.pos([f"@{k}"], [f"@{ratio}", f"@{u}"])

    g.em("min(z^2/2, y^2/2) <= l", large, small)


def ratio_is_nonneg(g: Goal) -> None:
    """0 <= sqrt(|z| |y|)/min(|z|, |y|)."""
    g.have(f"0 <= sqrt({Z})")
    g.pos([RATIO])


def least_below_root(g: Goal, some: str, value: str, u: str) -> None:
    """min(|z|, |y|) <= sqrt(2 l), from z^2 <= 2 l or y^2 <= 2 l."""
    only(g, some, value, u)

    def case(x: str) -> Script:
        def script(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            square = g.fact("abs_square", x)

            def bound(g: Goal) -> None:
                k = g.contra()
                only(g, h, square, value, u, k)
                g.pos([f"@{k}", f"{U} + abs({x})"], [f"@{h}", 2], eqs=[(square, -1), (value, 1)])

            k = g.have(f"abs({x}) <= {U}", bound)
            m = g.have(f"{LEAST} <= abs({x})", lambda g: at_most(g))
            only(g, k, m)
            g.pos([f"@{k}"], [f"@{m}"])

        return script

    def at_most(g: Goal) -> None:
        def one(g: Goal) -> None:
            g.split(next(reversed(g.seq.hyps)))
            g.nlin(products=1)

        g.cases(g.fact("min_cases", "abs(z)", "abs(y)"), one, one)

    g.cases(some, case("z"), case("y"))
