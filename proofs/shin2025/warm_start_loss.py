"""Appendix G.2.1: the derivative of the loss, (55) and (61) to (66), and the loss bound of Theorem 6."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import (
    CORE,
    PAPER,
    claim,
    counterexample,
    enter,
    entries,
    functions,
    loss,
    of_flow,
    of_reduced,
    rates,
    residual,
)
from proofs.shin2025.warm_start_lemmas import NON_INCREASING, W11, W12, W22
from proofs.shin2025.warm_start_symmetry import A21, A22
from verify.kernel import Goal
from verify.registry import amendment, part, refuted

G, SLOPE = residual("t"), f"D(t, {loss('t')}, t)"
R11, R12, R22 = f"({W11} - w)", f"({W12} - v)", f"({W22} - w)"
ROW2 = f"({A21}^2 + {A22}^2)"
USES = [f"{PAPER}.lemma-19", CORE]


def psd(m: str, z: str = "z") -> str:
    """Positive semidefinite: symmetric, with nonnegative quadratic form."""
    return f"(T({m}) = {m} and all {z}:V(2). 0 <= (T({z}) @ ({m}) @ {z})[1,1])"


def times(*factors: str) -> str:
    return "(" + " @ ".join(factors) + ")"


# ---------------------------------------------------------------- the chain (55)

CHAIN = f"""all t:R. 0 <= t => {SLOPE} = tr(T({G}) @ D(u, A(u) @ B(u), t)) and
   tr(T({G}) @ D(u, A(u) @ B(u), t)) = tr(T({G}) @ (A'(t) @ B(t) + A(t) @ B'(t))) and
   tr(T({G}) @ (A'(t) @ B(t) + A(t) @ B'(t))) = tr(T({G}) @ A'(t) @ B(t)) + tr(T({G}) @ A(t) @ B'(t)) and
   tr(T({G}) @ A'(t) @ B(t)) + tr(T({G}) @ A(t) @ B'(t)) = -tr(T({G}) @ {G} @ T(B(t)) @ B(t)) - tr(T({G}) @ {{0}} @ {G})"""


def along(g: Goal, hs: list[str], t: str, w: str = "w", v: str = "v") -> tuple[list[str], list[str], str]:
    """p, q, r, s for a flow at hand: the equations at time t, the hypotheses of `REDUCED`, and the one that says `ENTRIES`."""
    red, ent = functions(g, hs, w, v)
    return entries(g, ent, t) + rates(g, red[6], t), red, ent


def later(g: Goal, red: list[str], t: str) -> tuple[str, str, str]:
    """x, f, g > 0 at a time t > 0 of the flow with w = v = 1."""
    x, f, c = g.split_all(g.apply(of_reduced(g, red, "signs", "1", "1"), t))
    return x, f, c


@refuted(
    f"{PAPER}.proof-step-loss-derivative-trace",
    claim(CHAIN.format("T(B(t)) @ B(t)")),
    uses=[*USES, f"{PAPER}.eq-g2-flow"],
    argument="fails",
    reason=(
        "The last trace must be that of G^T A A^T G. At every t > T_1 (w* = w12* = 1) the two differ by "
        "(|row 1 of A|^2 - |row 2 of A|^2) f^2 > 0, "
        "f = w12* - w12."
    ),
)
def the_second_trace_is_another(g: Goal) -> None:
    """One unit of time after T_1, for w* = w12* = 1: |row 1|^2 - |row 2|^2 >= 2 (w11 - w*) > 0 and f > 0."""

    def fails(g: Goal, hs: list[str]) -> None:
        g.witness("1")
        e, red, _ = along(g, hs, "1", "1", "1")
        x, f, _ = later(g, red, "1")
        small, _ = g.split_all(g.apply(of_reduced(g, red, "rows", "1", "1"), "1"))

        def last(g: Goal) -> None:
            g.left_or_right(3)
            k = g.contra()
            gap = g.have(
                "0 < p(1)^2 + q(1)^2 - r(1)^2 - s(1)^2",
                lambda g: g.pos(["(p(1) - s(1))^2"], ["(q(1) - r(1))^2"], ["2", "@" + x], ["2", "@" + small]),
            )
            g.pos(["@" + gap, "@" + f, "@" + f], eqs=[(k, "1")], rw=e)

        g.conj(None, last)

    counterexample(g, fails)


def chain(g: Goal) -> None:
    """Close the corrected chain at time t."""
    hs = g.intro()
    a, b = g.split_all(g.apply(hs[4], "t"))

    def slope(g: Goal) -> None:
        g.field()

    def last(g: Goal) -> None:
        g.rewrite(a)
        g.rewrite(b)
        g.field()

    g.conj(slope, lambda g: g.field(), lambda g: g.field(), last)


@amendment(
    f"{PAPER}.proof-step-loss-derivative-trace", claim(CHAIN.format("A(t) @ T(A(t))")), says="With A A^T in the last trace."
)
def derivative_of_the_loss_by_traces(g: Goal) -> None:
    """The chain rule, and the flow equation put in."""
    chain(g)


L1, L2 = times(G, "T(B(t))", "B(t)", G), times(G, "A(t)", "T(A(t))", G)
M1, M2 = times(G, "T(B(t))", "B(t)", f"T({G})"), times(f"T({G})", "A(t)", "T(A(t))", G)
TRACES = "all t:R. 0 <= t => {0} = -tr({1}) - tr({2})"


@refuted(
    f"{PAPER}.eq-55",
    claim(TRACES.format(SLOPE, L1, L2)),
    uses=[f"{PAPER}.lemma-19", f"{PAPER}.eq-g2-flow"],
    argument="fails",
    reason=(
        "The gradient is not symmetric: at T_1 with w* = w12* = 1 the slope of the loss is -2, while both printed traces are 0."
    ),
)
def the_transposes_are_missing(g: Goal) -> None:
    """At the start with w* = w12* = 1: G = -e1 e2^T, G G = 0, and the loss has slope -2."""

    def fails(g: Goal, hs: list[str]) -> None:
        g.witness("0")
        e, red, _ = along(g, hs, "0", "1", "1")
        g.conj(None, lambda g: g.field(rw=e + red[2:6]))

    counterexample(g, fails)


@amendment(
    f"{PAPER}.eq-55",
    claim(TRACES.format(SLOPE, M1, M2)),
    says="With L_1 = G B^T B G^T and L_2 = G^T A A^T G.",
    uses=[f"{PAPER}.lemma-19"],
)
def derivative_of_the_loss(g: Goal) -> None:
    """Entry by entry."""
    _, red, ent = enter(g)
    g.field(rw=entries(g, ent, "t") + rates(g, red[6], "t"))


FORMS = "(all t:R. 0 <= t => {0} and {1}) and " + NON_INCREASING


@refuted(
    f"{PAPER}.assertion-loss-monotone",
    claim(FORMS.format(psd(L1), psd(L2))),
    uses=[*USES, f"{PAPER}.eq-g2-flow"],
    argument="repaired",
    reading="L_1 and L_2 as (55) prints them.",
    readings=[
        ("L_1 = G B^T B G^T and L_2 = G^T A A^T G, as they are expanded in G.2.1", "holds", "expanded"),
        ("only that the loss does not increase", "holds", "monotone"),
    ],
    reason=(
        "L_1 as printed in (55) is no positive semidefinite matrix: its entry (1,1) is x ((a21^2 + a22^2) x "
        "- f g), negative just after T_1. "
        "The loss is non-increasing."
    ),
)
def l1_as_printed_is_indefinite(g: Goal) -> None:
    """f g - (a21^2 + a22^2) x vanishes at the start with slope w* w12*^2 > 0, so it is positive just after it (w* = w12* = 1)."""

    def fails(g: Goal, hs: list[str]) -> None:
        red, ent = functions(g, hs, "1", "1")
        gap = "((1 - 2*p(t)*q(t))*(p(t)*r(t) + q(t)*s(t)) - (r(t)^2 + s(t)^2)*(p(t)*s(t) + q(t)*r(t) - 1))"
        up = g.by_fact(
            "derivative_sign_right",
            "0",
            f"lam t:R. {gap}",
            by=[None, lambda g: g.pos(["1"], rw=rates(g, red[6], "0") + red[2:6])],
        )
        near = g.obtain(up, "e")
        g.have("0 <= e")
        h = g.apply(near[1], "e")
        x, _, _ = later(g, red, "e")
        g.left_or_right(0)
        g.witness("e")

        def forms(g: Goal) -> None:
            g.left_or_right(0)
            g.left_or_right(1)
            g.witness("[[1],[0]]")
            g.pos(["@" + x, "@" + h], rw=entries(g, ent, "e") + red[2:6])

        g.conj(None, forms)

    counterexample(g, fails)


@part(f"{PAPER}.assertion-loss-monotone", "expanded", claim(FORMS.format(psd(M1), psd(M2))), says="The reading of G.2.1.")
@amendment(
    f"{PAPER}.assertion-loss-monotone",
    claim(FORMS.format(psd(M1), psd(M2))),
    says="With L_1 = G B^T B G^T and L_2 = G^T A A^T G.",
)
def corrected_forms_are_semidefinite(g: Goal) -> None:
    """The quadratic forms are |B G^T z|^2 and |A^T G z|^2; the loss has derivative -2 (a11'^2 + ... + a22'^2)."""
    hs = g.intro()
    monotone = of_flow(g, hs, "assertion-loss-monotone", "part:monotone")

    def form(g: Goal, vector: str) -> None:
        def square(g: Goal) -> None:
            g.intro()
            g.pos(*[[f"(({vector})[{i},1])^2"] for i in (1, 2)])

        g.conj(lambda g: g.nc(), square)

    def forms(g: Goal) -> None:
        g.intro()
        g.conj(lambda g: form(g, f"B(t) @ T({G}) @ z"), lambda g: form(g, f"T(A(t)) @ {G} @ z"))

    g.conj(forms, lambda g: g.close_by(monotone))
