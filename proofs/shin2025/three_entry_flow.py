"""The 2 x 2 flow of depth 2 on the entries (1,1), (1,2), (2,2) at stated numbers: its limit, followed step by step.

The eight entries of the factors solve a polynomial differential equation, the gradient flow of the three residuals. The validated
integrator follows the factors to infinity; the kernel's rule `flow` takes the steps of its certificate and encloses the limits of
the entries. From them follow the limit of the product and its singular values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs.shin2025.warm_start_flow import FLOW, PAPER, claim
from proofs.shin2025.warm_start_symmetry import entry_rates
from verify.flow.certificate import complete
from verify.flow.models import deep_factorization
from verify.flow.validated import Problem, certified_limit
from verify.kernel import Goal
from verify.kernel.flow_search import number, of_certificate
from verify.kernel.flows import Flow, read
from verify.kernel.syntax import parse_term
from verify.kernel.terms import free
from verify.registry import part

DIGITS, FINE = 30, 38  # of what is stated, and of the numbers on the way
SPARE = 3  # digits by which the certificate of a flow is better than the bounds that the kernel finds along it
Interval = tuple[Fraction, Fraction]
Numbers = dict[str, tuple[str, str]]
STABLE_RANK = "tr(T(X) @ X)/spec(X)^2"
SPREAD = f"{PAPER}.proof-step-stable-rank-2x2"

INDICES = [(i, j) for i in (1, 2) for j in (1, 2)]
NAMES = [f"{m}{i}{j}" for m in "ab" for i, j in INDICES]
OBSERVED = {(1, 1): "1", (1, 2): "v", (2, 2): "1"}


def entry(i: int, j: int, t: str) -> str:
    """Entry (i, j) of the product, in the eight functions; t is "(t)", or empty for the values themselves."""
    return f"(a{i}1{t}*b1{j}{t} + a{i}2{t}*b2{j}{t})"


def residuals(v: str, t: str = "") -> dict[tuple[int, int], str]:
    return {k: f"({entry(*k, t)} - {x.replace('v', v)})" for k, x in OBSERVED.items()}


def rates(v: str) -> dict[str, str]:
    """The right sides of the differential equation: A' = -G B^T, B' = -A^T G."""
    r = residuals(v, "(t)")
    out = {}
    for i, k in INDICES:
        out[f"a{i}{k}"] = "-(" + " + ".join(f"{r[i, j]}*b{k}{j}(t)" for j in (1, 2) if (i, j) in r) + ")"
        out[f"b{i}{k}"] = "-(" + " + ".join(f"a{j}{i}(t)*{r[j, k]}" for j in (1, 2) if (j, k) in r) + ")"
    return out


def warm(v: str, conclusion: str) -> str:
    """A statement about the warm start at w* = 1."""
    return claim(f"w = 1 => v = {v} => {conclusion}")


def cold(v: str, scale: str, conclusion: str) -> str:
    """A statement about the start (7) with m = 2 at w* = 1."""
    start = f"[[{scale}, {scale}/2], [{scale}/2, {scale}]]"
    return f"all w v:R, A B:R~>M(2,2). w = 1 => v = {v} => A(0) = {start} => B(0) = {start} => {FLOW} => {conclusion}"


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
    "limit-by-entries",
    """all F:R~>M(2,2), X:M(2,2). tends(t, F(t)[1,1], X[1,1]) => tends(t, F(t)[1,2], X[1,2]) =>
      tends(t, F(t)[2,1], X[2,1]) => tends(t, F(t)[2,2], X[2,2]) => tends(t, F(t), X)""",
    says="A 2 x 2 matrix converges when its four entries do.",
)
def limit_of_a_matrix_from_its_entries(g: Goal) -> None:
    """An index between 1 and 2 is one of them."""
    table = dict(zip(INDICES, g.intro(), strict=True))
    _, back = g.split(g.fact("tends_matrix", "2", "2", "X", "lam t:R. F(t)"))

    def first_or_second(g: Goal, name: str, rest: Callable[[Goal, str, int], None]) -> None:
        g.fact("int_lt", "1", name)

        def one(g: Goal) -> None:
            k = list(g.seq.hyps)[-1]
            rest(g, g.have(f"{name} = 1", lambda g: g.field((k, "-1"))), 1)

        def two(g: Goal) -> None:
            g.by_fact("int_lt", "1", name)
            rest(g, g.by_fact("le_antisym", name, "2"), 2)

        g.less_or_equal(f"1 <= {name}", two, one)

    def every(g: Goal) -> None:
        g.intro()

        def close(g: Goal, hi: str, i: int, hj: str, j: int) -> None:
            g.rewrite(hi)
            g.rewrite(hj)
            g.close_by(table[i, j])

        first_or_second(g, "i", lambda g, hi, i: first_or_second(g, "j", lambda g, hj, j: close(g, hi, i, hj, j)))

    g.apply(back, by=[every])
    g.auto()


def functions(g: Goal, v: str, values: dict[str, str], hs: list[str], numbers: list[str]) -> tuple[list[str], ...]:
    """The eight entries as functions: hypotheses that give their starts, their equations, and that A and B consist of them.

    hs: the starts of A and B and the flow; numbers: w = 1 and v = ..
    """
    at = {f"{m}{i}{j}": f"{m.upper()}(t)[{i},{j}]" for m in "ab" for i, j in INDICES}
    parts = [f"{x}(0) = {values[x]}" for x in NAMES]
    parts += [f"(all t:R. 0 <= t => {x}'(t) = {rates(v)[x]})" for x in NAMES]
    parts += [f"(all t:R. {at[x]} = {x}(t))" for x in NAMES]

    def give(g: Goal) -> None:
        g.witness(*[f"lam t:R. {at[x]}" for x in NAMES])

        def begin(g: Goal, h: str) -> None:
            g.rewrite(h)
            if "w" in free(g.concl):
                g.rewrite(numbers[0])
            g.field()

        def rate(g: Goal) -> None:
            (x,) = g.fix("x")
            g.assume()
            g.field(rw=[*entry_rates(g, hs[2], x), *numbers])

        g.conj(*[lambda g, x=x: begin(g, hs[x > "b"]) for x in NAMES], *[rate] * 8, *[lambda g: (g.fix("x"), g.refl())[-1]] * 8)

    found = g.obtain(g.have(f"ex {' '.join(NAMES)}:R~>R. {' and '.join(parts)}", give), *NAMES)
    return found[:8], found[8:16], found[16:]


PLACES = [x for m in "ba" for x in NAMES if x[0] == m]
"""The entries of the factors, the first factor of the flow (the right one) before the second."""


def certificate(flow: Flow, v: str, digits: int) -> dict[str, Any]:
    """The certificate of `verify flow` for the flow of the factors, from the start that the hypotheses give."""
    start = {x: low for x, (low, _) in zip(flow.names, flow.box, strict=True)}
    factors = [[[start[f"{m}{i}{j}"] for j in (1, 2)] for i in (1, 2)] for m in "ba"]
    target = [[OBSERVED[i, j].replace("v", v) if (i, j) in OBSERVED else None for j in (1, 2)] for i in (1, 2)]
    return complete(certified_limit(Problem.make(deep_factorization(target, 2), factors), digits).certificate)


def follow(g: Goal, v: str, begin: list[str], equations: list[str], digits: int) -> list[str]:
    """The limits of the eight functions within 10^-digits: for each a hypothesis `ex l. tends(t, x(t), l) and ..`."""
    order = [g.hyp_formula(h)[2][2][1][2] for h in equations]
    sides = {}
    for x, h in zip(NAMES, begin, strict=True):
        c = g.hyp_formula(h)[2]
        low = g.have(("<=", c, ("call", x, 0)), lambda g, h=h: g.pos(eqs=[(h, "1")]))
        high = g.have(("<=", ("call", x, 0), c), lambda g, h=h: g.pos(eqs=[(h, "-1")]))
        sides[x] = (low, high)
    hypotheses = {"vars": tuple(order), "ode": tuple(equations), "start": tuple(sides[x] for x in order)}
    flow = read(g.seq.ctx, g.seq.hyps, hypotheses["vars"], hypotheses["ode"], hypotheses["start"])
    terms = [parse_term(r, dict.fromkeys(NAMES, "R")) for r in residuals(v).values()]
    found = of_certificate(flow, certificate(flow, v, digits + SPARE), PLACES, digits, terms)
    scale = 10 ** (digits + 2)
    limits = []
    for x, m in zip(order, found.state.mid, strict=True):
        low, high = math.floor((m - found.state.error) * scale), math.ceil((m + found.state.error) * scale)
        bounds = (("<=", number(Fraction(low, scale)), "l"), ("<=", "l", number(Fraction(high, scale))))
        limits.append(("ex", (("l", "R"),), ("and", ("tends", "t", ("call", x, "t"), "l"), *bounds)))
    h = g.have(("and", *limits), lambda g: g.step("flow", **hypotheses, **found.arguments))
    by_name = dict(zip(order, g.split_all(h), strict=True))
    return [by_name[x] for x in NAMES]


TERMS = {
    "w11": "X[1,1]",
    "w12": "X[1,2]",
    "w22": "X[2,2]",
    "w21": "X[2,1]",
    "s1": "sv(X,1)",
    "s2": "sv(X,2)",
    "rank": STABLE_RANK,
}


MATRIX = "[[x11, x12], [x21, x22]]"


def of_limit(text: str) -> str:
    """A text about X, about the limit."""
    return re.sub(r"\bX\b", MATRIX, text)


FROBENIUS, DET, S1, S2, SPEC = map(of_limit, ("tr(T(X) @ X)", "det(X)", "sv(X,1)", "sv(X,2)", "spec(X)"))


def bounds(v: str, numbers: Numbers) -> str:
    """What is shown of the limit: its entries, singular values and stable rank."""
    texts = ["tends(t, A(t) @ B(t), X)"]
    for name, term in TERMS.items():
        low, high = (decimal(x) for x in interval(v, name, numbers))
        texts.append(f"{low} <= {term} and {term} <= {high}")
    return f"ex X:M(2,2). {' and '.join(texts)}"


def interval(v: str, name: str, numbers: Numbers) -> Interval:
    """The stated bounds: 30 decimals around an observed value, else the given numbers."""
    if name in numbers:
        return Fraction(numbers[name][0]), Fraction(numbers[name][1])
    value = Fraction(v if name == "w12" else "1")
    return value - Fraction(1, 10**DIGITS), value + Fraction(1, 10**DIGITS)


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


def end_points(g: Goal, v: str, values: dict[str, str]) -> tuple[str, dict[str, str], dict[str, tuple[str, str]]]:
    """The limit `MATRIX` of the product: the hypotheses that it is one, that give its entries in the limits l.. of the
    factors, and the bounds of these."""
    hs = g.intro()
    begin, equations, same = functions(g, v, values, hs[2:5], hs[5:] or hs[:2])
    ends = {}
    for x, h in zip(NAMES, follow(g, v, begin, equations, FINE - 2), strict=True):
        ends[x] = g.obtain(h, f"l{x}")
    factors = []
    for m in "AB":
        found = []
        for i, j in INDICES:
            x = f"{m.lower()}{i}{j}"
            own = same[NAMES.index(x)]

            def agree(g: Goal, own: str = own) -> None:
                (t,) = g.fix("x")
                g.assume()
                g.field((g.apply(own, t), "-1"))

            e = g.by_fact(
                "tends_ext", "0", f"l{x}", f"lam t:R. {x}(t)", f"lam t:R. {m}(t)[{i},{j}]",
                by=[agree, lambda g, x=x: g.close_by(ends[x][0])],
            )  # fmt: skip
            found.append(e)
        matrix = "[[{}, {}], [{}, {}]]".format(*(f"l{m.lower()}{i}{j}" for i, j in INDICES))
        one = [lambda g, e=e: g.exact(e) for e in found]
        factors.append((matrix, g.lemma(SPREAD, "part:limit-by-entries", m, matrix, by=one)))
    (left, a), (right, b) = factors
    whole = g.by_fact(
        "tends_matrix_mul", "2", "2", "2", left, right, "lam t:R. A(t)", "lam t:R. B(t)",
        by=[lambda g: g.close_by(a), lambda g: g.close_by(b)],
    )  # fmt: skip
    limits = {(i, j): f"(la{i}1*lb1{j} + la{i}2*lb2{j})" for i, j in INDICES}
    texts = [f"x{i}{j} = {limits[i, j]}" for i, j in INDICES]
    same_matrix = g.have(
        "{} @ {} = [[{}, {}], [{}, {}]]".format(left, right, *limits.values()), lambda g: g.ext(lambda g: g.field())
    )

    def give(g: Goal) -> None:
        g.witness(*limits.values())
        g.conj(lambda g: g.exact(g.rewritten(whole, same_matrix)), *[lambda g: g.refl()] * 4)

    found = g.obtain(
        g.have(f"ex x11 x12 x21 x22:R. tends(t, A(t) @ B(t), {MATRIX}) and {' and '.join(texts)}", give),
        "x11",
        "x12",
        "x21",
        "x22",
    )
    return found[0], dict(zip(limits.values(), found[1:], strict=True)), {f"l{x}": (ends[x][1], ends[x][2]) for x in NAMES}


def limit_of_the_product(g: Goal, v: str, values: dict[str, str], numbers: Numbers) -> None:
    """Prove `bounds(v, numbers)`: the eight entries are followed to their limits; the product converges to the product of
    the limits, whose entries, squared norm and determinant are enclosed, and with them the singular values."""
    converges, entries, box = end_points(g, v, values)
    sides = {x: (Fraction(*_literal(g, h[0], 1)), Fraction(*_literal(g, h[1], 2))) for x, h in box.items()}

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
    shown = {n: between(of_limit(TERMS[n]), t, interval(v, n, numbers)) for n, t in text.items()}
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
    s = g.lemma(
        SPREAD,
        "part:sum-and-difference", MATRIX, *map(decimal, (a, b, c, e)),
        by=[None] * 4 + [
            lambda g: g.pos(["@" + n2[0]], ["2", "@" + bottom], [decimal(norm[0] + 2 * least - a * a)]),
            lambda g: g.pos(["@" + n2[1]], ["2", "@" + top], [decimal(b * b - norm[1] - 2 * most)]),
            lambda g: g.pos(["@" + n2[0]], ["2", "@" + top], [decimal(norm[0] - 2 * most - c * c)]),
            lambda g: g.pos(["@" + n2[1]], ["2", "@" + bottom], [decimal(e * e - norm[1] + 2 * least)]),
        ],
    )  # fmt: skip
    k = g.split_all(s)
    spec = g.fact("spec_is_sv", "2", "2", MATRIX)
    first, second, rank = (interval(v, n, numbers) for n in ("s1", "s2", "rank"))
    upper, lower = (b + e) / 2, (a + c) / 2
    g.have(f"0 < {SPEC}", lambda g: g.pos(["@" + k[0]], [decimal(lower)], eqs=[(spec, "1")]))
    nonneg, _ = g.split_all(g.apply(g.fact("sv_range", "2", "2", MATRIX), "2", "2"))

    def gap(h: str, rest: Fraction) -> list[list[str]]:
        return [["@" + h], [decimal(rest)]]

    shown["s1"] = (
        g.have(f"{decimal(first[0])} <= {S1}", lambda g: g.pos(*gap(k[0], lower - first[0]))),
        g.have(f"{S1} <= {decimal(first[1])}", lambda g: g.pos(*gap(k[1], first[1] - upper))),
    )
    below = gap(k[2], (a - e) / 2 - second[0]) if second[0] else [["@" + nonneg]]
    shown["s2"] = (
        g.have(f"{decimal(second[0])} <= {S2}", lambda g: g.pos(*below)),
        g.have(f"{S2} <= {decimal(second[1])}", lambda g: g.pos(*gap(k[3], second[1] - (b - c) / 2))),
    )
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
    g.witness(MATRIX)
    g.conj(lambda g: g.close_by(converges), *[lambda g, h=h: g.close_by(h) for n in TERMS for h in shown[n]])


def _literal(g: Goal, h: str, side: int) -> tuple[int, int]:
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
    """Decimals around an interval."""
    return rounded(x[0], False) - Fraction(1, 10**FINE), rounded(x[1], True) + Fraction(1, 10**FINE)


def product_interval(sides: dict[str, Interval], text: str) -> Interval:
    """An interval around a sum of two products of the limits."""
    return sum_of([times(*(sides[x] for x in term.split("*"))) for term in text.strip("()").split(" + ")])
