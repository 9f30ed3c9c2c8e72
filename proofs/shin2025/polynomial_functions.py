"""Polynomials in one real variable, given by coefficients: what sums, products and multiples of them are."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.decoupled_factors import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

CLAIM = "shin2025.assertion-gaussian-coupled"


def polynomial(f: str) -> str:
    """f, a text in t, is a polynomial of t; more terms than its degree asks for do no harm."""
    return f"(ex dg:Z, co:Z->R. 0 <= dg and all t:R, up:Z. dg <= up => {f} = sum(ix, 0, up, co(ix)*t^ix))"


def step_function(g: Goal, at: str) -> tuple[str, str]:
    """Adds an integer function that is 1 up to `at` and 0 beyond; returns its name and the hypothesis on it."""
    (h,) = g.obtain(g.fact("piecewise", at, "lam x:Z. 1", "lam x:Z. 0"), "st", split=False)
    return list(g.seq.ctx)[-1], h


def by_coefficients(g: Goal, degree: str, coefficients: str, equal: Script) -> None:
    """Close that a function is a polynomial with these coefficients; `equal` proves the equation at t for the sum up to up."""
    g.witness(degree, coefficients)

    def value(g: Goal) -> None:
        g.fix()
        g.assume()
        equal(g)

    g.conj(None, value)


@part(CLAIM, "polynomial-constant", f"all x:R. {polynomial('x')}", says="A constant is a polynomial.")
def constants_are_polynomials(g: Goal) -> None:
    """Only the coefficient of t^0 is not zero."""
    g.fix()
    st, cut = step_function(g, "0")

    def value(g: Goal) -> None:
        one = g.apply(g.split(g.apply(cut, "0"))[0])

        def others(g: Goal) -> None:
            (i,) = g.fix()
            g.split(g.assume())
            ne = g.assume()

            def positive(g: Goal) -> None:
                def equal(g: Goal) -> None:
                    eq = last(g)
                    k = g.have(f"{i} = 0", lambda g: g.field((eq, -1)))
                    g.clash(k, ne)

                g.cases(g.by_fact("lt_or_eq", "0", i), None, equal)

            g.have(f"0 < {i}", positive)
            zero = g.apply(g.split(g.apply(cut, i))[1])
            g.field((zero, f"x*t^{i}"))

        s = g.by_fact("sum_delta", "0", "up", "0", f"lam ix:Z. x*{st}(ix)*t^ix", by=[None, None, others])
        g.field((s, -1), (one, "-x"))

    by_coefficients(g, "0", f"lam ix:Z. x*{st}(ix)", value)


@part(
    CLAIM,
    "polynomial-equal",
    f"all f h:R->R. (all t:R. f(t) = h(t)) => {polynomial('f(t)')} => {polynomial('h(t)')}",
    says="Equal functions are polynomials together.",
)
def equal_functions_are_polynomials_together(g: Goal) -> None:
    """The same coefficients."""
    g.fix()
    same = g.assume()
    low, terms = g.obtain(g.assume(), "dg", "co")

    def value(g: Goal) -> None:
        a, b = g.apply(same, "t"), g.apply(terms, "t", "up")
        g.field((a, -1), (b, 1))

    by_coefficients(g, "dg", "co", value)


@part(
    CLAIM,
    "polynomial-sum",
    f"all f h:R->R. {polynomial('f(t)')} => {polynomial('h(t)')} => {polynomial('(f(t) + h(t))')}",
    says="Sums of polynomials are polynomials.",
)
def sums_of_two_polynomials(g: Goal) -> None:
    """Add the coefficients."""
    g.fix()
    one, first = g.obtain(g.assume(), "da", "ca")
    two, second = g.obtain(g.assume(), "db", "cb")

    def value(g: Goal) -> None:
        a, b = g.apply(first, "t", "up"), g.apply(second, "t", "up")
        g.field((a, 1), (b, 1))

    by_coefficients(g, "da + db", "lam ix:Z. ca(ix) + cb(ix)", value)


@part(
    CLAIM,
    "polynomial-scale",
    f"all a:R, f:R->R. {polynomial('f(t)')} => {polynomial('(a*f(t))')}",
    says="Multiples of polynomials.",
)
def multiples_of_polynomials(g: Goal) -> None:
    """Multiply the coefficients."""
    g.fix()
    low, terms = g.obtain(g.assume(), "dg", "co")

    def value(g: Goal) -> None:
        g.field((g.apply(terms, "t", "up"), "a"))

    by_coefficients(g, "dg", "lam ix:Z. a*co(ix)", value)


@part(CLAIM, "polynomial-shift", f"all f:R->R. {polynomial('f(t)')} => {polynomial('(t*f(t))')}", says="t times a polynomial.")
def shifted_coefficients(g: Goal) -> None:
    """The coefficients move up by one place."""
    g.fix()
    low, terms = g.obtain(g.assume(), "dg", "co")
    st, cut = step_function(g, "0")

    def value(g: Goal) -> None:
        body = f"co(ix - 1)*(1 - {st}(ix))*t^ix"
        first = g.by_fact("sum_first", "0", "up", f"lam ix:Z. {body}")
        one = g.apply(g.split(g.apply(cut, "0"))[0])

        def term(g: Goal) -> None:
            (i,) = g.fix()
            g.split(g.assume())
            zero = g.apply(g.split(g.apply(cut, i))[1])
            p = g.by_fact("ipow_step", "t", f"{i} - 1")
            q = g.have(f"t^{i} = t*t^({i}-1)", lambda g: g.field((p, 1)))
            g.field((zero, f"-co({i}-1)*t^{i}"), (q, f"co({i}-1)"))

        rest = g.by_fact("sum_ext", "0 + 1", "up", f"lam ix:Z. {body}", "lam ix:Z. t*(co(ix - 1)*t^(ix - 1))", by=[term])
        moved = g.fact("sum_shift", "0 + 1", "up", "1", "lam ix:Z. t*(co(ix - 1)*t^(ix - 1))")
        known = g.apply(terms, "t", "up - 1")
        g.field((known, "t"), (moved, -1), (rest, -1), (first, -1), (one, "co(-1)"))

    by_coefficients(g, "dg + 1", f"lam ix:Z. co(ix - 1)*(1 - {st}(ix))", value)


@part(
    CLAIM,
    "polynomial-monomial",
    f"all f:R->R. {polynomial('f(t)')} => all n:Z. 0 <= n => {polynomial('(f(t)*t^n)')}",
    says="A polynomial times a power.",
)
def polynomial_times_a_power(g: Goal) -> None:
    """Induction on the exponent."""
    g.fix()
    f = g.assume()
    ih = g.induct("n")

    def base(g: Goal) -> None:
        eq = last(g)
        zero = g.have("n = 0", lambda g: g.field((eq, -1)))
        g.rewrite(zero)
        same(g, "f(t)", "f(t)*t^0", lambda g: g.field(), f)

    def step(g: Goal) -> None:
        g.by_fact("int_lt", "0", "n")
        before = g.apply(ih, "n - 1")
        up = g.lemma(CLAIM, "part:polynomial-shift", "lam t:R. f(t)*t^(n-1)", by=[lambda g: g.close_by(before)])

        def equal(g: Goal) -> None:
            p = g.by_fact("ipow_step", "t", "n - 1")
            q = g.have("t^n = t*t^(n-1)", lambda g: g.field((p, 1)))
            g.field((q, "-f(t)"))

        same(g, "t*(f(t)*t^(n-1))", "f(t)*t^n", equal, up)

    g.less_or_equal("0 <= n", step, base)


def same(g: Goal, old: str, new: str, equal: Script, known: str) -> None:
    """Close: new is a polynomial, as it is equal to old, which is one."""

    def agree(g: Goal) -> None:
        g.fix("t")
        equal(g)

    k = g.lemma(CLAIM, "part:polynomial-equal", f"lam t:R. {old}", f"lam t:R. {new}", by=[agree, lambda g: g.close_by(known)])
    g.close_by(k)


@part(
    CLAIM,
    "polynomial-product",
    f"all f h:R->R. {polynomial('f(t)')} => {polynomial('h(t)')} => {polynomial('(f(t)*h(t))')}",
    says="Products of polynomials are polynomials.",
)
def products_of_two_polynomials(g: Goal) -> None:
    """Induction on the number of terms of the second factor."""
    g.fix()
    f = g.assume()
    low, terms = g.obtain(g.assume(), "dh", "ch")
    partial = "sum(ix, 0, {}, ch(ix)*t^ix)"

    def by_terms(g: Goal) -> None:
        ih = g.induct("n")
        monomial = g.apply(g.lemma(CLAIM, "part:polynomial-monomial", "f", by=[lambda g: g.close_by(f)]), "n")
        top = g.lemma(CLAIM, "part:polynomial-scale", "ch(n)", "lam t:R. f(t)*t^n", by=[lambda g: g.close_by(monomial)])

        def base(g: Goal) -> None:
            eq = last(g)
            zero = g.have("n = 0", lambda g: g.field((eq, -1)))

            def equal(g: Goal) -> None:
                g.rewrite(zero)
                g.field()

            same(g, "ch(n)*(f(t)*t^n)", f"f(t)*{partial.format('n')}", equal, top)

        def step(g: Goal) -> None:
            g.by_fact("int_lt", "0", "n")
            before = g.apply(ih, "n - 1")
            both = g.lemma(
                CLAIM,
                "part:polynomial-sum",
                f"lam t:R. f(t)*{partial.format('n - 1')}",
                "lam t:R. ch(n)*(f(t)*t^n)",
                by=[lambda g: g.close_by(before), lambda g: g.close_by(top)],
            )

            def equal(g: Goal) -> None:
                s = g.by_fact("sum_last", "0", "n", "lam ix:Z. ch(ix)*t^ix")
                g.field((s, "-f(t)"))

            same(g, f"f(t)*{partial.format('n - 1')} + ch(n)*(f(t)*t^n)", f"f(t)*{partial.format('n')}", equal, both)

        g.less_or_equal("0 <= n", step, base)

    every = g.have(f"all n:Z. 0 <= n => {polynomial('(f(t)*' + partial.format('n') + ')')}", by_terms)
    now = g.apply(every, "dh", by=[lambda g: g.close_by(low)])

    def equal(g: Goal) -> None:
        k = g.apply(terms, "t", "dh")
        g.field((k, "-f(t)"))

    same(g, f"f(t)*{partial.format('dh')}", "f(t)*h(t)", equal, now)


@part(
    CLAIM,
    "polynomial-family",
    f"""all E:(Z,R)->R, n:Z. (all k:Z. 1 <= k and k <= n => {polynomial("E(k,t)")}) =>
        {polynomial("sum(k, 1, n, E(k,t))")} and {polynomial("prod(k, 1, n, E(k,t))")}""",
    says="Sums and products of finitely many polynomials are polynomials.",
)
def sums_and_products_of_families(g: Goal) -> None:
    """Induction on the number of terms."""
    g.fix()
    each = g.assume()

    def through(kind: str, op: str, unit: str, role: str) -> Script:
        def script(g: Goal) -> None:
            def empty(g: Goal, m: str) -> None:
                """No term: m < 1 is the newest hypothesis."""
                below = last(g)
                zero = g.lemma(CLAIM, "part:polynomial-constant", unit)

                def equal(g: Goal) -> None:
                    k = g.by_fact(f"{kind}_empty", "1", m, "lam k:Z. E(k,t)", by=[lambda g: g.nlin(use=[below])])
                    g.field((k, -1))

                same(g, unit, f"{kind}(k, 1, {m}, E(k,t))", equal, zero)

            def induction(g: Goal) -> None:
                ih = g.induct("m")
                g.assume()

                def more(g: Goal) -> None:
                    strict = last(g)
                    g.by_fact("int_lt", "0", "m", by=[lambda g: g.close_by(strict)])
                    before = g.apply(ih, "m - 1")
                    one = g.apply(each, "m")
                    both = g.lemma(
                        CLAIM,
                        f"part:polynomial-{role}",
                        f"lam t:R. {kind}(k, 1, m - 1, E(k,t))",
                        "lam t:R. E(m,t)",
                        by=[lambda g: g.close_by(before), lambda g: g.close_by(one)],
                    )

                    def equal(g: Goal) -> None:
                        k = g.by_fact(f"{kind}_last", "1", "m", "lam k:Z. E(k,t)")
                        g.field((k, -1))

                    same(g, f"{kind}(k, 1, m - 1, E(k,t)) {op} E(m,t)", f"{kind}(k, 1, m, E(k,t))", equal, both)

                def none(g: Goal) -> None:
                    eq = last(g)
                    g.have("m < 1", lambda g: g.pos(["1"], eqs=[(eq, 1)]))
                    empty(g, "m")

                g.less_or_equal("0 <= m", more, none)

            every = g.have(f"all m:Z. 0 <= m => m <= n => {polynomial(f'{kind}(k, 1, m, E(k,t))')}", induction)

            def here(g: Goal) -> None:
                k = g.apply(every, "n")
                g.close_by(k)

            g.em("0 <= n", here, lambda g: empty(g, "n"))

        return script

    g.conj(through("sum", "+", "0", "sum"), through("prod", "*", "1", "product"))


def of_family(g: Goal, body: str, n: str, each: Callable[[Goal, str], str], which: int = 0, index: str = "k") -> str:
    """Adds: the sum (or, which = 1, the product) over index = 1, ..., n of body, a text in the index and t, is a polynomial; `each`
    proves it for a term and returns the hypothesis."""

    def term(g: Goal) -> None:
        (k,) = g.fix()
        g.split(g.assume())
        g.close_by(each(g, k))

    h = g.lemma(CLAIM, "part:polynomial-family", f"lam {index}:Z, t:R. {body}", n, by=[term])
    return g.split(h)[which]
