"""Theorem 3.2 (a): the printed potential has the wrong gradient; the factor 1/2 belongs to both of its terms."""

from __future__ import annotations

from proofs.varre2023.flows import PROJECTED, TWO_LAYERS, residual
from proofs.varre2023.printed_beta import nested
from verify.kernel import Goal, pretty
from verify.kernel.tactics import Script
from verify.registry import refuted

BETA = "(W1(t) @ W2(t))"


def setting(flow: str, potential: str) -> str:
    """Theorem 3.2 (a) along a smooth singular value decomposition, for the i-th singular value and a potential of z."""
    return f"""{flow.replace(". 0 < c", ", U:R~>M(p,p), V:R~>M(k,k), S:R~>M(p,k), i:Z, G:R~>R. 0 < c", 1)}
       1 <= i => i <= p => i <= k =>
       (all t:R. 0 <= t => T(U(t)) @ U(t) = I(p) and T(V(t)) @ V(t) = I(k) and {BETA} = U(t) @ S(t) @ T(V(t))) =>
       (all t:R, a b:Z. 0 <= t => a != b => S(t)[a,b] = 0) => (all t:R, a:Z. 0 <= t => 0 <= S(t)[a,a]) =>
       (all t:R. 0 <= t => D(z, {potential}, S(t)[i,i]) = G(t)) =>
       all t:R. 0 <= t => G'(t) = (T(U(t)) @ {residual("W1(t)", "W2(t)")} @ V(t))[i,i]"""


PRINTED = "1/2*z*asinh(z/c) - sqrt(z^2 + c^2)"
READING = (
    "D_beta from a smooth singular value decomposition beta = U S V^T; the potential is a sum over the singular values, so its gradient is G = psi'(S_ii); "
    "nabla_{D_beta} L = diag(U^T nabla L V) with nabla L = -X^T (Y - X beta); the interpolator and l >= d >= n are not needed"
)
REASON = (
    "the gradient of the printed potential is (asinh(s/gamma) - s/sqrt(s^2 + gamma^2))/2, whose derivative along the flow is s^2/(s^2 + gamma^2) "
    "times the right side; one dimension, X = Y = P = 1, gamma = 1/2, t = 0; with the factor 1/2 before both terms of the potential the gradient is asinh(s/gamma)/2"
)
E = "(W1(t) @ W2(t))[1,1]"


@refuted(
    "varre2023.thm-3-2-a",
    setting(TWO_LAYERS, PRINTED),
    reason=REASON,
    reading=READING,
)
def printed_potential_has_another_gradient(g: Goal) -> None:
    """One dimension, X = Y = P = 1, gamma = 1/2, t = 0: the derivative of the gradient is 0 and the right side is 1."""
    counterexample(g)


@refuted(
    "varre2023.lemma-c-13",
    setting(PROJECTED.replace("Z1", "W1").replace("Z2", "W2"), PRINTED),
    reason=REASON,
    reading=READING,
)
def printed_potential_of_the_appendix(g: Goal) -> None:
    """The same one-dimensional flow: with P = 1 it is its own projection."""
    counterexample(g)


def counterexample(g: Goal) -> None:
    """Scalar flow with beta = 1 - exp(-int (w1^2 + w2^2)) >= 0."""
    one = "[[1]]"
    flow = g.fact("two_layer_flow", 1, 1, 1, one, "O(1,1)", one, one)
    first, second, equations = g.obtain(flow, "W1", "W2")
    squares = "-(W1(t)[1,1]^2 + W2(t)[1,1]^2)"
    _, k_rate = g.obtain(g.by_fact("antiderivative", f"lam t:R. {squares}"), "K")
    value = f"1 - {E}"

    def linear(g: Goal) -> None:
        g.fix("u")
        g.assume()
        a, b = g.split(g.apply(equations, "u"))
        rate = g.apply(k_rate, "u")
        rule = g.differentiate("t", value, "u")
        scalar = g.have(
            f"{pretty(g.hyp_formula(rule)[2])} = {squares.replace('(t)', '(u)')}*({value.replace('(t)', '(u)')})",
            lambda g: (g.rewrite(a), g.rewrite(b), g.field()),
        )
        g.field((rule, 1), (scalar, 1), (rate, f"-({value.replace('(t)', '(u)')})"))

    solved = g.by_fact("linear_ode", 0, f"lam t:R. {value}", "lam t:R. K(t)", by=[None, linear])

    def falling(g: Goal) -> None:
        g.fix("u")
        g.assume()
        rate = g.apply(k_rate, "u")
        g.pos(["W1(u)[1,1]^2"], ["W2(u)[1,1]^2"], eqs=[(rate, -1)])

    falls = g.by_fact("nonincreasing", 0, "lam t:R. K(t)", by=[None, falling])
    begin = g.have("(W1(0) @ W2(0))[1,1] = 0", lambda g: (g.rewrite(second), g.field()))

    def positive(g: Goal) -> None:
        g.fix("t")
        g.assume()
        at = g.apply(solved, "t")
        less = g.apply(falls, 0, "t")
        small = g.by_fact("exp_mono", "K(t) - K(0)", 0, by=[lambda g: g.pos([f"@{less}"])])
        g.pos([f"@{small}"], eqs=[(at, -1), (begin, "exp(K(t) - K(0))")])

    nonneg = g.have(f"all t:R. 0 <= t => 0 <= {E}", positive)
    gradient = f"1/2*asinh({E}*2) - 1/2*{E}/sqrt({E}^2 + 1/4)"
    g.witness(
        *(
            1,
            1,
            1,
            1,
            "1/2",
            one,
            one,
            one,
            "W1",
            "W2",
            f"lam t:R. {one}",
            f"lam t:R. {one}",
            "lam t:R. W1(t) @ W2(t)",
            1,
            f"lam t:R. {gradient}",
        ),
        sides=[smooth],
    )

    def flow_equations(g: Goal) -> None:
        g.fix("t")
        g.assume()
        a, b = g.split(g.apply(equations, "t"))
        g.conj(lambda g: (g.rewrite(a), closed(g)), lambda g: (g.rewrite(b), closed(g)))

    def decomposition(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.conj(closed, closed, closed)

    def off_diagonal(g: Goal) -> None:
        g.fix("t", "a", "b")
        g.assume()
        different = g.assume()
        outside = g.fact("entry_outside", 1, 1, "W1(t) @ W2(t)")
        out = g.apply(outside, "a", "b", n=0)

        def both_one(g: Goal) -> None:
            a_one = g.have("a = 1", lambda g: g.antisym())
            b_one = g.have("b = 1", lambda g: g.antisym())
            eq = g.have("a = b", lambda g: g.field((a_one, 1), (b_one, -1)))
            g.clash(eq, different)

        away = outside_entry(out)
        g.em(
            "1 <= a",
            lambda g: g.em("a <= 1", lambda g: g.em("1 <= b", lambda g: g.em("b <= 1", both_one, away), away), away),
            away,
        )

    def diagonal(g: Goal) -> None:
        g.fix("t", "a")
        g.assume()
        outside = g.fact("entry_outside", 1, 1, "W1(t) @ W2(t)")
        out = g.apply(outside, "a", "a", n=0)
        now = g.apply(nonneg, "t")

        def inside(g: Goal) -> None:
            one_ = g.have("a = 1", lambda g: g.antisym())
            g.rewrite(one_)
            g.close_by(now)

        def away(g: Goal) -> None:
            zero = g.apply(out, by=[lambda g: some_side(g)])
            g.rewrite(zero)
            g.refl()

        g.em("1 <= a", lambda g: g.em("a <= 1", inside, away), away)

    def potential(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.have(f"0 < {E}^2 + 1/4")
        g.field()

    def violated(g: Goal) -> None:
        g.witness(0)
        g.conj(None, unequal)

    def unequal(g: Goal) -> None:
        same = g.contra()
        _a, _b = g.split(g.apply(equations, 0))
        g.have("0 < (W1(0) @ W2(0))[1,1]^2 + 1/4")
        left = g.have(("=", g.hyp_formula(same)[1], 0), lambda g: derivative(g, begin))
        right = g.have(("=", g.hyp_formula(same)[2], 1), lambda g: (g.rewrite(first), g.rewrite(second), g.field()))
        g.pos([], eqs=[(same, 1), (left, -1), (right, 1)])

    nested(
        g,
        None,
        closed,
        lambda g: (g.rewrite(first), closed(g)),
        lambda g: g.close_by(second),
        flow_equations,
        None,
        None,
        None,
        decomposition,
        off_diagonal,
        diagonal,
        potential,
        violated,
    )


def derivative(g: Goal, begin: str) -> None:
    """The derivative of the gradient at the start is proportional to the square of the singular value, which is 0."""
    c = "D(t, (W1(t) @ W2(t))[1,1], 0)"
    g.field((begin, f"4*(W1(0) @ W2(0))[1,1]*{c}/2/(sqrt((W1(0) @ W2(0))[1,1]^2 + 1/4)^3)/4"))


def outside_entry(out: str) -> Script:
    """An entry outside is 0."""
    return lambda g: g.close_by(g.apply(out, by=[lambda g: some_side(g)]))


def some_side(g: Goal) -> None:
    """One of the alternatives is among the hypotheses."""
    for i, alternative in enumerate(g.concl[1:]):
        for h, f in g.seq.hyps.items():
            if f == alternative:
                g.left_or_right(i)
                g.close_by(h)
                return
    g.auto()


def smooth(g: Goal) -> None:
    """The radicand is positive."""
    g.intro()
    g.auto()


def closed(g: Goal) -> None:
    """An equation of 1 x 1 matrices, by its entry."""
    g.ext(lambda g: g.field())
