"""Figures 10 to 12 as statements: limits of the three runs for every task and m, certified at infinite time.

Pre-training follows the gradient flow on the diagonal from (7) with alpha = 10^-35; the warm start begins at its limit and
follows the flow on the three entries; the cold start follows that flow from (7). The kernel's rule `flow` encloses the eight
entries of the factors on the way and at infinity (see `three_entry_flow`).
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from proofs.shin2025.ranks_of_2x2 import MATRIX, SPREAD, Interval, decimal, enclosed, literal_of, texts
from proofs.shin2025.three_entry_flow import (
    NAMES,
    Run,
    Side,
    Targets,
    end_points,
    exact_start,
    limit_of_the_product,
)
from proofs.shin2025.warm_start_flow import PAPER
from proofs.shin2025.warm_start_table import LIMITS
from proofs.shin2025.warm_start_tasks import RATIOS, SCALE, TASKS, Ratio, Task, ratio_name
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

SETUP = f"{PAPER}.fig-10-setup"
CLAIMS = {"figure-10": SETUP, "figure-11": f"{PAPER}.fig-11", "figure-12": f"{PAPER}.fig-12"}
ERROR = Fraction(1, 10**11)
NEAR = Fraction(1, 10**9)
"""A cold start ends at an effective rank at most this above 1."""
PLACES = 30  # decimals of the factors after pre-training
PRETRAINED, WARM, COLD = 33, 18, 18  # digits to which a run is followed

ONE = "alpha = 10^-35 and one m"


def literal(x: Fraction) -> str:
    return str(x.numerator) if x.denominator == 1 else f"{x.numerator}/{x.denominator}"


def off_diagonal(m: Ratio) -> str:
    return "0" if m is None else literal(SCALE / m)


def family(m: Ratio) -> str:
    """(7) for a 2 x 2 factor."""
    a, b = literal(SCALE), off_diagonal(m)
    return f"[[{a}, {b}], [{b}, {a}]]"


def values(m: Ratio) -> dict[str, str]:
    """The entries of both factors in (7)."""
    return {x: literal(SCALE) if x[1] == x[2] else off_diagonal(m) for x in NAMES}


def observed(task: Task, corner: bool = True) -> Targets:
    """The diagonal, with or without the entry (1, 2)."""
    found = {(1, 1): literal(task.w11), (2, 2): literal(task.w22)}
    if corner:
        found[1, 2] = literal(task.w12)
    return dict(sorted(found.items()))


def begins(left: str, right: str, m: Ratio) -> str:
    return f"{left}(0) = {family(m)} and {right}(0) = {family(m)}"


def descent(left: str, right: str, entries: Targets) -> str:
    """The gradient flow of objective (2) on the observed entries."""
    product = f"({left}(t) @ {right}(t))"
    rows = [[f"{product}[{i},{j}] - {entries[i, j]}" if (i, j) in entries else "0" for j in (1, 2)] for i in (1, 2)]
    gradient = "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"
    return f"(all t:R. 0 <= t => {left}'(t) = -({gradient} @ T({right}(t))) and {right}'(t) = -(T({left}(t)) @ {gradient}))"


def pretraining(task: Task, m: Ratio, conclusion: str) -> str:
    """A statement about the limits P and Q of the factors C and D, and the limit X of their product."""
    return f"""all C D:R~>M(2,2). {begins("C", "D", m)} => {descent("C", "D", observed(task, False))} => ex P Q X:M(2,2).
      tends(t, C(t), P) and tends(t, D(t), Q) and tends(t, C(t) @ D(t), X) and {conclusion}"""


def warm_start(task: Task, m: Ratio, conclusion: str) -> str:
    """A statement about the limit X of A B, where A and B begin at the limits of C and D, and about the limit Y of C D."""
    return f"""all C D A B:R~>M(2,2). {begins("C", "D", m)} => {descent("C", "D", observed(task, False))} =>
      tends(t, C(t), A(0)) => tends(t, D(t), B(0)) => {descent("A", "B", observed(task))} =>
      ex X Y:M(2,2). tends(t, A(t) @ B(t), X) and tends(t, C(t) @ D(t), Y) and {conclusion}"""


def cold_start(task: Task, m: Ratio, conclusion: str) -> str:
    """A statement about the limit X of A B, which begin at (7)."""
    return f"""all A B:R~>M(2,2). {begins("A", "B", m)} => {descent("A", "B", observed(task))} =>
      ex X:M(2,2). tends(t, A(t) @ B(t), X) and {conclusion}"""


def around(x: Fraction, error: Fraction = ERROR) -> Interval:
    return x - error, x + error


def seen(task: Task, corner: bool = True) -> dict[str, Interval]:
    """The observed entries, fitted."""
    return {f"w{i}{j}": around(Fraction(x)) for (i, j), x in observed(task, corner).items()}


def shown(name: str, m: Ratio, stage: str) -> dict[str, Interval]:
    """What is stated of a limit."""
    task = TASKS[name]
    if stage == "cold":
        ranks = {"rank": around(Fraction(1)), "effective": (Fraction(1), 1 + NEAR)}
        return seen(task) | {"w21": around(task.truth)} | ranks
    effective, stable, w21 = map(Fraction, LIMITS[name, ratio_name(m)][stage])
    ranks = {"w21": around(w21), "rank": around(stable), "effective": around(effective)}
    return seen(task, stage == "warm") | ranks


def factors(task: Task, m: Ratio) -> dict[str, Interval]:
    """Bounds of the factors after pre-training: row i of the left and column i of the right one are sqrt(w_ii) v_i/|v_i|."""
    off = Fraction(0) if m is None else 1 / m
    unit = Fraction(1, 10**PLACES)
    found = {}
    for x in NAMES:
        row = x[1] if x[0] == "a" else x[2]
        w = (task.w11 if row == "1" else task.w22) / (1 + off * off) * (1 if x[1] == x[2] else off * off)
        low = math.isqrt(math.floor(w / unit**2)) * unit
        found[x] = (low - unit, low + 2 * unit)
    return found


def role(stage: str, m: Ratio) -> str:
    return f"{stage}-{ratio_name(m).replace('.', '-')}"


def pretrained_role(task: Task, m: Ratio) -> str:
    """The part about pre-training; Figures 10 and 11 have it in common."""
    return role("pretrained" if task.w11 == task.w22 else "pretrained-unequal", m)


def of_pretrained(text: str) -> str:
    """A text about the limit X, about the limit Y of pre-training."""
    return re.sub(r"\bX\b", "Y", text)


def factor_bounds(task: Task, m: Ratio, left: str, right: str) -> list[str]:
    """Bounds of the factors after pre-training, two for each entry."""
    found = []
    for x, (low, high) in factors(task, m).items():
        place = f"{left if x[0] == 'a' else right}[{x[1]},{x[2]}]"
        found += [f"{decimal(low)} <= {place}", f"{place} <= {decimal(high)}"]
    return found


def follow_pretraining(g: Goal, name: str, m: Ratio) -> None:
    """The factors converge to the closed form, the product to a matrix with the stated ranks."""
    task = TASKS[name]
    hs = g.intro()
    run = Run(observed(task, False), {}, hs[2], left="C", right="D", digits=PRETRAINED)
    ends = end_points(g, exact_start(g, values(m), hs[:2], run))

    def bound(g: Goal, x: str, side: int, limit: Fraction) -> None:
        """An entry of P or Q is one of the enclosed limits."""
        h = ends.box[f"l{x}"][side]
        value = Fraction(*literal_of(g, h, 1 + side))
        g.pos(["@" + h], [decimal(value - limit if side == 0 else limit - value)])

    limits = [(x, side, y) for x, range_ in factors(task, m).items() for side, y in enumerate(range_)]
    inside = []
    for text, limit in zip(factor_bounds(task, m, ends.left[0], ends.right[0]), limits, strict=True):
        inside.append(g.have(text, lambda g, limit=limit: bound(g, *limit)))
    known = enclosed(g, ends.entries, ends.box, shown(name, m, "pre-trained"))
    g.witness(ends.left[0], ends.right[0], MATRIX)
    g.conj(*[lambda g, h=h: g.close_by(h) for h in (ends.left[1], ends.right[1], ends.product, *inside, *known)])


def follow_the_warm_start(g: Goal, name: str, m: Ratio) -> None:
    """The part about pre-training says where the factors begin."""
    task = TASKS[name]
    hs = g.intro()

    def end_of_pretraining(g: Goal) -> list[str]:
        """Limits P, Q of the factors and Y of the product."""
        by: list[Script | None] = [lambda g: g.conj(*[lambda g, h=h: g.close_by(h) for h in hs[:2]]), lambda g: g.close_by(hs[2])]
        return g.obtain(g.lemma(SETUP, f"part:{pretrained_role(task, m)}", "C", "D", by=by), "P", "Q", "Y")

    def begin(g: Goal) -> None:
        known = end_of_pretraining(g)
        for run, letter, h, limit in (("C", "A", hs[3], known[0]), ("D", "B", hs[4], known[1])):
            by: list[Script | None] = [lambda g, k=k: g.close_by(k) for k in (h, limit)]
            other = "P" if letter == "A" else "Q"
            g.rewrite(g.lemma(SPREAD, "part:limits-agree", f"lam t:R. {run}(t)", f"{letter}(0)", other, by=by))
        g.conj(*[lambda g, h=h: g.close_by(h) for h in known[3:19]])

    bounds = g.split_all(g.have(" and ".join(factor_bounds(task, m, "A(0)", "B(0)")), begin))
    sides = {}
    for k, (x, (low, high)) in enumerate(factors(task, m).items()):
        sides[x] = Side(decimal(low), decimal(high), bounds[2 * k], bounds[2 * k + 1])
    ends = end_points(g, Run(observed(task), sides, hs[5], digits=WARM))
    found = enclosed(g, ends.entries, ends.box, shown(name, m, "warm"))
    known = end_of_pretraining(g)  # last, since its terms slow down every search for certificates
    g.witness(MATRIX, "Y")
    g.conj(*[lambda g, h=h: g.close_by(h) for h in (ends.product, known[2], *found, *known[19:])])


def follow_the_cold_start(g: Goal, name: str, m: Ratio) -> None:
    """From alpha on."""
    task = TASKS[name]
    hs = g.intro()
    run = Run(observed(task), {}, hs[2], digits=COLD)
    limit_of_the_product(g, exact_start(g, values(m), hs[:2], run), shown(name, m, "cold"))


def ends_of_the_warm_start(name: str, m: Ratio) -> str:
    warm, before = texts(shown(name, m, "warm")), map(of_pretrained, texts(shown(name, m, "pre-trained")))
    return " and ".join([*warm, *before])


def end_of_pretraining(name: str, m: Ratio) -> str:
    return " and ".join([*factor_bounds(TASKS[name], m, "P", "Q"), *texts(shown(name, m, "pre-trained"))])


def bind_pretraining(name: str, m: Ratio) -> None:
    """The part about pre-training for one m."""
    task = TASKS[name]

    @part(
        SETUP,
        pretrained_role(task, m),
        pretraining(task, m, end_of_pretraining(name, m)),
        says=f"The end of pre-training: m = {ratio_name(m)}, diagonal {literal(task.w11)}, {literal(task.w22)}.",
        uses=[SPREAD],
        covers="boxes",
        because=ONE,
    )
    def factors_and_product_after_pretraining(g: Goal) -> None:
        """The entries of the factors are followed step by step until the loss provably decays; see `three_entry_flow`."""
        follow_pretraining(g, name, m)


def bind_runs(name: str, m: Ratio) -> None:
    """The warm and the cold start of a task for one m."""
    task, claim = TASKS[name], CLAIMS[name]
    which = f"w12* = {literal(task.w12)}, m = {ratio_name(m)}"

    @part(
        claim,
        role("warm", m),
        warm_start(task, m, ends_of_the_warm_start(name, m)),
        says=f"The limit of the warm start, and that of pre-training: {which}.",
        uses=[SPREAD, SETUP],
        covers="boxes",
        because=ONE,
    )
    def limit_of_the_warm_start(g: Goal) -> None:
        """From a ball around the end of pre-training the entries are followed to their limits."""
        follow_the_warm_start(g, name, m)

    @part(
        claim,
        role("cold", m),
        cold_start(task, m, " and ".join(texts(shown(name, m, "cold")))),
        says=f"The limit of the cold start: {which}.",
        uses=[SPREAD],
        covers="boxes",
        because=ONE,
    )
    def limit_of_the_cold_start(g: Goal) -> None:
        """From alpha on the entries are followed to their limits."""
        follow_the_cold_start(g, name, m)


for _m in RATIOS:
    for _name in ("figure-10", "figure-12"):
        bind_pretraining(_name, _m)
    for _name in TASKS:
        bind_runs(_name, _m)
