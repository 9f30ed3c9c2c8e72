"""Lemma 3.1 and the invariant: the flow stays in the span of P, and Z1^T Z1 - Z2 Z2^T is constant."""

from __future__ import annotations

from proofs.varre2023.flows import INVARIANT, TWO_LAYERS, residual
from verify.kernel import Goal
from verify.registry import holds

Z1, Z2 = "(W1(t) @ T(P))", "(P @ W2(t))"
R = residual(Z1, Z2)
G = residual("W1(t)", "W2(t)")


@holds(
    "varre2023.lemma-3-1",
    f"""{TWO_LAYERS} all t:R. 0 <= t =>
       D(s, W1(s) @ T(P), t) = {R} @ T({Z2}) and D(s, P @ W2(s), t) = T({Z1}) @ {R} and
       W1(t) = {Z1} @ P and W2(t) = T(P) @ {Z2}""",
    argument="sound",
)
def flow_stays_in_the_span(g: Goal) -> None:
    """The parts W1 (I - P^T P) and (I - P^T P) W2 solve a linear system from 0, so they vanish and W1 W2 = Z1 Z2."""
    _, ortho, start, zero, flow = g.intro()[:5]
    q = "(I(l) - T(P) @ P)"
    low, high = f"lam t:R. T({q} @ W2(t))", f"lam t:R. W1(t) @ {q}"
    first, second = f"lam t:R. T({G})", f"lam t:R. {G}"
    system = g.fact("linear_pair_zero", "k", "p", "l", low, high, first, second)

    def derivative(g: Goal) -> None:
        g.fix("u")
        g.assume("now")
        a, b = g.split(g.apply(flow, "u"))
        g.nc(rw=[a, b])

    def start_first(g: Goal) -> None:
        g.nc(rw=[zero])

    def start_second(g: Goal) -> None:
        g.nc((ortho, "-sqrt(2*c)", None, "P"), rw=[start])

    both = g.apply(system, by=[None, derivative, derivative, start_first, start_second])
    below, above = g.split(g.apply(both, "t"))
    one = g.have(f"W1(t) = {Z1} @ P", lambda g: g.nc((above, 1, None, None)))
    turned = g.have(f"{q} @ W2(t) = O(l,k)", lambda g: by_transpose(g, below))
    two = g.have(f"W2(t) = T(P) @ {Z2}", lambda g: g.nc((turned, 1, None, None)))
    a, b = g.split(g.apply(flow, "t"))
    product = g.have(f"W1(t) @ W2(t) = {Z1} @ {Z2}", lambda g: g.nc((one, 1, None, "W2(t)")))
    same = g.have(f"{G} = {R}", lambda g: g.nc((product, -1, "T(X) @ X", None)))

    def z_one(g: Goal) -> None:
        g.nc((same, 1, None, "T(W2(t)) @ T(P)"), rw=[a])

    def z_two(g: Goal) -> None:
        g.nc((same, 1, "P @ T(W1(t))", None), rw=[b])

    g.conj(z_one, z_two, lambda g: g.close_by(one), lambda g: g.close_by(two))


def by_transpose(g: Goal, h: str) -> None:
    """u = 0 from T(u) = 0."""
    e = g.concl[1]
    eq = g.have(("=", ("T", ("T", e)), ("T", g.hyp_formula(h)[2])), lambda g: (g.rewrite(h), g.nc()))
    g.nc((eq, 1, None, None))


def invariant(g: Goal) -> None:
    """The derivative of Z1^T Z1 - Z2 Z2^T is zero, and the difference starts at 2 gamma P P^T."""
    names = g.intro()
    _positive, ortho, start, zero, flow, _now = names
    body = "T(Z1(t)) @ Z1(t) - Z2(t) @ T(Z2(t))"
    constant = g.fact("constant_matrix", "p", "p", 0, f"lam t:R. {body}")

    def derivative(g: Goal) -> None:
        g.fix("u")
        g.assume("here")
        a, b = g.split(g.apply(flow, "u"))
        g.nc(rw=[a, b])

    same = g.apply(constant, by=[None, derivative])
    here = g.apply(same, "t")
    g.nc((here, 1, None, None), (ortho, "2*c", None, None), rw=[start, zero, ortho])


@holds("varre2023.lemma-3-2", INVARIANT, argument="sound")
def difference_of_grams_is_isotropic(g: Goal) -> None:
    """The derivative of Z1^T Z1 - Z2 Z2^T is zero, and the difference starts at 2 gamma P P^T = 2 gamma I."""
    invariant(g)


@holds("varre2023.lemma-c-1", INVARIANT, argument="sound", uses=["varre2023.lemma-3-2"])
def same_invariant(g: Goal) -> None:
    """This is Lemma 3.2."""
    g.close_by(g.lemma("varre2023.lemma-3-2"))
