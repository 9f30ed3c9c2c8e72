"""Captions of Figure 5 and Footnote 16: when the unobserved entry must grow, by location and sign of the determinant."""

from __future__ import annotations

from proofs.razin2020.factorisation import BALANCED, FLOW, factors
from proofs.razin2020.perturbed_problem import E
from proofs.razin2020.perturbed_singular_values import Z
from proofs.razin2020.repositioned import MATRIX, PLACE, READING, T_W, sign_at, sign_at_all_times, turned_setting
from proofs.razin2020.scripts import nested, only, using
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

GRADIENT = """(all t:R. 0 <= t => G(t)[i,j] = 0 and G(t)[i,3-j] = X(t)[i,3-j] - z and G(t)[3-i,j] = X(t)[3-i,j] - y and
          G(t)[3-i,3-j] = X(t)[3-i,3-j])"""
SETTING = f"all {factors('2', '2')}, i j:Z, z y:R. 2 <= n => {FLOW} {BALANCED} {PLACE} {GRADIENT} => z != 0 => y != 0 =>"
LOSS_0 = "((X(t)[i,3-j] - z)^2 + (X(t)[3-i,j] - y)^2 + (X(t)[3-i,3-j] - 0)^2)/2"
VANISHES = f"all l:R->R. (all t:R. 0 <= t => l(t) = {LOSS_0}) => tends(t, l(t), 0) => tendsoo(t, abs(X(t)[i,j]))"


@refuted(
    "razin2020.assertion-fig-5-divergence",
    f"{SETTING} 0 < z*y*det(X(0)) => {VANISHES}",
    reading=f"the sign of the determinant at the start is that of z y, as the caption says; {READING}",
    reason="at an off-diagonal location the sign has to be the opposite one, as in condition (ii) of Theorem 2: with (1,2) unobserved and z = z' = 1 the "
    "factors W_1 = W_2 = I are stationary with zero loss and positive determinant, and the unobserved entry is 0 for ever",
)
def stationary_factors_at_an_off_diagonal_location(g: Goal) -> None:
    """All factors are the identity: (1,2) unobserved, w11 = z = 1, w22 = z' = 1, w21 = 0; nothing moves."""
    one = "[[1,0],[0,1]]"
    zero = "[[0,0],[0,0]]"
    g.witness(
        2,
        2,
        f"lam t:R. {one}",
        f"lam t:R. {one}",
        "lam l:Z, t:R. O(2,2)",
        f"lam l:Z, t:R. {one}",
        f"lam l:Z, t:R. {one}",
        f"lam t:R. {zero}",
        f"lam t:R. {one}",
        f"lam l:Z, t:R. {one}",
        1,
        2,
        1,
        1,
    )

    def empty(g: Goal) -> None:
        g.fix()
        low, high = g.split(g.assume())
        g.have("false", lambda g: g.pos([f"@{low}"], [f"@{high}"], [1]))
        g.auto()

    def entries(g: Goal) -> None:
        g.ext(lambda g: g.field())

    def products(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.conj(Goal.refl, Goal.refl, entries)

    def still(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.conj(velocity, velocity)

    def velocity(g: Goal) -> None:
        k = g.differentiate("t", one, "t")
        g.rewrite(k)
        entries(g)

    def gradient(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.conj(*[lambda g: g.field()] * 4)

    def stays(g: Goal) -> None:
        g.witness("lam t:R. 0")
        nested(g, lambda g: (g.fix("t"), g.assume(), g.field())[-1], lambda g: g.close_by(g.fact("tends_const", 0)), bounded)

    def bounded(g: Goal) -> None:
        h = g.assume()
        k = g.apply(g.split(g.fact("tendsoo_definition", f"lam t:R. abs({one}[1,2])"))[0], by=[using(h)])
        (a,) = g.obtain(g.apply(k, 1), "a", split=False)
        b = g.apply(a, "a", by=[Goal.refl])
        size = g.have(f"abs({one}[1,2]) = 0", lambda g: g.field())
        only(g, b, size)
        g.pos([f"@{b}"], [1], eqs=[(size, -1)])

    nested(
        g,
        None,
        None,
        products,
        empty,
        still,
        empty,
        lambda g: (g.fix("t"), g.assume(), entries(g))[-1],
        empty,
        entries,
        empty,
        None,
        None,
        None,
        None,
        gradient,
        lambda g: g.field(),
        lambda g: g.field(),
        lambda g: g.pos([1]),
        stays,
    )


@part(
    "razin2020.assertion-fig-5-divergence",
    "static",
    f"{MATRIX} eps = 0 => l < min(z^2/2, y^2/2) => 0 < {E} and {Z}/{E} - (abs(z) + abs(y)) <= abs(W[i,j])",
    says="the unobserved entry is large for a small loss",
    uses=["razin2020.thm-2-step-reposition", "razin2020.lemma-25"],
)
def unobserved_entry_is_large_at_any_location(g: Goal) -> None:
    """The repositioned Lemma 25."""
    *names, _, small = g.intro(split=False)
    k = g.lemma("razin2020.thm-2-step-reposition", "statement", "W", "i", "j", "z", "y", "eps", "l", by=[using(h) for h in names])
    a, b, _ = g.split(g.apply(g.split(k)[0], by=[using(small)]))
    value, det, _, _ = turned_setting(g, names)
    scripts = [using(h) for h in (names[4], names[5], value, det, small)]
    positive = g.split(g.lemma("razin2020.lemma-25", "part:sizes", T_W, "z", "y", "eps", "l", by=scripts))[3]
    g.conj(using(positive), lambda g: (only(g, a, b), g.pos([f"@{a}"], [f"@{b}"]))[-1])


@amendment(
    "razin2020.assertion-fig-5-divergence",
    f"{SETTING} {sign_at('X(0)')} => {VANISHES}",
    says="with the condition of Theorem 2: the sign of z z' if i = j, the opposite sign otherwise",
    uses=["razin2020.lemma-6", "razin2020.assertion-fig-5-divergence"],
)
def unobserved_entry_diverges(g: Goal) -> None:
    """|w_ij| >= |z y|/sqrt(2 l) - |z| - |y| once the loss is small."""
    hyps = g.intro(split=False)
    start = next(h for h in hyps if g.hyp_formula(h)[0] == "or")
    k = hyps.index(start)
    places, z, y, values, limit = hyps[k - 7 : k - 3], hyps[k - 2], hyps[k - 1], hyps[-2], hyps[-1]
    sign = g.have(
        f"all t:R. 0 <= t => {sign_at('X(t)')}",
        lambda g: (g.fix("t"), g.assume(), g.close_by(sign_at_all_times(g, hyps, start)))[-1],
    )
    only(g, *places, z, y, values, limit, sign)
    az, ay = g.have("0 < abs(z)"), g.have("0 < abs(y)")
    forth = g.split(g.fact("tendsoo_definition", "lam t:R. abs(X(t)[i,j])"))[1]

    def large(g: Goal) -> None:
        g.fix("b")
        d = "(abs(b) + abs(z) + abs(y) + 1)"
        s = f"({Z}/{d})"
        bound = f"min({s}^2/2, min(z^2/2, y^2/2))"
        low = g.have(f"0 < {bound}", lambda g: (only(g, z, y, az, ay), g.auto())[-1])
        k = g.by_fact("tends_eventually_lt", 0, bound, "lam t:R. l(t)", by=[using(limit), using(low)])
        (late,) = g.obtain(k, "u", split=False)
        g.witness("max(u, 0)")
        g.fix("t")
        h = g.assume()

        def later(g: Goal) -> None:
            only(g, h)

            def case(g: Goal) -> None:
                g.split(next(reversed(g.seq.hyps)))
                g.conj(*[lambda g: g.nlin(products=1)] * 2)

            g.cases(g.fact("max_cases", "u", 0), case, case)

        after, now = g.split(g.have("u <= t and 0 <= t", later))
        small = g.apply(late, "t", by=[using(after)])

        def both(g: Goal) -> None:
            only(g, small)

            def case(g: Goal) -> None:
                g.split(next(reversed(g.seq.hyps)))
                g.conj(*[lambda g: g.nlin(products=1)] * 2)

            g.cases(g.fact("min_cases", f"{s}^2/2", "min(z^2/2, y^2/2)"), case, case)

        first, second = g.split(g.have(f"l(t) < {s}^2/2 and l(t) < min(z^2/2, y^2/2)", both))
        v, g_ = g.apply(values, "t", by=[using(now)]), g.apply(sign, "t", by=[using(now)])
        zero = g.have("0 = 0", Goal.refl)
        scripts = [
            *[using(p) for p in places],
            using(z),
            using(y),
            lambda g: g.field((v, 1)),
            using(g_),
            using(zero),
            using(second),
        ]
        e = g.lemma("razin2020.assertion-fig-5-divergence", "part:static", "X(t)", "i", "j", "z", "y", 0, "l(t)", by=scripts)
        nonneg = g.have(
            "0 <= l(t)",
            lambda g: (
                only(g, v),
                g.pos(["1/2", "(X(t)[i,3-j] - z)^2"], ["1/2", "(X(t)[3-i,j] - y)^2"], ["1/2", "X(t)[3-i,3-j]^2"], eqs=[(v, 1)]),
            )[-1],
        )
        size = g.have("abs(0) = 0", lambda g: g.field())
        p, e = g.split(g.rewritten(e, size))
        only(g, z, y, az, ay, first, e, nonneg, p)
        root, r = g.by_fact("sqrt_sq", "2*l(t)"), g.by_fact("sqrt_nonneg", "2*l(t)")
        only(g, az, ay, first, e, root, r, nonneg, p)
        ps = g.have(f"0 < {s}", lambda g: (only(g, az, ay), g.auto())[-1])

        def below(g: Goal) -> None:
            w = g.contra()
            only(g, w, first, root, r, ps)
            g.pos([f"@{w}", f"sqrt(2*l(t)) + {s}"], [f"@{first}", 2], eqs=[(root, -1)])

        less = g.have(f"sqrt(2*l(t)) < {s}", below)
        finish(g, e, less, p, az, ay)

    g.close_by(g.apply(forth, by=[large]))


def finish(g: Goal, e: str, less: str, p: str, az: str, ay: str) -> None:
    """b < |w_ij| where the root of twice the loss is positive and small."""
    b = g.split(g.apply(g.split(g.fact("abs_le", "b", "abs(b)"))[0], by=[Goal.refl]))[1]
    d = "(abs(b) + abs(z) + abs(y) + 1)"
    only(g, e, less, az, ay, b, p)
    big = g.have(
        f"{d} < {Z}/(0 + sqrt(2*l(t)))",
        lambda g: (only(g, less, az, ay, p), g.pos([f"@{less}", d], mul=["0 + sqrt(2*l(t))"]))[-1],
    )
    only(g, e, big, b)
    g.pos([f"@{e}"], [f"@{big}"], [f"@{b}"], [1])


@holds(
    "razin2020.fn-16-signs",
    """(all z y d:R. z = 1 => y = 1 => (0 < z*y*d <=> 0 < d)) and
       (all i j:Z, z y d:R. d < 0 => (i = j and 0 < z*y*d or i != j and z*y*d < 0 <=> i = j and z*y < 0 or i != j and 0 < z*y))""",
    argument="sound",
    reading="the required sign is positive for the observations of Figures 1 and 4 (z = z' = 1 beside the unobserved (1,1)); for a negative determinant, as in "
    "Figure 5, the condition of Theorem 2 says z z' < 0 at a diagonal location and z z' > 0 at an off-diagonal one",
)
def required_signs(g: Goal) -> None:
    """Divide by the determinant."""

    def one(g: Goal) -> None:
        z, y = g.intro()
        g.iff(lambda g: multiply(g, z, y), lambda g: multiply(g, z, y))

    def multiply(g: Goal, z: str, y: str) -> None:
        h = g.assume()
        g.pos([f"@{h}"], eqs=[(z, "-d*y" if g.concl[2] == "d" else "d*y"), (y, "-d" if g.concl[2] == "d" else "d")])

    def other(g: Goal) -> None:
        d = g.intro()[0]
        n = g.have("0 < -d", lambda g: g.pos([f"@{d}"]))

        def both(g: Goal, forward: bool) -> None:
            h = g.assume()

            def case(i: int) -> object:
                def script(g: Goal) -> None:
                    place, s = g.split(next(reversed(g.seq.hyps)))
                    g.left_or_right(i)
                    g.conj(using(place), lambda g: g.pos([f"@{s}"], mul=["-d"]) if forward else g.pos([f"@{s}", f"@{n}"]))

                return script

            g.cases(h, case(0), case(1))  # type: ignore[arg-type]

        g.iff(lambda g: both(g, True), lambda g: both(g, False))

    g.conj(one, other)
