"""Appendix D, proof of Proposition 4.1, scale: the stochastic differentials of u^2 + sqrt(d) v^2 and its powers, and of u^2 - v^2."""

from __future__ import annotations

from proofs.razin2020.scripts import nested, using
from proofs.varre2023.stochastic_differentials import (
    ALONG,
    BASIS,
    COLUMN,
    ITO,
    NORM,
    READING,
    bend,
    differential,
    drift,
    moved,
    noise,
    squares_along,
)
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

WEIGHTED = "(tr(T({w}) @ {w}) + sqrt(d)*{v}^2)"
C = f"({NORM} + sqrt(d)*v^2)"
POWER = f"{WEIGHTED}^a"
ROOTS = f"{READING}; d for d and n, which agree; u^2 = |w|^2, and u dB~ = sum_j <w, e_j> dB^j"
NONZERO = "w and v are not both 0: the power is taken where it is differentiable [the display divides by it]"
POWERS = COLUMN.replace("v:R.", "v a:R.").replace("1 <= d =>", "1 <= d => 0 < a => a < 1 =>")


def total(g: Goal, basis: str, f: str, constant: str, factor: str, term: Script) -> str:
    """The drift of f, if the second derivative along the j-th direction is constant + factor <w, e_j>^2."""
    squares = squares_along(g, basis)
    s = g.by_fact("sum_ext", 1, "d", f"lam j:Z. {bend(f)}", f"lam j:Z. {constant} + ({factor})*({ALONG}*{ALONG})", by=[term])
    c = g.by_fact("sum_const", 1, "d", constant, by=[Goal.auto])
    return g.have(
        f"{drift(f)} = (d*({constant}) + ({factor})*{NORM})/2",
        lambda g: g.field((s, "1/2"), (c, "1/2"), (squares, f"({factor})/2")),
    )


@holds(
    "varre2023.step-d-scale-sde",
    f"{COLUMN} {differential(WEIGHTED, f'2*(sqrt(d) + 1)*v*{ALONG}', f'sqrt(d)*{C}')}",
    argument="sound",
    context=ITO,
    reading=ROOTS,
    uses=["varre2023.step-d-ito-a"],
)
def weighted_norm_of_a_column(g: Goal) -> None:
    """d v^2 + sqrt(d) |w|^2 = sqrt(d) (|w|^2 + sqrt(d) v^2)."""
    _, unit, basis = g.intro()
    g.have("0 < sqrt(d)", Goal.auto)
    root = g.by_fact("sqrt_sq", "d", by=[Goal.auto])

    def term(g: Goal) -> None:
        g.fix("j")
        e = g.apply(unit, "j", by=[using(g.assume())])
        g.field((e, "2*v^2"))

    rate = total(g, basis, WEIGHTED, "2*v^2", "2*sqrt(d)", term)
    g.conj(lambda g: (g.intro(), g.field()), lambda g: g.field((rate, 1), (root, "-v^2")))


@holds(
    "varre2023.step-d-drift-only",
    f"""{COLUMN} {differential("(tr(T({w}) @ {w}) - {v}^2)", "0", f"d*v^2 - {NORM}")} and
       {drift("(tr(T({w}) @ {w}) - {v}^2)")} + ({NORM} - v^2) = (d - 1)*v^2 and
       all t:R. D(x, exp(x)*({NORM} - v^2), t) + exp(t)*{drift("(tr(T({w}) @ {w}) - {v}^2)")} = (d - 1)*exp(t)*v^2""",
    argument="sound",
    context=ITO,
    reading=f"{ROOTS}; there is no noise, so that the words 'only diffusion' before the display should read 'only drift'",
    uses=["varre2023.step-d-ito-a"],
)
def difference_has_no_noise(g: Goal) -> None:
    """Both squares have the noise 2 v <w, e_j>."""
    _, unit, basis = g.intro()
    f = "(tr(T({w}) @ {w}) - {v}^2)"

    def term(g: Goal) -> None:
        g.fix("j")
        e = g.apply(unit, "j", by=[using(g.assume())])
        g.field((e, "2*v^2"))

    rate = total(g, basis, f, "2*v^2", "-2", term)
    g.conj(
        lambda g: (g.intro(), g.field()),
        lambda g: g.field((rate, 1)),
        lambda g: g.field((rate, 1)),
        lambda g: (g.fix("t"), g.field((rate, "exp(t)"))),
    )


SPEED, CURVE = f"(2*(r*v^2*tr(T(e(j)) @ e(j)) + v*{ALONG} + sqrt(d)*(v + r*{ALONG})*{ALONG}))", moved(WEIGHTED, "r")
FIRST, SECOND = f"(2*(sqrt(d) + 1)*v*{ALONG})", f"(2*v^2*tr(T(e(j)) @ e(j)) + 2*sqrt(d)*({ALONG}*{ALONG}))"
BENT = f"(a*{C}^(a - 1)*{SECOND} + a*(a - 1)*{C}^(a - 2)*{FIRST}^2)"


@part(
    "varre2023.step-d-power-ito",
    "along-a-line",
    f"all d j:Z, e:Z->V(d), w:V(d), v a:R. 0 < {C} => {noise(POWER)} = a*{C}^(a - 1)*{FIRST} and {bend(POWER)} = {BENT}",
    says="the first two derivatives of the power along a noise direction",
)
def derivatives_of_the_power(g: Goal) -> None:
    """Near 0 the weighted norm is positive, and its power has the derivative a c^(a - 1) c'."""
    (positive,) = g.intro()
    at = moved(WEIGHTED, "0")
    g.have(f"0 < {at}", lambda g: g.pos([f"@{positive}"]))
    near = g.by_fact("persistence", "0", f"lam r:R. {CURVE}", by=[None, Goal.auto])
    (room, inside) = g.obtain(near, "h")

    def slope(g: Goal) -> None:
        g.fix("r")
        low, high = g.intro()
        g.apply(inside, "r", by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"]), lambda g: g.pos([f"@{high}"]))])
        g.field()

    slopes = g.have(f"all r:R. 0 - h < r and r < 0 + h => D(x, {moved(POWER, 'x')}, r) = a*{CURVE}^(a - 1)*{SPEED}", slope)
    local = g.by_fact(
        "derivative_local", "0 - h", "0 + h", "0", f"lam s:R. D(r, {moved(POWER, 'r')}, s)", f"lam r:R. a*{CURVE}^(a - 1)*{SPEED}",
        by=[lambda g: g.pos([f"@{room}"]), lambda g: g.pos([f"@{room}"]), Goal.auto, using(slopes)],
    )  # fmt: skip
    g.conj(lambda g: g.field(), lambda g: g.field((local, 1)))


TRANSPORT = f"a*{C}^(a - 1)*(sqrt(d)*{C})"
ITO_TERM = f"a*(a - 1)*{C}^(a - 2)*(4*(sqrt(d) + 1)^2*{NORM}*v^2)/2"


@holds(
    "varre2023.step-d-power-ito",
    f"{POWERS} 0 < {C} => {differential(POWER, f'a*{C}^(a - 1)*(2*(sqrt(d) + 1)*v*{ALONG})', f'{TRANSPORT} + {ITO_TERM}')}",
    argument="sound",
    context=f"{ITO}; {NONZERO}",
    reading=f"{ROOTS}; a stands for alpha",
    uses=["varre2023.step-d-ito-a"],
)
def power_of_the_weighted_norm(g: Goal) -> None:
    """Sum the second derivatives along the noise directions."""
    _, _, _, unit, basis, positive = g.intro()
    g.have("0 < sqrt(d)", Goal.auto)
    root = g.by_fact("sqrt_sq", "d", by=[Goal.auto])

    def lines(g: Goal) -> list[str]:
        return g.split(
            g.lemma("varre2023.step-d-power-ito", "part:along-a-line", "d", "j", "e", "w", "v", "a", by=[using(positive)])
        )

    def first(g: Goal) -> None:
        g.fix("j")
        g.assume()
        g.close_by(lines(g)[0])

    def term(g: Goal) -> None:
        g.fix("j")
        e = g.apply(unit, "j", by=[using(g.assume())])
        bent = lines(g)[1]
        g.field((bent, 1), (e, f"2*v^2*a*{C}^(a - 1)"))

    rate = total(
        g, basis, POWER, f"a*{C}^(a - 1)*(2*v^2)",
        f"a*{C}^(a - 1)*(2*sqrt(d)) + a*(a - 1)*{C}^(a - 2)*(4*(sqrt(d) + 1)^2*v^2)", term,
    )  # fmt: skip
    g.conj(first, lambda g: g.field((rate, 1), (root, f"-a*{C}^(a - 1)*v^2")))


INTEGRAND = f"a*{C}^a*(sqrt(d) + 2*(a - 1)*(sqrt(d) + 1)^2*{NORM}*v^2/{C}^2)"


@holds(
    "varre2023.eq-d-3",
    f"{POWERS} 0 < {C} => {drift(POWER)} = {INTEGRAND}",
    argument="sound",
    context=f"{ITO}; {NONZERO}; Dynkin's formula: the derivative of the expectation of f is the expectation of the coefficient of dt [Appendix D]",
    reading=f"{ROOTS}; a stands for alpha; equality under the expectation for every state",
    uses=["varre2023.step-d-power-ito"],
)
def drift_of_the_power(g: Goal) -> None:
    """C^(a - 1) C = C^a and C^(a - 2) = C^a / C^2."""
    names = g.intro()
    h = g.lemma("varre2023.step-d-power-ito", "statement", "d", "e", "w", "v", "a", by=[using(n) for n in names])
    rate = g.split(h)[1]
    g.field((rate, 1))


STATES = f"(all e:Z->V(d), w:V(d), v:R. {BASIS} 0 < {C} => a*c*{C}^a <= {drift(POWER)})"
MEANS = "(all m:R~>R. 0 < m(0) => (all t:R. 0 <= t => a*c*m(t) <= m'(t)) => tendsoo(t, m(t)))"
GROWTH = f"0 < c and {STATES} and {MEANS}"
GROWTH_READING = (
    f"{ROOTS}; a stands for alpha, c for c_0, which may depend on d and alpha; the inequality of the expectations as one of the integrands for every state, "
    "m for the expectation of C^alpha"
)


@refuted(
    "varre2023.step-d-growth",
    f"all d:Z, a:R. 5 <= d => 0 < a => a < 1 => ex c:R. {GROWTH}",
    argument="fails",
    context=f"{ITO}; {NONZERO}; Dynkin's formula [Appendix D]",
    reading=GROWTH_READING,
    reason="for d = 5, alpha = 1/100 and |w_i|^2 = sqrt(5) a_i^2 the coefficient of dt is negative (step-d-c0-positivity). This refutes the inequality of the expectations at t = 0, "
    "where W(0) and a(0) are deterministic and free, so that the coefficient at this state is the derivative of the expectation; of later times it says nothing, "
    "and 'hence the limit is infinity' is not refuted for d = 5: it only does not follow in this way",
    uses=["varre2023.eq-d-3"],
)
def the_power_can_decrease_at_five(g: Goal) -> None:
    """v = 1, w = 5^(1/4) e_1."""
    g.witness(5, "1/100")
    root = g.by_fact("sqrt_sq", "5")
    g.have("0 < sqrt(5)", Goal.auto)
    four = g.by_fact("sqrt_sq", "sqrt(5)", by=[Goal.auto])
    low = g.have("11/5 < sqrt(5)", lambda g: g.ball())
    entries = g.obtain(g.fact("matrix_family", 5, 1, "lam k i j:Z. I(5)[i,k]"), "e")[0]
    vector = "[[sqrt(sqrt(5))],[0],[0],[0],[0]]"

    places = [(k, i) for k in range(1, 6) for i in range(1, 6)]

    def unit(g: Goal) -> None:
        g.fix("j")
        inside = g.split_all(g.assume())
        trace = g.fact("tr_entries", 1, "T(e(j)) @ e(j)")
        own = g.apply(entries, "j", "j", 1)

        def other(g: Goal) -> None:
            g.fix("i")
            g.split_all(g.assume())
            g.assume()
            z = g.apply(entries, "j", "i", 1)
            g.field((z, "e(j)[i,1]"), (z, "I(5)[i,j]"))

        single = g.by_fact("sum_delta", 1, 5, "j", "lam i:Z. e(j)[i,1]*e(j)[i,1]", by=[using(inside[0]), using(inside[1]), other])
        g.field((trace, 1), (single, 1), (own, "e(j)[j,1] + 1"))

    def identity(g: Goal) -> None:
        known = []
        for k, i in places:
            h = g.apply(entries, k, i, 1)
            known.append(g.have(f"e({k})[{i},1] = {int(i == k)}", lambda g, h=h: g.field((h, 1))))
        steps = []
        for hi in range(5, 0, -1):
            last = g.by_fact("matrix_sum_last", 5, 5, 1, hi, "lam j:Z. e(j) @ T(e(j))", by=[Goal.auto])
            steps.append(g.rewritten(last, g.have(f"{hi} - 1 = {hi - 1}", lambda g: g.field())))
        empty = g.by_fact("matrix_sum_empty", 5, 5, 1, 0, "lam j:Z. e(j) @ T(e(j))", by=[Goal.auto])
        for h in steps:
            g.rewrite(h)
        g.rewrite(empty)
        g.ext(lambda g: g.field(rw=known))

    size = g.have(f"tr(T({vector}) @ {vector}) = sqrt(5)", lambda g: g.field((four, 1)))
    norms = g.have("all j:Z. 1 <= j and j <= 5 => tr(T(e(j)) @ e(j)) = 1", unit)
    whole = g.have("sum(j, 1, 5, e(j) @ T(e(j))) = I(5)", identity)
    weight = f"(tr(T({vector}) @ {vector}) + sqrt(5)*1^2)"
    above = g.have(f"0 < {weight}", lambda g: (g.rewrite(size), g.auto()))
    rate = g.lemma(
        "varre2023.eq-d-3", "statement", 5, "e", vector, 1, "1/100",
        by=[None, None, None, using(norms), using(whole), using(above)],
    )  # fmt: skip

    def no_constant(g: Goal) -> None:
        g.fix("c")

        def positive(g: Goal) -> None:
            c = next(reversed(g.seq.hyps))
            g.left_or_right(1)
            g.witness("e", vector, 1)

            def below(g: Goal) -> None:
                g.rewrite(rate)
                g.have(f"0 < {weight}^(1/100)", Goal.auto)
                factor = "(sqrt(5) + 2*(1/100 - 1)*(sqrt(5) + 1)^2*sqrt(5)/(sqrt(5) + sqrt(5))^2)"
                negative = g.have(
                    f"{factor} < 0",
                    lambda g: g.pos([f"@{low}", "99/50"], ["37/125"], mul=["2*sqrt(5)"], eqs=[(root, "-101/100")]),
                )
                g.rewrite(size)
                g.have("0 < (sqrt(5) + sqrt(5))^(1/100)", Goal.auto)
                g.pos([f"@{c}", "1/100", "(sqrt(5) + sqrt(5))^(1/100)"], [f"@{negative}", "1/100", "(sqrt(5) + sqrt(5))^(1/100)"])

            nested(g, using(norms), using(whole), using(above), below)

        g.em("c <= 0", lambda g: (g.left_or_right(0), g.close_by(next(reversed(g.seq.hyps)))), positive)

    nested(g, None, None, None, no_constant)


@amendment(
    "varre2023.step-d-growth",
    f"all d:Z. 6 <= d => ex c:R. 0 < c and all a:R. 0 < a => a < 1 => {STATES} and {MEANS}",
    says="for d >= 6, with one constant for all alpha",
    uses=[
        "varre2023.eq-d-3",
        "varre2023.step-d-c0-positivity",
        "varre2023.step-d-drift-lower-bound",
        "varre2023.step-d-drift-factor",
    ],
)
def the_power_grows_from_six_on(g: Goal) -> None:
    """The bound of the drift with u = |w|; then m(t) >= m(0) exp(a c t) by Gronwall's inequality for -m."""
    (six,) = g.intro()
    positive, bound = g.obtain(g.lemma("varre2023.step-d-c0-positivity", "amendment", "d", by=[using(six)]), "c")
    g.have("0 < d", Goal.auto)
    g.have("0 < sqrt(d)", Goal.auto)
    g.witness("c")

    def powers(g: Goal) -> None:
        low, high = g.intro()
        room = g.apply(bound, "a", by=[using(low), using(high)])

        def states(g: Goal) -> None:
            unit, basis, above = g.intro()
            rate = g.lemma(
                "varre2023.eq-d-3", "statement", "d", "e", "w", "v", "a",
                by=[None, using(low), using(high), using(unit), using(basis), using(above)],
            )  # fmt: skip
            root = g.by_fact("sqrt_sq", NORM, by=[Goal.auto])
            u = f"sqrt({NORM})"
            c = f"({u}^2 + sqrt(d)*v^2)"
            same = g.have(f"{c} = {C}", lambda g: g.field((root, 1)))
            high_c = g.have(f"0 < {c}", lambda g: (g.rewrite(same), g.close_by(above)))
            h = g.split_all(
                g.lemma(
                    "varre2023.step-d-drift-lower-bound",
                    "statement",
                    "d",
                    "a",
                    u,
                    "v",
                    by=[None, using(low), using(high), using(high_c)],
                )
            )[2]
            factor = g.lemma("varre2023.step-d-drift-factor", "statement", "d", "a", u, "v", by=[None, using(high_c)])
            h = g.rewritten(g.rewritten(h, factor), root)
            g.rewrite(rate)
            g.have(f"0 < {C}^a", Goal.auto)
            g.pos([f"@{h}"], [f"@{room}", "a", f"{C}^a"])

        def means(g: Goal) -> None:
            start, grows = g.intro()

            def falls(g: Goal) -> None:
                g.fix("t")
                k = g.apply(grows, "t", by=[using(g.assume())])
                g.pos([f"@{k}"])

            low_m = g.by_fact("gronwall", 0, "lam t:R. -m(t)", "lam t:R. a*c*t", by=[None, falls])
            g.have("0 < a*c", Goal.auto)
            value = g.obtain(g.have("ex k:R. k = a*c", lambda g: (g.witness("a*c"), g.refl())), "k")[0]
            k = g.have("0 < k", lambda g: (g.rewrite(value), g.auto()))
            exponential = g.by_fact("tendsoo_exp", "k", by=[using(k)])
            growth = g.apply(g.split(g.fact("tendsoo_definition", "lam w:R. exp(k*w)"))[0], by=[using(exponential)])
            back = g.split(g.fact("tendsoo_definition", "lam w:R. m(w)"))[1]

            def large(g: Goal) -> None:
                g.fix("b")
                (far,) = g.obtain(g.apply(growth, "b/m(0)"), "r")
                g.witness("max(r,0)")
                g.fix("t")
                late = g.assume()
                cases = g.fact("max_cases", "r", 0)
                first = g.have("r <= t", lambda g: g.cases(cases, *[max_script(late)] * 2))
                second = g.have("0 <= t", lambda g: g.cases(cases, *[max_script(late)] * 2))
                one = g.apply(far, "t", by=[using(first)])
                two = g.apply(low_m, "t", by=[using(second)])
                same = g.have("exp(k*t) = exp(a*c*t)", lambda g: (g.rewrite(value), g.field()))
                g.pos([f"@{one}", "m(0)"], [f"@{two}"], eqs=[(same, "-m(0)")])

            g.apply(back, by=[large])
            g.close_by(next(reversed(g.seq.hyps)))

        g.conj(states, means)

    g.conj(using(positive), powers)


def max_script(late: str) -> Script:
    """From max(x, y) <= t."""

    def script(g: Goal) -> None:
        order, value = g.split(next(reversed(g.seq.hyps)))
        g.nlin(products=1, use=[late, order, value])

    return script
