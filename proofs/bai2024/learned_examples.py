"""Sections 4 and 6.2: what is learned for M_1 and M_3 from small Gaussian starts, certified at infinite time."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from proofs.bai2024.completions import rank_at_least_two
from proofs.bai2024.examples import P1, P3, V1, V3
from proofs.bai2024.followed_limits import (
    BY_ENTRIES,
    CLAIM,
    LIMIT,
    PLACES,
    Followed,
    Observed,
    entries_of_the_flow,
    functions_are_the_entries,
    limit_by_entries,
    limit_of_the_product,
)
from proofs.bai2024.observations_as_operators import NO_ISOMETRY
from proofs.bai2024.small_starts import Start, flow, gaussian_start, learned
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

M1 = Observed({(1, 1): "1", (1, 2): "2", (2, 1): "3", (3, 3): "5"}, flow(P1, V1, 4), "entries-of-the-first")
M3 = Observed(
    {(1, 1): "1", (1, 2): "2", (2, 1): "3", (2, 2): "4", (3, 1): "6", (3, 3): "5"}, flow(P3, V3, 6), "entries-of-the-third"
)
THIRD_CLAIM = "bai2024.assertion-m3-not-min-nuclear"
FIRST, THIRD = "[[1,2,x],[3,y,z],[u,v,5]]", "[[1,2,x],[3,4,y],[6,z,5]]"
FIRST_STARTS = [gaussian_start(seed, e) for seed, e in ((1, 3), (5, 4), (7, 6))]
THIRD_STARTS = [gaussian_start(seed, e) for seed, e in ((1, 3), (4, 3), (4, 4), (3, 6), (4, 6))]
DISTANCE = {3: "1", 4: "0.4", 6: "0.05"}  # from one completion of rank 2, by the exponent of the start
NEAR = "0.000001"  # from completions
READING = (
    "learned: the limit for t to infinity of the gradient flow from a small generic start; the starts are drawn from normal deviates of"
    " the standard deviations {}, from recorded seeds"
)


BECAUSE = (
    "certified for {} starts of small but positive standard deviation, which are drawn from recorded seeds, for all times: {}; the limit of"
    " vanishing scale for every generic start is not proved"
)


def distance(x: str, y: str) -> str:
    """The squared Frobenius norm of the difference."""
    return f"tr(T({x} - {y}) @ ({x} - {y}))"


def smaller_norm(matrix: str, numbers: str) -> str:
    """There is a completion with a smaller nuclear norm."""
    return f"(ex {numbers}:R. nuc({matrix}) < nuc(W))"


NEITHER = f"""ex W:M(3,3). tends(t, A(t) @ B(t), W) and (ex x y z u v:R. {distance("W", FIRST)} <= {NEAR}) and
      (ex x y z u v:R. rank({FIRST}) < rank(W)) and {smaller_norm(FIRST, "x y z u v")}"""


def dual_bound(g: Goal, q: str, low: str, f: Followed) -> str:
    """low <= nuc(LIMIT), by the trace of LIMIT against an orthogonal matrix q."""
    pair = trace_bound(g, q, LIMIT)
    rows = [row.split(",") for row in q.strip("[]").split("],[")]
    text = " + ".join(f"({rows[i - 1][j - 1]})*w{i}{j}" for i, j in PLACES)
    value = g.have(f"{low} <= {text}", lambda g: g.ball(f.bounds))
    return g.have(f"{low} <= nuc({LIMIT})", lambda g: g.pos(["@" + pair], ["@" + value]))


def trace_bound(g: Goal, q: str, matrix: str) -> str:
    """tr(T(q) @ matrix) <= nuc(matrix) for an orthogonal matrix q of numbers."""
    unit = g.have(f"T({q}) @ {q} = I(3)", lambda g: g.ext(lambda g: g.field()))

    def contracts(g: Goal) -> None:
        g.fix("v")
        k = g.have(f"tr(T({q} @ v) @ ({q} @ v)) = 1^2*tr(T(v) @ v)", lambda g: isometry(g, q, unit))
        g.pos(eqs=[(k, "-1")])

    spec = g.by_fact("spec_least", 3, 3, "1", q, by=[lambda g: g.pos(["1"]), contracts])
    return g.by_fact("nuc_pairing", 3, 3, matrix, q, by=[lambda g: g.close_by(spec)])


def isometry(g: Goal, q: str, unit: str) -> None:
    """|q v| = |v| for an orthogonal q."""
    k = g.have(f"T({q} @ v) @ ({q} @ v) = T(v) @ v", lambda g: orthogonal(g, q, unit))
    g.rewrite(k)
    g.field()


def orthogonal(g: Goal, q: str, unit: str) -> None:
    m = g.term(q)
    (u,) = g.obtain(g.have(("ex", (("u", ("M", 3, 3)),), ("=", m, "u")), lambda g: (g.witness(m), g.refl())[-1]), "u")
    k = g.have("T(u) @ u = I(3)", lambda g: (g.rewrite(u, back=True), g.close_by(unit))[-1])
    g.rewrite(u)
    g.nc(rw=[k])


def rank_two_by_minor(g: Goal, f: Followed) -> str:
    """2 <= rank(LIMIT), by the 2 x 2 minor that is farthest from 0."""

    def size(rows: tuple[int, int], columns: tuple[int, int]) -> Fraction:
        (i, j), (k, m) = rows, columns
        middle = {w: (a + b) / 2 for w, (a, b) in f.numbers.items()}
        return abs(middle[f"w{i}{k}"] * middle[f"w{j}{m}"] - middle[f"w{i}{m}"] * middle[f"w{j}{k}"])

    pairs = list(combinations((1, 2, 3), 2))
    rows, columns = max(((r, c) for r in pairs for c in pairs), key=lambda rc: size(*rc))
    (i, j), (k, m) = rows, columns
    minor = f"[[w{i}{k},w{i}{m}],[w{j}{k},w{j}{m}]]"
    left = "[" + ",".join("[" + ",".join(str(int(n == r)) for n in (1, 2, 3)) + "]" for r in rows) + "]"
    right = "[" + ",".join("[" + ",".join(str(int(n == c)) for c in columns) + "]" for n in (1, 2, 3)) + "]"
    value = f"w{i}{k}*w{j}{m} - w{i}{m}*w{j}{k}"
    apart = g.have(f"{value} != 0", lambda g: g.ball(f.bounds))

    def regular(g: Goal) -> None:
        e = g.contra()
        d = g.have(f"{value} = 0", lambda g: g.field((e, 1)))
        g.clash(d, apart)

    det = g.have(f"det({minor}) != 0", regular)
    two = g.apply(g.split(g.apply(g.fact("rank_full", 2, minor)))[1], by=[lambda g: g.close_by(det)])
    same = g.have(f"{minor} = {left} @ ({LIMIT} @ {right})", lambda g: g.ext(lambda g: g.field()))
    _, one = g.split(g.fact("rank_product", 2, 3, 2, left, f"{LIMIT} @ {right}"))
    other, _ = g.split(g.fact("rank_product", 3, 3, 2, LIMIT, right))
    whole = g.have(f"rank({left} @ ({LIMIT} @ {right})) = 2", lambda g: (g.rewrite(same, back=True), g.close_by(two))[-1])
    return g.have(f"2 <= rank({LIMIT})", lambda g: g.pos([f"@{one}"], [f"@{other}"], eqs=[(whole, "1")]))


def within(g: Goal, f: Followed, other: str, bound: str) -> None:
    """The conclusion: the squared distance of LIMIT from a matrix of numbers or entries w.. is at most this."""
    rows = [row.split(",") for row in other.strip("[]").split("],[")]
    text = " + ".join(f"(w{i}{j} - ({rows[i - 1][j - 1]}))^2" for i, j in PLACES if rows[i - 1][j - 1] != f"w{i}{j}")
    h = g.have(f"{text} <= {bound}", lambda g: g.ball(f.bounds))
    g.pos(["@" + h])


def factored(g: Goal, matrix: str, x: str, y: str, bound: str) -> str:
    """nuc(matrix) <= bound by factors x and y of numbers."""
    k = len(x[2:].split("]")[0].split(","))
    h = g.fact("nuc_factors", 3, k, 3, x, y)
    same = g.have(f"{matrix} = {x} @ {y}", lambda g: g.ext(lambda g: g.field()))
    energy = g.have(f"(tr(T({x}) @ {x}) + tr(T({y}) @ {y}))/2 <= {bound}", lambda g: g.compute())
    return g.have(f"nuc({matrix}) <= {bound}", lambda g: (g.rewrite(same), g.pos(["@" + h], ["@" + energy]))[-1])


SQUARE = "[[1,1,0,0,0,0],[1,0,1,1,0,0],[0,0,0,0,2,1]]"
FLIPPED = "[[1,1,0],[0,1,0],[1,0,0],[1,0,0],[0,0,2],[0,0,1]]"
REFLECTION = "[[-5/13,12/13,0],[12/13,5/13,0],[0,0,1]]"


def neither(g: Goal, start: Start) -> None:
    """What is learned for M_1 from one start."""
    hs = g.intro()
    f = limit_of_the_product(g, M1, start, hs, 4, 1.3 * start.exponent + 2)
    rank = rank_two_by_minor(g, f)
    single = g.have("rank([[1,2,5],[3,6,15],[1,2,5]]) = 1", lambda g: g.compute())
    above = dual_bound(g, REFLECTION, "10.01", f)
    below = factored(g, "[[1,2,0],[3,1,0],[0,0,5]]", SQUARE, FLIPPED, "10")
    own = ["w13", "w22", "w23", "w31", "w32"]

    def near(g: Goal) -> None:
        g.witness(*own)
        within(g, f, "[[1,2,w13],[3,w22,w23],[w31,w32,5]]", NEAR)

    def less_rank(g: Goal) -> None:
        g.witness("5", "6", "15", "1", "2")
        g.pos(["@" + rank], ["1"], eqs=[(single, "-1")])

    def less_norm(g: Goal) -> None:
        g.witness("0", "1", "0", "0", "0")
        g.pos(["@" + above], ["@" + below], ["1/100"])

    g.witness(LIMIT)
    g.conj(lambda g: g.close_by(f.converges), near, less_rank, less_norm)


for _name, _data in (("first", M1), ("third", M3)):
    part(
        CLAIM,
        _data.part,
        entries_of_the_flow(_data),
        says=f"The eighteen entries of the factors in the flow of the {_name} example.",
    )(functions_are_the_entries)

part(CLAIM, "limit-by-entries", BY_ENTRIES, says="A 3 x 3 matrix converges when its nine entries do.")(limit_by_entries)


def of_starts(
    claim: str, data: Observed, starts: list[Start], conclusion: Callable[[Start], str], script: Callable[[Goal, Start], None]
) -> str:
    """A part for each start; the statement that they make together."""
    for start in starts:

        @part(
            claim,
            start.name,
            learned(start, data.equation, conclusion(start)),
            says=f"The limit from the start with seed {start.seed} and standard deviation 1e-{start.exponent}.",
            uses=sorted({CLAIM} - {claim}),
            covers="instances",
            because="one start",
        )
        def limit_from_one_start(g: Goal, start: Start = start) -> None:
            """The eighteen entries of the factors are followed to their limits."""
            script(g, start)

    return " and ".join(learned(s, data.equation, conclusion(s)) for s in starts)


def parts(g: Goal, claim: str, starts: list[Start]) -> list[Script]:
    """Scripts that close the members of the statement of `of_starts`."""
    return [lambda g, s=s: g.close_by(g.lemma(claim, f"part:{s.name}")) for s in starts]  # type: ignore[misc]


of_starts(CLAIM, M1, FIRST_STARTS, lambda s: NEITHER, neither)


def completion(x: Fraction, y: Fraction) -> str:
    """The completion of M_3 with these entries (1,3), (2,3) whose determinant is 0."""
    return f"[[1,2,{x}],[3,4,{y}],[6,{(12 * y - 24 * x - 10) / (y - 3 * x)},5]]"


PARTICULAR = completion(Fraction(10613, 10000), Fraction(23997, 10000))
LEAST = "[[1,2,5/6],[3,4,5/2],[6,4,5]]"
LEFT, RIGHT = "[[-1,-1/3],[-2,0],[-2,2]]", "[[-3/2,-2,-5/4],[3/2,0,5/4]]"
ROTATION = "[[-155/207,110/207,82/207],[70/207,-43/207,190/207],[118/207,170/207,-5/207]]"


def third(start: Start) -> str:
    """What is learned for M_3 from a start."""
    return f"""ex W:M(3,3). tends(t, A(t) @ B(t), W) and {distance("W", PARTICULAR)} <= {DISTANCE[start.exponent]}^2 and
      (ex x y z:R. rank({THIRD}) = 2 and {distance("W", THIRD)} <= {NEAR}) and {smaller_norm(THIRD, "x y z")}"""


def smaller(g: Goal, above: str) -> None:
    """The conclusion: LEAST has a smaller nuclear norm than a matrix whose norm is at least 12.9."""
    below = factored(g, LEAST, LEFT, RIGHT, "12.4")
    g.witness("5/6", "5/2", "4")
    g.pos(["@" + above], ["@" + below], ["1/2"])


def near_rank_two(g: Goal, start: Start) -> None:
    """What is learned for M_3 from one start."""
    hs = g.intro()
    f = limit_of_the_product(g, M3, start, hs, 5, 1.3 * start.exponent + 2)
    x, y = (Fraction(round(sum(f.numbers[w]) / 2 * 10**8), 10**8) for w in ("w13", "w23"))
    other = completion(x, y)

    def close(g: Goal) -> None:
        g.witness(str(x), str(y), other.split("[6,")[1].split(",")[0])
        g.conj(lambda g: g.compute(), lambda g: within(g, f, other, NEAR))

    g.witness(LIMIT)
    g.conj(
        lambda g: g.close_by(f.converges),
        lambda g: within(g, f, PARTICULAR, f"{DISTANCE[start.exponent]}^2"),
        close,
        lambda g: smaller(g, dual_bound(g, ROTATION, "12.9", f)),
    )


RANK_TWO = f"""(all x y z:R. 2 <= rank({THIRD})) and rank({PARTICULAR}) = 2 and (ex x y z:R. nuc({THIRD}) < nuc({PARTICULAR})) and
      {of_starts(THIRD_CLAIM, M3, THIRD_STARTS, third, near_rank_two)}"""


@holds(
    THIRD_CLAIM,
    RANK_TWO,
    uses=[CLAIM, "bai2024.assertion-m3-rank2-nonunique"],
    covers="instances",
    because=BECAUSE.format(len(THIRD_STARTS), "the limits are near one completion of rank 2, nearer for smaller starts"),
    reading=READING.format("1e-3, 1e-4 and 1e-6")
    + ". Identifies a lowest-rank completion: it is within 1e-3 (Frobenius norm) of some completion of rank 2, and within 1, 0.4, 0.05 of one"
    " and the same",
)
def near_a_completion_of_rank_two(g: Goal) -> None:
    """The entries of the factors are followed to their limits. The trace against a rotation is at least 13; a completion with the nuclear
    norm 12.4 at most is given by its factors."""

    def lower(g: Goal) -> None:
        g.intro()
        rank_at_least_two(g)

    def not_least(g: Goal) -> None:
        value = g.have(f"12.9 <= tr(T({ROTATION}) @ {PARTICULAR})", lambda g: g.compute())
        pair = trace_bound(g, ROTATION, PARTICULAR)
        smaller(g, g.have(f"12.9 <= nuc({PARTICULAR})", lambda g: g.pos(["@" + value], ["@" + pair])))

    g.conj(lower, lambda g: g.compute(), not_least, *parts(g, THIRD_CLAIM, THIRD_STARTS))


TRAINED = f"""(ex W:M(3,3). tends(t, A(t) @ B(t), W) and (ex x y z:R. rank({THIRD}) = 2 and {distance("W", THIRD)} <= {NEAR}))"""


@holds(
    "bai2024.assertion-m3-not-rip",
    f"""{NO_ISOMETRY} and (all x y z:R. 2 <= rank({THIRD})) and
        {" and ".join(learned(s, M3.equation, TRAINED) for s in THIRD_STARTS)}""",
    uses=[THIRD_CLAIM],
    covers="instances",
    because="the violation is proved; that training ends at least rank is "
    + BECAUSE.format(len(THIRD_STARTS), "the limits are within 1e-3 of a completion of rank 2"),
    reading="the lower bound of the restricted isometry property fails for every rescaling of the operator; training: "
    + READING.format("1e-3, 1e-4 and 1e-6")
    + ". It ends at least rank: within 1e-3 (Frobenius norm) of a completion of rank 2",
)
def no_isometry_but_least_rank(g: Goal) -> None:
    """The part no-isometry, and the limits of assertion-m3-not-min-nuclear."""
    least, _, _, *known = g.split(g.lemma(THIRD_CLAIM, "statement"))
    kernel, bound = g.split(g.lemma("bai2024.assertion-m3-not-rip", "part:no-isometry"))

    def trained(g: Goal, h: str) -> None:
        hs = g.intro()
        converges, _, near, _ = g.obtain(g.apply(h, "A", "B", by=[lambda g, k=k: g.close_by(k) for k in hs]), "W")
        g.witness("W")
        g.conj(lambda g: g.close_by(converges), lambda g: g.close_by(near))

    scripts: list[Script] = [lambda g, h=h: trained(g, h) for h in known]  # type: ignore[misc]
    g.conj(*[lambda g, h=h: g.close_by(h) for h in (kernel, bound, least)], *scripts)
