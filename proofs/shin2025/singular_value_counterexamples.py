"""Lemma 32: flows of 1 x 1 factors on which (78) fails, with signs or without balancedness."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.diagonal_matrices import ID
from proofs.shin2025.lazy_training import binary
from proofs.shin2025.measurement_flow import MASK, flow
from proofs.shin2025.singular_value_flow import BALANCED, DECOMPOSITION, NONNEGATIVE, RATE
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

ONE = "had([[1]], [[1]])"
RULE = f"all t:R, r:Z. 0 <= t => 1 <= r => r <= d => S'(t)[r,r] = -(2*S(t)[r,r]*{RATE})"


def scalar_flow(g: Goal, a: int, b: int, z: int, left: int, premise: Callable[[Goal, str, str, str], None]) -> None:
    """Refute a formula about all flows by d = 1, A(0) = a, B(0) = b, target z, U = left, S = left W, V = 1, at t = 0."""
    h = g.assume()
    a0, b0, fl = g.obtain(g.fact("two_layer_flow", 1, 1, 1, f"[[{a}]]", f"[[{b}]]", "[[1]]", f"[[{z}]]"), "A", "B")
    sigma = f"{left}*(A(t) @ B(t))"

    def decomposition(g: Goal) -> None:
        g.intro()

        def off(g: Goal) -> None:
            g.fix("i", "j")
            ne = g.assume()
            out = g.fact("entry_outside", "1", "1", sigma)

            def within(g: Goal) -> None:
                g.split(list(g.seq.hyps)[-1])
                one, two = (g.have(f"{x} = 1", lambda g: g.antisym()) for x in "ij")
                g.contra()
                same = g.have("i = j", lambda g: g.field((one, 1), (two, -1)))
                g.clash(same, ne)

            g.em("i < 1 or 1 < i or j < 1 or 1 < j", lambda g: g.close_by(g.apply(out, "i", "j")), within)

        entries: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
        g.conj(entries, entries, entries, off)

    k = g.apply(
        h,
        *("1", ONE, f"[[{z}]]", "A", "B", f"lam t:R. [[{left}]]", f"lam t:R. {sigma}", "lam t:R. [[1]]"),
        by=[
            lambda g: binary(g, ONE, 1, lambda i, j: 1),
            lambda g: g.close_by(fl),
            *([lambda g: premise(g, a0, b0, fl)] if left < 0 else []),
            decomposition,
            *([lambda g: premise(g, a0, b0, fl)] if left > 0 else []),
        ],
    )
    k = g.apply(k, "0", "1")
    v, w = g.split(g.apply(fl, "0"))
    values = {}
    for x, e, n in (("A", a0, a), ("B", b0, b)):
        values[x] = g.have(f"{x}(0)[1,1] = {n}", lambda g, e=e: (g.rewrite(e), g.field())[-1])
    for x, e in (("A", v), ("B", w)):
        n = (z - a * b) * (b if x == "A" else a)
        values[x + "'"] = g.have(
            f"{x}'(0)[1,1] = {n}", lambda g, e=e: (g.rewrite(e), g.rewrite(a0), g.rewrite(b0), g.field())[-1]
        )
    move = left * (z - a * b) * (a * a + b * b)
    formula = -2 * left * a * b * left * (a * b - z)
    g.pos(["1"], eqs=[(k, f"{'-' if move > formula else ''}1/{abs(move - formula)}")], rw=list(values.values()))


@part(
    ID,
    "without-nonnegative-values",
    f"not (all d:Z, M Z:M(d,d), A B U S V:R~>M(d,d). {MASK} => {flow()} => {BALANCED} => {DECOMPOSITION} => {RULE})",
    says="Without sigma_r >= 0, as in an analytic decomposition: (78) fails, W = 1 = (-1)(-1)(1) with target 2.",
)
def signs_matter(g: Goal) -> None:
    """d = 1, A(0) = B(0) = 1, target 2: sigma = -W falls at the rate 2, the formula says that it grows."""

    def balanced(g: Goal, a0: str, b0: str, fl: str) -> None:
        g.rewrite(a0)
        g.rewrite(b0)
        g.ext(lambda g: g.field())

    scalar_flow(g, 1, 1, 2, -1, balanced)


@part(
    ID,
    "without-balance",
    f"not (all d:Z, M Z:M(d,d), A B U S V:R~>M(d,d). {MASK} => {flow()} => {DECOMPOSITION} => {NONNEGATIVE} => {RULE})",
    says="Without balanced factors: (78) fails, d = 1, A = 2, B = 1, target 0: W falls at the rate 10, not 8.",
)
def balance_is_needed(g: Goal) -> None:
    """d = 1, A(0) = 2, B(0) = 1, target 0; W' = -(A^2 + B^2) W keeps W positive."""

    def nonneg(g: Goal, a0: str, b0: str, fl: str) -> None:
        w, a, b = "(A(t) @ B(t))[1,1]", "A(t)[1,1]", "B(t)[1,1]"
        k = g.obtain(g.by_fact("antiderivative", f"lam t:R. -({a}^2 + {b}^2)"), "K")[1]

        def rate(g: Goal) -> None:
            (u,) = g.fix("u")
            g.assume()
            va, vb = g.split(g.apply(fl, u))
            ea, eb = (
                g.have(f"{x}'({u})[1,1] = -((A({u}) @ B({u}))[1,1]*{y}({u})[1,1])", lambda g, e=e: (g.rewrite(e), g.field())[-1])
                for x, y, e in (("A", "B", va), ("B", "A", vb))
            )
            g.field(rw=[ea, eb, g.apply(k, u)])

        sol = g.by_fact("linear_ode", "0", f"lam t:R. {w}", "lam t:R. K(t)", by=[None, rate])
        g.fix("t", "r")
        g.assume()
        g.assume()
        g.assume()
        one = g.have("r = 1", lambda g: g.antisym())
        g.rewrite(one)
        s = g.apply(sol, "t")
        start = g.have("(A(0) @ B(0))[1,1] = 2", lambda g: (g.rewrite(a0), g.rewrite(b0), g.field())[-1])
        g.pos(["2", "exp(K(t) - K(0))"], eqs=[(s, 1), (start, "exp(K(t) - K(0))")])

    scalar_flow(g, 2, 1, 0, 1, nonneg)
