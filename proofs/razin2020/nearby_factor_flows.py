"""Proposition 5: two gradient flows of a deep factorisation separate at most exponentially."""

from __future__ import annotations

from proofs.razin2020.frobenius_norms import by_squares, square
from proofs.razin2020.problem import fro
from proofs.razin2020.products_of_factors import INSIDE, SQUARE
from proofs.razin2020.scripts import only, using, with_name
from proofs.razin2020.smooth_objective import DELTA, GRAD_V, GRAD_W, LAYER, MASK, OBSERVED, RATE, SUM, TWO_POINTS, VARIABLES
from verify.kernel import Goal
from verify.registry import holds, part

SMOOTH = "razin2020.prop-5-step-smoothness"
CLAIM = "razin2020.prop-5"


def tuple_norm(x: str, squared: bool = False) -> str:
    """The Frobenius norm of the tuple of the matrices x, which depend on l."""
    total = f"sum(l, 1, L, tr(T({x}) @ ({x})))"
    return total if squared else f"sqrt({total})"


BETA = f"(L*r^(L-2)*(2*r^L + {OBSERVED}))"
GRADIENTS = f"{GRAD_W} - {GRAD_V}"
PAIRING = f"sum(l, 1, L, tr(T(W(l) - V(l)) @ ({GRADIENTS})))"
NORMS = f"(all l:Z. {INSIDE} => {fro('W(l)')} <= r and {fro('V(l)')} <= r)"
IN_BALL = f"{tuple_norm('W(l)')} < r and {tuple_norm('V(l)')} < r"
POINTS = TWO_POINTS.replace(f"{NORMS} =>", "")
assert POINTS != TWO_POINTS


@part(
    SMOOTH,
    "squares",
    f"""all {VARIABLES}. 0 < r => {TWO_POINTS}
       {tuple_norm(GRADIENTS, True)} <= L*({RATE}*{SUM})^2 and
       L*({RATE}*{SUM})^2 <= {BETA}^2*{tuple_norm("W(l) - V(l)", True)}""",
    uses=[LAYER],
    says="the squares of the two inequalities",
)
def squared_change_of_the_gradient(g: Goal) -> None:
    """The bound of each layer; Cauchy-Schwarz for the sum of the L distances."""
    names = g.fix()
    rate = g.assume()
    given = [g.assume() for _ in range(8)]
    depth = given[0]
    layer = g.lemma(LAYER, "statement", *names, by=[using(h) for h in (rate, *given)])

    def each(g: Goal) -> None:
        (l,) = g.fix()  # noqa: E741
        inside = g.assume()
        one, two = g.split(g.apply(layer, l, by=[using(inside)]))
        x = GRADIENTS.replace("(l)", f"({l})").replace("(l-1)", f"({l}-1)")
        s, low = square(g, "m", "m", x)
        only(g, one, two, s, low)
        bound = g.have(f"{fro(x)} <= {RATE}*{SUM}", lambda g: g.pos([f"@{one}"], [f"@{two}"]))
        only(g, bound, s, low)
        g.pos([f"@{bound}", f"@{bound}"], [2, f"@{bound}", f"@{low}"], eqs=[(s, 1)])

    k = g.by_fact("sum_mono", 1, "L", f"lam l:Z. tr(T({GRADIENTS}) @ ({GRADIENTS}))", f"lam l:Z. ({RATE}*{SUM})^2", by=[each])
    c = g.by_fact("sum_const", 1, "L", f"({RATE}*{SUM})^2", by=[lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1]])
    schwarz = g.fact("cauchy_schwarz", 1, "L", "lam i:Z. 1", f"lam i:Z. {DELTA}")
    ones = g.by_fact("sum_const", 1, "L", "1^2", by=[lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1]])

    def own(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        g.close_by(square(g, "m", "m", f"W({i}) - V({i})")[0])

    squares = g.by_fact("sum_ext", 1, "L", f"lam i:Z. {DELTA}^2", "lam i:Z. tr(T(W(i) - V(i)) @ (W(i) - V(i)))", by=[own])
    only(g, rate, depth, k, c, schwarz, ones, squares)

    def first(g: Goal) -> None:
        g.pos([f"@{k}"], eqs=[(c, -1)])

    def second(g: Goal) -> None:
        only(g, rate, depth, schwarz, ones, squares)
        pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
        d = tuple_norm("W(l) - V(l)", True)
        x = g.have(
            f"{SUM}^2 <= L*{d}", lambda g: g.pos([f"@{schwarz}"], eqs=[(ones, f"-sum(i, 1, L, {DELTA}^2)"), (squares, "-L")])
        )
        only(g, x, rate, pl)
        g.pos([f"@{x}", f"{RATE}^2", "L"])

    g.conj(first, second)


@part(
    SMOOTH,
    "ball",
    f"all m L:Z, r:R, W:Z->M(m,m). {tuple_norm('W(l)')} <= r => all l:Z. {INSIDE} => {fro('W(l)')} <= r",
    says="each factor is at most as large as the tuple",
)
def factors_of_a_bounded_tuple(g: Goal) -> None:
    """A nonnegative term is at most the sum."""
    g.fix()
    bound = g.assume()
    g.fix("l")
    inside = g.assume()

    def nonneg(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        only(g)
        g.pos([f"tr(T(W({i})) @ W({i}))"])

    k = g.apply(g.by_fact("sum_term_le", 1, "L", "lam l:Z. tr(T(W(l)) @ W(l))", by=[nonneg]), "l", by=[using(inside)])
    only(g, bound, k)
    root = g.by_fact(
        "sqrt_mono", "tr(T(W(l)) @ W(l))", tuple_norm("W(l)", True), by=[lambda g: g.pos(["tr(T(W(l)) @ W(l))"]), using(k)]
    )
    only(g, bound, root)
    g.pos([f"@{bound}"], [f"@{root}"])


def nonnegative_total(g: Goal, x: str) -> str:
    """The squared norm of a tuple is nonnegative."""
    body = f"tr(T({x}) @ ({x}))"

    def term(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        only(g)
        g.pos([body.replace("(l)", f"({i})").replace("(l-1)", f"({i}-1)").replace("(l,", f"({i},").replace("(l-1,", f"({i}-1,")])

    return g.by_fact("sum_nonneg", 1, "L", f"lam l:Z. {body}", by=[term])


@holds(
    SMOOTH,
    f"""all {VARIABLES}. 0 < r => {POINTS} {IN_BALL} =>
       {tuple_norm(GRADIENTS)} <= sqrt(L*({RATE}*{SUM})^2) and sqrt(L*({RATE}*{SUM})^2) <= {BETA}*{tuple_norm("W(l) - V(l)")}""",
    uses=[SMOOTH],
    argument="sound",
    reading="W(l), V(l) are the factors of two points whose tuple norms are below r = R', P, Q and Z, Y their partial products; S marks the observed entries, "
    "B has the observed values; the limit R' -> R is not needed, since the bounds also hold for norms of at most r (prop-5)",
    context=SQUARE,
)
def objective_is_smooth_on_balls(g: Goal) -> None:
    """Roots of the squares."""
    names = g.fix()
    rate = g.assume()
    given = [g.assume() for _ in range(7)]
    x, y = g.split(g.assume())
    wx = g.have(f"{tuple_norm('W(l)')} <= r", lambda g: (only(g, x), g.pos([f"@{x}"]))[-1])
    wy = g.have(f"{tuple_norm('V(l)')} <= r", lambda g: (only(g, y), g.pos([f"@{y}"]))[-1])
    a = g.lemma(SMOOTH, "part:ball", "m", "L", "r", "W", by=[using(wx)])
    b = g.lemma(SMOOTH, "part:ball", "m", "L", "r", "V", by=[using(wy)])

    def both(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        g.conj(
            lambda g: g.close_by(g.apply(a, i, by=[using(inside)])),
            lambda g: g.close_by(g.apply(b, i, by=[using(inside)])),
        )

    norms = g.have(NORMS, both)
    one, two = g.split(g.lemma(SMOOTH, "part:squares", *names, by=[using(h) for h in (rate, *given, norms)]))
    depth = given[0]
    low = nonnegative_total(g, GRADIENTS)
    low_d = nonnegative_total(g, "W(l) - V(l)")
    only(g, one, two, low, low_d, rate, depth)
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    middle = g.have(f"0 <= L*({RATE}*{SUM})^2", lambda g: (only(g, pl), g.pos(["L", f"({RATE}*{SUM})^2"]))[-1])
    first = g.by_fact("sqrt_mono", tuple_norm(GRADIENTS, True), f"L*({RATE}*{SUM})^2", by=[using(low), using(one)])
    d = tuple_norm("W(l) - V(l)")
    root = g.by_fact("sqrt_sq", tuple_norm("W(l) - V(l)", True), by=[using(low_d)])
    low_r = g.by_fact("sqrt_nonneg", tuple_norm("W(l) - V(l)", True), by=[using(low_d)])
    own = g.by_fact("sqrt_sq", f"L*({RATE}*{SUM})^2", by=[using(middle)])
    obs = square(g, "m", "m", "had(S, B)")[1]

    def second(g: Goal) -> None:
        only(g, two, root, low_r, own, rate, pl, obs)
        size = g.have(
            f"0 <= {BETA}", lambda g: (only(g, rate, pl, obs), g.pos(["L*r^(L-2)*2*r^L"], ["L*r^(L-2)", f"@{obs}"]))[-1]
        )
        bound = g.have(
            f"sqrt(L*({RATE}*{SUM})^2)^2 <= ({BETA}*{d})^2",
            lambda g: (only(g, two, own, root), g.pos([f"@{two}"], eqs=[(own, -1), (root, f"{BETA}^2")]))[-1],
        )
        positive = g.have(f"0 <= {BETA}*{d}", lambda g: (only(g, size, low_r), g.pos([f"@{size}", f"@{low_r}"]))[-1])
        by_squares(g, positive, "", "", bound)

    g.conj(using(first), second)


@part(
    CLAIM,
    "one-sided",
    f"""all {VARIABLES}. 0 < r => {TWO_POINTS} -{PAIRING} <= {BETA}*{tuple_norm("W(l) - V(l)", True)} and
       {PAIRING} <= {BETA}*{tuple_norm("W(l) - V(l)", True)}""",
    uses=[SMOOTH, "razin2020.lemma-12"],
    says="the inner product of the difference of two points with the difference of their gradients",
)
def pairing_with_the_change_of_the_gradient(g: Goal) -> None:
    """Cauchy-Schwarz in each layer and for the sum."""
    names = g.fix()
    rate = g.assume()
    given = [g.assume() for _ in range(8)]
    depth = given[0]
    one, two = g.split(g.lemma(SMOOTH, "part:squares", *names, by=[using(h) for h in (rate, *given)]))
    a, b = fro("W(l) - V(l)"), fro(GRADIENTS)
    term = f"tr(T(W(l) - V(l)) @ ({GRADIENTS}))"

    def at(i: str, text: str) -> str:
        return text.replace("(l)", f"({i})").replace("(l-1)", f"({i}-1)")

    def both(sign: int) -> str:
        def each(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()
            k = g.lemma("razin2020.lemma-12", "part:inner-product", "m", "m", f"W({i}) - V({i})", at(i, GRADIENTS))
            c = g.split(g.apply(g.split(g.fact("abs_le", at(i, term), f"{at(i, a)}*{at(i, b)}"))[0], by=[using(k)]))
            h = c[1] if sign > 0 else c[0]
            only(g, h)
            g.pos([f"@{h}"])

        return g.by_fact("sum_mono", 1, "L", f"lam l:Z. {sign}*{term}", f"lam l:Z. {a}*{b}", by=[each])

    up, down = both(1), both(-1)
    schwarz = g.fact("cauchy_schwarz", 1, "L", f"lam l:Z. {a}", f"lam l:Z. {b}")

    def squares(x: str) -> str:
        def own(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()
            g.close_by(square(g, "m", "m", at(i, x))[0])

        return g.by_fact("sum_ext", 1, "L", f"lam l:Z. {fro(x)}^2", f"lam l:Z. tr(T({x}) @ ({x}))", by=[own])

    sa, sb = squares("W(l) - V(l)"), squares(GRADIENTS)
    low_d = nonnegative_total(g, "W(l) - V(l)")
    obs = square(g, "m", "m", "had(S, B)")[1]
    only(g, rate, depth, one, two, up, down, schwarz, sa, sb, low_d, obs)
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    d = tuple_norm("W(l) - V(l)", True)
    total = f"sum(l, 1, L, {a}*{b})"
    size = g.have(f"0 <= {BETA}", lambda g: (only(g, rate, pl, obs), g.pos(["L*r^(L-2)*2*r^L"], ["L*r^(L-2)", f"@{obs}"]))[-1])
    bound = g.have(
        f"{total}^2 <= ({BETA}*{d})^2",
        lambda g: (
            only(g, one, two, schwarz, sa, sb, low_d),
            g.pos(
                [f"@{schwarz}"],
                [f"@{one}", f"@{low_d}"],
                [f"@{two}", f"@{low_d}"],
                eqs=[(sa, f"-sum(l, 1, L, {b}^2)"), (sb, f"-{d}")],
            ),
        )[-1],
    )
    positive = g.have(f"0 <= {BETA}*{d}", lambda g: (only(g, size, low_d), g.pos([f"@{size}", f"@{low_d}"]))[-1])
    top = g.have(f"{total} <= {BETA}*{d}", lambda g: by_squares(g, positive, "", "", bound))
    only(g, top, up, down)
    g.conj(lambda g: g.pos([f"@{top}"], [f"@{down}"]), lambda g: g.pos([f"@{top}"], [f"@{up}"]))


CURVES = f"""all m L:Z, te r:R, S B:M(m,m), W V:(Z,R)~>M(m,m), P Q Y Z:(Z,R)->M(m,m). 1 <= L => 0 < te => {MASK} =>
       (all t:R. 0 <= t and t <= te => Q(0,t) = I(m) and Y(0,t) = I(m) and P(L,t) = I(m) and Z(L,t) = I(m)) =>
       (all l:Z, t:R. {INSIDE} => 0 <= t and t <= te => Q(l,t) = W(l,t) @ Q(l-1,t) and P(l-1,t) = P(l,t) @ W(l,t) and
          Y(l,t) = V(l,t) @ Y(l-1,t) and Z(l-1,t) = Z(l,t) @ V(l,t)) =>
       (all l:Z, t:R. {INSIDE} => 0 <= t and t <= te => d(1,W,l,t) = -(T(P(l,t)) @ had(S, Q(L,t) - B) @ T(Q(l-1,t))) and
          d(1,V,l,t) = -(T(Z(l,t)) @ had(S, Y(L,t) - B) @ T(Y(l-1,t)))) =>
       (all t:R. 0 <= t and t <= te => {tuple_norm("W(l,t)")} <= r and {tuple_norm("V(l,t)")} <= r) =>"""
FLOW_GAP = "W(l,{0}) - V(l,{0})"


@part(
    CLAIM,
    "positive-radius",
    f"""{CURVES} 0 < r => all u t:R. 0 <= u and u <= t and t <= te =>
       {tuple_norm(FLOW_GAP.format("t"), True)} <= {tuple_norm(FLOW_GAP.format("u"), True)}*exp(2*{BETA}*(t - u))""",
    uses=[CLAIM, SMOOTH],
    says="the squared distance of two flows, from any time on",
)
def squared_distance_of_two_flows(g: Goal) -> None:
    """Its derivative is at most 2 b times itself, where b is the constant beta."""
    g.fix("m", "L", "te", "r", "S", "B", "W", "V", "P", "Q", "Y", "Z")
    depth, _, mask, ends, steps, flow, ball, rate = (g.assume() for _ in range(8))
    u, t = g.fix("u", "t")
    low, order, high = g.split(g.assume())
    (beta,) = g.obtain(g.have(f"ex b:R. b = {BETA}", lambda g: (g.witness(BETA), g.refl())[-1]), "b", split=False)
    g.rewrite(beta, back=True)
    squared = tuple_norm(FLOW_GAP.format("s"), True)
    scaled = f"-({squared}*exp(-(2*b*s)))"
    gradients = "T(P(l,{0})) @ had(S, Q(L,{0}) - B) @ T(Q(l-1,{0})) - T(Z(l,{0})) @ had(S, Y(L,{0}) - B) @ T(Y(l-1,{0}))"

    def rising(g: Goal) -> None:
        (v,) = g.fix("v")
        left, right = g.split(g.assume())
        now = g.have(
            "0 <= v and v <= te",
            lambda g: (
                only(g, low, left, right, high),
                g.conj(lambda g: g.pos([f"@{low}"], [f"@{left}"]), lambda g: g.pos([f"@{right}"], [f"@{high}"])),
            )[-1],
        )
        x, y = g.split(g.apply(ball, v, by=[using(now)]))
        a = g.lemma(SMOOTH, "part:ball", "m", "L", "r", "lam l:Z. W(l,v)", by=[using(x)])
        b = g.lemma(SMOOTH, "part:ball", "m", "L", "r", "lam l:Z. V(l,v)", by=[using(y)])
        q0, y0, pl, zl = g.split(g.apply(ends, v, by=[using(now)]))

        def step(g: Goal) -> None:
            (i,) = g.fix()
            inside = g.assume()
            g.close_by(g.apply(steps, i, v, by=[using(inside), using(now)]))

        def norms(g: Goal) -> None:
            (i,) = g.fix()
            inside = g.assume()
            g.conj(
                lambda g: g.close_by(g.apply(a, i, by=[using(inside)])),
                lambda g: g.close_by(g.apply(b, i, by=[using(inside)])),
            )

        k = g.lemma(
            CLAIM,
            "part:one-sided",
            "m",
            "L",
            "S",
            "B",
            "r",
            *(f"lam l:Z. {f}(l,v)" for f in ("W", "V", "P", "Q", "Y", "Z")),
            by=[using(rate), using(depth), using(mask), using(q0), using(y0), using(pl), using(zl), step, norms],
        )
        k = with_name(g, g.split(k)[0], beta)

        def velocity(g: Goal) -> None:
            (i,) = g.fix()
            inside = g.assume()
            dw, dv = g.split(g.apply(flow, i, v, by=[using(inside), using(now)]))
            only(g, dw, dv)
            body = f"tr(T(W({i},s) - V({i},s)) @ (W({i},s) - V({i},s)))"
            g.replace(f"D(s, {body}, v)", f"2*tr(T(W({i},v) - V({i},v)) @ (d(1,W,{i},v) - d(1,V,{i},v)))", lambda g: g.field())
            g.rewrite(dw)
            g.rewrite(dv)
            g.field()

        rates = g.by_fact(
            "sum_ext",
            1,
            "L",
            f"lam l:Z. D(s, tr(T({FLOW_GAP.format('s')}) @ ({FLOW_GAP.format('s')})), v)",
            f"lam l:Z. -2*tr(T({FLOW_GAP.format('v')}) @ ({gradients.format('v')}))",
            by=[velocity],
        )
        only(g, k, rates)
        e = "exp(-(2*b*v))"
        g.pos([f"@{k}", 2, e], eqs=[(rates, f"-{e}")])

    k = g.by_fact("mean_value_le", "u", "t", f"lam s:R. {scaled}", by=[None, rising, using(order)])
    only(g, k)
    g.pos([f"@{k}", "exp(2*b*t)"])


@holds(
    CLAIM,
    f"""{CURVES} 0 <= r => all t:R. 0 <= t and t <= te =>
       {tuple_norm(FLOW_GAP.format("t"))} <= {tuple_norm(FLOW_GAP.format("0"))}*exp({BETA}*t)""",
    uses=[CLAIM],
    argument="sound",
    reading="W and V are the factors along the two flows, r any bound of their tuple norms up to the time te = T, in particular the supremum R; S marks the observed "
    "entries, B has the observed values, and |S o B|_F is the constant B of the paper",
    context=SQUARE,
)
def two_flows_stay_close(g: Goal) -> None:
    """The root of the squared distance; for R = 0 both flows are at the origin."""
    names = g.fix("m", "L", "te", "r", "S", "B", "W", "V", "P", "Q", "Y", "Z")
    given = [g.assume() for _ in range(8)]
    ball, nonneg = given[-2], given[-1]
    g.fix("t")
    inside = g.assume()
    low, _ = g.split(inside)
    now, start = FLOW_GAP.format("t"), FLOW_GAP.format("0")
    low_t, low_0 = nonnegative_total(g, now), nonnegative_total(g, start)

    def finish(g: Goal, k: str) -> None:
        """From the bound of the squares."""
        only(g, k, low_t, low_0)
        a, b = tuple_norm(now), tuple_norm(start)
        sa = g.by_fact("sqrt_sq", tuple_norm(now, True), by=[using(low_t)])
        sb = g.by_fact("sqrt_sq", tuple_norm(start, True), by=[using(low_0)])
        lb = g.by_fact("sqrt_nonneg", tuple_norm(start, True), by=[using(low_0)])
        e = f"exp({BETA}*t)"
        bound = g.have(
            f"{a}^2 <= ({b}*{e})^2", lambda g: (only(g, k, sa, sb), g.pos([f"@{k}"], eqs=[(sa, -1), (sb, f"{e}^2")]))[-1]
        )
        positive = g.have(f"0 <= {b}*{e}", lambda g: (only(g, lb), g.pos([f"@{lb}", e]))[-1])
        by_squares(g, positive, "", "", bound)

    def positive_radius(g: Goal) -> None:
        rate = next(reversed(g.seq.hyps))
        k = g.lemma(CLAIM, "part:positive-radius", *names, by=[using(h) for h in (*given[:-1], rate)])
        k = g.apply(k, 0, "t", by=[lambda g: g.conj(None, using(low), lambda g: g.close_by(g.split(inside)[1]))])
        finish(g, k)

    def radius_zero(g: Goal) -> None:
        zero = next(reversed(g.seq.hyps))
        x, y = g.split(g.apply(ball, "t", by=[using(inside)]))

        def none(f: str, h: str) -> str:
            low_f = nonnegative_total(g, f"{f}(l,t)")
            square_ = tuple_norm(f"{f}(l,t)", True)
            s = g.by_fact("sqrt_sq", square_, by=[using(low_f)])
            n = g.by_fact("sqrt_nonneg", square_, by=[using(low_f)])

            def vanish(g: Goal) -> None:
                only(g, h, zero, s, n)
                root = g.have(f"sqrt({square_}) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{h}"], eqs=[(zero, 1)]), using(n)))
                g.field((s, -1), (root, f"sqrt({square_})"))

            total = g.have(f"{square_} = 0", vanish)

            def term(g: Goal) -> None:
                (i,) = g.fix()
                g.assume()
                only(g)
                g.pos([f"tr(T({f}({i},t)) @ {f}({i},t))"])

            every = g.by_fact("sum_zero_terms", 1, "L", f"lam l:Z. tr(T({f}(l,t)) @ {f}(l,t))", by=[term, using(total)])
            return every

        a, b = none("W", x), none("V", y)

        def same(g: Goal) -> None:
            (i,) = g.fix()
            index = g.assume()
            wa = g.by_fact("frobenius_zero", "m", "m", f"W({i},t)", by=[lambda g: g.close_by(g.apply(a, i, by=[using(index)]))])
            vb = g.by_fact("frobenius_zero", "m", "m", f"V({i},t)", by=[lambda g: g.close_by(g.apply(b, i, by=[using(index)]))])
            g.rewrite(wa)
            g.rewrite(vb)
            only(g)
            g.field()

        gone = g.by_fact("sum_ext", 1, "L", f"lam l:Z. tr(T({now}) @ ({now}))", "lam l:Z. 0", by=[same])
        only(g, gone, low_0, low_t)
        e = f"exp(2*{BETA}*t)"
        k = g.have(
            f"{tuple_norm(now, True)} <= {tuple_norm(start, True)}*{e}", lambda g: g.pos([f"@{low_0}", e], eqs=[(gone, -1)])
        )
        finish(g, k)

    g.cases(g.by_fact("lt_or_eq", 0, "r", by=[using(nonneg)]), positive_radius, radius_zero)


@holds(
    "razin2020.assertion-exponential-growth",
    """all L:Z, r b c k:R. 1 <= L => 0 < r => 0 <= b => 0 < c => k = L*r^(L-2)*(2*r^L + b) =>
       0 < k and (all t s:R. c*exp(k*(t + s)) = exp(k*s)*(c*exp(k*t))) and tendsoo(t, c*exp(k*t))""",
    argument="sound",
    reading="r is R, b is B and c the distance of the two starts: the right side of (20) gains the factor exp(k s) in every time s, with a rate"
    " k > 0. Of the error terms nothing is said but that their bound grows; the true distance need not",
    context="R, B and L are fixed, and R > 0 [Appendix D.1, (20)]",
)
def bound_grows_exponentially(g: Goal) -> None:
    """The rate is positive."""
    depth, radius, observed, start, value = g.intro()
    pl = g.have("0 < L", lambda g: g.pos([f"@{depth}"], [1]))

    def positive(g: Goal) -> None:
        g.rewrite(value)
        only(g, pl, radius, observed)
        g.pos(["L*r^(L-2)*2*r^L"], ["L*r^(L-2)", f"@{observed}"])

    rate = g.have("0 < k", positive)

    def factor(g: Goal) -> None:
        g.fix("t", "s")
        g.field()

    def grows(g: Goal) -> None:
        k = g.by_fact("tendsoo_exp", "k", by=[using(rate)])
        large = g.apply(g.split(g.fact("tendsoo_definition", "lam t:R. exp(k*t)"))[0], by=[using(k)], n=1)

        def late(g: Goal) -> None:
            (top,) = g.fix()
            (above,) = g.obtain(g.apply(large, f"{top}/c"), "z", split=False)
            g.witness("z")
            g.fix("t")
            later = g.assume()
            v = g.apply(above, "t", by=[using(later)])
            only(g, v, start)
            g.pos([f"@{v}", "c"])

        g.close_by(g.apply(g.split(g.fact("tendsoo_definition", "lam t:R. c*exp(k*t)"))[1], by=[late], n=1))

    g.conj(using(rate), factor, grows)
