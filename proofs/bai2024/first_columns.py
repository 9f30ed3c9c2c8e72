"""The first column of each complete bipartite component, by sums of zeros and ones."""

from __future__ import annotations

from proofs.bai2024.graphs import PATTERN
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.registry import part

CLAIM = "bai2024.thm-4"


@part(
    CLAIM,
    "count",
    """all E:Z->R, n:Z. (all i:Z. 1 <= i and i <= n => E(i) = 0 or E(i) = 1) =>
       (min(1, sum(i, 1, n, E(i))) = 1 and ex i:Z. 1 <= i and i <= n and E(i) = 1) or
       (min(1, sum(i, 1, n, E(i))) = 0 and all i:Z. 1 <= i and i <= n => E(i) = 0)""",
    says="A sum of zeros and ones says whether a one occurs.",
)
def a_sum_says_whether_a_one_occurs(g: Goal) -> None:
    """The sum is at least each of its terms, and 0 if all of them are."""
    g.fix()
    values = g.assume()
    total = "sum(i, 1, n, E(i))"
    low = g.fact("min_cases", "1", total)

    def some(g: Goal) -> None:
        hs = g.obtain(last(g), "q")

        def nonneg(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()
            g.cases(g.apply(values, i), lambda g: g.pos(eqs=[(last(g), 1)]), lambda g: g.pos(["1"], eqs=[(last(g), 1)]))

        t = g.apply(g.by_fact("sum_term_le", 1, "n", "lam i:Z. E(i)", by=[nonneg]), "q")
        g.left_or_right(0)

        def one(g: Goal) -> None:
            def first(g: Goal) -> None:
                g.close_by(g.split(last(g))[1])

            def second(g: Goal) -> None:
                order, value = g.split(last(g))
                g.rewrite(value)
                g.antisym(lambda g: g.close_by(order), lambda g: g.pos([f"@{t}"], eqs=[(hs[2], 1)]))

            g.cases(low, first, second)

        def occurs(g: Goal) -> None:
            g.witness("q")
            g.conj(*[lambda g, h=h: g.close_by(h) for h in hs])  # type: ignore[misc]

        g.conj(one, occurs)

    def none(g: Goal) -> None:
        never = last(g)

        def zero(g: Goal) -> None:
            (i,) = g.fix()
            g.split(g.assume())

            def no(g: Goal) -> None:
                here = last(g)
                k = g.have("ex i:Z. 1 <= i and i <= n and E(i) = 1", lambda g: found(g, i, here))
                g.clash(k, never)

            g.cases(g.apply(values, i), lambda g: g.close_by(last(g)), no)

        def found(g: Goal, i: str, here: str) -> None:
            g.witness(i)
            g.conj(None, None, lambda g: g.close_by(here))

        zeros = g.have("all i:Z. 1 <= i and i <= n => E(i) = 0", zero)
        s = g.by_fact("sum_ext", 1, "n", "lam i:Z. E(i)", "lam i:Z. 0", by=[lambda g: g.close_by(zeros)])
        s = g.have(f"{total} = 0", lambda g: g.field((s, 1)))
        g.left_or_right(1)

        def least(g: Goal) -> None:
            def first(g: Goal) -> None:
                order, _ = g.split(last(g))
                g.contra()
                g.pos([f"@{order}"], ["1"], eqs=[(s, -1)])

            def second(g: Goal) -> None:
                _, value = g.split(last(g))
                g.field((value, 1), (s, 1))

            g.cases(low, first, second)

        g.conj(least, lambda g: g.close_by(zeros))

    g.em("ex i:Z. 1 <= i and i <= n and E(i) = 1", some, none)


SHARES = """(all k j:Z. (h(k,j) = 1 and ex i:Z. P[i,k] = 1 and P[i,j] = 1) or
  (h(k,j) = 0 and all i:Z. not (P[i,k] = 1 and P[i,j] = 1)))"""
FIRST = """(all k:Z. (e(k) = 0 and ex q:Z. 1 <= q and q < k and h(q,k) = 1) or
  (e(k) = 1 and all q:Z. 1 <= q and q < k => h(q,k) = 0))"""


@part(
    CLAIM,
    "representatives",
    f"""all d:Z, P:M(d,d). {PATTERN} => ex h:(Z,Z)->R, e:Z->R. {SHARES} and {FIRST}""",
    says="h says whether two columns meet in a row; e marks the first column of each component.",
)
def first_columns_of_components(g: Goal) -> None:
    """Both are given by sums of zeros and ones."""
    g.fix()
    binary = g.assume()
    g.witness(
        "lam k:Z, j:Z. min(1, sum(i, 1, d, P[i,k]*P[i,j]))",
        "lam k:Z. 1 - min(1, sum(q, 1, k - 1, min(1, sum(i, 1, d, P[i,q]*P[i,k]))))",
    )

    def shares(g: Goal) -> None:
        g.fix("k", "j")

        def values(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()

            def zero(g: Goal) -> None:
                z = last(g)
                g.left_or_right(0)
                g.field((z, f"P[{i},j]"))

            def one(g: Goal) -> None:
                a = last(g)

                def both(g: Goal) -> None:
                    b = last(g)
                    g.left_or_right(1)
                    g.field((a, f"P[{i},j]"), (b, 1))

                def not_both(g: Goal) -> None:
                    b = last(g)
                    g.left_or_right(0)
                    g.field((b, f"P[{i},k]"))

                g.cases(g.apply(binary, i, "j"), not_both, both)

            g.cases(g.apply(binary, i, "k"), zero, one)

        c = g.lemma(CLAIM, "part:count", "lam i:Z. P[i,k]*P[i,j]", "d", by=[values])

        def meet(g: Goal) -> None:
            value, some = g.split(last(g))
            hs = g.obtain(some, "r")
            g.left_or_right(0)

            def entry(g: Goal, column: str, other: str) -> None:
                def zero(g: Goal) -> None:
                    z = last(g)
                    g.contra()
                    g.pos([], eqs=[(z, f"-P[r,{other}]"), (hs[2], 1)])

                g.cases(g.apply(binary, "r", column), zero, lambda g: g.close_by(last(g)))

            def found(g: Goal) -> None:
                g.witness("r")
                g.conj(lambda g: entry(g, "k", "j"), lambda g: entry(g, "j", "k"))

            g.conj(lambda g: g.close_by(value), found)

        def apart(g: Goal) -> None:
            value, zeros = g.split(last(g))
            g.left_or_right(1)

            def never(g: Goal) -> None:
                g.fix("i")
                a, b = g.split(g.assume())
                for bound in within("i"):
                    g.have(bound, lambda g: inside(g, "i", "k", a))
                z = g.apply(zeros, "i")
                g.pos([], eqs=[(a, "P[i,j]"), (b, 1), (z, -1)])

            g.conj(lambda g: g.close_by(value), never)

        g.cases(c, meet, apart)

    def first(g: Goal) -> None:
        g.fix("k")
        column = "min(1, sum(i, 1, d, P[i,{}]*P[i,k]))"

        def values(g: Goal) -> None:
            (q,) = g.fix()
            g.assume()
            k = g.apply(shared, q, "k")
            g.cases(
                k,
                lambda g: (g.split(last(g)), g.left_or_right(1), g.close_by(list(g.seq.hyps)[-2]))[-1],
                lambda g: (g.split(last(g)), g.left_or_right(0), g.close_by(list(g.seq.hyps)[-2]))[-1],
            )

        c = g.lemma(CLAIM, "part:count", f"lam q:Z. {column.format('q')}", "k - 1", by=[values])

        def later(g: Goal) -> None:
            value, some = g.split(last(g))
            hs = g.obtain(some, "q")
            g.left_or_right(0)

            def found(g: Goal) -> None:
                g.witness("q")
                g.conj(lambda g: g.close_by(hs[0]), lambda g: g.pos([f"@{hs[1]}"], ["1"]), lambda g: g.close_by(hs[2]))

            g.conj(lambda g: g.field((value, -1)), found)

        def earliest(g: Goal) -> None:
            value, zeros = g.split(last(g))
            g.left_or_right(1)

            def all_zero(g: Goal) -> None:
                g.fix("q")
                g.split(g.assume())
                g.by_fact("int_lt", "q", "k")
                g.close_by(g.apply(zeros, "q"))

            g.conj(lambda g: g.field((value, -1)), all_zero)

        g.cases(c, later, earliest)

    shared = g.have(SHARES.replace("h(k,j)", "min(1, sum(i, 1, d, P[i,k]*P[i,j]))"), shares)
    g.conj(lambda g: g.close_by(shared), first)


def within(i: str) -> list[str]:
    return [f"1 <= {i}", f"{i} <= d"]


def inside(g: Goal, i: str, j: str, one: str) -> None:
    """A bound of the row of an entry that is 1."""
    g.contra()
    z = g.apply(g.fact("entry_outside", "d", "d", "P"), i, j)
    g.pos([], eqs=[(one, 1), (z, -1)])
