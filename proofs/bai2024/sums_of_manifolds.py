"""Lemma A.4 and Proposition A.8: sums of manifolds, and their members as Kronecker products."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.component_manifold_dynamics import chain
from proofs.bai2024.graphs import by_values
from proofs.bai2024.invariant_manifolds import spans, within
from proofs.bai2024.setting import last
from verify.kernel import Goal, negate
from verify.kernel.tactics import Script
from verify.registry import holds, part

LEMMA = "bai2024.lemma-a4"
STACKED = "(all i m:Z. 1 <= i and i <= k and 1 <= m and m <= d => W[i,m] = V[i,m]) and (all m:Z. 1 <= m and m <= d => W[k+1,m] = w[1,m])"
"""W has the rows alpha_1, ..., alpha_k of V and alpha_{k+1} = w."""
INDEPENDENT = "(all v:V(k+1). T(W) @ v = O(d,1) => v = O(k+1,1))"
SETTING = f"all d k:Z, V:M(k,d), w:M(1,d), W:M(k+1,d). 0 <= k => k + 1 <= d => {STACKED} => {INDEPENDENT} =>"


def sum_of_sets(member: Callable[[str, str, str, str], str]) -> str:
    """Omega_k + Omega_1 = Omega_{k+1}."""
    return f"""(all A B C G:M(d,d). {member("A", "B", "V", "k")} and {member("C", "G", "w", "1")} =>
         {member("(A + C)", "(B + G)", "W", "(k+1)")}) and
       (all E F:M(d,d). {member("E", "F", "W", "(k+1)")} =>
         ex A B C G:M(d,d). {member("A", "B", "V", "k")} and {member("C", "G", "w", "1")} and E = A + C and F = B + G)"""


@part(
    LEMMA,
    "selection",
    f"""all d k:Z, V:M(k,d), w:M(1,d), W:M(k+1,d). 0 <= k => {STACKED} =>
       ex R:M(k,k+1), r:M(1,k+1). V = R @ W and w = r @ W and T(R) @ R + T(r) @ r = I(k+1)""",
    says="the first k rows and the last row of a matrix by selection matrices",
)
def rows_by_selection(g: Goal) -> None:
    """The first k rows and the last row of the identity."""
    g.fix()
    g.assume()
    first, final = g.split(g.assume())
    (r,) = g.obtain(g.fact("matrix_of_entries", "k", "k+1", "lam a:Z, b:Z. I(k+1)[a,b]"), "R", split=False)
    (s,) = g.obtain(g.fact("matrix_of_entries", 1, "k+1", "lam a:Z, b:Z. I(k+1)[k+1,b]"), "r", split=False)
    g.have("1 <= k + 1")
    g.witness("R", "r")

    def selected(matrix: str, rows: str, entries: str, at: str, rule: str, unique: bool) -> Script:
        def script(g: Goal) -> None:
            g.extn("i", "m")
            g.have(f"1 <= {at}")
            g.have(f"{at} <= k + 1")
            k = g.apply(g.fact("mm_entry", rows, "k+1", "d", matrix, "W"), "i", "m")

            def others(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                ne = g.assume()
                g.have(f"{at} != l", lambda g: reversed_(g, ne))
                v = g.apply(entries, "i", "l")
                g.field((v, "W[l,m]"))

            t = g.by_fact("sum_delta", 1, "k+1", at, f"lam l:Z. {matrix}[i,l]*W[l,m]", by=[None, None, others])
            v = g.apply(entries, "i", at)
            if unique:
                one = g.have("i = 1", lambda g: g.antisym())
                g.rewrite(one)
                k, t, v = (g.rewritten(h, one) for h in (k, t, v))
                e = g.apply(rule, "m")
                g.field((e, -1), (k, -1), (t, -1), (v, f"-W[{at},m]"))
            else:
                e = g.apply(rule, "i", "m")
                g.field((e, -1), (k, -1), (t, -1), (v, f"-W[{at},m]"))

        return script

    def whole(g: Goal) -> None:
        g.extn("i", "j")
        one = g.apply(g.fact("mm_entry", "k+1", "k", "k+1", "T(R)", "R"), "i", "j")
        two = g.apply(g.fact("mm_entry", "k+1", 1, "k+1", "T(r)", "r"), "i", "j")

        def term(g: Goal) -> None:
            g.fix("a")
            g.split(g.assume())
            x, y = g.apply(r, "a", "i"), g.apply(r, "a", "j")
            g.field((x, "R[a,j]"), (y, "I(k+1)[a,i]"))

        t = g.by_fact("sum_ext", 1, "k", "lam a:Z. R[a,i]*R[a,j]", "lam a:Z. I(k+1)[a,i]*I(k+1)[a,j]", by=[term])
        x, y = g.apply(s, "1", "i"), g.apply(s, "1", "j")
        split = g.by_fact("sum_last", 1, "k+1", "lam a:Z. I(k+1)[a,i]*I(k+1)[a,j]")

        def others(g: Goal) -> None:
            g.fix("a")
            g.split(g.assume())
            g.assume()
            g.field()

        d = g.by_fact("sum_delta", 1, "k+1", "i", "lam a:Z. I(k+1)[a,i]*I(k+1)[a,j]", by=[None, None, others])
        g.field((one, 1), (two, 1), (t, 1), (x, "r[1,j]"), (y, "I(k+1)[k+1,i]"), (split, -1), (d, 1))

    g.conj(
        selected("R", "k", r, "i", first, False),
        selected("r", "1", s, "k+1", final, True),
        whole,
    )


def reversed_(g: Goal, ne: str) -> None:
    """u != v from v != u."""
    a, b = g.hyp_formula(ne)[1:]
    eq = g.contra()
    k = g.have(("=", a, b), lambda g: g.field((eq, -1)))
    g.clash(k, ne)


EXAMPLE = ("2", "1", "[[1,0]]", "[[0,1]]", "I(2)")


def stacked(g: Goal) -> None:
    """The rows of the identity."""

    def rows(g: Goal) -> None:
        g.fix("i", "m")
        g.split(g.assume())

        def row(g: Goal, _: int) -> None:
            i = last(g)
            by_values(g, "m", 1, 2, lambda g, _: (g.rewrite(i), g.rewrite(last(g)), g.field())[-1])

        by_values(g, "i", 1, 1, row)

    def final(g: Goal) -> None:
        g.fix("m")
        g.split(g.assume())
        by_values(g, "m", 1, 2, lambda g, _: (g.rewrite(last(g)), g.field())[-1])

    g.conj(rows, final)


def independent(g: Goal) -> None:
    """T(I) v = v."""
    g.fix("v")
    h = g.assume()
    g.nc((h, 1, None, None))


@part(
    LEMMA,
    "with-equality",
    f"not ({SETTING} {sum_of_sets(spans)})",
    says="with equality of the spaces, as in Equation (7), the sum may lose rank: d = 2, k = 1, the unit vectors, A = [1,0; 0,0], C = [0,1; 0,0],"
    " whose sum has only the row [1,1]",
)
def sums_may_lose_rank(g: Goal) -> None:
    """The negation, by an example."""
    opposite = g.have(negate(g.concl[1]), sum_that_loses_rank)
    g.clash(g.assume(), opposite)


def sum_that_loses_rank(g: Goal) -> None:
    """A + C = [1,1; 0,0] has rank 1."""
    g.witness(*EXAMPLE)

    def differ(g: Goal) -> None:
        g.left_or_right(0)
        g.witness("[[1,0],[0,0]]", "[[1,0],[0,0]]", "[[0,1],[0,0]]", "[[0,0],[1,0]]")
        xs = ["[[1],[0]]", "[[1,0]]", "[[1,0]]", "[[1],[0]]", "[[1],[0]]", "[[1,0]]", "[[1,0]]", "[[1],[0]]"]

        def outside(g: Goal) -> None:
            g.left_or_right(1)
            g.fix("X")
            eq = g.contra()
            left, right = g.hyp_formula(eq)[1:]

            def entry(i: int, j: int) -> str:
                return g.have(("=", ("entry", left, i, j), ("entry", right, i, j)), lambda g: (g.rewrite(eq), g.refl())[-1])

            a, b = entry(2, 1), entry(2, 2)
            g.pos([], eqs=[(a, 1), (b, -1)])

        g.conj(lambda g: split_members(g, xs), outside)

    chain(Goal.auto, Goal.auto, stacked, independent, differ)(g)


def split_members(g: Goal, xs: list[str]) -> None:
    """Witnesses for nested conjunctions of existence statements, in order."""
    if g.concl[0] == "and":
        g.conj(*[lambda g: split_members(g, xs)] * (len(g.concl) - 1))
    else:
        g.witness(xs.pop(0))
        g.ext(lambda g: g.field())


@part(LEMMA, "containment", f"{SETTING} {sum_of_sets(within)}", says="The lemma for the sets with containment in the span.")
def sums_of_contained_spans(g: Goal) -> None:
    """With selections V = R W, w = r W, R^T R + r^T r = I: X V + Y w = (X R + Y r) W, and Z W = (Z R^T) V + (Z r^T) w."""
    g.fix()
    low = g.assume()
    g.assume()
    rows = g.assume()
    g.assume()
    h = g.lemma(LEMMA, "part:selection", *"dkVwW", by=[lambda g: g.close_by(low), lambda g: g.close_by(rows)])
    v, w, unit = g.obtain(h, "R", "r")

    def turned(g: Goal, h: str) -> str:
        _, a, b = g.hyp_formula(h)
        return g.have(("=", ("T", a), ("T", b)), lambda g: (g.rewrite(h), g.refl())[-1])

    tv, tw = turned(g, v), turned(g, w)

    def forward(g: Goal) -> None:
        g.fix("A", "B", "C", "G")
        a, b, c, d = g.split_all(g.assume())
        x, y = g.obtain(a, "X")[0], g.obtain(b, "Y")[0]
        p, q = g.obtain(c, "S")[0], g.obtain(d, "Q")[0]
        g.conj(
            lambda g: (
                g.witness("X @ R + S @ r"),
                g.nc((x, 1, None, None), (p, 1, None, None), (v, 1, "X", None), (w, 1, "S", None)),
            )[-1],
            lambda g: (
                g.witness("T(R) @ Y + T(r) @ Q"),
                g.nc((y, 1, None, None), (q, 1, None, None), (tv, 1, None, "Y"), (tw, 1, None, "Q")),
            )[-1],
        )

    def backward(g: Goal) -> None:
        g.fix("E", "F")
        a, b = g.split(g.assume())
        z, y = g.obtain(a, "Z")[0], g.obtain(b, "Y")[0]
        g.witness("Z @ T(R) @ V", "T(V) @ R @ Y", "Z @ T(r) @ w", "T(w) @ r @ Y")
        g.conj(
            lambda g: g.conj(lambda g: (g.witness("Z @ T(R)"), g.nc())[-1], lambda g: (g.witness("R @ Y"), g.nc())[-1]),
            lambda g: g.conj(lambda g: (g.witness("Z @ T(r)"), g.nc())[-1], lambda g: (g.witness("r @ Y"), g.nc())[-1]),
            lambda g: g.nc((z, 1, None, None), (unit, -1, "Z", "W"), (v, -1, "Z @ T(R)", None), (w, -1, "Z @ T(r)", None)),
            lambda g: g.nc((y, 1, None, None), (unit, -1, "T(W)", "Y"), (tv, -1, None, "R @ Y"), (tw, -1, None, "r @ Y")),
        )

    g.conj(forward, backward)


@holds(
    LEMMA,
    f"{SETTING} {sum_of_sets(within)}",
    argument="repaired",
    reading="Omega_k is the set of Equation (32), which the same section prints before the lemma: row(A) and col(B) are contained in the span",
    readings=[("equality of the spaces, as in Equation (7)", "refuted", "with-equality")],
    reason="Equation (33), on which the printed argument rests, has the rows of B in the span in place of its columns",
)
def sums_of_sets_with_containment(g: Goal) -> None:
    """The part `containment`."""
    g.close_by(g.lemma(LEMMA, "part:containment"))
