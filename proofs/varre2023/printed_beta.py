"""Lemma 3.3, second identity: false with the derivative of beta, true for beta with the factor 2 gamma."""

from __future__ import annotations

from proofs.varre2023.alpha import GRAM
from proofs.varre2023.flows import ALPHA, BETA, PROJECTED
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, refuted


@refuted(
    "varre2023.lemma-3-3-beta",
    f"{PROJECTED} all t:R. 0 <= t => D(s, Z1(s) @ Z2(s), t) = inv({GRAM}) @ {ALPHA}",
    reason="at t = 0 the right side is 0, but beta' = 2 gamma X^T Y; the identity holds for beta itself with the factor 2 gamma (Lemma C.2)",
)
def derivative_of_beta_at_the_start(g: Goal) -> None:
    """One dimension, X = Y = P = 1, gamma = 1/2, t = 0: alpha = 0 and beta' = 1."""
    one = "[[1]]"
    flow = g.fact("two_layer_flow", 1, 1, 1, one, "O(1,1)", one, one)
    first, second, equations = g.obtain(flow, "A", "B")
    g.witness(1, 1, 1, 1, "1/2", one, one, one, "A", "B")

    def gradient(g: Goal) -> None:
        g.fix("t")
        g.assume()
        a, b = g.split(g.apply(equations, "t"))
        g.conj(lambda g: (g.rewrite(a), g.ext(lambda g: g.field())), lambda g: (g.rewrite(b), g.ext(lambda g: g.field())))

    def begin(g: Goal) -> None:
        g.rewrite(first)
        g.have("sqrt(2*(1/2)) = 1", lambda g: g.field())
        g.ext(lambda g: g.field())

    def different(g: Goal) -> None:
        g.witness(0)

        def unequal(g: Goal) -> None:
            same = g.contra()
            _a, b = g.split(g.apply(equations, 0))
            left = g.have("D(s, A(s) @ B(s), 0) = O(1,1)", lambda g: (g.rewrite(same), g.nc(rw=[second])))
            begun = g.have("O(1,1) = A(0) @ B'(0)", lambda g: g.nc((left, -1, None, None), (second, 1, "A'(0)", None)))
            value = g.have(
                "A(0) @ B'(0) = [[1]]", lambda g: (g.rewrite(b), g.rewrite(first), g.rewrite(second), g.ext(lambda g: g.field()))
            )
            entry = g.have("O(1,1)[1,1] = [[1]][1,1]", lambda g: g.ctx(lambda g: (g.rewrite(begun), g.close_by(value))))
            g.pos([], eqs=[(entry, 1)])

        g.conj(None, unequal)

    nested(g, None, lambda g: g.ext(lambda g: g.field()), begin, lambda g: g.close_by(second), gradient, different)


def nested(g: Goal, *scripts: Script | None) -> None:
    """A conjunction that is nested to the right."""
    first, *rest = scripts
    if rest:
        g.conj(first, lambda g: nested(g, *rest))
    else:
        g.run(first)


@amendment(
    "varre2023.lemma-3-3-beta",
    f"{PROJECTED} all t:R. 0 <= t => det({GRAM}) != 0 and {BETA} = (2*c)*(inv({GRAM}) @ {ALPHA})",
    says="beta = 2 gamma (1 - alpha alpha^T)^{-1} alpha",
    uses=["varre2023.lemma-c-2-beta"],
)
def beta_itself_with_the_factor(g: Goal) -> None:
    """This is Lemma C.2."""
    g.close_by(g.lemma("varre2023.lemma-c-2-beta"))
