"""Proposition A.6: the path of an escape, and the equation that is printed for it."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import chain
from proofs.bai2024.graphs import NONZERO, PATTERN
from proofs.bai2024.hessian_blocks import form, inner
from proofs.bai2024.invariant_manifolds import COUNT
from proofs.bai2024.landscape import CRITICAL
from proofs.bai2024.literal_patterns import binary
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import refuted, undecided

SOLUTION = "bai2024.prop-a6-solution"
TOP = f"""(all G K:M(d,d). {form("E", "F", "G", "K")} = -(n/2*l)*{inner("E", "F", "G", "K")}) and
  (all G K:M(d,d). -(n/2*l)*{inner("G", "K", "G", "K")} <= {form("G", "K", "G", "K")})"""
"""(E, F) is an eigenvector of minus the Hessian of R_S = 2/n times the half sum of squares, and l the largest eigenvalue."""

MOVES = """{x}'(t) = -(2/n*(had(P, {x}(t) @ {y}(t) - M) @ T({y}(t)))) and {y}'(t) = -(2/n*(T({x}(t)) @ had(P, {x}(t) @ {y}(t) - M)))"""
FROM_EACH = """(all al t:R. 0 < al and al <= a => 0 <= t => d(1,X,al,t) = -(2/n*(had(P, X(al,t) @ Y(al,t) - M) @ T(Y(al,t)))) and
    d(1,Y,al,t) = -(2/n*(T(X(al,t)) @ had(P, X(al,t) @ Y(al,t) - M)))) =>
  (all al:R. 0 < al and al <= a => X(al,0) = A + al*E and Y(al,0) = B + al*F)"""
LIMITS = "(all t:R. tends(s, X(exp(-s),t+s/l), Z(t)) and tends(s, Y(exp(-s),t+s/l), W(t)))"
SPEED = "exp(2*t)/sqrt(1 + exp(4*t))"
FLOWING = "al*exp(2*t)/sqrt(1 - min(al^2,1) + min(al^2,1)*exp(4*t))"


@refuted(
    SOLUTION,
    f"""all d:Z, n l a:R, P M A B E F:M(d,d), X Y:(R,R)~>M(d,d), Z W G H:R~>M(d,d). 1 <= d => {PATTERN} => {NONZERO} => 0 < n => {COUNT} =>
       {CRITICAL} => {TOP} => 0 < l => (E != O(d,d) or F != O(d,d)) => 0 < a => {FROM_EACH} => {LIMITS} => G(0) = Z(0) => H(0) = W(0) =>
       (all t:R. 0 <= t => {MOVES.format(x="G", y="H")}) => (all t:R. 0 <= t => Z'(t) = G(t) and W'(t) = H(t))""",
    reading="theta_c = (A, B), v_1 = (E, F), z = (Z, W), and phi(z(0), t) = (G(t), H(t)); alpha = exp(-s). Only flows from starts with alpha <= a are needed",
    reason="the solution of the flow from z(0) is z(t) = phi(z(0), t), not its derivative: d = 1, the target 1, theta_c = 0 and v_1 = (1, 1), where"
    " z(t) = e^(2t) (1 + e^(4t))^(-1/2) (1, 1)",
)
def path_is_no_derivative(g: Goal) -> None:
    """For t = 1 the derivative is 2 (1 - z^2) z, and 2 (1 - z^2) < 1."""
    one, z = "[[1]]", f"lam t:R. [[{SPEED}]]"
    x = f"lam al:R, t:R. [[{FLOWING}]]"
    under = "1 - min(al^2,1) + min(al^2,1)*exp(4*t)"

    def defined(g: Goal) -> None:
        """1 - m + m e > 0 for 0 <= m <= 1 and e > 0."""

        def case(g: Goal) -> None:
            order, value = g.split(last(g))
            bounds = [[f"@{order}"], ["al^2", "exp(4*t)^2"]] if g.hyp_formula(value)[2] != 1 else [["exp(4*t)^2"]]
            g.pos(["exp(4*t)"], *bounds, mul=["1 + exp(4*t)"], rw=[value])

        g.cases(g.fact("min_cases", "al^2", "1"), case, case)

    def smooth(g: Goal) -> None:
        g.fix("al", "t")
        g.have(f"0 < {under}", defined)
        g.auto()

    g.witness("1", "1", "2", "1", one, one, "[[0]]", "[[0]]", one, one, x, x, z, z, z, z, sides=[smooth, smooth])

    def values(g: Goal) -> None:
        g.fix("i", "j")
        o = g.assume()
        z0 = g.contra()
        g.pos(["1"], eqs=[(o, 1), (z0, -1)])

    def critical(g: Goal) -> None:
        g.fix("E", "F")
        g.field()

    def eigenvector(g: Goal) -> None:
        g.fix("G", "K")
        g.field()

    def largest(g: Goal) -> None:
        g.fix("G", "K")
        sizes = [(g.fact("frobenius_entries", "1", "1", x), 1) for x in "GK"]
        g.pos(["(G[1,1] - K[1,1])^2"], eqs=sizes)

    def nonzero(g: Goal) -> None:
        g.left_or_right(0)
        eq = g.contra()
        k = g.have("[[1]][1,1] = O(1,1)[1,1]", lambda g: (g.rewrite(eq), g.refl())[-1])
        g.pos(["1"], eqs=[(k, -1)])

    def least(g: Goal, al: str, high: str) -> str:
        """Adds min(al^2, 1) = al^2 from 0 < al <= 1."""

        def small(g: Goal) -> None:
            g.close_by(g.split(last(g))[1])

        def large(g: Goal) -> None:
            order, value = g.split(last(g))
            square = g.have(f"({al})^2 <= 1", lambda g: g.pos([f"@{high}", al], [f"@{high}"]))
            g.antisym(lambda g: g.pos([f"@{order}"], eqs=[(value, -1)]), lambda g: g.pos([f"@{square}"], eqs=[(value, 1)]))

        return g.have(f"min(({al})^2,1) = ({al})^2", lambda g: g.cases(g.fact("min_cases", f"({al})^2", "1"), small, large))

    def moves(g: Goal) -> None:
        g.fix("al", "t")
        _, high = g.split(g.assume())
        g.assume()
        m = least(g, "al", high)
        g.have(f"0 < {under}", defined)
        side: Script = lambda g: g.ext(lambda g: g.field(rw=[m]))  # noqa: E731
        g.conj(side, side)

    def starts(g: Goal) -> None:
        g.fix("al")
        g.assume()
        g.have(f"0 < {under.replace('*t', '*0')}", lambda g: g.pos(["1"]))
        side: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
        g.conj(side, side)

    root = "1 - exp(-s)^2 + exp(-s)^2*exp(4*(t + s/2))"
    value = FLOWING.replace("al", "exp(-s)").replace("*t)", "*(t + s/2))")

    def limit(g: Goal) -> None:
        g.fix("t")
        decay = g.by_fact("tends_exp_decay", "2")
        path = f"lam z:R. {SPEED.replace('1 +', '1 - z +')}"
        g.have("0 < 1 + (-1)*0 + exp(4*t)", lambda g: g.pos(["1"], ["exp(4*t)"]))
        k = g.by_fact("tends_compose", "0", "lam s:R. exp(-1*2*s)", path, by=[lambda g: g.exact(decay), Goal.auto])

        def same(g: Goal) -> None:
            g.fix("s")
            time = g.assume()
            e = g.by_fact("exp_mono", "-s", "0", by=[lambda g: g.pos([f"@{time}"])])
            high = g.have("exp(-s) <= 1", lambda g: g.pos([f"@{e}"]))
            m = least(g, "exp(-s)", high)
            for radicand in ("1 - exp(-1*2*s) + exp(4*t)", root):
                g.have(f"0 < {radicand}", lambda g: g.pos(["exp(4*t)"], [f"@{high}", "exp(-s)"], [f"@{high}"]))
            g.rewrite(m)
            g.field()

        limit_ = SPEED.replace("1 +", "1 + (-1)*0 +")
        names = ("0", limit_, f"lam s:R. {SPEED.replace('1 +', '1 - exp(-1*2*s) +')}", f"lam s:R. {value}")
        h = g.by_fact("tends_ext", *names, by=[same, lambda g: g.exact(k)])
        whole = g.have(f"tends(s, {value}, {SPEED})", lambda g: g.exact(h, by=[lambda g: g.field()]))

        def entries(g: Goal) -> None:
            g.fix("i", "j")
            i_lo, i_hi, j_lo, j_hi = g.split(g.assume())
            i = g.have("i = 1", lambda g: g.antisym(lambda g: g.close_by(i_hi), lambda g: g.close_by(i_lo)))
            j = g.have("j = 1", lambda g: g.antisym(lambda g: g.close_by(j_hi), lambda g: g.close_by(j_lo)))
            g.rewrite(i)
            g.rewrite(j)
            ext = ("0", SPEED, f"lam s:R. {value}", f"lam s:R. [[{value}]][1,1]")
            equal: Script = lambda g: (g.fix("s"), g.assume(), g.field())[-1]  # noqa: E731
            x = g.by_fact("tends_ext", *ext, by=[equal, lambda g: g.close_by(whole)])
            g.exact(x, by=[lambda g: g.field()])

        back = g.split(g.fact("tends_matrix", "1", "1", f"[[{SPEED}]]", f"lam s:R. [[{value}]]"))[1]
        both = g.apply(back, by=[entries])
        g.conj(lambda g: g.close_by(both), lambda g: g.close_by(both))

    def flows(g: Goal) -> None:
        g.fix("t")
        g.assume()
        side: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
        g.conj(side, side)

    def final(g: Goal) -> None:
        g.witness("1")

        def differs(g: Goal) -> None:
            g.left_or_right(0)
            eq = g.contra()
            left, right = g.hyp_formula(eq)[1:]
            k = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: (g.rewrite(eq), g.refl())[-1])
            more = g.by_fact("exp_strict", "0", "4")
            at = SPEED.replace("*t", "*1")
            g.pos([f"@{more}", at, "1/(1 + exp(4))"], eqs=[(k, 1)])

        g.conj(None, differs)

    bits = binary(g, one, 1)
    refl: Script = Goal.refl
    top: Script = lambda g: g.conj(eigenvector, largest)  # noqa: E731
    premises = [
        Goal.auto,
        lambda g: g.close_by(bits),
        values,
        Goal.auto,
        lambda g: g.compute(),
        critical,
        top,
        Goal.auto,
        nonzero,
    ]
    chain(*premises, Goal.auto, moves, starts, limit, refl, refl, flows, final)(g)


for _claim in ("prop-a6-limit", "prop-a6-rate"):
    undecided(
        f"bai2024.{_claim}",
        tried="the closed form for one positive entry (d = 1), where the limit exists and the error is of the order alpha^2; the sign of lambda_1, which has to be"
        " positive: at a global minimum it is 0, and log(1/alpha)/lambda_1 is not defined",
        missing="for lambda_1 > 0 the estimate of the flow by its linear part until the time (1/lambda_1) log(1/alpha), from the quadratic bound of the rest, and"
        " that these times give a Cauchy family",
    )
