"""Proposition 1 (i) and (ii) as printed: a flow that takes a factor through zero."""

from __future__ import annotations

from proofs.bai2024.invariant_manifolds import INTRINSIC, invariance, spans
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import refuted

QUOTIENT = "(9 - 4*exp(-10*t))/(1 + 4*exp(-10*t))"
RATE = f"4 - (({QUOTIENT}) - 9/({QUOTIENT}))/2"
PLUS, MINUS = "(exp(F(t)) + 3*exp(-F(t)))/2", "(exp(F(t)) - 3*exp(-F(t)))/2"


def crossing(g: Goal) -> None:
    """A smooth F with F' = 4 - (exp(2F) - 9 exp(-2F))/2 for t >= 0 and exp(2F) = (9 - 4x)/(1 + 4x), x = exp(-10 t)."""

    def bounds(g: Goal) -> None:
        """0 < 1 + 4x and 0 < 9 - 4x for t >= 0."""
        g.fact("exp_mono", "-10*t", "0", name="mono")
        h = g.apply("mono")
        one = g.fact("exp_zero")
        g.have("0 < 9 - 4*exp(-10*t)", lambda g: g.pos([f"@{h}", "4"], ["5"], eqs=[(one, "-4")]))
        g.have("0 < 1 + 4*exp(-10*t)")

    def smooth(g: Goal) -> None:
        g.fix("t")
        g.assume()
        bounds(g)
        g.have(f"0 < {QUOTIENT}", lambda g: g.pos(["(9 - 4*exp(-10*t))/(1 + 4*exp(-10*t))"]))
        g.auto()

    h = g.fact("antiderivative", f"lam t:R. {RATE}")
    zero, law = g.obtain(g.apply(h, by=[smooth]), "F", name="F_")
    k = g.fact("linear_ode", 0, f"lam t:R. {QUOTIENT}", "lam t:R. 2*F(t)")

    def both_smooth(g: Goal) -> None:
        g.fix("t")
        g.assume()
        bounds(g)
        g.auto()

    def derivative(g: Goal) -> None:
        g.fix("t")
        g.assume()
        bounds(g)
        v = g.apply(law, "t")
        g.field((v, f"-2*({QUOTIENT})"))

    whole = g.apply(k, by=[both_smooth, derivative])

    def identity(g: Goal) -> None:
        g.fix("t")
        g.assume()
        h = g.apply(whole, "t")
        start = g.have("exp(-10*0) = 1", lambda g: g.field())
        g.rewrite(h)
        g.rewrite(start)
        g.rewrite(zero)
        g.field()

    same = g.have(f"all t:R. 0 <= t => {QUOTIENT} = exp(2*F(t))", identity)

    def velocity(g: Goal) -> None:
        g.fix("t")
        g.assume()
        v = g.apply(law, "t")
        s = g.apply(same, "t")
        g.rewrite(v)
        g.rewrite(s)
        g.field()

    g.have("all t:R. 0 <= t => F'(t) = 4 - (exp(2*F(t)) - 9*exp(-2*F(t)))/2", velocity, name="velocity")

    def meets(g: Goal) -> None:
        s = g.apply(same, "log(8/3)/10", by=[lambda g: positive(g)])
        x = g.have("exp(-10*(log(8/3)/10)) = 3/8", lambda g: g.field())
        g.have(
            "(9 - 4*exp(-10*(log(8/3)/10)))/(1 + 4*exp(-10*(log(8/3)/10))) = 3", lambda g: (g.rewrite(x), g.field()), name="three"
        )
        g.field((s, -1), ("three", 1))

    def positive(g: Goal) -> None:
        a = g.by_fact("log_strict", 1, "8/3")
        b = g.fact("log_one")
        g.pos([f"@{a}", "1/10"], eqs=[(b, "1/10")])

    g.have("0 <= log(8/3)/10", positive, name="later")
    g.have("exp(2*F(log(8/3)/10)) = 3", meets, name="meets")
    g.have("exp(F(0)) = 1", lambda g: (g.rewrite(zero), g.field()), name="begin")
    g.have("exp(-F(0)) = 1", lambda g: (g.rewrite(zero), g.field()), name="begin_inverse")


def crossing_data(g: Goal) -> None:
    """All hypotheses for d = k = n = 1 and M = 2 with A(0) = 2, B(0) = -1; at t = log(8/3)/10 the entry of B vanishes."""

    def pattern(g: Goal) -> None:
        g.fix("i", "j")

        def equal(g: Goal) -> None:
            eq = list(g.seq.hyps)[-1]
            g.rewrite(eq)

            def inside(g: Goal) -> None:
                g.left_or_right(1)
                g.split("outside")
                g.field()

            def outside(g: Goal) -> None:
                k = g.fact("entry_outside", 1, 1, "I(1)")

                def choose(g: Goal) -> None:
                    def case(m: int) -> Script:
                        def script(g: Goal) -> None:
                            last = list(g.seq.hyps)[-1]
                            g.left_or_right(m)
                            g.close_by(last)

                        return script

                    g.cases("outside", case(2), case(3))

                g.left_or_right(0)
                g.close_by(g.apply(k, "j", "j", by=[choose]))

            g.em("j < 1 or 1 < j", outside, inside, name="outside")

        def differ(g: Goal) -> None:
            g.left_or_right(0)
            g.field()

        g.em("i = j", equal, differ)

    def nonzero(g: Goal) -> None:
        g.fix("i", "j")
        e = g.assume()
        eq = g.contra()
        g.pos([], eqs=[(e, "1"), (eq, "-1/2")])

    def flow(g: Goal) -> None:
        g.fix("t")
        g.assume()
        v = g.apply("velocity", "t")
        g.ext(lambda g: g.field(rw=[v]))

    def leaves(g: Goal) -> None:
        g.witness("log(8/3)/10")

        def empty(g: Goal) -> None:
            g.left_or_right(3)
            g.fix("X")
            eq = g.contra()
            b = g.have(
                f"{MINUS.replace('F(t)', 'F(log(8/3)/10)')} = 0",
                lambda g: g.field(("meets", "exp(-F(log(8/3)/10))/2")),
            )
            left, right = g.hyp_formula(eq)[1:]
            k = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: (g.rewrite(eq), g.refl()))
            g.pos([], eqs=[(k, "-1"), (b, "-X[1,1]")])

        g.conj(lambda g: g.close_by("later"), empty)

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "ex" and c[1][0][0] == "t":
            leaves(g)
        elif c[0] == "ex":
            g.witness(factors.pop(0))
            for h in ("begin", "begin_inverse"):
                if "exp" in str(g.concl):
                    g.rewrite(h)
            g.ext(lambda g: g.field())
        elif c[0] == "all" and c[1][0][1] == "R":
            flow(g)
        elif c[0] == "all" and c[1][0][1] == "Z":
            (pattern if c[2][0] == "or" else nonzero)(g)
        elif c[0] == "all":
            g.fix("v")
            h = g.assume()
            g.nc((h, 1, None, None))
        else:
            g.auto()

    factors = ["[[2]]", "[[1/2]]", "[[-1]]", "[[-1]]"]
    close(g)


WITNESS = ("1", "1", "1", "I(1)", "I(1)", "2*I(1)", f"lam t:R. [[{PLUS}]]", f"lam t:R. [[{MINUS}]]")
CROSSING_REASON = (
    "d = k = 1, one observation M = 2, A(0) = 2, B(0) = -1: the flow takes B through 0 at t = log(8/3)/10, where col(B) ="
    " {0} is not the span;"
    " only containment in the span is invariant"
)


@refuted(
    "bai2024.prop-1-invariance",
    invariance(spans("A(0)", "B(0)"), spans("A(t)", "B(t)")),
    argument="fails",
    reason=CROSSING_REASON,
)
def a_factor_passes_through_zero(g: Goal) -> None:
    """A + B = exp(F) and A - B = 3 exp(-F) with exp(2F) = (9 - 4x)/(1 + 4x), x = exp(-10 t)."""
    crossing(g)
    g.witness(*WITNESS)
    crossing_data(g)


@refuted("bai2024.prop-1-intrinsic", INTRINSIC, argument="fails", reason=CROSSING_REASON)
def data_with_a_crossing(g: Goal) -> None:
    """The same flow: for these data the set with equality is not invariant."""
    crossing(g)
    g.witness("1", "1", "I(1)")
    rest = WITNESS[2], *WITNESS[4:]

    def close(g: Goal) -> None:
        if g.concl[0] == "ex" and g.concl[1][0][0] == "n":
            g.witness(*rest)
            crossing_data(g)
        elif g.concl[0] == "and":
            g.conj(*[close] * (len(g.concl) - 1))
        elif g.concl[0] == "all":
            g.fix("v")
            h = g.assume()
            g.nc((h, 1, None, None))
        else:
            g.auto()

    close(g)
