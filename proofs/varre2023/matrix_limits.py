"""Limits of matrix functions: by entries, from an exponentially small velocity, and from an exponentially small norm."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

CLAIM = "varre2023.step-c-6-residual-zero"
ROW = "all j:Z. 1 <= j and j <= n and j <= q => tends(t, E(t)[i,j], L[i,j])"
ROWS = "all i j:Z. 1 <= i and i <= m and i <= q and 1 <= j and j <= n => tends(t, E(t)[i,j], L[i,j])"


def step(g: Goal, old: str, q: str, index: str, new: str) -> tuple[str, str]:
    """The matrix with the entries of `old` where the index is below q, and `new` from q on."""
    switch = g.obtain(g.fact("piecewise", f"{q} - 1", "lam x:Z. 0", "lam x:Z. 1"), "f")[0]
    entry = f"(1 - f({index}))*{old}[i0,j0] + f({index})*({new})"
    made = g.obtain(g.fact("matrix_of_entries", "m", "n", f"lam i0 j0:Z. {entry}"), "N")[0]
    return switch, made


@part(
    CLAIM,
    "limit-by-entries",
    """all m n:Z, E:R->M(m,n). (all i j:Z. 1 <= i and i <= m and 1 <= j and j <= n => ex l:R. tends(t, E(t)[i,j], l)) =>
       ex L:M(m,n). tends(t, E(t), L)""",
    says="a matrix function converges when all its entries do",
)
def matrix_limit_from_entries(g: Goal) -> None:
    """The limits are put together entry by entry, then row by row."""
    (each,) = g.intro()

    def one_row(g: Goal) -> None:
        g.fix("i")
        g.assume("i_low")
        g.assume("i_high")

        def grow(g: Goal, old: str, h: str) -> None:
            """Add the entry (i, q)."""

            def inside(g: Goal) -> None:
                limit = g.obtain(g.apply(each, "i", "q"), "l")[0]
                switch, made = step(g, old, "q", "j0", "l")
                g.witness("N")
                g.fix("j")
                g.split_all(g.assume())
                e = g.apply(made, "i", "j")
                low, high = g.split(g.apply(switch, "j"))

                def below(g: Goal) -> None:
                    f = g.apply(low)
                    g.rewrite(g.have(f"N[i,j] = {old}[i,j]", lambda g: g.field((e, 1), (f, f"l - {old}[i,j]"))))
                    g.close_by(g.apply(h, "j"))

                def here(g: Goal) -> None:
                    same = g.have("j = q", lambda g: g.antisym(None, lambda g: integers(g)))
                    f = g.apply(high)
                    g.rewrite(g.have("N[i,j] = l", lambda g: g.field((e, 1), (f, f"l - {old}[i,j]"))))
                    g.rewrite(same)
                    g.close_by(limit)

                g.em("j <= q - 1", below, here)

            def outside(g: Goal) -> None:
                g.witness(old)
                g.fix("j")
                g.split_all(g.assume())
                g.by_fact("int_lt", "n", "q")
                g.close_by(g.apply(h, "j", by=[bounds]))

            g.em("q <= n", inside, outside)

        by_induction(g, "q", f"ex L:M(m,n). {ROW}", grow)

    rows = g.have(f"all i:Z. 1 <= i => i <= m => all q:Z. 0 <= q => ex L:M(m,n). {ROW}", one_row)

    def grow_rows(g: Goal, old: str, h: str) -> None:
        def inside(g: Goal) -> None:
            wide = g.have("ex L:M(m,n). all j:Z. 1 <= j and j <= n => tends(t, E(t)[q,j], L[q,j])", lambda g: whole_row(g, rows))
            row = g.obtain(wide, "Q")[0]
            switch, made = step(g, old, "q", "i0", "Q[i0,j0]")
            g.witness("N")
            g.fix("i", "j")
            g.split_all(g.assume())
            e = g.apply(made, "i", "j")
            low, high = g.split(g.apply(switch, "i"))

            def below(g: Goal) -> None:
                f = g.apply(low)
                g.rewrite(g.have(f"N[i,j] = {old}[i,j]", lambda g: g.field((e, 1), (f, f"Q[i,j] - {old}[i,j]"))))
                g.close_by(g.apply(h, "i", "j"))

            def here(g: Goal) -> None:
                same = g.have("i = q", lambda g: g.antisym(None, lambda g: integers(g)))
                f = g.apply(high)
                g.rewrite(g.have("N[i,j] = Q[i,j]", lambda g: g.field((e, 1), (f, f"Q[i,j] - {old}[i,j]"))))
                g.rewrite(same)
                g.close_by(g.apply(row, "j"))

            g.em("i <= q - 1", below, here)

        def outside(g: Goal) -> None:
            g.witness(old)
            g.fix("i", "j")
            g.split_all(g.assume())
            g.by_fact("int_lt", "m", "q")
            g.close_by(g.apply(h, "i", "j", by=[bounds]))

        g.em("q <= m", inside, outside)

    all_rows = g.have(
        f"all q:Z. 0 <= q => ex L:M(m,n). {ROWS}", lambda g: by_induction(g, "q", f"ex L:M(m,n). {ROWS}", grow_rows)
    )

    def finish(g: Goal) -> None:
        done = g.obtain(g.apply(all_rows, "m"), "L")[0]
        g.witness("L")
        back = g.split(g.fact("tends_matrix", "m", "n", "L", "lam t:R. E(t)"))[1]

        def entry(g: Goal) -> None:
            g.fix("i", "j")
            g.split_all(g.assume())
            g.close_by(g.apply(done, "i", "j"))

        g.close_by(g.apply(back, by=[entry]))

    def empty(g: Goal) -> None:
        negative = list(g.seq.hyps)[-1]
        g.witness("O(m,n)")
        back = g.split(g.fact("tends_matrix", "m", "n", "O(m,n)", "lam t:R. E(t)"))[1]

        def entry(g: Goal) -> None:
            g.fix("i", "j")
            low, high, _, _ = g.split_all(g.assume())
            g.contra()
            g.pos([f"@{negative}"], [f"@{low}"], [f"@{high}"], [1])

        g.close_by(g.apply(back, by=[entry]))

    g.em("0 <= m", finish, empty)


def whole_row(g: Goal, rows: str) -> None:
    """The row q with all its entries."""

    def some(g: Goal) -> None:
        h = g.obtain(g.apply(g.apply(rows, "q", n=2), "n"), "Q")[0]
        g.witness("Q")
        g.fix("j")
        g.split_all(g.assume())
        g.close_by(g.apply(h, "j"))

    def none(g: Goal) -> None:
        negative = list(g.seq.hyps)[-1]
        g.witness("O(m,n)")
        g.fix("j")
        low, high = g.split_all(g.assume())
        g.contra()
        g.pos([f"@{negative}"], [f"@{low}"], [f"@{high}"], [1])

    g.em("0 <= n", some, none)


def by_induction(g: Goal, q: str, body: str, grow: object) -> None:
    """`body` for all q >= 0: nothing to show at 0; `grow` leads from q - 1 to q."""
    g.induct(q, "ih")

    def start(g: Goal) -> None:
        zero = list(g.seq.hyps)[-1]
        g.witness("O(m,n)")
        g.intro()
        g.contra()
        upper = next(h for h, f in g.seq.hyps.items() if f[0] == "<=" and f[2] == q and f[1] != 0)
        lower = next(h for h, f in g.seq.hyps.items() if f == ("<=", 1, g.hyp_formula(upper)[1]))
        g.pos([f"@{zero}"], [f"@{upper}"], [f"@{lower}"], [1])

    def go(g: Goal) -> None:
        one = g.by_fact("int_lt", 0, q)
        lower = g.have(f"0 <= {q} - 1", lambda g: g.pos([f"@{one}"]))
        h = g.apply("ih", f"{q} - 1", by=[lambda g: g.conj(using(lower), lambda g: g.pos([1]))])
        old = g.obtain(h, "L0")[0]
        grow(g, "L0", old)  # type: ignore[operator]

    _ = body
    g.em(f"{q} <= 0", start, go)


def integers(g: Goal) -> None:
    """q <= x from q - 1 < x."""
    h = next(h for h, f in g.seq.hyps.items() if f[0] == "<" and f[2] == g.concl[2])
    one = g.by_fact("int_lt", *g.hyp_formula(h)[1:])
    g.pos([f"@{one}"])


def bounds(g: Goal) -> None:
    """Each bound follows from those among the hypotheses."""
    known = [h for h, f in g.seq.hyps.items() if f[0] == "<="]
    g.conj(*[lambda g: g.nlin(products=1, use=known)] * (len(g.concl) - 1))


@part(
    CLAIM,
    "equal-from-0",
    "all m n:Z, E F:R->M(m,n), L:M(m,n). (all t:R. 0 <= t => E(t) = F(t)) => tends(t, E(t), L) => tends(t, F(t), L)",
    says="matrix functions that agree for t >= 0 have the same limit",
)
def equal_functions_have_equal_limits(g: Goal) -> None:
    """Entry by entry."""
    same, limit = g.intro()
    forward = g.split(g.fact("tends_matrix", "m", "n", "L", "lam t:R. E(t)"))[0]
    back = g.split(g.fact("tends_matrix", "m", "n", "L", "lam t:R. F(t)"))[1]
    entries = g.apply(forward, by=[using(limit)])

    def entry(g: Goal) -> None:
        g.fix("i", "j")
        g.split_all(g.assume())
        h = g.apply(entries, "i", "j")

        def agree(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.rewrite(g.apply(same, "t"))
            g.refl()

        g.close_by(g.by_fact("tends_ext", 0, "L[i,j]", "lam t:R. E(t)[i,j]", "lam t:R. F(t)[i,j]", by=[agree, using(h)]))

    g.close_by(g.apply(back, by=[entry]))


def same_limit(g: Goal, limit: str, shape: tuple[str, str], new: str, value: str, equal: Script) -> str:
    """tends(t, new, value) from `limit`, tends(t, old, value), where the two are equal at all times t >= 0."""
    _, var, old, _ = g.hyp_formula(limit)
    path = ("lam", ((var, "R"),), old)

    def agree(g: Goal) -> None:
        g.fix("t")
        g.assume()
        equal(g)

    return g.lemma(CLAIM, "part:equal-from-0", *shape, path, f"lam t:R. {new}", value, by=[agree, using(limit)])


def times_constant(g: Goal, matrix: str, limit: str, shape: tuple[str, str, str], path: str, value: str) -> str:
    """tends(t, M F(t), M L) from tends(t, F(t), L)."""
    constant = g.fact("tends_matrix_const", shape[0], shape[1], matrix)
    return g.by_fact(
        "tends_matrix_mul", *shape, matrix, value, f"lam t:R. {matrix}", f"lam t:R. {path}", by=[using(constant), using(limit)]
    )


@part(
    CLAIM,
    "small-matrix",
    """all m n:Z, c k:R, F:R->M(m,n). 0 < k => (all t:R. 0 <= t => tr(T(F(t)) @ F(t)) <= c*exp(-k*t)) => tends(t, F(t), O(m,n))""",
    says="a matrix function of exponentially small norm tends to 0",
)
def small_matrix_vanishes(g: Goal) -> None:
    """Every entry is at most c' exp(-k t/2) in size, with c' = c + 1."""
    rate, small = g.intro()
    back = g.split(g.fact("tends_matrix", "m", "n", "O(m,n)", "lam t:R. F(t)"))[1]

    def entry(g: Goal) -> None:
        g.fix("i", "j")
        g.split_all(g.assume())
        decay = g.by_fact("tends_exp_decay", "k/2", by=[lambda g: g.pos([f"@{rate}"], mul=["2"])])
        up = g.by_fact("tends_scale", "c + 1", 0, "lam t:R. exp(-(k/2)*t)", by=[using(decay)])
        down = g.by_fact("tends_scale", "-c - 1", 0, "lam t:R. exp(-(k/2)*t)", by=[using(decay)])
        zero = g.have("(c + 1)*0 = 0", lambda g: g.field())
        zero2 = g.have("(-c - 1)*0 = 0", lambda g: g.field())
        up, down = g.rewritten(up, zero), g.rewritten(down, zero2)

        def between(g: Goal) -> None:
            g.fix("t")
            g.assume()
            h = g.apply(small, "t")
            one = entry_bound(g, "m", "n", "F(t)", "i", "j")
            q, p = "exp(-(k/2)*t)", "exp(-k*t)"
            square = g.have(f"{p} = {q}^2", lambda g: g.field())
            total = g.have(f"F(t)[i,j]^2 <= c*{q}^2", lambda g: g.pos([f"@{one}"], [f"@{h}"], eqs=[(square, "c")]))
            sign = g.have("0 <= c", lambda g: nonneg(g, total, q, "F(t)[i,j]"))
            size = g.have(
                f"F(t)[i,j]^2 <= ((c + 1)*{q})^2", lambda g: g.pos([f"@{total}"], [q, q], [q, q, f"@{sign}"], [q, q, "c^2"])
            )
            g.conj(lambda g: inside(g, size, sign, q), lambda g: inside(g, size, sign, q))

        done = g.by_fact(
            "tends_squeeze",
            *("0", "0", "lam t:R. (-c - 1)*exp(-(k/2)*t)", "lam t:R. F(t)[i,j]", "lam t:R. (c + 1)*exp(-(k/2)*t)"),
            by=[between, using(down), using(up)],
        )
        g.replace("O(m,n)[i,j]", "0", lambda g: g.field())
        g.close_by(done)

    g.close_by(g.apply(back, by=[entry]))


def nonneg(g: Goal, total: str, q: str, x: str) -> None:
    """c >= 0 as c q^2 is at least a square."""
    less = g.contra()
    g.pos([f"@{total}"], [f"@{less}", q, q], [f"{x}^2"])


def inside(g: Goal, size: str, sign: str, q: str) -> None:
    """-b <= x or x <= b from x^2 <= b^2."""
    less = g.contra()
    b = f"(c + 1)*{q}"
    g.have(f"0 < {b}", lambda g: g.pos([f"@{sign}", q], [q]))
    g.pos([f"@{size}"], [f"@{less}", f"@{less}"], [f"@{less}", "2", b])


def entry_bound(g: Goal, m: str, n: str, x: str, i: str, j: str) -> str:
    """X[i,j]^2 <= |X|^2, from the bounds of i and j among the hypotheses."""
    whole = g.fact("frobenius_entries", m, n, x)
    rows = g.by_fact("sum_term_le", 1, m, f"lam a:Z. sum(b, 1, {n}, {x}[a,b]^2)")
    row = g.apply(rows, i)
    columns = g.by_fact("sum_term_le", 1, n, f"lam b:Z. {x}[{i},b]^2")
    one = g.apply(columns, j)
    return g.have(f"{x}[{i},{j}]^2 <= tr(T({x}) @ {x})", lambda g: g.pos([f"@{row}"], [f"@{one}"], eqs=[(whole, 1)]))


@part(
    CLAIM,
    "fast-matrix",
    """all m n:Z, c k:R, E:R~>M(m,n). 0 < k => (all t:R. 0 <= t => tr(T(E'(t)) @ E'(t)) <= c*exp(-k*t)) => ex L:M(m,n). tends(t, E(t), L)""",
    says="a matrix function with an exponentially small velocity converges",
)
def fast_matrix_converges(g: Goal) -> None:
    """The velocity of every entry is at most (c + 1) exp(-k t/2) in size."""
    rate, small = g.intro()

    def entry(g: Goal) -> None:
        g.fix("i", "j")
        g.split_all(g.assume())

        def slow(g: Goal) -> None:
            g.fix("t")
            g.assume()
            h = g.apply(small, "t")
            x = "E'(t)[i,j]"
            one = entry_bound(g, "m", "n", "E'(t)", "i", "j")
            q = "exp(-(k/2)*t)"
            square = g.have(f"exp(-k*t) = {q}^2", lambda g: g.field())
            total = g.have(f"{x}^2 <= c*{q}^2", lambda g: g.pos([f"@{one}"], [f"@{h}"], eqs=[(square, "c")]))
            sign = g.have("0 <= c", lambda g: nonneg(g, total, q, x))
            size = g.have(f"{x}^2 <= ((c + 1)*{q})^2", lambda g: g.pos([f"@{total}"], [q, q], [q, q, f"@{sign}"], [q, q, "c^2"]))
            low = g.have(f"-((c + 1)*{q}) <= {x}", lambda g: inside(g, size, sign, q))
            high = g.have(f"{x} <= (c + 1)*{q}", lambda g: inside(g, size, sign, q))
            same = g.have(f"D(s, E(s)[i,j], t) = {x}", lambda g: g.field())
            g.rewrite(same)
            back = g.split(g.fact("abs_le", x, f"(c + 1)*{q}"))[1]
            g.exact(g.apply(back, by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"]), using(high))]))

        h = g.by_fact(
            "finite_length_limit", "c + 1", "k/2", "lam t:R. E(t)[i,j]", by=[lambda g: g.pos([f"@{rate}"], mul=["2"]), None, slow]
        )
        limit = g.obtain(h, "l")[0]
        g.witness("l")
        g.close_by(limit)

    done = g.lemma(CLAIM, "part:limit-by-entries", "m", "n", "lam t:R. E(t)", by=[entry])
    g.close_by(done)
