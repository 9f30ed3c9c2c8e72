"""Appendix A.1, A.2, C.1 and the abstract: the observation sets, the rank after a decoupled pre-training, full observation."""

from __future__ import annotations

from proofs.shin2025.gradients import CONNECTED
from proofs.shin2025.partitions import inside
from proofs.shin2025.shallow_cases import BINARY, IFF, OBSERVED, READING, SHALLOW, SHALLOW_DECOUPLED, SHALLOW_VARIABLES
from proofs.shin2025.shallow_coupling import GENERIC
from proofs.shin2025.warm_start_flow import CORE, PAPER, claim, product
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

DIAGONAL = f"(all d:Z. 2 <= d => not {CONNECTED.replace('Om[', 'I(d)[')})"
RANK_TWO = claim(f"ex X:M(2,2). tends(t, {product('t')}, X) and X[1,1] = w and X[1,2] = v and X[2,2] = w and rank(X) = 2")
SETTING = "d = 2, post-training from sqrt(w*) I on the entries (1,1), (1,2), (2,2), with T_1 = 0 [A.2]"


@holds(
    f"{PAPER}.def-pre-post-sets",
    f"{DIAGONAL} and ncomp(I(2)) = 2 and ncomp([[1,1],[0,1]]) = 1 and ncomp([[1,0],[1,1]]) = 1",
    argument="sound",
    context="a definition [the claim itself]",
    reading="the diagonal pre-training sets are disconnected for every d >= 2, and for d = 2 either"
    " off-diagonal observation makes the"
    " pattern connected",
)
def diagonal_sets_are_disconnected(g: Goal) -> None:
    """The labels r(i) = i, c(j) = j agree along the diagonal; the small patterns are counted."""

    def apart(g: Goal) -> None:
        g.fix("d")
        g.assume("size")
        g.have("1 <= d")
        h = g.assume()
        k = g.apply(h, "lam i:Z. i", "lam j:Z. j", by=[labels])
        c = g.apply(k, "1", "1", "2", "2", by=[lambda q: q.conj(lambda q: q.field(), lambda q: q.field())])
        g.pos([], eqs=[(c, "1")])

    def labels(g: Goal) -> None:
        g.fix("i", "j")
        one = g.assume()
        ne = g.contra()
        inside(g, "i", "j", one, "I(d)")
        z = g.have("I(d)[i,j] = 0", lambda q: q.field())
        del ne
        g.pos([], eqs=[(one, "1"), (z, "-1")])

    g.conj(apart, *[lambda q: q.compute()] * 3)


@part(CORE, "rank-two", RANK_TWO, says="the limit of the post-training has rank 2")
def the_limit_has_rank_two(g: Goal) -> None:
    """Its determinant is w^2 - v l with l < 0."""
    g.fix()
    for name in ("w_lo", "v_lo", "a0", "b0", "flow"):
        g.assume(name)

    def flow(g: Goal) -> None:
        g.fix()
        g.assume()
        g.close_by(g.apply("flow", list(g.seq.ctx)[-1]))

    k = g.lemma(CORE, "part:limit", "w", "v", "A", "B", by=[None, None, None, None, flow])
    hs = g.obtain(k, "l")
    limit = "[[w,v],[l,w]]"
    g.witness(limit)

    def rank(g: Goal) -> None:
        _, back = g.split(g.by_fact("rank_full", "2", limit))
        positive = g.have(f"0 < det({limit})", lambda q: q.pos(["w", "w"], ["v", f"@{hs[2]}"]))
        zero = lambda q: (z := q.contra(), q.pos([f"@{positive}"], eqs=[(z, "-1")]))[-1]  # noqa: E731
        ne = g.have(f"det({limit}) != 0", zero)
        g.close_by(g.apply(back, by=[lambda q: q.close_by(ne)]))

    number = lambda q: q.field()  # noqa: E731
    g.conj(lambda q: q.close_by(hs[0]), number, number, number, rank)


def again(g: Goal) -> None:
    """The part."""
    g.close_by(g.lemma(CORE, "part:rank-two"))


@holds(
    f"{PAPER}.assertion-a1-cannot-low-rank",
    RANK_TWO,
    covers="instances",
    because="the setting of A.2; the d x d setting of A.3 is the subject of Theorem 26 and Corollary 27",
    argument="sound",
    context=SETTING,
    reading="the limit exists, fits the observations and has full rank 2",
    uses=[CORE],
)
def warm_starts_do_not_reach_rank_one(g: Goal) -> None:
    """The determinant of the limit is positive."""
    again(g)


@holds(
    f"{PAPER}.assertion-abstract-plasticity-depth2",
    RANK_TWO,
    covers="instances",
    because="the setting of A.2 stands for all depth-2 networks with decoupled pre-training; the sentence announces that theorem",
    argument="sound",
    context=SETTING,
    reading="after a pre-training on the diagonal (decoupled at depth 2) the limit of the post-training on a"
    " connected pattern has full"
    " rank 2",
    uses=[CORE],
)
def decoupled_pretraining_ends_at_full_rank(g: Goal) -> None:
    """The determinant of the limit is positive."""
    again(g)


@holds(
    f"{PAPER}.assertion-c1-full-observation",
    """(all d:Z, Ws X:M(d,d). (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => X[i,j] = Ws[i,j]) => X = Ws and
         rank(X) = rank(Ws)) and
       (ex d:Z, Om Ws X:M(d,d). (all i j:Z. Om[i,j] = 0 or Om[i,j] = 1) and rank(Ws) <= 1 and
         (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => Om[i,j] = 1 => X[i,j] = Ws[i,j]) and rank(X) = 2)""",
    argument="sound",
    reading="zero loss with all entries observed means X = W*, so the rank is that of W*; with partial"
    " observations there is a zero-loss"
    " X of larger rank",
)
def full_observation_fixes_the_rank(g: Goal) -> None:
    """Equal entries are equal matrices; the identity agrees with the matrix of ones on the diagonal."""

    def full(g: Goal) -> None:
        g.fix()
        h = g.assume()

        def entries(g: Goal) -> None:
            g.extn("i", "j")
            g.close_by(g.apply(h, "i", "j"))

        e = g.have("X = Ws", entries)
        g.conj(lambda q: q.close_by(e), lambda q: (q.rewrite(e), q.refl())[-1])

    def partial(g: Goal) -> None:
        g.witness("2", "I(2)", "J(2)", "I(2)")

        def binary(g: Goal) -> None:
            g.fix("i", "j")
            outside = g.fact("entry_outside", "2", "2", "I(2)")

            def out(g: Goal) -> None:
                g.left_or_right(0)
                g.close_by(g.apply(outside, "i", "j"))

            def within(g: Goal) -> None:
                g.split(list(g.seq.hyps)[-1])

                def same(g: Goal) -> None:
                    eq = list(g.seq.hyps)[-1]
                    g.left_or_right(1)
                    g.rewrite(g.have("j = i", lambda q: q.field((eq, -1))))
                    g.field()

                g.em("i = j", same, lambda q: (q.left_or_right(0), q.field())[-1])

            g.em("i < 1 or 2 < i or j < 1 or 2 < j", out, within)

        def agree(g: Goal) -> None:
            g.fix("i", "j")
            g.split(g.assume())
            one = g.assume()
            g.field((one, "1"))

        g.conj(binary, lambda q: q.compute(), agree, lambda q: q.compute())

    g.conj(full, partial)


@refuted(
    f"{PAPER}.assertion-a1-decoupled-to-coupled",
    f"{SHALLOW_VARIABLES} 1 <= d => 1 <= n => {BINARY} => {OBSERVED} => {SHALLOW} => ({CONNECTED} <=> not {SHALLOW_DECOUPLED})",
    argument="fails",
    reading="the dynamics are coupled exactly if the pattern is connected, from every start. " + READING,
    reason="with the connected observations (1,1), (2,1) a start from A = 0, B = 0 stays there and is decoupled",
    uses=[IFF],
)
def connected_and_decoupled(g: Goal) -> None:
    """The counterexample to the equivalence of Section 3.2."""
    g.close_by(g.lemma(IFF, "negation"))


@amendment(
    f"{PAPER}.assertion-a1-decoupled-to-coupled",
    f"""{DIAGONAL} and ({SHALLOW_VARIABLES} 1 <= d => {BINARY} => {SHALLOW} => (not {CONNECTED} => {SHALLOW_DECOUPLED}) and
        ({GENERIC} => ({CONNECTED} <=> not {SHALLOW_DECOUPLED})))""",
    says="Diagonal patterns are disconnected, and disconnected patterns decoupled; from starts without"
    " orthogonal rows of A or columns of"
    " B the dynamics are coupled exactly if the pattern is connected.",
    uses=[IFF, f"{PAPER}.def-pre-post-sets"],
)
def generic_starts_couple_exactly_on_connected_patterns(g: Goal) -> None:
    """The amended equivalence of Section 3.2."""

    def diagonal(g: Goal) -> None:
        g.close_by(g.split(g.lemma(f"{PAPER}.def-pre-post-sets"))[0])

    g.conj(diagonal, lambda q: q.close_by(q.lemma(IFF, "amendment")))
