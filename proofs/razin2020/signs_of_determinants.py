"""Proposition 3 and what rests on it: signs of determinants of random matrices, and the probability of the sign that is needed."""

from __future__ import annotations

from collections.abc import Callable

from proofs.razin2020.products_of_factors import upwards
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, undecided

INSIDE = "1 <= i and i <= d and 1 <= j and j <= d"
FLIPPED = f"(all i j:Z. {INSIDE} => (i = 1 => V[i,j] = -W[i,j]) and (i != 1 => V[i,j] = W[i,j]))"
MIRRORED = f"""(all i j:Z. {INSIDE} => (i = 1 => P[i,j] = -B[i,j] and Q[i,j] = -A[i,j]) and (i != 1 => P[i,j] = A[i,j] and Q[i,j] = B[i,j]))"""
"""The box of matrices from P to Q is the box from A to B with the first row mirrored."""
BETWEEN = f"(all i j:Z. {INSIDE} => {{0}}[i,j] <= {{2}}[i,j] and {{2}}[i,j] <= {{1}}[i,j])"
MASS = "prod(i, 1, d, prod(j, 1, d, f(i,j,{0}[i,j],{1}[i,j])))"


@holds(
    "razin2020.prop-3-step-row-flip",
    f"""all d:Z, W V:M(d,d). 1 <= d => {FLIPPED} => det(V) = -det(W) and
       all A B P Q:M(d,d). {MIRRORED} => ({BETWEEN.format("A", "B", "V")} <=> {BETWEEN.format("P", "Q", "W")}) and
          all f:(Z,Z,R,R)->R. (all i j:Z, x y:R. f(i,j,-y,-x) = f(i,j,x,y)) => {MASS.format("P", "Q")} = {MASS.format("A", "B")}""",
    argument="sound",
    reading="V = W_{-1} is W with its first row multiplied by -1, f(i,j,x,y) the probability that the entry (i,j) lies between x and y, of a law that is symmetric about 0: V lies in the box from A to B "
    "exactly if W lies in the box from P to Q, and W lies in both boxes with the same probability, the product over the independent entries. Boxes determine a law",
)
def flipping_a_row(g: Goal) -> None:
    """V = D W with D = diag(-1, 1, ..., 1), whose determinant is -1."""
    g.fix("d", "W", "V")
    size, flip = g.assume(), g.assume()

    def determinant(g: Goal) -> None:
        entry = "I(d)[i,j]*(1 - 2*I(d)[1,i])"
        (given,) = g.obtain(g.fact("matrix_of_entries", "d", "d", f"lam i:Z, j:Z. {entry}"), "D")
        outside = g.fact("entry_outside", "d", "d", "D")

        def off(g: Goal) -> None:
            i, j = g.fix()
            g.assume()

            def within(g: Goal) -> None:
                g.split(next(reversed(g.seq.hyps)))
                k = g.apply(given, i, j)
                g.rewrite(k)
                g.field()

            g.em(f"{i} < 1 or d < {i} or {j} < 1 or d < {j}", lambda g: g.close_by(g.apply(outside, i, j)), within)

        diagonal = g.have("all i j:Z. i != j => D[i,j] = 0", off)
        value = g.by_fact("det_diagonal", "d", "D", by=[using(diagonal)])
        one = g.have("D[1,1] = -1", lambda g: first_entry(g, given))

        def rest(g: Goal) -> None:
            (i,) = g.fix()
            low, high = g.split(g.assume())
            k = g.apply(given, i, i, by=[lambda g: inside(g, low, high)])
            ne = g.have(f"1 != {i}", lambda g: not_one(g, low))
            g.rewrite(k)
            lo = g.have(f"1 <= {i}", lambda g: (only(g, low), g.pos([f"@{low}"], [1]))[-1])
            g.field()
            del ne, lo

        others = g.have("all i:Z. 2 <= i and i <= d => D[i,i] = 1", rest)

        def product(g: Goal) -> None:
            g.induct("n")
            lo = next(h for h in g.seq.hyps if h.endswith("_lo"))
            top = g.assume()

            def base(g: Goal) -> None:
                g.rewrite(next(reversed(g.seq.hyps)), back=True)
                g.field((one, 1))

            def step(g: Goal) -> None:
                strict = next(reversed(g.seq.hyps))
                two = g.by_fact("int_lt", 1, "n", by=[using(strict)])
                before = g.apply(
                    "ih", "n - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
                )
                last = g.by_fact("prod_last", 1, "n", "lam i:Z. D[i,i]", by=[using(lo)])
                own = g.apply(others, "n", by=[lambda g: g.conj(lambda g: (only(g, two), g.pos([f"@{two}"]))[-1], using(top))])
                g.field((last, 1), (before, "D[n,n]"), (own, -1))

            g.cases(g.by_fact("lt_or_eq", 1, "n", by=[using(lo)]), step, base)

        h = g.have("all n:Z. 1 <= n => n <= d => prod(i, 1, n, D[i,i]) = -1", product)
        total = g.apply(h, "d", by=[using(size), Goal.refl])

        def equal(g: Goal) -> None:
            g.extn("i", "j")
            e = g.apply(g.fact("mm_entry", "d", "d", "d", "D", "W"), "i", "j")

            def other(g: Goal) -> None:
                (l,) = g.fix()  # noqa: E741
                g.assume()
                ne = g.assume()

                def turned(g: Goal) -> None:
                    x = g.contra()
                    g.clash(g.have(f"{l} = i", lambda g: g.field((x, -1))), ne)

                z = g.apply(diagonal, "i", l, by=[turned])
                g.field((z, f"W[{l},j]"))

            s = g.by_fact("sum_delta", 1, "d", "i", "lam l:Z. D[i,l]*W[l,j]", by=[using("i_lo"), using("i_hi"), other])
            k = g.split(g.apply(flip, "i", "j"))

            def top(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                v = g.apply(k[0], by=[using(eq)])
                own = g.have("D[i,i] = -1", lambda g: (g.rewrite(eq), g.close_by(one))[-1])
                g.field((e, -1), (s, -1), (v, 1), (own, "-W[i,j]"))

            def lower(g: Goal) -> None:
                ne = next(reversed(g.seq.hyps))
                v = g.apply(k[1], by=[using(ne)])
                two = g.have("2 <= i", lambda g: two_or_more(g, ne))
                own = g.apply(others, "i", by=[lambda g: g.conj(using(two), using("i_hi"))])
                g.field((e, -1), (s, -1), (v, 1), (own, "-W[i,j]"))

            g.em("i = 1", top, lower)

        whole = g.have("V = D @ W", equal)
        det = g.fact("det_product", "d", "D", "W")
        g.rewrite(whole)
        g.field((det, 1), (value, "det(W)"), (total, "det(W)"))

    def law(g: Goal) -> None:
        g.fix("A", "B", "P", "Q")
        mirror = g.assume()
        g.conj(
            lambda g: g.iff(lambda g: moved(g, flip, mirror, "V"), lambda g: moved(g, flip, mirror, "W")),
            lambda g: mass(g, mirror),
        )

    g.conj(determinant, law)


def by_row(g: Goal, i: str, k: list[str], other: list[str], close: Callable[[Goal, list[str]], None]) -> None:
    """In the first row and in the others: what the hypotheses k and other say of the row, as equations."""

    def case(at: int) -> Script:
        def script(g: Goal) -> None:
            row = next(reversed(g.seq.hyps))
            found = [g.apply(pair[at], by=[using(row)]) for pair in (k, other) if pair]
            close(g, [e for h in found for e in (g.split(h) if g.hyp_formula(h)[0] == "and" else [h])])

        return script

    g.em(f"{i} = 1", case(0), case(1))


def moved(g: Goal, flip: str, mirror: str, known: str) -> None:
    """From the box of one matrix to the mirrored box of the other."""
    box = g.assume()
    i, j = g.fix()
    index = g.assume()
    names = [g.split(g.apply(h, i, j, by=[using(index)])) for h in (flip, mirror)]
    low, high = g.split(g.apply(box, i, j, by=[using(index)]))

    def close(g: Goal, equations: list[str]) -> None:
        v, p, q = equations
        only(g, low, high, v, p, q)
        first = g.hyp_formula(v)[2] != g.term(f"W[{i},{j}]")
        lower = [f"@{high if first else low}"]
        upper = [f"@{low if first else high}"]
        s = -1 if first else 1
        if known == "V":
            g.conj(
                lambda g: g.pos(lower, eqs=[(p, -1), (v, -s)]),
                lambda g: g.pos(upper, eqs=[(q, 1), (v, s)]),
            )
        else:
            a, b = (q, p) if first else (p, q)
            g.conj(
                lambda g: g.pos(lower, eqs=[(v, 1), (a, s)]),
                lambda g: g.pos(upper, eqs=[(v, -1), (b, -s)]),
            )

    by_row(g, i, names[0], names[1], close)


def mass(g: Goal, mirror: str) -> None:
    """The factors of the first row are mirrored, the others are the same."""
    g.fix("f")
    even = g.assume()

    def row(g: Goal) -> None:
        (i,) = g.fix()
        il, ih = g.split(g.assume())

        def column(g: Goal) -> None:
            (j,) = g.fix()
            jl, jh = g.split(g.assume())
            k = g.split(g.apply(mirror, i, j, by=[lambda g: g.conj(*[using(h) for h in (il, ih, jl, jh)])]))

            def close(g: Goal, equations: list[str]) -> None:
                p, q = equations
                g.rewrite(p)
                g.rewrite(q)
                if g.concl[1] == g.concl[2]:
                    g.refl()
                else:
                    g.close_by(g.apply(even, i, j, f"A[{i},{j}]", f"B[{i},{j}]"))

            by_row(g, i, k, [], close)

        f = "lam j:Z. f({0},j,{1}[{0},j],{2}[{0},j])"
        g.close_by(g.by_fact("prod_ext", 1, "d", f.format(i, "P", "Q"), f.format(i, "A", "B"), by=[column]))

    f = "lam i:Z. prod(j, 1, d, f(i,j,{0}[i,j],{1}[i,j]))"
    g.close_by(g.by_fact("prod_ext", 1, "d", f.format("P", "Q"), f.format("A", "B"), by=[row]))


def inside(g: Goal, low: str, high: str) -> None:
    """1 <= i <= d twice, from 2 <= i and i <= d."""
    only(g, low, high)
    g.conj(lambda g: g.pos([f"@{low}"], [1]), using(high), lambda g: g.pos([f"@{low}"], [1]), using(high))


def first_entry(g: Goal, given: str) -> None:
    """D[1,1] = -1."""
    k = g.apply(given, 1, 1)
    g.rewrite(k)
    g.field()


def not_one(g: Goal, low: str) -> None:
    """1 != i from 2 <= i."""
    h = g.contra()
    only(g, low, h)
    g.pos([1], [f"@{low}"], eqs=[(h, 1)])


def two_or_more(g: Goal, ne: str) -> None:
    """2 <= i from 1 <= i and i != 1."""

    def above(g: Goal) -> None:
        strict = next(reversed(g.seq.hyps))
        k = g.by_fact("int_lt", 1, "i", by=[using(strict)])
        g.pos([f"@{k}"])

    def equal(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        g.contra()
        g.clash(g.have("i = 1", lambda g: g.field((eq, -1))), ne)

    g.cases(g.by_fact("lt_or_eq", 1, "i", by=[using("i_lo")]), above, equal)


STEP = """(all l:Z. 1 <= l and l <= L => p(l) + n(l) = 1 and a(l) = p(l)*a(l-1) + n(l)*b(l-1) and b(l) = p(l)*b(l-1) + n(l)*a(l-1))"""


@holds(
    "razin2020.prop-3-step-total-probability",
    f"""(all p n q m a b:R. p + n = 1 => p = 1/2 => q + m = 1 => a = p*q + n*m => b = p*m + n*q =>
          a = 1/2*(q + m) and a = 1/2 and b = 1/2) and
       (all L h:Z, p n a b:Z->R. 1 <= h => h <= L => a(0) = 1 => b(0) = 0 => {STEP} => p(h) = 1/2 => a(L) = 1/2 and b(L) = 1/2)""",
    argument="sound",
    reading="first as printed: p, n are the probabilities of a positive and a negative determinant of W_l, q, m those of the product of the other factors, a, b those of W_L ... W_1, by independence "
    "and the rule of signs; then with nothing but the laws of the single factors: p(l), n(l) for W_l, a(l), b(l) for W_l ... W_1 (1 and 0 for the empty product), built up factor by factor",
    context=(
        "the determinants are 0 with probability 0 (prop-3-step-null-set), and the probability of one factor is 1/2 (a "
        "hypothesis of Proposition 3) [prop-3-step-null-set, Proposition 3]"
    ),
)
def sign_of_a_product(g: Goal) -> None:
    """p = n = 1/2; both probabilities stay 1/2 from the factor h on, since a(l) + b(l) = 1."""

    def one(g: Goal) -> None:
        whole, half, other, a, b = g.intro()
        g.conj(
            lambda g: g.field((a, 1), (half, "q - m"), (whole, "m")),
            lambda g: g.field((a, 1), (half, "q - m"), (whole, "m"), (other, "1/2")),
            lambda g: g.field((b, 1), (half, "m - q"), (whole, "q"), (other, "1/2")),
        )

    def all_factors(g: Goal) -> None:
        g.fix("L", "h", "p", "n", "a", "b")
        low, top, a0, b0, steps, half = (g.assume() for _ in range(6))

        def total(g: Goal) -> None:
            def base(g: Goal) -> None:
                g.assume()
                g.field((a0, 1), (b0, 1))

            def step(g: Goal) -> None:
                top = g.assume()
                one = g.have("1 <= l", lambda g: g.nlin())
                before = g.apply(
                    "ih", "l - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
                )
                whole, x, y = g.split(g.apply(steps, "l", by=[lambda g: g.conj(using(one), using(top))]))
                g.field((x, 1), (y, 1), (whole, "a(l-1) + b(l-1)"), (before, 1))

            upwards(g, "0", base, step)

        sums = g.have("all l:Z. 0 <= l => l <= L => a(l) + b(l) = 1", total)

        def fair(g: Goal) -> None:
            def base(g: Goal) -> None:
                g.assume()
                whole, x, y = g.split(g.apply(steps, "h", by=[lambda g: g.conj(using(low), using(top))]))
                before = g.apply(sums, "h - 1", by=[lambda g: g.pos([f"@{low}"]), lambda g: g.pos([f"@{top}"], [1])])
                g.conj(
                    lambda g: g.field((x, 1), (half, "a(h-1) - b(h-1)"), (whole, "b(h-1)"), (before, "1/2")),
                    lambda g: g.field((y, 1), (half, "b(h-1) - a(h-1)"), (whole, "a(h-1)"), (before, "1/2")),
                )

            def step(g: Goal) -> None:
                here = g.assume()
                before = g.apply(
                    "ih", "l - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[here])]
                )
                u, v = g.split(before)
                more = g.have("h + 1 <= l", lambda g: g.nlin())
                one = g.have("1 <= l", lambda g: (only(g, more, low), g.pos([f"@{more}"], [f"@{low}"], [1]))[-1])
                whole, x, y = g.split(g.apply(steps, "l", by=[lambda g: g.conj(using(one), using(here))]))
                g.conj(
                    lambda g: g.field((x, 1), (u, "p(l)"), (v, "n(l)"), (whole, "1/2")),
                    lambda g: g.field((y, 1), (v, "p(l)"), (u, "n(l)"), (whole, "1/2")),
                )

            upwards(g, "h", base, step)

        k = g.have("all l:Z. h <= l => l <= L => a(l) = 1/2 and b(l) = 1/2", fair)
        g.close_by(g.apply(k, "L", by=[using(top), Goal.refl]))

    g.conj(one, all_factors)


undecided(
    "razin2020.assertion-3-4-sign-probability",
    tried="the step from Proposition 3: the sign of b_12 b_21 is fixed, so that the probability in question is that of a positive or that of a negative determinant, and both are 1/2 if Proposition 3 holds;"
    " that the condition becomes equality of the signs is part of Theorem 2",
    missing="Proposition 3, which is open here and is all of the statement on the probability",
)
MEASURE = "a probability measure on matrices: the language has no integrals, and the laws of independent entries are used through the probabilities of boxes only"
undecided(
    "razin2020.prop-3-entries",
    tried="prop-3-step-row-flip: flipping a row changes the sign of the determinant and keeps the probability of every box",
    missing=f"{MEASURE}; and that singular matrices have probability 0 (prop-3-step-null-set)",
)
undecided(
    "razin2020.prop-3-product",
    tried="prop-3-step-total-probability: one factor with probability 1/2 of either sign gives 1/2 for the product, factor by factor, if no determinant is 0",
    missing=f"{MEASURE}; what a continuous distribution on matrices is: without a density a law without atoms can be carried by singular matrices, such as diag(x, 0) with x normal, where the claim fails",
)
undecided(
    "razin2020.prop-3-step-null-set",
    tried="for laws with a density it follows from the fact that the zeros of a polynomial that is not 0 are a Lebesgue null set",
    missing="for independent entries without atoms the induction by cofactors needs a product measure; for a law on matrices without atoms it is false as it stands (diag(x, 0) with x normal)",
)
