"""Appendix G.3: the loss along a path (72), the Jacobian (74), the exit time, the derivative of the loss in Lemma 30."""

from __future__ import annotations

from proofs.shin2025.lazy_training import at_start, binary, singular_value
from proofs.shin2025.measurement_flow import CONTEXT, CORE, READING, SETTING, jt, loss, moved, residual
from proofs.shin2025.small_loss import BALL, to_squares
from proofs.shin2025.stationary import close_all
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

SYMMETRIC = "(all n:Z. T(Xb(n)) = Xb(n))"
STACK = "Th is Theta, p = 2 d its number of rows, Xb(n) the symmetric matrix X_bar_n; vec(U)^T vec(V) is written tr(U^T V)."


def prediction(th: str, n: str = "n") -> str:
    return f"tr(T(({th}) @ T({th})) @ Xb({n}))"


@holds(
    "shin2025.eq-74",
    f"""all p d:Z, Th H:M(p,d), Xb:Z->M(p,p), n:Z. {SYMMETRIC} =>
        D(u, {prediction("Th + u*H")}, 0) = tr(T(2*(Xb(n) @ Th)) @ H)""",
    argument="sound",
    reading=f"{STACK} Row n of J is the gradient of F_n: the derivative of F_n in every direction H is <2 X_bar_n Theta, H>.",
)
def gradient_of_a_prediction(g: Goal) -> None:
    """The product rule; X_bar_n is symmetric."""
    (s,) = g.intro()
    e = g.apply(s, "n")
    m = g.have("T(H) @ (T(Xb(n)) @ Th) = T(H) @ (Xb(n) @ Th)", lambda g: (g.rewrite(e), g.refl())[-1])
    k = g.have("tr(T(H) @ (T(Xb(n)) @ Th)) = tr(T(H) @ (Xb(n) @ Th))", lambda g: (g.rewrite(m), g.refl())[-1])
    g.field((k, "1"))


@holds(
    "shin2025.eq-72",
    f"""all p d N:Z, Th:R~>M(p,d), Xb:Z->M(p,p), y:Z->R. {SYMMETRIC} => all t:R.
        D(t, sum(n, 1, N, ({prediction("Th(t)")} - y(n))^2)/2, t) = sum(n, 1, N, ({prediction("Th(t)")} - y(n))*D(t,
        {prediction("Th(t)")}, t)) and
        sum(n, 1, N, ({prediction("Th(t)")} - y(n))*D(t, {prediction("Th(t)")}, t)) =
          2*sum(n, 1, N, ({prediction("Th(t)")} - y(n))*tr(T(Xb(n) @ Th(t)) @ Th'(t))) and
        2*sum(n, 1, N, ({prediction("Th(t)")} - y(n))*tr(T(Xb(n) @ Th(t)) @ Th'(t))) =
          sum(n, 1, N, ({prediction("Th(t)")} - y(n))*tr(T(2*(Xb(n) @ Th(t))) @ Th'(t)))""",
    argument="sound",
    reading=f"{STACK} Row n of J is 2 vec(X_bar_n Theta)^T, equation (74).",
)
def loss_along_a_path(g: Goal) -> None:
    """The chain rule, term by term; X_bar_n is symmetric."""
    (s,) = g.intro()
    x, z = "tr(T(Xb(n) @ Th(t)) @ Th'(t))", "tr(T(T(Xb(n)) @ Th(t)) @ Th'(t))"
    r = f"({prediction('Th(t)')} - y(n))"

    def term(g: Goal) -> None:
        (n,) = g.fix("n")
        g.split_all(g.assume())
        e = g.apply(s, n)
        k = g.have(f"{z} = {x}".replace("(n)", f"({n})"), lambda g: (g.rewrite(e), g.refl())[-1])
        g.field((k, r.replace("(n)", f"({n})")))

    h = g.by_fact("sum_ext", "1", "N", f"lam n:Z. {r}*{z}", f"lam n:Z. {r}*{x}", by=[term])
    pred = prediction("Th(t)")
    slope = "tr(T(Th'(t) @ T(Th(t)) + Th(t) @ T(Th'(t))) @ Xb(n))"
    dd = g.differentiate("u", f"sum(n, 1, N, ({prediction('Th(u)')} - y(n))^2)/2", "t")

    def derivative(g: Goal) -> None:
        (n,) = g.fix("n")
        g.split_all(g.assume())
        e = g.differentiate("u", prediction("Th(u)", n), "t")
        g.field((e, r.replace("(n)", f"({n})")))

    q = g.by_fact("sum_ext", "1", "N", f"lam n:Z. {r}*D(t, {pred}, t)", f"lam n:Z. {r}*{slope}", by=[derivative])
    g.conj(lambda g: g.field((dd, 1), (q, -1)), lambda g: g.field((q, 1), (h, "1")), lambda g: g.field())


@holds(
    "shin2025.def-tau",
    f"""{SETTING} (all t:R. 0 <= t => sqrt({moved("t")}) < {BALL}) or
        ex c:R. 0 < c and sqrt({moved("c")}) = {BALL} and all t:R. 0 <= t => t < c => sqrt({moved("t")}) < {BALL}""",
    argument="sound",
    reading=f"{READING} The infimum is well-defined: either the set of exit times is empty (tau = infinity) or it has a "
    f"least element c = tau.",
    context=CONTEXT,
)
def exit_time_is_well_defined(g: Goal) -> None:
    """The first zero of the continuous function radius^2 - distance^2."""
    g.intro()
    g.have("0 < d")
    g.have(f"0 < {BALL}")

    def below(g: Goal, t: str, k: str) -> None:
        """sqrt(moved) < radius from 0 < radius^2 - moved."""
        e = g.by_fact("sqrt_sq", moved(t))
        n = g.by_fact("sqrt_nonneg", moved(t))
        h = g.contra()
        g.pos([f"@{k}"], [f"@{h}", f"{BALL} + sqrt({moved(t)})"], eqs=[(e, "-1")])
        del n

    gap = f"({BALL})^2 - {{}}"

    def stays(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        g.left_or_right(0)
        g.fix("t")
        g.assume()
        below(g, "t", g.apply(h, "t"))

    def leaves(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        g.left_or_right(1)
        t0, out = g.obtain(h, "e")
        z = g.have(f"0 < {gap.format(moved('0'))}", lambda g: g.pos([BALL, BALL]))
        f = g.by_fact("first_exit", "0", "e", f"lam u:R. {gap.format(moved('u'))}", by=[None, None, None, None])
        c0, c1, at, before = g.obtain(f, "c")
        g.witness("c")
        e = g.by_fact("sqrt_sq", moved("c"))
        n = g.by_fact("sqrt_nonneg", moved("c"))
        sq = g.have(f"sqrt({moved('c')})^2 = ({BALL})^2", lambda g: g.field((e, 1), (at, -1)))

        def equal(g: Goal) -> None:
            k = g.have(f"(sqrt({moved('c')}) - {BALL})*(sqrt({moved('c')}) + {BALL}) = 0", lambda g: g.field((sq, 1)))
            p = g.have(f"0 < sqrt({moved('c')}) + {BALL}")
            g.antisym(
                lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{p}"], eqs=[(k, -1)]))[-1],
                lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{p}"], eqs=[(k, 1)]))[-1],
            )

        def inside(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.assume()
            below(g, "t", g.apply(before, "t"))

        g.conj(None, equal, inside)
        del t0, out, z, c0, c1, n

    g.em(f"all t:R. 0 <= t => 0 < {gap.format(moved('t'))}", stays, leaves)


RATE = f"D(u, {loss('u')}, t)"
INNER = f"tr(T({residual('t')}) @ (A'(t) @ B(t) + A(t) @ B'(t)))"
SQUARE = jt(residual("t"), "A(t)", "B(t)")
WITHIN = f"(all u:R. 0 <= u => u <= t => sqrt({moved('u')}) <= {BALL})"
WORDS = (
    f"{READING} Up to tau the distance is at most s/(2 sqrt d); this is the hypothesis. J theta' is the derivative of "
    f"the predictions, and only the observed entries of A' B + A B' count; "
    "(F - y)^T J J^T (F - y) is |J^T (F - y)|^2."
)


def chain(sign: str) -> str:
    return f"""{SETTING} all t:R. 0 <= t => {WITHIN} =>
       {RATE} = {sign}{INNER} and {sign}{INNER} = -{SQUARE} and {RATE} <= -1/2*s^2*{loss("t")}"""


@refuted(
    "shin2025.proof-step-l30-derivative",
    chain("-"),
    argument="repaired",
    reading=WORDS,
    context=CONTEXT,
    reason="The first sign is wrong: the derivative of the loss is +(F - y)^T J theta'. "
    "Counterexample: d = 1, A = B = 1, target 2, t = 0: the derivative is -2, the second expression +2.",
)
def first_sign_is_wrong(g: Goal) -> None:
    """d = 1, A(0) = B(0) = 1, one observation 2, at t = 0."""
    one, z = "had([[1]], [[1]])", "[[2]]"
    a0, b0, f = g.obtain(g.fact("two_layer_flow", 1, 1, 1, "[[1]]", "[[1]]", "[[1]]", z), "A", "B")
    g.witness("1", one, z, "A", "B", "sqrt(2)", "sqrt(2)")

    def last(g: Goal) -> None:
        g.witness("0")
        v, w = g.split(g.apply(f, "0"))
        k = g.lemma(
            CORE,
            "part:loss-derivative",
            "1",
            one,
            z,
            "A",
            "B",
            "1",
            "1",
            by=[None, lambda g: binary(g, one, 1, lambda i, j: 1), None],
        )
        k = g.apply(k, "0")
        x = f"had({one}, A(0) @ B(0) - {z})"
        i = f"tr(T({x}) @ (A'(0) @ B(0) + A(0) @ B'(0)))"
        inner = g.have(f"{i} = -2", lambda g: (g.rewrite(v), g.rewrite(w), g.rewrite(a0), g.rewrite(b0), g.field())[-1])
        q = jt(x, "A(0)", "B(0)")
        square = g.have(f"{q} = 2", lambda g: (g.rewrite(a0), g.rewrite(b0), g.field())[-1])

        def early(g: Goal) -> None:
            g.fix("u")
            lo, hi = g.assume(), g.assume()
            u = g.have("u = 0", lambda g: g.antisym())
            g.rewrite(u)
            x = moved("0")
            e = g.by_fact("sqrt_sq", x)
            g.by_fact("sqrt_nonneg", x)
            zero = g.have(f"sqrt({x})^2 = 0", lambda g: g.field((e, 1)))
            zero = g.by_fact("square_zero", f"sqrt({x})")
            g.rewrite(zero)
            g.pos(["sqrt(2)/(2*sqrt(1))"])
            del lo, hi

        def differs(g: Goal) -> None:
            g.left_or_right(0)
            eq = g.contra()
            g.pos(["4"], eqs=[(eq, "1"), (k, "-1"), (inner, "-1"), (square, "1")])

        g.conj(None, lambda g: g.conj(early, differs))

    extreme = singular_value(at_start(a0, b0), "[[1]]")
    close_all(g, None, lambda g: binary(g, one, 1, lambda i, j: 1), None, None, *extreme, None, *extreme, last)


@amendment(
    "shin2025.proof-step-l30-derivative",
    chain(""),
    says="with the sign +(F - y)^T J theta'",
    uses=[CORE],
)
def derivative_of_the_loss(g: Goal) -> None:
    """Gradient flow is theta' = -J^T (F - y), and |J^T x| >= (s/2)|x| in the ball."""
    hs = g.intro()
    f, ball = hs[2], hs[-1]
    k = g.apply(g.lemma(CORE, "part:loss-derivative", "d", "M", "Z", "A", "B", "s", "S"), "t")
    v, w = g.split(g.apply(f, "t"))
    inner = g.have(f"{INNER} = -{SQUARE}", lambda g: (g.rewrite(v), g.rewrite(w), g.field())[-1])

    def bound(g: Goal) -> None:
        c = to_squares(g, g.apply(ball, "t"), moved("t"), BALL)
        one = g.have("0 <= d - 1")
        g.have(f"{moved('t')} <= (1/2)^2*s^2", lambda g: g.pos([f"@{c}"], ["s^2/(4*d)", f"@{one}"]))
        h = g.lemma(CORE, "part:spectrum-near", "d", "M", "Z", "A", "B", "s", "S")
        h = g.apply(g.apply(h, "1/2", "A(t)", "B(t)"), residual("t"))
        i = g.lemma(CORE, "part:mask-idempotent", "d", "M", "A(t) @ B(t) - Z")
        low = g.split(g.rewritten(h, i))[0]
        g.pos([f"@{low}"], eqs=[(k, -1)])

    g.conj(lambda g: g.field((k, 1), (inner, -1)), lambda g: g.close_by(inner), bound)
