"""Appendix E.2 and A.2: adding w12* couples the dynamics, and what Theorem 6 then says of the limit."""

from __future__ import annotations

import re

from proofs.shin2025.entries_of_2x2 import by_entry
from proofs.shin2025.gradients import SHALLOW_DECOUPLED, shallow_inner
from proofs.shin2025.partitions import inside
from proofs.shin2025.shallow_cases import IFF
from proofs.shin2025.warm_start_flow import CORE, PAPER, claim, enter, entries, of_flow, of_reduced
from proofs.shin2025.warm_start_loss import USES
from proofs.shin2025.warm_start_stable_rank import BOUND, CONVERGES, RATIO
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

LINK = f"{PAPER}.fig-10-reduced-theory"
PATTERN = "[[1,1],[0,1]]"


def two(text: str) -> str:
    """A text about d x d matrices of rank n and the pattern Om, for d = n = 2 and the three entries."""
    return re.sub(r"\b[dn]\b", "2", text).replace("Om[", f"{PATTERN}[")


DECOUPLED = two(SHALLOW_DECOUPLED)


def inner(i: int, j: int, x: int, y: int, t: str) -> str:
    """The inner product of the gradients of two entries at a time."""
    return two(shallow_inner(str(i), str(j), str(x), str(y))).replace("(t)", f"({t})")


STARTS = " and ".join(f"{inner(*pair, '0')} = 0" for pair in ((1, 1, 1, 2), (1, 2, 2, 2), (1, 1, 2, 2)))


@part(
    LINK,
    "edges",
    f"all i j:Z. {PATTERN}[i,j] = 1 => 1 <= i and i <= 2 and 1 <= j and j <= 2 and i <= j",
    says="The observed entries.",
)
def observed_entries(g: Goal) -> None:
    """Entries outside a matrix are 0, and so is the entry (2,1)."""
    g.fix("i", "j")
    edge = g.assume()
    bounds = inside(g, "i", "j", edge, PATTERN, "2")

    def below(g: Goal) -> None:
        def entry(g: Goal, ki: str, i: int, kj: str, j: int) -> None:
            if i <= j:
                g.rewrite(ki)
                g.rewrite(kj)
                g.compute()
                return
            z = g.have(f"{PATTERN}[i,j] = 0", lambda g: (g.rewrite(ki), g.rewrite(kj), g.field())[-1])
            g.contra()
            g.pos([], eqs=[(edge, "1"), (z, "-1")])

        by_entry(g, entry)

    last = g.have("i <= j", below)
    g.conj(*[lambda g, b=b: g.close_by(b) for b in (*bounds, last)])  # type: ignore[misc]


@part(
    LINK,
    "coupled",
    claim(f"{STARTS} and (all t:R. 0 < t => 0 < {inner(1, 1, 1, 2, 't')} and 0 < {inner(1, 2, 2, 2, 't')}) and not {DECOUPLED}"),
    says="All inner products of the gradients vanish at T_1; after T_1 those that link the three entries are positive, and the"
    " dynamics are coupled (Definition 2).",
    uses=[*USES, IFF],
)
def the_new_entry_couples_the_dynamics(g: Goal) -> None:
    """Both inner products are a11 a21 + a12 a22 = p r + q s, which is positive for t > 0; any two parts would separate (1,2) from
    a neighbour."""
    hs, red, ent = enter(g)
    rows = {
        (1, 1, 1, 2): ("same-row", ("1", "1", "2"), "B(t)[1,1]*B(t)[1,2] + B(t)[2,1]*B(t)[2,2]"),
        (1, 2, 2, 2): ("same-column", ("1", "2", "2"), "A(t)[1,1]*A(t)[2,1] + A(t)[1,2]*A(t)[2,2]"),
    }
    signs = of_reduced(g, red, "signs")

    def value(g: Goal, pair: tuple[int, int, int, int], t: str) -> str:
        """The inner product by entries of the factors."""
        role, places, products = rows[pair]
        h = g.lemma(IFF, f"part:{role}", "2", "2", "A", "B", t, *places, by=[None, None])
        return g.have(f"{inner(*pair, t)} = {products.replace('(t)', f'({t})')}", lambda g: g.field((h, "1")))

    def starts(g: Goal) -> None:
        def linked(pair: tuple[int, int, int, int]) -> Script:
            def script(g: Goal) -> None:
                k = value(g, pair, "0")
                start = hs[3 if pair == (1, 1, 1, 2) else 2]
                z = g.have(f"{rows[pair][2].replace('(t)', '(0)')} = 0", lambda g: (g.rewrite(start), g.field())[-1])
                g.field((k, "1"), (z, "1"))

            return script

        def apart(g: Goal) -> None:
            g.close_by(g.lemma(IFF, "part:orthogonal", "2", "2", "A", "B", "0", "1", "1", "2", "2", by=[None, None]))

        g.conj(linked((1, 1, 1, 2)), linked((1, 2, 2, 2)), apart)

    def positive(g: Goal) -> None:
        g.fix("t")
        g.assume()
        _x, _f, cross = g.split_all(g.apply(signs, "t"))
        e = entries(g, ent, "t")

        def one(pair: tuple[int, int, int, int]) -> Script:
            def script(g: Goal) -> None:
                k = value(g, pair, "t")
                g.pos(["@" + cross], eqs=[(k, "1")], rw=e[:8])

            return script

        g.conj(*[one(pair) for pair in rows])

    def coupled(g: Goal) -> None:
        _many, _range, members, orthogonal = g.obtain(g.assume(), "K", "part")

        def together(g: Goal, pair: tuple[int, int, int, int]) -> str:
            i, j, x, y = pair

            def same(g: Goal) -> None:
                ne = g.contra()
                both = g.have(
                    f"{PATTERN}[{i},{j}] = 1 and {PATTERN}[{x},{y}] = 1 and part({i},{j}) != part({x},{y})",
                    lambda g: g.conj(lambda g: g.field(), lambda g: g.field(), lambda g: g.close_by(ne)),
                )
                z = g.apply(orthogonal, str(i), str(j), str(x), str(y), "1", by=[lambda g: g.close_by(both), None])
                linked = g.split_all(g.apply(after, "1"))[list(rows).index(pair)]
                g.pos(["@" + linked], eqs=[(z, "-1")])

            return g.have(f"part({i},{j}) = part({x},{y})", same)

        row, column = (together(g, pair) for pair in rows)
        edges = g.lemma(LINK, "part:edges")

        def part_is(g: Goal, k: int) -> str:
            """The part of (1,2) is number k, since each part has a member and all members are together."""

            def script(g: Goal) -> None:
                _edge, number = g.obtain(g.apply(members, str(k)), "i", "j")
                bounds = g.split_all(g.apply(edges, "i", "j"))

                def entry(g: Goal, ki: str, i: int, kj: str, j: int) -> None:
                    if i > j:
                        g.contra()
                        g.pos([], ["@" + bounds[4]], rw=[ki, kj])
                        return
                    here = g.rewritten(g.rewritten(number, ki), kj)
                    link = {(1, 1): [(row, "-1")], (1, 2): [], (2, 2): [(column, "1")]}[i, j]
                    g.field((here, "1"), *link)

                by_entry(g, entry)

            return g.have(f"part(1,2) = {k}", script)

        first, second = part_is(g, 1), part_is(g, 2)
        g.pos([], eqs=[(first, "-1"), (second, "1")])

    start = g.have(STARTS, starts)
    after = g.have(f"all t:R. 0 < t => 0 < {inner(1, 1, 1, 2, 't')} and 0 < {inner(1, 2, 2, 2, 't')}", positive)

    def split(g: Goal) -> None:
        g.close_by(after)

    g.conj(*[lambda g, h=h: g.close_by(h) for h in g.split_all(start)], split, coupled)  # type: ignore[misc]


@holds(
    LINK,
    claim(
        f"not {DECOUPLED} and (ex X:M(2,2). {CONVERGES} and X[1,1] = w and X[1,2] = v and X[2,2] = w and rank(X) = 2) and"
        f" ex X:M(2,2). {CONVERGES} and {BOUND} <= {RATIO}"
    ),
    argument="sound",
    context=(
        "d = 2, post-training from sqrt(w*) I, the end of the diagonal pre-training (eq-10), on the entries (1,1), (1,2), "
        "(2,2), with T_1 = 0 [A.2]"
    ),
    reading="in the scenario of A.2 the dynamics are coupled in the sense of Definition 2, and the limit of the flow exists, fits"
    " the observations, has rank 2 and the stable rank of Theorem 6 at least. That Figures 10 and 11 agree with it is shown by the"
    " runs (an experiment of this claim)",
    uses=[CORE, f"{PAPER}.theorem-6-stable-rank"],
)
def theorem_6_applies_after_a_diagonal_pretraining(g: Goal) -> None:
    """The coupling by the inner products after T_1, the rank by the determinant, the stable rank by Theorem 6."""
    hs = g.intro()
    coupled = g.split_all(of_flow(g, hs, "fig-10-reduced-theory", "part:coupled"))[-1]
    rank = of_flow(g, hs, "lemma-22-w12", "part:rank-two")
    stable = of_flow(g, hs, "theorem-6-stable-rank")
    g.conj(lambda g: g.close_by(coupled), lambda g: g.close_by(rank), lambda g: g.close_by(stable))


POST = f"{PAPER}.assertion-a2-post-coupled"


@holds(
    POST,
    claim(f"ncomp(I(2)) = 2 and ncomp({PATTERN}) = 1 and not {DECOUPLED}"),
    argument="sound",
    reading="the pattern becomes connected, and no partition of the three observations has orthogonal gradients across its parts"
    " at all times t >= T_1",
    readings=[
        (
            "the gradients of two observed entries are not orthogonal at T_1 itself",
            "refuted",
            "orthogonal-at-start",
            "all three inner products at T_1 are shown to be 0",
        ),
    ],
    uses=[LINK],
)
def adding_an_entry_couples_the_flow(g: Goal) -> None:
    """The components are counted; the coupling is a part of the claim on Figures 10 and 11."""
    hs = g.intro()[:5]
    coupled = g.split_all(of_flow(g, hs, "fig-10-reduced-theory", "part:coupled"))[-1]
    g.conj(lambda g: g.compute(), lambda g: g.compute(), lambda g: g.close_by(coupled))


@part(
    POST,
    "orthogonal-at-start",
    claim(STARTS),
    says="At T_1 the gradients of different observed entries are orthogonal: the coupling shows only afterwards.",
    uses=[LINK],
)
def gradients_are_orthogonal_at_the_start(g: Goal) -> None:
    """See the claim on Figures 10 and 11."""
    hs = g.intro()[:5]
    start = g.split_all(of_flow(g, hs, "fig-10-reduced-theory", "part:coupled"))[:3]
    g.conj(*[lambda g, h=h: g.close_by(h) for h in start])  # type: ignore[misc]
