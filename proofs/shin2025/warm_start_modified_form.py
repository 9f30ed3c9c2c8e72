"""Appendix G.2.1, second half: the modified form with mu, (63) and (64)."""

from __future__ import annotations

from proofs.shin2025.warm_start_decay import FORM, FT, P2, XT, at_t
from proofs.shin2025.warm_start_flow import (
    PAPER,
    at,
    claim,
    counterexample,
    entries,
    functions,
    of_reduced,
)
from proofs.shin2025.warm_start_loss import R11, R12, R22, ROW2, SLOPE, USES, G, later, psd, times
from proofs.shin2025.warm_start_symmetry import A11, A12, A21, A22, INNER, ROW
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

SHIFTED = "(T(B(t)) @ B(t) - m*[[0,0],[0,1]])"
DETA2 = f"({A11}*{A22} - {A12}*{A21})^2"
ADMISSIBLE = f"m <= {DETA2}/{ROW2}"  # (63)
TILDE = times(G, SHIFTED, f"T({G})")
GAP = "(p(t)*s(t) - q(t)*r(t))^2 - (r(t)^2 + s(t)^2)*m"
CT = "(p(t)*r(t) + q(t)*s(t))"

Names = dict[str, str]


def admissible(g: Goal, e: list[str], h: str) -> str:
    """(63) without the quotient: m (a21^2 + a22^2) <= det A^2."""
    k = g.have(f"{ROW2}*m <= {DETA2}", lambda g: g.pos([ROW2, "@" + h]))
    return g.have(f"{P2}*m <= (p(t)*s(t) - q(t)*r(t))^2", lambda g: g.pos(["@" + k], rw=e))


def row_is_positive(g: Goal, e: list[str], a22: str) -> None:
    """Bring in a22 > 0 for the entry of A, so that quotients by a21^2 + a22^2 make sense."""
    g.have(f"0 < {A22}", lambda g: g.pos(["@" + a22], rw=e))


@holds(
    f"{PAPER}.eq-63",
    claim(f"""all t m:R. 0 <= t => det({SHIFTED}) = -{ROW2}*m + {DETA2} and
      (0 <= -{ROW2}*m + {DETA2} <=> {ADMISSIBLE}) and {DETA2}/{ROW2} = det(B(t))^2/{ROW2} and
      ({ADMISSIBLE} => {psd(SHIFTED)} and {psd(TILDE)})"""),
    uses=USES,
    argument="sound",
    reading="m is the value mu(t).",
)
def admissible_mu(g: Goal) -> None:
    """(a21^2 + a22^2) times the form at z is ((a21^2 + a22^2) z1 + g z2)^2 + (det A^2 - (a21^2 + a22^2) mu) z2^2."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        row_is_positive(g, e, b["a22"])

        def both(g: Goal) -> None:
            def forward(g: Goal) -> None:
                h = g.assume()
                g.pos(["@" + h], mul=[ROW2])

            def backward(g: Goal) -> None:
                h = admissible(g, e, g.assume())
                g.pos(["@" + h], rw=e)

            g.iff(forward, backward)

        def semidefinite(g: Goal) -> None:
            h = admissible(g, e, g.assume())

            def form(g: Goal, z1: str, z2: str) -> None:
                g.intro()
                g.pos([f"({P2}*({z1}) + {CT}*({z2}))^2"], [f"({z2})^2", "@" + h], mul=[P2], rw=e)

            def symmetric(g: Goal) -> None:
                g.ext(lambda g: g.field(rw=e))

            g.conj(
                lambda g: g.conj(symmetric, lambda g: form(g, "z[1,1]", "z[2,1]")),
                lambda g: g.conj(symmetric, lambda g: form(g, f"{XT}*z[1,1]", f"-{FT}*z[1,1] + {XT}*z[2,1]")),
            )

        g.conj(lambda g: g.field(rw=e), both, lambda g: g.field(rw=e), semidefinite)

    at_t(script)(g)


def tilde(corner: str) -> str:
    return claim(f"""all t m:R. 0 <= t => {ADMISSIBLE} => ex c:R. {TILDE} =
      [[{R11}^2*{ROW2} + 2*{R11}*{R12}*{INNER} + {R12}^2*({ROW} - m), c], [c, {R22}^2*({corner} - m)]]""")


@refuted(
    f"{PAPER}.eq-l1-tilde",
    tilde(f"({A12}^2 + {A22}^2)"),
    uses=[*USES, f"{PAPER}.eq-g2-flow"],
    argument="repaired",
    reason="The entry (2,2) is r22^2 (a11^2 + a12^2 - mu); at every t > T_1 (w* = w12* = 1) a11 > a22 and r22 > 0.",
)
def corner_of_the_modified_form_is_misprinted(g: Goal) -> None:
    """One unit of time after T_1 for w* = w12* = 1: the entries (2,2) differ by (a11^2 - a22^2) x^2 > 0."""

    def fails(g: Goal, hs: list[str]) -> None:
        red, ent = functions(g, hs, "1", "1")
        e = entries(g, ent, "1")
        balance = g.apply(of_reduced(g, red, "balance", "1", "1"), "1")
        x, _, _ = later(g, red, "1")
        small, _ = g.split_all(g.apply(of_reduced(g, red, "rows", "1", "1"), "1"))
        gap = g.have(
            "0 < p(1)^2 - s(1)^2",
            lambda g: g.pos(
                ["1/2", "(p(1) - s(1))^2"], ["1/2", "(q(1) - r(1))^2"], ["@" + x], ["@" + small], eqs=[(balance, "1/2")]
            ),
        )
        b = g.split_all(g.apply(of_reduced(g, red, "bounds", "1", "1"), "1"))
        g.have("0 < A(1)[2,2]", lambda g: g.pos(["@" + b[8]], rw=e))
        g.witness("1", "0")

        def never(g: Goal) -> None:
            (_c,) = g.fix("c")
            k = g.contra()
            m = g.hyp_formula(k)
            corner = g.have(("=", ("entry", m[1], 2, 2), ("entry", m[2], 2, 2)), lambda g: (g.rewrite(k), g.refl()))
            g.pos(["@" + gap, "@" + x, "@" + x], eqs=[(corner, "-1")], rw=e)

        g.conj(
            None,
            lambda g: g.conj(
                lambda g: g.pos(["(A(1)[1,1]*A(1)[2,2] - A(1)[1,2]*A(1)[2,1])^2"], mul=["A(1)[2,1]^2 + A(1)[2,2]^2"]), never
            ),
        )

    counterexample(g, fails)


@amendment(f"{PAPER}.eq-l1-tilde", tilde(ROW), says="With a11^2 + a12^2 - mu in the entry (2,2).", uses=USES)
def modified_form(g: Goal) -> None:
    """Entry by entry."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        g.witness(f"{TILDE}[1,2]")
        g.ext(lambda g: g.field(rw=e))

    at_t(script)(g)


def nonnegative(corner: str) -> str:
    return claim(f"all t m:R. 0 <= t => {ADMISSIBLE} => 0 <= {corner} - m")


@refuted(
    f"{PAPER}.proof-step-tilde-nonneg",
    nonnegative(f"({A12}^2 + {A22}^2)"),
    uses=[*USES, f"{PAPER}.eq-g2-flow"],
    argument="repaired",
    reason=(
        "The diagonal entry is a11^2 + a12^2 - mu. With mu at its upper bound det A^2/(a21^2 + a22^2) the "
        "printed quantity is negative at every t > T_1 "
        "(w* = w12* = 1): (a12^2 + a22^2)(a21^2 + a22^2) - det A^2 = w21 (w12 + w21)/2 < 0. For mu = w* it is nonnegative."
    ),
    readings=[("for mu = w* only, the value used later", "holds", "rate")],
)
def printed_corner_is_negative(g: Goal) -> None:
    """One unit of time after T_1 for w* = w12* = 1 and mu at its upper bound; w12 + w21 = |A|^2 g/w11 > 0 and w21 < 0."""

    def fails(g: Goal, hs: list[str]) -> None:
        red, ent = functions(g, hs, "1", "1")
        e = entries(g, ent, "1")
        b = g.split_all(g.apply(of_reduced(g, red, "bounds", "1", "1"), "1"))
        x, _, c = later(g, red, "1")
        n = g.apply(of_reduced(g, red, "negative", "1", "1"), "1")
        p2, det = "(r(1)^2 + s(1)^2)", "(p(1)*s(1) - q(1)*r(1))"
        w11 = g.have("0 < p(1)*s(1) + q(1)*r(1)", lambda g: g.pos(["1"], ["@" + x]))
        total = g.have(
            "0 < 2*p(1)*q(1) + 2*r(1)*s(1)",
            lambda g: g.pos(["p(1)^2 + q(1)^2 + r(1)^2 + s(1)^2", "@" + c], mul=["@" + w11], eqs=[(b[12], "1")]),
        )
        key = g.have(f"(q(1)^2 + s(1)^2)*{p2} < {det}^2", lambda g: g.pos(["1/2", "@" + n, "@" + total], eqs=[(b[0], "s(1)^2")]))
        row2, det2 = at(ROW2, "1"), at(DETA2, "1")
        g.have("0 < A(1)[2,2]", lambda g: g.pos(["@" + b[8]], rw=e))
        k = g.have(f"(A(1)[1,2]^2 + A(1)[2,2]^2)*{row2} < {det2}", lambda g: g.pos(["@" + key], rw=e))
        g.witness("1", f"{det2}/{row2}")
        g.conj(None, lambda g: g.conj(lambda g: g.refl(), lambda g: g.pos(["@" + k], mul=[row2])))

    counterexample(g, fails)


@amendment(f"{PAPER}.proof-step-tilde-nonneg", nonnegative(ROW), says="With a11^2 + a12^2.", uses=USES)
def corner_is_nonnegative(g: Goal) -> None:
    """(a21^2 + a22^2)(a11^2 + a12^2 - mu) = g^2 + det A^2 - (a21^2 + a22^2) mu."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        row_is_positive(g, e, b["a22"])
        h = admissible(g, e, hs[6])
        g.pos([f"{CT}^2"], ["@" + h], mul=[P2], rw=e)

    at_t(script)(g)


@part(
    f"{PAPER}.proof-step-tilde-nonneg",
    "rate",
    claim(f"all t:R. 0 <= t => 0 <= {A12}^2 + {A22}^2 - w"),
    says="The printed quantity for mu = w*.",
    uses=USES,
)
def printed_corner_for_the_rate(g: Goal) -> None:
    """a12^2 + a22^2 = |A|^2/2 >= w11 >= w*."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        g.pos(["1/2", "(p(t) - s(t))^2"], ["1/2", "(q(t) - r(t))^2"], ["@" + b["w11"]], eqs=[(b["balance"], "-1/2")], rw=e)

    at_t(script)(g)


@holds(
    f"{PAPER}.proof-step-tilde-inequality",
    claim(f"all t m:R. 0 <= t => {ADMISSIBLE} => -2*{R11}*{R12}*{INNER} <= {R11}^2*{ROW2} + {R12}^2*({ROW} - m)"),
    uses=USES,
    argument="sound",
)
def improved_inequality(g: Goal) -> None:
    """(a21^2 + a22^2) times the gap is ((a21^2 + a22^2) x - g f)^2 + (det A^2 - (a21^2 + a22^2) mu) f^2."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        row_is_positive(g, e, b["a22"])
        h = admissible(g, e, hs[6])
        g.pos([f"({P2}*{XT} - {CT}*{FT})^2"], [f"{FT}^2", "@" + h], mul=[P2], rw=e)

    at_t(script)(g)


BOUND64 = f"-({R11}^2 + {R22}^2)*{ROW} - {R12}^2*m"


@holds(f"{PAPER}.eq-64", claim(f"all t m:R. 0 <= t => {ADMISSIBLE} => {SLOPE} <= {BOUND64}"), uses=USES, argument="sound")
def second_bound_of_the_slope(g: Goal) -> None:
    """The gap is the sum of the two forms that are nonnegative by the preceding steps."""

    def script(g: Goal, e: list[str], b: Names, hs: list[str]) -> None:
        row_is_positive(g, e, b["a22"])
        h = admissible(g, e, hs[6])
        g.pos([f"({P2}*{XT} - {CT}*{FT})^2"], [f"{FT}^2", "@" + h], *[[P2, y] for y in FORM], mul=[P2], rw=e)

    at_t(script)(g)
