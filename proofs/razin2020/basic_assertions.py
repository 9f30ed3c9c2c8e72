"""Assertions of the text that follow from definitions or from a few proved claims."""

from __future__ import annotations

from proofs.razin2020.problem import erank, infimum, loss, solution
from proofs.razin2020.quasi_norms import NORM
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds

X = solution("x")


@holds("razin2020.assertion-loss-at-zero", f"all W:M(2,2). W = O(2,2) => {loss('W')} = 1", argument="sound")
def loss_at_the_zero_matrix(g: Goal) -> None:
    """(1 + 1 + 0)/2."""
    h = g.intro()[0]
    g.rewrite(h)
    g.field()


@holds(
    "razin2020.assertion-identity-init-balanced",
    """all d L:Z, c:R, W:Z->M(d,d). (all l:Z. 1 <= l and l <= L => W(l) = c*I(d)) =>
       all l:Z. 1 <= l and l <= L - 1 => T(W(l+1)) @ W(l+1) = W(l) @ T(W(l))""",
    argument="sound",
    reading="every factor is the identity (c = 1) or the same multiple of it",
)
def multiples_of_the_identity_are_balanced(g: Goal) -> None:
    """Both sides are c^2 I."""
    (h,) = g.intro()[:1]
    a, b = g.apply(h, "l"), g.apply(h, "l + 1")
    g.nc(rw=[a, b])


@holds(
    "razin2020.assertion-rank-2-along-s",
    f"""(all x:R. rank({X}) = 2) and tends(x, {erank(X)}, 1) and tends(x, {erank(solution("(-x)"))}, 1) and
       tends(x, sv({X},2), 0) and tends(x, sv({solution("(-x)")},2), 0)""",
    uses=["razin2020.prop-2-erank", "razin2020.prop-2-step-limits"],
    argument="sound",
    reading="the effective rank tends to 1, and the distance from rank one, the second singular value, to 0 at both ends",
)
def solutions_have_rank_two(g: Goal) -> None:
    """Their determinant is -1; the limits are those of Proposition 2."""
    e = g.split(g.lemma("razin2020.prop-2-erank"))
    s = g.split(g.lemma("razin2020.prop-2-step-limits"))

    def rank(g: Goal) -> None:
        g.fix("x")
        full = g.split(g.by_fact("rank_full", 2, X))[1]

        def nonzero(g: Goal) -> None:
            k = g.contra()
            d = g.have(f"det({X}) = -1", lambda g: g.field())
            g.pos([1], eqs=[(k, 1), (d, -1)])

        g.close_by(g.apply(full, by=[nonzero]))

    g.conj(rank, using(e[4]), using(e[5]), using(s[4]), using(s[5]))


@holds(
    "razin2020.assertion-norm-rank-conflict",
    f"""({NORM} all eps m:R. 0 < eps => {infimum("m", f"N({X})")} => ex lo hi:R. all x:R. N({X}) <= m + eps => lo <= x and x <= hi) and
       (all lo hi:R. ex e:R. 0 < e and all x:R. lo <= x => x <= hi => 1 + e <= {erank(X)} and e <= sv({X},2)) and
       tends(x, {erank(X)}, 1) and tends(x, sv({X},2), 0)""",
    uses=["razin2020.prop-1-bounded-interval", "razin2020.prop-2-erank", "razin2020.prop-2-step-limits", "razin2020.eq-29"],
    argument="sound",
    reading="near-minimisers of a (quasi-)norm have (1,1) entries in a bounded interval, and on every bounded interval the effective rank "
    "and the second singular value stay away from their infima 1 and 0, which they approach for large entries",
)
def norms_and_rank_conflict(g: Goal) -> None:
    """By monotonicity in |x| both exceed their value at |lo| + |hi| + 1."""
    e = g.split(g.lemma("razin2020.prop-2-erank"))
    s = g.split(g.lemma("razin2020.prop-2-step-limits"))
    strict, above = e[3], e[0]

    def away(g: Goal) -> None:
        g.fix("lo", "hi")
        b = "(abs(lo) + abs(hi) + 1)"
        top = solution(b)
        low = g.split(g.apply(above, b))[0]
        size = g.have(f"abs({b}) = {b}", lambda g: (only(g), g.field())[-1])
        second = g.split(g.lemma("razin2020.eq-29", "part:ordered", b))[1]
        root = g.by_fact("sqrt_sq", f"{b}^2 + 4")
        p = g.have(f"0 < sqrt({b}^2 + 4)", lambda g: (only(g), g.auto())[-1])

        def positive(g: Goal) -> None:
            only(g, second, size, root, p)
            k = g.contra()
            g.pos(
                [f"@{k}", 2, f"sqrt({b}^2 + 4) + {b}"],
                [4],
                eqs=[(root, -1), (second, f"2*(sqrt({b}^2 + 4) + {b})"), (size, f"-(sqrt({b}^2 + 4) + {b})")],
            )

        v = g.have(f"0 < sv({top},2)", positive)
        m = f"min({erank(top)} - 1, sv({top},2))"
        g.witness(m)
        bounds = g.have(f"0 < {m} and {m} <= {erank(top)} - 1 and {m} <= sv({top},2)", lambda g: least(g, low, v))
        m0, m1, m2 = g.split(bounds)

        def each(g: Goal) -> None:
            g.fix("x")
            a, c = g.assume(), g.assume()
            smaller = g.have(f"abs(x) < abs({b})", lambda g: inside(g, a, c, size, b))
            k = g.apply(strict, "x", b, by=[using(smaller)])
            fx = g.split(g.lemma("razin2020.eq-29", "part:ordered", "x"))[1]

            def second_value(g: Goal) -> None:
                only(g, smaller, second, fx, m2)
                r1, r2 = g.by_fact("sqrt_sq", "x^2 + 4"), g.by_fact("sqrt_sq", f"{b}^2 + 4")
                q1, q2 = g.have("0 < sqrt(x^2 + 4)"), g.have(f"0 < sqrt({b}^2 + 4)", lambda g: (only(g), g.auto())[-1])
                a1, a2 = g.fact("abs_square", "x"), g.fact("abs_square", b)
                only(g, smaller, second, fx, m2, r1, r2, q1, q2, a1, a2)

                # sqrt(y^2 + 4) - sqrt(x^2 + 4) <= |y| - |x|
                def growth(g: Goal) -> None:
                    only(g, smaller, r1, r2, q1, q2, a1, a2)
                    w = g.contra()
                    u, t = f"sqrt({b}^2 + 4)", "sqrt(x^2 + 4)"
                    at_x = g.have(f"abs(x) <= {t}", lambda g: root_above(g, r1, q1, a1, "x"))
                    at_b = g.have(f"abs({b}) <= {u}", lambda g: root_above(g, r2, q2, a2, b))
                    only(g, smaller, r1, r2, a1, a2, w, at_x, at_b, q1, q2)
                    # (u - t)(u + t) = |b|^2 - |x|^2 = (|b| - |x|)(|b| + |x|) and u + t >= |b| + |x|
                    g.pos(
                        [f"@{w}", f"{u} + {t}"],
                        [f"@{smaller}", f"@{at_x}"],
                        [f"@{smaller}", f"@{at_b}"],
                        eqs=[(r1, 1), (r2, -1), (a1, -1), (a2, 1)],
                    )

                k = g.have(f"sqrt({b}^2 + 4) - sqrt(x^2 + 4) <= abs({b}) - abs(x)", growth)
                only(g, k, second, fx, m2)
                g.pos([f"@{m2}"], [f"@{k}", "1/2"], eqs=[(fx, 1), (second, -1)])

            g.conj(lambda g: (only(g, k, m1), g.pos([f"@{k}"], [f"@{m1}"]))[-1], second_value)

        g.conj(using(m0), each)

    k = g.lemma("razin2020.prop-1-bounded-interval")
    g.conj(using(k), away, using(e[4]), using(s[4]))


def root_above(g: Goal, root: str, positive: str, absolute: str, x: str) -> None:
    """|x| <= sqrt(x^2 + 4)."""
    only(g, root, positive, absolute)
    w = g.contra()
    g.pos([f"@{w}", f"abs({x}) + sqrt({x}^2 + 4)"], [4], eqs=[(root, 1), (absolute, -1)])


def least(g: Goal, low: str, v: str) -> None:
    """The minimum of two positive numbers is positive and at most both."""
    only(g, low, v)
    f = g.concl[1][2]

    def case(g: Goal) -> None:
        g.split(next(reversed(g.seq.hyps)))
        g.conj(*[lambda g: g.nlin(products=1)] * 3)

    g.cases(g.fact("min_cases", f[1], f[2]), case, case)


def inside(g: Goal, a: str, c: str, size: str, b: str) -> None:
    """|x| < |lo| + |hi| + 1 for lo <= x <= hi."""
    only(g, a, c, size)
    lo = g.split(g.apply(g.split(g.fact("abs_le", "lo", "abs(lo)"))[0], by=[Goal.refl]))
    hi = g.split(g.apply(g.split(g.fact("abs_le", "hi", "abs(hi)"))[0], by=[Goal.refl]))
    only(g, a, c, size, *lo, *hi)
    g.rewrite(size)
    r = "(abs(lo) + abs(hi))"
    k = g.split(g.fact("abs_le", "x", r))[1]
    m = g.apply(
        k,
        by=[
            lambda g: g.conj(
                lambda g: g.pos([f"@{a}"], [f"@{lo[0]}"], ["abs(hi)"]), lambda g: g.pos([f"@{c}"], [f"@{hi[1]}"], ["abs(lo)"])
            )
        ],
    )
    only(g, m)
    g.pos([f"@{m}"], [1])
    del b


@holds(
    "razin2020.assertion-rescaling-sign",
    """(all d:Z, a:R, W:M(d,d). 1 <= d => 0 < a => (0 < det(a*W) <=> 0 < det(W)) and (det(a*W) < 0 <=> det(W) < 0)) and
       (all d L:Z, a:R, W P Q:Z->M(d,d). 1 <= d => 0 < a => P(0) = I(d) => Q(0) = I(d) =>
          (all l:Z. 1 <= l and l <= L => P(l) = W(l) @ P(l-1) and Q(l) = (a*W(l)) @ Q(l-1)) =>
          all l:Z. 0 <= l => l <= L => (0 < det(Q(l)) <=> 0 < det(P(l))) and (det(Q(l)) < 0 <=> det(P(l)) < 0))""",
    argument="sound",
    reading="a is the factor alpha; either the product matrix or every factor is multiplied by it (P and Q are the products of the factors and of "
    "the multiplied ones); the conclusion on near-zero starts is Corollary 1 for the rescaled start",
)
def positive_multiples_keep_the_sign_of_the_determinant(g: Goal) -> None:
    """det(a W) = a^d det W; Q(l) = a^l P(l)."""

    def single(g: Goal) -> None:
        size, positive = g.intro()
        k = g.by_fact("det_scale", "d", "a", "W", by=[using(size)])
        p = g.have("0 < a^d", lambda g: (only(g, positive), g.auto())[-1])
        signs(g, k, p, "a^d")

    def products(g: Goal) -> None:
        g.fix()
        size, positive, p0, q0, steps = (g.assume() for _ in range(5))

        def grow(g: Goal) -> None:
            ih = g.induct("l")
            lo = next(k for k in g.seq.hyps if k.endswith("_lo"))
            high = g.assume()

            def base(g: Goal) -> None:
                g.rewrite(next(reversed(g.seq.hyps)), back=True)
                g.nc((q0, 1, None, None), (p0, -1, None, None))

            def step(g: Goal) -> None:
                strict = next(reversed(g.seq.hyps))
                k = g.by_fact("int_lt", 0, "l", by=[using(strict)])
                one = g.have("1 <= l", lambda g: g.pos([f"@{k}"]))
                p, q = g.split(g.apply(steps, "l", by=[lambda g: g.conj(using(one), using(high))]))
                before = g.apply(
                    ih,
                    "l - 1",
                    by=[lambda g: g.conj(lambda g: g.pos([f"@{one}"]), lambda g: g.pos([1])), lambda g: g.pos([f"@{high}"], [1])],
                )
                only(g, p, q, before, positive)
                g.nc((q, 1, None, None), (before, "a", "W(l)", None), (p, "-a^l", None, None))

            g.cases(g.by_fact("lt_or_eq", 0, "l", by=[using(lo)]), step, base)

        scaled = g.have("all l:Z. 0 <= l => l <= L => Q(l) = a^l*P(l)", grow)
        g.fix("l")
        low, high = g.assume(), g.assume()
        k = g.apply(scaled, "l", by=[using(low), using(high)])
        d = g.by_fact("det_scale", "d", "a^l", "P(l)", by=[using(size)])
        p = g.have("0 < (a^l)^d", lambda g: (only(g, positive), g.auto())[-1])
        g.rewrite(k)
        signs(g, d, p, "(a^l)^d")

    g.conj(single, products)


def signs(g: Goal, k: str, p: str, factor: str) -> None:
    """det has the sign of factor * det."""
    only(g, k, p)
    g.rewrite(k)

    def drop(g: Goal) -> None:
        h = g.assume()
        g.pos([f"@{h}"], mul=[factor])

    def add(g: Goal) -> None:
        h = g.assume()
        g.pos([f"@{h}", factor])

    g.conj(lambda g: g.iff(drop, add), lambda g: g.iff(drop, add))


BOUND_8 = "a/sqrt({0}) - b"


@holds(
    "razin2020.assertion-lowering-loss",
    """all a b p q:R. 0 < a => 0 < p => p < q => a/sqrt(q) - b < a/sqrt(p) - b and
       1 + 2*sqrt(12)/log(2)*sqrt(p) < 1 + 2*sqrt(12)/log(2)*sqrt(q) and 3*sqrt(2)*sqrt(p) < 3*sqrt(2)*sqrt(q)""",
    argument="sound",
    reading="the lower bound (8) of the norms increases, and the upper bounds (9) and (10) of the rank measures decrease, as the loss decreases "
    "from q to p; a and b are the constants of Theorem 1. That the (quasi-)norms themselves increase at every moment is not what Theorem 1 says",
)
def bounds_are_monotone_in_the_loss(g: Goal) -> None:
    """The root increases strictly."""
    a, p, order = g.intro()
    pq = g.have("0 < q", lambda g: g.pos([f"@{p}"], [f"@{order}"]))
    x, y = g.have("0 < sqrt(p)"), g.have("0 < sqrt(q)")
    r, s = g.by_fact("sqrt_sq", "p"), g.by_fact("sqrt_sq", "q")

    def increases(g: Goal) -> None:
        only(g, order, x, y, r, s)
        k = g.contra()
        g.pos([f"@{k}", "sqrt(p) + sqrt(q)"], [f"@{order}"], eqs=[(r, -1), (s, 1)])

    less = g.have("sqrt(p) < sqrt(q)", increases)
    c = g.have("0 < 2*sqrt(12)/log(2)", lambda g: (only(g), g.ball())[-1])
    two = g.have("0 < sqrt(2)", lambda g: (only(g), g.auto())[-1])
    only(g, a, x, y, less, c, two)
    g.conj(
        lambda g: g.pos([f"@{less}", "a"], mul=["sqrt(p)", "sqrt(q)"]),
        lambda g: g.pos([f"@{less}", f"@{c}"]),
        lambda g: g.pos([f"@{less}", 3, "sqrt(2)"]),
    )
    del pq


@holds(
    "razin2020.lemma-17",
    """all d:Z, f:V(d)->R, G:V(d)->V(d), x:R~>V(d), F:R~>R. (all t:R. 0 <= t => x'(t) = -G(x(t))) =>
       (all t:R. 0 <= t => F(t) = f(x(t)) and F'(t) = tr(T(G(x(t))) @ x'(t))) =>
       (all t:R. 0 <= t => F'(t) = -tr(T(G(x(t))) @ G(x(t))) and F'(t) <= 0) and
       all t u:R. 0 <= t => t <= u => f(x(u)) <= f(x(t))""",
    argument="sound",
    reading="G is the gradient of f; F is f along the curve, which is differentiable with the derivative of the chain rule",
    context="the chain rule for a continuously differentiable f [Lemma 17]",
    covers="instances",
    because="for curves and objectives along them that are infinitely differentiable in time; printed for continuously differentiable ones",
)
def objective_does_not_increase(g: Goal) -> None:
    """<G, -G> <= 0."""
    flow, chain = started(g)

    def slope(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        v, c = g.apply(flow, "t", by=[using(h)]), g.split(g.apply(chain, "t", by=[using(h)]))[1]
        only(g, v, c)
        c = g.rewritten(c, v)
        eq = g.have("F'(t) = -tr(T(G(x(t))) @ G(x(t)))", lambda g: g.field((c, 1)))
        only(g, eq)
        g.conj(using(eq), lambda g: g.pos(["tr(T(G(x(t))) @ G(x(t)))"], eqs=[(eq, -1)]))

    both = g.have("all t:R. 0 <= t => F'(t) = -tr(T(G(x(t))) @ G(x(t))) and F'(t) <= 0", slope)

    def falls(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        k = g.split(g.apply(both, "t", by=[using(h)]))[1]
        g.pos([f"@{k}"])

    mono = g.by_fact("nonincreasing", 0, "lam t:R. F(t)", by=[None, falls])

    def order(g: Goal) -> None:
        g.fix("t", "u")
        a, b = g.assume(), g.assume()
        m = g.apply(mono, "t", "u", by=[using(a), using(b)])
        now = g.split(g.apply(chain, "t", by=[using(a)]))[0]
        then = g.split(g.apply(chain, "u", by=[lambda g: (only(g, a, b), g.pos([f"@{a}"], [f"@{b}"]))[-1]]))[0]
        only(g, m, now, then)
        g.pos([f"@{m}"], eqs=[(then, 1), (now, -1)])

    g.conj(using(both), order)


def started(g: Goal) -> list[str]:
    """Fixes the variables and assumes two hypotheses."""
    g.fix()
    return [g.assume(), g.assume()]
