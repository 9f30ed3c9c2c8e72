"""Proposition A.9 and Theorem A.6: decoupling of entries and of complete blocks, and steps of the proof that are not right as printed."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import chain
from proofs.bai2024.components import COMPONENTS
from proofs.bai2024.graphs import PATTERN
from proofs.bai2024.invariant_manifolds import FLOW
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted, undecided

SEQUENTIAL = "bai2024.prop-a9-step-sequential"
TRANSPOSE = "bai2024.thm-a6-step-b-equals-a-transpose"
WLOG = "bai2024.thm-a6-step-wlog"

undecided(
    TRANSPOSE,
    outcome="ill-formed",
    reason="U_i^T A_i^T multiplies a d_i x d_i matrix by a d x d_i one: the transpose of U_i^T A_i is A_i^T U_i. B_i V_i (d columns d_i') can be its"
    " transpose only for a square block, d_i = d_i'",
    argument="sound",
)


@amendment(
    TRANSPOSE,
    "all m k:Z, A:M(m,k), B:M(k,m), U V:M(m,m). B @ V = T(T(U) @ A) <=> B @ V = T(A) @ U",
    says="For a square block it is B V = A^T U.",
)
def transpose_of_the_rotated_factor(g: Goal) -> None:
    """The transpose of a product."""
    g.fix()
    same: Script = lambda g: (lambda h: g.nc((h, 1, None, None)))(g.assume())  # noqa: E731
    g.iff(same, same)


ROTATION = "T(U) @ U = I(d) and T(V) @ V = I(d) and (all i j:Z. i != j => (T(U) @ M @ V)[i,j] = 0)"


@refuted(
    WLOG,
    f"""all d:Z, M:M(d,d). 1 <= d => (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => M[i,j] != 0) => ex U V:M(d,d). {ROTATION} and
       (all i:Z. 1 <= i and i <= d => 0 < (T(U) @ M @ V)[i,i]) and
       (all i j:Z. 1 <= i and i < j and j <= d => (T(U) @ M @ V)[j,j] < (T(U) @ M @ V)[i,i])""",
    argument="repaired",
    reading="one completely observed block with entries that are not zero; sign changes and permutations are orthogonal and can be put into U and V",
    reason="singular values can be 0 or equal, which no sign changes: M = [1,1; 1,1] has the singular values 2 and 0",
)
def singular_values_can_vanish(g: Goal) -> None:
    """The determinant is 0."""
    matrix = "[[1,1],[1,1]]"
    g.witness("2", matrix)

    def entries(g: Goal) -> None:
        done = g.have(f"all i j:Z. 1 <= i and i <= 2 and 1 <= j and j <= 2 => {matrix}[i,j] = 1", lambda g: g.compute())
        g.fix("i", "j")
        g.assume()
        one = g.apply(done, "i", "j")
        g.rewrite(one)
        g.auto()

    def never(g: Goal) -> None:
        g.fix("U", "V")
        hs = g.split_all(g.contra())
        off, positive = hs[2], hs[3]
        x = f"T(U) @ {matrix} @ V"

        def outside(g: Goal) -> None:
            """An index below 1 or above 2."""

            def absurd(g: Goal) -> None:
                h = last(g)
                low, high = g.hyp_formula(h)[1:]
                g.contra()
                g.pos([f"@{h}"], *([["1"]] if (low, high) == (2, 1) else []))

            g.cases(last(g), absurd, absurd)

        def entry(i: int) -> str:
            return g.have(f"0 < ({x})[{i},{i}]", lambda g: g.cases(g.apply(positive, i), outside, lambda g: g.close_by(last(g))))

        def equal(g: Goal) -> None:
            h = last(g)
            g.contra()
            g.pos([], eqs=[(h, 1)])

        a, b = entry(1), entry(2)
        z = g.have(f"({x})[1,2] = 0", lambda g: g.cases(g.apply(off, 1, 2), equal, lambda g: g.close_by(last(g))))
        p, q = g.fact("det_product", 2, f"T(U) @ {matrix}", "V"), g.fact("det_product", 2, "T(U)", matrix)
        zero = g.have(f"det({matrix}) = 0", lambda g: g.field())
        flat = g.have(f"det({x}) = 0", lambda g: g.field((p, 1), (q, "det(V)"), (zero, "det(T(U))*det(V)")))
        (s,) = g.obtain(g.have(f"ex S:M(2,2). S = {x}", lambda g: (g.witness(x), g.refl())[-1]), "S", split=False)
        det = g.have("det(S) = 0", lambda g: (g.rewrite(s), g.close_by(flat))[-1])
        moved = [
            g.have(f, lambda g, h=h: (g.rewrite(s), g.close_by(h))[-1])
            for f, h in (("0 < S[1,1]", a), ("0 < S[2,2]", b), ("S[1,2] = 0", z))
        ]
        g.pos([f"@{moved[0]}", f"@{moved[1]}"], eqs=[(det, -1), (moved[2], "-S[2,1]")])

    chain(Goal.auto, entries, never)(g)


@amendment(
    WLOG,
    f"""all d:Z, M:M(d,d). 1 <= d => ex U V:M(d,d). {ROTATION} and (all i:Z. 1 <= i and i <= d => 0 <= (T(U) @ M @ V)[i,i]) and
       (all i j:Z. 1 <= i and i < j and j <= d => (T(U) @ M @ V)[j,j] <= (T(U) @ M @ V)[i,i])""",
    says="mu_1 >= mu_2 >= ... >= mu_d >= 0.",
)
def singular_values_can_be_ordered(g: Goal) -> None:
    """The singular value decomposition."""
    g.fix()
    g.assume()
    u, v, off, values = g.obtain(g.fact("svd_square", "d", "M"), "U", "V")
    ordered = g.fact("sv_range", "d", "d", "M")
    g.witness("U", "V")

    def nonnegative(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        e = g.apply(values, "i")
        g.rewrite(e)
        g.close_by(g.split(g.apply(ordered, "i", "i"))[0])

    def decreasing(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume())
        for bound in ("i <= d", "1 <= j", "i <= j"):
            g.have(bound, lambda g: g.nlin(products=1))
        e, f = g.apply(values, "i"), g.apply(values, "j")
        g.rewrite(e)
        g.rewrite(f)
        g.close_by(g.apply(g.split(g.apply(ordered, "i", "j"))[1]))

    g.conj(*[lambda g, h=h: g.close_by(h) for h in (u, v, off)], nonnegative, decreasing)


RESIDUAL = "had(P, A(t) @ B(t) - M)"


def entry_of_flow(g: Goal, law: str, rows: bool, weight: str, known: Script) -> None:
    """A velocity as a sum over the entries of a row (column) with another weight for P, equal by `known` (in q)."""
    residual = "(A(t) @ B(t) - M)"
    left = ("d", "d", "d", RESIDUAL, "T(B(t))") if rows else ("d", "d", "d", "T(A(t))", RESIDUAL)
    place = ("i", "l") if rows else ("l", "i")
    at, factor = ("[i,q]", "B(t)[l,q]") if rows else ("[q,i]", "A(t)[q,l]")
    g.rewrite(law)
    m = g.apply(g.fact("mm_entry", *left), *place)

    def term(g: Goal) -> None:
        g.fix("q")
        g.split(g.assume())
        e = g.have(f"P{at} = {weight}", known)
        g.field((e, f"{residual}{at}*{factor}"))

    s = g.by_fact("sum_ext", 1, "d", f"lam q:Z. {RESIDUAL}{at}*{factor}", f"lam q:Z. {weight}*{residual}{at}*{factor}", by=[term])
    g.field((m, "-2/n"), (s, "-2/n"))


SUM_ROW = "-2/n*sum(q, 1, d, {w}*(A(t) @ B(t) - M)[i,q]*B(t)[l,q])"
SUM_COLUMN = "-2/n*sum(q, 1, d, {w}*(A(t) @ B(t) - M)[q,i]*A(t)[q,l])"


@holds(
    "bai2024.thm-a6-step-decoupling",
    f"""all d:Z, n:R, P M:M(d,d), f g:(Z,Z)->R, A B:R~>M(d,d). 1 <= d => 0 < n => {PATTERN} => {COMPONENTS} => {FLOW} =>
       all t:R, p i l:Z. 0 <= t and 1 <= i and i <= d and 1 <= l and l <= d =>
         (f(p,i) = 1 => A'(t)[i,l] = {SUM_ROW.format(w="g(p,q)")}) and (g(p,i) = 1 => B'(t)[l,i] = {SUM_COLUMN.format(w="f(p,q)")})""",
    argument="sound",
    reading="f(p,.) and g(p,.) are the indicators of the rows and columns of the component p: the velocity of its rows of A contains only its columns of B"
    " and the block M_p, all of whose entries occur, and likewise for its columns",
)
def complete_blocks_move_by_themselves(g: Goal) -> None:
    """In a row of the component p the pattern is g(p,.)."""
    g.fix()
    g.assume()
    g.assume()
    binary = g.assume()
    f_bits, g_bits, _, _, agree, complete, _ = g.split(g.assume())
    laws = g.split(g.assume())
    g.fix("t", "p", "i", "l")
    g.split(g.assume())

    def weight(mark: str, rows: bool) -> Script:
        at = ("i", "q") if rows else ("q", "i")
        bits = g_bits if rows else f_bits

        def script(g: Goal) -> None:
            def zero(g: Goal) -> None:
                z = last(g)

                def unseen(g: Goal) -> None:
                    g.field((last(g), 1), (z, -1))

                def seen(g: Goal) -> None:
                    one = last(g)
                    e = g.apply(agree, "p", *at, by=[lambda g: g.close_by(one)])
                    g.contra()
                    g.pos([], eqs=[(e, "-1" if rows else "1"), (mark, "1"), (z, "-1")])

                g.cases(g.apply(binary, *at), unseen, seen)

            def unit(g: Goal) -> None:
                o = last(g)
                pair = [lambda g: g.close_by(mark), lambda g: g.close_by(o)]
                e = g.apply(complete, "p", *at, by=pair if rows else pair[::-1])
                g.field((e, 1), (o, -1))

            g.cases(g.apply(bits, "p", "q"), zero, unit)

        return script

    def side(rows: bool) -> Script:
        def script(g: Goal) -> None:
            mark = g.assume()
            law = g.apply(laws[0 if rows else 1], "t")
            entry_of_flow(g, law, rows, "g(p,q)" if rows else "f(p,q)", weight(mark, rows))

        return script

    g.conj(side(True), side(False))


DIAGONAL = "(all i j:Z. P[i,j] = 1 <=> i = j and 1 <= i and i <= d)"
SCALAR = "((A(t) @ B(t))[i,i] - M[i,i])"


DECOUPLED_PAIRS = f"""all d:Z, n:R, P M:M(d,d). 1 <= d => 0 < n => {PATTERN} => {DIAGONAL} =>
       (all A B:R~>M(d,d). {FLOW} => all t:R, i l:Z. 0 <= t and 1 <= i and i <= d and 1 <= l and l <= d =>
         A'(t)[i,l] = -2/n*{SCALAR}*B(t)[l,i] and B'(t)[l,i] = -2/n*{SCALAR}*A(t)[i,l]) and
       (all A B:M(d,d). (all i:Z. 1 <= i and i <= d => (A @ B)[i,i] = M[i,i] or (all l:Z. A[i,l] = 0 and B[l,i] = 0)) =>
         had(P, A @ B - M) @ T(B) = O(d,d) and T(A) @ had(P, A @ B - M) = O(d,d))"""


@part(
    SEQUENTIAL,
    "decoupled-pairs",
    DECOUPLED_PAIRS,
    says="each diagonal entry has a row of A and a column of B of its own; the points where some entries are learned and the other pairs are 0 are"
    " critical",
)
def diagonal_entries_move_by_themselves(g: Goal) -> None:
    """Only the diagonal term of each sum is left."""
    g.fix()
    g.assume()
    g.assume()
    binary, diagonal = g.assume(), g.assume()

    def off(g: Goal) -> None:
        g.fix("i", "j")
        ne = g.assume()

        def seen(g: Goal) -> None:
            one = last(g)
            eq = g.split(g.apply(g.split(g.apply(diagonal, "i", "j"))[0], by=[lambda g: g.close_by(one)], n=1))[0]
            g.clash(eq, ne)

        g.cases(g.apply(binary, "i", "j"), lambda g: g.close_by(last(g)), seen)

    zero = g.have("all i j:Z. i != j => P[i,j] = 0", off)

    def one(g: Goal) -> str:
        back = g.split(g.apply(diagonal, "i", "i"))[1]
        return g.apply(back, by=[lambda g: g.conj(lambda g: g.refl(), None, None)])

    def line(g: Goal, a: str, b: str, rows: bool) -> str:
        """The entry of the product with the residual has one term."""
        residual = f"had(P, {a} @ {b} - M)"
        left = ("d", "d", "d", residual, f"T({b})") if rows else ("d", "d", "d", f"T({a})", residual)
        m = g.apply(g.fact("mm_entry", *left), *(("i", "l") if rows else ("l", "i")))
        at, factor = ("[i,q]", f"{b}[l,q]") if rows else ("[q,i]", f"{a}[q,l]")

        def others(g: Goal) -> None:
            g.fix("q")
            g.split(g.assume())
            ne = g.assume()

            def back(g: Goal) -> None:
                eq = g.contra()
                g.clash(g.have("q = i", lambda g: g.field((eq, -1))), ne)

            if rows:
                g.have("i != q", back)
            z = g.apply(zero, *(("i", "q") if rows else ("q", "i")))
            g.field((z, f"({a} @ {b} - M){at}*{factor}"))

        s = g.by_fact("sum_delta", 1, "d", "i", f"lam q:Z. {residual}{at}*{factor}", by=[None, None, others])
        p = one(g)
        scalar = f"(({a} @ {b})[i,i] - M[i,i])"
        other = f"{b}[l,i]" if rows else f"{a}[i,l]"
        entry = f"({residual} @ T({b}))[i,l]" if rows else f"(T({a}) @ {residual})[l,i]"
        return g.have(f"{entry} = {scalar}*{other}", lambda g: g.field((m, 1), (s, 1), (p, f"{scalar}*{other}")))

    def flow(g: Goal) -> None:
        g.fix("A", "B")
        laws = g.split(g.assume())
        g.fix("t", "i", "l")
        g.split(g.assume())

        def side(rows: bool) -> Script:
            def script(g: Goal) -> None:
                law = g.apply(laws[0 if rows else 1], "t")
                e = line(g, "A(t)", "B(t)", rows)
                g.rewrite(law)
                g.field((e, "-2/n"))

            return script

        g.conj(side(True), side(False))

    def critical(g: Goal) -> None:
        g.fix("A", "B")
        points = g.assume()

        def side(rows: bool) -> Script:
            def script(g: Goal) -> None:
                g.extn(*(("i", "l") if rows else ("l", "i")))
                e = line(g, "A", "B", rows)
                other = "B[l,i]" if rows else "A[i,l]"

                def learned(g: Goal) -> None:
                    g.field((e, 1), (last(g), other))

                def flat(g: Goal) -> None:
                    h = g.split(g.apply(last(g), "l"))[1 if rows else 0]
                    g.field((e, 1), (h, "(A @ B)[i,i] - M[i,i]"))

                g.cases(g.apply(points, "i"), learned, flat)

            return script

        g.conj(side(True), side(False))

    g.conj(flow, critical)
