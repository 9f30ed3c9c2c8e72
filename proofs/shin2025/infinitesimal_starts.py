"""Section 1, the reports on Bai et al.: depth 2 from starts of vanishing scale, connected and disconnected observations."""

from __future__ import annotations

from proofs.bai2024.graphs import CONNECTED as CONNECTED_ENTRIES
from proofs.bai2024.graphs import PATTERN as PATTERN_OF_ENTRIES
from proofs.bai2024.graphs import RECTANGLES, by_values
from proofs.bai2024.minimum_nuclear_norm import LIMITS, STARTS
from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.lazy_training import binary
from proofs.shin2025.nearly_rank_one import BOUND, SETTING, VARIABLES, chain
from proofs.shin2025.nearly_rank_one import ID as NEAR
from proofs.shin2025.warm_start_flow import by_flow
from proofs.shin2025.warm_start_pretraining import W
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part, undecided

LIMIT = "shin2025.eq-10"
GRADIENT = f"[[{W}[1,1] - 1, 0], [0, {W}[2,2] - 1]]"
FLOW = f"(all t:R. 0 <= t => A'(t) = -({GRADIENT} @ T(B(t))) and B'(t) = -(T(A(t)) @ {GRADIENT}))"


@holds(
    "shin2025.cited-bai-disconnected",
    f"""ncomp(I(2)) = 2 and rank([[1,1],[1,1]]) = 1 and (all c:R. 0 < c => ex A B:R~>M(2,2). A(0) = c*I(2) and B(0) = c*I(2) and
        {FLOW} and tends(t, {W}, I(2)) and rank(I(2)) = 2)""",
    reading="an example is enough: with the disconnected diagonal of a 2 x 2 matrix observed, both values 1, the flow from c I converges to"
    " the identity, of rank 2, for every scale c > 0, while the matrix of ones is a completion of rank 1",
    uses=[LIMIT],
)
def the_diagonal_ends_at_the_identity(g: Goal) -> None:
    """The flow exists, and its factors converge to the identity by (10)."""
    one = "[[sqrt(1),0],[0,sqrt(1)]]"

    def scale(g: Goal) -> None:
        (c,) = g.fix("c")
        positive = g.assume()
        a0, b0, fl = g.obtain(g.fact("two_layer_flow", 2, 2, 2, f"{c}*I(2)", f"{c}*I(2)", "I(2)", "I(2)"), "A", "B")

        def flow(g: Goal) -> None:
            (u,) = g.fix("u")
            g.assume()
            a, b = g.split(g.apply(fl, u))
            r = f"had(had(I(2), I(2)), A({u}) @ B({u}) - I(2))"
            same = g.have(f"{r} = {GRADIENT.replace('(t)', f'({u})')}", lambda g: g.ext(lambda g: g.field()))
            a, b = g.rewritten(a, same), g.rewritten(b, same)
            g.conj(lambda g: g.close_by(a), lambda g: g.close_by(b))

        moved = g.have(FLOW, flow)
        both = g.split(
            g.lemma(
                LIMIT,
                "statement",
                c,
                "1",
                "A",
                "B",
                by=[lambda g: g.close_by(positive), None, lambda g: g.close_by(a0), lambda g: g.close_by(b0), by_flow(moved)],
            )
        )
        product = g.by_fact(
            "tends_matrix_mul",
            "2",
            "2",
            "2",
            one,
            one,
            "lam t:R. A(t)",
            "lam t:R. B(t)",
            by=[lambda g, h=h: g.close_by(h) for h in both],
        )
        root = g.by_fact("sqrt_unique", "1", "1")
        same = g.have(f"{one} @ {one} = I(2)", lambda g: (g.rewrite(root), g.ext(lambda g: g.field()))[-1])
        end = g.rewritten(product, same)
        g.witness("A", "B")
        g.conj(*[lambda g, h=h: g.close_by(h) for h in (a0, b0, moved, end)], lambda g: g.compute())

    g.conj(lambda g: g.compute(), lambda g: g.compute(), scale)


PATTERN = "[[1,1,0],[0,1,1],[0,0,1]]"
COMPLETION = "(all i j:Z. P[i,j] = 1 => {0}[i,j] = Ws[i,j])"
HIGH_RANK = f"""ex d:Z, P Ws A0 B0 X:M(d,d), al:R->R, A B:(R,R)~>M(d,d), L:R->M(d,d). 1 <= d and
    (all i j:Z. P[i,j] = 0 or P[i,j] = 1) and (all k:R. 0 < al(k)) and tends(k, al(k), 0) and
    (all k:R. A(k,0) = al(k)*A0 and B(k,0) = al(k)*B0) and
    (all k t:R. 0 <= t => A'(k,t) = -(had(P, A(k,t) @ B(k,t) - Ws) @ T(B(k,t))) and
        B'(k,t) = -(T(A(k,t)) @ had(P, A(k,t) @ B(k,t) - Ws))) and
    (all k:R. tends(t, A(k,t) @ B(k,t), L(k))) and tends(k, L(k), X) and ncomp(P) = 1 and {COMPLETION.format("X")} and
    ex Y:M(d,d). {COMPLETION.format("Y")} and rank(Y) < rank(X)"""
"""Flows from al(k) A0, al(k) B0 with limits L(k); al(k) tends to 0 and L(k) to X as k tends to infinity."""
BAI = "shin2025.cited-bai-connected"


@part(
    BAI,
    "every-start",
    HIGH_RANK,
    says="Without the technical assumptions: d = 3, observed 1 on the diagonal and 0 at (1,2) and (2,3), which makes the graph connected."
    " From alpha I the flow stays diagonal and ends at the identity, of rank 3, for every alpha, while [1,0,1; 0,1,0; 1,0,1] is a completion"
    " of rank 2. The cited work excludes such a start: its flow does not pass an optimum of each lower rank.",
)
def a_diagonal_start_stays_diagonal(g: Goal) -> None:
    """A = B = a I with a' = (1 - a^2) a, a = 1/sqrt(1 + e^(k - 2t))."""
    a, start, y = "(1/sqrt(1 + exp(k - 2*t)))", "(1/sqrt(1 + exp(k)))", "[[1,0,1],[0,1,0],[1,0,1]]"
    along = f"lam k:R, t:R. {a}*I(3)"
    g.witness("3", PATTERN, "I(3)", "I(3)", "I(3)", "I(3)", f"lam k:R. {start}", along, along, "lam k:R. I(3)")
    chain(
        g,
        [
            None,
            lambda g: binary(g, PATTERN, 3, lambda i, j: int(PATTERN.split("],[")[i - 1].strip("[]").split(",")[j - 1])),
            lambda g: (g.intro(), g.pos([start]))[-1],
            scale_vanishes,
            lambda g: (g.intro(), at_start(g))[-1],
            lambda g: (g.intro(), logistic(g, a))[-1],
            lambda g: (g.intro(), to_identity(g))[-1],
            lambda g: g.close_by(g.fact("tends_matrix_const", "3", "3", "I(3)")),
            lambda g: g.compute(),
            lambda g: (g.intro(), g.refl())[-1],
            lambda g: (g.witness(y), g.conj(lambda g: observed(g, y), lambda g: g.compute()))[-1],
        ],
    )


def scale_vanishes(g: Goal) -> None:
    """1/sqrt(1 + e^k) lies between 0 and e^(-k/2)."""
    zero, decay = g.fact("tends_const", "0"), g.by_fact("tends_exp_decay", "1/2")

    bound = ("lam", (("t", "R"),), g.hyp_formula(decay)[2])

    def inside(g: Goal) -> None:
        (k,) = g.fix("k")
        g.assume()
        root = g.by_fact("sqrt_sq", f"1 + exp({k})")
        r, e = f"sqrt(1 + exp({k}))", f"exp(1/2*{k})"
        g.have(f"0 < {r}", lambda g: g.pos([r]))
        above = g.have(f"{e} <= {r}", lambda g: (h := g.contra(), g.pos(["@" + h, f"{e} + {r}"], ["1"], eqs=[(root, 1)]))[-1])
        g.conj(lambda g: g.pos([f"1/{r}"]), lambda g: g.pos(["@" + above, f"1/({r}*{e})"]))

    h = g.by_fact(
        "tends_squeeze",
        "0",
        "0",
        "lam k:R. 0",
        "lam k:R. 1/sqrt(1 + exp(k))",
        bound,
        by=[inside, lambda g: g.close_by(zero), lambda g: g.close_by(decay)],
    )
    g.close_by(h)


def at_start(g: Goal) -> None:
    """The two factors at time 0."""
    same = g.have("k - 2*0 = k", lambda g: g.field())
    g.conj(*[lambda g: (g.rewrite(same), g.refl())[-1]] * 2)


def logistic(g: Goal, a: str) -> None:
    """Entry by entry."""
    u = g.obtain(g.have("ex u:R. u = exp(k - 2*t)", lambda g: (g.witness("exp(k - 2*t)"), g.refl())[-1]), "u")[0]
    g.have("0 < u", lambda g: (g.rewrite(u), g.pos(["exp(k - 2*t)"]))[-1])
    d = g.differentiate("t", f"{a}*I(3)", "t")

    def side(g: Goal) -> None:
        g.rewrite(d)
        g.rewrite(u, back=True)
        g.ext(lambda g: g.field())

    g.conj(side, side)


def to_identity(g: Goal) -> None:
    """1/(1 + e^(k - 2t)) tends to 1."""
    product, limit = g.concl[2], g.concl[3]
    decay = g.by_fact("tends_exp_decay", "2")
    scaled = g.by_fact(
        "tends_scale", "exp(k)", "0", ("lam", (("t", "R"),), g.hyp_formula(decay)[2]), by=[lambda g: g.close_by(decay)]
    )
    small = ("lam", (("t", "R"),), g.hyp_formula(scaled)[2])
    one = g.by_fact("tends_compose", "exp(k)*0", small, "lam z:R. 1/(1 + z)", by=[lambda g: g.close_by(scaled), None])
    inverse = ("lam", (("t", "R"),), g.hyp_formula(one)[2])
    _, back = g.split(g.fact("tends_matrix", "3", "3", limit, ("lam", (("t", "R"),), product)))

    def entry(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        k = g.by_fact("tends_scale", "I(3)[i,j]", "1/(1 + exp(k)*0)", inverse, by=[lambda g: g.close_by(one)])

        def same(g: Goal) -> None:
            (x,) = g.fix("x")
            g.assume()
            a = f"(1/sqrt(1 + exp(k - 2*{x})))"
            whole = g.have(f"({a}*I(3)) @ ({a}*I(3)) = (1/(1 + exp(k - 2*{x})))*I(3)", lambda g: g.nc())
            g.rewrite(whole)
            g.field()

        value = ("lam", (("t", "R"),), ("entry", product, "i", "j"))
        e = g.by_fact(
            "tends_ext",
            "0",
            "I(3)[i,j]*(1/(1 + exp(k)*0))",
            ("lam", (("t", "R"),), g.hyp_formula(k)[2]),
            value,
            by=[same, lambda g: g.close_by(k)],
        )
        g.close_by(g.rewritten(e, g.have("I(3)[i,j]*(1/(1 + exp(k)*0)) = I(3)[i,j]", lambda g: g.field())))

    g.close_by(g.apply(back, by=[entry]))


def observed(g: Goal, y: str) -> None:
    """The completion agrees with the identity where it is observed."""
    g.fix("i", "j")
    edge = g.assume()
    outside = g.fact("entry_outside", "3", "3", PATTERN)

    def apart(g: Goal) -> None:
        z = g.apply(outside, "i", "j")
        g.contra()
        g.pos([], eqs=[(edge, 1), (z, -1)])

    def place(g: Goal, ei: str, i: int, ej: str, j: int) -> None:
        g.rewrite(ei)
        g.rewrite(ej)
        if (i, j) in ((1, 3), (2, 1), (3, 1), (3, 2)):
            g.contra()
            e = g.rewritten(g.rewritten(edge, ei), ej)
            g.pos([], eqs=[(e, 1)])
        else:
            g.field()

    def within(g: Goal) -> None:
        g.split(last(g))
        by_values(
            g, "i", 1, 3, lambda g, i: (ei := last(g), by_values(g, "j", 1, 3, lambda g, j: place(g, ei, i, last(g), j)))[-1]
        )

    g.em("i < 1 or 3 < i or j < 1 or 3 < j", apart, within)


@part(
    BAI,
    "first-column",
    f"all {VARIABLES}. {SETTING} => {BOUND}",
    says="One connected pattern, the first column of a 2 x 2 matrix: sigma_1 sigma_2 of the limit is at most |(w11*, w21*)| |A(0)|_F"
    " |b_2(0)|, which is of the order alpha^2 from any start of scale alpha that converges to zero loss, so that the limit tends to rank"
    " one.",
    uses=[NEAR],
)
def first_column_tends_to_rank_one(g: Goal) -> None:
    """The bound of the determinant."""
    g.close_by(g.lemma(NEAR, "part:determinant"))


undecided(
    BAI,
    reading="low rank: under the technical assumptions of the cited work the limit for vanishing scale of the limits of the flows has the"
    " least rank of all completions",
    readings=[
        ("without the technical assumptions, from every start", "refuted", "every-start"),
        ("the first column of a 2 x 2 matrix, with zero loss in the limit and no further assumption", "holds", "first-column"),
    ],
    tried="The technical assumptions are needed: from alpha I, which the cited work excludes, the limit can have full rank with a connected"
    " pattern (part every-start). For the connected pattern of a column the limit tends to rank one (part first-column). Theorem 3 of the cited"
    " work (bai2024.thm-3, not decided here) was tried as the technical assumption: the flow passes an optimum among the matrices of each rank"
    " below that of the limit. If it is added that the loss is positive there, the assumption says that no completion has a lower rank, which"
    " is the conclusion; without it one has to show that small starts which come near a point of zero loss end near it",
    missing="the technical assumptions, which are not printed here; for Theorem 3 of the cited work the inequality of Lojasiewicz, which"
    " bounds the way that is left from a small loss; and beyond it a class of starts for which the passage through an optimum of each rank is"
    " proved",
    uses=[NEAR],
)


BIPARTITE = "shin2025.cited-bai-complete-bipartite"
RESIDUAL = "had(P, A(al,t) @ B(al,t) - M)"
FLOWS = f"(all al t:R. 0 < al => 0 <= t => d(1,A,al,t) = -({RESIDUAL} @ T(B(al,t))) and d(1,B,al,t) = -(T(A(al,t)) @ {RESIDUAL}))"
SMALL_STARTS = "d:Z, P M X Y W:M(d,d), A B:(R,R)~>M(d,d), L:R->M(d,d)"


@holds(
    BIPARTITE,
    f"all {SMALL_STARTS}. 1 <= d => {PATTERN_OF_ENTRIES} => not {CONNECTED_ENTRIES} => {RECTANGLES} => {FLOWS} => {STARTS} => {LIMITS}",
    context=(
        "the flows converge, their limits L(alpha) have a limit W for alpha -> 0, and W fits the observations [technical "
        "assumptions of the cited theorem]"
    ),
    reading="Theorem 4 of the cited work, with the loss (2): the observations split into complete rectangles; A(0) = alpha^(1/2) X and"
    " B(0) = alpha^(1/2) Y, so that the product starts at alpha X Y; then W has the least nuclear norm of all completions. That X Y has"
    " full rank, which the cited work assumes, is not needed",
    readings=[("from every start the limit is a completion, without the assumption that it fits", "refuted", "zero-start")],
    uses=["bai2024.thm-4"],
)
def complete_rectangles_give_the_least_nuclear_norm(g: Goal) -> None:
    """The gradient of the cited work has the factor 2/n; its n is any positive number, here 2."""
    g.fix()
    names = ["size", "binary", "disconnected", "corners", "flows", "starts", "final", "small", "fits"]
    for name in names:
        g.assume(name)

    def flows(g: Goal) -> None:
        g.fix("al", "t")
        g.assume()
        g.assume()
        a, b = g.split(g.apply("flows", "al", "t"))
        g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

    by: list[Script | None] = [None, lambda g: g.close_by("binary"), None, lambda g: g.close_by("corners"), flows]
    by += [lambda g, h=h: g.close_by(h) for h in ("starts", "final", "small", "fits")]  # type: ignore[misc]
    g.close_by(g.lemma("bai2024.thm-4", "part:least-norm", "d", "2", "P", "M", "X", "Y", "W", "A", "B", "L", by=by))


@part(
    BIPARTITE,
    "zero-start",
    f"""ex {SMALL_STARTS}. 1 <= d and {PATTERN_OF_ENTRIES} and {RECTANGLES} and {FLOWS} and {STARTS} and
        (all al:R. 0 < al => tends(t, A(al,t) @ B(al,t), L(al))) and tends(s, L(1/s), W) and P[1,1] = 1 and W[1,1] != M[1,1]""",
    says="From X = Y = 0 the flow stays at 0, which is no completion of the value 1.",
)
def zero_is_at_rest(g: Goal) -> None:
    """The origin is a critical point."""
    zero = "lam al:R, t:R. O(2,2)"
    g.witness("2", "I(2)", "I(2)", "O(2,2)", "O(2,2)", "O(2,2)", zero, zero, "lam al:R. O(2,2)")

    def rectangle(g: Goal) -> None:
        g.fix("i", "j", "k", "l")
        one, two, three = g.split(g.assume())
        a, b, c = (equal_indices(g, x, y, h) for x, y, h in (("i", "j", one), ("i", "l", two), ("k", "j", three)))
        same = g.have("k = i", lambda g: g.field((c, 1), (a, -1)))
        g.rewrite(same)
        g.close_by(two)

    still: Script = lambda g: (g.intro(), g.conj(lambda g: g.nc(), lambda g: g.nc()))[-1]  # noqa: E731

    def product(g: Goal) -> None:
        g.intro()
        g.rewrite(g.have("O(2,2) @ O(2,2) = O(2,2)", lambda g: g.nc()))
        g.close_by(g.fact("tends_matrix_const", "2", "2", "O(2,2)"))

    def binary_(g: Goal) -> None:
        binary(g, "I(2)", 2, lambda i, j: int(i == j))

    constant: Script = lambda g: g.close_by(g.fact("tends_matrix_const", "2", "2", "O(2,2)"))  # noqa: E731
    g.conj(None, binary_, rectangle, still, still, product, constant, lambda g: g.field(), lambda g: g.field())


def equal_indices(g: Goal, i: str, j: str, h: str) -> str:
    """An entry of the identity that is 1 is on the diagonal."""

    def script(g: Goal) -> None:
        ne = g.contra()
        out = g.fact("entry_outside", "2", "2", "I(2)")

        def apart(g: Goal) -> None:
            z = g.apply(out, i, j)
            g.pos([], eqs=[(h, 1), (z, -1)])

        def within(g: Goal) -> None:
            g.split(last(g))
            g.have(f"{i} != {j}", lambda g: g.close_by(ne))
            z = g.have(f"I(2)[{i},{j}] = 0", lambda g: g.field())
            g.pos([], eqs=[(h, 1), (z, -1)])

        g.em(f"{i} < 1 or 2 < {i} or {j} < 1 or 2 < {j}", apart, within)

    return g.have(f"{i} = {j}", script)
