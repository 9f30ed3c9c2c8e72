"""Where all parameters are 1 all inner products of gradients are positive."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.parameter_vector import CLAIM, INDEX, MODEL, PLACE, VARIABLES, inner_at, setting
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part


@part(
    CLAIM,
    "positive-start",
    f"""all {VARIABLES}. {MODEL} 1 <= Np and all i j u v:Z. 1 <= i and i <= d and 1 <= j and j <= d and 1 <= u and u <= d and
        1 <= v and v <= d => 0 < {inner_at("J(Np,1)")("i", "j", "u", "v")}""",
    says="Where all parameters are 1 all inner products of gradients are positive.",
)
def inner_products_where_all_parameters_are_one(g: Goal) -> None:
    """Nothing is negative, and the term of the second layer at the place (1, 1) is positive."""
    setting(g)
    one = "J(Np,1)"

    def more_than_one_place(g: Goal) -> None:
        g.fix("l")
        g.split(g.assume())
        law = g.apply("offsets", "l")
        a, b = (g.split(g.apply("widths", l))[0] for l in ("l", "l - 1"))  # noqa: E741
        g.pos([f"@{a}", f"@{b}"], [f"@{a}"], [f"@{b}"], eqs=[(law, 1)])

    further = g.have("all l:Z. 1 <= l and l <= L => o(l - 1) + 1 <= o(l)", more_than_one_place)

    def by_layers(none: Script, next_: Callable[[Goal, str], None]) -> Script:
        """Induction over a number n of layers, with the case 0 = n and a step from what holds for n - 1."""

        def script(g: Goal) -> None:
            ih = g.induct("n")
            g.assume()

            def more(g: Goal) -> None:
                strict = last(g)
                g.by_fact("int_lt", "0", "n", by=[lambda g: g.close_by(strict)])
                next_(g, g.apply(ih, "n - 1"))

            g.less_or_equal("0 <= n", more, none)

        return script

    def all_places(g: Goal) -> None:
        eq = last(g)
        e = g.have("o(L - n) = o(L)", lambda g: g.ctx(lambda g: g.field((eq, 1))))
        g.pos(eqs=[(e, -1), ("length", -1)])

    def from_above(g: Goal, before: str) -> None:
        k = g.apply(further, "L - n + 1")
        place = g.have("o(L - n) = o(L - n + 1 - 1)", lambda g: g.ctx(lambda g: g.field()))
        up = g.have("o(L - (n - 1)) = o(L - n + 1)", lambda g: g.ctx(lambda g: g.field()))
        g.pos([f"@{before}"], [f"@{k}"], ["1"], eqs=[(place, -1), (up, 1)])

    grow = g.have("all n:Z. 0 <= n => n <= L => o(L - n) <= Np", by_layers(all_places, from_above))

    def no_place(g: Goal) -> None:
        eq = last(g)
        e = g.have("o(n) = o(0)", lambda g: g.ctx(lambda g: g.field((eq, -1))))
        g.pos(eqs=[(e, 1), ("origin", 1), (eq, 1)])

    def from_below(g: Goal, before: str) -> None:
        g.pos([f"@{before}"], [f"@{g.apply(further, 'n')}"])

    above = g.have("all n:Z. 0 <= n => n <= L => n <= o(n)", by_layers(no_place, from_below))
    whole = g.apply(above, "L")
    positive_k = g.have("1 <= Np", lambda g: g.pos([f"@{whole}"], ["@depth"], ["2"], eqs=[("length", -1)]))

    def inside(g: Goal) -> None:
        g.fix("l", "i", "j")
        layer = g.split(g.assume())
        hs = g.split(g.assume())
        e = g.apply("layers", "l", "i", "j", one)
        low = g.apply(above, "l - 1")
        k = g.apply(grow, "L - l")
        law = g.apply("offsets", "l")
        k = g.have("o(l) <= Np", lambda g: g.exact(k))
        width = g.split(g.apply("widths", "l - 1"))[0]
        lo = g.have(
            f"1 <= {INDEX}",
            lambda g: g.pos([f"@{low}"], [f"@{layer[0]}"], [f"@{hs[0]}", f"@{width}"], [f"@{hs[0]}"], [f"@{hs[2]}"]),
        )
        hi = g.have(
            f"{INDEX} <= Np", lambda g: g.pos([f"@{k}"], [f"@{hs[3]}"], [f"@{hs[1]}", f"@{width}"], [f"@{hs[1]}"], eqs=[(law, 1)])
        )
        del lo, hi
        g.rewrite(e)
        g.field()

    ones = g.have(f"all l i j:Z. 1 <= l and l <= L => {PLACE} => F(l,{one})[i,j] = 1", inside)

    def nonneg(g: Goal) -> None:
        g.fix("l", "i", "j")
        g.split(g.assume())

        def zero(side: int) -> Script:
            def script(g: Goal) -> None:
                h = last(g)
                e = g.apply("beyond", "l", "i", "j", one, by=[None, lambda g: (g.left_or_right(side), g.close_by(h))[-1]])
                g.pos(eqs=[(e, 1)])

            return script

        def outside(side: int) -> Script:
            def script(g: Goal) -> None:
                h = last(g)
                e = g.apply(
                    g.fact("entry_outside", "N", "N", f"F(l,{one})"),
                    "i",
                    "j",
                    by=[lambda g: (g.left_or_right(side), g.close_by(h))[-1]],
                )
                g.pos(eqs=[(e, 1)])

            return script

        def within(g: Goal) -> None:
            e = g.apply(ones, "l", "i", "j")
            g.pos(["1"], eqs=[(e, 1)])

        g.em(
            "w(l) < i",
            zero(0),
            lambda g: g.em(
                "w(l-1) < j", zero(1), lambda g: g.em("i < 1", outside(0), lambda g: g.em("j < 1", outside(2), within))
            ),
        )

    signs = g.have(f"all l i j:Z. 1 <= l and l <= L => 0 <= F(l,{one})[i,j]", nonneg)

    def unit(g: Goal, i: str, j: str) -> str:
        """Adds 0 <= I(N)[i,j]."""

        def outside(side: int) -> Script:
            def script(g: Goal) -> None:
                h = last(g)
                e = g.apply(
                    g.fact("entry_outside", "N", "N", "I(N)"), i, j, by=[lambda g: (g.left_or_right(side), g.close_by(h))[-1]]
                )
                g.pos(eqs=[(e, 1)])

            return script

        def within(g: Goal) -> None:
            def equal(g: Goal) -> None:
                eq = last(g)
                e = g.have(f"I(N)[{i},{j}] = 1", lambda g: (g.rewrite(eq), g.field())[-1])
                g.pos(["1"], eqs=[(e, 1)])

            def unequal(g: Goal) -> None:
                e = g.have(f"I(N)[{i},{j}] = 0", lambda g: g.field())
                g.pos(eqs=[(e, 1)])

            g.em(f"{i} = {j}", equal, unequal)

        def prove(g: Goal) -> None:
            g.em(
                f"{i} < 1",
                outside(0),
                lambda g: g.em(
                    f"N < {i}",
                    outside(1),
                    lambda g: g.em(f"{j} < 1", outside(2), lambda g: g.em(f"N < {j}", outside(3), within)),
                ),
            )

        return g.have(f"0 <= I(N)[{i},{j}]", prove)

    def entry(g: Goal, x: str, z: str) -> str:
        """Adds the (i, j) entry of x @ z as a sum."""
        return g.apply(g.fact("mm_entry", "N", "N", "N", x, z), "i", "j")

    def partial(name: str, start: str, step: str) -> Script:
        is_p = name == "P"

        def script(g: Goal) -> None:
            ih = g.induct("n")
            g.assume()
            here = "n" if is_p else "L - n"

            def none(g: Goal) -> None:
                eq = last(g)
                g.fix("i", "j")
                e = g.apply(start, one)
                e = g.have(f"{name}({here},{one}) = I(N)", lambda g: g.exact(e, by=[lambda g: g.field((eq, -1 if is_p else 1))]))
                g.rewrite(e)
                g.close_by(unit(g, "i", "j"))

            def more(g: Goal) -> None:
                strict = last(g)
                g.by_fact("int_lt", "0", "n", by=[lambda g: g.close_by(strict)])
                before = g.apply(ih, "n - 1")
                g.fix("i", "j")
                x, z = (f"F(n,{one})", f"P(n-1,{one})") if is_p else (f"Q(L-(n-1),{one})", f"F(L-(n-1),{one})")
                e = g.apply(step, "n" if is_p else "L-(n-1)", one)
                e = g.have(f"{name}({here},{one}) = {x} @ {z}", lambda g: g.exact(e))
                g.rewrite(e)
                g.rewrite(entry(g, x, z))

                def term(g: Goal) -> None:
                    (k,) = g.fix()
                    g.assume()
                    if is_p:
                        a, b = g.apply(signs, "n", "i", k), g.apply(before, k, "j")
                    else:
                        a, b = g.apply(before, "i", k), g.apply(signs, "L-(n-1)", k, "j")
                    g.pos([f"@{a}", f"@{b}"])

                g.close_by(g.by_fact("sum_nonneg", "1", "N", f"lam k:Z. {x}[i,k]*{z}[k,j]", by=[term]))

            g.less_or_equal("0 <= n", more, none)

        return script

    ps = g.have(f"all n:Z. 0 <= n => n <= L => all i j:Z. 0 <= P(n,{one})[i,j]", partial("P", "p_start", "p_step"))
    qs = g.have(f"all n:Z. 0 <= n => n <= L => all i j:Z. 0 <= Q(L-n,{one})[i,j]", partial("Q", "q_start", "q_step"))

    def first_row(g: Goal) -> None:
        g.fix("j")
        g.split(g.assume())
        e = g.apply("p_step", "1", one)
        zero = g.apply("p_start", one)
        zero = g.have(f"P(1-1,{one}) = I(N)", lambda g: g.exact(zero))
        e = g.have(f"P(1,{one}) = F(1,{one})", lambda g: g.nc((e, 1, None, None), (zero, 1, f"F(1,{one})", None)))
        g.rewrite(e)
        g.split(g.apply("widths", "1"))
        f = g.apply(ones, "1", "1", "j", by=[None, lambda g: first_place(g)])
        g.pos(["1"], eqs=[(f, 1)])

    def first_place(g: Goal) -> None:
        k = g.have("w(1-1) = d", lambda g: g.exact("first"))
        g.conj(None, None, None, lambda g: (g.rewrite(k), g.auto())[-1])

    row = g.have(f"all j:Z. 1 <= j and j <= d => 0 < P(1,{one})[1,j]", first_row)

    def column(g: Goal) -> None:
        ih = g.induct("n")
        lo = next(h for h in g.seq.hyps if h.endswith("_lo"))
        g.assume()
        g.fix("i")
        hs = g.split(g.assume())
        x, z = f"Q(L-(n-1),{one})", f"F(L-(n-1),{one})"
        e = g.apply("q_step", "L-(n-1)", one)
        e = g.have(f"Q(L-n,{one}) = {x} @ {z}", lambda g: g.exact(e))
        g.split(g.apply("widths", "L-(n-1)"))
        g.split(g.apply("widths", "L-(n-1)-1"))

        def base(g: Goal) -> None:
            eq = last(g)
            unit_ = g.apply("q_start", one)
            unit_ = g.have(f"{x} = I(N)", lambda g: g.exact(unit_, by=[lambda g: g.field((eq, 1))]))
            f = g.have(f"Q(L-n,{one}) = {z}", lambda g: g.nc((e, 1, None, None), (unit_, 1, None, z)))
            width = g.have("w(L-(n-1)) = d", lambda g: g.exact("top", by=[lambda g: g.field((eq, 1))]))
            g.have("i <= w(L-(n-1))", lambda g: (g.rewrite(width), g.close_by(hs[1]))[-1])
            v = g.apply(ones, "L-(n-1)", "i", "1")
            g.rewrite(f)
            g.pos(["1"], eqs=[(v, 1)])

        def step(g: Goal) -> None:
            strict = last(g)
            g.by_fact("int_lt", "1", "n", by=[lambda g: g.close_by(strict)])
            before = g.apply(ih, "n - 1", n=2)
            before = g.apply(before, "i")
            everywhere = g.apply(qs, "n - 1", n=2)
            v = g.apply(ones, "L-(n-1)", "1", "1")
            m = g.apply(g.fact("mm_entry", "N", "N", "N", x, z), "i", "1")

            def term(g: Goal) -> None:
                (k,) = g.fix()
                g.assume()
                a, b = g.apply(everywhere, "i", k), g.apply(signs, "L-(n-1)", k, "1")
                g.pos([f"@{a}", f"@{b}"])

            s = g.by_fact("sum_term_le", "1", "N", f"lam k:Z. {x}[i,k]*{z}[k,1]", by=[term])
            s = g.apply(s, "1")
            g.rewrite(e)
            g.rewrite(m)
            g.pos([f"@{s}"], [f"@{before}"], eqs=[(v, f"{x}[i,1]")])

        g.cases(g.by_fact("lt_or_eq", "1", "n", by=[lambda g: g.close_by(lo)]), step, base)

    columns = g.have(f"all n:Z. 1 <= n => n <= L - 1 => all i:Z. 1 <= i and i <= d => 0 < Q(L-n,{one})[i,1]", column)

    def inner(g: Goal) -> None:
        g.fix("i", "j", "u", "v")
        g.split(g.assume())
        q = g.apply(columns, "L - 2", n=2)
        q = g.have(f"all i:Z. 1 <= i and i <= d => 0 < Q(2,{one})[i,1]", lambda g: second(g, q))
        head = [g.apply(q, "i"), g.apply(row, "j"), g.apply(q, "u"), g.apply(row, "v")]
        g.split(g.apply("widths", "2"))
        g.split(g.apply("widths", "1"))
        body = f"Q({{l}},{one})[i,{{a}}]*P({{l}}-1,{one})[{{b}},j]*(Q({{l}},{one})[u,{{a}}]*P({{l}}-1,{one})[{{b}},v])"

        def term(g: Goal, y: str, a: str, b: str) -> None:
            qq = g.apply(qs, f"L - {y}", n=2)
            qq = g.have(f"all i j:Z. 0 <= Q({y},{one})[i,j]", lambda g: shifted(g, qq))
            pp = g.apply(ps, f"{y} - 1", n=2)
            hs = [g.apply(qq, "i", a), g.apply(pp, b, "j"), g.apply(qq, "u", a), g.apply(pp, b, "v")]
            g.pos([f"@{h}" for h in hs])

        def over_b(g: Goal, y: str, a: str) -> None:
            def each(g: Goal) -> None:
                (b,) = g.fix()
                g.split(g.assume())
                term(g, y, a, b)

            g.close_by(g.by_fact("sum_nonneg", "1", f"w({y}-1)", f"lam b:Z. {body.format(l=y, a=a, b='b')}", by=[each]))

        def over_a(g: Goal, y: str) -> None:
            def each(g: Goal) -> None:
                (a,) = g.fix()
                g.split(g.assume())
                over_b(g, y, a)

            e = f"lam a:Z. sum(b, 1, w({y}-1), {body.format(l=y, a='a', b='b')})"
            g.close_by(g.by_fact("sum_nonneg", "1", f"w({y})", e, by=[each]))

        def least(g: Goal, n: str, e: str, at: str, each: Callable[[Goal, str], None]) -> str:
            def nonneg(g: Goal) -> None:
                (k,) = g.fix()
                g.split(g.assume())
                each(g, k)

            return g.apply(g.by_fact("sum_term_le", "1", n, e, by=[nonneg]), at)

        one_ = least(g, "w(2-1)", f"lam b:Z. {body.format(l='2', a='1', b='b')}", "1", lambda g, b: term(g, "2", "1", b))
        two_ = least(
            g,
            "w(2)",
            f"lam a:Z. sum(b, 1, w(2-1), {body.format(l='2', a='a', b='b')})",
            "1",
            lambda g, a: over_b(g, "2", a),
        )
        three = least(
            g,
            "L",
            f"lam l:Z. sum(a, 1, w(l), sum(b, 1, w(l-1), {body.format(l='l', a='a', b='b')}))",
            "2",
            lambda g, y: over_a(g, y),
        )
        g.pos([f"@{one_}"], [f"@{two_}"], [f"@{three}"], [f"@{h}" for h in head])

    def second(g: Goal, q: str) -> None:
        (i,) = g.fix("i")
        g.assume()
        g.exact(g.apply(q, i))

    def shifted(g: Goal, q: str) -> None:
        i, j = g.fix("i", "j")
        g.exact(g.apply(q, i, j))

    g.conj(lambda g: g.close_by(positive_k), inner)
