"""The singular values and the ranks of a 2 x 2 matrix from bounds of its entries."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from proofs.shin2025.entries_of_2x2 import at_each_entry
from proofs.shin2025.warm_start_flow import PAPER
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

FINE = 38  # decimals of the numbers on the way
Interval = tuple[Fraction, Fraction]
SPREAD = f"{PAPER}.proof-step-stable-rank-2x2"
INDICES = [(i, j) for i in (1, 2) for j in (1, 2)]
STABLE_RANK = "tr(T(X) @ X)/spec(X)^2"


def effective_rank(x: str, y: str) -> str:
    """The effective rank of a matrix with the singular values x and y."""
    p, q = f"{x}/({x} + {y})", f"{y}/({x} + {y})"
    return f"exp(-({p}*log({p})) - {q}*log({q}))"


EFFECTIVE_RANK = effective_rank("sv(X,1)", "sv(X,2)")


def entropy_rank(q: str) -> str:
    """The effective rank when q is the share of the second singular value."""
    return f"exp({entropy(q)})"


def entropy(q: str) -> str:
    return f"(-((1 - {q})*log(1 - {q})) - {q}*log({q}))"


@part(
    SPREAD,
    "sum-and-difference",
    """all X:M(2,2), a b c e:R. 0 <= a => 0 <= b => 0 <= c => 0 <= e =>
      a^2 <= tr(T(X) @ X) + 2*abs(det(X)) => tr(T(X) @ X) + 2*abs(det(X)) <= b^2 =>
      c^2 <= tr(T(X) @ X) - 2*abs(det(X)) => tr(T(X) @ X) - 2*abs(det(X)) <= e^2 =>
      (a + c)/2 <= sv(X,1) and sv(X,1) <= (b + e)/2 and (a - e)/2 <= sv(X,2) and sv(X,2) <= (b - c)/2""",
    says="The singular values of a 2 x 2 matrix from its squared norm and its determinant.",
)
def singular_values_from_sum_and_difference(g: Goal) -> None:
    """(s1 + s2)^2 = |X|_F^2 + 2 |det X|, (s1 - s2)^2 = |X|_F^2 - 2 |det X|."""
    h = g.intro()
    size, total = g.split_all(g.fact("sv_2x2", "X"))
    rng = g.fact("sv_range", "2", "2", "X")
    g.split_all(g.apply(rng, "1", "1"))
    low, _ = g.split_all(g.apply(rng, "2", "2"))
    order = g.apply(g.split_all(g.apply(rng, "1", "2"))[1])
    g.have("0 <= sv(X,1)")
    g.have("0 <= sv(X,2)", lambda g: g.close_by(low))
    g.have("0 <= sv(X,1) - sv(X,2)", lambda g: g.pos(["@" + order]))
    plus, minus = "(sv(X,1) + sv(X,2))", "(sv(X,1) - sv(X,2))"

    def below(g: Goal, x: str, y: str, h: str, sign: int) -> str:
        """x <= y from x^2 <= y^2."""

        def script(g: Goal) -> None:
            n = "@" + g.contra()
            g.pos([n, n], ["2", n, y], ["@" + h], eqs=[(size, str(2 * sign * way)), (total, str(way))])

        way = 1 if y in (plus, minus) else -1
        return g.have(f"{x} <= {y}", script)

    k = [
        below(g, "a", plus, h[4], 1),
        below(g, plus, "b", h[5], 1),
        below(g, "c", minus, h[6], -1),
        below(g, minus, "e", h[7], -1),
    ]
    half = [["1/2", "@" + x] for x in k]
    g.conj(
        lambda g: g.pos(half[0], half[2]),
        lambda g: g.pos(half[1], half[3]),
        lambda g: g.pos(half[0], half[3]),
        lambda g: g.pos(half[1], half[2]),
    )


@part(
    SPREAD,
    "gibbs",
    "all p q:R. 0 <= p => 0 < q => -(p*log(p)) <= -(p*log(q)) + q - p",
    says="Gibbs' inequality for one share.",
)
def one_share_of_the_entropy(g: Goal) -> None:
    """log(q/p) <= q/p - 1."""
    nonneg, positive = g.intro()

    def inside(g: Goal) -> None:
        h = g.by_fact("log_concave", "q/p", by=[lambda g: g.pos(["q", "1/p"])])
        g.pos(["p", "@" + h])

    def zero(g: Goal) -> None:
        g.rewrite(g.have("p = 0", lambda g: g.field(("case", -1))))
        g.pos(["q"])

    g.cases(g.by_fact("lt_or_eq", 0, "p", by=[lambda g: g.close_by(nonneg)]), inside, zero, name="case")


@part(
    SPREAD,
    "entropy",
    f"all p q:R. 0 <= p => p <= q => 0 < q => q <= 1/2 => {entropy('p')} <= {entropy('q')}",
    says="The entropy of two shares grows with the smaller one.",
)
def entropy_grows_with_the_smaller_share(g: Goal) -> None:
    """Gibbs: h(p) <= -p log q - (1 - p) log(1 - q), which is linear in p with slope log(1 - q) - log q >= 0, and h(q) at q."""
    nonneg, below, positive, half = g.intro()
    rest = g.have("0 < 1 - q", lambda g: g.pos(["1/2"], ["@" + half]))
    large = g.have("0 <= 1 - p", lambda g: g.pos(["1/2"], ["@" + half], ["@" + below]))
    order = g.have("q <= 1 - q", lambda g: g.pos(["2", "@" + half]))
    slope = g.by_fact("log_mono", "q", "1 - q", by=[lambda g: g.close_by(positive), lambda g: g.close_by(order)])
    one = g.lemma(SPREAD, "part:gibbs", "p", "q", by=[lambda g: g.close_by(nonneg), lambda g: g.close_by(positive)])
    two = g.lemma(SPREAD, "part:gibbs", "1 - p", "1 - q", by=[lambda g: g.close_by(large), lambda g: g.close_by(rest)])
    g.pos(["@" + one], ["@" + two], ["@" + below, "@" + slope])


@part(
    SPREAD,
    "effective-rank",
    f"""all x y q e:R. 0 < x => 0 <= y => y <= x => 0 < q => q <= 1/2 => 1 <= {effective_rank("x", "y")} and
      (y <= q*(x + y) => {entropy_rank("q")} <= e => {effective_rank("x", "y")} <= e) and
      (q*(x + y) <= y => e <= {entropy_rank("q")} => e <= {effective_rank("x", "y")})""",
    says="Bounds of the effective rank of a 2 x 2 matrix from the share of its second singular value.",
)
def effective_rank_from_the_share(g: Goal) -> None:
    """exp is increasing; a share of at most 1/2."""
    h = g.intro()
    g.have("0 < x + y", lambda g: g.pos(["x"], ["@" + h[1]]))
    p = g.obtain(g.have("ex p:R. p = y/(x + y)", lambda g: (g.witness("y/(x + y)"), g.refl())[-1]), "p")[0]
    g.have("x + y != 0")
    less = g.have("y/(x + y) <= 1/2", lambda g: g.pos(["1/2", "@" + h[2]], mul=["x + y"]))
    nonneg = g.have("0 <= p", lambda g: g.pos(["@" + h[1], "1/(x + y)"], eqs=[(p, "1")]))
    half = g.have("p <= 1/2", lambda g: g.pos(["@" + less], eqs=[(p, "-1")]))
    first = g.have("x/(x + y) = 1 - p", lambda g: g.field((p, "1")))
    second = g.have("y/(x + y) = p", lambda g: g.field((p, "-1")))
    g.rewrite(first)
    g.rewrite(second)

    def nonpositive(g: Goal, share: str, known: str, rest: str) -> str:
        """log(share) <= 0 times the share: by log_concave, or because the share is 0."""

        def zero(g: Goal) -> None:
            g.pos(eqs=[("case", f"log({share})")])

        def inside(g: Goal) -> None:
            k = g.by_fact("log_concave", share, by=[lambda g: g.close_by("case")])
            g.pos(["@case", "@" + k], ["@case", "@" + rest])

        def split(g: Goal) -> None:
            cases = g.by_fact("lt_or_eq", 0, share, by=[lambda g: g.close_by(known)])
            g.cases(cases, inside, zero, name="case")

        return g.have(f"0 <= -(({share})*log({share}))", split)

    def at_least_one(g: Goal) -> None:
        large = g.have("0 <= 1 - p", lambda g: g.pos(["1/2"], ["@" + half]))
        below = g.have("p <= 1", lambda g: g.pos(["1/2"], ["@" + half]))
        whole = g.have("1 - p <= 1", lambda g: g.pos(["@" + nonneg]))
        a, b = nonpositive(g, "p", nonneg, below), nonpositive(g, "1 - p", large, whole)
        k = g.have(f"0 <= {entropy('p')}", lambda g: g.pos(["@" + a], ["@" + b]))
        e = g.by_fact("exp_mono", 0, entropy("p"), by=[lambda g: g.close_by(k)])
        zero = g.fact("exp_zero")
        g.pos(["@" + e], eqs=[(zero, 1)])

    def grows(g: Goal, small: str, large: str, bound: str, by: list[Script | None]) -> None:
        k = g.lemma(SPREAD, "part:entropy", small, large, by=by)
        e = g.by_fact("exp_mono", entropy(small), entropy(large), by=[lambda g: g.close_by(k)])
        g.pos(["@" + e], ["@" + bound])

    def up(g: Goal) -> None:
        share, bound = g.intro()
        c = g.have("p <= q", lambda g: g.pos(["@" + share], eqs=[(p, "-(x + y)")], mul=["x + y"]))
        grows(g, "p", "q", bound, [lambda g, k=k: g.close_by(k) for k in (nonneg, c, h[3], h[4])])

    def down(g: Goal) -> None:
        share, bound = g.intro()
        c = g.have("q <= p", lambda g: g.pos(["@" + share], eqs=[(p, "x + y")], mul=["x + y"]))
        positive = g.have("0 < p", lambda g: g.pos(["@" + h[3]], ["@" + c]))
        least = g.have("0 <= q", lambda g: g.pos(["@" + h[3]]))
        grows(g, "q", "p", bound, [lambda g, k=k: g.close_by(k) for k in (least, c, positive, half)])

    g.conj(at_least_one, up, down)


@part(
    SPREAD,
    "limit-by-entries",
    """all F:R~>M(2,2), X:M(2,2). tends(t, F(t)[1,1], X[1,1]) => tends(t, F(t)[1,2], X[1,2]) =>
      tends(t, F(t)[2,1], X[2,1]) => tends(t, F(t)[2,2], X[2,2]) => tends(t, F(t), X)""",
    says="A 2 x 2 matrix converges when its four entries do.",
)
def limit_of_a_matrix_from_its_entries(g: Goal) -> None:
    """An index between 1 and 2 is one of them."""
    table = dict(zip(INDICES, g.intro(), strict=True))
    _, back = g.split(g.fact("tends_matrix", "2", "2", "X", "lam t:R. F(t)"))

    def every(g: Goal) -> None:
        g.intro()
        at_each_entry(g, lambda g, i, j: g.close_by(table[i, j]))

    g.apply(back, by=[every])
    g.auto()


@part(
    SPREAD,
    "limits-agree",
    "all F:R~>M(2,2), X Y:M(2,2). tends(t, F(t), X) => tends(t, F(t), Y) => X = Y",
    says="A 2 x 2 matrix has one limit.",
)
def one_limit_of_a_matrix(g: Goal) -> None:
    """Entry by entry."""
    a, b = g.intro()
    ways = []
    for m, h in (("X", a), ("Y", b)):
        there, _ = g.split(g.fact("tends_matrix", "2", "2", m, "lam t:R. F(t)"))
        ways.append(g.apply(there, by=[lambda g, h=h: g.close_by(h)]))

    def entry(g: Goal) -> None:
        i, j = g.concl[1][2:]
        e = [g.apply(k, i, j) for k in ways]
        g.by_fact(
            "tends_unique", f"X[{i},{j}]", f"Y[{i},{j}]", f"lam t:R. F(t)[{i},{j}]",
            by=[lambda g, h=h: g.close_by(h) for h in e],
        )  # fmt: skip
        g.auto()

    g.ext(entry)


TERMS = {
    "w11": "X[1,1]",
    "w12": "X[1,2]",
    "w22": "X[2,2]",
    "w21": "X[2,1]",
    "s1": "sv(X,1)",
    "s2": "sv(X,2)",
    "rank": STABLE_RANK,
    "effective": EFFECTIVE_RANK,
}


MATRIX = "[[x11, x12], [x21, x22]]"


def of_limit(text: str) -> str:
    """A text about X, about the limit."""
    return re.sub(r"\bX\b", MATRIX, text)


FROBENIUS, DET, S1, S2, SPEC = map(of_limit, ("tr(T(X) @ X)", "det(X)", "sv(X,1)", "sv(X,2)", "spec(X)"))


def texts(ranges: dict[str, Interval]) -> list[str]:
    """Bounds of what is shown of the limit X: entries, singular values, ranks."""
    found = []
    for name, (low, high) in ranges.items():
        found.append(f"{decimal(low)} <= {TERMS[name]} and {TERMS[name]} <= {decimal(high)}")
    return found


def decimal(x: Fraction) -> str:
    """A decimal fraction as text, written out."""
    sign, x, places = "-" if x < 0 else "", abs(x), 0
    while x.denominator != 1:
        x, places = 10 * x, places + 1
    digits = str(x.numerator).rjust(places + 1, "0")
    return sign + (digits[:-places] + "." + digits[-places:] if places else digits)


def rounded(x: Fraction, up: bool) -> Fraction:
    """A decimal with FINE places at most or at least x."""
    scale = 10**FINE
    return Fraction(math.ceil(x * scale) if up else math.floor(x * scale), scale)


def root(x: Fraction, up: bool) -> Fraction:
    """A decimal with FINE places at most or at least the square root of x (0 for x < 0)."""
    n = math.floor(x * 10 ** (2 * FINE)) if x > 0 else 0
    return Fraction(math.isqrt(n) + (1 if up else 0), 10**FINE)


def enclosed(g: Goal, entries: dict[str, str], box: dict[str, tuple[str, str]], ranges: dict[str, Interval]) -> list[str]:
    """Bounds of terms in the limit of the product: its entries, squared norm and determinant are enclosed, and with them the
    singular values and the ranks. The hypotheses are in the order of `ranges`, two for each.

    entries: for a sum of two products of the limits l.. the hypothesis that the entry is equal to it; box: the bounds of these.
    """
    sides = {x: (Fraction(*literal_of(g, h[0], 1)), Fraction(*literal_of(g, h[1], 2))) for x, h in box.items()}

    def between(term: str, text: str, range_: Interval) -> tuple[str, str]:
        """Bounds of a term that is equal to a polynomial in the limits."""
        low, high = (decimal(x) for x in range_)
        k = g.have(f"{low} <= {text}", lambda g: g.ball(box, bits=200))
        m = g.have(f"{text} <= {high}", lambda g: g.ball(box, bits=200))
        rw = list(entries.values())
        return (
            g.have(f"{low} <= {term}", lambda g: g.pos(["@" + k], rw=rw)),
            g.have(f"{term} <= {high}", lambda g: g.pos(["@" + m], rw=rw)),
        )

    text = dict(zip(("w11", "w12", "w21", "w22"), entries, strict=True))
    shown = {n: between(of_limit(TERMS[n]), t, ranges[n]) for n, t in text.items() if n in ranges}
    w = {n: product_interval(sides, t) for n, t in text.items()}
    size = sum_of([times(x, x) for x in w.values()])
    det = sum_of([times(w["w11"], w["w22"]), negative(times(w["w12"], w["w21"]))])
    squares = " + ".join(f"{t}^2" for t in text.values())
    cross = f"{text['w11']}*{text['w22']} - {text['w12']}*{text['w21']}"
    n2 = between(FROBENIUS, squares, widened(size))
    d = between(DET, cross, widened(det))
    low, high = widened(det)
    most, least = max(high, -low), max(low, Fraction(0))
    absolute = g.fact("abs_cases", DET)

    def by_sign(g: Goal, up: bool) -> None:
        def one(g: Goal, sign: int) -> None:
            order, value = g.split("case")
            if up:
                rest = most - (high if sign > 0 else -low)
                use = [["@" + d[1 if sign > 0 else 0]], [decimal(rest)]]
            elif least:
                use = [["@" + d[0]], *([["2", "@" + order]] if sign < 0 else [])]
            else:
                use = [["@" + order]]
            g.pos(*use, eqs=[(value, "-1" if up else "1")])

        g.cases(absolute, lambda g: one(g, 1), lambda g: one(g, -1), name="case")

    top = g.have(f"abs({DET}) <= {decimal(most)}", lambda g: by_sign(g, True))
    bottom = g.have(f"{decimal(least)} <= abs({DET})", lambda g: by_sign(g, False))
    norm = widened(size)
    a, b = root(norm[0] + 2 * least, False), root(norm[1] + 2 * most, True)
    c, e = root(norm[0] - 2 * most, False), root(norm[1] - 2 * least, True)

    def least_difference(g: Goal) -> None:
        """c^2 <= |X|_F^2 - 2 |det X|, which is (s1 - s2)^2 if c = 0."""
        if c:
            g.pos(["@" + n2[0]], ["2", "@" + top], [decimal(norm[0] - 2 * most - c * c)])
            return
        product, total = g.split_all(g.fact("sv_2x2", MATRIX))
        g.pos([f"({S1} - {S2})^2"], eqs=[(product, "2"), (total, "-1")])

    s = g.lemma(
        SPREAD,
        "part:sum-and-difference", MATRIX, *map(decimal, (a, b, c, e)),
        by=[None] * 4 + [
            lambda g: g.pos(["@" + n2[0]], ["2", "@" + bottom], [decimal(norm[0] + 2 * least - a * a)]),
            lambda g: g.pos(["@" + n2[1]], ["2", "@" + top], [decimal(b * b - norm[1] - 2 * most)]),
            least_difference,
            lambda g: g.pos(["@" + n2[1]], ["2", "@" + bottom], [decimal(e * e - norm[1] + 2 * least)]),
        ],
    )  # fmt: skip
    k = g.split_all(s)
    spec = g.fact("spec_is_sv", "2", "2", MATRIX)
    upper, lower = (b + e) / 2, (a + c) / 2
    g.have(f"0 < {SPEC}", lambda g: g.pos(["@" + k[0]], [decimal(lower)], eqs=[(spec, "1")]))
    nonneg, _ = g.split_all(g.apply(g.fact("sv_range", "2", "2", MATRIX), "2", "2"))

    def gap(h: str, rest: Fraction) -> list[list[str]]:
        return [["@" + h], [decimal(rest)]]

    if "s1" in ranges:
        first = ranges["s1"]
        shown["s1"] = (
            g.have(f"{decimal(first[0])} <= {S1}", lambda g: g.pos(*gap(k[0], lower - first[0]))),
            g.have(f"{S1} <= {decimal(first[1])}", lambda g: g.pos(*gap(k[1], first[1] - upper))),
        )
    if "s2" in ranges:
        second = ranges["s2"]
        below = gap(k[2], (a - e) / 2 - second[0]) if second[0] else [["@" + nonneg]]
        shown["s2"] = (
            g.have(f"{decimal(second[0])} <= {S2}", lambda g: g.pos(*below)),
            g.have(f"{S2} <= {decimal(second[1])}", lambda g: g.pos(*gap(k[3], second[1] - (b - c) / 2))),
        )
    if "rank" in ranges:
        rank = ranges["rank"]
        r0, r1 = map(decimal, rank)
        shown["rank"] = (
            g.have(
                f"{r0} <= {of_limit(STABLE_RANK)}",
                lambda g: g.pos(
                    ["@" + n2[0]], [r0, "@" + k[1], f"{S1} + {decimal(upper)}"], [decimal(norm[0] - rank[0] * upper**2)],
                    mul=[f"{SPEC}^2"], rw=[spec],
                ),
            ),
            g.have(
                f"{of_limit(STABLE_RANK)} <= {r1}",
                lambda g: g.pos(
                    ["@" + n2[1]], [r1, "@" + k[0], f"{S1} + {decimal(lower)}"], [decimal(rank[1] * lower**2 - norm[1])],
                    mul=[f"{SPEC}^2"], rw=[spec],
                ),
            ),
        )  # fmt: skip
    if "effective" in ranges:
        shown["effective"] = effective(g, k, ((lower, upper), ((a - e) / 2, (b - c) / 2)), ranges["effective"])
    return [h for n in ranges for h in shown[n]]


def effective(g: Goal, k: list[str], sizes: tuple[Interval, Interval], range_: Interval) -> tuple[str, str]:
    """Bounds of the effective rank, which grows with the share s2/(s1 + s2) of the second singular value.

    k: the bounds of the singular values, in `sizes`, as hypotheses.
    """
    (low1, high1), (low2, high2) = sizes
    rng = g.fact("sv_range", "2", "2", MATRIX)
    nonneg, _ = g.split_all(g.apply(rng, "2", "2"))
    order = g.apply(g.split_all(g.apply(rng, "1", "2"))[1])
    positive = g.have(f"0 < {S1}", lambda g: g.pos(["@" + k[0]], [decimal(low1)]))
    known = [lambda g, h=h: g.close_by(h) for h in (positive, nonneg, order)]

    def size(q: Fraction) -> list[Script | None]:
        return [lambda g: g.pos([decimal(q)]), lambda g: g.pos([decimal(Fraction(1, 2) - q)])]

    total, term = f"({S1} + {S2})", of_limit(EFFECTIVE_RANK)

    def bounds(g: Goal, q: Fraction, e: Fraction) -> list[str]:
        return g.split_all(g.lemma(SPREAD, "part:effective-rank", S1, S2, decimal(q), decimal(e), by=[*known, *size(q)]))

    def least(g: Goal) -> None:
        q = rounded(low2 / (high1 + low2), False)
        if range_[0] == 1:
            g.close_by(bounds(g, Fraction(1, 2), Fraction(1))[0])
            return
        use = [[decimal(1 - q), "@" + k[2]], [decimal(q), "@" + k[1]], [decimal((1 - q) * low2 - q * high1)]]
        below = g.have(f"{decimal(q)}*{total} <= {S2}", lambda g: g.pos(*use))
        at = g.have(f"{decimal(range_[0])} <= {entropy_rank(decimal(q))}", lambda g: g.ball(bits=200))
        g.close_by(g.apply(bounds(g, q, range_[0])[2], by=[lambda g: g.close_by(below), lambda g: g.exact(at)]))

    def most(g: Goal) -> None:
        q = min(rounded(high2 / (low1 + high2), True), Fraction(1, 2))
        use = [[decimal(1 - q), "@" + k[3]], [decimal(q), "@" + k[0]], [decimal(q * low1 - (1 - q) * high2)]]
        if q == Fraction(1, 2):
            use = [["1/2", "@" + order]]
        above = g.have(f"{S2} <= {decimal(q)}*{total}", lambda g: g.pos(*use))
        at = g.have(f"{entropy_rank(decimal(q))} <= {decimal(range_[1])}", lambda g: g.ball(bits=200))
        g.close_by(g.apply(bounds(g, q, range_[1])[1], by=[lambda g: g.close_by(above), lambda g: g.exact(at)]))

    return (
        g.have(f"{decimal(range_[0])} <= {term}", least),
        g.have(f"{term} <= {decimal(range_[1])}", most),
    )


def literal_of(g: Goal, h: str, side: int) -> tuple[int, int]:
    x = g.hyp_formula(h)[side]
    return (x, 1) if isinstance(x, int) else (x[1], x[2])


def times(x: Interval, y: Interval) -> Interval:
    ends = [a * b for a in x for b in y]
    return min(ends), max(ends)


def negative(x: Interval) -> Interval:
    return -x[1], -x[0]


def sum_of(items: list[Interval]) -> Interval:
    return sum((x[0] for x in items), Fraction(0)), sum((x[1] for x in items), Fraction(0))


def widened(x: Interval) -> Interval:
    """Decimals around an interval, with room for what ball arithmetic adds to it."""
    room = x[1] - x[0] + Fraction(1, 10**FINE)
    return rounded(x[0] - room, False), rounded(x[1] + room, True)


def product_interval(sides: dict[str, Interval], text: str) -> Interval:
    """An interval around a sum of two products of the limits."""
    return sum_of([times(*(sides[x] for x in term.split("*"))) for term in text.strip("()").split(" + ")])
