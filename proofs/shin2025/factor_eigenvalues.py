"""The two eigenvalues of the common factor: the system of scalar equations, its explicit solution, sign and order."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from proofs.shin2025.equal_layers import inside, with_two_values
from proofs.shin2025.two_valued_factors import DECLARED, HYPOTHESES, from_setting, setting
from verify.kernel import Goal
from verify.registry import part

SYSTEM = """a(0) = p + d*q and b(0) = p and all t:R. 0 <= t =>
    (all l:Z. 1 <= l and l <= L => W(l,t) = b(t)*I(d) + ((a(t) - b(t))/d)*J(d)) and
    P(L,t) = (b(t)^L)*I(d) + ((a(t)^L - b(t)^L)/d)*J(d) and r(t) = (a(t)^L + (d-1)*b(t)^L)/d - ws and
    a'(t) = -a(t)^(L-1)*r(t) and b'(t) = -b(t)^(L-1)*r(t)"""


@part(
    "shin2025.proof-step-lambda-ode",
    "system",
    f"{DECLARED} {HYPOTHESES} => ex a b r:R~>R. {SYSTEM}",
    uses=["shin2025.lemma-13", "shin2025.proof-step-power"],
)
def eigenvalue_system(g: Goal) -> None:
    """The entries x + (d-1) y and x - y of the first factor; powers and velocities by the closed form of powers."""
    setting(g)
    one_layer = from_setting(g, "velocity")
    two = from_setting(g, "two-valued")
    same = from_setting(g, "equal-layers")
    powers = from_setting(g, "powers")
    w0 = g.apply("start", "1")
    g.witness("lam t:R. W(1,t)[1,1] + (d-1)*W(1,t)[1,2]", "lam t:R. W(1,t)[1,1] - W(1,t)[1,2]", "lam t:R. P(L,t)[1,1] - ws")
    inside(g)

    def body(g: Goal) -> None:
        g.intro()
        w = g.apply(two, "1", "t")
        x = with_two_values(g, w)
        a = g.have("((X - Y)*I(d) + Y*J(d))[1,1] = X", lambda g: g.field())
        b = g.have("((X - Y)*I(d) + Y*J(d))[1,2] = Y", lambda g: g.field())
        a = g.have("W(1,t)[1,1] = X", lambda g: (g.rewrite(x), g.close_by(a))[-1])
        b = g.have("W(1,t)[1,2] = Y", lambda g: (g.rewrite(x), g.close_by(b))[-1])
        lem = g.lemma("shin2025.proof-step-power", "part:any-power", "d", "X", "Y")
        whole = g.apply(lem, "L")
        less = g.apply(lem, "L - 1")
        p = g.apply(g.split(g.apply(powers, "t"))[0], "L")
        v = g.apply(one_layer, "1", "t")
        v = g.have("W'(1,t) = -(P(L,t)[1,1] - ws)*W(1,t)^(L - 1)", lambda g: g.nc((v, 1, None, None)))
        p = g.have(
            "P(L,t) = ((X - Y)^L)*I(d) + (((X + (d-1)*Y)^L - (X - Y)^L)/d)*J(d)",
            lambda g: (g.rewrite(p), g.rewrite(x), g.close_by(whole))[-1],
        )
        v = g.have(
            "W'(1,t) = -(P(L,t)[1,1] - ws)*(((X - Y)^(L-1))*I(d) + (((X + (d-1)*Y)^(L-1) - (X - Y)^(L-1))/d)*J(d))",
            lambda g: (g.rewrite(v), g.rewrite(x), g.rewrite(less), g.refl())[-1],
        )

        def layer(g: Goal) -> None:
            g.intro()
            s = g.apply(g.apply(same, "l"), "t")
            g.rewrite(s)
            g.rewrite(a)
            g.rewrite(b)
            g.nc((x, 1, None, None))

        def product(g: Goal) -> None:
            g.rewrite(a)
            g.rewrite(b)
            g.nc((p, 1, None, None))

        def residual(g: Goal) -> None:
            g.rewrite(a)
            g.rewrite(b)
            g.rewrite(p)
            g.field()

        def rate(g: Goal, body: str) -> None:
            de = g.differentiate("s", body, "t")
            g.rewrite(de)
            g.rewrite(v)
            g.rewrite(a)
            g.rewrite(b)
            g.field()

        g.conj(
            layer,
            product,
            residual,
            lambda g: rate(g, "W(1,s)[1,1] + (d-1)*W(1,s)[1,2]"),
            lambda g: rate(g, "W(1,s)[1,1] - W(1,s)[1,2]"),
        )

    def initial(g: Goal) -> None:
        g.rewrite(w0)
        g.field()

    g.conj(initial, initial, body)


@part("shin2025.proof-step-lambda-ode", "power-as-matrix", "all x:R, n:Z. 0 <= n => ([[x]]^n)[1,1] = x^n")
def power_of_a_single_entry(g: Goal) -> None:
    """Induction."""
    g.fix("x", "m")
    h = g.have("all n:Z. 0 <= n => ([[x]]^n)[1,1] = x^n", induct_power)
    g.close_by(g.apply(h, "m", n=0))


def induct_power(g: Goal) -> None:
    g.induct("n", "ih")

    def step(g: Goal) -> None:
        h = g.apply("ih", "n - 1")
        m = g.by_fact("mpow_add", "1", "1", "n - 1", "[[x]]")
        g.replace(
            "[[x]]^n",
            "[[x]] @ [[x]]^(n-1)",
            lambda g: (g.replace("[[x]]^n", "[[x]]^(1 + (n - 1))", lambda g: g.ctx()), g.rewrite(m), g.nc())[-1],
        )
        a = g.by_fact("ipow_step", "x", "n - 1")
        a = g.have("x^n = x*x^(n-1)", lambda g: g.exact(a, by=[lambda g: g.ctx()]))
        g.field((a, -1), (h, "x"))

    by_last(g, lambda g: (g.replace("n", "0"), g.field())[-1], step)


@part(
    "shin2025.proof-step-lambda-ode",
    "scalar-positive",
    """all L:Z, a r:R~>R. 2 <= L => 0 < a(0) => (all t:R. 0 <= t => a'(t) = -a(t)^(L-1)*r(t)) => all t:R. 0 <= t => 0 < a(t)""",
)
def scalar_solutions_keep_their_sign(g: Goal) -> None:
    """The equation is linear in a with the rate -a^(L-2) r, so a is a(0) times an exponential."""
    g.fix()
    for name in ("L_lo", "a_lo", "move"):
        g.assume(name)
    k = g.obtain(g.by_fact("antiderivative", "lam t:R. -([[a(t)]]^(L-2))[1,1]*r(t)"), "K")[1]

    def rate(g: Goal) -> None:
        g.intro()
        v = g.apply("move", "t")
        dk = g.apply(k, "t")
        pw = g.lemma("shin2025.proof-step-lambda-ode", "part:power-as-matrix", "a(t)", "L - 2")
        st = g.by_fact("ipow_step", "a(t)", "L - 2")
        st = g.have("a(t)^(L-1) = a(t)*a(t)^(L-2)", lambda g: g.exact(st, by=[lambda g: g.ctx()]))
        g.field((v, 1), (dk, "-a(t)"), (pw, "r(t)*a(t)"), (st, "-r(t)"))

    h = g.by_fact("linear_ode", "0", "a", "K", by=[None, rate])
    g.intro()
    h = g.apply(h, "t")
    g.rewrite(h)
    g.auto()


SCALAR = "(all t:R. 0 <= t => a'(t) = -a(t)^(L-1)*r(t))"
INTEGRAL = "F(0) = 0 => (all t:R. 0 <= t => F'(t) = r(t))"


@part(
    "shin2025.proof-step-lambda-ode",
    "scalar-depth-two",
    f"all L:Z, a r F:R~>R. L = 2 => {SCALAR} => {INTEGRAL} => all t:R. 0 <= t => a(t) = a(0)*exp(-F(t))",
)
def scalar_solution_at_depth_two(g: Goal) -> None:
    """A linear equation with the rate -r."""
    g.fix()
    for name in ("L_is", "move", "F_0", "F_rate"):
        g.assume(name)

    def rate(g: Goal) -> None:
        g.intro()
        v = g.apply("move", "t")
        f = g.apply("F_rate", "t")
        e = g.have("a(t)^(L-1) = a(t)", lambda g: (g.rewrite("L_is"), g.field())[-1])
        g.field((v, 1), (f, "a(t)"), (e, "-r(t)"))

    h = g.by_fact("linear_ode", "0", "a", "lam t:R. -F(t)", by=[None, rate])
    g.intro()
    h = g.apply(h, "t")
    g.rewrite(h)
    g.rewrite("F_0")
    g.field()


@part(
    "shin2025.proof-step-lambda-ode",
    "scalar-deep",
    f"all L:Z, a r F:R~>R. 3 <= L => 0 < a(0) => {SCALAR} => {INTEGRAL} => "
    f"all t:R. 0 <= t => a(t)^(2-L) = a(0)^(2-L) + (L-2)*F(t)",
)
def scalar_solution_at_greater_depth(g: Goal) -> None:
    """The derivative of a^(2-L) is (L-2) r."""
    g.fix()
    for name in ("L_lo", "a_lo", "move", "F_0", "F_rate"):
        g.assume(name)
    pos = g.lemma("shin2025.proof-step-lambda-ode", "part:scalar-positive", "L", "a", "r", by=[None, None, scalar_moves])

    def smooth(g: Goal) -> None:
        g.intro()
        g.apply(pos, "t")
        g.auto()

    def rate(g: Goal) -> None:
        g.intro()
        g.apply(pos, "t")
        v = g.apply("move", "t")
        f = g.apply("F_rate", "t")
        de = g.differentiate("s", "a(s)^(2-L) - (L-2)*F(s)", "t")
        g.rewrite(de)
        g.rewrite(v)
        g.rewrite(f)
        g.field()

    h = g.by_fact("constant", "0", "lam t:R. a(t)^(2-L) - (L-2)*F(t)", by=[smooth, rate])
    g.intro()
    h = g.apply(h, "t")
    g.field((h, 1), ("F_0", "-(L-2)"))


def scalar_moves(g: Goal, flow: str = "move") -> None:
    """The scalar flow as a premise of a lemma, where functions stand as lambdas."""
    t = g.fix()[0]
    g.assume()
    h = g.apply(flow, t)
    g.step("field", eqs=((h, 1),))


@part(
    "shin2025.proof-step-lambda-ode",
    "scalar-ordered",
    f"""all L:Z, a b r:R~>R. 2 <= L => 0 < b(0) => b(0) <= a(0) => {SCALAR} =>
        {SCALAR.replace("a'", "b'").replace("a(t)", "b(t)")} =>
        all t:R. 0 <= t => 0 < a(t) and 0 < b(t) and b(t) <= a(t)""",
)
def order_is_kept(g: Goal) -> None:
    """At depth 2 both are multiplied by the same factor; at greater depth a^(2-L) - b^(2-L) is constant and 2 - L is negative."""
    g.fix()
    for name in ("L_lo", "b_lo", "ab", "move", "move_b"):
        g.assume(name)
    g.have("0 < a(0)")
    _f0, f = g.obtain(g.by_fact("antiderivative", "lam t:R. r(t)"), "F")
    pa = g.lemma("shin2025.proof-step-lambda-ode", "part:scalar-positive", "L", "a", "r", by=[None, None, scalar_moves])
    pb = g.lemma(
        "shin2025.proof-step-lambda-ode",
        "part:scalar-positive",
        "L",
        "b",
        "r",
        by=[None, None, lambda g: scalar_moves(g, "move_b")],
    )
    g.intro()
    g.apply(pa, "t")
    g.apply(pb, "t")

    def deep(g: Goal) -> None:
        g.by_fact("int_lt", "2", "L")
        a = g.lemma(
            "shin2025.proof-step-lambda-ode",
            "part:scalar-deep",
            "L",
            "a",
            "r",
            "F",
            by=[None, None, scalar_moves, None, lambda g: scalar_moves(g, f)],
        )
        b = g.lemma(
            "shin2025.proof-step-lambda-ode",
            "part:scalar-deep",
            "L",
            "b",
            "r",
            "F",
            by=[None, None, lambda g: scalar_moves(g, "move_b"), None, lambda g: scalar_moves(g, f)],
        )
        a = g.apply(a, "t")
        b = g.apply(b, "t")
        less = g.contra()
        s = g.by_fact("pow_base_anti_strict", "a(t)", "b(t)", "2 - L")
        z = g.by_fact("pow_base_anti", "b(0)", "a(0)", "2 - L")
        del less
        g.pos([f"@{s}"], [f"@{z}"], eqs=[(a, -1), (b, 1)])

    def two(g: Goal) -> None:
        a = g.lemma(
            "shin2025.proof-step-lambda-ode",
            "part:scalar-depth-two",
            "L",
            "a",
            "r",
            "F",
            by=[None, scalar_moves, None, lambda g: scalar_moves(g, f)],
        )
        b = g.lemma(
            "shin2025.proof-step-lambda-ode",
            "part:scalar-depth-two",
            "L",
            "b",
            "r",
            "F",
            by=[None, lambda g: scalar_moves(g, "move_b"), None, lambda g: scalar_moves(g, f)],
        )
        a = g.apply(a, "t")
        b = g.apply(b, "t")
        g.rewrite(a)
        g.rewrite(b)
        g.pos(["exp(-F(t))", "@ab"])

    g.conj(None, None, lambda g: g.cases(g.by_fact("lt_or_eq", "2", "L"), deep, two))
