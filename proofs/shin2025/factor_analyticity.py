"""Lemma 36: the factors of a two-layer gradient flow, and their product, are analytic functions of time."""

from __future__ import annotations

from proofs.shin2025.cauchy_majorants import MAJORANT
from proofs.shin2025.derivatives_of_products import ID, factorial
from proofs.shin2025.measurement_flow import MASK, flow, n2
from verify.kernel import Goal
from verify.kernel.library.analytic_functions import analytic
from verify.kernel.tactics import Script
from verify.registry import holds, part

SUM = " + ".join(n2(f"{x}({{0}})") for x in "ABVWPQ")


@holds(
    ID,
    f"""all d:Z, M Z:M(d,d), A B W:R~>M(d,d). {MASK} => {flow()} => (all t:R. 0 <= t => W(t) = A(t) @ B(t)) =>
        {analytic("A", "d", "d")} and {analytic("B", "d", "d")} and {analytic("W", "d", "d")}""",
    argument="sound",
    reading="Analytic on t >= 0: near every point s >= 0 each entry is the sum of its Taylor series at s. M is the indicator matrix"
    " of the observed entries, Z holds their values. Remark: the flow is needed (part:without-flow), and so is a loss that is"
    " analytic, as objective (2) is (part:without-objective);"
    " no balancedness is, nor square factors (part:without-square-factors).",
    context="the loss is objective (2), so that its gradient is the masked residual [(2)]",
    uses=[ID],
)
def factors_are_analytic(g: Goal) -> None:
    """On [0, s + 1] the six variables are bounded; the majorant bounds their derivatives, and with them the remainders."""
    factors_and_product(g, "d", "d", "d")


@part(
    ID,
    "without-square-factors",
    f"""all rows inner cols:Z, M Z:M(rows,cols), A:R~>M(rows,inner), B:R~>M(inner,cols), W:R~>M(rows,cols). {MASK} => {flow()} =>
        (all t:R. 0 <= t => W(t) = A(t) @ B(t)) => {analytic("A", "rows", "inner")} and {analytic("B", "inner", "cols")} and
        {analytic("W", "rows", "cols")}""",
    says="Without square factors: the lemma holds for factors of any shapes.",
    uses=[ID],
)
def factors_of_any_shape_are_analytic(g: Goal) -> None:
    """The same argument."""
    factors_and_product(g, "rows", "inner", "cols")


def factors_and_product(g: Goal, rows: str, inner: str, columns: str) -> None:
    """A, B and W = A B are analytic along the flow, for A of the shape rows x inner and B of the shape inner x columns."""
    shapes = {"V": (rows, columns), "P": (columns, columns), "Q": (rows, rows)}
    g.fix()
    mask, fl, w = (g.assume() for _ in range(3))
    extra = []
    for name, body in (("V", "had(M, A(t) @ B(t) - Z)"), ("P", "T(B(t)) @ B(t)"), ("Q", "A(t) @ T(A(t))")):
        h = g.obtain(
            g.have(
                f"ex {name}:R~>M({','.join(shapes[name])}). all t:R. {name}(t) = {body}",
                lambda g, body=body: (g.witness(f"lam t:R. {body}"), g.intro(), g.nc())[-1],
            ),
            name,
        )[0]
        extra.append(
            g.have(f"all t:R. 0 <= t => {name}(t) = {body}", lambda g, h=h: (g.intro(), g.close_by(g.apply(h, "t")))[-1])
        )
    bin_ = g.obtain(g.fact("binomials"), "Cb", split=False)[0]

    def bounded(g: Goal) -> None:
        (s,) = g.fix("s")
        g.assume()
        top = g.obtain(g.by_fact("extreme_value", "0", f"{s} + 1", f"lam t:R. {SUM.format('t')}", by=[None, None]), "b")
        size = SUM.format("b")
        g.have("0 <= b", lambda g: g.close_by(top[0]))
        total = g.obtain(g.have(f"ex R:R. R = 1 + {size}", lambda g: (g.witness(f"1 + {size}"), g.refl())[-1]), "R")[0]
        r1 = g.have("1 <= R", lambda g: (g.rewrite(total), g.pos(*[[n2(f"{x}(b)")] for x in "ABVWPQ"]))[-1])
        maj = g.obtain(g.lemma(ID, "part:majorant", "Cb", "R", by=[lambda g: g.close_by(bin_), None]), "c", "e", split=False)[0]
        one, two, values = g.split(maj)
        both = g.have(MAJORANT, lambda g: g.conj(lambda g: g.close_by(one), lambda g: g.close_by(two)))
        g.witness("R")
        zero = g.apply(values, "0")
        c0 = g.have("c(0) = R", lambda g: g.field((zero, 1)))

        def every(g: Goal) -> None:
            g.fix("t", "n")
            g.assume()
            late = g.assume()
            g.assume()
            most = g.apply(top[2], "t", by=[lambda g: g.conj(None, lambda g: g.close_by(late))])

            def start(x: str) -> Script:
                others = [[n2(f"{y}(t)")] for y in "ABVWPQ" if y != x]
                return lambda g: g.pos(["@" + most], *others, ["R", "@" + r1], ["1"], eqs=[(c0, "c(0) + R"), (total, "1")])

            k = g.lemma(
                ID,
                "part:derivative-bounds",
                *(rows, inner, columns, "Cb", "c", "e", "M", "Z", "A", "B", "V", "W", "P", "Q"),
                by=[*[lambda g, h=h: g.close_by(h) for h in (bin_, both, mask, fl, w, *extra)]],
            )
            k = g.apply(k, "t", by=[None, lambda g: g.conj(*[start(x) for x in "ABVWPQ"])])
            ready = g.split(g.apply(k, "n"))
            v = g.apply(values, "n")

            def bound(x: str) -> Script:
                return lambda g: g.exact(g.rewritten(ready["ABVWPQ".index(x)], v))

            g.conj(*[bound(x) for x in "ABW"])

        g.conj(None, every)

    limit = f"({factorial('n')}*R*(2*R)^n)^2"
    every = " and ".join(f"{n2(f'd(n,{x},t)')} <= {limit}" for x in "ABW")
    k = g.have(f"all s:R. 0 <= s => ex R:R. 1 <= R and all t:R, n:Z. 0 <= t => t <= s + 1 => 0 <= n => {every}", bounded)

    outer = {"A": (rows, inner), "B": (inner, columns), "W": (rows, columns)}

    def one(i: int, x: str) -> Script:
        def premise(g: Goal) -> None:
            (s,) = g.fix("s")
            g.assume()
            r1, h = g.obtain(g.apply(k, s), "R")
            g.witness("R")

            def all_(g: Goal) -> None:
                g.intro()
                g.close_by(g.split(g.apply(h, "t", "n"))[i])

            g.conj(lambda g: g.close_by(r1), all_)

        return lambda g: g.close_by(g.lemma(ID, "part:from-bounds", *outer[x], x, by=[premise]))

    g.conj(*[one(i, x) for i, x in enumerate("ABW")])
