"""Proof of Theorem 3: how long the least singular value stays positive.

c stands for 1 - sqrt(l_init), r for R + 1, e for the unbalancedness epsilon, g for the squared least singular value.
"""

from __future__ import annotations

from proofs.razin2020.frobenius_norms import square
from proofs.razin2020.nearby_balanced_factors import BALANCED, FACTOR_FLOW, FLOW_READING
from proofs.razin2020.nearby_factor_flows import tuple_norm
from proofs.razin2020.problem import fro
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

SKETCH = "razin2020.assertion-thm-3-sketch-distance"


@part(
    SKETCH,
    "sum",
    """all L:Z, e:R, d:Z->R. 1 <= L => 0 <= e => (all l:Z. 1 <= l and l <= L => 0 <= d(l) and d(l) <= (l - 1)*sqrt(e)) =>
       sqrt(sum(l, 1, L, d(l)^2)) <= L^2*sqrt(e)""",
    says="the distance of tuples whose l-th matrices have at most the distance (l - 1) sqrt(epsilon)",
)
def distances_of_the_factors_add_up(g: Goal) -> None:
    """Each term is at most L^2 epsilon, and L^3 <= L^4."""
    g.fix("L", "e", "d")
    depth, nonneg, near = (g.assume() for _ in range(3))
    root, low = g.by_fact("sqrt_sq", "e", by=[using(nonneg)]), g.by_fact("sqrt_nonneg", "e", by=[using(nonneg)])

    def term(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        a, b = g.split(inside)
        x, y = g.split(g.apply(near, i, by=[using(inside)]))
        only(g, a, b, x, y, low, root)
        top = g.have(f"d({i}) <= L*sqrt(e)", lambda g: g.pos([f"@{y}"], [f"@{b}", f"@{low}"], [f"@{low}"]))
        only(g, top, x, root)
        g.pos([f"@{top}", f"@{top}"], [2, f"@{top}", f"@{x}"], eqs=[(root, "-L^2")])

    k = g.by_fact("sum_mono", 1, "L", "lam l:Z. d(l)^2", "lam l:Z. L^2*e", by=[term])
    c = g.by_fact("sum_const", 1, "L", "L^2*e", by=[lambda g: g.pos([f"@{depth}"], [1])])
    pl = g.have("0 < L", lambda g: g.pos([f"@{depth}"], [1]))

    def square_(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        only(g)
        g.pos([f"d({i})^2"])

    sign = g.by_fact("sum_nonneg", 1, "L", "lam l:Z. d(l)^2", by=[square_])
    only(g, k, c, pl, depth, nonneg, sign, root, low)
    total = "sum(l, 1, L, d(l)^2)"
    bound = g.have(
        f"{total} <= (L^2*sqrt(e))^2",
        lambda g: g.pos([f"@{k}"], [f"@{depth}", "L^3", f"@{nonneg}"], eqs=[(c, -1), (root, "L^4")]),
    )
    mono = g.by_fact("sqrt_mono", total, "(L^2*sqrt(e))^2", by=[using(sign), using(bound)])
    own = g.by_fact("sqrt_unique", "(L^2*sqrt(e))^2", "L^2*sqrt(e)", by=[lambda g: g.pos(["L^2", f"@{low}"]), Goal.refl])
    only(g, mono, own)
    g.pos([f"@{mono}"], eqs=[(own, -1)])


@holds(
    SKETCH,
    f"""{FACTOR_FLOW} all t:R. 0 <= t => ex Y:Z->M(m,m). {BALANCED} and {tuple_norm("W(l,t) - Y(l)")} <= L^2*sqrt(e)""",
    uses=[SKETCH, "razin2020.eq-59"],
    argument="sound",
    reading=f"{FLOW_READING}; the constant in O(L^2 sqrt(epsilon)) is 1",
)
def balanced_tuple_nearby_at_every_time(g: Goal) -> None:
    """Equation (59) for each factor, added up."""
    names = g.fix("m", "L", "W", "P", "Q", "G", "e")
    given = [g.assume() for _ in range(6)]
    depth, nonneg = given[0], given[4]
    g.fix("t")
    now = g.assume()
    k = g.apply(g.lemma("razin2020.eq-59", "statement", *names, by=[using(h) for h in given]), "t", by=[using(now)])
    balanced, near = g.obtain(k, "Y")
    g.witness("Y")
    gap = "W({0},t) - Y({0})"

    def each(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        low = square(g, "m", "m", gap.format(i))[1]
        g.conj(using(low), lambda g: g.close_by(g.apply(near, i, by=[using(inside)])))

    def own(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        g.close_by(square(g, "m", "m", gap.format(i))[0])

    def total(g: Goal) -> None:
        one = g.have("1 <= L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
        norm, squared = fro(gap.format("l")), f"tr(T({gap.format('l')}) @ ({gap.format('l')}))"
        bound = g.lemma(SKETCH, "part:sum", "L", "e", f"lam l:Z. {norm}", by=[using(one), using(nonneg), each])
        same = g.by_fact("sum_ext", 1, "L", f"lam l:Z. {norm}^2", f"lam l:Z. {squared}", by=[own])
        g.close_by(g.rewritten(bound, same))

    g.conj(using(balanced), total)


@holds(
    "razin2020.thm-3-step-log-depth-2",
    """all c r s:R, L:Z. L = 2 => 0 < c => c <= 1 => 33 <= r => 0 < s => s <= c/2 =>
       log(2^7*L^6*r^(7*L-3)/(c^4*s^2))*(1/(2^4*L*r^L)) <= log(exp(1)/(c*s))""",
    argument="sound",
    reading="c = 1 - sqrt(l_init), r = R + 1, s = sigma_init",
)
def logarithm_for_depth_two(g: Goal) -> None:
    """13 log 2 + 11 log r - 4 log c - 2 log s <= 32 r^2 (1 - log c - log s)."""
    depth, c, one, radius, s, small = g.intro()
    pr = g.have("0 < r", lambda g: (only(g, radius), g.pos([f"@{radius}"], [33]))[-1])
    g.rewrite(depth)
    a = g.by_fact("log_concave", "r", by=[using(pr)])
    b = g.by_fact("log_concave", "c", by=[using(c)])
    d = g.by_fact("log_concave", "s", by=[using(s)])
    two = g.by_fact("log_concave", 2)
    only(g, c, one, radius, s, small, pr, a, b, d, two)
    left = g.have(
        "log(2^7*2^6*r^11/(c^4*s^2)) = 13*log(2) + 11*log(r) - 4*log(c) - 2*log(s)", lambda g: (only(g, c, s, pr), g.field())[-1]
    )
    right = g.have("log(exp(1)/(c*s)) = 1 - log(c) - log(s)", lambda g: (only(g, c, s), g.field())[-1])
    lc = g.have("0 <= -log(c)", lambda g: (only(g, b, one), g.pos([f"@{b}"], [f"@{one}"]))[-1])
    ls = g.have(
        "0 <= -log(s)", lambda g: (only(g, d, small, one), g.pos([f"@{d}"], [f"@{small}"], [f"@{one}", "1/2"], ["1/2"]))[-1]
    )
    only(g, left, right, lc, ls, a, two, radius, pr)
    g.replace("log(2^7*2^6*r^(7*2-3)/(c^4*s^2))", "log(2^7*2^6*r^11/(c^4*s^2))", lambda g: g.ctx(lambda g: g.field()))
    g.rewrite(left)
    g.rewrite(right)
    big = g.have(
        "0 <= 32*r^2 - 11*r - 13",
        lambda g: (only(g, radius), g.pos([32, f"@{radius}", f"@{radius}"], [f"@{radius}", 2101], [34472]))[-1],
    )
    size = g.have(
        "4 <= 32*r^2", lambda g: (only(g, radius), g.pos([32, f"@{radius}", f"@{radius}"], [f"@{radius}", 2112], [34844]))[-1]
    )
    only(g, lc, ls, a, two, pr, big, size)
    g.pos(
        [f"@{big}"],
        [11, f"@{a}"],
        [11],
        [13, f"@{two}"],
        [f"@{size}", f"@{lc}"],
        [f"@{size}", f"@{ls}"],
        [2, f"@{ls}"],
        mul=["32*r^2"],
    )


KAPPA = "(2^7*L^6*r^(7*L-3)/c^4*sqrt(e))"


@holds(
    "razin2020.thm-3-step-t-depth-2",
    f"""all f:R~>R, c r e s z u:R, L:Z. L = 2 => 0 < c => c <= 1 => 33 <= r => 0 < e => 0 <= z => z < u => 0 < s => s^2 <= f(z) =>
       (all t:R. z <= t and t < u => 0 < f(t)) => f(u) = 0 =>
       (all t:R. z <= t and t <= u => abs(f'(t)) <= 2^11*L^7*r^(8*L-3)/c^4*sqrt(e) + 2^4*L*r^L*f(t)) =>
       ({KAPPA} + s^2)*exp(-(2^4*L*r^L)*(u - z)) - {KAPPA} <= f(u) and
       1/(2^4*L*r^L)*(1/2*log(1/e) - log(2^7*L^6*r^(7*L-3)/(c^4*s^2))) <= u""",
    uses=["razin2020.lemma-16-gamma-1"],
    argument="sound",
    reading="f(t) = s2(W_{L:1}(t))^2, z = t_0, u = T, s = sigma_init, c = 1 - sqrt(l_init), r = R + 1, e = epsilon; f is smooth where det > 0; of sigma_init only sigma_init <= s2(W(t_0)) is used "
    "(thm-3-step-t0)",
    context=(
        "the bound of the derivative (thm-3-step-combined-rate), and sigma_init <= s2(W(t_0)) > 0 "
        "[thm-3-step-combined-rate]"
    ),
)
def time_for_depth_two(g: Goal) -> None:
    """Lemma 16 with a/b = kappa; (kappa + s^2) exp(-b (T - t_0)) <= kappa, so b T >= log(s^2/kappa)."""
    depth, c, _one, radius, e, start, order, s, initial, positive, zero, rate = g.intro()
    g.rewrite(depth)
    rate = g.rewritten(rate, depth)
    q = g.have("0 < sqrt(e)", lambda g: (only(g, e), g.auto())[-1])
    pr = g.have("0 < r", lambda g: (only(g, radius), g.pos([f"@{radius}"], [33]))[-1])
    a, b = "(2^18*r^13/c^4*sqrt(e))", "(2^5*r^2)"

    def decay(g: Goal) -> None:
        (t,) = g.fix()
        low, high = g.split(g.assume())

        def inside(g: Goal) -> None:
            g.conj(lambda g: (only(g, low), g.pos([f"@{low}"]))[-1], lambda g: (only(g, high), g.pos([f"@{high}"]))[-1])

        k = g.apply(rate, f"{t} + (z - 1)", by=[inside])
        move = g.differentiate("w", "f(w + (z - 1))", t)
        g.rewrite(move)
        only(g, k, c, pr, q)
        g.pos([f"@{k}"])

    def alive(g: Goal) -> None:
        (t,) = g.fix()
        low, high = g.split(g.assume())
        k = g.apply(
            positive,
            f"{t} + (z - 1)",
            by=[
                lambda g: g.conj(
                    lambda g: (only(g, low), g.pos([f"@{low}"]))[-1], lambda g: (only(g, high), g.pos([f"@{high}"]))[-1]
                )
            ],
        )
        g.close_by(k)

    k = g.lemma(
        "razin2020.lemma-16-gamma-1",
        "statement",
        "lam w:R. f(w + (z - 1))",
        1,
        "u - z + 1",
        a,
        b,
        by=[
            None,
            lambda g: (only(g, order), g.pos([f"@{order}"]))[-1],
            lambda g: (only(g, c, pr, q), g.auto())[-1],
            lambda g: (only(g, pr), g.auto())[-1],
            alive,
            decay,
        ],
    )
    kappa = "(2^13*r^11/c^4*sqrt(e))"
    whole = "exp(-(2^5*r^2*(u - z)))"

    def first(g: Goal) -> str:
        def prove(g: Goal) -> None:
            only(g, k, initial, c, pr, q, s)
            g.pos([f"@{k}"], [f"@{initial}", whole])

        return g.have(f"({kappa} + s^2)*{whole} - {kappa} <= f(u)", prove)

    main = first(g)

    def time(g: Goal) -> None:
        only(g, main, zero, c, pr, q, s, start, e)
        pk = g.have(f"0 < {kappa}", lambda g: (only(g, c, pr, q), g.auto())[-1])
        bound = g.have(
            f"s^2*{whole} <= {kappa}",
            lambda g: (only(g, main, zero, pk), g.pos([f"@{main}"], [kappa, whole], eqs=[(zero, -1)]))[-1],
        )
        mono = g.by_fact("log_mono", f"s^2*{whole}", kappa, by=[lambda g: (only(g, s), g.auto())[-1], using(bound)])
        left = g.have(f"log(s^2*{whole}) = 2*log(s) - 2^5*r^2*(u - z)", lambda g: (only(g, s), g.field())[-1])
        root = g.by_fact("sqrt_sq", "e", by=[lambda g: (only(g, e), g.pos([f"@{e}"]))[-1]])
        right = g.have(
            f"log({kappa}) = 13*log(2) + 11*log(r) - 4*log(c) + 1/2*log(e)", lambda g: (only(g, c, pr, e), g.field())[-1]
        )
        target = g.have(
            "log(2^7*2^6*r^11/(c^4*s^2)) = 13*log(2) + 11*log(r) - 4*log(c) - 2*log(s)",
            lambda g: (only(g, c, s, pr), g.field())[-1],
        )
        inverse = g.have("log(1/e) = -log(e)", lambda g: (only(g, e), g.field())[-1])
        only(g, mono, left, right, target, inverse, start, pr)
        g.replace("log(2^7*2^6*r^(7*2-3)/(c^4*s^2))", "log(2^7*2^6*r^11/(c^4*s^2))", lambda g: g.ctx(lambda g: g.field()))
        g.rewrite(target)
        g.rewrite(inverse)
        mono = g.rewritten(g.rewritten(mono, left), right)
        only(g, mono, start, pr)
        g.pos([f"@{mono}"], [f"@{start}", "2^5*r^2"], mul=["2^5*r^2"])
        del root

    g.conj(lambda g: (only(g, main), g.pos([f"@{main}"]))[-1], time)
