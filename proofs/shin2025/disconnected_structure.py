"""Appendix G.1, (34), (35) and the commutation: the vectorised flow and the sparse matrix of its residuals."""

from __future__ import annotations

from proofs.shin2025.disconnected_flow import (
    SETTING,
    VARIABLES,
    inside,
    pattern,
    position,
    structured,
    vectorised,
)
from proofs.shin2025.disconnected_solution import DEF, is_all, last, named
from verify.kernel import Goal
from verify.registry import amendment, holds, part

STRUCTURE = "shin2025.eq-35"
RANGE = "1 <= n => 1 <= u => u <= n*n"


@part(
    STRUCTURE,
    "place",
    f"all n u:Z. {RANGE} => ex p q:Z. {inside('p', 'q')} and u = {position('p', 'q')}",
    says="every place of a vector of length n^2 is that of an entry",
)
def every_place_is_an_entry(g: Goal) -> None:
    """Division of u - 1 by n with remainder."""
    g.intro("some", "low", "high")
    h = g.by_fact("integer_division", "u - 1", "n")
    equal, nonneg, below = g.obtain(h, "a", "b")
    g.witness("a + 1", "b + 1")

    def quotient_low(k: Goal) -> None:
        k.contra("neg")
        s = k.by_fact("int_lt", "a", 0, by=[lambda q: q.pos(["@neg"])])
        k.pos([f"@{s}", "n"], ["@low"], [f"@{below}"], eqs=[(equal, "-1")])

    def quotient_high(k: Goal) -> None:
        k.contra("big")
        s = k.by_fact("int_lt", "n", "a + 1", by=[lambda q: q.pos(["@big"])])
        k.pos([f"@{s}", "n"], ["@high"], [f"@{nonneg}"], ["1"], eqs=[(equal, "1")])

    remainder = lambda k: k.pos([f"@{k.by_fact('int_lt', 'b', 'n', by=[lambda q: q.close_by(below)])}"])  # noqa: E731
    g.conj(quotient_low, quotient_high, None, remainder, lambda k: k.field((equal, "1")))


@part(
    STRUCTURE,
    "place-unique",
    f"all n p q x y:Z. {inside('p', 'q', 'x', 'y')} => {position('p', 'q')} = {position('x', 'y')} => p = x and q = y",
    says="different entries have different places",
)
def places_differ(g: Goal) -> None:
    """If p < x, the places differ by at least n - (n - 1)."""
    g.intro()
    same = list(g.seq.hyps)[-1]
    bounds = [h for h, f in g.seq.hyps.items() if f[0] == "<="]
    t = g.fact("trichotomy", "p", "x")

    def less(k: Goal, a: str, b: str, sign: str) -> None:
        s = k.by_fact("int_lt", a, b, by=[lambda q: q.close_by("case")])
        low, high = (bounds[6], bounds[3]) if a == "p" else (bounds[2], bounds[7])
        k.contra()
        k.pos([f"@{s}", "n"], [f"@{low}"], [f"@{high}"], ["1"], eqs=[(same, sign)])

    def equal(k: Goal) -> None:
        k.conj(lambda q: q.close_by("case"), lambda q: q.field((same, "1"), ("case", "-n")))

    g.cases(t, lambda k: less(k, "p", "x", "1"), equal, lambda k: less(k, "x", "p", "-1"), name="case")


MATRIX = "all n:Z, i j:Z->Z, r:Z->R, M:M(n*n,n*n), m:Z, X:M(n*n,m)"
STRUCTURED = f"1 <= n => {pattern()} => {structured('M', 'r(p)')}"


def maps(g: Goal, k: str) -> list[str]:
    """What the pattern says of an index: bounds of j(k), i(k), and the two inversions."""
    return g.split_all(g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "and"), k))


def in_range(g: Goal, p: str, q: str) -> tuple[str, str]:
    """The place of the entry p, q lies in 1..n^2, since p and q lie in 1..n."""
    a, b, n = g.term(p), g.term(q), "n"
    bounds = [named(g, lambda f, x=x: f == x) for x in (("<=", 1, a), ("<=", a, n), ("<=", 1, b), ("<=", b, n))]
    at = position(p, q)
    low = g.have(f"1 <= {at}", lambda k: k.pos([f"@{bounds[0]}", "n"], [f"@{bounds[2]}"]))
    high = g.have(f"{at} <= n*n", lambda k: k.pos([f"@{bounds[1]}", "n"], [f"@{bounds[3]}"]))
    return low, high


@part(
    STRUCTURE,
    "row",
    f"""{MATRIX}. {STRUCTURED} => all p q c:Z. {inside("p", "q")} =>
        (M @ X)[{position("p", "q")}, c] = r(p)*X[{position("q", "j(p)")}, c]""",
    says="the structured matrix picks one row of what it is multiplied with",
)
def rows_pick_an_entry(g: Goal) -> None:
    """Only one term of the sum is not 0."""
    g.intro()
    shape = named(g, lambda f: is_all(f, "p", "q", "c"))
    maps(g, "p")
    at, u = position("q", "j(p)"), position("p", "q")
    low, high = in_range(g, "q", "j(p)")

    def other(k: Goal) -> None:
        k.intro()
        h = k.split(k.apply(shape, "p", "q", last(k)))[1]
        z = k.apply(h)
        k.field((z, f"X[{last(k)},c]"))

    total = g.by_fact(
        "sum_delta", 1, "n*n", at, f"lam l:Z. M[{u},l]*X[l,c]", by=[lambda k: k.close_by(low), lambda k: k.close_by(high), other]
    )
    value = g.split(g.apply(shape, "p", "q", at))[0]
    g.field((total, "1"), (value, f"X[{at},c]"))


@part(
    STRUCTURE,
    "column",
    f"""{MATRIX}. {STRUCTURED} => all q l c:Z. {inside("q", "l")} =>
        (T(M) @ X)[{position("q", "l")}, c] = r(i(l))*X[{position("i(l)", "q")}, c]""",
    says="so does its transpose",
)
def columns_pick_an_entry(g: Goal) -> None:
    """In column (q, l) only the row (i(l), q) has an entry that is not 0."""
    g.intro()
    shape = named(g, lambda f: is_all(f, "p", "q", "c"))
    back = maps(g, "l")[5]
    at, u = position("i(l)", "q"), position("q", "l")
    low, high = in_range(g, "i(l)", "q")
    in_range(g, "q", "l")

    def other(k: Goal) -> None:
        k.intro()
        v = last(k)
        different = list(k.seq.hyps)[-1]
        e = k.apply(k.lemma(STRUCTURE, "part:place"), "n", v)
        names = k.obtain(e, "a", "b")
        place = names[-1]
        ab = maps(k, "a")
        h = k.split(k.apply(shape, "a", "b", u))[1]

        def unequal(z: Goal) -> None:
            same = z.contra()
            both = z.apply(
                z.lemma(STRUCTURE, "part:place-unique"), "n", "q", "l", "b", "j(a)", by=[None, lambda c: c.close_by(same)]
            )
            qb, la = z.split(both)
            ia = z.have("i(l) = a", lambda c: (c.rewrite(la), c.close_by(ab[4])))
            x = z.have(f"{v} = {at}", lambda c: (c.rewrite(place), c.rewrite(ia), c.rewrite(qb), c.refl()))
            z.clash(x, different)

        z = k.apply(h, by=[unequal])
        k.rewrite(place)
        k.field((z, f"X[{position('a', 'b')},c]"))

    total = g.by_fact(
        "sum_delta", 1, "n*n", at, f"lam v:Z. M[v,{u}]*X[v,c]", by=[lambda k: k.close_by(low), lambda k: k.close_by(high), other]
    )
    value = g.split(g.apply(shape, "i(l)", "q", position("q", "l")))[0]
    value = g.rewritten(value, back)
    g.field((total, "1"), (value, f"X[{at},c]"))


# ---------------------------------------------------------------------- (35), the commutation, (34)


@holds(
    STRUCTURE,
    f"""all n:Z, i j:Z->Z, r:(Z,Z)->R, M:M(n*n,n*n), B:M(n,n), y:V(n*n).
        1 <= n => {pattern()} => {structured("M", "r(p,j(p))")} => {vectorised("y", "B")} =>
        all p q:Z. {inside("p", "q")} => (M @ y)[{position("p", "q")}, 1] = r(p,j(p))*B[q,j(p)]""",
    argument="sound",
    reading="the definition is meaningful: the n^2 rows, in the order (1,1), ..., (1,n), (2,1), ..., are "
    "r_(p,j(p)) times unit vectors, and row (p, q) "
    "of R picks the entry b_(q,j(p)) of the vectorisation of B, row by row, times r_(p,j(p))",
    context="one observation in each row and column [Appendix G.1]",
)
def residual_matrix_picks_entries(g: Goal) -> None:
    """Row (p, q) has its only entry at the place of b_qj(p)."""
    g.intro()
    maps(g, "p")
    h = picks(g, "row", "lam p:Z. r(p,j(p))", "M", "1", "y")
    v = g.apply(named(g, lambda f: is_all(f, "p", "q")), "q", "j(p)")
    g.field((g.apply(h, "p", "q", "1"), "1"), (v, "r(p,j(p))"))


def picks(g: Goal, which: str, r: str, m: str, columns: str, x: str) -> str:
    """The part `row` or `column` for a structured matrix of the context."""
    return g.lemma(STRUCTURE, f"part:{which}", "n", "i", "j", r, m, columns, x)


@holds(
    "shin2025.proof-step-commute",
    f"""all n:Z, i j:Z->Z, r:(Z,R)->R, R:R->M(n*n,n*n). 1 <= n => {pattern()} => (all t:R. {structured("R(t)", "r(p,t)")}) =>
        all s t:R. R(s) @ T(R(t)) = R(t) @ T(R(s)) and T(R(s)) @ R(t) = T(R(t)) @ R(s)""",
    uses=[STRUCTURE],
    argument="sound",
    reading="the product of [[0, R], [R^T, 0]] at s with that at t is [[R(s) R(t)^T, 0], [0, R(s)^T R(t)]]; the "
    "matrices commute if and only if both "
    "blocks are symmetric in s and t. The residuals may be any functions of time.",
    context="R(t) has the structure (35) [Appendix G.1]",
)
def residual_matrices_commute(g: Goal) -> None:
    """Both blocks are diagonal, with entries r_p(s) r_p(t)."""
    g.intro()
    shape = named(g, lambda f: is_all(f, "t"))
    at_s, at_t = g.apply(shape, "s"), g.apply(shape, "t")
    rows = {x: picks_at(g, "row", x, f"T(R({'t' if x == 's' else 's'}))", own) for x, own in (("s", at_s), ("t", at_t))}
    columns = {x: picks_at(g, "column", x, f"R({'t' if x == 's' else 's'})", own) for x, own in (("s", at_s), ("t", at_t))}

    def decompose(k: Goal, u: str, *names: str) -> str:
        return k.obtain(k.apply(k.lemma(STRUCTURE, "part:place"), "n", u), *names)[-1]

    def entry(k: Goal, which: str, a: str, b: str, c: str) -> tuple[str, str]:
        """R(which)[(a,b), c] if c is the place (b, j(a)), and otherwise."""
        return tuple(k.split(k.apply(at_s if which == "s" else at_t, a, b, c)))  # type: ignore[return-value]

    def outer(k: Goal) -> None:
        k.extn("u", "v")
        x, y = decompose(k, "u", "p", "q"), decompose(k, "v", "a", "b")
        k.rewrite(x)
        k.rewrite(y)
        maps(k, "p")
        maps(k, "a")
        of = {w: k.apply(rows[w], "p", "q", position("a", "b")) for w in "st"}
        at, mine = position("q", "j(p)"), position("b", "j(a)")
        in_range(k, "q", "j(p)")
        values = {w: entry(k, w, "a", "b", at) for w in "st"}

        def diagonal(z: Goal) -> None:
            both = z.apply(
                z.lemma(STRUCTURE, "part:place-unique"), "n", "q", "j(p)", "b", "j(a)", by=[None, lambda c: c.close_by("same")]
            )
            ja = z.split(both)[1]
            ij = z.have("p = a", lambda c: injective(c, ja))
            r = {
                w: z.have(
                    f"R({w})[{position('a', 'b')},{at}] = r(a,{w})", lambda c, w=w: (c.rewrite("same"), c.close_by(values[w][0]))
                )
                for w in "st"
            }
            p_is_a = {w: z.have(f"r(p,{w}) = r(a,{w})", lambda c: (c.rewrite(ij), c.refl())) for w in "st"}
            z.field(
                (of["s"], "1"),
                (of["t"], "-1"),
                (r["t"], "r(p,s)"),
                (r["s"], "-r(p,t)"),
                (p_is_a["s"], "r(a,t)"),
                (p_is_a["t"], "-r(a,s)"),
            )

        def apart(z: Goal) -> None:
            zero = {w: z.apply(values[w][1], by=[lambda c: c.close_by("same")]) for w in "st"}
            z.field((of["s"], "1"), (of["t"], "-1"), (zero["t"], "r(p,s)"), (zero["s"], "-r(p,t)"))

        k.em(f"{at} = {mine}", diagonal, apart, name="same")

    def injective(c: Goal, ja: str) -> None:
        """p = i(j(p)) = i(j(a)) = a."""
        p, a = inverse(c, "p"), inverse(c, "a")
        x = c.rewritten(p, ja)
        c.field((x, "-1"), (a, "1"))

    def inverse(c: Goal, k: str) -> str:
        return maps(c, k)[4]

    def inner(k: Goal) -> None:
        k.extn("u", "v")
        x = decompose(k, "u", "q", "l")
        k.rewrite(x)
        maps(k, "l")
        of = {w: k.apply(columns[w], "q", "l", "v") for w in "st"}
        values = {w: entry(k, w, "i(l)", "q", "v") for w in "st"}
        at = position("q", "j(i(l))")

        def diagonal(z: Goal) -> None:
            r = {
                w: z.have(
                    f"R({w})[{position('i(l)', 'q')},v] = r(i(l),{w})",
                    lambda c, w=w: (c.rewrite("same"), c.close_by(values[w][0])),
                )
                for w in "st"
            }
            z.field((of["s"], "1"), (of["t"], "-1"), (r["t"], "r(i(l),s)"), (r["s"], "-r(i(l),t)"))

        def apart(z: Goal) -> None:
            zero = {w: z.apply(values[w][1], by=[lambda c: c.close_by("same")]) for w in "st"}
            z.field((of["s"], "1"), (of["t"], "-1"), (zero["t"], "r(i(l),s)"), (zero["s"], "-r(i(l),t)"))

        k.em(f"v = {at}", diagonal, apart, name="same")

    g.conj(outer, inner)


def picks_at(g: Goal, which: str, time: str, x: str, own: str) -> str:
    """The part `row` or `column` for R at a time."""
    return g.lemma(
        STRUCTURE, f"part:{which}", "n", "i", "j", f"lam p:Z. r(p,{time})", f"R({time})", "n*n", x,
        by=[None, None, lambda k: k.close_by(own)],
    )  # fmt: skip


def flow_34(residual: str) -> str:
    return f"""all {VARIABLES}, x y:R~>V(n*n), M:R->M(n*n,n*n). {SETTING} =>
        (all t:R. 0 <= t => {vectorised("x(t)", "A(t)")} and {vectorised("y(t)", "B(t)")}) =>
        (all t:R. 0 <= t => {structured("M(t)", residual)}) =>
        all t:R. 0 <= t => x'(t) = -(M(t) @ y(t)) and y'(t) = -(T(M(t)) @ x(t))"""


W_MINUS, MINUS_W = "(A(t) @ B(t))[p,j(p)] - W[p,j(p)]", "W[p,j(p)] - (A(t) @ B(t))[p,j(p)]"


@amendment(
    "shin2025.eq-34",
    flow_34(W_MINUS),
    says="with the residuals w - w* (or without the minus sign), and theta in R^(2 d^2)",
    uses=[STRUCTURE, DEF],
)
def vectorised_flow(g: Goal) -> None:
    """The place (p, q) of vec A moves with the place (q, j(p)) of vec B, which is what the structured matrix picks."""
    g.intro()
    t = "t"
    vec = named(g, lambda f: is_all(f, "t") and f[2][2][0] == "and" and f[2][2][1][0] == "all" and is_all(f[2][2][1], "p", "q"))
    shape = named(g, lambda f: is_all(f, "t") and f[2][2][0] == "all" and is_all(f[2][2], "p", "q", "c"))
    here = g.apply(shape, t)
    r = W_MINUS.replace("(t)", f"({t})")
    entries = g.lemma(DEF, "part:entries", "n", "i", "j", "W", "A", "B", "G", by=[None, None, None, lambda k: flow_premise(k)])
    row = g.lemma(
        STRUCTURE,
        "part:row",
        "n",
        "i",
        "j",
        f"lam p:Z. {r}",
        f"M({t})",
        "1",
        f"y({t})",
        by=[None, None, lambda k: k.close_by(here)],
    )
    columns = g.lemma(
        STRUCTURE,
        "part:column",
        "n",
        "i",
        "j",
        f"lam p:Z. {r}",
        f"M({t})",
        "1",
        f"x({t})",
        by=[None, None, lambda k: k.close_by(here)],
    )

    def derivative(k: Goal, x: str, a: str, p: str, q: str, which: int) -> str:
        """x'(t) at the place (p, q) is A'(t)[p, q]."""

        def agree(z: Goal) -> None:
            z.intro()
            z.close_by(z.apply(z.split(z.apply(vec, last(z)))[which], p, q))

        h = k.by_fact(
            "derivative_agrees", 0, f"lam t:R. {x}(t)[{position(p, q)},1]", f"lam t:R. {a}(t)[{p},{q}]", by=[None, agree]
        )
        e = k.apply(h, t)
        return k.have(f"{x}'({t})[{position(p, q)},1] = {a}'({t})[{p},{q}]", lambda z: z.field((e, "1")))

    def of_a(k: Goal) -> None:
        p, q = at_entry(k)
        maps(k, p)
        d = derivative(k, "x", "A", p, q, 0)
        e = k.split(k.apply(entries, t, p, q))[0]
        m = k.apply(row, p, q, "1")
        b = k.apply(k.split(k.apply(vec, t))[1], q, f"j({p})")
        k.field((d, "1"), (e, "1"), (m, "1"), (b, r.replace("p", p)))

    def of_b(k: Goal) -> None:
        q, column = at_entry(k)
        at_l = maps(k, column)
        d = derivative(k, "y", "B", q, column, 1)
        e = k.split(k.apply(entries, t, q, column))[1]
        m = k.rewritten(k.apply(columns, q, column, "1"), at_l[5])
        a = k.apply(k.split(k.apply(vec, t))[0], f"i({column})", q)
        k.field((d, "1"), (e, "1"), (m, "1"), (a, f"(A({t}) @ B({t}))[i({column}),{column}] - W[i({column}),{column}]"))

    g.conj(of_a, of_b)


def flow_premise(g: Goal) -> None:
    """The flow as the premise of an earlier statement, where other hypotheses speak of t too."""
    g.intro()
    flow = named(g, lambda f: is_all(f, "t") and f[2][2][0] == "and" and f[2][2][1][0] == "=")
    g.conj(*[lambda k, h=h: k.nc((h, "1", None, None)) for h in g.split(g.apply(flow, last(g)))])


def at_entry(g: Goal) -> tuple[str, str]:
    """Equality of vectors at the place of an entry; returns the indices of the entry."""
    g.extn("u", "v")
    one = g.have("v = 1", lambda k: k.antisym())
    place = g.obtain(g.apply(g.lemma(STRUCTURE, "part:place"), "n", "u"), "a", "b")[-1]
    g.rewrite(one)
    g.rewrite(place)
    return "a", "b"
