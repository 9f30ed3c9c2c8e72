"""Proposition 1: the manifolds Omega_k, their invariance and their nesting."""

from __future__ import annotations

from proofs.bai2024.graphs import NONZERO, PATTERN
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted

INDEPENDENT = "(all v:V(k). T(V) @ v = O(d,1) => v = O(k,1))"
"""The rows alpha_1, ..., alpha_k of V are linearly independent."""


def spans(a: str, b: str, v: str = "V", k: str = "k") -> str:
    """row(A) = col(B) = span of the rows of V: each is contained in the other."""
    return (
        f"((ex X:M(d,{k}). {a} = X @ {v}) and (ex X:M({k},d). {v} = X @ {a}) and"
        f" (ex X:M({k},d). {b} = T({v}) @ X) and (ex X:M(d,{k}). T({v}) = {b} @ X))"
    )


def within(a: str, b: str, v: str = "V", k: str = "k") -> str:
    """row(A) and col(B) are contained in the span of the rows of V."""
    return f"((ex X:M(d,{k}). {a} = X @ {v}) and (ex X:M({k},d). {b} = T({v}) @ X))"


FLOW = (
    "(all t:R. 0 <= t => A'(t) = -(2/n*(had(P, A(t) @ B(t) - M) @ T(B(t))))) and"
    " (all t:R. 0 <= t => B'(t) = -(2/n*(T(A(t)) @ had(P, A(t) @ B(t) - M))))"
)
"""Gradient flow (3) of the loss (2) with n observations P of the matrix M."""

COUNT = "n = sum(i, 1, d, sum(j, 1, d, P[i,j]))"


def invariance(member: str, later: str) -> str:
    """Membership at t = 0 implies membership for all t >= 0, for any data."""
    return f"""all d k:Z, n:R, V:M(k,d), P M:M(d,d), A B:R~>M(d,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} =>
        {PATTERN} => 0 < n => {COUNT} => {NONZERO} => {FLOW} => {member} => (all t:R. 0 <= t => {later})"""


INTRINSIC = f"""all d k:Z, V:M(k,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} =>
        (all n:R, P M:M(d,d), A B:R~>M(d,d). {PATTERN} => 0 < n => {COUNT} => {NONZERO} => {FLOW} => {spans("A(0)", "B(0)")} =>
           (all t:R. 0 <= t => {spans("A(t)", "B(t)")}))"""


@amendment(
    "bai2024.prop-1-invariance",
    invariance(within("A(0)", "B(0)"), within("A(t)", "B(t)")),
    says="The set of (A, B) with row(A) and col(B) contained in the span is invariant, for any data.",
)
def containment_in_the_span_is_invariant(g: Goal) -> None:
    """With the projector S onto the complement of the span, A S and B^T S obey a linear system and start from 0, so they stay
    0, and
    A = A V^T (V V^T)^-1 V."""
    g.fix()
    for name in ("size", "k_lo", "k_hi", "independent", "binary", "positive", "count", "nonzero", "flow", "start"):
        g.assume(name)
    laws = g.split("flow")
    a0, b0 = g.split("start")
    x = g.obtain(a0, "X")[0]
    y = g.obtain(b0, "Y")[0]

    def regular(g: Goal) -> None:
        g.contra()
        u = g.obtain(g.by_fact("det_kernel", "k", "V @ T(V)"), "v")
        g.have("tr(T(T(V) @ v) @ (T(V) @ v)) = 0", lambda g: trace(g, u[1]))
        g.by_fact("frobenius_zero", "d", 1, "T(V) @ v")
        g.clash(g.apply("independent", "v"), u[0])

    def trace(g: Goal, kernel: str) -> None:
        h = g.have("T(T(V) @ v) @ (T(V) @ v) = O(1,1)", lambda g: g.nc((kernel, 1, "T(v)", None)))
        g.rewrite(h)
        g.field()

    g.have("det(V @ T(V)) != 0", regular, name="det")
    right = g.by_fact("inv_right", "k", "V @ T(V)")
    g.by_fact("inv_left", "k", "V @ T(V)")
    s = g.obtain(
        g.have(
            "ex S:M(d,d). S = I(d) - T(V) @ inv(V @ T(V)) @ V", lambda g: (g.witness("I(d) - T(V) @ inv(V @ T(V)) @ V"), g.refl())
        ),
        "S",
    )[0]
    kill = g.have("V @ S = O(k,d)", lambda g: g.nc((s, 1, "V", None), (right, -1, None, "V")))
    residual = "had(P, A(t) @ B(t) - M)"
    lemma = g.fact(
        "linear_pair_zero",
        "d",
        "d",
        "d",
        "lam t:R. A(t) @ S",
        "lam t:R. T(B(t)) @ S",
        f"lam t:R. -(2/n*{residual})",
        f"lam t:R. -(2/n*T({residual}))",
    )

    def first(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.nc((g.apply(laws[0], "t"), 1, None, "S"))

    def second(g: Goal) -> None:
        g.fix("t")
        g.assume()
        law = g.apply(laws[1], "t")
        turned = g.have(f"T(B'(t)) = T(-(2/n*(T(A(t)) @ {residual})))", lambda g: (g.rewrite(law), g.refl()))
        g.nc((turned, 1, None, "S"))

    def start_a(g: Goal) -> None:
        g.nc((x, 1, None, "S"), (kill, 1, "X", None))

    def start_b(g: Goal) -> None:
        turned = g.have("T(B(0)) = T(T(V) @ Y)", lambda g: (g.rewrite(y), g.refl()))
        g.nc((turned, 1, None, "S"), (kill, 1, "T(Y)", None))

    still = g.apply(lemma, by=[None, first, second, start_a, start_b])
    g.fix("t")
    g.assume()
    za, zb = g.split(g.apply(still, "t"))

    def rows(g: Goal) -> None:
        g.witness("A(t) @ T(V) @ inv(V @ T(V))")
        g.nc((za, 1, None, None), (s, -1, "A(t)", None))

    def columns(g: Goal) -> None:
        g.witness("T(T(B(t)) @ T(V) @ inv(V @ T(V)))")
        turned = g.have("T(T(B(t)) @ S) = T(O(d,d))", lambda g: (g.rewrite(zb), g.refl()))
        flat = g.have("T(S) = T(I(d) - T(V) @ inv(V @ T(V)) @ V)", lambda g: (g.rewrite(s), g.refl()))
        g.nc((turned, 1, None, None), (flat, -1, None, "B(t)"))

    g.conj(rows, columns)


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


@amendment(
    "bai2024.prop-1-intrinsic",
    f"""all d k:Z, V:M(k,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} =>
        (all n:R, P M:M(d,d), A B:R~>M(d,d). {PATTERN} => 0 < n => {COUNT} => {NONZERO} => {FLOW} => {within("A(0)", "B(0)")} =>
           (all t:R. 0 <= t => {within("A(t)", "B(t)")}))""",
    says="The set of (A, B) with row(A) and col(B) contained in the span does not depend on the data and is invariant for"
    " any data.",
    uses=["bai2024.prop-1-invariance"],
)
def containment_is_invariant_for_any_data(g: Goal) -> None:
    """The amended Proposition 1 (i)."""
    g.fix()
    for name in ("size", "k_lo", "k_hi", "independent"):
        g.assume(name)
    g.fix()
    for name in ("binary", "positive", "count", "nonzero", "flow", "start"):
        g.assume(name)

    def law(h: str) -> Script:
        def script(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.nc((g.apply(h, "t"), 1, None, None))

        return script

    def flow(g: Goal) -> None:
        a, b = g.split("flow")
        g.conj(law(a), law(b))

    names = ("size", "k_lo", "k_hi", "independent", "binary", "positive", "count", "nonzero", "start")
    scripts: list[Script] = [lambda g, n=n: g.close_by(n) for n in names]
    scripts.insert(8, flow)
    whole = g.lemma("bai2024.prop-1-invariance", "amendment", *["d", "k", "n", "V", "P", "M", "A", "B"], by=scripts)
    g.close_by(whole)


@holds(
    "bai2024.def-omega-k",
    f"""all d k:Z, V:M(k,d). 0 <= k => k <= d => {INDEPENDENT} => (ex A B:M(d,d). {spans("A", "B")}) and
        (all A B:M(d,d). {spans("A", "B")} => {within("A", "B")})""",
    argument="sound",
    reading="the set is well defined and not empty, and its members have their rows of A and columns of B in the span (the"
    " weaker membership"
    " test, used in Appendix A.6 and A.7)",
)
def manifold_is_not_empty(g: Goal) -> None:
    """A = B = V^T V."""
    g.fix()
    g.assume()
    g.assume()
    g.assume("independent")

    def some(g: Goal) -> None:
        def regular(g: Goal) -> None:
            g.contra()
            u = g.obtain(g.by_fact("det_kernel", "k", "V @ T(V)"), "v")
            h = g.have("T(T(V) @ v) @ (T(V) @ v) = O(1,1)", lambda g: g.nc((u[1], 1, "T(v)", None)))
            g.have("tr(T(T(V) @ v) @ (T(V) @ v)) = 0", lambda g: (g.rewrite(h), g.field()))
            g.by_fact("frobenius_zero", "d", 1, "T(V) @ v")
            g.clash(g.apply("independent", "v"), u[0])

        g.have("det(V @ T(V)) != 0", regular, name="det")
        right = g.by_fact("inv_right", "k", "V @ T(V)")
        left = g.by_fact("inv_left", "k", "V @ T(V)")
        g.witness("T(V) @ V", "T(V) @ V")

        def part_(x: str, *eqs: tuple[str, str, str | None, str | None]) -> Script:
            return lambda g: (g.witness(x), g.nc(*eqs))

        g.conj(
            part_("T(V)"),
            part_("inv(V @ T(V)) @ V", (left, "-1", None, "V")),
            part_("V"),
            part_("T(V) @ inv(V @ T(V))", (right, "-1", "T(V)", None)),
        )

    def weaker(g: Goal) -> None:
        g.fix()
        a, _, b, _ = g.split(g.assume())
        g.conj(lambda g: g.close_by(a), lambda g: g.close_by(b))

    g.conj(some, weaker)
