"""The limit of a 3 x 3 flow from a start in numbers: the eighteen entries of the factors are followed until the loss decays.

The kernel's rule `flow` encloses the limits of the entries; the product converges to the product of the limits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from proofs.bai2024.graphs import by_values
from proofs.bai2024.small_starts import Start, decimal
from verify.kernel import Goal
from verify.kernel.flow_search import find, number
from verify.kernel.flows import read
from verify.kernel.syntax import parse_term

PLACES = [(i, j) for i in (1, 2, 3) for j in (1, 2, 3)]
NAMES = [f"{m}{i}{j}" for m in "ab" for i, j in PLACES]
ENTRIES = [f"w{i}{j}" for i, j in PLACES]
LIMIT = "[[w11,w12,w13],[w21,w22,w23],[w31,w32,w33]]"
CLAIM = "bai2024.assertion-m1-neither"
ORDER = 64  # degree of the Taylor polynomials


@dataclass(frozen=True)
class Observed:
    """The marked entries of an example with their values, and the equation of its flow as text."""

    values: dict[tuple[int, int], str]
    equation: str
    part: str  # the part of CLAIM that shows `entries_of_the_flow`

    def residuals(self, t: str = "") -> dict[tuple[int, int], str]:
        """The residuals in the eighteen functions; t is "(t)", or empty for the values themselves."""
        return {
            (i, j): "(" + " + ".join(f"a{i}{k}{t}*b{k}{j}{t}" for k in (1, 2, 3)) + f" - {v})"
            for (i, j), v in self.values.items()
        }

    def factor(self) -> Fraction:
        return Fraction(2, len(self.values))

    def rates(self) -> dict[str, str]:
        """The right sides of the differential equation, entry by entry."""
        r, out = self.residuals("(t)"), {}
        for i, k in PLACES:
            of_a = " + ".join(f"{r[i, j]}*b{k}{j}(t)" for j in (1, 2, 3) if (i, j) in r)
            of_b = " + ".join(f"a{j}{i}(t)*{r[j, k]}" for j in (1, 2, 3) if (j, k) in r)
            out[f"a{i}{k}"], out[f"b{i}{k}"] = (f"-(2/{len(r)}*({text}))" for text in (of_a, of_b))
        return out


@dataclass(frozen=True)
class Followed:
    """Names of hypotheses: A(t) @ B(t) tends to LIMIT, whose entries are variables; the bounds of each entry and their values."""

    converges: str
    bounds: dict[str, tuple[str, str]]
    numbers: dict[str, tuple[Fraction, Fraction]]


def entries_of_the_flow(data: Observed) -> str:
    """The factors of a flow consist of eighteen functions, which solve the equations of `rates`."""
    rates = data.rates()
    parts = [f"(all t:R. 0 <= t => {x}'(t) = {rates[x]})" for x in NAMES]
    parts += [f"(all t:R. {_entry(x)} = {x}(t))" for x in NAMES]
    return f"all A B:R~>M(3,3). {data.equation} => ex {' '.join(NAMES)}:R~>R. {' and '.join(parts)}"


def _entry(x: str, t: str = "t") -> str:
    """The entry of a factor with the name x, at a time."""
    return f"{x[0].upper()}({t})[{x[1]},{x[2]}]"


def functions_are_the_entries(g: Goal) -> None:
    """Prove `entries_of_the_flow`: each equation is an entry of that of A or of B."""
    (flow,) = g.intro()

    def rate(g: Goal, x: str) -> None:
        (t,) = g.fix("t")
        g.assume()
        h = g.split(g.apply(flow, t))[x > "b"]
        left, right = g.hyp_formula(h)[1:]
        i, j = int(x[1]), int(x[2])
        one = g.have(("=", ("entry", left, i, j), ("entry", right, i, j)), lambda g: (g.rewrite(h), g.refl())[-1])
        g.field(rw=[one])

    g.witness(*[f"lam t:R. {_entry(x)}" for x in NAMES])
    same: list[Callable[[Goal], None]] = [lambda g: (g.fix("t"), g.refl())[-1]] * len(NAMES)
    g.conj(*[lambda g, x=x: rate(g, x) for x in NAMES], *same)


BY_ENTRIES = (
    "all F:R~>M(3,3), X:M(3,3). "
    + " => ".join(f"tends(t, F(t)[{i},{j}], X[{i},{j}])" for i, j in PLACES)
    + " => tends(t, F(t), X)"
)


def limit_by_entries(g: Goal) -> None:
    """Prove `BY_ENTRIES`: an index between 1 and 3 is one of them."""
    table = dict(zip(PLACES, g.intro(), strict=True))

    def every(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume())

        def row(g: Goal, i: int) -> None:
            hi = list(g.seq.hyps)[-1]

            def column(g: Goal, j: int) -> None:
                hj = list(g.seq.hyps)[-1]
                g.rewrite(hi)
                g.rewrite(hj)
                g.close_by(table[i, j])

            by_values(g, "j", 1, 3, column)

        by_values(g, "i", 1, 3, row)

    back = g.split(g.fact("tends_matrix", 3, 3, "X", "lam t:R. F(t)"))[1]
    g.close_by(g.apply(back, by=[every]))


def functions(g: Goal, data: Observed, start: Start, hs: list[str]) -> tuple[list[str], list[str], list[str]]:
    """The eighteen entries as functions: hypotheses on their starts, their equations, and that A and B consist of them.

    hs: the starts of A and of B, and the flow.
    """
    values = {f"{m}{i}{j}": rows[i - 1][j - 1] for m, rows in (("a", start.a), ("b", start.b)) for i, j in PLACES}
    k = g.lemma(CLAIM, f"part:{data.part}", "A", "B", by=[lambda g: g.close_by(hs[2])])
    found = g.obtain(k, *NAMES)
    n = len(NAMES)
    begin = []
    for x, same in zip(NAMES, found[n:], strict=True):
        own = g.apply(same, 0)
        at = g.have(f"{_entry(x, '0')} = {decimal(values[x])}", lambda g, h=hs[x > "b"]: (g.rewrite(h), g.field())[-1])
        begin.append(g.have(f"{x}(0) = {decimal(values[x])}", lambda g, own=own, at=at: g.field((own, -1), (at, 1))))
    return begin, found[:n], found[n:]


def follow(g: Goal, data: Observed, begin: list[str], equations: list[str], digits: int, growth: float) -> dict[str, list[str]]:
    """The limits l.. of the eighteen functions within 10^-digits: for each the limit, a lower and an upper bound."""
    sides = []
    for x, h in zip(NAMES, begin, strict=True):
        c = g.hyp_formula(h)[2]
        low = g.have(("<=", c, ("call", x, 0)), lambda g, h=h: g.pos(eqs=[(h, "1")]))
        high = g.have(("<=", ("call", x, 0), c), lambda g, h=h: g.pos(eqs=[(h, "-1")]))
        sides.append((low, high))
    hypotheses = {"vars": tuple(NAMES), "ode": tuple(equations), "start": tuple(sides)}
    flow = read(g.seq.ctx, g.seq.hyps, hypotheses["vars"], hypotheses["ode"], hypotheses["start"])
    terms = [parse_term(r, dict.fromkeys(NAMES, "R")) for r in data.residuals().values()]
    found = find(flow, digits, residuals=terms, factor=data.factor(), growth=growth, order=ORDER)
    scale = 10 ** (digits + 2)
    limits = []
    for x, m in zip(NAMES, found.state.mid, strict=True):
        low, high = math.floor((m - found.state.error) * scale), math.ceil((m + found.state.error) * scale)
        bounds = (("<=", number(Fraction(low, scale)), "l"), ("<=", "l", number(Fraction(high, scale))))
        limits.append(("ex", (("l", "R"),), ("and", ("tends", "t", ("call", x, "t"), "l"), *bounds)))
    h = g.have(("and", *limits), lambda g: g.step("flow", **hypotheses, **found.arguments))
    return {x: g.obtain(k, f"l{x}") for x, k in zip(NAMES, g.split_all(h), strict=True)}


def limit_of_factor(g: Goal, m: str, ends: dict[str, list[str]], same: dict[str, str]) -> tuple[str, str]:
    """The limit of A or B as a matrix of the limits of its entries, and the hypothesis that says so."""
    rows = [[f"l{m.lower()}{i}{j}" for j in (1, 2, 3)] for i in (1, 2, 3)]
    text = "[" + ",".join("[" + ",".join(row) + "]" for row in rows) + "]"
    entry = {}
    for i, j in PLACES:
        x = f"{m.lower()}{i}{j}"

        def agree(g: Goal, x: str = x) -> None:
            (t,) = g.fix("x")
            g.assume()
            g.field((g.apply(same[x], t), "-1"))

        entry[i, j] = g.by_fact(
            "tends_ext", "0", f"l{x}", f"lam t:R. {x}(t)", f"lam t:R. {m}(t)[{i},{j}]",
            by=[agree, lambda g, x=x: g.close_by(ends[x][0])],
        )  # fmt: skip

    one = [lambda g, k=k: g.exact(k) for k in entry.values()]
    return text, g.lemma(CLAIM, "part:limit-by-entries", m, text, by=one)


def limit_of_the_product(g: Goal, data: Observed, start: Start, hs: list[str], digits: int, growth: float) -> Followed:
    """Bring in the entries w11, .., w33 of the limit of A(t) @ B(t) with bounds; hs as in `functions`."""
    begin, equations, same = functions(g, data, start, hs)
    ends = follow(g, data, begin, equations, digits, growth)
    own = dict(zip(NAMES, same, strict=True))
    (left, a), (right, b) = (limit_of_factor(g, m, ends, own) for m in "AB")
    whole = g.by_fact(
        "tends_matrix_mul", 3, 3, 3, left, right, "lam t:R. A(t)", "lam t:R. B(t)",
        by=[lambda g: g.close_by(a), lambda g: g.close_by(b)],
    )  # fmt: skip
    texts = {f"w{i}{j}": "(" + " + ".join(f"la{i}{k}*lb{k}{j}" for k in (1, 2, 3)) + ")" for i, j in PLACES}
    box = {f"l{x}": (ends[x][1], ends[x][2]) for x in NAMES}
    sides = {x: (_literal(g, low, 1), _literal(g, high, 2)) for x, (low, high) in box.items()}
    numbers = {w: _decimals(_enclosed(sides, text), digits) for w, text in texts.items()}
    known = {}
    for w, text in texts.items():
        low, high = map(decimal, numbers[w])
        known[w] = (
            g.have(f"{low} <= {text}", lambda g: g.ball(box, bits=100)),
            g.have(f"{text} <= {high}", lambda g: g.ball(box, bits=100)),
        )
    product = "[" + ",".join("[" + ",".join(texts[f"w{i}{j}"] for j in (1, 2, 3)) + "]" for i in (1, 2, 3)) + "]"
    equal = g.have(f"{left} @ {right} = {product}", lambda g: g.ext(lambda g: g.field()))
    claims = [f"tends(t, A(t) @ B(t), {LIMIT})"]
    claims += [f"{decimal(numbers[w][0])} <= {w} and {w} <= {decimal(numbers[w][1])}" for w in ENTRIES]

    def give(g: Goal) -> None:
        g.witness(*texts.values())
        sides = [h for w in ENTRIES for h in known[w]]
        g.conj(lambda g: g.exact(g.rewritten(whole, equal)), *[lambda g, h=h: g.close_by(h) for h in sides])

    found = g.obtain(g.have(f"ex {' '.join(ENTRIES)}:R. {' and '.join(claims)}", give), *ENTRIES)
    pairs = dict(zip(ENTRIES, zip(found[1::2], found[2::2], strict=True), strict=True))
    return Followed(found[0], pairs, numbers)


def _literal(g: Goal, h: str, side: int) -> Fraction:
    x = g.hyp_formula(h)[side]
    return Fraction(x) if isinstance(x, int) else Fraction(x[1], x[2])


def _enclosed(sides: dict[str, tuple[Fraction, Fraction]], text: str) -> tuple[Fraction, Fraction]:
    """An interval around a sum of products of two limits."""
    low = high = Fraction(0)
    for x, y in re.findall(r"(\w+)\*(\w+)", text):
        ends = [p * q for p in sides[x] for q in sides[y]]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _decimals(x: tuple[Fraction, Fraction], digits: int) -> tuple[Fraction, Fraction]:
    """Decimals around an interval."""
    scale = 10 ** (digits + 2)
    return Fraction(math.floor(x[0] * scale) - 1, scale), Fraction(math.ceil(x[1] * scale) + 1, scale)
