"""Appendix G.1, (36) to (38) and (42) with the sign of the residual that makes (34) true."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.disconnected_blocks import EXPONENTIAL, exponential_again
from proofs.shin2025.disconnected_chain import READING, SIGN, integrals_again, zero_loss_again
from proofs.shin2025.disconnected_flow import (
    BLOCKS,
    INTEGRAL_VARIABLES,
    SETTING,
    VARIABLES,
    ZERO_LOSS,
    exponential,
    inside,
    integrals,
    position,
    structured,
    vectorised,
)
from proofs.shin2025.disconnected_series import SERIES
from proofs.shin2025.disconnected_solution import CONTEXT, DEF, is_all, last, named
from proofs.shin2025.disconnected_structure import STRUCTURE, at_entry, flow_premise, in_range, maps
from verify.kernel import Goal
from verify.registry import amendment, holds, part, undecided

VECTORS = f"(all t:R. 0 <= t => {vectorised('x(t)', 'A(t)')} and {vectorised('y(t)', 'B(t)')})"


def accumulated(sign: str) -> str:
    """R(k,t) is the integral of the residual of row k from 0 to t."""
    w, o = "(A(t) @ B(t))[k,j(k)]", "W[k,j(k)]"
    residual = f"{w} - {o}" if sign == "w - w*" else f"{o} - {w}"
    return f"(all k:Z. {inside('k')} => R(k,0) = 0 and (all t:R. 0 <= t => R'(k,t) = {residual}))"


def solution_at(sign: str) -> str:
    """(37) at every time."""
    return f"""all {VARIABLES}, R:(Z,R)~>R, x y:R~>V(n*n), t:R, M:M(n*n,n*n), {BLOCKS}. {SETTING} => {VECTORS} =>
        {accumulated(sign)} => 0 <= t => {structured("M", "R(p,t)")} => {exponential("M")} =>
        x(t) = Cb(1) @ x(0) + Db(1) @ y(0) and y(t) = Eb(1) @ x(0) + Fb(1) @ y(0)"""


def act(g: Goal, r: str) -> str:
    """The action of the exponential at s = 1 on the initial vectors; r: the values as a lambda."""
    h = g.lemma(
        EXPONENTIAL, "part:action", "n", "i", "j", r, "M", "Cb", "Db", "Eb", "Fb", "1", "x(0)", "y(0)",
        by=[None, None, None, exponential_again],
    )  # fmt: skip
    return h


def along_row(g: Goal, row: str) -> str:
    """The solution along R(row, .)."""
    start, rate = g.split(g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "and" and f[2][2][-1][0] == "all"), row))

    def rate_premise(k: Goal) -> None:
        k.intro()
        k.field((k.apply(rate, last(k)), "1"))

    return g.lemma(
        DEF, "part:solution", "n", "i", "j", "W", "A", "B", "G", f"lam t:R. R({row},t)", row,
        by=[None, None, None, flow_premise, None, lambda k: k.close_by(start), rate_premise],
    )  # fmt: skip


def vector_entry(g: Goal, t: str, which: int, p: str, q: str) -> str:
    """x(t) (0) or y(t) (1) at the place (p, q)."""
    vec = named(g, lambda f: is_all(f, "t") and f[2][2][0] == "and" and f[2][2][1][0] == "all" and is_all(f[2][2][1], "p", "q"))
    return g.apply(g.split(g.apply(vec, t))[which], p, q)


def solve(g: Goal) -> None:
    """Both sides at a place: the rotated initial values."""
    g.intro()

    def of_x(k: Goal) -> None:
        p, q = at_entry(k)
        maps(k, p)
        a = k.split(k.apply(act(k, "lam p:Z. R(p,t)"), "1", p, q, "1"))[0]
        s = k.split(k.apply(along_row(k, p), "t", q))[0]
        now, x0, y0 = vector_entry(k, "t", 0, p, q), vector_entry(k, "0", 0, p, q), vector_entry(k, "0", 1, q, f"j({p})")
        r = f"R({p},t)"
        k.field((now, "1"), (s, "1"), (a, "-1"), (x0, f"-cosh({r})"), (y0, f"sinh({r})"))

    def of_y(k: Goal) -> None:
        q, column = at_entry(k)
        at = maps(k, column)
        p = f"i({column})"
        a = k.rewritten(k.split(k.apply(act(k, "lam p:Z. R(p,t)"), "1", p, q, "1"))[1], at[5])
        s = k.rewritten(k.split(k.apply(along_row(k, p), "t", q))[1], at[5])
        now, y0, x0 = vector_entry(k, "t", 1, q, column), vector_entry(k, "0", 1, q, column), vector_entry(k, "0", 0, p, q)
        r = f"R({p},t)"
        k.field((now, "1"), (s, "1"), (a, "-1"), (y0, f"-cosh({r})"), (x0, f"sinh({r})"))

    g.conj(of_x, of_y)


undecided(
    "shin2025.eq-36",
    outcome="ill-formed",
    argument="repaired",
    reason="the integral from 0 to tau over d tau uses tau as the limit of integration and as the variable of "
    "integration, and the integrand is taken at t; "
    "the integral from 0 to t of the matrix at tau is meant. With r = w* - w as G.1 defines it, that is "
    "false too, by its sign (see (34), (37))",
    readings=[("the integral from 0 to t of the matrix at tau, with the residual w* - w", "refuted", "printed-residual")],
)


@amendment(
    "shin2025.eq-36",
    solution_at("w - w*"),
    says="the exponential of minus the integral from 0 to t of [[0, R(tau)], [R(tau)^T, 0]] d tau, with the residuals w - w*",
    uses=[EXPONENTIAL, DEF, STRUCTURE],
)
def solution_as_an_exponential(g: Goal) -> None:
    """The integral of the block matrix has the structure (35) with the integrals R(k,t); the exponential rotates
    pairs of places, as the flow does."""
    solve(g)


@amendment("shin2025.eq-37", solution_at("w - w*"), says="with the residuals w - w*", uses=[EXPONENTIAL, DEF, STRUCTURE])
def solution_with_integrated_residuals(g: Goal) -> None:
    """The exponential rotates the places (p, q) and (q, j(p)) by R(p,t), and so does the flow."""
    solve(g)


LIMIT_38 = "tends(t, x(t), Cb(1) @ x(0) + Db(1) @ y(0)) and tends(t, y(t), Eb(1) @ x(0) + Fb(1) @ y(0))"


def limit_statement(sign: str, conclusion: str) -> str:
    """(38) to (41): the limit by the exponential of the limit of the integrals, and the power series of the exponential."""
    return f"""all {INTEGRAL_VARIABLES}, x y:R~>V(n*n), M:M(n*n,n*n), {BLOCKS}. {SETTING} => {ZERO_LOSS} =>
    {integrals(sign)} => {VECTORS} =>
        {structured("M", "rb(p)")} => {exponential("M")} => {conclusion}"""


def pair_limits(g: Goal, p: str, q: str) -> list[str]:
    """The limits of a_pq and of its partner, from (43)."""
    terms = ("n", "i", "j", "W", "A", "B", "G", "R", "rb")
    h = g.lemma("shin2025.eq-43", "part:pair", *terms, by=[None, None, None, flow_premise, zero_loss_again, integrals_again])
    return g.split(g.apply(h, p, q))


def tends_by_entries(g: Goal, of_entry: Callable[[Goal, str, str], None]) -> None:
    """A vector function converges if its entries do: of_entry(goal, a, b) for the place (a, b)."""
    _, v, body, limit = g.concl
    h = g.split(g.fact("tends_matrix", "n*n", "1", limit, ("lam", ((v, "R"),), body)))[1]

    def entry(k: Goal) -> None:
        k.intro()
        u, w = list(k.seq.ctx)[-2:]
        same = k.have(f"{w} = 1", lambda z: z.antisym())
        place = k.obtain(k.apply(k.lemma(STRUCTURE, "part:place"), "n", u), "a", "b")[-1]
        k.rewrite(same)
        k.rewrite(place)
        of_entry(k, "a", "b")

    g.close_by(g.apply(h, by=[entry]))


def tends_to(k: Goal, source: str, which: int, p: str, q: str, *equations: tuple[str, str]) -> None:
    """Close that an entry tends to its printed limit: `source` says that an entry of A or B tends to its closed form, to which the
    equations turn the limit."""
    f = k.hyp_formula(source)
    body = ("lam", ((k.concl[1], "R"),), k.concl[2])

    def same(z: Goal) -> None:
        z.intro()
        z.field((vector_entry(z, last(z), which, p, q), "-1"))

    value = k.have(("=", k.concl[3], f[3]), lambda z: z.field(*equations))
    e = k.by_fact("tends_ext", 0, f[3], ("lam", ((f[1], "R"),), f[2]), body, by=[same, lambda z: z.close_by(source)])
    k.rewrite(value)
    k.close_by(e)


def limits(g: Goal) -> None:
    """The limit of each place."""
    g.intro()

    def of_x(k: Goal, p: str, q: str) -> None:
        maps(k, p)
        source = pair_limits(k, p, q)[0]
        a = k.split(k.apply(act(k, "lam p:Z. rb(p)"), "1", p, q, "1"))[0]
        x0, y0 = vector_entry(k, "0", 0, p, q), vector_entry(k, "0", 1, q, f"j({p})")
        tends_to(k, source, 0, p, q, (a, "1"), (x0, f"cosh(rb({p}))"), (y0, f"-sinh(rb({p}))"))

    def of_y(k: Goal, q: str, column: str) -> None:
        at = maps(k, column)
        p = f"i({column})"
        source = k.rewritten(pair_limits(k, p, q)[1], at[5])
        a = k.rewritten(k.split(k.apply(act(k, "lam p:Z. rb(p)"), "1", p, q, "1"))[1], at[5])
        y0, x0 = vector_entry(k, "0", 1, q, column), vector_entry(k, "0", 0, p, q)
        tends_to(k, source, 1, q, column, (a, "1"), (y0, f"cosh(rb({p}))"), (x0, f"-sinh(rb({p}))"))

    def series(k: Goal) -> None:
        h = k.lemma(
            EXPONENTIAL, "part:series", "n", "i", "j", "lam p:Z. rb(p)", "M", "Cb", "Db", "Eb", "Fb",
            by=[None, None, None, exponential_again],
        )  # fmt: skip
        k.close_by(h)

    g.conj(lambda k: tends_by_entries(k, of_x), lambda k: tends_by_entries(k, of_y), series)


@holds(
    EXPONENTIAL,
    limit_statement("w - w*", f"{LIMIT_38} and {SERIES}"),
    argument="repaired",
    reading=READING + " The exponential of minus the block matrix is the value at 1 of the solution X of X' = -[0, M; M^T, 0] X, "
    "X(0) = I, in blocks; the series is the convergence of its partial sums, for every entry. "
    "(34), (36) and (37), which are on the residual r itself, are judged with r = w* - w as printed.",
    readings=[SIGN],
    context=CONTEXT,
    uses=["shin2025.eq-43", DEF, STRUCTURE],
)
def limit_as_an_exponential(g: Goal) -> None:
    """Each place tends to the rotation of its initial pair by the limit of the integral of its row; the powers of the
    block matrix are scalar multiples of the identity or of M and M^T in each row, with the coefficients of cosh and sinh."""
    limits(g)


@part(
    EXPONENTIAL,
    "powers",
    """all m:Z, M:M(m,m), a0 b0 a1 b1 a2 b2 a3 b3 a4 b4:V(m).
       a1 = M @ b0 => b1 = T(M) @ a0 => a2 = M @ b1 => b2 = T(M) @ a1 => a3 = M @ b2 => b3 = T(M) @ a2 => a4 = M @ b3
       => b4 = T(M) @ a3 =>
       a2 = (M @ T(M)) @ a0 and b2 = (T(M) @ M) @ b0 and a3 = (M @ T(M) @ M) @ b0 and b3 = (T(M) @ M @ T(M)) @ a0 and
       a4 = (M @ T(M))^2 @ a0 and b4 = (T(M) @ M)^2 @ b0""",
    says="the powers of [[0, M], [M^T, 0]] up to the fourth, as they stand in the displayed series, applied to a vector (a0, b0)",
)
def powers_of_the_block_matrix(g: Goal) -> None:
    """The equations are put into one another."""
    g.intro()
    hs = {g.hyp_formula(h)[1]: h for h, f in g.seq.hyps.items() if f[0] == "="}
    order = ["a4", "b4", "a3", "b3", "a2", "b2", "a1", "b1"]
    g.conj(*[lambda k: k.nc(rw=[hs[x] for x in order])] * 6)


# ---------------------------------------------------------------------- (42)

ALL_PLACES = "all u v:Z. 1 <= u and u <= n*n and 1 <= v and v <= n*n =>"


def diagonal(z: str, value: str) -> str:
    """z is diagonal, with this value at the place (p, q)."""
    u = position("p", "q")
    return f"(all p q c:Z. {inside('p', 'q')} and 1 <= c and c <= n*n => {z}[{u},{u}] = {value} and (c != {u} => {z}[{u},c] = 0))"


def block_statement(c: str, f: str, e: str) -> str:
    """(42) with C, F given by their diagonal matrices Y, Z, and E given by R (M), as the texts say."""
    return f"""all {INTEGRAL_VARIABLES}, x y:R~>V(n*n), M Y Z Cm Dm Em Fm:M(n*n,n*n). {SETTING} => {ZERO_LOSS} =>
    {integrals()} => {VECTORS} =>
        {structured("M", "rb(p)")} => {diagonal("Y", "rb(p)")} => {diagonal("Z", "rb(i(q))")} =>
        ({ALL_PLACES} {c}) => ({ALL_PLACES} {f}) => ({ALL_PLACES} Dm[u,v] = -sinh(M[u,v])) => ({ALL_PLACES} Em[u,v] =
        -sinh({e})) =>
        tends(t, x(t), Cm @ x(0) + Dm @ y(0)) and tends(t, y(t), Em @ x(0) + Fm @ y(0))"""


def matrix_cosh(m: str, z: str) -> str:
    return f"{m}[u,u] = cosh({z}[u,u]) and (u != v => {m}[u,v] = 0)"


@part(
    STRUCTURE,
    "diagonal",
    f"""all n:Z, h:(Z,Z)->R, Z:M(n*n,n*n), x:V(n*n). 1 <= n => {diagonal("Z", "h(p,q)")} =>
        all p q:Z. {inside("p", "q")} => (Z @ x)[{position("p", "q")},1] = h(p,q)*x[{position("p", "q")},1]""",
    says="a diagonal matrix multiplies each place by its value",
)
def diagonal_matrix_scales(g: Goal) -> None:
    """Only the diagonal term of the sum is not 0."""
    g.intro()
    z = named(g, lambda f: is_all(f, "p", "q", "c"))
    low, high = in_range(g, "p", "q")
    u = position("p", "q")

    def other(k: Goal) -> None:
        k.intro()
        zero = k.apply(k.split(k.apply(z, "p", "q", last(k)))[1])
        k.field((zero, f"x[{last(k)},1]"))

    total = g.by_fact(
        "sum_delta", 1, "n*n", u, f"lam l:Z. Z[{u},l]*x[l,1]", by=[lambda k: k.close_by(low), lambda k: k.close_by(high), other]
    )
    value = g.split(g.apply(z, "p", "q", u))[0]
    g.field((total, "1"), (value, f"x[{u},1]"))


def by_definition(g: Goal, block_: str) -> str:
    """The definition of a block, by entries."""
    return named(g, lambda f: is_all(f, "u", "v") and block_ in str(f[2][2][1] if f[2][2][0] == "=" else f[2][2][1][1]))


def scaled(g: Goal, block_: str, matrix: str, value: str, vector: str, p: str, q: str) -> str:
    """C x or F y at the place (p, q), from the definition of the block."""
    definition = by_definition(g, block_)
    zs = [h for h, f in g.seq.hyps.items() if is_all(f, "p", "q", "c") and f[2][2][1][1][1] == matrix]

    def shape(k: Goal) -> None:
        k.intro()
        a, b, c = list(k.seq.ctx)[-3:]
        u = position(a, b)
        in_range(k, a, b)
        on = k.split(k.apply(zs[0], a, b, c))[0]
        d = k.split(k.apply(definition, u, c))

        def off(z: Goal) -> None:
            h = z.assume()
            different = z.have(
                f"{u} != {c}", lambda e: (e.contra("eq"), e.clash(e.have(f"{c} = {u}", lambda w: w.field(("eq", "-1"))), h))
            )
            z.close_by(z.apply(d[1], by=[lambda e: e.close_by(different)]))

        k.conj(lambda z: (z.rewrite(d[0]), z.rewrite(on), z.refl()), off)

    h = g.lemma(STRUCTURE, "part:diagonal", "n", f"lam p:Z, q:Z. {value}", block_, vector, by=[None, shape])
    return g.apply(h, p, q)


def mixed(g: Goal, which: str, matrix: str, vector: str, p: str, q: str) -> str:
    """D y (row) or E x (column) at the place (p, q); matrix: the term whose structure is used."""
    definition, source = by_definition(g, "Dm" if which == "row" else "Em"), named(g, lambda f: is_all(f, "p", "q", "c"))

    def shape(k: Goal) -> None:
        k.intro()
        a, b, c = list(k.seq.ctx)[-3:]
        in_range(k, a, b)
        maps(k, a)
        in_range(k, b, f"j({a})")
        u, v = position(a, b), position(b, f"j({a})")
        on, off = k.split(k.apply(source, a, b, c))
        first, second = (u, v) if which == "row" else (v, u)
        hit = k.apply(definition, first, second)
        miss = k.apply(definition, *((u, c) if which == "row" else (c, u)))

        def zero(z: Goal) -> None:
            z.assume()
            o = z.apply(off)
            e = z.rewritten(miss, o)
            z.field((e, "1"))

        k.conj(lambda z: z.field((z.rewritten(hit, on), "1")), zero)

    h = g.lemma(STRUCTURE, f"part:{which}", "n", "i", "j", "lam p:Z. -sinh(rb(p))", matrix, "1", vector, by=[None, None, shape])
    return g.apply(h, p, q, "1")


def block_limits(g: Goal) -> None:
    """The limit of each place, with the blocks by entries."""
    g.intro()

    def of_x(k: Goal, p: str, q: str) -> None:
        maps(k, p)
        source = pair_limits(k, p, q)[0]
        c = scaled(k, "Cm", "Y", "cosh(rb(p))", "x(0)", p, q)
        d = mixed(k, "row", "Dm", "y(0)", p, q)
        x0, y0 = vector_entry(k, "0", 0, p, q), vector_entry(k, "0", 1, q, f"j({p})")
        tends_to(k, source, 0, p, q, (c, "1"), (d, "1"), (x0, f"cosh(rb({p}))"), (y0, f"-sinh(rb({p}))"))

    def of_y(k: Goal, q: str, column: str) -> None:
        at = maps(k, column)
        p = f"i({column})"
        source = k.rewritten(pair_limits(k, p, q)[1], at[5])
        f = scaled(k, "Fm", "Z", "cosh(rb(i(q)))", "y(0)", q, column)
        e = mixed(k, "column", "T(Em)", "x(0)", q, column)
        plain = k.have("T(T(Em)) @ x(0) = Em @ x(0)", lambda z: z.nc())
        e = k.rewritten(e, plain)
        y0, x0 = vector_entry(k, "0", 1, q, column), vector_entry(k, "0", 0, p, q)
        tends_to(k, source, 1, q, column, (e, "1"), (f, "1"), (y0, f"cosh(rb({p}))"), (x0, f"-sinh(rb({p}))"))

    g.conj(lambda k: tends_by_entries(k, of_x), lambda k: tends_by_entries(k, of_y))


@amendment(
    "shin2025.eq-42",
    block_statement(matrix_cosh("Cm", "Y"), matrix_cosh("Fm", "Z"), "M[v,u]"),
    says="with C and F zero off the diagonal, E = D^T, and the residuals w - w*",
    uses=["shin2025.eq-43", STRUCTURE, EXPONENTIAL],
)
def limit_by_blocks(g: Goal) -> None:
    """Row (p, q) of [C, D] rotates the pair of a_pq by r-bar of row p; so does [E, F] for the entries of B."""
    block_limits(g)
