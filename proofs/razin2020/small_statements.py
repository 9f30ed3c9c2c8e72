"""Short statements: other locations, unlimited rank, one step of gradient descent, a rate."""

from __future__ import annotations

from proofs.razin2020.perturbed_problem import E
from proofs.razin2020.perturbed_ranks import LAST
from proofs.razin2020.perturbed_singular_values import LEAST, Z
from proofs.razin2020.problem import QUASI_NORM, distance, erank, fro
from proofs.razin2020.repositioned import READING, THEOREM_2_AT, loss_at
from proofs.razin2020.repositioned_norms import UNIT, B
from proofs.razin2020.repositioned_ranks import INFIMUM, RANK_AT
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds

NORMS = f"""({THEOREM_2_AT} all N:M(2,2)->R, U:M(2,2), c a b:R. 1 <= c and {QUASI_NORM} => {UNIT} => a = N(U)/c => b = {B} =>
       all t l:R. 0 <= t => l = {loss_at("X(t)")} => a*({Z}/{E}) - b <= N(X(t)))"""
RANKS = f"""({THEOREM_2_AT} all m t l:R. {INFIMUM} => 0 <= t => l = {loss_at("X(t)")} => {erank("X(t)")} <= m + {LAST})"""

DISTANCES = f"""({THEOREM_2_AT} all r:Z, m t l:R. {RANK_AT} => 0 <= t => l = {loss_at("X(t)")} => {distance("m", "X(t)", "r")} =>
         m <= 4*abs(eps) + (4 + sqrt({Z})/{LEAST})*sqrt(2*l))"""


@holds(
    "razin2020.assertion-3-4-reposition",
    f"{NORMS} and {RANKS} and {DISTANCES}",
    uses=["razin2020.theorem-2-reposition-eq-15", "razin2020.theorem-2-reposition-eq-16", "razin2020.theorem-2-reposition-eq-17"],
    argument="repaired",
    reason="the constant a of the norm bound must hold the norm of the matrix unit of the unobserved location (theorem-2-reposition-eq-15, refuted as printed)",
    reading="all three bounds of Theorem 2 at every location and for all observations: of norms, with the unit U of the unobserved location in the constant a, of the effective rank and of the distance "
    f"from the infimal rank; with the constant a of (1,1) the first is false; {READING}",
)
def bounds_at_any_location(g: Goal) -> None:
    """The repositioned parts of Theorem 2."""
    g.conj(
        lambda g: g.close_by(g.lemma("razin2020.theorem-2-reposition-eq-15", "amendment")),
        lambda g: g.close_by(g.lemma("razin2020.theorem-2-reposition-eq-16", "statement")),
        lambda g: g.close_by(g.lemma("razin2020.theorem-2-reposition-eq-17", "statement")),
    )


@holds(
    "razin2020.assertion-unconstrained-rank",
    """(all r c n L:Z, X:M(r,c). 0 <= r => 0 <= c => 2 <= L => min(r,c) <= n =>
          ex A:M(n,c), B:M(r,n), W:Z->M(n,n), Q:Z->M(n,c). Q(1) = A and (all l:Z. 2 <= l and l <= L - 1 => Q(l) = W(l) @ Q(l-1)) and
             X = B @ Q(L-1)) and
       (all r c n:Z, A:M(n,c), B:M(r,n). 0 <= n => 0 <= c => 0 <= r => rank(B @ A) <= n)""",
    argument="sound",
    reading="all hidden widths are n (wider layers contain these); every matrix is a product if n >= min(d, d'), and a layer of width n limits the rank of the product to n; "
    "in the 2 x 2 problem n >= 2",
)
def products_reach_every_matrix(g: Goal) -> None:
    """X = U V with inner dimension n, and identities between them."""

    def reach(g: Goal) -> None:
        g.fix()
        r, c, _, wide = (g.assume() for _ in range(4))
        k = g.split(g.by_fact("rank_bounds", "r", "c", "X", by=[using(r), using(c)]))

        def case(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            top = k[1] if g.hyp_formula(eq)[2] == "r" else k[2]
            low = g.have("rank(X) <= n", lambda g: (only(g, top, wide, eq), g.pos([f"@{top}"], [f"@{wide}"], eqs=[(eq, 1)]))[-1])
            size = g.have("0 <= n", lambda g: (only(g, low, k[0]), g.pos([f"@{low}"], [f"@{k[0]}"]))[-1])
            (x,) = g.obtain(g.by_fact("rank_factor", "r", "c", "n", "X", by=[using(size), using(low)]), "U", "V")
            g.witness("V", "U", "lam l:Z. I(n)", "lam l:Z. V")

            def steps(g: Goal) -> None:
                g.fix()
                g.assume()
                g.nc()

            g.conj(Goal.refl, steps, using(x))

        g.cases(g.fact("min_cases", "r", "c"), case, case)

    def limit(g: Goal) -> None:
        g.fix()
        n, _, r = (g.assume() for _ in range(3))
        a = g.split(g.fact("rank_product", "r", "n", "c", "B", "A"))[0]
        b = g.split(g.by_fact("rank_bounds", "r", "n", "B", by=[using(r), using(n)]))[2]
        g.pos([f"@{a}"], [f"@{b}"])

    g.conj(reach, limit)


@holds(
    "razin2020.fn-14-discretisation",
    """(all r n c:Z, A:M(n,c), B:M(r,n), G:M(r,c), h:R. T(B) @ B = A @ T(A) =>
          T(B - h*(G @ T(A))) @ (B - h*(G @ T(A))) - (A - h*(T(B) @ G)) @ T(A - h*(T(B) @ G)) =
            h^2*(A @ T(G) @ G @ T(A) - T(B) @ G @ T(G) @ B)) and
       (ex A B G:M(2,2). T(B) @ B = A @ T(A) and all h:R. h != 0 => h^2*(A @ T(G) @ G @ T(A) - T(B) @ G @ T(G) @ B) != O(2,2)) and
       (all a h:R, G:M(2,2). T(G) = G => h^2*((a*I(2)) @ T(G) @ G @ T(a*I(2)) - T(a*I(2)) @ G @ T(G) @ (a*I(2))) = O(2,2))""",
    argument="sound",
    reading="depth 2, any shapes: one step of gradient descent with the learning rate h from balanced factors A = W_1, B = W_2, where G is the gradient of the loss at B A, leaves the "
    "unbalancedness h^2 (A G^T G A^T - B^T G G^T B); it is not 0 in general (the polynomial in the entries is not the zero polynomial), and 0 in exceptional cases such as multiples of the identity "
    "with a symmetric gradient. The flow conserves balancedness (Lemma 3)",
)
def one_step_of_gradient_descent(g: Goal) -> None:
    """The terms of first order cancel; A = B = I and G a matrix unit."""

    def step(g: Goal) -> None:
        g.fix()
        k = g.assume()
        g.nc((k, 1, None, None))

    def generic(g: Goal) -> None:
        g.witness("I(2)", "I(2)", "[[0,1],[0,0]]")

        def positive(g: Goal) -> None:
            g.fix("h")
            ne = g.assume()
            eq = g.contra()
            left, right = g.hyp_formula(eq)[1:]
            k = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: (g.rewrite(eq), g.refl())[-1])
            z = g.have("h^2 = 0", lambda g: g.field((k, -1)))
            g.clash(g.by_fact("square_zero", "h", by=[using(z)]), ne)

        g.conj(lambda g: g.nc(), positive)

    def exceptional(g: Goal) -> None:
        g.fix()
        k = g.assume()
        g.nc(rw=[k])

    g.conj(step, generic, exceptional)


@holds(
    "razin2020.thm-3-step-balanced-rate",
    f"""all s:R~>R, t y r:R, L:Z, X G:M(2,2). 2 <= L => 33 <= r => 0 < s(t) => s'(t) = -(L*(s(t)^2)^(1 - 1/L)*y) => abs(y) <= {fro("G")} =>
       {fro("G")} <= {fro("X")} + sqrt(2) => {fro("X")} <= r^L =>
       abs(D(u, s(u)^2, t)) = abs(2*s(t)*s'(t)) and abs(2*s(t)*s'(t)) <= 2*L*s(t)^(3 - 2/L)*{fro("G")} and {fro("G")} <= 2*r^L and
       2*L*s(t)^(3 - 2/L)*{fro("G")} <= 4*L*r^L*s(t)^(3 - 2/L)""",
    argument="sound",
    reading="s = s2(W'_{L:1}) along the balanced flow, y = <gradient, u v^T> with unit vectors u, v, G the gradient of the loss at X = W'_{L:1}, r = R + 1",
    context=(
        "Equation (27), the gradient bound of Proposition 5 with B = sqrt 2, the norms of factors are at most R + 1 "
        "[Equation (27), Proposition 5]; s > 0 as the determinant is positive before T [definition of T]"
    ),
)
def rate_of_the_balanced_singular_value(g: Goal) -> None:
    """2 s L (s^2)^(1 - 1/L) = 2 L s^(3 - 2/L); sqrt 2 <= r^L."""
    depth, radius, positive, rate, pairing, gradient, size = g.intro()
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    pr = g.have("0 < r", lambda g: (only(g, radius), g.pos([f"@{radius}"], [33]))[-1])
    n = fro("G")

    def first(g: Goal) -> None:
        g.ctx(lambda g: g.field())

    def second(g: Goal) -> None:
        only(g, rate, pairing, positive, pl)
        (z,) = g.obtain(g.have("ex z:R. z = s(t)", lambda g: (g.witness("s(t)"), g.refl())[-1]), "z")
        back = g.have("s(t) = z", lambda g: g.field((z, -1)))
        rate_z, positive_z = g.rewritten(rate, back), g.rewritten(positive, back)
        g.rewrite(back)
        only(g, rate_z, pairing, positive_z, pl)
        product = g.have(
            "2*z*s'(t) = -(2*L*z^(3 - 2/L))*y", lambda g: (only(g, rate_z, positive_z, pl), g.field((rate_z, "2*z")))[-1]
        )
        p = g.fact("abs_product", "-(2*L*z^(3 - 2/L))", "y")
        minus = g.have(
            "abs(-(2*L*z^(3 - 2/L))) = 2*L*z^(3 - 2/L)", lambda g: (only(g, positive_z, pl), negative(g, "2*L*z^(3 - 2/L)"))[-1]
        )
        g.rewrite(product)
        pw = g.have("0 < z^(3 - 2/L)", lambda g: (only(g, positive_z), g.auto())[-1])
        only(g, p, minus, pairing, pl, pw)
        g.pos([f"@{pairing}", "2*L*z^(3 - 2/L)"], eqs=[(p, -1), (minus, "-abs(y)")])

    def large(g: Goal) -> None:
        two = g.have("sqrt(2) <= 2", lambda g: (only(g), g.ball())[-1])
        one = g.by_fact(
            "pow_exp_mono",
            "r",
            "1",
            "L",
            by=[
                lambda g: (only(g, radius), g.pos([f"@{radius}"], [32]))[-1],
                lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1],
            ],
        )
        only(g, gradient, size, two, one, radius, pr)
        g.pos([f"@{gradient}"], [f"@{size}"], [f"@{two}"], [f"@{one}"], [f"@{radius}"], [31])

    top = g.have(f"{n} <= 2*r^L", large)

    def last(g: Goal) -> None:
        pw = g.have("0 < s(t)^(3 - 2/L)", lambda g: (only(g, positive), g.auto())[-1])
        only(g, top, pl, pw)
        g.pos([f"@{top}", "2*L*s(t)^(3 - 2/L)"])

    g.conj(first, second, using(top), last)


def negative(g: Goal, x: str) -> None:
    """abs(-x) = x for a positive x."""
    p = g.fact("abs_product", "-1", x)
    one = g.have("abs(-1) = 1", lambda g: g.field())
    own = g.have(f"abs({x}) = {x}", lambda g: g.field())
    same = g.have(f"abs(-({x})) = abs(-1*({x}))", lambda g: g.field())
    g.field((same, 1), (p, 1), (one, f"abs({x})"), (own, 1))
