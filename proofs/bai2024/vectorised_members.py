"""Proposition A.8 and Lemma A.4: vectorised members of the manifolds as Kronecker products."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import chain
from proofs.bai2024.invariant_manifolds import spans
from proofs.bai2024.kronecker_products import LEMMA, in_range
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted, undecided

RANGE = "1 <= a and a <= n and 1 <= b and b <= d"


def kron(x: str, v: str, c: str) -> str:
    """The vector x is v (x) c."""
    return f"(all a b:Z. {RANGE} => {x}[(a-1)*d+b,1] = {v}*{c})"


VEC = """(all a b:Z. 1 <= a and a <= d and 1 <= b and b <= d => x[(a-1)*d+b,1] = A[a,b] and x[(d+a-1)*d+b,1] = B[b,a])"""
"""x = vec((A, B)): the rows of A, then the columns of B."""
UNITS = f"(all i:Z. 1 <= i and i <= d => {kron('K(i)', 'v[a,1]', 'I(d)[b,i]')})"
"""K(i) = v (x) e_i."""
COMBINED = "(all p:Z. 1 <= p and p <= n*d => x[p,1] = sum(i, 1, d, c[i,1]*K(i)[p,1]))"
MEMBER = "(ex y z:V(d). A = y @ T(c) and B = c @ T(z))"
"""(A, B) is in Omega_1(c) = {a_i, b_j in span(c)}."""


def combination(g: Goal, units: str) -> str:
    """Adds sum c_i K(i)[(a-1)d+b] = v_a c_b for a, b in the context."""
    body = "c[i,1]*K(i)[(a-1)*d+b,1]"

    def others(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        ne = g.assume()

        def back(g: Goal) -> None:
            eq = g.contra()
            k = g.have("i = b", lambda g: g.field((eq, -1)))
            g.clash(k, ne)

        g.have("b != i", back)
        k = g.apply(g.apply(units, "i", n=1), "a", "b")
        g.field((k, "c[i,1]"))

    s = g.by_fact("sum_delta", 1, "d", "b", f"lam i:Z. {body}", by=[None, None, others])
    k = g.apply(g.apply(units, "b", n=1), "a", "b")
    return g.have(f"sum(i, 1, d, {body}) = v[a,1]*c[b,1]", lambda g: g.field((s, 1), (k, "c[b,1]")))


@holds(
    "bai2024.eq-31",
    f"""all n d:Z, v:V(n), c:V(d), K:Z->V(n*d), x:V(n*d). 1 <= n => 1 <= d => {UNITS} => {kron("x", "v[a,1]", "c[b,1]")} =>
       (all p:Z. 1 <= p and p <= n*d => sum(i, 1, d, c[i,1]*K(i)[p,1]) = x[p,1]) and
       (all b:Z. 1 <= b and b <= d => sum(i, 1, d, c[i,1]*I(d)[b,i]) = c[b,1])""",
    argument="sound",
    reading="n = 2d; K(i) = v (x) e_i and x = v (x) c, entry by entry; c = c_1 e_1 + ... + c_d e_d",
    uses=[LEMMA],
)
def combination_of_products(g: Goal) -> None:
    """Only the term i = b is left."""
    g.fix()
    g.assume()
    g.assume()
    units, product = g.assume(), g.assume()

    def entries(g: Goal) -> None:
        g.fix("p")
        g.split(g.assume())
        hs = g.obtain(g.lemma(LEMMA, "part:index", "n", "d", "p", by=[None, None, None]), "a", "b")
        k = combination(g, units)
        t = g.apply(product, "a", "b")
        g.rewrite(hs[-1])
        g.field((k, 1), (t, -1))

    def units_sum(g: Goal) -> None:
        g.fix("b")
        g.split(g.assume())

        def others(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            ne = g.assume()

            def back(g: Goal) -> None:
                eq = g.contra()
                k = g.have("i = b", lambda g: g.field((eq, -1)))
                g.clash(k, ne)

            g.have("b != i", back)
            g.field()

        s = g.by_fact("sum_delta", 1, "d", "b", "lam i:Z. c[i,1]*I(d)[b,i]", by=[None, None, others])
        g.field((s, 1))

    g.conj(entries, units_sum)


def factors(g: Goal, shape: str, product: Script) -> None:
    """A = p c^T and B = c q^T with the halves p, q of v; `product` gives x[(a-1)d+b] = v_a c_b for a, b in the context."""
    (p,) = g.obtain(g.fact("matrix_of_entries", "d", 1, "lam a:Z, q:Z. v[a,1]"), "y", split=False)
    (q,) = g.obtain(g.fact("matrix_of_entries", "d", 1, "lam a:Z, q:Z. v[d+a,1]"), "z", split=False)
    every = g.have(f"all a b:Z. {RANGE} => x[(a-1)*d+b,1] = v[a,1]*c[b,1]", product)
    g.witness("y", "z")

    def first(g: Goal) -> None:
        g.extn("a", "b")
        g.have("a <= n", lambda g: g.nlin(products=1))
        k, s, t = g.apply(every, "a", "b"), g.split(g.apply(shape, "a", "b"))[0], g.apply(p, "a", "1")
        g.field((k, 1), (s, -1), (t, "-c[b,1]"))

    def second(g: Goal) -> None:
        g.extn("b", "a")
        g.have("d + a <= n", lambda g: g.nlin(products=1))
        k, s, t = g.apply(every, "d+a", "b"), g.split(g.apply(shape, "a", "b"))[1], g.apply(q, "a", "1")
        g.field((k, 1), (s, -1), (t, "-c[b,1]"))

    g.conj(first, second)


@holds(
    "bai2024.prop-a8",
    f"""all d n:Z, A B:M(d,d), v:V(n), c:V(d), K:Z->V(n*d), x:V(n*d). 1 <= d => n = 2*d => {UNITS} => {COMBINED} => {VEC} => {MEMBER}""",
    argument="sound",
    reading="K(i) = v (x) e_i, x their combination with the coefficients c, and (A, B) the parameters with vec((A,B)) = x, rows of A and then"
    " columns of B; Omega_1(c) as in (32): all rows and columns are multiples of c. v need not be an eigenvector",
)
def combinations_are_in_omega_one(g: Goal) -> None:
    """x[(a-1)d+b] = v_a c_b: the halves of v are the factors."""
    g.fix()
    g.assume()
    g.assume()
    units, combined, shape = g.assume(), g.assume(), g.assume()

    def product(g: Goal) -> None:
        g.fix("a", "b")
        g.split(g.assume())
        in_range(g, "a", "b")
        k = combination(g, units)
        t = g.apply(combined, "(a-1)*d+b")
        g.field((t, 1), (k, 1))

    factors(g, shape, product)


undecided(
    "bai2024.prop-a8-step-vec-form",
    outcome="ill-formed",
    reason="vec((A,B)) has 2 d^2 entries and is printed as a member of R^(2d); beta (x) c with beta in R^(2d) has 2 d^2 entries",
    argument="sound",
)


@amendment(
    "bai2024.prop-a8-step-vec-form",
    f"all d n:Z, A B:M(d,d), c:V(d), x:V(n*d). 1 <= d => n = 2*d => {MEMBER} => {VEC} => ex v:V(n). {kron('x', 'v[a,1]', 'c[b,1]')}",
    says="In R^(2 d^2) the vectorised members of Omega_1(c) are the products beta (x) c.",
)
def members_are_products(g: Goal) -> None:
    """beta is the first factor of A above the second factor of B."""
    g.fix()
    g.assume()
    g.assume()
    a_is, b_is = g.obtain(g.assume(), "y", "z")
    shape = g.assume()
    (v,) = g.obtain(g.fact("matrix_of_entries", "n", 1, "lam a:Z, q:Z. y[a,1] + z[a-d,1]"), "v", split=False)
    low, high = g.fact("entry_outside", "d", 1, "z"), g.fact("entry_outside", "d", 1, "y")
    g.witness("v")
    g.fix("a", "b")
    g.split(g.assume())
    e = g.apply(v, "a", "1")

    def first(g: Goal) -> None:
        s = g.split(g.apply(shape, "a", "b"))[0]
        z = g.apply(low, "a-d", "1", by=[lambda g: (g.left_or_right(0), g.nlin(products=1))[-1]])
        k = g.have("A[a,b] = y[a,1]*c[b,1]", lambda g: (g.rewrite(a_is), g.field())[-1])
        g.field((s, 1), (k, 1), (e, "-c[b,1]"), (z, "-c[b,1]"))

    def second(g: Goal) -> None:
        up = above(g)
        g.have("1 <= a - d", lambda g: g.pos([f"@{up}"]))
        g.have("a - d <= d", lambda g: g.nlin(products=1))
        s = g.split(g.apply(shape, "a-d", "b"))[1]
        y = g.apply(high, "a", "1", by=[lambda g: (g.left_or_right(1), g.nlin(products=1))[-1]])
        k = g.have("B[b,a-d] = c[b,1]*z[a-d,1]", lambda g: (g.rewrite(b_is), g.field())[-1])
        same = g.have("x[(d+(a-d)-1)*d+b,1] = x[(a-1)*d+b,1]", lambda g: g.ctx())
        g.field((same, -1), (s, 1), (k, 1), (e, "-c[b,1]"), (y, "-c[b,1]"))

    def above(g: Goal) -> str:
        h = last(g)
        return g.by_fact("int_lt", "d", "a", by=[lambda g: g.close_by(h)])

    g.em("a <= d", first, second)


ROWS = "(all i l:Z. 1 <= i and i <= d and 1 <= l and l <= d => A[i,l] = v[i,1]*c[l,1] and B[i,l] = v[d+i,1]*c[l,1])"


@refuted(
    "bai2024.eq-32",
    f"all d n:Z, A B:M(d,d), c:V(d). 1 <= d => n = 2*d => {MEMBER} => ex v:V(n). {ROWS}",
    argument="repaired",
    reading="the lines of both displays are rows",
    reason="the columns of B are multiples of c, not its rows: d = 2, c = e_1, A = 0, B = [1,1; 0,0], whose first row is no multiple of c",
)
def rows_for_columns(g: Goal) -> None:
    """B = e_1 (1, 1)."""
    g.witness("2", "4", "O(2,2)", "[[1,1],[0,0]]", "[[1],[0]]")

    def member(g: Goal) -> None:
        g.witness("O(2,1)", "[[1],[1]]")
        g.conj(lambda g: g.ext(lambda g: g.field()), lambda g: g.ext(lambda g: g.field()))

    def differ(g: Goal) -> None:
        g.fix("v")
        g.witness("1", "2")

        def no(g: Goal) -> None:
            g.left_or_right(1)
            eq = g.contra()
            g.pos([], eqs=[(eq, -1)])

        g.conj(Goal.auto, no)

    chain(Goal.auto, Goal.auto, member, differ)(g)


@amendment(
    "bai2024.eq-32",
    """all d n:Z, A B:M(d,d), c:V(d). 1 <= d => n = 2*d => (ex y z:V(d). A = y @ T(c) and B = c @ T(z)) =>
       ex v:V(n). all i l:Z. 1 <= i and i <= d and 1 <= l and l <= d => A[i,l] = v[i,1]*c[l,1] and B[l,i] = v[d+i,1]*c[l,1]""",
    says="The second display holds the columns of B: B^T has these rows.",
)
def rows_and_columns_are_multiples(g: Goal) -> None:
    """beta holds both factors."""
    g.fix()
    g.assume()
    g.assume()
    a_is, b_is = g.obtain(g.assume(), "y", "z")
    (v,) = g.obtain(g.fact("matrix_of_entries", "n", 1, "lam a:Z, q:Z. y[a,1] + z[a-d,1]"), "v", split=False)
    low, high = g.fact("entry_outside", "d", 1, "z"), g.fact("entry_outside", "d", 1, "y")
    g.witness("v")
    g.fix("i", "l")
    g.split(g.assume())
    g.have("i <= n", lambda g: g.nlin(products=1))
    g.have("d + i <= n", lambda g: g.nlin(products=1))

    def rows(g: Goal) -> None:
        e = g.apply(v, "i", "1")
        z = g.apply(low, "i-d", "1", by=[lambda g: (g.left_or_right(0), g.nlin(products=1))[-1]])
        k = g.have("A[i,l] = y[i,1]*c[l,1]", lambda g: (g.rewrite(a_is), g.field())[-1])
        g.field((k, 1), (e, "-c[l,1]"), (z, "-c[l,1]"))

    def columns(g: Goal) -> None:
        e = g.apply(v, "d+i", "1")
        y = g.apply(high, "d+i", "1", by=[lambda g: (g.left_or_right(1), g.nlin(products=1))[-1]])
        k = g.have("B[l,i] = c[l,1]*z[i,1]", lambda g: (g.rewrite(b_is), g.field())[-1])
        g.field((k, 1), (e, "-c[l,1]"), (y, "-c[l,1]"))

    g.conj(rows, columns)


INDEPENDENT = "(all v:V(k+1). T(V) @ v = O(d,1) => v = O(k+1,1))"
SETTING = f"all d k:Z, V:M(k+1,d), A B:M(d,d). 1 <= k => k + 1 <= d => {INDEPENDENT} => {spans('A', 'B', 'V', '(k+1)')} =>"


@refuted(
    "bai2024.eq-33",
    f"{SETTING} ex X Y:M(d,k+1). A = X @ V and B = Y @ V",
    argument="repaired",
    reading="beta_i and gamma_i are the columns of X and Y, so that the sums are X V and Y V",
    reason="B has its columns in the span, not its rows: d = 3, k = 1, alpha = e_1, e_2, A = [1,0,0; 0,1,0; 0,0,0], B = [0,0,1; 0,1,0; 0,0,0]",
)
def rows_of_the_second_factor(g: Goal) -> None:
    """The first row of B is e_3."""
    g.witness("3", "1", "[[1,0,0],[0,1,0]]", "[[1,0,0],[0,1,0],[0,0,0]]", "[[0,0,1],[0,1,0],[0,0,0]]")

    def independent(g: Goal) -> None:
        g.fix("v")
        zero = g.assume()
        left, right = g.hyp_formula(zero)[1:]

        def entry(i: int) -> str:
            return g.have(("=", ("entry", left, i, 1), ("entry", right, i, 1)), lambda g: (g.rewrite(zero), g.refl())[-1])

        one, two = entry(1), entry(2)
        g.extn("i", "j")
        g.rewrite(g.have("j = 1", lambda g: g.antisym()))

        def first(g: Goal) -> None:
            g.rewrite(g.have("i = 1", lambda g: g.antisym()))
            g.field((one, 1))

        def second(g: Goal) -> None:
            g.apply(g.fact("int_lt", 1, "i"))
            g.rewrite(g.have("i = 2", lambda g: g.antisym(lambda g: g.nlin(products=1), lambda g: g.nlin(products=1))))
            g.field((two, 1))

        g.em("i <= 1", first, second)

    def member(g: Goal) -> None:
        xs = ["[[1,0],[0,1],[0,0]]", "[[1,0,0],[0,1,0]]", "[[0,0,1],[0,1,0]]", "[[0,0],[0,1],[1,0]]"]
        g.conj(*[lambda g, x=x: (g.witness(x), g.ext(lambda g: g.field()))[-1] for x in xs])

    def differ(g: Goal) -> None:
        g.fix("X", "Y")
        h = g.split(g.contra())[1]
        left, right = g.hyp_formula(h)[1:]
        k = g.have(("=", ("entry", left, 1, 3), ("entry", right, 1, 3)), lambda g: (g.rewrite(h), g.refl())[-1])
        g.pos([], eqs=[(k, -1)])

    chain(Goal.auto, Goal.auto, independent, member, differ)(g)


@amendment(
    "bai2024.eq-33",
    f"{SETTING} ex X Y:M(d,k+1). A = X @ V and B = T(V) @ T(Y)",
    says="B is the sum of alpha_i gamma_i^T.",
)
def representation_of_both_factors(g: Goal) -> None:
    """The definition."""
    g.fix()
    for _ in range(3):
        g.assume()
    a, _, b, _ = g.split(g.assume())
    x = g.obtain(a, "X")[0]
    y = g.obtain(b, "Y")[0]
    g.witness("X", "T(Y)")
    g.conj(lambda g: g.close_by(x), lambda g: g.nc((y, 1, None, None)))
