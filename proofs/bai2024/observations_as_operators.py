"""Section 6.2: the observations of the examples as matrices and as an operator: commutators, restricted isometry."""

from __future__ import annotations

from proofs.bai2024.components import CLAIM as THEOREM_4
from proofs.bai2024.examples import P2, P3, V2
from proofs.bai2024.graphs import by_values
from proofs.bai2024.literal_patterns import binary, rectangles, within
from proofs.bai2024.minimum_nuclear_norm import FLOWS, LIMITS, STARTS, least_norm
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

FIRST, SECOND = "[[1,0,0],[0,0,0],[0,0,0]]", "[[0,1,0],[0,0,0],[0,0,0]]"


def embedded(i: int, j: int) -> str:
    """The symmetric 6 x 6 matrix (1/2) [0, E_ij; E_ij^T, 0]."""
    rows = [["1/2" if {(r, c), (c, r)} & {(i, 3 + j)} else "0" for c in range(1, 7)] for r in range(1, 7)]
    return "[" + ",".join("[" + ",".join(r) + "]" for r in rows) + "]"


S11, S12 = embedded(1, 1), embedded(1, 2)
NOT_COMMUTING = f"{P2}[1,1] = 1 and {P2}[1,2] = 1 and {FIRST} @ {SECOND} != {SECOND} @ {FIRST} and {S11} @ {S12} != {S12} @ {S11}"


def example(text: str) -> str:
    """A text about d, P, M of Theorem 4, for M_2."""
    return text.replace("P[", f"{P2}[").replace("had(P,", f"had({P2},").replace("- M)", f"- {V2})").replace("= M[", f"= {V2}[")


def flows_of_the_second_example() -> str:
    """The flows of Theorem 4 for M_2."""
    return example(FLOWS)


LEARNED = f"""(all n:R, X Y W:M(3,3), A B:(R,R)~>M(3,3), L:R->M(3,3). n = 5 => rank(X @ Y) = 3 => {example(FLOWS)} => {STARTS} =>
       {example(LIMITS).replace("M(d,d)", "M(3,3)")})"""


def members(g: Goal) -> str:
    """Adds: an entry 1 of P_2 has its place in the corner or at (3, 3)."""

    def place(g: Goal) -> None:
        g.fix("i", "j")
        one = g.assume()
        within(g, P2, 3, "i", "j", one)

        def row(g: Goal, u: int) -> None:
            hi = last(g)

            def column(g: Goal, v: int) -> None:
                hj = last(g)
                if (u <= 2) == (v <= 2):
                    g.rewrite(hi)
                    g.rewrite(hj)
                    g.left_or_right(0 if u <= 2 else 1)
                    g.auto()
                else:
                    z = g.have(f"{P2}[i,j] = 0", lambda g: (g.rewrite(hi), g.rewrite(hj), g.field())[-1])
                    g.contra()
                    g.pos([], eqs=[(one, 1), (z, -1)])

            by_values(g, "j", 1, 3, column)

        by_values(g, "i", 1, 3, row)

    return g.have(f"all i j:Z. {P2}[i,j] = 1 => (1 <= i and i <= 2 and 1 <= j and j <= 2) or (i = 3 and j = 3)", place)


@holds(
    "bai2024.assertion-m2-not-commutative",
    f"{NOT_COMMUTING} and {LEARNED}",
    uses=[THEOREM_4],
    reading="the observation matrices E_11 and E_12 do not commute, nor do their symmetric embeddings; the model still learns a completion"
    " of least nuclear norm in the sense of Theorem 4 (both factors scaled; the limits exist and fit the data)",
    context="the hypotheses on the limits [Theorem 4]",
)
def observations_do_not_commute_but_the_norm_is_least(g: Goal) -> None:
    """E_11 E_12 = E_12 and E_12 E_11 = 0; Theorem 4 for M_2."""

    def differ(i: int, j: int, value: str) -> Script:
        def script(g: Goal) -> None:
            eq = g.contra()
            left, right = g.hyp_formula(eq)[1:]
            k = g.have(("=", ("entry", left, i, j), ("entry", right, i, j)), lambda g: (g.rewrite(eq), g.refl())[-1])
            g.pos([], eqs=[(k, value)])

        return script

    def learned(g: Goal) -> None:
        g.fix()
        names = ["count", "full", "flows", "starts", "final", "small", "fits"]
        for name in names:
            g.assume(name)
        bits, corners = binary(g, P2, 3), rectangles(g, P2, 3)
        positive = g.have("0 < n")
        least_norm(g, corners, [bits, positive, *names[2:]], "3", "n", P2, V2, "X", "Y", "W", "A", "B", "L")

    g.conj(lambda g: g.field(), lambda g: g.field(), differ(1, 2, "-1"), differ(4, 5, "-4"), learned)


KERNEL = "[[0,0,1],[0,0,0],[0,0,0]]"
NO_ISOMETRY = f"""rank({KERNEL}) = 1 and (all c e:R. 0 < c => e < 1 =>
        not ((1 - e)*tr(T({KERNEL}) @ {KERNEL}) <= c*tr(T(had({P3}, {KERNEL})) @ had({P3}, {KERNEL}))))"""


@part(
    "bai2024.assertion-m3-not-rip",
    "no-isometry",
    NO_ISOMETRY,
    says="e_1 e_3^T has rank 1 and is not seen by the observations of M_3: no rescaling c of the operator satisfies the lower bound of the"
    " restricted isometry property with a constant below 1.",
)
def an_unobserved_unit_matrix(g: Goal) -> None:
    """The masked matrix is 0."""

    def bound(g: Goal) -> None:
        g.fix("c", "e")
        g.assume()
        small = g.assume()
        h = g.assume()
        g.pos([f"@{h}"], [f"@{small}"])

    g.conj(lambda g: g.compute(), bound)
