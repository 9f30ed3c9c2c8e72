"""What Proposition 4, Corollary 1 and Theorem 2 say together: scaled identities, other locations, the figures' conditions."""

from __future__ import annotations

from proofs.razin2020.corollary_1 import same_bounds, total_of_a_nonzero_matrix
from proofs.razin2020.distance_from_rank_one import distance_value
from proofs.razin2020.perturbed_ranks import at_least_one
from proofs.razin2020.problem import QUASI_NORM, distance, erank, infimal_rank, infimum, loss, solution
from proofs.razin2020.quasi_norms import E11, LARGEST, unit_is_positive
from proofs.razin2020.scaled_identity import PROP_4, SETTING
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds

X = solution("x")


@holds(
    "razin2020.assertion-prop-4-combined",
    f"""{PROP_4} det(X(0)) = al^2 and 0 < det(X(0)) and
       (all N:M(2,2)->R, c:R. 1 <= c and {QUASI_NORM} => tendsoo(t, N(X(t)))) and
       (all m:R. {infimum("m", erank(X))} => tends(t, {erank("X(t)")}, m)) and
       (all r:Z, D:R->R. {infimal_rank("r")} => (all t:R. 0 <= t => {distance("D(t)", "X(t)", "r")}) => tends(t, D(t), 0))""",
    uses=[
        "razin2020.prop-4",
        "razin2020.lemma-21",
        "razin2020.theorem-1-eq-8",
        "razin2020.theorem-1-eq-9",
        "razin2020.corollary-1-norms",
        "razin2020.corollary-1-rank",
        "razin2020.lemma-18",
        "razin2020.lemma-19-eq-32-sigma2",
        "razin2020.thm-1-step-erank-final",
        "razin2020.prop-2-infimal-rank",
        "razin2020.prop-2-step-distance",
        "razin2020.def-1",
    ],
    argument="sound",
    reading=SETTING,
)
def norms_grow_and_rank_falls_from_a_scaled_identity(g: Goal) -> None:
    """The product matrix stays positive definite and the loss tends to 0; the bounds of Theorem 1 at each time."""
    g.fix()
    hyps = [g.assume() for _ in range(7)]
    start, positive = hyps[4], hyps[5]
    args = ["n", "A", "B", "X", "al"]
    limit = g.lemma("razin2020.prop-4", "statement", *args, by=[using(h) for h in hyps])
    k = g.lemma("razin2020.lemma-21", "part:scalars", *args, by=[using(h) for h in hyps])
    *_, entries, off, definite = g.split(g.obtain(k, "p", "q", "r", split=False)[0])

    def determinant(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        e = g.split(g.apply(entries, "t"))
        o, d = g.apply(off, "t", by=[using(h)]), g.apply(definite, "t", by=[using(h)])
        only(g, *e, o, d)
        value = g.have("det(X(t)) = p(t)*r(t) - q(t)^2", lambda g: g.field(rw=[*e, o]))
        g.pos([f"@{d}"], eqs=[(value, 1)])

    det = g.have("all t:R. 0 <= t => 0 < det(X(t))", determinant)
    initial = g.have("det(X(0)) = al^2", lambda g: (g.rewrite(start), g.field())[-1])
    only(g, det, initial, limit, positive)
    value = f"({loss('X(t)')})"

    def at(g: Goal) -> tuple[str, str]:
        g.fix("t")
        h = g.assume()
        d = g.apply(det, "t", by=[using(h)])
        return d, g.lemma("razin2020.lemma-18", "part:positive-loss", "X(t)", value, by=[Goal.refl, using(d)])

    def norms(g: Goal) -> None:
        g.fix("N", "c")
        quasi = g.assume()
        one, nonneg, zero, *_ = g.split(quasi)
        a = f"(N({E11})/(sqrt(2)*c))"
        b = f"max(sqrt(2)*{a}, 8*c^2*{LARGEST})"

        def bounds(g: Goal) -> None:
            d, p = at(g)
            scripts = [using(quasi), Goal.refl, Goal.refl, Goal.refl, using(d)]
            g.conj(
                using(p),
                lambda g: g.close_by(
                    g.lemma("razin2020.theorem-1-eq-8", "part:static", "N", "c", a, b, "X(t)", value, by=scripts)
                ),
            )

        h = g.have(f"all t:R. 0 <= t => 0 < {value} and {a}/sqrt({value}) - {b} <= N(X(t))", bounds)
        only(g, h, limit, one, nonneg, zero)
        g.have(f"0 < N({E11})", lambda g: unit_is_positive(g, nonneg, zero))
        g.have("0 < c", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
        g.have("0 < sqrt(2)")
        g.close_by(
            g.lemma(
                "razin2020.corollary-1-norms",
                "part:blow-up",
                a,
                b,
                f"lam t:R. {value}",
                "lam t:R. N(X(t))",
                by=[None, using(h), using(limit)],
            )
        )

    def effective(g: Goal) -> None:
        g.fix("m")
        inf = g.assume()
        one = g.apply(g.split(g.apply(g.split(g.lemma("razin2020.thm-1-step-erank-final"))[1], "m"))[0], by=[using(inf)])
        a = "(2*sqrt(12)/log(2))"

        def between(g: Goal) -> None:
            d, p = at(g)
            top = g.lemma("razin2020.theorem-1-eq-9", "part:static", "X(t)", value, by=[Goal.refl, using(d)])
            from_det = total_positive(g, d)
            low = at_least_one(g, "X(t)", from_det)
            only(g, p, top, low, one)
            g.conj(
                lambda g: g.pos([f"@{p}"]),
                lambda g: g.pos([f"@{low}"], eqs=[(one, -1)]),
                lambda g: g.pos([f"@{top}"], eqs=[(one, 1)]),
            )

        h = g.have(
            f"all t:R. 0 <= t => 0 <= {value} and m <= {erank('X(t)')} and {erank('X(t)')} <= m + {a}*sqrt({value})", between
        )
        only(g, h, limit)
        constant = g.have(f"0 <= {a}", lambda g: (only(g), g.ball())[-1])
        g.close_by(
            g.lemma(
                "razin2020.corollary-1-rank",
                "part:squeeze",
                a,
                "m",
                f"lam t:R. {value}",
                f"lam t:R. {erank('X(t)')}",
                by=[using(constant), using(h), using(limit)],
            )
        )

    def far(g: Goal) -> None:
        g.fix("w", "D")
        rank, dist = g.assume(), g.assume()
        one = g.apply(g.split(g.lemma("razin2020.prop-2-infimal-rank", "statement", "w"))[0], by=[using(rank)])

        def between(g: Goal) -> None:
            d, p = at(g)
            k = g.rewritten(g.apply(dist, "t"), one)
            v = distance_value(g, k, "D(t)", "X(t)")
            second = g.lemma("razin2020.lemma-19-eq-32-sigma2", "statement", "X(t)", value, by=[Goal.refl, using(d)])
            low = g.split(g.apply(g.fact("sv_range", 2, 2, "X(t)"), 2, 2))[0]
            p2 = g.have(f"sqrt(2*{value}) = sqrt(2)*sqrt({value})", lambda g: (only(g, p), root_of_double(g, value, p))[-1])
            only(g, p, v, second, low, p2)
            g.conj(
                lambda g: g.pos([f"@{p}"]),
                lambda g: g.pos([f"@{low}"], eqs=[(v, 1)]),
                lambda g: g.pos([f"@{second}"], eqs=[(v, -1), (p2, -3)]),
            )

        h = g.have(f"all t:R. 0 <= t => 0 <= {value} and 0 <= D(t) and D(t) <= 0 + (3*sqrt(2))*sqrt({value})", between)
        only(g, h, limit)
        constant = g.have("0 <= 3*sqrt(2)")
        g.close_by(
            g.lemma(
                "razin2020.corollary-1-rank",
                "part:squeeze",
                "3*sqrt(2)",
                0,
                f"lam t:R. {value}",
                "lam t:R. D(t)",
                by=[using(constant), lambda g: same_bounds(g, h), using(limit)],
            )
        )

    g.conj(using(initial), lambda g: (only(g, initial, positive), g.pos(["al^2"], eqs=[(initial, 1)]))[-1], norms, effective, far)


def root_of_double(g: Goal, value: str, p: str) -> None:
    """sqrt(2 l) = sqrt(2) sqrt(l)."""
    (x,) = g.obtain(g.have(f"ex x:R. x = {value}", lambda g: (g.witness(value), g.refl())[-1]), "x")
    px = g.have("0 < x", lambda g: (g.rewrite(x), g.close_by(p))[-1])
    k = g.have("sqrt(2*x) = sqrt(2)*sqrt(x)", lambda g: (only(g, px), g.field())[-1])
    k = g.rewritten(k, x)
    g.close_by(k)


def total_positive(g: Goal, det: str) -> str:
    """0 < sv_1 + sv_2 from a positive determinant."""
    return total_of_a_nonzero_matrix(g, det)
