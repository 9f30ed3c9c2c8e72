"""Section 3: balanced starts with a product of rank one from which gradient flow tends to the zero tuple."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

VANISHING = """(ex A B:R~>M(1,1). (all t:R. 0 <= t => A'(t) = -((A(t) @ B(t) - [[1]]) @ T(B(t))) and B'(t) = -(T(A(t)) @ (A(t) @ B(t) - [[1]]))) and
         T(A(0)) @ A(0) = B(0) @ T(B(0)) and (all t:R. 0 <= t => rank(A(t) @ B(t)) = 1) and
         (all t:R. 0 <= t => A(t)[1,1]^2 <= exp(-(2*t)) and B(t)[1,1]^2 <= exp(-(2*t))) and rank(O(1,1) @ O(1,1)) != 1) and
       (all f:R~>R. f(0) = 1 => (all t:R. 0 <= t => f'(t) = -((f(t)^3 + 1)*f(t)^2)) =>
         (all t:R. 0 <= t => 0 < f(t) and -f'(t) = -((f(t)*f(t)*(-f(t)) - 1)*(f(t)*f(t))) and f'(t) = -((f(t)*f(t)*(-f(t)) - 1)*(f(t)*(-f(t))))) and tends(t, f(t), 0)) and
       (all E F G u:R. D(s, D(u, (1 - (0 + u*E)*(0 + u*F)*(0 + u*G))^2/2, s), 0) = 0 and D(u, (1 - (0 + u*E)*(0 + u*F)*(0 + u*G))^2/2, 0) = 0)"""
READING = (
    "widths 1, X = Y = 1 (Z = 1, so Assumption 14 holds). First: for N = 2 a balanced flow from (1, -1) exists, its product has rank 1 for all t and"
    " both layers tend to 0 like exp(-t). Second: for N = 3 the layers f, f, -f follow the balanced flow (13) from (1, 1, -1) and tend to 0. Third:"
    " the zero tuple is second-order stationary for N = 3, a spurious one"
)


@holds(
    "eftekhari2022.assertion-limit-may-leave",
    VANISHING,
    argument="sound",
    reading=READING,
)
def flows_may_tend_to_zero(g: Goal) -> None:
    """For N = 2: a + b = 0 is kept, and a' = -(a^2 + 1) a. For N = 3: f' = -(f^3 + 1) f^2 with f > 0."""
    g.conj(two_layers, three_layers, lambda g: (g.fix(), g.conj(lambda g: g.field(), lambda g: g.field()))[-1])


def two_layers(g: Goal) -> None:
    """The flow from (1, -1)."""
    one = "[[1]]"
    flow = g.fact("two_layer_flow", 1, 1, 1, one, "[[-1]]", one, one)
    a0, b0, ode = g.obtain(flow, "A", "B")
    a, b = "A({0})[1,1]", "B({0})[1,1]"

    def entries(g: Goal, t: str, at: str) -> tuple[str, str]:
        """a' = -(a b - 1) b and b' = -(a b - 1) a."""
        left, right = g.split(g.apply(ode, t, by=[using(at)]))
        x = g.have(
            f"A'({t})[1,1] = -(({a.format(t)}*{b.format(t)} - 1)*{b.format(t)})", lambda g: (g.rewrite(left), g.field())[-1]
        )
        y = g.have(
            f"B'({t})[1,1] = -(({a.format(t)}*{b.format(t)} - 1)*{a.format(t)})", lambda g: (g.rewrite(right), g.field())[-1]
        )
        return x, y

    total = f"{a.format('t')} + {b.format('t')}"
    _, slope = g.obtain(g.by_fact("antiderivative", f"lam t:R. -({a.format('t')}*{b.format('t')} - 1)"), "K")

    def linear(g: Goal) -> None:
        g.fix("c")
        at = g.assume()
        x, y = entries(g, "c", at)
        k = g.apply(slope, "c", by=[using(at)])
        g.field((x, 1), (y, 1), (k, f"-({a.format('c')} + {b.format('c')})"))

    h = g.by_fact("linear_ode", 0, f"lam t:R. {total}", "lam t:R. K(t)", by=[None, linear])
    start = g.have("A(0)[1,1] + B(0)[1,1] = 0", lambda g: (g.rewrite(a0), g.rewrite(b0), g.field())[-1])
    first = g.have("A(0)[1,1] = 1", lambda g: (g.rewrite(a0), g.field())[-1])

    def opposite(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        k = g.apply(h, "t", by=[using(at)])
        g.field((k, 1), (start, g.hyp_formula(k)[2][-1]))

    kept = g.have("all t:R. 0 <= t => A(t)[1,1] + B(t)[1,1] = 0", opposite)
    _, rate = g.obtain(g.by_fact("antiderivative", "lam t:R. -(A(t)[1,1]^2 + 1)"), "L")

    def decay(g: Goal) -> None:
        g.fix("c")
        at = g.assume()
        x, _ = entries(g, "c", at)
        z = g.apply(kept, "c", by=[using(at)])
        k = g.apply(rate, "c", by=[using(at)])
        u, v = a.format("c"), b.format("c")
        g.field((x, 1), (k, f"-{u}"), (z, f"{u}*({u} - {v}) + 1"))

    own = g.by_fact("linear_ode", 0, "lam t:R. A(t)[1,1]", "lam t:R. L(t)", by=[None, decay])

    def positive(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        k = g.apply(own, "t", by=[using(at)])
        e = g.hyp_formula(k)[2][-1]
        g.have(("<", 0, e))
        g.pos([e], eqs=[(k, 1), (first, e)])

    above = g.have("all t:R. 0 <= t => 0 < A(t)[1,1]", positive)

    def slow(g: Goal) -> None:
        g.fix("c")
        at = g.assume()
        x, _ = entries(g, "c", at)
        z = g.apply(kept, "c", by=[using(at)])
        u, v = a.format("c"), b.format("c")
        d = g.differentiate("r", "A(r)[1,1]^2", "c")
        g.pos(["2", f"{u}^4"], eqs=[(d, -1), (x, f"-2*{u}"), (z, f"-2*{u}*({u}*({u} - {v}) + 1)")])

    fast = g.by_fact("gronwall", 0, "lam r:R. A(r)[1,1]^2", "lam r:R. -(2*r)", by=[None, slow])
    g.witness("A", "B")

    def flows(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        left, right = g.split(g.apply(ode, "t", by=[using(at)]))
        g.conj(
            lambda g: (g.rewrite(left), g.ext(lambda g: g.field()))[-1],
            lambda g: (g.rewrite(right), g.ext(lambda g: g.field()))[-1],
        )

    def ranks(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        p, z = g.apply(above, "t", by=[using(at)]), g.apply(kept, "t", by=[using(at)])
        value = g.have("det(A(t) @ B(t)) = -A(t)[1,1]^2", lambda g: g.field((z, "A(t)[1,1]")))
        full = g.split(g.by_fact("rank_full", 1, "A(t) @ B(t)"))[1]

        def regular(g: Goal) -> None:
            eq = g.contra()
            g.pos([f"@{p}", f"@{p}"], eqs=[(eq, 1), (value, -1)])

        g.close_by(g.apply(full, by=[regular]))

    def small(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        k = g.apply(fast, "t", by=[using(at)])
        z = g.apply(kept, "t", by=[using(at)])
        e = g.hyp_formula(k)[2][-1]
        same = g.have(("=", e, g.term("exp(-(2*t))")), lambda g: g.ctx(lambda g: g.field()))
        bound = g.have(
            "A(t)[1,1]^2 <= exp(-(2*t))",
            lambda g: g.pos([f"@{k}"], eqs=[(first, ("*", -1, ("+", 1, ("entry", ("call", "A", 0), 1, 1)), e)), (same, -1)]),
        )
        g.conj(using(bound), lambda g: g.pos([f"@{bound}"], eqs=[(z, "A(t)[1,1] - B(t)[1,1]")]))

    def balanced(g: Goal) -> None:
        g.rewrite(a0)
        g.rewrite(b0)
        g.ext(lambda g: g.field())

    g.conj(flows, balanced, ranks, small, lambda g: g.compute())


def three_layers(g: Goal) -> None:
    """f' = -(f^3 + 1) f^2: f stays positive and decreases to a limit, which can only be 0."""
    g.fix("f")
    start, ode = g.assume(), g.assume()
    _, rate = g.obtain(g.by_fact("antiderivative", "lam t:R. -((f(t)^3 + 1)*f(t))"), "K")

    def linear(g: Goal) -> None:
        g.fix("c")
        at = g.assume()
        x, k = g.apply(ode, "c", by=[using(at)]), g.apply(rate, "c", by=[using(at)])
        g.field((x, 1), (k, "-f(c)"))

    own = g.by_fact("linear_ode", 0, "lam t:R. f(t)", "lam t:R. K(t)", by=[None, linear])

    def positive(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        k = g.apply(own, "t", by=[using(at)])
        e = g.hyp_formula(k)[2][-1]
        g.have(("<", 0, e))
        g.pos([e], eqs=[(k, 1), (start, e)])

    above = g.have("all t:R. 0 <= t => 0 < f(t)", positive)

    def all_(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        x = g.apply(ode, "t", by=[using(at)])
        g.conj(using(g.apply(above, "t", by=[using(at)])), lambda g: g.field((x, -1)), lambda g: g.field((x, 1)))

    def down(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        x, p = g.apply(ode, "t", by=[using(at)]), g.apply(above, "t", by=[using(at)])
        g.have("0 < f(t)", using(p))
        g.pos(["f(t)^3 + 1", "f(t)^2"], eqs=[(x, -1)])

    falls = g.by_fact("nonincreasing", 0, "lam t:R. f(t)", by=[None, down])

    def low(g: Goal) -> None:
        g.fix("t")
        at = g.assume()
        p = g.apply(above, "t", by=[using(at)])
        g.pos([f"@{p}"])

    limit = g.by_fact("monotone_limit_down", 0, 0, "lam t:R. f(t)", by=[using(falls), low])
    tends, nonneg, below = g.obtain(limit, "l")

    def zero(g: Goal) -> None:
        g.contra("away")
        above0 = g.have("0 < l", lambda g: strictly(g, nonneg))
        turned = g.by_fact("tends_scale", "-1", "l", "lam t:R. f(t)", by=[using(tends)])
        no = g.fact("derivative_not_away", 0, "l^2", "-1*l", "lam t:R. -1*f(t)")

        def steep(g: Goal) -> None:
            g.fix("t")
            at = g.assume()
            x, b = g.apply(ode, "t", by=[using(at)]), g.apply(below, "t", by=[using(at)])
            g.have("0 < l", using(above0))
            d = g.differentiate("r", "-1*f(r)", "t")
            p = g.apply(above, "t", by=[using(at)])
            g.have("0 < f(t)", using(p))
            g.pos([f"@{b}", "f(t) + l"], ["f(t)^3", "f(t)^2"], eqs=[(d, 1), (x, -1)])

        never = g.apply(no, by=[None, None, using(turned)], n=3)
        every = g.have("all t:R. 0 <= t => l^2 <= D(r, -1*f(r), t)", steep)
        g.clash(every, never)

    def strictly(g: Goal, nonneg: str) -> None:
        def equal(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.clash(g.have("l = 0", lambda g: g.field((eq, -1))), "away")

        g.cases(g.by_fact("lt_or_eq", 0, "l", by=[using(nonneg)]), None, equal)

    value = g.have("l = 0", zero)
    g.conj(all_, lambda g: g.close_by(g.rewritten(tends, value)))


@holds(
    "eftekhari2022.assertion-restriction-necessary",
    VANISHING,
    argument="sound",
    reading=f"some restriction is needed, since some balanced starts lead to zero; that it must be membership in the set (28) is not claimed. {READING}",
    uses=["eftekhari2022.assertion-limit-may-leave"],
)
def some_starts_lead_to_zero(g: Goal) -> None:
    """The same example."""
    g.close_by(g.lemma("eftekhari2022.assertion-limit-may-leave", "statement"))
