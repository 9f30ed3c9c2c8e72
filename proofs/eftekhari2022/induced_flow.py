"""Equation (17): the product of the layers of a balanced gradient flow follows the induced flow."""

from __future__ import annotations

from proofs.eftekhari2022.rank_one_flow import ROOTS
from proofs.eftekhari2022.theorem_twenty import BALANCED, FLOW, INNER, NETWORK, PADDING
from proofs.razin2020.product_dynamics import see_exponents
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

GRAD = "(E(t) @ X @ T(X) - Y @ T(X))"
SUM = "sum(j, 1, {0}, S(t)^({0}-j) @ " + GRAD + " @ H(t)^(j-1))"
GRAMS = "0^(l-1)*(A({0}) @ T(A({0}))) + (1 - 0^(l-1))*(W(l,{0}) @ T(W(l,{0})))"
"""W_l W_l^T for l = 1..N-1."""

ROOTS_OF_PRODUCT = (
    "the power k/N of a positive semidefinite matrix is the k-th power of its positive semidefinite N-th root, here S(t) for W W^T and "
    "H(t) for W^T W, and the zeroth power is the identity"
)


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
    ends, steps, outer, inner, start, roots, now = names[1:]
    both = g.lemma("razin2020.lemma-4", "statement")
    _, dynamics = g.split(both)

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

    def later(g: Goal) -> None:
        g.fix("l", "r")
        g.intro()
        zero = g.by_fact("ipow_zero", "l - 1")
        g.rewrite(zero)
        g.nc()

    def balanced(g: Goal, which: int) -> None:
        first = g.have(f"({GRAMS.format('0')})".replace("l-1", "1-1").replace("W(l,", "W(1,") + " = A(0) @ T(A(0))", lambda g: g.nc())

        def others(g: Goal) -> None:
            g.fix("l")
            g.intro()
            zero = g.by_fact("ipow_zero", "l - 1")
            g.rewrite(zero)
            g.nc()

        rest = g.have(f"all l:Z. {INNER} => {GRAMS.format('0')} = W(l,0) @ T(W(l,0))", others)
        h = g.apply(start, f"lam l:Z. {GRAMS.format('0')}", by=[using(first), using(rest)])
        g.exact(g.split(h)[which])

    def root(side: int) -> object:
        def script(g: Goal) -> None:
            g.fix("r")
            h = g.assume()
            semi, power = g.split(g.apply(roots, "r", by=[using(h)]))[2 * side : 2 * side + 2]
            sym, semi = g.split(semi)
            g.conj(using(sym), using(semi), using(power))

        return script

    speed = g.apply(
        dynamics, "y", "x", "n", "N", "A", "B", "W", "P", "Q", "lam t:R. (E(t) @ X - Y) @ T(X)", "E",
        f"lam l:Z, t:R. {GRAMS.format('t')}", "S", "H",
        by=[None, using(ends), using(steps), outer_layers, inner_layers, first, later, lambda g: balanced(g, 0),
            lambda g: balanced(g, 1), root(0), root(1)],
    )  # fmt: skip
    speed = g.apply(speed, "t", by=[using(now)])
    term = f"lam j:Z. S(t)^(N-j) @ {GRAD} @ H(t)^(j-1)"
    turned = g.fact("matrix_sum_reverse", "y", "x", 1, "N", term)

    def same(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        see_exponents(g)
        g.nc()

    ext = g.by_fact(
        "matrix_sum_ext", "y", "x", 1, "N", f"lam i:Z. S(t)^(N-(1+N-i)) @ {GRAD} @ H(t)^((1+N-i)-1)",
        "lam i:Z. S(t)^(i-1) @ ((E(t) @ X - Y) @ T(X)) @ H(t)^(N-i)", by=[same],
    )  # fmt: skip
    g.nc((speed, 1, None, None), (turned, 1, None, None), (ext, 1, None, None))
