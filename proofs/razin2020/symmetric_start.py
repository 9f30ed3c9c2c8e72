"""Proof of Lemma 20: continuity of the sign of the trace, factors that are multiples of the identity, depth 1."""

from __future__ import annotations

from proofs.razin2020.factorisation import BALANCED, FLOW, factors
from proofs.razin2020.scaled_identity import GRADIENT, PROP_4
from proofs.razin2020.scripts import nested, only, using
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted


@holds(
    "razin2020.lemma-20-step-symmetric-factors",
    """all d L:Z, al b:R, W P:Z->M(d,d). 1 <= L => 0 < al => b = al^(1/L) => (all l:Z. 1 <= l and l <= L => W(l) = b*I(d)) => P(0) = I(d) =>
       (all l:Z. 1 <= l and l <= L => P(l) = W(l) @ P(l-1)) =>
       P(L) = al*I(d) and (all l:Z. 1 <= l and l <= L => W(l) = T(W(L-l+1))) and
       (all l:Z. 1 <= l and l <= L - 1 => T(W(l+1)) @ W(l+1) = W(l) @ T(W(l)))""",
    argument="sound",
    reading="P(l) = W_l ... W_1, b = alpha^(1/L)",
)
def scaled_identity_factors(g: Goal) -> None:
    """P(l) = b^l I and b^L = alpha."""
    g.fix()
    depth, positive, root, factor, start, steps = (g.assume() for _ in range(6))

    def grow(g: Goal) -> None:
        ih = g.induct("l")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))
        high = g.assume()

        def base(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            g.nc((start, 1, None, None))

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            k = g.by_fact("int_lt", 0, "l", by=[using(strict)])
            one = g.have("1 <= l", lambda g: g.pos([f"@{k}"]))
            pair = [lambda g: g.conj(using(one), using(high))]
            p, w = g.apply(steps, "l", by=pair), g.apply(factor, "l", by=pair)
            before = g.apply(
                ih,
                "l - 1",
                by=[lambda g: g.conj(lambda g: g.pos([f"@{one}"]), lambda g: g.pos([1])), lambda g: g.pos([f"@{high}"], [1])],
            )
            pb = g.have("0 < b", lambda g: (only(g, root, positive, depth), root_is_positive(g, root, depth))[-1])
            only(g, p, w, before, pb)
            g.nc((p, 1, None, None), (w, 1, None, "P(l-1)"), (before, "b", None, None))

        g.cases(g.by_fact("lt_or_eq", 0, "l", by=[using(lo)]), step, base)

    powers = g.have("all l:Z. 0 <= l => l <= L => P(l) = b^l*I(d)", grow)

    def product(g: Goal) -> None:
        k = g.apply(powers, "L", by=[lambda g: g.pos([f"@{depth}"], [1]), Goal.refl])
        pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
        p = g.by_fact("pow_pow", "al", "1/L", "L", by=[using(positive)])
        one = g.have("(1/L)*L = 1", lambda g: (only(g, pl), g.field())[-1])
        p = g.rewritten(p, one)
        back = g.have("al^(1/L) = b", lambda g: g.field((root, -1)))
        p = g.rewritten(p, back)
        p = g.have("b^L = al", lambda g: (only(g, p), g.field((p, 1)))[-1])
        only(g, k, p)
        g.rewrite(k)
        g.rewrite(p)
        g.refl()

    def mirrored(g: Goal) -> None:
        g.fix("l")
        low, high = g.split(g.assume())
        a = g.apply(factor, "l", by=[lambda g: g.conj(using(low), using(high))])
        c = g.apply(factor, "L - l + 1", by=[lambda g: g.conj(lambda g: g.pos([f"@{high}"]), lambda g: g.pos([f"@{low}"]))])
        only(g, a, c)
        g.nc(rw=[a, c])

    def balanced(g: Goal) -> None:
        g.fix("l")
        low, high = g.split(g.assume())
        a = g.apply(factor, "l", by=[lambda g: g.conj(using(low), lambda g: g.pos([f"@{high}"], [1]))])
        c = g.apply(factor, "l + 1", by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"], [1]), lambda g: g.pos([f"@{high}"]))])
        only(g, a, c)
        g.nc(rw=[a, c])

    g.conj(product, mirrored, balanced)


def root_is_positive(g: Goal, root: str, depth: str) -> None:
    """0 < alpha^(1/L)."""
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    g.rewrite(root)
    g.auto()
    del pl


@holds(
    "razin2020.lemma-20-step-continuity",
    """all X:R~>M(2,2). (all t:R. 0 <= t => T(X(t)) = X(t) and 0 < det(X(t))) => (all v:M(2,1). v != O(2,1) => 0 < tr(T(v) @ X(0) @ v)) =>
       all t:R. 0 <= t => 0 < X(t)[1,1] and 0 < X(t)[1,1]*X(t)[2,2] - X(t)[1,2]^2""",
    argument="sound",
    reading="positive definite: the leading minors of the symmetric 2 x 2 matrix are positive",
)
def positive_definiteness_is_kept(g: Goal) -> None:
    """The (1,1) entry is continuous, positive at 0, and never 0, as the determinant w11 w22 - w12^2 is positive."""
    g.fix()
    given, start = g.assume(), g.assume()
    unit = "[[1],[0]]"

    def nonzero(g: Goal) -> None:
        eq = g.contra()
        k = g.have(f"{unit}[1,1] = O(2,1)[1,1]", lambda g: g.ctx(using(eq)))
        g.pos([1], eqs=[(k, -1)])

    first = g.apply(start, unit, by=[nonzero])
    initial = g.have("0 < X(0)[1,1]", lambda g: corner(g, first))

    def minor(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        s, d = g.split(g.apply(given, "t", by=[using(h)]))
        k = g.have("T(X(t))[1,2] = X(t)[1,2]", lambda g: g.ctx(using(s)))
        k = g.have("X(t)[2,1] = X(t)[1,2]", lambda g: g.field((k, 1)))
        only(g, d, k)
        g.pos([f"@{d}"], eqs=[(k, "X(t)[1,2]")])

    minors = g.have("all t:R. 0 <= t => 0 < X(t)[1,1]*X(t)[2,2] - X(t)[1,2]^2", minor)
    g.fix("t")
    low = g.assume()

    def stays(g: Goal) -> None:
        wrong = g.contra()
        k = g.by_fact(
            "first_exit", 0, "t", "lam u:R. X(u)[1,1]", by=[None, using(low), using(initial), lambda g: g.pos([f"@{wrong}"])]
        )
        a, _, zero, _ = g.obtain(k, "c")
        m = g.apply(minors, "c", by=[lambda g: g.pos([f"@{a}"])])
        only(g, m, zero)
        g.pos([f"@{m}"], ["X(c)[1,2]^2"], eqs=[(zero, "-X(c)[2,2]")])

    m = g.apply(minors, "t", by=[using(low)])
    g.conj(stays, using(m))


def corner(g: Goal, first: str) -> None:
    """e_1^T X e_1 is the entry (1,1)."""
    only(g, first)
    one = g.fact("tr_entries", 1, "T([[1],[0]]) @ X(0) @ [[1],[0]]")
    g.pos([f"@{first}"], eqs=[(one, -1)])


@part(
    "razin2020.lemma-20",
    "depth-two",
    f"""{PROP_4} all t:R. 0 <= t => T(X(t)) = X(t) and 0 < X(t)[1,1] and 0 < det(X(t))""",
    says="for depth 2 the product matrix stays symmetric and positive definite",
    uses=["razin2020.lemma-24", "razin2020.lemma-21"],
)
def positive_definite_for_depth_two(g: Goal) -> None:
    """Symmetry from the closed system, the determinant from its own equation."""
    names = g.intro()
    hyps = names[:7]
    args = ["n", "A", "B", "X", "al"]
    sym = g.split(g.apply(g.lemma("razin2020.lemma-24", "part:symmetric", *args, by=[using(h) for h in hyps]), "t"))[0]
    k = g.lemma("razin2020.lemma-21", "part:scalars", *args, by=[using(h) for h in hyps])
    _, _, _, _, positive, entries, off, definite = g.split(g.obtain(k, "p", "q", "r", split=False)[0])
    e = g.split(g.apply(entries, "t"))
    p, o, d = g.split(g.apply(positive, "t"))[0], g.apply(off, "t"), g.apply(definite, "t")
    only(g, sym, *e, p, o, d)
    value = g.have("det(X(t)) = p(t)*r(t) - q(t)^2", lambda g: g.field(rw=[*e, o]))
    g.conj(using(sym), lambda g: g.pos([f"@{p}"], eqs=[(e[0], 1)]), lambda g: g.pos([f"@{d}"], eqs=[(value, 1)]))


DEFINITE = "all t:R. 0 <= t => T(X(t)) = X(t) and 0 < X(t)[1,1] and 0 < det(X(t))"
DEPTH_ONE = (
    f"""(all X:R~>M(2,2), al:R. 0 < al => al <= 1 => X(0) = al*I(2) => (all t:R. 0 <= t => X'(t) = -{GRADIENT}) => {DEFINITE})"""
)
DEEPER = f"""(all {factors("2", "2")}, al:R. 2 <= n => {FLOW} {BALANCED} (all t:R. 0 <= t => G(t) = {GRADIENT}) => 0 < al => al <= 1 =>
         X(0) = al*I(2) => {DEFINITE})"""


@refuted(
    "razin2020.lemma-20",
    f"{DEPTH_ONE} and {DEEPER}",
    reading="depth 1, where the flow is X' = minus the gradient, and depth 2 and more; positive definite: symmetric with positive leading minors",
    reason="stated for every depth, but for depth 1 the flow leaves the positive definite matrices: from I/2 it is [[1/2, 1 - exp(-t)], "
    "[1 - exp(-t), exp(-t)/2]], with a negative determinant at t = 1. The setting of Theorem 1 asks for depth 2 or more",
)
def depth_one_leaves_the_positive_definite_matrices(g: Goal) -> None:
    """The explicit flow of depth 1 from I/2."""
    g.left_or_right(0)
    x = "[[1/2, 1 - exp(-t)], [1 - exp(-t), exp(-t)/2]]"
    g.witness(f"lam t:R. {x}", "1/2")

    def start(g: Goal) -> None:
        g.ext(lambda g: g.field())

    def flow(g: Goal) -> None:
        g.fix("t")
        g.assume()
        k = g.differentiate("t", x, "t")
        g.rewrite(k)
        g.ext(lambda g: g.field())

    def leaves(g: Goal) -> None:
        g.witness(1)

        def negative(g: Goal) -> None:
            g.left_or_right(2)
            only(g)
            value = g.have(
                "det([[1/2, 1 - exp(-1)], [1 - exp(-1), exp(-1)/2]]) = 1/4*exp(-1) - (1 - exp(-1))^2", lambda g: g.field()
            )
            k = g.have("1/4*exp(-1) - (1 - exp(-1))^2 < 0", lambda g: (only(g), g.ball())[-1])
            g.pos([f"@{k}"], eqs=[(value, -1)])

        nested(g, None, negative)

    nested(g, None, lambda g: (only(g), g.ball())[-1], start, flow, leaves)


@amendment(
    "razin2020.lemma-20",
    f"{PROP_4} {DEFINITE}",
    says="for depth 2, the case that Proposition 4 needs; for depth 3 and more it is not shown here",
    uses=["razin2020.lemma-20"],
)
def positive_definite_from_a_scaled_identity(g: Goal) -> None:
    """The part on depth 2."""
    g.fix()
    hyps = [g.assume() for _ in range(7)]
    g.close_by(g.lemma("razin2020.lemma-20", "part:depth-two", *["n", "A", "B", "X", "al"], by=[using(h) for h in hyps]))
