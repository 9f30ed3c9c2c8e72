"""Appendix C.1: gradient descent for whitened data from W_0 = I, with one output: directions and increments."""

from __future__ import annotations

from proofs.razin2020.scripts import nested, using
from verify.kernel import Goal
from verify.registry import amendment, part, refuted

RES = "(T(X) @ (Y - X @ W(t) @ a(t)))"
START = "(T(X) @ (Y - X @ W(0) @ a(0)))"
DESCENT = f"""all n p N:Z, X:M(n,p), Y:V(n), r:R, W:Z->M(p,p), a:Z->V(p). 0 < r => T(X) @ X = I(p) => W(0) = I(p) =>
       (all t:Z. 0 <= t => t < N => W(t+1) = W(t) + r*({RES} @ T(a(t))) and a(t+1) = a(t) + r*(T(W(t)) @ {RES})) =>"""
FROM_ZERO = DESCENT.replace("W(0) = I(p) =>", "W(0) = I(p) => a(0) = O(p,1) =>")
READING = "N steps of gradient descent with the step size r; R_t = X^T (Y - X W_t a_t)"
EXAMPLE = (1, 1, 2, "[[1]]", "[[1]]", "1/2", "lam t:Z. [[1 + t*(t - 1)/16]]", "lam t:Z. [[t*(5 - t)/8]]")
"""Two steps in one dimension: W = 1, 1, 9/8 and a = 0, 1/2, 3/4."""


def two_steps(g: Goal) -> None:
    """The recursion of the example, for t = 0 and 1."""
    g.fix("t")
    low, high = g.assume(), g.assume()

    def value(number: int) -> object:
        def script(g: Goal) -> None:
            h = list(g.seq.hyps)[-1]
            one = g.have(f"t = {number}", lambda g: g.field((h, 1))) if g.hyp_formula(h)[0] == "=" else h
            g.rewrite(one)
            g.conj(*[lambda g: g.ext(lambda g: g.field())] * 2)

        return script

    def later(g: Goal) -> None:
        apart = list(g.seq.hyps)[-1]
        first = g.have(
            "0 < t", lambda g: (g.contra("none"), g.clash(g.have("t = 0", lambda g: g.antisym(using("none"), using(low))), apart))
        )
        up = g.by_fact("int_lt", 0, "t", by=[using(first)])
        down = g.by_fact("int_lt", "t", 2, by=[using(high)])
        g.have("t = 1", lambda g: g.antisym(lambda g: g.pos([f"@{down}"]), lambda g: g.pos([f"@{up}"])))
        value(1)(g)  # type: ignore[operator]

    g.em("t = 0", value(0), later)  # type: ignore[arg-type]


@refuted(
    "varre2023.assertion-c1-directions",
    f"""{DESCENT} all t:Z. 0 <= t => t < N => tr(T({RES}) @ {RES}) <= tr(T({RES.replace("(t)", "(t+1)")}) @ {RES.replace("(t)", "(t+1)")}) and
       tr(T(a(t)) @ a(t)) <= tr(T(a(t+1)) @ a(t+1)) and (ex c:R. {RES} = c*{START}) and ex c:R. a(t+1) = c*a(1)""",
    argument="fails",
    reading=READING,
    reason="the residual does not grow: for X = Y = W_0 = 1, a_0 = 0, eta = 1/2 it is 1 and then 1/2; and for a_0 not parallel to R_0 the directions change",
)
def residual_shrinks(g: Goal) -> None:
    """d = 1: R_0 = 1, R_1 = 1/2."""
    g.witness(*EXAMPLE)

    def wrong(g: Goal) -> None:
        g.witness(0)

        def smaller(g: Goal) -> None:
            g.left_or_right(0)
            g.pos(["3/4"])

        nested(g, None, None, smaller)

    nested(g, None, lambda g: g.ext(lambda g: g.field()), lambda g: g.ext(lambda g: g.field()), two_steps, wrong)


@refuted(
    "varre2023.assertion-c1-rank-one",
    f"{DESCENT} all t:Z. 0 <= t => t < N => ex c:R. W(t+1) - W(t) = c*({START} @ T(a(0)))",
    argument="fails",
    reading=READING,
    reason="for a_0 = 0, as in the rest of the paper, R_0 a_0^T = 0, but W moves in the second step: X = Y = W_0 = 1, eta = 1/2 give W_2 - W_1 = 1/8",
)
def second_step_moves(g: Goal) -> None:
    """d = 1, t = 1."""
    g.witness(*EXAMPLE)

    def wrong(g: Goal) -> None:
        g.witness(1)

        def none(g: Goal) -> None:
            g.fix("c")
            same = g.contra()
            _, left, right = g.hyp_formula(same)
            e = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: g.ctx(using(same)))
            g.pos([], eqs=[(e, -8)])

        nested(g, None, None, none)

    nested(g, None, lambda g: g.ext(lambda g: g.field()), lambda g: g.ext(lambda g: g.field()), two_steps, wrong)


VARIABLES = ("n", "p", "N", "X", "Y", "r", "W", "a")
B = "(T(X) @ Y)"
SHAPE = f"(ex w m:R. W(t) = I(p) + w*({B} @ T({B})) and a(t) = m*{B})"


@part(
    "varre2023.assertion-c1-directions",
    "shape",
    f"{FROM_ZERO} all t:Z. 0 <= t => t <= N => {SHAPE}",
    says="W_t = I + w b b^T and a_t = m b for b = X^T Y",
)
def shape_of_the_layers(g: Goal) -> None:
    """By induction."""
    g.fix()
    _, white, first, second, law = (g.assume() for _ in range(5))
    g.induct("t", "ih")
    low = "ih_lo"
    high = g.assume()

    def start(g: Goal) -> None:
        zero = list(g.seq.hyps)[-1]
        g.rewrite(zero)
        g.witness(0, 0)
        g.conj(lambda g: g.nc((first, 1, None, None)), lambda g: g.nc((second, 1, None, None)))

    def step(g: Goal) -> None:
        apart = list(g.seq.hyps)[-1]
        above = g.have(
            "0 < t", lambda g: (g.contra("none"), g.clash(g.have("t = 0", lambda g: g.antisym(using("none"), using(low))), apart))
        )
        up = g.by_fact("int_lt", 0, "t", by=[using(above)])
        before = g.have("0 <= t - 1", lambda g: g.pos([f"@{up}"]))
        h = g.apply("ih", "t - 1", by=[lambda g: g.conj(using(before), lambda g: g.pos([1])), lambda g: g.pos([f"@{high}"], [1])])
        one, two = g.obtain(h, "w", "m")
        move, turn = g.split(g.apply(law, "t - 1", by=[using(before), lambda g: g.pos([f"@{high}"], [1])]))
        back = g.have("t - 1 + 1 = t", lambda g: g.field())
        move, turn = g.rewritten(move, back), g.rewritten(turn, back)
        q = f"tr(T({B}) @ {B})"
        entries = g.fact("tr_entries", 1, f"T({B}) @ {B}")
        size = g.have(f"T({B}) @ {B} = {q}*I(1)", lambda g: g.ext(lambda g: g.field((entries, -1))))
        k = f"(1 - m*(1 + w*{q}))"
        res = RES.replace("(t)", "(t - 1)")
        value = g.have(
            f"{res} = {k}*{B}",
            lambda g: g.nc(
                (white, -1, None, "W(t - 1) @ a(t - 1)"), (one, -1, None, "a(t - 1)"), (two, -1, f"I(p) + w*({B} @ T({B}))", None), (size, "-m*w", B, None),
            ),
        )  # fmt: skip
        g.witness(f"w + r*{k}*m", f"m + r*{k}*(1 + w*{q})")
        two_t = g.have(f"T(a(t - 1)) = T(m*{B})", lambda g: g.ctx(using(two)))
        one_t = g.have(f"T(W(t - 1)) = T(I(p) + w*({B} @ T({B})))", lambda g: g.ctx(using(one)))
        g.conj(
            lambda g: g.nc(
                (move, 1, None, None), (one, 1, None, None), (value, "r", None, "T(a(t - 1))"), (two_t, f"r*{k}", B, None)
            ),
            lambda g: g.nc(
                (turn, 1, None, None),
                (two, 1, None, None),
                (value, "r", "T(W(t - 1))", None),
                (one_t, f"r*{k}", None, B),
                (size, f"r*{k}*w", B, None),
            ),
        )

    g.em("t = 0", start, step)


@amendment(
    "varre2023.assertion-c1-directions",
    f"{FROM_ZERO} all t:Z. 0 <= t => t <= N => (ex c:R. {RES} = c*{B}) and ex c:R. a(t) = c*{B}",
    says="from a_0 = 0 the directions of R_t and a_t are those of R_0 = X^T Y",
)
def directions_are_fixed(g: Goal) -> None:
    """W_t = I + w b b^T and a_t = m b."""
    names = g.intro()
    h = g.lemma("varre2023.assertion-c1-directions", "part:shape", *VARIABLES, by=[using(n) for n in names[:5]])
    one, two = g.obtain(g.apply(h, "t"), "w", "m")
    q = f"tr(T({B}) @ {B})"
    entries = g.fact("tr_entries", 1, f"T({B}) @ {B}")
    size = g.have(f"T({B}) @ {B} = {q}*I(1)", lambda g: g.ext(lambda g: g.field((entries, -1))))

    def residual(g: Goal) -> None:
        g.witness(f"1 - m*(1 + w*{q})")
        g.nc(
            (names[1], -1, None, "W(t) @ a(t)"),
            (one, -1, None, "a(t)"),
            (two, -1, f"I(p) + w*({B} @ T({B}))", None),
            (size, "-m*w", B, None),
        )

    g.conj(residual, lambda g: (g.witness("m"), g.close_by(two)))


@amendment(
    "varre2023.assertion-c1-rank-one",
    f"{FROM_ZERO} all t:Z. 0 <= t => t < N => ex c:R. W(t+1) - W(t) = c*({B} @ T({B}))",
    says="from a_0 = 0 every increment of W_t is a multiple of R_0 R_0^T",
    uses=["varre2023.assertion-c1-directions"],
)
def increments_have_rank_one(g: Goal) -> None:
    """The difference of two W = I + w b b^T."""
    names = g.intro()
    h = g.lemma("varre2023.assertion-c1-directions", "part:shape", *VARIABLES, by=[using(n) for n in names[:5]])
    one, _ = g.obtain(g.apply(h, "t", by=[None, lambda g: g.nlin(products=1)]), "w", "m")
    up = g.by_fact("int_lt", "t", "N")
    two, _ = g.obtain(g.apply(h, "t + 1", by=[lambda g: g.nlin(products=1), using(up)]), "v", "q")
    g.witness("v - w")
    g.nc((two, 1, None, None), (one, -1, None, None))
