"""Vanishing commutators of vectors, and the discrete steps of gradient descent (Appendix C.1)."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.printed_beta import nested
from verify.kernel import Goal
from verify.registry import amendment, refuted

ALIGNED = "all m:Z, u v:V(m). u @ T(v) - v @ T(u) = O(m,m) => {0}ex c:R. u = c*v"


@refuted(
    "varre2023.assertion-zero-commutator-aligned",
    ALIGNED.format(""),
    reason="for v = 0 the commutator vanishes for every u, and u = c v only for u = 0",
)
def commutator_with_zero(g: Goal) -> None:
    """m = 1, u = 1, v = 0."""
    g.witness(1, "[[1]]", "[[0]]")

    def wrong(g: Goal) -> None:
        g.fix("c")
        same = g.contra()
        e = g.have("[[1]][1,1] = (c*[[0]])[1,1]", lambda g: g.ctx(using(same)))
        g.pos([], eqs=[(e, -1)])

    g.conj(lambda g: g.ext(lambda g: g.field()), wrong)


@amendment(
    "varre2023.assertion-zero-commutator-aligned",
    ALIGNED.format("v != O(m,1) => "),
    says="for v != 0",
)
def vanishing_commutator_means_aligned(g: Goal) -> None:
    """u |v|^2 = v <u, v>."""
    zero, nonzero = g.intro()
    n = "tr(T(v) @ v)"

    def positive(g: Goal) -> None:
        eq = g.contra()
        none = g.by_fact("frobenius_zero", "m", 1, "v", by=[using(eq)])
        g.clash(none, nonzero)

    g.have(f"{n} != 0", positive)
    one = scalar(g, "(T(v) @ v)")
    two = scalar(g, "(T(u) @ v)")
    g.witness(f"tr(T(u) @ v)/{n}")
    g.nc((zero, f"1/{n}", None, "v"), (one, f"-1/{n}", "u", None), (two, f"1/{n}", "v", None))


def scalar(g: Goal, m: str) -> str:
    """A 1 x 1 matrix is its trace."""
    h = g.fact("tr_entries", 1, m)
    return g.have(f"{m} = tr({m})*I(1)", lambda g: g.ext(lambda g: g.field((h, -1))))


STEP = """all n p:Z, X:M(n,p), Y:V(n), W:M(p,p), a:V(p), r:R, R:V(p), W2:M(p,p), a2:V(p). 1 <= p =>
       R = T(X) @ (Y - X @ W @ a) => W2 = W + r*(R @ T(a)) => a2 = a + r*(T(W) @ {0}) =>"""
GRADIENT = "W2 = W - r*(-(T(X) @ (Y - X @ W @ a) @ T(a))) and a2 = a - r*(-(T(W) @ T(X) @ (Y - X @ W @ a)))"


@refuted(
    "varre2023.step-c1-discrete-updates",
    f"{STEP.format('a')} {GRADIENT}",
    reason="the second update has W^T a in place of W^T R: for X = W = 1, a = 0, Y = 1 the gradient step leads to a = eta, the printed one to 0",
)
def printed_discrete_update(g: Goal) -> None:
    """One dimension, X = Y = W = eta = 1, a = 0."""
    one, zero = "[[1]]", "[[0]]"
    g.witness(1, 1, one, one, one, zero, 1, one, one, zero)

    def wrong(g: Goal) -> None:
        g.left_or_right(1)
        same = g.contra()
        e = g.have(
            ("=", ("entry", g.hyp_formula(same)[1], 1, 1), ("entry", g.hyp_formula(same)[2], 1, 1)), lambda g: g.ctx(using(same))
        )
        g.pos([], eqs=[(e, 1)])

    equal = [lambda g: g.ext(lambda g: g.field())] * 3
    nested(g, None, *equal, wrong)


@amendment(
    "varre2023.step-c1-discrete-updates",
    f"{STEP.format('R')} {GRADIENT}",
    says="a_{t+1} = a_t + eta W_t^T R_t",
)
def discrete_update(g: Goal) -> None:
    """One explicit step of gradient descent."""
    names = g.intro()
    residual, first, second = names[1:4]
    g.conj(
        lambda g: g.nc((first, 1, None, None), (residual, "r", None, "T(a)")),
        lambda g: g.nc((second, 1, None, None), (residual, "r", "T(W)", None)),
    )


RECURSION = (
    "T(X) @ (Y - X @ W2 @ a2) = R - r*((T(X) @ X) @ (W @ T(W) + tr(T(a) @ a)*I(p)) @ R) - r^2*tr(T(a) @ {0} @ R)*((T(X) @ X) @ R)"
)


@refuted(
    "varre2023.step-c1-discrete-residual",
    f"{STEP.format('R')} {RECURSION.format('W')}",
    reason="the coefficient of eta^2 is a^T W^T R, printed a^T W R: for W = [0 1; 0 0], a = (0, 1), Y = (2, 1), X = I, eta = 1 the residual is R = (1, 1), and a^T W^T R = 1, a^T W R = 0",
)
def printed_residual_recursion(g: Goal) -> None:
    """d = 2 with a nilpotent W."""
    eye, w, a = "[[1,0],[0,1]]", "[[0,1],[0,0]]", "[[0],[1]]"
    g.witness(2, 2, eye, "[[2],[1]]", w, a, 1, "[[1],[1]]", "[[0,2],[0,1]]", "[[0],[2]]")

    def wrong(g: Goal) -> None:
        same = g.contra()
        e = g.have(
            ("=", ("entry", g.hyp_formula(same)[1], 1, 1), ("entry", g.hyp_formula(same)[2], 1, 1)), lambda g: g.ctx(using(same))
        )
        g.pos([], eqs=[(e, 1)])

    equal = [lambda g: g.ext(lambda g: g.field())] * 3
    nested(g, None, *equal, wrong)


@amendment(
    "varre2023.step-c1-discrete-residual",
    f"{STEP.format('R')} {RECURSION.format('T(W)')}",
    says="the last term is eta^2 (a_t^T W_t^T R_t) X^T X R_t",
)
def residual_recursion(g: Goal) -> None:
    """Expand; 1 x 1 matrices are their traces."""
    names = g.intro()
    residual, first, second = names[1:4]
    own, cross = scalar(g, "(T(a) @ a)"), scalar(g, "(T(a) @ T(W) @ R)")
    g.rewrite(first)
    g.rewrite(second)
    g.nc(
        (residual, -1, None, None),
        (own, "-r", "T(X) @ X @ R", None),
        (cross, "-r^2", "T(X) @ X @ R", None),
    )
