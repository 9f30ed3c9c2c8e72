"""The inner products of gradients are polynomials of the parameters; products that vanish or are positive."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.parameter_vector import CLAIM, INDEX, MODEL, VARIABLES, all_pairs, inner_at, setting
from proofs.shin2025.polynomial_functions import of_family, polynomial, same
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part


@part(
    CLAIM,
    "polynomial-on-lines",
    f"all {VARIABLES}. {MODEL} all x y:V(Np). {polynomial(all_pairs('(x + t*y)'))}",
    says="The product of all inner products of gradients is a polynomial on every line of the parameter space.",
)
def inner_products_are_polynomials(g: Goal) -> None:
    """Entries of factors are affine on a line; sums and products of polynomials are polynomials."""
    setting(g)
    g.fix("x", "y")
    at = "(x + t*y)"

    def factor(g: Goal) -> None:
        g.fix("l", "i", "j")
        g.split(g.assume())

        def zero(why: Callable[[Goal], str]) -> Script:
            def script(g: Goal) -> None:
                cause = why(g)
                k = g.lemma(CLAIM, "part:polynomial-constant", "0")

                def equal(g: Goal) -> None:
                    e = g.apply("beyond", "l", "i", "j", at, by=[None, lambda g: g.close_by(cause)])
                    g.field((e, -1))

                same(g, "0", f"F(l,{at})[i,j]", equal, k)

            return script

        def outside(g: Goal) -> None:
            low = last(g)
            k = g.lemma(CLAIM, "part:polynomial-constant", "0")

            def equal(g: Goal) -> None:
                e = g.apply(g.fact("entry_outside", "N", "N", f"F(l,{at})"), "i", "j", by=[lambda g: exceeds(g)])
                g.field((e, -1))

            def exceeds(g: Goal) -> None:
                g.left_or_right(0 if "i" in str(g.hyp_formula(low)) else 2)
                g.close_by(low)

            same(g, "0", f"F(l,{at})[i,j]", equal, k)

        def large(side: int) -> Script:
            def why(g: Goal) -> str:
                h = last(g)
                return g.have("w(l) < i or w(l-1) < j", lambda g: (g.left_or_right(side), g.close_by(h))[-1])

            return zero(why)

        def inside(g: Goal) -> None:
            c = g.lemma(CLAIM, "part:polynomial-constant", f"x[{INDEX},1]")
            one = g.lemma(CLAIM, "part:polynomial-constant", f"y[{INDEX},1]")
            m = g.lemma(CLAIM, "part:polynomial-shift", f"lam t:R. y[{INDEX},1]", by=[lambda g: g.close_by(one)])
            s = g.lemma(
                CLAIM,
                "part:polynomial-sum",
                f"lam t:R. x[{INDEX},1]",
                f"lam t:R. t*y[{INDEX},1]",
                by=[lambda g: g.close_by(c), lambda g: g.close_by(m)],
            )

            def equal(g: Goal) -> None:
                e = g.apply("layers", "l", "i", "j", at)
                g.field((e, -1))

            same(g, f"x[{INDEX},1] + t*y[{INDEX},1]", f"F(l,{at})[i,j]", equal, s)

        g.em(
            "w(l) < i",
            large(0),
            lambda g: g.em(
                "w(l-1) < j",
                large(1),
                lambda g: g.em("i < 1", outside, lambda g: g.em("j < 1", outside, inside)),
            ),
        )

    factors = g.have(f"all l i j:Z. 1 <= l and l <= L => {polynomial(f'F(l,{at})[i,j]')}", factor)

    def product(x: str, z: str, left: Callable[[Goal, str], str], right: Callable[[Goal, str], str], g: Goal) -> str:
        """Adds: the (i, j) entry of the product of two N x N matrices, texts in t, is a polynomial."""

        def term(g: Goal, k: str) -> str:
            a, b = left(g, k), right(g, k)
            return g.lemma(
                CLAIM,
                "part:polynomial-product",
                f"lam t:R. {x}[i,{k}]",
                f"lam t:R. {z}[{k},j]",
                by=[lambda g: g.close_by(a), lambda g: g.close_by(b)],
            )

        return of_family(g, f"{x}[i,k]*{z}[k,j]", "N", term)

    def partial(product_name: str, start: str, step: str) -> Script:
        """Every partial product by induction on the number of factors."""
        is_p = product_name == "P"

        def script(g: Goal) -> None:
            ih = g.induct("n")
            g.assume()
            here = "n" if is_p else "L - n"

            def none(g: Goal) -> None:
                eq = last(g)
                zero = g.have("n = 0", lambda g: g.field((eq, -1)))
                g.fix("i", "j")
                k = g.lemma(CLAIM, "part:polynomial-constant", "I(N)[i,j]")

                def equal(g: Goal) -> None:
                    e = g.apply(start, at)
                    same_place = g.have(f"{product_name}({here},{at}) = I(N)", lambda g: g.exact(e, by=[lambda g: place(g)]))
                    g.rewrite(same_place)
                    g.refl()

                def place(g: Goal) -> None:
                    g.field((zero, 1 if is_p else -1))

                same(g, "I(N)[i,j]", f"{product_name}({here},{at})[i,j]", equal, k)

            def more(g: Goal) -> None:
                strict = last(g)
                g.by_fact("int_lt", "0", "n", by=[lambda g: g.close_by(strict)])
                before = g.apply(ih, "n - 1")
                g.fix("i", "j")
                if is_p:
                    x, z = f"F(n,{at})", f"P(n-1,{at})"
                    s = product(x, z, lambda g, k: g.apply(factors, "n", "i", k), lambda g, k: g.apply(before, k, "j"), g)
                else:
                    x, z = f"Q(L-(n-1),{at})", f"F(L-(n-1),{at})"
                    s = product(x, z, lambda g, k: g.apply(before, "i", k), lambda g, k: g.apply(factors, "L-(n-1)", k, "j"), g)

                def equal(g: Goal) -> None:
                    e = g.apply(step, "n" if is_p else "L-(n-1)", at)
                    e = g.have(f"{product_name}({here},{at}) = {x} @ {z}", lambda g: g.exact(e))
                    g.rewrite(e)
                    m = g.apply(g.fact("mm_entry", "N", "N", "N", x, z), "i", "j")
                    g.field((m, -1))

                same(g, f"sum(k, 1, N, {x}[i,k]*{z}[k,j])", f"{product_name}({here},{at})[i,j]", equal, s)

            g.less_or_equal("0 <= n", more, none)

        return script

    ps = g.have(f"all n:Z. 0 <= n => n <= L => all i j:Z. {polynomial(f'P(n,{at})[i,j]')}", partial("P", "p_start", "p_step"))
    qs = g.have(f"all n:Z. 0 <= n => n <= L => all i j:Z. {polynomial(f'Q(L-n,{at})[i,j]')}", partial("Q", "q_start", "q_step"))

    def both(g: Goal, x: str, z: str, a: str, b: str) -> str:
        return g.lemma(
            CLAIM,
            "part:polynomial-product",
            f"lam t:R. {x}",
            f"lam t:R. {z}",
            by=[lambda g: g.close_by(a), lambda g: g.close_by(b)],
        )

    def term(g: Goal, y: str, a: str, b: str) -> str:
        q = g.apply(qs, f"L - {y}", n=2)
        q = g.have(f"all i j:Z. {polynomial(f'Q({y},{at})[i,j]')}", lambda g: moved(g, q, y))
        p = g.apply(ps, f"{y} - 1", n=2)
        texts = [f"Q({y},{at})[i,{a}]", f"P({y}-1,{at})[{b},j]", f"Q({y},{at})[u,{a}]", f"P({y}-1,{at})[{b},v]"]
        hs = [g.apply(q, "i", a), g.apply(p, b, "j"), g.apply(q, "u", a), g.apply(p, b, "v")]
        one = both(g, texts[0], texts[1], hs[0], hs[1])
        two = both(g, texts[2], texts[3], hs[2], hs[3])
        whole = both(g, f"{texts[0]}*{texts[1]}", f"{texts[2]}*{texts[3]}", one, two)
        return g.have(polynomial(f"{texts[0]}*{texts[1]}*({texts[2]}*{texts[3]})"), lambda g: regrouped(g, whole))

    def regrouped(g: Goal, whole: str) -> None:
        low, terms = g.obtain(whole, "dg", "co")
        g.witness("dg", "co")

        def value(g: Goal) -> None:
            g.fix("t", "up")
            g.assume()
            g.field((g.apply(terms, "t", "up"), 1))

        g.conj(lambda g: g.close_by(low), value)

    def moved(g: Goal, q: str, y: str) -> None:
        i, j = g.fix("i", "j")
        k = g.apply(q, i, j)
        place = g.have(f"L - (L - {y}) = {y}", lambda g: g.field())

        def equal(g: Goal) -> None:
            g.rewrite(place)
            g.refl()

        same(g, f"Q(L - (L - {y}),{at})[{i},{j}]", f"Q({y},{at})[{i},{j}]", equal, k)

    def inner(g: Goal) -> str:
        body = f"Q({{l}},{at})[i,{{a}}]*P({{l}}-1,{at})[{{b}},j]*(Q({{l}},{at})[u,{{a}}]*P({{l}}-1,{at})[{{b}},v])"

        def layer(g: Goal, y: str) -> str:
            def row(g: Goal, a: str) -> str:
                return of_family(g, body.format(l=y, a=a, b="b"), f"w({y}-1)", lambda g, b: term(g, y, a, b), index="b")

            return of_family(g, f"sum(b, 1, w({y}-1), {body.format(l=y, a='a', b='b')})", f"w({y})", row, index="a")

        return of_family(g, f"sum(a, 1, w(k), sum(b, 1, w(k-1), {body.format(l='k', a='a', b='b')}))", "L", layer)

    text = inner_at(at)("i", "j", "u", "v")

    def every(g: Goal) -> None:
        g.fix("i", "j", "u", "v")
        g.close_by(inner(g))

    each = g.have(f"all i j u v:Z. {polynomial(text)}", every)
    levels = [
        text,
        f"prod(v, 1, d, {text})",
        f"prod(u, 1, d, prod(v, 1, d, {text}))",
        f"prod(j, 1, d, prod(u, 1, d, prod(v, 1, d, {text})))",
    ]
    for level, v in zip(levels, "vuji", strict=True):
        before = "ijuv"[: "ijuv".index(v)]

        def step(g: Goal, level: str = level, v: str = v, before: str = before, each: str = each) -> None:
            if before:
                g.fix(*before)
            body = inner_at(at)(*[c if c != v else "k" for c in "ijuv"])
            for later in reversed("ijuv"["ijuv".index(v) + 1 :]):
                body = f"prod({later}, 1, d, {body})"
            del level
            g.close_by(of_family(g, body, "d", lambda g, k: g.apply(each, *before, k), which=1))

        quantifier = f"all {' '.join(before)}:Z. " if before else ""
        each = g.have(f"{quantifier}{polynomial(f'prod({v}, 1, d, {level})')}", step)
    g.close_by(each)


@part(
    CLAIM,
    "vanishing-product",
    """all E:Z->R, n k:Z. 1 <= k => k <= n => (E(k) = 0 => prod(i, 1, n, E(i)) = 0)""",
    says="A product with a factor 0 is 0.",
)
def a_vanishing_factor(g: Goal) -> None:
    """Induction on the number of factors."""
    g.fix("E", "n", "k")
    low, high = g.assume(), g.assume()
    zero = g.assume()

    def induction(g: Goal) -> None:
        ih = g.induct("m")
        lo = next(h for h in g.seq.hyps if h.endswith("_lo"))
        s = g.by_fact("prod_last", "1", "m", "lam i:Z. E(i)")

        def here(g: Goal) -> None:
            eq = last(g)
            e = g.have("E(m) = E(k)", lambda g: g.ctx(lambda g: g.field((eq, -1))))
            g.field((s, 1), (e, "prod(i, 1, m - 1, E(i))"), (zero, "prod(i, 1, m - 1, E(i))"))

        def later(g: Goal) -> None:
            strict = last(g)
            g.by_fact("int_lt", "k", "m", by=[lambda g: g.close_by(strict)])
            before = g.apply(ih, "m - 1")
            g.field((s, 1), (before, "E(m)"))

        g.cases(g.by_fact("lt_or_eq", "k", "m", by=[lambda g: g.close_by(lo)]), later, here)

    every = g.have("all m:Z. k <= m => prod(i, 1, m, E(i)) = 0", induction)
    g.close_by(g.apply(every, "n", by=[lambda g: g.close_by(high)]))
    del low


@part(
    CLAIM,
    "positive-product",
    """all E:Z->R, n:Z. (all k:Z. 1 <= k and k <= n => 0 < E(k)) => 0 < prod(i, 1, n, E(i))""",
    says="A product of positive factors is positive.",
)
def a_product_of_positive_factors(g: Goal) -> None:
    """Induction on the number of factors."""
    g.fix("E", "n")
    each = g.assume()

    def empty(g: Goal, n: str, below: str) -> None:
        k = g.by_fact("prod_empty", "1", n, "lam i:Z. E(i)", by=[lambda g: g.nlin(use=[below])])
        g.rewrite(k)
        g.pos(["1"])

    def induction(g: Goal) -> None:
        ih = g.induct("m")
        g.assume()

        def more(g: Goal) -> None:
            strict = last(g)
            g.by_fact("int_lt", "0", "m", by=[lambda g: g.close_by(strict)])
            before, one = g.apply(ih, "m - 1"), g.apply(each, "m")
            s = g.by_fact("prod_last", "1", "m", "lam i:Z. E(i)")
            g.rewrite(s)
            g.pos([f"@{before}", f"@{one}"])

        def none(g: Goal) -> None:
            eq = last(g)
            empty(g, "m", g.have("m < 1", lambda g: g.pos(["1"], eqs=[(eq, 1)])))

        g.less_or_equal("0 <= m", more, none)

    every = g.have("all m:Z. 0 <= m => m <= n => 0 < prod(i, 1, m, E(i))", induction)
    g.em("0 <= n", lambda g: g.close_by(g.apply(every, "n")), lambda g: empty(g, "n", last(g)))
