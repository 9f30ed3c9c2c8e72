"""Appendix G.2: what follows from the signs along the reduced flow (51), collected for the claims that need it."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import ALL, CORE, CROSS, ROW1, ROW2, W11, W12, W21, F, at, of_reduced, rates, reduced
from proofs.shin2025.warm_start_signs import LOSS, SUM, X
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

DET = "(p(t)*s(t) - q(t)*r(t))"
WEAK = f"w <= {W11} and {W12} <= v and 0 <= {CROSS}"
BALANCE = "p(t)^2 + r(t)^2 = q(t)^2 + s(t)^2"


@part(CORE, "weak", reduced(f"all t:R. 0 <= t => {WEAK}"), says="x, f, g are nonnegative for t >= 0.")
def signs_from_the_start_on(g: Goal) -> None:
    """At the start x = 0, f = w12*, g = 0; afterwards all are positive."""
    hs = g.intro()
    signs = of_reduced(g, hs, "signs")
    root = g.by_fact("sqrt_sq", "w")

    def later(g: Goal) -> None:
        g.split_all(g.apply(signs, "t"))
        g.conj(*[lambda g: g.nlin(products=1)] * 3)

    def now(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        z = g.have("t = 0", lambda g: g.field((h, -1)))
        g.rewrite(z)
        x = g.have(f"{at(W11, '0')} = w", lambda g: g.field((root, 1), rw=hs[2:6]))
        f = g.have(f"{at(W12, '0')} = 0", lambda g: g.field(rw=hs[2:6]))
        c = g.have(f"{at(CROSS, '0')} = 0", lambda g: g.field(rw=hs[2:6]))
        g.conj(*[lambda g, k=k: g.nlin(products=1, use=[k, hs[1]]) for k in (x, f, c)])

    g.less_or_equal("0 <= t", later, now)


@part(CORE, "negative", reduced(f"all t:R. 0 < t => {W21} < 0"), says="w21 is negative for t > 0.")
def unobserved_entry_is_negative(g: Goal) -> None:
    """w21' = -2 x g < 0 for t > 0, and w21 = 0 at the start."""
    hs = g.intro()
    signs = of_reduced(g, hs, "signs")

    def slope(g: Goal) -> None:
        (u,) = g.fix("u")
        g.split_all(g.assume())
        x, _, c = g.split_all(g.apply(signs, u))
        g.pos(["2", "@" + x, "@" + c], rw=rates(g, hs[6], u))

    h = g.by_fact("mean_value_lt", "0", "t", f"lam t:R. -{W21}", by=[None, slope])
    g.pos(["@" + h], rw=hs[2:6])


REST = f"""{BALANCE} and w <= {W11} and {W12} <= v and 0 <= {CROSS} and {W21} <= 0 and 0 <= {W12} and 0 < {DET} and
           0 < p(t) and 0 < s(t) and 0 <= q(t) and w^2 <= {DET}^2 and {LOSS} <= v^2/2 and
           {SUM}*{W11} = {ALL}*{CROSS} and 0 <= {SUM}"""


@part(CORE, "bounds", reduced(f"all t:R. 0 <= t => {REST}"), says="Signs and bounds for t >= 0.")
def signs_and_bounds(g: Goal) -> None:
    """det A^2 = w11^2 - w12 w21 >= w*^2, so det A keeps its sign; where a11 or a22 vanished, det A and w11 would have
    opposite signs;
    w12 >= 0 because the loss does not exceed w12*^2/2."""
    hs = g.intro()
    weak = of_reduced(g, hs, "weak")
    balance = of_reduced(g, hs, "balance")
    below = of_reduced(g, hs, "loss-start")
    negative = of_reduced(g, hs, "negative")
    root = g.by_fact("sqrt_sq", "w")

    def facts(g: Goal, t: str) -> dict[str, str]:
        """The bounds that need no continuity, at a time >= 0."""
        b = g.apply(balance, t)
        x, f, c = g.split_all(g.apply(weak, t))
        loss = g.apply(below, t)

        def w21(g: Goal) -> None:
            def now(g: Goal) -> None:
                h = list(g.seq.hyps)[-1]
                z = g.have(f"{t} = 0", lambda g: g.field((h, -1)))
                g.rewrite(z)
                g.pos(rw=hs[2:6])

            g.less_or_equal(f"0 <= {t}", lambda g: (g.apply(negative, t), g.nlin(products=1)), now)

        n = g.have(f"{at(W21, t)} <= 0", w21)
        w12 = g.have(f"0 <= {at(W12, t)}", lambda g: impossible(g, loss, t))
        det = g.have(f"w^2 <= {at(DET, t)}^2", lambda g: g.pos(["@" + x, "@" + x], ["2", "w", "@" + x], ["@" + w12, "@" + n]))
        return {"b": b, "x": x, "f": f, "c": c, "n": n, "w12": w12, "det": det, "loss": loss}

    def impossible(g: Goal, loss: str, t: str) -> None:
        no = "@" + g.contra()
        g.pos([no, "v"], ["1/2", no, no], ["@" + loss], [f"{at(X, t)}^2"])

    def never_zero(g: Goal, value: str, clash: Script, t: str = "t") -> str:
        """A function that is positive at the start and nowhere zero is positive at a time >= 0."""

        def positive(g: Goal) -> None:
            g.contra()
            g.have(
                f"0 < {at(value, '0')}",
                lambda g: g.pos(["w"], eqs=[(root, "1")], rw=hs[2:6]) if "*" in value else g.pos(["sqrt(w)"], rw=hs[2:6]),
            )
            h = g.by_fact(
                "intermediate_value", "0", t, "0", f"lam t:R. {value}", by=[None, None, lambda g: (g.left_or_right(1), g.auto())]
            )
            _, _, zero = g.obtain(h, "c")
            clash(g, zero)

        return g.have(f"0 < {at(value, t)}", positive)

    def det_zero(g: Goal, zero: str) -> None:
        k = facts(g, "c")
        g.pos(["w", "w"], ["@" + k["det"]], eqs=[(zero, f"-{at(DET, 'c')}")])

    never_zero(g, DET, det_zero)

    def diagonal_zero(g: Goal, zero: str) -> None:
        d = g.apply(positive, "c")
        k = facts(g, "c")
        cofactor = "-2*s(c)" if g.hyp_formula(zero)[1][1] == "p" else "-2*p(c)"
        g.pos(["w"], ["@" + d], ["@" + k["x"]], eqs=[(zero, cofactor)])

    def det_positive(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        g.close_by(never_zero(g, DET, det_zero, u))

    positive = g.have(f"all t:R. 0 <= t => 0 < {DET}", det_positive)
    k = facts(g, "t")
    d = g.apply(positive, "t")
    p = never_zero(g, "p(t)", diagonal_zero)
    s = never_zero(g, "s(t)", diagonal_zero)
    q = g.have("0 <= q(t)", lambda g: (n := g.contra(), g.pos(["2", "@" + p, "@" + n], ["@" + k["w12"]])))
    known = g.have(f"{SUM}*{W11} = {ALL}*{CROSS}", lambda g: g.field((k["b"], "q(t)*s(t) - p(t)*r(t)")))
    w11 = g.have(f"0 < {W11}", lambda g: g.pos(["w"], ["@" + k["x"]]))
    total = g.have(f"0 <= {SUM}", lambda g: g.pos([ALL, "@" + k["c"]], mul=["@" + w11], eqs=[(known, "1")]))
    order = [k["b"], k["x"], k["f"], k["c"], k["n"], k["w12"], d, p, s, q, k["det"], k["loss"], known, total]
    g.conj(*[lambda g, h=h: g.close_by(h) for h in order])


SIZES = f"{ROW2} <= w and w <= {ROW1}"


@part(CORE, "rows", reduced(f"all t:R. 0 <= t => {SIZES}"), says="The second row of A shrinks, the first one stays above w*.")
def rows_of_a(g: Goal) -> None:
    """(a21^2 + a22^2)' = -2 w11 x <= 0, and |A|^2 >= 2 w11 >= 2 w*."""
    hs = g.intro()
    bounds = of_reduced(g, hs, "weak")
    root = g.by_fact("sqrt_sq", "w")

    def down(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        x, _, _ = g.split_all(g.apply(bounds, u))
        g.pos(["2", "@" + x, "@" + x], ["2", "w", "@" + x], rw=rates(g, hs[6], u))

    h = g.apply(g.by_fact("nonincreasing", "0", f"lam t:R. {ROW2}", by=[None, down]), "0", "t")
    z = g.have(f"{at(ROW2, '0')} = w", lambda g: g.field((root, "1"), rw=hs[2:6]))
    small = g.have(f"{ROW2} <= w", lambda g: g.nlin(products=1, use=[h, z]))
    x, _, _ = g.split_all(g.apply(bounds, "t"))
    g.conj(None, lambda g: g.nlin("(p(t) - s(t))^2", "(q(t) - r(t))^2", products=1, use=[small, x]))


DECAY = f"{LOSS} <= v^2/2*exp(-2*w*t)"


@part(CORE, "decay", reduced(f"all t:R. 0 <= t => {DECAY}"), says="The loss decays at the rate 2 w*.")
def loss_decays(g: Goal) -> None:
    """loss' + 2 w* loss is minus a sum of 2 x^2 (a11^2 + a12^2 - w*), a square and a quadratic form that is nonnegative because
    det A^2 >= w* (a21^2 + a22^2)."""
    hs = g.intro()
    bounds = of_reduced(g, hs, "bounds")
    sizes = of_reduced(g, hs, "rows")
    root = g.by_fact("sqrt_sq", "w")

    def slope(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        b = g.split_all(g.apply(bounds, u))
        small, large = g.split_all(g.apply(sizes, u))
        x, f, c, row2 = at(X, u), at(F, u), at(CROSS, u), at(ROW2, u)
        first, second = f"(r({u})*{x} - p({u})*{f})^2", f"(s({u})*{x} - q({u})*{f})^2"
        g.pos(
            ["2", row2, f"{x}^2", "@" + large],
            [f"({row2}*{x} - {f}*{c})^2"],
            [f"{f}^2", "@" + b[10]],
            [f"{f}^2", "w", "@" + small],
            [row2, first],
            [row2, second],
            mul=[row2],
            rw=rates(g, hs[6], u),
        )

    h = g.apply(g.by_fact("gronwall", "0", f"lam t:R. {LOSS}", "lam t:R. -2*w*t", by=[None, slope]), "t")
    z = g.have(f"{at(LOSS, '0')} = v^2/2", lambda g: g.field((root, "w - sqrt(w)^2"), rw=hs[2:6]))
    g.pos(["@" + h], eqs=[(z, "-exp(-2*w*t)")])


S1, S2 = f"({ALL}/2 + {SUM}/2)", f"({ALL}/2 - {SUM}/2)"
SPREAD = f"{S1} <= w*exp(2*v/w*(1 - exp(-w*t))) and w*exp(-(2*v/w*(1 - exp(-w*t)))) <= {S2}"


@part(CORE, "residual", reduced(f"all t:R. 0 <= t => {F} <= v*exp(-w*t)"), says="The residual of w12 decays at the rate w*.")
def residual_decays(g: Goal) -> None:
    """Half its square is at most the loss."""
    hs = g.intro()
    h = g.apply(of_reduced(g, hs, "decay"), "t")
    n = "@" + g.contra()
    g.pos([n, n], ["2", "v", "exp(-w*t)", n], ["2", "@" + h], ["2", f"{X}^2"])


@part(CORE, "spread", reduced(f"all t:R. 0 <= t => {SPREAD}"), says="Bounds for |A|^2/2 +- (w12 + w21)/2.")
def spread_of_the_singular_values(g: Goal) -> None:
    """S1 = ((a11 + a12)^2 + (a21 + a22)^2)/2 grows at most at the rate 2 f <= 2 w12* e^(-w* t); S1 S2 = det A^2 >= w*^2."""
    hs = g.intro()
    bounds = of_reduced(g, hs, "bounds")
    small = of_reduced(g, hs, "residual")
    root = g.by_fact("sqrt_sq", "w")
    g.have("w != 0")

    def slope(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        b = g.split_all(g.apply(bounds, u))
        f = g.apply(small, u)
        row1, row2 = f"(p({u}) + q({u}))^2", f"(r({u}) + s({u}))^2"
        g.pos(
            ["2", "@" + b[1], "@" + b[1]],
            ["2", "w", "@" + b[1]],
            ["2", "@" + b[1], "@" + b[3]],
            ["@" + f, row1],
            ["v", f"exp(-w*{u})", row2],
            rw=rates(g, hs[6], u),
        )

    rate = "2*v/w*(1 - exp(-w*t))"
    h = g.apply(g.by_fact("gronwall", "0", f"lam t:R. {S1}", f"lam t:R. {rate}", by=[None, slope]), "t")
    z = g.have(f"{at(S1, '0')} = w", lambda g: g.field((root, "1"), rw=hs[2:6]))
    upper = g.have(f"{S1} <= w*exp({rate})", lambda g: g.pos(["@" + h], eqs=[(z, f"-exp({rate})")]))
    b = g.split_all(g.apply(bounds, "t"))
    s1 = g.have(f"0 < {S1}", lambda g: g.nlin("(p(t)-s(t))^2", "(q(t)-r(t))^2", products=1, use=[hs[0], b[1], b[13]]))
    lower = g.have(
        f"w*exp(-({rate})) <= {S2}",
        lambda g: g.pos(
            ["@" + b[10]],
            ["w", f"exp(-({rate}))", "@" + upper],
            mul=["@" + s1],
            eqs=[(b[0], "(p(t)^2 + r(t)^2 - q(t)^2 - s(t)^2)/4")],
        ),
    )
    g.conj(lambda g: g.close_by(upper), lambda g: g.close_by(lower))
