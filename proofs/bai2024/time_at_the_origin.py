"""Appendix B.4: the origin is a saddle, which small starts leave later and later."""

from __future__ import annotations

from proofs.bai2024.graphs import NONZERO, PATTERN
from proofs.bai2024.invariant_manifolds import COUNT, FLOW
from proofs.bai2024.landscape import CRITICAL, loss
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "bai2024.b4-origin-saddle-time"
INNER = "bai2024.thm-a6-step-min-nuclear-value"
SIZE = "(tr(T({a}) @ {a}) + tr(T({b}) @ {b}))"
DATA = "tr(T(had(P, M)) @ had(P, M))"
RATE = f"(4/n*(1 + {DATA}))"


@part(
    CLAIM,
    "growth",
    f"""all d:Z, n:R, P M:M(d,d), A B:R~>M(d,d). 0 < n => {PATTERN} => {FLOW} =>
       all t:R. 0 <= t => {SIZE.format(a="A(t)", b="B(t)")} <= {SIZE.format(a="A(0)", b="B(0)")}*exp({RATE}*t)""",
    says="the squared length of the parameters grows exponentially at most",
    uses=[INNER],
)
def parameters_grow_exponentially_at_most(g: Goal) -> None:
    """Its derivative is 8/n times <AB, H> - <AB, P o AB>, H = P o M, where 2 <AB, H> <= |B|^2 + |A|^2 |H|^2."""
    g.fix()
    _, binary, flow = (g.assume() for _ in range(3))
    laws = g.split(flow)

    def rate(g: Goal) -> None:
        g.fix("t")
        g.assume()
        a, b = (g.apply(h, "t") for h in laws)
        w, h = "(A(t) @ B(t))", "had(P, M)"
        masked = g.lemma(INNER, "part:inner-product", "d", "d", w, f"had(P, {w})")

        def nonnegative(g: Goal) -> None:
            def row(g: Goal) -> None:
                g.fix("i")
                g.assume()

                def entry(g: Goal) -> None:
                    g.fix("j")
                    g.assume()

                    def zero(g: Goal) -> None:
                        g.pos(eqs=[(last(g), f"{w}[i,j]^2")])

                    def one(g: Goal) -> None:
                        g.pos([f"{w}[i,j]^2"], eqs=[(last(g), f"{w}[i,j]^2")])

                    g.cases(g.apply(binary, "i", "j"), zero, one)

                g.close_by(g.by_fact("sum_nonneg", 1, "d", f"lam j:Z. {w}[i,j]*had(P, {w})[i,j]", by=[entry]))

            k = g.by_fact("sum_nonneg", 1, "d", f"lam i:Z. sum(j, 1, d, {w}[i,j]*had(P, {w})[i,j])", by=[row])
            g.pos([f"@{k}"], eqs=[(masked, 1)])

        low = g.have(f"0 <= tr(T({w}) @ had(P, {w}))", nonnegative)
        split = g.have(f"had(P, {w} - M) = had(P, {w}) - {h}", lambda g: (g.extn("i", "j"), g.field())[-1])
        size = g.fact("frobenius_submultiplicative", "d", "d", "d", "T(A(t))", h)
        turned = g.have("tr(T(T(A(t))) @ T(A(t))) = tr(T(A(t)) @ A(t))", lambda g: g.field())
        x = f"(B(t) - T(A(t)) @ {h})"
        residual = f"had(P, {w} - M)"
        value = f"-(2/n)*tr(T({w}) @ {residual})"
        of_a = g.have(f"tr(T(A(t)) @ A'(t)) = {value}", lambda g: (g.rewrite(a), g.field())[-1])
        of_b = g.have(f"tr(T(B(t)) @ B'(t)) = {value}", lambda g: (g.rewrite(b), g.field())[-1])
        parts = f"tr(T({w}) @ {residual}) = tr(T({w}) @ had(P, {w})) - tr(T({w}) @ {h})"
        sorted_ = g.have(parts, lambda g: (g.rewrite(split), g.field())[-1])
        g.pos(
            ["8/n", f"@{low}"],
            ["4/n", f"tr(T({x}) @ {x})"],
            ["4/n", f"@{size}"],
            ["4/n", "tr(T(A(t)) @ A(t))"],
            ["4/n", DATA, "tr(T(B(t)) @ B(t))"],
            eqs=[(of_a, -2), (of_b, -2), (sorted_, "8/n"), (turned, f"4/n*{DATA}")],
        )

    grown = g.by_fact("gronwall", 0, f"lam t:R. {SIZE.format(a='A(t)', b='B(t)')}", f"lam t:R. {RATE}*t", by=[None, rate])
    g.fix("t")
    g.assume()
    g.exact(g.apply(grown, "t"), by=[lambda g: g.field()])


ZERO = "O(d,d)"


def at_the_origin(formula: str) -> str:
    """A formula on the landscape, at (0, 0)."""
    return formula.replace("A + ", f"{ZERO} + ").replace("B + ", f"{ZERO} + ")


def curvature(e: str, f: str) -> str:
    """The second derivative of the loss at 0 in a direction."""
    return f"D(s, D(u, {loss(f'{ZERO} + u*{e}', f'{ZERO} + u*({f})')}, s), 0)"


@holds(
    CLAIM,
    f"""all d:Z, n:R, P M:M(d,d). 1 <= d => {PATTERN} => 0 < n => {COUNT} => {NONZERO} =>
       {at_the_origin(CRITICAL)} and (ex E F:M(d,d). {curvature("E", "F")} < 0) and (ex E F:M(d,d). 0 < {curvature("E", "F")}) and
       (all X Y:M(d,d), r z:R. 0 < r => 0 <= z => ex a:R. 0 < a and (all al:R, A B:R~>M(d,d). 0 < al and al < a => A(0) = al*X => B(0) = al*Y =>
         {FLOW} => (all t:R. 0 <= t and t <= z => {SIZE.format(a="A(t)", b="B(t)")} < r^2)))""",
    argument="sound",
    reading="a saddle: critical, with a direction in which the loss falls and one in which it grows. For every ball around 0 and every time z, the flow from"
    " all sufficiently small multiples of a start stays in the ball until z: the time grows beyond all bounds, and at any fixed time nothing has moved",
    uses=[INNER],
)
def small_starts_stay_near_the_origin(g: Goal) -> None:
    """In the directions (I, H) and (I, -H), H = P o M, the second derivative is -2 |H|^2 and 2 |H|^2. The part growth bounds the time."""
    g.fix()
    _, binary, positive, count, nonzero = (g.assume() for _ in range(5))
    h = "had(P, M)"

    def critical(g: Goal) -> None:
        g.fix("E", "F")
        g.field()

    def data(g: Goal) -> None:
        """Something is observed, and is not 0."""
        none = g.contra()
        low = g.have(f"0 <= {DATA}", lambda g: g.pos([DATA]))
        flat = g.have(f"{DATA} = 0", lambda g: g.antisym(lambda g: g.close_by(none), lambda g: g.close_by(low)))
        zero = g.by_fact("frobenius_zero", "d", "d", h, by=[lambda g: g.close_by(flat)])

        def row(g: Goal) -> None:
            g.fix("i")
            g.assume()

            def entry(g: Goal) -> None:
                g.fix("j")
                g.assume()
                at = g.have(f"{h}[i,j] = 0", lambda g: (g.rewrite(zero), g.field())[-1])

                def one(g: Goal) -> None:
                    o = last(g)
                    ne = g.apply(nonzero, "i", "j", by=[lambda g: g.close_by(o)])
                    g.clash(g.have("M[i,j] = 0", lambda g: g.field((at, 1), (o, "-M[i,j]"))), ne)

                g.cases(g.apply(binary, "i", "j"), lambda g: g.close_by(last(g)), one)

            s = g.by_fact("sum_ext", 1, "d", "lam j:Z. P[i,j]", "lam j:Z. 0", by=[entry])
            g.field((s, 1))

        s = g.by_fact("sum_ext", 1, "d", "lam i:Z. sum(j, 1, d, P[i,j])", "lam i:Z. 0", by=[row])
        g.pos([f"@{positive}"], eqs=[(count, -1), (s, -1)])

    some = g.have(f"0 < {DATA}", data)

    def bent(sign: int) -> Script:
        def script(g: Goal) -> None:
            f = named(g, "F", "M(d,d)", f"{sign}*{h}")
            e = named(g, "E", "M(d,d)", "I(d)")
            product = g.have(f"E @ F = {sign}*{h}", lambda g: (g.rewrite(e), g.rewrite(f), g.nc())[-1])
            pairs = g.lemma(INNER, "part:inner-product", "d", "d", "E @ F", h)
            value = g.have(f"tr(T(E @ F) @ {h}) = {sign}*{DATA}", lambda g: (g.rewrite(product), g.field())[-1])
            second = g.have(f"{curvature('E', 'F')} = -2*tr(T(E @ F) @ {h})", lambda g: g.field((pairs, 2)))
            g.witness("E", "F")
            g.pos(["2", f"@{some}"], eqs=[(second, -sign), (value, 2 * sign)])

        return script

    def stays(g: Goal) -> None:
        g.fix("X", "Y", "r", "z")
        g.assume()
        g.assume()
        top = named(g, "c", "R", f"{SIZE.format(a='X', b='Y')}*exp({RATE}*z)")
        g.have("0 <= c", lambda g: (g.rewrite(top), g.auto())[-1])
        a = named(g, "a", "R", "min(1, r^2/(c + 1))")
        cut = g.fact("min_cases", "1", "r^2/(c + 1)")
        ball = g.have("0 < r^2/(c + 1)", lambda g: g.auto())

        def both(g: Goal) -> None:
            def case(g: Goal) -> None:
                order, value = g.split(last(g))
                one = g.hyp_formula(value)[2] == 1
                g.conj(
                    lambda g: g.pos(["1"] if one else [f"@{ball}"], eqs=[(a, 1), (value, 1)]),
                    lambda g: g.pos(*([] if one else [[f"@{order}"]]), eqs=[(a, -1), (value, -1)]),
                    lambda g: g.pos(*([[f"@{order}"]] if one else []), eqs=[(a, -1), (value, -1)]),
                )

            g.cases(cut, case, case)

        a_pos, a_one, a_ball = g.split(g.have("0 < a and a <= 1 and a <= r^2/(c + 1)", both))
        g.witness("a")

        def flows(g: Goal) -> None:
            g.fix("al", "A", "B")
            al_pos, al_small = g.split(g.assume())
            a0, b0, flow = g.assume(), g.assume(), g.assume()
            g.fix("t")
            t_lo, t_hi = g.split(g.assume())
            by = [lambda g: g.close_by(positive), lambda g: g.close_by(binary), lambda g: g.close_by(flow)]
            k = g.apply(g.lemma(CLAIM, "part:growth", "d", "n", "P", "M", "A", "B", by=by), "t")
            start = g.have(
                f"{SIZE.format(a='A(0)', b='B(0)')} = al^2*{SIZE.format(a='X', b='Y')}",
                lambda g: (g.rewrite(a0), g.rewrite(b0), g.field())[-1],
            )
            e = g.by_fact("exp_mono", f"{RATE}*t", f"{RATE}*z", by=[lambda g: g.pos([RATE, f"@{t_hi}"])])
            square = g.have("al^2 <= a", lambda g: g.pos([f"@{al_small}", "al"], [f"@{al_small}"], [f"@{a_one}", "al"]))
            small = g.have("a*c < r^2", lambda g: g.pos([f"@{a_ball}", "c + 1"], [f"@{a_pos}"]))
            x = SIZE.format(a="X", b="Y")
            g.pos(
                [f"@{k}"],
                [f"@{e}", "al^2", x],
                [f"@{square}", "c"],
                [f"@{small}"],
                eqs=[(start, f"-exp({RATE}*t)"), (top, "al^2")],
            )

        g.conj(lambda g: g.close_by(a_pos), flows)

    g.conj(critical, bent(1), bent(-1), stays)


def named(g: Goal, name: str, sort: str, text: str) -> str:
    """Adds name = text for a new variable of this sort."""
    return g.obtain(g.have(f"ex {name}:{sort}. {name} = {text}", lambda g: (g.witness(text), g.refl())[-1]), name, split=False)[0]
