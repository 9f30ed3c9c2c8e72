"""A saddle of diagonal data within the manifold of one component: an instance of Assumptions 1 and 2, and the counterexample to (30)."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import (
    chain,
    component,
    contained,
    diagonal_pattern,
    first_only,
    independent,
    pattern,
)
from proofs.bai2024.graphs import PATTERN, by_values
from proofs.bai2024.hessian_blocks import (
    CONCLUSION,
    GRADIENTS,
    MEMBER,
    NEGATIVE,
    OMEGA,
    READING,
    SETTING,
    STATIONARY,
    form,
    inner,
    not_one,
    second,
    slope,
)
from proofs.bai2024.invariant_manifolds import INDEPENDENT
from proofs.bai2024.kronecker_products import BLOCK
from proofs.bai2024.landscape import CRITICAL, STRICT, loss
from proofs.bai2024.negative_curvature import LITERAL, ORTHOGONAL, OUTPUT
from proofs.bai2024.setting import last
from verify.kernel import Goal, negate
from verify.kernel.tactics import Script
from verify.registry import holds, part, refuted

DIRECTION = ("[[0,0],[1,0]]", "[[0,1],[0,0]]")
EXAMPLE_REASON = (
    "for a component the gradient of an output between a row outside and a column of the component is not in Omega: d = 2, M = diag(4,1) with the"
    " diagonal observed, theta_c: A = B = diag(2,0), Omega = omega_1(e_1) of the entry (1,1), v: a_2 = e_1, b_2 = e_1 with the eigenvalue -1;"
)


POINT = "[[2,0],[0,0]]"
DATA = ("2", "1", "[[1,0]]", "f1", "f1", "I(2)", "[[4,0],[0,1]]", POINT, POINT)
"""d, k, V, f, g, P, M, A, B of the example."""


def example_point(g: Goal) -> list[Script]:
    """Adds the marks; returns scripts for the hypotheses of SETTING and STATIONARY on the example, without those on sizes."""
    first_only(g)
    diagonal_pattern(g)

    def omega(g: Goal) -> None:
        g.left_or_right(1)
        component(g)

    def zeros(i: str) -> Script:
        """The coordinates [2; 0] vanish outside of the component."""

        def script(g: Goal) -> None:
            names = g.fix()
            *_, mark = g.split(g.assume())
            m = next(n for n in names if n != i)
            by_values(g, m, 1, 1, lambda g, _: by_values(g, i, 1, 2, lambda g, v: value(g, v, m, mark)))

        def value(g: Goal, v: int, m: str, mark: str) -> None:
            at, one = last(g), g.have(f"{m} = 1", lambda g: g.antisym())
            g.rewrite(one)
            g.rewrite(at)
            if v == 2:
                g.field()
            else:
                g.clash(g.apply("marked", i), mark)

        return script

    def member(g: Goal) -> None:
        g.conj(
            lambda g: (g.witness("[[2],[0]]"), g.conj(zeros("i"), lambda g: g.ext(lambda g: g.field())))[-1],
            lambda g: (g.witness("[[2,0]]"), g.conj(zeros("j"), lambda g: g.ext(lambda g: g.field())))[-1],
        )

    def critical(g: Goal) -> None:
        g.fix("E", "F")
        g.field()

    def stationary(g: Goal) -> None:
        g.fix("E", "F")
        a, _ = g.split(g.assume())
        zero, e_is = g.obtain(a, "X")
        off_ = g.have("f1(2) != 1", lambda g: (lambda z: not_one(g, z))(g.apply("unmarked", 2)))
        flat = g.apply(zero, 2, 1, by=[lambda g: g.conj(None, None, None, None, lambda g: g.close_by(off_))])

        def row(j: int) -> str:
            e = g.have(f"E[2,{j}] = (X @ [[1,0]])[2,{j}]", lambda g: (g.rewrite(e_is), g.refl())[-1])
            return g.have(f"E[2,{j}] = 0", lambda g: g.field((e, 1), (flat, "1" if j == 1 else "0")))

        one, two = row(1), row(2)
        g.pos(["(2*E[1,1] + 2*F[1,1])^2"], eqs=[(one, "-2*F[1,2]"), (two, "-2*F[2,2]")])

    return [independent, pattern, omega, member, critical, stationary]


def counterexample(g: Goal, conclusion: Script) -> None:
    """The hypotheses up to the eigenvector on the example, then the conclusion."""
    scripts = example_point(g)
    g.witness(*DATA)

    def vector(g: Goal) -> None:
        g.witness("-1", *DIRECTION)

        def nonzero(g: Goal) -> None:
            g.left_or_right(0)
            eq = g.contra()
            k = g.have("[[0,0],[1,0]][2,1] = O(2,2)[2,1]", lambda g: (g.rewrite(eq), g.refl())[-1])
            g.pos([], eqs=[(k, -1)])

        def eigen(g: Goal) -> None:
            g.fix("G", "K")
            g.field()

        chain(lambda g: g.pos(["1"]), nonzero, eigen, conclusion)(g)

    chain(Goal.auto, Goal.auto, Goal.auto, *scripts, vector)(g)


SECOND_ORDER = f"(all E F:M(d,d). {contained('E', 'F')} => 0 <= D(s, D(u, {loss('A + u*E', 'B + u*F')}, s), 0))"


@holds(
    "bai2024.assump-2",
    f"""ex d k:Z, V:M(k,d), f g:Z->Z, P M A B:M(d,d). 1 <= k and k < d and {INDEPENDENT} and {PATTERN} and {OMEGA} and {MEMBER} and
       {CRITICAL} and {SECOND_ORDER} and {STRICT}""",
    argument="sound",
    reading=f"{READING}. An assumption is not true or false: a strict saddle that satisfies it is exhibited",
)
def saddle_that_is_second_order_stationary(g: Goal) -> None:
    """M = diag(4,1) with the diagonal observed, A = B = diag(2,0), within the manifold of the component (1,1)."""
    scripts = example_point(g)
    g.witness(*DATA)

    def strict(g: Goal) -> None:
        g.witness(*DIRECTION)
        g.pos(["2"])

    g.conj(None, None, *scripts, strict)


TOP_EIGENVALUE = """(all w:V(n). tr(T(w) @ X @ w) <= l*tr(T(w) @ w)) and v != O(n,1) and X @ v = l*v and
       (all w:V(n). X @ w = l*w => (ex s:R. w = s*v))"""
"""l is the largest eigenvalue of the symmetric matrix X, and its eigenvectors are the multiples of v."""


@holds(
    "bai2024.assump-1",
    f"""ex d n:Z, P M A B:M(d,d), X:M(n,n), l:R, v:V(n). 2 <= d and n = 2*d and {PATTERN} and {CRITICAL} and {BLOCK} and {TOP_EIGENVALUE}""",
    argument="sound",
    reading="an assumption is not true or false: a critical point that satisfies it is exhibited; X is the block matrix of the residual",
)
def saddle_with_a_simple_top_eigenvalue(g: Goal) -> None:
    """The same saddle, whose residual is -diag(0,1)."""
    diagonal_pattern(g)
    g.witness("2", "4", *DATA[5:], "[[0,0,0,0],[0,0,0,1],[0,0,0,0],[0,1,0,0]]", "1", "[[0],[1],[0],[1]]")

    def critical(g: Goal) -> None:
        g.fix("E", "F")
        g.field()

    def block(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume())

        def entry(g: Goal, i: str) -> None:
            j = last(g)
            g.rewrite(i)
            g.rewrite(j)
            g.conj(*[lambda g: g.field()] * 4)

        by_values(g, "i", 1, 2, lambda g, _: (lambda i: by_values(g, "j", 1, 2, lambda g, _: entry(g, i)))(last(g)))

    def largest(g: Goal) -> None:
        g.fix("w")
        norm = g.fact("frobenius_entries", "4", "1", "w")
        g.pos(["w[1,1]^2"], ["w[3,1]^2"], ["(w[2,1] - w[4,1])^2"], eqs=[(norm, 1)])

    def nonzero(g: Goal) -> None:
        eq = g.contra()
        k = g.have("[[0],[1],[0],[1]][2,1] = O(4,1)[2,1]", lambda g: (g.rewrite(eq), g.refl())[-1])
        g.pos([], eqs=[(k, -1)])

    def simple(g: Goal) -> None:
        g.fix("w")
        eq = g.assume()
        left, right = g.hyp_formula(eq)[1:]

        def entry(i: int) -> str:
            return g.have(("=", ("entry", left, i, 1), ("entry", right, i, 1)), lambda g: (g.rewrite(eq), g.refl())[-1])

        es = [entry(i) for i in (1, 2, 3)]
        g.witness("w[2,1]")
        g.ext(lambda g: finish(g, es))

    def finish(g: Goal, es: list[str]) -> None:
        g.field(*{1: [(es[0], -1)], 2: [], 3: [(es[2], -1)], 4: [(es[1], 1)]}[g.concl[1][2]])

    g.conj(None, None, pattern, critical, block, largest, nonzero, lambda g: g.ext(lambda g: g.field()), simple)


@refuted(
    GRADIENTS,
    f"{SETTING} {STATIONARY} {NEGATIVE} {OUTPUT} {contained('N1', 'N2')} and {ORTHOGONAL}",
    argument="repaired",
    reading=READING,
    reason=f"{EXAMPLE_REASON} the output (2,1) has the gradient a_2: (2,0), and its product with v is 2. Only the observed outputs enter H^(1)",
)
def gradients_between_components_leave_omega(g: Goal) -> None:
    """The output (2, 1) of the example."""

    def conclusion(g: Goal) -> None:
        g.witness(2, 1, "[[0,0],[2,0]]", "O(2,2)")

        def gradient(g: Goal) -> None:
            g.fix("G", "K")
            g.field()

        def differ(g: Goal) -> None:
            g.left_or_right(1)
            eq = g.contra()
            g.pos(["2"], eqs=[(eq, -1)])

        chain(Goal.auto, gradient, differ)(g)

    counterexample(g, conclusion)


ALL_OUTPUTS = f"sum(a, 1, d, sum(b, 1, d, ({slope('E', 'F')})[a,b]*({slope('G', 'K')})[a,b]))"
"""H^(1) with one gradient for each of the d^2 outputs, twice the same."""


def annihilated(h1: str) -> str:
    """H^(1) v = 0 and H v = H^(2) v = l v."""
    values = f"{form('E', 'F', 'G', 'K')} = {second('E', 'F', 'G', 'K')} and {second('E', 'F', 'G', 'K')} = l*{inner('E', 'F', 'G', 'K')}"
    return f"{SETTING} {STATIONARY} {NEGATIVE} (all G K:M(d,d). {h1} = 0 and {values})"


def value_along_the_eigenvector(g: Goal, value: str) -> None:
    """(G, K) = v, where v^T H^(1) v is the value."""

    def conclusion(g: Goal) -> None:
        g.witness(*DIRECTION)
        g.left_or_right(0)
        eq = g.contra()
        g.pos([value], eqs=[(eq, -1)])

    counterexample(g, conclusion)


@refuted(
    CONCLUSION,
    annihilated(ALL_OUTPUTS),
    argument="repaired",
    reading=f"{READING}; H^(1) is the sum of grad f_i (grad f_i)^T over all d^2 outputs, observed or not, as (30) is about all of them; the"
    " double sum of its definition is taken for a slip",
    readings=[("H^(1) as it is displayed, with the double sum over the outputs", "refuted", "double-sum")],
    reason=f"{EXAMPLE_REASON} the outputs (1,2) and (2,1), which are not observed, have the derivative 2 along v, so that v^T H^(1) v = 8",
)
def unobserved_outputs_change_along_the_eigenvector(g: Goal) -> None:
    """2^2 + 2^2."""
    value_along_the_eigenvector(g, "8")


@part(
    CONCLUSION,
    "double-sum",
    f"not ({annihilated(LITERAL)})",
    says="with the double sum over all pairs of outputs, as H^(1) is displayed, v^T H^(1) v = (2 + 2)^2 = 16 in the same example",
)
def double_sum_does_not_annihilate(g: Goal) -> None:
    """The square of the sum of the derivatives of all outputs."""
    every = g.assume()
    g.clash(g.have(negate(g.hyp_formula(every)), lambda g: value_along_the_eigenvector(g, "16")), every)
