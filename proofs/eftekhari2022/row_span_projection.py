"""Sections 2 and 3, Appendices C and K: the projection P_X onto the row span of the data, and whitened data."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.rank_one_flow import ROOTS, ROOTS_READING
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

PENROSE = "X @ G @ X = X => G @ X @ G = G => T(X @ G) = X @ G => T(G @ X) = G @ X =>"
"""G is the Moore-Penrose pseudo-inverse of X."""
P, N_ = "(G @ X)", "(I(m) - G @ X)"
READING = "G is the Moore-Penrose pseudo-inverse of X, so that P_X = G X and P_{X^perp} = I - G X"
DATA = "x y m:Z, X:M(x,m), G:M(m,x), Y:M(y,m)"


@holds(
    "eftekhari2022.def-projections",
    f"""all {DATA}. {PENROSE} T({P}) = {P} and {P} @ {P} = {P} and T({N_}) = {N_} and {N_} @ {N_} = {N_} and
       (all k:Z, R:M(k,m). (ex L:M(k,x). R = L @ X) => R @ {P} = R and R @ {N_} = O(k,m)) and
       (all k:Z, R:M(k,m). R @ T(X) = O(k,x) => R @ {P} = O(k,m) and R @ {N_} = R) and Y = Y @ {P} + Y @ {N_}""",
    argument="sound",
    reading=f"{READING}; the rows of R lie in the row span of X where R = L X, and are orthogonal to it where R X^T = 0",
)
def projections_onto_the_row_span(g: Goal) -> None:
    """The Penrose conditions; R G X = R (G X)^T = R X^T G^T."""
    own, _, _, sym = g.intro()

    def inside(g: Goal) -> None:
        g.fix()
        h = g.obtain(g.assume(), "L")[0]
        g.conj(lambda g: g.nc((own, 1, "L", None), rw=[h]), lambda g: g.nc((own, -1, "L", None), rw=[h]))

    def outside(g: Goal) -> None:
        g.fix()
        h = g.assume()
        g.conj(
            lambda g: g.nc((h, 1, None, "T(G)"), (sym, -1, "R", None)),
            lambda g: g.nc((h, -1, None, "T(G)"), (sym, 1, "R", None)),
        )

    g.conj(
        using(sym),
        lambda g: g.nc((own, 1, "G", None)),
        lambda g: g.nc((sym, -1, None, None)),
        lambda g: g.nc((own, 1, "G", None)),
        inside,
        outside,
        lambda g: g.nc(),
    )


@holds("eftekhari2022.eq-162", f"all {DATA}. {PENROSE} Y = Y @ {P} + Y @ {N_}", argument="sound", reading=READING)
def target_in_two_parts(g: Goal) -> None:
    """The projections add up to the identity."""
    g.intro()
    g.nc()


@holds(
    "eftekhari2022.step-k-whitened-projection",
    f"all {DATA}. {PENROSE} X @ T(X) = m*I(x) => 1 <= m => {P} = (1/m)*(T(X) @ X)",
    argument="sound",
    reading=READING,
)
def projection_of_whitened_data(g: Goal) -> None:
    """X^T X = (X G X)^T X = (G X)^T X^T X = G X X^T X = m G X."""
    own, _, _, sym, white, _ = g.intro()
    g.have("0 < m")
    turned = g.have("T(X @ G @ X) = T(X)", lambda g: (g.rewrite(own), g.refl()))
    g.nc((turned, "1/m", None, "X"), (sym, "-1/m", None, "T(X) @ X"), (white, "-1/m", "G", "X"))


WHITE = f"all {DATA}, Z:M(y,x). {PENROSE} X @ T(X) = m*I(x) => 1 <= m => Z = (1/m)*(Y @ T(X)) =>"


def projected_target(g: Goal, names: list[str]) -> str:
    """Adds Y P_X = Z X."""
    own, second, third, sym, white, many, target = names
    h = g.lemma(
        "eftekhari2022.step-k-whitened-projection", "statement", "x", "y", "m", "X", "G", "Y",
        by=[using(k) for k in (own, second, third, sym, white, many)],
    )  # fmt: skip
    return g.have(f"Y @ {P} = Z @ X", lambda g: g.nc((h, 1, "Y", None), (target, -1, None, "X")))


@holds(
    "eftekhari2022.eq-24",
    f"{WHITE} all W:M(y,x). {size(f'Y @ {P} - W @ X')}/2 = m*{size('Z - W')}/2",
    argument="sound",
    reading=f"the objectives agree for every W, and so do their minima; {READING}",
    uses=["eftekhari2022.step-k-whitened-projection"],
)
def whitened_regression_is_approximation(g: Goal) -> None:
    """Y P_X = Z X and X X^T = m I."""
    names = g.intro()
    eq = projected_target(g, names)
    g.have("0 < m")
    d = g.have(f"Y @ {P} - W @ X = (Z - W) @ X", lambda g: g.nc((eq, 1, None, None)))
    g.rewrite(d)
    product = g.have("(Z - W) @ X @ T((Z - W) @ X) = m*((Z - W) @ T(Z - W))", lambda g: g.nc(rw=[names[4]]))
    trace = g.have("tr((Z - W) @ X @ T((Z - W) @ X)) = m*tr((Z - W) @ T(Z - W))", lambda g: (g.rewrite(product), g.field()))
    g.field((trace, "1/2"))


@holds(
    "eftekhari2022.assertion-rank-z-equals-rank-ypx",
    f"{WHITE} rank(Z) = rank(Y @ {P})",
    argument="sound",
    reading=READING,
    uses=["eftekhari2022.step-k-whitened-projection"],
)
def ranks_agree_for_whitened_data(g: Goal) -> None:
    """Y P_X = Z X and Z = Y P_X X^T/m."""
    names = g.intro()
    eq = projected_target(g, names)
    g.have("0 < m")
    back = g.have(f"Z = (Y @ {P}) @ ((1/m)*T(X))", lambda g: g.nc((eq, "-1/m", None, "T(X)"), (names[4], "-1/m", "Z", None)))
    up = g.fact("rank_product", "y", "x", "m", "Z", "X")
    down = g.fact("rank_product", "y", "m", "x", f"Y @ {P}", "(1/m)*T(X)")
    first, _ = g.split(g.rewritten(up, g.have(f"Z @ X = Y @ {P}", lambda g: g.nc((eq, -1, None, None)))))
    below, _ = g.split(down)
    second = g.have(f"rank(Z) <= rank(Y @ {P})", lambda g: (g.rewrite(back), g.exact(below)))
    g.antisym(using(second), using(first))


@holds(
    "eftekhari2022.assertion-m-ge-r",
    f"all {DATA}, r:Z. 0 <= y => 0 <= m => {PENROSE} r <= rank(Y @ {P}) => rank(Y @ {P}) <= m and r <= m",
    argument="sound",
    reading=READING,
)
def at_least_r_samples(g: Goal) -> None:
    """Y P_X has m columns."""
    names = g.intro()
    _, _, bound = g.split(g.by_fact("rank_bounds", "y", "m", f"Y @ {P}"))
    g.conj(using(bound), lambda g: g.pos([f"@{names[-1]}"], [f"@{bound}"]))


@holds(
    "eftekhari2022.eq-158",
    f"""all y m:Z, X:M(m,m), Y W Z:M(y,m). 1 <= m => X = sqrt(m)*I(m) => Z = (1/m)*(Y @ T(X)) =>
       {size("Y - W @ X")}/2 = {size("Y - sqrt(m)*W")}/2 and {size("Y - sqrt(m)*W")}/2 = m*{size("(1/m)*(Y @ T(X)) - W")}/2 and
       m*{size("(1/m)*(Y @ T(X)) - W")}/2 = m*{size("Z - W")}/2""",
    argument="sound",
    reading="W stands for the product W_{N,0}...W_{1,0}; X is square, as d_x = m",
)
def initial_loss_as_distance(g: Goal) -> None:
    """Y X^T/m = Y/sqrt(m)."""
    _, data, target = g.intro()
    g.have("0 < m")
    root = g.by_fact("sqrt_sq", "m")
    first = g.have("Y - W @ X = Y - sqrt(m)*W", lambda g: g.nc(rw=[data]))
    g.conj(
        lambda g: (g.rewrite(first), g.refl()),
        lambda g: (g.rewrite(data), g.field((root, 0))),
        lambda g: (g.rewrite(target), g.refl()),
    )


SLOPE = "D(e, tr(T(Y - ({0} + e*D_) @ X) @ (Y - ({0} + e*D_) @ X))/2, 0)"
"""The derivative of L_1 at a matrix along D_."""


@holds(
    "eftekhari2022.eq-17-gradient",
    f"""all x y m N:Z, X:M(x,m), Y:M(y,m). (all W D_:M(y,x). {SLOPE.format("W")} = tr(T(W @ X @ T(X) - Y @ T(X)) @ D_)) and
       all E:R~>M(y,x), S:R->M(y,y), H:R->M(x,x), G:R->M(y,x). {ROOTS}
       (all t:R, D_:M(y,x). 0 <= t => {SLOPE.format("E(t)")} = tr(T(G(t)) @ D_)) =>
       (all t:R. 0 <= t => E'(t) = -sum(j, 1, N, S(t)^(N-j) @ G(t) @ H(t)^(j-1))) =>
       all t:R. 0 <= t => E'(t) = -sum(j, 1, N, S(t)^(N-j) @ (E(t) @ X @ T(X) - Y @ T(X)) @ H(t)^(j-1))""",
    argument="sound",
    reading=f"the gradient, G along the flow, is characterised by the directional derivatives of L_1; {ROOTS_READING}",
)
def gradient_of_the_regression_loss(g: Goal) -> None:
    """Differentiate the square; two gradients D and G have |D - G|^2 = 0."""
    g.fix()

    def slope(g: Goal) -> None:
        g.fix()
        h = g.differentiate("e", SLOPE.format("W").removeprefix("D(e, ").removesuffix(", 0)"), 0)
        g.field((h, 1))

    first = g.have(f"all W D_:M(y,x). {SLOPE.format('W')} = tr(T(W @ X @ T(X) - Y @ T(X)) @ D_)", slope)

    def flow(g: Goal) -> None:
        _, gradient, rate, now = g.intro(split=False)
        closed = "(E(t) @ X @ T(X) - Y @ T(X))"
        d = f"(G(t) - {closed})"
        one = g.apply(first, "E(t)", d)
        two = g.apply(gradient, "t", d, by=[using(now)])
        zero = g.have(f"tr(T({d}) @ {d}) = 0", lambda g: g.field((one, 1), (two, -1)))
        none = g.by_fact("frobenius_zero", "y", "x", d, by=[using(zero)])
        same = g.have(f"G(t) = {closed}", lambda g: g.nc((none, 1, None, None)))
        h = g.apply(rate, "t", by=[using(now)])
        g.close_by(g.rewritten(h, same))

    g.conj(using(first), flow)


FACTORS = f"all {DATA}, r:Z, K:M(y,r)."


@holds(
    "eftekhari2022.eq-67",
    f"{FACTORS} {PENROSE} all R:M(r,m). {size(f'Y @ {P} - K @ R')}/2 = {size(f'Y @ {P} - K @ R @ {P}')}/2 + {size(f'K @ R @ {N_}')}/2",
    argument="sound",
    reading=f"the objectives agree for every pair (K, R), and so do their minima; K and R stand for P and Q'; {READING}",
)
def objective_in_two_parts(g: Goal) -> None:
    """Pythagoras: P_X and P_{X^perp} are orthogonal."""
    own, _, _, sym = g.intro()[:4]
    a, b = f"(Y @ {P} - K @ R @ {P})", f"(K @ R @ {N_})"
    cross = g.have(f"{a} @ T{b} = O(y,y)", lambda g: pythagoras(g, own, sym))
    zero = g.have(f"tr({a} @ T{b}) = 0", lambda g: (g.rewrite(cross), g.field()))
    split = g.have(f"Y @ {P} - K @ R = {a} - {b}", lambda g: g.nc())
    g.rewrite(split)
    d = g.obtain(g.have(f"ex A:M(y,m), B:M(y,m). A = {a} and B = {b}", lambda g: (g.witness(a, b), g.auto())), "A", "B")
    back = [
        g.have(f"{text} = {letter}", lambda g, h=h: g.nc((h, -1, None, None)))
        for text, letter, h in ((a, "A", d[0]), (b, "B", d[1]))
    ]
    zero = g.rewritten(g.rewritten(zero, back[0]), back[1])
    for h in back:
        g.rewrite(h)
    g.field((zero, -1))


def pythagoras(g: Goal, own: str, sym: str) -> None:
    """G X (I - G X)^T = G X - G X G X = 0."""
    inner = g.have(f"{P} @ T{N_} = O(m,m)", lambda g: g.nc((sym, -1, P, None), (own, -1, "G", None)))
    g.nc((inner, 1, "Y", "T(K @ R)"), (inner, -1, "K @ R", "T(K @ R)"))


@holds(
    "eftekhari2022.eq-69",
    f"""all {DATA}, r:Z. {PENROSE} (all Q:M(r,m). ex L:M(r,x). Q @ {P} = L @ X) and
       all R:M(r,m). (ex L:M(r,x). R = L @ X) => ex Q:M(r,m). R = Q @ {P}""",
    argument="sound",
    reading=f"the map lands in the matrices with rows in the row span of X, R = L X, and reaches each of them; {READING}",
)
def projection_is_onto_the_row_span(g: Goal) -> None:
    """Q P_X = (Q G) X, and R = R P_X where the rows of R lie in the row span."""
    own = g.intro()[0]

    def lands(g: Goal) -> None:
        g.fix("Q")
        g.witness("Q @ G")
        g.nc()

    def onto(g: Goal) -> None:
        g.fix("R")
        h = g.obtain(g.assume(), "L")[0]
        g.witness("R")
        g.nc((own, -1, "L", None), rw=[h])

    g.conj(lands, onto)


@holds(
    "eftekhari2022.eq-77",
    f"""all {DATA}, r:Z. {PENROSE} (all D_:M(r,x). D_ @ X @ {P} = D_ @ X) and
       all R:M(r,m). R @ {P} = R => ex D_:M(r,x). R = D_ @ X""",
    argument="sound",
    reading="the map lands in the matrices with rows in the row span of X, that is with R P_X = R, and reaches each of them; "
    f"D_ stands for Delta_Q, R for Delta_Q'; {READING}",
)
def products_fill_the_row_span(g: Goal) -> None:
    """X P_X = X, and R = (R G) X."""
    own = g.intro()[0]

    def lands(g: Goal) -> None:
        g.fix("D_")
        g.nc((own, 1, "D_", None))

    def onto(g: Goal) -> None:
        g.fix("R")
        h = g.assume()
        g.witness("R @ G")
        g.nc((h, -1, None, None))

    g.conj(lands, onto)


@holds(
    "eftekhari2022.eq-11-equality",
    f"""{FACTORS} {PENROSE} all Q:M(r,x). {size("Y - K @ Q @ X")}/2 = {size(f"Y @ {N_}")}/2 + {size(f"Y @ {P} - K @ (Q @ X)")}/2""",
    argument="sound",
    reading=f"the objectives agree for every pair (K, Q) with Q' = Q X, and so do their minima; K stands for P; {READING}",
)
def regression_in_two_parts(g: Goal) -> None:
    """Y P_{X^perp} is orthogonal to all matrices with rows in the row span."""
    own, _, _, sym = g.intro()[:4]
    a, b = f"(Y @ {N_})", f"(Y @ {P} - K @ (Q @ X))"
    inner = g.have(f"{P} @ T{N_} = O(m,m)", lambda g: g.nc((sym, -1, P, None), (own, -1, "G", None)))
    turned = g.have(f"X = X @ {P}", lambda g: g.nc((own, -1, None, None)))
    flat = g.have(f"{b} = (Y - K @ Q @ X) @ {P}", lambda g: g.nc((turned, -1, "K @ Q", None)))
    cross = g.have(f"{b} @ T{a} = O(y,y)", lambda g: g.nc((flat, 1, None, f"T{a}"), (inner, 1, "Y - K @ Q @ X", "T(Y)")))
    zero = g.have(f"tr({b} @ T{a}) = 0", lambda g: (g.rewrite(cross), g.field()))
    split = g.have(f"Y - K @ Q @ X = {a} + {b}", lambda g: g.nc())
    g.rewrite(split)
    d = g.obtain(g.have(f"ex A:M(y,m), B:M(y,m). A = {a} and B = {b}", lambda g: (g.witness(a, b), g.auto())), "A", "B")
    letters = [
        g.have(f"{text} = {letter}", lambda g, h=h: g.nc((h, -1, None, None)))
        for text, letter, h in ((a, "A", d[0]), (b, "B", d[1]))
    ]
    zero = g.rewritten(g.rewritten(zero, letters[0]), letters[1])
    for h in letters:
        g.rewrite(h)
    g.field((zero, 1))
