"""Remarks of Appendix A.2 about the post-training problem: its start, its symmetry, the ground truth of rank 1, the limit."""

from __future__ import annotations

from proofs.shin2025.entries_of_2x2 import at_each_entry
from proofs.shin2025.warm_start_flow import PAPER, claim, of_flow, product
from proofs.shin2025.warm_start_loss import USES
from proofs.shin2025.warm_start_stable_rank import CONVERGES, by_rank, limit_values
from verify.kernel import Goal
from verify.registry import holds

TRUTH = "rank([[w, v], [z, w]]) = 1"


@holds(
    f"{PAPER}.assertion-a2-limit",
    "all a:R. 0 < a => tends(m, [[a, a/m], [a/m, a]], a*I(2))",
    argument="sound",
)
def scaled_identity_as_a_limit(g: Goal) -> None:
    """a/m tends to 0."""
    g.intro()
    _, back = g.split(g.fact("tends_matrix", "2", "2", "a*I(2)", "lam m:R. [[a, a/m], [a/m, a]]"))
    inverse = g.by_fact("tends_scale", "a", "0", "lam m:R. 1/m", by=[lambda g: g.close_by(g.fact("tends_inverse"))])
    off = g.by_fact("tends_ext", "1", "a*0", "lam m:R. a*(1/m)", "lam m:R. a/m", by=[None, lambda g: g.close_by(inverse)])
    diagonal = g.fact("tends_const", "a")

    def entry(g: Goal) -> None:
        g.intro()

        def pick(g: Goal, i: int, j: int) -> None:
            base = diagonal if i == j else off
            value = "a" if i == j else "a/m"
            ext = g.by_fact(
                "tends_ext",
                "1",
                "a" if i == j else "a*0",
                f"lam m:R. {value}",
                f"lam m:R. [[a, a/m], [a/m, a]][{i},{j}]",
                by=[None, lambda g: g.close_by(base)],
            )
            g.exact(ext)

        at_each_entry(g, pick)

    g.close_by(g.apply(back, by=[entry]))


W, V = "(A(t) @ B(t))", "(T(B(t)) @ T(A(t)))"
UPPER = f"[[{W}[1,1] - w, {W}[1,2] - v], [0, {W}[2,2] - w]]"
LOWER = f"[[{V}[1,1] - w, 0], [{V}[2,1] - v, {V}[2,2] - w]]"
REVEALED_12 = f"""A(0) = sqrt(w)*I(2) and B(0) = sqrt(w)*I(2) and
   all t:R. 0 <= t => D(u, A(u), t) = -({UPPER} @ T(B(t))) and D(u, B(u), t) = -(T(A(t)) @ {UPPER})"""
REVEALED_21 = f"""T(B(0)) = sqrt(w)*I(2) and T(A(0)) = sqrt(w)*I(2) and
   all t:R. 0 <= t => D(u, T(B(u)), t) = -({LOWER} @ T(T(A(t)))) and D(u, T(A(u)), t) = -(T(T(B(t))) @ {LOWER})"""


@holds(
    f"{PAPER}.assertion-a2-wlog",
    f"all w v:R, A B:R~>M(2,2). 0 < w => 0 < v => (({REVEALED_12}) <=> ({REVEALED_21}))",
    argument="sound",
    reading=(
        "Transposition (A, B) -> (B^T, A^T) exchanges the problem with (1,2) revealed and the one with (2,1) revealed "
        "(same value), and keeps the start (45)."
    ),
)
def transposition_exchanges_the_problems(g: Goal) -> None:
    """The residual of the transposed product is the transposed residual; transpose both equations."""
    g.intro()

    def transposed(g: Goal, h: str) -> str:
        """The transpose of an equation."""
        left, right = g.hyp_formula(h)[1:]
        return g.have(("=", ("T", left), ("T", right)), lambda g: (g.rewrite(h), g.refl()))

    def rate(g: Goal, flow: str) -> None:
        g.intro()
        same = g.have(f"{LOWER} = T({UPPER})", lambda g: g.ext())
        first, second = (transposed(g, h) for h in g.split_all(g.apply(flow, "t")))
        g.conj(
            lambda g: g.nc((second, 1, None, None), rw=[same]),
            lambda g: g.nc((first, 1, None, None), rw=[same]),
        )

    def turn(g: Goal) -> None:
        a, b, flow = g.split_all(g.assume())
        ta, tb = transposed(g, a), transposed(g, b)
        g.conj(lambda g: g.nc((tb, 1, None, None)), lambda g: g.nc((ta, 1, None, None)), lambda g: rate(g, flow))

    g.iff(turn, turn)


@holds(
    f"{PAPER}.assertion-a2-rank1-value",
    f"all w v z:R. 0 < w => 0 < v => {TRUTH} => z = w^2/v and 0 < z",
    argument="sound",
)
def entry_of_a_rank_one_truth(g: Goal) -> None:
    """The determinant vanishes."""
    _, _, r = g.intro()
    z = g.have("z = w^2/v", lambda g: by_rank(g, r))
    g.conj(lambda g: g.close_by(z), lambda g: g.pos(["w^2/v"], eqs=[(z, "1")]))


@holds(
    f"{PAPER}.assertion-a2-opposite-sign",
    claim(f"ex l:R. tends(t, {product('t')}[2,1], l) and l < 0 and all z:R. {TRUTH} => 0 < z"),
    argument="sound",
    uses=[*USES, f"{PAPER}.assertion-a2-rank1-value"],
    reading="z is the unobserved entry of a ground truth of rank 1.",
)
def limit_has_the_opposite_sign(g: Goal) -> None:
    """w21 decreases and is negative at every t > T_1."""
    hs = g.intro()
    k = g.obtain(of_flow(g, hs, "lemma-22-w12", "part:limit"), "l")
    g.witness("l")

    def truth(g: Goal) -> None:
        g.intro()
        both = g.lemma(f"{PAPER}.assertion-a2-rank1-value", "statement", "w", "v", "z", by=[None] * 3)
        _, p = g.split(both)
        g.close_by(p)

    g.conj(lambda g: g.close_by(k[1]), lambda g: g.close_by(k[2]), truth)


@holds(
    f"{PAPER}.assertion-a2-values-unchanged",
    claim(f"""ex X:M(2,2). {CONVERGES} and
      all i:Z. i = 1 or i = 2 => w*exp(-(2*v/w)) <= sv(X,i) and sv(X,i) <= w*exp(2*v/w)"""),
    argument="sound",
    uses=USES,
    reading="Both singular values stay within the factor e^(2 w12*/w*) of w*, which tends to 1 with w12*/w*.",
)
def singular_values_stay_near(g: Goal) -> None:
    """Lemma 25 and s2 <= s1."""
    hs = g.intro()
    k = limit_values(g, hs)
    rng = g.fact("sv_range", "2", "2", "X")
    _, order = g.split_all(g.apply(rng, "1", "2"))
    order = g.apply(order)
    g.witness("X")

    def values(g: Goal) -> None:
        h = g.intro()[0]

        def one(g: Goal) -> None:
            g.rewrite(list(g.seq.hyps)[-1])
            g.conj(lambda g: g.pos(["@" + k[2]], ["@" + order]), lambda g: g.close_by(k[1]))

        def two(g: Goal) -> None:
            g.rewrite(list(g.seq.hyps)[-1])
            g.conj(lambda g: g.close_by(k[2]), lambda g: g.pos(["@" + k[1]], ["@" + order]))

        g.cases(h, one, two)

    g.conj(lambda g: g.close_by(k[0]), values)
