"""The steps to Equations (16) and (17): effective rank and distance from rank one for the perturbed observations."""

from __future__ import annotations

from proofs.razin2020.distance_from_rank_one import distance_value, put
from proofs.razin2020.entropy import positive_log_two, second_share
from proofs.razin2020.perturbed_entries import loss_nonneg
from proofs.razin2020.perturbed_problem import NAMES, SAME_SIGN, SIGNED, E, U, minimum_is_one_of, perturbed
from proofs.razin2020.perturbed_singular_values import LEAST, Z
from proofs.razin2020.problem import distance, erank, family_distance, family_infimal_rank, infimum, rho
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

SMALLER = "l < min(z^2/8, y^2/8) =>"
SX = perturbed("x")
S1, S2, W11 = "sv(W,1)", "sv(W,2)", "abs(W[1,1])"
BOUND = f"(abs(z) - {U})*(abs(y) - {U})/{E}"


def threshold(g: Goal, h: str) -> str:
    """l < min(z^2/2, y^2/2) from l < min(z^2/8, y^2/8)."""

    def prove(g: Goal) -> None:
        only(g, h)

        def first(g: Goal) -> None:
            g.split(next(reversed(g.seq.hyps)))
            g.cases(g.fact("min_cases", "z^2/2", "y^2/2"), second, second)

        def second(g: Goal) -> None:
            g.split(next(reversed(g.seq.hyps)))
            g.nlin("z^2", "y^2", products=1)

        g.cases(g.fact("min_cases", "z^2/8", "y^2/8"), first, first)

    return g.have("l < min(z^2/2, y^2/2)", prove)


@part(
    "razin2020.thm-2-step-w11-quarter",
    "half",
    f"{SIGNED} {SMALLER} 2*{U} < {LEAST} and 0 < {LEAST} and {LEAST} <= abs(z) and {LEAST} <= abs(y)",
    says="the root of twice the loss is below half of min(|z|, |z'|)",
)
def root_is_below_half_of_the_least(g: Goal) -> None:
    """8 l < z^2 and 8 l < y^2."""
    z, y, loss, _det, small = g.intro()
    low = loss_nonneg(g, loss)
    only(g, z, y, small, low)
    root = g.by_fact("sqrt_sq", "2*l")
    sign = g.by_fact("sqrt_nonneg", "2*l")
    az, ay = g.fact("abs_square", "z"), g.fact("abs_square", "y")

    def both(g: Goal) -> None:
        def case(g: Goal) -> None:
            g.split(next(reversed(g.seq.hyps)))
            g.conj(*[lambda g: g.nlin(products=1)] * 2)

        only(g, small)
        g.cases(g.fact("min_cases", "z^2/8", "y^2/8"), case, case)

    a, b = g.split(g.have("l < z^2/8 and l < y^2/8", both))

    def below(x: str, h: str, square: str) -> str:
        def prove(g: Goal) -> None:
            k = g.contra()
            only(g, h, square, root, sign, k)
            g.pos([f"@{k}", f"2*{U} + abs({x})"], [f"@{h}", 8], eqs=[(root, -4), (square, 1)])

        return g.have(f"2*{U} < abs({x})", prove)

    c, d = below("z", a, az), below("y", b, ay)

    def least(g: Goal) -> None:
        only(g, z, y, c, d)

        def case(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            own = g.hyp_formula(eq)[2]
            g.have(("<", 0, own), Goal.auto)
            g.conj(*[lambda g: g.nlin(products=1)] * 4)

        g.cases(g.fact("min_cases", "abs(z)", "abs(y)"), case, case)

    g.close_by(g.have(f"2*{U} < {LEAST} and 0 < {LEAST} and {LEAST} <= abs(z) and {LEAST} <= abs(y)", least))


@holds(
    "razin2020.thm-2-step-w11-quarter",
    f"{SIGNED} {SMALLER} {BOUND} <= {W11} and {LEAST}^2/(4*{E}) <= {BOUND}",
    uses=["razin2020.lemma-25", "razin2020.thm-2-step-w11-quarter"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def simplified_bound_of_the_unobserved_entry(g: Goal) -> None:
    """|z| - u >= min/2 and |y| - u >= min/2."""
    z, y, loss, det, small = g.intro()
    half = g.split(g.lemma("razin2020.thm-2-step-w11-quarter", "part:half", "W", "z", "y", "eps", "l"))
    k = threshold(g, small)
    given = [using(h) for h in (z, y, loss, det, k)]
    entry = g.split(g.lemma("razin2020.lemma-25", "statement", "W", "z", "y", "eps", "l", by=given))[0]
    positive = g.split(g.lemma("razin2020.lemma-25", "part:sizes", "W", "z", "y", "eps", "l", by=given))[3]
    only(g, *half, entry, positive)

    def quarter(g: Goal) -> None:
        only(g, *half, positive)
        m = LEAST
        a = g.have(f"0 <= abs(z) - {U} - {m}/2", lambda g: g.pos([f"@{half[0]}", "1/2"], [f"@{half[2]}"]))
        b = g.have(f"0 <= abs(y) - {U} - {m}/2", lambda g: g.pos([f"@{half[0]}", "1/2"], [f"@{half[3]}"]))
        only(g, a, b, positive, half[1])
        g.pos([f"@{a}", f"@{b}"], [f"@{a}", f"{m}/2"], [f"@{b}", f"{m}/2"], mul=[E])

    g.conj(lambda g: g.pos([f"@{entry}"]), quarter)


MIDDLE = f"({W11}/sqrt(2) + 4*abs(eps) + 3*{U})"


SIGNS = f"0 < {S1} and {S2} <= 4*{E} and {W11}/sqrt(2) - {U} <= {S1} and 0 < {W11} and 0 < {E} and 0 <= {S2} and 0 <= {U}"


@part(
    "razin2020.thm-2-step-rho1-chain",
    "ingredients",
    f"{SIGNED} {SMALLER} {SIGNS}",
    says="Lemma 26 for small losses, and the signs of its terms",
    uses=["razin2020.lemma-25", "razin2020.lemma-26-eq-50", "razin2020.lemma-26-sigma1"],
)
def bounds_of_both_singular_values(g: Goal) -> None:
    """Lemmas 25 and 26; no singular value is 0, as the determinant is not."""
    z, y, loss, det, small = g.intro()
    k = threshold(g, small)
    given = [using(h) for h in (z, y, loss, det, k)]
    sizes = g.split(g.lemma("razin2020.lemma-25", "part:sizes", "W", "z", "y", "eps", "l", by=given))
    second = g.lemma("razin2020.lemma-26-eq-50", "statement", "W", "z", "y", "eps", "l", by=given)
    first = g.lemma("razin2020.lemma-26-sigma1", "statement", "W", "z", "y", "eps", "l", by=given[:3])
    order = g.fact("sv_range", 2, 2, "W")
    low = g.split(g.apply(order, 2, 2))[0]
    one, ge = g.split(g.apply(order, 1, 2))
    ge = g.apply(ge)
    product = g.split(g.fact("sv_2x2", "W"))[0]

    def entry(g: Goal) -> None:
        only(g, sizes[7])
        zero = g.contra()
        k = g.have("abs(W[1,1]) = 0", lambda g: g.antisym(using(zero), lambda g: g.pos(["abs(W[1,1])"])))
        g.pos([f"@{sizes[7]}"], ["abs(W[1,2])", "abs(W[2,1])"], eqs=[(k, "-abs(W[2,2])")])

    entry_ = g.have(f"0 < {W11}", entry)

    def positive(g: Goal) -> None:
        zero = g.contra()
        only(g, zero, low, one, ge, det, product)
        a = g.have(f"{S1} = 0", lambda g: g.antisym(using(zero), using(one)))
        size = g.fact("abs_square", "det(W)")
        # det^2 = 0 but z y det > 0
        square = g.have("det(W)^2 = 0", lambda g: g.field((size, -1), (product, "-abs(det(W))"), (a, f"abs(det(W))*{S2}")))
        root = g.apply(g.fact("square_zero", "det(W)"), by=[using(square)])
        g.pos([f"@{det}"], eqs=[(root, "-z*y")])

    s1 = g.have(f"0 < {S1}", positive)
    second = g.have(f"{S2} <= 4*{E}", lambda g: g.pos([f"@{second}"]))
    g.conj(*[using(h) for h in (s1, second, first, entry_, sizes[3], low, sizes[0])])


def rank_ingredients(g: Goal, given: list[str]) -> list[str]:
    """Adds 0 < s1, s2 <= 4 (|eps| + u), |w11|/sqrt(2) - u <= s1, 0 < |w11|, 0 < |eps| + u, 0 <= s2, 0 <= u."""
    scripts = [using(h) for h in given]
    return g.split(g.lemma("razin2020.thm-2-step-rho1-chain", "part:ingredients", "W", "z", "y", "eps", "l", by=scripts))


@holds(
    "razin2020.thm-2-step-rho1-chain",
    f"""{SIGNED} {SMALLER} {S1}/({S1} + 4*{E}) <= {rho(1, "W")} and
       1 - 4*{E}/{MIDDLE} <= {S1}/({S1} + 4*{E}) and 1 - 4*sqrt(2)*{E}/{W11} <= 1 - 4*{E}/{MIDDLE}""",
    uses=["razin2020.thm-2-step-rho1-chain"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def first_share_for_a_small_perturbed_loss(g: Goal) -> None:
    """Lemma 26 put into s1/(s1 + s2)."""
    s1, second, first, entry, positive, low, u = rank_ingredients(g, g.intro())
    only(g, s1, second, first, entry, positive, low, u)
    g.have("0 < sqrt(2)")
    mid = g.have(f"0 < {MIDDLE}", lambda g: middle_is_positive(g, entry, u))

    def start(g: Goal) -> None:
        only(g, s1, second, positive, low)
        g.pos([f"@{second}", S1], mul=[f"{S1} + 4*{E}", f"{S1} + {S2}"])

    def second_step(g: Goal) -> None:
        only(g, s1, first, positive, mid)
        g.pos([f"@{first}", 4, E], mul=[f"{S1} + 4*{E}", MIDDLE])

    def third(g: Goal) -> None:
        only(g, entry, positive, mid, u)
        root = g.by_fact("sqrt_sq", "2")
        g.have("0 < sqrt(2)")
        g.pos(
            [16, "sqrt(2)", E, "abs(eps)"], [12, "sqrt(2)", E, f"@{u}"], mul=[W11, MIDDLE], eqs=[(root, f"4*{E}*{W11}/sqrt(2)")]
        )

    g.conj(start, second_step, third)


def middle_is_positive(g: Goal, entry: str, u: str) -> None:
    """0 < |w11|/sqrt(2) + 4 |eps| + 3 u."""
    only(g, entry, u)
    g.have("0 < sqrt(2)")
    g.pos([f"{W11}/sqrt(2)"], [4, "abs(eps)"], [3, f"@{u}"])


@holds(
    "razin2020.thm-2-step-rho2",
    f"{SIGNED} {SMALLER} {rho(2, 'W')} <= 16*sqrt(2)*{E}^2/{LEAST}^2",
    uses=["razin2020.thm-2-step-rho1-chain", "razin2020.thm-2-step-w11-quarter"],
    argument="sound",
    reading=NAMES,
    context=SAME_SIGN,
)
def second_share_for_a_small_perturbed_loss(g: Goal) -> None:
    """rho_2 = 1 - rho_1 <= 4 sqrt(2) E/|w11| and |w11| >= min^2/(4 E)."""
    names = g.intro()
    chain = g.split(g.lemma("razin2020.thm-2-step-rho1-chain", "statement", "W", "z", "y", "eps", "l"))
    entry = g.split(g.lemma("razin2020.thm-2-step-w11-quarter", "statement", "W", "z", "y", "eps", "l"))
    half = g.split(g.lemma("razin2020.thm-2-step-w11-quarter", "part:half", "W", "z", "y", "eps", "l"))
    s1, _, _, w, positive, low, _ = rank_ingredients(g, names)
    only(g, *chain, *entry, half[1], s1, positive, w, low)
    total = g.have(f"0 < {S1} + {S2}", lambda g: g.pos([f"@{s1}"], [f"@{low}"]))
    one = g.have(f"1 - 4*sqrt(2)*{E}/{W11} <= {rho(1, 'W')}", lambda g: summed(g, chain))
    two = g.have(f"{LEAST}^2/(4*{E}) <= {W11}", lambda g: summed(g, entry))
    only(g, one, two, total, positive, w, half[1])
    g.have("0 < sqrt(2)")
    k = g.have(f"{rho(2, 'W')} <= 4*sqrt(2)*{E}/{W11}", lambda g: g.pos([f"@{one}"]))
    only(g, k, two, positive, w, half[1])
    g.have("0 < sqrt(2)")
    m = g.have(
        f"4*sqrt(2)*{E}/{W11} <= 16*sqrt(2)*{E}^2/{LEAST}^2",
        lambda g: g.pos([f"@{two}", 16, "sqrt(2)", f"{E}^2"], mul=[W11, f"{LEAST}^2"]),
    )
    only(g, k, m)
    g.pos([f"@{k}"], [f"@{m}"])


def summed(g: Goal, names: list[str]) -> None:
    """a <= b from a chain of inequalities."""
    only(g, *names)
    g.pos(*[[f"@{h}"] for h in names])


FIRST = f"8*2^(1/4)/(log(2)*{LEAST})*{E}"
LAST = f"16/{LEAST}*{E}"


def not_zero(g: Goal, det: str) -> None:
    """W != O, since z y det W > 0."""
    z = g.contra()
    d = g.have("det(W) = det(O(2,2))", lambda g: g.ctx(using(z)))
    g.pos([f"@{det}"], eqs=[(d, "-z*y")])


@holds(
    "razin2020.thm-2-step-erank-final",
    f"""({SIGNED} {SMALLER} all p:R. p = {rho(2, "W")} => {erank("W")} <= 1 + (-(p*log(p)) - (1 - p)*log(1 - p))/log(2) and
          1 + (-(p*log(p)) - (1 - p)*log(1 - p))/log(2) <= 1 + {FIRST} and 1 + {FIRST} <= 1 + {LAST}) and 2^(1/4)/log(2) < 2""",
    uses=["razin2020.lemma-9", "razin2020.thm-2-step-rho2", "razin2020.thm-1-step-exp-chord", "razin2020.thm-2-step-w11-quarter"],
    argument="sound",
    reading=f"p stands for rho_2(W); {NAMES}",
    context=SAME_SIGN,
)
def effective_rank_for_a_small_perturbed_loss(g: Goal) -> None:
    """Chord bound, Lemma 9, and sqrt(rho_2) <= 4 2^(1/4) E/min."""
    constant = g.have("2^(1/4)/log(2) < 2", lambda g: g.ball())

    def bound(g: Goal) -> None:
        names = g.intro()
        z, y, loss, det, small, value = names
        half = g.split(
            g.lemma("razin2020.thm-2-step-w11-quarter", "part:half", "W", "z", "y", "eps", "l", by=[using(h) for h in names[:5]])
        )
        share = g.lemma("razin2020.thm-2-step-rho2", "statement", "W", "z", "y", "eps", "l", by=[using(h) for h in names[:5]])
        n = g.have("W != O(2,2)", lambda g: not_zero(g, det))
        k = g.split(g.lemma("razin2020.thm-1-step-exp-chord"))[1]
        chord = g.apply(k, "W", "p", by=[using(n), using(value)])
        low, high, _ = second_share(g, n, value)
        nine = g.lemma("razin2020.lemma-9", "statement", "p", by=[using(low), using(high)])
        only(g, share, chord, nine, low, half[1], half[0], value, constant, loss)
        sign = loss_nonneg(g, loss)
        share = g.have(f"p <= 16*sqrt(2)*{E}^2/{LEAST}^2", lambda g: g.pos([f"@{share}"], eqs=[(value, -1)]))
        only(g, share, chord, nine, low, half[1], constant, sign)
        two = positive_log_two(g)
        u = g.by_fact("sqrt_nonneg", "2*l")
        only(g, share, chord, nine, low, half[1], constant, two, u)
        e = g.have(f"0 <= {E}", lambda g: g.pos(["abs(eps)"], [f"@{u}"]))
        target = f"4*2^(1/4)*{E}/{LEAST}"

        def root(g: Goal) -> None:
            only(g, share, low, half[1], e)
            mono = g.by_fact("sqrt_mono", "p", f"16*sqrt(2)*{E}^2/{LEAST}^2", by=[using(low), using(share)])
            unique = g.by_fact(
                "sqrt_unique",
                f"16*sqrt(2)*{E}^2/{LEAST}^2",
                target,
                by=[lambda g: g.pos([f"@{e}", "4*2^(1/4)"], mul=[LEAST]), lambda g: g.field()],
            )
            g.pos([f"@{mono}"], eqs=[(unique, -1)])

        r = g.have(f"sqrt(p) <= {target}", root)

        def second(g: Goal) -> None:
            only(g, nine, r, two, half[1])
            g.pos([f"@{nine}", LEAST], [f"@{r}", 2, LEAST], mul=["log(2)", LEAST])

        def third(g: Goal) -> None:
            only(g, constant, two, half[1], e)
            g.pos([f"@{constant}", 8, f"@{e}"], mul=[LEAST])

        g.conj(using(chord), second, third)

    g.conj(bound, using(constant))


@part(
    "razin2020.thm-2-step-inf-erank",
    "small-second-value",
    f"all z y eps e:R. z != 0 => y != 0 => 0 < e => ex x:R. sv({SX},2) < e and sv({SX},2) <= e*sv({SX},1) and 0 < sv({SX},1)",
    says="some solution has a small second singular value",
)
def some_solution_is_nearly_of_rank_one(g: Goal) -> None:
    """For eps != 0 the one of determinant 0; else s1 s2 = |z y|, 4 s1^2 >= x^2 and x = 2 (1 + |z y|)(1 + 1/e)."""
    z, y, e = g.intro()

    def general(g: Goal, m: str) -> list[str]:
        product, squares = g.split(g.fact("sv_2x2", m))
        order = g.fact("sv_range", 2, 2, m)
        low = g.split(g.apply(order, 2, 2))[0]
        one, ge = g.split(g.apply(order, 1, 2))
        return [product, squares, low, one, g.apply(ge)]

    def positive(g: Goal, m: str, squares: str, low: str, one: str, ge: str) -> str:
        def prove(g: Goal) -> None:
            k = g.contra()
            only(g, k, low, one, ge, squares, z)
            a = g.have(f"sv({m},1) = 0", lambda g: g.antisym(using(k), using(one)))
            b = g.have(f"sv({m},2) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{ge}"], eqs=[(a, -1)]), using(low)))
            entry = m[2:].split(",", 1)[0]
            g.pos(["z^2"], [f"({entry})^2"], ["y^2"], ["eps^2"], eqs=[(squares, 1), (a, f"-sv({m},1)"), (b, f"-sv({m},2)")])

        return g.have(f"0 < sv({m},1)", prove)

    def away(g: Goal) -> None:
        n = next(reversed(g.seq.hyps))
        m = perturbed("z*y/eps")
        g.witness("z*y/eps")
        product, squares, low, one, ge = general(g, m)
        only(g, z, e, n, product, squares, low, one, ge)
        p = positive(g, m, squares, low, one, ge)
        det = g.have(f"det({m}) = 0", lambda g: g.field())
        size = g.fact("abs_square", f"det({m})")

        def vanish(g: Goal) -> None:
            square = g.have(f"abs(det({m}))^2 = 0", lambda g: g.field((size, 1), (det, f"det({m})")))
            k = g.apply(g.fact("square_zero", f"abs(det({m}))"), by=[using(square)])
            k = g.have(f"sv({m},1)*sv({m},2) = 0", lambda g: g.field((product, 1), (k, 1)))
            only(g, k, p, low)
            g.antisym(lambda g: g.pos(mul=[f"sv({m},1)"], eqs=[(k, -1)]), using(low))

        b = g.have(f"sv({m},2) = 0", vanish)
        only(g, b, e, p)
        g.conj(lambda g: g.pos([f"@{e}"], eqs=[(b, -1)]), lambda g: g.pos([f"@{e}", f"@{p}"], eqs=[(b, -1)]), using(p))

    def at_zero(g: Goal) -> None:
        eq = g.have("eps = 0", lambda g: g.close_by(next(reversed(g.seq.hyps))))
        zy = "abs(z*y)"
        x = f"(2*(1 + {zy})*(1 + 1/e))"
        m = perturbed(x)
        g.witness(x)
        product, squares, low, one, ge = general(g, m)
        size = g.fact("abs_square", f"det({m})")
        other = g.fact("abs_square", "z*y")
        only(g, e, eq, product, squares, low, one, ge, size, other)

        def same(g: Goal) -> None:
            # |det| = |z y|, as the squares agree
            only(g, eq, size, other)
            square = g.have(
                f"abs(det({m}))^2 = {zy}^2", lambda g: g.field((size, 1), (other, -1), (eq, f"{x}*({x}*eps - 2*z*y)"))
            )
            a = g.by_fact("sqrt_unique", f"abs(det({m}))^2", zy, by=[None, lambda g: g.field((square, -1))])
            b = g.by_fact("sqrt_unique", f"abs(det({m}))^2", f"abs(det({m}))", by=[None, Goal.refl])
            g.field((a, 1), (b, -1))

        det = g.have(f"abs(det({m})) = {zy}", same)
        product = g.have(f"sv({m},1)*sv({m},2) = {zy}", lambda g: g.field((product, 1), (det, 1)))

        big = g.have(f"(1 + {zy})*(1 + 1/e) <= sv({m},1)", lambda g: entry_bound(g, squares, low, one, ge, e, m))
        only(g, e, product, low, one, big)
        p = g.have(f"0 < sv({m},1)", lambda g: g.pos([f"@{big}"], [1], ["1/e"], [zy], [zy, "1/e"]))
        g.conj(
            lambda g: g.pos([f"@{big}", "e"], ["e"], ["1"], [zy, "e"], mul=[f"sv({m},1)"], eqs=[(product, -1)]),
            lambda g: g.pos(
                [f"@{big}", "e", f"sv({m},1)"],
                [f"@{big}", "e", f"(1 + {zy})*(1 + 1/e)"],
                [f"(1 + {zy}^2)*(e + 2 + 1/e)"],
                [2, zy, "e"],
                [3, zy],
                [2, zy, "1/e"],
                mul=[f"sv({m},1)"],
                eqs=[(product, -1)],
            ),
            using(p),
        )

    g.em("eps != 0", away, at_zero)


def entry_bound(g: Goal, squares: str, low: str, one: str, ge: str, e: str, m: str) -> None:
    """x/2 <= s1, since 4 s1^2 >= 2 (s1^2 + s2^2) >= x^2."""
    half = "((1 + abs(z*y))*(1 + 1/e))"
    k = g.contra()
    only(g, squares, low, one, ge, e, k)
    g.have(f"0 < {half}", lambda g: g.pos([1], ["abs(z*y)"], ["1/e"], ["abs(z*y)", "1/e"]))
    g.pos(
        [f"@{k}", 4, half],
        [f"@{k}", 4, f"sv({m},1)"],
        [f"@{ge}", 2, f"sv({m},1)"],
        [f"@{ge}", 2, f"sv({m},2)"],
        [4, f"{half}^2"],
        [2, "z^2"],
        [2, "y^2"],
        [2, "eps^2"],
        eqs=[(squares, 2)],
    )


def at_least_one(g: Goal, m: str, total: str) -> str:
    """1 <= erank(m), from 0 < sv_1 + sv_2."""
    both = f"(sv({m},1) + sv({m},2))"
    order = g.fact("sv_range", 2, 2, m)

    def nonneg(g: Goal) -> None:
        g.fix("i")
        g.assume()
        k = g.split(g.apply(order, "i", "i"))[0]
        only(g, k, total)
        g.pos([f"@{k}"], mul=[both])

    share = f"lam i:Z. sv({m},i)/{both}"
    k = g.split(g.lemma("razin2020.def-1", "part:entropy", 2, share, by=[None, nonneg, lambda g: g.field()]))[0]

    def written_out(g: Goal) -> None:
        only(g, total)
        g.ctx(lambda g: g.field())

    eq = g.have(("=", g.hyp_formula(k)[2], g.term(erank(m))), written_out)
    return g.have(f"1 <= {erank(m)}", lambda g: (g.rewrite(eq, back=True), g.close_by(k))[-1])


def total_is_positive(g: Goal, m: str, off: str) -> str:
    """0 < sv_1 + sv_2 for a matrix with the entry z beside the diagonal, where off says z != 0."""

    def prove(g: Goal) -> None:
        squares = g.split(g.fact("sv_2x2", m))[1]
        order = g.fact("sv_range", 2, 2, m)
        a, b = (g.split(g.apply(order, i, i))[0] for i in (1, 2))
        k = g.contra()
        only(g, squares, a, b, k, off)
        one = g.have(f"sv({m},1) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{k}"], [f"@{b}"]), using(a)))
        two = g.have(f"sv({m},2) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{k}"], [f"@{a}"]), using(b)))
        first = m[2:].split(",", 1)[0]
        g.pos(["z^2"], [f"({first})^2"], ["y^2"], ["eps^2"], eqs=[(squares, 1), (one, f"-sv({m},1)"), (two, f"-sv({m},2)")])

    return g.have(f"0 < sv({m},1) + sv({m},2)", prove)


@holds(
    "razin2020.thm-2-step-inf-erank",
    f"all z y eps:R. z != 0 => y != 0 => all m:R. {infimum('m', erank(SX))} <=> m = 1",
    uses=["razin2020.thm-2-step-inf-erank", "razin2020.thm-1-step-exp-chord", "razin2020.lemma-9", "razin2020.def-1"],
    argument="sound",
    reading=f"m is the infimum of the effective rank over the solutions; {NAMES}",
)
def infimum_over_the_perturbed_solutions_is_one(g: Goal) -> None:
    """The effective rank is at least 1, and at most 1 + 2/log 2 sqrt(rho_2), where rho_2 <= s2/s1 can be made small."""
    z, y = g.intro()

    def lower(g: Goal) -> None:
        g.fix("x")
        at_least = at_least_one(g, SX, total_is_positive(g, SX, z))
        g.close_by(at_least)

    def near(g: Goal) -> None:
        g.fix("e_")
        h = g.assume()
        two = positive_log_two(g)
        small = "(e_*log(2)/4)^2"
        part_ = g.lemma(
            "razin2020.thm-2-step-inf-erank", "part:small-second-value", "z", "y", "eps", small, by=[using(z), using(y), None]
        )
        _, ratio, first = g.obtain(part_, "x")
        g.witness("x")
        low = g.split(g.apply(g.fact("sv_range", 2, 2, SX), 2, 2))[0]
        n = g.have(f"{SX} != O(2,2)", lambda g: entry_is_not_zero(g, z))
        chord = g.apply(g.split(g.lemma("razin2020.thm-1-step-exp-chord"))[1], SX, rho(2, SX), by=[using(n), Goal.refl])
        bounds = f"0 <= {rho(2, SX)} and {rho(2, SX)} <= 1 and {rho(2, SX)} <= {small}"

        def share(g: Goal) -> None:
            only(g, h, two, ratio, first, low)
            total = g.have(f"0 < sv({SX},1) + sv({SX},2)", lambda g: g.pos([f"@{first}"], [f"@{low}"]))
            g.conj(
                lambda g: g.pos([f"@{low}"], mul=[f"sv({SX},1) + sv({SX},2)"]),
                lambda g: g.pos([f"@{first}"], mul=[f"sv({SX},1) + sv({SX},2)"]),
                lambda g: g.pos([f"@{ratio}"], [small, f"@{low}"], mul=[f"sv({SX},1) + sv({SX},2)"]),
            )
            del total

        a, b, c = g.split(g.have(bounds, share))
        nine = g.lemma("razin2020.lemma-9", "statement", rho(2, SX), by=[using(a), using(b)])
        root = g.by_fact("sqrt_mono", rho(2, SX), small, by=[using(a), using(c)])
        only(g, h, two, chord, nine, root)
        own = g.by_fact("sqrt_unique", small, "e_*log(2)/4", by=[None, Goal.refl])
        only(g, h, two, chord, nine, root, own)
        g.pos([f"@{chord}", "log(2)"], [f"@{nine}"], [f"@{root}", 2], ["e_/2", "log(2)"], mul=["log(2)"], eqs=[(own, -2)])

    low = g.have(f"all x:R. 1 <= {erank(SX)}", lower)
    close = g.have(f"all e_:R. 0 < e_ => ex x:R. {erank(SX)} < 1 + e_", near)
    only(g, low, close)
    infimum_is(g, "m", "1", low, close)


def entry_is_not_zero(g: Goal, off: str) -> None:
    """A solution is not the zero matrix."""
    eq = g.contra()
    k = g.have(f"{SX}[1,2] = O(2,2)[1,2]", lambda g: g.ctx(using(eq)))
    k = g.have("z = 0", lambda g: g.field((k, 1)))
    g.clash(k, off)


def infimum_is(g: Goal, m: str, value: str, low: str, close: str) -> None:
    """infimum(m, f) <=> m = value, where `low` says value <= f(x) for all x, and `close` that f comes near value."""

    def forward(g: Goal) -> None:
        below, near = g.split(g.assume())

        def at_most(g: Goal) -> None:
            wrong = g.contra()
            (k,) = g.obtain(g.apply(close, f"{m} - {value}", by=[lambda g: g.pos([f"@{wrong}"])]), "x")
            own = g.apply(below, "x")
            only(g, k, own)
            g.pos([f"@{k}"], [f"@{own}"])

        def at_least(g: Goal) -> None:
            wrong = g.contra()
            (k,) = g.obtain(g.apply(near, f"{value} - {m}", by=[lambda g: g.pos([f"@{wrong}"])]), "x")
            own = g.apply(low, "x")
            only(g, k, own)
            g.pos([f"@{k}"], [f"@{own}"])

        g.antisym(at_most, at_least)

    def backward(g: Goal) -> None:
        g.rewrite(g.assume())
        g.conj(using(low), using(close))

    g.iff(forward, backward)


@holds(
    "razin2020.thm-2-step-erank-vacuous",
    f"""all z y eps l m:R. z != 0 => y != 0 => 0 <= l => min(z^2/8, y^2/8) <= l => {infimum("m", erank(SX))} => 2 < m + {LAST}""",
    uses=["razin2020.thm-2-step-inf-erank"],
    argument="sound",
    reading=f"m is the infimum of the effective rank over the solutions, l any number from the threshold on; {NAMES}",
)
def perturbed_rank_bound_is_vacuous_for_large_loss(g: Goal) -> None:
    """m = 1 and 2 sqrt(2 l) >= min(|z|, |y|), so the right side is at least 9."""
    z, y, sign, large, inf = g.intro(split=False)
    k = g.apply(g.lemma("razin2020.thm-2-step-inf-erank", "statement", "z", "y", "eps", by=[using(z), using(y)]), "m")
    one = g.apply(g.split(k)[0], by=[using(inf)])
    some = minimum_is_one_of(g, large)
    only(g, z, y, sign, some, one)
    value, u = g.by_fact("sqrt_sq", "2*l"), g.by_fact("sqrt_nonneg", "2*l")

    def case(x: str) -> Script:
        def script(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            square = g.fact("abs_square", x)

            def bound(g: Goal) -> None:
                k = g.contra()
                only(g, h, square, value, u, k)
                g.pos([f"@{k}", f"2*{U} + abs({x})"], [f"@{h}", 8], eqs=[(square, -1), (value, 4)])

            k = g.have(f"abs({x}) <= 2*{U}", bound)

            def least(g: Goal) -> None:
                g.split(next(reversed(g.seq.hyps)))
                g.nlin(products=1)

            only(g, k)
            g.cases(g.fact("min_cases", "abs(z)", "abs(y)"), least, least)

        return script

    big = g.have(f"{LEAST} <= 2*{U}", lambda g: g.cases(some, case("z"), case("y")))
    only(g, z, y, big, one)
    g.have("0 < abs(z)")
    g.have("0 < abs(y)")
    g.have(f"0 < {LEAST}")
    g.pos([f"@{big}", 8], [7, LEAST], [16, "abs(eps)"], mul=[LEAST], eqs=[(one, LEAST)])


@part(
    "razin2020.theorem-2-eq-16",
    "static",
    f"{SIGNED} {erank('W')} <= 1 + {LAST}",
    says="the bound for a matrix whose determinant has the sign of z z'",
    uses=[
        "razin2020.thm-2-step-erank-final",
        "razin2020.thm-2-step-erank-vacuous",
        "razin2020.thm-2-step-inf-erank",
        "razin2020.thm-1-step-erank-vacuous",
    ],
)
def perturbed_rank_bound_for_a_matrix(g: Goal) -> None:
    """For a small loss the steps of the proof; else the right side exceeds 2."""
    z, y, loss, det = g.intro()
    sign = loss_nonneg(g, loss)

    def small(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        k = g.split(g.lemma("razin2020.thm-2-step-erank-final"))[0]
        k = g.apply(k, "W", "z", "y", "eps", "l", by=[using(x) for x in (z, y, loss, det, h)])
        a, b, c = g.split(g.apply(k, rho(2, "W"), by=[Goal.refl]))
        only(g, a, b, c)
        g.pos([f"@{a}"], [f"@{b}"], [f"@{c}"])

    def large(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        n = g.have("W != O(2,2)", lambda g: not_zero(g, det))
        top = g.apply(g.split(g.lemma("razin2020.thm-1-step-erank-vacuous"))[1], "W", by=[using(n)])
        iff = g.apply(g.lemma("razin2020.thm-2-step-inf-erank", "statement", "z", "y", "eps", by=[using(z), using(y)]), 1)
        one = g.have("1 = 1", Goal.refl)
        inf = g.apply(g.split(iff)[1], by=[using(one)])
        scripts = [using(x) for x in (z, y, sign, h, inf)]
        k = g.lemma("razin2020.thm-2-step-erank-vacuous", "statement", "z", "y", "eps", "l", 1, by=scripts)
        only(g, k, top)
        g.pos([f"@{k}"], [f"@{top}"])

    g.em("min(z^2/8, y^2/8) <= l", large, small)


RANK = family_infimal_rank(SX, "r")


@holds(
    "razin2020.thm-2-step-infimal-rank",
    f"""(all z y eps:R, r:Z. z != 0 => y != 0 => ({RANK} <=> r = 1)) and (all W:M(2,2), m:R. {distance("m", "W", "1")} => m = sv(W,2))""",
    uses=["razin2020.thm-2-step-inf-erank", "razin2020.prop-2-step-distance"],
    argument="sound",
    reading=NAMES,
)
def infimal_rank_of_the_perturbed_solutions_is_one(g: Goal) -> None:
    """Some solutions have an arbitrarily small second singular value; all have at least the norm |z|. The distance is s2."""

    def rank(g: Goal) -> None:
        z, y = g.intro()
        one = g.have(family_distance(SX, "0", "1"), lambda g: near_rank_one(g, z, y))
        none = g.have(f"not {family_distance(SX, '0', '0')}", lambda g: far_from_zero(g, z))
        only(g, one, none)

        def forward(g: Goal) -> None:
            low, _, zero, least = g.split(g.assume())

            def below(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                k = g.by_fact("int_lt", "r", 1, by=[using(h)])
                eq = g.have("r = 0", lambda g: g.antisym(lambda g: g.pos([f"@{k}"]), using(low)))
                k = g.have(family_distance(SX, "0", "0"), lambda g: put(g, family_distance(SX, "0", "hole"), "0", "r", eq, zero))
                g.clash(k, none)

            def above(g: Goal) -> None:
                k = g.apply(least, 1)
                g.clash(one, k)

            g.cases(g.fact("trichotomy", "r", 1), below, None, above)

        def backward(g: Goal) -> None:
            g.rewrite(g.assume())

            def least(g: Goal) -> None:
                g.fix("k")
                low, high = g.split_all(g.assume())
                zero = g.assume()
                k = g.by_fact("int_lt", "k", 1, by=[using(high)])
                eq = g.have("k = 0", lambda g: g.antisym(lambda g: g.pos([f"@{k}"]), using(low)))
                k = g.have(family_distance(SX, "0", "0"), lambda g: put(g, family_distance(SX, "0", "hole"), "0", "k", eq, zero))
                g.clash(k, none)

            g.conj(None, None, using(one), least)

        g.iff(forward, backward)

    def second(g: Goal) -> None:
        g.fix()
        h = g.assume()
        g.close_by(distance_value(g, h, "m", "W"))

    g.conj(rank, second)


def near_rank_one(g: Goal, z: str, y: str) -> None:
    """The distance of the solutions from the matrices of rank at most 1 is 0."""

    def below(g: Goal) -> None:
        g.intro()
        g.close_by(g.by_fact("sqrt_nonneg", f"tr(T({SX} - M) @ ({SX} - M))"))

    def near(g: Goal) -> None:
        h = g.intro()[0]
        half = g.have("0 < e_/2", lambda g: g.pos([f"@{h}", "1/2"]))
        k = g.lemma(
            "razin2020.thm-2-step-inf-erank",
            "part:small-second-value",
            "z",
            "y",
            "eps",
            "e_/2",
            by=[using(z), using(y), using(half)],
        )
        small, *_ = g.obtain(k, "x")
        own = g.split(g.lemma("razin2020.prop-2-step-distance", "part:second-singular-value", SX))
        rank, close = g.obtain(g.apply(own[1], "e_/2", by=[using(half)]), "Y")
        g.witness("x", "Y")
        g.conj(using(rank), lambda g: (only(g, close, small), g.pos([f"@{close}"], [f"@{small}"]))[-1])

    g.conj(below, near)


def far_from_zero(g: Goal, z: str) -> None:
    """A matrix of rank 0 is zero, and |W_x|^2 >= z^2."""
    h = g.assume()
    near = g.split(h)[1]
    positive = g.have("0 < abs(z)")
    rank, close = g.obtain(g.apply(near, "abs(z)", by=[using(positive)]), "x", "M")
    best = g.split(g.by_fact("eckart_young", 2, 2, 0, "M"))[1]
    own = g.apply(best, "M", by=[using(rank)])
    norm = g.by_fact("sv_frobenius", 2, 2, "M")
    only(g, z, close, own, norm)
    none = g.have("tr(T(M - M) @ (M - M)) = 0", lambda g: g.field())
    total = g.have("tr(T(M) @ M) <= 0", lambda g: g.pos([f"@{own}"], eqs=[(norm, -1), (none, 1)]))
    both = g.have("tr(T(M) @ M) = 0", lambda g: g.antisym(using(total)))
    zero = g.by_fact("frobenius_zero", 2, 2, "M", by=[using(both)])
    only(g, z, close, zero)
    radicand = f"tr(T({SX} - M) @ ({SX} - M))"
    square = g.by_fact("sqrt_sq", radicand)
    low = g.by_fact("sqrt_nonneg", radicand)

    def value(g: Goal) -> None:
        g.rewrite(zero)
        g.field()

    k = g.have(f"{radicand} = x^2 + z^2 + y^2 + eps^2", value)
    size = g.fact("abs_square", "z")
    positive = g.have("0 < abs(z)")
    only(g, close, square, low, k, size, positive)
    r = f"sqrt({radicand})"
    g.pos([f"@{close}", f"{r} + abs(z)"], ["x^2"], ["y^2"], ["eps^2"], eqs=[(square, 1), (k, 1), (size, -1)])


@part(
    "razin2020.theorem-2-eq-17",
    "static",
    f"{SIGNED} all m:R. {distance('m', 'W', '1')} => m <= 4*abs(eps) + (4 + sqrt({Z})/{LEAST})*{U}",
    says="the bound for a matrix whose determinant has the sign of z z'",
    uses=["razin2020.thm-2-step-infimal-rank", "razin2020.lemma-26-eq-49"],
)
def perturbed_distance_bound_for_a_matrix(g: Goal) -> None:
    """The distance from rank one is the second singular value, bounded by (49)."""
    *names, h = g.intro(split=False)
    value = g.apply(g.split(g.lemma("razin2020.thm-2-step-infimal-rank"))[1], "W", "m", by=[using(h)])
    k = g.lemma("razin2020.lemma-26-eq-49", "statement", "W", "z", "y", "eps", "l", by=[using(x) for x in names])
    only(g, value, k)
    g.rewrite(value)
    g.close_by(k)
