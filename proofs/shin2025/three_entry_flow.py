"""The 2 x 2 flow of depth 2 on the entries (1,1), (1,2), (2,2) at stated numbers: its limit, followed step by step.

The eight entries of the factors solve a polynomial differential equation, the gradient flow of the three residuals. The validated
integrator follows the factors to infinity; the kernel's rule `flow` takes the steps of its certificate and encloses the limits of
the entries. From them follow the limit of the product and its singular values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from proofs.shin2025.ranks_of_2x2 import FINE, INDICES, MATRIX, SPREAD, TERMS, Interval, enclosed, texts
from proofs.shin2025.warm_start_flow import FLOW, claim
from proofs.shin2025.warm_start_symmetry import entry_rates
from verify.flow.certificate import complete
from verify.flow.models import deep_factorization
from verify.flow.validated import Problem, certified_limit
from verify.kernel import Goal
from verify.kernel.flow_search import number, of_certificate
from verify.kernel.flows import Flow, read
from verify.kernel.syntax import parse_term
from verify.kernel.terms import free

DIGITS = 30  # of what is stated
SPARE = 6  # digits by which the certificate of a flow is better than the bounds that the kernel finds along it
Numbers = dict[str, tuple[str, str]]
NAMES = [f"{m}{i}{j}" for m in "ab" for i, j in INDICES]
Targets = dict[tuple[int, int], str]
"""The observed entries and their values, as literals."""


def targets(v: str) -> Targets:
    """The three observed entries at w* = 1."""
    return {(1, 1): "1", (1, 2): v, (2, 2): "1"}


def entry(i: int, j: int, t: str) -> str:
    """Entry (i, j) of the product, in the eight functions; t is "(t)", or empty for the values themselves."""
    return f"(a{i}1{t}*b1{j}{t} + a{i}2{t}*b2{j}{t})"


def residuals(observed: Targets, t: str = "") -> dict[tuple[int, int], str]:
    return {k: f"({entry(*k, t)} - {x})" for k, x in observed.items()}


def rates(observed: Targets) -> dict[str, str]:
    """The right sides of the differential equation: A' = -G B^T, B' = -A^T G."""
    r = residuals(observed, "(t)")
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


@dataclass(frozen=True)
class Side:
    """Bounds of an entry at the start, and the hypotheses for them."""

    low: str
    high: str
    below: str
    above: str


@dataclass(frozen=True)
class Run:
    """A flow among the hypotheses of a goal: what it fits, where it starts, its equation."""

    observed: Targets
    start: dict[str, Side]
    equation: str
    numbers: tuple[str, ...] = ()
    """Hypotheses w = .., v = .. that make the numbers in the equation literals."""
    left: str = "A"
    right: str = "B"
    digits: int = FINE - 2

    def place(self, name: str, t: str = "t") -> str:
        """The entry of a factor that a function is."""
        return f"{self.left if name[0] == 'a' else self.right}({t})[{name[1]},{name[2]}]"


def exact_start(g: Goal, values: dict[str, str], hs: Sequence[str], run: Run) -> Run:
    """The run from a start that two hypotheses give entry by entry."""
    sides = {}
    for x, value in values.items():
        place, h = run.place(x, "0"), hs[x > "b"]

        def begin(g: Goal, h: str = h) -> None:
            g.rewrite(h)
            if "w" in free(g.concl):
                g.rewrite(run.numbers[0])
            g.field()

        e = g.have(f"{place} = {value}", begin)
        low = g.have(f"{value} <= {place}", lambda g, e=e: g.pos(eqs=[(e, "1")]))
        high = g.have(f"{place} <= {value}", lambda g, e=e: g.pos(eqs=[(e, "-1")]))
        sides[x] = Side(value, value, low, high)
    return replace(run, start=sides)


def functions(g: Goal, run: Run) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """The eight entries as functions: hypotheses that bound their starts, their equations, and that the factors consist of them."""
    parts = [f"{run.start[x].low} <= {x}(0) and {x}(0) <= {run.start[x].high}" for x in NAMES]
    parts += [f"(all t:R. 0 <= t => {x}'(t) = {rates(run.observed)[x]})" for x in NAMES]
    parts += [f"(all t:R. {run.place(x)} = {x}(t))" for x in NAMES]

    def give(g: Goal) -> None:
        g.witness(*[f"lam t:R. {run.place(x)}" for x in NAMES])

        def rate(g: Goal) -> None:
            (x,) = g.fix("x")
            g.assume()
            g.field(rw=[*entry_rates(g, run.equation, x, run.left, run.right), *run.numbers])

        starts = [h for x in NAMES for h in (run.start[x].below, run.start[x].above)]
        g.conj(*[lambda g, h=h: g.close_by(h) for h in starts], *[rate] * 8, *[lambda g: (g.fix("x"), g.refl())[-1]] * 8)

    found = g.obtain(g.have(f"ex {' '.join(NAMES)}:R~>R. {' and '.join(parts)}", give), *NAMES)
    return list(zip(found[:16:2], found[1:16:2], strict=True)), found[16:24], found[24:]


PLACES = [x for m in "ba" for x in NAMES if x[0] == m]
"""The entries of the factors, the first factor of the flow (the right one) before the second."""


def certificate(flow: Flow, run: Run) -> dict[str, Any]:
    """The certificate of `verify flow` for the flow of the factors, from the middle of the bounds of the start."""
    start = {x: (low + high) / 2 for x, (low, high) in zip(flow.names, flow.box, strict=True)}
    factors = [[[start[f"{m}{i}{j}"] for j in (1, 2)] for i in (1, 2)] for m in "ba"]
    target = [[run.observed.get((i, j)) for j in (1, 2)] for i in (1, 2)]
    model = deep_factorization(target, 2)
    problem = Problem.make(model, factors)
    return complete(certified_limit(problem, run.digits + SPARE, exponentials=False).certificate)


def follow(g: Goal, run: Run, sides: list[tuple[str, str]], equations: list[str]) -> list[str]:
    """The limits of the eight functions within 10^-digits: for each a hypothesis `ex l. tends(t, x(t), l) and ..`."""
    order = [g.hyp_formula(h)[2][2][1][2] for h in equations]
    start = dict(zip(NAMES, sides, strict=True))
    hypotheses = {"vars": tuple(order), "ode": tuple(equations), "start": tuple(start[x] for x in order)}
    flow = read(g.seq.ctx, g.seq.hyps, hypotheses["vars"], hypotheses["ode"], hypotheses["start"])
    terms = [parse_term(r, dict.fromkeys(NAMES, "R")) for r in residuals(run.observed).values()]
    found = of_certificate(flow, certificate(flow, run), PLACES, run.digits, terms)
    scale = 10 ** (run.digits + 2)
    limits = []
    for x, m in zip(order, found.state.mid, strict=True):
        low, high = math.floor((m - found.state.error) * scale), math.ceil((m + found.state.error) * scale)
        bounds = (("<=", number(Fraction(low, scale)), "l"), ("<=", "l", number(Fraction(high, scale))))
        limits.append(("ex", (("l", "R"),), ("and", ("tends", "t", ("call", x, "t"), "l"), *bounds)))
    h = g.have(("and", *limits), lambda g: g.step("flow", **hypotheses, **found.arguments))
    by_name = dict(zip(order, g.split_all(h), strict=True))
    return [by_name[x] for x in NAMES]


def stated(v: str, numbers: Numbers) -> dict[str, Interval]:
    """The stated bounds at w* = 1: 30 decimals around an observed value, else the given numbers."""
    return {name: interval(v, name, numbers) for name in TERMS if name in numbers or name in ("w11", "w12", "w22")}


def interval(v: str, name: str, numbers: Numbers) -> Interval:
    """One of them."""
    if name in numbers:
        return Fraction(numbers[name][0]), Fraction(numbers[name][1])
    value = Fraction(v if name == "w12" else "1")
    return value - Fraction(1, 10**DIGITS), value + Fraction(1, 10**DIGITS)


def bounds(v: str, numbers: Numbers) -> str:
    """What is shown of the limit at w* = 1: its entries, singular values and stable rank."""
    return f"ex X:M(2,2). {' and '.join(['tends(t, A(t) @ B(t), X)', *texts(stated(v, numbers))])}"


@dataclass(frozen=True)
class Ends:
    """The limits of a run: of the factors and of the product `MATRIX`, each as text with the hypothesis that it is one; what
    the entries of the product are in the limits l.. of the functions, and the bounds of these."""

    left: tuple[str, str]
    right: tuple[str, str]
    product: str
    entries: dict[str, str]
    box: dict[str, tuple[str, str]]


def end_points(g: Goal, run: Run) -> Ends:
    """Follow a run to its limits."""
    sides, equations, same = functions(g, run)
    ends = {}
    for x, h in zip(NAMES, follow(g, run, sides, equations), strict=True):
        ends[x] = g.obtain(h, f"l{x}")
    factors = []
    for m, functions_of in ((run.left, NAMES[:4]), (run.right, NAMES[4:])):
        found = []
        for x in functions_of:

            def agree(g: Goal, own: str = same[NAMES.index(x)]) -> None:
                (t,) = g.fix("x")
                g.assume()
                g.field((g.apply(own, t), "-1"))

            e = g.by_fact(
                "tends_ext", "0", f"l{x}", f"lam t:R. {x}(t)", f"lam t:R. {run.place(x)}",
                by=[agree, lambda g, x=x: g.close_by(ends[x][0])],
            )  # fmt: skip
            found.append(e)
        matrix = "[[{}, {}], [{}, {}]]".format(*(f"l{x}" for x in functions_of))
        one = [lambda g, e=e: g.exact(e) for e in found]
        factors.append((matrix, g.lemma(SPREAD, "part:limit-by-entries", m, matrix, by=one)))
    (left, a), (right, b) = factors
    whole = g.by_fact(
        "tends_matrix_mul", "2", "2", "2", left, right, f"lam t:R. {run.left}(t)", f"lam t:R. {run.right}(t)",
        by=[lambda g: g.close_by(a), lambda g: g.close_by(b)],
    )  # fmt: skip
    limits = {(i, j): f"(la{i}1*lb1{j} + la{i}2*lb2{j})" for i, j in INDICES}
    parts = [f"x{i}{j} = {limits[i, j]}" for i, j in INDICES]
    same_matrix = g.have(
        "{} @ {} = [[{}, {}], [{}, {}]]".format(left, right, *limits.values()), lambda g: g.ext(lambda g: g.field())
    )

    def give(g: Goal) -> None:
        g.witness(*limits.values())
        g.conj(lambda g: g.exact(g.rewritten(whole, same_matrix)), *[lambda g: g.refl()] * 4)

    product = f"tends(t, {run.left}(t) @ {run.right}(t), {MATRIX})"
    found = g.obtain(g.have(f"ex x11 x12 x21 x22:R. {product} and {' and '.join(parts)}", give), "x11", "x12", "x21", "x22")
    entries = dict(zip(limits.values(), found[1:], strict=True))
    return Ends((left, a), (right, b), found[0], entries, {f"l{x}": (ends[x][1], ends[x][2]) for x in NAMES})


def limit_of_the_product(g: Goal, run: Run, ranges: dict[str, Interval]) -> None:
    """Prove that the product of a run has a limit X with the stated bounds."""
    ends = end_points(g, run)
    shown = enclosed(g, ends.entries, ends.box, ranges)
    g.witness(MATRIX)
    g.conj(lambda g: g.close_by(ends.product), *[lambda g, h=h: g.close_by(h) for h in shown])
