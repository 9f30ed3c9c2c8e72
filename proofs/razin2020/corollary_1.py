"""Corollary 1 and its companion for the perturbed observations: what follows when the loss tends to zero."""

from __future__ import annotations

from proofs.razin2020.distance_from_rank_one import distance_value
from proofs.razin2020.factorisation import PADDING, THEOREM_1
from proofs.razin2020.perturbed_ranks import at_least_one
from proofs.razin2020.problem import QUASI_NORM, distance, erank, infimal_rank, infimum, loss, solution
from proofs.razin2020.quasi_norms import E11, LARGEST, unit_is_positive
from proofs.razin2020.scripts import only, using
from proofs.razin2020.theorem_1 import positive_determinant
from verify.kernel import Goal
from verify.registry import holds, part

VANISHES = "(all t:R. 0 <= t => l(t) = {0}) => tends(t, l(t), 0) =>"
READING = f"l is the loss along the flow; {PADDING}"


@part(
    "razin2020.corollary-1-norms",
    "blow-up",
    """all a b:R, l f:R->R. 0 < a => (all t:R. 0 <= t => 0 < l(t) and a/sqrt(l(t)) - b <= f(t)) => tends(t, l(t), 0) =>
       tendsoo(t, f(t))""",
    says="what is at least a/sqrt(l) - b tends to infinity as l tends to 0",
)
def bound_tends_to_infinity(g: Goal) -> None:
    """f > r once l < (a/(|r| + |b| + 1))^2."""
    positive, bound, limit = g.intro()
    forth = g.split(g.fact("tendsoo_definition", "lam t:R. f(t)"))[1]

    def large(g: Goal) -> None:
        g.fix("r")
        s = "(a/(abs(r) + abs(b) + 1))"
        (k,) = g.obtain(g.by_fact("tends_eventually_lt", 0, f"{s}^2", "lam t:R. l(t)", by=[using(limit), None]), "u")
        g.witness("max(u, 0)")
        g.fix("t")
        late = g.assume()

        def later(g: Goal) -> None:
            only(g, late)

            def case(g: Goal) -> None:
                g.split(next(reversed(g.seq.hyps)))
                g.conj(*[lambda g: g.nlin(products=1)] * 2)

            g.cases(g.fact("max_cases", "u", 0), case, case)

        a, b = g.split(g.have("u <= t and 0 <= t", later))
        small = g.apply(k, "t", by=[using(a)])
        sign, low = g.split(g.apply(bound, "t", by=[using(b)]))
        only(g, positive, small, sign, low)
        root = g.by_fact("sqrt_sq", "l(t)")
        g.have("0 < sqrt(l(t))")

        def below(g: Goal) -> None:
            w = g.contra()
            only(g, w, positive, small, root)
            g.pos([f"@{w}", f"sqrt(l(t)) + {s}"], [f"@{small}"], eqs=[(root, -1)])

        less = g.have(f"sqrt(l(t)) < {s}", below)
        only(g, positive, less, sign, low)
        g.have("0 < sqrt(l(t))")
        x = g.split(g.apply(g.split(g.fact("abs_le", "r", "abs(r)"))[0], by=[Goal.refl]))[1]
        y = g.split(g.apply(g.split(g.fact("abs_le", "b", "abs(b)"))[0], by=[Goal.refl]))[1]
        only(g, positive, less, sign, low, x, y)
        g.have("0 < sqrt(l(t))")
        d = "(abs(r) + abs(b) + 1)"
        big = g.have(f"{d} < a/sqrt(l(t))", lambda g: g.pos([f"@{less}", d], mul=["sqrt(l(t))"]))
        only(g, big, low, x, y)
        g.pos([f"@{big}"], [f"@{low}"], [f"@{x}"], [f"@{y}"], [1])

    g.close_by(g.apply(forth, by=[large]))


def loss_value(g: Goal, values: str, t: str) -> str:
    """The value of the loss at the time t."""
    return g.apply(values, t)


@holds(
    "razin2020.corollary-1-norms",
    f"""{THEOREM_1} all N:M(2,2)->R, c:R, l:R->R. 1 <= c and {QUASI_NORM} => {VANISHES.format(loss("X(t)"))}
       tendsoo(t, N(X(t)))""",
    uses=["razin2020.theorem-1-eq-8", "razin2020.lemma-6", "razin2020.lemma-18", "razin2020.corollary-1-norms"],
    argument="sound",
    reading=READING,
)
def norms_tend_to_infinity_with_vanishing_loss(g: Goal) -> None:
    """The bound (8) tends to infinity; the loss is positive, as the determinant is."""
    hyps = g.intro(split=False)
    quasi, values, limit = hyps[-3:]
    flow = hyps[:-3]
    det = positive_determinant(g, flow)
    one, nonneg, zero, *_ = g.split(quasi)
    a = f"(N({E11})/(sqrt(2)*c))"
    b = f"max(sqrt(2)*{a}, 8*c^2*{LARGEST})"

    def bounds(g: Goal) -> None:
        g.fix("t")
        g.assume()
        d, v = g.apply(det, "t"), g.apply(values, "t")
        scripts = [using(quasi), Goal.refl, Goal.refl, using(v), using(d)]
        k = g.lemma("razin2020.theorem-1-eq-8", "part:static", "N", "c", a, b, "X(t)", "l(t)", by=scripts)
        p = g.lemma("razin2020.lemma-18", "part:positive-loss", "X(t)", "l(t)", by=[using(v), using(d)])
        g.conj(using(p), using(k))

    h = g.have(f"all t:R. 0 <= t => 0 < l(t) and {a}/sqrt(l(t)) - {b} <= N(X(t))", bounds)
    only(g, h, limit, one, nonneg, zero)
    g.have(f"0 < N({E11})", lambda g: unit_is_positive(g, nonneg, zero))
    g.have("0 < c", lambda g: g.pos([f"@{one}"], [1]))
    g.have("0 < sqrt(2)")
    g.close_by(
        g.lemma(
            "razin2020.corollary-1-norms",
            "part:blow-up",
            a,
            b,
            "lam t:R. l(t)",
            "lam t:R. N(X(t))",
            by=[None, using(h), using(limit)],
        )
    )


@part(
    "razin2020.corollary-1-rank",
    "squeeze",
    """all a b:R, l f:R->R. 0 <= a => (all t:R. 0 <= t => 0 <= l(t) and b <= f(t) and f(t) <= b + a*sqrt(l(t))) =>
       tends(t, l(t), 0) => tends(t, f(t), b)""",
    says="what lies between b and b + a sqrt(l) tends to b as l tends to 0",
)
def squeezed_to_the_limit(g: Goal) -> None:
    """a sqrt(l) < e once l < (e/(a + 1))^2."""
    sign, bound, limit = g.intro()
    forth = g.split(g.fact("tends_epsilon", "b", "lam t:R. f(t)"))[1]

    def near(g: Goal) -> None:
        g.fix("e")
        e = g.assume()
        s = "(e/(a + 1))"
        (k,) = g.obtain(g.by_fact("tends_eventually_lt", 0, f"{s}^2", "lam t:R. l(t)", by=[using(limit), None]), "u")
        g.witness("max(u, 0)")
        g.fix("t")
        late = g.assume()

        def later(g: Goal) -> None:
            only(g, late)

            def case(g: Goal) -> None:
                g.split(next(reversed(g.seq.hyps)))
                g.conj(*[lambda g: g.nlin(products=1)] * 2)

            g.cases(g.fact("max_cases", "u", 0), case, case)

        x, y = g.split(g.have("u <= t and 0 <= t", later))
        small = g.apply(k, "t", by=[using(x)])
        nonneg, low, high = g.split(g.apply(bound, "t", by=[using(y)]))
        only(g, sign, e, small, nonneg, low, high)
        root, r = g.by_fact("sqrt_sq", "l(t)"), g.by_fact("sqrt_nonneg", "l(t)")

        def below(g: Goal) -> None:
            w = g.contra()
            only(g, w, sign, e, small, root, r)
            g.pos([f"@{w}", f"sqrt(l(t)) + {s}"], [f"@{small}"], eqs=[(root, -1)])

        less = g.have(f"sqrt(l(t)) < {s}", below)
        top = g.have("f(t) - b < e", lambda g: g.pos([f"@{high}"], [f"@{less}", "a"], [s]))
        only(g, e, low, top)
        g.have("0 <= f(t) - b", lambda g: g.pos([f"@{low}"]))
        size = g.have("abs(f(t) - b) = f(t) - b", lambda g: g.field())
        g.pos([f"@{top}"], eqs=[(size, -1)])

    g.close_by(g.apply(forth, by=[near]))


X = solution("x")


@holds(
    "razin2020.corollary-1-rank",
    f"""{THEOREM_1} all l:R->R. {VANISHES.format(loss("X(t)"))}
       (all m:R. {infimum("m", erank(X))} => tends(t, {erank("X(t)")}, m)) and
       (all r:Z, D:R->R. {infimal_rank("r")} => (all t:R. 0 <= t => {distance("D(t)", "X(t)", "r")}) => tends(t, D(t), 0))""",
    uses=[
        "razin2020.theorem-1-eq-9",
        "razin2020.theorem-1-eq-10",
        "razin2020.lemma-6",
        "razin2020.lemma-18",
        "razin2020.lemma-19-eq-32-sigma2",
        "razin2020.thm-1-step-erank-final",
        "razin2020.prop-2-infimal-rank",
        "razin2020.prop-2-step-distance",
        "razin2020.def-1",
        "razin2020.corollary-1-rank",
    ],
    argument="sound",
    reading=f"m is the infimum of the effective rank over S, D(t) the distance of the product matrix from the infimal rank r of S; {READING}",
)
def rank_measures_tend_to_their_infima(g: Goal) -> None:
    """The effective rank lies between 1 and the bound (9), the distance between 0 and the bound (10)."""
    hyps = g.intro(split=False)
    values, limit = hyps[-2:]
    det = positive_determinant(g, hyps[:-2])
    only(g, values, limit, det)

    def at(g: Goal) -> tuple[str, str, str]:
        g.fix("t")
        g.assume()
        d, v = g.apply(det, "t"), g.apply(values, "t")
        return d, v, g.lemma("razin2020.lemma-18", "part:positive-loss", "X(t)", "l(t)", by=[using(v), using(d)])

    def effective(g: Goal) -> None:
        g.fix("m")
        inf = g.assume()
        one = g.apply(g.split(g.apply(g.split(g.lemma("razin2020.thm-1-step-erank-final"))[1], "m"))[0], by=[using(inf)])
        a = "(2*sqrt(12)/log(2))"

        def between(g: Goal) -> None:
            d, v, p = at(g)
            top = g.lemma("razin2020.theorem-1-eq-9", "part:static", "X(t)", "l(t)", by=[using(v), using(d)])
            low = at_least_one(g, "X(t)", total_of_a_nonzero_matrix(g, d))
            only(g, p, top, low, one)
            g.conj(
                lambda g: g.pos([f"@{p}"]),
                lambda g: g.pos([f"@{low}"], eqs=[(one, -1)]),
                lambda g: g.pos([f"@{top}"], eqs=[(one, 1)]),
            )

        h = g.have(f"all t:R. 0 <= t => 0 <= l(t) and m <= {erank('X(t)')} and {erank('X(t)')} <= m + {a}*sqrt(l(t))", between)
        only(g, h, limit)
        constant = g.have(f"0 <= {a}", constant_is_nonneg)
        g.close_by(
            g.lemma(
                "razin2020.corollary-1-rank",
                "part:squeeze",
                a,
                "m",
                "lam t:R. l(t)",
                f"lam t:R. {erank('X(t)')}",
                by=[using(constant), using(h), using(limit)],
            )
        )

    def far(g: Goal) -> None:
        g.fix("r", "D")
        rank, dist = g.assume(), g.assume()
        one = g.apply(g.split(g.lemma("razin2020.prop-2-infimal-rank", "statement", "r"))[0], by=[using(rank)])

        def between(g: Goal) -> None:
            d, v, p = at(g)
            k = g.apply(dist, "t")
            k = g.rewritten(k, one)
            value = distance_value(g, k, "D(t)", "X(t)")
            second = g.lemma("razin2020.lemma-19-eq-32-sigma2", "statement", "X(t)", "l(t)", by=[using(v), using(d)])
            low = g.split(g.apply(g.fact("sv_range", 2, 2, "X(t)"), 2, 2))[0]
            only(g, p, value, second, low)
            g.conj(
                lambda g: g.pos([f"@{p}"]),
                lambda g: g.pos([f"@{low}"], eqs=[(value, 1)]),
                lambda g: g.pos([f"@{second}"], eqs=[(value, -1)]),
            )

        h = g.have("all t:R. 0 <= t => 0 <= l(t) and 0 <= D(t) and D(t) <= 0 + (3*sqrt(2))*sqrt(l(t))", between)
        only(g, h, limit)
        constant = g.have("0 <= 3*sqrt(2)")
        g.close_by(
            g.lemma(
                "razin2020.corollary-1-rank",
                "part:squeeze",
                "3*sqrt(2)",
                0,
                "lam t:R. l(t)",
                "lam t:R. D(t)",
                by=[using(constant), lambda g: same_bounds(g, h), using(limit)],
            )
        )

    g.conj(effective, far)


def same_bounds(g: Goal, h: str) -> None:
    """The same bounds, bracketed in another way."""
    g.fix("t")
    g.assume()
    names = g.split(g.apply(h, "t"))
    only(g, *names)
    g.conj(*[lambda g, k=k: g.pos([f"@{k}"]) for k in names])


def constant_is_nonneg(g: Goal) -> None:
    """0 <= 2 sqrt(12)/log(2)."""
    only(g)
    g.ball()


def total_of_a_nonzero_matrix(g: Goal, det: str) -> str:
    """0 < sv_1 + sv_2 for X(t) with a positive determinant."""
    total = "sv(X(t),1) + sv(X(t),2)"

    def prove(g: Goal) -> None:
        product = g.split(g.fact("sv_2x2", "X(t)"))[0]
        order = g.fact("sv_range", 2, 2, "X(t)")
        a, b = (g.split(g.apply(order, i, i))[0] for i in (1, 2))
        k = g.contra()
        only(g, det, product, a, b, k)
        one = g.have("sv(X(t),1) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{k}"], [f"@{b}"]), using(a)))
        size = g.have("abs(det(X(t))) = det(X(t))", lambda g: g.field())
        g.pos([f"@{det}"], eqs=[(size, 1), (product, 1), (one, "-sv(X(t),2)")])

    return g.have(f"0 < {total}", prove)
