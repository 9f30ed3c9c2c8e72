"""Leibniz' rule for products of smooth matrix functions, any order and any number of factors; Lemma 11.

A sum over compositions k_1 + ... + k_L = k with multinomial coefficients is written as nested sums with binomial ones.
Statements about derivatives of symbolic order hold for declared functions only, so the rule is a script, not a lemma.
"""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from verify.kernel import Goal

BINOMIALS = (
    "(all n:Z. 0 <= n => Cb(n,0) = 1 and Cb(n,n) = 1) and (all n i:Z. 1 <= i and i <= n => Cb(n+1,i) = Cb(n,i) + Cb(n,i-1))"
)
"""Cb(n,i) are the binomial coefficients."""


Shape = tuple[str, str]
SQUARE: Shape = ("d", "d")


def order(n: str, f: str, t: str = "t") -> str:
    """The n-th derivative of f, written "F,b" for a family F at the index b."""
    return f"d({n},{f},{t})"


def leibniz(
    g: Goal, h: str, f: str, k: str, product: str, ends: str, pascal: str, start: str = "0", shape: Shape = SQUARE
) -> str:
    """From d(start, H, t) = F(t) @ G(t) for t >= 0: all n:Z. 0 <= n => all t >= 0: d(start + n, H, t) = sum of Cb(n,i)
    F^(i) G^(n-i). `shape` is that of H."""
    first = start == "0"

    def top(n: str) -> str:
        return n if first else f"{start} + {n}"

    def term(n: str, i: str, t: str = "t") -> str:
        return f"Cb({n},{i})*({order(i, f, t)} @ {order(f'{n} - {i}', k, t)})"

    def rule(g: Goal) -> None:
        g.induct("n", "ih")

        def none(g: Goal) -> None:
            g.intro()
            p = g.apply(product, "t")
            z = g.have("n = 0")
            g.rewrite(z)
            last = g.by_fact("matrix_sum_last", *shape, "0", "0", f"lam i:Z. {term('0', 'i')}")
            empty = g.by_fact("matrix_sum_empty", *shape, "0", "0 - 1", f"lam i:Z. {term('0', 'i')}")
            c = g.split(g.apply(ends, "0"))[0]
            one = g.have(
                f"sum(i, 0, 0, {term('0', 'i')}) = 1*({order('0', f)} @ {order('0', k)})",
                lambda g: (g.rewrite(last), g.rewrite(empty), g.rewrite(c), g.nc())[-1],
            )
            g.rewrite(one)
            g.nc((p, 1, None, None))

        def more(g: Goal) -> None:
            before = g.apply("ih", "n - 1")
            low = g.obtain(g.have("ex low:Z. low = n - 1", lambda g: (g.witness("n - 1"), g.refl())[-1]), "low")[0]
            back = g.have("n = low + 1", lambda g: g.field((low, -1)))
            g.have("0 <= low", lambda g: (g.rewrite(low), g.auto())[-1])
            before = g.have(
                f"all t:R. 0 <= t => {order(top('low'), h)} = sum(i, 0, low, {term('low', 'i')})",
                lambda g: (g.rewrite(low), g.close_by(before))[-1],
            )

            def smooth(g: Goal) -> None:
                g.intro()
                g.conj(*[None] * (len(g.concl) - 1)) if g.concl[0] == "and" else g.auto()

            agree = g.by_fact(
                "derivative_agrees_matrix",
                *shape,
                "0",
                f"lam t:R. {order(top('low'), h)}",
                f"lam t:R. sum(i, 0, low, {term('low', 'i')})",
                by=[smooth, lambda g: g.close_by(before)],
            )
            g.intro()
            a = g.apply(agree, "t")
            x = g.differentiate("s", order(top("low"), h, "s"), "t")
            y = g.differentiate("s", f"sum(i, 0, low, {term('low', 'i', 's')})", "t")
            parts = f"Cb(low,i)*({order('i + 1', f)} @ {order('low - i', k)} + {order('i', f)} @ {order('(low - i) + 1', k)})"
            whole = f"Cb(low+1,i)*({order('i', f)} @ {order('(low + 1) - i', k)})"

            def telescope(g: Goal) -> None:
                g.induct("q", "jh")
                g.assume()

                def at_zero(g: Goal) -> None:
                    z = g.have("q = 0")
                    g.rewrite(z)
                    la = g.by_fact("matrix_sum_last", *shape, "0", "0", f"lam i:Z. {parts}")
                    ea = g.by_fact("matrix_sum_empty", *shape, "0", "0 - 1", f"lam i:Z. {parts}")
                    lb = g.by_fact("matrix_sum_last", *shape, "0", "0", f"lam i:Z. {whole}")
                    eb = g.by_fact("matrix_sum_empty", *shape, "0", "0 - 1", f"lam i:Z. {whole}")
                    c = g.split(g.apply(ends, "low"))[0]
                    e = g.split(g.apply(ends, "low + 1"))[0]
                    g.rewrite(la)
                    g.rewrite(ea)
                    g.rewrite(lb)
                    g.rewrite(eb)
                    g.rewrite(c)
                    g.rewrite(e)
                    g.nc()

                def later(g: Goal) -> None:
                    j = g.apply("jh", "q - 1")
                    la = g.by_fact("matrix_sum_last", *shape, "0", "q", f"lam i:Z. {parts}")
                    lb = g.by_fact("matrix_sum_last", *shape, "0", "q", f"lam i:Z. {whole}")
                    ps = g.apply(pascal, "low", "q")
                    g.rewrite(la)
                    g.rewrite(lb)
                    g.rewrite(ps)
                    g.nc((j, 1, None, None))

                by_last(g, at_zero, later, "q")

            tele = g.have(
                f"all q:Z. 0 <= q => q <= low => sum(i, 0, q, {parts}) = sum(i, 0, q, {whole}) + "
                f"Cb(low,q)*({order('q + 1', f)} @ {order('low - q', k)})",
                telescope,
            )
            tele = g.apply(tele, "low")
            last = g.by_fact("matrix_sum_last", *shape, "0", "low + 1", f"lam i:Z. {whole}")
            c = g.split(g.apply(ends, "low"))[1]
            e = g.split(g.apply(ends, "low + 1"))[1]
            inner = g.have(
                f"sum(i, 0, low + 1, {whole}) = sum(i, 0, low, {whole}) + 1*({order('low + 1', f)} @ {order('0', k)})",
                lambda g: (g.rewrite(last), g.rewrite(e), g.replace("(low + 1) - 1", "low"), g.nc())[-1],
            )
            tele = g.have(
                f"sum(i, 0, low, {parts}) = sum(i, 0, low, {whole}) + 1*({order('low + 1', f)} @ {order('0', k)})",
                lambda g: (g.rewrite(tele), g.rewrite(c), g.nc())[-1],
            )
            g.rewrite(back)
            g.nc((x, -1, None, None), (a, 1, None, None), (y, 1, None, None), (tele, 1, None, None), (inner, -1, None, None))

        by_last(g, none, more)

    return g.have(f"all n:Z. 0 <= n => all t:R. 0 <= t => {order(top('n'), h)} = sum(i, 0, n, {term('n', 'i')})", rule)


def constant_derivatives(g: Goal, f: str, one: str) -> str:
    """All derivatives of positive order of a function with f(t) = I for all t vanish."""

    def rule(g: Goal) -> None:
        g.induct("n", "ih")

        def start(g: Goal) -> None:
            z = g.have("n = 1")
            a = g.by_fact(
                "derivative_agrees_matrix",
                "d",
                "d",
                "0",
                f"lam t:R. {order('0', f)}",
                "lam t:R. I(d)",
                by=[None, lambda g: (g.intro(), h := g.apply(one, "t"), g.nc((h, 1, None, None)))[-1]],
            )
            g.intro()
            a = g.apply(a, "t")
            x = g.differentiate("s", order("0", f, "s"), "t")
            y = g.differentiate("s", "I(d)", "t")
            g.rewrite(z)
            g.nc((x, -1, None, None), (a, 1, None, None), (y, 1, None, None))

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "1", "n")
            h = g.apply("ih", "n - 1")
            a = g.by_fact(
                "derivative_agrees_matrix",
                "d",
                "d",
                "0",
                f"lam t:R. {order('n - 1', f)}",
                "lam t:R. O(d,d)",
                by=[None, lambda g: g.close_by(h)],
            )
            g.intro()
            a = g.apply(a, "t")
            x = g.differentiate("s", order("n - 1", f, "s"), "t")
            y = g.differentiate("s", "O(d,d)", "t")
            g.nc((x, -1, None, None), (a, 1, None, None), (y, 1, None, None))

        g.cases(g.by_fact("lt_or_eq", "1", "n"), more, start)

    return g.have(f"all n:Z. 1 <= n => all t:R. 0 <= t => {order('n', f)} = O(d,d)", rule)


def derivatives_of_the_empty_product(g: Goal, flat: str, one: str, zeroth: str, later: str, n: str = "n") -> None:
    """Close that the derivatives of order n >= 0 of f, which is I for all t (`one`, and `flat` for its derivatives), are the values
    of a sequence that is I at 0 (`zeroth`) and 0 beyond (`later`)."""
    g.intro()

    def first(g: Goal) -> None:
        z = g.have(f"{n} = 0")
        g.rewrite(z)
        a = g.apply(one, "t")
        g.nc((a, 1, None, None), (zeroth, -1, None, None))

    def more(g: Goal) -> None:
        g.by_fact("int_lt", "0", n)
        a = g.apply(g.apply(flat, n), "t")
        b = g.apply(later, n)
        g.rewrite(a)
        g.rewrite(b)
        g.refl()

    g.cases(g.by_fact("lt_or_eq", "0", n), more, first)


def agreement_in_every_order(g: Goal, left: str, right: str, base: str, shape: Shape | None = SQUARE) -> str:
    """Two smooth functions that agree for t >= 0 (`base`), as templates with places for the order of the derivative and for the
    time: so do their derivatives of every order. Their values are matrices of the shape, or real numbers for None."""

    def close(g: Goal, *equations: tuple[str, int]) -> None:
        if shape:
            g.nc(*[(h, c, None, None) for h, c in equations])
        else:
            g.field(*equations)

    def rule(g: Goal) -> None:
        g.induct("n", "ih")

        def none(g: Goal) -> None:
            z = g.have("n = 0")
            g.rewrite(z)
            (time,) = g.fix("t")
            g.assume()
            close(g, (g.apply(base, time), 1))

        def more(g: Goal) -> None:
            h = g.apply("ih", "n - 1")
            fact = ("derivative_agrees_matrix", *shape) if shape else ("derivative_agrees",)
            x, y = (f"lam t:R. {f.format('(n - 1)', 't')}" for f in (left, right))
            k = g.by_fact(*fact, "0", x, y, by=[None, lambda g: g.close_by(h)])
            (time,) = g.fix("t")
            g.assume()
            k = g.apply(k, time)
            p, q = (g.differentiate("s", f.format("(n - 1)", "s"), time) for f in (left, right))
            close(g, (p, -1), (k, 1), (q, 1))

        by_last(g, none, more)

    return g.have(f"all n:Z. 0 <= n => all t:R. 0 <= t => {left.format('n', 't')} = {right.format('n', 't')}", rule)


def carried(g: Goal, x: str, y: str, template: str, base: str, start: str = "0", shape: Shape = SQUARE) -> str:
    """From d(start, x, t) = template(y(t)) for t >= 0, template linear: the same for derivatives of every order. `shape` is that of x."""
    left = order("{0}" if start == "0" else f"{{0}} + {start}", x, "{1}")
    return agreement_in_every_order(g, left, template.format(order("{0}", y, "{1}")), base, shape)
