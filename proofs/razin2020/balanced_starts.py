"""Equation (5): balanced factors exist for every product matrix and every depth."""

from __future__ import annotations

from proofs.razin2020.products_of_factors import INSIDE, ORTHOGONAL_FACTORS, SQUARE
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "razin2020.eq-5"


@part(
    CLAIM,
    "root",
    """all m L:Z, S:M(m,m). 1 <= L => (all i j:Z. i != j => S[i,j] = 0) => (all i:Z. 0 <= S[i,i]) =>
       ex D:M(m,m). T(D) = D and D^L = S""",
    uses=["razin2020.lemma-8", "shin2025.lemma-32"],
    says="the L-th root of a nonnegative diagonal matrix",
)
def root_of_a_diagonal_matrix(g: Goal) -> None:
    """The roots of the entries, with the indicator h of those that are not 0."""
    depth, off, nonneg = g.intro()
    (h,) = g.obtain(g.fact("indicator", "lam i:Z. S[i,i]"), "h")
    value = "h({0})*(S[{0},{0}] + 1 - h({0}))^(1/L)"
    (given,) = g.obtain(g.fact("matrix_of_entries", "m", "m", f"lam i:Z, j:Z. I(m)[i,j]*({value.format('i')})"), "D")
    outside = g.fact("entry_outside", "m", "m", "D")

    def away(g: Goal) -> None:
        i, j = g.fix()
        g.assume()

        def within(g: Goal) -> None:
            g.split(next(reversed(g.seq.hyps)))
            k = g.apply(given, i, j)
            g.rewrite(k)
            g.field()

        g.em(f"{i} < 1 or m < {i} or {j} < 1 or m < {j}", lambda g: g.close_by(g.apply(outside, i, j)), within)

    diagonal = g.have("all i j:Z. i != j => D[i,j] = 0", away)
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "m", "D", by=[using(diagonal)])
    apart, powers = g.split(
        g.lemma("razin2020.lemma-8", "part:powers-of-diagonals", "m", "L", "D", by=[using(diagonal), using(depth)])
    )

    def equal(g: Goal) -> None:
        g.extn("i", "j")

        def same(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            k = g.apply(powers, "j", by=[lambda g: g.conj(using("j_lo"), using("j_hi"))])
            own = g.apply(given, "j", "j", by=[lambda g: g.conj(*[using(x) for x in ("j_lo", "j_hi", "j_lo", "j_hi")])])
            zero, one = g.split(g.apply(h, "j"))
            sign = g.apply(nonneg, "j")
            g.rewrite(eq)
            g.rewrite(k)
            unit = g.have("I(m)[j,j] = 1", lambda g: (only(g, "j_lo", "j_hi"), g.field())[-1])
            own = g.rewritten(own, unit)
            only(g, own, zero, one, sign, depth)

            def none(g: Goal) -> None:
                s = next(reversed(g.seq.hyps))
                a = g.apply(zero, by=[using(s)])
                d = g.have("D[j,j] = 0", lambda g: g.field((own, 1), (a, "(S[j,j] + 1 - h(j))^(1/L)")))
                p = g.by_fact("ipow_zero", "L", by=[using(depth)])
                g.rewrite(d)
                g.field((p, 1), (s, -1))

            def some(g: Goal) -> None:
                s = next(reversed(g.seq.hyps))
                a = g.apply(one, by=[using(s)])
                positive = g.have("0 < S[j,j]", lambda g: (only(g, s, sign), g.auto())[-1])
                own2 = g.rewritten(own, a)
                base = g.have("S[j,j] + 1 - 1 = S[j,j]", lambda g: g.field())
                own2 = g.rewritten(own2, base)
                d = g.have("D[j,j] = S[j,j]^(1/L)", lambda g: (only(g, own2), g.field((own2, 1)))[-1])
                pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
                q = g.by_fact("pow_pow", "S[j,j]", "1/L", "L", by=[using(positive)])
                g.rewrite(d)
                only(g, q, positive, pl)
                g.field((q, 1))

            g.em("S[j,j] = 0", none, some)

        def other(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            a, b = g.apply(apart, "i", "j", by=[using(ne)]), g.apply(off, "i", "j", by=[using(ne)])
            only(g, a, b)
            g.field((a, 1), (b, -1))

        g.em("i = j", same, other)

    g.witness("D")
    g.conj(using(sym), equal)


EXISTENCE = f"""(all m L:Z, X:M(m,m). 1 <= L => ex W P Q:Z->M(m,m). Q(0) = I(m) and P(L) = I(m) and
         (all l:Z. {INSIDE} => Q(l) = W(l) @ Q(l-1) and P(l-1) = P(l) @ W(l)) and
         (all l:Z. 1 <= l and l <= L - 1 => T(W(l+1)) @ W(l+1) = W(l) @ T(W(l))) and Q(L) = X)"""


@holds(
    CLAIM,
    f"{EXISTENCE} and {ORTHOGONAL_FACTORS}",
    uses=[CLAIM],
    reading="an assumption is shown to have instances: every square product matrix X is the product of L balanced factors, for every depth; and W_l = U_l D U_{l-1}^T with any orthogonal U_l and "
    "symmetric D is balanced, with the product U_L D^L U_0^T",
    context=SQUARE,
)
def balanced_factors_exist(g: Goal) -> None:
    """X = U S V^T and D^L = S: U_0 = V, U_L = U and identities between."""

    def existence(g: Goal) -> None:
        (depth,) = g.intro()
        u, v, x, off, value = g.obtain(g.fact("svd", "m", "m", "X"), "U", "V", "S")
        range_ = g.fact("sv_range", "m", "m", "X")

        def sign(g: Goal) -> None:
            (i,) = g.fix()
            s, e = g.split(g.apply(range_, i, i))[0], g.apply(value, i)
            only(g, s, e)
            g.pos([f"@{s}"], eqs=[(e, 1)])

        sym, power = g.obtain(g.lemma(CLAIM, "part:root", "m", "L", "S", by=[using(depth), using(off), sign]), "D")
        (a,) = g.obtain(g.fact("indicator", "lam i:Z. i"), "a")
        (b,) = g.obtain(g.fact("indicator", "lam i:Z. i - L"), "b")
        fam = "((1 - a({0}))*V + (1 - b({0}))*U + a({0})*b({0})*I(m))"
        pl = g.have("0 != L", lambda g: apart(g, depth))
        a0, b0 = g.apply(g.split(g.apply(a, 0))[0]), g.apply(g.split(g.apply(b, 0))[1], by=[lambda g: shifted(g, pl)])
        al, bl = (
            g.apply(g.split(g.apply(a, "L"))[1], by=[lambda g: turned(g, pl)]),
            g.apply(g.split(g.apply(b, "L"))[0], by=[lambda g: g.field()]),
        )
        first = g.have(f"{fam.format('0')} = V", lambda g: (only(g, a0, b0), g.nc(rw=[a0, b0]))[-1])
        last = g.have(f"{fam.format('L')} = U", lambda g: (only(g, al, bl), g.nc(rw=[al, bl]))[-1])

        def orthogonal(g: Goal) -> None:
            (i,) = g.fix()
            here = fam.format(i)

            def zero(g: Goal) -> None:
                g.rewrite(next(reversed(g.seq.hyps)))
                g.rewrite(first)
                g.close_by(v)

            def more(g: Goal) -> None:
                ne = next(reversed(g.seq.hyps))

                def top(g: Goal) -> None:
                    g.rewrite(next(reversed(g.seq.hyps)))
                    g.rewrite(last)
                    g.close_by(u)

                def between(g: Goal) -> None:
                    out = next(reversed(g.seq.hyps))
                    x = g.apply(g.split(g.apply(a, i))[1], by=[using(ne)])
                    y = g.apply(g.split(g.apply(b, i))[1], by=[lambda g: difference(g, out, i)])
                    only(g, x, y)
                    same = g.have(f"{here} = I(m)", lambda g: g.nc(rw=[x, y]))
                    g.rewrite(same)
                    g.nc()

                g.em(f"{i} = L", top, between)

            g.em(f"{i} = 0", zero, more)

        ortho = g.have(f"all l:Z. T({fam.format('l')}) @ {fam.format('l')} = I(m)", orthogonal)
        only(g, depth, sym, power, x, ortho, first, last, v)
        family = f"lam l:Z. {fam.format('l')}"
        exists = g.have(
            f"ex F:Z->M(m,m). all l:Z. F(l) = {fam.format('l')}", lambda g: (g.witness(family), g.fix(), g.refl())[-1]
        )
        (name,) = g.obtain(exists, "F")
        f0 = g.have("F(0) = V", lambda g: (g.rewrite(g.apply(name, 0)), g.close_by(first))[-1])
        fl = g.have("F(L) = U", lambda g: (g.rewrite(g.apply(name, "L")), g.close_by(last))[-1])

        def each(g: Goal) -> None:
            (i,) = g.fix()
            k, o = g.apply(name, i), g.apply(ortho, i)
            g.rewrite(k)
            g.close_by(o)

        of = g.have("all l:Z. T(F(l)) @ F(l) = I(m)", each)
        only(g, depth, sym, power, x, of, f0, fl, v)
        q, p, w = "F(l) @ D^l @ T(F(0))", "F(L) @ D^(L-l) @ T(F(l))", "F(l) @ D @ T(F(l-1))"
        vt = g.split(g.by_fact("inv_unique", "m", "T(V)", "V", by=[using(v)]))[1]
        g.witness(f"lam l:Z. {w}", f"lam l:Z. {p}", f"lam l:Z. {q}")

        def steps(g: Goal) -> None:
            (i,) = g.fix()
            low, high = g.split(g.assume())
            o, o2 = g.apply(of, f"{i} - 1"), g.apply(of, i)
            up = g.by_fact("mpow_add", "m", 1, f"{i} - 1", "D", by=[None, lambda g: (only(g, low), g.pos([f"@{low}"]))[-1]])
            down = g.by_fact("mpow_add", "m", f"L - {i}", 1, "D", by=[lambda g: (only(g, high), g.pos([f"@{high}"]))[-1], None])
            only(g, o, o2, up, down, low, high)
            g.conj(
                lambda g: g.nc((o, -1, f"F({i}) @ D", f"D^({i}-1) @ T(F(0))"), (up, 1, f"F({i})", "T(F(0))")),
                lambda g: g.nc((o2, -1, f"F(L) @ D^(L-{i})", f"D @ T(F({i}-1))"), (down, 1, "F(L)", f"T(F({i}-1))")),
            )

        def balanced(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()
            o, o1 = g.apply(of, f"{i} - 1"), g.apply(of, f"{i} + 1")
            only(g, o, o1, sym)
            g.nc(
                (o1, 1, f"F({i}) @ T(D)", f"D @ T(F({i}))"),
                (o, -1, f"F({i}) @ D", f"T(D) @ T(F({i}))"),
                (sym, 1, f"F({i})", f"D @ T(F({i}))"),
                (sym, -1, f"F({i}) @ D", f"T(F({i}))"),
            )

        g.conj(
            lambda g: (g.rewrite(f0), only(g, vt), g.nc((vt, 1, None, None)))[-1],
            lambda g: end(g, of),
            steps,
            balanced,
            lambda g: (g.rewrite(f0), g.rewrite(fl), only(g, power, x), g.nc((power, 1, "U", "T(V)"), (x, -1, None, None)))[-1],
        )

    g.conj(existence, lambda g: g.close_by(g.lemma(CLAIM, "part:orthogonal-factors")))


def end(g: Goal, of: str) -> None:
    """U_L U_L^T = I."""
    o = g.apply(of, "L")
    k = g.split(g.by_fact("inv_unique", "m", "T(F(L))", "F(L)", by=[using(o)]))[1]
    only(g, k)
    g.nc((k, 1, None, None))


def apart(g: Goal, depth: str) -> None:
    """0 != L."""
    h = g.contra()
    only(g, depth, h)
    g.pos([f"@{depth}"], [1], eqs=[(h, 1)])


def shifted(g: Goal, pl: str) -> None:
    """0 - L != 0."""
    h = g.contra()
    g.clash(g.have("0 = L", lambda g: g.field((h, 1))), pl)


def turned(g: Goal, pl: str) -> None:
    """L != 0."""
    h = g.contra()
    g.clash(g.have("0 = L", lambda g: g.field((h, -1))), pl)


def difference(g: Goal, out: str, i: str) -> None:
    """i - L != 0."""
    h = g.contra()
    g.clash(g.have(f"{i} = L", lambda g: g.field((h, 1))), out)
