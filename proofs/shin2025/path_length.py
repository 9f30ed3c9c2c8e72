"""Appendix G.3.1: the chain of bounds of the path length in the proof of Lemma 31, from the distance to the residual."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import CORE, SETTING, jt, moved, n2, residual
from proofs.shin2025.small_loss import BEFORE_EXIT
from verify.kernel import Goal
from verify.registry import amendment, part

CLAIM = "shin2025.proof-step-l31-chain"
SPEED = f"sqrt({jt(residual('u'), 'A(u)', 'B(u)')})"
RESIDUAL = f"sqrt({n2(residual('u'))})"
LARGEST = f"""(all u:R. 0 <= u => 0 <= q(u) and (all X:M(d,d). {jt("had(M, X)", "A(u)", "B(u)")} <= q(u)^2*{n2("had(M, X)")}) and
    (ex X:M(d,d). 0 < {n2("had(M, X)")} and {jt("had(M, X)", "A(u)", "B(u)")} = q(u)^2*{n2("had(M, X)")}))"""
INTEGRALS = f"""P(0) = 0 => K(0) = 0 => Q(0) = 0 => (all u:R. 0 <= u => P'(u) = {SPEED} and K'(u) = q(u)*{RESIDUAL} and
    Q'(u) = {RESIDUAL})"""


@part(
    CLAIM,
    "cauchy-schwarz",
    f"""all d:Z, U V X Y:M(d,d), u w:R. 0 < u => 0 <= w => u^2 = {n2("U")} + {n2("V")} => w^2 = {n2("X")} + {n2("Y")} =>
        tr(T(U) @ X) + tr(T(V) @ Y) <= u*w""",
    says="the inequality of Cauchy and Schwarz for pairs of matrices",
)
def pairs_of_matrices_obey_cauchy_schwarz(g: Goal) -> None:
    """Otherwise y = <(U, V), (X, Y)> > u w, and |u^2 (X, Y) - y (U, V)|^2 = u^2 (u w - y)(u w + y) is negative."""
    u, w, e, f = g.intro()
    y = "(tr(T(U) @ X) + tr(T(V) @ Y))"
    more = g.contra()
    total = g.have(f"0 < {y} + u*w", lambda g: g.pos([f"@{more}"], ["2", f"@{u}", f"@{w}"]))
    squares = [[n2(f"u^2*{a} - {y}*{b}")] for a, b in (("X", "U"), ("Y", "V"))]
    g.pos(*squares, [f"@{u}", f"@{u}", f"@{more}", f"@{total}"], eqs=[(e, f"{y}^2"), (f, "u^4")])


def gap(a: str, b: str) -> str:
    """|Theta(b) - Theta(a)|_F^2."""
    return f"({n2(f'A({b}) - A({a})')} + {n2(f'B({b}) - B({a})')})"


@part(
    CLAIM,
    "chord",
    f"""all d:Z, A B:R~>M(d,d), P:R~>R. (all u:R. 0 <= u => 0 <= P'(u) and P'(u)^2 = {n2("A'(u)")} + {n2("B'(u)")}) =>
        all a b:R. 0 <= a => a <= b => sqrt({gap("a", "b")}) <= P(b) - P(a)""",
    says="the chord is at most the arc, along any path",
)
def chord_is_at_most_the_arc(g: Goal) -> None:
    """With U = Theta(b) - Theta(a): <U, Theta(v)> grows at most like |U| P(v) by the Cauchy-Schwarz inequality."""
    rates, _a0, ordered = g.intro()
    x = gap("a", "b")
    root, square = g.by_fact("sqrt_nonneg", x), g.by_fact("sqrt_sq", x)

    def speed(g: Goal, v: str) -> tuple[str, str]:
        first, second = g.split(g.apply(rates, v))
        return first, second

    def longer(g: Goal) -> None:
        (v,) = g.fix("v")
        g.split_all(g.assume())
        g.exact(speed(g, v)[0])

    grows = g.by_fact("mean_value_le", "a", "b", "lam v:R. P(v)", by=[None, longer, None])

    def length(g: Goal) -> None:
        inner = "(tr(T(A(b) - A(a)) @ (A(v) - A(a))) + tr(T(B(b) - B(a)) @ (B(v) - B(a))))"
        positive = list(g.seq.hyps)[-1]

        def slower(g: Goal) -> None:
            (v,) = g.fix("v")
            g.split_all(g.assume())
            w, same = speed(g, v)
            pairs = ["A(b) - A(a)", "B(b) - B(a)", f"A'({v})", f"B'({v})", f"sqrt({x})", f"P'({v})"]
            scripts = [lambda g, h=h: g.close_by(h) for h in (positive, w, square, same)]
            k = g.lemma(CLAIM, "part:cauchy-schwarz", "d", *pairs, by=scripts)
            g.rewrite(g.differentiate("v_", f"sqrt({x})*P(v_) - {inner}".replace("(v)", "(v_)"), v))
            g.pos([f"@{k}"])

        h = g.by_fact("mean_value_le", "a", "b", f"lam v:R. sqrt({x})*P(v) - {inner}", by=[None, slower, None])
        g.pos([f"@{h}"], mul=[f"@{positive}"], eqs=[(square, "-1")])

    def resting(g: Goal) -> None:
        g.pos([f"@{grows}"], eqs=[(list(g.seq.hyps)[-1], 1)])

    g.cases(g.by_fact("lt_or_eq", "0", f"sqrt({x})", by=[lambda g: g.close_by(root)]), length, resting)
    del ordered


@amendment(
    CLAIM,
    f"""{SETTING} all q:R->R, P K Q:R~>R, t:R. {LARGEST} => {INTEGRALS} => 0 <= t => {BEFORE_EXIT} =>
        sqrt({moved("t")}) <= P(t) and P(t) <= K(t) and K(t) <= 3/2*S*Q(t)""",
    says="With at most in place of the first equality: the distance is at most the length P of the path, which is at most the integral "
    "K of sigma_max(J(Theta(s))) |F - y|, which is at most 3/2 sigma_max times the integral Q of |F - y|.",
    uses=[CORE, "shin2025.lemma-29"],
)
def distance_at_most_path_length(g: Goal) -> None:
    """The chord is at most the arc; the other two bounds compare the integrands."""
    _d1, _mask, flow, _s, _low, _low_at, _big, _high, _high_at, largest, p0, k0, q0, rates, _t, before = g.intro()

    def first(g: Goal) -> None:
        def rate(g: Goal) -> None:
            (v,) = g.fix("v")
            g.assume()
            fa, fb = g.split(g.apply(flow, v))
            speed = jt(residual(v), f"A({v})", f"B({v})")
            r = g.split(g.apply(rates, v))[0]
            w, square = g.by_fact("sqrt_nonneg", speed), g.by_fact("sqrt_sq", speed)
            g.conj(
                lambda g: g.pos([f"@{w}"], eqs=[(r, 1)]),
                lambda g: (g.rewrite(fa), g.rewrite(fb), g.field((r, f"P'({v}) + sqrt({speed})"), (square, 1)))[-1],
            )

        c = g.apply(g.lemma(CLAIM, "part:chord", "d", "A", "B", "P", by=[rate]), "0", "t")
        g.pos([f"@{c}"], eqs=[(p0, 1)])

    def second(g: Goal) -> None:
        def slower(g: Goal) -> None:
            (v,) = g.fix("v")
            g.split_all(g.assume())
            p, k, _ = g.split(g.apply(rates, v))
            n, bound, _ = g.split(g.apply(largest, v))
            f = residual(v)
            i = g.lemma(CORE, "part:mask-idempotent", "d", "M", f"A({v}) @ B({v}) - Z")
            c = g.rewritten(g.apply(bound, f), i)
            x, y = jt(f, f"A({v})", f"B({v})"), n2(f)
            r, rsq = g.by_fact("sqrt_nonneg", y), g.by_fact("sqrt_sq", y)
            top = g.have(f"{x} <= (q({v})*sqrt({y}))^2", lambda g: g.pos([f"@{c}"], eqs=[(rsq, f"q({v})^2")]))
            less = g.by_fact("sqrt_mono", x, f"(q({v})*sqrt({y}))^2", by=[None, lambda g: g.close_by(top)])
            whole = g.by_fact(
                "sqrt_unique", f"(q({v})*sqrt({y}))^2", f"q({v})*sqrt({y})", by=[lambda g: g.pos([f"@{n}", f"@{r}"]), None]
            )
            g.rewrite(g.differentiate("v_", "K(v_) - P(v_)", v))
            g.pos([f"@{less}"], eqs=[(p, -1), (k, 1), (whole, -1)])

        h = g.by_fact("mean_value_le", "0", "t", "lam v:R. K(v) - P(v)", by=[None, slower, None])
        g.pos([f"@{h}"], eqs=[(p0, -1), (k0, 1)])

    def third(g: Goal) -> None:
        def slower(g: Goal) -> None:
            (v,) = g.fix("v")
            _, earlier = g.split_all(g.assume())
            _, k, q = g.split(g.apply(rates, v))
            n, _, reached = g.split(g.apply(largest, v))
            lemma = g.lemma("shin2025.lemma-29", "statement", "d", "M", "Z", "A", "B", "s", "S")
            inside = g.apply(before, v)
            c = g.apply(lemma, f"A({v})", f"B({v})", by=[lambda g: g.pos([f"@{inside}"])])
            w, e = g.obtain(reached, "X")
            c = g.split(g.apply(c, "X"))[1]

            def small(g: Goal) -> None:
                more = g.contra()
                total = g.have(f"0 < q({v}) + 3*S/2", lambda g: g.pos([f"@{more}"], ["3*S"]))
                g.pos([f"@{c}"], [f"@{w}", f"@{more}", f"@{total}"], eqs=[(e, 1)])

            bound = g.have(f"q({v}) <= 3/2*S", small)
            r = g.by_fact("sqrt_nonneg", n2(residual(v)))
            g.rewrite(g.differentiate("v_", "3/2*S*Q(v_) - K(v_)", v))
            g.pos([f"@{bound}", f"@{r}"], eqs=[(q, "3/2*S"), (k, -1)])
            del n, earlier

        h = g.by_fact("mean_value_le", "0", "t", "lam v:R. 3/2*S*Q(v) - K(v)", by=[None, slower, None])
        g.pos([f"@{h}"], eqs=[(q0, "3/2*S"), (k0, -1)])

    g.conj(first, second, third)


RATES = f"(all u:R. 0 <= u => 0 <= P'(u) and P'(u)^2 = {n2('A~(u)')} + {n2('B~(u)')})".replace("~", "'")


@part(
    CLAIM,
    "equality-needs-a-straight-path",
    f"""all d:Z, A B:R~>M(d,d), P:R~>R. {RATES} => P(0) = 0 => all t:R. 0 <= t => sqrt({gap("0", "t")}) = P(t) => all v:R. 0 <= v =>
        v <= t => sqrt({gap("0", "v")})*(A(t) - A(v)) = sqrt({gap("v", "t")})*(A(v) - A(0)) and
        sqrt({gap("0", "v")})*(B(t) - B(v)) = sqrt({gap("v", "t")})*(B(v) - B(0))""",
    says="If the distance equals the length of the path, as printed, then every point of the path lies on the segment between its ends.",
)
def equality_needs_a_straight_path(g: Goal) -> None:
    """With the chords c1 and c2 before and after v: |c1| + |c2| <= P(t) = |c1 + c2|, so | |c1| c2 - |c2| c1 |^2 <= 0."""
    rates, zero, _t0, equal, _v0, _vt = g.intro()
    chord = g.lemma(CLAIM, "part:chord", "d", "A", "B", "P", by=[lambda g: g.close_by(rates)])
    one, two = g.apply(chord, "0", "v"), g.apply(chord, "v", "t")
    gaps = gap("0", "v"), gap("v", "t"), gap("0", "t")
    x, y, whole = (f"sqrt({e})" for e in gaps)
    for e in gaps:
        g.by_fact("sqrt_nonneg", e)
    x2, y2, w2 = (g.by_fact("sqrt_sq", e) for e in gaps)
    long = g.have(f"{x} + {y} <= {whole}", lambda g: g.pos([f"@{one}"], [f"@{two}"], eqs=[(equal, 1), (zero, 1)]))
    inner = "(tr(T(A(v) - A(0)) @ (A(t) - A(v))) + tr(T(B(v) - B(0)) @ (B(t) - B(v))))"
    along = g.have(
        f"{x}*{y} <= {inner}",
        lambda g: g.pos([f"@{long}", f"{whole} + {x} + {y}", "1/2"], eqs=[(x2, "1/2"), (y2, "1/2"), (w2, "-1/2")]),
    )
    differences = [f"{x}*({m}(t) - {m}(v)) - {y}*({m}(v) - {m}(0))" for m in "AB"]
    first, second = (n2(e) for e in differences)
    total = g.have(
        f"{first} + {second} <= 0",
        lambda g: g.pos([f"@{along}", f"2*{x}*{y}"], eqs=[(x2, f"{y}^2"), (y2, f"{x}^2")]),
    )

    def equal_parts(g: Goal, m: str) -> None:
        this, other = (first, second) if m == "A" else (second, first)
        e = differences["AB".index(m)]
        below = g.have(f"{this} <= 0", lambda g: g.pos([f"@{total}"], [other]))
        g.have(f"{this} = 0", lambda g: g.antisym(lambda g: g.close_by(below)))
        z = g.by_fact("frobenius_zero", "d", "d", e)
        g.nc((z, 1, None, None))

    g.conj(lambda g: equal_parts(g, "A"), lambda g: equal_parts(g, "B"))
