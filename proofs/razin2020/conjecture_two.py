"""What Corollary 1 says of the two conjectures: norms are not minimised along the flow, and the product matrix has no limit."""

from __future__ import annotations

from collections.abc import Callable

from proofs.razin2020.corollary_1 import VANISHES
from proofs.razin2020.factorisation import PADDING, THEOREM_1
from proofs.razin2020.problem import QUASI_NORM, loss, solution
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

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
    f"{THEOREM_1} all N:M(2,2)->R, c:R, l:R->R. {QUASI} {LOSS} {ABOVE}",
    uses=["razin2020.corollary-1-norms"],
    argument="sound",
    reading=f"{READING}. For every solution and every m the norm of the product matrix finally exceeds that of the solution by more than m, so that no solution of least norm is "
    "approached, from any start with a positive determinant, however near zero; if the loss does not tend to 0, there is no limit that is a solution",
    context="the probability 1/2 of a positive determinant is Proposition 3",
)
def least_norms_are_not_approached(g: Goal) -> None:
    """The norm tends to infinity."""
    hyps = g.intro(split=False)
    flow, (quasi, values, limit) = hyps[:-3], hyps[-3:]
    k = norms_grow(g, flow, quasi, values, limit)
    k = g.apply(g.split(g.fact("tendsoo_definition", "lam t:R. N(X(t))"))[0], by=[using(k)])
    g.close_by(g.apply(k, f"N({solution('x')}) + m"))


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
    above = g.lemma("razin2020.assertion-conj-2-affirmed", "statement", *NAMES, by=[using(h) for h in flow])
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
