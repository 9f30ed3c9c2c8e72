"""Proof of Theorem 3, the case in which a factor grows: norms, singular values and effective rank at the time t-bar."""

from __future__ import annotations

from proofs.razin2020.entropy import positive_log_two, second_share
from proofs.razin2020.extreme_singular_values import perturbation
from proofs.razin2020.problem import LOSS, erank, fro, infimum, rho, solution
from proofs.razin2020.quasi_norms import E11, E12, E21, E22, LARGEST, NORM, at_most_max
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

AT_END = "W stands for the product matrix at the time t-bar, l for its loss; R^L/2^(L+1) <= |W|_F is Equation (73)"
MATRIX = f"all W:M(2,2), l:R. l = {LOSS} => l < 1 =>"
BIG = "all R:R, L:Z. 32 <= R => 2 <= L =>"
K = "(R^L/2^(L+1))"
S1, S2, U, W11 = "sv(W,1)", "sv(W,2)", "sqrt(2*l)", "abs(W[1,1])"


@holds(
    "razin2020.eq-74",
    f"{MATRIX} abs(W[1,2]) <= 1 + sqrt(2) and abs(W[2,1]) <= 1 + sqrt(2) and abs(W[2,2]) <= sqrt(2)",
    uses=["razin2020.eq-30"],
    argument="sound",
    reading=AT_END,
    context="the loss is below 1 at the start and does not increase [Lemma 17]",
)
def observed_entries_for_a_loss_below_one(g: Goal) -> None:
    """(30) with 2 l < 2."""
    loss, small = g.intro()
    bounds = g.split(g.lemma("razin2020.eq-30", "statement", "W", "l"))
    low = g.have(
        "0 <= l", lambda g: (only(g, loss), g.pos(["(W[1,2] - 1)^2 + (W[2,1] - 1)^2 + W[2,2]^2", "1/2"], eqs=[(loss, 1)]))[-1]
    )
    root = g.by_fact("sqrt_mono", "2*l", "2", by=[lambda g: g.pos([f"@{low}", 2]), lambda g: g.pos([f"@{small}", 2])])
    only(g, *bounds, root)

    def entry(e: str, bound: str) -> Script:
        def script(g: Goal) -> None:
            k = g.fact("abs_triangle", f"{e} - 1", "1")
            only(g, k, bound, root)
            g.pos([f"@{k}"], [f"@{bound}"], [f"@{root}"])

        return script

    g.conj(entry("W[1,2]", bounds[1]), entry("W[2,1]", bounds[2]), lambda g: g.pos([f"@{bounds[0]}"], [f"@{root}"]))


ROOT = "sqrt(2*(1 + sqrt(2))^2 + 2)"


@holds(
    "razin2020.eq-75",
    f"""{MATRIX} {fro("W")} <= {W11} + {ROOT} and {W11} + {ROOT} <= {W11} + 4 and
       (all R:R, L:Z. {K} <= {fro("W")} => {K} - 4 <= {W11})""",
    uses=["razin2020.eq-74"],
    argument="sound",
    reading=AT_END,
)
def unobserved_entry_from_the_norm(g: Goal) -> None:
    """|W|_F^2 <= w11^2 + 2 (1 + sqrt 2)^2 + 2 <= (|w11| + root)^2."""
    g.intro()
    a, b, c = g.split(g.lemma("razin2020.eq-74", "statement", "W", "l"))
    only(g, a, b, c)
    entries = g.fact("frobenius_entries", 2, 2, "W")
    two = g.by_fact("sqrt_sq", "2")
    squares = [g.fact("abs_square", f"W[{i},{j}]") for i, j in ((1, 1), (1, 2), (2, 1), (2, 2))]
    s = g.have("0 < sqrt(2)")
    inner = "2*(1 + sqrt(2))^2 + 2"
    root = g.by_fact("sqrt_sq", inner)
    pr = g.have(f"0 < {ROOT}")
    norm = g.by_fact("sqrt_sq", "tr(T(W) @ W)")
    low = g.by_fact("sqrt_nonneg", "tr(T(W) @ W)")

    def first(g: Goal) -> None:
        k = g.contra()
        only(g, a, b, c, entries, two, *squares, s, root, pr, norm, low, k)
        n = fro("W")
        g.pos(
            [f"@{k}", f"{n} + {W11} + {ROOT}"],
            [f"@{a}", "abs(W[1,2]) + 1 + sqrt(2)"],
            [f"@{b}", "abs(W[2,1]) + 1 + sqrt(2)"],
            [f"@{c}", "abs(W[2,2]) + sqrt(2)"],
            [2, W11, ROOT],
            eqs=[
                (norm, -1),
                (entries, -1),
                (root, 1),
                (squares[0], 1),
                (squares[1], 1),
                (squares[2], 1),
                (squares[3], 1),
                (two, 1),
            ],
        )

    small = g.have(f"{ROOT} <= 4", lambda g: (only(g), g.ball())[-1])
    one = g.have(f"{fro('W')} <= {W11} + {ROOT}", first)

    def third(g: Goal) -> None:
        h = g.intro()[0]
        only(g, h, one, small)
        g.pos([f"@{h}"], [f"@{one}"], [f"@{small}"])

    g.conj(using(one), lambda g: g.pos([f"@{small}"]), third)


@holds(
    "razin2020.eq-77",
    f"""{NORM} {MATRIX} N(W - W[1,1]*{E11}) <= 8*c^2*{LARGEST} and N({E11})/c*{W11} - 8*c^2*{LARGEST} <= N(W) and
       (all R:R, L:Z. {K} <= {fro("W")} => N({E11})/(2^(L+1)*c)*R^L - 12*c^2*{LARGEST} <= N({E11})/c*{W11} - 8*c^2*{LARGEST})""",
    uses=["razin2020.eq-35", "razin2020.eq-74", "razin2020.eq-75"],
    argument="sound",
    reading=AT_END,
)
def norm_when_a_factor_is_large(g: Goal) -> None:
    """sqrt 2 + 2 (1 + sqrt 2) <= 8, and 4/c <= 4 c^2."""
    one, nonneg, zero, homogeneous, triangle, loss, small = g.intro()
    unit = g.have("0 < c", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
    bounds = g.split(g.lemma("razin2020.eq-74", "statement", "W", "l", by=[using(loss), using(small)]))
    large = g.split(g.lemma("razin2020.eq-75", "statement", "W", "l", by=[using(loss), using(small)]))[2]
    quasi = [lambda g: g.conj(*[using(h) for h in (one, nonneg, zero, homogeneous, triangle)])]
    below = g.apply(g.lemma("razin2020.eq-35", "statement", "N", "c", by=quasi), "W")
    units = [E11, E12, E21, E22]
    signs = {e: g.apply(nonneg, e) for e in units}
    a, b, c = f"W[2,2]*{E22}", f"W[2,1]*{E21}", f"W[1,2]*{E12}"
    first, second = g.apply(triangle, a, f"{b} + {c}"), g.apply(triangle, b, c)
    scale = [g.apply(homogeneous, E22, "W[2,2]"), g.apply(homogeneous, E21, "W[2,1]"), g.apply(homogeneous, E12, "W[1,2]")]
    own = g.apply(homogeneous, E11, "W[1,1]")
    whole = g.have(f"W - W[1,1]*{E11} = {a} + ({b} + {c})", lambda g: g.ext())
    value = g.have(f"N(W - W[1,1]*{E11}) = N({a} + ({b} + {c}))", lambda g: g.ctx(using(whole)))
    x, y = at_most_max(g, f"N({E11})", f"N({E12})"), at_most_max(g, f"N({E21})", f"N({E22})")
    z = at_most_max(g, f"max(N({E11}), N({E12}))", f"max(N({E21}), N({E22}))")
    top = [
        g.have(f"N({e}) <= {LARGEST}", lambda g, p=p, q=q: (only(g, p, q), g.pos([f"@{p}"], [f"@{q}"]))[-1])
        for e, p, q in zip(units, (*x, *y), (z[0], z[0], z[1], z[1]), strict=True)
    ]
    low = g.have(f"0 <= {LARGEST}", lambda g: (only(g, top[0], signs[E11]), g.pos([f"@{top[0]}"], [f"@{signs[E11]}"]))[-1])
    root2 = g.have("sqrt(2) <= 3/2", lambda g: (only(g), g.ball())[-1])
    only(g, one, unit, *bounds, large, below, *signs.values(), first, second, *scale, own, value, *top, low, root2)

    def rest(g: Goal) -> None:
        terms = g.have(
            f"N(W - W[1,1]*{E11}) <= c^2*(abs(W[2,2])*N({E22}) + abs(W[2,1])*N({E21}) + abs(W[1,2])*N({E12}))",
            lambda g: (
                only(g, one, unit, first, second, *scale, value, signs[E22]),
                g.pos(
                    [f"@{first}"],
                    [f"@{second}", "c"],
                    [f"@{one}", "c", "abs(W[2,2])", f"@{signs[E22]}"],
                    eqs=[(value, -1), (scale[0], "-c"), (scale[1], "-c^2"), (scale[2], "-c^2")],
                ),
            )[-1],
        )
        only(g, terms, *bounds, *top, low, root2)
        entries = g.have(
            f"abs(W[2,2])*N({E22}) + abs(W[2,1])*N({E21}) + abs(W[1,2])*N({E12}) <= 8*{LARGEST}",
            lambda g: (
                only(g, *bounds, *top, low, root2),
                g.pos(
                    [f"@{top[3]}", "abs(W[2,2])"],
                    [f"@{top[2]}", "abs(W[2,1])"],
                    [f"@{top[1]}", "abs(W[1,2])"],
                    [f"@{bounds[2]}", f"@{low}"],
                    [f"@{bounds[1]}", f"@{low}"],
                    [f"@{bounds[0]}", f"@{low}"],
                    [f"@{root2}", 3, f"@{low}"],
                    ["3/2", f"@{low}"],
                ),
            )[-1],
        )
        only(g, terms, entries)
        g.pos([f"@{terms}"], [f"@{entries}", "c^2"])

    remainder = g.have(f"N(W - W[1,1]*{E11}) <= 8*c^2*{LARGEST}", rest)

    def norm(g: Goal) -> None:
        only(g, below, remainder, own, unit)
        g.pos([f"@{below}"], [f"@{remainder}"], eqs=[(own, "1/c")])

    def grown(g: Goal) -> None:
        h = g.intro()[0]
        k = g.apply(large, "R", "L", by=[using(h)])
        cube = g.have("0 <= c^3 - 1", lambda g: (only(g, one, unit), g.pos([f"@{one}", "c^2 + c + 1"]))[-1])
        only(g, k, unit, signs[E11], top[0], low, cube)
        p = g.have("0 < 2^(L+1)")
        g.pos([f"@{k}", f"@{signs[E11]}"], [f"@{top[0]}", 4], [f"@{cube}", 4, f"@{low}"], mul=["c"])
        del p

    g.conj(using(remainder), norm, grown)


@holds(
    "razin2020.eq-79",
    f"all W:M(2,2), m:R. W != O(2,2) => {infimum('m', erank(solution('x')))} => {erank('W')} <= m + 2/log(2)*sqrt({rho(2, 'W')})",
    uses=["razin2020.lemma-9", "razin2020.thm-1-step-exp-chord", "razin2020.thm-1-step-erank-final"],
    argument="sound",
    reading="m is the infimum of the effective rank over S; W, the product matrix at t-bar, is not zero",
)
def effective_rank_from_the_second_share(g: Goal) -> None:
    """The infimum is 1; chord bound and Lemma 9."""
    nonzero, inf = g.intro(split=False)
    one = g.apply(g.split(g.apply(g.split(g.lemma("razin2020.thm-1-step-erank-final"))[1], "m"))[0], by=[using(inf)])
    (p,) = g.obtain(g.have(f"ex p:R. p = {rho(2, 'W')}", lambda g: (g.witness(rho(2, "W")), g.refl())[-1]), "p")
    chord = g.apply(g.split(g.lemma("razin2020.thm-1-step-exp-chord"))[1], "W", "p", by=[using(nonzero), using(p)])
    low, high, _ = second_share(g, nonzero, p)
    nine = g.lemma("razin2020.lemma-9", "statement", "p", by=[using(low), using(high)])
    two = positive_log_two(g)
    root = g.have(f"sqrt({rho(2, 'W')}) = sqrt(p)", lambda g: g.ctx(lambda g: g.field((p, -1))))
    only(g, one, root, chord, nine, two)
    g.pos([f"@{chord}", "log(2)"], [f"@{nine}"], mul=["log(2)"], eqs=[(one, "log(2)"), (root, 2)])


@part(
    "razin2020.lemma-31-step-projection",
    "large",
    f"{BIG} 128 <= {K}",
    says="R^L/2^(L+1) is at least 128",
)
def power_of_the_radius_is_large(g: Goal) -> None:
    """(R/2)^L >= 16^L >= 16^2."""
    radius, depth = g.intro()
    a = g.by_fact("ipow_mono", "16", "R/2", "L", by=[None, lambda g: g.pos([f"@{radius}", "1/2"]), None])
    b = g.by_fact("pow_exp_mono", "16", "2", "L", by=[None, using(depth)])
    c = g.by_fact("ipow_mul", "R/2", "2", "L", by=[None])
    d = g.by_fact("ipow_step", "2", "L", by=[None])
    p = g.have("0 < 2^L")
    same = g.have("R/2*2 = R", lambda g: g.field())
    c = g.rewritten(c, same)
    only(g, a, b, c, d, p, depth)
    k = g.have("256 <= (R/2)^L", lambda g: (only(g, a, b), g.pos([f"@{a}"], [f"@{b}"]))[-1])
    only(g, k, c, d, p)
    g.rewrite(d)
    g.rewrite(c)
    only(g, k, p)
    g.pos([f"@{k}", "1/2"])


SOL = solution("w")


@holds(
    "razin2020.lemma-31-step-projection",
    f"""{BIG} all w:R. 0 <= w => {K} - 4 <= w => 16 <= w^2 + 4 and
       sv({SOL},1) = (w + sqrt(w^2 + 4))/2 and R^L/2^(L+2) <= sv({SOL},1) and
       sv({SOL},2) = 2/(sqrt(w^2 + 4) + w) and sv({SOL},2) <= 2^(L+2)/R^L""",
    uses=["razin2020.eq-29", "razin2020.lemma-31-step-projection"],
    argument="sound",
    reading="w stands for the (1,1) entry at t-bar, at least R^L/2^(L+1) - 4 by (75)",
)
def singular_values_of_the_projection_when_large(g: Goal) -> None:
    """w >= 124, so sqrt(w^2 + 4) >= w + ... >= 4 and w + sqrt(w^2 + 4) >= R^L/2^(L+1)."""
    radius, depth, sign, entry = g.intro()
    large = g.lemma("razin2020.lemma-31-step-projection", "part:large", "R", "L", by=[using(radius), using(depth)])
    first, second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "w"))
    size = g.have("abs(w) = w", lambda g: (only(g, sign), g.field())[-1])
    root = g.by_fact("sqrt_sq", "w^2 + 4")
    r = g.have("0 < sqrt(w^2 + 4)", lambda g: (only(g), g.auto())[-1])
    step = g.by_fact("ipow_step", "2", "L + 1", by=[lambda g: (only(g, depth), g.pos([f"@{depth}"], [3]))[-1]])
    step = g.have("2^(L+2) = 2*2^(L+1)", lambda g: g.exact(step))
    p = g.have("0 < 2^(L+1)", lambda g: (only(g), g.auto())[-1])
    pr = g.have("0 < R^L", lambda g: (only(g, radius), g.have("0 < R", lambda g: g.pos([f"@{radius}"], [32])), g.auto())[-1])
    wide = g.have("124 <= w", lambda g: (only(g, entry, large), g.pos([f"@{entry}"], [f"@{large}"]))[-1])
    four = g.have("4 <= sqrt(w^2 + 4)", lambda g: four_below(g, root, r, wide))
    half = g.have("R^L/2^(L+2) = (R^L/2^(L+1))/2", lambda g: (only(g, step, p), g.rewrite(step), g.field())[-1])
    inverse = g.have("2^(L+2)/R^L = 2/(R^L/2^(L+1))", lambda g: (only(g, step, p, pr), g.rewrite(step), g.field())[-1])
    only(g, sign, entry, first, second, size, root, r, wide, four, half, inverse, p, pr, large)
    one = g.have(f"sv({SOL},1) = (w + sqrt(w^2 + 4))/2", lambda g: (only(g, first, size), g.field((first, 1), (size, "1/2")))[-1])
    two = g.have(
        f"sv({SOL},2) = 2/(sqrt(w^2 + 4) + w)",
        lambda g: (
            only(g, second, size, root, r, sign),
            g.field((second, 1), (size, "-1/2"), (root, "1/(2*(sqrt(w^2 + 4) + w))")),
        )[-1],
    )
    total = g.have(f"{K} <= sqrt(w^2 + 4) + w", lambda g: (only(g, entry, four), g.pos([f"@{entry}"], [f"@{four}"]))[-1])
    pk = g.have(f"0 < {K}", lambda g: (only(g, large), g.pos([f"@{large}"], [128]))[-1])
    g.conj(
        lambda g: (only(g, wide), g.pos([f"@{wide}", "w + 124"], [15364], side={"0 <= w + 124": None}))[-1],
        using(one),
        lambda g: (only(g, half, one, total), g.pos([f"@{total}", "1/2"], eqs=[(half, -1), (one, 1)]))[-1],
        using(two),
        lambda g: (
            only(g, inverse, two, total, pk, r, sign),
            g.rewrite(inverse),
            g.rewrite(two),
            g.have("0 < sqrt(w^2 + 4) + w", lambda g: g.pos([f"@{r}"], [f"@{sign}"])),
            g.pos([f"@{total}", 2], mul=["sqrt(w^2 + 4) + w", K]),
        )[-1],
    )


def four_below(g: Goal, root: str, r: str, wide: str) -> None:
    """4 <= sqrt(w^2 + 4) for w >= 124."""
    only(g, root, r, wide)
    k = g.contra()
    g.pos([f"@{k}", "4 + sqrt(w^2 + 4)"], [f"@{wide}", "w"], [124, f"@{wide}"], [15364], eqs=[(root, 1)], side={"0 <= w": None})


HYPOTHESES = f"{BIG} {MATRIX} {K} <= {fro('W')} =>"


@holds(
    "razin2020.lemma-31",
    f"{HYPOTHESES} R^L/2^(L+2) - {U} <= {S1} and {S2} <= 2^(L+2)/R^L + {U}",
    uses=["razin2020.eq-75", "razin2020.lemma-31-step-projection", "razin2020.eq-34", "razin2020.eq-29"],
    argument="sound",
    reading=AT_END,
)
def singular_values_when_a_factor_is_large(g: Goal) -> None:
    """The values of the projection, which depend on |w11| only, and the perturbation bound."""
    radius, depth, loss, small, norm = g.intro()
    entry = g.split(g.lemma("razin2020.eq-75", "statement", "W", "l", by=[using(loss), using(small)]))[2]
    entry = g.apply(entry, "R", "L", by=[using(norm)])
    k = g.lemma("razin2020.lemma-31-step-projection", "statement", "R", "L", by=[using(radius), using(depth)])
    _, _, first, _, second = g.split(g.apply(k, W11, by=[None, using(entry)]))
    a, b = g.split(g.lemma("razin2020.eq-29", "part:ordered", W11))
    c, d = g.split(g.lemma("razin2020.eq-29", "part:ordered", "W[1,1]"))
    square = g.fact("abs_square", "W[1,1]")
    size = g.have(f"abs({W11}) = {W11}", lambda g: g.field())
    root = g.have(f"sqrt({W11}^2 + 4) = sqrt(W[1,1]^2 + 4)", lambda g: g.ctx(lambda g: g.field((square, 1))))
    s = solution("W[1,1]")
    one = g.have(f"sv({s},1) = sv({solution(W11)},1)", lambda g: g.field((a, -1), (c, 1), (size, "-1/2"), (root, "-1/2")))
    two = g.have(f"sv({s},2) = sv({solution(W11)},2)", lambda g: g.field((b, -1), (d, 1), (size, "1/2"), (root, "-1/2")))
    only(g, loss, first, second, one, two)
    bounds = []
    for i in (1, 2):
        near, eq = perturbation(g, i)
        k = g.apply(
            g.split(g.fact("abs_le", f"sv(W,{i}) - sv({s},{i})", U))[0],
            by=[lambda g, near=near, eq=eq: g.pos([f"@{near}"], eqs=[(eq, -1)])],
        )
        bounds.append(g.split(k)[0 if i == 1 else 1])
    only(g, first, second, one, two, *bounds)
    g.conj(
        lambda g: (only(g, first, one, bounds[0]), g.pos([f"@{bounds[0]}"], [f"@{first}"], eqs=[(one, 1)]))[-1],
        lambda g: (only(g, second, two, bounds[1]), g.pos([f"@{bounds[1]}"], [f"@{second}"], eqs=[(two, -1)]))[-1],
    )


Q = "(2^(L+2)/R^L)"
QI = "(R^L/2^(L+2))"


@holds(
    "razin2020.thm-3-step-rho1-terminal",
    f"""{HYPOTHESES} {S1}/({S1} + {Q} + {U}) <= {rho(1, "W")} and
       1 - ({Q} + {U})/({QI} + {Q}) <= {S1}/({S1} + {Q} + {U}) and
       1 - ({Q} + {U})/{QI} <= 1 - ({Q} + {U})/({QI} + {Q}) and 1 - ({Q} + {U})/{QI} = 1 - {Q}^2 - {U}*{Q}""",
    uses=["razin2020.lemma-31", "razin2020.lemma-31-step-projection"],
    argument="sound",
    reading=AT_END,
)
def first_share_when_a_factor_is_large(g: Goal) -> None:
    """Lemma 31 put into s1/(s1 + s2)."""
    radius, depth, loss, small, norm = g.intro()
    q, s1, s2, low, u, inv = share_ingredients(g, radius, depth, loss, small, norm)
    first = g.split(for_matrix(g, "razin2020.lemma-31", [radius, depth, loss, small, norm]))
    only(g, q, s1, s2, low, u, inv, *first)
    g.rewrite(inv)
    lower = g.have(
        f"1/{Q} - {U} <= {S1}", lambda g: (only(g, first[0], inv), g.rewrite(inv, back=True), g.close_by(first[0]))[-1]
    )
    g.conj(
        lambda g: (only(g, q, s1, low, u, first[1]), g.pos([f"@{first[1]}", S1], mul=[f"{S1} + {S2}", f"{S1} + {Q} + {U}"]))[-1],
        lambda g: (only(g, q, s1, u, lower), g.pos([f"@{lower}", f"{Q} + {U}"], mul=[f"{S1} + {Q} + {U}", f"1/{Q} + {Q}"]))[-1],
        lambda g: (only(g, q, u), g.pos([Q, Q, f"{Q} + {U}"], mul=[f"1/{Q} + {Q}"]))[-1],
        lambda g: (only(g, q), g.field())[-1],
    )


def for_matrix(g: Goal, claim: str, given: list[str]) -> str:
    """A claim about the product matrix at t-bar, from the hypotheses on R, L, l and the norm."""
    k = g.lemma(claim, "statement", "R", "L", by=[using(h) for h in given[:2]])
    return g.apply(k, "W", "l", by=[using(h) for h in given[2:]])


def share_ingredients(g: Goal, radius: str, depth: str, loss: str, small: str, norm: str) -> list[str]:
    """0 < 2^(L+2)/R^L, 0 < s1, 2^(L+2)/R^L <= 1/64, 0 <= s2, 0 <= u, R^L/2^(L+2) = 1/(2^(L+2)/R^L)."""
    p = g.have("0 < 2^(L+2)", lambda g: (only(g), g.auto())[-1])
    pr = g.have("0 < R^L", lambda g: (only(g, radius), g.have("0 < R", lambda g: g.pos([f"@{radius}"], [32])), g.auto())[-1])
    q = g.have(f"0 < {Q}", lambda g: (only(g, p, pr), g.auto())[-1])
    inv = g.have(f"{QI} = 1/{Q}", lambda g: (only(g, p, pr), g.field())[-1])
    large = g.lemma("razin2020.lemma-31-step-projection", "part:large", "R", "L", by=[using(radius), using(depth)])
    step = g.by_fact("ipow_step", "2", "L + 1", by=[lambda g: (only(g, depth), g.pos([f"@{depth}"], [3]))[-1]])
    step = g.have("2^(L+2) = 2*2^(L+1)", lambda g: g.exact(step))
    tiny = g.have(f"{Q} <= 1/64", lambda g: ratio_is_small(g, large, step, pr))
    first = g.split(for_matrix(g, "razin2020.lemma-31", [radius, depth, loss, small, norm]))
    low = g.split(g.apply(g.fact("sv_range", 2, 2, "W"), 2, 2))[0]
    sign = g.have(
        "0 <= l", lambda g: (only(g, loss), g.pos(["(W[1,2] - 1)^2 + (W[2,1] - 1)^2 + W[2,2]^2", "1/2"], eqs=[(loss, 1)]))[-1]
    )
    u = g.by_fact("sqrt_nonneg", "2*l", by=[lambda g: g.pos([f"@{sign}", 2])])
    root = g.by_fact("sqrt_sq", "2*l", by=[lambda g: g.pos([f"@{sign}", 2])])

    def below_two(g: Goal) -> None:
        k = g.contra()
        only(g, k, root, small, u)
        g.pos([f"@{k}", f"{U} + 2"], [f"@{small}", 2], [2], eqs=[(root, -1)])

    two = g.have(f"{U} <= 2", below_two)
    big = g.have(f"64 <= {QI}", lambda g: (only(g, inv, q, tiny), g.rewrite(inv), g.pos([f"@{tiny}", 64], mul=[Q]))[-1])
    s1 = g.have(f"0 < {S1}", lambda g: (only(g, first[0], two, big), g.pos([f"@{first[0]}"], [f"@{two}"], [f"@{big}"], [62]))[-1])
    return [q, s1, tiny, low, u, inv]


def ratio_is_small(g: Goal, large: str, step: str, pr: str) -> None:
    """2^(L+2)/R^L <= 1/64 from 128 <= R^L/2^(L+1)."""
    only(g, large, step, pr)
    p = g.have("0 < 2^(L+1)", lambda g: (only(g), g.auto())[-1])
    g.rewrite(step)
    only(g, large, pr, p)
    g.pos([f"@{large}", "2^(L+1)", "1/64"], mul=["R^L"])


@holds(
    "razin2020.thm-3-step-rho2-terminal",
    f"""{HYPOTHESES} {rho(2, "W")} <= 2^(L+4)/R^L and
       (all m:R. {infimum("m", erank(solution("x")))} => {erank("W")} <= m + 2^(L/2 + 3)/(log(2)*R^(L/2)))""",
    uses=["razin2020.thm-3-step-rho1-terminal", "razin2020.eq-79", "razin2020.lemma-31", "razin2020.lemma-31-step-projection"],
    argument="sound",
    reading=AT_END,
)
def effective_rank_when_a_factor_is_large(g: Goal) -> None:
    """rho_2 <= q^2 + u q <= 4 q for q = 2^(L+2)/R^L < 1 and u < 2; then (79)."""
    radius, depth, loss, small, norm = g.intro()
    q, s1, tiny, low, u, inv = share_ingredients(g, radius, depth, loss, small, norm)
    two = g.have(f"{U} <= 2", lambda g: root_below_two(g, loss, small))
    chain = g.split(for_matrix(g, "razin2020.thm-3-step-rho1-terminal", [radius, depth, loss, small, norm]))
    total = g.have(f"0 < {S1} + {S2}", lambda g: (only(g, s1, low), g.pos([f"@{s1}"], [f"@{low}"]))[-1])
    one = g.have(
        f"1 - {Q}^2 - {U}*{Q} <= {rho(1, 'W')}",
        lambda g: (only(g, *chain), g.pos(*[[f"@{h}"] for h in chain[:3]], eqs=[(chain[3], 1)]))[-1],
    )
    step = g.have("2^(L+4) = 4*2^(L+2)", lambda g: powers_of_two(g, depth))
    pr = g.have("0 < R", lambda g: (only(g, radius), g.pos([f"@{radius}"], [32]))[-1])
    four = g.have(f"2^(L+4)/R^L = 4*{Q}", lambda g: (only(g, step, pr), g.rewrite(step), g.field())[-1])

    def share(g: Goal) -> None:
        only(g, one, total, q, tiny, two, u, four)
        g.rewrite(four)
        g.pos([f"@{one}"], [f"@{two}", Q], [f"@{tiny}", Q], [Q, "127/64"])

    second = g.have(f"{rho(2, 'W')} <= 2^(L+4)/R^L", share)

    def rank(g: Goal) -> None:
        g.fix("m")
        inf = g.assume()
        nonzero = g.have("W != O(2,2)", lambda g: zero_has_no_singular_value(g, s1))
        k = g.lemma("razin2020.eq-79", "statement", "W", "m", by=[using(nonzero), using(inf)])
        share_low = g.have(f"0 <= {rho(2, 'W')}", lambda g: (only(g, low, total), g.pos([f"@{low}"], mul=[f"{S1} + {S2}"]))[-1])
        root = g.by_fact("sqrt_mono", rho(2, "W"), "2^(L+4)/R^L", by=[using(share_low), using(second)])
        log2 = positive_log_two(g)
        only(g, k, root, log2, pr, depth)
        target = "2^(L/2 + 2)/R^(L/2)"
        value = g.by_fact(
            "sqrt_unique",
            "2^(L+4)/R^L",
            target,
            by=[lambda g: (only(g, pr), g.auto())[-1], lambda g: (only(g, pr, depth), g.field())[-1]],
        )
        only(g, k, root, log2, pr, value)
        last = g.have(f"2*({target}) = 2^(L/2 + 3)/R^(L/2)", lambda g: (only(g, pr), g.field())[-1])
        only(g, k, root, log2, pr, value, last)
        big = g.have("2^(L/2 + 3)/(log(2)*R^(L/2)) = (2^(L/2 + 3)/R^(L/2))/log(2)", lambda g: (only(g, log2, pr), g.field())[-1])
        g.rewrite(big)
        only(g, k, root, log2, value, last)
        g.pos([f"@{k}", "log(2)"], [f"@{root}", 2], mul=["log(2)"], eqs=[(value, -2), (last, -1)])

    g.conj(using(second), rank)


def powers_of_two(g: Goal, depth: str) -> None:
    """2^(L+4) = 4 2^(L+2)."""
    only(g, depth)
    a = g.by_fact("ipow_step", "2", "L + 3", by=[lambda g: g.pos([f"@{depth}"], [5])])
    b = g.by_fact("ipow_step", "2", "L + 2", by=[lambda g: g.pos([f"@{depth}"], [4])])
    a = g.have("2^(L+4) = 2*2^(L+3)", lambda g: g.exact(a))
    b = g.have("2^(L+3) = 2*2^(L+2)", lambda g: g.exact(b))
    g.field((a, 1), (b, 2))


def root_below_two(g: Goal, loss: str, small: str) -> None:
    """sqrt(2 l) <= 2 for 0 <= l < 1."""
    only(g, loss, small)
    sign = g.have("0 <= l", lambda g: g.pos(["(W[1,2] - 1)^2 + (W[2,1] - 1)^2 + W[2,2]^2", "1/2"], eqs=[(loss, 1)]))
    u, root = g.by_fact("sqrt_nonneg", "2*l"), g.by_fact("sqrt_sq", "2*l")
    k = g.contra()
    only(g, k, root, small, u)
    g.pos([f"@{k}", f"{U} + 2"], [f"@{small}", 2], [2], eqs=[(root, -1)])
    del sign


def zero_has_no_singular_value(g: Goal, s1: str) -> None:
    """W != O, since sv_1 > 0."""
    only(g, s1)
    eq = g.contra()
    same = g.have("sv(W,1) = sv(O(2,2),1)", lambda g: g.ctx(using(eq)))
    squares = g.split(g.fact("sv_2x2", "O(2,2)"))[1]
    low = g.split(g.apply(g.fact("sv_range", 2, 2, "O(2,2)"), 1, 1))[0]
    only(g, s1, same, squares, low)
    g.pos([f"@{s1}", f"@{s1}"], ["sv(O(2,2),2)^2"], eqs=[(squares, -1), (same, "-(sv(W,1) + sv(O(2,2),1))")])
