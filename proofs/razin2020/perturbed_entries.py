"""Equations (13), (14) and (48), Lemma 25: the entries of the product matrix from the loss of the perturbed observations."""

from __future__ import annotations

from proofs.razin2020.perturbed_problem import (
    NAMES,
    OBSERVED,
    SAME_SIGN,
    SIGNED,
    SMALL,
    E,
    U,
    absolute_at_least,
    below_minimum,
    perturbed,
    perturbed_loss,
)
from proofs.razin2020.problem import LOSS
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

MASK, VALUES = "[[0,1],[1,1]]", "[[0,z],[y,eps]]"


@holds(
    "razin2020.eq-13",
    f"""all W:M(2,2), z y eps:R. z != 0 => y != 0 =>
       (sum(i, 1, 2, sum(j, 1, 2, {MASK}[i,j]*(W[i,j] - {VALUES}[i,j])^2)))/2 = {perturbed_loss("W")} and
       (z = 1 => y = 1 => eps = 0 => {perturbed_loss("W")} = {LOSS})""",
    reading="the first matrix marks the observed entries, the second has their values: the loss (1) of these observations is the "
    "one of the other modules; it contains (6)",
)
def loss_of_the_perturbed_observations(g: Goal) -> None:
    """Written out."""
    g.intro()

    def unperturbed(g: Goal) -> None:
        for h in g.intro():
            g.rewrite(h)
        g.field()

    g.conj(lambda g: g.field(), unperturbed)


@holds(
    "razin2020.eq-14",
    f"""all W:M(2,2), z y eps:R. z != 0 => y != 0 =>
       ({perturbed_loss("W")} = 0 <=> W[1,2] = z and W[2,1] = y and W[2,2] = eps) and
       (W[1,2] = z and W[2,1] = y and W[2,2] = eps <=> ex x:R. W = {perturbed("x")})""",
    argument="sound",
    reading=NAMES,
)
def zero_loss_matrices_of_the_perturbed_problem(g: Goal) -> None:
    """A sum of squares vanishes only if each square does."""
    g.intro()
    residuals = ["W[1,2] - z", "W[2,1] - y", "W[2,2] - eps"]

    def vanish(g: Goal, loss: str, k: int) -> str:
        rest = " + ".join(f"({r})^2" for i, r in enumerate(residuals) if i != k)

        def square(g: Goal) -> None:
            g.antisym(lambda g: g.pos([rest], eqs=[(loss, -2)]), lambda g: g.pos([f"({residuals[k]})^2"]))

        h = g.have(f"({residuals[k]})^2 = 0", square)
        return g.apply(g.fact("square_zero", residuals[k]), by=[using(h)])

    def forward(g: Goal) -> None:
        loss = g.assume()
        names = [vanish(g, loss, k) for k in range(3)]
        g.conj(*[lambda g, h=h: g.field((h, 1)) for h in names])

    def backward(g: Goal) -> None:
        names = g.split(g.assume())
        g.field(*[(h, f"({r})/2") for h, r in zip(names, residuals, strict=True)])

    def to_matrix(g: Goal) -> None:
        names = g.split(g.assume())
        g.witness("W[1,1]")

        def entry(g: Goal) -> None:
            h = next((n for n in names if g.hyp_formula(n)[1] == g.concl[1]), None)
            g.field(*([(h, 1)] if h else []))

        g.ext(entry)

    def from_matrix(g: Goal) -> None:
        (eq,) = g.obtain(g.assume(), "x")

        def put(g: Goal) -> None:
            g.rewrite(eq)
            g.field()

        g.conj(put, put, put)

    g.conj(lambda g: g.iff(forward, backward), lambda g: g.iff(to_matrix, from_matrix))


@holds(
    "razin2020.eq-48",
    f"{OBSERVED} abs(W[2,2] - eps) <= {U} and abs(W[1,2] - z) <= {U} and abs(W[2,1] - y) <= {U}",
    argument="sound",
    reading=NAMES,
)
def each_perturbed_residual_is_at_most_the_root_of_twice_the_loss(g: Goal) -> None:
    """2 l is a sum of three squares, of which each is the square of one residual."""
    *_, h = g.intro()
    residuals = ["(W[2,2] - eps)", "(W[1,2] - z)", "(W[2,1] - y)"]
    for r in residuals:
        rest = " + ".join(f"{s}^2" for s in residuals if s != r)
        g.have(f"{r}^2 <= 2*l", lambda g, rest=rest: g.pos([rest], eqs=[(h, 2)]))
        root = g.by_fact("sqrt_mono", f"{r}^2", "2*l")
        absolute = g.fact("sqrt_of_square", r)
        g.have(f"abs({r}) <= {U}", lambda g, root=root, absolute=absolute: g.pos([f"@{root}"], eqs=[(absolute, 1)]))
    g.auto()


def positive_product(g: Goal, h: str, sign: str) -> str:
    """x y = |x| |y|, from |x y| = |x| |y| and 0 < x y."""
    _, (_, inner), sizes = g.hyp_formula(h)
    g.have(("<", 0, inner), lambda g: g.pos([f"@{sign}"]))
    return g.have(("=", inner, sizes), lambda g: g.field((h, 1)))


def loss_nonneg(g: Goal, h: str) -> str:
    """0 <= l, from the value of the loss."""
    return g.have("0 <= l", lambda g: g.pos(["(W[1,2] - z)^2 + (W[2,1] - y)^2 + (W[2,2] - eps)^2", "1/2"], eqs=[(h, 1)]))


@holds(
    "razin2020.lemma-25-step-sign",
    f"""{SIGNED} {SMALL}
       0 < z*W[1,2] and 0 < y*W[2,1] and W[2,2] != 0 and abs(W[1,2]*W[2,1]) < abs(W[1,1]*W[2,2]) and
       (0 < z*y => W[1,2]*W[2,1] < W[1,1]*W[2,2] and 0 < W[1,2]*W[2,1]) and
       (z*y < 0 => W[1,1]*W[2,2] < W[1,2]*W[2,1] and W[1,2]*W[2,1] < 0)""",
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def off_diagonal_entries_have_the_signs_of_their_observations(g: Goal) -> None:
    """2 z w12 = (z^2 - (w12 - z)^2) + w12^2 > 0 as (w12 - z)^2 <= 2 l < z^2; the determinant has the sign of z y."""
    _z, _y, loss, det, small = g.intro()
    first, second = below_minimum(g, small)
    a = g.have(
        "0 < z*W[1,2]",
        lambda g: g.pos([f"@{first}", 2], ["W[1,2]^2"], ["(W[2,1] - y)^2"], ["(W[2,2] - eps)^2"], mul=[2], eqs=[(loss, 2)]),
    )
    b = g.have(
        "0 < y*W[2,1]",
        lambda g: g.pos([f"@{second}", 2], ["W[2,1]^2"], ["(W[1,2] - z)^2"], ["(W[2,2] - eps)^2"], mul=[2], eqs=[(loss, 2)]),
    )
    only(g, a, b, det)
    p = g.have("0 < (z*y)*(W[1,2]*W[2,1])", lambda g: g.pos([f"@{a}", f"@{b}"]))
    q = g.have("0 < (z*y)*(W[1,1]*W[2,2])", lambda g: g.pos([f"@{det}"], [f"@{p}"]))

    def nonzero(g: Goal) -> None:
        eq = g.contra()
        g.pos([f"@{q}"], eqs=[(eq, "-(z*y*W[1,1])")])

    def product(g: Goal) -> None:
        eq = g.contra()
        g.pos([f"@{p}"], eqs=[(eq, "-(W[1,2]*W[2,1])")])

    def sizes(g: Goal) -> None:
        n = g.have("z*y != 0", product)
        i, j = g.fact("abs_product", "z*y", "W[1,2]*W[2,1]"), g.fact("abs_product", "z*y", "W[1,1]*W[2,2]")
        i, j = positive_product(g, i, p), positive_product(g, j, q)
        only(g, n, i, j, det)
        g.pos([f"@{det}"], mul=["abs(z*y)"], eqs=[(i, 1), (j, -1)])

    def positive(g: Goal) -> None:
        h = g.assume()
        g.conj(lambda g: g.pos([f"@{det}"], mul=["z*y"]), lambda g: g.pos([f"@{p}"], mul=["z*y"]))
        del h

    def negative(g: Goal) -> None:
        h = g.assume()
        g.have("0 < -(z*y)", lambda g: g.pos([f"@{h}"]))
        g.conj(lambda g: g.pos([f"@{det}"], mul=["-(z*y)"]), lambda g: g.pos([f"@{p}"], mul=["-(z*y)"]))

    g.conj(using(a), using(b), nonzero, sizes, positive, negative)


@part(
    "razin2020.lemma-25",
    "sizes",
    f"""{SIGNED} {SMALL}
       0 <= {U} and {U} < abs(z) and {U} < abs(y) and 0 < {E} and abs(W[2,2]) <= {E} and
       abs(z) - {U} <= abs(W[1,2]) and abs(y) - {U} <= abs(W[2,1]) and abs(W[1,2])*abs(W[2,1]) < abs(W[1,1])*abs(W[2,2])""",
    says="the sizes of the entries for a small loss",
    uses=["razin2020.eq-48", "razin2020.lemma-25-step-sign"],
)
def sizes_of_the_entries_for_a_small_loss(g: Goal) -> None:
    """(48) and the triangle inequality; u < |z| as u^2 = 2 l < z^2."""
    z, y, loss, det, small = g.intro()
    sign = loss_nonneg(g, loss)
    first, second = below_minimum(g, small)
    bounds = g.split(g.lemma("razin2020.eq-48", "statement", "W", "z", "y", "eps", "l"))
    signs = g.split(g.lemma("razin2020.lemma-25-step-sign", "statement", "W", "z", "y", "eps", "l"))
    only(g, sign, first, second, *bounds, signs[2], signs[3])
    root = g.by_fact("sqrt_sq", "2*l")
    low = g.by_fact("sqrt_nonneg", "2*l")

    def below(g: Goal, x: str, h: str) -> str:
        square = g.fact("abs_square", x)

        def prove(g: Goal) -> None:
            k = g.contra()
            only(g, k, low, root, square, h)
            g.pos([f"@{k}", f"{U} + abs({x})"], [f"@{h}", 2], eqs=[(root, -1), (square, 1)])

        return g.have(f"{U} < abs({x})", prove)

    a, b = below(g, "z", first), below(g, "y", second)
    c, d = absolute_at_least(g, "W[1,2]", "z", U), absolute_at_least(g, "W[2,1]", "y", U)
    k = g.fact("abs_triangle", "W[2,2] - eps", "eps")
    top = g.have(f"abs(W[2,2]) <= {E}", lambda g: top_entry(g, k, bounds[0]))
    positive = g.have(f"0 < {E}", lambda g: g.pos([f"@{top}"], ["abs(W[2,2])"]))
    i, j = g.fact("abs_product", "W[1,2]", "W[2,1]"), g.fact("abs_product", "W[1,1]", "W[2,2]")
    more = g.have("abs(W[1,2])*abs(W[2,1]) < abs(W[1,1])*abs(W[2,2])", lambda g: g.pos([f"@{signs[3]}"], eqs=[(i, 1), (j, -1)]))
    g.conj(*[using(h) for h in (low, a, b, positive, top, c, d, more)])


def top_entry(g: Goal, triangle: str, bound: str) -> None:
    """|w22| <= |eps| + u."""
    only(g, triangle, bound)
    g.pos([f"@{triangle}"], [f"@{bound}"])


BOUND = f"(abs(z) - {U})*(abs(y) - {U})/{E}"


@holds(
    "razin2020.lemma-25",
    f"{SIGNED} {SMALL} {BOUND} < abs(W[1,1]) and abs(z)*abs(y)/{E} - (abs(z) + abs(y)) <= {BOUND}",
    uses=["razin2020.lemma-25"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def unobserved_entry_is_large_for_perturbed_observations(g: Goal) -> None:
    """|w11| |w22| > |w12| |w21| with |w22| <= |eps| + u; the two bounds differ by (u^2 + |eps| (|z| + |y|))/(|eps| + u)."""
    g.intro()
    low, a, b, positive, top, c, d, more = g.split(g.lemma("razin2020.lemma-25", "part:sizes", "W", "z", "y", "eps", "l"))
    only(g, low, a, b, positive, top, c, d, more)

    def first(g: Goal) -> None:
        g.pos([f"@{more}"], [f"@{top}", "abs(W[1,1])"], [f"@{c}", "abs(W[2,1])"], [f"@{a}", f"@{d}"], mul=[E])

    g.conj(first, lambda g: g.pos([f"{U}^2"], ["abs(eps)", "abs(z)"], ["abs(eps)", "abs(y)"], mul=[E]))
