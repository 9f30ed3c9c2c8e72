"""(69): the loss of matrix completion as a loss of linear measurements."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds

BASIS = "(all k l:Z. 1 <= k => k <= d => 1 <= l => l <= d => e(k)[l,1] = I(d)[l,k])"
INSIDE = "(all n:Z. 1 <= n => n <= N => 1 <= i(n) and i(n) <= d and 1 <= j(n) and j(n) <= d)"
DISTINCT = "(all n p:Z. 1 <= n => n <= N => 1 <= p => p <= N => i(n) = i(p) => j(n) = j(p) => n = p)"
OBSERVED = "ex n:Z. 1 <= n and n <= N and i(n) = k and j(n) = l"
INDICATOR = f"(all k l:Z. (({OBSERVED}) => m(k,l) = 1) and (not ({OBSERVED}) => m(k,l) = 0))"
VALUES = "(all n:Z. 1 <= n => n <= N => y(n) = Z[i(n),j(n)])"
MEASURED = "sum(n, 1, N, (tr(T(A @ B) @ (e(i(n)) @ T(e(j(n))))) - y(n))^2)/2"
MASKED = "sum(k, 1, d, sum(l, 1, d, m(k,l)*((A @ B)[k,l] - Z[k,l])^2))/2"


@holds(
    "shin2025.eq-69",
    f"""all d N:Z, A B Z:M(d,d), e:Z->V(d), i j:Z->Z, y:Z->R, m:(Z,Z)->R. 1 <= d => 1 <= N =>
      {BASIS} => {INSIDE} => {DISTINCT} => {INDICATOR} => {VALUES} => {MEASURED} = {MASKED}""",
    argument="sound",
    reading=(
        "e(k) are the standard basis vectors, (i(n), j(n)) the distinct observed entries, m their indicator, "
        "Z the ground truth; "
        "the right side is objective (2), the sum over the observed entries."
    ),
)
def measurements_read_off_the_entries(g: Goal) -> None:
    """<C, e_i e_j^T> = C[i,j]; the indicator of an entry is the sum over n of delta(k, i_n) delta(l, j_n), since the
    entries are distinct;
    then the sums are exchanged."""
    hs = g.intro()
    g_basis, g_inside, g_distinct, g_indicator, g_values = hs[2:]
    square = "((A @ B)[k,l] - Z[k,l])^2"
    delta = "I(d)[k,i(n)]*I(d)[l,j(n)]"

    def inside(g: Goal, n: str) -> None:
        g.split_all(g.apply(g_inside, n))

    # one measurement
    def entry(g: Goal) -> None:
        g.fix("n")
        g.assume()
        g.assume()
        inside(g, "n")
        x, y = "e(i(n))", "e(j(n))"
        t = g.fact("tr_entries", "d", f"T(A @ B) @ ({x} @ T({y}))")

        def diagonal(g: Goal) -> None:
            (c,) = g.fix("c")
            g.split_all(g.assume())
            k = g.apply(g.fact("mm_entry", "d", "d", "d", "T(A @ B)", f"{x} @ T({y})"), c, c)

            def inner(g: Goal) -> None:
                (_r,) = g.fix("r")
                g.split_all(g.assume())
                g.field()

            same = g.by_fact(
                "sum_ext",
                "1",
                "d",
                f"lam r:Z. T(A @ B)[{c},r]*({x} @ T({y}))[r,{c}]",
                f"lam r:Z. (A @ B)[r,{c}]*{x}[r,1]*{y}[{c},1]",
                by=[inner],
            )

            def others(g: Goal) -> None:
                (r,) = g.fix("r")
                g.split_all(g.assume())
                g.assume()
                b = g.apply(g_basis, "i(n)", r)
                g.field((b, f"(A @ B)[{r},{c}]*{y}[{c},1]"))

            one = g.by_fact(
                "sum_delta", "1", "d", "i(n)", f"lam r:Z. (A @ B)[r,{c}]*{x}[r,1]*{y}[{c},1]", by=[None, None, others]
            )
            b = g.apply(g_basis, "i(n)", "i(n)")
            g.field((k, "1"), (same, "1"), (one, "1"), (b, f"(A @ B)[i(n),{c}]*{y}[{c},1]"))

        same = g.by_fact(
            "sum_ext", "1", "d", f"lam c:Z. (T(A @ B) @ ({x} @ T({y})))[c,c]", f"lam c:Z. (A @ B)[i(n),c]*{y}[c,1]", by=[diagonal]
        )

        def others(g: Goal) -> None:
            (c,) = g.fix("c")
            g.split_all(g.assume())
            g.assume()
            b = g.apply(g_basis, "j(n)", c)
            g.field((b, f"(A @ B)[i(n),{c}]"))

        one = g.by_fact("sum_delta", "1", "d", "j(n)", f"lam c:Z. (A @ B)[i(n),c]*{y}[c,1]", by=[None, None, others])
        b = g.apply(g_basis, "j(n)", "j(n)")
        g.field((t, "1"), (same, "1"), (one, "1"), (b, "(A @ B)[i(n),j(n)]"))

    measured = g.have("all n:Z. 1 <= n => n <= N => tr(T(A @ B) @ (e(i(n)) @ T(e(j(n))))) = (A @ B)[i(n),j(n)]", entry)

    # the indicator as a sum
    def indicator(g: Goal) -> None:
        g.intro()
        yes, no = g.split(g.apply(g_indicator, "k", "l"))

        def seen(g: Goal) -> None:
            h = list(g.seq.hyps)[-1]
            one = g.apply(yes)
            _, _, hi, hj = g.obtain(h, "p")

            def others(g: Goal) -> None:
                (n,) = g.fix("n")
                g.split_all(g.assume())
                different = g.assume()
                g.em(
                    f"i({n}) = k",
                    lambda g: same_row(g, n, different, hi, hj),
                    lambda g: away(g, f"I(d)[k,i({n})]", f"I(d)[l,j({n})]", n),
                )

            s = g.by_fact("sum_delta", "1", "N", "p", f"lam n:Z. {delta}", by=[None, None, others])
            inside(g, "p")
            at_p = g.have("I(d)[k,i(p)]*I(d)[l,j(p)] = 1", lambda g: (g.rewrite(hi), g.rewrite(hj), g.field()))
            g.field((one, "1"), (s, "-1"), (at_p, "-1"))

        def same_row(g: Goal, n: str, different: str, hi: str, hj: str) -> None:
            row = list(g.seq.hyps)[-1]

            def same_column(g: Goal) -> None:
                column = list(g.seq.hyps)[-1]
                g.have(f"i({n}) = i(p)", lambda g: g.field((row, "1"), (hi, "-1")))
                g.have(f"j({n}) = j(p)", lambda g: g.field((column, "1"), (hj, "-1")))
                c = g.apply(g_distinct, n, "p")
                g.clash(different, c)

            g.em(f"j({n}) = l", same_column, lambda g: away(g, f"I(d)[l,j({n})]", f"I(d)[k,i({n})]", n))

        def away(g: Goal, zero: str, factor: str, n: str) -> None:
            inside(g, n)
            z = g.have(f"{zero} = 0", lambda g: off_diagonal(g))
            g.field((z, factor))

        def unseen(g: Goal) -> None:
            never = list(g.seq.hyps)[-1]

            def refuse(g: Goal) -> None:
                _, _, hi, hj = both = g.obtain(g.assume(), "n")

                def out(g: Goal) -> None:
                    last = list(g.seq.hyps)[-1]
                    g.nlin(products=1, use=[last, *both[:2]])

                g.cases(
                    g.apply(never, "n"),
                    out,
                    out,
                    lambda g: g.clash(list(g.seq.hyps)[-1], hi),
                    lambda g: g.clash(list(g.seq.hyps)[-1], hj),
                )

            h = g.have(f"not ({OBSERVED})", refuse)
            zero = g.apply(no)

            def each(g: Goal) -> None:
                (n,) = g.fix("n")
                g.split_all(g.assume())

                def row(g: Goal) -> None:
                    hi = list(g.seq.hyps)[-1]

                    def column(g: Goal) -> None:
                        hj = list(g.seq.hyps)[-1]
                        w = g.have(
                            OBSERVED,
                            lambda g: (g.witness(n), g.conj(None, None, lambda g: g.close_by(hi), lambda g: g.close_by(hj))),
                        )
                        g.clash(h, w)

                    g.em(f"j({n}) = l", column, lambda g: away(g, f"I(d)[l,j({n})]", f"I(d)[k,i({n})]", n))

                g.em(f"i({n}) = k", row, lambda g: away(g, f"I(d)[k,i({n})]", f"I(d)[l,j({n})]", n))

            s = g.by_fact("sum_ext", "1", "N", f"lam n:Z. {delta}", "lam n:Z. 0", by=[each])
            g.field((zero, "1"), (s, "-1"))

        g.em(OBSERVED, seen, unseen)

    mask = g.have(f"all k l:Z. 1 <= k => k <= d => 1 <= l => l <= d => m(k,l) = sum(n, 1, N, {delta})", indicator)
    term = f"{delta}*{square}"

    def by_mask(g: Goal) -> None:
        """For one k: the inner sum as a sum over n and l."""
        g.fix("k")
        g.split_all(g.assume())

        def one(g: Goal) -> None:
            g.fix("l")
            g.split_all(g.assume())
            g.field((g.apply(mask, "k", "l"), square))

        a = g.by_fact("sum_ext", "1", "d", f"lam l:Z. m(k,l)*{square}", f"lam l:Z. sum(n, 1, N, {term})", by=[one])
        b = g.fact("sum_swap", "1", "d", "1", "N", f"lam l:Z, n:Z. {term}")
        g.field((a, "1"), (b, "1"))

    rows = g.by_fact(
        "sum_ext",
        "1",
        "d",
        f"lam k:Z. sum(l, 1, d, m(k,l)*{square})",
        f"lam k:Z. sum(n, 1, N, sum(l, 1, d, {term}))",
        by=[by_mask],
    )
    swapped = g.fact("sum_swap", "1", "d", "1", "N", f"lam k:Z, n:Z. sum(l, 1, d, {term})")

    def single(g: Goal) -> None:
        """For one n: only k = i(n), l = j(n) counts."""
        (n,) = g.fix("n")
        g.split_all(g.assume())
        inside(g, n)

        def row(g: Goal) -> None:
            g.fix("k")
            g.split_all(g.assume())

            def others(g: Goal) -> None:
                g.fix("l")
                g.split_all(g.assume())
                g.assume()
                z = g.have(f"I(d)[l,j({n})] = 0", off_diagonal)
                g.field((z, f"I(d)[k,i({n})]*{square}"))

            g.field((g.by_fact("sum_delta", "1", "d", f"j({n})", f"lam l:Z. {term}", by=[None, None, others]), "1"))

        reached = square.replace("k,l", f"k,j({n})")
        a = g.by_fact("sum_ext", "1", "d", f"lam k:Z. sum(l, 1, d, {term})", f"lam k:Z. I(d)[k,i({n})]*{reached}", by=[row])

        def others(g: Goal) -> None:
            g.fix("k")
            g.split_all(g.assume())
            g.assume()
            z = g.have(f"I(d)[k,i({n})] = 0", off_diagonal)
            g.field((z, reached))

        b = g.by_fact("sum_delta", "1", "d", f"i({n})", f"lam k:Z. I(d)[k,i({n})]*{reached}", by=[None, None, others])
        c, v = g.apply(measured, n), g.apply(g_values, n)
        here = f"tr(T(A @ B) @ (e(i({n})) @ T(e(j({n})))))"
        read = f"((A @ B)[i({n}),j({n})] - Z[i({n}),j({n})])"
        sums = f"({here} - y({n}) + {read})"
        g.field((c, sums), (v, f"-{sums}"), (a, "-1"), (b, "-1"))

    total = g.by_fact(
        "sum_ext",
        "1",
        "N",
        "lam n:Z. (tr(T(A @ B) @ (e(i(n)) @ T(e(j(n))))) - y(n))^2",
        f"lam n:Z. sum(k, 1, d, sum(l, 1, d, {term}))",
        by=[single],
    )
    g.field((total, "1/2"), (rows, "-1/2"), (swapped, "-1/2"))


def off_diagonal(g: Goal) -> None:
    """Close I(d)[a,b] = 0 for different a, b inside."""
    g.field()
