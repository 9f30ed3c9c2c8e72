"""Proposition A.9: positive diagonal entries are learned one after the other from small starts, each at its own time."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.block_steps import DECOUPLED_PAIRS
from proofs.bai2024.one_diagonal_entry import CLAIM
from proofs.bai2024.pairs_of_diagonal_data import (
    DIFFERENCE,
    GENERIC,
    GIVEN,
    NAMES,
    OTHER,
    PAIR_NAMES,
    PRODUCT,
    SIZE,
    START,
    SUM,
    TENDS,
    VARIABLES,
    square,
    squares,
)
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

DISTINCT = "(all i j:Z. 1 <= i and i < j and j <= d => M[j,j] < M[i,i])"
SETTING = f"all {VARIABLES.replace(' tau', '')}. {GIVEN} {GENERIC}"
CONTEXT = (

        "the start (alpha X, alpha Y) with x_i + y_i != 0 for each row x_i of X and column y_i of Y, which excludes a null "
        "set [generic start]; infinitesimal: alpha = exp(-s) tends to 0 [Proposition A.9]"

)
ARRIVAL = "n/(2*M[{i},{i}])"
"""The time at which an entry is learned, in units of log(1/alpha)."""
OFF_TIME = f"(all i:Z. 1 <= i and i <= d => tau != {ARRIVAL.format(i='i')})"


def in_setting(g: Goal) -> list[str]:
    """Fix and assume all of SETTING and DISTINCT; returns the names of the hypotheses."""
    g.fix()
    return [g.assume() for _ in range(9)]


def at_a_time(g: Goal, hs: list[str], part_: str, off: str) -> str:
    """The part in the setting `hs` at the time tau, which is not that of an entry."""
    *given, generic = hs[:8]

    def apart(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.apply(hs[4], "i")
        ne = g.apply(off, "i")
        eq = g.contra()
        k = g.have(f"tau = {ARRIVAL.format(i='i')}", lambda g: g.field((eq, "n/(2*M[i,i])")))
        g.clash(k, ne)

    by: list[Script | None] = [*[lambda g, h=h: g.close_by(h) for h in given], None, lambda g: g.close_by(generic), apart]  # type: ignore[misc]
    return g.lemma(CLAIM, f"part:{part_}", *NAMES, by=by)


def before(g: Goal, positive: str) -> str:
    """From tau < n/(2 M_ii), assumed here, 2/n M_ii tau < 1."""
    h = g.assume()
    m = g.apply(positive, "i")
    return g.have("2/n*M[i,i]*tau < 1", lambda g: g.pos([f"@{h}", f"@{m}", "2/n"]))


def after(g: Goal, positive: str) -> str:
    """From n/(2 M_ii) < tau, assumed here, 1 < 2/n M_ii tau."""
    h = g.assume()
    m = g.apply(positive, "i")
    return g.have("1 < 2/n*M[i,i]*tau", lambda g: g.pos([f"@{h}", f"@{m}", "2/n"]))


@holds(
    CLAIM,
    f"""{SETTING} {DISTINCT} =>
       (all tau:R. 0 <= tau => {OFF_TIME} => all i:Z. 1 <= i and i <= d =>
         (tau < {ARRIVAL.format(i="i")} => tends(s, {PRODUCT}, 0)) and ({ARRIVAL.format(i="i")} < tau => tends(s, {PRODUCT}, M[i,i]))) and
       (all i j:Z. 1 <= i and i < j and j <= d => {ARRIVAL.format(i="i")} < {ARRIVAL.format(i="j")})""",
    argument="repaired",
    reading="at the time tau log(1/alpha) the entry mu_i is 0 in the limit of alpha to 0 as long as tau < n/(2 mu_i), and mu_i afterwards, so that larger"
    " entries are learned at earlier times",
    context=CONTEXT,
)
def larger_entries_are_learned_earlier(g: Goal) -> None:
    """The part times; n/(2 mu) decreases."""
    hs = in_setting(g)
    positive, distinct = hs[4], hs[-1]

    def times(g: Goal) -> None:
        g.fix("tau")
        g.assume()
        rows = at_a_time(g, hs, "times", g.assume())
        g.fix("i")
        inside = g.assume()
        g.split(inside)
        early, late = g.split(g.apply(rows, "i"))

        def side(known: str, premise: Callable[[Goal, str], str]) -> Script:
            def script(g: Goal) -> None:
                p = premise(g, positive)
                g.close_by(g.apply(known, by=[lambda g: g.close_by(p)]))

            return script

        g.conj(side(early, before), side(late, after))

    def order(g: Goal) -> None:
        g.fix("i", "j")
        inside = g.assume()
        g.split(inside)
        less = g.apply(distinct, "i", "j")
        for k, bounds in (("i", ("1 <= i", "i <= d")), ("j", ("1 <= j", "j <= d"))):
            for b in bounds:
                if b not in ("1 <= i", "j <= d"):
                    g.have(b, lambda g: g.nlin(products=1))
            g.apply(positive, k)
        g.pos([f"@{less}", "n"], mul=["2*M[i,i]*M[j,j]"])

    g.conj(times, order)


STAGE = f"""(all i:Z. 1 <= i and i <= d => (tau < {ARRIVAL.format(i="i")} => (all l:Z. Ah[i,l] = 0)) and
  ({ARRIVAL.format(i="i")} < tau => (Ah @ T(Ah))[i,i] = M[i,i]))"""
CRITICAL = "had(P, Ah @ T(Ah) - M) @ T(T(Ah)) = O(d,d) and T(Ah) @ had(P, Ah @ T(Ah) - M) = O(d,d)"


def stage(g: Goal, hs: list[str]) -> tuple[str, str, str, str]:
    """Take the time tau and the point that is reached then; returns OFF_TIME, both limits and STAGE."""
    g.fix("tau")
    g.assume()
    off = g.assume()
    a, b, rows = g.obtain(at_a_time(g, hs, "stages", off), "Ah")

    def point(g: Goal) -> None:
        g.fix("i")
        inside = g.assume()
        g.split(inside)
        early, late = g.split(g.apply(rows, "i"))

        def side(known: str, premise: Callable[[Goal, str], str]) -> Script:
            def script(g: Goal) -> None:
                p = premise(g, hs[4])
                g.close_by(g.apply(known, by=[lambda g: g.close_by(p)]))

            return script

        g.conj(side(early, before), side(late, after))

    return off, a, b, g.have(STAGE, point)


@holds(
    "bai2024.prop-a9-step-decoupling",
    f"""({DECOUPLED_PAIRS}) and ({SETTING} {DISTINCT} => all tau:R. 0 <= tau => {OFF_TIME} =>
       ex Ah:M(d,d). {TENDS} and {STAGE} and {CRITICAL})""",
    argument="sound",
    reading="(A B)_ii is the product of row i of A and column i of B, so each pair obeys equations of its own, those of learning the scalar mu_i. The"
    " stages: between the times n/(2 mu_i), in units of log(1/alpha), the factors are near a critical point at which the larger entries are learned"
    " and the other pairs are 0",
    context=f"for the stages positive distinct entries [proof of Proposition A.9]; {CONTEXT}",
    uses=[CLAIM],
)
def diagonal_data_are_learned_in_stages(g: Goal) -> None:
    """The parts decoupled-pairs and stages."""
    pairs = g.lemma(CLAIM, "part:decoupled-pairs")

    def stages(g: Goal) -> None:
        hs = in_setting(g)
        off, a, b, point = stage(g, hs)

        def learned(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            early, late = g.split(g.apply(point, "i"))

            def first(g: Goal) -> None:
                h = last(g)
                flat = g.apply(early, by=[lambda g: g.close_by(h)])
                g.left_or_right(1)

                def both(g: Goal) -> None:
                    g.fix("l")
                    z = g.apply(flat, "l")
                    g.conj(lambda g: g.close_by(z), lambda g: g.field((z, 1)))

                both(g)

            def second(g: Goal) -> None:
                h = last(g)
                g.left_or_right(0)
                g.close_by(g.apply(late, by=[lambda g: g.close_by(h)]))

            apart = g.apply(off, "i")
            cut = g.fact("trichotomy", "tau", ARRIVAL.format(i="i"))
            g.cases(cut, first, lambda g: g.clash(last(g), apart), second)

        by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in hs[:4]]  # type: ignore[misc]
        points = g.split(g.apply(pairs, "d", "n", "P", "M", by=by))[1]
        critical = g.apply(points, "Ah", "T(Ah)", by=[learned])
        g.witness("Ah")
        g.conj(*[lambda g, h=h: g.close_by(h) for h in (a, b, point)], *[lambda g, h=h: g.close_by(h) for h in g.split(critical)])  # type: ignore[misc]

    g.conj(lambda g: g.close_by(pairs), stages)


SMALL = f"(all i:Z. 1 <= i and i <= d => al^2*{SIZE} <= 4*M[i,i])"


@holds(
    "bai2024.prop-a9-step-escape",
    f"""{SETTING} (all al t:R, i:Z. 0 < al => 0 <= t => 1 <= i => i <= d => {SMALL} =>
         ex k:R. 0 < k and (all l:Z. 1 <= l and l <= d => {SUM.format(t="al,t")} = k*{START} and
           {DIFFERENCE.format(t="al,t")}^2 <= al^2*{OTHER})) and
       (all tau:R. 0 <= tau => {OFF_TIME} => ex Ah:M(d,d). {TENDS} and {STAGE} and
         ((all i:Z. 1 <= i and i <= d => {ARRIVAL.format(i="i")} < tau) => (all i:Z. 1 <= i and i <= d => (Ah @ T(Ah))[i,i] = M[i,i])))""",
    argument="repaired",
    reading="at all times, so on the way from each saddle, row i of A and column i of B differ by at most alpha times a constant, and their sum is a"
    " positive multiple of one vector, which gives the coefficients c; between the escapes, and at last, both factors have limits with B = A^T, which"
    " is the symmetric model",
    context=CONTEXT,
    uses=[CLAIM],
)
def pairs_become_equal(g: Goal) -> None:
    """The parts one-entry and kept-direction, and stages."""
    g.fix()
    hs = [g.assume() for _ in range(8)]
    *given, generic = hs

    def always(g: Goal) -> None:
        g.fix("al", "t", "i")
        later = [g.assume() for _ in range(5)]
        small = later[-1]
        size, start = g.apply(generic, "i"), g.apply(small, "i")
        g.apply(hs[4], "i")
        by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in (*given, later[2], later[3], size)]  # type: ignore[misc]
        big, y_low, rates, sums, lengths = g.split(g.lemma(CLAIM, "part:pair", *PAIR_NAMES, by=by))
        x0, y0 = g.split(g.apply(lengths, "al"))
        x, y = square(SUM, "al,t"), square(DIFFERENCE, "al,t")

        def both(g: Goal) -> None:
            (t,) = g.fix()
            g.assume()
            a, b = g.split(g.apply(rates, "al", t))
            g.conj(lambda g: g.field((a, 1)), lambda g: g.field((b, 1)))

        names = (f"lam t:R. {x}", f"lam t:R. {y}", "M[i,i]", "2/n", f"al^2*{SIZE}", f"al^2*{OTHER}")
        by = [None, None, lambda g: g.close_by(x0), lambda g: g.close_by(y0), lambda g: g.pos(["al^2", f"@{big}"])]
        by += [lambda g: g.pos(["al^2", f"@{y_low}"]), lambda g: g.close_by(start), both]
        facts = g.split(g.apply(g.lemma(CLAIM, "part:one-entry", *names, by=by), "t"))
        kappa = f"sqrt({x}/{SIZE})"
        g.have(f"0 < {x}/{SIZE}", lambda g: g.pos([f"@{facts[2]}"], mul=[SIZE]))
        g.witness(kappa)

        def column(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            a0, b0 = g.split(g.apply(given[-1], "al"))

            def law(g: Goal) -> None:
                (t,) = g.fix()
                g.assume()
                a = g.split(g.apply(rates, "al", t))[0]
                e = g.apply(sums, "al", t, "l")
                g.conj(lambda g: g.field((a, 1)), lambda g: g.field((e, 1)))

            rate = f"2/n/4*(4*M[i,i] - {x} + {y})"
            names = (f"lam t:R. {x}", f"lam t:R. {SUM.format(t='al,t')}", f"lam t:R. {rate}", SIZE, START, "al")
            by: list[Script | None] = [None, lambda g: g.close_by(big), lambda g: g.close_by(x0)]
            by += [lambda g: (g.rewrite(a0), g.rewrite(b0), g.field())[-1], law]
            e = g.split(g.apply(g.lemma(CLAIM, "part:kept-direction", *names, by=by), "t"))[1]
            term = g.apply(g.by_fact("sum_term_le", 1, "d", f"lam l:Z. {DIFFERENCE.format(t='al,t')}^2", by=[squares]), "l")
            g.conj(lambda g: g.field((e, 1)), lambda g: g.pos([f"@{term}"], [f"@{facts[1]}"]))

        g.conj(lambda g: g.auto(), column)

    def stages(g: Goal) -> None:
        _, a, b, point = stage(g, hs)
        g.witness("Ah")

        def final(g: Goal) -> None:
            reached = g.assume()
            g.fix("i")
            g.assume()
            h = g.apply(reached, "i")
            g.close_by(g.apply(g.split(g.apply(point, "i"))[1], by=[lambda g: g.close_by(h)]))

        g.conj(*[lambda g, h=h: g.close_by(h) for h in (a, b, point)], final)  # type: ignore[misc]

    g.conj(always, stages)
