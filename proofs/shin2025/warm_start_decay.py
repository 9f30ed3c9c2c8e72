"""Appendix G.2.1: the expansions of L_1 and L_2, the bounds (61) to (65), Lemmas 23 and 24, the loss bound (66) of Theorem 6."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.warm_start_flow import (
    PAPER,
    claim,
    enter,
    entries,
    loss,
    of_reduced,
)
from proofs.shin2025.warm_start_lemmas import known
from proofs.shin2025.warm_start_loss import R11, R12, R22, ROW2, SLOPE, USES, G, psd, times
from proofs.shin2025.warm_start_symmetry import A11, A12, A21, A22, INNER, NORM, ROW
from verify.kernel import Goal
from verify.registry import holds, part

LEFT, RIGHT = f"[[{R11}, {R12}], [0, {R22}]]", f"[[{R11}, 0], [{R12}, {R22}]]"
FORM1, FORM2 = f"[[{ROW2}, {INNER}], [{INNER}, {ROW}]]", f"[[{ROW}, {INNER}], [{INNER}, {ROW2}]]"
X11, X22 = f"{R11}^2*{ROW2} + 2*{R11}*{R12}*{INNER} + {R12}^2*{ROW}", f"{R12}^2*{ROW} + 2*{R12}*{R22}*{INNER} + {R22}^2*{ROW2}"


def at_t(script: Callable[[Goal, list[str], dict[str, str], list[str]], None]) -> Callable[[Goal], None]:
    """A script that works at the time t of the setting: it gets the equations into p, q, r, s, the bounds by name and
    the hypotheses."""

    def run(g: Goal) -> None:
        hs, red, ent = enter(g)
        e, b = known(g, red, ent, "t")
        small, large = g.split_all(g.apply(of_reduced(g, red, "rows"), "t"))
        script(g, e, {**b, "row2": small, "row1": large, "w": red[0], "v": red[1]}, hs)

    return run


@holds(
    f"{PAPER}.eq-l1-expansion",
    claim(f"""all t:R. 0 <= t => T(B(t)) @ B(t) = {FORM1} and {times(G, "T(B(t))", "B(t)", f"T({G})")} =
        {times(LEFT, FORM1, RIGHT)} and
      ex c:R. {times(LEFT, FORM1, RIGHT)} = [[{X11}, c], [c, {R22}^2*{ROW}]]"""),
    uses=[f"{PAPER}.lemma-19"],
    argument="sound",
    reading="L_1 is G B^T B G^T, as the displayed product has it ((55) prints it without the transposition, see eq-55).",
)
def expansion_of_l1(g: Goal) -> None:
    """Entry by entry."""
    expand(g, times(LEFT, FORM1, RIGHT))


@holds(
    f"{PAPER}.eq-l2-expansion",
    claim(f"""all t:R. 0 <= t => A(t) @ T(A(t)) = {FORM2} and {times(f"T({G})", "A(t)", "T(A(t))", G)} =
        {times(RIGHT, FORM2, LEFT)} and
      ex c:R. {times(RIGHT, FORM2, LEFT)} = [[{R11}^2*{ROW}, c], [c, {X22}]]"""),
    uses=[f"{PAPER}.lemma-19"],
    argument="sound",
    reading="L_2 is G^T A A^T G, as the displayed product has it ((55) prints it without the transposition, see eq-55).",
)
def expansion_of_l2(g: Goal) -> None:
    """Entry by entry."""
    expand(g, times(RIGHT, FORM2, LEFT))


def expand(g: Goal, whole: str) -> None:
    """Close the three parts of an expansion; the off-diagonal entry is read off."""
    _, _, ent = enter(g)
    e = entries(g, ent, "t")

    def matrix(g: Goal) -> None:
        g.ext(lambda g: g.field(rw=e))

    def corner(g: Goal) -> None:
        g.witness(f"{whole}[1,2]")
        matrix(g)

    g.conj(matrix, matrix, corner)


E1, E2 = "(r(t)*x - p(t)*f)^2", "(s(t)*x - q(t)*f)^2"
XT, FT = "(p(t)*s(t) + q(t)*r(t) - w)", "(v - 2*p(t)*q(t))"
FORM = [E1.replace("x", XT).replace("f", FT), E2.replace("x", XT).replace("f", FT)]
P1, P2 = "(p(t)^2 + q(t)^2)", "(r(t)^2 + s(t)^2)"


@holds(
    f"{PAPER}.eq-61",
    claim(f"""all t:R. 0 <= t => {SLOPE} = -{R11}^2*{NORM} - 2*{R12}^2*{ROW} - {R22}^2*{NORM} - 2*{R12}*{R22}*{INNER} -
        2*{R11}*{R12}*{INNER} and
      {SLOPE} <= 0"""),
    uses=USES,
    argument="sound",
)
def slope_of_the_loss(g: Goal) -> None:
    """Expansion; minus the slope is 2 |row 1|^2 x^2 and four squares."""

    def script(g: Goal, e: list[str], b: dict[str, str], hs: list[str]) -> None:
        g.conj(lambda g: g.field(rw=e), lambda g: g.pos(["2", P1, f"{XT}^2"], *[["2", y] for y in FORM], rw=e))

    at_t(script)(g)


D1 = f"{R11}^2*{ROW2} + 2*{R11}*{R12}*{INNER} + {R12}^2*({A11}^2 + B(t)[1,2]^2)"


@holds(
    f"{PAPER}.proof-step-diag-psd",
    claim(f"""all t:R. 0 <= t => 0 <= {D1} and 0 <= {X22} and -2*{R11}*{R12}*{INNER} <= {R11}^2*{ROW2} + {R12}^2*{ROW} and
      -2*{R12}*{R22}*{INNER} <= {R12}^2*{ROW} + {R22}^2*{ROW2}"""),
    uses=USES,
    argument="sound",
)
def diagonal_entries_are_nonnegative(g: Goal) -> None:
    """Each is a sum of two squares."""

    def script(g: Goal, e: list[str], b: dict[str, str], hs: list[str]) -> None:
        g.conj(*[lambda g: g.pos(*[[y] for y in FORM], rw=e)] * 4)

    at_t(script)(g)


@holds(f"{PAPER}.eq-62", claim(f"all t:R. 0 <= t => {SLOPE} <= -{R11}^2*{ROW} - {R22}^2*{ROW}"), uses=USES, argument="sound")
def first_bound_of_the_slope(g: Goal) -> None:
    """The gap is twice the sum of two squares."""

    def script(g: Goal, e: list[str], b: dict[str, str], hs: list[str]) -> None:
        g.pos(*[["2", y] for y in FORM], rw=e)

    at_t(script)(g)


PAIRS = "A(t)[1,1] = B(t)[2,2] and A(t)[1,2] = B(t)[1,2] and A(t)[2,1] = B(t)[2,1] and A(t)[2,2] = B(t)[1,1]"


@holds(
    f"{PAPER}.assertion-62-insufficient",
    f"""all w v:R. 0 < w => 0 < v => ex A B:R~>M(2,2). A(0) = sqrt(w)*I(2) and B(0) = sqrt(w)*I(2) and
      (all t:R. 0 <= t => {PAIRS} and {A11}^2 + {A21}^2 = {A12}^2 + {A22}^2 and {SLOPE} <= -{R11}^2*{ROW} - {R22}^2*{ROW}) and
      not tends(t, {loss("t")}, 0)""",
    argument="sound",
    reading="There are curves from (45) with (50), (54) and (62) whose loss does not tend to 0.",
)
def the_bound_alone_does_not_suffice(g: Goal) -> None:
    """Standing still at the start: r11 = r22 = 0, the loss keeps the value w12*^2/2."""
    g.intro()
    root = g.by_fact("sqrt_sq", "w")
    g.witness("lam t:R. sqrt(w)*I(2)", "lam t:R. sqrt(w)*I(2)")

    def curve(g: Goal) -> None:
        g.intro()
        g.conj(*[lambda g: g.field()] * 5, lambda g: g.pos(["4*w*(sqrt(w)^2 - w)^2"], eqs=[(root, "0")]))

    def limit(g: Goal) -> None:
        g.assume()
        value = (
            "((((sqrt(w)*I(2)) @ (sqrt(w)*I(2)))[1,1] - w)^2 + (((sqrt(w)*I(2)) @ (sqrt(w)*I(2)))[1,2] - v)^2 + "
            "(((sqrt(w)*I(2)) @ (sqrt(w)*I(2)))[2,2] - w)^2)/2"
        )
        k = g.by_fact(
            "tends_unique", "0", value, f"lam t:R. {value}", by=[None, lambda g: g.close_by(g.fact("tends_const", value))]
        )
        g.pos(["v", "v"], eqs=[(k, "2"), (root, "0")])

    g.conj(None, None, curve, limit)


@holds(
    f"{PAPER}.assertion-psd-condition",
    f"""all K:M(2,2). T(K) = K => ((all Q:M(2,2). {psd("Q @ K @ T(Q)")} and {psd("T(Q) @ K @ Q")}) <=> {psd("K")})""",
    argument="sound",
    reading="K >= 0 is what is needed for both products to be positive semidefinite, whatever Q is.",
    readings=[("for a fixed Q, K >= 0 is necessary", "refuted", "fixed-factor")],
)
def condition_for_semidefinite_products(g: Goal) -> None:
    """The forms of the products at z are the form of K at Q^T z and at Q z; conversely Q = I."""
    g.intro()
    sym = list(g.seq.hyps)[-1]

    def forward(g: Goal) -> None:
        h = g.assume()
        a = g.split_all(g.apply(h, "I(2)"))

        def form(g: Goal) -> None:
            g.intro()
            g.pos(["@" + g.apply(a[1], "z")])

        g.conj(lambda g: g.close_by(sym), form)

    def backward(g: Goal) -> None:
        _, h = g.split_all(g.assume())
        g.intro()

        def form(g: Goal, y: str) -> None:
            g.intro()
            g.pos(["@" + g.apply(h, y)])

        g.conj(
            lambda g: g.conj(lambda g: g.nc((sym, "1", "Q", "T(Q)")), lambda g: form(g, "T(Q) @ z")),
            lambda g: g.conj(lambda g: g.nc((sym, "1", "T(Q)", "Q")), lambda g: form(g, "Q @ z")),
        )

    g.iff(forward, backward)


@part(
    f"{PAPER}.assertion-psd-condition",
    "fixed-factor",
    f"ex K Q:M(2,2). T(K) = K and {psd('Q @ K @ T(Q)')} and {psd('T(Q) @ K @ Q')} and ex z:V(2). (T(z) @ K @ z)[1,1] < 0",
    says="With Q = 0 both products are positive semidefinite whatever K is.",
)
def zero_factor(g: Goal) -> None:
    """K = -I, Q = 0."""
    g.witness("-I(2)", "O(2,2)")

    def form(g: Goal) -> None:
        g.conj(lambda g: g.nc(), lambda g: (g.intro(), g.pos()))

    def negative(g: Goal) -> None:
        g.witness("[[1],[0]]")
        g.pos(["1"])

    g.conj(lambda g: g.nc(), form, form, negative)
