"""What Corollary 1 says of the two conjectures: norms are not minimised along the flow, and the product matrix has no limit."""

from __future__ import annotations

from collections.abc import Callable

from proofs.razin2020.corollary_1 import VANISHES
from proofs.razin2020.factorisation import PADDING, THEOREM_1
from proofs.razin2020.problem import QUASI_NORM, loss, solution
from proofs.razin2020.scaled_identity import GRADIENT, PROP_4
from proofs.razin2020.scripts import only, using
from proofs.razin2020.theorem_1 import positive_determinant
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

NAMES = ("n", "L", "A", "B", "W", "P", "Q", "G", "X", "C")
LOSS = VANISHES.format(loss("X(t)"))
QUASI = f"1 <= c and {QUASI_NORM} =>"
READING = (
    f"l is the loss along the flow, which tends to 0; N runs over all norms and quasi-norms, c is the constant of N; {PADDING}"
)
ABOVE = f"(all x m:R. ex u:R. all t:R. u <= t => N({solution('x')}) + m < N(X(t)))"


def norms_grow(g: Goal, hyps: list[str], quasi: str, values: str, limit: str) -> str:
    """N(X(t)) tends to infinity, in the setting of Theorem 1."""
    k = g.lemma("razin2020.corollary-1-norms", "statement", *NAMES, by=[using(h) for h in hyps])
    return g.apply(k, "N", "c", "l", by=[using(quasi), using(values), using(limit)])


@holds(
    "razin2020.assertion-conj-2-affirmed",
    f"""({THEOREM_1} all N:M(2,2)->R, c:R, l:R->R. {QUASI} {LOSS} {ABOVE}) and
       ({THEOREM_1} all x:R. not tends(t, X(t), {solution("x")})) and
       ({PROP_4} all N:M(2,2)->R, c:R. {QUASI} tends(t, {loss("X(t)")}, 0) and tendsoo(t, N(X(t))))""",
    uses=["razin2020.corollary-1-norms", "razin2020.lemma-6", "razin2020.prop-4", "razin2020.assertion-prop-4-combined"],
    argument="sound",
    reading=f"{READING}. If the loss tends to 0, for every solution and every m the norm of the product matrix finally exceeds that of the solution by more than m, from any start with a positive "
    "determinant, however near zero; whether it does or not, the product matrix tends to no solution at all; and for depth 2 from alpha I with any 0 < alpha <= 1 the loss does tend to 0 (Proposition 4)",
    context="the probability 1/2 of a positive determinant is Proposition 3, of which nothing is used here [notation]",
)
def least_norms_are_not_approached(g: Goal) -> None:
    """The norm tends to infinity; a limit that is a solution would have the determinant -1."""

    def above(g: Goal) -> None:
        hyps = g.intro(split=False)
        flow, (quasi, values, limit) = hyps[:-3], hyps[-3:]
        k = norms_grow(g, flow, quasi, values, limit)
        k = g.apply(g.split(g.fact("tendsoo_definition", "lam t:R. N(X(t))"))[0], by=[using(k)])
        g.close_by(g.apply(k, f"N({solution('x')}) + m"))

    def never(g: Goal) -> None:
        flow = g.intro(split=False)
        limit = g.assume()
        det = positive_determinant(g, flow)
        only(g, det, limit)
        target = solution("x")
        entries = g.apply(g.split(g.fact("tends_matrix", 2, 2, target, "lam t:R. X(t)"))[0], by=[using(limit)])
        at = {(i, j): g.apply(entries, i, j) for i in (1, 2) for j in (1, 2)}

        def product(g: Goal, first: tuple[int, int], second: tuple[int, int]) -> str:
            places = [f"[{i},{j}]" for i, j in (first, second)]
            terms = [f"{target}{place}" for place in places] + [f"lam t:R. X(t){place}" for place in places]
            return g.by_fact("tends_mul", *terms, by=[using(at[first]), using(at[second])])

        p, q = product(g, (1, 1), (2, 2)), product(g, (1, 2), (2, 1))
        off = "X(t)[1,2]*X(t)[2,1]"
        minus = g.by_fact("tends_scale", -1, f"{target}[1,2]*{target}[2,1]", f"lam t:R. {off}", by=[using(q)])
        diagonal = (f"{target}[1,1]*{target}[2,2]", "lam t:R. X(t)[1,1]*X(t)[2,2]")
        whole = g.by_fact(
            "tends_add",
            diagonal[0],
            f"-1*({target}[1,2]*{target}[2,1])",
            diagonal[1],
            f"lam t:R. -1*({off})",
            by=[using(p), using(minus)],
        )
        value = f"{diagonal[0]} + -1*({target}[1,2]*{target}[2,1])"
        zero = g.fact("tends_const", 0)

        def sign(g: Goal) -> None:
            g.fix("t")
            now = g.assume()
            d = g.apply(det, "t", by=[using(now)])
            only(g, d)
            k = g.have("det(X(t)) = X(t)[1,1]*X(t)[2,2] + -1*(X(t)[1,2]*X(t)[2,1])", lambda g: g.field())
            g.pos([f"@{d}"], eqs=[(k, 1)])

        function = f"lam t:R. X(t)[1,1]*X(t)[2,2] + -1*({off})"
        low = g.by_fact("tends_le", 0, 0, value, "lam t:R. 0", function, by=[sign, using(zero), using(whole)])
        only(g, low)
        g.pos([f"@{low}"], [1])

    def witness(g: Goal) -> None:
        hyps = g.intro(split=False)
        flow, quasi = hyps[:-1], hyps[-1]
        args = ["n", "A", "B", "X", "al"]
        zero = g.lemma("razin2020.prop-4", "statement", *args, by=[using(h) for h in flow])
        growth = g.lemma("razin2020.assertion-prop-4-combined", "statement", *args, by=[using(h) for h in flow])
        growth = g.split(growth)[2]
        g.conj(using(zero), lambda g: g.close_by(g.apply(growth, "N", "c", by=[using(quasi)])))

    g.conj(above, never, witness)


@holds(
    "razin2020.assertion-stronger-than-conj-2",
    f"""{THEOREM_1} all l:R->R. {LOSS} all N:M(2,2)->R, c:R. {QUASI} tendsoo(t, N(X(t))) and {ABOVE} and (all m:R. not tends(t, N(X(t)), m))""",
    uses=["razin2020.corollary-1-norms", "razin2020.assertion-conj-2-affirmed"],
    argument="sound",
    reading=f"{READING}. The observations (6) do not depend on N, and the norm tends to infinity; from both follows what Conjecture 2 says for N: the norm does not tend to its least value over the "
    "solutions, nor to any other",
)
def one_problem_for_all_norms(g: Goal) -> None:
    """What tends to infinity has no limit."""
    hyps = g.intro(split=False)
    flow, (values, limit, quasi) = hyps[:-3], hyps[-3:]
    grow = norms_grow(g, flow, quasi, values, limit)
    above = g.split(g.lemma("razin2020.assertion-conj-2-affirmed", "statement"))[0]
    above = g.apply(above, *NAMES, by=[using(h) for h in flow], n=len(flow))
    above = g.apply(above, "N", "c", "l", by=[using(quasi), using(values), using(limit)])

    def none(g: Goal) -> None:
        (m,) = g.fix()
        h = g.assume()
        (u,) = g.obtain(g.by_fact("tends_eventually_lt", m, f"{m} + 1", "lam t:R. N(X(t))", by=[using(h), None]), "u")
        k = g.apply(g.split(g.fact("tendsoo_definition", "lam t:R. N(X(t))"))[0], by=[using(grow)])
        (v,) = g.obtain(g.apply(k, f"{m} + 1"), "v")
        later(g, u, v, lambda g, _time, a, b: (only(g, a, b), g.pos([f"@{a}"], [f"@{b}"]))[-1])

    g.conj(using(grow), using(above), none)


def later(g: Goal, u: str, v: str, close: Callable[[Goal, str, str, str], None]) -> None:
    """Two properties that hold from u and from v on, at the time max(u, v)."""

    def case(g: Goal) -> None:
        order, eq = g.split(next(reversed(g.seq.hyps)))
        time = str(g.hyp_formula(eq)[2])

        def after(start: str) -> Script:
            return lambda g: (only(g, order), g.pos(*([] if time == start else [[f"@{order}"]])))[-1]

        close(g, time, g.apply(u, time, by=[after("u")]), g.apply(v, time, by=[after("v")]))

    g.cases(g.fact("max_cases", "u", "v"), case, case)


@holds(
    "razin2020.assertion-conjectures-not-contradictory",
    f"{THEOREM_1} all l:R->R. {LOSS} not (ex V:M(2,2). tends(t, X(t), V))",
    uses=["razin2020.corollary-1-norms", "razin2020.def-quasi-norm"],
    argument="sound",
    reading=f"{READING}. The product matrix has no limit, so that the hypothesis of Conjecture 1 that the limit exists is not met, and nothing follows about it",
)
def product_matrix_has_no_limit(g: Goal) -> None:
    """Its Frobenius norm tends to infinity."""
    hyps = g.intro(split=False)
    flow, (values, limit) = hyps[:-2], hyps[-2:]
    (v,) = g.obtain(g.assume(), "V")
    norm = "sqrt(tr(T(Y) @ Y))"
    triangle, scale, definite = g.split(g.lemma("razin2020.def-quasi-norm", "part:frobenius"))

    def quasi(g: Goal) -> None:
        def nonneg(g: Goal) -> None:
            (y,) = g.fix()
            only(g)
            k = g.by_fact("sqrt_nonneg", f"tr(T({y}) @ {y})")
            g.close_by(k)

        def sum_(g: Goal) -> None:
            y, z = g.fix()
            k = g.apply(triangle, y, z)
            only(g, k)
            g.pos([f"@{k}"])

        g.conj(None, nonneg, using(definite), using(scale), sum_)

    k = g.lemma("razin2020.corollary-1-norms", "statement", *NAMES, by=[using(h) for h in flow])
    grow = g.apply(k, f"lam Y:M(2,2). {norm}", 1, "l", by=[quasi, using(values), using(limit)])
    turned = g.by_fact("tends_matrix_transpose", 2, 2, "V", "lam t:R. X(t)", by=[using(v)])
    square = g.by_fact(
        "tends_matrix_mul", 2, 2, 2, "T(V)", "V", "lam t:R. T(X(t))", "lam t:R. X(t)", by=[using(turned), using(v)]
    )
    trace = g.by_fact("tends_trace", 2, "T(V) @ V", "lam t:R. T(X(t)) @ X(t)", by=[using(square)])
    top = "tr(T(V) @ V) + 1"
    (u,) = g.obtain(
        g.by_fact("tends_eventually_lt", "tr(T(V) @ V)", top, "lam t:R. tr(T(X(t)) @ X(t))", by=[using(trace), None]), "u"
    )
    k = g.apply(g.split(g.fact("tendsoo_definition", "lam t:R. sqrt(tr(T(X(t)) @ X(t)))"))[0], by=[using(grow)])
    (w,) = g.obtain(g.apply(k, f"{top} + 1"), "v")

    def close(g: Goal, time: str, a: str, b: str) -> None:
        """r > |V|^2 + 2 and r^2 < |V|^2 + 1."""
        x = f"tr(T(X({time})) @ X({time}))"
        s = g.by_fact("sqrt_sq", x)
        low = g.have("0 <= tr(T(V) @ V)", lambda g: (only(g), g.pos(["tr(T(V) @ V)"]))[-1])
        only(g, a, b, s, low)
        r = f"sqrt({x})"
        nonneg = g.have(f"0 <= {r}", lambda g: (only(g, b, low), g.pos([f"@{b}"], [f"@{low}"], [2]))[-1])
        g.pos(
            [f"@{a}"],
            [f"@{b}", f"@{nonneg}"],
            [f"@{b}", f"@{low}"],
            [f"@{b}", 2],
            [f"@{low}", f"@{low}"],
            [f"@{low}", 3],
            [3],
            eqs=[(s, -1)],
        )

    later(g, u, w, close)


DEPTH_2 = f"""all N:M(2,2)->R, c al:R. 1 <= c and {QUASI_NORM} => 0 < al => al <= 1 =>
       ex A B X:R~>M(2,2). A(0) = sqrt(al)*I(2) and B(0) = sqrt(al)*I(2) and X(0) = al*I(2) and (all t:R. X(t) = B(t) @ A(t)) and
         (all t:R. 0 <= t => A'(t) = -(T(B(t)) @ {GRADIENT}) and B'(t) = -({GRADIENT} @ T(A(t)))) and
         tends(t, {loss("X(t)")}, 0) and tendsoo(t, N(X(t)))"""
ONLY_DEPTH_2 = "depth 2: for deeper factorisations the paper assumes that the loss tends to 0 (assertion-conj-2-affirmed has the implication for every depth)"


@part(
    "razin2020.assertion-conj-2-affirmed",
    "depth-2",
    DEPTH_2,
    says="depth 2: the flow from alpha I exists, its loss tends to 0, and every norm and quasi-norm tends to infinity",
    uses=["razin2020.assertion-conj-2-affirmed"],
)
def flows_from_scaled_identities(g: Goal) -> None:
    """The flow of two layers exists; balanced, since both factors are equal and symmetric."""
    names = g.intro(split=False)
    quasi, positive, top = names
    mask, target = "[[0,1],[1,1]]", "[[0,1],[1,0]]"
    start = "sqrt(al)*I(2)"
    b0, a0, ode = g.obtain(g.fact("two_layer_flow", 2, 2, 2, start, start, mask, target), "B", "A")
    root = g.by_fact("sqrt_sq", "al", by=[lambda g: g.pos([f"@{positive}"])])
    x = "lam t:R. B(t) @ A(t)"
    gradient = GRADIENT.replace("X(t)", "(B(t) @ A(t))")

    def product(g: Goal) -> None:
        g.rewrite(a0)
        g.rewrite(b0)
        only(g, root)
        g.rewrite(g.have(f"({start}) @ ({start}) = sqrt(al)^2*I(2)", lambda g: g.nc()))
        g.rewrite(root)
        g.refl()

    begin = g.have("B(0) @ A(0) = al*I(2)", product)

    def law(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        first, second = g.split(g.apply(ode, "t", by=[using(now)]))
        masked = f"had(had({mask}, {mask}), B(t) @ A(t) - {target})"
        same = g.have(f"{masked} = {gradient}", lambda g: g.ext(lambda g: g.field()))
        only(g, first, second, same)
        g.conj(
            lambda g: g.nc((second, 1, None, None), (same, -1, "T(B(t))", None)),
            lambda g: g.nc((first, 1, None, None), (same, -1, None, "T(A(t))")),
        )

    flow = g.have(f"all t:R. 0 <= t => A'(t) = -(T(B(t)) @ {gradient}) and B'(t) = -({gradient} @ T(A(t)))", law)
    balanced = g.have("T(B(0)) @ B(0) = A(0) @ T(A(0))", lambda g: (g.rewrite(a0), g.rewrite(b0), g.nc())[-1])
    k = g.split(g.lemma("razin2020.assertion-conj-2-affirmed", "statement"))[2]
    k = g.apply(
        k,
        2,
        "A",
        "B",
        x,
        "al",
        by=[
            Goal.refl,
            lambda g: (g.fix(), g.assume(), g.refl())[-1],
            using(flow),
            using(balanced),
            using(begin),
            using(positive),
            using(top),
        ],
        n=7,
    )
    zero, grow = g.split(g.apply(k, "N", "c", by=[using(quasi)]))
    g.witness("A", "B", x)
    g.conj(using(a0), using(b0), using(begin), lambda g: (g.fix(), g.refl())[-1], using(flow), using(zero), using(grow))


for _claim, _reading in (
    (
        "conj-2-formal",
        "the observations (6) for every norm and quasi-norm: lim lim loss is 0, while the norm tends to infinity for every alpha, and its least value over the solutions is finite",
    ),
    (
        "conj-2-informal",
        "the observations (6) for every norm and quasi-norm, small learning rate read as gradient flow, starts alpha I with alpha as small as one likes",
    ),
):

    @holds(
        f"razin2020.{_claim}",
        DEPTH_2,
        uses=["razin2020.assertion-conj-2-affirmed"],
        covers="instances",
        because=f"Decided for {ONLY_DEPTH_2}.",
        reading=_reading,
    )
    def the_conjecture_for_depth_two(g: Goal) -> None:
        """The flow from alpha I."""
        g.close_by(g.lemma("razin2020.assertion-conj-2-affirmed", "part:depth-2"))
