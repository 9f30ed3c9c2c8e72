"""The abstract's word on deep networks at one start: depth 3, pre-trained on the diagonal from a multiple of the identity.

As at depth 2 (Theorem 6) pre-training ends at the identity; with the entry (1, 2) added the warm start keeps a high rank and a
negative entry (2, 1), while the cold start ends near rank one. The twelve entries of the factors are followed by the kernel's rule
`flow` to their limits.
"""

from __future__ import annotations

import math
from fractions import Fraction

from proofs.shin2025.limiting_rank import IDENTICAL, SMALL
from proofs.shin2025.ranks_of_2x2 import EFFECTIVE_RANK, INDICES, MATRIX, SPREAD, decimal, enclosed, literal_of
from proofs.shin2025.ranks_of_2x2 import texts as stated
from proofs.shin2025.warm_start_flow import PAPER
from verify.kernel import Goal
from verify.kernel.flow_search import find, number
from verify.kernel.flows import read
from verify.kernel.syntax import parse_term
from verify.kernel.tactics import Script
from verify.registry import part

PLASTICITY = f"{PAPER}.assertion-abstract-plasticity-deep"
FACTORS = "CBA"
NAMES = [f"{m.lower()}{i}{j}" for m in FACTORS for i, j in INDICES]
OBSERVED = ((1, 1), (1, 2), (2, 2))
DIGITS = 14

PRODUCT = "(C(t) @ B(t) @ A(t))"
RESIDUAL = f"[[{PRODUCT}[1,1] - 1, {PRODUCT}[1,2] - 1], [0, {PRODUCT}[2,2] - 1]]"
FLOW = f"""(all t:R. 0 <= t => C'(t) = -({RESIDUAL} @ T(B(t) @ A(t))) and B'(t) = -(T(C(t)) @ {RESIDUAL} @ T(A(t))) and
      A'(t) = -(T(C(t) @ B(t)) @ {RESIDUAL}))"""


def trained(start: str, conclusion: str) -> str:
    """A statement about the limit X of the product C B A of depth 3, w* = w12* = 1, whose factors all begin at a matrix."""
    return f"""all A B C:R~>M(2,2). A(0) = {start} => B(0) = {start} => C(0) = {start} => {FLOW} =>
      ex X:M(2,2). tends(t, {PRODUCT}, X) and {conclusion}"""


def scalar(i: int, j: int, t: str = "") -> str:
    """Entry (i, j) of the product in the twelve functions, or in their values."""
    terms = [f"c{i}{k}{t}*b{k}{n}{t}*a{n}{j}{t}" for k in (1, 2) for n in (1, 2)]
    return f"({' + '.join(terms)})"


def residuals(t: str = "") -> dict[tuple[int, int], str]:
    return {k: f"({scalar(*k, t)} - 1)" for k in OBSERVED}


def rates() -> dict[str, str]:
    """The right sides: the derivative of a residual in an entry is the product of the two others that it meets."""
    out = {}
    for name in NAMES:
        factor, p, q = name[0], int(name[1]), int(name[2])
        terms = []
        for (i, j), r in residuals("(t)").items():
            if factor == "c" and p == i:
                terms.append(f"{r}*(b{q}1(t)*a1{j}(t) + b{q}2(t)*a2{j}(t))")
            elif factor == "b":
                terms.append(f"{r}*c{i}{p}(t)*a{q}{j}(t)")
            elif factor == "a" and q == j:
                terms.append(f"{r}*(c{i}1(t)*b1{p}(t) + c{i}2(t)*b2{p}(t))")
        out[name] = f"-({' + '.join(terms)})"
    return out


def place(name: str, t: str = "t") -> str:
    return f"{name[0].upper()}({t})[{name[1]},{name[2]}]"


def functions(g: Goal, scale: str, hs: list[str]) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """The entries as functions: bounds of their starts, their equations, and that the factors consist of them."""
    value = {x: scale if x[1] == x[2] else "0" for x in NAMES}
    start = dict(zip("abc", hs[:3], strict=True))
    rate = rates()
    parts = [f"{value[x]} <= {x}(0) and {x}(0) <= {value[x]}" for x in NAMES]
    parts += [f"(all t:R. 0 <= t => {x}'(t) = {rate[x]})" for x in NAMES]
    parts += [f"(all t:R. {place(x)} = {x}(t))" for x in NAMES]

    def bound(g: Goal, x: str) -> None:
        g.rewrite(start[x[0]])
        g.pos()

    def moves(g: Goal, x: str) -> None:
        (t,) = g.fix("x")
        g.assume()
        h = dict(zip("cba", g.split_all(g.apply(hs[3], t)), strict=True))[x[0]]
        right = g.hyp_formula(h)[2]
        i, j = int(x[1]), int(x[2])
        e = g.have(
            ("=", ("entry", ("d", 1, x[0].upper(), g.term(t)), i, j), ("entry", right, i, j)),
            lambda g: (g.rewrite(h), g.refl())[-1],
        )
        g.field(rw=[e])

    def give(g: Goal) -> None:
        g.witness(*[f"lam t:R. {place(x)}" for x in NAMES])
        same: Script = lambda g: (g.fix("x"), g.refl())[-1]  # noqa: E731
        g.conj(
            *[lambda g, x=x: bound(g, x) for x in NAMES for _ in (0, 1)],
            *[lambda g, x=x: moves(g, x) for x in NAMES],
            *[same] * 12,
        )

    found = g.obtain(g.have(f"ex {' '.join(NAMES)}:R~>R. {' and '.join(parts)}", give), *NAMES)
    return list(zip(found[:24:2], found[1:24:2], strict=True)), found[24:36], found[36:]


def limits(g: Goal, sides: list[tuple[str, str]], equations: list[str], growth: float) -> dict[str, list[str]]:
    """For each entry: that it converges to l.., and the bounds of l.. ."""
    order = [g.hyp_formula(h)[2][2][1][2] for h in equations]
    start = dict(zip(NAMES, sides, strict=True))
    hypotheses = {"vars": tuple(order), "ode": tuple(equations), "start": tuple(start[x] for x in order)}
    flow = read(g.seq.ctx, g.seq.hyps, hypotheses["vars"], hypotheses["ode"], hypotheses["start"])
    found = find(flow, DIGITS, residuals=[parse_term(r, dict.fromkeys(NAMES, "R")) for r in residuals().values()], growth=growth)
    unit, ends = Fraction(1, 10 ** (DIGITS + 2)), []
    for x, m in zip(order, found.state.mid, strict=True):
        low, high = math.floor((m - found.state.error) / unit) * unit, math.ceil((m + found.state.error) / unit) * unit
        ends.append(
            (
                "ex",
                (("l", "R"),),
                ("and", ("tends", "t", ("call", x, "t"), "l"), ("<=", number(low), "l"), ("<=", "l", number(high))),
            )
        )
    h = g.have(("and", *ends), lambda g: g.step("flow", **hypotheses, **found.arguments))
    return {x: g.obtain(k, f"l{x}") for x, k in zip(order, g.split_all(h), strict=True)}


@part(
    PLASTICITY,
    "limit-of-three-factors",
    f"""all A B C:R~>M(2,2), X Y Z:M(2,2). tends(t, C(t), X) => tends(t, B(t), Y) => tends(t, A(t), Z) =>
      tends(t, {PRODUCT}, X @ Y @ Z)""",
    says="The limit of a product of three factors.",
    uses=[SPREAD],
)
def product_of_three_limits(g: Goal) -> None:
    """Two factors at a time, and by entries, since the products are grouped otherwise."""
    x, y, z = g.intro()
    by: list[Script | None] = [lambda g: g.close_by(x), lambda g: g.close_by(y)]
    first = g.by_fact("tends_matrix_mul", "2", "2", "2", "X", "Y", "lam t:R. C(t)", "lam t:R. B(t)", by=by)
    by = [lambda g: g.close_by(first), lambda g: g.close_by(z)]
    whole = g.by_fact("tends_matrix_mul", "2", "2", "2", "X @ Y", "Z", "lam t:R. C(t) @ B(t)", "lam t:R. A(t)", by=by)
    grouped, limit = g.hyp_formula(whole)[2:]
    there, _ = g.split(g.fact("tends_matrix", "2", "2", limit, ("lam", (("t", "R"),), grouped)))
    entries = g.apply(there, by=[lambda g: g.close_by(whole)])
    flat = "(C(t) @ B(t) @ A(t))"

    def entry(g: Goal, i: int, j: int) -> None:
        e = g.apply(entries, str(i), str(j))
        old = g.hyp_formula(e)
        same: Script = lambda g: (g.intro(), g.field())[-1]  # noqa: E731
        k = g.by_fact(
            "tends_ext",
            "0",
            old[3],
            ("lam", (("t", "R"),), old[2]),
            f"lam t:R. {flat}[{i},{j}]",
            by=[same, lambda g: g.close_by(e)],
        )
        g.close_by(g.rewritten(k, g.have(("=", old[3], g.concl[3]), lambda g: g.field())))

    close = [lambda g, i=i, j=j: entry(g, i, j) for i, j in INDICES]
    h = g.lemma(SPREAD, "part:limit-by-entries", f"lam t:R. {flat}", "X @ Y @ Z", by=close)
    g.close_by(h)


def follow(g: Goal, scale: str, growth: float, ranges: dict[str, tuple[Fraction, Fraction]]) -> None:
    """Prove that the product converges to a matrix with the stated bounds."""
    hs = g.intro()
    starts = {h: g.hyp_formula(h)[1][1] for h in hs[:3]}
    begin = [next(h for h, f in starts.items() if f == m) for m in FACTORS]
    sides, equations, same = functions(g, scale, [*begin[::-1], hs[3]])
    ends = limits(g, sides, equations, growth)
    factors = {}
    for m in FACTORS:
        entries = []
        for i, j in INDICES:
            x = f"{m.lower()}{i}{j}"

            def agree(g: Goal, own: str = same[NAMES.index(x)]) -> None:
                (t,) = g.fix("x")
                g.assume()
                g.field((g.apply(own, t), "-1"))

            by: list[Script | None] = [agree, lambda g, x=x: g.close_by(ends[x][0])]
            entries.append(g.by_fact("tends_ext", "0", f"l{x}", f"lam t:R. {x}(t)", f"lam t:R. {place(x)}", by=by))
        matrix = "[[{}, {}], [{}, {}]]".format(*(f"l{m.lower()}{i}{j}" for i, j in INDICES))
        factors[m] = (
            matrix,
            g.lemma(SPREAD, "part:limit-by-entries", m, matrix, by=[lambda g, e=e: g.exact(e) for e in entries]),
        )

    by = [lambda g, m=m: g.close_by(factors[m][1]) for m in FACTORS]
    whole = g.lemma(PLASTICITY, "part:limit-of-three-factors", "A", "B", "C", *[factors[m][0] for m in FACTORS], by=by)
    product = " @ ".join(factors[m][0] for m in FACTORS)
    inner = {(i, j): f"lc{i}1*lb1{j} + lc{i}2*lb2{j}" for i, j in INDICES}
    outer = {(i, j): f"(lm{i}1*la1{j} + lm{i}2*la2{j})" for i, j in INDICES}
    texts = [f"lm{i}{j} = {inner[i, j]}" for i, j in INDICES] + [f"x{i}{j} = {outer[i, j]}" for i, j in INDICES]
    new = [f"lm{i}{j}" for i, j in INDICES] + [f"x{i}{j}" for i, j in INDICES]

    def give(g: Goal) -> None:
        full = [f"(({inner[i, 1]})*la1{j} + ({inner[i, 2]})*la2{j})" for i, j in INDICES]
        g.witness(*inner.values(), *full)
        value = "[[{}, {}], [{}, {}]]".format(*full)
        e = g.have(f"{product} = {value}", lambda g: g.ext(lambda g: g.field()))
        g.conj(lambda g: g.exact(g.rewritten(whole, e)), *[lambda g: g.refl()] * 8)

    known = g.obtain(g.have(f"ex {' '.join(new)}:R. tends(t, {PRODUCT}, {MATRIX}) and {' and '.join(texts)}", give), *new)
    box = {f"l{x}": (ends[x][1], ends[x][2]) for x in NAMES if x[0] == "a"}
    rough = {f"l{x}": (ends[x][1], ends[x][2]) for x in NAMES}
    for (i, j), e in zip(INDICES, known[1:5], strict=True):
        box[f"lm{i}{j}"] = bounds(g, e, inner[i, j], f"lm{i}{j}", rough)
    found = enclosed(g, dict(zip(outer.values(), known[5:], strict=True)), box, ranges)
    g.witness(MATRIX)
    g.conj(lambda g: g.close_by(known[0]), *[lambda g, h=h: g.close_by(h) for h in found])


def bounds(g: Goal, e: str, text: str, name: str, box: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Bounds of a variable that is equal to a sum of products of enclosed ones."""
    value = {x: (literal(g, h[0], 1) + literal(g, h[1], 2)) / 2 for x, h in box.items()}
    middle = sum(math.prod(value[x] for x in term.split("*")) for term in text.split(" + "))
    room = Fraction(1, 10 ** (DIGITS - 2))
    low, high = (decimal(Fraction(round((middle + s * room) * 10 ** (DIGITS + 2)), 10 ** (DIGITS + 2))) for s in (-1, 1))
    below = g.have(f"{low} <= {text}", lambda g: g.ball(box, bits=200))
    above = g.have(f"{text} <= {high}", lambda g: g.ball(box, bits=200))
    return (
        g.have(f"{low} <= {name}", lambda g: g.pos(["@" + below], eqs=[(e, "1")])),
        g.have(f"{name} <= {high}", lambda g: g.pos(["@" + above], eqs=[(e, "-1")])),
    )


def literal(g: Goal, h: str, side: int) -> Fraction:
    return Fraction(*literal_of(g, h, side))


WARM = {"w21": (Fraction("-0.0494881"), Fraction("-0.049488")), "effective": (Fraction("1.8253"), Fraction("1.8254"))}
COLD = {"w21": (Fraction("0.9917"), Fraction("0.9918")), "effective": (Fraction("1.0149"), Fraction("1.015"))}
"""The entry to predict is 1."""


@part(
    PLASTICITY,
    "warm-from-the-identity",
    trained("I(2)", " and ".join(stated(WARM))),
    says="Depth 3 from the identity: w21 ends at -0.0494..., the effective rank at 1.825...",
    uses=[SPREAD],
    covers="boxes",
    because="one depth, one target",
)
def limit_of_the_deep_warm_start(g: Goal) -> None:
    """The twelve entries are followed until the loss provably decays."""
    follow(g, "1", 8, WARM)


@part(
    PLASTICITY,
    "cold-from-a-tenth",
    trained("1/10*I(2)", " and ".join(stated(COLD))),
    says="Depth 3 from I/10 on all three entries: w21 ends at 0.991..., the effective rank at 1.014...",
    uses=[SPREAD],
    covers="boxes",
    because="one depth, one target, one scale",
)
def limit_of_the_deep_cold_start(g: Goal) -> None:
    """As for the warm start."""
    follow(g, "1/10", 12, COLD)


LOSS = f"""{IDENTICAL} and
      ({trained("I(2)", f"X[2,1] < 0 and 1.8 < {EFFECTIVE_RANK}")}) and
      ({trained("1/10*I(2)", f"0.99 < X[2,1] and {EFFECTIVE_RANK} < 1.02")})"""


@part(
    PLASTICITY,
    "loss-at-depth-three",
    LOSS,
    says="Pre-training on the diagonal from alpha I ends with all singular values of the product at w*; the factors stay multiples of I, so that "
    "for w* = 1 each ends at I. For w* = w12* = 1 and depth 3 the warm start from there ends at w21 < 0 and an effective rank above 1.8, the cold "
    "start from I/10 at w21 > 0.99, where 1 is right, and an effective rank below 1.02.",
    uses=[SMALL],
    covers="boxes",
    because="depth 3, one target; the cold start from one scale",
)
def deep_model_loses_plasticity_from_the_identity(g: Goal) -> None:
    """The two limits."""

    def run(g: Goal, role: str) -> None:
        hs = g.intro()
        by: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in hs]
        known = g.obtain(g.lemma(PLASTICITY, f"part:{role}", "A", "B", "C", by=by), "X")
        g.witness("X")
        use: Script = lambda g: g.nlin(products=1, use=known[1:])  # noqa: E731
        g.conj(lambda g: g.close_by(known[0]), use, use)

    g.conj(
        lambda g: g.close_by(g.lemma(SMALL, "part:infinite-m")),
        lambda g: run(g, "warm-from-the-identity"),
        lambda g: run(g, "cold-from-a-tenth"),
    )
