"""The post-training flow of Appendix G.2 as text, and how scripts enter it.

Time is counted from T_1, that is T_1 = 0. A and B start at sqrt(w) I and follow the gradient flow of the loss on the
entries (1,1),
(1,2), (2,2) with targets w, v, w. `REDUCED` is the flow (51) of the four entries p, q, r, s of A that is left after (50).
"""

from __future__ import annotations

from collections.abc import Callable

from verify.kernel import Goal

PAPER = "shin2025"
CORE = f"{PAPER}.lemma-22-w12"
"""The claim whose parts say what holds along the reduced flow."""


def product(t: str) -> str:
    return f"(A({t}) @ B({t}))"


def residual(t: str) -> str:
    """The gradient of the post-training loss at A(t) B(t), as defined in the notation: residual on observed entries, else 0."""
    return f"[[{product(t)}[1,1] - w, {product(t)}[1,2] - v], [0, {product(t)}[2,2] - w]]"


def loss(t: str) -> str:
    """Objective (2) on the three observed entries."""
    return f"((({product(t)}[1,1] - w)^2 + ({product(t)}[1,2] - v)^2 + ({product(t)}[2,2] - w)^2)/2)"


VARIABLES = "w v:R, A B:R~>M(2,2)"
FLOW = f"(all t:R. 0 <= t => A'(t) = -({residual('t')} @ T(B(t))) and B'(t) = -(T(A(t)) @ {residual('t')}))"
SETTING = f"0 < w => 0 < v => A(0) = sqrt(w)*I(2) => B(0) = sqrt(w)*I(2) => {FLOW}"

W11, W12, W21, CROSS = "(p(t)*s(t) + q(t)*r(t))", "(2*p(t)*q(t))", "(2*r(t)*s(t))", "(p(t)*r(t) + q(t)*s(t))"
ROW1, ROW2 = "(p(t)^2 + q(t)^2)", "(r(t)^2 + s(t)^2)"
ALL = "(p(t)^2 + q(t)^2 + r(t)^2 + s(t)^2)"
E, F = f"(w - {W11})", f"(v - {W12})"
RATES = f"""p'(t) = s(t)*{E} + q(t)*{F} and q'(t) = r(t)*{E} + p(t)*{F} and r'(t) = q(t)*{E} and s'(t) = p(t)*{E}"""
REDUCED_VARIABLES = "w v:R, p q r s:R~>R"
REDUCED = f"""0 < w => 0 < v => p(0) = sqrt(w) => q(0) = 0 => r(0) = 0 => s(0) = sqrt(w) =>
              (all t:R. 0 <= t => {RATES})"""
ENTRIES = """A(t)[1,1] = p(t) and A(t)[1,2] = q(t) and A(t)[2,1] = r(t) and A(t)[2,2] = s(t) and
             B(t)[1,1] = s(t) and B(t)[1,2] = q(t) and B(t)[2,1] = r(t) and B(t)[2,2] = p(t) and
             A'(t)[1,1] = p'(t) and A'(t)[1,2] = q'(t) and A'(t)[2,1] = r'(t) and A'(t)[2,2] = s'(t) and
             B'(t)[1,1] = s'(t) and B'(t)[1,2] = q'(t) and B'(t)[2,1] = r'(t) and B'(t)[2,2] = p'(t)"""


def claim(conclusion: str, more: str = "") -> str:
    """A statement in the setting of Section A.2; `more` declares further variables."""
    return f"all {VARIABLES}{more}. {SETTING} => {conclusion}"


def reduced(conclusion: str) -> str:
    """A statement for the four functions that solve (51)."""
    return f"all {REDUCED_VARIABLES}. {REDUCED} => {conclusion}"


def at(text: str, t: str) -> str:
    """A text about time t, at another time."""
    return text.replace("(t)", f"({t})")


def rates(g: Goal, h: str, t: str) -> list[str]:
    """The four equations (51) at a time that is visibly >= 0."""
    return g.split_all(g.apply(h, t))


def by_flow(flow: str) -> Callable[[Goal], None]:
    """A script for the flow of A and B as the premise of a lemma, by the hypothesis that says it."""

    def script(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        a, b = g.split_all(g.apply(flow, x))
        g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

    return script


def by_rates(h: str) -> Callable[[Goal], None]:
    """A script for (51) as the premise of a lemma."""

    def script(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        g.conj(*[lambda g, k=k: g.field((k, 1)) for k in g.split_all(g.apply(h, x))])

    return script


def of_flow(g: Goal, hs: list[str], claim: str, role: str = "statement", w: str = "w", v: str = "v") -> str:
    """A lemma in `SETTING` for the w, v, A, B at hand; hs begins with the five hypotheses of the setting."""
    return g.lemma(f"{PAPER}.{claim}", role, w, v, "A", "B", by=[None] * 4 + [by_flow(hs[4])])


def of_reduced(g: Goal, hs: list[str], name: str, w: str = "w", v: str = "v") -> str:
    """A lemma about `REDUCED` (a part of `CORE`) for the p, q, r, s at hand; hs: w > 0, v > 0, four starts, the rates."""
    return g.lemma(CORE, f"part:{name}", w, v, "p", "q", "r", "s", by=[None] * 6 + [by_rates(hs[6])])


def functions(g: Goal, hs: list[str], w: str = "w", v: str = "v") -> tuple[list[str], str]:
    """Bring in p, q, r, s for the A, B at hand. Returns the hypotheses of `REDUCED`, and the one that says `ENTRIES`."""
    new = g.obtain(of_flow(g, hs, "lemma-19", "part:reduction", w, v), "p", "q", "r", "s")
    return hs[:2] + new[:5], new[5]


def counterexample(g: Goal, script: Callable[[Goal, list[str]], None], *further: Callable[[Goal, list[str]], None]) -> None:
    """Refute a statement in `SETTING` by the flow with w = v = 1: `further` show the further hypotheses, `script` that
    the conclusion fails."""
    hs = [g.have("0 < 1"), g.have("0 < 1")]
    hs += g.obtain(g.lemma(f"{PAPER}.eq-g2-flow", "part:exists", "1", "1"), "A", "B")
    g.witness("1", "1", "A", "B")

    todo: list[Callable[[Goal], None]] = [*(lambda g, h=h: g.close_by(h) for h in hs[:4]), by_flow(hs[4])]  # type: ignore[misc]
    todo += [lambda g, s=s: s(g, hs) for s in further]  # type: ignore[misc]

    def descend(g: Goal, left: list[Callable[[Goal], None]]) -> None:
        if left:
            g.conj(left[0], lambda g: descend(g, left[1:]))
        else:
            script(g, hs)

    descend(g, todo)


def enter(g: Goal) -> tuple[list[str], list[str], str]:
    """Fix the setting and bring in p, q, r, s. Returns the hypotheses (the first five are the setting), those of
    `REDUCED`, and `ENTRIES`."""
    hs = g.intro()
    return hs, *functions(g, hs)


def entries(g: Goal, h: str, t: str) -> list[str]:
    """The entries of A, B and of their derivatives at a time that is visibly >= 0."""
    return g.split_all(g.apply(h, t))
