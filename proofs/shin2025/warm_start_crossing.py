"""Appendix G.2: Lemmas 21 and 22 with the steps of their proofs, (57) to (60), the sign of the unobserved entry."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import (
    PAPER,
    claim,
    entries,
    of_reduced,
    product,
    rates,
)
from proofs.shin2025.warm_start_lemmas import A11, A12, A21, A22, ORDER, POINT, USES, W11, W12, W21, W22, by_bound, known, start
from proofs.shin2025.warm_start_symmetry import INNER, R11, R12
from verify.kernel import Goal
from verify.registry import holds, part

UP_TO = "(all t:R. 0 <= t => t <= c => {0} <= v) => all t:R. 0 <= t => t <= c => 0 <= {1}"


@holds(
    f"{PAPER}.lemma-21",
    claim(f"all c:R. 0 <= c => {UP_TO.format(W12, INNER)}"),
    uses=USES,
    argument="repaired",
    reading="T_1 = 0, T_2 = c; `at any point` is read as `at every point`.",
    readings=[("w12(t) <= w12* at some point of [T_1, T_2] suffices", "holds", "some-point")],
    reason=(
        "The printed proof excludes g = 0 with g' < 0, which does not exclude leaving with g' = 0; here x, "
        "f, g > 0 for t > 0 by integrating factors."
    ),
)
def rows_have_nonnegative_inner_product(g: Goal) -> None:
    """g >= 0 at all times, whatever w12 does."""
    by_bound("cross")(g)


@part(
    f"{PAPER}.lemma-21",
    "some-point",
    claim(f"all c:R. 0 <= c => (ex t:R. 0 <= t and t <= c and {W12} <= v) => all t:R. 0 <= t => t <= c => 0 <= {INNER}"),
    says="The other reading of the hypothesis.",
    uses=USES,
)
def rows_have_nonnegative_inner_product_anyway(g: Goal) -> None:
    """g >= 0 at all times."""
    by_bound("cross")(g)


def inner_at(t: str) -> str:
    return INNER.replace("(t)", f"({t})")


@holds(
    f"{PAPER}.proof-step-g-initial",
    claim(f"""{inner_at("0")} = 0 and
      D(u, A(u)[1,2], 0) = A(0)[1,1]*(v - (A(0)@B(0))[1,2]) + A(0)[2,1]*(w - (A(0)@B(0))[1,1]) and 0 < D(u, A(u)[1,2], 0) and
      D(u, A(u)[1,1], 0) = 0 and D(u, A(u)[2,1], 0) = 0 and D(u, A(u)[2,2], 0) = 0 and
      (ex h:R. 0 < h and all t:R. 0 < t and t <= h => 0 < {INNER})"""),
    uses=USES,
    argument="sound",
)
def inner_product_becomes_positive(g: Goal) -> None:
    """At the start only a12 moves, so g has slope w* w12* there."""
    _, red, ent = start(g)
    e = entries(g, ent, "0") + rates(g, red[6], "0") + red[2:6]
    signs = of_reduced(g, red, "signs")
    root = g.by_fact("sqrt_sq", "w")

    def after(g: Goal) -> None:
        g.witness("1")

        def positive(g: Goal) -> None:
            g.intro()
            c = g.split_all(g.apply(signs, "t"))[2]
            g.have("0 <= t")
            g.pos(["@" + c], rw=entries(g, ent, "t"))

        g.conj(None, positive)

    g.conj(
        lambda g: g.field(rw=e),
        lambda g: g.field(rw=e),
        lambda g: g.pos(["sqrt(w)", "v"], rw=e),
        lambda g: g.field((root, "-sqrt(w)"), rw=e),
        lambda g: g.field(rw=e),
        lambda g: g.field((root, "-sqrt(w)"), rw=e),
        after,
    )


CASES = "p = s and q = -r and q < p or p = s and q = 0 and r = 0"


@holds(
    f"{PAPER}.proof-step-g-zero-cases",
    f"{POINT}p*r + q*s = 0 => p^2 + r^2 = q^2 + s^2 => 0 < p => 0 < s => 0 <= q => 0 < p*s + q*r => {CASES}",
    argument="sound",
    reading="p, q, r, s are the entries of A at any point with (54) and the signs of Lemma 20 (a11, a22, w11 > 0, a12 >= 0).",
)
def two_cases_where_the_rows_are_orthogonal(g: Goal) -> None:
    """(p^2 - s^2)(s^2 - r^2) = 0; s^2 = r^2 would contradict w11 > 0; so p = s, then q = -r, and w11 = p^2 - q^2 > 0.
    The first case covers the second."""
    zero, balance, p, s, q, w11 = g.intro()
    g.have("(p - s)*(s^2 - r^2) = 0", lambda g: g.field((balance, "s^2/(p + s)"), (zero, "(q*s - p*r)/(p + s)")))

    def equal(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        ps = g.have("p = s", lambda g: g.field((h, "1")))
        qr = g.have("q = -r", lambda g: g.field((zero, "1/p"), (ps, "q/p")))
        g.left_or_right(0)
        g.conj(None, None, lambda g: g.pos(["@" + w11], mul=["p + q"], eqs=[(ps, "p"), (qr, "-q")]))

    def opposite(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        k = g.by_fact("product_zero", "s - r", "s + r", by=[lambda g: g.field((h, "1"))])
        g.contra()

        def minus(g: Goal) -> None:
            k = list(g.seq.hyps)[-1]
            g.pos(["@" + p, "@" + s], ["@" + q, "@" + s], eqs=[(zero, "-1"), (k, "-p")])

        def plus(g: Goal) -> None:
            k = list(g.seq.hyps)[-1]
            g.pos(["@" + w11], eqs=[(zero, "1"), (k, "-(p + q)")])

        g.cases(k, minus, plus)

    g.cases(g.by_fact("product_zero", "p - s", "s^2 - r^2"), equal, opposite)


CROSSED = f"({A11}*{A12} + {A21}*{A22})"
SLOPE = f"D(t, {INNER}, t)"


@holds(
    f"{PAPER}.eq-57",
    claim(f"""all t:R. 0 <= t =>
      {SLOPE} = D(u, A(u)[1,1], t)*{A21} + {A11}*D(u, A(u)[2,1], t) + D(u, A(u)[1,2], t)*{A22} + {A12}*D(u, A(u)[2,2], t) and
      {SLOPE} = 2*{R11}*{CROSSED} + {R12}*({A11}*{A22} + {A12}*{A21})"""),
    uses=[f"{PAPER}.lemma-19"],
    argument="sound",
)
def slope_of_the_inner_product(g: Goal) -> None:
    """The product rule and (51)."""
    _, red, ent = start(g)
    e = entries(g, ent, "t") + rates(g, red[6], "t")
    g.conj(*[lambda g: g.field(rw=e)] * 2)


@holds(
    f"{PAPER}.proof-step-g-case-1",
    claim(f"""all t:R. 0 <= t => {A11} = {A22} => {A12} = -{A21} =>
      {SLOPE} = {R12}*{W11} and ({W12} <= v => 0 <= {SLOPE})"""),
    uses=USES,
    argument="sound",
)
def slope_in_the_first_case(g: Goal) -> None:
    """The first term of (57) vanishes, and w11 > 0."""
    hs, red, ent = start(g)
    e, b = known(g, red, ent, "t")
    eq1 = g.have("p(t) = s(t)", lambda g: g.field((hs[6], 1), rw=e))
    eq2 = g.have("q(t) = -r(t)", lambda g: g.field((hs[7], 1), rw=e))
    value = g.have(f"{SLOPE} = {R12}*{W11}", lambda g: g.field(rw=[*e, eq1, eq2]))

    def sign(g: Goal) -> None:
        g.intro()
        w11 = g.have(f"0 <= {W11}", lambda g: g.pos(["w"], ["@" + b["w11"]], rw=e))
        h = g.have(f"0 <= {R12}", lambda g: g.pos(["@" + b["w12"]], rw=e))
        g.pos(["@" + h, "@" + w11], eqs=[(value, 1)])

    g.conj(lambda g: g.close_by(value), sign)


@holds(
    f"{PAPER}.proof-step-g-case-2",
    claim(f"""(all t:R. 0 <= t => {A11} = {A22} => {A12} = 0 => {A21} = 0 =>
        {SLOPE} = {R12}*{A11}^2 and ({W12} <= v => 0 <= {SLOPE})) and
      (all c:R. 0 <= c => (all t:R. 0 <= t => t <= c => {W12} <= v) =>
        (not ex t:R. 0 <= t and t <= c and {INNER} = 0 and {SLOPE} < 0) and all t:R. 0 <= t => t <= c => 0 <= {INNER})"""),
    uses=USES,
    argument="repaired",
    reason="That g has no zero with negative slope does not by itself exclude that g becomes negative; see lemma-21.",
)
def slope_in_the_second_case(g: Goal) -> None:
    """The first term of (57) vanishes. For t > 0 g is positive, and at the start its slope is w* w12*."""
    _, red, ent = start(g)
    signs = of_reduced(g, red, "signs")
    root = g.by_fact("sqrt_sq", "w")

    def case(g: Goal) -> None:
        k = g.intro()
        e, _b = known(g, red, ent, "t")
        eqs = [
            g.have("p(t) = s(t)", lambda g: g.field((k[1], 1), rw=e)),
            g.have("q(t) = 0", lambda g: g.field((k[2], 1), rw=e)),
            g.have("r(t) = 0", lambda g: g.field((k[3], 1), rw=e)),
        ]
        value = g.have(f"{SLOPE} = {R12}*{A11}^2", lambda g: g.field(rw=[*e, *eqs]))

        def sign(g: Goal) -> None:
            k = g.intro()[0]
            g.pos(["@" + k, f"{A11}^2"], eqs=[(value, 1)])

        g.conj(lambda g: g.close_by(value), sign)

    def rest(g: Goal) -> None:
        g.intro()

        def none(g: Goal) -> None:
            k = g.assume()
            _lo, _, zero, slope = g.obtain(k, "t")

            def later(g: Goal) -> None:
                c = g.split_all(g.apply(signs, "t"))[2]
                g.pos(["@" + c], eqs=[(zero, -1)], rw=entries(g, ent, "t"))

            def now(g: Goal) -> None:
                k = list(g.seq.hyps)[-1]
                z = g.have("t = 0", lambda g: g.field((k, -1)))
                e = entries(g, ent, "t") + rates(g, red[6], "t")

                def at_start(g: Goal) -> None:
                    g.rewrite(z)
                    g.pos(["w", "v"], eqs=[(root, "-v")], rw=rates(g, red[6], "0") + red[2:6])

                up = g.have("0 < D(u, p(u)*r(u) + q(u)*s(u), t)", at_start)
                g.pos(["@" + slope], ["@" + up], rw=e)

            g.less_or_equal("0 <= t", later, now)

        def sign(g: Goal) -> None:
            g.intro()
            e, b = known(g, red, ent, "t")
            g.pos(["@" + b["cross"]], rw=e)

        g.conj(none, sign)

    g.conj(case, rest)


@holds(f"{PAPER}.lemma-22-w12", claim(f"all t:R. 0 <= t => {W12} <= v"), uses=USES, argument="repaired", reason=ORDER)
def observed_corner_stays_below_its_target(g: Goal) -> None:
    """f = w12* - w12 stays positive: f e^K with K' = 2 (a11^2 + a12^2) does not decrease while x and g are positive."""
    by_bound("w12")(g)


@holds(
    f"{PAPER}.lemma-22-w11", claim(f"all t:R. 0 <= t => w <= {W11} and w <= {W22}"), uses=USES, argument="repaired", reason=ORDER
)
def diagonal_stays_above_its_target(g: Goal) -> None:
    """x = w11 - w* stays positive: x e^K with K' = |A|^2 does not decrease while f and g are positive."""
    by_bound("w11", "w11")(g)


@holds(f"{PAPER}.lemma-22-w21", claim(f"all t:R. 0 <= t => {W21} <= 0"), uses=USES, argument="sound")
def unobserved_entry_is_not_positive(g: Goal) -> None:
    """It starts at 0 and has slope -2 x g."""
    by_bound("w21")(g)


@holds(f"{PAPER}.theorem-6-w21", claim(f"all t:R. 0 < t => {W21} < 0"), uses=USES)
def unobserved_entry_is_negative(g: Goal) -> None:
    """It starts at 0 and has slope -2 x g < 0 for t > 0."""
    _, red, ent = start(g)
    h = g.apply(of_reduced(g, red, "negative"), "t")
    g.have("0 <= t")
    g.pos(["@" + h], rw=entries(g, ent, "t"))


CROSSING = f"""(all c:R. 0 <= c => v < {product("c")}[1,2] => (all t:R. 0 <= t => t < c => {W12} <= v) =>
   ex t:R. 0 <= t and t < c and {W12} = v and 0 < D(t, {W12}, t))"""
BOTH_POSITIVE, BOTH_NEGATIVE = f"({W11} < w and 0 < {INNER})", f"(w < {W11} and {INNER} < 0)"


@holds(
    f"{PAPER}.eq-58",
    claim(f"""{CROSSING} and (all t:R. 0 <= t => {W12} = v =>
       D(t, {W12}, t) = 2*{R11}*{INNER} and (0 < D(t, {W12}, t) => {BOTH_POSITIVE} or {BOTH_NEGATIVE})) and
      (not ex t:R. 0 <= t and {BOTH_NEGATIVE}) and not ex t:R. 0 <= t and {W11} < w"""),
    uses=USES,
    argument="repaired",
    reading="The case logic of the proof of Lemma 22, T_1 = 0; t' = c never exists.",
    reason=(
        "A function can cross a level with slope 0, so the crossing s with positive slope need not exist for "
        "other functions; here no time with w12 > w12* exists (lemma-22-w12)."
    ),
)
def alternatives_at_a_crossing(g: Goal) -> None:
    """No time has w12 > w12*; where w12 = w12* the slope is 2 (w* - w11) g by (53); w11 >= w* and g >= 0 always."""
    _, red, ent = start(g)

    def crossing(g: Goal) -> None:
        no = g.intro()[1]
        e, b = known(g, red, ent, "c")
        g.contra()
        g.pos(["@" + no], ["@" + b["w12"]], rw=e)

    def slope(g: Goal) -> None:
        k = g.intro()[1]
        e, b = known(g, red, ent, "t")
        level = g.have("2*p(t)*q(t) = v", lambda g: g.field((k, 1), rw=e))
        value = g.have(f"D(t, {W12}, t) = 2*{R11}*{INNER}", lambda g: g.field((level, "-2*(p(t)^2 + q(t)^2)"), rw=e))

        def sign(g: Goal) -> None:
            k = g.intro()[0]
            x = g.have(f"0 <= {W11} - w", lambda g: g.pos(["@" + b["w11"]], rw=e))
            c = g.have(f"0 <= {INNER}", lambda g: g.pos(["@" + b["cross"]], rw=e))
            g.contra()
            g.pos(["@" + k], ["2", "@" + x, "@" + c], eqs=[(value, -1)])

        g.conj(lambda g: g.close_by(value), sign)

    def negative(g: Goal) -> None:
        k = g.assume()
        hs = g.obtain(k, "t")
        e, b = known(g, red, ent, "t")
        g.pos(["@" + hs[2]], ["@" + b["cross"]], rw=e)

    def below(g: Goal) -> None:
        k = g.assume()
        hs = g.obtain(k, "t")
        e, b = known(g, red, ent, "t")
        g.pos(["@" + hs[1]], ["@" + b["w11"]], rw=e)

    g.conj(crossing, slope, negative, below)
