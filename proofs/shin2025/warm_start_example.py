"""Appendix A.3: the worked example of Theorem 7 at the pre-trained point (10)."""

from __future__ import annotations

from proofs.shin2025.lazy_training import at_start, binary, singular_value
from proofs.shin2025.measurement_flow import flow, n2
from proofs.shin2025.stable_rank import stable_rank
from verify.kernel import Goal
from verify.registry import holds, part

POINT = "sqrt(w)*I(2)"
M, Z = "[[1,1],[0,1]]", "[[w,x],[0,w]]"
OBSERVED = (("1", "1", "w"), ("1", "2", "x"), ("2", "2", "w"))
LOSS = "(" + " + ".join(f"((A @ B)[{i},{j}] - {v})^2" for i, j, v in OBSERVED) + ")/2"
THRESHOLD = "x <= w/(12*sqrt(2))"
VALUES = "w is w*, x is w12*."


@holds(
    "shin2025.example-a3-loss",
    f"all w x:R, A B:M(2,2). 0 < w => 0 < x => A = {POINT} => B = {POINT} => {LOSS} = x^2/2",
    argument="sound",
    reading=VALUES,
)
def loss_at_the_warm_start(g: Goal) -> None:
    """A B = w I."""
    h = g.intro()
    g.rewrite(h[2])
    g.rewrite(h[3])
    g.field()


def derivative(i: str, j: str, layer: str, k: int, m: int) -> str:
    """The derivative of the prediction (i, j) in the entry (k, m) of a factor, at the point (10)."""
    rows = [["u" if (r, c) == (k, m) else "sqrt(w)" if r == c else "0" for c in (1, 2)] for r in (1, 2)]
    varied = "[" + ",".join("[" + ",".join(r) + "]" for r in rows) + "]"
    product = f"{varied} @ ({POINT})" if layer == "A" else f"({POINT}) @ {varied}"
    return f"D(u, ({product})[{i},{j}], {'sqrt(w)' if k == m else '0'})"


JACOBIAN = (
    "["
    + ", ".join(
        "[" + ", ".join(derivative(i, j, layer, k, m) for layer in "AB" for k in (1, 2) for m in (1, 2)) + "]"
        for i, j, _ in OBSERVED
    )
    + "]"
)


@holds(
    "shin2025.example-a3-jacobian",
    f"all w:R, Jac:M(3,8). 0 < w => Jac = {JACOBIAN} => sv(Jac,1) = sqrt(2*w) and sv(Jac,2) = sqrt(2*w) and sv(Jac,3) = "
    f"sqrt(2*w)",
    argument="sound",
    reading="Jac holds the partial derivatives of the three predictions in the eight entries of A and B at the point "
    "(10); all three singular values are given.",
)
def jacobian_at_the_warm_start(g: Goal) -> None:
    """J J^T = 2 w* I: a bound of |J v| from above, of |J^T v| from below."""
    _, j = g.intro()
    c = "sqrt(2*w)"
    gram = g.have("Jac @ T(Jac) = (2*w)*I(3)", lambda g: (g.rewrite(j), g.ext(lambda g: g.field()))[-1])

    def above(g: Goal) -> None:
        (v,) = g.fix("v")
        y = f"{v} - (1/(2*w))*(T(Jac) @ Jac @ {v})"
        e = g.have(
            f"tr(T({v}) @ T(Jac) @ Jac @ T(Jac) @ Jac @ {v}) = 2*w*tr(T({v}) @ T(Jac) @ Jac @ {v})",
            lambda g: g.exact(
                g.have(
                    f"tr(T({v}) @ T(Jac) @ (Jac @ T(Jac)) @ Jac @ {v}) = 2*w*tr(T({v}) @ T(Jac) @ Jac @ {v})",
                    lambda g: (g.rewrite(gram), g.field())[-1],
                )
            ),
        )
        g.pos(["2*w", n2(y)], eqs=[(e, "-1/(2*w)")])

    def below(g: Goal) -> None:
        (v,) = g.fix("v")
        e = g.have(f"tr(T({v}) @ (Jac @ T(Jac)) @ {v}) = 2*w*tr(T({v}) @ {v})", lambda g: (g.rewrite(gram), g.field())[-1])
        g.pos(eqs=[(e, "1")])

    up = g.by_fact("spec_least", 3, 8, c, "Jac", by=[None, above])
    low = g.by_fact("sv_stretch", 8, 3, 3, c, "T(Jac)", by=[None, None, None, below])
    t = g.fact("sv_transpose", 3, 8, 3, "Jac")
    s = g.fact("spec_is_sv", 3, 8, "Jac")
    r = g.fact("sv_range", 3, 8, "Jac")
    a = g.apply(g.split(g.apply(r, 1, 2))[1])
    b = g.apply(g.split(g.apply(r, 2, 3))[1])
    top = g.have(f"sv(Jac,1) <= {c}", lambda g: g.pos([f"@{up}"], eqs=[(s, "1")]))
    bottom = g.have(f"{c} <= sv(Jac,3)", lambda g: g.pos([f"@{low}"], eqs=[(t, "-1")]))
    del a, b, top, bottom
    g.conj(*[lambda g: g.antisym()] * 3)


@holds(
    "shin2025.example-a3-threshold",
    f"""all w x:R, A B:M(2,2). 0 < w => 0 < x => A = {POINT} => B = {POINT} => {THRESHOLD} =>
        {LOSS} <= sqrt(2*w)^6/(1152*2*sqrt(2*w)^2)""",
    argument="sound",
    uses=["shin2025.example-a3-loss"],
    reading=f"{VALUES} The extreme singular values of the Jacobian are both sqrt(2 w*).",
)
def threshold_for_the_new_entry(g: Goal) -> None:
    """x^2/2 <= w^2/576."""
    _w0, _x0, _a, _b, h = g.intro()
    e = g.lemma("shin2025.example-a3-loss", "statement", "w", "x", "A", "B")
    g.have("0 <= w/(12*sqrt(2)) + x")
    g.pos([f"@{h}", "w/(12*sqrt(2)) + x", "1/2"], eqs=[(e, "-1")])


@part(
    "shin2025.example-a3-threshold",
    "sharp",
    f"""all w x:R, A B:M(2,2). 0 < w => 0 < x => A = {POINT} => B = {POINT} =>
        {LOSS} <= sqrt(2*w)^6/(1152*2*sqrt(2*w)^2) => {THRESHOLD}""",
    says="the threshold is the exact one: the hypothesis of Theorem 7 holds only if w12* <= w*/(12 sqrt 2)",
    uses=["shin2025.example-a3-loss"],
)
def threshold_is_sharp(g: Goal) -> None:
    """Both sides squared."""
    _w0, _x0, _a, _b, h = g.intro()
    e = g.lemma("shin2025.example-a3-loss", "statement", "w", "x", "A", "B")
    k = g.have("x^2 <= (w/(12*sqrt(2)))^2", lambda g: g.pos([f"@{h}", "2"], eqs=[(e, "2")]))
    more = g.contra()
    g.pos([f"@{k}"], [f"@{more}", f"@{more}"], [f"@{more}", "2", "w/(12*sqrt(2))"])


@part(
    "shin2025.example-a3-threshold",
    "by-length",
    f"""all w x:R, A B:M(2,2). 0 < w => 0 < x => A = {POINT} => B = {POINT} => ({LOSS} < sqrt(2*w)^4/32 <=> x < w/2)""",
    says="the condition loss(T_1) < sigma_min^4/32, which suffices as well (theorem-7-loss, threshold-by-length), says "
    "w12* < w*/2 here",
    uses=["shin2025.example-a3-loss"],
)
def threshold_by_the_length(g: Goal) -> None:
    """x^2/2 < w^2/8."""
    g.intro()
    e = g.lemma("shin2025.example-a3-loss", "statement", "w", "x", "A", "B")

    def below(g: Goal) -> None:
        h = g.assume()
        more = g.contra()
        g.pos([f"@{h}", "2"], [f"@{more}", "x + w/2"], eqs=[(e, "2")])

    def above(g: Goal) -> None:
        h = g.assume()
        g.pos([f"@{h}", "x + w/2", "1/2"], eqs=[(e, "-1")])

    g.iff(below, above)


FLOW = flow("a").replace("had(M,", f"had({M},").replace("- Z)", f"- {Z})")


EXAMPLE = f"""all w x a:R, A B:R~>M(2,2). 0 < w => 0 < x => 0 <= a => {FLOW} => A(a) = {POINT} => B(a) = {POINT} => {THRESHOLD} =>
        all t:R. a <= t =>"""


@holds(
    "shin2025.example-a3-131",
    f"{EXAMPLE} 1.31 < {stable_rank('A(t)')}",
    argument="sound",
    uses=["shin2025.theorem-7-stable-rank"],
    reading=f"{VALUES} a is T_1; the unobserved entry of the target plays no role and is set to 0.",
)
def stable_rank_stays_above_131(g: Goal) -> None:
    """Theorem 7 with both singular values sqrt(2 w*): the bound is ((2 - sqrt 2/8)/(9 sqrt 2/8))^2 = 1.313..."""
    bound = f"(sqrt(2)*spec({POINT}) + sqrt(2*w)/(4*sqrt(2*2)))", "(sqrt(2)*sqrt(2*w) - sqrt(2*w)/(4*sqrt(2*2)))"
    stable_rank_in_the_example(g, "statement", bound, "sqrt(2)", "9/8*sqrt(2)", "1.31", "1.31*(81/32) < (2 - sqrt(2)/8)^2")


@part(
    "shin2025.example-a3-131",
    "shorter",
    f"{EXAMPLE} 1.72 < {stable_rank('A(t)')}",
    says="by the shorter path the stable rank of A even stays above 1.72",
    uses=["shin2025.theorem-7-stable-rank"],
)
def stable_rank_stays_above_172(g: Goal) -> None:
    """The bound is ((sqrt 2 - 11/252)/(1 + 11/252))^2 = 1.724..."""
    bound = f"(spec({POINT}) + 11/252*sqrt(2*w)/sqrt(2))", "(sqrt(2*w) - 11/252*sqrt(2*w)/sqrt(2))"
    number = "1.72*(263/252)^2 < (sqrt(2) - 11/252)^2"
    stable_rank_in_the_example(g, "part:shorter", bound, "1", "263/252", "1.72", number)


def stable_rank_in_the_example(g: Goal, role: str, bound: tuple[str, str], scale: str, top: str, value: str, number: str) -> None:
    """Close value < stable rank by Theorem 7 in the given role: its bound is (q/p)^2 for bound = (p, q), where p grows like
    scale |A|_2 and is at most top sqrt(w), and `number` is value top^2 w < q^2 divided by w."""
    hs = g.intro()
    ea, eb, small = hs[4:7]
    c = "sqrt(2*w)"
    here = at_start(ea, eb)
    extreme = singular_value(here, "[[1,0],[0,0]]")

    def loss(g: Goal) -> None:
        g.have("0 <= w/(12*sqrt(2)) + x")
        g.pos([f"@{small}", "w/(12*sqrt(2)) + x", "1/2"])

    h = g.lemma("shin2025.theorem-7-stable-rank", role)
    h = g.apply(
        h,
        "2",
        "a",
        M,
        Z,
        "A",
        "B",
        c,
        c,
        by=[
            None,
            None,
            lambda g: binary(g, M, 2, lambda i, j: int((i, j) != (2, 1))),
            None,
            None,
            *extreme,
            None,
            *extreme,
            here(lambda g: g.nc()),
            here(loss),
        ],
    )
    h = g.apply(h, "t")
    h = g.rewritten(h, ea)
    frobenius = g.have(f"{n2(POINT)} = 2*w", lambda g: g.field())
    h = g.rewritten(h, frobenius)
    up = g.by_fact("spec_least", 2, 2, "sqrt(w)", POINT, by=[None, lambda g: (g.fix("v"), g.pos())[-1]])
    sv = g.fact("spec_is_sv", 2, 2, POINT)
    low = g.split(g.apply(g.fact("sv_range", 2, 2, POINT), 1, 1))[0]
    g.have(f"0 <= spec({POINT})", lambda g: g.pos([f"@{low}"], eqs=[(sv, "1")]))
    p, q = bound
    g.have(f"0 < {p}")
    k = g.have(f"{p} <= {top}*sqrt(w)", lambda g: g.pos([scale, f"@{up}"]))
    sure = g.have(number, lambda g: g.ball())
    r = g.have(
        f"{value} < ({q}/{p})^2",
        lambda g: g.pos(["w", f"@{sure}"], [value, f"@{k}", f"{top}*sqrt(w) + {p}"], mul=[p, p]),
    )
    g.pos([f"@{h}"], [f"@{r}"])
