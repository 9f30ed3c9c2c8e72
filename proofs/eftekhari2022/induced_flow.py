"""Equation (17): the product of the layers of a balanced gradient flow follows the induced flow."""

from __future__ import annotations

from proofs.eftekhari2022.rank_one_flow import ROOTS
from proofs.eftekhari2022.theorem_twenty import BALANCED, FLOW, INNER, NETWORK, PADDING
from proofs.razin2020.product_dynamics import see_exponents
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

GRAD = "(E(t) @ X @ T(X) - Y @ T(X))"
SUM = "sum(j, 1, {0}, S(t)^({0}-j) @ " + GRAD + " @ H(t)^(j-1))"
GRAMS = "0^(l-1)*(A({0}) @ T(A({0}))) + (1 - 0^(l-1))*(W(l,{0}) @ T(W(l,{0})))"
"""W_l W_l^T for l = 1..N-1."""

ROOTS_OF_PRODUCT = (
    "the power k/N of a positive semidefinite matrix is the k-th power of its positive semidefinite N-th root, here S(t) for W W^T and "
    "H(t) for W^T W, and the zeroth power is the identity"
)


def layers(ends: str, steps: str, outer: str, inner: str, start: str) -> list[Script]:
    """Scripts for the premises of the lemmas about the balanced flow of the layers, from 2 <= L on."""

    def outer_layers(g: Goal) -> None:
        g.fix("r")
        g.assume()
        a, b = g.split(g.apply(outer, "r"))
        g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

    def inner_layers(g: Goal) -> None:
        g.fix("l", "r")
        g.intro()
        k = g.apply(inner, "l", "r")
        g.nc((k, 1, None, None))

    def first(g: Goal) -> None:
        g.intro()
        g.nc()

    def balanced(which: int) -> Script:
        def script(g: Goal) -> None:
            grams = GRAMS.format("0")
            one = f"({grams})".replace("l-1", "1-1").replace("W(l,", "W(1,")
            begin = g.have(f"{one} = A(0) @ T(A(0))", lambda g: g.nc())
            rest = g.have(f"all l:Z. {INNER} => {grams} = W(l,0) @ T(W(l,0))", later)
            h = g.apply(start, f"lam l:Z. {grams}", by=[using(begin), using(rest)])
            g.exact(g.split(h)[which])

        return script

    return [lambda g: g.auto(), using(ends), using(steps), outer_layers, inner_layers, first, later, balanced(0), balanced(1)]


def later(g: Goal) -> None:
    """The Gram matrix of an inner layer: 0^(l-1) = 0."""
    g.fix("l")
    g.intro()
    zero = g.by_fact("ipow_zero", "l - 1")
    g.rewrite(zero)
    g.nc()


FLOW_OF_LAYERS = (
    "y", "x", "n", "N", "A", "B", "W", "P", "Q", "lam t:R. (E(t) @ X - Y) @ T(X)", "E", f"lam l:Z, t:R. {GRAMS.format('t')}"
)  # fmt: skip
"""The variables of the balanced flow, to instantiate a lemma of the layers with."""


@holds(
    "eftekhari2022.eq-17",
    f"""(all x y m:Z, X:M(x,m), Y:M(y,m), E:R~>M(y,x), S:R->M(y,y), H:R->M(x,x).
         (all t:R. 0 <= t => E'(t) = -((E(t) @ X - Y) @ T(X))) => all t:R. 0 <= t => E'(t) = -{SUM.format("1")}) and
       (all {NETWORK}, S:R->M(y,y), H:R->M(x,x). {FLOW} {BALANCED} {ROOTS} all t:R. 0 <= t => E'(t) = -{SUM.format("N")})""",
    argument="sound",
    reading=f"{ROOTS_OF_PRODUCT}; depth one is the first part; {PADDING.split('; r = 1')[0]}",
    uses=["razin2020.lemma-4"],
)
def product_follows_the_induced_flow(g: Goal) -> None:
    """The dynamics of the product matrix of a balanced flow, with the terms in reversed order."""

    def depth_one(g: Goal) -> None:
        (flow,) = g.intro()[:1]
        k = g.apply(flow, "t")
        term = f"lam j:Z. S(t)^(1-j) @ {GRAD} @ H(t)^(j-1)"
        last = g.by_fact("matrix_sum_last", "y", "x", 1, 1, term)
        empty = g.by_fact("matrix_sum_empty", "y", "x", 1, "1 - 1", term)
        g.nc((k, 1, None, None), (last, 1, None, None), (empty, 1, None, None))

    g.conj(depth_one, deep)


def deep(g: Goal) -> None:
    """Depth at least two."""
    names = g.intro(split=False)
    roots, now = names[-2:]
    _, dynamics = g.split(g.lemma("razin2020.lemma-4", "statement"))

    def root(side: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("r")
            h = g.assume()
            semi, power = g.split(g.apply(roots, "r", by=[using(h)]))[2 * side : 2 * side + 2]
            sym, semi = g.split(semi)
            g.conj(using(sym), using(semi), using(power))

        return script

    speed = g.apply(dynamics, *FLOW_OF_LAYERS, "S", "H", by=[*layers(*names[1:6]), root(0), root(1)])
    speed = g.apply(speed, "t", by=[using(now)])
    reversed_terms(g, speed, "S(t)", "H(t)")


def reversed_terms(g: Goal, speed: str, left: str, right: str) -> None:
    """The velocity with the terms in the order of (16)."""
    term = f"lam j:Z. ({left})^(N-j) @ {GRAD} @ ({right})^(j-1)"
    turned = g.fact("matrix_sum_reverse", "y", "x", 1, "N", term)

    def same(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        see_exponents(g)
        g.nc()

    ext = g.by_fact(
        "matrix_sum_ext", "y", "x", 1, "N", f"lam i:Z. ({left})^(N-(1+N-i)) @ {GRAD} @ ({right})^((1+N-i)-1)",
        f"lam i:Z. ({left})^(i-1) @ ((E(t) @ X - Y) @ T(X)) @ ({right})^(N-i)", by=[same],
    )  # fmt: skip
    g.nc((speed, 1, None, None), (turned, 1, None, None), (ext, 1, None, None))


@part(
    "eftekhari2022.eq-17",
    "induced",
    f"""all {NETWORK}. {FLOW} {BALANCED} ex S:R->M(y,y), H:R->M(x,x).
       {ROOTS.removesuffix(" =>")} and all t:R. 0 <= t => E'(t) = -{SUM.format("N")}""",
    says="the product of a balanced flow follows the induced flow, with the roots W_N W_N^T and W_1^T W_1",
    uses=["razin2020.lemma-4"],
)
def roots_from_the_outer_layers(g: Goal) -> None:
    """(W_N W_N^T)^N = W W^T and (W_1^T W_1)^N = W^T W."""
    names = g.intro(split=False)
    left, right = "B(t) @ T(B(t))", "T(A(t)) @ A(t)"
    dynamics = g.lemma("razin2020.lemma-4", "part:dynamics-by-powers", *FLOW_OF_LAYERS, by=layers(*names[1:6]))
    g.witness(f"lam t:R. {left}", f"lam t:R. {right}")

    def nonneg(vector: str) -> Script:
        def script(g: Goal) -> None:
            g.fix("w")
            g.pos([f"tr(T({vector} @ w) @ ({vector} @ w))"])

        return script

    def semidefinite(vector: str) -> Script:
        return lambda g: g.conj(lambda g: g.nc(), nonneg(vector))

    def powers(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        _, first, second = g.split(g.apply(dynamics, "t", by=[using(now)]))
        g.conj(
            semidefinite("T(B(t))"),
            lambda g: g.nc((first, -1, None, None)),
            semidefinite("A(t)"),
            lambda g: g.nc((second, -1, None, None)),
        )

    def velocity(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        speed, _, _ = g.split(g.apply(dynamics, "t", by=[using(now)]))
        reversed_terms(g, speed, left, right)

    g.conj(powers, velocity)
