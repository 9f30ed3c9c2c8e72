"""Lemma 36: Leibniz' rule as a statement, factorials, and norms of sums of matrices."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from proofs.shin2025.leibniz import BINOMIALS, leibniz
from proofs.shin2025.measurement_flow import n2
from verify.kernel import Goal
from verify.registry import part

ID = "shin2025.lemma-36"


def factorial(n: str) -> str:
    return f"prod(l, 1, {n}, l)"


@part(
    ID,
    "leibniz",
    f"""all rows inner cols:Z, Cb:(Z,Z)->R, F:R~>M(rows,inner), G:R~>M(inner,cols), H:R~>M(rows,cols). {BINOMIALS} => (all t:R. 0 <= t => H(t) = F(t) @ G(t)) =>
        all n:Z. 0 <= n => all t:R. 0 <= t => d(n,H,t) = sum(i, 0, n, Cb(n,i)*(d(i,F,t) @ d(n - i,G,t)))""",
    says="Leibniz' rule for a product of two matrix functions.",
)
def leibniz_rule(g: Goal) -> None:
    """By induction on the order."""
    g.fix()
    ends, pascal = g.split(g.assume())
    product = g.assume()
    g.close_by(leibniz(g, "H", "F", "G", product, ends, pascal, shape=("rows", "cols")))


@part(
    ID,
    "factorials",
    f"all n:Z. 0 <= n => 0 < {factorial('n')} and {factorial('(n + 1)')} = (n + 1)*{factorial('n')}",
    says="Factorials are positive; (n + 1)! = (n + 1) n!.",
)
def factorials(g: Goal) -> None:
    """Induction."""

    def positive(g: Goal) -> None:
        g.induct("n", "ih")

        def none(g: Goal) -> None:
            e = g.by_fact("prod_empty", "1", "n", "lam l:Z. l")
            g.rewrite(e)
            g.auto()

        def more(g: Goal) -> None:
            h = g.apply("ih", "n - 1")
            e = g.by_fact("prod_last", "1", "n", "lam l:Z. l")
            g.rewrite(e)
            g.pos(["@" + h, "n"])

        by_last(g, none, more)

    h = g.have(f"all n:Z. 0 <= n => 0 < {factorial('n')}", positive)
    g.intro()

    def step(g: Goal) -> None:
        e = g.by_fact("prod_last", "1", "n + 1", "lam l:Z. l")
        g.field((e, 1))

    g.conj(lambda g: g.close_by(g.apply(h, "n")), step)


@part(
    ID,
    "binomial-coefficients",
    f"""all Cb:(Z,Z)->R. {BINOMIALS} => all n:Z. 0 <= n => all i:Z. 0 <= i => i <= n =>
        Cb(n,i)*{factorial("i")}*{factorial("(n - i)")} = {factorial("n")}""",
    says="C(n, i) i! (n - i)! = n!.",
    uses=[ID],
)
def binomial_coefficients(g: Goal) -> None:
    """By Pascal's rule and induction on n."""
    g.fix("Cb")
    ends, pascal = g.split(g.assume())
    fact = g.lemma(ID, "part:factorials")
    g.induct("n", "ih")
    g.fix("i")
    g.assume()
    g.assume()
    first, last = g.split(g.apply(ends, "n"))

    def left(g: Goal) -> None:
        e = g.have("i = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1)))
        g.rewrite(e)
        g.rewrite(first)
        g.field()

    def right(g: Goal) -> None:
        e = g.have("i = n", lambda g: g.field((list(g.seq.hyps)[-1], 1)))
        g.rewrite(e)
        g.rewrite(last)
        g.field()

    def inner(g: Goal) -> None:
        g.by_fact("int_lt", "0", "i")
        g.by_fact("int_lt", "i", "n")
        p = g.apply(pascal, "n - 1", "i")
        p = g.have(
            "Cb(n,i) = Cb(n - 1,i) + Cb(n - 1,i - 1)",
            lambda g: (g.replace("Cb(n,i)", "Cb((n - 1) + 1,i)", lambda g: g.ctx()), g.close_by(p))[-1],
        )
        before = g.apply("ih", "n - 1")
        a, b = g.apply(before, "i"), g.apply(before, "i - 1")
        fi, fk, fn = (g.split(g.apply(fact, x))[1] for x in ("i - 1", "n - 1 - i", "n - 1"))
        g.rewrite(p)
        [
            g.have(f"{factorial(x)} = {factorial(y)}", lambda g: g.field())
            for x, y in (
                ("i", "((i - 1) + 1)"),
                ("(n - i)", "((n - 1 - i) + 1)"),
                ("n", "((n - 1) + 1)"),
                ("((n - 1) - (i - 1))", "((n - 1 - i) + 1)"),
                ("((n - 1) - i)", "(n - 1 - i)"),
            )
        ]
        i1, k1 = factorial("i"), factorial("(n - i)")
        # (Cb(n-1,i) + Cb(n-1,i-1)) i! (n-i)!: the first with (n-i)! = (n-i) (n-1-i)!, the second with i! = i (i-1)!
        g.field((fk, f"Cb(n - 1,i)*{i1}"), (a, "n - i"), (fi, f"Cb(n - 1,i - 1)*{k1}"), (b, "i"), (fn, "-1"))

    g.less_or_equal("0 <= i", lambda g: g.less_or_equal("i <= n", inner, right), left)


@part(
    ID,
    "triangle",
    f"""all rows cols:Z, X Y:M(rows,cols), a b:R. 0 <= a => 0 <= b => {n2("X")} <= a^2 => {n2("Y")} <= b^2 => {n2("X + Y")} <= (a + b)^2""",
    says="The triangle inequality of the Frobenius norm, by squares.",
)
def triangle(g: Goal) -> None:
    """tr(X^T Y) <= a b by Cauchy-Schwarz."""
    a, b, x, y = g.intro()
    c = g.fact("frobenius_cauchy", "rows", "cols", "X", "Y")

    def cross(g: Goal) -> None:
        h = g.contra()
        g.pos(["@" + h, "@" + h], ["2", "a", "b", "@" + h], ["@" + c], [n2("X"), "@" + y], ["b^2", "@" + x])

    k = g.have("tr(T(X) @ Y) <= a*b", cross)
    g.pos(["@" + x], ["@" + y], ["2", "@" + k])


@part(
    ID,
    "sum-bound",
    f"""all rows cols:Z, E:Z->M(rows,cols), b:R. 0 <= b => all n:Z. 0 <= n => (all i:Z. 0 <= i and i <= n => {n2("E(i)")} <= b^2) =>
        {n2("sum(i, 0, n, E(i))")} <= ((n + 1)*b)^2""",
    says="A sum of n + 1 matrices of norm at most b has norm at most (n + 1) b.",
    uses=[ID],
)
def sum_bound(g: Goal) -> None:
    """Induction with the triangle inequality."""
    g.fix()
    g.assume()
    tri = g.lemma(ID, "part:triangle")
    g.induct("n", "ih")
    terms = g.assume()
    last = g.by_fact("matrix_sum_last", "rows", "cols", "0", "n", "lam i:Z. E(i)")
    end = g.apply(terms, "n")

    def none(g: Goal) -> None:
        e = g.have("n = 0")
        empty = g.by_fact("matrix_sum_empty", "rows", "cols", "0", "n - 1", "lam i:Z. E(i)")
        g.rewrite(last)
        g.rewrite(empty)
        g.pos(["@" + end], eqs=[(e, "(n + 2)*b^2")])

    def more(g: Goal) -> None:
        def fewer(g: Goal) -> None:
            (i,) = g.fix("i")
            g.split(g.assume())
            g.close_by(g.apply(terms, i))

        g.apply("ih", "n - 1", by=[None, fewer])
        g.rewrite(last)
        k = g.apply(
            tri,
            "rows",
            "cols",
            "sum(i, 0, n - 1, E(i))",
            "E(n)",
            "(n - 1 + 1)*b",
            "b",
            by=[lambda g: g.pos(["n", "b"]), None, None, None],
        )
        g.pos(["@" + k])

    by_last(g, none, more)
