"""The projected flow in one dimension with X = Y = P = 1, from which several printed constants are refuted, and the inverses of I - alpha alpha^T."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import GRAM, setting_lemma
from proofs.varre2023.flows import ALPHA, BETA, PROJECTED, SETTING
from proofs.varre2023.printed_beta import nested
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, part, refuted

HOST = "varre2023.step-c-6-beta-formula"
ONE = "[[1]]"
UNIT = {"X": ONE, "Y": ONE, "P": ONE}
UNIT_RES = f"(T({ONE}) @ ({ONE} - {ONE} @ Z1(t) @ Z2(t)))"


@part(
    HOST,
    "unit-flow",
    f"""all c:R. 0 < c => ex Z1 Z2:R~>M(1,1), u:R. Z1(0) = sqrt(2*c)*({ONE} @ T({ONE})) and Z2(0) = O(1,1) and
       (all t:R. 0 <= t => Z1'(t) = {UNIT_RES} @ T(Z2(t)) and Z2'(t) = T(Z1(t)) @ {UNIT_RES}) and
       0 <= u and Z2(u)[1,1]*(1 - (Z1(u) @ Z2(u))[1,1]) != 0""",
    says="the flow exists for X = Y = P = 1 and every gamma, and at some time neither Z2 nor the residual is 0",
)
def unit_flow_exists(g: Goal) -> None:
    """Z2 (1 - beta) has the derivative sqrt(2 gamma) at 0."""
    (positive,) = g.intro()
    flow = g.fact("two_layer_flow", 1, 1, 1, "[[sqrt(2*c)]]", "O(1,1)", ONE, ONE)
    first, second, equations = g.obtain(flow, "A", "B")

    def gradient(g: Goal) -> None:
        g.fix("t")
        g.assume()
        a, b = g.split(g.apply(equations, "t"))
        g.conj(lambda g: (g.rewrite(a), g.ext(lambda g: g.field())), lambda g: (g.rewrite(b), g.ext(lambda g: g.field())))

    value = "B(t)[1,1]*(1 - (A(t) @ B(t))[1,1])"

    def some_time(g: Goal) -> None:
        none = g.contra()

        def zero(g: Goal) -> None:
            g.fix("w")
            g.assume()
            here = value.replace("(t)", "(w)")

            def other(g: Goal) -> None:
                bad = list(g.seq.hyps)[-1]
                found = g.have(
                    f"ex u:R. 0 <= u and {value.replace('(t)', '(u)')} != 0", lambda g: (g.witness("w"), g.conj(None, using(bad)))
                )
                g.clash(found, none)

            g.em(f"{here} = 0", lambda g: g.close_by(list(g.seq.hyps)[-1]), other)

        agree = g.by_fact("derivative_agrees", 0, f"lam t:R. {value}", "lam t:R. 0", by=[None, zero])
        flat = g.apply(agree, 0)
        _, b = g.split(g.apply(equations, 0))
        slope = g.have("B'(0)[1,1] = sqrt(2*c)", lambda g: (g.rewrite(b), g.rewrite(first), g.rewrite(second), g.field()))
        begin = g.have("B(0)[1,1] = 0", lambda g: (g.rewrite(second), g.field()))
        rule = g.differentiate("t", value, "0")
        left = g.have(
            ("=", g.hyp_formula(rule)[2], g.term("sqrt(2*c)")), lambda g: g.field((begin, derivative_cofactor()), (slope, 1))
        )
        g.have("0 < 2*c", lambda g: g.pos(["2", f"@{positive}"]))
        g.have("0 < sqrt(2*c)", lambda g: g.auto())
        g.pos(["sqrt(2*c)"], eqs=[(flat, -1), (rule, 1), (left, 1)])

    found = g.have(f"ex u:R. 0 <= u and {value.replace('(t)', '(u)')} != 0", some_time)
    late, nonzero = g.obtain(found, "u")
    g.witness("A", "B", "u")
    g.conj(
        lambda g: (g.rewrite(first), g.ext(lambda g: g.field())),
        using(second),
        gradient,
        using(late),
        using(nonzero),
    )


def derivative_cofactor() -> str:
    """The factor of B(0) in the derivative of B (1 - A B) at 0."""
    return "-(A'(0)[1,1]*B(0)[1,1] + 2*A(0)[1,1]*B'(0)[1,1])"


def counterexample(g: Goal, scale: str, violated: Script) -> None:
    """The unit flow as a counterexample: `violated` shows the last formula from the flow with the hypotheses' names."""
    flow = g.lemma(HOST, "part:unit-flow", scale)
    start, zero, equations, _, _ = g.obtain(flow, "Z1", "Z2", "u")
    g.witness(1, 1, 1, 1, scale, ONE, ONE, ONE, "Z1", "Z2")
    nested(
        g,
        None,
        lambda g: g.ext(lambda g: g.field()),
        using(start),
        using(zero),
        using(equations),
        violated,
    )


FORMULA = f"{PROJECTED} all t:R. 0 <= t => det({GRAM}) != 0 and (ex A:M(n,k). {ALPHA} = T(X) @ A) and {BETA} = {{0}}(inv({GRAM}) @ {ALPHA})"


@refuted(
    HOST,
    FORMULA.format(""),
    reason="the factor 2 gamma is missing (Lemma C.2): in one dimension with X = Y = P = 1, gamma = 2 the two sides differ by the factor 4 whenever beta is not 0",
    uses=["varre2023.lemma-c-2-beta", "varre2023.lemma-c-2-alpha"],
)
def printed_formula_for_beta(g: Goal) -> None:
    """The right side is both beta and beta/4."""

    def violated(g: Goal) -> None:
        late, nonzero = late_and_nonzero(g)
        g.witness("u")

        def wrong(g: Goal) -> None:
            g.left_or_right(2)
            same = g.contra()
            h = unit_lemma(g, "varre2023.lemma-c-2-beta", "statement", 2)
            _, true = g.split(g.apply(h, "u"))
            beta = BETA.replace("(t)", "(u)")
            none = g.have(f"{beta} = O(1,1)", lambda g: g.nc((true, "-1/3", None, None), (same, "4/3", None, None)))
            inner = unit_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", 2)
            plain, _ = g.split(g.apply(inner, "u"))
            left = g.by_fact("inv_left", 1, "Z1(u)", by=[using(plain)])
            second = g.have("Z2(u) = O(1,1)", lambda g: g.nc((left, -1, None, "Z2(u)"), (none, 1, "inv(Z1(u))", None)))
            entry = g.have("Z2(u)[1,1] = 0", lambda g: (g.rewrite(second), g.field()))
            zero = g.have("Z2(u)[1,1]*(1 - (Z1(u) @ Z2(u))[1,1]) = 0", lambda g: g.field((entry, "1 - (Z1(u) @ Z2(u))[1,1]")))
            g.clash(zero, nonzero)

        g.conj(using(late), wrong)

    counterexample(g, "2", violated)


def late_and_nonzero(g: Goal) -> tuple[str, str]:
    """The hypotheses 0 <= u and that neither Z2 nor the residual is 0 at u."""
    late = next(h for h, f in g.seq.hyps.items() if f == ("<=", 0, "u"))
    nonzero = next(h for h, f in g.seq.hyps.items() if f[0] == "!=" and f[2] == 0)
    return late, nonzero


def unit_lemma(g: Goal, claim: str, role: str, scale: int) -> str:
    """A statement about the projected flow, for the unit flow."""
    start, zero = (next(h for h, f in g.seq.hyps.items() if f[0] == "=" and f[1] == ("call", z, 0)) for z in ("Z1", "Z2"))
    flow = next(h for h, f in g.seq.hyps.items() if f[0] == "all" and f[1] == (("t", "R"),))
    by = [None, lambda g: g.ext(lambda g: g.field()), using(start), using(zero), using(flow)]
    return g.lemma(claim, role, *(1, 1, 1, 1, scale, ONE, ONE, ONE, "Z1", "Z2"), by=by)


@amendment(
    HOST,
    FORMULA.format("(2*c)*"),
    says="beta = 2 gamma (I - alpha alpha^T)^{-1} alpha",
    uses=["varre2023.lemma-c-2-beta", "varre2023.step-c-3-perp-ode", "varre2023.step-c-3-projection"],
)
def beta_with_the_factor(g: Goal) -> None:
    """Lemma C.2 and the span of alpha."""
    names = g.intro()
    regular, value = g.split(setting_lemma(g, "varre2023.lemma-c-2-beta", "statement", names))
    inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
    step = g.lemma("varre2023.step-c-3-perp-ode", "statement", *SETTING, "G", by=[using(n) for n in (inner, sym, *names[:5])])
    rest = g.apply(g.split_all(step)[-1], "t")

    def spanned(g: Goal) -> None:
        g.witness(f"T(G) @ {ALPHA}")
        g.nc((rest, 1, None, None), (sym, -1, None, ALPHA))

    g.conj(using(regular), spanned, using(value))
