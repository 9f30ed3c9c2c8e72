"""Proposition 2: the manifolds of a component as proper subsets, and what they produce."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.component_manifold_dynamics import CLAIM as INVARIANCE
from proofs.bai2024.component_manifold_dynamics import (
    FIRST,
    FLOW_OF_EXAMPLE,
    PATTERNED,
    SECOND,
    SPACE_OF_EXAMPLE,
    VALUES,
    chain,
    contained,
    example,
    member,
)
from proofs.bai2024.component_manifolds import CLAIM as DEFINITION
from proofs.bai2024.component_manifolds import MEMBER
from proofs.bai2024.graphs import inside
from proofs.bai2024.invariant_manifolds import FLOW, INDEPENDENT, spans, within
from proofs.bai2024.representable import gram_is_regular
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

CLAIM = "bai2024.prop-a2-step-proper-subset"
SPACE = f"1 <= d => 1 <= k => k <= d => {INDEPENDENT}"
SETTING = f"all d k:Z, V:M(k,d), P:M(d,d), f g:Z->Z. {SPACE} => {PATTERNED} =>"
NAMES = ("size", "k_lo", "k_hi", "independent", "binary", "component")
ADDED = "k >= 1 (for k = 0 both sets contain only (0, 0))"


@part(
    CLAIM,
    "reach",
    f"""all d k i:Z, V:M(k,d). {SPACE} => 1 <= i => i <= d => ex A B:M(d,d). {spans("A", "B")} and (A @ B)[i,i] != 0""",
    says="Omega_k contains factors whose output does not vanish at a given place of the diagonal",
    uses=[DEFINITION],
)
def outputs_reach_every_row(g: Goal) -> None:
    """A = X V and B = V^T (V V^T)^-1 X^T with a d x k matrix X that has a left inverse and a nonzero row i: the unit vectors, plus
    e_i (1, .., 1) if their row i is 0. Then A B = X X^T."""
    g.fix()
    for name in ("size", "k_lo", "k_hi", "independent", "i_lo", "i_hi"):
        g.assume(name)

    def selects(g: Goal) -> None:
        g.conj(
            lambda g: (g.fix("m"), g.split(g.assume()), g.conj(None, None, lambda g: g.field()))[-1],
            lambda g: (g.fix("m", "l"), g.split(g.assume()), g.close_by(last(g)))[-1],
        )

    u = g.lemma(DEFINITION, "part:selection", "d", "k", "lam x:Z. 1", "lam m:Z. m", by=[selects])
    orthonormal, _ = g.obtain(u, "U")
    wanted = "ex X:M(d,k), L:M(k,d). L @ X = I(k) and ex m:Z. 1 <= m and m <= k and X[i,m] != 0"

    def found(g: Goal) -> None:
        def there(g: Goal) -> None:
            some = last(g)
            g.witness("U", "T(U)")
            g.conj(lambda g: g.close_by(orthonormal), lambda g: g.close_by(some))

        def missing(g: Goal) -> None:
            none = last(g)
            (e,) = g.obtain(g.by_fact("unit_vector", "d", "i"), "e", split=False)
            (o,) = g.obtain(g.fact("matrix_of_entries", "d", 1, "lam a:Z, b:Z. I(d)[a,i]"), "c", split=False)
            del e

            def flat(g: Goal) -> None:
                g.extn("m", "q")
                k = g.apply(g.fact("mm_entry", "k", "d", 1, "T(U)", "c"), "m", "q")

                def others(g: Goal) -> None:
                    g.fix("a")
                    g.split(g.assume())
                    g.assume()
                    v = g.apply(o, "a", "q")
                    g.field((v, "U[a,m]"))

                s = g.by_fact("sum_delta", 1, "d", "i", "lam a:Z. U[a,m]*c[a,q]", by=[None, None, others])

                def zero(g: Goal) -> None:
                    g.contra("ne")
                    both = g.have("ex m:Z. 1 <= m and m <= k and U[i,m] != 0", lambda g: (g.witness("m"), g.auto())[-1])
                    g.clash(both, none)

                z = g.have("U[i,m] = 0", zero)
                g.field((k, 1), (s, 1), (z, "c[i,q]"))

            zero = g.have("T(U) @ c = O(k,1)", flat)
            g.witness("U + c @ J(1,k)", "T(U)")

            def row(g: Goal) -> None:
                g.witness("1")

                def entry(g: Goal) -> None:
                    eq = g.contra()
                    g.have("1 <= 1 and 1 <= k")
                    v = g.apply(o, "i", "1")

                    def gone(g: Goal) -> None:
                        g.contra("ne")
                        both = g.have("ex m:Z. 1 <= m and m <= k and U[i,m] != 0", lambda g: (g.witness("1"), g.auto())[-1])
                        g.clash(both, none)

                    z = g.have("U[i,1] = 0", gone)
                    g.pos([], eqs=[(eq, -1), (v, 1), (z, 1)])

                g.conj(None, None, entry)

            g.conj(lambda g: g.nc((orthonormal, 1, None, None), (zero, 1, None, "J(1,k)")), row)

        g.em("ex m:Z. 1 <= m and m <= k and U[i,m] != 0", there, missing)

    left, some = g.obtain(g.have(wanted, found), "X", "L")
    m_lo, m_hi, nonzero = g.obtain(some, "m")
    g.have("det(V @ T(V)) != 0", gram_is_regular, name="det")
    right, regular = g.by_fact("inv_right", "k", "V @ T(V)"), g.by_fact("inv_left", "k", "V @ T(V)")
    inverse = "inv(V @ T(V))"
    end = g.have("T(X) @ T(L) = I(k)", lambda g: turned(g, left))
    g.witness("X @ V", f"T(V) @ {inverse} @ T(X)")
    parts: list[Script] = [
        lambda g: (g.witness("X"), g.refl())[-1],
        lambda g: (g.witness("L"), g.nc((left, -1, None, "V")))[-1],
        lambda g: (g.witness(f"{inverse} @ T(X)"), g.nc())[-1],
        lambda g: (
            g.witness("T(L) @ (V @ T(V))"),
            g.nc((end, -1, f"T(V) @ {inverse}", "V @ T(V)"), (regular, -1, "T(V)", None)),
        )[-1],
    ]

    def entry(g: Goal) -> None:
        eq = g.contra()
        product = g.have(("=", g.hyp_formula(eq)[1][1], g.term("X @ T(X)")), lambda g: g.nc((right, 1, "X", "T(X)")))
        value = g.have("(X @ T(X))[i,i] = 0", lambda g: (g.rewrite(product, back=True), g.close_by(eq))[-1])
        s = g.apply(g.fact("mm_entry", "d", "k", "d", "X", "T(X)"), "i", "i")
        low = g.apply(
            g.by_fact("sum_term_le", 1, "k", "lam l:Z. X[i,l]^2", by=[lambda g: (g.fix("l"), g.assume(), g.auto())[-1]]), "m"
        )
        g.have("0 < X[i,m]^2")
        g.pos(["X[i,m]^2"], [f"@{low}"], eqs=[(value, -1), (s, 1)])

    g.conj(lambda g: g.conj(*parts), entry)


def turned(g: Goal, left: str) -> None:
    """X^T L^T = I from L X = I."""
    h = g.have("T(L @ X) = T(I(k))", lambda g: (g.rewrite(left), g.refl())[-1])
    g.nc((h, 1, None, None))


@part(
    CLAIM,
    "inside",
    f"""all d k:Z, V:M(k,d), f g:Z->Z, A B:M(d,d). (all i:Z. f(i) = 0 or f(i) = 1) => (all j:Z. g(j) = 0 or g(j) = 1) =>
       {MEMBER} => {spans("A", "B")} and {contained("A", "B")}""",
    says="the manifold of a component is contained in Omega_k and in the set with containment in the span",
)
def the_manifold_of_a_component_is_inside(g: Goal) -> None:
    """The coefficients of the other rows and columns are 0."""
    g.fix()
    f_bits, g_bits, whole = g.assume(), g.assume(), g.assume()
    a_in, a_span, b_in, b_span, a_out, b_out = g.split(whole)

    def rows(g: Goal) -> None:
        x = g.obtain(a_in, "X", split=False)[0]
        (e,) = g.obtain(g.fact("matrix_of_entries", "d", "k", "lam i:Z, m:Z. f(i)*X[i,m]"), "Z", split=False)

        def equal(g: Goal) -> None:
            g.extn("i", "j")
            one = g.apply(g.fact("mm_entry", "d", "k", "d", "Z", "V"), "i", "j")
            two = g.apply(g.fact("mm_entry", "d", "k", "d", "X", "V"), "i", "j")

            def term(g: Goal) -> None:
                g.fix("m")
                g.split(g.assume())
                v = g.apply(e, "i", "m")
                g.field((v, "V[m,j]"))

            s = g.by_fact("sum_ext", 1, "k", "lam m:Z. Z[i,m]*V[m,j]", "lam m:Z. f(i)*(X[i,m]*V[m,j])", by=[term])
            product = g.have("(Z @ V)[i,j] = f(i)*(X @ V)[i,j]", lambda g: g.field((one, 1), (s, 1), (two, "-f(i)")))

            def outside(g: Goal) -> None:
                z = last(g)
                g.have("f(i) != 1", lambda g: zero_is_not_one(g, z))
                o = g.apply(a_out, "i", "j")
                g.field((o, 1), (product, -1), (z, "-(X @ V)[i,j]"))

            def here(g: Goal) -> None:
                mark = last(g)
                v = g.apply(x, "i", "j")
                g.field((v, 1), (product, -1), (mark, "-(X @ V)[i,j]"))

            g.cases(g.apply(f_bits, "i"), outside, here)

        def none(g: Goal) -> None:
            g.fix("i", "m")
            mark = g.split(g.assume())[-1]
            v = g.apply(e, "i", "m")
            z = unmarked(g, f_bits, "i", mark)
            g.field((v, 1), (z, "X[i,m]"))

        g.witness("Z")
        g.conj(none, lambda g: equal(g))

    def columns(g: Goal) -> None:
        x = g.obtain(b_in, "X", split=False)[0]
        (e,) = g.obtain(g.fact("matrix_of_entries", "k", "d", "lam m:Z, j:Z. g(j)*X[m,j]"), "Z", split=False)

        def equal(g: Goal) -> None:
            g.extn("i", "j")
            one = g.apply(g.fact("mm_entry", "d", "k", "d", "T(V)", "Z"), "i", "j")
            two = g.apply(g.fact("mm_entry", "d", "k", "d", "T(V)", "X"), "i", "j")

            def term(g: Goal) -> None:
                g.fix("m")
                g.split(g.assume())
                v = g.apply(e, "m", "j")
                g.field((v, "V[m,i]"))

            s = g.by_fact("sum_ext", 1, "k", "lam m:Z. V[m,i]*Z[m,j]", "lam m:Z. g(j)*(V[m,i]*X[m,j])", by=[term])
            product = g.have("(T(V) @ Z)[i,j] = g(j)*(T(V) @ X)[i,j]", lambda g: g.field((one, 1), (s, 1), (two, "-g(j)")))

            def outside(g: Goal) -> None:
                z = last(g)
                g.have("g(j) != 1", lambda g: zero_is_not_one(g, z))
                o = g.apply(b_out, "i", "j")
                g.field((o, 1), (product, -1), (z, "-(T(V) @ X)[i,j]"))

            def here(g: Goal) -> None:
                mark = last(g)
                v = g.apply(x, "i", "j")
                g.field((v, 1), (product, -1), (mark, "-(T(V) @ X)[i,j]"))

            g.cases(g.apply(g_bits, "j"), outside, here)

        def none(g: Goal) -> None:
            g.fix("m", "j")
            mark = g.split(g.assume())[-1]
            v = g.apply(e, "m", "j")
            z = unmarked(g, g_bits, "j", mark)
            g.field((v, 1), (z, "X[m,j]"))

        g.witness("Z")
        g.conj(none, lambda g: equal(g))

    def given(h: str, name: str = "Y") -> Script:
        def script(g: Goal) -> None:
            _, eq = g.obtain(h, name)
            g.witness(name)
            g.close_by(eq)

        return script

    a_part, b_part = g.split(g.have(contained("A", "B"), lambda g: g.conj(rows, columns)))
    g.conj(
        lambda g: g.conj(given(a_part, "Z"), given(a_span), given(b_part, "Z"), given(b_span)),
        lambda g: g.conj(lambda g: g.close_by(a_part), lambda g: g.close_by(b_part)),
    )


def unmarked(g: Goal, bits: str, x: str, mark: str) -> str:
    """Adds f(x) = 0 from f(x) != 1."""
    return g.have(
        ("=", g.hyp_formula(mark)[1], 0),
        lambda g: g.cases(g.apply(bits, x), lambda g: g.close_by(last(g)), lambda g: g.clash(last(g), mark)),
    )


def zero_is_not_one(g: Goal, zero: str) -> None:
    """x != 1 from x = 0."""
    eq = g.contra()
    g.pos([], eqs=[(eq, 1), (zero, -1)])


def outside_row(g: Goal) -> tuple[str, str]:
    """Adds a row i0 of another component (f(i0) != 1); returns the names of f(i0) = 0 and f(i0) != 1. Needs the hypothesis `component`."""
    parts = g.split("component")
    one, zero = g.obtain(parts[6], "i0", "j0")
    inside(g, "P", "d", "d", "i0", "j0", one)
    ne = g.have("f(i0) != 1", lambda g: zero_is_not_one(g, zero))
    return parts[0], ne


def row_of_output(g: Goal, a: str, b: str, row: str) -> str:
    """(a b)[i0,i0] = 0, as the row i0 of a is 0 (row: all j)."""
    k = g.apply(g.fact("mm_entry", "d", "d", "d", a, b), "i0", "i0")

    def term(g: Goal) -> None:
        g.fix("l")
        g.split(g.assume())
        z = g.apply(row, "l")
        g.field((z, f"({b})[l,i0]"))

    s = g.by_fact("sum_ext", 1, "d", f"lam l:Z. ({a})[i0,l]*({b})[l,i0]", "lam l:Z. 0", by=[term])
    return g.have(f"({a} @ {b})[i0,i0] = 0", lambda g: g.field((k, 1), (s, 1)))


def zero_row(g: Goal, a: str, out: str, ne: str) -> str:
    """all l: a[i0,l] = 0 from the clause of (9) for the other rows."""

    def script(g: Goal) -> None:
        g.fix("l")
        g.split(g.assume())
        g.have("f(i0) != 1", lambda g: g.close_by(ne))
        g.close_by(g.apply(out, "i0", "l"))

    return g.have(f"all l:Z. 1 <= l and l <= d => {a}[i0,l] = 0", script)


def start(g: Goal) -> tuple[str, str, str]:
    """Fix everything; adds the row i0 and a pair A0, B0 of Omega_k whose output is not 0 at (i0, i0)."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    _, ne = outside_row(g)
    h = g.lemma(
        CLAIM,
        "part:reach",
        *["d", "k", "i0", "V"],
        by=[*[lambda g, n=n: g.close_by(n) for n in NAMES[:4]], None, None],
    )
    spanned, nonzero = g.split(g.obtain(h, "A0", "B0", split=False)[0])
    return ne, spanned, nonzero


def in_omega(g: Goal, h: str, a: str = "A", b: str = "B") -> str:
    """Adds spans(a, b) from membership in (9)."""
    bits = g.split("component")
    terms = ["d", "k", "V", "f", "g", a, b]
    both = g.lemma(CLAIM, "part:inside", *terms, by=[lambda g, n=n: g.close_by(n) for n in (bits[0], bits[1], h)])
    return g.split(both)[0]


@holds(
    CLAIM,
    f"""{SETTING} (all A B:M(d,d). {member("A", "B")} => {spans("A", "B")}) and
       (ex A B:M(d,d). {spans("A", "B")} and not {member("A", "B")})""",
    added=ADDED,
    argument="sound",
)
def manifolds_of_components_are_proper_subsets(g: Goal) -> None:
    """Some member of Omega_k has a nonzero row in another component."""
    ne, spanned, nonzero = start(g)

    def smaller(g: Goal) -> None:
        g.fix("A", "B")
        g.close_by(in_omega(g, g.assume()))

    def strict(g: Goal) -> None:
        g.witness("A0", "B0")

        def not_in(g: Goal) -> None:
            h = g.assume()
            row = zero_row(g, "A0", g.split(h)[4], ne)
            g.clash(row_of_output(g, "A0", "B0", row), nonzero)

        g.conj(lambda g: g.close_by(spanned), not_in)

    g.conj(smaller, strict)


OUTPUTS = f"""(all A B:M(d,d). {member("A", "B")} => ex C G:M(d,d). {spans("C", "G")} and C @ G = A @ B) and
       (ex A B:M(d,d). {spans("A", "B")} and (all C G:M(d,d). {member("C", "G")} => C @ G != A @ B))"""


@holds("bai2024.prop-2-strict-outputs", f"{SETTING} {OUTPUTS}", added=ADDED, argument="sound", uses=[CLAIM])
def outputs_of_a_component_are_fewer(g: Goal) -> None:
    """An output of the component vanishes in the rows of the others."""
    ne, spanned, nonzero = start(g)

    def smaller(g: Goal) -> None:
        g.fix("A", "B")
        h = in_omega(g, g.assume())
        g.witness("A", "B")
        g.conj(lambda g: g.close_by(h), lambda g: g.refl())

    def strict(g: Goal) -> None:
        g.witness("A0", "B0")

        def never(g: Goal) -> None:
            g.fix("C", "G")
            h = g.assume()
            row = zero_row(g, "C", g.split(h)[4], ne)
            zero = row_of_output(g, "C", "G", row)
            eq = g.contra()
            moved = g.have("(A0 @ B0)[i0,i0] = 0", lambda g: (g.rewrite(eq, back=True), g.close_by(zero))[-1])
            g.clash(moved, nonzero)

        g.conj(lambda g: g.close_by(spanned), never)

    g.conj(smaller, strict)


@holds(
    "bai2024.prop-a2-step-outputs",
    f"""{SETTING} (all C:M(d,d). rank(C) = k => ex A B:M(d,d). {spans("A", "B")} and A @ B = C) and
       (all A B:M(d,d). {member("A", "B")} => rank(A @ B) = k and
         (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d and (f(i) != 1 or g(j) != 1) => (A @ B)[i,j] = 0))""",
    added=ADDED,
    argument="repaired",
    uses=[CLAIM, "bai2024.thm-a5-step-representable"],
)
def outputs_of_a_component_stay_in_its_block(g: Goal) -> None:
    """V V^T = Y A B Y' with regular V V^T, so A B has rank at least k, and A = X V at most k."""
    g.fix()
    for name in NAMES:
        g.assume(name)

    def every(g: Goal) -> None:
        g.fix("C")
        rank = g.assume()
        known = [lambda g, n=n: g.close_by(n) for n in ("k_lo", "k_hi", "independent", rank)]
        g.close_by(g.lemma("bai2024.thm-a5-step-representable", "part:rank-k", "d", "k", "V", "C", by=known))

    def limited(g: Goal) -> None:
        g.fix("A", "B")
        h = g.assume()
        whole = g.split(in_omega(g, h))
        out = g.split(h)

        def rank(g: Goal) -> None:
            x = g.obtain(whole[0], "X")[0]
            y = g.obtain(whole[1], "Y")[0]
            z = g.obtain(whole[3], "Z")[0]
            g.have("det(V @ T(V)) != 0", gram_is_regular, name="det")
            _, back = g.split(g.by_fact("rank_full", "k", "V @ T(V)"))
            full = g.apply(back)
            same = g.have("V @ T(V) = Y @ (A @ B @ Z)", lambda g: g.nc((y, 1, None, "T(V)"), (z, 1, "Y @ A", None)))
            full = g.rewritten(full, same)
            one = g.split(g.fact("rank_product", "k", "d", "k", "Y", "A @ B @ Z"))[1]
            two = g.split(g.fact("rank_product", "d", "d", "k", "A @ B", "Z"))[0]
            three = g.split(g.fact("rank_product", "d", "d", "d", "A", "B"))[0]
            four = g.rewritten(
                g.split(g.fact("rank_product", "d", "k", "d", "X", "V"))[0],
                g.have("X @ V = A", lambda g: g.nc((x, -1, None, None))),
            )
            five = g.split(g.by_fact("rank_bounds", "d", "k", "X"))[2]
            g.antisym(
                lambda g: g.pos([f"@{three}"], [f"@{four}"], [f"@{five}"]),
                lambda g: g.pos([f"@{one}"], [f"@{two}"], eqs=[(full, 1)]),
            )

        def zero(g: Goal) -> None:
            g.fix("i", "j")
            away = g.split(g.assume())[-1]
            k = g.apply(g.fact("mm_entry", "d", "d", "d", "A", "B"), "i", "j")

            def vanish(row: bool) -> Script:
                def script(g: Goal) -> None:
                    def term(g: Goal) -> None:
                        g.fix("l")
                        g.split(g.assume())
                        z = g.apply(out[4], "i", "l") if row else g.apply(out[5], "l", "j")
                        g.field((z, "B[l,j]" if row else "A[i,l]"))

                    s = g.by_fact("sum_ext", 1, "d", "lam l:Z. A[i,l]*B[l,j]", "lam l:Z. 0", by=[term])
                    g.field((k, 1), (s, 1))

                return script

            g.cases(away, vanish(True), vanish(False))

        g.conj(rank, zero)

    g.conj(every, limited)


def existence(small: Callable[[str, str], str], large: Callable[[str, str], str]) -> str:
    """Properness, invariance for all observed values, and fewer outputs, for each component."""
    return f"""{SETTING}
       ((all A B:M(d,d). {small("A", "B")} => {large("A", "B")}) and (ex A B:M(d,d). {large("A", "B")} and not {small("A", "B")})) and
       (all n:R, M:M(d,d), A B:R~>M(d,d). {VALUES} => {FLOW} => {small("A(0)", "B(0)")} => (all t:R. 0 <= t => {small("A(t)", "B(t)")})) and
       ((all A B:M(d,d). {small("A", "B")} => ex C G:M(d,d). {large("C", "G")} and C @ G = A @ B) and
         (ex A B:M(d,d). {large("A", "B")} and (all C G:M(d,d). {small("C", "G")} => C @ G != A @ B)))"""


@refuted(
    "bai2024.prop-2-existence",
    existence(member, spans),
    argument="fails",
    added=ADDED,
    reason="the sets are proper subsets with fewer outputs, but property (i), invariance, fails for the equality of spaces: d = 2, k = 1,"
    " the diagonal observed with the value 2, the component of (1,1), A(0) = [2,0; 0,0], B(0) = [-1,0; 0,0]",
    reading="for each of the components, the set (9) is a proper subset of Omega_k with the properties (i) to (iii)",
)
def invariance_is_missing(g: Goal) -> None:
    """The flow of Proposition 2 (i)."""
    example(g)
    g.witness(*SPACE_OF_EXAMPLE)

    def values(g: Goal) -> None:
        g.left_or_right(1)
        g.witness(*FLOW_OF_EXAMPLE)
        chain(*SECOND)(g)

    chain(*FIRST, values)(g)


@amendment(
    "bai2024.prop-2-existence",
    existence(contained, within),
    says="With containment in the span in place of equality each component gives a proper subset that is invariant for all values and has"
    " fewer outputs.",
    uses=[CLAIM, INVARIANCE, "bai2024.prop-2-intrinsic"],
)
def components_give_invariant_proper_subsets(g: Goal) -> None:
    """As for equality; the invariance is the amended Proposition 2 (i)."""
    ne, spanned, nonzero = start(g)
    large = g.have(
        within("A0", "B0"),
        lambda g: (lambda hs: g.conj(lambda g: g.close_by(hs[0]), lambda g: g.close_by(hs[2])))(g.split(spanned)),
    )

    def weaker(g: Goal, h: str) -> None:
        a, b = g.split(h)

        def each(h: str) -> Script:
            def script(g: Goal) -> None:
                _, eq = g.obtain(h, "X")
                g.witness("X")
                g.close_by(eq)

            return script

        g.conj(each(a), each(b))

    def no_output(g: Goal, h: str, a: str, b: str) -> str:
        zero, eq = g.obtain(g.split(h)[0], "X")

        def row(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            k = g.apply(g.fact("mm_entry", "d", "k", "d", "X", "V"), "i0", "l")

            def term(g: Goal) -> None:
                g.fix("m")
                g.split(g.assume())
                g.have("f(i0) != 1", lambda g: g.close_by(ne))
                z = g.apply(zero, "i0", "m")
                g.field((z, "V[m,l]"))

            s = g.by_fact("sum_ext", 1, "k", "lam m:Z. X[i0,m]*V[m,l]", "lam m:Z. 0", by=[term])
            g.rewrite(eq)
            g.field((k, 1), (s, 1))

        return row_of_output(g, a, b, g.have(f"all l:Z. 1 <= l and l <= d => {a}[i0,l] = 0", row))

    def smaller(g: Goal) -> None:
        g.fix("A", "B")
        weaker(g, g.assume())

    def strict(g: Goal) -> None:
        g.witness("A0", "B0")

        def not_in(g: Goal) -> None:
            h = g.assume()
            g.clash(no_output(g, h, "A0", "B0"), nonzero)

        g.conj(lambda g: g.close_by(large), not_in)

    def invariant(g: Goal) -> None:
        low = g.have("0 <= k")
        names = ("size", low, "k_hi", "independent", "binary", "component")
        known = [lambda g, n=n: g.close_by(n) for n in names]
        g.close_by(g.lemma("bai2024.prop-2-intrinsic", "amendment", "d", "k", "V", "P", "f", "g", by=known))

    def outputs(g: Goal) -> None:
        g.fix("A", "B")
        h = g.assume()
        g.witness("A", "B")
        g.conj(lambda g: weaker(g, h), lambda g: g.refl())

    def fewer(g: Goal) -> None:
        g.witness("A0", "B0")

        def never(g: Goal) -> None:
            g.fix("C", "G")
            zero = no_output(g, g.assume(), "C", "G")
            eq = g.contra()
            moved = g.have("(A0 @ B0)[i0,i0] = 0", lambda g: (g.rewrite(eq, back=True), g.close_by(zero))[-1])
            g.clash(moved, nonzero)

        g.conj(lambda g: g.close_by(large), never)

    g.conj(lambda g: g.conj(smaller, strict), invariant, lambda g: g.conj(outputs, fewer))
