"""Section 4: what is learned for M_1 has neither the least nuclear norm nor the least rank of all completions."""

from __future__ import annotations

from proofs.bai2024.escape_rates import DIRECTIONS
from proofs.bai2024.examples import P1, complete
from proofs.bai2024.followed_limits import CLAIM
from proofs.bai2024.learned_examples import FIRST, FLIPPED, REFLECTION, SQUARE, factored, trace_bound
from proofs.bai2024.limits_of_factors import CLAIM as SECOND_CLAIM
from proofs.bai2024.limits_of_factors import DIRECTION, FIRST_FLOWS, LIMITS, of_limit
from proofs.bai2024.minimum_nuclear_norm import STARTS
from proofs.bai2024.rank_one_capture import LEVEL
from proofs.bai2024.regular_limits import COLUMN, LAST, TOP
from proofs.bai2024.small_scale_limit import ALONG_START, SIZE_START, SMALL, START
from verify.kernel import Goal
from verify.registry import holds, part

W = "(Ah @ Bh)"
FITS = f"{W}[1,1] = 1 => {W}[1,2] = 2 => {W}[2,1] = 3 => {W}[3,3] = 5"
THIRD = f"(z @ (T({LAST} @ X) + Y @ {COLUMN}))[1,1]"
SUMS = [f"(Ah[3,{k}] + Bh[{k},3])" for k in (1, 2, 3)]
FIRST_SUMS = [f"(X[3,{k}] + Y[{k},3])" for k in (1, 2, 3)]


@part(
    CLAIM,
    "rank-one-is-an-exception",
    f"""all X Y Ah Bh:M(3,3), z:M(1,3). T(Ah) @ Ah = Bh @ T(Bh) => {DIRECTION} => {W}[1,1] = 1 => {W}[3,3] = 5 => rank({W}) <= 1 =>
       z[1,1]*Ah[1,1] + z[1,2]*Ah[1,2] + z[1,3]*Ah[1,3] = 0 => {THIRD} = 0""",
    says="Were a balanced limit of rank 1, the start of the third pair would be orthogonal to all that is orthogonal to the first row.",
)
def rank_one_is_an_exception(g: Goal) -> None:
    """By the balance W W^T = (A A^T)^2, so A^T vanishes where W^T does: all rows of A are multiples of the first, and again by the balance
    the third column of B is orthogonal to z as well. The sum of the third row and column is not 0, as their product is 5."""
    balance, direction, one, five, low, flat = g.intro()
    (uv,) = g.obtain(g.by_fact("rank_factor", 3, 3, 1, W, by=[None, lambda g: g.close_by(low)]), "p", "q")
    unit = g.have("p[1,1]*q[1,1] = 1", lambda g: first_entry(g, uv, one))
    rows = {}
    for i, y in ((2, "[[p[2,1]],[-p[1,1]],[0]]"), (3, "[[p[3,1]],[0],[-p[1,1]]]")):
        (own,) = g.obtain(g.have(f"ex y:M(3,1). y = {y}", lambda g, y=y: (g.witness(y), g.refl())[-1]), f"y{i}")  # type: ignore[misc]
        v = f"y{i}"
        orth = g.have(f"T(p) @ {v} = O(1,1)", lambda g, own=own: (g.rewrite(own), g.ext(lambda g: g.field()))[-1])  # type: ignore[misc]
        null = g.have(f"T({W}) @ {v} = O(3,1)", lambda g, o=orth: (g.rewrite(uv), g.nc((o, 1, "T(q)", None)))[-1])  # type: ignore[misc]
        square = g.have(
            f"T(Ah @ T(Ah) @ {v}) @ (Ah @ T(Ah) @ {v}) = O(1,1)",
            lambda g, v=v, n=null: g.nc((balance, 1, f"T({v}) @ Ah", f"T(Ah) @ {v}"), (n, 1, f"T({v}) @ Ah @ Bh", None)),  # type: ignore[misc]
        )
        inner = vanishes(g, f"Ah @ T(Ah) @ {v}", square)
        square = g.have(f"T(T(Ah) @ {v}) @ (T(Ah) @ {v}) = O(1,1)", lambda g, v=v, n=inner: g.nc((n, 1, f"T({v})", None)))  # type: ignore[misc]
        zero = vanishes(g, f"T(Ah) @ {v}", square)
        zero = g.rewritten(zero, own)
        entries = [
            g.have(f"p[{i},1]*Ah[1,{k}] = p[1,1]*Ah[{i},{k}]", lambda g, k=k, h=zero, y=y: of_entry(g, h, f"T(Ah) @ {y}", k))  # type: ignore[misc]
            for k in (1, 2, 3)
        ]
        line = " + ".join(f"z[1,{k}]*Ah[{i},{k}]" for k in (1, 2, 3))
        rows[i] = g.have(
            f"{line} = 0",
            lambda g, e=entries, i=i, line=line: g.field(  # type: ignore[misc]
                (unit, f"-({line})"),
                (flat, f"q[1,1]*p[{i},1]"),
                *[(h, f"-q[1,1]*z[1,{k}]") for k, h in zip((1, 2, 3), e, strict=True)],
            ),
        )
    rows[1] = flat
    kernel = g.have("Ah @ T(z) = O(3,1)", lambda g: by_rows(g, rows))
    square = g.have(
        "T(T(Bh) @ T(z)) @ (T(Bh) @ T(z)) = O(1,1)", lambda g: g.nc((balance, -1, "z", "T(z)"), (kernel, 1, "z @ T(Ah)", None))
    )
    other = vanishes(g, "T(Bh) @ T(z)", square)
    third = g.have(" + ".join(f"z[1,{k}]*Bh[{k},3]" for k in (1, 2, 3)) + " = 0", lambda g: last_entry(g, other))
    size = " + ".join(f"{x}^2" for x in SUMS)
    positive = g.have(
        f"0 < {size}", lambda g: g.pos(*[[f"(Ah[3,{k}] - Bh[{k},3])^2"] for k in (1, 2, 3)], ["20"], eqs=[(five, "4")])
    )
    (m,) = g.obtain(g.have(f"ex m:R. m = {size}", lambda g: (g.witness(size), g.refl())[-1]), "m")
    g.have("0 < m", lambda g: g.pos(["@" + positive], eqs=[(m, "1")]))
    table = {(j, k): g.apply(direction, j, k) for j in (1, 2, 3) for k in (1, 2, 3)}
    number = " + ".join(f"z[1,{k}]*{x}" for k, x in zip((1, 2, 3), FIRST_SUMS, strict=True))
    cofactors = [(h, f"{SUMS[j - 1]}*z[1,{k}]") for (j, k), h in table.items()]
    sums = " + ".join(f"{x}*{y}" for x, y in zip(SUMS, FIRST_SUMS, strict=True))
    product = g.have(f"m*({number}) = 0", lambda g: g.field((m, number), *cofactors, (rows[3], sums), (third, sums)))
    g.field((product, "1/m"))


def first_entry(g: Goal, uv: str, one: str) -> None:
    """p[1,1] q[1,1] = 1 from W = p q."""
    k = g.have(f"{W}[1,1] = (p @ q)[1,1]", lambda g: (g.rewrite(uv), g.refl())[-1])
    g.field((k, -1), (one, 1))


def vanishes(g: Goal, x: str, square: str) -> str:
    """x = 0 for a column whose square is 0."""
    norm = g.have(f"tr(T({x}) @ ({x})) = 0", lambda g: (g.rewrite(square), g.field())[-1])
    return g.by_fact("frobenius_zero", 3, 1, x, by=[lambda g: g.close_by(norm)])


def of_entry(g: Goal, h: str, x: str, k: int) -> None:
    """An equation from an entry of x = 0."""
    e = g.have(f"({x})[{k},1] = 0", lambda g: (g.rewrite(h), g.field())[-1])
    g.field((e, 1))


def last_entry(g: Goal, h: str) -> None:
    e = g.have("(T(Bh) @ T(z))[3,1] = 0", lambda g: (g.rewrite(h), g.field())[-1])
    g.field((e, 1))


def by_rows(g: Goal, rows: dict[int, str]) -> None:
    for i, branch in enumerate(g.step("ext"), 1):
        branch.run(lambda g, i=i: g.field((rows[i], 1)))  # type: ignore[misc]


BEGINS = "a1*X[1,1] + a2*X[2,1] + b1*Y[1,1] + b2*Y[1,2]"
GIVEN = f"""n = 4 => {FIRST_FLOWS} => {STARTS} => {LIMITS} => {TOP} @ Ah = Uh => {FITS} => {BEGINS} != 0 => {THIRD} != 0"""
LEAST = ("0.47185792", "0.88167459", "0.95709202", "0.28978414")
NAMES = ["count", "flows", "starts", "limits", "a_end", "b_end", "top_end", "w11", "w12", "w21", "w33", "begins", "generic"]
LARGE = f"((2*q/(p*({LEVEL})^2))^8*q^2/(({LEVEL})*p))"
"""The start is small enough when 1/al exceeds this."""


def at_least_five(g: Goal, vectors: list[str], close: list[str]) -> str:
    """5 <= W[2,2]: so it is for every small scale, and the limit of vanishing scale keeps it."""
    (pdef,) = g.obtain(g.have(f"ex p:R. p = {ALONG_START}", lambda g: (g.witness(ALONG_START), g.refl())[-1]), "p")
    (qdef,) = g.obtain(g.have(f"ex q:R. q = {SIZE_START}", lambda g: (g.witness(SIZE_START), g.refl())[-1]), "q")
    begin = g.have(f"0 < ({BEGINS})^2", lambda g: g.auto())
    others = [f"(a1*X[1,{k}] + a2*X[2,{k}] + b1*Y[{k},1] + b2*Y[{k},2])^2/2" for k in (2, 3)]
    ppos = g.have("0 < p", lambda g: g.pos(["1/2", "@" + begin], *[[x] for x in others], eqs=[(pdef, "1")]))
    unit = (vectors[4], vectors[5])
    parts = [
        g.lemma(CLAIM, "part:small-part-of-the-whole", *DIRECTIONS, *z.values(), by=[lambda g, u=u: g.close_by(u) for u in unit])  # type: ignore[misc]
        for z in START
    ]
    less = g.have("p <= q", lambda g: g.pos(*[["@" + k] for k in parts], eqs=[(pdef, -1), (qdef, 1)]))
    g.have("0 < q", lambda g: g.pos(["@" + less], ["p"]))
    (large,) = g.obtain(g.have(f"ex M:R. M = {LARGE}", lambda g: (g.witness(LARGE), g.refl())[-1]), "M")
    g.have("0 < M", lambda g: (g.rewrite(large), g.auto())[-1])

    def for_small(g: Goal) -> None:
        (al,) = g.fix("al")
        positive, small = g.assume(), g.assume()
        one, two = g.split(g.apply("limits", al, by=[lambda g: g.close_by(positive)]))
        a0, b0 = g.split(g.apply("starts", al, by=[lambda g: g.close_by(positive)]))

        def moving(g: Goal) -> None:
            (t,) = g.fix("t")
            now = g.assume()
            laws = g.split(g.apply("flows", al, t, by=[lambda g: g.close_by(positive), lambda g: g.close_by(now)]))
            g.conj(*[lambda g, k=k: g.nc((g.rewritten(k, "count"), 1, None, None)) for k in laws])  # type: ignore[misc]

        scale = g.have(
            SMALL.replace("al", al),
            lambda g: g.pos([f"({LEVEL})*p/q", "@" + small], eqs=[(large, f"({LEVEL})*p/q*{al}")]),
        )
        by = [moving, *[lambda g, h=h: g.close_by(h) for h in (*vectors, *close, positive, a0, b0, pdef, qdef, ppos, scale)]]  # type: ignore[misc]
        terms = [f"lam t:R. A({al},t)", f"lam t:R. B({al},t)", "X", "Y", *DIRECTIONS, "p", "q", al]
        tends, five = g.obtain(g.lemma(CLAIM, "part:limit-of-a-small-start", *terms, by=by), "l")
        whole = product_limit(g, "t", f"A({al},t)", f"B({al},t)", f"Ai({al})", f"Bi({al})", one, two)
        same = g.by_fact(
            "tends_unique", "l", f"(Ai({al}) @ Bi({al}))[2,2]", f"lam t:R. (A({al},t) @ B({al},t))[2,2]",
            by=[lambda g: g.close_by(tends), lambda g: g.close_by(whole)],
        )  # fmt: skip
        g.pos(["@" + five], eqs=[(same, "-1")])

    each = g.have("all al:R. 0 < al => M*al < 1 => 5 <= (Ai(al) @ Bi(al))[2,2]", for_small)
    last = product_limit(g, "s", "Ai(1/s)", "Bi(1/s)", "Ah", "Bh", "a_end", "b_end")

    def far(g: Goal) -> None:
        (s,) = g.fix("s")
        h = g.assume()
        g.have(f"0 < {s}", lambda g: g.pos(["@" + h], ["M"], ["1"]))
        ratio = g.have(f"M*(1/{s}) < 1", lambda g: g.pos([f"1/{s}", "@" + h], [f"1/{s}"]))
        inverse = g.have(f"0 < 1/{s}")
        g.close_by(g.apply(each, f"1/{s}", by=[lambda g: g.close_by(inverse), lambda g: g.close_by(ratio)]))

    constant = g.fact("tends_const", 5)
    return g.by_fact(
        "tends_le", "M + 1", 5, f"{W}[2,2]", "lam s:R. 5", "lam s:R. (Ai(1/s) @ Bi(1/s))[2,2]",
        by=[far, lambda g: g.close_by(constant), lambda g: g.close_by(last)],
    )  # fmt: skip


def product_limit(g: Goal, t: str, a: str, b: str, ai: str, bi: str, one: str, two: str) -> str:
    """The limit of the entry (2,2) of a product of matrices with the limits ai and bi."""
    whole = g.by_fact(
        "tends_matrix_mul",
        3,
        3,
        3,
        ai,
        bi,
        f"lam {t}:R. {a}",
        f"lam {t}:R. {b}",
        by=[lambda g: g.close_by(one), lambda g: g.close_by(two)],
    )
    forward = g.split(g.fact("tends_matrix", 3, 3, f"{ai} @ {bi}", f"lam {t}:R. {a} @ {b}"))[0]
    return g.apply(g.apply(forward, by=[lambda g: g.close_by(whole)]), 2, 2)


NEITHER = f"""ex a1 a2 b1 b2:R. 0 < a1 and 0 < a2 and 0 < b1 and 0 < b2 and
       all Uh:M(2,3). ex z:M(1,3). z != O(1,3) and
       all n:R, X Y Ah Bh:M(3,3), A B:(R,R)~>M(3,3), Ai Bi:R->M(3,3). {GIVEN} =>
       (ex x y z u v:R. nuc({FIRST}) < nuc({W})) and (ex x y z u v:R. rank({FIRST}) < rank({W}))"""


@holds(
    CLAIM,
    NEITHER,
    uses=[SECOND_CLAIM],
    reading="learned from small initialisation: both factors scaled by alpha^(1/2), their limits for t -> infinity and then alpha -> 0. Generic:"
    " a certain linear form (with four positive coefficients) of the first column of X and the first row of Y is not 0, and the third row of X"
    " plus the transposed third column of Y is not in a plane, normal to z, that depends only on the first two rows of the limit of A; these"
    " do not depend on the third pair, as the components evolve independently",
    context="the limit fits the data [Theorem 4 (d)]; starts outside a null set [generic start, Section 4]",
    added="the limits of both factors, for t to infinity and then alpha to 0, exist (Theorem 4 assumes those of the product)",
)
def neither_least_norm_nor_least_rank(g: Goal) -> None:
    """Near 0 the part of the factors along the first singular vectors of [1,2; 3,0] grows faster than the rest. So a small start leaves a
    ball around 0 nearly of rank 1, and the flow is enclosed from there to its limit, whose entry (2,2) is at least 5. Hence the nuclear
    norm is above 11, against 10. The rank is 1 only if W[2,2] = 6 and the third row of A is a multiple of the first, as then is the start."""
    *vectors, c1, c2, c3, c4, c5, c6, c7, c8 = g.obtain(g.lemma(CLAIM, "part:directions"), *DIRECTIONS)
    close = [c1, c2, c3, c4, c5, c6, c7, c8]
    g.witness("a1", "a2", "b1", "b2")
    positive = [lambda g, h=h, x=x: g.pos(["@" + h], [x]) for h, x in zip(close[::2], LEAST, strict=True)]  # type: ignore[misc]
    g.conj(*positive, lambda g: outside_a_plane(g, vectors, close))


def outside_a_plane(g: Goal, vectors: list[str], close: list[str]) -> None:
    """z is orthogonal to the first row of the limit."""
    g.fix("Uh")

    def learned(g: Goal, z: str, zero: str) -> None:
        g.fix()
        for name in NAMES:
            g.assume(name)
        five = at_least_five(g, vectors, close)
        first = [
            g.have(f"Ah[1,{j}] = Uh[1,{j}]", lambda g, j=j: top_entry(g, j))  # type: ignore[misc]
            for j in (1, 2, 3)
        ]
        line = " + ".join(f"({z})[1,{j}]*Ah[1,{j}]" for j in (1, 2, 3))
        flat = g.have(f"{line} = 0", lambda g: orthogonal(g, first, zero))
        g.conj(lambda g: larger_norm(g, five), lambda g: larger_rank(g, z, flat))

    def orthogonal(g: Goal, first: list[str], zero: str) -> None:
        if zero:
            g.field((first[0], 1), (zero, 1))
        else:
            g.field((first[0], "Uh[1,2]"), (first[1], "-Uh[1,1]"))

    turned = "[[Uh[1,2], -Uh[1,1], 0]]"

    def degenerate(g: Goal) -> None:
        eq = list(g.seq.hyps)[-1]
        zero = g.have("Uh[1,1] = 0", lambda g: from_zero(g, eq, turned))
        g.witness("[[1,0,0]]")
        g.conj(unit_row, lambda g: learned(g, "[[1,0,0]]", zero))

    def usual(g: Goal) -> None:
        apart = list(g.seq.hyps)[-1]
        g.witness(turned)
        g.conj(lambda g: g.close_by(apart), lambda g: learned(g, turned, ""))

    g.em(f"{turned} = O(1,3)", degenerate, usual)


def from_zero(g: Goal, eq: str, turned: str) -> None:
    k = g.have(f"({turned})[1,2] = O(1,3)[1,2]", lambda g: (g.rewrite(eq), g.refl())[-1])
    g.field((k, -1))


def unit_row(g: Goal) -> None:
    eq = g.contra()
    k = g.have("[[1,0,0]][1,1] = O(1,3)[1,1]", lambda g: (g.rewrite(eq), g.refl())[-1])
    g.pos([], eqs=[(k, -1)])


def top_entry(g: Goal, j: int) -> None:
    k = g.have(f"({TOP} @ Ah)[1,{j}] = Uh[1,{j}]", lambda g: (g.rewrite("top_end"), g.refl())[-1])
    g.field((k, 1))


def larger_norm(g: Goal, five: str) -> None:
    """The trace against a reflection is at least 145/13."""
    pair = trace_bound(g, REFLECTION, W)
    below = factored(g, "[[1,2,0],[3,1,0],[0,0,5]]", SQUARE, FLIPPED, "10")
    above = g.have(
        f"145/13 <= nuc({W})",
        lambda g: g.pos(
            ["@" + pair], ["5/13", "@" + five], eqs=[("w11", "-5/13"), ("w12", "12/13"), ("w21", "12/13"), ("w33", "1")]
        ),
    )
    g.witness("0", "1", "0", "0", "0")
    g.pos(["@" + above], ["@" + below], ["15/13"])


def larger_rank(g: Goal, z: str, flat: str) -> None:
    """The completion with the multiples of the first row has rank 1."""
    single = g.have("rank([[1,2,5],[3,6,15],[1,2,5]]) = 1", lambda g: g.compute())

    def exception(g: Goal) -> None:
        low = list(g.seq.hyps)[-1]
        balance = of_limit(g, "balance-of-the-limit", CLAIM)
        direction = of_limit(g, "direction-of-the-limit", CLAIM)
        by = [*[lambda g, h=h: g.close_by(h) for h in (balance, direction, "w11", "w33", low)], lambda g: g.field((flat, 1))]  # type: ignore[misc]
        k = g.lemma(CLAIM, "part:rank-one-is-an-exception", "X", "Y", "Ah", "Bh", z, by=by)
        g.clash(k, "generic")

    def more(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        g.witness("5", "6", "15", "1", "2")
        g.pos(["@" + h], eqs=[(single, "-1")])

    g.em(f"rank({W}) <= 1", exception, more)


@holds(
    "bai2024.assertion-disconnected-general",
    f"ncomp({P1}) = 2 and not {complete(P1)} and ({NEITHER})",
    uses=[CLAIM, "bai2024.def-3"],
    reading="in general: it is not so that a minimum nuclear norm or a lowest rank is always found. The disconnected pattern of M_1, a component of"
    " which is not complete bipartite, is one for which, with the values of M_1, neither is found from generic starts of vanishing scale",
    readings=[("neither is found for every such pattern and almost all values of the observed entries", "open", None)],
    context="the limit fits the data [Theorem 4 (d)]; starts outside a null set [generic start, Section 4]",
    added=(
        "the limits of both factors, for t to infinity and then alpha to 0, exist (Theorem 4 assumes those of the product)"
    ),
)
def neither_is_found_in_general(g: Goal) -> None:
    """The example M_1."""
    g.conj(lambda g: g.compute(), lambda g: g.compute(), lambda g: g.close_by(g.lemma(CLAIM, "statement")))
