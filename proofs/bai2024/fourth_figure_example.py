"""Figure 4: a disconnected 3 x 3 example, its rank-one completions, its decoupling, and its first saddle."""

from __future__ import annotations

from proofs.bai2024.landscape import CRITICAL, loss
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

PATTERN = "[[1,0,1],[0,1,0],[1,0,1]]"
VALUES = "[[1,0,3],[0,5,0],[3,0,9]]"
"""The observed values, with 0 at the four unknown entries."""
RECONSTRUCTED = "the matrix as the text of Section 5.2 describes it"


def fits(w: str) -> str:
    """w agrees with the five observed entries."""
    return f"({w}[1,1] = 1 and {w}[1,3] = 3 and {w}[3,1] = 3 and {w}[3,3] = 9 and {w}[2,2] = 5)"


COMPLETION = "[[1,5/s,3],[s,5,3*s],[3,15/s,9]]"


@holds(
    "bai2024.fig-4a",
    f"""ncomp({PATTERN}) = 2 and (all W:M(3,3). {fits("W")} => 1 <= rank(W)) and
       (all s:R, W:M(3,3). s != 0 => W = {COMPLETION} => {fits("W")} and rank(W) = 1) and
       (all s t:R. s != 0 => t != 0 => {COMPLETION} = {COMPLETION.replace("s", "t")} => s = t)""",
    argument="sound",
    reading=f"{RECONSTRUCTED}; ncomp counts the components of the observation graph",
)
def completions_of_rank_one(g: Goal) -> None:
    """W = (1, s, 3)^T (1, 5/s, 3), for every s that is not 0."""

    def not_zero(g: Goal) -> None:
        g.fix("W")
        one = g.split(g.assume())[0]
        nonzero(g, one)

    def nonzero(g: Goal, one: str) -> None:
        def low(g: Goal) -> None:
            h = list(g.seq.hyps)[-1]
            eq = g.obtain(g.by_fact("rank_factor", 3, 3, 0, "W", by=[None, lambda g: g.close_by(h)]), "U", "V")[0]
            k = g.have("W[1,1] = (U @ V)[1,1]", lambda g: (g.rewrite(eq), g.refl())[-1])
            g.contra()
            g.pos([], eqs=[(one, 1), (k, -1)])

        def high(g: Goal) -> None:
            h = g.apply(g.fact("int_lt", 0, "rank(W)"))
            g.pos([f"@{h}"])

        g.em("rank(W) <= 0", low, high)

    def rank_one(g: Goal) -> None:
        g.fix("s", "W")
        g.assume()
        eq = g.assume()

        def entry(g: Goal) -> None:
            g.rewrite(eq)
            g.field()

        all_ = g.have(fits("W"), lambda g: g.conj(*[entry] * 5))
        one = g.split(all_)[0]

        def small(g: Goal) -> None:
            u, v = "[[1],[s],[3]]", "[[1,5/s,3]]"
            product = g.have(f"W = {u} @ {v}", lambda g: (g.rewrite(eq), g.ext(lambda g: g.field()))[-1])
            a = g.split(g.fact("rank_product", 3, 1, 3, u, v))[0]
            b = g.split(g.by_fact("rank_bounds", 3, 1, u))[2]
            at = g.have(f"rank(W) = rank({u} @ {v})", lambda g: (g.rewrite(product), g.refl())[-1])
            g.pos([f"@{a}"], [f"@{b}"], eqs=[(at, -1)])

        g.conj(lambda g: g.close_by(all_), lambda g: g.antisym(small, lambda g: nonzero(g, one)))

    def different(g: Goal) -> None:
        g.fix("s", "t")
        g.assume()
        g.assume()
        eq = g.assume()
        left, right = g.hyp_formula(eq)[1:]
        k = g.have(("=", ("entry", left, 2, 1), ("entry", right, 2, 1)), lambda g: (g.rewrite(eq), g.refl())[-1])
        g.field((k, 1))

    g.conj(lambda g: g.compute(), not_zero, rank_one, different)


RESIDUAL = "had({p}, {a} @ {b} - {m})"


def velocities(a: str, b: str) -> tuple[str, str]:
    """Those of A and B for the loss (2) with five observations."""
    r = RESIDUAL.format(p=PATTERN, m=VALUES, a=a, b=b)
    return f"(-(2/5*({r} @ T({b}))))", f"(-(2/5*(T({a}) @ {r})))"


def system(rows: tuple[int, ...]) -> str:
    """If these rows of A and columns of B agree, so do their velocities."""
    places = [(i, k) for i in rows for k in (1, 2, 3)]
    known = " and ".join([f"A[{i},{k}] = C[{i},{k}] and B[{k},{i}] = G[{k},{i}]" for i, k in places])
    (a, b), (c, e) = velocities("A", "B"), velocities("C", "G")
    equal = " and ".join([f"{a}[{i},{k}] = {c}[{i},{k}] and {b}[{k},{i}] = {e}[{k},{i}]" for i, k in places])
    return f"({known} => {equal})"


@holds(
    "bai2024.assertion-fig4-decoupling",
    f"all A B C G:M(3,3). {system((1, 3))} and {system((2,))}",
    argument="sound",
    reading=f"{RECONSTRUCTED}; the velocities of rows 1, 3 of A and columns 1, 3 of B are the same for two points that agree in these, and likewise"
    " for row 2 and column 2",
)
def two_systems_do_not_interact(g: Goal) -> None:
    """Entry by entry."""
    g.fix()

    def one(g: Goal) -> None:
        names = g.split_all(g.assume())
        scripts: list[Script] = [lambda g: g.field(rw=names)] * (len(g.concl) - 1)
        g.conj(*scripts)

    g.conj(one, one)


def here(text: str) -> str:
    """A formula on the landscape for this pattern and these values, at the saddle."""
    at = text.replace("A", "([[1],[0],[3]] @ T(p))").replace("B", "(p @ [[1,0,3]])")
    return at.replace("P[", f"{PATTERN}[").replace("- M)", f"- {VALUES})").replace("1, d,", "1, 3,").replace("M(d,d)", "M(3,3)")


LOSS = here(loss("A", "B"))
BETTER = here(loss("([[1],[1],[3]] @ T(p))", "(p @ [[1,5,3]])"))
"""The loss of a completion of rank one in the same manifold."""
CURVATURE = here(f"D(s, D(u, {loss('A + u*(x @ T(p))', 'B + u*(p @ T(y))')}, s), 0)")
"""In a direction within the manifold."""


@holds(
    "bai2024.assertion-first-saddle-not-second-order",
    f"""all p:V(3). p[1,1]^2 + p[2,1]^2 + p[3,1]^2 = 1 => {here(CRITICAL)} and {BETTER} = 0 and {BETTER} < {LOSS} and
       (ex x y:V(3). {CURVATURE} < 0)""",
    argument="sound",
    reading=f"{RECONSTRUCTED}; the rank-1 manifold is Omega_1(p), which contains the saddle a_1 = p, a_3 = 3 p, b_1 = p, b_3 = 3 p, the better point"
    " and the direction a_2 = x_2 p, b_2 = y_2 p",
)
def first_saddle_has_a_descent_within_the_manifold(g: Goal) -> None:
    """x = y = e_2: the second derivative is -10 |p|^2."""
    g.fix("p")
    unit = g.assume()

    def critical(g: Goal) -> None:
        g.fix("E", "F")
        terms = [f"{v}*(E[{i},{k}] + F[{k},{i}])*p[{k},1]" for i, v in ((1, 10), (3, 30)) for k in (1, 2, 3)]
        g.field((unit, " + ".join(terms)))

    size = "(p[1,1]^2 + p[2,1]^2 + p[3,1]^2 - 1)"

    def curved(g: Goal) -> None:
        g.witness("[[0],[1],[0]]", "[[0],[1],[0]]")
        g.pos(["10"], eqs=[(unit, "10")])

    zero = g.have(f"{BETTER} = 0", lambda g: g.field((unit, f"125/2*{size}")))
    g.conj(critical, lambda g: g.close_by(zero), lambda g: g.pos(["25/2"], [50, f"{size}^2"], eqs=[(zero, -1)]), curved)
