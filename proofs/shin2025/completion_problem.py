"""Sections 1 and 2: the completion problem, the factorised model, the objective, what the parameterisation can reach."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.decoupled_factors import vanishing_sum
from verify.kernel import Goal
from verify.registry import holds

INSIDE = "1 <= i and i <= d and 1 <= j and j <= d"
FITS = "(all i j:Z. {place} => Om[i,j] = 1 => {x}[i,j] = Ws[i,j])"


@holds(
    "shin2025.eq-1",
    """all w1 w2:R, X:M(2,2). ((all i j:Z. 1 <= i and i <= 2 and 1 <= j and j <= 2 => I(2)[i,j] = 1 =>
         X[i,j] = [[w1,0],[0,w2]][i,j]) <=> (ex x y:R. X = [[w1,x],[y,w2]])) and ncomp(I(2)) = 2""",
    argument="sound",
    reading="the matrices that agree with M_D on the pattern {(1,1), (2,2)} are exactly those with the printed diagonal and any "
    "two numbers in the places of the question marks; the two observations are not connected",
    context="a definition [the claim itself]",
)
def completions_have_two_free_entries(g: Goal) -> None:
    """Entry by entry."""
    g.fix()

    def forward(g: Goal) -> None:
        h = g.assume()
        one = g.apply(h, "1", "1")
        two = g.apply(h, "2", "2")
        g.witness("X[1,2]", "X[2,1]")

        def entry(g: Goal) -> None:
            i, j = g.concl[1][2:]
            g.field(*([(one if i == 1 else two, "1")] if i == j else []))

        g.ext(entry)

    def backward(g: Goal) -> None:
        h = g.obtain(g.assume(), "x", "y")[0]
        g.rewrite(h)
        g.fix("i", "j")
        g.split(g.assume())
        hit = g.assume()

        def value(g: Goal, name: str, then: Callable[[Goal, int, str], None]) -> None:
            def first(g: Goal) -> None:
                low = list(g.seq.hyps)[-1]
                then(g, 1, g.have(f"{name} = 1", lambda q: q.antisym(lambda c: c.close_by(low), None)))

            def second(g: Goal) -> None:
                g.have(f"2 <= {name}", lambda q: (q.by_fact("int_lt", "1", name), q.auto())[-1])
                then(g, 2, g.have(f"{name} = 2", lambda q: q.antisym()))

            g.em(f"{name} <= 1", first, second)

        def row(g: Goal, u: int, hi: str) -> None:
            def column(g: Goal, v: int, hj: str) -> None:
                if u != v:
                    zero = g.have("I(2)[i,j] = 0", lambda q: (q.rewrite(hi), q.rewrite(hj), q.field())[-1])
                    g.contra()
                    g.pos([], eqs=[(hit, "1"), (zero, "-1")])
                else:
                    g.rewrite(hi)
                    g.rewrite(hj)
                    g.field()

            value(g, "j", column)

        value(g, "i", row)

    g.conj(lambda g: g.iff(forward, backward), lambda g: g.compute())


@holds(
    "shin2025.assertion-intro-underdetermined",
    f"""all d p q:Z, Om Ws:M(d,d). 1 <= p and p <= d and 1 <= q and q <= d => Om[p,q] != 1 =>
        ex X:Z->M(d,d). (all n:Z. {FITS.format(place=INSIDE, x="X(n)")}) and (all n k:Z. n != k => X(n) != X(k))""",
    argument="sound",
    reading="Om is the indicator of the observations and misses the entry (p,q); infinitely many: one completion for each "
    "integer, all different",
)
def one_free_entry_gives_infinitely_many(g: Goal) -> None:
    """Ws + n E with a single one in E at the entry that is not observed."""
    g.fix()
    g.split(g.assume())
    free = g.assume("free")
    k = g.fact("matrix_of_entries", "d", "d", "lam i:Z, j:Z. I(d)[i,p]*I(d)[j,q]")
    e = g.obtain(k, "E", split=False)[0]
    g.witness("lam n:Z. Ws + n*E")

    def agrees(g: Goal) -> None:
        g.fix("n")
        g.fix("i", "j")
        g.split(g.assume())
        hit = g.assume()
        v = g.apply(e, "i", "j")

        def here(g: Goal) -> None:
            eq = list(g.seq.hyps)[-1]

            def both(g: Goal) -> None:
                eq2 = list(g.seq.hyps)[-1]
                k = g.have(
                    "Om[p,q] = 1",
                    lambda q: (
                        q.rewrite(q.have("p = i", lambda c: c.field((eq, -1)))),
                        q.rewrite(q.have("q = j", lambda c: c.field((eq2, -1)))),
                        q.close_by(hit),
                    )[-1],
                )
                g.clash(k, free)

            def other(g: Goal) -> None:
                g.field((v, "n"))

            g.em("j = q", both, other)

        def away(g: Goal) -> None:
            g.field((v, "n"))

        g.em("i = p", here, away)

    def different(g: Goal) -> None:
        g.fix("n", "k")
        ne = g.assume()
        same = g.contra()
        v = g.apply(e, "p", "q")
        at = g.have("(Ws + n*E)[p,q] = (Ws + k*E)[p,q]", lambda q: (q.rewrite(same), q.refl())[-1])
        n = g.have("n = k", lambda q: q.field((at, "1"), (v, "k - n")))
        g.clash(n, ne)

    g.conj(agrees, different)


PARALLEL_ROWS = "(ex p q:R. (p != 0 or q != 0) and (all k:Z. 1 <= k and k <= n => p*A[1,k] + q*A[2,k] = 0))"
PARALLEL_COLUMNS = "(ex p q:R. (p != 0 or q != 0) and (all k:Z. 1 <= k and k <= n => p*B[k,1] + q*B[k,2] = 0))"


@holds(
    "shin2025.assertion-alignment-rank1",
    f"all n:Z, A:M(2,n), B:M(n,2). 1 <= n => {PARALLEL_ROWS} or {PARALLEL_COLUMNS} => rank(A @ B) <= 1",
    argument="sound",
    reading="parallel: linearly dependent, zero vectors included",
)
def dependent_rows_or_columns_give_rank_one(g: Goal) -> None:
    """The dependence passes to the rows or columns of the product, so that its determinant is 0."""
    g.fix()
    g.assume()
    h = g.assume()
    entry = g.fact("mm_entry", "2", "n", "2", "A", "B")

    def dependent(g: Goal, rows: bool) -> None:
        ne, zero = g.obtain(list(g.seq.hyps)[-1], "p", "q", split=True)
        lines = []
        for j in (1, 2):
            x, y = (f"A[1,k]*B[k,{j}]", f"A[2,k]*B[k,{j}]") if rows else (f"A[{j},k]*B[k,1]", f"A[{j},k]*B[k,2]")
            f = f"B[k,{j}]" if rows else f"A[{j},k]"

            def term(g: Goal, f: str = f) -> None:
                k = list(g.seq.ctx)[-1]
                g.field((g.apply(zero, k), f.replace("[k", f"[{k}").replace(",k]", f",{k}]")))

            s = g.have(f"sum(k, 1, n, p*({x}) + q*({y})) = 0", lambda g, term=term: vanishing_sum(g, term))
            a, b = (("1", str(j)), ("2", str(j))) if rows else ((str(j), "1"), (str(j), "2"))
            e1, e2 = g.apply(entry, *a), g.apply(entry, *b)
            lines.append(
                g.have(
                    f"p*(A @ B)[{','.join(a)}] + q*(A @ B)[{','.join(b)}] = 0",
                    lambda g, s=s, e1=e1, e2=e2: g.field((s, "1"), (e1, "p"), (e2, "q")),
                )
            )
        z = g.obtain(g.have("ex Z:M(2,2). Z = A @ B", lambda g: (g.witness("A @ B"), g.refl())[-1]), "Z")[0]
        back = g.have("A @ B = Z", lambda g: g.nc((z, -1, None, None)))
        g.rewrite(back)
        new = [g.rewritten(x, back) for x in lines]
        xs = ("Z[1,1]", "Z[2,1]", "Z[1,2]", "Z[2,2]") if rows else ("Z[1,1]", "Z[1,2]", "Z[2,1]", "Z[2,2]")
        pd = g.have("p*det(Z) = 0", lambda g: g.field((new[0], xs[3]), (new[1], f"-{xs[1]}")))
        qd = g.have("q*det(Z) = 0", lambda g: g.field((new[0], f"-{xs[2]}"), (new[1], xs[0])))
        cases = []
        for c, prod in (("p", pd), ("q", qd)):
            cases.append(lambda g, c=c, prod=prod: (lambda n: g.field((prod, f"1/{c}")))(list(g.seq.hyps)[-1]))
        det = g.have("det(Z) = 0", lambda g: g.cases(ne, *cases))
        full = g.split(g.by_fact("rank_full", "2", "Z"))
        bound = g.by_fact("rank_bounds", "2", "2", "Z")
        _, top, _ = g.split(bound)

        def less(g: Goal) -> None:
            low = list(g.seq.hyps)[-1]
            g.close_by(
                g.have(
                    "rank(Z) <= 1",
                    lambda q: (k := q.by_fact("int_lt", "rank(Z)", "2", by=[lambda c: c.close_by(low)]), q.nlin(use=[k]))[-1],
                )
            )

        def equal(g: Goal) -> None:
            eq = list(g.seq.hyps)[-1]
            k = g.apply(full[0], by=[lambda c: c.close_by(eq)])
            g.clash(det, k)

        g.cases(g.by_fact("lt_or_eq", "rank(Z)", "2", by=[lambda c: c.close_by(top)]), less, equal)

    g.cases(h, lambda g: dependent(g, True), lambda g: dependent(g, False))


@holds(
    "shin2025.eq-5",
    """all d d1 d2 i j:Z, W3:M(d,d2), W2:M(d2,d1), W1:M(d1,d).
       (W3 @ W2 @ W1)[i,j] = sum(k, 1, d2, sum(l, 1, d1, W3[i,k]*W2[k,l]*W1[l,j]))""",
    argument="sound",
)
def entry_of_three_factors(g: Goal) -> None:
    """The entry of W3 (W2 W1), and the entry of W2 W1 in each term."""
    g.fix()
    y = g.obtain(g.have("ex Y:M(d2,d). Y = W2 @ W1", lambda g: (g.witness("W2 @ W1"), g.refl())[-1]), "Y")[0]
    g.replace("W3 @ W2 @ W1", "W3 @ Y", lambda g: g.nc((y, -1, "W3", None)))
    whole = g.apply(g.fact("mm_entry", "d", "d2", "d", "W3", "Y"), "i", "j")
    inner = g.fact("mm_entry", "d2", "d1", "d", "W2", "W1")

    def term(g: Goal) -> None:
        k = g.fix()[0]
        g.split(g.assume())
        e = g.apply(inner, k, "j")
        g.rewrite(y)
        g.rewrite(e)
        g.field()

    s = g.by_fact("sum_ext", 1, "d2", "lam k:Z. W3[i,k]*Y[k,j]", "lam k:Z. sum(l, 1, d1, W3[i,k]*W2[k,l]*W1[l,j])", by=[term])
    g.field((whole, "1"), (s, "1"))


LOSS = "1/2*sum(i, 1, d, sum(j, 1, d, Om[i,j]*(X[i,j] - Ws[i,j])^2))"


@holds(
    "shin2025.eq-2",
    f"""all d:Z, Om Ws X:M(d,d). 1 <= d => (all i j:Z. {INSIDE} => Om[i,j] = 0 or Om[i,j] = 1) =>
        0 <= {LOSS} and ({LOSS} = 0 <=> {FITS.format(place=INSIDE, x="X")})""",
    argument="sound",
    reading="Om is the indicator of the observations, X = W_L ... W_1; the objective is well-defined and its zeros are exactly "
    "the factors whose product agrees with every observation",
    context="a definition [the claim itself]",
)
def zeros_of_the_objective_fit_the_observations(g: Goal) -> None:
    """A vanishing sum of nonnegative terms; a nonnegative term is at most the sum."""
    g.fix()
    g.assume("size")
    binary = g.assume("binary")
    term = "Om[i,j]*(X[i,j] - Ws[i,j])^2"
    row = f"sum(j, 1, d, {term})"

    def nonneg(g: Goal) -> None:
        g.fix("i", "j")
        place = g.assume()
        b = g.apply(binary, "i", "j", by=[lambda c: c.close_by(place)])
        g.cases(
            b,
            lambda g: (lambda h: g.pos(eqs=[(h, "(X[i,j] - Ws[i,j])^2")]))(list(g.seq.hyps)[-1]),
            lambda g: (lambda h: g.pos(["(X[i,j] - Ws[i,j])^2"], eqs=[(h, "(X[i,j] - Ws[i,j])^2")]))(list(g.seq.hyps)[-1]),
        )

    terms = g.have(f"all i j:Z. {INSIDE} => 0 <= {term}", nonneg)

    def rows(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        k = g.fact("sum_nonneg", 1, "d", f"lam j:Z. {term}")

        def each(g: Goal) -> None:
            g.fix("j")
            g.split(g.assume())
            g.close_by(g.apply(terms, "i", "j"))

        g.close_by(g.apply(k, by=[each]))

    rowwise = g.have(f"all i:Z. 1 <= i and i <= d => 0 <= {row}", rows)
    total = g.by_fact("sum_nonneg", 1, "d", f"lam i:Z. {row}", by=[lambda g: g.close_by(rowwise)])

    def fits(g: Goal) -> None:
        zero = g.assume()
        g.fix("i", "j")
        place = g.assume()
        g.split(place)
        hit = g.assume()
        up = g.apply(g.by_fact("sum_term_le", 1, "d", f"lam i:Z. {row}", by=[lambda g: g.close_by(rowwise)]), "i")

        def each(g: Goal) -> None:
            b = g.fix()[0]
            g.split(g.assume())
            g.close_by(g.apply(terms, "i", b))

        over = g.apply(g.by_fact("sum_term_le", 1, "d", f"lam j:Z. {term}", by=[each]), "j")
        low = g.have(
            "(X[i,j] - Ws[i,j])^2 <= 0",
            lambda g: g.pos([f"@{up}"], [f"@{over}"], eqs=[(zero, "-2"), (hit, "(X[i,j] - Ws[i,j])^2")]),
        )
        sq = g.have("(X[i,j] - Ws[i,j])^2 = 0", lambda g: g.antisym(lambda c: c.close_by(low), None))
        z = g.by_fact("square_zero", "X[i,j] - Ws[i,j]", by=[lambda c: c.close_by(sq)])
        g.field((z, "1"))

    def vanishes(g: Goal) -> None:
        fit = g.assume()

        def leaf(g: Goal) -> None:
            i, j = list(g.seq.ctx)[-2:]
            b = g.apply(binary, i, j)
            g.cases(
                b,
                lambda g: (lambda h: g.field((h, f"(X[{i},{j}] - Ws[{i},{j}])^2")))(list(g.seq.hyps)[-1]),
                lambda g: (
                    lambda h: (lambda k: g.field((k, f"Om[{i},{j}]*(X[{i},{j}] - Ws[{i},{j}])")))(
                        g.apply(fit, i, j, by=[None, lambda c: c.close_by(h)])
                    )
                )(list(g.seq.hyps)[-1]),
            )

        s = g.have(f"sum(i, 1, d, {row}) = 0", lambda g: vanishing_sum(g, lambda g: vanishing_sum(g, leaf)))
        g.field((s, "1/2"))

    g.conj(lambda g: g.pos(["1/2", f"@{total}"]), lambda g: g.iff(fits, vanishes))
