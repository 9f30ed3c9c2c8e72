"""Section 4: what is learned for M_2 has the least nuclear norm of all completions, but not the least rank."""

from __future__ import annotations

from proofs.bai2024.components import CLAIM as THEOREM_4
from proofs.bai2024.examples import P2, V2
from proofs.bai2024.graphs import by_values
from proofs.bai2024.limits_of_factors import CLAIM, FLOWS, LIMITS, of_limit
from proofs.bai2024.literal_patterns import binary, rectangles
from proofs.bai2024.minimum_nuclear_norm import STARTS, least_norm
from proofs.bai2024.observations_as_operators import members
from proofs.bai2024.regular_limits import COLUMN, CROSS, LAST, NORMAL, TOP, first_rows
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

FITS = f"(all i j:Z. {P2}[i,j] = 1 => {{}}[i,j] = {V2}[i,j])"
GIVEN = f"""n = 5 => rank(X @ Y) = 3 => {FLOWS} => {STARTS} => (all al t:R. 0 < al => 0 <= t => {TOP} @ A(al,t) = U(al,t)) =>
       (all al:R. 0 < al => {TOP} @ Ai(al) = Ui(al)) => {TOP} @ Ah = Uh =>
       {LIMITS} => {FITS.format("(Ah @ Bh)")} =>
       (z @ (T({LAST} @ X) + Y @ {COLUMN}))[1,1] != 0 =>"""
NAMES = ["count", "full", "flows", "starts", "top", "top_limit", "top_end", "limits", "a_end", "b_end", "fits", "generic"]


@holds(
    CLAIM,
    f"""all U:(R,R)->M(2,3), Ui:R->M(2,3), Uh:M(2,3). ex z:M(1,3). z != O(1,3) and
       all n:R, X Y Ah Bh:M(3,3), A B:(R,R)~>M(3,3), Ai Bi:R->M(3,3). {GIVEN}
       (all V:M(3,3). {FITS.format("V")} => nuc(Ah @ Bh) <= nuc(V)) and
       (ex V:M(3,3). {FITS.format("V")} and rank(V) < rank(Ah @ Bh))""",
    uses=[THEOREM_4],
    reading="learned from small initialisation: both factors scaled by alpha^(1/2), their limits for t -> infinity and then alpha -> 0 exist"
    " and fit the data. Generic: for every course U of the first two rows of A there is a plane (normal to z) such that the assertion holds"
    " whenever the third row of X plus the transposed third column of Y is not in it; the first two rows do not depend on these, as the"
    " components evolve independently. The least rank is 2, the learned one 3",
    context="the limit fits the data [Theorem 4 (d)]; starts outside a null set [generic start, Section 4]",
    added="the limits of both factors, for t to infinity and then alpha to 0, exist (Theorem 4 assumes those of the product)",
)
def least_norm_but_not_least_rank(g: Goal) -> None:
    """The norm by Theorem 4. z is the cross product of the first two rows of the limit. Were the limit singular, a vector in the kernel
    of A, which is a multiple of z, would by the balance A^T A = B B^T be in that of B^T. The sum of the third row of A and the third
    column of B is a multiple of that at the start, so it would be 0, against w33 = 5."""
    g.fix()

    def usual(g: Goal) -> None:
        g.witness(CROSS)
        g.conj(lambda g: g.close_by("flat"), lambda g: learned(g, True))

    def degenerate(g: Goal) -> None:
        g.witness("[[1,0,0]]")

        def unit(g: Goal) -> None:
            eq = g.contra()
            k = g.have("[[1,0,0]][1,1] = O(1,3)[1,1]", lambda g: (g.rewrite(eq), g.refl())[-1])
            g.pos([], eqs=[(k, -1)])

        g.conj(unit, lambda g: learned(g, False))

    def learned(g: Goal, regular: bool) -> None:
        g.fix()
        for name in NAMES:
            g.assume(name)

        def minimal(g: Goal) -> None:
            bits, corners = binary(g, P2, 3), rectangles(g, P2, 3)
            positive = g.have("0 < n")

            def final(g: Goal) -> None:
                g.fix("al")
                g.assume()
                one, two = g.split(g.apply("limits", "al"))
                g.close_by(
                    g.by_fact(
                        "tends_matrix_mul",
                        3,
                        3,
                        3,
                        "Ai(al)",
                        "Bi(al)",
                        "lam t:R. A(al,t)",
                        "lam t:R. B(al,t)",
                        by=[lambda g: g.close_by(one), lambda g: g.close_by(two)],
                    )
                )

            last_limit = g.by_fact(
                "tends_matrix_mul",
                3,
                3,
                3,
                "Ah",
                "Bh",
                "lam s:R. Ai(1/s)",
                "lam s:R. Bi(1/s)",
                by=[lambda g: g.close_by("a_end"), lambda g: g.close_by("b_end")],
            )
            products = g.have("all al:R. 0 < al => tends(t, A(al,t) @ B(al,t), Ai(al) @ Bi(al))", final)
            given = [bits, positive, "flows", "starts", products, last_limit, "fits"]
            terms = ["3", "n", P2, V2, "X", "Y", "Ah @ Bh", "A", "B", "lam al:R. Ai(al) @ Bi(al)"]
            least_norm(g, corners, given, *terms)

        def rank(g: Goal) -> None:
            other = "[[1,2,5],[3,4,5],[1,2,5]]"
            low = g.have(f"rank({other}) = 2", lambda g: g.compute())
            places = members(g)

            def fitting(g: Goal) -> None:
                g.fix("i", "j")
                one = g.assume()
                place = g.apply(places, "i", "j", by=[lambda g: g.close_by(one)])

                def corner(g: Goal) -> None:
                    g.split(last(g))

                    def row(g: Goal, u: int) -> None:
                        hi = last(g)

                        def column(g: Goal, v: int) -> None:
                            hj = last(g)
                            g.rewrite(hi)
                            g.rewrite(hj)
                            g.field()

                        by_values(g, "j", 1, 2, column)

                    by_values(g, "i", 1, 2, row)

                def end(g: Goal) -> None:
                    hi, hj = g.split(last(g))
                    g.rewrite(hi)
                    g.rewrite(hj)
                    g.field()

                g.cases(place, corner, end)

            det = g.have("det(Ah @ Bh) != 0", lambda g: invertible(g) if regular else flat(g))
            back = g.split(g.apply(g.fact("rank_full", 3, "Ah @ Bh")))[1]
            three = g.apply(back, by=[lambda g: g.close_by(det)])
            g.witness(other)
            g.conj(fitting, lambda g: smaller(g, low, three))

        g.conj(minimal, rank)

    def smaller(g: Goal, low: str, three: str) -> None:
        g.rewrite(low)
        g.rewrite(three)
        g.pos(["1"])

    def entries(g: Goal) -> dict[tuple[int, int], str]:
        """The entries of the corner of the limit, and that at (3, 3)."""
        out = {}
        for i, j in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 3)):
            one = g.have(f"{P2}[{i},{j}] = 1", lambda g: g.field())
            out[i, j] = g.apply("fits", i, j, by=[lambda g, one=one: g.close_by(one)])  # type: ignore[misc]
        return out

    def flat(g: Goal) -> None:
        """If the cross product of the rows is 0, the corner of the limit would be singular (Cauchy-Binet)."""
        fit, top = entries(g), first_rows(g)
        zeros = [
            g.have(f"{part_} = 0", lambda g, i=i: zero_entry(g, i))  # type: ignore[misc]
            for i, part_ in enumerate(NORMAL)
        ]
        x = {(i, j): f"(Ah @ Bh)[{i},{j}]" for i in (1, 2) for j in (1, 2)}
        det = g.have(f"{x[1, 1]}*{x[2, 2]} - {x[1, 2]}*{x[2, 1]} = 0", lambda g: binet(g, zeros, top))
        g.contra()
        g.pos(
            [],
            eqs=[
                (det, "1/2"),
                (fit[1, 1], f"-1/2*{x[2, 2]}"),
                (fit[2, 2], "-1/2"),
                (fit[1, 2], f"1/2*{x[2, 1]}"),
                (fit[2, 1], "1"),
            ],
        )

    def zero_entry(g: Goal, i: int) -> None:
        k = g.have(f"({CROSS})[1,{i + 1}] = O(1,3)[1,{i + 1}]", lambda g: (g.rewrite("flat"), g.refl())[-1])
        g.field((k, 1))

    def binet(g: Goal, zeros: list[str], top: dict[tuple[int, int], str]) -> None:
        b = {(i, j): f"Bh[{i},{j}]" for i in (1, 2, 3) for j in (1, 2)}
        minors = [
            f"{b[2, 1]}*{b[3, 2]} - {b[3, 1]}*{b[2, 2]}",
            f"{b[3, 1]}*{b[1, 2]} - {b[1, 1]}*{b[3, 2]}",
            f"{b[1, 1]}*{b[2, 2]} - {b[2, 1]}*{b[1, 2]}",
        ]
        g.field(*zip(zeros, minors, strict=True), rw=list(top.values()))

    def invertible(g: Goal) -> None:
        fit = entries(g)
        balance, direction = of_limit(g, "balance-of-the-limit"), of_limit(g, "direction-of-the-limit")
        value = g.have("(Ah @ Bh)[3,3] = 5", lambda g: g.field((fit[3, 3], 1)))
        by: list[Script | None] = [
            lambda g, h=h: g.close_by(h) for h in ("top_end", "flat", balance, direction, value, "generic")
        ]  # type: ignore[misc]
        g.close_by(g.lemma(CLAIM, "part:regular-limit", "Uh", "X", "Y", "Ah", "Bh", by=by))

    g.em(f"{CROSS} = O(1,3)", degenerate, usual, name="flat")
