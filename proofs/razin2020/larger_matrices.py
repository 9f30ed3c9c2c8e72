"""Appendix E: the completion problem of d x d matrices and its solutions."""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

INSIDE = "1 <= i and i <= d and 1 <= j and j <= d"
OBSERVED = """(all i j:Z. ((i = j and 3 <= i) or (i = 1 and j = 2) or (i = 2 and j = 1) => b(i,j) = 1) and
       (not ((i = j and 3 <= i) or (i = 1 and j = 2) or (i = 2 and j = 1)) => b(i,j) = 0))"""
"""The observed values (25), for every place but (1,1)."""
LOSS = "sum(i, 1, d, sum(j, 1, d, (1 - I(d)[i,1]*I(d)[j,1])*(W[i,j] - b(i,j))^2))/2"
"""The loss (1): the place (1,1) has the weight 0, every other one the weight 1."""
BLOCKS = """W[1,2] = 1 and W[2,1] = 1 and W[2,2] = 0 and (all i:Z. 3 <= i and i <= d => W[i,i] = 1) and
       (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d and i != j and (3 <= i or 3 <= j) => W[i,j] = 0)"""
"""Block diagonal with the blocks [[w11,1],[1,0]] and the identity."""


@part(
    "razin2020.eq-26",
    "zero-loss",
    f"""all d:Z, W:M(d,d), b:(Z,Z)->R. 2 <= d => ({LOSS} = 0 <=> all i j:Z. {INSIDE} => i != 1 or j != 1 => W[i,j] = b(i,j))""",
    says="the loss is 0 exactly if all observations are met",
)
def loss_vanishes_when_the_observations_are_met(g: Goal) -> None:
    """A vanishing sum of nonnegative terms."""
    (size,) = g.intro()
    weight = "(1 - I(d)[{0},1]*I(d)[{1},1])"
    term = weight + "*(W[{0},{1}] - b({0},{1}))^2"

    def value(g: Goal, i: str, j: str, bounds: list[str]) -> str:
        """weight(i,j) is nonnegative."""

        def corner(g: Goal) -> None:
            a, b = g.split(next(reversed(g.seq.hyps)))
            g.rewrite(a)
            g.rewrite(b)
            only(g, size)
            one = g.have("1 <= d", lambda g: g.pos([f"@{size}"], [1]))
            only(g, one)
            k = g.have("I(d)[1,1] = 1", lambda g: g.field())
            g.rewrite(k)
            g.pos()

        def rest(g: Goal) -> None:
            g.rewrite(away(g, i, j, next(reversed(g.seq.hyps)), bounds))
            g.pos([1])

        return g.have(f"0 <= {weight.format(i, j)}", lambda g: g.em(f"{i} = 1 and {j} = 1", corner, rest))

    def away(g: Goal, i: str, j: str, out: str, bounds: list[str]) -> str:
        """weight(i,j) = 1 from i != 1 or j != 1."""

        def case(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            only(g, ne, *bounds, size)
            g.have("1 <= d", lambda g: (only(g, size), g.pos([f"@{size}"], [1]))[-1])
            which = i if g.hyp_formula(ne)[1] == i else j
            k = g.have(f"I(d)[{which},1] = 0", lambda g: g.field())
            g.rewrite(k)
            g.field()

        return g.have(f"{weight.format(i, j)} = 1", lambda g: g.cases(out, case, case))

    def forward(g: Goal) -> None:
        zero = g.assume()
        total = g.have(f"sum(i, 1, d, sum(j, 1, d, {term.format('i', 'j')})) = 0", lambda g: g.field((zero, 2)))

        def sign(g: Goal, i: str, j: str, bounds: list[str]) -> None:
            k = value(g, i, j, bounds)
            only(g, k)
            g.pos([f"@{k}", f"(W[{i},{j}] - b({i},{j}))^2"])

        def row(g: Goal) -> None:
            (i,) = g.fix()
            a, b = g.split(g.assume())

            def each(g: Goal) -> None:
                (j,) = g.fix()
                c, e = g.split(g.assume())
                sign(g, i, j, [a, b, c, e])

            g.close_by(g.by_fact("sum_nonneg", 1, "d", f"lam j:Z. {term.format(i, 'j')}", by=[each]))

        rows = g.by_fact("sum_zero_terms", 1, "d", f"lam i:Z. sum(j, 1, d, {term.format('i', 'j')})", by=[row, using(total)])
        g.fix("i", "j")
        inside = g.assume()
        out = g.assume()
        a, b, c, e = g.split(inside)
        here = g.apply(rows, "i", by=[lambda g: g.conj(using(a), using(b))])

        def each(g: Goal) -> None:
            (j,) = g.fix()
            x, y = g.split(g.assume())
            sign(g, "i", j, [a, b, x, y])

        cells = g.by_fact("sum_zero_terms", 1, "d", f"lam j:Z. {term.format('i', 'j')}", by=[each, using(here)])
        cell = g.apply(cells, "j", by=[lambda g: g.conj(using(c), using(e))])
        w = away(g, "i", "j", out, [a, b, c, e])
        square = g.have(
            "(W[i,j] - b(i,j))^2 = 0", lambda g: (only(g, cell, w), g.field((cell, 1), (w, "-(W[i,j] - b(i,j))^2")))[-1]
        )
        k = g.by_fact("square_zero", "W[i,j] - b(i,j)", by=[using(square)])
        only(g, k)
        g.field((k, 1))

    def back(g: Goal) -> None:
        met = g.assume()

        def row(g: Goal) -> None:
            (i,) = g.fix()
            a, b = g.split(g.assume())

            def each(g: Goal) -> None:
                (j,) = g.fix()
                c, e = g.split(g.assume())

                def corner(g: Goal) -> None:
                    x, y = g.split(next(reversed(g.seq.hyps)))
                    g.rewrite(x)
                    g.rewrite(y)
                    only(g, size)
                    g.have("1 <= d", lambda g: g.pos([f"@{size}"], [1]))
                    k = g.have("I(d)[1,1] = 1", lambda g: g.field())
                    g.field((k, "-(I(d)[1,1] + 1)*(W[1,1] - b(1,1))^2"))

                def rest(g: Goal) -> None:
                    out = next(reversed(g.seq.hyps))
                    k = g.apply(met, i, j, by=[lambda g: g.conj(using(a), using(b), using(c), using(e)), using(out)])
                    only(g, k)
                    g.field((k, f"{weight.format(i, j)}*(W[{i},{j}] - b({i},{j}))"))

                g.em(f"{i} = 1 and {j} = 1", corner, rest)

            s = g.by_fact("sum_ext", 1, "d", f"lam j:Z. {term.format(i, 'j')}", "lam j:Z. 0", by=[each])
            only(g, s)
            g.field((s, 1))

        s = g.by_fact("sum_ext", 1, "d", f"lam i:Z. sum(j, 1, d, {term.format('i', 'j')})", "lam i:Z. 0", by=[row])
        only(g, s)
        g.field((s, "1/2"))

    g.iff(forward, back)


@holds(
    "razin2020.eq-26",
    f"all d:Z, W:M(d,d), b:(Z,Z)->R. 2 <= d => {OBSERVED} => ({LOSS} = 0 <=> {BLOCKS})",
    uses=["razin2020.eq-26"],
    argument="sound",
    reading="b are the observed values (25); the loss is 0 exactly for the block diagonal matrices, whose entry (1,1) is free",
)
def solutions_are_block_diagonal(g: Goal) -> None:
    """The observations, place by place."""
    size, values = g.intro()
    k = g.lemma("razin2020.eq-26", "part:zero-loss", "d", "W", "b", by=[using(size)])
    k = g.split(k)
    one_d = g.have("1 <= d", lambda g: (only(g, size), g.pos([f"@{size}"], [1]))[-1])

    def forward(g: Goal) -> None:
        met = g.apply(k[0], by=[using(g.assume())])

        def entry(g: Goal, i: object, j: object, value: int, out: int, which: Script) -> None:
            at = g.apply(met, i, j, by=[lambda g: within(g), lambda g: (g.left_or_right(out), g.field())[-1]])
            b = g.apply(g.split(g.apply(values, i, j))[1 - value], by=[which])
            g.field((at, 1), (b, 1))

        def within(g: Goal) -> None:
            only(g, one_d, size)
            g.conj(*[lambda g: g.auto()] * 4)

        def place(i: int) -> Script:
            return lambda g: (g.left_or_right(i), g.conj(lambda g: g.field(), lambda g: g.field()))[-1]

        def diagonal(g: Goal) -> None:
            (i,) = g.fix()
            low, high = g.split(g.assume())
            one = g.have(f"1 <= {i}", lambda g: (only(g, low), g.pos([f"@{low}"], [2]))[-1])
            ne = g.have(f"{i} != 1", lambda g: larger(g, low))
            at = g.apply(
                met,
                i,
                i,
                by=[
                    lambda g: g.conj(using(one), using(high), using(one), using(high)),
                    lambda g: (g.left_or_right(0), g.close_by(ne))[-1],
                ],
            )
            b = g.apply(g.split(g.apply(values, i, i))[0], by=[lambda g: (g.left_or_right(0), g.conj(Goal.refl, using(low)))[-1]])
            g.field((at, 1), (b, 1))

        def off(g: Goal) -> None:
            i, j = g.fix()
            a, b, c, e, ne, far = g.split(g.assume())

            def out(g: Goal) -> None:
                def case(which: int) -> Script:
                    def script(g: Goal) -> None:
                        h = next(reversed(g.seq.hyps))
                        g.left_or_right(which)
                        larger(g, h)

                    return script

                g.cases(far, case(0), case(1))

            at = g.apply(met, i, j, by=[lambda g: g.conj(*[using(x) for x in (a, b, c, e)]), out])

            def none(g: Goal) -> None:
                g.cases(g.assume(), *[lambda g: clash(g, ne, far)] * 3)

            v = g.apply(g.split(g.apply(values, i, j))[1], by=[none])
            g.field((at, 1), (v, 1))

        g.conj(
            lambda g: entry(g, 1, 2, 1, 1, place(1)),
            lambda g: entry(g, 2, 1, 1, 0, place(2)),
            lambda g: entry(g, 2, 2, 0, 0, not_special),
            diagonal,
            off,
        )

    def back(g: Goal) -> None:
        w12, w21, w22, diag, off = g.split(g.assume())

        def met(g: Goal) -> None:
            g.fix("i", "j")
            inside = g.assume()
            out = g.assume()
            a, b, c, e = g.split(inside)
            v = g.split(g.apply(values, "i", "j"))

            def special(g: Goal) -> None:
                s = next(reversed(g.seq.hyps))
                one = g.apply(v[0], by=[using(s)])

                def first(g: Goal) -> None:
                    eq, low = g.split(next(reversed(g.seq.hyps)))
                    k = g.apply(diag, "i", by=[lambda g: g.conj(using(low), using(b))])
                    g.rewrite(one)
                    g.rewrite(eq, back=True)
                    g.close_by(k)

                def second(g: Goal) -> None:
                    x, y = g.split(next(reversed(g.seq.hyps)))
                    g.rewrite(one)
                    g.rewrite(x)
                    g.rewrite(y)
                    g.close_by(w12)

                def third(g: Goal) -> None:
                    x, y = g.split(next(reversed(g.seq.hyps)))
                    g.rewrite(one)
                    g.rewrite(x)
                    g.rewrite(y)
                    g.close_by(w21)

                g.cases(s, first, second, third)

            def plain(g: Goal) -> None:
                s = next(reversed(g.seq.hyps))
                zero = (
                    g.apply(v[1], by=[using(s)]) if g.hyp_formula(s)[0] == "not" else g.apply(v[1], by=[lambda g: denied(g, s)])
                )
                g.rewrite(zero)

                def large(g: Goal) -> None:
                    far = next(reversed(g.seq.hyps))

                    def equal(g: Goal) -> None:
                        eq = next(reversed(g.seq.hyps))
                        g.contra()
                        g.clash(
                            g.have(SPECIAL, lambda g: (g.left_or_right(0), g.conj(using(eq), lambda g: either(g, far, eq)))[-1]),
                            s,
                        )

                    def apart(g: Goal) -> None:
                        ne = next(reversed(g.seq.hyps))
                        g.close_by(g.apply(off, "i", "j", by=[lambda g: g.conj(*[using(x) for x in (a, b, c, e, ne, far)])]))

                    g.em("i = j", equal, apart)

                def small(g: Goal) -> None:
                    x, y = g.split(next(reversed(g.seq.hyps)))
                    i2, j2 = two(g, "i", a, x), two(g, "j", c, y)

                    def i_one(g: Goal) -> None:
                        p = next(reversed(g.seq.hyps))

                        def j_one(g: Goal) -> None:
                            q = next(reversed(g.seq.hyps))
                            g.contra()
                            g.cases(
                                out,
                                lambda g: g.clash(p, next(reversed(g.seq.hyps))),
                                lambda g: g.clash(q, next(reversed(g.seq.hyps))),
                            )

                        def j_two(g: Goal) -> None:
                            q = next(reversed(g.seq.hyps))
                            g.contra()
                            g.clash(g.have(SPECIAL, lambda g: (g.left_or_right(1), g.conj(using(p), using(q)))[-1]), s)

                        g.cases(j2, j_one, j_two)

                    def i_two(g: Goal) -> None:
                        p = next(reversed(g.seq.hyps))

                        def j_one(g: Goal) -> None:
                            q = next(reversed(g.seq.hyps))
                            g.contra()
                            g.clash(g.have(SPECIAL, lambda g: (g.left_or_right(2), g.conj(using(p), using(q)))[-1]), s)

                        def j_two(g: Goal) -> None:
                            q = next(reversed(g.seq.hyps))
                            g.rewrite(p)
                            g.rewrite(q)
                            g.close_by(w22)

                        g.cases(j2, j_one, j_two)

                    g.cases(i2, i_one, i_two)

                g.em("3 <= i or 3 <= j", large, small)

            g.em(SPECIAL, special, plain)

        g.close_by(g.apply(k[1], by=[met]))

    g.iff(forward, back)


SPECIAL = "(i = j and 3 <= i) or (i = 1 and j = 2) or (i = 2 and j = 1)"


def larger(g: Goal, low: str) -> None:
    """i != 1 from 3 <= i."""
    h = g.contra()
    only(g, low, h)
    g.nlin(use=[low, h])


def denied(g: Goal, s: str) -> None:
    """not SPECIAL from its negation."""
    h = g.assume()
    g.clash(h, s)


def either(g: Goal, far: str, eq: str) -> None:
    """3 <= i from 3 <= i or 3 <= j and i = j."""
    g.cases(
        far,
        lambda g: g.close_by(next(reversed(g.seq.hyps))),
        lambda g: (g.rewrite(eq), g.close_by(next(reversed(g.seq.hyps))))[-1],
    )


def two(g: Goal, i: str, low: str, below: str) -> str:
    """i = 1 or i = 2 from 1 <= i and i < 3."""

    def script(g: Goal) -> None:
        only(g, low, below)
        top = g.by_fact("int_lt", i, 3, by=[using(below)])

        def more(g: Goal) -> None:
            s = next(reversed(g.seq.hyps))
            k = g.by_fact("int_lt", 1, i, by=[using(s)])
            g.left_or_right(1)
            g.antisym(lambda g: g.pos([f"@{top}"]), lambda g: g.pos([f"@{k}"]))

        def equal(g: Goal) -> None:
            s = next(reversed(g.seq.hyps))
            g.left_or_right(0)
            g.field((s, -1))

        g.cases(g.by_fact("lt_or_eq", 1, i, by=[using(low)]), more, equal)

    return g.have(f"{i} = 1 or {i} = 2", script)


def not_special(g: Goal) -> None:
    """(2,2) is none of the places with the value 1."""
    h = g.assume()

    def case(g: Goal) -> None:
        for x in g.split(next(reversed(g.seq.hyps))):
            f = g.hyp_formula(x)
            if f in (("<=", 3, 2), ("=", 2, 1)):
                only(g, x)
                g.nlin(use=[x])
                return

    g.cases(h, case, case, case)


def clash(g: Goal, ne: str, far: str) -> None:
    """No place with the value 1 is off the diagonal and has an index of at least 3."""
    x, y = g.split(next(reversed(g.seq.hyps)))
    if g.hyp_formula(y)[0] == "<=":
        g.clash(x, ne)
        return
    g.cases(far, *[lambda g: g.nlin(use=[next(reversed(g.seq.hyps)), x, y])] * 2)


@holds(
    "razin2020.eq-25",
    f"""all d:Z, b:(Z,Z)->R. 2 <= d => {OBSERVED} => b(1,2) = 1 and b(2,1) = 1 and b(2,2) = 0 and
       (all i:Z. 3 <= i => b(i,i) = 1) and (ex W:M(d,d). {LOSS} = 0)""",
    uses=["razin2020.eq-26"],
    reading="the observations are consistent; on the first two rows and columns they are those of (6)",
)
def observations_are_consistent(g: Goal) -> None:
    """The matrix of the observed values."""
    size, values = g.intro()
    (given,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam i:Z, j:Z. b(i,j)"), "W")
    k = g.split(g.lemma("razin2020.eq-26", "part:zero-loss", "d", "W", "b", by=[using(size)]))

    def met(g: Goal) -> None:
        g.fix("i", "j")
        inside = g.assume()
        g.assume()
        g.close_by(g.apply(given, "i", "j", by=[using(inside)]))

    def at(i: int, j: int, case: int) -> Script:
        def script(g: Goal) -> None:
            g.close_by(
                g.apply(
                    g.split(g.apply(values, i, j))[0],
                    by=[lambda g: (g.left_or_right(case), g.conj(lambda g: g.field(), lambda g: g.field()))[-1]],
                )
            )

        return script

    def diagonal(g: Goal) -> None:
        (i,) = g.fix()
        low = g.assume()
        g.close_by(
            g.apply(g.split(g.apply(values, i, i))[0], by=[lambda g: (g.left_or_right(0), g.conj(Goal.refl, using(low)))[-1]])
        )

    g.conj(
        at(1, 2, 1),
        at(2, 1, 2),
        lambda g: g.close_by(g.apply(g.split(g.apply(values, 2, 2))[1], by=[not_special])),
        diagonal,
        lambda g: (g.witness("W"), g.close_by(g.apply(k[1], by=[met])))[-1],
    )
