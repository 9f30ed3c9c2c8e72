"""Lemmas 23 and 24: a flow that starts at a symmetric factorisation stays symmetric; its derivatives at the start."""

from __future__ import annotations

from proofs.razin2020.nearby_factor_flows import BETA, tuple_norm
from proofs.razin2020.products_of_factors import HALF, INSIDE, upwards
from proofs.razin2020.scripts import only, using
from proofs.razin2020.smooth_objective import MASK
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "razin2020.lemma-24"
START = "(all l:Z. 1 <= l and l <= h + 1 and l <= L => W(l,0) = T(W(L-l+1,0)))"
SETTING = f"""all m L h:Z, S B:M(m,m), W P Q:(Z,R)~>M(m,m). 1 <= L => {HALF} => {MASK} => T(S) = S => T(B) = B =>
       (all t:R. 0 <= t => Q(0,t) = I(m) and P(L,t) = I(m)) =>
       (all l:Z, t:R. {INSIDE} => 0 <= t => Q(l,t) = W(l,t) @ Q(l-1,t) and P(l-1,t) = P(l,t) @ W(l,t)) =>
       (all l:Z, t:R. {INSIDE} => 0 <= t => d(1,W,l,t) = -(T(P(l,t)) @ had(S, Q(L,t) - B) @ T(Q(l-1,t)))) =>
       {START} =>"""
READING = (
    "h is the integer part of L/2; Q(l) = W_l ... W_1 and P(l) = W_L ... W_{l+1}, X = Q(L) is the product matrix; the loss is that of any symmetric observations (S marks them, "
    "B has their values), of which (6) is a case, with square factors as in Definition 4"
)
NAMES = ("m", "L", "h", "S", "B", "W", "P", "Q")


@part(
    CLAIM,
    "bounded",
    f"""all m L:Z, te:R, W V:(Z,R)~>M(m,m). 0 <= te => ex r:R. 0 < r and
       all t:R. 0 <= t and t <= te => {tuple_norm("W(l,t)")} <= r and {tuple_norm("V(l,t)")} <= r""",
    says="factors are bounded on a bounded interval of time",
)
def factors_are_bounded_on_an_interval(g: Goal) -> None:
    """Continuous functions attain their maximum; sqrt(x) <= 1 + x."""
    g.fix()
    time = g.assume()
    tops = {}
    for f in ("W", "V"):
        square = tuple_norm(f"{f}(l,t)", True)
        _, _, top = g.obtain(g.by_fact("extreme_value", 0, "te", f"lam t:R. {square}", by=[None, using(time)]), f"c_{f}")
        tops[f] = (top, tuple_norm(f"{f}(l,c_{f})", True))

    def nonneg(g: Goal, f: str, t: str) -> str:
        def term(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()
            only(g)
            g.pos([f"tr(T({f}({i},{t})) @ {f}({i},{t}))"])

        return g.by_fact("sum_nonneg", 1, "L", f"lam l:Z. tr(T({f}(l,{t})) @ {f}(l,{t}))", by=[term])

    a, b = nonneg(g, "W", "c_W"), nonneg(g, "V", "c_V")
    bound = f"1 + {tops['W'][1]} + {tops['V'][1]}"
    g.witness(bound)

    def below(g: Goal) -> None:
        g.fix("t")
        inside = g.assume()

        def one(g: Goal, f: str) -> None:
            k = g.apply(tops[f][0], "t", by=[using(inside)])
            low = nonneg(g, f, "t")
            square = tuple_norm(f"{f}(l,t)", True)
            only(g, k, low, a, b)
            s, n = g.by_fact("sqrt_sq", square, by=[using(low)]), g.by_fact("sqrt_nonneg", square, by=[using(low)])
            only(g, k, s, n, a, b)
            x = f"sqrt({square})"
            small = g.have(
                f"{x} <= 1 + {x}^2", lambda g: (only(g), g.pos([f"(1 - {x})^2", "1/2"], [f"{x}^2", "1/2"], ["1/2"]))[-1]
            )
            g.pos([f"@{small}"], [f"@{k}"], [f"@{b if f == 'W' else a}"], eqs=[(s, -1)])

        g.conj(lambda g: one(g, "W"), lambda g: one(g, "V"))

    g.conj(lambda g: (only(g, a, b), g.pos([1], [f"@{a}"], [f"@{b}"]))[-1], below)


@holds(
    CLAIM,
    f"{SETTING} all t:R. 0 <= t => (all l:Z. {INSIDE} => W(l,t) = T(W(L-l+1,t))) and T(Q(L,t)) = Q(L,t)",
    uses=[CLAIM, "razin2020.prop-5", "razin2020.def-4", "razin2020.eq-3", "razin2020.lemma-22"],
    reading=f"{READING}; shown by uniqueness of the flow (Proposition 5) instead of analyticity",
)
def symmetry_is_kept_along_the_flow(g: Goal) -> None:
    """T(W_L), ..., T(W_1) is a flow of the same objective from the same start."""
    g.fix(*NAMES)
    depth, half, mask, sym_s, sym_b, ends, steps, flow, start = (g.assume() for _ in range(9))
    g.fix("t")
    now = g.assume()
    every = g.lemma(
        "razin2020.def-4", "statement", "m", "L", "h", "lam l:Z. W(l,0)", by=[using(depth), using(half), using(start)]
    )
    te = g.have("0 < t + 1", lambda g: (only(g, now), g.pos([f"@{now}"], [1]))[-1])
    bounded = g.lemma(
        CLAIM,
        "part:bounded",
        "m",
        "L",
        "t + 1",
        "W",
        "lam l:Z, s:R. T(W(L-l+1,s))",
        by=[lambda g: (only(g, te), g.pos([f"@{te}"]))[-1]],
    )
    rate, ball = g.obtain(bounded, "r")

    def mirrored(g: Goal, l: str, inside: str) -> str:  # noqa: E741
        low, high = g.split(inside)
        return g.have(
            f"1 <= L - {l} + 1 and L - {l} + 1 <= L",
            lambda g: (only(g, low, high), g.conj(lambda g: g.pos([f"@{high}"]), lambda g: g.pos([f"@{low}"])))[-1],
        )

    def at_ends(g: Goal) -> None:
        (s,) = g.fix()
        low = g.split(g.assume())[0]
        q, p = g.split(g.apply(ends, s, by=[using(low)]))
        only(g, q, p)
        g.conj(using(q), lambda g: g.nc(rw=[p]), using(p), lambda g: g.nc(rw=[q]))

    def at_steps(g: Goal) -> None:
        l, s = g.fix()  # noqa: E741
        inside, time = g.assume(), g.assume()
        low = g.split(time)[0]
        q, p = g.split(g.apply(steps, l, s, by=[using(inside), using(low)]))
        other = mirrored(g, l, inside)
        qq, pp = g.split(g.apply(steps, f"L - {l} + 1", s, by=[using(other), using(low)]))
        tq = g.have(f"T(Q(L-{l}+1,{s})) = T(W(L-{l}+1,{s}) @ Q(L-{l},{s}))", lambda g: g.ctx(lambda g: g.nc((qq, 1, None, None))))
        tp = g.have(f"T(P(L-{l},{s})) = T(P(L-{l}+1,{s}) @ W(L-{l}+1,{s}))", lambda g: g.ctx(lambda g: g.nc((pp, 1, None, None))))
        only(g, q, p, tq, tp)
        g.conj(using(q), using(p), lambda g: g.nc((tp, 1, None, None)), lambda g: g.nc((tq, 1, None, None)))

    def product(g: Goal, s: str, low: str) -> str:
        """P(0) = Q(L) at a time."""
        q, p = g.split(g.apply(ends, s, by=[using(low)]))

        def own(g: Goal) -> None:
            (i,) = g.fix()
            inside = g.assume()
            g.close_by(g.apply(steps, i, s, by=[using(inside), using(low)]))

        k = g.lemma(
            "razin2020.eq-3",
            "statement",
            "m",
            "L",
            f"lam l:Z. W(l,{s})",
            f"lam l:Z. P(l,{s})",
            f"lam l:Z. Q(l,{s})",
            by=[using(depth), using(q), using(p), own],
        )
        return g.split(k)[0]

    def at_flow(g: Goal) -> None:
        l, s = g.fix()  # noqa: E741
        inside, time = g.assume(), g.assume()
        low = g.split(time)[0]
        f = g.apply(flow, l, s, by=[using(inside), using(low)])
        other = mirrored(g, l, inside)
        ff = g.apply(flow, f"L - {l} + 1", s, by=[using(other), using(low)])
        whole = product(g, s, low)
        gradient = f"had(S, Q(L,{s}) - B)"

        def turned(g: Goal) -> None:
            only(g, whole, sym_s, sym_b)
            g.extn("i", "j")
            x = g.have("T(S)[i,j] = S[i,j]", lambda g: (g.rewrite(sym_s), g.refl())[-1])
            y = g.have("T(B)[i,j] = B[i,j]", lambda g: (g.rewrite(sym_b), g.refl())[-1])
            z = g.have(f"Q(L,{s})[j,i] = P(0,{s})[j,i]", lambda g: (g.rewrite(whole), g.refl())[-1])
            g.field((x, f"-(Q(L,{s})[j,i] - B[j,i])"), (y, "S[i,j]"), (z, "-S[i,j]"))

        t = g.have(f"had(S, T(P(0,{s})) - B) = T({gradient})", turned)
        back = g.have(f"T(P(L-L,{s})) = T(P(0,{s}))", lambda g: (only(g), g.nc())[-1])
        only(g, f, ff, t, back)

        def reversed_(g: Goal) -> None:
            g.replace(
                f"had(S, T(P(L-L,{s})) - B)",
                f"T({gradient})",
                lambda g: (g.replace(f"T(P(L-L,{s}))", f"T(P(0,{s}))", using(back)), g.close_by(t))[-1],
            )
            g.nc(rw=[ff])

        g.conj(using(f), reversed_)

    args = [
        "m",
        "L",
        "t + 1",
        "r",
        "S",
        "B",
        "W",
        "lam l:Z, s:R. T(W(L-l+1,s))",
        "P",
        "Q",
        "lam l:Z, s:R. T(P(L-l,s))",
        "lam l:Z, s:R. T(Q(L-l,s))",
    ]
    k = g.lemma(
        "razin2020.prop-5",
        "part:positive-radius",
        *args,
        by=[using(depth), using(te), using(mask), at_ends, at_steps, at_flow, using(ball), using(rate)],
    )
    k = g.apply(k, 0, "t", by=[lambda g: (only(g, now), g.conj(None, using(now), lambda g: g.pos([1])))[-1]])
    gap = "W(l,{0}) - T(W(L-l+1,{0}))"

    def initial(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        e = g.apply(every, i, by=[using(inside)])
        zero = g.have(
            gap.format(0).replace("(l,", f"({i},").replace("L-l+1", f"L-{i}+1") + " = O(m,m)", lambda g: g.nc((e, 1, None, None))
        )
        g.rewrite(zero)
        only(g)
        g.field()

    none = g.by_fact("sum_ext", 1, "L", f"lam l:Z. tr(T({gap.format(0)}) @ ({gap.format(0)}))", "lam l:Z. 0", by=[initial])

    def term(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        only(g)
        x = gap.format("t").replace("(l,", f"({i},").replace("L-l+1", f"L-{i}+1")
        g.pos([f"tr(T({x}) @ ({x}))"])

    body = f"tr(T({gap.format('t')}) @ ({gap.format('t')}))"
    low = g.by_fact("sum_nonneg", 1, "L", f"lam l:Z. {body}", by=[term])
    total = g.have(
        f"sum(l, 1, L, {body}) = 0",
        lambda g: (
            only(g, k, none, low),
            g.antisym(lambda g: g.pos([f"@{k}"], eqs=[(none, f"-exp(2*{BETA}*t)")]), using(low)),
        )[-1],
    )
    zeros = g.by_fact("sum_zero_terms", 1, "L", f"lam l:Z. {body}", by=[term, using(total)])

    def same(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        x = gap.format("t").replace("(l,", f"({i},").replace("L-l+1", f"L-{i}+1")
        o = g.by_fact("frobenius_zero", "m", "m", x, by=[lambda g: g.close_by(g.apply(zeros, i, by=[using(inside)]))])
        only(g, o)
        g.nc((o, 1, None, None))

    equal = g.have(f"all l:Z. {INSIDE} => W(l,t) = T(W(L-l+1,t))", same)
    q, p = g.split(g.apply(ends, "t", by=[using(now)]))

    def own(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        g.close_by(g.apply(steps, i, "t", by=[using(inside), using(now)]))

    def half_only(g: Goal) -> None:
        (i,) = g.fix()
        a, _, b = g.split(g.assume())
        g.close_by(g.apply(equal, i, by=[lambda g: g.conj(using(a), using(b))]))

    s = g.lemma(
        "razin2020.lemma-22",
        "statement",
        "m",
        "L",
        "lam l:Z. W(l,t)",
        "lam l:Z. P(l,t)",
        "lam l:Z. Q(l,t)",
        by=[using(depth), using(q), using(p), own],
    )
    s = g.apply(s, "h", by=[using(half), half_only])
    g.conj(using(equal), lambda g: g.nc((s, -1, None, None)))


def derivatives_agree(g: Goal, first: str, second: str, same: str) -> str:
    """Adds all k >= 0, t >= 0: d(k, first) = T(d(k, second)), from the hypothesis for k = 0; first and second are like `W,l`."""

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.fix("t")
            now = g.assume()
            k = g.apply(same, "t", by=[using(now)])
            g.nc((k, 1, None, None))

        def step(g: Goal) -> None:
            g.fix("t")
            now = g.assume()
            before = g.apply("ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin())])
            g.have("0 <= k - 1", lambda g: g.nlin())
            agree = g.by_fact(
                "derivative_agrees_matrix",
                "m",
                "m",
                0,
                f"lam s:R. d(k-1,{first},s)",
                f"lam s:R. T(d(k-1,{second},s))",
                by=[None, using(before)],
            )
            agree = g.apply(agree, "t", by=[using(now)])
            g.nc((agree, 1, None, None))

        upwards(g, "0", base, step, "k")

    return g.have(f"all k:Z. 0 <= k => all t:R. 0 <= t => d(k,{first},t) = T(d(k,{second},t))", grow)


@holds(
    "razin2020.lemma-23-eq-44",
    f"{SETTING} all k l:Z. 0 <= k => {INSIDE} => d(k,W,l,0) = T(d(k,W,L-l+1,0))",
    uses=[CLAIM],
    reading=f"{READING}; derived from the symmetry of the factors at all times, which is shown by uniqueness of the flow",
)
def derivatives_of_mirrored_factors(g: Goal) -> None:
    """The factors W_l and W_{L-l+1}^T are equal for all t >= 0, so all their derivatives are."""
    g.fix(*NAMES)
    given = [g.assume() for _ in range(9)]
    symmetric = g.lemma(CLAIM, "statement", *NAMES, by=[using(h) for h in given])
    g.fix("j", "l")
    order, inside = g.assume(), g.assume()

    def same(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        k = g.split(g.apply(symmetric, "t", by=[using(now)]))[0]
        g.close_by(g.apply(k, "l", by=[using(inside)]))

    equal = g.have("all t:R. 0 <= t => W(l,t) = T(W(L-l+1,t))", same)
    only(g, equal, order)
    k = derivatives_agree(g, "W,l", "W,L-l+1", equal)
    g.close_by(g.apply(g.apply(k, "j", by=[using(order)]), 0))


@holds(
    "razin2020.lemma-23-eq-43",
    f"{SETTING} all k:Z. 0 <= k => d(k,Q,L,0) = T(d(k,Q,L,0))",
    uses=[CLAIM],
    reading=f"{READING}; derived from the symmetry of the product matrix at all times, which is shown by uniqueness of the flow",
)
def derivatives_of_the_product_are_symmetric(g: Goal) -> None:
    """The product matrix is symmetric for all t >= 0, so all its derivatives are."""
    g.fix(*NAMES)
    given = [g.assume() for _ in range(9)]
    symmetric = g.lemma(CLAIM, "statement", *NAMES, by=[using(h) for h in given])
    g.fix("j")
    order = g.assume()

    def same(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        k = g.split(g.apply(symmetric, "t", by=[using(now)]))[1]
        g.nc((k, -1, None, None))

    equal = g.have("all t:R. 0 <= t => Q(L,t) = T(Q(L,t))", same)
    only(g, equal, order)
    k = derivatives_agree(g, "Q,L", "Q,L", equal)
    g.close_by(g.apply(g.apply(k, "j", by=[using(order)]), 0))
