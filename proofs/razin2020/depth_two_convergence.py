"""Proposition 4: the loss of the depth 2 flow from a scaled identity tends to zero."""

from __future__ import annotations

from proofs.razin2020.depth_two_flow import SCALARS, scalar_region, symmetric_flow
from proofs.razin2020.problem import loss
from proofs.razin2020.scaled_identity import GRADIENT, PROP_4, SETTING
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

LOSS_T, LOSS_S = loss("X(t)"), loss("X(s)")
DECREASE = f"D(s, {LOSS_S}, t)"
CUBE = f"tr({GRADIENT} @ X(t) @ {GRADIENT})"
P4 = f"{PROP_4} all t:R. 0 <= t =>"
Q = "X(t)[1,2]"


@holds(
    "razin2020.prop-4-step-loss-derivative",
    f"{P4} {DECREASE} = -2*{CUBE} and {DECREASE} <= 0",
    uses=["razin2020.lemma-24"],
    argument="sound",
    reading=SETTING,
)
def loss_decreases_by_the_gradient(g: Goal) -> None:
    """The derivative is tr(H X') with X' = -(X H + H X), H the gradient; tr(H X H) = |W_2^T H|^2."""
    names = g.intro()
    sym, gram, _, law = symmetric_flow(g, names[:7])
    only(g, sym, gram, law)
    k = g.have("T(X(t))[1,2] = X(t)[1,2]", lambda g: g.ctx(using(sym)))
    off = g.have("X(t)[2,1] = X(t)[1,2]", lambda g: g.field((k, 1)))
    entries = [(i, j) for i in (1, 2) for j in (1, 2)]
    velocity = [
        g.have(
            ("=", ("entry", g.term("X'(t)"), i, j), ("entry", g.hyp_formula(law)[2], i, j)),
            lambda g: (g.rewrite(law), g.refl())[-1],
        )
        for i, j in entries
    ]

    def derivative(g: Goal) -> None:
        only(g, *velocity, off)
        g.field(rw=[*velocity, off])

    eq = g.have(f"{DECREASE} = -2*{CUBE}", derivative)

    def sign(g: Goal) -> None:
        only(g, sym, gram, eq, off)
        turned = g.have(f"T({GRADIENT}) = {GRADIENT}", lambda g: g.ext(lambda g: g.field(rw=[off])))
        square = f"tr(T(T(B(t)) @ {GRADIENT}) @ (T(B(t)) @ {GRADIENT}))"
        same = g.have(
            f"T(T(B(t)) @ {GRADIENT}) @ (T(B(t)) @ {GRADIENT}) = {GRADIENT} @ X(t) @ {GRADIENT}",
            lambda g: g.nc((gram, 1, GRADIENT, GRADIENT), rw=[turned]),
        )
        value = g.have(f"{square} = {CUBE}", lambda g: g.ctx(using(same)))
        g.rewrite(eq)
        low = g.have(f"0 <= {square}", nonneg_trace)
        only(g, value, low)
        finish(g, low, value)

    g.conj(using(eq), sign)


def nonneg_trace(g: Goal) -> None:
    """A squared norm is not negative."""
    only(g)
    g.pos([g.concl[2]])


def finish(g: Goal, low: str, value: str) -> None:
    """-2 x <= 0 from 0 <= y and y = x, where x and y are traces."""
    y, x = g.hyp_formula(value)[1:]
    k = g.have(("<=", 0, x), lambda g: (g.rewrite(value, back=True), g.close_by(low))[-1])
    g.step("pos", terms=((2, ("hyp", k)),))


H = GRADIENT


@holds(
    "razin2020.eq-40",
    f"{P4} {DECREASE} <= -2*(eig(X(t),1)*sv({H},2)^2)",
    uses=["razin2020.lemma-24", "razin2020.prop-4-step-loss-derivative", "razin2020.lemma-11"],
    argument="sound",
    reading=SETTING,
)
def loss_decreases_by_the_extreme_values(g: Goal) -> None:
    """Lemma 11 with the gradient for A and the product matrix for B."""
    names = g.intro()
    sym, gram, _, _ = symmetric_flow(g, names[:7])
    k = g.lemma(
        "razin2020.prop-4-step-loss-derivative", "statement", *["n", "A", "B", "X", "al"], by=[using(h) for h in names[:7]]
    )
    eq = g.split(g.apply(k, "t"))[0]
    only(g, sym, gram, eq)
    k = g.have("T(X(t))[1,2] = X(t)[1,2]", lambda g: g.ctx(using(sym)))
    off = g.have("X(t)[2,1] = X(t)[1,2]", lambda g: g.field((k, 1)))
    turned = g.have(f"T({H}) = {H}", lambda g: (only(g, off), g.ext(lambda g: g.field(rw=[off])))[-1])

    def psd(g: Goal) -> None:
        g.fix("v")
        s = "tr(T(T(B(t)) @ v) @ (T(B(t)) @ v))"
        e = g.have(f"tr(T(v) @ X(t) @ v) = {s}", lambda g: (only(g, gram), g.rewrite(gram, back=True), g.field())[-1])
        only(g, e)
        g.pos([s], eqs=[(e, 1)])

    bound = g.lemma("razin2020.lemma-11", "statement", 2, H, "X(t)", by=[None, using(sym), psd])
    same = g.have(f"T({H}) @ X(t) @ {H} = {H} @ X(t) @ {H}", lambda g: g.nc((turned, 1, None, f"X(t) @ {H}")))
    bound = g.rewritten(bound, same)
    only(g, eq, bound)
    g.rewrite(eq)
    only(g, bound)
    g.step("pos", terms=((2, ("hyp", bound)),))


@holds(
    "razin2020.prop-4-step-lambda1",
    f"""(all d i:Z, W:M(d,d). T(W) = W => 1 <= i => i <= d => W[i,i] <= eig(W,1)) and
       ({P4} X(t)[1,1] <= eig(X(t),1) and al <= X(t)[1,1])""",
    uses=["razin2020.lemma-24", "razin2020.lemma-21"],
    argument="sound",
    reading=f"greater in the weak sense: a diagonal matrix has its largest diagonal entry as eigenvalue; {SETTING}",
)
def largest_eigenvalue_is_at_least_alpha(g: Goal) -> None:
    """Rayleigh's principle at a unit vector; w11 does not decrease from alpha."""

    def entry(g: Goal) -> None:
        sym, low, high = g.intro()
        (pick,) = g.obtain(g.by_fact("unit_vector", "d", "i"), "e", split=False)
        r = g.split(g.by_fact("eig_rayleigh", "d", "W", "e", by=[using(sym), lambda g: g.pos([f"@{low}"], [f"@{high}"])]))[1]
        (w,) = g.obtain(g.have("ex w:V(d). w = W @ e", lambda g: (g.witness("W @ e"), g.refl())[-1]), "w")
        form = g.have("T(e) @ W @ e = T(e) @ w", lambda g: g.nc((w, -1, "T(e)", None)))
        r = g.rewritten(r, form)
        one, two = g.fact("tr_entries", 1, "T(e) @ w"), g.fact("tr_entries", 1, "T(e) @ e")
        first = g.apply(pick, 1, "T(w)", 1)
        second = g.apply(pick, "d", "W", "i")
        third = g.have("w[i,1] = (W @ e)[i,1]", lambda g: g.ctx(using(w)))
        unit = g.apply(pick, 1, "T(e)", 1)
        own = g.apply(pick, "d", "I(d)", "i")
        ident = g.have("I(d) @ e = e", lambda g: g.nc())
        own2 = g.have("(I(d) @ e)[i,1] = e[i,1]", lambda g: g.ctx(using(ident)))
        diag = g.have("I(d)[i,i] = 1", lambda g: (only(g, low, high), g.field())[-1])
        only(g, r, one, two, first, second, third, unit, own, own2, diag)
        g.pos(
            [f"@{r}"],
            eqs=[
                *[(h, 1) for h in (one, first, third, second)],
                *[(h, "-eig(W,1)") for h in (two, unit, own, diag)],
                (own2, "eig(W,1)"),
            ],
        )

    h = g.have("all d i:Z, W:M(d,d). T(W) = W => 1 <= i => i <= d => W[i,i] <= eig(W,1)", entry)

    def along(g: Goal) -> None:
        names = g.intro()
        sym = symmetric_flow(g, names[:7])[0]
        k = g.apply(h, 2, 1, "X(t)", by=[using(sym)])
        m = g.split(g.lemma("razin2020.lemma-21", "statement", *["n", "A", "B", "X", "al"], by=[using(x) for x in names[:7]]))[1]
        m = g.apply(m, 0, "t", by=[None, None])
        start = g.have("X(0)[1,1] = al", lambda g: (g.rewrite(names[4]), g.field())[-1])
        only(g, k, m, start)
        g.conj(using(k), lambda g: g.pos([f"@{m}"], eqs=[(start, 1)]))

    g.conj(using(h), along)


@holds(
    "razin2020.prop-4-step-loss-derivative-bound",
    f"{P4} {DECREASE} <= -(al/2*(1 - {Q})^4)",
    uses=[
        "razin2020.eq-40",
        "razin2020.prop-4-step-lambda1",
        "razin2020.prop-4-step-sigma2-bound",
        "razin2020.lemma-21",
        "razin2020.lemma-24",
    ],
    argument="sound",
    reading=SETTING,
)
def loss_decreases_by_a_fourth_power(g: Goal) -> None:
    """2 alpha ((1 - w12)^2/2)^2."""
    names = g.intro()
    args = ["n", "A", "B", "X", "al"]
    scripts = [using(h) for h in names[:7]]
    forty = g.apply(g.lemma("razin2020.eq-40", "statement", *args, by=scripts), "t")
    e, w = g.split(g.apply(g.apply(g.split(g.lemma("razin2020.prop-4-step-lambda1"))[1], *args, by=scripts), "t"))
    region = g.split(g.lemma("razin2020.lemma-21", "statement", *args, by=scripts))
    q0, q1 = g.split(g.apply(region[2], "t"))
    r0, r1 = g.split(g.apply(region[3], "t"))
    sym = symmetric_flow(g, names[:7])[0]
    alpha = names[5]
    only(g, forty, e, w, q0, q1, r0, r1, sym, alpha)
    chain = g.split(
        g.lemma(
            "razin2020.prop-4-step-sigma2-bound", "statement", "X(t)[1,2]", "X(t)[2,2]", by=[using(h) for h in (q0, q1, r0, r1)]
        )
    )
    gw = "[[0, X(t)[1,2] - 1], [X(t)[1,2] - 1, X(t)[2,2]]]"
    k = g.have("T(X(t))[1,2] = X(t)[1,2]", lambda g: g.ctx(using(sym)))
    off = g.have("X(t)[2,1] = X(t)[1,2]", lambda g: g.field((k, 1)))
    same = g.have(f"{H} = {gw}", lambda g: (only(g, off), g.ext(lambda g: g.field(rw=[off])))[-1])
    value = g.have(f"sv({H},2) = sv({gw},2)", lambda g: g.ctx(using(same)))
    s = "(1 - X(t)[1,2])^2/2"
    low = g.have(
        f"{s} <= sv({H},2)",
        lambda g: (only(g, value, *chain), g.rewrite(value), g.rewrite(chain[0]), g.pos(*[[f"@{h}"] for h in chain[1:]]))[-1],
    )
    only(g, forty, e, w, alpha, low)
    g.pos(
        [f"@{forty}"],
        [f"@{e}", 2, f"sv({H},2)^2"],
        [f"@{w}", 2, f"sv({H},2)^2"],
        [f"@{low}", f"@{low}", 2, "al"],
        [f"@{low}", 4, "al", s],
    )


SCALAR_LOSS = "(2*(q({0}) - 1)^2 + r({0})^2)/2"
REGION = "(all t:R. 0 <= t => 0 <= q(t) and q(t) <= 1 and r(t) <= 1 and al <= p(t))"


@part(
    "razin2020.prop-4",
    "scalar-limits",
    f"""{SCALARS} {REGION} => (all t:R. 0 <= t => D(s, {SCALAR_LOSS.format("s")}, t) <= -(al/2*(1 - q(t))^4)) =>
       tends(t, q(t), 1) and tends(t, {SCALAR_LOSS.format("t")}, 0)""",
    says="q tends to 1, and the loss to 0, for the scalar functions",
    uses=["razin2020.lemma-15"],
)
def scalar_loss_tends_to_zero(g: Goal) -> None:
    """The integral of (1 - q)^4 is bounded and its derivative is at most 4, so q tends to 1 (Lemma 15). Then r is small at some late
    time, as r' < e - 2 r^2 cannot stay below -e; the loss does not increase."""
    g.fix()
    alpha, _small, start, laws, positive, region, decrease = (g.assume() for _ in range(7))
    f = "(1 - q(t))^4"
    zero, integral = g.obtain(g.by_fact("antiderivative", f"lam t:R. {f}"), "F")
    total = f"{SCALAR_LOSS.format('0')}/(al/2)"

    def falls(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        d, i = g.apply(decrease, "t", by=[using(h)]), g.apply(integral, "t", by=[using(h)])
        only(g, d, i)
        g.pos([f"@{d}"], rw=[i])

    mono = g.by_fact("nonincreasing", 0, f"lam t:R. {SCALAR_LOSS.format('t')} + al/2*F(t)", by=[None, falls])

    def bounded(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        m = g.apply(mono, 0, "t", by=[None, using(h)])
        only(g, m, zero, alpha)
        g.pos([f"@{m}"], [SCALAR_LOSS.format("t")], mul=["al/2"], eqs=[(zero, "-al/2")])

    top = g.have(f"all t:R. 0 <= t => F(t) <= {total} + 1", lambda g: weaker(g, bounded, total))

    def slope(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        q0, q1, r1, _ = g.split(g.apply(region, "t", by=[using(h)]))
        p0, r0 = g.split(g.apply(positive, "t", by=[using(h)]))
        lq = g.split(g.apply(laws, "t", by=[using(h)]))[2]
        only(g, q0, q1, r1, p0, r0, lq)
        # 4 - 4 (1-q)^3 (-q') with q' = r (1 - 2q) + p (1 - q) >= -r q >= -1
        up = g.have("-1 <= q'(t)", lambda g: g.pos([f"@{r0}", 2, f"@{q1}"], [f"@{p0}", f"@{q1}"], [f"@{r1}"], rw=[lq]))
        cube = g.have(
            "0 <= 1 - (1 - q(t))^3",
            lambda g: (only(g, q0, q1), g.pos([f"@{q0}", "1 + (1 - q(t)) + (1 - q(t))^2"], side={"0 <= 1 - q(t)": None}))[-1],
        )
        only(g, up, q1, cube)
        g.pos([f"@{up}", 4, f"@{q1}", f"@{q1}", f"@{q1}"], [f"@{cube}", 4])

    nonneg = g.have(f"all t:R. 0 <= t => 0 <= {f}", lambda g: (g.fix("t"), g.assume(), g.pos([f]))[-1])
    gap = smooth_function(g, f)
    named = g.have("all t:R. 0 <= t => 0 <= g(t)", lambda g: by_value(g, gap, nonneg))
    own = g.have("all t:R. 0 <= t => F'(t) = g(t)", lambda g: by_value_eq(g, gap, integral))
    rate = g.have("all t:R. 0 <= t => g'(t) <= 4", lambda g: rate_of(g, gap, slope, f))
    big = g.have(f"0 < {total} + 1", lambda g: (only(g, alpha), g.pos([f"{SCALAR_LOSS.format('0')}", "2/al"], [1]))[-1])
    k = g.lemma(
        "razin2020.lemma-15",
        "statement",
        "g",
        "F",
        f"{total} + 1",
        4,
        by=[using(big), None, using(named), using(zero), using(own), using(top), using(rate)],
    )
    only(g, alpha, start, laws, positive, region, decrease, gap, k)
    limit = g.have("tends(t, q(t), 1)", lambda g: fourth_root(g, gap, k, region))
    g.conj(using(limit), lambda g: final(g, limit, laws, positive, region, decrease, alpha))


def weaker(g: Goal, bounded: object, total: str) -> None:
    """F <= total + 1 from F <= total."""
    h = g.have(f"all t:R. 0 <= t => F(t) <= {total}", bounded)  # type: ignore[arg-type]
    g.fix("t")
    a = g.assume()
    k = g.apply(h, "t", by=[using(a)])
    only(g, k)
    g.pos([f"@{k}"], [1])


def smooth_function(g: Goal, f: str) -> str:
    """A name g for a function of t; adds all t: g(t) = f."""
    (h,) = g.obtain(
        g.have(f"ex g:R~>R. all t:R. g(t) = {f}", lambda g: (g.witness(f"lam t:R. {f}"), g.fix("t"), g.refl())[-1]),
        "g",
        split=False,
    )
    return h


def by_value(g: Goal, gap: str, nonneg: str) -> None:
    """0 <= g(t)."""
    g.fix("t")
    h = g.assume()
    k, v = g.apply(nonneg, "t", by=[using(h)]), g.apply(gap, "t")
    only(g, k, v)
    g.rewrite(v)
    g.close_by(k)


def by_value_eq(g: Goal, gap: str, integral: str) -> None:
    """F'(t) = g(t)."""
    g.fix("t")
    h = g.assume()
    k, v = g.apply(integral, "t", by=[using(h)]), g.apply(gap, "t")
    only(g, k, v)
    g.rewrite(v)
    g.close_by(k)


def rate_of(g: Goal, gap: str, slope: object, f: str) -> None:
    """g'(t) <= 4, from the derivative of its expression."""
    agree = g.fact("derivative_agrees", 0, "lam s:R. g(s)", f"lam s:R. {f.replace('(t)', '(s)')}")
    agree = g.apply(agree, by=[None, lambda g: (g.fix("u"), g.assume(), g.close_by(g.apply(gap, "u")))[-1]], n=2)
    bound = g.have(f"all t:R. 0 <= t => D(s, {f.replace('(t)', '(s)')}, t) <= 4", slope)  # type: ignore[arg-type]
    g.fix("t")
    h = g.assume()
    a, b = g.apply(agree, "t", by=[using(h)]), g.apply(bound, "t", by=[using(h)])
    only(g, a, b)
    g.pos([f"@{b}"], eqs=[(a, -1)])


def fourth_root(g: Goal, gap: str, k: str, region: str) -> None:
    """q tends to 1, since (1 - q)^4 tends to 0."""
    forth = g.split(g.fact("tends_epsilon", 1, "lam t:R. q(t)"))[1]

    def near(g: Goal) -> None:
        g.fix("e")
        e = g.assume()
        (late,) = g.obtain(g.by_fact("tends_eventually_lt", 0, "e^4", "lam t:R. g(t)", by=[using(k), None]), "u", split=False)
        g.witness("max(u, 0)")
        g.fix("t")
        h = g.assume()
        a, b = later(g, h)
        q1 = g.split(g.apply(region, "t", by=[using(b)]))[1]
        small, v = g.apply(late, "t", by=[using(a)]), g.apply(gap, "t")
        only(g, e, q1, small, v)
        c = g.have("0 <= 1 - q(t)", lambda g: g.pos([f"@{q1}"]))

        def less(g: Goal) -> None:
            w = g.contra()
            # (1-q)^4 - e^4 = ((1-q) - e)((1-q) + e)((1-q)^2 + e^2)
            rows = [[f"@{w}", x, y] for x in (f"@{c}", "e") for y in ("(1 - q(t))^2", "e^2")]
            g.pos(*rows, [f"@{small}"], eqs=[(v, 1)])

        m = g.have("1 - q(t) < e", less)
        inner = g.concl[1]
        other = g.fact("abs_product", "-1", "1 - q(t)")
        size = g.have("abs(1 - q(t)) = 1 - q(t)", lambda g: (only(g, c), g.field())[-1])
        same = g.have(("=", inner, g.term("abs(-1*(1 - q(t)))")), lambda g: g.ctx(lambda g: g.field()))
        one = g.have("abs(-1) = 1", lambda g: g.field())
        only(g, m, other, size, same, one)
        g.pos([f"@{m}"], eqs=[(same, -1), (other, -1), (one, "-abs(1 - q(t))"), (size, -1)])

    g.close_by(g.apply(forth, by=[near]))


def later(g: Goal, h: str) -> tuple[str, str]:
    """u <= t and 0 <= t from max(u, 0) <= t."""

    def both(g: Goal) -> None:
        only(g, h)

        def case(g: Goal) -> None:
            g.split(next(reversed(g.seq.hyps)))
            g.conj(*[lambda g: g.nlin(products=1)] * 2)

        g.cases(g.fact("max_cases", "u", 0), case, case)

    a, b = g.split(g.have("u <= t and 0 <= t", both))
    return a, b


def final(g: Goal, limit: str, laws: str, positive: str, region: str, decrease: str, alpha: str) -> None:
    """The loss tends to 0."""
    loss_t = SCALAR_LOSS.format("t")
    forth = g.split(g.fact("tends_epsilon", 0, f"lam t:R. {loss_t}"))[1]

    def falls(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        d = g.apply(decrease, "t", by=[using(h)])
        only(g, d, alpha)
        g.pos([f"@{d}"], ["al/2", "(1 - q(t))^4"])

    mono = g.by_fact("nonincreasing", 0, f"lam t:R. {loss_t}", by=[None, falls])

    def near(g: Goal) -> None:
        g.fix("e")
        e = g.assume()
        small = "min(1, e/4)"
        se = g.have(f"0 < {small} and {small} <= 1 and {small} <= e/4", lambda g: least(g, e))
        s0, s1, s2 = g.split(se)
        k = g.by_fact(
            "tends_eventually_gt",
            1,
            f"1 - {small}",
            "lam t:R. q(t)",
            by=[using(limit), lambda g: (only(g, s0), g.pos([f"@{s0}"]))[-1]],
        )
        (late,) = g.obtain(k, "u", split=False)
        found = g.have(
            f"ex v:R. 0 <= v and {SCALAR_LOSS.format('v')} < e",
            lambda g: some_late_time(g, late, laws, positive, region, e, s0, s1, s2),
        )
        v0, below = g.obtain(found, "v")
        g.witness("v")
        g.fix("t")
        h = g.assume()
        m = g.apply(mono, "v", "t", by=[using(v0), using(h)])
        only(g, m, below)
        inner = g.concl[1]
        size = g.have(
            ("=", inner, g.term(loss_t)),
            lambda g: (only(g), g.have(("<=", 0, inner[1]), lambda g: g.pos(["(q(t) - 1)^2"], ["1/2", "r(t)^2"])), g.field())[-1],
        )
        g.pos([f"@{m}"], [f"@{below}"], eqs=[(size, -1)])

    g.close_by(g.apply(forth, by=[near]))


def least(g: Goal, e: str) -> None:
    """min(1, e/4) is positive and at most both."""
    only(g, e)

    def case(g: Goal) -> None:
        g.split(next(reversed(g.seq.hyps)))
        g.conj(*[lambda g: g.nlin(products=1)] * 3)

    g.cases(g.fact("min_cases", "1", "e/4"), case, case)


def some_late_time(g: Goal, late: str, laws: str, positive: str, region: str, e: str, s0: str, s1: str, s2: str) -> None:
    """At some late time r^2 < e/2... : otherwise r' <= -e/2 for all late times and r would become negative."""
    none = g.contra()
    a = "(max(u, 0))"
    h = g.have(f"{a} <= {a}", Goal.refl)
    first = g.have(f"u <= {a} and 0 <= {a}", lambda g: start_after(g))
    u0, a0 = g.split(first)
    del h

    def steep(g: Goal) -> None:
        g.fix("w")
        hw = g.assume()
        w0 = g.have("0 <= w", lambda g: (only(g, hw, a0), g.pos([f"@{hw}"], [f"@{a0}"]))[-1])
        wu = g.have("u <= w", lambda g: (only(g, hw, u0), g.pos([f"@{hw}"], [f"@{u0}"]))[-1])
        near = g.apply(late, "w", by=[using(wu)])
        q1 = g.split(g.apply(region, "w", by=[using(w0)]))[1]
        lr = g.split(g.apply(laws, "w", by=[using(w0)]))[1]

        def large(g: Goal) -> None:
            n = g.contra()
            m = g.have(
                f"ex v:R. 0 <= v and {SCALAR_LOSS.format('v')} < e", lambda g: (g.witness("w"), g.conj(using(w0), using(n)))[-1]
            )
            g.clash(m, none)

        big = g.have(f"e <= {SCALAR_LOSS.format('w')}", large)
        only(g, near, q1, lr, big, s0, s1, s2, e)
        m = "min(1, e/4)"
        c0 = g.have("0 <= 1 - q(w)", lambda g: g.pos([f"@{q1}"]))
        c1 = g.have(f"1 - q(w) <= {m}", lambda g: g.pos([f"@{near}"]))
        only(g, c0, c1, lr, big, s0, s1, s2, e)
        # c = 1 - q: c^2 <= m, r^2 >= 2 e - 2 c^2, r' = 2 (1 - c) c - 2 r^2 <= 2 c + 2 c^2 - 4 e <= 4 m - 4 e <= -3 e
        c2 = g.have(
            f"(1 - q(w))^2 <= {m}",
            lambda g: (only(g, c0, c1, s0, s1), g.pos([f"@{c1}", "1 - q(w)"], [f"@{c1}", m], [f"@{s1}", m]))[-1],
        )
        only(g, c0, c1, c2, lr, big, s2, e)
        g.pos([f"@{big}", 4], [f"@{c2}", 2], [f"@{c1}", 2], [f"@{s2}", 4], [2, f"@{e}"], rw=[lr])

    slow = g.have(f"all w:R. {a} <= w => r'(w) <= -e", lambda g: steep(g))
    b = f"({a} + 2/e)"

    def rises(g: Goal) -> None:
        g.fix("w")
        x, y = g.split(g.assume())
        k = g.apply(slow, "w", by=[lambda g: g.pos([f"@{x}"])])
        only(g, k)
        g.pos([f"@{k}"])
        del y

    m = g.by_fact("mean_value_le", a, b, "lam w:R. -r(w) - e*w", by=[None, rises, lambda g: (only(g, e), g.pos(["2/e"]))[-1]])
    b0 = g.have(f"0 <= {b}", lambda g: (only(g, a0, e), g.pos([f"@{a0}"], ["2/e"]))[-1])
    r0 = g.split(g.apply(positive, b, by=[using(b0)]))[1]
    r1 = g.split(g.apply(region, a, by=[using(a0)]))[2]
    only(g, m, r0, r1, e)
    g.pos([f"@{m}"], [f"@{r0}"], [f"@{r1}"], [1])


def start_after(g: Goal) -> None:
    """u <= max(u, 0) and 0 <= max(u, 0)."""
    only(g)

    def case(g: Goal) -> None:
        g.split(next(reversed(g.seq.hyps)))
        g.conj(*[lambda g: g.nlin(products=1)] * 2)

    g.cases(g.fact("max_cases", "u", 0), case, case)


def smooth_loss(g: Goal, names: list[str]) -> str:
    """The decrease of the loss of the entries, at all times, from that of the product matrix."""
    hyps, entries, off = names[:7], names[7], names[8]
    scripts = [using(h) for h in hyps]
    k = g.lemma("razin2020.prop-4-step-loss-derivative-bound", "statement", *["n", "A", "B", "X", "al"], by=scripts)
    agree = g.fact("derivative_agrees", 0, f"lam s:R. {LOSS_S}", f"lam s:R. {SCALAR_LOSS.format('s')}")

    def equal(g: Goal) -> None:
        g.fix("u")
        h = g.assume()
        e = g.split(g.apply(entries, "u"))
        o = g.apply(off, "u", by=[using(h)])
        only(g, *e, o)
        g.field(rw=[*e, o])

    agree = g.apply(agree, by=[None, equal], n=2)

    def decrease(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        a, b, e = g.apply(k, "t", by=[using(h)]), g.apply(agree, "t", by=[using(h)]), g.split(g.apply(entries, "t"))[1]
        only(g, a, b, e)
        b = g.have(("=", g.hyp_formula(b)[2], g.hyp_formula(b)[1]), lambda g: g.field((b, -1)))
        g.rewrite(b)
        only(g, a, e)
        eq = g.have("q(t) = X(t)[1,2]", lambda g: g.field((e, -1)))
        g.rewrite(eq)
        g.close_by(a)

    return g.have(f"all t:R. 0 <= t => D(s, {SCALAR_LOSS.format('s')}, t) <= -(al/2*(1 - q(t))^4)", decrease)


def scalar_limits(g: Goal, hyps: list[str]) -> tuple[list[str], list[str]]:
    """The scalar functions, what is known of them, and their limits, from the hypotheses of Proposition 4."""
    facts, region = scalar_region(g, hyps)
    start, laws, positive, entries, off, _ = facts
    decrease = smooth_loss(g, [*hyps, entries, off])
    scripts = [using(h) for h in (hyps[5], hyps[6], start, laws, positive, region[1], decrease)]
    return [*facts, region[1], decrease], g.split(
        g.lemma("razin2020.prop-4", "part:scalar-limits", "p", "q", "r", "al", by=scripts)
    )


@holds(
    "razin2020.prop-4",
    f"{PROP_4} tends(t, {LOSS_T}, 0)",
    uses=[
        "razin2020.prop-4",
        "razin2020.prop-4-step-loss-derivative-bound",
        "razin2020.lemma-21",
        "razin2020.lemma-15",
    ],
    argument="sound",
    reading=SETTING,
)
def loss_tends_to_zero(g: Goal) -> None:
    """The loss in the entries tends to 0."""
    g.fix()
    hyps = [g.assume() for _ in range(7)]
    facts, (_, limit) = scalar_limits(g, hyps)
    entries, off = facts[3], facts[4]
    only(g, entries, off, limit)

    def agree(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        e = g.split(g.apply(entries, "t"))
        o = g.apply(off, "t", by=[using(h)])
        only(g, *e, o)
        g.field(rw=[*e, o])

    g.close_by(
        g.by_fact("tends_ext", 0, 0, f"lam t:R. {SCALAR_LOSS.format('t')}", f"lam t:R. {LOSS_T}", by=[agree, using(limit)])
    )


ARGUMENTS = ("n", "A", "B", "X", "al")


def laws_and_bounds(g: Goal) -> tuple[list[str], str, list[str]]:
    """Fixes and assumes the setting of Proposition 4: its hypotheses, the differential equations (39), and the bounds of Lemma 21."""
    g.fix()
    hyps = [g.assume() for _ in range(7)]
    laws = g.lemma("razin2020.eq-39", "statement", *ARGUMENTS, by=[using(h) for h in hyps])
    return hyps, laws, g.split(g.lemma("razin2020.lemma-21", "statement", *ARGUMENTS, by=[using(h) for h in hyps]))


@holds(
    "razin2020.prop-4-step-integral",
    f"""{PROP_4} (all F:R~>R, t:R. F(0) = 0 => (all u:R. 0 <= u => F'(u) = (1 - X(u)[1,2])^4) => 0 <= t => F(t) <= {loss("X(0)")}/(al/2)) and
       (all t:R. 0 <= t => -1 <= X'(t)[1,2] and D(s, (1 - X(s)[1,2])^4, t) <= 4) and tends(t, X(t)[1,2], 1)""",
    uses=[
        "razin2020.prop-4",
        "razin2020.prop-4-step-loss-derivative-bound",
        "razin2020.lemma-21",
        "razin2020.lemma-15",
        "razin2020.eq-39",
    ],
    argument="sound",
    reading=f"F(t) is the integral of (1 - w12)^4 over [0, t]; {SETTING}",
)
def off_diagonal_entry_tends_to_one(g: Goal) -> None:
    """The loss plus alpha/2 F does not increase; w12' >= -w22 w12 >= -1; Lemma 15."""
    hyps, laws, inside = laws_and_bounds(g)
    bound = g.lemma("razin2020.prop-4-step-loss-derivative-bound", "statement", *ARGUMENTS, by=[using(h) for h in hyps])
    facts, (limit, _) = scalar_limits(g, hyps)
    entries, alpha = facts[3], hyps[5]
    only(g, bound, laws, *inside, entries, alpha, limit)

    def integral(g: Goal) -> None:
        g.fix("F", "t")
        zero, rate, now = g.assume(), g.assume(), g.assume()

        def falls(g: Goal) -> None:
            g.fix("w")
            h = g.assume()
            a, b = g.apply(bound, "w", by=[using(h)]), g.apply(rate, "w", by=[using(h)])
            only(g, a, b)
            g.pos([f"@{a}"], rw=[b])

        mono = g.by_fact("nonincreasing", 0, f"lam t:R. {LOSS_T} + al/2*F(t)", by=[None, falls])
        m = g.apply(mono, 0, "t", by=[None, using(now)])
        only(g, m, zero, alpha)
        g.pos([f"@{m}"], ["1/2", "(X(t)[1,2] - 1)^2 + (X(t)[2,1] - 1)^2 + X(t)[2,2]^2"], mul=["al/2"], eqs=[(zero, "-al/2")])

    def slopes(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        lq = g.split(g.apply(laws, "t", by=[using(h)]))[2]
        p0 = g.apply(inside[0], "t", by=[using(h)])
        q0, q1 = g.split(g.apply(inside[2], "t", by=[using(h)]))
        r0, r1 = g.split(g.apply(inside[3], "t", by=[using(h)]))
        only(g, lq, p0, q0, q1, r0, r1)
        up = g.have("-1 <= X'(t)[1,2]", lambda g: g.pos([f"@{r0}", 2, f"@{q1}"], [f"@{p0}", f"@{q1}"], [f"@{r1}"], rw=[lq]))
        c = "(1 - X(t)[1,2])"
        cube = g.have(
            f"0 <= 1 - {c}^3", lambda g: (only(g, q0, q1), g.pos([f"@{q0}", f"1 + {c} + {c}^2"], side={f"0 <= {c}": None}))[-1]
        )
        only(g, up, q1, cube)
        g.conj(using(up), lambda g: g.pos([f"@{up}", 4, f"@{q1}", f"@{q1}", f"@{q1}"], [f"@{cube}", 4]))

    def tends(g: Goal) -> None:
        def agree(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.field((g.split(g.apply(entries, "t"))[1], -1))

        g.close_by(g.by_fact("tends_ext", 0, 1, "lam t:R. q(t)", "lam t:R. X(t)[1,2]", by=[agree, using(limit)]))

    g.conj(integral, slopes, tends)


@holds(
    "razin2020.prop-4-step-w22",
    f"""{PROP_4} all e a:R. 0 < e => 0 <= a => (all t:R. a <= t => 2*(1 - {Q})^2 < e and 2*{Q}*(1 - {Q}) < e) =>
       (all t:R. a <= t => X'(t)[2,2] < e - 2*X(t)[2,2]^2) and (ex t:R. a <= t and -e < X'(t)[2,2]) and
       (all t:R. a <= t => -e < X'(t)[2,2] => X(t)[2,2] < sqrt(e) and {LOSS_T} < e and all u:R. t <= u => {loss("X(u)")} < e)""",
    uses=["razin2020.lemma-24", "razin2020.eq-39", "razin2020.lemma-21", "razin2020.prop-4-step-loss-derivative"],
    argument="sound",
    reading=f"a is the time from which (41) holds; {SETTING}",
)
def small_loss_is_reached_and_kept(g: Goal) -> None:
    """(39) gives (42); w22 > 0 cannot decrease at a rate of e forever; -e < e - 2 w22^2 gives w22^2 < e."""
    hyps, laws, bounds = laws_and_bounds(g)
    inside = bounds[3]
    slope = g.lemma("razin2020.prop-4-step-loss-derivative", "statement", *ARGUMENTS, by=[using(h) for h in hyps])
    sym = g.lemma("razin2020.lemma-24", "part:symmetric", *ARGUMENTS, by=[using(h) for h in hyps])
    only(g, laws, inside, slope, sym)
    g.fix("e", "a")
    e, a0, late = g.assume(), g.assume(), g.assume()

    def falls(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        d = g.apply(slope, "t", by=[using(h)])
        g.close_by(g.split(d)[1])

    mono = g.by_fact("nonincreasing", 0, f"lam t:R. {LOSS_T}", by=[None, falls])

    def at(g: Goal, t: str, h: str) -> tuple[str, ...]:
        now = g.have(f"0 <= {t}", lambda g: (only(g, h, a0), g.pos([f"@{h}"], [f"@{a0}"]))[-1])
        law = g.split(g.apply(laws, t, by=[using(now)]))[1]
        x, y = g.split(g.apply(late, t, by=[using(h)]))
        r0, r1 = g.split(g.apply(inside, t, by=[using(now)]))
        s = g.split(g.apply(sym, t, by=[using(now)]))[0]
        k = g.have(f"T(X({t}))[1,2] = X({t})[1,2]", lambda g: g.ctx(using(s)))
        off = g.have(f"X({t})[2,1] = X({t})[1,2]", lambda g: g.field((k, 1)))
        return now, law, x, y, r0, r1, off

    def forty_two(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        _, law, _, y, *_ = at(g, "t", h)
        only(g, law, y)
        g.pos([f"@{y}"], rw=[law])

    def flat(g: Goal) -> None:
        none = g.contra()

        def steep(g: Goal) -> None:
            g.fix("w")
            h = g.assume()
            wrong = g.contra()
            k = g.have("ex t:R. a <= t and -e < X'(t)[2,2]", lambda g: (g.witness("w"), g.conj(using(h), using(wrong)))[-1])
            g.clash(k, none)

        slow = g.have("all w:R. a <= w => X'(w)[2,2] <= -e", steep)

        def rises(g: Goal) -> None:
            g.fix("w")
            x, _ = g.split(g.assume())
            k = g.apply(slow, "w", by=[lambda g: g.pos([f"@{x}"])])
            only(g, k)
            g.pos([f"@{k}"])

        b = "(a + 2/e)"
        order = g.have(f"a <= {b}", lambda g: (only(g, e), g.pos(["2/e"]))[-1])
        m = g.by_fact("mean_value_le", "a", b, "lam w:R. -X(w)[2,2] - e*w", by=[None, rises, using(order)])
        r0 = at(g, b, order)[4]
        same = g.have("a <= a", Goal.refl)
        r1 = at(g, "a", same)[5]
        only(g, m, r0, r1, e)
        g.pos([f"@{m}"], [f"@{r0}"], [f"@{r1}"], [1])

    def small(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        rate = g.assume()
        now, law, x, y, r0, _, off = at(g, "t", h)
        square = g.have(
            "X(t)[2,2]^2 < e", lambda g: (only(g, rate, law, y), g.pos([f"@{rate}"], [f"@{y}"], mul=[2], rw=[law]))[-1]
        )
        loss_ = g.have(
            f"{LOSS_T} < e", lambda g: (only(g, square, x, off), g.pos([f"@{square}", "1/2"], [f"@{x}", "1/2"], rw=[off]))[-1]
        )
        root = g.by_fact("sqrt_sq", "e")
        g.have("0 < sqrt(e)")

        def below(g: Goal) -> None:
            only(g, square, root, r0, e)
            w = g.contra()
            g.have("0 < sqrt(e)", lambda g: (only(g, e), g.auto())[-1])
            g.pos([f"@{w}", "X(t)[2,2] + sqrt(e)"], [f"@{square}"], eqs=[(root, 1)])

        def kept(g: Goal) -> None:
            g.fix("u")
            k = g.assume()
            m = g.apply(mono, "t", "u", by=[using(now), using(k)])
            only(g, m, loss_)
            g.pos([f"@{m}"], [f"@{loss_}"])

        g.conj(below, using(loss_), kept)

    g.conj(forty_two, flat, small)
