"""Appendix G.1, (39) to (41): the power series of the exponential of the block matrix, block by block."""

from __future__ import annotations

from proofs.shin2025.disconnected_blocks import (
    BLOCK_SETTING,
    BLOCK_VARIABLES,
    EXPONENTIAL,
    PLACES,
    block_entries,
    decomposed,
    exponential_again,
    picks,
)
from proofs.shin2025.disconnected_flow import inside, position
from proofs.shin2025.disconnected_solution import DEF
from proofs.shin2025.disconnected_structure import STRUCTURE, in_range, maps
from verify.kernel import Goal
from verify.registry import part

UPPER, LOWER = "(M @ T(M))", "(T(M) @ M)"
ONE = "I(n*n)"


def converges(block: str, power: str, odd: bool) -> str:
    """An entry of the block is the sum of the entries of even or odd powers over factorials; odd powers have the sign -."""
    order = "2*k + 1" if odd else "2*k"
    series = f"sum(k, 0, m, ({power})[u,v]/prod(l, 1, {order}, l))"
    return f"(ex N:Z. all m:Z. N <= m => abs({block}(1)[u,v] {'+' if odd else '-'} {series}) <= e)"


SERIES = f"""(all e:R, u v:Z. 0 < e => {PLACES} =>
        {converges("Cb", f"{UPPER}^k", False)} and {converges("Db", f"{UPPER}^k @ M", True)} and
        {converges("Eb", f"{LOWER}^k @ T(M)", True)} and {converges("Fb", f"{LOWER}^k", False)})"""
"""The partial sums of I - [0, M; M^T, 0] + 1/2 [M M^T, 0; 0, M^T M] - 1/6 [0, M M^T M; M^T M M^T, "
"0] + ... converge to the blocks."""

U, V = position("p", "q"), position("q", "j(p)")


@part(
    EXPONENTIAL,
    "square-powers",
    f"""{BLOCK_VARIABLES}, X:M(n*n,n*n). {BLOCK_SETTING} => all p q c k:Z. {inside("p", "q")} => 0 <= k =>
        ({UPPER}^k @ X)[{U},c] = r(p)^(2*k)*X[{U},c] and ({LOWER}^k @ X)[{V},c] = r(p)^(2*k)*X[{V},c]""",
    says="M M^T multiplies the place (p, q) by r(p)^2, and M^T M the place (q, j(p))",
    uses=[STRUCTURE],
)
def squares_scale_each_place(g: Goal) -> None:
    """Induction: M and M^T take one place to the other, times r(p)."""
    g.fix()
    for _ in range(4):
        g.split_all(g.assume()) if g.concl[1][0] == "and" else g.assume()
    g.fix("p", "q", "c", "k0")
    g.split_all(g.assume())
    g.assume("k0_lo")
    inverse = maps(g, "p")[4]
    claim = f"({UPPER}^k @ X)[{U},c] = r(p)^(2*k)*X[{U},c] and ({LOWER}^k @ X)[{V},c] = r(p)^(2*k)*X[{V},c]"

    def powers(g: Goal) -> None:
        g.induct("k", "ih")

        def zero(g: Goal) -> None:
            g.rewrite(g.have("k = 0", lambda g: g.field((last_hyp(g), -1))))
            for m in (UPPER, LOWER):
                g.replace(f"{m}^0 @ X", "X", lambda g: g.nc())
            g.conj(lambda g: g.field(), lambda g: g.field())

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "0", "k")
            g.have("0 <= k - 1")
            h1, h2 = g.split(g.apply("ih", "k - 1"))
            step = g.by_fact("ipow_add", "r(p)", "2", "2*(k - 1)")
            step = g.have("r(p)^(2*k) = r(p)^2*r(p)^(2*(k - 1))", lambda g: g.exact(step))

            def one(g: Goal, m: str, ih: str) -> None:
                a = g.by_fact("mpow_add", "n*n", "1", "k - 1", m)
                y = f"({m}^(k - 1) @ X)"
                split = g.have(
                    f"{m}^k @ X = {m} @ {y}",
                    lambda g: (
                        g.replace(f"{m}^k", f"{m}^(1 + (k - 1))", lambda g: g.ctx()),
                        g.rewrite(a),
                        g.nc(),
                    )[-1],
                )
                g.rewrite(split)
                inner = f"(T(M) @ {y})" if m == UPPER else f"(M @ {y})"
                g.replace(f"{m} @ {y}", f"M @ {inner}" if m == UPPER else f"T(M) @ {inner}", lambda g: g.nc())

                def row(x: str) -> str:
                    return g.apply(picks(g, "row", x, "n*n"), "p", "q", "c")

                def column(x: str) -> str:
                    return g.rewritten(g.apply(picks(g, "column", x, "n*n"), "q", "j(p)", "c"), inverse)

                outer, deeper = (row(inner), column(y)) if m == UPPER else (column(inner), row(y))
                g.rewrite(outer)
                g.rewrite(deeper)
                g.rewrite(ih)
                g.rewrite(step)
                g.field()

            g.conj(lambda g: one(g, UPPER, h1), lambda g: one(g, LOWER, h2))

        g.cases(g.by_fact("lt_or_eq", "0", "k"), more, zero)

    h = g.have(f"all k:Z. 0 <= k => {claim}", powers)
    g.close_by(g.apply(h, "k0"))


def last_hyp(g: Goal) -> str:
    return list(g.seq.hyps)[-1]


SCALAR = """all x y e:R. y = 0 or y = 1 => 0 < e =>
    (ex N:Z. all m:Z. N <= m => abs(cosh(x)*y - sum(k, 0, m, x^(2*k)*y/prod(l, 1, 2*k, l))) <= e) and
    (ex N:Z. all m:Z. N <= m => abs(-sinh(x)*y + sum(k, 0, m, x^(2*k + 1)*y/prod(l, 1, 2*k + 1, l))) <= e)"""


def scaled_series(g: Goal) -> None:
    """The series of cosh and sinh, times 0 or 1."""
    g.fix()
    either = g.assume()
    g.assume("e_pos")

    def of(g: Goal, fact: str, odd: bool) -> None:
        h = g.by_fact(fact, "x", "e")
        g.obtain(h, "N", name="near")
        g.witness("N")
        g.fix("m")
        g.assume()
        k = g.apply("near", "m")

        def zero(g: Goal) -> None:
            g.rewrite("case")
            g.replace(g.concl[1], "0", lambda g: g.field() if g.concl[0] == "=" else None)
            g.auto()

        def one(g: Goal) -> None:
            g.rewrite("case")
            f, mine = g.hyp_formula(k)[1][1], g.concl[1][1]
            low, high = g.split(g.apply(g.split(g.fact("abs_le", f, "e"))[0]))
            bounds = [lambda g: g.pos([f"@{high}"]), lambda g: g.pos([f"@{low}"])]
            back = g.split(g.fact("abs_le", mine, "e"))[1]
            g.close_by(g.apply(back, by=[lambda g: g.conj(*(bounds if odd else bounds[::-1]))]))

        g.cases(either, zero, one, name="case")

    g.conj(lambda g: of(g, "cosh_series", False), lambda g: of(g, "sinh_series", True))


@part(
    EXPONENTIAL,
    "series",
    f"{BLOCK_VARIABLES}. {BLOCK_SETTING} => {SERIES}",
    says="the blocks of the exponential are the sums of the displayed power series",
    uses=[DEF, STRUCTURE],
)
def blocks_are_power_series(g: Goal) -> None:
    """In the row of a place all even powers are r(p)^(2k) times the identity, all odd ones r(p)^(2k) times M or M^T."""
    scalar = g.have(SCALAR, scaled_series)
    g.intro()
    place = decomposed(g, "u", "a", "b")
    maps(g, "a")
    at_b = maps(g, "b")
    g.rewrite(place)

    def block(g: Goal, which: int) -> None:
        upper, odd = which < 2, which in (1, 2)
        p, q = ("a", "b") if upper else ("i(b)", "a")
        here, there = position(p, q), position(q, f"j({p})")
        first, second = (here, there) if upper else (there, here)  # the row, and the row of the identity for odd powers

        def fit(g: Goal, h: str) -> str:
            return h if upper else g.rewritten(h, at_b[5])

        value = fit(g, block_entries(g, p, q, "v")[which])
        x = ("M" if upper else "T(M)") if odd else ONE
        y = f"{ONE}[{(second if odd else first).replace('j(i(b))', 'b')},v]"
        half = g.lemma(
            EXPONENTIAL, "part:square-powers", "n", "i", "j", "r", "M", "Cb", "Db", "Eb", "Fb", x,
            by=[None, None, None, exponential_again],
        )  # fmt: skip
        in_range(g, p, q)
        power, row = (UPPER if upper else LOWER), position("a", "b")
        r = f"r({p})"

        def term(g: Goal) -> None:
            g.fix("k")
            g.split(g.assume())
            e = fit(g, g.split(g.apply(half, p, q, "v", "k"))[0 if upper else 1])
            if odd:
                pick = g.apply(
                    picks(g, "row" if upper else "column", ONE, "n*n"), *((p, q, "v") if upper else (q, f"j({p})", "v"))
                )
                pick = fit(g, pick)
                pick = fit(g, pick) if not upper and "j(i(b))" in str(g.hyp_formula(pick)) else pick
                plain = g.have(f"{x} @ {ONE} = {x}", lambda g: g.nc())
                pick = g.rewritten(pick, plain)
                step = g.by_fact("ipow_step", r, "2*k")
                g.rewrite(e)
                g.rewrite(pick)
                g.rewrite(step)
                g.field()
            else:
                plain = g.have(f"{power}^k @ {ONE} = {power}^k", lambda g: g.nc())
                e = g.rewritten(e, plain)
                g.rewrite(e)
                g.refl()

        order = "2*k + 1" if odd else "2*k"
        matrix = f"({power}^k @ {x})" if odd else f"({power}^k)"
        terms = g.have(
            f"all m:Z. sum(k, 0, m, {matrix}[{row},v]/prod(l, 1, {order}, l)) = "
            f"sum(k, 0, m, {r}^({order})*{y}/prod(l, 1, {order}, l))",
            lambda g: (
                g.fix("m"),
                g.close_by(
                    g.by_fact(
                        "sum_ext", 0, "m", f"lam k:Z. {matrix}[{row},v]/prod(l, 1, {order}, l)",
                        f"lam k:Z. {r}^({order})*{y}/prod(l, 1, {order}, l)", by=[term],
                    )
                ),
            )[-1],
        )  # fmt: skip

        def zero_or_one(g: Goal) -> None:
            at = (second if odd else first).replace("j(i(b))", "b")
            g.em(
                f"{at} = v",
                lambda g: (g.left_or_right(1), g.rewrite("same"), g.field())[-1],
                lambda g: (g.left_or_right(0), g.field())[-1],
                name="same",
            )

        near = g.split(g.apply(scalar, r, y, "e", by=[zero_or_one, None]))[1 if odd else 0]
        g.obtain(near, "N", name="near")
        g.witness("N")
        g.fix("m")
        g.assume()
        k = g.apply("near", "m")
        g.rewrite(value)
        g.rewrite(g.apply(terms, "m"))
        g.exact(k)

    g.conj(*[lambda g, w=w: block(g, w) for w in range(4)])
