"""Theorem 6 and Appendix E.2 at stated numbers: limits of warm and cold starts, certified to 30 digits at infinite time."""

from __future__ import annotations

import re

from proofs.shin2025.ranks_of_2x2 import SPREAD, STABLE_RANK, TERMS, decimal
from proofs.shin2025.three_entry_flow import (
    DIGITS,
    NAMES,
    Numbers,
    Run,
    bounds,
    cold,
    exact_start,
    interval,
    limit_of_the_product,
    stated,
    targets,
    warm,
)
from proofs.shin2025.three_entry_table import LIMITS
from proofs.shin2025.warm_start_flow import FLOW, PAPER, product
from verify.kernel import Goal
from verify.registry import part

WARM, COLD = f"{PAPER}.theorem-6-stable-rank", f"{PAPER}.assertion-e2-cold-start"
TARGETS = ("0.1", "0.5", "1", "10")
SCALES = {"1/10": "1/10", "1e-35": f"1/{10**35}"}
SAYS = f"with the limit of the whole flow to {DIGITS} digits"


def name(v: str, scale: str = "identity") -> str:
    return f"from-{scale.replace('/', '-over-')}-{v.replace('.', '-')}"


def identity() -> dict[str, str]:
    return {x: str(int(x[1] == x[2])) for x in NAMES}


def family(scale: str) -> dict[str, str]:
    return {x: SCALES[scale] if x[1] == x[2] else f"{SCALES[scale]}/2" for x in NAMES}


def follow_from(g: Goal, v: str, values: dict[str, str], numbers: Numbers) -> None:
    """The limit of the flow from an exact start."""
    hs = g.intro()
    run = Run(targets(v), {}, hs[4], tuple(hs[5:] or hs[:2]))
    limit_of_the_product(g, exact_start(g, values, hs[2:4], run), stated(v, numbers))


def second(text: str) -> str:
    """A text about A, B and X, about F, G and Y."""
    for old, new in (("A", "F"), ("B", "G"), ("X", "Y")):
        text = re.sub(rf"\b{old}\b", new, text)
    return text


def comparison(v: str) -> str:
    """Two cold starts of the scales 1/10 and 1e-35: the second limit is nearer to rank one."""
    starts = {x: f"[[{s}, {s}/2], [{s}/2, {s}]]" for x, s in zip(("A", "F"), SCALES.values(), strict=True)}
    ratio = "sv(X,2)/sv(X,1)"
    return f"""(all w v:R, A B F G:R~>M(2,2). w = 1 => v = {v} => A(0) = {starts["A"]} => B(0) = {starts["A"]} => {FLOW} =>
      F(0) = {starts["F"]} => G(0) = {starts["F"]} => {second(FLOW)} => ex X Y:M(2,2). tends(t, {product("t")}, X) and
      tends(t, {second(product("t"))}, Y) and {second(ratio)} < {ratio} and {second(STABLE_RANK)} < {STABLE_RANK})"""


for _v in TARGETS:

    @part(
        WARM,
        name(_v),
        warm(_v, bounds(_v, LIMITS["identity", _v])),
        says=f"The warm start at w* = 1, w12* = {_v}, {SAYS}.",
        uses=[SPREAD],
        covers="boxes",
        because="one pair of values",
    )
    def limit_of_the_warm_start(g: Goal, v: str = _v) -> None:
        """The entries of the factors are followed step by step until the loss provably decays; see `three_entry_flow`."""
        follow_from(g, v, identity(), LIMITS["identity", v])


for _scale in SCALES:
    for _v in TARGETS:

        @part(
            COLD,
            name(_v, _scale),
            cold(_v, SCALES[_scale], bounds(_v, LIMITS[_scale, _v])),
            says=f"The cold start from (7) with alpha = {_scale}, m = 2 at w* = 1, w12* = {_v}, {SAYS}.",
            uses=[SPREAD],
            covers="boxes",
            because="one set of values",
        )
        def limit_of_the_cold_start(g: Goal, v: str = _v, scale: str = _scale) -> None:
            """As for the warm start."""
            follow_from(g, v, family(scale), LIMITS[scale, v])


@part(
    COLD,
    "compared",
    " and ".join(map(comparison, TARGETS)),
    says=(
        "At w* = 1, m = 2 and w12* in {0.1, 0.5, 1, 10} the limit from the scale 10^-35 is nearer to rank one than that from "
        "1/10, by the ratio of its singular values and by its stable rank."
    ),
    covers="boxes",
    because="four targets and two scales",
)
def smaller_scale_gives_a_limit_nearer_to_rank_one(g: Goal) -> None:
    """The certified limits of the parts, compared."""
    g.conj(*[lambda g, v=v: compare(g, v) for v in TARGETS])


def compare(g: Goal, v: str) -> None:
    hs = g.intro()
    known, names = [], {}
    for scale, own, matrix, functions in (("1/10", hs[2:5], "X", ("A", "B")), ("1e-35", hs[5:8], "Y", ("F", "G"))):
        role = f"part:{name(v, scale)}"
        k = g.lemma(COLD, role, "w", "v", *functions, by=[lambda g, h=h: g.close_by(h) for h in (*hs[:2], *own)])
        found = g.obtain(k, matrix)
        known.append(found[0])
        names[matrix] = {n: tuple(found[1 + 2 * i : 3 + 2 * i]) for i, n in enumerate(TERMS)}
    x, y = ({n: interval(v, n, LIMITS[scale, v]) for n in TERMS} for scale in ("1/10", "1e-35"))
    for m, numbers in (("X", x), ("Y", y)):
        g.have(f"0 < sv({m},1)", lambda g, m=m, numbers=numbers: g.pos(["@" + names[m]["s1"][0]], [decimal(numbers["s1"][0])]))
    g.have("0 <= sv(Y,2)", lambda g: g.pos(["@" + names["Y"]["s2"][0]], [decimal(y["s2"][0])]))
    ratio = [
        [decimal(x["s2"][0] * y["s1"][0] - y["s2"][1] * x["s1"][1])],
        ["@" + names["X"]["s2"][0], "sv(Y,1)"],
        [decimal(x["s2"][0]), "@" + names["Y"]["s1"][0]],
        ["@" + names["Y"]["s2"][1], decimal(x["s1"][1])],
        ["sv(Y,2)", "@" + names["X"]["s1"][1]],
    ]
    rank = [["@" + names["Y"]["rank"][1]], ["@" + names["X"]["rank"][0]], [decimal(x["rank"][0] - y["rank"][1])]]
    g.witness("X", "Y")
    g.conj(
        *[lambda g, h=h: g.close_by(h) for h in known],
        lambda g: g.pos(*ratio, mul=["sv(X,1)", "sv(Y,1)"]),
        lambda g: g.pos(*rank),
    )


def shown(v: str, *names: str) -> str:
    """A statement about the warm start with some of what its part shows."""
    numbers = {n: tuple(map(decimal, interval(v, n, LIMITS["identity", v]))) for n in names}
    texts = [f"{low} <= {TERMS[n]} and {TERMS[n]} <= {high}" for n, (low, high) in numbers.items()]
    return warm(v, f"ex X:M(2,2). tends(t, {product('t')}, X) and {' and '.join(texts)}")


def from_the_part(g: Goal, v: str, *names: str) -> None:
    hs = g.intro()
    k = g.lemma(WARM, f"part:{name(v)}", "w", "v", "A", "B", by=[lambda g, h=h: g.close_by(h) for h in hs])
    found = g.obtain(k, "X")
    g.witness("X")
    places = [1 + 2 * list(TERMS).index(n) + i for n in names for i in (0, 1)]
    g.conj(*[lambda g, i=i: g.close_by(found[i]) for i in (0, *places)])


@part(
    f"{PAPER}.assertion-e2-18",
    "thirty-digits",
    shown("0.1", "rank", "w21"),
    says="The stable rank of the limit is 1.81888..., its unobserved entry -0.0000518...",
    uses=[WARM],
    covers="boxes",
    because="the values of the text",
)
def stable_rank_to_thirty_digits(g: Goal) -> None:
    """The certified limit of the warm start."""
    from_the_part(g, "0.1", "rank", "w21")


@part(
    f"{PAPER}.assertion-e2-stable-rank-not-explain",
    "thirty-digits",
    shown("10", "rank", "w21"),
    says="For w12* = 10 w* the stable rank of the limit is 1.00217..., its unobserved entry -0.374876...; rank one would want 0.1.",
    uses=[WARM],
    covers="boxes",
    because="the values of Figure 11",
)
def low_rank_with_a_wrong_entry(g: Goal) -> None:
    """The certified limit of the warm start."""
    from_the_part(g, "10", "rank", "w21")


for _v in TARGETS:

    @part(
        f"{PAPER}.theorem-6-w21",
        f"limit-{_v.replace('.', '-')}",
        shown(_v, "w21"),
        says=f"The limit of the unobserved entry at w* = 1, w12* = {_v}.",
        uses=[WARM],
        covers="boxes",
        because="one pair of values",
    )
    def limit_of_the_unobserved_entry(g: Goal, v: str = _v) -> None:
        """The certified limit of the warm start."""
        from_the_part(g, v, "w21")
