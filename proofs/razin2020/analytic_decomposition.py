"""Lemma 5: an analytic singular value decomposition of the product matrix with nonnegative singular values."""

from __future__ import annotations

from proofs.razin2020.factorisation import BALANCED, FLOW, PADDING, factors
from proofs.razin2020.scripts import using
from proofs.razin2020.signed_singular_values import CLAIM
from verify.kernel import Goal
from verify.kernel.library.analytic_functions import analytic, analytic_loss
from verify.kernel.tactics import Script
from verify.registry import holds

LOSS = f"""{analytic_loss("ell", "r", "c")} =>
       (all x y:M(r,c). D(z, ell(x + z*y), 0) = tr(T(N(x)) @ y)) => (all t:R. 0 <= t => G(t) = N(X(t))) =>"""


@holds(
    CLAIM,
    f"""all {factors("r", "c")}, ell:M(r,c)->R, N:M(r,c)->M(r,c). {FLOW} {BALANCED} {LOSS}
       ex U:R~>M(r,r), S:R~>M(r,c), V:R~>M(c,c). {analytic("U", "r", "r")} and {analytic("S", "r", "c")} and
         {analytic("V", "c", "c")} and
         (all t:R. 0 <= t => T(U(t)) @ U(t) = I(r) and T(V(t)) @ V(t) = I(c) and X(t) = U(t) @ S(t) @ T(V(t))) and
         (all t:R, i j:Z. 0 <= t => 0 <= S(t)[i,i] and (i != j => S(t)[i,j] = 0))""",
    uses=["razin2020.eq-27"],
    reading="r = d and c = d' are the dimensions, u_r and v_r the first min(d, d') columns of U and V, sigma_r the diagonal entries of S; "
    "analytic: near each matrix the loss is the sum of its homogeneous parts, near each time a >= 0 a function is the sum of its "
    f"Taylor series at a; N is the gradient of the loss. {PADDING}",
)
def analytic_decomposition_with_nonnegative_values(g: Goal) -> None:
    """The flow is analytic, hence the product has an analytic decomposition whose diagonal entries may have any sign. By (27), which
    holds for signed values too, each keeps its sign, so that constant changes of sign of columns of U make all of them nonnegative."""
    hyps = g.intro()
    flow, (loss, gradient, residual) = hyps[:9], hyps[9:12]
    at_product = [using(flow[0]), using(loss), using(gradient)]
    analytic_x = g.by_fact(
        "analytic_factor_flow", "r", "c", "n", "L", "lam x:M(r,c). ell(x)", "lam x:M(r,c). N(x)", by=at_product
    )

    def moved(h: str) -> Script:
        def script(g: Goal) -> None:
            names = g.fix()
            g.intro()
            k = g.apply(h, *names)
            r = g.apply(residual, names[-1])
            g.rewrite(g.have(f"N(X({names[-1]})) = G({names[-1]})", lambda g: g.nc((r, -1, None, None))))
            g.exact(k) if h == flow[4] else g.close_by(k)

        return script

    analytic_x = g.apply(analytic_x, *"ABWPQX", by=[using(flow[1]), using(flow[2]), moved(flow[3]), moved(flow[4])])
    svd = g.fact("analytic_svd_any_shape", "r", "c")
    au, as_, av, whole, diagonal = g.obtain(g.apply(svd, "X", by=[using(analytic_x)]), "Y", "Z", "V")
    e = g.obtain(g.fact("matrix_family", "r", 1, "lam k:Z, i:Z, j:Z. I(r)[i,k]"), "e", split=False)[0]
    f = g.obtain(g.fact("matrix_family", "c", 1, "lam k:Z, i:Z, j:Z. I(c)[i,k]"), "f", split=False)[0]
    (sign,) = g.obtain(g.fact("indicator", "lam i:Z. min(Z(0)[i,i], 0)"), "h", split=False)
    (entries,) = g.obtain(g.fact("matrix_of_entries", "r", "r", "lam i:Z, j:Z. I(r)[i,j]*(1 - 2*h(i))"), "E", split=False)
    values = g.have("all i:Z. h(i) = 0 and 0 <= Z(0)[i,i] or h(i) = 1 and Z(0)[i,i] < 0", lambda g: sign_values(g, sign))
    symmetric = g.have("T(E) = E", lambda g: mirrored(g, entries))
    involution = g.have("E @ E = I(r)", lambda g: squared(g, entries, values))
    signed = g.have(
        "all t:R, i j:Z. 1 <= i and i <= r => (E @ Z(t))[i,j] = (1 - 2*h(i))*Z(t)[i,j]", lambda g: rows_of_product(g, entries)
    )
    nonneg = g.have(
        "all i:Z. 1 <= i and i <= r and i <= c => all t:R. 0 <= t => 0 <= (1 - 2*h(i))*Z(t)[i,i]",
        lambda g: kept_sign(g, flow, (whole, diagonal), (e, f), values),
    )
    left = g.obtain(g.apply(g.fact("analytic_multiple", "r", "r", "r", "r", "I(r)", "E"), "Y", by=[using(au)]), "U")
    right = g.obtain(g.apply(g.fact("analytic_multiple", "r", "r", "c", "c", "E", "I(c)"), "Z", by=[using(as_)]), "S")
    g.witness("U", "S", "V")

    def decomposition(g: Goal) -> None:
        g.fix("t")
        g.assume()
        uu, vv, x = g.split(g.apply(whole, "t"))
        a, b = g.apply(left[1], "t"), g.apply(right[1], "t")
        g.rewrite(a)
        g.rewrite(b)
        g.conj(
            lambda g: g.nc((uu, 1, "E", "E"), (involution, 1, None, None), rw=[symmetric]),
            using(vv),
            lambda g: g.nc((x, 1, None, None), (involution, -1, "Y(t)", "Z(t) @ T(V(t))")),
        )

    def entry(g: Goal) -> None:
        g.fix("t", "i", "j")
        g.assume()
        b = g.apply(right[1], "t")
        b = g.have("S(t) = E @ Z(t)", lambda g: g.nc((b, 1, None, None)))
        g.rewrite(b)
        outside = g.fact("entry_outside", "r", "c", "E @ Z(t)")

        def far(k: int, place: str) -> Script:
            def script(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                z = g.apply(outside, "i", place, by=[lambda g: (g.left_or_right(k), g.close_by(h))[-1]])
                if g.concl[0] == "<=":
                    g.pos(eqs=[(z, 1)])
                else:
                    g.close_by(z)

            return script

        def diagonal_entry(g: Goal) -> None:
            def inside(g: Goal) -> None:
                s = g.apply(signed, "t", "i", "i")
                n = g.apply(g.apply(nonneg, "i"), "t")
                g.pos([f"@{n}"], eqs=[(s, 1)])

            g.em("i < 1", far(0, "i"), lambda g: g.em("r < i", far(1, "i"), lambda g: g.em("c < i", far(3, "i"), inside)))

        def other_entry(g: Goal) -> None:
            ne = g.assume()

            def inside(g: Goal) -> None:
                s = g.apply(signed, "t", "i", "j")
                z = g.apply(diagonal, "t", "i", "j", by=[None, using(ne)])
                g.field((s, 1), (z, "1 - 2*h(i)"))

            g.em("i < 1", far(0, "j"), lambda g: g.em("r < i", far(1, "j"), inside))

        g.conj(diagonal_entry, other_entry)

    g.conj(using(left[0]), using(right[0]), using(av), decomposition, entry)


def sign_values(g: Goal, sign: str) -> None:
    """The indicator is 1 exactly where the diagonal entry is negative at the start."""
    g.fix("i")
    zero, one = g.split(g.apply(sign, "i"))
    least = g.fact("min_cases", "Z(0)[i,i]", "0")

    def negative(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))

        def value(g: Goal) -> None:
            eq = g.contra()

            def first(g: Goal) -> None:
                _, m = g.split(next(reversed(g.seq.hyps)))
                g.pos([f"@{h}"], eqs=[(m, -1), (eq, 1)])

            def second(g: Goal) -> None:
                low, _ = g.split(next(reversed(g.seq.hyps)))
                g.pos([f"@{h}"], [f"@{low}"])

            g.cases(least, first, second)

        k = g.have("min(Z(0)[i,i], 0) != 0", value)
        k = g.apply(one, by=[using(k)])
        g.left_or_right(1)
        g.conj(using(k), using(h))

    def other(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))

        def value(g: Goal) -> None:
            def first(g: Goal) -> None:
                low, m = g.split(next(reversed(g.seq.hyps)))
                z = g.have("Z(0)[i,i] = 0", lambda g: g.antisym(using(low), using(h)))
                g.field((m, 1), (z, 1))

            def second(g: Goal) -> None:
                _, m = g.split(next(reversed(g.seq.hyps)))
                g.close_by(m)

            g.cases(least, first, second)

        k = g.have("min(Z(0)[i,i], 0) = 0", value)
        k = g.apply(zero, by=[using(k)])
        g.left_or_right(0)
        g.conj(using(k), using(h))

    g.em("Z(0)[i,i] < 0", negative, other)


def mirrored(g: Goal, entries: str) -> None:
    """A diagonal matrix is symmetric."""
    g.extn("i", "j")
    a, b = g.apply(entries, "i", "j"), g.apply(entries, "j", "i")

    def same(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        g.rewrite(eq)
        g.field()

    def different(g: Goal) -> None:
        ne = next(reversed(g.seq.hyps))

        def back(g: Goal) -> None:
            h = g.contra()
            k = g.have("i = j", lambda g: g.field((h, -1)))
            g.clash(k, ne)

        g.have("j != i", back)
        g.field((b, 1), (a, -1))

    g.em("i = j", same, different)


def rows_of_product(g: Goal, entries: str) -> None:
    """(E Z)[i,j] = e_i Z[i,j] for the diagonal matrix E."""
    g.fix("t", "i", "j")
    g.split(g.assume())
    g.close_by(row(g, entries, "Z(t)", "c", "i", "j"))


def row(g: Goal, entries: str, z: str, columns: str, i: str, j: str) -> str:
    """Adds (E z)[i,j] = (1 - 2 h(i)) z[i,j] for i in range."""
    m = g.apply(g.fact("mm_entry", "r", "r", columns, "E", z), i, j)

    def others(g: Goal) -> None:
        (k,) = g.fix()
        g.split(g.assume())
        ne = g.assume()

        def back(g: Goal) -> None:
            h = g.contra()
            eq = g.have(f"{k} = {i}", lambda g: g.field((h, -1)))
            g.clash(eq, ne)

        g.have(f"{i} != {k}", back)
        v = g.apply(entries, i, k)
        g.field((v, f"{z}[{k},{j}]"))

    s = g.by_fact("sum_delta", 1, "r", i, f"lam k:Z. E[{i},k]*{z}[k,{j}]", by=[None, None, others])
    v = g.apply(entries, i, i)
    return g.have(f"(E @ {z})[{i},{j}] = (1 - 2*h({i}))*{z}[{i},{j}]", lambda g: g.field((m, 1), (s, 1), (v, f"{z}[{i},{j}]")))


def squared(g: Goal, entries: str, values: str) -> None:
    """E E = I, as its diagonal entries are 1 or -1."""
    g.extn("i", "j")
    g.rewrite(row(g, entries, "E", "r", "i", "j"))
    v = g.apply(entries, "i", "j")
    g.rewrite(v)

    def one(g: Goal) -> None:
        k, _ = g.split(next(reversed(g.seq.hyps)))
        g.field((k, "4*(h(i) - 1)*I(r)[i,j]"))

    def other(g: Goal) -> None:
        k, _ = g.split(next(reversed(g.seq.hyps)))
        g.field((k, "4*h(i)*I(r)[i,j]"))

    g.cases(g.apply(values, "i"), one, other)


def kept_sign(g: Goal, flow: list[str], decomposition: tuple[str, str], units: tuple[str, str], values: str) -> None:
    """Each diagonal entry, turned nonnegative at the start, stays so: lemma on the columns of Y and V as singular vectors."""
    whole, diagonal = decomposition
    e, f = units
    g.fix("i")
    g.split(g.assume())

    def picked(g: Goal, n: str, vector: str, known: str) -> str:
        """Adds T(vector(i)) vector(i) = I(1)."""

        def prove(g: Goal) -> None:
            def entry(g: Goal) -> None:
                m = g.apply(g.fact("mm_entry", 1, n, 1, f"T({vector}(i))", f"{vector}(i)"), "1", "1")

                def others(g: Goal) -> None:
                    (k,) = g.fix()
                    g.split(g.assume())
                    g.assume()
                    v = g.apply(known, "i", k, "1")
                    g.field((v, f"{vector}(i)[{k},1]"))

                s = g.by_fact("sum_delta", 1, n, "i", f"lam k:Z. {vector}(i)[k,1]*{vector}(i)[k,1]", by=[None, None, others])
                v = g.apply(known, "i", "i", "1")
                one = g.have(f"{vector}(i)[i,1] = 1", lambda g: g.field((v, 1)))
                g.field((m, 1), (s, 1), (one, f"{vector}(i)[i,1] + 1"))

            g.ext(entry)

        return g.have(f"T({vector}(i)) @ {vector}(i) = I(1)", prove)

    ee, ff = picked(g, "r", "e", e), picked(g, "c", "f", f)

    def mapped(g: Goal, z: str, rows: str, columns: str, source: tuple[str, str], target: tuple[str, str]) -> None:
        """z source(i) = z[i,i] target(i) for a diagonal matrix z, at time t."""
        g.extn("a", "b")
        b = g.have("b = 1", lambda g: g.antisym())
        g.rewrite(b)
        (x, known_x), (y, known_y) = source, target
        m = g.apply(g.fact("mm_entry", rows, columns, 1, z, f"{x}(i)"), "a", "1")

        def others(g: Goal) -> None:
            (k,) = g.fix()
            g.split(g.assume())
            g.assume()
            v = g.apply(known_x, "i", k, "1")
            g.field((v, f"{z}[a,{k}]"))

        s = g.by_fact("sum_delta", 1, columns, "i", f"lam k:Z. {z}[a,k]*{x}(i)[k,1]", by=[None, None, others])
        v = g.apply(known_x, "i", "i", "1")
        one = g.have(f"{x}(i)[i,1] = 1", lambda g: g.field((v, 1)))
        w = g.apply(known_y, "i", "a", "1")

        def here(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            w1 = g.have(f"{y}(i)[a,1] = 1", lambda g: (g.rewrite(w), g.rewrite(eq), g.field())[-1])
            z1 = g.have(f"{z}[a,i] = {z}[i,i]", lambda g: (g.rewrite(eq), g.refl())[-1])
            g.field((m, 1), (s, 1), (one, f"{z}[a,i]"), (z1, 1), (w1, "-Z(t)[i,i]"))

        def away(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            w0 = g.have(f"{y}(i)[a,1] = 0", lambda g: g.field((w, 1)))
            z0 = g.have(f"{z}[a,i] = 0", lambda g: off(g, z, ne))
            g.field((m, 1), (s, 1), (one, f"{z}[a,i]"), (z0, 1), (w0, "-Z(t)[i,i]"))

        g.em("a = i", here, away)

    def off(g: Goal, z: str, ne: str) -> None:
        if z.startswith("T"):

            def back(g: Goal) -> None:
                h = g.contra()
                k = g.have("a = i", lambda g: g.field((h, -1)))
                g.clash(k, ne)

            other = g.have("i != a", back)
            k = g.apply(diagonal, "t", "i", "a", by=[None, using(other)])
            g.field((k, 1))
        else:
            g.close_by(g.apply(diagonal, "t", "a", "i", by=[None, using(ne)]))

    def triple(sign: int) -> Script:
        """X and X^T at the columns of Y (turned by the sign) and V."""

        def script(g: Goal) -> None:
            g.fix("t")
            g.assume()
            uu, vv, x = g.split(g.apply(whole, "t"))
            zf = g.have("Z(t) @ f(i) = Z(t)[i,i]*e(i)", lambda g: mapped(g, "Z(t)", "r", "c", ("f", f), ("e", e)))
            ze = g.have("T(Z(t)) @ e(i) = Z(t)[i,i]*f(i)", lambda g: mapped(g, "T(Z(t))", "c", "r", ("e", e), ("f", f)))
            g.conj(
                lambda g: g.nc((x, 1, None, "V(t) @ f(i)"), (vv, 1, "Y(t) @ Z(t)", "f(i)"), (zf, 1, "Y(t)", None)),
                lambda g: transposed(g, x, uu, ze, sign),
            )

        return script

    def transposed(g: Goal, x: str, uu: str, ze: str, sign: int) -> None:
        xt = g.have("T(X(t)) = T(Y(t) @ Z(t) @ T(V(t)))", lambda g: g.ctx(using(x)))
        g.nc(
            (xt, sign, None, "Y(t) @ e(i)"),
            (uu, sign, "V(t) @ T(Z(t))", "e(i)"),
            (ze, sign, "V(t)", None),
        )

    def norms(g: Goal) -> None:
        g.fix("t")
        g.assume()
        uu, vv, _ = g.split(g.apply(whole, "t"))
        g.conj(
            lambda g: g.nc((uu, 1, "T(e(i))", "e(i)"), (ee, 1, None, None)),
            lambda g: g.nc((vv, 1, "T(f(i))", "f(i)"), (ff, 1, None, None)),
        )

    def with_sign(sign: int) -> Script:
        minus = "" if sign == 1 else "-"

        def script(g: Goal) -> None:
            h, low = g.split(next(reversed(g.seq.hyps)))
            triples = [f"lam i:Z, t:R. {minus}Z(t)[i,i]", f"lam i:Z, t:R. {minus}(Y(t) @ e(i))", "lam i:Z, t:R. V(t) @ f(i)"]
            start: Script = using(low) if sign == 1 else lambda g: g.pos([f"@{low}"])
            by = [*[using(x) for x in flow], triple(sign), norms, start]
            k = g.lemma(CLAIM, "part:sign", "r", "c", "n", "L", *"ABWPQGXC", *triples, "i", by=by)
            g.fix("t")
            g.assume()
            n = g.apply(k, "t")
            g.pos([f"@{n}"], eqs=[(h, "-2*Z(t)[i,i]")])

        return script

    g.cases(g.apply(values, "i"), with_sign(1), with_sign(-1))
