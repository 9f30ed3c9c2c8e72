"""Theorem 1: lower bounds of norms and upper bounds of rank surrogates along the flow, from the loss."""

from __future__ import annotations

from proofs.razin2020.distance_from_rank_one import distance_value, put
from proofs.razin2020.entropy import positive_log_two, second_share
from proofs.razin2020.factorisation import PADDING, THEOREM_1
from proofs.razin2020.loss_bounds import positive_root
from proofs.razin2020.problem import (
    POSITIVE_DET,
    QUASI_NORM,
    SETTING,
    distance,
    erank,
    infimal_rank,
    infimum,
    loss,
    rho,
    solution,
)
from proofs.razin2020.quasi_norms import E11, LARGEST, at_most_max, vacuous
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

LOSS_T = loss("X(t)")
X = solution("x")
BOUND_9 = "2*sqrt(12)/log(2)*sqrt(l)"


@holds(
    "razin2020.eq-31",
    f"""{THEOREM_1} all t:R. 0 <= t =>
       det(X(t)) = X(t)[1,1]*X(t)[2,2] - X(t)[1,2]*X(t)[2,1] and 0 < X(t)[1,1]*X(t)[2,2] - X(t)[1,2]*X(t)[2,1]""",
    uses=["razin2020.lemma-6"],
    argument="sound",
    reading=PADDING,
)
def determinant_stays_positive(g: Goal) -> None:
    """Lemma 6 for 2 x 2 matrices."""
    hyps = g.intro()
    k = positive_determinant(g, hyps)
    k = g.apply(k, "t")
    g.conj(lambda g: g.field(), lambda g: g.pos([f"@{k}"]))


def positive_determinant(g: Goal, hyps: list[str]) -> str:
    """all t >= 0: 0 < det(X(t)), in the setting of Theorem 1."""
    return g.apply(determinant_signs(g, hyps)[1])


def determinant_signs(g: Goal, hyps: list[str]) -> list[str]:
    """Lemma 6 for a 2 x 2 product, in the setting of Theorem 1 or 2: det(X(t)) stays zero, positive, or negative."""
    flow = hyps[1:10]

    def premise(h: str) -> Script:
        def script(g: Goal) -> None:
            if h not in (flow[3], flow[4]):
                g.close_by(h)
                return
            names = g.fix(*(["u"] if h == flow[3] else ["j", "u"]))
            g.intro()
            k = g.apply(h, *names)
            if h == flow[4]:
                g.nc((k, 1, None, None))
                return
            a, b = g.split(k)
            g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

        return script

    return g.split(g.lemma("razin2020.lemma-6", "statement", 2, "n", "L", *"ABWPQGXC", by=[premise(h) for h in flow]))


@part(
    "razin2020.theorem-1-eq-8",
    "static",
    f"""all N:M(2,2)->R, c a b:R, W:M(2,2), l:R. 1 <= c and {QUASI_NORM} => a = N({E11})/(sqrt(2)*c) =>
          b = max(sqrt(2)*a, 8*c^2*{LARGEST}) =>
       l = {loss("W")} => 0 < det(W) => a/sqrt(l) - b <= N(W)""",
    says="the bound for a matrix with positive determinant",
    uses=["razin2020.thm-1-step-norm-combine"],
)
def norm_bound_for_positive_determinant(g: Goal) -> None:
    """For l < 1/2 the steps of the proof; else the left side is not positive."""
    one, nonneg, _, _, _, a, b, value, det = hyps = g.intro()
    positive_root(g, value, det)
    sign = g.apply(nonneg, E11)
    own = g.apply(nonneg, "W")
    g.have("0 < sqrt(l)")
    g.have("0 < sqrt(2)")
    g.have("0 < c", lambda g: g.pos([f"@{one}"], [1]))
    first, second = at_most_max(g, "sqrt(2)*a", f"8*c^2*{LARGEST}")
    first = g.have("sqrt(2)*a <= b", lambda g: g.pos([f"@{first}"], eqs=[(b, 1)]))
    second = g.have(f"8*c^2*{LARGEST} <= b", lambda g: g.pos([f"@{second}"], eqs=[(b, 1)]))
    positive = g.have("0 <= a", lambda g: g.pos([f"@{sign}"], mul=["sqrt(2)", "c"], eqs=[(a, "sqrt(2)*c")]))

    def small(g: Goal) -> None:
        h = g.have("l < 1/2")
        quasi = [lambda g: g.conj(*[using(k) for k in hyps[:5]])]
        main = g.lemma("razin2020.thm-1-step-norm-combine", "statement", "N", "c", by=quasi)
        bound, sums = g.split(g.apply(main, "W", "l", by=[None, None, using(h)]))
        g.pos([f"@{bound}"], [f"@{sums}", 2, "c^2"], [f"@{second}"], eqs=[(a, "-1/sqrt(l)")])

    def large(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        k = g.have("a/sqrt(l) - b <= 0", lambda g: vacuous(g, positive, first, h))
        g.pos([f"@{k}"], [f"@{own}"])

    g.em("1/2 <= l", large, small)


@holds(
    "razin2020.theorem-1-eq-8",
    f"""{THEOREM_1}
       all N:M(2,2)->R, c a b:R. 1 <= c and {QUASI_NORM} => a = N({E11})/(sqrt(2)*c) => b = max(sqrt(2)*a, 8*c^2*{LARGEST}) =>
       all t l:R. 0 <= t => l = {LOSS_T} => a/sqrt(l) - b <= N(X(t))""",
    uses=["razin2020.lemma-6", "razin2020.theorem-1-eq-8"],
    argument="sound",
    reading=PADDING,
)
def norms_grow_as_the_loss_falls(g: Goal) -> None:
    """The determinant stays positive (Lemma 6), and the bound holds at every matrix with positive determinant."""
    hyps = g.intro()
    det = g.apply(positive_determinant(g, hyps), "t")
    quasi = next(i for i, h in enumerate(hyps) if g.hyp_formula(h) == g.formula("1 <= c"))
    names = hyps[quasi : quasi + 5]
    scripts = [lambda g: g.conj(*[using(k) for k in names])]
    g.close_by(
        g.lemma(
            "razin2020.theorem-1-eq-8",
            "part:static",
            "N",
            "c",
            "a",
            "b",
            "X(t)",
            "l",
            by=[*scripts, None, None, None, using(det)],
        )
    )


@holds(
    "razin2020.thm-1-step-erank-final",
    f"""({SETTING} l < 1/32 => {erank("W")} <= 1 + 2/log(2)*sqrt({rho(2, "W")}) and
          1 + 2/log(2)*sqrt({rho(2, "W")}) <= 1 + {BOUND_9}) and
       (all m:R. {infimum("m", erank(X))} <=> m = 1)""",
    uses=[
        "razin2020.lemma-18",
        "razin2020.lemma-9",
        "razin2020.eq-36",
        "razin2020.thm-1-step-exp-chord",
        "razin2020.prop-2-erank",
    ],
    argument="sound",
    context=POSITIVE_DET,
)
def effective_rank_for_small_loss(g: Goal) -> None:
    """Chord bound, Lemma 9 and (36); the infimum of the effective rank over S is its limit 1."""

    def bound(g: Goal) -> None:
        _value, det, _ = g.intro()
        loss_sign = g.lemma("razin2020.lemma-18", "part:positive-loss", "W", "l")
        chord, low, high = effective(g, det)
        nine = g.lemma("razin2020.lemma-9", "statement", rho(2, "W"), by=[using(low), using(high)])
        a, b, _ = g.split_all(g.lemma("razin2020.eq-36", "statement", "W", "l"))

        def transitive(g: Goal) -> None:
            only(g, a, b)
            g.pos([f"@{a}"], [f"@{b}"])

        below = g.have(f"{rho(2, 'W')} <= 12*l", transitive)
        root = g.by_fact("sqrt_mono", rho(2, "W"), "12*l", by=[using(low), using(below)])
        two = positive_log_two(g)

        def combined(g: Goal) -> None:
            only(g, two, chord, nine)
            g.pos([f"@{chord}", "log(2)"], [f"@{nine}"], mul=["log(2)"])

        def rooted(g: Goal) -> None:
            only(g, two, root, loss_sign)
            g.pos([f"@{root}", 2], mul=["log(2)"])

        g.conj(combined, rooted)

    g.conj(bound, infimum_is_one)


def effective(g: Goal, det: str) -> tuple[str, str, str]:
    """For det W > 0: the chord bound of the effective rank, and 0 <= rho_2 <= 1."""
    n = g.have("W != O(2,2)", lambda g: not_zero(g, det))
    chord = g.apply(g.split(g.lemma("razin2020.thm-1-step-exp-chord"))[1], "W", rho(2, "W"), by=[using(n), Goal.refl])
    bounds = g.have(f"all p:R. p = {rho(2, 'W')} => 0 <= p and p <= 1", lambda g: share_bounds(g, n))
    low, high = g.split(g.apply(bounds, rho(2, "W"), by=[Goal.refl]))
    return chord, low, high


def share_bounds(g: Goal, nonzero: str) -> None:
    """0 <= rho_2 <= 1."""
    only(g, nonzero)
    g.fix("p")
    eq = g.assume()
    low, high, _ = second_share(g, nonzero, eq)
    g.conj(using(low), using(high))


def one_part(g: Goal, i: int) -> None:
    """A conjunct of Proposition 2 on the effective rank."""
    h = g.split(g.lemma("razin2020.prop-2-erank"))[i]
    if i:
        g.close_by(h)
        return
    g.fix("x")
    g.close_by(g.split(g.apply(h, "x"))[0])


def infimum_is_one(g: Goal) -> None:
    """m is the infimum of the effective rank over S exactly if m = 1."""
    g.fix("m")
    range_ = g.have(f"all x:R. 1 < {erank(X)}", lambda g: one_part(g, 0))
    limit = g.have(f"tends(x, {erank(X)}, 1)", lambda g: one_part(g, 4))

    def below(g: Goal) -> None:
        g.fix("x")
        k = g.apply(range_, "x")
        g.pos([f"@{k}"])

    def near(g: Goal) -> None:
        h = g.intro()[0]
        k = g.by_fact(
            "tends_eventually_lt",
            1,
            "1 + e_",
            f"lam x:R. {erank(X)}",
            by=[using(limit), lambda g: g.pos([f"@{h}"])],
        )
        (a,) = g.obtain(k, "a")
        g.witness("a")
        g.close_by(g.apply(a, "a", by=[Goal.refl]))

    def forward(g: Goal) -> None:
        low, close = g.split(g.assume())

        def at_most(g: Goal) -> None:
            wrong = g.contra()
            k = g.by_fact(
                "tends_eventually_lt",
                1,
                "m",
                f"lam x:R. {erank(X)}",
                by=[using(limit), using(wrong)],
            )
            (a,) = g.obtain(k, "a")
            b = g.apply(a, "a", by=[Goal.refl])
            c = g.apply(low, "a")
            g.pos([f"@{b}"], [f"@{c}"])

        def at_least(g: Goal) -> None:
            wrong = g.contra()
            (k,) = g.obtain(g.apply(close, "1 - m", by=[lambda g: g.pos([f"@{wrong}"])]), "x")
            a = g.apply(range_, "x")
            g.pos([f"@{k}"], [f"@{a}"])

        g.antisym(at_most, at_least)

    def backward(g: Goal) -> None:
        eq = g.assume()
        low = g.have(f"all x:R. 1 <= {erank(X)}", below)
        close = g.have(f"all e_:R. 0 < e_ => ex x:R. {erank(X)} < 1 + e_", near)

        def put_low(g: Goal) -> None:
            g.fix("x")
            k = g.apply(low, "x")
            g.pos([f"@{k}"], eqs=[(eq, -1)])

        def put_near(g: Goal) -> None:
            g.fix("e_")
            h = g.assume()
            (k,) = g.obtain(g.apply(close, "e_", by=[using(h)]), "x")
            g.witness("x")
            g.pos([f"@{k}"], eqs=[(eq, 1)])

        g.conj(put_low, put_near)

    g.iff(forward, backward)


@holds(
    "razin2020.thm-1-step-erank-vacuous",
    f"""(all m l:R. {infimum("m", erank(X))} => 1/32 <= l => 2 < m + {BOUND_9}) and
       (all W:M(2,2). W != O(2,2) => {erank("W")} <= 2)""",
    uses=["razin2020.thm-1-step-erank-final", "razin2020.thm-1-step-exp-chord", "razin2020.lemma-9"],
    argument="sound",
)
def rank_bound_is_vacuous_for_large_loss(g: Goal) -> None:
    """m = 1, 2 sqrt(12) sqrt(l) >= 2 sqrt(12/32) > 1 >= log 2; the entropy is at most log 2."""

    def beyond(g: Goal) -> None:
        *inf, large = g.intro(split=False)
        one = g.apply(
            g.split(g.apply(g.split(g.lemma("razin2020.thm-1-step-erank-final"))[1], "m"))[0], by=[lambda g: g.close_by(inf[0])]
        )
        positive_log_two(g)
        upper = g.by_fact("log_concave", 2)
        g.have("0 < l", lambda g: g.pos([f"@{large}"], ["1/32"]))
        a, b = g.by_fact("sqrt_sq", "12"), g.by_fact("sqrt_sq", "l")
        g.have("0 < sqrt(12)")
        g.have("0 < sqrt(l)")

        def product(g: Goal) -> None:
            k = g.contra()
            g.pos([f"@{k}", "sqrt(12)*sqrt(l)"], [f"@{k}", "11/20"], [f"@{large}", 12], ["29/400"], eqs=[(a, "l"), (b, 12)])

        big = g.have("11/20 < sqrt(12)*sqrt(l)", product)
        g.pos([f"@{big}", 2], [f"@{upper}"], ["1/10"], mul=["log(2)"], eqs=[(one, "log(2)")])

    def at_most_two(g: Goal) -> None:
        nonzero = g.intro()[0]
        chord = g.apply(g.split(g.lemma("razin2020.thm-1-step-exp-chord"))[1], "W", rho(2, "W"), by=[using(nonzero), Goal.refl])
        bounds = g.have(f"all p:R. p = {rho(2, 'W')} => 0 <= p and p <= 1", lambda g: share_bounds(g, nonzero))
        low, high = g.split(g.apply(bounds, rho(2, "W"), by=[Goal.refl]))
        top = g.split(g.lemma("razin2020.lemma-9", "part:range", rho(2, "W"), by=[using(low), using(high)]))[1]
        two = positive_log_two(g)
        only(g, two, chord, top)
        g.pos([f"@{chord}", "log(2)"], [f"@{top}"], mul=["log(2)"])

    g.conj(beyond, at_most_two)


@part(
    "razin2020.theorem-1-eq-9",
    "static",
    f"{SETTING} {erank('W')} <= 1 + {BOUND_9}",
    says="the bound for a matrix with positive determinant",
    uses=["razin2020.thm-1-step-erank-final", "razin2020.thm-1-step-erank-vacuous"],
)
def rank_bound_for_positive_determinant(g: Goal) -> None:
    """For l < 1/32 the steps of the proof; else the right side exceeds 2."""
    _value, det = g.intro()

    def small(g: Goal) -> None:
        h = g.have("l < 1/32")
        a, b = g.split(g.apply(g.split(g.lemma("razin2020.thm-1-step-erank-final"))[0], "W", "l", by=[None, None, using(h)]))
        g.pos([f"@{a}"], [f"@{b}"])

    def large(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        first, second = g.split(g.lemma("razin2020.thm-1-step-erank-vacuous"))
        n = g.have("W != O(2,2)", lambda g: not_zero(g, det))
        top = g.apply(second, "W", by=[using(n)])
        one = g.have("1 = 1", lambda g: g.refl())
        inf = g.apply(g.split(g.apply(g.split(g.lemma("razin2020.thm-1-step-erank-final"))[1], 1))[1], by=[using(one)])
        k = g.apply(first, 1, "l", by=[using(inf), using(h)])
        g.pos([f"@{k}"], [f"@{top}"])

    g.em("1/32 <= l", large, small)


def not_zero(g: Goal, det: str) -> None:
    """W != O, since det W > 0."""
    z = g.contra()
    d = g.have("det(W) = det(O(2,2))", lambda g: g.ctx(using(z)))
    g.pos([f"@{det}"], eqs=[(d, -1)])


@holds(
    "razin2020.theorem-1-eq-9",
    f"""{THEOREM_1}
       all m t l:R. {infimum("m", erank(X))} => 0 <= t => l = {LOSS_T} => {erank("X(t)")} <= m + {BOUND_9}""",
    uses=["razin2020.lemma-6", "razin2020.theorem-1-eq-9", "razin2020.thm-1-step-erank-final"],
    argument="sound",
    reading=PADDING,
)
def effective_rank_falls_with_the_loss(g: Goal) -> None:
    """The determinant stays positive (Lemma 6), the infimum is 1, and the bound holds at every matrix with positive
    determinant."""
    hyps = g.intro(split=False)
    setting = list(hyps)
    det = g.apply(positive_determinant(g, setting), "t")
    inf = hyps[-3]
    one = g.apply(g.split(g.apply(g.split(g.lemma("razin2020.thm-1-step-erank-final"))[1], "m"))[0], by=[using(inf)])
    k = g.lemma("razin2020.theorem-1-eq-9", "part:static", "X(t)", "l", by=[None, using(det)])
    g.pos([f"@{k}"], eqs=[(one, 1)])


@holds(
    "razin2020.theorem-1-eq-10",
    f"""{THEOREM_1}
       all r:Z, m t l:R. {infimal_rank("r")} => 0 <= t => l = {LOSS_T} => {distance("m", "X(t)", "r")} =>
         m <= 3*sqrt(2)*sqrt(l)""",
    uses=[
        "razin2020.lemma-6",
        "razin2020.lemma-18",
        "razin2020.lemma-19-eq-32-sigma2",
        "razin2020.prop-2-infimal-rank",
        "razin2020.prop-2-step-distance",
    ],
    argument="sound",
    reading=f"m is the distance of the product matrix from the infimal rank r of S; {PADDING}",
)
def distance_falls_with_the_loss(g: Goal) -> None:
    """r = 1, the distance is sv_2, and sv_2 <= 3 sqrt(2 l) by Lemma 19."""
    hyps = g.intro(split=False)
    det = g.apply(positive_determinant(g, hyps), "t")
    rank, _, value, dist = hyps[-4:]
    one = g.apply(g.split(g.lemma("razin2020.prop-2-infimal-rank", "statement", "r"))[0], by=[using(rank)])
    h = g.have(distance("m", "X(t)", "1"), lambda g: put(g, distance("m", "X(t)", "hole"), "1", "r", one, dist))
    eq = distance_value(g, h, "m", "X(t)")
    second = g.lemma("razin2020.lemma-19-eq-32-sigma2", "statement", "X(t)", "l", by=[None, using(det)])
    g.lemma("razin2020.lemma-18", "part:positive-loss", "X(t)", "l", by=[using(value), using(det)])
    g.pos([f"@{second}"], eqs=[(eq, -1)])
