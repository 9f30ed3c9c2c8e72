"""Norms and quasi-norms: Equations (28) and (35), the bounded interval of Proposition 1, the steps to Equation (8)."""

from __future__ import annotations

from proofs.razin2020.loss_bounds import less_than_one, positive_root
from proofs.razin2020.problem import POSITIVE_DET, QUASI_NORM, SETTING, infimum, solution
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

X = solution("x")
NORM = f"all N:M(2,2)->R, c:R. 1 <= c and {QUASI_NORM} =>"
E11, E12, E21, E22 = "[[1,0],[0,0]]", "[[0,1],[0,0]]", "[[0,0],[1,0]]", "[[0,0],[0,1]]"


def lower_bound(g: Goal, homogeneous: str, triangle: str, whole: str, piece: str) -> str:
    """Adds N(piece) <= c (N(whole) + N(whole - piece))."""
    k = g.apply(triangle, whole, f"-1*({whole} - {piece})")
    minus = g.apply(homogeneous, f"{whole} - {piece}", -1)
    one = g.have("abs(-1) = 1", minus_one)
    return g.have(
        f"N({piece}) <= c*(N({whole}) + N({whole} - {piece}))",
        lambda g: g.pos([f"@{k}"], eqs=[(minus, "-c"), (one, f"-c*N({whole} - {piece})")]),
    )


def minus_one(g: Goal) -> None:
    """abs(-1) = 1."""
    h = g.fact("abs_cases", -1)

    def no(g: Goal) -> None:
        k = g.split(next(reversed(g.seq.hyps)))
        g.have("false", lambda g: g.pos([f"@{k[0]}"], [1]))
        g.auto()

    g.cases(h, no, lambda g: g.exact(g.split(next(reversed(g.seq.hyps)))[1]))


@holds(
    "razin2020.eq-28",
    f"""{NORM} all x:R.
       N(x*{E11})/c - N({X} - x*{E11}) <= N({X}) and
       N(x*{E11})/c - N({X} - x*{E11}) = abs(x)*(N({E11})/c) - N({E21} + {E12})""",
    argument="sound",
)
def norm_on_s_from_the_entry(g: Goal) -> None:
    """The weakened triangle inequality for x E11 = W - (W - x E11), and homogeneity."""
    _, _, _, homogeneous, triangle = g.intro()
    k = lower_bound(g, homogeneous, triangle, X, f"x*{E11}")
    scale = g.apply(homogeneous, E11, "x")
    rest = g.have(f"{X} - x*{E11} = {E21} + {E12}", lambda g: g.ext())
    value = g.have(f"N({X} - x*{E11}) = N({E21} + {E12})", lambda g: g.ctx(using(rest)))
    g.conj(lambda g: g.pos([f"@{k}"], mul=["c"]), lambda g: g.field((scale, "1/c"), (value, -1)))


@holds(
    "razin2020.eq-35",
    f"{NORM} all W:M(2,2). N(W[1,1]*{E11})/c - N(W - W[1,1]*{E11}) <= N(W)",
    argument="sound",
)
def norm_of_the_product_from_the_entry(g: Goal) -> None:
    """The weakened triangle inequality for w11 E11 = W - (W - w11 E11)."""
    _, _, _, homogeneous, triangle = g.intro()
    k = lower_bound(g, homogeneous, triangle, "W", f"W[1,1]*{E11}")
    g.pos([f"@{k}"], mul=["c"])


@holds(
    "razin2020.prop-1-bounded-interval",
    f"""{NORM} all eps m:R. 0 < eps => {infimum("m", f"N({X})")} =>
       ex lo hi:R. all x:R. N({X}) <= m + eps => lo <= x and x <= hi""",
    uses=["razin2020.eq-28"],
    argument="sound",
    reading="m is the infimum of the (quasi-)norm over the solutions",
)
def near_minimisers_lie_in_a_bounded_interval(g: Goal) -> None:
    """By (28) |x| N(E11)/c <= m + eps + N(E21 + E12); N(E11) > 0."""
    _, nonneg, zero, *_ = g.intro()
    bound = g.lemma("razin2020.eq-28", "statement", "N", "c")
    g.have(f"0 < N({E11})", lambda g: unit_is_positive(g, nonneg, zero))
    r = f"(m + eps + N({E21} + {E12}))*c/N({E11})"
    g.witness(f"-({r})", r)
    g.fix("x")
    h = g.assume()
    low, value = g.split(g.apply(bound, "x"))
    size = g.have(f"abs(x) <= {r}", lambda g: g.pos([f"@{h}", "c"], [f"@{low}", "c"], mul=[f"N({E11})"], eqs=[(value, "c")]))
    g.close_by(g.apply(g.split(g.fact("abs_le", "x", r))[0], by=[using(size)]))


def unit_is_positive(g: Goal, nonneg: str, zero: str) -> None:
    """0 < N(E11), since E11 is not zero."""
    k = g.apply(nonneg, E11)

    def no(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        z = g.apply(g.split(g.apply(zero, E11))[0], by=[lambda g: g.field((eq, -1))])
        entry = g.have(f"{E11}[1,1] = O(2,2)[1,1]", lambda g: g.ctx(using(z)))
        g.have("false", lambda g: g.pos([1], eqs=[(entry, -1)]))
        g.auto()

    g.cases(g.by_fact("lt_or_eq", 0, f"N({E11})", by=[using(k)]), None, no)


LARGEST = f"max(max(N({E11}), N({E12})), max(N({E21}), N({E22})))"


@holds(
    "razin2020.thm-1-step-remainder",
    f"""{NORM} {SETTING} l < 1/2 =>
       N(W - W[1,1]*{E11}) <= c*abs(W[2,2])*N({E22}) + c^2*(abs(W[2,1])*N({E21}) + abs(W[1,2])*N({E12})) and
       c*abs(W[2,2])*N({E22}) + c^2*(abs(W[2,1])*N({E21}) + abs(W[1,2])*N({E12}))
         <= c*sqrt(2*l)*N({E22}) + c^2*(1 + sqrt(2*l))*(N({E21}) + N({E12})) and
       c*sqrt(2*l)*N({E22}) + c^2*(1 + sqrt(2*l))*(N({E21}) + N({E12})) <= c*N({E22}) + 2*c^2*(N({E21}) + N({E12})) and
       c*N({E22}) + 2*c^2*(N({E21}) + N({E12})) <= 2*c^2*(N({E22}) + N({E21}) + N({E12}))""",
    uses=["razin2020.eq-30"],
    argument="sound",
    context=POSITIVE_DET,
)
def remainder_of_the_norm(g: Goal) -> None:
    """The weakened triangle inequality twice, |w_ij| <= 1 + sqrt(2 l), sqrt(2 l) <= 1 and 1 <= c."""
    one, nonneg, _, homogeneous, triangle, loss, det, small = g.intro()
    square = positive_root(g, loss, det)
    u = "sqrt(2*l)"
    below = g.have(f"{u} < 1", lambda g: less_than_one(g, square, small))
    bounds = g.split_all(g.lemma("razin2020.eq-30", "statement", "W", "l"))
    signs = {e: g.apply(nonneg, e) for e in (E12, E21, E22)}
    a, b, c = f"W[2,2]*{E22}", f"W[2,1]*{E21}", f"W[1,2]*{E12}"
    first = g.apply(triangle, a, f"{b} + {c}")
    second = g.apply(triangle, b, c)
    scale = [g.apply(homogeneous, E22, "W[2,2]"), g.apply(homogeneous, E21, "W[2,1]"), g.apply(homogeneous, E12, "W[1,2]")]
    whole = g.have(f"W - W[1,1]*{E11} = {a} + ({b} + {c})", lambda g: g.ext())
    value = g.have(f"N(W - W[1,1]*{E11}) = N({a} + ({b} + {c}))", lambda g: g.ctx(using(whole)))

    def entry(e: str, bound: str) -> str:
        k = g.fact("abs_triangle", f"{e} - 1", "1")
        unit = g.have("abs(1) = 1", absolute_of_one)
        return g.have(f"abs({e}) <= 1 + {u}", lambda g: g.pos([f"@{k}"], [f"@{bound}"], eqs=[(unit, 1)]))

    w12, w21 = entry("W[1,2]", bounds[1]), entry("W[2,1]", bounds[2])
    g.conj(
        lambda g: g.pos(
            [f"@{first}"], [f"@{second}", "c"], eqs=[(value, -1), (scale[0], "-c"), (scale[1], "-c^2"), (scale[2], "-c^2")]
        ),
        lambda g: g.pos(
            [f"@{bounds[0]}", "c", f"@{signs[E22]}"], [f"@{w21}", "c^2", f"@{signs[E21]}"], [f"@{w12}", "c^2", f"@{signs[E12]}"]
        ),
        lambda g: g.pos(
            [f"@{below}", "c", f"@{signs[E22]}"], [f"@{below}", "c^2", f"@{signs[E21]}"], [f"@{below}", "c^2", f"@{signs[E12]}"]
        ),
        lambda g: g.pos([f"@{one}", "c", 2, f"@{signs[E22]}"], ["c", f"@{signs[E22]}"]),
    )


def absolute_of_one(g: Goal) -> None:
    """abs(1) = 1."""
    g.field()


@holds(
    "razin2020.thm-1-step-norm-combine",
    f"""{NORM} {SETTING} l < 1/2 =>
       N({E11})/c*(1/sqrt(2*l)) - 2*c^2*(N({E11}) + N({E22}) + N({E21}) + N({E12})) <= N(W) and
       N({E11}) + N({E22}) + N({E21}) + N({E12}) <= 4*{LARGEST}""",
    uses=["razin2020.eq-35", "razin2020.thm-1-step-remainder", "razin2020.lemma-18"],
    argument="sound",
    context=POSITIVE_DET,
)
def norm_bound_for_small_loss(g: Goal) -> None:
    """(35), Lemma 18 and the bound of the remainder; 2/c <= 2 c^2."""
    one, nonneg, _, homogeneous, _, loss, det, _small = g.intro()
    positive_root(g, loss, det)
    entry, value = g.split(g.lemma("razin2020.lemma-18", "statement", "W", "l"))
    below = g.apply(g.lemma("razin2020.eq-35", "statement", "N", "c"), "W")
    rest = g.split_all(g.apply(g.lemma("razin2020.thm-1-step-remainder", "statement", "N", "c"), "W", "l"))
    sign = g.apply(nonneg, E11)
    scale = g.apply(homogeneous, E11, "W[1,1]")

    def bound(g: Goal) -> None:
        low = g.have("0 <= c^3 - 1", lambda g: g.pos([f"@{one}", "c^2 + c + 1"]))
        g.pos(
            [f"@{below}", "c"],
            [f"@{entry}", f"@{sign}"],
            *[[f"@{r}", "c"] for r in rest],
            [f"@{low}", 2, f"@{sign}"],
            ["sqrt(2*l)", f"@{sign}"],
            mul=["c"],
            eqs=[(scale, 1), (value, f"-N({E11})")],
        )

    g.conj(bound, largest)


def largest(g: Goal) -> None:
    """Each of four numbers is at most the largest."""
    pairs = [(f"N({E11})", f"N({E12})"), (f"N({E21})", f"N({E22})")]
    names = [at_most_max(g, a, b) for a, b in pairs]
    outer = at_most_max(g, *[f"max({a}, {b})" for a, b in pairs])
    g.pos(
        [f"@{names[0][0]}"],
        [f"@{names[0][1]}"],
        [f"@{names[1][0]}"],
        [f"@{names[1][1]}"],
        [f"@{outer[0]}", 2],
        [f"@{outer[1]}", 2],
    )


def at_most_max(g: Goal, a: str, b: str) -> tuple[str, str]:
    """Adds a <= max(a, b) and b <= max(a, b)."""

    def prove(g: Goal) -> None:
        def case(g: Goal) -> None:
            order, eq = g.split(next(reversed(g.seq.hyps)))
            g.pos(*([] if g.concl[1] == g.hyp_formula(eq)[2] else [[f"@{order}"]]), eqs=[(eq, 1)])

        g.cases(g.fact("max_cases", a, b), case, case)

    return g.have(f"{a} <= max({a}, {b})", prove), g.have(f"{b} <= max({a}, {b})", prove)


@holds(
    "razin2020.thm-1-step-norm-vacuous",
    f"""all N:M(2,2)->R, c a b:R. 1 <= c and {QUASI_NORM} => a = N({E11})/(sqrt(2)*c) => b = max(sqrt(2)*a, 8*c^2*{LARGEST}) =>
       all W:M(2,2), l:R. 1/2 <= l => a/sqrt(l) - b <= 0 and a/sqrt(l) - b <= N(W)""",
    argument="sound",
    reading="a and b are the constants of Theorem 1; the bound holds at every matrix W, for any number l from "
    "1/2 on in the place "
    "of its loss",
)
def bound_is_vacuous_for_large_loss(g: Goal) -> None:
    """1/sqrt(l) <= sqrt(2), as (sqrt(2) sqrt(l))^2 = 2 l >= 1; a (quasi-)norm is not negative."""
    one, nonneg, _, _, _, a, b, large = g.intro()
    sign = g.apply(nonneg, E11)
    own = g.apply(nonneg, "W")
    g.have("0 < sqrt(2)")
    g.have("0 < c", lambda g: g.pos([f"@{one}"], [1]))
    first, _ = at_most_max(g, "sqrt(2)*a", f"8*c^2*{LARGEST}")
    first = g.have("sqrt(2)*a <= b", lambda g: g.pos([f"@{first}"], eqs=[(b, 1)]))
    positive = g.have("0 <= a", lambda g: g.pos([f"@{sign}"], mul=["sqrt(2)", "c"], eqs=[(a, "sqrt(2)*c")]))
    k = g.have("a/sqrt(l) - b <= 0", lambda g: vacuous(g, positive, first, large))
    g.conj(using(k), lambda g: g.pos([f"@{k}"], [f"@{own}"]))


def vacuous(g: Goal, sign: str, order: str, large: str) -> None:
    """a/sqrt(l) - b <= 0 from 0 <= a, sqrt(2) a <= b, 1/2 <= l."""
    g.have("0 < l", lambda g: g.pos([f"@{large}"], ["1/2"]))
    two = g.by_fact("sqrt_sq", "2")
    root = g.by_fact("sqrt_sq", "l")
    g.have("0 < sqrt(l)")
    g.have("0 < sqrt(2)")

    def product(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{k}", "sqrt(2)*sqrt(l)"], [f"@{k}"], [f"@{large}", 2], eqs=[(two, "l"), (root, 2)])

    big = g.have("1 <= sqrt(2)*sqrt(l)", product)
    g.pos([f"@{order}", "sqrt(l)"], [f"@{big}", f"@{sign}"], mul=["sqrt(l)"])


@holds(
    "razin2020.prop-1-step-bounded",
    f"""{NORM} all eps m:R. 0 < eps => {infimum("m", f"N({X})")} =>
       ex b:R. 0 < b and (all x:R. b < abs(x) => m + eps < N({X})) and (all x:R. N({X}) <= m + eps => -b <= x and x <= b)""",
    uses=["razin2020.eq-28"],
    argument="sound",
    reading="m is the infimum of the (quasi-)norm over the solutions, b the bound C of the text",
)
def norms_exceed_the_infimum_beyond_a_bound(g: Goal) -> None:
    """By (28) |x| N(E11)/c <= N(W_x) + N(E21 + E12), so b = (m + eps + N(E21 + E12)) c/N(E11) + 1 will do, if m >= 0."""
    _, nonneg, zero, _, _, positive, _, near = g.intro()
    bound = g.lemma("razin2020.eq-28", "statement", "N", "c")
    g.have(f"0 < N({E11})", lambda g: unit_is_positive(g, nonneg, zero))

    def sign(g: Goal) -> None:
        wrong = g.contra()
        (k,) = g.obtain(g.apply(near, "-m", by=[lambda g: g.pos([f"@{wrong}"])]), "z")
        a = g.apply(nonneg, solution("z"))
        g.pos([f"@{k}"], [f"@{a}"])

    low = g.have("0 <= m", sign)
    rest = g.apply(nonneg, f"{E21} + {E12}")
    r = f"((m + eps + N({E21} + {E12}))*c/N({E11}) + 1)"
    g.witness(r)
    scale = f"c/N({E11})"
    g.have("0 < c")
    big = g.have(f"0 < {r}", lambda g: g.pos([f"@{low}", scale], [f"@{positive}", scale], [f"@{rest}", scale], [1]))

    def beyond(g: Goal) -> None:
        g.fix("x")
        h = g.assume()
        a, value = g.split(g.apply(bound, "x"))
        g.pos([f"@{h}", f"N({E11})", "1/c"], [f"@{a}"], [f"N({E11})", "1/c"], eqs=[(value, 1)])

    far = g.have(f"all x:R. {r} < abs(x) => m + eps < N({X})", beyond)

    def inside(g: Goal) -> None:
        g.fix("x")
        h = g.assume()

        def size(g: Goal) -> None:
            wrong = g.contra()
            k = g.apply(far, "x", by=[using(wrong)])
            g.pos([f"@{k}"], [f"@{h}"])

        k = g.have(f"abs(x) <= {r}", size)
        g.close_by(g.apply(g.split(g.fact("abs_le", "x", r))[0], by=[using(k)]))

    g.conj(using(big), using(far), inside)
