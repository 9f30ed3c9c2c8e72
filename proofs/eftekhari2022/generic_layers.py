"""Section 3 and Appendix H: all layers in one vector; the tuples whose product has the largest rank are dense, the others a null set.

The entry (i, j) of W_l is the component o(l-1) + (i-1) w(l-1) + j of the vector x of all entries, where w(l) = d_l are the widths. F(l,x) is
W_l, padded with zeros to n x n, and P(l,x) = W_l ... W_1.
"""

from __future__ import annotations

import re

from proofs.eftekhari2022.product_map import CLAIM as CORNER
from proofs.eftekhari2022.product_map import corner
from proofs.razin2020.scripts import using
from proofs.shin2025.polynomial_functions import CLAIM as POLYNOMIALS
from proofs.shin2025.polynomial_functions import of_family, polynomial, same
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

NULL_SET = "eftekhari2022.lemma-12-2"
PLACE = "1 <= i and i <= w(l) and 1 <= j and j <= w(l-1)"
INDEX = "o(l-1) + (i-1)*w(l-1) + j"
VARIABLES = "N n p r:Z, w o:Z->Z, F P:(Z,V(p))->M(n,n)"
NAMES = ("depth", "widths", "least", "attained", "origin", "offsets", "length", "layers", "beyond", "start", "step")
MODEL = f"""1 <= N => (all l:Z. 0 <= l and l <= N => 1 <= w(l) and w(l) <= n) =>
  (all l:Z. 0 <= l and l <= N => r <= w(l)) => (ex l:Z. 0 <= l and l <= N and w(l) = r) =>
  o(0) = 0 => (all l:Z. 1 <= l and l <= N => o(l) = o(l-1) + w(l)*w(l-1)) => o(N) = p =>
  (all l i j:Z, x:V(p). 1 <= l and l <= N => {PLACE} => F(l,x)[i,j] = x[{INDEX},1]) =>
  (all l i j:Z, x:V(p). 1 <= l and l <= N => w(l) < i or w(l-1) < j => F(l,x)[i,j] = 0) =>
  (all x:V(p). P(0,x) = I(n)) => (all l:Z, x:V(p). 1 <= l and l <= N => P(l,x) = F(l,x) @ P(l-1,x)) =>"""
COVER = """(all k i:Z. 1 <= i and i <= p => A(k)[i,1] <= B(k)[i,1]) and
  (all m:Z. sum(k, 1, m, prod(i, 1, p, B(k)[i,1] - A(k)[i,1])) <= e)"""
READING = (
    "x lists the entries of all layers, o(l) counts those of the first l layers, F(l,x) = W_l is padded with zeros to n x n, and P(l,x) = W_l ... W_1;"
    " w(l) = d_l and r is the least width"
)


def null_set(exceptional: str) -> str:
    """The x with this property form a Lebesgue null set: countably many boxes of arbitrarily small total volume cover them."""
    inside = "ex k:Z. 1 <= k and all i:Z. 1 <= i and i <= p => A(k)[i,1] <= x[i,1] and x[i,1] <= B(k)[i,1]"
    return f"all e:R. 0 < e => ex A B:Z->V(p). {COVER} and all x:V(p). {exceptional} => {inside}"


def last(g: Goal) -> str:
    return next(reversed(g.seq.hyps))


def setting(g: Goal) -> None:
    """Fix the variables and name the hypotheses of MODEL."""
    g.fix()
    for name in NAMES:
        g.assume(name)


def model(g: Goal, claim: str, role: str) -> str:
    """A statement about MODEL, from the hypotheses of the same names."""
    return g.lemma(claim, role, "N", "n", "p", "r", "w", "o", "F", "P", by=[using(name) for name in NAMES])


@part(
    NULL_SET,
    "offsets",
    f"all {VARIABLES}. {MODEL} all l m:Z. 0 <= l => l <= m => m <= N => o(l) <= o(m)",
    says="the offsets do not decrease",
)
def offsets_do_not_decrease(g: Goal) -> None:
    """Induction on m."""
    setting(g)
    g.fix("l", "m")

    def every(g: Goal) -> None:
        ih = g.induct("q")
        g.assume()
        g.assume()

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "l", "q", by=[using(last(g))])
            before = g.apply(ih, "q - 1")
            g.have("1 <= q", lambda g: g.nlin(products=1))
            step = g.apply("offsets", "q")
            one, two = g.split(g.apply("widths", "q"))[0], g.split(g.apply("widths", "q - 1"))[0]
            g.pos([f"@{before}"], [f"@{one}", f"@{two}"], [f"@{one}"], [f"@{two}"], [1], eqs=[(step, 1)])

        def here(g: Goal) -> None:
            e = g.have("o(q) = o(l)", lambda g: g.ctx(using(g.have("q = l", lambda g: g.field((last_equation(g), -1))))))
            g.pos(eqs=[(e, 1)])

        g.less_or_equal("l <= q", more, here)

    h = g.have("all q:Z. l <= q => 0 <= l => q <= N => o(l) <= o(q)", every)
    low, order, high = g.assume(), g.assume(), g.assume()
    g.close_by(g.apply(h, "m", by=[using(order), using(low), using(high)]))


def last_equation(g: Goal) -> str:
    return next(h for h in reversed(g.seq.hyps) if g.hyp_formula(h)[0] == "=")


@part(
    NULL_SET,
    "places",
    f"""all {VARIABLES}. {MODEL} all l i j a b c:Z. 1 <= l => l <= N => {PLACE} => 1 <= a => a <= N => 1 <= b and b <= w(a) and 1 <= c and c <= w(a-1) =>
       1 <= {INDEX} and {INDEX} <= p and (l = a and i = b and j = c or {INDEX} != o(a-1) + (b-1)*w(a-1) + c)""",
    says="different entries stand at different places of the vector",
)
def different_places(g: Goal) -> None:
    """Blocks of earlier layers, and of earlier rows, end before."""
    setting(g)
    g.fix("l", "i", "j", "a", "b", "c")
    g.assume()
    g.assume()
    i_lo, i_hi, j_lo, j_hi = g.split(g.assume())
    g.assume()
    g.assume()
    b_lo, b_hi, c_lo, c_hi = g.split(g.assume())
    monotone = model(g, NULL_SET, "part:offsets")

    def within(g: Goal, layer: str, i: str, j: str, bounds: list[str]) -> tuple[str, str]:
        """o(l-1) < index <= o(l)."""
        low, rows, left, columns = bounds
        step = g.apply("offsets", layer)
        wide = g.split(g.apply("widths", f"{layer} - 1"))[0]
        index = f"o({layer}-1) + ({i}-1)*w({layer}-1) + {j}"
        one = g.have(f"o({layer}-1) + 1 <= {index}", lambda g: g.pos([f"@{low}", f"@{wide}"], [f"@{low}"], [f"@{left}"]))
        two = g.have(
            f"{index} <= o({layer})",
            lambda g: g.pos([f"@{rows}", f"@{wide}"], [f"@{rows}"], [f"@{columns}"], eqs=[(step, 1)]),
        )
        return one, two

    one, two = within(g, "l", "i", "j", [i_lo, i_hi, j_lo, j_hi])
    three, four = within(g, "a", "b", "c", [b_lo, b_hi, c_lo, c_hi])
    first = g.apply(monotone, "0", "l - 1")
    end = g.apply(monotone, "l", "N")

    def apart(g: Goal, below: str, above: str, order: str, sign: int) -> None:
        """Not equal, as one lies in an earlier block."""
        g.left_or_right(1)
        eq = g.contra()
        g.pos([f"@{below}"], [f"@{above}"], [f"@{order}"], [1], eqs=[(eq, sign)])

    def layers(g: Goal) -> None:
        def less(g: Goal) -> None:
            g.by_fact("int_lt", "l", "a", by=[using(last(g))])
            apart(g, two, three, g.apply(monotone, "l", "a - 1"), 1)

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "a", "l", by=[using(last(g))])
            apart(g, four, one, g.apply(monotone, "a", "l - 1"), -1)

        def equal(g: Goal) -> None:
            same_layer = last(g)
            o = g.have("o(l-1) = o(a-1)", lambda g: g.ctx(lambda g: g.field((same_layer, 1))))
            v = g.have("w(l-1) = w(a-1)", lambda g: g.ctx(lambda g: g.field((same_layer, 1))))
            wide = g.split(g.apply("widths", "a - 1"))[0]

            def rows(g: Goal, up: bool) -> None:
                x, y = ("i", "b") if up else ("b", "i")
                strict = g.by_fact("int_lt", x, y, by=[using(last(g))])
                g.left_or_right(1)
                eq = g.contra()
                ends, begins = (j_hi, c_lo) if up else (c_hi, j_lo)
                g.pos(
                    [f"@{strict}", f"@{wide}"],
                    [f"@{strict}"],
                    [f"@{ends}"],
                    [f"@{begins}"],
                    [1],
                    eqs=[(eq, 1 if up else -1), (o, -1 if up else 1), (v, "-(i-1) - 1" if up else "i - 1")],
                )

            def columns(g: Goal) -> None:
                row = last(g)

                def same_column(g: Goal) -> None:
                    g.left_or_right(0)
                    g.conj(using(same_layer), using(row), using(last(g)))

                def other_column(g: Goal) -> None:
                    ne = last(g)
                    g.left_or_right(1)
                    eq = g.contra()
                    k = g.have("j = c", lambda g: g.field((eq, 1), (o, -1), (v, "-(i-1)"), (row, "-w(a-1)")))
                    g.clash(k, ne)

                g.em("j = c", same_column, other_column)

            g.cases(g.fact("trichotomy", "i", "b"), lambda g: rows(g, True), columns, lambda g: rows(g, False))

        g.cases(g.fact("trichotomy", "l", "a"), less, equal, more)

    g.conj(
        lambda g: g.pos([f"@{one}"], [f"@{first}"], eqs=[("origin", 1)]),
        lambda g: g.pos([f"@{two}"], [f"@{end}"], eqs=[("length", -1)]),
        layers,
    )


@part(
    NULL_SET,
    "onto",
    f"""all {VARIABLES}. {MODEL} all H:Z->M(n,n). (all l i j:Z. 1 <= l and l <= N => w(l) < i or w(l-1) < j => H(l)[i,j] = 0) =>
       ex z:V(p). all l:Z. 1 <= l => l <= N => F(l,z) = H(l)""",
    says="some vector lists the entries of any given layers",
    uses=[NULL_SET],
)
def every_tuple_has_a_vector(g: Goal) -> None:
    """The sum over all entries of their values at their places."""
    setting(g)
    g.fix("H")
    outside = g.assume()
    term = f"H(l)[i,j]*I(p)[{{q}},{INDEX}]"
    row = f"sum(j, 1, w(l-1), {term})"
    total = f"sum(l, 1, N, sum(i, 1, w(l), {row}))"
    (entries,) = g.obtain(g.fact("matrix_of_entries", "p", "1", f"lam q:Z, u:Z. {total.format(q='q')}"), "z", split=False)
    places = model(g, NULL_SET, "part:places")
    g.witness("z")
    g.fix("a")
    g.assume()
    g.assume()
    g.extn("b", "c")
    here = "(o(a-1) + (b-1)*w(a-1) + c)"

    def at(text: str, **names: str) -> str:
        """The text at the place of (a, b, c), with letters in the place of l, i, j."""
        text = text.format(q="@")
        for old, new in names.items():
            text = re.sub(rf"\b{old}\b", new, text)
        return text.replace("@", here)

    def vanish(g: Goal, ne: str, layer: str, i: str, j: str) -> None:
        """A term at another place is 0; ne says that an index differs."""
        known = g.split(g.apply(places, "a", "b", "c", layer, i, j))[2]

        def equal(g: Goal) -> None:
            pair = g.hyp_formula(ne)[1:]
            eq = next(k for k in g.split(last(g)) if set(g.hyp_formula(k)[1:]) == set(pair))
            k = g.have(("=", *pair), lambda g: g.field((eq, -1)))
            g.contra()
            g.clash(k, ne)

        g.cases(known, equal, lambda g: g.field())

    def zero_row(g: Goal, ne: str, layer: str, i: str) -> str:
        """Adds: the sum over j of the terms of a row of a layer is 0."""

        def each(g: Goal) -> None:
            (j,) = g.fix("j")
            g.split(g.assume())
            vanish(g, ne, layer, i, j)

        body = at(term, l=layer, i=i)
        return g.by_fact("sum_ext", 1, f"w({layer}-1)", f"lam j:Z. {body}", "lam j:Z. 0", by=[each])

    def other_layers(g: Goal) -> None:
        g.fix("l")
        g.split(g.assume())
        ne = g.assume()

        def each(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            g.field((zero_row(g, ne, "l", "i"), 1))

        k = g.by_fact("sum_ext", 1, "w(l)", f"lam i:Z. {at(row)}", "lam i:Z. 0", by=[each])
        g.field((k, 1))

    def other_rows(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        g.field((zero_row(g, g.assume(), "a", "i"), 1))

    def other_columns(g: Goal) -> None:
        g.fix("j")
        g.split(g.assume())
        vanish(g, g.assume(), "a", "b", "j")

    def inside(g: Goal) -> None:
        g.split(g.apply(places, "a", "b", "c", "a", "b", "c"))
        value = g.apply("layers", "a", "b", "c", "z")
        entry = g.apply(entries, here, "1")
        one = g.by_fact("sum_delta", 1, "N", "a", f"lam l:Z. sum(i, 1, w(l), {at(row)})", by=[None, None, other_layers])
        two = g.by_fact("sum_delta", 1, "w(a)", "b", f"lam i:Z. {at(row, l='a')}", by=[None, None, other_rows])
        three = g.by_fact("sum_delta", 1, "w(a-1)", "c", f"lam j:Z. {at(term, l='a', i='b')}", by=[None, None, other_columns])
        g.field((value, 1), (entry, 1), (one, 1), (two, 1), (three, 1))

    def beyond(side: int) -> Script:
        def script(g: Goal) -> None:
            why = last(g)
            large = g.have("w(a) < b or w(a-1) < c", lambda g: (g.left_or_right(side), g.close_by(why))[-1])
            one, two = (
                g.apply("beyond", "a", "b", "c", "z", by=[None, using(large)]),
                g.apply(outside, "a", "b", "c", by=[None, using(large)]),
            )
            g.field((one, 1), (two, -1))

        return script

    g.em("w(a) < b", beyond(0), lambda g: g.em("w(a-1) < c", beyond(1), inside))


@part(
    NULL_SET,
    "passing",
    f"""all {VARIABLES}. {MODEL} 0 <= r => all K:M(n,r). T(K) @ K = I(r) => (all i j:Z. r < i => K[i,j] = 0) => ex z:V(p). T(K) @ P(N,z) @ K = I(r)""",
    says="layers that pass the first r coordinates on, so that the product has the rank r",
    uses=[NULL_SET],
)
def layers_can_pass_coordinates(g: Goal) -> None:
    """All layers are K K^T."""
    setting(g)
    g.assume()
    g.fix("K")
    unit, rows = g.assume(), g.assume()

    def outside(g: Goal) -> None:
        g.fix("l", "i", "j")
        g.split(g.assume())
        large = g.assume()
        entry = g.apply(g.fact("mm_entry", "n", "r", "n", "K", "T(K)"), "i", "j")
        narrow = (g.apply("least", "l"), g.apply("least", "l - 1"))

        def zero(k: int) -> Script:
            def script(g: Goal) -> None:
                beyond, v = last(g), "ij"[k]
                g.have(f"r < {v}", lambda g: g.pos([f"@{beyond}"], [f"@{narrow[k]}"]))

                def each(g: Goal) -> None:
                    g.fix("q")
                    g.assume()
                    g.field((g.apply(rows, v, "q"), f"K[{'ij'[1 - k]},q]"))

                s = g.by_fact("sum_ext", 1, "r", "lam q:Z. K[i,q]*K[j,q]", "lam q:Z. 0", by=[each])
                g.field((entry, 1), (s, 1))

            return script

        g.cases(large, zero(0), zero(1))

    some = g.apply(model(g, NULL_SET, "part:onto"), "lam l:Z. K @ T(K)", by=[outside])
    (layer,) = g.obtain(some, "z", split=False)
    g.witness("z")

    def every(g: Goal) -> None:
        ih = g.induct("l")
        g.assume()

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "0", "l", by=[using(last(g))])
            before, here, step = g.apply(ih, "l - 1"), g.apply(layer, "l"), g.apply("step", "l", "z")
            g.nc((step, 1, None, "K"), (here, 1, None, "P(l-1,z) @ K"), (before, 1, "K @ T(K)", None), (unit, 1, "K", None))

        def none(g: Goal) -> None:
            zero = g.have("l = 0", lambda g: g.field((last_equation(g), -1)))
            g.rewrite(zero)
            k = g.apply("start", "z")
            g.nc((k, 1, None, "K"))

        g.less_or_equal("0 <= l", more, none)

    fixed = g.apply(g.have("all l:Z. 0 <= l => l <= N => P(l,z) @ K = K", every), "N")
    g.nc((fixed, 1, "T(K)", None), (unit, 1, None, None))


@part(
    NULL_SET,
    "lines",
    f"all {VARIABLES}. {MODEL} all x y:V(p), l i j:Z. 0 <= l => l <= N => {polynomial('P(l,x + t*y)[i,j]')}",
    says="entries of products of layers are polynomials along every line",
    uses=[POLYNOMIALS],
)
def entries_are_polynomials(g: Goal) -> None:
    """Entries of the layers are affine; induction over the layers."""
    setting(g)
    g.fix("x", "y", "l", "a", "b")
    at = "x + t*y"

    def constant(g: Goal, value: str, new: str, equal: Script) -> None:
        same(g, value, new, equal, g.lemma(POLYNOMIALS, "part:polynomial-constant", value))

    def layer(g: Goal) -> None:
        g.fix("q", "i", "j")
        g.split(g.assume())

        def zero(side: int) -> Script:
            def script(g: Goal) -> None:
                why = last(g)
                large = g.have("w(q) < i or w(q-1) < j", lambda g: (g.left_or_right(side), g.close_by(why))[-1])
                constant(
                    g,
                    "0",
                    f"F(q,{at})[i,j]",
                    lambda g: g.field((g.apply("beyond", "q", "i", "j", at, by=[None, using(large)]), -1)),
                )

            return script

        def outside(side: int) -> Script:
            def script(g: Goal) -> None:
                why = last(g)
                h = g.have("i < 1 or n < i or j < 1 or n < j", lambda g: (g.left_or_right(side), g.close_by(why))[-1])
                constant(
                    g,
                    "0",
                    f"F(q,{at})[i,j]",
                    lambda g: g.field((g.apply(g.fact("entry_outside", "n", "n", f"F(q,{at})"), "i", "j", by=[using(h)]), -1)),
                )

            return script

        def inside(g: Goal) -> None:
            spot = "o(q-1) + (i-1)*w(q-1) + j"
            base = g.lemma(POLYNOMIALS, "part:polynomial-constant", f"x[{spot},1]")
            slope = g.lemma(POLYNOMIALS, "part:polynomial-constant", f"y[{spot},1]")
            slope = g.lemma(POLYNOMIALS, "part:polynomial-shift", f"lam t:R. y[{spot},1]", by=[using(slope)])
            both = g.lemma(
                POLYNOMIALS,
                "part:polynomial-sum",
                f"lam t:R. x[{spot},1]",
                f"lam t:R. t*y[{spot},1]",
                by=[using(base), using(slope)],
            )
            same(
                g,
                f"x[{spot},1] + t*y[{spot},1]",
                f"F(q,{at})[i,j]",
                lambda g: g.field((g.apply("layers", "q", "i", "j", at), -1)),
                both,
            )

        tests = [("w(q) < i", zero(0)), ("w(q-1) < j", zero(1)), ("i < 1", outside(0)), ("j < 1", outside(2))]

        def test(g: Goal, k: int) -> None:
            if k == len(tests):
                inside(g)
                return
            g.em(tests[k][0], tests[k][1], lambda g: test(g, k + 1))

        test(g, 0)

    factors = g.have(f"all q i j:Z. 1 <= q and q <= N => {polynomial(f'F(q,{at})[i,j]')}", layer)

    def every(g: Goal) -> None:
        ih = g.induct("q")
        g.assume()

        def none(g: Goal) -> None:
            zero = g.have("q = 0", lambda g: g.field((last_equation(g), -1)))
            g.fix("i", "j")
            constant(
                g, "I(n)[i,j]", f"P(q,{at})[i,j]", lambda g: (g.rewrite(zero), g.rewrite(g.apply("start", at)), g.refl())[-1]
            )

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "0", "q", by=[using(last(g))])
            before = g.apply(ih, "q - 1")
            g.fix("i", "j")
            left, right = f"F(q,{at})", f"P(q-1,{at})"

            def term(g: Goal, k: str) -> str:
                a, b = g.apply(factors, "q", "i", k), g.apply(before, k, "j")
                parts = (f"lam t:R. {left}[i,{k}]", f"lam t:R. {right}[{k},j]")
                return g.lemma(POLYNOMIALS, "part:polynomial-product", *parts, by=[using(a), using(b)])

            s = of_family(g, f"{left}[i,k]*{right}[k,j]", "n", term)

            def equal(g: Goal) -> None:
                g.rewrite(g.apply("step", "q", at))
                g.field((g.apply(g.fact("mm_entry", "n", "n", "n", left, right), "i", "j"), -1))

            same(g, f"sum(k, 1, n, {left}[i,k]*{right}[k,j])", f"P(q,{at})[i,j]", equal, s)

        g.less_or_equal("0 <= q", more, none)

    h = g.have(f"all q:Z. 0 <= q => q <= N => all i j:Z. {polynomial(f'P(q,{at})[i,j]')}", every)
    low, high = g.assume(), g.assume()
    g.close_by(g.apply(g.apply(h, "l", by=[using(low), using(high)]), "a", "b"))


DETERMINANT = "det(T(K) @ P(N,{x}) @ K)"


@part(
    NULL_SET,
    "minor",
    f"""all {VARIABLES}. {MODEL} all K:M(n,r), x y:V(p). ex m:Z, c:Z->R. all t:R. {DETERMINANT.format(x="x + t*y")} = sum(k, 0, m, c(k)*t^k)""",
    says="a minor of the product is a polynomial along every line",
    uses=[NULL_SET, POLYNOMIALS],
)
def minors_are_polynomials(g: Goal) -> None:
    """The determinant of a matrix of polynomials."""
    setting(g)
    g.fix("K", "x", "y")
    product = "P(N,x + t*y)"
    every = model(g, NULL_SET, "part:lines")

    def entries(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()

        def outer(g: Goal, k: str) -> str:
            def inner(g: Goal, q: str) -> str:
                h = g.apply(every, "x", "y", "N", q, k)
                return g.lemma(POLYNOMIALS, "part:polynomial-scale", f"K[{q},i]", f"lam t:R. {product}[{q},{k}]", by=[using(h)])

            h = of_family(g, f"K[q,i]*{product}[q,{k}]", "n", inner, index="q")
            return g.lemma(
                POLYNOMIALS,
                "part:polynomial-scale",
                f"K[{k},j]",
                f"lam t:R. sum(q, 1, n, K[q,i]*{product}[q,{k}])",
                by=[using(h)],
            )

        s = of_family(g, f"K[k,j]*sum(q, 1, n, K[q,i]*{product}[q,k])", "n", outer)
        _, terms = g.obtain(s, "dg", "co")
        g.witness("dg", "co")
        g.fix("t")
        value = g.apply(terms, "t", "dg")
        one = g.apply(g.fact("mm_entry", "r", "n", "r", f"T(K) @ {product}", "K"), "i", "j")

        def row(g: Goal) -> None:
            g.fix("k")
            g.assume()
            m = g.apply(g.fact("mm_entry", "r", "n", "n", "T(K)", product), "i", "k")
            g.field((m, "K[k,j]"))

        two = g.by_fact(
            "sum_ext",
            1,
            "n",
            f"lam k:Z. (T(K) @ {product})[i,k]*K[k,j]",
            f"lam k:Z. K[k,j]*sum(q, 1, n, K[q,i]*{product}[q,k])",
            by=[row],
        )
        flat = g.have(("=", g.hyp_formula(one)[1][1], g.term(f"T(K) @ {product} @ K")), lambda g: g.nc())
        one = g.rewritten(one, flat)
        g.field((one, 1), (two, 1), (value, 1))

    g.close_by(g.by_fact("det_polynomial", "r", f"lam t:R. T(K) @ {product} @ K", by=[entries]))


@part(
    NULL_SET,
    "least",
    f"all {VARIABLES}. {MODEL} 1 <= r and r <= n and 1 <= p",
    says="the least width is positive",
    uses=[NULL_SET],
)
def least_width(g: Goal) -> None:
    """It is a width."""
    setting(g)
    low, high, value = g.obtain("attained", "q")
    wide = g.split(g.apply("widths", "q"))
    first = g.apply(model(g, NULL_SET, "part:offsets"), "1", "N")
    step = g.apply("offsets", "1")
    one, two = g.split(g.apply("widths", "1"))[0], g.split(g.apply("widths", "0"))[0]
    zero = g.have("o(1) = w(1)*w(0)", lambda g: g.field((step, 1), ("origin", 1)))
    g.conj(
        lambda g: g.pos([f"@{wide[0]}"], eqs=[(value, -1)]),
        lambda g: g.pos([f"@{wide[1]}"], eqs=[(value, 1)]),
        lambda g: g.pos([f"@{first}"], [f"@{one}", f"@{two}"], [f"@{one}"], [f"@{two}"], eqs=[("length", -1), (zero, 1)]),
    )


@part(
    NULL_SET,
    "at-most",
    f"all {VARIABLES}. {MODEL} all q b:Z, x:V(p). 0 <= q => q <= b => 1 <= b => b <= N => w(q) = r => rank(P(b,x)) <= r",
    says="a product past a layer of the least width has at most this rank",
    uses=[NULL_SET, CORNER],
)
def rank_is_at_most_the_least_width(g: Goal) -> None:
    """It has a factor in which only r rows, or only r columns, are not zero."""
    setting(g)
    r_lo, r_hi, _ = g.split(model(g, NULL_SET, "part:least"))
    r_low = g.have("0 <= r", lambda g: g.pos([f"@{r_lo}"], [1]))
    g.have("0 <= n", lambda g: g.pos([f"@{r_low}"], [f"@{r_hi}"]))
    g.fix("q", "b", "x")
    low, high, positive_b, top, value = (g.assume() for _ in range(5))
    g.have("q <= N", lambda g: g.pos([f"@{high}"], [f"@{top}"]))
    _, _, fixed = corner(g, "n", "r", "K", r_low, r_hi)

    def narrow(a: str, of_rows: bool) -> Script:
        """The layer a has the rank r at most."""

        def script(g: Goal) -> None:
            first = last_equation(g)
            layer = f"F({a},x)"

            def zero(g: Goal) -> None:
                g.fix("i", "j")
                why = g.assume()

                def beyond(g: Goal) -> None:
                    g.left_or_right(0 if of_rows else 1)
                    if of_rows:
                        g.pos([f"@{why}"], eqs=[(value, -1)])
                    else:
                        e = g.have("w(1-1) = w(q)", lambda g: g.ctx(lambda g: g.field((first, 1))))
                        g.pos([f"@{why}"], eqs=[(value, -1), (e, -1)])

                place = ("i", "j") if of_rows else ("j", "i")
                large = g.have(f"w({a}) < {place[0]} or w({a}-1) < {place[1]}", beyond)
                g.field((g.apply("beyond", a, *place, "x", by=[None, using(large)]), 1))

            k = g.apply(fixed, "n", layer if of_rows else f"T({layer})", by=[zero])
            g.witness(a)
            if of_rows:
                parts = ("n", "r", "n", "K", f"T(K) @ {layer}")
            else:
                k = transposed(g, k, layer)
                parts = ("n", "r", "n", f"{layer} @ K", "T(K)")
            product = g.split(g.fact("rank_product", *parts))[0 if of_rows else 1]
            factor = g.hyp_formula(product)[1][2]
            product = g.rewritten(product, g.have(("=", factor, g.term(layer)), lambda g: g.nc((k, 1, None, None))))
            size = ("n", "r", "K") if of_rows else ("r", "n", "T(K)")
            most = g.split(g.by_fact("rank_bounds", *size))[2 if of_rows else 1]
            g.conj(None, None, lambda g: g.pos([f"@{product}"], [f"@{most}"]))

        return script

    def transposed(g: Goal, k: str, layer: str) -> str:
        back = g.have(f"T(K @ T(K) @ T({layer})) = T(T({layer}))", lambda g: g.ctx(using(k)))
        return g.have(f"{layer} @ K @ T(K) = {layer}", lambda g: g.nc((back, 1, None, None)))

    def some(g: Goal) -> None:
        def positive(g: Goal) -> None:
            g.by_fact("int_lt", "0", "q", by=[using(last(g))])
            narrow("q", True)(g)

        g.less_or_equal("0 <= q", positive, narrow("1", False))

    a_lo, a_hi, rank = g.obtain(g.have("ex a:Z. 1 <= a and a <= b and rank(F(a,x)) <= r", some), "a")

    def every(g: Goal) -> None:
        ih = g.induct("m")
        g.assume()
        g.have("1 <= m", lambda g: g.nlin(products=1))
        step = g.apply("step", "m", "x")
        g.rewrite(step)
        both = g.split(g.fact("rank_product", "n", "n", "n", "F(m,x)", "P(m-1,x)"))

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "a", "m", by=[using(last(g))])
            before = g.apply(ih, "m - 1")
            g.pos([f"@{both[1]}"], [f"@{before}"])

        def here(g: Goal) -> None:
            eq = last_equation(g)
            e = g.have("rank(F(m,x)) = rank(F(a,x))", lambda g: g.ctx(lambda g: g.ctx(lambda g: g.field((eq, -1)))))
            g.pos([f"@{both[0]}"], [f"@{rank}"], eqs=[(e, -1)])

        g.less_or_equal("a <= m", more, here)

    h = g.have("all m:Z. a <= m => m <= N => rank(P(m,x)) <= r", every)
    g.close_by(g.apply(h, "b"))
