"""The two changes of variable of the flow engine: the invariant of the deep scalar pair, and the prescribed change of time.

`verify.flow.pair` finds the limit of lambda_i' = -lambda_i^(L-1) r, r = (lambda_1^L + (d-1) lambda_2^L)/d - w*, as the point of zero
residual on the curve that the invariant describes. Here: the invariant is one, there is only one such point, and the flow from an
undershooting start converges to it. `verify.flow.validated` integrates in s with dt/ds = exp(-beta s): the equation in s is right.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.factor_eigenvalues import scalar_moves
from proofs.shin2025.implicit_equations import power_of_power
from proofs.shin2025.loss_rate import K_AB_0, forward
from verify.kernel import Goal
from verify.registry import part

ODE, RESIDUAL = "shin2025.proof-step-lambda-ode", "shin2025.eq-31"
DEEP = "shin2025.proof-step-lambda-solution-deep"
MOVE_A, MOVE_B = (f"(all t:R. 0 <= t => {x}'(t) = -{x}(t)^(L-1)*r(t))" for x in "ab")
R_IS = "(all t:R. 0 <= t => r(t) = (a(t)^L + (d-1)*b(t)^L)/d - ws)"


def curve(x: str, y: str, u: str, v: str) -> str:
    """(x, y) and (u, v) lie on one curve of the pair."""
    return f"((3 <= L => {x}^(2-L) - {y}^(2-L) = {u}^(2-L) - {v}^(2-L)) and (L = 2 => {x}*{v} = {y}*{u}))"


@part(
    DEEP,
    "pair-invariant",
    f"""all L:Z, a b r:R~>R. 2 <= L => 0 < a(0) => 0 < b(0) => {MOVE_A} => {MOVE_B} =>
      all t:R. 0 <= t => 0 < a(t) and 0 < b(t) and {curve("a(t)", "b(t)", "a(0)", "b(0)")}""",
    says="Two solutions with one residual move along one curve; at depth 2 it is a ray.",
    uses=[ODE],
)
def pair_moves_along_one_curve(g: Goal) -> None:
    """Both are functions of the integral of r: a^(2-L) grows by (L-2) times it, or a shrinks by its exponential."""
    g.fix()
    for name in ("L_lo", "a_lo", "b_lo", "move", "move_b"):
        g.assume(name)
    _f0, f = g.obtain(g.by_fact("antiderivative", "lam t:R. r(t)"), "F")
    moves = {"a": scalar_moves, "b": lambda g: scalar_moves(g, "move_b")}
    above = {x: g.lemma(ODE, "part:scalar-positive", "L", x, "r", by=[None, None, moves[x]]) for x in "ab"}
    g.intro()
    for x in "ab":
        g.apply(above[x], "t")

    def deep(g: Goal) -> None:
        g.assume()
        k = [
            g.apply(
                g.lemma(ODE, "part:scalar-deep", "L", x, "r", "F", by=[None, None, moves[x], None, lambda g: scalar_moves(g, f)]),
                "t",
            )
            for x in "ab"
        ]
        g.field((k[0], 1), (k[1], -1))

    def two(g: Goal) -> None:
        g.assume()
        k = [
            g.apply(
                g.lemma(ODE, "part:scalar-depth-two", "L", x, "r", "F", by=[None, moves[x], None, lambda g: scalar_moves(g, f)]),
                "t",
            )
            for x in "ab"
        ]
        g.field((k[0], "b(0)"), (k[1], "-a(0)"))

    g.conj(None, None, lambda g: g.conj(deep, two))


@part(
    DEEP,
    "pair-one-root",
    f"""all L:Z, p q x y u v:R. 2 <= L => 0 < p => 0 < q => 0 < x => 0 < y => 0 < u => 0 < v => {curve("x", "y", "u", "v")} =>
      p*x^L + q*y^L = p*u^L + q*v^L => x = u and y = v""",
    says="A curve of the pair meets a level of p a^L + q b^L in at most one point, for any positive weights.",
)
def one_point_of_a_level_on_a_curve(g: Goal) -> None:
    """Along a curve both components increase together, and with them p a^L + q b^L."""
    g.fix()
    names = ("L_lo", "p_lo", "q_lo", "x_lo", "y_lo", "u_lo", "v_lo")
    for name in names:
        g.assume(name)
    g.split(g.assume(), "deep", "two")
    g.assume("level")
    depth = g.by_fact("lt_or_eq", "2", "L")

    def contradiction(g: Goal, a: tuple[str, str], b: tuple[str, str], sign: int, first: bool) -> None:
        """One component of a is below that of b: so is the other one, and the level."""
        (i, j) = (0, 1) if first else (1, 0)
        way = sign if first else -sign
        smaller = list(g.seq.hyps)[-1]

        def by_powers(g: Goal) -> str:
            h = g.apply("deep", by=[lambda g: g.by_fact("int_lt", "2", "L") and g.auto()])
            s = g.by_fact("pow_base_anti_strict", a[i], b[i], "2 - L")

            def script(g: Goal) -> None:
                n = g.contra()
                z = g.by_fact("pow_base_anti", b[j], a[j], "2 - L", by=[None, lambda g: g.pos([f"@{n}"]), None])
                g.pos([f"@{s}"], [f"@{z}"], eqs=[(h, -way)])

            return g.have(f"{a[j]} < {b[j]}", script)

        def by_ratio(g: Goal) -> str:
            h = g.apply("two", by=[lambda g: g.auto()])

            def script(g: Goal) -> None:
                n = g.contra()
                g.pos([f"@{n}", b[i]], [f"@{smaller}", b[j]], eqs=[(h, way)])

            return g.have(f"{a[j]} < {b[j]}", script)

        def finish(g: Goal, other: Callable[[Goal], str]) -> None:
            other(g)
            m = g.by_fact("ipow_strict", a[0], b[0], "L")
            n = g.by_fact("ipow_strict", a[1], b[1], "L")
            g.pos(["p", f"@{m}"], ["q", f"@{n}"], eqs=[("level", sign)])

        g.cases(depth, lambda g: finish(g, by_powers), lambda g: finish(g, by_ratio))

    def equal(g: Goal, first: bool) -> None:
        x, u = ("x", "u") if first else ("y", "v")
        t = g.fact("trichotomy", x, u)

        def absurd(g: Goal, swapped: bool) -> None:
            a, b = (("u", "v"), ("x", "y")) if swapped else (("x", "y"), ("u", "v"))
            g.suffices("false", lambda g: g.auto())
            contradiction(g, a, b, -1 if swapped else 1, first)

        g.cases(t, lambda g: absurd(g, False), None, lambda g: absurd(g, True))

    g.conj(lambda g: equal(g, True), lambda g: equal(g, False))


@part(
    DEEP,
    "pair-limit",
    f"""all d L:Z, ws:R, a b r:R~>R. 2 <= d => 2 <= L => 0 < ws => 0 < a(0) => 0 < b(0) => {R_IS} => {MOVE_A} => {MOVE_B} =>
      r(0) <= 0 => ex x y:R. tends(t, a(t), x) and tends(t, b(t), y) and 0 < x and 0 < y and
      (x^L + (d-1)*y^L)/d = ws and {curve("x", "y", "a(0)", "b(0)")}""",
    says="From an undershooting start the pair converges to the point of its curve where the residual is zero.",
    uses=[ODE, RESIDUAL],
)
def pair_converges_to_the_zero_of_the_residual(g: Goal) -> None:
    """The residual stays nonpositive and decays exponentially; so a and b grow, are bounded, and the limits satisfy the
    equation; the curve passes to the limit."""
    g.fix()
    for name in ("d_lo", "L_lo", "w_lo", "a_lo", "b_lo", "r_is", "move_a", "move_b", "below"):
        g.assume(name)
    along = g.lemma(
        DEEP,
        "part:pair-invariant",
        "L",
        "a",
        "b",
        "r",
        by=[None] * 3 + [lambda g, n=n: forward(g, n) for n in ("move_a", "move_b")],
    )

    def positive(g: Goal) -> None:
        g.intro()
        k = g.split(g.apply(along, "t"))
        g.conj(*[lambda g, h=h: g.close_by(h) for h in k[:2]])

    g.have("all t:R. 0 <= t => 0 < a(t) and 0 < b(t)", positive, name="positive")
    named = [lambda g, n=n: forward(g, n) for n in ("positive", "r_is", "move_a", "move_b")]
    under = g.lemma(RESIDUAL, "part:scalar-undershoot", "d", "L", "ws", "a", "b", "r", by=[None, None, *named, None])
    g.have("0 < d - 1")
    top = "(ws*d)^(1/L)"
    g.have(f"0 < {top}")
    power = power_of_power(g, "(ws*d)", "1/L", "L", "1")

    def bounded(g: Goal, x: str) -> None:
        """x^L is at most w* d, since the residual is nonpositive."""
        g.intro()
        g.split(g.apply("positive", "t"))
        low = g.split_all(g.apply(under, "t"))[0]
        g.contra()
        big = g.by_fact("ipow_strict", top, f"{x}(t)", "L")
        # d (w* + r) = a^L + (d-1) b^L
        rest = [["d - 1", "b(t)^L"]] if x == "a" else [["a(t)^L"], ["@d_lo", "b(t)^L"]]
        g.pos([f"@{big}"], ["d", f"@{low}"], *rest, eqs=[(g.apply("r_is", "t"), "d"), (power, "1")])

    def grows(g: Goal, x: str, move: str) -> None:
        g.intro()
        g.split(g.apply("positive", "t"))
        low = g.split_all(g.apply(under, "t"))[0]
        h = g.apply(move, "t")
        g.replace(f"D(s, {x}(s), t)", f"-{x}(t)^(L-1)*r(t)", lambda g: g.field((h, 1)))
        g.pos([f"{x}(t)^(L-1)", f"@{low}"])

    limits = {}
    for x, y in (("a", "x"), ("b", "y")):
        up = g.by_fact("nondecreasing", "0", f"lam t:R. {x}(t)", by=[None, lambda g, x=x: grows(g, x, f"move_{x}")])
        k = g.by_fact(
            "monotone_limit", "0", top, f"lam t:R. {x}(t)", by=[lambda g, up=up: g.close_by(up), lambda g, x=x: bounded(g, x)]
        )
        limits[x] = g.obtain(k, y)
        first = g.apply(limits[x][2], "0")
        g.have(f"0 < {y}", lambda g, x=x, first=first: g.pos([f"{x}(0)"], [f"@{first}"]))
    ta, tb = limits["a"][0], limits["b"][0]

    def composed(g: Goal, x: str, h: str, form: str) -> str:
        """The limit of a function of a or b."""
        own = "a" if x == "x" else "b"
        return g.by_fact("tends_compose", x, f"lam t:R. {own}(t)", f"lam z:R. {form}", by=[lambda g: g.close_by(h), None])

    def combined(g: Goal, form: tuple[str, str]) -> tuple[str, str, str]:
        """The limit of a sum of a function of a and one of b: the hypothesis, the function of t, the limit."""
        one, two = composed(g, "x", ta, form[0]), composed(g, "y", tb, form[1])
        at = [form[0].replace("z", "a(t)"), form[1].replace("z", "b(t)")]
        ends = [form[0].replace("z", "x"), form[1].replace("z", "y")]
        h = g.by_fact(
            "tends_add", *ends, *(f"lam t:R. {u}" for u in at), by=[lambda g: g.close_by(one), lambda g: g.close_by(two)]
        )
        return h, " + ".join(at), " + ".join(ends)

    def vanishes(g: Goal) -> None:
        """The residual is squeezed by an exponential."""
        g.have(f"0 < {K_AB_0}")
        rate = g.obtain(g.have(f"ex q:R. q = {K_AB_0}", lambda g: (g.witness(K_AB_0), g.refl())[-1]), "q")[0]
        g.have("0 < q", lambda g: g.pos([K_AB_0], eqs=[(rate, 1)]))
        decay = g.by_fact("tends_exp_decay", "q")
        c = g.by_fact("tends_scale", "-abs(r(0))", "0", "lam t:R. exp(-q*t)", by=[lambda g: g.close_by(decay)])
        _, v, body, _ = g.hyp_formula(c)
        low = g.have(("tends", v, body, 0), lambda g: g.exact(c))
        zero = g.fact("tends_const", "0")

        def between(g: Goal) -> None:
            g.intro()
            h = g.split_all(g.apply(under, "t"))
            size = f"abs(r(0))*exp(-{K_AB_0}*t)"
            forth, _ = g.split(g.fact("abs_le", "r(t)", size))
            least, _ = g.split(g.apply(forth, by=[lambda g: g.close_by(h[4])]))
            e = g.have(f"exp(-{K_AB_0}*t) = exp(-q*t)", lambda g: (g.rewrite(rate), g.refl())[-1])
            g.conj(lambda g: g.pos([f"@{least}"], eqs=[(e, "-abs(r(0))")]), lambda g: g.close_by(h[0]))

        g.exact(
            g.by_fact(
                "tends_squeeze",
                "0",
                "0",
                ("lam", ((v, "R"),), body),
                "lam t:R. r(t)",
                "lam t:R. 0",
                by=[between, lambda g: g.close_by(low), lambda g: g.close_by(zero)],
            )
        )

    gone = g.have("tends(t, r(t), 0)", vanishes)
    h, here, there = combined(g, ("1/d*z^L", "(d-1)/d*z^L"))

    def residual(g: Goal) -> None:
        """r + w* has the limits w* and that of the powers."""
        low = g.fact("tends_const", "ws")
        k = g.by_fact(
            "tends_add", "0", "ws", "lam t:R. r(t)", "lam t:R. ws", by=[lambda g: g.close_by(gone), lambda g: g.close_by(low)]
        )

        def same(g: Goal) -> None:
            g.intro()
            g.field((g.apply("r_is", "t"), -1))

        m = g.by_fact("tends_ext", "0", there, f"lam t:R. {here}", "lam t:R. r(t) + ws", by=[same, lambda g: g.close_by(h)])
        u = g.by_fact(
            "tends_unique", there, "0 + ws", "lam t:R. r(t) + ws", by=[lambda g: g.close_by(m), lambda g: g.close_by(k)]
        )
        g.field((u, 1))

    def same_curve(g: Goal, form: tuple[str, str], pick: int, value: str) -> str:
        """What is constant along the flow has its value at the limit, too."""
        h, here, there = combined(g, form)
        const = g.fact("tends_const", value)

        def same(g: Goal) -> None:
            g.intro()
            g.split(g.apply("positive", "t"))
            k = g.split_all(g.apply(along, "t"))[2 + pick]
            g.field((g.apply(k, by=[lambda g: g.auto()]), -1))

        m = g.by_fact("tends_ext", "0", value, f"lam t:R. {value}", f"lam t:R. {here}", by=[same, lambda g: g.close_by(const)])
        return g.by_fact("tends_unique", there, value, f"lam t:R. {here}", by=[lambda g: g.close_by(h), lambda g: g.close_by(m)])

    def deep(g: Goal) -> None:
        g.assume()
        g.field((same_curve(g, ("z^(2-L)", "-z^(2-L)"), 0, "(a(0)^(2-L) - b(0)^(2-L))"), 1))

    def two(g: Goal) -> None:
        g.assume()
        g.field((same_curve(g, ("z*b(0)", "-z*a(0)"), 1, "0"), 1))

    g.witness("x", "y")
    g.conj(lambda g: g.close_by(ta), lambda g: g.close_by(tb), None, None, residual, lambda g: g.conj(deep, two))


TIME = "((1 - exp(-be*{0}))/be)"


@part(
    "shin2025.eq-3",
    "change-of-time",
    f"""all n:Z, be:R, X:R~>M(n,1), F:M(n,1)->M(n,1). be != 0 => (all t:R. 0 <= t => X'(t) = F(X(t))) =>
      all s:R. 0 <= s => 0 <= {TIME.format("s")} and D(u, {TIME.format("u")}, s) = exp(-be*s) and
      D(u, X({TIME.format("u")}), s) = exp(-be*s)*F(X({TIME.format("s")}))""",
    says="In the time s with dt/ds = exp(-beta s), beta of either sign, a flow has its field multiplied by exp(-beta s).",
)
def flow_in_a_prescribed_time(g: Goal) -> None:
    """The chain rule; 1 - exp(-beta s) has the sign of beta."""
    g.fix()
    g.assume("be_not")
    g.assume("flow")
    g.intro()
    t = TIME.format("s")
    one = g.fact("exp_zero")

    def sign(g: Goal) -> None:
        def up(g: Goal) -> None:
            k = g.by_fact("exp_mono", "-be*s", "0", by=[lambda g: g.pos(["be", "s"])])
            g.pos(["1/be", f"@{k}"], eqs=[(one, "1/be")])

        def down(g: Goal) -> None:
            below = list(g.seq.hyps)[-1]
            k = g.by_fact("exp_mono", "0", "-be*s", by=[lambda g: g.pos([f"@{below}", "s"])])
            g.have("0 < 0 - be", lambda g: g.pos([f"@{below}"]))
            g.pos([f"@{k}"], mul=["0 - be"], eqs=[(one, "-1")])

        g.cases(g.fact("trichotomy", "be", "0"), down, lambda g: g.clash("be_not", list(g.seq.hyps)[-1]), up)

    ahead = g.have(f"0 <= {t}", sign)
    k = g.apply("flow", t)

    def chain(g: Goal) -> None:
        inner = g.differentiate("u", f"X({TIME.format('u')})", "s")
        g.rewrite(inner)
        g.rewrite(k)
        g.nc()

    g.conj(lambda g: g.close_by(ahead), lambda g: g.field(), chain)
