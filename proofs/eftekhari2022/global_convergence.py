"""Section 3: gradient flow from the stable set converges to a global minimizer (Lemma 15 and Theorem 16)."""

from __future__ import annotations

from proofs.eftekhari2022.excess_loss import (
    BRACKET,
    LEVEL,
    RATE,
    START,
    F,
    at_time,
    excess,
    positive_numbers,
    stable,
)
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, POWER, TARGET_VARIABLES, TOP
from proofs.eftekhari2022.rank_one_numbers import GAMMA
from proofs.eftekhari2022.theorem_twenty import BALANCED, FLOW, INNER, NETWORK, TARGET
from proofs.eftekhari2022.theorem_twenty_rates import induced
from proofs.razin2020.scripts import using
from proofs.varre2023.matrix_limits import CLAIM as LIMITS
from verify.kernel import Goal
from verify.registry import part

CLAIM = "eftekhari2022.theorem-16"
G0 = "((E(t) @ X - Y) @ T(X))"


def size(m: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({m}) @ ({m}))"


VA, VB, VW = size("A'(t)"), size("B'(t)"), size("d(1,W,l,t)")
"""The squared velocities of the layers."""

ENERGY = f"""all {NETWORK}. {FLOW} all t:R. 0 <= t => tr(T({G0}) @ E'(t)) <= -{VA} and tr(T({G0}) @ E'(t)) <= -{VB} and
       (all l:Z. {INNER} => tr(T({G0}) @ E'(t)) <= -{VW})"""


@part(CLAIM, "energy", ENERGY, says="the loss decreases at least as fast as the squared velocity of every layer")
def loss_pays_for_every_layer(g: Goal) -> None:
    """With c(l) = <G, P_l Q_l'>: c(l) = c(l-1) - |W_l'|^2 and c(1) = -|W_1'|^2."""
    names = g.intro(split=False)
    _, ends, steps, outer, inner = names[:5]
    now = names[5]
    (grad,) = g.obtain(g.have(f"ex G:M(y,x). G = {G0}", lambda g: (g.witness(G0), g.refl())[-1]), "G", split=False)
    a_, b_ = g.split(g.apply(outer, "t", by=[using(now)]))
    a = g.have("A'(t) = -(T(P(1,t)) @ G)", lambda g: g.nc((a_, 1, None, None), (grad, 1, "T(P(1,t))", None)))
    b = g.have("B'(t) = -(G @ T(Q(N-1,t)))", lambda g: g.nc((b_, 1, None, None), (grad, 1, None, "T(Q(N-1,t))")))

    def term(layer: str) -> str:
        return f"tr(T(G) @ (P({layer},t) @ d(1,Q,{layer},t)))"

    def agree(g: Goal, rows: str, left: str, right: str, which: int) -> str:
        """Functions that agree for t >= 0 have the same derivative at t."""

        def same(g: Goal) -> None:
            g.fix("r")
            at = g.assume()
            k = g.split(
                g.apply(
                    ends if which != 3 else steps,
                    *(["r"] if which != 3 else ["l", "r"]),
                    by=[using(at)] if which != 3 else [None, using(at)],
                )
            )
            g.close_by(k[{0: 0, 2: 2, 3: 0}[which]])

        h = g.fact("derivative_agrees_matrix", rows, "x", 0, f"lam r:R. {left}", f"lam r:R. {right}")
        return g.apply(g.apply(h, by=[None, same], n=2), "t", by=[using(now)])

    first = agree(g, "n", "Q(1,r)", "A(r)", 0)
    bound = f"{term('l')} <= -{VA} and (all k:Z. 2 <= k => k <= l => {term('l')} <= -{size('d(1,W,k,t)')})"

    def every(g: Goal) -> None:
        ih = g.induct("l")
        g.assume()

        def one(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.rewrite(eq)
            value = g.have(f"{term('1')} = -{VA}", lambda g: base(g))
            flat = g.have(f"{term('1')} <= -{VA}", lambda g: g.pos(eqs=[(value, -1)]))

            def none(g: Goal) -> None:
                g.fix("k")
                low, high = g.assume(), g.assume()
                g.contra()
                g.pos([f"@{low}"], [f"@{high}"], [])

            g.conj(using(flat), none)

        def base(g: Goal) -> None:
            k = g.have("d(1,Q,1,t) = -(T(P(1,t)) @ G)", lambda g: g.nc((first, 1, None, None), (a, 1, None, None)))
            g.rewrite(k)
            g.rewrite(a)
            g.field()

        def more(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            low = next(h for h, f in g.seq.hyps.items() if f == ("<=", 1, "l"))

            def equal(g: Goal) -> None:
                e = next(reversed(g.seq.hyps))
                g.clash(g.have("l = 1", lambda g: g.field((e, -1))), ne)

            def larger(g: Goal) -> None:
                two = g.by_fact("int_lt", "1", "l", by=[using(next(reversed(g.seq.hyps)))])
                two = g.have("2 <= l", lambda g: g.pos([f"@{two}"]))
                k = g.apply(ih, "l-1", by=[lambda g: g.conj(lambda g: g.pos([f"@{two}"]), None), None])
                before, others = g.split(k)
                speed = agree(g, "n", "Q(l,r)", "W(l,r) @ Q(l-1,r)", 3)
                _, p = g.split(g.apply(steps, "l", "t"))
                w_ = g.apply(inner, "l", "t")
                w = g.have(
                    "d(1,W,l,t) = -(T(P(l,t)) @ G @ T(Q(l-1,t)))",
                    lambda g: g.nc((w_, 1, None, None), (grad, 1, "T(P(l,t))", "T(Q(l-1,t))")),
                )

                def step(g: Goal) -> None:
                    k = g.have(
                        "P(l,t) @ d(1,Q,l,t) = P(l,t) @ d(1,W,l,t) @ Q(l-1,t) + P(l-1,t) @ d(1,Q,l-1,t)",
                        lambda g: g.nc((speed, 1, "P(l,t)", None), (p, -1, None, "d(1,Q,l-1,t)")),
                    )
                    g.rewrite(k)
                    one = g.have(f"tr(T(G) @ (P(l,t) @ d(1,W,l,t) @ Q(l-1,t))) = -{VW}", lambda g: (g.rewrite(w), g.field())[-1])
                    g.field((one, 1))

                value = g.have(f"{term('l')} = {term('l-1')} - {VW}", step)
                total = g.have(f"{term('l')} <= -{VA}", lambda g: g.pos([f"@{before}"], [VW], eqs=[(value, -1)]))

                def each(g: Goal) -> None:
                    g.fix("k")
                    k_lo, k_hi = g.assume(), g.assume()

                    def earlier(g: Goal) -> None:
                        h = g.by_fact("int_lt", "k", "l", by=[using(next(reversed(g.seq.hyps)))])
                        o = g.apply(others, "k", by=[using(k_lo), lambda g: g.pos([f"@{h}"])])
                        g.pos([f"@{o}"], [VW], eqs=[(value, -1)])

                    def here(g: Goal) -> None:
                        g.rewrite(next(reversed(g.seq.hyps)))
                        g.pos([f"@{before}"], [VA], eqs=[(value, -1)])

                    g.cases(g.by_fact("lt_or_eq", "k", "l", by=[using(k_hi)]), earlier, here)

                g.conj(using(total), each)

            g.cases(g.by_fact("lt_or_eq", "1", "l", by=[using(low)]), larger, equal)

        g.em("l = 1", one, more)

    all_ = g.have(f"all l:Z. 1 <= l => l <= N - 1 => {bound}", every)
    below, others = g.split(g.apply(all_, "N-1"))
    whole = agree(g, "y", "E(r)", "B(r) @ Q(N-1,r)", 2)
    p = g.split(g.apply(ends, "t", by=[using(now)]))[1]

    def total(g: Goal) -> None:
        k = g.have(
            "E'(t) = B'(t) @ Q(N-1,t) + P(N-1,t) @ d(1,Q,N-1,t)",
            lambda g: g.nc((whole, 1, None, None), (p, -1, None, "d(1,Q,N-1,t)")),
        )
        g.rewrite(k)
        one = g.have(f"tr(T(G) @ (B'(t) @ Q(N-1,t))) = -{VB}", lambda g: (g.rewrite(b), g.field())[-1])
        g.field((one, 1))

    value = g.have(f"tr(T(G) @ E'(t)) = {term('N-1')} - {VB}", total)
    g.rewrite(g.have(f"{G0} = G", lambda g: g.nc((grad, -1, None, None))))

    def layer(g: Goal) -> None:
        g.fix("l")
        g.split(g.assume())
        k = g.apply(others, "l")
        g.pos([f"@{k}"], [VB], eqs=[(value, -1)])

    g.conj(
        lambda g: g.pos([f"@{below}"], [VB], eqs=[(value, -1)]),
        lambda g: g.pos([f"@{below}"], [VA], eqs=[(value, -1)]),
        layer,
    )


BASE = f"all {NETWORK}, {TARGET_VARIABLES}, w:R. {FLOW} {BALANCED} {TARGET} {START}"
TERMS = ("x", "y", "m", "n", "N", "X", "Y", *"ABWPQE", "Z", "Z1", "uZ", "vZ", "w")
BEGIN = excess("E(0)")
COST = f"(m^2*N*(1 + 2*{BEGIN} + 2*{TOP}^2)*{BEGIN})"
DECAY = f"exp(-{RATE}*t)"
CHEAP = f"-tr(T({G0}) @ E'(t)) <= {COST}*{DECAY}"
NEAR = f"(1 - {GAMMA})*{size('E(t) - Z1')} <= {BEGIN}*{DECAY}"


def start_of(g: Goal, names: list[str]) -> tuple[list[str], list[str]]:
    """The hypotheses about the induced flow, and those of START; `names`: what BASE assumes, unsplit."""
    return induced(g, [*names[:6], "", *names[6:16]]), names[16:19]


@part(
    CLAIM,
    "cheap",
    f"{BASE} all t:R. 0 <= t => {CHEAP} and {NEAR} and 0 <= {BEGIN}",
    says="from the stable set, the velocities of the layers and the distance from Z_1 decay exponentially",
    uses=[
        CLAIM,
        "eftekhari2022.eq-17",
        "eftekhari2022.lemma-22",
        "eftekhari2022.eq-32",
        "eftekhari2022.assertion-rate-equivalence",
    ],
)
def velocities_decay(g: Goal) -> None:
    """-<G, W'> = m^2 s^p (N (s - z)^2 + ...) <= m^2 N s^p times the excess, and s^p <= 1 + s^2 <= 1 + 2 X(0) + 2 s_Z^2."""
    names = g.intro(split=False)
    flow, (gap, one, start) = start_of(g, names)
    now = names[19]
    rank = g.split(start)[0]
    stays = stable(g, flow, gap, one, start)
    positive_numbers(g, gap)
    decay = g.lemma(CLAIM, "part:excess-decays", *FLOW_TERMS, by=[using(k) for k in flow])
    decay = g.apply(decay, "w", by=[using(gap), using(one), using(start)])
    parts, _, numbers = at_time(g, flow, rank, stays, "t", now)
    value, _, miss, below, most = numbers
    nonneg, high = g.split(g.apply(decay, "t", by=[using(now)]))
    zero = g.have("0 <= 0")
    first = g.split(g.apply(decay, "0", by=[using(zero)]))[0]
    high = g.have(f"{excess('E(t)')} <= {BEGIN}*{DECAY}", lambda g: g.pos([f"@{high}"]))
    g.have(f"0 <= {RATE}*t", lambda g: rate_is_nonnegative(g, one, now))
    less = g.by_fact("exp_mono", f"-{RATE}*t", "0", by=[lambda g: g.pos([f"{RATE}*t"])])
    unit = g.have("exp(0) = 1", lambda g: g.close_by(g.fact("exp_zero")))
    less = g.have(f"{DECAY} <= 1", lambda g: g.pos([f"@{less}"], eqs=[(unit, 1)]))
    low = g.have(f"{excess('E(t)')} <= {BEGIN}", lambda g: g.pos([f"@{high}"], [f"@{first}", f"@{less}"]))
    large = g.have(
        f"s^2 <= 2*{BEGIN} + 2*{TOP}^2",
        lambda g: g.pos(["2", f"@{low}"], ["2", f"@{most}"], ["2", f"@{most}"], [f"(s - 2*{F})^2"], eqs=[(value, 2)]),
    )
    p = f"s^{POWER}"

    def mild(g: Goal) -> None:
        order = g.fact("total", "s", 1)

        def small(g: Goal) -> None:
            h = g.by_fact("pow_base_mono", "s", 1, POWER)
            same = g.have(f"1^{POWER} = 1", lambda g: g.field())
            g.pos([f"@{h}"], ["s^2"], eqs=[(same, -1)])

        def big(g: Goal) -> None:
            g.have(f"{POWER} <= 2", lambda g: g.pos(["2"], mul=["N"]))
            h = g.by_fact("pow_exp_mono", "s", POWER, "2")
            g.pos([f"@{h}"], ["1"])

        g.cases(order, small, big)

    mild_ = g.have(f"{p} <= 1 + s^2", mild)
    power = g.have(f"{p} <= 1 + 2*{BEGIN} + 2*{TOP}^2", lambda g: g.pos([f"@{mild_}"], [f"@{large}"]))
    deep = g.have("2 <= N")
    bracket = g.have(
        f"{BRACKET} <= N*{excess('E(t)')}",
        lambda g: g.pos([f"@{miss}"], [f"@{deep}", f"@{most}"], eqs=[(value, "N")]),
    )
    h = g.lemma(CLAIM, "part:slope", *FLOW_TERMS, by=[using(k) for k in flow])
    h = g.apply(h, "t", "s", "u", "v", by=[using(now), *[using(k) for k in parts]])
    slope = g.differentiate("r", excess("E(r)"), "t")
    gradient = g.have(f"{G0} = m*(E(t) - Z)", lambda g: g.nc((flow[3], 1, "E(t)", None), (flow[5], "m", None, None)))
    energy = g.have(
        f"tr(T({G0}) @ E'(t)) = -(m^2*{p}*{BRACKET})", lambda g: (g.rewrite(gradient), g.field((slope, "-m/2"), (h, "m/2")))[-1]
    )
    g.have(f"0 <= 1 + 2*{BEGIN} + 2*{TOP}^2", lambda g: g.pos(["1"], ["2", f"@{first}"], [f"2*{TOP}^2"]))
    bound = f"(1 + 2*{BEGIN} + 2*{TOP}^2)"
    cheap = g.have(
        CHEAP,
        lambda g: g.pos(
            ["m^2", p, f"@{bracket}"], ["m^2", "N", f"@{power}", f"@{nonneg}"], ["m^2", "N", bound, f"@{high}"], eqs=[(energy, 1)]
        ),
    )
    close = g.lemma(
        "eftekhari2022.assertion-rate-equivalence", "part:pointwise", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
        by=[using(k) for k in (*flow[6:13], parts[0], *parts[2:4])],
    )  # fmt: skip
    close = g.split(close)[0]
    back = g.have("s*(u @ T(v)) = E(t)", lambda g: g.nc((parts[1], -1, None, None)))
    close = g.rewritten(close, back)
    g.conj(using(cheap), lambda g: g.pos([f"@{close}"], [f"@{high}"]), using(first))


def rate_is_nonnegative(g: Goal, one: str, now: str) -> None:
    """2 m ((alpha - gamma) s_Z)^p alpha (1 - gamma) >= 0."""
    ratio = g.have(
        f"{GAMMA} < 1", lambda g: g.nlin(use=[one, *[h for h, f in g.seq.hyps.items() if f == g.formula(f"{GAMMA} < w")]])
    )
    g.have(f"0 < ({LEVEL})^{POWER}")
    g.pos(["2", "m", f"({LEVEL})^{POWER}", "w", f"@{ratio}", f"@{now}"])


LIMITS_EXIST = f"""(ex L:M(n,x). tends(t, A(t), L)) and (ex L:M(y,n). tends(t, B(t), L)) and
       (all l:Z. {INNER} => ex L:M(n,n). tends(t, W(l,t), L))"""


@part(
    CLAIM,
    "layers-converge",
    f"{BASE} ({LIMITS_EXIST}) and tends(t, E(t), Z1)",
    says="all layers converge, and their product to Z_1",
    uses=[CLAIM, LIMITS],
)
def layers_converge(g: Goal) -> None:
    """Exponentially small velocities."""
    names = g.intro(split=False)
    known = [using(k) for k in names]
    cheap = g.lemma(CLAIM, "part:cheap", *TERMS, by=known)
    energy = g.lemma(CLAIM, "part:energy", *TERMS[:13], by=known[:5])
    _, (gap, one, _) = start_of(g, names)
    positive_numbers(g, gap)
    ratio = g.have(f"{GAMMA} < 1", lambda g: g.nlin(use=[one, gap]))
    g.have(f"0 < ({LEVEL})^{POWER}")
    rate = g.have(f"0 < {RATE}", lambda g: g.pos(["2", "m", f"({LEVEL})^{POWER}", "w", f"@{ratio}"]))

    def fast(g: Goal, rows: str, columns: str, body: str, which: int) -> None:
        def slow(g: Goal) -> None:
            g.fix("t")
            at = g.assume()
            paid = g.split(g.apply(energy, "t", by=[using(at)]))
            price = g.split(g.apply(cheap, "t", by=[using(at)]))[0]
            own = paid[which] if which < 2 else g.apply(paid[2], "l", by=[None])
            g.pos([f"@{own}"], [f"@{price}"])

        h = g.lemma(LIMITS, "part:fast-matrix", rows, columns, COST, RATE, body, by=[using(rate), slow])
        g.close_by(h)

    def product(g: Goal) -> None:
        g.have(f"0 < 1 - {GAMMA}", lambda g: g.pos([f"@{ratio}"]))

        def small(g: Goal) -> None:
            g.fix("t")
            at = g.assume()
            near = g.split(g.apply(cheap, "t", by=[using(at)]))[1]
            g.pos([f"@{near}"], mul=[f"1 - {GAMMA}"])

        zero = g.lemma(
            LIMITS, "part:small-matrix", "y", "x", f"{BEGIN}/(1 - {GAMMA})", RATE, "lam t:R. E(t) - Z1", by=[using(rate), small]
        )
        const = g.fact("tends_matrix_const", "y", "x", "Z1")
        total = g.by_fact(
            "tends_matrix_add", "y", "x", "Z1", "O(y,x)", "lam t:R. Z1", "lam t:R. E(t) - Z1", by=[using(const), using(zero)]
        )
        k = g.have("Z1 + O(y,x) = Z1", lambda g: g.nc())
        total = g.rewritten(total, k)

        def same(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.nc()

        g.close_by(
            g.lemma(
                LIMITS, "part:equal-from-0", "y", "x", "lam t:R. Z1 + (E(t) - Z1)", "lam t:R. E(t)", "Z1", by=[same, using(total)]
            )
        )

    def inner(g: Goal) -> None:
        g.fix("l")
        g.assume()
        fast(g, "n", "n", "lam r:R. W(l,r)", 2)

    g.conj(
        lambda g: g.conj(lambda g: fast(g, "n", "x", "lam r:R. A(r)", 0), lambda g: fast(g, "y", "n", "lam r:R. B(r)", 1), inner),
        product,
    )
