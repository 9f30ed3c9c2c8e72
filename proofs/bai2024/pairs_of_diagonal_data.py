"""Proposition A.9: rows of A and columns of B of diagonal data from small starts, before and after the time of their entry."""

from __future__ import annotations

from proofs.bai2024.block_steps import DIAGONAL
from proofs.bai2024.graphs import PATTERN
from proofs.bai2024.minimum_nuclear_norm import FLOWS
from proofs.bai2024.one_diagonal_entry import AT, CLAIM
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

NAMES, PAIR_NAMES = ("d", "n", "tau", *"PMXYAB"), ("d", "n", *"PMXYABi")
SUM, DIFFERENCE = "(A({t})[i,l] + B({t})[l,i])", "(A({t})[i,l] - B({t})[l,i])"
START = "(X[i,l] + Y[l,i])"
SIZE = f"sum(l, 1, d, {START}^2)"
STARTS = "(all al:R. 0 < al => A(al,0) = al*X and B(al,0) = al*Y)"
POSITIVE = "(all i:Z. 1 <= i and i <= d => 0 < M[i,i])"
FAMILY = f"1 <= d => 0 < n => {PATTERN} => {DIAGONAL} => {POSITIVE} => {FLOWS} => {STARTS} => 0 <= tau =>"
VARIABLES = "d:Z, n tau:R, P M X Y:M(d,d), A B:(R,R)~>M(d,d)"
A_ENTRY, B_ENTRY = f"A({AT})[i,l]", f"B({AT})[l,i]"
LEARNED = f"{START}*sqrt(4*M[i,i]/{SIZE})/2"


def square(text: str, t: str) -> str:
    """The squared length of the sum or difference of row i of A and column i of B."""
    return f"sum(l, 1, d, {text.format(t=t)}^2)"


@part(
    CLAIM,
    "rates",
    f"""all d i:Z, n:R, P M:M(d,d), A B:R~>M(d,d). 1 <= d => 0 < n => {PATTERN} => {DIAGONAL} => 1 <= i => i <= d =>
       (all t:R. 0 <= t => A'(t) = -(2/n*(had(P, A(t) @ B(t) - M) @ T(B(t)))) and
          B'(t) = -(2/n*(T(A(t)) @ had(P, A(t) @ B(t) - M)))) =>
       all t:R. 0 <= t => D(t, {square(SUM, "t")}, t) = 2/n/2*(4*M[i,i] - {square(SUM, "t")} + {square(DIFFERENCE, "t")})*{square(SUM, "t")} and
         D(t, {square(DIFFERENCE, "t")}, t) = -(2/n)/2*(4*M[i,i] - {square(SUM, "t")} + {square(DIFFERENCE, "t")})*{square(DIFFERENCE, "t")} and
         (all l:Z. 1 <= l and l <= d => D(t, {SUM.format(t="t")}, t) =
            2/n/4*(4*M[i,i] - {square(SUM, "t")} + {square(DIFFERENCE, "t")})*{SUM.format(t="t")})""",
    says="sum and difference of a row of A and a column of B grow and decay at a rate that is what is left to learn of their entry",
)
def sums_grow_and_differences_decay(g: Goal) -> None:
    """(A B)_ii is a quarter of the difference of the two squared lengths."""
    g.fix()
    size, count, binary, diagonal, low, high, flow = (g.assume() for _ in range(7))

    def laws(which: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.nc((g.split(g.apply(flow, "t"))[which], 1, None, None))

        return script

    by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in (size, count, binary, diagonal)]  # type: ignore[misc]
    own = g.apply(
        g.split(g.lemma(CLAIM, "part:decoupled-pairs", "d", "n", "P", "M", by=by))[0],
        "A",
        "B",
        by=[lambda g: g.conj(laws(0), laws(1))],
        n=1,
    )
    g.fix("t")
    g.assume()
    p, q = SUM.format(t="t"), DIFFERENCE.format(t="t")
    x, y = square(SUM, "t"), square(DIFFERENCE, "t")
    product = g.apply(g.fact("mm_entry", "d", "d", "d", "A(t)", "B(t)"), "i", "i")

    def quarter(g: Goal) -> None:
        g.fix("l")
        g.assume()
        g.field()

    s = g.by_fact("sum_ext", 1, "d", f"lam l:Z. {p}^2/4 - {q}^2/4", "lam l:Z. A(t)[i,l]*B(t)[l,i]", by=[quarter])
    entry = g.have(f"(A(t) @ B(t))[i,i] = {x}/4 - {y}/4", lambda g: g.field((product, 1), (s, -1)))

    def velocity(g: Goal) -> list[str]:
        both = g.split(g.apply(own, "t", "i", "l"))
        return both

    def one(g: Goal) -> None:
        g.fix("l")
        g.split(g.assume())
        a, b = velocity(g)
        g.field((a, 1), (b, 1), (entry, f"-2/n*{p}"))

    def length(text: str, total: str, sign: int) -> Script:
        def script(g: Goal) -> None:
            rate = f"{sign}*(-2/n)*((A(t) @ B(t))[i,i] - M[i,i])"

            def term(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                a, b = velocity(g)
                g.field((a, f"2*{text}"), (b, f"{sign}*2*{text}"))

            k = g.by_fact("sum_ext", 1, "d", f"lam l:Z. D(t, {text}^2, t)", f"lam l:Z. 2*({rate})*{text}^2", by=[term])
            g.field((k, 1), (entry, f"-{sign}*4/n*{total}"))

        return script

    g.conj(length(p, x, 1), length(q, y, -1), one)


OTHER = SIZE.replace("+", "-", 1)
GIVEN = FAMILY.replace(" 0 <= tau =>", "")


def rate_of(sign: str, times: str, what: str) -> str:
    """A multiple of what is left to learn, times a quantity of the pair in row i."""
    return f"{sign}/{times}*(4*M[i,i] - {square(SUM, 'al,t')} + {square(DIFFERENCE, 'al,t')})*{what}"


PAIR = f"""0 < {SIZE} and 0 <= {OTHER} and
  (all al t:R. 0 < al => 0 <= t => D(t, {square(SUM, "al,t")}, t) = {rate_of("2/n", "2", square(SUM, "al,t"))} and
     D(t, {square(DIFFERENCE, "al,t")}, t) = {rate_of("-(2/n)", "2", square(DIFFERENCE, "al,t"))}) and
  (all al t:R, l:Z. 0 < al => 0 <= t => 1 <= l => l <= d => D(t, {SUM.format(t="al,t")}, t) = {rate_of("2/n", "4", SUM.format(t="al,t"))}) and
  (all al:R. 0 < al => {square(SUM, "al,0")} = al^2*{SIZE} and {square(DIFFERENCE, "al,0")} = al^2*{OTHER})"""


@part(
    CLAIM,
    "pair",
    f"all {VARIABLES.replace(' tau', '')}, i:Z. {GIVEN} 1 <= i => i <= d => {SIZE} != 0 => {PAIR}",
    says="start and rates of the sum and the difference of row i of A and column i of B",
)
def pair_of_a_start(g: Goal) -> None:
    """The part rates, for the flow from each start."""
    g.fix()
    size, count, binary, diagonal, _, flows, starts, low, high, _ = (g.assume() for _ in range(10))

    def own(g: Goal) -> list[str]:
        def flow(g: Goal) -> None:
            (t,) = g.fix()
            g.assume()
            a, b = g.split(g.apply(flows, "al", t))
            g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

        by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in (size, count, binary, diagonal, low, high)]  # type: ignore[misc]
        names = ("d", "i", "n", "P", "M", "lam t:R. A(al,t)", "lam t:R. B(al,t)")
        return g.split(g.apply(g.lemma(CLAIM, "part:rates", *names, by=[*by, flow]), "t"))

    def lengths_move(g: Goal) -> None:
        g.fix("al", "t")
        g.assume()
        g.assume()
        a, b, _ = own(g)
        g.conj(lambda g: g.field((a, 1)), lambda g: g.field((b, 1)))

    def sums_move(g: Goal) -> None:
        g.fix("al", "t", "l")
        for _ in range(4):
            g.assume()
        e = g.apply(own(g)[2], "l")
        g.field((e, 1))

    def scaled(g: Goal) -> None:
        g.fix("al")
        g.assume()
        a0, b0 = g.split(g.apply(starts, "al"))

        def total(text: str, plain: str) -> Script:
            def script(g: Goal) -> None:
                def term(g: Goal) -> None:
                    g.fix("l")
                    g.assume()
                    g.rewrite(a0)
                    g.rewrite(b0)
                    g.field()

                k = g.by_fact("sum_ext", 1, "d", f"lam l:Z. {text.format(t='al,0')}^2", f"lam l:Z. al^2*{plain}^2", by=[term])
                g.field((k, 1))

            return script

        g.conj(total(SUM, START), total(DIFFERENCE, START.replace("+", "-")))

    g.by_fact("sum_nonneg", 1, "d", f"lam l:Z. {START}^2", by=[squares])
    y_low = g.by_fact("sum_nonneg", 1, "d", f"lam l:Z. {START.replace('+', '-')}^2", by=[squares])
    g.conj(lambda g: g.auto(), lambda g: g.close_by(y_low), lengths_move, sums_move, scaled)


def squares(g: Goal) -> None:
    """The terms of a sum of squares are not negative."""
    g.fix("l")
    g.assume()
    g.auto()


ROW = f"""(all l:Z. 1 <= l and l <= d =>
  (2/n*M[i,i]*tau < 1 => tends(s, {A_ENTRY}, 0) and tends(s, {B_ENTRY}, 0)) and
  (1 < 2/n*M[i,i]*tau => tends(s, {A_ENTRY}, {LEARNED}) and tends(s, {B_ENTRY}, {LEARNED})))"""


@part(
    CLAIM,
    "row-limits",
    f"all {VARIABLES}, i:Z. {FAMILY} 1 <= i => i <= d => {SIZE} != 0 => {ROW}",
    says="limits of a row of A and a column of B at the time tau log(1/alpha), as alpha = exp(-s) tends to 0",
)
def rows_before_and_after_their_time(g: Goal) -> None:
    """The squared lengths are those of the part small-scale; the sum keeps its direction."""
    g.fix()
    *given, time, low, high, generic = (g.assume() for _ in range(11))
    positive, starts = given[4], given[6]
    g.apply(positive, "i")
    x, y = (square(text, "al,t") for text in (SUM, DIFFERENCE))
    p, q = SUM.format(t="al,t"), DIFFERENCE.format(t="al,t")
    by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in (*given, low, high, generic)]  # type: ignore[misc]
    big, y_low, rates, sums, lengths = g.split(g.lemma(CLAIM, "part:pair", *PAIR_NAMES, by=by))
    names = (f"lam al:R, t:R. {x}", f"lam al:R, t:R. {y}", "M[i,i]", "2/n", SIZE, OTHER, "tau")
    by = [None, None, *[lambda g, h=h: g.close_by(h) for h in (big, y_low, time, rates, lengths)]]  # type: ignore[misc]
    y_gone, early, late = g.split(g.lemma(CLAIM, "part:small-scale", *names, by=by))
    g.fix("l")
    g.split(g.assume())
    x_at, y_at, p_at, q_at = (v.replace("al,t)", f"{AT})") for v in (x, y, p, q))

    def null(g: Goal, entry: str, index: str, total: str, gone: str) -> str:
        """Adds entry -> 0, one of the summands of a sum of squares that tends to 0."""

        def between(g: Goal) -> None:
            g.fix("s")
            g.assume()
            h = g.by_fact("sum_term_le", 1, "d", f"lam l:Z. {index}^2", by=[squares])
            k = g.apply(h, "l")
            g.conj(None, lambda g: g.close_by(k))

        zero = g.fact("tends_const", "0")
        names = ("0", "0", "lam s:R. 0", f"lam s:R. {entry}^2", f"lam s:R. {total}")
        h = g.by_fact("tends_squeeze", *names, by=[between, lambda g: g.close_by(zero), lambda g: g.close_by(gone)])
        return g.lemma(CLAIM, "part:null-square", f"lam s:R. {entry}", by=[lambda g: g.close_by(h)])

    q_gone = null(g, q_at, q_at, y_at, y_gone)

    def halves(g: Goal, p_limit: str, h: str, sign: int, entry: str, limit: str) -> None:
        """The limit of (p + q)/2 or (p - q)/2."""
        k = g.apply(g.fact("tends_scale", sign, "0", f"lam s:R. {q_at}"), by=[lambda g: g.close_by(q_gone)])
        names = (p_limit, f"{sign}*0", f"lam s:R. {p_at}", f"lam s:R. {sign}*{q_at}")
        k = g.apply(g.fact("tends_add", *names), by=[lambda g: g.close_by(h), lambda g: g.close_by(k)])
        whole = (f"{p_limit} + {sign}*0", f"lam s:R. {p_at} + {sign}*{q_at}")
        k = g.apply(g.fact("tends_scale", "1/2", *whole), by=[lambda g: g.close_by(k)])
        same: Script = lambda g: (g.fix("s"), g.assume(), g.field())[-1]  # noqa: E731
        names = ("0", f"1/2*({p_limit} + {sign}*0)", f"lam s:R. 1/2*({p_at} + {sign}*{q_at})", f"lam s:R. {entry}")
        k = g.by_fact("tends_ext", *names, by=[same, lambda g: g.close_by(k)])
        g.exact(g.have(f"tends(s, {entry}, {limit})", lambda g: g.exact(k, by=[lambda g: g.field()])))

    def both(p_limit: str, h: str, limit: str) -> Script:
        return lambda g: g.conj(
            lambda g: halves(g, p_limit, h, 1, A_ENTRY, limit), lambda g: halves(g, p_limit, h, -1, B_ENTRY, limit)
        )

    def before(g: Goal) -> None:
        slow = g.assume()
        k = g.apply(early, by=[lambda g: g.pos([f"@{slow}"])])
        both("0", null(g, p_at, p_at, x_at, k), "0")(g)

    def after(g: Goal) -> None:
        fast = g.assume()
        k = g.apply(late, by=[lambda g: g.pos([f"@{fast}"])])
        end = f"{START}*sqrt(4*M[i,i]/{SIZE})"
        names = ("4*M[i,i]", f"lam s:R. {x_at}", f"lam z:R. {START}*sqrt(z/{SIZE})")
        c = g.by_fact("tends_compose", *names, by=[lambda g: g.close_by(k)])

        def direction(g: Goal) -> None:
            g.fix("s")
            g.assume()
            (al,) = g.obtain(g.have("ex al:R. exp(-s) = al", lambda g: (g.witness("exp(-s)"), g.refl())[-1]), "al", split=False)
            g.have("0 < al", lambda g: (g.rewrite(al, back=True), g.auto())[-1])
            a0, b0 = g.split(g.apply(starts, "al"))

            def law(g: Goal) -> None:
                g.fix("t")
                g.assume()
                a = g.split(g.apply(rates, "al", "t"))[0]
                e = g.apply(sums, "al", "t", "l")
                g.conj(lambda g: g.field((a, 1)), lambda g: g.field((e, 1)))

            rate = f"2/n/4*(4*M[i,i] - {x} + {y})"
            names = (f"lam t:R. {x}", f"lam t:R. {p}", f"lam t:R. {rate}", SIZE, START, "al")
            xs = g.split(g.apply(lengths, "al"))[0]
            by: list[Script | None] = [None, lambda g: g.close_by(big), lambda g: g.close_by(xs)]
            by += [lambda g: (g.rewrite(a0), g.rewrite(b0), g.field())[-1], law]
            kept = g.lemma(CLAIM, "part:kept-direction", *names, by=by)
            e = g.split(g.apply(kept, "tau*s"))[1]
            g.rewrite(al)
            g.field((e, -1))

        names = ("0", end, f"lam s:R. {START}*sqrt({x_at}/{SIZE})", f"lam s:R. {p_at}")
        h = g.by_fact("tends_ext", *names, by=[direction, lambda g: g.close_by(c)])
        both(end, h, LEARNED)(g)

    g.conj(before, after)


GENERIC = f"(all i:Z. 1 <= i and i <= d => {SIZE} != 0) =>"
APART = "(all i:Z. 1 <= i and i <= d => 2/n*M[i,i]*tau != 1) =>"
POINT = """(all i:Z. 1 <= i and i <= d => (2/n*M[i,i]*tau < 1 => (all l:Z. Ah[i,l] = 0)) and
  (1 < 2/n*M[i,i]*tau => (Ah @ T(Ah))[i,i] = M[i,i]))"""
TENDS = f"tends(s, A({AT}), Ah) and tends(s, B({AT}), T(Ah))"


@part(
    CLAIM,
    "stages",
    f"all {VARIABLES}. {FAMILY} {GENERIC} {APART} ex Ah:M(d,d). {TENDS} and {POINT}",
    says="at the time tau log(1/alpha) both factors tend to a point with B = A^T at which the entries above n/(2 tau) are learned and the other pairs"
    " are 0",
)
def factors_at_a_stage(g: Goal) -> None:
    """Row by row; the row of a learned entry has the squared length M_ii in the limit."""
    g.fix()
    hs = [g.assume() for _ in range(8)]
    generic, apart, positive = g.assume(), g.assume(), hs[4]
    (e,) = g.obtain(g.fact("indicator", "lam i:Z. max(0, 2/n*M[i,i]*tau - 1)"), "e", split=False)
    value = f"e(i)*({LEARNED})"
    (ah,) = g.obtain(g.fact("matrix_of_entries", "d", "d", f"lam i:Z, l:Z. {value}"), "Ah", split=False)

    def rows(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in hs]  # type: ignore[misc]
        size = g.apply(generic, "i")
        by += [None, None, lambda g: g.close_by(size)]
        row = g.lemma(CLAIM, "part:row-limits", *NAMES, "i", by=by)
        off, on = g.split(g.apply(e, "i"))
        cut = g.fact("max_cases", "0", "2/n*M[i,i]*tau - 1")

        def limits(g: Goal, which: int, known: str, selected: str) -> None:
            g.fix("l")
            g.split(g.assume())
            a, b = g.split(g.apply(g.split(g.apply(row, "l"))[which], by=[lambda g: g.close_by(known)]))
            at = g.apply(ah, "i", "l")
            g.rewrite(g.have(f"Ah[i,l] = {('0', LEARNED)[which]}", lambda g: g.field((at, 1), (selected, LEARNED))))
            g.conj(lambda g: g.close_by(a), lambda g: g.close_by(b))

        def zero(g: Goal) -> None:
            slow = last(g)

            def least(g: Goal) -> None:
                g.cases(cut, lambda g: clash_early(g, slow), lambda g: g.close_by(g.split(last(g))[1]))

            small = g.have("max(0, 2/n*M[i,i]*tau - 1) = 0", least)
            e0 = g.apply(off, by=[lambda g: g.close_by(small)])

            def flat(g: Goal) -> None:
                g.assume()
                g.fix("l")

                def inside(g: Goal) -> None:
                    g.split_all(last(g))
                    at = g.apply(ah, "i", "l")
                    g.field((at, 1), (e0, LEARNED))

                def outside(g: Goal) -> None:
                    out = last(g)
                    g.close_by(g.apply(g.fact("entry_outside", "d", "d", "Ah"), "i", "l", by=[lambda g: beyond(g, out)]))

                g.em("1 <= l and l <= d", inside, outside)

            g.conj(lambda g: limits(g, 0, slow, e0), lambda g: g.conj(flat, lambda g: never(g, slow)))

        def one(g: Goal) -> None:
            fast = last(g)

            def nonzero(g: Goal) -> None:
                z = g.contra()
                g.cases(cut, lambda g: clash_late(g, fast, z), lambda g: clash_late(g, fast, z))

            big = g.have("max(0, 2/n*M[i,i]*tau - 1) != 0", nonzero)
            e1 = g.apply(on, by=[lambda g: g.close_by(big)])

            def length(g: Goal) -> None:
                g.assume()
                m = g.apply(g.fact("mm_entry", "d", "d", "d", "Ah", "T(Ah)"), "i", "i")

                def term(g: Goal) -> None:
                    g.fix("l")
                    g.split(g.assume())
                    at = g.apply(ah, "i", "l")
                    v = g.have(f"Ah[i,l] = {LEARNED}", lambda g: g.field((at, 1), (e1, LEARNED)))
                    g.field((v, f"Ah[i,l] + {LEARNED}"), (root, f"{START}^2/4"), (c, f"-{START}^2"))

                g.by_fact("sum_nonneg", 1, "d", f"lam l:Z. {START}^2", by=[squares])
                g.have(f"0 < {SIZE}", lambda g: g.auto())
                g.apply(positive, "i")
                ratio = f"M[i,i]/{SIZE}"
                (c,) = g.obtain(g.have(f"ex c:R. c = {ratio}", lambda g: (g.witness(ratio), g.refl())[-1]), "c", split=False)
                root = g.by_fact("sqrt_sq", f"4*M[i,i]/{SIZE}")
                k = g.by_fact("sum_ext", 1, "d", "lam l:Z. Ah[i,l]*T(Ah)[l,i]", f"lam l:Z. c*{START}^2", by=[term])
                g.field((m, 1), (k, 1), (c, SIZE))

            g.conj(lambda g: limits(g, 1, fast, e1), lambda g: g.conj(lambda g: never(g, fast), length))

        g.cases(g.fact("trichotomy", "2/n*M[i,i]*tau", "1"), zero, lambda g: g.clash(last(g), g.apply(apart, "i")), one)

    entries = f"(all l:Z. 1 <= l and l <= d => tends(s, {A_ENTRY}, Ah[i,l]) and tends(s, {B_ENTRY}, Ah[i,l]))"
    inner = POINT[POINT.index("=>") + 2 : -1]
    known = g.have(f"all i:Z. 1 <= i and i <= d => {entries} and ({inner})", rows)

    def matrix(of: str, limit: str, which: int) -> Script:
        def script(g: Goal) -> None:
            def entry(g: Goal) -> None:
                g.fix("i", "j")
                g.split(g.assume())
                row, column = ("i", "j") if which == 0 else ("j", "i")
                k = g.apply(g.split(g.apply(known, row))[0], column)
                g.exact(g.split(k)[which])

            back = g.split(g.fact("tends_matrix", "d", "d", limit, f"lam s:R. {of}({AT})"))[1]
            g.close_by(g.apply(back, by=[entry]))

        return script

    def point(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.conj(*[lambda g, k=k: g.close_by(g.split(g.split(g.apply(known, "i"))[1])[k]) for k in (0, 1)])

    g.witness("Ah")
    g.conj(matrix("A", "Ah", 0), matrix("B", "T(Ah)", 1), point)


def clash_early(g: Goal, slow: str) -> None:
    """The maximum of 0 and z - 1 is z - 1 while z < 1."""
    order, _ = g.split(last(g))
    g.contra()
    g.pos([f"@{order}"], [f"@{slow}"])


def clash_late(g: Goal, fast: str, zero: str) -> None:
    """The maximum of 0 and z - 1 is 0 while z > 1."""
    order, value = g.split(last(g))
    g.pos(*([[f"@{order}"]] if g.hyp_formula(value)[2] == 0 else []), [f"@{fast}"], eqs=[(value, 1), (zero, -1)])


def never(g: Goal, known: str) -> None:
    """A premise contradicts what is known."""
    h = g.assume()
    g.contra()
    g.pos([f"@{h}"], [f"@{known}"])


def beyond(g: Goal, out: str) -> None:
    """l < 1 or d < l, from not (1 <= l and l <= d)."""
    g.cases(out, *[lambda g, k=k: (g.left_or_right(k), g.close_by(last(g)))[-1] for k in (2, 3)])


PRODUCT = f"(A({AT}) @ B({AT}))[i,i]"
TIMES = f"""(all i:Z. 1 <= i and i <= d => (2/n*M[i,i]*tau < 1 => tends(s, {PRODUCT}, 0)) and
  (1 < 2/n*M[i,i]*tau => tends(s, {PRODUCT}, M[i,i])))"""


@part(
    CLAIM,
    "times",
    f"all {VARIABLES}. {FAMILY} {GENERIC} {APART} {TIMES}",
    says="at the time tau log(1/alpha) the entries above n/(2 tau) are learned, and the others are still 0",
)
def entries_at_a_stage(g: Goal) -> None:
    """The diagonal of A A^T at the point of the part stages."""
    g.fix()
    hs = [g.assume() for _ in range(10)]
    by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in hs]  # type: ignore[misc]
    found = g.lemma(CLAIM, "part:stages", *NAMES, by=by)
    a, b, rows = g.obtain(found, "Ah")
    names = ("d", "d", "d", "Ah", "T(Ah)", f"lam s:R. A({AT})", f"lam s:R. B({AT})")
    product = g.apply(g.fact("tends_matrix_mul", *names), by=[lambda g: g.close_by(a), lambda g: g.close_by(b)])
    names = ("d", "d", "Ah @ T(Ah)", f"lam s:R. A({AT}) @ B({AT})")
    entries = g.apply(g.split(g.fact("tends_matrix", *names))[0], by=[lambda g: g.close_by(product)], n=1)
    g.fix("i")
    g.split(g.assume())
    k = g.apply(entries, "i", "i")
    early, late = g.split(g.apply(rows, "i"))

    def before(g: Goal) -> None:
        slow = g.assume()
        flat = g.apply(early, by=[lambda g: g.close_by(slow)])
        m = g.apply(g.fact("mm_entry", "d", "d", "d", "Ah", "T(Ah)"), "i", "i")

        def term(g: Goal) -> None:
            g.fix("l")
            g.assume()
            g.field((g.apply(flat, "l"), "Ah[i,l]"))

        z = g.by_fact("sum_ext", 1, "d", "lam l:Z. Ah[i,l]*T(Ah)[l,i]", "lam l:Z. 0", by=[term])
        zero = g.have("(Ah @ T(Ah))[i,i] = 0", lambda g: g.field((m, 1), (z, 1)))
        g.close_by(g.rewritten(k, zero))

    def after(g: Goal) -> None:
        fast = g.assume()
        value = g.apply(late, by=[lambda g: g.close_by(fast)])
        g.close_by(g.rewritten(k, value))

    g.conj(before, after)
