"""Last part of Theorem 2: norms, with the unobserved entry at another location; the printed constant fails there."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from proofs.razin2020.perturbed_norms import M
from proofs.razin2020.perturbed_problem import E
from proofs.razin2020.perturbed_singular_values import LEAST, Z
from proofs.razin2020.problem import QUASI_NORM
from proofs.razin2020.quasi_norms import E11, E12, E21, E22, LARGEST, at_most_max
from proofs.razin2020.repositioned import PLACE, READING, THEOREM_2_AT, TURNED, by_place, loss_at, sign_at_all_times
from proofs.razin2020.scripts import nested, only, using
from verify.kernel import Goal
from verify.kernel.syntax import rational
from verify.kernel.tactics import Script
from verify.registry import amendment, part, refuted

B = f"max(a*{Z}/(abs(eps) + {LEAST}), 8*c^2*{M}*{LARGEST})"


@refuted(
    "razin2020.theorem-2-reposition-eq-15",
    f"""{THEOREM_2_AT} all N:M(2,2)->R, c a b:R. 1 <= c and {QUASI_NORM} => a = N({E11})/c => b = {B} =>
       all t l:R. 0 <= t => l = {loss_at("X(t)")} => a*({Z}/{E}) - b <= N(X(t))""",
    reading=READING,
    reason="the constant a must hold the norm of the matrix unit at the unobserved location, not that of e_1 e_1^T: with (2,2) unobserved, "
    "z = z' = 1, eps = 0, N(M) = 100 |m_11| + |m_12| + |m_21| + |m_22| and the balanced start W_1 = W_2 = [[0,1/8],[1/8,8]] the "
    "printed bound is 5600, while the norm is below 68",
    uses=[],
)
def bound_with_the_unit_of_the_first_entry_fails(g: Goal) -> None:
    """At time 0 of the depth 2 flow from the symmetric square root of [[1/64, 1],[1, 64 + 1/64]]."""
    s0 = "[[0,1/8],[1/8,8]]"
    b0, a0, flow = g.obtain(g.fact("two_layer_flow", 2, 2, 2, s0, s0, "[[1,1],[1,0]]", "[[0,1],[1,0]]"), "B", "A")
    x = "B(t) @ A(t)"
    grad = f"had(had([[1,1],[1,0]],[[1,1],[1,0]]), {x} - [[0,1],[1,0]])"
    norm = "lam K:M(2,2). 100*abs(K[1,1]) + abs(K[1,2]) + abs(K[2,1]) + abs(K[2,2])"
    at_zero = "(B(0) @ A(0))"
    g.witness(
        2,
        2,
        "A",
        "B",
        "lam l:Z, t:R. O(2,2)",
        "lam l:Z, t:R. B(t)",
        "lam l:Z, t:R. A(t)",
        f"lam t:R. {grad}",
        f"lam t:R. {x}",
        "lam l:Z, t:R. A(t) @ T(A(t))",
        2,
        2,
        1,
        1,
        0,
    )
    start = g.have(f"{at_zero} = [[1/64,1],[1,64 + 1/64]]", lambda g: product_at_start(g, a0, b0))

    def empty(g: Goal) -> None:
        names = g.fix()
        low, high = g.split(g.assume())
        del names
        g.have("false", lambda g: g.pos([f"@{low}"], [f"@{high}"], [1]))
        g.auto()

    def flows(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        b, a = g.split(g.apply(flow, "t", by=[using(h)]))
        g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

    def balanced(g: Goal) -> None:
        g.rewrite(a0)
        g.rewrite(b0)
        g.ext(lambda g: g.field())

    def gradient(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.conj(*[lambda g: g.field()] * 4)

    def sign(g: Goal) -> None:
        g.left_or_right(0)
        g.conj(Goal.refl, lambda g: (g.rewrite(start), g.pos(["1/4096"]))[-1])

    def fails(g: Goal) -> None:
        g.witness(norm, 1, 100, 800)
        nested(g, quasi_norm, lambda g: g.field(), largest_constant, last)

    def quasi_norm(g: Goal) -> None:
        weighted_norm(g)

    def largest_constant(g: Goal) -> None:
        constant_of_the_counterexample(g)

    def last(g: Goal) -> None:
        g.witness(0, "1/8192")
        nested(g, None, lambda g: (g.rewrite(start), g.field())[-1], lambda g: far_below(g, start))

    nested(
        g,
        None,
        None,
        lambda g: (g.fix("t"), g.assume(), g.conj(Goal.refl, Goal.refl, Goal.refl))[-1],
        empty,
        flows,
        empty,
        lambda g: (g.fix("t"), g.assume(), g.refl())[-1],
        empty,
        balanced,
        empty,
        None,
        None,
        None,
        None,
        gradient,
        lambda g: g.field(),
        lambda g: g.field(),
        sign,
        fails,
    )


def product_at_start(g: Goal, a0: str, b0: str) -> None:
    """The square of the start."""
    g.rewrite(a0)
    g.rewrite(b0)
    g.ext(lambda g: g.field())


def weighted_norm(g: Goal) -> None:
    """100 |m11| + |m12| + |m21| + |m22| is a norm."""
    entries = ["[1,1]", "[1,2]", "[2,1]", "[2,2]"]

    def zero(g: Goal) -> None:
        g.fix("X")

        def forward(g: Goal) -> None:
            h = g.assume()
            names = []
            for e in entries:
                rest = [f"abs(X{f})" for f in entries if f != e]
                weight = "1/100" if e == "[1,1]" else "1"

                def vanish(g: Goal, e: str = e, rest: list[str] = rest, weight: str = weight) -> None:
                    terms = [[r, weight] + (["100"] if r == "abs(X[1,1])" else []) for r in rest]
                    g.antisym(lambda g: g.pos(*terms, eqs=[(h, f"-({weight})")]), lambda g: g.pos([f"abs(X{e})"]))

                k = g.have(f"abs(X{e}) = 0", vanish)
                square = g.fact("abs_square", f"X{e}")
                z = g.have(f"X{e}^2 = 0", lambda g, k=k, square=square, e=e: g.field((square, -1), (k, f"abs(X{e})")))
                names.append(g.apply(g.fact("square_zero", f"X{e}"), by=[using(z)]))
            g.ext(lambda g: g.field((next(n for n in names if g.hyp_formula(n)[1] == g.concl[1]), 1)))

        def backward(g: Goal) -> None:
            g.rewrite(g.assume())
            g.field()

        g.iff(forward, backward)

    def homogeneous(g: Goal) -> None:
        g.fix("X", "s")
        names = [g.fact("abs_product", "s", f"X{e}") for e in entries]
        inner = [g.have(f"abs((s*X){e}) = abs(s*X{e})", lambda g: g.ctx(lambda g: g.field())) for e in entries]
        weights = [100, 1, 1, 1]
        g.field(*[(h, w) for h, w in zip(names, weights, strict=True)], *[(h, w) for h, w in zip(inner, weights, strict=True)])

    def triangle(g: Goal) -> None:
        g.fix("X", "Y")
        names = [g.fact("abs_triangle", f"X{e}", f"Y{e}") for e in entries]
        inner = [g.have(f"abs((X + Y){e}) = abs(X{e} + Y{e})", lambda g: g.ctx(lambda g: g.field())) for e in entries]
        weights = [100, 1, 1, 1]
        g.pos(
            *[[f"@{h}", w] for h, w in zip(names, weights, strict=True)],
            eqs=[(h, -w) for h, w in zip(inner, weights, strict=True)],
        )

    g.conj(
        None,
        lambda g: (g.fix("X"), g.pos(["100", "abs(X[1,1])"], *[[f"abs(X{e})"] for e in entries[1:]]))[-1],
        zero,
        homogeneous,
        triangle,
    )


def value_of(e: Any) -> Fraction:
    """The value of a closed term of rational numbers."""
    if isinstance(e, int):
        return Fraction(e)
    head, *args = e
    if head == "q":
        return Fraction(args[0], args[1])
    if head == "entry":
        return value_of(args[0][1][value_of(args[1]).numerator - 1][value_of(args[2]).numerator - 1])
    values = [value_of(a) for a in args]
    if head in ("+", "max", "min"):
        return {"+": sum, "max": max, "min": min}[head](values)  # type: ignore[operator]
    if head == "abs":
        return abs(values[0])
    if head == "^":
        return values[0] ** values[1].numerator
    if head == "/":
        return values[0] / values[1]
    return math.prod(values)


def evaluate_extremes(g: Goal) -> None:
    """Replaces every max and min of closed terms in the conclusion by its value, the inner ones first."""

    def innermost(e: Any) -> Any:
        if not isinstance(e, tuple):
            return None
        found = next((x for a in e[1:] if (x := innermost(a)) is not None), None)
        return e if found is None and e[0] in ("max", "min") else found

    while (e := innermost(g.concl)) is not None:
        value = rational(value_of(e))

        def case(g: Goal, value: Any = value, e: Any = e) -> None:
            order, eq = g.split(next(reversed(g.seq.hyps)))
            only(g, order, eq)
            if value_of(g.hyp_formula(eq)[2]) == value_of(e):
                g.field((eq, 1))
            else:
                g.contra()
                gap = value_of(g.hyp_formula(order)[1]) - value_of(g.hyp_formula(order)[2])
                g.pos([f"@{order}", rational(1 / gap)], [1])

        fact = g.fact(f"{e[0]}_cases", e[1], e[2])
        g.rewrite(g.have(("=", e, value), lambda g, fact=fact, case=case: g.cases(fact, case, case)))


def constant_of_the_counterexample(g: Goal) -> None:
    """b = max(100/(0 + 1), 8 max(1, 1, 0) max(100, 1, 1, 1)) = 800."""
    only(g)
    evaluate_extremes(g)
    g.field()


def far_below(g: Goal, start: str) -> None:
    """100/64 + 1 + 1 + 64 + 1/64 < 6400 - 800."""
    root = g.by_fact("sqrt_unique", "2*(1/8192)", "1/64", by=[None, lambda g: g.field()])
    g.rewrite(start)
    g.rewrite(root)
    only(g)
    g.pos([rational(Fraction(5600) - Fraction(100, 64) - 66 - Fraction(1, 64))])


UNIT = "U[i,j] = 1 and U[i,3-j] = 0 and U[3-i,j] = 0 and U[3-i,3-j] = 0"
UNITS = [E11, E12, E21, E22]


@part(
    "razin2020.theorem-2-reposition-eq-15",
    "swaps",
    f"""all i j:Z. {PLACE} ex P Q:M(2,2). P @ P = I(2) and Q @ Q = I(2) and (all K:M(2,2). P @ K @ Q = {TURNED.format("K")}) and
       all N:M(2,2)->R. {" and ".join(f"N(P @ {e} @ Q) <= {LARGEST}" for e in UNITS)}""",
    says="exchanging rows and columns is multiplication by permutation matrices, and permutes the matrix units",
)
def permutation_matrices(g: Goal) -> None:
    """The identity or [[0,1],[1,0]] on either side."""
    names = g.intro()
    by_place(g, *names, location)


def location(g: Goal) -> None:
    """One location."""
    only(g)
    entry = g.concl[2][3][2][2][1][0][0]  # K[i,j] of this location
    sides = ["[[1,0],[0,1]]" if k == 1 else "[[0,1],[1,0]]" for k in entry[2:]]
    g.witness(*sides)

    def units(g: Goal) -> None:
        g.fix("N")
        pairs = [at_most_max(g, f"N({E11})", f"N({E12})"), at_most_max(g, f"N({E21})", f"N({E22})")]
        outer = at_most_max(g, f"max(N({E11}), N({E12}))", f"max(N({E21}), N({E22}))")
        bounds = [
            g.have(f"N({e}) <= {LARGEST}", lambda g, k=k: chain(g, pairs[k // 2][k % 2], outer[k // 2]))
            for k, e in enumerate(UNITS)
        ]
        only(g, *bounds)
        image = {1: {1: 1, 2: 2}, 2: {1: 2, 2: 1}}

        def each(g: Goal) -> None:
            k = next(k for k, e in enumerate(UNITS) if g.concl[1][2][2] == g.term(e))
            row, column = image[entry[2]][k // 2 + 1], image[entry[3]][k % 2 + 1]
            target = UNITS[2 * (row - 1) + column - 1]
            same = g.have(("=", g.concl[1][2], g.term(target)), lambda g: g.ext(lambda g: g.field()))
            g.rewrite(same)
            g.close_by(bounds[2 * (row - 1) + column - 1])

        g.conj(*[each] * 4)

    by_entries: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
    g.conj(by_entries, by_entries, lambda g: (g.fix("K"), by_entries(g))[-1], units)


def chain(g: Goal, first: str, second: str) -> None:
    """a <= c from a <= b <= c."""
    only(g, first, second)
    g.pos([f"@{first}"], [f"@{second}"])


@amendment(
    "razin2020.theorem-2-reposition-eq-15",
    f"""{THEOREM_2_AT} all N:M(2,2)->R, U:M(2,2), c a b:R. 1 <= c and {QUASI_NORM} => {UNIT} => a = N(U)/c => b = {B} =>
       all t l:R. 0 <= t => l = {loss_at("X(t)")} => a*({Z}/{E}) - b <= N(X(t))""",
    says="with the norm of the matrix unit U of the unobserved location in the constant a",
    uses=[
        "razin2020.lemma-6",
        "razin2020.theorem-2-eq-15",
        "razin2020.thm-2-step-reposition",
        "razin2020.theorem-2-reposition-eq-15",
    ],
)
def norms_grow_at_any_location(g: Goal) -> None:
    """Theorem 2 for the (quasi-)norm N(P M Q), where P and Q exchange rows and columns."""
    hyps = g.intro(split=False)
    quasi, unit, a, b, _, loss = hyps[-6:]
    start = next(h for h in hyps if g.hyp_formula(h)[0] == "or")
    k = hyps.index(start)
    places, z, y = hyps[k - 7 : k - 3], hyps[k - 2], hyps[k - 1]
    sign = sign_at_all_times(g, hyps, start)
    only(g, quasi, unit, a, b, loss, *places, z, y, sign)
    swaps = g.lemma("razin2020.theorem-2-reposition-eq-15", "part:swaps", "i", "j", by=[using(h) for h in places])
    pp, qq, turned, units = g.obtain(swaps, "p", "q", split=True)
    one, nonneg, zero, homogeneous, triangle = g.split(quasi)
    x, w = "X(t)", "(p @ X(t) @ q)"
    form = g.apply(turned, x)
    value, det = turned_product(g, places, loss, sign, form)
    inner = "N(p @ {0} @ q)"
    other = f"max(a*{Z}/(abs(eps) + {LEAST}), 8*c^2*{M}*max(max({inner.format(E11)}, {inner.format(E12)}), max({inner.format(E21)}, {inner.format(E22)})))"

    def quasi_norm(g: Goal) -> None:
        only(g, one, nonneg, zero, homogeneous, triangle, pp, qq)

        def vanish(g: Goal) -> None:
            g.fix("H")
            forth, back = g.split(g.apply(zero, "p @ H @ q"))

            def forward(g: Goal) -> None:
                h = g.assume()
                o = g.apply(forth, by=[using(h)])
                g.nc((o, 1, "p", "q"), (pp, -1, None, "H @ q @ q"), (qq, -1, "H", None))

            def backward(g: Goal) -> None:
                h = g.assume()
                g.close_by(g.apply(back, by=[lambda g: g.nc((h, 1, "p", "q"))]))

            g.iff(forward, backward)

        def scaled(g: Goal) -> None:
            g.fix("H", "s")
            k = g.apply(homogeneous, "p @ H @ q", "s")
            same = g.have("N(p @ (s*H) @ q) = N(s*(p @ H @ q))", lambda g: g.ctx(lambda g: g.nc()))
            g.field((k, 1), (same, 1))

        def sums(g: Goal) -> None:
            g.fix("H", "K")
            k = g.apply(triangle, "p @ H @ q", "p @ K @ q")
            same = g.have("N(p @ (H + K) @ q) = N(p @ H @ q + p @ K @ q)", lambda g: g.ctx(lambda g: g.nc()))
            g.rewrite(same)
            g.close_by(k)

        g.conj(using(one), lambda g: (g.fix("H"), g.close_by(g.apply(nonneg, "p @ H @ q")))[-1], vanish, scaled, sums)

    def constant(g: Goal) -> None:
        u = [*g.split_all(unit)]
        own = g.apply(turned, "U")
        only(g, a, own, pp, qq, *u)
        turned_unit = g.have(f"p @ U @ q = {E11}", lambda g: unit_entries(g, own, u))
        same = g.have(
            f"p @ {E11} @ q = U", lambda g: g.nc((turned_unit, -1, "p", "q"), (pp, 1, None, "U @ q @ q"), (qq, 1, "U", None))
        )
        norm = g.have(f"{inner.format(E11)} = N(U)", lambda g: g.ctx(using(same)))
        g.field((a, 1), (norm, "-1/c"))

    static = g.lemma("razin2020.theorem-2-eq-15", "part:static", "lam K:M(2,2). N(p @ K @ q)", "c", "a", other, by=[quasi_norm])
    static = g.apply(static, "z", "y", "eps", by=[using(z), using(y), constant, Goal.refl])
    bound = g.apply(static, w, "l", by=[using(value), using(det)])
    four = g.split(g.apply(units, "lam K:M(2,2). N(K)"))
    back = g.have(
        f"N(p @ {w} @ q) = N(X(t))", lambda g: g.ctx(lambda g: g.nc((pp, 1, None, "X(t) @ q @ q"), (qq, 1, "X(t)", None)))
    )
    smaller = g.have(f"{other} <= b", lambda g: smaller_constant(g, one, b, four, other))
    only(g, bound, back, smaller)
    g.pos([f"@{bound}"], [f"@{smaller}"], eqs=[(back, -1)])


def unit_entries(g: Goal, own: str, u: list[str]) -> None:
    """The turned unit is E11."""
    g.rewrite(own)
    g.ext(lambda g: g.field((u[place(g)], 1)))


def place(g: Goal) -> int:
    """Which of the four entries the goal is about."""
    rows = g.concl[1]
    return 2 * (rows[2] - 1) + rows[3] - 1


def smaller_constant(g: Goal, one: str, b: str, four: list[str], other: str) -> None:
    """The constant b of the permuted norm is at most that of the norm."""
    only(g, one, b, *four)
    g.have("0 < c", lambda g: g.pos([f"@{one}"], [1]))
    largest = [g.hyp_formula(h)[1] for h in four]
    p, q = at_most_max(g, f"a*{Z}/(abs(eps) + {LEAST})", f"8*c^2*{M}*{LARGEST}")
    mz = at_most_max(g, "abs(z)", "abs(y)")[0]
    mo = at_most_max(g, "max(abs(z), abs(y))", "abs(eps)")[0]
    m = g.have(f"0 <= {M}", lambda g: (only(g, mz, mo), g.pos([f"@{mz}"], [f"@{mo}"], ["abs(z)"]))[-1])
    f = g.term(other)
    inner = f[2][-1]  # the largest of the four permuted units

    def least_upper(g: Goal, e: Any) -> str:
        """e <= LARGEST for a maximum of some of the four."""
        if e in largest:
            return four[largest.index(e)]
        x, y = least_upper(g, e[1]), least_upper(g, e[2])

        def prove(g: Goal) -> None:
            def case(g: Goal) -> None:
                _, eq = g.split(next(reversed(g.seq.hyps)))
                own = x if g.hyp_formula(eq)[2] == e[1] else y
                g.pos([f"@{own}"], eqs=[(eq, -1)])

            g.cases(g.fact("max_cases", e[1], e[2]), case, case)

        return g.have(("<=", e, g.term(LARGEST)), prove)

    top = least_upper(g, inner)

    def first(g: Goal) -> None:
        _, eq = g.split(next(reversed(g.seq.hyps)))
        if g.hyp_formula(eq)[2] == f[1]:
            only(g, p, b, eq)
            g.pos([f"@{p}"], eqs=[(eq, -1), (b, 1)])
        else:
            only(g, q, b, eq, top, m)
            g.pos([f"@{q}"], [f"@{top}", 8, "c^2", f"@{m}"], eqs=[(eq, -1), (b, 1)])

    g.cases(g.fact("max_cases", f[1], f[2]), first, first)


def turned_product(g: Goal, places: list[str], loss: str, sign: str, form: str) -> tuple[str, str]:
    """The loss and the sign of the determinant of P X Q."""
    x = TURNED.format("X(t)")
    k = g.split(g.lemma("razin2020.thm-2-step-reposition", "part:turned", "X(t)", "i", "j", by=[using(h) for h in places]))
    w = "(p @ X(t) @ q)"

    def value(g: Goal) -> None:
        g.rewrite(form)
        g.field((loss, 1))

    def signed(g: Goal) -> None:
        g.rewrite(form)

        def case(i: int) -> Script:
            def script(g: Goal) -> None:
                where, d = g.split(next(reversed(g.seq.hyps)))
                e = g.apply(k[i], by=[using(where)])
                only(g, d, e)
                g.rewrite(e)
                g.pos([f"@{d}"])

            return script

        g.cases(sign, case(0), case(1))

    del x
    return g.have(f"l = (({w}[1,2] - z)^2 + ({w}[2,1] - y)^2 + ({w}[2,2] - eps)^2)/2", value), g.have(f"0 < z*y*det({w})", signed)
