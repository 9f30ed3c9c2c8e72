"""Appendix A.1: the assumption that pre-training fits its observations exactly at T_1."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import PAPER
from proofs.shin2025.warm_start_pretraining import GRADIENT, SETTING, TARGET, W
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

ID = f"{PAPER}.assumption-perfect-pretraining"
LIMIT = f"{PAPER}.eq-10"
FLOW = f"(all t:R. 0 <= t => A'(t) = -({GRADIENT} @ T(B(t))) and B'(t) = -(T(A(t)) @ {GRADIENT}))"


@part(
    ID,
    "residual-decays",
    f"all w:R, A B:R~>M(2,2). {FLOW} => {W.replace('(t)', '(0)')}[1,1] != w => all t:R. 0 <= t => {W}[1,1] != w",
    says="A diagonal observation that is not fitted at the start is not fitted exactly at any finite time.",
)
def residual_does_not_vanish(g: Goal) -> None:
    """rho' = -(|a_1|^2 + |b_1|^2) rho."""
    flow, start = g.intro()[:2]
    speed = "(A(t)[1,1]^2 + A(t)[1,2]^2 + B(t)[1,1]^2 + B(t)[2,1]^2)"
    k = g.obtain(g.by_fact("antiderivative", f"lam t:R. -{speed}"), "K")[1]

    def rate(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        a, b = g.split(g.apply(flow, u))
        rho = f"((A({u}) @ B({u}))[1,1] - w)"
        rates = []
        for m, h, entries in (("A", a, ((1, 1, "B", 1, 1), (1, 2, "B", 2, 1))), ("B", b, ((1, 1, "A", 1, 1), (2, 1, "A", 1, 2)))):
            for i, j, other, p, q in entries:
                rates.append(
                    g.have(f"{m}'({u})[{i},{j}] = -({rho}*{other}({u})[{p},{q}])", lambda g, h=h: (g.rewrite(h), g.field())[-1])
                )
        g.field(rw=[*rates, g.apply(k, u)])

    sol = g.by_fact("linear_ode", "0", f"lam t:R. {W}[1,1] - w", "lam t:R. K(t)", by=[None, rate])
    s = g.apply(sol, "t")
    first = f"({W.replace('(t)', '(0)')}[1,1] - w)"
    e = "exp(K(t) - K(0))"

    def apart(g: Goal) -> None:
        h = g.contra()
        g.clash(g.have(f"{W.replace('(t)', '(0)')}[1,1] = w", lambda g: g.field((h, 1))), start)

    g.have(f"{first} != 0", apart)
    h = g.contra()
    zero = g.have(f"{first}*{e} = 0", lambda g: g.field((s, -1), (h, 1)))
    g.clash(zero, g.have(f"{first}*{e} != 0", lambda g: g.condition()))


@part(
    ID,
    "start-that-fits",
    f"ex w:R, A B:R~>M(2,2). 0 < w and {FLOW} and all t:R. 0 <= t => {W}[1,1] = w and {W}[2,2] = w",
    says="Pre-training on the diagonal that starts at sqrt(w*) I fits exactly at every T_1.",
)
def flow_at_rest_fits(g: Goal) -> None:
    """The identity is at rest."""
    one = "[[1,0],[0,1]]"
    g.witness("1", f"lam t:R. {one}", f"lam t:R. {one}")
    entries: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
    fit: Script = lambda g: g.field()  # noqa: E731
    g.conj(None, lambda g: (g.intro(), g.conj(entries, entries))[-1], lambda g: (g.intro(), g.conj(fit, fit))[-1])


@holds(
    ID,
    f"{SETTING} tends(t, {W}[1,1], w) and tends(t, {W}[2,2], w)",
    argument="sound",
    reading="Sufficiently large T_1: the fit is exact in the limit of large T_1, which is the content of the assumption, here from any multiple"
    " c I, c > 0, of the identity. At a finite T_1 a diagonal observation is fitted exactly only from a start that fits it.",
    context="d = 2 with equal positive diagonal observations and a start from a multiple of the identity, as in A.2 [A.2]",
    readings=[
        ("a start that fits fits exactly at every finite T_1", "holds", "start-that-fits"),
        (
            "pre-training that does not start at zero loss fits exactly at a finite T_1",
            "refuted",
            "residual-decays",
            "at every finite time the entry is shown to differ from its observation",
        ),
        ("the limit of post-training changes continuously with the residual at T_1", "open", None),
    ],
    uses=[LIMIT],
)
def pretraining_fits_in_the_limit(g: Goal) -> None:
    """The limit (10)."""
    hs = g.fix() and [g.assume() for _ in range(5)]
    both = g.split(g.lemma(LIMIT, "statement", "c", "w", "A", "B", by=[lambda g, h=h: g.close_by(h) for h in hs]))
    product = g.by_fact(
        "tends_matrix_mul",
        "2",
        "2",
        "2",
        TARGET,
        TARGET,
        "lam t:R. A(t)",
        "lam t:R. B(t)",
        by=[lambda g, h=h: g.close_by(h) for h in both],
    )
    there, _ = g.split(g.fact("tends_matrix", "2", "2", f"{TARGET} @ {TARGET}", "lam t:R. A(t) @ B(t)"))
    entries = g.apply(there, by=[lambda g: g.close_by(product)])
    root = g.by_fact("sqrt_sq", "w")

    def one(i: str) -> Script:
        def script(g: Goal) -> None:
            k = g.apply(entries, i, i)
            value = g.have(f"({TARGET} @ {TARGET})[{i},{i}] = w", lambda g: g.field((root, 1)))
            g.close_by(g.rewritten(k, value))

        return script

    g.conj(one("1"), one("2"))
