"""Appendix E.2, the cold start: the flow on the entries (1,1), (1,2), (2,2) from a symmetric start as a flow of four functions.

With B the mirror image of A, the functions are u = a11 + a12, x = a21 + a22, y = a22 - a21, z = a11 - a12; then
w11 = w22 = (u x + y z)/2, w12 = (u^2 - z^2)/2, w21 = (x^2 - y^2)/2.
"""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import FLOW
from proofs.shin2025.warm_start_symmetry import DIFFERENCES, GAPS, PAIRS, entry_rates, system
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

CLAIM = "shin2025.assertion-e2-cold-start"
F = "((u(t)*x(t) + y(t)*z(t))/2 - w)"
G = "((u(t)^2 - z(t)^2)/2 - v)"
RATES = f"u'(t) = -({F}*x(t)) - {G}*u(t) and x'(t) = -({F}*u(t)) and y'(t) = -({F}*z(t)) and z'(t) = -({F}*y(t)) + {G}*z(t)"
STARTS = "u(0) = a => x(0) = a => y(0) = b => z(0) = b"
VARIABLES = "w v a b:R, u x y z:R~>R"
SETTING = f"0 < w => 10*w <= v => 0 < b => b < a => {STARTS} => (all t:R. 0 <= t => {RATES})"
NAMES = ["wpos", "ratio", "bpos", "order", "u0", "x0", "y0", "z0", "flow"]


def reduced(conclusion: str) -> str:
    """A statement on the four functions; a, b are the sum and the difference of the entries of a row at the start."""
    return f"all {VARIABLES}. {SETTING} => {conclusion}"


def enter(g: Goal) -> None:
    """Fix the variables and name the hypotheses."""
    g.fix()
    for name in NAMES:
        g.assume(name)


def known(g: Goal, role: str, *terms: str, by: list[Script | None] | None = None) -> str:
    """A part on the four functions at hand."""
    premises: list[Script | None] = [lambda g, n=n: g.close_by(n) for n in NAMES]  # type: ignore[misc]
    h = g.lemma(CLAIM, f"part:{role}", "w", "v", "a", "b", "u", "x", "y", "z", by=premises)
    return g.apply(h, *terms, by=by or []) if terms else h


def at(g: Goal, t: str) -> list[str]:
    """The rates at a time that is visibly >= 0."""
    return g.split(g.apply("flow", t))


PAIRED = "A(0)[1,1] = B(0)[2,2] => A(0)[1,2] = B(0)[1,2] => A(0)[2,1] = B(0)[2,1] => A(0)[2,2] = B(0)[1,1]"


@part(
    CLAIM,
    "mirrored",
    f"all w v:R, A B:R~>M(2,2). {FLOW} => {PAIRED} => all t:R. 0 <= t => {PAIRS}",
    says="B stays the mirror image of A if it is at the start.",
)
def mirrored_factors(g: Goal) -> None:
    """The four differences of paired entries solve a linear homogeneous system (as in Lemma 19) and vanish at the start."""
    hs = g.intro()

    def derivative(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        e = entry_rates(g, hs[0], x)
        g.ext(lambda g: g.field(rw=e))

    def start(g: Goal) -> None:
        def entry(g: Goal) -> None:
            g.field(*[(h, c) for h, c in zip(hs[1:5], weights(g), strict=True)])

        g.ext(entry)

    def weights(g: Goal) -> list[int]:
        i = int(g.concl[1][2])
        return [int(k == i) for k in (1, 2, 3, 4)]

    zero = g.apply(
        g.by_fact("linear_system_zero", "4", f"lam t:R. {GAPS}", f"lam t:R. {system()}", by=[None, derivative, start]), "t"
    )

    def pair(i: int) -> Script:
        def script(g: Goal) -> None:
            h = g.have(f"({GAPS})[{i + 1},1] = 0", lambda g: (g.rewrite(zero), g.field())[-1])
            k = g.have(f"{DIFFERENCES[i]} = 0", lambda g: g.field((h, 1)))
            g.field((k, 1))

        return script

    g.conj(*[pair(i) for i in range(4)])


@part(CLAIM, "conserved", reduced("all t:R. 0 <= t => u(t)*z(t) = x(t)*y(t)"), says="u z - x y is conserved; it is 0.")
def products_agree(g: Goal) -> None:
    """Its derivative vanishes."""
    enter(g)

    def still(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.field(rw=at(g, "t"))

    c = g.by_fact("constant", 0, "lam t:R. u(t)*z(t) - x(t)*y(t)", by=[None, still])
    g.fix("t")
    g.assume()
    k = g.apply(c, "t")
    g.field((k, 1), ("u0", "z(0)"), ("z0", "a"), ("x0", "-y(0)"), ("y0", "-a"))
