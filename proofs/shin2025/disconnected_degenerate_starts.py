"""Appendix A.1: the limits where r-bar is not defined, that is, where a row of A(0) is plus or minus its column of B(0)."""

from __future__ import annotations

from proofs.shin2025.disconnected_flow import (
    SETTING,
    ZERO_LOSS,
    entry_a,
    inside,
)
from proofs.shin2025.disconnected_solution import (
    DEF,
    GENERAL,
    P_ROW,
    Q_ROW,
    RESIDUAL_ROW,
    SOLUTION_NAMES,
    flow_again,
    half_square,
    is_all,
    last,
    named,
    partner,
    strictly,
)
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

ID = "shin2025.assertion-closed-form-init"
LIMITS = "shin2025.prop-17-rbar"


@part(
    ID,
    "root",
    """all y:R, u:R~>R. (all t:R. 0 <= t => 0 <= u(t)) => tends(t, u(t)^2, y) => 0 <= y and tends(t, u(t), sqrt(y))""",
    says="The limit of a nonnegative function from that of its square, also when it is 0.",
)
def limit_of_a_root(g: Goal) -> None:
    """The root is continuous at y > 0; for y = 0 by the definition of the limit."""
    sign, limit = g.intro()
    zero = g.fact("tends_const", 0)
    low = g.by_fact(
        "tends_le",
        "0",
        "0",
        "y",
        "lam t:R. 0",
        "lam t:R. u(t)^2",
        by=[None, lambda g: g.close_by(zero), lambda g: g.close_by(limit)],
    )

    def positive(g: Goal) -> None:
        k = g.by_fact("tends_compose", "y", "lam t:R. u(t)^2", "lam z:R. sqrt(z)", by=[lambda g: g.close_by(limit), None])

        def same(g: Goal) -> None:
            g.intro()
            t = last(g)
            g.apply(sign, t)
            g.close_by(g.by_fact("sqrt_unique", f"u({t})^2", f"u({t})"))

        e = g.by_fact("tends_ext", "0", "sqrt(y)", "lam t:R. sqrt(u(t)^2)", "lam t:R. u(t)", by=[same, lambda g: g.close_by(k)])
        g.close_by(e)

    def none(g: Goal) -> None:
        y0 = g.have("y = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1)))
        g.rewrite(y0)
        root = g.by_fact("sqrt_unique", "0", "0")
        g.rewrite(root)
        near = g.apply(
            g.split(g.fact("tends_epsilon", "0", "lam t:R. u(t)^2"))[0], by=[lambda g: g.close_by(g.rewritten(limit, y0))]
        )
        back = g.split(g.fact("tends_epsilon", "0", "lam t:R. u(t)"))[1]

        def small(g: Goal) -> None:
            (e,) = g.fix("e")
            g.assume()
            k = g.obtain(g.apply(near, f"{e}^2"), "a")[0]
            g.witness("max(a, 0)")
            (t,) = g.fix("t")
            late = g.assume()
            most = g.fact("max_cases", "a", "0")
            after = [
                g.have(f"{x} <= {t}", lambda g, i=i: g.cases(most, *[above(late, i, j) for j in (0, 1)]))
                for i, x in enumerate(("a", "0"))
            ]
            s = g.apply(k, t, by=[lambda g: g.close_by(after[0])])
            g.apply(sign, t, by=[lambda g: g.close_by(after[1])])
            h = g.contra()
            square, value = (
                g.have(("=", term, ("abs", g.term(plain))), lambda g: g.ctx(lambda g: g.field()))
                for term, plain in ((g.hyp_formula(s)[1], f"u({t})^2"), (g.hyp_formula(h)[2], f"u({t})"))
            )
            g.pos(["@" + s], ["@" + h, f"u({t}) + {e}"], eqs=[(square, 1), (value, f"-(u({t}) + {e})")])

        g.close_by(g.apply(back, by=[small]))

    g.conj(lambda g: g.close_by(low), lambda g: g.less_or_equal("0 <= y", positive, none))


def above(late: str, which: int, case: int) -> Script:
    """a <= t or 0 <= t from max(a, 0) <= t, in one of the two cases of the maximum (0: it is 0, 1: it is a)."""

    def script(g: Goal) -> None:
        order, value = g.split(list(g.seq.hyps)[-1])
        g.pos(["@" + late], *([] if which != case else [["@" + order]]), eqs=[(value, 1)])

    return script


VARIABLES = f"{GENERAL}, p:Z"
RESTS = f"A(0)[p,q]*sqrt(-W[p,j(p)]/({Q_ROW}/2))"
RESTS_B = f"B(0)[q,j(p)]*sqrt(-W[p,j(p)]/({Q_ROW}/2))"


@part(
    ID,
    "along-the-residual",
    f"""{VARIABLES}. {SETTING} => {inside("p")} => ex r:R~>R. all t:R. 0 <= t =>
        (A(t) @ B(t))[p,j(p)] = {P_ROW}*cosh(2*r(t)) - {Q_ROW}/2*sinh(2*r(t)) and all q:Z. {inside("q")} =>
        A(t)[p,q] = {entry_a("p", "q", "j(p)", "r(t)")} and B(t)[q,j(p)] = {partner("q", "j(p)", "p", "r(t)")}""",
    says="A row of A and its column of B are hyperbolic rotations of the start.",
    uses=[DEF],
)
def rotated_by_some_function(g: Goal) -> None:
    """The integral of the residual."""
    g.intro()
    start, rate = g.obtain(g.by_fact("antiderivative", f"lam t:R. {RESIDUAL_ROW}"), "r")
    by = [None, None, None, flow_again, None, lambda g: g.close_by(start), lambda g: g.close_by(rate)]
    solution = g.lemma(DEF, "part:solution", *SOLUTION_NAMES, by=by)
    product = g.lemma(DEF, "part:product", *SOLUTION_NAMES, by=by)
    g.witness("r")

    def always(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()

        def entries(g: Goal) -> None:
            g.intro()
            g.close_by(g.apply(solution, t, "q"))

        g.conj(lambda g: g.close_by(g.apply(product, t)), entries)

    always(g)


def vanishing(g: Goal, sign: str, half: str) -> str:
    """From P + Q/2 = 0 or Q/2 - P = 0: the row and the column are opposite or equal, entry by entry."""
    a, b = "A(0)[p,k]", "B(0)[k,j(p)]"
    total = g.have(f"sum(k, 1, n, ({a} {sign} {b})^2) = 0", lambda g: g.field((half, 2)))
    each = g.by_fact("sum_zero_terms", 1, "n", f"lam k:Z. ({a} {sign} {b})^2", by=[None, lambda g: g.close_by(total)])

    def one(g: Goal) -> None:
        g.intro()
        q = last(g)
        g.apply(each, q)
        g.close_by(g.by_fact("square_zero", f"A(0)[p,{q}] {sign} B(0)[{q},j(p)]"))

    return g.have(f"all q:Z. {inside('q')} => A(0)[p,q] {sign} B(0)[q,j(p)] = 0", one)


@part(
    ID,
    "opposite",
    f"""{VARIABLES}. {SETTING} => {ZERO_LOSS} => {inside("p")} => {P_ROW} + {Q_ROW}/2 = 0 => W[p,j(p)] <= 0 and
        all q:Z. {inside("q")} => tends(t, A(t)[p,q], {RESTS}) and tends(t, B(t)[q,j(p)], {RESTS_B})""",
    says="Where the row of A(0) is minus its column of B(0), both are scaled to the norm that fits the observed value.",
    uses=[ID, DEF],
)
def opposite_vectors_are_scaled(g: Goal) -> None:
    """a(t) = a(0) e^r and the observed entry is -|a(0)|^2 e^(2 r)."""
    g.intro()
    zero = named(g, lambda f: f[0] == "=")
    r = g.obtain(
        g.lemma(ID, "part:along-the-residual", "n", "i", "j", "W", "A", "B", "G", "p", by=[None, None, None, flow_again, None]),
        "r",
    )[0]
    opposite = vanishing(g, "+", zero)
    limit = g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "tends"), "p")
    wt, w = "(A(t) @ B(t))[p,j(p)]", "W[p,j(p)]"

    def entry(g: Goal) -> None:
        g.intro()
        t = last(g)
        v = g.split(g.apply(r, t))[0]
        g.field((v, 1), (zero, f"cosh(2*r({t}))"))

    value = g.have(f"all t:R. 0 <= t => {wt} = -({Q_ROW}/2*exp(r(t))^2)", entry)
    none = g.fact("tends_const", 0)
    minus, plus = half_square(g, "-", "p", "j(p)"), half_square(g, "+", "p", "j(p)")
    q0 = g.have(f"0 <= {Q_ROW}", lambda g: g.pos([f"@{minus}"], [f"@{plus}"]))

    def below(g: Goal) -> None:
        g.intro()
        t = last(g)
        v = g.apply(value, t)
        g.pos(["1/2", "@" + q0, f"exp(r({t}))^2"], eqs=[(v, -1)])

    low = g.by_fact(
        "tends_le",
        "0",
        w,
        "0",
        f"lam t:R. {wt}",
        "lam t:R. 0",
        by=[below, lambda g: g.close_by(limit), lambda g: g.close_by(none)],
    )

    def law(g: Goal, t: str, q: str) -> tuple[str, str]:
        """a_q(t) = a_q(0) e^r and the same for b."""
        x, y = g.split(g.apply(g.split(g.apply(r, t))[1], q))
        o = g.apply(opposite, q)
        e = f"exp(r({t}))"
        return (
            g.have(f"A({t})[p,{q}] = A(0)[p,{q}]*{e}", lambda g: g.field((x, 1), (o, f"-sinh(r({t}))"))),
            g.have(f"B({t})[{q},j(p)] = B(0)[{q},j(p)]*{e}", lambda g: g.field((y, 1), (o, f"-sinh(r({t}))"))),
        )

    def limits(g: Goal) -> None:
        g.fix("q")
        g.split(g.assume())

        def empty(g: Goal) -> None:
            """Q = 0: the row and the column vanish."""
            q = list(g.seq.hyps)[-1]
            equal = vanishing(g, "-", g.have(f"{Q_ROW}/2 - {P_ROW} = 0", lambda g: g.field((zero, -1), (q, 1))))
            o, e = g.apply(opposite, "q"), g.apply(equal, "q")
            a0 = g.have("A(0)[p,q] = 0", lambda g: g.field((o, "1/2"), (e, "1/2")))
            b0 = g.have("B(0)[q,j(p)] = 0", lambda g: g.field((o, "1/2"), (e, "-1/2")))

            def at_zero(g: Goal, i: int, start: str, entry: str) -> None:
                target = g.have(("=", g.concl[3], 0), lambda g: (g.rewrite(start), g.field())[-1])
                g.rewrite(target)

                def same(g: Goal) -> None:
                    (t,) = g.fix("t")
                    g.assume()
                    v = law(g, t, "q")[i]
                    g.field((v, -1), (start, f"-exp(r({t}))"))

                g.close_by(
                    g.by_fact("tends_ext", "0", "0", "lam t:R. 0", f"lam t:R. {entry}", by=[same, lambda g: g.close_by(none)])
                )

            g.conj(lambda g: at_zero(g, 0, a0, "A(t)[p,q]"), lambda g: at_zero(g, 1, b0, "B(t)[q,j(p)]"))

        def full(g: Goal) -> None:
            ne = list(g.seq.hyps)[-1]
            g.have(f"0 < {Q_ROW}", lambda g: strictly(g, q0, ne))
            y = f"-{w}/({Q_ROW}/2)"
            scaled = g.by_fact("tends_scale", f"-1/({Q_ROW}/2)", w, f"lam t:R. {wt}", by=[lambda g: g.close_by(limit)])

            def square(g: Goal) -> None:
                (t,) = g.fix("t")
                g.assume()
                v = g.apply(value, t)
                g.field((v, f"-1/({Q_ROW}/2)"))

            e = g.by_fact(
                "tends_ext",
                "0",
                f"-1/({Q_ROW}/2)*{w}",
                f"lam t:R. -1/({Q_ROW}/2)*{wt}",
                "lam t:R. exp(r(t))^2",
                by=[square, lambda g: g.close_by(scaled)],
            )
            e = g.rewritten(e, g.have(f"-1/({Q_ROW}/2)*{w} = {y}", lambda g: g.field()))
            root = g.split(g.lemma(ID, "part:root", y, "lam t:R. exp(r(t))", by=[None, lambda g: g.close_by(e)]))[1]

            def one(g: Goal, i: int, start: str, entry: str) -> None:
                k = g.by_fact("tends_scale", start, f"sqrt({y})", "lam t:R. exp(r(t))", by=[lambda g: g.close_by(root)])

                def same(g: Goal) -> None:
                    (t,) = g.fix("t")
                    g.assume()
                    g.field((law(g, t, "q")[i], -1))

                g.close_by(
                    g.by_fact(
                        "tends_ext",
                        "0",
                        f"{start}*sqrt({y})",
                        f"lam t:R. {start}*exp(r(t))",
                        f"lam t:R. {entry}",
                        by=[same, lambda g: g.close_by(k)],
                    )
                )

            g.conj(lambda g: one(g, 0, "A(0)[p,q]", "A(t)[p,q]"), lambda g: one(g, 1, "B(0)[q,j(p)]", "B(t)[q,j(p)]"))

        g.em(f"{Q_ROW} = 0", empty, full)

    g.conj(lambda g: g.close_by(low), limits)


@part(
    ID,
    "equal",
    f"""{VARIABLES}. {SETTING} => {ZERO_LOSS} => {inside("p")} => {P_ROW} - {Q_ROW}/2 = 0 => W[p,j(p)] = 0 =>
        all q:Z. {inside("q")} => tends(t, A(t)[p,q], 0) and tends(t, B(t)[q,j(p)], 0)""",
    says="Where the row of A(0) equals its column of B(0) and the observed value is 0, both tend to 0.",
    uses=[ID, DEF],
)
def equal_vectors_vanish(g: Goal) -> None:
    """a(t) = a(0) e^(-r), and the observed entry |a(0)|^2 e^(-2 r) tends to 0."""
    g.intro()
    zero = named(g, lambda f: f[0] == "=" and f[1][0] == "+")
    target = named(g, lambda f: f[0] == "=" and f[1][0] == "entry")
    r = g.obtain(
        g.lemma(ID, "part:along-the-residual", "n", "i", "j", "W", "A", "B", "G", "p", by=[None, None, None, flow_again, None]),
        "r",
    )[0]
    half = g.have(f"{Q_ROW}/2 - {P_ROW} = 0", lambda g: g.field((zero, -1)))
    equal = vanishing(g, "-", half)
    limit = g.rewritten(g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "tends"), "p"), target)
    wt = "(A(t) @ B(t))[p,j(p)]"
    q = "q"
    none = g.fact("tends_const", 0)
    a0 = "A(0)[p,q]"

    def law(g: Goal, t: str) -> tuple[str, str]:
        x, y = g.split(g.apply(g.split(g.apply(r, t))[1], q))
        o = g.apply(equal, q)
        e = f"exp(-r({t}))"
        return (
            g.have(f"A({t})[p,q] = {a0}*{e}", lambda g: g.field((x, 1), (o, f"sinh(r({t}))"))),
            g.have(f"B({t})[q,j(p)] = {a0}*{e}", lambda g: g.field((y, 1), (o, f"-cosh(r({t}))"))),
        )

    def squares(g: Goal) -> None:
        """a_q(t)^2 <= |a(t)|^2, the observed entry."""
        (t,) = g.fix("t")
        g.assume()
        v = g.split(g.apply(r, t))[0]
        la, _ = law(g, t)
        s = g.by_fact("sum_term_le", 1, "n", "lam k:Z. A(0)[p,k]^2 + B(0)[k,j(p)]^2", by=[None])
        s = g.apply(s, q)
        o = g.apply(equal, q)
        e = f"exp(-r({t}))"
        g.conj(
            lambda g: g.pos([f"A({t})[p,q]^2"]),
            lambda g: g.pos(
                ["1/2", "@" + s, f"{e}^2"],
                eqs=[
                    (v, 1),
                    (la, f"-(A({t})[p,q] + {a0}*{e})"),
                    (half, f"-cosh(2*r({t}))"),
                    (o, f"-({a0} + B(0)[q,j(p)])*{e}^2/2"),
                ],
            ),
        )

    sq = g.by_fact(
        "tends_squeeze",
        "0",
        "0",
        "lam t:R. 0",
        "lam t:R. A(t)[p,q]^2",
        f"lam t:R. {wt}",
        by=[squares, lambda g: g.close_by(none), lambda g: g.close_by(limit)],
    )
    start = g.have(f"0 <= {a0} or {a0} <= 0", lambda g: g.close_by(g.fact("total", "0", a0)))
    zero_root = g.by_fact("sqrt_unique", "0", "0")

    def one(entry: str, which: int) -> Script:
        def script(g: Goal) -> None:
            def same_sign(g: Goal, sign: str) -> None:
                """+-A is nonnegative, and its square tends to 0."""
                order = list(g.seq.hyps)[-1]
                u = f"{sign}({a0}*exp(-r(t)))"

                def nonneg(g: Goal) -> None:
                    g.intro()
                    g.pos(["@" + order, f"exp(-r({last(g)}))"])

                def square(g: Goal) -> None:
                    g.intro()
                    x = last(g)
                    la, _ = law(g, x)
                    g.field((la, f"A({x})[p,q] + {a0}*exp(-r({x}))"))

                sq2 = g.by_fact(
                    "tends_ext", "0", "0", "lam t:R. A(t)[p,q]^2", f"lam t:R. ({u})^2", by=[square, lambda g: g.close_by(sq)]
                )
                k = g.split(g.lemma(ID, "part:root", "0", f"lam t:R. {u}", by=[nonneg, lambda g: g.close_by(sq2)]))[1]
                k = g.rewritten(k, zero_root)
                turned = g.by_fact("tends_scale", f"{sign}1", "0", f"lam t:R. {u}", by=[lambda g: g.close_by(k)])

                def equal_entry(g: Goal) -> None:
                    g.intro()
                    x = last(g)
                    g.field((law(g, x)[which], -1))

                e = g.by_fact(
                    "tends_ext",
                    "0",
                    f"{sign}1*0",
                    f"lam t:R. {sign}1*({u})",
                    f"lam t:R. {entry}",
                    by=[equal_entry, lambda g: g.close_by(turned)],
                )
                g.exact(e)

            g.cases(start, lambda g: same_sign(g, ""), lambda g: same_sign(g, "-"))

        return script

    g.conj(one("A(t)[p,q]", 0), one("B(t)[q,j(p)]", 1))
