"""(10) and (45): pre-training on the diagonal from a scaled identity ends at sqrt(w*) I."""

from __future__ import annotations

from proofs.shin2025.entries_of_2x2 import at_each_entry
from proofs.shin2025.warm_start_flow import PAPER
from verify.kernel import Goal
from verify.registry import holds, part

SCALAR = "all c w:R, y:R~>R. 0 < c => 0 < w => y(0) = c => (all t:R. 0 <= t => y'(t) = (w - y(t)^2)*y(t)) => "


@part(
    f"{PAPER}.eq-10",
    "scalar",
    SCALAR + "tends(t, y(t), sqrt(w))",
    says="The scalar flow y' = (w - y^2) y converges to sqrt(w) from every c > 0.",
)
def scalar_flow_converges(g: Goal) -> None:
    """w - y^2 = (w - c^2) e^(-2U) with U' = y^2 keeps its sign; so y^2 >= m = min(c^2, w), U >= m t, and |y - sqrt(w)|
    <= |w - y^2|/sqrt(w)."""
    _c, _w, start, flow = g.intro()

    def rate(g: Goal, x: str) -> str:
        return g.apply(flow, x)

    hk = g.obtain(g.by_fact("antiderivative", "lam t:R. w - y(t)^2"), "K")[1]
    hu = g.obtain(g.by_fact("antiderivative", "lam t:R. y(t)^2"), "U")

    def solves(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        g.field(rw=[rate(g, x), g.apply(hk, x)])

    sol = g.by_fact("linear_ode", "0", "lam t:R. y(t)", "lam t:R. K(t)", by=[None, solves])

    def always(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        k = g.apply(sol, x)
        g.pos(["c", f"exp(K({x}) - K(0))"], eqs=[(k, "1"), (start, f"exp(K({x}) - K(0))")])

    positive = g.have("all t:R. 0 <= t => 0 < y(t)", always)

    def gap(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        g.field(rw=[rate(g, x), g.apply(hu[1], x)])

    z = g.by_fact("linear_ode", "0", "lam t:R. w - y(t)^2", "lam t:R. -2*U(t)", by=[None, gap])

    def value(g: Goal, x: str) -> str:
        """w - y^2 = (w - c^2) exp(-2 U)."""
        k = g.apply(z, x)
        e = g.have(f"exp(-2*U({x}) - -2*U(0)) = exp(-2*U({x}))", lambda g: g.ctx(lambda g: g.field((hu[0], "2"))))
        return g.have(
            f"w - y({x})^2 = (w - c^2)*exp(-2*U({x}))",
            lambda g: g.field((k, "1"), (start, f"-(y(0) + c)*exp(-2*U({x}))"), (e, "w - y(0)^2")),
        )

    def finish(g: Goal, m: str, sign: int) -> None:
        """m is the lower bound of y^2; sign: that of w - c^2."""
        size = "(w - c^2)" if sign > 0 else "(c^2 - w)"
        order = list(g.seq.hyps)[-1]

        def least(g: Goal) -> None:
            (x,) = g.fix("x")
            g.assume()
            if sign > 0:

                def grows(g: Goal) -> None:
                    (x,) = g.fix("x")
                    g.assume()
                    v = value(g, x)
                    g.pos(["2", f"y({x})^2", "@" + order, f"exp(-2*U({x}))"], eqs=[(v, f"2*y({x})^2")], rw=[rate(g, x)])

                h = g.apply(g.by_fact("nondecreasing", "0", "lam t:R. y(t)^2", by=[None, grows]), "0", x)
                g.pos(["@" + h], eqs=[(start, "y(0) + c")])
            else:
                v = value(g, x)
                g.pos(["@" + order, f"exp(-2*U({x}))"], eqs=[(v, "-1")])

        floor = g.have(f"all t:R. 0 <= t => {m} <= y(t)^2", least)
        g.have(f"0 < {m}")
        twice = g.obtain(g.have(f"ex n:R. n = 2*{m}", lambda g: (g.witness(f"2*{m}"), g.refl())), "n")[0]
        g.have("0 < n", lambda g: g.pos(["2", m], eqs=[(twice, "1")]))

        def slope(g: Goal) -> None:
            (x,) = g.fix("x")
            g.assume()
            f = g.apply(floor, x)
            g.pos(["@" + f], rw=[g.apply(hu[1], x)])

        long = g.by_fact("nondecreasing", "0", f"lam t:R. U(t) - {m}*t", by=[None, slope])
        zero = g.by_fact(
            "tends_scale",
            f"{size}/sqrt(w)",
            "0",
            "lam t:R. exp(-n*t)",
            by=[lambda g: g.close_by(g.by_fact("tends_exp_decay", "n"))],
        )
        bound = f"{size}/sqrt(w)*exp(-n*t)"
        top = g.have(f"tends(t, {bound}, 0)", lambda g: g.exact(zero))
        neg = g.by_fact("tends_scale", "-1", "0", f"lam t:R. {bound}", by=[lambda g: g.close_by(top)])
        low = g.have(f"tends(t, -1*({bound}), 0)", lambda g: g.exact(neg))

        def inside(g: Goal) -> None:
            g.intro()
            v = value(g, "t")
            g.apply(positive, "t")
            h = g.apply(long, "0", "t")
            e = g.by_fact("exp_mono", "-2*U(t)", "-n*t", by=[lambda g: g.pos(["2", "@" + h], eqs=[(hu[0], "2"), (twice, "-t")])])
            root = g.by_fact("sqrt_sq", "w")
            # |y - sqrt w| sqrt w <= |y^2 - w|, of one sign
            d = "(sqrt(w) - y(t))" if sign > 0 else "(y(t) - sqrt(w))"
            side = g.have(
                f"0 <= {d}",
                lambda g: g.pos(["@" + order, "exp(-2*U(t))"], mul=["y(t) + sqrt(w)"], eqs=[(v, f"{sign}"), (root, f"{sign}")]),
            )
            near = g.have(
                f"{d} <= {size}/sqrt(w)*exp(-n*t)",
                lambda g: g.pos(
                    ["@" + order, "@" + e], ["@" + side, "y(t)"], mul=["sqrt(w)"], eqs=[(v, f"{-sign}"), (root, f"{-sign}")]
                ),
            )
            g.conj(
                lambda g: g.pos(["@" + near]) if sign > 0 else g.pos(["@" + side], ["@" + order, "exp(-n*t)/sqrt(w)"]),
                lambda g: g.pos(["@" + side], ["@" + order, "exp(-n*t)/sqrt(w)"]) if sign > 0 else g.pos(["@" + near]),
            )

        h = g.by_fact(
            "tends_squeeze",
            "0",
            "0",
            f"lam t:R. -1*({bound})",
            "lam t:R. y(t) - sqrt(w)",
            f"lam t:R. {bound}",
            by=[inside, lambda g: g.close_by(low), lambda g: g.close_by(top)],
        )
        k = g.by_fact(
            "tends_add",
            "0",
            "sqrt(w)",
            "lam t:R. y(t) - sqrt(w)",
            "lam t:R. sqrt(w)",
            by=[lambda g: g.close_by(h), lambda g: g.close_by(g.fact("tends_const", "sqrt(w)"))],
        )
        n = g.by_fact(
            "tends_ext",
            "0",
            "0 + sqrt(w)",
            "lam t:R. (y(t) - sqrt(w)) + sqrt(w)",
            "lam t:R. y(t)",
            by=[lambda g: (g.intro(), g.field()), lambda g: g.close_by(k)],
        )
        g.exact(n)

    g.cases(g.fact("total", "c^2", "w"), lambda g: finish(g, "c^2", 1), lambda g: finish(g, "w", -1))


W = "(A(t) @ B(t))"
GRADIENT = f"[[{W}[1,1] - w, 0], [0, {W}[2,2] - w]]"
SETTING = f"""all c w:R, A B:R~>M(2,2). 0 < c => 0 < w => A(0) = c*I(2) => B(0) = c*I(2) =>
   (all t:R. 0 <= t => A'(t) = -({GRADIENT} @ T(B(t))) and B'(t) = -(T(A(t)) @ {GRADIENT})) => """
TARGET = "[[sqrt(w), 0], [0, sqrt(w)]]"
STATEMENT = SETTING + f"tends(t, A(t), {TARGET}) and tends(t, B(t), {TARGET})"
READING = "A(T_1), B(T_1) are the limits of the factors for t to infinity; that they exist is part of the claim."


@holds(
    f"{PAPER}.eq-10",
    STATEMENT,
    reading=READING,
    argument="repaired",
    reason="Proved from the flow directly, without the closed form of Proposition 5.",
)
def pretrained_factors(g: Goal) -> None:
    """The off-diagonal entries and the differences of the diagonal ones solve linear scalar equations and stay 0; the
    diagonal follows
    y' = (w* - y^2) y."""
    hs = g.intro()
    flow = hs[4]
    residual = {1: f"({W}[1,1] - w)", 2: f"({W}[2,2] - w)"}
    anti = {}
    for i in (1, 2):
        anti[i] = g.obtain(g.by_fact("antiderivative", f"lam t:R. {residual[i]}"), f"K{i}")[1]

    def entry_rates(g: Goal, t: str) -> list[str]:
        ha, hb = g.split_all(g.apply(flow, t))
        out = []
        for name, h in (("A", ha), ("B", hb)):
            for i in (1, 2):
                for j in (1, 2):

                    def same(g: Goal, h: str = h) -> None:
                        g.rewrite(h)
                        g.refl()

                    out.append(
                        g.have(("=", ("entry", ("d", 1, name, g.term(t)), i, j), ("entry", g.hyp_formula(h)[2], i, j)), same)
                    )
        return out

    def vanishes(value: str, i: int, sign: str) -> str:
        """A value with value' = sign * residual_i * value that is 0 at the start."""

        def rate(g: Goal) -> None:
            (x,) = g.fix("x")
            g.assume()
            g.field(rw=[*entry_rates(g, x), g.apply(anti[i], x)])

        sol = g.by_fact("linear_ode", "0", f"lam t:R. {value}", f"lam t:R. {sign}K{i}(t)", by=[None, rate])

        def always(g: Goal) -> None:
            g.intro()
            k = g.apply(sol, "t")
            z = g.have(f"{value.replace('(t)', '(0)')} = 0", lambda g: (g.rewrite(hs[2]), g.rewrite(hs[3]), g.field()))
            g.field((k, "1"), (z, f"exp({sign}K{i}(t) - {sign}K{i}(0))" if not sign else f"exp(-K{i}(t) + K{i}(0))"))

        return g.have(f"all t:R. 0 <= t => {value} = 0", always)

    zero = []
    for i, a, b in ((1, "A(t)[1,2]", "B(t)[2,1]"), (2, "A(t)[2,1]", "B(t)[1,2]")):
        plus, minus = vanishes(f"{a} + {b}", i, "-"), vanishes(f"{a} - {b}", i, "")
        for x, s in ((a, 1), (b, -1)):

            def half(g: Goal, s: int = s, plus: str = plus, minus: str = minus) -> None:
                g.intro()
                g.field((g.apply(plus, "t"), "1/2"), (g.apply(minus, "t"), f"{s}/2"))

            zero.append((x, g.have(f"all t:R. 0 <= t => {x} = 0", half)))
    offs = dict(zero)
    scalar = g.lemma(f"{PAPER}.eq-10", "part:scalar")
    limits: dict[str, str] = {}
    for i in (1, 2):
        a, b = f"A(t)[{i},{i}]", f"B(t)[{i},{i}]"
        same = vanishes(f"{a} - {b}", i, "")

        def begin(g: Goal) -> None:
            g.rewrite(hs[2])
            g.field()

        def rate(g: Goal, same: str = same, i: int = i) -> None:
            (x,) = g.fix("x")
            g.assume()
            e = entry_rates(g, x)
            d = g.apply(same, x)
            eq = g.have(f"B({x})[{i},{i}] = A({x})[{i},{i}]", lambda g: g.field((d, "-1")))
            g.field(rw=[*e, eq, *[g.apply(h, x) for h in offs.values()]])

        limits[a] = g.apply(scalar, "c", "w", f"lam t:R. {a}", by=[None, None, begin, rate])
        ext = g.by_fact(
            "tends_ext",
            "0",
            "sqrt(w)",
            f"lam t:R. {a}",
            f"lam t:R. {b}",
            by=[lambda g, same=same: (g.intro(), g.field((g.apply(same, "t"), "1"))), lambda g, a=a: g.close_by(limits[a])],
        )
        limits[b] = ext
    for x, h in offs.items():
        limits[x] = g.by_fact(
            "tends_ext",
            "0",
            "0",
            "lam t:R. 0",
            f"lam t:R. {x}",
            by=[lambda g, h=h: (g.intro(), g.field((g.apply(h, "t"), "-1"))), lambda g: g.close_by(g.fact("tends_const", "0"))],
        )

    def matrix(g: Goal, m: str) -> None:
        _, back = g.split(g.fact("tends_matrix", "2", "2", TARGET, f"lam t:R. {m}(t)"))

        def entry(g: Goal) -> None:
            g.intro()
            at_each_entry(g, lambda g, i, j: g.exact(limits[f"{m}(t)[{i},{j}]"]))

        g.close_by(g.apply(back, by=[entry]))

    g.conj(lambda g: matrix(g, "A"), lambda g: matrix(g, "B"))


@holds(
    f"{PAPER}.eq-45",
    STATEMENT,
    reading=READING,
    argument="sound",
    uses=[f"{PAPER}.eq-10"],
    reason="Here P = Q/2 = alpha^2 > 0 and w* > 0, so that the closed form of Proposition 17 is defined: r-bar "
    "= log(alpha^2/w*)/2 and "
    "alpha exp(-r-bar) = sqrt(w*). The proof here takes the flow directly.",
)
def start_of_post_training(g: Goal) -> None:
    """The same statement as (10)."""
    g.close_by(g.lemma(f"{PAPER}.eq-10", "statement"))
