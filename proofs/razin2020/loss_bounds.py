"""Equations (30) to (34), Lemmas 18 and 19: entries and singular values of the product matrix from its loss."""

from __future__ import annotations

from proofs.razin2020.problem import LOSS, POSITIVE_DET, SETTING, solution
from verify.kernel import Goal
from verify.registry import holds, part


@holds(
    "razin2020.eq-30",
    f"""all W:M(2,2), l:R. l = {LOSS} =>
       abs(W[2,2]) <= sqrt(2*l) and abs(W[1,2] - 1) <= sqrt(2*l) and abs(W[2,1] - 1) <= sqrt(2*l)""",
    argument="sound",
)
def each_residual_is_at_most_the_root_of_twice_the_loss(g: Goal) -> None:
    """2 l is a sum of three squares, of which each is the square of one residual."""
    (h,) = g.intro()

    def bound(residual: str, rest: str) -> None:
        g.have(f"{residual}^2 <= 2*l", lambda g: g.pos([rest], eqs=[(h, 2)]))
        root = g.by_fact("sqrt_mono", f"{residual}^2", "2*l")
        absolute = g.fact("sqrt_of_square", residual)
        g.have(f"abs({residual}) <= sqrt(2*l)", lambda g: g.pos([f"@{root}"], eqs=[(absolute, 1)]))

    bound("W[2,2]", "(W[1,2] - 1)^2 + (W[2,1] - 1)^2")
    bound("(W[1,2] - 1)", "W[2,2]^2 + (W[2,1] - 1)^2")
    bound("(W[2,1] - 1)", "(W[1,2] - 1)^2 + W[2,2]^2")
    g.auto()


def positive_root(g: Goal, loss: str, det: str) -> str:
    """Adds 0 < 2 l, then u := sqrt(2 l) is known by 0 < sqrt(2 l) and its square; returns the name of the equation of the
    square."""
    g.have("0 <= l", lambda g: g.pos(["(W[1,2] - 1)^2 + (W[2,1] - 1)^2 + W[2,2]^2", "1/2"], eqs=[(loss, 1)]))

    def positive(g: Goal) -> None:
        split = g.by_fact("lt_or_eq", "0", "l")

        def zero(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            a = g.have("W[1,2] - 1 = 0", lambda g: vanish(g, loss, eq, "W[1,2] - 1", "(W[2,1] - 1)^2 + W[2,2]^2"))
            b = g.have("W[2,1] - 1 = 0", lambda g: vanish(g, loss, eq, "W[2,1] - 1", "(W[1,2] - 1)^2 + W[2,2]^2"))
            c = g.have("W[2,2] = 0", lambda g: vanish(g, loss, eq, "W[2,2]", "(W[1,2] - 1)^2 + (W[2,1] - 1)^2"))
            g.have("false", lambda g: g.pos([f"@{det}"], [1], eqs=[(a, "W[2,1]"), (b, 1), (c, "-W[1,1]")]))

        def closed(g: Goal) -> None:
            zero(g)
            g.auto()

        g.cases(split, None, closed)

    g.have("0 < l", positive)
    g.have("0 < sqrt(2*l)", Goal.auto)
    return g.by_fact("sqrt_sq", "2*l")


def vanish(g: Goal, loss: str, zero: str, residual: str, rest: str) -> None:
    """A residual is 0 where the loss is 0."""
    g.have(
        f"({residual})^2 = 0",
        lambda g: g.antisym(lambda g: g.pos([rest], eqs=[(loss, 2), (zero, 2)]), lambda g: g.pos([f"({residual})^2"])),
    )
    k = g.fact("square_zero", residual)
    k = g.apply(k)
    g.close_by(k)


@part("razin2020.lemma-18", "positive-loss", f"{SETTING} 0 < l", says="with positive determinant the loss is positive")
def loss_is_positive(g: Goal) -> None:
    """On S the determinant is -1."""
    loss, det = g.intro()
    positive_root(g, loss, det)
    g.auto()


@holds(
    "razin2020.lemma-18",
    f"""{SETTING} l < 1/2 =>
       (1 - sqrt(2*l))^2/sqrt(2*l) < abs(W[1,1]) and
       (1 - sqrt(2*l))^2/sqrt(2*l) = 1/sqrt(2*l) - 2 + sqrt(2*l)""",
    uses=["razin2020.eq-30"],
    argument="sound",
    context=POSITIVE_DET,
)
def unobserved_entry_is_large(g: Goal) -> None:
    """Let u = sqrt(2 l) < 1. By (30) w12 w21 >= (1 - u)^2 and |w22| <= u, and w11 w22 > w12 w21; u > 0 since a member of S
    has determinant -1."""
    loss, det, small = g.intro()
    square = positive_root(g, loss, det)
    bounds = g.split_all(g.lemma("razin2020.eq-30", "statement", "W", "l"))
    below = g.have("sqrt(2*l) < 1", lambda g: less_than_one(g, square, small))
    a = low(g, "W[1,2]", bounds[1])
    b = low(g, "W[2,1]", bounds[2])
    product = g.fact("abs_product", "W[1,1]", "W[2,2]")
    largest = g.split_all(g.apply(g.split(g.fact("abs_le", "W[1,1]*W[2,2]", "abs(W[1,1]*W[2,2])"))[0], by=[Goal.refl]))[1]

    def bound(g: Goal) -> None:
        g.pos(
            [f"@{det}"],
            [f"@{a}", "W[2,1]"],
            [f"@{b}", f"@{below}"],
            [f"@{largest}"],
            [f"@{bounds[0]}", "abs(W[1,1])"],
            mul=["sqrt(2*l)"],
            eqs=[(product, -1)],
        )

    g.have("0 < W[2,1]", lambda g: g.pos([f"@{b}"], [f"@{below}"]))
    g.conj(bound, lambda g: g.field())


def less_than_one(g: Goal, square: str, small: str) -> None:
    """sqrt(2 l) < 1 from l < 1/2."""
    k = g.contra()
    g.pos([f"@{k}", f"@{k}"], [f"@{k}", 2], [f"@{small}", 2], eqs=[(square, -1)])


def low(g: Goal, entry: str, bound: str) -> str:
    """1 - sqrt(2 l) <= entry, from |entry - 1| <= sqrt(2 l)."""
    k = g.split_all(g.apply(g.split(g.fact("abs_le", f"{entry} - 1", "sqrt(2*l)"))[0]))
    return g.have(f"1 - sqrt(2*l) <= {entry}", lambda g: g.pos([f"@{k[0]}"]))


FRO = "sqrt(tr(T({0}) @ ({0})))"
SOLUTION = solution("W[1,1]")
X = solution("x")


@holds(
    "razin2020.cited-golub-van-loan",
    """all m n i:Z, A B:M(m,n). 1 <= m => 1 <= n =>
       abs(sv(A,i) - sv(B,i)) <= spec(A - B) and abs(sv(A,i) - sv(B,i)) <= sqrt(tr(T(A - B) @ (A - B)))""",
)
def singular_values_are_lipschitz(g: Goal) -> None:
    """Weyl's inequality is an axiom of the library; the spectral norm is one term of the Frobenius norm."""
    g.intro()
    weyl = g.fact("sv_perturbation", "m", "n", "i", "A", "B")
    spectral = g.fact("spec_is_sv", "m", "n", "A - B")
    squares = g.by_fact("sv_frobenius", "m", "n", "A - B")
    one = g.by_fact("sum_term_le", 1, "n", "lam j:Z. sv(A - B,j)^2", by=[Goal.auto])
    one = g.apply(one, 1)
    g.have(
        "spec(A - B)^2 <= tr(T(A - B) @ (A - B))",
        lambda g: g.pos([f"@{one}"], eqs=[(squares, 1), (spectral, "-spec(A - B) - sv(A - B,1)")]),
    )
    root = g.by_fact("sqrt_mono", "spec(A - B)^2", "tr(T(A - B) @ (A - B))")
    sign = g.split(g.apply(g.fact("sv_range", "m", "n", "A - B"), 1, 1))[0]
    norm = g.fact("sqrt_of_square", "spec(A - B)")
    g.have("0 <= spec(A - B)", lambda g: g.pos([f"@{sign}"], eqs=[(spectral, 1)]))
    norm = g.have("sqrt(spec(A - B)^2) = spec(A - B)", lambda g: g.field((norm, 1)))
    g.conj(None, lambda g: g.pos([f"@{weyl}"], [f"@{root}"], eqs=[(norm, 1)]))


def distance_to_solution(g: Goal, loss: str) -> str:
    """Adds tr((W - W_S)^T (W - W_S)) = 2 l."""
    return g.have(f"tr(T(W - {SOLUTION}) @ (W - {SOLUTION})) = 2*l", lambda g: g.field((loss, -2)))


@holds(
    "razin2020.eq-34",
    f"""all W:M(2,2), l:R, i:Z. l = {LOSS} =>
       (all x:R. tr(T(W - {SOLUTION}) @ (W - {SOLUTION})) <= tr(T(W - {X}) @ (W - {X}))) and
       (1 <= i and i <= 2 => abs(sv(W,i) - sv({SOLUTION},i)) <= {FRO.format("W - " + SOLUTION)}) and
       {FRO.format("W - " + SOLUTION)} = sqrt(2*l)""",
    uses=["razin2020.cited-golub-van-loan"],
    argument="sound",
)
def projection_is_at_distance_root_of_twice_the_loss(g: Goal) -> None:
    """W - W_S has the three residuals as entries, W - W_x in addition w11 - x; the rest is the perturbation bound."""
    (loss,) = g.intro()
    eq = distance_to_solution(g, loss)

    def nearest(g: Goal) -> None:
        g.fix()
        g.pos(["(W[1,1] - x)^2"])

    def perturbed(g: Goal) -> None:
        g.intro()
        g.close_by(g.split(g.lemma("razin2020.cited-golub-van-loan", "statement", 2, 2, "i", "W", SOLUTION))[1])

    def norm(g: Goal) -> None:
        g.rewrite(eq)
        g.refl()

    g.conj(nearest, perturbed, norm)
