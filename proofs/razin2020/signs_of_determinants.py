"""Proposition 3 and what rests on it: signs of determinants of random matrices, and the probability of the sign that is needed."""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds

FLIPPED = "(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => (i = 1 => V[i,j] = -W[i,j]) and (i != 1 => V[i,j] = W[i,j]))"


@holds(
    "razin2020.prop-3-step-row-flip",
    f"""all d:Z, W V:M(d,d). 1 <= d => {FLIPPED} => det(V) = -det(W) and
       all f:(Z,Z,R)->R. (all i j:Z, x:R. f(i,j,-x) = f(i,j,x)) =>
          prod(i, 1, d, prod(j, 1, d, f(i,j,V[i,j]))) = prod(i, 1, d, prod(j, 1, d, f(i,j,W[i,j])))""",
    argument="sound",
    reading="V = W_{-1} is W with its first row multiplied by -1; f(i,j,.) is the density of the entry (i,j), or the mass at a point, or the mass of an interval as a function of its place, "
    "symmetric about 0: the joint one of independent entries is the same for V and W",
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
        g.fix("f")
        even = g.assume()

        def row(g: Goal) -> None:
            (i,) = g.fix()
            il, ih = g.split(g.assume())

            def column(g: Goal) -> None:
                (j,) = g.fix()
                jl, jh = g.split(g.assume())
                k = g.split(g.apply(flip, i, j, by=[lambda g: g.conj(*[using(h) for h in (il, ih, jl, jh)])]))

                def top(g: Goal) -> None:
                    v = g.apply(k[0], by=[using(next(reversed(g.seq.hyps)))])
                    g.rewrite(v)
                    g.close_by(g.apply(even, i, j, f"W[{i},{j}]"))

                def lower(g: Goal) -> None:
                    v = g.apply(k[1], by=[using(next(reversed(g.seq.hyps)))])
                    g.rewrite(v)
                    g.refl()

                g.em(f"{i} = 1", top, lower)

            g.close_by(g.by_fact("prod_ext", 1, "d", f"lam j:Z. f({i},j,V[{i},j])", f"lam j:Z. f({i},j,W[{i},j])", by=[column]))

        g.close_by(
            g.by_fact(
                "prod_ext",
                1,
                "d",
                "lam i:Z. prod(j, 1, d, f(i,j,V[i,j]))",
                "lam i:Z. prod(j, 1, d, f(i,j,W[i,j]))",
                by=[row],
            )
        )

    g.conj(determinant, law)


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


@holds(
    "razin2020.prop-3-step-total-probability",
    """all p n q m a b:R. p + n = 1 => p = 1/2 => q + m = 1 => a = p*q + n*m => b = p*m + n*q => a = 1/2*(q + m) and a = 1/2 and b = 1/2""",
    argument="sound",
    reading="p, n: the probabilities of a positive and a negative determinant of W_l; q, m: of the product of the other factors (1 and 0 for L = 1); a, b: of W_L ... W_1, by independence and the rule "
    "of signs",
    context="the determinants are 0 with probability 0 (prop-3-step-null-set), and p = 1/2 (a hypothesis of Proposition 3)",
)
def sign_of_a_product(g: Goal) -> None:
    """p = n = 1/2."""
    one, half, other, a, b = g.intro()
    g.conj(
        lambda g: g.field((a, 1), (half, "q - m"), (one, "m")),
        lambda g: g.field((a, 1), (half, "q - m"), (one, "m"), (other, "1/2")),
        lambda g: g.field((b, 1), (half, "m - q"), (one, "q"), (other, "1/2")),
    )


@holds(
    "razin2020.assertion-3-4-sign-probability",
    """all z y p n s:R. z != 0 => y != 0 => p = 1/2 => n = 1/2 => (0 < z*y => s = p) => (z*y < 0 => s = n) => s = 1/2""",
    argument="sound",
    reading="z = b_12, y = b_21; p and n are the probabilities that the determinant at the start is positive and negative, s that it has the sign of z y",
    context="Proposition 3: p = n = 1/2",
)
def probability_of_either_sign(g: Goal) -> None:
    """z y is positive or negative."""
    z, y, p, n, up, down = g.intro()

    def below(g: Goal) -> None:
        k = g.apply(down, by=[using(next(reversed(g.seq.hyps)))])
        g.field((k, 1), (n, 1))

    def above(g: Goal) -> None:
        k = g.apply(up, by=[using(next(reversed(g.seq.hyps)))])
        g.field((k, 1), (p, 1))

    def zero(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        k = g.by_fact("product_zero", "z", "y", by=[using(eq)])
        g.contra()

        def first(g: Goal) -> None:
            g.clash(next(reversed(g.seq.hyps)), z)

        def second(g: Goal) -> None:
            g.clash(next(reversed(g.seq.hyps)), y)

        g.cases(k, first, second)

    g.cases(g.fact("trichotomy", "z*y", "0"), below, zero, above)
