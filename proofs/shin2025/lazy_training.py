"""Appendix A.3: Theorem 7 (informal), which starts the post-training flow at a time T_1."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.measurement_flow import CONTEXT, CORE, MASK, READING, extremes, flow, loss
from proofs.shin2025.stable_rank import equal_singular_values, printed_bound, stable_rank
from proofs.shin2025.stationary import close_all
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted

SMALL = f"{loss('a')} <= s^6/(1152*d*S^2)"
BALANCED = "T(A(a)) @ A(a) = B(a) @ T(B(a))"
THEOREM_7 = f"""all d:Z, a:R, M Z:M(d,d), A B:R~>M(d,d), s S:R. 1 <= d => 0 <= a => {MASK} => {flow("a")} => {extremes("a")} =>
   {BALANCED} => {SMALL} => all t:R. a <= t =>"""
SHIFTED = f"{READING} a is T_1; pre-training conserves balancedness, so the factors are balanced at T_1."


def from_time_zero(g: Goal, claim: str, role: str, flow_: str, balanced: bool = True) -> str:
    """A statement about flows from time 0, for the flow from time a, at the time t - a; `balanced` says whether it supposes a
    balanced start."""
    e = g.have("a + 0 = a")

    def along(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        v, w = g.split(g.apply(flow_, f"a + {u}"))
        g.conj(lambda g: g.nc((v, 1, None, None)), lambda g: g.nc((w, 1, None, None)))

    h = g.lemma(claim, role)
    at = ("d", "M", "Z", "lam t:R. A(a + t)", "lam t:R. B(a + t)", "s", "S")
    by: list[Script] = [None, None, along, None, start(e), start(e), None, start(e), start(e), start(e), start(e)]
    h = g.apply(h, *at, by=by if balanced else by[:-1])
    h = g.apply(h, "t - a")
    k = g.have("a + (t - a) = t")
    return g.rewritten(g.rewritten(h, k), e)


def start(e: str) -> Script:
    """A premise at the start."""

    def script(g: Goal) -> None:
        g.rewrite(e)
        g.auto()

    return script


def at_start(a: str, b: str) -> Callable[[Script], Script]:
    """Scripts that begin by writing out the two factors at the start, by the equations a and b."""
    return lambda script: lambda g: (g.rewrite(a), g.rewrite(b), g.run(script))[-1]


def singular_value(here: Callable[[Script], Script], direction: str) -> list[Script | None]:
    """An extreme singular value of the Jacobian at the start (`extremes`), for literal factors: the bound in every direction, and a
    direction that attains it."""

    def every(g: Goal) -> None:
        g.fix("X")
        g.pos()

    def attained(g: Goal) -> None:
        g.witness(direction)
        g.conj(lambda g: g.pos(["1"]), lambda g: g.field())

    return [here(every), here(attained)]


def binary(g: Goal, m: str, n: int, value: Callable[[int, int], int]) -> None:
    """Close all i j:Z. m[i,j] = 0 or m[i,j] = 1 for a literal n x n matrix m."""
    outside = g.fact("entry_outside", n, n, m)
    g.fix("i", "j")

    def apart(g: Goal) -> None:
        k = g.apply(outside, "i", "j")
        g.left_or_right(0)
        g.close_by(k)

    def index(g: Goal, x: str, low: int, then: Callable[[Goal, int, str], None]) -> None:
        if low > 1:
            g.apply(g.fact("int_lt", low - 1, x))
        if low == n:
            then(g, low, g.have(f"{x} = {low}", lambda g: g.antisym()))
        else:
            g.em(
                f"{x} <= {low}",
                lambda g: then(g, low, g.have(f"{x} = {low}", lambda g: g.antisym())),
                lambda g: index(g, x, low + 1, then),
            )

    def entry(g: Goal, a: int, ea: str, b: int, eb: str) -> None:
        g.left_or_right(value(a, b))
        g.rewrite(ea)
        g.rewrite(eb)
        g.field()

    def within(g: Goal) -> None:
        g.split("apart")
        index(g, "i", 1, lambda g, a, ea: index(g, "j", 1, lambda g, b, eb: entry(g, a, ea, b, eb)))

    g.em(f"i < 1 or {n} < i or j < 1 or {n} < j", apart, within, name="apart")


@refuted(
    "shin2025.theorem-7-loss",
    f"{THEOREM_7} {loss('t')} <= {loss('a')}*exp(-1/2*s^2*t)",
    argument="repaired",
    reading=f"{SHIFTED} t is the time of the flow, as in the rest of the statement.",
    context=CONTEXT,
    reason=(
        "At t = T_1 > 0 the bound says that a positive loss is at most a smaller number. Counterexample: d = 1, T_1 = 1, "
        "A = B = 1 at T_1, target 13/12, where the loss condition holds with equality. Theorem 26 counts the time from "
        "the start."
    ),
)
def time_is_not_counted_from_the_start(g: Goal) -> None:
    """d = 1, T_1 = 1, A(1) = B(1) = 1, one observation 13/12, at t = 1."""
    one, z = "had([[1]], [[1]])", "[[13/12]]"
    h = g.fact("two_layer_flow", 1, 1, 1, "[[1]]", "[[1]]", "[[1]]", z)
    a0, b0, f = g.obtain(h, "A", "B")
    g.witness("1", "1", one, z, "lam t:R. A(t - 1)", "lam t:R. B(t - 1)", "sqrt(2)", "sqrt(2)")
    ea = g.have("A(1 - 1) = [[1]]", lambda g: g.nc((a0, 1, None, None)))
    eb = g.have("B(1 - 1) = [[1]]", lambda g: g.nc((b0, 1, None, None)))

    def along(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        v, w = g.split(g.apply(f, f"{t} - 1"))
        g.conj(lambda g: g.nc((v, 1, None, None)), lambda g: g.nc((w, 1, None, None)))

    here = at_start(ea, eb)

    def late(g: Goal) -> None:
        e = g.have("exp(-1) < 1", lambda g: g.ball())
        g.pos(["1/288", f"@{e}"])

    extreme = singular_value(here, "[[1]]")
    close_all(
        g,
        None,
        None,
        lambda g: binary(g, one, 1, lambda i, j: 1),
        along,
        *[None, *extreme],
        *[None, *extreme],
        here(lambda g: g.ext(lambda g: g.field())),
        here(lambda g: g.pos()),
        lambda g: (g.witness("1"), g.conj(None, here(late)))[-1],
    )


@amendment(
    "shin2025.theorem-7-loss",
    f"{THEOREM_7} {loss('t')} <= {loss('a')}*exp(-1/2*s^2*(t - a))",
    says="with the time since the start of post-training: exp(-sigma_min^2 (t - T_1)/2)",
    uses=[CORE],
)
def loss_decays_from_the_start_of_post_training(g: Goal) -> None:
    """Theorem 26 from the time T_1."""
    hs = g.intro()
    h = from_time_zero(g, CORE, "part:captured", hs[3], balanced=False)
    h = g.split(h)[0]
    g.pos([f"@{h}"])


@holds(
    "shin2025.theorem-7-stable-rank",
    f"{THEOREM_7} {printed_bound('A(a)')} <= {stable_rank('A(t)')}",
    argument="repaired",
    uses=["shin2025.corollary-27-stable-rank"],
    reading=SHIFTED,
    context=CONTEXT,
    reason="As for Corollary 27: the printed argument gives the bound with sigma_min/(4 sqrt d).",
)
def stable_rank_from_the_start_of_post_training(g: Goal) -> None:
    """Corollary 27 from the time T_1."""
    hs = g.intro()
    h = from_time_zero(g, "shin2025.corollary-27-stable-rank", "statement", hs[3])
    g.close_by(h)


GRADIENT = "all t:R. 0 <= t => A'(t) = -(G(t) @ T(B(t))) and B'(t) = -(T(A(t)) @ G(t))"


@holds(
    "shin2025.theorem-7-equal-stable-rank",
    f"""all d:Z, A B G:R~>M(d,d). 1 <= d => ({GRADIENT}) => T(A(0)) @ A(0) = B(0) @ T(B(0)) =>
        all t:R. 0 <= t => {stable_rank("A(t)")} = {stable_rank("B(t)")}""",
    argument="sound",
    uses=[CORE],
    reading="G(t) is the gradient of the loss at the product W(t).",
)
def equal_stable_ranks(g: Goal) -> None:
    """A^T A = B B^T at all times."""
    hs = g.intro()
    b = g.apply(g.lemma(CORE, "part:balanced", "d", "d", "d", "A", "B", "G"), "t")
    g.have("1 <= 1")
    sv = g.have("sv(A(t),1) = sv(B(t),1)", lambda g: equal_singular_values(g, b, "1"))
    n = g.have("tr(T(A(t)) @ A(t)) = tr(B(t) @ T(B(t)))", lambda g: (g.rewrite(b), g.refl())[-1])
    n = g.have("tr(T(A(t)) @ A(t)) = tr(T(B(t)) @ B(t))", lambda g: g.field((n, 1)))
    x, y = g.fact("spec_is_sv", "d", "d", "A(t)"), g.fact("spec_is_sv", "d", "d", "B(t)")
    e = g.have("spec(A(t)) = spec(B(t))", lambda g: g.field((x, 1), (y, -1), (sv, 1)))
    g.rewrite(e)
    g.rewrite(n)
    g.refl()
    del hs
